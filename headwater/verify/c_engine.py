# SPDX-License-Identifier: Apache-2.0
"""Keystream and messages from the generated C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, check_message, tag_bits_of
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model, c_radix
from headwater.errors import InputError
from headwater.flow import doing
from headwater.flow.c_library import FLAGS
from headwater.kinds.reading import check_keystream, state_of
from headwater.kinds.registry import facts_of
from headwater.verify.c_session import CLibrary, CSession
from headwater.verify.engine import PIECE_BITS, check_direction
from headwater.verify.segments import Segment

WITH_STATE = "whose registers are those of the description"
"""What C needs to be so that it can begin with a state."""


class CEngine:
    """The generated C, compiled by the system's compiler.

    Parameters
    ----------
    cipher, architecture
        What to generate.
    flags
        Those of the compiler.
    """

    name = "c"

    def __init__(
        self, cipher: Cipher, architecture: Architecture, flags: Sequence[str] = FLAGS
    ) -> None:
        self._cipher = cipher
        self._architecture = architecture
        self._streams = facts_of(cipher, architecture).streams
        self.library = CLibrary(c_model(cipher, architecture), flags)

    def run(self, segments: Sequence[Segment]) -> list[bytes]:
        """The bytes of every segment, in the order given."""
        check_keystream(self._cipher)
        return [b"".join(self.pieces(segment)) for segment in segments]

    def pieces(self, segment: Segment) -> Iterator[bytes]:
        """The bytes of a segment in pieces of whole bytes; in one where its offset cannot be passed
        over in the C."""
        session, passed = self._begun(segment)
        longest = segment.bits if passed else PIECE_BITS
        for _, bits in doing.parts(segment.bits, longest):
            data = session.keystream(-(-(passed + bits) // 8))
            string = bitstring.from_bytes(data, self._cipher.bit_order) >> passed
            yield bitstring.to_bytes(string, bits, self._cipher.bit_order)

    def _begun(self, segment: Segment) -> tuple[CSession, int]:
        """A session, and how many bits of its keystream are before the segment."""
        if segment.state is not None:
            return self._from_state(segment.state, segment.offset), 0
        cipher, offset, block = self._cipher, segment.offset, 0
        cipher.input_bits(segment.key, segment.iv, segment.iv_bits)
        if cipher.seek_bits:
            block, offset = divmod(offset, cipher.seek_bits)
            block %= 1 << cipher.counter_bits
        session = self.library.begin(
            key=segment.key,
            key_bytes=len(segment.key),
            iv=segment.iv,
            block=block,
            iv_bits=8 * len(segment.iv) if segment.iv_bits is None else segment.iv_bits,
            tag_bits=cipher.tag_lengths[-1] if cipher.tag_lengths else 0,
        )
        assert session is not None, "what the cipher takes, its model takes"
        if "keystream" in self._streams:
            session.skip(offset)
            offset = 0
        return session, offset

    def _from_state(self, state: bytes, offset: int) -> CSession:
        """A session that begins with a state, at a bit of its keystream."""
        cipher = self._cipher
        state_of(cipher).check(state)
        if not self.takes_state:
            raise InputError(
                f"state of {cipher.name} must be given to C {WITH_STATE}, as at "
                f"radix {c_radix(cipher, of_state=True)}, not at "
                f"{self._architecture}"
            )
        session = self.library.from_state(state)
        session.skip(offset)
        return session

    @property
    def takes_state(self) -> bool:
        """Whether a session can begin with a state."""
        return facts_of(self._cipher, self._architecture).whole_state is not None

    def process(self, messages: Sequence[Message]) -> list[Sealed]:
        """The output text and tag of every message, in the order given."""
        return [self._sealed(message) for message in messages]

    def accepts(self, messages: Sequence[Message], tags: Sequence[bytes]) -> list[bool]:
        """Whether each message is accepted with its tag, by the C's own comparison."""
        return [
            self._finished(message)[1].check_tag(tag)
            for message, tag in zip(messages, tags, strict=True)
        ]

    def _sealed(self, message: Message) -> Sealed:
        text, session = self._finished(message)
        bits = tag_bits_of(self._cipher, message)
        return Sealed(text, session.tag(bits) if bits else b"")

    def _finished(self, message: Message) -> tuple[bytes, CSession]:
        """The other text of a message, and its session before its tag is asked for."""
        cipher, pieces = self._cipher, []
        check_message(cipher, message)
        check_direction(cipher, self._architecture, message)
        tag_bits = tag_bits_of(cipher, message)
        session = self.library.begin(
            key=message.key,
            key_bytes=len(message.key),
            iv=message.nonce,
            iv_bits=8 * len(message.nonce),
            tag_bits=tag_bits,
            decrypts=message.decrypts,
        )
        assert session is not None, "what the cipher takes, its model takes"
        if message.associated_data:
            bits = message.associated_bits
            session.associated_data(message.associated_data, bits // cipher.data_unit)
        way = "decrypt" if message.decrypts else "encrypt"
        for first, bits in doing.parts(message.bits, PIECE_BITS):
            piece = message.text[first // 8 : -(-(first + bits) // 8)]
            if "data_out" in self._streams:
                pieces.append(session.text(way, piece, bits))
            else:
                session.authenticate(piece, bits)
        return b"".join(pieces), session
