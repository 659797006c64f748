# SPDX-License-Identifier: Apache-2.0
"""The core of a filtered LFSR with authentication: key and IV in, data through, tag out."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.core.toeplitz import SMALLEST_IN_A_LOOP, ToeplitzProduct
from headwater.kinds.bit_aead.core import BitAeadCore
from headwater.kinds.filtered.core import FilteredSteps
from headwater.kinds.filtered.datapath import delayed
from headwater.kinds.stepped.unrolled import Unrolled


class FilteredAeadCore(FilteredSteps, BitAeadCore):  # type: ignore[misc]
    """A `BitAeadCore` with as many message bits in a word as the radix.

    A message is whole bytes. The tag is encrypted with the keystream bits that follow the
    message's. Where a message ends within a word, these must be shifted to the tag's words: then
    the keystream of the word before is ``kept``.
    """

    @property
    def held_bits(self) -> int:
        """Bits that encrypt, and as many that authenticate."""
        return 2 * self.architecture.radix

    def _make_registers(self) -> None:
        super()._make_registers()
        pace, radix = self.facts.pace, self.architecture.radix
        kept = self.session.keeps_secrets
        self.lag_authenticating = Signal(pace.lag_in_setup, reset_less=kept)
        self.half, self.empty = Signal(name="half"), Signal(name="empty")
        self.kept = Signal(radix, name="kept", reset_less=kept) if self.endings else None

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        notes = super().notes
        for name in ("odd", "padding", "authenticating", "entering", "shifts"):
            del notes[name]
        return notes | {
            "data_fire": "a data word is taken",
            self.cipher.authenticator: "the accumulator, then the shift register; bit 0 is the "
            "oldest of each",
            "absorbs": "the setup is authenticated as if it were a message of ones",
            "half": "the message ended in the middle of a word",
            "empty": "the message ended before its last word",
            "kept": "keystream of the word before",
        }

    @property
    def endings(self) -> list[tuple[Signal, int]]:
        """Places within a word, except its end, where a message may end: the signal that marks the
        end, and the number of bits before it. A waiting core uses no keystream for a word without
        valid bits."""
        radix = self.architecture.radix
        half = [(self.half, 8)] if radix > 8 else []
        return half + ([] if self.facts.waits else [(self.empty, 0)])

    @property
    def _message_registers(self) -> tuple[Signal, ...]:
        return self.sending, *(flag for flag, _ in self.endings)

    @property
    def word_taken(self) -> Value:
        """Whether the output word is used: a data word without valid bits uses none."""
        return (self.data_fire & self.data_in.keep[0]) | self._tag_taken

    def _unrolled(self, m: Module) -> Unrolled:
        pace = self.facts.pace
        steps = super()._unrolled(m)
        stream, after = delayed(
            self.lag_authenticating, self.path.words[1], pace=pace, running=self.running
        )
        self.path.updates.append((self.lag_authenticating, after))
        first = pace.lag_in_setup - pace.lag
        due = named(m, "authenticating_word", stream[first : first + pace.radix])
        absorbing = Cat(*(self.controls("absorbing", place) for place in range(pace.rate)))
        self.absorbed = named(m, "absorbed", stream[: pace.rate] & absorbing)
        authenticator = self.cipher.authenticator
        shifted = Cat(self.state[authenticator][pace.radix :], Const(0, pace.radix))
        moved = {**steps.after(pace.radix), authenticator: shifted}
        self.due = Cat(steps.output, due)
        return Unrolled((self.due,), lambda _steps: moved)

    def _count(self, m: Module) -> None:
        """Advance the setup's counter, which counts the tag words afterwards."""
        super(BitAeadCore, self)._count(m)
        data, ends = self.data_in, self.message_ends
        m.d.sync += self.sending.eq(self.sending | ends)
        for flag, first in self.endings:
            before = data.keep[first - 1] if first else Const(1, 1)
            m.d.sync += flag.eq(flag | (ends & before & ~data.keep[first]))
        self._count_tag_words(m)

    @property
    def _ends(self) -> Value:
        """Whether the message ends with the data word."""
        return self.data_in.last

    def _offer(self, m: Module, output: Value) -> None:
        """Encrypt and authenticate a data word, or send the tag."""
        radix = self.architecture.radix
        word = self._word(m, output)
        self.encrypting, self.authenticating_bits = word[:radix], word[radix:]
        self._take_in(m)
        self._cross(m, self.encrypting)
        over = self._tag_keystream(self.encrypting)
        tag = self.state[self.cipher.authenticator][:radix] ^ over
        m.d.comb += [
            self.tag.valid.eq(self.sending),
            self.tag.payload.eq(Mux(self.sending, tag, 0)),
        ]
        if self.kept is not None:
            with m.If(self.data_fire | self._tag_taken):
                m.d.sync += self.kept.eq(self.encrypting)

    def _tag_keystream(self, word: Value) -> Value:
        """The keystream bits that a tag word is encrypted with."""
        over = word
        for flag, first in self.endings:
            assert self.kept is not None
            over = Mux(flag, Cat(self.kept[first:], word[:first]), over)
        return over

    def _plain(self, ad: Value, encrypting: Value) -> Value:
        """The bits to authenticate: the text, or the decrypted ciphertext."""
        data, width = self.data_in, len(self.plain)
        through = self.decrypting.replicate(width) & ~ad & data.keep
        return (data.payload & data.keep) ^ (encrypting & through)

    def _move_state(self, m: Module, unrolled: Unrolled) -> None:
        super()._move_state(m, unrolled)
        if self.kept is not None:
            self.secrets += (self.kept,)
            with m.If(self.abort):
                m.d.sync += self.kept.eq(0)

    def _move_register(self, m: Module, name: str, value: Value) -> None:
        if name != self.cipher.authenticator:
            super(BitAeadCore, self)._move_register(m, name, value)
            return
        register, absorbs = self.state[name], Signal(name="absorbs")
        m.d.comb += absorbs.eq(~self.loading & ~self.running)
        shifted: Value = self.loading | self.sending
        if self.facts.waits:
            shifted = (self.loading & self.enable) | self._tag_taken
        authenticated = self._authenticated(m)
        authenticates = absorbs | (self.authenticating & self.data_fire)
        with m.If(shifted | authenticates):
            m.d.sync += register.eq(Mux(absorbs | self.authenticating, authenticated, value))
        self.session.clear_at_once(m, (register,))

    def _authenticated(self, m: Module) -> Value:
        """Accumulator and shift register after a cycle's bits: message bits, or setup ones."""
        pace, register = self.facts.pace, self.state[self.cipher.authenticator]
        tag = self.cipher.tag_bits
        missing = pace.radix - pace.rate
        ones = Const((1 << pace.rate) - 1, pace.radix)
        bits = named(m, "bits", Mux(self.running, self.plain, ones))
        enters = Mux(self.running, self.authenticating_bits, Cat(self.absorbed, Const(0, missing)))
        line = Cat(register[tag:], named(m, "enters", enters))
        product = ToeplitzProduct(m, SMALLEST_IN_A_LOOP)
        taken_in = named(m, "taken_in", product.product(bits, line, tag))
        moved = line[pace.radix :]
        if pace.changes:
            moved = Mux(self.running, moved, line[pace.rate : pace.rate + tag])
        return Cat(register[:tag] ^ taken_in, moved)
