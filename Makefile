# Everything that a fresh machine with git, make and Python 3.11 or newer (with venv and pip) needs: make help

.DEFAULT_GOAL := help
.PHONY: help tournament ladder experiments test lint bench clean
SHELL := /bin/bash

BIN := .venv/bin
NUMBER ?= 1600
PLAYERS ?= 2
SEED ?= 1
SIZE ?= 1
JOBS ?= -1

# An environment whose Python is gone, or has become another, is set up anew.
ifneq ($(wildcard .venv/pyvenv.cfg),)
ifneq ($(shell $(BIN)/python -c 'import pip' > /dev/null 2>&1 || echo gone),)
$(shell rm -rf .venv)
endif
endif

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

tournament: .venv/compiled  ## Play all quick strategies against each other (NUMBER=1600 PLAYERS=2 SEED=1 JOBS=-1)
	@$(BIN)/arbosim run -s "$$($(BIN)/arbosim strategies --names --quick)" \
	    -n $(NUMBER) -p $(PLAYERS) --seed $(SEED) -j $(JOBS)
	@echo "$(BIN)/arbosim standings FOLDER shows the standings of a run again."

ladder: .venv/compiled  ## Renew docs/ladder.md: all strategies at 2, 3 and 4 players (JOBS=-1; SIZE=0.1 is a quick look)
	@$(BIN)/python benchmarks/ladder.py --size $(SIZE) -j $(JOBS)

experiments: .venv/ready-dev  ## Play all experiments again, at reduced size
	@$(BIN)/python experiments/run.py -j $(JOBS)

test: .venv/ready-dev  ## Run the tests
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

lint: .venv/ready-dev  ## Check style, types and who imports whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready  ## Measure the speed of the engine
	$(BIN)/arbosim bench

clean:  ## Remove the environment and the caches; runs stay
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build

# The stamps make sure that nothing is installed twice until pyproject.toml changes.
.venv/ready: pyproject.toml | .venv/bin/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/ready-dev: pyproject.toml | .venv/bin/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch .venv/ready $@

# Strategies are compiled when they are first used and found in a cache from then on. Edited ones are compiled anew
# by themselves, so this is only to have it done before the clock of the first tournament runs.
.venv/compiled: .venv/ready
	@echo "Compiling the engine and the strategies, once; this takes a minute or two."
	@folder=$$(mktemp -d) && trap "rm -rf $$folder" EXIT && \
	$(BIN)/arbosim run -s "$$($(BIN)/arbosim strategies --names --quick)" -n 1 --quiet -o $$folder/run
	@touch $@

# Any of these names may be missing, too old, without venv, or a shim that does not run: ask each.
.venv/bin/pip:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14 python; do \
	    if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then \
	        echo "Setting up .venv with $$($$python --version); this takes a minute or two, once."; \
	        $$python -m venv --clear .venv && exit 0; \
	    fi; \
	done; \
	echo "arbosim needs Python 3.11 or newer with venv and pip; no such Python was found." >&2; \
	echo "Install one (on Debian or Ubuntu: apt install python3.11-venv), or name it: make $(or $(MAKECMDGOALS),test) PYTHON=/path/to/python3" >&2; \
	exit 1
