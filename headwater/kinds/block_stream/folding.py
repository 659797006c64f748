# SPDX-License-Identifier: Apache-2.0
"""Rounds of the Salsa20 family as circuits: two rounds, one, or a quarter of one in a cycle. For
rounds in stages see `pipelining`.

Sixteen registers hold the matrix. Each is named after the place whose word it holds when a block
begins. The words move between registers along fixed wires, so that each quarter round reads fixed
registers:

* A round a cycle: after each round every word moves to where the next round reads it. The quarter
rounds of the second kind are ordered so that the same wires lead back.
* A quarter round a cycle: the words at the same operand of the first kind's quarter rounds form a
ring of four, and every ring turns by one in each cycle. A quarter round of the first kind reads the
heads of the rings, one of the second kind reads four other fixed registers. Each result goes where
the word that it replaces would have gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from amaranth.hdl import Mux, Value

from headwater.algebra.word import Wire
from headwater.kinds.block_stream.description import WORDS, BlockStreamCipher, Round, Word

Wires = Callable[[str], Wire]
"""``wires(suffix)`` names values, and appends the suffix to every name."""


def rounds_of_cycle(
    wires: Wires,
    cipher: BlockStreamCipher,
    fold: str,
    state: Sequence[Word],
    second: Value,
) -> tuple[list[list[Word]], list[Word]]:
    """The next content of each of the sixteen registers in a cycle of rounds: one value, or two for
    rounds of the first and of the ``second`` kind; and the operands of the one quarter round of a
    cycle, where there is one."""
    match fold:
        case "double":
            return [[word] for word in _double(wires, cipher, state)], []
        case "round":
            return [[word] for word in _single(wires, cipher, state)], []
        case _:
            return _quarter(wires, cipher, state, second)


def _double(wires: Wires, cipher: BlockStreamCipher, state: Sequence[Word]) -> list[Word]:
    words = list(state)
    for which in range(2):
        words = _round(wires, cipher, words, which, f"_{which}")
    return words


def _single(wires: Wires, cipher: BlockStreamCipher, state: Sequence[Word]) -> list[Word]:
    return cipher.rewired(_round(wires, cipher, state, 0, ""))


def _round(
    wires: Wires, cipher: BlockStreamCipher, words: Sequence[Word], which: int, suffix: str
) -> list[Word]:
    return cipher.run_round(lambda number: wires(f"{suffix}_q{number}"), words, which)


def _quarter(
    wires: Wires, cipher: BlockStreamCipher, state: Sequence[Value], second: Value
) -> tuple[list[list[Value]], list[Value]]:
    read = cipher.first_round[0], quarters_of_second(cipher)[0]
    operands = [
        wires("")(state[one] if one == other else Mux(second, state[other], state[one]), name)
        for one, other, name in zip(*read, "abcd", strict=True)
    ]
    results = cipher.quarter_round(wires(""), *operands)
    after: list[list[Value]] = [[] for _ in range(WORDS)]
    for here, there in turn(cipher).items():
        made = [
            results[places.index(there)] if there in places else state[there] for places in read
        ]
        after[here] = made[:1] if made[0] is made[1] else made
    return after, operands


def turn(cipher: BlockStreamCipher) -> dict[int, int]:
    """For each register, the register in its ring from which it takes its word."""
    return {
        place: after
        for ring in zip(*cipher.first_round, strict=True)
        for place, after in zip(ring, (*ring[1:], ring[0]), strict=True)
    }


def quarters_of_second(cipher: BlockStreamCipher) -> Round:
    """The quarter rounds of the second kind, ordered so that while the rings turn they all read the
    same registers: those named after the operands of the first quarter round."""
    back = {there: here for here, there in turn(cipher).items()}
    for order in permutations(cipher.second_round):
        held = list(order)
        for turns in range(1, len(order)):
            held[turns:] = [tuple(back[place] for place in quarter) for quarter in held[turns:]]
        if len(set(held)) == 1:
            return order
    raise ValueError(f"the rounds of {cipher.name} have no turn in common")
