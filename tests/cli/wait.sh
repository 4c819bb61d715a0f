# SPDX-License-Identifier: MIT
# For cases that stop a running command (`. "$ROOT/tests/cli/wait.sh"`). They wait for events, not for a fixed time: a
# busy machine may take long.

# wait_for PID CONDITION: waits until the shell command CONDITION succeeds; fails if process PID ends first, or after
# ten minutes.
wait_for() {
    for _ in $(seq 12000); do
        if eval "$2"; then return 0; fi
        if ! kill -0 "$1" 2> /dev/null; then
            echo "process $1 ended before: $2"
            return 1
        fi
        sleep 0.05
    done
    echo "after ten minutes still not: $2"
    return 1
}

# Without /proc we cannot see children and signal handlers.
needs_proc() {
    if [ ! -r /proc/self/status ]; then
        echo "there is no /proc"
        exit 77
    fi
}

# catches_interrupt PID: the process has a handler for SIGINT, the second bit in SigCgt.
catches_interrupt() { grep -q '^SigCgt:.*[2367abef]$' "/proc/$1/status"; }

# has_worked PID: it has used a second of processor time, so it is where a small graph's command spends its time.
has_worked() { awk '{ sub(/.*[)] /, ""); exit $12 + $13 < 100 }' "/proc/$1/stat"; }

children() { # children PID: those still alive
    for stat in /proc/[0-9]*/stat; do
        read -r process name state above rest 2> /dev/null < "$stat" || continue
        if [ "$above" = "$1" ] && [ "$state" != Z ]; then echo "$process"; fi
    done
}

# all_end PID...: waits until all have ended; fails after ten minutes.
all_end() {
    for _ in $(seq 12000); do
        alive=
        for process; do
            read -r number name state rest 2> /dev/null < "/proc/$process/stat" || continue
            if [ "$state" != Z ]; then alive=$process; fi
        done
        if [ -z "$alive" ]; then return 0; fi
        sleep 0.05
    done
    return 1
}
