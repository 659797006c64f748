# SPDX-License-Identifier: Apache-2.0
"""What a testbench does with an IP: reads and writes of registers, and the words expected."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.cipher.message import Message
from headwater.interface.public_secret import public_secret
from headwater.interface.registers import TEXT_MARKS
from headwater.kinds.reading import Keystream, process
from headwater.package.calls import ALL_BITS, WORD_BYTES, check, hex_word, masks_of, wait_for, write
from headwater.package.ip import Ip
from headwater.package.message import message_of

_MARK = {entry.name: entry.value for entry in TEXT_MARKS}
_KEYSTREAM_WORDS = 9
_DMA_WORDS = 6
_TEXT_BYTES = 21
"""Lengths of associated data and of a text: no whole words."""


def script_of(ip: Ip) -> list[str]:
    """The calls of the testbench's tasks, as lines of Verilog."""
    script = _Script(ip)
    script.identity()
    script.interrupt_of_a_load()
    if ip.gives_keystream:
        script.keystreams()
    else:
        script.messages()
    return script.lines


class _Script:
    """The lines, in the order in which they are run."""

    def __init__(self, ip: Ip) -> None:
        self.ip, self.lines = ip, list[str]()
        self.key, self.iv = public_secret(ip.cipher)
        self.decrypts = "encrypt" not in ip.architecture.directions
        self.other_key = bytes(byte ^ 0x5A for byte in self.key)
        self.bits = masks_of(ip.registers)

    def identity(self) -> None:
        """What the core is, and its state after reset."""
        self._note("What the core is.")
        for name, value in self.ip.identity.items():
            self._check(name, value)
        self._check("STATUS", 0)

    def interrupt_of_a_load(self) -> None:
        """A load whose end interrupts; the interrupt is taken back."""
        loaded = self.bits["IRQ_STATUS_LOADED"]
        self._note("A load, whose end interrupts.")
        self._write("IRQ_ENABLE", loaded)
        self.lines.append("check_irq(1'b0);")
        self._load(self.key)
        self._until("STATUS", self.bits["STATUS_LOADED"])
        self._check("IRQ_STATUS", loaded, loaded)
        self.lines.append("check_irq(1'b1);")
        self._write("IRQ_STATUS", loaded)
        self._check("IRQ_STATUS", 0, loaded)
        self.lines.append("check_irq(1'b0);")
        self._write("IRQ_ENABLE", 0)

    def keystreams(self) -> None:
        """Keystream of the key that is loaded, of another one, after a broken load, after clear."""
        self._note("Keystream.")
        self._keystream(self.key)
        self._note("Another key.")
        self._load(self.other_key)
        self._keystream(self.other_key)
        self._note("A load that is broken off, and a new one.")
        self._load(self.other_key, whole=False)
        self._load(self.key)
        self._keystream(self.key)
        self._clear()
        self._load(self.other_key)
        self._keystream(self.other_key)
        if self.ip.port.dma:
            self._dma()

    def messages(self) -> None:
        """Messages in each direction that there is; a good tag and a bad one; a broken load;
        clear."""
        self._note("A message.")
        self._message(self.key, _TEXT_BYTES, loaded=True)
        self._note("Another key, in the midst of a message.")
        self._load(self.key)
        self._put_words(self._text(self.key, _TEXT_BYTES, decrypts=self.decrypts)[:1])
        self._message(self.other_key, 2 * WORD_BYTES)
        if "decrypt" in self.ip.core.inputs:
            self._note("The opposite direction.")
            self._message(self.key, _TEXT_BYTES, decrypts=True)
        if self.ip.tag_bytes:
            self._note("A wrong tag.")
            self._message(self.key, 1, wrong=True)
        self._note("A load that is broken off, and a new one.")
        self._load(self.other_key, whole=False)
        self._message(self.key, 0)
        self._clear()
        self._message(self.other_key, _TEXT_BYTES)

    def _note(self, text: str) -> None:
        self.lines.append(f"// {text}")

    def _write(self, register: str, word: int) -> None:
        self.lines.append(write(register, word))

    def _check(self, register: str, expected: int, mask: int = ALL_BITS) -> None:
        self.lines.append(check(register, expected, mask))

    def _until(self, register: str, mask: int) -> None:
        self.lines.append(wait_for(register, mask))

    def _load(self, key: bytes, *, whole: bool = True) -> None:
        facts, core = self.ip.facts, self.ip.core
        words = core.packed_load(facts.load_words(key, self.iv))
        words = words if whole else words[: len(words) // 2]
        if self.ip.port.pairs:
            for place in range(0, len(words), 2):
                first, second = [*words[place : place + 2], 0][:2]
                self.lines.append(
                    f"load_pair(1'b{int(place == 0)}, {hex_word(first)}, {hex_word(second)});"
                )
            return
        for place, word in enumerate(words):
            self._write("LOAD_NEXT" if place else "LOAD_FIRST", word)

    def _clear(self) -> None:
        self._note("What clear forgets.")
        self._write("STATUS", 0)
        self._check("STATUS", 0)

    def _keystream_words(self, key: bytes, count: int) -> list[int]:
        cipher = self.ip.cipher
        keystream = Keystream(cipher, key=key, iv=self.iv, iv_bits=cipher.iv_bits[-1])
        return self.ip.words(keystream.read(8 * WORD_BYTES * count))

    def _keystream(self, key: bytes) -> None:
        for word in self._keystream_words(key, _KEYSTREAM_WORDS):
            self._check("DATA", word)

    def _dma(self) -> None:
        """Words into memory, then one that is read."""
        self._note("Words into memory, and the next one by a read.")
        *words, last = self._keystream_words(self.key, _DMA_WORDS + 1)
        self._load(self.key)
        self._write("DMA_ADDRESS", 8 * WORD_BYTES)
        self._write("DMA_WORDS", _DMA_WORDS)
        self._until("IRQ_STATUS", self.bits["IRQ_STATUS_DONE"])
        self._check("STATUS", 0, self.bits["STATUS_BUSY"])
        for place, word in enumerate(words):
            self.lines.append(f"check_memory(8'd{8 + place}, {hex_word(word)});")
        self._check("DATA", last)

    def _given(self, key: bytes, length: int) -> Message:
        """A message to encrypt, or to authenticate, of ``length`` bytes; in a mode with lengths in
        bits three bits less."""
        return message_of(self.ip.cipher, key, length, self._spare(length))

    def _spare(self, length: int) -> int:
        return 3 if self.ip.in_bits and length else 0

    def _text(self, key: bytes, length: int, *, decrypts: bool) -> list[tuple[int, int]]:
        """The words of associated data and text of a message, with their marks."""
        secret = self._given(key, length)
        text = process(self.ip.cipher, secret).text if decrypts else secret.text
        prefix = self.ip.cipher.prefix(secret.associated_data)
        return [*self._marked(prefix, _MARK["DATA"], 0), *self._marked(text, 0, _MARK["LAST"])]

    def _marked(self, data: bytes, mark: int, last: int) -> list[tuple[int, int]]:
        counts = [
            len(data[place : place + WORD_BYTES]) for place in range(0, len(data), WORD_BYTES)
        ]
        words = list(zip((mark | count for count in counts), self.ip.words(data), strict=True))
        if not last:
            return words
        *before, (marks, word) = words or [(0, 0)]
        return [*before, (marks | last, word)]

    def _put_words(self, words: Sequence[tuple[int, int]]) -> None:
        for marks, word in words:
            self.lines.append(f"write(TEXT + {WORD_BYTES * marks}, {hex_word(word)});")

    def _message(
        self,
        key: bytes,
        length: int,
        *,
        loaded: bool = False,
        decrypts: bool | None = None,
        wrong: bool = False,
    ) -> None:
        """A message, what it becomes, and its tag: read where it is encrypted, else compared."""
        decrypts = self.decrypts if decrypts is None else decrypts
        message = self._given(key, length)
        result = process(self.ip.cipher, message)
        if "decrypt" in self.ip.core.inputs:
            self._write("CONTROL", self.bits["CONTROL_DECRYPT"] if decrypts else 0)
        if not loaded:
            self._load(key)
        self._write("TEXT_SPARE", self._spare(length))
        self._exchange(
            self._text(key, length, decrypts=decrypts),
            self._becoming(message.text if decrypts else result.text),
        )
        if self.ip.tag_bytes:
            self._tag(result.tag, compared=decrypts or wrong, wrong=wrong)

    def _becoming(self, text: bytes) -> list[int]:
        """The words that a text becomes; none where it is authenticated only."""
        return self.ip.words(text) if "data_out" in self.ip.core.streams else []

    def _exchange(self, put: Sequence[tuple[int, int]], expected: Sequence[int]) -> None:
        """Put words, as many ahead as the core needs, and check those that come out."""
        before = len(put) - len(expected)
        sent = 0
        for place, word in enumerate(expected):
            ready = min(len(put), before + place + self.ip.core.words_ahead)
            self._put_words(put[sent:ready])
            sent = ready
            self._check("DATA", word)
        self._put_words(put[sent:])

    def _tag(self, tag: bytes, *, compared: bool, wrong: bool) -> None:
        words = self.ip.words(tag)
        if not compared:
            for word in words:
                self._check("DATA", word)
            return
        for place, word in enumerate(words):
            self._write("TAG_EXPECTED", word ^ (1 << 9 if wrong and place == 0 else 0))
        good, bad = self.bits["STATUS_TAG_OK"], self.bits["STATUS_TAG_BAD"]
        self._check("STATUS", bad if wrong else good, good | bad)
        self._check("IRQ_STATUS", self.bits["IRQ_STATUS_TAG"], self.bits["IRQ_STATUS_TAG"])
