# SPDX-License-Identifier: Apache-2.0
"""How fast the generated C of a core makes clock cycles, beside Verilator's C++ of the same core's
Verilog, both compiled alike, in millions of cycles per second of processor time.

    python benchmarks/c_cycles.py [NAME[:RADIX] ...]

Both programs load zeros and then take a keystream word in each cycle in which one is there. They
are run in turn, and must give the same words: a sum of them is compared."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model, c_radix
from headwater.emit.verilog import generate
from headwater.flow.process import run_tool
from headwater.flow.verilator import verilator, verilator_root
from headwater.interface.load_probing import load_table

CORES = ("trivium", "grain_v1", "grain128a", "a51", "mickey2", "zuc", "snow3g", "aes_ofb", "snow_v")
RUNS = 5
CYCLES = 2_000_000
"""Of a run of a core of one bit; of a wider one less."""
FLAGS = ("-O2", "-w")
OF_C = """\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "{name}.h"
int main(int count, char **given) {{
    static {name}_state state;
    {name}_inputs in = {{0}};
    {name}_outputs out;
    unsigned long long sum = 0;
    in.rst = 1;
    {name}_cycle(&state, &in, &out);
    in.rst = 0;
    in.keystream_ready = 1;
    clock_t start = clock();
    for (long long cycle = 0, last = atoll(given[1]); cycle < last; ++cycle) {{
        in.load_valid = cycle < {words};
        {name}_cycle(&state, &in, &out);
        if (out.keystream_valid) sum = sum * 3 + {payload_in_c};
    }}
    printf("%f %llu\\n", (double)(clock() - start) / CLOCKS_PER_SEC, sum);
}}
"""
OF_VERILATOR = """\
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include "V{name}.h"
int main(int, char **given) {{
    VerilatedContext context;
    V{name} core{{&context}};
    unsigned long long sum = 0;
    core.rst = 1;
    core.clk = 0;
    core.eval();
    core.clk = 1;
    core.eval();
    core.rst = 0;
    core.keystream_ready = 1;
    clock_t start = clock();
    for (long long cycle = 0, last = atoll(given[1]); cycle < last; ++cycle) {{
        core.load_valid = cycle < {words};
        core.clk = 0;
        core.eval();
        if (core.keystream_valid) sum = sum * 3 + {payload_in_verilator};
        core.clk = 1;
        core.eval();
    }}
    printf("%f %llu\\n", double(clock() - start) / CLOCKS_PER_SEC, sum);
}}
"""


def main() -> None:
    """Print a line for each core."""
    for given in sys.argv[1:] or CORES:
        name, _, radix = given.partition(":")
        with TemporaryDirectory() as folder:
            print(compared(name, int(radix or 0), Path(folder)), flush=True)


def compared(name: str, radix: int, folder: Path) -> str:
    """Both programs of a core, built and run in turn, in words."""
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=radix or c_radix(cipher))
    model, core = c_model(cipher, architecture), generate(cipher, architecture)
    table, width = load_table(cipher, architecture), model.outputs["keystream_payload"]
    values = {
        "name": model.name,
        "words": table.longest // table.stream.width,
        "payload_in_c": f"out.keystream_payload{'[0]' if width > 64 else ''}",
        "payload_in_verilator": "core.keystream_payload"
        if width <= 64
        else "(core.keystream_payload[0] | (unsigned long long)core.keystream_payload[1] << 32)",
    }
    texts = {
        f"{model.name}.h": model.header,
        f"{model.name}.c": model.source,
        f"{model.name}.v": core.text,
        "cycles.c": OF_C.format(**values),
        "cycles.cpp": OF_VERILATOR.format(**values),
    }
    for file, text in texts.items():
        (folder / file).write_text(text)
    programs = [built_c(model.name, folder), built_verilator(model.name, folder)]
    cycles = max(2000, CYCLES // width)
    seconds: list[list[float]] = [[], []]
    for _ in range(RUNS):
        sums = set()
        for program, times in zip(programs, seconds, strict=True):
            took, total = subprocess.run(
                [program, str(cycles)], capture_output=True, text=True, check=True
            ).stdout.split()
            times.append(float(took))
            sums.add(total)
        assert len(sums) == 1, f"{name}: the words differ"
    ours, theirs = (cycles / 1e6 / statistics.median(times) for times in seconds)
    return (
        f"{name}, radix {architecture.radix}: {ours:.2f} million cycles/s, "
        f"{ours / theirs:.2f} of Verilator's {theirs:.2f}"
    )


def built_c(name: str, folder: Path) -> Path:
    """The program of the generated C."""
    run_tool(["gcc", "-std=c99", *FLAGS, f"{name}.c", "cycles.c", "-o", "ours"], cwd=folder)
    return folder / "ours"


def built_verilator(name: str, folder: Path) -> Path:
    """The program of Verilator's C++."""
    run_tool([*verilator(), "--cc", "-O3", "-Wno-fatal", f"{name}.v", "--Mdir", "."], cwd=folder)
    include = verilator_root() / "include"
    sources = [*sorted(str(one) for one in folder.glob("V*.cpp")), "cycles.cpp"]
    sources += [str(include / one) for one in ("verilated.cpp", "verilated_threads.cpp")]
    paths = [f"-I{include}", f"-I{include / 'vltstd'}", "-I."]
    run_tool(
        ["g++", "-std=c++17", *FLAGS, *paths, *sources, "-pthread", "-o", "theirs"], cwd=folder
    )
    return folder / "theirs"


if __name__ == "__main__":
    main()
