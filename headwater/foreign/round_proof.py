# SPDX-License-Identifier: Apache-2.0
"""The cycles of a core between two states against a round of the description, from any state, by
the solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from amaranth.back import rtlil
from amaranth.hdl import Assert, Cat, Const, Instance, Module, Signal, Value

from headwater.core.naming import Naming
from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.sat import Check, Verdict, answers
from headwater.flow.trace import read_trace
from headwater.foreign.proof import logic_of
from headwater.foreign.rounds import Held, RoundMap
from headwater.foreign.search import RUNS

_ONES = (1 << RUNS) - 1

Step = tuple[Held, Held]


def first_failure(
    state_map: RoundMap, steps: Sequence[Step], limit_s: float
) -> tuple[Step, Mapping[str, int]] | None:
    """The first of the steps that is no round of the description from some state, and the run that
    the solver found; None if it proves that there is none. What the flip-flops of no known meaning
    hold, and inputs that carry strings, is anything.

    Raises
    ------
    ToolError
        If the solver comes to no answer; `TookTooLongError` if one takes longer than the limit.
    """
    logic = logic_of(state_map.netlist, "core_logic")
    checks = [Check(f"{logic}\n{_checker(state_map, step)}", 1) for step in steps]
    with private_folder() as folder:
        for number, answer in enumerate(answers(checks, folder, limit_s)):
            if answer.verdict is Verdict.FAILS:
                names = folder / f"asserted{number}.names"
                return steps[number], read_trace(folder / f"witness{number}", names)[0]
            if answer.verdict is not Verdict.HOLDS:
                raise ToolError(answer.verdict.value)
    return None


def _checker(state_map: RoundMap, step: Step) -> str:
    """The core's logic, once for each cycle, beside a round."""
    before, after = step
    rounds, netlist, m = state_map.rounds, state_map.netlist, Module()
    words = [Signal(rounds.width, name=f"state_{name}") for name in rounds.names]
    ports, bits = [*words], Cat(*words)
    q: list[Value] = []
    for flop, value in enumerate(state_map.session.states[before.cycle]):
        if flop in before.meanings:
            place, inverted = before.meanings[flop]
            q.append(bits[place] ^ inverted)
        elif value in (0, _ONES):
            q.append(Const(value & 1, 1))
        else:
            q.append(Signal(1, name=f"free_{flop}"))
            ports.append(q[-1])
    for cycle in range(before.cycle, after.cycle):
        entering = [*_entering(state_map, cycle)]
        ports += [one for one in entering if isinstance(one, Signal)]
        d = Signal(len(q), name=f"d_{cycle}")
        out = Signal(len(netlist.output_bits), name=f"y_{cycle}")
        m.submodules[f"cycle_{cycle}"] = Instance(
            "core_logic", i_q=Cat(*q), i_i=Cat(*entering), o_d=d, o_y=out
        )
        q = [*d]
    made = rounds.step(Naming(m, "_meant"), words, before.number)
    expected = Signal(rounds.bits, name="expected")
    m.d.comb += expected.eq(Cat(*made))
    for flop, (place, inverted) in after.meanings.items():
        m.d.comb += Assert(q[flop] == expected[place] ^ inverted)
    return str(rtlil.convert(m, name="checker", ports=ports, emit_src=False))


def _entering(state_map: RoundMap, cycle: int) -> Iterator[Value]:
    """The inputs of a cycle: what is the same in all runs, and anything else free."""
    for place, value in enumerate(state_map.session.inputs[cycle]):
        steady = value in (0, _ONES)
        yield Const(value & 1, 1) if steady else Signal(1, name=f"input_{cycle}_{place}")


def always_wrong(state_map: RoundMap, step: Step, run: Mapping[str, int]) -> int | None:
    """The first flip-flop that is wrong behind a round from the state of a run, whatever the
    sessions left in flip-flops of no known meaning; None if none is."""
    before, after = step
    rounds, session = state_map.rounds, state_map.session
    words = [run.get(f"state_{name}", 0) for name in rounds.names]
    wrong = _made(state_map, before.number, words)
    held = sum(word << rounds.width * place for place, word in enumerate(words))
    q = [*session.states[before.cycle]]
    for flop, (place, inverted) in before.meanings.items():
        q[flop] = -(held >> place & 1 ^ inverted) & _ONES
    for cycle in range(before.cycle, after.cycle):
        q, _ = state_map.netlist.cycle(q, session.inputs[cycle], _ONES)
    return next(
        (
            flop
            for flop, (place, inverted) in sorted(after.meanings.items())
            if q[flop] == -(wrong >> place & 1 ^ inverted ^ 1) & _ONES
        ),
        None,
    )


def _made(state_map: RoundMap, number: int, words: Sequence[int]) -> int:
    """The state behind a round, as a number."""
    rounds = state_map.rounds
    made = rounds.behind(words, number)
    return sum(word << rounds.width * place for place, word in enumerate(made))
