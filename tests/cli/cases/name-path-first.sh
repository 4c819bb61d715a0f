# SPDX-License-Identifier: MIT
# An existing path wins over a name; a name is found in the first of its folders that has it.
unset XDG_DATA_HOME
mkdir -p data home/.local/share/credence
cp graph.npz cs
CREDENCE_DATA=data credence info cs > out
real=${CREDENCE_DATA:-$ROOT/../shared/datasets}
[ -e "$real/citeseer.npz" ] || exit 0
rm cs
cp "$real/citeseer.npz" home/.local/share/credence
HOME=home credence info citeseer | grep -Eq '^nodes +4230$'
CREDENCE_DATA=$real credence info citeseer | grep -Eq '^nodes +4230$'
credence info citeseer --data-dir "$real" | grep -Eq '^nodes +4230$'
# by name or by content, it is the graph of the published choice
for data in citeseer "$real/citeseer.npz"; do
    CREDENCE_DATA=$real credence train "$data" -q -o $$.safetensors --preset published --max-epochs 1
    credence info $$.safetensors --json | tr -d ' \n' | grep -q '"activation":"logsigmoid"'
done
