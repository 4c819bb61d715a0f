# SPDX-License-Identifier: MIT
# If /proc is not mounted, the trained model is still saved.
hide='mount -t tmpfs none /proc && [ ! -e /proc/self ]'
if unshare -m sh -c "$hide" 2> in.why; then private='unshare -m'
elif unshare -rm sh -c "$hide" 2> in.why; then private='unshare -rm'
else
    echo "nothing can be mounted here"
    exit 77
fi
if grep -q __asan_init "$(command -v credence)"; then
    echo "AddressSanitizer itself needs /proc"
    exit 77
fi
$private sh -eu -c "$hide"'
    credence train graph.npz -o new.safetensors -q --max-epochs 1
    credence train graph.npz -o new.safetensors -q --max-epochs 1
    credence predict new.safetensors graph.npz -q -o in.csv
    [ "$(ls -A | grep -c new.safetensors)" = 1 ]
    mkdir in.tmp
    TMPDIR=in.tmp credence train graph.npz -o /dev/full -q --max-epochs 1 2> in.err && exit 1
    cat in.tmp/credence-rescued-*/model.safetensors > in.rescued
'
cmp in.rescued new.safetensors
