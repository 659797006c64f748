# SPDX-License-Identifier: Apache-2.0
"""A description's step read with Amaranth values, at any radix.

Shift registers are read through windows, several steps at once. Ciphers that move whole registers
are composed step by step. Every new word is a named signal: Amaranth expressions are unshared
trees, so a nested step would grow exponentially.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from amaranth.hdl import Const, Module, Signal, Value

from headwater.core.function import FunctionNaming
from headwater.core.naming import staged
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.sums import AS_DESCRIBED, Sums
from headwater.kinds.stepped.unrolled import Controls, Unrolled, no_controls
from headwater.kinds.stepped.windows import Windows
from headwater.kinds.stepped.word_cipher import WordCipher


def unroll(
    m: Module,
    cipher: SteppedCipher,
    state: Mapping[str, Value],
    *,
    radix: int,
    ahead: int = 0,
    load_steps: int = 0,
    controls: Controls = no_controls,
    entering: Callable[[int], Value] | None = None,
    constants: Mapping[str, Value] | None = None,
    at_once: int | None = None,
    whole: Collection[str] = (),
    sums: Sums = AS_DESCRIBED,
) -> Unrolled:
    """Add ``radix`` steps of ``cipher`` to ``m``, reading the registers in ``state``.

    The output is ``ahead`` steps later than the steps that move the state: so a core whose radix
    does not divide the blank steps still begins at keystream bit 0. Where a load takes steps, a
    load cycle takes ``load_steps``. ``entering(position)`` are the bits of all lanes that enter
    there, by default none; ``constants`` those of `constants_of`, where the circuit has them
    already. One evaluation makes ``at_once`` steps at most, by default as many as the cipher
    allows. Values called as in ``whole`` are kept, see `ShiftRegisterCipher.lut_sums`.
    Its sums are written as ``sums`` says.
    """
    known = constants_of(cipher) if constants is None else constants
    match cipher:
        case ShiftRegisterCipher():
            widest = min(cipher.natural_radix, at_once or cipher.natural_radix)
            windows = Windows(m, cipher, controls, widest, whole, sums)
            return windows.unrolled(state, radix, ahead)
        case ClockedCipher():
            inputs = _Inputs(cipher, controls, entering, known)
            states, outputs = _running(m, cipher, state, max(radix + ahead, load_steps), inputs.at)
            return Unrolled(outputs[ahead : ahead + radix], states.__getitem__)
        case WordCipher():
            inputs = _Inputs(cipher, controls, entering, known)
            states, outputs = _running(m, cipher, state, radix, inputs.running)
            entered = _entered(m, cipher, state, load_steps, inputs)
            return Unrolled(
                outputs,
                states.__getitem__,
                entered.__getitem__,
                newest_first=cipher.first_bit_on_top,
            )
        case _:
            raise TypeError(f"{type(cipher).__name__} has no reading in hardware")


def constants_of(cipher: SteppedCipher) -> dict[str, Signal]:
    """The named constants of a description, as signals with initial values and no driver."""
    if not isinstance(cipher, ClockedCipher | WordCipher):
        return {}
    return {
        name: Signal(word.width, name=name.upper(), init=word.value)
        for name, word in cipher.constants.items()
    }


@dataclass(frozen=True)
class _Inputs:
    """The operands of a step other than the registers, at each position."""

    cipher: ClockedCipher | WordCipher
    controls: Controls
    entering: Callable[[int], Value] | None
    constants: Mapping[str, Value]

    def at(self, position: int) -> dict[str, Value]:
        none = Const(0, self.cipher.lane_count)
        return {
            "entering": self.entering(position) if self.entering else none,
            **self.running(position),
        }

    def running(self, position: int) -> dict[str, Value]:
        """The operands where nothing can enter."""
        return {
            **{name: self.controls(name, position) for name in self.cipher.controls},
            **self.constants,
        }


def _running(
    m: Module,
    cipher: ClockedCipher | WordCipher,
    state: Mapping[str, Value],
    count: int,
    operands: Callable[[int], dict[str, Value]],
) -> tuple[list[dict[str, Value]], list[Value]]:
    """The registers after 0, 1, ... ``count`` running steps, and the output of each step."""
    names = [register.name for register in cipher.registers]
    memories = [name for name in state if name not in names]
    states, outputs = [dict(state)], []
    for position in range(count):
        suffix = f"_{position}" if count > 1 else ""
        present = [states[-1][name] for name in names]
        others = {**operands(position), **{name: states[-1][name] for name in memories}}
        output, after = cipher.step(FunctionNaming(m, suffix), *present, **others)
        outputs.append(output)
        # Signals of words are in the order of the registers, others in the order of the step.
        order = names if isinstance(cipher, WordCipher) else list(after)
        stages = {
            name: staged(m, f"{name}_next{suffix}", after[name])
            for name in order
            if name not in memories
        }
        states.append(stages | {name: after[name] for name in memories})
    return states, outputs


def _entered(
    m: Module, cipher: WordCipher, state: Mapping[str, Value], count: int, inputs: _Inputs
) -> list[dict[str, Value]]:
    """The registers after 0, 1, ... ``count`` steps of a load that has its own steps."""
    names = [register.name for register in cipher.registers]
    entered = [dict(state)]
    for position in range(count):
        suffix = f"_entering_{position}" if count > 1 else "_entering"
        present = [entered[-1][name] for name in names]
        after = cipher.load.enter(FunctionNaming(m, suffix), *present, **inputs.at(position))
        entered.append({name: staged(m, f"{name}{suffix}", after[name]) for name in names})
    return entered
