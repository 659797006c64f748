# SPDX-License-Identifier: Apache-2.0
"""Runs of stages that are words of a RAM: where they are, what is refused, what is left of a key,
and that wrong circuits are found."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from amaranth.hdl import Module
from contract import Core, chosen, run, session
from emitted import registers_of

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError
from headwater.kinds.registry import build, facts_of, properties_of
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.transformations.delayed import Delayed
from headwater.kinds.stepped.transformations.transformation import State
from headwater.verify.proof import is_kept

RAM = {"delay": "ram"}
TRIVIUM = CATALOGUE["trivium"]
RUNS = {
    # Taps of Trivium: 66, 69, 91 to 93; 162, 171, 175 to 177; 243, 264, 286 to 288. In the load
    # stage 173 of b goes to a, and stage 80 of a to none: 81 takes a zero.
    ("trivium", 1): (
        16,
        {
            "a": [[1, 16], [17, 32], [33, 48], [49, 64]],
            "b": [[94, 109], [110, 125], [126, 141], [142, 157]],
            "c": [[178, 193], [194, 209], [210, 225], [226, 241], [244, 259], [265, 280]],
        },
    ),
    # Eight steps at stage 66 read down to stage 59: there is room for 4 words of 8, but not for 8.
    ("trivium", 8): (4, {"a": [[1, 32]], "b": [[94, 125]], "c": [[178, 209]]}),
    # Taps of s of Grain-128a: 0, 7, 8, 13, 20, 38, 42, 60, 70, 79, 81, 93, 94, 96, and of b from 0
    # on so many that it has room at 28 to 35 and from 97 on. The load puts other constants into
    # stages 126 and 127 of s.
    ("grain128a", 1): (
        8,
        {
            "b": [[28, 35], [104, 111], [112, 119], [120, 127]],
            "s": [
                [22, 29],
                [30, 37],
                [44, 51],
                [52, 59],
                [62, 69],
                [71, 78],
                [85, 92],
                [103, 110],
                [111, 118],
                [119, 126],
            ],
        },
    ),
}


@pytest.mark.parametrize(("name", "radix"), RUNS)
def test_runs_by_hand(name: str, radix: int) -> None:
    cipher = CATALOGUE[name]
    facts = facts_of(cipher, Architecture.choose(cipher, radix=radix, options=RAM))
    assert isinstance(facts, SteppedFacts)
    words, stages = RUNS[name, radix]
    bits = radix * sum(map(len, stages.values()))
    assert facts.sheet() == {"ram_words": words, "ram_word_bits": bits, "ram_stages": stages}
    assert facts.whole_state is None


@pytest.mark.parametrize(
    ("name", "choices", "message"),
    [
        (
            "trivium",
            {"radix": 16},
            (
                "delay of trivium at radix 16 and load width 16 must be registers, not 'ram': no "
                "64 stages in a row are read by nothing and move on by 16 in every cycle"
            ),
        ),
        (
            "trivium",
            {"radix": 1, "load_width": 160},
            (
                "delay of trivium at radix 1 and load width 160 must be registers, not 'ram': no 4 "
                "stages in a row are read by nothing and move on by 1 in every cycle"
            ),
        ),
        (
            "trivium",
            {"radix": 5},
            (
                "radix of trivium with delay=ram must divide the steps of its setup and be at "
                "most 66, not 5"
            ),
        ),
        (
            "trivium",
            {"clear": "instant"},
            "option clear must be shift or none with delay=ram, not 'instant'",
        ),
        (
            "grain128a",
            {"form": "ahead"},
            "option form must be fibonacci with delay=ram, not 'ahead'",
        ),
        (
            "trivium",
            {"datapath": "apart"},
            "option datapath must be inside with delay=ram, not 'apart'",
        ),
        ("lizard", {}, None),
        ("mickey2", {}, None),
    ],
)
def test_refusals(name: str, choices: dict[str, Any], message: str | None) -> None:
    places = {key: choices[key] for key in ("radix", "load_width") if key in choices}
    options = RAM | {key: value for key, value in choices.items() if key not in places}
    expected = re.escape(message) if message else f"option of {name} must be one of .*"
    with pytest.raises(InputError, match=f"^{expected}$"):
        Architecture.choose(CATALOGUE[name], options=options, **places)


# --- what is left of a key


def showing_all(made: Verilog, words: int, word_bits: int) -> Verilog:
    """The core with its flip-flops and the words of the RAM as one more output. The place tells
    how often the state has moved, and nothing of a key."""
    names = registers_of(made.text)
    del names["delays_place"]
    parts = [*names, *(f"delays[{number}]" for number in range(words))]
    port = Port("everything", "output", sum(names.values()) + words * word_bits)
    text = made.text.replace("\n);", f",\n  output wire [{port.width - 1}:0] {port.name}\n);", 1)
    body, end, rest = text.partition("endmodule")
    assigned = f"  assign {port.name} = {{{', '.join(parts)}}};\n"
    return replace(made, text=body + assigned + end + rest, ports=(*made.ports, port))


def left_of_keys(core: Core, cycles: int) -> int:
    """The bits that differ from key to key, so many cycles behind the beginning of a clear."""
    sheet = core.facts.sheet()
    verilog = showing_all(core.verilog, sheet["ram_words"], sheet["ram_word_bits"])
    shown = [
        [session(core, seed).loading(), "idle 50", "clear", f"idle {cycles - 1}", "show everything"]
        for seed in range(6)
    ]
    first, *others = (int(one.printed[-1], 16) for one in run(core, *shown, verilog=verilog))
    differing = 0
    for one in others:
        differing |= first ^ one
    return differing


@pytest.mark.parametrize("radix", [1, 8])
def test_a_clear_overwrites_the_ram_in_its_cycles(radix: int) -> None:
    core = chosen(TRIVIUM, RAM, radix)
    cycles = core.facts.clear_cycles
    assert cycles == {1: 161, 8: 21}[radix]
    assert left_of_keys(core, cycles) == 0
    assert left_of_keys(core, cycles // 2) != 0


# --- wrong circuits


class _NeverMoves(Delayed):
    """The place stays where it is."""

    def move(self, m: Module, core: Any) -> None:
        super().move(m, core)
        m.d.sync += self.place.eq(self.place)


class _OtherOrder(Delayed):
    """Read as if the place went down."""

    def undo(self, m: Module, core: Any, state: State) -> State:
        self.place, place = (~self.place)[: len(self.place)], self.place
        whole = super().undo(m, core, state)
        self.place = place
        return whole


@pytest.mark.parametrize(
    ("kind", "broken"),
    [(Delayed, ()), (_NeverMoves, ("load",)), (_OtherOrder, ("step",))],
)
def test_wrong_circuits_are_refuted(
    monkeypatch: pytest.MonkeyPatch, kind: type[Delayed], broken: tuple[str, ...]
) -> None:
    monkeypatch.setattr("headwater.kinds.stepped.registers.Delayed", kind)
    architecture = Architecture.choose(
        TRIVIUM, radix=8, options={**RAM, "stall": "none", "clear": "none"}
    )
    for name in broken or ("step", "load"):
        (prop,) = (one for one in properties_of(TRIVIUM, architecture) if one.name == name)
        core = build(TRIVIUM, architecture)
        assert is_kept(prop, core, TRIVIUM) == (not broken)
