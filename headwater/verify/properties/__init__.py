# SPDX-License-Identifier: Apache-2.0
"""What a core promises, each promise as a circuit that watches a core and asserts.

Registers of a watcher are named ``spec_...``: only those start from a known value. The registers of
the core start with any content, as after power-up. So a property over a few cycles is shown for
every state, and one that is shown by induction, from a reset on, for runs of any length.

Together they are the whole core: ``load`` or ``entering`` gives the state after a load, ``setup``
the number of cycles after it and the controls in them, ``step`` what a cycle does, ``next`` and
``hold`` that the words arrive; ``data``, ``plain``, ``accumulate`` and ``tag`` what becomes of a
message.
"""

from __future__ import annotations

from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.shift_register import ShiftRegisterCipher
from headwater.cipher.word_cipher import WordCipher
from headwater.core.aes import AesFacts
from headwater.core.blocks.facts import BlockStreamFacts
from headwater.core.facts import CoreFacts, Facts
from headwater.core.mobile.facts import MobileFacts
from headwater.core.phelix.facts import PhelixFacts
from headwater.core.sfinks.facts import SfinksFacts
from headwater.core.synchronising.facts import SynchronisingFacts
from headwater.core.vest.facts import VestFacts
from headwater.verify.properties import sfinks, sfinks_message
from headwater.verify.properties.aes import AES
from headwater.verify.properties.alike import always, clear, never, silence
from headwater.verify.properties.blocks import BLOCKS
from headwater.verify.properties.load import watch_load
from headwater.verify.properties.message import (
    watch_accumulate,
    watch_data,
    watch_plain,
    watch_tag,
)
from headwater.verify.properties.mobile import MOBILE
from headwater.verify.properties.phelix import PHELIX
from headwater.verify.properties.setup import watch_setup
from headwater.verify.properties.steps import watch_entering, watch_step
from headwater.verify.properties.streams import (
    watch_clear,
    watch_hold,
    watch_next,
    watch_silence,
)
from headwater.verify.properties.synchronising import SYNCHRONISING
from headwater.verify.properties.vest import VEST
from headwater.verify.properties.watcher import Property, Watcher
from headwater.verify.properties.words import watch_words_entering

__all__ = ["Property", "Watcher", "promises_of"]


def _few_cycles(facts: CoreFacts) -> int:
    """Two, and those in which the output is on its way."""
    return 2 + facts.timeline.latency


def _is_placed(facts: CoreFacts) -> bool:
    return isinstance(facts.cipher, ShiftRegisterCipher)


def _is_of_words(facts: CoreFacts) -> bool:
    return isinstance(facts.cipher, WordCipher)


def _authenticates(facts: CoreFacts) -> bool:
    return isinstance(facts.cipher, AuthenticatedCipher)


STEPPED = (
    Property(
        "step",
        "one cycle moves the state, and gives the word, of as many single steps as the radix",
        watch_step, _few_cycles, never, always,
    ),
    Property(
        "setup",
        "no output word is there before the setup ends, the first one is exactly then, and the "
        "controls are on in just their steps",
        watch_setup, lambda _: 4, always, always,
    ),
    Property(
        "load",
        "after the last load word the state is the description's, whatever it was before",
        watch_load, lambda _: 3, always, _is_placed,
    ),
    Property(
        "entering",
        "the bits of a load word enter, one of each lane a step, a state that was zero",
        watch_entering, lambda _: 3, always,
        lambda facts: not _is_placed(facts) and not _is_of_words(facts),
    ),
    Property(
        "words",
        "each load word makes of the registers what the description's steps of the load do",
        watch_words_entering, lambda _: 3, always, _is_of_words,
    ),
    Property(
        "next",
        "each output word is there until it is used, and then the one of so many steps on",
        watch_next, lambda facts: 4 + facts.timeline.latency,
        lambda facts: not facts.timeline.latency, lambda facts: facts.waits,
    ),
    Property(
        "hold",
        "an offered word holds until it is taken",
        watch_hold, _few_cycles, never, lambda facts: facts.waits,
    ),
    silence(watch_silence, lambda facts: facts.waits or _authenticates(facts),
    ),
    clear("no bit of the state behind", watch_clear),
    Property(
        "data",
        "text leaves encrypted with every other output bit, in its place, and nothing else does",
        watch_data, _few_cycles, never, _authenticates,
    ),
    Property(
        "plain",
        "the bits of a message that count, and a one behind them, are authenticated, each with "
        "its own output bit",
        watch_plain, _few_cycles, never, _authenticates,
    ),
    Property(
        "accumulate",
        "what is authenticated changes accumulator and shift register bit by bit as described "
        "(in words of 8 bits and more: where at most one of them is one)",
        watch_accumulate, _few_cycles, never, _authenticates,
    ),
    Property(
        "tag",
        "behind a message its one is authenticated, and the accumulator leaves as the tag",
        watch_tag, lambda _: 4, always, _authenticates,
    ),
)  # fmt: skip


_ALIKE = ("hold", "silence", "clear")

SFINKS = (
    Property(
        "inverse",
        "what leaves an inverter gives one with what entered it, in the description's field",
        sfinks.watch_inverse, lambda facts: 1 + facts.pace.cuts, never, always,
    ),
    Property(
        "step",
        "each cycle clocks the LFSR so often, and adds the inverses that are due, as described",
        sfinks.watch_step, lambda _: 2, never, always,
    ),
    Property(
        "setup",
        "no output word is there before the setup ends, the first one is exactly then, and the "
        "inverses enter that are to",
        sfinks.watch_setup, lambda _: 4, always, always,
    ),
    Property(
        "output",
        "output bits are those of the inverses and of cell 0, in their order",
        sfinks.watch_output, lambda facts: 2 + facts.pace.cuts, never, always,
    ),
    Property(
        "next",
        "each output word is there until it is used, and then the next one",
        sfinks.watch_next, lambda _: 4, always, lambda facts: facts.waits,
    ),
    *(promise for promise in STEPPED if promise.name in _ALIKE),
    Property(
        "data",
        "text leaves encrypted with the keystream, in its place, and nothing else does",
        sfinks_message.watch_data, lambda _: 1, never, lambda facts: facts.cipher.authenticates,
    ),
    Property(
        "absorb",
        "each bit of a message, and each step of the setup, changes accumulator and shift register "
        "as described (in words of 8 bits and more: where at most one bit of a message is one)",
        sfinks_message.watch_absorb, lambda _: 2, never, lambda facts: facts.cipher.authenticates,
    ),
    Property(
        "tag",
        "behind a message the accumulator leaves, encrypted with the keystream bits that follow",
        sfinks_message.watch_tag, lambda _: 3, never, lambda facts: facts.cipher.authenticates,
    ),
)  # fmt: skip


def _kind(facts: Facts) -> tuple[Property, ...]:
    match facts:
        case MobileFacts():
            return MOBILE
        case SfinksFacts():
            return SFINKS
        case CoreFacts():
            return STEPPED
        case BlockStreamFacts():
            return BLOCKS
        case PhelixFacts():
            return PHELIX
        case AesFacts():
            return AES
        case SynchronisingFacts():
            return SYNCHRONISING
        case VestFacts():
            return VEST
    return ()


def promises_of(facts: Facts) -> list[Property]:
    """The promises that a core makes."""
    kind = _kind(facts)
    return [promise for promise in kind if promise.applies(facts)]
