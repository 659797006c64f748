# SPDX-License-Identifier: Apache-2.0
"""Random cores against the model: any cipher, radix, load width, options, gaps, keys and texts.

    python tools/fuzz.py --minutes 10              cases for so long, each with its own number
    python tools/fuzz.py --case 7 [--cipher NAME]  one case again

In each case the generated Verilog in Verilator must give what the model gives, bit for bit, and so
must the generated C, but for cores with several sessions in turn. A failure is made smaller, as
long as it stays one, and printed as the command that shows it. The exit status is 1 if there was a
failure. `tools/fuzz_designs.py` draws what is around cores.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed
from headwater.cipher.option import STREAMS
from headwater.core.architecture import Architecture
from headwater.errors import HeadwaterError, InputError, ToolError, unknown
from headwater.flow import verilator
from headwater.kinds.reading import process
from headwater.kinds.registry import facts_of
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import Engine, ModelEngine, RtlEngine
from headwater.verify.segments import Segment

_GAPS = (0, 100, 300, 700)
_MOST_KEYSTREAM, _MOST_TEXT = 2000, 600
_MOST_DRAWS = 1000
_WIDEST = 128
"""Bits per cycle of the widest core that is made: a wider one takes a minute."""

Job = Segment | Message


@dataclass(frozen=True)
class Case:
    """One core, and what it is asked for."""

    cipher: Cipher
    architecture: Architecture
    gaps: int
    jobs: tuple[Job, ...]


def drawn(number: int, names: Sequence[str]) -> Case:
    """The case of that number; combinations that are refused are drawn again."""
    random = Random(number)
    for _ in range(_MOST_DRAWS):
        cipher = find(random.choice(names))
        try:
            architecture = _architecture(cipher, random)
            cipher = cipher.with_parameters(architecture.options)
            facts = facts_of(cipher, architecture)
            jobs = tuple(_job(cipher, architecture, random) for _ in range(random.randint(1, 3)))
        except InputError:
            continue
        if not any(facts.unfit(_iv_bits(job)) for job in jobs):
            gaps = random.choice(_GAPS) if architecture.stall != "none" else 0
            return Case(cipher, architecture, gaps, jobs)
    raise InputError(f"a case must be legal for one of {', '.join(names)}")


def _architecture(cipher: Cipher, random: Random) -> Architecture:
    radices = [radix for radix in cipher.legal_radices() if radix <= _WIDEST]
    radix = random.choice(radices or [cipher.default_radix])
    options = {
        one.name: random.choice(one.values)
        for one in cipher.choices
        if random.random() < (0.2 if one == STREAMS else 0.5)
    }
    width = random.choice(cipher.legal_load_widths(radix)) if random.random() < 0.5 else None
    return Architecture.choose(cipher, radix=radix, load_width=width, options=options)


def _job(cipher: Cipher, architecture: Architecture, random: Random) -> Job:
    order = cipher.input_order or cipher.bit_order
    key = random.randbytes(cipher.key_bits // 8)
    if cipher.call_fields:
        fields = [random.getrandbits(bits) for _, bits in cipher.call_fields]
        return _message(cipher, architecture, key, cipher.pack_iv(*fields), random)
    iv_bits = random.choice(cipher.iv_bits)
    number = random.getrandbits(iv_bits) if iv_bits else 0
    if iv_bits:
        number = cipher.fitting_iv(number)
    iv = bitstring.to_bytes(number, iv_bits, order)
    if not cipher.no_keystream and not cipher.tag_lengths:
        offset, bits = random.randint(0, 300), random.randint(1, _MOST_KEYSTREAM)
        return Segment(key, iv, offset, bits, iv_bits)
    if iv_bits % 8:
        raise InputError("a nonce is whole bytes")
    return _message(cipher, architecture, key, iv, random)


def _message(
    cipher: Cipher, architecture: Architecture, key: bytes, nonce: bytes, random: Random
) -> Message:
    unit = cipher.text_unit
    bits = random.randint(0, _MOST_TEXT) // unit * unit
    text = bitstring.to_bytes(random.getrandbits(bits) if bits else 0, bits, cipher.bit_order)
    ad = random.randbytes(random.randint(0, 40)) if cipher.takes_associated_data else b""
    direction = architecture["direction"]
    decrypts = direction == "decrypt" or (direction == "both" and random.random() < 0.5)
    return Message(key, nonce, ad, text, bits, decrypts)


def _iv_bits(job: Job) -> int:
    if isinstance(job, Message):
        return 8 * len(job.nonce)
    return 8 * len(job.iv) if job.iv_bits is None else job.iv_bits


def difference(case: Case) -> str:
    """Which engine does not give what the model gives, or refuses; empty if all do."""
    expected = _model(case)
    engine = RtlEngine(case.cipher, case.architecture, gaps_permille=case.gaps, seed=1)
    made: dict[str, Callable[[], Engine]] = {"rtl": lambda: engine}
    if case.architecture.streams == 1:  # A core in C has one session.
        made["c"] = lambda: CEngine(case.cipher, case.architecture)
    try:
        for name, make in made.items():
            try:
                if _given(make(), case.jobs) != expected:
                    return f"{name} differs from the model"
            except (ToolError, ValueError, StopIteration) as error:
                return f"{name} failed: {str(error).strip().splitlines()[-1]}"
    finally:
        verilator.forget(engine.verilog)
    return ""


def _model(case: Case) -> list[bytes] | list[Sealed]:
    if isinstance(case.jobs[0], Segment):
        return ModelEngine(case.cipher).run([job for job in case.jobs if isinstance(job, Segment)])
    return [process(case.cipher, job) for job in case.jobs if isinstance(job, Message)]


def _given(engine: Engine, jobs: Sequence[Job]) -> list[bytes] | list[Sealed]:
    segments = [job for job in jobs if isinstance(job, Segment)]
    if segments:
        return engine.run(segments)
    return engine.process([job for job in jobs if isinstance(job, Message)])


def smaller(case: Case) -> Case:
    """A case that still fails, and of which nothing can be left out."""
    for simpler in _simpler(case):
        if difference(simpler):
            return smaller(simpler)
    return case


def _simpler(case: Case) -> Iterator[Case]:
    if len(case.jobs) > 1:
        yield from (replace(case, jobs=(job,)) for job in case.jobs)
    if case.gaps:
        yield replace(case, gaps=0)
    options = case.architecture.options
    for option in case.cipher.choices:
        if options.get(option.name, option.default) != option.default:
            yield from _with(case, options | {option.name: option.default})
    if len(case.jobs) == 1:
        yield from (replace(case, jobs=(job,)) for job in _shorter(case))


def _with(case: Case, options: dict[str, str]) -> Iterator[Case]:
    made = case.architecture
    try:
        architecture = Architecture.choose(
            case.cipher, radix=made.radix, load_width=made.load_width, options=options
        )
    except InputError:
        return
    yield replace(case, architecture=architecture)


def _shorter(case: Case) -> Iterator[Job]:
    (job,) = case.jobs
    if isinstance(job, Segment):
        if job.offset:
            yield replace(job, offset=0)
        if job.bits > 1:
            yield replace(job, bits=job.bits // 2)
        return
    if job.associated_data:
        yield replace(job, associated_data=job.associated_data[: len(job.associated_data) // 2])
    bits = job.bits // 2 // case.cipher.text_unit * case.cipher.text_unit
    if bits < job.bits:
        order = case.cipher.bit_order
        number = bitstring.from_bytes(job.text, order) & (1 << bits) - 1
        yield replace(job, text=bitstring.to_bytes(number, bits, order), bits=bits)


def command(case: Case) -> str:
    """The command that shows what the core gives for the first job."""
    made, job = case.architecture, case.jobs[0]
    words = ["headwater"]
    if isinstance(job, Segment):
        words += [
            "keystream",
            case.cipher.name,
            "--key",
            job.key.hex(),
            "--iv",
            job.iv.hex(),
            "--bits",
            str(job.bits),
            "--offset",
            str(job.offset),
        ]
    else:
        verb = "decrypt" if job.decrypts else "encrypt"
        words += [
            "mac" if case.cipher.service.endswith("-mac") else verb,
            case.cipher.name,
            "--key",
            job.key.hex(),
            *_nonce(case.cipher, job.nonce),
            "--text",
            job.text.hex(),
            "--bits",
            str(job.bits),
        ]
        if case.cipher.takes_associated_data:
            words += ["--ad", job.associated_data.hex()]
        if job.decrypts and case.cipher.tag_lengths:
            words += ["--tag", process(case.cipher, job).tag.hex()]
    words += ["--engine", "rtl", "--radix", str(made.radix), "--load-width", str(made.load_width)]
    for name, value in made.options.items():
        words += ["--option", f"{name}={value}"]
    return shlex.join(words)


def _nonce(cipher: Cipher, nonce: bytes) -> list[str]:
    """The arguments that say what the nonce is: itself, or the fields that it is made of."""
    if not cipher.call_fields:
        return ["--iv", nonce.hex()]
    words, place = [], 8 * len(nonce)
    for name, bits in cipher.call_fields:
        place -= bits
        value = int.from_bytes(nonce, "big") >> place & (1 << bits) - 1
        words += [f"--{name}", f"{value:0{bits // 4}x}" if bits % 8 == 0 else str(value)]
    return words


def numbers(given: argparse.Namespace) -> Iterator[int]:
    """The numbers of the cases: the one asked for, or as many as there is time for."""
    if given.case is not None:
        yield given.case
        return
    end, number = time.monotonic() + 60 * given.minutes, given.first
    while time.monotonic() < end:
        yield number
        number += 1


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--first", type=int, default=1, help="number of the first case")
    parser.add_argument("--case", type=int, help="this case alone")
    parser.add_argument("--cipher", help="of these alone, separated by commas")
    given = parser.parse_args()
    names = list(CATALOGUE)
    if given.cipher:
        asked_for = given.cipher.split(",")
        for name in asked_for:
            if name not in names:
                parser.error(str(unknown("cipher", name, names)))
        names = asked_for
    count, failures = 0, 0
    for number in numbers(given):
        case = drawn(number, names)
        count += 1
        try:
            said = difference(case)
        except HeadwaterError as error:
            said = str(error)
        print(
            f"case {number}: {case.cipher.name} {case.architecture}, {len(case.jobs)} jobs, gaps "
            f"{case.gaps} permille: {said or 'equal'}",
            flush=True,
        )
        if said:
            failures += 1
            found = smaller(case)
            print(f"case {number}, made smaller, gaps {found.gaps} permille: {command(found)}")
    print(f"{count} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
