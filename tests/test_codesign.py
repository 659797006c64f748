# SPDX-License-Identifier: Apache-2.0
"""Systems of processor, memory and coprocessor in simulation."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from coprocessors import needs, needs_compiler
from second_simulator import run_in_cxxrtl

from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cli.main import main
from headwater.codesign import compiler
from headwater.codesign import run as measuring
from headwater.codesign.baseline import WORD_PARALLEL, run_software
from headwater.codesign.processor import PROCESSORS
from headwater.codesign.run import Prepared, measure, prepare, simulate, stored
from headwater.codesign.scenario import DRIVERS, INTERFACES, Scenario
from headwater.codesign.sweep import scenarios
from headwater.codesign.system import Run, run, simulator
from headwater.errors import InputError, ToolError
from headwater.interface.architecture import coprocessor_architecture
from headwater.measure.layers import LayeredStore
from headwater.measure.reference import Reference
from headwater.measure.store import open_store
from headwater.verify.vector_files import own_files

Capture = pytest.CaptureFixture[str]

INTERRUPTED = 0x01000000
TRIVIUM, SALSA20, PHELIX = (find(name) for name in ("trivium", "salsa20", "phelix"))


def cycles(name: str, **choices: Any) -> float:
    """Cycles for 128 bits. Every simulation compares memory with the model."""
    return float(simulate(Scenario.choose(find(name), **choices))["cycles_per_128_bits"])


def simulated(scenario: Scenario, ready: Prepared, **settings: int) -> Run:
    program = simulator(scenario.processor, ready.coprocessor)
    return run(program, ready.memory, len(ready.job.expected), **settings)


@needs("vexriscv")
@pytest.mark.parametrize(
    ("interface", "limit"),
    [
        ("custom", 9.4),
        ("custom3", 9.4),
        ("custom2x2", 8.9),
        ("fifo", 9.4),
        ("bus", 21.2),
        ("dma", 4.1),
        ("wishbone", 28),
        ("axi4lite", 50),
    ],
)
def test_cycles_of_trivium_at_radix_64(interface: str, limit: float) -> None:
    core = 2
    assert core < cycles("trivium", interface=interface, radix=64) <= limit


@needs("vexriscv")
@pytest.mark.parametrize(("interface", "limit"), [("custom", 13.1), ("custom2x2", 11.1)])
def test_a_loop_of_four_words(interface: str, limit: float) -> None:
    """With two results it takes the eleven cycles that the paper prints, with one two more."""
    assert limit - 0.1 < cycles("trivium", interface=interface, driver="four", radix=64) <= limit


@needs("vexriscv")
def test_the_interface_decides() -> None:
    """As the paper finds: wait states and the driver cost more than a core sixteen times faster
    gains."""
    fast = cycles("trivium", interface="bus", radix=64)
    narrow = cycles("trivium", interface="bus", radix=16)
    assert narrow < 1.15 * fast
    polled = cycles("trivium", interface="bus", driver="polling", radix=64)
    slow = cycles("trivium", interface="bus", driver="polling", wait_states=20, radix=64)
    assert 2 * fast < polled
    # A poll and two words, each twenty cycles later, for every 64 bits.
    assert slow == pytest.approx(polled + 2 * 3 * 20, rel=0.05)


@needs("vexriscv")
def test_block_numbers_in_hardware_save_the_load() -> None:
    choices: dict[str, Any] = {"interface": "bus"}
    stateless, stateful = (cycles("salsa20", stateless=one, **choices) for one in (True, False))
    assert stateless > 2 * stateful


@needs("vexriscv")
@pytest.mark.parametrize(("radix", "core"), [(16, 8), (32, 4), (64, 2)])
def test_phelix(radix: int, core: float) -> None:
    drivers = [("custom", "blocking"), ("bus", "polling")]
    if radix == 32:
        drivers += [("fifo", "blocking"), ("bus", "blocking")]
    for interface, driver in drivers:
        record = simulate(
            Scenario.choose(PHELIX, interface=interface, driver=driver, radix=radix, bytes=92)
        )
        assert record["core_cycles_per_128_bits"] == core
        assert record["cycles_per_128_bits"] > core


@needs("picorv32")
@pytest.mark.parametrize("interface", ["custom", "fifo", "bus", "dma"])
def test_picorv32(interface: str) -> None:
    assert cycles("trivium", cpu="picorv32", interface=interface) < 60


@needs("ibex")
@pytest.mark.parametrize("interface", ["fifo", "bus", "dma"])
def test_ibex(interface: str) -> None:
    assert cycles("trivium", cpu="ibex", interface=interface) < 13


@needs("picorv32")
@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("grain_v1", 60),
        ("zuc", 60),
        ("chacha20", 60),
        ("grain128aead", 110),
        ("eea3", 110),
        ("moustique", 250),
    ],
)
def test_other_ciphers_through_the_same_shell(name: str, limit: int) -> None:
    """On the processor that simulates fastest; the words are compared with the model. A text goes
    in as well as out."""
    assert cycles(name, cpu="picorv32", interface="custom") < limit


@needs("vexriscv")
@pytest.mark.parametrize("period", [61, 97])
@pytest.mark.parametrize("interface", ["custom", "custom3", "custom2x2", "fifo", "bus"])
def test_interrupts_lose_and_repeat_no_word(interface: str, period: int) -> None:
    scenario = Scenario.choose(TRIVIUM, interface=interface, radix=64, bytes=256)
    ready = prepare(scenario, steady_words=256, macros=["INTERRUPTS=1"])
    done = simulated(scenario, ready, timer_period=period, cycles=200_000)
    assert sum(mark & 0xFF000000 == INTERRUPTED for mark in done.marks) > 10
    ready.job.check(done)


@needs("ibex")
def test_interrupts_while_the_bus_waits() -> None:
    scenario = Scenario.choose(TRIVIUM, cpu="ibex", interface="bus", radix=64, bytes=256)
    ready = prepare(scenario, steady_words=256, macros=["INTERRUPTS=1"])
    done = simulated(scenario, ready, timer_period=83, wait_states=9, cycles=200_000)
    assert sum(mark & 0xFF000000 == INTERRUPTED for mark in done.marks) > 10
    ready.job.check(done)


@needs("picorv32")
def test_a_second_simulator_counts_the_same_cycles() -> None:
    scenario = Scenario.choose(TRIVIUM, cpu="picorv32", interface="custom", radix=64, bytes=64)
    ready = prepare(scenario, steady_words=32)
    one = simulated(scenario, ready)
    other = run_in_cxxrtl(scenario.processor, ready.coprocessor, ready.memory, len(one.words))
    assert one == other
    ready.job.check(other)


@needs("vexriscv")
@pytest.mark.parametrize("cipher", WORD_PARALLEL, ids=lambda cipher: cipher.name)
def test_software_makes_the_keystream_of_published_vectors(cipher: Any) -> None:
    """Keys and nonces of vectors; the model, which is compared with, passes them."""
    entries = vector_secrets(cipher.name)[:2]
    assert entries
    for secret in entries:
        run_software(cipher, PROCESSORS["vexriscv"], WORD_PARALLEL[cipher], 16, secret)


def vector_secrets(name: str) -> list[tuple[bytes, bytes]]:
    """Key and IV of vectors, of the lengths that the software is for."""
    cipher = CATALOGUE[name]
    found = []
    (file,) = (path for path in own_files(cipher) if path.stem == name)
    for vector in json.loads(file.read_text())["vectors"]:
        key, iv = (
            bytes.fromhex(vector[part]) for part in ("key", "iv" if "iv" in vector else "nonce")
        )
        if 8 * len(key) == cipher.key_bits and 8 * len(iv) == cipher.iv_bits[-1]:
            found.append((key, iv))
    return found


@needs("vexriscv")
def test_words_that_the_model_does_not_say_are_an_error() -> None:
    scenario = Scenario.choose(TRIVIUM, interface="dma", radix=64, bytes=64)
    ready = prepare(scenario)
    job = replace(ready.job, expected=[ready.job.expected[0] ^ 1, *ready.job.expected[1:]])
    with pytest.raises(ToolError, match="but 1 of 2064 words differ, the first at byte 0"):
        job.check(simulated(scenario, ready))


@needs("vexriscv")
def test_a_broken_coprocessor_is_caught() -> None:
    scenario = Scenario.choose(TRIVIUM, interface="bus", radix=64, bytes=64)
    ready = prepare(scenario)
    file = "coprocessor_words_out.v"
    words = ready.coprocessor[file]
    mutant = re.sub(r"(wire final_unit = [^;=]*)==", r"\1!=", words)
    assert mutant != words
    broken = replace(ready, coprocessor={**ready.coprocessor, file: mutant})
    with pytest.raises(ToolError, match="what is in memory must be what the model says"):
        ready.job.check(simulated(scenario, broken))


@needs("vexriscv")
def test_firmware_that_traps_is_told() -> None:
    """Custom instructions are off after reset: a program that does not switch them on traps."""
    scenario = Scenario.choose(TRIVIUM, interface="custom", radix=64)
    processor = replace(scenario.processor, macros=("CPU_VEXRISCV=0", "HAS_CSR=1"))
    ready = prepare(replace(scenario, processor=processor))
    with pytest.raises(ToolError, match="the firmware trapped with cause 2"):
        simulated(scenario, ready)


@needs("vexriscv")
def test_records_are_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scenario = Scenario.choose(SALSA20, interface="custom", bytes=256)
    with open_store(tmp_path / "store.sqlite") as store:
        layered = LayeredStore(store, Reference())
        assert stored(scenario, layered) is None
        first = measure(scenario, store)
        for name in ("simulate", "simulate_software"):
            monkeypatch.setattr(measuring, name, None)
        assert measure(scenario, store) == first
        assert stored(scenario, layered) == first
        with pytest.raises(TypeError):
            measure(scenario, store, again=True)
    assert first["speedup_hw_sw"] == pytest.approx(
        first["baseline_cycles_per_128_bits"] / first["cycles_per_128_bits"], rel=0.01
    )
    assert first["speedup_hw"] > first["speedup_hw_sw"] > 9
    assert first["interface_efficiency"] == pytest.approx(
        5 / first["cycles_per_128_bits"], rel=0.01
    )


@needs("vexriscv")
def test_command(capsys: Capture) -> None:
    words = ["codesign", "chacha20", "--interface", "bus", "--bytes", "100"]
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    named = {
        "cpu": "vexriscv",
        "interface": "bus",
        "wait_states": 0,
        "radix": 32,
        "core_cycles_per_128_bits": 5.0,
    }
    assert named.items() <= record.items()
    assert record["bits_per_cycle"] == pytest.approx(128 / record["cycles_per_128_bits"], rel=0.01)
    assert record["speedup_hw"] > record["speedup_hw_sw"] > 1
    assert record["baseline"].startswith("word-parallel C, ")
    assert record["baseline"].endswith(" -O2")
    assert record["bit_serial"] is None
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert f"chacha20 on vexriscv in software: {record['baseline_cycles_per_128_bits']} " in printed
    assert main([*words, "--wait-states", "0,2", "--json"]) == 0
    both = json.loads(capsys.readouterr().out)
    assert [one["wait_states"] for one in both] == [0, 2]
    assert both[0] == record


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"cpu": "vexrisc"}, "cpu must be one of vexriscv, ibex, picorv32"),
        ({"interface": "fsl"}, "interface must be one of custom, custom3"),
        ({"driver": "interrupt"}, "driver must be one of blocking, four, simple"),
        ({"cpu": "ibex"}, "cpu must have custom instructions for interface custom"),
        ({"wait_states": 2}, "wait states are of the bus"),
        ({"interface": "bus", "wait_states": 256}, "wait states must be between 0 and 255"),
        ({"bytes": 0}, "bytes must be between 1 and 32768, not 0"),
        ({"radix": 1025}, "radix of trivium must be"),
        ({"stateless": True}, "stateless is for ciphers whose blocks have numbers"),
        ({"interface": "dma", "driver": "polling"}, "driver of interface dma must be blocking"),
        ({"interface": "custom2x2", "cpu": "picorv32"}, "cpu must have custom instructions of 2"),
        ({"interface": "custom2x2", "cpu": "ibex"}, "cpu must have custom instructions for"),
        ({"interface": "custom2x2", "driver": "simple"}, "driver of interface custom2x2 must be"),
        ({"interface": "custom2x2", "radix": 32}, "keystream words of trivium must be a multiple"),
        ({"options": {"stall": "none"}}, "option stall in a coprocessor must be stream"),
        ({"options": {"clear": "none"}}, "option clear in a coprocessor must be shift or instant"),
    ],
)
def test_what_is_not_possible_is_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        Scenario.choose(TRIVIUM, **choices)
    assert message in str(error.value)


def test_ciphers_that_have_no_place() -> None:
    with pytest.raises(InputError, match="driver of phelix must be blocking or polling"):
        Scenario.choose(PHELIX, interface="bus", driver="simple")
    with pytest.raises(InputError, match="must not be dma"):
        Scenario.choose(PHELIX, interface="dma")
    with pytest.raises(InputError, match="must encrypt, not only authenticate as eia3"):
        Scenario.choose(find("eia3"))
    with pytest.raises(InputError, match="option keyed_state in a coprocessor must be dropped"):
        Scenario.choose(find("vest4-ae"), options={"keyed_state": "kept"})


def test_all_means_what_is_possible() -> None:
    found = scenarios([TRIVIUM], ["all"], ["all"], [0], [64])
    pairs = {(one.processor.name, one.interface) for one in found}
    assert len(pairs) == len(found) == len(INTERFACES) + (len(INTERFACES) - 1) + 5
    with pytest.raises(InputError, match="cpu must have custom instructions"):
        scenarios([TRIVIUM], ["ibex"], ["custom"], [0], [64])
    assert len(DRIVERS) == 4


def test_illegal_systems_of_a_sweep_are_skipped_and_told() -> None:
    told: list[str] = []
    cpus = ["ibex", "vexriscv"]
    (found,) = scenarios([TRIVIUM], cpus, ["custom"], [0], [64], tell=told.append)
    assert found.processor.name == "vexriscv"
    assert [line.startswith("skipped: cpu must have custom") for line in told] == [True]


def test_a_cipher_that_no_system_can_have_is_told() -> None:
    told: list[str] = []
    found = scenarios([TRIVIUM, find("eia3")], ["all"], ["dma"], [0], [None], tell=told.append)
    assert {one.cipher for one in found} == {TRIVIUM}
    assert ["eia3" in line for line in told] == [True]


def test_a_missing_processor_is_told_with_its_cure() -> None:
    missing = replace(PROCESSORS["ibex"], package="pythondata-cpu-none")
    with pytest.raises(ToolError, match="is not installed; install it with: pip install"):
        _ = missing.version
    with pytest.raises(ToolError, match="pythondata-cpu-none is not installed"):
        missing.sources()


@needs_compiler
def test_every_choice_of_the_firmware_is_made() -> None:
    scenario = Scenario.choose(TRIVIUM, interface="bus")
    assert scenario.architecture is not None
    made = {macro.partition("=")[0] for macro in PROCESSORS["vexriscv"].macros}
    asked = set()
    for name, text in compiler.sources().items():
        if name.endswith((".c", ".h", ".S")):
            asked |= set(re.findall(r"#\s*(?:if|elif)\s+!?(\w+)", text))
    known = {
        "INTERRUPTS",
        "TAKES_TEXT",
        "COP_INSTRUCTIONS",
        "COP_PAIRS",
        "COP_FIFO",
        "COP_DMA",
        "COP_TRANSFER_WORDS",
        "COP_LAG_WORDS",
        "COP_POLLED_WORDS",
        "COP_RESULTS",
        "PREFIX_BYTES",
        "STATELESS",
        "DRIVER_FOUR",
        "DRIVER_POLLING",
        "DRIVER_SIMPLE",
    }
    assert asked <= made | known


@needs("vexriscv")
@pytest.mark.skipif(find_spec("ziglang") is None, reason="needs ziglang: pip install ziglang")
def test_the_other_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without GCC, Zig compiles drivers and baselines."""
    monkeypatch.setattr(compiler, "_GCC", "no-such-compiler")
    compiler.find_compiler.cache_clear()
    try:
        assert compiler.find_compiler().name == "zig"
        assert cycles("trivium", radix=64) <= 11.2
        assert cycles("trivium", radix=64, interface="dma") <= 4.2
        for cipher, baseline in WORD_PARALLEL.items():
            run_software(cipher, PROCESSORS["vexriscv"], baseline, 64)
    finally:
        compiler.find_compiler.cache_clear()


@pytest.mark.parametrize(
    ("name", "load_width"),
    [("trivium", 32), ("snow3g", 32), ("mickey2", 1), ("a51", 1), ("e0", 4), ("zuc", 16)],
)
def test_a_load_word_unrolls_no_more_steps_than_a_cycle(name: str, load_width: int) -> None:
    """Where key and IV enter by steps, the default is the cipher's own, not 32 bits."""
    assert coprocessor_architecture(find(name), None, None, None).load_width == load_width
