# SPDX-License-Identifier: Apache-2.0
"""The core in a coprocessor: words of 32 bits become those of its streams, and come from them."""

from __future__ import annotations

from headwater.core.streams import Stream
from headwater.interface.core_shape import CoreShape
from headwater.interface.module_port import BIT, bits_of_core
from headwater.interface.verilog_text import ModuleText, same

_OUT = "out"
"""What the names of wires of the words that come out begin with."""


def connect(text: ModuleText, core: CoreShape) -> None:
    """Add the core and the parts that its streams need, between wires named ``cipher_``."""
    # What the core offers, or has taken, belongs to no key or to the one before.
    text.assign("flush", "rst | ~loaded | (cipher_load_valid & cipher_load_first)")
    _load(text, core)
    if core.takes_text:
        _text(text, core)
    else:
        _no_text(text)
    _words(text, core)
    _core(text, core)


def _ports(stream: Stream) -> dict[str, int]:
    return {f"core_{name}": bits_of_core(width) for name, (_, width) in stream.ports.items()}


def _load(text: ModuleText, core: CoreShape) -> None:
    """Load words of the core from those of 32 bits."""
    stream = core.load
    own = {"payload": bits_of_core(stream.width), "last": BIT, "valid": BIT, "ready": BIT}
    parameters = {"WIDTH": stream.width, "COUNT": core.load_words,
                  "TOP_FIRST": int(stream.top_first)}  # fmt: skip
    connections = {
        **same("clk", "rst", "clear", "loaded", "abandon"),
        **{name: f"cipher_load_{name}" for name in ("word", "first", "valid", "ready")},
        "payload": "core_load_payload",
        **{f"payload_{name}": f"core_load_{name}" for name in ("last", "valid", "ready")},
    }  # fmt: skip
    text.wires({"abandon": BIT})
    text.wires(own, "core_load_")
    if "last" not in stream.marks:
        text.unused("core_load_last", label="last")
    text.part("load_words", "load", connections, parameters)
    text.space()


def _text(text: ModuleText, core: CoreShape) -> None:
    """The data stream from words of text."""
    data, unit = core.streams["data_in"], core.text_unit
    assert data.ad_bits in (0, unit), data
    assert unit % data.keep_bits == 0, data
    units = data.width // unit
    parameters = {"WIDTH": data.width, "UNIT": unit, "KEEP": data.keep_bits,
                  "TOP_FIRST": int(data.top_first)}  # fmt: skip
    connections = {
        **same("clk", "flush"),
        **{f"text_{name}": f"cipher_text_{name}"
           for name in ("word", "marks", "spare", "valid", "ready")},
        **{name: f"core_data_in_{name}"
           for name in ("payload", "keep", "ad", "last", "valid", "ready")},
    }  # fmt: skip
    text.wires({**_ports(data), "core_data_in_ad": bits_of_core(units)})
    if not data.ad_bits:
        text.unused("core_data_in_ad", label="ad")
    text.part("text_in", "text", connections, parameters)
    text.space()


def _no_text(text: ModuleText) -> None:
    text.assign("cipher_text_ready", "1'b0")
    text.unused("cipher_text_word", "cipher_text_marks", "cipher_text_spare", "cipher_text_valid",
                "decrypt", label="text")  # fmt: skip
    text.space()


def _words(text: ModuleText, core: CoreShape) -> None:
    """What comes out of the core as words of 32 bits."""
    width, unit = core.output_width, core.output_unit
    first = core.outputs[0]
    parameters = {"WIDTH": width, "UNIT": unit, "TOP_FIRST": int(first.top_first)}
    own = {"payload": bits_of_core(width), "counts": bits_of_core(width // unit), "last": BIT,
           "tag": BIT, "valid": BIT, "ready": BIT}  # fmt: skip
    connections = {
        **same("clk", "flush"), **{name: f"{_OUT}_{name}" for name in own},
        **{name: f"cipher_{name}"
           for name in ("word", "word_tag", "word_valid", "word_ready", "level")},
        **same("after", "after_valid", "both"),
    }  # fmt: skip
    ports = {name: wide for stream in core.outputs for name, wide in _ports(stream).items()}
    shown = _one_of_two(core) if len(core.outputs) > 1 else _the_only(core)
    text.wires(ports)
    text.wires(own, f"{_OUT}_")
    for name, value in shown.items():
        text.assign(f"{_OUT}_{name}", value)
    text.part("words_out", "words", connections, parameters)
    text.space()


def _the_only(core: CoreShape) -> dict[str, str]:
    (stream,) = core.outputs
    return {
        **_shown(core, stream),
        "tag": f"1'b{int(stream.name == 'tag')}",
        "valid": f"core_{stream.name}_valid",
    }


def _one_of_two(core: CoreShape) -> dict[str, str]:
    """The text first, then the tag."""
    text, tag = (_shown(core, stream) for stream in core.outputs)
    return {
        **{name: f"core_data_out_valid ? {text[name]} : {tag[name]}" for name in text},
        "tag": "~core_data_out_valid",
        "valid": "core_data_out_valid | core_tag_valid",
    }


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


def _core(text: ModuleText, core: CoreShape) -> None:
    own = {"decrypt": "decrypt", "clear": "clear | abandon"}
    connections = {
        **same("clk", "rst"),
        **{port: f"core_{port}" for stream in core.streams.values() for port in stream.ports},
        **{name: own[name] for name in core.inputs},
    }
    ready = {
        "keystream": "out_ready", "data_out": "out_ready",
        "tag": "out_ready & out_tag" if len(core.outputs) > 1 else "out_ready",
    }  # fmt: skip
    for stream in core.outputs:
        text.assign(f"core_{stream.name}_ready", ready[stream.name])
    if "decrypt" not in core.inputs and core.takes_text:
        text.unused("decrypt")
    text.instance(core.module, "core", connections)
    text.space()
