#include "graph/generate.h"

#include <stdio.h>
#include <string.h>

/* The demo's graph: class probability tells its look-alikes badly, evidence tells them well (tested). */
void crd_generate_defaults(crd_generate_options *options)
{
    *options = (crd_generate_options){
        .kind = "blocks",
        .nodes = 2000,
        .classes = 7,
        .features = 600,
        .degree = 4.0,
        .homophily = 0.75,
        .words = 30.0,
        .strength = 0.7,
        .overlap = 0.5,
        .lookalikes = 3,
        .seed = 1,
    };
}

static bool is_kind(const crd_generate_options *options, const char *kind)
{
    return strncmp(options->kind, kind, sizeof options->kind) == 0;
}

/* Both fail unless low <= value <= high; NaN never is. */
static crd_status check_whole(const char *name, int64_t value, int64_t low, int64_t high, const char *why,
                              crd_error *error)
{
    if (value >= low && value <= high) return CRD_OK;
    return crd_fail(error, CRD_ERROR_ARGUMENT, "generate: %s is %lld, expected %lld to %lld%s", name,
                    (long long)value, (long long)low, (long long)high, why);
}

static crd_status check_number(const char *name, double value, double low, double high, const char *why,
                               crd_error *error)
{
    if (value >= low && value <= high) return CRD_OK;
    return crd_fail(error, CRD_ERROR_ARGUMENT, "generate: %s is %.10g, expected %.10g to %.10g%s", name,
                    value, low, high, why);
}

/* So many entries take tens of gigabytes. A system that promises memory it does not have would end the
 * program in the middle of it. */
static crd_status check_size(const char *name, int64_t nodes, double each, crd_error *error)
{
    const double most = 4e9;
    if ((double)nodes * each <= most) return CRD_OK;
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "generate: nodes x %s is %.10g, expected %.10g at most (more would hardly fit in memory)",
                    name, (double)nodes * each, most);
}

static crd_status check_blocks(const crd_generate_options *o, crd_error *error)
{
    const double most_words = 1e6;
    const int64_t most_features = 100000000;
    crd_status status = check_whole("nodes", o->nodes, 2, INT32_MAX, "", error);
    if (status == CRD_OK)
        status = check_whole("classes", o->classes, 1, o->nodes, " (no more classes than nodes)", error);
    if (status == CRD_OK)
        status = check_whole("features", o->features, o->classes, most_features, " (at least a word a class)",
                             error);
    if (status == CRD_OK)
        status = check_whole("lookalikes", o->lookalikes, 0, o->classes - 1,
                             " (one class must be left to look like)", error);
    if (status == CRD_OK)
        status = check_number("degree", o->degree, 0.0, (double)(o->nodes - 1),
                              " (no more neighbours than other nodes)", error);
    if (status == CRD_OK) status = check_number("homophily", o->homophily, 0.0, 1.0, "", error);
    if (status == CRD_OK) status = check_number("words", o->words, 1.0, most_words, "", error);
    if (status == CRD_OK) status = check_size("degree", o->nodes, o->degree, error);
    if (status == CRD_OK) status = check_size("words", o->nodes, o->words, error);
    if (status == CRD_OK) status = check_number("strength", o->strength, 0.0, 1.0, "", error);
    if (status == CRD_OK) status = check_number("overlap", o->overlap, 0.0, 1.0, "", error);
    return status;
}

/* Other options mean nothing to the toy: its shape is fixed. */
static crd_status check_options(const crd_generate_options *options, crd_error *error)
{
    if (is_kind(options, "toy"))
        return check_whole("nodes", options->nodes, CRD_TOY_CLASSES, CRD_TOY_MOST_NODES,
                           " (the toy's classes are fully connected)", error);
    if (is_kind(options, "blocks")) return check_blocks(options, error);
    return crd_fail(error, CRD_ERROR_ARGUMENT, "generate: kind is '%.*s', expected blocks or toy",
                    (int)sizeof options->kind, options->kind);
}

/* A, B, ... Z, c26, c27, ... */
static crd_status name_blocks(crd_dataset *dataset, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(&dataset->class_names, dataset->classes, error);
    for (int32_t c = 0; c < dataset->classes && status == CRD_OK; c++) {
        char name[16];
        if (c < 26) snprintf(name, sizeof name, "%c", 'A' + (int)c);
        else snprintf(name, sizeof name, "c%ld", (long)c);
        status = crd_copy_string(&dataset->class_names[c], name, error);
    }
    return status;
}

static crd_status name_toy(crd_dataset *dataset, crd_error *error)
{
    static const char *const names[CRD_TOY_CLASSES] = {"1", "2", "OOD"};
    crd_status status = CRD_NEW_ZERO(&dataset->class_names, CRD_TOY_CLASSES, error);
    for (int c = 0; c < CRD_TOY_CLASSES && status == CRD_OK; c++)
        status = crd_copy_string(&dataset->class_names[c], names[c], error);
    return status;
}

crd_status crd_generate(const crd_generate_options *options, crd_dataset **dataset, crd_error *error)
{
    *dataset = NULL;
    crd_status status = check_options(options, error);
    if (status == CRD_OK) status = crd_dataset_new(dataset, error);
    if (status != CRD_OK) return status;
    bool toy = is_kind(options, "toy");
    (*dataset)->classes = toy ? CRD_TOY_CLASSES : options->classes;
    status = toy ? name_toy(*dataset, error) : name_blocks(*dataset, error);
    (*dataset)->class_names_given = true;
    if (status == CRD_OK && toy) status = crd_generate_toy(options, *dataset, error);
    else if (status == CRD_OK) status = crd_generate_blocks(options, *dataset, error);
    if (status == CRD_OK) status = crd_dataset_finish(*dataset, "generated graph", error);
    if (status != CRD_OK) crd_dataset_free(dataset);
    return status;
}
