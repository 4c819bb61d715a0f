# SPDX-License-Identifier: MIT
# Short commands for people; CMake does the work (see CMakeLists.txt).
#   make                builds build/credence, build/libcredence.so and build/libcredence.a
#   make help           lists the other commands

PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build
CMAKE ?= cmake
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export DESTDIR
MAKEFLAGS += --no-print-directory

.PHONY: all abi demo docs reproduce reproduce-page test package test-aarch64 test-package test-python python-docs test-web wheel install uninstall asan fuzz bench bench-quick bench-build clean help

all: $(BUILD)/CMakeCache.txt
	@$(CMAKE) --build $(BUILD) --parallel $(JOBS)

# CMake is configured once; after that the build itself notices changes.
$(BUILD)/CMakeCache.txt:
	@command -v $(CMAKE) > /dev/null || { echo "make: cmake is missing: run scripts/setup.sh build" >&2; exit 1; }
	@$(CMAKE) -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX="$(PREFIX)" || { rm -f $@; exit 1; }

demo:
	@sh scripts/setup.sh build
	@$(MAKE) all
	@$(BUILD)/credence demo -o demo

# Writes the option sections of the manual pages and the completions from the tables in cli/, and the library's manual
# page and its list of symbols from the header.
docs: all
	@python3 scripts/docs.py $(BUILD)/credence
	@python3 scripts/library_manual.py
	@python3 scripts/python_abi.py
	@python3 scripts/python_stubs.py $(BUILD)/libcredence.so

# Records the binary interface, which a test compares with the library; see docs/abi.md. BREAK=yes records breaks too.
abi: all
	@python3 tests/abi/layout.py record include/credence.h $(BUILD)/libcredence.so tests/abi/libcredence.abi \
		$(if $(BREAK),--break)

test:
	@sh scripts/setup.sh test
	@JOBS=$(JOBS) CMAKE="$(CMAKE)" sh scripts/test.sh

# The Python package, with the packages that it works together with. `make test` does the same if they are there.
test-python: all
	@sh scripts/setup.sh python
	@sh tests/checks/python.sh . $(BUILD)

# The pages of the Python package, into build-python-docs/html: its reference, and its notebooks with what they print.
python-docs: all
	@sh scripts/setup.sh python
	@sh scripts/python_docs.sh $(BUILD) build-python-docs

# On an AArch64 machine this is `make test`.
test-aarch64:
	@case "$$(uname -m)" in aarch64 | arm64) exec $(MAKE) test ;; esac; \
	sh scripts/setup.sh aarch64 && JOBS=$(JOBS) CMAKE="$(CMAKE)" sh scripts/test.sh aarch64

# Tests the page of reports: its functions in Node.js, and whole pages in Chromium.
test-web:
	@sh scripts/setup.sh web
	@$(MAKE) all
	@sh tests/checks/web.sh . unit && sh tests/checks/web.sh . browser $(BUILD)/credence

# The Debian packages, into build-package/.
package:
	@sh scripts/setup.sh package
	@JOBS=$(JOBS) sh scripts/package.sh

# Builds the packages twice, compares them, looks at them with lintian, and runs their tests in a clean Debian 12.
test-package:
	@sh scripts/setup.sh package-test
	@JOBS=$(JOBS) sh tests/checks/package.sh .

# The wheel of the Python package, into build-wheel/.
wheel: all
	@mkdir -p build-wheel
	@cd python && CREDENCE_BUILD="$(abspath $(BUILD))" python3 -c \
		'import build_backend; print("build-wheel/" + build_backend.build_wheel("../build-wheel"))'

install: all
	@$(CMAKE) --install $(BUILD) --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then PATH="$$PATH:/sbin:/usr/sbin" ldconfig || true; fi

uninstall: all
	@CMAKE="$(CMAKE)" sh scripts/uninstall.sh $(BUILD) "$(PREFIX)"

asan:
	@sh scripts/setup.sh test
	@$(CMAKE) -S . -B build-asan -DCREDENCE_SANITIZE=ON -DCREDENCE_TESTS=ON -DCREDENCE_FUZZ=ON
	@$(CMAKE) --build build-asan --parallel $(JOBS)

fuzz:
	@JOBS=$(JOBS) CMAKE="$(CMAKE)" sh scripts/fuzz.sh $(TARGET)

# The reproduction of the paper's tables and figures; see lab/README.md.
reproduce: all
	@CREDENCE="$(abspath $(BUILD))/credence" python3 lab/reproduce run

reproduce-page:
	@python3 lab/reproduce page

# Measures Credence and other programs in one run; see bench/README.md. BENCH="--only epoch" runs a part of it.
bench: bench-build
	@python3 bench/run.py --build build-bench --output build-bench/bench.json --markdown build-bench/bench.md $(BENCH)

bench-quick: bench-build
	@python3 bench/run.py --build build-bench --quick --output build-bench/bench-quick.json $(BENCH)

bench-build:
	@sh scripts/setup.sh bench
	@$(CMAKE) -S . -B build-bench -DCMAKE_BUILD_TYPE=Release -DCREDENCE_BENCH=ON > /dev/null
	@$(CMAKE) --build build-bench --parallel $(JOBS)

clean:
	rm -rf build build-test build-aarch64 build-asan build-tsan build-fuzz build-bench build-package build-wheel build-python-docs $(BUILD) demo

help:
	@echo 'make              build the command and the library into $(BUILD)/'
	@echo 'make demo         install what is missing, build, and show what Credence does, in demo/'
	@echo 'make docs         write the manual pages and the completions from the tables in cli/ and from credence.h'
	@echo 'make abi          record the binary interface of the library after a change of credence.h'
	@echo 'make test         install what is missing and run every test'
	@echo 'make test-aarch64 install what is missing, cross-compile for 64-bit ARM and run its tests under QEMU'
	@echo 'make test-package install what is missing, build the packages twice and test them in a clean Debian 12 (as root)'
	@echo 'make test-python  install what is missing and test the Python package'
	@echo 'make python-docs  install what is missing and write the pages of the Python package into build-python-docs/'
	@echo 'make test-web     install what is missing and test the page of reports in Node.js and Chromium'
	@echo 'make install      install under PREFIX=$(PREFIX); DESTDIR is honoured'
	@echo 'make package      install what is missing and build the Debian packages into build-package/'
	@echo 'make wheel        build the wheel of the Python package into build-wheel/'
	@echo 'make uninstall    remove what make install put there'
	@echo 'make asan         build with AddressSanitizer and UBSan into build-asan/'
	@echo 'make fuzz         feed damaged files to every reader until stopped; TARGET=fuzz_csv for one'
	@echo 'make bench        measure Credence beside PyTorch, pandas and others; figures in build-bench/bench.json'
	@echo 'make bench-quick  the same in under two minutes, with less of it'
	@echo 'make reproduce    do the runs of the reproduction that are missing (hours), then reproduce-page'
	@echo 'make reproduce-page  write the pages and figures of the reproduction from run lines'
	@echo 'make clean        remove everything that was built'
