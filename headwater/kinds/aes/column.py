# SPDX-License-Identifier: Apache-2.0
"""AES at a column a cycle: four S-boxes for the state and four for the key.

ShiftRows needs no second copy of the state. Each row is a shift register of four bytes, the oldest
at its top. In cycle c of a round, row r gives byte r + c (modulo 4) of the old state and takes byte
c of the new one. While r + c is below 4, this is the byte r places from the top, and the bytes
above it stay. After that the bytes that stayed are at the top, in order.
"""

from __future__ import annotations

from abc import abstractmethod

from amaranth.hdl import Const, Module, Mux, Value

from headwater.cipher import aes_ofb
from headwater.cipher.aes256 import key_part
from headwater.core.function import FunctionNaming
from headwater.core.naming import named
from headwater.kinds.aes.core import AesCore, RegisteredOutput, part

_NUMBERS = {4: "four", 6: "six", 8: "eight"}


class ColumnDatapath(AesCore):
    """``round_key`` holds the words of a key before the word that is made in this cycle."""

    def _make_registers(self) -> None:
        super()._make_registers()
        self.rows = [self._register(f"row_{row}", 32) for row in range(4)]
        self.round_key = self._register("round_key", len(self.first_key))

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        shifted = {
            f"row_{row}": f"row {row} of the state, the oldest byte on top" for row in range(4)
        }
        stay = {f"stays_{row}": f"the oldest bytes of row {row} stay" for row in range(1, 4)}
        return (
            super().notes
            | shifted
            | stay
            | {
                "round_key": f"the last {_NUMBERS[len(self.round_key) // 32]} words of the round "
                "key, the oldest on top",
            }
        )

    def _datapath(self, m: Module) -> None:
        stays = self._stays(m)
        self.due_bytes: list[Value] = [part(self.rows[0], 0, 8)]
        """The bytes of this column, after ShiftRows."""
        self.due_bytes += [
            named(m, f"due_{row}", self._due(row, stays[row])) for row in range(1, 4)
        ]
        key_word = self._key_word(m)
        entering = self._entering(m, aes_ofb.column(*self.due_bytes), key_word)
        entering = named(m, self.state_in, entering)
        for row, byte in enumerate(aes_ofb.rows(entering)):
            self._move_row(m, row, stays[row], byte)

    def _stays(self, m: Module) -> list[Value]:
        """For each row, whether its oldest bytes stay where they are."""
        running = ~self.loading
        return [
            Const(0, 1),
            named(m, "stays_1", running & ~self.phase.all()),
            named(m, "stays_2", running & ~self.phase[1]),
            named(m, "stays_3", running & ~self.phase.any()),
        ]

    def _due(self, row: int, stays: Value) -> Value:
        """The byte of a row that belongs to this column after ShiftRows."""
        register = self.rows[row]
        return Mux(stays, part(register, row, 8), part(register, 0, 8))

    def _entering(self, m: Module, due: Value, key_word: Value) -> Value:
        substituted = self.substitute(m, due, "sub")
        mixed = named(m, "mixed", aes_ofb.mix_column(substituted, FunctionNaming(m)))
        made = Mux(self.last_round, substituted, mixed) ^ key_word
        return self._entering_word(m, made)

    @abstractmethod
    def _key_word(self, m: Module) -> Value:
        """Append the round key word of this column to the round key."""

    def _expanded_word(self, m: Module) -> Value:
        """The word of KeyExpansion (FIPS 197, section 5.2) that follows those of the round key."""
        count = len(self.round_key) // 32
        oldest, newest = part(self.round_key, 0, 32), part(self.round_key, count - 1, 32)
        core = key_part(
            newest,
            self.rotates,
            self.added_constant,
            lambda word: self.substitute(m, word, "key_sub"),
        )
        return oldest ^ Mux(self.phase == 0, core, newest)

    def _move_row(self, m: Module, row: int, stays: Value, entering: Value) -> None:
        register = self.rows[row]
        staying = {
            place: Mux(stays, part(register, place, 8), part(register, place + 1, 8))
            for place in range(row)
        }
        self._shift(m, register, staying, entering, 8)


class ColumnCore(ColumnDatapath, RegisteredOutput):
    """AES-128-OFB. A word is offered from the state, in the cycle after it was made."""

    def _datapath(self, m: Module) -> None:
        newest = aes_ofb.column(*(part(row, 3, 8) for row in self.rows))
        self._offer(m, self.made, newest ^ self._first_key_word(3))
        super()._datapath(m)

    def _key_word(self, m: Module) -> Value:
        """Make the round key word of this column and append it to the round key. In the last round
        the first round key replaces it. Three of its words follow with a delay of one cycle, in the
        place above the newest, when the old words are no longer read; the fourth enters last."""
        newest = part(self.round_key, 3, 32)
        key_word = named(m, "key_word", self._expanded_word(m))
        behind = self.last_round & self.phase.any()
        anew = self.loading | (self.last_round & self.phase.all())
        self._shift(
            m,
            self.round_key,
            {2: Mux(behind, self._first_key_word(3), newest)},
            Mux(anew, self._first_key_word(0), key_word),
            32,
        )
        return key_word
