# SPDX-License-Identifier: Apache-2.0
"""What a message machine is made of: registers, operations on them, and the parts of a message.

A *function* of a description is written with `def`. It takes its parameters by name: registers,
constants of the cipher, what the operation offers beside them, and ``wire``, which names a value.
It gives a mapping of the registers that change to their new words; the others keep theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Function = Callable[..., Any]


@dataclass(frozen=True)
class Register:
    """A register of the machine. It is zero when a session begins."""

    name: str
    """Its name in functions, in the Verilog and in reports."""
    bits: int
    """Its length."""


@dataclass(frozen=True)
class Take:
    """Take bits of key, nonce or initial value in: the next ones, in words of the load.

    Either they are shifted ``into`` a register from its top, so that the first bit arrives in bit 0
    if the register has as many bits; or ``enter(wire, ..., block)`` is what they do, where
    ``block`` has as many bits as ``block_bits``, and holds them with the first one in bit 0.
    """

    source: Literal["key", "nonce", "initial"]
    bits: int
    into: str = ""
    enter: Function | None = None
    block_bits: int = 0
    """Bits that enter together, one block after another. 0: all. Words of the load that are
    narrower enter one after another, with zeros in the places of the others."""


@dataclass(frozen=True)
class Do:
    """Something that is done once: ``function(wire, ...)``."""

    function: Function


@dataclass(frozen=True)
class Repeat:
    """``count`` steps, ``step(wire, ..., number)``, of which a cycle makes as many as the radix
    says. ``number`` counts them from ``first_number`` on; a step may leave it out.
    ``begin(wire, ...)`` is what is done before the first of them, in the same cycle. ``controls``
    are names of bits that the step may ask for: they are one here, and zero where the same step is
    repeated without them. A core has the circuit of a step once."""

    count: int
    step: Function
    begin: Function | None = None
    first_number: int = 0
    controls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Squeeze:
    """The next ``bits`` bits of the tag: ``function(wire, ...)`` is a word of them, the first one
    in bit 0."""

    bits: int
    function: Function


Operation = Take | Do | Repeat | Squeeze


@dataclass(frozen=True)
class Pad:
    """A byte behind the last byte of a part; a one behind its last bit, where its length is any
    number of bits.

    ``partial``: in a block that is not full; ``always``: also behind a full block, in a block of
    its own; ``each``: behind the last byte of each block, whose ``block`` has eight bits more for
    it.
    """

    when: Literal["partial", "always", "each"]
    byte: int = 1


@dataclass(frozen=True, kw_only=True)
class Part:
    """Associated data or text: blocks, and what is done before, between and behind them.

    Bytes that a block does not have are zero. What is done to a block of text begins with its
    keystream: ``keystream(wire, ...)`` is a word of ``rate`` bits, the text and its bits are added.
    The plaintext then enters: ``enter(wire, ..., block)``. ``close(wire, ..., count, partial)`` is
    done behind that in the same cycle; ``count`` is the number of the block's bytes, and
    ``partial`` one bit: whether there are less than the rate.
    """

    rate: int
    """Bits of a block, whole bytes."""
    enter: Function
    close: Function | None = None
    keystream: Function | None = None
    """Of the text."""
    first: tuple[Operation, ...] = ()
    """Operations before the first block, where there is any."""
    between: tuple[Operation, ...] = ()
    """Operations before each further block."""
    end: tuple[Operation, ...] = ()
    """Operations behind the last block, where there was any."""
    pad: Pad | None = None
    at_least_one: bool = False
    """Whether an empty part has one block without bytes; else it has none."""
    trailer: str = ""
    """Of a text in bits that does not leave: a register of one bit, which is the text's last bit
    behind those that are given."""
    added: bool = False
    """Whether the words of a block may enter one after another, each with zeros in the places of
    the others. Then narrower words than the rate are offered. ``enter`` must add the block, and
    ``keystream`` must not read at the place of a word what was added at another."""

    @property
    def streams(self) -> bool:
        """Whether block follows block, with nothing else to do before or behind one."""
        waits = self.pad is not None and self.pad.when == "always"
        return not (self.first or self.between or self.end or self.at_least_one or waits)

    @property
    def block_bits(self) -> int:
        """Bits of the word ``block``."""
        return self.rate + 8 * (self.pad is not None and self.pad.when == "each")
