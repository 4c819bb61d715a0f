# SPDX-License-Identifier: MIT
# The report finds a model's public graph by itself.
data=${CREDENCE_DATA:-$ROOT/../shared/datasets}
if [ ! -e "$data/cora_ml.npz" ]; then
    echo "cora_ml.npz was not found"
    exit 77
fi
export CREDENCE_DATA="$data"
credence train coraml --model lp -o m.safetensors -q
credence report m.safetensors --iterations 20 -q -o a.html
grep -q '<title>lp on CoraML</title>' a.html
