# SPDX-License-Identifier: Apache-2.0
"""Checks of one cipher: vectors in an engine, and lint of its Verilog."""

from __future__ import annotations

from collections import Counter

from headwater.cipher.description import ShiftRegisterCipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow import verilator
from headwater.verify.engine import Engine, Segment
from headwater.verify.record import Record
from headwater.verify.vectors import Vector, VectorFile


def check_vectors(
    vectors: VectorFile, engine: Engine, architecture: Architecture | None = None
) -> Record:
    """Run every vector of a file through an engine."""
    results = engine.run(
        [Segment(vector.key, vector.iv, vector.offset, vector.bits) for vector in vectors.vectors]
    )
    failures = tuple(
        _difference(vector, result)
        for vector, result in zip(vectors.vectors, results, strict=True)
        if vector.keystream != result
    )
    return Record(
        check="vectors",
        engine=engine.name,
        file=vectors.name,
        architecture=architecture,
        passed=len(results) - len(failures),
        failures=failures,
        skip_reasons=Counter(vectors.skipped.values()),
    )


def _difference(vector: Vector, result: bytes) -> str:
    """Where a segment first differs; of the keystream only what the vector file holds is told."""
    byte = next(place for place, pair in enumerate(zip(vector.keystream, result, strict=True))
                if pair[0] != pair[1])  # fmt: skip
    return (
        f"{vector.name}: byte {byte} of the segment must be {vector.keystream[byte]:02x}, "
        f"not {result[byte]:02x}"
    )


def check_lint(cipher: ShiftRegisterCipher, architecture: Architecture) -> Record:
    """Let Verilator read the generated Verilog with every warning on."""
    verilog = generate(cipher, architecture)
    warnings = tuple(verilator.lint(verilog.name, verilog.text))
    return Record(
        check="lint",
        engine="verilator",
        architecture=architecture,
        passed=int(not warnings),
        failures=warnings,
    )
