# SPDX-License-Identifier: Apache-2.0
"""A copy of a catalogue cipher under another name works from outside: no kind knows a cipher by its
name, and none is made of the functions of one in silence."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher

CIPHERS = Path(sys.modules[Cipher.__module__].__file__ or "").parent
OTHER = "copied_"

_COMPARE = """
import json, sys
from pathlib import Path
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.outside import add_file
from headwater.core.architecture import Architecture
from headwater.kinds.registry import build
from headwater.verify.proof import with_checkers

def circuit(name):
    cipher = CATALOGUE[name]
    return with_checkers(build(cipher, Architecture.choose(cipher)), {}, whole=True)

other, *files = sys.argv[1:]
for file in files:
    add_file(Path(file))
names = [name for name in CATALOGUE if name.startswith(other)]
print(json.dumps({name: circuit(name) == circuit(name.removeprefix(other)) for name in names}))
"""


def modules() -> dict[str, list[str]]:
    """Names of the ciphers that the catalogue takes from each module."""
    names: dict[str, list[str]] = {}
    for line in ast.parse((CIPHERS / "catalogue.py").read_text()).body:
        if isinstance(line, ast.ImportFrom) and str(line.module).startswith("headwater.cipher."):
            members = vars(import_module(str(line.module)))
            offered = [members[each.name] for each in line.names]
            ciphers = [
                cipher
                for value in offered
                for cipher in (value if isinstance(value, tuple) else (value,))
                if isinstance(cipher, Cipher)
            ]
            if ciphers:
                names[Path(str(members["__file__"])).stem] = [cipher.name for cipher in ciphers]
    return names


def copy(stem: str, names: list[str], folder: Path, **changes: str) -> Path:
    """The text of a module under another name; ``changes`` are made in it."""
    text = (CIPHERS / f"{stem}.py").read_text()
    for name, line in changes.items():
        text, count = re.subn(rf"^{name} = .*$", line, text, flags=re.MULTILINE)
        assert count == 1, name
    file = folder / f"{stem}_copy.py"
    file.write_text(
        f"""{text}
import dataclasses
NAMES_OF_COPIES = {names!r}
CIPHERS = tuple({{
    each.name: dataclasses.replace(each, name="{OTHER}" + each.name)
    for value in list(globals().values())
    for each in (value if isinstance(value, tuple) else (value,))
    if getattr(each, "name", None) in NAMES_OF_COPIES and dataclasses.is_dataclass(each)
}}.values())
"""
    )
    return file


def test_each_copy_gives_the_same_circuit(tmp_path: Path) -> None:
    files = [copy(stem, names, tmp_path) for stem, names in modules().items()]
    command = [sys.executable, "-c", _COMPARE, OTHER, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == dict.fromkeys([OTHER + name for name in CATALOGUE], True)


@pytest.mark.parametrize(
    ("stem", "name", "changed"),
    [
        ("aes_ofb", "SBOX", "import copy; SBOX = copy.copy(SR)"),
        ("phelix", "MIXINGS", "MIXINGS = 9"),
        ("vest", "SEAL_ROUNDS", "SEAL_ROUNDS = 31"),
    ],
)
def test_a_copy_that_is_another_cipher_is_refused(
    stem: str, name: str, changed: str, tmp_path: Path
) -> None:
    """The core would be that of the original."""
    file = copy(stem, modules()[stem], tmp_path, **{name: changed})
    command = [sys.executable, "-m", "headwater", "--cipher-file", str(file), "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    said = rf"{name} must be as in headwater\.cipher\.{stem}, of which every core of \w+ is made"
    assert re.search(said, done.stderr), done.stderr
