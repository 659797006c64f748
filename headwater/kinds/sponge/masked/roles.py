# SPDX-License-Identifier: Apache-2.0
"""What the signals of a core of a sponge in shares are, for the checker of leakage."""

from __future__ import annotations

from headwater.kinds.masking import Names
from headwater.kinds.sponge.description import STATE_WORDS
from headwater.kinds.sponge.masked.facts import MaskedSpongeFacts
from headwater.leakage.spec import Spec

_CONTROL = ("permuting", "multiplied")
"""What is gone through: whether products are made, a round, or neither."""
_REGISTERS = (
    *("loading", "idle", "running", "place", "round", "finishing", "tagging", "first_block"),
    *("opened", "texting", "padded", "ended"),
)
"""Registers of the control."""
_NETS = (
    *("associated", "begins_text", "closes_message", "keep"),
    *("absorb_enable", "turns", "keys_in"),
)
"""Nets that lead from the control to the shares, or to what they are added to."""


def spec_of(facts: MaskedSpongeFacts, names: Names) -> Spec:
    """The specification of a core, of its RTL or of a netlist with these names."""
    own = [f"s{place}" for place in range(STATE_WORDS)] + ["key"]
    shares = {name: [names(f"{name}_share{share}") for share in (0, 1)] for name in own}
    for port in ("load", "data_in"):
        radix = facts.architecture.radix
        word = f"{port}_payload"
        shares[port] = [f"{word}[{radix - 1}:0]", f"{word}[{2 * radix - 1}:{radix}]"]
    inputs = [
        port
        for stream in facts.streams.values()
        for port, (direction, _) in stream.ports.items()
        if direction == "input" and not port.endswith("_payload")
    ]
    known = [one for name in (*_REGISTERS, *_NETS) for one in names.all_of(name)]
    return Spec(
        top=None,
        shares=shares,
        control=[names(name) for name in _CONTROL],
        public=[*inputs, *facts.inputs, *known],
        constant={"rst": 0},
        random=["fresh"],
    )
