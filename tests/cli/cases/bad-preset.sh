# exit: 2
# stderr: credence: --preset cora: expected one of gpn, gpn-amazon, coraml, citeseer, pubmed, computers, photos, cs, physics, arxiv, coraml-best, citeseer-best, pubmed-best, computers-best, photos-best, cs-best, physics-best, coraml-errors, citeseer-errors, pubmed-errors, computers-errors, photos-errors, cs-errors, physics-errors
credence train graph.npz -o out.safetensors --preset cora
