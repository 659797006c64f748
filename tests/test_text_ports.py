# SPDX-License-Identifier: Apache-2.0
"""Texts, tags and settings through coprocessors: every kind of cipher, registers and instructions.

Buses other than request and grant are reached through the masters of the simulated system.
"""

from __future__ import annotations

import pytest
from coprocessors import Coprocessor
from texts import Text, message_of, text_of

from headwater.cipher.catalogue import find
from headwater.errors import InputError
from headwater.interface.port import PORTS, Port
from headwater.interface.registers import INSTRUCTIONS, REGISTERS

ADDRESS = {register.name: register.address for register in REGISTERS}
FIELD = {
    f"{register.name}_{field.name}": field.mask
    for register in REGISTERS
    for field in register.fields
}
CODE = {entry.name: entry.value for entry in INSTRUCTIONS}

TAG_RESULT = FIELD["STATUS_TAG_OK"] | FIELD["STATUS_TAG_BAD"]


class Software:
    """Commands to a coprocessor, whatever its port."""

    def __init__(self, made: Coprocessor, port: Port) -> None:
        self.made, self.port = made, port
        self.commands: list[str] = []
        self.spare = 0
        self.expected: dict[int, tuple[int, int]] = {}

    def _op(self, name: str, first: int = 0, second: int = 0, funct7: int = 0) -> None:
        self.commands.append(f"op {funct7:x} {CODE[name]} {first:x} {second:x}")

    def _expect(self, value: int, mask: int = 0xFFFFFFFF) -> None:
        self.expected[len(self.commands) - 1] = (value, mask)

    def write(self, name: str, value: int) -> None:
        """Write a register that has no instruction of its own."""
        if self.port.instruction:
            self._op("REGISTER", value, 1, ADDRESS[name] >> 2)
        else:
            self.commands.append(f"write {ADDRESS[name]:x} {value:x}")

    def register(self, name: str, value: int, mask: int = 0xFFFFFFFF) -> None:
        """Read a register, which must have this value."""
        if self.port.instruction and name == "STATUS":
            self._op("STATUS")
        elif self.port.instruction:
            self._op("REGISTER", 0, 0, ADDRESS[name] >> 2)
        else:
            self.commands.append(f"read {ADDRESS[name]:x}")
        self._expect(value, mask)

    def load(self) -> None:
        """Key and IV."""
        if self.port.instruction and self.port.pairs:
            words = [*self.made.load, 0]
            for place in range(0, len(self.made.load), 2):
                self._op("LOAD", words[place], words[place + 1], place)
            return
        for place, word in enumerate(self.made.load):
            if self.port.instruction:
                self._op("LOAD", word, place)
            else:
                name = "LOAD_NEXT" if place else "LOAD_FIRST"
                self.commands.append(f"write {ADDRESS[name]:x} {word:x}")

    def put(self, marks: int, word: int) -> None:
        """A word of text."""
        if self.port.instruction:
            self._op("PUT", word, 0, marks)
        else:
            self.commands.append(f"write {ADDRESS['TEXT'] + 4 * marks:x} {word:x}")

    def get(self, word: int) -> None:
        """The next word, which must be this one."""
        if self.port.instruction:
            self._op("GET")
        else:
            self.commands.append(f"read {ADDRESS['DATA']:x}")
        self._expect(word)

    def check(self, word: int) -> None:
        """Compare with the next word of the tag."""
        if self.port.instruction:
            self._op("CHECK", word)
        else:
            self.commands.append(f"write {ADDRESS['TAG_EXPECTED']:x} {word:x}")

    def clear(self) -> None:
        """Forget everything."""
        if self.port.instruction:
            self._op("CLEAR")
        else:
            self.commands.append(f"write {ADDRESS['STATUS']:x} 0")

    def begin(self, text: Text) -> None:
        """The load for a message."""
        if "decrypt" in self.made.core.features:
            self.write("CONTROL", text.decrypts)
        if text.spare != self.spare:
            self.write("TEXT_SPARE", text.spare)
            self.spare = text.spare
        self.load()

    def text(self, text: Text) -> None:
        """The words of a message, as few ahead as needed, and those of the other text."""
        ahead = text.first_text_word + self.made.core.words_ahead
        got = 0
        for number, (marks, word) in enumerate(text.puts):
            if number >= ahead and got < len(text.out):
                self.get(text.out[got])
                got += 1
            self.put(marks, word)
        for word in text.out[got:]:
            self.get(word)

    def run(self) -> None:
        """Run the commands and compare what was read."""
        self.register("STATUS", 0, FIELD["STATUS_LATE"])
        printed = self.made.drive(self.commands)
        for place, (value, mask) in self.expected.items():
            found = int(printed[place].split()[0], 16) & mask
            assert found == value, (place, self.commands[place], hex(found), hex(value))


def message(name: str, data_bytes: int, text_bits: int, *, decrypts: bool = False) -> Text:
    cipher = find(name)
    return text_of(cipher, message_of(cipher, data_bytes, text_bits, decrypts=decrypts))


def lengths(name: str) -> list[tuple[int, int]]:
    """Lengths of associated data in bytes and of text in bits."""
    cipher = find(name)
    found = [(5, 88), (0, 64), (3, 0), (0, 0), (8, 40)]
    return [*found, (0, 43), (2, 97)] if cipher.text_unit == 1 else found


CORES = [
    ("grain128aead", 1, "bus"),
    ("grain128aead", 8, "custom"),
    ("grain128aead", 32, "axi4lite"),
    ("grain128aead", 64, "fifo"),
    ("grain128aead", 64, "bus"),
    ("grain128a-ae", 16, "wishbone"),
    ("phelix", 16, "custom3"),
    ("phelix", 32, "bus"),
    ("phelix", 64, "axi4lite"),
    ("phelix", 256, "fifo"),
    ("sfinks-ae", 1, "custom"),
    ("sfinks-ae", 4, "wishbone"),
    ("ascon_aead128", 32, "axi4lite"),
    ("ascon_aead128", 32, "custom"),
    ("vest4-ae", 4, "bus"),
    ("vest16-ae", 8, "custom"),
    ("vest16-ae", 8, "axi4lite"),
    ("eea3", 32, "axi4lite"),
    ("eea3", 32, "custom"),
    ("uea2", 32, "fifo"),
    ("eia3", 32, "bus"),
    ("uia2", 32, "wishbone"),
    ("eia1", 32, "custom3"),
    ("nca6", 32, "bus"),
    ("nia6", 32, "axi4lite"),
    ("nea4", 128, "custom"),
    ("mosquito", 1, "bus"),
    ("mosquito", 3, "custom"),
    ("moustique", 4, "wishbone"),
]


@pytest.mark.parametrize(("name", "radix", "interface"), CORES)
def test_messages(name: str, radix: int, interface: str) -> None:
    """Encrypted, decrypted, with a tag that is right or wrong."""
    port = PORTS[interface]
    made = Coprocessor(find(name), port, radix)
    software = Software(made, port)
    for data_bytes, text_bits in lengths(name):
        for decrypts in (False, True) if "data_out" in made.core.streams else (False,):
            text = message(name, data_bytes, text_bits, decrypts=decrypts)
            software.begin(text)
            software.text(text)
            if text.tag and decrypts:
                compare(software, text.tag)
            else:
                for word in text.tag:
                    software.get(word)
    software.run()


@pytest.mark.parametrize("interface", ["bus", "custom"])
def test_tags_that_are_wrong(interface: str) -> None:
    """Each word of the tag; the next load and a clear forget it. Without a key there is none."""
    port = PORTS[interface]
    software = Software(Coprocessor(find("grain128aead"), port, 8), port)
    text = message("grain128aead", 5, 88)
    for wrong in range(len(text.tag)):
        software.begin(text)
        software.register("STATUS", 0, TAG_RESULT)
        software.text(text)
        for number, word in enumerate(text.tag):
            software.check(word ^ (number == wrong) << 17)
        software.register("STATUS", FIELD["STATUS_TAG_BAD"], TAG_RESULT)
    software.clear()
    software.register("STATUS", 0)
    software.check(0)
    software.register("STATUS", FIELD["STATUS_LATE"])
    software.clear()
    software.run()


@pytest.mark.parametrize("interface", ["bus", "custom", "fifo", "wishbone"])
def test_settings_and_interrupts(interface: str) -> None:
    port = PORTS[interface]
    made = Coprocessor(find("grain128aead"), port, 8)
    software, core = Software(made, port), made.core
    for name, value in core.identity.items():
        software.register(name, value)
        software.write(name, 0)
        software.register(name, value)
    for name, legal in (("CONTROL", 1), ("TEXT_SPARE", 7), ("IRQ_ENABLE", 7)):
        software.register(name, 0)
        software.write(name, 0xFFFFFFFF)
        software.register(name, legal)
        software.write(name, 0)
    text = message("grain128aead", 5, 88)
    software.register("IRQ_STATUS", 0)
    software.begin(text)
    software.commands.append("idle 80")
    software.register("IRQ_STATUS", FIELD["IRQ_STATUS_LOADED"])
    software.write("IRQ_STATUS", FIELD["IRQ_STATUS_LOADED"])
    software.register("IRQ_STATUS", 0)
    software.text(text)
    software.get(text.tag[0])
    software.commands.append("idle 80")
    both = FIELD["IRQ_STATUS_TAG"] | FIELD["IRQ_STATUS_WORD"]
    software.register("IRQ_STATUS", both, both)
    software.get(text.tag[1])
    software.commands.append("idle 4")
    software.register("IRQ_STATUS", FIELD["IRQ_STATUS_TAG"], both)
    software.clear()
    software.register("IRQ_STATUS", 0)
    software.run()


@pytest.mark.parametrize(("interface", "queued"), [("fifo", 16), ("fifo", 9), ("custom", 0)])
def test_a_load_behind_text_that_nobody_read(interface: str, queued: int) -> None:
    """The text is dropped, even if it fills every queue on the way."""
    port = PORTS[interface]
    made = Coprocessor(find("grain128aead"), port, 32)
    software = Software(made, port)
    unread = message("grain128aead", 0, 32 * 40)
    software.begin(unread)
    for marks, word in unread.puts[: unread.first_text_word + made.core.words_ahead + queued]:
        software.put(marks, word)
    text = message("grain128aead", 5, 88)
    for _ in range(2):
        software.begin(text)
        software.text(text)
        for word in text.tag:
            software.get(word)
    software.run()


def test_text_is_not_for_dma() -> None:
    with pytest.raises(InputError, match="must not be dma, which only writes into memory"):
        Coprocessor(find("grain128aead"), PORTS["dma"])


def compare(software: Software, tag: list[int]) -> None:
    """Check a tag, the right one."""
    software.register("STATUS", 0, TAG_RESULT)
    for number, word in enumerate(tag):
        if number and software.made.core.tag_words:
            software.register("STATUS", 0, FIELD["STATUS_TAG_OK"])
        software.check(word)
    software.register("STATUS", FIELD["STATUS_TAG_OK"], TAG_RESULT)
