# SPDX-License-Identifier: Apache-2.0
"""Faults on purpose: kill and interrupt `headwater evaluate`, fill its disk, let its tools print
garbage, damage its store, and see what is left.

Each round begins a command and disturbs it, most at a random moment. Whatever happens, the command
must end soon, with the right status and without a traceback; no process and no temporary folder may
stay, and no finished point may be lost. Prints a table of outcomes; the exit status is 1 if a round
went wrong.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import OperationalError, connect

from headwater.measure.store import Result, now, open_store

POINTS = (
    "evaluate",
    "a51,lizard,trivium",
    "--target",
    "ice40-up5k",
    "--seeds",
    "1",
    "--jobs",
    "2",
    "--json",
)
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
END_S = 5.0
"""How soon a command must end after its fault, and its children after it."""
LONGEST_S = 120.0


class Round:
    """One run of a command in an environment of its own, and what was wrong with it."""

    def __init__(
        self,
        folder: Path,
        words: tuple[str, ...] = POINTS,
        *,
        out: str = os.devnull,
        most_bytes: int | None = None,
        path: Path | None = None,
    ) -> None:
        self.mark = f"HEADWATER_FAULT={random.getrandbits(64)}"
        self.wrong: list[str] = []
        self._log = folder / "stderr"
        name, _, value = self.mark.partition("=")
        environment = {
            **os.environ,
            name: value,
            "PYTHONFAULTHANDLER": "1",
            "TMPDIR": str(folder / "tmp"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "HEADWATER_STORE": str(folder / "store"),
            "HEADWATER_REFERENCE": "none",
        }
        if path:
            environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"

        def limit() -> None:
            # A shell lets commands in the background ignore SIGINT, and `nohup` SIGHUP.
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        with self._log.open("wb") as log, Path(out).open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "headwater", *words],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=log,
                preexec_fn=limit,
                start_new_session=True,
            )

    def send(self, number: int, *, to_group: bool) -> None:
        """A signal to the command alone, or to its process group as a terminal does."""
        with suppress(ProcessLookupError):
            (os.killpg if to_group else os.kill)(self.process.pid, number)

    def wait_until_signals_are_caught(self) -> None:
        """Before, Python itself has not started, and no program can do anything about that."""
        caught = 1 << signal.SIGTERM - 1
        status = Path(f"/proc/{self.process.pid}/status")
        while self.process.poll() is None:
            found = re.search(r"SigCgt:\s*(\w+)", status.read_text())
            if found and int(found[1], 16) & caught:
                return
            time.sleep(0.002)

    def finish(
        self,
        legal: tuple[int, ...],
        within_s: float = END_S,
        *,
        fault_is_told: bool = False,
        left_after_s: float = END_S,
    ) -> int:
        """Wait for the end, and look at what it left; gives the exit status."""
        try:
            status = self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.wrong.append("hangs")
            # Python then says where it was.
            self.process.send_signal(signal.SIGABRT)
            status = self.process.wait()
        if status not in legal:
            self.wrong.append(f"status {status}")
        if "Traceback" in self.printed() or "Exception ignored" in self.printed():
            self.wrong.append("traceback")
        if "a fault of Headwater itself" in self.printed() and not fault_is_told:
            self.wrong.append("fault")
        left = self._left(left_after_s)
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if left:
            self.wrong.append("processes left")
        return status

    def printed(self) -> str:
        """What the command said."""
        return self._log.read_text(errors="replace")

    def _left(self, within_s: float) -> list[int]:
        """Processes of this round that do not end by themselves soon."""
        until = time.monotonic() + within_s
        while (left := _marked(self.mark)) and time.monotonic() < until:
            time.sleep(0.02)
        return left


def _marked(mark: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def kill(folder: Path, choice: random.Random, latest_s: float) -> Round:
    """kill -9 of the command."""
    made = Round(folder)
    time.sleep(choice.uniform(0, latest_s))
    made.send(signal.SIGKILL, to_group=False)
    made.finish((-signal.SIGKILL, 0))
    return made


SIMULATION = (
    "keystream",
    "a51",
    "--key",
    "0123456789abcdef",
    "--frame",
    "1",
    "--engine",
    "rtl",
    "--bits",
    "4000000",
)
VERBS = (
    ("verify", "a51", "--radix", "1,2,4,8"),
    ("verify", "grain_v1", "--radix", "1", "--prove"),
    ("verify", "a51", "--radix", "4", "--mutants", "20", "--jobs", "2"),
    ("verify", "a51", "--netlist", "--target", "osu018"),
    ("codesign", "trivium", "--cpu", "picorv32", "--again"),
    SIMULATION,
    POINTS,
)
"""Verbs that run tools in this process or in workers."""


def kill_any(folder: Path, choice: random.Random, latest_s: float) -> Round:
    """kill -9 of a verb, or of one of the processes that it started."""
    made = Round(folder, choice.choice(VERBS))
    time.sleep(choice.uniform(0, latest_s))
    others = [one for one in _marked(made.mark) if one != made.process.pid]
    if others and choice.random() < 0.3:
        with suppress(ProcessLookupError):
            os.kill(choice.choice(others), signal.SIGKILL)
        time.sleep(choice.uniform(0, 2))
    made.send(signal.SIGKILL, to_group=False)
    made.finish((-signal.SIGKILL, 0, 1, 2), left_after_s=2.0, fault_is_told=True)
    return made


def interrupt(folder: Path, choice: random.Random, latest_s: float) -> Round:
    """Two signals at a random moment and distance."""
    made = Round(folder)
    to_group = choice.random() < 0.5
    made.wait_until_signals_are_caught()
    time.sleep(choice.uniform(0, latest_s) * choice.random())
    for _ in range(2):
        made.send(choice.choice(SIGNALS), to_group=to_group)
        time.sleep(choice.choice((0, 0.001, 0.01, 0.02, 0.1, 0.5)))
    made.finish((130, 0))
    return made


def full_disk(folder: Path, choice: random.Random, _latest_s: float) -> Round:
    """No byte more than some fits into a file, or none into the output."""
    full = choice.random() < 0.2
    most = None if full else int(2 ** choice.uniform(8, 20))
    made = Round(folder, out="/dev/full" if full else os.devnull, most_bytes=most)
    made.finish((2, 0), LONGEST_S)
    return made


TOOLS = ("vvp", "iverilog", "sta")
"""Programs on PATH that a point in cells needs."""
CELLS = ("evaluate", "a51", "--target", "osu018", "--json")


def garbage(folder: Path, choice: random.Random, _latest_s: float) -> Round:
    """One of the tools prints garbage, and ends in some way: it may be a failure, but is told."""
    shims = folder / "shims"
    shims.mkdir(exist_ok=True)
    for shim in shims.iterdir():
        shim.unlink()
    printed = folder / "garbage"
    printed.write_bytes(
        choice.choice((b"", b"1", b"\0\x1b[31m", b"w x 1\n2 3\n"))
        + choice.randbytes(choice.choice((0, 3, 1000)))
    )
    shim = shims / choice.choice(TOOLS)
    shim.write_text(f"#!/bin/sh\ncat {printed}\nexit {choice.choice((0, 0, 0, 1))}\n")
    shim.chmod(0o755)
    made = Round(folder, CELLS, path=shims)
    made.finish((2,), LONGEST_S, fault_is_told=True)
    return made


READING = (
    ("results", "list"),
    ("results", "list", "--failed"),
    ("results", "check"),
    ("results", "repair"),
    ("results", "list"),
)


def damage(folder: Path, choice: random.Random, _latest_s: float) -> Round:
    """Bits of a store are flipped: each reading verb says a sentence, and after a repair, where one
    is possible, there is none to say."""
    store = folder / "store"
    for path in folder.glob("store*"):
        path.unlink()
    store_of_many(store, choice.choice((3, 100)))
    data = bytearray(store.read_bytes())
    for _ in range(choice.choice((1, 10, 200))):
        data[choice.randrange(len(data))] ^= 1 << choice.randrange(8)
    store.write_bytes(data)
    for words in READING:
        made = Round(folder, words)
        made.finish((0, 1, 2), LONGEST_S)
        if made.wrong:
            break
    store.unlink()
    return made


def store_of_many(path: Path, number: int) -> None:
    """A store of results that nobody measured."""
    record = {
        "cipher": "trivium",
        "target": "ecp5-25k",
        "radix": 1,
        "load_width": 1,
        "lut": 10,
        "ff": 7,
        "ge": None,
        "options": {},
        "flow": {},
        "fmax_mhz": None,
        "throughput_mbps": None,
    }
    with open_store(path) as opened:
        for place in range(number):
            opened.keep(Result(f"{place:064}", {**record, "radix": place}, 1.0, now()))


FAULTS: dict[str, Callable[[Path, random.Random, float], Round]] = {
    "kill": kill,
    "interrupt": interrupt,
    "full-disk": full_disk,
    "garbage": garbage,
    "damage": damage,
    "kill-any": kill_any,
}


def stored(folder: Path) -> set[str]:
    """The points in the store; an error if it is not sound."""
    if not (folder / "store").exists():
        return set()
    with closing(connect(folder / "store")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        with suppress(OperationalError):
            return {row[0] for row in connection.execute("SELECT id FROM result")}
    return set()


def campaign(given: argparse.Namespace, fault: str, folder: Path) -> Counter[str]:
    """How often each outcome came."""
    choice = random.Random(given.seed)
    for name in ("tmp", "cache"):
        (folder / name).mkdir()
    outcomes: Counter[str] = Counter()
    kept: set[str] = set()
    for number in range(given.rounds):
        made = FAULTS[fault](folder, choice, given.latest)
        now = stored(folder)
        if kept - now:
            made.wrong.append("points lost")
        kept = now
        for wrong in made.wrong:
            print(f"{fault} {number}: {wrong}\n{made.printed()}", file=sys.stderr, flush=True)
        outcomes[", ".join(made.wrong) or f"good, status {made.process.returncode}"] += 1
        if len(kept) >= 3:
            # All that is asked for is measured: begin anew, or there is nothing to disturb.
            (folder / "store").unlink()
            kept = set()
    for words in (("doctor",), SIMULATION):
        Round(folder, words).finish((0, 2), LONGEST_S)
    left = [*(folder / "tmp").iterdir(), *(folder / "cache").glob("headwater/headwater-run-*")]
    if left:
        print(*left, sep="\n", file=sys.stderr)
        outcomes[f"{len(left)} temporary items left after the next run"] += 1
    return outcomes


def main() -> int:
    """Run the campaigns that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=100, metavar="N", help="of each (default 100)"
    )
    parser.add_argument(
        "--fault", choices=FAULTS, action="append", help="only this; may be repeated"
    )
    parser.add_argument(
        "--latest",
        type=float,
        default=8,
        metavar="SECONDS",
        help="of the first signal after the start (default 8)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    given = parser.parse_args()
    bad = False
    for fault in given.fault or FAULTS:
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            outcomes = campaign(given, fault, Path(folder))
        for outcome, times in outcomes.most_common():
            print(f"{fault:10} {times:5}  {outcome}", flush=True)
            bad |= not outcome.startswith("good")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
