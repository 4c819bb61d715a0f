# SPDX-License-Identifier: MIT
# The first signal ends the children, keeps finished runs and tells how to go on; the second ends everything.
. "$ROOT/tests/cli/wait.sh"
needs_proc
for signals in INT TERM 'INT TERM'; do
    rm -rf out
    credence compare graph.npz --task misclassification --models gpn --seeds 2 --split 20/20/60 --jobs 2 \
        --output out -q --set patience=1000000 > table 2> err &
    parent=$!
    wait_for $parent 'running=$(children $parent); [ "$(echo "$running" | wc -w)" = 2 ]'
    wait_for $parent 'catches_interrupt $parent'
    kill -STOP $parent
    for signal in $signals; do kill -$signal $parent; done
    kill -CONT $parent
    code=0
    wait $parent || code=$?
    case $signals in
        *' '*) [ $code = 130 ] || [ $code = 143 ] ;;
        *)
            [ $code = 1 ]
            grep -qx 'credence: interrupted: 0 runs are finished and kept in out/runs.jsonl; the same command goes on from there' err
            ;;
    esac
    all_end $running
    [ ! -s table ]
done
