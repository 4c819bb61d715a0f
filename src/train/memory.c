/* How much memory training takes, before it starts. */
#include "models/config.h"
#include "train/train.h"

static int64_t count_nodes(const crd_dataset *dataset, const crd_split *split, crd_role role, int32_t classes)
{
    int64_t count = 0;
    for (int64_t i = 0; i < split->nodes; i++)
        count += split->roles[i] == role && dataset->labels[i] >= 0 && dataset->labels[i] < classes;
    return count;
}

/* The features as the model sees them; standardising makes sparse ones dense. */
static crd_prepared prepared_features(const crd_features *features, crd_preprocessing wanted, int64_t *bytes)
{
    crd_prepared prepared = {.features = *features};
    const crd_preprocessing chosen = crd_preprocess_choose(features, wanted);
    const int64_t cells = features->rows * features->columns;
    if (features->sparse && chosen == CRD_FEATURES_STANDARD) {
        prepared.features.sparse = false;
        *bytes = cells * (int64_t)sizeof(float);
    } else if (features->sparse) {
        *bytes = features->start[features->rows] * 8 + features->rows * 8;
    } else {
        *bytes = features->rows * (int64_t)sizeof(float);
    }
    return prepared;
}

/* The graph in the order of training, and that order. */
static int64_t graph_bytes(const crd_graph *graph)
{
    return graph->start[graph->nodes] * 4 + graph->nodes * 16;
}

/* Lists what crd_train would list, for a model that has its parameters. */
static crd_status run_bytes(const crd_dataset *dataset, const crd_split *split, const crd_model *model, int64_t *bytes,
                            crd_error *error)
{
    int64_t of_features, of_run, parameters = 0;
    const int64_t here = 0;
    const crd_prepared prepared = prepared_features(&dataset->features, model->config.features, &of_features);
    crd_team *team;
    crd_status status = crd_team_open(model->config.threads, &team, error);
    if (status != CRD_OK) return status;
    const crd_inputs inputs = {
        .graph = &dataset->graph,
        .features = &prepared,
        .nodes = &here, /* never read; it only says that there are training nodes */
        .count = count_nodes(dataset, split, CRD_ROLE_TRAIN, model->classes),
        .wanted = &here,
        .wanted_count = count_nodes(dataset, split, CRD_ROLE_VALIDATION, model->classes),
        .team = team,
    };
    status = crd_run_bytes(model, &inputs, &of_run, error);
    for (int p = 0; p < model->parameters; p++) parameters += model->parameter[p].count;
    if (status == CRD_OK)
        *bytes = of_run + of_features + graph_bytes(&dataset->graph) +
                 crd_feature_product_bytes(&prepared, model->config.hidden, crd_team_size(team)) +
                 5 * parameters * (int64_t)sizeof(float) + /* values, gradients, moments, squares, the best */
                 inputs.wanted_count * model->classes * (int64_t)sizeof(float) +
                 (inputs.count + inputs.wanted_count) * 12;
    crd_team_close(&team);
    return status;
}

crd_status crd_train_memory(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                            int64_t *bytes, crd_error *error)
{
    *bytes = 0;
    crd_status status = crd_train_check(dataset, split, config, error);
    if (status != CRD_OK) return status;
    crd_model *model;
    status = crd_model_new(crd_model_kind_find(config->model), &model, error);
    if (status != CRD_OK) return status;
    model->config = *config;
    crd_config_tidy(&model->config);
    model->classes = dataset->classes - (int32_t)config->left_out;
    model->features = dataset->features.columns;
    if (model->kind->trained) {
        status = model->kind->declare(model, error);
        if (status == CRD_OK) status = run_bytes(dataset, split, model, bytes, error);
    } else { /* an untrained kind keeps its training nodes */
        *bytes = count_nodes(dataset, split, CRD_ROLE_TRAIN, model->classes) * 24;
    }
    if (status == CRD_OK && model->kind->teacher != NULL) { /* trained while the pupil is ready to start */
        crd_config its = *config;
        int64_t of_teacher = 0;
        status = crd_config_set(&its, "model", model->kind->teacher->name, error);
        if (status == CRD_OK) status = crd_train_memory(dataset, split, &its, &of_teacher, error);
        *bytes += of_teacher;
    }
    crd_model_free(&model);
    return status;
}
