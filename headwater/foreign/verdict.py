# SPDX-License-Identifier: Apache-2.0
"""What is said of a core: layer by layer, as text, as one line and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

YES, NO, OPEN = "yes", "no", "not reached"
LAYERS = ("vectors", "state", "step", "setup")
_SHORT = {
    ("vectors", YES): "vectors pass",
    ("vectors", NO): "vectors fail",
    ("state", YES): "state found",
    ("state", NO): "state not found",
    ("step", YES): "step proven",
    ("step", NO): "step differs",
    ("setup", YES): "setup proven",
    ("setup", NO): "setup differs",
}


@dataclass(frozen=True)
class Layer:
    """One of `LAYERS`: its result, and a sentence."""

    name: str
    result: str
    text: str


@dataclass
class Verdict:
    """What is said of a core."""

    cipher: str
    flip_flops: int
    gates: int
    ports: Mapping[str, Any]
    name: str = ""
    """What the core is called in tables."""
    files: list[str] = field(default_factory=list)
    sources_sha256: str = ""
    """Of the contents of the files, in their order."""
    radix: int | None = None
    """Steps per cycle; None where it is not known."""
    rate: float | None = None
    """Bits per cycle in steady state where no steps are counted."""
    keystream: str = ""
    """Port and order of bits of the keystream."""
    key: str = ""
    iv: str = ""
    """The order of the bits at the ports."""
    setup_cycles: int | None = None
    """From the end of the reset to the first keystream word."""
    lacks: list[str] | None = None
    """Features that it lacks; None where that is not known."""
    layers: list[Layer] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """The first wrong bits."""
    wrong_registers: int = 0
    """How many registers of the description get wrong bits in a cycle."""
    causes: list[str] = field(default_factory=list)
    """Mistakes with which the description does what the core does."""
    figures: list[dict[str, Any]] = field(default_factory=list)
    """Its record on each target: what it costs."""
    beside: list[dict[str, Any]] = field(default_factory=list)
    """Records of our nearest architectures there."""

    def add(self, name: str, result: str, text: str) -> None:
        """Say something of a layer."""
        self.layers.append(Layer(name, result, text))

    def result(self, name: str) -> str:
        """The result of a layer."""
        return next((one.result for one in self.layers if one.name == name), OPEN)

    @property
    def bits_per_cycle(self) -> float | None:
        """In steady state; None where it is not known."""
        rate = self.rate if self.radix is None else self.radix
        return round(rate, 3) if rate and rate % 1 else rate and int(rate)

    @property
    def passes(self) -> bool:
        """Whether nothing is wrong, and the step is proven or the vectors pass."""
        results = [self.result(name) for name in LAYERS]
        return NO not in results and YES in (self.result("vectors"), self.result("step"))

    @property
    def badge(self) -> str:
        """The whole as one line."""
        rate = self.bits_per_cycle
        said = [f"{rate:g} {'bit' if rate == 1 else 'bits'} per cycle"] if rate else []
        said += [
            _SHORT[one.name, one.result]
            for one in self.layers
            if one.result != OPEN and one.name != "state"
        ]
        said += [_area(record) for record in self.figures]
        return f"bench: {', '.join([self.cipher, *said])}"

    def lines(self) -> Iterator[str]:
        """The whole as text."""
        yield f"{self.flip_flops} flip-flops, {self.gates} gates"
        for what, order in (("key", self.key), ("IV", self.iv), ("keystream", self.keystream)):
            if order:
                yield f"{what}: {order}"
        for one in self.layers:
            yield f"{one.name}: {one.result}: {one.text}"
        for text in self.wrong:
            yield f"wrong: {text}"
        for text in self.causes:
            yield f"likely cause: {text}"
        steady = ", ".join(f"{name} = {value}" for name, value in self.ports["ties"].items())
        if steady:
            yield f"not judged: other values of {steady}"
        if self.lacks:
            yield f"lacks: {', '.join(self.lacks)}"
        for record in self.figures:
            yield f"{record['target']}: {_cost(record)}"
        yield self.badge

    def as_json(self) -> dict[str, Any]:
        """The whole as plain data."""
        return asdict(self) | {"badge": self.badge, "passes": self.passes}


def _cost(record: dict[str, Any]) -> str:
    """What a core costs, as a line."""
    clock = (record["fmax_mhz"] or {}).get("median")
    if record["lut"] is None:
        text = (
            f"{record['ge_smallest']:g} GE, with clock gates {record['ge_smallest_gated']:g} "
            f"GE; {clock:g} MHz in {record['ge']:g} GE"
        )
    else:
        unfit = "does not fit" if record["too_large"] else "not routed"
        missing = f", {unfit}" if record["too_large"] or record["not_routed"] else ""
        text = f"{record['lut']} LUT, {record['ff']} FF"
        text += f", {clock:g} MHz" if clock else missing
    rate = record["throughput_mbps"]
    return f"{text}, {rate:g} Mbit/s" if rate else text


def _area(record: dict[str, Any]) -> str:
    """Its area."""
    lut = record["lut"]
    return f"{record['ge_smallest']:g} GE" if lut is None else f"{lut} LUT"
