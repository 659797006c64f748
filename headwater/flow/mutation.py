# SPDX-License-Identifier: Apache-2.0
"""Random changes of a core, by Yosys' ``mutate``, and what the solver says of a changed core.

The design is that of `headwater.verify.proof.with_checkers`: the module ``spec`` with the core and
one submodule for each property. A mutation is the command of Yosys that makes it.

Many mutations are made in one netlist, each with an input that switches it on. So what is made of
the netlist - a design for each property, a simulator - is made once for all of them.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from operator import itemgetter
from pathlib import Path
from random import Random

from headwater.flow import sat
from headwater.flow.abc import Question, are_equivalent, ask
from headwater.flow.aiger import Switched
from headwater.flow.replay import Replay
from headwater.flow.trace import NAMED, Trace, read_trace
from headwater.flow.write_aiger import finish, writing
from headwater.flow.yosys import run_yosys

_CORE = "spec.core"
SWITCH = "mutant_"
"""The name of an input that switches a mutation on begins so; its number, from one, follows."""
_RINGS = ("drivers", "before", "near")
_NEAR = (
    "select -set checking t:$check r:FLAVOR=assert %i %ci* c:*check_* %i",
    "select -set drivers @checking %ci1 %ci1 c:core.* %i",
    "select -set before @drivers %ci2 c:core.* %i",
    "select -set within @checking %ci*:-$dff",
    "select -set registers @within %ci1 t:$dff %i",
    "select -set near @within @registers %u @registers %ci1 %ci*:-$dff %u c:core.* %i",
    *(f"select -write {ring}.txt @{ring}" for ring in _RINGS),
)
"""Passes that write which cells of the core in a flat module the assertions depend on in a cycle:
those that drive what they read, these with the cells before, and all of them."""
KEPT, REFUTED, EMPTY = "kept", "refuted", "no run"
"""What a check says of a property; "no run" if its assumptions exclude every run."""


class MutableCore:
    """A checked core, in a folder of its own.

    Parameters
    ----------
    rtlil
        The design.
    folder
        An empty folder.
    ports
        The core's ports: "in" or "out" by name.
    properties
        The names of those that are checked.
    shows
        Whether the values of runs that break them are wanted.
    """

    def __init__(
        self,
        rtlil: str,
        folder: Path,
        ports: Mapping[str, str],
        properties: Sequence[str],
        *,
        shows: bool = False,
    ) -> None:
        self._folder = folder
        self._shows = shows
        self._ports = ports
        self._properties = properties
        self._numbers: dict[str, int] = {}
        self._designs: dict[str, Switched] = {}
        self._replaying: Replay | None = None
        (folder / "spec.il").write_text(rtlil)
        for name, text in sat.FILES.items():
            (folder / name).write_text(text)
        run_yosys(
            [
                "read_rtlil spec.il",
                "proc",
                f"flatten {_CORE}",
                "opt_expr",
                "opt_clean",
                # Yosys counts what it names on, so that names would depend on the properties.
                f"rename -enumerate -pattern $core% {_CORE}",
                "write_rtlil prepared.il",
            ],
            folder,
        )

    @property
    def has_outputs(self) -> bool:
        """Whether ports of the core are known that something leaves by."""
        return "out" in self._ports.values()

    @cached_property
    def sha256(self) -> str:
        """The hash of core and properties."""
        # Of the first lines one names the version of Yosys, which is known otherwise, and one how
        # many names it has given.
        text = (self._folder / "prepared.il").read_text().split("\n", 2)[2]
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def core_sha256(self) -> str:
        """The hash of the core alone: the same whatever checks it."""
        run_yosys(
            [
                "read_rtlil prepared.il",
                *sat.OPEN,
                *self._alone("core"),
                "splitnets -ports",
                "opt_clean -purge",
                "write_rtlil core.il",
            ],
            self._folder,
        )
        text = (self._folder / "core.il").read_text()
        return hashlib.sha256("\n".join(_cells(text)).encode()).hexdigest()

    def mutations(self, count: int, seed: int) -> list[str]:
        """As many different mutations, the same for the same seed; fewer if there are no more."""
        every = self._list_core("0")
        # Yosys' own choice of almost all has no end.
        if 2 * count > len(every):
            return _drawn(every, seed)[:count]
        return self._list_core(f"{count} -seed {seed}")

    def _list_core(self, how: str) -> list[str]:
        self._list({"every": f"select {_CORE}"}, how)
        return list(dict.fromkeys(self._listed("every")))

    def mutations_near(self, prop: str, count: int, seed: int) -> list[str]:
        """The same of cells that a property depends on within a cycle: those between registers and
        what it reads, these registers, and what they take next. A third of the changes is of what
        it reads, another one also of the cell before."""
        passes = [*_alone(prop), "opt_clean", "cd spec", *_NEAR]
        run_yosys(["read_rtlil prepared.il", *passes], self._folder)
        for ring in _RINGS:
            file = self._folder / f"{ring}.txt"
            # A cell of the flat module is called after the core that it is of.
            cells = re.findall(r"^spec/core\.(.*)$", file.read_text(), re.MULTILINE)
            file.write_text("".join(f"{_CORE}/\\{cell}\n" for cell in cells))
        # Yosys' own choice among few has no end, so it lists all.
        self._list({ring: f"select -read {ring}.txt" for ring in _RINGS}, "0")
        drawn: dict[str, None] = {}
        for part, ring in enumerate(_RINGS, start=1):
            several = (line for line in _drawn(self._listed(ring), seed) if line not in drawn)
            drawn |= dict.fromkeys(islice(several, part * count // len(_RINGS) - len(drawn)))
        return list(drawn)

    def _list(self, chosen: Mapping[str, str], how: str) -> None:
        """Let Yosys list changes of what some passes select, by the names of the lists."""
        passes = [
            line
            for name, select in chosen.items()
            for line in (select, f"mutate -list {how} -o {name}.ys")
        ]
        run_yosys(["read_rtlil prepared.il", *passes], self._folder)

    def _listed(self, name: str) -> list[str]:
        lines = (self._folder / f"{name}.ys").read_text().splitlines()
        return [line for line in lines if line.startswith("mutate ")]

    def make(self, mutations: Sequence[str]) -> None:
        """Make the netlist that has these mutations; the others are forgotten."""
        self._numbers = {mutation: number for number, mutation in enumerate(mutations, start=1)}
        switched = [
            f"{mutation} -ctrl {SWITCH}{number} 1 1" for mutation, number in self._numbers.items()
        ]
        properties = [line for name in self._properties for line in _writing_property(name)]
        run_yosys(
            [
                "read_rtlil prepared.il",
                *switched,
                *NAMED,
                "design -save reset",
                *sat.OPEN,
                "write_rtlil changed.il",
                "design -save changed",
                *properties,
                *self._writing_core(),
            ],
            self._folder,
        )
        self._designs = {name: self._switched(name) for name in (*self._properties, _CORE)}
        self._replaying = None

    def number(self, mutation: str) -> int:
        """The number of a mutation in the netlist; zero of none."""
        return self._numbers[mutation] if mutation else 0

    def verilog(self, name: str) -> str:
        """The core with all mutations as a module of this name: its ports, and a switch for each
        mutation."""
        run_yosys(
            [
                "read_rtlil changed.il",
                *self._alone(name),
                "opt_clean -purge",
                "write_verilog -noattr mutants.v",
            ],
            self._folder,
        )
        return (self._folder / "mutants.v").read_text()

    def size(self, prop: str) -> int:
        """How many ANDs the design of a property has."""
        return self._designs[prop].ands

    def outcome(self, mutation: str, prop: str, cycles: int, time_limit_s: float) -> str:
        """What the solver says of a property of a changed core that may begin in any state and is
        followed for so many cycles. If it does not depend on what is changed, it is kept."""
        switch = self._switch(mutation)
        design = self._designs[prop]
        if switch and not design.reads(switch):
            return KEPT
        design.write(self._folder / "asked.aig", switch)
        question = Question("asked.aig", cycles, witness="witness")
        [broken] = ask(self._folder, [question], time_limit_s)
        return REFUTED if broken else KEPT

    def replayed(self, mutation: str, prop: str) -> str:
        """What Verilator says of the run by which `outcome` refuted a property of a changed core
        just now: a line that begins with PASS if it breaks the property, else with FAIL."""
        return self._replay().said(self._run(mutation, prop), prop)

    def shown(self, mutation: str, prop: str) -> str:
        """The values of all signals in that run, as a file of waveforms."""
        return self._replay().vcd(self._run(mutation, prop), prop)

    def _run(self, mutation: str, prop: str) -> Trace:
        """The run, with the switch of the mutation on."""
        trace = read_trace(self._folder / "witness", self._folder / f"{prop}.names")
        on = {f"{SWITCH}{self.number(mutation)}": 1}
        return [
            {name: value for name, value in cycle.items() if not name.startswith(SWITCH)} | on
            for cycle in trace
        ]

    def _replay(self) -> Replay:
        """The present mutations and all their checkers, in Verilator."""
        if self._replaying is None:
            folder = self._folder / "replay"
            folder.mkdir(exist_ok=True)
            design = ["read_rtlil ../changed.il", "hierarchy -top spec"]
            self._replaying = Replay(design, folder, self._properties, shown=self._shows)
        return self._replaying

    def unchanged(self, prop: str, cycles: int, time_limit_s: float) -> str:
        """What the solver says of a property of the core itself, and whether its assumptions allow
        a run."""
        outcome = self.outcome("", prop, cycles, time_limit_s)
        if outcome == REFUTED:
            return REFUTED
        [possible] = ask(self._folder, [Question("asked.aig", cycles, runs=True)], time_limit_s)
        return KEPT if possible else EMPTY

    def is_equivalent(self, mutation: str, time_limit_s: float) -> bool:
        """Whether ABC proves that a change changes nothing that leaves the core, in any run that
        begins as after a reset."""
        design = self._designs[_CORE]
        switch = self._switch(mutation)
        if not switch or not design.reads(switch):
            return True
        design.write(self._folder / "gold.aig", None)
        design.write(self._folder / "gate.aig", switch)
        return are_equivalent(self._folder, "gold.aig", "gate.aig", time_limit_s)

    def _switch(self, mutation: str) -> str | None:
        return f"{SWITCH}{self._numbers[mutation]}" if mutation else None

    def _switched(self, name: str) -> Switched:
        """What was written of a property, or of the core."""
        file = self._folder / f"{name}.aig"
        finish(file)
        return Switched(file, self._folder / f"{name}.names", SWITCH)

    def _writing_core(self) -> list[str]:
        """Passes that write the core as AIGER. Its registers begin as after a reset."""
        return ["design -load reset", *self._alone("core"), *sat.FLAT, *writing(f"{_CORE}.aig")]

    def _alone(self, name: str) -> list[str]:
        """Passes after which the core is alone, with its own ports, as a module of this name."""
        # What the core calls like its port is another object now.
        hidden = [f"rename -hide w:{port}" for port in self._ports]
        renamed = [f"rename {way}_{port} {port}" for port, way in self._ports.items()]
        return [
            "delete spec/c:check_*",
            "hierarchy -top spec",
            "flatten",
            "cd spec",
            *hidden,
            *renamed,
            "cd ..",
            f"rename spec {name}",
            "opt_clean -purge",
        ]


def _writing_property(name: str) -> list[str]:
    """Passes that write a checked core with one property as AIGER."""
    return [
        "design -load changed",
        *_alone(name),
        "delete -output o:*",
        *sat.FLAT,
        *writing(f"{name}.aig"),
    ]


def _drawn(mutations: Iterable[str], seed: int) -> list[str]:
    """Mutations in a random order: one of each cell before a second one of any."""
    choice, of_cells = Random(seed), defaultdict(list)
    for mutation in mutations:
        of_cells[mutation.partition(" -cell ")[2].partition(" ")[0]].append(mutation)
    cells = list(of_cells.values())
    choice.shuffle(cells)
    for several in cells:
        choice.shuffle(several)
    ranked = [(rank, one) for several in cells for rank, one in enumerate(several)]
    return [one for _, one in sorted(ranked, key=itemgetter(0))]


def _alone(name: str) -> list[str]:
    """Passes that make a checked core flat, with one property alone."""
    return [f"delete spec/c:check_* spec/c:check_{name} %d", "hierarchy -top spec", "flatten"]


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
        [re.sub(r"[\\$]\S+", placed, one) for one in sorted(cell)]
        for cell in (
            re.findall(r"^  cell .*?^  end$", rtlil, re.MULTILINE | re.DOTALL),
            re.findall(r"^  connect .*$", rtlil, re.MULTILINE),
        )
    )
    return [*cells, *sorted(joins)]
