# SPDX-License-Identifier: Apache-2.0
"""Ciphers whose keystream is blocks, each a function of key, nonce and block number.

The function is that of the Salsa20 family: a matrix of sixteen words goes through rounds of four
quarter rounds each, of two alternating kinds; then the first matrix is added. Blocks are
independent, so the keystream can begin at any block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations
from typing import Any, ClassVar

from headwater.algebra.word import Wire, add
from headwater.cipher.description import Cipher
from headwater.cipher.option import KEY_BITS_ADVICE, Option
from headwater.errors import InputError, describe_lengths, unknown
from headwater.kinds.block_stream.adders import adders_of_words, additions_in_a_row

Word = Any
"""A word of 32 bits, whatever it is being read with."""

Round = tuple[tuple[int, ...], ...]
"""The places in the matrix that each quarter round of a round works on."""

WORD_BITS = 32
WORDS = 16
BLOCK_BITS = WORDS * WORD_BITS

FOLD = Option(
    "fold",
    ("round", "double", "quarter", "stages2", "stages4", "pipeline"),
    "round: a cycle makes a round; double: a cycle makes two rounds; quarter: a cycle makes one "
    "quarter round; stages2: a round is cut into two stages, each with a block of its own, and a "
    "cycle makes a round in all; stages4: a round is cut into four stages, each with a block of "
    "its own, and a cycle makes a round in all; pipeline: all rounds in a row, with registers "
    "behind each addition, at radix 512: a block in every cycle",
    "double costs the logic of two rounds and halves the cycles of a block; quarter needs four "
    "times the cycles, and multiplexers around its one quarter round; stages cost 512 flip-flops "
    "each, and the first block comes so many times later; pipeline has the logic of every round, "
    "and 512 flip-flops for each addition in a row. Choose stages for throughput, pipeline for a "
    "link of many Gbit/s, double where the clock is slow anyway, and quarter for area where "
    "multiplexers are cheap.",
)
_STAGES = {"stages2": 2, "stages4": 4}
PIPELINE = "pipeline"
"""The fold in which no stage is used twice for a block."""
BUFFER = Option(
    "buffer",
    ("block", "none"),
    "block: a finished block moves to a buffer and the next one is begun; none: a "
    "finished block is given from where it was made",
    "The buffer costs 512 flip-flops and a second block number, and hides the time to give a "
    "block behind the time to make the next. Choose none for area.",
)
ADDITION = Option(
    "addition",
    ("own", "shared"),
    "own: adders of its own add the first matrix to a block; shared: adders of the rounds add the "
    "first matrix to a block, which is given in a cycle without a round",
    "shared saves sixteen adders, and puts multiplexers into the path of a round. Choose it for "
    "area in standard cells; on an FPGA the multiplexers take about as many LUTs as the adders.",
    unsaid=True,
)


def stages_of(fold: str) -> int:
    """The stages that the one round of a fold is cut into, which is also the number of blocks in
    flight."""
    return _STAGES.get(fold, 1)


@dataclass(frozen=True)
class KeyDerivation:
    """How the key of the blocks is made of the key that is loaded: by the rounds of a block,
    without the first matrix added behind them."""

    matrix: Callable[..., list[Word]]
    """``matrix(constants, key, nonce)`` is the matrix that the rounds begin with."""
    places: tuple[int, ...]
    """The places of the words that become the key."""


@dataclass(frozen=True, kw_only=True)
class BlockStreamCipher(Cipher):
    """A cipher of the Salsa20 family: sixteen words of 32 bits, little-endian
    (``bit_order="lsb_first"``). There is one length of the IV; it, the lengths of the key and
    ``counter_bits`` are multiples of 32. A member of the family that differs little is a copy of
    another with other fields: ``dataclasses.replace(CHACHA20, name=..., rounds=12, ...)``."""

    kind: ClassVar[str] = "block_stream"
    own_options = (FOLD, BUFFER, ADDITION)
    own_fields: ClassVar[frozenset[str]] = frozenset({"counter_bits"})

    rounds: int
    """Rounds of a block; an even number."""
    legal_rounds: tuple[int, ...]
    """All that are offered as the parameter ``rounds``."""
    legal_keys: tuple[int, ...]
    """Lengths of the key that are offered as the parameter ``key_bits``."""
    constants: Mapping[int, tuple[int, ...]]
    """The four constant words of a matrix, by length of the key."""
    quarter_round: Callable[..., tuple[Word, Word, Word, Word]]
    """``quarter_round(wire, a, b, c, d)`` gives the four words after it, made with ``^``, ``add``,
    ``rotate_left``, ``concatenate``, ``a[n]`` and ``a[low:high]`` alone."""
    first_round: Round
    """The places in the matrix that the four quarter rounds of odd rounds work on."""
    second_round: Round
    """The same of even rounds."""
    matrix: Callable[..., list[Word]]
    """``matrix(constants, key, nonce, counter)`` is the matrix of a block, row by row. All
    arguments are words, the first or lowest one first."""
    derivation: KeyDerivation | None = None
    """How the key of the blocks is derived from the one that is loaded, if it is."""

    def __hash__(self) -> int:
        return hash((self.name, self.rounds, self.key_bits))

    @property
    def parameters(self) -> tuple[Option, ...]:
        """Number of rounds and length of the key, where there are several; default: this
        cipher's."""
        offered = (
            (
                "rounds",
                self.rounds,
                self.legal_rounds,
                "rounds of a block",
                "Fewer rounds take fewer cycles, and leave less margin against attacks.",
            ),
            (
                "key_bits",
                self.key_bits,
                self.legal_keys,
                "length of the key; where a key is given, it is the key's",
                KEY_BITS_ADVICE,
            ),
        )
        return tuple(
            Option(name, tuple(map(str, dict.fromkeys((own, *legal)))), meaning, advice)
            for name, own, legal, meaning, advice in offered
            if len(legal) > 1
        )

    def with_parameters(self, values: Mapping[str, str]) -> BlockStreamCipher:
        """The cipher with this number of rounds and this length of key; other names are ignored."""
        chosen = {
            option.name: values.get(option.name, option.default) for option in self.parameters
        }
        for option in self.parameters:
            if chosen[option.name] not in option.values:
                raise unknown(f"option {option.name}", chosen[option.name], option.values)
        return replace(
            self,
            rounds=int(chosen.get("rounds", self.rounds)),
            key_bits=int(chosen.get("key_bits", self.key_bits)),
        )

    def for_key(self, bits: int) -> BlockStreamCipher:
        """The cipher that takes keys of this length."""
        if bits not in self.legal_keys:
            legal = describe_lengths(self.legal_keys)
            raise InputError(f"key of {self.name} must be {legal}, not {bits} bits")
        return self if bits == self.key_bits else replace(self, key_bits=bits)

    def sheet(self) -> dict[str, Any]:
        """Entries of the data sheet that describe a block at any architecture."""
        bits = self.counter_bits
        return {
            "rounds": self.rounds,
            "block_bits": BLOCK_BITS,
            "counter_bits": bits,
            "counter_wrap": f"after block 2^{bits} - 1 comes block 0, and the keystream repeats: a "
            f"key and nonce must not be used for more than 2^{bits} blocks",
            "seeking": "any block can be the first: its number is the last thing that is loaded",
        }

    @property
    def state_bits(self) -> int:
        """Flip-flops of the running cipher: the matrix, and key, nonce and number."""
        return BLOCK_BITS + self.load_bits

    @property
    def load_bits(self) -> int:
        """Bits of key, nonce and block number."""
        return self.key_bits + self.iv_bits[-1] + self.counter_bits

    seek_bits = BLOCK_BITS

    def legal_radices(self) -> tuple[int, ...]:
        """A word, two words, or a whole block."""
        return (WORD_BITS, 2 * WORD_BITS, BLOCK_BITS)

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """Multiples of a word that divide the load."""
        words = self.load_bits // WORD_BITS
        return tuple(count * WORD_BITS for count in range(1, words + 1) if words % count == 0)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse stages without a buffer, and where the words of a block are given more slowly than
        some blocks follow each other, and faster than others. Refuse blocks in every cycle that do
        not leave in one. Refuse adders that are shared where they are not idle or too few."""
        super().check_choices(radix, load_width, options)
        fold = options.get("fold", "")
        stages, words = stages_of(fold), BLOCK_BITS // radix
        in_flight = stages > 1 or fold == PIPELINE
        if fold == PIPELINE and words > 1:
            raise InputError(
                f"radix of {self.name} with fold={fold} must be {BLOCK_BITS}, not {radix!r}: a "
                "block is made in every cycle, and must leave in one"
            )
        additions = additions_in_a_row(self.quarter_round) if in_flight else stages
        if additions < stages:
            raise InputError(
                f"fold of {self.name} must not be {fold!r}: a quarter round has {additions} "
                "additions in a row, and each stage needs one"
            )
        if in_flight and options.get("buffer") == "none":
            raise InputError(
                f"buffer of {self.name} with fold={fold} must be 'block', not 'none': blocks that "
                "are in flight cannot wait for one that is given"
            )
        if self.rounds - stages + 1 < words < self.rounds + 1 and stages > 1:
            raise InputError(
                f"fold of {self.name} with {self.rounds} rounds at radix {radix} must not be "
                f"{fold!r}: its blocks would follow each other unevenly"
            )
        first = range(radix // WORD_BITS)
        if stages > 1 and words > 1 and not self.numbered().isdisjoint(first):
            raise InputError(
                f"fold of {self.name} at radix {radix} must not be {fold!r}: the first words of "
                "its matrix are selected before the block number is known"
            )
        if options.get("addition") == "shared":
            self._check_shared(radix, fold, options.get("buffer", ""))

    def check_functions(self) -> None:
        """Refuse lengths that are no words of a matrix, or that ``matrix`` does not take, and a
        quarter round of operations that not every reading of it has."""
        super().check_functions()
        additions_in_a_row(self.quarter_round)
        for what, lengths in (("iv_bits", self.iv_bits), ("counter_bits", (self.counter_bits,))):
            if len(lengths) > 1 or lengths[0] < WORD_BITS or lengths[0] % WORD_BITS:
                raise InputError(
                    f"{what} of {self.name} must be one multiple of {WORD_BITS}, not "
                    f"{', '.join(map(str, lengths))}"
                )
        if self.bit_order != "lsb_first":
            raise InputError(
                f"bit_order of {self.name} must be lsb_first, as its words are little-endian, not "
                f"{self.bit_order!r}"
            )
        for which in (self.first_round, self.second_round):
            if sorted(chain(*which)) != list(range(WORDS)):
                raise InputError(
                    f"each round of {self.name} must have the places 0 to {WORDS - 1} once, "
                    f"not {which}"
                )
        if self.key_bits not in self.legal_keys:
            raise unknown(f"key_bits of {self.name}", self.key_bits, self.legal_keys)
        for bits in self.legal_keys:
            self._check_matrix(bits)

    def _check_matrix(self, key_bits: int) -> None:
        """Refuse a length of the key without constants, or without a whole matrix."""
        if key_bits not in self.constants:
            raise unknown(f"legal_keys of {self.name}", key_bits, self.constants)
        lengths = (key_bits, self.iv_bits[-1], self.counter_bits)
        constants, zeros = list(self.constants[key_bits]), [[0] * (n // WORD_BITS) for n in lengths]
        made = {"matrix": self.matrix(constants, *zeros)}
        if self.derivation:
            made["matrix of derivation"] = self.derivation.matrix(constants, *zeros[:2])
            places, words = self.derivation.places, key_bits // WORD_BITS
            if len(places) != words or not set(places) <= set(range(WORDS)):
                raise InputError(
                    f"places of derivation of {self.name} must be {words} of 0 to {WORDS - 1}, "
                    f"not {places}"
                )
        for what, matrix in made.items():
            if len(matrix) != WORDS:
                raise InputError(
                    f"{what} of {self.name} must give {WORDS} words, not {len(matrix)}"
                )

    def _check_shared(self, radix: int, fold: str, buffer: str) -> None:
        if not adders_of_words(self.quarter_round):
            raise InputError(
                f"addition of {self.name} must be 'own', not 'shared': a quarter round has fewer "
                "adders than words"
            )
        if (radix, fold, buffer) != (BLOCK_BITS, "round", "none"):
            raise InputError(
                f"addition of {self.name} at radix {radix} with fold={fold} and buffer={buffer} "
                f"must be 'own', not 'shared': only at radix {BLOCK_BITS} with fold=round and "
                "buffer=none an idle round has an adder for each word that is given"
            )

    def numbered(self) -> frozenset[int]:
        """The places in the matrix that have words of the block number."""
        words = (self.key_bits, self.iv_bits[-1], self.counter_bits)
        zeros, nonce, number = ([value] * (bits // WORD_BITS) for value, bits in enumerate(words))
        matrix = self.begin(zeros, nonce, number, lambda _: 0)
        return frozenset(place for place, word in enumerate(matrix) if word == 2)

    def begin(
        self, key: Sequence[Word], nonce: Sequence[Word], counter: Sequence[Word], number: Any
    ) -> list[Word]:
        """The matrix of a block, from words; ``number(value)`` is a constant word."""
        constants = [number(value) for value in self.constants[self.key_bits]]
        return self.matrix(constants, key, nonce, counter)

    def begin_key(self, key: Sequence[Word], nonce: Sequence[Word], number: Any) -> list[Word]:
        """The matrix that the key of the blocks is derived from, as `begin`."""
        assert self.derivation is not None
        constants = [number(value) for value in self.constants[self.key_bits]]
        return self.derivation.matrix(constants, key, nonce)

    def derived(self, words: Sequence[Word]) -> list[Word]:
        """The key of the blocks, of the words after the rounds that derive it."""
        assert self.derivation is not None
        return [words[place] for place in self.derivation.places]

    def run_rounds(self, wire: Wire, matrix: Sequence[Word]) -> list[Word]:
        """The words after all rounds."""
        words = list(matrix)
        for which in range(self.rounds):
            words = self.run_round(lambda _: wire, words, which)
        return words

    def run_round(
        self, wires: Callable[[int], Wire], words: Sequence[Word], which: int
    ) -> list[Word]:
        """The matrix after round number ``which``, counted from zero; ``wires(n)`` names the values
        of quarter round n."""
        after = list(words)
        for number, quarter in enumerate(self.kinds_of_round[which % 2]):
            results = self.quarter_round(wires(number), *(words[place] for place in quarter))
            for place, word in zip(quarter, results, strict=True):
                after[place] = word
        return after

    def rewired(self, words: Sequence[Word]) -> list[Word]:
        """The matrix with each word where a round of the other kind reads it."""
        first, second = self.kinds_of_round
        after = list(words)
        for here, there in zip(chain(*first), chain(*second), strict=True):
            after[here] = words[there]
        return after

    def block(self, wire: Wire, matrix: Sequence[Word]) -> list[Word]:
        """The keystream words of a block."""
        words = self.run_rounds(wire, matrix)
        return [add(word, first) for word, first in zip(words, matrix, strict=True)]

    @property
    def kinds_of_round(self) -> tuple[Round, Round]:
        """The operands of both kinds of round. The second kind's quarter rounds are ordered so that
        the permutation of words from first to second kind is also the one back: the same wires
        serve both."""
        for order in permutations(self.second_round):
            there = _moves(self.first_round, order)
            if there == _moves(order, self.first_round):
                return self.first_round, order
        raise ValueError(f"the rounds of {self.name} have no wiring in common")


def _moves(before: Round, after: Round) -> list[int]:
    """For each operand of the round ``after``, its place among those of ``before``."""
    place = {word: number for number, word in enumerate(chain(*before))}
    return [place[word] for word in chain(*after)]
