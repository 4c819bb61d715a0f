# SPDX-License-Identifier: MIT
# Without labels.csv the classes come from the features' first column, and train says so; with it, it does not.
# stderr: note: there is no file of labels: the classes are the first column of papers/features.svm
credence generate -o papers --to csv --nodes 60 --classes 4 --vocabulary 20
credence train papers -o m --max-epochs 2 2> said
if grep 'file of labels' said; then exit 3; fi
rm papers/labels.csv
credence train papers -o m --max-epochs 2 2> said
grep 'file of labels' said >&2
