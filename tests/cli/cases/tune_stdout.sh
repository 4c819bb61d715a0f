# SPDX-License-Identifier: MIT
# The chosen configuration goes to standard output; and a grid with one more option.
credence tune graph.npz -o - --trials-dir in.trials --split 20/20/60 --seeds 7-7 --eta 0 --set max-epochs=2 --grid quick \
    --space 'activation=relu;hidden=8' -q > in.json
[ "$(grep -c '"seed":7,' in.trials/trials.jsonl)" = 10 ]
head -n 1 in.trials/tried.csv | grep -qx 'rank,state,rung,trials,reg,reg-strength,entropy-weight,activation,hidden,cross_entropy,standard_error,accuracy,why'
credence train graph.npz -o model.safetensors --config in.json --split 20/20/60 -q
