#include "data.h"

#include <stdlib.h>
#include <string.h>

int crd_cli_open(const crd_cli_options *options, const char *path, crd_dataset **dataset)
{
    crd_error error;
    crd_open_options beside = {.features = crd_cli_value(options, "node-features"),
                               .labels = crd_cli_value(options, "labels")};
    if (crd_dataset_open(path, &beside, dataset, &error) != CRD_OK) return crd_cli_fail(&error);
    return CRD_CLI_DONE;
}

int crd_cli_open_both(const crd_cli_options *options, crd_model **model, crd_dataset **dataset)
{
    crd_error error;
    *model = NULL;
    *dataset = NULL;
    if (strcmp(options->positional[0], "-") == 0 && strcmp(options->positional[1], "-") == 0)
        return crd_cli_misused(options, "only one of model and data can come from standard input");
    if (crd_model_load(options->positional[0], model, &error) != CRD_OK) return crd_cli_fail(&error);
    int code = crd_cli_open(options, options->positional[1], dataset);
    if (code != CRD_CLI_DONE) crd_model_free(model);
    return code;
}

int crd_cli_threads(const crd_cli_options *options, int *threads)
{
    int64_t number = 0;
    int code = crd_cli_integer(options, "threads", 0, 1024, &number);
    *threads = (int)number;
    return code;
}

char *crd_cli_node_text(const crd_dataset *dataset, int64_t node)
{
    const char *name = crd_dataset_node_name(dataset, node);
    if (name == NULL) return crd_cli_text("%lld", (long long)node);
    return crd_cli_text("%lld (%s)", (long long)node, name);
}
