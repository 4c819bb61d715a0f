/* credence tune: chooses options on validation data, in one of three ways. */
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "data.h"
#include "files.h"
#include "runs/plan.h"
#include "runs/pool.h"
#include "runs/tune.h"

enum { SEEDS_BEFORE = 100, MOST_SEEDS = 1000 };

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "FILE", NULL,
                "where the chosen configuration is written, for 'train --config'; - for stdout");
    crd_cli_add(options, 0, "criterion", "NAME", "val-ce",
                "val-ce: the lowest validation cross-entropy; left-out-class: hold one class out in turn and "
                "take what detects it best without losing accuracy; own-errors: take what detects its own "
                "wrong answers on validation nodes best, likewise");
    crd_cli_add(options, 0, "left-out", "N", "0",
                "keep the last N classes out of it: they are for 'compare'. For a public graph as many as the paper "
                "leaves out are the default");
    crd_cli_add(options, 0, "grid", "NAME", "quick", "a search space with a name; see below");
    crd_cli_add(options, 0, "space", "LIST", NULL,
                "options and the values they may take, NAME=VALUE,VALUE;NAME=..., instead of --grid, or on top "
                "of it if both are given; see below");
    crd_cli_add(options, 0, "search", "HOW", "grid", "grid: every setting; random: --trials of them");
    crd_cli_add(options, 0, "trials", "N", "50", "how many settings random search draws");
    crd_cli_add(options, 0, "seed", "N", "1", "seed of random search");
    crd_cli_add(options, 0, "split", "A/B/C", "auto", "which nodes train, validate, test; as in 'train'");
    crd_cli_add(options, 0, "seeds", "LIST", "3",
                "seeds of splits and weights: how many (3 is 101 to 103: tables begin at 1), a range (11-15) or "
                "a list (1,4,7)");
    crd_cli_add(options, 0, "held-out-classes", "N", "4",
                "for left-out-class: how many classes each split holds out in turn, at most");
    crd_cli_add(options, 0, "max-accuracy-loss", "X", "0.015",
                "for left-out-class and own-errors: how far below the best accuracy the chosen setting may "
                "be, beyond one standard error");
    crd_cli_add(options, 0, "eta", "X", "3",
                "on every rung the best 1/X of the settings stay, and get X times the epochs; 0: all are "
                "trained in full");
    crd_cli_add(options, 0, "min-epochs", "N", "150", "epochs on the first rung");
    crd_cli_add(options, 0, "finalists", "N", "8", "at least so many settings are trained in full on all splits");
    crd_cli_add(options, 0, "preset", "NAME", NULL,
                "options that the space does not name: a preset of 'train'; without it they are training's defaults");
    crd_cli_add(options, 0, "config", "FILE", NULL, "the same from a JSON file; it overrules --preset");
    crd_cli_add(options, 0, "set", "LIST", NULL, "the same as NAME=VALUE,NAME=VALUE; it overrules both");
    crd_cli_add(options, 0, "jobs", "N", "0", "trials side by side; 0: as many as cores. Results do not depend on it");
    crd_cli_add(options, 0, "trials-dir", "DIR", "OUTPUT.trials",
                "folder for trials.jsonl, with one line per trial, tried.csv and tried.json");
    crd_cli_add_data(options);
    crd_cli_add(options, 0, "json", NULL, NULL, "what was tried as one JSON object on stdout");
    crd_cli_add_quiet(options);
}

static void more_help(FILE *stream)
{
    fprintf(stream, "\n%sGrids:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; crd_cli_space_name(i) != NULL; i++) {
        const char *at = crd_cli_space_text(crd_cli_space_name(i));
        for (bool first = true; *at != '\0'; first = false) {
            int length = (int)strcspn(at, ";");
            fprintf(stream, "  %-7s %.*s\n", first ? crd_cli_space_name(i) : "", length, at);
            at += length + (at[length] == ';');
        }
    }
    fputs("\nValues are options of 'train'. decades:A..B/STEP are powers of ten with exponents from A to\n"
          "B, range:A..B/STEP are numbers; without /STEP they are continuous, for random search. Where a\n"
          "value has a comma in it, bars separate: features=none|binary,rownorm.\n"
          "\nEvery finished trial is on disk at once: the same command goes on where it was stopped.\n",
          stream);
}

/* ---- options ---- */

static int read_criterion(const crd_cli_options *options, crd_cli_tuning *tuning)
{
    const char *name = crd_cli_value(options, "criterion");
    int found = CRD_CLI_VAL_CE;
    while (name != NULL && found < CRD_CLI_CRITERIA &&
           strcmp(name, crd_cli_criterion_name((crd_cli_criterion)found)) != 0)
        found++;
    if (found == CRD_CLI_CRITERIA)
        return crd_cli_misused(options, "--criterion %s: expected val-ce, left-out-class or own-errors", name);
    tuning->criterion = (crd_cli_criterion)found;
    if (crd_cli_given(options, "held-out-classes") && tuning->criterion != CRD_CLI_LEFT_OUT_CLASS)
        return crd_cli_misused(options, "--held-out-classes is for --criterion left-out-class");
    if (crd_cli_given(options, "max-accuracy-loss") && !crd_cli_detects(tuning->criterion))
        return crd_cli_misused(options, "--max-accuracy-loss is for --criterion left-out-class or own-errors");
    return CRD_CLI_DONE;
}

/* A number of seeds means that many from 101 on, which 'compare' does not use. */
static int read_seeds(const crd_cli_options *options, crd_cli_tuning *tuning)
{
    const char *text = crd_cli_given(options, "seeds") ? crd_cli_value(options, "seeds") : "3";
    int64_t count;
    int code = crd_cli_seeds_read(options, "seeds", text, &tuning->seed, &count);
    if (code != CRD_CLI_DONE) return code;
    if (count > MOST_SEEDS) return crd_cli_misused(options, "--seeds %s: expected %d seeds at most", text, MOST_SEEDS);
    tuning->splits = (int)count;
    if (text[strspn(text, "0123456789")] == '\0')
        for (int s = 0; s < tuning->splits; s++) tuning->seed[s] += SEEDS_BEFORE;
    return CRD_CLI_DONE;
}

static int read_numbers(const crd_cli_options *options, crd_cli_tuning *tuning)
{
    int64_t held = 4;
    tuning->most_loss = 0.015;
    tuning->eta = 3.0;
    /* Sigmoid and LogSigmoid are far behind other activations for 80 epochs, and may be ahead after 130. */
    tuning->min_epochs = 150;
    tuning->finalists = 8;
    tuning->quiet = crd_cli_given(options, "quiet");
    int code = crd_cli_number(options, "eta", &tuning->eta);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "held-out-classes", 1, 1000, &held);
    if (code == CRD_CLI_DONE) code = crd_cli_jobs(options, &tuning->jobs);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "min-epochs", 1, 1000000000, &tuning->min_epochs);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "finalists", 1, 1000000, &tuning->finalists);
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "max-accuracy-loss", &tuning->most_loss);
    if (code != CRD_CLI_DONE) return code;
    tuning->held = (int)held;
    if (tuning->eta != 0.0 && tuning->eta < 1.5)
        return crd_cli_misused(options, "--eta %s: expected 0, or a number of at least 1.5",
                               crd_cli_value(options, "eta"));
    if (tuning->most_loss < 0.0 || tuning->most_loss > 1.0)
        return crd_cli_misused(options, "--max-accuracy-loss %s: expected a number from 0 to 1",
                               crd_cli_value(options, "max-accuracy-loss"));
    return CRD_CLI_DONE;
}

static int read_space(const crd_cli_options *options, crd_cli_space *space)
{
    const char *grid = crd_cli_value(options, "grid"), *text = crd_cli_value(options, "space");
    int code = CRD_CLI_DONE;
    if (grid == NULL && text == NULL) grid = "quick";
    if (grid != NULL && crd_cli_space_text(grid) == NULL) {
        const char *names[8];
        int count = 0;
        while (count < 8 && crd_cli_space_name(count) != NULL) {
            names[count] = crd_cli_space_name(count);
            count++;
        }
        const char *nearest = crd_cli_nearest(grid, names, count);
        if (nearest != NULL)
            return crd_cli_misused(options, "--grid %s: there is no such grid (did you mean %s?)", grid, nearest);
        return crd_cli_misused(options, "--grid %s: there is no such grid", grid);
    }
    if (grid != NULL) code = crd_cli_space_add(space, "--grid", crd_cli_space_text(grid));
    if (code == CRD_CLI_DONE && text != NULL) code = crd_cli_space_add(space, "--space", text);
    return code;
}

/* The options that the space does not name: the defaults, then --preset, --config, --set. */
static int read_base(const crd_cli_options *options, const crd_public_graph *known, crd_config *base)
{
    crd_error error;
    const char *preset, *file = crd_cli_value(options, "config");
    crd_cli_changes list = {0};
    int code = crd_cli_preset(options, known, &preset);
    if (code != CRD_CLI_DONE) return code;
    crd_config_defaults(base);
    if (preset != NULL && crd_config_preset(base, preset, &error) != CRD_OK) return crd_cli_fail_about(options, &error);
    if (file != NULL && crd_cli_config_read(base, file, &error) != CRD_OK) return crd_cli_fail(&error);
    code = crd_cli_changes_read(options, &list);
    for (int i = 0; i < crd_option_count() && code == CRD_CLI_DONE; i++)
        if (list.value[i] != NULL && crd_config_set(base, crd_option_at(i)->name, list.value[i], &error) != CRD_OK)
            code = crd_cli_fail(&error);
    crd_cli_changes_free(&list);
    /* The search decides these, whatever a file says. */
    base->seed = 1;
    base->threads = 1;
    base->left_out = 0;
    return code;
}

static int make_candidates(const crd_cli_options *options, const crd_cli_space *space, const crd_config *base,
                           crd_cli_candidates *candidates)
{
    const char *search = crd_cli_value(options, "search");
    int64_t trials = 50, seed = 1;
    bool random = search != NULL && strcmp(search, "random") == 0;
    if (search != NULL && !random && strcmp(search, "grid") != 0)
        return crd_cli_misused(options, "--search %s: expected grid or random", search);
    if (!random && (crd_cli_given(options, "trials") || crd_cli_given(options, "seed")))
        return crd_cli_misused(options, "--%s is for --search random",
                               crd_cli_given(options, "trials") ? "trials" : "seed");
    int code = crd_cli_integer(options, "trials", 1, 100000, &trials);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    if (code != CRD_CLI_DONE) return code;
    return random ? crd_cli_space_draw(space, base, trials, (uint64_t)seed, candidates)
                  : crd_cli_space_grid(space, base, candidates);
}

/* ---- files ---- */

/* Opens the folder of the trials, new or existing. The caller frees *folder. */
static int open_folder(const crd_cli_options *options, char **folder, crd_cli_runs *runs)
{
    const char *given = crd_cli_value(options, "trials-dir"), *output = crd_cli_value(options, "output");
    *folder = given != NULL ? crd_cli_text("%s", given) : crd_cli_text("%s.trials", output);
    int code = crd_cli_make_folder(*folder);
    char *path = crd_cli_text("%s/trials.jsonl", *folder);
    if (code == CRD_CLI_DONE) code = crd_cli_runs_open(runs, path);
    free(path);
    return code;
}

static int write_results(const crd_cli_options *options, const crd_cli_tuning *tuning, const char *folder)
{
    const char *output = crd_cli_value(options, "output");
    bool printed = strcmp(output, "-") == 0;
    const crd_config *best = &tuning->candidates.candidate[tuning->standing[0].candidate].config;
    char *object = crd_cli_config_text(best, CRD_CLI_OF_CHOICE, true), *config = crd_cli_text("%s\n", object);
    int code = crd_cli_write_in(folder, "tried.csv", crd_cli_tune_csv(tuning));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(folder, "tried.json", crd_cli_tune_json(tuning));
    if (code == CRD_CLI_DONE && !printed) code = crd_cli_write_text(output, config);
    if (code == CRD_CLI_DONE && printed) fputs(config, stdout);
    free(config);
    free(object);
    if (code != CRD_CLI_DONE) return code;
    if (crd_cli_given(options, "json")) {
        char *json = crd_cli_tune_json(tuning);
        fputs(json, stdout);
        free(json);
    } else if (!printed && !tuning->quiet) {
        crd_cli_tune_print(tuning, stdout);
    }
    if (!tuning->quiet) {
        fflush(stdout);
        crd_cli_tune_say(tuning, output);
        crd_cli_say("all trials are in %s; 'credence report' makes a page of that folder", folder);
    }
    return CRD_CLI_DONE;
}

static int check_output(const crd_cli_options *options)
{
    const char *output = crd_cli_value(options, "output");
    bool printed = strcmp(output, "-") == 0;
    if (printed && crd_cli_given(options, "json"))
        return crd_cli_misused(options, "only one of configuration and JSON can go to standard output");
    if (printed && !crd_cli_given(options, "trials-dir"))
        return crd_cli_misused(options, "--output - needs --trials-dir, a folder for the trials");
    return crd_cli_check_output_apart(options, output, NULL);
}

/* ---- the command ---- */

static void say_beginning(const crd_cli_tuning *tuning)
{
    static const char *const how[CRD_CLI_CRITERIA] = {
        [CRD_CLI_VAL_CE] = "the lowest validation cross-entropy",
        [CRD_CLI_LEFT_OUT_CLASS] = "the best detection of a class held out",
        [CRD_CLI_OWN_ERRORS] = "the best detection of its own wrong answers"};
    crd_cli_say("%lld setting%s, chosen by %s; split %s, %d seed%s from %llu on; %lld class%s left out; "
                "%d at a time",
                (long long)tuning->candidates.count, tuning->candidates.count == 1 ? "" : "s", how[tuning->criterion],
                tuning->split, tuning->splits, tuning->splits == 1 ? "" : "s", (unsigned long long)tuning->seed[0],
                (long long)tuning->left_out, tuning->left_out == 1 ? "" : "es", tuning->jobs);
    crd_cli_say_shared_splits(tuning->data, tuning->own_splits, tuning->splits);
    if (tuning->halves)
        crd_cli_say("there are only two classes: while one is held out, two halves of the other are told "
                    "apart, the one that label propagation from one of its nodes reaches most and the rest");
}

static int search(const crd_cli_options *options, crd_cli_tuning *tuning)
{
    static const char recorded[] = "node-features labels criterion left-out grid space search trials seed "
                                   "split seeds preset config set eta "
                                   "min-epochs finalists held-out-classes max-accuracy-loss";
    char *folder = NULL;
    int code = open_folder(options, &folder, &tuning->runs);
    /* Recorded at once, so that a stopped search has its record too. */
    if (code == CRD_CLI_DONE) code = crd_cli_record_command(options, recorded, folder);
    if (code == CRD_CLI_DONE && !tuning->quiet) say_beginning(tuning);
    if (code == CRD_CLI_DONE) code = crd_cli_tune_run(tuning);
    if (code == CRD_CLI_DONE) code = write_results(options, tuning, folder);
    free(folder);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_cli_tuning tuning = {.runs = {.file = -1}};
    crd_config base;
    const crd_public_graph *known = NULL;
    const char *data = options->positional[0];
    int code = read_criterion(options, &tuning);
    if (code == CRD_CLI_DONE) code = read_numbers(options, &tuning);
    if (code == CRD_CLI_DONE) code = read_seeds(options, &tuning);
    if (code == CRD_CLI_DONE) code = read_space(options, &tuning.space);
    if (code == CRD_CLI_DONE) code = check_output(options);
    if (code == CRD_CLI_DONE) code = crd_cli_open_public(options, data, &tuning.dataset, &known);
    if (code == CRD_CLI_DONE) code = read_base(options, known, &base);
    if (code == CRD_CLI_DONE) code = make_candidates(options, &tuning.space, &base, &tuning.candidates);
    tuning.data = known != NULL ? known->name : data;
    tuning.title = known != NULL ? known->title : data;
    tuning.split = crd_cli_value(options, "split");
    if (tuning.split == NULL) tuning.split = known != NULL ? known->split : "auto";
    tuning.left_out = known != NULL ? known->left_out : 0;
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "left-out", 0, 1000000, &tuning.left_out);
    if (code == CRD_CLI_DONE) code = crd_cli_tune_prepare(&tuning);
    if (code == CRD_CLI_DONE) code = search(options, &tuning);
    crd_cli_tune_free(&tuning);
    return code;
}

const crd_cli_command crd_cli_tune = {
    .name = "tune",
    .group = CRD_CLI_BETTER_MODELS,
    .summary = "choose training's options on validation data",
    .description = "Tries settings of training's options on DATA and writes the best as a configuration for\n"
                   "'train --config'. Test labels and left-out classes are never looked at.",
    .positional = {"DATA"},
    .required = "output",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
