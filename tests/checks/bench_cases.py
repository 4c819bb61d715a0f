# SPDX-License-Identifier: MIT
"""bench_cases.py ROOT: cases for bench/timing.py, bench/compare and the slope of bench/sections/growth.py."""
import importlib
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
BENCH = Path(sys.argv.pop(1)).resolve() / "bench"
sys.path.insert(0, str(BENCH))
timing = importlib.import_module("timing")
growth = importlib.import_module("sections.growth")


class Statistics(unittest.TestCase):
    def test_median(self):
        self.assertEqual(timing.median([3.0, 1.0, 2.0]), 2.0)
        self.assertEqual(timing.median([4.0, 1.0, 3.0, 2.0]), 2.5)
        self.assertEqual(timing.median([7.0]), 7.0)
        with self.assertRaises(ValueError):
            timing.median([])

    def test_spread(self):
        self.assertEqual(timing.spread([2.0, 1.0, 4.0]), 1.5)  # (4 - 1) / 2
        self.assertEqual(timing.spread([5.0]), 0.0)
        self.assertEqual(timing.spread([0.0, 0.0]), 0.0)

    def test_interleaved(self):
        order = []
        first, second = timing.interleaved([lambda: order.append("a") or len(order),
                                            lambda: order.append("b") or len(order)], 3)
        self.assertEqual("".join(order), "ababab")
        self.assertEqual((first, second), ([1, 3, 5], [2, 4, 6]))

    def test_figure(self):
        figure = timing.figure("s", "n", "s", [1.0, 3.0, 2.0], better="lower")
        self.assertEqual(figure, {"section": "s", "name": "n", "unit": "s", "value": 2.0, "repeats": 3, "spread": 1.0,
                                  "better": "lower"})

    def test_slope(self):
        self.assertAlmostEqual(growth.slope([10, 100, 1000], [3, 30, 300]), 1.0)
        self.assertAlmostEqual(growth.slope([1, 4], [5, 10]), 0.5)


class Children(unittest.TestCase):
    def test_time_memory_and_words(self):
        code = "import time; x = bytearray(64 << 20); time.sleep(0.2); print('done', len(x))"
        seconds, peak, output = timing.run_child([sys.executable, "-c", code])
        self.assertGreaterEqual(seconds, 0.2)
        self.assertTrue(64 << 20 <= peak < 512 << 20)
        self.assertEqual(output, f"done {64 << 20}\n")

    def test_environment_is_added_to(self):
        code = "import os; print(os.environ['CREDENCE_CASE'], 'PATH' in os.environ)"
        self.assertEqual(timing.run_child([sys.executable, "-c", code], {"CREDENCE_CASE": 7})[2], "7 True\n")

    def test_failure_says_why(self):
        with self.assertRaisesRegex(timing.ChildFailed, "exit code 3: too bad"):
            timing.run_child([sys.executable, "-c", "import sys; print('too bad', file=sys.stderr); sys.exit(3)"])


def one(value, spread=0.0, unit="s", repeats=5, name="n", **more):
    return {"section": "s", "name": name, "unit": unit, "value": value, "repeats": repeats, "spread": spread, **more}


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = Path(self.folder.name) / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(path)

    def compare(self, old, new, *options):
        """The exit code and what was printed, for lists of figures or for whole contents."""
        files = [self.write(name, {"figures": content} if isinstance(content, list) else content)
                 for name, content in (("old.json", old), ("new.json", new))]
        done = subprocess.run([sys.executable, str(BENCH / "compare"), *files, *options], capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def mark(self, old, new, *options):
        code, output, _ = self.compare([old], [new], *options)
        return code, output.splitlines()[1].split(f"{'':2}")[-1].strip()

    def test_within_the_spread(self):
        # 20 % slower, but one of the two measurements spread over 25 %.
        for spreads in ((0.25, 0.01), (0.01, 0.25)):
            code, mark = self.mark(one(1.0, spreads[0]), one(1.2, spreads[1]))
            self.assertEqual((code, mark), (0, "1.200"))

    def test_beyond_both_spreads(self):
        self.assertEqual(self.mark(one(1.0, 0.1), one(1.2, 0.15)), (1, "WORSE"))
        self.assertEqual(self.mark(one(1.2, 0.1), one(1.0, 0.15)), (0, "better"))

    def test_below_the_threshold(self):
        self.assertEqual(self.mark(one(1.0), one(1.04)), (0, "worse"))
        self.assertEqual(self.mark(one(1.0), one(1.06)), (1, "WORSE"))
        self.assertEqual(self.mark(one(1.0), one(1.2), "--threshold", "25"), (0, "worse"))

    def test_rates_are_better_high(self):
        self.assertEqual(self.mark(one(10.0, unit="1/min"), one(5.0, unit="1/min")), (1, "WORSE"))
        self.assertEqual(self.mark(one(10.0, unit="x", better="higher"), one(5.0, unit="x", better="higher")),
                         (1, "WORSE"))
        self.assertEqual(self.mark(one(10.0, unit="x"), one(5.0, unit="x")), (0, "better"))

    def test_twice_and_half_are_the_same_distance(self):
        # A rate that halved is 100 % worse, like seconds that doubled: a spread of 60 % does not excuse it.
        self.assertEqual(self.mark(one(2.0, 0.6, unit="1/s"), one(1.0, 0.6, unit="1/s")), (1, "WORSE"))

    def test_measured_once(self):
        self.assertEqual(self.mark(one(1.0, repeats=1), one(9.0)), (0, "measured once"))

    def test_a_peer_may_change(self):
        self.assertEqual(self.mark(one(1.0, peer=True), one(2.0, peer=True)), (0, "peer"))

    def test_what_cannot_be_divided(self):
        self.assertEqual(self.mark(one(0.0), one(1.0)), (0, "-"))
        self.assertEqual(self.mark(one(1.0), one(1.0, unit="bytes")), (0, "unit was s"))

    def test_figures_of_one_run_only(self):
        code, output, _ = self.compare([one(1.0, name="gone"), one(1.0)], [one(1.0), one(2.0, name="fresh")])
        self.assertEqual(code, 0)
        self.assertRegex(output, r"only in .*old\.json:\n  s: gone, 1 s\n")
        self.assertRegex(output, r"only in .*new\.json:\n  s: fresh, 2 s\n")
        self.assertIn("1 figures in both", output)

    def test_columns_are_aligned(self):
        figures = [one(1.0), one(1.0, name="a longer name")]
        _, output, _ = self.compare(figures, figures)
        lines = output.splitlines()[:3]
        self.assertEqual(len({line.index("1 s") for line in lines[1:]}), 1)

    def test_another_machine_is_mentioned(self):
        files = [{"facts": {"processor": name, "load_at_start": 0.0}, "figures": [one(1.0)]} for name in ("A", "B")]
        code, _, errors = self.compare(*files)
        self.assertEqual((code, errors), (0, "compare: the processor differs: A, then B\n"))

    def refuse(self, content, expected):
        code, output, errors = self.compare(content, [one(1.0)])
        self.assertEqual((code, output), (2, ""))
        self.assertEqual(errors.count("\n"), 1)
        self.assertIn("old.json: ", errors)
        self.assertIn(expected, errors)

    def test_bad_files(self):
        self.refuse(b'{"figures": [\n{]', "line 2: is not JSON")
        self.refuse(b"\xff\xfe", "UTF-8")
        self.refuse(b"[]", 'expected an object with a list "figures"')
        self.refuse({"figures": 7}, 'expected an object with a list "figures"')
        self.refuse([3], "figure 0: expected an object")
        self.refuse([one(1.0), {**one(1.0, name="m"), "value": None}], 'figure 1: expected a number as "value"')
        self.refuse([one(float("nan"))], 'figure 0: expected a number as "value"')
        self.refuse([{**one(1.0), "name": 5}], 'figure 0: expected a text as "name"')
        self.refuse([one(1.0), one(2.0)], "is there twice")
        self.refuse(b"[" * 200000, "old.json: ")

    def test_missing_file(self):
        done = subprocess.run([sys.executable, str(BENCH / "compare"), "/nonexistent.json", "/nonexistent.json"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "compare: /nonexistent.json: cannot be read: No such file or directory\n"))

    def test_bad_threshold(self):
        self.assertEqual(self.compare([one(1.0)], [one(1.0)], "--threshold", "-1")[0], 2)
        self.assertEqual(self.compare([one(1.0)], [one(1.0)], "--threshold", "nan")[0], 2)


if __name__ == "__main__":
    unittest.main(verbosity=0)
