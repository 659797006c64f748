# SPDX-License-Identifier: Apache-2.0
"""The properties that a description states of itself, as properties that are proven."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from amaranth.hdl import Assert, Module, Signal

from headwater.cipher.law import Law
from headwater.core.function import FunctionNaming
from headwater.prove.checker import Proof, Property
from headwater.prove.reading import described


def laws_of(cipher: Any) -> Iterator[Property]:
    """Those of a cipher, and of the cipher that it is a mode of, each for all values of its
    words."""
    for one in filter(None, (cipher, getattr(cipher, "base", None))):
        for law in one.laws:
            yield Property(
                law.name,
                partial(_checker, law, one),
                described("itself, as its author states it"),
                law.meaning,
                cycles=lambda _: 1,
                of_core=False,
            )


def _checker(law: Law, cipher: Any, m: Module, _core: object, _: Proof) -> None:
    words = {name: any_word(m, name, width) for name, width in law.words_of(cipher).items()}
    m.d.comb += Assert(law.checked(cipher, FunctionNaming(m), words))


def any_word(m: Module, name: str, width: int) -> Signal:
    """A register that never moves and begins with any value."""
    register = Signal(width, name=f"any_{name}", reset_less=True)
    m.d.sync += register.eq(register)
    return register
