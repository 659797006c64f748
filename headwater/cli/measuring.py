# SPDX-License-Identifier: Apache-2.0
"""Arguments of the verbs that measure, or that use measured results."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.cli.arguments import (
    CIPHER,
    CIPHERS,
    add_architectures,
    add_ways_of_a_source,
    folder,
    new_file,
    number,
    quantity,
)
from headwater.cli.examples import EXAMPLE, EXAMPLES
from headwater.cli.masking import add_masking
from headwater.cli.rows import add_rows
from headwater.codesign.scenario import Scenario
from headwater.measure import defaults
from headwater.measure.search import SERVICE
from headwater.measure.settings import CLOCK_GATING, OBJECTIVES

Parser = argparse.ArgumentParser

SUBSETS = ("quick", "all")
RESULT_ACTIONS = {
    "list": "stored results, one line each",
    "show": "everything that is stored of one result",
    "export": "results as CSV, JSON or Parquet",
    "diff": "figures that differ between two stores by more than allowed; exit status 1 if any do",
    "replicate": "an archive to repeat one figure with the public tools alone",
    "check": "what is damaged in a store; exit status 1 if anything is",
    "repair": "replace a damaged store by one of all that is whole in it",
    "merge": "add what is in other stores; exit status 1 if they have other figures for the same",
}


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
    _add_crew(verb)
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


def _add_crew(verb: Parser) -> None:
    """Who measures."""
    _add_jobs(verb)
    verb.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that works instead")


def _add_jobs(verb: Parser) -> None:
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


def _add_target(verb: Parser) -> None:
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
    _add_target(verb)
    _add_flow(verb)
    verb.add_argument(
        "--minutes",
        type=quantity,
        metavar="M",
        help="end the search then; the same command goes on",
    )
    _add_crew(verb)
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
    _add_target(verb)
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
    _add_jobs(verb)
    add_store(verb)


def _add_unmeasured(verb: Parser) -> None:
    """Arguments of a verb that can do without measuring what is not stored."""
    instead = verb.add_mutually_exclusive_group()
    instead.add_argument("--stored", action="store_true", help="measure nothing that is not stored")
    instead.add_argument(
        "--dry-run",
        action="store_true",
        help="only name what is not stored, and how long it would take",
    )


def add_reproduce(verb: Parser) -> None:
    """Arguments of `reproduce`."""
    verb.add_argument("paper", help="its name, how that begins, or all")
    verb.add_argument("--table", metavar="T", help="only this one")
    _add_unmeasured(verb)
    verb.add_argument(
        "--check",
        action="store_true",
        help="measure here, and compare with the figures of the reference; exit "
        "status 1 if one differs by more than is allowed",
    )
    verb.add_argument(
        "--subset",
        choices=SUBSETS,
        help="what --check measures: the quickest points of each paper, or all (default)",
    )
    verb.add_argument(
        "--slices",
        default="spartan3",
        metavar="T",
        help="target that area in slices is of (default spartan3)",
    )
    verb.add_argument(
        "--fpga",
        default=defaults.TARGET,
        metavar="T",
        help=f"target that FPGA frequencies are of (default {defaults.TARGET})",
    )
    verb.add_argument(
        "--cells",
        default="osu018",
        metavar="T",
        help="target that figures in cells are of (default osu018)",
    )
    verb.add_argument(
        "--layout", action="store_true", help="lay out the cores of a paper's chips, too (hours)"
    )
    for name, usual in (("fast", "asap7-lvt"), ("low-leakage", "asap7-rvt")):
        meaning = f"target with {name} transistors (default {usual} if found)"
        verb.add_argument(f"--{name}", metavar="T", help=meaning)
    _add_crew(verb)
    add_store(verb)


def add_study(verb: Parser) -> None:
    """Arguments of `study`."""
    verb.add_argument("name", nargs="?", metavar="STUDY", help="without it: lists the studies")
    verb.add_argument("--target", metavar="T[,T..]", help="only these targets of the study")
    _add_unmeasured(verb)
    verb.add_argument(
        "--figures", type=folder, metavar="DIR", help="write every chart there as SVG"
    )
    _add_crew(verb)
    add_store(verb)


def add_report(verb: Parser) -> None:
    """Arguments of `report`."""
    verb.add_argument(
        "-o",
        "--output",
        type=new_file,
        metavar="FILE.html",
        help="the page (default report.html, or with --figures none)",
    )
    verb.add_argument(
        "--figures", type=folder, metavar="DIR", help="write every chart there as SVG and PNG"
    )
    verb.add_argument("--target", metavar="T[,T..]", help="only what was measured there")
    add_store(verb)


def add_results(verb: Parser) -> None:
    """Arguments of `results`."""
    actions = verb.add_subparsers(dest="action", required=True, metavar="ACTION")
    parsers = {
        name: actions.add_parser(
            name, help=text, description=text, epilog=f"{EXAMPLE} {EXAMPLES[f'results {name}']}"
        )
        for name, text in RESULT_ACTIONS.items()
    }
    for name, action in parsers.items():
        if name in ("list", "diff"):
            add_rows(action)
        else:
            action.add_argument("--json", action="store_true", help="print JSON on stdout")
        if name != "diff":
            add_store(action)
    for name in ("list", "export"):
        parsers[name].add_argument("--cipher", metavar="NAME", help="only those of this cipher")
        parsers[name].add_argument("--target", metavar="NAME", help="only those of this target")
    parsers["list"].add_argument("--failed", action="store_true", help="what could not be measured")
    parsers["export"].add_argument(
        "-o",
        "--output",
        required=True,
        type=new_file,
        metavar="FILE",
        help="FILE.csv, FILE.json or FILE.parquet",
    )
    for name in ("show", "replicate"):
        parsers[name].add_argument("id", help="as `list` prints it, or as much as is unmistakable")
    parsers["replicate"].add_argument(
        "-o", "--output", required=True, type=new_file, metavar="FILE.tar.gz", help="the archive"
    )
    parsers["replicate"].add_argument(
        "--liberty", type=Path, metavar="FILE", help="the library, if its target has no name"
    )
    parsers["merge"].add_argument(
        "stores",
        nargs="+",
        type=Path,
        metavar="STORE",
        help="files whose results are added to the store",
    )
    for name in ("before", "after"):
        parsers["diff"].add_argument(name, type=Path, help="a store, or a JSON file of records")
    parsers["diff"].add_argument(
        "--tolerance",
        action="append",
        default=[],
        metavar="NAME=PERCENT",
        help="how much a figure may differ (default: not at all); `all` is a name, too",
    )
