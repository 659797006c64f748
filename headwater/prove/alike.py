# SPDX-License-Identifier: Apache-2.0
"""Properties of cores of every kind, and conditions under which a core has a property."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Value

from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.prove.checker import Checker, Proof, Property, aborting
from headwater.prove.offers import assert_held, assume_steady, cleared
from headwater.prove.reading import Reading, independent

Phases = Callable[[Any], Value]
Count = Callable[[Any], int]


def any_state(_core: Any) -> Value:
    """No condition on the state."""
    return Const(1, 1)


def none(_facts: Facts) -> int:
    """No further cycle."""
    return 0


def always(_facts: Facts) -> bool:
    """Condition that holds for every core of a kind."""
    return True


def where_it_waits(facts: Facts) -> bool:
    """Condition that holds for cores that wait for their readers."""
    return facts.waits


def hold(
    phases: Phases, made_of: Callable[[Any], Sequence[Value]] | None = None, latency: Count = none
) -> Property:
    """The property that an offered word stays until it is taken, unless the session is aborted.
    Output text stays as long as the text that enters does.

    ``phases(core)`` is an invariant in every reachable state; ``made_of(core)`` all that the
    offered words depend on, where that is easier to prove than the words; ``latency`` the cycles by
    which the output is later than its state.
    """

    def checker(m: Module, core: Any, _: Proof) -> None:
        streams = core.facts.streams
        m.d.comb += Assume(phases(core))
        if "data_in" in streams:
            offer = _content(core, streams["data_in"])
            offer += [core.decrypt] if "decrypt" in core.facts.inputs else []
            assume_steady(m, core.data_in, offer)
        for name, stream in streams.items():
            if stream.direction == "output":
                content = made_of(core) if made_of else _content(core, stream)
                assert_held(m, name, getattr(core, name), content, aborting(core))

    meaning = "an offered word holds until it is taken"
    return Property(
        "hold",
        checker,
        independent("the word that was offered in the cycle before"),
        meaning,
        cycles=lambda facts: 2 + latency(facts),
        applies=where_it_waits,
    )


def _content(core: Any, stream: Stream) -> list[Value]:
    """The members of a stream apart from its handshake."""
    names = [name for name in stream.members if name not in ("valid", "ready")]
    return [getattr(getattr(core, stream.name), name) for name in names]


def silence(
    applies: Callable[[Any], bool] = where_it_waits,
    more: str = "",
    phases: Phases = any_state,
    also: Callable[[Any], Value] = any_state,
) -> Property:
    """The property that outputs show only offered words; ``more`` says what ``also``
    adds."""

    def checker(m: Module, core: Any, _: Proof) -> None:
        m.d.comb += [Assume(phases(core)), Assert(also(core))]
        for name, stream in core.facts.streams.items():
            if stream.direction == "output":
                port = getattr(core, name)
                m.d.comb += Assert(port.valid | (port.payload == 0))

    meaning = f"a payload that is not offered is zero{more}"
    return Property(
        "silence", checker, independent("zero"), meaning, cycles=lambda _: 1, applies=applies
    )


_EMPTY = independent("zeros, and the control after a reset")


def clear(
    what: str,
    checker: Checker | None = None,
    also: Phases = any_state,
    reading: Reading = _EMPTY,
) -> Property:
    """The property that ``clear_cycles`` after a clear or a reset in any state, with nothing
    loaded, the state is cleared: by default, that no bit of a secret is left, all control is as
    after a reset, and ``also`` holds."""

    def emptied(m: Module, core: Any, _: Proof) -> None:
        control = (*core.session.registers, *core.control_registers)
        with m.If(cleared(m, core)):
            m.d.comb += [Assert(Cat(*core.secrets) == 0), Assert(also(core))]
            m.d.comb += [Assert(register == register.init) for register in control]

    checker = checker or emptied
    return Property(
        "clear",
        checker,
        reading,
        f"clear and reset leave {what}",
        cycles=lambda facts: (facts.clear_cycles or 0) + 1,
        applies=lambda facts: facts.clear_cycles is not None,
    )
