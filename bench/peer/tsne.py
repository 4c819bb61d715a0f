# SPDX-License-Identifier: MIT
"""Maps points with scikit-learn's Barnes-Hut t-SNE.

    tsne.py POINTS.npy MAP.npy [--perplexity X] [--iterations N] [--threads N]
                                                  prints JSON: seconds, processor seconds, its own divergence, version
"""
import argparse
import json
import time

import numpy
import sklearn
from sklearn.manifold import TSNE


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("points")
    parser.add_argument("map")
    parser.add_argument("--perplexity", type=float, default=30.0)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    points = numpy.load(arguments.points)
    version = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
    iterations = {"max_iter" if version >= (1, 5) else "n_iter": arguments.iterations}
    tsne = TSNE(perplexity=arguments.perplexity, init="pca", learning_rate="auto", method="barnes_hut",
                n_jobs=arguments.threads, random_state=0, **iterations)
    start, used = time.perf_counter(), time.process_time()
    result = tsne.fit_transform(points)
    seconds, used = time.perf_counter() - start, time.process_time() - used
    numpy.save(arguments.map, result.astype(numpy.float32))
    print(json.dumps({"seconds": seconds, "processor_seconds": used, "told_divergence": float(tsne.kl_divergence_),
                      "iterations": int(tsne.n_iter_) + 1, "version": sklearn.__version__}))


if __name__ == "__main__":
    main()
