# SPDX-License-Identifier: Apache-2.0
# make demo    evaluate Trivium on an FPGA and in standard cells, and print the figures
# make test    run the tests
# make lint    check style and types

RADIX ?= 1,8,64
SEEDS ?= 5
JOBS  ?= 2

PYTHON := .venv/bin/python

.PHONY: demo test lint install install-for-tests

install:
	@tools/install.sh

install-for-tests:
	@tools/install.sh tests

demo: install
	@echo "Evaluating Trivium at radix $(RADIX): place and route on ECP5, synthesis, timing and power on osu018"
	@targets=ecp5-25k; if command -v sta >/dev/null; then targets=$$targets,osu018; fi; \
	  .venv/bin/headwater evaluate trivium --radix $(RADIX) --target $$targets --seeds $(SEEDS) --jobs $(JOBS)

test: install-for-tests
	@echo "Running the tests, $(JOBS) at a time (a few minutes)"
	@$(PYTHON) -m pytest -n $(JOBS)

lint: install-for-tests
	@$(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check . && $(PYTHON) -m mypy
