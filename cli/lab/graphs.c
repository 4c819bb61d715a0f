#include "lab/graphs.h"

#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "data.h"
#include "lab/splits.h"

/* What a graph that has no name is called: its file's name without folder and ending; but as it was typed if
 * that is the name of a known graph or of one before it. */
static char *choose_name(const crd_lab_data *before, int count, const char *typed)
{
    size_t length = strlen(typed);
    while (length > 1 && typed[length - 1] == '/') length--;
    const char *base = typed;
    for (size_t i = 0; i + 1 < length; i++)
        if (typed[i] == '/') base = typed + i + 1;
    int size = (int)(length - (size_t)(base - typed));
    if (size > 3 && strncmp(base + size - 3, ".gz", 3) == 0) size -= 3;
    for (int i = size - 1, whole = size; i > 0 && size == whole; i--)
        if (base[i] == '.') size = i;
    char *name = crd_cli_text("%.*s", size, base);
    bool taken = crd_public_graph_find(name) != NULL;
    for (int i = 0; i < count; i++) taken = taken || strcmp(before[i].name, name) == 0;
    if (!taken) return name;
    free(name);
    return crd_cli_text("%s", typed);
}

/* Roughly the seconds that training a GPN takes on one core: a guess for the time before the first run. */
static int guess_cost(crd_lab_data *data)
{
    crd_info info;
    crd_error error;
    if (crd_dataset_info(data->dataset, &info, &error) != CRD_OK) return crd_cli_fail(&error);
    double nodes = (double)info.nodes, edges = 2.0 * (double)info.edges;
    double epoch =
        64.0 * (double)info.features_nonzero + 1000.0 * nodes * info.classes + 20.0 * edges * info.classes;
    data->cost = 0.05 + 60.0 * epoch * 1e-9;
    return CRD_CLI_DONE;
}

static int choose_left_out(const crd_cli_options *options, bool leaves_out, crd_lab_data *data)
{
    const int32_t classes = crd_dataset_classes(data->dataset);
    data->left_out = data->known != NULL && leaves_out ? data->known->left_out : 0;
    if (leaves_out && data->known == NULL && !crd_cli_given(options, "left-out"))
        return crd_cli_misused(options, "%s: how many classes to leave out is not known, give --left-out N",
                               data->name);
    int code = crd_cli_integer(options, "left-out", 1, INT32_MAX, &data->left_out);
    if (code != CRD_CLI_DONE) return code;
    if (classes - data->left_out < 2)
        return crd_cli_failf(data->left_out > 0 ? CRD_CLI_MISUSED : CRD_CLI_FAILED,
                             "%s: has %d class%s and %lld left out, at least 2 are needed for training",
                             data->name, (int)classes, classes == 1 ? "" : "es", (long long)data->left_out);
    return CRD_CLI_DONE;
}

static int find_splits(const crd_cli_options *options, crd_lab_data *data)
{
    crd_error error;
    const char *split = crd_cli_value(options, "split");
    data->split = split != NULL ? split : data->known != NULL ? data->known->split : "auto";
    if (crd_lab_splits_count(data->dataset, data->split, &data->own_splits, &error) != CRD_OK)
        return crd_cli_fail(&error);
    return CRD_CLI_DONE;
}

int crd_lab_data_open(const crd_cli_options *options, const char *typed, bool leaves_out, crd_lab_data *data,
                      int count)
{
    crd_lab_data opened = {0};
    if (strcmp(typed, "-") == 0)
        return crd_cli_misused(options, "--data: standard input can be read once only, give a file");
    int code = crd_cli_open_public(options, typed, &opened.dataset, &opened.known);
    if (code != CRD_CLI_DONE) return code;
    opened.name =
        opened.known != NULL ? crd_cli_text("%s", opened.known->name) : choose_name(data, count, typed);
    opened.title = crd_cli_text("%s", opened.known != NULL ? opened.known->title : opened.name);
    const char *fingerprint = crd_dataset_fingerprint(opened.dataset);
    for (int i = 0; i < count && code == CRD_CLI_DONE; i++)
        if (strcmp(crd_dataset_fingerprint(data[i].dataset), fingerprint) == 0)
            code = crd_cli_misused(options, "--data: %s is the same graph as %s", typed, data[i].name);
    if (code == CRD_CLI_DONE) code = choose_left_out(options, leaves_out, &opened);
    if (code == CRD_CLI_DONE) code = find_splits(options, &opened);
    if (code == CRD_CLI_DONE) code = guess_cost(&opened);
    if (code == CRD_CLI_DONE)
        data[count] = opened;
    else
        crd_lab_data_free(&opened);
    return code;
}

int crd_lab_data_check_split(const crd_lab_data *data, uint64_t seed)
{
    crd_split *split = NULL;
    crd_error error;
    crd_status status =
        crd_lab_split_make(data->dataset, data->split, data->own_splits, seed, &split, &error);
    if (status != CRD_OK)
        return crd_cli_failf(status == CRD_ERROR_ARGUMENT ? CRD_CLI_MISUSED : CRD_CLI_FAILED, "%s: %s",
                             data->name, error.message);
    int64_t testing = crd_split_count(split, CRD_ROLE_TEST);
    crd_split_free(&split);
    if (testing > 0) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: the split %s leaves no test nodes to measure on", data->name,
                         data->split);
}

void crd_lab_data_free(crd_lab_data *data)
{
    free(data->name);
    free(data->title);
    crd_dataset_free(&data->dataset);
    *data = (crd_lab_data){0};
}
