# SPDX-License-Identifier: MIT
"""Ctrl-C at any moment: the best model is kept, no thread is left."""
import os
import signal
import subprocess
import sys

PROGRAM = """
import os, random, signal, sys, threading, time, warnings
import credence
data = credence.open(sys.argv[1])
kept = refused = late = 0
for i in range(int(sys.argv[2])):
    wait = random.Random(i).random() * 0.3
    asked = []
    def ask():
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(wait, ask)
    timer.start()
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            model = credence.train(data, "20/20/60", max_epochs=100000, patience=100000)
            assert [one.category for one in heard] == [credence.Interrupted], heard
        assert model.predict(data).probability.shape[0] == len(data)
        kept += 1
    except KeyboardInterrupt:
        refused += 1  # before the first epoch there is no model to keep
    timer.join()
assert threading.active_count() == 1, threading.enumerate()
print(kept, refused)
"""


def test_ctrl_c_keeps_the_best_model(path):
    done = subprocess.run([sys.executable, "-c", PROGRAM, path, "20"], stdout=subprocess.PIPE, check=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, timeout=300)
    kept, refused = map(int, done.stdout.split())
    assert kept + refused == 20 and kept > 0


def test_sigint_is_python_s_own():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
