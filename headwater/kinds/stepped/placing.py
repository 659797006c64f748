# SPDX-License-Identifier: Apache-2.0
"""The circuit of a load that puts key and IV into the registers; see `loading`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby

from amaranth.hdl import Cat, Const, Mux, Value

from headwater.kinds.stepped.loading import Constant, Plan, Source, Stage, Word


def placed_state(
    plan: Plan,
    state: Mapping[str, Value],
    stepped: Mapping[str, Value],
    *,
    loading: Value,
    word: Value,
    one: Value,
    radix: int,
) -> dict[str, Value]:
    """Every register's next content: from its load sources while loading, else stepped.

    Parameters
    ----------
    plan
        Where each bit comes from in a load cycle.
    state, stepped
        The registers, and what a cycle's ``radix`` steps make of them.
    loading
        Whether this is a load cycle.
    word, one
        The load word and the constant one, or zeros while the load shifts zeros in.
    """
    loaded = partial(_loaded_bit, state=state, word=word, one=one)
    return {
        name: Cat(*_next_bits(name, sources, stepped[name], loaded, loading, radix))
        for name, sources in plan.items()
    }


def _next_bits(
    name: str,
    sources: tuple[Source, ...],
    stepped: Value,
    loaded: partial[Value],
    loading: Value,
    radix: int,
) -> Iterator[Value]:
    """A register's next content in runs of bits, multiplexed only where loading and stepping take
    them from different places."""

    def steps_from_there(place: int) -> bool:
        return sources[place] == Stage(name, place + radix)

    for same, run in groupby(range(len(sources)), steps_from_there):
        places = list(run)
        moved = stepped[places[0] : places[-1] + 1]
        yield moved if same else Mux(loading, Cat(*(loaded(sources[at]) for at in places)), moved)


def _loaded_bit(source: Source, state: Mapping[str, Value], word: Value, one: Value) -> Value:
    """What a source gives in a load cycle."""
    match source:
        case Word(bit):
            return word[bit]
        case Stage(register, place):
            return state[register][place]
        case Constant(value):
            return one if value else Const(0)
