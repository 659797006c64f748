# SPDX-License-Identifier: Apache-2.0
"""A wrapper for packets of a plain DMA engine without its core, and what is promised of it whatever
the core does that keeps its own promises."""

from __future__ import annotations

import re
from typing import Protocol

from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys


class Wrapper(Protocol):
    """What is proved of."""

    core: str
    top: str
    sources: dict[str, str]


_DRIVEN = (
    r"\((core_(?:load_ready|data_in_ready|(?:keystream|data_out|tag)_"
    r"(?:valid|payload|last|keep)))\)"
)
"""The outputs of a core, in its instance."""


def _without_core(made: Wrapper, top: str) -> str:
    """The module on top, with what the core would drive as inputs."""
    (instance,) = re.findall(rf"\n  {made.core} core \(.*?\);", top, flags=re.DOTALL)
    top = top.replace(instance, "")
    ports = []
    for name in re.findall(_DRIVEN, instance):
        (declared,) = re.findall(rf"^ +wire +(\[\d+:0\])? *{name};\n", top, flags=re.MULTILINE)
        top = re.sub(rf"^ +wire +(\[\d+:0\])? *{name};\n", "", top, flags=re.MULTILINE)
        ports.append(f"  input wire {declared} {name}")
    head = f"module {made.top} (\n"
    assert head in top
    return top.replace(head, head + ",\n".join(ports) + ",\n")


_SEEN = {"place": "front.place", "count": "iv_gather.count", "last": "iv_gather.last"}
"""Registers of parts, by the names that properties have for them."""

_NO_LOAD = """
  // There is no IV in the gather while there is keystream, and before as much as has gone in.
  wire iv_gone = seen_place > 8'd{0};
  always @* if (begun) assert (iv_gone | (seen_count == seen_place & ~seen_last & ~loaded));
  always @* if (begun) assert (seen_place <= 8'd{1});
  always @* if (begun & loaded) assert (seen_count == 0 & ~seen_last);
"""

_HELD = """
  reg {0}_waits = 1'b0;
  reg [{1}:0] {0}_before;
  wire [{1}:0] {0}_shown = {{{2}}};
  always @(posedge aclk) begin
    {0}_waits <= ~({3}) & {0}_valid & ~{0}_ready;
    {0}_before <= {0}_shown;
  end
  always @* if ({0}_waits) {4} ({0}_valid & {0}_shown == {0}_before);
"""


def _held(name: str, widths: dict[str, int], reset: str, verb: str) -> str:
    """A stream keeps what it offers until it is taken; ``widths`` are those of its members."""
    shown = ", ".join(f"{name}_{member}" for member in widths)
    return _HELD.format(name, sum(widths.values()) - 1, shown, reset, verb)


def _protocol(made: Wrapper, top: str) -> str:
    """The module on top with its properties."""
    text = _without_core(made, top)

    def width(name: str) -> int:
        (span,) = re.findall(rf"(?:input|wire) +(?:wire +)?(\[\d+:0\])? *{name}[,;\n]", text)[:1]
        return int(span[1:-3]) + 1 if span else 1

    lines = [
        "\n  reg begun = 1'b0;\n  always @(posedge aclk) begun <= 1'b1;",
        "  always @* assume (begun | ~aresetn);",
    ]
    members = ("tdata", "tkeep", "tlast")
    both = {
        side: {member: width(f"{side}_{member}") for member in members}
        for side in ("s_axis_data_in", "m_axis_data_out")
    }
    out = _held("m_axis_data_out", both["m_axis_data_out"], "~aresetn | clear", "assert")
    given = _held("s_axis_data_in", both["s_axis_data_in"], "~aresetn", "assume")
    lines += [
        re.sub(r"_axis_data_(in|out)_(valid|ready)\b", r"_axis_data_\1_t\2", one)
        for one in (out, given)
    ]
    for name in ("keystream", "data_out", "tag"):
        own = [
            member
            for member in ("payload", "keep", "last")
            if re.search(rf"input wire .*core_{name}_{member}\b", text)
        ]
        if own:
            members_of = {member: width(f"core_{name}_{member}") for member in own}
            ended = "reset | core_load_valid" if name == "keystream" else "reset"
            lines.append(_held(f"core_{name}", members_of, ended, "assume"))
    if _gives_keystream(text):
        (front,) = re.findall(r"\.FRONT_BEATS\((\d+)\)", text)
        (iv_bytes,) = re.findall(r"\.IV_BYTES\((\d+)\)", text)
        beats = -(-8 * int(iv_bytes) // both["s_axis_data_in"]["tdata"])
        bits = {"place": 8, "count": beats.bit_length(), "last": 1}
        lines += [f"  wire [{bits[name] - 1}:0] seen_{name};" for name in _SEEN]
        lines.append(_NO_LOAD.format(beats - 1, front))
        lines.append(
            "  always @* if (begun) assert (m_axis_data_out_tvalid | m_axis_data_out_tdata == 0);"
        )
        lines.append(
            "  always @* if (m_axis_data_out_tvalid & |m_axis_data_out_tkeep) assert (loaded);"
        )
    else:
        lines.append("  reg was_bad = 1'b0;")
        lines.append("  always @(posedge aclk) was_bad <= ~forget & ~over & (was_bad | failed);")
        lines.append("  always @* if (was_bad) assert (failed & ~complete);")
    end = text.rindex("endmodule")
    return text[:end] + "\n".join(lines) + "\n" + text[end:]


def _gives_keystream(text: str) -> bool:
    return "core_keystream_payload" in text


def _connected(text: str) -> list[str]:
    """Commands that let properties see registers of parts."""
    if not _gives_keystream(text):
        return []
    return [f"connect -set seen_{name} {register}" for name, register in _SEEN.items()]


def proved(made: Wrapper, top: str) -> None:
    """Prove by induction: an offered beat stays until it is taken; no keystream is shown without a
    text, nor before the setup has begun; a packet that is wrong stays so. Raises ToolError."""
    parts = [source for file, source in made.sources.items() if file.startswith(f"{made.top}_")]
    with private_folder() as folder:
        text = _protocol(made, top)
        (folder / "wrapper.v").write_text("\n".join([text, *parts]))
        run_yosys(
            [
                "read_verilog -formal wrapper.v",
                f"hierarchy -top {made.top}",
                "proc",
                "flatten",
                f"cd {made.top}",
                *_connected(text),
                "cd ..",
                f"prep -top {made.top}",
                "chformal -lower",
                "sat -verify -tempinduct -prove-asserts -set-assumes -maxsteps 12",
            ],
            folder,
        )
