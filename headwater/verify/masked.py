# SPDX-License-Identifier: Apache-2.0
"""Whether a core in shares is its cipher, and whether a probe on it tells anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from random import Random

from headwater import python_limits
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow.folders import private_folder
from headwater.kinds.masking import leakage_spec
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.masked.facts import MaskedFacts
from headwater.leakage.cuts import with_cuts
from headwater.leakage.netlist import Netlist, read_netlist
from headwater.leakage.verdict import CLAIM, Verdict, verdict_of
from headwater.verify.check import check_lint
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.masked_message import PROOFS, cycles, facts_of_shares, step_faults
from headwater.verify.proof import prove
from headwater.verify.record import Record
from headwater.verify.segments import Segment

_GAPS_PERMILLE = 300
_KEYS, _BITS = 4, 256
_SIZES = (0, 5, 16, 37)
"""Bytes of associated data; the text has twice as many."""


def rtl_of(cipher: Cipher, architecture: Architecture) -> Netlist:
    """The Verilog of a core as gates."""
    verilog = generate(cipher, architecture)
    with private_folder() as folder:
        (folder / "core.v").write_text(verilog.text)
        return read_netlist([folder / "core.v"], verilog.name)


def check_masked(cipher: Cipher, architecture: Architecture) -> Iterator[Record]:
    """Lint, keystreams of random keys in simulation, the proof of a step, the verdict on probes."""
    yield check_lint(cipher, architecture)
    facts = facts_of(cipher, architecture)
    check = _check_keystream if "keystream" in facts.streams else _check_messages
    yield check(cipher, architecture)
    netlist = rtl_of(cipher, architecture)
    if cipher.kind in PROOFS:
        yield _check_step(facts_of_shares(cipher, architecture), netlist)
    else:
        yield from prove(cipher, architecture)
    yield leakage_record(cipher, architecture, netlist, "rtl")


def _check_keystream(cipher: Cipher, architecture: Architecture) -> Record:
    """Compare the sums of the shares with the model, for random keys, masks and fresh bits, where
    the reader and the load words come late."""
    random = Random(cipher.name)
    iv_bits = cipher.iv_bits[-1]
    segments = [
        Segment(
            random.randbytes(cipher.key_bits // 8),
            random.randbytes(iv_bits // 8),
            number * _BITS // 2,
            _BITS,
        )
        for number in range(_KEYS)
    ]
    gaps = _GAPS_PERMILLE if architecture.stall == "stream" else 0
    outputs = RtlEngine(cipher, architecture, gaps_permille=gaps).run(segments)
    wanted = ModelEngine(cipher).run(segments)
    return _compared("keystream", architecture, outputs, wanted)


def _check_messages(cipher: Cipher, architecture: Architecture) -> Record:
    """Compare text and tag with the model's, for random keys and messages of several lengths, in
    each direction that the core has."""
    random = Random(cipher.name)
    messages = [
        Message(
            random.randbytes(cipher.key_bits // 8),
            random.randbytes(cipher.iv_bits[-1] // 8),
            random.randbytes(size if cipher.takes_associated_data else 0),
            random.randbytes(2 * size),
            16 * size,
            decrypts=direction == "decrypt",
        )
        for direction in architecture.directions
        for size in _SIZES
    ]
    gaps = _GAPS_PERMILLE if architecture.stall == "stream" else 0
    made = RtlEngine(cipher, architecture, gaps_permille=gaps).process(messages)
    return _compared("message", architecture, made, ModelEngine(cipher).process(messages))


def _compared(
    what: str, architecture: Architecture, made: Sequence[object], wanted: Sequence[object]
) -> Record:
    """The record of results that must be those of the model."""
    failures = tuple(
        f"{what} {number} is not the model's"
        for number, (one, other) in enumerate(zip(made, wanted, strict=True))
        if one != other
    )
    return Record(
        what,
        "rtl",
        architecture=architecture,
        failures=failures,
        passed=len(wanted) - len(failures),
    )


@python_limits.for_circuits()
def _check_step(facts: MaskedFacts, netlist: Netlist) -> Record:
    spec = leakage_spec(facts.cipher, facts.architecture, netlist.wires)
    failures = tuple(step_faults(facts, with_cuts(netlist, spec)))
    return Record(
        "proof of the step in shares",
        "sat",
        architecture=facts.architecture,
        failures=failures,
        passed=int(not failures),
        method=f"polynomials in {len(cycles(facts))} kinds of cycle",
    )


def leakage_of(
    cipher: Cipher, architecture: Architecture, netlist: Netlist, limit_s: float = inf
) -> Verdict:
    """The verdict on the RTL of a core, or on a netlist of it; `TooLongError` if it takes more than
    ``limit_s`` seconds of processor time."""
    return verdict_of(netlist, leakage_spec(cipher, architecture, netlist.wires), limit_s)


def leakage_record(
    cipher: Cipher,
    architecture: Architecture,
    netlist: Netlist,
    engine: str,
    file: str | None = None,
) -> Record:
    """The same as a record: it fails unless the claim is proven."""
    verdict = leakage_of(cipher, architecture, netlist)
    failures = [] if verdict.holds else [f"{verdict.verdict}: {CLAIM} is not proven"]
    failures += ["; ".join(leak.sentences()) for leak in verdict.leaks]
    failures += [f"undecided: {net}" for net in verdict.undecided]
    failures += [f"{flaw.what}: {flaw.sentence}" for flaw in verdict.flaws]
    return Record(
        "leakage",
        engine,
        file=file,
        architecture=architecture,
        failures=tuple(failures),
        passed=int(verdict.holds),
        method=f"{verdict.probes} nets in {verdict.windows} pairs of neighbouring cycles",
    )
