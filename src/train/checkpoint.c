/* SPDX-License-Identifier: MIT */
#include "train/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "models/config.h"

static const char FORMAT[] = "credence checkpoint";
static const double USUAL_SECONDS = 60.0;

/* What a checkpoint must have in common with the training that goes on from it. */
enum { OF_FORMAT, OF_DATA, OF_SPLIT, OF_CONFIG, OF_INIT, OF_VERSION, OF_INSTRUCTIONS, SAME };
static const char *const KEYS[SAME] = {"format", "fingerprint", "split", "config", "init", "version", "instructions"};
static const char *const ANOTHER[SAME] = {"",
                                          "another graph",
                                          "another split",
                                          "other options",
                                          "other initial weights",
                                          "another version of Credence",
                                          "a processor with another instruction set"};

/* The numbers of a stage, as the file has them. */
enum {
    DONE,
    WARMUP_EPOCHS,
    EPOCHS,
    DRAWN,
    STEPS,
    OF_KIND,
    MODEL_EPOCHS,
    BEST_EPOCH,
    BEST_CROSS_ENTROPY,
    BEST_ACCURACY,
    STOP,
    NUMBERS
};

/* The arrays of a stage: the weights alone once it is done. */
enum { WEIGHTS, BEST, MOMENTS, SQUARES, ARRAYS };
static const char *const ARRAY[ARRAYS] = {"weights", "best", "moments", "squares"};

enum { MOST_STAGES = CRD_MOST_NETWORKS, MOST_TENSORS = (MOST_STAGES + ARRAYS) * CRD_MAX_PARAMETERS + 3 };

typedef struct {
    double number[NUMBERS];
    int parameters; /* of a stage that is done, copies: */
    int64_t count[CRD_MAX_PARAMETERS];
    float *weights[CRD_MAX_PARAMETERS];
} kept;

struct crd_checkpoint {
    const char *path;
    double seconds, written; /* between two writes; when the last one was */
    bool exists;             /* something was written, or found */
    char *same[SAME];
    crd_tensors *found; /* what the file had; NULL: it was not there */
    int stages;         /* begun; the last one may not be done */
    kept stage[MOST_STAGES];
    crd_history *history;
};

/* ---- opening ---- */

static crd_status copy_text(const char *from, char **to, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, from);
    return crd_text_finish(&text, to, error);
}

static crd_status describe_split(const crd_split *split, char **text, crd_error *error)
{
    crd_sha256 hash;
    char hex[CRD_SHA256_HEX];
    crd_sha256_start(&hash);
    crd_sha256_add(&hash, split->roles, (size_t)split->nodes);
    crd_sha256_end_hex(&hash, hex);
    return copy_text(hex, text, error);
}

/* What this training is. */
static crd_status describe(crd_checkpoint *c, const crd_dataset *dataset, const crd_split *split,
                           const crd_config *config, const crd_model *init, crd_error *error)
{
    const crd_kernels *kernels;
    crd_status status = crd_kernels_pick(&kernels, error);
    if (status == CRD_OK) status = copy_text(FORMAT, &c->same[OF_FORMAT], error);
    if (status == CRD_OK) status = copy_text(dataset->fingerprint, &c->same[OF_DATA], error);
    if (status == CRD_OK) status = describe_split(split, &c->same[OF_SPLIT], error);
    if (status == CRD_OK) status = crd_config_write(config, false, &c->same[OF_CONFIG], error);
    if (status == CRD_OK) status = copy_text(init != NULL ? init->id : "none", &c->same[OF_INIT], error);
    if (status == CRD_OK) status = copy_text(crd_version(), &c->same[OF_VERSION], error);
    if (status == CRD_OK) status = copy_text(kernels->name, &c->same[OF_INSTRUCTIONS], error);
    return status;
}

static crd_status check_same(const crd_checkpoint *c, crd_error *error)
{
    for (int i = 0; i < SAME; i++) {
        const char *its = crd_tensors_metadata(c->found, KEYS[i]);
        if (its != NULL && strcmp(its, c->same[i]) == 0) continue;
        if (i == OF_FORMAT)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: is no checkpoint, and is left as it is: name another file",
                            c->path);
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%s: is the checkpoint of a training with %s: name another file, or delete it", c->path,
                        ANOTHER[i]);
    }
    return CRD_OK;
}

static void hex_of(const uint8_t digest[CRD_SHA256_BYTES], char hex[CRD_SHA256_HEX])
{
    for (int i = 0; i < CRD_SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

/* The stages that the file has begun, and that nothing in it is damaged. */
static crd_status read_stages(crd_checkpoint *c, crd_error *error)
{
    uint8_t digest[CRD_SHA256_BYTES];
    char hex[CRD_SHA256_HEX];
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS];
    const char *checksum = crd_tensors_metadata(c->found, "checksum");
    crd_status status = crd_tensors_digest(c->found, digest, error);
    if (status != CRD_OK) return status;
    hex_of(digest, hex);
    if (checksum == NULL || strcmp(checksum, hex) != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the checkpoint is damaged: delete it to train from the beginning",
                        c->path);
    status = crd_tensors_shape(c->found, "stages", &dims, shape, error);
    if (status == CRD_OK && (dims != 1 || shape[0] < 1 || shape[0] > (int64_t)sizeof(double) * NUMBERS * MOST_STAGES ||
                             shape[0] % (int64_t)(sizeof(double) * NUMBERS) != 0))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the checkpoint has no good list of stages", c->path);
    return status;
}

crd_status crd_checkpoint_open(const char *path, double seconds, const crd_dataset *dataset, const crd_split *split,
                               const crd_config *config, const crd_model *init, crd_checkpoint **checkpoint,
                               crd_error *error)
{
    crd_checkpoint *c;
    *checkpoint = NULL;
    if (!(seconds >= 0.0))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "checkpoint_seconds is %g, expected 0 or more", seconds);
    crd_status status = CRD_NEW_ZERO(&c, 1, error);
    if (status != CRD_OK) return status;
    c->path = path;
    c->seconds = seconds > 0.0 ? seconds : USUAL_SECONDS;
    status = describe(c, dataset, split, config, init, error);
    c->exists = access(path, F_OK) == 0;
    if (status == CRD_OK && c->exists) status = crd_tensors_open(path, &c->found, error);
    if (status == CRD_OK && c->exists) status = check_same(c, error);
    if (status == CRD_OK && c->exists) status = read_stages(c, error);
    if (status == CRD_OK) *checkpoint = c;
    else crd_checkpoint_close(&c);
    return status;
}

void crd_checkpoint_close(crd_checkpoint **checkpoint)
{
    crd_checkpoint *c = *checkpoint;
    if (c == NULL) return;
    *checkpoint = NULL;
    for (int i = 0; i < SAME; i++) crd_free(c->same[i]);
    for (int i = 0; i < c->stages; i++)
        for (int p = 0; p < c->stage[i].parameters; p++) crd_free(c->stage[i].weights[p]);
    crd_tensors_free(&c->found);
    crd_free(c);
}

/* ---- the list of epochs ---- */

/* Rows as the file has them: whether it was a warm-up, then the columns. Three numbers go before them. */
enum { ROW = 1 + CRD_HISTORY_COLUMNS, HEAD = 3 };

static crd_status read_history(const crd_checkpoint *c, const double *number, int64_t count, crd_error *error)
{
    crd_history *h = c->history;
    char names[CRD_HISTORY_TERMS * CRD_HISTORY_NAME];
    const double rows = count >= HEAD ? number[0] : -1.0, terms = count >= HEAD ? number[2] : -1.0;
    if (!(rows >= 0.0 && rows <= CRD_HISTORY_MOST && number[1] >= 1.0 && number[1] <= 1e15 && terms >= 0.0 &&
          terms <= CRD_HISTORY_TERMS && count == HEAD + (int64_t)rows * ROW))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the checkpoint has no good list of epochs", c->path);
    h->count = (int64_t)rows;
    h->every = (int64_t)number[1];
    h->terms = (int)terms;
    for (int64_t i = 0; i < h->count; i++) {
        const double *row = number + HEAD + i * ROW;
        h->rows[i].warmup = row[0] != 0.0;
        memcpy(h->rows[i].value, row + 1, sizeof h->rows[i].value);
    }
    crd_status status = crd_tensors_read_u8(c->found, "terms", (uint8_t *)names, sizeof names, error);
    if (status == CRD_OK) memcpy(h->term, names, sizeof names);
    for (int t = 0; t < CRD_HISTORY_TERMS; t++) h->term[t][CRD_HISTORY_NAME - 1] = '\0';
    return status;
}

crd_status crd_checkpoint_list(crd_checkpoint *c, crd_history *history, crd_error *error)
{
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS], bytes = 0;
    double *number = NULL;
    if (c == NULL || c->history != NULL) return CRD_OK; /* a teacher is listed by its pupil */
    c->history = history;
    if (c->found == NULL) return CRD_OK;
    crd_status status = crd_tensors_shape(c->found, "history", &dims, shape, error);
    if (status == CRD_OK) bytes = dims == 1 ? shape[0] : 0;
    if (status == CRD_OK) status = CRD_NEW(&number, bytes / (int64_t)sizeof *number + 1, error);
    if (status == CRD_OK) status = crd_tensors_read_u8(c->found, "history", (uint8_t *)number, bytes, error);
    if (status == CRD_OK) status = read_history(c, number, bytes / (int64_t)sizeof *number, error);
    crd_free(number);
    return status;
}

static crd_status pack_history(const crd_history *h, double **number, int64_t *count, crd_error *error)
{
    *count = HEAD + h->count * ROW;
    crd_status status = CRD_NEW(number, *count, error);
    if (status != CRD_OK) return status;
    (*number)[0] = (double)h->count;
    (*number)[1] = (double)h->every;
    (*number)[2] = (double)h->terms;
    for (int64_t i = 0; i < h->count; i++) {
        double *row = *number + HEAD + i * ROW;
        row[0] = h->rows[i].warmup ? 1.0 : 0.0;
        memcpy(row + 1, h->rows[i].value, sizeof h->rows[i].value);
    }
    return CRD_OK;
}

/* ---- stages ---- */

enum { NAME = 96 };

static void name_of(char name[NAME], int at, int array, const crd_parameter *parameter)
{
    snprintf(name, NAME, "stage.%d.%s.%s", at, ARRAY[array], parameter->form->name);
}

static float *array_of(const crd_training *s, int array, int parameter)
{
    switch (array) {
    case BEST:
        return s->best[parameter];
    case MOMENTS:
        return s->moment[parameter];
    case SQUARES:
        return s->square[parameter];
    default:
        return s->model->parameter[parameter].value;
    }
}

/* There are no best weights before the first epoch that is judged. */
static bool has_array(int array, bool done, int64_t best_epoch)
{
    return array == WEIGHTS || (!done && (array != BEST || best_epoch > 0));
}

static crd_status read_arrays(const crd_checkpoint *c, crd_training *s, int at, bool done, crd_error *error)
{
    char name[NAME];
    crd_status status = CRD_OK;
    for (int array = 0; array < ARRAYS; array++)
        for (int p = 0; p < s->model->parameters && status == CRD_OK; p++) {
            if (!has_array(array, done, s->model->best_epoch)) continue;
            name_of(name, at, array, &s->model->parameter[p]);
            status = crd_tensors_read_float(c->found, name, array_of(s, array, p), s->model->parameter[p].count, error);
        }
    return status;
}

static void note_numbers(double number[NUMBERS], const crd_training *s, const crd_stage *stage)
{
    const crd_model *m = s->model;
    const double now[NUMBERS] = {stage->done,           (double)stage->warmup_epochs,
                                 (double)stage->epochs, (double)s->drawn,
                                 (double)s->steps,      (double)s->run->epoch,
                                 (double)m->epochs,     (double)m->best_epoch,
                                 m->best_cross_entropy, m->best_accuracy,
                                 (double)m->stop};
    memcpy(number, now, sizeof now);
}

static void take_numbers(const double number[NUMBERS], crd_training *s, crd_stage *stage)
{
    crd_model *m = s->model;
    *stage = (crd_stage){number[DONE] != 0.0, (int64_t)number[WARMUP_EPOCHS], (int64_t)number[EPOCHS]};
    s->drawn = (int64_t)number[DRAWN];
    s->steps = (int64_t)number[STEPS];
    s->run->epoch = (int64_t)number[OF_KIND];
    m->epochs = (int64_t)number[MODEL_EPOCHS];
    m->best_epoch = (int64_t)number[BEST_EPOCH];
    m->best_cross_entropy = number[BEST_CROSS_ENTROPY];
    m->best_accuracy = number[BEST_ACCURACY];
    m->stop = (crd_stop)number[STOP];
    s->run->restored++;
}

/* Whole numbers of epochs: those of a damaged file could be anything. */
static bool is_good(const double number[NUMBERS])
{
    for (int i = 0; i < NUMBERS; i++)
        if (i != BEST_CROSS_ENTROPY && i != BEST_ACCURACY && !(number[i] >= 0.0 && number[i] <= 1e15)) return false;
    return number[STOP] <= CRD_STOP_NOTHING;
}

crd_status crd_checkpoint_begin(crd_checkpoint *c, crd_training *s, crd_stage *stage, crd_error *error)
{
    double number[MOST_STAGES * NUMBERS];
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS];
    *stage = (crd_stage){0};
    if (c == NULL) return CRD_OK;
    const int at = c->stages++;
    if (c->found == NULL) return CRD_OK;
    crd_status status = crd_tensors_shape(c->found, "stages", &dims, shape, error);
    if (status == CRD_OK) status = crd_tensors_read_u8(c->found, "stages", (uint8_t *)number, shape[0], error);
    if (status != CRD_OK || (int64_t)sizeof(double) * NUMBERS * at >= shape[0]) return status;
    const double *its = number + (ptrdiff_t)at * NUMBERS;
    if (!is_good(its)) return crd_fail(error, CRD_ERROR_FORMAT, "%s: the checkpoint is damaged", c->path);
    take_numbers(its, s, stage);
    status = read_arrays(c, s, at, stage->done, error);
    if (status == CRD_OK && !stage->done)
        crd_log(CRD_LOG_INFO, "checkpoint: %s: going on after epoch %lld", c->path, (long long)stage->epochs);
    return status;
}

crd_status crd_checkpoint_end(crd_checkpoint *c, const crd_training *s, crd_error *error)
{
    if (c == NULL) return CRD_OK;
    kept *done = &c->stage[c->stages - 1];
    crd_status status = CRD_OK;
    note_numbers(done->number, s, &(crd_stage){.done = true});
    for (int p = 0; p < s->model->parameters && status == CRD_OK; p++) {
        const crd_parameter *from = &s->model->parameter[p];
        status = CRD_NEW(&done->weights[p], from->count, error);
        if (status != CRD_OK) break;
        memcpy(done->weights[p], from->value, (size_t)from->count * sizeof *from->value);
        done->count[p] = from->count;
        done->parameters++;
    }
    return status;
}

/* ---- writing ---- */

typedef struct {
    int count;
    crd_tensor_out tensor[MOST_TENSORS];
    char name[MOST_TENSORS][NAME];
    double number[MOST_STAGES * NUMBERS];
    double *history;
    int64_t history_count;
} content;

static void add(content *list, bool is_u8, int64_t size, const void *data)
{
    list->tensor[list->count] =
        (crd_tensor_out){.name = list->name[list->count], .is_u8 = is_u8, .dims = 1, .shape = {size}, .data = data};
    list->count++;
}

/* Stages that are done have parameters with the names of the present one's, or of its kind's. */
static void list_arrays(content *list, const crd_checkpoint *c, const crd_training *s)
{
    const int last = c->stages - 1;
    for (int at = 0; at < last; at++)
        for (int p = 0; p < c->stage[at].parameters; p++) {
            name_of(list->name[list->count], at, WEIGHTS, &s->model->parameter[p]);
            add(list, false, c->stage[at].count[p], c->stage[at].weights[p]);
        }
    for (int array = 0; array < ARRAYS; array++)
        for (int p = 0; p < s->model->parameters && has_array(array, false, s->model->best_epoch); p++) {
            name_of(list->name[list->count], last, array, &s->model->parameter[p]);
            add(list, false, s->model->parameter[p].count, array_of(s, array, p));
        }
}

static crd_status fill(content *list, const crd_checkpoint *c, const crd_training *s, const crd_stage *stage,
                       crd_error *error)
{
    for (int at = 0; at < c->stages - 1; at++)
        memcpy(list->number + (ptrdiff_t)at * NUMBERS, c->stage[at].number, sizeof c->stage[at].number);
    note_numbers(list->number + (ptrdiff_t)(c->stages - 1) * NUMBERS, s, stage);
    crd_status status = pack_history(c->history, &list->history, &list->history_count, error);
    if (status != CRD_OK) return status;
    list_arrays(list, c, s);
    const struct {
        const char *name;
        int64_t bytes;
        const void *data;
    } others[] = {{"stages", (int64_t)sizeof(double) * NUMBERS * c->stages, list->number},
                  {"history", (int64_t)sizeof(double) * list->history_count, list->history},
                  {"terms", sizeof c->history->term, c->history->term}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(list->name[list->count], NAME, "%s", others[i].name);
        add(list, true, others[i].bytes, others[i].data);
    }
    return CRD_OK;
}

static crd_status write_file(const crd_checkpoint *c, const content *list, crd_error *error)
{
    uint8_t digest[CRD_SHA256_BYTES];
    char checksum[CRD_SHA256_HEX];
    crd_metadata metadata[SAME + 1];
    crd_status status = crd_tensors_out_digest(list->tensor, list->count, digest, error);
    if (status != CRD_OK) return status;
    hex_of(digest, checksum);
    for (int i = 0; i < SAME; i++) metadata[i] = (crd_metadata){KEYS[i], c->same[i]};
    metadata[SAME] = (crd_metadata){"checksum", checksum};
    return crd_tensors_write(&(crd_destination){.path = c->path}, list->tensor, list->count, metadata, SAME + 1, error);
}

crd_status crd_checkpoint_write(crd_checkpoint *c, const crd_training *s, const crd_stage *stage, bool now,
                                crd_error *error)
{
    content *list;
    crd_error own = {0};
    if (c == NULL || (!now && c->exists && crd_seconds() - c->written < c->seconds)) return CRD_OK;
    crd_status status = CRD_NEW_ZERO(&list, 1, error);
    if (status != CRD_OK) return status;
    status = fill(list, c, s, stage, error);
    if (status == CRD_OK) status = write_file(c, list, &own);
    if (status == CRD_OK) c->exists = true;
    else if (status == CRD_ERROR_IO && c->exists) { /* a full disk may have room again */
        crd_log(CRD_LOG_WARNING, "checkpoint: not written: %s", own.message);
        status = CRD_OK;
    } else if (own.status != CRD_OK && error != NULL) *error = own;
    c->written = crd_seconds();
    crd_free(list->history);
    crd_free(list);
    return status;
}
