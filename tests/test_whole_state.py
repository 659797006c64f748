# SPDX-License-Identifier: Apache-2.0
"""A keystream from a whole state on: the order of its bits, every engine, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from command_line import Capture, refused, succeed
from contract import key_and_iv

import headwater as hw
from headwater.algebra import bitstring
from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model, c_radix
from headwater.errors import InputError
from headwater.flow.c_library import FLAGS
from headwater.kinds.reading import has_state, state_of
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.model import Model
from headwater.verify import fast_engine
from headwater.verify.c_engine import CEngine
from headwater.verify.c_session import CLibrary
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment

NAMES = [name for name, cipher in CATALOGUE.items() if has_state(cipher)]
SEVERAL = ("trivium", "bivium", "lizard", "a51", "mickey2", "achterbahn80")
"""One of each way to lie in bytes and in registers."""

# A5/1 after the 100 steps of mixing, R1 = 4b002, R2 = 23817f, R3 = 4754bc, bit 0 being stage 0:
# R1's stages 0 to 18 are 0100 0000 0000 1101 001, and R2's first five 1 1111.
A51_STATE = "400d3fd0389e9571"
A51_KEYSTREAM = "cba25576175d3b1c7b2f29a8c1b600"

# Two vectors of E0 from a state, in the tests of CLAASP (Technology Innovation Institute, GPL-3.0):
# the four LFSRs, each with its last stage first; the bits of both symbols of the combiner, the high
# ones before the low ones, of each pair the newer first; 125 bits of keystream, the first on top.
E0_VECTORS = (
    (0x25AC1EA08E1EC131E0A1780F7A2A42BB, 0xB, 0x8CD29CC32668B90EE2312924376F1B4),
    (0xE22F92FFF8C245C49D10359A02F1E555, 0xD, 0x1198636720BAC54986D1AB5A494866C9),
)

EXPECTED = [
    "trivium",
    "bivium",
    "grain_v1",
    "grain128",
    "grain128a",
    "espresso",
    "lizard",
    "mickey1",
    "mickey2",
    "mickey128",
    "a51",
    "e0",
    "e0_payload",
    "achterbahn",
    "achterbahn-v1-reduced",
    "achterbahn80",
    "achterbahn128",
]


def some_state(name: str, seed: int = 1) -> bytes:
    cipher = CATALOGUE[name]
    bits = state_of(cipher).bits
    return bitstring.to_bytes(Random(f"{name} {seed}").getrandbits(bits), bits, cipher.bit_order)


def test_which_ciphers_begin_with_a_state() -> None:
    assert NAMES == EXPECTED
    assert all(state_of(CATALOGUE[name]).bits == CATALOGUE[name].state_bits for name in NAMES)


@pytest.mark.parametrize("engine", ["model", "c"])
def test_registers_of_a51(capsys: Capture, engine: str) -> None:
    places = state_of(CATALOGUE["a51"])
    packed = places.packed({"r1": 0x4B002, "r2": 0x23817F, "r3": 0x4754BC})
    assert packed.hex() == A51_STATE
    words = ("keystream", "a51", "--state", A51_STATE, "--bits", "114", "--engine", engine)
    assert succeed(capsys, *words) == A51_KEYSTREAM + "\n"


@pytest.mark.parametrize(("lfsrs", "symbols", "keystream"), E0_VECTORS)
def test_registers_of_e0(lfsrs: int, symbols: int, keystream: int) -> None:
    digits, (high, high_before, low, low_before) = f"{lfsrs:0128b}", list(f"{symbols:04b}")
    contents = {"c": int(high + low, 2), "c_before": int(high_before + low_before, 2)}
    for name, length in (("l1", 25), ("l2", 31), ("l3", 33), ("l4", 39)):
        contents[name], digits = int(digits[:length], 2), digits[length:]
    state = state_of(CATALOGUE["e0"]).packed(contents)
    made = hw.cipher("e0").keystream(state=state, bits=125)
    bits = bitstring.split(bitstring.from_bytes(made, "lsb_first"), 125)
    assert int("".join(map(str, bits)), 2) == keystream


def test_stages_in_ascending_number() -> None:
    """Against Bivium as its paper has it, which knows no register: s[0] is s1."""
    state = some_state("bivium")
    s, bits = bitstring.split(int.from_bytes(state, "little"), 177), []
    for _ in range(150):
        t1, t2 = s[65] ^ s[92], s[161] ^ s[176]
        bits.append(t1 ^ t2)
        t1 ^= s[90] & s[91] ^ s[170]
        t2 ^= s[174] & s[175] ^ s[68]
        s = [t2, *s[:92], t1, *s[93:176]]
    expected = sum(bit << place for place, bit in enumerate(bits)).to_bytes(19, "little")
    assert hw.cipher("bivium").keystream(state=state, bits=150) == expected


@pytest.mark.parametrize("name", NAMES)
def test_the_state_after_a_setup_gives_the_keystream_of_the_key(name: str) -> None:
    cipher = CATALOGUE[name]
    for seed in range(2):
        iv_bits = cipher.iv_bits[-1 - seed % len(cipher.iv_bits)]
        key, iv = key_and_iv(cipher, seed, iv_bits, cipher.key_bits)
        assert isinstance(cipher, SteppedCipher)
        model, places = Model(cipher, key=key, iv=iv, iv_bits=iv_bits), state_of(cipher)
        state = places.packed({part.name: model.content(part.name) for part in places.parts})
        assert places.packed(places.contents(state)) == state
        expected = model.read(203)
        assert hw.cipher(name).keystream(state=state, bits=203) == expected
        whole = bitstring.from_bytes(expected, cipher.bit_order)
        part = bitstring.to_bytes(whole >> 77, 61, cipher.bit_order)
        assert hw.cipher(name).keystream(state=state, bits=61, offset=77) == part


@pytest.mark.parametrize("name", SEVERAL)
def test_c_is_the_model(name: str) -> None:
    cipher = CATALOGUE[name]
    segments = [
        Segment.from_state(some_state(name, seed), offset, bits)
        for seed in (1, 2)
        for offset, bits in ((0, 203), (77, 13))
    ]
    architecture = Architecture.choose(cipher, radix=c_radix(cipher, of_state=True))
    assert CEngine(cipher, architecture).run(segments) == ModelEngine(cipher).run(segments)


@pytest.mark.parametrize("options", [{}, {"stall": "none"}, {"datapath": "apart"}], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_c_of_every_option_is_the_model(name: str, options: dict[str, str]) -> None:
    cipher, segment = CATALOGUE[name], Segment.from_state(some_state(name), 5, 150)
    expected = ModelEngine(cipher).run([segment])
    radices = [radix for radix in cipher.legal_radices() if radix in (1, 2)]
    made = [Architecture.choose(cipher, radix=radix, options=options) for radix in radices]
    plain = [one for one in made if facts_of(cipher, one).whole_state]
    assert CEngine(cipher, plain[0]).run([segment]) == expected


def test_c_with_other_registers_is_refused() -> None:
    cipher, segment = CATALOGUE["bivium"], Segment.from_state(some_state("bivium"), 0, 8)
    for radix, options in ((64, {}), (1, {"form": "galois"})):
        architecture = Architecture.choose(cipher, radix=radix, options=options)
        assert "init_state" not in c_model(cipher, architecture).header
        message = "state of bivium must be given to C whose registers are those of the description"
        with pytest.raises(InputError, match=f"^{message}, as at radix 59, not at radix {radix},"):
            CEngine(cipher, architecture).run([segment])


def test_c_refuses_unused_bits() -> None:
    for name, last in (("bivium", 0x02), ("lizard", 0x40)):
        cipher = CATALOGUE[name]
        architecture = Architecture.choose(cipher, radix=c_radix(cipher, of_state=True))
        model = c_model(cipher, architecture)
        assert f"{state_of(cipher).bits} bits" in model.header
        library = CLibrary(model, FLAGS)
        state = some_state(name)[:-1]
        assert library.from_state(state + bytes(1)).keystream(1)
        memory = library.from_state(state + bytes(1)).memory
        assert library.call("init_state", memory, state + bytes([last])) == -1
        assert not any(memory.raw)


def test_long_keystreams_are_left_to_c(monkeypatch: pytest.MonkeyPatch) -> None:
    state, expected = some_state("mickey2"), ModelEngine(CATALOGUE["mickey2"])
    monkeypatch.setattr(fast_engine, "_LONG_S", 0)
    monkeypatch.setattr(ModelEngine, "pieces", None)
    made = hw.cipher("mickey2").keystream(state=state, bits=9000)
    assert made == expected.run([Segment.from_state(state, 0, 9000)])[0]


def test_rtl_is_refused(capsys: Capture) -> None:
    cipher = CATALOGUE["a51"]
    message = "^state of a51 must be given to another engine than rtl: a core has no port for its"
    with pytest.raises(InputError, match=message):
        RtlEngine(cipher, Architecture.choose(cipher)).run([Segment.from_state(bytes(8), 0, 8)])
    words = ("keystream", "a51", "--state", A51_STATE, "--bits", "8", "--engine", "rtl")
    message = "--state must come with another engine than rtl: a core has no port for its state"
    refused(capsys, words, message)


SEE = "; see: headwater keystream --help"


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        (
            "bivium",
            ("--state", A51_STATE),
            "state of bivium must be 177 bits (46 hex digits), not 64 bits",
        ),
        (
            "bivium",
            ("--state", "00" * 22 + "02"),
            "unused bits of the state of bivium must be zero",
        ),
        (
            "lizard",
            ("--state", "00" * 15 + "40"),
            "unused bits of the state of lizard must be zero",
        ),
        ("a51", ("--state", "5ec7e7"), "state of a51 must be 64 bits (16 hex digits), not 24 bits"),
        ("a51", ("--state", ""), "state of a51 must be 64 bits (16 hex digits), not 0 bits"),
        ("a51", ("--state", "5ec7e"), "state must be hexadecimal digits, two for each byte"),
        ("a51", ("--state", A51_STATE, "--iv", "00"), "--state must come without --iv"),
        ("a51", ("--state", A51_STATE, "--frame", "0"), "--state must come without --frame"),
        ("a51", ("--state", A51_STATE, "--counter", "0"), "--state must come without --counter"),
        (
            "a51",
            ("--state", A51_STATE, "--key", "00"),
            f"argument --key: not allowed with argument --state{SEE}",
        ),
        (
            "zuc",
            ("--state", A51_STATE),
            f"state must be given for one of {', '.join(EXPECTED)}, not for zuc",
        ),
        (
            "grain128aead",
            ("--state", A51_STATE),
            f"state must be given for one of {', '.join(EXPECTED)}, not for grain128aead",
        ),
        (
            "vest4",
            ("--state", A51_STATE),
            f"state must be given for one of {', '.join(EXPECTED)}, not for vest4",
        ),
    ],
)
def test_what_the_command_line_refuses(
    capsys: Capture, name: str, words: tuple[str, ...], message: str
) -> None:
    refused(capsys, ("keystream", name, *words, "--bits", "8"), message)
    assert "5ec7e" not in message


def test_a_state_from_stdin_or_a_file(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("keystream", "a51", "--bits", "114")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{A51_STATE}\n".encode())))
    assert succeed(capsys, *words, "--state", "-") == A51_KEYSTREAM + "\n"
    path = tmp_path / "state"
    path.write_text(f"{A51_STATE}\n")
    assert succeed(capsys, *words, "--state-file", path) == A51_KEYSTREAM + "\n"
    assert A51_STATE not in repr(Segment.from_state(bytes.fromhex(A51_STATE), 0, 8))


def test_what_python_refuses() -> None:
    a51, state = hw.cipher("a51"), bytes.fromhex(A51_STATE)
    with pytest.raises(InputError, match=r"^state must be given in place of key and IV, not with"):
        a51.keystream(bytes(8), bytes(3), bits=8, state=state)
    with pytest.raises(InputError, match=r"^keystream must be given key and IV, or a state$"):
        a51.keystream(bytes(8), bits=8)
    with pytest.raises(InputError, match=r"^state must be bytes, not of type str$"):
        a51.keystream(bits=8, state=A51_STATE)  # type: ignore[arg-type]


def test_the_data_sheet_states_the_order(capsys: Capture) -> None:
    sheet = succeed(capsys, "show", "a51")
    assert "state:            64 bits, packed msb_first: r1 0..18, r2 0..21, r3 0..22\n" in sheet
    assert "state" not in hw.cipher("zuc").facts
