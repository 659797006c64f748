# SPDX-License-Identifier: Apache-2.0
"""The area of a system in standard cells: processor, bus, interface and core, mapped together.

Each of these parts is mapped by itself, so that its area is its own. Registers of the processor are
flip-flops. Memory and caches are macros in a chip and do not count; what addresses and fills them
does. Beside it stands the energy of the core alone, where its design point is stored. No activity
of the whole is simulated in gates, so the whole has no energy.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import Any

from headwater import sources
from headwater.cipher.description import Cipher
from headwater.codesign.run import Record, hardware, scenario_identity, words_of
from headwater.codesign.scenario import Scenario
from headwater.codesign.system import COPROCESSOR, SOC_RTL, system
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import HeadwaterError
from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.memories import without_memories
from headwater.flow.yosys import yosys_version
from headwater.measure.layers import AREA, LayeredStore
from headwater.measure.point import DesignPoint
from headwater.measure.settings import AUTO_GATING
from headwater.measure.store import Result, Store, now, short_id
from headwater.measure.target import AsicTarget

_TOP, _CPU = "system", "cpu"
FIGURES = (
    "area_um2",
    "ge",
    "cpu_ge",
    "bus_ge",
    "interface_ge",
    "core_ge",
    "area_factor",
    "ff",
    "memory_bits",
)
"""The figures of an area."""
ENERGY = "core_energy_pj_per_bit"
_UNREAD = "Yosys does not read the SystemVerilog of this processor"


@dataclass(frozen=True)
class InCells:
    """A system in the cells of a library."""

    scenario: Scenario
    target: AsicTarget

    @property
    def cipher(self) -> Cipher:
        """The cipher of its core."""
        return self.scenario.cipher

    @property
    def architecture(self) -> Architecture | None:
        """The choices of its core."""
        return self.scenario.architecture

    @property
    def words(self) -> Record:
        """The system in words."""
        return {**words_of(self.scenario, None), "target": self.target.name}

    @property
    def identity(self) -> str:
        """Hash of all that its area depends on."""
        return _identity(self.scenario, self.target)

    def __str__(self) -> str:
        return f"{self.scenario} in {self.target.name}"


def stored_area(system: InCells, store: LayeredStore) -> Record | None:
    """The record of a system with its area, if that is stored under today's identity, or is in the
    reference and not known to be stale; otherwise None."""
    with suppress(HeadwaterError):  # The library, the processor or the compiler is not here.
        if result := store.find_system(system.identity):
            return result.record
    entry = store.known_system(system.words, AREA)
    result = store.shown(entry, system.cipher, system.architecture)
    return result.record if result else None


def with_area(
    scenario: Scenario, record: Record, target: AsicTarget, store: Store, *, again: bool = False
) -> Record:
    """The record of a scenario with its area in a library, and the energy of its core. A stored
    area is taken unless ``again``."""
    identity = _identity(scenario, target)
    result = None if again else store.find_system(identity)
    if not result:
        start = monotonic()
        areas = {**record, "id": short_id(identity), **_area(scenario, target)}
        result = Result(identity, areas, round(monotonic() - start, 3), now())
        store.keep_system(result)
    area = {name: result.record[name] for name in ("target", *FIGURES, "absent")}
    energy = _energy(scenario, target, store)
    absent = {} if energy else {ENERGY: f"the core is not measured on {target.name}"}
    return {
        **record,
        **area,
        ENERGY: energy,
        "absent": {**area["absent"], **absent},
        "id": short_id(identity),
        "tools": {**record["tools"], "yosys": yosys_version()},
    }


def _energy(scenario: Scenario, target: AsicTarget, store: Store) -> float | None:
    """The energy of the core alone, at its own pace; None if it is not stored."""
    assert scenario.architecture is not None
    point = DesignPoint(scenario.cipher, scenario.architecture, target)
    result = store.find_point(point, generate(scenario.cipher, scenario.architecture))
    return result.record["energy_pj_per_bit"] if result else None


def _area(scenario: Scenario, target: AsicTarget) -> Record:
    """The figures of the smallest cells: nets have no timing goal, as of ``ge_smallest`` of a
    core."""
    if scenario.processor.systemverilog:
        absent = dict.fromkeys(FIGURES, _UNREAD)
        return {"target": target.name, **dict.fromkeys(FIGURES), "absent": absent}
    library, ready = target.library(), hardware(scenario)
    texts = {
        **scenario.processor.sources(),
        SOC_RTL.name: SOC_RTL.read_text(),
        **ready.coprocessor,
        "system.v": system(_TOP, scenario.wait_states),
    }
    with private_folder() as folder:
        split = without_memories(texts, _TOP, folder)
        parts = (_CPU, COPROCESSOR, ready.verilog.name)
        netlist = map_to_cells(
            split.logic, _TOP, library, folder, clock_gating=AUTO_GATING, parts=parts
        )
    whole, unit = netlist.area_um2, library.nand_area_um2
    cpu, coprocessor, core = (netlist.part_areas_um2[part] for part in parts)
    areas = {
        "cpu": cpu,
        "bus": whole - cpu - coprocessor,
        "interface": coprocessor - core,
        "core": core,
    }
    return {
        "target": target.name,
        "area_um2": round(whole, 3),
        "ge": round(whole / unit, 1),
        **{f"{part}_ge": round(area / unit, 1) for part, area in areas.items()},
        "area_factor": round(whole / (whole - coprocessor), 3),
        "ff": netlist.flip_flops,
        "memory_bits": split.bits,
        "absent": {},
    }


def _identity(scenario: Scenario, target: AsicTarget) -> str:
    parts: dict[str, Any] = {
        "system": scenario_identity(scenario, None),
        "target": target.identity(),
        "yosys": yosys_version(),
        "sources": _sources(),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@lru_cache
def _sources() -> str:
    """Hash of the sources that map a system; its identity has those of this folder."""
    flow = sources.PACKAGE / "flow"
    return sources.sha256(sources.closure([flow / "asic.py", flow / "memories.py"]), sources.text)
