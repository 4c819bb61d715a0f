/* SPDX-License-Identifier: MIT */
/* The epochs of a model's training, as in its file, so that a report needs only the model. */
#ifndef CRD_MODELS_HISTORY_H
#define CRD_MODELS_HISTORY_H

#include <jansson.h>

#include "base/text.h"

enum {
    CRD_HISTORY_MOST = 5000,               /* epochs kept; longer trainings keep every second, every fourth, ... */
    CRD_HISTORY_TERMS = 2 * CRD_MAX_TERMS, /* a teacher and its pupil have different terms */
    CRD_HISTORY_NAME = 32
};

/* The columns; those of the terms come last. */
enum {
    CRD_HISTORY_EPOCH,
    CRD_HISTORY_BEST_EPOCH,
    CRD_HISTORY_LOSS, /* from here on floats; NaN means that there is no such number */
    CRD_HISTORY_CROSS_ENTROPY,
    CRD_HISTORY_ACCURACY,
    CRD_HISTORY_FIRST_TERM,
    CRD_HISTORY_COLUMNS = CRD_HISTORY_FIRST_TERM + CRD_HISTORY_TERMS
};

typedef struct crd_history_row {
    bool warmup;
    double value[CRD_HISTORY_COLUMNS];
} crd_history_row;

typedef struct crd_history {
    int64_t count;
    int64_t every;         /* epochs 1, 1 + every, 1 + 2 every, ... are kept */
    crd_history_row *rows; /* room for CRD_HISTORY_MOST while training; NULL: none */
    int terms;
    char term[CRD_HISTORY_TERMS][CRD_HISTORY_NAME];
} crd_history;

/* Makes room for all epochs that will be kept, so that no epoch allocates. */
crd_status crd_history_open(crd_history *history, crd_error *error);
void crd_history_add(crd_history *history, const crd_epoch *epoch);
/* Makes an open history without epochs that of another training. */
void crd_history_copy(crd_history *history, const crd_history *from);
void crd_history_free(crd_history *history);

/* One object with one array per column; NULL for a history without epochs. The caller frees it. */
crd_status crd_history_json(const crd_history *history, char **json, crd_error *error);
/* Reads it back. CRD_ERROR_FORMAT, without a sentence, if it is not a history. */
crd_status crd_history_read(crd_history *history, const json_t *json, crd_error *error);

#endif
