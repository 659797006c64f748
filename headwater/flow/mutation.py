# SPDX-License-Identifier: Apache-2.0
"""Random changes of a core, by Yosys' ``mutate``, and what the solver says of a changed core.

The design is that of `headwater.verify.proof.watched`: the module ``spec`` with the core and one
watching submodule for each promise. A mutation is the command of Yosys that makes it.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow import sat
from headwater.flow.abc import Question, ask
from headwater.flow.yosys import run_yosys

_CORE = "spec.core"
KEPT, REFUTED, EMPTY = "kept", "refuted", "no run"
"""What a check says of a promise; "no run" if its assumptions exclude every run."""


class MutableCore:
    """A watched core, in a folder of its own.

    Parameters
    ----------
    rtlil
        The design.
    folder
        An empty folder.
    ports
        The core's ports: "in" or "out" by name.
    """

    def __init__(self, rtlil: str, folder: Path, ports: Mapping[str, str]) -> None:
        self._folder = folder
        self._ports = ports
        (folder / "spec.il").write_text(rtlil)
        (folder / "read_table.v").write_text(sat.READ_TABLE)
        run_yosys(
            ["read_rtlil spec.il", *sat.OPEN, f"flatten {_CORE}", "opt_expr", "opt_clean",
             # Yosys counts what it names on, so that names would depend on the promises.
             f"rename -enumerate -pattern $core% {_CORE}", "write_rtlil prepared.il"],
            folder,
        )  # fmt: skip

    @cached_property
    def sha256(self) -> str:
        """The hash of core and promises."""
        # Of the first lines one names the version of Yosys, which is known otherwise, and one how
        # many names it has given.
        text = (self._folder / "prepared.il").read_text().split("\n", 2)[2]
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def core_sha256(self) -> str:
        """The hash of the core alone: the same whatever watches it."""
        self._write(None, "core", "splitnets -ports", "opt_clean -purge", "write_rtlil core.il")
        text = (self._folder / "core.il").read_text()
        return hashlib.sha256("\n".join(_cells(text)).encode()).hexdigest()

    def mutations(self, count: int, seed: int) -> list[str]:
        """As many different mutations, the same for the same seed; fewer if there are no more."""
        run_yosys(
            ["read_rtlil prepared.il",
             f"mutate -list {count} -seed {seed} -o mutations.ys {_CORE}"],
            self._folder,
        )  # fmt: skip
        lines = (self._folder / "mutations.ys").read_text().splitlines()
        return list(dict.fromkeys(line for line in lines if line.startswith("mutate ")))

    def outcomes(
        self, mutation: str | None, cycles: Mapping[str, int], time_limit_s: float
    ) -> dict[str, str]:
        """What the solver says of each promise, which is followed for so many cycles, up to the
        first that is refuted; of all promises of the unchanged core."""
        ends = time.monotonic() + time_limit_s
        run_yosys(
            ["read_rtlil prepared.il", *([mutation] if mutation else []), "design -save changed",
             *(line for name in cycles for line in _writing(name))],
            self._folder,
            time_limit_s,
        )  # fmt: skip
        outcomes: dict[str, str] = {}
        for name, count in cycles.items():
            outcomes[name] = self._outcome(f"{name}.aig", count, ends, mutated=bool(mutation))
            if mutation and outcomes[name] == REFUTED:
                break
        return outcomes

    def _outcome(self, file: str, cycles: int, ends: float, *, mutated: bool) -> str:
        """Whether a promise is kept from any state. That its assumptions allow a run is asked of
        the unchanged core."""
        asked = [Question(file, cycles), *([] if mutated else [Question(file, cycles, runs=True)])]
        broken, *possible = ask(self._folder, asked, max(1.0, ends - time.monotonic()))
        if broken:
            return REFUTED
        return KEPT if all(possible) else EMPTY

    def verilog(self, mutation: str | None, name: str) -> str:
        """The changed core as a module of this name."""
        self._write(mutation, name, "write_verilog -noattr mutant.v")
        return (self._folder / "mutant.v").read_text()

    def is_equivalent(self, mutation: str, time_limit_s: float) -> bool:
        """Whether Yosys proves that a change changes nothing that leaves the core. If not, the
        change may still be one of states that no run reaches."""
        for name, change in (("gold", None), ("gate", mutation)):
            self._write(change, name, "memory_map", "opt -purge", f"write_rtlil {name}.il")
        try:
            run_yosys(
                ["read_rtlil gold.il", "read_rtlil gate.il", "equiv_make gold gate both",
                 "hierarchy -top both", "opt_clean", "equiv_simple -undef", "equiv_induct -undef",
                 "equiv_status -assert"],
                self._folder,
                time_limit_s,
            )  # fmt: skip
        except ToolError:
            return False
        return True

    def _write(self, mutation: str | None, name: str, *passes: str) -> None:
        """Run passes on the core alone, with its own ports, as a module of this name."""
        # What the core calls like its port is another object now.
        hidden = [f"rename -hide w:{port}" for port in self._ports]
        renamed = [f"rename {way}_{port} {port}" for port, way in self._ports.items()]
        run_yosys(
            ["read_rtlil prepared.il", *([mutation] if mutation else []),
             "delete spec/c:watch_*", "hierarchy -top spec", "flatten",
             "cd spec", *hidden, *renamed, "cd ..", f"rename spec {name}", "opt_clean -purge",
             *passes],
            self._folder,
        )  # fmt: skip


def _writing(name: str) -> list[str]:
    """Passes that write a watched core with one promise as AIGER."""
    return [
        "design -load changed",
        f"delete spec/c:watch_* spec/c:watch_{name} %d",
        "hierarchy -top spec",
        "flatten",
        *sat.GATES,
        f"{sat.WRITE} {name}.aig",
    ]


def _cells(rtlil: str) -> list[str]:
    """The cells and connections of a module whose wires are bits. What a wire is called depends on
    who reads it, so each bit but those of ports is called by its first place."""
    wires = {*re.findall(r"^  wire (?:.* )?(\S+)$", rtlil, re.MULTILINE)}
    ports = re.findall(r"^  wire .*(?:input|output) \d+ (\S+)$", rtlil, re.MULTILINE)
    places = {port: port for port in ports}

    def placed(match: re.Match[str]) -> str:
        wire = match[0]
        return places.setdefault(wire, str(len(places))) if wire in wires else wire

    cells, joins = (
        [re.sub(r"[\\$]\S+", placed, one) for one in sorted(found)]
        for found in (re.findall(r"^  cell .*?^  end$", rtlil, re.MULTILINE | re.DOTALL),
                      re.findall(r"^  connect .*$", rtlil, re.MULTILINE))
    )  # fmt: skip
    return [*cells, *sorted(joins)]
