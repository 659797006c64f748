# SPDX-License-Identifier: Apache-2.0
"""What enters a core whose registers are not of bits, and where what it gives may come out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from headwater.cipher.block_vectors import KIND as BLOCKS
from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.foreign.layouts import is_explained, loads, streams_by_name, ways_of_texts
from headwater.foreign.lwc import Streams, streams_of
from headwater.foreign.messages import STRINGS, Sample
from headwater.foreign.netlist import Netlist
from headwater.foreign.ports import check_names, input_streams, named_inputs
from headwater.foreign.settings import ZEROS, Phase, Sending, Settings, named, parts
from headwater.foreign.streams import Player, Way

_RESET_CYCLES = 3
_VALID = re.compile(r"valid|done|ready|vld", re.IGNORECASE)
_PAYLOAD = re.compile(r"_*(data|payload)?(_o)?$")
_STATUS = re.compile(r"valid|done|ready|vld|last|keep", re.IGNORECASE)
_KNOWN = re.compile(r"^(i_)?(en|ena|enable|ce|clk_?en)(_i)?$|ready|clear|flush|abort|decrypt", re.I)
"""Inputs of which the value that they are given is taken for right."""
_MESSAGE = ("ad", "text")
_NO_TEXT = (
    "it is not known by which input the text of a message enters; tables under [[stream]] tell it"
)
_BASE = "base_"
_WAIT = 300
"""Cycles without a word behind which a load is over."""
_MOST_BITS = 4096
"""Bits of a load at most."""


@dataclass(frozen=True)
class Interface:
    """How a core is driven with strings."""

    netlist: Netlist
    steady: Mapping[str, int | str]
    """The value of each input that no phase and no stream sets."""
    phases: tuple[Phase, ...]
    streams: tuple[Sending, ...]
    outputs: tuple[str, ...]
    """Where words may come out, the likeliest first."""
    valid: str
    """The output that announces them; empty where it is not said."""
    first: int = 0
    """Bits of a keystream that a session gives; 0: all."""
    packets: Streams | None = None
    """The streams of a core that has the LWC hardware API."""
    others: tuple[tuple[Sending, ...], ...] = ()
    """What else the streams may be where they are guessed."""
    guessed: bool = False
    """Whether the streams are guessed, that of the load first."""
    doubt: str = ""
    """Of guessed streams: what else may be the reason if nothing right comes out."""

    @property
    def each(self) -> list[Interface]:
        """An interface for each guess of the streams."""
        return [self, *(replace(self, streams=one, others=()) for one in self.others)]

    @cached_property
    def _sent(self) -> list[tuple[str, int | None, int | None]]:
        return [part for port, text in self._texts for part in parts(port, text)]

    @property
    def _texts(self) -> list[tuple[str, str]]:
        """The inputs that strings enter, and which."""
        return [*self._whole, *((one.data, one.send) for one in self.streams)]

    @property
    def _whole(self) -> list[tuple[str, str]]:
        """The inputs that take strings whole, and which."""
        return [
            (port, value)
            for one in (self.steady, *(phase.values for phase in self.phases))
            for port, value in one.items()
            if isinstance(value, str)
        ]

    def variant(self, cipher: Cipher) -> Cipher:
        """The cipher with keys as long as the input is wide that takes them whole, if it has such
        keys, or else as it is."""
        wide = {str(self.netlist.ports[port][1]) for port, text in self._whole if text == "key"}
        legal = {
            value for one in cipher.parameters if one.name == "key_bits" for value in one.values
        }
        (bits, *_) = *(wide & legal), None
        return cipher if bits is None else cipher.for_key(int(bits))

    @property
    def entering(self) -> list[str]:
        """The strings that enter."""
        return [name for name in STRINGS if any(name == one for one, _, _ in self._sent)]

    @property
    def together(self) -> list[list[str]]:
        """The strings that enter, those of one port together: they have one order of bits."""
        port = {part[0]: where for where, text in self._texts for part in parts(where, text)}
        return [
            [name for name in self.entering if port[name] == one]
            for one in dict.fromkeys(port.values())
        ]

    def valids(self, port: str) -> list[str]:
        """Outputs that may announce a port's words."""
        if self.valid:
            return [self.valid]
        stem = _PAYLOAD.sub("", port.lower())
        named = [name for name in self.netlist.outputs if _VALID.search(name) and name != port]
        return [*sorted(named, key=lambda name: not name.lower().startswith(stem)), ""]

    def fits(self, sample: Sample) -> bool:
        """Whether a vector can enter: each string is there that is sent, words are whole unless
        the parts that count can be told, and what no port takes is zero or, of a message,
        empty."""
        return (
            all(self._enters(name, string) for name, string in sample.strings.items())
            and all(self._is_whole(one, sample) for one in self.streams)
            and self._holds(sample)
        )

    def _enters(self, name: str, string: bytes) -> bool:
        ranges = [(begin or 0, end) for one, begin, end in self._sent if one == name]
        if not ranges:
            if name.startswith(_BASE) or f"{_BASE}{name}" in self.entering:
                return True
            return not (string if name in _MESSAGE else any(string))
        if not string:
            return name in _MESSAGE and all(
                bool(one.end) for one in self.streams if one.send in _MESSAGE
            )
        bits = 8 * len(string)
        rest = {place for place in range(bits) if string[place // 8] >> place % 8 & 1}
        for begin, end in ranges:
            rest -= set(range(begin, bits if end is None else end))
        return not rest and all(end is None or end <= bits for _, end in ranges)

    def _is_whole(self, stream: Sending, sample: Sample) -> bool:
        width = self.netlist.ports[stream.data][1]
        bits = _length(sample, stream.data, stream.send)
        if stream.words:
            fills = (ZEROS, None, None) in parts(stream.data, stream.send)
            words = -(-bits // width)
            return words <= stream.words if fills else words == stream.words
        if stream.count:
            return not bits % 8
        counts = stream.keep or (self.netlist.ports[stream.valid][1] > 1 and stream.valid)
        return not bits % (width // self.netlist.ports[counts][1] if counts else width)

    def _holds(self, sample: Sample) -> bool:
        """Whether each input that takes strings whole is as wide as they are."""
        return all(
            _length(sample, port, text) <= self.netlist.ports[port][1] for port, text in self._whole
        )

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "steady": dict(self.steady),
            "strings": self.entering,
            "outputs": self.outputs,
            "ties": {name: value for name, value in self.steady.items() if isinstance(value, int)},
        }


def _length(sample: Sample, port: str, text: str) -> int:
    """Bits of what a text such as "iv, key" names."""
    return sum(
        (8 * len(sample.strings.get(name, b"")) if end is None else end) - (begin or 0)
        for name, begin, end in parts(port, text)
    )


def interface_of(netlist: Netlist, cipher: Cipher, settings: Settings) -> Interface:
    """How a core is driven, from its names and from what the file says.

    Raises
    ------
    InputError
        If the file names a port that is not there, or if nothing takes the key.
    """
    check_names(netlist, settings)
    reset, level, start, unset = named_inputs(netlist, settings)
    steady: dict[str, int | str] = {**unset, **settings.tie}
    set_by_phases = {name for phase in settings.session for name in phase.values}
    for name, setting in (("key", settings.key), ("iv", settings.iv)):
        others = [*set_by_phases, *(one.data for one in settings.stream)]
        port = setting or _wide(netlist, name, others)
        if name == "iv" and BLOCKS in cipher.vector_readers:
            key_ports = [*others, *(one for one, value in steady.items() if value == "key")]
            port = port or _block(netlist, cipher.iv_bits[-1], key_ports)
        if port:
            steady[port] = name
    phases = settings.session or _usual(reset, level, start)
    packets = None if settings.stream else streams_of(netlist)
    if packets:
        return Interface(
            netlist,
            {**unset, **settings.tie},
            phases,
            (packets.sdi, packets.pdi),
            (packets.output,),
            packets.valid,
            packets=packets,
        )
    interface = Interface(
        netlist,
        steady,
        phases,
        settings.stream,
        _outputs(netlist, settings),
        settings.valid,
        settings.first,
    )
    told = settings.stream or settings.session or settings.output
    if not told and "key" not in interface.entering:
        interface = _guessed(interface, cipher, settings) or interface
    if cipher.key_bits and "key" not in interface.entering:
        listed = ", ".join(f"{name} ({netlist.ports[name][1]})" for name in netlist.inputs)
        raise InputError(
            f'no input is known to take the key, of {listed}; add the line: key = "..." or, if it '
            "enters word by word, tables under [[stream]]"
        )
    if not told and not interface.doubt and _lacks_text(interface, cipher):
        interface = replace(interface, doubt=_NO_TEXT)
    return interface


def _lacks_text(interface: Interface, cipher: Cipher) -> bool:
    """Whether a cipher takes messages, of which no text enters."""
    return cipher.service != "keystream" and "text" not in interface.entering


def _guessed(interface: Interface, cipher: Cipher, settings: Settings) -> Interface | None:
    """The interface with streams of words that are known by their names; None if no stream is that
    of key and IV."""
    netlist = interface.netlist
    free = {
        name: netlist.ports[name][1]
        for name, value in interface.steady.items()
        if isinstance(value, int) and name not in settings.tie
    }
    streams = streams_by_name(netlist, free, cipher)
    if not streams:
        return None
    ports = {name for one in streams for name in one.inputs}
    ports |= {name for one in streams for name in one.values}
    load, *texts = streams
    width = netlist.ports[load.data][1]
    words = 0
    if load.ready and not load.end:
        player = Player(netlist, interface.steady, interface.phases, [Way((), {})], {}, 1)
        words = player.words_taken(load, _MOST_BITS // width, _WAIT)
    ways = [
        (replace(load, send=one, words=words), *sent)
        for one in loads(cipher, width, words)
        for sent in ways_of_texts(texts, cipher)
    ]
    if not ways:
        return None
    doubts = [
        f"it is not known what {name} is for"
        for name in free
        if name not in ports and not _KNOWN.search(name)
    ]
    if not is_explained(cipher, width * words):
        doubts.append(f"the load takes {words} words of {width} bits, of which some are not known")
    return replace(
        interface, streams=ways[0], others=tuple(ways[1:]), guessed=True, doubt="; ".join(doubts)
    )


def _wide(netlist: Netlist, name: str, others: Sequence[str]) -> str:
    """The wide input that is called key or iv, if nothing else sets it, and no stream enters it."""
    widths = {port: netlist.ports[port][1] for port in netlist.inputs}
    streamed = [one.payload for one in input_streams(netlist, widths)]
    pattern = {"key": r"key(?!stream|_?len|_?valid|_?update)", "iv": r"iv|nonce"}[name]
    ports = [
        port
        for port in netlist.inputs
        if netlist.ports[port][1] >= 32
        and port not in (*others, *streamed)
        and re.search(pattern, port, re.IGNORECASE)
    ]
    return ports[0] if len(ports) == 1 else ""


def _block(netlist: Netlist, bits: int, others: Sequence[str]) -> str:
    """The one input as wide as a block, whatever it is called, if nothing else sets it."""
    ports = [
        port for port in netlist.inputs if netlist.ports[port][1] == bits and port not in others
    ]
    return ports[0] if len(ports) == 1 else ""


def _usual(reset: str, level: int, start: str) -> tuple[Phase, ...]:
    """The reset, then a pulse of start."""
    phases = []
    if reset:
        phases = [Phase({reset: level}, _RESET_CYCLES), Phase({reset: 1 - level}, 1)]
    if start:
        phases += [Phase({start: 1}, 1), Phase({start: 0}, 1)]
    return tuple(phases)


def _outputs(netlist: Netlist, settings: Settings) -> tuple[str, ...]:
    if told := named(settings.output or settings.keystream):
        return tuple(told)
    widths = {name: netlist.ports[name][1] for name in netlist.outputs}
    wide = [name for name, width in widths.items() if width >= 8 and not _STATUS.search(name)]
    others = [name for name in widths if name not in wide]
    return (*wide, *sorted(others, key=lambda name: bool(_STATUS.search(name))))
