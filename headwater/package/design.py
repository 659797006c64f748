# SPDX-License-Identifier: Apache-2.0
"""What is put into a package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.interface.module_port import ModulePort
from headwater.package.ip import Ip
from headwater.package.key_ip import KeyIp


@dataclass(frozen=True)
class Design:
    """What is put into a package.

    Members
    -------
    cipher : Cipher
    facts : Facts
        Of the core.
    core, interface, top : str
        The core's module, its interface, and the module that has this.
    rtl : mapping of str to str
        The Verilog, by file name.
    ports : sequence of ModulePort
        Those of the module on top.
    ip : Ip or KeyIp or None
        For an interface with registers or instructions.
    """

    cipher: Cipher
    facts: Facts
    core: str
    interface: str
    top: str
    rtl: Mapping[str, str]
    ports: Sequence[ModulePort]
    ip: Ip | KeyIp | None

    @property
    def core_testbench(self) -> str:
        """The name of the file of the core's own testbench."""
        return f"{self.core}_tb.v"

    @property
    def timing_file(self) -> str:
        """The name of the file of the core's timing diagram."""
        return f"{self.core}_timing.json"
