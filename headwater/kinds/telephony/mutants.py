# SPDX-License-Identifier: Apache-2.0
"""Cores of telephony modes that break a promise, at least one for each promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amaranth.hdl import Const, Module, Value

from headwater.kinds.aes_ofb import mutants as aes_ofb
from headwater.kinds.aes_ofb.counter import CounterCore
from headwater.kinds.aes_ofb.counter_words import CounterWords
from headwater.kinds.aes_ofb.pipeline import PipelinedCounter
from headwater.kinds.stepped import mutants as stepped
from headwater.kinds.telephony.block_facts import BlockModeFacts
from headwater.kinds.telephony.block_promises import has_one_round, is_pipelined, of_blocks
from headwater.kinds.telephony.confidentiality import ConfidentialityCore
from headwater.kinds.telephony.core import TelephonyCore
from headwater.kinds.telephony.evaluation import EvaluationCore
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.hashing import HashingCore
from headwater.kinds.telephony.mode_256 import BlockHashing
from headwater.kinds.telephony.window import WindowCore
from headwater.prove.mutants import Mutant, added, only, replaced, stained
from headwater.prove.session import SESSION_MUTANTS


class _Lingering(TelephonyCore):
    """Registers that follow a message keep their content in an abort."""

    def elaborate(self, platform: object) -> Module:
        registers = self.control_registers
        self.control_registers = registers[: len(registers) - len(self.progress)]
        m = super().elaborate(platform)
        self.control_registers = registers
        return m


def _bare(m: Module, core: TelephonyCore) -> None:
    """Shows its output even while nothing is offered."""
    shown = core.data_out if isinstance(core, ConfidentialityCore) else core.tag
    m.d.comb += shown.payload.eq(core.hold)


def _one_bit_off(m: Module, core: ConfidentialityCore) -> None:
    """Encrypts the first bit of each word incorrectly."""
    with m.If(core.data_out.valid):
        m.d.comb += core.data_out.payload[-1].eq(core.data_in.payload[-1])


def _sum_stays_zero(m: Module, core: WindowCore) -> None:
    """One bit of the sum is always zero."""
    m.d.sync += core.sum[5].eq(0)


def _value_stays_zero(m: Module, core: EvaluationCore) -> None:
    """One bit of the value is always zero."""
    m.d.sync += core.value.value[3].eq(0)


def _has_digits_left(facts: TelephonyFacts) -> bool:
    """Whether a word takes more than one cycle."""
    return facts.word_cycles > 1


def _digit_stays_zero(m: Module, core: EvaluationCore) -> None:
    """One bit of the digits that wait is always zero."""
    m.d.sync += core.value.digits[7].eq(0)


def _words_miscounted(m: Module, core: EvaluationCore) -> None:
    """A bit of the message's length is lost."""
    m.d.sync += core.whole_words[3].eq(0)


def _operand_stays_zero(m: Module, core: HashingCore) -> None:
    """One bit of the hash's value is always zero."""
    m.d.sync += core.value.operand[77].eq(0)


def _length_off(m: Module, core: HashingCore) -> None:
    """A bit of the length is lost."""
    m.d.sync += core.ad_bytes[3].eq(0)


def _unpadded(m: Module, core: HashingCore) -> None:
    """A bit of the tag is that of the value alone."""
    with m.If(core.tag.valid):
        m.d.comb += core.tag.payload[-1].eq(core.value.operand[7])


class _Short(CounterCore):
    """Makes two rounds too few."""

    @property
    def _last_but_one(self) -> Value:
        return self.odd & self.constant[-2]


class _OtherHalf(CounterCore):
    """One bit of the key's first half is inverted where round 1 takes it."""

    def _first_key_word(self, place: int) -> Value:
        return super()._first_key_word(place) ^ (place > 0)


class _Hasty(CounterCore):
    """The rounds continue even if their words are not used."""

    @property
    def _rounds_enable(self) -> Value:
        return Const(1, 1)


class _ShortOfKeys(PipelinedCounter):
    """Makes two round keys too few."""

    @property
    def _keys_end(self) -> Value:
        return self.odd & self.constant[-2]


class _Driven(PipelinedCounter):
    """The stages move on even if their words are not used."""

    @property
    def _goes_on(self) -> Value:
        return Const(1, 1)


def _key_in_line_stays_zero(m: Module, core: PipelinedCounter) -> None:
    """One bit of a round key is always zero."""
    m.d.sync += core.round_keys[9][77].eq(0)


class _Unmarked(CounterWords):
    """The keys of the hash come from blocks that a text could have."""

    @property
    def marks(self) -> tuple[bool, bool]:
        return False, False


def _miscounted(m: Module, core: CounterWords) -> None:
    """One bit of the counter is always zero."""
    m.d.sync += core.counter[3].eq(0)


def _has_marks(facts: TelephonyFacts | BlockModeFacts) -> bool:
    return isinstance(facts.mode, BlockHashing)


def _marks_as_it_counts(facts: TelephonyFacts | BlockModeFacts) -> bool:
    return _has_marks(facts) and has_one_round(facts)


def _is_narrow(facts: TelephonyFacts | BlockModeFacts) -> bool:
    """Whether a round takes several cycles."""
    return isinstance(facts, BlockModeFacts) and facts.words_per_block > 1


def _of_words(facts: TelephonyFacts | BlockModeFacts) -> bool:
    return not of_blocks(facts)


def _either(
    words: Sequence[Mutant], blocks: Sequence[Mutant], pipelined: Sequence[Mutant]
) -> tuple[Mutant, ...]:
    """Mutants of modes of ciphers of words, and of AES-256 with one round and with all."""
    kinds = ((_of_words, words), (has_one_round, blocks), (is_pipelined, pipelined))
    return tuple(only(condition, one) for condition, mutants in kinds for one in mutants)


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "step": stepped.MUTANTS["step"],
    "words": stepped.MUTANTS["words"],
    "setup": _either(
        stepped.MUTANTS["setup"],
        (replaced(_Short), replaced(_Hasty)),
        (replaced(_ShortOfKeys),),
    ),
    "next": _either(stepped.MUTANTS["next"], (replaced(_Hasty),), (replaced(_Driven),)),
    "counter": (added(_miscounted), only(_marks_as_it_counts, replaced(_Unmarked))),
    "sbox": aes_ofb.MUTANTS["sbox"],
    "round": (
        *aes_ofb.MUTANTS["sbox"],
        only(_is_narrow, replaced(_OtherHalf)),
        only(is_pipelined, added(_key_in_line_stays_zero)),
    ),
    "load": _either(
        (),
        aes_ofb.MUTANTS["load"],
        (added(_key_in_line_stays_zero), only(_has_marks, replaced(_Unmarked))),
    ),
    "order": (replaced(_Lingering),),
    "session": SESSION_MUTANTS,
    "hold": _either(stepped.MUTANTS["hold"], (replaced(_Hasty),), (replaced(_Driven),)),
    "silence": (added(_bare),),
    "clear": (stained(lambda core: (core.contents or (core.hold,))[-1][0]),),
    "text": (added(_one_bit_off),),
    "window": (added(_sum_stays_zero),),
    "value": (added(_value_stays_zero), only(_has_digits_left, added(_digit_stays_zero))),
    "evaluated": (added(_words_miscounted),),
    "product": (added(_operand_stays_zero),),
    "blocks": (added(_length_off),),
    "keys": (added(_unpadded),),
    "texts": (added(_one_bit_off),),
}
