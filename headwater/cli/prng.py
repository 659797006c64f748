# SPDX-License-Identifier: Apache-2.0
"""`--random-bits`: a cipher as a source of random bits, in `generate`, `verify` and `evaluate`."""

from __future__ import annotations

import argparse
from typing import Any

from headwater.api.ciphers import Cipher
from headwater.api.random_bits import RandomBits
from headwater.cli.arguments import cipher_of, only_with, only_without
from headwater.errors import InputError
from headwater.interface.prng_registers import SEED_BITS
from headwater.kinds.stepped.prng.shape import LOCKUPS, RESETS, SEEDS

PRNG = "prng"
"""The interface of a source of random bits."""


def random_bits_of(args: argparse.Namespace) -> RandomBits:
    """The source that a command line asks for; refuses what goes with a core alone."""
    if args.random_bits is None:
        raise InputError("--interface prng must come with --random-bits, its bits per cycle")
    refuse_core_choices(args)
    seed_width = args.seed_width
    if seed_width is None and getattr(args, "bus", None):
        seed_width = SEED_BITS
    return Cipher(cipher_of(args.cipher, args)).random_bits(
        args.random_bits,
        instances=args.instances,
        seed_width=seed_width,
        reset=args.reset or RESETS[0],
        state_port=args.state_port,
        lockup=args.lockup or LOCKUPS[0],
        seed_by=args.seed_by or SEEDS[0],
        name=getattr(args, "name", None),
    )


def refuse_core_choices(args: argparse.Namespace) -> None:
    """Refuse what goes with a core alone, if a source is asked for, and what goes with a source
    alone, if not."""
    if args.random_bits is None:
        refuse_without_random_bits(args)
        return
    of_proofs = _REFUSED_BY_PROOFS if args.verb == "verify" else {}
    for name, reason in {**_REFUSED, **of_proofs}.items():
        only_without(args, f"--random-bits; {reason}", [name])


def refuse_without_random_bits(args: argparse.Namespace) -> None:
    """Refuse what goes with a source of random bits alone."""
    names = (
        "random_bits",
        "instances",
        "seed_width",
        "reset",
        "state_port",
        "lockup",
        "seed_by",
        "bus",
    )
    if args.verb == "generate":
        only_with(args, "--interface prng", (*names, "properties", "linux"))
    else:
        only_with(args, "--random-bits", names)


def described(source: RandomBits) -> dict[str, Any]:
    """What JSON says of a source."""
    shape = source.shape
    return {
        "random_bits": shape.random_bits,
        "instances": shape.instances,
        "seed_width": shape.seed_width,
        "seed_words": shape.seed_words,
        "reset": shape.reset,
        "lockup": shape.lockup,
        "seed_by": shape.seed_by,
        "state_words": shape.state_words,
    }


_FOLLOWS = "it follows from the number of bits and instances"
_REFUSED = {
    "radix": _FOLLOWS,
    "load_width": _FOLLOWS,
    "option": _FOLLOWS,
    "data_width": "it is of axi4stream",
    "key_by": "it is of axi4stream",
    "packets": "it is of axi4stream",
    "package": "--bus adds registers around a source of random bits, their map and their driver",
    "area": "it goes with a package",
    "litex": "a module of LiteX is of a core",
    "vectors": "a source is compared with its model",
    "engine": "a source is simulated in Verilog alone",
    "netlist": "netlists are compared for cores alone",
}
"""What no verb can do for a source of random bits, and why."""

_REFUSED_BY_PROOFS = {
    "jobs": "its proofs are one after the other",
}
"""The same of `verify` alone: `evaluate` has jobs, too."""
