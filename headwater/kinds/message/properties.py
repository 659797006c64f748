# SPDX-License-Identifier: Apache-2.0
"""The properties of a machine's core, each property as a checker of the core.

``load``, ``step``, ``words``, ``message`` and ``tag`` together say what every register becomes in
every phase. The functions of the description are read again in them; what they are given, and when,
is written apart.
"""

from __future__ import annotations

from dataclasses import replace

from amaranth.hdl import Assert, Cat, Const, Module, ResetSignal, Signal, Value

from headwater.kinds.message.check_message import check_message, check_words
from headwater.kinds.message.check_operations import check_load, check_step, check_tag
from headwater.kinds.message.core import MessageCore
from headwater.kinds.message.operations import Repeat, Take
from headwater.kinds.message.phases import phases
from headwater.kinds.message.program import cycles_of
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import CONTROL, Proof, Property, assert_always, ended
from headwater.prove.memories import emptied, has_memories
from headwater.prove.offers import cleared
from headwater.prove.reading import described, independent
from headwater.prove.session import session


def check_setup(m: Module, core: MessageCore, proof: Proof) -> None:
    """A message can begin when all words of the load and the cycles between and behind them have
    passed, and not before. Only missing load words delay this."""
    facts, at = core.facts, core.architecture
    total = facts.setup_cycles
    time = Signal(range(total + 1), name=proof.named("time"))
    takes: Value = Const(0, 1)
    invariants, begin, loaded_at = [phases(core), (time != 0) | (core.phase == 0)], 0, 0
    for phase, one in enumerate(core.cipher.start, 1):
        end = begin + cycles_of(one, at.radix, at.load_width, facts.tag_width)
        here = (time >= begin) & (time < end)
        if isinstance(one, Take):
            takes |= here
            loaded_at = end
        step = at.radix if isinstance(one, Repeat) else 1
        first = one.first_number if isinstance(one, Repeat) else 0
        count = first + (time - begin) * step
        counted = count[: len(core.count)] == core.count
        invariants.append(~here | (time == 0) | ((core.phase == phase) & counted))
        begin = end
    loaded, over = time >= loaded_at, time == total
    with m.If(~over & ~(takes & ~(core.load.valid & core.memories_empty))):
        m.d.sync += time.eq(time + 1)
    dropped = ended(core, loaded) | (over & core.finished)
    with m.If(dropped | ResetSignal()):
        m.d.sync += time.eq(0)
    leaves = core.data_out.valid if core.cipher.encrypts else Const(0, 1)
    properties = [
        core.abort == dropped,
        core.load.ready == takes & core.memories_empty,
        core.running == over,
        over | ~(core.data_in.ready | leaves | core.tag.valid),
    ]
    assert_always(m, proof, properties, invariants=[time <= total, *invariants])


def _check_registers(m: Module, core: MessageCore, proof: Proof) -> None:  # noqa: ARG001
    """In the second cycle behind a clear or a reset no register holds a bit of the session, and
    control is as after a reset, but for the count of emptied words."""
    counts = (core.zeroed, core.memories_empty)
    control = [
        one
        for one in (*core.session.registers, *core.control_registers)
        if one is not counts[0] and one is not counts[1]
    ]
    with m.If(cleared(m, core, 2)):
        m.d.comb += Assert(Cat(*core.secrets) == 0)
        m.d.comb += [Assert(register == register.init) for register in control]


_CLEAR = clear("no bit of the state behind")


def _check_clear(m: Module, core: MessageCore, proof: Proof) -> None:
    """That of every core; of one with memories ``empty`` says what becomes of these."""
    checker = _check_registers if core.rams else _CLEAR.checker
    checker(m, core, proof)


PROPERTIES = (
    Property(
        "setup",
        check_setup,
        independent("the time of each word of the load and of each step, counted"),
        "no data is taken or given before the start of the description is over, and it can be just "
        "then",
        cycles=lambda facts: facts.setup_cycles + 4,
        by_induction=always,
        by_hand=CONTROL,
    ),
    Property(
        "load",
        check_load,
        described("what it says that key and nonce do, word by word"),
        "key and nonce enter a state of zeros as the description says",
    ),
    Property(
        "step",
        check_step,
        described("its steps, one at a time"),
        "a cycle of steps is so many steps",
    ),
    Property(
        "words",
        check_words,
        described("its blocks, made byte by byte"),
        "a word enters the state, and its text leaves, as the description says",
    ),
    Property(
        "message",
        check_message,
        independent("the rules by which operations and words follow each other"),
        "operations and words of a message follow each other as the description says",
    ),
    Property(
        "tag",
        check_tag,
        described("what it squeezes, in order"),
        "the tag is what the description says, word after word",
    ),
    session(phases),
    hold(phases),
    silence(always, phases=phases),
    emptied(lambda core: core.phase == 0, has_memories),
    replace(
        _CLEAR,
        checker=_check_clear,
        cycles=lambda facts: 3 if has_memories(facts) else _CLEAR.cycles(facts),
    ),
)
