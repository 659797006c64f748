# SPDX-License-Identifier: Apache-2.0
"""Damaged stores are told and repaired, and stores are merged."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from stored import Capture, result

from headwater.cli.main import main
from headwater.emit.verilog import Verilog
from headwater.errors import HeadwaterError, InputError
from headwater.measure.store import Failure, Result, now, open_store, read_store
from headwater.measure.upkeep import checked, repaired

MANY = 200


def store_of(path: Path, *results: Result) -> Path:
    with open_store(path) as opened:
        for one in results:
            opened.keep(one)
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "large.sqlite"
    store_of(path, *(result(f"{number:04}") for number in range(MANY)))
    with open_store(path) as opened:
        opened.keep_rtl("verilog", Verilog("core", "module core();" * 1000, ()))
        opened.fail(Failure("failed", "point", "reason", 1.0, now()))
    return path


def edited(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)


FLIPPED = "UPDATE result SET record = replace(record, '\"lut\": 10', '\"lut\": 11') WHERE id = 'b'"


def test_a_flipped_digit_in_a_record_is_not_read(tmp_path: Path) -> None:
    path = store_of(tmp_path / "s", result("a"), result("b"))
    edited(path, FLIPPED)
    message = (
        r"^the result b in the store is damaged; `headwater results check` says where, "
        r"`headwater results repair` keeps all that is whole$"
    )
    with read_store(path) as store:
        assert store.find("a")
        with pytest.raises(InputError, match=message):
            store.find("b")
        with pytest.raises(InputError, match=message):
            store.results()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE rtl SET verilog = replace(verilog, 'core', 'more')",
        "UPDATE failure SET reason = 'reasoN'",
        "UPDATE result SET seconds = 2.0 WHERE id = '0001'",
        "UPDATE result SET record = x'ff' WHERE id = '0001'",
    ],
)
def test_whatever_is_changed_in_a_row_is_told(large: Path, tmp_path: Path, change: str) -> None:
    path = tmp_path / "s"
    path.write_bytes(large.read_bytes())
    assert checked(path).is_sound
    edited(path, change)
    found = checked(path)
    assert len(found.damaged) == 1
    assert not found.file


def test_check_and_repair(tmp_path: Path, capsys: Capture) -> None:
    path = store_of(tmp_path / "s", result("a"), result("b"), result("c"))
    assert main(["results", "check", "--store", str(path)]) == 0
    assert main(["results", "repair", "--store", str(path)]) == 0
    assert "is sound: nothing was changed" in capsys.readouterr().err
    edited(path, FLIPPED)
    before = path.read_bytes()
    assert main(["results", "check", "--store", str(path)]) == 1
    told = capsys.readouterr()
    assert told.out == "damaged: result b\n"
    assert f"{path} is damaged: 2 result(s)" in told.err
    assert path.read_bytes() == before
    assert main(["results", "repair", "--store", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["damaged_store"] == f"{path}.damaged"
    assert (tmp_path / "s.damaged").read_bytes() == before
    with read_store(path) as store:
        assert [one.id for one in store.results()] == ["a", "c"]
    # A second repair does not write over what the first one kept.
    edited(path, FLIPPED.replace("'b'", "'c'"))
    assert main(["results", "repair", "--store", str(path)]) == 2
    assert "s.damaged, of an earlier repair, must be removed first" in capsys.readouterr().err


def test_what_is_read_from_a_damaged_row_does_nothing(tmp_path: Path, capsys: Capture) -> None:
    path = store_of(tmp_path / "s", result("a"))
    edited(path, "UPDATE result SET id = char(27) || '[2J'")
    assert main(["results", "check", "--store", str(path)]) == 1
    assert r"damaged: result \x1b[2J" in capsys.readouterr().out


def test_store_without_checksums_is_read_and_checked(tmp_path: Path, capsys: Capture) -> None:
    path = store_of(tmp_path / "s", result("a"), result("b"))
    dropped = "DROP TABLE foreign_core; DROP INDEX failure_by_point;"
    edited(
        path,
        f"PRAGMA user_version = 4; {dropped}"
        + ";".join(
            f"ALTER TABLE {table} DROP COLUMN checksum"
            for table in ("result", "failure", "rtl", "system", "mutant")
        ),
    )
    with read_store(path) as store:
        assert len(store.results()) == 2
    assert main(["results", "check", "--store", str(path)]) == 0
    assert "have no checksums yet" in capsys.readouterr().err
    edited(path, "UPDATE result SET record = 'no JSON' WHERE id = 'b'")
    assert checked(path).damaged == ["result b"]
    with open_store(path):
        pass
    assert not checked(path).unchecked


READING = (
    ("results", "list"),
    ("results", "list", "--failed"),
    ("results", "check"),
    ("results", "export", "-o", "{folder}/x.json"),
    ("results", "show", "0001"),
    ("evaluate", "trivium", "--target", "ecp5-25k", "--stored"),
    ("results", "repair"),
)


@pytest.mark.parametrize("seed", range(6))
def test_flipped_bytes_never_give_a_traceback_and_what_is_whole_is_kept(
    large: Path, tmp_path: Path, capsys: Capture, seed: int
) -> None:
    """Bytes anywhere but in the first page, or with an odd seed anywhere at all."""
    choice = random.Random(seed)
    data = bytearray(large.read_bytes())
    for _ in range(1 + 30 * (seed // 2)):
        data[choice.randrange(0 if seed % 2 else 4096, len(data))] ^= 1 << choice.randrange(8)
    path = tmp_path / "s"
    path.write_bytes(data)
    for words in READING:
        filled = [word.format(folder=tmp_path) for word in words]
        assert main([*filled, "--store", str(path)]) in (0, 1, 2)
        capsys.readouterr()
    if seed % 2 == 0:
        with read_store(large) as whole, read_store(path) as store:
            kept = {one.id: one for one in store.results()}
            assert kept.items() <= {one.id: one for one in whole.results()}.items()
            assert len(kept) >= MANY - 40 * (1 + 30 * (seed // 2))


def test_repair_keeps_every_row_around_a_broken_page(large: Path, tmp_path: Path) -> None:
    """What a page that is overwritten held is lost, and no row besides."""
    with closing(sqlite3.connect(large)) as connection:
        leaf = (
            connection.execute(
                "SELECT pageno, ncell FROM dbstat WHERE name = 'result' AND pagetype = 'leaf' "
                "ORDER BY pageno LIMIT 1 OFFSET 5"
            )
            if _has_dbstat(connection)
            else None
        )
        page, rows = leaf.fetchone() if leaf else (40, MANY)
    data = bytearray(large.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path = tmp_path / "s"
    path.write_bytes(data)
    found, _ = repaired(path)
    assert found.unreadable
    assert found.whole["result"] >= MANY - rows
    assert found.whole["result"] < MANY
    assert checked(path).is_sound


def _has_dbstat(connection: sqlite3.Connection) -> bool:
    options = [option for (option,) in connection.execute("PRAGMA compile_options")]
    return "ENABLE_DBSTAT_VTAB" in options


@pytest.mark.parametrize("content", [b"", b"no database" * 500])
def test_what_is_no_store_is_neither_checked_nor_repaired(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "s"
    path.write_bytes(content)
    for action in (checked, repaired):
        with pytest.raises(HeadwaterError, match="must be an SQLite file of Headwater, not"):
            action(path)
    assert [file.name for file in tmp_path.iterdir()] == ["s"]
    assert path.read_bytes() == content


# Merging


def test_merge(tmp_path: Path, capsys: Capture) -> None:
    """Worked out by hand: a in both alike, b in one, c in both with other figures, d failed and
    measured."""
    one = store_of(tmp_path / "1", result("a"), result("b"), result("c", lut=10))
    other = store_of(tmp_path / "2", result("a"), result("c", lut=11), result("d"))
    with open_store(one) as opened:
        opened.fail(Failure("d", "d", "reason", 1.0, now()))
        opened.fail(Failure("e", "e", "first", 1.0, "2020"))
    with open_store(other) as opened:
        opened.fail(Failure("e", "e", "last", 1.0, "2021"))
    into = str(tmp_path / "into")
    words = ["results", "merge", str(one), str(other), "--store", into]
    assert main(words) == 1
    told = capsys.readouterr()
    assert told.out == f"result c\n  lut 10 in {one}\n  lut 11 in {other}\n"
    added = "0 system(s), 0 mutant(s), 0 foreign core(s), 0 rtl(s), 1 failure(s) added"
    assert f"3 result(s), {added}" in told.err
    assert "1 the same, 1 with other figures, which were not added" in told.err
    with read_store(Path(into)) as store:
        assert {one.id for one in store.results()} == {"a", "b", "d"}
        assert [(one.id, one.reason) for one in store.failures()] == [("e", "last")]
    # Again, nothing is new.
    assert main([*words, "--json"]) == 1
    again = json.loads(capsys.readouterr().out)
    assert (again["added"]["result"], again["same"]) == (0, 4)
    assert [one["id"] for one in again["conflicts"]] == ["c"]


def test_merge_keeps_what_the_store_had(tmp_path: Path, capsys: Capture) -> None:
    into = store_of(tmp_path / "into", result("c", lut=10))
    other = store_of(tmp_path / "2", result("c", lut=11))
    assert main(["results", "merge", str(other), "--store", str(into)]) == 1
    assert f"lut 10 in {into}\n  lut 11 in {other}" in capsys.readouterr().out
    with read_store(into) as store:
        assert [one.record["lut"] for one in store.results()] == [10]


@pytest.mark.parametrize("wrong", ["none", "damaged", "itself"])
def test_merge_of_what_cannot_be_changes_nothing(
    tmp_path: Path, capsys: Capture, wrong: str
) -> None:
    into = store_of(tmp_path / "into", result("a"))
    good = store_of(tmp_path / "good", result("b"))
    damaged = store_of(tmp_path / "damaged", result("b"))
    edited(damaged, FLIPPED)
    before = into.read_bytes()
    other = {"none": tmp_path / "none", "damaged": damaged, "itself": into}[wrong]
    assert main(["results", "merge", str(good), str(other), "--store", str(into)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert into.read_bytes() == before
    assert not (tmp_path / "none").exists()
