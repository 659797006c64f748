# SPDX-License-Identifier: Apache-2.0
"""Cores of telephony modes that break a promise, at least one for each promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Module, Signal, Value

from headwater.kinds.telephony.base import TelephonyCore
from headwater.kinds.telephony.confidentiality import ConfidentialityCore
from headwater.kinds.telephony.core import core_class
from headwater.kinds.telephony.evaluation import EvaluationCore
from headwater.kinds.telephony.window import WindowCore
from headwater.prove.mutants import Mutant, replacing
from headwater.prove.session import session_mutants

_other = replacing(core_class)
"""The core of the same mode with some of its methods replaced."""


class _Lingering(TelephonyCore):
    """Registers that follow a message keep their content in an abort."""

    @property
    def control_registers(self) -> tuple[Signal, ...]:
        own = {id(register) for register in self.progress}
        return tuple(one for one in super().control_registers if id(one) not in own)


class _Forgetful(TelephonyCore):
    """Uses the present keystream even if the word before was not used."""

    def _word(self, m: Module, output: Value) -> Value:
        super()._word(m, output)
        return output


class _Bare(TelephonyCore):
    """Shows its output even while nothing is offered."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        shown = self.hold
        if isinstance(self, ConfidentialityCore):
            m.d.comb += self.data_out.payload.eq(shown)
        elif isinstance(self, WindowCore | EvaluationCore):
            m.d.comb += self.tag.payload.eq(shown)
        return m


class _Stained(TelephonyCore):
    """One bit, once one, never becomes zero again."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        bit = (self.contents or (self.hold,))[-1][0]
        with m.If(bit):
            m.d.sync += bit.eq(1)
        return m


class _OneBitOff(ConfidentialityCore):
    """Encrypts the first bit of each word incorrectly."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.data_out.valid):
            m.d.comb += self.data_out.payload[-1].eq(self.data_in.payload[-1])
        return m


class _BitStaysZero(TelephonyCore):
    """One bit of the sum or the value is always zero."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        if isinstance(self, WindowCore):
            m.d.sync += self.sum[5].eq(0)
        elif isinstance(self, EvaluationCore):
            m.d.sync += self.value.value[3].eq(0)
        return m


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "order": (_other(_Lingering),),
    "session": session_mutants(core_class),
    "hold": (_other(_Forgetful),),
    "silence": (_other(_Bare),),
    "clear": (_other(_Stained),),
    "text": (_other(_OneBitOff),),
    "window": (_other(_BitStaysZero),),
    "value": (_other(_BitStaysZero),),
}
"""For each promise cores that break it."""
