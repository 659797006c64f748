# SPDX-License-Identifier: Apache-2.0
"""Names for what the functions of a description call values, each once in a core."""

from __future__ import annotations

from collections import Counter

from amaranth.hdl import Module, Signal, Value

from headwater.core.function import FunctionNaming


class Wires:
    """Makes the `wire` arguments of functions that are read in one module. A function may give the
    same name in several turns of a loop, and may be read in several places."""

    def __init__(self, m: Module) -> None:
        self._m = m
        self._names: Counter[str] = Counter()

    def __call__(self, suffix: str = "") -> FunctionNaming:
        """A `wire` that appends this to every name, and a number where the name is in use."""
        return _Once(self._m, suffix, self._names)


class _Once(FunctionNaming):
    def __init__(self, m: Module, suffix: str, names: Counter[str]) -> None:
        super().__init__(m, suffix)
        self._end, self._names = suffix, names

    def __call__(self, value: Value, name: str = "") -> Signal:
        name = name or Signal(src_loc_at=1).name
        whole = name + self._end
        self._names[whole] += 1
        again = self._names[whole]
        return super().__call__(value, f"{name}_again{again - 1}" if again > 1 else name)
