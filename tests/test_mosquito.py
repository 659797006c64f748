# SPDX-License-Identifier: Apache-2.0
"""MOSQUITO and MOUSTIQUE: every vector, resynchronisation, restart, clear, reset, proofs, gates and
what is refused; which ciphers are said to be broken."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from emitted import registers_of, with_value

from headwater.algebra import bitstring
from headwater.algebra.word import IntegerWord, concatenate, unnamed
from headwater.api import core as api_core
from headwater.bench.stimulus import stimulus
from headwater.bench.target import TARGETS, AsicTarget
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.cipher.mosquito import MOSQUITO, MOUSTIQUE
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import Verilog, generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import simulate_gates
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of
from headwater.kinds.self_synchronising.description import (
    Cell,
    SelfSynchronisingCipher,
    following_cells,
)
from headwater.kinds.self_synchronising.emptying import emptying
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts
from headwater.kinds.self_synchronising.model import SelfSynchronisingModel
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import prove
from headwater.verify.transfer import transfer_of
from headwater.verify.vector_files import VectorFile, own_files, read_file

BOTH = (MOSQUITO, MOUSTIQUE)
FILES = {cipher.name: read_file(own_files(cipher)[0], cipher) for cipher in BOTH}
each = pytest.mark.parametrize("cipher", BOTH, ids=lambda cipher: cipher.name)

KEY, IV = bytes.fromhex("0123456789abcdef01234567"), bytes.fromhex("fedcba9876543210fedcba9876")


def architecture(cipher: Cipher, radix: int = 1, **options: str) -> Architecture:
    return Architecture.choose(cipher, radix=radix, options=options)


def facts(cipher: Cipher, radix: int = 1, **options: str) -> SelfSynchronisingFacts:
    found = facts_of(cipher, architecture(cipher, radix, **options))
    assert isinstance(found, SelfSynchronisingFacts)
    return found


def engine(cipher: Cipher, radix: int = 1, **options: str) -> RtlEngine:
    gaps = 0 if options.get("stall") == "none" else 250
    return RtlEngine(cipher, architecture(cipher, radix, **options), gaps_permille=gaps)


def some_vectors(cipher: Cipher, step: int) -> VectorFile:
    """Every so many vectors of the authors, and those about lengths, errors and lost bytes."""
    vectors = FILES[cipher.name].vectors
    kept = [vector for number, vector in enumerate(vectors)
            if number % step == 0 or re.match("resync|slip|iv|rand-len1", vector.name)]  # fmt: skip
    return replace(FILES[cipher.name], vectors=tuple(kept))


def text_of(bits: int, seed: object = 0) -> bytes:
    string = random.Random(f"text {seed}").getrandbits(bits) if bits else 0
    return bitstring.to_bytes(string, bits, "msb_first")


def message(bits: int, seed: object = 0, decrypts: bool = False) -> Message:
    return Message(KEY, IV, b"", text_of(bits, seed), bits, decrypts)


# --- the description and the model


@each
def test_all_vectors_in_the_model(cipher: Cipher) -> None:
    record = check_vectors(FILES[cipher.name], ModelEngine(cipher))
    assert (record.passed, record.failures, record.skipped) == (186, (), 0)


CHECKPOINTS = {
    "mosquito": (
        "7a5b209488bbb9f1230ef132298c0804",
        "00000000010111101010110101111110000100100000100001010",
        "110011011000100101101110011110011000100111101100",
        "100101110001",
        "100",
        "1",
        "ca7d1b35d1470fa18f910ada5044b266",
    ),
    "moustique": (
        "8e21b744a6891e081b1a81f9b9870f31",
        "11000101000110110000111001011101011111001110101110100",
        "001011100001111101110001100101011100111110100000",
        "011001001001",
        "110",
        "0",
        "3eea358db1681c4c0def0e3a6eb7e796",
    ),
}


@each
def test_state_after_a_setup(cipher: SelfSynchronisingCipher) -> None:
    cells, *stages, ciphertext = CHECKPOINTS[cipher.name]
    model = SelfSynchronisingModel(cipher, key=KEY, iv=IV)
    assert model.content("c") == 0
    assert f"{model.content('q'):0128b}"[::-1] == f"{int(cells, 16):0128b}"
    for name, expected in zip(("p1", "p5", "p6", "p7", "p8"), stages, strict=True):
        assert f"{model.content(name):0{len(expected)}b}"[::-1] == expected
    sealed = process(cipher, Message(KEY, IV, b"", bytes(16), 128))
    assert sealed.text.hex() == ciphertext
    assert sealed.tag == b""


@each
def test_what_follows_from_the_description(cipher: SelfSynchronisingCipher) -> None:
    assert cipher.memory == (10, 105)
    assert [register.length for register in cipher.registers] == [
        1, 128, 53, 53, 53, 53, 48, 12, 3, 1
    ]  # fmt: skip
    assert cipher.state_bits == 405
    assert sorted(cell.address for cell in cipher.cells) == list(range(1, 129))
    assert sum(cell.key is not None for cell in cipher.cells) == 113
    assert {cell.key for cell in cipher.cells} == {None, *range(96)}
    seen = {0}
    for cell in cipher.cells:
        assert set(cell.reads) <= seen
        seen.add(cell.address)


@each
def test_memory_in_the_model(cipher: SelfSynchronisingCipher) -> None:
    """One wrong bit of ciphertext disturbs its own place and some of those 10 to 105 on."""
    received = message(600, 1, decrypts=True)
    right = bitstring.from_bytes(process(cipher, received).text, "msb_first")
    disturbed = set()
    for place in range(100, 400, 7):
        text = bitstring.from_bytes(received.text, "msb_first") ^ 1 << place
        wrong = replace(received, text=bitstring.to_bytes(text, 600, "msb_first"))
        found = right ^ bitstring.from_bytes(process(cipher, wrong).text, "msb_first")
        disturbed |= {bit - place for bit in range(600) if found >> bit & 1}
    assert {0, 10, 105} <= disturbed
    assert disturbed <= {0, *range(10, 106)}


def decrypted(cipher: SelfSynchronisingCipher, ciphertext: int, bits: int) -> int:
    """The text of some ciphertext, by the description read step by step with integers."""
    key, iv = cipher.input_bits(KEY, IV)
    state = {register.name: IntegerWord(0, register.length) for register in cipher.registers}
    lead_in, text = cipher.lead_in(iv), 0
    received = [ciphertext >> place & 1 for place in range(bits)]
    for place, bit in enumerate((*lead_in, *received), start=-len(lead_in)):
        if place >= 0:
            text |= (state[cipher.stages[-1].name].value ^ bit) << place
        word = concatenate(state["c"], state["q"])
        cells = following_cells(
            cipher.cells, {address: word[address] for address in range(len(word))},
            lambda number: IntegerWord(key[number], 1), unnamed,
        )  # fmt: skip
        after = {"c": IntegerWord(bit, 1)}
        after["q"] = concatenate(*(cells[address] for address in range(1, len(word))))
        for stage in cipher.stages:
            after[stage.name], word = stage.made(unnamed, word), state[stage.name]
        state = after
    return text


@each
def test_model_is_the_description(cipher: SelfSynchronisingCipher) -> None:
    text = random.Random(8).getrandbits(150)
    model = [SelfSynchronisingModel(cipher, key=KEY, iv=IV) for _ in range(2)]
    ciphertext = model[0].encrypt(text, 150)
    assert decrypted(cipher, ciphertext, 150) == text == model[1].decrypt(ciphertext, 150)


@each
@pytest.mark.parametrize("bits", [0, 1, 9, 10, 11, 105, 4097])
def test_decrypting_gives_the_text_back(cipher: Cipher, bits: int) -> None:
    sent = message(bits, bits)
    sealed = process(cipher, sent)
    assert process(cipher, replace(sent, text=sealed.text, decrypts=True)).text == sent.text
    assert bits < 64 or sealed.text != sent.text


@each
def test_model_goes_on_where_it_was(cipher: SelfSynchronisingCipher) -> None:
    whole = SelfSynchronisingModel(cipher, key=KEY, iv=IV)
    parts = SelfSynchronisingModel(cipher, key=KEY, iv=IV)
    text = random.Random(3).getrandbits(300)
    made = place = 0
    for count in (1, 7, 10, 33, 0, 100, 149):
        made |= parts.encrypt(text >> place, count) << place
        place += count
    assert made == whole.encrypt(text, 300)


def test_shorter_iv_is_filled_up_behind_it() -> None:
    sent = Message(KEY, IV[:4], b"", bytes(20), 160)
    filled = [replace(sent, nonce=iv) for iv in (IV[:4].ljust(13, b"\0"), IV[:4].rjust(13, b"\0"))]
    made, behind, before = (process(MOSQUITO, one) for one in (sent, *filled))
    assert made == behind
    assert made != before


# --- cores


@each
@pytest.mark.parametrize("radix", [1, 2, 3])
def test_all_vectors_in_verilog_with_gaps(cipher: Cipher, radix: int) -> None:
    made = engine(cipher, radix)
    chosen = architecture(cipher, radix)
    record = check_vectors(FILES[cipher.name], made, chosen)
    assert (record.passed, record.failures, record.skipped) == (186, (), 0)
    assert made.setup_cycles(KEY, IV) == facts(cipher, radix).setup_cycles == {
        1: 200, 2: 100, 3: 67
    }[radix]  # fmt: skip


@pytest.mark.parametrize(
    ("cipher", "radix", "options"),
    [
        (MOSQUITO, 1, {"stall": "none", "clear": "none", "layers": "7"}),
        (MOUSTIQUE, 1, {"clear": "instant", "layers": "4"}),
        (MOSQUITO, 2, {"stall": "none", "clear": "shift", "layers": "2"}),
        (MOUSTIQUE, 3, {"stall": "none", "clear": "none", "layers": "1"}),
        (MOSQUITO, 1, {"layers": "1", "clear": "none", "direction": "encrypt"}),
        (MOUSTIQUE, 2, {"layers": "1", "clear": "none", "direction": "decrypt"}),
        (MOSQUITO, 4, {"clear": "none", "direction": "decrypt"}),
    ],
    ids=lambda part: part.name if isinstance(part, Cipher) else str(part),
)
def test_some_vectors_at_other_architectures(
    cipher: Cipher, radix: int, options: dict[str, str]
) -> None:
    chosen = architecture(cipher, radix, **options)
    vectors = some_vectors(cipher, 16)
    made = engine(cipher, radix, **options)
    record = check_vectors(vectors, made, chosen)
    assert (record.passed, record.failures) == (len(vectors.vectors), ())
    assert record.passed > 30
    assert made.setup_cycles(KEY, IV) == facts(cipher, radix, **options).setup_cycles
    assert check_lint(cipher, chosen).failures == ()


@pytest.mark.parametrize("radix", [1, 2, 3])
@pytest.mark.parametrize("bits", [0, 1, 2, 3, 4, 5, 13, 119, 121])
def test_texts_of_any_length(radix: int, bits: int) -> None:
    sent = [message(bits, "a"), message(bits, "b", decrypts=True), message(bits + 1, "c")]
    assert engine(MOSQUITO, radix).process(sent) == [process(MOSQUITO, one) for one in sent]


def bits_of(printed: list[str], radix: int) -> int:
    """The text that a core gave, whole words only."""
    return sum(int(line.split()[0], 16) << radix * n for n, line in enumerate(printed))


def words(string: int, bits: int, radix: int) -> list[str]:
    keep = (1 << radix) - 1
    return [f"{string >> at & keep:x}:{keep:x}:0" for at in range(0, bits, radix)]


@each
@pytest.mark.parametrize("radix", [1, 2, 3])
def test_core_resynchronises(cipher: SelfSynchronisingCipher, radix: int) -> None:
    """After a wrong bit, and after lost words, in the middle of a text."""
    made, bits, place, lost = engine(cipher, radix), 720, 240, 30
    plain = bitstring.from_bytes(text_of(bits), "msb_first")
    sealed = process(cipher, Message(KEY, IV, b"", text_of(bits), bits))
    right = bitstring.from_bytes(sealed.text, "msb_first")
    load = made._load(KEY, IV)
    wrong = words(right ^ 1 << place, bits, radix)
    cut = words(right & (1 << place) - 1 | right >> place + lost << place, bits - lost, radix)
    printed = verilator.simulate(
        made.verilog,
        ["reset 2", "gaps 3 200", *load, f"message 1 {' '.join(wrong)}",
         *load, f"message 1 {' '.join(cut)}"],
    )  # fmt: skip
    first = bits_of(printed[: len(wrong)], radix) ^ plain
    disturbed = {bit - place for bit in range(bits) if first >> bit & 1}
    assert 0 in disturbed
    assert len(disturbed) > 20
    assert disturbed <= {0, *range(10, 106)}
    second = bits_of(printed[len(wrong) :], radix)
    assert second & (1 << place) - 1 == plain & (1 << place) - 1
    behind = second >> place ^ plain >> place + lost
    recovered = (1 << bits - place - lost) - (1 << 105)
    assert behind & recovered == 0
    assert behind


def test_bits_that_do_not_count_are_zeros_of_ciphertext() -> None:
    """Whichever way the text goes: what follows them is decrypted right."""
    made = engine(MOSQUITO, 3)
    load = made._load(KEY, IV)
    first = "5:1:0"
    text = words(random.Random(4).getrandbits(150), 150, 3)
    sent = verilator.simulate(
        made.verilog, ["reset 2", *load, f"message 0 {' '.join([first, *text])}"]
    )
    again = [f"{payload}:{keep}:0" for payload, keep in map(str.split, sent)]
    back = verilator.simulate(made.verilog, ["reset 2", *load, f"message 1 {' '.join(again)}"])
    assert [line.split()[0] for line in back] == ["1", *(word.partition(":")[0] for word in text)]
    assert sent != back


@pytest.mark.parametrize(("radix", "stall"), [(1, "stream"), (3, "none")])
@pytest.mark.parametrize("before", ["load", "message", "clear", "reset 1", "clear message"])
def test_new_load_from_any_state(radix: int, stall: str, before: str) -> None:
    made = engine(MOUSTIQUE, radix, stall=stall)
    sent = message(90, before)
    transfer = transfer_of(MOUSTIQUE, made._architecture, sent)
    load = made._load(KEY, IV)
    begun = "message 1 " + " ".join(words(0x5A5A5A, 24, radix))
    commands = {
        "load": [*load, "idle 3"],
        "message": [*load, begun],
        "clear": ["load 1 0 1", "clear", "idle 5"],
        "reset 1": [*load, begun, "reset 1"],
        "clear message": [*load, begun, "clear"],
    }[before]
    printed = verilator.simulate(made.verilog, ["reset 2", *commands, *load, *transfer.commands()])
    count = len(transfer.words)
    assert transfer.result(iter(printed[-count:])) == process(MOUSTIQUE, sent)


@pytest.mark.parametrize("stall", ["stream", "none"])
def test_cycles_of_clear_are_those_that_it_takes(stall: str) -> None:
    for radix, layers in ((1, "7"), (2, "0"), (3, "1"), (4, "0")):
        found = facts(MOUSTIQUE, radix, stall=stall, layers=layers)
        assert found.clear_cycles == len(list(emptying(found)))
    assert facts(MOSQUITO).clear_cycles == 202


@pytest.mark.parametrize(
    ("radix", "options"),
    [(1, {"layers": "7", "stall": "none", "clear": "none"}), (1, {}), (3, {"layers": "1"})],
    ids=str,
)
def test_flip_flops_are_counted(radix: int, options: dict[str, str]) -> None:
    found = facts(MOSQUITO, radix, **options).flip_flops
    text = generate(MOSQUITO, architecture(MOSQUITO, radix, **options)).text
    assert sum(found.values()) == sum(registers_of(text).values())
    if options.get("layers") == "7":
        cells = found["ciphertext"] + found["keyed_register"] + found["pipeline"]
        assert cells == MOSQUITO.state_bits == 405


def test_printed_flip_flops_stand_beside_ours() -> None:
    sheet = datasheet(MOSQUITO, architecture(MOSQUITO))
    (sentence,) = sheet["printed_flip_flops"]
    assert "411 by ETH" in sentence
    assert {"410", str(sheet["state_bits"])} <= set(re.findall(r"\d+", sentence))
    assert 410 - sheet["state_bits"] == 53 - sheet["registers"]["p5"]["length"]
    assert sheet["flip_flops"]["all"] == 246
    assert "printed_flip_flops" not in datasheet(MOUSTIQUE, architecture(MOUSTIQUE))


def test_sheet_tells_memory_and_setup() -> None:
    sheet = datasheet(MOUSTIQUE, architecture(MOUSTIQUE, 3))
    assert sheet["kind"] == "self-synchronising"
    assert sheet["setup_steps"] == 105
    assert sheet["setup_cycles"] == 67
    assert "10 to 105" in sheet["memory"]
    assert sheet["security"].startswith("broken: ")
    assert "AFRICACRYPT 2008" in sheet["security"]


# --- proofs and gates


@pytest.mark.parametrize(
    ("cipher", "radix", "options"),
    [(MOSQUITO, 1, {}), (MOUSTIQUE, 2, {"layers": "2", "stall": "none", "direction": "encrypt"})],
    ids=lambda part: part.name if isinstance(part, Cipher) else str(part),
)
def test_proofs(cipher: Cipher, radix: int, options: dict[str, str]) -> None:
    records = prove(cipher, architecture(cipher, radix, **options))
    assert [record.failures for record in records] == [()] * len(records)
    names = {record.check.removeprefix("proof of ") for record in records}
    waits = {"hold", "silence"} if not options else set()
    assert names == {"step", "entering", "setup", "session", "text", "clear"} | waits


OSU018 = TARGETS["osu018"]


@pytest.mark.skipif(
    not (isinstance(OSU018, AsicTarget) and OSU018.liberty.exists()),
    reason="needs osu018: apt-get install qflow-tech-osu018",
)
@pytest.mark.parametrize(
    ("radix", "options", "most"),
    [
        (1, {"stall": "none", "clear": "none"}, 4000),
        (1, {}, 4400),
        (1, {"clear": "none", "direction": "decrypt"}, 6500),
        (2, {"stall": "none", "clear": "none"}, 7000),
    ],
    ids=str,
)
def test_gates(radix: int, options: dict[str, str], most: int) -> None:
    """Far fewer than the 20000 or so of ETH Zurich's layout (of radix 3)."""
    assert isinstance(OSU018, AsicTarget)
    chosen = architecture(MOSQUITO, radix, **options)
    made, library = generate(MOSQUITO, chosen), OSU018.library()
    given = stimulus(MOSQUITO, chosen, 60)
    with private_folder() as folder:
        mapped = map_to_cells(made.text, made.name, library, folder, None)
        run = simulate_gates(
            mapped.verilog, library, made.name, load_words=given.load_words, words=0,
            folder=folder, data_words=given.data_words,
        )  # fmt: skip
    given.check(run, "the netlist")
    assert run.setup.cycles == facts(MOSQUITO, radix, **options).setup_cycles
    assert mapped.ge < most


# --- the command line


NO_KEYSTREAM = "mosquito has no keystream of its own, as its ciphertext feeds it"
SECRET = ["--key", "00" * 12, "--iv", "00" * 13]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    found = capsys.readouterr()
    return status, found.out, found.err


@pytest.mark.parametrize("how", [[], ["--engine", "rtl", "--radix", "3"]], ids=["model", "rtl"])
def test_encrypt_and_decrypt(capsys: pytest.CaptureFixture[str], how: list[str]) -> None:
    plain, other = "0123456789abcdef0123456789abcdef", "fee2e4ebeea477cc89b1f06d19d8193f"
    made = printed(capsys, "encrypt", "mosquito", *SECRET, "--text", plain, *how)
    assert made == (0, f"ciphertext {other}\n", "")
    made = printed(capsys, "decrypt", "mosquito", *SECRET, "--text", other, *how)
    assert made == (0, f"plaintext {plain}\n", "")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["keystream", "mosquito", *SECRET, "--bits", "8"],
         f"{NO_KEYSTREAM}: use headwater encrypt mosquito"),
        (["encrypt", "moustique", "--key", "00", "--iv", "", "--text", "00"],
         "key of moustique must be 96 bits (24 hex digits), not 8 bits"),
        (["encrypt", "moustique", "--key", "00" * 12, "--iv", "00" * 14, "--text", "00"],
         "IV of moustique must be 0 to 104 bits in whole bytes, not 112 bits"),
        (["encrypt", "mosquito", *SECRET, "--text", "00", "--ad", "00"],
         "associated data must not be given for mosquito, which does not authenticate"),
        (["decrypt", "mosquito", *SECRET, "--text", "00", "--tag", "00"],
         "a tag must not be given for mosquito, which does not authenticate"),
        (["show", "mosquito", "--radix", "5"], "radix of mosquito must be between 1 and 4, not 5"),
        (["show", "mosquito", "--radix", "3", "--load-width", "1"],
         "load width of mosquito must be 3, not 1"),
        (["show", "mosquito", "--radix", "2", "--option", "layers=3"],
         "option layers of mosquito at radix 2 must be between 0 and 2, not 3"),
        (["show", "mosquito", "--radix", "4", "--option", "layers=1"],
         "option layers of mosquito at radix 4 must be 0, not 1"),
    ],
    ids=lambda part: part[0] if isinstance(part, list) else "",
)  # fmt: skip
def test_refused(capsys: pytest.CaptureFixture[str], words: list[str], text: str) -> None:
    assert printed(capsys, *words) == (2, "", f"headwater: {text}\n")


def test_core_of_one_direction_refuses_the_other() -> None:
    made = engine(MOSQUITO, direction="encrypt")
    with pytest.raises(InputError, match="option direction of mosquito must be both or decrypt"):
        made.process([message(8, decrypts=True)])


def test_no_keystream_and_no_associated_data() -> None:
    with pytest.raises(InputError, match=NO_KEYSTREAM):
        Keystream(MOSQUITO, key=KEY, iv=IV)
    with pytest.raises(InputError, match="data of mosquito must be empty, not 1 bytes"):
        process(MOSQUITO, Message(KEY, IV, b"a", b"", 0))


BROKEN = {
    "a51", "e0", "phelix", "zkcrypt", "achterbahn", "achterbahn-v1-reduced", "achterbahn80",
    "achterbahn128", "mosquito", "moustique",
}  # fmt: skip
"""Ciphers with that status; later ones may be added to it."""


def test_some_ciphers_are_broken() -> None:
    found = {name for name, cipher in CATALOGUE.items() if cipher.broken}
    assert found >= BROKEN
    assert not found & {"trivium", "grain_v1", "grain128aeadv2", "zuc", "snow3g", "chacha20"}


@pytest.mark.parametrize("name", CATALOGUE)
def test_generate_says_once_that_a_cipher_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object, name: str
) -> None:
    monkeypatch.setattr(api_core, "generate", lambda *_: Verilog("core", "", ()))
    status, out, err = printed(capsys, "generate", name, "-o", str(tmp_path))
    assert (status, out) == (0, f"{tmp_path}/core.v\n")
    cipher = CATALOGUE[name]
    assert err == (f"headwater: {name} is {cipher.security}\n" if cipher.broken else "")
    assert ("broken" in err or "not for use" in err) == cipher.broken


# --- broken ones


def other_cells(change: dict[int, dict[str, object]]) -> SelfSynchronisingCipher:
    cells = (replace(cell, **change.get(cell.address, {})) for cell in MOSQUITO.cells)
    return replace(MOSQUITO, cells=tuple(cells))


def test_vectors_find_each_wrong_cell() -> None:
    """Each cell in turn reads something else, so that there is none that no vector needs."""
    few = replace(FILES["mosquito"], vectors=FILES["mosquito"].vectors[64:68])
    for cell in list(_keyed())[::9]:
        wrong = other_cells({cell.address: {"reads": (cell.reads[0], *cell.reads[:0:-1])}})
        assert check_vectors(few, ModelEngine(wrong)).failed, cell.name
    assert not check_vectors(few, ModelEngine(other_cells({}))).failed


def _keyed() -> Iterator[Cell]:
    return (cell for cell in MOSQUITO.cells if len(cell.reads) > 2 and cell.key is not None)


@pytest.mark.parametrize(
    ("signal", "value"),
    [
        ("word", r"hold"),
        ("ciphertext", r"(\1) ^ decrypt"),
        ("data_out__payload", r"(\1) ^ data_in__keep"),
    ],
)
def test_vectors_find_a_broken_core(signal: str, value: str) -> None:
    made = engine(MOSQUITO)
    made.verilog = replace(made.verilog, text=with_value(made.verilog.text, signal, value))
    vectors = replace(FILES["mosquito"], vectors=FILES["mosquito"].vectors[64:68])
    assert check_vectors(vectors, made, architecture(MOSQUITO)).failed


def test_core_has_no_way_out_for_the_key() -> None:
    """No output is made of the key, or of anything but the text and registers of keystream."""
    core = generate(MOSQUITO, architecture(MOSQUITO)).text
    assigned = dict(re.findall(r"(?:assign|wire(?: \[\d+:0\])?) (\w+) =\s+([^;]*);", core))
    reached, new = set(), {name for name in assigned if name.startswith(("data_", "load_"))}
    while new:
        reached |= new
        new = {name for target in new for name in re.findall(r"[a-z]\w*", assigned.get(target, ""))}
        new -= reached
    registers = set(registers_of(core))
    assert reached & registers == {"hold", "line", "loading", "step"}
