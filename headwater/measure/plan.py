# SPDX-License-Identifier: Apache-2.0
"""Plans: a TOML file that names design points as grids of ciphers, architectures and targets."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from headwater.cipher.catalogue import find
from headwater.cipher.option import MASKING
from headwater.errors import InputError, unknown
from headwater.kinds.masking import masked_radices
from headwater.measure import target
from headwater.measure.chosen import Chosen
from headwater.measure.effect import check_effect
from headwater.measure.point import DesignPoint
from headwater.measure.settings import MOST_SEEDS, Settings
from headwater.measure.sweep import legal_of, sources
from headwater.measure.target import Target

_Words = Annotated[list[str], Field(min_length=1)]
_Numbers = Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]


_LEFT_OUT: tuple[None] = (None,)
_SETTING = {"recipes": "recipe"}
"""What a setting is called whose key of a grid, a list, is called otherwise."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Grid(_Strict):
    """A grid: every combination of the listed values is a design point."""

    ciphers: _Words = Field(description="Names from the catalogue.")
    radices: _Numbers | Literal["all"] | None = Field(
        None,
        description="Bits per cycle; the least of each cipher, in whole words, if left out.",
    )
    load_widths: _Numbers | None = Field(
        None, description="Key and IV bits per cycle; what suits the radix if left out."
    )
    options: dict[str, str | _Words] = Field(
        default_factory=dict, description="Values of options of the ciphers, one or several each."
    )
    masking: list[Literal["none", "first"]] = Field(
        ["none"], min_length=1, description="Plain cores, cores in two shares, or both."
    )
    random_bits: _Numbers | None = Field(
        None, description="Sources of so many random bits in each cycle, instead of cores."
    )
    instances: _Numbers | Literal["splits", "ends"] | None = Field(
        None,
        description="Cores side by side in such a source: numbers, every split to choose among, or "
        "the fewest and the narrowest of these; as few as can make the bits if left out.",
    )
    targets: list[str] = Field(default_factory=list, description="Names of targets.")
    liberty: list[str] = Field(
        default_factory=list,
        description="Standard-cell libraries as further targets: files beside the plan.",
    )
    objectives: _Words = Field([Settings.objective], description="What mapping aims at.")
    clock_gating: _Words = Field([Settings.clock_gating], description="How clock gates are made.")
    recipes: _Words = Field(
        [Settings.recipe], description="Recipes of synthesis that are tried in cells."
    )
    stages: _Words = Field([Settings.stage], description="How far cores are made in cells.")
    glitches: bool = Field(
        Settings.glitches, description="Whether power in cells is with glitches."
    )

    @model_validator(mode="after")
    def _cores_or_sources(self) -> Grid:
        clashing = {
            "radices": self.radices,
            "load_widths": self.load_widths,
            "options": self.options,
        }
        present = [name for name, value in clashing.items() if value]
        if self.random_bits and present:
            raise ValueError(f"random_bits must come without {present[0]}, which they decide")
        if self.instances and not self.random_bits:
            raise ValueError("instances must come with random_bits")
        if self.masking != [MASKING.default] and (self.random_bits or self.load_widths):
            raise ValueError(
                "masking must come without random_bits and load_widths: a source has no shares, "
                "and the load width of a core in shares is its radix"
            )
        return self


class Plan(_Strict):
    """A whole plan."""

    seeds: int = Field(
        Settings.seeds, ge=1, le=MOST_SEEDS, description="Place-and-route runs on an FPGA."
    )
    clock_mhz: float = Field(
        Settings.clock_mhz, gt=0, description="The clock that power is given at, in MHz."
    )
    grid: list[Grid] = Field(min_length=1, description="What is measured.")


def read_plan(path: Path, tell: Callable[[str], None]) -> list[DesignPoint]:
    """The legal design points of a plan, each of them once, in its order; an illegal one of several
    is told of."""
    try:
        tables = tomllib.loads(path.read_text())
        plan = Plan.model_validate(tables)
    except OSError as error:
        raise InputError(f"plan must be a readable file, not {path}: {error.strerror}") from error
    except ValidationError as error:
        raise _explained(error, path) from error
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError, too.
        raise InputError(f"plan {path} must be TOML: {error}") from error
    try:
        return list(dict.fromkeys(_points(plan, path.parent, tell)))
    except InputError as error:
        raise InputError(f"plan {path}: {error}") from error


def _explained(error: ValidationError, path: Path) -> InputError:
    """The first error in the plan, in one sentence."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        model = Grid if first["loc"][0] == "grid" else Plan
        return InputError(f"plan {path}: {unknown('key', first['loc'][-1], model.model_fields)}")
    return InputError(f"plan {path}: {place}: {first['msg']}")


def _points(plan: Plan, folder: Path, tell: Callable[[str], None]) -> Iterator[DesignPoint]:
    every = [target for grid in plan.grid for target in _targets(grid, folder)]
    check_effect(_given_in(plan, ("seeds", "clock_mhz")), every)
    for grid in plan.grid:
        targets = _targets(grid, folder)
        check_effect(_given_in(grid, ("clock_gating", "recipes")), targets)
        cores = legal_of([core for name in grid.ciphers for core in _cores(name, grid)], tell)
        settings = [
            Settings(plan.seeds, objective, plan.clock_mhz, gating, stage, grid.glitches, recipe)
            for objective, gating, stage, recipe in product(
                grid.objectives, grid.clock_gating, grid.stages, grid.recipes
            )
        ]
        for core, where, how in product(cores, targets, settings):
            yield core.at(where, how)


def _given_in(table: BaseModel, keys: Sequence[str]) -> list[str]:
    """Those of the keys that a table has, as the settings are called."""
    return [_SETTING.get(key, key) for key in keys if key in table.model_fields_set]


def _targets(grid: Grid, folder: Path) -> list[Target]:
    libraries = [target.from_liberty(folder / name) for name in grid.liberty]
    targets = [*(target.find(name) for name in grid.targets), *libraries]
    if not targets:
        raise InputError("each grid must have targets or liberty")
    return targets


def _cores(name: str, grid: Grid) -> Iterator[tuple[str, Callable[[], Chosen]]]:
    """What each core or source of a cipher is called, and what makes it if it is legal."""
    cipher = find(name)
    if grid.random_bits:
        yield from sources(cipher, grid.random_bits, grid.instances or ())
        return
    for masking in grid.masking:
        plain = masking == MASKING.default
        legal = cipher.legal_radices if plain else partial(masked_radices, cipher)
        radices = legal() if grid.radices == "all" else grid.radices
        for chosen, radix, width in product(
            _combinations(grid.options), radices or _LEFT_OUT, grid.load_widths or _LEFT_OUT
        ):
            words = {"radix": radix, "load width": width, **chosen}
            said = [f"{word} {value}" for word, value in words.items() if value is not None]
            make = (
                partial(Chosen.choose, cipher, radix, width, chosen)
                if plain
                else partial(Chosen.masked, cipher, radix, chosen, masking)
            )
            yield f"{name} {', '.join(said)}{'' if plain else ' in shares'}", make


def _combinations(options: Mapping[str, str | list[str]]) -> Iterator[dict[str, str]]:
    values = [[value] if isinstance(value, str) else value for value in options.values()]
    yield from (dict(zip(options, chosen, strict=True)) for chosen in product(*values))
