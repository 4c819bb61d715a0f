#!/bin/sh
# SPDX-License-Identifier: MIT
# package_facts.sh ROOT BUILD: what debian/ says about the version, the soname and the symbols is so. The packages
# themselves are tested by package.sh, which takes longer.
set -u
export LC_ALL=C
root=$1
build=$2
cd "$root" || exit 1
failures=0
complain() {
    echo "package_facts: $1"
    failures=$((failures + 1))
}

number() { sed -n "s/^#define CRD_VERSION_$1 //p" include/credence.h; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
found=$(sed -n '1s/^credence (\([^)]*\)).*/\1/p' debian/changelog)
[ "$found" = "$version" ] || complain "debian/changelog begins with version $found, include/credence.h has $version"
found=$(sed -n 's/^## \[\([0-9.]*\)\] - [0-9]*-[0-9]*-[0-9]*$/\1/p' CHANGELOG.md | head -n 1)
[ "$found" = "$version" ] || complain "CHANGELOG.md begins with version $found, include/credence.h has $version"
# The packages are dated with the version.
day=$(sed -n "s/^## \[$version\] - //p" CHANGELOG.md)
stamp=$(sed -n '/^ -- /{s/.*>  //p;q}' debian/changelog)
[ "$(date -u -d "$stamp" +%Y-%m-%d)" = "$day" ] || complain "debian/changelog is of $stamp, CHANGELOG.md of $day"

# The name of the library's package is made from the soname.
soname=$(objdump -p "$build/libcredence.so" | awk '$1 == "SONAME" { print $2 }')
package=libcredence${soname#libcredence.so.}
grep -qx "Package: $package" debian/control || complain "debian/control has no $package, but the soname is $soname"
for ending in install symbols; do
    [ -e "debian/$package.$ending" ] || complain "debian/$package.$ending is missing"
done
others=$(sed -n 's/^Package: \(libcredence[0-9].*\)/\1/p' debian/control | grep -vx "$package")
[ -z "$others" ] || complain "debian/control also has $others"

# The Python package finds the library by this name.
sed -n '/^Package: python3-credence$/,/^$/p' debian/control | grep -q "^Depends: $package (>= " ||
    complain "debian/control: python3-credence does not depend on $package"

# The list of symbols is that of the library. No symbol came with a version that is still to come.
head -n 1 "debian/$package.symbols" | grep -qx "$soname $package #MINVER#" || complain "the head of $package.symbols"
exported=$(nm -D --defined-only "$build/libcredence.so" | awk '$2 != "A" { sub(/@@/, "@", $3); print $3 }' | sort)
listed=$(sed -n 's/^ \(crd_[^ ]*\) .*/\1/p' "debian/$package.symbols" | sort)
[ -n "$exported" ] || complain "libcredence.so exports nothing"
difference=$(printf '%s\n' "$exported" "$listed" | sort | uniq -u)
[ -z "$difference" ] || complain "either exported or in debian/$package.symbols, but not both (make docs writes it):
$difference"
newest=$({ awk '/^ / { print $2 }' "debian/$package.symbols"; echo "$version"; } | sort -V | tail -n 1)
[ "$newest" = "$version" ] || complain "debian/$package.symbols has a symbol of version $newest"

# The licence is the whole of LICENSE.
text=$(awk '/^License: / { text = ""; next } { sub(/^ (\.$)?/, ""); text = text $0 "\n" } END { printf "%s", text }' debian/copyright)
[ "$text" = "$(sed 1,4d LICENSE)" ] ||
    complain "debian/copyright has another licence than LICENSE"
grep -qF "Copyright: $(sed -n 's/^Copyright (c) //p' LICENSE)" debian/copyright || complain "debian/copyright has another owner"
exit $((failures > 0))
