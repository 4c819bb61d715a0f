/* SPDX-License-Identifier: MIT */
/* A program that was compiled with an older header. It does not include credence.h: its structures end where those of a
 * first version might have ended, before members that the library has by now. (crd_model_facts did end there.) The
 * library must neither read nor write behind them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct crd_dataset crd_dataset;
typedef struct crd_split crd_split;
typedef struct crd_config crd_config;
typedef struct crd_model crd_model;
typedef struct crd_prediction crd_prediction;

typedef struct crd_error {
    int status;
    char about[48], message[640];
} crd_error;

typedef struct crd_control {
    size_t size;
    int threads;
    const int *stop;
} crd_control;

typedef struct crd_train_options {
    size_t size;
    const crd_model *init;
    const crd_control *control;
} crd_train_options;

typedef struct crd_numbers {
    const void *data;
    int type;
} crd_numbers;

typedef struct crd_arrays {
    size_t size;
    int64_t nodes, edges;
    crd_numbers source, target, start, neighbour, weight;
    int edge_weights;
    double min_edge_weight;
    int64_t features;
    crd_numbers dense;
    int64_t dense_stride, entries;
    crd_numbers row_start, column, value;
    const int32_t *labels;
} crd_arrays;

typedef struct crd_info {
    int64_t nodes, input_edges, edges;
} crd_info;

typedef struct crd_model_facts {
    const char *kind;
    int64_t features;
    int32_t classes, left_out;
    int64_t parameters, graph_nodes, training_nodes, epochs, best_epoch;
    double best_cross_entropy, best_accuracy;
    const char *calibration;
    double temperature;
    int64_t calibration_nodes;
    double seconds;
    int stop;
    const char *fingerprint, *split, *version;
    int32_t networks;
    double view[3];
} crd_model_facts;

typedef struct crd_evaluation {
    size_t size;
    int task;
    int64_t nodes, positives, trained;
    double accuracy;
} crd_evaluation;

int crd_config_new(crd_config **config, crd_error *error);
int crd_config_set(crd_config *config, const char *name, const char *value, crd_error *error);
void crd_config_free(crd_config **config);
int crd_dataset_from_arrays(const crd_arrays *arrays, crd_dataset **dataset, crd_error *error);
int crd_dataset_info_sized(const crd_dataset *dataset, crd_info *info, size_t size, crd_error *error);
void crd_dataset_free(crd_dataset **dataset);
int crd_split_make(const crd_dataset *dataset, const char *spec, int index, uint64_t seed, crd_split **split,
                   crd_error *error);
void crd_split_free(crd_split **split);
int crd_train(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
              const crd_train_options *options, crd_model **model, crd_error *error);
void crd_model_get_facts_sized(const crd_model *model, crd_model_facts *facts, size_t size);
int crd_model_save_memory(const crd_model *model, uint8_t **bytes, size_t *size, crd_error *error);
int crd_model_load_memory(const void *bytes, size_t size, const char *name, crd_model **model, crd_error *error);
void crd_model_free(crd_model **model);
void crd_bytes_free(uint8_t **bytes);
int crd_predict(const crd_model *model, const crd_dataset *dataset, const crd_control *control,
                crd_prediction **prediction, crd_error *error);
const float *crd_prediction_probability(const crd_prediction *prediction);
void crd_prediction_free(crd_prediction **prediction);
int crd_evaluate_sized(const crd_model *model, const crd_dataset *dataset, const crd_split *split, int task,
                       const crd_control *control, crd_evaluation *evaluation, size_t size, crd_error *error);
int crd_evaluation_json(const crd_evaluation *evaluation, char **json, crd_error *error);
void crd_string_free(char **string);

enum { NODES = 120, CLASSES = 3, FEATURES = 6, INT64 = 2, FLOAT32 = 3, MISCLASSIFICATION = 1 };
static int failures;

static void expect(bool right, const char *what)
{
    if (right) return;
    fprintf(stderr, "old_caller: %s\n", what);
    failures++;
}

static bool untouched(const char *guard, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (guard[i] != 'x') return false;
    return true;
}

/* The nodes of a class are joined in a ring, and have two features of their own. */
static int make_graph(crd_dataset **dataset, crd_error *error)
{
    static int64_t source[NODES], target[NODES];
    static float dense[NODES * FEATURES];
    static int32_t labels[NODES];
    for (int i = 0; i < NODES; i++) {
        source[i] = i;
        target[i] = (i + CLASSES) % NODES;
        labels[i] = i % CLASSES;
        for (int f = 0; f < FEATURES; f++) dense[i * FEATURES + f] = f / 2 == i % CLASSES ? 1.0f : 0.1f * (i % (f + 2));
    }
    /* What follows is not part of the structure: an address that nobody may read. */
    struct {
        crd_arrays arrays;
        void *behind[8];
    } given = {.arrays = {.size = sizeof given.arrays,
                          .nodes = NODES,
                          .edges = NODES,
                          .source = {source, INT64},
                          .target = {target, INT64},
                          .features = FEATURES,
                          .dense = {dense, FLOAT32},
                          .labels = labels}};
    memset(given.behind, 'x', sizeof given.behind);
    return crd_dataset_from_arrays(&given.arrays, dataset, error);
}

static void check_facts(const crd_dataset *dataset, const crd_model *model)
{
    struct {
        crd_model_facts facts;
        char guard[64];
    } f;
    memset(&f, 'x', sizeof f);
    crd_model_get_facts_sized(model, &f.facts, sizeof f.facts);
    expect(strcmp(f.facts.kind, "committee") == 0 && f.facts.classes == CLASSES && f.facts.graph_nodes == NODES &&
               f.facts.networks == 2 && f.facts.view[2] >= 0.0 && f.facts.view[2] <= 1.0,
           "the facts of the model are wrong");
    expect(untouched(f.guard, sizeof f.guard), "the library writes behind the facts");
    struct {
        crd_info info;
        char guard[64];
    } i;
    memset(&i, 'x', sizeof i);
    expect(crd_dataset_info_sized(dataset, &i.info, sizeof i.info, NULL) == 0 && i.info.nodes == NODES &&
               i.info.edges == NODES,
           "the facts of the graph are wrong");
    expect(untouched(i.guard, sizeof i.guard), "the library writes behind the facts of the graph");
}

static int check_evaluation(const crd_model *model, const crd_dataset *dataset, const crd_control *control,
                            crd_error *error)
{
    struct {
        crd_evaluation evaluation;
        char guard[64];
    } e;
    char *json = NULL;
    memset(&e, 'x', sizeof e);
    int status =
        crd_evaluate_sized(model, dataset, NULL, MISCLASSIFICATION, control, &e.evaluation, sizeof e.evaluation, error);
    if (status != 0) return status;
    expect(e.evaluation.size == sizeof e.evaluation && e.evaluation.nodes > 0 && e.evaluation.accuracy > 0.5,
           "the evaluation is wrong");
    expect(untouched(e.guard, sizeof e.guard), "the library writes behind the evaluation");
    status = crd_evaluation_json(&e.evaluation, &json, error);
    if (status == 0) expect(strstr(json, "\"accuracy\":") != NULL && strstr(json, "e+") == NULL, json);
    crd_string_free(&json);
    return status;
}

int main(void)
{
    crd_dataset *dataset = NULL;
    crd_split *split = NULL;
    crd_config *config = NULL;
    crd_model *model = NULL, *again = NULL;
    crd_prediction *first = NULL, *second = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    crd_error error = {0};
    const int stop = 0;
    struct {
        crd_control control;
        void *behind[8]; /* no call-back */
    } c = {.control = {sizeof c.control, 2, &stop}};
    memset(c.behind, 'x', sizeof c.behind);
    const crd_train_options options = {sizeof options, NULL, &c.control};

    int status = make_graph(&dataset, &error);
    if (status == 0) status = crd_config_new(&config, &error);
    if (status == 0) status = crd_config_set(config, "max-epochs", "30", &error);
    if (status == 0) status = crd_split_make(dataset, "40/30/30", 0, 1, &split, &error);
    if (status == 0) status = crd_train(dataset, split, config, &options, &model, &error);
    if (status == 0) check_facts(dataset, model);
    if (status == 0) status = crd_predict(model, dataset, &c.control, &first, &error);
    if (status == 0) status = crd_model_save_memory(model, &bytes, &size, &error);
    if (status == 0) status = crd_model_load_memory(bytes, size, "saved", &again, &error);
    if (status == 0) status = crd_predict(again, dataset, &c.control, &second, &error);
    if (status == 0)
        expect(memcmp(crd_prediction_probability(first), crd_prediction_probability(second),
                      sizeof(float) * NODES * CLASSES) == 0,
               "the model that was saved and loaded answers differently");
    if (status == 0) status = check_evaluation(model, dataset, &c.control, &error);
    expect(status == 0, error.message);

    crd_bytes_free(&bytes);
    crd_prediction_free(&first);
    crd_prediction_free(&second);
    crd_model_free(&again);
    crd_model_free(&model);
    crd_config_free(&config);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return failures > 0;
}
