/* The epochs of a model's training, as its file has them: so that what a report draws can be drawn from the
 * model alone. */
#ifndef CRD_MODELS_HISTORY_H
#define CRD_MODELS_HISTORY_H

#include <jansson.h>

#include "base/text.h"

enum {
    CRD_HISTORY_MOST = 5000,               /* epochs kept; of longer trainings every second, every fourth, ... */
    CRD_HISTORY_TERMS = 2 * CRD_MAX_TERMS, /* a teacher and its pupil have different ones */
    CRD_HISTORY_NAME = 32
};

/* NaN is what there is none of. */
typedef struct crd_history_row {
    bool warmup;
    int64_t epoch, best_epoch;
    float loss, cross_entropy, accuracy;
    float term[CRD_HISTORY_TERMS];
} crd_history_row;

typedef struct crd_history {
    int64_t count;
    int64_t every;         /* epochs 1, 1 + every, 1 + 2 every, ... are kept */
    crd_history_row *rows; /* room for CRD_HISTORY_MOST while training; NULL: none */
    int terms;
    char term[CRD_HISTORY_TERMS][CRD_HISTORY_NAME];
} crd_history;

/* Room for all that will be kept, so that no epoch allocates. */
crd_status crd_history_open(crd_history *history, crd_error *error);
void crd_history_add(crd_history *history, const crd_epoch *epoch);
/* Gives back what is not used. */
void crd_history_shrink(crd_history *history);
void crd_history_free(crd_history *history);

/* For a JSON object that is open: one column of floats, `offset` bytes into each row, and all terms. */
void crd_history_add_floats(crd_text *text, const crd_history *history, const char *name, size_t offset);
void crd_history_add_terms(crd_text *text, const crd_history *history);
/* One object, one array per column; for a history without epochs NULL. The caller frees it. */
crd_status crd_history_json(const crd_history *history, char **json, crd_error *error);
/* The same back. CRD_ERROR_FORMAT, without a sentence, for what is no history. */
crd_status crd_history_read(crd_history *history, const json_t *json, crd_error *error);

#endif
