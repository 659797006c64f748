# SPDX-License-Identifier: Apache-2.0
"""Sources of random bits whose seed is the whole state of the cipher."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from command_line import Capture, refused
from needs import needs_iverilog
from test_prng import simulated
from test_prng_bus import bits_of, driven, failed, seed_for

from headwater.algebra import bitstring
from headwater.api.ciphers import cipher
from headwater.api.random_bits import RandomBits
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.emit.prng_bus import prng_identity
from headwater.errors import InputError
from headwater.flow.verilator import lint_files
from headwater.kinds.reading import Keystream, state_of
from headwater.kinds.stepped.prng.model import PrngInputs, PrngModel
from headwater.kinds.stepped.prng.properties import properties_of_source
from headwater.kinds.stepped.prng.shape import source_of
from headwater.measure.stimulus import stimulus
from headwater.verify.prng_c import CSource, c_faults
from headwater.verify.prng_proof import prove_one

NAMES = ["trivium", "bivium", "grain_v1", "grain128a", "espresso"]
WORDS = 20

# Of a model apart from this one, whose step was compared with the equations of lowRISC's
# prim_trivium: states as numbers whose bit i is s(i + 1), and the first 16 bytes of keystream, with
# no blank clock before them.
BIVIUM = {
    "082a30c132b5723c5a4cf4743b3c7c32d580f74f1713a": "12c1218799302627b0d061d41c38dce0",
    "1ffffffffffffffffffffffffffffffffffffffffffff": "00000000000000001c00f01f00000000",
    "000000000000000000000000000020000000000000000": "01000008000000000000100000800000",
}


def source(name: str, bits: int, **more: object) -> RandomBits:
    return cipher(name).random_bits(bits, seed_by="state", **more)  # type: ignore[arg-type]


def some_state(name: str) -> bytes:
    bits = state_of(CATALOGUE[name]).bits
    return bitstring.to_bytes(Random(name).getrandbits(bits), bits, CATALOGUE[name].bit_order)


def made_by(made: PrngModel | CSource, seed: list[int], words: int) -> list[int]:
    """The first words after a seed, asked for in each cycle; none come before the whole of it."""
    waiting, found = list(seed), list[int]()
    while len(found) < words:
        given = PrngInputs(en=True, seed_valid=bool(waiting), seed=waiting[0] if waiting else 0)
        out = made.clock(given)
        assert not (out.valid and waiting)
        if waiting and out.seed_ready:
            waiting.pop(0)
        if out.valid:
            found.append(out.prng)
    return found


@pytest.mark.parametrize("bits", [1, 8, 31, 64, 177])
@pytest.mark.parametrize(("state", "keystream"), BIVIUM.items())
def test_states_of_another_model(bits: int, state: str, keystream: str) -> None:
    """In the model and in C."""
    made, expected = source("bivium", bits), bytes.fromhex(keystream)
    seed = made.seed_of_state(int(state, 16).to_bytes(23, "little"))
    count = -(-8 * len(expected) // bits)
    for one in (made.model(), CSource(made.shape)):
        words = made_by(one, seed, count)
        found = sum(word << bits * place for place, word in enumerate(words))
        assert found & (1 << 8 * len(expected)) - 1 == int.from_bytes(expected, "little")


@pytest.mark.parametrize("bits", [5, 32])
@pytest.mark.parametrize("name", NAMES)
def test_the_bits_are_the_keystream_from_this_state_on(name: str, bits: int) -> None:
    state, made = some_state(name), source(name, bits)
    words = made_by(made.model(), made.seed_of_state(state), WORDS)
    read = Keystream.from_state(CATALOGUE[name], state).read(bits * WORDS)
    found = sum(word << bits * place for place, word in enumerate(words))
    assert found == bitstring.from_bytes(read, CATALOGUE[name].bit_order)


@needs_iverilog
@pytest.mark.parametrize(
    ("name", "bits", "more"),
    [
        ("bivium", 1, {}),
        ("trivium", 8, {"lockup": "none"}),
        ("trivium", 400, {}),
        ("grain_v1", 31, {"reset": "async"}),
        ("trivium", 64, {"state_port": True}),
    ],
)
def test_verilog_and_c_are_the_model(
    tmp_path: Path, name: str, bits: int, more: dict[str, object]
) -> None:
    made = source(name, bits, **more)
    assert simulated(tmp_path, made.files(testbench=True)).startswith("PASS")
    assert not list(c_faults(made.shape))


@needs_iverilog
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("running <= running | last_blank", "running <= running | load_fire"),
        ("load_fire ? load_payload", "load_fire ? ~load_payload"),
    ],
)
def test_the_testbench_sees_faults(tmp_path: Path, right: str, wrong: str) -> None:
    made = source("trivium", 64)
    files, core = made.files(testbench=True), f"{made.name}_core.v"
    assert right in files[core]
    files[core] = files[core].replace(right, wrong, 1)
    assert simulated(tmp_path, files).startswith("FAIL")


@pytest.mark.parametrize("number", range(6))
def test_properties_are_proven(number: int) -> None:
    """Those of the setup, and that a restart forgets."""
    shape = source("bivium", 16).shape
    assert prove_one(shape, properties_of_source(shape)[number]).failures == ()


def test_simulators_read_the_assertions() -> None:
    made = source("bivium", 16)
    files = made.files(properties=True)
    verilog = {name: text for name, text in files.items() if name.endswith((".v", ".sv"))}
    assert lint_files(f"{made.name}_wrapper", verilog) == []


@needs_iverilog
@pytest.mark.parametrize("bus", ["axi4lite", "request"])
def test_software_and_hardware(bus: str, tmp_path: Path) -> None:
    """No register gives a word of the state; a restart waits for the whole of it."""
    number, printed = failed(source("trivium", 64, seed_width=32), bus, tmp_path)
    assert not number, printed


def test_the_driver_gives_a_state(tmp_path: Path) -> None:
    made = source("trivium", 64, seed_width=32)
    seed = seed_for(made)
    told = driven(made, seed, tmp_path)
    assert told[:3] == ["0", "0", "1 0"]
    assert told[3:8] == [f"0 {bits & 0xFFFFFFFF:x}" for bits in bits_of(made, seed)[:5]]


def test_all_files_say_what_a_seed_is() -> None:
    files = source("trivium", 64, seed_width=32).files(
        bus="axi4lite", testbench=True, properties=True, c_model=True, fusesoc=True
    )
    silent = {name for name, text in files.items() if "whole state" not in " ".join(text.split())}
    ends = ("_port.v", ".sby", ".vbl", ".c", "_wrapper.sv", "axi4lite.hjson", "_core.v", ".rdl")
    assert {name for name in silent if not name.endswith(ends)} == set()
    head = " ".join(files["trivium_prng64.v"].replace("//", " ").split())
    assert "stages 288 to 178 of c, then 177 to 94 of b, then 93 to 1 of a" in head


def test_a_source_is_known_by_its_choices() -> None:
    """Also by its registers: the description is the cipher's, the options are others."""
    made, other = source("trivium", 64), cipher("trivium").random_bits(64)
    trivium = CATALOGUE["trivium"]
    assert source_of(trivium, made.shape.choices) == made.shape != other.shape
    told, others = prng_identity(made.shape), prng_identity(other.shape)
    assert [name for name in told if told[name] != others[name]] == ["OPTIONS"]
    words = stimulus(trivium, made.shape.choices, 5)
    assert (len(words.load_words), len(words.words)) == (made.shape.seed_words, 5)


def test_a_state_of_zeros_is_told() -> None:
    """At once, and without the watch it stays."""
    for lockup, error in (("watch", True), ("none", False)):
        made = source("bivium", 16, lockup=lockup)
        model = made.model()
        made_by(model, made.seed_of_state(bytes(23)), 3)
        out = [model.clock(PrngInputs(en=True)) for _ in range(20)][-1]
        assert (out.error, out.prng != 0) == (error, error)


def test_generate(capsys: Capture, tmp_path: Path) -> None:
    words = ("bivium", "--random-bits", "4", "--interface", "prng", "--seed-by", "state")
    assert main(["generate", *words, "-o", str(tmp_path)]) == 0
    assert "bivium is broken" in capsys.readouterr().err
    assert "seeded by its whole state" in (tmp_path / "bivium_prng4.v").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("trivium", "--random-bits", "8", "--seed-by", "keys"),
            "seed_by must be one of key, state, not 'keys' (did you mean 'key'?)",
        ),
        (
            ("trivium", "--random-bits", "8", "--seed-by", "state", "--instances", "2"),
            (
                "instances of trivium that are seeded by their state must be 1, not 2: cores of "
                "the same state would make the same bits"
            ),
        ),
        (
            ("mickey2", "--random-bits", "2", "--seed-by", "state"),
            (
                "cipher of a source that is seeded by its whole state must be one into which key "
                "and IV are placed; those of mickey2 go through its steps"
            ),
        ),
        (("trivium", "--seed-by", "state"), "--seed-by must come with --random-bits"),
    ],
)
def test_refusals(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    refused(capsys, ("verify", *words), message)


def test_a_seed_of_the_other_kind_is_refused() -> None:
    with pytest.raises(InputError, match="must be a state, not key and IV"):
        source("trivium", 8).seed(bytes(10), bytes(10))
    with pytest.raises(InputError, match="must be key and IV, not a state"):
        cipher("trivium").random_bits(8).seed_of_state(bytes(36))
    with pytest.raises(InputError, match=r"state of trivium must be 288 bits .*, not 280 bits"):
        source("trivium", 8).seed_of_state(bytes(35))
