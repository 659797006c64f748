# SPDX-License-Identifier: Apache-2.0
"""Checks of one cipher: vectors in an engine, and lint of its Verilog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater.cipher.cases import (
    DigestVector,
    ForgedVector,
    KeystreamVector,
    KeyVector,
    MessageVector,
    PartVector,
    TagVector,
)
from headwater.cipher.description import Cipher
from headwater.cipher.message import check_message
from headwater.cipher.whole_state import StateVector
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.registry import facts_of
from headwater.verify.c_engine import WITH_STATE
from headwater.verify.comparison import Comparison
from headwater.verify.engine import NO_PORT, Engine, ModelEngine, RtlEngine
from headwater.verify.entries import AnyVector
from headwater.verify.record import Record
from headwater.verify.segments import Segment
from headwater.verify.vector_files import VectorFile


def check_vectors(
    file: VectorFile, engine: Engine, architecture: Architecture | None = None
) -> Record:
    """Run every vector of a file through an engine of its cipher. Vectors that the engine or its
    architecture cannot take are skipped."""
    skipped = Counter(file.skipped.values())
    chosen: list[AnyVector] = []
    for vector in file.vectors:
        reason = _unfit(vector, file.cipher, engine, architecture)
        if reason:
            skipped[reason] += 1
        else:
            chosen.append(vector)
    run = _Run(engine, architecture, Comparison(file.cipher))
    failures = _failures(chosen, run)
    return Record(
        check="vectors",
        engine=engine.name,
        file=file.name,
        architecture=architecture,
        passed=len(chosen) - len(failures),
        failures=tuple(failures),
        skip_reasons=skipped,
    )


def combined(records: Sequence[Record]) -> Record:
    """One record for several of the same check, engine and file."""
    skipped: Counter[str] = Counter()
    for record in records:
        skipped.update(record.skip_reasons)
    return replace(
        records[0],
        passed=sum(record.passed for record in records),
        failures=tuple(line for record in records for line in record.failures),
        skip_reasons=skipped,
    )


def skip_vectors(
    file: VectorFile, engine_name: str, architecture: Architecture, reason: str
) -> Record:
    """The record of a file whose vectors all need another architecture."""
    return Record(
        check="vectors",
        engine=engine_name,
        file=file.name,
        architecture=architecture,
        skip_reasons=Counter([*file.skipped.values(), *[reason] * len(file.vectors)]),
    )


def _unfit(
    vector: AnyVector, cipher: Cipher, engine: Engine, architecture: Architecture | None
) -> str:
    """Why a vector cannot be run; empty if it can."""
    if isinstance(vector, PartVector):
        in_model = engine.name == ModelEngine.name
        return "" if in_model else f"the {vector.what} by itself is none of the core's outputs"
    if isinstance(vector, StateVector):
        return _no_state(cipher, engine, architecture)
    if isinstance(vector, KeyVector):
        in_model = engine.name == ModelEngine.name
        return "" if in_model else "the key is made before the load"
    if isinstance(vector, ForgedVector):
        if refusal(cipher, vector):
            return ""
        if vector.message.decrypts and architecture and architecture["direction"] == "encrypt":
            return "the core only encrypts"
    return facts_of(cipher, architecture).unfit(vector.iv_bits) if architecture else ""


def _no_state(cipher: Cipher, engine: Engine, architecture: Architecture | None) -> str:
    """Why an engine cannot begin with a state; empty if it can."""
    if engine.name == RtlEngine.name:
        return NO_PORT
    if architecture and facts_of(cipher, architecture).whole_state is None:
        return f"a state must be given to C {WITH_STATE}"
    return ""


@dataclass(frozen=True)
class _Run:
    """What runs vectors, and what compares them."""

    engine: Engine
    architecture: Architecture | None
    compare: Comparison


def _failures(vectors: Sequence[AnyVector], run: _Run) -> list[str]:
    """One line for each vector that fails."""
    lines = []
    for kind, check in _CHECKS.items():
        some = [vector for vector in vectors if isinstance(vector, kind)]
        lines += check(some, run) if some else []
    return [line for line in lines if line]


def _key_failures(vectors: Sequence[KeyVector], _: _Run) -> list[str]:
    return [
        f"{vector.name}: the key {vector.what} is another"
        for vector in vectors
        if vector.made() != vector.expected
    ]


def _part_failures(vectors: Sequence[PartVector], run: _Run) -> list[str]:
    return [
        run.compare.value(vector.name, vector.what, vector.expected, vector.made())
        for vector in vectors
    ]


def _keystream_failures(vectors: Sequence[KeystreamVector], run: _Run) -> list[str]:
    results = run.engine.run(
        [Segment(one.key, one.iv, one.offset, one.bits, one.iv_bits) for one in vectors]
    )
    return [run.compare.keystream(*each) for each in zip(vectors, results, strict=True)]


def _state_failures(vectors: Sequence[StateVector], run: _Run) -> list[str]:
    results = run.engine.run(
        [Segment.from_state(one.state, one.offset, one.bits) for one in vectors]
    )
    return [run.compare.from_state(*each) for each in zip(vectors, results, strict=True)]


def _digest_failures(vectors: Sequence[DigestVector], run: _Run) -> list[str]:
    return [
        run.compare.value(vector.name, "xor-digest", vector.digest, _digest(vector, run.engine))
        for vector in vectors
    ]


def _digest(vector: DigestVector, engine: Engine) -> bytes:
    """The sum of the blocks of a keystream."""
    size, total, rest = len(vector.digest), 0, b""
    segment = Segment(vector.key, vector.iv, 0, 8 * vector.count, vector.iv_bits)
    for piece in engine.pieces(segment):
        data = rest + piece
        for first in range(0, len(data) - size + 1, size):
            total ^= int.from_bytes(data[first : first + size], "big")
        rest = data[len(data) // size * size :]
    return total.to_bytes(size, "big")


def refusal(cipher: Cipher, vector: ForgedVector) -> str:
    """Why the cipher takes no such message, whatever its tag; empty if it takes it."""
    try:
        check_message(cipher, vector.message)
    except InputError as error:
        return str(error)
    return ""


def _forged_failures(vectors: Sequence[ForgedVector], run: _Run) -> list[str]:
    """A message that the cipher cannot take is rejected before any engine sees it."""
    asked = [one for one in vectors if not refusal(run.compare.cipher, one)]
    answers = run.engine.accepts([one.message for one in asked], [one.tag for one in asked])
    return [
        f"{one.name}: the message must be rejected, but its tag is accepted"
        f"{run.compare.all_right(one)}"
        for one, accepted in zip(asked, answers, strict=True)
        if accepted
    ]


def _message_failures(vectors: Sequence[MessageVector], run: _Run) -> list[str]:
    """For each message the first difference in text and tag, in each direction."""
    direction = run.architecture["direction"] if run.architecture else ""
    lines = [""] * len(vectors)
    for decrypts, only in ((False, "encrypt"), (True, "decrypt")):
        if direction in ("", "both", only):
            failures = _one_way_failures(vectors, run, decrypts=decrypts)
            lines = [line or new for line, new in zip(lines, failures, strict=True)]
    return lines


def _one_way_failures(vectors: Sequence[MessageVector], run: _Run, *, decrypts: bool) -> list[str]:
    """The differences of text and tag in one direction."""
    ways = [(vector.encrypting, vector.decrypting) for vector in vectors]
    messages = [way[decrypts] for way in ways]
    other, when = ("plaintext", "decrypting") if decrypts else ("ciphertext", "encrypting")
    return [
        run.compare.text(vector.name, other, way[not decrypts], way[decrypts], result)
        or run.compare.tag(vector.name, f"tag when {when}", vector.tag, way[decrypts], result)
        for vector, way, result in zip(vectors, ways, run.engine.process(messages), strict=True)
    ]


def _tag_failures(vectors: Sequence[TagVector], run: _Run) -> list[str]:
    results = run.engine.process([vector.message for vector in vectors])
    return [
        run.compare.tag(vector.name, "tag", vector.tag, vector.message, result)
        for vector, result in zip(vectors, results, strict=True)
    ]


_CHECKS: Mapping[type[AnyVector], Callable[..., list[str]]] = {
    KeyVector: _key_failures,
    PartVector: _part_failures,
    KeystreamVector: _keystream_failures,
    StateVector: _state_failures,
    DigestVector: _digest_failures,
    MessageVector: _message_failures,
    ForgedVector: _forged_failures,
    TagVector: _tag_failures,
}
"""What compares the vectors of each kind with the answers of an engine."""


def check_lint(cipher: Cipher, architecture: Architecture) -> Record:
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
