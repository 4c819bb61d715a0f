#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh ROOT: the Debian packages, built twice, in different folders and surroundings, are the same; lintian has
# nothing to say about them; in a clean Debian 12 they can be installed, and their own tests pass. It needs root and
# takes some minutes: `make test-package` runs it, `make test` does not.
set -eu
cd "$1"
fail() { echo "package: $1"; exit 1; }
[ "$(id -u)" = 0 ] || fail "only root can make a clean Debian and install packages there"
for tool in dpkg-buildpackage dh lintian mmdebstrap autopkgtest; do
    command -v $tool > /dev/null || fail "$tool is missing; sh scripts/setup.sh package-test installs it"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# ---- two builds ----

before=$(find . -path './build*' -prune -o -path ./.git -prune -o -type f -print | sort)
sh scripts/package.sh
after=$(find . -path './build*' -prune -o -path ./.git -prune -o -type f -print | sort)
[ "$before" = "$after" ] || fail "building the packages changed the tree"
# A copy without git, elsewhere, with another language, time zone, mask and number of cores.
mkdir -p "$work/another/folder/for it"
tar -c --exclude=./.git --exclude='./build*' --exclude=./web/node_modules . | tar -x -C "$work/another/folder/for it"
(umask 077 && cd "$work/another/folder/for it" &&
    JOBS=1 TZ=Pacific/Auckland LC_ALL=C HOME=/nonexistent sh scripts/package.sh "$work/second")
for package in build-package/*.deb; do
    name=$(basename "$package")
    cmp "$package" "$work/second/$name" || fail "two builds give different $name"
done
[ "$(ls "$work/second" | grep -c '\.deb$')" = "$(ls build-package | grep -c '\.deb$')" ] || fail "two builds give other packages"
(cd build-package && sha256sum ./*.deb)
echo "both builds gave the same packages"

# ---- lintian ----

lintian --allow-root --fail-on error,warning --tag-display-limit 0 build-package/*.changes build-package/*.deb > "$work/lintian" 2>&1 || {
    cat "$work/lintian"
    fail "lintian found something"
}
cat "$work/lintian"
echo "lintian found no error and no warning"

# ---- a clean Debian 12 ----

mmdebstrap --quiet --variant=minbase --skip=cleanup/apt/lists bookworm "$work/root" ||
    fail "the clean Debian could not be made"
mkdir "$work/tree"
cp -R debian "$work/tree/debian"
autopkgtest --no-built-binaries --output-dir "$work/results" build-package/*.deb "$work/tree" -- chroot "$work/root" \
    > "$work/log" 2>&1 || {
    tail -n 60 "$work/log"
    fail "the packages' own tests failed in the clean Debian"
}
grep -E '^[a-z-]+ +PASS' "$work/results/summary" || fail "no test ran"
tests=$(sed -n 's/^Tests: //p' debian/tests/control | wc -w)
[ "$(grep -cE ' PASS' "$work/results/summary")" = "$tests" ] || { cat "$work/results/summary"; fail "expected $tests tests"; }
echo "the packages' own $tests tests passed in a clean Debian 12"
