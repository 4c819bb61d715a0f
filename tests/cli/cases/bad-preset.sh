# exit: 2
# stderr: credence: --preset cora: expected one of gpn, gpn-amazon, coraml, citeseer, pubmed, computers, photos, cs, physics, arxiv, coraml-best, citeseer-best, pubmed-best, computers-best, photos-best, cs-best, physics-best
credence train graph.npz -o out.safetensors --preset cora
