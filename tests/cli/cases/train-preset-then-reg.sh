# Who asks for a regulariser on top of a preset without one gets it, with its default weight.
credence train graph.npz -o m.safetensors -q --preset gpn --reg evidence --max-epochs 1 --json > a
grep -q '"reg": "evidence", "reg-weight": 0.0001' a
credence train graph.npz -o m.safetensors -q --preset gpn --reg evidence --reg-weight 0 --max-epochs 1 --json > a
grep -q '"reg": "evidence", "reg-weight": 0,' a
echo '{"reg_weight": 0, "reg": "distance", "preset": "gpn"}' > c.json
credence train graph.npz -o m.safetensors -q --config c.json --max-epochs 1 --json > a
grep -q '"reg": "distance", "reg-weight": 0,' a
