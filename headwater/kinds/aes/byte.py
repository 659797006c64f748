# SPDX-License-Identifier: Apache-2.0
"""AES at a byte a cycle: one S-box for the state and one for the key.

The state moves column by column through a chain of twelve bytes, then through the S-box into
``collected``. A whole column goes to ``mixing``, which turns and gives one byte of MixColumns in
each of the next four cycles. That byte, with the round key added, enters the chain 16 cycles after
the byte of the same place left it.

ShiftRows reads bytes out of order. Where the byte at the top is not the next one, the next one is
read four, eight or twelve places further on, and the byte at the top takes its place. Byte p of the
round is byte 5p (modulo 16) of the state. Its distance from the top, column by column, is

    row 0: 0;   row 1: 4, 4, 4, 0;   row 2: 8, 8, 0, 0;   row 3: 12, 8, 4, 0

Distance 12 is the byte that enters the chain.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import reduce
from operator import or_

from amaranth.hdl import Const, Module, Mux, Signal, Value

from headwater.algebra.word import choose
from headwater.cipher import aes_ofb
from headwater.core.naming import Naming, equals, named
from headwater.kinds.aes.core import AesCore, part, parts

DISTANCES = ((0, 0, 0, 0), (4, 4, 4, 0), (8, 8, 0, 0), (12, 8, 4, 0))
"""For each row and column how far from the top the byte is that is due."""


class ByteDatapath(AesCore):
    """``phase`` is the number of the byte that enters the chain; the byte that leaves is four
    further on. The image of zero is removed from the S-box's output, so that shifted-in zeros stay
    zeros. It is added back with the round key: MixColumns does not change it."""

    def _make_registers(self) -> None:
        super()._make_registers()
        self.state = self._register("state", 96)
        self.collected = self._register("collected", 24)
        self.mixing = self._register("mixing", 32)
        self.round_key = self._register("round_key", len(self.first_key))
        self.of_zero = Signal(8, name="SBOX_OF_ZERO", init=aes_ofb.SBOX.entries[0])
        self.constants = {"of_zero": self.of_zero}

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        far = {
            f"from_{places}": f"the byte that is due is {places} places from the top"
            for places in (4, 8, 12)
        }
        return (
            super().notes
            | far
            | {
                "state": "the bytes of the state that are not in a column",
                "collected": "a column after SubBytes, as far as it has come",
                "mixing": "a whole column after SubBytes, the byte that is due on top",
                "round_key": f"the last {len(self.round_key) // 8} bytes of the round key, the "
                "oldest on top",
                "sub_in": "the byte after ShiftRows",
                "made": "a byte of the state after this round",
            }
        )

    def _datapath(self, m: Module) -> None:
        key_word = self._key_word(m)
        bytes_mixing = parts(self.mixing, 8)
        mixed = aes_ofb.mixed(Naming(m), tuple(bytes_mixing))
        made = Mux(self.last_round, part(self.mixing, 0, 8), mixed) ^ self.of_zero ^ key_word
        entering = self._entering_word(m, named(m, "made", made))
        self.entering = named(m, self.state_in, entering)
        """The byte that enters the chain."""
        due = self._move_state(m, self.entering)
        self._collect(m, self.substitute(m, due, "sub") ^ self.of_zero)

    def _move_state(self, m: Module, entering: Value) -> Value:
        """Shift the chain; return the next byte in the order of ShiftRows."""
        from_place = {
            places: named(m, f"from_{places}", self._is_from(places)) for places in (4, 8, 12)
        }
        top = part(self.state, 0, 8)
        due: Value = top
        taking = {}
        for places, here in from_place.items():
            byte = part(self.state, places, 8) if places < 12 else entering
            due = Mux(here, byte, due)
            taking[places - 1] = Mux(here, top, byte)
        self._shift(m, self.state, taking, taking[11], 8)
        return due

    def _is_from(self, places: int) -> Value:
        """Whether the next byte in the order of ShiftRows is ``places`` places from the top."""
        phases = [
            equals(self.phase, (4 * column + row - 4) % 16, f"ROW_{row}_COLUMN_{column}")
            for row, distances in enumerate(DISTANCES)
            for column, distance in enumerate(distances)
            if distance == places
        ]
        return reduce(or_, phases)

    def _collect(self, m: Module, byte: Value) -> None:
        """Append a byte to its column; a whole column goes to ``mixing``. While the key is loaded,
        and in idle, bytes pass straight on, so that ``clear`` reaches them."""
        whole = (self.phase[:2] == 3) | self.taking_key
        turned = part(self.mixing, 0, 8)
        column = [*parts(self.collected, 8), byte]
        below = [*list(parts(self.mixing, 8))[1:], turned]
        self._shift(m, self.collected, {}, byte, 8)
        chosen = [Mux(whole, new, old) for new, old in zip(column, below, strict=True)]
        self._shift(m, self.mixing, dict(enumerate(chosen)), Const(0, 8), 8)

    @abstractmethod
    def _key_word(self, m: Module) -> Value:
        """Append the round key byte of this phase to the round key."""

    def _expanded_byte(self, m: Module) -> Value:
        """The byte of KeyExpansion (FIPS 197, section 5.2) that follows those of the round key."""
        phase, key, end = self.phase, self.round_key, len(self.round_key) // 8
        above = part(key, end - 4, 8)
        rotated = Mux(phase == 3, part(key, end - 7, 8), part(key, end - 3, 8))
        core = self.substitute(m, choose(self.rotates, rotated, above), "key_sub")
        core ^= Mux(phase == 0, self.added_constant, 0)
        return part(key, 0, 8) ^ Mux(phase[2:].any(), above, core)


class ByteCore(ByteDatapath):
    """AES-128-OFB. A word is offered as it is made."""

    def _entering_word(self, m: Module, made: Value) -> Value:
        self._offer(m, self.last_round & ~self.loading, made)
        return super()._entering_word(m, made)

    def _key_word(self, m: Module) -> Value:
        """Make the round key byte of this phase and append it to the round key. In the last round
        the first round key replaces it. Twelve of its bytes follow with a delay of four cycles,
        when the old bytes are no longer read; the other four enter last."""
        phase, key = self.phase, self.round_key
        key_word = named(m, "key_word", self._expanded_byte(m))
        behind = self.last_round & phase[2:].any()
        anew = self.loading | (self.last_round & phase[2:].all())
        self._shift(
            m,
            key,
            {11: Mux(behind, self._first_key_word(12), part(key, 12, 8))},
            Mux(anew, self._first_key_word(0), key_word),
            8,
        )
        return key_word
