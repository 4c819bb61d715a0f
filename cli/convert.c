/* credence convert: the same graph, stored differently. */
#include "data.h"
#include "files.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add_format(options);
    crd_cli_add_data(options);
}

static int run(const crd_cli_options *options)
{
    crd_error error;
    crd_format format = CRD_FORMAT_AUTO;
    crd_dataset *dataset = NULL;
    const char *to = crd_cli_value(options, "to"), *output = options->positional[1];
    if (to != NULL && crd_format_parse(to, &format, &error) != CRD_OK) return crd_cli_fail(&error);
    int code = crd_cli_check_dataset_output(output, options->positional[0]);
    if (code == CRD_CLI_DONE) code = crd_cli_open(options, options->positional[0], &dataset);
    if (code == CRD_CLI_DONE) code = crd_cli_save_dataset(dataset, output, format);
    crd_dataset_free(&dataset);
    return code;
}

const crd_cli_command crd_cli_convert = {
    .name = "convert",
    .group = CRD_CLI_GRAPHS,
    .summary = "store a graph in another format",
    .description = "Reads the graph IN, whatever it is stored as, and writes it to OUT. An existing file is\n"
                   "replaced; a folder must be new or empty.",
    .positional = {"IN", "OUT"},
    .declare = declare,
    .run = run,
};
