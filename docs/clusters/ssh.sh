#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Workers on machines that ssh reaches, until this script ends (Ctrl-C):
#
#     dask scheduler &
#     sh ssh.sh tls://HOST:8786 8 machine1 machine2 ...
#
# 8 is the number of workers on each. PYTHON is the interpreter there in which Headwater is installed (python3).
# DASK_CONFIG, if it is set, is the folder of their settings there (tls.sh).
set -eu
scheduler=$1 workers=$2
shift 2
trap 'trap - EXIT; kill 0' EXIT INT TERM
for machine in "$@"; do
    # -tt: what runs there ends with the connection.
    ssh -tt -o BatchMode=yes "$machine" env ${DASK_CONFIG:+DASK_CONFIG="$DASK_CONFIG"} \
        "${PYTHON:-python3}" -m distributed.cli.dask_worker "$scheduler" \
        --nworkers "$workers" --nthreads 1 --no-dashboard </dev/null &
done
wait
