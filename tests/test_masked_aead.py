# SPDX-License-Identifier: Apache-2.0
"""Grain with a tag in two shares: it is Grain, no probe tells anything, changes are refuted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from masked_cores import Core, faults, leakage, masked, netlist, replaced, verilog, without_register

import headwater as hw
from headwater.cipher.grain import GRAIN_128AEAD_V2, step_aead_v2
from headwater.emit.verilog import generate, in_parts
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.kinds.bit_aead.masked.facts import MaskedAeadFacts
from headwater.kinds.masking import leakage_spec, masked_architecture, masked_radices
from headwater.kinds.registry import facts_of
from headwater.leakage.verdict import verdict_of
from headwater.measure.stimulus import simulate_as_model

NAME = "grain128aeadv2"


@pytest.mark.parametrize("radix", [1, 8])
def test_core_is_the_cipher_and_leaks_nothing(radix: int) -> None:
    checks = hw.verify(NAME, radix, masking="first")
    assert checks.passed
    names = {"lint", "message", "proof of the step in shares", "leakage", "vectors"}
    assert {record.check for record in checks} == names


@pytest.mark.parametrize(
    ("name", "radix", "options"),
    [
        (NAME, 1, {"direction": "encrypt"}),
        (NAME, 2, {}),
        (NAME, 4, {"direction": "decrypt", "clear": "none"}),
        (NAME, 8, {"direction": "encrypt", "clear": "none"}),
        ("grain128aead", 8, {"direction": "encrypt"}),
        ("grain128a-ae", 8, {"direction": "encrypt"}),
    ],
)
def test_other_cores(name: str, radix: int, options: dict[str, str], tmp_path: Path) -> None:
    core = masked(name, radix, **options)
    assert faults(core, verilog(core), tmp_path) == []
    assert leakage(core, verilog(core), tmp_path).verdict == "secure"


def test_steps_that_wait_for_their_products(tmp_path: Path) -> None:
    core = masked(NAME, 16)
    assert faults(core, verilog(core), tmp_path) == []


def test_netlist_in_cells_gives_text_and_tag(osu018: Library, tmp_path: Path) -> None:
    """The other text has twice the bits of the public one."""
    core = masked(NAME, 1)
    text, parts = in_parts(*core)
    top = generate(*core).name
    mapped = map_to_cells(text, top, osu018, tmp_path, parts=parts).verilog
    run = simulate_as_model(*core, mapped, osu018, top, 20, tmp_path, watch=False)
    assert len(run.data) == 19


# --- by hand


def of_core(radix: int, **options: str) -> MaskedAeadFacts:
    """The facts of a masked core."""
    facts = facts_of(*masked(NAME, radix, **options))
    assert isinstance(facts, MaskedAeadFacts)
    return facts


def test_figures_by_hand() -> None:
    # At radix 8: 20 gadgets, two of them with a factor that gets a new mask, for eight steps;
    # then one for each bit of a word that leaves the shift register, or of two words; and a mask
    # for each of four message bits, and two for the accumulator.
    assert of_core(8, direction="encrypt").fresh_bits == 8 * 22 + 4
    assert of_core(8).fresh_bits == 8 * 22 + 8 + 4 + 2
    assert of_core(1, direction="encrypt").fresh_bits == 23
    # 384 bits of state, then 512 steps.
    assert of_core(8).setup_cycles == 48 + 64
    # A header of a byte, a text of five: 48 bits are 12 words, and the final one is in another.
    assert of_core(8).message_cycles(40) == 13 + 2
    assert of_core(8, direction="encrypt").message_cycles(40) == 13 + 1
    # A bit in two cycles: 49 bits are 98 moves, the last of which closes the message.
    assert of_core(1, direction="encrypt").message_cycles(40) == 98
    assert (of_core(8).bits_per_cycle, of_core(1).bits_per_cycle) == (4, 0.5)
    assert of_core(8).tag_words == 8


def test_words_by_hand() -> None:
    """The text enters as it is; what leaves is in shares."""
    facts = of_core(8)
    widths = {name: (one.width, one.members.get("keep")) for name, one in facts.streams.items()}
    assert widths == {
        "load": (16, None),
        "data_in": (4, 4),
        "data_out": (8, 4),
        "tag": (16, None),
    }
    assert facts.shared([0b101], stream="data_in") == [0b101]
    assert facts.shared([0b101], [0b110]) == [0b110_00000011]
    assert facts.joined(0b1100_1010, stream="data_out") == 0b0110
    assert facts.joined(0x0F_A5, stream="tag") == 0xAA


def test_the_load_is_the_state() -> None:
    """The chain ends in q, which has the key, so that enters first; b0 is its bit 0, too."""
    facts = of_core(8)
    words = facts.state_words(bytes(range(16)), bytes(12))
    assert words[:16] == list(range(16))
    assert words[16:32] == [0] * 12 + [0xFF, 0xFF, 0xFF, 0x7F]
    assert words[32:] == list(range(16))


# --- refusals


def test_radices() -> None:
    assert masked_radices(GRAIN_128AEAD_V2) == [1, 2, 4, 8, 16, 32]


def reads_the_authenticator(wire, b, s, q, *, feedback, key_again):  # type: ignore[no-untyped-def]
    """A step that reads it in a message, too."""
    z, entering = step_aead_v2(wire, b, s, q, feedback=feedback, key_again=key_again)
    return z, dict(entering) | {"b": entering["b"] ^ q(5)}


def test_a_step_that_reads_the_authenticator_is_refused() -> None:
    changed = replace(GRAIN_128AEAD_V2, name="changed", step=reads_the_authenticator)
    with pytest.raises(InputError, match=r"^b of step of a masked core must read q in the setup"):
        masked_architecture(changed, "first")


# --- changes

BOTH: Core = masked(NAME, 2)
TEXT = verilog(BOTH)
LEAKING = {
    "nothing": TEXT,
    "register removed": without_register(TEXT, "added_share0"),
    "mask stuck": replaced(TEXT, "fresh[47]", "1'b0"),
    "one mask for all stages": replaced(TEXT, "fresh[48]", "fresh[47]"),
    "mask of a product used again": replaced(TEXT, "fresh[46]", "fresh[44]"),
    "no new mask for the message": replaced(TEXT, " <= fresh[46] ^ ", " <= "),
    "shares crossed": replaced(
        TEXT, "{64{before_share0}} & {q_share0[125:64]", "{64{before_share0}} & {q_share1[125:64]"
    ),
    "shares added": replaced(TEXT, "data_in_payload ^ z_share0[0]", "z_share1[0] ^ z_share0[0]"),
}
"""Changes of the authenticator."""


@pytest.mark.parametrize("change", LEAKING)
def test_change_that_leaks_is_refuted(change: str, tmp_path: Path) -> None:
    """In cycles in which a message moves, which are some of all."""
    gates = netlist(LEAKING[change], tmp_path)
    spec = leakage_spec(*BOTH, gates.wires)
    moving = {"go": 1, "authenticating": 1}
    update = {"control": [], "constant": {**spec.constant, **moving}}
    verdict = verdict_of(gates, spec.model_copy(update=update)).verdict
    assert (verdict == "secure") == (change == "nothing")


ENCRYPTS: Core = masked(NAME, 8, direction="encrypt")
ENCRYPTING = verilog(ENCRYPTS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(q_share0[7:0] & {8", "((q_share0[7:0] ^ q_share1[7:0]) & {8"),
        (" ^ fresh[15:8]", " ^ {fresh[15:9], fresh[0]}"),
        (" ^ fresh[175:168]", " ^ {fresh[175:169], 1'b0}"),
    ],
)
def test_change_of_an_encrypting_core_is_refuted(old: str, new: str, tmp_path: Path) -> None:
    assert not leakage(ENCRYPTS, replaced(ENCRYPTING, old, new), tmp_path).holds


WRONG = {
    "key added in one share": (" ^\n      (q_share1[65:64] & {2{phase_key_again}})", ""),
    "key in another phase": ("{2{phase_key_again}}", "{2{phase_feedback}}"),
    "products added always": (" & {64{enters}}", ""),
    "shift by another way": ("q_share1[127:65]", "q_share1[126:64]"),
    "past not zeros": ("past_share1 <= fresh[50:49]", "past_share1 <= fresh[49:48]"),
    "past crossed": ("{q_share0[64], past_share0[1]}", "{q_share0[64], past_share1[1]}"),
    "text of another bit": ("(z_share1[0] & through)", "(z_share1[1] & through)"),
    "mask in one share": ("fresh[46] ^ (z_share1", "(z_share1"),
    "tag of another stage": ("q_share1[1:0] & {2{sending}}", "q_share1[2:1] & {2{sending}}"),
}


@pytest.mark.parametrize("change", WRONG)
def test_change_of_the_function_is_refuted(change: str, tmp_path: Path) -> None:
    assert faults(BOTH, replaced(TEXT, *WRONG[change]), tmp_path)
