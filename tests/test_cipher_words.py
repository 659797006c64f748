# SPDX-License-Identifier: Apache-2.0
"""Ciphers of words: loads that overwrite, and forms that change nothing."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from headwater.algebra.word import IntegerWord, rotate_left, unnamed
from headwater.cipher.snow3g import DIV_ALPHA, MUL_ALPHA, SNOW_3G, mulx_power, times
from headwater.cipher.snow5g import SNOW_5G
from headwater.cipher.zuc import ZUC, ZUC_256, add_modulo_p
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment
from headwater.verify.vector_files import own_files, read_file

CIPHERS = [ZUC, ZUC_256, SNOW_3G, SNOW_5G]
EACH = pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
P = 2**31 - 1


def forms(cipher: WordCipher) -> list[dict[str, str]]:
    """Every combination of the choices of how the step is made."""
    names = [form.name for form in cipher.forms]
    values = product(*(form.values for form in cipher.forms))
    return [dict(zip(names, chosen, strict=True)) for chosen in values]


EVERY_FORM = pytest.mark.parametrize(
    ("cipher", "form", "radix"),
    [
        pytest.param(cipher, form, radix, id="-".join((cipher.name, *form.values(), str(radix))))
        for cipher in CIPHERS
        for form in forms(cipher)
        for radix in cipher.legal_radices()
    ],
)


def key_and_iv(cipher: WordCipher, seed: int) -> tuple[bytes, bytes]:
    source = Random(seed)
    return source.randbytes(cipher.key_bits // 8), source.randbytes(cipher.iv_bits[-1] // 8)


@EVERY_FORM
def test_form_gives_the_same_keystream(
    cipher: WordCipher, form: dict[str, str], radix: int
) -> None:
    for seed in range(3):
        key, iv = key_and_iv(cipher, seed)
        plain = Keystream(cipher, key=key, iv=iv).read(2000)
        assert Keystream(cipher.formed(form, radix), key=key, iv=iv).read(2000) == plain


@EVERY_FORM
def test_load_leaves_nothing_of_the_state_before(
    cipher: WordCipher, form: dict[str, str], radix: int
) -> None:
    made, source = cipher.formed(form, radix), Random(7)
    lanes = made.load_lanes(*key_and_iv(cipher, 1))
    states = [
        [
            IntegerWord(source.getrandbits(register.length), register.length)
            for register in made.registers
        ]
        for _ in range(2)
    ]
    for step, bits in enumerate(zip(*lanes, strict=True)):
        entering = IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), len(bits))
        controls = {
            name: IntegerWord(int(made.control_at(name, step - made.load_steps)), 1)
            for name in made.controls
        }
        for number, state in enumerate(states):
            after = made.load.enter(unnamed, *state, entering=entering, **controls)
            states[number] = [after[register.name] for register in made.registers]
    one, other = ([word.value for word in state] for state in states)
    assert one == other


# --- cores


WIDTHS = {
    "zuc": [16, 32, 64, 128, 256],
    "zuc256": [24, 48, 96, 192, 384],
    "snow3g": [32, 64, 128, 256],
    "snow5g": [32, 64, 96, 128, 192, 384],
}


@EACH
def test_load_widths(cipher: WordCipher) -> None:
    assert list(cipher.legal_load_widths(cipher.word_bits)) == WIDTHS[cipher.name]
    for width in WIDTHS[cipher.name]:
        architecture = Architecture.choose(cipher, load_width=width)
        facts = facts_of(cipher, architecture)
        steps = len(facts.load_words(*key_and_iv(cipher, 1)))
        assert steps == cipher.load_bits // width
        assert facts.setup_cycles == steps + cipher.blank_steps
    message = f"^load width of {cipher.name} must be one of .*, {WIDTHS[cipher.name][-1]}, not 40$"
    with pytest.raises(InputError, match=message):
        Architecture.choose(cipher, load_width=40)


def test_a_folded_setup_takes_as_many_times_the_cycles() -> None:
    for radix, cycles in ((128, 16), (64, 32), (32, 64)):
        facts = facts_of(SNOW_5G, Architecture.choose(SNOW_5G, radix=radix))
        assert (facts.setup_cycles, facts.bits_per_cycle) == (12 + cycles, radix)
    assert Architecture.choose(SNOW_5G).radix == 128
    with pytest.raises(InputError, match=r"^radix of snow5g must be one of 32, 64, 128, not 16$"):
        Architecture.choose(SNOW_5G, radix=16)


def test_early_sum_limits_the_load() -> None:
    message = (
        "^load width of zuc with sbox=algebraic feedback=early must be one of 16, 32, 64, 128, "
        "not 256$"
    )
    with pytest.raises(InputError, match=message):
        Architecture.choose(ZUC, load_width=256, options={"feedback": "early"})


@EVERY_FORM
@pytest.mark.parametrize("stall", ["stream", "none"])
def test_every_form_in_hardware(
    cipher: WordCipher, form: dict[str, str], radix: int, stall: str
) -> None:
    width = WIDTHS[cipher.name][len(stall) % 4]
    architecture = Architecture.choose(
        cipher, radix=radix, load_width=width, options={**form, "stall": stall}
    )
    gaps = 300 if stall == "stream" else 0
    engine = RtlEngine(cipher, architecture, gaps_permille=gaps)
    (path,) = (path for path in own_files(cipher) if path.stem == cipher.name)
    record = check_vectors(read_file(path, cipher), engine, architecture)
    assert (record.failures, record.skipped) == ((), 0)
    assert (
        engine.setup_cycles(*key_and_iv(cipher, 1)) == facts_of(cipher, architecture).setup_cycles
    )
    made = generate(cipher, architecture)
    assert verilator.lint(made.name, made.text) == []


def test_keystream_of_another_cipher_fails_every_vector() -> None:
    """The vectors bite."""
    vectors = read_file(own_files(SNOW_3G)[0], SNOW_3G)
    right = ModelEngine(SNOW_3G).run([Segment(*key_and_iv(ZUC, 5), 0, 64)])
    assert check_vectors(vectors, ModelEngine(ZUC)).failed == len(vectors.vectors)
    assert ModelEngine(ZUC).run([Segment(*key_and_iv(ZUC, 5), 0, 64)]) != right


@EACH
def test_options_are_declared(cipher: WordCipher) -> None:
    names = [option.name for option in cipher.choices]
    assert names == ["stall", "clear", *(form.name for form in cipher.forms), "streams"]


# --- the pieces


@pytest.mark.parametrize("terms", [2, 3, 5, 6, 7])
def test_sum_modulo_p(terms: int) -> None:
    source = Random(terms)
    extremes = [1, 2, P, P - 1, 2**30]
    for trial in range(400):
        values = [
            source.choice(extremes) if trial % 2 else source.randrange(1, P + 1)
            for _ in range(terms)
        ]
        found = add_modulo_p(unnamed, *(IntegerWord(value, 31) for value in values)).value
        assert 1 <= found <= P
        assert found % P == sum(values) % P


def test_rotation_is_a_product_modulo_p() -> None:
    for places in (8, 15, 17, 20, 21):
        word = IntegerWord(0x5A5A1234, 31)
        assert rotate_left(word, places).value == word.value * 2**places % P


@pytest.mark.parametrize(
    ("images", "powers"), [(MUL_ALPHA, (23, 245, 48, 239)), (DIV_ALPHA, (16, 39, 6, 64))]
)
def test_linear_maps_are_products_in_the_field(
    images: tuple[int, ...], powers: tuple[int, ...]
) -> None:
    for byte in range(256):
        expected = bytes(mulx_power(byte, power, 0xA9) for power in powers)
        assert times(images, IntegerWord(byte, 8)).value == int.from_bytes(expected, "big")
