# SPDX-License-Identifier: Apache-2.0
"""The command line of MOSQUITO and MOUSTIQUE, and wrong cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from emitted import registers_of
from mosquitos import FILES, IV, KEY, architecture

from headwater.api import core as api_core
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.message import Message
from headwater.cipher.mosquito import MOSQUITO
from headwater.cli.main import main
from headwater.emit.verilog import Verilog, generate
from headwater.errors import InputError
from headwater.kinds.reading import Keystream, process
from headwater.kinds.self_synchronising.description import (
    Cell,
    SelfSynchronisingCipher,
)
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine

# --- the command line


NO_KEYSTREAM = "mosquito has no keystream of its own, as its ciphertext feeds it"
SECRET = ["--key", "00" * 12, "--iv", "00" * 13]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    found = capsys.readouterr()
    return status, found.out, found.err


@pytest.mark.parametrize("how", [[], ["--engine", "rtl", "--radix", "3"]], ids=["model", "rtl"])
def test_encrypt_and_decrypt(capsys: pytest.CaptureFixture[str], how: list[str]) -> None:
    plain, other = "0123456789abcdef0123456789abcdef", "fee2e4ebeea477cc89b1f06d19d8193f"
    made = printed(capsys, "encrypt", "mosquito", *SECRET, "--text", plain, *how)
    assert made == (0, f"ciphertext {other}\n", "")
    made = printed(capsys, "decrypt", "mosquito", *SECRET, "--text", other, *how)
    assert made == (0, f"plaintext {plain}\n", "")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ["keystream", "mosquito", *SECRET, "--bits", "8"],
            f"{NO_KEYSTREAM}: use headwater encrypt mosquito",
        ),
        (
            ["encrypt", "moustique", "--key", "00", "--iv", "", "--text", "00"],
            "key of moustique must be 96 bits (24 hex digits), not 8 bits",
        ),
        (
            ["encrypt", "moustique", "--key", "00" * 12, "--iv", "00" * 14, "--text", "00"],
            "IV of moustique must be 0 to 104 bits in whole bytes, not 112 bits",
        ),
        (
            ["encrypt", "mosquito", *SECRET, "--text", "00", "--ad", "00"],
            "associated data must not be given for mosquito, which does not authenticate",
        ),
        (
            ["decrypt", "mosquito", *SECRET, "--text", "00", "--tag", "00"],
            "a tag must not be given for mosquito, which does not authenticate",
        ),
        (["show", "mosquito", "--radix", "5"], "radix of mosquito must be between 1 and 4, not 5"),
        (
            ["show", "mosquito", "--radix", "3", "--load-width", "1"],
            "load width of mosquito must be 3, not 1",
        ),
        (
            ["show", "mosquito", "--radix", "2", "--option", "layers=3"],
            "option layers of mosquito at radix 2 must be between 0 and 2, not 3",
        ),
        (
            ["show", "mosquito", "--radix", "4", "--option", "layers=1"],
            "option layers of mosquito at radix 4 must be 0, not 1",
        ),
    ],
    ids=lambda part: part[0] if isinstance(part, list) else "",
)
def test_refused(capsys: pytest.CaptureFixture[str], words: list[str], text: str) -> None:
    assert printed(capsys, *words) == (2, "", f"headwater: {text}\n")


def test_no_keystream_and_no_associated_data() -> None:
    with pytest.raises(InputError, match=NO_KEYSTREAM):
        Keystream(MOSQUITO, key=KEY, iv=IV)
    with pytest.raises(InputError, match="data of mosquito must be empty, not 1 bytes"):
        process(MOSQUITO, Message(KEY, IV, b"a", b"", 0))


BROKEN = {
    "a51",
    "e0",
    "phelix",
    "zkcrypt",
    "achterbahn",
    "achterbahn-v1-reduced",
    "achterbahn80",
    "achterbahn128",
    "mosquito",
    "moustique",
}
"""Ciphers with that status; later ones may be added to it."""


def test_some_ciphers_are_broken() -> None:
    found = {name for name, cipher in CATALOGUE.items() if cipher.broken}
    assert found >= BROKEN
    assert not found & {"trivium", "grain_v1", "grain128aeadv2", "zuc", "snow3g", "chacha20"}


@pytest.mark.parametrize("name", CATALOGUE)
def test_generate_says_once_that_a_cipher_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object, name: str
) -> None:
    monkeypatch.setattr(api_core, "generate", lambda *_: Verilog("core", "", ()))
    status, out, err = printed(capsys, "generate", name, "--name", "core", "-o", str(tmp_path))
    assert (status, out) == (0, f"{tmp_path}/core.v\n")
    cipher = CATALOGUE[name]
    assert err == (f"headwater: {name} is {cipher.security}\n" if cipher.broken else "")
    assert ("broken" in err or "not for use" in err) == cipher.broken


# --- broken ones


def other_cells(change: dict[int, dict[str, object]]) -> SelfSynchronisingCipher:
    cells = (replace(cell, **change.get(cell.address, {})) for cell in MOSQUITO.cells)
    return replace(MOSQUITO, cells=tuple(cells))


def test_vectors_find_each_wrong_cell() -> None:
    """Each cell in turn reads something else, so that there is none that no vector needs."""
    few = replace(FILES["mosquito"], vectors=FILES["mosquito"].vectors[64:68])
    for cell in list(_keyed())[::9]:
        wrong = other_cells({cell.address: {"reads": (cell.reads[0], *cell.reads[:0:-1])}})
        assert check_vectors(few, ModelEngine(wrong)).failed, cell.name
    assert not check_vectors(few, ModelEngine(other_cells({}))).failed


def _keyed() -> Iterator[Cell]:
    return (cell for cell in MOSQUITO.cells if len(cell.reads) > 2 and cell.key is not None)


def test_core_has_no_way_out_for_the_key() -> None:
    """No output is made of the key, or of anything but the text and registers of keystream."""
    core = generate(MOSQUITO, architecture(MOSQUITO)).text
    assigned = dict(re.findall(r"(?:assign|wire(?: \[\d+:0\])?) (\w+) =\s+([^;]*);", core))
    reached, new = set(), {name for name in assigned if name.startswith(("data_", "load_"))}
    while new:
        reached |= new
        new = {name for target in new for name in re.findall(r"[a-z]\w*", assigned.get(target, ""))}
        new -= reached
    registers = set(registers_of(core))
    assert reached & registers == {"hold", "line", "loading", "step"}
