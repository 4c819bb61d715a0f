# SPDX-License-Identifier: MIT
"""A program that uses the interface as its types promise. mypy reads it with --strict; a test runs it, too."""
import pathlib
import sys
from typing import Optional

import numpy as np
import numpy.typing as npt

import credence
from credence.estimators import CredenceClassifier, GPNClassifier


def doubtful(answers: credence.Prediction, most: int) -> npt.NDArray[np.int64]:
    doubt: Optional[npt.NDArray[np.float64]] = answers.doubt
    assert doubt is not None
    return np.argsort(-doubt)[:most]


def through_objects(path: str, folder: pathlib.Path) -> float:
    data: credence.Dataset = credence.open(path)
    heard: list[int] = []
    model = credence.train(data, data.split("20/20/60", seed=1), n_jobs=1, max_epochs=10,
                           progress=lambda epoch: heard.append(epoch.epoch))
    assert heard and len(model.history) > 0 and model.history[0]["loss"] > 0.0
    answers = model.predict(data)
    names: Optional[list[str]] = data.class_names
    assert names is None or len(names) == answers.n_classes
    probability: npt.NDArray[np.float32] = answers.probability
    flagged: npt.NDArray[np.bool_] = answers.flag_unknown(0.2)
    assert probability.shape[0] == len(flagged) == len(data)
    model.set_metadata("kept by", "a test")
    model.save(folder / "model.safetensors")
    serving: credence.Serving = credence.load(folder / "model.safetensors").serve(data)
    first: int = serving.add(np.ones((1, data.n_features), dtype=np.float32), [(len(data), 0)])
    assert serving.predict([first]).nodes.tolist() == [first]
    assert len(doubtful(answers, 5)) == 5
    return float(model.evaluate(data)["accuracy"])


def through_estimators(features: npt.NDArray[np.float64], labels: npt.NDArray[np.int64]) -> float:
    one: CredenceClassifier = CredenceClassifier(max_epochs=10, lr=0.02, random_state=1).fit(features, labels)
    paper = GPNClassifier(hidden=16, class_scale=True)
    assert paper.get_params()["hidden"] == 16 and one.predict_set(coverage=0.8).dtype == bool
    return one.score(features, labels)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    group = np.repeat([0, 1], 60)
    table: npt.NDArray[np.float64] = random.normal(size=(120, 4)) + 3.0 * group[:, None]
    assert through_objects(sys.argv[1], pathlib.Path(sys.argv[2])) > 0.3
    assert through_estimators(table, group) > 0.9
