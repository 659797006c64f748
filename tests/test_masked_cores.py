# SPDX-License-Identifier: Apache-2.0
"""Cores in two shares: they are the cipher, no probe tells anything, and changes are refuted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import Capture, succeed
from masked_cores import (
    facts,
    faults,
    leakage,
    masked,
    replaced,
    verilog,
    without_register,
)
from needs import OSU018

import headwater as hw
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.emit.verilog import datapath, generate, in_parts
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.kinds.masking import leakage_spec
from headwater.kinds.registry import facts_of
from headwater.leakage.netlist import read_netlist
from headwater.leakage.spec import Spec
from headwater.leakage.verdict import verdict_of
from headwater.measure.masked import netlist_verdict
from headwater.measure.target import AsicTarget, find

PROVEN = [
    ("trivium", 1),
    ("trivium", 8),
    ("trivium", 32),
    ("trivium", 64),
    ("bivium", 1),
    ("bivium", 4),
    ("bivium", 59),
    ("kreyvium", 1),
    ("kreyvium", 8),
    ("kreyvium", 64),
    ("grain_v1", 1),
    ("grain_v1", 4),
    ("grain128a", 1),
    ("grain128a", 8),
]


@pytest.mark.parametrize(("name", "radix"), PROVEN)
def test_steps_as_the_description_and_leaks_nothing(name: str, radix: int, tmp_path: Path) -> None:
    core = masked(name, radix)
    assert faults(core, verilog(core), tmp_path) == []
    assert leakage(core, verilog(core), tmp_path).verdict == "secure"


def test_free_running_core(tmp_path: Path) -> None:
    core = masked("trivium", 8, stall="none")
    assert faults(core, verilog(core), tmp_path) == []
    assert leakage(core, verilog(core), tmp_path).verdict == "secure"


def test_the_table_of_the_page() -> None:
    """| Trivium at radix 8 and 32 | 0 | 1 |"""
    page = (Path(__file__).parents[1] / "docs" / "masking.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) at radix ([\d and]+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    names = {cipher.title: name for name, cipher in CATALOGUE.items()}
    told = {
        (names[title], int(radix)): (int(fresh), int(cycles))
        for title, radices, fresh, cycles in rows
        for radix in radices.split(" and ")
    }
    assert len(told) == 12
    for (name, radix), row in told.items():
        sheet = facts_of(*masked(name, radix)).sheet()
        cycles = sheet.get("cycles_per_step") or sheet["cycles_per_round"]
        assert (sheet["fresh_bits_per_cycle"], cycles) == row, (name, radix)


def test_fresh_bits_by_hand() -> None:
    # Three products; at radix 1 the factors are neighbours, and one of them gets a new mask, too.
    assert facts(masked("trivium", 1)).fresh_bits == 6
    assert facts(masked("bivium", 1)).fresh_bits == 4
    # At radix 8 and 32 the stages that a product is added to are its mask.
    assert facts(masked("trivium", 8)).fresh_bits == 0
    assert facts(masked("trivium", 32)).fresh_bits == 0
    # At radix 64 products are made while the state stands still: 3 * 64 masks, every other cycle.
    wide = facts(masked("trivium", 64))
    assert (wide.fresh_bits, wide.cycles_per_move, wide.bits_per_cycle) == (192, 2, 32)
    # 288 words, then 1152 steps; 36 words, then 144 steps.
    assert facts(masked("trivium", 1)).setup_cycles == 288 + 1152
    assert facts(masked("trivium", 8)).setup_cycles == 36 + 144
    assert wide.setup_cycles == 5 + 18 * 2 + 1


def test_load_words_by_hand() -> None:
    """The first word ends where the state is oldest: s288, s287, s286 are one, all before zero."""
    made = facts(masked("trivium", 8))
    words = made.state_words(bytes(10), bytes(10))
    assert words[0] == 0b00000111
    assert not any(words[1:])
    assert made.shared([0b101], [0b110]) == [0b110_00000011]
    assert made.joined(0b110_00000011) == 0b101


@pytest.mark.parametrize(("name", "radix"), [("trivium", 1), ("trivium", 64), ("grain128a", 1)])
def test_published_vectors(name: str, radix: int) -> None:
    checks = hw.verify(name, radix, masking="first")
    assert checks.passed
    assert {"lint", "keystream", "proof of the step in shares", "leakage", "vectors"} == {
        record.check for record in checks
    }


TRIVIUM_1 = verilog(masked("trivium", 1))
LEAKING = {
    "register removed": without_register(TRIVIUM_1, "cross0_share0"),
    "random bit used twice": replaced(TRIVIUM_1, "fresh[1]", "fresh[0]"),
    "random bit stuck": replaced(TRIVIUM_1, "fresh[3]", "1'b0"),
    "refresh removed": replaced(TRIVIUM_1, " ^ fresh[0]", ""),
    "refresh of one share stuck": replaced(TRIVIUM_1, "a_share0[3] ^ fresh[0]", "a_share0[3]"),
    "shares crossed": replaced(
        TRIVIUM_1,
        "inner0_share0 <= a_share0[3] & masked0_share0",
        "inner0_share0 <= a_share1[3] & masked0_share0",
    ),
    "shares added": replaced(
        TRIVIUM_1, "inner0_share0 ^ cross0_share0", "inner0_share0 ^ cross0_share0 ^ a_share1[5]"
    ),
}


@pytest.mark.parametrize("change", LEAKING)
def test_change_that_leaks_is_refuted(change: str, tmp_path: Path) -> None:
    assert not leakage(masked("trivium", 1), LEAKING[change], tmp_path).holds


@pytest.mark.parametrize("radix", [8, 64])
def test_register_removed_at_other_radices(radix: int, tmp_path: Path) -> None:
    core = masked("trivium", radix)
    changed = without_register(verilog(core), "cross1_share1")
    assert leakage(core, changed, tmp_path).verdict == "leaks"


WRONG = {
    "product left out": replaced(TRIVIUM_1, " ^ product0_share1", ""),
    "share left out": replaced(
        TRIVIUM_1, "inner1_share1 <= b_share1[3] & masked1_share1", "inner1_share1 <= 1'b0"
    ),
    "stage exchanged": replaced(TRIVIUM_1, "a_share1[24]", "a_share1[23]"),
    "load crossed": replaced(TRIVIUM_1, "loading ? load_word[1]", "loading ? load_word[0]"),
    "output of other stages": replaced(
        TRIVIUM_1, "z_share1 = a_share1[27]", "z_share1 = a_share1[26]"
    ),
    "mask in one share only": replaced(
        TRIVIUM_1, "(a_share1[3] & masked0_share0) ^ fresh[1]", "(a_share1[3] & masked0_share0)"
    ),
}


@pytest.mark.parametrize("change", WRONG)
def test_change_of_the_function_is_refuted(change: str, tmp_path: Path) -> None:
    assert faults(masked("trivium", 1), WRONG[change], tmp_path)


def test_step_that_does_not_wait_is_refuted(tmp_path: Path) -> None:
    core = masked("trivium", 64)
    changed = replaced(verilog(core), "go & (loading | waited)", "go & (loading | 1'b1)")
    assert faults(core, changed, tmp_path)
    assert not leakage(core, changed, tmp_path).holds


def test_area_of_trivium(osu018: Library, tmp_path: Path) -> None:
    """The datapath alone, free running, and the whole core with clock gates."""
    free = datapath(*masked("trivium", 1, stall="none", clear="none"))
    assert map_to_cells(free.text, free.name, osu018, tmp_path).ge <= 2500
    core = masked("trivium", 1)
    text, parts = in_parts(*core)
    gated = map_to_cells(
        text, generate(*core).name, osu018, tmp_path, clock_gating="auto", parts=parts
    )
    assert gated.ge <= 3000


@pytest.mark.parametrize(
    ("name", "radix"), [("trivium", 1), ("trivium", 8), ("grain128a", 1), ("grain_v1", 1)]
)
def test_netlist_in_cells(name: str, radix: int, osu018: Library, tmp_path: Path) -> None:
    core = masked(name, radix)
    text, parts = in_parts(*core)
    top = generate(*core).name
    mapped = map_to_cells(text, top, osu018, tmp_path, parts=parts).verilog
    (tmp_path / "mapped.v").write_text(mapped)
    gates = read_netlist([tmp_path / "mapped.v"], top, OSU018)
    assert verdict_of(gates, leakage_spec(*core, gates.wires)).verdict == "secure"


def test_a_check_that_takes_too_long_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    core, target = masked("bivium", 4), find("osu018")
    assert isinstance(target, AsicTarget)
    text = generate(*core).text
    assert netlist_verdict(*core, target, text) == "secure"
    monkeypatch.setattr("headwater.measure.masked.LIMIT_S", 0.0)
    assert netlist_verdict(*core, target, text) == "undecided"


def test_files(capsys: Capture, tmp_path: Path) -> None:
    succeed(capsys, "generate", "trivium", "--masking", "first", "--radix", 8, "-o", tmp_path)
    made = tmp_path / "trivium_r8_masked.v"
    printed = succeed(capsys, "leakage", made, "--spec", made.with_suffix(".toml"), "--json")
    assert json.loads(printed)["verdict"] == "secure"
    sheet = json.loads(succeed(capsys, "show", "trivium", "--masking", "first", "--json"))
    assert (sheet["shares"], sheet["fresh_bits_per_cycle"], sheet["cycles_per_step"]) == (2, 6, 1)


def refused(capsys: Capture, *words: str | Path) -> str:
    """What a command line that is refused says."""
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    return printed.err


FIRST = ("--masking", "first")
REFUSED = [
    (("mickey2", *FIRST), "its registers decide whether they move"),
    (("a51", *FIRST), "its registers decide whether they move"),
    (("zuc", *FIRST), "it adds whole words"),
    (("snow3g", *FIRST), "it adds whole words"),
    (("chacha20", *FIRST), "it adds whole words"),
    (("aes_ctr", *FIRST), "no masked core of the kind aes"),
    (("ascon_aead128", *FIRST, "--option", "unroll=2"), "option unroll of a masked core must be 1"),
    (("ascon_aead128", *FIRST, "--option", "clear=instant"), "must be shift or none"),
    (("grain128aeadv2", *FIRST, "--radix", "64"), "must be one of 1, 2, 4, 8, 16, 32"),
    (("grain128aeadv2", *FIRST, "--load-width", "8"), "its load width is its radix"),
    (("grain128aeadv2", *FIRST, "--option", "stall=none"), "must be stream, not 'none'"),
    (("grain128aeadv2", *FIRST, "--option", "clear=instant"), "must be shift or none"),
    (("sfinks-ae", *FIRST), "no masked core of the kind filtered"),
    (("lizard", *FIRST), "setup whose steps are all alike"),
    (("trivium", "--masking", "second"), "masking must be one of first, not 'second'"),
    (("trivium", *FIRST, "--radix", "5"), "must be one of 1, 2, 3, 4, 6, 8"),
    (("trivium", *FIRST, "--load-width", "8"), "its load width is its radix"),
    (("trivium", *FIRST, "--option", "clear=instant"), "must be shift or none"),
    (("trivium", *FIRST, "--option", "form=galois", "--radix", "8"), "must be fibonacci"),
    (("trivium", *FIRST, "--radix", "64", "--option", "stall=none"), "waits 1 cycles"),
    (("trivium", *FIRST, "--testbench"), "takes a key in shares yet"),
    (("trivium", *FIRST, "--package"), "takes a key in shares yet"),
    (("trivium", *FIRST, "--interface", "axi4lite"), "interface of a masked core must be stream"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_refusals(capsys: Capture, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    assert said in refused(capsys, "generate", *words, "-o", tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_refusals_of_verify_and_evaluate(capsys: Capture) -> None:
    assert "--prove must come without --masking" in refused(
        capsys, "verify", "trivium", *FIRST, "--prove"
    )
    assert "engine of a masked core must be rtl" in refused(
        capsys, "verify", "trivium", *FIRST, "--engine", "c"
    )
    assert "must be of standard cells" in refused(
        capsys, "evaluate", "trivium", *FIRST, "--target", "ecp5-25k"
    )


def test_control_net_must_be_public(tmp_path: Path) -> None:
    core = masked("trivium", 8)
    (tmp_path / "core.v").write_text(verilog(core))
    gates = read_netlist([tmp_path / "core.v"])
    spec = leakage_spec(*core, gates.wires)
    wrong = Spec(**{**spec.model_dump(), "public": [*spec.public, "z_share0"]})
    with pytest.raises(InputError, match=r"z_share0.* must be made of public bits alone, not of "):
        verdict_of(gates, wrong)


def test_no_other_core_changes() -> None:
    assert "masking" not in {option.name for option in TRIVIUM.choices}
