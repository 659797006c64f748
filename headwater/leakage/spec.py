# SPDX-License-Identifier: Apache-2.0
"""The file that says what the signals of a masked netlist are: shares, random bits, the public."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headwater.errors import InputError, did_you_mean, unknown
from headwater.leakage.netlist import Bit, Netlist

_Names = Annotated[list[str], Field(min_length=2)]
_MOST_CONTROLS = 6


class Spec(BaseModel):
    """What the file holds. A signal is ``NAME``, ``NAME[BIT]`` or ``NAME[HIGH:LOW]``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    top: str | None = Field(None, description="The module, where several could be it.")
    shares: dict[str, _Names] = Field(
        default_factory=dict,
        description="Secrets, each with its shares: ports, or registers, of equal width.",
    )
    outputs: dict[str, _Names] = Field(
        default_factory=dict,
        description="Outputs, each with its shares, that must be a uniform sharing, too.",
    )
    random: list[str] = Field(
        default_factory=list, description="Ports whose bits are fresh and uniform in each cycle."
    )
    public: list[str] = Field(
        default_factory=list, description="Ports and registers that everyone may know."
    )
    control: list[str] = Field(
        default_factory=list,
        description="Public ones, at most six bits, whose values are gone through one by one.",
    )
    constant: dict[str, int] = Field(
        default_factory=dict, description="Ports with a value that they keep."
    )
    steady: list[str] = Field(
        default_factory=list,
        description="Secrets and random ports whose bits stay the same in all cycles.",
    )


@dataclass(frozen=True)
class Group:
    """The shares of one bit of a secret, or of an output."""

    name: str
    bits: tuple[Bit, ...]
    steady: bool = False


@dataclass(frozen=True)
class Roles:
    """What each bit of a netlist is, by its net."""

    shares: int
    """How many shares each secret bit has."""
    inputs: tuple[Group, ...]
    registers: tuple[Group, ...]
    outputs: tuple[Group, ...]
    random: Mapping[Bit, bool]
    """Random bits, and whether they are steady."""
    public: frozenset[Bit]
    control: tuple[Bit, ...]
    constant: Mapping[Bit, int]

    @property
    def named_registers(self) -> frozenset[Bit]:
        """The registers that are shares."""
        return frozenset(bit for group in self.registers for bit in group.bits)


def read_spec(path: Path) -> Spec:
    """The specification in a file."""
    try:
        spec = Spec.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"spec must be a readable file, not {path}: {error.strerror}") from error
    except ValidationError as error:
        raise InputError(f"spec {path}: {_first(error)}") from error
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError, too.
        raise InputError(f"spec {path} must be TOML: {error}") from error
    if not spec.shares:
        raise InputError(f"spec {path} must name at least one secret, with its shares, in [shares]")
    return spec


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    if first["type"] == "extra_forbidden":
        return str(unknown("key", first["loc"][-1], Spec.model_fields))
    if first["type"] == "too_short":
        depth = len(first["input"])
        return f"{'.'.join(map(str, first['loc']))} must have at least two shares, not {depth}"
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def roles_of(spec: Spec, netlist: Netlist) -> Roles:
    """The bits of a netlist that a specification is about.

    Raises
    ------
    InputError
        If a signal does not exist, is named twice, or is not of the kind that it must be; if shares
        are not alike; if an input has no role.
    """
    reader = Reader(netlist)
    secrets = {
        name: reader.groups(name, signals, sources=True, steady=name in spec.steady)
        for name, signals in spec.shares.items()
    }
    counts = {len(group.bits) for groups in secrets.values() for group in groups}
    outputs = [
        group
        for name, signals in spec.outputs.items()
        for group in reader.groups(name, signals, sources=False)
    ]
    counts |= {len(group.bits) for group in outputs}
    if len(counts) > 1:
        listed = " and ".join(map(str, sorted(counts)))
        raise InputError(f"all secrets must have the same number of shares, not {listed}")
    registers = set(netlist.registers)
    every = [group for groups in secrets.values() for group in groups]
    of_registers = [group for group in every if set(group.bits) <= registers]
    of_inputs = [group for group in every if not set(group.bits) & registers]
    if len(of_registers) + len(of_inputs) < len(every):
        mixed = next(one for one in every if one not in of_registers and one not in of_inputs)
        raise InputError(f"shares of {mixed.name} must all be ports, or all be registers")
    random = {
        bit: name in spec.steady for name in spec.random for bit in reader.claimed(name, "random")
    }
    for bit in random:
        if bit in registers:
            raise InputError(
                f"random bits must come from ports, not from the register {netlist.names[bit]}"
            )
    control = tuple(bit for name in spec.control for bit in reader.claimed(name, "control"))
    if len(control) > _MOST_CONTROLS:
        raise InputError(f"control must have at most {_MOST_CONTROLS} bits, not {len(control)}")
    roles = Roles(
        shares=counts.pop(),
        inputs=tuple(of_inputs),
        registers=tuple(of_registers),
        outputs=tuple(outputs),
        random=random,
        control=control,
        public=frozenset(bit for name in spec.public for bit in reader.claimed(name, "public")),
        constant=dict(_constants(spec, reader)),
    )
    _check_steady(spec)
    reader.check_inputs()
    _check_resets(netlist, roles)
    return roles


def _constants(spec: Spec, reader: Reader) -> Iterator[tuple[Bit, int]]:
    for name, value in spec.constant.items():
        bits = reader.claimed(name, "constant")
        if not 0 <= value < 1 << len(bits):
            raise InputError(
                f"constant {name} must be between 0 and {(1 << len(bits)) - 1}, not {value!r}"
            )
        yield from ((bit, value >> at & 1) for at, bit in enumerate(bits))


def _check_steady(spec: Spec) -> None:
    legal = [*spec.shares, *spec.random]
    for name in spec.steady:
        if name not in legal:
            raise unknown("what is steady", name, legal)


def _check_resets(netlist: Netlist, roles: Roles) -> None:
    for bit, idle in netlist.resets.items():
        source, level = bit, idle
        # A buffer tree in front of it may invert.
        drivers = {gate.output: gate for gate in netlist.gates if gate.kind in ("BUF", "NOT")}
        while source in drivers:
            level ^= drivers[source].kind == "NOT"
            source = drivers[source].inputs[0]
        if source != level and roles.constant.get(source) != level:
            name = netlist.names.get(source, "a net")
            raise InputError(
                f"{name}, which sets or resets registers at once, must be constant "
                f"{level}: a reset leaves no uniform sharing"
            )


class Reader:
    """Signals of a specification, each bit claimed once."""

    def __init__(self, netlist: Netlist) -> None:
        self._netlist = netlist
        self._sources = set(netlist.sources)
        self._claims: dict[Bit, str] = {}

    def groups(
        self, name: str, signals: Sequence[str], *, sources: bool, steady: bool = False
    ) -> list[Group]:
        """The bits of one secret; ``sources`` if they must be ports or registers."""
        words = [
            self.claimed(signal, name) if sources else self._outputs(signal) for signal in signals
        ]
        widths = {len(word) for word in words}
        if len(widths) > 1:
            listed = " and ".join(map(str, sorted(widths)))
            raise InputError(f"shares of {name} must have the same width, not {listed}")
        each = zip(self.bits(signals[0]), zip(*words, strict=True), strict=True)
        return [
            Group(name if widths == {1} else f"{name}[{at}]", bits, steady) for at, bits in each
        ]

    def claimed(self, signal: str, role: str) -> list[Bit]:
        """The ports or registers that a signal is, which no other role may have."""
        bits = []
        for bit in self.bits(signal).values():
            source = self._netlist.source_of(bit)
            if source not in self._sources:
                other = "its clock" if source == self._netlist.clock else "a result of logic"
                raise InputError(
                    f"{signal} must be an input or a register of {self._netlist.top}, not {other}"
                )
            if source in self._claims:
                shown = self._netlist.names.get(source, signal)
                raise InputError(
                    f"{shown} must be named once, not in {self._claims[source]} and in {role}"
                )
            self._claims[source] = role
            bits.append(source)
        return bits

    def _outputs(self, signal: str) -> list[Bit]:
        outputs = {bit for word in self._netlist.outputs.values() for bit in word}
        bits = list(self.bits(signal).values())
        if not outputs.issuperset(bits):
            raise InputError(f"{signal} must be an output of {self._netlist.top}")
        return bits

    def bits(self, signal: str) -> dict[int, Bit]:
        """The nets of a signal by their indices, the lowest first."""
        wires = self._netlist.wires
        if signal in wires:
            return {at: wires[signal][at] for at in sorted(wires[signal])}
        scattered = {
            int(match[1]): next(iter(word.values()))
            for name, word in wires.items()
            if (match := re.fullmatch(re.escape(signal) + r"\[(\d+)\]", name)) and len(word) == 1
        }
        if scattered:
            return {at: scattered[at] for at in sorted(scattered)}
        match = re.fullmatch(r"(.+)\[(\d+)(?::(\d+))?\]", signal)
        if match and match[1] in wires:
            word, high = wires[match[1]], int(match[2])
            low = high if match[3] is None else int(match[3])
            if low <= high and word.keys() >= set(range(low, high + 1)):
                return {at: word[at] for at in range(low, high + 1)}
            raise InputError(
                f"{signal} must be within the bits {min(word)} to {max(word)} of {match[1]}"
            )
        hint = did_you_mean(signal, wires)
        raise InputError(
            f"{signal!r} must be a port or a register of {self._netlist.top}, which "
            f"has none of that name{hint}"
        )

    def check_inputs(self) -> None:
        """Refuse inputs that have no role: what a probe sees of them would be unknown."""
        for name, word in self._netlist.inputs.items():
            if any(bit not in self._claims for bit in word):
                raise InputError(
                    f"input {name} must be named in the spec: as shares, random, "
                    "public, control or constant"
                )
