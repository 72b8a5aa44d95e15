# `make demo` and `make test` are all a newcomer needs; both set up their own environment.
VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin

.PHONY: help setup demo test check lint types contracts generate generated clean

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(VENV)/.installed  ## create the environment in .venv

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: setup  ## lint the example repository
	@$(BIN)/celvet lint examples || test $$? -eq 1  # there are findings: it is their demo

test: setup  ## run the tests
	$(BIN)/python -m pytest

check: lint types contracts generated  ## the static checks

generate: setup  ## rewrite what is derived from the code
	$(BIN)/python -m docs.generate

generated: setup
	$(BIN)/python -m docs.generate --check

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports --no-cache

clean:  ## remove what was built
	rm -rf $(VENV) dist build
