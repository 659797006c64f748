# SPDX-License-Identifier: Apache-2.0
"""Functions: stateless circuits that a core uses in several places and its Verilog defines once.

In proofs and in simulation every use is a separate circuit.
"""

from __future__ import annotations

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
        self.arguments = tuple(Signal(len(word), name=f"x{place}" if place else "x")
                               for place, word in enumerate(words))  # fmt: skip
        self.result = Signal(width, name="")

    def elaborate(self, platform: object) -> Module | Instance:
        """The circuit, or an instance of the function if the platform collects functions."""
        if isinstance(platform, FunctionCollection):
            platform.add(self)
            pairs = zip(self.arguments, self._words, strict=True)
            given = {f"i_{argument.name}": word for argument, word in pairs}
            return Instance(self.name, **given, o_y=self.result)
        m = self.body(self.result)
        for argument, word in zip(self.arguments, self._words, strict=True):
            m.d.comb += argument.eq(word)
        return m

    def body(self, result: Signal) -> Module:
        """The circuit from the arguments to ``result``."""
        m = Module()
        m.d.comb += result.eq(self.circuit(FunctionNaming(m), *self.arguments))
        return m


class FunctionNaming(Naming):
    """A `Naming` for descriptions that use functions."""

    def function(self, name: str, width: int, circuit: Circuit, *words: Value) -> Value:
        """The result of a function of ``words``; see `headwater.algebra.word.FunctionWire`."""
        used = Function(name, width, circuit, words)
        self.m.submodules += used
        return used.result


class FunctionCollection:
    """The functions of a core: the platform to convert it with."""

    def __init__(self) -> None:
        self._functions: dict[str, Function] = {}

    def add(self, used: Function) -> None:
        """Record one use of a function."""
        first = self._functions.setdefault(used.name, used)
        if first.circuit != used.circuit:
            raise ValueError(f"two functions must not have the same name, not {used.name!r} twice")

    def as_rtlil(self) -> str:
        """All functions, each a module with the output ``y``."""
        texts = []
        for name, function in self._functions.items():
            result = Signal.like(function.result, name="y")
            ports = [*function.arguments, result]
            body = function.body(result)
            texts.append(rtlil.convert(body, name=name, ports=ports, emit_src=False))
        return "\n".join(texts)
