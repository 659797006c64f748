# SPDX-License-Identifier: Apache-2.0
"""Measuring a scenario: build, run, compare with the model, count cycles."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

from headwater import sources
from headwater.cipher.description import Cipher
from headwater.codesign.baseline import (
    BIT_SERIAL,
    WORD_PARALLEL,
    Baseline,
    run_software,
    software_scenario,
    software_words,
)
from headwater.codesign.compiler import compile_program, find_compiler
from headwater.codesign.job import REPORTED_BITS, STEADY_WORDS, Job, job_of, text_macros
from headwater.codesign.processor import Processor
from headwater.codesign.scenario import Scenario
from headwater.codesign.shape import driver_settings
from headwater.codesign.system import coprocessor_sources, run, simulator
from headwater.emit.verilog import Verilog, generate
from headwater.errors import HeadwaterError
from headwater.flow.verilator import verilator_version
from headwater.interface.core_shape import CoreShape, shape_of
from headwater.kinds.registry import facts_of
from headwater.measure.identity import rtl_identity
from headwater.measure.layers import LayeredStore
from headwater.measure.store import Result, Store, now, short_id

Record = dict[str, Any]
"""What ``codesign --json`` prints."""

LookUp = Callable[[Scenario, Baseline], Record | None]


@dataclass(frozen=True)
class Hardware:
    """The core of a scenario behind its interface."""

    verilog: Verilog
    core: CoreShape
    coprocessor: dict[str, str]
    """The Verilog files of the coprocessor, by name."""


@dataclass(frozen=True)
class Prepared(Hardware):
    """A scenario ready to be simulated."""

    memory: dict[int, list[int]]
    """Content of memory before the run, the program included."""
    job: Job
    """The words that memory must hold after the run."""


def hardware(scenario: Scenario) -> Hardware:
    """The hardware of a scenario."""
    architecture = scenario.architecture
    assert architecture is not None
    verilog = generate(scenario.cipher, architecture)
    core = shape_of(scenario.cipher, architecture, verilog.name)
    return Hardware(verilog, core, coprocessor_sources(core, verilog.text, scenario.port))


def prepare(
    scenario: Scenario, *, steady_words: int = STEADY_WORDS, macros: Sequence[str] = ()
) -> Prepared:
    """The hardware and the firmware of a scenario; ``macros`` are further macros of the
    firmware."""
    parts = hardware(scenario)
    job = job_of(scenario, parts.core, steady_words)
    source = "text.c" if scenario.takes_text else "keystream.c"
    program = compile_program([source], [*macros_of(scenario, parts.core), *macros])
    memory = {0: program, **job.memory}
    return Prepared(parts.verilog, parts.core, parts.coprocessor, memory, job)


def simulate(scenario: Scenario) -> Record:
    """Cycles of a scenario with a coprocessor, without comparison with software; an error if the
    words in memory differ from the model."""
    ready = prepare(scenario)
    done = run(
        simulator(scenario.processor, ready.coprocessor),
        ready.memory,
        len(ready.job.expected),
        wait_states=scenario.wait_states,
    )
    ready.job.check(done)
    cycles, message = ready.job.cycles(done)
    assert scenario.architecture is not None
    facts = facts_of(scenario.cipher, scenario.architecture)
    own = REPORTED_BITS / facts.bits_per_cycle
    return {
        **scenario.as_json(),
        "cycles_per_128_bits": cycles,
        "bits_per_cycle": round(REPORTED_BITS / cycles, 4),
        "message_cycles": message,
        "core_cycles_per_128_bits": round(own, 4),
        "core_setup_cycles": facts.setup_cycles,
        "interface_efficiency": round(own / cycles, 4),
        "description": scenario.cipher.digest,
        "rtl_sha256": ready.verilog.sha256,
        "tools": tools_of(scenario.processor),
    }


def simulate_software(scenario: Scenario, baseline: Baseline) -> Record:
    """Cycles of the processor alone."""
    words = software_words(scenario, baseline)
    job, done = run_software(scenario.cipher, scenario.processor, baseline, words)
    cycles, message = job.cycles(done)
    return {
        **scenario.as_json(),
        "message_bytes": 4 * words,
        "baseline": f"{baseline.name}, {find_compiler()}",
        "cycles_per_128_bits": cycles,
        "bits_per_cycle": round(REPORTED_BITS / cycles, 6),
        "message_cycles": message,
        "tools": tools_of(scenario.processor),
    }


def tools_of(processor: Processor) -> dict[str, str]:
    """Versions of all tools and packages that a figure depends on."""
    return {
        processor.package: processor.version,
        "verilator": verilator_version(),
        "compiler": str(find_compiler()),
    }


def macros_of(scenario: Scenario, core: CoreShape) -> list[str]:
    """Macros of the firmware that describe processor and coprocessor."""
    chosen = driver_settings(core, scenario.port) | {
        **text_macros(scenario),
        "STATELESS": int(scenario.stateless),
        "DRIVER_POLLING": int(scenario.driver == "polling"),
        "DRIVER_FOUR": int(scenario.driver == "four"),
        "DRIVER_SIMPLE": int(scenario.driver == "simple"),
    }
    return [*scenario.processor.macros, *(f"{name}={value}" for name, value in chosen.items())]


def measure(scenario: Scenario, store: Store, *, again: bool = False) -> Record:
    """The record of a scenario: its own figures, and the comparison with software. Stored figures
    are taken unless ``again``."""
    return _record(
        scenario,
        _kept(scenario, None, store, again),
        lambda other, baseline: _kept(other, baseline, store, again),
    )


def stored(scenario: Scenario, store: LayeredStore) -> Record | None:
    """The record of a scenario if all its parts are stored under today's identity, or are in the
    reference and not known to be stale; otherwise None."""
    own = _find(scenario, None, store)
    return own and _record(scenario, own, lambda other, baseline: _find(other, baseline, store))


def parts_of(scenario: Scenario) -> list[tuple[Scenario, Baseline | None]]:
    """What is simulated for the record of a scenario: itself, and the software that it is compared
    with."""
    software = software_scenario(scenario)
    baselines = (every.get(scenario.cipher) for every in (WORD_PARALLEL, BIT_SERIAL))
    return [(scenario, None), *((software, one) for one in baselines if one)]


def _find(scenario: Scenario, baseline: Baseline | None, store: LayeredStore) -> Record | None:
    with suppress(HeadwaterError):  # The processor or the compiler is not here.
        if result := store.find_system(scenario_identity(scenario, baseline)):
            return result.record
    entry = store.known_system(words_of(scenario, baseline))
    result = store.shown(entry, scenario.cipher, scenario.architecture)
    return result.record if result else None


def words_of(scenario: Scenario, baseline: Baseline | None) -> Record:
    """A scenario, or a baseline, in words."""
    return {**scenario.as_json(), "baseline": baseline.name if baseline else None}


def _kept(scenario: Scenario, baseline: Baseline | None, store: Store, again: bool) -> Record:
    """Figures of a scenario or a baseline, from the store or new."""
    identity = scenario_identity(scenario, baseline)
    result = None if again else store.find_system(identity)
    if result:
        return result.record
    start = monotonic()
    simulated = simulate_software(scenario, baseline) if baseline else simulate(scenario)
    record = {"id": short_id(identity), **simulated}
    store.keep_system(Result(identity, record, round(monotonic() - start, 3), now()))
    return record


def _compared(
    scenario: Scenario,
    baselines: Mapping[Cipher, Baseline],
    own: Record,
    look_up: LookUp,
) -> Record | None:
    """Speed-ups over a baseline; None if the cipher has no baseline."""
    baseline = baselines.get(scenario.cipher)
    software = look_up(software_scenario(scenario), baseline) if baseline else None
    if software is None:
        return None
    cycles = software["cycles_per_128_bits"]
    return {
        "baseline": software["baseline"],
        "baseline_cycles_per_128_bits": cycles,
        "baseline_message_bytes": software["message_bytes"],
        "baseline_message_cycles": software["message_cycles"],
        "speedup_hw": round(cycles / own["core_cycles_per_128_bits"], 2),
        "speedup_hw_sw": round(cycles / own["cycles_per_128_bits"], 2),
    }


_COMPARISON = (
    "baseline",
    "baseline_cycles_per_128_bits",
    "baseline_message_bytes",
    "baseline_message_cycles",
    "speedup_hw",
    "speedup_hw_sw",
)


def _record(scenario: Scenario, own: Record, look_up: LookUp) -> Record:
    """Its own figures with the comparison; ``look_up`` gives the figures of a baseline."""
    software = _compared(scenario, WORD_PARALLEL, own, look_up)
    serial = _compared(scenario, BIT_SERIAL, own, look_up)
    figures = {name: value for name, value in own.items() if name != "tools"}
    compared = software or dict.fromkeys(_COMPARISON)
    return {**figures, **compared, "bit_serial": serial, "tools": own["tools"]}


def scenario_identity(scenario: Scenario, baseline: Baseline | None) -> str:
    """Hash of all that the figures of a scenario, or of a baseline, depend on."""
    architecture = scenario.architecture
    parts = {
        "scenario": scenario.as_json(),
        "rtl": rtl_identity(scenario.cipher, architecture) if architecture else None,
        "baseline": baseline.source if baseline else None,
        "tools": tools_of(scenario.processor),
        "sources": _sources(),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@lru_cache
def _sources() -> str:
    """Hash of the sources of systems, firmware and coprocessors, and of what simulates them."""
    folders = (sources.PACKAGE / "codesign", sources.PACKAGE / "interface")
    paths = {
        path
        for folder in folders
        for path in folder.rglob("*.*")
        if "__pycache__" not in path.parts
    }
    imported = sources.closure([Path(__file__)], without=_OF_THE_CORE)
    return sources.sha256(paths | imported, sources.text)


_OF_THE_CORE = frozenset({"algebra", "cipher", "core", "emit", "errors.py", "kinds", "measure"})
"""What makes the core, of which the identity of a system has a hash anyway, and the store."""
