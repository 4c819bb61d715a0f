#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind_command.sh CREDENCE: runs every step of the command on a tiny graph under Valgrind.
set -eu
export LC_ALL=C
credence=$1
valgrind=$(cd "$(dirname "$0")" && pwd)/valgrind.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
checked() {
    code=0
    sh "$valgrind" "$credence" "$@" > out 2> err || code=$?
    if [ $code = 77 ]; then
        cat out
        exit 77
    elif [ $code != 0 ]; then
        echo "credence $*: exit code $code"
        tail -n 60 err
        exit 1
    fi
}
checked generate --nodes 60 --classes 3 --vocabulary 40 --lookalikes 0 -o graph.npz
checked info graph.npz --json
for kind in "committee" "gpn --warmup 1"; do
    # shellcheck disable=SC2086 # an option may follow the name
    checked train graph.npz -o model.safetensors --split 30/30/40 --max-epochs 2 --threads 1 --model $kind
    checked predict model.safetensors graph.npz -o answers.csv --full --threads 1
    checked evaluate model.safetensors graph.npz --json
    checked explain model.safetensors graph.npz --node 0 --json
    checked map model.safetensors graph.npz --iterations 3 --threads 1 -o map.csv
    checked report model.safetensors graph.npz --iterations 3 --threads 1 -o report.html
done
checked compare graph.npz --models gpn,lp --left-out 1 --split 30/30/40 --set max-epochs=2,warmup=1 --seeds 2 --jobs 1 -o runs
checked tune graph.npz --space 'hidden=8,16' --split 30/30/40 --set max-epochs=2 --seeds 1 --jobs 1 -o best.json
