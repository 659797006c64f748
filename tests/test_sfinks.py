# SPDX-License-Identifier: Apache-2.0
"""SFINKS: its description against its specification, and when inverses may enter its core."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from amaranth.hdl import Fragment

from headwater.algebra.bitstring import from_bytes, reverse
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.register import Register
from headwater.cipher.sfinks import FEEDBACK, FIELD, FILTER, INJECTED, SFINKS, SFINKS_AE
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.filtered.message import FilteredAeadCore
from headwater.kinds.filtered.model import FilteredModel, inverses
from headwater.kinds.filtered.pace import Pace
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import build
from headwater.kinds.stepped.description import Phase, Placed
from headwater.measure.stimulus import stimulus
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment
from headwater.verify.vector_files import own_files, read_file

VECTORS = {cipher.name: read_file(own_files(cipher)[0], cipher) for cipher in (SFINKS, SFINKS_AE)}
KEY, IV = bytes(range(10)), bytes(range(0x80, 0x8A))
LATE = "option stages of {} with {} steps of the setup in a cycle must be {}, not {}"
AS_FREE = {"stall": "none", "clear": "none"}


# --- the description


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
        IntegerWord(
            sum(bit << place for place, bit in enumerate(placed.get(register.name, []))),
            register.length,
        )
        for register in SFINKS_AE.registers
    ]
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
        (SFINKS, 16, {"setup": "wide", "stages": "2"}, LATE.format("sfinks", 8, "1", 2)),
        (
            SFINKS_AE,
            4,
            {"setup": "wide", "stages": "3"},
            LATE.format("sfinks-ae", 4, "between 1 and 2", 3),
        ),
    ],
)
def test_choices_that_do_not_fit(
    cipher: FilteredLfsr, radix: int, options: dict[str, str], text: str
) -> None:
    with pytest.raises(InputError, match=f"^{text}$"):
        Architecture.choose(cipher, radix=radix, options=options)


# --- broken ones


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


@pytest.mark.parametrize("radix", SFINKS_AE.legal_radices())
def test_the_word_that_waits_is_among_the_secrets(radix: int) -> None:
    """So `clear` shows that nothing of it is left."""
    core = build(SFINKS_AE, Architecture.choose(SFINKS_AE, radix=radix))
    Fragment.get(core, None)
    assert isinstance(core, FilteredAeadCore)
    assert len(core.hold) == 2 * radix
    assert any(secret is core.hold for secret in core.secrets)
