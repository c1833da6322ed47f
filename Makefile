# Every word here sets up what it needs in .venv, with nothing assumed but Python >= 3.11, g++ and make.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
export REGRAPHT_ROOT := $(CURDIR)
# Tests start regrapht some hundred times; where bytecode is not to be written into the tree, it would be compiled anew each time.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/bytecode

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow test-gpu check docs measured schemas bench fuzz graph gpu-bundle clean

help:  ## List these words
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "regrapht needs Python 3.11 or newer; name one with make PYTHON=..." >&2; exit 2; }
	@command -v $${CXX:-g++} >/dev/null || { echo "regrapht needs g++ 12 or newer (Debian, Ubuntu: apt install g++)" >&2; exit 2; }
	@test -x $(RUN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) ..."
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

setup: $(VENV)/ready  ## Make the virtual environment

demo: $(VENV)/ready  ## Optimise a real example from start to end
	@$(RUN)/regrapht doctor --quick || true
	$(RUN)/regrapht optimize examples/matrix_product --budget 12 --seed 1 --out regrapht-out/demo --force

# The tests start the package's programs hundreds of times: images that keep no bytecode would have each of them compile it anew.
test test-slow: export PYTHONDONTWRITEBYTECODE :=

# The emulated judge of the quick tests does without nvcc, which takes longer than all else that it does; the long tests have it.
test: export REGRAPHT_NVCC := none
test: $(VENV)/ready  ## Run the quick tests
	$(RUN)/python -m pytest -q -m "not slow and not gpu and not live" -n 3 --dist worksteal --hypothesis-profile repeatable

test-slow: $(VENV)/ready  ## Run the long tests; a part of them by SLICE=3/8, a run's draws again by REGRAPHT_TEST_SEED=N
	$(RUN)/python -m pytest -q -m "slow and not gpu and not live" -n 2 --dist worksteal $(if $(SLICE),--slice $(SLICE)) $(if $(REGRAPHT_TEST_SEED),--hypothesis-seed $(REGRAPHT_TEST_SEED))

test-gpu: $(VENV)/ready  ## Run the tests that need an NVIDIA GPU and nvcc
	$(RUN)/python -m pytest -q -m gpu

check: $(VENV)/ready  ## Lint, types, formatting
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy

docs: $(VENV)/ready  ## Build the documentation; a warning is an error
	$(RUN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo docs/_build/html/index.html

measured: $(VENV)/ready  ## Write docs/measured.md, and the tables of other pages, from the committed results
	$(RUN)/python benchmarks/measured.py

schemas: $(VENV)/ready  ## Write docs/schemas from the records
	$(RUN)/regrapht schema --out docs/schemas

bench: $(VENV)/ready  ## Measure the project itself; one JSON line a script
	$(RUN)/python benchmarks/search_overhead.py

FUZZ_SECONDS ?= 600
fuzz: $(VENV)/ready  ## Random programs against their references: loop nests in the transform engine, kernels in the emulator, files in the graph's loader (FUZZ_SECONDS=600)
	$(RUN)/python -m pytest -q -m slow tests/transform/test_random_nests.py
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(RUN)/python -m pytest -q -s -m slow tests/emulate/test_fuzz.py
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(RUN)/python -m pytest -q -s -m slow tests/graph/test_fuzz_loader.py

graph: $(VENV)/ready  ## Rebuild the shipped reasoning graph from the corpus and its verdicts
	$(RUN)/regrapht graph build trajectories/written --out src/regrapht/graph/data/seed_graph.json

gpu-bundle: $(VENV)/ready  ## Collect CPython 3.12 wheels for a GPU machine without a registry into .gpu-bundle
	$(RUN)/python -m pip download --quiet --disable-pip-version-check --dest .gpu-bundle/wheels --only-binary :all: \
		--python-version 3.12 --implementation cp --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 \
		--platform manylinux_2_17_x86_64 --platform manylinux_2_27_x86_64 \
		islpy libclang-ng tree-sitter 'tree-sitter-cuda<0.22' 'tree-sitter-cpp<0.24' 'typer<0.30' clang-format jinja2 optuna pytest pytest-xdist hypothesis
	@if command -v bwrap >/dev/null; then mkdir -p .gpu-bundle/bin && cp "$$(command -v bwrap)" .gpu-bundle/bin/; else echo "bubblewrap is not here: not bundled"; fi
	@du -sh .gpu-bundle

clean:  ## Remove what these words made
	rm -rf $(VENV) .gpu-bundle regrapht-out docs/_build
