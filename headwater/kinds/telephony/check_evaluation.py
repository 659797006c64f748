# SPDX-License-Identifier: Apache-2.0
"""A checker for what cores that evaluate a message at a point take in."""

from __future__ import annotations

from collections.abc import Callable

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Value

from headwater.kinds.telephony.description import WORD_BITS
from headwater.kinds.telephony.evaluation import EvaluationCore
from headwater.prove.checker import Proof, aborting, becomes

Reachable = Callable[[EvaluationCore], Value]


def check_evaluated(reachable: Reachable, m: Module, core: EvaluationCore, _: Proof) -> None:
    """Words enter in order: those of the message, a word of zeros if its last block is open, and,
    when Q is there, the length in bits, in a block of its own. Then the value leaves under the
    cipher's word."""
    data, value, tag = core.data_in, core.value, core.tag
    zeros = ~data.keep
    m.d.comb += [
        Assume(reachable(core)),
        Assume((zeros & (zeros + 1)[: len(zeros)]) == 0),
    ]
    stays = core.running & ~aborting(core)
    ready = core.gathered[1] & ~core.left.any()
    taken = data.valid & data.ready
    closes = ready & core.ending & ~core.sending
    changes = closes & ~value.odd & ~core.at_length
    enters = (taken & data.keep[-1]) | (closes & ~changes)
    length = (core.whole_words * WORD_BITS + core.rest_bits)[:WORD_BITS]
    closing = Mux(core.at_length & value.odd, length, 0)
    m.d.comb += [
        Assert(data.ready == (ready & ~core.ending)),
        Assert(core.data_fire == taken),
        Assert(~core.running | (value.starts == enters)),
        Assert(
            ~(core.running & enters)
            | (value.entering == Mux(core.ending, closing, data.payload & data.keep))
        ),
        Assert(tag.valid == (core.sending & ready)),
        Assert(~tag.valid | (tag.payload == value.value[WORD_BITS:] ^ core.word)),
    ]
    becomes(m, stays, value.odd, value.odd ^ enters)
    becomes(m, stays, core.ending, core.ending | (taken & data.last))
    becomes(m, stays, core.at_length, core.at_length | changes)
    becomes(m, stays, core.sending, core.sending | (closes & core.at_length & value.odd))
    more = Mux(core.gathered[1], core.gathered, Cat(Const(1, 1), core.gathered[0]))
    becomes(m, stays, core.gathered, Mux(changes, 0, more))
    if len(core.left):
        becomes(m, stays, core.left, Mux(enters, ~Const(0, len(core.left)), core.left >> 1))
    counted = core.whole_words + data.keep.all()
    becomes(m, stays, core.whole_words, Mux(taken, counted, core.whole_words)[:27])
    rest = sum(data.keep, start=Const(0, 1))[:5]
    becomes(m, stays, core.rest_bits, Mux(taken, rest, core.rest_bits))
