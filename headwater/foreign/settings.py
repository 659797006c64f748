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
class Sending:
    """A string that enters word by word, after the session; those of one port in turn."""

    send: str
    """Which, such as "key", "iv, key" or "text"."""
    data: str
    """The input for the words."""
    valid: str
    """Is one while a word is there; where it is wide, it is like ``keep``."""
    ready: str = ""
    """The output that takes a word; empty: each cycle takes one."""
    last: str = ""
    """Inputs that are one with the last word of the string."""
    end: str = ""
    """Inputs that are one with the last word of all strings of this port."""
    keep: str = ""
    """An input with a bit for each equal part of a word, such as a byte, that counts."""
    count: str = ""
    """An input with the number of bytes of a word that count."""
    values: Mapping[str, int] = field(default_factory=dict)
    """What other inputs are meanwhile."""
    words: int = 0
    """Words that the core takes, which "zeros" without places fill; 0: any."""

    @property
    def marks(self) -> list[str]:
        """All inputs that mark a last word."""
        return [*named(self.last), *named(self.end)]

    @property
    def inputs(self) -> list[str]:
        """All inputs of the stream itself."""
        return [self.data, self.valid, self.keep, self.count, *self.marks]


def named(text: str) -> list[str]:
    """The names in a list of them."""
    return [name for name in text.replace(" ", "").split(",") if name]


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
    iv_first: int | None = None
    """What the first bit of the IV must be, of a core that is this cipher with such IVs alone."""
    keystream: str = ""
    valid: str = ""
    """An output that says whether the keystream is there; of a core whose words are taken as they
    come with ``!`` before it where zero says so."""
    tie: Mapping[str, int] = field(default_factory=dict)
    """Inputs that never change."""
    output: str = ""
    """Where a core that encrypts gives text and tag, one port or two."""
    first: int = 0
    """Bits of a keystream that a session gives, where it gives no more; 0: all."""
    stream: tuple[Sending, ...] = ()
    """Strings that enter word by word, of a core whose registers are not of bits."""
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
    return settings_of(content, str(path))


def settings_of(content: dict[str, Any], path: str) -> Settings:
    """The settings in a table, which stands in ``path``.

    Raises
    ------
    InputError
        If a line means nothing.
    """
    legal = [one.name for one in fields(Settings)]
    for name in content:
        if name not in legal:
            raise unknown(f"line of {path}", name, legal)
    for name in ("top", "reset", "key", "iv", "start", "keystream", "valid", "output"):
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
    streams = content.get("stream", [])
    if not isinstance(streams, list) or not all(isinstance(one, dict) for one in streams):
        raise InputError(f"stream in {path} must be tables, each under [[stream]]")
    content["stream"] = tuple(_sending(path, one) for one in streams)
    if content.get("iv_first") not in (None, 0, 1) or isinstance(content.get("iv_first"), bool):
        raise InputError(f"iv_first in {path} must be 0 or 1, not {content['iv_first']!r}")
    first = content.get("first", 0)
    if not isinstance(first, int) or isinstance(first, bool) or first < 0 or first % 8:
        raise InputError(f"first in {path} must be a number of bits, whole bytes, not {first!r}")
    folders = content.get("include", [])
    if not isinstance(folders, list) or not all(isinstance(one, str) for one in folders):
        raise InputError(f"include in {path} must be a list of folders, not {folders!r}")
    content["include"] = tuple(content.get("include", ()))
    return Settings(**content)


def _phase(path: str, table: Mapping[str, Any]) -> Phase:
    for name in table:
        if name not in _PHASE:
            raise unknown(f"line of a session in {path}", name, _PHASE)
    cycles, values = table.get("cycles"), table.get("set", {})
    if cycles is not None and (not isinstance(cycles, int) or not 1 <= cycles <= 100_000):
        raise InputError(f"cycles in {path} must be between 1 and 100000, not {cycles!r}")
    if not isinstance(values, dict):
        raise InputError(f"set in {path} must be a table of ports and values, not {values!r}")
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InputError(f"{name} in {path} must be a number or bits, not {value!r}")
    if not isinstance(table.get("until", ""), str):
        raise InputError(f"until in {path} must be an output, not {table['until']!r}")
    words = any(isinstance(value, str) for value in values.values())
    if cycles is None and not table.get("until") and not words:
        raise InputError(f"a session in {path} must say its cycles, or until which output")
    return Phase(values, cycles, table.get("until", ""))


def _sending(path: str, table: Mapping[str, Any]) -> Sending:
    legal = [*(one.name for one in fields(Sending) if one.name not in ("values", "words")), "set"]
    for name, value in table.items():
        if name not in legal:
            raise unknown(f"line of a stream in {path}", name, legal)
        if name != "set" and not isinstance(value, str):
            raise InputError(f"{name} of a stream in {path} must be a text, not {value!r}")
    for name in ("send", "data", "valid"):
        if not table.get(name):
            raise InputError(
                f"a stream in {path} must have send, data and valid, but has no {name}"
            )
    values = table.get("set", {})
    if not isinstance(values, dict):
        raise InputError(f"set in {path} must be a table of ports and values, not {values!r}")
    for name, value in values.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise InputError(f"{name} in {path} must be a number, not {value!r}")
    sent = parts(table["data"], table["send"])
    if (ZEROS, None, None) in sent:
        raise InputError(f'zeros of a stream in {path} must have places, such as "zeros[0:32]"')
    if any(name in PACKETS for name, _, _ in sent):
        raise InputError(
            f"{table['send']} in {path} must be left out: words of the LWC hardware "
            "API are found by the names of its ports"
        )
    texts = {name: value for name, value in table.items() if name != "set"}
    return Sending(**texts, values=values)


ZEROS = "zeros"
PACKETS = ("pdi", "sdi")
"""Messages as `headwater.foreign.lwc` makes words of them."""
_PART = re.compile(
    r"\s*(key|iv|base_key|base_iv|ad|base_ad|text|pdi|sdi|zeros)(?:\[(\d+):(\d+)\])?\s*"
)


def parts(port: str, text: str) -> list[tuple[str, int | None, int | None]]:
    """The strings that a text such as "iv[0:32], key" names, each with the places that are taken.

    Raises
    ------
    InputError
        If it names anything else.
    """
    matches = [_PART.fullmatch(part) for part in text.split(",")]
    if not all(matches):
        raise InputError(
            f'what enters {port} must be bits such as "key", "iv[0:32]" or "zeros[0:32]", or '
            f'"ad" or "text" of a core that encrypts, not {text!r}'
        )
    return [
        (one[1], None if one[2] is None else int(one[2]), None if one[3] is None else int(one[3]))
        for one in matches
        if one
    ]
