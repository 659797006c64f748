# SPDX-License-Identifier: Apache-2.0
"""Scenarios: a cipher at an architecture, a processor, and the interface between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from headwater.cipher.description import Cipher
from headwater.codesign.processor import PROCESSORS, Processor, find
from headwater.core.architecture import Architecture
from headwater.core.streams import Stream
from headwater.errors import InputError, unknown
from headwater.interface.architecture import check_port, coprocessor_architecture
from headwater.interface.port import PORTS, Port
from headwater.kinds.registry import facts_of

INTERFACES = {
    "custom": "custom instructions of two operands and one result",
    "custom3": "the same, whose load takes a third operand: two words and their number",
    "custom2x2": "as custom, where a read gives two results: two words of one word of the core",
    "fifo": "a FIFO each way, read and written by instructions, or over the bus where the "
    "processor has none",
    "bus": "registers on the bus",
    "wishbone": "registers on Wishbone, which the bus of the system is translated to",
    "axi4lite": "registers on AXI4-Lite, which the bus of the system is translated to",
    "dma": "registers on the bus; the keystream is written into memory",
}
DRIVERS = {
    "blocking": "reads wait for their words, several are read before they are stored",
    "four": "as blocking, in a loop of four words that are read before they are stored",
    "simple": "reads wait for their words, each is stored at once",
    "polling": "words are read when the status says that they are there",
}
MAX_BYTES = 1 << 15
MAX_WAIT_STATES = 255


@dataclass(frozen=True)
class Scenario:
    """One system; always legal."""

    cipher: Cipher
    architecture: Architecture | None
    """None if software does the work."""
    processor: Processor
    interface: str
    """One of `INTERFACES`, or "software"."""
    driver: str = "blocking"
    """One of `DRIVERS`."""
    wait_states: int = 0
    """Cycles by which each access to the coprocessor on the bus is later."""
    stateless: bool = False
    """Whether every block is requested with key, nonce and number."""
    bytes: int = 1024
    """Length of the message whose time, key setup included, is reported."""

    @classmethod
    def choose(
        cls,
        cipher: Cipher,
        *,
        cpu: str = "vexriscv",
        interface: str = "custom",
        driver: str = "blocking",
        wait_states: int = 0,
        stateless: bool = False,
        radix: int | None = None,
        load_width: int | None = None,
        options: Mapping[str, str] | None = None,
        bytes: int = 1024,  # noqa: A002
    ) -> Scenario:
        """Check the choices against each other and fill in defaults; an error names the legal
        choices."""
        processor = find(cpu)
        if interface not in INTERFACES:
            raise unknown("interface", interface, INTERFACES)
        if driver not in DRIVERS:
            raise unknown("driver", driver, DRIVERS)
        architecture = coprocessor_architecture(cipher, radix, load_width, options)
        scenario = cls(
            cipher, architecture, processor, interface, driver, wait_states, stateless, bytes
        )
        scenario._check()
        return scenario

    def _check(self) -> None:
        cipher, processor = self.cipher, self.processor
        if "data_out" not in self.streams and "keystream" not in self.streams:
            raise InputError(f"cipher must encrypt, not only authenticate as {cipher.name}")
        if self.interface.startswith("custom") and not processor.instructions:
            legal = ", ".join(name for name, one in PROCESSORS.items() if one.instructions)
            raise InputError(
                f"cpu must have custom instructions for interface {self.interface}, as {legal} "
                f"have, not {processor.name}"
            )
        if self.port.results > processor.results > 0:
            raise InputError(
                f"cpu must have custom instructions of {self.port.results} results for interface "
                f"{self.interface}, not of {processor.results} as {processor.name}"
            )
        if self.interface == "dma" and self.driver != "blocking":
            raise InputError(f"driver of interface dma must be blocking, not {self.driver}")
        if self.takes_text and self.driver not in ("blocking", "polling"):
            raise InputError(
                f"driver of {cipher.name} must be blocking or polling, not {self.driver}"
            )
        if self.port.results > 1 and self.driver not in ("blocking", "four"):
            raise InputError(
                f"driver of interface {self.interface} must be blocking or four, not {self.driver}"
            )
        assert self.architecture is not None
        check_port(cipher, self.architecture, self.port)
        if self.stateless and cipher.seek_bits is None:
            raise InputError(
                f"stateless is for ciphers whose blocks have numbers, as salsa20, not {cipher.name}"
            )
        if not 1 <= self.bytes <= MAX_BYTES:
            raise InputError(f"bytes must be between 1 and {MAX_BYTES}, not {self.bytes}")
        if not 0 <= self.wait_states <= MAX_WAIT_STATES:
            raise InputError(
                f"wait states must be between 0 and {MAX_WAIT_STATES}, not {self.wait_states}"
            )
        if self.wait_states and self.port.instruction:
            raise InputError(
                f"wait states are of the bus: with interface {self.interface} of {processor.name} "
                f"they must be 0, not {self.wait_states}"
            )

    @property
    def streams(self) -> Mapping[str, Stream]:
        """The streams of the core."""
        assert self.architecture is not None
        return facts_of(self.cipher, self.architecture).streams

    @property
    def takes_text(self) -> bool:
        """Whether the core takes a text; otherwise it gives keystream. Software without a core
        takes one if its cipher has no keystream."""
        if self.architecture is None:
            return not self.cipher.has_keystream
        return "data_in" in self.streams

    @property
    def port(self) -> Port:
        """How the processor reaches the core."""
        port = PORTS[self.interface]
        return replace(port, instruction=port.instruction and self.processor.instructions)

    def __str__(self) -> str:
        waits = f", {self.wait_states} wait states" if self.wait_states else ""
        radix = f" at radix {self.architecture.radix}" if self.architecture else ""
        how = ", stateless" * self.stateless + f", {self.driver}" * (self.driver != "blocking")
        where = f"behind {self.interface} of {self.processor.name}"
        return f"{self.cipher.name}{radix} {where}{how}{waits}"

    def as_json(self) -> dict[str, Any]:
        """The choices as records name them."""
        architecture = self.architecture
        return {
            "cipher": self.cipher.name,
            "cpu": self.processor.name,
            "interface": self.interface,
            "driver": self.driver,
            "wait_states": self.wait_states,
            "stateless": self.stateless,
            "radix": architecture.radix if architecture else None,
            "load_width": architecture.load_width if architecture else None,
            "options": architecture.options if architecture else {},
            "message_bytes": self.bytes,
        }
