# SPDX-License-Identifier: Apache-2.0
"""The core of a bit-wise AEAD cipher: key and nonce in, data through, tag out."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.core.toeplitz import SMALLEST_IN_A_LOOP, ToeplitzProduct
from headwater.kinds.bit_aead.description import AUTHENTICATOR, AuthenticatingCipher
from headwater.kinds.bit_aead.facts import is_isolated
from headwater.kinds.bit_aead.line_ahead import LineAhead
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.transformations.ahead import AHEAD


class BitAeadCore(SteppedCore):
    """A cipher whose even output bits encrypt and whose odd output bits authenticate.

    At radix 1 even and odd bits alternate, and a data word takes two cycles. During the setup,
    accumulator and shift register of the authenticator move as the description says. After it they
    authenticate the message; then they shift the tag out.

    The tag follows the last data word, and the core is idle once it has been taken. Decrypted text
    leaves before the tag is known. With ``stall=none``, ``data_out`` and ``tag`` must be taken
    while they are valid.
    """

    cipher: AuthenticatingCipher

    def __init__(self, facts: SteppedFacts) -> None:
        super().__init__(facts)
        self.isolated = is_isolated(self.architecture)
        self.adds_at_once = not self.isolated and self.architecture.radix > 1
        self.odd = Signal()
        self.padding = Signal()
        self.closing = Signal()
        self.sending = Signal()
        self.authenticating = Signal()
        self.data_fire = Signal()
        self.message_ends = Signal()
        self.decrypting = Signal()
        self.plain = Signal.like(self.data_in.payload, name="plain")
        self.line_ahead = None
        if self.architecture[AUTHENTICATOR.name] == AHEAD:
            kept = self.session.keeps_secrets
            self.line_ahead = LineAhead(self.cipher.tag_bits, len(self.plain), kept=kept)
            self.secrets += (self.line_ahead.register,)
        self.entering = Signal.like(self.data_in.payload, name="entering")
        self.shifts = Signal()
        self.last_tag_word = Signal(name="last_tag_word") if self.tag_words > 1 else self.sending
        self.control_registers += self._message_registers
        # At most one flag of a message is one, and none before the setup ends.
        used = self.odd | self.padding | self.closing | self.sending
        behind = ~(self.sending & (self.padding | self.closing)) & ~(self.padding & self.closing)
        self.message_phases = (self.running | ~used) & behind
        if self.tag_words > 1:
            self.control_registers += (self.last_tag_word,)
        self.finished = self._taken(self.last_tag_word)

    def _make_registers(self) -> None:
        self.tag_words = self.cipher.tag_bits // len(self.tag.payload)
        super()._make_registers()

    comments: ClassVar = {
        "odd": "this output bit enters the authenticator, and encrypts nothing",
        "padding": "the one bit that follows the message is due",
        "sending": "the tag is shifted out",
        "last_tag_word": "the tag word that is sent is the last",
        "authenticating": "the authenticator takes in a message",
        "data_fire": "a data word is taken, or the one behind the message is",
        "decrypting": "the data word is ciphertext",
        "plain": "bits to authenticate",
        "entering": "output bits that enter the authenticator",
        "shifts": "output bits enter the authenticator in this cycle",
        "text": "the data word encrypted or decrypted",
    }

    @property
    def _message_registers(self) -> tuple[Signal, ...]:
        """Registers that follow a message."""
        own: tuple[Signal, ...] = (self.padding, self.sending)
        own += (self.odd,) if self.architecture.radix == 1 else ()
        own += (self.closing,) if self.isolated else ()
        return own

    @property
    def word_taken(self) -> Value:
        """Whether this cycle's output is used: a data word is taken, or, at radix 1, its second bit
        enters the authenticator."""
        return self.data_fire | self.odd

    @property
    def _tag_taken(self) -> Value:
        return self._taken(self.sending)

    def _taken(self, sending: Value) -> Value:
        return sending & (self.tag.ready if self.facts.waits else 1)

    def _count(self, m: Module) -> None:
        """Advance the setup's counter, which counts the tag words afterwards."""
        super()._count(m)
        m.d.sync += self.padding.eq(
            self._whole_last & self.data_fire | self.padding & ~self.data_fire
        )
        ends = self.closing if self.isolated else self.message_ends
        m.d.sync += self.sending.eq(self.sending | ends)
        if self.isolated:
            m.d.sync += self.closing.eq(self.message_ends)
        if self.architecture.radix == 1:
            m.d.sync += self.odd.eq(self.data_fire)
        self._count_tag_words(m)

    def _count_tag_words(self, m: Module) -> None:
        if self.tag_words > 1:
            # Set a word ahead, as the end of the session drives every control register.
            before = self.controller.comes(self.tag_words, "BEFORE_LAST_TAG_WORD")
            with m.If(self._tag_taken):
                m.d.sync += self.last_tag_word.eq(before)
        if self.facts.waits:
            with m.If(self.running & ~self.tag.ready):
                m.d.sync += self.count.eq(self.count)

    def _take_in(self, m: Module) -> None:
        """Tell when the authenticator takes in a message. The count is at its start meanwhile: of
        so many registers a reset costs less than a gate before each."""
        m.d.comb += self.authenticating.eq(self.running & ~self.sending)
        with m.If(self.authenticating):
            m.d.sync += self.count.eq(self.count.init)

    @property
    def _ends(self) -> Value:
        """Whether the message ends with the data word: before its last bit, or with the bit that
        follows the message."""
        return self.padding | ~self.data_in.keep.all()

    @property
    def _whole_last(self) -> Value:
        return ~self.padding & self.data_in.last & self.data_in.keep.all()

    def _offer(self, m: Module, output: Value) -> None:
        """Encrypt and authenticate a data word, or send the tag."""
        word = self._word(m, output)
        self._take_in(m)
        self._cross(m, word[0::2])
        self._enter(m, word if self.architecture.radix == 1 else word[1::2])
        m.d.comb += [
            self.tag.valid.eq(self.sending),
            self.tag.payload.eq(
                Mux(self.sending, self.state[self.cipher.authenticator][: len(self.tag.payload)], 0)
            ),
        ]

    def _cross(self, m: Module, encrypting: Value) -> None:
        """Encrypt or decrypt the data word, and select what of it is authenticated."""
        data, out, width = self.data_in, self.data_out, len(self.plain)
        text = Signal(width, name="text")
        ad = Const(0, width)
        if self.cipher.takes_associated_data:
            ad = Cat(mark.replicate(width // len(data.ad)) for mark in data.ad)
        ready = self.authenticating & ~self.padding & ~self.closing & ~self.odd
        passes = Const(1, 1)
        if self.facts.waits:
            passes = data.valid & (out.ready | ~out.keep.any())
        m.d.comb += [
            text.eq(data.payload ^ encrypting),
            out.keep.eq(data.keep & ~ad),
            out.payload.eq(text & out.keep & self._shown.replicate(width)),
            out.last.eq(data.last),
            out.valid.eq(ready & out.keep.any() & (data.valid if self.facts.waits else 1)),
            data.ready.eq(ready & (out.ready | ~out.keep.any() if self.facts.waits else 1)),
            self.data_fire.eq((ready & passes) | (self.padding & ~self.odd)),
            self.decrypting.eq(self.decrypts & ~self.padding),
            self.plain.eq(self._plain(ad, encrypting)),
            self.message_ends.eq(self.data_fire & self._ends),
        ]

    @property
    def _shown(self) -> Value:
        """Whether `data_out` is unmasked. A waiting core masks it while it is not offered, so that
        nobody can read keystream bits that are still to encrypt."""
        return self.data_out.valid if self.facts.waits else Const(1, 1)

    def _plain(self, ad: Value, encrypting: Value) -> Value:
        """The bits to authenticate, with the one that follows the last. For ciphertext they are its
        sum with the encrypting bits. These arrive last, so everything else is combined first."""
        data, width = self.data_in, len(self.plain)
        one = ~data.keep & Cat(1, data.keep[:-1])
        given = Mux(self.padding, 1, (data.payload & data.keep) | one)
        through = self.decrypting.replicate(width) & ~ad & data.keep
        if self.line_ahead is None:
            mask = self.authenticating if self.adds_at_once else self.data_fire
            given, through = (part & mask.replicate(width) for part in (given, through))
        return given ^ (encrypting & through)

    def _enter(self, m: Module, authenticating: Value) -> None:
        """Feed the authenticator, in the same cycle or one cycle later."""
        shifts = self.odd if self.architecture.radix == 1 else self.data_fire
        if not self.isolated:
            m.d.comb += [self.entering.eq(authenticating), self.shifts.eq(shifts)]
            self.accumulated = self.plain
            return
        kept = self.session.keeps_secrets
        self.accumulated = Signal.like(self.plain, name="plain_before", reset_less=kept)
        self.secrets += (self.accumulated, self.entering)
        m.d.sync += [
            self.accumulated.eq(self.plain),
            self.entering.eq(authenticating),
            self.shifts.eq(shifts),
        ]
        if self.line_ahead:
            # With sums made ahead this path is as long as the accumulator's: a reset spares a gate.
            with m.If(~self.data_fire):
                m.d.sync += self.accumulated.eq(0)
        self.session.clear_at_once(m, (self.accumulated, self.entering))

    def _move_register(self, m: Module, name: str, value: Value) -> None:
        if name != self.cipher.authenticator:
            super()._move_register(m, name, value)
            return
        register, tag = self.state[name], self.cipher.tag_bits
        shifted: Value = ~self.authenticating
        if self.facts.waits:
            shifted = (~self.running & self.enable) | self._tag_taken
        line = Cat(register[tag:], self.entering)
        every_cycle = self.adds_at_once and not self.facts.waits
        shifts: Value = Const(1, 1) if every_cycle else self.shifts
        accumulates = _either(shifted, self.authenticating, self._accumulates(shifts))
        sums = self.line_ahead.sums(m, line) if self.line_ahead else None
        taken_in = self._taken_in(m, line, sums)
        with m.If(named(m, "accumulates", accumulates)):
            m.d.sync += register[:tag].eq(
                self._accumulator_after(register[:tag], taken_in, value[:tag])
            )
        absorbs = _either(shifted, self.authenticating, shifts)
        with m.If(named(m, "absorbs", absorbs)):
            m.d.sync += register[tag:].eq(self._entered(line, value[tag:]))
        self.session.clear_at_once(m, (register,))
        if self.line_ahead and sums is not None:
            self.line_ahead.move(m, line, sums, self.shifts)
            self.session.clear_at_once(m, (self.line_ahead.register,))

    def _accumulates(self, shifts: Value) -> Value:
        """Whether the accumulator changes. A single bit to accumulate is itself the enable."""
        if len(self.plain) > 1:
            return shifts
        return self.accumulated & shifts if self.adds_at_once else self.accumulated

    def _accumulator_after(self, accumulator: Value, taken_in: Value, shifted: Value) -> Value:
        """The accumulator, with what is added in a message, or moved as in the setup. Output bits
        that are added in the cycle that makes them arrive last, so their sum comes last, which is
        zero outside a message."""
        if self.adds_at_once and len(self.plain) > 1:
            return Mux(self.authenticating, accumulator, shifted) ^ taken_in
        return Mux(self.authenticating, accumulator ^ taken_in, shifted)

    def _taken_in(self, m: Module, line: Value, sums: Value | None) -> Value:
        """What is added to the accumulator: for each message bit that is one, the line from there
        on. ``sums`` are those of its bits that were made before, if any were."""
        tag, width = self.cipher.tag_bits, len(self.plain)
        if width == 1:
            return line[:tag]
        taken_in = Signal(tag, name="taken_in")
        toeplitz = ToeplitzProduct(m, SMALLEST_IN_A_LOOP)
        # Output bits of this cycle are in the longest path: to split their sum was measured to cost
        # a tenth of the clock of Grain-128AEAD at radix 32, and to save 6 % of its area.
        if self.adds_at_once:
            added = toeplitz.unsplit(self.accumulated, line, tag)
        else:
            added = toeplitz.product(self.accumulated, line, tag, sums=sums)
        m.d.comb += taken_in.eq(added)
        return taken_in

    def _entered(self, line: Value, shifted: Value) -> Value:
        """The authenticator's shift register, moved as in a message or as in the setup."""
        tag, width = self.cipher.tag_bits, len(self.plain)
        moved = line[width : width + tag]
        if width == self.architecture.radix == self.facts.timeline.load_steps_per_cycle:
            return Cat(moved[:-1], Mux(self.authenticating, moved[-1], shifted[-1]))
        return Mux(self.authenticating, moved, shifted)


def _either(shifted: Value, authenticating: Value, moves: Value) -> Value:
    """Whether the authenticator moves; constant one where it moves in every cycle."""
    return Const(1, 1) if isinstance(moves, Const) else shifted | (authenticating & moves)
