# SPDX-License-Identifier: Apache-2.0
"""A core whose registers are not of bits, judged by published vectors through its own ports: a
block, words or messages. Where its state is, and whether a step is right, is not looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise, product

from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.foreign.interface import Interface
from headwater.foreign.lwc import ORDER, data_words, encrypted
from headwater.foreign.messages import Sample, columns, grouped, samples
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import ORDERS, in_words, ordered
from headwater.foreign.settings import PACKETS
from headwater.foreign.streams import Course, Player
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.stepped.runs import is_of_bits, is_read

_ORDERS = (*ORDERS, "words")
_FEW = 4
"""Vectors with which the order of bits is looked for."""
_WAIT = 500
"""Cycles in which the next word must come."""
_PER_BIT = 4
"""Cycles that a bit of a string may take."""
_ENOUGH = 64
"""Bits with which the order of bits is looked for, if a vector has so many."""
_CERTAIN = 32
"""Bits that must be right before a wrong one is named."""
_MOST_ORDERS = 25
"""Ways to number the bits of inputs that are tried."""
_NOT_REACHED = "not looked at: registers of this cipher are not of bits"
_IN_WORDS = "not looked at where words are taken as they come"
_NO_STEPS = "no cycle gives what a whole number of steps does"


@dataclass(frozen=True)
class Taking:
    """How words come out."""

    port: str
    valid: str
    """Empty: a word in each cycle."""
    rises: bool
    """Whether a word comes where ``valid`` rises, and not in each cycle in which it is one."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """Of the bits in a word, by what must come: text and tag may differ. What is not said is looked
    for."""
    packets: bool = False
    """Whether words come in segments of the LWC hardware API."""


@dataclass(frozen=True)
class Trial:
    """What came out of a core beside what must."""

    taking: Taking
    orders: Mapping[str, str]
    right: int
    """Bits from the beginning that are right in all runs."""
    bits: int
    """Bits that came."""
    cycles: tuple[int, ...]
    """When the words came, from the end of the session's phases on."""

    @property
    def is_right(self) -> bool:
        """Whether something came, and all of it is right."""
        return 0 < self.bits == self.right


def judge_strings(netlist: Netlist, cipher: Cipher, interface: Interface) -> Verdict:
    """What published vectors say of a core.

    Raises
    ------
    InputError
        If no published vector fits what the interface takes.
    """
    verdict = Verdict(cipher.name, len(netlist.q), netlist.gate_count, interface.as_json())
    every, others = samples(interface.variant(cipher), interface.first)
    if packets := interface.packets:
        every = [encrypted(one, netlist, packets) for one in every if "tag" in one.expected]
    fitting = [one for one in every if interface.fits(one)]
    if not fitting:
        raise InputError(
            f"none of {len(every)} published vectors of {cipher.name} fits the ports: "
            "each string that is sent must be there, in whole words, and what no port "
            "takes must be zero"
        )
    # Those first whose strings look the least alike in another order of bits.
    fitting.sort(key=_different_bytes, reverse=True)
    groups = sorted(
        grouped(fitting),
        key=lambda one: (one[0].expected_bits < _ENOUGH, -_different_bytes(one[0])),
    )
    best = _best(netlist, interface, groups[0][:_FEW])
    if best and best.is_right:
        _tell_right(verdict, netlist, interface, groups, best, others + len(every) - len(fitting))
    else:
        _tell_wrong(verdict, groups[0][0], best)
    for layer in ("state", "step", "setup"):
        verdict.add(layer, OPEN, _open(cipher, interface))
    return verdict


def _open(cipher: Cipher, interface: Interface) -> str:
    """Why state, step and setup are not looked at."""
    if is_of_bits(cipher) or (is_read(cipher) and interface.streams):
        return _IN_WORDS
    return _NO_STEPS if is_read(cipher) else _NOT_REACHED


def _different_bytes(sample: Sample) -> int:
    return sum(len(set(string)) for string in sample.strings.values())


def _best(netlist: Netlist, interface: Interface, group: Sequence[Sample]) -> Trial | None:
    """The trial with the most right bits; the first that is right."""
    best = None
    for orders in _orders(interface):
        course = _played(netlist, interface, group, orders)
        for taking in _takings(interface):
            trial = _tried(netlist, course, group, taking, orders)
            if trial.is_right and trial.bits >= min(_ENOUGH, group[0].expected_bits):
                return trial
            if best is None or trial.right > best.right:
                best = trial
    return best


def _orders(interface: Interface) -> Iterator[dict[str, str]]:
    """The order of each string that enters: first one order for all ports, then others."""
    if interface.packets:
        yield dict.fromkeys(PACKETS, ORDER)
        return
    ports = interface.together
    several = sorted(product(_ORDERS, repeat=len(ports)), key=lambda one: len(set(one)))
    for orders in several[:_MOST_ORDERS]:
        yield {name: order for names, order in zip(ports, orders, strict=True) for name in names}


def _takings(interface: Interface) -> Iterator[Taking]:
    for port in interface.outputs:
        for valid in interface.valids(port):
            for rises in (False, True) if valid else (False,):
                yield Taking(port, valid, rises, packets=bool(interface.packets))


def _played(
    netlist: Netlist, interface: Interface, group: Sequence[Sample], orders: Mapping[str, str]
) -> Course:
    strings = {
        name: columns([one.strings[name] for one in group]) if group[0].strings[name] else []
        for name in group[0].strings
    }
    player = Player(
        netlist, interface.steady, interface.phases, interface.streams, strings, orders, len(group)
    )
    most = sum(map(len, group[0].strings.values())) + sum(map(len, group[0].expected.values()))
    before = sum(phase.cycles or 0 for phase in interface.phases)
    return player.play(before + _WAIT + _PER_BIT * 8 * most, idle=_WAIT)


def _tried(
    netlist: Netlist,
    course: Course,
    group: Sequence[Sample],
    taking: Taking,
    orders: Mapping[str, str],
) -> Trial:
    """Compare the words that came with the expected strings; each begins with a new word."""
    mask = (1 << len(group)) - 1
    words = _words(netlist, course, taking, mask)
    if taking.packets:
        words = data_words(words, mask)
    width, right, bits = netlist.ports[taking.port][1], 0, 0
    cycles: list[int] = []
    outcomes: dict[str, str] = {}
    for name in group[0].expected:
        strings = [one.expected[name] for one in group]
        expected = columns(strings) if strings[0] else []
        came = list(islice(words, -(-len(expected) // width)))
        cycles += [cycle for cycle, _ in came]
        known = ORDER if taking.packets else taking.orders.get(name)
        ways = (known,) if known else _ORDERS
        good = {one: _right_bits(_string(came, width, one), expected) for one in ways}
        way = max(good, key=lambda way: good[way])
        if known or expected:
            outcomes[name] = way
        length = min(len(expected), width * len(came))
        right += good[way] if right == bits else 0
        bits += length
        if length < len(expected):
            break
    return Trial(replace(taking, orders=outcomes), orders, right, bits, tuple(cycles))


def _string(words: Sequence[tuple[int, list[int]]], width: int, order: str) -> list[int]:
    """Words as a string, the first bit first."""
    if width >= 8:
        return [bit for _, word in words for bit in ordered(word, order)]
    string = [bit for _, word in words for bit in word]
    return ordered(string, "bits") if order in ("bits", "last") else string


def _right_bits(string: Sequence[int], expected: Sequence[int]) -> int:
    """How many bits are right before the first wrong one."""
    pairs = zip(string, expected, strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs) if one != other),
        min(len(string), len(expected)),
    )


def _words(
    netlist: Netlist, course: Course, taking: Taking, mask: int
) -> Iterator[tuple[int, list[int]]]:
    """The words that come: the cycle, and the bits in their order."""
    where = {bit: place for place, bit in enumerate(netlist.output_bits)}
    width = netlist.ports[taking.port][1]
    places = [where[taking.port, bit] for bit in range(width)]
    named = taking.valid.removeprefix("!")
    level = 0 if named != taking.valid else mask
    valids = [where[named, bit] for bit in range(netlist.ports[named][1])] if named else []
    before = True
    for cycle, outputs in enumerate(course.outputs[course.begins :]):
        one = not valids or any(outputs[place] == level for place in valids)
        if one and not (taking.rises and before):
            yield cycle, [outputs[place] for place in places]
        before = one


def _tell_right(
    verdict: Verdict,
    netlist: Netlist,
    interface: Interface,
    groups: Sequence[Sequence[Sample]],
    best: Trial,
    skipped: int,
) -> None:
    taking, passed = best.taking, 0
    least = None
    for group in groups:
        course = _played(netlist, interface, group, best.orders)
        trial = _tried(netlist, course, group, taking, best.orders)
        if not trial.is_right:
            wrong = _first_wrong(netlist, interface, group, best)
            verdict.add("vectors", NO, f"{wrong} is wrong")
            return
        # What a shorter message leaves open is found in a longer one, and must then be so in all.
        taking = trial.taking
        passed += len(group)
        whole = trial.bits == group[0].expected_bits
        if not whole:
            least = trial.bits if least is None else min(least, trial.bits)
    least = interface.first if least is None and interface.first else least
    part = f", of each the first {least} bits" if least is not None else ""
    others = f"; {skipped} others are of other lengths or places" if skipped else ""
    verdict.add("vectors", YES, f"{passed} published vectors pass{part}{others}")
    verdict.key, verdict.iv = (
        f"{in_words(best.orders[name])}" if name in best.orders else "" for name in ("key", "iv")
    )
    if taking.packets:
        verdict.key = verdict.iv = "in segments of the LWC hardware API"
    when = f" with {taking.valid}" if taking.valid else ""
    said = dict.fromkeys(in_words(order) for order in taking.orders.values())
    verdict.keystream = f"{taking.port}{when}, {', then '.join(said)}"
    width = netlist.ports[taking.port][1]
    words = max(len(next(iter(one[0].expected.values()))) * 8 // width for one in groups)
    longest = next(
        one for one in groups if len(next(iter(one[0].expected.values()))) * 8 // width == words
    )
    trial = _tried(
        netlist,
        _played(netlist, interface, longest[:1], best.orders),
        longest[:1],
        taking,
        best.orders,
    )
    verdict.rate = None if interface.first else _rate(trial.cycles[:words], width)
    verdict.setup_cycles = best.cycles[0]


def _rate(cycles: Sequence[int], width: int) -> float | None:
    """Bits per cycle in steady state, by the shortest pattern of words that repeats; None if
    none does."""
    gaps = [later - one for one, later in pairwise(cycles)]
    for period in range(1, (len(gaps) + 1) // 2 + 1):
        if all(one == later for one, later in zip(gaps, gaps[period:], strict=False)):
            return period * width / sum(gaps[:period]) if len(gaps) > period else None
    return None


def _first_wrong(
    netlist: Netlist, interface: Interface, group: Sequence[Sample], best: Trial
) -> str:
    """The first wrong bit of the first wrong vector of a group."""
    for one in group:
        course = _played(netlist, interface, [one], best.orders)
        trial = _tried(netlist, course, [one], best.taking, best.orders)
        if not trial.is_right:
            return f"bit {trial.right} of {' and '.join(one.expected)} of {one.name}"
    return f"a vector beside others of its lengths, the first of them {group[0].name},"


def _tell_wrong(verdict: Verdict, sample: Sample, best: Trial | None) -> None:
    what = " and ".join(sample.expected)
    if best is None or best.right < _CERTAIN:
        verdict.add("vectors", NO, f"no output gives {what}, in any order of bits that was tried")
        return
    verdict.add("vectors", NO, f"{what} is right up to bit {best.right - 1}, and then wrong")
    verdict.wrong.append(f"bit {best.right} of {what} of {sample.name}, at {best.taking.port}")
