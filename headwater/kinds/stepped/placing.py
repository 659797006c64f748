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
    copies: Mapping[str, Value],
    word: Value,
    one: Value,
    emptying: Value | None,
    radix: int,
) -> dict[str, Value]:
    """Every register's next content: from its load sources while ``loading``, else ``stepped``. A
    register among ``copies`` takes others than zeros by its own copy of ``loading``. While zeros
    are shifted in, the load ``word`` and the constant ``one`` must be zeros. With ``emptying`` they
    need not be: while it is one, the bits that take them become zero."""
    loaded = partial(_loaded_bit, state=state, word=word, one=one)
    next_bits = partial(_next_bits, loaded=loaded, loading=loading, emptying=emptying, radix=radix)
    return {
        name: Cat(*next_bits(name, sources, stepped[name], own=copies.get(name, loading)))
        for name, sources in plan.items()
    }


def _next_bits(
    name: str,
    sources: tuple[Source, ...],
    stepped: Value,
    *,
    loaded: partial[Value],
    loading: Value,
    own: Value,
    emptying: Value | None,
    radix: int,
) -> Iterator[Value]:
    """A register's next content in runs of bits. A run has a multiplexer only where loading and
    stepping take bits from different places, and an adder only where loading adds to the stepped
    bits."""

    def way(place: int) -> tuple[str, int, int, bool]:
        source = sources[place]
        fed = emptying is not None and _is_fed(source)
        if source == Stage(name, place + radix):
            return "stepped", 0, 0, False
        if own is not loading and source == Constant(0):
            return "blank", 0, 0, False
        if not isinstance(source, Sum):
            return "loaded", 0, 0, fed
        kind = "added" if source.parts[0] == Stage(name, place + radix) else "sum"
        return kind, len(source.parts), source.inverted, fed

    for (kind, count, inverted, fed), run in groupby(range(len(sources)), way):
        places = list(run)
        moved = stepped[places[0] : places[-1] + 1]
        columns = [
            Cat(*(loaded(_parts(sources[at])[part]) for at in places))
            for part in range(kind == "added", max(count, 1))
        ]
        one = loaded(Constant(1)).replicate(len(places))
        match kind:
            case "stepped":
                after = moved
            case "blank":
                after = Mux(loading, 0, moved)
            case "added":
                after = moved ^ Mux(own, reduce(xor, [*columns, *[one] * inverted]), 0)
            case _:
                after = Mux(own, reduce(xor, [*columns, *[one] * inverted]), moved)
        yield Mux(emptying, 0, after) if fed and emptying is not None else after


def _is_fed(source: Source) -> bool:
    """Whether a state bit takes bits of the load word, or a one."""
    if isinstance(source, Sum) and source.inverted:
        return True
    return source == Constant(1) or any(isinstance(part, Word) for part in _parts(source))


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
