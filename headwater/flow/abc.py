# SPDX-License-Identifier: Apache-2.0
"""Bounded model checking by ABC, as the Python package pyosys brings it.

A design is a file of AIGER: failing assertions are its bad states, assumptions its constraints.
ABC merges equal logic before its solver begins, as Yosys's own solver does not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.process import ToolStoppedError, run_tool

_INSTALL = "pip install pyosys"
_ANSWER = re.compile(
    r"^(?:Output \d+ of miter .* was (?P<found>asserted) in frame \d+\.|"
    r"No output asserted in (?P<followed>\d+) frames\.|"
    r"(?P<one>SATISFIABLE)|UNSATISFIABLE)",
    re.MULTILINE,
)
_FEW_CYCLES = 2
"""Cycles up to which all of them are one circuit, whose equal logic is merged."""


@dataclass(frozen=True)
class Question:
    """Whether an assertion can fail within so many cycles, under assumptions that hold until then.
    With ``runs``, whether a run of so many cycles meets the assumptions at all."""

    file: str
    cycles: int
    runs: bool = False
    witness: str = ""
    """A file into which the run is written in which the assertion fails, if it does."""

    @property
    def commands(self) -> str:
        """What ABC does. In place of whether there is a run, it is asked whether a first assertion,
        which always fails, fails in the last cycle."""
        read, fails = ("; zeropo -o -N 0", f"-S {self.cycles - 1} ") if self.runs else ("", "")
        solved = f"bmc3 {fails}-F {self.cycles}"
        if self._merged:
            # The solver does not find what two circuits of an S-box have in common.
            solved = f"frames -i -F {self.cycles}; &get; &fraig -C 1000; &put; sat"
        written = f"; write_cex -a {self.witness}" if self.witness else ""
        # Without -s a design whose assertions are constant would have no register, and be refused.
        return f"read_aiger {self.file}{read}; fold -s; {solved}{written}"

    @property
    def _merged(self) -> bool:
        """Whether equal logic is merged before the solver begins."""
        return self.cycles <= _FEW_CYCLES and not self.runs

    @property
    def followed(self) -> int:
        """For how many cycles ABC says that it found nothing. Cycles before the first that it looks
        at do not count."""
        return 0 if self.runs and self.cycles > 1 else self.cycles

    def is_answer(self, answer: re.Match[str]) -> bool:
        """Whether this is what ABC says of the question, and of all its cycles."""
        by_frames = answer["found"] or answer["followed"]
        if self._merged or not by_frames:
            return self._merged and not by_frames
        return not answer["followed"] or int(answer["followed"]) == self.followed


def ask(
    folder: Path, questions: Sequence[Question], time_limit_s: float | None = None
) -> list[bool]:
    """The answers to questions about designs in a folder, by one process.

    Raises
    ------
    ToolError
        If the solver comes to no answer.
    """
    script = "; ".join(question.commands for question in questions)
    log = run_tool(
        [_program(), "-c", script], cwd=folder, install=_INSTALL, time_limit_s=time_limit_s
    )
    answers = list(_ANSWER.finditer(log))
    if len(answers) != len(questions) or not all(map(Question.is_answer, questions, answers)):
        tail = "\n".join(log.strip().splitlines()[-8:])
        raise ToolError(f"the SAT solver came to no answer:\n{tail}")
    return [bool(answer["found"] or answer["one"]) for answer in answers]


def is_always_kept(folder: Path, file: str, time_limit_s: int) -> bool | None:
    """Whether no assertion of a design fails in a run of any length, by property-directed
    reachability: ABC looks for an invariant, and verifies the one that it finds. None if it comes
    to no answer in time."""
    script = f"read_aiger {file}; fold -s; pdr -T {time_limit_s}"
    # ABC is asked to stop by itself, and stopped if it does not.
    log = run_tool(
        [_program(), "-c", script], cwd=folder, install=_INSTALL, time_limit_s=2.0 * time_limit_s
    )
    reached = _reached(log)
    return None if reached is None else not reached


def are_equivalent(folder: Path, first: str, second: str, time_limit_s: float) -> bool:
    """Whether two designs are proven to have the same outputs in every run; `ToolStoppedError` if
    there is no answer in time."""
    # What is equal in every cycle is merged; if no register is left, no step of time is.
    proof = f"strash; scorr; sat; pdr -T {math.ceil(time_limit_s)}"
    script = f"miter {first} {second}; {proof}"
    return not _decided(folder, script, time_limit_s, "two designs are the same")


def is_satisfiable(folder: Path, file: str, time_limit_s: float) -> bool:
    """Whether the one output of a design of gates alone, in BLIF, can be one; `ToolStoppedError` if
    there is no answer in time."""
    script = f"read_blif {file}; strash; dfraig; sat -C 0"
    return _decided(folder, script, time_limit_s, "an output can be one")


def _decided(folder: Path, script: str, time_limit_s: float, question: str) -> bool:
    log = run_tool(
        [_program(), "-c", script], cwd=folder, install=_INSTALL, time_limit_s=time_limit_s
    )
    answer = _reached(log)
    if answer is None:
        raise ToolStoppedError(
            f"ABC must say within {time_limit_s:g} s whether {question}, but did not"
        )
    return answer


def _reached(log: str) -> bool | None:
    """Whether ABC says that an output can be one; None if it says neither."""
    if re.search(r"^(UNSATISFIABLE|Property proved)", log, re.MULTILINE):
        return False
    if re.search(r"^SATISFIABLE|was asserted in frame", log, re.MULTILINE):
        return True
    return None


def _program() -> Path:
    found = find_spec("pyosys")
    if found is None or found.origin is None:
        raise ToolError(f"pyosys is not installed; install it with: {_INSTALL}")
    return Path(found.origin).parent / "yosys-abc"
