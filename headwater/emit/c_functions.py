# SPDX-License-Identifier: Apache-2.0
"""The functions of a model in C that take a session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_WRITTEN, _READ = "uint8_t *", "const uint8_t *"
_COUNT = "size_t "


@dataclass(frozen=True)
class CFunction:
    """A function of a model that takes a session, and gives 0, or -1 where it refuses.

    Members
    -------
    name : str
        Without the name of the model.
    parameters : mapping of str to str
        Name and C type of what it takes after the session, in order.
    """

    name: str
    parameters: Mapping[str, str]

    def declared(self, model: str) -> str:
        """Its declaration in a model of this name."""
        further = "".join(f", {kind}{name}" for name, kind in self.parameters.items())
        return f"int {model}_{self.name}({model}_session *session{further})"


def functions_of(what: Mapping[str, Any], parameters: Mapping[str, str]) -> tuple[CFunction, ...]:
    """The functions in the order of the header, without the one that erases a session.

    ``what`` is what the templates know of the cipher and its streams, ``parameters`` those of the
    functions that begin a session.
    """
    return tuple(_functions(what, parameters))


def _functions(what: Mapping[str, Any], parameters: Mapping[str, str]) -> Iterator[CFunction]:
    for way in what["inits"]:
        yield CFunction(way, parameters)
    if what["has_state"]:
        yield CFunction("init_state", {"state": _READ})
    if what["has_keystream"] or not what["takes_text"]:
        yield CFunction("keystream", {"out": _WRITTEN, "bytes": _COUNT})
    if not what["takes_text"]:
        yield CFunction("skip", {"bits": "uint64_t "})
    if what["takes_associated_data"]:
        yield CFunction("associated_data", {"data": _READ, what["data_unit"]: _COUNT})
    for way in what["ways"]:
        yield CFunction(way, {"out": _WRITTEN, "text": _READ, "bits": _COUNT})
    if what["takes_text"] and not what["ways"]:
        yield CFunction("authenticate", {"text": _READ, "bits": _COUNT})
    if what["tag_width"]:
        yield CFunction("tag", {"tag": _WRITTEN})
        yield CFunction("check_tag", {"expected": _READ})
