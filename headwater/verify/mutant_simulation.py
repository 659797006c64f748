# SPDX-License-Identifier: Apache-2.0
"""The mutants of a core in simulation, in Verilator: its vectors, and its testbench.

One simulator of each kind has all mutants; it is told which one it is. Zero is the core itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from headwater.cipher.cases import KeystreamVector
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError, ToolError
from headwater.flow import verilator
from headwater.flow.mutation import SWITCH
from headwater.flow.process import ToolStoppedError
from headwater.flow.testbench import compile_testbench, verdict
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import VectorFile

_CHOICE = "mutant"
_CHOICE_BITS = 32
_LIMIT_S = 60.0
_FIRST = 4
"""So many of the shortest vectors come first: they catch most mutants."""
_PATIENCE = 100_000
"""After so many cycles without a word a core hangs. No setup takes as many."""


class Simulators:
    """The simulators of some mutants.

    Parameters
    ----------
    cipher, architecture
        The core.
    testbench
        Its testbench.
    files
        Its vectors.
    mutants
        The Verilog of a module called as the core's with ``_mutants``, with all its ports, and with
        an input for each mutant.
    count
        The number of mutants.
    folder
        To work in.
    """

    def __init__(
        self,
        cipher: Cipher,
        architecture: Architecture,
        testbench: str,
        files: Sequence[VectorFile],
        mutants: str,
        count: int,
        folder: Path,
    ) -> None:
        self._architecture = architecture
        self._files = files
        self._engine = RtlEngine(cipher, architecture)
        core = self._engine.verilog
        chosen = Port(_CHOICE, "input", _CHOICE_BITS)
        text = _choosing(core, count, by_port=True) + mutants
        self._engine.verilog = replace(core, text=text, ports=(*core.ports, chosen))
        text = _choosing(core, count, by_port=False) + mutants
        self._testbench = compile_testbench(
            f"{core.name}_tb", {"bench.v": testbench, "mutants.v": text}, folder
        )

    def close(self) -> None:
        """Remove what nobody will ask for again."""
        verilator.forget(self._engine.verilog)

    def vectors(self, number: int) -> str:
        """The first vector that a mutant fails; empty if there is none."""
        self._engine.begin = (f"input {_CHOICE} {number:x}", f"patience {_PATIENCE}")
        for part in self._parts():
            try:
                record = check_vectors(part, self._engine, self._architecture)
            except (ToolStoppedError, InputError):
                raise
            except (ValueError, StopIteration):
                return "too few words"
            except ToolError as error:
                # A core that hangs, or breaks a property that the harness checks.
                said = str(error).strip().splitlines()[-1][:80]
                if not re.match(r"cycle \d+: ", said):
                    raise
                return said
            if record.failures:
                return record.failures[0]
        return ""

    def testbench(self, number: int) -> str:
        """What the testbench says of a mutant that it catches; empty if it finds nothing."""
        said = verdict(self._testbench, [f"+{_CHOICE}={number}"], time_limit_s=_LIMIT_S)
        if not said:
            raise ToolError("the testbench must say PASS or FAIL")
        return said if said.startswith("FAIL") else ""

    def _parts(self) -> Iterator[VectorFile]:
        """The vectors in parts, of each file the shortest first."""
        for file in self._files:
            ordered = sorted(file.vectors, key=_length)
            for some in (ordered[:_FIRST], ordered[_FIRST:]):
                if some:
                    yield replace(file, vectors=tuple(some))


def _length(vector: object) -> int:
    """How many bits come before the end of a vector; of messages the order does not matter."""
    return vector.offset + vector.bits if isinstance(vector, KeystreamVector) else 0


def _choosing(core: Verilog, count: int, *, by_port: bool) -> str:
    """A module like the core, with the mutant that a port chooses, or else an argument of the
    simulator."""
    ports = [f"{port.direction} {_range(port.width)}{port.name}" for port in core.ports]
    chosen = f"{_range(_CHOICE_BITS)}{_CHOICE}"
    joined = [f".{port.name}({port.name})" for port in core.ports]
    joined += [f".{SWITCH}{number}({_CHOICE} == {number})" for number in range(1, count + 1)]
    lines = [f"module {core.name}({', '.join([*ports, f'input {chosen}'] if by_port else ports)});"]
    if not by_port:
        choice = f'$value$plusargs("{_CHOICE}=%d", {_CHOICE})'
        lines += [f"  reg {chosen} = 0;", f"  initial if (!{choice}) {_CHOICE} = 0;"]
    lines += [f"  {core.name}_mutants core (\n    {(',' + chr(10) + '    ').join(joined)}\n  );"]
    return "\n".join([*lines, "endmodule", ""])


def _range(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""
