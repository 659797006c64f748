# SPDX-License-Identifier: Apache-2.0
"""A cycle of a self-synchronising core against the description.

The core does not have all registers of the description. The proof takes any state of the
description and derives what the core must hold for it. That a state is forgotten after as many
steps as the memory is long follows from the description, from which the memory is derived.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.core.naming import Naming, named
from headwater.kinds.self_synchronising.core import SelfSynchronisingCore
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher, following_cells
from headwater.prove.checker import Proof, earlier, first_cycle

State = Mapping[str, Value]
"""The description's registers by name."""


def _one_step(
    m: Module, cipher: SelfSynchronisingCipher, state: State, key: Value, bit: Value, name: str
) -> State:
    """The description's registers after a step in which a ciphertext bit enters."""
    wire = Naming(m, name)
    read = {0: state["c"], **{cell.address: state["q"][cell.address - 1] for cell in cipher.cells}}
    cells = following_cells(cipher.cells, read, key.__getitem__, wire)
    after: dict[str, Value] = {
        "c": bit,
        "q": wire(Cat(*(cells[address + 1] for address in range(len(cells)))), "q_after"),
    }
    word: Value = Cat(state["c"], state["q"])
    for stage in cipher.stages:
        after[stage.name] = wire(stage.made(Naming(m, f"{name}_{stage.name}"), word), stage.name)
        word = state[stage.name]
    return after


def _meant(
    m: Module, core: SelfSynchronisingCore, cipher: SelfSynchronisingCipher, state: State, name: str
) -> Iterator[tuple[Value, Value]]:
    """The core's registers, and the content of each if the description's registers hold ``state``.
    A result of the cells of ``age`` steps ago is in the description's stage number ``age``. The
    core's copy has already passed further stages, up to a register."""
    yield core.q, state["q"]
    yield core.c[0], state["c"]
    radix, reached = core.radix, 0
    for number, section in enumerate(core.facts.sections):
        reached += len(section)
        if number < len(core.layers):
            for place, register in enumerate(core.layers[number]):
                age = radix * (number + 1) - place
                yield register, _passed(m, cipher, state, age, reached, f"{name}_{age}")
    oldest = radix * len(core.layers) + len(core.line)
    for place, bit in enumerate(core.line):
        age = oldest - place
        yield bit, _passed(m, cipher, state, age, len(cipher.stages), f"{name}_{age}_out")


def _passed(
    m: Module, cipher: SelfSynchronisingCipher, state: State, age: int, reached: int, name: str
) -> Value:
    """What a stage holds, passed through the further stages up to ``reached``."""
    word: Value = state[cipher.stages[age - 1].name]
    for stage in cipher.stages[age:reached]:
        after = stage.made(Naming(m, f"{name}_{stage.name}"), word)
        word = named(m, f"{stage.name}{name}", after)
    return word


def check_step(m: Module, core: SelfSynchronisingCore, proof: Proof) -> None:
    """From any state, the core's registers continue to match the description's, and the word of a
    cycle is the keystream of its steps."""
    cipher: SelfSynchronisingCipher = proof.cipher
    radix = core.radix
    state: dict[str, Value] = {"c": core.c[0], "q": core.q}
    for stage in cipher.stages:
        register = Signal(stage.length, name=f"any_{stage.name}")
        m.d.sync += register.eq(~register)  # It could begin with anything, and is read only then.
        state[stage.name] = register
    first = first_cycle(m)
    for holds, meant in _meant(m, core, cipher, state, "_now"):
        m.d.comb += Assume(~first | (holds == meant))

    entering = Cat(core.c[1:], entering_word(core), Const(0, radix))
    states: list[State] = [state]
    for number in range(2 * radix - 1):
        states.append(
            _one_step(m, cipher, states[-1], core.key, entering[number], f"_step_{number}")
        )
    last = cipher.stages[-1].name
    keystream = Cat(*(states[radix - 1 + place][last] for place in range(radix)))
    m.d.comb += Assert(~first | ~core.enable | (core.word == keystream))
    emptied = (core.session.cleared | ResetSignal()) & (core.architecture.clear == "instant")
    moved = earlier(m, "moved", first & core.enable & ~emptied)
    lasts = earlier(m, "lasts", first & ~core.enable & ~emptied)
    for number, (holds, meant) in enumerate(_meant(m, core, cipher, states[radix], "_then")):
        expected = earlier(m, f"expected_{number}", meant)
        m.d.comb += Assert(~moved | (holds == expected))
        if number != 1:  # Bits in c that are not yet meant for the cipher may change.
            before = earlier(m, f"before_{number}", holds)
            m.d.comb += Assert(~lasts | (holds == before))


def entering_word(core: SelfSynchronisingCore) -> Value:
    """The ciphertext of this cycle, or the key's zeros or the IV in a setup."""
    iv = Mux(core.keying, 0, core.load.payload)
    return Mux(core.loading, iv, core.ciphertext)[: core.radix]
