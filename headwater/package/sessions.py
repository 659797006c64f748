# SPDX-License-Identifier: Apache-2.0
"""What a testbench sends to a core on AXI4-Stream, and what must come back: beats of packets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.interface.public_secret import public_secret
from headwater.kinds.reading import Keystream, process
from headwater.package.message import message_of

_BYTE = 8
_KEYSTREAM_BEATS = 9
_TEXT_BYTES = 21
"""Lengths of associated data and of a text: no whole beats."""
_SPARE = 3


@dataclass(frozen=True)
class Beat:
    """One beat, and the session that it belongs to."""

    session: int
    data: int
    keep: int
    last: int
    user: int

    def value(self, widths: Mapping[str, int]) -> int:
        """The members that the stream has, in the order of ``widths``, the lowest first."""
        value, place = 0, 0
        for name, width in widths.items():
            value |= getattr(self, name) << place
            place += width
        return value


@dataclass(frozen=True)
class StreamSession:
    """A load, and the message or keystream behind it."""

    key: bytes
    text_bytes: int = _TEXT_BYTES
    decrypts: bool = False


def packet_of(cipher: Cipher, session: StreamSession) -> bytes:
    """The bytes of a load: the key, an IV of full length, and the number of the first block, 0."""
    _, iv = public_secret(cipher)
    return session.key + iv + bytes(cipher.counter_bits // _BYTE if cipher.seek_bits else 0)


def sessions_of(cipher: Cipher, architecture: Architecture, *, chosen: bool) -> list[StreamSession]:
    """Two keys, a text of whole beats, an empty one, and the opposite direction where there is
    one (``chosen`` says that each message chooses); the last session comes after `clear`."""
    key, _ = public_secret(cipher)
    other = bytes(byte ^ 0x5A for byte in key)
    opposite = [StreamSession(key, decrypts=True)] if chosen else []
    sessions = [
        StreamSession(key),
        StreamSession(other, 16),
        *opposite,
        StreamSession(other, 0),
        StreamSession(key),
    ]
    if "encrypt" in architecture.directions:
        return sessions
    return [replace(session, decrypts=True) for session in sessions]


@dataclass(frozen=True)
class Beats:
    """The beats of a core on AXI4-Stream.

    Members
    -------
    cipher : Cipher
    lanes : int
        Bytes of a beat.
    spare, ad : bool
        Whether ``tuser`` of the text says how many bits do not count, and what is associated data.
    """

    cipher: Cipher
    lanes: int
    spare: bool
    ad: bool

    def by_stream(
        self, sessions: Sequence[StreamSession], *, keystream: bool
    ) -> dict[str, list[Beat]]:
        """The beats of all sessions, by the name of their stream."""
        beats: dict[str, list[Beat]] = {}
        for number, session in enumerate(sessions):
            behind = (
                {"keystream": self.of_keystream(number, session)}
                if keystream
                else self.of_message(number, session)
            )
            for name, some in {"load": self.of_load(number, session), **behind}.items():
                beats.setdefault(name, []).extend(some)
        return beats

    def of_load(self, number: int, session: StreamSession) -> list[Beat]:
        """The packet of key and IV; ``tuser`` says that a text is decrypted."""
        packet = packet_of(self.cipher, session)
        return list(self._packet(number, packet, user=int(session.decrypts)))

    def of_keystream(self, number: int, session: StreamSession) -> list[Beat]:
        """The first beats of a keystream, of which the very first is marked."""
        _, iv = public_secret(self.cipher)
        keystream = Keystream(self.cipher, key=session.key, iv=iv, iv_bits=self.cipher.iv_bits[-1])
        data = keystream.read(_BYTE * self.lanes * _KEYSTREAM_BEATS)
        words = (data[place : place + self.lanes] for place in range(0, len(data), self.lanes))
        return [
            Beat(number, int.from_bytes(word, "little"), 0, 0, int(place == 0))
            for place, word in enumerate(words)
        ]

    def of_message(self, number: int, session: StreamSession) -> dict[str, list[Beat]]:
        """The packets of a message, by the name of their stream."""
        message = self._message(session)
        result = process(self.cipher, message)
        text, other = (
            (result.text, message.text) if session.decrypts else (message.text, result.text)
        )
        prefix = self.cipher.prefix(message.associated_data)
        before = list(self._packet(number, prefix, user=int(self.ad), last=0)) if prefix else []
        spare = -message.bits % _BYTE
        return {
            "data_in": [*before, *self._packet(number, text, spare << self.ad)],
            "data_out": list(self._packet(number, other, spare)),
            "tag": list(self._packet(number, result.tag)),
        }

    def _message(self, session: StreamSession) -> Message:
        length = session.text_bytes
        return message_of(self.cipher, session.key, length, _SPARE if self.spare and length else 0)

    def _packet(self, number: int, data: bytes, user: int = 0, last: int = 1) -> Iterator[Beat]:
        """The beats of a packet; an empty one has a beat without a byte. What `Beat.user` says of
        the last byte stands in every beat."""
        for place in range(0, max(1, len(data)), self.lanes):
            part = data[place : place + self.lanes]
            ends = int(place + self.lanes >= len(data)) & last
            yield Beat(number, int.from_bytes(part, "little"), (1 << len(part)) - 1, ends, user)
