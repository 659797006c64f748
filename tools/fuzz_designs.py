# SPDX-License-Identifier: Apache-2.0
"""Random designs around cores: interfaces with their packages, and sources of random bits.

    python tools/fuzz_designs.py --minutes 10       cases for so long, each with its own number
    python tools/fuzz_designs.py --case 7           one case again

A case is a command line. The package that it generates is run with the testbench that is delivered
in it, of the whole where there is one; a source of random bits is verified: in Verilog and in C,
cycle by cycle. What fails is made smaller, as long as it fails, and printed as a command line. The
exit status is 1 if there was a failure. `tools/fuzz.py` draws cores, keys and texts.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from fuzz import numbers

from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cli.main import main as headwater
from headwater.flow.folders import private_folder
from headwater.flow.testbench import compile_testbench, verdict
from headwater.interface import INTERFACES

_WIDEST = 128
"""Bits per cycle of the widest core that is made: a wider one takes a minute."""
_REFUSED = 2
_LIMIT_S = 300.0

Option = tuple[str, ...]
"""An option with its value; also the verb with what it is about."""
Words = tuple[Option, ...]
"""A command line: the verb comes first."""


def drawn(number: int, names: Sequence[str]) -> Words:
    """The command line of that number. It may be one that is refused."""
    random = Random(number)
    cipher = find(random.choice(names))
    if random.random() < 0.25:
        return _source(cipher, random)
    interface = random.choice([name for name in INTERFACES if name != "prng"])
    words: list[tuple[str, ...]] = [
        ("generate", cipher.name),
        ("--interface", interface),
        *_architecture(cipher, random),
    ]
    if interface == "axi4stream":
        words += _some(random, ("--data-width", random.choice(["8", "16", "32", "64", "128"])))
        words += _some(random, ("--key-by", random.choice(["stream", "axi4lite"])))
        words += _some(random, ("--packets", random.choice(["marked", "plain"])))
    return *words, ("--package",)


def _source(cipher: Cipher, random: Random) -> Words:
    words: list[tuple[str, ...]] = [
        ("verify", cipher.name),
        ("--random-bits", str(random.randint(1, 96))),
    ]
    words += _some(random, ("--instances", str(random.randint(1, 4))))
    words += _some(random, ("--seed-width", random.choice(["32", "64"])))
    words += _some(random, ("--reset", "async")) + _some(random, ("--state-port",))
    words += _some(random, ("--lockup", "none")) + _some(random, ("--seed-by", "state"))
    return tuple(words)


def _architecture(cipher: Cipher, random: Random) -> Iterator[Option]:
    radices = [radix for radix in cipher.legal_radices() if radix <= _WIDEST]
    radix = random.choice(radices or [cipher.default_radix])
    yield "--radix", str(radix)
    if random.random() < 0.5:
        yield "--load-width", str(random.choice(cipher.legal_load_widths(radix)))
    for option in cipher.choices:
        if random.random() < 0.3:
            yield "--option", f"{option.name}={random.choice(option.values)}"


def _some(random: Random, option: Option) -> list[Option]:
    return [option] if random.random() < 0.5 else []


def failure(words: Words) -> str | None:
    """What is wrong with what a command line makes; empty if nothing is, None if it is refused."""
    # A command line that raises anything is wrong.
    try:
        return _failure(words)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _failure(words: Words) -> str | None:
    flat = [word for several in words for word in several]
    with private_folder() as folder:
        into = ["-o", str(folder / "made")] if words[0][0] == "generate" else []
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as error:
            status = headwater([*flat, *into, "--json"])
        if status == _REFUSED:
            return None
        if status or not into:
            return error.getvalue().strip() if status else ""
        made = json.loads(said.getvalue())
        return simulated(folder, made["top"], made["module"], [*map(Path, made["files"])])


def simulated(folder: Path, top: str, core: str, files: Sequence[Path]) -> str:
    """What the testbench of a package says, unless it passes."""
    benches = {file.stem: file for file in files if file.stem.endswith("_tb")}
    bench = benches.get(f"{top}_tb") or benches[f"{core}_tb"]
    read = [
        bench,
        *(file for file in files if file.suffix == ".v" and file not in benches.values()),
    ]
    texts = {file.name: file.read_text() for file in read}
    (folder / "run").mkdir()
    said = verdict(compile_testbench(bench.stem, texts, folder / "run"), time_limit_s=_LIMIT_S)
    return "" if said.startswith("PASS") else said or "neither PASS nor FAIL"


def smaller(words: Words) -> Words:
    """A command line that still fails, and of which nothing can be left out."""
    for place in range(2, len(words)):
        simpler = (*words[:place], *words[place + 1 :])
        if "--package" not in words[place] and failure(simpler):
            return smaller(simpler)
    return words


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--first", type=int, default=1, help="number of the first case")
    parser.add_argument("--case", type=int, help="this case alone")
    given = parser.parse_args()
    count, failures = 0, 0
    for number in numbers(given):
        words = drawn(number, list(CATALOGUE))
        said = failure(words)
        if said is None:
            continue
        count += 1
        line = shlex.join(word for several in words for word in several)
        print(f"case {number}: {line}: {said or 'passes'}", flush=True)
        if said:
            failures += 1
            found = shlex.join(word for several in smaller(words) for word in several)
            print(f"case {number}, made smaller: headwater {found}", flush=True)
    print(f"{count} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
