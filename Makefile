# Every target works from a clean clone and does only what is left to do.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
PROFILE ?= debug
WHEEL_PROFILE ?= release
FUZZ_SECONDS ?= 60
TARGET_DIR ?= $(or $(CARGO_TARGET_DIR),target)

RELEASE := $(if $(filter release,$(PROFILE)),--release)
LIBRARY := $(if $(filter Darwin,$(shell uname -s)),lib_tracelake.dylib,lib_tracelake.so)
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
TRACELAKE := $(TARGET_DIR)/$(PROFILE)/tracelake
FIRST_LOOK := tests/data/first_look/profiler-output
DEMO := target/demo
PROCESSES ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# All members but the library of the Rust kernel.
OURS := --workspace --exclude tracelake-facade
CLUSTER_TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR)-cluster,cluster/target)

.PHONY: help setup build stub demo test test-rust test-python test-slow test-notebooks test-all test-versions test-engines test-loaders test-recorders \
  test-perfetto test-browser test-browser-smoke test-kernel test-kernel-smoke test-wheel test-wheel-smoke test-first-minutes cluster \
  test-cluster lint size wheel package docs notebook kernel bench bench-peers bench-cluster fuzz audit update clean-demo

help: ## Say what there is
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-24s%s\n", $$1, $$2 }'

setup: $(VENV)/.stamp ## Make the Python environment .venv

# The .pth file puts the package of this clone on the path of the environment.
$(VENV)/.stamp: python/requirements-dev.txt python/constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r python/requirements-dev.txt
	echo '$(CURDIR)/python' > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tracelake-dev.pth"
	mkdir -p $(VENV)/share/jupyter/labextensions && ln -sfn '$(CURDIR)/notebooks/jupyter/labextension' $(VENV)/share/jupyter/labextensions/tracelake
	printf '#!/bin/sh\nexec "%s" -m tracelake "$$@"\n' '$(BIN)/python' > $(VENV)/bin/tracelake && chmod +x $(VENV)/bin/tracelake
	touch $@

build: ## Build the library, the program and the Python module
	cargo build --locked -p tracelake -p tracelake-python --lib --bins $(RELEASE)
	@from='$(TARGET_DIR)/$(PROFILE)/$(LIBRARY)'; to=python/tracelake/_tracelake.abi3.so; \
	cmp -s "$$from" "$$to" || { cp "$$from" "$$to.new" && mv "$$to.new" "$$to"; }

stub: setup build ## Write python/tracelake/queries.pyi, from which editors and type checkers know the canned queries
	@cd python && $(BIN)/python stub.py

wheel: $(VENV)/.stamp-wheel stub ## Build the wheel with optimization, for old versions of glibc too, into target/wheels
	$(BIN)/python python/wheel.py $(WHEEL_PROFILE)

$(VENV)/.stamp-wheel: $(VENV)/.stamp python/requirements-wheel.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r python/requirements-wheel.txt
	touch $@

# Nothing is published, so the manifest names no address: `--no-metadata` is about that alone.
package: ## Pack the crates of the library into target/package; a warning is an error
	@said=$$(cargo package --locked --offline --no-verify --no-metadata --allow-dirty $(OURS) --exclude tracelake-python 2>&1) || { echo "$$said"; exit 1; }; \
	echo "$$said"; ! grep -q '^warning' <<<"$$said"

demo: stub ## Read the bundled profile, ask it, draw it, run the first notebook
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(TRACELAKE) --lake $(DEMO)/lake ingest $(FIRST_LOOK)
	$(TRACELAKE) --lake $(DEMO)/lake query job.overview --format table
	$(TRACELAKE) --lake $(DEMO)/lake query step.duration --format table
	$(TRACELAKE) --lake $(DEMO)/lake figure all -o $(DEMO)/figures.html
	$(BIN)/jupyter-nbconvert --log-level WARN --to notebook --execute --output-dir $(DEMO) notebooks/python/01_first_look.ipynb
	@printf '%s\n' '' 'There are now:' \
	  '  $(DEMO)/figures.html           all figures, on a page that needs no network' \
	  '  $(DEMO)/01_first_look.ipynb    the first notebook with its outputs' \
	  '  $(DEMO)/lake                   the lake: Parquet files and a manifest' '' 'Type next:' \
	  '  $(TRACELAKE) queries' \
	  '  $(TRACELAKE) --lake $(DEMO)/lake query loader.next' \
	  '  $(TRACELAKE) --lake $(DEMO)/lake sql "select phase, resource, metric, mean from utilization_by_phase"' \
	  '  make notebook'

test: ## Run the tests that are essential and quick: format, Rust, Python, the notebooks in Python
	@$(MAKE) --no-print-directory test-rust
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-notebooks

# Everything else is a tier: CONTRIBUTING.md says what each covers, what it needs and how long it takes.
TIERS := test-slow test-browser test-kernel test-versions test-engines test-loaders test-recorders test-perfetto test-wheel \
  test-cluster fuzz

test-all: ## Run everything: test, lint, docs, package, and all tiers (the wheel in the dev profile)
	@for target in test lint docs package $(TIERS); do \
	  echo "=== make $$target"; $(MAKE) --no-print-directory $$target WHEEL_PROFILE=dev FUZZ_SECONDS=3 || exit 1; done

# `cargo test` runs all tests of a binary in one process; nextest starts a process per test, and each plans all views again.
test-rust:
	cargo fmt --all --check
	cargo test --locked $(OURS) --no-fail-fast

# Temporary files of the tests are in a folder of their own, which is deleted at the end, also after killed processes.
PYTEST_ALONE = cd python && export TMPDIR=$$(mktemp -d) && trap 'rm -rf "$$TMPDIR"' EXIT && $(BIN)/python -m pytest -q
PYTEST = $(PYTEST_ALONE) --numprocesses $(PROCESSES) --dist loadfile --durations 10

test-python: stub
	$(PYTEST) -m 'not slow'

test-slow: setup build ## Run the tests of Rust and Python that take long (a tier)
	cargo test --locked -p tracelake --test it --no-fail-fast -- --ignored
	$(PYTEST) -m slow

# A notebook is executed again only if it, the package, the module or the data changed. The tests of the Rust kernel read the results.
NOTEBOOKS := $(patsubst notebooks/python/%,target/notebooks/%,$(wildcard notebooks/python/*.ipynb))
NOTEBOOK_READS := $(VENV)/.stamp $(shell find python/tracelake tests/data tests/gen -type f -not -name '*.pyc' -not -name '*.so' -not -path '*/source/*')

test-notebooks: setup build
	@$(MAKE) --no-print-directory --silent --keep-going --output-sync --jobs 2 $(NOTEBOOKS)

target/notebooks/%.ipynb: notebooks/python/%.ipynb python/tracelake/_tracelake.abi3.so $(NOTEBOOK_READS)
	@if $(BIN)/jupyter-nbconvert --log-level ERROR --to notebook --execute --output-dir $(@D) $<; \
	then echo 'notebooks: 1 passed, 0 failed'; else echo 'notebooks: 0 passed, 1 failed ($<)'; exit 1; fi

test-versions: build ## Test tracelake.smdebug with pandas 2 and 3 on each Python from 3.10 to 3.14 that is installed (a tier)
	$(PYTHON) tests/versions.py

test-engines: build ## Read a lake with Spark in local mode, and with other versions of DuckDB and Polars (a tier; needs Java, or apt-get to install it)
	$(PYTHON) tests/engines/run.py

test-loaders: setup build ## Run real data loaders (PyTorch, DALI's evaluator, Lightning) and read what they wrote (a tier)
	$(BIN)/python tests/loaders/run.py

test-recorders: setup build ## Test the recorders with the real PyTorch and Lightning (a tier)
	python=$$($(BIN)/python tests/loaders/run.py --python) && export PYTHONPATH=python && \
	  "$$python" tests/recorders/run.py && "$$python" tests/recorders/settings.py && "$$python" tests/recorders/key_averages.py

test-perfetto: setup build ## Load exported traces in Perfetto's trace processor (a tier)
	$(PYTEST) ../tests/perfetto

# A file at a time: Rust kernels are in one of them, and two such kernels at once start slowly.
test-browser: setup build kernel ## Look at figures, reports and notebooks in a browser (a tier; needs Chromium)
	$(PYTEST) ../tests/browser

test-browser-smoke: setup build
	$(PYTEST) ../tests/browser/test_figures.py

test-kernel: kernel test-notebooks ## Test the Rust kernel, and its notebooks against those in Python (a tier)
	$(PYTEST_ALONE) ../tests/notebooks

test-kernel-smoke: kernel test-notebooks
	$(PYTEST_ALONE) ../tests/notebooks -k 01_first_look

test-wheel: wheel kernel ## Install the wheel into bare environments of each Python, execute the notebooks, set up a Rust kernel (a tier)
	$(BIN)/python tests/wheel.py $(if $(filter dev,$(WHEEL_PROFILE)),--dev)

test-wheel-smoke: setup
	@$(MAKE) --no-print-directory wheel WHEEL_PROFILE=dev
	$(BIN)/python tests/wheel.py --smoke --dev

test-first-minutes: ## Run docs/first_five_minutes.md as it is, in this clone
	@rm -rf target/five
	$(PYTHON) tests/first_five_minutes.py --here

cluster: ## Build tracelake-cluster, with an engine of its own: 10 minutes the first time (PROFILE=release with optimization)
	cargo build --locked --manifest-path cluster/Cargo.toml --target-dir $(CLUSTER_TARGET) $(RELEASE)

test-cluster: setup build cluster ## Query through a scheduler and executors over a lake on S3, and kill them (a tier)
	cargo test --locked --manifest-path cluster/Cargo.toml --target-dir $(CLUSTER_TARGET)
	$(PYTHON) tests/licenses.py cluster
	export TRACELAKE_CLUSTER_PROGRAM='$(abspath $(CLUSTER_TARGET))/debug/tracelake-cluster' TRACELAKE_PROGRAM='$(abspath $(TRACELAKE))'; \
	  $(PYTEST_ALONE) ../tests/cluster

size: setup ## Count the lines of product code, by language and crate
	@$(BIN)/python tests/size.py

# cluster/ is not in the workspace: `cargo fetch --locked` fails if its lock file is out of date.
lint: stub ## clippy, rustdoc, the public interface, ruff, pyright, licenses and versions of crates; a warning is an error
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo fmt --manifest-path cluster/Cargo.toml --check
	cargo fetch --locked --quiet --manifest-path cluster/Cargo.toml
	RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --quiet
	$(PYTHON) tests/public_api.py
	cd python && $(BIN)/ruff check . ../.ci ../tests ../benches ../docs/*.py ../fuzz && $(BIN)/ruff format --check . ../.ci ../tests ../benches ../docs/*.py ../fuzz && $(BIN)/pyright --pythonpath $(BIN)/python
	$(PYTHON) tests/licenses.py
	$(BIN)/python tests/dependencies.py

docs: setup build ## Build the site of the documentation in target/site; a warning is an error
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html -c docs -d target/site-cache . target/site
	@echo 'Open target/site/index.html'

notebook: stub ## Open JupyterLab on the notebooks
	$(BIN)/jupyter-lab notebooks

kernel: setup build ## Set up the Rust kernel for Jupyter from this clone
	PATH="$(BIN):$$PATH" $(TRACELAKE) jupyter install --dev --source "$(CURDIR)"

bench: setup ## Measure everything of our own with optimized builds, and write docs/performance.md (takes an hour or so)
	$(BIN)/python benches/run.py --write

bench-peers: setup ## The same beside HTA, Perfetto, DuckDB, pandas, Polars and smdebug, which it installs into a cache folder (needs Node, for smdebug Python 3.11)
	$(BIN)/python benches/run.py --peers --write

bench-cluster: setup ## Measure what a cluster of this machine costs, with release builds (builds tracelake-cluster: 25 minutes the first time)
	$(BIN)/python benches/cluster.py --write
	$(BIN)/python benches/scale.py --write

fuzz: stub ## Fuzz each format and whatever else others write, for 60 s or FUZZ_SECONDS each, and test laws of traces and lakes of extreme values with as many seeds (needs a C++ compiler; not part of test)
	$(BIN)/python fuzz/run.py --seconds $(FUZZ_SECONDS)
	export TRACELAKE_LAW_SEEDS=$(FUZZ_SECONDS) TRACELAKE_EXTREME_SEEDS=$(FUZZ_SECONDS); \
	  $(PYTEST) ../tests/python/test_recording_laws.py ../tests/python/test_extreme_values.py

audit: ## Hold the crates against the advisories of RustSec (needs the network and cargo-deny; not part of test)
	@command -v cargo-deny >/dev/null || { echo 'install it: cargo install --locked cargo-deny'; exit 1; }
	cargo deny check

update: ## Write expected results and generated files anew; then read the diff
	UPDATE=1 INSTA_UPDATE=always cargo test --locked $(OURS) --no-fail-fast -- --include-ignored

clean-demo: ## Remove what `make demo` made
	rm -rf $(DEMO)
