# SPDX-License-Identifier: Apache-2.0
"""The model of ciphers that give a word in each step."""

from __future__ import annotations

from headwater.kinds.buffered import BufferedKeystream
from headwater.kinds.stepped.model import WholeRegisters
from headwater.kinds.stepped.word_cipher import WordCipher


class WordModel(BufferedKeystream):
    """The keystream of one cipher under one key and IV, from its first bit. Parameters are those of
    `headwater.kinds.stepped.model.Model`."""

    def __init__(
        self, cipher: WordCipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        super().__init__(cipher, cipher.word_bits)
        self._reading = WholeRegisters(cipher, cipher.load_lanes(key, iv, iv_bits))
        for phase in cipher.phases:
            self._reading.set_controls(phase.controls)
            for _ in range(phase.steps):
                self._reading.step()
        self._reading.set_controls(())

    def _next_word(self) -> int:
        return self._reading.step()

    def content(self, register: str) -> int:
        """The present content of a register."""
        return self._reading.content(register)
