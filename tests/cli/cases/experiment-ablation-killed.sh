# Killed while it tunes, killed while it runs, and started again: no finished trial and no finished run is
# repeated, and all ends as it does without.
# stderr: ...
set -- experiment ablation --data graph.npz,other.npz --seeds 4 --left-out 1 --split 20/20/60 \
    --set max-epochs=60,patience=60 --tune-space 'reg-weight=0,1e-2;entropy-weight=0,1e-4;activation=relu,gelu' \
    --jobs 2 -q
. "$ROOT/tests/cli/children.sh"
credence "$@" --out whole > whole.txt
all=$(wc -l < whole/tuning/graph/trials.jsonl)

start_and_kill() { # start_and_kill FILE LINES: once the file has so many
    (exec credence "$@" --out cut > cut.txt) &
    parent=$!
    for i in $(seq 6000); do
        if [ -e "$file" ] && [ "$(wc -l < "$file")" -ge "$lines" ]; then break; fi
        sleep 0.01
    done
    running=$(children $parent)
    kill -9 $parent || true
    wait $parent || true
    all_end $running
}
file=cut/tuning/graph/trials.jsonl lines=5
start_and_kill "$@"
tuned=$(wc -l < $file)
[ "$tuned" -ge 5 ]
[ "$tuned" -lt "$all" ]
[ ! -s cut/runs.jsonl ]
cp $file trials
file=cut/runs.jsonl lines=4
start_and_kill "$@"
ran=$(wc -l < $file)
[ "$ran" -ge 4 ]
[ "$ran" -lt 32 ]
head -n "$tuned" cut/tuning/graph/trials.jsonl | cmp - trials
cp cut/runs.jsonl runs
cp -R cut/tuning tuning
credence "$@" --out cut > cut.txt
head -n "$ran" cut/runs.jsonl | cmp - runs
diff -r cut/tuning tuning
[ "$(wc -l < cut/runs.jsonl)" = 32 ]
cmp whole.txt cut.txt
for ending in txt md tex csv json; do cmp whole/table.$ending cut/table.$ending; done
for graph in graph other; do
    for run in whole cut; do
        sed 's/"seconds": [-+0-9.e]*, //; s/"seconds":[-+0-9.e]*//' $run/tuning/$graph/trials.jsonl | sort > $run.trials
    done
    cmp whole.trials cut.trials
    for row in gpn-ce gpn-ce-act gpn-ce-act-gd; do
        for ending in json md csv; do cmp whole/tuning/$graph/$row.$ending cut/tuning/$graph/$row.$ending; done
    done
done
