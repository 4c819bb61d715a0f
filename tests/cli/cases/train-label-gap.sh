# Classes that no node has are left out, and a note says so; the others keep the names that the file gives.
credence train label_gap.npz -o out.safetensors --max-epochs 2 --split 40/20/40 2> err
grep -q '^note: class 1 has no labelled node and is left out' err
credence info out.safetensors | grep -q 'classes.*2'
credence predict out.safetensors label_gap.npz -o out.csv
cut -d, -f2 out.csv | sort -u | grep -v '^1$' > seen
test -s seen
