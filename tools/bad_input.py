# SPDX-License-Identifier: Apache-2.0
"""Bad input on purpose: hundreds of command lines, each of which must be refused.

The example of every verb gets one bad value after the other in every argument: numbers that are
none, names that nothing has, files that are folders, empty, binary or of another kind. So do the
options of further good lines. Other lines are written out one by one. Each must end with status 2
and one sentence, print nothing on stdout and change no file. Prints how many were refused; the exit
status is 1 if one was not.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from sqlite3 import connect

from headwater.cipher.catalogue import find
from headwater.cli.arguments import hex_digits, hex_of_file, number, quantity
from headwater.cli.examples import EXAMPLES
from headwater.cli.main import main as headwater
from headwater.cli.parser import VERBS, build_parser
from headwater.core.architecture import Architecture
from headwater.measure.figures import Figures, Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.store import Result, now, open_store
from headwater.measure.target import TARGETS

Words = tuple[str, ...]

LONGEST_S = 60
"""How long a refusal may take; some need a tool."""

NUMBERS = ("", "x", "1e3", "0x1", "1.5", "-1", "٣", "9" * 5000)
QUANTITIES = ("", "x", "-1", "nan", "-inf", "0", "x" * 5000)
NAMES = ("", "nosuch", "x" * 5000, "über", ",", "a,,b", "\udcff", "../..", "=", "all=")
HEX = ("", "0", "xyz", "0x00", "00 00", "é0", "00" * 5000)
TO_READ = (
    "missing",
    "folder",
    "empty",
    "binary",
    "text",
    "deep.json",
    "latin1.json",
    "other.sqlite",
    "cut.sqlite",
    "text/below",
    "x" * 5000,
    "\udcff",
    "loop",
)
NO_STORE_YET = {"missing", "empty", "\udcff"}
TO_WRITE = ("", "text/below", "x" * 5000, "/proc/nowhere/page", "/dev/null/page")

BY_TYPE = {number: NUMBERS, quantity: QUANTITIES, hex_digits: HEX, hex_of_file: TO_READ}
TO_BE_READ = {
    "store",
    "plan",
    "liberty",
    "input",
    "vectors",
    "netlist",
    "before",
    "after",
    "files",
    "spec",
}
TO_BE_WRITTEN = {"output", "figures", "picture", "keep", "traces"}
MAKE_A_STORE = {"evaluate", "optimize", "reproduce", "study", "codesign"}
"""The verbs whose example makes a store where there is none."""
IN_HEX = {"tag", "count", "fresh"}
OF_ANY_LENGTH = {"text", "ad"}

_HERE = Path(__file__).parent
LINES = _HERE.joinpath("bad_input.txt").read_text(encoding="utf-8").splitlines()
"""Lines that are bad in a way of their own."""
FURTHER = _HERE.joinpath("good_input.txt").read_text(encoding="utf-8").format(0).splitlines()
"""Good lines with options that the example of their verb has no use for."""


def make_files(folder: Path) -> None:
    """Everything that the lines name, two good stores included."""
    (folder / "folder").mkdir(parents=True)
    texts = {
        "empty": "",
        "text": "neither this nor that\n",
        "deep.json": "[" * 100_000,
        "list.json": "[1, 2]",
        "rows.json": '[{"cipher": 1, "radix": []}]',
        "vectors.json": '{"cipher": "trivium", "vectors": [{"key": 5}]}',
        "deep.py": f"x = {'(' * 5000}",
        "wrong.py": "def (",
        "raises.py": "1 / 0",
        "exits.py": "import sys; sys.exit(0)",
        "none.py": "CIPHERS = (1, 2)",
        "known.py": "from headwater.cipher.trivium import TRIVIUM\nCIPHERS = (TRIVIUM,)",
        "plan.toml": "",
        "empty.toml": "[[points]]\n",
        "unknown.toml": "nosuch = 1\n",
        "types.toml": "[[points]]\ncipher = 5\nradix = 'x'\n",
        "nested.toml": f"a = {'[' * 50_000}",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "binary").write_bytes(random.Random(1).randbytes(4096))
    (folder / "latin1.json").write_bytes('{"cipher": "größer"}'.encode("latin-1"))
    (folder / "loop").symlink_to("loop")
    with connect(folder / "other.sqlite") as other:
        other.execute("CREATE TABLE mine (what TEXT)")
    for name in ("store", "before.sqlite", "after.sqlite"):
        _make_store(folder / name)
    (folder / "cut.sqlite").write_bytes((folder / "store").read_bytes()[:5000])


def _make_store(path: Path) -> None:
    trivium = find("trivium")
    point = DesignPoint(trivium, Architecture.choose(trivium), TARGETS["ecp5-25k"])
    figures = Figures(point, "", {}, Frequency.over([100.0]), ("", ""), lut=10, ff=7)
    with open_store(path) as store:
        store.keep(Result("0123abcd", figures.as_json(), 1.0, now()))


def cases() -> list[Words]:
    """Every bad command line, each once."""
    lines = [tuple(shlex.split(line)) for line in LINES]
    parser = build_parser()
    return list(dict.fromkeys([*lines, *_of_arguments(parser, ""), *_of_further(parser)]))


def _of_arguments(parser: argparse.ArgumentParser, verb: str) -> Iterator[Words]:
    """The example of each verb with bad values."""
    places = 0
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from _of_arguments(below, f"{verb} {name}".strip())
        elif verb and action.nargs != 0:
            example = shlex.split(EXAMPLES[verb])[1:]
            place = len(verb.split()) + places
            places += not action.option_strings
            for value in _bad(verb, action):
                yield (*_with(example, action.option_strings, place, value),)


def _of_further(parser: argparse.ArgumentParser) -> Iterator[Words]:
    """The further lines with bad values of the options that they have."""
    (verbs,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    for line in FURTHER:
        verb, *example = words = shlex.split(line)
        for action in verbs.choices[verb]._actions:
            if action.nargs != 0 and not set(action.option_strings).isdisjoint(example):
                for value in _bad(verb, action):
                    yield (*_with(words, action.option_strings, 0, value),)


def _with(example: Sequence[str], options: Sequence[str], place: int, value: str) -> list[str]:
    """The example with another value for an option, or for the word at a place."""
    words = list(example)
    if not options:
        return [*words[:place], value, *words[place + 1 :]]
    for option in options:
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    # With "=", as a value may begin with "-".
    return [*words, f"{options[-1]}={value}"]


def _bad(verb: str, action: argparse.Action) -> Sequence[str]:
    if action.dest == "name" and verb in ("generate", "new-cipher"):
        return [name for name in NAMES if not name.isidentifier()]
    if action.dest == "store" and verb in MAKE_A_STORE:
        return [name for name in TO_READ if name not in NO_STORE_YET]
    if action.dest in TO_BE_READ:
        return TO_READ
    if action.dest in TO_BE_WRITTEN:
        return TO_WRITE
    if action.dest in OF_ANY_LENGTH:
        return HEX[1:-1]
    return HEX if action.dest in IN_HEX else BY_TYPE.get(action.type, NAMES)  # type: ignore[call-overload,no-any-return]


def fault(words: Words, folder: Path) -> str:
    """What was wrong with how a line was refused in a folder; empty if nothing was."""
    before, out, err = _content(folder), io.StringIO(), io.StringIO()
    try:
        with chdir(folder), redirect_stdout(out), redirect_stderr(err):
            status = headwater(words)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    said = err.getvalue()
    if status != 2:
        return f"status {status}: {(said or out.getvalue())[:200]!r}"
    *before_it, sentence = said.splitlines() or [""]
    refusals = [line for line in before_it if line.startswith("headwater: ")]
    if refusals or not sentence.startswith("headwater: ") or len(said) > _LONGEST:
        return f"not one sentence: {said[:400]!r}"
    if out.getvalue():
        return f"printed {out.getvalue()[:200]!r}"
    return "" if _content(folder) == before else "files were changed"


_LONGEST = 1200
"""Characters of a sentence; it may list every cipher."""


def _content(folder: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes() if path.is_file() else b"" for path in sorted(folder.rglob("*"))
    }


def _apart(words: Words, folder: Path) -> str:
    """The same in a process of its own: a line may add ciphers, or take too long."""
    told, tell = os.pipe()
    process = os.fork()
    if not process:
        os.close(told)
        signal.alarm(LONGEST_S)
        os.write(tell, fault(words, folder).encode(errors="replace"))
        os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        found = pipe.read().decode()
    _, status = os.waitpid(process, 0)
    return found or (f"ended by {os.waitstatus_to_exitcode(status)}" if status else "")


def main() -> int:
    """Refuse all that is asked for; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th line")
    parser.add_argument("--verb", help="only lines that begin with it")
    given = parser.parse_args()
    chosen = [one for one in cases() if given.verb in (None, *one[:1])][:: given.every]
    for module, _ in VERBS.values():
        import_module(f"headwater.cli.{module}")  # Once, and not in the process of each line.
    bad = 0
    with tempfile.TemporaryDirectory(prefix="bad-input-") as name:
        folder = Path(name) / "files"
        os.environ["HEADWATER_STORE"] = str(folder / "store")
        make_files(folder)
        for words in chosen:
            wrong = _apart(words, folder)
            if wrong:
                bad += 1
                line = shlex.join(word if len(word) < 100 else f"{word[:40]}..." for word in words)
                print(f"{line!a}\n    {wrong!a}", flush=True)
                shutil.rmtree(folder)
                make_files(folder)
    print(f"{len(chosen) - bad} of {len(chosen)} refused as they must be")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
