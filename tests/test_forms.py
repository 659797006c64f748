# SPDX-License-Identifier: Apache-2.0
"""A form of a description against its plain text: proven, compared at drawn states, and refuted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headwater.algebra.word import IntegerWord, add, choose, rotate_left, unnamed
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.option import Option
from headwater.cipher.register import Register
from headwater.cipher.zuc import add_modulo_p
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.registry import properties_of
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.form import (
    Operands,
    after_load,
    compared_load,
    compared_step,
    is_alike,
)
from headwater.kinds.stepped.word_cipher import Entered, WordCipher
from headwater.verify.proof import prove

ALIKE = ("zuc256_iv25", "snow2", "snow_v")
"""Ciphers whose forms are those of another one of the catalogue, made by the same functions."""
FORMS = [
    (cipher.name, radix, dict(zip((form.name for form in cipher.forms), values, strict=True)))
    for cipher in CATALOGUE.values()
    if isinstance(cipher, WordCipher) and cipher.form and cipher.name not in ALIKE
    for radix in cipher.legal_radices()
    for values in product(*(form.values for form in cipher.forms))
]
"""Every form of every cipher of words, at every radix."""


def form_of(name: str, radix: int, options: dict[str, str]) -> WordCipher:
    cipher = find(name)
    assert isinstance(cipher, WordCipher)
    return cipher.formed(options, radix)


@pytest.mark.parametrize(("name", "radix", "options"), FORMS, ids=str)
def test_each_form_is_proven_to_be_its_plain_description(
    name: str, radix: int, options: dict[str, str]
) -> None:
    cipher = find(name)
    architecture = Architecture.choose(cipher, radix=radix, options=options)
    (record,) = prove(cipher, architecture, only=["form"])
    assert (record.passed, record.failures) == (1, ())


@pytest.mark.parametrize(("name", "radix", "options"), FORMS, ids=str)
def test_each_form_is_its_plain_description_at_drawn_states(
    name: str, radix: int, options: dict[str, str]
) -> None:
    assert differing(form_of(name, radix, options)) == set()


def differing(form: WordCipher, states: int = 40) -> set[str]:
    """What differs between a form and its plain description at some states, drawn at random."""
    plain, draw, found = form.plain, Random(1), set()
    assert plain is not None
    parts = {
        "step": (compared_step, (*plain.phases, Phase("running", 1))),
        "load": (compared_load, plain.load_phases),
    }
    for (part, (compared, phases)), number in product(parts.items(), range(states)):
        phase = phases[number % len(phases)]
        controls = {name: IntegerWord(name in phase.controls, 1) for name in plain.controls}
        entering = drawn(draw, plain.lane_count)
        given = Operands(entering, controls, plain.constants, form.constants)
        found |= {
            f"{part} {name}"
            for name, one, other in compared(form, some_state(plain, draw), given, no_names)
            if one.value != other.value
        }
    return found | left_by_a_load(form, draw)


def left_by_a_load(form: WordCipher, draw: Random) -> set[str]:
    """Registers that a whole load leaves as the state before it says."""
    words = [drawn(draw, form.lane_count) for _ in range(form.load_steps)]
    behind = [
        after_load(
            form,
            some_state(form, draw),
            words,
            form.constants,
            lambda bit: IntegerWord(bit, 1),
            no_names,
        )
        for _ in range(3)
    ]
    return {f"left {name}" for name in behind[0] if len({one[name].value for one in behind}) > 1}


def some_state(cipher: WordCipher, draw: Random) -> dict[str, IntegerWord]:
    return {register.name: drawn(draw, register.length) for register in cipher.registers}


def drawn(draw: Random, bits: int) -> IntegerWord:
    return IntegerWord(draw.getrandbits(bits), bits)


def no_names(_suffix: str) -> Any:
    return unnamed


def summed(wire: Any, a: Any, b: Any, *, adding: Any, wrong: bool = False) -> Any:
    """A word from two registers; a ``wrong`` form inverts one in 2^32."""
    output = wire(add(a, b), "output")
    if wrong:
        rare = wire(a ^ 0, "rare")
        ones = rare[0]
        for place in range(1, 32):
            ones = ones & rare[place]
        output = choose(ones, ~output, output)
    after = wire(rotate_left(a, 7) ^ b, "after")
    return output, {"a": b, "b": after ^ (output & adding.replicate(32))}


def entered(
    wire: Any,
    _a: Any,
    b: Any,
    *kept: Any,
    entering: Any,
    adding: Any,  # noqa: ARG001
) -> Any:
    """Two steps fill both registers; a form with a third one does not fill that."""
    return {"a": b, "b": wire(entering, "entered"), **({"c": kept[0]} if kept else {})}


def remembering(wire: Any, a: Any, b: Any, c: Any, *, adding: Any) -> Any:
    """Right from a state whose third register is zero, which nothing makes so."""
    output, after = summed(wire, a, b, adding=adding)
    return output ^ c, {**after, "c": c}


def made(shape: str = "plain", rounds: int = 4, places: Any = None) -> WordCipher:
    names = "abc" if shape in ("remembers", "unplaced") else "ab"
    steps = {
        "other": partial(summed, wrong=True),
        "remembers": remembering,
        "unplaced": remembering,
    }
    return WordCipher(
        name="summed",
        title="Summed",
        source="a test",
        security="not for use",
        key_bits=32,
        iv_bits=(32,),
        bit_order="lsb_first",
        convention="First bytes first.",
        registers=tuple(Register(name, newest=0, oldest=31) for name in names),
        lanes=lambda key, iv: tuple([key[lane], iv[lane]] for lane in range(32)),
        load=Entered((Phase("load", 2),), enter=entered),
        phases=(Phase("mix", rounds, ("adding",)),),
        step=steps.get(shape, summed),
        word_bits=32,
        forms=(Option("shape", SHAPES, "the test's", "none"),),
        form=lambda shape: made(
            shape, 3 if shape == "shorter" else 4, no_sum if shape == "remembers" else None
        ),
        places=places,
    )


def no_sum(_wire: Any, state: Any) -> Any:
    return {"c": state["a"] & 0}


SHAPES = ("plain", "same", "other", "shorter", "remembers", "unplaced")

OUTSIDE = made()


def proof_of(shape: str, traces: Path | None = None) -> Any:
    architecture = Architecture.choose(OUTSIDE, options={"shape": shape})
    (record,) = prove(OUTSIDE, architecture, traces, only=["form"])
    return record


def test_a_right_form_from_outside_is_proven() -> None:
    assert proof_of("same").failures == ()


def test_a_form_that_is_wrong_once_in_2_to_the_32_is_refuted_with_a_trace(tmp_path: Path) -> None:
    """No vector and no other proof finds it: the core is what the form says."""
    (failure,) = proof_of("other", tmp_path).failures
    (trace,) = tmp_path.iterdir()
    assert "it is not true that the form of the description" in failure
    assert failure.endswith(f"{trace} shows it")
    assert differing(OUTSIDE.formed({"shape": "other"})) == set()


def test_a_form_with_another_setup_is_refuted() -> None:
    assert not is_alike(OUTSIDE.formed({"shape": "shorter"}))
    assert proof_of("shorter").failures != ()


def test_a_form_that_a_load_does_not_fill_is_refuted() -> None:
    """From each state that has a place it is right; after power-up it may be in none of them."""
    assert proof_of("remembers").failures != ()
    assert differing(OUTSIDE.formed({"shape": "remembers"})) == {"left c"}


def test_a_form_must_say_where_its_registers_come_from() -> None:
    with pytest.raises(
        InputError,
        match=r"^place of c in a form of summed must be a word of 32 bits, not of 0$",
    ):
        proof_of("unplaced")


def test_drawn_states_find_a_wrong_place() -> None:
    early = form_of("zuc", 32, {"sbox": "table", "feedback": "early"})
    assert early.places is not None
    wrong = replace(
        early, places=lambda wire, state: {**early.places(wire, state), "s0": state["s0"][:16]}
    )
    assert "step s0" in differing(wrong)


def test_a_sum_modulo_p_is_that_of_any_number_of_terms_in_any_order() -> None:
    """Of narrow words, all of them. That of three terms is a law of ZUC, proven of its words."""
    for count, bits in ((7, 2), (5, 3)):
        for values in product(range(2**bits), repeat=count):
            terms = [IntegerWord(value, bits) for value in values]
            whole = add_modulo_p(unnamed, *terms).value
            assert whole == ((sum(values) - 1) % (2**bits - 1) + 1 if any(values) else 0)
            older = add_modulo_p(unnamed, *terms[:-2])
            assert add_modulo_p(unnamed, older, *terms[-2:]).value == whole


def test_a_step_that_a_law_does_not_allow_is_refused() -> None:
    early = form_of("zuc", 32, {"sbox": "table", "feedback": "early"})
    assert early.rewritten is not None
    assert is_alike(early)

    def wrong(*words: Any, **others: Any) -> Any:
        output, after = early.rewritten(*words, **others)
        return output, {**after, "s15": after["s15"] ^ after["s14"]}

    assert not is_alike(replace(early, rewritten=wrong))


def test_a_mode_of_zuc_proves_the_law_of_its_sums() -> None:
    architecture = Architecture.choose(find("eea3"), options={"feedback": "early"})
    names = [one.name for one in properties_of(find("eea3"), architecture)]
    assert {"form", "sums_in_any_order"} <= set(names)
