# SPDX-License-Identifier: MIT
"""interrupts.py GRAPH COUNT: trains, presses Ctrl-C at a random moment, COUNT times. Prints how many trainings kept a
model, how many had no epoch yet, and the time from Ctrl-C to the return in milliseconds: median, largest, and how many
took longer than 300."""
import os
import random
import signal
import statistics
import sys
import threading
import time
import warnings

import credence


def once(data, wait):
    """The seconds that it took to stop, and whether there is a model."""
    asked, epochs = [], []

    def ask():
        asked.append((time.monotonic(), len(epochs)))
        os.kill(os.getpid(), signal.SIGINT)

    timer, model = threading.Timer(wait, ask), None
    timer.start()
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            model = credence.train(data, "20/20/60", max_epochs=10**6, patience=10**6, progress=epochs.append)
            took = time.monotonic() - asked[0][0]
        assert [one.category for one in heard] == [credence.Interrupted], heard
    except KeyboardInterrupt:
        took = time.monotonic() - asked[0][0]
        assert asked[0][1] == 0, "an epoch was finished, but no model was kept"
    timer.join()
    assert model is None or model.predict(data).probability.shape[0] == len(data)
    return took, model is not None


def main(path, count):
    data, chance = credence.open(path), random.Random(1)
    credence.train(data, "20/20/60", max_epochs=2)
    results = [once(data, chance.uniform(0.02, 1.0)) for _ in range(count)]
    assert threading.active_count() == 1, threading.enumerate()
    times = [1000.0 * took for took, _ in results]
    kept = sum(has_model for _, has_model in results)
    print(kept, count - kept, f"{statistics.median(times):.0f}", f"{max(times):.0f}", sum(one > 300 for one in times))


main(sys.argv[1], int(sys.argv[2]))
