# SPDX-License-Identifier: Apache-2.0
"""Names of signals that follow from a description's variables, and parts of values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest
from amaranth.hdl import Array, Cat, Const, Fragment, Module, Signal, Value
from amaranth.hdl._ast import Concat, Slice

from headwater.cipher.keywords import is_keyword
from headwater.core.naming import Naming, named, part


@pytest.fixture
def module() -> Iterator[Module]:
    """A module that is elaborated in the end, as Amaranth expects of every module."""
    made = Module()
    yield made
    Fragment.get(made, None)


def test_a_signal_is_called_after_its_variable(module: Module) -> None:
    wire = Naming(module, "_2")
    feedback = wire(Const(1))
    assert feedback.name == "feedback_2"
    assert wire(Const(1), "mask").name == "mask_2"


def test_keywords_of_verilog_get_an_underscore(module: Module) -> None:
    wire = Naming(module)
    output = wire(Const(1))
    always = wire(Const(1))
    assert (output.name, always.name) == ("output_", "always_")


def test_what_has_no_variable_is_a_value(module: Module) -> None:
    assert [Naming(module)(Const(1))][0].name == "value"


def bits_of(value: Value) -> list[tuple[str, int]]:
    """Each bit of what is only wiring, as signal and place."""
    if isinstance(value, Slice):
        return bits_of(value.value)[value.start : value.stop]
    if isinstance(value, Concat):
        return [bit for one in value.parts for bit in bits_of(one)]
    assert isinstance(value, Signal)
    return [(value.name, place) for place in range(len(value))]


def test_a_part_of_wiring_is_made_of_parts_of_its_signals() -> None:
    one, other = Signal(5, name="one"), Signal(4, name="other")
    wiring = Cat(Cat(reversed(list(one)))[1:], other[1:3], Cat(other, one[:2])[2:5])
    for low, high in combinations_with_replacement(range(len(wiring) + 1), 2):
        found = part(wiring, low, high)
        assert bits_of(found) == bits_of(wiring)[low:high]
        assert all(isinstance(cut, Signal) for cut in cut_from(found))


def cut_from(value: Value) -> list[Value]:
    """What the parts of concatenations, at any depth, are cut from."""
    if isinstance(value, Concat):
        return [cut for one in value.parts for cut in cut_from(one)]
    return [value.value if isinstance(value, Slice) else value]


def test_a_part_of_what_is_made_is_cut_from_it() -> None:
    made = part(Cat(Signal(2, name="one"), ~Signal(4, name="other")), 3, 5)
    assert isinstance(made, Slice)
    assert (made.start, made.stop, len(made.value)) == (1, 3, 4)


@pytest.mark.parametrize("name", ["reg", "logic", "begin", "checker", "int"])
def test_keywords(name: str) -> None:
    assert is_keyword(name)
    assert not is_keyword(f"{name}_in")


def test_a_choice_from_a_list_gets_a_name(module: Module) -> None:
    words = Array([Signal(4, name="first"), Signal(4, name="second")])
    assert len(named(module, "chosen", words[Signal(name="index")])) == 4
