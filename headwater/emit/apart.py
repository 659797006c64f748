# SPDX-License-Identifier: Apache-2.0
"""A module in two: a datapath, with the registers that hold bits of key and state, and a controller
that tells it when to load and how to step.

The cut is made in the netlist: every cell is in the part that needs it, so that both together are
the module that they were made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from headwater.emit.netlist import ONE, Bits, Netlist

Words = Mapping[str, Bits]


@dataclass(frozen=True)
class Halves:
    """Both parts of a module.

    Members
    -------
    controller, datapath : Netlist
        Their modules. Ports of the same name belong together.
    between : sequence of str
        The outputs of the controller that are inputs of the datapath.
    aliases : mapping of str to str
        By an output of the whole module that neither part has: which of these it is.
    """

    controller: Netlist
    datapath: Netlist
    between: Sequence[str]
    aliases: Mapping[str, str]


def divide(
    netlist: Netlist, secrets: Iterable[str], driving: Mapping[str, str], names: tuple[str, str]
) -> Halves:
    """Controller and datapath of a module, with these ``names``. Outputs that depend on the
    registers ``secrets`` belong to the datapath. Of the signals in ``driving``, which do not depend
    on them, those that the datapath reads come to it from the controller, by the ports whose names
    are given with them."""
    inputs = _each_once(netlist, driving)
    secret = {bit for name in secrets for bit in netlist.wires.get(name, ())}
    leaving = {
        name: word
        for name, word in netlist.outputs.items()
        if secret & _part(netlist, "", inputs, {name: word}).live
    }
    datapath = _part(netlist, names[1], inputs, leaving)
    between = {name: word for name, word in inputs.items() if name in datapath.inputs}
    by_word = {word: name for name, word in between.items()}
    others = {name: word for name, word in netlist.outputs.items() if name not in leaving}
    aliases = {name: by_word[word] for name, word in others.items() if word in by_word}
    own = {name: word for name, word in others.items() if name not in aliases}
    controller = _part(netlist, names[0], {}, {**between, **own})
    if secret & controller.live:
        raise AssertionError(f"{names[0]} must not depend on the registers of {names[1]}")
    return Halves(controller, datapath, list(between), aliases)


def _each_once(netlist: Netlist, driving: Mapping[str, str]) -> dict[str, Bits]:
    """The words of signals that cells drive, each by its first port."""
    names: dict[Bits, str] = {}
    for port, name in driving.items():
        word = netlist.wires.get(name, ())
        if word and all(bit > ONE and bit in netlist.drivers for bit in word):
            names.setdefault(word, port)
    return {port: word for word, port in names.items()}


def _part(netlist: Netlist, name: str, sources: Words, outputs: Words) -> Netlist:
    """What ``outputs`` need of a module if the words of ``sources`` come from outside."""
    cut = {bit for word in sources.values() for bit in word}
    cells = tuple(cell for cell in netlist.cells if not cut.intersection(cell.output))
    inputs = {**netlist.inputs, **sources}
    whole = Netlist(name, inputs, outputs, netlist.wires, cells, netlist.values, netlist.kept)
    live = whole.live
    read = {port: word for port, word in inputs.items() if live.intersection(word)}
    foreign = (netlist.inputs.keys() | netlist.outputs.keys()) - read.keys() - outputs.keys()
    wires = {
        wire: word
        for wire, word in {**netlist.wires, **read, **outputs}.items()
        if wire not in foreign and live.intersection(word)
    }
    needed = tuple(cell for cell in cells if live.intersection(cell.output))
    return Netlist(name, read, outputs, wires, needed, netlist.values, netlist.kept)
