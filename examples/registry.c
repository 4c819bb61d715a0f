/* SPDX-License-Identifier: MIT */
/* A registry of models in memory: each is kept as the bytes that a file would have, under the identifier that its
 * content gives it. Several threads load models from it and answer at once.
 *
 *     cc -pthread registry.c $(pkg-config --cflags --libs credence) -o registry && ./registry
 */
#include <credence.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MODELS = 2, WORKERS = 4, ID = 65 };

typedef struct {
    char id[ID];
    uint8_t *bytes;
    size_t size;
} entry;

/* Filled before the threads begin, and only read by them, so it needs no lock. */
static entry registry[MODELS];
static crd_dataset *graph;

/* Trains a model, notes whose it is, and keeps it. */
static crd_status publish(const crd_split *split, const char *kind, const char *owner, entry *into, crd_error *error)
{
    crd_config *config = NULL;
    crd_model *model = NULL;
    crd_status status = crd_config_new(&config, error);
    if (status == CRD_OK) status = crd_config_set(config, "model", kind, error); /* first: it sets the others */
    if (status == CRD_OK) status = crd_config_set(config, "max-epochs", "30", error);
    if (status == CRD_OK) status = crd_train(graph, split, config, NULL, &model, error);
    if (status == CRD_OK) status = crd_model_set_metadata(model, "owner", owner, error);
    if (status == CRD_OK) status = crd_model_save_memory(model, &into->bytes, &into->size, error);
    if (status == CRD_OK) {
        crd_model_facts facts;
        crd_model_get_facts(model, &facts);
        snprintf(into->id, sizeof into->id, "%s", facts.id);
    }
    crd_model_free(&model);
    crd_config_free(&config);
    return status;
}

static crd_status load(const char *id, crd_model **model, crd_error *error)
{
    for (int i = 0; i < MODELS; i++)
        if (strcmp(registry[i].id, id) == 0) /* loading refuses damaged bytes */
            return crd_model_load_memory(registry[i].bytes, registry[i].size, id, model, error);
    snprintf(error->message, sizeof error->message, "there is no model %s", id);
    return CRD_ERROR_ARGUMENT;
}

typedef struct {
    const char *id;
    char line[160];
    crd_status status;
    crd_error error;
} job;

static void *answer(void *user)
{
    job *j = user;
    crd_control control = {0}; /* each call stays in its own thread */
    control.size = sizeof control;
    control.threads = 1;
    crd_model *model = NULL;
    crd_prediction *prediction = NULL;
    j->status = load(j->id, &model, &j->error);
    if (j->status == CRD_OK) j->status = crd_predict(model, graph, &control, &prediction, &j->error);
    if (j->status == CRD_OK) {
        crd_model_facts facts;
        crd_model_get_facts(model, &facts);
        snprintf(j->line, sizeof j->line, "%.12s: a %s of %s says that node 0 is of class %s", facts.id, facts.kind,
                 crd_model_metadata(model, "owner"), crd_model_class_name(model, crd_prediction_class(prediction)[0]));
    }
    crd_prediction_free(&prediction);
    crd_model_free(&model);
    return NULL;
}

int main(void)
{
    crd_split *split = NULL;
    crd_generate_options options;
    pthread_t thread[WORKERS];
    static job jobs[WORKERS];
    crd_error error = {0};

    crd_generate_defaults(&options);
    options.nodes = 300;
    crd_status status = crd_generate(&options, &graph, &error);
    if (status == CRD_OK) status = crd_split_make(graph, NULL, 0, 1, &split, &error);
    if (status == CRD_OK) status = publish(split, "committee", "anna", &registry[0], &error);
    if (status == CRD_OK) status = publish(split, "gpn", "ben", &registry[1], &error);
    if (status != CRD_OK) fprintf(stderr, "registry: %s\n", error.message);

    int running = 0;
    for (; running < WORKERS && status == CRD_OK; running++) {
        jobs[running].id = registry[running % MODELS].id;
        if (pthread_create(&thread[running], NULL, answer, &jobs[running]) != 0) break;
    }
    for (int i = 0; i < running; i++) {
        pthread_join(thread[i], NULL);
        if (jobs[i].status == CRD_OK) puts(jobs[i].line);
        else fprintf(stderr, "registry: %s\n", jobs[i].error.message);
        if (jobs[i].status != CRD_OK) status = jobs[i].status;
    }

    for (int i = 0; i < MODELS; i++) crd_bytes_free(&registry[i].bytes);
    crd_split_free(&split);
    crd_dataset_free(&graph);
    return status == CRD_OK && running == WORKERS ? 0 : 1;
}
