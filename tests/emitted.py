# SPDX-License-Identifier: Apache-2.0
"""What the tests of the generated Verilog ask of other tools."""

from __future__ import annotations

import re

from amaranth.back import rtlil
from amaranth.hdl import Signal

from headwater.cipher.description import Cipher
from headwater.cipher.option import STREAMS
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow.folders import private_folder
from headwater.flow.process import run_tool
from headwater.flow.yosys import run_yosys
from headwater.kinds.registry import build

_MANY = 6

OF_A_FAMILY = (
    "vest16",
    "vest32",
    "vest16-ae",
    "vest32-ae",
    "achterbahn",
    "achterbahn-v1-reduced",
    "achterbahn128",
    "grain128",
    "zuc256_iv25",
    "zuc256_mac_iv25",
    "snow2",
    "snow_v",
    "kcipher2",
    "kasumi_f8",
    "a53",
    "gea3",
    "chacha_djb",
    "xchacha20",
    "chacha20_poly1305",
    "xchacha20_poly1305",
    "poly1305",
    "ascon_xof128",
    "ascon_cxof128",
)
"""Their options do what those of another of the same family do."""

BACKWARD = "\\1"
"""What stands for the right value in a wrong one."""


def each_choice(cipher: Cipher) -> list[dict[str, str]]:
    """Every value of every option, each with the others at their default; of an option with many
    values (a length in bytes), the second and the last; three sessions alone."""
    found = []
    for option in cipher.choices:
        values = option.values[1:]
        if len(values) > _MANY:
            values = (values[0], values[-1])
        if option == STREAMS:
            values = ("3",)
        found += [{option.name: value} for value in values]
    return found


def covering(cipher: Cipher, radix: int) -> list[dict[str, str]]:
    """Few legal sets of choices, in which each value of `each_choice` that is legal at the radix is
    met once, with as many others as go with it. A core whose words never wait is alone: it shows
    less of the others."""
    left, found = [pair for one in each_choice(cipher) for pair in one.items()], []
    while left:
        options: dict[str, str] = {}
        for name, value in left:
            more = {**options, name: value}
            if name in options or ("stall" in more and len(more) > 1):
                continue
            if is_legal(cipher, radix, more):
                options = more
        if not options:
            break
        found.append(options)
        left = [pair for pair in left if pair not in options.items()]
    return found


def is_legal(cipher: Cipher, radix: int, options: dict[str, str]) -> bool:
    """Whether there is a core of that radix with these choices."""
    try:
        Architecture.choose(cipher, radix=radix, options=options)
    except InputError:
        return False
    return True


def iverilog_warnings(text: str) -> str:
    """What iverilog says of a file read as Verilog-2001 with every warning on."""
    with private_folder() as folder:
        (folder / "core.v").write_text(text)
        command = ["iverilog", "-g2001", "-Wall", "-t", "null", "-o", "none", "core.v"]
        return run_tool(command, cwd=folder, merged=True)


def assert_equivalent(
    cipher: Cipher, architecture: Architecture, printed: str, *, bitwise: bool = False
) -> None:
    """That a text is the circuit that Amaranth makes, by Yosys, register by register; bit by bit
    where registers have bits that nothing reads, and the text has none of these."""
    with private_folder() as folder:
        core = build(cipher, architecture)
        ports = [value for *_, value in core.signature.flatten(core) if isinstance(value, Signal)]
        text = rtlil.convert(core, name="one", ports=ports, emit_src=False)
        (folder / "one.il").write_text(text)
        (folder / "other.v").write_text(re.sub(r"(?m)^module \w+", "module other", printed))
        run_yosys(
            [
                "read_rtlil one.il",
                "proc",
                "flatten",
                "setattr -unset init w:*",
                "read_verilog other.v",
                "proc",
                "opt_clean",
                *(["splitnets"] if bitwise else []),
                "equiv_make one other both",
                "hierarchy -top both",
                "equiv_simple -undef -short",
                "equiv_simple -undef",
                "equiv_status -assert",
            ],
            folder,
        )


def registers_of(text: str) -> dict[str, int]:
    """The registers that a module declares, and their widths in bits."""
    return {
        name.strip(): int(high or 0) + 1
        for high, names in re.findall(r"(?m)^  reg (?:\[(\d+):0\] )?([\w, \n]+);", text)
        for name in names.split(",")
    }


def with_value(text: str, signal: str, value: str) -> str:
    r"""Verilog in which a signal has another value; ``\1`` in it is the right one."""
    defined = rf"((?:assign|wire(?: \[\d+:0\])?) {signal} =)\s+([^;]*);"
    changed, count = re.subn(
        defined, lambda found: f"{found[1]} {value.replace(BACKWARD, found[2])};", text
    )
    assert count == 1, f"{signal} must be defined once, not {count} times"
    return changed
