# SPDX-License-Identifier: Apache-2.0
"""Sums of the authenticator's shift register that are made a cycle before: where they are legal,
where they are the default, what the Verilog shows."""

from __future__ import annotations

import re

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.core.toeplitz import SMALLEST_SPLIT
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import SHORTEST_AHEAD
from headwater.measure.chosen import made_for
from headwater.measure.target import find as target_of

AEAD = CATALOGUE["grain128aead"]
AHEAD = {"authenticator": "ahead"}


def test_they_are_legal_where_the_product_is_split() -> None:
    assert SHORTEST_AHEAD == SMALLEST_SPLIT
    assert Architecture.choose(AEAD, radix=2 * SMALLEST_SPLIT, options=AHEAD)["authenticator"]
    message = "radix of grain128aead with authenticator=ahead must be at least 16, not 8"
    with pytest.raises(InputError, match=f"^{message}$"):
        Architecture.choose(AEAD, radix=8, options=AHEAD)


@pytest.mark.parametrize(
    ("radix", "given", "expected"),
    [(8, {}, "isolated"), (32, {}, "ahead"), (32, {"authenticator": "direct"}, "direct")],
)
def test_the_default_of_fpgas(radix: int, given: dict[str, str], expected: str) -> None:
    """Where they are not legal, the other default of FPGAs is still taken."""

    def made(options: dict[str, str]) -> Architecture:
        return Architecture.choose(AEAD, radix=radix, options=options)

    on_fpga = made_for(target_of("ecp5-25k"), AEAD, given, made)
    assert (on_fpga["authenticator"], on_fpga["form"]) == (expected, "ahead")
    in_cells = made_for(target_of("osu018"), AEAD, given, made)
    assert in_cells["authenticator"] == given.get("authenticator", "isolated")


def test_the_verilog_shows_them() -> None:
    free = {"stall": "none", "clear": "none", **AHEAD}
    text = generate(AEAD, Architecture.choose(AEAD, radix=32, options=free)).text
    assert "reg [55:0] line_ahead;" in text
    made = r"shifts \? \{line_entering, line_ahead\[55:16\]\} : \(q\[119:64\] \^ q\[127:72\]\)"
    assert re.search(made, text)
