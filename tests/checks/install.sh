#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh ROOT BUILD: installs into a folder whose name has a space, uses the libraries from there, then uninstalls.
# example_programs.sh has the other examples.
set -eu
export LC_ALL=C
root=$1
build=$2
fail() { echo "install: $1"; exit 1; }
. "$root/tests/checks/installed.sh"

for file in bin/credence include/credence.h lib/libcredence.a lib/libcredence.so \
    lib/pkgconfig/credence.pc lib/cmake/Credence/CredenceConfig.cmake share/man/man1/credence.1 \
    share/bash-completion/completions/credence share/zsh/site-functions/_credence \
    share/fish/vendor_completions.d/credence.fish share/man/man3/libcredence.3 \
    share/doc/credence/README.md share/doc/credence/CHANGELOG.md share/doc/credence/SECURITY.md \
    share/doc/credence/LICENSE share/doc/credence/credence.spdx.json share/doc/credence/docs/figures; do
    [ -e "$prefix/$file" ] || fail "$file is missing"
done
if grep -rIl -e "$root" -e "$stage" "$prefix" > "$work/log"; then
    fail "these name a folder of the machine that built them: $(cat "$work/log")"
fi
for page in "$root"/man/*.1; do
    [ -e "$prefix/share/man/man1/$(basename "$page")" ] || fail "the manual page $page is missing"
done
for page in "$root"/docs/*.*; do
    cmp "$page" "$prefix/share/doc/credence/docs/$(basename "$page")" || fail "the documentation lacks $page"
done

number() { sed -n "s/^#define CRD_VERSION_$1 //p" "$root/include/credence.h"; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
[ -e "$prefix/lib/libcredence.so.$version" ] || fail "libcredence.so.$version is missing"
"$prefix/bin/credence" --version | grep -qF "$version" || fail "credence --version does not say $version"

# The list of parts: SPDX 2.3 that names this version, and the versions of the libraries that pkg-config finds.
parts() { # parts EXPRESSION: of the list
    python3 -c 'import json, sys
document = json.load(open(sys.argv[1]))
version = {package["name"]: package["versionInfo"] for package in document["packages"]}
print(eval(sys.argv[2]))' "$prefix/share/doc/credence/credence.spdx.json" "$1" || fail "credence.spdx.json cannot be read"
}
[ "$(parts 'document["spdxVersion"]')" = SPDX-2.3 ] || fail "credence.spdx.json is not SPDX 2.3"
[ "$(parts 'version["libcredence"], version["credence"]')" = "('$version', '$version')" ] ||
    fail "credence.spdx.json has another version than $version: $(parts version)"
for name in jansson zlib; do
    [ "$(parts "version['$name']")" = "$(pkg-config --modversion $name)" ] ||
        fail "credence.spdx.json has another version of $name: $(parts version)"
done
licences=$(parts '" ".join(sorted({package["licenseDeclared"] for package in document["packages"]} - {"curl"}))')
[ "$licences" = "MIT Zlib" ] || fail "credence.spdx.json names the licences $licences"
known='{"SPDXRef-" + name for name in [*version, "DOCUMENT"]}'
named='{relation[end] for relation in document["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}'
[ "$(parts "$known ^ $named")" = "set()" ] || fail "credence.spdx.json: not all parts are related"
# Its date is not the time of the build.
day=$(sed -n "s/^## \[$version\] - //p" "$root/CHANGELOG.md")
created=$(parts 'document["creationInfo"]["created"]')
[ -n "${SOURCE_DATE_EPOCH:-}" ] || [ "$created" = "${day}T00:00:00Z" ] || fail "credence.spdx.json was created $created"

example=$root/examples/doubt.c
[ "$(pkg-config --modversion credence)" = "$version" ] || fail "pkg-config gives another version"
# pkg-config quotes its answers for a shell.
flags=$(pkg-config --cflags --libs credence)
eval "cc -std=c11 -Wall -Wextra -pedantic -Werror \"\$example\" $flags -o \"\$work/shared\""
case $flags in
    *-lz* | *-ljansson*) fail "a program that links the shared library is told to link what that one needs: $flags" ;;
esac
LD_LIBRARY_PATH=$prefix/lib "$work/shared" > "$work/shared.out" || fail "the example with the shared library"
[ "$(wc -l < "$work/shared.out")" = 5 ] || fail "the example shows: $(cat "$work/shared.out")"

# The example's doubt is the command's epistemic score.
"$prefix/bin/credence" generate --nodes 300 -o "$work/graph.npz"
"$prefix/bin/credence" train "$work/graph.npz" -q --max-epochs 50 -o "$work/model"
"$prefix/bin/credence" predict "$work/model" "$work/graph.npz" --full -q -o "$work/answers.csv"
awk -F, 'FNR == NR { if (FNR == 1) for (i = 1; i <= NF; i++) { if ($i == "epistemic") column = i }
        else doubt[$1] = $column
        next }
    { node = $1; gsub(/[^0-9]/, "", node); shown = $0; sub(/.* doubt /, "", shown)
      difference = shown - doubt[node]
      if (!(node in doubt) || difference * difference > 1e-4 * doubt[node] * doubt[node]) {
          print "node " node " has a doubt of " doubt[node] "; the example says: " $0
          exit 1
      } }' "$work/answers.csv" FS=: "$work/shared.out" || fail "the example's doubt"

# Our library is an archive; those it needs are whatever is installed.
needs=$(pkg-config --static --libs credence | sed 's/-lcredence//')
static_flags=$(pkg-config --static --cflags credence)
case "$static_flags" in
    *-DCRD_STATIC*) ;;
    *) fail "pkg-config --static --cflags lacks -DCRD_STATIC: $static_flags" ;;
esac
eval "cc -std=c11 $static_flags \"\$example\" \"\$prefix/lib/libcredence.a\" $needs -o \"\$work/static\""
"$work/static" > "$work/static.out" || fail "the example with the static library"
cmp "$work/shared.out" "$work/static.out" || fail "the static and the shared library answer differently"

# A plugin that has the library inside shows its own functions only, whether or not its flags say CRD_STATIC.
cat > "$work/plugin.c" << end
#include <credence.h>
const char *plugin_version(void);
const char *plugin_version(void)
{
    crd_config *config;
    if (crd_config_new(&config, NULL) == CRD_OK) crd_config_free(&config);
    return crd_version();
}
end
for flags_of_plugin in "$static_flags" "$(pkg-config --cflags credence)"; do
    eval "cc -std=c11 -shared -fPIC $flags_of_plugin \"\$work/plugin.c\" \"\$prefix/lib/libcredence.a\" $needs \
        -Wl,-z,defs -o \"\$work/plugin.so\""
    shown=$(nm -D --defined-only "$work/plugin.so" | awk '{ print $3 }')
    [ "$shown" = plugin_version ] || fail "a plugin with the static library inside exports: $shown"
done

mkdir "$work/static host"
cat > "$work/static host/CMakeLists.txt" << end
cmake_minimum_required(VERSION 3.20)
project(host LANGUAGES C)
find_package(Credence REQUIRED)
add_executable(doubt "$example")
target_link_libraries(doubt PRIVATE Credence::static)
end
if ! { cmake -S "$work/static host" -B "$work/static host" -DCMAKE_PREFIX_PATH="$prefix" &&
    cmake --build "$work/static host"; } > "$work/log" 2>&1; then
    cat "$work/log"
    fail "the example does not build with Credence::static"
fi
"$work/static host/doubt" | cmp - "$work/shared.out" || fail "the example with Credence::static answers differently"

DESTDIR=$stage sh "$root/scripts/uninstall.sh" "$build" /opt/credence > "$work/log"
left=$(cd "$stage" && find . ! -type d)
[ -z "$left" ] || fail "uninstalling leaves: $left"
[ ! -e "$prefix/share/doc/credence" ] || fail "uninstalling leaves the folder share/doc/credence"
