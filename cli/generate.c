/* credence generate and credence convert: commands that write graphs. */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "files.h"
#include "signals.h"

/* ---- shared by both ---- */

static void add_format(crd_cli_options *options)
{
    crd_cli_add_choice(
        options, "to", "FORMAT", "auto", "auto npz npy csv mtx ogb",
        "npz: one file; npy, csv, mtx, ogb: a folder; auto: npz if OUT ends with .npz or is -, else npy");
}

static int check_output(const crd_cli_options *options, const char *path, const char *input, crd_format *format)
{
    crd_error error;
    if (crd_format_parse(crd_cli_setting(options, "to"), format, &error) != CRD_OK) return crd_cli_fail(&error);
    return crd_cli_check_output(path, input, true);
}

static int save(const crd_dataset *dataset, const char *path, crd_format format)
{
    crd_error error;
    if (strcmp(path, "-") == 0 && format != CRD_FORMAT_AUTO && format != CRD_FORMAT_NPZ)
        return crd_cli_failf(CRD_CLI_MISUSED, "standard output takes npz alone: other formats are folders");
    if (strcmp(path, "-") == 0 && crd_cli_is_terminal(stdout))
        return crd_cli_failf(CRD_CLI_MISUSED, "an npz file is not for a terminal; give a file or a pipe");
    /* A write that has begun is finished, so that no temporary folder is left behind. */
    if (strcmp(path, "-") != 0) crd_cli_catch_signals("finishing the write");
    if (crd_dataset_save(dataset, path, format, &error) != CRD_OK) return crd_cli_fail(&error);
    return CRD_CLI_DONE;
}

/* ---- generate ---- */

static void add_integer(crd_cli_options *options, const char *name, int64_t value, const char *help)
{
    char shown[32];
    snprintf(shown, sizeof shown, "%lld", (long long)value);
    crd_cli_add(options, 0, name, "N", shown, help);
}

static void add_number(crd_cli_options *options, const char *name, double value, const char *help)
{
    char shown[32];
    snprintf(shown, sizeof shown, "%g", value);
    crd_cli_add(options, 0, name, "X", shown, help);
}

static void declare(crd_cli_options *options)
{
    crd_generate_options defaults;
    crd_generate_defaults(&defaults);
    crd_cli_add(options, 'o', "output", "OUT", NULL,
                "where the graph is written: an .npz file, a folder, or - for standard output");
    add_format(options);
    add_integer(options, "nodes", defaults.nodes, "number of nodes");
    add_integer(options, "classes", defaults.classes, "number of classes");
    add_integer(options, "vocabulary", defaults.features, "number of words in the vocabulary, which are the features");
    add_number(options, "degree", defaults.degree, "mean number of neighbours");
    add_number(options, "homophily", defaults.homophily, "probability that an edge stays inside its class");
    add_number(options, "words", defaults.words, "mean number of words a node has");
    add_number(options, "strength", defaults.strength,
               "probability that a word comes from the class's topic, not from the background");
    add_number(options, "overlap", defaults.overlap, "how much of a look-alike's topic is its sibling's");
    add_integer(options, "lookalikes", defaults.lookalikes, "how many of the last classes imitate an earlier one");
    add_integer(options, "seed", (int64_t)defaults.seed, "the same seed gives the same graph");
}

static int read_options(const crd_cli_options *options, crd_generate_options *wanted)
{
    int64_t classes = wanted->classes, lookalikes = wanted->lookalikes, seed = (int64_t)wanted->seed;
    int code = crd_cli_integer(options, "nodes", 1, INT32_MAX, &wanted->nodes);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "classes", 1, INT32_MAX, &classes);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "vocabulary", 1, INT32_MAX, &wanted->features);
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "degree", &wanted->degree);
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "homophily", &wanted->homophily);
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "words", &wanted->words);
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "strength", &wanted->strength);
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "overlap", &wanted->overlap);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "lookalikes", 0, INT32_MAX, &lookalikes);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    wanted->classes = (int32_t)classes;
    wanted->lookalikes = (int32_t)lookalikes;
    wanted->seed = (uint64_t)seed;
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_error error;
    crd_generate_options wanted;
    crd_format format;
    crd_dataset *dataset = NULL;
    const char *output = crd_cli_value(options, "output");
    crd_generate_defaults(&wanted);
    int code = read_options(options, &wanted);
    if (code == CRD_CLI_DONE) code = check_output(options, output, NULL, &format);
    if (code != CRD_CLI_DONE) return code;
    if (crd_generate(&wanted, &dataset, &error) != CRD_OK) return crd_cli_fail(&error);
    code = save(dataset, output, format);
    crd_dataset_free(&dataset);
    return code;
}

const crd_cli_command crd_cli_generate = {
    .name = "generate",
    .group = CRD_CLI_GRAPHS,
    .summary = "make a synthetic graph",
    .description = "Makes a graph whose nodes have bags of words as features and a class each. The last\n"
                   "classes may imitate earlier ones. If they are left out of training, they are hard to detect.",
    .required = "output",
    .declare = declare,
    .run = run,
};

/* ---- convert ---- */

static void declare_convert(crd_cli_options *options)
{
    add_format(options);
    crd_cli_add_data(options);
}

static int convert(const crd_cli_options *options)
{
    crd_format format;
    crd_dataset *dataset = NULL;
    const crd_public_graph *known;
    const char *output = options->positional[1];
    int code = check_output(options, output, options->positional[0], &format);
    if (code == CRD_CLI_DONE) code = crd_cli_open(options, options->positional[0], &dataset, &known);
    if (code == CRD_CLI_DONE) code = save(dataset, output, format);
    crd_dataset_free(&dataset);
    return code;
}

const crd_cli_command crd_cli_convert = {
    .name = "convert",
    .group = CRD_CLI_GRAPHS,
    .summary = "store a graph in another format",
    .description = "Reads the graph IN in any format and writes it to OUT. An existing file is\n"
                   "replaced; a folder must be new or empty.",
    .positional = {"IN", "OUT"},
    .declare = declare_convert,
    .run = convert,
};
