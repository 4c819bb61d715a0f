#!/bin/sh
# SPDX-License-Identifier: MIT
# quota.sh PATH_TO_credence: makes a control group with half a core and counts the threads of `credence train` in it.
# This needs root and a hierarchy of control groups that can be written.
set -u
export LC_ALL=C
credence=$1
unset OMP_NUM_THREADS
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "only root can make a control group"
[ "$(nproc)" -gt 1 ] || skip "there is only one core, so there is only one thread anyway"

work=$(mktemp -d)
group=
process=
clean_up() {
    [ -z "$process" ] || { kill -9 "$process"; wait "$process"; } 2> /dev/null
    # A group can be removed some moments after its last process has gone.
    if [ -n "$group" ]; then
        for try in 1 2 3 4 5 6 7 8 9 10; do
            rmdir "$group" 2> /dev/null && break
            sleep 0.2
        done
    fi
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# Makes a group of half a core below the group of this process, in the first hierarchy that lets us.
make_group() {
    while read -r _ _ _ top folder rest; do
        case "$rest" in
            *" - cgroup2 "*)
                own=$(sed -n 's/^0:://p' /proc/self/cgroup)
                half() { echo "50000 100000" > "$group/cpu.max"; } ;;
            *" - cgroup "*" "*cpu,* | *" - cgroup "*,cpu)
                own=$(sed -n -e 's/^[0-9]*:cpu:\(.*\)/\1/p' -e 's/^[0-9]*:cpu,[^:]*:\(.*\)/\1/p' /proc/self/cgroup)
                half() { echo 100000 > "$group/cpu.cfs_period_us" && echo 50000 > "$group/cpu.cfs_quota_us"; } ;;
            *) continue ;;
        esac
        [ "$top" = / ] || own=${own#"$top"}
        group=$folder/${own#/}/credence-quota-$$
        if mkdir "$group" 2> /dev/null; then
            if half 2> /dev/null; then return 0; fi
            rmdir "$group"
        fi
        group=
    done < /proc/self/mountinfo
    return 1
}
make_group || skip "no control group with a CPU quota can be made here"

"$credence" generate --nodes 4000 -o "$work/graph.npz" || exit 1
# The most threads that a training in the group $1 (empty: in no new one) has; further words are options.
most_threads() {
    in=$1
    shift
    (
        [ -z "$in" ] || echo 0 > "$in/cgroup.procs" || exit 1
        exec "$credence" train "$work/graph.npz" -q --model gpn --max-epochs 100000 --patience 100000 "$@" \
            -o "$work/model"
    ) &
    process=$!
    most=0
    for look in $(seq 60); do
        count=$(find "/proc/$process/task" -mindepth 1 -maxdepth 1 2> /dev/null | wc -l)
        [ "$count" -le "$most" ] || most=$count
        sleep 0.05
    done
    kill -9 "$process" || most="no training"
    wait "$process" 2> /dev/null
    process=
    echo "$most"
}

failures=0
expect() {
    [ "$2" = "$3" ] || { echo "$1: $2 threads, expected $3"; failures=$((failures + 1)); }
}
expect "half a core" "$(most_threads "$group")" 1
expect "half a core, --threads 3" "$(most_threads "$group" --threads 3)" 3
free=$(most_threads "")
[ "$free" -gt 1 ] || echo "note: outside of the new group there is one thread too, so the first number shows little"
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
expect "OMP_NUM_THREADS=1" "$(most_threads "")" 1
exit $((failures > 0))
