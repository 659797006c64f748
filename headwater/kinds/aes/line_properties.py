# SPDX-License-Identifier: Apache-2.0
"""The properties of the cores of AES with a key of any length, in every kind that has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.core.facts import Facts
from headwater.kinds.aes import check_line, check_mac
from headwater.kinds.aes.mac_facts import MacFacts
from headwater.prove.alike import always
from headwater.prove.checker import CONTROL, Checker, Property
from headwater.prove.reading import described, independent, other_gates


def _of_macs(facts: Facts) -> bool:
    return isinstance(facts, MacFacts)


def mac_properties(applies: Callable[[Any], bool] = _of_macs) -> tuple[Property, ...]:
    """The properties of the cipher in the cores of AES in CMAC, beside those of their rounds."""
    return (
        Property(
            "setup",
            check_mac.check_setup,
            independent("a binary count of load words and rounds, and the rules of waiting"),
            "data is taken behind the load, until a block is there; the rounds wait for blocks and "
            "for the reader of the tag alone",
            cycles=lambda _: 4,
            by_induction=always,
            applies=applies,
            by_hand=CONTROL,
        ),
        Property(
            "message",
            check_mac.check_message,
            independent("words in their order, and the one and the zeros behind the last bit"),
            "words of the message enter the block in order, padded where it does not end with one",
            applies=applies,
        ),
        Property(
            "blocks",
            check_mac.check_blocks,
            independent("subkeys as numbers of 128 bits that are doubled, and the chain"),
            "each block enters with the one before it, and the last one with the right subkey",
            applies=applies,
        ),
        Property(
            "tag",
            check_mac.check_tag,
            independent("the words that the rounds make behind the last block, in order"),
            "the tag is the first bits of the last block, word after word",
            applies=applies,
        ),
    )


def line_properties(
    applies: Callable[[Any], bool],
    setup: Checker = check_line.check_setup,
) -> tuple[Property, ...]:
    """The properties of the cipher in the cores of AES with a key of any length."""

    def of_keystream(facts: Any) -> bool:
        return applies(facts) and not isinstance(facts, MacFacts)

    return (
        Property(
            "setup",
            setup,
            independent("a binary count of load words, rounds and the words that wait"),
            "a keystream word is made in each cycle of the last of every ten, twelve or fourteen "
            "rounds behind the load and a first round, unless the word before it waits, and at no "
            "other time",
            cycles=lambda _: 4,
            by_induction=always,
            applies=of_keystream,
            by_hand=CONTROL,
        ),
        Property(
            "load",
            check_line.check_load,
            independent("key and IV as one string, moved word by word, then the key turned"),
            "key and IV enter in their order, the key turns by a word in each cycle of a round, "
            "and everything stays where no cycle passes",
            applies=applies,
        ),
        Property(
            "next",
            check_line.check_next,
            other_gates("the word that waited, and the one that the rounds make"),
            "each keystream word is there until it is used, and then the one that the rounds make",
            applies=of_keystream,
        ),
        Property(
            "block",
            check_line.check_blocks,
            independent("the block as a number that counts, or as the words that were made"),
            "in counter mode the last bits of the block become the next number once in each block, "
            "and the others stay; in output feedback words that are made follow those of the IV",
            applies=of_keystream,
        ),
        Property(
            "round",
            check_line.check_round,
            described("its round, and the words of its key expansion one after another"),
            "each cycle of a round makes its part of the described state and round key",
            applies=applies,
        ),
    )
