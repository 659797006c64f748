# SPDX-License-Identifier: Apache-2.0
"""Cores of modes of mobile telephony that break a promise, for each at least one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from amaranth.hdl import Module, Signal, Value

from headwater.cipher.mobile import MobileMode
from headwater.core.architecture import Architecture
from headwater.core.mobile.base import MobileCore
from headwater.core.mobile.confidentiality import ConfidentialityCore
from headwater.core.mobile.core import kind_of
from headwater.core.mobile.evaluation import EvaluationCore
from headwater.core.mobile.window import WindowCore

Mutant = Callable[[Any, Architecture], MobileCore | None]


def _other(mixin: type[MobileCore]) -> Mutant:
    """The core of the same mode with some of its methods replaced."""

    def made(mode: MobileMode, architecture: Architecture) -> MobileCore:
        mutant = type(mixin.__name__, (mixin, kind_of(mode)), {})
        core: MobileCore = mutant(mode, architecture)
        return core

    return made


class _Lingering(MobileCore):
    """What it knows of a message stays when the message is dropped."""

    @property
    def _control_registers(self) -> tuple[Signal, ...]:
        own = {id(register) for register in self.progress}
        return tuple(one for one in super()._control_registers if id(one) not in own)


class _Forgetful(MobileCore):
    """Uses what the state gives now, whether the word before was used or not."""

    def _word(self, m: Module, output: Value) -> Value:
        super()._word(m, output)
        return output


class _Bare(MobileCore):
    """Shows what it has whether it offers it or not."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        shown = self.hold
        if isinstance(self, ConfidentialityCore):
            m.d.comb += self.data_out.payload.eq(shown)
        elif isinstance(self, WindowCore | EvaluationCore):
            m.d.comb += self.tag.payload.eq(shown)
        return m


class _Stained(MobileCore):
    """One bit, once it is one, is never zero again."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        bit = (self.contents or (self.hold,))[-1][0]
        with m.If(bit):
            m.d.sync += bit.eq(1)
        return m


class _OneBitOff(ConfidentialityCore):
    """Encrypts the first bit of each word wrong."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.data_out.valid):
            m.d.comb += self.data_out.payload[-1].eq(self.data_in.payload[-1])
        return m


class _BitStaysZero(MobileCore):
    """One bit of the sum or the value is lost."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        if isinstance(self, WindowCore):
            m.d.sync += self.sum[5].eq(0)
        elif isinstance(self, EvaluationCore):
            m.d.sync += self.value.value[3].eq(0)
        return m


MOBILE_MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "order": (_other(_Lingering),),
    "hold": (_other(_Forgetful),),
    "silence": (_other(_Bare),),
    "clear": (_other(_Stained),),
    "text": (_other(_OneBitOff),),
    "window": (_other(_BitStaysZero),),
    "value": (_other(_BitStaysZero),),
}
"""For each promise cores that break it."""
