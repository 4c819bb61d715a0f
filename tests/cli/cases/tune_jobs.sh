# SPDX-License-Identifier: MIT
# The number of parallel trials changes only the order of their lines.
# stderr: ...
for jobs in 1 2 5; do
    credence tune graph.npz --config gpn.json -o $jobs.json --criterion left-out-class --split 20/20/60 --seeds 2 --jobs $jobs \
        --held-out-classes 2 --min-epochs 4 --finalists 2 --set max-epochs=20 --json \
        --space 'reg-weight=0,1e-4,1e-2;activation=relu,gelu' > in.$jobs.object
    sed 's/"seconds": *[-+0-9.e]*//' $jobs.json.trials/trials.jsonl | sort > in.$jobs.lines
done
for jobs in 2 5; do
    cmp 1.json $jobs.json
    cmp in.1.object in.$jobs.object
    cmp in.1.lines in.$jobs.lines
    for file in tried.json tried.csv; do cmp 1.json.trials/$file $jobs.json.trials/$file; done
done
