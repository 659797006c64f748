# SPDX-License-Identifier: Apache-2.0
"""Statistical tests of the bits of a source of random bits: a sanity check, and no proof.

    python tools/random_tests.py trivium [--mib N] [--tests D[,D..]]

The generated C makes N MiB of keystream, which is what a core of a source gives, and `dieharder`
(a Debian package) tests them. A test that needs more bits than there are reads them again from the
beginning: it says nothing, and is told apart. A test fails with a p-value below 1e-6, as dieharder
says. Exit status 1 if one fails, 2 if none can be made.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model, c_radix
from headwater.errors import HeadwaterError, ToolError
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.report.table import Table, as_text
from headwater.verify.c_session import CLibrary

TESTS = (0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 15, 16, 17, 100, 101, 102, 204, 206, 207, 208, 209)
"""Those that dieharder itself calls good, but for 200 to 203 and 205, which want far more bits."""
FAILED = "FAILED"
_MIB = 1 << 20


@dataclass(frozen=True)
class Finding:
    """What one test says: its name, the p-value and dieharder's word for it."""

    test: str
    samples: int
    p_value: float
    word: str
    whole: bool
    """Whether there were bits enough."""


def keystream(cipher: Cipher, radix: int, mib: int) -> Iterator[bytes]:
    """So many MiB of keystream in pieces, of a key and an IV that are fixed."""
    PrngShape.choose(cipher, radix)  # Refuses a cipher that is no source.
    library = CLibrary(c_model(cipher, Architecture.choose(cipher, radix=radix)))
    secret = hashlib.sha256(b"random bits").digest()
    key, iv = secret[: cipher.key_bits // 8], secret[-(cipher.iv_bits[-1] // 8) :]
    session = library.begin(key=key, iv=iv, iv_bits=cipher.iv_bits[-1])
    assert session
    for _ in range(mib):
        yield session.keystream(_MIB)


def findings(file: Path, test: int) -> list[Finding]:
    """What dieharder says of a file in one test, which may have several parts."""
    command = ["dieharder", "-d", str(test), "-g", "201", "-f", str(file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = list(parsed(done.stdout))
    if not found:
        raise ToolError(
            f"dieharder test {test} must give a result, but says: {done.stdout.strip()}"
        )
    return found


_RESULT = re.compile(r"\s*(\S+)\|\s*(\d+)\|\s*\d+\|\s*(\d+)\|([0-9.]+)\|\s*(\w+)")


def parsed(text: str) -> Iterator[Finding]:
    """The results in what dieharder prints. Whether it began the file again stands after each."""
    lines = text.splitlines()
    whole = not any("was rewound" in line for line in lines)
    for line in lines:
        if match := _RESULT.match(line):
            name, part, samples, p_value, word = match.groups()
            yield Finding(f"{name} {part}", int(samples), float(p_value), word, whole)


def version() -> str:
    """The version of dieharder."""
    if shutil.which("dieharder") is None:
        raise ToolError("dieharder is not installed; install with: apt-get install dieharder")
    said = subprocess.run(["dieharder", "-l"], capture_output=True, text=True).stdout
    found = re.search(r"version (\S+)", said)
    return found.group(1) if found else "of unknown version"


def told(found: Sequence[Finding]) -> list[str]:
    """The findings in sentences."""
    counted = [one for one in found if one.whole]
    by_word = {
        word: [one for one in counted if one.word == word] for word in ("PASSED", "WEAK", FAILED)
    }
    counts = ", ".join(f"{len(those)} {word.lower()}" for word, those in by_word.items())
    short = len(found) - len(counted)
    return [f"{len(counted)} results: {counts}."] + (
        [f"{short} more are of tests that need more bits, and say nothing."] if short else []
    )


def main() -> int:
    """Make the bits, run the tests, print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cipher")
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--tests", default=",".join(map(str, TESTS)))
    given = parser.parse_args()
    cipher, release = find(given.cipher), version()
    radix = c_radix(cipher)
    found: list[Finding] = []
    with tempfile.TemporaryDirectory(prefix="headwater-") as folder:
        file = Path(folder) / "bits"
        with file.open("wb") as out:
            out.writelines(keystream(cipher, radix, given.mib))
        for test in map(int, given.tests.split(",")):
            found += findings(file, test)
            print(found[-1], file=sys.stderr, flush=True)
    rows = [
        (one.test, one.samples, one.p_value, one.word if one.whole else "too few bits")
        for one in found
    ]
    print(as_text(Table(("test", "samples", "p-value", "dieharder says"), rows)))
    print(f"{cipher.name} at radix {radix}, {given.mib} MiB, dieharder {release}:")
    print(*told(found), sep="\n")
    return 1 if any(one.whole and one.word == FAILED for one in found) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HeadwaterError as error:
        print(f"random_tests: {error}", file=sys.stderr)
        sys.exit(2)
