# SPDX-License-Identifier: Apache-2.0
"""Standard-cell libraries with a name on the command line, and the usual places of their files.

No library is part of this package. Each is found by the name of its liberty file: below the folders
that the environment names, in the layouts that open PDKs are installed in, or where a Debian
package puts it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headwater.errors import ToolError

ROOT_VARIABLES = ("HEADWATER_PDK_ROOT", "PDK_ROOT")
"""Environment variables that name folders with PDKs, in the order in which they are searched."""

_QFLOW = Path("/usr/share/qflow/tech")

_FOLDERS = (
    "",
    "*",
    "*/lib",
    "*/lib/NLDM",
    "libs.ref/*/lib",
    "libs.ref/*/liberty",
    "*/libs.ref/*/lib",
    "*/libs.ref/*/liberty",
    "*/*/libs.ref/*/lib",
    "*/*/versions/*/*/libs.ref/*/lib",
)
"""Folders below a PDK folder in which libraries are looked for: flat; as in OpenROAD-flow-scripts;
as in one PDK of open_pdks; as ciel and volare lay out several PDKs."""


@dataclass(frozen=True)
class KnownLibrary:
    """A library at one corner."""

    name: str
    """Name on the command line."""
    title: str
    """Description in prose."""
    files: tuple[str, ...]
    """Patterns of the liberty file's name without .lib or .lib.gz; an earlier pattern is
    preferred."""
    install: str
    """How to get the library."""
    folder: Path | None = None
    """The folder of a library that a Debian package installs; None if it is looked for in the PDK
    folders."""

    def find(self) -> Path | None:
        """The liberty file, or None if it is not found."""
        return next(self._candidates(), None)

    def require(self) -> Path:
        """The liberty file; if it is not found, an error that says where it was looked for and how
        to get it."""
        path = self.find()
        if path is None:
            raise ToolError(
                f"library {self.name} was not found: no file {self.nominal.name}[.gz] "
                f"{_searched(self.folder)}; get it with: {self.install}"
            )
        return path

    @property
    def nominal(self) -> Path:
        """The path that the liberty file would have, or its name."""
        return (self.folder or Path()) / f"{self.files[0]}.lib"

    def _candidates(self) -> Iterator[Path]:
        roots = [self.folder] if self.folder else list(_roots().values())
        places = [""] if self.folder else _FOLDERS
        for root in roots:
            for pattern in self.files:
                for place in places:
                    for ending in (".lib", ".lib.gz"):
                        yield from sorted(root.glob(str(Path(place, pattern + ending))))


def _roots() -> dict[str, Path]:
    return {name: Path(os.environ[name]) for name in ROOT_VARIABLES if os.environ.get(name)}


def _searched(folder: Path | None) -> str:
    """Where a library was looked for, as the end of a sentence."""
    if folder:
        return f"in {folder}"
    if not _roots():
        return f"as neither {' nor '.join(ROOT_VARIABLES)} is set"
    return "below " + " or ".join(f"{name}={path}" for name, path in _roots().items())


_CIEL = "pip install ciel; ciel enable --pdk-family {} VERSION; export PDK_ROOT=~/.ciel"
_CLONE = "git clone https://github.com/{}; export PDK_ROOT=$PWD"
_ORFS = (
    "git clone https://github.com/The-OpenROAD-Project/OpenROAD-flow-scripts; "
    "export PDK_ROOT=$PWD/OpenROAD-flow-scripts/flow/platforms"
)


def _osu(name: str, title: str) -> KnownLibrary:
    return KnownLibrary(
        name, title, (f"{name}_stdcells",), f"apt-get install qflow-tech-{name}", _QFLOW / name
    )


def _sky130hd(corner: str, file: str, title: str) -> KnownLibrary:
    return KnownLibrary(
        f"sky130hd{corner}",
        f"SkyWater SKY130 high density, {title}",
        (f"sky130_fd_sc_hd__{file}",),
        _CIEL.format("sky130"),
    )


def _ihp(corner: str, file: str, title: str) -> KnownLibrary:
    return KnownLibrary(
        f"ihp_sg13g2{corner}",
        f"IHP SG13G2 0.13 um, {title}",
        (f"sg13g2_stdcell_{file}",),
        _CLONE.format("IHP-GmbH/IHP-Open-PDK"),
    )


def _gf180mcu(corner: str, volt: str) -> KnownLibrary:
    return KnownLibrary(
        f"gf180mcu-{corner}",
        f"GlobalFoundries GF180MCU 7 tracks, typical, {volt} V, 25 C",
        (f"gf180mcu_fd_sc_mcu7t5v0__tt_025C_{corner}0",),
        _CIEL.format("gf180mcu"),
    )


def _asap7(threshold: str) -> KnownLibrary:
    return KnownLibrary(
        f"asap7-{threshold}",
        f"ASAP7 7 nm predictive, {threshold.upper()}, typical, 0.70 V, 25 C",
        (f"asap7sc7p5t*_{threshold.upper()}_TT*merged*",),
        "https://github.com/The-OpenROAD-Project/asap7sc7p5t_28, its files of one threshold merged",
    )


def _gt2n(threshold: str) -> KnownLibrary:
    return KnownLibrary(
        f"gt2n-{threshold}",
        f"GT2N 2 nm academic, {threshold.upper()}, typical, 0.70 V, 25 C",
        (f"gt2_6t_w13_{threshold}_tt_0p7v25c",),
        _ORFS,
    )


LIBRARIES: dict[str, KnownLibrary] = {
    library.name: library
    for library in (
        _osu("osu018", "OSU 0.18 um standard cells, typical, 1.8 V, 25 C"),
        _osu("osu035", "OSU 0.35 um standard cells, typical, 3.3 V, 25 C"),
        _sky130hd("", "tt_025C_1v80", "typical, 1.80 V, 25 C"),
        _sky130hd("-ss", "ss_n40C_1v40", "slow, 1.40 V, -40 C"),
        _sky130hd("-ff", "ff_100C_1v95", "fast, 1.95 V, 100 C"),
        _ihp("", "typ_1p20V_25C", "typical, 1.20 V, 25 C"),
        _ihp("-slow", "slow_1p08V_125C", "slow, 1.08 V, 125 C"),
        _ihp("-fast", "fast_1p32V_m40C", "fast, 1.32 V, -40 C"),
        _gf180mcu("5v0", "5.0"),
        _gf180mcu("3v3", "3.3"),
        _gf180mcu("1v8", "1.8"),
        *map(_asap7, ("rvt", "lvt", "slvt")),
        *map(_gt2n, ("hvt", "svt", "lvt", "ulvt")),
    )
}
"""The libraries by name."""

ALIASES = {
    "sky130hd-tt": "sky130hd",
    "ihp_sg13g2-typ": "ihp_sg13g2",
    "gf180mcu": "gf180mcu-5v0",
    "asap7": "asap7-rvt",
    "gt2n": "gt2n-svt",
}
"""Further names: of a library without its corner, and of its usual corner."""
