credence generate -o toy.npz --kind toy --nodes 30
credence info toy.npz --json > a
grep -q '"features": *3,' a
grep -q '"components": *3,' a
