# SPDX-License-Identifier: Apache-2.0
"""The files of a core on a board: Verilog, constraints, testbench, Makefile, README."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.board.boards import Board, Clock
from headwater.board.selftest import ENDED, one_line, selftest, text_lines
from headwater.board.templating import rendered
from headwater.board.vector import BoardVector, board_vector
from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.errors import InputError

BAUD = 115200
_BITS_OF_CHARACTER = 10
_TESTS = 4
"""The testbench waits as long as so many tests take: it sees two, and the setups of both."""


@dataclass(frozen=True)
class BoardProject:
    """A core on a board.

    Members
    -------
    files : dict of str to str
        Texts by name of the file.
    top : str
        The module that has the pins.
    vector : BoardVector
        What it checks.
    """

    files: dict[str, str]
    top: str
    vector: BoardVector


def board_project(
    core: str, verilog: str, cipher: Cipher, facts: Facts, board: Board, mhz: int | None = None
) -> BoardProject:
    """The project of a core on a board.

    Parameters
    ----------
    core
        The core's module.
    verilog
        Its text.
    board
        What it is put on.
    mhz
        The core's clock in MHz; that of the oscillator unless given.

    Raises
    ------
    InputError
        If the core cannot wait for the serial line, no vector fits it, or the board has no such
        clock.
    """
    check_core(cipher, facts)
    clock, vector = board.clock(mhz), board_vector(cipher, facts)
    top = f"{core}_{board.name.replace('-', '_')}"
    family, lines = board.family, text_lines(core, vector)
    length = sum(len(line) + len(ENDED) for line in lines)
    values = {
        "core": core,
        "top": top,
        "board": board,
        "clock": clock,
        "baud": BAUD,
        "oscillator": board.clocks[0].mhz,
        "cycles": cycles_of_bit(clock),
        "vector": vector,
        "origin": one_line(vector.origin),
        "title": cipher.title,
        "models": family.models,
        "lines": lines,
        "length": length,
        "limit_bits": _TESTS * length * _BITS_OF_CHARACTER,
        "period_ns": f"{clock.period_ns:.3f}",
        "sources": [f"{core}.v", f"{core}_selftest.v", "uart_tx.v", f"{top}.v"],
    }
    by_template = {
        "uart_tx.v": "uart_tx.v",
        f"{top}.v": "top.v",
        f"{top}_tb.v": "tb.v",
        f"{top}.{family.constraints}": f"constraints.{family.constraints}",
        f"{top}.ys": "synth.ys",
        "Makefile": "Makefile",
        "models.v": f"models_{family.name}.v",
        "placed.py": "placed.py.jinja",
        "README.md": "README.md",
    }
    if family.timing:
        by_template[f"{top}.{family.timing}"] = f"constraints.{family.timing}"
    files = {
        f"{core}.v": verilog,
        f"{core}_selftest.v": selftest(core, cipher, facts, vector),
        **{name: rendered(template, **values) for name, template in by_template.items()},
    }
    return BoardProject(files, top, vector)


def cycles_of_bit(clock: Clock) -> int:
    """Clock cycles of a bit on the serial line."""
    return round(clock.mhz * 1_000_000 / BAUD)


def check_core(cipher: Cipher, facts: Facts) -> None:
    """Refuse a core that the self-test cannot drive."""
    facts.architecture.check_one_session("of a core on a board")
    if not facts.waits:
        raise InputError(
            f"option stall of {cipher.name} on a board must be stream, as the core "
            f"waits for the serial line, not {facts.architecture.stall}"
        )
