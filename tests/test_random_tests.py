# SPDX-License-Identifier: Apache-2.0
"""The tool that gives the bits of a source to dieharder: which bits, and what it reads."""

from __future__ import annotations

import hashlib
import runpy
from pathlib import Path

import pytest

import headwater as hw
from headwater.cipher.catalogue import CATALOGUE
from headwater.errors import InputError

TOOL = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "random_tests.py"))

ANSWER = """\
#=============================================================================#
        test_name   |ntup| tsamples |psamples|  p-value |Assessment
#=============================================================================#
         sts_serial|   1|    100000|     100|0.66551709|  PASSED
         sts_serial|  16|    100000|     100|0.00000000|  FAILED
"""


@pytest.mark.parametrize("rewound", [False, True])
def test_answers_are_read(rewound: bool) -> None:
    text = ANSWER + "# The file file_input_raw was rewound 1 times\n" * rewound
    found = list(TOOL["parsed"](text))
    assert [(one.test, one.samples, one.p_value, one.word, one.whole) for one in found] == [
        ("sts_serial 1", 100, 0.66551709, "PASSED", not rewound),
        ("sts_serial 16", 100, 0.0, "FAILED", not rewound),
    ]
    assert TOOL["told"](found) == (
        [
            "0 results: 0 passed, 0 weak, 0 failed.",
            "2 more are of tests that need more bits, and say nothing.",
        ]
        if rewound
        else ["2 results: 1 passed, 0 weak, 1 failed."]
    )


def test_the_bits_are_keystream() -> None:
    cipher = CATALOGUE["trivium"]
    (piece,) = TOOL["keystream"](cipher, 64, 1)
    secret = hashlib.sha256(b"random bits").digest()
    assert len(piece) == 1 << 20
    assert piece[:32] == hw.cipher("trivium").keystream(secret[:10], secret[-10:], bits=256)


def test_a_cipher_that_is_no_source_is_refused() -> None:
    with pytest.raises(InputError, match="cipher of interface prng"):
        next(TOOL["keystream"](CATALOGUE["zuc"], 1, 1))
