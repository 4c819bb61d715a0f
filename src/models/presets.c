/* Presets: the paper's GPN, and for each of its datasets the published choice. */
#include <string.h>

#include "base/status.h"

typedef struct {
    const char *name, *help;
    bool amazon;  /* latent 10, teleport 0.2, weight decay 5e-4, class scale */
    const char *features;
    crd_regulariser reg;
    double reg_weight, entropy_weight;
    crd_activation activation;
} preset;

/* 10^-9.5 and 10^-4.5: the paper's grid goes in half decades. */
static const double TEN_TO_MINUS_9_5 = 3.1622776601683795e-10, TEN_TO_MINUS_4_5 = 3.1622776601683795e-5;

static const preset PRESETS[] = {
    {"gpn", "the Graph Posterior Network without a distance regulariser", false, "binary,rownorm",
     CRD_REG_NONE, 0.0, 1e-4, CRD_ACT_RELU},
    {"gpn-amazon", "the same as it is run on Amazon Computers and Photos", true, "binary,rownorm",
     CRD_REG_NONE, 0.0, 1e-5, CRD_ACT_RELU},
    {"coraml", "published choice for CoraML", false, "binary,rownorm", CRD_REG_DISTANCE, 1e-4, 0.0,
     CRD_ACT_GELU},
    {"citeseer", "published choice for CiteSeer", false, "binary,rownorm", CRD_REG_DISTANCE,
     TEN_TO_MINUS_9_5, 1e-4, CRD_ACT_LOGSIGMOID},
    {"pubmed", "published choice for PubMed", false, "binary,rownorm", CRD_REG_DISTANCE, 1e-4, 1e-5,
     CRD_ACT_RELU},
    {"computers", "published choice for Amazon Computers", true, "binary,rownorm", CRD_REG_DISTANCE, 1e-4,
     1e-5, CRD_ACT_RELU},
    {"photos", "published choice for Amazon Photos", true, "binary,rownorm", CRD_REG_DISTANCE, 1e-11, 1e-5,
     CRD_ACT_RELU},
    {"cs", "published choice for Coauthor CS", false, "binary,rownorm", CRD_REG_DISTANCE, 1e-6, 0.0,
     CRD_ACT_RELU},
    {"physics", "published choice for Coauthor Physics", false, "binary,rownorm", CRD_REG_DISTANCE,
     TEN_TO_MINUS_4_5, 1e-4, CRD_ACT_LOGSIGMOID},
    {"arxiv", "published choice for ogbn-arxiv", false, "none", CRD_REG_DISTANCE, 1e-8, 1e-5, CRD_ACT_RELU},
};
enum { PRESET_COUNT = sizeof PRESETS / sizeof PRESETS[0] };

int crd_preset_count(void)
{
    return PRESET_COUNT;
}

const char *crd_preset_name(int index)
{
    return index < 0 || index >= PRESET_COUNT ? NULL : PRESETS[index].name;
}

const char *crd_preset_help(int index)
{
    return index < 0 || index >= PRESET_COUNT ? NULL : PRESETS[index].help;
}

crd_status crd_config_preset(crd_config *config, const char *name, crd_error *error)
{
    char known[256] = "";
    for (int i = 0; i < PRESET_COUNT; i++) {
        const preset *p = &PRESETS[i];
        strcat(strcat(known, i > 0 ? ", " : ""), p->name);
        if (strcmp(p->name, name) != 0) continue;
        crd_status status = crd_config_set(config, "model", "gpn", error);
        if (status == CRD_OK) status = crd_config_set(config, "features", p->features, error);
        if (status != CRD_OK) return status;
        config->hidden = 64;
        config->latent = p->amazon ? 10 : 16;
        config->flow_layers = 10;
        config->teleport = p->amazon ? 0.2 : 0.1;
        config->steps = 10;
        config->class_scale = p->amazon;
        config->dropout = 0.5;
        config->weight_decay = p->amazon ? 5e-4 : 1e-3;
        config->lr = 0.01;
        config->reg = p->reg;
        config->reg_weight = p->reg_weight;
        config->reg_strength = 0.0;
        config->share_weight = 0.0;
        config->entropy_weight = p->entropy_weight;
        config->activation = p->activation;
        return CRD_OK;
    }
    return crd_fail(error, CRD_ERROR_ARGUMENT, "--preset %.60s: expected one of %s", name, known);
}
