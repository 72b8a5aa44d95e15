# A newcomer needs only `make demo` and `make test`; both set up their own environment.
VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin
# How long each part of `make fuzz` runs.
FUZZ_SECONDS ?= 60
VALUES ?= charts/celvet/values.yaml
# Where the end-to-end tests keep the programs that they build, and `make image` its layers.
export CELVET_E2E_CACHE ?= $(HOME)/.cache/celvet-e2e
CELVET_IMAGE_CACHE ?= $(HOME)/.cache/celvet-image
CELVET_ROOTS ?= $(HOME)/.cache/celvet-roots
EXTENSION := editors/vscode
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' celvet/version.py)
# Where `make tools` puts the programs that some tests run.
CELVET_TOOLS ?= $(HOME)/.cache/celvet-tools
export PATH := $(PATH):$(CELVET_TOOLS)
# Keep compiled modules from run to run: `make quick` takes a fifth less.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test quick bench e2e image archive test-archive bare-roots extension site check fuzz lint types contracts generate generated manifests requirements advisories tools workflows clean

help:  ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(VENV)/.installed  ## create the environment in .venv

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	$(BIN)/python -m compileall -qq celvet lint schemas certs webhook  # pip leaves out what is editable
	@touch $@

demo: setup  ## lint the example repository
	@$(BIN)/celvet lint examples || test $$? -eq 1  # findings are expected

test: setup  ## run the tests
	$(BIN)/python -m pytest -n auto --dist worksteal

quick: setup  ## run the tests that need no process, socket or git, in less than a minute
	$(BIN)/python -m pytest -p no:pytest-lsp -n auto --dist worksteal -m "not slow"

bench: setup  ## measure, and write docs/performance.md; needs Go and a quiet machine, 7 minutes
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m bench --write $(BENCH)

e2e: setup  ## run the tests against a real API server; needs Go, builds it once
	tests/e2e/control-plane.sh $(CELVET_E2E_CACHE)
	tests/e2e/flux-controllers.sh $(CELVET_E2E_CACHE)
	CELVET_E2E=$(CELVET_E2E_CACHE) $(BIN)/python -m pytest tests/e2e

image:  ## build the webhook's image without a registry, and run it; needs root, buildah and debootstrap
	tests/image/build.sh $(CELVET_IMAGE_CACHE)

archive:  ## celvet with its own Python for this platform, in dist; 2 minutes, needs no setup
	$(PYTHON) .github/release/archive.py dist

test-archive: setup  ## run the commands of an archive where nothing of Python is seen; CELVET_ARCHIVE=FILE
	CELVET_ARCHIVE=$(CELVET_ARCHIVE) $(BIN)/python -m pytest -n 0 tests/package/test_archive.py tests/package/test_ways.py

bare-roots: setup  ## install CELVET_ARCHIVE in each way that works offline, where nothing else is; root, debootstrap, make tools
	$(BIN)/python -m tests.package.bare_roots $(CELVET_ARCHIVE) $(CELVET_ROOTS)

site: setup  ## the site of these documents, in dist/site; with Go also its playground
	$(BIN)/python -m docs.site.build

extension: $(EXTENSION)/node_modules  ## the extension for VS Code, in dist; needs npm
	@cp LICENSE $(EXTENSION)/LICENSE && mkdir -p dist
	cd $(EXTENSION) && npm run --silent package -- $(VERSION) --no-update-package-json --no-git-tag-version --out $(abspath dist)/celvet-$(VERSION).vsix

$(EXTENSION)/node_modules: $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

fuzz: setup  ## all examples of each property, damaged files, random vectors; FUZZ_SECONDS=60 each
	$(BIN)/python -m pytest -n auto --dist worksteal -m hypothesis --hypothesis-profile whole
	$(BIN)/python -m tests.fuzz readers --seconds $(FUZZ_SECONDS)
	$(BIN)/python -m tests.fuzz parts --seconds $(FUZZ_SECONDS)
	$(BIN)/python -m tests.fuzz differential --seconds $(FUZZ_SECONDS)  # needs Go

check: lint types contracts generated workflows  ## the static checks

generate: setup  ## rewrite the files that are derived from the code
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

workflows: setup
	$(BIN)/zizmor --offline --quiet .github action.yml
	@if command -v actionlint >/dev/null; then actionlint; else echo 'actionlint is not installed: make tools'; fi

tools:  ## install what some tests need and Python lacks: editors, a browser, helm, kustomize, flux ...; Debian and Go, once
	tests/tools.sh $(CELVET_TOOLS)

advisories: setup  ## compare the pinned packages with PyPA's advisories of today, and keep these; needs github.com
	test -d $(CELVET_TOOLS)/advisories || \
	  git clone -q --depth 1 https://github.com/pypa/advisory-database $(CELVET_TOOLS)/advisories
	git -C $(CELVET_TOOLS)/advisories pull -q --depth 1
	$(BIN)/python -m tests.package.advisories $(CELVET_TOOLS)/advisories
	$(BIN)/python -m pytest -n 0 tests/package/test_bill_of_materials.py

manifests:  ## render the chart to dist/celvet.yaml; VALUES=my-values.yaml
	@mkdir -p dist
	charts/manifests.sh $(VALUES) > dist/celvet.yaml

requirements: setup  ## update the versions and hashes that the image, the action and the archives install
	cd .github/requirements && for set in 'webhook ../../pyproject.toml --extra webhook' 'lint ../../pyproject.toml' 'build build.in' 'archive archive.in' 'celvet ../../pyproject.toml --extra cluster --extra lsp --extra lua'; do \
	  set -- $$set && list=$$1 && shift && $(abspath $(BIN))/uv pip compile --quiet --universal --upgrade --python-version 3.11 \
	    --generate-hashes --custom-compile-command 'make requirements' --output-file $$list.txt "$$@" || exit 1; \
	done

clean:  ## remove everything that was built
	rm -rf $(VENV) dist build
