# exit: 2
# stderr: credence: in.json: --preset x: expected one of gpn, gpn-amazon, coraml, citeseer, pubmed, computers, photos, cs, physics, arxiv, coraml-best, citeseer-best, pubmed-best, computers-best, photos-best, cs-best, physics-best, coraml-errors, citeseer-errors, pubmed-errors, computers-errors, photos-errors, cs-errors, physics-errors
echo '{"preset": "x"}' > in.json
credence train graph.npz -o out.safetensors --config in.json
