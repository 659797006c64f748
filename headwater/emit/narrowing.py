# SPDX-License-Identifier: Apache-2.0
"""Registers as narrow as what is read of them."""

from __future__ import annotations

import re

from headwater.emit.written import WrittenModule


def rename_narrowed(module: WrittenModule) -> None:
    """Where Yosys keeps the lower bits of a register alone, and under another name, because
    nothing reads the upper ones, give them the register's name."""
    for target, value in list(module.assignments.items()):
        part = re.fullmatch(r"(\w+)\[(\d+):0\]", target)
        if part and module.kinds.get(value) == "reg" and _read_up_to(module, part[1]) is not None:
            name = part[1]
            del module.assignments[target], module.kinds[value], module.widths[value]
            module.kinds[name], module.widths[name] = "reg", f"[{part[2]}:0]"
            module.updates = [re.sub(rf"\b{value}(?!\w)", name, text) for text in module.updates]


def narrow_shifted(module: WrittenModule) -> None:
    """The same for a register with an enable, whose upper bits Yosys keeps: they come out of a
    register's slice that stands first in what it takes."""
    for name in [name for name, kind in module.kinds.items() if kind == "reg"]:
        top, read = module.widths[name].strip("[]").partition(":")[0], _read_up_to(module, name)
        if not top or read is None or read >= int(top):
            continue
        cut = int(top) - read
        taken = re.compile(rf"(?<={name} <= {{ )(\w+)\[(\d+):(\d+)\]")
        for number, update in enumerate(module.updates):
            found = taken.search(update)
            if found and int(found[2]) - cut >= int(found[3]):
                less = f"{found[1]}[{int(found[2]) - cut}:{found[3]}]"
                module.updates[number] = taken.sub(less, update)
                module.widths[name] = f"[{read}:0]"


def _read_up_to(module: WrittenModule, name: str) -> int | None:
    """Highest bit of a register that anything else reads; None if it is read as a whole."""
    own = re.compile(rf"\b{name} <= ")
    texts = [
        *module.assignments.values(),
        *(text for text in module.updates if not own.search(text)),
    ]
    if any(re.search(rf"\b{name}\b(?!\[)", text) for text in texts):
        return None
    tops = [int(top) for text in texts for top in re.findall(rf"\b{name}\[(\d+)", text)]
    return max(tops, default=None)
