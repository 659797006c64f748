# SPDX-License-Identifier: Apache-2.0
"""Sessions of C models with odd pieces, compared with the model in Python.

As a program it does the same under the sanitizers of the compiler, for the ciphers in its
arguments, each with a form of its S-boxes behind a colon if it is not the plain one: a library with
sanitizers needs a process of its own.
"""

from __future__ import annotations

import ctypes
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import MACS, Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model, c_radix
from headwater.flow.c_library import FLAGS
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of
from headwater.verify.c_session import CLibrary, CSession

ONE_OF_EACH_KIND = (
    "trivium",
    "grain128aead",
    "sfinks-ae",
    "moustique",
    "chacha20",
    "aes_ofb",
    "aes_ctr",
    "a51",
    "phelix",
    "ascon_aead128",
    "vest4-ae",
    "uia2",
    "eea3",
)
SANITIZERS = ("-std=c99", "-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def architecture_of(cipher: Cipher) -> Architecture:
    """That of the model, except where its circuit takes long to make."""
    return Architecture.choose(
        cipher,
        radix=min(8, c_radix(cipher)) if cipher.name.startswith("sfinks") else c_radix(cipher),
    )


def check(cipher: Cipher, architecture: Architecture, flags: Sequence[str] = FLAGS) -> None:
    """Compare sessions with the model."""
    library, rng = CLibrary(c_model(cipher, architecture), flags), random.Random(5)
    if "data_in" in facts_of(cipher, architecture).streams:
        for bits in (0, 1, 8, 37, 200, 531):
            check_message(library, cipher, random_message(cipher, bits, rng), rng)
    else:
        check_keystream(library, cipher, rng)
        if "_keystreams(" in library.model.header:
            check_several(library, cipher, 131, 1, 25)


def random_message(cipher: Cipher, bits: int, rng: random.Random) -> Message:
    bits = -(-bits // cipher.text_unit) * cipher.text_unit
    iv_bits = rng.choice(cipher.iv_bits)
    order = cipher.input_order or cipher.bit_order
    return Message(
        rng.randbytes(rng.choice((*cipher.shorter_keys, cipher.key_bits)) // 8),
        bitstring.to_bytes(rng.getrandbits(iv_bits or 1) if iv_bits else 0, iv_bits, order),
        rng.randbytes(rng.choice((0, 3, 130))) if cipher.takes_associated_data else b"",
        bitstring.to_bytes(rng.getrandbits(bits or 1) if bits else 0, bits, cipher.bit_order),
        bits,
        tag_bits=rng.choice(cipher.tag_lengths) if cipher.tag_lengths else None,
    )


def begun(library: CLibrary, message: Message) -> CSession:
    session = library.begin(
        key=message.key,
        key_bytes=len(message.key),
        iv=message.nonce,
        iv_bits=8 * len(message.nonce),
        tag_bits=message.tag_bits,
        decrypts=message.decrypts,
    )
    assert session is not None
    if message.associated_data:
        session.associated_data(message.associated_data)
    return session


def check_message(library: CLibrary, cipher: Cipher, message: Message, rng: random.Random) -> None:
    """In both directions, in pieces."""
    sealed = process(cipher, message)
    ways = [(message, sealed.text)]
    if sealed.text:
        ways.append((replace(message, text=sealed.text, decrypts=True), message.text))
    for one, expected in ways:
        session = begun(library, one)
        assert in_pieces(session, cipher, one, rng) == expected
        if cipher.tag_lengths:
            assert session.tag(8 * len(sealed.tag)) == sealed.tag
            wrong = bytes([sealed.tag[0] ^ 1, *sealed.tag[1:]])
            for tag, right in ((sealed.tag, True), (wrong, False)):
                session = begun(library, one)
                in_pieces(session, cipher, one, rng)
                assert session.check_tag(tag) is right


def in_pieces(session: CSession, cipher: Cipher, message: Message, rng: random.Random) -> bytes:
    """The text that leaves, put together."""
    order, made = cipher.bit_order, 0
    string = bitstring.from_bytes(message.text, order)
    for first, bits in pieces(message.bits, cipher.text_unit, rng):
        piece = bitstring.to_bytes(string >> first, bits, order)
        if cipher.service in MACS:
            session.authenticate(piece, bits)
        else:
            way = "decrypt" if message.decrypts else "encrypt"
            made |= bitstring.from_bytes(session.text(way, piece, bits), order) << first
    return b"" if cipher.service in MACS else bitstring.to_bytes(made, message.bits, order)


def pieces(bits: int, unit: int, rng: random.Random) -> Iterator[tuple[int, int]]:
    """First bit and length of pieces that make up a text."""
    first = 0
    while first < bits:
        size = min(bits - first, unit * rng.choice((1, 2, 5, 8, 19, 64, 100)))
        yield first, size
        first += size


def check_several(library: CLibrary, cipher: Cipher, count: int, passed: int, size: int) -> None:
    """Keystreams of so many sessions at once, twice, behind bits that were passed over."""
    rng = random.Random(7)
    messages = [random_message(cipher, 0, rng) for _ in range(count)]
    alone = [
        library.begin(key=one.key, iv=one.nonce, iv_bits=8 * len(one.nonce)) for one in messages
    ]
    memory = ctypes.create_string_buffer(count * library.session_bytes or 1)
    for number, session in enumerate(alone):
        assert session is not None
        session.skip(passed)
        ctypes.memmove(
            ctypes.byref(memory, number * library.session_bytes),
            session.memory,
            library.session_bytes,
        )
    for _ in range(2):
        outs = [ctypes.create_string_buffer(size) for _ in messages]
        places = (ctypes.c_void_p * count)(*map(ctypes.addressof, outs))
        assert (
            library.call(
                "keystreams", memory, ctypes.c_size_t(count), places, ctypes.c_size_t(size)
            )
            == 0
        )
        assert [out.raw for out in outs] == [one.keystream(size) for one in alone if one]


def check_keystream(library: CLibrary, cipher: Cipher, rng: random.Random) -> None:
    """A keystream that is read and passed over in pieces, of whole bytes at first."""
    for passed_bits in ((0, 8, 64, 200), (0, 8, 640), (0, 1, 3, 8, 64, 100)):
        message = random_message(cipher, 0, rng)
        block = rng.randrange(5) if cipher.seek_bits else 0
        session = library.begin(
            key=message.key, iv=message.nonce, iv_bits=8 * len(message.nonce), block=block
        )
        model = Keystream(cipher, key=message.key, iv=message.nonce)
        model.skip(block * (cipher.seek_bits or 0))
        assert session is not None
        for _ in range(12):
            passed, count = rng.choice(passed_bits), rng.choice((1, 2, 7, 8, 33, 500))
            session.skip(passed)
            model.skip(passed)
            assert session.keystream(count) == model.read(8 * count)


if __name__ == "__main__":
    for given in sys.argv[1:]:
        name, _, sbox = given.partition(":")
        architecture = architecture_of(CATALOGUE[name])
        if sbox:
            architecture = Architecture.choose(
                CATALOGUE[name], radix=architecture.radix, options={"sbox": sbox}
            )
        check(CATALOGUE[name], architecture, SANITIZERS)
        print(given)
