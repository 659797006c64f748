# SPDX-License-Identifier: Apache-2.0
"""What can be delivered: every cipher in every way, and small members whose files are also run."""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main as headwater
from headwater.interface import INTERFACES
from headwater.interface.axi4stream import KEY_WAYS
from headwater.interface.buses import BUSES

_SOURCE = "--random-bits 8 --fusesoc"
_WHOLE_SOURCE = f"{_SOURCE} --testbench --properties --c-model"
_PLAIN = "--key-by axi4lite --packets plain"
MEMBERS = {
    "trivium --radix 8 --load-width 32": "--interface dma",
    "grain128aead --radix 8 --load-width 32": "--interface axi4lite",
    "sfinks --radix 4": "--interface custom",
    "sfinks-ae --radix 4": "--interface fifo",
    "mosquito --radix 4": "--interface bus",
    "salsa20": f"--interface axi4stream {_PLAIN}",
    "aes_ofb": "--interface wishbone",
    "phelix": "--interface axi4stream --key-by axi4lite",
    "ascon_aead128": "--interface custom3",
    "vest4": "--interface stream",
    "vest4-ae": "--interface wishbone",
    "eea3": "--interface bus",
    "eia3": "--interface axi4stream --key-by stream",
    "nca5": f"--interface axi4stream {_PLAIN}",
    "aes_cmac": "--interface axi4lite",
    "poly1305": "--interface fifo",
    "chacha20_poly1305": "--interface axi4stream --key-by stream",
}
"""A small core of each kind of cipher; of a kind with several forms (keystream, text, tags) one of
each. Each has an interface behind which every tool has it; no interface is left out."""


class Does(StrEnum):
    """What is done with the files of a delivery."""

    ALL = "they are read, and every target runs"
    SIMULATED = "they are read, and every target but synthesis runs"
    READ = "they are read"


@dataclass(frozen=True)
class Row:
    """A delivery.

    Members
    -------
    words : str
        What follows ``headwater generate``.
    does : Does
    """

    words: str
    does: Does

    @property
    def cipher(self) -> str:
        """Of which it is."""
        return self.words.split()[0]

    def files(self) -> dict[str, str] | None:
        """The text of each file by its name; None if there is no such delivery."""
        with tempfile.TemporaryDirectory() as folder:
            said = io.StringIO()
            with redirect_stdout(said), redirect_stderr(said):
                status = headwater(["generate", *self.words.split(), "-o", folder])
            if status:
                return None
            return {path.name: path.read_text(encoding="utf-8") for path in Path(folder).iterdir()}


def covering() -> list[Row]:
    """One member for each kind of cipher and each interface."""
    found = [f"{member} {way} --package" for member, way in MEMBERS.items()]
    source = f"trivium --interface prng --bus axi4lite {_WHOLE_SOURCE}"
    return [Row(words, Does.ALL) for words in (*found, source)]


def rows() -> list[Row]:
    """All deliveries; some of them a cipher does not have. The most telling come first."""
    ways = [*_around_a_core(), *_as_random_bits(), "--c-model"]
    read = [Row(f"{cipher} {way}", Does.READ) for cipher in CATALOGUE for way in ways]
    pairs = [
        Row(f"{member} {way}", Does.SIMULATED) for member in MEMBERS for way in _around_a_core()
    ]
    found = {row.words: row for row in (*read, *pairs, *covering())}
    return sorted(found.values(), key=lambda row: _ORDER.index(row.does))


_ORDER = Does.ALL, Does.READ, Does.SIMULATED


def _around_a_core() -> list[str]:
    """The packages of a core."""
    found = []
    for interface in INTERFACES:
        keys = *(f" --key-by {way}" for way in KEY_WAYS), f" {_PLAIN}"
        ways = keys if interface == "axi4stream" else ("",)
        found += [f"--interface {interface}{way} --package" for way in ways if interface != "prng"]
    return found


def _as_random_bits() -> list[str]:
    """The files of a source of random bits; its testbench, which takes time, alone."""
    alone = f"--interface prng {_WHOLE_SOURCE}"
    return [alone, *(f"--interface prng --bus {bus} {_SOURCE}" for bus in BUSES)]
