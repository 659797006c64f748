# SPDX-License-Identifier: Apache-2.0
"""Crypto-1: one register of 48 bits with a filter, and no blank steps.

There is no official specification. Written from the public description of what the tags do (F. D.
Garcia et al., "Dismantling MIFARE Classic", ESORICS 2008), with the bits in the order of the radio.
"""

from __future__ import annotations

from headwater.algebra.word import concatenate
from headwater.cipher.cases import KeystreamVector
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase

TAPS = (0, 5, 9, 10, 12, 14, 15, 17, 19, 24, 25, 27, 29, 35, 39, 41, 42, 43)


def fa(a, b, c, d):
    """A function of the first layer of the filter."""
    return ((a | b) ^ (a & d)) ^ (c & ((a ^ b) | d))


def fb(a, b, c, d):
    """The other one."""
    return ((a & b) | c) ^ ((a ^ b) & (c | d))


def fc(a, b, c, d, e):
    """The second layer."""
    return (a | ((b | e) & (d ^ e))) ^ ((a ^ (b & d)) & ((c ^ d) | (b & e)))


def step(wire, x, *, entering, placing):
    """One clock. While the key is placed nothing is fed back."""
    fed = x[TAPS[0]]
    for tap in TAPS[1:]:
        fed = fed ^ x[tap]
    fed = wire(fed & ~placing)
    y0 = wire(fa(x[9], x[11], x[13], x[15]))
    y1 = wire(fb(x[17], x[19], x[21], x[23]))
    y2 = wire(fb(x[25], x[27], x[29], x[31]))
    y3 = wire(fa(x[33], x[35], x[37], x[39]))
    y4 = wire(fb(x[41], x[43], x[45], x[47]))
    new = wire(fed ^ entering[0] ^ entering[1])
    return wire(fc(y0, y1, y2, y3, y4), "z"), {"x": concatenate(x[1:], new)}


def lanes(key, iv):
    """Lane 0 has the key, uid, and nr; lane 1 has nt beside uid, and zeros beside nr."""
    return [*key, *iv[:32], *iv[64:]], [*iv[32:64], *[0] * 32]


def read(entry, cipher):
    """The keystream behind the nonces of an authentication."""
    key = entry.data("key")
    iv = entry.data("uid") + entry.data("nt") + entry.data("nr")
    with entry.named():
        cipher.input_bits(key, iv)
    bits = entry.number("keystream_bits", 1)
    return [KeystreamVector(entry.name, key, iv, 96, 0, bits, entry.packed("keystream", bits))]


CRYPTO1 = ClockedCipher(
    name="crypto1",
    title="Crypto-1",
    source='F. D. Garcia et al., "Dismantling MIFARE Classic", ESORICS 2008, and public software',
    security="broken: keys are found in seconds from one or two recorded authentications",
    key_bits=48,
    iv_bits=(96,),
    bit_order="lsb_first",
    convention="Bytes in the order of transmission, the least significant bit of each first. The "
    "IV is uid, nt and nr, the plain nonce of the reader.",
    registers=(Register("x", newest=47, oldest=0),),
    lanes=lanes,
    lane_names="lane 0 the key, uid, nr; lane 1 nt beside uid, then zeros",
    load=Injected((Phase("key", 48, ("placing",)), Phase("nonces", 64))),
    phases=(),
    step=step,
    vector_readers={"rfid-auth": read},
)

CIPHERS = (CRYPTO1,)
