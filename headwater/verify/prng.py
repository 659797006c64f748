# SPDX-License-Identifier: Apache-2.0
"""Whether the Verilog and the C of a source of random bits are its model."""

from __future__ import annotations

from collections import Counter

from headwater.emit.prng import prng_files, top_name
from headwater.emit.prng_testbench import prng_testbench
from headwater.errors import ToolError
from headwater.flow.c_library import c_compiler
from headwater.flow.folders import private_folder
from headwater.flow.testbench import compile_testbench, verdict
from headwater.flow.verilator import lint_files
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.verify.prng_c import c_faults
from headwater.verify.record import Record


def check_prng(shape: PrngShape) -> list[Record]:
    """Let Verilator read the Verilog with every warning on, and run its testbench, which compares
    each cycle with the model: with random enables, seed words at random moments, seeds broken off,
    and a state that is made zero. The same cycles run in the compiled C."""
    files, top = prng_files(shape), top_name(shape)
    warnings = tuple(lint_files(f"{top}_wrapper", files))
    bench = prng_testbench(shape)
    told = simulated(top, files | {f"{top}_tb.sv": bench})
    passed = told.startswith("PASS")
    return [
        Record(
            "lint",
            "verilator",
            architecture=shape.architecture,
            passed=int(not warnings),
            failures=warnings,
        ),
        Record(
            "cycles",
            "rtl",
            architecture=shape.architecture,
            passed=int(passed),
            failures=() if passed else (told,),
        ),
        _check_c(shape),
    ]


def _check_c(shape: PrngShape) -> Record:
    """The record of the C; without a compiler it is skipped."""
    try:
        c_compiler()
    except ToolError as error:
        return Record(
            "cycles", "c", architecture=shape.architecture, skip_reasons=Counter({str(error): 1})
        )
    fault = next(c_faults(shape), None)
    return Record(
        "cycles",
        "c",
        architecture=shape.architecture,
        passed=int(fault is None),
        failures=() if fault is None else (f"FAIL: {fault}",),
    )


def simulated(top: str, files: dict[str, str]) -> str:
    """What the testbench of a design prints, under Verilator."""
    with private_folder() as folder:
        return verdict(compile_testbench(f"{top}_tb", files, folder))
