# SPDX-License-Identifier: Apache-2.0
"""The properties of a core of AES, each property as a checker of the core: first those of
AES-128-OFB, then those of keys of any length (`headwater.kinds.aes.check_line`), and of all
rounds in a row (`headwater.kinds.aes.check_pipeline`).

``setup``: when words are offered, from reset on. ``hold``, ``silence`` and ``clear``: no word is
lost and nothing leaks. ``sbox``: the S-box is the one of FIPS 197. ``load``, ``round`` and
``output``: key and IV come to their places, each cycle makes its part of the description's round,
and the words that leave are those of the blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher import aes_ofb
from headwater.core.naming import Naming
from headwater.kinds.aes import bit_properties, check_bit, check_pipeline
from headwater.kinds.aes.bit import BitCore
from headwater.kinds.aes.block import BlockCore, columns, joined
from headwater.kinds.aes.check_cycle import (
    check_narrow_load,
    check_narrow_round,
    first_key,
    narrow_output,
)
from headwater.kinds.aes.core import AesCircuit, AesCore, RegisteredOutput
from headwater.kinds.aes.described import (
    check_sbox,
    described_round,
    described_substitute,
    round_constants,
)
from headwater.kinds.aes.facts import AesFacts, LineFacts
from headwater.kinds.aes.line import LineCore
from headwater.kinds.aes.line_phases import phases
from headwater.kinds.aes.line_properties import line_properties, mac_properties
from headwater.kinds.aes.pipeline import Pipeline
from headwater.kinds.aes.pipeline_properties import pipeline_properties
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import (
    CONTROL,
    Proof,
    Property,
    aborting,
    assert_always,
    becomes,
    ended,
)
from headwater.prove.reading import described, independent, other_gates
from headwater.prove.session import session

_ROUND_9 = 8
"""Its number, from zero."""


def _phases(core: AesCircuit | Pipeline) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    if isinstance(core, LineCore):
        return phases(core)
    if isinstance(core, BitCore):
        return check_bit.phases(core)
    if isinstance(core, Pipeline):
        return check_pipeline.phases(core)
    true = (~core.loading | core.last_round) & (core.loading | ~core.taking_key)
    if core.knows_idle:
        true &= ~core.idle | core.loading
    if isinstance(core, RegisteredOutput):
        true &= ~core.made | ~core.loading
    return true


def check_setup(m: Module, core: AesCore, proof: Proof) -> None:
    """Words are offered in the last of every ten rounds, or one cycle later, and in no other cycle.
    The control registers follow a binary count."""
    facts = AesFacts(proof.cipher, core.architecture)
    load, block = 2 * facts.words_per_block, facts.cycles_per_block
    words = Signal(range(load + 1), name=proof.named("words"))
    cycle = Signal(range(block), name=proof.named("cycle"))
    late = Signal(name=proof.named("late"))
    loaded = words == load
    last_round = loaded & (cycle >= block - facts.words_per_block)
    offered = late if facts.output_delay else last_round
    dropped = ended(core, loaded)
    passes = Const(1, 1)
    if facts.waits:
        passes = Mux(loaded, ~offered | core.keystream.ready, core.load.valid)
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), cycle.eq(0), late.eq(0)]
    with m.Elif(passes):
        m.d.sync += [
            words.eq(words + ~loaded),
            cycle.eq(Mux(loaded & (cycle != block - 1), cycle + 1, 0)),
            late.eq(last_round),
        ]
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.keystream.valid == offered,
    ]
    invariants = [
        (words <= load) & (cycle < block) & (loaded | ((cycle == 0) & ~late)),
        _phases(core),
        *_walks(core, facts, words, cycle),
    ]
    if isinstance(core, RegisteredOutput):
        invariants.append(core.made == late)
    assert_always(m, proof, properties, invariants=invariants)


def _walks(core: AesCore, facts: AesFacts, words: Signal, cycle: Signal) -> Iterator[Value]:
    """The values of the control registers in each cycle of a load and of a block."""
    count = facts.words_per_block
    loaded = words == 2 * count
    yield core.loading == ~loaded
    yield core.taking_key == (words < count)
    yield core.last_round == (~loaded | (cycle >= facts.cycles_per_block - count))
    if isinstance(core.phase, Signal):
        bits = len(core.phase)
        yield core.phase == Mux(loaded, cycle[:bits], words[:bits])
    shift = (count - 1).bit_length()
    constants = Array(Const(value, 8) for value in round_constants())
    yield core.constant == Mux(loaded, constants[cycle >> shift], aes_ofb.FIRST_CONSTANT)
    if core.knows_idle:
        yield core.idle == (words == 0)


def check_load(m: Module, core: AesCore, proof: Proof) -> None:  # noqa: ARG001
    """The key enters its ring and turns in it. The IV enters with the first round key added, and
    the first round key comes to its place."""
    m.d.comb += Assume(_phases(core))
    radix = core.architecture.radix
    enters = core.loading & core.load.valid & ~aborting(core)
    iv = enters & ~core.taking_key
    last = Mux(core.taking_key, core.load.payload, first_key(core, 0))
    becomes(m, enters, core.first_key, Cat(last, core.first_key[:-radix]))
    if isinstance(core, BlockCore):
        becomes(m, iv, core.state, core.load.payload ^ core.first_key)
    else:
        check_narrow_load(m, core, iv)


def check_round(m: Module, core: AesCore, proof: Proof) -> None:  # noqa: ARG001
    """Each cycle of a round makes its part of the description's round, and of the next round key.
    While the core waits, everything stays."""
    m.d.comb += Assume(_phases(core))
    waits = core.facts.waits
    passes = ~core.keystream.valid | core.keystream.ready if waits else Const(1, 1)
    runs = ~core.loading & ~aborting(core)
    radix = core.architecture.radix
    becomes(m, runs & passes, core.first_key, Cat(first_key(core, 0), core.first_key[:-radix]))
    check_bit.check_stands(m, core, passes)
    if isinstance(core, BlockCore):
        _check_block(m, core, runs & passes)
    else:
        check_narrow_round(m, core, runs & passes)


def _check_block(m: Module, core: BlockCore, moves: Value) -> None:
    """The state takes the description's round, the last round with the first round key added. The
    next round key is the description's, or after the last round that of a new block."""
    wire = Naming(m)
    # In the last round the round key already contains the first round key.
    key = core.round_key ^ core.inverted
    after = described_round(m, core) ^ key
    becomes(m, moves, core.state, after)
    substitute = described_substitute(m, core)
    block = columns(wire(Mux(core.last_round, core.first_key, key), "spec_present"))
    constants = [Const(value, 8) for value in round_constants()]
    constant = Mux(core.last_round, constants[0], aes_ofb.double(core.constant))
    following = joined(aes_ofb.next_round_key(block, constant, substitute, wire))
    added = Mux(core.constant == constants[_ROUND_9], core.first_key, 0)
    m.d.comb += Assume(reduce(or_, (core.constant == value for value in constants)))
    enters = core.loading & core.load.valid & ~core.taking_key & ~aborting(core)
    m.d.comb += Assume(~core.loading | (core.last_round & (core.constant == constants[0])))
    becomes(m, moves | enters, core.round_key, following ^ added ^ core.inverted)


def check_output(m: Module, core: AesCore, proof: Proof) -> None:  # noqa: ARG001
    """An offered word is that of the block, without the first round key of the next one."""
    if isinstance(core, BlockCore):
        word: Value = core.state ^ core.first_key
    else:
        word = narrow_output(m, core)
    m.d.comb += Assert(~core.keystream.valid | (core.keystream.payload == word))


def _of_any_key(facts: AesFacts) -> bool:
    return isinstance(facts, LineFacts) and not facts.is_pipelined


def _of_all_rounds(facts: AesFacts) -> bool:
    return facts.is_pipelined


def _of_128(facts: AesFacts) -> bool:
    return not (isinstance(facts, LineFacts) or bit_properties.of_bits(facts))


PROPERTIES = (
    Property(
        "setup",
        check_setup,
        independent("a binary count of load words and rounds"),
        "keystream words are offered in the last of every ten rounds after a load, or a cycle "
        "later where they come from a register, and at no other time",
        cycles=lambda _: 4,
        by_induction=always,
        applies=_of_128,
        by_hand=CONTROL,
    ),
    Property(
        "load",
        check_load,
        independent("key and IV in their places, the IV under the first round key"),
        "the key and the IV come to their places, the IV with the first round key added",
        applies=_of_128,
    ),
    Property(
        "round",
        check_round,
        described("its round and its next round key"),
        "each cycle of a round makes its part of the described state and round key; all else stays",
        applies=_of_128,
    ),
    Property(
        "output",
        check_output,
        other_gates("the state without the round key that was added"),
        "an offered word is the word of the block that is due",
        cycles=lambda _: 1,
        applies=_of_128,
    ),
    *bit_properties.PROPERTIES,
    *line_properties(_of_any_key),
    *pipeline_properties(_of_all_rounds),
    *mac_properties(),
    session(_phases),
    hold(_phases),
    silence(always),
    clear("no bit of key or state behind"),
    Property(
        "sbox",
        check_sbox,
        described("its table of the S-box, entry by entry"),
        "the S-box is that of FIPS 197 for every byte",
        cycles=lambda _: 1,
        of_core=False,
    ),
)
