# SPDX-License-Identifier: Apache-2.0
"""The contract of every core: the cycles of its data sheet are those that it takes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from contract import FEW_CORES, MANY_CORES, Core, key_and_iv, message, run, session, session_of

from headwater.emit.datasheet import datasheet
from headwater.kinds.registry import properties_of


@MANY_CORES
def test_setup(core: Core) -> None:
    given = key_and_iv(core.cipher, 1, core.facts.stated_iv_bits, core.cipher.key_bits)
    cycles = core.engine().setup_cycles(*given, core.facts.stated_iv_bits)
    assert cycles == core.facts.setup_cycles
    assert datasheet(core.cipher, core.architecture)["setup_cycles"] == core.facts.setup_cycles


@FEW_CORES
def test_keystream_words(core: Core) -> None:
    """From the first to the last of some."""
    if core.takes_messages or core.architecture.streams > 1:
        pytest.skip("the cycles are those of messages")
    for words in (1, 2, 40):
        given = session(core, 1, words)
        before, behind = run(core, ["idle 1"], given.commands)
        bits = words * core.architecture.radix
        taken = behind.cycle - before.cycle
        assert taken == core.facts.setup_cycles + core.facts.keystream_cycles(bits)


@FEW_CORES
def test_messages(core: Core) -> None:
    """From the first word to the first word of the tag, or to the end of the text. Where a word
    takes several cycles, the first may be taken in the last of its own."""
    if not core.takes_messages:
        pytest.skip("its cycles are those of keystream")
    width = core.facts.streams["data_in"].width
    for bits in (2 * width, 8 * width, 8 * (width + 40)):
        bits += -bits % core.cipher.text_unit
        key, iv = key_and_iv(core.cipher, 1, core.facts.stated_iv_bits, core.cipher.key_bits)
        given = session_of(
            core, replace(message(core, 1, 0, bits), key=key, nonce=iv, tag_bits=None)
        )
        text, *tag = given.taken
        verb, decrypts, first, *rest = text.split()
        first_part, last_part = run(
            core,
            [given.loading(), " ".join([verb, decrypts, first, "..."])],
            [" ".join([verb, decrypts, *rest]), *["tag 1"] * len(tag)],
        )
        taken = last_part.cycle - first_part.cycle + 1 - len(tag)
        own = max(1, width // core.architecture.radix)
        assert core.facts.message_cycles(bits) - taken in (0, own - 1)


@MANY_CORES
def test_properties_follow_from_the_options(core: Core) -> None:
    names = {prop.name for prop in properties_of(core.cipher, core.architecture)}
    if core.architecture.streams > 1:
        laws = {law.name for law in core.cipher.laws}
        assert names == {"turns", "turn"} | laws, "each session is that of the plain core"
        return
    assert {"setup", "session"} <= names
    assert ("clear" in names) == (core.architecture.clear != "none")
    assert ("hold" in names) == core.facts.waits
