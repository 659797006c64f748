# SPDX-License-Identifier: Apache-2.0
# make demo    evaluate Trivium on an FPGA and in standard cells, and print the figures
# make test    run the tests that are quick: every kind of check, every cipher
# make test-slow    run the other tests, in the order of the commit, until MINUTES are over
# make test-all    run all tests
# make site    build the documents as a site, in the folder site
# make reference    measure what the results of the package lack, and write the documents that show them
# make matrix    have the tools of users try what is delivered, and write docs/tools.md
# make lint    check style and types

RADIX ?= 1,8,64
SEEDS ?= 5
JOBS  ?= 2
MINUTES ?= 15
COLUMNS_SHOWN := target,radix,LUT,FF,area,in,GE,fmax MHz,Mbit/s,Mbit/s/area,mW,pJ/bit

PYTHON := .venv/bin/python
# Tests start hundreds of processes of Python, which find what the first has compiled.
TESTS := PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest -n $(JOBS) --dist worksteal

.PHONY: demo test test-slow test-all reference matrix lint site install install-for-tests install-for-site

install:
	@tools/install.sh

install-for-tests:
	@tools/install.sh tests

install-for-site:
	@tools/install.sh site

demo: install
	@echo "Evaluating Trivium at radix $(RADIX): place and route on ECP5, synthesis, timing and power on osu018"
	@targets=ecp5-25k; if command -v sta >/dev/null; then targets=$$targets,osu018; fi; \
	  HEADWATER_REFERENCE=none .venv/bin/headwater evaluate trivium --radix $(RADIX) --target $$targets --seeds $(SEEDS) --jobs $(JOBS) \
	    --columns "$(COLUMNS_SHOWN)"

test: install-for-tests
	@echo "Running the quick tests, $(JOBS) at a time (five to ten minutes)"
	@$(TESTS) -m "not slow"

test-slow: install-for-tests
	@echo "Running slow tests, $(JOBS) at a time, for $(MINUTES) minutes"
	@$(TESTS) -m slow --minutes $(MINUTES)

test-all: install-for-tests
	@echo "Running all tests, $(JOBS) at a time (about half an hour)"
	@$(TESTS)

reference: install-for-tests
	@$(PYTHON) tools/reference.py --jobs $(JOBS)
	@HEADWATER_STORE=$$(mktemp -d)/none COLUMNS=80 .venv/bin/headwater reproduce all --stored > docs/reproduced.txt
	@HEADWATER_STORE=$$(mktemp -d)/none COLUMNS=80 .venv/bin/headwater reproduce eth --layout --stored > docs/laid-out.txt
	@HEADWATER_STORE=$$(mktemp -d)/none $(PYTHON) benchmarks/race.py > docs/raced.txt
	@$(PYTHON) tools/data_sheets.py
	@$(PYTHON) tools/printed.py

matrix: install-for-tests
	@$(PYTHON) tools/tools_matrix.py --jobs $(JOBS)

lint: install-for-tests
	@$(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check . && $(PYTHON) -m mypy

site: install-for-site
	@NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/.venv/bin:$$PATH" $(PYTHON) -m mkdocs build --strict --clean --quiet
	@echo site/index.html
