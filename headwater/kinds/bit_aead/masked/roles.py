# SPDX-License-Identifier: Apache-2.0
"""What the signals of a core in shares are, for the checker of leakage."""

from __future__ import annotations

from headwater.core.shares import SHARES
from headwater.kinds.bit_aead.masked.facts import MaskedAeadFacts
from headwater.kinds.masking import Names
from headwater.kinds.stepped.masked import roles
from headwater.leakage.spec import Spec

_CONTROL = ("padding", "closing", "odd", "follows")
"""Registers of the control."""
_NETS = ("sending", "shown", "given", "through")
"""Nets that lead from the control to the shares."""


def spec_of(facts: MaskedAeadFacts, names: Names) -> Spec:
    """The specification of a core, of its RTL or of a netlist with these names."""
    spec = roles.spec_of(facts, names)
    inputs = [
        port
        for name, stream in facts.streams.items()
        for port, (direction, _) in stream.ports.items()
        if direction == "input" and name != "load"
    ]
    phases = [f"phase_{name}" for name in facts.cipher.controls]
    control, public = list(spec.control), [*_CONTROL, *_NETS, *phases]
    shares = {name: words for name, words in spec.shares.items() if name != "load"}
    alternates = facts.architecture.radix < facts.cipher.steps_per_bit
    own = ["past"] * (facts.decrypts or not alternates)
    if facts.decrypts:
        # What moves the line that products are made of, in place of what moves no factor's stage.
        own += ["message", "before"]
        moves = ["authenticating", *["odd"] * alternates]
        public = [*(one for one in public if one != "odd"), "loading"]
        control = [*(one for one in control if one != names("loading")), *map(names, moves)]
    else:
        public += ["message", "authenticating"]
    shares |= {name: [names(f"{name}_share{share}") for share in range(SHARES)] for name in own}
    shares["load"] = spec.shares["load"]
    ports = [name for name in spec.public if not name.startswith("keystream")]
    known = [one for name in public for one in names.all_of(name)]
    others = [name for name in facts.inputs if name != "clear"]
    return spec.model_copy(
        update={
            "shares": shares,
            "control": control,
            "public": list(dict.fromkeys([*ports, *inputs, *others, *known])),
        }
    )
