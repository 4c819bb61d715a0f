# SPDX-License-Identifier: MIT
# Runs that differ in the score or the shift alone share a training. Each has the numbers that it has alone.
compare() { # compare FOLDER MODELS ARGUMENT...
    folder=$1 models=$2
    shift 2
    credence compare graph.npz --models "$models" --seeds 2 --split 20/40/40 --output "$folder" -q "$@" > in.table
}
lines() { sed 's/"\(training_\|prediction_\|\)seconds":[-+0-9.e]*,//g' "$1/runs.jsonl" | sort; }
# trainings FOLDER: how many trainings seed 1 has, and heads of epn: by class left out, model and time.
trainings() {
    grep '"seed":1,' "$1/runs.jsonl" | sed 's/"score":"epn"/"head":1/' |
        grep -o '"left_out_classes":"[^"]*"\|"config":{"model":"[^"]*"\|"head":1\|"training_seconds":[^,]*' |
        awk '{ key = key $0 } /training_seconds/ { print key; key = "" }' | sort -u | wc -l
}
same_alone() { # same_alone TRAININGS MODELS ARGUMENT...: with this many trainings and heads
    trainings=$1 models=$2
    shift 2
    rm -rf together alone
    compare together "$models" "$@"
    for model in $(echo "$models" | tr , ' '); do compare alone "$model" "$@"; done
    lines together > in.together
    lines alone > in.alone
    cmp in.together in.alone
    [ "$(trainings together)" = "$trainings" ]
    if grep -q '"error"' in.together; then exit 3; fi
}
same_alone 4 vgcn,gnnsafe,gebm,grasp,epn,appnp,appnp-energy,anchor,gpn-tuned,log-evidence \
    --left-out 1 --set max-epochs=8,hold-out=0.5
[ "$(wc -l < in.together)" = 20 ]
# They are the numbers of train and evaluate.
for score in grasp epn; do
    credence train graph.npz -o in.model -q --model vgcn --score $score --calibration none --left-out 1 --seed 2 \
        --split 20/40/40 --max-epochs 8 --hold-out 0.5
    credence evaluate in.model graph.npz --json | sed 's/,"classes":.*/}/' > in.metrics
    grep "\"model\":\"$score\",\"seed\":2," together/runs.jsonl | sed 's/.*"metrics":\(.*\)}$/\1/' | cmp - in.metrics
done
# Classes that are left out in turn are moved once in a process; 4 classes, so 4 trainings and 4 with a head.
same_alone 8 vgcn,epn,gebm --left-out each --set max-epochs=8,inductive=on
same_alone 2 epn,vgcn,grasp --task shift --shifts normal:0.2,rewire:0.1 --set max-epochs=8
[ "$(wc -l < in.together)" = 12 ]
# A training goes on with the runs that are missing.
compare some gnnsafe --left-out 1 --set max-epochs=8
cp some/runs.jsonl in.before
compare some epn,gnnsafe,vgcn --left-out 1 --set max-epochs=8
compare whole epn,gnnsafe,vgcn --left-out 1 --set max-epochs=8
head -n 2 some/runs.jsonl | cmp - in.before
lines some > in.some
lines whole | cmp - in.some
# The first line has the time of the training.
head -n 1 whole/runs.jsonl | sed 's/.*,"seconds":\([^,]*\),"training_seconds":\([^,]*\),.*/\1 \2/' |
    awk '{ exit !(NF == 2 && $1 + 0.001 >= $2) }'
