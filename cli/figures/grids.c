#include "figures/grids.h"

#include <stdlib.h>
#include <string.h>

#include "config_text.h"
#include "credence_private.h"
#include "public_graphs.h"

static const crd_fig_grid_kind GRIDS[] = {
    {.name = "lambda",
     .columns = 2,
     .panels = 4,
     .value = {"0", "1e-6", "1e-4", "1e-2"},
     .title = {"λ₂ = 0", "λ₂ = 1e-6", "λ₂ = 1e-4", "λ₂ = 1e-2"}},
    {.name = "activation",
     .columns = 3,
     .panels = 3,
     .value = {"relu", "logsigmoid", "hardtanh"},
     .title = {"ReLU", "LogSigmoid", "HardTanh"}},
};

const crd_fig_grid_kind *crd_fig_grid_at(int index)
{
    return index < 0 || index >= (int)(sizeof GRIDS / sizeof *GRIDS) ? NULL : &GRIDS[index];
}

static bool is_lambda(const crd_fig_grid_kind *grid)
{
    return strcmp(grid->name, "lambda") == 0;
}

crd_status crd_fig_configure(const crd_fig_grid_kind *grid, int panel, const crd_lab_data *data,
                             const char *reg, crd_lab_changes *changes, crd_config *config, crd_error *error)
{
    const crd_public_graph *known = data->known;
    const char *preset = known == NULL ? "gpn" : known->published != NULL ? known->published : known->gpn;
    const char *value = grid->value[panel];
    const bool weighted = is_lambda(grid) && strcmp(value, "0") != 0;
    crd_config_defaults(config);
    crd_status status = crd_config_preset(config, preset, error);
    if (status == CRD_OK) status = crd_lab_changes_apply(changes, config, error);
    if (status == CRD_OK) status = crd_config_set(config, "reg", weighted ? reg : "none", error);
    if (status == CRD_OK && weighted) status = crd_config_set(config, "reg-weight", value, error);
    if (status == CRD_OK && !is_lambda(grid)) status = crd_config_set(config, "activation", value, error);
    config->left_out = data->left_out;
    return status == CRD_OK ? crd_config_check(config, error) : status;
}

char *crd_fig_heading(const crd_fig_grid_kind *grid, const char *reg)
{
    if (is_lambda(grid))
        return crd_cli_text("latent space for four weights λ₂ of the %s regulariser",
                            strcmp(reg, "distance") == 0 ? "distance" : "evidence");
    return crd_cli_text("latent space for three activations, no distance regulariser");
}

char *crd_fig_note(const crd_fig_grid_kind *grid, const crd_config *config, int64_t nodes, double perplexity,
                   int64_t iterations)
{
    char *activation = crd_cli_config_value(config, "activation");
    char *trained = is_lambda(grid) ? crd_cli_text("activation %s, ", activation) : crd_cli_text("%s", "");
    char *note = crd_cli_text("All %lld nodes; t-SNE of the %lld latent dimensions, perplexity %g, %lld "
                              "iterations. Model: %sλ₁ = %g, "
                              "seed %llu. The area of a disc grows with the square root of the node's total "
                              "evidence after the graph, on a "
                              "scale of each panel's own; small discs lie on large ones. Letters stand where "
                              "most of a class is. Accuracy, "
                              "AUROC (of epistemic uncertainty) and medians: test nodes.",
                              (long long)nodes, (long long)config->latent, perplexity, (long long)iterations,
                              trained, config->entropy_weight, (unsigned long long)config->seed);
    free(trained);
    free(activation);
    return note;
}
