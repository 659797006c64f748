# SPDX-License-Identifier: Apache-2.0
"""What cannot be guessed of a core, as a short TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from headwater.errors import InputError, quoted, unknown

_PHASE = ("cycles", "until", "set")


@dataclass(frozen=True)
class Phase:
    """Cycles of a session in which ports have values."""

    values: Mapping[str, int | str]
    """By input: a number, or the bits that enter it word by word, such as "key, iv" or
    "iv[0:32]"."""
    cycles: int | None = None
    """None: until the words are in, or as ``until`` says."""
    until: str = ""
    """A port of one bit that ends the phase: the cycle in which it is one is the last."""


@dataclass(frozen=True)
class Settings:
    """What a file says of a core; what is empty is guessed."""

    top: str = ""
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    """Folders of included files."""
    reset: str = ""
    """An input; with ``!`` before it, one that resets with zero."""
    key: str = ""
    iv: str = ""
    start: str = ""
    """An input that is one for one cycle after the reset."""
    keystream: str = ""
    valid: str = ""
    """An output that says whether the keystream is there."""
    tie: Mapping[str, int] = field(default_factory=dict)
    """Inputs that never change."""
    session: tuple[Phase, ...] = ()
    """In place of reset and start: phases from the first cycle on. Values stay until a later phase
    changes them."""


def read_settings(path: Path | None) -> Settings:
    """The settings in a TOML file; none without a file.

    Raises
    ------
    InputError
        If the file cannot be read, or has a line that means nothing.
    """
    if path is None:
        return Settings()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} must be TOML: {error}") from error
    legal = [one.name for one in fields(Settings)]
    for name in content:
        if name not in legal:
            raise unknown(f"line of {path}", name, legal)
    for name in ("top", "reset", "key", "iv", "start", "keystream", "valid"):
        if not isinstance(content.get(name, ""), str):
            raise InputError(f"{name} in {path} must be a text, not {content[name]!r}")
    for name in ("parameters", "tie"):
        if not isinstance(content.get(name, {}), dict):
            raise InputError(f"{name} in {path} must be a table, not {content[name]!r}")
    # These words become part of the commands of a reader.
    words = [content.get("top", ""), *content.get("parameters", {})]
    for word in words:
        if not re.fullmatch(r"\w*", word):
            raise InputError(f"name in {path} must be letters, digits and _, not {quoted(word)}")
    for name, value in content.get("parameters", {}).items():
        if isinstance(value, bool) or not re.fullmatch(r"-?[\w:']+", str(value)):
            raise InputError(f"{name} in {path} must be a number or a name, not {value!r}")
    for name, value in content.get("tie", {}).items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise InputError(f"tie of {name} in {path} must be a number, not {value!r}")
    phases = content.get("session", [])
    if not isinstance(phases, list) or not all(isinstance(one, dict) for one in phases):
        raise InputError(f"session in {path} must be tables, each under [[session]]")
    content["session"] = tuple(_phase(path, one) for one in phases)
    folders = content.get("include", [])
    if not isinstance(folders, list) or not all(isinstance(one, str) for one in folders):
        raise InputError(f"include in {path} must be a list of folders, not {folders!r}")
    content["include"] = tuple(content.get("include", ()))
    return Settings(**content)


def _phase(path: Path, given: Mapping[str, Any]) -> Phase:
    for name in given:
        if name not in _PHASE:
            raise unknown(f"line of a session in {path}", name, _PHASE)
    cycles, values = given.get("cycles"), given.get("set", {})
    if cycles is not None and (not isinstance(cycles, int) or not 1 <= cycles <= 100_000):
        raise InputError(f"cycles in {path} must be between 1 and 100000, not {cycles!r}")
    if not isinstance(values, dict):
        raise InputError(f"set in {path} must be a table of ports and values, not {values!r}")
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InputError(f"{name} in {path} must be a number or bits, not {value!r}")
    if not isinstance(given.get("until", ""), str):
        raise InputError(f"until in {path} must be an output, not {given['until']!r}")
    words = any(isinstance(value, str) for value in values.values())
    if cycles is None and not given.get("until") and not words:
        raise InputError(f"a session in {path} must say its cycles, or until which output")
    return Phase(values, cycles, given.get("until", ""))
