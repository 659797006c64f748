# SPDX-License-Identifier: Apache-2.0
"""What surrounds a core on AXI4-Stream is lint-clean and shows no bit of a key; broken parts are
found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from emitted import iverilog_warnings
from test_axi4stream import Wrapped, keystreams, message

from headwater.errors import InputError, ToolError
from headwater.flow.folders import private_folder
from headwater.flow.verilator import lint_files
from headwater.flow.yosys import run_yosys


@pytest.mark.parametrize(
    ("name", "radix", "width", "key_by"),
    [
        ("trivium", 1, 128, "stream"),
        ("grain128aead", 64, 128, "axi4lite"),
        ("grain128aead", 1, None, "stream"),
        ("eia3", 32, 8, "stream"),
        ("phelix", 64, None, "axi4lite"),
        ("mosquito", 3, None, "stream"),
        ("vest4-ae", 4, 32, "stream"),
        ("sfinks-ae", 16, None, "axi4lite"),
    ],
)
def test_wrappers_are_lint_clean(name: str, radix: int, width: int | None, key_by: str) -> None:
    """Ciphers of every shape: with text, with marks of bits and of bytes, with a tag alone."""
    made = Wrapped(name, radix, width, key_by)
    assert lint_files(made.top, made.sources) == []
    assert iverilog_warnings("\n".join(made.sources.values())) == ""


def test_two_wrappers_share_no_name() -> None:
    modules = [
        set(re.findall(r"^module (\w+)", "\n".join(made.sources.values()), re.MULTILINE))
        for made in (Wrapped("trivium", 8, None, "stream"), Wrapped("trivium", 1, None, "stream"))
    ]
    assert len(modules[0]) > 2
    assert not modules[0] & modules[1]


@pytest.mark.parametrize(
    ("name", "options", "width", "key_by", "said"),
    [
        ("trivium", {"stall": "none"}, None, "stream", "option stall of trivium must be stream"),
        ("trivium", {"clear": "none"}, None, "axi4lite", "option clear of trivium must be shift"),
        ("trivium", {}, 24, "stream", "data width of AXI4-Stream must be one of 8, 16, 32, 64, 12"),
    ],
)
def test_what_is_not_offered_is_refused(
    name: str, options: dict[str, str], width: int | None, key_by: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Wrapped(name, None, width, key_by, **options)


MUTANTS = {
    "the first piece of the last word is the last": (
        "stream_split",
        "= in_last & ends;",
        "= in_last;",
        "grain128aead",
        8,
        None,
        "stream",
    ),
    "associated data and text share a word": (
        "stream_gather",
        "BREAKS != 0",
        "BREAKS > 1",
        "phelix",
        32,
        8,
        "stream",
    ),
    "what is left over is lost": (
        "stream_pack",
        "ending <= in_last & ~out_last",
        "ending <= 1'b0",
        "grain128aead",
        32,
        None,
        "stream",
    ),
    "units that are held are written over": (
        "stream_pack",
        "joined | {{",
        "joined & {{",
        "grain128aead",
        32,
        None,
        "stream",
    ),
    "a load does not wait for the message": (
        "stream_session",
        "(~awaits &",
        "(1'b1 &",
        "grain128aead",
        8,
        None,
        "stream",
    ),
    "a load takes a beat back": (
        "stream_session",
        "| ~waiting)",
        "| 1'b1)",
        "trivium",
        64,
        None,
        "stream",
    ),
    "a load does not wait for the load before": (
        "stream_session",
        "(~awaits &",
        "(1'b1 &",
        "trivium",
        64,
        8,
        "stream",
    ),
    "keystream before the load is done": (
        "stream_session",
        "~begun) loaded <= 1'b0;",
        "~begun) loaded <= 1'b1;",
        "trivium",
        64,
        8,
        "stream",
    ),
    "the tag has a word too many": (
        "stream_end",
        "ALL - 16'd1",
        "ALL",
        "grain128aead",
        8,
        None,
        "stream",
    ),
    "spare bits count": ("stream_bits", "8'hff >> spare", "8'hff", "eea3", 32, 8, "stream"),
    "spare bits are not told": (
        "stream_bytes",
        "uncounted | ~used[2:0] + 3'd1",
        "3'd0",
        "eea3",
        32,
        8,
        "stream",
    ),
    "a load of which nothing came ends a message": (
        "stream_session",
        "= abandoned & begun;",
        "= abandoned;",
        "ascon_aead128",
        32,
        None,
        "axi4lite",
    ),
    "a load that was begun stays": (
        "key_port",
        "starts & left != 16'd0",
        "1'b0",
        "trivium",
        64,
        None,
        "axi4lite",
    ),
    "bytes that do not count are loaded": (
        "key_port",
        "load_last ? 4'hf >> (3'd4 - left[2:0]) : 4'hf",
        "4'hf",
        "achterbahn",
        4,
        None,
        "axi4lite",
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_broken_parts_are_found(mutant: str, tmp_path: Path) -> None:
    part, before, after, name, radix, width, key_by = MUTANTS[mutant]
    made = Wrapped(name, radix, width, key_by)
    file = f"{made.top}_{part}.v"
    assert made.sources[file].count(before) == 1
    made.sources[file] = made.sources[file].replace(before, after)
    if made.given["message"]:
        ad = made.cipher.takes_associated_data
        sessions = [
            message(made.cipher, 5 * ad, 8 * 21 - 3 * (not ad)),
            message(made.cipher, 4 * ad, 8 * 6),
        ]
    else:
        sessions = keystreams(made.cipher)
    assert made.failed(sessions, tmp_path, timeout=60)[0]


def proved_apart(made: Wrapped, top: str) -> None:
    """Prove that no output of a wrapper depends on the bytes of a load but through the core."""
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
                "select -assert-any w:core_load_payload %ci* i:s_axis_load_tdata %i",
                "select -assert-none o:* %ci* i:s_axis_load_tdata %i",
            ],
            folder,
        )


@pytest.mark.parametrize(
    ("name", "radix", "leak"),
    [
        ("trivium", 64, "m_axis_keystream_tuser = first"),
        ("grain128aead", 8, "m_axis_tag_tlast = tag_packet_last"),
    ],
)
def test_no_output_depends_on_a_key(name: str, radix: int, leak: str) -> None:
    made = Wrapped(name, radix, None, "stream")
    top = made.sources[f"{made.top}.v"]
    proved_apart(made, top)
    assert leak in top
    with pytest.raises(ToolError):
        proved_apart(made, top.replace(leak, f"{leak} ^ core_load_payload[0]"))


def proved_blind(port: str) -> None:
    """Prove that nothing a key port shows or keeps depends on the words of a load: it is
    equivalent, register by register, to the one that sees zeros instead."""
    body = port.index("  wire writes =")
    seen = "  wire [31:0] unloaded = bus_addr == LOAD ? 32'd0 : bus_wdata;\n"
    blind = port[:body] + seen + port[body:].replace("bus_wdata", "unloaded")
    with private_folder() as folder:
        (folder / "one.v").write_text(re.sub(r"module \w+", "module one", port))
        (folder / "other.v").write_text(re.sub(r"module \w+", "module other", blind))
        (folder / "secret.txt").write_text("\\load_data\n")
        run_yosys(
            [
                "read_verilog one.v",
                "read_verilog other.v",
                "proc",
                "opt_clean",
                "equiv_make -blacklist secret.txt one other both",
                "hierarchy -top both",
                "opt_clean",
                "equiv_simple -undef",
                "equiv_induct -undef -seq 2",
                "equiv_status -assert",
            ],
            folder,
        )


def test_registers_show_no_word_of_a_load() -> None:
    made = Wrapped("grain128aead", 8, None, "axi4lite")
    port = made.sources[f"{made.top}_key_port.v"]
    proved_blind(port)
    kept = "  reg [31:0] leak;\n  always @(posedge clk) if (load_valid) leak <= bus_wdata;\n"
    leaking = port.replace("  reg [31:0] value;", f"{kept}  reg [31:0] value;")
    leaking = re.sub(r"PARAMETERS: value = 32'h\w+", "PARAMETERS: value = leak", leaking)
    assert leaking.count("leak") == port.count("leak") + 3
    with pytest.raises(ToolError):
        proved_blind(leaking)
