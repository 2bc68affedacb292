# make demo    run the seven-body mechanism and write its results to out/
# make test    run the tests; products such as systems × formulations thinned, pairwise (tests/conftest.py)
# make test-all    run all tests: make test, and make test-exhaustive, the rest of the full products
# make test-exhaustive SHARE=2/3    the second third of that rest; on a slow machine CI takes one of the three, by the commit
# make test-rounding    those tests in which round-off could change a decision, with the arithmetic of several processors
# make docs    build the site into out/docs/html;  make docs PLAY="squeezer bicycle" computes only these motions
# make stubs   write what editors and type checkers read, from the code
# make lint, make bench, make clean
# Everything lives in .venv; another Python is chosen with  make PYTHON=python3.12 …

# Many tests start Python anew: it finds the bytecode of the first one.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# worksteal: neighbours run in one worker, so that what a file shares is made once
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal --durations=25

.PHONY: demo test test-all test-exhaustive test-rounding docs lint stubs bench clean

demo: $(VENV)/.installed
	$(BIN)/mekane demo

test: $(VENV)/.installed-test
	$(BIN)/mekane warm
	$(PYTEST) -m "not exhaustive"

test-all: test test-exhaustive

test-exhaustive: $(VENV)/.installed-test
	$(BIN)/mekane warm
	$(PYTEST) -m exhaustive $(if $(SHARE),--share $(SHARE))

test-rounding: $(VENV)/.installed-test
	$(BIN)/python .ci/rounding.py

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/make_site.py out/docs $(if $(PLAY),--play $(PLAY))

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

stubs: $(VENV)/.installed-test
	$(BIN)/python docs/make_stubs.py

bench: $(VENV)/.installed-bench
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) out build .pytest_cache .ruff_cache .mypy_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are newer than pyproject.toml when everything it names is installed.
$(VENV)/.installed: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet -e .
	@touch $@

$(VENV)/.installed-%: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet -e ".[$*]"
	@touch $@ $(VENV)/.installed

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| (echo "Mekane needs Python 3.11 or newer; say for example: make PYTHON=python3.12 demo" >&2; exit 1)
	$(PYTHON) -m venv $(VENV)
