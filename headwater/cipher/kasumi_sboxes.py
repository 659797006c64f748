# SPDX-License-Identifier: Apache-2.0
"""The two S-boxes of KASUMI, of 7 and of 9 bits, each as a table and as a circuit.

3GPP TS 35.202. Each bit of S7 is a sum of products of at most three input bits, each bit of S9 one
of at most two: the circuit is these sums, which follow from the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import xor

from headwater.algebra.word import (
    IntegerWord,
    Wire,
    Word,
    concatenate,
    lookup,
    table_word,
    through,
)


@dataclass(frozen=True)
class OddSBox:
    """A permutation of words whose length is no power of two."""

    name: str
    """Prefix of the names of its signals."""
    bits: int
    """Length of a word."""
    entries: tuple[int, ...]
    """The value of each word."""

    @cached_property
    def table(self) -> IntegerWord:
        """All entries as one word, each in as many bits as the next power of two."""
        return table_word(self.entries, 1 << (self.bits - 1).bit_length())

    @cached_property
    def monomials(self) -> tuple[tuple[int, ...], ...]:
        """Of each bit of the value, bit 0 first, the products that are added: each as the set of
        its factors, where bit n stands for bit n of the word. The empty product is a one."""
        sums = list(self.entries)
        for place in range(self.bits):
            for word in range(len(sums)):
                if word >> place & 1:
                    sums[word] ^= sums[word ^ 1 << place]
        return tuple(
            tuple(word for word, value in enumerate(sums) if value >> bit & 1)
            for bit in range(self.bits)
        )

    def apply(self, wire: Wire, word: Word, table: Word | None) -> Word:
        """The value of a word: looked up in ``table``, or by the circuit where there is none."""
        if table is not None:
            return lookup(word, table)[: self.bits]
        return through(wire, f"{self.name}_box", self.bits, self.circuit, word)

    def circuit(self, wire: Wire, word: Word) -> Word:
        """The sums of products."""
        known: dict[int, Word] = {1 << place: word[place] for place in range(self.bits)}
        for factors in sorted({one for bit in self.monomials for one in bit if one}):
            _multiply(wire, known, factors, self.name)
        return concatenate(*(_sum(known, factors) for factors in self.monomials))


def _multiply(wire: Wire, known: dict[int, Word], factors: int, name: str) -> Word:
    """The product of these bits, which joins those that are known."""
    if factors not in known:
        lowest = factors & -factors
        rest = _multiply(wire, known, factors ^ lowest, name)
        places = [str(place) for place in range(factors.bit_length()) if factors >> place & 1]
        known[factors] = wire(rest & known[lowest], "_".join((name, *places)))
    return known[factors]


def _sum(known: dict[int, Word], products: Sequence[int]) -> Word:
    """The sum of these products, one of which may be a one."""
    added = reduce(xor, (known[one] for one in products if one))
    return added if 0 not in products else ~added


_S7 = """
36 32 3E 38 16 22 5E 60 26 06 3F 5D 02 12 7B 21 37 71 27 72 15 43 41 0C 2F 49 2E 1B 19 6F 7C 51
35 09 79 4F 34 3C 3A 30 65 7F 28 78 68 46 47 2B 14 7A 48 3D 17 6D 0D 64 4D 01 10 07 52 0A 69 62
75 74 4C 0B 59 6A 00 7D 76 63 56 45 1E 39 7E 57 70 33 11 05 5F 0E 5A 54 5B 08 23 67 20 61 1C 42
66 1F 1A 2D 4B 04 55 5C 25 4A 50 31 44 1D 73 2C 40 6B 6C 18 6E 53 24 4E 2A 13 0F 29 58 77 3B 03
"""

_S9 = """
0A7 0EF 0A1 17B 187 14E 009 152 026 0E2 030 166 1C4 181 05A 18D 0B7 0FD 093 14B 19F 154 033 16A
132 1F4 106 052 0D8 09F 164 0B1 0AF 0F1 1E9 025 0CE 011 000 14D 02C 0FE 17A 03A 08F 0DC 051 190
05F 003 13B 0F5 036 0EB 0DA 195 1D8 108 0AC 1EE 173 122 18F 04C 0A5 0C5 18B 079 101 1E0 1A7 0D4
0F0 01C 1CE 0B0 196 1FB 120 0DF 1F5 197 0F9 109 059 0BA 0DD 1AC 0A4 04A 1B8 0C4 1CA 1A5 15E 0A3
0E8 09E 086 162 00D 0FA 1EB 08E 0BF 045 0C1 1A9 098 0E3 16E 087 158 12C 114 0F2 1B5 140 071 116
00B 0F3 057 13D 024 05D 1F0 01B 1E7 1BE 1E2 029 044 09C 1C9 083 146 193 153 014 027 073 1BA 07C
1DB 180 1FC 035 070 0AA 1DF 097 07E 0A9 049 10C 117 141 0A8 16C 16B 124 02E 1F3 189 147 144 018
1C8 10B 09D 1CC 1E8 1AA 135 0E5 1B7 1FA 0D0 10F 15D 191 1B2 0EC 010 0D1 167 034 038 078 0C7 115
1D1 1A0 0FC 11F 0F6 006 053 131 1A4 159 099 1F6 041 03D 0F4 11A 0AD 0DE 1A2 043 182 170 105 065
1DC 123 0C3 1AE 031 04F 0A6 14A 118 17F 175 080 17E 198 09B 1EF 16F 184 112 06B 1CB 1A1 03E 1C6
084 0E1 0CB 13C 0EA 00E 12D 05B 1F7 11E 1A8 0D3 15B 133 08C 176 023 067 07D 1AB 013 0D6 1C5 092
1F2 13A 1BC 0E6 100 149 0C6 11D 032 074 04E 19A 00A 0CD 1FE 0AB 0E7 02D 08B 1D3 01D 056 1F9 020
048 01A 156 096 139 1EA 1AF 0EE 19B 145 095 1D9 028 077 0AE 163 0B9 0E9 185 047 1C0 111 174 037
06E 0B2 142 00C 1D5 188 171 0BE 001 06D 177 089 0B5 058 04B 134 104 1E4 062 110 172 113 19C 06F
150 13E 004 1F8 1EC 103 130 04D 151 1B3 015 165 12F 14C 1E3 012 02F 055 019 1F1 1DA 121 064 10D
128 1DE 10E 06A 01F 068 1B1 054 19E 1E6 18A 060 063 09A 1FF 094 19D 169 199 0FF 0A2 0D7 12E 0C9
10A 15F 157 090 1B9 16D 06C 12A 0FB 022 0B6 1FD 08A 0D2 14F 085 137 160 148 08D 18C 15A 07B 13F
1C2 119 1AD 0E4 1BB 1E1 05C 194 1E5 1A6 0F8 129 017 0D5 082 1D2 016 0D9 11B 046 126 168 1A3 07F
138 179 007 1D4 0C2 002 075 127 1CF 102 0E0 1BF 0F7 0BB 050 18E 11C 161 069 186 12B 1D7 1D6 0B8
039 0C8 15C 03F 0CC 0BC 021 1C3 061 01E 136 0DB 05E 0A0 081 1ED 040 0B3 107 066 0BD 0CF 072 192
1B6 1DD 183 07A 0C0 02A 17D 005 091 076 0B4 1C1 125 143 088 17C 02B 042 03C 1C7 155 1BD 0CA 1B0
008 0ED 00F 178 1B4 1D0 03B 1CD
"""


def _entries(digits: str) -> tuple[int, ...]:
    return tuple(int(entry, 16) for entry in digits.split())


S7 = OddSBox("s7", 7, _entries(_S7))
S9 = OddSBox("s9", 9, _entries(_S9))
