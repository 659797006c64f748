# SPDX-License-Identifier: Apache-2.0
"""A core whose registers are not of bits, judged by published vectors through its own ports: a
block, words or messages. Where its state is, and whether a step is right, is looked at where the
cipher goes in rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.foreign.interface import Interface
from headwater.foreign.lwc import ORDER, encrypted
from headwater.foreign.messages import Sample, grouped, samples
from headwater.foreign.netlist import Netlist
from headwater.foreign.round_layers import tell_rounds
from headwater.foreign.search import ORDERS, in_words
from headwater.foreign.settings import PACKETS
from headwater.foreign.trials import Entry, Play, Source, Taking, Trial, strings_of, tried
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.rounds import Rounds, rounds_of
from headwater.kinds.stepped.runs import is_of_bits, is_read

_ORDERS = (*ORDERS, "words")
_FEW = 4
"""Vectors with which the order of bits is looked for."""
_ENOUGH = 64
"""Bits with which the order of bits is looked for, if a vector has so many."""
_DIFFERENT = 16
"""Different bytes in a string that are enough to tell orders of bits apart."""
_CERTAIN = 32
"""Bits that must be right before a wrong one is named."""
_MOST_ORDERS = 25
"""Ways to number the bits of inputs that are tried."""
_LONG = 256
"""Bytes of a text that are enough to see how fast it goes."""
_GATE_CYCLES = 400_000_000
"""Gates times cycles behind which no further lengths of messages are tried."""
_NOT_REACHED = "not looked at: registers of this cipher are not of bits"
_IN_WORDS = "not looked at where words are taken as they come"
_NO_STEPS = "no cycle gives what a whole number of steps does"

Groups = Sequence[Sequence[Sample]]


def judge_strings(
    netlist: Netlist, cipher: Cipher, interface: Interface, limit_s: float
) -> Verdict:
    """What published vectors say of a core, and of one of a cipher in rounds what its flip-flops
    do; no proof takes longer than the limit.

    Raises
    ------
    InputError
        If no published vector fits what the interface takes.
    """
    verdict = Verdict(cipher.name, len(netlist.q), netlist.gate_count, interface.as_json())
    every, others = samples(interface.variant(cipher), interface.first)
    if packets := interface.packets:
        every = [encrypted(one, netlist, packets) for one in every if "tag" in one.expected]
    guesses = [(one, _groups(one, every)) for one in interface.each]
    guesses = [(one, groups) for one, groups in guesses if groups]
    if not guesses:
        raise InputError(
            f"none of {len(every)} published vectors of {cipher.name} fits the ports: "
            "each string that is sent must be there, in whole words, and what no port "
            "takes must be zero"
        )
    best = _best(guesses)
    if best.is_right:
        groups = next(groups for one, groups in guesses if one is best.entry.interface)
        _tell_right(verdict, groups, best, others + len(every))
    else:
        _tell_wrong(verdict, best, interface.doubt)
    rounds = _rounds(interface.variant(cipher), best)
    if rounds:
        tell_rounds(verdict, rounds, best, limit_s)
        return verdict
    for layer in ("state", "step", "setup"):
        verdict.add(layer, OPEN, _open(cipher, best.entry.interface))
    return verdict


def _rounds(cipher: Cipher, best: Trial) -> Rounds | None:
    """The rounds of a cipher, for a key as long as that of the vectors; None where key and nonce
    enter in words of the LWC hardware API."""
    key = best.group[0].strings.get("key", b"")
    return rounds_of(cipher) if 8 * len(key) == cipher.key_bits else None


def _open(cipher: Cipher, interface: Interface) -> str:
    """Why state, step and setup are not looked at."""
    if is_of_bits(cipher) or (is_read(cipher) and interface.streams):
        return _IN_WORDS
    return _NO_STEPS if is_read(cipher) else _NOT_REACHED


def _groups(interface: Interface, every: Sequence[Sample]) -> list[list[Sample]]:
    """The vectors that fit, by their lengths: those first in which no string is empty, whose
    strings look little alike in another order of bits, and of these the shortest."""
    return sorted(
        grouped(sorted(filter(interface.fits, every), key=_likeness)),
        key=lambda one: (
            one[0].expected_bits < _ENOUGH or not all(one[0].expected.values()),
            not all(one[0].strings[name] for name in interface.entering),
            _likeness(one[0]),
            sum(one[0].lengths),
        ),
    )


def _likeness(sample: Sample) -> int:
    """How many different bytes are missing in strings, of which enough tell orders apart."""
    return sum(max(0, _DIFFERENT - len(set(string))) for string in sample.strings.values())


def _best(guesses: Sequence[tuple[Interface, Groups]]) -> Trial:
    """The trial with the most right bits; the first that is right. Ways in which as many words of
    the same vectors enter, and the same parts of them count, go side by side."""
    plays: dict[object, tuple[Sequence[Sample], list[Entry]]] = {}
    for interface, groups in guesses:
        group = groups[0][:_FEW]
        strings = strings_of(group)
        for orders in _orders(interface):
            entry = Entry(interface, orders)
            counts = entry.way.counts(interface.netlist, strings)
            plays.setdefault((id(groups[0][0]), counts), (group, []))[1].append(entry)
    trials = (
        tried(play, place, [source, *others], Taking())
        for group, entries in plays.values()
        for play in (Play(group, entries),)
        for source, others in _sources(entries[0].interface)
        for place in range(len(entries))
    )
    best = None
    for trial in trials:
        if trial.is_right and trial.bits >= min(_ENOUGH, trial.whole):
            return trial
        # A few bits may be right by chance: then the likeliest of what came is told of.
        if best is None or not best.bits or trial.right > max(best.right, _CERTAIN - 1):
            best = trial
    assert best is not None
    return best


def _sources(interface: Interface) -> Iterator[tuple[Source, list[Source]]]:
    """Where words may come out, the likeliest first, and where then others may."""
    sources = [
        Source(port, valid, rises)
        for port in interface.outputs
        for valid in interface.valids(port)
        for rises in ((False, True) if valid else (False,))
    ]
    for source in sources:
        yield source, [one for one in sources if one.port != source.port]


def _orders(interface: Interface) -> Iterator[dict[str, str]]:
    """The order of each string that enters: first one order for all ports, then others."""
    if interface.packets:
        yield dict.fromkeys(PACKETS, ORDER)
        return
    ports = interface.together
    several = sorted(product(_ORDERS, repeat=len(ports)), key=lambda one: len(set(one)))
    for orders in several[:_MOST_ORDERS]:
        yield {name: order for names, order in zip(ports, orders, strict=True) for name in names}


def _tell_right(verdict: Verdict, groups: Groups, best: Trial, published: int) -> None:
    trials, wrong = _all_tried(groups, best)
    if wrong:
        verdict.add("vectors", NO, f"{wrong} is wrong")
        verdict.wrong.append(wrong)
        return
    interface, taking = best.entry.interface, trials[-1].taking
    least = min((one.bits for one in trials if one.bits < one.whole), default=interface.first)
    part = f", of each the first {least} bits" if least else ""
    passed = sum(len(one.group) for one in trials)
    others = "of other lengths or places" + " or too many" * (len(trials) < len(groups))
    skipped = f"; {published - passed} others are {others}" if passed < published else ""
    verdict.add("vectors", YES, f"{passed} published vectors pass{part}{skipped}")
    _tell_ports(verdict, best.entry, taking)
    longest = max((one.text_cycles for one in trials), key=len)
    if longest:
        verdict.rate = None if interface.first else _rate(longest, trials[0].text_width)
        verdict.setup_cycles = min(one.text_cycles[0] for one in trials if one.text_cycles)


def _all_tried(groups: Groups, best: Trial) -> tuple[list[Trial], str]:
    """What came of each length of vectors, a long text and then the shortest ones first, as long
    as it does not take too long; and the first wrong word."""
    texts = [len(next(iter(one[0].expected.values()))) for one in groups]
    enough = min(max(texts), _LONG)
    long = groups[texts.index(min(text for text in texts if text >= enough))]
    others = sorted(groups, key=lambda one: (one is not long, sum(one[0].lengths)))
    sources, simulated = [source for source, _ in _sources(best.entry.interface)], 0
    trials: list[Trial] = []
    for group in others:
        if simulated > _GATE_CYCLES:
            break
        # What a shorter message leaves open is found in a longer one, and must then be so in all.
        taking = trials[-1].taking if trials else best.taking
        play = Play(group, [best.entry])
        trials.append(tried(play, 0, sources, taking))
        simulated += play.gate_cycles
        if not trials[-1].is_right:
            return trials, _first_wrong(group, replace(best, taking=taking))
    return trials, ""


def _tell_ports(verdict: Verdict, entry: Entry, taking: Taking) -> None:
    """In which order strings enter and leave."""
    if entry.interface.packets:
        verdict.key = verdict.iv = "in segments of the LWC hardware API"
    else:
        verdict.key, verdict.iv = (_entered(entry, name) for name in ("key", "iv"))
    sources = dict(sorted(taking.sources.items(), key=lambda one: one[0] == "tag"))
    first = next(iter(sources.values()))
    said = [f"{first.port}{f' with {first.valid}' if first.valid else ''}"]
    for name, source in sources.items():
        elsewhere = f"{source.port}, " if source.port != first.port else ""
        said.append(elsewhere + in_words(taking.orders[name]))
    port, order, *others = dict.fromkeys(said)
    verdict.keystream = ", then ".join([f"{port}, {order}", *others])


def _entered(entry: Entry, name: str) -> str:
    """How key or IV entered; by a stream that was guessed, also what else entered there."""
    order = next((entry.orders[one] for one in (name, f"base_{name}") if one in entry.orders), "")
    if not order or not entry.interface.guessed:
        return in_words(order) if order else ""
    load = entry.interface.streams[0]
    sent = "words of the description" if "[" in load.send else f'"{load.send}"'
    return f"{load.data} takes {sent}, {in_words(order)}"


def _rate(cycles: Sequence[int], width: int) -> float | None:
    """Bits per cycle in steady state, by the shortest pattern of words that repeats; None if
    none does."""
    gaps = [later - one for one, later in pairwise(cycles)]
    for period in range(1, (len(gaps) + 1) // 2 + 1):
        if all(one == later for one, later in zip(gaps, gaps[period:], strict=False)):
            return period * width / sum(gaps[:period]) if len(gaps) > period else None
    return None


def _first_wrong(group: Sequence[Sample], best: Trial) -> str:
    """The first wrong word of the first wrong vector of a group."""
    for one in group:
        trial = tried(Play([one], [best.entry]), 0, [], best.taking)
        if trial.wrong:
            return f"{trial.wrong} of {one.name}"
    return f"a vector beside others of its lengths, the first of them {group[0].name},"


def _tell_wrong(verdict: Verdict, best: Trial, doubt: str) -> None:
    """Where the likeliest trial is wrong. Where nothing is right, a doubt about what was guessed
    leaves open whose fault it is."""
    what = " and ".join(best.group[0].expected)
    if best.right >= _CERTAIN:
        text = f"{what} is right up to bit {best.right - 1}, and then wrong"
    else:
        text = f"no output gives {what}, in any order of bits that was tried"
    if doubt and best.right < _CERTAIN:
        verdict.add("vectors", OPEN, f"{text}; {doubt}")
        return
    verdict.add("vectors", NO, text)
    if best.wrong:
        verdict.wrong.append(_first_wrong(best.group, best))
