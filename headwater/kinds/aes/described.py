# SPDX-License-Identifier: Apache-2.0
"""S-box and round of the description of AES, beside a core."""

from __future__ import annotations

from amaranth.hdl import Assert, Module, Mux, Value

from headwater.algebra.word import IntegerWord, lookup
from headwater.cipher import aes_ofb
from headwater.cipher.aes_ofb import SBOX, Block, Substitute
from headwater.core.naming import Naming
from headwater.kinds.aes.block import BlockDatapath, columns, joined
from headwater.kinds.aes.core import AesCircuit
from headwater.prove.checker import Proof


def check_sbox(m: Module, core: AesCircuit, proof: Proof) -> None:  # noqa: ARG001
    """The S-box of the core is the table of FIPS 197 for every byte."""
    word = core.load.payload
    byte = (word if len(word) >= 8 else core.secrets[0])[:8]
    m.d.comb += Assert(core.substitute(m, byte, "spec_sub") == lookup(byte, SBOX.table))


def described_substitute(m: Module, core: AesCircuit, name: str = "spec_key_sub") -> Substitute:
    """SubBytes of the description, in the form of the core."""
    wire, form = Naming(m), core.architecture["sbox"]
    return lambda word: wire(SBOX.apply(word, wire, form, name=name), f"{name}_all")


def described_round(m: Module, core: BlockDatapath) -> Value:
    """The block behind a round of the description, before its round key is added."""
    return round_of(m, core, core.state, "", last=core.last_round)


def round_of(m: Module, core: AesCircuit, state: Value, suffix: str, *, last: Value) -> Value:
    """The block behind a round of the description, ``last`` or not, before its round key is added.
    Names of signals end with the ``suffix``."""
    return mixed_of(m, substituted_of(m, core, state, suffix), suffix, last=last)


def substituted_of(m: Module, core: AesCircuit, state: Value, suffix: str) -> Block:
    """The columns of a block behind SubBytes."""
    a, b, c, d = (
        described_substitute(m, core, f"spec_sub_{place}{suffix}")(word)
        for place, word in enumerate(columns(state))
    )
    return a, b, c, d


def mixed_of(m: Module, state: Block, suffix: str, *, last: Value) -> Value:
    """The block behind ShiftRows, and in no ``last`` round behind MixColumns."""
    wire = Naming(m, suffix)
    shifted = [
        wire(word, f"spec_shifted_{place}") for place, word in enumerate(aes_ofb.shift_rows(state))
    ]
    mixed = list(map(aes_ofb.mix_column, shifted))
    return Mux(last, joined(shifted), joined(mixed))


def round_constants() -> list[int]:
    """The ten round constants of AES-128 (section 5.2)."""
    constants = [IntegerWord(aes_ofb.FIRST_CONSTANT, 8)]
    while len(constants) < aes_ofb.ROUNDS:
        constants.append(aes_ofb.double(constants[-1]))
    return [constant.value for constant in constants]
