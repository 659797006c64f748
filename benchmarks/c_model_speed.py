# SPDX-License-Identifier: Apache-2.0
"""How fast the generated C makes keystream, or encrypts, in MB/s of processor time: median and
range of some runs, for each cipher named on the command line or for all; with S-boxes of gates and
of tables where both are offered, and with many sessions at once where there is a function for it.

    python benchmarks/c_model_speed.py [-O3 -march=native ...] [NAME ...]

Beside ciphers that OpenSSL has stands what it reaches in the same run, and beside Trivium a plain
loop of 64 steps a turn, compiled alike; both as a ratio."""

from __future__ import annotations

import ctypes
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from time import process_time
from typing import Any

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_model, c_radix
from headwater.flow.c_library import c_library
from headwater.kinds.registry import facts_of
from headwater.verify.c_session import CLibrary, CSession

RUNS = 7
SECONDS = 0.1
"""Least length of a run."""
PIECE = 16384
"""Bytes of one call."""
STREAMS = 512
"""Sessions at once."""
OF_OPENSSL = {"aes_ctr": "aes-128-ctr", "aes_ofb": "aes-128-ofb", "chacha20": "chacha20"}
PLAIN_LOOP = """\
#include <stddef.h>
#include <stdint.h>
// 64 steps of Trivium a turn; each register is two words, the oldest bits in the first.
void trivium_loop(uint64_t *out, size_t words) {
    uint64_t a0 = 1, a1 = 2, b0 = 3, b1 = 4, c0 = 5, c1 = 6;
    for (size_t word = 0; word < words; ++word) {
        uint64_t t1 = (a0 >> 27 | a1 << 37) ^ a0, t2 = (b0 >> 15 | b1 << 49) ^ b0;
        uint64_t t3 = (c0 >> 45 | c1 << 19) ^ c0;
        out[word] = t1 ^ t2 ^ t3;
        t1 ^= (a0 >> 2 | a1 << 62) & (a0 >> 1 | a1 << 63);
        t2 ^= (b0 >> 2 | b1 << 62) & (b0 >> 1 | b1 << 63);
        t3 ^= (c0 >> 2 | c1 << 62) & (c0 >> 1 | c1 << 63);
        t1 ^= b0 >> 6 | b1 << 58;
        t2 ^= c0 >> 24 | c1 << 40;
        t3 ^= a0 >> 24 | a1 << 40;
        a0 = a1 | t3 << 29; a1 = t3 >> 35;
        b0 = b1 | t1 << 20; b1 = t1 >> 44;
        c0 = c1 | t2 << 47; c1 = t2 >> 17;
    }
}
"""


def main() -> None:
    """Print some lines per cipher."""
    flags = ("-std=c99", "-O2", *(one for one in sys.argv[1:] if one.startswith("-")))
    for name in [one for one in sys.argv[1:] if not one.startswith("-")] or CATALOGUE:
        for what, made in ways(CATALOGUE[name], flags):
            rates = measured(made)
            rate = statistics.median(rates)
            print(
                f"{name}, {what}: {rate:.1f} MB/s ({min(rates):.1f}..{max(rates):.1f})"
                f"{beside(name, rate, flags)}",
                flush=True,
            )


def measured(made: Callable[[int], float]) -> list[float]:
    """MB/s of the runs of something that makes so many bytes, in seconds."""
    count = 1000
    while made(count) < SECONDS:
        count *= 2
    return [count / 1e6 / made(count) for _ in range(RUNS)]


def ways(cipher: Cipher, flags: tuple[str, ...]) -> Iterator[tuple[str, Callable[[int], float]]]:
    """What is measured of a cipher: in words, and a function that makes so many bytes."""
    forms = [""]
    if any(one.name == "sbox" for one in cipher.options):
        forms = [f"sbox={Architecture.choose(cipher)['sbox']}", "sbox=table"]
    for form in dict.fromkeys(forms):
        options = dict([form.split("=")]) if form else {}
        architecture = Architecture.choose(cipher, radix=c_radix(cipher), options=options)
        library = CLibrary(c_model(cipher, architecture), flags)
        outputs = set(facts_of(cipher, architecture).streams)
        words = " ".join(filter(None, (f"radix {architecture.radix}", form)))
        yield words, lambda count, of=(library, outputs): run(of[0], cipher, of[1], count)  # type: ignore[misc]
        if "_keystreams(" in library.model.header:
            yield (
                f"{words}, {STREAMS} sessions at once",
                lambda count, of=library: run_many(of, cipher, count),
            )  # type: ignore[misc]


def begun(library: CLibrary, cipher: Cipher) -> CSession:
    """A session under keys of zeros."""
    iv_bits = cipher.iv_bits[-1]
    iv = bytes([0x80 if cipher.first_iv_bit else 0, *bytes(-(-iv_bits // 8) - 1)])
    key = bytes(cipher.key_bits // 8)
    longest = cipher.tag_lengths[-1] if cipher.tag_lengths else 0
    session = library.begin(
        key=key, key_bytes=len(key), iv=iv, iv_bits=iv_bits, block=0, tag_bits=longest
    )
    assert session is not None
    return session


def run(library: CLibrary, cipher: Cipher, outputs: set[str], count: int) -> float:
    """Seconds for so many bytes in pieces; neither setup nor the memory for them is counted."""
    session, out = begun(library, cipher), ctypes.create_string_buffer(PIECE)
    pieces = -(-count // PIECE)
    use(library, session, outputs, out)
    start = process_time()
    for _ in range(pieces):
        use(library, session, outputs, out)
    return (process_time() - start) * count / (pieces * PIECE)


def run_many(library: CLibrary, cipher: Cipher, count: int) -> float:
    """The same of several sessions, so many bytes in all."""
    turns = -(-count // (STREAMS * PIECE))
    memory = ctypes.create_string_buffer(begun(library, cipher).memory.raw * STREAMS)
    outs = [ctypes.create_string_buffer(PIECE) for _ in range(STREAMS)]
    places = (ctypes.c_void_p * STREAMS)(*map(ctypes.addressof, outs))
    start = process_time()
    for _ in range(turns):
        library.call("keystreams", memory, ctypes.c_size_t(STREAMS), places, ctypes.c_size_t(PIECE))
    return (process_time() - start) * count / (turns * STREAMS * PIECE)


def use(library: CLibrary, session: CSession, outputs: set[str], out: Any) -> None:
    """Let a session make or take a piece."""
    if "keystream" in outputs:
        library.call("keystream", session.memory, out, ctypes.c_size_t(PIECE))
    elif "data_out" in outputs:
        library.call("encrypt", session.memory, out, out, ctypes.c_size_t(8 * PIECE))
    else:
        library.call("authenticate", session.memory, out, ctypes.c_size_t(8 * PIECE))


def beside(name: str, rate: float, flags: tuple[str, ...]) -> str:
    """The ratio to other code, in words; nothing where there is none."""
    if name in OF_OPENSSL and shutil.which("openssl"):
        other, whose = openssl(OF_OPENSSL[name]), "OpenSSL's"
    elif name == "trivium":
        other, whose = loop(flags), "the plain loop's"
    else:
        return ""
    return f"; {rate / other:.3f} of {whose} {other:.0f} MB/s"


@cache
def openssl(name: str) -> float:
    """MB/s of OpenSSL in blocks of 16 KiB."""
    command = ["openssl", "speed", "-seconds", "1", "-bytes", "16384", "-evp", name]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"([\d.]+)k$", told, re.MULTILINE)
    return float(found[-1]) / 1000


@cache
def loop(flags: tuple[str, ...]) -> float:
    """MB/s of `PLAIN_LOOP`."""
    library = ctypes.CDLL(str(c_library({"loop.c": PLAIN_LOOP}, flags)))

    def made(count: int) -> float:
        out, turns = ctypes.create_string_buffer(PIECE), -(-count // PIECE)
        start = process_time()
        for _ in range(turns):
            library.trivium_loop(out, ctypes.c_size_t(PIECE // 8))
        return (process_time() - start) * count / (turns * PIECE)

    return statistics.median(measured(made))


if __name__ == "__main__":
    main()
