# SPDX-License-Identifier: MIT
"""The structures and functions of credence.h for ctypes. scripts/python_abi.py writes this file."""
# fmt: off
# ruff: noqa
from ctypes import (CFUNCTYPE, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64,
                    c_size_t, c_uint8, c_uint64, c_void_p)

VERSION = (0, 1)  # of the interface: a library with another one does not fit

MESSAGE_SIZE = 640
MAX_NODES = 2147483647
MAX_FEATURES = 2147483647
MAX_CLASSES = 4096
MAX_HIDDEN = 65536
MAX_LATENT = 512
MAX_THREADS = 1024
STACK_SIZE = 131072
MAX_TERMS = 4
ECE_BINS = 15

OK = 0
ERROR_MEMORY = 1
ERROR_IO = 2
ERROR_FORMAT = 3
ERROR_ARGUMENT = 4
ERROR_MISMATCH = 5
ERROR_NUMERIC = 6
ERROR_STOPPED = 7

LOG_DETAIL = 0
LOG_INFO = 1
LOG_WARNING = 2

HEADER_AUTO = 0
HEADER_YES = 1
HEADER_NO = 2

FIRST_ID_AUTO = 0
FIRST_ID_0 = 1
FIRST_ID_1 = 2

WEIGHTS_AUTO = 0
WEIGHTS_IGNORE = 1
WEIGHTS_REFUSE = 2

INT32 = 1
INT64 = 2
FLOAT32 = 3
FLOAT64 = 4

FORMAT_AUTO = 0
FORMAT_NPZ = 1
FORMAT_NPY = 2
FORMAT_CSV = 3
FORMAT_MTX = 4
FORMAT_OGB = 5

ROLE_NONE = 0
ROLE_TRAIN = 1
ROLE_VALIDATION = 2
ROLE_TEST = 3
ROLE_CALIBRATION = 4

STOP_PATIENCE = 0
STOP_EPOCHS = 1
STOP_REQUESTED = 2
STOP_UNTRAINED = 3
STOP_DIVERGED = 4
STOP_NOTHING = 5

SCORE_EPISTEMIC = 0
SCORE_ALEATORIC = 1
SCORE_EPISTEMIC_FEATURES = 2
SCORE_EPISTEMIC_CLASS = 3

SETS_DAPS = 0
SETS_APS = 1
SETS_RAPS = 2

TABLE_AUTO = 0
TABLE_CSV = 1
TABLE_NPZ = 2
TABLE_JSONL = 3

CURVE_ROC = 0
CURVE_PR = 1
CURVE_RISK = 2

SHIFT_BERNOULLI = 0
SHIFT_NORMAL = 1
SHIFT_REWIRE = 2
SHIFT_DICE = 3

TASK_OOD = 0
TASK_MISCLASSIFICATION = 1
TASK_SHIFT = 2


class Error(Structure):
    _fields_ = [
        ("status", c_int),
        ("about", c_char * 48),
        ("message", c_char * 640),
    ]


class Allocator(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocate", CFUNCTYPE(c_void_p, c_size_t, c_void_p)),
        ("allocate_zero", CFUNCTYPE(c_void_p, c_size_t, c_void_p)),
        ("reallocate", CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_void_p)),
        ("release", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("user", c_void_p),
    ]


class Progress(Structure):
    _fields_ = [
        ("phase", c_char_p),
        ("done", c_double),
        ("epoch", c_void_p),
        ("map", c_void_p),
    ]


class Control(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_int),
        ("stop", c_void_p),
        ("progress", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
        ("user", c_void_p),
    ]


class OpenOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("features", c_char_p),
        ("labels", c_char_p),
        ("header", c_int),
        ("first_id", c_int),
        ("edge_weights", c_int),
        ("min_edge_weight", c_double),
        ("control", c_void_p),
        ("label_column", c_char_p),
        ("id_column", c_char_p),
        ("category_columns", c_char_p),
        ("ignore_columns", c_char_p),
    ]


class Numbers(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int),
    ]


class Arrays(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("nodes", c_int64),
        ("edges", c_int64),
        ("source", Numbers),
        ("target", Numbers),
        ("start", Numbers),
        ("neighbour", Numbers),
        ("weight", Numbers),
        ("edge_weights", c_int),
        ("min_edge_weight", c_double),
        ("features", c_int64),
        ("dense", Numbers),
        ("dense_stride", c_int64),
        ("entries", c_int64),
        ("row_start", Numbers),
        ("column", Numbers),
        ("value", Numbers),
        ("labels", c_void_p),
        ("classes", c_int32),
        ("class_names", c_void_p),
        ("node_names", c_void_p),
        ("feature_names", c_void_p),
        ("release", CFUNCTYPE(None, c_void_p)),
        ("user", c_void_p),
        ("control", c_void_p),
    ]


class GenerateOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("nodes", c_int64),
        ("classes", c_int32),
        ("features", c_int64),
        ("degree", c_double),
        ("homophily", c_double),
        ("words", c_double),
        ("strength", c_double),
        ("overlap", c_double),
        ("lookalikes", c_int32),
        ("seed", c_uint64),
        ("control", c_void_p),
    ]


class Info(Structure):
    _fields_ = [
        ("nodes", c_int64),
        ("input_edges", c_int64),
        ("edges", c_int64),
        ("directed", c_bool),
        ("self_loops", c_int64),
        ("duplicates", c_int64),
        ("isolated", c_int64),
        ("components", c_int64),
        ("largest_component", c_int64),
        ("degree_min", c_int64),
        ("degree_max", c_int64),
        ("degree_mean", c_double),
        ("degree_median", c_double),
        ("features", c_int64),
        ("features_sparse", c_bool),
        ("features_nonzero", c_int64),
        ("feature_density", c_double),
        ("feature_min", c_float),
        ("feature_max", c_float),
        ("featureless", c_int64),
        ("classes", c_int32),
        ("labelled", c_int64),
        ("edge_homophily", c_double),
        ("edge_homophily_chance", c_double),
        ("edges_mislead", c_bool),
        ("splits", c_int),
    ]


class Option(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("argument", c_char_p),
        ("default_value", c_char_p),
        ("help", c_char_p),
    ]


class Epoch(Structure):
    _fields_ = [
        ("warmup", c_bool),
        ("epoch", c_int64),
        ("loss", c_double),
        ("terms", c_int),
        ("term_name", c_char_p * 4),
        ("term", c_double * 4),
        ("validation_cross_entropy", c_double),
        ("validation_accuracy", c_double),
        ("best", c_bool),
        ("best_epoch", c_int64),
        ("seconds", c_double),
        ("network", c_int32),
    ]


class TrainOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("init", c_void_p),
        ("control", c_void_p),
        ("checkpoint", c_char_p),
        ("checkpoint_seconds", c_double),
    ]


class ModelFacts(Structure):
    _fields_ = [
        ("kind", c_char_p),
        ("features", c_int64),
        ("classes", c_int32),
        ("left_out", c_int32),
        ("parameters", c_int64),
        ("graph_nodes", c_int64),
        ("training_nodes", c_int64),
        ("epochs", c_int64),
        ("best_epoch", c_int64),
        ("best_cross_entropy", c_double),
        ("best_accuracy", c_double),
        ("calibration", c_char_p),
        ("temperature", c_double),
        ("calibration_nodes", c_int64),
        ("seconds", c_double),
        ("stop", c_int),
        ("fingerprint", c_char_p),
        ("split", c_char_p),
        ("version", c_char_p),
        ("networks", c_int32),
        ("view", c_double * 3),
        ("id", c_char_p),
    ]


class Rejection(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("by_threshold", c_bool),
        ("above", c_double),
        ("by_coverage", c_bool),
        ("coverage", c_double),
        ("score", c_int),
    ]


class Addition(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("nodes", c_int64),
        ("dense", c_void_p),
        ("row_start", c_void_p),
        ("column", c_void_p),
        ("value", c_void_p),
        ("edges", c_int64),
        ("source", c_void_p),
        ("target", c_void_p),
    ]


class Detection(Structure):
    _fields_ = [
        ("auroc", c_double),
        ("aupr", c_double),
        ("ap", c_double),
        ("fpr95", c_double),
    ]


class Failure(Structure):
    _fields_ = [
        ("auroc", c_double),
        ("aupr_error", c_double),
        ("aupr_success", c_double),
        ("aurc", c_double),
    ]


class Point(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
    ]


class ReliabilityBin(Structure):
    _fields_ = [
        ("low", c_double),
        ("high", c_double),
        ("count", c_int64),
        ("confidence", c_double),
        ("accuracy", c_double),
    ]


class Comparison(Structure):
    _fields_ = [
        ("pairs", c_int64),
        ("mean_a", c_double),
        ("mean_b", c_double),
        ("difference", c_double),
        ("low", c_double),
        ("high", c_double),
        ("wilcoxon_p", c_double),
        ("sign_p", c_double),
        ("wins", c_int64),
        ("ties", c_int64),
        ("losses", c_int64),
    ]


class Shift(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("amount", c_double),
        ("isolated", c_bool),
        ("most_nodes", c_int64),
        ("seed", c_uint64),
    ]


class Promises(Structure):
    _fields_ = [
        ("calibration_nodes", c_int64),
        ("false_alarms", c_double * 3),
        ("detected", c_double * 3),
        ("answered", c_double * 3),
        ("wrong", c_double * 3),
        ("set_coverage", c_double),
        ("set_size", c_double),
        ("set_coverage_degree", c_double * 3),
        ("aps_coverage", c_double),
        ("aps_size", c_double),
    ]


class Evaluation(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("task", c_int),
        ("nodes", c_int64),
        ("positives", c_int64),
        ("trained", c_int64),
        ("accuracy", c_double),
        ("balanced_accuracy", c_double),
        ("prevalence", c_double),
        ("ood_aleatoric", Detection),
        ("ood_epistemic", Detection),
        ("ood_epistemic_features", Detection),
        ("failure_aleatoric", Failure),
        ("failure_epistemic", Failure),
        ("ece", c_double),
        ("brier", c_double),
        ("nll", c_double),
        ("ece_before", c_double),
        ("brier_before", c_double),
        ("nll_before", c_double),
        ("calibration", c_char_p),
        ("promises", Promises),
        ("shift", Shift),
        ("accuracy_shifted", c_double),
        ("accuracy_before", c_double),
        ("edges_removed", c_int64),
        ("edges_added", c_int64),
    ]


class ClassResult(Structure):
    _fields_ = [
        ("precision", c_double),
        ("recall", c_double),
        ("support", c_int64),
    ]


class Contribution(Structure):
    _fields_ = [
        ("node", c_int64),
        ("hops", c_int32),
        ("evidence", c_void_p),
        ("total", c_double),
        ("doubt", c_double),
    ]


class TsneState(Structure):
    _fields_ = [
        ("iteration", c_int64),
        ("iterations", c_int64),
        ("divergence", c_double),
    ]


class TsneOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("perplexity", c_double),
        ("iterations", c_int64),
        ("early", c_int64),
        ("exaggeration", c_double),
        ("learning_rate", c_double),
        ("start", c_void_p),
        ("seed", c_uint64),
        ("control", c_void_p),
    ]


class ReportOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("title", c_char_p),
        ("data", c_char_p),
        ("command", c_char_p),
        ("split", c_void_p),
        ("map", c_void_p),
        ("tsne", c_void_p),
        ("control", c_void_p),
    ]


# The size of every structure, and where its members are, as the C compiler sees them.
LAYOUT = {
    Error: (692, [0, 4, 52]),
    Allocator: (48, [0, 8, 16, 24, 32, 40]),
    Progress: (32, [0, 8, 16, 24]),
    Control: (40, [0, 8, 16, 24, 32]),
    OpenOptions: (88, [0, 8, 16, 24, 28, 32, 40, 48, 56, 64, 72, 80]),
    Numbers: (16, [0, 8]),
    Arrays: (272, [0, 8, 16, 24, 40, 56, 72, 88, 104, 112, 120, 128, 144, 152, 160, 176, 192, 208, 216, 224, 232, 240, 248, 256, 264]),
    GenerateOptions: (96, [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88]),
    Info: (192, [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 140, 144, 152, 160, 168, 176, 184, 188]),
    Option: (32, [0, 8, 16, 24]),
    Epoch: (144, [0, 8, 16, 24, 32, 64, 96, 104, 112, 120, 128, 136]),
    TrainOptions: (40, [0, 8, 16, 24, 32]),
    ModelFacts: (184, [0, 8, 16, 20, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 176]),
    Rejection: (48, [0, 8, 16, 24, 32, 40]),
    Addition: (72, [0, 8, 16, 24, 32, 40, 48, 56, 64]),
    Detection: (32, [0, 8, 16, 24]),
    Failure: (32, [0, 8, 16, 24]),
    Point: (16, [0, 8]),
    ReliabilityBin: (40, [0, 8, 16, 24, 32]),
    Comparison: (88, [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80]),
    Shift: (48, [0, 8, 16, 24, 32, 40]),
    Promises: (160, [0, 8, 32, 56, 80, 104, 112, 120, 144, 152]),
    Evaluation: (520, [0, 8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 160, 192, 224, 232, 240, 248, 256, 264, 272, 280, 440, 488, 496, 504, 512]),
    ClassResult: (24, [0, 8, 16]),
    Contribution: (40, [0, 8, 16, 24, 32]),
    TsneState: (24, [0, 8, 16]),
    TsneOptions: (72, [0, 8, 16, 24, 32, 40, 48, 56, 64]),
    ReportOptions: (64, [0, 8, 16, 24, 32, 40, 48, 56]),
}

FUNCTIONS = {  # what they return and take
    "crd_version": (c_char_p, []),
    "crd_set_allocator": (c_int, [c_void_p, c_void_p]),
    "crd_set_log": (None, [CFUNCTYPE(None, c_int, c_char_p, c_void_p), c_void_p]),
    "crd_string_free": (None, [c_void_p]),
    "crd_bytes_free": (None, [c_void_p]),
    "crd_dataset_open": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "crd_dataset_open_memory": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p]),
    "crd_dataset_from_arrays": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_generate_defaults_sized": (None, [c_void_p, c_size_t]),
    "crd_generate": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_dataset_save": (c_int, [c_void_p, c_char_p, c_int, c_void_p]),
    "crd_dataset_write": (c_int, [c_void_p, CFUNCTYPE(c_bool, c_void_p, c_size_t, c_void_p), c_void_p, c_void_p]),
    "crd_dataset_free": (None, [c_void_p]),
    "crd_dataset_nodes": (c_int64, [c_void_p]),
    "crd_dataset_features": (c_int64, [c_void_p]),
    "crd_dataset_classes": (c_int32, [c_void_p]),
    "crd_dataset_label": (c_int32, [c_void_p, c_int64]),
    "crd_dataset_node_name": (c_char_p, [c_void_p, c_int64]),
    "crd_dataset_feature_name": (c_char_p, [c_void_p, c_int64]),
    "crd_dataset_class_name": (c_char_p, [c_void_p, c_int32]),
    "crd_dataset_find_node": (c_int64, [c_void_p, c_char_p]),
    "crd_dataset_labels": (c_void_p, [c_void_p]),
    "crd_dataset_adjacency": (c_int64, [c_void_p, c_void_p, c_void_p]),
    "crd_dataset_input": (c_int64, [c_void_p, c_void_p, c_void_p]),
    "crd_dataset_dense": (c_void_p, [c_void_p]),
    "crd_dataset_sparse": (c_int64, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_dataset_node_names": (c_void_p, [c_void_p]),
    "crd_dataset_feature_names": (c_void_p, [c_void_p]),
    "crd_dataset_class_names": (c_void_p, [c_void_p]),
    "crd_dataset_fingerprint": (c_char_p, [c_void_p]),
    "crd_dataset_note_count": (c_int, [c_void_p]),
    "crd_dataset_note": (c_char_p, [c_void_p, c_int]),
    "crd_dataset_info_sized": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "crd_dataset_class_counts": (None, [c_void_p, c_void_p]),
    "crd_dataset_info_json": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_split_make": (c_int, [c_void_p, c_char_p, c_int, c_uint64, c_void_p, c_void_p]),
    "crd_split_read": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crd_split_from_roles": (c_int, [c_void_p, c_int64, c_void_p, c_void_p]),
    "crd_split_free": (None, [c_void_p]),
    "crd_split_role": (c_int, [c_void_p, c_int64]),
    "crd_split_roles": (c_void_p, [c_void_p]),
    "crd_split_count": (c_int64, [c_void_p, c_int]),
    "crd_split_description": (c_char_p, [c_void_p]),
    "crd_config_new": (c_int, [c_void_p, c_void_p]),
    "crd_config_free": (None, [c_void_p]),
    "crd_config_set": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "crd_config_get": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crd_config_preset": (c_int, [c_void_p, c_char_p, c_void_p]),
    "crd_config_read": (c_int, [c_void_p, c_char_p, c_void_p]),
    "crd_config_parse": (c_int, [c_void_p, c_char_p, c_void_p]),
    "crd_config_json": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_option_at": (c_void_p, [c_int]),
    "crd_kind_name": (c_char_p, [c_int]),
    "crd_preset_name": (c_char_p, [c_int]),
    "crd_train": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_train_memory": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_stop_name": (c_char_p, [c_int]),
    "crd_model_get_facts_sized": (None, [c_void_p, c_void_p, c_size_t]),
    "crd_model_facts_json": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_model_config": (c_void_p, [c_void_p]),
    "crd_model_class_name": (c_char_p, [c_void_p, c_int32]),
    "crd_model_split": (c_void_p, [c_void_p]),
    "crd_model_history_count": (c_int64, [c_void_p]),
    "crd_model_history_at_sized": (c_bool, [c_void_p, c_int64, c_void_p, c_size_t]),
    "crd_model_set_metadata": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "crd_model_metadata": (c_char_p, [c_void_p, c_char_p]),
    "crd_model_metadata_key": (c_char_p, [c_void_p, c_int]),
    "crd_model_save": (c_int, [c_void_p, c_char_p, c_void_p]),
    "crd_model_write": (c_int, [c_void_p, CFUNCTYPE(c_bool, c_void_p, c_size_t, c_void_p), c_void_p, c_void_p]),
    "crd_model_save_memory": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_model_load": (c_int, [c_char_p, c_void_p, c_void_p]),
    "crd_model_load_memory": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p]),
    "crd_model_free": (None, [c_void_p]),
    "crd_model_align": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_model_notes": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_predict": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_predict_nodes": (c_int, [c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p]),
    "crd_predict_part": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p]),
    "crd_prediction_free": (None, [c_void_p]),
    "crd_prediction_nodes": (c_int64, [c_void_p]),
    "crd_prediction_node": (c_int64, [c_void_p, c_int64]),
    "crd_prediction_classes": (c_int32, [c_void_p]),
    "crd_prediction_class": (c_void_p, [c_void_p]),
    "crd_prediction_probability": (c_void_p, [c_void_p]),
    "crd_prediction_alpha": (c_void_p, [c_void_p]),
    "crd_prediction_alpha_features": (c_void_p, [c_void_p]),
    "crd_prediction_latent": (c_void_p, [c_void_p]),
    "crd_prediction_latent_dims": (c_int64, [c_void_p]),
    "crd_prediction_score": (c_void_p, [c_void_p, c_int]),
    "crd_prediction_reject": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_prediction_rejected": (c_void_p, [c_void_p]),
    "crd_prediction_doubt": (c_void_p, [c_void_p]),
    "crd_prediction_flag_unknown": (c_int, [c_void_p, c_double, c_void_p, c_void_p]),
    "crd_prediction_answer": (c_int, [c_void_p, c_double, c_double, c_void_p, c_void_p]),
    "crd_prediction_sets": (c_int, [c_void_p, c_void_p, c_double, c_int, c_double, c_void_p]),
    "crd_prediction_unknown": (c_void_p, [c_void_p]),
    "crd_prediction_answered": (c_void_p, [c_void_p]),
    "crd_prediction_set": (c_void_p, [c_void_p]),
    "crd_prediction_keep": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_prediction_write": (c_int, [c_void_p, c_void_p, c_char_p, c_int, c_bool, c_void_p]),
    "crd_prediction_write_to": (c_int, [c_void_p, c_void_p, CFUNCTYPE(c_bool, c_void_p, c_size_t, c_void_p), c_void_p, c_int, c_bool, c_void_p]),
    "crd_serving_open": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_serving_free": (None, [c_void_p]),
    "crd_serving_watch": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_serving_nodes": (c_int64, [c_void_p]),
    "crd_serving_add": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_serving_predict": (c_int, [c_void_p, c_void_p, c_int64, c_void_p, c_void_p]),
    "crd_serving_predict_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_detection_metrics": (c_int, [c_void_p, c_void_p, c_int64, c_void_p, c_void_p]),
    "crd_failure_metrics": (c_int, [c_void_p, c_void_p, c_int64, c_void_p, c_void_p]),
    "crd_curve_points": (c_int, [c_int, c_void_p, c_void_p, c_int64, c_void_p, c_int64, c_void_p, c_void_p]),
    "crd_reliability": (c_int, [c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p]),
    "crd_compare": (c_int, [c_void_p, c_void_p, c_int64, c_uint64, c_void_p, c_void_p]),
    "crd_shift_defaults_sized": (None, [c_void_p, c_size_t]),
    "crd_evaluate_sized": (c_int, [c_void_p, c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_size_t, c_void_p]),
    "crd_evaluate_shift_sized": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p]),
    "crd_evaluation_json": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_evaluate_classes": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_explain": (c_int, [c_void_p, c_void_p, c_int64, c_int64, c_void_p, c_void_p, c_void_p]),
    "crd_explanation_free": (None, [c_void_p]),
    "crd_explanation_classes": (c_int32, [c_void_p]),
    "crd_explanation_quantity": (c_char_p, [c_void_p]),
    "crd_explanation_alpha": (c_void_p, [c_void_p]),
    "crd_explanation_logits": (c_void_p, [c_void_p]),
    "crd_explanation_doubt": (c_double, [c_void_p, c_void_p, c_void_p]),
    "crd_explanation_count": (c_int64, [c_void_p]),
    "crd_explanation_at": (c_void_p, [c_void_p, c_int64]),
    "crd_explanation_rest": (c_void_p, [c_void_p]),
    "crd_explanation_json": (c_int, [c_void_p, c_void_p, c_void_p]),
    "crd_tsne_defaults_sized": (None, [c_void_p, c_size_t]),
    "crd_tsne": (c_int, [c_void_p, c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_report_new": (c_int, [c_char_p, c_void_p, c_void_p]),
    "crd_report_free": (None, [c_void_p]),
    "crd_report_defaults_sized": (None, [c_void_p, c_size_t]),
    "crd_report_add_model": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crd_report_save": (c_int, [c_void_p, c_char_p, c_void_p]),
    "crd_report_write": (c_int, [c_void_p, CFUNCTYPE(c_bool, c_void_p, c_size_t, c_void_p), c_void_p, c_void_p]),
}
