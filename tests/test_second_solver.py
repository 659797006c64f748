# SPDX-License-Identifier: Apache-2.0
"""Another solver judges the proofs: Yosys' own, which reads the circuits itself, without AIGER and
ABC. It proves the same properties, and refutes what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_forms import made

from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.flow.yosys import run_yosys
from headwater.kinds.registry import build, kind_of, properties_of
from headwater.prove.checker import Proof, Property
from headwater.verify.proof import with_checkers

READ = (
    "read_rtlil spec.il",
    "hierarchy -auto-top",
    "proc",
    # A run begins in any state; only what a checker counts begins with its initial value.
    "setattr -unset init w:* w:spec_* %d w:*.spec_* %d",
    "flatten",
    "memory_map",
    "async2sync",
    "dffunmap",
    "chformal -lower",
    "opt_clean",
)
PROVEN = ("no model found: SUCCESS!", "Induction step proven: SUCCESS!")
REFUTED = ("model found: FAIL!",)

CORES: list[tuple[str, dict[str, str]]] = [
    ("trivium", {}),
    ("trivium", {"stall": "none", "clear": "none"}),
    ("grain_v1", {}),
    ("grain128aead", {}),
    ("a51", {}),
    ("zuc", {"feedback": "early"}),
    ("eia3", {}),
    ("ascon_aead128", {}),
    ("vest4", {}),
    ("aes_ofb", {}),
    ("phelix", {}),
    ("chacha20", {"fold": "quarter"}),
    ("moustique", {}),
    ("sfinks", {}),
    ("zuc", {"streams": "2"}),
]
"""Some of each kind whose properties it proves in a minute."""
SLOW = {
    ("moustique", "step"),
    ("sfinks", "inverse"),
    ("aes_ofb", "bytes"),
    ("aes_ofb", "pass"),
    ("ascon_aead128", "round"),
}
"""It needed more than a minute for each of these, once more than 15, and seconds when signals had
other names. It is not asked for them."""
SECONDS = 300
"""After this it is stopped, and its test fails with the property's name."""


def of_core(cipher: Cipher, options: dict[str, str]) -> Iterator[tuple[Property, str, str]]:
    """Each property with the circuit in which it is checked, and the options of `sat`."""
    radix = min(cipher.legal_radices())
    architecture = Architecture.choose(cipher, radix=radix, options=options)
    formed = kind_of(cipher).formed(cipher, architecture)
    for one in properties_of(formed, architecture):
        core = build(formed, architecture)
        by_induction = one.by_induction(core.facts)
        text = with_checkers(core, {one.name: (one.checker, Proof(formed, by_induction))})
        cycles = one.cycles(core.facts)
        yield one, text, "-tempinduct" if by_induction else f"-seq {cycles}"


def answer(text: str, options: str, folder: Path) -> str:
    """What the solver says of runs that keep the assumptions."""
    (folder / "spec.il").write_text(text)
    run_yosys([*READ, f"tee -o said.txt sat -timeout {SECONDS} -set-assumes {options}"], folder)
    return (folder / "said.txt").read_text()


@pytest.mark.parametrize(("name", "options"), CORES, ids=str)
def test_another_solver_proves_the_same(name: str, options: dict[str, str], tmp_path: Path) -> None:
    for one, text, runs in of_core(find(name), options):
        if (name, one.name) in SLOW:
            continue
        said = answer(text, f"-prove-asserts {runs}", tmp_path)
        assert any(line in said for line in PROVEN), one.name
        assert "SAT solving finished - model found" in answer(text, "-seq 2", tmp_path), one.name


@pytest.mark.parametrize(("shape", "proven"), [("same", True), ("other", False)])
def test_another_solver_finds_a_form_that_is_wrong_once_in_2_to_the_32(
    shape: str, proven: bool, tmp_path: Path
) -> None:
    outside = made()
    for one, text, runs in of_core(outside, {"shape": shape}):
        if one.name == "form":
            said = answer(text, f"-prove-asserts {runs}", tmp_path)
            assert any(line in said for line in (PROVEN if proven else REFUTED))
