# SPDX-License-Identifier: Apache-2.0
"""Ascon in two shares: it is Ascon, no probe tells anything, and changes are refuted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from amaranth.hdl import Const, Module, Signal, Value
from amaranth.sim import Simulator
from masked_cores import Core, leakage, masked, netlist, replaced, verilog

import headwater as hw
from headwater.algebra.word import concatenate
from headwater.cipher.ascon import ASCON_AEAD128
from headwater.core.facts import Facts
from headwater.errors import InputError
from headwater.kinds.masking import leakage_spec
from headwater.kinds.registry import facts_of, properties_of
from headwater.kinds.sponge.masked.core import MaskedCore
from headwater.kinds.sponge.masked.shared_word import Pair, SharedWord, products_of_a_round
from headwater.leakage.verdict import verdict_of
from headwater.verify.proof import is_kept

NAME = "ascon_aead128"


@pytest.mark.parametrize("radix", [32, 64, 128])
def test_core_is_the_cipher_and_leaks_nothing(radix: int) -> None:
    checks = hw.verify(NAME, radix, masking="first")
    assert checks.passed
    names = {"lint", "message", "proof of shares", "leakage", "vectors"}
    assert {record.check for record in checks} == names


def test_other_choices_leak_nothing(tmp_path: Path) -> None:
    core = masked(NAME, 128, stall="none", clear="none", direction="encrypt")
    assert leakage(core, verilog(core), tmp_path).verdict == "secure"


# --- by hand


def of_core(radix: int) -> Facts:
    """The facts of a masked core."""
    return facts_of(*masked(NAME, radix))


def test_products_by_hand() -> None:
    """Five products of the S-box; s3 + s4 and s0 + s4 of one of them have s4 in common."""
    assert products_of_a_round(ASCON_AEAD128) == 6


def test_figures_by_hand() -> None:
    # 6 words of 64 masks; at radix 128, masks for 320 bits of state and 128 of the key.
    sheets = [of_core(radix).sheet() for radix in (32, 64, 128)]
    assert [sheet["fresh_bits_per_cycle"] for sheet in sheets] == [384, 384, 448]
    assert {sheet["cycles_per_round"] for sheet in sheets} == {2}
    # 256 bits of key and nonce, and 12 rounds.
    assert [of_core(radix).setup_cycles for radix in (32, 64, 128)] == [8 + 24, 4 + 24, 2 + 24]
    # A block of 128 bits, and 8 rounds.
    assert of_core(128).bits_per_cycle == 128 / (1 + 16)


def test_words_by_hand() -> None:
    facts = of_core(32)
    assert facts.shared([0b101], [0b110]) == [0b110 << 32 | 0b011]
    assert facts.joined(0b110 << 32 | 0b011) == 0b101
    data = facts.streams["data_in"]
    assert (data.width, data.members["keep"], data.members["ad"]) == (64, 4, 1)
    plain = facts.streams_in_one["data_in"]
    assert (plain.width, plain.members["keep"], plain.members["ad"]) == (32, 4, 1)


def test_behind_a_clear_the_shares_are_equal() -> None:
    """Their sum, a state of zeros, is left of nothing that was there before."""
    cipher, architecture = masked(NAME, 128)
    core = MaskedCore(facts_of(cipher, architecture))  # type: ignore[arg-type]
    simulator, random = Simulator(core), Random(1)
    cycles = core.facts.clear_cycles
    assert cycles == 3

    async def tick(context: Any, **ports: int) -> None:
        for name, value in ports.items():
            context.set(getattr(core, name), value)
        context.set(core.fresh, random.getrandbits(len(core.fresh)))
        await context.tick()

    def sums(context: Any) -> list[int]:
        first, second = core.copies
        pairs = zip((*first.s, first.key), (*second.s, second.key), strict=True)
        return [context.get(one) ^ context.get(other) for one, other in pairs]

    async def run(context: Any) -> None:
        context.set(core.load.valid, 1)
        context.set(core.load.payload, random.getrandbits(256))
        for _ in range(2):
            await tick(context)
        context.set(core.load.valid, 0)
        for _ in range(7):
            await tick(context)
        assert all(sums(context))
        await tick(context, clear=1)
        for _ in range(cycles - 1):
            await tick(context, clear=0)
        assert not any(sums(context))
        assert all(context.get(register) for register in core.copies[0].s)
        assert not any(context.get(one) for pair in core.crosses for one in pair)

    simulator.add_clock(1e-6)
    simulator.add_testbench(run)
    simulator.run()


# --- the reading in shares

PATTERNS = [sum((place >> bit & 1) << place for place in range(64)) for bit in range(6)]
"""Six words of 64 bits that have every case of six bits, one in each place."""
X, Y, Z = ((PATTERNS[2 * at], PATTERNS[2 * at + 1]) for at in range(3))
ONES = (1 << 64) - 1
PUBLIC = 0x0123456789ABCDEF

Step = Callable[..., SharedWord]
READ = {
    "disjoint": (lambda x, y, _: x & y, lambda x, y, _: x & y, 1),
    "inverted": (lambda x, y, _: ~x & ~y, lambda x, y, _: ~x & ~y, 1),
    "one in common": (lambda x, y, z: (x ^ y) & (z ^ y), lambda x, y, z: (x ^ y) & (z ^ y), 2),
    "within": (lambda x, y, _: ~x & (y ^ x), lambda x, y, _: ~x & (y ^ x), 1),
    "itself": (lambda x, *_: x & x, lambda x, *_: x & x, 0),
    "its inverse": (lambda x, *_: x & ~x, lambda *_: 0, 0),
    "public": (
        lambda x, y, _: (x ^ Const(PUBLIC, 64)) & ~(y ^ Const(ONES, 64)),
        lambda x, y, _: (x ^ PUBLIC) & y,
        1,
    ),
    "pieces": (
        lambda x, y, _: concatenate(x[:8] ^ Const(PUBLIC & 255, 8), x[8:]) & y,
        lambda x, y, _: (x ^ PUBLIC & 255) & y,
        1,
    ),
}


@pytest.mark.parametrize("case", READ)
def test_a_word_in_shares(case: str) -> None:
    """The sum of the shares is what integers give, and factors of a gadget have no bit in
    common."""
    read, wanted, gadgets = READ[case]
    m, count = Module(), 0
    signals = [(Signal(64, init=one), Signal(64, init=other)) for one, other in (X, Y, Z)]

    def multiply(left: Pair, right: Pair) -> Pair:
        nonlocal count
        count += 1
        assert not _read(left) & _read(right)
        first, second = ((share & right[0]) ^ (share & right[1]) for share in left)
        return first, second

    words = [SharedWord.of(pair, name, multiply) for pair, name in zip(signals, "xyz", strict=True)]
    shares = read(*words).shares
    result = Signal(64)
    m.d.comb += result.eq(shares[0] ^ shares[1])
    simulator, seen = Simulator(m), []

    async def look(context: Any) -> None:
        seen.append(context.get(result))

    simulator.add_testbench(look)
    simulator.run()
    assert seen == [wanted(*(one ^ other for one, other in (X, Y, Z))) & ONES]
    assert count == gadgets


def _read(pair: Pair) -> set[int]:
    """The registers that a factor is made of, by the initial value of share 0."""
    found: set[int] = set()
    for share in pair:
        found |= {signal.init for signal in Value.cast(share)._rhs_signals()}
    return {one for one in found if one in PATTERNS} | {
        PATTERNS[PATTERNS.index(one) ^ 1] for one in found if one in PATTERNS
    }


def test_a_product_of_a_product_is_refused() -> None:
    pairs = [(Signal(4), Signal(4)) for _ in range(3)]
    x, y, z = (
        SharedWord.of(pair, name, lambda *pair: pair[0])
        for pair, name in zip(pairs, "xyz", strict=True)
    )
    with pytest.raises(InputError, match=r"products of sums, not of products"):
        (x & y) & z


# --- changes

ASCON: Core = masked(NAME, 128)
TEXT = verilog(ASCON)
LEAKING = {
    "nothing": TEXT,
    "register removed": replaced(
        TEXT,
        "(left0_share0 & s1_share0) ^ cross0_share0",
        "(left0_share0 & s1_share0) ^ "
        "{cross0_share0[63:1], (left0_share0[0] & s1_share1[0]) ^ fresh[0]}",
    ),
    "mask stuck": replaced(TEXT, " ^ fresh[63:0])", " ^ {fresh[63:1], 1'b0})"),
    "one mask twice": replaced(TEXT, " ^ fresh[127:64])", " ^ {fresh[127:65], fresh[0]})"),
    "factors with a word in common": replaced(
        TEXT, "(left0_share0 & s1_share1)", "({left0_share0[63:1], left1_share0[0]} & s1_share1)"
    ),
}
"""Changes of one bit of the gadgets."""


@pytest.mark.parametrize("change", LEAKING)
def test_change_that_leaks_is_refuted(change: str, tmp_path: Path) -> None:
    """In the cycles of a round, which are some of all."""
    gates = netlist(LEAKING[change], tmp_path)
    spec = leakage_spec(*ASCON, gates.wires)
    still = {"absorb_enable": 0, "turns": 0}
    public = [name for name in spec.public if name not in still]
    given = spec.model_copy(update={"public": public, "constant": {**spec.constant, **still}})
    assert (verdict_of(gates, given).verdict == "secure") == (change == "nothing")


class MaskInOneShare(MaskedCore):
    """A core whose load words get a new mask in one share alone."""

    def _shifted(self, number: int) -> list[Value]:
        made = super()._shifted(number)
        return [made[0] ^ self._mask(0) if number else made[0], *made[1:]]


class TermLeftOut(MaskedCore):
    """A core whose products lack a term."""

    def _product(self, m: Module, left: Pair, right: Pair) -> Pair:
        return super()._product(m, left, (right[0], right[0] & ~right[0]))


class OneRoundTooEarly(MaskedCore):
    """A core that makes rounds before their products."""

    @property
    def makes(self) -> Value:
        return self.permuting


@pytest.mark.parametrize("kind", [MaskInOneShare, TermLeftOut, OneRoundTooEarly])
def test_change_of_the_function_is_refuted(kind: type[MaskedCore]) -> None:
    cipher, architecture = ASCON
    (prop,) = properties_of(cipher, architecture)
    changed = kind(facts_of(cipher, architecture))  # type: ignore[arg-type]
    assert not is_kept(prop, changed, cipher, followed=True)
