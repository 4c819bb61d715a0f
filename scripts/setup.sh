#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh PURPOSE: installs the missing packages that a purpose needs:
#   build    building                    web      testing the page of reports in a browser
#   test     testing                     format   checking the formatting
#   aarch64  testing for AArch64         bench    measuring
#   package  building Debian packages    package-test  testing them
#   python   testing the Python package, and making its pages
# If nothing is missing, it is silent and instant. It works on Debian and its relatives; on other systems it says what to
# install.
set -u

level=${1:-build}
case $level in
    build | test) ;;
    aarch64 | bench | format | web | package | python) sh "$0" build || exit 1 ;;
    package-test) sh "$0" package || exit 1 ;;
    *) echo "usage: setup.sh build|test|aarch64|web|format|bench|package|package-test|python" >&2; exit 2 ;;
esac

has() { command -v "$1" > /dev/null 2>&1; }

missing=
need() { missing="$missing $*"; }

if ! has cc || ! echo '#include <stdio.h>' | cc -E - > /dev/null 2>&1; then need gcc libc6-dev; fi
has make || need make
has cmake || need cmake
if ! has pkg-config; then
    need pkg-config libjansson-dev zlib1g-dev libcurl4-openssl-dev
    if [ "$level" = test ]; then need libcmocka-dev libzip-dev; fi
else
    pkg-config --exists jansson || need libjansson-dev
    pkg-config --exists zlib || need zlib1g-dev
    pkg-config --exists libcurl || need libcurl4-openssl-dev
    if [ "$level" = test ]; then
        pkg-config --exists cmocka || need libcmocka-dev
        pkg-config --exists libzip || need libzip-dev # the tests compare our zip archives with its
    fi
fi
if [ "$level" = test ]; then
    has c++ || need g++ # for the example in C++
    has valgrind || need valgrind
    has python3 || need python3
fi
if [ "$level" = format ]; then has clang-format || has clang-format-14 || need clang-format; fi
if [ "$level" = aarch64 ]; then
    has aarch64-linux-gnu-gcc || need gcc-aarch64-linux-gnu
    has qemu-aarch64 || need qemu-user
fi
# dpkg-buildpackage asks for packages by name: programs from elsewhere do not count.
if [ "$level" = package ]; then
    for package in build-essential debhelper dh-python cmake pkg-config libjansson-dev zlib1g-dev libcurl4-openssl-dev; do
        dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q ' installed$' || need "$package"
    done
fi
if [ "$level" = package-test ]; then
    has lintian || need lintian
    has mmdebstrap || need mmdebstrap
    has autopkgtest || need autopkgtest
fi
if [ "$level" = web ]; then
    has node || need nodejs
    has npm || need npm
    has chromium || has chromium-browser || has google-chrome || [ -n "${CHROMIUM:-}" ] || need chromium
fi

# The programs that the benchmarks compare with. The user's own Python counts, and so does the system's.
has_module() {
    for python in python3 /usr/bin/python3; do
        "$python" -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('$1') is None)" 2> /dev/null &&
            return 0
    done
    return 1
}
if [ "$level" = python ]; then # the system's Python has all of them
    for module in numpy scipy sklearn pandas networkx igraph matplotlib joblib tqdm pytest hypothesis mypy ipykernel \
        nbconvert nbsphinx numpydoc sphinx; do
        /usr/bin/python3 -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('$module') is None)" \
            2> /dev/null || need "python3-$module"
    done
    /usr/bin/python3 -c "import ensurepip" 2> /dev/null || need python3-venv
    has pandoc || need pandoc
fi
if [ "$level" = bench ]; then
    has python3 || need python3
    for module in numpy scipy pandas torch sklearn; do has_module "$module" || need "python3-$module"; done
    # Without OpenBLAS the system's PyTorch multiplies with the reference BLAS, more than ten times slower.
    if ! PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2> /dev/null | grep -q openblas; then need libopenblas0; fi
fi
# The benchmarks also run without these and skip the comparisons that need them.
give_up() {
    if [ "$level" != bench ]; then exit 1; fi
    echo "setup: without$missing the benchmarks leave out, or weaken, what they compare with" >&2
    exit 0
}

# Installs the packages that web/package-lock.json names, once.
finish() {
    [ "$level" = web ] || exit 0
    cd "$(dirname "$0")/../web" || exit 1
    [ -e node_modules/.package-lock.json ] && [ -z "$(find package-lock.json -newer node_modules/.package-lock.json)" ] &&
        exit 0
    echo "setup: npm ci in web/" >&2
    npm ci --no-audit --no-fund --loglevel=error > /dev/null
    exit $?
}

[ -z "$missing" ] && finish

# Some compilers exclude each other; none is removed to install another.
options="--no-install-recommends --no-remove"
install="apt-get install -y $options$missing"
if ! has apt-get; then
    echo "setup: missing, by their Debian names:$missing" >&2
    echo "setup: install your system's packages of the same purpose, then try again" >&2
    give_up
fi

# Root installs directly. Others use sudo, which may ask for a password only if a person is at the terminal.
as_root=none
if [ "$(id -u)" = 0 ]; then as_root=
elif has sudo && sudo -n true 2> /dev/null; then as_root="sudo -n"
elif has sudo && [ -t 0 ] && [ -t 2 ]; then as_root=sudo
fi
if [ "$as_root" = none ]; then
    echo "setup: these packages are missing and need root to install; run:" >&2
    echo "    sudo apt-get update && sudo $install" >&2
    give_up
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=120 \
        -o Dpkg::Use-Pty=0 "$@" > "$log" 2>&1 < /dev/null
}

echo "setup: installing$missing" >&2
# The package lists may be empty or old. They are fetched only if installing fails without.
# shellcheck disable=SC2086 # the options and packages are words of their own
apt install $options $missing || { apt update && apt install $options $missing; } || {
    cat "$log" >&2
    echo "setup: that failed; what was tried is:" >&2
    echo "    apt-get update && $install" >&2
    give_up
}
finish
