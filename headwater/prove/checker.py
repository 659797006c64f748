# SPDX-License-Identifier: Apache-2.0
"""A core with free inputs, and the assertions of one property on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from amaranth.hdl import (
    Assert,
    Assume,
    Cat,
    Const,
    Elaboratable,
    Fragment,
    Module,
    Mux,
    ResetSignal,
    Signal,
    Value,
)
from amaranth.lib.wiring import Component, Flow, In, Out

from headwater.core.component import Core
from headwater.prove.reading import Reading


@dataclass(frozen=True)
class Proof:
    """How a property is read. Assertions on the state help a proof by induction."""

    cipher: Any
    """What the core must be."""
    by_induction: bool
    whole: bool = False
    """Whether a cycle from any state must keep all that is proven together, not the property alone:
    a step of the induction."""

    def named(self, name: str) -> str:
        """The name of a checking register. In a proof by induction, which starts from a reset, the
        register starts from its initial value (``spec_``); otherwise from any value (``any_``)."""
        return f"spec_{name}" if self.by_induction else f"any_{name}"


Checker = Callable[[Module, Any, Proof], None]
"""Reads a core's signals, and adds registers and assertions to the module."""


class CheckedCore(Component):
    """A core with all its inputs free, and a submodule ``check_...`` for each property on it. With
    ``whole`` all its outputs leave, so that nothing is lost that no property reads."""

    def __init__(
        self, core: Core, properties: Mapping[str, tuple[Checker, Proof]], *, whole: bool = False
    ) -> None:
        self._core = core
        self._properties = properties
        self._shown = list(ports_of(core, Out)) if whole else []
        inputs = {f"in_{signal.name}": In(len(signal)) for signal in ports_of(core, In)}
        outputs = {f"out_{signal.name}": Out(len(signal)) for signal in self._shown}
        super().__init__(inputs | outputs)

    def elaborate(self, platform: object) -> Module:
        """The circuit, as Amaranth asks for it."""
        m = Module()
        # The core is elaborated first, because elaboration creates signals of its control.
        m.submodules.core = _Elaborated(Fragment.get(self._core, platform))
        for signal in ports_of(self._core, In):
            m.d.comb += signal.eq(getattr(self, f"in_{signal.name}"))
        for signal in self._shown:
            m.d.comb += getattr(self, f"out_{signal.name}").eq(signal)
        for name, (checker, proof) in self._properties.items():
            m.submodules[f"check_{name}"] = inner = Module()
            checker(inner, self._core, proof)
        return m


CONTROL = (
    "what the control registers hold in each cycle of a setup, since the other properties read "
    "these registers and do not say when they change"
)
"""A reason for invariants that are written by hand."""


@dataclass(frozen=True)
class Property:
    """One property."""

    name: str
    checker: Checker
    reading: Reading
    """What the core is compared with."""
    meaning: str
    cycles: Callable[[Any], int] = lambda _: 2
    """Number of cycles within which a core that breaks the property is caught, by the core's
    facts."""
    by_induction: Callable[[Any], bool] = lambda _: False
    """Whether the property is proven for runs of any length; otherwise for all states and
    ``cycles`` cycles."""
    applies: Callable[[Any], bool] = lambda _: True
    """Whether a core of that architecture has this property."""
    of_core: bool = True
    """Whether it checks cells of the core, and not a description or a circuit of its own."""
    begins: Mapping[str, int] = field(default_factory=dict)
    """What registers of the core begin with, by name, in a proof from any state. The checker
    assumes the same: the solver is told so that the logic of a long run can be merged first."""
    undisturbed: bool = False
    """Whether the checker assumes that nothing ends the session: no reset, no `clear` and no load
    word. The solver is told so, too."""
    by_hand: str = ""
    """Why invariants that somebody wrote help its proof; empty if none do."""

    def method(self, facts: Any) -> str:
        """How it is proven of a core with these facts, in words. "Any state" is any with the phases
        that ``setup`` shows, which are assumed."""
        if self.by_induction(facts):
            return "runs of any length from a reset"
        cycles = self.cycles(facts)
        return f"any state, {cycles} cycle{'s' * (cycles > 1)}"


class _Elaborated(Elaboratable):
    """The elaborated core, as a submodule of the checker."""

    def __init__(self, fragment: Fragment) -> None:
        self._fragment = fragment

    def elaborate(self, platform: object) -> Fragment:  # noqa: ARG002
        return self._fragment


def check_undisturbed(m: Module, core: Any, _: Proof) -> None:
    """Assume the plain run: a reset in the first cycle alone, every load word at once, all words
    taken, nothing cleared."""
    m.d.comb += Assume(ResetSignal() == first_cycle(m))
    for signal in ports_of(core, In):
        if signal is core.load.valid:
            m.d.comb += Assume(signal == core.load.ready)
        elif signal.name.endswith("ready"):
            m.d.comb += Assume(signal)
        elif signal.name == "clear":
            m.d.comb += Assume(~signal)


def ports_of(core: Core, flow: Flow) -> Iterator[Signal]:
    """The inputs of a core, or its outputs. A ready that is always one is none."""
    for _, member, signal in core.signature.flatten(core):
        if member.flow is flow and isinstance(signal, Signal):
            yield signal


def earlier(m: Module, name: str, value: Value, *, init: int = 0) -> Signal:
    """What a value was in the cycle before, in a register of this name."""
    register = Signal(len(value), name=f"spec_{name}", init=init)
    m.d.sync += register.eq(value)
    return register


def first_cycle(m: Module) -> Signal:
    """Whether this is the first cycle that is checked; a reset does not begin anew."""
    first = Signal(init=1, name="spec_first", reset_less=True)
    m.d.sync += first.eq(0)
    return first


def begins(proof: Proof, first: Value, phases: Value) -> Value:
    """What a run may be: from a reset in its first cycle on, in a proof by induction, else from any
    state; ``phases`` is known to hold in every cycle of a run."""
    return Mux(first, ResetSignal(), phases) if proof.by_induction else phases


def assert_always(
    m: Module,
    proof: Proof,
    properties: Iterable[Value],
    *,
    given: Value | None = None,
    invariants: Iterable[Value] = (),
) -> None:
    """Assert an invariant: by induction from reset, or in the cycles after any state in which it
    holds. ``given`` is known to hold in every cycle. The induction proves ``invariants``
    together with the properties."""
    first = first_cycle(m)
    keeps, known = Cat(*properties).all(), Cat(*invariants, Const(1, 1)).all()
    given = Const(1, 1) if given is None else given
    if proof.by_induction:
        m.d.comb += [Assume(ResetSignal() | ~first), Assert(first | (keeps & known))]
    else:
        kept = keeps & known if proof.whole else keeps
        m.d.comb += [Assume((keeps & known & given) | ~first), Assert(first | kept)]
    m.d.comb += Assume(given | first)


def ended(core: Any, loaded: Value) -> Value:
    """Whether a port ends the session in this cycle, if ``loaded`` tells that the load is over."""
    ends = loaded & core.load.valid
    if not core.facts.waits:
        ends |= ~loaded & ~core.load.valid
    if core.architecture.clear != "none":
        ends |= core.clear
    return ends


def becomes(m: Module, when: Value, register: Signal, value: Value) -> None:
    """Assert that a register has this value in the next cycle if ``when`` holds in this one."""
    expected = earlier(m, f"{register.name}_next", value)
    moved = earlier(m, f"{register.name}_moved", when)
    m.d.comb += Assert(~moved | (register == expected[: len(register)]))


def aborting(core: Any) -> Value:
    """Whether the core aborts in this cycle; the property of the session shows that it does so
    exactly when it should."""
    return ResetSignal() | core.abort
