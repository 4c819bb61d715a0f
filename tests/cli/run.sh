#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PATH_TO_credence [CASE...]: runs the command tests; run.sh PATH_TO_credence --shard 2/4 runs the second quarter.
#
# A case is a small shell script cases/NAME.sh, or one of several in a file cases/FILE.cases, where it begins with a
# line "### NAME". It runs in a fresh folder that holds the fixtures below. Its comments tell what to expect:
#     # exit: 2               the exit code of the script, or a pattern for it; 0 if there is no such line
#     # stderr: PATTERN       the lines of standard error, in order, as shell patterns; none: it is empty
#     # stderr: ...           (three dots) standard error is not looked at
# and cases/NAME.out beside it, if it exists, is exactly its output. A case that must fail also has to print nothing
# but one line "credence: ..." and to leave no file behind but those named in.*. A case that cannot be tried here says
# why on standard output and exits with 77. If the command is for another processor, EMULATOR has the words to run it
# with.
set -u

if [ $# -lt 1 ]; then
    echo "usage: run.sh PATH_TO_credence [CASE...]" >&2
    exit 2
fi
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2> /dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

export LC_ALL=C ROOT="$here/../.." TERM=dumb
unset NO_COLOR TMPDIR
mkdir "$work/bin" "$work/fixtures" "$work/cases"
# The command, and beside it the one for download tests.
for program in credence credence_one_graph; do
    target=$command
    if [ $program != credence ]; then target=$(dirname "$command")/$program; fi
    if [ -z "${EMULATOR:-}" ]; then
        ln -s "$target" "$work/bin/$program"
    else
        printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$EMULATOR" "$target" > "$work/bin/$program"
        chmod +x "$work/bin/$program"
        export QEMU_ARGV0=credence # the command shows the name it was called by
    fi
done
PATH=$work/bin:$PATH

# The fixtures: the bad files of make_bad, a graph with one look-alike class, two models of it (one that
# never saw that class, one that saw all), a gpn like the first one, and a graph with other features.
fixtures() {
    "${CC:-cc}" -O1 -o "$work/make_bad" "$here/make_bad.c" -lz &&
        "${CC:-cc}" -O1 -o "$work/bin/pack" "$here/../support/pack.c" -lz &&
        "${CC:-cc}" -O1 -o "$work/bin/http_server" "$here/../support/http_server.c" &&
        cd "$work/fixtures" && "$work/make_bad" &&
        credence generate -o graph.npz --nodes 150 --classes 4 --vocabulary 40 --lookalikes 1 --words 12 &&
        credence generate -o other.npz --nodes 60 --classes 4 --vocabulary 30 --lookalikes 1 &&
        credence train graph.npz -o model.safetensors -q --left-out 1 --split 20/20/60 --max-epochs 20 &&
        credence train graph.npz -o full.safetensors -q --split 20/20/60 --max-epochs 20 &&
        credence train graph.npz -o gpn.safetensors -q --model gpn --left-out 1 --split 20/20/60 --max-epochs 20 &&
        echo '{"model": "gpn"}' > gpn.json
}
if ! (fixtures); then
    echo "the fixtures could not be made"
    echo "0 passed, 1 failed"
    exit 1
fi

failure() { # failure WHAT: names the case before its first complaint
    if [ "$ok" = yes ]; then echo "FAILED $name"; fi
    ok=no
    echo "    $1"
}

expect_stderr() {
    sed -n 's/^# stderr: //p' "$case" > "$work/patterns"
    if [ "$(cat "$work/patterns")" = ... ]; then return; fi
    if [ "$(wc -l < "$work/patterns")" != "$(wc -l < "$work/stderr")" ]; then
        failure "standard error has not the expected number of lines:"
        diff "$work/patterns" "$work/stderr" | sed 's/^/    /'
        return
    fi
    exec 3< "$work/stderr"
    while IFS= read -r pattern; do
        IFS= read -r line <&3
        # shellcheck disable=SC2254 # a pattern is what it is
        case $line in
            $pattern) ;;
            *)
                failure "standard error:"
                printf '    - %s\n    + %s\n' "$pattern" "$line"
                ;;
        esac
    done < "$work/patterns"
    exec 3<&-
}

expect_clean_failure() {
    if [ "$(wc -l < "$work/stderr")" != 1 ] || ! grep -q '^credence: ' "$work/stderr"; then
        failure "expected one line 'credence: ...' on standard error, found:"
        sed 's/^/    + /' "$work/stderr"
    fi
    if [ -s "$work/stdout" ]; then failure "printed something on standard output"; fi
    (cd "$work/here" && find . | sort) > "$work/after"
    left=$(comm -13 "$work/before" "$work/after" | grep -v '^\./in\.')
    if [ -n "$left" ]; then failure "left behind: $left"; fi
}

run_case() {
    case=$1
    ok=yes
    rm -rf "$work/here"
    cp -R "$work/fixtures" "$work/here"
    (cd "$work/here" && find . | sort) > "$work/before"
    (cd "$work/here" && exec sh -eu "$case") > "$work/stdout" 2> "$work/stderr" < /dev/null
    code=$?
    if [ $code = 77 ]; then
        echo "$name skipped: $(cat "$work/stdout")"
        skipped=$((skipped + 1))
        return
    fi
    expected=$(sed -n 's/^# exit: //p' "$case")
    expected=${expected:-0}
    # shellcheck disable=SC2254 # a pattern is what it is
    case $code in
        $expected) matches=yes ;;
        *) matches=no ;;
    esac
    if [ $matches = no ]; then
        failure "exit code $code, expected $expected; the end of what it printed:"
        tail -n 20 "$work/stdout" "$work/stderr" | sed 's/^/    /'
    else
        expect_stderr
        if [ "$expected" != 0 ]; then expect_clean_failure; fi
        if [ -e "$here/cases/$name.out" ] && ! diff "$here/cases/$name.out" "$work/stdout" > "$work/diff"; then
            failure "standard output:"
            sed 's/^/    /' "$work/diff"
        fi
    fi
    if [ "$ok" = yes ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# All cases as separate files, including those of cases/FILE.cases.
cp "$here"/cases/*.sh "$work/cases"
for file in "$here"/cases/*.cases; do
    awk -v folder="$work/cases" '/^### / { close(script); script = folder "/" $2 ".sh"; next } { print > script }' "$file"
done
twice=$( (cd "$here/cases" && ls ./*.sh | sed 's|^\./||; s|\.sh$||' && sed -n 's/^### //p' ./*.cases) | sort | uniq -d)
[ -z "$twice" ] || { echo "two cases have the same name: $twice"; exit 1; }

chosen() { # chosen [CASE|FILE]...: the names of the cases to run
    if [ $# = 0 ]; then
        (cd "$work/cases" && ls) | sed 's/\.sh$//' | awk "NR % $shards == $shard % $shards"
    fi
    for name; do
        name=$(basename "$name")
        if [ -e "$here/cases/${name%.cases}.cases" ]; then
            sed -n 's/^### //p' "$here/cases/${name%.cases}.cases"
        else
            echo "${name%.sh}"
        fi
    done
}

shard=1 shards=1
if [ "${1:-}" = --shard ]; then
    shard=${2%/*} shards=${2#*/}
    shift 2
fi
passed=0 failed=0 skipped=0
for name in $(chosen "$@"); do run_case "$work/cases/$name.sh"; done
if [ $skipped != 0 ]; then skips=", $skipped skipped"; else skips=; fi
echo "$passed passed, $failed failed$skips"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
