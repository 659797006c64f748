# amaranth: UnusedElaboratable=no
# SPDX-License-Identifier: Apache-2.0
"""Vector files, lint and proofs, and that each of them finds what is wrong."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amaranth.back import rtlil
from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal

from headwater.algebra.bitstring import to_bytes
from headwater.cipher.cases import ForgedVector, KeystreamVector
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.errors import InputError, ToolError
from headwater.flow import abc, sat
from headwater.flow.abc import Question, ask
from headwater.flow.folders import private_folder
from headwater.flow.trace import read_trace
from headwater.kinds.registry import facts_of
from headwater.kinds.vest.description import VestAead
from headwater.prove.checker import first_cycle
from headwater.verify import check
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.record import Record
from headwater.verify.segments import Segment
from headwater.verify.vector_files import VectorFile, own_files, read_file

# --- vector files

ENTRY = {
    "id": "one",
    "key": "80000000000000000000",
    "iv": "00000000000000000000",
    "key_bits": 80,
    "iv_bits": 80,
    "offset_bits": 0,
    "keystream": "38eb86ff730d7a9caf8df13a4420540d",
    "keystream_bits": 128,
}
MAY_BE_LEFT_OUT = ("id", "key_bits", "offset_bits", "keystream_bits")
CONTENT = {"cipher": "trivium", "kind": "keystream", "bit_order": "lsb_first", "vectors": [ENTRY]}


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "file.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def changed(**entry: object) -> dict[str, Any]:
    """The file with something else in its only vector."""
    return CONTENT | {"vectors": [ENTRY | entry]}


def without(content: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != field}


def test_file_that_is_right(tmp_path: Path) -> None:
    file = read_file(written(tmp_path, CONTENT), TRIVIUM)
    assert file.name == "file.json"
    assert file.cipher is TRIVIUM
    assert file.skipped == {}
    (vector,) = file.vectors
    assert vector.name == "one"
    assert vector.key == bytes.fromhex(ENTRY["key"])
    assert (vector.iv, vector.iv_bits) == (bytes(10), 80)
    assert (vector.offset, vector.bits) == (0, 128)
    assert vector.keystream.hex() == ENTRY["keystream"]


def no_number(what: str, least: int, given: object) -> str:
    return (
        f"{what} of vector 'one' of PATH must be a whole number of at least {least}, not {given!r}"
    )


WRONG_FORM = "vector file PATH is not of the vector format: "
NOT_HEX = "vector 'one' of PATH must hold hexadecimal bytes"
NOT_QUOTED = "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
NOT_A_KIND = "kind of vectors for trivium must be one of keystream, seeded-keystream, not "
NO_MAPPING = "list indices must be integers or slices, not str"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", f"vector file PATH must be JSON: {NOT_QUOTED}"),
        (
            "",
            (
                "vector file PATH must be of one of the formats headwater, acvp, wycheproof, "
                "estream, rsp, kat, hash-kat, named, but begins like none"
            ),
        ),
        (
            CONTENT | {"cipher": "grain_v1"},
            "vector file PATH must be of cipher trivium, not 'grain_v1'",
        ),
        (CONTENT | {"kind": "mac"}, f"{NOT_A_KIND}'mac'"),
        (
            CONTENT | {"kind": "keystraem"},
            f"{NOT_A_KIND}'keystraem' (did you mean 'keystream'?)",
        ),
        (
            CONTENT | {"bit_order": "msb_first"},
            "bit order of vector file PATH must be lsb_first, not 'msb_first'",
        ),
        (changed(key="8000000000000000000g"), NOT_HEX),
        (changed(iv="0"), NOT_HEX),
        (changed(keystream="38eb86ff 7x"), NOT_HEX),
        (
            changed(keystream="38eb"),
            "vector 'one' of PATH must have 128 keystream bits, not 2 bytes",
        ),
        (
            changed(keystream_bits=129),
            "vector 'one' of PATH must have 129 keystream bits, not 16 bytes",
        ),
        (
            changed(keystream_bits=120),
            "vector 'one' of PATH must have 120 keystream bits, not 16 bytes",
        ),
        (changed(keystream_bits=-1), no_number("keystream_bits", 0, -1)),
        (changed(keystream_bits="128"), no_number("keystream_bits", 0, "128")),
        (changed(offset_bits=-1), no_number("offset_bits", 0, -1)),
        (changed(offset_bits=8.0), no_number("offset_bits", 0, 8.0)),
        (changed(offset_bits=True), no_number("offset_bits", 0, True)),
        ([], f"{WRONG_FORM}{NO_MAPPING}"),
        (changed(key=5), f"{WRONG_FORM}fromhex() argument must be str, not int"),
        (
            CONTENT | {"vectors": 7},
            f"{WRONG_FORM}'int' object is not iterable",
        ),
        *[
            (without(CONTENT, field), f"vector file PATH must have '{field}', but has none")
            for field in CONTENT
        ],
        *[
            (
                CONTENT | {"vectors": [without(ENTRY, field)]},
                f"vector 'one' of PATH must have '{field}', but has none",
            )
            for field in ENTRY
            if field not in MAY_BE_LEFT_OUT
        ],
        (
            CONTENT | {"vectors": [{}]},
            "vector '1' of PATH must have 'key', but has none",
        ),
    ],
)
def test_file_that_is_wrong(tmp_path: Path, content: object, message: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match=f"^{re.escape(message.replace('PATH', str(path)))}$"):
        read_file(path, TRIVIUM)


@pytest.mark.parametrize("field", MAY_BE_LEFT_OUT)
def test_what_follows_from_the_rest_may_be_left_out(tmp_path: Path, field: str) -> None:
    """Lengths of whole bytes, a name, and an offset of nothing."""
    plain = ENTRY | {"offset_bits": 0}
    path = written(tmp_path, CONTENT | {"vectors": [plain, without(plain, field)]})
    whole, short = read_file(path, TRIVIUM).vectors
    assert isinstance(whole, KeystreamVector)
    assert isinstance(short, KeystreamVector)
    assert replace(short, name=whole.name) == whole
    assert short.name == ("2" if field == "id" else whole.name)


def test_an_empty_keystream_is_no_vector(tmp_path: Path) -> None:
    entry = without(ENTRY, "keystream_bits") | {"keystream": ""}
    path = written(tmp_path, CONTENT | {"vectors": [entry]})
    with pytest.raises(InputError, match=r"must be a whole number of at least 1, not 0$"):
        read_file(path, TRIVIUM)


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    message = f"vector file {path} cannot be read: No such file or directory"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_file(path, TRIVIUM)


def test_folder_in_place_of_a_file(tmp_path: Path) -> None:
    message = f"vector file {tmp_path} cannot be read: Is a directory"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_file(tmp_path, TRIVIUM)


def test_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(b"\xff\xfe{}")
    message = f"vector file {path}, line 1: must be UTF-8, but byte 0 is not"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_file(path, TRIVIUM)


def test_variants_of_other_ciphers_are_skipped_with_their_reason(tmp_path: Path) -> None:
    others = [
        ENTRY | {"id": "long key", "key_bits": 128},
        ENTRY | {"id": "long iv", "iv_bits": 96},
        ENTRY | {"id": "longer iv", "iv_bits": 128},
        ENTRY | {"id": "also long iv", "iv_bits": 96},
    ]
    file = read_file(written(tmp_path, CONTENT | {"vectors": [*others, ENTRY]}), TRIVIUM)
    assert [vector.name for vector in file.vectors] == ["one"]
    assert file.skipped == {
        "long key": "128-bit key",
        "long iv": "96-bit IV",
        "longer iv": "128-bit IV",
        "also long iv": "96-bit IV",
    }

    record = check_vectors(file, ModelEngine(TRIVIUM))
    assert (record.passed, record.failed, record.skipped) == (1, 0, 4)
    assert record.skip_reasons == {"128-bit key": 1, "96-bit IV": 2, "128-bit IV": 1}


# --- vectors that do not match


def engine_of(name: str) -> ModelEngine | RtlEngine:
    if name == "model":
        return ModelEngine(TRIVIUM)
    return RtlEngine(TRIVIUM, Architecture.choose(TRIVIUM, radix=64))


@pytest.mark.parametrize("name", ["model", "rtl"])
@pytest.mark.parametrize("byte", [0, 1, 15])
def test_corrupted_vector_fails_by_its_id(tmp_path: Path, name: str, byte: int) -> None:
    right = bytes.fromhex(ENTRY["keystream"])
    wrong = bytearray(right)
    wrong[byte] ^= 0x40
    bad = ENTRY | {"id": "two", "keystream": wrong.hex()}
    file = read_file(written(tmp_path, CONTENT | {"vectors": [ENTRY, bad]}), TRIVIUM)

    record = check_vectors(file, engine_of(name))

    assert (record.check, record.engine, record.file) == ("vectors", name, "file.json")
    assert (record.passed, record.failed, record.skipped) == (1, 1, 0)
    assert record.failures == (
        f"two: byte {byte} of the keystream must be {wrong[byte]:02x}, not {right[byte]:02x}",
    )


@pytest.mark.parametrize("name", ["model", "rtl"])
@pytest.mark.parametrize(
    "entry",
    [
        {"key": "80000000000000000001"},
        {"iv": "00000000000000000080"},
        {"offset_bits": 1},
        {"keystream": ENTRY["keystream"][:-2] + "8d"},
    ],
    ids=lambda entry: next(iter(entry)),
)
def test_vector_with_something_else_fails(tmp_path: Path, name: str, entry: Any) -> None:
    record = check_vectors(read_file(written(tmp_path, changed(**entry)), TRIVIUM), engine_of(name))
    assert (record.passed, record.failed) == (0, 1)
    assert record.failures[0].startswith("one: byte ")


@pytest.mark.parametrize("name", ["model", "rtl"])
def test_engines_give_any_segments_in_the_order_asked_for(name: str) -> None:
    key, other, iv = bytes(range(10)), bytes(range(10, 20)), bytes(10)
    cuts = [(0, 64), (700, 13), (1, 1), (5, 200), (64, 64), (699, 3), (0, 64), (63, 2), (1500, 8)]
    segments = [Segment(secret, iv, *cut) for cut in cuts for secret in (key, other)]
    one_by_one = [ModelEngine(TRIVIUM).run([segment])[0] for segment in segments]
    assert engine_of(name).run(segments) == one_by_one
    assert len(set(one_by_one)) > len(segments) // 2


# --- records


def test_record_as_plain_data() -> None:
    architecture = Architecture.choose(TRIVIUM, radix=8, load_width=7, options={"stall": "none"})
    record = Record("lint", "verilator", architecture=architecture, failures=("a", "b"))
    assert record.as_json("trivium") == {
        "cipher": "trivium",
        "check": "lint",
        "engine": "verilator",
        "file": None,
        "radix": 8,
        "load_width": 7,
        "options": {"stall": "none", "clear": "shift", "form": "fibonacci"},
        "passed": 0,
        "failed": 2,
        "skipped": 0,
        "failures": ["a", "b"],
        "skip_reasons": {},
        "method": None,
    }


def test_record_of_the_model_has_no_architecture() -> None:
    data = Record("vectors", "model", file="x.json", passed=3, skip_reasons={"why": 2}).as_json("y")
    assert (data["radix"], data["load_width"], data["options"]) == (None, None, None)
    assert (data["passed"], data["failed"], data["skipped"]) == (3, 0, 2)


# --- lint


def test_lint_of_verilog_with_a_fault_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(cipher: Cipher, architecture: Architecture) -> Any:
        made = generate(cipher, architecture)
        return replace(made, text=made.text.replace("wire [63:0] t1 =", "wire [64:0] t1 ="))

    generate = check.generate
    monkeypatch.setattr(check, "generate", faulty)
    record = check_lint(TRIVIUM, Architecture.choose(TRIVIUM, radix=64))
    assert record.passed == 0
    assert record.failed >= 1
    assert all(line.startswith("%Warning-") for line in record.failures)


# --- the solver


@pytest.mark.parametrize(
    "log",
    [
        "some\nlog",
        "No output asserted in 3 frames. Resource limit reached",
        'Output 0 of miter "asserted" was asserted in frame 6.',
    ],
    ids=["none", "fewer cycles", "one of two"],
)
def test_solver_without_an_answer_is_no_proof(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abc, "run_tool", lambda *_, **__: f"{log}\n")
    message = f"the SAT solver came to no answer:\n{log}"
    questions = [Question("a.aig", 7, runs=True), Question("a.aig", 7)]
    with private_folder() as folder, pytest.raises(ToolError, match=f"^{re.escape(message)}$"):
        ask(folder, questions)


def test_the_solver_is_asked_again_with_merged_logic(monkeypatch: pytest.MonkeyPatch) -> None:
    gave_up = "No output asserted in 1 frames. Resource limit reached (conf limit 200000)."
    logs = [f"{gave_up}\nNo output asserted in 2 frames.\n", "UNSATISFIABLE\n"]
    scripts = []

    def run_tool(command: list[str], **_: object) -> str:
        scripts.append(command[-1])
        return logs[len(scripts) - 1]

    monkeypatch.setattr(abc, "run_tool", run_tool)
    with private_folder() as folder:
        assert ask(folder, [Question("a.aig", 2), Question("b.aig", 2)]) == [False, False]
        assert [script.count("read_aiger") for script in scripts] == [2, 1]
        assert scripts[1].startswith("read_aiger a.aig; fold -s; frames -i -F 2; &get; &fraig")
        scripts.clear()
        with pytest.raises(ToolError, match=r"^the SAT solver came to no answer"):
            ask(folder, [Question("a.aig", 3), Question("b.aig", 2)])


@pytest.mark.parametrize("wrong", [False, True])
def test_a_question_that_the_solver_gives_up_is_answered(
    wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two products of registers, the other way round; a wrong one is seen in a run."""
    logs = []

    def run_tool(command: list[str], **options: Any) -> str:
        logs.append(abc_run_tool(command, **options))
        return logs[-1]

    abc_run_tool = abc.run_tool
    monkeypatch.setattr(abc, "run_tool", run_tool)
    monkeypatch.setattr(abc, "_CONFLICTS", 1)
    m, first = Module(), Signal(3, name="first")
    one, other = Signal(4, name="a"), Signal(4, name="b")
    product, again = Signal(8, name="c"), Signal(8, name="d")
    m.d.sync += [one.eq(first), other.eq(first + one), product.eq(one * other)]
    m.d.sync += again.eq(Mux(wrong & (one == 11) & (other == 13), 5, other * one))
    m.d.comb += Assert((product == again) | first_cycle(m))
    text = rtlil.convert(m, name="spec", ports=[first], platform="formal")
    with private_folder() as folder:
        (answer,) = sat.answers([sat.Check(text, 2)], folder)
        assert answer.verdict is (sat.Verdict.FAILS if wrong else sat.Verdict.HOLDS)
        if wrong:
            trace = read_trace(folder / "witness0", folder / "asserted0.names")
            assert [len(cycle) > 0 for cycle in trace] == [True, True]
            values = {name: value for name, value in trace[0].items() if value in (11, 13)}
            assert set(values.values()) == {11, 13}
    assert "Resource limit reached (conf" in logs[0]
    assert "SATISFIABLE" in logs[1]


def solved(m: Module, *ports: Signal, cycles: int, by_induction: bool = False) -> bool:
    text = rtlil.convert(m, name="spec", ports=ports, platform="formal")
    with private_folder() as folder:
        return sat.holds(sat.Check(text, cycles, by_induction), folder)


def test_registers_of_the_same_value_begin_apart() -> None:
    port, one, other = (Signal(name=name) for name in ("port", "one", "other"))
    for given in (False, True):
        m = Module()
        m.d.sync += [one.eq(port), other.eq(port)]
        m.d.comb += Assert((one == other) | (first_cycle(m) if given else 0))
        assert solved(m, port, cycles=2) is given


@pytest.mark.parametrize("by_induction", [False, True])
@pytest.mark.parametrize("value", [0, 1])
def test_assertion_may_be_constant(value: int, by_induction: bool) -> None:
    m, one, other = Module(), Signal(), Signal()
    m.d.comb += [Assume(one ^ other), Assert(Const(value, 1))]
    assert solved(m, one, other, cycles=2, by_induction=by_induction) is bool(value)


@pytest.mark.parametrize(
    ("after", "wrong", "method"),
    [
        ([1, 2, 3, 4, 0, 5, 6, 7], {5}, "induction from 1 cycle"),
        ([1, 2, 3, 4, 0, 7, 5, 7], {6, 7}, "induction from 2 cycles"),
        ([1, 2, 0, 4, 5, 6, 7, 7], {7}, "an invariant found by PDR"),
        ([1, 0, 3, 4, 5, 6, 7, 7], {0}, ""),
        ([1, 2, 3, 4, 5, 6, 7, 7], {7}, ""),
    ],
    ids=["one cycle", "two cycles", "more cycles", "broken", "broken late"],
)
def test_a_property_is_proven_where_no_run_comes_to_a_wrong_state(
    after: list[int], wrong: set[int], method: str
) -> None:
    """Runs begin with a reset to zero. States that no run reaches count in a step of an induction;
    where it has no end, the solver finds an invariant that tells them apart."""
    m, state = Module(), Signal(3)
    first = first_cycle(m)
    m.d.sync += state.eq(Array(after)[state])
    m.d.comb += Assume(~first | ResetSignal())
    m.d.comb += [Assert(first | (state != value)) for value in wrong]
    text = rtlil.convert(m, name="spec", ports=[], platform="formal")
    with private_folder() as folder:
        (answer,) = sat.answers([sat.Check(text, 2, by_induction=True)], folder)
    if method:
        assert answer == sat.Answer(sat.Verdict.HOLDS, method)
    else:
        assert answer.verdict is sat.Verdict.FAILS


def test_a_search_without_an_end_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a sequence of period 2^40 is after 2^24 steps no search finds in a second."""
    monkeypatch.setattr(sat, "_SEARCH_S", 1)
    m, one, other = Module(), Signal(40), Signal(40)
    first = first_cycle(m)
    m.d.sync += [one.eq(one + 1), other.eq(5 * other + 1)]
    m.d.comb += [Assume(~first | ResetSignal()), Assert(first | (one != 1 << 24) | ~other[30])]
    with pytest.raises(ToolError, match=r"^neither induction nor a search for an invariant came"):
        solved(m, cycles=1, by_induction=True)


@pytest.mark.parametrize(("width", "entries"), [(8, 16), (1, 16), (5, 16), (4, 11)])
def test_solver_reads_tables(width: int, entries: int) -> None:
    """Each word is the one that is written there, in words of any width; beyond the end is zero."""
    words = [(7 * entry + 3) % (1 << width) for entry in range(entries)]
    right = words + [0] * (16 - entries)
    assert _reads(words, right, width)
    for place in (0, 6, 15):
        assert not _reads(words, [*right[:place], right[place] ^ 1, *right[place + 1 :]], width)


def _reads(words: list[int], expected: list[int], width: int) -> bool:
    """Whether the words of a table are the expected ones at every index."""
    m = Module()
    index = Signal(4)
    table = Cat(Const(word, width) for word in words)
    with m.Switch(index):
        for place, word in enumerate(expected):
            with m.Case(place):
                m.d.comb += Assert(table.word_select(index, width) == word)
    return solved(m, index, cycles=1)


@pytest.mark.parametrize("value", [0, 1])
def test_register_that_never_changes_begins_with_anything(value: int) -> None:
    m = Module()
    register, port = Signal(name="any_register"), Signal()
    m.d.sync += register.eq(register)
    m.d.comb += Assert((register ^ port) | (port ^ value))
    text = rtlil.convert(m, name="spec", ports=[port], platform="formal")
    with private_folder() as folder:
        assert not sat.holds(sat.Check(text, 1), folder)


# --- the rule of the catalogue: what every cipher in it must have

EVERY_CIPHER = pytest.mark.parametrize("cipher", CATALOGUE.values(), ids=CATALOGUE)


def some_architectures(cipher: Cipher) -> list[Architecture]:
    legal = cipher.legal_radices()
    radices = sorted({8, cipher.natural_radix, cipher.natural_radix + 1, legal[-1]} & set(legal))
    return [Architecture.choose(cipher, radix=radix) for radix in radices]


def some_vectors(file: VectorFile) -> VectorFile:
    """Every vector runs in the tests of the model; here the shortest streams, or a hundred of the
    messages."""
    if all(isinstance(vector, KeystreamVector) for vector in file.vectors):
        shortest = sorted(file.vectors, key=lambda vector: vector.offset + vector.bits)
        return replace(file, vectors=tuple(shortest[:24]))
    return replace(file, vectors=file.vectors[:: -(-len(file.vectors) // 100)])


@EVERY_CIPHER
def test_every_cipher_has_vectors_that_pass(cipher: Cipher) -> None:
    files = own_files(cipher)
    assert files, f"{cipher.name} has no vector file"
    for path in files:
        file = some_vectors(read_file(path, cipher))
        record = check_vectors(file, ModelEngine(file.cipher))
        assert record.failures == ()
        # Half of the messages of an authenticated VEST have a longer key, and run elsewhere. These
        # files have fewer vectors, or fewer of the variant that the catalogue names.
        few = {
            "mac5g": 19,
            "aes_ctr": 9,
            "hchacha20": 9,
            "zuc256_mac_iv25": 15,
            "chacha_djb": 18,
            "xchacha20": 18,
            "gea3": 11,
        }
        least = 5 if isinstance(cipher, VestAead) else few.get(path.stem, 20)
        assert record.passed >= least


@EVERY_CIPHER
def test_every_cipher_has_vectors_for_its_iv_lengths(cipher: Cipher) -> None:
    """For each of a few lengths; of many, for the shortest, the longest and some between."""
    vectors = read_file(own_files(cipher)[0], cipher).vectors
    # What must be rejected may have a nonce of any length.
    right = (vector for vector in vectors if not isinstance(vector, ForgedVector))
    lengths = {vector.iv_bits for vector in right}
    if cipher.call_fields:  # Theirs are given in whole bytes.
        assert lengths == {-(-bits // 8) * 8 for bits in cipher.iv_bits}
    elif isinstance(cipher, VestAead):
        assert len(lengths) > 1
        assert lengths <= set(cipher.iv_bits)
    elif len(cipher.iv_bits) < 10:
        assert lengths == set(cipher.iv_bits)
    else:
        assert {cipher.iv_bits[0], cipher.iv_bits[-1]} < lengths <= set(cipher.iv_bits)
        odd = any(bits % 8 for bits in cipher.iv_bits)
        assert any(bits % 8 for bits in lengths) == odd


@EVERY_CIPHER
def test_every_cipher_passes_lint(cipher: Cipher) -> None:
    """Of each cipher one core; all options are linted where Verilog is tested."""
    record = check_lint(cipher, some_architectures(cipher)[0])
    assert record.failures == ()
    assert record.passed == 1


@EVERY_CIPHER
def test_every_cipher_meets_its_setup_formula(cipher: Cipher) -> None:
    key = bytes(cipher.key_bits // 8)
    for architecture in some_architectures(cipher)[:2]:
        engine = RtlEngine(cipher, architecture)
        facts = facts_of(cipher, architecture)
        iv = to_bytes(1, facts.stated_iv_bits, cipher.input_order or cipher.bit_order)
        assert engine.setup_cycles(key, iv) == facts.setup_cycles


def test_vectors_are_found_by_the_cipher_alone() -> None:
    assert [path.name for path in own_files(TRIVIUM)] == ["trivium.json"]
    nameless = copy.copy(TRIVIUM)
    object.__setattr__(nameless, "name", "no_such_cipher")
    assert own_files(nameless) == []
