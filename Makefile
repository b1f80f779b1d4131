# Everything that a fresh machine with git, make and Python 3.11 or newer (with venv and pip) needs: make help

.DEFAULT_GOAL := help
.PHONY: help tournament test lint bench clean
SHELL := /bin/bash

BIN := .venv/bin
NUMBER ?= 1500
PLAYERS ?= 2
SEED ?= 1
JOBS ?= -1

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

tournament: .venv/ready  ## Play all strategies against each other (NUMBER=1500 PLAYERS=2 SEED=1 JOBS=-1)
	@folder=runs/tournament-$$(date +%Y%m%d-%H%M%S); \
	$(BIN)/arbosim run -s "$$($(BIN)/arbosim strategies --names)" -n $(NUMBER) -p $(PLAYERS) --seed $(SEED) -j $(JOBS) -o $$folder && \
	echo "The run lies in $$folder; '$(BIN)/arbosim standings $$folder' shows it again."

test: .venv/ready-dev  ## Run the tests
	$(BIN)/python -m pytest

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
