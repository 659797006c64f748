# SPDX-License-Identifier: Apache-2.0
"""Ciphers that go in steps: registers, a load, phases, and a step function.

A setup consists of *steps*: those of the load, if the load takes steps, then those of the phases. A
phase names the *controls* that are one in its steps; all are zero once the cipher runs. Each
subclass, in its own file, defines how the step function is written and read.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import gcd
from typing import Any, ClassVar

from headwater.cipher.description import Bits, Cipher
from headwater.cipher.register import Register
from headwater.cipher.results import check_registers
from headwater.errors import InputError
from headwater.kinds.stepped.load_sums import LoadSums
from headwater.kinds.stepped.sheet import Entries, with_lengths

Lanes = tuple[Sequence[Any], ...]
"""Bit strings that enter side by side, first bit first; all end in the same step."""


@dataclass(frozen=True)
class Phase:
    """Consecutive steps of the setup."""

    name: str
    """Its name on the data sheet."""
    steps: int
    """How many; at least one."""
    controls: tuple[str, ...] = ()
    """Operands of the step function that are one in these steps, and zero in all others."""


@dataclass(frozen=True)
class Placed:
    """Key and IV are placed into the registers. How the bits get there is derived, for each load
    width that is possible:

    - Where a register's content stands in the load string as it does in the register, loading costs
      a gate at its entrance. Of a register that is filled against its direction each bit gets a
      multiplexer: then give ``lanes`` that reverse the string, if more registers are served by that
      than harmed.
    - Where key and IV are added, bits of both must arrive together. Without ``lanes`` they enter
      side by side (a load word is key bits below IV bits); if that is not enough, wide load words
      only, or one for all, remain. ``headwater show NAME`` prints the lanes and the order.
    - With ``lanes=side_by_side`` key and IV always do so, as in the Grain-128 family. Lanes end
      together: a shorter one begins later.
    """

    content: Callable[[Sequence[Any], Sequence[Any]], Mapping[str, Sequence[Any]]]
    """``content(key, iv)``: each register's first content in ascending stage number, from sequences
    of bits of a type that depends on the reading. A stage is a constant, a bit, or a combination of
    them with ``^`` and ``~``: ``k ^ v``, ``~k``, ``1 ^ k``; ``&`` and ``|`` are refused."""


@dataclass(frozen=True)
class Injected:
    """Key and IV enter an all-zero state, one bit of every lane in each step. The step function
    receives them as ``entering``, which is zero after the load."""

    phases: tuple[Phase, ...]
    """The phases of the load; their steps add up to the longest load."""
    any_length: bool = False
    """Whether a load has as many steps as key and IV have bits, and ``last`` marks its end.
    Otherwise a shorter IV is padded with zeros before it."""
    zero_is_neutral: bool = False
    """Whether leading zero bits change nothing."""


def key_then_iv(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The default order of a load: one lane, the key first."""
    return ([*key, *iv],)


def side_by_side(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """Key and IV enter together, and end together."""
    return key, iv


@dataclass(frozen=True, kw_only=True)
class SteppedCipher(Cipher):
    """A synchronous stream cipher that goes in steps: a load, then phases whose output is
    discarded, then it runs."""

    kind: ClassVar[str] = "stepped"

    registers: tuple[Register, ...]
    """The state, in the order in which the step function has its operands."""
    lanes: Callable[[Sequence[Any], Sequence[Any]], Lanes] = key_then_iv
    """The order in which bits of key and IV are loaded; see `entering_lanes`."""
    lane_names: str = "the key, then the IV"
    """The order in words, lane by lane."""
    load: Placed | Injected
    """How key and IV come in: `Placed`, `Injected` or `Entered`."""
    phases: tuple[Phase, ...]
    """The setup after the load; its output is discarded. The controls of a phase are one in its
    steps; all are zero while the cipher runs."""
    step: Callable[..., tuple[Bits, Mapping[str, Bits]]]
    """One clock; see the subclasses."""
    word_bits: int = 1
    """Output bits of one step."""

    @cached_property
    def entering_lanes(self) -> Callable[[Sequence[Any], Sequence[Any]], Lanes]:
        """``lanes``, or the default: the key, then the IV; side by side where the load adds both
        and can only take them so."""
        if self.lanes is key_then_iv and isinstance(self.load, Placed):
            beside = self._load_sums(side_by_side)
            if not self._load_sums(key_then_iv).takes(1) and beside.takes(1):
                return side_by_side
        return self.lanes

    @property
    def entering_lane_names(self) -> str:
        """``lane_names``, or the names of the default lanes."""
        beside = self.entering_lanes is not self.lanes
        return "lane 0 the key, lane 1 the IV" if beside else self.lane_names

    @property
    def state_bits(self) -> int:
        """Flip-flops of the running cipher."""
        return sum(register.length for register in self.registers if not register.setup_only)

    @property
    def beside(self) -> Mapping[str, Callable[..., Bits]]:
        """Registers that the output does not depend on after the setup. For each,
        ``entering(output, register, **controls)`` is what enters it during the setup."""
        return {}

    @property
    def load_bits(self) -> int:
        """Key and IV bits of the longest load."""
        return self.key_bits + self.iv_bits[-1]

    @cached_property
    def lane_lengths(self) -> list[int]:
        """Bits of each lane, with the longest IV."""
        return list(map(len, self.entering_lanes([0] * self.key_bits, [0] * self.iv_bits[-1])))

    @property
    def lane_count(self) -> int:
        """Load bits that enter side by side."""
        return len(self.lane_lengths)

    @property
    def load_steps(self) -> int:
        """Bits of the longest lane, with the longest IV."""
        return max(self.lane_lengths)

    @property
    def shortest_lane(self) -> int:
        """Bits of the shortest lane: a load word takes no more of each, so that no lane is idle."""
        return min(self.lane_lengths)

    def loaded_state(self, key: Sequence[Any], iv: Sequence[Any]) -> dict[str, list[Any]]:
        """Each register's content after a load that places key and IV, oldest bit first."""
        assert isinstance(self.load, Placed)
        content = self.load.content(key, iv)
        check_registers(f"load of {self.name}", content, self.registers)
        return {
            register.name: list(map(_one_bit, register.oldest_first(content[register.name])))
            for register in self.registers
        }

    @cached_property
    def load_sums(self) -> LoadSums:
        """After a load that places key and IV, every state bit as a sum of load bits."""
        return self._load_sums(self.entering_lanes)

    def _load_sums(self, lanes: Callable[[Sequence[Any], Sequence[Any]], Lanes]) -> LoadSums:
        return LoadSums(lanes, self.loaded_state, self.key_bits, self.iv_bits[-1])

    @property
    def blank_steps(self) -> int:
        """Steps after the load whose output is discarded."""
        return sum(phase.steps for phase in self.phases)

    @property
    def gives_ones(self) -> bool:
        """Whether the output of a state of zeros is one, as far as it is known without a step."""
        return False

    @property
    def any_length(self) -> bool:
        """Whether a load ends with its last bit, not after a fixed number of steps."""
        return isinstance(self.load, Injected) and self.load.any_length

    @property
    def load_phases(self) -> tuple[Phase, ...]:
        """The phases of the load; none where a load takes no steps."""
        return self.load.phases if isinstance(self.load, Injected) else ()

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """Names of the step function's controls, in the order of the phases."""
        phases = (*self.load_phases, *self.phases)
        return tuple(dict.fromkeys(name for phase in phases for name in phase.controls))

    @property
    def never_together(self) -> Iterator[tuple[str, str]]:
        """Pairs of controls that no phase has together."""
        sets = [set(phase.controls) for phase in (*self.load_phases, *self.phases)]
        for pair in combinations(self.controls, 2):
            if not any(set(pair) <= together for together in sets):
                yield pair

    @property
    def rewriting_controls(self) -> tuple[str, ...]:
        """Controls of steps that first rewrite registers."""
        return ()

    def check_functions(self) -> None:
        """Also refuses a load that does not fill each register, and phases of a load that have more
        or fewer steps than the longest one."""
        super().check_functions()
        if isinstance(self.load, Placed):
            self.loaded_state([0] * self.key_bits, [0] * self.iv_bits[-1])
        steps = sum(phase.steps for phase in self.load_phases)
        if self.load_phases and steps != self.load_steps:
            raise InputError(
                f"phases of the load of {self.name} must have {self.load_steps} steps in all, as "
                f"the longest load, not {steps}"
            )

    def control_at(self, control: str, step: int) -> bool:
        """Value of a control in a step after the load. Steps of the load have negative numbers;
        before the first step the value is that of the first."""
        if step < 0:
            phases, place = self.load_phases, max(0, self.load_steps + step)
        else:
            phases, place = self.phases, step
        for phase in phases:
            if place < phase.steps:
                return control in phase.controls
            place -= phase.steps
        return False

    @property
    def output_lookahead(self) -> int:
        """Steps that the output can be computed ahead from old bits alone: none, unless a kind of
        description can tell."""
        return 0

    @property
    @abstractmethod
    def gates(self) -> Counter[str]:
        """Two-input gates of one step as the description writes it."""

    def register_entries(self) -> Entries:
        """The entry of each register on the data sheet: its length. Taps are given where single
        stages are read."""
        return with_lengths(self.registers)

    def sheet(self) -> dict[str, Any]:
        """Registers, gates and steps."""
        loads = {phase.name: phase.steps for phase in self.load_phases}
        return {
            "registers": self.register_entries(),
            f"gates_per_{'bit' if self.word_bits == 1 else 'word'}": dict(self.gates),
            "steps_per_bit": self.steps_per_bit,
            "lanes": self.lane_count,
            "load_steps": self.load_steps,
            **({"load_phases": loads} if loads else {}),
            "phases": {phase.name: phase.steps for phase in self.phases},
            "blank_steps": self.blank_steps,
        }

    def load_cycles(self, load_width: int) -> int:
        """Load words that the longest load takes."""
        return -(-self.load_steps * self.lane_count // load_width)

    def load_lanes(self, key: bytes, iv: bytes, iv_bits: int | None = None) -> list[list[int]]:
        """Key and IV as the bits of each lane, first bit first, all lanes of the same length. A
        shorter lane is preceded by zeros. See `input_bits`."""
        lanes = self.entering_lanes(*self.input_bits(key, iv, iv_bits))
        steps = max(map(len, lanes))
        return [[0] * (steps - len(lane)) + list(lane) for lane in lanes]

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV, first bit first; see `Cipher.input_bits`. An IV shorter than the
        longest legal one is preceded by zeros, unless a load may have any length."""
        key_string, iv_string = super().input_bits(key, iv, iv_bits)
        filling = 0 if self.any_length else self.iv_bits[-1] - len(iv_string)
        return key_string, (0,) * filling + iv_string

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """Up to as many bits of each lane as the shortest one has. A load that adds bits needs
        widths at which all operands of its sums are available. One word is always enough. A load
        of any length is whole words: the key with an IV of some legal length must be."""
        return self._legal_load_widths

    @cached_property
    def _legal_load_widths(self) -> tuple[int, ...]:
        bits = list(range(1, self.shortest_lane + 1))
        if isinstance(self.load, Placed):
            bits = [width for width in bits if self.load_sums.takes(width)] or [self.load_steps]
        if self.any_length:
            loads = [self.key_bits + iv_bits for iv_bits in self.iv_bits]
            bits = [
                width
                for width in bits
                if any(load % (width * self.lane_count) == 0 for load in loads)
            ]
        if not self.phases:  # The setup ends with a load word that another one came before.
            bits = [width for width in bits if width < self.load_steps] or bits
        return tuple(self.lane_count * width for width in bits)

    def default_load_width(self, radix: int) -> int:
        """As many load bits of each lane per cycle as the core makes steps, so that registers shift
        by the same distance in both phases; where a load may have any length, a width that divides
        every load. If that is not legal, the next wider legal width."""
        loads = [self.key_bits + bits for bits in self.iv_bits]
        most = gcd(*loads) if self.any_length else self.shortest_lane
        width, legal = self.lane_count * min(radix, most), self.legal_load_widths(radix)
        return next((one for one in legal if one >= width), legal[-1])


def _one_bit(bit: Any) -> Any:
    """A bit; masked, because an inverted integer has ones above bit 0."""
    return bit & 1 if isinstance(bit, int) else bit
