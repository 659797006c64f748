# SPDX-License-Identifier: Apache-2.0
"""What is refused of a description from outside, and in which words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from headwater.algebra.word import add, lookup, table_word
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.checks import check_description
from headwater.cipher.description import Cipher
from headwater.cipher.grain import GRAIN_128A_AE
from headwater.cipher.lizard import LIZARD
from headwater.cipher.mickey import MICKEY_2
from headwater.cipher.mosquito import MOSQUITO
from headwater.cipher.snow3g import SNOW_3G
from headwater.cipher.telephony import EIA3
from headwater.cipher.trivium import TRIVIUM, step
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.stepped.description import Injected, Phase, Placed

WORDS = replace(SNOW_3G, form=None, forms=(), folds=())
"""SNOW 3G without options of its step, so that its own step is the one that is read."""


def with_step(change: Callable[[Any, dict[str, Any]], object]) -> dict[str, Any]:
    """Trivium's step with another output, or other bits that enter."""

    def changed(wire: Any, *windows: Any) -> tuple[Any, Mapping[str, Any]]:
        output, entering = step(wire, *windows)
        into = dict(entering)
        other = change(output, into)
        return (output if other is None else other), into

    return {"step": changed}


def with_word_step(cipher: Any, change: Callable[[Any, dict[str, Any]], object]) -> dict[str, Any]:
    """A cipher's step of words with another output, or another content of the registers."""

    def changed(wire: Any, *words: Any, **operands: Any) -> tuple[Any, Mapping[str, Any]]:
        output, after = cipher.step(wire, *words, **operands)
        into = dict(after)
        other = change(output, into)
        return (output if other is None else other), into

    return {"step": changed}


def loaded(change: Callable[[dict[str, list[Any]]], object]) -> dict[str, Any]:
    """Trivium's load with other content."""

    def content(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
        found = {name: list(bits) for name, bits in TRIVIUM.load.content(key, iv).items()}
        change(found)
        return found

    return {"load": Placed(content)}


def kept(wire: Any, *words: Any, **operands: Any) -> Mapping[str, Any]:
    """SNOW 3G's load, which leaves its first register as it is."""
    return {**SNOW_3G.load.enter(wire, *words, **operands), "s0": words[0]}


def first_register(**changed: Any) -> dict[str, Any]:
    """Trivium's registers, the first one changed."""
    first, *others = TRIVIUM.registers
    return {"registers": (replace(first, **changed), *others)}


EARLY = MICKEY_2.early
NO_NAME = "must have a name of letters, digits and _ that Verilog leaves free"
REFUSED = [
    (TRIVIUM, {"security": None}, "security of x must be str, not None"),
    (TRIVIUM, {"key_bits": "80"}, "key_bits of x must be int, not '80'"),
    (TRIVIUM, {"iv_bits": 80}, "iv_bits of x must be tuple[int, ...], not 80"),
    (TRIVIUM, {"load": 3}, "load of x must be Placed, not 3"),
    (
        TRIVIUM,
        {"phases": [Phase("blank", 9)]},
        "phases of x must be tuple[Phase, ...], not [Phase(name='blank', steps=9, controls=())]",
    ),
    (
        TRIVIUM,
        {"phases": (Phase("blank", 9, ["mixing"]),)},  # type: ignore[arg-type]
        "controls of blank of x must be tuple[str, ...], not ['mixing']",
    ),
    (TRIVIUM, {"key_bits": 35}, "key_bits of x must be a multiple of 8, not 35"),
    (
        TRIVIUM,
        {"iv_bits": (32, 32)},
        "iv_bits of x must be lengths in ascending order, not (32, 32)",
    ),
    (TRIVIUM, {"first_iv_bit": 2}, "first_iv_bit of x must be 0, 1 or None, not 2"),
    (
        TRIVIUM,
        {"input_order": "msb"},
        (
            "input_order of x must be one of lsb_first, msb_first, not 'msb' (did you mean "
            "'msb_first'?)"
        ),
    ),
    (TRIVIUM, first_register(name="s-1"), f"register {NO_NAME}, not 's-1'"),
    (TRIVIUM, first_register(name="reg"), f"register {NO_NAME}, not 'reg'"),
    (TRIVIUM, first_register(name="b"), "registers of x must have a name each, not b twice"),
    (
        TRIVIUM,
        {"phases": (Phase("blank", -5),)},
        "phase blank of x must have one step at least, not -5",
    ),
    (
        TRIVIUM,
        {"phases": (Phase("blank", 9, ("mix ing",)),)},
        f"control {NO_NAME}, not 'mix ing'",
    ),
    (
        TRIVIUM,
        {"rewrites": {"late": step}},
        "control of rewrites of x must be one of none, not 'late'",
    ),
    (
        TRIVIUM,
        loaded(lambda found: found["a"].__setitem__(slice(0, 1), [0])),
        "load of x must hold every bit, but key bit 79 is missing",
    ),
    (
        TRIVIUM,
        loaded(lambda found: found["a"].__setitem__(92, 2)),
        "load of x must put bits into a, not 2",
    ),
    (
        TRIVIUM,
        loaded(lambda found: found["b"].append(0)),
        "register b must be loaded with 84 bits, not 85",
    ),
    (
        TRIVIUM,
        loaded(lambda found: found.update(d=[0])),
        "load of x must give each of a, b, c, not a, b, c, d",
    ),
    (TRIVIUM, {"word_bits": 2}, "word_bits of x must be 1, as its step gives a bit, not 2"),
    (
        TRIVIUM,
        {"form_on_fpga": "fast"},
        "form_on_fpga of x must be one of fibonacci, galois, ahead, not 'fast'",
    ),
    (
        TRIVIUM,
        with_step(lambda z, _: z ^ z),
        "output of x must depend on a register, not be constant",
    ),
    (
        TRIVIUM,
        with_step(lambda *_: 1),
        "output of step of x must be made of bits of the registers, not 1",
    ),
    (
        TRIVIUM,
        with_step(lambda _, into: into.update(b=0)),
        "b of step of x must be made of bits of the registers, not 0",
    ),
    (
        TRIVIUM,
        with_step(lambda _, into: into.__delitem__("b")),
        "step of x must give each of a, b, c, not a, c",
    ),
    (
        TRIVIUM,
        {"step": lambda *_: None},
        "step of x must give its output and its registers, not None",
    ),
    (
        TRIVIUM,
        {"step": lambda _wire, a, *_others: (a(200), {})},
        "stage of register a must lie between 1 and 93, not 200",
    ),
    (
        MICKEY_2,
        with_word_step(MICKEY_2, lambda _, into: into["r"][:2]),
        "output of step of x must be a word of 1 bits, not of 2",
    ),
    (
        MICKEY_2,
        with_word_step(MICKEY_2, lambda _, into: into.update(r=into["r"][1:])),
        "r of step of x must be a word of 100 bits, not of 99",
    ),
    (
        MICKEY_2,
        {"early_step": replace(EARLY, names=("control_r",))},
        (
            "decide of early_step of x must give each of control_r, not control_r, feedback_r, "
            "feedback_0, feedback_1, feedback_s"
        ),
    ),
    (
        MICKEY_2,
        {"early_step": replace(EARLY, output=lambda _, r, s: r ^ s)},
        "output of early_step of x must be a word of 1 bits, not of 100",
    ),
    (
        MICKEY_2,
        {"load": Injected((Phase("load", 5, ("mixing",)),), any_length=True)},
        "phases of the load of x must have 160 steps in all, as the longest load, not 5",
    ),
    (MICKEY_2, {"radices": (0, 2)}, "radices of x must be numbers from 1 on, not (0, 2)"),
    (WORDS, {"word_bits": 31}, "output of step of x must be a word of 31 bits, not of 32"),
    (
        WORDS,
        with_word_step(WORDS, lambda z, _: lookup(z[:5], table_word(range(64), 8))),
        "output of step of x must be a word of 32 bits, not of 16",
    ),
    (
        WORDS,
        with_word_step(WORDS, lambda z, _: z ^ z[:31]),
        "step of x must be readable: words must have equal lengths, not 32 and 31",
    ),
    (
        WORDS,
        with_word_step(WORDS, lambda _, into: into.update(r1=7)),
        "r1 of step of x must be a word of 32 bits, not 7",
    ),
    (
        WORDS,
        {"load": replace(SNOW_3G.load, enter=kept)},
        "load of x must replace all of s0, not depend on what it was before",
    ),
    (
        MOSQUITO,
        {"stages": MOSQUITO.stages[:-1]},
        "last stage of x must have one bit, not 3",
    ),
    (
        MOSQUITO,
        {"radices": (9,)},
        "radices of x must be at most 8, the number of its stages, not 9",
    ),
    (
        MOSQUITO,
        {"cells": MOSQUITO.cells[1:]},
        "cell q2 of x must read cells before it, not address 1",
    ),
    (
        MOSQUITO,
        {"cells": (*MOSQUITO.cells, MOSQUITO.cells[-1])},
        "cells of x must have the addresses 1 to 129, once each",
    ),
    (
        CHACHA20,
        {"rounds": 11, "legal_rounds": (11,)},
        "legal_rounds of x must be even numbers, not (11,)",
    ),
    (CHACHA20, {"legal_rounds": 12}, "legal_rounds of x must be tuple[int, ...], not 12"),
    (
        CHACHA20,
        {"rounds": 10},
        "rounds of x must be one of 20, not '10' (did you mean '20'?)",
    ),
    (CHACHA20, {"iv_bits": (64, 96)}, "iv_bits of x must be one multiple of 32, not 64, 96"),
    (CHACHA20, {"iv_bits": (80,)}, "iv_bits of x must be one multiple of 32, not 80"),
    (CHACHA20, {"counter_bits": 0}, "counter_bits of x must be one multiple of 32, not 0"),
    (
        CHACHA20,
        {"bit_order": "msb_first"},
        ("bit_order of x must be lsb_first, as its words are little-endian, not 'msb_first'"),
    ),
    (
        CHACHA20,
        {"key_bits": 128},
        "key_bits of x must be one of 256, not '128'",
    ),
    (
        CHACHA20,
        {"legal_keys": (256, 128)},
        "legal_keys of x must be one of 256, not '128'",
    ),
    (CHACHA20, {"iv_bits": (64,)}, "matrix of x must give 16 words, not 15"),
    (
        TRIVIUM,
        {"counter_bits": 32},
        "counter_bits of x must be left out, as no cipher of its kind uses it",
    ),
    (
        TRIVIUM,
        {"shorter_keys": (64,)},
        "shorter_keys of x must be left out, as no cipher of its kind uses it",
    ),
    (
        MICKEY_2,
        {"first_bit_on_top": True},
        "first_bit_on_top of x must be left out, as no cipher of its kind uses it",
    ),
    (
        CHACHA20,
        {"first_round": ((0, 4, 8, 16), *CHACHA20.first_round[1:])},
        (
            "each round of x must have the places 0 to 15 once, not ((0, 4, 8, 16), (1, 5, 9, 13), "
            "(2, 6, 10, 14), (3, 7, 11, 15))"
        ),
    ),
    (
        LIZARD,
        {"rewrites": {"key_addition": lambda *words: {"b": words[0][:40]}}},
        "b of rewriting of x at key_addition must be a word of 90 bits, not of 40",
    ),
    (
        MOSQUITO,
        {"cells": (replace(MOSQUITO.cells[0], key=96), *MOSQUITO.cells[1:])},
        "key of cell q1 of x must be a bit from 0 to 95, not 96",
    ),
    (
        EIA3,
        {"second": "fesh"},
        "second of x must be one of bearer, fresh, not 'fesh' (did you mean 'fresh'?)",
    ),
    (
        GRAIN_128A_AE,
        {"refill": lambda y, _q, **_controls: ~y},
        "refill of x must give q what its step gives it in the setup",
    ),
    (GRAIN_128A_AE, {"tag_bits": 31}, "tag_bits of x must be a multiple of 8, not 31"),
    (
        GRAIN_128A_AE,
        {"tag_bits": 16},
        "register q of x must have two stages for each of 16 bits of the tag, 32 in all, not 64",
    ),
    (
        GRAIN_128A_AE,
        {"authenticator": "acc"},
        "authenticator of x must be one of b, s, q, not 'acc'",
    ),
    (
        GRAIN_128A_AE,
        {"phases": (Phase("initialization", 63, ("feedback",)),)},
        "phases of x must have 64 steps at least, which fill the authenticator, not 63",
    ),
]


@pytest.mark.parametrize(("cipher", "changed", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_a_description_that_is_refused(
    cipher: Cipher, changed: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError) as refused:
        check_description(replace(cipher, name="x", **changed))
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda _, into: into.update(a=into["a"] ^ 1),
            r"unsupported operand type\(s\) for \^: 'Polynomial' and 'int'",
        ),
        (
            lambda _, into: into.update(a=into["a"] if into["b"] else into["c"]),
            "a bit of a description has no value: it goes with & ^ | ~, not with if",
        ),
    ],
)
def test_an_error_of_python_in_a_step(change: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=reason.replace("^ |", r"\^ \|")):
        check_description(replace(TRIVIUM, name="x", **with_step(change)))


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_description_of_the_package_would_be_taken(name: str) -> None:
    check_description(CATALOGUE[name])


def test_a_setup_ends_with_a_cycle_and_a_tag_with_a_word() -> None:
    first, *others = GRAIN_128A_AE.phases
    longer = replace(GRAIN_128A_AE, phases=(replace(first, steps=first.steps + 4), *others))
    assert longer.blank_steps == GRAIN_128A_AE.blank_steps + 4
    assert longer.legal_radices() == (1, 2, 4)
    assert replace(GRAIN_128A_AE, tag_bits=40).legal_radices() == (1, 2, 4, 8, 64)


def test_a_quarter_round_has_an_addition_for_each_stage() -> None:
    def short(wire: Any, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
        return wire(add(a, b)), b ^ c, wire(add(c, d)), d ^ a

    cipher = replace(CHACHA20, name="x", quarter_round=short)
    with pytest.raises(InputError) as refused:
        Architecture.choose(cipher, radix=512, options={"fold": "stages2"})
    assert str(refused.value) == (
        "fold of x must not be 'stages2': a quarter round has 1 additions in a row, and each stage "
        "needs one"
    )


def test_a_quarter_round_has_the_operations_of_every_reading() -> None:
    def masked(wire: Any, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
        return wire(add(a, b)), b & c, c, d

    with pytest.raises(TypeError, match="unsupported operand type"):
        check_description(replace(CHACHA20, name="x", quarter_round=masked))


def test_an_iv_of_another_mode_is_refused_in_every_kind() -> None:
    cipher = replace(TRIVIUM, name="x", first_iv_bit=1)
    assert cipher.input_bits(bytes(10), b"\x01" + bytes(9))
    with pytest.raises(InputError, match=r"^bit 0 of the IV of x must be 1, not 0$"):
        cipher.input_bits(bytes(10), bytes(10))
