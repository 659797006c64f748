# SPDX-License-Identifier: Apache-2.0
"""Two sources of the same keystream: the model, and the generated Verilog in simulation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hmac import compare_digest
from itertools import islice
from typing import Protocol

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, check_message, tag_bits_of
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog, generate
from headwater.errors import InputError
from headwater.flow import doing, verilator
from headwater.flow.words import simulated
from headwater.kinds.reading import Keystream, check_keystream, process
from headwater.kinds.registry import facts_of
from headwater.verify.segments import Segment, by_key, commands_of, loads_of, runs_of
from headwater.verify.transfer import text_transfer, transfer_of

PIECE_BITS = 1 << 17
"""Longest piece of a long keystream or text, in whole bytes."""


class Engine(Protocol):
    """Makes keystream segments, each packed into bytes in the cipher's bit order. For a cipher that
    takes messages it also makes output texts and tags."""

    name: str

    def run(self, segments: Sequence[Segment]) -> list[bytes]:
        """The bytes of every segment, in the order given."""

    def pieces(self, segment: Segment) -> Iterator[bytes]:
        """The bytes of a segment in pieces of whole bytes, so that a long one need not be in
        memory."""

    def process(self, messages: Sequence[Message]) -> list[Sealed]:
        """The output text and tag of every message, in the order given."""

    def accepts(self, messages: Sequence[Message], tags: Sequence[bytes]) -> list[bool]:
        """Whether each message is accepted with its tag."""


def accepted(engine: Engine, messages: Sequence[Message], tags: Sequence[bytes]) -> list[bool]:
    """Whether each message is accepted with its tag, by an engine that makes tags and leaves it to
    others to compare them."""
    return [
        compare_digest(sealed.tag, tag)
        for sealed, tag in zip(engine.process(messages), tags, strict=True)
    ]


class ModelEngine:
    """The description read with integers."""

    name = "model"

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher

    def run(self, segments: Sequence[Segment]) -> list[bytes]:
        """The bytes of every segment, in the order given."""
        outputs: dict[Segment, bytes] = {}
        for group in by_key(segments):
            model, position = None, 0
            for segment in group:
                if model is None or position > segment.offset:
                    model, position = self._begun(segment), 0
                model.skip(segment.offset - position)
                outputs[segment] = model.read(segment.bits)
                position = segment.offset + segment.bits
        return [outputs[segment] for segment in segments]

    def pieces(self, segment: Segment) -> Iterator[bytes]:
        """The bytes of a segment in pieces of whole bytes."""
        stream = self._begun(segment)
        stream.skip(segment.offset)
        for _, bits in doing.parts(segment.bits, PIECE_BITS):
            yield stream.read(bits)

    def _begun(self, segment: Segment) -> Keystream:
        """The keystream that a segment is of."""
        if segment.state is not None:
            return Keystream.from_state(self._cipher, segment.state)
        return Keystream(self._cipher, key=segment.key, iv=segment.iv, iv_bits=segment.iv_bits)

    def process(self, messages: Sequence[Message]) -> list[Sealed]:
        """The output text and tag of every message, in the order given."""
        cipher = self._cipher
        return [process(cipher, message) for message in messages]

    def accepts(self, messages: Sequence[Message], tags: Sequence[bytes]) -> list[bool]:
        """Whether each message is accepted with its tag."""
        return accepted(self, messages, tags)


NO_PORT = "a core has no port for its state"


class RtlEngine:
    """The generated Verilog, compiled by Verilator.

    Parameters
    ----------
    cipher, architecture
        What to generate.
    gaps_permille
        In how many of a thousand cycles valid and ready are withheld at random. Must be 0 for a
        free-running core, which cannot wait.
    seed
        Seed of those gaps.
    """

    name = "rtl"

    def __init__(
        self,
        cipher: Cipher,
        architecture: Architecture,
        *,
        gaps_permille: int = 0,
        seed: int = 1,
    ) -> None:
        self._cipher = cipher
        self._architecture = architecture
        self.begin: tuple[str, ...] = ()
        """Commands of the harness with which each simulation begins."""
        self._gaps = f"gaps {seed} {gaps_permille}"
        self._facts = facts_of(cipher, architecture)
        self._streams = self._facts.streams
        self.verilog: Verilog = generate(cipher, architecture)

    def run(self, segments: Sequence[Segment]) -> list[bytes]:
        """The bytes of every segment, in the order given.

        All keys are loaded in one simulation; each load aborts the keystream before it.
        """
        check_keystream(self._cipher)
        if any(segment.state is not None for segment in segments):
            raise InputError(
                f"state of {self._cipher.name} must be given to another engine than rtl: {NO_PORT}"
            )
        if "keystream" not in self._streams:
            return self._run_through_data(segments)
        radix = self._architecture.radix
        groups = list(by_key(segments))
        loads_of_group = [
            loads_of(runs_of(group, radix), radix, self._cipher.seek_bits) for group in groups
        ]
        commands, before = [*self.begin, *self._reset(), self._gaps], b""
        for number, (group, loads) in enumerate(zip(groups, loads_of_group, strict=True)):
            key, iv = group[0].key, group[0].iv
            for block, passed, runs in loads:
                again = key == before
                commands += [] if again else self._turn(number)
                commands += self._load(key, iv, group[0].iv_bits, block=block, again=again)
                commands += commands_of(runs, passed)
                before = key
        printed = iter(verilator.simulate(self.verilog, commands))
        outputs = {}
        for group, loads in zip(groups, loads_of_group, strict=True):
            words = {
                first + number: self._keystream_word(next(printed))
                for _, _, runs in loads
                for first, count in runs
                for number in range(count)
            }
            for segment in group:
                outputs[segment] = self._cut(segment, words)
        return [outputs[segment] for segment in segments]

    def pieces(self, segment: Segment) -> Iterator[bytes]:
        """The bytes of a segment in pieces of whole bytes; in one piece where a text goes
        through."""
        check_keystream(self._cipher)
        if "keystream" not in self._streams:
            yield from self.run([segment])
            return
        radix = self._architecture.radix
        runs = runs_of([segment], radix)
        ((block, passed, _),) = loads_of(runs, radix, self._cipher.seek_bits)
        commands = [
            *self.begin,
            *self._reset(),
            self._gaps,
            *self._load(segment.key, segment.iv, segment.iv_bits, block=block),
            *commands_of(runs, passed),
        ]
        with simulated(self.verilog, commands) as printed:
            yield from self._packed(printed, segment)

    def _packed(self, printed: Iterable[str], segment: Segment) -> Iterator[bytes]:
        """The bytes of a segment, of the words that contain it."""
        radix, order = self._architecture.radix, self._cipher.bit_order
        words = map(self._keystream_word, printed)
        held, length = 0, -(segment.offset % radix)
        for _, bits in doing.parts(segment.bits, PIECE_BITS):
            block = islice(words, -(-(bits - length) // radix))
            digits = [f"{word:0{radix}b}" for word in block]
            more = int("".join(reversed(digits)) or "0", 2)
            # Below zero: bits of the first word that are before the segment.
            held |= more << length if length >= 0 else more >> -length
            length += radix * len(digits)
            yield bitstring.to_bytes(held & (1 << bits) - 1, bits, order)
            held, length = held >> bits, length - bits

    def _keystream_word(self, printed: str) -> int:
        """A word of keystream, its first bit lowest."""
        return self._streams["keystream"].turned(self._facts.joined(int(printed, 16)))

    def process(self, messages: Sequence[Message]) -> list[Sealed]:
        """The output text and tag of every message, in the order given, from one simulation."""
        cipher = self._cipher
        transfers = []
        commands, before = [*self.begin, *self._reset(), self._gaps], b""
        for number, message in enumerate(messages):
            check_message(cipher, message)
            check_direction(cipher, self._architecture, message)
            transfer = transfer_of(cipher, self._architecture, message)
            transfers.append(transfer)
            words = self._facts.message_load(
                message.key, message.nonce, tag_bits_of(cipher, message)
            )
            load = self._new_iv(message.nonce) if message.key == before else None
            turn = [] if message.key == before else self._turn(number)
            commands += [*turn, load or _load_command(words), *transfer.commands()]
            before = message.key
        printed = iter(verilator.simulate(self.verilog, commands))
        return [transfer.result(printed) for transfer in transfers]

    def accepts(self, messages: Sequence[Message], tags: Sequence[bytes]) -> list[bool]:
        """Whether each message is accepted with its tag: whoever reads the core's tag compares."""
        return accepted(self, messages, tags)

    def _run_through_data(self, segments: Sequence[Segment]) -> list[bytes]:
        """Keystream of an AEAD cipher: the ciphertext of zeros without associated data."""
        order, results = self._cipher.bit_order, []
        for segment in segments:
            bits = segment.offset + segment.bits
            zeros = Message(segment.key, segment.iv, b"", bytes(-(-bits // 8)), bits)
            transfer = text_transfer(self._cipher, self._architecture, zeros)
            load = self._load(segment.key, segment.iv)
            printed = verilator.simulate(
                self.verilog, [*self.begin, *self._reset(), self._gaps, *load, *transfer.commands()]
            )
            text = bitstring.from_bytes(transfer.result(iter(printed)).text, order)
            results.append(bitstring.to_bytes(text >> segment.offset, segment.bits, order))
        return results

    def setup_cycles(self, key: bytes, iv: bytes, iv_bits: int | None = None) -> int:
        """Measured cycles from the first load word taken to the first keystream word offered."""
        first = "message 0 0:0:0" if "data_in" in self._streams else "skip 1"
        commands = [*self._reset(), *self._load(key, iv, iv_bits), first, "setup"]
        return int(verilator.simulate(self.verilog, commands)[-1])

    def _reset(self) -> list[str]:
        """The reset of every session."""
        return [*self._turn(0), "reset 2"]

    def _turn(self, number: int) -> list[str]:
        """Let one of the sessions that take turns, if they do, be the next to be loaded."""
        streams = self._architecture.streams
        return [f"turns {streams} {number % streams}"] if streams > 1 else []

    def _load(
        self,
        key: bytes,
        iv: bytes,
        iv_bits: int | None = None,
        *,
        block: int = 0,
        again: bool = False,
    ) -> list[str]:
        """The load of a key and an IV; ``again`` says that the load before had the same key."""
        words = self._facts.load_words(key, iv, iv_bits, block=block)
        return [(self._new_iv(iv) if again else None) or _load_command(words)]

    def _new_iv(self, iv: bytes) -> str | None:
        """The load of an IV for the key of the load before; None if the core has no such load."""
        words = self._facts.new_iv_words(iv)
        return f"new_iv {_hexadecimal(words)}" if words else None

    def _cut(self, segment: Segment, words: dict[int, int]) -> bytes:
        radix = self._architecture.radix
        first, last = segment.offset // radix, -(-(segment.offset + segment.bits) // radix)
        data = "".join(f"{words[number]:0{radix}b}" for number in reversed(range(first, last)))
        string = int(data or "0", 2) >> segment.offset - first * radix
        return bitstring.to_bytes(string, segment.bits, self._cipher.bit_order)


def check_direction(cipher: Cipher, architecture: Architecture, message: Message) -> None:
    """Refuse a message in a direction that a core does not have."""
    direction, needed = architecture["direction"], ("encrypt", "decrypt")[message.decrypts]
    if direction and direction not in ("both", needed):
        raise InputError(
            f"option direction of {cipher.name} must be both or {needed} to {needed}, "
            f"not {direction}"
        )


def _load_command(words: Sequence[int]) -> str:
    return f"load {_hexadecimal(words)}"


def _hexadecimal(words: Sequence[int]) -> str:
    return " ".join(f"{word:x}" for word in words)
