# SPDX-License-Identifier: Apache-2.0
"""Drivers depend on nothing that other programs left, and leave nothing where something failed."""

from __future__ import annotations

from pathlib import Path

import pytest
from delivered import ip_of
from poisoned import wrong_after_others

from headwater.package.driver import driver_files

KINDS = {"trivium": 8, "grain128aead": 8, "sfinks": 4, "moustique": 4, "chacha20": 32,
         "aes_ofb": None, "phelix": 32, "ascon_aead128": 32, "vest4-ae": None, "eea3": None,
         "uia2": None, "nia4": None, "grain128a-ae": 32}  # fmt: skip
"""At least one cipher of every kind that has a driver, and its radix."""
INTERFACES = ("bus", "wishbone", "axi4lite", "custom", "custom3", "fifo", "dma")
EACH = [(name, interface) for name in KINDS for interface in INTERFACES
        if interface != "dma" or name in ("trivium", "chacha20", "aes_ofb")]  # fmt: skip


@pytest.mark.parametrize(("name", "interface"), EACH, ids=[" ".join(each) for each in EACH])
def test_a_driver_depends_on_nothing_that_others_left(
    name: str, interface: str, tmp_path: Path
) -> None:
    ip = ip_of(name, interface, KINDS[name])
    for bits in (64, 32):
        assert wrong_after_others(ip, tmp_path, bits, driver=driver_files(ip)) == ""
