# Every target makes and reuses .venv by itself. Needs Python >= 3.11 and make; POSIX sh.
.POSIX:

VENV = .venv
BIN = $(VENV)/bin
# Touched after a complete install, so a changed pyproject.toml installs again.
READY = $(VENV)/.installed
WEB = tests/web
WEB_READY = $(WEB)/node_modules/.installed
PAGE = web
PAGE_READY = $(PAGE)/node_modules/.installed

.PHONY: help demo warm-up test test-long lint docs studio page bench clean web-packages browser

help:
	@echo "make demo     run the demo; results in out/demo/"
	@echo "make test     run the test suite (PYTEST_ARGS='tests/core -x' for a part)"
	@echo "make test-long  run the long proofs that make test leaves out"
	@echo "make warm-up  compile all kernels now instead of at their first use"
	@echo "make lint     ruff, mypy, import layers"
	@echo "make docs     build the documentation into site/"
	@echo "make studio   open the web editor"
	@echo "make page     build the web editor's page from web/"
	@echo "make bench    time the kernels (BENCH_ARGS=--quick); results in benchmarks/results/"
	@echo "make clean    remove .venv and everything built"
	@echo "PYTHON=/path/to/python chooses the interpreter that makes .venv"

$(READY): pyproject.toml tools/make_venv.sh
	@PYTHON='$(PYTHON)' sh tools/make_venv.sh $(VENV)
	$(BIN)/python -m pip install --quiet -e '.[dev,usd,video,studio]'
	@# Bytecode too, as pip makes it of a wheel: commands start sooner, also where Python may not write any itself.
	$(BIN)/python -m compileall -q src
	@touch $@

# Tests that need these packages skip without them, so neither a missing npm nor a missing network fails.
NPM_OPTIONS = --include=dev --no-audit --no-fund --loglevel=error \
	--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 </dev/null

$(WEB_READY): $(WEB)/package.json $(WEB)/package-lock.json
	@folder=$(WEB); $(INSTALL_PACKAGES)

$(PAGE_READY): $(PAGE)/package.json $(PAGE)/package-lock.json
	@folder=$(PAGE); $(INSTALL_PACKAGES)

# A registry that lacks a package for some other machine fails npm ci; npm install keeps to the same lock file.
INSTALL_PACKAGES = if ! command -v npm >/dev/null 2>&1; then \
		echo "npm not found: tests that need node packages will skip"; \
	elif (cd $$folder && { npm ci $(NPM_OPTIONS) 2>/dev/null || npm install --no-save $(NPM_OPTIONS); }); then \
		touch $@; \
	else \
		echo "npm could not install in $$folder: tests that need node packages will skip"; \
	fi

# The studio's page after a change of its source in web/; the result is committed.
page: $(PAGE_READY)
	cd $(PAGE) && npm run build

web-packages: $(WEB_READY) $(PAGE_READY)

# Browser tests run in Debian's chromium; where it can be installed without asking it is, elsewhere they skip.
browser:
	@if command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "installing chromium for the browser tests"; \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null 2>&1 \
			</dev/null || echo "chromium could not be installed: browser tests will skip"; \
	else \
		echo "no chromium: browser tests will skip"; \
	fi

demo: $(READY)
	$(BIN)/python examples/demo.py

# Kernels are compiled once, on all cores, before workers start that would each compile the same.
# Two workers: linear algebra with threads of its own would fight over the same cores.
test: $(READY) $(WEB_READY) $(PAGE_READY) browser
	@test -n '$(PYTEST_ARGS)' || $(BIN)/understudy warm-up || echo "some kernels could not be compiled beforehand"
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 --dist loadfile -m 'not long' $(PYTEST_ARGS)

# Long proofs of what make test proves in small.
test-long: $(READY)
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 --dist load -m long $(PYTEST_ARGS)

warm-up: $(READY)
	$(BIN)/understudy warm-up

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

studio: $(READY)
	$(BIN)/understudy studio

bench: $(READY)
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

clean:
	rm -rf $(VENV) $(WEB)/node_modules out site build dist .pytest_cache .mypy_cache .ruff_cache \
		.hypothesis .import_linter_cache
	find src tests benchmarks examples tools -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
