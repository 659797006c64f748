# SPDX-License-Identifier: Apache-2.0
"""The circuit of a load that puts key and IV into the registers; see `loading`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial, reduce
from itertools import groupby
from operator import xor

from amaranth.hdl import Cat, Const, Mux, Value

from headwater.kinds.stepped.loading import Constant, Plan, Source, Stage, Sum, Word


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
    """Every register's next content: from its load sources while ``loading``, else ``stepped``. The
    load ``word`` and the constant ``one`` are zeros while the load shifts zeros in."""
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
    """A register's next content in runs of bits. A run has a multiplexer only where loading and
    stepping take bits from different places, and an adder only where loading adds to the stepped
    bits."""

    def way(place: int) -> tuple[str, int, int]:
        source = sources[place]
        if source == Stage(name, place + radix):
            return "stepped", 0, 0
        if not isinstance(source, Sum):
            return "loaded", 0, 0
        kind = "added" if source.parts[0] == Stage(name, place + radix) else "sum"
        return kind, len(source.parts), source.inverted

    for (kind, count, inverted), run in groupby(range(len(sources)), way):
        places = list(run)
        moved = stepped[places[0] : places[-1] + 1]
        columns = [
            Cat(*(loaded(_parts(sources[at])[part]) for at in places))
            for part in range(kind == "added", max(count, 1))
        ]
        one = loaded(Constant(1)).replicate(len(places))
        match kind:
            case "stepped":
                yield moved
            case "added":
                yield moved ^ Mux(loading, reduce(xor, [*columns, *[one] * inverted]), 0)
            case _:
                yield Mux(loading, reduce(xor, [*columns, *[one] * inverted]), moved)


def _parts(source: Source) -> tuple[Source, ...]:
    return source.parts if isinstance(source, Sum) else (source,)


def _loaded_bit(source: Source, state: Mapping[str, Value], word: Value, one: Value) -> Value:
    """The value of a source that is no sum, in a load cycle."""
    match source:
        case Word(bit):
            return word[bit]
        case Stage(register, place):
            return state[register][place]
        case Constant(value):
            return one if value else Const(0)
    raise TypeError(f"a sum is read part by part, not {source!r}")
