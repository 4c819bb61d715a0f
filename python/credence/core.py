# SPDX-License-Identifier: MIT
"""Datasets, splits, models, predictions: the objects of the C library."""
import contextlib
import ctypes
import json
import operator
import os

import numpy as np

from . import _abi, _html, _progress, _table, _take
from ._library import call, function, long_call, text_of, warn_interrupted

_TYPES = {np.dtype(np.int32): _abi.INT32, np.dtype(np.int64): _abi.INT64, np.dtype(np.float32): _abi.FLOAT32,
          np.dtype(np.float64): _abi.FLOAT64}
_ROLES = {"none": _abi.ROLE_NONE, "train": _abi.ROLE_TRAIN, "validation": _abi.ROLE_VALIDATION,
          "test": _abi.ROLE_TEST, "calibration": _abi.ROLE_CALIBRATION}
_SCORES = {"epistemic": _abi.SCORE_EPISTEMIC, "aleatoric": _abi.SCORE_ALEATORIC,
           "epistemic_features": _abi.SCORE_EPISTEMIC_FEATURES, "epistemic_class": _abi.SCORE_EPISTEMIC_CLASS}
_TASKS = {"ood": _abi.TASK_OOD, "misclassification": _abi.TASK_MISCLASSIFICATION}
_ENCODING = "table"  # the key of a model's metadata for how a table of features was encoded
_SETS = {"daps": (_abi.SETS_DAPS, 0.5), "aps": (_abi.SETS_APS, 0.0), "raps": (_abi.SETS_RAPS, 0.1)}


def choice(table, value, what):
    if not isinstance(value, str) or value not in table:
        raise ValueError(f"{what} is {value!r}, expected one of {', '.join(table)}")
    return table[value]


# ---- what the library could not check itself: the types of arguments, and zero bytes, where C sees the end ----


def pointer_of(value, kind, what):
    """The library's handle in an object of this package."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is {shown(value)}, expected a credence.{kind.__name__}")
    return value._pointer


def shown(value):
    """A value in a message, not longer than a line."""
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"


def text(value, what):
    if not isinstance(value, str):
        raise TypeError(f"{what} is {shown(value)}, expected text")
    if "\0" in value:
        raise ValueError(f"{what} is {shown(value)}, which has a zero byte in it")
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{what} is {shown(value)}, which is not valid Unicode") from None


def path_of(value):
    try:
        path = os.fsencode(value)
    except TypeError:
        raise TypeError(f"the path is {shown(value)}, expected text or a path object") from None
    except UnicodeEncodeError:
        raise ValueError(f"the path is {shown(value)}, which no file name can be") from None
    if b"\0" in path:
        raise ValueError(f"the path is {shown(value)}, which has a zero byte in it")
    return path


def whole_number(value, what, least=-2**63, most=2**63 - 1):
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is {shown(value)}, expected a whole number") from None
    if not least <= number <= most:
        raise ValueError(f"{what} is {number}, expected a whole number from {least} to {most}")
    return number


def real_number(value, what):
    try:
        return float(operator.index(value)) if hasattr(value, "__index__") else float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} is {shown(value)}, expected a number") from None


def node_numbers(values, what="nodes"):
    numbers = _take.whole(values, what)
    if numbers.ndim > 1:
        raise ValueError(f"{what} have the shape {numbers.shape}, expected a list of node numbers")
    return np.ascontiguousarray(numbers.reshape(-1), dtype=np.int64)


class _Handle:
    """Something that the library made, and that it must release."""

    _free = ""

    def __init__(self, pointer, *kept):
        self._pointer, self._kept = pointer, kept  # what it looks at must live as long as it does

    def __del__(self):
        if getattr(self, "_pointer", None):
            function(self._free)(ctypes.byref(self._pointer))

    def _view(self, name, dtype, shape, *arguments):
        """A read-only array of the library's own memory, which keeps this object alive; None if there is none."""
        address = function(name)(self._pointer, *arguments)
        return self._at(address, dtype, shape)

    def _at(self, address, dtype, shape):
        if not address:
            return None
        count = int(np.prod(shape, dtype=np.int64))
        memory = (ctypes.c_uint8 * (count * np.dtype(dtype).itemsize)).from_address(address)
        memory.owner = self
        view = np.frombuffer(memory, dtype=dtype).reshape(shape)
        view.flags.writeable = False
        return view


def _numbers(array):
    return _abi.Numbers(array.ctypes.data, _TYPES[array.dtype])


def _texts(names):
    names = [text(str(one), "a name") for one in names]
    return (ctypes.c_char_p * len(names))(*names)


def _written(name, *arguments):
    """The bytes that a function of the library gives to its writer."""
    parts = []
    writer = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)(
        lambda address, size, _: parts.append(ctypes.string_at(address, size)) is None)
    call(name, *arguments, writer, None)
    return b"".join(parts)


def _decoded(text):
    return None if text is None else text.decode("utf-8", "replace")


def _columns(given, name):
    """A column, or a list of them, as the library takes it."""
    listed = [given] if isinstance(given, (str, int)) else list(given) if isinstance(given, (list, tuple)) else [None]
    for one in listed:
        if not isinstance(one, (str, int)):
            raise TypeError(f"{name} is {shown(given)}, expected a column or a list of columns: names, or numbers from 1")
    return text(",".join(str(one) for one in listed), name)


class Dataset(_Handle):
    """A graph with features and labels. Make one with :func:`credence.open`, :func:`credence.generate` or
    :meth:`Dataset.from_arrays`."""

    _free = "crd_dataset_free"
    _roles = None  # of the nodes, if the graph came with masks
    _encoding = None  # how a table of features became numbers

    @classmethod
    def open(cls, path, features=None, labels=None, n_jobs=None, **reading):
        """Opens a file or folder in any format that the command reads. `reading` are the other members of
        ``crd_open_options``, such as ``header="no"``, ``first_id=1``, ``edge_weights="ignore"``, ``min_edge_weight=0.5``.
        In a table of more than two columns, ``label_column`` has the labels and ``id_column`` the nodes ("none": rows are
        in the order of the nodes); ``category_columns`` have categories though they are numbers, and ``ignore_columns``
        are no features. Columns are names, or numbers from 1.
        """
        options, pointer = _abi.OpenOptions(ctypes.sizeof(_abi.OpenOptions)), ctypes.c_void_p()
        options.features = None if features is None else path_of(features)
        options.labels = None if labels is None else path_of(labels)
        path = path_of(path)
        for name, value in reading.items():
            if value is not None:
                _set_reading(options, name, value)

        def arguments(control):
            options.control = ctypes.addressof(control._obj)
            return path, ctypes.byref(options), ctypes.byref(pointer)

        long_call("crd_dataset_open", arguments, n_jobs)
        return cls(pointer)

    def _align(self, model):
        """Puts the features into a model's order, by their names. Only of a new dataset: arrays that were handed out
        would no longer be there."""
        moved = ctypes.c_bool()
        call("crd_model_align", model._pointer, self._pointer, ctypes.byref(moved))

    @classmethod
    def from_arrays(cls, graph, X=None, y=None, *, class_names=None, node_names=None, feature_names=None, n_jobs=None):
        """From arrays of this process: `graph` in any form that :func:`credence.open` takes, features as an array or a
        sparse matrix, and class numbers with -1 for nodes without one. What needs no conversion is not copied.

        >>> import numpy as np
        >>> pairs = [(0, 1), (1, 2), (2, 3)]
        >>> Dataset.from_arrays(pairs, np.eye(4, 3, dtype=np.float32), [0, 0, 1, -1])
        <credence.Dataset: 4 nodes, 3 features, 2 classes>
        """
        X = None if X is None else _table.features(X)[0]
        graph = graph if isinstance(graph, _take.Graph) else _take.graph(graph, None if X is None else X.shape[0])
        arrays, kept = _abi.Arrays(ctypes.sizeof(_abi.Arrays)), []
        X = _table.features(graph.features)[0] if X is None and graph.features is not None else X
        y = graph.labels if y is None else y
        arrays.nodes = graph.nodes if graph.nodes is not None else X.shape[0] if X is not None else \
            int(max(graph.source.max(initial=-1), graph.target.max(initial=-1))) + 1

        def lend(array, what, count):
            array = np.ascontiguousarray(array)
            if array.ndim != 1 or len(array) != count:
                raise ValueError(f"{what}: has the shape {array.shape}, expected ({count},)")
            if array.dtype not in _TYPES:
                raise TypeError(f"{what}: has the type {array.dtype}, expected int32, int64, float32 or float64")
            kept.append(array)
            return _numbers(array)

        if graph.start is not None:
            arrays.edges = len(graph.neighbour)
            arrays.start = lend(graph.start, "graph: the starts of rows", arrays.nodes + 1)
            arrays.neighbour = lend(graph.neighbour, "graph: neighbours", arrays.edges)
        else:
            arrays.edges = len(graph.source)
            arrays.source = lend(graph.source, "graph: sources", arrays.edges)
            arrays.target = lend(graph.target, "graph: targets", arrays.edges)
        if graph.weight is not None:
            weight = graph.weight if graph.weight.dtype in _TYPES else graph.weight.astype(np.float64)
            arrays.weight = lend(weight, "graph: weights", arrays.edges)
        if X is not None:
            if X.shape[0] != arrays.nodes:
                raise ValueError(f"X has {X.shape[0]} rows, but the graph has {arrays.nodes} nodes")
            arrays.features = X.shape[1]
            if _take.is_sparse(X):
                arrays.entries = X.nnz
                arrays.row_start = lend(X.indptr, "X: the starts of rows", arrays.nodes + 1)
                arrays.column = lend(X.indices[:X.nnz], "X: columns", X.nnz)
                arrays.value = lend(X.data[:X.nnz], "X: values", X.nnz)
            elif X.shape[1] > 0:
                arrays.dense = lend(np.ascontiguousarray(X).reshape(-1), "X", X.size)
        if y is not None:
            y = _take.whole(y, "y").reshape(-1)
            if len(y) != arrays.nodes:
                raise ValueError(f"y has {len(y)} labels, but the graph has {arrays.nodes} nodes")
            if len(y) and not -2**31 <= y.min() <= y.max() < 2**31:
                raise ValueError(f"y has labels from {y.min()} to {y.max()}, expected class numbers, -1 for none")
            kept.append(np.ascontiguousarray(y, dtype=np.int32))
            arrays.labels = kept[-1].ctypes.data
        for name, texts, count in (("class_names", class_names, None), ("node_names", node_names, arrays.nodes),
                                   ("feature_names", feature_names, arrays.features)):
            if texts is not None:
                texts = _texts(texts)
                if count is not None and len(texts) != count:
                    raise ValueError(f"{name}: has {len(texts)} names, expected {count}")
                kept.append(texts)
                setattr(arrays, name, ctypes.addressof(texts))
                if count is None:
                    arrays.classes = len(texts)
        # The arrays are lent: `kept` lives as long as the dataset, so there is nothing to do at its end.
        arrays.release = type(arrays.release)(lambda _: None)
        kept.append(arrays.release)
        pointer = ctypes.c_void_p()

        def arguments(control):
            arrays.control = ctypes.addressof(control._obj)
            return ctypes.byref(arrays), ctypes.byref(pointer)

        long_call("crd_dataset_from_arrays", arguments, n_jobs)
        made = cls(pointer, kept)
        made._roles = graph.roles
        return made

    def __len__(self):
        return function("crd_dataset_nodes")(self._pointer)

    @property
    def n_features(self):
        """How many features a node has."""
        return function("crd_dataset_features")(self._pointer)

    @property
    def n_classes(self):
        """How many classes there are labels of."""
        return function("crd_dataset_classes")(self._pointer)

    @property
    def labels(self):
        """The class of each node; -1: unknown."""
        return self._view("crd_dataset_labels", np.int32, (len(self),))

    def _names(self, name, count):
        address = function(name)(self._pointer)
        return [_decoded(one) for one in (ctypes.c_char_p * count).from_address(address)] if address else None

    @property
    def class_names(self):
        """The names of the classes, in the order of their numbers; None: they have none."""
        return self._names("crd_dataset_class_names", self.n_classes)

    @property
    def node_names(self):
        """The names of the nodes; None: they have none."""
        return self._names("crd_dataset_node_names", len(self))

    @property
    def feature_names(self):
        """The names of the features; None: they have none."""
        return self._names("crd_dataset_feature_names", self.n_features)

    @property
    def adjacency(self):
        """The graph that models see: (indptr, indices) of compressed rows, both directions of every edge."""
        start, neighbour = ctypes.c_void_p(), ctypes.c_void_p()
        count = function("crd_dataset_adjacency")(self._pointer, ctypes.byref(start), ctypes.byref(neighbour))
        return (self._at(start.value, np.int64, (len(self) + 1,)),
                self._at(neighbour.value, np.int32, (count,)) if count else np.zeros(0, dtype=np.int32))

    @property
    def features(self):
        """Features as they are held: an array, or (indptr, indices, data) of compressed rows; None: there are none."""
        dense = self._view("crd_dataset_dense", np.float32, (len(self), self.n_features))
        if dense is not None:
            return dense
        places = [ctypes.c_void_p() for _ in range(3)]
        count = function("crd_dataset_sparse")(self._pointer, *map(ctypes.byref, places))
        if not places[0].value:
            return None
        return (self._at(places[0].value, np.int64, (len(self) + 1,)), self._at(places[1].value, np.int32, (count,)),
                self._at(places[2].value, np.float32, (count,)))

    @property
    def fingerprint(self):
        """A hash of graph, features and labels. It does not depend on the format that they came from."""
        return _decoded(function("crd_dataset_fingerprint")(self._pointer))

    @property
    def notes(self):
        """What was unusual in the input, one sentence each."""
        count = function("crd_dataset_note_count")(self._pointer)
        return [_decoded(function("crd_dataset_note")(self._pointer, i)) for i in range(count)]

    def info(self):
        """Facts about the graph, as a dictionary."""
        return json.loads(text_of("crd_dataset_info_json", self._pointer))

    def split(self, spec="auto", index=0, seed=1):
        """Which nodes train, validate, calibrate and test: "5/15/80", "20n/30n/rest", or "auto", the data's own split
        (also by the masks of a PyG or DGL graph).

        >>> generate(nodes=200).split("20/20/60").count("train")
        40
        """
        spec = None if spec is None else text(spec, "split")
        index, seed = whole_number(index, "index", -2**31, 2**31 - 1), whole_number(seed, "seed", 0, 2**64 - 1)
        if spec in (None, b"auto") and self._roles is not None:
            return Split.from_roles(np.where(self.labels >= 0, self._roles, _abi.ROLE_NONE))
        pointer = ctypes.c_void_p()
        call("crd_split_make", self._pointer, spec, index, seed, ctypes.byref(pointer))
        return Split(pointer)

    def to_bytes(self):
        """The graph as the bytes of an .npz file."""
        return _written("crd_dataset_write", self._pointer)

    @classmethod
    def from_bytes(cls, data):
        """From the bytes of one file, in any format that :func:`credence.open` reads."""
        pointer, data = ctypes.c_void_p(), _bytes(data)
        call("crd_dataset_open_memory", data, len(data), None, ctypes.byref(pointer))
        return cls(pointer)

    def __reduce__(self):
        return Dataset.from_bytes, (self.to_bytes(),), {"_roles": self._roles, "_encoding": self._encoding}

    def save(self, path):
        """Writes the graph: an .npz file, or a folder of .npy arrays."""
        call("crd_dataset_save", self._pointer, path_of(path), _abi.FORMAT_AUTO)

    def __repr__(self):
        return f"<credence.Dataset: {len(self)} nodes, {self.n_features} features, {self.n_classes} classes>"


_WORDS = {"header": ("HEADER_", ("auto", "yes", "no")), "first_id": ("FIRST_ID_", ("auto", "0", "1")),
          "edge_weights": ("WEIGHTS_", ("auto", "ignore", "refuse"))}


def _set_reading(options, name, value):
    """One of the options of how a file is read, by its name in the header."""
    kinds = {one: kind for one, kind in options._fields_ if one not in ("size", "features", "labels", "control")}
    if not isinstance(name, str) or name not in kinds:
        raise ValueError(f"{name} is no option of how files are read, expected one of {', '.join(kinds)}")
    if name in _WORDS:
        prefix, words = _WORDS[name]
        setattr(options, name, getattr(_abi, prefix + choice({one: one for one in words}, str(value), name).upper()))
    else:
        setattr(options, name, _columns(value, name) if kinds[name] is ctypes.c_char_p else real_number(value, name))


def _bytes(data):
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"data is {shown(data)}, expected bytes")
    return bytes(data)


def generate(nodes=None, seed=None, *, n_jobs=None, **options):
    """A synthetic graph to play with, the same as ``credence generate`` makes: `nodes`, `classes`, `features`, `degree`,
    `homophily`, `words`, `strength`, `overlap`, `lookalikes`, `seed`.

    >>> generate(nodes=200, classes=4, seed=3)
    <credence.Dataset: 200 nodes, 600 features, 4 classes>
    """
    wanted, pointer = _abi.GenerateOptions(), ctypes.c_void_p()
    function("crd_generate_defaults_sized")(ctypes.byref(wanted), ctypes.sizeof(wanted))
    kinds = {name: kind for name, kind in wanted._fields_ if name not in ("size", "control")}
    for name, value in {"nodes": nodes, "seed": seed, **options}.items():
        if name not in kinds:
            raise TypeError(f"generate has no option {name!r}, expected one of {', '.join(kinds)}")
        if value is None:
            continue
        bits = 8 * ctypes.sizeof(kinds[name])
        least, most = (0, 2**64 - 1) if name == "seed" else (-2**(bits - 1), 2**(bits - 1) - 1)
        setattr(wanted, name, real_number(value, name) if kinds[name] is ctypes.c_double else
                whole_number(value, name, least, most))

    def arguments(control):
        wanted.control = ctypes.addressof(control._obj)
        return ctypes.byref(wanted), ctypes.byref(pointer)

    long_call("crd_generate", arguments, n_jobs)
    return Dataset(pointer)


class Split(_Handle):
    """Which nodes train, validate, calibrate and test."""

    _free = "crd_split_free"

    @classmethod
    def from_roles(cls, roles):
        """From one role per node: 0 none, 1 train, 2 validation, 3 test, 4 calibration, or their names."""
        roles = _take.array(roles, "roles")
        if roles.ndim != 1:
            raise ValueError(f"roles: have the shape {roles.shape}, expected one role per node")
        if roles.dtype.kind in "UO":
            roles = [choice(_ROLES, one, "a role") for one in roles.tolist()]
        roles, pointer = _take.whole(roles, "roles"), ctypes.c_void_p()
        if len(roles) and not 0 <= roles.min() <= roles.max() <= max(_ROLES.values()):
            raise ValueError(f"roles: are from {roles.min()} to {roles.max()}, expected 0 to {max(_ROLES.values())}")
        roles = np.ascontiguousarray(roles, dtype=np.uint8)
        call("crd_split_from_roles", roles.ctypes.data, len(roles), ctypes.byref(pointer))
        return cls(pointer)

    @classmethod
    def read(cls, dataset, path):
        """From a file: .npz with the arrays train, val, test and perhaps calibration, or CSV with node and split."""
        pointer = ctypes.c_void_p()
        call("crd_split_read", pointer_of(dataset, Dataset, "dataset"), path_of(path), ctypes.byref(pointer))
        return cls(pointer)

    def count(self, role):
        """How many nodes have a role: "train", "validation", "test", "calibration" or "none"."""
        return function("crd_split_count")(self._pointer, choice(_ROLES, role, "role"))

    @property
    def roles(self):
        """The role of each node: 0 none, 1 train, 2 validation, 3 test, 4 calibration."""
        count = sum(self.count(role) for role in _ROLES)
        return self._view("crd_split_roles", np.uint8, (count,))

    def __repr__(self):
        return f"<credence.Split: {_decoded(function('crd_split_description')(self._pointer))}>"


class Config(_Handle):
    """Every choice of a training, by the names of the command's options."""

    _free = "crd_config_free"

    def __init__(self, **options):
        super().__init__(ctypes.c_void_p())
        call("crd_config_new", ctypes.byref(self._pointer))
        names = {name.replace("_", "-"): value for name, value in options.items()}
        for name in ("preset", "model"):  # these change others, so they come first
            if names.get(name) is not None:
                self._set(name, names.pop(name))
        for name, value in names.items():
            self._set(name, value)

    def _set(self, name, value):
        if name == "preset":
            call("crd_config_preset", self._pointer, text(str(value), name))
        elif value is not None:
            words = ("on" if value else "off") if isinstance(value, (bool, np.bool_)) else str(value)
            call("crd_config_set", self._pointer, text(name, "the name of an option"), text(words, name))

    def as_dict(self):
        """The options that this kind of model has, with their values."""
        return json.loads(text_of("crd_config_json", self._pointer))


def options():
    """The library's options: their names, the forms of their values, defaults, and help."""
    found = []
    while (address := function("crd_option_at")(len(found))):
        one = _abi.Option.from_address(address)
        found.append({field: _decoded(getattr(one, field)) for field, _ in _abi.Option._fields_})
    return found


def kinds():
    """The kinds of models that `model` may name."""
    found = []
    while (name := function("crd_kind_name")(len(found))) is not None:
        found.append(name.decode())
    return found


class Model(_Handle):
    """A trained model. Make one with :func:`credence.train` or :func:`credence.load`."""

    _free = "crd_model_free"

    @classmethod
    def train(cls, dataset, split=None, config=None, init=None, n_jobs=None, progress=None, checkpoint=None):
        """Trains. Ctrl-C keeps the best model so far, and warns; a second one raises KeyboardInterrupt. `progress` is
        True for a bar, False for none, None for one in notebooks, or a function that is called with every epoch.
        `checkpoint` is a file to which what was learnt so far is written every minute; if it is there, the training goes
        on from it. Delete it once the model is saved."""
        pointer_of(dataset, Dataset, "dataset")
        split = split if isinstance(split, Split) else dataset.split(split)
        config = config if isinstance(config, Config) else Config(**(config or {}))
        wanted, pointer = _abi.TrainOptions(ctypes.sizeof(_abi.TrainOptions)), ctypes.c_void_p()
        wanted.init = None if init is None else pointer_of(init, Model, "init").value
        wanted.checkpoint = None if checkpoint is None else path_of(checkpoint)

        def arguments(control):
            wanted.control = ctypes.addressof(control._obj)
            return dataset._pointer, split._pointer, config._pointer, ctypes.byref(wanted), ctypes.byref(pointer)

        with _progress.shown(progress) as show:
            listen = None if show is None else lambda phase, done, epoch: show(epoch) if epoch else None
            interrupted = long_call("crd_train", arguments, n_jobs, listen)
        if interrupted:
            warn_interrupted()
        model = cls(pointer)
        if dataset._encoding is not None:
            model.set_metadata(_ENCODING, json.dumps(dataset._encoding.columns))
        return model

    @classmethod
    def load(cls, source):
        """From a file, or from the bytes of one."""
        pointer = ctypes.c_void_p()
        if isinstance(source, (bytes, bytearray, memoryview)):
            source = bytes(source)
            call("crd_model_load_memory", source, len(source), None, ctypes.byref(pointer))
        else:
            call("crd_model_load", path_of(source), ctypes.byref(pointer))
        return cls(pointer)

    def save(self, path):
        """Writes a safetensors file, whole or not at all."""
        call("crd_model_save", self._pointer, path_of(path))

    def to_bytes(self):
        """The bytes of the model's file."""
        pointer, size = ctypes.c_void_p(), ctypes.c_size_t()
        call("crd_model_save_memory", self._pointer, ctypes.byref(pointer), ctypes.byref(size))
        try:
            return ctypes.string_at(pointer, size.value)
        finally:
            function("crd_bytes_free")(ctypes.byref(pointer))

    def __reduce__(self):
        return Model.load, (self.to_bytes(),)

    def facts(self):
        """What the model is and how it was trained, as a dictionary."""
        return json.loads(text_of("crd_model_facts_json", self._pointer))

    @property
    def class_names(self):
        """The names of the classes that the model knows, in the order of its probabilities."""
        found = _abi.ModelFacts()
        function("crd_model_get_facts_sized")(self._pointer, ctypes.byref(found), ctypes.sizeof(found))
        name = function("crd_model_class_name")
        return [_decoded(name(self._pointer, k)) for k in range(found.classes)]

    @property
    def history(self):
        """The epochs of the training, a dictionary each."""
        found, epoch = [], _abi.Epoch()
        for i in range(function("crd_model_history_count")(self._pointer)):
            function("crd_model_history_at_sized")(self._pointer, i, ctypes.byref(epoch), ctypes.sizeof(epoch))
            found.append({"warmup": epoch.warmup, "epoch": epoch.epoch, "loss": epoch.loss,
                          "validation_cross_entropy": epoch.validation_cross_entropy,
                          "validation_accuracy": epoch.validation_accuracy, "best": epoch.best})
        return found

    @property
    def metadata(self):
        """Text of the user's own that is saved with the model."""
        found = {}
        while (key := function("crd_model_metadata_key")(self._pointer, len(found))) is not None:
            found[key.decode()] = _decoded(function("crd_model_metadata")(self._pointer, key))
        return found

    def set_metadata(self, key, value):
        """Keeps text with the model; None removes it."""
        call("crd_model_set_metadata", self._pointer, text(key, "key"), None if value is None else text(value, "value"))

    @property
    def encoding(self):
        """How the table of features that it was trained with became numbers; None: it was no table."""
        columns = self.metadata.get(_ENCODING)
        return None if columns is None else _table.Encoding(json.loads(columns))

    @property
    def split(self):
        """The split of its training; None if the file holds only weights."""
        pointer = ctypes.c_void_p(function("crd_model_split")(self._pointer))
        if not pointer:
            return None
        nodes = sum(function("crd_split_count")(pointer, role) for role in _ROLES.values())
        return Split.from_roles(self._at(function("crd_split_roles")(pointer), np.uint8, (nodes,)))

    def truth(self, dataset):
        """The class of each node by the model's numbers, whatever their order in the data; -1: unknown; -2: a class that
        the model does not know."""
        pointer_of(dataset, Dataset, "dataset")
        place = {}
        names = dataset.class_names or [str(k) for k in range(dataset.n_classes)]
        for k, name in enumerate(self.class_names):
            place.setdefault(name, k)
        number = np.array([place.get(name, -2) for name in names] + [-1], dtype=np.int32)
        return number[dataset.labels]

    def fits(self, dataset):
        """Puts the columns of the data into the model's order, by their names, if they are in another one. Returns
        whether they were; a missing name is a ValueError."""
        moved = ctypes.c_bool()
        call("crd_model_align", self._pointer, pointer_of(dataset, Dataset, "dataset"), ctypes.byref(moved))
        return moved.value

    def notes(self, dataset):
        """A sentence about data that look unlike those of training; None if there is nothing to say."""
        pointer = ctypes.c_void_p()
        call("crd_model_notes", self._pointer, pointer_of(dataset, Dataset, "dataset"), ctypes.byref(pointer))
        if not pointer:
            return None
        try:
            return _decoded(ctypes.string_at(pointer))
        finally:
            function("crd_string_free")(ctypes.byref(pointer))

    def predict(self, dataset, nodes=None, n_jobs=None):
        """Classifies all nodes of a graph, or some of them.

        >>> graph = generate(nodes=200)
        >>> answers = Model.train(graph, "20/20/60", {"max_epochs": 20}).predict(graph)
        >>> answers.probability.shape, answers.doubt.shape
        ((200, 7), (200,))
        """
        pointer = ctypes.c_void_p()
        pointer_of(dataset, Dataset, "dataset")
        if nodes is None:
            long_call("crd_predict", lambda control: (self._pointer, dataset._pointer, control, ctypes.byref(pointer)),
                      n_jobs)
        else:
            nodes = node_numbers(nodes)
            long_call("crd_predict_nodes", lambda control: (self._pointer, dataset._pointer, nodes.ctypes.data,
                                                            len(nodes), control, ctypes.byref(pointer)), n_jobs)
        return Prediction(pointer, self, dataset)

    def evaluate(self, dataset, split=None, task="misclassification", n_jobs=None):
        """Metrics on the test nodes of a split (None: of the model's own), as a dictionary: those of ``credence evaluate
        --json``. `task` is "misclassification" (find wrong answers) or "ood" (find nodes of unknown classes).

        >>> graph = generate(nodes=400)
        >>> model = Model.train(graph, "20/20/60", {"left_out": 2, "max_epochs": 30})
        >>> model.evaluate(graph, task="ood")["ood"]["epistemic"]["auroc"] > 0.8
        True
        """
        found, data = _abi.Evaluation(), pointer_of(dataset, Dataset, "dataset")
        used = None if split is None else pointer_of(split, Split, "split")
        long_call("crd_evaluate_sized", lambda control: (
            self._pointer, data, used, choice(_TASKS, task, "task"), control, ctypes.byref(found),
            ctypes.sizeof(found)), n_jobs)
        return json.loads(text_of("crd_evaluation_json", ctypes.byref(found)))

    def evaluate_classes(self, dataset, split=None, n_jobs=None):
        """Precision, recall and support of every class, on the nodes of :meth:`evaluate`: a list of dictionaries."""
        names = self.class_names
        found, data = (_abi.ClassResult * len(names))(), pointer_of(dataset, Dataset, "dataset")
        used = None if split is None else pointer_of(split, Split, "split")
        long_call("crd_evaluate_classes", lambda control: (self._pointer, data, used, control, ctypes.byref(found)),
                  n_jobs)
        return [{"name": name, "precision": one.precision, "recall": one.recall, "support": one.support}
                for name, one in zip(names, found)]

    def explain(self, dataset, node, most=10, n_jobs=None):
        """Which nodes the answer for a node comes from, as a dictionary; the contributions add up exactly."""
        pointer, data = ctypes.c_void_p(), pointer_of(dataset, Dataset, "dataset")
        node, most = whole_number(node, "node"), whole_number(most, "most")
        long_call("crd_explain", lambda control: (self._pointer, data, node, most, control, ctypes.byref(pointer)),
                  n_jobs)
        try:
            return json.loads(text_of("crd_explanation_json", pointer))
        finally:
            function("crd_explanation_free")(ctypes.byref(pointer))

    def report(self, dataset, path=None, title="Credence", split=None, n_jobs=None):
        """An HTML page that needs no network: map, answers, uncertainties, curves. A notebook shows it; `path` is the
        file to write, if there shall be one."""
        page = Report(title).add(self, dataset, split, n_jobs=n_jobs)
        if path is not None:
            page.save(path)
        return page

    def serve(self, dataset, n_jobs=None):
        """A handle that scores new nodes as they arrive."""
        return Serving(self, dataset, n_jobs)

    def __repr__(self):
        facts = self.facts()
        return f"<credence.Model: {facts['model']}, {len(self.class_names)} classes>"

    def _repr_html_(self):
        return _html.model(self.facts(), self.class_names, self.history)


class Prediction(_Handle):
    """The answers of a model. Arrays are read-only views of the library's memory."""

    _free = "crd_prediction_free"

    def __len__(self):
        return function("crd_prediction_nodes")(self._pointer)

    @property
    def n_classes(self):
        """How many classes the model knows."""
        return function("crd_prediction_classes")(self._pointer)

    @property
    def nodes(self):
        """The number of each row's node."""
        node = function("crd_prediction_node")
        return np.array([node(self._pointer, i) for i in range(len(self))], dtype=np.int64)

    @property
    def classes(self):
        """The most probable class of every row, as a number."""
        return self._view("crd_prediction_class", np.int32, (len(self),))

    @property
    def probability(self):
        """Rows x classes: how probable each class is, if the node is of one of them. Calibrated."""
        return self._view("crd_prediction_probability", np.float32, (len(self), self.n_classes))

    @property
    def alpha(self):
        """Dirichlet parameters; None if the model has none."""
        return self._view("crd_prediction_alpha", np.float32, (len(self), self.n_classes))

    @property
    def latent(self):
        """Where each node is, as the model sees it: rows x dimensions; None if the model has no such places."""
        dims = function("crd_prediction_latent_dims")(self._pointer)
        return self._view("crd_prediction_latent", np.float32, (len(self), dims))

    @property
    def doubt(self):
        """The share of known-class nodes that look less strange, 0 to 1; None: nothing can be promised."""
        return self._view("crd_prediction_doubt", np.float64, (len(self),))

    def uncertainty(self, kind="epistemic"):
        """One number per row that grows with doubt; None if the model has none of this kind."""
        return self._view("crd_prediction_score", np.float64, (len(self),), choice(_SCORES, kind, "kind"))

    def flag_unknown(self, false_alarms=0.05):
        """True where a node looks like no known class: of nodes of known classes, at most this fraction."""
        call("crd_prediction_flag_unknown", self._pointer, real_number(false_alarms, "false_alarms"), None)
        return self._view("crd_prediction_unknown", np.bool_, (len(self),))

    def answer(self, max_error, confidence=0.9):
        """True where there is an answer: as many as possible while at most this fraction of them is wrong."""
        call("crd_prediction_answer", self._pointer, real_number(max_error, "max_error"),
             real_number(confidence, "confidence"), None)
        return self._view("crd_prediction_answered", np.bool_, (len(self),))

    def sets(self, coverage=0.9, method="daps"):
        """Rows x classes: True where a class is in the set, which holds the right one with this probability."""
        number, weight = choice(_SETS, method, "method")
        call("crd_prediction_sets", self._pointer, self._kept[1]._pointer, real_number(coverage, "coverage"), number,
             weight)
        return self._view("crd_prediction_set", np.bool_, (len(self), self.n_classes))

    def save(self, path, full=False):
        """Writes a table: .csv, .jsonl or .npz."""
        call("crd_prediction_write", self._pointer, self._kept[1]._pointer, path_of(path), _abi.TABLE_AUTO, bool(full))

    def to_frame(self):
        """A pandas frame, indexed by the names of the nodes: the columns of ``credence predict``.

        >>> graph = generate(nodes=200)
        >>> Model.train(graph, "20/20/60", {"max_epochs": 20}).predict(graph).to_frame().columns.tolist()
        ['class', 'probability', 'aleatoric', 'epistemic', 'epistemic_features', 'doubt']
        """
        import pandas
        model, data = self._kept[:2]
        rows, answer, named = np.arange(len(self)), self.classes, data.node_names
        classes, nodes = np.array(model.class_names, dtype=object), self.nodes
        # A node that was added while serving has no name of its own.
        names = nodes if named is None else [named[i] if i < len(named) else str(i) for i in nodes.tolist()]
        flags = {"unknown": "crd_prediction_unknown", "answered": "crd_prediction_answered"}
        columns = {"class": classes[answer], "probability": self.probability[rows, answer],
                   **{kind: self.uncertainty(kind) for kind in ("aleatoric", "epistemic", "epistemic_features")},
                   "doubt": self.doubt, **{name: self._view(c_name, np.bool_, (len(self),))
                                           for name, c_name in flags.items()}}
        return pandas.DataFrame({name: values for name, values in columns.items() if values is not None},
                                index=pandas.Index(names, name="node"))


class Report(_Handle):
    """An HTML page in one file that needs no network. A notebook shows it in a frame."""

    _free = "crd_report_free"

    def __init__(self, title="Credence"):
        super().__init__(ctypes.c_void_p())
        call("crd_report_new", text(title, "title"), ctypes.byref(self._pointer))

    def add(self, model, dataset, split=None, title=None, data=None, n_jobs=None):
        """Adds a part about a model. Ctrl-C keeps the map so far."""
        wanted = _abi.ReportOptions()
        function("crd_report_defaults_sized")(ctypes.byref(wanted), ctypes.sizeof(wanted))
        wanted.split = None if split is None else pointer_of(split, Split, "split").value
        wanted.title = None if title is None else text(title, "title")
        wanted.data = None if data is None else text(data, "data")
        handles = pointer_of(model, Model, "model"), pointer_of(dataset, Dataset, "dataset")

        def arguments(control):
            wanted.control = ctypes.addressof(control._obj)
            return (self._pointer, *handles, ctypes.byref(wanted))

        long_call("crd_report_add_model", arguments, n_jobs)
        return self

    def save(self, path):
        """Writes the page, whole or not at all."""
        call("crd_report_save", self._pointer, path_of(path))

    def to_bytes(self):
        """The bytes of the page."""
        return _written("crd_report_write", self._pointer)

    def _repr_html_(self):
        return _html.frame(self.to_bytes().decode("utf-8"))


class Serving(_Handle):
    """A model and a graph that grows.

    >>> graph = generate(nodes=200)
    >>> serving = Model.train(graph, "20/20/60", {"max_epochs": 20}).serve(graph)
    >>> first = serving.add(np.ones((1, graph.n_features)), [(len(graph), 0), (len(graph), 17)])
    >>> serving.predict([first]).classes.shape
    (1,)
    """

    _free = "crd_serving_free"

    def __init__(self, model, dataset, n_jobs=None):
        handles = pointer_of(model, Model, "model"), pointer_of(dataset, Dataset, "dataset")
        pointer = ctypes.c_void_p()
        long_call("crd_serving_open", lambda control: (*handles, control, ctypes.byref(pointer)), n_jobs)
        super().__init__(pointer, model, dataset)
        self._encoding = model.encoding

    def __len__(self):
        return function("crd_serving_nodes")(self._pointer)

    def add(self, X=None, edges=()):
        """New nodes with their features, and edges (pairs of node numbers). Returns the number of the first."""
        (addition, kept), first = self._addition(self._encoded(X), edges), ctypes.c_int64()
        call("crd_serving_add", self._pointer, ctypes.byref(addition), ctypes.byref(first))
        del kept  # the arrays that the addition points to
        return first.value

    def predict_new(self, X, edges=(), n_jobs=None):
        """The answers for new nodes that are not kept, each as if it alone had been added: edges join them (from number
        ``len(self)`` on) and nodes of the graph."""
        return self._predict_new(self._encoded(X), edges, n_jobs)

    def _predict_new(self, X, edges, n_jobs):
        (addition, kept), pointer = self._addition(X, edges), ctypes.c_void_p()
        long_call("crd_serving_predict_new", lambda control: (self._pointer, ctypes.byref(addition), control,
                                                              ctypes.byref(pointer)), n_jobs)
        del kept  # the arrays that the addition points to
        return Prediction(pointer, *self._kept)

    def _encoded(self, X):
        return None if X is None else _table.features(X, self._encoding)[0]

    def _addition(self, X, edges):
        """The library's structure, and the arrays that it points to."""
        addition, kept = _abi.Addition(ctypes.sizeof(_abi.Addition)), []

        def lend(name, array, dtype):
            kept.append(np.ascontiguousarray(array, dtype=dtype))
            setattr(addition, name, kept[-1].ctypes.data)

        edges = _take.whole(edges, "edges") if np.size(edges) else np.zeros((0, 2), dtype=np.int64)
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise ValueError(f"edges: have the shape {edges.shape}, expected pairs of node numbers")
        addition.edges = len(edges)
        lend("source", edges[:, 0], np.int64)
        lend("target", edges[:, 1], np.int64)
        if X is not None:
            features = self._kept[1].n_features
            if X.shape[1] != features:
                raise ValueError(f"X has {X.shape[1]} columns, but the graph has {features} features")
            addition.nodes = X.shape[0]
            if _take.is_sparse(X):
                lend("row_start", X.indptr, np.int64)
                lend("column", X.indices, np.int32)
                lend("value", X.data, np.float32)
            else:
                lend("dense", X, np.float32)
        return addition, kept

    def predict(self, nodes):
        """The answers for some nodes, old or new."""
        nodes, pointer = node_numbers(nodes), ctypes.c_void_p()
        call("crd_serving_predict", self._pointer, nodes.ctypes.data, len(nodes), ctypes.byref(pointer))
        return Prediction(pointer, *self._kept)


@contextlib.contextmanager
def log_to(listener):
    """Hears what the library chooses and why: `listener(level, message)`."""
    hear = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(
        lambda level, message, _: listener(level, _decoded(message)))
    function("crd_set_log")(hear, None)
    try:
        yield
    finally:
        function("crd_set_log")(type(hear)(), None)
