# SPDX-License-Identifier: Apache-2.0
"""S-boxes: published tables, and both forms of each with integers, symbols and hardware values."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import islice, product
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from amaranth.hdl import Module, Signal
from amaranth.sim import Simulator
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import search_sbox

from headwater.algebra.field import IDENTITY, Field, LinearMap
from headwater.algebra.gates import GateCounter
from headwater.algebra.sbox import FORMS, SR, SBox
from headwater.algebra.shallow import Shallow
from headwater.algebra.shallow_inversion import ShallowInversion, invert_16_early
from headwater.algebra.straight_line import Builder, Program, levelled
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.tower import ByteInversion, Tower, invert_16, normal_16
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.sboxes import CIRCUITS, gives
from headwater.cipher.snow3g_sbox import POWERS, SQ
from headwater.cipher.zuc_sboxes import P1, P2, P3, S0, S1, Half
from headwater.kinds.stepped import unrolling  # noqa: F401  (reads words of hardware values)

SBOXES = {sbox.name: sbox for sbox in (SR, S0, S1, SQ)}

each_sbox = pytest.mark.parametrize("sbox", SBOXES.values(), ids=SBOXES)
each_form = pytest.mark.parametrize("form", FORMS)

PUBLISHED = {
    # FIPS 197, figure 7.
    "sr": """
    637c777bf26b6fc53001672bfed7ab76ca82c97dfa5947f0add4a2af9ca472c0
    b7fd9326363ff7cc34a5e5f171d8311504c723c31896059a071280e2eb27b275
    09832c1a1b6e5aa0523bd6b329e32f8453d100ed20fcb15b6acbbe394a4c58cf
    d0efaafb434d338545f9027f503c9fa851a3408f929d38f5bcb6da2110fff3d2
    cd0c13ec5f974417c4a77e3d645d197360814fdc222a908846eeb814de5e0bdb
    e0323a0a4906245cc2d3ac629195e479e7c8376d8dd54ea96c56f4ea657aae08
    ba78252e1ca6b4c6e8dd741f4bbd8b8a703eb5664803f60e613557b986c11d9e
    e1f8981169d98e949b1e87e9ce5528df8ca1890dbfe6426841992d0fb054bb16""",
    # The specification of ZUC.
    "s1": """
    55c263713bc847869f3cda5b29aafd778cc5940ca61a1300e3a8167240f9f842
    4426689681d9453e1076c6a78b3943e13ab5562ac06db3052266bfdc0bfa6248
    dd20110636c9c1cff62752bb69f5d4877f844cd29c57a4bc4f9adffed68d7aeb
    2b53d85ca11417fb23d57d3067730809eeb7703f61b2198e4ee54b938f5ddba9
    adf1ae2ecb0dfcf42d466e1d97e8d1e94d37a5755e839eab829db91ce0cd4989
    01b6bd5824a25f387899159050b895e4d091c7ceed0fb46fa0ccf0024a79c3de
    a3efea51e66b18ec1b2c80f774e7ff215a6a541e41319235c433070aba7e0e34
    88b1987cf33d606c7bcad31f3265042864be859b2f598ad7b025acaf1203e2f2""",
    # The specification of SNOW 3G.
    "sq": """
    25247367d7ae5c30a4ee6ecb7db582dbe48e48494f5d6a787088e85f5e8465e2
    d8e9cced402f112857d2ace34a151bb9b28085a62e024729074b0ec151aa89d4
    ca0146b3efdd447bc27fbec39f204c6483a2684213b441cdbac6bb6d4d7121f4
    8db0e593fe8fe6cf43453122373696fabc0f08521d551ac54e23697a92ff5b5a
    eb9a1ca9d17e0dfc508ab662f50af8dc033c0c39f1b8f33df2d597668132a000
    06cef6eab717f78c79d6a7bf8b3f1f536375352c60fd27d394a57ca105582dbd
    d9c7af6b540be03804c89de714b1879cdf6ff9da2ac459167491ab266176342b
    ad99fb72ec3312de983bc09b3e18103a56e177c91e9e95a39019a86c09d0f086""",
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_table(name: str) -> None:
    assert bytes(SBOXES[name].entries) == bytes.fromhex(PUBLISHED[name])


@each_sbox
def test_one_to_one(sbox: SBox) -> None:
    assert sorted(sbox.entries) == list(range(256))


def test_affine_map_of_aes() -> None:
    # FIPS 197, equation 5.1: bit i is the sum of bits i, i + 4, .. i + 7 of the inverse.
    for x in range(256):
        b = Field(0x11B).inverse(x)
        bits = [sum(b >> (i + k) % 8 & 1 for k in (0, 4, 5, 6, 7)) % 2 for i in range(8)]
        assert SR.entries[x] == sum(bit << i for i, bit in enumerate(bits)) ^ 0x63


def test_powers_of_snow_3g_are_a_dickson_polynomial() -> None:
    field = Field(0x169)
    for x in range(256):
        before, dickson = 0, x
        for _ in range(48):
            before, dickson = dickson, field.multiply(x, dickson) ^ before
        assert dickson == reduce(xor, (field.power(x, exponent) for exponent in POWERS))


@each_form
@each_sbox
def test_every_byte(sbox: SBox, form: str) -> None:
    for x in range(256):
        assert sbox.apply(IntegerWord(x, 8), unnamed, form).value == sbox.entries[x]


@each_form
@each_sbox
def test_bytes_of_a_word(sbox: SBox, form: str) -> None:
    word = IntegerWord(int.from_bytes(range(256), "little"), 2048)
    result = sbox.apply(word, unnamed, form)
    assert (result.value, result.width) == (sbox.table.value, 2048)


@each_form
@each_sbox
def test_symbols(sbox: SBox, form: str) -> None:
    for x in (0, 1, 0x80, 0x5A, 0xFF):
        bits = tuple(x >> place & 1 for place in range(8))
        result = sbox.apply(SymbolicWord(bits), unnamed, form)
        assert sum(bit << place for place, bit in enumerate(result.bits)) == sbox.entries[x]


def hardware(form: str, sbox: SBox, table: Signal | None) -> tuple[Module, Signal, Any, list[str]]:
    """An S-box of two bytes: its module, input, output and the names it gave."""
    m = Module()
    names = []

    def wire(value: Any, name: str = "") -> Signal:
        names.append(name)
        signal = Signal(len(value), name=name)
        m.d.comb += signal.eq(value)
        return signal

    x, y = Signal(16), Signal(16)
    m.d.comb += y.eq(sbox.apply(x, wire, form, table))
    return m, x, y, names


@pytest.mark.parametrize("given", [False, True], ids=["own", "constant"])
@each_form
@each_sbox
def test_hardware(sbox: SBox, form: str, given: bool) -> None:
    table = Signal(2048, init=sbox.table.value) if given else None
    m, x, y, names = hardware(form, sbox, table)
    assert len(set(names)) == len(names)

    async def bench(context: Any) -> None:
        for value in range(256):
            context.set(x, value | (255 - value) << 8)
            assert context.get(y) == sbox.entries[value] | sbox.entries[255 - value] << 8

    simulator = Simulator(m)
    simulator.add_testbench(bench)
    simulator.run()


GATES = {"sr": (80, 32), "s0": (46, 13), "s1": (84, 32), "sq": (295, 86)}
"""At most so many sums and products."""


@each_sbox
def test_gates(sbox: SBox) -> None:
    sums, products = GATES[sbox.name]
    count = Counter(gate.kind for gate in sbox.programs["algebraic"].gates)
    assert count["xor"] <= sums
    assert count["and"] <= products
    counter = GateCounter()
    sbox.apply(SymbolicWord(tuple(counter.bit() for _ in range(8))), unnamed, "algebraic")
    assert (counter.gates["xor"], counter.gates["and"]) == (count["xor"], count["and"])
    assert counter.gates["not"] == sbox.programs["algebraic"].inverted.bit_count()


def test_two_words_need_two_names() -> None:
    names: list[str] = []

    def wire(value: Any, name: str = "") -> Any:
        names.append(name)
        return value

    SR.apply(IntegerWord(0, 8), wire, "algebraic")
    SR.apply(IntegerWord(0, 8), wire, "algebraic", name="key")
    assert len(set(names)) == len(names)
    assert {name.partition("_")[0] for name in names} == {"sr", "key"}


def test_unknown_form() -> None:
    with pytest.raises(
        ValueError, match=r"^form must be one of table, algebraic, small, fast, not 'rom'$"
    ):
        SR.apply(IntegerWord(0, 8), unnamed, "rom")


def bits_of(value: int, width: int) -> list[IntegerWord]:
    return [IntegerWord(value >> place & 1, 1) for place in range(width)]


def number(bits: list[IntegerWord]) -> int:
    return sum(bit.value << place for place, bit in enumerate(bits))


def suits(field: Field, u: int) -> bool:
    """Whether `invert_16` is right for the basis of u and its conjugate."""
    sixteen = normal_16(field, u)
    build = Builder(4)
    program = build.program(invert_16(build, range(4)))
    found = [number(program.read(bits_of(x, 4), unnamed, "y")) for x in range(16)]
    return all(sixteen(y) == field.inverse(sixteen(x)) for x, y in enumerate(found))


def normal_towers(field: Field) -> Iterator[ByteInversion]:
    """In every tower of normal bases for which the inversion of sixteen is right."""
    four, sixteen = field.subfield(2), field.subfield(4)
    for u in sixteen:
        if u not in four and suits(field, u):
            for v in range(field.size):
                if v not in sixteen and v < field.power(v, 16):
                    yield ByteInversion.normal(field, v, u)


@pytest.mark.parametrize("polynomial", [0x11B, 0x18B])
def test_inversion_of_sixteen(polynomial: int) -> None:
    build = Builder(4)
    program = build.program(invert_16(build, range(4)))
    assert Counter(gate.kind for gate in program.gates) == {"and": 5, "xor": 10}
    assert len(list(normal_towers(Field(polynomial)))) == 240


def test_small_form_of_aes_has_fewest_gates() -> None:
    linear = LinearMap((0x1F, 0x3E, 0x7C, 0xF8, 0xF1, 0xE3, 0xC7, 0x8F))
    normal = [
        len(way.program(IDENTITY, linear, 0x63).gates)
        for way in normal_towers(Field(0x11B))
        if way.u == 0x51  # the other value is its conjugate, and gives the same circuits
    ]
    algebraic, small = SR.programs["algebraic"], SR.programs["small"]
    assert min(normal) == len(algebraic.gates) == 112
    assert Counter(gate.kind for gate in small.gates) == {"xor": 75, "and": 32}
    assert small.levels([0] * 8) <= [max(algebraic.levels([0] * 8))] * 8
    assert S1.programs["small"] == S1.programs["algebraic"]


def depth_of(program: Program) -> int:
    return max(program.levels([0] * program.inputs))


@each_sbox
def test_fast_form_has_fewer_levels(sbox: SBox) -> None:
    algebraic, fast = sbox.programs["algebraic"], sbox.programs["fast"]
    assert depth_of(fast) < depth_of(algebraic)
    assert len(algebraic.gates) < len(fast.gates) < 1.2 * len(algebraic.gates)


def test_fast_form_of_aes_is_smaller_than_the_published_one_of_as_many_levels() -> None:
    fast = SR.programs["fast"]
    assert (depth_of(fast), len(fast.gates), fast.ands) == (16, 124, 35)


def test_early_inversion_of_sixteen_is_the_other_one_in_four_levels() -> None:
    late, early = Builder(4), Shallow(4)
    programs = [
        late.program(invert_16(late, range(4))),
        early.program(invert_16_early(early, range(4))),
    ]
    first, second = (
        [number(program.read(bits_of(x, 4), unnamed, "y")) for x in range(16)]
        for program in programs
    )
    assert first == second
    assert (depth_of(programs[1]), programs[1].ands, programs[1].xors) == (4, 8, 10)


@settings(deadline=None, derandomize=True, database=None)
@given(
    rows=st.lists(st.integers(1, 2**7 - 1), min_size=1, max_size=9),
    levels=st.lists(st.integers(0, 3), min_size=7, max_size=7),
    seed=st.integers(0, 3),
)
def test_shallow_sums_are_right_and_end_in_time(
    rows: list[int], levels: list[int], seed: int
) -> None:
    """A signal of level l is one that so many products were made for."""
    build = Shallow(7 + 4)
    signals = []
    for place, level in enumerate(levels):
        signal = place
        for _ in range(level):
            signal = build.product(signal, 7)
        signals.append(signal)
    before = len(build.gates)
    program = build.program(build.sums(signals, rows, seed))
    for given_bits in range(128):
        found = program.read(
            [IntegerWord(given_bits >> n & 1, 1) for n in range(7)] + [IntegerWord(1, 1)] * 4,
            unnamed,
            "y",
        )
        assert [bit.value for bit in found] == [(given_bits & row).bit_count() & 1 for row in rows]
    best = max(
        (sum(1 << levels[n] for n in range(7) if row >> n & 1) - 1).bit_length() for row in rows
    )
    assert max(program.levels([0] * 11)) <= best
    alone = sum(row.bit_count() - 1 for row in rows)
    assert len(program.gates) - before <= alone


@pytest.mark.parametrize("way", [ByteInversion, ShallowInversion])
def test_search_goes_on(way: type[ByteInversion]) -> None:
    """Whatever choices it comes upon; each circuit is right."""
    _, begin = search_sbox.SBOXES["sr"]
    found = search_sbox.search(SR, way(begin.tower, begin.u), seed=1, level=1.0)
    for choices, program in islice(found, 12):
        assert type(choices) is way
        assert gives(program, SR)


@pytest.mark.parametrize("seed", range(4))
def test_an_inversion_is_right_for_any_choice(seed: int) -> None:
    source = random.Random(seed)
    field = Field(0x11B)
    sixteen = [x for x in field.subfield(4) if x]
    u = next(u for u in sixteen if u not in field.subfield(2) and suits(field, u))
    while True:
        tower = Tower(
            field,
            (source.randrange(1, 256), source.randrange(1, 256)),
            (source.choice(sixteen), source.choice(sixteen)),
        )
        choices = (
            tower,
            u,
            source.choice(sixteen),
            source.choice(sixteen),
            tuple(source.sample(range(9), 4)),
            (seed, seed),
        )
        try:
            programs = [
                way(*choices).program(IDENTITY, IDENTITY, 0)
                for way in (ByteInversion, ShallowInversion)
            ]
        except ValueError:  # not a basis, or the summands are not independent
            continue
        break
    for program, x in product(programs, range(256)):
        assert number(program.read(bits_of(x, 8), unnamed, "y")) == field.inverse(x)


def test_sums_are_added_as_they_arrive() -> None:
    build = Builder(5)
    late = build.product(build.product(0, 1), 2)
    program = build.program([build.xor(build.xor(build.xor(late, 3), 4), 0)])
    assert program.levels([0] * 5) == [5]
    better = levelled(program)
    assert better.levels([0] * 5) == [3]
    assert len(better.gates) == len(program.gates)


def test_a_wrong_circuit_is_not_right() -> None:
    for circuit in CIRCUITS:
        parts = list(circuit.parts())
        assert circuit.is_right(parts)
        last = parts[-1]
        wrong = replace(last, outputs=(last.outputs[1], last.outputs[0], *last.outputs[2:]))
        assert not circuit.is_right([*parts[:-1], wrong])


def test_rounds_of_the_feistel_network() -> None:
    def table(half: Half) -> Callable[[int], int]:
        build = Builder(8)
        program = build.program(half.added(build, range(4), range(4, 8)))
        return lambda x: number(program.read(bits_of(x, 8), unnamed, "p"))

    p1, p2, p3 = map(table, (P1, P2, P3))
    for x in range(256):
        low, high = x & 15, x >> 4
        high ^= p1(low)
        low ^= p2(high)
        high ^= p3(low)
        y = high << 4 | low
        assert (y << 5 | y >> 3) & 255 ^ 0x3E == S0.entries[x]


@pytest.mark.parametrize("seed", range(20))
def test_shared_sums(seed: int) -> None:
    source = random.Random(seed)
    inputs, outputs = source.choice([(4, 3), (4, 12), (12, 4), (8, 8)])
    used = (1 << inputs) - 1 & ~(1 << source.randrange(inputs))
    rows = [source.randrange(1, 1 << inputs) & used or used for _ in range(outputs)]
    build = Builder(inputs)
    program = build.program(build.sums(range(inputs), rows))
    assert len(program.gates) <= sum(row.bit_count() - 1 for row in rows)
    for x in (source.getrandbits(inputs) for _ in range(20)):
        expected = sum(((x & row).bit_count() & 1) << place for place, row in enumerate(rows))
        assert number(program.read(bits_of(x, inputs), unnamed, "t")) == expected
