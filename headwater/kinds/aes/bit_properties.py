# SPDX-License-Identifier: Apache-2.0
"""The properties of AES at a bit a cycle, beside those of every core of AES."""

from __future__ import annotations

from typing import Any

from headwater.core.facts import Facts
from headwater.kinds.aes import check_bit, check_pass
from headwater.kinds.aes.bit_facts import BitFacts
from headwater.prove.alike import always
from headwater.prove.checker import CONTROL, Property
from headwater.prove.reading import described, independent, other_gates


def of_bits(facts: Facts) -> bool:
    """Whether a core takes a bit a cycle."""
    return isinstance(facts, BitFacts)


def _cycles(_: Any) -> int:
    return check_pass.CYCLES + 1


PROPERTIES = (
    Property(
        "setup",
        check_bit.check_setup,
        independent("a binary count of load words, columns and their cycles"),
        "keystream bits are offered in the last three columns of every tenth round and in the "
        "column behind them, and at no other time",
        cycles=lambda _: 4,
        by_induction=always,
        applies=of_bits,
        by_hand=CONTROL,
    ),
    Property(
        "load",
        check_bit.check_load,
        independent("the bits of key and IV, moved by a place"),
        "the IV comes to its place behind the key, and all but its last column with the key added; "
        "all stays while the core waits",
        applies=of_bits,
    ),
    Property(
        "bytes",
        check_pass.check_bytes,
        independent("the places of the bytes of a block, and of a round key"),
        "eight cycles of a pass move block and round key by a byte, and substitute one of each",
        cycles=_cycles,
        applies=of_bits,
    ),
    Property(
        "mixing",
        check_pass.check_mixing,
        described("its MixColumns"),
        "eight cycles of MixColumns are that of the last column, and all else stays",
        cycles=_cycles,
        applies=of_bits,
    ),
    Property(
        "pass",
        check_pass.check_rounds,
        described("its round and its next round key"),
        "bytes so moved, and mixed behind each column, are the described round and round key",
        cycles=lambda _: 1,
        applies=of_bits,
        of_core=False,
    ),
    Property(
        "back",
        check_pass.check_back,
        described("its key expansion"),
        "bytes so moved in any other pass are the round key before, and leave the block",
        cycles=lambda _: 1,
        applies=of_bits,
        of_core=False,
    ),
    Property(
        "output",
        check_bit.check_output,
        other_gates("the bit behind the last column, and that of the round key"),
        "an offered bit is the one that gets the last round key",
        cycles=lambda _: 1,
        applies=of_bits,
    ),
)
