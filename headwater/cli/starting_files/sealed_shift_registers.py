# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and how it numbers the stages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.description import Phase, Placed, side_by_side
from headwater.kinds.stepped.shift_register import Window


# REPLACE: what enters the authenticator during the setup.
def refill(y: Bits, q: Window, *, feedback: Bits) -> Bits:  # noqa: ARG001
    """Output enters the authenticator during the setup."""
    return y


# REPLACE: one clock. b(i) is what stage i of register b holds; the parameters after `wire` are the
# registers in the order below, the ones after `*` the controls of the phases. Use ^ & | ~ alone.
def step(
    wire: Any, b: Window, s: Window, q: Window, *, feedback: Bits
) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock: the output bit y, and what enters each register."""
    f = wire(s(0) ^ s(3) ^ s(4) ^ s(19))
    g = wire(s(0) ^ b(0) ^ b(17) ^ b(40) ^ (b(5) & b(29)) ^ (b(11) & b(33) & b(48)))
    y = wire(b(2) ^ b(21) ^ s(35) ^ (b(43) & s(9)) ^ (s(14) & s(50)))
    back = wire(y & feedback)
    return y, {"b": g ^ back, "s": f ^ back, "q": refill(y, q, feedback=feedback)}


# REPLACE: what each register holds after the load, in ascending stage number.
def load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key and nonce side by side; the authenticator begins with zeros."""
    return {"b": key, "s": [*iv, *[1] * 15, 0], "q": [0] * 64}


MY_CIPHER = BitAead(
    name="my_cipher",
    # REPLACE: what it is called in prose, where it is from, and what is known of its security. A
    # line that begins with "broken" or "not for use" makes every verb say so.
    title="my_cipher",
    source="nobody: the starting file of headwater new-cipher",
    security="not for use: a starting point, not a cipher",
    # REPLACE: lengths in bits. Several legal lengths of the IV stand in ascending order.
    key_bits=64,
    iv_bits=(48,),
    # REPLACE: "lsb_first" or "msb_first", for key, IV and keystream, and the same in words.
    bit_order="lsb_first",
    convention="Least significant bit first everywhere: bit i is bit i mod 8 of byte i // 8.",
    # REPLACE: the registers with the paper's stage numbers; the last one is the authenticator.
    registers=(
        Register("b", newest=63, oldest=0),
        Register("s", newest=63, oldest=0),
        Register("q", newest=63, oldest=0),
    ),
    lanes=side_by_side,
    lane_names="lane 0 the key, lane 1 the nonce",
    load=Placed(load),
    # REPLACE: the steps of the setup. The last phase fills the authenticator.
    phases=(Phase("initialization", 128, ("feedback",)), Phase("authenticator", 64)),
    step=step,
    # REPLACE: the length of the tag, and the register of twice as many stages that makes it.
    tag_bits=32,
    authenticator="q",
    refill=refill,
)

CIPHERS = (MY_CIPHER,)
