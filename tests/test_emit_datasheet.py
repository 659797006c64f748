# SPDX-License-Identifier: Apache-2.0
"""Data sheets: facts from the papers, and figures that follow from one another."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.description import SteppedCipher

STEPPED = [name for name, cipher in CATALOGUE.items() if isinstance(cipher, SteppedCipher)]
AUTHENTICATED = [name for name, cipher in CATALOGUE.items() if isinstance(cipher, BitAead)]


def sheet(
    name: str, radix: int | None = None, load_width: int | None = None, **options: str
) -> dict[str, Any]:
    cipher = CATALOGUE[name]
    made = Architecture.choose(cipher, radix=radix, load_width=load_width, options=options)
    return datasheet(cipher, made)


@pytest.mark.parametrize("name", STEPPED)
def test_of_every_cipher(name: str) -> None:
    found, cipher = sheet(name), CATALOGUE[name]
    assert json.loads(json.dumps(found)) == found
    assert None not in found.values()
    assert (found["cipher"], found["state_bits"]) == (name, cipher.state_bits)
    authenticates = name in AUTHENTICATED or name == "sfinks-ae"
    assert found["kind"] == ("aead" if authenticates else "keystream")
    assert found["legal_radices"] == list(cipher.legal_radices())
    if not isinstance(cipher, SteppedCipher):
        return
    assert sum(found["phases"].values()) == found["blank_steps"]
    lengths = {
        register: (facts["length"], facts.get("setup_only", False))
        for register, facts in found["registers"].items()
    }
    running = sum(length for length, setup_only in lengths.values() if not setup_only)
    assert running == cipher.state_bits
    for facts in found["registers"].values():
        taps = facts.get("taps", [])
        assert taps == sorted(set(taps))


def test_registers_of_trivium() -> None:
    """Stages are numbered through in the paper."""
    assert sheet("trivium")["registers"] == {
        "a": {
            "length": 93,
            "stages": [1, 93],
            "taps": [66, 69, 91, 92, 93],
            "feedback_degree": 2,
            "feedback_from": ["a", "c"],
        },
        "b": {
            "length": 84,
            "stages": [94, 177],
            "taps": [162, 171, 175, 176, 177],
            "feedback_degree": 2,
            "feedback_from": ["a", "b"],
        },
        "c": {
            "length": 111,
            "stages": [178, 288],
            "taps": [243, 264, 286, 287, 288],
            "feedback_degree": 2,
            "feedback_from": ["b", "c"],
        },
    }


def test_registers_of_grain() -> None:
    registers = sheet("grain_v1")["registers"]
    # The LFSR: taps of f, and s3, s25, s46, s64 of h.
    assert registers["s"] == {
        "length": 80,
        "stages": [79, 0],
        "taps": sorted([62, 51, 38, 23, 13, 0, 3, 25, 46, 64]),
        "feedback_degree": 1,
        "feedback_from": ["s"],
    }
    assert registers["b"]["feedback_degree"] == 6
    assert sheet("grain128aead")["registers"]["b"]["feedback_degree"] == 4


@pytest.mark.parametrize(("name", "taps"), [("grain128aead", [0]), ("grain128aeadv2", [0, 64])])
def test_what_the_setup_alone_reads_is_a_tap(name: str, taps: list[int]) -> None:
    """The key waits in the authenticator and enters again from there."""
    assert sheet(name)["registers"]["q"]["taps"] == taps


def test_registers_of_e0() -> None:
    registers = sheet("e0")["registers"]
    # The feedback of the specification, the output at stage 24 or 32, and the symbol after it.
    assert registers["l1"]["taps"] == [8, 12, 20, 23, 24, 25]
    assert registers["l4"]["taps"] == [4, 28, 31, 32, 36, 39]
    assert [registers[f"l{number}"]["length"] for number in (1, 2, 3, 4)] == [25, 31, 33, 39]
    assert (registers["symbols"]["setup_only"], "setup_only" in registers["c"]) == (True, False)


@pytest.mark.parametrize("name", ["mickey2", "mickey128", "a51"])
def test_irregular_clocking_reads_every_stage(name: str) -> None:
    for facts in sheet(name)["registers"].values():
        assert facts["taps"] == list(range(facts["length"]))


@pytest.mark.parametrize(
    ("name", "load_phases", "phases"),
    [
        ("trivium", None, [1152]),
        ("grain128aeadv2", None, [320, 64, 128]),
        ("mickey2", [160], [100]),
        ("a51", [64 + 22], [100]),
        ("e0", [25, 6, 2, 6, 16], [183, 1]),
    ],
)
def test_phases(name: str, load_phases: list[int] | None, phases: list[int]) -> None:
    found = sheet(name)
    assert list(found["phases"].values()) == phases
    assert ("load_phases" in found) == (load_phases is not None)
    if load_phases:
        assert list(found["load_phases"].values()) == load_phases
        assert sum(load_phases) == found["load_steps"]


ARCHITECTURES = [
    ("trivium", 7, None),
    ("trivium", 8, 100),
    ("grain_v1", 16, 5),
    ("grain128a", 32, 6),
    ("grain128aeadv2", 64, 4),
    ("mickey2", 3, None),
    ("mickey128", 8, 4),
    ("a51", 3, 7),
    ("a51", 5, 1),
    ("e0", 8, 4),
    ("e0", 4, 220),
    ("zuc", 32, 64),
    ("snow3g", 32, 32),
    ("zkcrypt", 32, 128),
    *((name, None, None) for name in STEPPED),
]


@pytest.mark.parametrize(("name", "radix", "load_width"), ARCHITECTURES)
def test_setup_formula_gives_the_setup_cycles(
    name: str, radix: int | None, load_width: int | None
) -> None:
    found = sheet(name, radix, load_width)
    formula = found["setup_formula"].partition(";")[0].replace(" mod ", " % ")
    values = found | {"iv_bits": found["iv_bits"][-1], "ceil": math.ceil, "floor": math.floor}
    assert eval(formula, {}, values) == found["setup_cycles"]


def test_setup_formula_of_trivium() -> None:
    formula = "ceil((key_bits + iv_bits) / load_width) + floor(blank_steps / radix)"
    assert sheet("trivium")["setup_formula"] == formula


def test_setup_formula_tells_of_lanes_and_of_shorter_loads() -> None:
    assert sheet("grain128aead")["setup_formula"].startswith(
        "ceil(lanes * load_steps / load_width)"
    )
    for name in STEPPED:
        shorter = "shorter IV" in sheet(name)["setup_formula"]
        assert shorter == name.startswith(("mickey", "achterbahn"))


@pytest.mark.parametrize(("radix", "bits"), [(1, 0.5), (2, 1), (64, 32)])
@pytest.mark.parametrize("name", AUTHENTICATED)
def test_streams_of_an_authenticated_cipher(name: str, radix: int, bits: float) -> None:
    found = sheet(name, radix)
    assert (found["bits_per_cycle"], found["steps_per_bit"]) == (bits, 2)
    assert found["data_width"] == max(1, radix // 2)
    assert found["radix_counts"] == "output bits, half of them keystream"
    tag_bits = 32 if name == "grain128a-ae" else 64
    assert found["tag_bits"] == tag_bits
    width = min(radix, tag_bits)
    words = "words" if tag_bits > width else "word"
    bits_named = "bits" if width > 1 else "bit"
    assert found["tag_order"].startswith(f"{tag_bits // width} {words} of {width} {bits_named}")
    assert ("two cycles" in found["data_order"]) == (radix == 1)
    for said in ("`last`", "`keep`", "the text"):
        assert said in found["data_order"]
    assert ("associated data" in found["data_order"]) == ("header" in found)
    assert ("header" in found) == (name != "grain128a-ae")


def test_authenticated_cipher_releases_text_unverified() -> None:
    said = sheet("grain128aeadv2")["releases_unverified"]
    assert "before its tag can be checked" in said
    assert "discard" in said
    assert "releases_unverified" in sheet("grain128aeadv2", direction="decrypt")
    # What never decrypts releases nothing.
    assert "releases_unverified" not in sheet("grain128aeadv2", direction="encrypt")


@pytest.mark.parametrize("name", sorted(set(STEPPED) - {*AUTHENTICATED, "sfinks-ae"}))
def test_streams_of_a_keystream_cipher(name: str) -> None:
    radix = 2 if 2 in CATALOGUE[name].legal_radices() else CATALOGUE[name].default_radix
    found = sheet(name, radix)
    if isinstance(CATALOGUE[name], SteppedCipher):
        assert (found["bits_per_cycle"], found["steps_per_bit"]) == (radix, 1)
    assert found["bits_per_cycle"] <= radix
    assert found["radix_counts"] == "keystream bits"
    assert found.keys().isdisjoint({"tag_bits", "data_order", "tag_order", "releases_unverified"})
    assert "keystream_order" in found


@pytest.mark.parametrize("name", ["ascon_hash256", "chacha20_poly1305", "uia1"])
def test_radix_of_a_message_machine_counts_steps(name: str) -> None:
    """A cycle makes `radix` of them, so its share of a block is not the radix."""
    found = sheet(name)
    assert found["radix_counts"] == "steps"
    assert found["bits_per_cycle"] != found["radix"]


def test_natural_radices() -> None:
    natural = {name: sheet(name)["natural_radix"] for name in ("trivium", "grain_v1", "grain128a")}
    assert natural == {"trivium": 66, "grain_v1": 16, "grain128a": 32}


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_option_says_what_it_costs_and_when_to_choose_it(name: str) -> None:
    choices = sheet(name)["choices"]
    assert choices.keys() == {option.name for option in CATALOGUE[name].choices}
    for facts in choices.values():
        assert facts["advice"].endswith(".")
        assert len(facts["advice"].split()) >= 5
        assert facts["values"]
