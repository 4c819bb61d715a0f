credence info model.safetensors > a
grep -Eqx 'classes left out +1' a
grep -Eqx 'classes: A, B, C, D \(left out\)' a
credence info model.safetensors --json | grep -q '"left_out":1'
