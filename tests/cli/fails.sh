# SPDX-License-Identifier: MIT
# For cases with many failures (`. "$ROOT/tests/cli/fails.sh"`).
# fails CODE PATTERN ARGUMENTS...: credence ARGUMENTS ends with CODE and one line like PATTERN on standard error.
fails() {
    expected=$1
    pattern=$2
    shift 2
    code=0
    credence "$@" > in.out 2> in.err || code=$?
    # shellcheck disable=SC2254 # a pattern is what it is
    case $(cat in.err) in
        $pattern) ;;
        *) echo "$*"; cat in.err; exit 3 ;;
    esac
    if [ $code != "$expected" ]; then echo "$*: $code"; exit 4; fi
    [ "$(wc -l < in.err)" = 1 ]
}
