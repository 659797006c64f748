# SPDX-License-Identifier: Apache-2.0
"""Fields of 2^n elements and linear maps of bits."""

from __future__ import annotations

import random

import pytest

from headwater.algebra.field import Field, LinearMap, express, transposed

AES = Field(0x11B)
POLYNOMIALS = (0b111, 0b10011, 0x11B, 0x169, 0x18B)


def test_published_products() -> None:
    # FIPS 197, section 4.2.
    assert AES.multiply(0x57, 0x83) == 0xC1
    assert AES.multiply(0x57, 0x13) == 0xFE
    assert (AES.degree, AES.size) == (8, 256)


@pytest.mark.parametrize("polynomial", POLYNOMIALS)
def test_field_laws(polynomial: int) -> None:
    field = Field(polynomial)
    source = random.Random(polynomial)
    for _ in range(50):
        a, b, c = (source.randrange(field.size) for _ in range(3))
        assert field.multiply(a, b) == field.multiply(b, a)
        assert field.multiply(a, b ^ c) == field.multiply(a, b) ^ field.multiply(a, c)
        assert field.multiply(field.multiply(a, b), c) == field.multiply(a, field.multiply(b, c))


@pytest.mark.parametrize("polynomial", POLYNOMIALS)
def test_inverse(polynomial: int) -> None:
    field = Field(polynomial)
    assert field.inverse(0) == 0
    for element in range(1, field.size):
        assert field.multiply(element, field.inverse(element)) == 1


def test_power() -> None:
    assert AES.power(0, 0) == AES.power(7, 0) == 1
    assert AES.power(3, 1) == 3
    assert AES.power(3, 3) == AES.multiply(3, AES.multiply(3, 3))
    assert AES.power(3, 255) == 1


@pytest.mark.parametrize("degree", [1, 2, 4, 8])
def test_subfield(degree: int) -> None:
    elements = AES.subfield(degree)
    assert len(elements) == 1 << degree
    assert {AES.multiply(a, b) for a in elements for b in elements} == set(elements)
    assert {a ^ b for a in elements for b in elements} == set(elements)


def test_map_and_its_rows() -> None:
    swap = LinearMap((2, 1))
    fold = LinearMap((1, 1, 2))
    assert [swap(value) for value in range(4)] == [0, 2, 1, 3]
    assert fold(0b111) == 0b10
    assert fold.rows(2) == (0b011, 0b100)
    assert swap.after(fold).images == (2, 2, 1)
    assert transposed(fold.rows(2), 3) == fold.images


@pytest.mark.parametrize("seed", range(20))
def test_inverse_of_a_map(seed: int) -> None:
    source = random.Random(seed)
    while True:
        candidate = LinearMap(tuple(source.randrange(1, 256) for _ in range(8)))
        if len({candidate(value) for value in range(256)}) == 256:
            break
    inverse = candidate.inverse()
    assert all(inverse(candidate(value)) == value for value in range(256))
    assert candidate.after(inverse).images == tuple(1 << place for place in range(8))


@pytest.mark.parametrize("images", [(1, 1), (0, 1), (4, 1), (1, 2, 3)])
def test_no_inverse(images: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"^a map to be inverted must be one to one, not Linear"):
        LinearMap(images).inverse()


def test_express() -> None:
    assert express([0b110, 0b011, 0], [0b101, 0b011, 0b110]) == [0b011, 0b010, 0]
    with pytest.raises(ValueError, match=r"^a wanted vector must be a sum of given ones, not 0x1$"):
        express([1], [0b110, 0b011])
