# SPDX-License-Identifier: Apache-2.0
"""Measure with workers that a batch system starts, and end them with the command:

    pip install 'headwater[distributed]' dask-jobqueue
    python batch.py slurm --jobs 20 --cores 8 --memory 16GB --walltime 02:00:00 \\
        -- evaluate --plan plan.toml

A job has a worker for each of its cores. Where the site has more to say (queue, account, modules),
dask-jobqueue reads it from ~/.config/dask/jobqueue.yaml. The status is that of the command.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

import dask_jobqueue
from dask_jobqueue.local import LocalCluster
from distributed import Client

SYSTEMS = {
    "slurm": dask_jobqueue.SLURMCluster,
    "pbs": dask_jobqueue.PBSCluster,
    "lsf": dask_jobqueue.LSFCluster,
    "sge": dask_jobqueue.SGECluster,
    "htcondor": dask_jobqueue.HTCondorCluster,
    "oar": dask_jobqueue.OARCluster,
    # Jobs are processes of this machine: to try the rest.
    "local": LocalCluster,
}


def main(words: Sequence[str] | None = None) -> int:
    """Start the jobs, run the command, end the jobs."""
    words = [*(sys.argv[1:] if words is None else words)]
    end = words.index("--") if "--" in words else len(words)
    given, asked = parser().parse_args(words[:end]), words[end + 1 :]
    if not asked:
        parser().error("after -- must follow a command of headwater, as: -- evaluate trivium")
    timed = {"walltime": given.walltime} if given.walltime else {}
    with (
        SYSTEMS[given.system](
            cores=given.cores,
            processes=given.cores,
            memory=given.memory,
            protocol=given.protocol,
            worker_extra_args=given.worker_argument,
            **timed,
        ) as cluster,
        Client(cluster) as client,
    ):
        cluster.scale(jobs=given.jobs)
        client.wait_for_workers(1)
        command = [
            sys.executable,
            "-m",
            "headwater",
            *asked,
            "--scheduler",
            cluster.scheduler_address,
        ]
        return subprocess.run(command, check=False).returncode


def parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    made = argparse.ArgumentParser(
        description=(__doc__ or "").split(":", 1)[0],
        usage="batch.py SYSTEM [OPTION ...] -- VERB ... (of headwater)",
    )
    made.add_argument("system", choices=SYSTEMS)
    made.add_argument("--jobs", type=int, default=1, help="jobs to ask for (default 1)")
    made.add_argument("--cores", type=int, default=8, help="of a job (default 8)")
    made.add_argument("--memory", default="16GB", help="of a job (default 16GB)")
    made.add_argument("--walltime", help="of a job, as the batch system writes it")
    made.add_argument("--protocol", default="tcp://", help="tcp:// or tls:// (default tcp://)")
    made.add_argument(
        "--worker-argument",
        action="append",
        default=[],
        metavar="WORD",
        help="further argument of dask worker; may be repeated",
    )
    return made


if __name__ == "__main__":
    sys.exit(main())
