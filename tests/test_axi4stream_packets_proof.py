# SPDX-License-Identifier: Apache-2.0
"""What surrounds a core that takes packets of a plain DMA engine is lint-clean, keeps its
properties and shows no bit of a key; broken parts are found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from emitted import iverilog_warnings
from packet_protocol import proved
from test_axi4stream_packets import Plain, message_sessions, sum_sessions

from headwater.errors import InputError, ToolError
from headwater.flow.folders import private_folder
from headwater.flow.verilator import lint_files
from headwater.flow.yosys import run_yosys


@pytest.mark.parametrize(
    ("name", "radix", "width", "key_by"),
    [
        ("trivium", 1, 128, "stream"),
        ("trivium", 64, 8, "axi4lite"),
        ("vest4", 4, 32, "stream"),
        ("chacha20", 32, None, "stream"),
        ("grain128aead", 64, 128, "axi4lite"),
        ("grain128aead", 1, None, "stream"),
        ("eia3", 32, 8, "stream"),
        ("eea3", 32, 64, "stream"),
        ("phelix", 64, None, "axi4lite"),
        ("mosquito", 3, None, "stream"),
        ("vest4-ae", 4, 32, "stream"),
        ("sfinks-ae", 16, None, "axi4lite"),
    ],
)
def test_wrappers_are_lint_clean(name: str, radix: int, width: int | None, key_by: str) -> None:
    """Ciphers of every shape: with a keystream, with text, with a tag alone."""
    made = Plain(name, radix, width, key_by)
    assert lint_files(made.top, made.sources) == []
    assert iverilog_warnings("\n".join(made.sources.values())) == ""
    for text in made.sources.values():
        assert "$clog2" not in text or "packet_" not in text


@pytest.mark.parametrize("name", ["trivium", "phelix", "eia3"])
def test_a_plain_dma_engine_has_the_ports(name: str) -> None:
    """Neither `tuser` nor another mark of a beat."""
    streams = {port.name for port in Plain(name, None, None).ports if "_axis_" in port.name}
    members = ("tdata", "tkeep", "tlast", "tvalid", "tready")
    names = ("s_axis_load", "s_axis_data_in", "m_axis_data_out")
    assert streams == {f"{one}_{member}" for one in names for member in members}


def test_a_core_that_cannot_be_cleared_is_refused() -> None:
    with pytest.raises(
        InputError, match="option clear of grain128aead must be shift or instant with plain packets"
    ):
        Plain("grain128aead", None, None, clear="none")
    Plain("trivium", None, None, clear="none")


MUTANTS = {
    "an IV is not whole": (
        "packet_front",
        "iv_last = place == IV_LAST",
        "iv_last = place == IV",
        "trivium",
        64,
        16,
        "stream",
    ),
    "the front ends early": (
        "packet_front",
        "] LAST = FRONT_BEATS - 1",
        "] LAST = FRONT_BEATS",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "lanes of the front may be missing": (
        "packet_front",
        "fits = &in_keep & ",
        "fits = |in_keep & ",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "an early end is not seen": (
        "packet_front",
        "in_last | place == LAST",
        "in_last | 1'b1",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "a packet begins without a key": (
        "packet_front",
        "(place != 8'd0 | allowed)",
        "1'b1",
        "trivium",
        64,
        64,
        "stream",
    ),
    "a key changes in the midst": (
        "packet_key",
        "in_ready = allowed |",
        "in_ready = 1'b1 |",
        "trivium",
        8,
        64,
        "stream",
    ),
    "a key of another length": (
        "packet_key",
        "in_last & in_keep == LAST_KEEP",
        "in_last",
        "trivium",
        64,
        32,
        "stream",
    ),
    "a shorter key": (
        "packet_key",
        "fits = place == LAST ? in_last &",
        "fits = in_last ?",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "keystream without a text": (
        "packet_sum",
        "out_keep[lane] & out_valid",
        "1'b1",
        "trivium",
        64,
        64,
        "stream",
    ),
    "an empty text takes keystream": (
        "packet_sum",
        "text_valid & counts & out_ready",
        "text_valid & out_ready",
        "trivium",
        64,
        16,
        "stream",
    ),
    "bytes of two parts go on together": (
        "packet_parts",
        "? need[4:0] : have",
        "? have : have",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "the length before associated data is short": (
        "packet_parts",
        "ad < 32'd128",
        "1'b1",
        "grain128aead",
        8,
        8,
        "stream",
    ),
    "a longer packet is good": (
        "packet_parts",
        "too_long <= 1'b1",
        "too_long <= 1'b0",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "a shorter packet is good": (
        "packet_parts",
        "= in_ad | in_tag | (in_text & ~textless)",
        "= 1'b0",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "every header is legal": (
        "packet_parts",
        "illegal <= ~legal",
        "illegal <= 1'b0",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "gaps are legal": (
        "packet_parts",
        "if (opened & gap)",
        "if (1'b0)",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "every tag is good": (
        "packet_end",
        "receives & differs",
        "1'b0",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "one byte of a tag is compared": (
        "packet_end",
        "tag_keep[lane] &",
        "lane == 0 &",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "a tag leaves before the end of the packet": (
        "packet_end",
        "~receives & complete;",
        "~receives;",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "a wrong packet is good": (
        "packet_end",
        "aborted <= 1'b1;",
        "aborted <= 1'b0;",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
    "the status is another": (
        "packet_end",
        "other, ~other}",
        "~other, other}",
        "ascon_aead128",
        32,
        32,
        "stream",
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_broken_parts_are_found(mutant: str, tmp_path: Path) -> None:
    part, before, after, name, radix, width, key_by = MUTANTS[mutant]
    made = Plain(name, radix, width, key_by)
    file = f"{made.top}_{part}.v"
    assert made.sources[file].count(before) == 1
    made.sources[file] = made.sources[file].replace(before, after)
    sessions = sum_sessions(made) if "keystream" in made.streams else message_sessions(made)
    assert made.failed(sessions, tmp_path, timeout=120)[0]


PROVED = [
    ("trivium", 8, 16),
    ("trivium", 64, 64),
    ("ascon_aead128", 32, 32),
    ("eia3", 32, 32),
    ("grain128aead", 8, 8),
]


@pytest.mark.parametrize(("name", "radix", "width"), PROVED)
def test_properties_are_proven(name: str, radix: int, width: int) -> None:
    made = Plain(name, radix, width)
    proved(made, made.sources[f"{made.top}.v"])


BROKEN = {
    "an end takes a beat back": (
        "ascon_aead128",
        32,
        32,
        "~aborted & ~(m_axis_data_out_tvalid & ~m_axis_data_out_tready)",
        "~aborted",
    ),
    "keystream of the packet before": ("trivium", 8, 16, "_valid & loaded", "_valid | loaded"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_properties_are_found(broken: str) -> None:
    name, radix, width, before, after = BROKEN[broken]
    made = Plain(name, radix, width)
    top = made.sources[f"{made.top}.v"]
    assert before in top
    with pytest.raises(ToolError):
        proved(made, top.replace(before, after))


def proved_apart(made: Plain, top: str, key: str) -> None:
    """Prove that nothing that leaves depends on a key but through the core."""
    text = re.sub(rf"\n  {made.core} core \(.*?\);", "", top, flags=re.DOTALL)
    assert text != top
    parts = [source for file, source in made.sources.items() if file.startswith(f"{made.top}_")]
    with private_folder() as folder:
        (folder / "wrapper.v").write_text("\n".join([text, *parts]))
        run_yosys(
            [
                "read_verilog wrapper.v",
                f"hierarchy -top {made.top}",
                "proc",
                "flatten",
                f"cd {made.top}",
                f"select -assert-any w:core_load_payload %ci* {key} %i",
                f"select -assert-none o:* %ci* {key} %i",
            ],
            folder,
        )


@pytest.mark.parametrize(
    ("name", "radix", "key_by", "key"),
    [
        ("trivium", 64, "stream", "i:s_axis_load_tdata"),
        ("trivium", 8, "axi4lite", "w:kept_key"),
        ("grain128aead", 8, "stream", "i:s_axis_load_tdata"),
        ("ascon_aead128", 32, "axi4lite", "w:kept_key"),
    ],
)
def test_no_output_depends_on_a_key(name: str, radix: int, key_by: str, key: str) -> None:
    made = Plain(name, radix, None, key_by)
    top = made.sources[f"{made.top}.v"]
    proved_apart(made, top, key)
    leak = "_tlast & s_axis_data_in_tvalid;"
    assert leak in top
    with pytest.raises(ToolError):
        proved_apart(made, top.replace(leak, f"{leak[:-1]} & kept_key[0];"), key)
