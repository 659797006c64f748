# SPDX-License-Identifier: Apache-2.0
"""Area and frequency of many architectures of every cipher, and what changed since another run.

``python benchmarks/architectures.py measure FOLDER`` writes the Verilog and a record of each
architecture into FOLDER, and goes on where it stopped; ``compare BEFORE AFTER`` prints the table.
ABC's results vary by several per cent with the order of cells alone, so ``gates BEFORE`` compares
the circuits before mapping: the gates of the Verilog in BEFORE and of today's.
Each file goes through one flow: look-up tables of four inputs by Yosys's ``synth -lut 4``, cells of
osu018 by ``abc -liberty`` without a timing goal, and OpenSTA's shortest period of cells that are
mapped with a goal out of reach.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog, generate
from headwater.errors import HeadwaterError
from headwater.flow.liberty import load_library
from headwater.flow.opensta import minimum_period
from headwater.flow.process import private_folder
from headwater.flow.yosys import run_yosys

LIBERTY = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
NAND2_UM2 = 24.0
GOAL_PS = 500
RADICES = (1, 2, 3, 4, 8, 16, 32, 64)


def architectures(cipher: Cipher) -> Iterator[Architecture]:
    """The default form at some radices, and every value of every option at the default radix."""
    legal = cipher.legal_radices()
    for radix in legal if len(legal) <= 6 else [each for each in RADICES if each in legal]:
        yield from _choose(cipher, radix, {})
    for option in cipher.choices:
        values = option.values[:: max(1, len(option.values) // 8)]
        for value in values:
            yield from _choose(cipher, cipher.default_radix, {option.name: value})
            if option.name in ("stall", "clear") and len(legal) > 1:
                yield from _choose(cipher, legal[min(3, len(legal) - 1)], {option.name: value})
    yield from _choose(cipher, cipher.default_radix, {"stall": "none", "clear": "none"})


def _choose(cipher: Cipher, radix: int, options: dict[str, str]) -> Iterator[Architecture]:
    """The architecture, if these choices fit together."""
    try:
        yield Architecture.choose(cipher, radix=radix, options=options)
    except HeadwaterError:
        return


def _name(cipher: Cipher, architecture: Architecture) -> str:
    chosen = [
        f"{name}={value}"
        for name, value in architecture.chosen
        if value != next(o.default for o in cipher.choices if o.name == name)
    ]
    return ",".join([f"{cipher.name}_r{architecture.radix}_k{architecture.load_width}", *chosen])


def measure(folder: Path) -> None:
    """Measure what is not yet in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    for cipher in CATALOGUE.values():
        for architecture in architectures(cipher):
            name = _name(cipher, architecture)
            if name in seen or (folder / f"{name}.json").exists():
                continue
            seen.add(name)
            verilog = generate(cipher, architecture)
            (folder / f"{name}.v").write_text(verilog.text)
            try:
                record = figures(verilog)
            except HeadwaterError as error:
                record = {"error": str(error)[-300:]}
            (folder / f"{name}.json").write_text(json.dumps(record))
            print(name, record, flush=True)


def figures(verilog: Verilog) -> dict[str, float]:
    """Look-up tables, flip-flops, gate equivalents and frequency in MHz."""
    with private_folder() as folder:
        (folder / "core.v").write_text(verilog.text)
        (folder / "abc.constr").write_text("set_driving_cell INVX4\nset_load 20\n")
        read = ["read_verilog core.v", f"hierarchy -check -top {verilog.name}", "proc", "flatten"]
        run_yosys(
            [
                *read,
                "synth -flatten -lut 4",
                "tee -q -o lut.json stat -json",
                "design -reset",
                *read,
                "synth -flatten",
                f"dfflibmap -liberty {LIBERTY}",
                f"abc -liberty {LIBERTY}",
                "opt_clean",
                f"tee -q -o cells.json stat -json -liberty {LIBERTY}",
                "design -reset",
                *read,
                "synth -flatten",
                f"dfflibmap -liberty {LIBERTY}",
                f"abc -liberty {LIBERTY} -constr abc.constr -D {GOAL_PS}",
                "opt_clean",
                "write_verilog -noattr -noexpr -simple-lhs netlist.v",
            ],
            folder,
        )
        luts = json.loads((folder / "lut.json").read_text())["design"]["num_cells_by_type"]
        cells = json.loads((folder / "cells.json").read_text())["design"]
        netlist = (folder / "netlist.v").read_text()
        timing = minimum_period(netlist, load_library(LIBERTY), verilog.name, folder)
    return {
        "lut": luts.get("$lut", 0),
        "ff": sum(count for kind, count in luts.items() if "DFF" in kind),
        "ge": round(float(cells["area"]) / NAND2_UM2, 1),
        "fmax_mhz": round(timing.fmax_mhz, 1),
    }


def compare(before: Path, after: Path) -> None:
    """Print both figures of each architecture, what is worse, and the medians of the ratios."""
    ratios: dict[str, list[float]] = {"lut": [], "ge": [], "fmax_mhz": []}
    for path in sorted(before.glob("*.json")):
        other = after / path.name
        if not other.exists():
            print(f"{path.stem}: not there")
            continue
        old, new = json.loads(path.read_text()), json.loads(other.read_text())
        if "error" in old or "error" in new:
            print(path.stem, old, new)
            continue
        made = {name: new[name] / old[name] for name in ratios}
        for name, ratio in made.items():
            ratios[name].append(ratio)
        worse = "  worse" if max(made["lut"], made["ge"]) > 1.01 else ""
        print(
            f"{path.stem:60} LUT {old['lut']:6} {new['lut']:6}  GE {old['ge']:9} {new['ge']:9}  "
            f"MHz {old['fmax_mhz']:7} {new['fmax_mhz']:7}{worse}"
        )
    for name, values in ratios.items():
        if values:
            median, mean = statistics.median(values), statistics.mean(values)
            print(
                f"{name}: {len(values)} architectures, ratio median {median:.4f}, "
                f"mean {mean:.4f}, {min(values):.3f} to {max(values):.3f}"
            )


def compare_gates(before: Path) -> None:
    """Print the area of each architecture's gates before mapping, relative to ``before``."""
    found = {
        before / f"{_name(cipher, architecture)}.v": (cipher, architecture)
        for cipher in CATALOGUE.values()
        for architecture in architectures(cipher)
    }
    ratios = []
    for path, (cipher, architecture) in found.items():
        if path.exists():
            today = generate(cipher, architecture)
            ratios.append(_gate_area(today.text) / _gate_area(path.read_text()))
            print(f"{path.stem:60} {ratios[-1]:.4f}", flush=True)
    print(
        f"{len(ratios)} architectures, median {statistics.median(ratios):.4f}, "
        f"{min(ratios):.4f} to {max(ratios):.4f}"
    )


def _gate_area(text: str) -> float:
    """The area of Yosys's gates and flip-flops in GE, of usual cells for each."""
    with private_folder() as folder:
        (folder / "core.v").write_text(text)
        run_yosys(
            [
                "read_verilog core.v",
                "hierarchy -check -auto-top",
                "proc",
                "flatten",
                "synth -flatten -noabc -run coarse:check",
                "tee -q -o gates.json stat -json",
            ],
            folder,
        )
        gates = json.loads((folder / "gates.json").read_text())["design"]["num_cells_by_type"]
    return sum(count * _gate_equivalents(kind) for kind, count in gates.items())


def _gate_equivalents(kind: str) -> float:
    if "DFF" in kind:
        return 4 + 2 * ("DFFE" in kind or "DFFCE" in kind) + ("SDFF" in kind)
    return {"$_AND_": 1, "$_OR_": 1, "$_NOT_": 0.67, "$_MUX_": 2, "$_XOR_": 2.33}[kind]


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare(Path(sys.argv[2]), Path(sys.argv[3]))
    elif sys.argv[1:2] == ["gates"]:
        compare_gates(Path(sys.argv[2]))
    else:
        measure(Path(sys.argv[2]))
