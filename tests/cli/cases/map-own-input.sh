# SPDX-License-Identifier: MIT
# A map never replaces one of its inputs, even one that an option names.
credence convert graph.npz in.csv --to csv
cp in.csv/labels.csv in.labels
if credence map model.safetensors in.csv/edges.csv --node-features in.csv/features.svm --labels in.csv/labels.csv \
    -q -o in.csv/labels.csv 2> err; then exit 3; fi
grep -q '^credence: in.csv/labels.csv: ' err
cmp in.csv/labels.csv in.labels
