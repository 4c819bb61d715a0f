# SPDX-License-Identifier: MIT
"""How far a training is: a bar with tqdm, if it is installed, else a line now and then."""
import contextlib
import sys
import warnings

LINE_EVERY = 20  # epochs, without tqdm


@contextlib.contextmanager
def shown(wanted):
    """A function that takes an epoch; None: nothing is shown. `wanted` is True, False, None (True in notebooks only), or
    a function of the user's own."""
    if wanted is None:
        wanted = in_notebook()
    if callable(wanted):
        yield wanted
    elif not wanted:
        yield None
    elif (bar := _bar()) is not None:
        with bar:
            yield lambda epoch: _advance(bar, epoch)
    else:
        yield _line


def in_notebook():
    """Whether a Jupyter kernel runs this program; IPython is asked only if it is loaded already."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None and hasattr(python, "get_ipython") else None
    return getattr(shell, "kernel", None) is not None


def _bar():
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # without ipywidgets, tqdm says so and shows text
            from tqdm.auto import tqdm
            return tqdm(unit=" epochs", desc="training")
    except ImportError:
        return None


def _advance(bar, epoch):
    bar.set_postfix(loss=f"{epoch.loss:.3f}", accuracy=f"{epoch.validation_accuracy:.3f}", refresh=False)
    bar.update(1)


def _line(epoch):
    if epoch.epoch % LINE_EVERY == 0:
        print(f"epoch {epoch.epoch}: loss {epoch.loss:.4f}, validation accuracy {epoch.validation_accuracy:.4f}")
