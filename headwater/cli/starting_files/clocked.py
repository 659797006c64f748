# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and how it numbers the stages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.algebra.word import choose, concatenate
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase


# REPLACE: one clock. The parameters after `wire` are the registers in the order below: words whose
# bit n is the n-th stage from where bits enter. `entering` has a bit of each lane of the load, and
# is zero afterwards; the others after `*` are the controls of the phases.
def step(
    wire: Any, r: Any, s: Any, *, entering: Any, regular: Any
) -> tuple[Any, Mapping[str, Any]]:
    """One clock: r stops where s says so, and never while loading."""
    z = wire(r[22] ^ s[28])
    r_in = wire(r[22] ^ r[17] ^ (r[3] & r[9]) ^ entering)
    s_in = wire(s[28] ^ s[26] ^ entering)
    r_moves = wire(s[14] | regular)
    return z, {
        "r": choose(r_moves, concatenate(r_in, r[:22]), r),
        "s": concatenate(s_in, s[:28]),
    }


MY_CIPHER = ClockedCipher(
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
    bit_order="msb_first",
    convention="Most significant bit first: bit i is bit 7 - (i mod 8) of byte i // 8.",
    # REPLACE: the registers with the paper's stage numbers: where bits enter, and where they leave.
    registers=(Register("r", newest=0, oldest=22), Register("s", newest=0, oldest=28)),
    # REPLACE: the steps of the load, one for each bit of its longest lane.
    load=Injected((Phase("load", 64 + 32, ("regular",)),)),
    # REPLACE: the steps of the setup behind the load, whose output is discarded.
    phases=(Phase("mix", 80),),
    step=step,
    # REPLACE: how many steps a cycle may make.
    radices=(1, 2, 4),
)

CIPHERS = (MY_CIPHER,)
