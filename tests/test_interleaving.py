# SPDX-License-Identifier: Apache-2.0
"""Sessions that take turns in one core."""

# amaranth: UnusedElaboratable=no
from __future__ import annotations

import re
from pathlib import Path

import pytest
from needs import needs_osu018

import headwater as hw
from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.core.interleaving.graph import Graph
from headwater.core.interleaving.schedule import schedule
from headwater.emit.c_model import c_model
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.flow.power import Power
from headwater.flow.verilator import lint
from headwater.kinds.registry import facts_of
from headwater.measure.energy import energy_figures
from headwater.measure.point import DesignPoint
from headwater.measure.stimulus import simulate_as_model
from headwater.measure.target import find as find_target
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import prove_one
from headwater.verify.segments import Segment


def chosen(name: str, streams: int, **options: str) -> Architecture:
    """The architecture of a cipher with so many sessions."""
    return Architecture.choose(find(name), options={"streams": str(streams), **options})


def test_one_session_is_the_core_without_the_option() -> None:
    assert chosen("snow3g", 1) == Architecture.choose(find("snow3g"))
    assert "streams" not in chosen("snow3g", 1).options


def test_each_session_has_the_keystream_of_its_key() -> None:
    """Of a core with additions that are cut: their parts have a carry as a third operand."""
    cipher, made = find("snow3g"), chosen("snow3g", 3, sbox="table")
    verilog = generate(cipher, made)
    assert re.search(r"\+ .* \+", verilog.text)
    assert lint(verilog.name, verilog.text) == []
    segments = [Segment(bytes([key] * 16), bytes([7] * 16), 0, 320) for key in range(5)]
    engine = RtlEngine(cipher, made, gaps_permille=300)
    assert engine.run(segments) == ModelEngine(cipher).run(segments)
    key, iv = bytes(16), bytes(16)
    assert RtlEngine(cipher, made).setup_cycles(key, iv) == facts_of(cipher, made).setup_cycles


def test_what_a_table_gives_goes_into_a_register_at_once() -> None:
    """Else synthesis moves a register from the address of a table to its other side."""
    text = generate(find("zuc"), chosen("zuc", 4, sbox="table")).text
    read = [line for line in text.splitlines() if re.search(r"S[01]_TABLE\[\{", line)]
    assert len(read) == 8
    assert all(re.fullmatch(r" +part_\d+_1 <= S[01]_TABLE\[.*\];", line) for line in read)


@pytest.mark.parametrize("name", ["zkcrypt", "aes_ofb"])
@pytest.mark.parametrize("prop", ["turns", "turn"])
def test_a_turn_is_a_cycle_of_the_plain_core(name: str, prop: str) -> None:
    record = prove_one(find(name), chosen(name, 2), prop)
    assert not record.failures


def test_a_way_with_more_tables_than_stages_may_go_on_behind_one() -> None:
    graph = Graph(
        order=(1, 2, 3), reads={1: (4,), 2: (1,), 3: (2,)}, registers=(4,), tables=frozenset({1, 2})
    )
    delays = dict.fromkeys(graph.order, (10, 10))
    assert schedule(graph, delays, [3], [], 3).stages == {1: 0, 2: 1, 3: 2}
    assert schedule(graph, delays, [3], [], 2).stages == {1: 0, 2: 1, 3: 1}


@needs_osu018
def test_the_gates_give_each_session_its_keystream(osu018: Library, tmp_path: Path) -> None:
    """Three keys, whose words come in turn; the energy of a setup is that of one of them."""
    cipher, made = find("zkcrypt"), chosen("zkcrypt", 3)
    verilog = generate(cipher, made)
    mapped = map_to_cells(verilog.text, verilog.name, osu018, tmp_path)
    run = simulate_as_model(
        cipher, made, mapped.verilog, osu018, verilog.name, 40, tmp_path, watch=False
    )
    assert run.setup.cycles == facts_of(cipher, made).setup_cycles
    assert len(set(run.words)) == 40
    power = dict.fromkeys(("setup", "running"), Power(1.0, 0.0, 0.0, 1.0))
    point = DesignPoint(cipher, made, find_target("osu018"))
    energy = energy_figures(point, run, power, clock_mhz=1000.0, fmax_mhz=1.0)
    assert energy["setup_energy_nj"] == facts_of(cipher, chosen("zkcrypt", 1)).setup_cycles
    assert energy["energy_message_nj"].one_block == energy["setup_energy_nj"] + 2


def test_what_has_one_session_refuses_more() -> None:
    cipher, made = find("snow3g"), chosen("snow3g", 2)
    core = hw.cipher("snow3g").core(streams="2")
    behind = hw.cipher("snow3g").core(interface="axi4stream", streams="2")
    with pytest.raises(InputError, match=r"option streams behind axi4stream must be 1, not 2"):
        behind.design()
    with pytest.raises(InputError, match=r"option streams of a core with a testbench must be 1"):
        core.design(testbench=True)
    with pytest.raises(InputError, match=r"option streams of a core in C must be 1, not 2"):
        c_model(cipher, made)
