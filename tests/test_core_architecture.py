# SPDX-License-Identifier: Apache-2.0
"""Which cores can be asked for, and what is said of those that cannot."""

from __future__ import annotations

import re
from typing import Any

import pytest

from headwater.algebra.bitstring import split
from headwater.cipher.a51 import A51
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.e0 import E0
from headwater.cipher.grain import GRAIN_128AEAD, GRAIN_V1
from headwater.cipher.mickey import MICKEY_2, MICKEY_128
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.facts import SteppedFacts


def refused(message: str, **choices: object) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Architecture.choose(TRIVIUM, **choices)  # type: ignore[arg-type]


def test_defaults() -> None:
    chosen = Architecture.choose(TRIVIUM)
    assert (chosen.radix, chosen.load_width) == (1, 1)
    assert chosen.options == {"stall": "stream", "clear": "shift", "form": "fibonacci"}


@pytest.mark.parametrize(
    ("radix", "load_width"), [(1, 1), (8, 8), (66, 66), (160, 160), (161, 160), (288, 160)]
)
def test_load_width_follows_the_radix(radix: int, load_width: int) -> None:
    assert Architecture.choose(TRIVIUM, radix=radix).load_width == load_width


@pytest.mark.parametrize("radix", [0, -1, 1025, 5000])
def test_illegal_radix(radix: int) -> None:
    refused(f"radix of trivium must be between 1 and 1024, not {radix}", radix=radix)


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
        f"option of trivium must be one of stall, clear, datapath, form, delay, not {name!r}{hint}",
        options={name: "none"},
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
    assert (architecture.stall, architecture.clear) == (stall, clear)
    assert architecture.options == {**options, "form": "fibonacci"}
    assert str(architecture) == (
        f"radix 9, load width 7, stall={stall} clear={clear} form=fibonacci"
    )


def test_one_option_leaves_the_other_at_its_default() -> None:
    chosen = Architecture.choose(TRIVIUM, options={"clear": "none"})
    assert chosen.options == {"stall": "stream", "clear": "none", "form": "fibonacci"}


@pytest.mark.parametrize("load_width", [1, 7, 8, 64, 80, 100, 159, 160])
def test_load_words_are_filled_up_before_the_first_bit(load_width: int) -> None:
    lane = [1] * 160
    made = Architecture.choose(TRIVIUM, load_width=load_width)
    words = SteppedFacts(TRIVIUM, made).words_of([lane])
    assert len(words) == -(-160 // load_width)
    bits = [bit for word in words for bit in split(word, load_width)]
    spare = len(words) * load_width - 160
    assert bits == [0] * spare + [1] * 160
    assert all(word < 1 << load_width for word in words)


def test_load_words_hold_the_string_first_bit_first() -> None:
    lane = split(int("0123456789abcdef" * 2 + "02468ace", 16), 160)
    for load_width in range(1, 161):
        made = Architecture.choose(TRIVIUM, load_width=load_width)
        words = SteppedFacts(TRIVIUM, made).words_of([lane])
        bits = [bit for word in words for bit in split(word, load_width)]
        assert tuple(bits[-160:]) == lane


def test_lanes_lie_side_by_side_in_a_load_word() -> None:
    key = split(0x5A << 120 | 0xC3, 128)
    nonce = [0] * 32 + list(split(0x96 << 88 | 0x69, 96))
    architecture = Architecture.choose(GRAIN_128AEAD, radix=8)
    words = SteppedFacts(GRAIN_128AEAD, architecture).words_of([key, nonce])
    assert architecture.load_width == 16
    assert words == [0x00C3, 0, 0, 0, 0x6900, *[0] * 10, 0x965A]


def test_a_load_of_any_length_must_be_whole_words() -> None:
    wide = SteppedFacts(MICKEY_2, Architecture.choose(MICKEY_2, radix=4, load_width=4))
    assert wide.unfit(80) == ""
    assert wide.unfit(81) == "key and IV are no multiple of the load width 4"
    with pytest.raises(InputError, match="no multiple of the load width 4: they have 81 bits"):
        wide.words_of([[1] * 81])
    assert Architecture.choose(MICKEY_2, radix=4).load_width == 1


@pytest.mark.parametrize(
    ("cipher", "choices", "message"),
    [
        (A51, {"radix": 6}, "radix of a51 must be between 1 and 5, not 6"),
        (E0, {"radix": 3}, "radix of e0 must be one of 1, 2, 4, 8, not 3"),
        (
            E0,
            {"load_width": 6},
            "load width of e0 must be a multiple of 4 between 4 and 220, not 6",
        ),
        (
            GRAIN_128AEAD,
            {"radix": 3},
            "radix of grain128aead must be one of 1, 2, 4, 8, 16, 32, 64, not 3",
        ),
        (GRAIN_V1, {"radix": 1.5}, "radix of grain_v1 must be between 1 and 160, not 1.5"),
        (
            MICKEY_2,
            {"radix": 8, "load_width": 8},
            (
                "load width of mickey2 at radix 8 must divide the 4 of its 100 blank steps that "
                "are left over, not 8"
            ),
        ),
        (
            GRAIN_V1,
            {"radix": 16, "options": {"form": "galois"}},
            (
                "form of grain_v1 at radix 16 must be fibonacci, not 'galois': no term of its "
                "feedback can be moved"
            ),
        ),
        (
            GRAIN_128AEAD,
            {"radix": 32, "options": {"output": "split"}},
            (
                "output of grain128aead at radix 32 must be plain, not 'split': no term of it can "
                "be moved"
            ),
        ),
        (
            GRAIN_V1,
            {"radix": 3, "options": {"form": "galois"}},
            (
                "radix of grain_v1 in Galois form or with split output must divide the steps of "
                "its setup and be at most 16, not 3"
            ),
        ),
    ],
)
def test_what_a_cipher_cannot_have(cipher: Cipher, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Architecture.choose(cipher, **choices)


@pytest.mark.parametrize(
    ("cipher", "names"),
    [
        (TRIVIUM, "stall clear datapath form delay"),
        (GRAIN_V1, "stall clear datapath form output delay"),
        (GRAIN_128AEAD, "stall clear form output delay direction authenticator controller"),
        (MICKEY_2, "stall clear datapath"),
        (E0, "stall clear datapath"),
    ],
)
def test_a_cipher_declares_the_options_that_fit_it(cipher: Cipher, names: str) -> None:
    assert [option.name for option in cipher.choices] == names.split()


@pytest.mark.parametrize(
    ("cipher", "radix", "most"),
    [
        *(
            (GRAIN_V1, radix, most)
            for radix, most in ((1, 304), (2, 152), (4, 76), (8, 38), (16, 19))
        ),
        *((A51, radix, most) for radix, most in ((1, 186), (3, 63), (4, 47))),
        # What is decided a cycle early takes a cycle more.
        (MICKEY_128, 1, 416 + 1),
        (E0, 1, 239),
        *((GRAIN_128AEAD, radix, 512 // radix) for radix in (1, 2, 4, 8, 16, 32, 64)),
    ],
)
def test_setup_takes_no_longer_than_printed(cipher: Cipher, radix: int, most: int) -> None:
    assert SteppedFacts(cipher, Architecture.choose(cipher, radix=radix)).setup_cycles <= most


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
    assert SteppedFacts(TRIVIUM, architecture).clear_cycles == cycles


@pytest.mark.parametrize(
    ("radix", "blank_cycles", "steps_ahead", "kept"),
    [
        (1, 1152, 0, 0),
        (10, 115, 2, 0),
        (64, 18, 0, 0),
        (65, 18, 0, 18),
        (256, 5, 0, 128),
        (287, 4, 4, 0),
    ],
)
def test_blank_steps_left_over_are_read_ahead_or_output_is_kept(
    radix: int, blank_cycles: int, steps_ahead: int, kept: int
) -> None:
    """An output costs 5 gates a step, and a flip-flop as much as 2 gates."""
    facts = SteppedFacts(TRIVIUM, Architecture.choose(TRIVIUM, radix=radix, load_width=160))
    assert facts.timeline.blank_cycles == blank_cycles
    assert facts.timeline.steps_ahead == steps_ahead
    assert facts.timeline.surplus_bits == kept
    assert facts.setup_cycles == 1 + blank_cycles


@pytest.mark.parametrize(
    ("radix", "stall", "whole"),
    [
        (66, "none", True),
        (99, "none", True),
        (100, "none", False),
        (8, "stream", True),
    ],
)
def test_sums_stay_whole_in_narrow_cores(radix: int, stall: str, whole: bool) -> None:
    architecture = Architecture.choose(TRIVIUM, radix=radix, options={"stall": stall})
    facts = SteppedFacts(TRIVIUM, architecture)
    assert facts.whole_sums == (("from_a", "from_b", "from_c") if whole else ())


def test_gates_to_read_ahead() -> None:
    """Beyond 66 steps new bits are needed: 11 sums and 3 products for each step."""
    assert TRIVIUM.gates_ahead(66) == 66 * 5
    assert TRIVIUM.gates_ahead(68) == 68 * 5 + 2 * 14


@pytest.mark.parametrize(
    ("load_width", "stall", "load", "keystream"),
    [
        (
            8,
            "stream",
            "20 words of 8 bits: the key, then the IV, the first bit in payload bit 0",
            "words of 3 bits, the oldest bit in payload bit 0",
        ),
        (
            100,
            "none",
            (
                "2 words of 100 bits: the key, then the IV, the first bit in payload bit 0; the "
                "first word begins with 40 bits that are ignored; the words follow each "
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
    facts = SteppedFacts(TRIVIUM, architecture)
    assert facts.load_order == load
    assert facts.keystream_order == keystream


@pytest.mark.parametrize(
    ("name", "width", "told"),
    [
        ("e0", 8, "; each lane from bit 1 on, zeros before it"),
        ("e0", 4, ""),
        ("grain128a", 64, "; lane 1 from bit 32 on"),
        ("grain128a", 96, "; lane 0 from bit 16 on; lane 1 from bit 48 on"),
    ],
)
def test_where_lanes_begin(name: str, width: int, told: str) -> None:
    cipher = CATALOGUE[name]
    facts = facts_of(cipher, Architecture.choose(cipher, load_width=width))
    assert facts.load_order.partition("the first bit in payload bit 0")[2] == told


@pytest.mark.parametrize("cipher", CATALOGUE.values(), ids=lambda cipher: cipher.name)
def test_a_default_is_told_though_it_is_unsaid(cipher: Cipher) -> None:
    architecture = Architecture.choose(cipher)
    for option in cipher.choices:
        assert architecture[option.name] == option.default
        assert option.unsaid == (option.name not in architecture.options)
