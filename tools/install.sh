#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing: Debian packages where that is allowed, and Python packages in .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A needed=(
  [opensta]="command -v sta"
  [iverilog]="command -v iverilog"
  [chromium]="command -v chromium"
  [chromium-driver]="command -v chromedriver"
  [g++]="command -v g++"
  [qflow-tech-osu018]="test -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib"
  [python3-venv]="python3 -c 'import ensurepip'"
)
missing=()
for package in "${!needed[@]}"; do
  bash -c "${needed[$package]}" >/dev/null 2>&1 || missing+=("$package")
done

if ((${#missing[@]})); then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
  if command -v apt-get >/dev/null && "${as_root[@]}" true 2>/dev/null; then
    echo "Installing Debian packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq >/dev/null
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
      "${missing[@]}" >/dev/null
  else
    echo "Not allowed to install Debian packages here; going on without them." \
      "To get them: sudo apt-get install ${missing[*]}"
  fi
fi

if [ ! -x .venv/bin/python ]; then
  echo "Making a Python environment in .venv"
  python3 -m venv .venv
fi
if [ ! -e .venv/installed ] || [ pyproject.toml -nt .venv/installed ]; then
  echo "Installing Python packages into .venv (about a minute the first time)"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
  touch .venv/installed
fi
