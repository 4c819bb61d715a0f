/* SPDX-License-Identifier: MIT */
/* credence generate and credence convert: commands that write graphs. */
#include <math.h>
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

static void declare(crd_cli_options *options)
{
    crd_generate_options usual;
    crd_generate_defaults(&usual);
    crd_cli_add(options, 'o', "output", "OUT", NULL,
                "where the graph is written: an .npz file, a folder, or - for standard output");
    add_format(options);
    crd_cli_add_whole(options, "nodes", usual.nodes, 1, INT32_MAX, "number of nodes");
    crd_cli_add_whole(options, "classes", usual.classes, 1, INT32_MAX, "number of classes");
    crd_cli_add_whole(options, "vocabulary", usual.features, 1, INT32_MAX,
                      "number of words in the vocabulary, which are the features");
    crd_cli_add_number(options, "degree", usual.degree, -INFINITY, INFINITY, "mean number of neighbours");
    crd_cli_add_number(options, "homophily", usual.homophily, -INFINITY, INFINITY,
                       "probability that an edge stays inside its class");
    crd_cli_add_number(options, "words", usual.words, -INFINITY, INFINITY, "mean number of words a node has");
    crd_cli_add_number(options, "strength", usual.strength, -INFINITY, INFINITY,
                       "probability that a word comes from the class's topic, not from the background");
    crd_cli_add_number(options, "overlap", usual.overlap, -INFINITY, INFINITY,
                       "how much of a look-alike's topic is its sibling's");
    crd_cli_add_whole(options, "lookalikes", usual.lookalikes, 0, INT32_MAX,
                      "how many of the last classes imitate an earlier one");
    crd_cli_add_seed(options, "the same seed gives the same graph");
}

static int run(const crd_cli_options *options)
{
    crd_error error;
    crd_format format;
    crd_dataset *dataset = NULL;
    const char *output = crd_cli_value(options, "output");
    const crd_generate_options wanted = {
        .size = sizeof wanted,
        .nodes = crd_cli_whole(options, "nodes"),
        .classes = (int32_t)crd_cli_whole(options, "classes"),
        .features = crd_cli_whole(options, "vocabulary"),
        .degree = crd_cli_number(options, "degree"),
        .homophily = crd_cli_number(options, "homophily"),
        .words = crd_cli_number(options, "words"),
        .strength = crd_cli_number(options, "strength"),
        .overlap = crd_cli_number(options, "overlap"),
        .lookalikes = (int32_t)crd_cli_whole(options, "lookalikes"),
        .seed = (uint64_t)crd_cli_whole(options, "seed"),
    };
    int code = check_output(options, output, NULL, &format);
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
    crd_cli_add(options, 'o', "output", "OUT", NULL, "another way to give OUT, as in other commands");
    add_format(options);
    crd_cli_add_data(options);
}

static int convert(const crd_cli_options *options)
{
    crd_format format;
    crd_dataset *dataset = NULL;
    const crd_public_graph *known;
    const char *output = options->word[1];
    int code = check_output(options, output, options->word[0], &format);
    if (code == CRD_CLI_DONE) code = crd_cli_open(options, options->word[0], &dataset, &known);
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
    .or_option = "output",
    .declare = declare_convert,
    .run = convert,
};
