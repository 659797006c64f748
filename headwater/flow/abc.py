# SPDX-License-Identifier: Apache-2.0
"""Bounded model checking by ABC, as the Python package pyosys brings it.

A design is a file of AIGER: failing assertions are its bad states, assumptions its constraints.
ABC merges equal logic of all cycles before its solver begins, as Yosys's own solver does not.
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
    r"No output asserted in (?P<followed>\d+) frames\.(?P<limited> Resource limit reached \(conf)?|"
    r"(?P<satisfied>SATISFIABLE)|UNSATISFIABLE)",
    re.MULTILINE,
)
_FEW_CYCLES = 2
"""Cycles up to which they can be merged: one circuit is made of all."""
_CONFLICTS = 200_000
"""Conflicts after which the solver gives up a question of few cycles, to begin anew with merged
logic. The step of RC4 takes 90,000 of them, and its memory is slow to merge."""
_MERGED = "&get; &fraig -C 1000; &put"


@dataclass(frozen=True)
class Question:
    """Whether an assertion can fail within so many cycles, under assumptions that hold until then.
    With ``runs``, whether a run of so many cycles meets the assumptions at all."""

    file: str
    cycles: int
    runs: bool = False
    witness: str = ""
    """A file into which the run is written in which the assertion fails, if it does."""
    at_once: bool = False
    """Whether all cycles are laid side by side and their equal logic is merged: quick where what
    happens when is known. There is no witness."""

    @property
    def can_be_merged(self) -> bool:
        """Whether all its cycles become one circuit if the solver gives up."""
        return 1 < self.cycles <= _FEW_CYCLES and not self.runs and not self.at_once

    def commands(self, *, merged: bool) -> str:
        """What ABC does. In place of whether there is a run, it is asked whether a first assertion,
        which always fails, fails in the last cycle."""
        if self.at_once:
            laid = f"fold -s; strash; frames -F {self.cycles} -i; orpos"
            return f"read_aiger {self.file}; {laid}; {_MERGED}; iprove"
        read, fails = ("; zeropo -o -N 0", f"-S {self.cycles - 1} ") if self.runs else ("", "")
        solved = f"bmc3 {fails}-F {self.cycles}"
        # Equal logic is merged: the solver does not find what two circuits of an S-box have in
        # common.
        if merged:
            solved = f"frames -i -F {self.cycles}; {_MERGED}; sat"
        elif self.can_be_merged:
            solved += f" -C {_CONFLICTS}"
        elif self.cycles == 1 and not self.runs:
            solved = f"{_MERGED}; {solved}"
        written = f"; write_cex -a {self.witness}" if self.witness else ""
        # Without -s a design whose assertions are constant would have no register, and be refused.
        return f"read_aiger {self.file}{read}; fold -s; {solved}{written}"

    @property
    def followed(self) -> int:
        """For how many cycles ABC says that it found nothing. Cycles before the first that it looks
        at do not count."""
        return 0 if self.runs and self.cycles > 1 else self.cycles


def ask(
    folder: Path, questions: Sequence[Question], time_limit_s: float | None = None
) -> list[bool]:
    """The answers to questions about designs in a folder, by one process, and another one for those
    that it gives up.

    Raises
    ------
    ToolError
        If the solver comes to no answer.
    """
    answers = _asked(folder, questions, time_limit_s, merged=False)
    left = [question for question, answer in zip(questions, answers, strict=True) if answer is None]
    again = iter(_asked(folder, left, time_limit_s, merged=True) if left else ())
    return [bool(next(again) if answer is None else answer) for answer in answers]


def _asked(
    folder: Path, questions: Sequence[Question], time_limit_s: float | None, *, merged: bool
) -> list[bool | None]:
    """The answers by one process; None where the solver gave up, to be asked again."""
    script = "; ".join(question.commands(merged=merged) for question in questions)
    log = run_tool(
        [_program(), "-c", script], cwd=folder, install=_INSTALL, time_limit_s=time_limit_s
    )
    answers = list(_ANSWER.finditer(log))
    if len(answers) != len(questions) or not all(
        _is_whole(question, answer) or (answer["limited"] and question.can_be_merged)
        for question, answer in zip(questions, answers, strict=True)
    ):
        tail = "\n".join(log.strip().splitlines()[-8:])
        raise ToolError(f"the SAT solver came to no answer:\n{tail}")
    return [
        bool(answer["found"] or answer["satisfied"]) if _is_whole(question, answer) else None
        for question, answer in zip(questions, answers, strict=True)
    ]


def _is_whole(question: Question, answer: re.Match[str]) -> bool:
    """Whether an answer is of all cycles."""
    return not answer["followed"] or int(answer["followed"]) == question.followed


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
    spec = find_spec("pyosys")
    if spec is None or spec.origin is None:
        raise ToolError(f"pyosys is not installed; install it with: {_INSTALL}")
    return Path(spec.origin).parent / "yosys-abc"
