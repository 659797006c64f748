# SPDX-License-Identifier: Apache-2.0
"""How fast each cipher's model makes keystream, in MB/s: median and range of some runs."""

from __future__ import annotations

import statistics
from time import perf_counter

from headwater.cipher.catalogue import CATALOGUE
from headwater.kinds.stepped.model import Model

RUNS = 5
BYTES = 1_000_000


def main() -> None:
    """Print one line per cipher."""
    for cipher in CATALOGUE.values():
        model = Model(cipher, key=bytes(cipher.key_bits // 8), iv=bytes(cipher.iv_bits[-1] // 8))
        rates = []
        for _ in range(RUNS):
            start = perf_counter()
            model.read(8 * BYTES)
            rates.append(BYTES / 1e6 / (perf_counter() - start))
        median = statistics.median(rates)
        print(f"{cipher.name}: {median:.2f} MB/s ({min(rates):.2f}..{max(rates):.2f})")


if __name__ == "__main__":
    main()
