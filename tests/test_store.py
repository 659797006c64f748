# SPDX-License-Identifier: Apache-2.0
"""The store, and what is done with stored results."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from stored import POINTS, Capture, figures, result, wait_for

from headwater.cli.main import main
from headwater.errors import InputError
from headwater.measure import database
from headwater.measure.diff import compare
from headwater.measure.export import exported
from headwater.measure.pareto import mark_pareto
from headwater.measure.record import Record
from headwater.measure.store import Failure, Store, now, open_store, read_store


def write_many(path: str, number: int) -> None:
    with open_store(Path(path)) as opened:
        for place in range(25):
            opened.keep(result(f"{number}-{place}"))


class Connection(sqlite3.Connection):
    """One that cannot be used so many times, for a reason."""

    refusals = 0
    code = sqlite3.SQLITE_BUSY

    def execute(self, *given: Any) -> sqlite3.Cursor:
        if self.refusals:
            self.refusals -= 1
            error = sqlite3.OperationalError("refused")
            error.sqlite_errorcode = self.code
            raise error
        return super().execute(*given)


def test_opening_waits_for_others_who_open_the_new_file(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with closing(sqlite3.connect(path, factory=Connection)) as connection:
        connection.refusals = 3
        database._use_log(connection)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.refusals, connection.code = 1, sqlite3.SQLITE_READONLY
        with pytest.raises(sqlite3.OperationalError, match="refused"):
            database._use_log(connection)


def test_tables_that_another_process_makes_meanwhile_are_no_surprise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, version = tmp_path / "results.sqlite", database._version

    def slowly(connection: sqlite3.Connection) -> int:
        found = version(connection)
        connected = sqlite3.connect(path, timeout=0, isolation_level=None)
        with closing(connected) as other, suppress(sqlite3.OperationalError):
            other.execute("CREATE TABLE made_by_another_process (id)")
        return found

    monkeypatch.setattr(database, "_version", slowly)
    with open_store(path) as opened:
        assert opened.results() == []


def test_several_writers(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(str(path), n)) for n in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 4
    with open_store(path) as opened:
        assert len(opened.results()) == 100


def write_without_end(path: str) -> None:
    with open_store(Path(path)) as opened:
        for place in range(1_000_000):
            opened.keep(result(f"{place}"))


@pytest.mark.parametrize("after_s", [0.0, 0.02, 0.11])
def test_killed_writer_leaves_a_sound_file(tmp_path: Path, after_s: float) -> None:
    path = tmp_path / "results.sqlite"
    writer = multiprocessing.get_context("spawn").Process(
        target=write_without_end, args=(str(path),)
    )
    writer.start()
    wait_for(path.exists, "the store")
    time.sleep(after_s)
    writer.kill()
    writer.join()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with open_store(path) as opened:
        written = [one.id for one in opened.results()]
        assert sorted(written, key=int) == [str(place) for place in range(len(written))]


def test_older_schema_is_migrated_and_newer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with open_store(path) as opened:
        opened.keep(result("1"))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "DROP TABLE rtl; DROP TABLE system; DROP TABLE mutant; PRAGMA user_version = 1;"
            "DROP TABLE foreign_core;"
            "DROP INDEX failure_by_point;"
            "ALTER TABLE result DROP COLUMN checksum; ALTER TABLE failure DROP COLUMN checksum"
        )
    with open_store(path) as opened:
        assert opened.rtl("none") is None
        assert opened.find_system("none") is None
        assert opened.find_mutant("none") is None
        assert [one.id for one in opened.results()] == ["1"]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    message = "must have schema version 6 or less, not 99: a newer Headwater wrote it"
    with pytest.raises(InputError, match=message), open_store(path):
        pass


def test_reading_changes_no_file(tmp_path: Path, store_of_its_own: Path) -> None:
    """A store that nobody has open, one that is being written, an old one, none at all."""
    path = tmp_path / "folder" / "a store?.sqlite"
    with open_store(path) as opened:
        opened.keep(result("1"))
        with read_store(path) as copy:
            assert len(copy.results()) == 1
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    with read_store(path) as copy:
        assert len(copy.results()) == 1
        with pytest.raises(AssertionError):
            copy.keep(result("2"))
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "DROP TABLE system; DROP TABLE mutant; PRAGMA user_version = 2;"
            "DROP TABLE foreign_core;"
            "DROP INDEX failure_by_point;"
            "ALTER TABLE result DROP COLUMN checksum; ALTER TABLE failure DROP COLUMN checksum;"
            "ALTER TABLE rtl DROP COLUMN checksum"
        )
    with read_store(path) as copy:
        assert copy.systems() == []
    with read_store() as empty:
        assert empty.results() == []
    assert not store_of_its_own.parent.exists()


def test_reading_goes_on_beside_those_who_write(tmp_path: Path) -> None:
    """A store that nobody has open is opened, written, brought up to its file, and closed again,
    while it is read."""
    path = tmp_path / "results.sqlite"
    with open_store(path) as opened:
        opened.keep(result("0"))
    with read_store(path) as reading:
        assert len(reading.results()) == 1
        for number in range(1, 4):
            with open_store(path) as opened:
                opened.keep(result(f"{number}", settings={"much": 50_000 * "x"}))
                assert len(reading.results()) == number + 1
            assert len(reading.results()) == number + 1


def test_query_in_which_a_writer_came_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite was told that nothing changes: what it then read may be torn."""
    path = tmp_path / "results.sqlite"
    with open_store(path) as opened:
        opened.keep(result("0"))
    with closing(database.Reading(path)) as reading:
        state, times = reading._state_now, []

        def changed() -> tuple[int, int, bool]:
            times.append(1)
            return (0, 0, False) if len(times) < 3 else state()

        monkeypatch.setattr(reading, "_state_now", changed)
        assert reading.execute("SELECT id FROM result") == [("0",)]
    assert len(times) > 3


@pytest.mark.parametrize("content", [b"", b"no database" * 500])
def test_what_is_no_store_is_not_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.sqlite"
    path.write_bytes(content)
    message = f"^the store must be an SQLite file of Headwater, not {path}$"
    with pytest.raises(InputError, match=message), read_store(path):
        pass
    assert path.read_bytes() == content


def test_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (name TEXT)")
    for opening in (open_store, read_store):
        with pytest.raises(InputError, match="SQLite file of Headwater"), opening(path):
            pass


def test_store_that_cannot_grow_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with open_store(path) as opened:
        opened.keep(result("1"))

    def fill() -> None:
        with open_store(path) as full:
            full.connection.execute("PRAGMA max_page_count = 1")
            full.keep(result("2", settings={"much": 100_000 * "x"}))

    with pytest.raises(InputError, match=r"cannot be used: database or disk is full$"):
        fill()
    with read_store(path) as opened:
        assert [one.id for one in opened.results()] == ["1"]


def test_no_store(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    path.write_text("something else, and long enough to be no empty database" * 50)
    message = f"^the store must be an SQLite file of Headwater, not {path}$"
    with pytest.raises(InputError, match=message), open_store(path):
        pass


def test_failures_are_kept_until_measured(store: Store) -> None:
    store.fail(Failure("7", "point", "reason", 2.0, now()))
    assert [one.id for one in store.failures()] == ["7"]
    store.keep(result("7"))
    assert store.failures() == []


# What is done with results


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("list", "--cipher", "trivum"), "(did you mean 'trivium'?)"),
        (("list", "--target", "ecp5-24k"), "(did you mean 'ecp5-25k'?)"),
        (("list", "--target", ""), "target must be one of "),
        (("list", "--columns", "ciper"), "(did you mean 'cipher'?)"),
        (("list", "--failed", "--cipher", "trivium"), "--failed or a filter, not both"),
        (("export", "--cipher", "x", "-o", "x.csv"), "cipher must be one of "),
        (("diff", "{store}", "{empty}"), "the store must be an SQLite file of Headwater, not "),
        (("diff", "{store}", "{nested}"), "results must be a store or JSON, and "),
        (("diff", "{store}", "{number}"), "each record in "),
        (("diff", "{store}", "{store}", "--tolerance", "lut=-1"), "at least 0 %, not 'lut=-1'"),
        (("diff", "{store}", "{store}", "--tolerance", "lut=nan"), "at least 0 %, not 'lut=nan'"),
        (("diff", "{store}", "{store}", "--tolerance", "luts=1"), "(did you mean 'lut'?)"),
        (("list", "--store", "{store}.not"), "the store must be a file that exists, not "),
    ],
)
def test_results_that_are_refused(
    two_results: Path, tmp_path: Path, capsys: Capture, words: tuple[str, ...], message: str
) -> None:
    files = {"store": two_results}
    for name, text in (("empty", ""), ("nested", 100_000 * "["), ("number", " 5")):
        files[name] = tmp_path / name
        files[name].write_text(text)
    assert main(["results", *(word.format(**files) for word in words)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert message in printed.err
    assert files["empty"].read_text() == ""


def test_pareto() -> None:
    def one(lut: int, mbps: float, target: str = "ecp5-25k") -> Record:
        return {"target": target, "lut": lut, "ge": None, "throughput_mbps": mbps}

    records = [one(10, 100.0), one(20, 200.0), one(20, 150.0), one(30, 1.0, "other")]
    assert [each["non_dominated"] for each in mark_pareto(records)] == [True, True, False, True]


@pytest.fixture
def two_results(store_of_its_own: Path) -> Path:
    with open_store(store_of_its_own) as opened:
        opened.keep(result("aaaa1", lut=10))
        opened.keep(result("aaaa2", cipher="grain_v1", target="osu018", lut=None, ge=900.0))
    return store_of_its_own


def test_list_and_show(two_results: Path, capsys: Capture) -> None:
    assert two_results.exists()
    assert main(["results", "list", "--cipher", "grain_v1", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["cipher"], record["ge"]) == ("grain_v1", 900.0)
    assert main(["results", "list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert main(["results", "show", "aaaa1"]) == 0
    assert json.loads(capsys.readouterr().out)["lut"] == 10
    assert main(["results", "show", "aaaa"]) == 2
    assert "not 'aaaa', the beginning of 2 ids" in capsys.readouterr().err
    assert main(["results", "show", "b"]) == 2
    assert "not 'b', the id of no result" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_export(two_results: Path, tmp_path: Path, capsys: Capture, kind: str) -> None:
    assert two_results.exists()
    path = tmp_path / f"results.{kind}"
    assert main(["results", "export", "-o", str(path)]) == 0
    assert capsys.readouterr().out.strip() == str(path)
    assert main(["results", "export", "-o", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [str(path)]
    if kind == "json":
        rows = json.loads(path.read_text())
        found = [(row["cipher"], row["fmax_mhz"]["median"]) for row in rows]
    elif kind == "csv":
        import csv

        with path.open() as file:
            found = [(row["cipher"], float(row["fmax_mhz.median"])) for row in csv.DictReader(file)]
    else:
        from pyarrow import parquet

        table = parquet.read_table(path).to_pylist()
        found = [(row["cipher"], row["fmax_mhz.median"]) for row in table]
    assert found == [("trivium", 100.0), ("grain_v1", 100.0)]


def test_export_of_another_kind(two_results: Path, tmp_path: Path, capsys: Capture) -> None:
    assert two_results.exists()
    assert main(["results", "export", "-o", str(tmp_path / "results.xls")]) == 2
    assert "export must end in .csv, .json, .parquet, not in '.xls'" in capsys.readouterr().err
    assert not (tmp_path / "results.xls").exists()


def test_exported_bytes_are_the_same_each_time() -> None:
    records = [figures(at).as_json() for at in POINTS]
    for kind in ("csv", "json", "parquet"):
        assert exported(records, kind) == exported(records, kind)


def test_differences_beyond_the_tolerance() -> None:
    before = [figures(at, lut=100).as_json() for at in POINTS[:3]]
    after = [
        figures(at, lut=lut).as_json() for at, lut in zip(POINTS[1:], (103, 100, 100), strict=True)
    ]
    found = compare(before, after, {})
    assert [(one.figure, one.before, one.after, one.percent) for one in found.differences] == [
        ("lut", 100, 103, 3.0),
        ("area", 50, 52, 4.0),
        ("mbps_per_area", 4.0, 3.8462, -3.845),
    ]
    assert (len(found.missing), len(found.new), found.same) == (1, 1, 1)
    assert not compare(before, after, {"lut": 3.0, "area": 4.0, "mbps_per_area": 4.0}).differences
    assert not compare(before, after, {"all": 4.0}).differences


def test_the_same_results_in_another_order_are_the_same() -> None:
    """When they were measured, how long it took and the order of options are no figures."""
    record = figures(POINTS[0], lut=100).as_json() | {"measured_at": "then", "seconds": 2.0}
    options = dict(reversed(record["options"].items()))
    found = compare([record], [record | {"options": options, "measured_at": "now"}], {})
    assert (found.same, found.missing, found.differences) == (1, (), ())


def test_diff_for_continuous_integration(tmp_path: Path, capsys: Capture) -> None:
    paths = []
    for lut in (100, 104):
        paths.append(str(tmp_path / f"{lut}.json"))
        Path(paths[-1]).write_text(json.dumps([figures(POINTS[0], lut=lut).as_json()]))
    assert main(["results", "diff", *paths]) == 1
    assert main(["results", "diff", *paths, "--tolerance", "all=5%"]) == 0
    capsys.readouterr()
    assert main(["results", "diff", paths[0], str(tmp_path / "none")]) == 2
    assert "results must be in a file, and" in capsys.readouterr().err
    assert main(["results", "diff", *paths, "--tolerance", "lut"]) == 2
    assert "tolerance must be NAME=PERCENT, not 'lut'" in capsys.readouterr().err
