# SPDX-License-Identifier: Apache-2.0
"""The words that a netlist is simulated with for its power, and the words that it must give."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.core.architecture import Architecture
from headwater.errors import ToolError
from headwater.flow.gatesim import GateRun, Timed, simulate_gates
from headwater.flow.liberty import Library
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.prng.model import PrngInputs, PrngModel
from headwater.kinds.stepped.prng.shape import PrngShape, source_of
from headwater.verify.transfer import DataWord, transfer_of

_ASSOCIATED_BYTES = 5
_SHORT = 3
"""Words of a short message."""


@dataclass(frozen=True)
class Stimulus:
    """The input words of a core, and the output words of the model."""

    load_words: list[int]
    """Where sessions take turns, those of each session in turn."""
    data_words: list[DataWord]
    """Words of a message; empty for a core that gives keystream."""
    words: tuple[int, ...]
    """Words of keystream or tag, of all sessions in turn; empty for a message without a tag."""
    data: tuple[DataWord, ...] = ()
    """Words of the other text; empty for a message that is not encrypted."""

    @property
    def output(self) -> str:
        """The stream that ``words`` leave by."""
        return "tag" if self.data_words else "keystream"

    @property
    def by_stream(self) -> dict[str, Sequence[int | DataWord]]:
        """The words by the name of their stream."""
        streams: dict[str, Sequence[int | DataWord]] = {
            "load": self.load_words,
            "data_in": self.data_words,
            self.output: self.words,
            "data_out": self.data,
        }
        return {name: words for name, words in streams.items() if words}

    def check(self, run: GateRun, what: str) -> None:
        """Refuse a netlist whose words differ; ``what`` names it in the message."""
        if run.data != self.data:
            raise ToolError(f"{what} gives another text than the model")
        if run.words != self.words:
            raise ToolError(f"{what} gives another {self.output} than the model")


def stimulus(
    cipher: Cipher, architecture: Architecture, words: int, *, another: bool = False
) -> Stimulus:
    """The stimulus for ``words`` words of keystream or text: an irregular key and IV, the same in
    every call; or ``another``, whose message is decrypted where the core does both."""
    if source := source_of(cipher, architecture):
        return _source_stimulus(source, words)
    facts = facts_of(cipher, architecture)
    if "data_in" not in facts.streams:
        return _keystream_stimulus(cipher, architecture, words, another=another)
    bits = _text_bits(cipher, architecture, words)
    text = _irregular("text", bits, another=another)
    return _message_stimulus(cipher, architecture, text, bits, another=another)


def stimulus_of(
    cipher: Cipher, architecture: Architecture, message: Message, iv_bits: int
) -> Stimulus:
    """The words of a message, whose nonce has so many bits, and the words of the model's answer."""
    load_words = facts_of(cipher, architecture).load_words(message.key, message.nonce, iv_bits)
    transfer, sealed = transfer_of(cipher, architecture, message), process(cipher, message)
    tag = transfer.tag_payloads(sealed.tag) if sealed.tag else ()
    return Stimulus(load_words, transfer.entering, tag, transfer.leaving(sealed.text))


def longest_iv(cipher: Cipher, architecture: Architecture) -> int:
    """Bits of the longest IV that can be loaded."""
    facts = facts_of(cipher, architecture)
    return max(
        bits for bits in cipher.iv_bits if not facts.unfit(bits) and bits <= facts.stated_iv_bits
    )


def _stimuli_of_tags(cipher: Cipher, architecture: Architecture) -> list[Stimulus]:
    """Two short messages, for a core that makes a tag. The second has a word more, and in each bit
    of a word another parity of ones. What a wrong gate adds to the tag for each word, or for each
    one, an even number of times cancels out; here it cannot in both."""
    streams = facts_of(cipher, architecture).streams_in_one
    if "tag" not in streams:
        return []
    width = streams["data_in"].width
    bits, more = (_text_bits(cipher, architecture, _SHORT + extra) for extra in (0, 1))
    text = _irregular("text", bits)
    turned = text ^ (1 << width) - 1
    return [
        _message_stimulus(cipher, architecture, text, bits, another=False),
        _message_stimulus(cipher, architecture, turned, more, another=False),
    ]


def _keystream_stimulus(
    cipher: Cipher, architecture: Architecture, words: int, *, another: bool
) -> Stimulus:
    """The words of each session's load, and of their keystreams in turn."""
    facts, count = facts_of(cipher, architecture), architecture.streams
    # A core in shares has more payload bits; the words compared are without them.
    stream = replace(facts.streams["keystream"], width=architecture.radix)
    loads, strings = list[int](), list[int]()
    for session in range(count):
        key, iv, iv_bits = _key_and_iv(cipher, architecture, session, another=another)
        loads += facts.load_words(key, iv, iv_bits)
        read = Keystream(cipher, key=key, iv=iv, iv_bits=iv_bits).read
        data = read(stream.width * -(-words // count))
        strings.append(bitstring.from_bytes(data, cipher.bit_order))
    payloads = (stream.payload(strings[word % count], word // count) for word in range(words))
    return Stimulus(loads, [], tuple(payloads))


def _source_stimulus(source: PrngShape, words: int) -> Stimulus:
    """The words of a seed, and those that the model then makes, asked for in each cycle."""
    key, iv, _ = _key_and_iv(source.cipher, source.architecture)
    seed = source.seed_of_state(key) if source.seed_by == "state" else source.seed(key, iv)
    model, random_words = PrngModel(source), list[int]()
    waiting = list(seed)
    while len(random_words) < words:
        inputs = PrngInputs(en=True, seed_valid=bool(waiting), seed=waiting[0] if waiting else 0)
        outputs = model.clock(inputs)
        if waiting and outputs.seed_ready:
            waiting.pop(0)
        if outputs.valid:
            random_words.append(outputs.prng)
    return Stimulus(seed, [], tuple(random_words))


def simulate_as_model(
    cipher: Cipher,
    architecture: Architecture,
    netlist: str,
    library: Library,
    top: str,
    words: int,
    folder: Path,
    *,
    watch: bool,
    timed: Timed | None = None,
) -> GateRun:
    """Simulate the gates of a core for so many words of keystream, or of a message's text (see
    :func:`~headwater.flow.gatesim.simulate_gates`); an error if they are not the model's. Of a core
    that makes tags, gates without delays take two short messages as well."""
    facts = facts_of(cipher, architecture)

    def simulated(of_tag: Stimulus, *, watch: bool) -> GateRun:
        run = simulate_gates(
            netlist,
            library,
            top,
            load_words=of_tag.load_words,
            words=len(of_tag.words),
            folder=folder,
            data_words=of_tag.data_words,
            sessions=architecture.streams,
            watch=watch,
            timed=timed,
        )
        run = replace(
            run,
            words=tuple(facts.joined(word, stream=of_tag.output) for word in run.words),
            data=tuple(
                (facts.joined(payload, stream="data_out"), keep, last)
                for payload, keep, last in run.data
            ),
        )
        of_tag.check(run, f"the {library.name} netlist of {top}")
        return run

    for of_tag in [] if timed else _stimuli_of_tags(cipher, architecture):
        simulated(of_tag, watch=False)
    return simulated(stimulus(cipher, architecture, words), watch=watch)


def _key_and_iv(
    cipher: Cipher, architecture: Architecture, session: int = 0, *, another: bool = False
) -> tuple[bytes, bytes, int]:
    """An irregular key of a session, and an irregular IV of the greatest length that can be
    loaded."""
    iv_bits = longest_iv(cipher, architecture)
    order = cipher.input_order or cipher.bit_order
    whose = f" of session {session}" if session else ""
    iv = cipher.fitting_iv(_irregular(f"iv{whose}", iv_bits, another=another))
    number = _irregular(f"key{whose}", cipher.key_bits, another=another)
    key = bitstring.to_bytes(number, cipher.key_bits, order)
    return key, bitstring.to_bytes(iv, iv_bits, order), iv_bits


def _text_bits(cipher: Cipher, architecture: Architecture, words: int) -> int:
    """The length of a text that is one bit, or one byte, shorter than ``words`` words."""
    bits = facts_of(cipher, architecture).streams_in_one["data_in"].width * words - 1
    return max(cipher.text_unit, bits - bits % cipher.text_unit)


def _message(
    cipher: Cipher,
    architecture: Architecture,
    key: bytes,
    nonce: bytes,
    text: int,
    bits: int,
    *,
    another: bool,
) -> Message:
    """A message with a text of ``bits`` bits, and irregular associated data."""
    order = cipher.bit_order
    both = "decrypt" in facts_of(cipher, architecture).inputs
    associated = 8 * cipher.takes_associated_data * _ASSOCIATED_BYTES
    return Message(
        key=key,
        nonce=nonce,
        associated_data=bitstring.to_bytes(
            _irregular("ad", associated, another=another), associated, order
        ),
        text=bitstring.to_bytes(text, bits, order),
        bits=bits,
        decrypts=architecture["direction"] == "decrypt" or (another and both),
    )


def _message_stimulus(
    cipher: Cipher, architecture: Architecture, text: int, bits: int, *, another: bool
) -> Stimulus:
    """The stimulus of an irregular message with this text."""
    key, iv, iv_bits = _key_and_iv(cipher, architecture, another=another)
    message = _message(cipher, architecture, key, iv, text, bits, another=another)
    return stimulus_of(cipher, architecture, message, iv_bits)


def _irregular(purpose: str, bits: int, *, another: bool = False) -> int:
    """Bits that look random, the same for each purpose."""
    seed = f"another {purpose}" if another else purpose
    data = hashlib.shake_256(seed.encode()).digest(-(-bits // 8))
    return int.from_bytes(data, "little") & (1 << bits) - 1
