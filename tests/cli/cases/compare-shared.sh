# Runs that differ in the score or the shift alone share a training. Each has the numbers that it has alone.
compare() { # compare FOLDER MODELS ARGUMENT...
    folder=$1 models=$2
    shift 2
    credence compare graph.npz --models "$models" --seeds 2 --split 20/40/40 --output "$folder" -q "$@" > in.table
}
lines() { sed 's/"\(training_\|prediction_\|\)seconds":[-+0-9.e]*,//g' "$1/runs.jsonl" | sort; }
trainings() { grep '"seed":1,' "$1/runs.jsonl" | grep -o '"training_seconds":[^,]*' | sort -u | wc -l; }
same_alone() { # same_alone TRAININGS MODELS ARGUMENT...: how many trainings a seed has, the one of epn with its head
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
# The seconds of its lines are shares of one process's time: the same for all.
[ "$(grep '"seed":1,' whole/runs.jsonl | grep -o '"seconds":[^,]*' | sort -u | wc -l)" = 1 ]
