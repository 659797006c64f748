# SPDX-License-Identifier: Apache-2.0
"""Cores of ciphers that go in rounds: where their state is, and whether cycles are a round."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow.folders import private_folder
from headwater.foreign.interface import interface_of
from headwater.foreign.messages import samples
from headwater.foreign.netlist import Netlist
from headwater.foreign.reading import read_core
from headwater.foreign.round_layers import tell_rounds
from headwater.foreign.round_proof import always_wrong, first_failure
from headwater.foreign.rounds import RoundMap, Session
from headwater.foreign.settings import Settings
from headwater.foreign.strings import _best, _groups
from headwater.foreign.trials import Trial
from headwater.foreign.verdict import NO, Verdict
from headwater.kinds.rounds import Rounds, rounds_of

LIMIT_S = 60.0


def rounds(name: str) -> Rounds:
    found = rounds_of(find(name))
    assert found is not None
    return found


def hexadecimal(words: list[int], size: int) -> str:
    return "".join(f"{word:0{size}x}" for word in words)


def test_states_of_chacha20_are_those_of_rfc_8439() -> None:
    """Section 2.3.2: the state after twenty rounds, of block number 1."""
    chacha = rounds("chacha20")
    key, nonce = bytes(range(32)), bytes.fromhex("000000090000004a00000000")
    words = [*chacha.begin(key, nonce)]
    words[12] = 1
    for number in range(chacha.count):
        words = chacha.behind(words, number)
    assert hexadecimal(words, 8) == (
        "837778abe238d763a67ae21e5950bb2fc4f2d0c7fc62bb2f8fa018fc3f5ec7b7"
        "335271c2f29489f3eabda8fc82e46ebdd19c12b4b04e16de9e83d0cb4e3c50a2"
    )


def test_states_of_aes_are_those_of_fips_197() -> None:
    """Appendix B: the state at the start of rounds 1 and 2, the output, and the last round key."""
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    states = rounds("aes_ctr").states(key, bytes.fromhex("3243f6a8885a308d313198a2e0370734"))
    assert hexadecimal(states[0][:4], 8) == "193de3bea0f4e22b9ac68d2ae9f84808"
    assert hexadecimal(states[1][:4], 8) == "a49c7ff2689f352b6b5bea43026a5049"
    assert hexadecimal(states[10], 8) == (
        "3925841d02dc09fbdc118597196a0b32d014f9a8c9ee2589e13f0cc8b6630ca6"
    )


def test_ciphers_without_such_rounds() -> None:
    assert rounds_of(find("trivium")) is None
    assert rounds_of(find("aes_ofb_192_256")) is None


@cache
def netlist_of(name: str) -> Netlist:
    cipher = find(name)
    with private_folder() as folder:
        file = Path(folder) / "core.v"
        file.write_text(generate(cipher, Architecture.choose(cipher)).text)
        return read_core([file], Settings()).netlist


@cache
def trial_of(name: str) -> Trial:
    """The way in which the core gives published vectors."""
    cipher, netlist = find(name), netlist_of(name)
    interface = interface_of(netlist, cipher, Settings())
    every, _ = samples(cipher)
    return _best([(one, groups) for one in interface.each if (groups := _groups(one, every))])


def map_of(name: str, netlist: Netlist) -> RoundMap:
    trial = trial_of(name)
    sessions = [
        Session(netlist, rounds(name), trial.entry, trial.group[0], seed, 80) for seed in (1, 2)
    ]
    return RoundMap(netlist, rounds(name), *sessions)


@pytest.mark.parametrize("name", ["ascon_aead128", "chacha20"])
def test_every_state_is_found(name: str) -> None:
    """A cycle lies between two states: a core of one round in a cycle."""
    state_map = map_of(name, netlist_of(name))
    cycles = [one.cycle for one in state_map.whole]
    assert cycles == [*range(cycles[0], cycles[0] + rounds(name).count + 1)]
    assert {len(one.meanings) for one in state_map.whole} == {rounds(name).bits}


@pytest.mark.parametrize("name", ["ascon_aead128", "chacha20"])
def test_a_round_is_proven(name: str) -> None:
    state_map = map_of(name, netlist_of(name))
    assert first_failure(state_map, state_map.steps()[4:5], LIMIT_S) is None


def with_rare_fault(netlist: Netlist, flops: list[int]) -> Netlist:
    """The core, in which the first of these flip-flops becomes another bit where all others of them
    are one: with many, no session comes there."""
    module: Any = deepcopy(netlist.module)
    nets = iter(range(10_000_000, 10_001_000))
    condition: Any = netlist.q[flops[1]]
    for number, flop in enumerate(flops[2:]):
        made = next(nets)
        module["cells"][f"rare{number}"] = gate("$_AND_", made, A=condition, B=netlist.q[flop])
        condition = made
    made = next(nets)
    module["cells"]["rare"] = gate("$_XOR_", made, A=condition, B=netlist.d[flops[0]])
    cell = next(
        cell
        for cell in module["cells"].values()
        if cell["connections"].get("Q") == [netlist.q[flops[0]]]
    )
    cell["connections"]["D"] = [made]
    return Netlist(module)


def gate(kind: str, output: int, **pins: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "connections": {"Y": [output], **{one: [net] for one, net in pins.items()}},
    }


def test_a_wrong_gate_is_named_by_its_bit() -> None:
    """A bit to which another one is added while rounds go on."""
    name, right = "ascon_aead128", netlist_of("ascon_aead128")
    state_map = map_of(name, right)
    (flop, (place, _)), (other, _), *_ = sorted(state_map.whole[3].meanings.items())
    permuting = next(one for one in range(len(right.q)) if right.name(one) == "permuting")
    trial = trial_of(name)
    wrong_netlist = with_rare_fault(right, [flop, other, permuting])
    interface = replace(trial.entry.interface, netlist=wrong_netlist)
    wrong = replace(trial, entry=replace(trial.entry, interface=interface), right=0)
    verdict = Verdict(name, 0, 0, {})
    tell_rounds(verdict, rounds(name), wrong, LIMIT_S)
    assert verdict.result("step") == NO
    assert verdict.wrong == [f"{state_map.name(place)} behind round 1: no flip-flop holds it"]


def test_a_fault_that_no_session_reaches_is_named() -> None:
    """Only the proof tells it: all states are found."""
    name, right = "ascon_aead128", netlist_of("ascon_aead128")
    held = sorted(map_of(name, right).whole[3].meanings.items())[:60]
    wrong = with_rare_fault(right, [flop for flop, _ in held])
    state_map = map_of(name, wrong)
    assert len(state_map.steps()) == rounds(name).count
    failure = first_failure(state_map, state_map.steps()[3:4], LIMIT_S)
    assert failure
    assert always_wrong(state_map, *failure) == held[0][0]
