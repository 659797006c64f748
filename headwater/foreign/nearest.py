# SPDX-License-Identifier: Apache-2.0
"""Our architectures that stand beside a foreign core: of the same radix, with the same features,
measured in the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.cipher.description import Cipher
from headwater.cipher.option import DATAPATH
from headwater.errors import InputError
from headwater.foreign.costing import SEEDS
from headwater.foreign.features import BACK_PRESSURE, CLEAR, FEATURES
from headwater.measure.chosen import Chosen
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.settings import AUTO_GATING, NO_GATING, Settings
from headwater.measure.target import AsicTarget, Target

_WITHOUT = {BACK_PRESSURE: ("stall", "none"), CLEAR: ("clear", "none")}
"""The option that leaves a feature out."""


def options_without(cipher: Cipher, lacks: Sequence[str]) -> dict[str, str]:
    """The options of a core of ours that lacks the same features, as far as the cipher has them. A
    core that lacks all stands beside a datapath alone."""
    legal = {option.name: option.values for option in cipher.choices}
    chosen = dict(value for name, value in _WITHOUT.items() if name in lacks)
    if set(FEATURES) <= set(lacks):
        chosen[DATAPATH.name] = "apart"
    return {name: value for name, value in chosen.items() if value in legal.get(name, ())}


def lacked_by(options: Mapping[str, str]) -> list[str]:
    """The features that a core of ours with these options lacks."""
    if options.get(DATAPATH.name) == "apart":
        return [*FEATURES]
    lacks = [name for name, (option, value) in _WITHOUT.items() if options.get(option) == value]
    return [name for name in FEATURES if name in lacks]


def nearest_radix(cipher: Cipher, bits_per_cycle: float) -> int:
    """The radix whose core gives as many bits per cycle as another one, or nearly so: the ratio is
    the least."""

    def ratio(radix: int) -> float:
        ours = Chosen.choose(cipher, radix, None, {}).bits_per_cycle
        return max(ours / bits_per_cycle, bits_per_cycle / ours)

    return min(cipher.legal_radices(), key=ratio)


def nearest(cipher: Cipher, radix: int, lacks: Sequence[str], target: Target) -> list[DesignPoint]:
    """The design points to stand beside a core: the one with the same features and the default
    form, in cells each with clock gates and without.

    Raises
    ------
    InputError
        If no core of ours has this radix.
    """
    try:
        forms = [
            Chosen.choose(cipher, radix, None, options_without(cipher, lacks)),
            Chosen.choose(cipher, radix, None, {}),
        ]
    except InputError as error:
        raise InputError(f"no core of ours stands beside this one: {error}") from error
    ways = (NO_GATING, AUTO_GATING) if isinstance(target, AsicTarget) else (AUTO_GATING,)
    points = [
        form.at(target, Settings(seeds=SEEDS, clock_gating=way)) for form in forms for way in ways
    ]
    return list(dict.fromkeys(points))


def joined(records: Sequence[Record]) -> list[Record]:
    """Our records as those of foreign cores are, with the areas of both ways of gating clocks in
    one; and with what they lack."""
    by_key: dict[str, Record] = {}
    for record in records:
        key = f"{record['target']} {sorted(record['options'].items())}"
        gated = record["flow"].get("clock_gating", AUTO_GATING) != NO_GATING
        one = by_key.setdefault(key, record | {"lacks": lacked_by(record["options"])})
        if record["lut"] is None:
            end = "_gated" if gated else ""
            one |= {f"ge_plain{end}": record["ge_smallest"]}
            if not gated:
                one |= {name: record[name] for name in ("ge", "fmax_mhz", "throughput_mbps")}
    return list(by_key.values())
