# For the cases that end a command with children.

children() { # children PID: the living ones
    for stat in /proc/[0-9]*/stat; do
        read -r process name state above rest 2> /dev/null < "$stat" || continue
        if [ "$above" = "$1" ] && [ "$state" != Z ]; then echo "$process"; fi
    done
}

# all_end PID...: waits until none of them lives, five seconds at most.
all_end() {
    for _ in $(seq 100); do
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
