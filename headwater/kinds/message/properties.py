# SPDX-License-Identifier: Apache-2.0
"""The properties of a machine's core, each property as a checker of the core.

``load``, ``step``, ``words``, ``message`` and ``tag`` together say what every register becomes in
every phase. The functions of the description are read again in them; what they are given, and when,
is written apart.
"""

from __future__ import annotations

from amaranth.hdl import Const, Module, ResetSignal, Signal, Value

from headwater.kinds.message.check_message import check_message, check_words
from headwater.kinds.message.check_operations import check_load, check_step, check_tag
from headwater.kinds.message.core import MessageCore
from headwater.kinds.message.operations import Repeat, Take
from headwater.kinds.message.phases import phases
from headwater.kinds.message.program import cycles_of
from headwater.prove.alike import always, clear, hold, silence
from headwater.prove.checker import Proof, Property, assert_always, ended
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
    with m.If(~over & ~(takes & ~core.load.valid)):
        m.d.sync += time.eq(time + 1)
    dropped = ended(core, loaded) | (over & core.finished)
    with m.If(dropped | ResetSignal()):
        m.d.sync += time.eq(0)
    properties = [
        core.abort == dropped, core.load.ready == takes, core.running == over,
        over | ~(core.data_in.ready | core.data_out.valid | core.tag.valid),
    ]  # fmt: skip
    assert_always(m, proof, properties, invariants=[time <= total, *invariants])


PROPERTIES = (
    Property(
        "setup", check_setup,
        independent("the time of each word of the load and of each step, counted"),
        "no data is taken or given before the start of the description is over, and it can be just "
        "then",
        cycles=lambda facts: facts.setup_cycles + 4, by_induction=always,
    ),
    Property("load", check_load,
        described("what it says that key and nonce do, word by word"),
        "key and nonce enter a state of zeros as the description says"),
    Property("step", check_step,
        described("its steps, one at a time"),
        "a cycle of steps is so many steps"),
    Property("words", check_words,
        described("its blocks, made byte by byte"),
        "a word enters the state, and its text leaves, as the description says"),
    Property("message", check_message,
        independent("the rules by which operations and words follow each other"),
        "operations and words of a message follow each other as the description says"),
    Property("tag", check_tag,
        described("what it squeezes, in order"),
        "the tag is what the description says, word after word"),
    session(phases),
    hold(phases),
    silence(always, phases=phases),
    clear("no bit of the state behind"),
)  # fmt: skip
