# SPDX-License-Identifier: Apache-2.0
"""Long runs of stages that a small RAM can hold, because nothing reads a stage within them.

With the option ``delay=ram`` the bits of such a run stay where they are in a RAM, and a place moves
on in their stead. The word at the place leaves, and the one that enters replaces it: so a bit
leaves as many cycles after it has entered as the RAM has words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from headwater.cipher.option import Option
from headwater.cipher.register import Register
from headwater.errors import InputError
from headwater.kinds.stepped.loading import Plan, Stage, Sum, load_plan
from headwater.kinds.stepped.transformations.retiming import ShiftRegisters, refuse_radix

RAM = "ram"
"""The value of the option ``delay``."""

DELAY = Option(
    "delay",
    ("registers", RAM),
    "registers: every stage is a flip-flop; ram: runs of stages that nothing reads are words of a "
    "small RAM, with one place for all of them",
    "ram takes a count of two to four bits, and a bit of a RAM of 4, 8 or 16 words, which is read "
    "without a clock, in place of as many flip-flops. On FPGAs with distributed RAM that is a part "
    "of a LUT: choose it for the smallest core there. Elsewhere measure it. Where taps leave no "
    "room, it is refused.",
    unsaid=True,
)
"""What holds long runs of stages."""

DEPTHS = (16, 8, 4)
"""Words that the RAM may have. Distributed RAM has 16 words on most FPGAs that have it."""


_FLIP_FLOPS_OF_A_BIT = 2
"""A bit of each word of a RAM is as large as so many flip-flops, roughly, in LUTs and ports."""

_WITH_RAM = {
    "form": ("fibonacci",),
    "clear": ("shift", "none"),
    "datapath": ("inside",),
}
"""What other options must be with a RAM: feedback that enters at one end alone, and no reset of
words that are not read; a RAM belongs to a whole core."""


@dataclass(frozen=True)
class Delays:
    """The runs of a cipher. Each is ``words`` words of ``radix`` stages."""

    words: int
    radix: int
    runs: Mapping[str, tuple[int, ...]]
    """By register, the lowest place of each run, the highest run first."""

    @property
    def size(self) -> int:
        """Stages of a run."""
        return self.words * self.radix

    @property
    def bits(self) -> int:
        """Bits of a word of the RAM."""
        return self.radix * sum(map(len, self.runs.values()))

    @property
    def saved(self) -> int:
        """Flip-flops that the RAM saves, roughly."""
        return (self.words - _FLIP_FLOPS_OF_A_BIT) * self.bits

    def stages(self, register: Register) -> list[list[int]]:
        """The first and the last stage of each run of a register, in ascending order."""
        return sorted(
            sorted(stage_at(register, place) for place in (first, first + self.size - 1))
            for first in self.runs.get(register.name, ())
        )

    @property
    def lanes(self) -> Mapping[tuple[str, int], int]:
        """By register and lowest place of a run, the lowest bit that it has in a word."""
        runs = [(name, first) for name, places in self.runs.items() for first in places]
        return {run: self.radix * number for number, run in enumerate(runs)}


@lru_cache(maxsize=256)
def delays_of(cipher: ShiftRegisters, radix: int, load_width: int) -> Delays:
    """The runs of all registers, each as high in its register as it can be, of as many words as
    save most flip-flops. An error if there is none."""
    refuse_radix(cipher, radix, "with delay=ram")
    plan = load_plan(cipher, load_width)
    read = {*_read_by_steps(cipher, radix), *_read_by_load(plan, radix)}
    names = [one.name for one in cipher.registers if one.name not in cipher.beside]
    delays = [
        Delays(words, radix, {name: tuple(_runs(name, plan, words, radix, read)) for name in names})
        for words in DEPTHS
    ]
    best = max(delays, key=lambda one: one.saved)
    if not best.saved:
        raise InputError(
            f"delay of {cipher.name} at radix {radix} and load width {load_width} must be "
            f"registers, not 'ram': no {DEPTHS[-1] * radix} stages in a row are read by nothing "
            f"and move on by {radix} in every cycle"
        )
    return best


def stage_at(register: Register, place: int) -> int:
    """The stage at a place; place 0 is the oldest stage."""
    return register.oldest + (place if register.newest > register.oldest else -place)


def refuse_with_ram(options: Mapping[str, str]) -> None:
    """An error if another option has a value that a core with a RAM has not."""
    for name, values in _WITH_RAM.items():
        if (value := options.get(name, values[0])) not in values:
            legal = " or ".join(values)
            raise InputError(f"option {name} must be {legal} with delay=ram, not {value!r}")


def _runs(name: str, plan: Plan, words: int, radix: int, read: Collection[Stage]) -> Iterator[int]:
    """The lowest place of each run of a register, from its top on. All its stages but the newest
    word take the stage one radix higher, in the load as well."""
    top, size = len(plan[name]), words * radix
    while top >= size:
        ends = (
            place if Stage(name, place) in read else place + radix
            for place in range(top - 1, top - size - 1, -1)
            if Stage(name, place) in read
            or (place < top - radix and plan[name][place] != Stage(name, place + radix))
        )
        end = next(ends, None)
        if end is None:
            yield top - size
        top = top - size if end is None else end


def _read_by_steps(cipher: ShiftRegisters, radix: int) -> Iterator[Stage]:
    """What the windows of the steps of a cycle read."""
    output, entering = cipher.feedback
    positions = {register.name: register.position for register in cipher.registers}
    for name, stage in output.variables.union(*(one.variables for one in entering.values())):
        if name in positions:
            first = positions[name](stage)
            yield from (Stage(name, place) for place in range(first, first + radix))


def _read_by_load(plan: Plan, radix: int) -> Iterator[Stage]:
    """What a load cycle takes to another place than the steps do, or adds to something."""
    for name, sources in plan.items():
        for place, source in enumerate(sources):
            parts = source.parts if isinstance(source, Sum) else (source,)
            if source != Stage(name, place + radix):
                yield from (part for part in parts if isinstance(part, Stage))
