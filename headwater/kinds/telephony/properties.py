# SPDX-License-Identifier: Apache-2.0
"""The properties of the cores of telephony modes in addition to setup and step of their ciphers:
their streams, and how they process a word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from operator import xor

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.kinds.aes import check_counter, check_pipeline, line_phases
from headwater.kinds.aes.counter import CounterCore
from headwater.kinds.aes.line import LineCore
from headwater.kinds.aes.pipeline import Pipeline
from headwater.kinds.stepped import properties as stepped
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.setup import check_setup
from headwater.kinds.telephony import hash_checkers
from headwater.kinds.telephony.block_facts import BlockModeFacts, CalledFacts
from headwater.kinds.telephony.block_properties import block_properties
from headwater.kinds.telephony.check_evaluation import check_evaluated
from headwater.kinds.telephony.check_windows import check_windows
from headwater.kinds.telephony.confidentiality import ConfidentialityCore
from headwater.kinds.telephony.core import TelephonyCore
from headwater.kinds.telephony.description import (
    FIELD,
    BasedMode,
    Encrypting,
    EvaluationIntegrity,
    Integrity,
    WindowIntegrity,
)
from headwater.kinds.telephony.evaluation import EvaluationCore
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.hashing import HashingCore
from headwater.kinds.telephony.mode_256 import (
    BlockAead,
    BlockCiphering,
    BlockHashing,
    ModeOfBlocks,
    WordAead,
    WordCiphering,
    WordHashing,
)
from headwater.kinds.telephony.polynomial_value import PolynomialValue
from headwater.kinds.telephony.window import WindowCore
from headwater.kinds.telephony.windows_behind import WindowsBehind
from headwater.kinds.telephony.windows_behind_core import WindowsBehindCore
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import Proof, Property, aborting, assert_always, becomes
from headwater.prove.reading import independent
from headwater.prove.session import session

_Facts = TelephonyFacts | BlockModeFacts | CalledFacts


def _order(core: TelephonyCore) -> list[Value]:
    """An invariant of the flags that follow a message, in every reachable state."""
    match core:
        case WindowCore():
            return [~core.primed | core.running, ~core.sending | core.primed]
        case WindowsBehindCore():
            return [
                ~core.primed | core.running,
                ~core.sending | core.primed,
                core.running | ~core.place.any(),
                core.sending | ~core.primed | ~core.place.any(),
            ]
        case HashingCore():
            return hash_checkers.order(core)
        case EvaluationCore():
            there, whole = core.gathered
            return [
                ~there | core.running,
                ~whole | there,
                ~core.left.any() | whole,
                ~core.ending | core.running,
                ~core.at_length | core.ending,
                ~core.sending | (core.at_length & whole),
            ]
    return []


def check_order(m: Module, core: TelephonyCore, proof: Proof) -> None:
    """No flag of a message is one before the setup is over; a message ends after its words."""
    assert_always(m, proof, _order(core))


def _reachable(core: TelephonyCore) -> Value:
    """An invariant of phases and progress in every reachable state."""
    match core:
        case CounterCore():
            known = check_counter.phases(core)
        case LineCore():
            known = line_phases.phases(core)
        case Pipeline():
            known = check_pipeline.phases(core)
        case _:
            known = phases(core)
    return known & Cat(*_order(core), Const(1, 1)).all()


def _nothing_early(core: TelephonyCore) -> Value:
    """Whether no word crosses before the setup ends."""
    offers = [
        getattr(core, name).valid
        for name, stream in core.facts.streams.items()
        if stream.direction == "output"
    ]
    return core.running | ~(Cat(*offers).any() | core.data_fire)


def _word_there(core: TelephonyCore) -> Value:
    """Whether a word of the cipher is there in a running core."""
    return core.with_word(Const(1, 1))


def check_text(m: Module, core: ConfidentialityCore, proof: Proof) -> None:  # noqa: ARG001
    """Where `keep` is one, the output is the input plus the cipher's word."""
    data, out = core.data_in, core.data_out
    text = (data.payload ^ core.word) & core.kept_bits
    m.d.comb += Assert(~out.valid | (out.payload == text))
    m.d.comb += Assert((out.keep == data.keep) & (out.last == data.last))
    m.d.comb += Assert(out.valid == (data.valid & core.running & _word_there(core)))
    m.d.comb += Assert(core.data_fire == (data.valid & data.ready))


def check_window(m: Module, core: WindowCore, proof: Proof) -> None:  # noqa: ARG001
    """A data word adds the window at each of its ones, and at the end of a message within it.
    Proven for at most one window, as all are added alike."""
    m.d.comb += Assume(_reachable(core))
    data, word = core.data_in, core.word
    ones = data.keep & data.payload
    end = Signal(32, name="end")
    m.d.comb += end.eq(Cat(*(~data.keep[place] & data.keep[place + 1] for place in range(31))))
    message = Signal(32, name="windows")
    m.d.comb += message.eq(ones | end)
    m.d.comb += Assume((message & (message - 1)[:32]) == 0)
    m.d.comb += Assume((~data.keep & (~data.keep + 1)[:32]) == 0)
    stream = Signal(64, name="stream")
    m.d.comb += stream.eq(Cat(word, core.older))
    windows = (stream[place + 1 : place + 33] & message[place].replicate(32) for place in range(32))
    becomes(m, core.data_fire & ~aborting(core), core.sum, core.sum ^ reduce(xor, windows))
    m.d.comb += Assert(
        ~core.tag.valid | (core.tag.payload == core.sum ^ word ^ Mux(core.one_left, core.older, 0))
    )


def check_value(m: Module, core: EvaluationCore, proof: Proof) -> None:  # noqa: ARG001
    """A digit shifts the value up and adds the digit times the point. Proven for at most one bit
    that is one, as all bits are multiplied alike. The digits that are left wait in their order."""
    m.d.comb += Assume(_reachable(core))
    value = core.value
    width = 32 // core.facts.word_cycles
    left = 32 - width
    sum_with_half = value.entering ^ Mux(value.odd, value.lower, value.value[32:])
    moves = (value.starts | core.left.any()) & core.running & ~aborting(core)
    digit = sum_with_half[left:]
    if left:
        digit = Mux(value.starts, digit, value.digits[-width:])
        moved = Cat(Const(0, width), value.digits)[:left]
        becomes(m, moves, value.digits, Mux(value.starts, sum_with_half[:left], moved))
    bits = Signal(width, name="bits")
    m.d.comb += [bits.eq(digit), Assume((bits & (bits - 1)[:width]) == 0)]
    becomes(m, moves, value.value, _times_point(m, value, bits))


def _times_point(m: Module, value: PolynomialValue, bits: Value) -> Value:
    """The value shifted up by so many bits, with their product with the point added."""
    tail = Const(FIELD.polynomial & FIELD.size - 1, FIELD.degree)
    element: Value = Mux(value.starts & ~value.odd, 0, value.value)
    for place in reversed(range(len(bits))):
        moved = Signal(FIELD.degree, name=f"moved_{place}")
        shifted = Cat(Const(0, 1), element[:-1]) ^ Mux(element[-1], tail, 0)
        m.d.comb += moved.eq(shifted ^ Mux(bits[place], value.point, 0))
        element = moved
    return element


def _is(*kinds: type[BasedMode | ModeOfBlocks]) -> Callable[[_Facts], bool]:
    return lambda facts: isinstance(facts.mode, kinds)


def _of_base(prop: Property) -> Property:
    """A property of the base cipher's registers and control, which are in the core of the mode."""

    def checker(m: Module, core: TelephonyCore, proof: Proof) -> None:
        base = replace(proof, cipher=proof.cipher.base.formed(core.architecture.options))
        if prop.name == "setup":
            check_setup(m, core, base, known=_order(core))
        else:
            prop.checker(m, core, base)

    return replace(
        prop,
        checker=checker,
        applies=lambda facts: isinstance(facts, TelephonyFacts) and prop.applies(facts),
    )


_IN_THE_BASE = ("step", "form", "setup", "words", "next")


PROPERTIES = (
    *(_of_base(one) for one in stepped.PROPERTIES if one.name in _IN_THE_BASE),
    *block_properties(_order),
    Property(
        "order",
        check_order,
        independent("rules of the flags of a message"),
        "nothing of a message is there before the setup is over, and its end follows its words",
        cycles=lambda facts: facts.setup_cycles + 4,
        by_induction=always,
        applies=_is(Integrity, WindowsBehind, WordHashing, BlockHashing),
    ),
    session(_reachable),
    hold(_reachable),
    silence(
        more=", and nothing is offered or taken before the setup is over",
        phases=_reachable,
        also=_nothing_early,
    ),
    clear("no bit of the state or of a message behind"),
    Property(
        "text",
        check_text,
        independent("text plus the cipher's word that the core has, in its place"),
        "a text leaves under the cipher's word, in its place, and nothing else does",
        cycles=lambda _: 1,
        applies=_is(Encrypting, WordCiphering, BlockCiphering),
    ),
    Property(
        "window",
        check_window,
        independent("the sum of the windows of all ones, bit by bit"),
        "each one of a message adds its window, and so does the end (where a word has at most one)",
        applies=_is(WindowIntegrity),
    ),
    Property(
        "windows",
        partial(check_windows, _reachable),
        independent(
            "the words of the keystream in their order, and the sum of the windows of all "
            "ones, bit by bit"
        ),
        "the first words fill sum and window, each one of a message and its end add their windows "
        "(where a word has at most one), and the sum leaves from the top",
        applies=_is(WindowsBehind),
    ),
    Property(
        "value",
        check_value,
        independent("multiplication in the field, a bit at a time"),
        "a digit moves the value up and adds its product with the point (where at most one of its "
        "bits is one), and those that are left wait in their order",
        applies=_is(EvaluationIntegrity),
    ),
    Property(
        "evaluated",
        partial(check_evaluated, _reachable),
        independent("the rules of the end of a message, and its length"),
        "the words of a message and its length enter in order, and the value leaves as the tag",
        applies=_is(EvaluationIntegrity),
    ),
    Property(
        "product",
        partial(hash_checkers.check_product, _reachable),
        independent("multiplication in the field, a bit at a time"),
        "a digit is multiplied by the point, and the last of a block gives the value (where at "
        "most one of its bits is one)",
        applies=_is(WordHashing, BlockHashing),
    ),
    Property(
        "blocks",
        partial(hash_checkers.check_blocks, _reachable),
        independent("the order of data, zeros and lengths, counted in bytes"),
        "the message, the zeros behind each part and the block of the lengths enter in order",
        applies=_is(WordHashing, BlockHashing),
    ),
    Property(
        "keys",
        partial(hash_checkers.check_keys, _reachable),
        independent("the first words of the keystream that the core has, in order"),
        "the hash's keys are the first words of the keystream, and the tag is the value plus P",
        applies=_is(WordHashing, BlockHashing),
    ),
    Property(
        "texts",
        partial(hash_checkers.check_text, _reachable),
        independent("text plus the cipher's word that the core has, in its place"),
        "a text leaves under the cipher's word, in its place, and associated data does not",
        applies=_is(WordAead, BlockAead),
    ),
)
