# SPDX-License-Identifier: Apache-2.0
"""Ascon cores that each break a promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Cat, Module, Mux, Value

from headwater.algebra.word import Wire
from headwater.cipher.ascon import SEPARATION_BIT, State
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS
from headwater.prove.mutants import Mutant, added, replaced, stained
from headwater.prove.session import SESSION_MUTANTS


def _hasty(m: Module, core: SpongeCore) -> None:
    """Starts the message one cycle too early."""
    with m.If(core.permuting & ~core.running & (core.round == core.unrolled) & ~core.abort):
        m.d.sync += [core.permuting.eq(0), core.running.eq(1)]


def _forgetful(m: Module, core: SpongeCore) -> None:
    """Does not keep a bit of the key."""
    with m.If(core.load_fire):
        m.d.sync += core.key[5].eq(0)


class _OtherRound(SpongeCore):
    """One bit of a round's result is wrong."""

    def make_round(self, wire: Wire, s: State, number: Value) -> State:
        s0, s1, s2, s3, s4 = super().make_round(wire, s, number)
        return s0, s1, s2 ^ (s2[3] & s2[7]), s3, s4


def _short_end(m: Module, core: SpongeCore) -> None:
    """Makes as few rounds behind the message as between blocks."""
    with m.If(core.word.enable & core.block_ends & ~core.abort):
        m.d.sync += core.round.eq(core.facts.first_short_number)


def _unmarked(m: Module, core: SpongeCore) -> None:
    """Does not tell text from associated data."""
    ends, mark = Cat(*core.s[3:]), (WORD_BITS + SEPARATION_BIT - core.width) % RATE_BITS
    with m.If(core.word.enable):
        m.d.sync += ends[mark].eq(Cat(ends[core.width :], core.keyed)[mark])


def _skewed(m: Module, core: SpongeCore) -> None:
    """Turns the key by a bit too few."""
    with m.If(core.word.enable):
        m.d.sync += core.key.eq(core.key.rotate_right(core.width - 1))


def _unpadded(m: Module, core: SpongeCore) -> None:
    """Leaves out the padding of associated data that ends with a word."""
    with m.If(core.word.enable):
        m.d.sync += core.opened.eq(0)


def _bare_tag(m: Module, core: SpongeCore) -> None:
    """Gives a bit of the tag without the key."""
    m.d.comb += core.tag.payload[0].eq(Mux(core.tag.valid, core.s[3][0], 0))


def _impatient(m: Module, core: SpongeCore) -> None:
    """Changes its state while an offered text is not taken."""
    with m.If(core.data_out.valid & ~core.abort):
        m.d.sync += core.s[0].eq(~core.s[0])


def _garbled(m: Module, core: SpongeCore) -> None:
    """Gives a wrong bit of text, and takes the right one in."""
    with m.If(core.data_out.valid & core.word.keep[-1]):
        m.d.comb += core.data_out.payload[-1].eq(~(core.data_in.payload ^ core.rate_word)[-1])


def _bare(m: Module, core: SpongeCore) -> None:
    """Shows a bit of the state when no tag is offered."""
    with m.If(~core.tag.valid):
        m.d.comb += core.tag.payload.eq(core.s[3][0])


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (added(_hasty),),
    "load": (added(_forgetful),),
    "step": (replaced(_OtherRound),),
    "blocks": (added(_short_end),),
    "words": (added(_unmarked), added(_skewed), added(_garbled)),
    "message": (added(_unpadded),),
    "tag": (added(_bare_tag),),
    "session": SESSION_MUTANTS,
    "hold": (added(_impatient),),
    "silence": (added(_bare),),
    "clear": (stained(lambda core: core.s[0][0]),),
}
