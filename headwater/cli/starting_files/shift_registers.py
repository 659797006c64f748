# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and how it numbers the stages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase, Placed
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher, Window


# REPLACE: one clock. n(i) is what stage i of register n holds; the parameters after `wire` are the
# registers in the order below, the ones after `*` the controls of the phases. Use ^ & | ~ alone.
# `wire(...)` names a value after the variable it is assigned to: give it what the paper names.
def step(wire: Any, n: Window, s: Window, *, feedback: Bits) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock: the output bit, and what enters each register."""
    f = wire(s(0) ^ s(6) ^ s(25) ^ s(30))
    g = wire(s(0) ^ n(0) ^ n(19) ^ n(33) ^ (n(7) & n(41)) ^ (n(11) & n(23) & n(52)))
    z = wire(n(2) ^ n(17) ^ s(9) ^ (n(37) & s(21)))
    back = wire(z & feedback)
    return z, {"n": g ^ back, "s": f ^ back}


# REPLACE: what each register holds after the load, in ascending stage number: key bits, IV bits,
# the constants 0 and 1, or sums of them with ^.
def load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key and IV into the registers."""
    return {"n": key, "s": [*iv, *[1] * 15, 0]}


MY_CIPHER = ShiftRegisterCipher(
    name="my_cipher",
    # REPLACE: what it is called in prose, where it is from, and what is known of its security. A
    # line that begins with "broken" or "not for use" makes every verb say so.
    title="my_cipher",
    source="nobody: the starting file of headwater new-cipher",
    security="not for use: a starting point, not a cipher",
    # REPLACE: lengths in bits. Several legal lengths of the IV stand in ascending order.
    key_bits=64,
    iv_bits=(32,),
    # REPLACE: "lsb_first" or "msb_first", for key, IV and keystream, and the same in words.
    bit_order="lsb_first",
    convention=(
        "Least significant bit first: bit i of key, IV and keystream is bit i mod 8 of byte i // 8."
    ),
    # REPLACE: the registers with the paper's stage numbers: where bits enter, and where they leave.
    registers=(
        Register("n", newest=63, oldest=0),
        Register("s", newest=47, oldest=0),
    ),
    load=Placed(load),
    # REPLACE: the steps of the setup, whose output is discarded, and the controls that are one in
    # them. All are zero while the cipher runs.
    phases=(Phase("initialisation", 256, ("feedback",)),),
    step=step,
)

CIPHERS = (MY_CIPHER,)
