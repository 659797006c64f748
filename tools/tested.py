# SPDX-License-Identifier: Apache-2.0
"""Whether each property of each kind of core is tested: holds random changes near a property
against it alone, in the cores of docs/mutants.toml, and writes docs/tested.jsonl.

    python tools/tested.py              measures what is not there, or is of other circuits
    python tools/tested.py NAME...      measures the cores of these ciphers only

Of a core that is not the first one of its kind only properties are asked that none before it has.
A line is written as soon as its core is measured. Then `python tools/data_sheets.py` shows it. The
exit status is 1 if a property is not tested.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from headwater.api.ciphers import Cipher, cipher
from headwater.api.core import Core
from headwater.api.mutation import try_properties
from headwater.kinds.registry import KINDS, kind_of, properties, properties_of, property_folder
from headwater.prove.checker import Property
from headwater.report.table import Table
from headwater.verify.alone import Tested, checked_sha256, tried

DOCS = Path(__file__).parents[1] / "docs"
PLAN, FILE = DOCS / "mutants.toml", DOCS / "tested.jsonl"
EVERY_KIND = (*KINDS, "interleaved")
_WHAT = ("cipher", "module", "file")
_TABLE = ("kind", "core", "properties", "mutants", "refuted", "not tested")


@dataclass(frozen=True)
class Planned:
    """A core of which properties are asked."""

    name: str
    """Cipher, radix and options."""
    core: Core
    asked: tuple[Property, ...]
    """Those that are asked of it."""
    mutants: int
    """Near each property."""
    seed: int

    @property
    def kind(self) -> str:
        """The folder that has its properties."""
        return property_folder(self.core.description, self.core.architecture)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What its line must say, so that it is of today's circuits and of this plan."""
        sha256 = checked_sha256(self.core.description, self.core.architecture)
        return {
            "kind": self.kind,
            "core": self.name,
            "seed": self.seed,
            "mutants": self.mutants,
            "sha256": sha256,
        }


def planned() -> list[Planned]:
    """The cores of the plan."""
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    known: dict[str, list[Property]] = {}
    made = []
    for chosen in plan["each"]["cores"]:
        options = {name: value for name, value in chosen.items() if name not in _WHAT}
        core = _cipher(chosen).core(**options)
        before = known.setdefault(property_folder(core.description, core.architecture), [])
        asked = tuple(one for one in _properties(core) if one not in before)
        before += asked
        name = " ".join([chosen["cipher"], *(f"{key}={value}" for key, value in options.items())])
        made.append(Planned(name, core, asked, plan["each"]["mutants"], plan["seed"]))
    return made


def _properties(core: Core) -> list[Property]:
    formed = kind_of(core.description).formed(core.description, core.architecture)
    names = tried(core.description, core.architecture)
    return [one for one in properties_of(formed, core.architecture) if one.name in names]


def _cipher(chosen: Mapping[str, Any]) -> Cipher:
    """A cipher of the catalogue; or of a file or a module, for what none there has."""
    if "file" in chosen:
        offered = _file(DOCS.parent / chosen["file"]).CIPHERS
    elif "module" in chosen:
        offered = import_module(chosen["module"]).CIPHERS
    else:
        return cipher(chosen["cipher"])
    return next(Cipher(one) for one in offered if one.name == chosen["cipher"])


@cache
def _file(path: Path) -> ModuleType:
    """The module of a file, whose ciphers are not added to the catalogue."""
    spec = spec_from_file_location(f"tested_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def never_asked(cores: Iterable[Planned]) -> list[tuple[str, str]]:
    """Properties that no core of the plan makes, with their kinds: a hole in the plan."""
    asked = [one for each in cores for one in each.asked]
    return [(kind, one.name) for kind in EVERY_KIND for one in properties(kind) if one not in asked]


def read_tested(file: Path = FILE) -> dict[str, dict[str, Any]]:
    """The lines of the file, by core."""
    if not file.exists():
        return {}
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {line["core"]: line for line in lines}


def is_current(line: Mapping[str, Any] | None, one: Planned) -> bool:
    """Whether a line is of today's circuits and of the plan."""
    return line is not None and line == line | one.identity


def rows(line: Mapping[str, Any]) -> list[Tested]:
    """What a line says of each property."""
    return [Tested(**one) for one in line["properties"]]


def of_all(lines: Iterable[Mapping[str, Any]]) -> Table:
    """A row for each core."""
    return Table(_TABLE, list(_of_all(lines)))


def _of_all(lines: Iterable[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    for line in lines:
        made = rows(line)
        yield (
            line["kind"],
            line["core"],
            ", ".join(one.property for one in made),
            sum(one.mutants for one in made),
            sum(one.refuted for one in made),
            ", ".join(one.property for one in made if not one.refuted),
        )


def main() -> int:
    """Measure, and write after each core."""
    cores = planned()
    names = list(dict.fromkeys(one.core.description.name for one in cores))
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--jobs", type=int, default=1, help="properties at a time (default 1)")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in names]:
        parser.error(f"a name must be one of {', '.join(names)}, not {unknown[0]!r}")
    lines = read_tested()
    for one in cores:
        if given.names and one.core.description.name not in given.names:
            continue
        if not is_current(lines.get(one.name), one):
            found = try_properties(
                one.core,
                one.mutants,
                seed=one.seed,
                jobs=given.jobs,
                only=[prop.name for prop in one.asked],
                tell=lambda text: print(text, file=sys.stderr),
            )
            lines[one.name] = one.identity | {"properties": [asdict(each) for each in found]}
            text = (json.dumps(lines[each.name]) for each in cores if each.name in lines)
            FILE.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
        print(f"{one.name} is measured", file=sys.stderr)
    left = [one for line in lines.values() for one in rows(line) if not one.refuted]
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
