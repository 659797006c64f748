# SPDX-License-Identifier: Apache-2.0
"""Ciphers from outside the package: from a file, from an installed package, and a starting file.

Each command runs as a process of its own, as what it adds to the catalogue stays there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from command_line import as_process

from headwater.cipher.trivium import TRIVIUM
from headwater.cli.starting_files import KINDS

EXAMPLE = Path(__file__).parents[1] / "examples" / "kreyvium"
FILE = EXAMPLE / "headwater_kreyvium" / "kreyvium.py"
WITH = ("--cipher-file", FILE)


def printed(*words: str | Path) -> str:
    """What a command prints that must succeed."""
    done = as_process(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(*words: str | Path) -> str:
    """The one sentence of a command that must be refused."""
    done = as_process(*words)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = done.stderr.splitlines()
    return line.removeprefix("headwater: ")


def test_the_example_s_vectors_in_model_verilog_and_c() -> None:
    records = json.loads(printed(*WITH, "verify", "kreyvium", "--radix", "1,64,100", "--json"))
    vectors = [record for record in records if record["check"] == "vectors"]
    assert [record["engine"] for record in vectors] == ["model", *["rtl"] * 3, *["c"] * 3]
    assert {(record["passed"], record["failed"], record["skipped"]) for record in vectors} == {
        (41, 0, 0)
    }


@pytest.mark.parametrize("cipher_file", [FILE, f"={FILE}"], ids=["apart", "joined"])
def test_every_list_has_it(cipher_file: object) -> None:
    words = (f"--cipher-file{cipher_file}",) if cipher_file != FILE else WITH
    rows = json.loads(printed(*words, "list", "--json"))
    (row,) = (row for row in rows if row["cipher"] == "kreyvium")
    assert (row["state_bits"], row["natural_radix"]) == (544, 66)


def test_files_that_are_written(tmp_path: Path) -> None:
    printed(
        *WITH,
        "generate",
        "kreyvium",
        "--radix",
        "8",
        "--interface",
        "axi4stream",
        "--testbench",
        "--fusesoc",
        "-o",
        tmp_path,
    )
    names = {path.name for path in tmp_path.iterdir()}
    assert {"kreyvium_r8.v", "kreyvium_r8_tb.v", "kreyvium_r8_axi4stream.v"} <= names
    printed(*WITH, "report", "-o", tmp_path / "report.html")


IDENTITY = """
import sys
from pathlib import Path
from headwater.measure.identity import rtl_identity
from headwater.cipher.catalogue import find
from headwater.cipher.outside import add_file
from headwater.core.architecture import Architecture
add_file(Path(sys.argv[1]))
print(rtl_identity(find("kreyvium"), Architecture.choose(find("kreyvium"))))
"""


def test_workers_find_it() -> None:
    """They are processes of their own."""
    target = ("--target", "ice40-hx8k", "--seeds", "1")
    words = ("evaluate", "kreyvium", *target, "--jobs", "1", "--json")
    (record,) = json.loads(printed(*WITH, *words))
    assert (record["cipher"], record["setup_cycles"]) == ("kreyvium", 256 + 1152)
    assert record["lut"] > 0


def test_what_was_measured_of_another_description_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the present one count as soon as it is evaluated."""
    monkeypatch.setenv("HEADWATER_REFERENCE", "none")
    path, store, target = tmp_path / "mine.py", tmp_path / "store", ("--target", "spartan3")
    text = FILE.read_text().replace('"kreyvium"', '"mine"')
    evaluate = ("--cipher-file", path, "evaluate", "mine", *target, "--store", store, "--json")
    choose = (
        "--cipher-file",
        path,
        "choose",
        *target,
        "--key-bits",
        "128",
        "--store",
        store,
        "--json",
    )

    def counts() -> bool:
        return '"cipher": "mine"' in as_process(*choose).stdout

    path.write_text(text)
    (first,) = json.loads(printed(*evaluate))
    assert counts()
    path.write_text(text + "OTHER = 1\n")
    assert not counts()
    (again,) = json.loads(printed(*evaluate))
    assert (again["lut"], again["ff"]) == (first["lut"], first["ff"])
    assert counts()


RESULTS = """
import sys
from pathlib import Path
from headwater.measure.present import present, present_systems
from headwater.measure.store import Result, empty_store
from headwater.cipher.catalogue import find
from headwater.cipher.outside import add_file
add_file(Path(sys.argv[1]))
of = {"cipher": "kreyvium", "target": "osu018"}
records = [of, of | {"description": "another"}, of | {"description": find("kreyvium").digest},
           of | {"cipher": "trivium"}]
results = [Result(str(number), record, 1.0, "") for number, record in enumerate(records)]
with empty_store() as store:
    print(*(one.id for one in present(results[1:], store)))
print(*(one.id for one in present_systems(results)))
"""


def test_results_of_another_description_are_not_shown() -> None:
    """Those of the present one are, whatever the versions of tools were."""
    command = [sys.executable, "-c", RESULTS, str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["2 3", "2 3"]


def test_what_is_stored_depends_on_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    found = []
    for text in (FILE.read_text(), FILE.read_text(), FILE.read_text() + "OTHER = 1\n"):
        path.write_text(text)
        command = [sys.executable, "-c", IDENTITY, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found.append(done.stdout)
    assert found[0] == found[1] != found[2]


def installed(folder: Path) -> dict[str, str]:
    """The environment of a user who has installed the example: its package, and the metadata that
    an installer makes of its pyproject.toml."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    metadata = folder / "headwater_kreyvium-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    (metadata / "entry_points.txt").write_text(points)
    (folder / FILE.parent.name).symlink_to(FILE.parent)
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(folder), before)))}


def run(environment: dict[str, str], *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "headwater", *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_an_installed_package(tmp_path: Path) -> None:
    environment = installed(tmp_path / "site")
    done = run(environment, "verify", "kreyvium", "--radix", "8", "--json")
    assert done.returncode == 0, done.stderr
    assert [record["passed"] for record in json.loads(done.stdout)] == [41, 1, 41, 41]
    again = run(environment, "--cipher-file", FILE, "list")
    assert again.returncode == 2
    assert "must give its cipher a name that no other has, not 'kreyvium'" in again.stderr


def test_an_installed_package_that_is_broken(tmp_path: Path) -> None:
    environment = installed(tmp_path / "site")
    (tmp_path / "site" / FILE.parent.name).unlink()
    done = run(environment, "list")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "headwater: entry point kreyvium = headwater_kreyvium.kreyvium of group headwater.ciphers "
        "cannot be imported: ModuleNotFoundError: No module named 'headwater_kreyvium'\n"
    )
    assert run(environment, "doctor").returncode == 0


BEGIN = "from dataclasses import replace\nfrom headwater.cipher.trivium import TRIVIUM, step\n"
OTHER_STEP = (
    "def other(wire, a, b, c):\n    z, into = step(wire, a, b, c)\n    {}\n    return z, into\n"
)
OFFER = "CIPHERS = (replace(TRIVIUM, name={!r}, step=other),)\n"
FORMED = "from dataclasses import replace\nfrom headwater.cipher.snow3g import SNOW_3G\n"
FORMED += "from headwater.cipher.mickey import MICKEY_2\n{}\n"
FORMED += "CIPHERS = (replace({}, name='x', form=None, folds=(), forms=(), {}),)\n"

REFUSED = {
    "x = 1 / 0\n": "cannot be imported: ZeroDivisionError: division by zero (line 1)",
    "def f(:\n": "cannot be imported: SyntaxError: invalid syntax (mine.py, line 1)",
    "raise SystemExit('no')\n": "cannot be imported: SystemExit: no (line 1)",
    BEGIN + "from headwater.algebra.word import table_word\ntable_word(range(200), 8)\n": (
        "cannot be imported: number of entries of a table must be a power of two, not 200 (line 4)"
    ),
    "x = 1\n": "must offer ciphers in a tuple CIPHERS, not ()",
    "CIPHERS = (3,)\n": "must have ciphers alone in CIPHERS, not 3",
    BEGIN + "CIPHERS = (TRIVIUM,)\n": (
        "must give its cipher a name that no other has, not 'trivium', which is of Headwater"
    ),
    BEGIN + OTHER_STEP.format("pass") + OFFER.format("A b"): (
        "must name its cipher in small letters, digits, - and _, not 'A b'"
    ),
    BEGIN + OTHER_STEP.format("pass") + OFFER.format("x") + "CIPHERS *= 2\n": (
        "must offer one cipher of a name, not several of 'x'"
    ),
    BEGIN + "CIPHERS = (replace(TRIVIUM, name='x', step=lambda *all: step(*all)),)\n": (
        "must make x of functions defined at the top level, not of lambdas or inner functions: "
        "workers find functions by their name"
    ),
    BEGIN + "CIPHERS = (replace(TRIVIUM, name='x', key_bits=35),)\n": (
        "must describe x so that it can be read: key_bits of x must be a multiple of 8, not 35"
    ),
    BEGIN + OTHER_STEP.format("into['a'] ^= a(200)") + OFFER.format("x"): (
        "must describe x so that it can be read: stage of register a must lie between "
        "1 and 93, not 200 (line 5)"
    ),
    BEGIN + "from headwater.kinds.stepped.shift_register import ShiftRegisterCipher\n"
    "class Mine(ShiftRegisterCipher):\n    natural_radix = 0\n"
    "CIPHERS = (Mine(**{**vars(TRIVIUM), 'name': 'x'}),)\n": (
        "must describe x so that it can be read: natural radix must be at least 1, not 0"
    ),
    BEGIN + OTHER_STEP.format("z ^= wire(1)") + OFFER.format("x"): (
        "must describe x so that it can be read: TypeError: unsupported operand type(s) for ^=: "
        "'Polynomial' and 'int' (line 5)"
    ),
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_a_file_that_cannot_be_added(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    assert refusal("--cipher-file", path, "list") == f"cipher file {path} {REFUSED[text]}"


def test_words_before_the_verb() -> None:
    assert refusal("--cipher-file").startswith("--cipher-file must be followed by a file")
    nowhere = refusal("--cipher-file", "nowhere.py", "list")
    assert nowhere == "cipher file nowhere.py cannot be read: No such file or directory"
    behind = "--cipher-file must come before the verb, not behind it"
    assert refusal("list", "--cipher-file", FILE) == behind
    assert refusal(*WITH, *WITH, "show", "kreyvum").endswith("(did you mean 'kreyvium'?)")


# --- a starting file


@pytest.mark.parametrize("kind", KINDS)
def test_a_starting_file_of_each_kind_works(kind: str, tmp_path: Path) -> None:
    printed("new-cipher", "mine", "--kind", kind, "-o", tmp_path)
    assert "my_cipher" not in (tmp_path / "mine.py").read_text().lower()
    words = ("--cipher-file", tmp_path / "mine.py")
    records = json.loads(printed(*words, "verify", "mine", "--prove", "--json"))
    assert all(record["passed"] and not record["failed"] for record in records)
    assert {record["engine"] for record in records} == {"model", "rtl", "c", "verilator", "sat"}


def test_a_starting_file_of_no_kind(tmp_path: Path) -> None:
    assert refusal("new-cipher", "mine", "--kind", "sponges", "-o", tmp_path).startswith(
        f"kind of a starting file must be one of {', '.join(KINDS)}, not 'sponges'"
    )
    assert not list(tmp_path.iterdir())


def test_a_starting_file_works_and_is_not_overwritten(tmp_path: Path) -> None:
    made = printed("new-cipher", "my_own", "-o", tmp_path).splitlines()
    description, vectors = tmp_path / "my_own.py", tmp_path / "vectors" / "my_own.json"
    assert made == [str(description), str(vectors)]
    assert all(
        vector["origin"].startswith("generated")
        for vector in json.loads(vectors.read_text())["vectors"]
    )
    text = description.read_text()
    assert "my_cipher" not in text.lower()
    words = ("--cipher-file", description)
    records = json.loads(printed(*words, "verify", "my_own", "--radix", "8", "--prove", "--json"))
    assert all(record["passed"] and not record["failed"] for record in records)
    assert {record["check"] for record in records} >= {"vectors", "lint", "proof of step"}
    key = ("--key", "0011223344556677", "--iv", "00112233", "--bits", "64")
    model = printed(*words, "keystream", "my_own", *key)
    assert printed(*words, "keystream", "my_own", *key, "--engine", "rtl") == model
    printed(*words, "generate", "my_own", "-o", tmp_path)

    description.write_text(text + "\n# mine\n")
    expected = f"{description} must not exist yet: nothing is overwritten"
    assert refusal("new-cipher", "my_own", "-o", tmp_path) == expected
    assert description.read_text().endswith("# mine\n")


def test_names_of_starting_files(tmp_path: Path) -> None:
    assert refusal("new-cipher", "trivium", "-o", tmp_path) == (
        "name of a cipher must be one that no other has, not 'trivium'"
    )
    assert refusal("new-cipher", "../x", "-o", tmp_path) == (
        "name of a cipher must be small letters, digits and _, a letter first, not '../x'"
    )
    assert not list(tmp_path.iterdir())
    assert TRIVIUM.offered_by == ""
