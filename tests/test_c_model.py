# SPDX-License-Identifier: Apache-2.0
"""The generated C is every cipher, compiles without a warning, and has no undefined behaviour."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from c_sessions import (
    ONE_OF_EACH_KIND,
    architecture_of,
    begun,
    check,
    check_several,
    random_message,
)

from headwater.cipher.cases import MessageVector, TagVector
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import HASHES, MACS, Cipher
from headwater.cipher.message import Message, Sealed
from headwater.core.architecture import Architecture
from headwater.emit.c_model import CModel, c_model, c_radix
from headwater.emit.c_statements import local
from headwater.errors import InputError
from headwater.flow.process import run_tool
from headwater.interface.length_header import has_length_header
from headwater.kinds.reading import Keystream, process
from headwater.verify import c_engine, c_session
from headwater.verify.c_engine import CEngine
from headwater.verify.c_session import CLibrary, CSession
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.segments import Segment
from headwater.verify.vector_files import VectorFile, own_files, read_variants

WARNINGS = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-fsyntax-only")
SMALL = (
    ("gcc", "-ffreestanding"),
    ("riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-ffreestanding"),
)
ARCHITECTURES = (
    ("trivium", 7, {}),
    ("trivium", 100, {}),
    ("trivium", 64, {"stall": "none"}),
    ("trivium", 8, {"form": "galois", "clear": "instant"}),
    ("grain128aead", 8, {"stall": "none", "direction": "decrypt"}),
    ("grain128aead", 1, {}),
    ("grain128aead", 2, {}),
    ("grain128aead", 64, {"authenticator": "ahead"}),
    ("grain128aead", 16, {"form": "galois"}),
    ("grain128a-ae", 16, {"authenticator": "direct"}),
    ("mickey2", 3, {}),
    ("zuc", 32, {"sbox": "table"}),
    ("chacha20", 512, {"stall": "none"}),
    ("aes_ofb", 128, {}),
    ("aes_ofb", 32, {"sbox": "table"}),
    ("aes_ctr", 32, {"sbox": "table"}),
)
"""Words of odd widths and of several limbs, cores that never wait, tables, one direction."""


@pytest.mark.parametrize("name", CATALOGUE)
def test_published_vectors(name: str) -> None:
    """In pieces and, with a tag, at once; at the default radix, whose circuit is the smallest."""
    assert passing(files_of(name), CATALOGUE[name]) > 0


@pytest.mark.parametrize("name", ["salsa20", "vest4"])
def test_published_vectors_of_a_variant(name: str) -> None:
    files = files_of(name)
    assert files[-1].cipher != CATALOGUE[name]
    assert passing(files, files[-1].cipher) > 0


def files_of(name: str) -> list[VectorFile]:
    """Its vector files, one for each variant."""
    cipher = CATALOGUE[name]
    files = (file for path in own_files(cipher) for file in read_variants(path, cipher, {}))
    return [file for file in files if file.cipher.name == name]


def passing(files: list[VectorFile], cipher: Cipher) -> int:
    """Number of vectors that passed; none failed."""
    architecture = Architecture.choose(cipher)
    # The circuits of wide ciphers take a compiler that optimises longer than all else.
    engine = CEngine(cipher, architecture, ("-std=c99", "-O0"))
    records = [check_vectors(file, engine, architecture) for file in files if file.cipher == cipher]
    assert [record.failures for record in records if record.failures] == []
    if cipher.tag_lengths:
        check_whole_messages(engine.library, cipher, files)
    return sum(record.passed for record in records)


def check_whole_messages(library: CLibrary, cipher: Cipher, files: list[VectorFile]) -> None:
    """Vectors sealed and opened, or authenticated, by one call each; a wrong tag is refused."""
    vectors = [one for file in files if file.cipher == cipher for one in file.vectors]
    messages = [
        one.encrypting if isinstance(one, MessageVector) else one.message
        for one in vectors
        if isinstance(one, (MessageVector, TagVector))
    ]
    assert messages
    for message in messages:
        check_whole_message(library, cipher, message, process(cipher, message))


def check_whole_message(library: CLibrary, cipher: Cipher, message: Message, made: Sealed) -> None:
    given = {
        "key": message.key,
        "key_bytes": len(message.key),
        "iv": message.nonce,
        "iv_bits": 8 * len(message.nonce),
        "tag_bits": message.tag_bits or 8 * len(made.tag),
    }
    data = message.associated_data
    units = ctypes.c_size_t(message.associated_bits // cipher.data_unit)
    before = (data, units) if cipher.takes_associated_data else ()
    bits, tag = ctypes.c_size_t(message.bits), ctypes.create_string_buffer(len(made.tag))
    if cipher.service in MACS:
        verb = "hash" if cipher.service in HASHES else "mac"
        assert library.whole(verb, *before, message.text, bits, tag, **given) == 0
        assert tag.raw == made.tag
        return
    text = ctypes.create_string_buffer(len(message.text))
    assert library.whole("seal", *before, text, message.text, bits, tag, **given) == 0
    assert (text.raw, tag.raw) == (made.text, made.tag)
    assert library.whole("open", *before, text, made.text, bits, made.tag, **given) == 0
    assert text.raw == message.text
    wrong = bytes([made.tag[0] ^ 1, *made.tag[1:]])
    assert library.whole("open", *before, text, made.text, bits, wrong, **given) == -1
    assert text.raw == bytes(len(message.text))


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_lengths_in_bits_and_odd_pieces(name: str) -> None:
    check(CATALOGUE[name], architecture_of(CATALOGUE[name]))


@pytest.mark.parametrize("name", ["salsa20", "chacha20", "aes_ofb", "aes_ctr", "zuc"])
def test_cycles_make_the_keystream_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that do not run the core, or run it at first only, do so when asked."""
    made = partial(c_model, by_cycles=True)
    monkeypatch.setattr(c_engine, "c_model", made)
    assert made(CATALOGUE[name], Architecture.choose(CATALOGUE[name])) != library_of(name).model
    assert passing(files_of(name)[:1], CATALOGUE[name]) > 0


@pytest.mark.parametrize(
    "name", ["zuc", "snow2", "snow3g", "snow_v", "snow5g", "kcipher2", "kasumi"]
)
def test_words_with_tables(name: str) -> None:
    """All vectors; an entry of a table moves to the top of a word without loss."""
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=c_radix(cipher), options={"sbox": "table"})
    (file,) = [one for one in files_of(name) if one.cipher == cipher]
    engine = CEngine(cipher, architecture)
    assert "_table_0[" in engine.library.model.source
    record = check_vectors(file, engine, architecture)
    assert (record.passed, record.failures) == (len(file.vectors), ())


def test_aes_with_tables() -> None:
    """Pieces of odd lengths; the two ways of rounds have no line in common."""
    cipher = CATALOGUE["aes_ofb"]
    architecture = Architecture.choose(cipher, radix=32, options={"sbox": "table"})
    check(cipher, architecture)
    assert "_table_0[256]" in c_model(cipher, architecture).source
    assert "_substitute" not in c_model(cipher, architecture).source


@pytest.mark.parametrize("sbox", ["algebraic", "table"])
@pytest.mark.parametrize("name", ["aes_ctr", "aes_ofb_192_256"])
def test_aes_of_every_key_and_count(name: str, sbox: str) -> None:
    """Round keys of all lengths; counters that go round and carry; the last bits of a batch."""
    files = files_of(name)
    assert len(files) > 1
    for file in files:
        architecture = Architecture.choose(file.cipher, radix=32, options={"sbox": sbox})
        engine = CEngine(file.cipher, architecture, ("-std=c99", "-O1"))
        assert "_turn(" in engine.library.model.source or sbox == "table"
        record = check_vectors(file, engine, architecture)
        assert (record.passed, record.failures) == (len(file.vectors), ())
        check(file.cipher, architecture)


@pytest.mark.parametrize("counted", [7, 32, 96])
@pytest.mark.parametrize("sbox", ["algebraic", "table"])
def test_a_counter_goes_round(counted: int, sbox: str) -> None:
    """The counted bits alone, in both halves of a block; passed over and read."""
    cipher = replace(CATALOGUE["aes_ctr"], counted_bits=counted, legal_counts=(counted,))
    architecture = Architecture.choose(cipher, radix=32, options={"sbox": sbox})
    given = {"key": bytes(range(16)), "iv": b"\xff" * 15 + b"\xfd"}
    session = CLibrary(c_model(cipher, architecture)).begin(**given)
    model = Keystream(cipher, **given)
    assert session is not None
    assert session.keystream(500) == model.read(4000)
    for passed in (3, 128 * 100, (1 << 40) + 77):
        session.skip(passed)
        model.skip(passed)
        assert session.keystream(40) == model.read(320)


@pytest.mark.parametrize("name", ["aes_ofb", "a51", "e0", "espresso", "grain_v1", "mickey2"])
def test_several_sessions_at_once(name: str) -> None:
    """As one at a time: some in the middle of a block, more than fit side by side, few, none."""
    library, cipher = library_of(name), CATALOGUE[name]
    for given in ((1, 0, 100), (37, 0, 50), (131, 3, 33), (200, 128, 16), (0, 0, 16)):
        check_several(library, cipher, *given)


def test_sessions_side_by_side_where_it_pays() -> None:
    """A step of 64 bits is quicker alone."""
    names = ("a51", "grain_v1", "grain128a", "trivium", "zuc")
    found = [name for name in names if "_keystreams(" in library_of(name).model.header]
    assert found == ["a51", "grain_v1", "grain128a"]


@pytest.mark.parametrize(("name", "parallel", "lanes"), [("aes_ofb", 16, 4), ("a51", 256, 4)])
def test_so_many_sessions_side_by_side(name: str, parallel: int, lanes: int) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=c_radix(cipher))
    library = CLibrary(c_model(cipher, architecture, parallel=parallel))
    assert f"_LANES {lanes}\n" in library.model.source
    check_several(library, cipher, parallel + 3, 0, 40)


@pytest.mark.parametrize(
    ("name", "parallel", "what"),
    [
        ("aes_ofb", 5, "must be 4, 8, 16, 32 or 64 for aes_ofb at radix 32, .*, not 5"),
        ("a51", 0, "must be 64, 128, 256, 512 or 1024 for a51 at radix 1, .*, not 0"),
        ("trivium", 64, "must be left out for trivium at .* no function for several .*, not 64"),
        ("aes_ctr", 4, "must be left out for aes_ctr at .* no function for several .*, not 4"),
        ("chacha20", 4, "must be left out for chacha20 at .* no function for several .*, not 4"),
    ],
)
def test_numbers_of_sessions_that_a_model_refuses(name: str, parallel: int, what: str) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=c_radix(cipher))
    with pytest.raises(InputError, match=f"^number of sessions side by side {what}$"):
        c_model(cipher, architecture, parallel=parallel)


def test_several_sessions_one_without_a_key() -> None:
    library = library_of("aes_ofb")
    session = library.begin(key=bytes(16), iv=bytes(16))
    assert session is not None
    memory = ctypes.create_string_buffer(session.memory.raw, 2 * library.session_bytes)
    outs = [ctypes.create_string_buffer(b"text", 16) for _ in range(2)]
    places = (ctypes.c_void_p * 2)(*map(ctypes.addressof, outs))
    assert library.call("keystreams", memory, ctypes.c_size_t(2), places, ctypes.c_size_t(16)) == -1
    assert all(out.raw.startswith(b"text") for out in outs)


def test_the_last_block_and_those_behind_it() -> None:
    """A block number of 32 bits goes round; further ones are refused."""
    library, cipher = library_of("chacha20"), CATALOGUE["chacha20"]
    given = {"key": bytes(range(32)), "iv": bytes(12)}
    last = library.begin(**given, block=(1 << 32) - 3)
    model = Keystream(cipher, **given)
    model.skip(512 * ((1 << 32) - 3))
    assert last is not None
    assert last.keystream(1000) == model.read(8000)
    last.skip(512 * 7 + 1)
    model.skip(512 * 7 + 1)
    assert last.keystream(100) == model.read(800)
    assert library.begin(**given, block=1 << 32) is None


def test_sessions_without_tables_have_none() -> None:
    """What is constant in time by default has no place that depends on a secret."""
    for name in ("aes_ofb", "aes_ctr", "zuc", "snow3g", "chacha20"):
        assert "_table_" not in library_of(name).model.source, name


@pytest.mark.parametrize(("name", "radix", "options"), ARCHITECTURES)
def test_other_architectures(name: str, radix: int, options: dict[str, str]) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=radix, options=options)
    (file,) = [
        file
        for path in own_files(cipher)
        for file in read_variants(path, cipher, {})
        if file.cipher == cipher
    ]
    file = replace(file, vectors=file.vectors[:6])
    record = check_vectors(file, CEngine(cipher, architecture), architecture)
    assert record.passed == 6
    assert record.failures == ()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("grain128aead", {}),
        ("grain128aeadv2", {"stall": "none"}),
        ("grain128aead", {"authenticator": "ahead"}),
        ("grain128a-ae", {}),
        ("grain128a-ae", {"authenticator": "direct"}),
    ],
)
def test_long_messages_of_bits_in_turn(name: str, options: dict[str, str]) -> None:
    """They do not run the core for each word, once it has taken one."""
    cipher, rng = CATALOGUE[name], Random(9)
    architecture = Architecture.choose(cipher, radix=32, options=options)
    library = CLibrary(c_model(cipher, architecture))
    assert "_turns(session, " in library.model.source
    for bits in (80, 81, 144, 145, 5003):
        message = random_message(cipher, bits, rng)
        if cipher.takes_associated_data:
            message = replace(message, associated_data=rng.randbytes(bits // 7))
        if cipher.first_iv_bit:
            message = replace(message, nonce=b"\x80" + message.nonce[1:])
        check_whole_message(library, cipher, message, process(cipher, message))


@pytest.mark.parametrize("name", [*ONE_OF_EACH_KIND, "grain_v1", "snow5g", "nia4"])
def test_no_warning_for_64_and_32_bits(name: str, tmp_path: Path) -> None:
    model = written(c_model(CATALOGUE[name], architecture_of(CATALOGUE[name])), tmp_path)
    for compiler in SMALL:
        run_tool([*compiler, *WARNINGS, f"{model.name}.c"], cwd=tmp_path)
    (tmp_path / "user.cpp").write_text(f'#include "{model.name}.h"\n')
    run_tool(["g++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "user.cpp"], cwd=tmp_path)


def test_no_undefined_behaviour() -> None:
    """A library with sanitizers must be loaded by a process that began with them."""
    library = run_tool(["gcc", "-print-file-name=libasan.so"], cwd=Path.cwd()).strip()
    environment = {**os.environ, "LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0"}
    program = Path(__file__).with_name("c_sessions.py")
    names = (
        *ONE_OF_EACH_KIND,
        *(f"{name}:table" for name in ("aes_ctr", "zuc", "snow_v", "snow5g")),
    )
    done = subprocess.run(
        [sys.executable, program, *names],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == list(names), done.stderr


MUTANTS = (
    ("trivium", r"(t1 = .*?) \^ ", r"\1 | "),
    ("trivium", r"(from_c = .*?) & ", r"\1 | "),
    ("trivium", r"(>> )24(\))", r"\g<1>23\2"),
    ("trivium", r"(_words\(.*?t1 = .*?) \^ ", r"\1 | "),
    ("trivium", r"(_words\(.*?from_c = .*?) & ", r"\1 | "),
    ("zuc", r"(_words\(.*? w1 = .*?)\+ ", r"\1- "),
    ("chacha20", r"(_quarter\(.*?)\+ ", r"\1- "),
    ("chacha20", r"(session->block \+) lane", r"\1 2 * lane"),
    ("aes_ofb", r"(_substitute\(.*?) & ", r"\1 | "),
    ("aes_ofb", r"(\(word % 4) == 0", r"\1 == 1"),
    ("aes_ctr", r"(block\[0\] \+= sum) <", r"\1 >"),
    ("aes_ctr", r"(\(block, )1\)", r"\g<1>2)"),
    ("phelix", r"\+ ", "- "),
    ("grain128aead", r"(in\.decrypt = ).*?;", r"\g<1>0;"),
    ("grain128aead", r"(_multiply\(.*?a1 \* b)3", r"\g<1>2"),
    ("grain128aead", r"(_product\(later\) << )1", r"\g<1>2"),
    ("grain128aead", r"(_words\(.*?const uint64_t g = .*?) & ", r"\1 | "),
    ("grain128aead", r"(length\[0\] = )\(uint8_t\)bytes", r"\g<1>0"),
    ("zuc", r"(zuc_r32_cycle.*?)s0_box\(", r"\1s1_box("),
    ("uia2", r"count - 1 - place", "place"),
)
"""Faults in what enters the text, not in the control, which might then wait for ever."""


@pytest.mark.parametrize(("name", "old", "new"), MUTANTS)
def test_a_wrong_operator_is_found(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=c_radix(cipher))
    model = c_model(cipher, architecture)
    broken = replace(model, source=re.sub(old, new, model.source, count=1, flags=re.DOTALL))
    assert broken.source != model.source
    monkeypatch.setattr(c_engine, "c_model", lambda *_: broken)
    file = read_variants(own_files(cipher)[0], cipher, {})[0]
    assert check_vectors(file, CEngine(cipher, architecture), architecture).failures


def test_keystream_is_passed_over_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between them signals are handled, and the count is never too long for a word of C."""
    called: list[int] = []
    monkeypatch.setattr(CLibrary, "call", lambda _self, _name, _memory, bits: called.append(bits))
    session = CSession(library_of("trivium"))
    session.skip(5)
    monkeypatch.setattr(c_session, "SKIPPED_BITS", 1 << 63)
    session.skip((1 << 64) + 3)
    assert [bits.value for bits in called] == [5, 1 << 63, 1 << 63, 3]


def test_parts_that_are_passed_over_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_session, "SKIPPED_BITS", 1001)
    trivium = CATALOGUE["trivium"]
    given = [Segment(bytes(10), bytes(10), offset, 100) for offset in (1000, 1001, 5000)]
    made = CEngine(trivium, Architecture.choose(trivium)).run(given)
    assert made == ModelEngine(trivium).run(given)


def test_what_a_session_refuses() -> None:
    library = library_of("grain128aead")
    message = replace(random_message(CATALOGUE["grain128aead"], 40, Random(1)), decrypts=True)
    session = begun(library, replace(message, associated_data=b""))
    with pytest.raises(ValueError, match="encrypt was refused"):
        session.text("encrypt", message.text, message.bits)
    session.text("decrypt", message.text, message.bits)
    with pytest.raises(ValueError, match="associated_data was refused"):
        session.associated_data(b"late")
    session.tag(64)
    with pytest.raises(ValueError, match="decrypt was refused"):
        session.text("decrypt", message.text, message.bits)
    with pytest.raises(ValueError, match="tag was refused"):
        session.tag(64)
    assert not session.check_tag(bytes(8))


@pytest.mark.parametrize(
    "name",
    [
        "nia6",
        "nca5",
        "grain128a-ae",
        "grain128aead",
        "ascon_aead128",
        "nea6",
        "chacha20",
        "trivium",
    ],
)
def test_a_session_without_a_key_gives_nothing(name: str) -> None:
    library = library_of(name)
    functions = [one for one in library.model.functions if one.name not in library.model.inits]
    assert functions
    memory = CSession(library).memory
    for one in functions:
        given = [
            ctypes.create_string_buffer(b"text" * 8) if kind.endswith("*") else 8
            for kind in one.parameters.values()
        ]
        assert library.call(one.name, memory, *given) == -1, one.name
        assert all(part == 8 or part.raw == b"text" * 8 + b"\0" for part in given)
        assert not any(memory.raw)


def test_lengths_that_a_model_refuses() -> None:
    phelix, trivium = library_of("phelix"), library_of("trivium")
    legal = {"key": bytes(32), "key_bytes": 32, "iv": bytes(16), "tag_bits": 64}
    assert phelix.begin(**legal) is not None
    for wrong in ({"key_bytes": 33}, {"tag_bits": 63}, {"tag_bits": 136}):
        assert phelix.begin(**legal | wrong) is None
    assert trivium.begin(key=bytes(10), iv=bytes(10), iv_bits=40) is None
    session = phelix.begin(**legal)
    assert session is not None
    with pytest.raises(ValueError, match="encrypt was refused"):
        session.text("encrypt", bytes(2), 12)


def test_clear_erases_every_byte() -> None:
    session = library_of("trivium").begin(key=b"k" * 10, iv=b"v" * 10, iv_bits=80)
    assert session is not None
    session.keystream(3)
    assert any(session.memory.raw)
    session.clear()
    assert not any(session.memory.raw)


def test_a_text_may_be_replaced_in_place() -> None:
    library, cipher = library_of("moustique"), CATALOGUE["moustique"]
    message = random_message(cipher, 101, Random(2))
    expected = begun(library, message).text("encrypt", message.text, message.bits)
    session = begun(library, message)
    library.call("encrypt", session.memory, message.text, message.text, message.bits)
    assert message.text == expected


def test_the_file_stands_alone() -> None:
    model = c_model(CATALOGUE["zuc"], Architecture.choose(CATALOGUE["zuc"]))
    included = re.findall(r"#include (.*)", model.header + model.source)
    assert included == ["<stddef.h>", "<stdint.h>", f'"{model.name}.h"']
    assert "malloc" not in model.source
    assert re.findall(r"^static (?!const|unsigned|void|int|uint)", model.source, re.MULTILINE) == []
    assert c_model.__wrapped__(CATALOGUE["zuc"], Architecture.choose(CATALOGUE["zuc"])) == model


def test_the_default_radix() -> None:
    found = {name: c_radix(cipher) for name, cipher in CATALOGUE.items()}
    chosen = ("trivium", "grain_v1", "lizard", "chacha20", "aes_ofb", "phelix", "e0", "mosquito")
    assert [found[name] for name in chosen] == [64, 16, 6, 64, 32, 32, 1, 1]
    assert (found["snow5g"], found["mickey2"]) == (128, 2)


def test_wires_are_not_called_like_words_of_c() -> None:
    assert local("double") == "double_"
    assert local("majority") == "majority"


def test_another_header_is_refused() -> None:
    assert has_length_header(CATALOGUE["grain128aead"])
    assert not has_length_header(CATALOGUE["phelix"])


def library_of(name: str) -> CLibrary:
    cipher = CATALOGUE[name]
    return CLibrary(c_model(cipher, architecture_of(cipher)))


def written(model: CModel, folder: Path) -> CModel:
    (folder / f"{model.name}.h").write_text(model.header)
    (folder / f"{model.name}.c").write_text(model.source)
    return model
