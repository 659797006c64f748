# SPDX-License-Identifier: Apache-2.0
"""What is said of a core of a cipher that goes in rounds: where its state is, and whether the
cycles between two states are a round."""

from __future__ import annotations

from headwater.errors import ToolError
from headwater.flow.process import MissingToolError, TookTooLongError
from headwater.foreign.round_proof import always_wrong, first_failure
from headwater.foreign.rounds import RoundMap, Session
from headwater.foreign.trials import Trial
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.rounds import Rounds

_BEHIND = 400
"""Cycles behind the first word of text, and of a session's phases, that are looked at."""
_TRUSTED = 0.75
"""The part of a state that a core which is wrong must hold, so that the rest is named."""


def tell_rounds(verdict: Verdict, rounds: Rounds, trial: Trial, limit_s: float) -> None:
    """Say the layers behind the vectors, of a core that was driven as in a trial."""
    entry, sample = trial.entry, trial.group[0]
    netlist = entry.interface.netlist
    cycles = next(iter(trial.text_cycles), _BEHIND) + _BEHIND
    sessions = (Session(netlist, rounds, entry, sample, seed, cycles) for seed in (1, 2))
    state_map = RoundMap(netlist, rounds, *sessions)
    if trial.is_right:
        _tell_right(verdict, state_map, limit_s)
    else:
        _tell_wrong(verdict, state_map)
    verdict.add("setup", OPEN, "the load of a cipher in rounds is not looked at")


def _tell_right(verdict: Verdict, state_map: RoundMap, limit_s: float) -> None:
    rounds, steps = state_map.rounds, state_map.steps()
    if not steps:
        held = len(state_map.best.places)
        text = (
            f"no two states in a row are whole; a cycle holds {held} of {rounds.bits} bits at most"
        )
        verdict.add("state", OPEN, text)
        verdict.add("step", OPEN, "it is looked at where the state is found")
        return
    several = f"{len(state_map.whole)} of {rounds.count + 1} states"
    verdict.add("state", YES, f"{rounds.bits} of {rounds.bits} state bits, in {several}")
    result, text = _proven(verdict, state_map, limit_s)
    if result == YES and len(steps) < rounds.count:
        result, text = OPEN, f"{text}; the other states are not found"
    verdict.add("step", result, text)


def _proven(verdict: Verdict, state_map: RoundMap, limit_s: float) -> tuple[str, str]:
    """The result of the proof of each round, and a sentence; a wrong bit is added."""
    steps, rounds = state_map.steps(), state_map.rounds
    try:
        failure = first_failure(state_map, steps, limit_s)
    except TookTooLongError:
        return OPEN, f"no proof in {limit_s:g} s"
    except MissingToolError:
        raise
    except ToolError as error:
        return OPEN, f"the solver came to no answer: {str(error).splitlines()[0]}"
    if failure is None:
        lengths = {after.cycle - before.cycle for before, after in steps}
        each = " or ".join("a cycle" if n == 1 else f"{n} cycles" for n in sorted(lengths))
        some = f"{len(steps)} of {rounds.count} rounds of the description"
        return YES, f"{some}, each in {each}, from any state under this map"
    step, run = failure
    flop = always_wrong(state_map, step, run)
    if flop is None:
        return OPEN, "it depends on what flip-flops of no known meaning hold"
    number, place = step[1].number, step[1].meanings[flop][0]
    name = state_map.netlist.name(flop)
    verdict.wrong.append(f"{state_map.name(place)} behind round {number}, in {name}")
    return NO, f"there is a state from which round {number} is another than the description's"


def _tell_wrong(verdict: Verdict, state_map: RoundMap) -> None:
    """Name the first bits of a state that no flip-flop holds in the cycle in which most are."""
    bits = state_map.rounds.bits
    first = next((one for one in state_map.states[1:] if len(one.places) < bits), None)
    if first is None:
        verdict.add("state", YES, f"{bits} of {bits} state bits, in each round")
        verdict.add("step", OPEN, "no round that was looked at differs: what is around them does")
        return
    missing = sorted(set(range(bits)) - first.places)
    if len(missing) > (1 - _TRUSTED) * bits:
        verdict.add("state", OPEN, f"{len(first.places)} of {bits} state bits of a round at most")
        verdict.add("step", OPEN, "it is looked at where the state is found")
        return
    text = f"{len(first.places)} of {bits} state bits behind round {first.number}"
    verdict.add("state", OPEN, text)
    verdict.add("step", NO, f"{len(missing)} bits of a round differ from the description")
    verdict.wrong += [
        f"{state_map.name(place)} behind round {first.number}: no flip-flop holds it"
        for place in missing[:3]
    ]
