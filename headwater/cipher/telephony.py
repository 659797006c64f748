# SPDX-License-Identifier: Apache-2.0
"""The modes of ZUC, SNOW 3G and AES-128 in mobile telephony: their IVs, their tags, and the modes.

ETSI/SAGE, "Specification of the 3GPP confidentiality and integrity algorithms 128-EEA3 and
128-EIA3, document 1", version 1.7, 2011; "UEA2 and UIA2, document 1: UEA2 and UIA2
specifications", version 2.1, 2009; and 3GPP TS 33.401, annex B, for 128-EEA1 and 128-EIA1, and
128-EEA2 and 128-EIA2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from headwater.cipher.aes import AES_CMAC, AES_CTR
from headwater.cipher.snow3g import SNOW_3G
from headwater.cipher.zuc import ZUC
from headwater.kinds.telephony.description import (
    COUNT_BITS,
    FIELD,
    FRESH_BITS,
    TAG_BITS,
    WORD_BITS,
    BlockConfidentiality,
    BlockIntegrity128,
    Confidentiality,
    EvaluationIntegrity,
    WindowIntegrity,
)


def eea3_iv(count: int, bearer: int, direction: int) -> bytes:
    """COUNT, BEARER || DIRECTION || 00 and three zero bytes, twice (document 1, section 3.3)."""
    half = _word(count) + bytes([bearer << 3 | direction << 2, 0, 0, 0])
    return half + half


def eia3_iv(count: int, bearer: int, direction: int) -> bytes:
    """COUNT, BEARER || 000 and three zero bytes; then the same, DIRECTION added to bit 0 of bytes 0
    and 6, bytes 8 and 14 of the IV (document 1, section 4.3)."""
    half = _word(count) + bytes([bearer << 3, 0, 0, 0])
    turned = bytearray(half)
    turned[0] ^= direction << 7
    turned[6] ^= direction << 7
    return half + bytes(turned)


def eea2_iv(count: int, bearer: int, direction: int) -> bytes:
    """The first counter block: COUNT, BEARER || DIRECTION, and zeros, of which the last 64 count
    (TS 33.401, annex B.1.3)."""
    return _word(count) + bytes([bearer << 3 | direction << 2]) + bytes(11)


def eia2_head(count: int, bearer: int, direction: int) -> bytes:
    """What stands before the message: COUNT, BEARER || DIRECTION, and 26 zeros (TS 33.401, annex
    B.2.3)."""
    return eea2_iv(count, bearer, direction)[:8]


def uea2_iv(count: int, bearer: int, direction: int) -> bytes:
    """IV3 = IV1 = COUNT, IV2 = IV0 = BEARER || DIRECTION || 0...0."""
    iv3, iv2 = count, bearer << 27 | direction << 26
    return _words(iv2, iv3, iv2, iv3)


def uia2_iv(count: int, fresh: int, direction: int) -> bytes:
    """IV3 = COUNT, IV2 = FRESH; IV1 and IV0 are the same with DIRECTION added to their bits 31 and
    15, where bit 0 is the least significant."""
    iv3, iv2 = count, fresh
    return _words(iv2 ^ direction << 15, iv3 ^ direction << 31, iv2, iv3)


def eia1_iv(count: int, bearer: int, direction: int) -> bytes:
    """The IV of UIA2 with FRESH = BEARER || 0...0 (TS 33.401, annex B.2.2)."""
    return uia2_iv(count, bearer << 27, direction)


def eia3_tag(z: Iterator[int], message: Iterator[int], length: int) -> int:
    """The tag of 128-EIA3. T is the sum of the 32-bit keystream windows that begin at the places of
    message bits that are one, and of the window that begins behind the message. The tag is the sum
    of T and the last of length / 32 + 2 keystream words."""
    tag, window = 0, next(z)
    for first in range(0, length + 1, WORD_BITS):
        window = (window << WORD_BITS | next(z)) & (1 << 2 * WORD_BITS) - 1
        word = next(message, 0)
        if length - first < WORD_BITS:
            word |= 1 << WORD_BITS - 1 - (length - first)
        for place in range(WORD_BITS):
            if word >> place & 1:
                tag ^= window >> place + 1
    last = window if length % WORD_BITS == 0 else next(z)
    return (tag ^ last) & (1 << TAG_BITS) - 1


def uia2_tag(z: Iterator[int], message: Iterator[int], length: int) -> int:
    """The tag of UIA2: the message as a polynomial over GF(2^64), evaluated at P; its length in
    bits added; times Q; plus the one-time pad."""
    p = next(z) << WORD_BITS | next(z)
    q = next(z) << WORD_BITS | next(z)
    one_time_pad = next(z)
    evaluation = 0
    for _ in range(-(-length // FIELD.degree)):
        block = next(message) << WORD_BITS | next(message, 0)
        evaluation = FIELD.multiply(evaluation ^ block, p)
    return FIELD.multiply(evaluation ^ length, q) >> WORD_BITS ^ one_time_pad


def _word(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _words(*values: int) -> bytes:
    return b"".join(map(_word, values))


_ZUC_SOURCE = "ETSI/SAGE, 128-EEA3 and 128-EIA3 document 1, version 1.7, 2011"
_SNOW_SOURCE = "ETSI/SAGE, UEA2 and UIA2 document 1, version 2.1, 2009"
_WITH_BEARER = "COUNT (32 bits), BEARER (5) and DIRECTION (1)"
_KEY = (
    "Key bytes are in transmission order. The IV is {}, most significant bit first, and zeros to "
    "the byte. The first bit of a message is the most significant bit of its first byte; its "
    "length is any number of bits, and unused bits of the last byte are zero."
)
_TURNED = " The first 32 bits of the key are k3 of SNOW 3G, the last are k0."

EEA3 = Confidentiality(
    name="eea3",
    title="128-EEA3 (128-NEA3 is the same): confidentiality with ZUC",
    source=_ZUC_SOURCE,
    security="that of ZUC; no key and IV may be used for two messages",
    convention=_KEY.format(_WITH_BEARER),
    base=ZUC,
    form_iv=eea3_iv,
    iv_rule=(
        "bytes 0 to 3 are COUNT, byte 4 is BEARER || DIRECTION || 00, bytes 5 to 7 are zero, bytes "
        "8 to 15 are the same again"
    ),
)

EIA3 = WindowIntegrity(
    name="eia3",
    title="128-EIA3 (128-NIA3 is the same): integrity with ZUC",
    source=_ZUC_SOURCE,
    security="that of ZUC; a forgery succeeds by chance with probability 2^-32, and no key and IV "
    "may be used for two messages",
    convention=_KEY.format(_WITH_BEARER),
    base=ZUC,
    form_iv=eia3_iv,
    iv_rule=(
        "bytes 0 to 3 are COUNT, byte 4 is BEARER || 000, bytes 5 to 7 are zero, bytes 8 to 15 are "
        "the same again with DIRECTION added to the most significant bit of bytes 8 and 14"
    ),
    make_tag=eia3_tag,
)

UEA2 = Confidentiality(
    name="uea2",
    title="UEA2 (128-EEA1 and 128-NEA1 are the same): confidentiality with SNOW 3G",
    source=_SNOW_SOURCE,
    security="that of SNOW 3G; no key and IV may be used for two messages",
    convention=_KEY.format(_WITH_BEARER) + _TURNED,
    base=SNOW_3G,
    form_iv=uea2_iv,
    iv_rule="IV3 and IV1 are COUNT, IV2 and IV0 are BEARER || DIRECTION || 0...0",
    turns_key=True,
)

UIA2 = EvaluationIntegrity(
    name="uia2",
    title="UIA2: integrity with SNOW 3G",
    source=_SNOW_SOURCE,
    security="that of SNOW 3G; a forgery succeeds by chance with probability 2^-32, and no key and "
    "IV may be used for two messages",
    iv_bits=(COUNT_BITS + FRESH_BITS + 1,),
    convention=_KEY.format("COUNT (32 bits), FRESH (32) and DIRECTION (1)") + _TURNED,
    base=SNOW_3G,
    form_iv=uia2_iv,
    iv_rule=(
        "IV3 is COUNT, IV2 is FRESH, IV1 is COUNT with DIRECTION added to its most significant "
        "bit, IV0 is FRESH with DIRECTION added to its bit 15 (bit 0 is the least significant)"
    ),
    second="fresh",
    turns_key=True,
    make_tag=uia2_tag,
)

EIA1 = EvaluationIntegrity(
    name="eia1",
    title="128-EIA1 (128-NIA1 is the same): integrity with SNOW 3G, UIA2 with BEARER for FRESH",
    source="3GPP TS 33.401, annex B.2.2; " + _SNOW_SOURCE,
    security=UIA2.security,
    convention=_KEY.format(_WITH_BEARER) + _TURNED,
    base=SNOW_3G,
    form_iv=eia1_iv,
    iv_rule=UIA2.iv_rule + ", where FRESH is BEARER || 0...0",
    turns_key=True,
    make_tag=uia2_tag,
)

EEA2 = BlockConfidentiality(
    name="eea2",
    title="128-EEA2 (128-NEA2 is the same): confidentiality with AES-128 in counter mode",
    source="3GPP TS 33.401, annex B.1.3; FIPS 197 (AES); NIST SP 800-38A, section 6.5 (CTR)",
    security="that of AES-128; no key and IV may be used for two messages",
    convention=_KEY.format(_WITH_BEARER),
    base=replace(AES_CTR, legal_keys=(128,), counted_bits=64, legal_counts=(64,)),
    form_iv=eea2_iv,
    iv_rule=(
        "bytes 0 to 3 of the first counter block are COUNT, byte 4 is BEARER || DIRECTION || 00, "
        "the others are zero, and the last 64 bits count"
    ),
)

EIA2 = BlockIntegrity128(
    name="eia2",
    title="128-EIA2 (128-NIA2 is the same): integrity with AES-128 in CMAC",
    source="3GPP TS 33.401, annex B.2.3; FIPS 197 (AES); NIST SP 800-38B",
    security="that of AES-128; a forgery succeeds by chance with probability 2^-32",
    convention=_KEY.format(_WITH_BEARER),
    base=replace(AES_CMAC, legal_keys=(128,), iv_bits=(64,), tag_lengths=(TAG_BITS,)),
    form_iv=eia2_head,
    iv_rule=("the 64 bits before the message are COUNT, BEARER, DIRECTION and 26 zeros"),
)

MODES = (EEA3, EIA3, UEA2, UIA2, EIA1, EEA2, EIA2)
