# SPDX-License-Identifier: Apache-2.0
"""The description's matrix of a block, from a core in which the words move between registers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from amaranth.hdl import Array, Assert, Const, Module, Mux, Signal, Value

from headwater.core.naming import Naming, named
from headwater.kinds.block_stream.core import BlockStreamCore
from headwater.kinds.block_stream.description import WORD_BITS, WORDS, BlockStreamCipher
from headwater.kinds.block_stream.folding import quarters_of_second
from headwater.kinds.block_stream.loaded import LoadedCore, words_of
from headwater.kinds.block_stream.pipelining import staged_round
from headwater.prove.checker import becomes


def matrix_of(core: LoadedCore, cipher: BlockStreamCipher, counter: Value) -> list[Value]:
    """The description's matrix for the core's key, nonce and block number ``counter``."""
    matrix: list[Value] = cipher.begin(
        words_of(core.key), words_of(core.nonce), words_of(counter), _number
    )
    return matrix


def begun_with(core: LoadedCore, cipher: BlockStreamCipher, counter: Value) -> list[Value]:
    """What the rounds begin with: that matrix, or the one that the key is derived from."""
    matrix = matrix_of(core, cipher, counter)
    if core.derived is None:
        return matrix
    of_key = cipher.begin_key(words_of(core.key), words_of(core.nonce), _number)
    return [Mux(core.derived, *words) for words in zip(matrix, of_key, strict=True)]


def _number(value: int) -> Value:
    return Const(value, WORD_BITS)


def plain_state(m: Module, core: BlockStreamCore, cipher: BlockStreamCipher) -> list[Value]:
    """The words by their place in the matrix, in a cycle of rounds."""
    held = _held(cipher, core.architecture["fold"])
    if len(held) == 1:
        return list(core.state)
    quarters = core.architecture["fold"] == "quarter"
    index = core.cycle[:2] if quarters else second_kind(core)
    plain = []
    for place in range(WORDS):
        registers = Array(core.state[where.index(place)] for where in held)
        plain.append(named(m, f"plain_{place}", registers[index]))
    return plain


def second_kind(core: BlockStreamCore, stage: int = 0) -> Value:
    """Whether a stage makes a round of the second kind. Each cycle it has another block: block n
    begins a cycle more than the rounds after block n - 1, and comes to the first stage again once
    it has passed all."""
    stages, rounds = core.facts.stages, core.cipher.rounds
    if stages == 1:
        return core.cycle[0]
    kinds = [0] * (stages * rounds)
    for block in range(stages):
        for number in range(rounds):
            cycle = block * (rounds + 1) + stages * number + stage
            kinds[cycle % len(kinds)] = number % 2
    return Value.cast(Array(Const(kind, 1) for kind in kinds)[core.cycle])


def _held(cipher: BlockStreamCipher, fold: str) -> list[list[int]]:
    """The place in the matrix whose word each register holds, for each cycle of a period. Derived
    from the description alone: the words that a quarter round of the first kind reads are in the
    registers that it reads."""
    at_home = list(range(WORDS))
    match fold:
        case "round" | "stages2" | "stages4":
            return [at_home, _in_order(cipher)]
        case "quarter":
            first = cipher.first_round
            cycles = []
            for turn in range(4):
                where = list(at_home)
                for number, quarter in enumerate(first):
                    for register, place in zip(quarter, first[(number + turn) % 4], strict=True):
                        where[register] = place
                cycles.append(where)
            return cycles
    return [at_home]


def _in_order(cipher: BlockStreamCipher) -> list[int]:
    """The places whose words the registers hold before a round of the second kind."""
    first, second = cipher.kinds_of_round
    where = list(range(WORDS))
    for register, place in zip(chain(*first), chain(*second), strict=True):
        where[register] = place
    return where


def plain_after(
    m: Module, core: BlockStreamCore, cipher: BlockStreamCipher, moves: Value
) -> list[Value]:
    """The words, by their place, after the rounds of a cycle as ``cipher`` describes them, computed
    from the words that the core reads; asserts that these are the right ones. With stages the words
    are those of the last one; the stages before it must make what ``cipher`` describes in cycles in
    which the core ``moves``."""
    if core.stages:
        return _after_stages(m, core, cipher, moves)
    match core.architecture["fold"]:
        case "double":
            half = cipher.run_round(lambda _: Naming(m, "_meant_0"), core.state, 0)
            return cipher.run_round(lambda _: Naming(m, "_meant_1"), half, 1)
        case "quarter":
            return _after_quarter(m, core, cipher)
        case _:
            return _after_round(m, core, cipher)


def _after_round(m: Module, core: BlockStreamCore, cipher: BlockStreamCipher) -> list[Value]:
    plain, second = plain_state(m, core, cipher), second_kind(core)
    kinds = cipher.kinds_of_round
    after: list[Value] = [*plain]
    results = []
    for own, (one, other) in zip(cipher.first_round, zip(*kinds, strict=True), strict=True):
        operands = [core.state[register] for register in own]
        for operand, here, there in zip(operands, one, other, strict=True):
            m.d.comb += Assert(operand == Mux(second, plain[there], plain[here]))
        results.append(cipher.quarter_round(Naming(m, "_meant"), *operands))
    made = list(chain(*results))
    orders = [list(chain(*kind)) for kind in kinds]
    for place in range(WORDS):
        after[place] = Mux(second, *(made[order.index(place)] for order in reversed(orders)))
    return after


def _after_stages(
    m: Module, core: BlockStreamCore, cipher: BlockStreamCipher, moves: Value
) -> list[Value]:
    assert core.stages
    registers = core.stages.registers

    def delay(name: str, value: Value) -> Signal:
        becomes(m, moves, registers[name], value)
        return registers[name]

    wires = partial(_meant, m)
    made = staged_round(cipher, core.facts.stages, core.state, wires, delay)
    last = second_kind(core, core.facts.stages - 1)
    first, second = (list(chain(*kind)) for kind in cipher.kinds_of_round)
    return [Mux(last, made[first[second.index(place)]], made[place]) for place in range(WORDS)]


def _meant(m: Module, number: int) -> Naming:
    return Naming(m, f"_meant_q{number}")


def _after_quarter(m: Module, core: BlockStreamCore, cipher: BlockStreamCipher) -> list[Value]:
    plain, index = plain_state(m, core, cipher), core.cycle[:3]
    quarters = [*cipher.first_round, *quarters_of_second(cipher)]
    for number, operand in enumerate(core.operands):
        meant = Array(plain[quarter[number]] for quarter in quarters)[index]
        m.d.comb += Assert(operand == meant)
    results = cipher.quarter_round(Naming(m, "_meant"), *core.operands)
    return [_one_of(plain[place], place, results, quarters, index) for place in range(WORDS)]


def _one_of(
    kept: Value,
    place: int,
    results: Sequence[Value],
    quarters: Sequence[Sequence[int]],
    index: Value,
) -> Value:
    """A word after the quarter round that ``index`` selects."""
    return Array(
        results[quarter.index(place)] if place in quarter else kept for quarter in quarters
    )[index]
