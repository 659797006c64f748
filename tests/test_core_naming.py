# SPDX-License-Identifier: Apache-2.0
"""Names of signals that follow from a description's variables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from amaranth.hdl import Const, Fragment, Module

from headwater.cipher.keywords import is_keyword
from headwater.core.naming import Naming


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


@pytest.mark.parametrize("name", ["reg", "logic", "begin", "checker", "int"])
def test_keywords(name: str) -> None:
    assert is_keyword(name)
    assert not is_keyword(f"{name}_in")
