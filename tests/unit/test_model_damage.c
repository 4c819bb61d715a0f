/* SPDX-License-Identifier: MIT */
/* Files of every kind of model with an error in them: one sentence each, never a crash, never another answer. */
#include <stdio.h>
#include <stdlib.h>

#include "dataset_helpers.h"
#include "io/safetensors.h"
#include "models/model.h"
#include "base/random.h"
#include "support/collect.h"
#include "support/outcome.h"
#include "support/seal.h"

typedef struct {
    unsigned char *bytes;
    size_t size, header; /* the offset of the tensors' bytes */
} file;

static crd_dataset *small_graph(void)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = 60;
    options.classes = 3;
    options.features = 12;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

static file trained(void **state, const char *kind)
{
    crd_dataset *dataset = small_graph();
    crd_split *split;
    crd_model *model;
    crd_config config;
    crd_error error = {0};
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", kind, NULL));
    if (strcmp(kind, "vgcn") == 0) config.score = CRD_DOUBT_EPN; /* its head is two more tensors */
    config.max_epochs = 1;
    config.threads = 1;
    if (config.hidden > 0) config.hidden = 4;
    if (crd_kind_trained(kind)) config.hold_out = 0.5;
    assert_ok(crd_split_make(dataset, "40/30/30", 0, 1, &split, NULL));
    if (crd_train(dataset, split, &config, NULL, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    const char *path = in(state, "m");
    if (model->members > 0) model->pool = (crd_pool){{0.5, 0.25, 0.25}, {1.5, 1.5, 1.5, 1.5, 1.5, 1.5}, -0.5};
    assert_ok(crd_model_set_metadata(model, "note", "kept \xc3\xa4", NULL));
    assert_ok(crd_model_save(model, path, NULL));
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    file f;
    f.bytes = get_bytes(path, &f.size);
    uint64_t header;
    memcpy(&header, f.bytes, sizeof header);
    f.header = 8 + (size_t)header;
    return f;
}

/* Finds some bytes in the header. */
static unsigned char *find(const file *f, const char *what)
{
    const size_t length = strlen(what);
    for (size_t i = 8; i + length <= f->header; i++)
        if (memcmp(f->bytes + i, what, length) == 0) return f->bytes + i;
    fail_msg("the header lacks %s", what);
    return NULL;
}

/* Replaces bytes of the header by the same number of others for one load. */
static void refuse(const file *f, const char *what, const char *by, const char *sentence)
{
    unsigned char *at = find(f, what);
    crd_model *model = (crd_model *)1;
    crd_error error = {0};
    assert_int_equal(strlen(what), strlen(by));
    memcpy(at, by, strlen(by));
    assert_fails(crd_model_load_memory(f->bytes, f->size, "x", &model, &error), CRD_ERROR_FORMAT, sentence);
    assert_null(model);
    memcpy(at, what, strlen(what));
}

/* The address of an entry of a float tensor. */
static unsigned char *entry(const file *f, const char *name, size_t index)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\"", name);
    const char *at = strstr((const char *)find(f, key), "\"data_offsets\":[");
    assert_non_null(at);
    return f->bytes + f->header + strtoul(at + 16, NULL, 10) + index * sizeof(float);
}

static void refuse_value(const file *f, const char *name, size_t index, float value, const char *sentence)
{
    float keep;
    unsigned char *at = entry(f, name, index);
    crd_model *model = (crd_model *)1;
    crd_error error = {0};
    memcpy(&keep, at, sizeof keep);
    memcpy(at, &value, sizeof value);
    assert_fails(crd_model_load_memory(f->bytes, f->size, "x", &model, &error), CRD_ERROR_FORMAT, sentence);
    assert_null(model);
    memcpy(at, &keep, sizeof keep);
}

static void loads(const file *f)
{
    crd_model *model;
    crd_error error = {0};
    if (crd_model_load_memory(f->bytes, f->size, "x", &model, &error) != CRD_OK) fail_msg("%s", error.message);
    crd_model_free(&model);
}

/* The kinds in the metadata and in the options must be equal and exist. */
static void other_kind(void **state)
{
    file f = trained(state, "vgcn");
    refuse(&f, "\"model\":\"vgcn\"", "\"model\":\"gkde\"", "x: a model of the kind gkde with the options of a vgcn");
    refuse(&f, "\"model\":\"vgcn\"", "\"model\":\"vgnc\"", "x: a model of the unknown kind 'vgnc'");
    loads(&f);
    free(f.bytes);
}

static void missing_tensors(void **state)
{
    static const char *const needed[][3] = {
        {"vgcn", "conv.0.weight", "conv.7.weight"},
        {"vgcn", "conv.1.bias", "conv.7.bias"},
        {"vgcn", "head.weight", "head.weighz"},
        {"vgcn", "head.bias", "head.biaz"},
        {"gkde-gcn", "conv.1.weight", "conv.7.weight"},
        {"appnp", "encoder.1.weight", "encoder.7.weight"},
        {"lp", "train.labels", "train.labelz"},
        {"gkde", "train.labels", "train.labelz"},
        {"committee", "fold.0.encoder.0.weight", "fold.7.encoder.0.weight"},
        {"committee", "fold.0.encoder.1.bias", "fold.7.encoder.1.bias"},
        {"committee", "fold.1.encoder.0.weight", "fold.1.encoder.7.weight"},
        {"committee", "fold.1.encoder.1.weight", "fold.1.encoder.7.weight"},
        {"committee", "prior.counts", "prior.countz"},
        {"lp", "prior.counts", "prior.countz"},
        {"gkde", "split.roles", "split.rolez"},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        file f = trained(state, needed[i][0]);
        refuse(&f, needed[i][1], needed[i][2], needed[i][1]);
        loads(&f);
        free(f.bytes);
    }
}

static void wrong_labels(void **state)
{
    const char *kinds[] = {"lp", "gkde"};
    for (int i = 0; i < 2; i++) {
        file f = trained(state, kinds[i]);
        const char *expected = ", expected a class from 0 to 2, or -1";
        refuse_value(&f, "train.labels", 0, 3.0f, expected);
        refuse_value(&f, "train.labels", 1, -2.0f, expected);
        refuse_value(&f, "train.labels", 2, 0.5f, expected);
        refuse_value(&f, "train.labels", 2, 1e30f, expected);
        refuse_value(&f, "train.labels", 0, -1.0f, "x: train.labels has "); /* one fewer than counted */
        refuse_value(&f, "prior.counts", 1, 100.0f, "x: train.labels has ");
        /* a different training node: the number of labels does not match the roles */
        const char *at = strstr((const char *)find(&f, "\"split.roles\""), "\"data_offsets\":[");
        unsigned char *roles = f.bytes + f.header + strtoul(at + 16, NULL, 10);
        size_t node = 0;
        while (roles[node] == 1) node++;
        const unsigned char keep = roles[node];
        roles[node] = 1;
        crd_model *model;
        crd_error error = {0};
        assert_fails(crd_model_load_memory(f.bytes, f.size, "x", &model, &error), CRD_ERROR_MISMATCH,
                     "x: the tensor train.labels has the shape [");
        roles[node] = keep;
        loads(&f);
        free(f.bytes);
    }
}

static void wrong_calibration(void **state)
{
    file f = trained(state, "vgcn");
    const char *parameters = "x: calibration.parameters does not fit the option calibration";
    refuse_value(&f, "calibration.parameters", 0, 0.0f, parameters);
    refuse_value(&f, "calibration.parameters", 0, -1.0f, parameters);
    refuse_value(&f, "calibration.parameters", 0, 1e9f, parameters);
    const char *row = "x: row 1 of calibration.nodes is damaged";
    refuse_value(&f, "calibration.nodes", 6 + 1, 0.5f, row); /* -max p */
    refuse_value(&f, "calibration.nodes", 6 + 1, -1.5f, row);
    refuse_value(&f, "calibration.nodes", 6 + 2, 0.5f, row);  /* wrong or right */
    refuse_value(&f, "calibration.nodes", 6 + 3, -0.5f, row); /* set scores */
    refuse_value(&f, "calibration.nodes", 6 + 4, 5.0f, row);
    refuse_value(&f, "calibration.nodes", 6 + 5, 0.0f, row); /* the rank of a class */
    refuse_value(&f, "calibration.nodes", 6 + 5, 4.0f, row);
    refuse_value(&f, "calibration.nodes", 6 + 5, 1.5f, row);
    loads(&f);
    free(f.bytes);
}

/* The weights of a committee's views and signals, and its number of networks. */
static void wrong_committee(void **state)
{
    file f = trained(state, "committee");
    const char *pool = "x: the metadata \"pool\" is missing or damaged";
    refuse(&f, "\"pool\":", "\"poll\":", pool);
    refuse(&f, "\"pool\":\"[0.", "\"pool\":\"[-1", pool); /* a negative weight */
    refuse(&f, "\"pool\":\"[0.", "\"pool\":\"[0,", pool); /* eleven numbers */
    refuse(&f, "\"pool\":\"[0.", "\"pool\":\"{0.", pool);
    refuse(&f, "\"pool\":\"[0.", "\"pool\":\" 0.", pool);

    unsigned char *networks = find(&f, "\\\"networks\\\": 2") + strlen("\\\"networks\\\": ");
    *networks = '9'; /* training that was interrupted leaves fewer of them */
    seal(f.bytes, f.size);
    loads(&f);
    *networks = '2';
    seal(f.bytes, f.size);
    /* a known class of the networks is missing in the counts */
    crd_model *model;
    crd_error error = {0};
    unsigned char *shape = find(&f, "\"prior.counts\"");
    while (memcmp(shape, "[3]", 3) != 0) shape++;
    shape[1] = '2';
    assert_true(crd_model_load_memory(f.bytes, f.size, "x", &model, &error) != CRD_OK);
    assert_null(model);
    shape[1] = '3';
    loads(&f);
    free(f.bytes);
}

/* Cut off anywhere, and every third byte of the header changed in turn, different ones for the next kind: an error
 * or a usable model. */
static void cut_and_bent(void **state)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = 60;
    options.classes = 3;
    options.features = 12;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    for (int k = 0; k < crd_kind_count(); k++) {
        file f = trained(state, crd_kind_name(k));
        crd_model *model;
        crd_error error;
        for (size_t size = 0; size < f.size; size += size < f.header ? 7 : 61) {
            error = (crd_error){0};
            assert_true(crd_model_load_memory(f.bytes, size, "x", &model, &error) != CRD_OK);
            assert_true(strlen(error.message) > 5);
        }
        for (size_t i = (size_t)k % 3; i < f.header; i += 3) {
            f.bytes[i] ^= 1;
            if (crd_model_load_memory(f.bytes, f.size, "x", &model, &error) == CRD_OK) {
                crd_prediction *prediction;
                if (crd_predict(model, dataset, CRD_THREADS(1), &prediction, &error) == CRD_OK)
                    crd_prediction_free(&prediction);
                crd_model_free(&model);
            }
            f.bytes[i] ^= 1;
        }
        loads(&f);
        free(f.bytes);
    }
    crd_dataset_free(&dataset);
}

static void other_versions(void **state)
{
    file f = trained(state, "gpn");
    static const char present[] = "\"format_version\":\"4\"";
    refuse(&f, present, "\"format_version\":\"5\"",
           "x: a model of format version 5, which is newer than version " CRD_VERSION
           " of this library: it reads 3 to 4");
    refuse(&f, present, "\"format_version\":\"2\"", "x: a model of format version 2, this library reads 3 to 4");
    refuse(&f, present, "\"format_version\":\"z\"", "x: the metadata \"format_version\" is missing or damaged");
    refuse(&f, present, "\"format_versiom\":\"4\"", "x: the metadata \"format_version\" is missing or damaged");
    refuse(&f, present, "\"format_version\":\"3\"", "x: is damaged: its content does not fit its checksum");
    refuse(&f, "\"format\":", "\"formal\":", "x: the metadata \"format\" is missing or damaged");
    refuse(&f, "\"credence model\"", "\"credence mode1\"", "x: the metadata \"format\" is missing or damaged");
    loads(&f);
    free(f.bytes);
}

/* Everything that the checksum covers, and what it does not. */
static void checksum(void **state)
{
    file f = trained(state, "gpn");
    const char *damaged = "x: is damaged: its content does not fit its checksum";
    refuse(&f, "\"credence_checksum\"", "\"credence_checksun\"",
           "x: the metadata \"credence_checksum\" is missing or damaged");
    refuse(&f, "\"credence_id\"", "\"credence_ie\"", "x: the metadata \"credence_id\" is missing or damaged");
    refuse(&f, "\"seed\":\"1\"", "\"seed\":\"2\"", damaged);
    refuse(&f, "\"version\":\"0", "\"version\":\"9", damaged);
    refuse(&f, "\"user.note\":\"kept", "\"user.nose\":\"kept", damaged);
    refuse(&f, "\"user.note\":\"kept", "\"user.note\":\"kebt", damaged);
    refuse(&f, "\"user.note\":\"kept", "\"uses.note\":\"kept", damaged);
    refuse(&f, "\"epochs\\\": 1", "\"epochs\\\": 3", damaged);
    refuse_value(&f, "encoder.0.weight", 3, 0.125f, damaged);
    refuse_value(&f, "flow.beta", 0, 0.125f, damaged);
    refuse_value(&f, "features.seen", 0, 0.125f, damaged);
    loads(&f);
    free(f.bytes);
}

/* An option that this library does not have is an error, even if the file is whole. */
static void unknown_option(void **state)
{
    file f = trained(state, "gpn");
    unsigned char *at = find(&f, "\"config\"");
    while (memcmp(at, "\\\"steps\\\"", 9) != 0) at++;
    memcpy(at, "\\\"stepz\\\"", 9);
    seal(f.bytes, f.size);
    crd_model *model;
    crd_error error = {0};
    assert_fails(crd_model_load_memory(f.bytes, f.size, "x", &model, &error), CRD_ERROR_ARGUMENT,
                 "x: stepz is not an option");
    assert_null(model);
    free(f.bytes);
}

/* All answers of a model for a graph, and its metadata, as text; NULL: it does not load or answer. */
static char *answers(const void *bytes, size_t size, const crd_dataset *dataset)
{
    crd_model *model;
    crd_prediction *prediction = NULL;
    crd_error error = {0};
    collected text = {0};
    crd_status status = crd_model_load_memory(bytes, size, "x", &model, &error);
    if (status == CRD_OK) status = crd_predict(model, dataset, CRD_THREADS(1), &prediction, &error);
    if (status != CRD_OK) {
        assert_true(strlen(error.message) > 5);
        assert_null(prediction);
    } else {
        const char *note = crd_model_metadata(model, "note");
        assert_ok(crd_prediction_write_to(prediction, dataset, collect, &text, CRD_TABLE_CSV, true, NULL));
        assert_true(collect(note, strlen(note), &text));
    }
    crd_prediction_free(&prediction);
    crd_model_free(&model);
    return text.bytes;
}

/* Damages a copy of `size` bytes in one of many ways; there is room for 300 more. Returns the new size. */
static size_t damage(unsigned char *bytes, size_t size, size_t header, crd_rng *rng)
{
    const size_t within = crd_rng_below(rng, 2) == 0 ? header : size; /* the header is hit as often as the rest */
    const size_t at = crd_rng_below(rng, within), left = size - at;
    size_t length = 1 + crd_rng_below(rng, crd_rng_below(rng, 2) == 0 ? 4 : 300);
    const size_t from = crd_rng_below(rng, size - 300);
    unsigned char other[300];
    if (length > left) length = left;
    switch (crd_rng_below(rng, 8)) {
    case 0: /* flipped bits, near or far from each other */
        for (uint64_t flips = 1 + crd_rng_below(rng, 3); flips > 0; flips--)
            bytes[crd_rng_below(rng, within)] ^= (unsigned char)(1u << crd_rng_below(rng, 8));
        return size;
    case 1:
        bytes[at] ^= (unsigned char)(1u << crd_rng_below(rng, 8));
        return size;
    case 2: /* overwritten by noise, zeros, digits, or a copy of another place */
        for (size_t i = 0; i < length; i++) bytes[at + i] = (unsigned char)crd_rng_below(rng, 256);
        return size;
    case 3:
        memset(bytes + at, 0, length);
        return size;
    case 4:
        bytes[at] = (unsigned char)('0' + crd_rng_below(rng, 10));
        return size;
    case 5:
        memmove(bytes + at, bytes + from, length);
        return size;
    case 6: /* removed from the middle or the end */
        if (crd_rng_below(rng, 3) == 0) return at;
        memmove(bytes + at, bytes + at + length, left - length);
        return size - length;
    default: /* inserted */
        memcpy(other, bytes + from, sizeof other);
        memmove(bytes + at + length, bytes + at, left);
        memcpy(bytes + at, other, length);
        return size + length;
    }
}

/* Whatever happens to a file: it is refused, or answers as before. */
static void random_damage(void **state)
{
    const int damages = getenv("CREDENCE_BRIEF") == NULL ? 5000 : 400;
    crd_dataset *dataset = small_graph();
    crd_rng rng = crd_rng_start(7, 7);
    int survived = 0;
    for (int k = 0; k < crd_kind_count(); k++) {
        file f = trained(state, crd_kind_name(k));
        char *right = answers(f.bytes, f.size, dataset);
        unsigned char *copy = malloc(f.size + 300);
        assert_non_null(right);
        assert_non_null(copy);
        for (int d = k; d < damages; d += crd_kind_count()) {
            memcpy(copy, f.bytes, f.size);
            const size_t size = damage(copy, f.size, f.header, &rng);
            char *text = answers(copy, size, dataset);
            if (text != NULL && strcmp(text, right) != 0)
                fail_msg("damage %d of a %s is not noticed", d, crd_kind_name(k));
            survived += text != NULL;
            free(text);
        }
        free(copy);
        free(right);
        free(f.bytes);
    }
    assert_true(survived > 0 && survived < damages / 20); /* spaces of the header, and copies of equal bytes */
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(other_kind),        FOLDER_TEST(missing_tensors), FOLDER_TEST(wrong_labels),
        FOLDER_TEST(wrong_calibration), FOLDER_TEST(cut_and_bent),    FOLDER_TEST(other_versions),
        FOLDER_TEST(wrong_committee),   FOLDER_TEST(checksum),        FOLDER_TEST(unknown_option),
        FOLDER_TEST(random_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
