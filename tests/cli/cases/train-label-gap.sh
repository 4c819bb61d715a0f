# SPDX-License-Identifier: MIT
# Classes that no node has are left out, and a note says so; the others keep the names that the file gives.
credence train label_gap.npz -o out.safetensors --max-epochs 2 --split 40/20/40 2> err
grep -q '^note: class 1 has no labelled node and is left out' err
credence info out.safetensors | grep -q 'classes.*2'
credence predict out.safetensors label_gap.npz -q -o out.csv
cut -d, -f2 out.csv | sort -u | grep -v '^1$' > seen
test -s seen
# In the list that convert writes, numbers are names: a label that is not in it is never taken for a place in it.
credence convert label_gap.npz listed --to csv 2> err
sed '2s/,.*/,1/' listed/labels.csv > in.labels
cp in.labels listed/labels.csv
if credence info listed > out.txt 2> err; then exit 1; fi
grep -q "label '1' is not in the list of classes" err
