# The two commands a fresh machine needs: `make demo` and `make test`.
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
# About three quarters of an hour on two cores; gpu_protocol needs a GPU and is run by hand.
BENCHMARKS := step_throughput ensemble_fit predict_latency tuned_fit halving_against_grid \
	nested_cv growth wide
INSTALLED := $(VENV)/.installed

.PHONY: demo test test-slow lint bench clean

demo: $(INSTALLED)
	$(BIN)/siernet demo

test: $(INSTALLED) lint
	$(BIN)/python -m pytest -m "not slow"

test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -m slow

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(INSTALLED)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[bench]"
	for name in $(BENCHMARKS); do $(BIN)/python -m benchmarks.$$name || exit 1; done
	$(BIN)/python -m benchmarks.readme

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "siernet needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
