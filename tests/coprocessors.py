# SPDX-License-Identifier: Apache-2.0
"""What tests of coprocessors share: their Verilog, and a driver of their ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

from headwater.cipher.description import Cipher
from headwater.codesign.processor import PROCESSORS
from headwater.codesign.system import coprocessor_sources
from headwater.emit.verilog import generate
from headwater.errors import ToolError
from headwater.flow.models import Design, link_models
from headwater.flow.process import find_program, run_tool
from headwater.interface.architecture import check_port, coprocessor_architecture
from headwater.interface.core_shape import CoreShape, shape_of
from headwater.interface.port import Port
from headwater.interface.public_secret import public_secret
from headwater.kinds.registry import facts_of

_DRIVER = Path(__file__).with_name("port_driver.cpp")


class Coprocessor:
    """A cipher behind a port, and its driver."""

    def __init__(
        self,
        cipher: Cipher,
        port: Port,
        radix: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.cipher = cipher
        architecture = coprocessor_architecture(cipher, radix, None, options)
        check_port(cipher, architecture, port)
        verilog = generate(cipher, architecture)
        self.core: CoreShape = shape_of(cipher, architecture, verilog.name)
        words = facts_of(cipher, architecture).load_words(*public_secret(cipher))
        self.load = self.core.packed_load(words)
        self.sources = coprocessor_sources(self.core, verilog.text, port)

    @property
    def identity(self) -> set[int]:
        """What registers say of the core."""
        return set(self.core.identity.values())

    def drive(self, commands: Sequence[str]) -> list[str]:
        """What the driver prints for each command."""
        program = link_models(_DRIVER, Design("Vcop", "cop", self.sources))
        text = "\n".join(commands) + "\n"
        return run_tool([program], cwd=program.parent, stdin=text).split("\n")[:-1]


def needs(processor: str) -> pytest.MarkDecorator:
    """Skip without the package of a processor, or without a compiler for it."""
    package = PROCESSORS[processor].package
    try:
        version(package)
    except PackageNotFoundError:
        return pytest.mark.skip(reason=f"needs {package}: pip install {package}")
    return needs_compiler


def _compiler_is_there() -> bool:
    try:
        find_program("riscv64-unknown-elf-gcc", "")
    except ToolError:
        return find_spec("ziglang") is not None
    return True


needs_compiler = pytest.mark.skipif(
    not _compiler_is_there(),
    reason="needs a C compiler for RISC-V: apt-get install gcc-riscv64-unknown-elf",
)
