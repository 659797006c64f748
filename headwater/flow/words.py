# SPDX-License-Identifier: Apache-2.0
"""What a simulated core prints, read while little of it is in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from headwater.flow import verilator
from headwater.flow.folders import private_folder
from headwater.flow.process import run_tool
from headwater.flow.verilator import Module

_FILE = "printed"


@contextmanager
def simulated(module: Module, commands: Sequence[str]) -> Iterator[TextIO]:
    """A core that is run to its end under the commands of ``harness.cpp``: a file of what it
    printed, which only this user can read, and which is gone with the context.

    `headwater.flow.verilator.simulate` gives the same as a list, for few words.
    """
    program = [str(verilator._harness()), str(verilator._core(module))]
    with private_folder() as folder:
        # The shell becomes the program: nothing but the place of its output differs.
        command = ["sh", "-c", f'exec "$0" "$@" > {_FILE}', *program]
        run_tool(command, cwd=folder, stdin="\n".join(commands) + "\n")
        with (folder / _FILE).open() as file:
            yield file
