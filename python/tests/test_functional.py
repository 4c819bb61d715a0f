# SPDX-License-Identifier: MIT
"""metrics, plots, tune and compare: the numbers of the command; what a notebook shows."""
import csv
import json
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

import credence
from credence import _progress, metrics

from conftest import COMMAND


@pytest.fixture(scope="module")
def unseen(data):
    """A model that two classes were kept from."""
    return credence.train(data, "20/20/60", left_out=2, max_epochs=30, seed=1)


def run(*words):
    return subprocess.run([COMMAND, *map(str, words)], check=True, stdout=subprocess.PIPE).stdout


def test_generate_makes_the_graph_of_the_command(data):
    assert credence.generate(nodes=400, seed=3).fingerprint == data.fingerprint
    with pytest.raises(TypeError, match="no option 'node'"):
        credence.generate(node=3)


def test_metrics_are_those_of_evaluate(data, unseen):
    answers, truth, tests = unseen.predict(data), unseen.truth(data), unseen.split.roles == 3
    ood = unseen.evaluate(data, task="ood")["ood"]
    for kind in ("aleatoric", "epistemic"):
        found = metrics.detection((truth == -2)[tests], answers.uncertainty(kind)[tests])
        assert found == pytest.approx(ood[kind], rel=1e-12)
    known, said = tests & (truth >= 0), unseen.evaluate(data)
    wrong = (answers.classes != truth)[known]
    assert metrics.failure(wrong, answers.uncertainty("aleatoric")[known]) == \
        pytest.approx(said["misclassification"]["aleatoric"], rel=1e-12)
    confidence = answers.probability.max(axis=1)[known]
    assert metrics.ece(wrong, confidence) == pytest.approx(said["ece"], rel=1e-12)
    assert 1.0 - wrong.mean() == pytest.approx(said["accuracy"])


def test_the_areas_under_curves_are_the_metrics():
    random = np.random.default_rng(4)
    positive, score = random.random(500) < 0.3, random.integers(0, 40, 500).astype(float)
    for kind, expected in (("roc", metrics.auroc(positive, score)), ("pr", metrics.aupr(positive, score))):
        x, y = metrics.curve(kind, positive, score)
        assert np.trapz(y, x) == pytest.approx(expected)
    assert metrics.curve("risk", positive, score)[1].mean() == pytest.approx(metrics.aurc(positive, score))
    assert len(metrics.curve("roc", positive, score, most=7)[0]) <= 7


@pytest.mark.parametrize("call", [
    lambda: metrics.auroc([1, 2], [1, 2]), lambda: metrics.auroc([True, False], [1.0]),
    lambda: metrics.auroc([True, False], [1.0, np.nan]), lambda: metrics.auroc([True], ["x"]),
    lambda: metrics.curve("nothing", [True], [1.0]), lambda: metrics.ece([True], [None]),
    lambda: metrics.paired([1.0], [1.0, 2.0]), lambda: metrics.curve("roc", [True, False], [0, 1], most="x")])
def test_metrics_of_nonsense(call):
    with pytest.raises((ValueError, TypeError)):
        call()


def test_precision_and_recall_of_classes(data, unseen, folder, path):
    unseen.save(folder / "unseen.safetensors")
    said = json.loads(run("evaluate", folder / "unseen.safetensors", path, "--json"))["classes"]
    for ours, theirs in zip(unseen.evaluate_classes(data), said):
        assert ours["name"] == theirs["name"] and ours["support"] == theirs["support"]
        assert ours["precision"] == pytest.approx(np.nan if theirs["precision"] is None else theirs["precision"],
                                                  nan_ok=True)


def test_the_frame_of_answers_is_the_table_of_predict(data, unseen, folder, path):
    pandas = pytest.importorskip("pandas")
    unseen.save(folder / "unseen.safetensors")
    run("predict", folder / "unseen.safetensors", path, "--false-alarms", "0.2", "-q", "-o", folder / "answers.csv")
    said, answers = pandas.read_csv(folder / "answers.csv", index_col="node"), unseen.predict(data)
    answers.flag_unknown(0.2)
    ours = answers.to_frame()
    assert ours.columns.tolist() == said.columns.tolist()
    assert ours["class"].tolist() == said["class"].tolist()
    assert ours["unknown"].tolist() == said["unknown"].astype(bool).tolist()
    assert np.allclose(ours.drop(columns=["class", "unknown"]), said.drop(columns=["class", "unknown"]), rtol=1e-6)


def test_compare_gives_what_the_command_gives(data, folder, path):
    said = json.loads(run("compare", path, "--left-out", 2, "--split", "20/20/60", "--models", "default,vgcn", "--seeds",
                          6, "--set", "max-epochs=15", "-q", "-o", folder / "runs", "--json"))
    found = credence.compare(data, {"default": {}, "vgcn": {"model": "vgcn", "calibration": "none"}}, "20/20/60",
                             seeds=6, left_out=2, max_epochs=15)
    for row in said["blocks"][0]["rows"]:
        cells = {name: (cell["mean"] / 100, cell["sd"] / 100) for name, cell in row["cells"].items() if cell["runs"]}
        table = found.table(*cells)[row["model"]]
        assert {name: list(pair) for name, pair in table.items()} == \
            {name: pytest.approx(pair, rel=1e-9) for name, pair in cells.items()}
    ours, theirs = found.differences()[0], said["differences"][0]
    for name, unit in (("difference", 100), ("low", 100), ("high", 100), ("wilcoxon_p", 1), ("sign_p", 1), ("wins", 1)):
        assert unit * ours[name] == pytest.approx(theirs[name], rel=1e-9)
    assert "default" in repr(found)


@pytest.mark.parametrize("criterion", ["val-ce", "own-errors"])
def test_tune_chooses_what_the_command_chooses(data, folder, path, criterion):
    where = folder / f"tune-{criterion}"
    run("tune", path, "--split", "20/20/60", "--space", "hidden=8,32;dropout=0.2,0.8", "--eta", 0, "--seeds", 2,
        "--criterion", criterion, "--set", "max-epochs=10", "-q", "-o", f"{where}.json", "--trials-dir", where)
    with open(where / "tried.csv", newline="") as file:
        said = list(csv.DictReader(file))
    found = credence.tune(data, {"hidden": [8, 32], "dropout": [0.2, 0.8]}, "20/20/60", criterion=criterion, seeds=2,
                          max_epochs=10)
    score = "cross_entropy" if criterion == "val-ce" else "auroc"
    for ours, theirs in zip(found.tried, said):
        assert ours["options"] == {"hidden": int(theirs["hidden"]), "dropout": float(theirs["dropout"])}
        assert ours["score"] == pytest.approx(float(theirs[score] or "nan"), rel=1e-9, nan_ok=True)
    credence.train(data, "20/20/60", **{**found.best, "max_epochs": 2})


def test_tune_draws_and_refuses(data):
    found = credence.tune(data, {"hidden": [4, 8, 16, 32]}, "20/20/60", trials=2, seeds=1, max_epochs=2)
    assert len(found.tried) == 2
    for space, error in (({}, TypeError), ({"hidden": 3}, ValueError), ({"hidden": [0]}, ValueError),
                         ({"nothing": [1]}, ValueError), ([1], TypeError)):
        with pytest.raises(error):
            credence.tune(data, space, "20/20/60", seeds=1)


def test_plots(data, unseen):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    auroc = unseen.evaluate(data, task="ood")["ood"]["epistemic"]["auroc"]
    axes = credence.plot.roc(unseen, data)
    assert f"epistemic: AUROC {auroc:.3f}" in [text.get_text() for text in axes.get_legend().get_texts()]
    x, y = axes.lines[0].get_data()
    assert np.trapz(y, x) == pytest.approx(auroc)
    assert f"{unseen.evaluate(data)['ece']:.4f}" in credence.plot.reliability(unseen, data).get_title()
    aurc = unseen.evaluate(data)["misclassification"]["aleatoric"]["aurc"]
    assert credence.plot.risk_coverage(unseen, data).lines[0].get_ydata().mean() == pytest.approx(aurc, rel=1e-6)
    assert "unknown to the model" in [text.get_text() for text in credence.plot.map(unseen, data).get_legend().get_texts()]
    figure, axes = pyplot.subplots()
    assert credence.plot.map(unseen, data, by="doubt", ax=axes) is axes
    with pytest.raises(ValueError, match="not those of the training"):
        credence.plot.roc(unseen, credence.generate(nodes=100))
    pyplot.close("all")


def test_what_a_notebook_shows(data, unseen, folder):
    shown = unseen._repr_html_()
    xml.etree.ElementTree.fromstring(f"<div>{shown}</div>")  # every element is closed
    assert shown.count("<svg") == 3 and "committee" in shown
    page = unseen.report(data)
    page.save(folder / "page.html")
    assert (folder / "page.html").read_bytes() == page.to_bytes()
    assert page._repr_html_().startswith("<iframe srcdoc=") and "<script" not in page._repr_html_()


def test_progress(data, capsys, monkeypatch):
    seen = []
    credence.train(data, "20/20/60", max_epochs=25, progress=lambda epoch: seen.append(epoch.loss))
    assert len(seen) >= 25 and not capsys.readouterr().err
    credence.train(data, "20/20/60", max_epochs=25, progress=True)
    captured = capsys.readouterr()
    assert "epochs" in captured.err if "tqdm" in sys.modules else "epoch 20" in captured.out
    monkeypatch.setattr(_progress, "_bar", lambda: None)
    credence.train(data, "20/20/60", model="gpn", max_epochs=25, patience=25, progress=True)
    assert "epoch 20: loss" in capsys.readouterr().out


def test_a_progress_function_that_fails_stops_the_training(data):
    def fail(epoch):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        credence.train(data, "20/20/60", max_epochs=100000, patience=100000, progress=fail)
