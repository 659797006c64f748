# SPDX-License-Identifier: Apache-2.0
"""What the ports of a core are for: from their names and widths, and from the settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from headwater.errors import InputError, unknown
from headwater.foreign.netlist import Netlist
from headwater.foreign.settings import Settings, named
from headwater.kinds.stepped.runs import RunCipher

_RESET = re.compile(r"rst|reset|clr_?n|areset", re.IGNORECASE)
_LOW = re.compile(r"(^|_)n_?(rst|reset)|(rst|reset)_?(n|b|ni|n_i|low)$", re.IGNORECASE)
_START = re.compile(r"start|new_?key|load|seed|init|begin|^go$", re.IGNORECASE)
_ON = re.compile(r"^(i_)?(en|ena|enable|ce|clk_?en)(_i)?$|ready|enable|next|req", re.IGNORECASE)
_KEY = re.compile(r"key(?!stream)", re.IGNORECASE)
_IV = re.compile(r"(^|_|new)iv|nonce|init.*vec|frame", re.IGNORECASE)
_STATUS = re.compile(r"valid|ready|busy|done|error|err(_o)?$|status", re.IGNORECASE)
_VALID = re.compile(r"^(\w*?)_?(?:t?valid)(_i)?$", re.IGNORECASE)
_PAYLOADS = ("payload", "data", "tdata", "word", "bits")
_DATA_MARKS = ("ad", "aad", "is_ad")


@dataclass(frozen=True)
class Stream:
    """Words that enter with valid and ready. Names are empty where it has no such port."""

    stem: str
    """How the names of its ports begin."""
    payload: str
    valid: str
    ready: str
    """Without it each word is taken."""
    last: str
    keep: str
    """Which parts of a word count."""
    ad: str
    """Marks associated data."""


@dataclass(frozen=True)
class Ports:
    """What the ports are for. Names are empty where a core has no such port."""

    reset: str = ""
    reset_level: int = 1
    key: str = ""
    iv: str = ""
    start: str = ""
    load: Stream | None = None
    ties: dict[str, int] = field(default_factory=dict)
    """The value of each other input."""
    outputs: tuple[str, ...] = ()
    """Where the keystream may come out, the likeliest first."""

    def as_json(self) -> dict[str, object]:
        """As plain data."""
        reset = self.reset and f"{'' if self.reset_level else '!'}{self.reset}"
        return {
            "reset": reset or None,
            "key": self.key or None,
            "iv": self.iv or None,
            "start": self.start or None,
            "load": self.load and self.load.payload,
            "ties": self.ties,
        }


def guess(netlist: Netlist, cipher: RunCipher, settings: Settings) -> Ports:
    """What each port is for.

    Raises
    ------
    InputError
        If the settings name a port that is not there, or if no port can be that of key or IV; the
        message says which line to add.
    """
    check_names(netlist, settings)
    inputs = {name: netlist.ports[name][1] for name in netlist.inputs}
    free = dict(inputs)
    reset, level = _reset(free, settings)
    free.pop(reset, None)
    ties = {**settings.tie}
    if settings.session:
        named = {name for phase in settings.session for name in phase.values}
        key = settings.key or ("key" if "key" in inputs and "key" not in named else "")
        iv = settings.iv or ("iv" if "iv" in inputs and "iv" not in named else "")
        for name in free:
            if name not in (*named, key, iv):
                ties.setdefault(name, 0)
        return Ports(key=key, iv=iv, ties=ties, outputs=_outputs(netlist, settings))
    load = next(input_streams(netlist, free), None)
    if load:
        for name in (load.payload, load.valid, load.last):
            free.pop(name, None)
        key = iv = ""
    else:
        key = settings.key or _wide(free, _KEY, (cipher.key_bits, *cipher.shorter_keys), "key")
        free.pop(key, None)
        iv = settings.iv or _wide(free, _IV, cipher.iv_bits, "iv")
        free.pop(iv, None)
    start = settings.start or ("" if load else _start(free))
    free.pop(start, None)
    for name, width in free.items():
        # What only asks for more is granted, whatever else stays off.
        ties.setdefault(name, int(width == 1 and bool(_ON.search(name))))
    return Ports(reset, level, key, iv, start, load, ties, _outputs(netlist, settings))


def named_inputs(netlist: Netlist, settings: Settings) -> tuple[str, int, str, dict[str, int]]:
    """The reset and its level, the start, and what each input of the others is where it never
    changes: what only asks for more is granted, whatever else stays off."""
    inputs = {name: netlist.ports[name][1] for name in netlist.inputs}
    reset, level = _reset(inputs, settings)
    inputs.pop(reset, None)
    names = {name for one in settings.session for name in one.values}
    names |= {name for one in settings.stream for name in one.inputs}
    words = {
        port
        for one in input_streams(netlist, inputs)
        for port in (one.payload, one.valid, one.last, one.keep, one.ad)
    }
    start = settings.start or _start(
        {name: width for name, width in inputs.items() if name not in names | words}
    )
    others = {
        name: int(width == 1 and bool(_ON.search(name)))
        for name, width in inputs.items()
        if name not in names and name != start
    }
    return reset, level, start, others


def check_names(netlist: Netlist, settings: Settings) -> None:
    """Refuse a file that names a port that is not there."""
    settings_of: list[tuple[str, str, Iterable[str]]] = [
        ("reset", settings.reset.removeprefix("!"), netlist.inputs),
        ("key", settings.key, netlist.inputs),
        ("iv", settings.iv, netlist.inputs),
        ("start", settings.start, netlist.inputs),
        ("keystream", settings.keystream, netlist.outputs),
        ("valid", settings.valid.removeprefix("!"), netlist.outputs),
        *(("tie", name, netlist.inputs) for name in settings.tie),
        *(("session", name, netlist.inputs) for one in settings.session for name in one.values),
        *(("until", one.until, netlist.outputs) for one in settings.session),
        *(("output", name, netlist.outputs) for name in named(settings.output)),
        *(("ready", one.ready, netlist.outputs) for one in settings.stream),
        *(
            ("stream", name, netlist.inputs)
            for one in settings.stream
            for name in (*one.inputs, *one.values)
        ),
    ]
    for what, name, legal in settings_of:
        if name and name not in legal:
            raise unknown(f"{what} of the ports", name, legal)


def _reset(inputs: dict[str, int], settings: Settings) -> tuple[str, int]:
    if settings.reset:
        return settings.reset.removeprefix("!"), int(not settings.reset.startswith("!"))
    named = [name for name, width in inputs.items() if width == 1 and _RESET.search(name)]
    if not named:
        return "", 1
    return named[0], int(not _LOW.search(named[0]))


def input_streams(netlist: Netlist, inputs: Mapping[str, int]) -> Iterator[Stream]:
    """The streams by which words enter, by the names of their ports."""
    for name, width in inputs.items():
        match = _VALID.search(name)
        if width != 1 or not match:
            continue
        stem = match[1]
        payload = _port(inputs, stem, _PAYLOADS)
        if payload:
            yield Stream(
                stem,
                payload,
                name,
                _port(netlist.outputs, stem, ("ready", "tready")),
                _port(inputs, stem, ("last", "tlast")),
                _port(inputs, stem, ("keep", "tkeep")),
                _port(inputs, stem, _DATA_MARKS),
            )


def _port(ports: Iterable[str], stem: str, ends: Iterable[str]) -> str:
    """The port of a stream that ends so, with a line before the end or without; empty if none."""
    wanted = {f"{stem}{line}{end}".lower() for end in ends for line in ("_", "")}
    return next((port for port in ports if port.lower() in wanted), "")


def _wide(
    inputs: dict[str, int], pattern: re.Pattern[str], widths: Sequence[int], what: str
) -> str:
    """The input for key or IV: of a legal width, and called like it."""
    legal = [name for name, width in inputs.items() if width in widths and width > 1]
    named = [name for name in legal if pattern.search(name)]
    unnamed = [name for name in legal if not (_KEY.search(name) or _IV.search(name))]
    ports = named or (unnamed if len(unnamed) == 1 else [])
    if len(ports) != 1:
        listed = ", ".join(f"{name} ({width})" for name, width in inputs.items()) or "none"
        raise InputError(
            f"{what} must be one input of {' or '.join(map(str, widths))} bits, not {listed}; "
            f'add the line: {what} = "..." or, if it enters in words, phases under [[session]]'
        )
    return ports[0]


def _start(inputs: dict[str, int]) -> str:
    named = [name for name, width in inputs.items() if width == 1 and _START.search(name)]
    return named[0] if named else ""


def _outputs(netlist: Netlist, settings: Settings) -> tuple[str, ...]:
    if settings.keystream:
        return (settings.keystream,)
    likely = [name for name in netlist.outputs if not _STATUS.search(name)]
    return tuple(
        sorted(
            likely,
            key=lambda name: -bool(re.search("stream|ks|rnd|rand|out|^z", name, re.IGNORECASE)),
        )
    )
