# SPDX-License-Identifier: Apache-2.0
"""Drivers of keys for streams, and of random bits, on cores that other programs have used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from delivered import c_bytes
from poisoned import BITS, Case, settings_of, wrong_after_others
from test_prng_bus import KEY, bits_of, source

from headwater.api.random_bits import RandomBits
from headwater.cipher.catalogue import find
from headwater.codesign.system import COPROCESSOR_WIRES
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.interface.axi4stream import axi4_stream
from headwater.interface.buses import BUSES
from headwater.interface.module_port import made, names, port_lines
from headwater.interface.packets import PACKETS
from headwater.interface.prng_registers import PRNG_REGISTERS
from headwater.interface.public_secret import public_secret
from headwater.kinds.registry import facts_of
from headwater.package.key_driver import key_driver_files
from headwater.package.key_ip import KeyIp
from headwater.package.packet_driver import packet_driver_files
from headwater.package.packet_sessions import PacketBeats
from headwater.package.sessions import Beat, Beats, StreamSession, packet_of

HERE = Path(__file__).parent
MASTERS = HERE.parent / "headwater" / "codesign" / "rtl"
_WORDS = 6


def connected(module: str, wires: Mapping[str, str]) -> str:
    """An instance in Verilog."""
    listed = ", ".join(f".{port}({wire})" for port, wire in wires.items())
    return f"  {module} {module}_there ({listed});"


def cop(bus: str, top: str, wires: Mapping[str, str], *others: str) -> dict[str, str]:
    """The module `cop`, in which a master of the bus reaches the module ``top``."""
    signals, master = BUSES[bus].signals, f"{bus}_master"
    same = {name: name for name in names(signals)}
    clocking = {"clk": "clk", "rst": "rst"}
    if bus == "axi4lite":
        clocking = {"aclk": "clk", "aresetn": "~rst"}
    requests = {name: name for name in names(COPROCESSOR_WIRES) if name.startswith("bus_")}
    declared = "\n".join(port_lines((*COPROCESSOR_WIRES, made("irq")), {}))
    lines = [f"module cop (\n{declared}\n);", *others]
    if bus != "request":
        lines += [
            *(f"  {port.wire};" for port in signals),
            connected(master, {**clocking, **requests, **same}),
        ]
    lines += [connected(top, {**clocking, **same, **wires}), "endmodule", ""]
    masters = {} if bus == "request" else {f"{master}.v": (MASTERS / f"{master}.v").read_text()}
    return {"cop.v": "\n".join(lines), **masters}


def random_case(made_of: RandomBits, bus: str) -> tuple[Case, dict[str, str]]:
    """The driver of a source of random bits, and the source."""
    name, files = made_of.top(bus), made_of.files(bus=bus)
    seed = made_of.seed(KEY, KEY)
    words = [bits & 0xFFFFFFFF for bits in bits_of(made_of, seed)[:_WORDS]]
    address = {one.name: one.address for one in PRNG_REGISTERS}["SEED"]
    lines = [
        f"static const uint32_t seed[] = {{{', '.join(map(hex, seed))}}};",
        f"static const uint32_t wanted[] = {{{', '.join(map(hex, words))}}};",
        "uint32_t word = 1;",
        f"CHECK({name}_seed(device, seed) == 0 && {name}_read(device, &word) == -1 && word == 0);",
        f"{name}_enable(device);",
        f"for (int i = 0; i < {_WORDS}; ++i)",
        f"    CHECK({name}_read(device, &word) == 0 && word == wanted[i]);",
    ]
    known = {"LOAD_FIRST": address, "LOAD_NEXT": address, "LOAD_TRANSFERS": len(seed) + 2}
    driver = {file: files[file] for file in (f"{name}.h", f"{name}.c")}
    rtl = {file: text for file, text in files.items() if file.endswith(".v")}
    case = Case(name, driver, known, settings_of(PRNG_REGISTERS), lines)
    return case, {**rtl, **cop(bus, name, {"en": "1'b0"})}


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("bus", ["request", "wishbone", "axi4lite"])
def test_random_bits_depend_on_nothing_that_others_left(
    bus: str, bits: int, tmp_path: Path
) -> None:
    case, sources = random_case(source("trivium", 64, 1), bus)
    assert wrong_after_others(case, sources, tmp_path, bits) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("_CONTROL_RESTART); }", "_CONTROL_ENABLE); }"),
        ("    trivium_prng64_request_clear(device);\n", ""),
    ],
)
def test_random_bits_that_depend_on_it_are_found(right: str, wrong: str, tmp_path: Path) -> None:
    case, sources = random_case(source("trivium", 64, 1), "request")
    assert wrong_after_others(case, sources, tmp_path, 64, right, wrong)


KEEPS = (
    "in_tdata",
    "in_tkeep",
    "in_tlast",
    "in_tuser",
    "in_tvalid",
    "in_tready",
    "out_tdata",
    "out_tkeep",
    "out_tvalid",
    "out_tready",
)
KEPT = [
    "  wire [31:0] in_tdata, out_tdata;",
    "  wire [3:0] in_tkeep, in_tuser, out_tkeep;",
    "  wire in_tlast, in_tvalid, in_tready, out_tvalid, out_tready;",
    connected(
        "kept_beats",
        {
            name: name
            for name in (
                "clk",
                "rst",
                "cmd_valid",
                "cmd_ready",
                "cmd_function",
                "cmd_first",
                "cmd_second",
                "rsp_valid",
                "rsp_ready",
                "rsp_result",
                *KEEPS,
            )
        },
    ),
]
OF_KEYSTREAM = {
    "m_axis_keystream_tdata": "out_tdata",
    "m_axis_keystream_tvalid": "out_tvalid",
    "m_axis_keystream_tready": "out_tready",
}
OF_MESSAGE = {
    **{
        f"s_axis_data_in_{name}": f"in_{name}"
        for name in ("tdata", "tkeep", "tlast", "tuser", "tvalid", "tready")
    },
    "m_axis_data_out_tdata": "text_tdata",
    "m_axis_data_out_tkeep": "text_tkeep",
    "m_axis_data_out_tvalid": "text_tvalid",
    "m_axis_data_out_tready": "out_tready",
    "m_axis_tag_tdata": "tag_tdata",
    "m_axis_tag_tkeep": "tag_tkeep",
    "m_axis_tag_tvalid": "tag_tvalid",
    "m_axis_tag_tready": "out_tready & ~text_tvalid",
}
OF_PACKETS = {
    **{
        f"s_axis_data_in_{name}": f"in_{name}"
        for name in ("tdata", "tkeep", "tlast", "tvalid", "tready")
    },
    **{f"m_axis_data_out_{name}": f"out_{name}" for name in ("tdata", "tkeep", "tvalid", "tready")},
}
JOINED = [
    "  wire [31:0] text_tdata, tag_tdata;",
    "  wire [3:0] text_tkeep, tag_tkeep;",
    "  wire text_tvalid, tag_tvalid;",
    "  assign out_tdata = text_tvalid ? text_tdata : tag_tdata;",
    "  assign out_tkeep = text_tvalid ? text_tkeep : tag_tkeep;",
    "  assign out_tvalid = text_tvalid | tag_tvalid;",
]


def stream_case(name: str, radix: int, packets: str) -> tuple[Case, dict[str, str]]:
    """The driver of the key of a core on AXI4-Stream, and the core between its streams."""
    cipher = find(name)
    architecture = Architecture.choose(cipher, radix=radix)
    module = f"{name}_r{radix}"
    wrapped = axi4_stream(module, cipher, architecture, 32, "axi4lite", packets)
    ip, plain = KeyIp(cipher, architecture, module, wrapped), wrapped.packets
    keystream = "keystream" in facts_of(cipher, architecture).streams
    marks = {"spare": not keystream, "ad": not keystream}
    made_of = PacketBeats(cipher, 4, **marks, packets=plain) if plain else Beats(cipher, 4, **marks)
    key, iv = public_secret(cipher)
    lines = [
        f"static const uint8_t key[] = {c_bytes(key)}, iv[] = {c_bytes(iv)};",
        f"{module}_clear(device);",
        "(void)instruction(5, 0, 0, 0);",
    ]
    for number, session in enumerate([StreamSession(key), StreamSession(key, decrypts=True)]):
        beats = made_of.by_stream([session], keystream=keystream)
        mode = "_decrypt" if session.decrypts and not keystream and not plain else ""
        given = "key" if plain else "key, iv"
        lines += [
            f"if (number % 2 == {number}) {{",
            f"    (void)iv, CHECK({module}_init{mode}(device, {given}) == 0);",
            *(f"    {line}" for line in _beats(beats)),
            "}",
        ]
    address = {one.name: one.address for one in ip.registers}
    packet = key if plain else packet_of(cipher, StreamSession(key))
    known = {
        "LOAD_FIRST": address["START"],
        "LOAD_NEXT": address["LOAD"],
        "STATUS": address["STATUS"],
        "LENGTH(word)": f"((void)(word), {len(packet)}u)",
        "LOAD_TRANSFERS": 1 + -(-len(packet) // 4),
    }
    driver = packet_driver_files(ip, plain) if plain else key_driver_files(ip)
    case = Case(module, driver, known, settings_of(ip.registers), lines)
    rtl = {
        f"{module}.v": generate(cipher, architecture, name=module).text,
        **wrapped.files,
        "kept_beats.v": (HERE / "kept_beats.v").read_text(),
    }
    wires, joined = (
        (OF_PACKETS, [])
        if plain
        else (OF_KEYSTREAM, ["  assign out_tkeep = 4'hf;"])
        if keystream
        else (OF_MESSAGE, JOINED)
    )
    return case, {**rtl, **cop("axi4lite", wrapped.top, wires, *KEPT, *joined)}


def _beats(beats: Mapping[str, Sequence[Beat]]) -> list[str]:
    """Lines that put the beats of a text, and compare those that come out. The last round of a
    message is broken off."""
    lines = ["unsigned parts = number % 6 < 4 ? 100 : 2;", "(void)parts;"]
    for place, beat in enumerate(beats.get("data_in", ())):
        marks = beat.last << 4 | beat.keep
        lines.append(
            f"if (parts > {place}) (void)instruction(2, {marks}, {beat.data}u, {beat.user});"
        )
    out = [beat.data for name in ("keystream", "data_out", "tag") for beat in beats.get(name, ())]
    lines.append(f"static const uint32_t wanted[] = {{{', '.join(map(hex, out))}}};")
    lines.append(f"for (unsigned i = 0; parts > 2 && i < {len(out)}; ++i)")
    return [*lines, "    CHECK(instruction(1, 0, i, 0) == wanted[i]);"]


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("packets", PACKETS)
@pytest.mark.parametrize(("name", "radix"), [("chacha20", 32), ("grain128aead", 32)])
def test_keys_depend_on_nothing_that_others_left(
    name: str, radix: int, packets: str, bits: int, tmp_path: Path
) -> None:
    case, sources = stream_case(name, radix, packets)
    assert wrong_after_others(case, sources, tmp_path, bits) == ""


def test_a_key_that_depends_on_it_is_found(tmp_path: Path) -> None:
    case, sources = stream_case("grain128aead", 32, "marked")
    right = "set_register(device, GRAIN128AEAD_R32_CONTROL, marks);"
    assert wrong_after_others(case, sources, tmp_path, 64, right, "(void)marks;")
