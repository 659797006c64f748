# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a core whose keystream is not the cipher's: the first wrong bit, and a mistake
with which the description does what the core does."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

from headwater.cipher.catalogue import CATALOGUE
from headwater.errors import InputError
from headwater.foreign.alignment import by_state
from headwater.foreign.attempt import Attempt
from headwater.foreign.mapping import map_state, trusted, varies
from headwater.foreign.meanings import OUTPUT, Alignment, StateMap, Term
from headwater.foreign.ports import Ports
from headwater.foreign.question import Question
from headwater.foreign.search import RUNS, ordered, orders_of
from headwater.foreign.step import Difference, by_simulation
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.stepped.faults import faults_of_load, faults_of_setup, faults_of_step
from headwater.kinds.stepped.runs import Place, RunCipher, run_cipher

_MOST = 3
"""Wrong bits and causes that are said."""
_ONES = (1 << RUNS) - 1


def diagnose(
    verdict: Verdict,
    cipher: RunCipher,
    tried: Sequence[Attempt],
    ports: Ports,
    *,
    causes: bool = True,
) -> None:
    """Say what is wrong, and with ``causes`` which mistakes explain it."""
    if all(attempt.trace.begins >= len(attempt.trace.states) for attempt in tried):
        verdict.add("vectors", NO, "its load or session did not come to an end")
        verdict.wrong.append(_never_comes(tried))
        return
    if not _moves(tried):
        names = ", ".join(ports.ties) or "none"
        verdict.add("vectors", NO, "no output changes with key and IV")
        verdict.wrong.append(_never_comes(tried))
        verdict.causes.append(
            f"the core may wait for an input; those held steady are {names}: "
            "set them under [tie] or [[session]]"
        )
        return
    for attempt in tried:
        if _by_state(verdict, cipher, attempt, causes):
            return
    if _by_load(verdict, cipher, tried) or _by_setup(verdict, cipher, tried):
        return
    verdict.add(
        "vectors", NO, "no output gives the cipher's keystream, in any order of bits that was tried"
    )
    verdict.add("state", NO, "the flip-flops never hold what the load puts into the registers")
    verdict.wrong.append(_not_loaded(cipher, tried))
    others = _other_ciphers(cipher, tried) if causes else []
    verdict.causes += [f"it gives the keystream of {name}" for name in others]
    if not others:
        steady = ", ".join(f"{name} = {value}" for name, value in ports.ties.items()) or "none"
        verdict.causes.append(
            f"its ports may be driven otherwise than it wants (inputs held steady: {steady}); "
            "a TOML file with [tie] or [[session]] says how"
        )


def _by_state(verdict: Verdict, cipher: RunCipher, attempt: Attempt, causes: bool) -> bool:
    """Whether the load is found in the flip-flops: then say which bits of a cycle are wrong."""
    alignment = by_state(cipher, attempt.netlist, attempt.plan, attempt.trace, attempt.known)
    if alignment is None:
        return False
    state_map = map_state(cipher, attempt.netlist, alignment, right=False)
    if not trusted(cipher, state_map):
        return False
    one = deepcopy(verdict)
    explained = _by_step(one, cipher, attempt, state_map, causes)
    if (
        explained
        or not (causes or one.result("step") == OPEN)
        or not (_by_load(verdict, cipher, [attempt]) or _by_setup(verdict, cipher, [attempt]))
    ):
        vars(verdict).update(vars(one))
    if causes and not verdict.causes and one.wrong_registers > 1:
        others = _other_ciphers(cipher, [attempt])
        verdict.causes += [f"it gives the keystream of {name}" for name in others]
    return True


def _never_comes(tried: Sequence[Attempt]) -> str:
    """Keystream bit 0, of a core none of whose outputs tells of key and IV, and how far they, or
    what power-up left, come."""
    reached = max((_reached(attempt) for attempt in tried), key=len)
    netlist = tried[0].netlist
    if not reached:
        return "keystream bit 0: it never comes, as no flip-flop differs from run to run"
    first = netlist.name(reached[0])
    return (
        f"keystream bit 0: it never comes; {len(reached)} of {len(netlist.q)} flip-flops "
        f"differ from run to run, the first of them {first}"
    )


def _reached(attempt: Attempt) -> list[int]:
    trace = attempt.trace
    return [flop for flop in range(len(attempt.netlist.q)) if varies(trace, flop, trace.begins)]


def _not_loaded(cipher: RunCipher, tried: Sequence[Attempt]) -> str:
    """The first state bit that no flip-flop holds in the cycle in which most others are there."""
    best: tuple[int, list[Place]] = 0, []
    for attempt in tried:
        for _, model in attempt.known:
            first = {
                place: value for place, value in model.states[0].items() if value not in (0, _ONES)
            }
            values = set(first.values())
            held = max(attempt.trace.states, key=lambda state: len(values.intersection(state)))
            present = len(values.intersection(held))
            if present > best[0]:
                best = (
                    present,
                    sorted(place for place, value in first.items() if value not in set(held)),
                )
    there, missing = best
    if not missing or 2 * there < cipher.state_bits // 2:
        return "keystream bit 0: no output gives it"
    register, stage = missing[0]
    return f"{register}({stage}): no flip-flop holds what the load puts there"


def _moves(tried: Sequence[Attempt]) -> bool:
    return any(
        value not in (0, _ONES)
        for attempt in tried
        for outputs in attempt.trace.outputs[-8:]
        for value in outputs
    )


def _by_load(verdict: Verdict, cipher: RunCipher, tried: Sequence[Attempt]) -> bool:
    """Whether a mistake of the load explains the core."""
    for attempt in tried:
        for fault in faults_of_load(cipher):
            match = attempt.match_of(fault.cipher)
            if match:
                verdict.radix = match.width
                verdict.add("vectors", NO, "the keystream is that of another load")
                verdict.wrong += _loaded_wrong(cipher, fault.cipher)
                verdict.causes.append(fault.cause)
                return True
    return False


def _loaded_wrong(cipher: RunCipher, other: RunCipher) -> list[str]:
    """The first stages that a load fills otherwise."""
    key = [f"key bit {n}" for n in range(cipher.key_bits)]
    iv = [f"IV bit {n}" for n in range(cipher.iv_bits[-1])]
    right, wrong = (one.load.content(key, iv) for one in (cipher, other))  # type: ignore[union-attr]
    reasons = []
    for register in cipher.registers:
        low = min(register.newest, register.oldest)
        for place, (good, bad) in enumerate(
            zip(right[register.name], wrong[register.name], strict=True)
        ):
            if good != bad:
                reasons.append(
                    f"{register.name}({low + place}) is loaded with {bad}, not with {good}"
                )
    return reasons[:1]


def _by_setup(verdict: Verdict, cipher: RunCipher, tried: Sequence[Attempt]) -> bool:
    """Whether a setup without its feedback explains the core."""
    for attempt in tried:
        for fault in faults_of_setup(cipher):
            match = attempt.match_of(fault.cipher)
            if match and match.step_at(match.cycle) <= cipher.blank_steps:
                verdict.radix = match.width
                verdict.add("vectors", NO, "the keystream is that of another setup")
                verdict.wrong.append("step 1 of the setup")
                verdict.causes.append(fault.cause)
                return True
    return False


def _by_step(
    verdict: Verdict, cipher: RunCipher, attempt: Attempt, state_map: StateMap, causes: bool
) -> bool:
    """Name the bits of a cycle that are wrong, and with ``causes`` a mistake of the step that
    explains them; gives whether there is one."""
    alignment, netlist = state_map.alignment, attempt.netlist
    verdict.radix = alignment.radix * cipher.word_bits
    places = len(state_map.places())
    first = alignment.cycle
    later = first + -(-(cipher.blank_steps + 1) // alignment.radix)
    sets = [[first], [min(later, len(attempt.trace.states) - 1)]]
    match = _likely_ports(cipher, attempt, state_map, sets[-1])
    # While the setup runs, a core may keep its output silent.
    questions = [
        Question(netlist, cipher, state_map, cycles, match if cycles == sets[-1] else {})
        for cycles in sets
    ]
    wrong: dict[str, Difference] = {}
    for question in questions:
        for one in by_simulation(question):
            wrong.setdefault(one.what, one)
    verdict.add("vectors", NO, _first_keystream_bit(cipher, attempt, alignment, match))
    verdict.add(
        "state",
        YES if places >= cipher.state_bits else OPEN,
        f"{places} of {cipher.state_bits} state bits, from what the load puts there",
    )
    if not wrong and not match:
        verdict.add("step", NO, "the state moves as it should, but no output gives the keystream")
        verdict.wrong.append("keystream bit 0: no output gives it")
        return False
    if not wrong:
        verdict.add("step", OPEN, "no cycle that was looked at differs: load or control is wrong")
        verdict.wrong.append(verdict.layers[-3].text.removesuffix(" is wrong"))
        return False
    bits = sorted(wrong.values(), key=lambda one: (one.flop is None, one.step, one.what))
    registers = {name for one in bits for name, _, _ in one.terms}
    verdict.wrong_registers = len(registers - {OUTPUT})
    count = "1 bit of a cycle differs" if len(bits) == 1 else f"{len(bits)} bits of a cycle differ"
    verdict.add("step", NO, f"{count} from the description")
    verdict.wrong += [f"{one.what}, made in step {one.step} of a cycle" for one in bits[:_MOST]]
    for fault in faults_of_step(cipher) if causes else ():
        others = [replace(question, cipher=fault.cipher) for question in questions]
        if not any(by_simulation(one, rounds=2) for one in others):
            verdict.causes.append(fault.cause)
            if len(verdict.causes) == _MOST:
                break
    return bool(verdict.causes)


def _likely_ports(
    cipher: RunCipher, attempt: Attempt, state_map: StateMap, cycles: Sequence[int]
) -> dict[tuple[str, int], Term]:
    """The output bits that give the most right bits when they are taken for the keystream."""
    radix, netlist, word = state_map.alignment.radix, attempt.netlist, cipher.word_bits
    width = radix * word
    best: tuple[int, dict[tuple[str, int], Term]] = (width, {})
    for port in attempt.plan.ports.outputs:
        if netlist.ports[port][1] != width:
            continue
        for order in orders_of(width) if word > 1 else orders_of(width)[:2]:
            for later in (0, -radix):
                places = {
                    (port, bit): (OUTPUT, number % word, later + number // word)
                    for number, bit in enumerate(ordered(range(width), order))
                }
                empty = StateMap(
                    state_map.alignment, state_map.meanings, state_map.control, state_map.free
                )
                question = Question(netlist, cipher, empty, cycles, places)
                wrong = sum(one.flop is None for one in by_simulation(question, rounds=1))
                if wrong < best[0] or (not best[1] and wrong == 1 == width and later == 0):
                    best = wrong, places
    return best[1]


def _first_keystream_bit(
    cipher: RunCipher,
    attempt: Attempt,
    alignment: Alignment,
    ports: dict[tuple[str, int], Term],
) -> str:
    """The first bit that comes out wrong, with the alignment of the state."""
    if not ports:
        return "no output gives the cipher's keystream"
    where = {bit: place for place, bit in enumerate(attempt.netlist.output_bits)}
    inverse = sorted((later, bit, place) for place, (_, bit, later) in ports.items())
    for cycle in range(alignment.cycle, len(attempt.trace.outputs)):
        for later, bit, place in inverse:
            expected = alignment.value((OUTPUT, bit, later), cycle)
            step = alignment.step_at(cycle) + later - cipher.blank_steps
            if expected is None or step < 0:
                continue
            if attempt.trace.outputs[cycle][where[place]] != expected:
                return f"keystream bit {step * cipher.word_bits + bit} is wrong"
    return "the keystream is wrong"


def _other_ciphers(cipher: RunCipher, tried: Sequence[Attempt]) -> list[str]:
    """Ciphers of the catalogue whose keystream the core gives."""
    names = []
    for other in CATALOGUE.values():
        try:
            one = run_cipher(other)
        except InputError:
            continue
        if one is cipher or one.key_bits != cipher.key_bits:
            continue
        for attempt in tried:
            if len(attempt.bits["iv"]) in one.iv_bits and attempt.match_of(one):
                names.append(other.name)
                break
    return names
