# SPDX-License-Identifier: Apache-2.0
"""`--masking`: cores in shares, in `generate`, `verify`, `evaluate` and `show`."""

from __future__ import annotations

import argparse

from headwater.cli.arguments import only_without


def add_masking(verb: argparse.ArgumentParser) -> None:
    """The argument itself."""
    verb.add_argument(
        "--masking",
        metavar="ORDER",
        help="first: a core whose key, state and keystream are in two shares, so "
        "that no single net tells anything of them (docs/masking.md)",
    )


def refuse_with_masking(args: argparse.Namespace) -> None:
    """Refuse what does not go with a core in shares."""
    for name, reason in _REFUSED.items():
        only_without(args, f"--masking; {reason}", [name])


_KEY = "nothing around a core takes a key in shares yet"
_REFUSED = {
    "load_width": "its load width is its radix",
    "target": "its options have one default on all targets",
    "data_width": _KEY,
    "key_by": _KEY,
    "packets": _KEY,
    "package": _KEY,
    "area": _KEY,
    "testbench": _KEY,
    "fusesoc": _KEY,
    "litex": _KEY,
    "c_model": "in software it would only look masked",
    "random_bits": "a source of random bits has no shares",
}
"""What does not go with a core in shares, and why."""
