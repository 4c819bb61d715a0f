# SPDX-License-Identifier: MIT
"""wheel_user.py FOLDER: trains, predicts and saves with an installed package, where there is nothing but NumPy."""
import importlib.util
import pathlib
import pickle
import sys

import numpy as np

import credence
from credence.estimators import CredenceClassifier

folder = pathlib.Path(sys.argv[1])
assert pathlib.Path(credence.__file__).is_relative_to(sys.prefix), credence.__file__
for name in ("scipy", "sklearn", "pandas", "networkx", "tqdm"):
    assert importlib.util.find_spec(name) is None, f"{name} is installed: nothing is shown"

# Three groups of nodes that have edges inside, most of them, and features of their own.
random = np.random.default_rng(1)
group = np.repeat([0, 1, 2], 100)
features = random.normal(size=(300, 8)) + 2 * np.eye(8)[group]
ends = random.integers(0, 300, size=(4000, 2))
edges = ends[(group[ends[:, 0]] == group[ends[:, 1]]) | (random.random(4000) < 0.1)]
known = np.where(np.arange(300) % 3 == 0, group, -1)

data = credence.Dataset.from_arrays(edges, features, known)
model = credence.train(data, seed=1, max_epochs=100)
answers = model.predict(data)
accuracy = (answers.classes == group)[known < 0].mean()
assert accuracy > 0.9, accuracy
assert answers.doubt.shape == (300,) and answers.flag_unknown(0.2).dtype == bool
model.save(folder / "model.safetensors")
model.report(data, folder / "report.html")
again = credence.load(folder / "model.safetensors").predict(data)
assert np.array_equal(again.probability, answers.probability)

one = CredenceClassifier(max_epochs=50, random_state=1).fit(features, known, graph=edges)
assert one.score(features, group) > 0.9
assert np.array_equal(pickle.loads(pickle.dumps(one)).predict(), one.predict())

loaded = {line.split()[-1] for line in open("/proc/self/maps", encoding="utf-8") if ".so" in line}
assert not [one for one in loaded if "jansson" in one], "the library loads another jansson"
print(f"{accuracy:.1%} right with {credence.__version__}")
