# SPDX-License-Identifier: Apache-2.0
"""How fast the generated C makes keystream, or encrypts, in MB/s at -O2: median and range of some
runs, for each cipher named on the command line or for all."""

from __future__ import annotations

import statistics
import sys
from time import perf_counter

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model, c_radix
from headwater.kinds.registry import facts_of
from headwater.verify.c_session import CLibrary, CSession

RUNS = 7
SECONDS = 0.1
"""Least length of a run."""


def main() -> None:
    """Print one line per cipher."""
    for name in sys.argv[1:] or CATALOGUE:
        cipher = CATALOGUE[name]
        architecture = Architecture.choose(cipher, radix=c_radix(cipher))
        library = CLibrary(c_model(cipher, architecture), ("-std=c99", "-O2"))
        outputs = set(facts_of(cipher, architecture).streams)
        count = 1000
        while (rate := run(library, cipher, outputs, count)) * 1e6 * SECONDS > count:
            count *= 2
        rates = [run(library, cipher, outputs, count) for _ in range(RUNS)]
        rate = statistics.median(rates)
        print(f"{name} at radix {architecture.radix}: {rate:.1f} MB/s "
              f"({min(rates):.1f}..{max(rates):.1f})", flush=True)  # fmt: skip


def run(library: CLibrary, cipher: Cipher, outputs: set[str], count: int) -> float:
    """MB/s of one run; the setup is not counted."""
    iv_bits = cipher.iv_bits[-1]
    iv = bytes([0x80 if cipher.first_iv_bit else 0, *bytes(-(-iv_bits // 8) - 1)])
    key = bytes(cipher.key_bits // 8)
    longest = cipher.tag_lengths[-1] if cipher.tag_lengths else 0
    session = library.begin(key=key, key_bytes=len(key), iv=iv, iv_bits=iv_bits, block=0,
                            tag_bits=longest)  # fmt: skip
    assert session is not None
    use(session, outputs, 16)
    start = perf_counter()
    use(session, outputs, count)
    return count / 1e6 / (perf_counter() - start)


def use(session: CSession, outputs: set[str], count: int) -> None:
    """Let a session make or take so many bytes."""
    if "keystream" in outputs:
        session.keystream(count)
    elif "data_out" in outputs:
        session.text("encrypt", bytes(count), 8 * count)
    else:
        session.authenticate(bytes(count), 8 * count)


if __name__ == "__main__":
    main()
