# SPDX-License-Identifier: MIT
# A file that the command replaces keeps its permissions, and a link stays a link; a dangling link is followed, too.
# stderr: ...
tune() { credence tune graph.npz --config gpn.json -o best.json --trials-dir in.t --split 20/20/60 --eta 0 --seeds 1 -q --set max-epochs=1 \
    --space latent=4; }
: > best.json
chmod 600 best.json
tune
[ "$(ls -l best.json | cut -c 1-10)" = -rw------- ]
[ -s best.json ]
mv best.json in.elsewhere
cp in.elsewhere in.expected
ln -s in.elsewhere best.json
: > in.elsewhere
tune
[ -L best.json ] && cmp in.elsewhere in.expected
rm in.elsewhere
tune
[ -L best.json ] && cmp in.elsewhere in.expected
[ -z "$(ls -A | grep '^\.')" ]
