# SPDX-License-Identifier: Apache-2.0
"""The files that start clusters: TLS, batch systems, ssh, Kubernetes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from clusters import STUB, Cluster
from stored import POINTS, wait_for

from headwater.emit.verilog import Verilog
from headwater.errors import InputError
from headwater.measure import run
from headwater.measure.run import evaluate_all
from headwater.measure.store import Store, read_store
from headwater.measure.workers import cluster_workers

FILES = Path(__file__).parents[1] / "docs/clusters"
EVALUATE = ("evaluate", "trivium", "--radix", "1,8", "--target", "ecp5-25k")


@pytest.fixture
def no_verilog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verilog takes a second each, and these tests do not look at it."""
    monkeypatch.setattr(run, "rtl_identity", lambda _cipher, made: str(made))
    monkeypatch.setattr(
        Store, "rtl", lambda _store, identity: Verilog("core", f"// {identity}", ())
    )


@pytest.fixture
def dask_reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path | None], None]]:
    """Sets the folder of Dask's settings, here and for processes that begin later."""
    import dask.config

    def read(folder: Path | None) -> None:
        if folder is None:
            monkeypatch.delenv("DASK_CONFIG", raising=False)
        else:
            monkeypatch.setenv("DASK_CONFIG", str(folder))
        dask.config.refresh(paths=[] if folder is None else [str(folder)])

    yield read
    monkeypatch.delenv("DASK_CONFIG", raising=False)
    dask.config.refresh()


def certificates(folder: Path) -> Path:
    if not shutil.which("openssl"):
        pytest.skip("needs openssl: apt-get install openssl")
    subprocess.run(["sh", FILES / "tls.sh", folder], check=True, timeout=120)
    return folder


class Secured(Cluster):
    """A cluster that speaks TLS."""

    protocol = ("--protocol", "tls")


def test_certificates_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = certificates(tmp_path / "made")
    assert {path.name for path in folder.iterdir()} == {
        "authority.pem",
        "cluster.pem",
        "cluster.key",
        "dask.yaml",
    }
    assert all(path.stat().st_mode & 0o77 == 0 for path in (folder, *folder.iterdir()))
    again = subprocess.run(["sh", FILES / "tls.sh", folder], capture_output=True, check=False)
    assert again.returncode, "a folder that is there is not written into"


@pytest.mark.usefixtures("no_verilog")
def test_a_cluster_that_speaks_tls(
    tmp_path: Path, store: Store, dask_reads: Callable[[Path | None], None]
) -> None:
    """It measures for who has its certificate, and for nobody else."""
    folder, other = certificates(tmp_path / "ours"), certificates(tmp_path / "theirs")
    dask_reads(folder)
    crew = Secured(tmp_path)
    try:
        crew.worker()
        crew.wait_for_workers(1)
        assert crew.address.startswith("tls://")
        with cluster_workers(crew.address) as working:
            found = list(evaluate_all(POINTS, store, working))
        assert [one.reason for one in found] == [""] * len(POINTS)
        for strange in (other, None):
            dask_reads(strange)
            for address in (crew.address, crew.address.replace("tls:", "tcp:")):
                with (
                    pytest.raises(InputError, match="scheduler must be the address"),
                    cluster_workers(address),
                ):
                    pytest.fail("a stranger was let in")
    finally:
        crew.end()


def stub(folder: Path) -> Path:
    """What workers read first, so that they measure nothing."""
    file = folder / "stub.py"
    file.write_text(STUB.format(seconds=0, also="pass"))
    return file


def with_modules(folder: Path) -> dict[str, str]:
    """The environment in which a process finds what this one does."""
    modules = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    return {**os.environ, "PYTHONPATH": modules, "TMPDIR": str(folder)}


@pytest.mark.skipif(
    not find_spec("dask_jobqueue"), reason="needs dask-jobqueue: pip install dask-jobqueue"
)
def test_workers_of_a_batch_system(tmp_path: Path) -> None:
    """With the class for jobs of this machine."""
    stored = tmp_path / "store.sqlite"
    done = subprocess.run(
        [
            sys.executable,
            FILES / "batch.py",
            "local",
            "--cores",
            "1",
            "--memory",
            "1GB",
            "--worker-argument=--preload",
            f"--worker-argument={stub(tmp_path)}",
            "--",
            *EVALUATE,
            "--store",
            stored,
        ],
        env=with_modules(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with read_store(stored) as store:
        assert sorted(one.record["radix"] for one in store.results()) == [1, 8]


@pytest.mark.skipif(
    not find_spec("dask_jobqueue"), reason="needs dask-jobqueue: pip install dask-jobqueue"
)
@pytest.mark.parametrize("words", [["slurm"], ["slurm", "--"], ["none", "--", "list"]])
def test_what_no_batch_system_is_asked_for(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, FILES / "batch.py", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_workers_by_ssh(tmp_path: Path) -> None:
    """The program ssh is one that runs here what it was told to run there. The workers end with
    the script."""
    programs = tmp_path / "programs"
    programs.mkdir()
    ssh = programs / "ssh"
    ssh.write_text(f'#!/bin/sh\nshift 3\necho "$1" >>{tmp_path}/machines\nshift\nexec "$@"\n')
    ssh.chmod(0o755)
    crew = Cluster(tmp_path)
    environment = with_modules(tmp_path) | {"PYTHON": sys.executable}
    environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    script = subprocess.Popen(
        ["sh", FILES / "ssh.sh", crew.address, "1", "one", "two"],
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        crew.wait_for_workers(2)
        assert sorted((tmp_path / "machines").read_text().split()) == ["one", "two"]
        os.kill(script.pid, signal.SIGTERM)
        script.wait(timeout=60)
        wait_for(lambda: not members(script.pid), "the workers end")
    finally:
        crew.end()


def members(group: int) -> list[int]:
    """The processes of a group that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def test_commands_for_kubernetes_are_those_of_dask() -> None:
    """Nothing here can run the file; its commands and the names in it can be compared."""
    told = yaml.safe_load((FILES / "kubernetes.yaml").read_text())
    assert (told["apiVersion"], told["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    service = told["spec"]["scheduler"]["service"]
    assert service["selector"]["dask.org/cluster-name"] == told["metadata"]["name"]
    (port,) = service["ports"]
    for part in ("scheduler", "worker"):
        (container,) = told["spec"][part]["spec"]["containers"]
        program, verb, *words = container["args"]
        assert (program, verb) == ("dask", part)
        offered = subprocess.run(
            [sys.executable, "-m", f"distributed.cli.dask_{part}", "--help"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for word in filter(re.compile("--").match, words):
            assert re.search(rf"{word}\b", offered), word
        names = {one["name"] for one in container.get("ports", [])}
        assert part == "worker" or port["targetPort"] in names
