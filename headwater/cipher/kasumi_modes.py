# SPDX-License-Identifier: Apache-2.0
"""The mode of KASUMI in mobile telephony that encrypts: UEA1, which is f8 of 3GPP TS 35.201."""

from __future__ import annotations

from headwater.cipher.kasumi import KASUMI_F8
from headwater.kinds.telephony.description import Confidentiality


def uea1_iv(count: int, bearer: int, direction: int) -> bytes:
    """The first block of f8: COUNT, BEARER || DIRECTION, and 26 zeros (TS 35.201, section 4)."""
    return count.to_bytes(4, "big") + bytes([bearer << 3 | direction << 2, 0, 0, 0])


UEA1 = Confidentiality(
    name="uea1",
    title="UEA1 (f8): confidentiality with KASUMI",
    source=KASUMI_F8.source,
    security=KASUMI_F8.security + "; no key and IV may be used for two messages",
    convention=(
        "Key bytes are in transmission order. The IV is COUNT (32 bits), BEARER (5) and DIRECTION "
        "(1), most significant bit first, and zeros to the byte. The first bit of a message is the "
        "most significant bit of its first byte; its length is any number of bits, and unused bits "
        "of the last byte are zero."
    ),
    base=KASUMI_F8,
    form_iv=uea1_iv,
    iv_rule="the first block is COUNT, BEARER, DIRECTION and 26 zeros",
)
