# SPDX-License-Identifier: Apache-2.0
"""The contract of every core: what its streams carry is the model's, however they pause, and of any
length. In each run the simulator checks that nothing is offered or taken before a load, and that a
word which is offered stays until it is taken."""

from __future__ import annotations

from random import Random

import pytest
from contract import (
    FEW_CORES,
    MANY_CORES,
    Core,
    assert_sessions,
    key_and_iv,
    message,
    received,
    run,
    session,
)

from headwater.cipher.message import Message
from headwater.errors import ToolError
from headwater.kinds.reading import process
from headwater.verify.engine import ModelEngine
from headwater.verify.segments import Segment

_NARROW = 40
"""Of a word with fewer ends than these a text meets each."""


def segments(core: Core, count: int) -> list[Segment]:
    """Odd pieces of keystream, two of each key, under IVs of any length."""
    source, lengths = Random(core.cipher.name), core.iv_lengths
    found = []
    for number in range(count):
        iv_bits = source.choice(lengths)
        load = key_and_iv(core.cipher, number, iv_bits, core.cipher.key_bits)
        found += [
            Segment(*load, source.randrange(first), source.randrange(1, 200), iv_bits)
            for first in (1, 300)
        ]
    return found


def lengths(core: Core) -> list[tuple[int, int]]:
    """Bytes of associated data and bits of text: none, one, and up to the end of a second word, or
    of a wide word around its ends; and some longer ones."""
    width, unit = core.facts.streams["data_in"].width, core.cipher.text_unit
    step = -(-width // 8)
    around = {0, 8, width - 1, width, width + 1, 2 * width, 2 * width + unit, 3 * width - unit}
    ends = sorted({bits - bits % unit for bits in around if bits >= 0})
    texts = list(range(0, 2 * width + 2 * unit, unit)) if width // unit < _NARROW else ends
    texts = [*texts, 1000 + unit - 1000 % unit]
    if not core.cipher.takes_associated_data:
        return [(0, bits) for bits in texts]
    datas = sorted({0, 1, 2, step - 1, step, step + 1, 2 * step, 17})
    both = [(data, bits) for data in datas for bits in ends]
    return [*((0, bits) for bits in texts), *both, (40, texts[-1])]


def messages(core: Core, some: list[tuple[int, int]]) -> list[Message]:
    """Messages of these lengths, in each direction that the core has."""
    sent = [message(core, number, *length) for number, length in enumerate(some)]
    if core.architecture["direction"] == "both":
        return [way for one in sent for way in (one, received(one, process(core.cipher, one)))]
    return sent


@MANY_CORES
def test_a_session(core: Core) -> None:
    """Keystream, or text and tag, with every choice of architecture."""
    given, pauses = session(core, 1), ["gaps 1 200"] * core.facts.waits
    assert_sessions(given, run(core, [*pauses, *given.commands], given.commands))


@FEW_CORES
@pytest.mark.parametrize("permille", [300, 900])
def test_streams_that_pause(core: Core, permille: int) -> None:
    """In load, data and output, where the core can wait."""
    engine, model = core.engine(permille), ModelEngine(core.cipher)
    if core.takes_messages:
        given = messages(core, lengths(core)[::7])
        assert engine.process(given) == model.process(given)
    else:
        some = segments(core, 3)
        assert engine.run(some) == model.run(some)


@FEW_CORES
def test_lengths(core: Core) -> None:
    """Messages end anywhere in a word, or have no text at all, and follow each other."""
    engine, model = core.engine(), ModelEngine(core.cipher)
    if core.takes_messages:
        given = messages(core, lengths(core))
        assert engine.process(given) == model.process(given)
    else:
        some = segments(core, 12)
        assert engine.run(some) == model.run(some)


@FEW_CORES
def test_a_reader_is_waited_for_or_misses_words(core: Core) -> None:
    if core.takes_messages:
        pytest.skip("its words are those of the text")
    given = session(core, 1, words=60)
    before, loaded = run(core, ["idle 1"], [given.loading()])
    behind = core.facts.setup_cycles - (loaded.cycle - before.cycle)
    (_, *parts) = run(
        core, [given.loading(), f"idle {behind + 7}"], ["take 4", "idle 9"], ["take 4"]
    )
    found = [int(word, 16) for part in parts for word in part.printed]
    assert isinstance(given.expected, list)
    if core.facts.waits:
        assert found == given.expected[:8]
    elif core.facts.keystream_cycles(60 * core.architecture.radix) == 60:
        assert found == given.expected[7:11] + given.expected[20:24]


@FEW_CORES
def test_what_follows_a_message(core: Core) -> None:
    """Nothing: the core is idle behind its tag, or behind the text where there is no tag. Where the
    records of the streams say so, more text or more words of the tag."""
    if not core.takes_messages:
        pytest.skip("its session goes on")
    streams, given = core.facts.streams, session(core, 1)
    more = "tag 1" if "tag" in streams else "message 0 0:0:0"
    (part,) = run(core, given.commands)
    assert_sessions(given, [part])
    commands = [*given.commands, "patience 300", more]
    if (
        not streams["data_in"].last_ends
        or "until a new load" in streams.get("tag", streams["data_in"]).order
    ):
        run(core, commands)
        return
    with pytest.raises(ToolError, match=r"was never taken|never came"):
        run(core, commands)
