# SPDX-License-Identifier: MIT
"""Datasets, splits, models, predictions: the objects of the C library."""
import contextlib
import ctypes
import json
import os

import numpy as np

from . import _abi, _table, _take
from ._library import call, function, long_call, text_of, warn_interrupted

_TYPES = {np.dtype(np.int32): _abi.INT32, np.dtype(np.int64): _abi.INT64, np.dtype(np.float32): _abi.FLOAT32,
          np.dtype(np.float64): _abi.FLOAT64}
_ROLES = {"none": _abi.ROLE_NONE, "train": _abi.ROLE_TRAIN, "validation": _abi.ROLE_VALIDATION,
          "test": _abi.ROLE_TEST, "calibration": _abi.ROLE_CALIBRATION}
_SCORES = {"epistemic": _abi.SCORE_EPISTEMIC, "aleatoric": _abi.SCORE_ALEATORIC,
           "epistemic_features": _abi.SCORE_EPISTEMIC_FEATURES, "epistemic_class": _abi.SCORE_EPISTEMIC_CLASS}
_TASKS = {"ood": _abi.TASK_OOD, "misclassification": _abi.TASK_MISCLASSIFICATION}
_SETS = {"daps": (_abi.SETS_DAPS, 0.5), "aps": (_abi.SETS_APS, 0.0), "raps": (_abi.SETS_RAPS, 0.1)}


def choice(table, value, what):
    if value not in table:
        raise ValueError(f"{what} is {value!r}, expected one of {', '.join(table)}")
    return table[value]


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
    return None if names is None else (ctypes.c_char_p * len(names))(*[str(one).encode("utf-8") for one in names])


def _decoded(text):
    return None if text is None else text.decode("utf-8", "replace")


def _columns(given):
    """A column, or a list of them, as the library takes it; None if there is none."""
    listed = [given] if isinstance(given, (str, int)) else [] if given is None else list(given)
    return ",".join(str(one) for one in listed).encode("utf-8") if listed else None


class Dataset(_Handle):
    """A graph with features and labels. Make one with :func:`credence.open` or :meth:`Dataset.from_arrays`."""

    _free = "crd_dataset_free"

    @classmethod
    def open(cls, path, features=None, labels=None, n_jobs=None, *, label_column=None, id_column=None,
             category_columns=None, ignore_columns=None):
        """Opens a file or folder in any format that the command reads. Columns are names, or numbers from 1:
        `label_column` has the labels and `id_column` the nodes ("none": rows are in the order of the nodes) in a table
        of more than two columns; the lists `category_columns` and `ignore_columns` are columns of features that have
        categories though they are numbers, and that are no features."""
        options, pointer = _abi.OpenOptions(ctypes.sizeof(_abi.OpenOptions)), ctypes.c_void_p()
        options.features = None if features is None else os.fsencode(features)
        options.labels = None if labels is None else os.fsencode(labels)
        options.label_column, options.id_column = _columns(label_column), _columns(id_column)
        options.category_columns, options.ignore_columns = _columns(category_columns), _columns(ignore_columns)

        def arguments(control):
            options.control = ctypes.addressof(control._obj)
            return os.fsencode(path), ctypes.byref(options), ctypes.byref(pointer)

        long_call("crd_dataset_open", arguments, n_jobs)
        return cls(pointer)

    @classmethod
    def from_arrays(cls, graph, X=None, y=None, *, class_names=None, node_names=None, feature_names=None, n_jobs=None):
        """From arrays of this process: `graph` in any form (see :func:`credence.dataset`), features, and class
        numbers with -1 for nodes without one. What needs no conversion is not copied."""
        graph = graph if isinstance(graph, _take.Graph) else _take.graph(graph, None if X is None else X.shape[0])
        arrays, kept = _abi.Arrays(ctypes.sizeof(_abi.Arrays)), []
        X = graph.features if X is None else X
        y = graph.labels if y is None else y
        arrays.nodes = graph.nodes if graph.nodes is not None else X.shape[0] if X is not None else \
            int(max(graph.source.max(initial=-1), graph.target.max(initial=-1))) + 1

        def lend(array, shape=None):
            array = np.ascontiguousarray(array)
            if shape is not None and array.shape != shape:
                raise ValueError(f"an array has the shape {array.shape}, expected {shape}")
            kept.append(array)
            return _numbers(array)

        if graph.start is not None:
            arrays.start, arrays.neighbour = lend(graph.start), lend(graph.neighbour)
            arrays.edges = len(graph.neighbour)
        else:
            arrays.source, arrays.target = lend(graph.source), lend(graph.target)
            arrays.edges = len(graph.source)
        if graph.weight is not None:
            weight = graph.weight if graph.weight.dtype in _TYPES else graph.weight.astype(np.float64)
            arrays.weight = lend(weight, (arrays.edges,))
        if X is not None:
            if X.shape[0] != arrays.nodes:
                raise ValueError(f"X has {X.shape[0]} rows, but the graph has {arrays.nodes} nodes")
            arrays.features = X.shape[1]
            if _take.is_sparse(X):
                arrays.row_start, arrays.column, arrays.value = lend(X.indptr), lend(X.indices), lend(X.data)
                arrays.entries = X.nnz
            elif X.shape[1] > 0:
                arrays.dense = lend(X)
        if y is not None:
            y = np.ascontiguousarray(y, dtype=np.int32)
            if len(y) != arrays.nodes:
                raise ValueError(f"y has {len(y)} labels, but the graph has {arrays.nodes} nodes")
            kept.append(y)
            arrays.labels = y.ctypes.data
        for name, texts in (("class_names", class_names), ("node_names", node_names),
                            ("feature_names", feature_names)):
            if texts is not None:
                texts = _texts(texts)
                kept.append(texts)
                setattr(arrays, name, ctypes.addressof(texts))
        if class_names is not None:
            arrays.classes = len(class_names)
        # The arrays are lent: `kept` lives as long as the dataset, so there is nothing to do at its end.
        arrays.release = type(arrays.release)(lambda _: None)
        kept.append(arrays.release)
        pointer = ctypes.c_void_p()

        def arguments(control):
            arrays.control = ctypes.addressof(control._obj)
            return ctypes.byref(arrays), ctypes.byref(pointer)

        long_call("crd_dataset_from_arrays", arguments, n_jobs)
        return cls(pointer, kept)

    def __len__(self):
        return function("crd_dataset_nodes")(self._pointer)

    @property
    def n_features(self):
        return function("crd_dataset_features")(self._pointer)

    @property
    def n_classes(self):
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
        return self._names("crd_dataset_class_names", self.n_classes)

    @property
    def node_names(self):
        return self._names("crd_dataset_node_names", len(self))

    @property
    def feature_names(self):
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
        """Which nodes train, validate, calibrate and test: "5/15/80", "20n/30n/rest", or the data's own split."""
        pointer = ctypes.c_void_p()
        call("crd_split_make", self._pointer, None if spec is None else spec.encode(), index, seed,
             ctypes.byref(pointer))
        return Split(pointer)

    def to_bytes(self):
        """The graph as the bytes of an .npz file."""
        parts = []
        writer = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)(
            lambda address, size, _: parts.append(ctypes.string_at(address, size)) is None)
        call("crd_dataset_write", self._pointer, writer, None)
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, data):
        pointer = ctypes.c_void_p()
        call("crd_dataset_open_memory", data, len(data), None, ctypes.byref(pointer))
        return cls(pointer)

    def __reduce__(self):
        return Dataset.from_bytes, (self.to_bytes(),)

    def save(self, path):
        """Writes the graph: an .npz file, or a folder of .npy arrays."""
        call("crd_dataset_save", self._pointer, os.fsencode(path), _abi.FORMAT_AUTO)

    def __repr__(self):
        return f"<credence.Dataset: {len(self)} nodes, {self.n_features} features, {self.n_classes} classes>"


class Split(_Handle):
    """Which nodes train, validate, calibrate and test."""

    _free = "crd_split_free"

    @classmethod
    def from_roles(cls, roles):
        """From one role per node: 0 none, 1 train, 2 validation, 3 test, 4 calibration, or their names."""
        roles = _take.array(roles, "roles")
        if roles.dtype.kind in "UO":
            roles = [choice(_ROLES, one, "a role") for one in roles.tolist()]
        roles, pointer = np.ascontiguousarray(roles, dtype=np.uint8), ctypes.c_void_p()
        call("crd_split_from_roles", roles.ctypes.data, len(roles), ctypes.byref(pointer))
        return cls(pointer)

    @classmethod
    def read(cls, dataset, path):
        pointer = ctypes.c_void_p()
        call("crd_split_read", dataset._pointer, os.fsencode(path), ctypes.byref(pointer))
        return cls(pointer)

    def count(self, role):
        return function("crd_split_count")(self._pointer, choice(_ROLES, role, "role"))

    @property
    def roles(self):
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
            call("crd_config_preset", self._pointer, str(value).encode())
        elif value is not None:
            text = ("on" if value else "off") if isinstance(value, (bool, np.bool_)) else str(value)
            call("crd_config_set", self._pointer, name.encode(), text.encode())

    def as_dict(self):
        return json.loads(text_of("crd_config_json", self._pointer))


def options():
    """The library's options: their names, the forms of their values, defaults, and help."""
    found = []
    while (address := function("crd_option_at")(len(found))):
        one = _abi.Option.from_address(address)
        found.append({field: _decoded(getattr(one, field)) for field, _ in _abi.Option._fields_})
    return found


def kinds():
    found = []
    while (name := function("crd_kind_name")(len(found))) is not None:
        found.append(name.decode())
    return found


class Model(_Handle):
    """A trained model. Make one with :func:`credence.train` or :func:`credence.load`."""

    _free = "crd_model_free"

    @classmethod
    def train(cls, dataset, split=None, config=None, init=None, n_jobs=None, progress=None):
        """Trains. Ctrl-C keeps the best model so far, and warns; a second one raises KeyboardInterrupt."""
        split = split if isinstance(split, Split) else dataset.split(split)
        config = config if isinstance(config, Config) else Config(**(config or {}))
        wanted, pointer = _abi.TrainOptions(ctypes.sizeof(_abi.TrainOptions)), ctypes.c_void_p()
        wanted.init = None if init is None else init._pointer.value
        listen = None if progress is None else lambda phase, done, epoch: progress(epoch) if epoch else None

        def arguments(control):
            wanted.control = ctypes.addressof(control._obj)
            return dataset._pointer, split._pointer, config._pointer, ctypes.byref(wanted), ctypes.byref(pointer)

        if long_call("crd_train", arguments, n_jobs, listen):
            warn_interrupted()
        return cls(pointer)

    @classmethod
    def load(cls, source):
        """From a file, or from the bytes of one."""
        pointer = ctypes.c_void_p()
        if isinstance(source, (bytes, bytearray, memoryview)):
            source = bytes(source)
            call("crd_model_load_memory", source, len(source), None, ctypes.byref(pointer))
        else:
            call("crd_model_load", os.fsencode(source), ctypes.byref(pointer))
        return cls(pointer)

    def save(self, path):
        """Writes a safetensors file, whole or not at all."""
        call("crd_model_save", self._pointer, os.fsencode(path))

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
        call("crd_model_set_metadata", self._pointer, key.encode(), None if value is None else value.encode())

    def predict(self, dataset, nodes=None, n_jobs=None):
        """Classifies all nodes of a graph, or some of them."""
        pointer = ctypes.c_void_p()
        if nodes is None:
            long_call("crd_predict", lambda control: (self._pointer, dataset._pointer, control, ctypes.byref(pointer)),
                      n_jobs)
        else:
            nodes = np.ascontiguousarray(nodes, dtype=np.int64)
            long_call("crd_predict_nodes", lambda control: (self._pointer, dataset._pointer, nodes.ctypes.data,
                                                            len(nodes), control, ctypes.byref(pointer)), n_jobs)
        return Prediction(pointer, self, dataset)

    def evaluate(self, dataset, split=None, task="misclassification", n_jobs=None):
        """Metrics on the test nodes of a split (None: of the model's own), as a dictionary."""
        found = _abi.Evaluation()
        long_call("crd_evaluate_sized", lambda control: (
            self._pointer, dataset._pointer, None if split is None else split._pointer, choice(_TASKS, task, "task"),
            control, ctypes.byref(found), ctypes.sizeof(found)), n_jobs)
        return json.loads(text_of("crd_evaluation_json", ctypes.byref(found)))

    def explain(self, dataset, node, most=10, n_jobs=None):
        """Which nodes the answer for a node comes from, as a dictionary; the contributions add up exactly."""
        pointer = ctypes.c_void_p()
        long_call("crd_explain", lambda control: (self._pointer, dataset._pointer, node, most, control,
                                                  ctypes.byref(pointer)), n_jobs)
        try:
            return json.loads(text_of("crd_explanation_json", pointer))
        finally:
            function("crd_explanation_free")(ctypes.byref(pointer))

    def report(self, dataset, path, title="Credence", split=None, n_jobs=None):
        """Writes an HTML page that needs no network: map, answers, uncertainties, curves."""
        pointer, wanted = ctypes.c_void_p(), _abi.ReportOptions()
        function("crd_report_defaults_sized")(ctypes.byref(wanted), ctypes.sizeof(wanted))
        wanted.split = None if split is None else split._pointer.value
        call("crd_report_new", title.encode(), ctypes.byref(pointer))

        def arguments(control):
            wanted.control = ctypes.addressof(control._obj)
            return pointer, self._pointer, dataset._pointer, ctypes.byref(wanted)

        try:
            long_call("crd_report_add_model", arguments, n_jobs)
            call("crd_report_save", pointer, os.fsencode(path))
        finally:
            function("crd_report_free")(ctypes.byref(pointer))

    def serve(self, dataset, n_jobs=None):
        """A handle that scores new nodes as they arrive."""
        return Serving(self, dataset, n_jobs)

    def __repr__(self):
        facts = self.facts()
        return f"<credence.Model: {facts['model']}, {len(self.class_names)} classes>"


class Prediction(_Handle):
    """The answers of a model. Arrays are read-only views of the library's memory."""

    _free = "crd_prediction_free"

    def __len__(self):
        return function("crd_prediction_nodes")(self._pointer)

    @property
    def n_classes(self):
        return function("crd_prediction_classes")(self._pointer)

    @property
    def nodes(self):
        node = function("crd_prediction_node")
        return np.array([node(self._pointer, i) for i in range(len(self))], dtype=np.int64)

    @property
    def classes(self):
        """The most probable class of every row, as a number."""
        return self._view("crd_prediction_class", np.int32, (len(self),))

    @property
    def probability(self):
        return self._view("crd_prediction_probability", np.float32, (len(self), self.n_classes))

    @property
    def alpha(self):
        """Dirichlet parameters; None if the model has none."""
        return self._view("crd_prediction_alpha", np.float32, (len(self), self.n_classes))

    @property
    def latent(self):
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
        call("crd_prediction_flag_unknown", self._pointer, float(false_alarms), None)
        return self._view("crd_prediction_unknown", np.bool_, (len(self),))

    def answer(self, max_error, confidence=0.9):
        """True where there is an answer: as many as possible while at most this fraction of them is wrong."""
        call("crd_prediction_answer", self._pointer, float(max_error), float(confidence), None)
        return self._view("crd_prediction_answered", np.bool_, (len(self),))

    def sets(self, coverage=0.9, method="daps"):
        """Rows x classes: True where a class is in the set, which holds the right one with this probability."""
        number, weight = choice(_SETS, method, "method")
        call("crd_prediction_sets", self._pointer, self._kept[1]._pointer, float(coverage), number, weight)
        return self._view("crd_prediction_set", np.bool_, (len(self), self.n_classes))

    def save(self, path, full=False):
        """Writes a table: .csv, .jsonl or .npz."""
        call("crd_prediction_write", self._pointer, self._kept[1]._pointer, os.fsencode(path), _abi.TABLE_AUTO, full)


class Serving(_Handle):
    """A model and a graph that grows."""

    _free = "crd_serving_free"

    def __init__(self, model, dataset, n_jobs=None):
        pointer = ctypes.c_void_p()
        long_call("crd_serving_open", lambda control: (model._pointer, dataset._pointer, control,
                                                       ctypes.byref(pointer)), n_jobs)
        super().__init__(pointer, model, dataset)

    def __len__(self):
        return function("crd_serving_nodes")(self._pointer)

    def add(self, X=None, edges=()):
        """New nodes with their features, and edges (pairs of node numbers). Returns the number of the first."""
        addition, first, kept = _abi.Addition(ctypes.sizeof(_abi.Addition)), ctypes.c_int64(), []
        edges = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
        source, target = (np.ascontiguousarray(edges[:, i]) for i in (0, 1))
        addition.edges, addition.source, addition.target = len(edges), source.ctypes.data, target.ctypes.data
        if X is not None:
            X, _, _ = _table.features(X)
            features = self._kept[1].n_features
            if X.shape[1] != features:
                raise ValueError(f"X has {X.shape[1]} columns, but the graph has {features} features")
            addition.nodes = X.shape[0]
            parts = (("row_start", X.indptr, np.int64), ("column", X.indices, np.int32),
                     ("value", X.data, np.float32)) if _take.is_sparse(X) else (("dense", X, np.float32),)
            for name, array, dtype in parts:
                kept.append(np.ascontiguousarray(array, dtype=dtype))
                setattr(addition, name, kept[-1].ctypes.data)
        call("crd_serving_add", self._pointer, ctypes.byref(addition), ctypes.byref(first))
        return first.value

    def predict(self, nodes):
        nodes, pointer = np.ascontiguousarray(nodes, dtype=np.int64).reshape(-1), ctypes.c_void_p()
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
