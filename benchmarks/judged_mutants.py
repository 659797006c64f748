# SPDX-License-Identifier: Apache-2.0
"""Does `headwater bench` refuse a core with one wrong gate?

    python benchmarks/judged_mutants.py [--each N] [--core FILE.v=CIPHER[=FILE.toml] ..]

Of each core random gates are changed, one at a time, until N (default 20) of the mutants are no
equal of the core: another function of the same inputs. By default the cores are five of ours, which
are judged as anyone's are: nothing is told but the cipher's name. A mutant that passes is held
against the core by SAT: in all that a session reaches, with inputs as `bench` holds them, whatever
the state of the cipher, outputs and next state are the same, or they are not, and `bench` has a
hole. The exit status is 1 if there is one, or a mutant of which no wrong bit is named. What it
printed is kept in docs/judged-mutants.txt.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from amaranth.back import rtlil
from amaranth.hdl import Assert, Assume, Cat, Const, Instance, Module, Signal

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import HeadwaterError
from headwater.flow.folders import private_folder
from headwater.flow.sat import Check, Verdict, answers
from headwater.foreign.attempt import Attempt, attempts
from headwater.foreign.judging import judge_netlist
from headwater.foreign.netlist import Netlist
from headwater.foreign.ports import guess
from headwater.foreign.proof import logic_of
from headwater.foreign.reading import read_core
from headwater.foreign.search import RUNS
from headwater.foreign.session import simulate
from headwater.foreign.settings import Settings, read_settings
from headwater.kinds.stepped.runs import RunCipher, run_cipher

OWN = (("trivium", 8), ("bivium", 1), ("grain_v1", 8), ("espresso", 1), ("a51", 1))
"""Ciphers and radices of the default cores."""
NAMED, SILENT = "refused, the wrong bit named", "refused, no wrong bit named"
EQUAL, HOLE = "equal to the core", "NOT NOTICED"
_OTHERS = {
    "$_AND_": ("$_OR_", "$_XOR_"),
    "$_OR_": ("$_AND_", "$_XOR_"),
    "$_XOR_": ("$_OR_", "$_AND_"),
    "$_NOT_": ("$_BUF_",),
}
_ONES = (1 << RUNS) - 1
_BOTH = ("core", "mutant")
_RESET = 2
"""Cycles of a session after which control is not what power-up left."""


def mutants(netlist: Netlist, seed: str) -> Iterator[tuple[str, Netlist]]:
    """Random changes of one gate, each of another gate, with what was changed."""
    source = random.Random(seed)
    cells = netlist.module["cells"]
    names = [name for name, cell in cells.items() if cell["type"] in {*_OTHERS, "$_MUX_"}]
    for name in source.sample(names, len(names)):
        module: Any = deepcopy(netlist.module)
        cell = module["cells"][name]
        if cell["type"] == "$_MUX_":
            nets = cell["connections"]
            nets["A"], nets["B"] = nets["B"], nets["A"]
            yield f"$_MUX_ the other way round, {name}", Netlist(module)
        else:
            other = source.choice(_OTHERS[cell["type"]])
            told = f"{cell['type']} to {other}, {name}"
            cell["type"] = other
            yield told, Netlist(module)


def result(
    core: Netlist, mutant: Netlist, cipher: RunCipher, settings: Settings
) -> tuple[str, str]:
    """What came of a mutant, and what is said of it."""
    try:
        verdict = judge_netlist(mutant, cipher, settings, causes=False)
    except HeadwaterError as error:
        return SILENT, str(error)
    if not verdict.passes and verdict.wrong:
        return NAMED, verdict.wrong[0]
    if not verdict.passes:
        said = [one.text for one in verdict.layers if one.result == "no"]
        return SILENT, (verdict.causes or said)[0]
    return EQUAL if equal(core, mutant, right_attempt(core, cipher, settings)) else HOLE, ""


def right_attempt(core: Netlist, cipher: RunCipher, settings: Settings) -> Attempt:
    """The session in which a right core gives its keystream."""
    ports = guess(core, cipher, settings)
    ways = attempts(core, cipher, ports, settings.session, sure=bool(settings.reset))
    return next(one for one in ways if one.match)


def equal(core: Netlist, mutant: Netlist, attempt: Attempt) -> bool:
    """Whether the solver proves that two cores do the same in each cycle of a session: the outputs,
    and what depends on key and IV, whatever that is before. Their control may differ, as long as
    nothing of this depends on it: each has its own."""
    own = attempt.trace
    other = simulate(mutant, attempt.plan, attempt.bits, RUNS, len(own.states))
    cycles = range(_RESET, len(own.states))
    control = [
        flop
        for flop in range(len(core.q))
        if all(
            trace.states[cycle][flop] in (0, _ONES) for trace in (own, other) for cycle in cycles
        )
    ]
    steady = [
        place
        for place in range(len(core.input_bits))
        if all(own.inputs[cycle][place] in (0, _ONES) for cycle in cycles)
    ]
    reached = {
        tuple(
            one & 1
            for one in (
                *(own.states[cycle][flop] for flop in control),
                *(other.states[cycle][flop] for flop in control),
                *(own.inputs[cycle][place] for place in steady),
            )
        )
        for cycle in cycles
    }
    m = Module()
    data, i = Signal(len(core.q), name="data"), Signal(max(1, len(core.input_bits)), name="i")
    controls = [Signal(max(1, len(control)), name=f"{name}_control") for name in _BOTH]
    pinned = [bit for one in controls for bit in one[: len(control)]] + [i[n] for n in steady]
    values = (Const(sum(bit << n for n, bit in enumerate(bits)), len(bits)) for bits in reached)
    m.d.comb += Assume(Cat(*(Cat(*pinned) == value for value in values)).any())
    after = []
    for name, held in zip(_BOTH, controls, strict=True):
        at = {flop: held[place] for place, flop in enumerate(control)}
        q = Cat(*(at.get(flop, data[flop]) for flop in range(len(core.q))))
        d = Signal(len(core.q), name=f"{name}_d")
        y = Signal(max(1, len(core.output_bits)), name=f"{name}_y")
        m.submodules[name] = Instance(f"{name}_logic", i_q=q, i_i=i, o_d=d, o_y=y)
        after.append(Cat(y, *(d[flop] for flop in range(len(core.q)) if flop not in at)))
    m.d.comb += Assert(after[0] == after[1])
    text = "\n".join(
        [
            logic_of(core, "core_logic"),
            logic_of(mutant, "mutant_logic"),
            rtlil.convert(m, name="checker", ports=[data, i, *controls], emit_src=False),
        ]
    )
    with private_folder() as folder:
        (answer,) = answers([Check(text, 1)], folder)
    return answer.verdict is Verdict.HOLDS


def cores(given: list[str]) -> Iterator[tuple[str, Netlist, RunCipher, Settings]]:
    """The cores that were named, or ours."""
    for words in given:
        path, name, *toml = words.split("=")
        settings = read_settings(Path(toml[0]) if toml else None)
        yield path, read_core([Path(path)], settings).netlist, run_cipher(find(name)), settings
    for name, radix in () if given else OWN:
        cipher = find(name)
        with private_folder() as folder:
            file = folder / "core.v"
            file.write_text(generate(cipher, Architecture.choose(cipher, radix=radix)).text)
            core = read_core([file], Settings()).netlist
        yield f"{name} radix {radix}", core, run_cipher(cipher), Settings()


def main() -> int:
    """Print what came of each mutant, then how many were refused."""
    parser = argparse.ArgumentParser(description="change one gate of a core, and judge it")
    parser.add_argument("--each", type=int, default=20, metavar="N", help="mutants of each core")
    parser.add_argument("--core", action="append", default=[], metavar="FILE=CIPHER[=TOML]")
    given = parser.parse_args()
    found: Counter[str] = Counter()
    for name, core, cipher, settings in cores(given.core):
        here: Counter[str] = Counter()
        for told, mutant in mutants(core, name):
            what, said = result(core, mutant, cipher, settings)
            here[what] += 1
            print(f"{name}: {told}: {what}{f': {said}' if said else ''}", flush=True)
            if here.total() - here[EQUAL] == given.each:
                break
        found += here
    refused = found[NAMED] + found[SILENT]
    print(
        f"{refused} of {refused + found[HOLE]} mutants that are no equal of their core are "
        f"refused, of {found[NAMED]} the wrong bit is named; {found[EQUAL]} others are equal"
    )
    return 1 if found[HOLE] or found[SILENT] else 0


if __name__ == "__main__":
    sys.exit(main())
