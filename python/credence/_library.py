# SPDX-License-Identifier: MIT
"""The C library: found, loaded, checked; its errors as exceptions; its long calls so that Ctrl-C stops them."""
import ctypes
import operator
import os
import pathlib
import threading
import warnings

from . import _abi

__all__ = ["CredenceError", "Interrupted", "call", "function", "long_call", "text_of"]


class CredenceError(Exception):
    """Something that is no fault of a value or type: a file, memory, numbers that left their range."""


class Interrupted(UserWarning):
    """A training was interrupted: its best model so far was kept."""


class _DataError(ValueError, CredenceError):
    """A wrong value: the message says what, where, and what was expected."""


def _find():
    """The library beside this file (a wheel), one that the user names, or the system's."""
    named = os.environ.get("CREDENCE_LIBRARY")
    if named:
        return named
    own = pathlib.Path(__file__).with_name("libcredence.so")
    soname = f"libcredence.so.{_abi.VERSION[0]}"
    if _abi.VERSION[0] == 0:
        soname += f".{_abi.VERSION[1]}"
    return str(own) if own.exists() else soname


def _load():
    path = _find()
    try:
        library = ctypes.CDLL(path)
        version = ctypes.CFUNCTYPE(ctypes.c_char_p)(("crd_version", library))().decode()
    except (OSError, AttributeError) as problem:
        raise ImportError(f"credence needs its C library, and {path} cannot be loaded: {problem}") from None
    if tuple(int(part) for part in version.split(".")[:2]) != _abi.VERSION:
        raise ImportError(f"{path} has the version {version}, but this package was made for "
                          f"{_abi.VERSION[0]}.{_abi.VERSION[1]}")
    for name, (returns, takes) in _abi.FUNCTIONS.items():
        one = getattr(library, name, None)
        if one is None:
            raise ImportError(f"{path} has the version {version}, but no function {name}")
        one.restype, one.argtypes = returns, takes
    return library, version


_library, __version__ = _load()
_ERRORS = {_abi.ERROR_MEMORY: MemoryError, _abi.ERROR_IO: OSError, _abi.ERROR_STOPPED: KeyboardInterrupt,
           _abi.ERROR_NUMERIC: CredenceError}


def function(name):
    """A function of the library that cannot fail."""
    return getattr(_library, name)


def call(name, *arguments):
    """Calls a function that can fail. A failure is raised with the library's own sentence."""
    error = _abi.Error()
    status = getattr(_library, name)(*arguments, ctypes.byref(error))
    if status != _abi.OK:
        raise _ERRORS.get(status, _DataError)(error.message.decode("utf-8", "replace"))


def text_of(name, *arguments):
    """Calls a function whose last output is a string of its own; returns the string."""
    pointer = ctypes.c_void_p()
    call(name, *arguments, ctypes.byref(pointer))
    try:
        return ctypes.string_at(pointer).decode("utf-8")
    finally:
        _library.crd_string_free(ctypes.byref(pointer))


def long_call(name, arguments, threads=None, progress=None):
    """Calls a function that may take long. `arguments` is a function that gets the address of a crd_control and gives
    the arguments. `progress(phase, done, epoch)` may be called now and then; if it returns False, the call stops.

    In the main thread, the library works on another thread, while this one waits for Ctrl-C. (Python would raise
    KeyboardInterrupt inside the call-back, where it is lost.) The first Ctrl-C asks the library to stop. Returns
    whether that happened: a training then still gives its best model, other calls raise KeyboardInterrupt. The second
    Ctrl-C raises at once."""
    stop, problems, finished = ctypes.c_int(0), [], threading.Event()
    control = _abi.Control(ctypes.sizeof(_abi.Control), thread_count(threads), ctypes.addressof(stop))
    if progress is not None:
        control.progress = type(control.progress)(_listener(progress, problems))
    given = arguments(ctypes.byref(control))

    def work(_=(stop, control)):  # what the library may look at lives as long as its call, whatever happens here
        try:
            call(name, *given)
        except BaseException as problem:  # noqa: B902: it is raised again below, in the thread that waits
            problems.append(problem)
        finally:
            finished.set()

    interrupted = False
    if threading.current_thread() is threading.main_thread():
        worker = threading.Thread(target=work, name=f"credence {name}", daemon=True)
        try:
            worker.start()
            finished.wait()
        except KeyboardInterrupt:
            interrupted = True
            stop.value = 1
            while not finished.wait(1.0):
                if worker.ident is None:  # it was never started
                    raise
    else:
        work()
    if problems:
        raise problems[0]
    return interrupted


def _listener(progress, problems):
    def listen(address, _):
        state = _abi.Progress.from_address(address)
        epoch = _abi.Epoch.from_address(state.epoch) if state.epoch else None
        try:
            return progress(state.phase.decode(), state.done, epoch) is not False
        except BaseException as problem:  # noqa: B902: an exception cannot pass through C
            problems.append(problem)
            return False
    return listen


def thread_count(n_jobs):
    """None and -1: as many as the process may use."""
    if n_jobs is None:
        return 0
    try:
        count = operator.index(n_jobs)
    except TypeError:
        raise TypeError(f"n_jobs is {n_jobs!r}, expected -1, None or a whole number above 0") from None
    if count == -1:
        return 0
    if count < 1:
        raise ValueError(f"n_jobs is {n_jobs}, expected -1, None or a number above 0")
    return min(count, _abi.MAX_THREADS)


def warn_interrupted():
    warnings.warn("training was interrupted: the best model so far is kept, without calibration and promises",
                  Interrupted, stacklevel=3)
