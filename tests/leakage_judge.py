# SPDX-License-Identifier: Apache-2.0
"""Masked circuits drawn at random, and what each net of them leaks by counting every case.

Nothing here is of Headwater: circuits are lists, a signal is the integer whose bit ``n`` is its
value in case ``n``, and distributions are counted case by case.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

KINDS = ("and", "or", "xor", "nand", "not")


@dataclass(eq=False)
class Circuit:
    """Two secrets of two shares as ports, one secret of two shares in registers, random bits, and
    registers that only delay."""

    name: str
    randoms: int
    gates: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    """Name, kind and inputs."""
    stages: list[tuple[str, str]] = field(default_factory=list)
    """Registers that are no shares: name, and the net that they take."""
    state: dict[str, str] = field(default_factory=dict)
    """Registers that are shares: the net that they take, by name."""

    @property
    def ports(self) -> list[str]:
        """Shares of x and y, and random bits."""
        return [
            f"{self.name}{port}"
            for port in ("x0", "x1", "y0", "y1", *(f"r{at}" for at in range(self.randoms)))
        ]

    @property
    def sources(self) -> list[str]:
        """What no gate drives."""
        return [*self.ports, *self.state, *(name for name, _ in self.stages)]

    def verilog(self) -> Iterator[str]:
        """Declarations and equations, one for each gate."""
        for name in (*self.state, *(name for name, _ in self.stages)):
            yield f"reg {name};"
        for name, kind, read in self.gates:
            sign = {"and": "&", "or": "|", "xor": "^", "nand": "&", "not": "~"}[kind]
            text = f"~{read[0]}" if kind == "not" else f" {sign} ".join(read)
            yield f"wire {name}; assign {name} = {f'~({text})' if kind == 'nand' else text};"
        for name, taken in (*self.state.items(), *self.stages):
            yield f"always @(posedge clk) {name} <= {taken};"


def drawn(name: str, seed: int, *, stateful: bool, staged: bool) -> Circuit:
    """A circuit with shares in registers, with registers that delay, or with both. The next shares
    depend on no register that delays. Half of the circuits read first shares alone, but for the
    next shares: they often are secure."""
    source = random.Random(seed)
    circuit = Circuit(name, randoms=1 if staged else source.choice((1, 2)))
    if stateful:
        circuit.state = {f"{name}s0": "", f"{name}s1": ""}
    nets = circuit.sources
    if source.random() < 0.5:
        nets = [net for net in nets if not net.endswith("1")]
    pool = tuple(nets)
    for number in range(source.randrange(3, 9)):
        kind = source.choice(("and", "xor", "xor", *KINDS))
        read = (source.choice(nets),) if kind == "not" else tuple(source.sample(nets, 2))
        circuit.gates.append((f"{name}n{number}", kind, read))
        nets.append(f"{name}n{number}")
        if staged and source.random() < 0.35:
            stage = f"{name}q{len(circuit.stages)}"
            circuit.stages.append((stage, nets[-1]))
    first = len(circuit.gates)
    for number in range(source.randrange(0, 4) if circuit.stages else 0):
        # Behind the registers: one stage only, so that all cases can be counted.
        kind = source.choice(("and", "xor", "xor"))
        late = [stage for stage, _ in circuit.stages] + [one for one, *_ in circuit.gates[first:]]
        read = tuple(source.choice([*late, *pool]) for _ in range(2))
        circuit.gates.append((f"{name}m{number}", kind, read))
    if stateful:
        _close(circuit, source, nets)
    return circuit


def _close(circuit: Circuit, source: random.Random, nets: Sequence[str]) -> None:
    """Take a next state: often one that is a sharing again."""
    name = circuit.name
    ways = [
        (f"{name}s1", f"{name}s0"),
        (f"{name}x0", f"{name}x1"),
        (source.choice(nets),) * 2,
        (source.choice(nets), source.choice(nets)),
    ]
    masks = [source.choice("rysx")] * 2 if source.random() < 0.8 else source.sample("rysx", 2)
    for share, taken in enumerate(source.choice(ways)):
        mask = f"{name}{masks[share]}{0 if masks[share] == 'r' else share}"
        circuit.gates.append((f"{name}t{share}", "xor", (taken, mask)))
        circuit.state[f"{name}s{share}"] = f"{name}t{share}"


class Judge:
    """All cases of a circuit over some cycles, the last two of which are probed."""

    def __init__(self, circuit: Circuit, cycles: int) -> None:
        self.circuit = circuit
        drawn_bits = len(circuit.state) + cycles * len(circuit.ports)
        self._cases = 1 << drawn_bits
        self._every = (1 << self._cases) - 1
        self._columns = iter(range(drawn_bits))
        values = {name: self._column() for name in circuit.state}
        values |= {name: 0 for name, _ in circuit.stages}
        self.runs: list[dict[str, int]] = []
        self._secrets: list[int] = []
        if circuit.state:
            first, second = circuit.state
            self._secrets.append(values[first] ^ values[second])
        for _ in range(cycles):
            values |= {port: self._column() for port in circuit.ports}
            self._secrets += [
                values[f"{circuit.name}{one}0"] ^ values[f"{circuit.name}{one}1"] for one in "xy"
            ]
            values |= self._gates(values)
            self.runs.append(dict(values))
            values = {
                **values,
                **{
                    name: values[taken] for name, taken in (*circuit.state.items(), *circuit.stages)
                },
            }

    def _column(self) -> int:
        run = 1 << next(self._columns)
        column, size = (1 << run) - 1 << run, 2 * run
        while size < self._cases:
            column |= column << size
            size *= 2
        return column

    def _gates(self, values: dict[str, int]) -> dict[str, int]:
        known = dict(values)
        for name, kind, read in self.circuit.gates:
            inputs = [known[one] for one in read]
            if kind == "not":
                known[name] = inputs[0] ^ self._every
            elif kind == "xor":
                known[name] = inputs[0] ^ inputs[1]
            elif kind == "or":
                known[name] = inputs[0] | inputs[1]
            else:
                known[name] = inputs[0] & inputs[1] ^ (self._every if kind == "nand" else 0)
        return known

    def _cone(self, net: str) -> set[str]:
        gates = {name: read for name, _, read in self.circuit.gates}
        waiting, found = [net], set()
        while waiting:
            one = waiting.pop()
            if one in gates:
                waiting += gates[one]
            else:
                found.add(one)
        return found

    def leaking(self) -> set[str]:
        """The nets on which a probe in the last two cycles tells of a secret."""
        nets = [name for name, *_ in self.circuit.gates] + self.circuit.sources
        return {net for net in nets if self._tells(self._seen(net))}

    def _seen(self, net: str) -> list[int]:
        return sorted({run[one] for run in self.runs[-2:] for one in self._cone(net)})

    def _tells(self, seen: Sequence[int]) -> bool:
        return self._differ(self._counts(seen, self._secrets))

    def _counts(self, seen: Sequence[int], secrets: Sequence[int]) -> dict[int, Counter[int]]:
        """How often each value is seen, for each value of the secrets."""
        counts: dict[int, Counter[int]] = {}
        waiting = [(0, 0, self._every)]
        columns = [*secrets, *seen]
        while waiting:
            depth, value, cases = waiting.pop()
            if not cases:
                continue
            if depth == len(columns):
                secret, shown = value >> len(seen), value & (1 << len(seen)) - 1
                counts.setdefault(secret, Counter())[shown] = cases.bit_count()
                continue
            for digit, some in ((0, cases & ~columns[depth]), (1, cases & columns[depth])):
                waiting.append((depth + 1, value << 1 | digit, some))
        return counts

    @staticmethod
    def _differ(counts: dict[int, Counter[int]]) -> bool:
        first, *others = counts.values()
        return any(other != first for other in others)

    def state_is_shared(self) -> bool:
        """Whether the registers after the first of two cycles are a uniform sharing of what the
        secrets alone decide."""
        first, second = (self.runs[1][name] for name in self.circuit.state)
        counts = self._counts([first, second], self._secrets)
        return all(
            set(seen) in ({0, 3}, {1, 2}) and len(set(seen.values())) == 1
            for seen in counts.values()
        )
