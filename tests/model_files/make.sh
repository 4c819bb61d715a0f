#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the model files of one format version, and the answers that they must always give:
#     sh tests/model_files/make.sh CREDENCE FORMAT_VERSION
# Run it once with the last command of a format version, and keep what it makes: test_model_formats.c reads it.
set -eu
credence=$1
folder=$(dirname "$0")/$2
graph=$(dirname "$0")/graph
if [ ! -e "$graph" ]; then
    "$credence" generate --nodes 32 --classes 3 --vocabulary 6 --words 4 --lookalikes 1 -o "$graph" --to csv
    seq 0 5 | sed 's/.*/&,word &/; 1i feature,name' > "$graph/feature_names.csv"
fi
mkdir -p "$folder"
make() {
    name=$1
    shift
    "$credence" train "$graph" -q -o "$folder/$name.safetensors" "$@"
    "$credence" predict "$folder/$name.safetensors" "$graph" -q --full -o "$folder/$name.csv"
}
small='--split 40/30/30 --hidden 3 --max-epochs 2 --hold-out 0.5'
own=
if [ "$2" -ge 4 ]; then own='--metadata note=kept --metadata owner=nobody'; fi
make committee $small --left-out 1 $own
make committee-standard $small --features standard --calibration gats
make gpn $small --latent 2 --flow-layers 2 --warmup 1 --model gpn
make appnp $small --model appnp --calibration ets
make vgcn $small --model vgcn --score epn
make gkde-gcn $small --model gkde-gcn
make egcn $small --model egcn --inductive --left-out 1
make lp --split 40/30/30 --model lp
make gkde --split 40/30/30 --model gkde
