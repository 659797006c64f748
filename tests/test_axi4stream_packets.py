# SPDX-License-Identifier: Apache-2.0
"""Cores on AXI4-Stream that take what a plain DMA engine sends, simulated with the streams of
cocotbext-axi.

The bytes of headers are put together here, as docs/axi4stream.md says.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from test_buses import checks_failed

from headwater.algebra import bitstring
from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.interface.axi4stream import axi4_stream
from headwater.interface.public_secret import public_secret
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of

GOOD, OTHER_TAG, TOO_SHORT, TOO_LONG, NOT_LEGAL = 1, 2, 4, 8, 16
RECEIVED = 1
Packet = dict[str, Any]


class Plain:
    """A core on AXI4-Stream, with packets that have `tlast` and `tkeep` alone."""

    def __init__(
        self,
        name: str,
        radix: int | None,
        width: int | None,
        key_by: str = "stream",
        **options: str,
    ) -> None:
        self.cipher = find(name)
        self.architecture = Architecture.choose(self.cipher, radix=radix, options=options)
        core = generate(self.cipher, self.architecture)
        made = axi4_stream(core.name, self.cipher, self.architecture, width, key_by, "plain")
        self.core, self.top, self.ports = core.name, made.top, made.ports
        self.sources = {f"{core.name}.v": core.text, **made.files}
        self.streams = facts_of(self.cipher, self.architecture).streams
        self.given = {
            "data_width": made.data_width,
            "registers": {one.name: one.address for one in made.registers},
            "status_bytes": 4 * ("data_in" in self.streams),
            "cycles": 600,
            "message": True,
            "spare": False,
            "ad": False,
        }

    @property
    def lanes(self) -> int:
        """Bytes of a beat."""
        return int(self.given["data_width"]) // 8

    def failed(self, sessions: Sequence[Any], folder: Path, timeout: int = 600) -> tuple[int, str]:
        """How many checks fail, within so many microseconds, and what the simulator printed."""
        given = self.given | {"sessions": list(sessions), "timeout": timeout}
        return checks_failed("packet_checks", self.top, self.sources, given, folder)


def filled(data: bytes) -> bytes:
    """Bytes up to a multiple of 16, which hold anything."""
    return data + b"\xa5" * (-len(data) % 16)


def secret(cipher: Cipher, number: int) -> tuple[bytes, bytes]:
    """A key, and an IV that differs by ``number``, in a bit that any IV may have."""
    key, iv = public_secret(cipher)
    iv = iv[:1] + bytes(byte ^ 16 * number & 0xFF for byte in iv[1:2]) + iv[2:]
    return key, iv


def text_of(length: int) -> bytes:
    """A text."""
    return bytes((11 * place + 3) % 256 for place in range(length))


def summed(cipher: Cipher, key: bytes, iv: bytes, length: int, block: int = 0) -> Packet:
    """A packet for a cipher with a keystream, and what comes back. The keystream begins with a
    block."""
    text, seek = text_of(length), cipher.counter_bits // 8
    skipped = 64 * block
    keystream = Keystream(cipher, key=key, iv=iv).read(8 * (skipped + length))[skipped:]
    front = filled(iv + block.to_bytes(seek, "little"))
    back = bytes(one ^ other for one, other in zip(text, keystream, strict=True))
    return {"sent": (front + text).hex(), "back": back.hex()}


def header(ad: int, text: int, flags: int = 0, spare: int = 0) -> bytes:
    """The header of a packet, by the lengths of its parts."""
    return struct.pack("<IIBB6x", ad, text, flags, spare)


class Messages:
    """Packets of a cipher with messages under one key."""

    def __init__(self, cipher: Cipher, streams: Any, key: bytes, iv: bytes) -> None:
        self.cipher, self.key, self.iv = cipher, key, iv
        self.gives_text, self.tagged = "data_out" in streams, "tag" in streams

    def parts(self, ad: int, bits: int) -> tuple[bytes, bytes, bytes, bytes]:
        """Associated data, text, other text and tag."""
        data = bytes((7 * place + 1) % 256 for place in range(ad))
        data *= self.cipher.takes_associated_data
        string = bitstring.from_bytes(text_of(-(-bits // 8)), self.cipher.bit_order)
        text = bitstring.to_bytes(string, bits, self.cipher.bit_order)
        made = process(self.cipher, Message(self.key, self.iv, data, text, bits))
        return data, text, made.text, made.tag

    def sent(self, ad: int, bits: int) -> Packet:
        """A message to encrypt or to authenticate."""
        data, text, other, tag = self.parts(ad, bits)
        front = header(len(data), len(text), spare=-bits % 8) + filled(self.iv)
        back = other * self.gives_text + tag + struct.pack("<I", GOOD)
        return {"sent": (front + data + text).hex(), "back": back.hex()}

    def received(self, ad: int, bits: int, *, wrong: int | None = None) -> Packet:
        """A message to decrypt or to check; ``wrong`` is the bit of the tag that is."""
        data, text, other, tag = self.parts(ad, bits)
        if not self.gives_text:
            other = text
        flipped = 0 if wrong is None else 1 << wrong
        given = (int.from_bytes(tag, "little") ^ flipped).to_bytes(len(tag), "little")
        front = header(len(data), len(text), RECEIVED, -bits % 8) + filled(self.iv)
        verdict = GOOD if wrong is None else OTHER_TAG
        back = text * self.gives_text + struct.pack("<I", verdict)
        return {"sent": (front + data + other + given).hex(), "back": back.hex()}

    def wrong(self, lanes: int) -> list[Packet]:
        """Packets that are not as their headers say."""
        ad = 5 * self.cipher.takes_associated_data
        data, text, other, _ = self.parts(ad, 8 * 21)
        back = (other * self.gives_text).hex()
        front, body = filled(self.iv), data + text

        def packet(header: bytes, status: int, sent: bytes = front + body, **more: Any) -> Packet:
            return {"sent": (header + sent).hex(), "status": status, "back": back, **more}

        right, beat = header(len(data), len(text)), (16 + len(front)) // lanes
        cases = [
            packet(header(len(data), len(text) + 1), TOO_SHORT),
            packet(header(len(data), 1 << 31), TOO_SHORT),
            packet(header(len(data), len(text) - 1), TOO_LONG),
            packet(header(len(data), 0), TOO_LONG),
            packet(right, TOO_LONG, front + body + bytes(300)),
            packet(header(len(data) + len(text), 0) if ad else right, TOO_SHORT, front + data),
            packet(right, TOO_SHORT, front),
            packet(right, TOO_SHORT, front[:8]),
            packet(right[:8], TOO_SHORT, b""),
            packet(b"", TOO_SHORT, b""),
            packet(header(len(data), len(text), 2), NOT_LEGAL),
            packet(header(len(data), 0, 0, 1), NOT_LEGAL, front + data),
        ]
        if lanes > 1:  # In the header, in what fills up the IV, in the body.
            cases += [packet(right, NOT_LEGAL, missing=[place]) for place in (0, beat - 1, beat)]
        if not ad:
            cases.append(packet(header(1, len(text)), NOT_LEGAL, front + body))
        return cases


SUMS = [
    ("trivium", 1, 8, "stream"),
    ("trivium", 8, 32, "axi4lite"),
    ("trivium", 64, 128, "stream"),
    ("trivium", 12, 16, "stream"),
    ("zuc", 32, 32, "stream"),
    ("zuc", 32, 8, "axi4lite"),
    ("chacha20", 32, 64, "stream"),
    ("chacha20", 512, 128, "axi4lite"),
    ("snow3g", 32, 32, "stream"),
    ("snow3g", 32, 64, "stream"),
    ("mickey2", 1, 8, "stream"),
    ("vest4", 4, 32, "stream"),
    ("achterbahn", 4, 8, "axi4lite"),
    ("aes_ofb", 8, 64, "stream"),
]


@pytest.mark.parametrize(("name", "radix", "width", "key_by"), SUMS)
def test_text_and_keystream(name: str, radix: int, width: int, key_by: str, tmp_path: Path) -> None:
    """Texts of many lengths, an empty one, packets that end in their front, and two keys."""
    made = Plain(name, radix, width, key_by)
    failed, printed = made.failed(sum_sessions(made), tmp_path)
    assert not failed, printed


def sum_sessions(made: Plain) -> list[Any]:
    """Two keys, with packets of all kinds."""
    sessions = []
    for number in range(2):
        key, iv = secret(made.cipher, 0)
        key = bytes(byte + 3 * number & 0xFF for byte in key)
        if made.cipher.counter_bits and number:
            packets = [summed(made.cipher, key, iv, 70, block=2)]
        else:
            packets = [
                summed(made.cipher, key, secret(made.cipher, place)[1], length)
                for place, length in enumerate((21, 0, 1, 64, 33))
            ]
        cut = {"sent": iv[:3].hex(), "back": ""}
        beats = -(-len(packets[0]["sent"]) // 2 // made.lanes)
        empty = {**packets[0], "empty": [beats, beats - 1, beats - 1, 0]}
        sessions.append({"key": key.hex(), "packets": [*packets, cut, {**cut, "sent": ""}, empty]})
    return sessions


MESSAGES = [
    ("grain128aead", 1, 8, "stream"),
    ("grain128aead", 8, 32, "axi4lite"),
    ("grain128aead", 64, 64, "stream"),
    ("grain128aead", 32, 128, "stream"),
    ("grain128aeadv2", 2, 32, "stream"),
    ("phelix", 32, 32, "stream"),
    ("phelix", 64, 8, "axi4lite"),
    ("phelix", 32, 128, "stream"),
    ("ascon_aead128", 32, 32, "stream"),
    ("ascon_aead128", 128, 64, "axi4lite"),
    ("ascon_aead128", 64, 128, "stream"),
    ("sfinks-ae", 2, 8, "stream"),
    ("grain128a-ae", 4, 16, "stream"),
    ("vest4-ae", 4, 32, "stream"),
    ("eea3", 32, 32, "stream"),
    ("eia3", 32, 64, "stream"),
    ("uia2", 32, 8, "axi4lite"),
    ("mosquito", 3, 32, "stream"),
    ("nca4", 128, 128, "stream"),
    ("nia4", 128, 32, "stream"),
]


@pytest.mark.parametrize(("name", "radix", "width", "key_by"), MESSAGES)
def test_messages(name: str, radix: int, width: int, key_by: str, tmp_path: Path) -> None:
    """Odd lengths, empty parts, both directions, right and wrong tags, wrong lengths."""
    made = Plain(name, radix, width, key_by)
    failed, printed = made.failed(message_sessions(made), tmp_path)
    assert not failed, printed


def message_sessions(made: Plain) -> list[Any]:
    """Two keys, with messages of all kinds; between those that are wrong stand good ones."""
    cipher = made.cipher
    key, iv = public_secret(cipher)
    cut = 3 * (cipher.text_unit == 1)
    lengths = [(5, 8 * 21 - cut), (0, 8 * 16), (3, 0), (0, 0), (130, 8 * 7 - cut), (16, 8 * 3)]
    messages = Messages(cipher, made.streams, key, iv)
    packets = [messages.sent(*each) for each in lengths]
    packets += [messages.received(*each) for each in lengths[:4]]
    packets.append({**packets[0], "empty": [5, 2, 0]})
    if messages.tagged:
        packets += [
            messages.received(*each, wrong=bit)
            for each, bit in zip(lengths, (0, 9, 31, 7), strict=False)
        ]
    other = Messages(cipher, made.streams, bytes(byte ^ 0x5A for byte in key), iv)
    mixed = [other.sent(5, 8 * 21)]
    for one in other.wrong(made.lanes):
        mixed += [one, other.sent(4, 8 * 6)]
    return [
        {"key": messages.key.hex(), "packets": packets},
        {"key": other.key.hex(), "packets": mixed},
    ]
