# SPDX-License-Identifier: Apache-2.0
"""Published vectors through a core's own ports, by simulation of its gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.algebra import bitstring
from headwater.cipher.cases import KeystreamVector
from headwater.errors import InputError
from headwater.foreign.attempt import Attempt
from headwater.foreign.search import Match, ordered
from headwater.foreign.session import simulate
from headwater.kinds.stepped.runs import RunCipher, without_filling
from headwater.verify.vector_files import own_files, read_file

_GATE_CYCLES = 25_000_000
"""Gates times cycles that are simulated at most."""


@dataclass(frozen=True)
class Tried:
    """What came of the vectors."""

    passed: int
    failure: str
    """The first wrong bit; empty if there is none."""
    skipped: int
    """Vectors of an IV of another length, or far into the keystream."""


def try_vectors(cipher: RunCipher, attempt: Attempt, match: Match, first: int) -> Tried:
    """Give published keys and IVs to a core.

    Parameters
    ----------
    match
        Where the keystream is; its step is that of the description, or what the core says.
    first
        The number of the step from the cycle ``match.cycle`` on that gives keystream bit 0.
    """
    every = replace(cipher, first_iv_bit=None)
    vectors = [
        one
        for path in own_files(cipher)
        for one in read_file(path, every).vectors
        if isinstance(one, KeystreamVector)
    ]
    longest = _GATE_CYCLES // max(1, attempt.netlist.gate_count)
    lengths = {what: len(bits) for what, bits in attempt.bits.items()}
    first *= cipher.word_bits
    last = (longest - match.cycle) * match.width - first
    silent = not any(attempt.bits["iv"])
    fitting = [
        one
        for one in vectors
        if not (silent and any(one.iv))
        and _fits(cipher, one, lengths)
        and one.offset + one.bits < last
    ]
    if not fitting:
        return Tried(0, "", len(vectors))
    strings = [cipher.input_bits(one.key, one.iv, one.iv_bits) for one in fitting]
    bits = {}
    for number, what in enumerate(("key", "iv")):
        held = [without_filling(cipher, string[number], lengths[what]) for string in strings]
        order = getattr(match.reading, what)
        bits[what] = _columns([_as_port(string, order) for string in held])
    most = max(one.offset + one.bits for one in fitting)
    cycles = match.cycle + (first + most) // match.width + 2
    trace = simulate(attempt.netlist, attempt.plan, bits, len(fitting), cycles)
    where = {bit: place for place, bit in enumerate(attempt.netlist.output_bits)}
    ports = [where[match.port, bit] for bit in match.places]
    passed, failure = 0, ""
    for number, one in enumerate(fitting):
        expected = bitstring.from_bytes(one.keystream, cipher.bit_order)
        for bit in range(one.bits):
            place = first + one.offset + bit
            word = trace.outputs[match.cycle + place // match.width]
            if word[ports[place % match.width]] >> number & 1 != expected >> bit & 1:
                failure = failure or f"keystream bit {one.offset + bit} of {one.name}"
                break
        else:
            passed += 1
    return Tried(passed, failure, len(vectors) - len(fitting))


def _fits(cipher: RunCipher, one: KeystreamVector, lengths: dict[str, int]) -> bool:
    whole = one.iv_bits == lengths["iv"] if cipher.any_length else one.iv_bits <= lengths["iv"]
    if cipher.first_iv_bit is not None and whole:
        try:
            cipher.input_bits(one.key, one.iv, one.iv_bits)
        except InputError:
            return False
    return whole and 8 * len(one.key) == lengths["key"]


def _as_port(bits: Sequence[int], order: str) -> list[int]:
    """Bits as a port numbers them: every order is its own inverse but that of bytes and bits, which
    are that of themselves."""
    return ordered(bits, order)


def _columns(rows: Sequence[Sequence[int]]) -> list[int]:
    """By place, an integer with the bit of each row."""
    return [
        sum(bit << number for number, bit in enumerate(column))
        for column in zip(*rows, strict=True)
    ]
