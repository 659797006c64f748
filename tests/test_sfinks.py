# SPDX-License-Identifier: Apache-2.0
"""SFINKS: its description against its specification, and its vectors in model and hardware."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from amaranth.hdl import Fragment
from generated import afresh

from headwater.algebra.bitstring import from_bytes, reverse, to_bytes
from headwater.algebra.word import IntegerWord, unnamed
from headwater.bench.stimulus import stimulus
from headwater.cipher import sfinks
from headwater.cipher.message import Message
from headwater.cipher.register import Register
from headwater.cipher.sfinks import FEEDBACK, FIELD, FILTER, INJECTED, SFINKS, SFINKS_AE
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.filtered.message import FilteredAeadCore
from headwater.kinds.filtered.model import FilteredModel, inverses
from headwater.kinds.filtered.pace import Pace
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import build, facts_of
from headwater.kinds.stepped.description import Phase, Placed
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment
from headwater.verify.vector_files import VectorFile, own_files, read_file

VECTORS = {cipher.name: read_file(own_files(cipher)[0], cipher) for cipher in (SFINKS, SFINKS_AE)}
KEY, IV = bytes(range(10)), bytes(range(0x80, 0x8A))
EVERY = pytest.mark.parametrize("cipher", [SFINKS, SFINKS_AE], ids=lambda cipher: cipher.name)
LATE = "option stages of {} with {} steps of the setup in a cycle must be {}, not {}"
AS_FREE = {"stall": "none", "clear": "none"}


def some_vectors(cipher: FilteredLfsr, most: int) -> VectorFile:
    """Some of the vectors, spread over the file, but no long ones."""
    file = VECTORS[cipher.name]
    near = [vector for vector in file.vectors
            if getattr(vector, "offset", 0) + getattr(vector, "bits", 0) <= 1024]  # fmt: skip
    return replace(file, vectors=tuple(near[:: max(1, len(near) // most)]))


def message(seed: int, associated: int, size: int, *, decrypts: bool = False) -> Message:
    source = Random(seed)
    parts = [source.randbytes(length) for length in (10, 10, associated, size)]
    return Message(*parts, 8 * size, decrypts)


# --- the description


@EVERY
def test_every_vector_in_the_model(cipher: FilteredLfsr) -> None:
    record = check_vectors(VECTORS[cipher.name], ModelEngine(cipher))
    assert (record.failures, record.skipped) == ((), 0)
    assert record.passed == {"sfinks": 49, "sfinks-ae": 27}[cipher.name]


def test_places_are_all_different() -> None:
    for places in (FEEDBACK, FILTER, INJECTED):
        assert len(set(places)) == 16
        assert set(places) <= set(range(256))


def test_inverses() -> None:
    table = inverses(FIELD)
    samples = {1: 1, 2: 0x8016, 0x1234: 0x1E79, 0xFFFF: 0xF969, 0: 0}
    assert {x: table[x] for x in samples} == samples
    assert all(FIELD.multiply(x, table[x]) == 1 for x in range(1, FIELD.size, 97))


def test_state_after_the_setup() -> None:
    model = FilteredModel(SFINKS_AE, key=KEY, iv=IV)
    assert model.lfsr == 0xD8D62E830BD9B79FB87B5087FEF14CA0EA40542EF8C2EEB8BEF26064598D18E0
    assert model.words == [0xDEDC, 0x2898, 0x89D6, 0x1B05, 0x1518, 0xC77F, 0x7F23]
    assert model.masks == [1, 0, 0, 0, 1, 0, 0]
    assert reverse(model.register, 64) == 0x3768D7668761E3DD
    assert reverse(model.accumulator, 64) == 0xED27B2DD82DF5EB4
    assert model.read(128).hex() == "3cde8f82c138ba5a05473767b5e7b1cc"


def stepped(steps: int) -> tuple[int, list[IntegerWord]]:
    """The output of the description's step, read with integers, and the registers then."""
    placed = SFINKS_AE.loaded_state(*SFINKS_AE.input_bits(KEY, IV))
    state = [
        IntegerWord(sum(bit << place for place, bit in enumerate(placed.get(register.name, []))),
                    register.length)
        for register in SFINKS_AE.registers
    ]  # fmt: skip
    output = 0
    for number in range(128 + steps):
        setup = IntegerWord(int(number < 128), 1)
        z, after = SFINKS_AE.step(unnamed, *state, initialising=setup)
        state = [after[register.name] for register in SFINKS_AE.registers]
        if number >= 128:
            output |= z.value << number - 128
    return output, state


def test_model_is_the_description() -> None:
    """Its step, one by one with the field's circuit, and the model, many at once with tables."""
    model = FilteredModel(SFINKS_AE, key=KEY, iv=IV)
    _, (s, d, m, q) = stepped(0)
    assert s.value == model.lfsr
    assert d.value == sum(word << 16 * place for place, word in enumerate(model.words))
    assert m.value == sum(bit << place for place, bit in enumerate(model.masks))
    assert q.value == model.accumulator | model.register << 64
    assert stepped(20)[0] == from_bytes(model.read(20), "msb_first")


def test_many_bits_are_the_same_as_few_at_a_time() -> None:
    """A long piece goes through the circuit, short ones through the table."""
    many, few = (Keystream(SFINKS, key=KEY, iv=IV) for _ in range(2))
    assert many.read(80000) == b"".join(few.read(8000) for _ in range(10))


@pytest.mark.parametrize("cut", [(1, 31, 32, 33, 64), (6, 4096, 3), (0, 7, 9000, 250)])
def test_keystream_in_pieces(cut: tuple[int, ...]) -> None:
    whole = from_bytes(Keystream(SFINKS, key=KEY, iv=IV).read(10000), "msb_first")
    stream, position = Keystream(SFINKS, key=KEY, iv=IV), 0
    for number, bits in enumerate(cut):
        if number % 2:
            stream.skip(bits)
        else:
            piece = from_bytes(stream.read(bits), "msb_first")
            assert piece == whole >> position & (1 << bits) - 1
        position += bits


@pytest.mark.parametrize(("associated", "size"), [(0, 0), (0, 1), (3, 0), (5, 7), (70, 600)])
def test_messages(associated: int, size: int) -> None:
    given = message(size, associated, size)
    sealed = process(SFINKS_AE, given)
    opened = process(SFINKS_AE, replace(given, text=sealed.text, decrypts=True))
    assert (opened.text, opened.tag) == (given.text, sealed.tag)
    skipped = Keystream(SFINKS, key=given.key, iv=given.nonce)
    skipped.skip(8 * associated)
    stream = skipped.read(8 * size)
    assert sealed.text == bytes(a ^ b for a, b in zip(given.text, stream, strict=True))


@pytest.mark.parametrize("field", ["key", "nonce", "associated_data", "text"])
def test_any_change_gives_another_tag(field: str) -> None:
    given = message(1, 4, 8)
    tags = {process(SFINKS_AE, given).tag}
    value = getattr(given, field)
    for bit in range(8 * len(value)):
        number = int.from_bytes(value, "big") ^ 1 << bit
        changed = replace(given, **{field: number.to_bytes(len(value), "big")})
        tags.add(process(SFINKS_AE, changed).tag)
    assert len(tags) == 1 + 8 * len(value)


# --- when inverses may enter


def test_waiting_bits() -> None:
    """By hand: the next tap above each cell, and what is left of seven steps."""
    pace = Pace.of(SFINKS, Architecture.choose(SFINKS))
    waits = {bit: pace.longest_wait(bit) for bit in range(16) if pace.longest_wait(bit)}
    assert waits == {0: 2, 1: 5, 4: 1, 9: 4, 11: 4, 15: 3}


@pytest.mark.parametrize(
    ("radix", "options", "cycles", "lag"),
    [
        (1, {}, 123, 0),
        (2, {}, 62, 1),
        (4, {"setup": "wide"}, 31, 1),
        (8, {"setup": "wide"}, 16, 5),
        (16, {"setup": "wide"}, 16, 5),
        (4, {}, 128, 5),
        (16, {"stages": "4"}, 131, 5),
    ],
)
def test_cycles_after_the_load(radix: int, options: dict[str, str], cycles: int, lag: int) -> None:
    pace = Pace.of(SFINKS, Architecture.choose(SFINKS, radix=radix, options=options))
    assert (pace.blank_cycles, pace.lag) == (cycles, lag)


def test_data_sheet() -> None:
    found = datasheet(SFINKS, Architecture.choose(SFINKS, radix=16))
    assert (found["state_bits"], found["natural_radix"], found["setup_cycles"]) == (256, 44, 138)
    assert "289" in found["printed_flip_flops"][0]
    assert "754" in found["printed_flip_flops"][0]
    assert "2005/243" in found["security"]
    found = datasheet(SFINKS_AE, Architecture.choose(SFINKS_AE, radix=4))
    assert (found["state_bits"], found["data_width"], found["tag_bits"]) == (384, 4, 64)


def test_flip_flops_are_those_of_the_data_sheet() -> None:
    """256 and 19, whatever the radix, where nothing waits for its reader."""
    for radix, setup in ((1, "small"), (8, "wide"), (16, "small")):
        architecture = Architecture.choose(SFINKS, radix=radix, options={**AS_FREE, "setup": setup})
        text = generate(SFINKS, architecture).text
        found = re.findall(r"^  reg (?:\[(\d+):0\] )?waiting_\d+;", text, re.MULTILINE)
        bits = sum(int(top) + 1 if top else 1 for top in found)
        assert bits == 19


# --- cores


def check(cipher: FilteredLfsr, architecture: Architecture, most: int) -> None:
    """Vectors, setup and lint."""
    gaps = 300 if architecture.stall == "stream" else 0
    engine = RtlEngine(cipher, architecture, gaps_permille=gaps)
    vectors = some_vectors(cipher, most) if most else VECTORS[cipher.name]
    record = check_vectors(vectors, engine, architecture)
    assert (record.failures, record.skipped) == ((), 0)
    assert record.passed == len(vectors.vectors) >= most
    assert engine.setup_cycles(KEY, IV) == facts_of(cipher, architecture).setup_cycles
    made = generate(cipher, architecture)
    assert verilator.lint(made.name, made.text) == []


@EVERY
@pytest.mark.parametrize("radix", [1, 2, 4, 8, 16])
def test_vectors_at_every_radix(cipher: FilteredLfsr, radix: int) -> None:
    check(cipher, Architecture.choose(cipher, radix=radix), 0 if radix > 1 else 15)


@pytest.mark.parametrize(
    ("cipher", "radix", "width", "options"),
    [
        (SFINKS, 1, 160, {**AS_FREE, "stages": "4"}),
        (SFINKS, 4, 7, {"setup": "wide", "stages": "2"}),
        (SFINKS, 8, 33, {"setup": "wide", "clear": "instant"}),
        (SFINKS, 16, 1, {**AS_FREE, "setup": "wide"}),
        (SFINKS_AE, 1, 7, {"stages": "2", "clear": "instant"}),
        (SFINKS_AE, 2, 2, {**AS_FREE, "stages": "3"}),
        (SFINKS_AE, 16, 16, {**AS_FREE, "stages": "4"}),
        (SFINKS_AE, 16, 8, {"setup": "wide", "direction": "decrypt"}),
    ],
)
def test_vectors_with_options(
    cipher: FilteredLfsr, radix: int, width: int, options: dict[str, str]
) -> None:
    architecture = Architecture.choose(cipher, radix=radix, load_width=width, options=options)
    check(cipher, architecture, 8)


@pytest.mark.parametrize(
    ("radix", "options"), [(8, {"setup": "wide"}), (4, {"stages": "3"})], ids=["wide", "cut"]
)
def test_core_follows_another_description(radix: int, options: dict[str, str]) -> None:
    """A shorter LFSR with other cells and a shorter pipeline, against its model."""
    top, delay = 239, 6
    other = replace(
        SFINKS,
        registers=(
            Register("s", newest=top, oldest=0),
            Register("d", newest=16 * delay - 1, oldest=0, setup_only=True),
            Register("m", newest=delay - 1, oldest=0, setup_only=True),
        ),
        load=Placed(lambda key, iv: {"s": [*[0] * 79, 1, *key, *iv]}),
        phases=(Phase("initialisation", 120, ("initialising",)),),
        feedback_cells=(*FEEDBACK[:-1], 201),
        filter_cells=(*FILTER[:-3], 207, 224, top),
        injected_cells=tuple(cell - 20 * (cell >= 232) for cell in INJECTED),
    )
    segments = [Segment(KEY, IV, offset, bits) for offset, bits in ((0, 200), (3, 77))]
    engine = RtlEngine(other, Architecture.choose(other, radix=radix, options=options))
    assert engine.run(segments) == ModelEngine(other).run(segments)


def test_segments_with_any_offset() -> None:
    engine = RtlEngine(SFINKS, Architecture.choose(SFINKS, radix=8), gaps_permille=300)
    segments = [Segment(KEY, IV, offset, bits) for offset, bits in ((0, 1), (3, 30), (77, 9))]
    assert engine.run(segments) == ModelEngine(SFINKS).run(segments)
    engine = RtlEngine(SFINKS_AE, Architecture.choose(SFINKS_AE, radix=8))
    assert engine.run(segments) == ModelEngine(SFINKS).run(segments)


@pytest.mark.parametrize(
    ("radix", "options"), [(16, {}), (16, AS_FREE), (2, {**AS_FREE, "direction": "encrypt"})]
)
def test_messages_of_any_bytes(radix: int, options: dict[str, str]) -> None:
    """Data and text end anywhere in a word, and the keystream of the tag begins there."""
    architecture = Architecture.choose(SFINKS_AE, radix=radix, options=options)
    gaps = 0 if architecture.stall == "none" else 250
    engine = RtlEngine(SFINKS_AE, architecture, gaps_permille=gaps)
    ways = (False, True) if architecture["direction"] == "both" else (False,)
    messages = [message(size, associated, size, decrypts=decrypts)
                for size in range(5) for associated in range(4) for decrypts in ways]  # fmt: skip
    assert engine.process(messages) == [process(SFINKS_AE, given) for given in messages]


# --- evaluation


@pytest.mark.parametrize("radix", [1, 16])
def test_stimulus_of_messages(radix: int) -> None:
    """What a netlist is simulated with is a message of whole bytes that the model knows."""
    given = stimulus(SFINKS_AE, Architecture.choose(SFINKS_AE, radix=radix), 20)
    kept = sum(keep.bit_count() for _, keep, _ in given.data_words)
    assert kept % 8 == 0
    assert len(given.words) == 64 // radix


# --- errors


@pytest.mark.parametrize(
    ("cipher", "radix", "options", "text"),
    [
        (SFINKS, 3, {}, "radix of sfinks must be one of 1, 2, 4, 8, 16, not 3"),
        (SFINKS, 16, {"setup": "wide", "stages": "2"},
         LATE.format("sfinks", 8, "1", 2)),
        (SFINKS_AE, 4, {"setup": "wide", "stages": "3"},
         LATE.format("sfinks-ae", 4, "between 1 and 2", 3)),
    ],
)  # fmt: skip
def test_choices_that_do_not_fit(
    cipher: FilteredLfsr, radix: int, options: dict[str, str], text: str
) -> None:
    with pytest.raises(InputError, match=f"^{text}$"):
        Architecture.choose(cipher, radix=radix, options=options)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"key": bytes(9)}, "key of sfinks-ae must be 80 bits .*, not 72 bits"),
        ({"nonce": bytes(11)}, "IV of sfinks-ae must be 80 bits .*, not 88 bits"),
        ({"text": b"\x80", "bits": 3}, "text of sfinks-ae must be whole bytes, not 3 bits"),
    ],
)
def test_refused(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=f"^{text}$"):
        process(SFINKS_AE, replace(message(1, 0, 8), **changes))


# --- broken ones


def test_specification_finds_a_broken_step(monkeypatch: pytest.MonkeyPatch) -> None:
    right = stepped(12)[0]
    assert right == from_bytes(to_bytes(right, 12, "msb_first"), "msb_first")
    moved = (*INJECTED[:-1], INJECTED[-1] + 1)
    monkeypatch.setattr(sfinks, "INJECTED", moved)
    assert stepped(12)[0] != right


@pytest.mark.parametrize(
    "changes",
    [
        {"feedback_cells": (*FEEDBACK[:-1], 211)},
        {"filter_cells": (2, *FILTER[1:])},
        {"injected_cells": (*INJECTED[:-1], 112)},
        {"phases": (Phase("initialisation", 127, ("initialising",)),)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_vectors_find_a_broken_description(changes: dict[str, Any]) -> None:
    broken = replace(SFINKS, **changes)
    assert check_vectors(VECTORS["sfinks"], ModelEngine(broken)).failed > 0


def test_vectors_find_an_inverse_that_enters_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """One bit a step earlier, in hardware: past a tap."""
    right = Pace.longest_wait
    monkeypatch.setattr(Pace, "longest_wait", lambda pace, bit: right(pace, bit) - (bit == 15))
    architecture = Architecture.choose(SFINKS, radix=4)
    with afresh():
        engine = RtlEngine(SFINKS, architecture)
    assert check_vectors(some_vectors(SFINKS, 4), engine, architecture).failed > 0


@pytest.mark.parametrize("radix", SFINKS_AE.legal_radices())
def test_the_word_that_waits_is_among_the_secrets(radix: int) -> None:
    """So `clear` promises that nothing of it is left."""
    core = build(SFINKS_AE, Architecture.choose(SFINKS_AE, radix=radix))
    Fragment.get(core, None)
    assert isinstance(core, FilteredAeadCore)
    assert len(core.hold) == 2 * radix
    assert any(secret is core.hold for secret in core.secrets)
