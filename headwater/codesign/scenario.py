# SPDX-License-Identifier: Apache-2.0
"""Scenarios: a cipher at an architecture, a processor, and the interface between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from headwater.cipher.description import Cipher
from headwater.codesign.processor import PROCESSORS, Processor, find
from headwater.core.architecture import Architecture
from headwater.errors import InputError, unknown
from headwater.interface.shell import PORTS, Port
from headwater.kinds.registry import facts_of

INTERFACES = {
    "custom": "custom instructions of two operands and one result",
    "custom3": "the same, whose load takes a third operand: two words and their number",
    "fifo": "a FIFO each way, read and written by instructions, or over the bus where the "
    "processor has none",
    "bus": "registers on the bus",
    "dma": "registers on the bus; the keystream is written into memory",
}
DRIVERS = {
    "blocking": "reads wait for their words, several are read before they are stored",
    "simple": "reads wait for their words, each is stored at once",
    "polling": "words are read when the status says that they are there",
}
MAX_BYTES = 1 << 15
MAX_WAIT_STATES = 255
_WORD_BITS = 32


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
        made = cls(cipher, architecture, processor, interface, driver, wait_states,
                   stateless, bytes)  # fmt: skip
        made._check()
        return made

    def _check(self) -> None:
        cipher, processor = self.cipher, self.processor
        if self.interface.startswith("custom") and not processor.instructions:
            legal = ", ".join(name for name, one in PROCESSORS.items() if one.instructions)
            raise InputError(
                f"cpu must have custom instructions for interface {self.interface}, as {legal} "
                f"have, not {processor.name}"
            )
        if self.interface == "dma" and self.driver != "blocking":
            raise InputError(f"driver of interface dma must be blocking, not {self.driver}")
        if self.takes_text and self.driver == "simple":
            raise InputError(f"driver of {cipher.name} must be blocking or polling, not simple")
        if self.interface == "dma" and self.takes_text:
            raise InputError(
                f"interface of {cipher.name}, which takes its text in, must not be dma, which only "
                "writes into memory"
            )
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
    def takes_text(self) -> bool:
        """Whether the core takes a text; otherwise it gives keystream."""
        return not self.cipher.has_keystream

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


def _check_cipher(cipher: Cipher) -> None:
    encrypts_words = cipher.steps_per_bit > 1 or not cipher.has_keystream
    fits = cipher.service == "keystream" or (cipher.service == "aead" and encrypts_words)
    if not fits and cipher.base is None:
        raise InputError(
            f"cipher must have a keystream of its own or encrypt words, not {cipher.name}, of kind "
            f"{cipher.service}"
        )
    if cipher.base is not None:
        raise InputError(
            f"cipher must have a keystream or encrypt words, not {cipher.name}: use "
            f"{cipher.base.name}"
        )


def coprocessor_architecture(
    cipher: Cipher,
    radix: int | None,
    load_width: int | None,
    options: Mapping[str, str] | None,
) -> Architecture:
    """An architecture that fits into a coprocessor; its load width is 32 if this is legal."""
    _check_cipher(cipher)
    legal = [each for each in cipher.legal_radices() if fits(cipher, each)]
    if radix is None:
        radix = max((each for each in legal if each <= cipher.natural_radix), default=legal[0])
        if cipher.seek_bits is not None or not cipher.has_keystream:
            radix = cipher.default_radix
    made = _first_legal(cipher, radix, load_width, options)
    if radix not in legal:
        raise InputError(
            f"radix of {cipher.name} in a coprocessor must be one of "
            f"{', '.join(map(str, legal))}, not {radix}"
        )
    for name, values in (("stall", ("stream",)), ("clear", ("shift", "instant"))):
        if made[name] not in values:
            raise InputError(
                f"option {name} in a coprocessor must be {' or '.join(values)}, not {made[name]}"
            )
    return made


def fits(cipher: Cipher, radix: int) -> bool:
    """Whether the words of the core can be cut or joined to words of 32 bits."""
    width = radix // cipher.steps_per_bit
    if not cipher.has_keystream:
        return True
    return width > 0 and (_WORD_BITS % width == 0 or width % _WORD_BITS == 0)


def _first_legal(
    cipher: Cipher,
    radix: int,
    load_width: int | None,
    options: Mapping[str, str] | None,
) -> Architecture:
    if load_width is None:
        try:
            made = Architecture.choose(cipher, radix=radix, load_width=_WORD_BITS, options=options)
        except InputError:
            made = None
        if made and not facts_of(cipher, made).unfit(cipher.iv_bits[-1]):
            return made
    return Architecture.choose(cipher, radix=radix, load_width=load_width, options=options)
