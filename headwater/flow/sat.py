# SPDX-License-Identifier: Apache-2.0
"""Proofs on RTLIL with assertions and assumptions in it: Yosys writes it as AIGER, ABC solves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from pathlib import Path

from headwater.errors import ToolError
from headwater.files import write_whole
from headwater.flow import write_aiger
from headwater.flow.abc import Question, ask, is_always_kept
from headwater.flow.replay import Replay
from headwater.flow.trace import NAMED, read_trace
from headwater.flow.yosys import run_yosys

OPEN = (
    "proc",
    # Only registers of the checker start from their initial values; the core may start in
    # any state.
    "setattr -unset init w:* w:spec_* %d w:*.spec_* %d",
)
"""Passes after which no register of a core has an initial value."""

# A word of a table, which is a shift by a multiple of the word's width, as a tree of multiplexers:
# those of constants are merged. The solver's own shifter would have the whole table in each stage.
_READ_TABLE = """\
(* techmap_celltype = "$shift" *)
module read_table (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTVAL_B_ = 0;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam PLACE_BITS = $clog2(Y_WIDTH);
  localparam WORD = 1 << PLACE_BITS;
  localparam INDEX_BITS = B_WIDTH - PLACE_BITS;
  localparam [B_WIDTH-1:0] ZEROS = _TECHMAP_CONSTMSK_B_ & ~_TECHMAP_CONSTVAL_B_;
  localparam UNALIGNED = |(~ZEROS & (WORD - 1));
  wire _TECHMAP_FAIL_ = A_SIGNED || B_SIGNED || UNALIGNED || INDEX_BITS < 1 || INDEX_BITS > 10;
  wire [(WORD << INDEX_BITS)-1:0] table = A;
  wire [WORD-1:0] word;
  \\$bmux #(.WIDTH(WORD), .S_WIDTH(INDEX_BITS)) read (
    .A(table), .S(B[B_WIDTH-1:PLACE_BITS]), .Y(word));
  assign Y = word;
endmodule
"""

FILES: Mapping[str, str] = {"read_table.v": _READ_TABLE, **write_aiger.FILES}
"""What the passes read, by file name."""

FLAT = (
    # What no assertion and no output reads is not worth writing.
    "opt_clean -purge",
    "memory_map",
    # So that the constant bits of an index are seen.
    "opt_expr",
    "techmap -map read_table.v",
    "chformal -lower",
)
"""Passes that leave of a flat design what its checks and outputs depend on."""

# An assertion in the step of an induction: it held in every earlier cycle, and fails in cycle
# DEPTH, counted from zero, at the earliest.
_STEP = """\
(* techmap_celltype = "$assert" *)
module step (A, EN);
  input A, EN;
  wire before;
  (* init = 0 *) wire [DEPTH:1] passed;
  wire [DEPTH:0] begun = {passed, 1'b1};
  \\$ff #(.WIDTH(1)) earlier (.D(A | ~EN), .Q(before));
  \\$ff #(.WIDTH(DEPTH)) age (.D(begun[DEPTH-1:0]), .Q(passed));
  \\$assume known (.A(before), .EN(1'b1));
  \\$assert wanted (.A(A), .EN(EN & passed[DEPTH]));
endmodule
"""


_CORE = "spec.core"
"""The module of a core beside its checkers."""


@dataclass(frozen=True)
class Check:
    """Whether no assertion in a design can fail.

    Members
    -------
    rtlil
        One top module; registers named ``spec_...`` keep their initial values, all others start
        with any content.
    cycles
        Number of cycles that a run is followed.
    by_induction
        Whether to prove the property for runs of any length: by an induction over up to ``cycles``
        cycles, or where that does not come to an end, by an invariant that the solver finds.
    begins
        What registers of the core in the design begin with, by name; all others as above. If any
        do, the cycles are laid side by side, and no run is written.
    zeros
        Inputs of the design that are zero; all others are free.
    """

    rtlil: str
    cycles: int
    by_induction: bool = False
    begins: Mapping[str, int] = field(default_factory=dict)
    zeros: Sequence[str] = ()


class Verdict(Enum):
    """What the solver says of a check."""

    HOLDS = "no assertion can fail"
    FAILS = "an assertion can fail"
    NO_RUN = "the assumptions exclude every run"
    NO_END = "neither induction nor a search for an invariant came to an end"


_SEARCH_S = 60
"""Longest search for an invariant."""


@dataclass(frozen=True)
class Answer:
    """What the solver says of a check, and how it came to know."""

    verdict: Verdict
    method: str


def answers(
    checks: Sequence[Check], folder: Path, time_limit_s: float | None = None
) -> list[Answer]:
    """What the solver says of each check. Processes are shared, since they take longer to start
    than for most checks.

    Raises
    ------
    ToolError
        If the solver comes to no answer; `TookTooLongError` if one question to it takes longer
        than the limit.
    """
    told: dict[int, Answer] = {}
    for depth in range(1, max((check.cycles for check in checks), default=0) + 1):
        left = {
            number: depth * check.by_induction
            for number, check in enumerate(checks)
            if number not in told and depth <= _deepest(check)
        }
        if left:
            told |= _told(checks, left, folder, time_limit_s)
    for number in range(len(checks)):
        if number not in told:
            told[number] = _searched(folder, number)
    return [told[number] for number in range(len(checks))]


def _told(
    checks: Sequence[Check],
    depths: Mapping[int, int],
    folder: Path,
    time_limit_s: float | None,
) -> Iterator[tuple[int, Answer]]:
    """The answers that there are, by an induction from as many cycles as ``depths`` says of each
    check; zero stands for none."""
    _write_aiger({number: checks[number] for number in depths}, depths, folder)
    asked = {number: _questions(number, checks[number], depth) for number, depth in depths.items()}
    questions = [question for several in asked.values() for question in several]
    said = iter(ask(folder, questions, time_limit_s))
    for number, questions in asked.items():
        verdict, depth = _verdict(*islice(said, len(questions))), depths[number]
        if verdict is not Verdict.NO_END:
            yield number, Answer(verdict, _method(checks[number], depth))


def _method(check: Check, depth: int) -> str:
    if depth:
        return f"induction from {depth} cycle{'s' * (depth > 1)}"
    return f"all runs of {check.cycles} cycle{'s' * (check.cycles > 1)}"


def _searched(folder: Path, number: int) -> Answer:
    """The answer of a search for an invariant, in a folder that has the design of the check."""
    kept = is_always_kept(folder, f"asserted{number}.aig", _SEARCH_S)
    verdict = {True: Verdict.HOLDS, False: Verdict.FAILS, None: Verdict.NO_END}[kept]
    return Answer(verdict, "an invariant found by PDR")


def _deepest(check: Check) -> int:
    return check.cycles if check.by_induction else 1


def _questions(number: int, check: Check, depth: int) -> list[Question]:
    """Whether there is a run, whether a check fails, and whether the step of its induction does."""
    asserted, step = f"asserted{number}.aig", f"step{number}.aig"
    runs = Question(asserted, check.cycles, runs=True)
    cycles, at_once = depth or check.cycles, bool(check.begins)
    fails = Question(asserted, cycles, witness=f"witness{number}", at_once=at_once)
    return [runs, fails, *([Question(step, depth + 1)] if depth else [])]


def _verdict(possible: bool, broken: bool, unproven: bool = False) -> Verdict:
    if not possible:
        return Verdict.NO_RUN
    if broken:
        return Verdict.FAILS
    return Verdict.NO_END if unproven else Verdict.HOLDS


def holds(check: Check, folder: Path) -> bool:
    """Whether no assertion can fail.

    Raises
    ------
    ToolError
        If there is no run, or the solver gives no answer.
    """
    (answer,) = each_holds([check], folder)
    return answer


def each_holds(checks: Sequence[Check], folder: Path) -> list[bool]:
    """What `holds` says of each check, by processes that are shared."""
    told = [answer.verdict for answer in answers(checks, folder)]
    for check, verdict in zip(checks, told, strict=True):
        if verdict in (Verdict.NO_RUN, Verdict.NO_END):
            raise ToolError(f"{verdict.value} within {check.cycles} cycles")
    return [verdict is Verdict.HOLDS for verdict in told]


def _write_aiger(checks: Mapping[int, Check], depths: Mapping[int, int], folder: Path) -> None:
    """Write designs, by their numbers, as AIGER; of those whose depth is not zero also the step of
    an induction from so many cycles."""
    passes = []
    files = []
    for number, check in checks.items():
        depth, text = depths[number], check.rtlil
        passes += [*_begin(check, folder, number), "delete -output o:*", *FLAT]
        if depth:
            (folder / f"step{depth}.v").write_text(_STEP.replace("DEPTH", str(depth)))
            passes += [
                "design -save flat",
                *write_aiger.writing(f"asserted{number}.aig", text),
                "design -load flat",
                "setattr -unset init w:*",
                f"techmap -max_iter 1 -map step{depth}.v",
                *write_aiger.writing(f"step{number}.aig", text),
            ]
            files.append(f"step{number}.aig")
        else:
            passes += write_aiger.writing(f"asserted{number}.aig", text)
        files.append(f"asserted{number}.aig")
    run_yosys(passes, folder, forgetting=True)
    for file in files:
        write_aiger.finish(folder / file)


def _begin(check: Check, folder: Path, number: int) -> list[str]:
    """Passes that read a design, called by a number, and make it flat."""
    for name, text in {f"spec{number}.il": check.rtlil, **FILES}.items():
        (folder / name).write_text(text)
    begins = [f"setattr -set init {value} {_CORE}/w:{name}" for name, value in check.begins.items()]
    zeros = [f"delete -input spec/w:{name}" for name in check.zeros]
    zeros += ["setundef -undriven -zero spec"] if zeros else []
    return ["design -reset", *_reading(f"spec{number}.il"), *begins, *zeros, "flatten"]


def _reading(file: str) -> list[str]:
    return [f"read_rtlil {file}", "hierarchy -auto-top", *OPEN, *NAMED]


def replayed(folder: Path, number: int, checker: str, shown: Path | None = None) -> str:
    """What Verilator says of the run in which an assertion of a checker can fail, according to what
    `answers` said in this folder of the check of that number: a line that begins with PASS if one
    fails, else with FAIL. The values of all signals are written into the file ``shown``."""
    trace = read_trace(folder / f"witness{number}", folder / f"asserted{number}.names")
    inside = folder / f"replay{number}"
    inside.mkdir()
    design = Replay(_reading(f"../spec{number}.il"), inside, [checker], shown=shown is not None)
    if shown:
        write_whole(shown, design.vcd(trace, checker).encode())
    return design.said(trace, checker)
