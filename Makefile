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
NEXTEST := $(shell command -v cargo-nextest)
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
TRACELAKE := $(TARGET_DIR)/$(PROFILE)/tracelake
FIRST_LOOK := tests/data/first_look/profiler-output
DEMO := target/demo
CLUSTER_TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR)-cluster,cluster/target)

.PHONY: help setup build demo test test-rust test-python test-notebooks test-versions test-engines test-loaders test-recorders test-wheel cluster test-cluster lint wheel package docs notebook kernel bench bench-peers bench-cluster \
  fuzz audit update clean-demo

help: ## Say what there is
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-24s%s\n", $$1, $$2 }'

setup: $(VENV)/.stamp ## Make the Python environment .venv

# The .pth file puts the package of this clone on the path of the environment.
$(VENV)/.stamp: python/requirements-dev.txt python/constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r python/requirements-dev.txt
	echo '$(CURDIR)/python' > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tracelake-dev.pth"
	printf '#!/bin/sh\nexec "%s" -m tracelake "$$@"\n' '$(BIN)/python' > $(VENV)/bin/tracelake && chmod +x $(VENV)/bin/tracelake
	touch $@

build: ## Build everything, and put the native module into the Python package
	cargo build --locked --workspace --all-targets $(RELEASE)
	@from='$(TARGET_DIR)/$(PROFILE)/$(LIBRARY)'; to=python/tracelake/_tracelake.abi3.so; \
	cmp -s "$$from" "$$to" || { cp "$$from" "$$to.new" && mv "$$to.new" "$$to"; }

wheel: $(VENV)/.stamp-wheel ## Build the wheel with optimisation, for old versions of glibc too, into target/wheels
	$(BIN)/python python/wheel.py $(WHEEL_PROFILE)

$(VENV)/.stamp-wheel: $(VENV)/.stamp python/requirements-wheel.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r python/requirements-wheel.txt
	touch $@

# Nothing is published, so the manifest names no address: `--no-metadata` is about that alone.
package: ## Pack the crate of the library into target/package; a warning is an error
	@said=$$(cargo package --locked --offline --no-verify --no-metadata --allow-dirty -p tracelake 2>&1) || { echo "$$said"; exit 1; }; \
	echo "$$said"; ! grep -q '^warning' <<<"$$said"

demo: setup build ## Read the bundled profile, ask it, draw it, run the first notebook
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

test: ## Check the format of the code, run the tests of Rust and Python, execute the notebooks in Python
	@$(MAKE) --no-print-directory test-rust
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-notebooks

# nextest, where it is installed, runs everything but the examples of the documentation.
test-rust:
	cargo fmt --all --check
ifeq ($(NEXTEST),)
	cargo test --locked --workspace --no-fail-fast
else
	cargo nextest run --locked --workspace --no-fail-fast
	cargo test --locked --workspace --doc --no-fail-fast
endif

test-python: setup build
	cd python && $(BIN)/python -m pytest -q --numprocesses auto --maxprocesses 4 --dist loadfile --durations 15

test-notebooks: setup build
	@mkdir -p target/notebooks; passed=0; failed=0; \
	for notebook in notebooks/python/*.ipynb; do \
	  if $(BIN)/jupyter-nbconvert --log-level ERROR --to notebook --execute --output-dir target/notebooks "$$notebook"; \
	  then passed=$$((passed + 1)); else failed=$$((failed + 1)); echo "FAILED: $$notebook"; fi; \
	done; \
	echo "notebooks: $$passed passed, $$failed failed"; test "$$failed" = 0

test-versions: build ## Test tracelake.smdebug with pandas 2 and 3 on each Python from 3.10 to 3.13 that is here (not part of test)
	$(PYTHON) tests/versions.py

test-engines: build ## Read a lake with Spark in local mode, and with other versions of DuckDB and Polars (needs Java, or apt-get to install it; not part of test)
	$(PYTHON) tests/engines/run.py

test-loaders: setup build ## Run real data loaders (PyTorch, DALI's evaluator, Lightning) and read back what they wrote (not part of test)
	$(BIN)/python tests/loaders/run.py

test-recorders: setup build ## Test the recorders with the real PyTorch and Lightning (not part of test)
	python=$$($(BIN)/python tests/loaders/run.py --python) && export PYTHONPATH=python && \
	  "$$python" tests/recorders/run.py && "$$python" tests/recorders/settings.py

test-wheel: wheel ## Install the wheel into bare environments, execute the notebooks, set up a Rust kernel (not part of test)
	$(BIN)/python tests/wheel.py

cluster: ## Build tracelake-cluster, with an engine of its own: 10 minutes the first time (PROFILE=release with optimisation)
	cargo build --locked --manifest-path cluster/Cargo.toml --target-dir $(CLUSTER_TARGET) $(RELEASE)

test-cluster: setup build cluster ## Ask a scheduler and executors over a lake on S3, and end them in the middle (not part of test)
	cargo test --locked --manifest-path cluster/Cargo.toml --target-dir $(CLUSTER_TARGET)
	$(PYTHON) tests/licences.py cluster
	cd python && TRACELAKE_CLUSTER_PROGRAM='$(abspath $(CLUSTER_TARGET))/debug/tracelake-cluster' TRACELAKE_PROGRAM='$(abspath $(TRACELAKE))' \
	  $(BIN)/python -m pytest -q ../tests/cluster

# The cluster is no part of the workspace: `fetch` notices a lock file that does not know what the library has come to need.
lint: setup build ## clippy, rustdoc, ruff, pyright, licences and versions of crates; a warning is an error
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo fmt --manifest-path cluster/Cargo.toml --check
	cargo fetch --locked --quiet --manifest-path cluster/Cargo.toml
	RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --quiet
	cd python && $(BIN)/ruff check . ../tests ../benches ../fuzz && $(BIN)/ruff format --check . ../tests ../benches ../fuzz && $(BIN)/pyright --pythonpath $(BIN)/python
	$(PYTHON) tests/licences.py
	$(BIN)/python tests/dependencies.py

docs: setup ## Build the site of the documentation in target/site; a warning is an error
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html -c docs -d target/site-cache . target/site
	@echo 'Open target/site/index.html'

notebook: setup build ## Open JupyterLab on the notebooks
	$(BIN)/jupyter-lab notebooks

kernel: setup build ## Set up the Rust kernel for Jupyter from this clone
	PATH="$(BIN):$$PATH" $(TRACELAKE) jupyter install --dev --source "$(CURDIR)"

bench: setup ## Measure everything of our own with release builds, and write docs/performance.md (takes an hour or so)
	$(BIN)/python benches/run.py --write

bench-peers: setup ## The same beside HTA, Perfetto, DuckDB, pandas, Polars and smdebug, which it installs into a cache folder (needs Node, for smdebug Python 3.11)
	$(BIN)/python benches/run.py --peers --write

bench-cluster: setup ## Measure what a cluster of this machine costs, with release builds (builds tracelake-cluster: 25 minutes the first time)
	$(BIN)/python benches/cluster.py --write
	$(BIN)/python benches/scale.py --write

fuzz: setup ## Fuzz each format and whatever else others write, for 60 s or FUZZ_SECONDS each (needs a C++ compiler; not part of test)
	$(BIN)/python fuzz/run.py --seconds $(FUZZ_SECONDS)

audit: ## Hold the crates against the advisories of RustSec (needs the network and cargo-deny; not part of test)
	@command -v cargo-deny >/dev/null || { echo 'install it: cargo install --locked cargo-deny'; exit 1; }
	cargo deny check

update: ## Write expected results and generated files anew; then read the diff
	UPDATE=1 INSTA_UPDATE=always cargo test --locked --workspace --no-fail-fast

clean-demo: ## Remove what `make demo` made
	rm -rf $(DEMO)
