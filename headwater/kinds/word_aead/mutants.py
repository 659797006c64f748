# SPDX-License-Identifier: Apache-2.0
"""Phelix cores that each break a promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Const, Module, Mux, Value

from headwater.algebra.word import Wire
from headwater.cipher.phelix import AD_MARK, State
from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.keys import RoundKeys
from headwater.prove.mutants import Mutant, added, bare_bit, replaced, stained
from headwater.prove.session import SESSION_MUTANTS


def _hasty(m: Module, core: WordAeadCore) -> None:
    """Starts the message one mixing too early."""
    with m.If(core.mixing & core.block_ends & (core.count == 6) & ~core.abort):
        m.d.sync += core.count.eq(0)


class _Unnumbered(RoundKeys):
    """Omits the lengths."""

    def second(self, m: Module, place: int) -> Value:
        return super().second(m, place) ^ 1


class _OtherKeys(WordAeadCore):
    """One bit of the second keys is wrong."""

    keys_class = _Unnumbered


class _OtherBlock(WordAeadCore):
    """One operation of its half blocks uses a wrong word."""

    def make_half_block(self, wire: Wire, z: State, p: Value, k: Value) -> State:
        z0, z1, z2, z3, z4 = super().make_half_block(wire, z, p, k)
        return z0, z1, z2, z3, z4 ^ (z0 & 1)


def _impatient(m: Module, core: WordAeadCore) -> None:
    """Makes its blocks even if their output is not taken."""
    with m.If(core.data_out.valid & ~core.abort):
        m.d.sync += core.z[4].eq(~core.z[4])


def _bare(m: Module, core: WordAeadCore) -> None:
    """Shows a bit of the keystream when nothing is offered."""
    with m.If(~core.tag.valid):
        m.d.comb += core.tag.payload.eq(Mux(core.running, core.z[4], Const(0)))


def _late_key(m: Module, core: WordAeadCore) -> None:
    """A word of the key loses a bit where it is loaded."""
    with m.If(core.keying & core.load_fire & ~core.abort):
        m.d.sync += core.keys.key[7][31].eq(0)


def _unplaced(m: Module, core: WordAeadCore) -> None:
    """The last word of the nonce does not enter the state."""
    with m.If(core.placing):
        m.d.comb += core.z_next[3].eq(core.keys.key[6])


def _other_mark(m: Module, core: WordAeadCore) -> None:
    """The mark of associated data has another bit."""
    m.d.comb += core.constants["ad_mark"].eq(AD_MARK ^ 1)


def _open_end(m: Module, core: WordAeadCore) -> None:
    """Forgets the end of a message without text."""
    with m.If(core.data_in.ad[0] & ~core.closing):
        m.d.sync += core.closing.eq(0)


def _uncounted(m: Module, core: WordAeadCore) -> None:
    """Its lowest bit of the number of associated data is stuck."""
    m.d.sync += core.data_periods[0].eq(0)


def _short_tag(m: Module, core: WordAeadCore) -> None:
    """The tag is without the text's length."""
    with m.If(core.tag.valid & (core.tail != 0)):
        m.d.comb += core.tag.payload[0].eq(0)


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (added(_hasty),),
    "keys": (replaced(_OtherKeys),),
    "step": (replaced(_OtherBlock),),
    "load": (added(_late_key),),
    "mixing": (added(_unplaced),),
    "words": (added(bare_bit),),
    "marks": (added(_other_mark),),
    "message": (added(_open_end),),
    "lengths": (added(_uncounted),),
    "tag": (added(_short_tag),),
    "session": SESSION_MUTANTS,
    "hold": (added(_impatient),),
    "silence": (added(_bare),),
    "clear": (stained(lambda core: core.z[0][0]),),
}
