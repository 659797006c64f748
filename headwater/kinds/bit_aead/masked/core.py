# SPDX-License-Identifier: Apache-2.0
"""The core of a bit-wise AEAD cipher in two shares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from itertools import accumulate
from operator import and_
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.counter import first_reached, reached
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.bit_aead.masked.authenticator import PRODUCT_MASKS, Authenticator
from headwater.kinds.bit_aead.masked.facts import MaskedAeadFacts
from headwater.kinds.stepped.masked.core import MaskedCore as SteppedMaskedCore


class MaskedCore(SteppedMaskedCore):
    """A cipher whose even output bits encrypt and whose odd ones authenticate, in two shares.

    The message enters as it is: it is public. Output text and tag leave in shares, and whoever
    takes them adds these. A decrypted word is in shares inside, too. All registers in shares move
    together or not at all; while the tag is sent they move as in a phase of the setup without
    controls.
    """

    facts: MaskedAeadFacts
    cipher: BitAead
    comments: ClassVar[Mapping[str, str]] = {
        "count": "load words, moves of the setup, words of the tag; a shift-register sequence",
        "authenticating": "a message is taken in",
        "data_fire": "a data word is taken, or the one behind the message is",
        "odd": "this output bit enters the authenticator, and encrypts nothing",
        "padding": "the one bit that follows the message is due",
        "closing": "moves that are left of the message's end, as a one that is shifted",
        "sending": "the tag is shifted out",
        "last_tag_word": "the tag word that is sent is the last",
        "given": "public bits that enter the accumulator",
        "through": "bits that enter the accumulator decrypted",
        "shown": "bits of the other text that are offered",
    }

    def __init__(self, facts: MaskedAeadFacts) -> None:
        super().__init__(facts)
        cipher, width = self.cipher, facts.data_bits
        first = cipher.phases[0].controls
        self.phases = {
            name: Signal(name=f"phase_{name}", init=int(name in first)) for name in cipher.controls
        }
        self.authenticating = Signal()
        self.data_fire = Signal()
        self.padding = Signal()
        self.sending = Signal()
        self.closing = Signal(facts.closing_moves)
        self.odd = Signal(name="odd") if self._alternates else Const(0, 1)
        self.given, self.through, self.shown = (
            Signal(width, name=name) for name in ("given", "through", "shown")
        )
        self.last_tag_word = Signal()
        self.authenticator = Authenticator(
            cipher.tag_bits,
            width,
            alternates=self._alternates,
            in_shares=facts.decrypts,
            kept=self.session.keeps_secrets,
        )
        self.secrets += self.authenticator.registers
        flags = (self.padding, self.closing, self.authenticating, *self.authenticator.control)
        odd = (self.odd,) if isinstance(self.odd, Signal) else ()
        self.control_registers += (*self.phases.values(), *flags, *odd)
        self.finished = self._tag_taken & self.last_tag_word

    @property
    def _alternates(self) -> bool:
        return self.architecture.radix < self.cipher.steps_per_bit

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        phases = {
            flag.name: f"the setup is in a phase with the control {name}"
            for name, flag in self.phases.items()
        }
        return super().notes | phases | dict(Authenticator.comments)

    @property
    def driving(self) -> Mapping[str, str]:
        """What leads from the control to the shares."""
        message = self.authenticator
        words = (self.given, self.through, message.enters) if self.facts.decrypts else ()
        own = (
            *message.control,
            self.authenticating,
            self.sending,
            self.shown,
            *self.phases.values(),
        )
        odd = (self.odd,) if isinstance(self.odd, Signal) else ()
        return dict(super().driving) | {one.name: one.name for one in (*own, *words, *odd)}

    # --- control

    @property
    def _taken(self) -> Value:
        return self.data_fire | self.odd | self.closing.any() | (self.sending & self.tag.ready)

    @property
    def _counts_moves(self) -> Value:
        return ~self.running | self.sending

    @property
    def _tag_taken(self) -> Value:
        return self.sending & self.tag.ready & self.made

    def _in_setup(self, controls: Collection[str]) -> Value:
        return reduce(and_, (self.phases[name] for name in sorted(controls)))

    def _control(self, m: Module) -> None:
        super()._control(m)
        m.d.comb += self.last_tag_word.eq(first_reached(self.count, self.facts.counted - 1))
        for number, flag, value in self._turns():
            end = reached(self.count, number, f"END_OF_MOVE_{number}")
            with m.If(end & self.move & ~self.loading & ~self.running):
                m.d.sync += flag.eq(value)
        m.d.sync += self.padding.eq(
            self._whole_last & self.data_fire | self.padding & ~self.data_fire
        )
        with m.If(self.move):
            ends = self.data_fire & (self.padding | ~self.data_in.keep.all())
            m.d.sync += self.closing.eq(Cat(ends, self.closing[:-1]))
            begins = self.last_blank & ~self.loading & ~self.running
            m.d.sync += self.authenticating.eq((self.authenticating | begins) & ~self.closing[-1])
            if isinstance(self.odd, Signal):
                m.d.sync += self.odd.eq(self.data_fire)

    def _turns(self) -> Iterator[tuple[int, Signal, int]]:
        """The count in the last move before a control changes, its register, and its next value."""
        phases, loads = self.cipher.phases, self.facts.load_cycles
        ends = accumulate(one.steps // self.architecture.radix for one in phases)
        following = (*(one.controls for one in phases[1:]), ())
        for phase, end, after in zip(phases, ends, following, strict=True):
            for name in sorted({*phase.controls} ^ {*after}):
                yield loads + end - 1, self.phases[name], int(name in after)

    @property
    def _whole_last(self) -> Value:
        return ~self.padding & self.data_in.last & self.data_in.keep.all()

    # --- the message

    def _offer(self, m: Module, outputs: list[Signal]) -> None:
        """Encrypt a data word, and tell what of it is authenticated; or send the tag."""
        data, out, width = self.data_in, self.data_out, self.facts.data_bits
        encrypting = [word[0::2] for word in outputs]
        ready = self.authenticating & ~self.padding & ~self.closing.any() & ~self.odd & self.made
        passes = out.ready | ~out.keep.any()
        m.d.comb += [
            self.sending.eq(self.running & ~self.authenticating),
            data.ready.eq(ready & passes),
            out.keep.eq(data.keep & ~self._ad),
            out.last.eq(data.last),
            out.valid.eq(ready & out.keep.any() & data.valid),
            self.data_fire.eq(
                (data.ready & data.valid)
                | (self.padding & self.authenticating & ~self.odd & self.made)
            ),
            self.shown.eq(out.keep & out.valid.replicate(width)),
            out.payload.eq(
                Cat((data.payload ^ encrypting[0]) & self.shown, encrypting[1] & self.shown)
            ),
        ]
        self._send(m)
        self._authenticate(m, encrypting)

    def _send(self, m: Module) -> None:
        name, size = self.cipher.authenticator, len(self.tag.payload) // 2
        words = [register[:size] & self.sending.replicate(size) for register in self.state[name]]
        m.d.comb += [self.tag.valid.eq(self.sending & self.made), self.tag.payload.eq(Cat(*words))]

    @property
    def _ad(self) -> Value:
        """The bits of the data word that are associated data."""
        if not self.cipher.takes_associated_data:
            return Const(0, self.facts.data_bits)
        marks = self.data_in.ad
        return Cat(mark.replicate(self.facts.data_bits // len(marks)) for mark in marks)

    def _authenticate(self, m: Module, encrypting: list[Value]) -> None:
        """Take the bits to authenticate, with the one that follows the last."""
        data, own, width = self.data_in, self.authenticator, self.facts.data_bits
        one = ~data.keep & Cat(1, data.keep[:-1])
        fire = self.data_fire.replicate(width)
        m.d.comb += self.given.eq(Mux(self.padding, 1, (data.payload & data.keep) | one) & fire)
        products = None
        if self.facts.decrypts:
            text = data.keep & ~self._ad & fire
            text &= (self.decrypts & ~self.padding).replicate(width)
            m.d.comb += self.through.eq(text)
            begin = self.facts.product_masks
            masks = self.fresh[begin : begin + width]
            end = begin + width + PRODUCT_MASKS
            products = self._turning(self.fresh[begin + width : end])
            first, second = (masks ^ (word & self.through) for word in encrypting)
            with m.If(self.move):
                m.d.sync += [own.message[0].eq(first ^ self.given), own.message[1].eq(second)]
                m.d.sync += own.follows.eq(self.data_fire)
        else:
            with m.If(self.move):
                m.d.sync += own.message[0].eq(self.given)
        shifts = self.authenticating & (self.odd if self._alternates else 1)
        past = self.facts.past_bits
        zeros = self.fresh[len(self.fresh) - past :] if past else Const(0, 0)
        state = self.state[self.cipher.authenticator]
        own.add(m, state, self.move, self.authenticating, shifts, products, zeros)

    def _turning(self, masks: Value) -> Value:
        """A mask for each stage of the accumulator: another one for that a move further."""
        radix = self.architecture.radix
        turns = self.cipher.tag_bits // radix
        return Cat(masks[turn % len(masks)].replicate(radix) for turn in range(turns))

    def _moved(self, name: str, share: int, output: Value, shifted: Value) -> Value:
        if name != self.cipher.authenticator:
            return shifted
        register = self.state[name][share]
        taken_in = self.authenticator.moved(register, share, output, self.odd)
        return Mux(self.authenticating, taken_in, shifted)
