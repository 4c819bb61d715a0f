/* SPDX-License-Identifier: MIT */
/* Trains on a graph, then scores new nodes as they arrive, without predicting the whole graph again.
 *
 *     cc serve.c $(pkg-config --cflags --libs credence) -o serve
 *     ./serve GRAPH        any file or folder that credence reads; without one, a generated graph
 */
#include <credence.h>
#include <stdio.h>

enum { ARRIVALS = 5, NEIGHBOURS = 3 };

static crd_status open_graph(const char *path, crd_dataset **graph, crd_error *error)
{
    if (path != NULL) return crd_dataset_open(path, NULL, graph, error);
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 300;
    return crd_generate(&options, graph, error);
}

/* A new node with one feature and some edges: to the node before it, and to old ones. */
static crd_status arrive(crd_serving *serving, const crd_dataset *graph, int number, int64_t *node, crd_error *error)
{
    const int64_t next = crd_serving_nodes(serving), old = crd_dataset_nodes(graph);
    const int64_t source[NEIGHBOURS] = {next, next, next};
    const int64_t target[NEIGHBOURS] = {next - 1, (number * 37) % old, (number * 91 + 5) % old};
    const int64_t row_start[2] = {0, 1};
    const int32_t column[1] = {(int32_t)(number * 13 % crd_dataset_features(graph))};
    crd_addition addition = {0};
    addition.size = sizeof addition;
    addition.nodes = 1;
    addition.row_start = row_start;
    addition.column = column; /* its value is 1 */
    addition.edges = NEIGHBOURS;
    addition.source = source;
    addition.target = target;
    return crd_serving_add(serving, &addition, node, error);
}

static crd_status answer(crd_serving *serving, const crd_model *model, int64_t node, crd_error *error)
{
    crd_prediction *prediction = NULL;
    crd_status status = crd_serving_predict(serving, &node, 1, &prediction, error);
    if (status != CRD_OK) return status;
    const int32_t best = crd_prediction_class(prediction)[0];
    printf("node %lld: class %s with probability %.2f, doubt %.3g\n", (long long)crd_prediction_node(prediction, 0),
           crd_model_class_name(model, best), crd_prediction_probability(prediction)[best],
           crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC)[0]);
    crd_prediction_free(&prediction);
    return CRD_OK;
}

int main(int argc, char **argv)
{
    crd_dataset *graph = NULL;
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_config *config = NULL;
    crd_serving *serving = NULL;
    const crd_control one_thread = {.size = sizeof one_thread, .threads = 1};
    crd_error error;

    crd_status status = open_graph(argc > 1 ? argv[1] : NULL, &graph, &error);
    if (status == CRD_OK) status = crd_config_new(&config, &error);
    if (status == CRD_OK) status = crd_config_set(config, "max-epochs", "50", &error);
    if (status == CRD_OK) status = crd_split_make(graph, NULL, 0, 1, &split, &error);
    if (status == CRD_OK) status = crd_train(graph, split, config, NULL, &model, &error);
    if (status == CRD_OK) status = crd_serving_open(model, graph, &one_thread, &serving, &error);
    for (int i = 0; i < ARRIVALS && status == CRD_OK; i++) {
        int64_t node;
        status = arrive(serving, graph, i, &node, &error);
        if (status == CRD_OK) status = answer(serving, model, node, &error);
    }
    if (status != CRD_OK) fprintf(stderr, "serve: %s\n", error.message);

    crd_serving_free(&serving);
    crd_model_free(&model);
    crd_config_free(&config);
    crd_split_free(&split);
    crd_dataset_free(&graph);
    return status == CRD_OK ? 0 : 1;
}
