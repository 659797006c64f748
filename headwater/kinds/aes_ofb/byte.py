# SPDX-License-Identifier: Apache-2.0
"""AES-128-OFB at a byte a cycle: one S-box for the state and one for the key.

The state moves through a chain of twelve bytes, column by column, then through the S-box into
``collected``; a whole column goes to ``mixing``, which turns and gives a byte of MixColumns in
each of the next four cycles. With the round key added it is at the chain's entrance again, 16
cycles after the byte of its place left it.

ShiftRows takes bytes out of turn: where the byte at the top is not the one that is due, that one
is read four, eight or twelve places further on, and the byte at the top takes its place. So byte p
of the round, which is byte 5p (modulo 16) of the state, is at

    row 0: the top;   row 1: 4, 4, 4, 0;   row 2: 8, 8, 0, 0;   row 3: 12, 8, 4, 0

places from the top in the four columns; at place 12 is what enters the chain.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from amaranth.hdl import Const, Module, Mux, Signal, Value

from headwater.cipher import aes_ofb
from headwater.core.naming import Naming, equals, named
from headwater.kinds.aes_ofb.base import AesCore, part, parts

_DISTANCES = ((0, 0, 0, 0), (4, 4, 4, 0), (8, 8, 0, 0), (12, 8, 4, 0))
"""For each row and column how far from the top the byte is that is due."""


class ByteCore(AesCore):
    """``phase`` is the byte that enters the chain; the one that leaves it is four further on.

    What the S-box makes of zero is taken away behind it, so that zeros which are shifted in stay
    zeros, and comes back with the round key: MixColumns keeps it as it is.
    """

    def _make_registers(self) -> None:
        super()._make_registers()
        self.state = self._register("state", 96)
        self.collected = self._register("collected", 24)
        self.mixing = self._register("mixing", 32)
        self.round_key = self._register("round_key", 128)
        self.of_zero = Signal(8, name="SBOX_OF_ZERO", init=aes_ofb.SBOX.entries[0])
        self.constants = {"of_zero": self.of_zero}

    @property
    def secrets(self) -> tuple[Signal, ...]:
        """All that hold bits of key or state."""
        own = self.state, self.collected, self.mixing, self.round_key
        return (*super().secrets, *own)

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        far = {f"from_{places}": f"the byte that is due is {places} places from the top"
               for places in (4, 8, 12)}  # fmt: skip
        return super().notes | far | {
            "state": "the bytes of the state that are not in a column",
            "collected": "a column after SubBytes, as far as it has come",
            "mixing": "a whole column after SubBytes, the byte that is due on top",
            "round_key": "the last 16 bytes of the round key, the oldest on top",
            "sub_in": "the byte after ShiftRows",
            "made": "a byte of the state after this round",
        }  # fmt: skip

    def _datapath(self, m: Module) -> None:
        key_word = self._key_word(m)
        bytes_mixing = parts(self.mixing, 8)
        mixed = aes_ofb.mixed(Naming(m), tuple(bytes_mixing))
        made = Mux(self.last_round, part(self.mixing, 0, 8), mixed) ^ self.of_zero ^ key_word
        made = named(m, "made", made)
        self._offer(m, self.last_round & ~self.loading, made)
        first_key = Mux(self.last_round, self._first_key_word(0), 0)
        entering = Mux(self.loading, self.load_word, made) ^ first_key
        due = self._move_state(m, named(m, "entering", entering))
        self._collect(m, self.substitute(m, due, "sub") ^ self.of_zero)

    def _move_state(self, m: Module, entering: Value) -> Value:
        """Move the chain; the byte that is due."""
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
        """Whether the byte that is due is so many places from the top, in this phase."""
        phases = [
            equals(self.phase, (4 * column + row - 4) % 16, f"ROW_{row}_COLUMN_{column}")
            for row, distances in enumerate(_DISTANCES)
            for column, distance in enumerate(distances)
            if distance == places
        ]
        return reduce(or_, phases)

    def _collect(self, m: Module, byte: Value) -> None:
        """Put a byte behind those of its column; a whole column begins to turn.

        While the key is taken, as in idle, bytes pass straight on, so that ``clear`` reaches them.
        """
        whole = (self.phase[:2] == 3) | self.taking_key
        turned = part(self.mixing, 0, 8)
        column = [*parts(self.collected, 8), byte]
        below = [*list(parts(self.mixing, 8))[1:], turned]
        self._shift(m, self.collected, {}, byte, 8)
        chosen = [Mux(whole, new, old) for new, old in zip(column, below, strict=True)]
        self._shift(m, self.mixing, dict(enumerate(chosen)), Const(0, 8), 8)

    def _key_word(self, m: Module) -> Value:
        """Make the byte of the round key for this phase, and put it behind the others.

        In the last round the bytes of the first round key take their place: twelve follow four
        cycles behind, when those there are no longer read; the others are the last to enter.
        """
        phase, key = self.phase, self.round_key
        rotated = Mux(phase == 3, part(key, 9, 8), part(key, 13, 8))
        core = self.substitute(m, rotated, "key_sub") ^ Mux(phase == 0, self.constant, 0)
        before = Mux(phase[2:].any(), part(key, 12, 8), core)
        key_word = named(m, "key_word", part(key, 0, 8) ^ before)
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
