# SPDX-License-Identifier: Apache-2.0
"""AES for software: without tables four blocks are eight planes, plane n having bit n of their
bytes.

All rounds are then the operations of words, whatever the data. With tables a round is linear in the
outputs of the S-box, so a column is the sum of four words, each looked up by one byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from operator import xor

from headwater.algebra.straight_line import Program
from headwater.algebra.word import IntegerWord, Wire, Word, lookup, table_word
from headwater.cipher import aes_ofb
from headwater.cipher.aes import change_before
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.aes.description import BLOCK_BITS, AesMode, AesOfb
from headwater.kinds.registry import kind_of
from headwater.kinds.software import Part, Software

BYTE = 8
BYTES = BLOCK_BITS // BYTE


def software(cipher: Cipher, architecture: Architecture) -> Software | None:
    """The S-box as gates, and what else the rounds of a mode with keystream are made of; or the
    rounds with tables. None of a MAC."""
    formed = kind_of(cipher).formed(cipher, architecture)
    if not isinstance(formed, (AesOfb, AesMode)):
        return None
    facts, form = _facts(formed), architecture["sbox"]
    if form == "table":
        return Software("tables", _tables(), facts)
    inputs = {f"x{bit}": 64 for bit in range(BYTE)}
    substitute = Part(inputs, partial(_substitute, aes_ofb.SBOX.programs[form]))
    return Software("planes", {"substitute": substitute}, {**facts, "moves": _moves()})


def _facts(cipher: AesOfb | AesMode) -> dict[str, int]:
    """Numbers of the key expansion, and how many bits of a block count; zero in output feedback.
    ``halfway`` is after how many words there is an S-box beside the one of every key's length."""
    words = cipher.key_bits // 32
    changed = [place for place in range(1, words) if change_before(place, words)]
    return {
        "rounds": words + 6,
        "key_words": words,
        "halfway": changed[0] if changed else 0,
        "constant": aes_ofb.FIRST_CONSTANT,
        "reduction": aes_ofb.double(IntegerWord(1 << BYTE - 1, BYTE)).value,
        "counted_bits": cipher.counted_bits if isinstance(cipher, AesMode) else 0,
    }


def _substitute(program: Program, wire: Wire, *planes: Word) -> Mapping[str, Word]:
    return {f"y{bit}": word for bit, word in enumerate(program.read(planes, wire, "t"))}


COLUMNS = 4


def _tables() -> dict[str, Part]:
    """A round, the last round, and the word that makes a round key of the one before."""
    columns = {f"c{place}": 32 for place in range(COLUMNS)}
    keys = {f"k{place}": 32 for place in range(COLUMNS)}
    last = _columns_of_bytes(aes_ofb.SBOX.entries)
    mixed = [
        [aes_ofb.mix_column(IntegerWord(entry, 32)).value for entry in table] for table in last
    ]
    return {
        "round": Part(columns | keys, partial(_round, _words(mixed))),
        "last": Part(columns | keys, partial(_round, _words(last))),
        "key": Part({"word": 32, "constant": 32}, partial(_core, _words(last))),
    }


def _columns_of_bytes(entries: Sequence[int]) -> list[list[int]]:
    """For each row, what each value of its byte adds to a column after SubBytes."""
    return [[entry << 24 - BYTE * row for entry in entries] for row in range(4)]


def _words(tables: Sequence[Sequence[int]]) -> tuple[IntegerWord, ...]:
    return tuple(table_word(table, 32) for table in tables)


def _round(tables: Sequence[IntegerWord], _wire: Wire, *words: Word) -> Mapping[str, Word]:
    """A round of a state and its key: ShiftRows, then each column from tables."""
    shifted = aes_ofb.shift_rows(words[:COLUMNS])
    pairs = zip(shifted, words[COLUMNS:], strict=True)
    return {f"c{place}": _looked_up(tables, one) ^ key for place, (one, key) in enumerate(pairs)}


def _core(
    tables: Sequence[IntegerWord], _wire: Wire, word: Word, constant: Word
) -> Mapping[str, Word]:
    """SubWord(RotWord(word)) xor Rcon, with the constant in the lowest byte of a word."""
    added = aes_ofb.key_core(word, constant[:BYTE], lambda one: _looked_up(tables, one))
    return {"added": added}


def _looked_up(tables: Sequence[IntegerWord], column: Word) -> Word:
    """The sum of what the bytes of a column stand for."""
    return reduce(xor, map(lookup, aes_ofb.rows(column), tables))


def _moves() -> dict[int, int]:
    """ShiftRows of a plane of four blocks: by how many places bits move down, and which bits of the
    result these are."""
    numbered = aes_ofb.block_of(bytes(range(BYTES)))
    moves: dict[int, int] = {}
    for byte, source in enumerate(aes_ofb.bytes_of_block(aes_ofb.shift_rows(numbered))):
        by = _place(source) - _place(byte)
        moves[by] = moves.get(by, 0) | _BLOCKS << _place(byte)
    return moves


_BLOCKS = 0b1111
"""A bit for each block of a plane, side by side."""


def _place(byte: int) -> int:
    """Where the bit of a byte of the first block stands in a plane: byte p of half h of block b is
    bit 8 p + 4 h + b."""
    half, within = divmod(byte, BYTES // 2)
    return BYTE * within + BYTE // 2 * half
