# SPDX-License-Identifier: Apache-2.0
"""The Linux driver of a source of random bits: compiled by the kernel's own makefiles, and on the
Verilog of the source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_line import Capture, refused, succeed
from needs import KERNEL_TREES, needs_dtc, needs_kernel_headers
from test_prng_bus import BUS, KEY, bits_of, source

from headwater.api.random_bits import RandomBits
from headwater.emit.prng_bus import prng_identity
from headwater.errors import InputError
from headwater.flow.kept import hash_of
from headwater.flow.models import Design, Model, link_models
from headwater.flow.process import run_tool
from headwater.interface.prng_registers import PRNG_REGISTERS
from headwater.package.prng_linux import FOLDER

HERE = Path(__file__).parent


def written(made: RandomBits, bus: str, folder: Path) -> str:
    """The files of the Linux driver in a folder; gives the name of the module."""
    top, files = made.top(bus), made.files(bus=bus, linux=True)
    for name, text in files.items():
        if name.startswith(f"{FOLDER}/"):
            (folder / Path(name).name).write_text(text)
    return top


@needs_kernel_headers
@pytest.mark.parametrize(
    ("name", "bits", "bus"), [("trivium", 64, "axi4lite"), ("mickey2", 2, "wishbone")]
)
def test_the_kernel_compiles_it(name: str, bits: int, bus: str, tmp_path: Path) -> None:
    """Without a warning, with all symbols that it uses: they are for modules under the GPL."""
    top = written(source(name, bits, 1), bus, tmp_path)
    command = ["make", "-C", KERNEL_TREES[-1], f"M={tmp_path}", "W=1", "modules"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not [line for line in done.stderr.splitlines() if "BTF" not in line], done.stderr
    module = (tmp_path / f"{top}.ko").read_bytes()
    assert f"alias=of:N*T*Cheadwater,{top.replace('_', '-')}\0".encode() in module
    assert b"license=GPL\0" in module


@needs_dtc
def test_the_node_is_the_one_that_the_driver_matches(tmp_path: Path) -> None:
    top = written(source("trivium", 64, 1), "axi4lite", tmp_path)
    (tmp_path / "board.dts").write_text(
        "/dts-v1/; / { #address-cells = <1>; #size-cells = <1>; soc { compatible = "
        '"simple-bus"; #address-cells = <1>; #size-cells = <1>; ranges; '
        f'/include/ "{top}.dtsi"\n}}; }};'
    )
    command = ["dtc", "-o", "board.dtb", "board.dts"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not done.stderr
    node = ("board.dtb", "/soc/rng@80000000")
    (compatible,) = run_tool(["fdtget", *node, "compatible"], cwd=tmp_path).splitlines()
    assert f'.compatible = "{compatible}"' in (tmp_path / f"{top}.c").read_text()
    assert run_tool(["fdtget", "-tx", *node, "reg"], cwd=tmp_path).split() == ["80000000", "40"]


def compiled(text: str, folder: Path) -> None:
    """The driver as an object, with what stands in for the kernel."""
    lines = [line for line in text.splitlines() if not line.startswith("#include <linux/")]
    (folder / "driver.c").write_text("\n".join(['#include "prng_linux.h"', *lines, ""]))
    shim = (HERE / "prng_linux.h").read_text()
    (folder / "prng_linux.h").write_text(shim)
    strict = ("-std=gnu11", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror")
    run_tool(["gcc", *strict, "-c", "driver.c", "-o", "model.o"], cwd=folder)


def driven(made: RandomBits, seed: list[int], folder: Path, *changes: str) -> list[str]:
    """What is seen of the driver on the Verilog of a source on requests; the first text of
    ``changes`` in the driver is the second."""
    top = written(made, "request", folder)
    text = (folder / f"{top}.c").read_text()
    if changes:
        assert text.count(changes[0]) == 1
        text = text.replace(*changes)
    compiled(text, folder)
    harness = BUS.read_text() + (HERE / "prng_linux.cpp").read_text()
    (folder / "harness.cpp").write_text(harness.replace("SEED}", ", ".join(map(hex, seed)) + "}"))
    rtl = {name: text for name, text in made.files(bus="request").items() if name.endswith(".v")}
    shared = [Model(folder, hash_of(text, (HERE / "prng_linux.h").read_text()))]
    program = link_models(folder / "harness.cpp", Design("Vsource", top, rtl), shared)
    return run_tool([program], cwd=folder).splitlines()


def test_it_reads_what_the_model_gives(tmp_path: Path) -> None:
    made = source("trivium", 64, 1)
    seed = made.seed(KEY, KEY)
    words = [f"{bits & 0xFFFFFFFF:x}" for bits in bits_of(made, seed)]
    assert (
        driven(made, seed, tmp_path)
        == [
            "0",
            "1 1",  # The least quality that counts; bits are offered.
            f"20 {' '.join(words[:5])}",
            f"4 {words[5]}",
            "0",
            "-110",  # -ETIMEDOUT
            f"0 {made.shape.seed_words << 16:x}",  # A whole seed is to come.
        ]
    )


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("writel(seed[i],", "writel(seed[0],"),
        ("rng.quality = 1;", "rng.quality = 0;"),
        ("result == -EAGAIN ? 0 : result", "result"),
        ("writel(TRIVIUM_PRNG64_REQUEST_CONTROL_RESTART", "writel(0"),
        ("(u8 *)data + bytes", "(u8 *)data"),
    ],
)
def test_faults_are_found(right: str, wrong: str, tmp_path: Path) -> None:
    made = source("trivium", 64, 1)
    seed = made.seed(KEY, KEY)
    assert driven(made, seed, tmp_path, right, wrong) != driven(made, seed, tmp_path)


FAKE = """\
#include <stdio.h>
#include <stdlib.h>
#include "prng_linux.h"
static u32 identity, status, taken;
static int random_result;
static struct hwrng *offered;

u32 readl(const void *address) {
    uintptr_t offset = (uintptr_t)address;
    if (offset == 0x0C) status |= taken;
    return offset == 4 ? status : offset == 0x0C ? 0x55 : offset == 0x30 ? identity : VALUES;
}
void writel(u32 word, void *address) { (void)word, (void)address; }
int get_random_bytes_wait(void *data, size_t bytes) {
    memset(data, 1, bytes);
    return random_result;
}
void *devm_kzalloc(struct device *dev, size_t bytes, int flags) {
    (void)dev, (void)flags;
    return calloc(1, bytes);
}
int devm_hwrng_register(struct device *dev, struct hwrng *rng) {
    (void)dev;
    offered = rng;
    return 0;
}
int devm_add_action_or_reset(struct device *dev, void (*action)(void *), void *data) {
    (void)dev, (void)action, (void)data;
    return 0;
}

static void probed(u32 id, u32 state, int random) {
    struct platform_device device;
    identity = id, status = state, random_result = random;
    offered = NULL;
    int result = driver_of_source->probe(&device);
    printf("%d %d\\n", result, offered != NULL);
}

static void read(u32 state, u32 in_between) {
    u32 word;
    status = state, taken = in_between;
    printf("%d\\n", offered->read(offered, &word, 4, true));
}

int main(void) {
    probed(IDENTITY ^ 1, 1, 0);
    probed(IDENTITY, 1, -EINTR);
    probed(IDENTITY, 0, 0);
    probed(IDENTITY, 8, 0);
    probed(IDENTITY, 1, 0);
    read(5, 0);
    read(1, 0);
    read(9, 0);
    read(5, 8);
    return 0;
}
"""


def test_it_tells_what_is_wrong(tmp_path: Path) -> None:
    """Another source; no random numbers of the kernel; no end of a setup; and an error, as STATUS
    tells them."""
    made = source("trivium", 64, 1)
    top = written(made, "axi4lite", tmp_path)
    text = (tmp_path / f"{top}.c").read_text()
    compiled(text, tmp_path)
    values = prng_identity(made.shape)
    others = " : ".join(
        f"offset == 0x{one.address:x} ? 0x{values[one.name]:x}u"
        for one in PRNG_REGISTERS
        if one.name in values
    )
    main = FAKE.replace("VALUES", f"{others} : 0").replace("IDENTITY", f"0x{values['IDENTITY']:x}u")
    (tmp_path / "main.c").write_text(main)
    run_tool(["gcc", "main.c", "model.o", "-o", "main"], cwd=tmp_path)
    assert run_tool([tmp_path / "main"], cwd=tmp_path).splitlines() == [
        "-19 0",  # -ENODEV
        "-4 0",  # -EINTR
        "-110 0",  # -ETIMEDOUT
        "-5 0",  # -EIO
        "0 1",
        "4",
        "-110",
        "-5",
        "-5",  # An error in the read itself.
    ]


def test_generate(capsys: Capture, tmp_path: Path) -> None:
    words = ("trivium", "--random-bits", "64", "--interface", "prng", "--linux", "-o", tmp_path)
    printed = succeed(capsys, "generate", *words, "--bus", "axi4lite")
    assert str(tmp_path / FOLDER / "Kbuild") in printed.splitlines()
    refused(capsys, ("generate", *words), "--linux must come with --bus, whose registers it drives")
    with pytest.raises(InputError, match=r"^linux must come with a bus, .*, not with None$"):
        source("trivium", 64, 1).files(linux=True)
