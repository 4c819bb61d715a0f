/* SPDX-License-Identifier: MIT */
/* A training that is stopped again and again, and goes on from its checkpoint, ends in the same bytes. A checkpoint of
 * another training, or a damaged one, is refused with one sentence. */
#include "base/random.h"
#include "dataset_helpers.h"
#include "support/outcome.h"

typedef struct {
    crd_dataset *dataset;
    crd_split *split;
    crd_config config;
} lesson;

static lesson open_lesson(const char *kind, const char *score)
{
    lesson l;
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 200;
    options.classes = 3;
    options.features = 40;
    options.lookalikes = 0;
    assert_ok(crd_generate(&options, &l.dataset, NULL));
    assert_ok(crd_split_make(l.dataset, "20/20/60", 0, 1, &l.split, NULL));
    crd_config_defaults(&l.config);
    assert_ok(crd_config_set(&l.config, "model", kind, NULL));
    assert_ok(crd_config_set(&l.config, "max-epochs", "24", NULL));
    if (score != NULL) assert_ok(crd_config_set(&l.config, "score", score, NULL));
    return l;
}

static void close_lesson(lesson *l)
{
    crd_split_free(&l->split);
    crd_dataset_free(&l->dataset);
}

typedef struct {
    int64_t epochs, most;
} patience;

static bool stop_after(const crd_progress *progress, void *user)
{
    patience *p = user;
    return progress->epoch == NULL || ++p->epochs < p->most;
}

/* Trains until the end, or for some epochs; the model's bytes, or NULL if it was stopped. */
static crd_status train(const lesson *l, const char *checkpoint, int64_t most, int threads, uint8_t **bytes,
                        size_t *size, crd_error *error)
{
    patience p = {.most = most};
    const crd_control control = {.size = sizeof control, .threads = threads, .progress = stop_after, .user = &p};
    const crd_train_options options = {
        .size = sizeof options, .control = &control, .checkpoint = checkpoint, .checkpoint_seconds = 1e-9};
    crd_model *model;
    crd_model_facts facts;
    *bytes = NULL;
    crd_status status = crd_train(l->dataset, l->split, &l->config, &options, &model, error);
    if (status != CRD_OK) return status;
    crd_model_get_facts(model, &facts);
    if (facts.stop != CRD_STOP_REQUESTED) assert_ok(crd_model_save_memory(model, bytes, size, NULL));
    crd_model_free(&model);
    return CRD_OK;
}

static void goes_on(void **state)
{
    static const char *const kinds[][2] = {{"committee", NULL}, {"gpn", NULL},  {"appnp", NULL},   {"vgcn", NULL},
                                           {"vgcn", "epn"},     {"egcn", NULL}, {"gkde-gcn", NULL}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        lesson l = open_lesson(kinds[k][0], kinds[k][1]);
        const char *path = in(state, "checkpoint");
        uint8_t *whole, *parts = NULL;
        size_t whole_size, parts_size = 0;
        crd_error error = {0};
        int times = 0;
        assert_ok(train(&l, NULL, INT64_MAX, 1, &whole, &whole_size, &error));
        for (; parts == NULL && times < 100; times++)
            if (train(&l, path, 2 + times % 4, 1 + times % 3, &parts, &parts_size, &error) != CRD_OK)
                fail_msg("%s: %s", kinds[k][0], error.message);
        assert_true(times > 5 && parts_size == whole_size);
        assert_memory_equal(whole, parts, whole_size);
        crd_bytes_free(&whole);
        crd_bytes_free(&parts);
        assert_int_equal(unlink(path), 0);
        close_lesson(&l);
    }
}

/* A file of a training that was stopped after some epochs. */
static void stopped(const lesson *l, const char *path)
{
    uint8_t *bytes;
    size_t size;
    assert_ok(train(l, path, 9, 1, &bytes, &size, NULL));
    assert_null(bytes);
}

static void refuses(const lesson *l, const char *path, crd_status wanted, const char *sentence)
{
    uint8_t *bytes;
    size_t size;
    crd_error error = {0};
    assert_fails(train(l, path, INT64_MAX, 1, &bytes, &size, &error), wanted, sentence);
}

static void of_another_training(void **state)
{
    lesson l = open_lesson("gpn", NULL), other = open_lesson("gpn", NULL);
    const char *path = in(state, "checkpoint"), *text = put(state, "text", "my notes\n");
    stopped(&l, path);
    assert_ok(crd_config_set(&other.config, "dropout", "0.4", NULL));
    refuses(&other, path, CRD_ERROR_MISMATCH, "other options");
    crd_split_free(&other.split);
    assert_ok(crd_split_make(other.dataset, "20/20/60", 0, 2, &other.split, NULL));
    refuses(&other, path, CRD_ERROR_MISMATCH, "another split");
    crd_dataset_free(&other.dataset);
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 200;
    options.lookalikes = 0;
    assert_ok(crd_generate(&options, &other.dataset, NULL));
    refuses(&other, path, CRD_ERROR_MISMATCH, "another graph");
    refuses(&l, text, CRD_ERROR_FORMAT, "text");
    refuses(&l, in(state, "nowhere/checkpoint"), CRD_ERROR_IO, "nowhere/checkpoint");
    size_t size;
    unsigned char *notes = get_bytes(text, &size);
    assert_memory_equal(notes, "my notes\n", size);
    free(notes);
    close_lesson(&l);
    close_lesson(&other);
}

/* A model is no checkpoint, though both are safetensors files: it must not be overwritten. */
static void a_model(void **state)
{
    lesson l = open_lesson("appnp", NULL);
    uint8_t *bytes;
    size_t size;
    assert_ok(train(&l, NULL, INT64_MAX, 1, &bytes, &size, NULL));
    refuses(&l, put_bytes(state, "model", bytes, size), CRD_ERROR_FORMAT, "is no checkpoint");
    crd_bytes_free(&bytes);
    close_lesson(&l);
}

/* Every damage is an error, or the training ends as if the file were whole. */
static void damaged(void **state)
{
    lesson l = open_lesson("appnp", NULL);
    const char *path = in(state, "checkpoint");
    uint8_t *whole, *parts;
    size_t size, whole_size, parts_size;
    int refused = 0;
    crd_rng rng = crd_rng_start(11, 0);
    assert_ok(train(&l, NULL, INT64_MAX, 1, &whole, &whole_size, NULL));
    stopped(&l, path);
    unsigned char *bytes = get_bytes(path, &size);
    for (int d = 0; d < 300; d++) {
        const size_t at = (size_t)crd_rng_below(&rng, size), cut = d % 10 == 0 ? at : size;
        const unsigned char before = bytes[at];
        crd_error error = {0};
        bytes[at] ^= (unsigned char)(1 + crd_rng_below(&rng, 255));
        put_bytes(state, "bent", bytes, cut);
        bytes[at] = before;
        if (train(&l, in(state, "bent"), INT64_MAX, 1, &parts, &parts_size, &error) != CRD_OK) {
            assert_true(error.message[0] != '\0');
            refused++;
            continue;
        }
        assert_int_equal(parts_size, whole_size);
        assert_memory_equal(parts, whole, whole_size);
        crd_bytes_free(&parts);
    }
    assert_true(refused > 280);
    free(bytes);
    crd_bytes_free(&whole);
    close_lesson(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(goes_on),
        FOLDER_TEST(of_another_training),
        FOLDER_TEST(a_model),
        FOLDER_TEST(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
