#include "lab/models.h"

#include <stdlib.h>
#include <string.h>

#include "config_text.h"
#include "credence_private.h"
#include "public_graphs.h"

static const crd_lab_model MODELS[] = {
    {"lp", "LP", "label propagation: density of labelled nodes, no training", "lp", false, 0.05, NULL},
    {"gkde", "GKDE", "graph kernel density of labelled nodes, no training", "gkde", false, 0.2, NULL},
    {"appnp", "APPNP", "a neural network whose answers are diffused", "appnp", false, 0.7, NULL},
    {"vgcn", "VGCN-Energy", "graph convolutions, energy as epistemic score", "vgcn", false, 0.7, NULL},
    {"gkde-gcn", "GKDE-GCN", "graph convolutions with GKDE and a teacher", "gkde-gcn", false, 1.5,
     NULL},
    {"gpn", "GPN", "Graph Posterior Network as published, no distance regulariser", "gpn", true, 1.0,
     NULL},
    {"gpn-ce", "GPN-CE", "the same, with its entropy weight tuned (task ablation)", "gpn", true, 1.0,
     "entropy-weight"},
    {"gpn-ce-act", "GPN-CE-ACT", "and its activation", "gpn", true, 1.0, "entropy-weight,activation"},
    {"gpn-ce-act-gd", "GPN-CE-ACT-GD", "and its regulariser", "gpn", true, 1.2,
     "entropy-weight,activation,reg,reg-weight"},
    {"paper", "Published choice", "GPN with the options that the paper publishes", "gpn", true, 1.2,
     NULL},
    {"ours", "Ours", "the preset best (task misclassification: errors) of that public graph, else the defaults",
     "gpn", true, 1.2, NULL},
    {"default", "Defaults", "what 'credence train' does without options", "gpn", true, 1.2, NULL},
    {"config", "Config", "the options of --config, as your own 'credence tune' chose them; --title names it",
     "gpn", true, 1.2, NULL},
};
enum { MODEL_COUNT = sizeof MODELS / sizeof MODELS[0] };

const crd_lab_model *crd_lab_model_at(int index)
{
    return index < 0 || index >= MODEL_COUNT ? NULL : &MODELS[index];
}

const crd_lab_model *crd_lab_model_find(const char *name)
{
    for (int i = 0; i < MODEL_COUNT; i++)
        if (strcmp(MODELS[i].name, name) == 0) return &MODELS[i];
    return NULL;
}

int crd_lab_check_features(const char *data, const crd_dataset *dataset, const char *kind)
{
    if (crd_dataset_features(dataset) > 0 || !crd_kind_trained(kind)) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: has no features, which %s needs; lp and gkde do without", data,
                         kind);
}

bool crd_lab_model_applies(const crd_lab_model *model, const crd_public_graph *known)
{
    return strcmp(model->name, "paper") != 0 || (known != NULL && known->published != NULL);
}

/* All rows but those of a choice see the features of these data alike: as the published choice for them does,
 * or as the defaults have it where there is none. The preset of the plain GPN would cut every graph's
 * features to bags of words. */
static crd_status prepare_features(const crd_public_graph *known, crd_config *config, crd_error *error)
{
    crd_config usual;
    crd_status status = CRD_OK;
    crd_config_defaults(&usual);
    if (known != NULL)
        status = crd_config_preset(&usual, known->published != NULL ? known->published : known->gpn, error);
    if (status == CRD_OK) config->features = usual.features;
    return status;
}

crd_status crd_lab_model_configure(const crd_lab_model *model, const crd_public_graph *known, bool errors,
                                   const char *file, crd_config *config, crd_error *error)
{
    const char *name = model->name, *preset = NULL;
    bool gpn = strcmp(name, "gpn") == 0 || model->tuned != NULL;
    crd_status status = CRD_OK;
    crd_config_defaults(config);
    if (!model->from_preset) {
        status = crd_config_set(config, "model", model->kind, error);
        return status == CRD_OK ? prepare_features(known, config, error) : status;
    }
    if (strcmp(name, "config") == 0) return crd_cli_config_read(config, file, error);
    if (gpn) preset = known != NULL ? known->gpn : "gpn";
    if (strcmp(name, "paper") == 0 && known != NULL) preset = known->published;
    if (strcmp(name, "ours") == 0 && known != NULL) preset = errors ? known->errors : known->best;
    if (preset != NULL) status = crd_config_preset(config, preset, error);
    if (status == CRD_OK && gpn) status = prepare_features(known, config, error);
    return status;
}
