# SPDX-License-Identifier: Apache-2.0
"""Which cores can be asked for, and what is said of those that cannot."""

from __future__ import annotations

import re

import pytest

from headwater.algebra.bitstring import split
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.core.facts import CoreFacts
from headwater.errors import InputError


def refused(message: str, **choices: object) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Architecture.choose(TRIVIUM, **choices)  # type: ignore[arg-type]


def test_defaults() -> None:
    assert Architecture.choose(TRIVIUM) == Architecture(
        radix=1, load_width=1, stall="stream", clear="shift"
    )


@pytest.mark.parametrize(
    ("radix", "load_width"), [(1, 1), (8, 8), (66, 66), (160, 160), (161, 160), (288, 160)]
)
def test_load_width_follows_the_radix(radix: int, load_width: int) -> None:
    assert Architecture.choose(TRIVIUM, radix=radix).load_width == load_width


@pytest.mark.parametrize("radix", [0, -1, 289, 1000])
def test_illegal_radix(radix: int) -> None:
    refused(f"radix of trivium must be between 1 and 288, not {radix}", radix=radix)


@pytest.mark.parametrize("load_width", [0, -8, 161])
def test_illegal_load_width(load_width: int) -> None:
    refused(
        f"load width of trivium must be between 1 and 160, not {load_width}", load_width=load_width
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [("stal", " (did you mean 'stall'?)"), ("Clear", " (did you mean 'clear'?)"), ("folding", "")],
)
def test_unknown_option(name: str, hint: str) -> None:
    refused(
        f"option of trivium must be one of stall, clear, not {name!r}{hint}", options={name: "none"}
    )


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("stall", "steam", "stream, none, not 'steam' (did you mean 'stream'?)"),
        ("stall", "yes", "stream, none, not 'yes'"),
        ("clear", "instnat", "shift, instant, none, not 'instnat' (did you mean 'instant'?)"),
        ("clear", "", "shift, instant, none, not ''"),
    ],
)
def test_unknown_value(name: str, value: str, message: str) -> None:
    refused(f"option {name} must be one of {message}", options={name: value})


@pytest.mark.parametrize("stall", ["stream", "none"])
@pytest.mark.parametrize("clear", ["shift", "instant", "none"])
def test_options(stall: str, clear: str) -> None:
    options = {"clear": clear, "stall": stall}
    architecture = Architecture.choose(TRIVIUM, radix=9, load_width=7, options=options)
    assert architecture == Architecture(radix=9, load_width=7, stall=stall, clear=clear)
    assert architecture.options == options
    assert str(architecture) == f"radix 9, load width 7, stall={stall} clear={clear}"


def test_one_option_leaves_the_other_at_its_default() -> None:
    chosen = Architecture.choose(TRIVIUM, options={"clear": "none"})
    assert chosen.options == {"stall": "stream", "clear": "none"}


@pytest.mark.parametrize("load_width", [1, 7, 8, 64, 80, 100, 159, 160])
def test_load_words_are_filled_up_before_the_first_bit(load_width: int) -> None:
    string = (1 << 160) - 1
    words = Architecture.choose(TRIVIUM, load_width=load_width).load_words(TRIVIUM, string)
    assert len(words) == -(-160 // load_width)
    bits = [bit for word in words for bit in split(word, load_width)]
    spare = len(words) * load_width - 160
    assert bits == [0] * spare + [1] * 160
    assert all(word < 1 << load_width for word in words)


def test_load_words_hold_the_string_first_bit_first() -> None:
    string = int("0123456789abcdef" * 2 + "02468ace", 16)
    for load_width in range(1, 161):
        words = Architecture.choose(TRIVIUM, load_width=load_width).load_words(TRIVIUM, string)
        bits = [bit for word in words for bit in split(word, load_width)]
        assert tuple(bits[-160:]) == split(string, 160)


@pytest.mark.parametrize(
    ("load_width", "clear", "cycles"),
    [
        (1, "none", None),
        (1, "instant", 1),
        (160, "shift", 2),
        # What came in last has 80 stages of b and 80 of a before it.
        (1, "shift", 161),
    ],
)
def test_clear_cycles(load_width: int, clear: str, cycles: int | None) -> None:
    architecture = Architecture.choose(TRIVIUM, load_width=load_width, options={"clear": clear})
    assert CoreFacts(TRIVIUM, architecture).clear_cycles == cycles


@pytest.mark.parametrize(
    ("radix", "blank_cycles", "steps_ahead"), [(1, 1152, 0), (7, 164, 4), (64, 18, 0), (287, 4, 4)]
)
def test_blank_steps_left_over_are_read_ahead(
    radix: int, blank_cycles: int, steps_ahead: int
) -> None:
    facts = CoreFacts(TRIVIUM, Architecture.choose(TRIVIUM, radix=radix, load_width=160))
    assert facts.blank_cycles == blank_cycles
    assert facts.steps_ahead == steps_ahead
    assert facts.setup_cycles == 1 + blank_cycles


@pytest.mark.parametrize(
    ("load_width", "stall", "load", "keystream"),
    [
        (
            8,
            "stream",
            "20 words of 8 bits: 80 key bits, then 80 IV bits, the first bit in payload bit 0",
            "words of 3 bits, the oldest bit in payload bit 0",
        ),
        (
            100,
            "none",
            (
                "2 words of 100 bits: 80 key bits, then 80 IV bits, the first bit in payload "
                "bit 0; the lowest 40 bits of the first word are ignored; the words follow each "
                "other without a gap"
            ),
            "words of 3 bits, the oldest bit in payload bit 0; not masked while valid is low",
        ),
    ],
)
def test_order_in_words(load_width: int, stall: str, load: str, keystream: str) -> None:
    architecture = Architecture.choose(
        TRIVIUM, radix=3, load_width=load_width, options={"stall": stall}
    )
    facts = CoreFacts(TRIVIUM, architecture)
    assert facts.load_order == load
    assert facts.keystream_order == keystream
