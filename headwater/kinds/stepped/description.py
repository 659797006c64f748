# SPDX-License-Identifier: Apache-2.0
"""Ciphers that go in steps: registers, a load, phases, and a step function.

A cipher sets up in *steps*: those of the load, where the load takes steps, then those of its
phases. A phase names the *controls* that are one in its steps; all are zero once the cipher runs.
How the step function is written and read is the matter of the subclasses, one file each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any, ClassVar

from headwater.algebra.polynomial import Polynomial, Variable
from headwater.cipher.description import Bits, Cipher
from headwater.cipher.register import Register
from headwater.kinds.stepped.load_sums import LoadSums
from headwater.kinds.stepped.sheet import Entries, not_moved_on, with_taps

Lanes = tuple[Sequence[Any], ...]
"""Bit strings that enter side by side, first bit first; all end in the same step."""


@dataclass(frozen=True)
class Phase:
    """Consecutive steps of the setup.

    Members
    -------
    name : str
    steps : int
    controls : tuple of str
        The operands of the step function that are one in these steps.
    """

    name: str
    steps: int
    controls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Placed:
    """Key and IV are put into the registers.

    ``content(key, iv)`` gives each register's first content in ascending stage number; ``key``
    and ``iv`` are sequences of bits, whatever a bit is at that reading. A stage is a constant, a
    bit, or a sum of them with ``^`` and ``~``.
    """

    content: Callable[[Sequence[Any], Sequence[Any]], Mapping[str, Sequence[Any]]]


@dataclass(frozen=True)
class Injected:
    """Key and IV enter an all-zero state, one bit of every lane in each step.

    The step function gets them as ``entering``.

    Members
    -------
    phases : tuple of Phase
        Of the load, as long as the longest load.
    any_length : bool
        Whether a load has as many steps as key and IV have bits. Otherwise an IV that is shorter
        than the longest is filled up with zeros.
    zero_is_neutral : bool
        Whether zero bits that enter before the others change nothing.
    """

    phases: tuple[Phase, ...]
    any_length: bool = False
    zero_is_neutral: bool = False


def key_then_iv(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The order of most loads: one lane, the key first."""
    return ([*key, *iv],)


def side_by_side(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """Key and IV enter together, and end together."""
    return key, iv


@dataclass(frozen=True, kw_only=True)
class SteppedCipher(Cipher):
    """A synchronous stream cipher that goes in steps.

    Parameters
    ----------
    registers
        The state.
    lanes
        ``lanes(key, iv)`` is the order in which their bits are loaded. A load that adds key and
        IV takes them side by side if none is given, where one bit after the other cannot do.
    lane_names
        The same in words, lane by lane.
    load
        How they come into the state.
    phases
        The setup after the load; its output is discarded.
    step
        One clock; see the subclasses.
    word_bits
        Output bits of one step.
    """

    kind: ClassVar[str] = "stepped"

    registers: tuple[Register, ...]
    lanes: Callable[[Sequence[Any], Sequence[Any]], Lanes] = key_then_iv
    lane_names: str = "the key, then the IV"
    load: Placed | Injected
    phases: tuple[Phase, ...]
    step: Callable[..., tuple[Bits, Mapping[str, Bits]]]
    word_bits: int = 1

    @cached_property
    def entering_lanes(self) -> Callable[[Sequence[Any], Sequence[Any]], Lanes]:
        """``lanes``; where key and IV are placed and cannot come bit by bit in the order of most
        loads, because they are added, side by side if they can so."""
        if self.lanes is key_then_iv and isinstance(self.load, Placed):
            beside = self._load_sums(side_by_side)
            if not self._load_sums(key_then_iv).takes(1) and beside.takes(1):
                return side_by_side
        return self.lanes

    @property
    def entering_lane_names(self) -> str:
        """``lane_names``, of those lanes."""
        beside = self.entering_lanes is not self.lanes
        return "lane 0 the key, lane 1 the IV" if beside else self.lane_names

    @property
    def state_bits(self) -> int:
        """Flip-flops that the running cipher itself needs."""
        return sum(register.length for register in self.registers if not register.setup_only)

    @property
    def beside(self) -> Mapping[str, Callable[..., Bits]]:
        """Registers that the cipher runs without, and ``entering(output, register, **controls)`` of
        each: what enters it during the setup."""
        return {}

    @property
    def load_bits(self) -> int:
        """Key and IV bits that a load takes at most."""
        return self.key_bits + self.iv_bits[-1]

    @cached_property
    def lane_count(self) -> int:
        """Load bits that enter side by side."""
        return len(self.entering_lanes(self._blank_key, self._blank_iv))

    @cached_property
    def load_steps(self) -> int:
        """Bits of the longest lane, with the longest IV."""
        return max(map(len, self.entering_lanes(self._blank_key, self._blank_iv)))

    @cached_property
    def shortest_lane(self) -> int:
        """Bits of the shortest lane: a load word takes no more of each, so that none is idle."""
        return min(map(len, self.entering_lanes(self._blank_key, self._blank_iv)))

    @property
    def _blank_key(self) -> list[int]:
        return [0] * self.key_bits

    @property
    def _blank_iv(self) -> list[int]:
        return [0] * self.iv_bits[-1]

    def loaded_state(self, key: Sequence[Any], iv: Sequence[Any]) -> dict[str, list[Any]]:
        """Each register's content after a load that places key and IV, oldest bit first."""
        raise NotImplementedError

    @cached_property
    def load_sums(self) -> LoadSums:
        """Every state bit after such a load as a sum of load bits."""
        return self._load_sums(self.entering_lanes)

    def _load_sums(self, lanes: Callable[[Sequence[Any], Sequence[Any]], Lanes]) -> LoadSums:
        return LoadSums(lanes, self.loaded_state, self.key_bits, self.iv_bits[-1])

    @property
    def blank_steps(self) -> int:
        """Steps after the load whose output is discarded."""
        return sum(phase.steps for phase in self.phases)

    @property
    def any_length(self) -> bool:
        """Whether a load ends with its last bit, not after a fixed number of steps."""
        return isinstance(self.load, Injected) and self.load.any_length

    @property
    def load_phases(self) -> tuple[Phase, ...]:
        """Phases that the steps of a load are in; none where a load takes no steps."""
        return self.load.phases if isinstance(self.load, Injected) else ()

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """Names of the step function's controls, in the order of their phases."""
        phases = (*self.load_phases, *self.phases)
        return tuple(dict.fromkeys(name for phase in phases for name in phase.controls))

    @property
    def rewriting_controls(self) -> tuple[str, ...]:
        """Controls of steps that begin with registers being rewritten."""
        return ()

    def control_at(self, control: str, step: int) -> bool:
        """Value of a control in a step after the load; steps before it are numbered below zero,
        and those before the first are as the first."""
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
        """Steps that the output alone can be computed ahead without any new bit."""
        raise NotImplementedError

    @property
    def equations(self) -> tuple[Polynomial, Mapping[str, Mapping[int, Polynomial]]]:
        """Output, and what each register's stages become, over variables (register, stage)."""
        raise NotImplementedError

    @property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step as the description writes it."""
        raise NotImplementedError

    @property
    def stages_read(self) -> frozenset[Variable]:
        """Stages that are read for more than to move them on."""
        output, becomes = self.equations
        functions = not_moved_on(self.registers, becomes)
        return output.variables.union(*(function.variables for function in functions))

    def register_entries(self) -> Entries:
        """What the data sheet says of each register."""
        return with_taps(self.registers, self.equations[1], self.stages_read)

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
        """Key and IV as the bits of each lane, first bit first, all lanes equally long.

        A shorter lane stands at the end of its place, after zeros. See `input_bits`.
        """
        lanes = self.entering_lanes(*self.input_bits(key, iv, iv_bits))
        steps = max(map(len, lanes))
        return [[0] * (steps - len(lane)) + list(lane) for lane in lanes]

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV, first bit first; see `Cipher.input_bits`.

        An IV that is shorter than the longest legal one stands at the end of its place, after
        zeros, unless a load may have any length.
        """
        key_string, iv_string = super().input_bits(key, iv, iv_bits)
        filling = 0 if self.any_length else self.iv_bits[-1] - len(iv_string)
        return key_string, (0,) * filling + iv_string

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """As many bits of each lane as the shortest one has, or fewer; of a load that adds bits,
        those with which all that it adds is there. One word is always enough."""
        return self._legal_load_widths

    @cached_property
    def _legal_load_widths(self) -> tuple[int, ...]:
        bits = list(range(1, self.shortest_lane + 1))
        if isinstance(self.load, Placed):
            bits = [width for width in bits if self.load_sums.takes(width)] or [self.load_steps]
        return tuple(self.lane_count * width for width in bits)

    def default_load_width(self, radix: int) -> int:
        """As many load bits of each lane per cycle as the core makes steps: then the registers
        shift by the same distance in both phases. No more than divides every load where a load
        may have any length. Where that is not legal, the next wider one that is."""
        loads = [self.key_bits + bits for bits in self.iv_bits]
        most = gcd(*loads) if self.any_length else self.shortest_lane
        width, legal = self.lane_count * min(radix, most), self.legal_load_widths(radix)
        return next((one for one in legal if one >= width), legal[-1])
