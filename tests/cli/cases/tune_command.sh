# SPDX-License-Identifier: MIT
# The folder records the commands that filled it, each once, as a shell takes them; also a search that finds nothing
# to do.
tune() { credence tune 'in.my graph.npz' --config gpn.json -o "$1" --trials-dir in.t --left-out 1 --split 20/20/60 --eta 0 --seeds 1 -q --set max-epochs=3 \
    --space "$2" --jobs 1 > in.table; }
cp graph.npz 'in.my graph.npz'
tune best.json 'latent=4,8'
tune again.json 'latent=4,8'
tune other.json 'latent=4,8;activation=relu'
cat in.t/command.txt
