# SPDX-License-Identifier: Apache-2.0
"""Functions: stateless circuits that a core uses in several places and its Verilog defines once.

In Amaranth's own simulation every use is a separate circuit.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from amaranth.back import rtlil
from amaranth.hdl import Elaboratable, Instance, Module, Signal, Value

from headwater.algebra.word import Circuit
from headwater.core.naming import Naming


class Function(Elaboratable):
    """One use of a function; two uses with the same name must be of the same circuit. Its arguments
    are ``words``, its ``result`` has ``width`` bits."""

    def __init__(self, name: str, width: int, circuit: Circuit, words: tuple[Value, ...]) -> None:
        self.name = name
        self.circuit = circuit
        self._words = words
        self.arguments = tuple(
            Signal(len(word), name=f"x{place}" if place else "x")
            for place, word in enumerate(words)
        )
        self.result = Signal(width, name="")

    def elaborate(self, platform: object) -> Module | Instance:
        """The circuit, or an instance of the function if the platform collects functions."""
        if isinstance(platform, FunctionCollection):
            name = platform.add(self)
            pairs = zip(self.arguments, self._words, strict=True)
            inputs = {f"i_{argument.name}": word for argument, word in pairs}
            return instance(name, inputs, self.result)
        m = self.body()
        for argument, word in zip(self.arguments, self._words, strict=True):
            m.d.comb += argument.eq(word)
        return m

    def body(self) -> Module:
        """The circuit from the arguments to the result."""
        return _body(self.circuit, self.arguments, self.result)

    @property
    def widths(self) -> tuple[int, ...]:
        """Bits of the arguments, then of the result."""
        return (*map(len, self.arguments), len(self.result))


def instance(name: str, inputs: Mapping[str, Value], result: Signal) -> Instance:
    """An instance of the module that a function is: its inputs with their prefix, its result."""
    return Instance(name, **inputs, o_y=result)


def _body(circuit: Circuit, arguments: tuple[Signal, ...], result: Signal) -> Module:
    """A circuit from its arguments to ``result``."""
    m = Module()
    m.d.comb += result.eq(circuit(FunctionNaming(m), *arguments))
    return m


@lru_cache(maxsize=64)
def _as_rtlil(name: str, circuit: Circuit, widths: tuple[int, ...]) -> str:
    """A circuit as a module of its own."""
    *inputs, output = widths
    arguments = tuple(
        Signal(width, name=f"x{place}" if place else "x") for place, width in enumerate(inputs)
    )
    result = Signal(output, name="y")
    ports = [*arguments, result]
    return rtlil.convert(_body(circuit, arguments, result), name=name, ports=ports, emit_src=False)


class FunctionNaming(Naming):
    """A `Naming` for descriptions that use functions."""

    def function(self, name: str, width: int, circuit: Circuit, *words: Value) -> Value:
        """The result of a function of ``words``; see `headwater.algebra.word.FunctionWire`."""
        used = Function(name, width, circuit, words)
        self.m.submodules += used
        return used.result


class FunctionCollection:
    """The functions of a circuit: the platform to convert it with. Those of a core all have names
    of their own; ``of_several`` cores, functions with the same name may differ."""

    def __init__(self, *, of_several: bool = False) -> None:
        self._of_several = of_several
        self.printed = not of_several
        """Whether the circuit is printed, and no checker is beside it."""
        self._functions: dict[str, Function] = {}

    def add(self, used: Function) -> str:
        """Record one use of a function; its name."""
        name, number = used.name, 1
        while self._functions.setdefault(name, used).circuit != used.circuit:
            if not self._of_several:
                raise ValueError(f"two functions must not have the same name, not {name!r} twice")
            number += 1
            name = f"{used.name}_{number}"
        return name

    def named(self, name: str) -> Function:
        """A use of the function with this name."""
        return self._functions[name]

    def as_rtlil(self) -> str:
        """All functions, each a module with the output ``y``."""
        return "\n".join(
            _as_rtlil(name, function.circuit, function.widths)
            for name, function in self._functions.items()
        )
