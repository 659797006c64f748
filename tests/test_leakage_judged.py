# SPDX-License-Identifier: Apache-2.0
"""The checker of leakage beside a judge that counts all cases of small circuits."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from leakage_judge import Circuit, Judge, drawn

import headwater as hw
from headwater.leakage.verdict import Verdict

PIPELINES = tuple(drawn(f"p{at}_", at, stateful=False, staged=True) for at in range(50))
MACHINES = tuple(drawn(f"m{at}_", at, stateful=True, staged=False) for at in range(90))
MIXED = tuple(drawn(f"b{at}_", at, stateful=True, staged=True) for at in range(60))


def verdict_of(circuits: tuple[Circuit, ...], folder: Path) -> Verdict:
    """All circuits side by side in one module: none reads another's nets."""
    ports = [port for circuit in circuits for port in circuit.ports]
    lines = [line for circuit in circuits for line in circuit.verilog()]
    text = [f"module all(input clk, {', '.join(f'input {port}' for port in ports)});", *lines]
    (folder / "all.v").write_text("\n".join([*text, "endmodule"]))
    shares = [
        f'{circuit.name}{one} = ["{circuit.name}{one}0", "{circuit.name}{one}1"]'
        for circuit in circuits
        for one in ("xys" if circuit.state else "xy")
    ]
    random = [port for circuit in circuits for port in circuit.ports[4:]]
    (folder / "all.toml").write_text("\n".join([f"random = {random}", "[shares]", *shares]))
    return hw.leakage(folder / "all.v", folder / "all.toml")


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    return verdict_of(PIPELINES, tmp_path_factory.mktemp("pipelines"))


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    return verdict_of(MACHINES, tmp_path_factory.mktemp("machines"))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    return verdict_of(MIXED, tmp_path_factory.mktemp("mixed"))


@cache
def judge(circuit: Circuit) -> Judge:
    return Judge(circuit, 3 if circuit.stages else 2)


def flawed(verdict: Verdict) -> set[str]:
    """The circuits whose registers are no uniform sharing in the next cycle."""
    return {f"{name.partition('_')[0]}_" for flaw in verdict.flaws for name in flaw.names}


def leaking(verdict: Verdict, circuit: Circuit) -> set[str]:
    return {leak.net for leak in verdict.leaks if leak.net.startswith(circuit.name)}


def test_pipelines_leak_where_the_judge_says(pipelines: Verdict) -> None:
    found = {circuit.name: leaking(pipelines, circuit) for circuit in PIPELINES}
    expected = {circuit.name: judge(circuit).leaking() for circuit in PIPELINES}
    assert found == expected
    assert pipelines.undecided == ()
    assert 5 < sum(not nets for nets in expected.values()) < len(PIPELINES) - 5


def test_machines_leak_where_the_judge_says(machines: Verdict) -> None:
    found = {circuit.name: leaking(machines, circuit) for circuit in MACHINES}
    expected = {circuit.name: judge(circuit).leaking() for circuit in MACHINES}
    assert found == expected
    assert machines.undecided == ()
    assert 5 < sum(not nets for nets in expected.values()) < len(MACHINES) - 5


def test_states_are_shared_where_the_judge_says(machines: Verdict) -> None:
    expected = {circuit.name for circuit in MACHINES if not judge(circuit).state_is_shared()}
    assert flawed(machines) == expected
    assert not any(flaw.undecided for flaw in machines.flaws)
    assert 5 < len(expected) < len(MACHINES) - 5


def test_what_holds_for_two_cycles_holds_later(machines: Verdict) -> None:
    """The induction: from a uniform sharing, nothing leaks in the third and fourth cycle."""
    bad = flawed(machines)
    secure = [
        circuit
        for circuit in MACHINES
        if circuit.name not in bad and circuit.randoms == 1 and not leaking(machines, circuit)
    ]
    assert len(secure) > 5
    assert {circuit.name: Judge(circuit, 3).leaking() for circuit in secure} == {
        circuit.name: set() for circuit in secure
    }


def test_registers_that_delay_shares_leak_where_the_judge_says(mixed: Verdict) -> None:
    """Where the shares stay uniform together with what the delayed ones were made of. The checker
    takes the secret in the registers for any, the judge for what the cycle before made of it: where
    that is always zero, say, the checker may find more."""
    whole = [circuit for circuit in MIXED if circuit.name not in flawed(mixed)]
    found = {circuit.name: leaking(mixed, circuit) for circuit in whole}
    expected = {circuit.name: judge(circuit).leaking() for circuit in whole}
    assert all(expected[name] <= nets for name, nets in found.items())
    assert sum(expected[name] == nets for name, nets in found.items()) > 0.9 * len(whole)
    assert len(whole) > 10
    assert 3 < sum(not nets for nets in expected.values()) < len(whole) - 3
