# SPDX-License-Identifier: Apache-2.0
"""What a testbench sends to a core on AXI4-Stream, and what must come back, in packets of a plain
DMA engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.interface.packets import GOOD, OTHER_TAG, STATUS_BYTES, Packets
from headwater.interface.public_secret import public_secret
from headwater.kinds.reading import Keystream, process
from headwater.package.sessions import Beat, Beats, StreamSession

_BYTE = 8


@dataclass(frozen=True)
class PacketBeats(Beats):
    """The beats of a core that takes packets of a plain DMA engine.

    Members
    -------
    packets : Packets
    """

    packets: Packets

    def by_stream(
        self, sessions: Sequence[StreamSession], *, keystream: bool
    ) -> dict[str, list[Beat]]:
        """The beats of all sessions, by the name of their stream."""
        beats: dict[str, list[Beat]] = {"load": [], "data_in": [], "data_out": []}
        for number, session in enumerate(sessions):
            beats["load"] += self._packet(number, session.key)
            pairs = self._sums(session) if keystream else self._messages(session)
            for sent, back in pairs:
                beats["data_in"] += self._packet(number, sent)
                beats["data_out"] += self._packet(number, back)
        return beats

    def _sums(self, session: StreamSession) -> Iterator[tuple[bytes, bytes]]:
        """A text, and its sum with the keystream."""
        cipher = self.cipher
        _, iv = public_secret(cipher)
        text = bytes(range(session.text_bytes))
        keystream = Keystream(cipher, key=session.key, iv=iv, iv_bits=cipher.iv_bits[-1])
        stream = keystream.read(_BYTE * len(text))
        back = bytes(one ^ other for one, other in zip(text, stream, strict=True))
        yield self.packets.front_of(iv) + text, back

    def _messages(self, session: StreamSession) -> Iterator[tuple[bytes, bytes]]:
        """A message; where a tag is received, a wrong one comes before."""
        message = self._message(session)
        result, data = process(self.cipher, message), message.associated_data
        front = self.packets.front_of(
            message.nonce,
            len(data),
            len(message.text),
            -message.bits % _BYTE,
            received=session.decrypts,
        )
        text, other = (
            (message.text, result.text) if self.packets.gives_text else (message.text, b"")
        )
        if not session.decrypts:
            yield front + data + text, other + result.tag + _status(GOOD)
            return
        sent, back = (result.text, text) if self.packets.gives_text else (text, b"")
        if result.tag:
            forged = bytes([result.tag[0] ^ 1]) + result.tag[1:]
            yield front + data + sent + forged, back + _status(OTHER_TAG)
        yield front + data + sent + result.tag, back + _status(GOOD)


def _status(value: int) -> bytes:
    return value.to_bytes(STATUS_BYTES, "little")
