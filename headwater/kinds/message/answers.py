# SPDX-License-Identifier: Apache-2.0
"""What the functions of a message machine must give, tried on numbers and symbols."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from headwater.algebra.memory import WholeMemory
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.expanded import SizingWire
from headwater.cipher.memory import check_stored
from headwater.cipher.results import without_traceback
from headwater.errors import InputError, unknown
from headwater.kinds.message.calling import asked_for, moved, word_of
from headwater.kinds.message.dependence import Reader, ReadMemory, constants_of, memories_of
from headwater.kinds.message.operations import (
    Function,
)

_DRAWN = 12


def check_added(
    cipher: Any, what: str, enter: Function, keystream: Function | None, size: int, rate: int
) -> None:
    """With drawn values: that bytes of a block may enter one after another. The proof of ``words``
    shows it for all values."""
    draw = Random(size)
    constants = dict(cipher.constants)
    for _ in range(_DRAWN if size > 8 else 0):
        state: dict[str, Any] = {
            one.name: IntegerWord(draw.getrandbits(one.bits), one.bits) for one in cipher.registers
        }
        state |= {
            one.name: WholeMemory(
                IntegerWord(draw.getrandbits(one.words * one.bits), one.words * one.bits),
                one.words,
                one.bits,
            )
            for one in cipher.memories
        }
        mask = sum(0xFF << place for place in range(0, size, 8) if draw.getrandbits(1))
        block = draw.getrandbits(size)
        parts = [IntegerWord(block & mask, size), IntegerWord(block & ~mask, size)]
        whole = moved(enter, unnamed, state, constants | {"block": IntegerWord(block, size)})
        first = moved(enter, unnamed, state, constants | {"block": parts[0]})
        second = moved(enter, unnamed, first, constants | {"block": parts[1]})
        same = all(_value(whole[name]) == _value(second[name]) for name in whole)
        if keystream is not None:
            before, after = (
                word_of(keystream, unnamed, constants | one).value for one in (state, first)
            )
            same &= not (before ^ after) & ~mask & ((1 << rate) - 1)
        if not same:
            raise InputError(
                f"{what} must give the same if the words of a block enter one after another, as "
                "a sum with what the registers hold does; else a part must not be added, and a "
                "Take must have the bits of a word as block_bits"
            )


def _value(held: IntegerWord | WholeMemory) -> int:
    return held.content.value if isinstance(held, WholeMemory) else held.value


def words_at(cipher: Any, where: str) -> dict[str, int]:
    """The words that a function at a place may ask for, with their lengths in bits."""
    words = {name: len(word) for name, word in cipher.constants.items()}
    words |= {register.name: register.bits for register in cipher.registers}
    if where == "middle" or where.endswith(("end", "finish")):
        words |= dict.fromkeys(("ad_bytes", "text_bytes"), cipher.length_bits)
    return words


def _read(cipher: Any, what: str, function: Function, words: Mapping[str, int]) -> Any:
    """What a function gives, of words without values."""
    for name in asked_for(function):
        memories = [one.name for one in cipher.memories]
        if name not in words and name != "wire" and name not in memories:
            raise unknown(f"parameter of {what}", name, ("wire", *words, *memories))
    reader = Reader()
    operands: dict[str, Any] = {name: reader.word(bits) for name, bits in words.items()}
    operands |= constants_of(cipher) | memories_of(cipher, reader)
    wire = SizingWire()
    answer = without_traceback(what, lambda: word_of(function, wire, operands))
    wire.check(what, answer.values() if isinstance(answer, Mapping) else [answer])
    return answer


def check_moves(cipher: Any, what: str, function: Function, words: Mapping[str, int]) -> None:
    """A function that changes registers."""
    changed = _read(cipher, what, function, words)
    if not isinstance(changed, Mapping):
        raise InputError(
            f"{what} must give a mapping of registers to words, not {type(changed).__name__}"
        )
    lengths = {register.name: register.bits for register in cipher.registers}
    memories = {one.name: one for one in cipher.memories}
    for name, word in changed.items():
        if name in memories:
            check_stored(what, changed, (memories[name],), ReadMemory)
            continue
        if name not in lengths:
            raise unknown(f"register that {what} gives", name, (*lengths, *memories))
        _check_length(f"{name} that {what} gives", word, lengths[name])


def check_word(
    cipher: Any, what: str, function: Function, words: Mapping[str, int], bits: int
) -> None:
    """A function that gives one word."""
    _check_length(f"word that {what} gives", _read(cipher, what, function, words), bits)


def _check_length(what: str, word: Any, bits: int) -> None:
    if not isinstance(word, SymbolicWord):
        raise InputError(f"{what} must be a word, not {type(word).__name__}")
    if len(word) != bits:
        raise InputError(f"{what} must have {bits} bits, not {len(word)}")
