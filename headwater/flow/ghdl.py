# SPDX-License-Identifier: Apache-2.0
"""VHDL as Verilog, by GHDL, with what its version 2.0 writes wrongly repaired."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headwater.errors import InputError
from headwater.flow.process import run_tool

_OTHERWISE = re.compile(r"with \S+ select (\S+) <=\n(?:.*,\n)* *(.+) when others;")
_CHOICE = re.compile(r"case (\(\w+\)\n)((?: +\d+'b0*10*: \w+ <= .*;\n)+) *endcase")
_CLEANED = (
    # Constants of more than 64 bits are texts.
    (r'(?<=[ (,{])"([01]+)"', lambda found: f"{len(found[1])}'b{found[1]}"),
    (r"\$fatal\(.*\);", ";"),
    # Names that are words of Verilog.
    (r"(?<=[\w=&|^?:,\]] )(output|initial)\b", r"\1_"),
)
"""What GHDL 2.0 writes as no Verilog reader understands it."""


def from_vhdl(top: str, generics: Mapping[str, Any], files: Sequence[Path], folder: Path) -> str:
    """The Verilog of an entity and of what is below it, as one text.

    Parameters
    ----------
    top
        The entity.
    generics
        The values of its generics.
    files
        In the order in which they are read.
    folder
        Where GHDL may write.

    Raises
    ------
    ToolError
        If GHDL is missing, or refuses the files.
    """
    # What a choice gives in all other cases is taken from the output in VHDL, as GHDL leaves it
    # out of that in Verilog.

    def translated(language: str) -> str:
        values = [f"-g{name}={value}" for name, value in generics.items()]
        options = ["--std=08", "-fsynopsys", "--latches", f"--out={language}"]
        words: list[str | Path] = ["ghdl", "--synth", *options, *values, *files, "-e", top]
        return run_tool(words, cwd=folder, install="apt-get install ghdl")

    otherwise = iter(_OTHERWISE.findall(translated("raw-vhdl")))

    def whole(choice: re.Match[str]) -> str:
        """Each case is told by its one bit, as no two are true at once. A choice that lists every
        number, as of an index, is in the other language alone."""
        cases = choice[2].lower()
        target, value = next(
            (one for one in otherwise if f": {one[0].lower()} <=" in cases), ("", "")
        )
        if not target:
            raise InputError(
                f"{files[-1]} must have the same choices in both languages, but "
                f"{choice[2].split()[1]} has none in VHDL"
            )
        cases = re.sub(r"(?<='b)0*10*(?=:)", lambda bits: bits[0].replace("0", "?"), choice[2])
        rest = f"      default: {target} <= {_in_verilog(value)};\n"
        return f"(* parallel_case *) casez {choice[1]}{cases}{rest}    endcase"

    text = _CHOICE.sub(whole, translated("verilog"))
    for pattern, plainer in _CLEANED:
        text = re.sub(pattern, plainer, text, flags=re.MULTILINE)
    return text


def _in_verilog(value: str) -> str:
    """A value of VHDL in Verilog; a name stays."""
    if match := re.fullmatch(r"""\((\d+) downto 0 => '(.)'\)""", value):
        value = match[2] * (int(match[1]) + 1)
    elif value[0] in "'\"":
        value = value.strip("'\"")
    else:
        return value
    return f"{len(value)}'b{value.lower()}"
