# SPDX-License-Identifier: Apache-2.0
"""Cores on AXI4-Stream, simulated with the streams of cocotbext-axi."""

from __future__ import annotations

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
from headwater.interface.registers import MAP_VERSION
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of

Sources = dict[str, str]


class Wrapped:
    """A core on AXI4-Stream, and what the checks are to be told."""

    def __init__(
        self, name: str, radix: int | None, width: int | None, key_by: str, **options: str
    ) -> None:
        self.cipher = find(name)
        self.architecture = Architecture.choose(self.cipher, radix=radix, options=options)
        core = generate(self.cipher, self.architecture)
        made = axi4_stream(core.name, self.cipher, self.architecture, width, key_by)
        self.core, self.top = core.name, made.top
        self.sources = {f"{core.name}.v": core.text, **made.files}
        self.given = {
            "data_width": made.data_width,
            "registers": {one.name: one.address for one in made.registers},
            "values": {"VERSION": MAP_VERSION, "IDENTITY": int(self.cipher.digest[:8], 16)},
            "message": "data_in" in facts_of(self.cipher, self.architecture).streams,
            "spare": self.cipher.text_unit == 1,
            "ad": self.cipher.takes_associated_data,
            "queued": self.cipher.service != "self-synchronising",
        }

    def failed(self, sessions: Sequence[Any], folder: Path, timeout: int = 400) -> tuple[int, str]:
        """How many checks fail, within so many microseconds, and what the simulator printed."""
        given = self.given | {"sessions": list(sessions), "timeout": timeout}
        return checks_failed("stream_checks", self.top, self.sources, given, folder)


def keystreams(cipher: Cipher) -> list[dict[str, Any]]:
    """Two sessions of a cipher with a keystream."""
    key, iv = public_secret(cipher)
    sessions = []
    for secret in (key, key[::-1]):
        block = bytes(cipher.counter_bits // 8)
        made = Keystream(cipher, key=secret, iv=iv).read(8 * 70)
        sessions.append({"load": (secret + iv + block).hex(), "expected": made.hex()})
    return sessions


def message(cipher: Cipher, ad: int, bits: int, *, decrypts: bool = False) -> dict[str, Any]:
    """A session with a message of these lengths, associated data in bytes."""
    key, iv = public_secret(cipher)
    key = bytes((byte + ad + bits) % 256 for byte in key)
    data, length = bytes((7 * place + 1) % 256 for place in range(ad)), -(-bits // 8)
    string = bitstring.from_bytes(
        bytes((11 * place + 3) % 256 for place in range(length)), cipher.bit_order
    )
    text = bitstring.to_bytes(string, bits, cipher.bit_order)
    made = process(cipher, Message(key, iv, data, text, bits, decrypts))
    return {
        "load": (key + iv).hex(),
        "decrypts": decrypts,
        "ad": cipher.prefix(data).hex(),
        "text": text.hex(),
        "spare": -bits % 8,
        "data_out": made.text.hex(),
        "tag": made.tag.hex(),
    }


@pytest.mark.parametrize(
    ("name", "radix", "width", "key_by"),
    [
        ("trivium", 64, None, "stream"),
        ("trivium", 64, 8, "axi4lite"),
        ("trivium", 1, 32, "stream"),
        ("trivium", 12, 16, "stream"),
        ("grain128a", 8, 8, "stream"),
        ("zuc", 32, 64, "axi4lite"),
        ("snow3g", 32, None, "stream"),
        ("aes_ofb", 8, 32, "stream"),
        ("chacha20", 512, 128, "stream"),
        ("mickey2", 1, None, "stream"),
        ("achterbahn", 4, None, "stream"),
        ("vest4", 4, 16, "stream"),
        ("e0", 1, 8, "axi4lite"),
    ],
)
def test_keystream(name: str, radix: int, width: int | None, key_by: str, tmp_path: Path) -> None:
    made = Wrapped(name, radix, width, key_by)
    failed, printed = made.failed(keystreams(made.cipher), tmp_path)
    assert not failed, printed


@pytest.mark.parametrize(
    ("name", "radix", "width", "key_by"),
    [
        ("grain128aead", 8, None, "stream"),
        ("grain128aead", 64, None, "axi4lite"),
        ("grain128aead", 64, 8, "stream"),
        ("grain128aead", 32, 64, "stream"),
        ("grain128aead", 1, 32, "stream"),
        ("phelix", 32, 8, "stream"),
        ("phelix", 64, 64, "axi4lite"),
        ("phelix", 32, 128, "stream"),
        ("ascon_aead128", 32, 8, "stream"),
        ("ascon_aead128", 128, 32, "axi4lite"),
        ("vest4-ae", 4, None, "stream"),
        ("vest4-ae", 4, 64, "axi4lite"),
        ("sfinks-ae", 2, 8, "stream"),
        ("grain128a-ae", 4, None, "stream"),
        ("mosquito", 1, None, "stream"),
        ("mosquito", 3, 32, "axi4lite"),
        ("eea3", 32, None, "stream"),
        ("eea3", 32, 8, "stream"),
        ("eia3", 32, 64, "stream"),
        ("uia2", 32, 16, "axi4lite"),
        ("nca4", 128, None, "stream"),
        ("nca6", 32, 8, "stream"),
        ("nia4", 128, 32, "axi4lite"),
    ],
)
def test_messages(name: str, radix: int, width: int | None, key_by: str, tmp_path: Path) -> None:
    """Odd lengths, empty parts, both directions, one message behind the other."""
    made = Wrapped(name, radix, width, key_by)
    cipher, unit = made.cipher, made.cipher.text_unit
    lengths = [(5, 8 * 21), (0, 8 * 16), (3, 0), (0, 0), (16, 8 * 3), (0, 8 * 33)]
    sessions = [
        message(
            cipher,
            ad * cipher.takes_associated_data,
            bits - 3 * (unit == 1 and bits > 100),
            decrypts=bool(place % 2) and bool(cipher.service),
        )
        for place, (ad, bits) in enumerate(lengths)
    ]
    failed, printed = made.failed(sessions, tmp_path)
    assert not failed, printed
