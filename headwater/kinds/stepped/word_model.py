# SPDX-License-Identifier: Apache-2.0
"""The model of ciphers that give a word in each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.algebra.word import IntegerWord, unnamed
from headwater.kinds.buffered import BufferedKeystream
from headwater.kinds.stepped.word_cipher import WordCipher


class WordModel(BufferedKeystream):
    """The keystream of one cipher under one key and IV, from its first bit. Parameters are those of
    `headwater.kinds.stepped.model.Model`."""

    def __init__(
        self, cipher: WordCipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        super().__init__(cipher, cipher.word_bits)
        self._cipher = cipher
        self._state = [IntegerWord(0, register.length) for register in cipher.registers]
        self._load(cipher.load_lanes(key, iv, iv_bits))
        for phase in cipher.phases:
            controls = self._controls(phase.controls)
            for _ in range(phase.steps):
                self._step(controls)
        self._running = self._controls(())

    def _next_word(self) -> int:
        return self._step(self._running)

    def content(self, register: str) -> int:
        """The present content of a register."""
        names = [register.name for register in self._cipher.registers]
        return self._state[names.index(register)].value

    def _controls(self, ones: Sequence[str]) -> Mapping[str, IntegerWord]:
        return {name: IntegerWord(int(name in ones), 1) for name in self._cipher.controls}

    def _load(self, lanes: Sequence[Sequence[int]]) -> None:
        cipher, steps = self._cipher, self._cipher.load_steps
        for number, bits in enumerate(zip(*lanes, strict=True)):
            ones = [name for name in cipher.controls if cipher.control_at(name, number - steps)]
            entering = IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), len(bits))
            after = cipher.load.enter(
                unnamed, *self._state, entering=entering, **self._controls(ones),
                **cipher.constants,
            )  # fmt: skip
            self._state = [after[register.name] for register in cipher.registers]

    def _step(self, controls: Mapping[str, IntegerWord]) -> int:
        cipher = self._cipher
        output, after = cipher.step(unnamed, *self._state, **controls, **cipher.constants)
        self._state = [after[register.name] for register in cipher.registers]
        return output.value
