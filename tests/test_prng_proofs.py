# SPDX-License-Identifier: Apache-2.0
"""Sources of random bits keep their properties, which simulators and SymbiYosys read as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from amaranth.hdl import Const
from command_line import Capture, succeed

from headwater.api.ciphers import cipher
from headwater.api.mutation import try_properties_of_source
from headwater.api.random_bits import RandomBits
from headwater.errors import InputError
from headwater.flow.verilator import lint_files
from headwater.kinds.stepped.prng.core import PrngCore
from headwater.kinds.stepped.prng.properties import SourceProperty, properties, properties_of_source
from headwater.verify import prng_proof
from headwater.verify.prng_proof import prove_one

SOURCE = cipher("bivium").random_bits(16, instances=2)
"""Two cores, and two parts in each seed word."""
AT_ONCE = cipher("bivium").random_bits(16, instances=2, reset="async")
SUSPENDED = cipher("bivium").random_bits(16, instances=2, state_port=True)
UNWATCHED = cipher("bivium").random_bits(16, instances=2, state_port=True, lockup="none")
"""A source that nothing watches for a state of zeros."""
ENTERED = cipher("mickey2").random_bits(2)
"""A core whose steps the seed enters."""
PROPERTIES = {prop.name: prop for prop in properties(SOURCE.shape.parts)}
OF_STATE_PORT = {
    prop.name: prop
    for prop in properties(SOURCE.shape.parts, state_port=True)
    if prop.name not in PROPERTIES
}


@pytest.mark.parametrize("prop", PROPERTIES.values(), ids=list(PROPERTIES))
def test_a_property_is_proven(prop: SourceProperty) -> None:
    assert prove_one(SOURCE.shape, prop).failures == ()


@pytest.mark.parametrize("name", [*OF_STATE_PORT, "known", "rests", "leaves", "truthful"])
def test_properties_of_a_source_that_can_be_suspended(name: str) -> None:
    prop = (PROPERTIES | OF_STATE_PORT)[name]
    assert prove_one(SUSPENDED.shape, prop).failures == ()


@pytest.mark.parametrize("name", ["known", "restarts", "rests", "resumes"])
def test_properties_of_a_source_that_nothing_checks(name: str) -> None:
    every = {prop.name: prop for prop in properties_of_source(UNWATCHED.shape)}
    assert {*PROPERTIES, *OF_STATE_PORT} - every.keys() == {"leaves", "tells", "truthful", "warns"}
    assert prove_one(UNWATCHED.shape, every[name]).failures == ()


@pytest.mark.parametrize("name", ["known", "rests", "leaves"])
def test_properties_of_a_source_whose_steps_the_seed_enters(name: str) -> None:
    (prop,) = (one for one in properties(ENTERED.shape.parts) if one.name == name)
    assert prove_one(ENTERED.shape, prop).failures == ()


class Flowing(PrngCore):
    """Makes new bits in each cycle."""

    word_taken = Const(1, 1)


def test_a_broken_source_fails_its_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the run in which it is seen is written."""
    monkeypatch.setattr(prng_proof, "PrngCore", Flowing)
    file = tmp_path / f"{SOURCE.name}-holds.vcd"
    said = f"it is not true that {PROPERTIES['holds'].meaning}; {file} shows it"
    assert prove_one(SOURCE.shape, PROPERTIES["holds"], tmp_path).failures == (said,)
    assert file.read_text().count("#") > 1


def test_every_property_refutes_a_mutant() -> None:
    found = try_properties_of_source(SUSPENDED, 24)
    assert [one.property for one in found] == [*PROPERTIES, *OF_STATE_PORT]
    assert [one.property for one in found if not one.refuted] == []
    assert all(one.mutants == 24 and one.first.startswith("mutate ") for one in found)


def test_a_source_that_fails_already_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prng_proof, "PrngCore", Flowing)
    holds = [PROPERTIES["holds"]]
    monkeypatch.setattr("headwater.api.mutation.properties_of_source", lambda _: holds)
    with pytest.raises(InputError, match="the unchanged core must keep the property holds, not: "):
        try_properties_of_source(SOURCE, 3)


@pytest.mark.parametrize("name", ["known", "stays", "restarts", "deaf"])
def test_properties_of_a_reset_that_acts_at_once(name: str) -> None:
    assert prove_one(AT_ONCE.shape, PROPERTIES[name]).failures == ()


def test_a_core_whose_reset_waits_for_the_clock_is_refuted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Waiting(PrngCore):
        resets_at_once = False  # type: ignore[assignment]

    monkeypatch.setattr(prng_proof, "PrngCore", Waiting)
    found = prove_one(AT_ONCE.shape, PROPERTIES["restarts"]).failures
    assert found[0] == f"it is not true that {PROPERTIES['restarts'].meaning}"


@pytest.mark.parametrize(
    "source", [SOURCE, AT_ONCE, SUSPENDED, UNWATCHED], ids=["sync", "async", "state", "unwatched"]
)
def test_simulators_read_the_assertions(source: RandomBits) -> None:
    """Bound to the source, with every warning on."""
    files = source.files(properties=True)
    verilog = {name: text for name, text in files.items() if name.endswith((".v", ".sv"))}
    assert lint_files(f"{source.name}_wrapper", verilog) == []


def test_generate_writes_assertions_and_their_script(capsys: Capture, tmp_path: Path) -> None:
    words = ("trivium", "--random-bits", "4", "--interface", "prng", "--properties")
    printed = succeed(capsys, "generate", *words, "-o", tmp_path)
    written = [Path(line).name for line in printed.splitlines()][-2:]
    assert written == ["trivium_prng4_properties.sv", "trivium_prng4.sby"]
    script = (tmp_path / written[1]).read_text()
    assert "connect -nounset -set state source.core_0.c,source.core_0.b,source.core_0.a" in script
    _, files = script.split("[files]\n")
    assert all((tmp_path / name).exists() for name in files.split())
