/* SPDX-License-Identifier: MIT */
/* Trains on a graph and lists the nodes whose answers deserve a second look.
 *
 *     cc doubt.c $(pkg-config --cflags --libs credence) -o doubt
 *     ./doubt GRAPH        any file or folder that credence reads; without one, a generated graph
 */
#include <credence.h>
#include <stdio.h>

enum { SHOWN = 5 };

static crd_status open_graph(const char *path, crd_dataset **graph, crd_error *error)
{
    if (path != NULL) return crd_dataset_open(path, NULL, graph, error);
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 300;
    return crd_generate(&options, graph, error);
}

/* The epistemic score grows with doubt. For the default model it is the logarithm of the odds that a node is unlike all
 * labelled ones: above 0 it probably is. The most doubtful nodes come first. */
static void show_doubtful(const crd_dataset *graph, const crd_model *model, const crd_prediction *prediction)
{
    const double *doubt = crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC);
    const int32_t *answer = crd_prediction_class(prediction);
    const float *probability = crd_prediction_probability(prediction);
    int32_t classes = crd_prediction_classes(prediction);
    int64_t nodes = crd_prediction_nodes(prediction), shown[SHOWN];
    for (int rank = 0; rank < SHOWN && rank < nodes; rank++) {
        int64_t worst = -1;
        for (int64_t node = 0; node < nodes; node++) {
            bool taken = false;
            for (int earlier = 0; earlier < rank; earlier++) taken = taken || shown[earlier] == node;
            if (!taken && (worst < 0 || doubt[node] > doubt[worst])) worst = node;
        }
        shown[rank] = worst;
        const char *name = crd_dataset_node_name(graph, worst);
        printf("node %lld%s%s: class %s with probability %.2f, doubt %.3g\n", (long long)worst, name != NULL ? " " : "",
               name != NULL ? name : "", crd_model_class_name(model, answer[worst]),
               probability[worst * classes + answer[worst]], doubt[worst]);
    }
}

int main(int argc, char **argv)
{
    crd_dataset *graph = NULL;
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_prediction *prediction = NULL;
    crd_config *config = NULL;
    crd_error error;

    crd_status status = open_graph(argc > 1 ? argv[1] : NULL, &graph, &error);
    if (status == CRD_OK) status = crd_config_new(&config, &error);
    if (status == CRD_OK) status = crd_config_set(config, "max-epochs", "50", &error);
    if (status == CRD_OK) status = crd_split_make(graph, NULL, 0, 1, &split, &error);
    if (status == CRD_OK) status = crd_train(graph, split, config, NULL, &model, &error);
    if (status == CRD_OK) status = crd_predict(model, graph, NULL, &prediction, &error);

    if (status == CRD_OK) show_doubtful(graph, model, prediction);
    else fprintf(stderr, "doubt: %s\n", error.message);

    crd_prediction_free(&prediction);
    crd_model_free(&model);
    crd_config_free(&config);
    crd_split_free(&split);
    crd_dataset_free(&graph);
    return status == CRD_OK ? 0 : 1;
}
