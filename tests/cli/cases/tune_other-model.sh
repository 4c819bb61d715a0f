# SPDX-License-Identifier: MIT
# The values of a space are those of the model that is tuned, whether a file or the space names it.
# stderr: credence: --space: hidden is not an option of the model lp
echo '{"model": "lp"}' > in.lp
tune() { credence tune graph.npz --criterion left-out-class --split 20/20/60 --seeds 1 -q "$@"; }
tune -o lp.json --config in.lp --space 'rounded-alpha=on,off;steps=2,5'
[ "$(grep -c '^[1-4],[a-z]*,1,4,o[nf]*,[25],' lp.json.trials/tried.csv)" = 4 ]
grep -q '"model": "lp"' lp.json
tune -o both.json --space 'model=lp,gkde;rounded-alpha=on'
[ "$(cut -d , -f 5,6 both.json.trials/tried.csv | sort | tr '\n' ' ')" = 'gkde,on lp,on model,rounded-alpha ' ]
if tune -o none.json --config in.lp --space 'steps=2,5;hidden=4'; then exit 3; fi
[ ! -e none.json.trials ]
