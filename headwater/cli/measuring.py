# SPDX-License-Identifier: Apache-2.0
"""Arguments of the verbs that measure, or choose by what was measured."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.cli.arguments import (
    CIPHER,
    CIPHERS,
    add_architectures,
    add_ways_of_a_source,
    folder,
    number,
    quantity,
)
from headwater.cli.masking import add_masking
from headwater.codesign.scenario import Scenario
from headwater.measure import defaults
from headwater.measure.search import SERVICE
from headwater.measure.settings import CLOCK_GATING, OBJECTIVES

Parser = argparse.ArgumentParser


def add_evaluate(verb: Parser) -> None:
    """Arguments of `evaluate`."""
    verb.add_argument("ciphers", nargs="?", metavar="CIPHER[,..]|all", help=CIPHERS)
    verb.add_argument("--plan", type=Path, metavar="FILE", help="a TOML file of design points")
    add_architectures(verb, "D[,D..]|all", "bits per cycle; default: the least, in whole words")
    add_masking(verb)
    _add_random_bits(verb)
    verb.add_argument(
        "--target",
        metavar="T[,T..]|all",
        help=f"default: {defaults.TARGET}, or only --liberty; all: what is found",
    )
    verb.add_argument(
        "--liberty",
        action="append",
        default=[],
        metavar="FILE",
        help="a standard-cell library as a further target",
    )
    _add_flow(verb)
    stage = verb.add_mutually_exclusive_group()
    stage.add_argument(
        "--placement",
        action="store_true",
        help="place it, and estimate its wires (osu018, osu035, sky130hd)",
    )
    stage.add_argument(
        "--layout", action="store_true", help="place and route it, too (osu018, osu035)"
    )
    verb.add_argument(
        "--glitches",
        action="store_true",
        help="simulate it with the delays of its gates, too (standard cells)",
    )
    verb.add_argument(
        "--keep",
        type=folder,
        metavar="DIR",
        help="with --placement or --layout: measure, and write its files there",
    )
    verb.add_argument("--pareto", action="store_true", help="mark the points that no other beats")
    add_crew(verb)
    instead = verb.add_mutually_exclusive_group()
    instead.add_argument("--dry-run", action="store_true", help="only name the points")
    instead.add_argument("--stored", action="store_true", help="measure nothing that is not stored")
    instead.add_argument("--again", action="store_true", help="measure what is stored, too")
    add_store(verb)


def _add_flow(verb: Parser) -> None:
    """Settings of the flow."""
    flow = verb.add_argument_group(
        "settings of the flow",
        "of several targets, one that names its kind of target is for those of it",
    )
    flow.add_argument(
        "--seeds", type=number, metavar="N", help="place-and-route runs (FPGA; default 5)"
    )
    flow.add_argument(
        "--objective", metavar="NAME", help=f"{', '.join(OBJECTIVES)} (default balanced)"
    )
    flow.add_argument(
        "--clock-mhz",
        type=quantity,
        metavar="MHZ",
        help="the clock that power is given at (standard cells; default 100)",
    )
    flow.add_argument(
        "--clock-gating",
        metavar="NAME",
        help=f"{', '.join(CLOCK_GATING)} (standard cells; default auto)",
    )
    flow.add_argument(
        "--recipe",
        metavar="NAME",
        help="yosys, or best of a portfolio (standard cells; default yosys)",
    )
    flow.add_argument(
        "--hierarchy",
        metavar="NAME",
        help="flat, or parts: controller and datapath are mapped each by itself "
        "(standard cells; default flat)",
    )


def add_crew(verb: Parser) -> None:
    """Who measures."""
    add_jobs(verb)
    verb.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that works instead")


def add_jobs(verb: Parser) -> None:
    """How this machine measures."""
    verb.add_argument("--jobs", default=1, type=number, metavar="N", help="points at a time")
    verb.add_argument(
        "--time-limit",
        default=defaults.TIME_LIMIT_S,
        type=quantity,
        metavar="SECONDS",
        help=f"of one run of a tool (default {defaults.TIME_LIMIT_S:g})",
    )


def _add_random_bits(verb: Parser) -> None:
    """Arguments of sources of random bits."""
    prng = verb.add_argument_group("sources of random bits, instead of cores")
    prng.add_argument("--random-bits", metavar="N[,N..]", help="bits per cycle, 1 to 1024")
    prng.add_argument(
        "--instances",
        metavar="K[,K..]",
        help="cores side by side (default: as few as can make the bits)",
    )
    prng.add_argument("--seed-width", type=number, metavar="BITS", help="of a seed word: 32 or 64")
    add_ways_of_a_source(prng)


def add_codesign(verb: Parser) -> None:
    """Arguments of `codesign`."""
    verb.add_argument("ciphers", metavar="CIPHER[,..]|all", help=CIPHERS)
    verb.add_argument(
        "--cpu",
        default="vexriscv",
        metavar="NAME[,..]|all",
        help="vexriscv (default), ibex, picorv32",
    )
    verb.add_argument(
        "--interface",
        default="custom",
        metavar="NAME[,..]|all",
        help="custom (default), custom3, custom2x2, fifo, bus, wishbone, axi4lite, dma",
    )
    verb.add_argument(
        "--driver",
        default=Scenario.driver,
        metavar="NAME",
        help=f"{Scenario.driver} (default), four, simple, polling",
    )
    verb.add_argument(
        "--wait-states",
        default=str(Scenario.wait_states),
        metavar="N[,N..]",
        help="cycles more for each access to the coprocessor on the bus "
        f"(default {Scenario.wait_states})",
    )
    verb.add_argument(
        "--stateless",
        action="store_true",
        help="ciphers of blocks: ask for every one with key and number",
    )
    verb.add_argument(
        "--bytes",
        default=Scenario.bytes,
        type=number,
        metavar="N",
        help=f"of the message that is timed with its key setup (default {Scenario.bytes})",
    )
    add_architectures(verb, "D[,D..]", "default: the widest that comes free, or 32")
    verb.add_argument(
        "--target",
        metavar="T",
        help="a standard-cell library, in which the area of "
        "processor, bus, interface and core is told, too",
    )
    verb.add_argument("--again", action="store_true", help="simulate what is stored, too")
    verb.add_argument("--dry-run", action="store_true", help="print the systems instead")
    add_store(verb)


def add_target(verb: Parser) -> None:
    """The library or part that is measured on."""
    verb.add_argument(
        "--target", default=defaults.TARGET, metavar="T", help=f"(default {defaults.TARGET})"
    )


def add_store(verb: Parser) -> None:
    """Where results are."""
    verb.add_argument(
        "--store",
        type=Path,
        metavar="FILE",
        help="where results are kept (default: $HEADWATER_STORE, or a file in the "
        "user's data folder)",
    )


def add_optimize(verb: Parser) -> None:
    """Arguments of `optimize`."""
    verb.add_argument("cipher", help=CIPHER)
    verb.add_argument(
        "--radix",
        metavar="D[,D..]|all",
        help="bits per cycle, a search for each; default: the least, in whole words",
    )
    verb.add_argument(
        "--load-width",
        metavar="K[,K..]",
        help="load widths to choose from; default: what suits the radix",
    )
    verb.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="that the core must have; what it does for its user stays as it "
        f"is in any case: {', '.join(sorted(SERVICE))}",
    )
    add_target(verb)
    _add_flow(verb)
    verb.add_argument(
        "--minutes",
        type=quantity,
        metavar="M",
        help="end the search then; the same command goes on",
    )
    add_crew(verb)
    add_store(verb)


def add_choose(verb: Parser) -> None:
    """Arguments of `choose`."""
    for name, kind, unit, text in (
        ("bits-per-cycle", quantity, "N", "at least so many keystream bits in a cycle"),
        ("throughput", quantity, "MBPS", "at least so many Mbit/s"),
        ("max-area", quantity, "A", "slices, logic cells, elements or GE, as the target counts"),
        ("max-energy", quantity, "PJ", "pJ per bit"),
        ("max-setup-cycles", number, "N", "from the first key bit to the first keystream"),
        ("max-setup-ns", quantity, "NS", "the same in time"),
        ("key-bits", number, "N", "length of the key, at least"),
        ("random-bits", number, "N", "in each cycle: choose a source of them, not a core"),
        ("min-mhz", quantity, "MHZ", "at least such a clock"),
    ):
        verb.add_argument(f"--{name}", type=kind, metavar=unit, help=text)
    add_target(verb)
    verb.add_argument("--allow-broken", action="store_true", help="broken ciphers may win, too")
    verb.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="that the core must have",
    )
    instead = verb.add_mutually_exclusive_group()
    instead.add_argument(
        "--measure",
        action="store_true",
        help="evaluate a core of every cipher that may win, too; what is stored "
        "is not measured again",
    )
    instead.add_argument(
        "--dry-run",
        action="store_true",
        help="only name what --measure would evaluate, and how long it would take",
    )
    add_jobs(verb)
    add_store(verb)


def add_unmeasured(verb: Parser) -> None:
    """Arguments of a verb that can do without measuring what is not stored."""
    instead = verb.add_mutually_exclusive_group()
    instead.add_argument("--stored", action="store_true", help="measure nothing that is not stored")
    instead.add_argument(
        "--dry-run",
        action="store_true",
        help="only name what is not stored, and how long it would take",
    )
