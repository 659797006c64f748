# SPDX-License-Identifier: Apache-2.0
"""The core in a coprocessor: words of 32 bits become those of its streams, and come from them."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.streams import Stream
from headwater.interface.core_shape import CoreShape
from headwater.interface.module_port import BIT, bits_of_core
from headwater.interface.registers import WORD_BITS
from headwater.interface.verilog_text import ModuleText, same


def connect(text: ModuleText, core: CoreShape, link: str, *, two: bool) -> None:
    """Add the core and the parts that its streams need, between the wires of the port, whose names
    begin with ``link``. ``two`` says that two words may be taken at once."""
    side = _Side(text, core, link, two)
    # What the core offers, or has taken, belongs to no key or to the one before.
    text.assign("flush", f"rst | ~loaded | ({link}load_valid & {link}load_first)")
    side.load()
    if core.takes_text:
        side.text_in()
    side.words()
    side.core_itself()


def _ports(stream: Stream) -> dict[str, int]:
    return {f"core_{name}": bits_of_core(width) for name, (_, width) in stream.ports.items()}


def _index_bits(count: int) -> int:
    """Bits of a number below ``count``."""
    return (count - 1).bit_length()


@dataclass(frozen=True)
class _Side:
    """The core's side of a coprocessor; see `connect`."""

    text: ModuleText
    core: CoreShape
    link: str
    two: bool

    def load(self) -> None:
        """Load words of the core from those of 32 bits."""
        stream, count, link = self.core.load, self.core.load_words, self.link
        width, marks_last = stream.width, "last" in stream.marks
        parts = -(-width // WORD_BITS) if width > WORD_BITS else WORD_BITS // width
        connections = {
            **same("clk", "rst", "clear", "loaded", "abandon"),
            **{name: f"{link}load_{name}" for name in ("word", "first", "valid", "ready")},
            "payload": "core_load_payload",
            **{f"payload_{name}": f"core_load_{name}" for name in ("valid", "ready")},
            **({"payload_last": "core_load_last"} if marks_last else {}),
        }
        self.text.wires({"abandon": BIT, **_ports(stream)})
        self.text.part(
            "load_words",
            "load",
            connections,
            values={
                "width": width,
                "count": count,
                "count_bits": count.bit_length(),
                "parts": parts,
                "part_bits": _index_bits(parts),
                "top_first": stream.top_first,
                "marks_last": marks_last,
            },
        )

    def text_in(self) -> None:
        """The data stream from words of text."""
        core, link = self.core, self.link
        data, unit = core.streams["data_in"], core.text_unit
        assert data.ad_bits in (0, unit), data
        assert unit % data.keep_bits == 0, data
        units = data.width // unit
        members = ("payload", "keep", *(["ad"] if data.ad_bits else []), "last", "valid", "ready")
        connections = {
            **same("clk", "flush"),
            **{
                f"text_{name}": f"{link}text_{name}" for name in ("word", "marks", "valid", "ready")
            },
            "text_spare": f"{link}text_spare" if link else "spare",
            **{name: f"core_data_in_{name}" for name in members},
        }
        self.text.wires(_ports(data))
        self.text.part(
            "text_in",
            "text",
            connections,
            values={
                "width": data.width,
                "unit": unit,
                "units": units,
                "keep": data.keep_bits,
                "ad": bool(data.ad_bits),
                "place_bits": _index_bits(units),
                "top_first": data.top_first,
            },
        )

    def words(self) -> None:
        """What comes out of the core as words of 32 bits."""
        core, link = self.core, self.link
        width, unit = core.output_width, core.output_unit
        units = width // unit
        has_text, both_kinds = core.streams.get("data_out"), len(core.outputs) > 1
        counts = any(stream.keep_bits for stream in core.outputs)
        own = {
            "payload": bits_of_core(width),
            **({"counts": units} if counts else {}),
            **({"last": BIT} if has_text and unit < WORD_BITS else {}),
            **({"tag": BIT} if both_kinds else {}),
            "valid": BIT,
            "ready": BIT,
        }
        shown = self._one_of_two() if both_kinds else self._the_only()
        ports = {name: f"out_{name}" if both_kinds else shown[name] for name in own}
        clocked = {} if units == 1 and unit == WORD_BITS else same("clk")
        connections = {
            **clocked,
            **same("flush"),
            **ports,
            **{name: f"{link}{name}" for name in ("word", "word_valid", "word_ready")},
            **({"word_tag": f"{link}word_tag"} if both_kinds else {}),
            **(same("after", "after_valid", "both") if self.two else {}),
            "level": "level" if not link else self.text.wire("unused_level", 8),
        }
        self.text.wires(
            {name: wide for stream in core.outputs for name, wide in _ports(stream).items()}
        )
        if has_text and unit == WORD_BITS:
            self.text.unused("core_data_out_last", label="last")
        if both_kinds:
            self.text.wires(own, "out_")
            for name in own:
                if name in shown:
                    self.text.assign(ports[name], shown[name])
            self.text.assign("core_data_out_ready", "out_ready")
            self.text.assign("core_tag_ready", "out_ready & out_tag")
        elif "tag" in core.features:
            self.text.assign(f"{link}word_tag", "1'b1")
        self.text.part(
            "words_out",
            "words",
            connections,
            values={
                "width": width,
                "unit": unit,
                "units": units,
                "place_bits": _index_bits(units),
                "pieces": WORD_BITS // unit,
                "counts": counts,
                "text": bool(has_text),
                "tag": both_kinds,
                "two": self.two,
                "top_first": core.outputs[0].top_first,
            },
        )

    def _the_only(self) -> dict[str, str]:
        (stream,) = self.core.outputs
        return {
            **_shown(self.core, stream),
            **{name: f"core_{stream.name}_{name}" for name in ("valid", "ready")},
        }

    def _one_of_two(self) -> dict[str, str]:
        """The text first, then the tag."""
        text, tag = (_shown(self.core, stream) for stream in self.core.outputs)
        return {
            **{name: f"core_data_out_valid ? {text[name]} : {tag[name]}" for name in text},
            "tag": "~core_data_out_valid",
            "valid": "core_data_out_valid | core_tag_valid",
        }

    def core_itself(self) -> None:
        """The core."""
        core = self.core
        own = {"decrypt": "decrypt", "clear": "clear | abandon"}
        connections = {
            **same("clk", "rst"),
            **{port: f"core_{port}" for stream in core.streams.values() for port in stream.ports},
            **{name: own[name] for name in core.inputs},
        }
        self.text.instance(core.module, "core", connections)


def _shown(core: CoreShape, stream: Stream) -> dict[str, str]:
    """A word of a stream, made as wide as the widest; its units that count; whether it is last."""
    missing = core.output_width - stream.width
    last = f"core_{stream.name}_last" if "last" in stream.marks else "1'b0"
    return {
        "payload": _widened(f"core_{stream.name}_payload", missing, at_end=stream.top_first),
        "counts": _widened(_counts(core, stream), missing // core.output_unit, at_end=False),
        "last": last,
    }


def _widened(value: str, zeros: int, *, at_end: bool) -> str:
    if not zeros:
        return value
    return f"{{{value}, {zeros}'d0}}" if at_end else f"{{{zeros}'d0, {value}}}"


def _counts(core: CoreShape, stream: Stream) -> str:
    """The units of a word that count, the first one in bit 0."""
    unit = core.output_unit
    units = stream.width // unit
    if not stream.keep_bits:
        return f"{{{units}{{1'b1}}}}"
    marks = [_any_mark(stream, unit * place, unit) for place in range(units)]
    return f"{{{', '.join(marks if stream.top_first else marks[::-1])}}}"


def _any_mark(stream: Stream, low: int, width: int) -> str:
    """Whether one of ``width`` bits of a word, from bit ``low`` on, counts."""
    first, last = low // stream.keep_bits, (low + width - 1) // stream.keep_bits
    keep = f"core_{stream.name}_keep"
    if stream.keep_bits == stream.width:
        return keep
    return f"{keep}[{first}]" if first == last else f"|{keep}[{last}:{first}]"
