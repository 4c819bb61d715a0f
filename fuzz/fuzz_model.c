/* SPDX-License-Identifier: MIT */
/* Model files: one that loads must also predict and explain without harm. */
#include "fuzz.h"

#include <string.h>

#include "credence_private.h"

static crd_status tiny_graph(crd_dataset **graph)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 24;
    options.classes = 3;
    options.features = 6;
    options.lookalikes = 1;
    return crd_generate(&options, graph, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    crd_model *model;
    crd_error error;
    if (crd_model_load_memory(data, size, "fuzz", &model, &error) != CRD_OK) return 0;
    crd_dataset *graph = NULL;
    crd_prediction *prediction = NULL;
    crd_explanation *explanation = NULL;
    char *facts = NULL;
    (void)!crd_model_facts_json(model, &facts, &error);
    crd_string_free(&facts);
    /* A model of a thousand steps is no bug, but slow. */
    if (crd_model_config(model)->steps <= 20 && tiny_graph(&graph) == CRD_OK) {
        (void)!crd_predict(model, graph, CRD_THREADS(1), &prediction, &error);
        (void)!crd_explain(model, graph, 0, 3, CRD_THREADS(1), &explanation, &error);
    }
    crd_explanation_free(&explanation);
    crd_prediction_free(&prediction);
    crd_dataset_free(&graph);
    crd_model_free(&model);
    return 0;
}

static void add_model(const crd_dataset *graph, const crd_config *config, void (*add)(const uint8_t *data, size_t size))
{
    crd_split *split = NULL;
    crd_model *model = NULL;
    uint8_t *bytes = NULL;
    size_t size;
    if (crd_split_make(graph, "40/30/30", 0, 1, &split, NULL) == CRD_OK &&
        crd_train(graph, split, config, NULL, &model, NULL) == CRD_OK &&
        crd_model_save_memory(model, &bytes, &size, NULL) == CRD_OK) {
        add(bytes, size);
        /* As a file of format version 3 it has no checksum, so what the fuzzer changes is read, not only refused. */
        static const char version[] = "\"format_version\":\"4\"", checksum[] = "\"credence_checksum\"";
        uint8_t *end = bytes + size - sizeof checksum;
        for (uint8_t *at = bytes; at < end; at++) {
            if (memcmp(at, version, sizeof version - 1) == 0) at[sizeof version - 3] = '3';
            if (memcmp(at, checksum, sizeof checksum - 1) == 0) at[1] = 'x';
        }
        add(bytes, size);
    }
    crd_bytes_free(&bytes);
    crd_model_free(&model);
    crd_split_free(&split);
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    crd_dataset *graph;
    crd_config config;
    if (tiny_graph(&graph) != CRD_OK) return;
    crd_config_defaults(&config);
    if (crd_config_set(&config, "model", "gpn", NULL) != CRD_OK) return;
    config.hidden = 2;
    config.latent = 2;
    config.flow_layers = 1;
    config.max_epochs = 1;
    config.warmup = 0;
    config.threads = 1;
    add_model(graph, &config, add);
    config.hold_out = 0.5;
    config.features = CRD_FEATURES_STANDARD;
    config.left_out = 1;
    add_model(graph, &config, add);
    for (int i = 0; i < crd_kind_count(); i++) {
        crd_config other = config;
        if (crd_config_set(&other, "model", crd_kind_name(i), NULL) != CRD_OK) continue;
        if (other.hidden > 0) other.hidden = 2;
        add_model(graph, &other, add);
    }
    crd_dataset_free(&graph);
}
