# SPDX-License-Identifier: MIT
"""Ctrl-C at any moment: the best model is kept, no thread is left. `python3 interrupts.py GRAPH 100` measures more."""
import os
import pathlib
import signal
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).with_name("interrupts.py")
MOST = 3000  # milliseconds, on a machine that may have other work


def test_ctrl_c_keeps_the_best_model(path):
    done = subprocess.run([sys.executable, PROGRAM, path, "20"], stdout=subprocess.PIPE, check=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, timeout=300)
    kept, refused, _, longest, _ = map(int, done.stdout.split())
    assert kept + refused == 20 and kept > 10 and longest < MOST


def test_sigint_is_python_s_own():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
