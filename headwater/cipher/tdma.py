# SPDX-License-Identifier: Apache-2.0
"""COUNT, the input of A5 that GSM makes of the number of a TDMA frame: 3GPP TS 43.020, annex C."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.errors import between

_T2_FRAMES, _T3_FRAMES, _SUPERFRAMES = 26, 51, 2048
FRAMES = _T2_FRAMES * _T3_FRAMES * _SUPERFRAMES
"""TDMA frames of a hyperframe, after which their numbers begin anew."""


def iv_of_count(cipher: Cipher, count: int) -> bytes:
    """The IV of a cipher that numbers frames.

    Raises
    ------
    InputError
        If COUNT has more bits.
    """
    bits = cipher.iv_bits[-1]
    number = between(0, (1 << bits) - 1, "frame", count)
    return number.to_bytes(-(-bits // 8), "little")


def count_of(frame: int) -> int:
    """The 22 bits of COUNT: T1 (11 bits, number of the superframe), T3 (6 bits, of the frame in the
    51-multiframe), T2 (5 bits, in the 26-multiframe), the highest first.

    Raises
    ------
    InputError
        If ``frame`` is not the number of a frame of the hyperframe.
    """
    between(0, FRAMES - 1, "tdma-frame", frame)
    superframe = frame // (_T2_FRAMES * _T3_FRAMES)
    return superframe << 11 | frame % _T3_FRAMES << 5 | frame % _T2_FRAMES
