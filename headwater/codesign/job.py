# SPDX-License-Identifier: Apache-2.0
"""Jobs of the firmware: the request in memory, and the words that memory must hold afterwards."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.codesign.scenario import Scenario
from headwater.codesign.system import INPUT_WORD, REQUEST_WORD, Run
from headwater.core.streams import Stream
from headwater.errors import InputError, ToolError
from headwater.interface.core_shape import CoreShape
from headwater.interface.public_secret import Secret, public_secret
from headwater.interface.registers import WORD_BITS
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of

REPORTED_BITS = 128
STEADY_WORDS = 2048
EDGE_WORDS = 16
_LOAD_ROOM = 64
_BLOCK_WORDS = 16
"""Words that software requests at once: a block, for ciphers of blocks."""
_MESSAGE_BEGINS, _MESSAGE_ENDS, _STEADY_BEGINS, _STEADY_ENDS = 1, 2, 3, 4


@dataclass(frozen=True)
class Job:
    """One run of a program."""

    memory: dict[int, list[int]]
    """Words in memory before the run, by the number of the first word."""
    expected: list[int]
    """Words that the program must write, from the first word of the output."""
    steady_words: int = STEADY_WORDS
    """Number of words that are timed in steady state."""

    def check(self, done: Run) -> None:
        """Refuse words that differ from the model; the message contains no word."""
        pairs = zip(done.words, self.expected, strict=True)
        wrong = [place for place, (left, right) in enumerate(pairs) if left != right]
        if wrong:
            raise ToolError(
                f"what is in memory must be what the model says, but {len(wrong)} of "
                f"{len(self.expected)} words differ, the first at byte {4 * wrong[0]}"
            )

    def cycles(self, done: Run) -> tuple[float, int]:
        """Cycles for 128 bits in steady state, and for the message."""
        marks = done.marks
        steady = (marks[_STEADY_ENDS] - marks[_STEADY_BEGINS]) * REPORTED_BITS
        return round(steady / (32 * self.steady_words), 4), (
            marks[_MESSAGE_ENDS] - marks[_MESSAGE_BEGINS]
        )


def job_of(scenario: Scenario, core: CoreShape, steady_words: int = STEADY_WORDS) -> Job:
    """The job of a scenario with a coprocessor."""
    cipher, architecture = scenario.cipher, scenario.architecture
    assert architecture is not None
    facts = facts_of(cipher, architecture)
    words = words_of(scenario)
    load = core.packed_load(facts.load_words(*public_secret(cipher)))
    request = _request(cipher, words, steady_words, load, _BLOCK_WORDS * scenario.stateless)
    if scenario.takes_text:
        return _text_job(cipher, request, words, public_secret(cipher), steady_words)
    total = words + steady_words
    expected = expected_keystream(cipher, total, public_secret(cipher))
    return Job({REQUEST_WORD: request}, expected, steady_words)


def software_job(
    cipher: Cipher,
    *,
    message_words: int,
    steady_words: int = STEADY_WORDS,
    secret: Secret | None = None,
) -> Job:
    """The job of the processor alone; ``secret`` is by default that of every measurement."""
    secret = secret or public_secret(cipher)
    request = _request(cipher, message_words, steady_words, [], 0, secret)
    if not cipher.has_keystream:
        return _text_job(cipher, request, message_words, secret, steady_words)
    expected = expected_keystream(cipher, message_words + steady_words, secret)
    return Job({REQUEST_WORD: request}, expected, steady_words)


def words_of(scenario: Scenario) -> int:
    """Length in words of a scenario's message: whole blocks if blocks are requested one by one, or
    several words are read together."""
    grouped = scenario.stateless or scenario.driver == "polling"
    grouped |= scenario.interface == "software"
    grouped |= scenario.architecture is not None and scenario.port.results > 1
    group = _BLOCK_WORDS if grouped and not scenario.takes_text else 1
    return -(-scenario.bytes // (4 * group)) * group


def _request(
    cipher: Cipher,
    message_words: int,
    steady_words: int,
    load: Sequence[int],
    block_words: int,
    secret: Secret | None = None,
) -> list[int]:
    """The request as it lies in memory; see `struct request` in the firmware."""
    key, iv = secret or public_secret(cipher)
    counter = cipher.counter_bits // 32
    head = [message_words, steady_words, len(load), block_words, counter, len(iv)]
    if len(load) > _LOAD_ROOM:
        raise InputError(
            f"load of {cipher.name} must be at most {_LOAD_ROOM} words of 32 bits, not {len(load)}"
        )
    padded = [*load, *[0] * (_LOAD_ROOM - len(load))]
    # Key and IV as bytes are for software alone; ciphers with longer ones have no software
    # baseline.
    bytes_of = struct.unpack("<16I", key[:32].ljust(32, b"\0") + iv[:32].ljust(32, b"\0"))
    return [*head, *padded, *bytes_of]


def expected_keystream(cipher: Cipher, words: int, secret: Secret) -> list[int]:
    """The keystream of the model as words of 32 bits in memory."""
    key, iv = secret
    keystream = Keystream(cipher, key=key, iv=iv, iv_bits=cipher.iv_bits[-1])
    return memory_words(cipher, keystream.read(WORD_BITS * words))


def memory_words(cipher: Cipher, data: bytes) -> list[int]:
    """Bytes as the words of 32 bits that a coprocessor takes or gives; the last one has zeros where
    bytes are missing."""
    memory = _memory(cipher)
    string, words = bitstring.from_bytes(data, cipher.bit_order), -(-8 * len(data) // WORD_BITS)
    return [memory.payload(string, number) for number in range(words)]


def _memory(cipher: Cipher) -> Stream:
    return Stream(
        name="memory",
        direction="output",
        width=WORD_BITS,
        order="words of memory",
        top_first=cipher.first_bit_on_top,
    )


def text_macros(scenario: Scenario) -> dict[str, int]:
    """Macros of the firmware for a text: the words of its tag, and what is authenticated before
    it."""
    if not scenario.takes_text:
        return {}
    prefix = scenario.cipher.prefix(b"")
    word = memory_words(scenario.cipher, prefix)[0] if prefix else 0
    tag = scenario.cipher.default_tag_bits if scenario.cipher.tag_lengths else 0
    return {"TAG_WORDS": tag // WORD_BITS, "PREFIX_BYTES": len(prefix), "PREFIX_WORD": word}


def _text_job(
    cipher: Cipher, request: list[int], words: int, secret: Secret, steady_words: int
) -> Job:
    """A job of two messages: the requested one, and a long one for the steady state."""
    text = [
        0x9E3779B9 * (place + 1) & 0xFFFFFFFF
        for place in range(words + 2 * EDGE_WORDS + steady_words)
    ]
    expected = [*_sealed(cipher, text[:words], secret), *_sealed(cipher, text[words:], secret)]
    return Job({REQUEST_WORD: request, INPUT_WORD: text}, expected, steady_words)


def _sealed(cipher: Cipher, text: Sequence[int], secret: Secret) -> list[int]:
    """Ciphertext and tag of a text, in words."""
    memory, bits = _memory(cipher), WORD_BITS * len(text)
    string = sum(memory.turned(word) << WORD_BITS * place for place, word in enumerate(text))
    data = bitstring.to_bytes(string, bits, cipher.bit_order)
    sealed = process(cipher, Message(*secret, b"", data, bits))
    return memory_words(cipher, sealed.text) + memory_words(cipher, sealed.tag)
