# SPDX-License-Identifier: MIT
"""Unit tests of the laboratory: python3 -m unittest discover -s lab/tests. Nothing here needs the command."""
import json
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import beyond
import experiments
import figures
import pages
import paired
import runs
import tables
import tuning


def line(model, seed, auroc, data="coraml", title="CoraML", **more):
    metrics = {"task": "ood", "id_accuracy": 0.9, "ood": {
        "aleatoric": {"auroc": 0.8, "aupr": 0.7}, "epistemic": {"auroc": auroc, "aupr": auroc},
        "epistemic_features": {"auroc": None, "aupr": None}}}
    return {"task": "ood", "data": data, "title": title, "model": model, "seed": seed, "fingerprint": "f",
            "split": "5/15/80", "config": {"left-out": 3, "hidden": 64, "seed": seed}, "metrics": metrics, **more}


class WithResults(unittest.TestCase):
    """Run lines in a folder of their own."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.results = pathlib.Path(place.name)
        patch = mock.patch.object(runs, "RESULTS", self.results)
        patch.start()
        self.addCleanup(patch.stop)

    def keep(self, name, lines, file="runs.jsonl"):
        (self.results / name).mkdir(parents=True, exist_ok=True)
        (self.results / name / file).write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")

    def some(self):
        self.keep("some", [line("gpn", 2, 0.88), line("gpn", 1, 0.84), line("gpn", 3, 0.86), line("lp", 1, 0.80),
                           line("ours", 3, 0.92), line("ours", 1, 0.90), line("ours", 2, 0.91), line("lp", 2, 0.84)])
        return runs.Folder("some")


class Rows(WithResults):
    def test_means_deviations_and_published_values(self):
        gpn = self.some().row("coraml", "gpn")
        self.assertEqual(len(gpn.runs), 3)
        self.assertAlmostEqual(gpn.mean("auroc_epi"), 86.0)
        self.assertAlmostEqual(gpn.deviation("auroc_epi"), 2.0)
        self.assertEqual(gpn.published("auroc_epi"), 86.28)
        self.assertAlmostEqual(gpn.difference("auroc_epi"), -0.28)
        self.assertIsNone(gpn.mean("auroc_epi_wo"))

    def test_of_a_seed_the_last_good_run_counts_and_of_configurations_the_last(self):
        failed = {key: value for key, value in line("gpn", 1, 0.5).items() if key != "metrics"}
        old = line("gpn", 9, 0.1)
        old["config"]["hidden"] = 32
        self.keep("some", [old, line("gpn", 1, 0.2), {**failed, "error": "no"}, line("gpn", 2, 0.4)])
        row = runs.Folder("some").row("coraml", "GPN")
        self.assertEqual([one["seed"] for one in row.runs], [1, 2])
        self.assertAlmostEqual(row.mean("auroc_epi"), 30.0)

    def test_other_splits_and_own_configurations_have_no_published_value(self):
        self.keep("some", [line("gpn", 1, 0.5, split="10/10/80"), line("config", 1, 0.5, model_title="GPN")])
        self.assertTrue(all(row.published("auroc_epi") is None for row in runs.Folder("some").rows))

    def test_the_published_choice_is_the_papers_own(self):
        self.keep("some", [line("paper", 1, 0.5)])
        self.assertEqual(runs.Folder("some").rows[0].published("auroc_epi"), 87.20)

    def test_published_aupr_of_ours_is_of_right_answers(self):
        ours = runs.PUBLISHED["misclassification", "CoraML", "ours"]
        self.assertEqual((ours["aupr_success_alea"], ours.get("aupr_alea")), (89.95, None))
        self.assertEqual(len(runs.PUBLISHED), 100)

    def test_unknown_and_ambiguous_rows_are_said(self):
        folder = self.some()
        self.assertRaises(runs.Missing, folder.row, "coraml", "nobody")
        self.keep("two", [line("config", 1, 0.5, model_title="A"), line("config", 1, 0.5, model_title="B")])
        self.assertRaises(runs.Missing, runs.Folder("two").row, "coraml", "config")


class Tables(WithResults):
    def test_markdown(self):
        text = tables.markdown(self.some().rows).splitlines()
        self.assertEqual(text[0], "| data | model | runs | ID-ACC | AUROC aleatoric | AUROC epistemic | AUROC w/o network "
                                  "| AUPR aleatoric | AUPR epistemic | AUPR w/o network |")
        self.assertIn("| CoraML | GPN | 3 | **90.00 ± 0.00**<br>88.51 (+1.49) |", text[3])
        self.assertIn("82.00 ± 2.83 \\*<br>80.86 (+1.14)", text[2])
        self.assertIn("**91.00 ± 1.00**<br>87.20 (+3.80)", text[4])
        self.assertIn("Fewer runs than the others", text[-1])

    def test_latex_escapes_names_and_has_published_rows(self):
        self.keep("some", [line("gpn", 1, 0.5, data="own", title="A&B_1"), line("lp", 1, 0.4), line("gpn", 1, 0.5)])
        text = tables.latex(runs.Folder("some").rows)
        self.assertIn("A\\&B\\_1 & GPN", text)
        self.assertEqual(text.count("\\textit{published} &"), 2)
        self.assertEqual(text.count("\\hline"), 4)

    def test_comparisons(self):
        text = tables.comparisons(self.some().rows, "ours", "gpn", "auroc_epi").splitlines()
        self.assertEqual(text[2], "| CoraML | 3 | 91.00 | 86.00 | +5.00 | [3.00, 6.00] | 0.2500 | 0.2500 | 3/0/0 |")
        self.assertIn("fewer than 6 pairs", text[-1])
        self.assertRaises(runs.Missing, tables.comparisons, self.some().rows, "ours", "nobody", "auroc_epi")


class Paired(unittest.TestCase):
    def test_exact_tests(self):
        found = paired.compare([1.0, 2.0, 3.0, 4.0, 5.0], [0.5, 1.0, 1.5, 2.0, 2.5])
        self.assertEqual((found["wilcoxon_p"], found["sign_p"], found["wins"]), (0.0625, 0.0625, 5))
        self.assertAlmostEqual(found["difference"], 1.5)

    def test_equal_numbers_are_ties(self):
        found = paired.compare([0.9 - 0.8, 5.0, 6.0], [0.3 - 0.2, 5.0, 6.0])
        self.assertEqual((found["ties"], found["interval"], found["wilcoxon_p"]), (3, (0.0, 0.0), 1.0))

    def test_two_pairs_have_no_interval(self):
        self.assertIsNone(paired.compare([1.0, 2.0], [0.0, 0.5])["interval"])

    def test_resamples_are_drawn_as_the_command_draws_them(self):
        # tests/cli/cases/compare-text.out has the same interval for the same numbers.
        low, high = paired.compare([90.0, 91.0, 92.0], [84.0, 88.0, 86.0])["interval"]
        self.assertAlmostEqual(low, 3.0)
        self.assertAlmostEqual(high, 6.0)


class Tuning(WithResults):
    def trial(self, seed, hidden, auroc, accuracy, budget=-1, **more):
        return {"criterion": "left-out-class", "title": "G", "seed": seed, "held_out": 0, "budget": budget,
                "config": {"hidden": hidden}, "training": {"stop": "patience" if budget < 0 else "epochs"},
                "metrics": {"auroc": auroc, "accuracy": accuracy, "positives": 10, "negatives": 1000}, **more}

    def test_the_best_detection_at_little_loss_of_accuracy_is_chosen(self):
        self.keep("search", [self.trial(s, h, a, c) for s in (101, 102)
                             for h, a, c in ((8, 0.7, 0.90), (16, 0.8, 0.89), (32, 0.9, 0.50))]
                  + [self.trial(101, 64, 0.99, 0.9, budget=50), self.trial(103, 8, 0.99, 0.99)], "trials.jsonl")
        best = tuning.choice("search", range(101, 103))
        self.assertEqual(best["config"], {"hidden": 16})
        self.assertAlmostEqual(best["score"], 0.8)
        self.assertAlmostEqual(best["standard_error"], 0.0)

    def test_the_lowest_cross_entropy_is_chosen(self):
        lines = [self.trial(101, h, 0, 0.9) for h in (8, 16)]
        for one, score in zip(lines, (0.5, 0.4)):
            one["criterion"], one["metrics"] = "val-ce", {"cross_entropy": score, "accuracy": 0.9}
        self.keep("search", lines, "trials.jsonl")
        self.assertEqual(tuning.choice("search", [101])["config"], {"hidden": 16})


class Pages(WithResults):
    def test_expressions_are_replaced(self):
        self.some()
        text = pages.fill('GPN has {{value("some", "coraml", "gpn", "auroc_epi", 1)}}, {{gap("some", "coraml", "ours", '
                          '"gpn", "auroc_epi")}} below {{firsts("some", "ours", "auroc_epi", "gpn,ours")}}.')
        self.assertEqual(text, "GPN has 86.0, +5.0 [3.0, 6.0] below 1 of 1 (CoraML).")

    def test_what_is_missing_names_the_expression(self):
        self.some()
        for bad in ('value("some", "coraml", "nobody", "auroc_epi")', 'value("none", "coraml", "gpn", "runs")',
                    'value("some", "coraml", "gpn", "auroc_epi_wo")', 'nothing()'):
            with self.assertRaisesRegex(runs.Missing, r"^\{\{" + bad.split("(")[0]):
                pages.fill("{{" + bad + "}}")

    def test_a_changed_run_line_changes_the_page(self):
        self.some()
        text = '{{table("some")}} {{compared("some", "ours", "gpn", "auroc_epi")}}'
        before = pages.fill(text)
        path = self.results / "some" / "runs.jsonl"
        path.write_text(path.read_text(encoding="utf-8").replace("0.92", "0.93"), encoding="utf-8")
        self.assertNotEqual(pages.fill(text), before)


class Beyond(WithResults):
    def test_a_column_per_graph_with_the_best_in_bold(self):
        self.keep("some", [line("gpn", 1, 0.80), line("gpn", 2, 0.82), line("default", 1, 0.9), line("default", 2, 0.9),
                           line("gpn", 1, 0.7, data="actor"), line("default", 1, 0.685, data="actor")])
        text = beyond.grid("some", "auroc_epi").splitlines()
        self.assertEqual(text[0], "| model | CoraML | Actor |")
        self.assertEqual(text[2:], ["| GPN | 81.0 | **70.0** |", "| Committee (default) | **90.0** | 68.5 |",
                                    "| *Committee better by* | +9.0 | −1.5 |"])
        self.assertEqual(beyond.within("some", "auroc_epi", 1.0), "1 of 2 graphs (it is furthest behind on Actor: 1.50)")
        self.assertEqual(beyond.within("some", "auroc_epi", 1.5), "2 of 2 graphs (it is furthest behind on Actor: 1.50)")

    def test_small_losses_are_good(self):
        lines = [{**line(model, 1, 0), "task": "misclassification",
                  "metrics": {"task": "misclassification", "ece": ece}} for model, ece in (("gpn", 0.03), ("default", 0.02))]
        self.keep("some", lines + [{**lines[0], "seed": 2}])
        self.assertEqual(beyond.grid("some", "ece", "misclassification").splitlines()[2:],
                         ["| GPN | 3.00 |", "| Committee (default) | **2.00**\\* |", "| *Committee better by* | +1.00 |", "",
                          "\\* Fewer runs than the others."])

    def test_what_was_not_run_is_left_out(self):
        self.assertEqual({beyond.grid("none", "auroc_epi"), beyond.each("none"), beyond.promises("sets", "none"),
                          beyond.times("none")}, {beyond.NONE})
        self.assertEqual(beyond.within("none", "auroc_epi", 1.0), "no graph (not run yet)")

    def test_distances_to_the_best_of_each_class(self):
        self.keep("some", [line(model, seed, auroc, left_out_classes=name) for seed in (1, 2)
                           for model, name, auroc in (("gpn", "A", 0.8), ("gpn", "B", 0.9), ("default", "A", 0.9),
                                                      ("default", "B", 0.86))])
        self.assertEqual(beyond.each("some").splitlines()[2:],
                         ["| GPN | 5.0 / 10.0 | 5.0 / 10.0 |", "| Committee (default) | **2.0 / 4.0** | **2.0 / 4.0** |"])

    def test_promises_are_means_with_standard_errors(self):
        def made(seed, alarms, wrong, size):
            levels = [{"false_alarms": alarms, "detected": 0.5}] * 3
            found = line("default", seed, 0.9)
            found["metrics"]["promises"] = {
                "calibration_nodes": 40, "false_alarms": levels, "max_error": [{"wrong": wrong, "answered": wrong}] * 3,
                "sets": {"coverage": 0.9, "size": size, "aps": {"coverage": 0.91, "size": 2.0}}}
            return found
        self.keep("some", [made(1, 0.04, None, 1.0), made(2, 0.06, 0.01, 2.0)])
        self.assertIn("| CoraML | 2 | 5.00 ± 1.00 | 50.0 ± 0.0 |", beyond.promises("false_alarms", "some"))
        self.assertIn("| CoraML | 2 | 1 | 1.00 | 1.0 |", beyond.promises("max_error", "some"))
        self.assertIn("| CoraML | 2 | 40 | 90.00 ± 0.00 | n.a. | 1.500 ± 0.500 | 91.00 ± 0.00 | 2.000 ± 0.000 |",
                      beyond.promises("sets", "some"))

    def test_times_are_medians(self):
        self.keep("some", [{**line(model, seed, 0), "task": "misclassification", "training_seconds": took * seed,
                            "prediction_seconds": 0.001 * took} for seed in (1, 2, 9)
                           for model, took in (("gpn", 1.0), ("gpn-tuned", 2.0), ("default", 3.0))])
        self.assertEqual(beyond.times("some").splitlines()[2],
                         "| CoraML | 2.00 | 4.00 | 6.00 | **1.50** | 1.00 | 2.00 | 3.00 | **1.50** |")

    def test_lines_are_packed_also_if_a_run_is_stopped(self):
        def stopped(words):
            self.keep("beyond/ood", [{**line("gpn", 1, 0.81234567), "training": {"epochs": 5}}])
            raise KeyboardInterrupt
        before = {**line("gpn", 1, 0.81234567), "training": {"epochs": 5}}
        with mock.patch.object(experiments, "run", stopped):
            self.assertRaises(KeyboardInterrupt, beyond.run, "beyond/ood")
        self.assertEqual([path.name for path in (self.results / "beyond/ood").iterdir()], ["runs.jsonl.gz"])
        kept = runs.read_lines(self.results / "beyond/ood/runs.jsonl")[0]
        self.assertEqual(kept["metrics"]["ood"], {"aleatoric": {"auroc": 0.8}, "epistemic": {"auroc": 0.812346}})
        for key in ("task", "data", "model", "seed", "split", "fingerprint", "config"):
            self.assertEqual(kept[key], before[key])
        self.assertNotIn("training", kept)

    def test_graphs_without_a_public_name_are_files(self):
        typed = experiments.as_typed(beyond.commands()["beyond/ood"][1])
        self.assertIn("credence compare $CREDENCE_DATA/flickr.npz --left-out 3 ", typed)
        self.assertNotIn("texas", "".join(map(experiments.as_typed, beyond.commands()["beyond/few"])))


class Experiments(unittest.TestCase):
    def test_every_folder_of_results_has_commands(self):
        kept = {str(path.parent.relative_to(runs.RESULTS)) for path in runs.RESULTS.rglob("runs.jsonl")}
        self.assertEqual(kept - set(beyond.commands()), set(experiments.comparisons()) | {"ablation"})
        packed = {str(path.parent.relative_to(runs.RESULTS)) for path in runs.RESULTS.rglob("runs.jsonl.gz")}
        self.assertLessEqual(packed, set(beyond.commands()))
        searched = {words[words.index("--trials-dir") + 1][len("results/"):] for words in experiments.searches()}
        kept = {str(path.parent.relative_to(runs.RESULTS)) for path in (runs.RESULTS / "tune").rglob("trials.jsonl")}
        self.assertEqual(kept, searched)

    def test_the_ablation_tunes_one_thing_more_from_row_to_row(self):
        words = experiments.ablation_commands("pubmed")
        spaces = [one[one.index("--space") + 1] for one in words if "--space" in one]
        self.assertEqual([space.count("=") for space in spaces], [1, 1, 2, 4])
        self.assertIn("reg-weight=0,decades:-10..-2/2", spaces[-1])

    def test_the_ablation_keeps_the_choice_of_the_row_before(self):
        scores, ran = iter([0.5, 0.4, 0.45, 0.3]), []

        def fake(words):
            ran.append(words)
            if words[1] == "tune":
                folder = self.place / "ablation" / "tuning" / words[2]
                folder.mkdir(parents=True, exist_ok=True)
                found = {"cross_entropy": next(scores, 1.0), "config": {"name": words[-1].rsplit("/", 1)[1]}}
                (folder / "tried.json").write_text(json.dumps({"tried": [found]}), encoding="utf-8")

        with tempfile.TemporaryDirectory() as place:
            self.place = pathlib.Path(place)
            with mock.patch.object(runs, "RESULTS", self.place), mock.patch.object(runs, "ROOT", self.place), \
                    mock.patch.object(experiments, "run", fake):
                experiments.run_ablation()
            chosen = {path.stem: json.loads(path.read_text(encoding="utf-8"))["name"]
                      for path in (self.place / "ablation/tuning/coraml").glob("gpn*.json")}
        self.assertEqual(chosen, {"gpn": "gpn.json", "gpn-ce": "gpn-ce.json", "gpn-ce-act": "gpn-ce.json",
                                  "gpn-ce-act-gd": "gpn-ce-act-gd.json"})
        titles = [words[words.index("--config-title") + 1] for words in ran if "--config-title" in words]
        self.assertEqual(titles[:3], ["GPN-CE", "GPN-CE-ACT", "GPN-CE-ACT-GD"])


class Figures(unittest.TestCase):
    def test_discs_stay_inside_and_large_ones_come_first(self):
        points = [(math.cos(i), math.sin(2 * i)) for i in range(200)]
        made = figures.make_discs(points, [1.0 + i for i in range(200)], [i % 3 - 1 for i in range(200)], 2, 100)
        radii = [disc[0] for disc in made["discs"]]
        self.assertEqual(radii, sorted(radii, reverse=True))
        for radius, _, places in made["discs"]:
            x = y = 0
            for dx, dy in zip(places[::2], places[1::2]):
                x, y = x + dx, y + dy
                self.assertTrue(radius <= x <= 200 - radius and radius <= y <= 200 - radius)
        self.assertEqual([step[0] for step in made["scale"]], [1.0, 10.0, 100.0])
        self.assertEqual({letter[0] for letter in made["letters"]}, {"A", "B"})

    def test_a_hidden_disc_is_left_out(self):
        self.assertEqual(len(figures.visible([(50, 50, 0, 5.0), (50, 50, 1, 5.0)], 100)), 1)
        self.assertEqual(len(figures.visible([(50, 50, 0, 5.0), (70, 50, 1, 5.0)], 100)), 2)

    def test_neighbours_and_dimensions(self):
        points = [(float(i), 0.0) for i in range(20)] + [(1000.0 + i, 0.0) for i in range(20)]
        self.assertEqual(figures.neighbours(points, [0] * 20 + [-1] * 20), [100.0, 100.0])
        self.assertAlmostEqual(figures.dimensions(points), 1.0)
        square = [(x, y) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
        self.assertAlmostEqual(figures.dimensions(square), 2.0)

    def test_numbers_are_short(self):
        self.assertEqual([figures.number_text(v) for v in (100.0, 9823.4, 1.0, 12345678.0, 1e-7, None)],
                         ["100", "9820", "1", "1.2·10⁷", "10⁻⁷", "n.a."])

    def test_names_are_escaped(self):
        kept = {"classes": ["<b>"], "left_out": ["a&b"]}
        text = "".join(figures.legend(kept)[0])
        self.assertIn("&lt;b&gt;", text)
        self.assertIn("a&amp;b", text)


if __name__ == "__main__":
    unittest.main()
