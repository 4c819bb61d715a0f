/* SPDX-License-Identifier: MIT */
/* credence train: a graph in, a model out. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "credence_private.h"
#include "data.h"
#include "files.h"
#include "signals.h"
#include "train_log.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "MODEL", NULL,
                "the file for the model (safetensors), or - for standard output");
    crd_cli_add(options, 0, "split", "A/B/C", "auto",
                "which nodes train, validate, test: percentages (5/15/80), fractions (0.6/0.2/rest), nodes "
                "per class (20n/30n/rest), four parts with calibration before test (5/10/5/80), "
                "or auto: the data's own split, 75/25 of the labelled nodes if some are unlabelled, else "
                "5/15/80")
        ->suggestions = "auto 5/15/80 20n/30n/rest";
    crd_cli_add_whole(options, "split-index", 0, 0, INT32_MAX, "which of the data's own splits to use");
    crd_cli_add(options, 0, "split-file", "FILE", NULL,
                "the split as .npz (train, val, test, calibration: node numbers) or CSV (node,split)");
    crd_cli_add(options, 0, "preset", "NAME", NULL, "start from a published choice of options; see below")
        ->suggestions = "published best errors @presets";
    crd_cli_add(options, 0, "config", "FILE", NULL,
                "a JSON object with the options below; it overrules --preset, options here overrule it");
    crd_cli_add(options, 0, "init", "MODEL", NULL, "start from this model's weights instead of random ones");
    crd_cli_add(
        options, 0, "checkpoint", "FILE", NULL,
        "write what was learnt so far to this file now and then; if the training is killed, the same command goes "
        "on from there and ends in the same model. The file is deleted once the model is saved");
    crd_cli_add(options, 0, "every", "TIME", "60s", "how often --checkpoint does so: 60s, 5m or 1h");
    for (int i = 0; i < crd_option_count(); i++) {
        const crd_option *known = crd_option_at(i);
        bool is_switch = known->argument == NULL;
        crd_cli_option *option =
            crd_cli_add(options, 0, known->name, known->argument, is_switch ? NULL : known->default_value, known->help);
        option->negatable = is_switch;
        option->values = crd_option_choices(i);
        if (strcmp(known->name, "model") == 0) option->suggestions = "@models";
        if (strcmp(known->name, "left-out") == 0) {
            option->argument = "WHICH";
            option->help =
                "keep classes from training, so that they become out-of-distribution: the last N, or these by "
                "name (Theory,\"Neural Networks\"; name:3 is the class called 3)";
        }
    }
    crd_cli_add_data(options);
    crd_cli_add(options, 0, "log", "FILE", NULL, "one JSON line per epoch, written while training runs");
    crd_cli_add(options, 0, "metadata", "KEY=VALUE", NULL,
                "text of your own to be kept in the model, which 'credence info' shows; may be given several times")
        ->repeatable = true;
    crd_cli_add(options, 0, "json", NULL, NULL, "the trained model's facts as one JSON object on stdout");
    crd_cli_add_quiet(options);
}

static void more_help(FILE *stream)
{
    fprintf(stream, "\n%sModels:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; i < crd_kind_count(); i++) fprintf(stream, "  %-20s %s\n", crd_kind_name(i), crd_kind_help(i));
    fprintf(stream, "\n%sPresets:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; i < crd_preset_count(); i++)
        fprintf(stream, "  %-20s %s\n", crd_preset_name(i), crd_preset_help(i));
    fprintf(stream, "  %-20s %s\n  %-20s %s\n  %-20s %s\n", "published",
            "the published choice for DATA, a public graph", "best",
            "the best choice known for it to detect classes never seen", "errors",
            "the best choice known for it to detect wrong answers");
    fputs("\nCtrl-C stops after the current epoch and saves the best model so far; a second one stops at "
          "once.\n",
          stream);
}

/* Defaults, then the preset, then the file, then the options, whatever their order on the command line. */
static int configure(const crd_cli_options *options, const crd_public_graph *known, crd_config *config)
{
    crd_error error;
    int code = crd_cli_config(options, known, config);
    if (code != CRD_CLI_DONE) return code;
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name, *value = crd_cli_value(options, name);
        if (strcmp(name, "left-out") == 0 && crd_cli_names_classes(value)) {
            config->left_out = 1; /* at least; the data say how many */
            continue;
        }
        if (value == NULL || crd_config_set(config, name, value, &error) == CRD_OK) continue;
        /* People take it for the option that has the file. */
        if (strcmp(name, "features") == 0 && (strpbrk(value, "./") != NULL || access(value, F_OK) == 0))
            return crd_cli_misused(options, "--%s; a file of features is for --node-features", error.message);
        return crd_cli_fail_about(options, &error);
    }
    if (config->reg == CRD_REG_NONE && (config->reg_weight != 0.0 || config->reg_strength != 0.0))
        return crd_cli_misused(options, "--%s has no meaning without a regulariser, --reg is none",
                               config->reg_weight != 0.0 ? "reg-weight" : "reg-strength");
    if (crd_config_check(config, &error) != CRD_OK) return crd_cli_fail_about(options, &error);
    return CRD_CLI_DONE;
}

/* Whether two paths are the same; for files that exist there is crd_cli_check_output. */
static bool is_same(const char *a, const char *b)
{
    return strcmp(a + (strncmp(a, "./", 2) == 0 ? 2 : 0), b + (strncmp(b, "./", 2) == 0 ? 2 : 0)) == 0;
}

/* "60s", "5m", "1h", or seconds without a unit; 0: it is no such time. */
static double seconds_of(const char *text)
{
    static const char units[] = "smh";
    static const double seconds[] = {1.0, 60.0, 3600.0};
    double number;
    if (!crd_scan_double(&text, &number) || !(number > 0.0 && number <= 1e9)) return 0.0;
    if (text[0] == '\0') return number;
    const char *unit = strchr(units, text[0]);
    return unit != NULL && text[1] == '\0' ? number * seconds[unit - units] : 0.0;
}

static int check_checkpoint(const crd_cli_options *options)
{
    const char *every = crd_cli_value(options, "every"), *file = crd_cli_value(options, "checkpoint");
    if (every != NULL && file == NULL) return crd_cli_misused(options, "--every goes with --checkpoint");
    if (every != NULL && seconds_of(every) <= 0.0)
        return crd_cli_misused(options, "--every %s: expected a time such as 60s, 5m or 1h", every);
    if (file != NULL && is_same(file, crd_cli_value(options, "output")))
        return crd_cli_misused(options, "--checkpoint and --output are the same file");
    return CRD_CLI_DONE;
}

static int check_usage(const crd_cli_options *options)
{
    const char *output = crd_cli_value(options, "output"), *log = crd_cli_value(options, "log");
    bool model_out = strcmp(output, "-") == 0, log_out = log != NULL && strcmp(log, "-") == 0;
    if (crd_cli_given(options, "split-index") && strcmp(crd_cli_setting(options, "split"), "auto") != 0)
        return crd_cli_misused(options, "--split and --split-index contradict each other");
    if (model_out + log_out + crd_cli_given(options, "json") > 1)
        return crd_cli_misused(options, "only one of model, log and JSON can go to standard output");
    if (model_out && crd_cli_is_terminal(stdout))
        return crd_cli_misused(options, "a model is not for a terminal, give --output a file or use a pipe");
    if (log != NULL && !log_out && is_same(log, output))
        return crd_cli_misused(options, "--log and --output are the same file");
    return check_checkpoint(options);
}

/* Nothing can be learnt from an edge list alone, and it is easy to forget the files that belong to it. */
static int check_parts(const crd_cli_options *options, const crd_dataset *dataset, const crd_config *config)
{
    const bool features = crd_dataset_features(dataset) > 0 || !crd_kind_trained(config->model);
    if (crd_dataset_classes(dataset) == 0 && !crd_cli_given(options, "labels"))
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: no node has a label, so there is nothing to learn; give --labels FILE%s, "
                             "or a folder that has everything",
                             options->word[0], features ? "" : " and --node-features FILE");
    if (!features)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: has no node features, which the model %s needs; give --node-features FILE "
                             "(the models lp and gkde do without)",
                             options->word[0], config->model);
    return CRD_CLI_DONE;
}

static int make_split(const crd_cli_options *options, const crd_dataset *dataset, const crd_config *config,
                      crd_split **split)
{
    crd_error error;
    crd_status status;
    const char *file = crd_cli_value(options, "split-file");
    const int index = (int)crd_cli_whole(options, "split-index");
    if (file != NULL) status = crd_split_read(dataset, file, split, &error);
    else status = crd_split_make(dataset, crd_cli_value(options, "split"), index, config->seed, split, &error);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

/* Moves classes that --left-out names behind the others. */
static int leave_out(const crd_cli_options *options, crd_dataset *dataset, crd_config *config)
{
    crd_error error;
    bool *last;
    int64_t count;
    if (!crd_cli_names_classes(crd_cli_value(options, "left-out"))) return CRD_CLI_DONE;
    int code = crd_cli_left_out(options, options->word[0], dataset, &count, &last);
    if (code == CRD_CLI_DONE && crd_dataset_move_last(dataset, last, &error) != CRD_OK) code = crd_cli_fail(&error);
    config->left_out = count;
    free(last);
    return code;
}

/* If a model cannot be saved where it should go, because the disk is full by now, it is not lost: it goes to a new
 * folder among the temporary files, and the error line says so. */
static int rescue(const crd_model *model, const crd_error *error)
{
    const char *temporary = crd_cli_environment("TMPDIR");
    crd_error second;
    char *folder = crd_cli_text("%s/credence-rescued-XXXXXX", temporary != NULL ? temporary : "/tmp");
    char *path = mkdtemp(folder) == NULL ? NULL : crd_cli_text("%s/model.safetensors", folder);
    int code;
    if (path != NULL && crd_model_save(model, path, &second) == CRD_OK) {
        code = crd_cli_failf(CRD_CLI_FAILED, "%s; the trained model was saved as %s instead", error->message, path);
    } else {
        if (path != NULL) rmdir(folder);
        code = crd_cli_fail(error);
    }
    free(path);
    free(folder);
    return code;
}

/* Even the second Ctrl-C waits until the model is saved, which takes milliseconds. */
static int save(const crd_model *model, const char *output)
{
    crd_error error;
    crd_cli_hold_signals(true);
    crd_status status = crd_model_save(model, output, &error);
    int code = CRD_CLI_DONE;
    if (status != CRD_OK && strcmp(output, "-") == 0) code = crd_cli_fail(&error);
    else if (status != CRD_OK) code = rescue(model, &error);
    crd_cli_hold_signals(false);
    return code;
}

/* Once the model is saved, there is nothing to go on from, unless it was interrupted. */
static void end_checkpoint(const crd_model *model, const char *path, bool quiet)
{
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    if (facts.stop != CRD_STOP_REQUESTED) unlink(path);
    else if (!quiet && access(path, F_OK) == 0)
        crd_cli_say("the same command goes on from %s, or delete that file", path);
}

/* Puts the user's metadata into a model; NULL: only checks them, before hours of training. */
static int set_metadata(const crd_cli_options *options, crd_model *model)
{
    crd_error error;
    const char *entry;
    size_t others = 0;
    int code = CRD_CLI_DONE;
    for (int i = 0; code == CRD_CLI_DONE && (entry = crd_cli_repeated(options, "metadata", i)) != NULL; i++) {
        const char *equals = strchr(entry, '=');
        if (equals == NULL || equals == entry)
            return crd_cli_misused(options, "--metadata: expected KEY=VALUE, found '%s'", entry);
        char *key = crd_cli_text("%.*s", (int)(equals - entry), entry);
        crd_status status = model != NULL ? crd_model_set_metadata(model, key, equals + 1, &error)
                                          : crd_metadata_check(key, equals + 1, others, &error);
        if (status != CRD_OK) code = crd_cli_fail_about(options, &error);
        others += strlen(entry) - 1;
        free(key);
    }
    return code;
}

/* Trains and writes, after everything was opened and checked. */
static int train(const crd_cli_options *options, const crd_dataset *dataset, const crd_split *split,
                 const crd_config *config, const crd_model *init)
{
    crd_error error;
    crd_model *model = NULL;
    char *json;
    const char *output = crd_cli_value(options, "output");
    crd_cli_training t = {.dataset = dataset,
                          .split = split,
                          .config = config,
                          .named = crd_cli_names_classes(crd_cli_value(options, "left-out")),
                          .quiet = crd_cli_given(options, "quiet"),
                          .log_path = crd_cli_value(options, "log")};
    const crd_control control = {.size = sizeof control, .progress = crd_cli_on_progress, .user = &t};
    const char *every = crd_cli_value(options, "every");
    const crd_train_options how = {.size = sizeof how,
                                   .init = init,
                                   .control = &control,
                                   .checkpoint = crd_cli_value(options, "checkpoint"),
                                   .checkpoint_seconds = every != NULL ? seconds_of(every) : 0.0};
    if (!t.quiet) crd_cli_say_memory(&t);
    crd_set_log(crd_cli_hear_checkpoint, &t);
    crd_cli_catch_signals("stopping, and keeping the best model so far");
    crd_status status = crd_train(dataset, split, config, &how, &model, &error);
    crd_set_log(NULL, NULL);
    crd_cli_end_progress(&t);
    if (status == CRD_OK && !t.quiet && !t.begun) crd_cli_say_beginning(&t); /* there was no epoch */
    int code = status == CRD_OK ? set_metadata(options, model) : crd_cli_fail_about(options, &error);
    if (code == CRD_CLI_DONE) code = save(model, output);
    if (code == CRD_CLI_DONE && how.checkpoint != NULL) end_checkpoint(model, how.checkpoint, t.quiet);
    if (code == CRD_CLI_DONE) crd_cli_say_trained(model, output, t.quiet);
    if (code == CRD_CLI_DONE && crd_cli_given(options, "json"))
        code = crd_cli_print_text(crd_model_facts_json(model, &json, &error), &json, &error);
    crd_model_free(&model);
    return code;
}

/* Model and log must be writable, and must not be files that are read; the model may replace the one that it starts
 * from. */
static int check_outputs(const crd_cli_options *options)
{
    const char *log = crd_cli_value(options, "log"), *output = crd_cli_value(options, "output");
    const char *checkpoint = crd_cli_value(options, "checkpoint");
    int code = crd_cli_check_output_apart(options, output, "init");
    if (code == CRD_CLI_DONE && checkpoint != NULL)
        code = crd_cli_check_output_apart(options, checkpoint, "checkpoint");
    if (code == CRD_CLI_DONE && log != NULL) code = crd_cli_check_output(log, output, false);
    return code == CRD_CLI_DONE && log != NULL ? crd_cli_check_output_apart(options, log, NULL) : code;
}

static int run(const crd_cli_options *options)
{
    crd_config config;
    crd_error error;
    crd_dataset *dataset = NULL;
    crd_split *split = NULL;
    crd_model *init = NULL;
    const crd_public_graph *known = NULL;
    const char *data = options->word[0], *start = crd_cli_value(options, "init");
    /* Like any filter, a command ends silently if its reader goes away. But training goes on if nobody reads its
     * log any more. */
    signal(SIGPIPE, SIG_IGN);
    int code = check_usage(options);
    if (code == CRD_CLI_DONE) code = set_metadata(options, NULL);
    /* Find mistakes before reading the data, unless finding them takes the data. */
    if (code == CRD_CLI_DONE && crd_cli_preset_needs_data(options))
        code = crd_cli_open(options, data, &dataset, &known);
    if (code == CRD_CLI_DONE) code = configure(options, known, &config);
    if (code == CRD_CLI_DONE) code = check_outputs(options);
    if (code == CRD_CLI_DONE && start != NULL && crd_model_load(start, &init, &error) != CRD_OK)
        code = crd_cli_fail(&error);
    if (code == CRD_CLI_DONE && dataset == NULL) code = crd_cli_open(options, data, &dataset, &known);
    if (code == CRD_CLI_DONE) code = check_parts(options, dataset, &config);
    if (code == CRD_CLI_DONE) code = make_split(options, dataset, &config, &split);
    if (code == CRD_CLI_DONE) code = leave_out(options, dataset, &config);
    if (code == CRD_CLI_DONE) code = train(options, dataset, split, &config, init);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    crd_model_free(&init);
    return code;
}

const crd_cli_command crd_cli_train = {
    .name = "train",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "learn from the labelled nodes of a graph and write a model",
    .description = "Learns to classify the nodes of DATA and writes the model. DATA is an .npz file, a\n"
                   "folder, an edge list, a Matrix Market file, - for standard input, or the name of a\n"
                   "public graph ('credence fetch --list').",
    .positional = {"DATA"},
    .exclusive = {{"split", "split-file"}, {"reg-strength", "reg-weight"}, {"split-index", "split-file"}},
    .required = "output",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
