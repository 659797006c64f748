# SPDX-License-Identifier: Apache-2.0
"""Memories that a cipher writes: every reading of every operation, cores, proofs, wrong
descriptions."""

from __future__ import annotations

import json
import random
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from amaranth.hdl import Module, Signal
from amaranth.sim import Simulator
from command_line import as_process
from contract import Core, assert_sessions, run, session
from test_contract_control import ends, moments
from test_contract_figures import test_setup as check_setup_cycles

from headwater.algebra.gates import GateCounter
from headwater.algebra.memory import CountedMemory, WholeMemory, fetch, store
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import (
    IntegerWord,
    Word,
    add,
    all_ones,
    choose,
    concatenate,
    field_multiply,
    lookup,
    multiply,
    rotate_left,
    subtract,
    table_word,
    times_x,
)
from headwater.algebra.written import written
from headwater.cipher.memory import Memory
from headwater.core.architecture import Architecture
from headwater.core.memory import Ram, Stored
from headwater.errors import InputError
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.verify.proof import prove_one

EXAMPLES = Path(__file__).parents[1] / "examples"
RC4_FILE = EXAMPLES / "rc4" / "rc4.py"

BITS = 8
TABLE = table_word([(7 * place + 3) % 256 for place in range(16)], BITS)
OPERATIONS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[int, int], int]]] = {
    "xor": (lambda a, b: a ^ b, lambda a, b: a ^ b),
    "and": (lambda a, b: a & b, lambda a, b: a & b),
    "or": (lambda a, b: a | b, lambda a, b: a | b),
    "not": (lambda a, _: ~a, lambda a, _: a ^ 255),
    "xor a number": (lambda a, _: a ^ 0x5A, lambda a, _: a ^ 0x5A),
    "shift": (lambda a, _: (a << 3)[:8], lambda a, _: a << 3 & 255),
    "bit": (lambda a, _: a[5], lambda a, _: a >> 5 & 1),
    "highest bit": (lambda a, _: a[-1], lambda a, _: a >> 7),
    "slice": (lambda a, _: a[2:6], lambda a, _: a >> 2 & 15),
    "replicate": (lambda a, _: a[1].replicate(4), lambda a, _: (a >> 1 & 1) * 15),
    "concatenate": (concatenate, lambda a, b: a | b << 8),
    "choose": (lambda a, b: choose(a[0], a, b), lambda a, b: a if a & 1 else b),
    "add": (add, lambda a, b: a + b & 255),
    "add a number": (lambda a, _: add(a, 77), lambda a, _: a + 77 & 255),
    "subtract": (subtract, lambda a, b: a - b & 255),
    "subtract a number": (lambda a, _: subtract(a, 77), lambda a, _: a - 77 & 255),
    "multiply": (multiply, lambda a, b: a * b & 255),
    "field_multiply": (lambda a, b: field_multiply(a, b, 0x1B), lambda a, b: aes_product(a, b)),
    "rotate": (lambda a, _: rotate_left(a, 3), lambda a, _: (a << 3 | a >> 5) & 255),
    "times_x": (lambda a, _: times_x(a, 0x1B), lambda a, _: aes_product(a, 2)),
    "all_ones": (lambda a, _: all_ones(a), lambda a, _: int(a == 255)),
    "lookup": (lambda a, _: lookup(a[:4], TABLE), lambda a, _: (7 * (a & 15) + 3) % 256),
}
"""Each documented operation on two words of eight bits, and what it is of numbers."""


def aes_product(a: int, b: int) -> int:
    """The product in the field of AES, as FIPS 197 explains it."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1 ^ (a >> 7) * 0x11B, b >> 1
    return product


def test_the_field_s_product_by_hand() -> None:
    """FIPS 197, section 4.2: {57} times {83} is {c1}."""
    assert field_multiply(IntegerWord(0x57, 8), IntegerWord(0x83, 8), 0x1B).value == 0xC1


def pairs(name: str) -> list[tuple[int, int]]:
    source = random.Random(name)
    return [
        (0, 0),
        (255, 255),
        (255, 1),
        *((source.getrandbits(8), source.getrandbits(8)) for _ in range(20)),
    ]


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_in_every_reading(name: str) -> None:
    operation, meant = OPERATIONS[name]
    function = written(lambda a, b: [operation(a, b)], {"a": BITS, "b": BITS}, {}, {})
    a, b = Signal(BITS), Signal(BITS)
    m = Module()
    value = operation(a, b)
    result = Signal(len(value))
    m.d.comb += result.eq(value)
    shown: list[int] = []

    async def bench(ctx: Any) -> None:
        for one, other in pairs(name):
            ctx.set(a, one)
            ctx.set(b, other)
            await ctx.delay(1e-9)
            shown.append(ctx.get(result))

    simulator = Simulator(m)
    simulator.add_testbench(bench)
    simulator.run()
    for place, (one, other) in enumerate(pairs(name)):
        expected = meant(one, other)
        assert operation(IntegerWord(one, BITS), IntegerWord(other, BITS)).value == expected
        assert function(one, other) == (expected,)
        symbols = operation(known(one), known(other))
        assert sum(bit << number for number, bit in enumerate(symbols.bits)) == expected
        assert shown[place] == expected
    counter = GateCounter()
    word = SymbolicWord(tuple(counter.bit() for _ in range(BITS)))
    assert len(operation(word, word)) == len(value)


def known(value: int) -> SymbolicWord:
    return SymbolicWord(tuple(value >> place & 1 for place in range(BITS)))


def plain(held: list[int], place: int, word: int, when: int) -> list[int]:
    """A memory of numbers behind a word that is stored."""
    if when and place < len(held):
        return [*held[:place], word, *held[place + 1 :]]
    return held


def function_of(memory: Any, addresses: list[Word], words: list[Word], when: Word) -> list[Word]:
    """Two words are stored, the second one perhaps; words are read before, between and behind."""
    first = store(memory, addresses[0], words[0])
    second = store(first, addresses[1], words[1], when)
    return [fetch(each, addresses[2]) for each in (memory, first, second)]


@pytest.mark.parametrize("words", [4, 5, 8, 11])
def test_a_memory_in_every_reading(words: int) -> None:
    """Integers, lines of Python and RAMs of a core make of a memory what a list of numbers is;
    addresses behind the last word are among them."""
    bits, source = 3, random.Random(words)
    size = (words - 1).bit_length()
    names = {f"a{number}": size for number in range(3)} | {"w0": bits, "w1": bits, "when": 1}

    def circuit(held: Word, a0: Word, a1: Word, a2: Word, w0: Word, w1: Word, when: Word) -> Any:
        return function_of(WholeMemory(held, words, bits), [a0, a1, a2], [w0, w1], when)

    function = written(circuit, {"held": words * bits, **names}, {}, {})
    cycles = [
        [source.randrange(1 << size) for _ in range(3)]
        + [source.getrandbits(bits), source.getrandbits(bits), source.getrandbits(1)]
        for _ in range(60)
    ]
    held, expected = [0] * words, []
    for a0, a1, a2, w0, w1, when in cycles:
        states = [held, plain(held, a0, w0, 1)]
        states.append(plain(states[-1], a1, w1, when))
        seen = tuple(one[a2] if a2 < words else 0 for one in states)
        content = sum(word << place * bits for place, word in enumerate(held))
        assert function(content, a0, a1, a2, w0, w1, when) == seen
        given = [
            IntegerWord(one, width)
            for one, width in zip((a0, a1, a2, w0, w1, when), names.values(), strict=True)
        ]
        whole = circuit(IntegerWord(content, words * bits), *given)
        assert tuple(word.value for word in whole) == seen
        expected.append(seen)
        held = states[-1]
    for printed in (True, False):
        assert of_core(words, bits, names, cycles, printed=printed) == expected


def of_core(
    words: int, bits: int, names: dict[str, int], cycles: list[list[int]], *, printed: bool
) -> list[tuple[int, ...]]:
    """What RAMs give, or the registers that take their place for checkers; first they are
    emptied."""
    m, emptied, place = Module(), Signal(), Signal(range(words))
    ports = {name: Signal(width, name=name) for name, width in names.items()}
    ram = Ram(m, "s", words, bits, printed=printed)
    addresses = [ports[f"a{number}"] for number in range(3)]
    first = store(ram.present, addresses[0], ports["w0"])
    second = store(first, addresses[1], ports["w1"], ports["when"])
    results = [Signal(bits, name=f"result_{number}") for number in range(3)]
    for result, memory in zip(results, (ram.present, first, second), strict=True):
        m.d.comb += result.eq(fetch(memory, addresses[2]))
    ram.connect([(~emptied, second)], emptied, place)
    assert bool(ram.contents) is not printed
    shown: list[tuple[int, ...]] = []

    async def bench(ctx: Any) -> None:
        ctx.set(emptied, 1)
        for number in range(words):
            ctx.set(place, number)
            await ctx.tick()
        ctx.set(emptied, 0)
        for cycle in cycles:
            for port, value in zip(ports.values(), cycle, strict=True):
                ctx.set(port, value)
            shown.append(tuple(ctx.get(result) for result in results))
            await ctx.tick()

    simulator = Simulator(m)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
    return shown


def test_counted_uses() -> None:
    counter = GateCounter()
    memory = CountedMemory(counter, 256, 8)
    word = SymbolicWord(tuple(counter.bit() for _ in range(8)))
    assert len(fetch(store(memory, word, word), word)) == 8
    assert counter.gates == {"fetch": 1, "store": 1}


# --- RC4


def loaded(file: Path) -> Any:
    """The first cipher of a file, without adding it to the catalogue."""
    spec = spec_from_file_location(f"loaded_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CIPHERS[0]


def rc4() -> WordCipher:
    cipher = loaded(RC4_FILE)
    assert isinstance(cipher, WordCipher)
    return cipher


@pytest.mark.parametrize("name", ["rc4", "rc4_40"])
def test_rfc_6229_in_model_verilog_and_c(name: str) -> None:
    done = as_process("--cipher-file", RC4_FILE, "verify", name, "--json")
    vectors = [one for one in json.loads(done.stdout) if one["check"] == "vectors"]
    assert {one["engine"] for one in vectors} == {"model", "rtl", "c"}
    assert all(one["passed"] >= 12 for one in vectors)
    assert not any(one["failed"] or one["skipped"] for one in vectors)


def test_the_memory_is_a_ram_in_verilog(tmp_path: Path) -> None:
    done = as_process("--cipher-file", RC4_FILE, "generate", "rc4", "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "rc4_r8.v").read_text()
    assert "reg [7:0] s_0 [0:255];" in text
    assert text.count("s_0[") == 4, "it is written in one place, and read in three"


def test_the_data_sheet_has_the_memory() -> None:
    done = as_process("--cipher-file", RC4_FILE, "show", "rc4")
    assert re.search(r"^memories: +s: 256 words of 8 bits$", done.stdout, re.MULTILINE)


def test_cycles_of_a_clear() -> None:
    cipher = rc4()
    assert facts_of(cipher, Architecture.choose(cipher)).clear_cycles == 1 + 256


@pytest.mark.parametrize("name", ["step", "empty", "clear"])
def test_a_small_rc4_is_proven(name: str) -> None:
    """With a memory of 16 words of four bits, so that it takes seconds."""
    record = prove_one(small(), Architecture.choose(small()), name)
    assert record.failures == ()


def small() -> WordCipher:
    return replace(
        rc4(),
        name="rc4_small",
        memories=(Memory("s", 16, 4),),
        step=small_step,
        word_bits=4,
    )


def small_step(wire: Any, i: Word, j: Word, key: Word, *, s: Any, filling: Word, **_: Any) -> Any:
    """Two words are stored in a cycle, and three read."""
    a = wire(fetch(s, i[:4]), "a")
    b = wire(fetch(s, j[:4]), "b")
    half = store(s, i[:4], choose(filling, i[:4], b))
    whole = store(half, j[:4], a, ~filling)
    return wire(fetch(whole, add(a, b)), "z"), {
        "i": add(i, 1),
        "j": add(j, concatenate(a, a)),
        "key": key,
        "s": whole,
    }


# --- sessions


def test_sessions_that_are_broken_off_leave_nothing() -> None:
    """By a load, a reset or `clear` at any moment: the next session is as ever."""
    cipher = rc4()
    core = Core(cipher, Architecture.choose(cipher))
    before = [
        [*moment, *end] for moment, end in product(moments(core, session(core, 1)), ends(core))
    ]
    before += list(moments(core, session(core, 1)))
    given = session(core, 2)
    parts = run(core, *(part for one in before for part in (one, given.commands)))
    assert_sessions(given, parts[1::2])


def test_cycles_of_the_data_sheet() -> None:
    cipher = rc4()
    core = Core(cipher, Architecture.choose(cipher))
    check_setup_cycles(core)
    waits = run(core, ["reset 1"], session(core, 1).commands)[-1].cycle
    again = run(core, ["reset 1", "idle 300"], session(core, 1).commands)[-1].cycle
    assert again - waits == 300 - 256, "a reset empties the memory, which a load waits for"


# --- a thousand words

THOUSAND = """
from headwater.algebra.word import add, concatenate, rotate_left
from headwater.cipher.memory import Memory, fetch, store
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher


def lanes(key, iv):
    return tuple([*key[lane::16], *iv[lane::16]] for lane in range(16))


def enter(wire, i, w, *, entering, **_):
    return {"i": i & 0, "w": concatenate(w[16:], entering)}


STEP

THOUSAND = WordCipher(
    name="thousand", title="Test", source="a test", security="not for use: a test",
    key_bits=64, iv_bits=(32,), bit_order="lsb_first", convention="Words, lowest byte first.",
    registers=(Register("i", newest=0, oldest=9), Register("w", newest=0, oldest=31)),
    memories=(Memory("s", words=1000, bits=32),), lanes=lanes,
    load=Entered((Phase("load", 6),), enter=enter), phases=(Phase("fill", 1100, ("filling",)),),
    step=step, word_bits=32,
)
CIPHERS = (THOUSAND,)
"""


def step_of_the_page() -> str:
    """The step of CONTRIBUTING.md, with a register more that makes keystream depend on the key."""
    page = (EXAMPLES.parent / "CONTRIBUTING.md").read_text()
    (step,) = re.findall(r"```python\n(def step\(wire, i, \*, s.*?)```", page, re.DOTALL)
    step = step.replace("wire, i, *", "wire, i, w, *").replace('"s": s}', '"w": w, "s": s}')
    step = step.replace("rotate_left(old, 5)", "add(rotate_left(old, 5), add(w, 1))")
    # Of a word that is read 24 bits are used.
    step = step.replace("    s = store", "    near = wire(fetch(s, add(here, 3)))\n    s = store")
    return step.replace("return fetch(s, here)", "return fetch(s, here) ^ (near[:24] << 8)")


def thousand(count: int, key: bytes, iv: bytes) -> bytes:
    """Its keystream, with a list of numbers."""
    words = [int.from_bytes((key + iv)[place : place + 2], "little") for place in range(0, 12, 2)]
    w, held, i, made = words[-1] << 16 | words[-2], [0] * 1024, 0, []
    for _ in range(1100 + count):
        i = (i + 1) % 1024
        old = held[i]
        if i < 1000:
            held[i] = old + (old << 5 | old >> 27) + w + 1 & 0xFFFFFFFF
        made.append(held[i] ^ (held[(i + 3) % 1024] & 0xFFFFFF) << 8)
    return b"".join(word.to_bytes(4, "little") for word in made[1100:])


def test_the_page_s_memory_of_a_thousand_words(tmp_path: Path) -> None:
    file = tmp_path / "thousand.py"
    file.write_text(THOUSAND.replace("STEP", step_of_the_page()))
    key, iv = bytes.fromhex("0123456789abcdef"), bytes.fromhex("fedcba98")
    keystream = thousand(1100, key, iv)
    vectors = [
        {
            "id": "list",
            "origin": "generated: by this test",
            "key": key.hex(),
            "iv": iv.hex(),
            "key_bits": 64,
            "iv_bits": 32,
            "offset_bits": 0,
            "keystream": keystream.hex(),
            "keystream_bits": 8 * len(keystream),
        }
    ]
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "thousand.json").write_text(
        json.dumps(
            {
                "cipher": "thousand",
                "kind": "keystream",
                "bit_order": "lsb_first",
                "convention": "words",
                "vectors": vectors,
            }
        )
    )
    done = as_process("--cipher-file", file, "verify", "thousand", "--json")
    assert done.returncode == 0, done.stderr
    checked = [one for one in json.loads(done.stdout) if one["check"] == "vectors"]
    assert [(one["engine"], one["passed"]) for one in checked] == [
        ("model", 1),
        ("rtl", 1),
        ("c", 1),
    ]


# --- a message machine with a memory


def messages(key: bytes, nonce: bytes, data: bytes, text: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag of that machine, with a list of numbers."""
    held, a = [0] * 16, int.from_bytes(key, "little")

    def steps(a: int, count: int) -> int:
        for number in range(count):
            place, low = number % 16, a & 0xFFFF
            old = held[place] if place < 12 else 0
            fresh = ((low << 3 | low >> 13) ^ old) + number & 0xFFFF
            if place < 12:
                held[place] = fresh
            again = held[fresh & 15] if fresh & 15 < 12 else 0
            a = a >> 16 | (low + again & 0xFFFF) << 48
        return a

    def block(a: int, plain: bytes) -> int:
        a ^= int.from_bytes(plain, "little")
        if len(plain) < 4:
            return a ^ 3
        if a & 15 < 12:
            held[a & 15] = a >> 4 & 0xFFFF
        return a

    a = steps(a, 16) ^ int.from_bytes(nonce, "little")
    a, sealed = steps(a, 16), b""
    for part in (data, text):
        for place in range(0, len(part), 4):
            a = steps(a, 8) if place else a
            some = part[place : place + 4]
            if part is text:
                stream = [held[a >> low & 15] if a >> low & 15 < 12 else 0 for low in (32, 36)]
                key_word = (a ^ stream[0] ^ stream[1] << 16) & 0xFFFFFFFF
                pairs = zip(key_word.to_bytes(4, "little"), some, strict=False)
                sealed += bytes(one ^ two for one, two in pairs)
            a = block(a, some)
        a = steps(a, 8) if part else a
    return sealed, steps(a, 32).to_bytes(8, "little")


def test_a_message_machine_with_a_memory(tmp_path: Path) -> None:
    file = tmp_path / "msgmem.py"
    shutil.copy(Path(__file__).parent / "message_memory.py", file)
    vectors = []
    for number, sizes in enumerate([(0, 0), (1, 0), (4, 4), (5, 11), (0, 8), (9, 16)]):
        key, nonce = random.Random(number).randbytes(8), random.Random(-number).randbytes(8)
        data, text = bytes(range(sizes[0])), bytes(range(50, 50 + sizes[1]))
        sealed, tag = messages(key, nonce, data, text)
        vectors.append(
            {
                "id": f"m{number}",
                "origin": "generated: by this test",
                "key": key.hex(),
                "nonce": nonce.hex(),
                "key_bits": 64,
                "iv_bits": 64,
                "ad": data.hex(),
                "plaintext": text.hex(),
                "ciphertext": sealed.hex(),
                "tag": tag.hex(),
            }
        )
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "msgmem.json").write_text(
        json.dumps(
            {
                "cipher": "msgmem",
                "kind": "aead",
                "bit_order": "lsb_first",
                "convention": "words",
                "vectors": vectors,
            }
        )
    )
    words = ("verify", "msgmem", "--radix", "1,4", "--json")
    done = as_process("--cipher-file", file, *words)
    assert done.returncode == 0, done.stderr
    records = json.loads(done.stdout)
    assert not [one for one in records if one["failed"] or one["skipped"] or not one["passed"]]
    engines = {one["engine"] for one in records if one["check"] == "vectors"}
    assert engines == {"model", "rtl", "c"}
    cipher = loaded(file)
    for name in ("step", "words", "empty", "clear"):
        assert prove_one(cipher, Architecture.choose(cipher, radix=2), name).failures == (), name


def test_a_core_that_stores_at_the_wrong_place_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    port = Ram._port

    def moved(self: Ram, after: Any, number: int) -> Stored:
        one = port(self, after, number)
        return replace(one, index=one.index ^ (1 if number else 0))

    monkeypatch.setattr(Ram, "_port", moved)
    record = prove_one(small(), Architecture.choose(small()), "step")
    assert record.failures[0].startswith("it is not true that one cycle moves the state")


# --- what is refused


def forgets(wire: Any, i: Word, j: Word, key: Word, *, s: Any, **_: Any) -> Any:  # noqa: ARG001
    return fetch(s, i), {"i": i, "j": j, "key": key}


def gives_a_word(wire: Any, i: Word, j: Word, key: Word, *, s: Any, **_: Any) -> Any:  # noqa: ARG001
    return fetch(s, i), {"i": i, "j": j, "key": key, "s": i}


def short_address(wire: Any, i: Word, j: Word, key: Word, *, s: Any, **_: Any) -> Any:  # noqa: ARG001
    return fetch(s, i[:7]), {"i": i, "j": j, "key": key, "s": s}


def wide_word(wire: Any, i: Word, j: Word, key: Word, *, s: Any, **_: Any) -> Any:  # noqa: ARG001
    return fetch(s, i), {"i": i, "j": j, "key": key, "s": store(s, i, concatenate(i, j))}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"memories": (Memory("s", 1, 8),)},
            "words of memory s of rc4 must be between 2 and 65536, not 1",
        ),
        (
            {"memories": (Memory("s", 256, 65),)},
            "bits of memory s of rc4 must be between 1 and 64, not 65",
        ),
        (
            {"memories": (Memory("key", 256, 8),)},
            "memory of rc4 must have a name that nothing else has, not 'key'",
        ),
        (
            {"memories": (Memory("reg", 256, 8),)},
            (
                "memory of rc4 must have a name of letters, digits and _ that Verilog leaves free, "
                "not 'reg'"
            ),
        ),
        ({"step": forgets}, "step of rc4 must give each of i, j, key, s, not i, j, key"),
        (
            {"step": gives_a_word},
            "s of step of rc4 must be the memory, or what store(...) gives, not SymbolicWord",
        ),
        (
            {"step": short_address},
            (
                "step of rc4 must be readable: address of a memory of 256 words of 8 bits must "
                "have 8 bits, not 7"
            ),
        ),
        (
            {"step": wide_word},
            (
                "step of rc4 must be readable: word of a memory of 256 words of 8 bits must "
                "have 8 bits, not 16"
            ),
        ),
    ],
)
def test_wrong_descriptions(changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError) as caught:
        replace(rc4(), **changes).check_functions()
    assert str(caught.value) == expected


def test_a_number_that_does_not_fit() -> None:
    expected = r"^number beside a word of 8 bits must fit it, not 0x100$"
    with pytest.raises(InputError, match=expected):
        add(SymbolicWord((0,) * 8), 256)
