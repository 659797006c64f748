# SPDX-License-Identifier: Apache-2.0
"""The properties of an Ascon core of slices: its load, its rounds, and what enters in a block."""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import unnamed
from headwater.kinds.sponge.check_message import absorbs, counted, is_associated, is_text
from headwater.kinds.sponge.description import WORD_BITS, State
from headwater.kinds.sponge.phases import begins_word, phases
from headwater.kinds.sponge.sliced import SlicedCore
from headwater.prove.checker import Proof, aborting, becomes, first_cycle


def _slice_of(core: SlicedCore, word: Value) -> Value:
    """The slice of a word of the message that enters in this cycle."""
    return word.word_select(core.place % core.facts.parts, core.width)


def _pushed(core: SlicedCore, string: Value, entering: Value) -> Value:
    """A string behind whose top a slice has entered, while another has left at the bottom."""
    return Cat(string, entering)[core.width :]


def check_sliced_load(m: Module, core: SlicedCore, proof: Proof) -> None:
    """Each load word enters S4, a slice, while those before it move down to S1, and those of the
    key are kept. Beside it a slice of the constant enters S0: all of it in as many cycles as a word
    has slices, and so four times."""
    m.d.comb += Assume(phases(core))
    fires = core.load_fire & ~aborting(core)
    entering = core.load.payload
    string = _pushed(core, Cat(*core.s[1:]), entering)
    for place, register in enumerate(core.s[1:]):
        becomes(m, fires, register, string[WORD_BITS * place : WORD_BITS * (place + 1)])
    initial = Const(proof.cipher.initial_word, WORD_BITS)
    part = initial.word_select(core.place % core.facts.slices, core.width)
    becomes(m, fires, core.s[0], _pushed(core, core.s[0], part))
    keys = core.place < core.facts.moves
    becomes(m, fires, core.key, Mux(keys, _pushed(core, core.key, entering), core.key))
    becomes(m, fires, core.place, (core.place + 1)[: len(core.place)])


def check_round(m: Module, core: SlicedCore, proof: Proof) -> None:
    """From any state on, the cycles of a round make of S0 to S4 what the description's round makes
    of them; in the first round behind a message the key is added to S2 and S3 before. The key and
    the number of the round are the same in the end, the latter until then."""
    first, cycles = first_cycle(m), core.facts.round_cycles
    begins = phases(core) & core.permuting & (core.place == 0)
    elapsed = Signal(range(cycles + 1), name="spec_elapsed")
    m.d.sync += elapsed.eq(elapsed + 1)
    m.d.comb += [Assume(~first | begins), Assume((elapsed == cycles) | ~aborting(core))]
    adds = core.finishing & (core.round == 0)
    s0, s1, s2, s3, s4 = core.s
    s2, s3 = (
        word ^ Mux(adds, half, 0)
        for word, half in ((s2, core.key[:WORD_BITS]), (s3, core.key[WORD_BITS:]))
    )
    constant = proof.cipher.round_constant(core.round)
    after: State = proof.cipher.permutation_round(unnamed, (s0, s1, s2, s3, s4), constant)
    for register, value in ((core.key, core.key), *zip(core.s, after, strict=True)):
        expected = Signal(len(register), name=f"spec_{register.name}")
        with m.If(first):
            m.d.sync += expected.eq(value)
        m.d.comb += Assert((elapsed != cycles) | (register == expected))


def check_slices(m: Module, core: SlicedCore, proof: Proof) -> None:  # noqa: ARG001
    """While a block enters, S0 with S1, S2, S3 with S4, and the key turn by a slice in a cycle. In
    the slice that comes to the top of S1 a bit of the message is added, or replaces it if it is
    ciphertext, and is followed by the padding; the sum leaves with the first slice of a word, then
    zeros. In the first block a slice of the key is added to the one that comes to the top of S4,
    and before the text the mark to its bit, which is a slice lower then."""
    m.d.comb += Assume(phases(core))
    enters, width, unit = absorbs(core), core.width, core.cipher.text_unit
    counts, replaces = counted(core), core.decrypts & ~is_associated(core)
    behind = Cat(Const(1, 1), counts)[: len(counts)] & ~counts & ~core.padded.replicate(len(counts))
    counting = Cat(bit.replicate(unit) for bit in counts)
    padding = Cat(Cat(bit, Const(0, unit - 1)) for bit in behind)
    offered, old = core.data_in.payload, Cat(*core.s[:2])
    text = counting & (old[: len(offered)] ^ offered)
    out = core.data_out
    leaves = Cat(out.payload, out.keep, out.last) == Cat(text, counts, core.data_in.last)
    m.d.comb += Assert(~out.valid | leaves)
    entering = Cat(
        Mux(counts_here, Mux(replaces, new, bit ^ new), bit ^ pad)
        for counts_here, new, bit, pad in zip(
            _slice_of(core, counting),
            _slice_of(core, offered),
            old[:width],
            _slice_of(core, padding),
            strict=True,
        )
    )
    ends = Cat(*core.s[3:])
    added = Mux(core.first_block, core.key[:width], 0)
    begins = begins_word(core) & is_text(core) & ~core.texting
    mark = Mux(begins, Const(1 << WORD_BITS + core.cipher.separation_bit - width, 2 * WORD_BITS), 0)
    rate, ends = _pushed(core, old, entering), _pushed(core, ends, ends[:width] ^ added) ^ mark
    for register, value in (
        (core.s[0], rate[:WORD_BITS]),
        (core.s[1], rate[WORD_BITS:]),
        (core.s[2], core.s[2].rotate_right(width)),
        (core.s[3], ends[:WORD_BITS]),
        (core.s[4], ends[WORD_BITS:]),
        (core.key, core.key.rotate_right(width)),
    ):
        becomes(m, enters, register, value)
