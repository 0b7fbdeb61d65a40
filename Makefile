# Every target does its own set-up: CPython >= 3.11 with headers and venv, a C compiler and make are enough.

PYTHON ?= python3
TEXT   ?= README.md
PYTEST ?=
MUTANTS ?= --save mutants/results
PROOFS ?=
JOBS   ?= 2
ALSO   ?=

PACKAGES := subwordio linmaxmatch incbpe
SOURCES := setup.py pyproject.toml $(wildcard subwordio/*.* subwordio/corpus/*.* linmaxmatch/*.* incbpe/*.* linmaxmatch/data/* incbpe/data/*)
export BENCHMARK_RESULTS ?= $(CURDIR)/benchmarks/results
PIP     := bin/python -m pip install --quiet --disable-pip-version-check
# What runs is copied away from the sources, so that the installed packages are what is imported.
OUTSIDE := tests proofs mutants benchmarks scripts docs README.md CONTRIBUTING.md CHANGELOG.md pyproject.toml
outside = rm -rf $(1)/$@ && mkdir -p $(1)/$@ && cp -r $(OUTSIDE) $(1)/$@ && cd $(1)/$@

VERIFY  := build/verify
RELEASE := build/release
PACKAGE := build/package
TRACE   := build/trace
SYSTEMS := build/systems

.PHONY: demo test proofs mutants coverage docs test-docs test-systems deep lint package asan bench bench-full check clean

demo: $(RELEASE)/installed
	@text=$(abspath $(TEXT)); $(call outside,$(RELEASE)) && ../venv/bin/python scripts/demo.py $$text

test: $(VERIFY)/installed
	$(call outside,$(VERIFY)) && ../venv/bin/python -m pytest tests $(PYTEST)

proofs: $(VERIFY)/installed
	$(call outside,$(VERIFY)) && ../venv/bin/python -m proofs --jobs $(JOBS) $(PROOFS)

# Mutants of the notation layer, one build for all of them in build/mutants, tried on the statements of proofs/.
# MUTANTS="--module incbpe.theta --every" and the like says which; `python -m mutants --help`.
mutants: $(VERIFY)/installed
	$(VERIFY)/venv/bin/python -m mutants $(MUTANTS)

# The lines of the notation layer that the statements run by themselves. Built in place in a copy without binaries, from
# which what is gone from the folders of statements goes too.
coverage: $(TRACE)/venv/ready
	$(TRACE)/venv/$(PIP) coverage hypothesis && mkdir -p $(TRACE)/tree && cd $(TRACE)/tree && rm -rf proofs mutants scripts
	tar -c --exclude="*.so" --exclude="*.c" $(PACKAGES) proofs mutants scripts setup.py pyproject.toml README.md | tar -x -C $(TRACE)/tree
	cd $(TRACE)/tree && BUILD_PROFILE=trace BUILD_FOLDER=build ../venv/bin/python setup.py -q build_ext -i && \
		../venv/bin/python scripts/notation_coverage.py

deep: $(VERIFY)/installed
	$(call outside,$(VERIFY)) && HYPOTHESIS_PROFILE=deep ../venv/bin/python -m pytest tests $(PYTEST) && \
		../venv/bin/python -m proofs --exhaustive 3 --deep --jobs $(JOBS) $(PROOFS)

docs: $(RELEASE)/documenting
	$(call outside,$(RELEASE)) && ../venv/bin/python -m sphinx -W --keep-going -q -b html docs $(CURDIR)/build/site
	@echo build/site/index.html

# In Debian's Chromium, which must be installed.
test-docs: $(VERIFY)/browsing
	$(call outside,$(VERIFY)) && ../venv/bin/python -m pytest docs/tests $(PYTEST)

# On Ray, Spark (with Debian's openjdk-17-jre-headless, or another Java of 17 or later), Dask and the rest, in local mode.
# What is not installed is skipped; TEST_SYSTEMS=all, or some modules' names, says what must be there.
# PYTEST="-k 'not Ray and not Spark'" leaves out the two that take most of the time.
test-systems: $(SYSTEMS)/installed
	$(call outside,$(SYSTEMS)) && ../venv/bin/python -W ignore -m pytest docs/systems $(PYTEST)

lint: $(VERIFY)/linting
	$(VERIFY)/venv/bin/ruff check .
	$(VERIFY)/venv/bin/cython-lint --no-pycodestyle --max-line-length 120 linmaxmatch incbpe subwordio
	$(VERIFY)/venv/bin/python scripts/notation_table.py --check
	$(call outside,$(VERIFY)) && ../venv/bin/mypy -p linmaxmatch -p incbpe -p subwordio && ../venv/bin/mypy -p proofs -p benchmarks -p mutants && \
		../venv/bin/python -m mypy.stubtest linmaxmatch incbpe subwordio --ignore-missing-stub --allowlist tests/stubtest.txt \
			--mypy-config-file pyproject.toml

package: $(PACKAGE)/venv/ready
	rm -rf $(PACKAGE)/dist && $(PACKAGE)/venv/$(PIP) build
	$(PACKAGE)/venv/bin/python -m build --outdir $(PACKAGE)/dist . > $(PACKAGE)/log 2>&1 || { cat $(PACKAGE)/log; exit 1; }
	$(PYTHON) scripts/check_package.py $(PACKAGE)/dist
	$(PYTHON) -m venv --clear $(PACKAGE)/empty && $(PACKAGE)/empty/$(PIP) "$$(echo $(PACKAGE)/dist/*.whl)[test]"
	$(call outside,$(PACKAGE)) && EVERY_LINE=1 HYPOTHESIS_PROFILE=brief ../empty/bin/python -m pytest tests -q $(PYTEST) && ../empty/bin/python -m proofs --quick

# Not the tests of how much memory is in use: AddressSanitizer keeps what is freed.
asan:
	CFLAGS="-fsanitize=address -fno-omit-frame-pointer" LDFLAGS=-fsanitize=address $(MAKE) VERIFY=build/asan build/asan/installed
	$(call outside,build/asan) && LD_PRELOAD=$$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
		../venv/bin/python -m pytest tests -q -k "not memory" $(PYTEST)

WORDS := ../venv/bin/python -m benchmarks.words && ../venv/bin/python -m benchmarks.linear --peers && \
	../venv/bin/python -m benchmarks.threads
PAGE := ../venv/bin/python -m benchmarks.page

# About ten minutes: each part has its own, and says which cells it left.
bench: $(RELEASE)/benching
	$(call outside,$(RELEASE)) && ../venv/bin/python -m benchmarks.wordpiece --slice 1MB --fresh --minutes 2 && $(WORDS) && \
		../venv/bin/python -m benchmarks.bpe --slice 1MB --fresh --minutes 4 && \
		../venv/bin/python -m benchmarks.bpe_linear --peers a deep chains && $(PAGE)

bench-full: $(RELEASE)/benching
	$(call outside,$(RELEASE)) && ../venv/bin/python -m benchmarks.wordpiece && $(WORDS) && \
		../venv/bin/python -m benchmarks.bpe && ../venv/bin/python -m benchmarks.bpe_linear --peers && \
		../venv/bin/python -m benchmarks.bpe_rust --target $(CURDIR)/build/rust && ../venv/bin/python -m benchmarks.stream && \
		../venv/bin/python -m benchmarks.load && ../venv/bin/python -m benchmarks.corpus --long 5GB && $(PAGE)

# Packaging builds and runs in a folder and an environment of its own, so that it goes on beside the rest; not beside
# what installs the verify profile, since setuptools writes its egg-info beside the sources in both: that is done before.
# ALSO="test-docs try-systems" does these too.
check: $(VERIFY)/linting $(if $(filter test-docs,$(ALSO)),$(VERIFY)/browsing)
	$(MAKE) --jobs=2 --output-sync=target check-verify check-release

.PHONY: check-verify check-release try-systems
check-verify:
	$(MAKE) --jobs=1 test proofs $(filter-out test-docs,$(ALSO))

check-release:
	$(MAKE) --jobs=1 package lint $(filter test-docs,$(ALSO))

# Where their packages cannot be had, that is said, and no fault.
try-systems:
	@if $(MAKE) $(SYSTEMS)/installed; then $(MAKE) test-systems; \
		else echo "The data systems cannot be installed here, so their recipes are not tested."; fi

clean:
	rm -rf build dist *.egg-info

# A profile is built in a folder and an environment of its own, anew when a source is newer.
%/venv/ready:
	$(PYTHON) -m venv --clear $*/venv && $*/venv/$(PIP) "cython>=3.2,<3.4" "setuptools>=77" && touch $@

$(VERIFY)/installed: $(VERIFY)/venv/ready $(SOURCES)
	BUILD_PROFILE=verify BUILD_FOLDER=$(VERIFY) $(VERIFY)/venv/$(PIP) --no-build-isolation ".[test]" && touch $@

$(RELEASE)/installed: $(RELEASE)/venv/ready $(SOURCES)
	BUILD_PROFILE=release BUILD_FOLDER=$(RELEASE) $(RELEASE)/venv/$(PIP) --no-build-isolation . && touch $@

$(VERIFY)/linting: $(VERIFY)/installed
	BUILD_PROFILE=verify BUILD_FOLDER=$(VERIFY) $(VERIFY)/venv/$(PIP) --no-build-isolation ".[lint]" && touch $@

$(RELEASE)/benching: $(RELEASE)/installed
	BUILD_PROFILE=release BUILD_FOLDER=$(RELEASE) $(RELEASE)/venv/$(PIP) --no-build-isolation ".[bench]" && touch $@

$(VERIFY)/browsing: $(VERIFY)/installed
	BUILD_PROFILE=verify BUILD_FOLDER=$(VERIFY) $(VERIFY)/venv/$(PIP) --no-build-isolation ".[browser]" && touch $@

# The binaries of the verify profile, in an environment of its own: packed in the one where they were built, since Cython
# translates everything anew where its own files are newer.
$(SYSTEMS)/installed: $(VERIFY)/installed
	rm -rf $(SYSTEMS)/wheel && $(PYTHON) -m venv --clear $(SYSTEMS)/venv
	BUILD_PROFILE=verify BUILD_FOLDER=$(VERIFY) $(VERIFY)/venv/bin/python -m pip wheel --quiet --no-deps --no-build-isolation \
		--wheel-dir $(SYSTEMS)/wheel .
	$(SYSTEMS)/venv/$(PIP) "$$(echo $(SYSTEMS)/wheel/*.whl)[systems]" && touch $@

$(RELEASE)/documenting: $(RELEASE)/installed
	BUILD_PROFILE=release BUILD_FOLDER=$(RELEASE) $(RELEASE)/venv/$(PIP) --no-build-isolation ".[docs]" && touch $@
