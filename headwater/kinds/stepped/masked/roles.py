# SPDX-License-Identifier: Apache-2.0
"""What the signals of a core of shift registers in shares are, for the checker of leakage."""

from __future__ import annotations

from headwater.kinds.masking import Names
from headwater.kinds.stepped.masked.facts import MaskedFacts
from headwater.leakage.spec import Spec


def spec_of(facts: MaskedFacts, names: Names) -> Spec:
    """The specification of a core, of its RTL or of a netlist with these names."""
    control, public, constant = _control(facts, names)
    radix = facts.architecture.radix
    ports = [f"load_payload[{radix - 1}:0]", f"load_payload[{2 * radix - 1}:{radix}]"]
    shares = {name: [*map(names, facts.share_names(name))] for name in facts.plan.registers}
    return Spec(
        top=None,
        shares=shares | {"load": ports},
        control=control,
        public=public,
        constant=constant,
        random=["fresh"] * bool(facts.fresh_bits),
    )


def _control(facts: MaskedFacts, names: Names) -> tuple[list[str], list[str], dict[str, int]]:
    """What drives the shares: the few bits whose values are gone through, other public ones, and
    those that keep a value. Zeros that enter an idle core are no uniform sharing: left out."""
    constant, control = {"rst": 0}, [names("loading")]
    public = [
        "load_valid",
        *(one for name in ("running", "count", "idle") for one in names.all_of(name)),
    ]
    if facts.word_counts:
        constant[names(facts.word_counts)] = 1
    if facts.waits:
        control.insert(0, names("go"))
        public.append("keystream_ready")
    if facts.plan.waits:
        own, *copies = names.all_of("waited")
        control.append(own)
        public += copies
    public += [name for name in facts.inputs if name == "clear"]
    return control, list(dict.fromkeys(public)), constant
