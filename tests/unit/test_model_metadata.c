/* SPDX-License-Identifier: MIT */
/* Metadata of the user's own and of other tools, and the identifier, which does not depend on them. */
#include <stdlib.h>

#include "dataset_helpers.h"
#include "io/safetensors.h"
#include "models/model.h"
#include "support/outcome.h"
#include "support/quick_model.h"

static crd_model *trained(const char *settings)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_config config;
    crd_generate_defaults(&options);
    options.nodes = 60;
    options.classes = 3;
    options.features = 12;
    options.lookalikes = 1;
    crd_config_defaults(&config);
    assert_ok(crd_config_set_all(&config, settings, NULL));
    assert_ok(crd_generate(&options, &dataset, NULL));
    crd_model *model = train(dataset, &config, NULL);
    crd_dataset_free(&dataset);
    return model;
}

#define SMALL "model=gpn hidden=4 max-epochs=1 threads=1"

/* The model after a file; *model is released. */
static crd_model *through_file(crd_model **model)
{
    crd_model *back;
    crd_error error = {0};
    uint8_t *bytes;
    size_t size;
    assert_ok(crd_model_save_memory(*model, &bytes, &size, &error));
    if (crd_model_load_memory(bytes, size, "x", &back, &error) != CRD_OK) fail_msg("%s", error.message);
    crd_bytes_free(&bytes);
    crd_model_free(model);
    return back;
}

static void set_and_list(void **state)
{
    (void)state;
    crd_model *model = trained(SMALL);
    char *json, id[CRD_SHA256_HEX];
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    assert_int_equal(strlen(facts.id), 64);
    snprintf(id, sizeof id, "%s", facts.id);
    assert_null(crd_model_metadata_key(model, 0));
    assert_null(crd_model_metadata(model, "run"));
    assert_ok(crd_model_set_metadata(model, "run", "1", NULL));
    assert_ok(crd_model_set_metadata(model, "created", "2026-01-01", NULL));
    assert_ok(crd_model_set_metadata(model, "run", "2", NULL));   /* replaces */
    assert_ok(crd_model_set_metadata(model, "config", "", NULL)); /* not the library's: a name of its own */
    assert_ok(crd_model_set_metadata(model, "z \" \n\x7f = \xc3\xa4", "\xe2\x82\xac \\ \t", NULL));
    for (int turn = 0; turn < 2; turn++) {
        assert_string_equal(crd_model_metadata_key(model, 0), "config");
        assert_string_equal(crd_model_metadata_key(model, 1), "created");
        assert_string_equal(crd_model_metadata_key(model, 2), "run");
        assert_string_equal(crd_model_metadata_key(model, 3), "z \" \n\x7f = \xc3\xa4");
        assert_null(crd_model_metadata_key(model, 4));
        assert_null(crd_model_metadata_key(model, -1));
        assert_string_equal(crd_model_metadata(model, "run"), "2");
        assert_string_equal(crd_model_metadata(model, "config"), "");
        assert_string_equal(crd_model_metadata(model, "z \" \n\x7f = \xc3\xa4"), "\xe2\x82\xac \\ \t");
        crd_model_get_facts(model, &facts);
        assert_string_equal(facts.id, id);
        if (turn == 0) model = through_file(&model);
    }
    assert_ok(crd_model_facts_json(model, &json, NULL));
    assert_non_null(strstr(json, "\"metadata\":{\"config\":\"\",\"created\":\"2026-01-01\",\"run\":\"2\","));
    assert_non_null(strstr(json, id));
    crd_string_free(&json);
    assert_ok(crd_model_set_metadata(model, "created", NULL, NULL));
    assert_ok(crd_model_set_metadata(model, "created", NULL, NULL)); /* none is left to remove */
    assert_null(crd_model_metadata(model, "created"));
    assert_string_equal(crd_model_metadata_key(model, 1), "run");
    model = through_file(&model);
    assert_null(crd_model_metadata(model, "created"));
    crd_model_free(&model);
}

static void limits(void **state)
{
    (void)state;
    crd_model *model = trained(SMALL);
    crd_error error = {0};
    char key[202];
    char *value = malloc(1000001);
    assert_non_null(value);
    memset(key, 'k', sizeof key);
    key[201] = '\0';
    memset(value, 'v', 1000000);
    value[1000000] = '\0';
    assert_fails(crd_model_set_metadata(model, "", "x", &error), CRD_ERROR_ARGUMENT,
                 "metadata has a key of 0 bytes, expected 1 to 200");
    assert_string_equal(error.about, "metadata");
    assert_fails(crd_model_set_metadata(model, key, "x", &error), CRD_ERROR_ARGUMENT, "a key of 201 bytes");
    assert_ok(crd_model_set_metadata(model, key, NULL, &error)); /* there is none */
    assert_fails(crd_model_set_metadata(model, "a\xff", "x", &error), CRD_ERROR_ARGUMENT, "metadata is not UTF-8");
    assert_fails(crd_model_set_metadata(model, "a", "\xc3", &error), CRD_ERROR_ARGUMENT, "metadata is not UTF-8");
    assert_fails(crd_model_set_metadata(model, "a", value, &error), CRD_ERROR_ARGUMENT,
                 "metadata has 1000001 bytes in all its keys and values, expected at most 1000000");
    assert_null(crd_model_metadata_key(model, 0));
    assert_ok(crd_model_set_metadata(model, "a", value + 1, &error));
    assert_ok(crd_model_set_metadata(model, "a", value + 2, &error)); /* in its place */
    assert_fails(crd_model_set_metadata(model, "b", "b", &error), CRD_ERROR_ARGUMENT, "has 1000001 bytes");
    model = through_file(&model);
    assert_string_equal(crd_model_metadata(model, "a"), value + 2);
    key[200] = '\0';
    assert_ok(crd_model_set_metadata(model, "a", "1", &error));
    assert_ok(crd_model_set_metadata(model, key, "2", &error));
    model = through_file(&model);
    assert_string_equal(crd_model_metadata(model, key), "2");
    assert_ok(crd_model_set_metadata(model, key, NULL, &error));
    assert_null(crd_model_metadata(model, key));
    free(value);
    crd_model_free(&model);
}

/* The same training, the same identifier and bytes; another one, another. */
static void identifiers(void **state)
{
    (void)state;
    crd_model *a = trained(SMALL), *b = trained(SMALL), *c = trained(SMALL " seed=2"), *d = trained("model=lp");
    uint8_t *of_a, *of_b;
    size_t size_a, size_b;
    assert_string_equal(a->id, b->id);
    assert_string_not_equal(a->id, c->id);
    assert_string_not_equal(a->id, d->id);
    assert_ok(crd_model_save_memory(a, &of_a, &size_a, NULL));
    assert_ok(crd_model_save_memory(b, &of_b, &size_b, NULL));
    assert_int_equal(size_a, size_b);
    assert_memory_equal(of_a, of_b, size_a);
    crd_bytes_free(&of_a);
    crd_bytes_free(&of_b);
    crd_bytes_free(&of_b);
    crd_bytes_free(NULL);
    crd_model_free(&a);
    crd_model_free(&b);
    crd_model_free(&c);
    crd_model_free(&d);
}

/* A copy of a file with something put in front of its metadata, as another tool may have written it. */
static uint8_t *with_metadata(const uint8_t *bytes, size_t size, const char *entry, size_t *longer)
{
    static const char start[] = "{\"__metadata__\":{";
    const size_t length = strlen(entry), before = 8 + sizeof start - 1;
    assert_memory_equal(bytes + 8, start, sizeof start - 1);
    uint8_t *copy = malloc(size + length);
    assert_non_null(copy);
    memcpy(copy, bytes, before);
    memcpy(copy + before, entry, length);
    memcpy(copy + before + length, bytes + before, size - before);
    uint64_t header = 0;
    for (int b = 7; b >= 0; b--) header = header << 8 | bytes[b];
    for (int b = 0; b < 8; b++) copy[b] = (uint8_t)((header + length) >> 8 * b);
    *longer = size + length;
    return copy;
}

/* What other tools add does not make a file unreadable, and is not lost. */
static void of_other_tools(void **state)
{
    (void)state;
    crd_model *model = trained(SMALL), *back;
    crd_error error = {0};
    char id[CRD_SHA256_HEX];
    uint8_t *bytes, *second;
    size_t size, longer, again;
    snprintf(id, sizeof id, "%s", model->id);
    assert_ok(crd_model_set_metadata(model, "mine", "1", NULL));
    assert_ok(crd_model_save_memory(model, &bytes, &size, NULL));
    uint8_t *added = with_metadata(bytes, size, "\"registry.stage\":\"production\",\"a\":\"\",", &longer);
    if (crd_model_load_memory(added, longer, "x", &back, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_string_equal(back->id, id);
    assert_string_equal(crd_model_metadata_key(back, 0), "mine");
    assert_null(crd_model_metadata_key(back, 1));
    assert_null(crd_model_metadata(back, "registry.stage"));
    assert_ok(crd_model_save_memory(back, &second, &again, NULL));
    crd_tensors *tensors;
    assert_ok(crd_tensors_open_memory(second, again, "x", &tensors, NULL));
    assert_string_equal(crd_tensors_metadata(tensors, "registry.stage"), "production");
    assert_string_equal(crd_tensors_metadata(tensors, "a"), "");
    assert_string_equal(crd_tensors_metadata(tensors, "user.mine"), "1");
    crd_tensors_free(&tensors);
    back = through_file(&back);
    assert_int_equal(back->extras.count, 3);
    free(added);

    /* but the user's metadata are covered by the checksum */
    crd_model *refused;
    added = with_metadata(bytes, size, "\"user.other\":\"2\",", &longer);
    assert_fails(crd_model_load_memory(added, longer, "x", &refused, &error), CRD_ERROR_FORMAT,
                 "x: is damaged: its content does not fit its checksum");
    free(added);
    crd_bytes_free(&bytes);
    crd_bytes_free(&second);
    crd_model_free(&back);
    crd_model_free(&model);
}

/* Weights alone, as PyTorch writes them: their metadata are all somebody else's, and stay. */
static void bare_weights(void **state)
{
    crd_model *model = trained("model=vgcn hidden=4 max-epochs=1 threads=1"), *bare;
    crd_tensor_out out[CRD_MAX_PARAMETERS];
    const crd_metadata metadata[] = {{"format", "pt"}, {"model", "vgcn"}, {"author", "somebody"}};
    const char *path = in(state, "bare.safetensors");
    float *zeros;
    assert_ok(CRD_NEW_ZERO(&zeros, 1000, NULL));
    for (int p = 0; p < model->parameters; p++) {
        out[p] = (crd_tensor_out){.name = model->parameter[p].form->name, .dims = model->parameter[p].dims};
        memcpy(out[p].shape, model->parameter[p].shape, sizeof model->parameter[p].shape);
        out[p].data = zeros;
    }
    assert_ok(crd_tensors_write(&(crd_destination){.path = path}, out, model->parameters, metadata, 3, NULL));
    assert_ok(crd_model_load(path, &bare, NULL));
    assert_int_equal(strlen(bare->id), 64);
    assert_ok(crd_model_set_metadata(bare, "mine", "1", NULL));
    for (int turn = 0; turn < 2; turn++) {
        assert_string_equal(bare->kind->name, "vgcn");
        assert_string_equal(crd_model_metadata(bare, "mine"), "1");
        assert_int_equal(bare->extras.count, 4);
        bare = through_file(&bare);
    }
    free(zeros);
    crd_model_free(&bare);
    crd_model_free(&model);
}

/* The description of a split may hold a file's name, and that any bytes. */
static void not_utf8(void **state)
{
    (void)state;
    crd_model *model = trained(SMALL);
    crd_model_facts facts;
    snprintf(model->split->description, sizeof model->split->description, "a\xff\xc3.csv");
    assert_ok(crd_model_identify(model, NULL));
    model = through_file(&model);
    crd_model_get_facts(model, &facts);
    assert_string_equal(facts.split, "a\xef\xbf\xbd\xef\xbf\xbd.csv");
    crd_model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_and_list),   cmocka_unit_test(limits),  cmocka_unit_test(identifiers),
        cmocka_unit_test(of_other_tools), FOLDER_TEST(bare_weights), cmocka_unit_test(not_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
