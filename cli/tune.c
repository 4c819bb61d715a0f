/* SPDX-License-Identifier: MIT */
/* credence tune: chooses options on validation data, in one of three ways. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "runs/runs.h"

enum { SEEDS_BEFORE = 100, MOST_SEEDS = 1000, SHOWN = 10 };

/* The values of --grid, in their order: the first is for committees, the others are for gpn. */
static const struct {
    const char *name, *space;
} GRIDS[] = {
    {"committee", "hidden=64,128;weight-decay=1e-4,1e-3,5e-3;dropout=0.2,0.5,0.8;teleport=0.05,0.1,0.3"},
    {"quick", "reg=evidence;reg-strength=0,3e-4,1e-3,3e-3,1e-2;entropy-weight=0,1e-4;"
              "activation=relu,gelu,logsigmoid"},
    {"coarse", "reg=distance,evidence;reg-weight=0,decades:-10..-1/1;entropy-weight=0,1e-5,1e-4,1e-3;"
               "activation=relu,gelu,logsigmoid,hardtanh,sigmoid"},
    {"paper", "reg=distance,evidence;reg-weight=0,decades:-10..-0.5/0.5;entropy-weight=0,1e-5,1e-4,1e-3;"
              "activation=relu,gelu,logsigmoid,hardtanh,sigmoid"},
};
enum { COMMITTEE, QUICK, GRID_COUNT = sizeof GRIDS / sizeof GRIDS[0] };

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "FILE", NULL,
                "where the chosen configuration is written, for 'train --config'; - for stdout");
    crd_cli_add_choice(options, "criterion", "NAME", "val-ce", "val-ce left-out-class own-errors",
                       "val-ce: the lowest validation cross-entropy; left-out-class: hold one class out in turn and "
                       "take what detects it best without losing accuracy; own-errors: take what detects its own "
                       "wrong answers on validation nodes best, likewise");
    crd_cli_add_left_out(options, "0",
                         "keep the last N classes, or these by name, out of it: they are for 'compare'. For a public "
                         "graph as many as the paper leaves out are the default");
    crd_cli_add_choice(options, "grid", "NAME", "by the model", "committee quick coarse paper",
                       "a search space with a name; see below");
    crd_cli_add(options, 0, "space", "LIST", NULL,
                "options and the values they may take, NAME=VALUE,VALUE;NAME=..., instead of --grid, or on top "
                "of it if both are given; see below");
    crd_cli_add_choice(options, "search", "HOW", "grid", "grid random",
                       "grid: every setting; random: --trials of them");
    crd_cli_add_whole(options, "trials", 50, 1, 100000, "how many settings random search draws");
    crd_cli_add_seed(options, "seed of random search");
    crd_cli_add(options, 0, "split", "A/B/C", "auto", "which nodes train, validate, test; as in 'train'");
    crd_cli_add(options, 0, "seeds", "LIST", "3",
                "seeds of splits and weights: how many (3 is 101 to 103: tables begin at 1), a range (11-15) or "
                "a list (1,4,7)");
    crd_cli_add_whole(options, "held-out-classes", 4, 1, 1000,
                      "for left-out-class: how many classes each split holds out in turn, at most");
    crd_cli_add_number(options, "max-accuracy-loss", 0.015, 0, 1,
                       "for left-out-class and own-errors: how far below the best accuracy the chosen setting may "
                       "be, beyond one standard error");
    crd_cli_add_number(options, "eta", 3.0, -INFINITY, INFINITY,
                       "on every rung the best 1/X of the settings stay, and get X times the epochs; 0: all are "
                       "trained in full");
    /* Sigmoid and LogSigmoid are far behind other activations for 80 epochs, and may be ahead after 130. */
    crd_cli_add_whole(options, "min-epochs", 150, 1, 1000000000, "epochs on the first rung");
    crd_cli_add_whole(options, "finalists", 8, 1, 1000000,
                      "at least so many settings are trained in full on all splits");
    crd_cli_add(options, 0, "preset", "NAME", NULL,
                "options that the space does not name: a preset of 'train'; without it they are training's defaults");
    crd_cli_add(options, 0, "config", "FILE", NULL, "the same from a JSON file; it overrules --preset");
    crd_cli_add(options, 0, "set", "LIST", NULL, "the same as NAME=VALUE,NAME=VALUE; it overrules both");
    crd_cli_add_whole(options, "jobs", 0, 0, CRD_CLI_MOST_JOBS,
                      "trials side by side; 0: as many as cores. Results do not depend on it");
    crd_cli_add(options, 0, "trials-dir", "DIR", "OUTPUT.trials",
                "folder for trials.jsonl, with one line per trial, tried.csv and tried.json");
    crd_cli_add_data(options);
    crd_cli_add(options, 0, "json", NULL, NULL, "what was tried as one JSON object on stdout");
    crd_cli_add_quiet(options);
}

static void more_help(FILE *stream)
{
    fprintf(stream, "\n%sGrids (committee for the default model, the others for gpn):%s\n", crd_cli_bold(stream),
            crd_cli_plain(stream));
    for (int g = 0; g < GRID_COUNT; g++) {
        const char *at = GRIDS[g].space;
        for (bool first = true; *at != '\0'; first = false) {
            int length = (int)strcspn(at, ";");
            fprintf(stream, "  %-9s %.*s\n", first ? GRIDS[g].name : "", length, at);
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
    tuning->criterion_name = crd_cli_setting(options, "criterion");
    tuning->criterion = (crd_cli_criterion)crd_cli_choice(options, "criterion");
    if (crd_cli_given(options, "held-out-classes") && tuning->criterion != CRD_CLI_LEFT_OUT_CLASS)
        return crd_cli_misused(options, "--held-out-classes is for --criterion left-out-class");
    if (crd_cli_given(options, "max-accuracy-loss") && !crd_cli_detects(tuning->criterion))
        return crd_cli_misused(options, "--max-accuracy-loss is for --criterion left-out-class or own-errors");
    return CRD_CLI_DONE;
}

/* A number of seeds means that many from 101 on, which 'compare' does not use. */
static int read_seeds(const crd_cli_options *options, crd_cli_tuning *tuning)
{
    const char *text = crd_cli_value(options, "seeds");
    int64_t count;
    int code = crd_cli_seeds_read(options, "3", &tuning->seed, &count);
    if (code != CRD_CLI_DONE) return code;
    if (count > MOST_SEEDS) return crd_cli_misused(options, "--seeds %s: expected %d seeds at most", text, MOST_SEEDS);
    tuning->splits = (int)count;
    if (text == NULL || text[strspn(text, "0123456789")] == '\0')
        for (int s = 0; s < tuning->splits; s++) tuning->seed[s] += SEEDS_BEFORE;
    return CRD_CLI_DONE;
}

static int read_numbers(const crd_cli_options *options, crd_cli_tuning *tuning)
{
    tuning->most_loss = crd_cli_number(options, "max-accuracy-loss");
    tuning->eta = crd_cli_number(options, "eta");
    tuning->min_epochs = crd_cli_whole(options, "min-epochs");
    tuning->finalists = crd_cli_whole(options, "finalists");
    tuning->held = (int)crd_cli_whole(options, "held-out-classes");
    tuning->jobs = crd_cli_jobs(options);
    tuning->quiet = crd_cli_given(options, "quiet");
    if (tuning->eta == 0.0 || tuning->eta >= 1.5) return CRD_CLI_DONE;
    return crd_cli_misused(options, "--eta %s: expected 0, or a number of at least 1.5", crd_cli_value(options, "eta"));
}

static int read_space(const crd_cli_options *options, const crd_config *base, json_t *space)
{
    const char *text = crd_cli_value(options, "space");
    int code = CRD_CLI_DONE, grid = base->networks > 0 ? COMMITTEE : QUICK;
    if (crd_cli_given(options, "grid")) grid = crd_cli_choice(options, "grid");
    if (text == NULL || crd_cli_given(options, "grid")) code = crd_cli_space_add(space, "--grid", GRIDS[grid].space);
    return code == CRD_CLI_DONE && text != NULL ? crd_cli_space_add(space, "--space", text) : code;
}

/* The options that the space does not name: the defaults, then --preset, --config, --set. A grid that is for gpn
 * replaces the default model. */
static int read_base(const crd_cli_options *options, const crd_public_graph *known, crd_config *base)
{
    crd_error error;
    json_t *changes;
    int code = crd_cli_config(options, known, base);
    if (code != CRD_CLI_DONE) return code;
    if (crd_cli_given(options, "grid") && crd_cli_choice(options, "grid") != COMMITTEE && base->networks > 0 &&
        crd_config_set(base, "model", "gpn", &error) != CRD_OK)
        return crd_cli_fail(&error);
    code = crd_cli_changes_read(options, &changes);
    if (code == CRD_CLI_DONE) code = crd_cli_changes_apply("--set", changes, NULL, base);
    json_decref(changes);
    /* The search decides these, whatever a file says. */
    base->seed = 1;
    base->threads = 1;
    base->left_out = 0;
    return code;
}

static int make_candidates(const crd_cli_options *options, const crd_config *base, crd_cli_tuning *tuning)
{
    const bool random = crd_cli_is(options, "search", "random");
    if (!random && (crd_cli_given(options, "trials") || crd_cli_given(options, "seed")))
        return crd_cli_misused(options, "--%s is for --search random",
                               crd_cli_given(options, "trials") ? "trials" : "seed");
    return crd_cli_space_candidates(options, tuning->space, base, random ? crd_cli_whole(options, "trials") : 0,
                                    (uint64_t)crd_cli_whole(options, "seed"), &tuning->candidate, &tuning->candidates);
}

/* ---- results, made from the trials alone: the same trials give the same bytes ---- */

/* The best ten, for people. */
static void print_best(const crd_cli_tuning *tuning, FILE *stream)
{
    const int axes = (int)json_object_size(tuning->space);
    const char *name;
    json_t *values;
    const bool detects = crd_cli_detects(tuning->criterion);
    const int digits = detects ? 2 : 4;
    const double unit = detects ? 100.0 : 1.0;
    crd_cli_table table = {.columns = axes + 5, .left_columns = axes};
    crd_cli_table_head(&table, "%s", "");
    json_object_foreach(tuning->space, name, values) crd_cli_table_add(&table, "%s", name);
    crd_cli_table_head(&table, "%s|+-|accuracy|state", detects ? "AUROC" : "cross-entropy");
    for (int64_t i = 0; i < tuning->candidates && i < SHOWN; i++) {
        const crd_cli_standing *s = &tuning->standing[i];
        const crd_config *config = &tuning->candidate[s->candidate].config;
        crd_cli_table_add(&table, "%lld", (long long)i + 1);
        json_object_foreach(tuning->space, name, values)
        {
            char *value = crd_cli_config_value(config, name);
            crd_cli_table_add(&table, "%s", value);
            free(value);
        }
        crd_cli_table_add_number(&table, digits, unit * s->score);
        crd_cli_table_add_number(&table, digits, unit * s->error);
        crd_cli_table_add_number(&table, 2, 100.0 * s->accuracy);
        if (strcmp(s->state, "eliminated") == 0) crd_cli_table_add(&table, "out on rung %d", s->rung + 1);
        else crd_cli_table_add(&table, "%s", s->state);
    }
    crd_cli_table_print(&table, stream);
}

/* What was done and what was chosen, in a few lines. */
static void say_choice(const crd_cli_tuning *tuning, const char *output, const char *folder)
{
    const crd_cli_standing *best = &tuning->standing[0];
    int64_t eliminated = 0, failed = 0, inaccurate = 0;
    for (int64_t i = 0; i < tuning->candidates; i++) {
        eliminated += strcmp(tuning->standing[i].state, "eliminated") == 0;
        failed += strcmp(tuning->standing[i].state, "failed") == 0;
        inaccurate += strcmp(tuning->standing[i].state, "inaccurate") == 0;
    }
    crd_cli_say("%lld settings tried: %lld eliminated early, %lld failed, %lld trained in full%s",
                (long long)tuning->candidates, (long long)eliminated, (long long)failed,
                (long long)(tuning->candidates - eliminated - failed),
                inaccurate > 0 ? " (some lose too much accuracy)" : "");
    char *text = crd_cli_candidate_text(tuning->space, &tuning->candidate[best->candidate]);
    if (crd_cli_detects(tuning->criterion))
        crd_cli_say("chosen: %s: AUROC %.2f %%, accuracy %.2f %% (the best of all: %.2f %%)", text, 100.0 * best->score,
                    100.0 * best->accuracy, 100.0 * tuning->rung[tuning->rungs - 1].best_accuracy);
    else
        crd_cli_say("chosen: %s: validation cross-entropy %.4f, accuracy %.2f %%", text, best->score,
                    100.0 * best->accuracy);
    crd_cli_say("written to %s, for 'train --config'", strcmp(output, "-") == 0 ? "standard output" : output);
    crd_cli_say("all trials are in %s; 'credence report' makes a page of that folder", folder);
    free(text);
}

static json_t *standing_json(const crd_cli_tuning *tuning, int64_t rank)
{
    const crd_cli_standing *s = &tuning->standing[rank];
    return crd_cli_json_new("rank", json_integer(rank + 1), "state", json_string(s->state), "rung",
                            json_integer(s->rung + 1), "trials", json_integer(s->trials), crd_cli_score_name(tuning),
                            crd_cli_json_number(s->score), "standard_error", crd_cli_json_number(s->error), "accuracy",
                            crd_cli_json_number(s->accuracy), "why", s->why == NULL ? NULL : json_string(s->why),
                            "config", json_incref(tuning->candidate[s->candidate].json), NULL);
}

static char *csv_of(const crd_cli_tuning *tuning, json_t *tried)
{
    char *columns = crd_cli_text("rank,state,rung,trials");
    const char *name;
    json_t *values;
    json_object_foreach(tuning->space, name, values) crd_cli_append(&columns, ",%s=config.%s", name, name);
    crd_cli_append(&columns, ",%s,standard_error,accuracy,why", crd_cli_score_name(tuning));
    char *csv = crd_cli_json_csv(json_incref(tried), columns);
    free(columns);
    return csv;
}

static char *json_of(const crd_cli_tuning *tuning, json_t *tried)
{
    const bool detects = crd_cli_detects(tuning->criterion);
    json_t *seeds = json_array(), *rungs = json_array();
    for (int s = 0; s < tuning->splits; s++) crd_cli_json_append(seeds, json_integer((json_int_t)tuning->seed[s]));
    for (const crd_cli_rung *rung = tuning->rung; rung < tuning->rung + tuning->rungs; rung++)
        crd_cli_json_append(rungs, crd_cli_json_new("settings", json_integer(rung->candidates), "splits",
                                                    json_integer(rung->splits), "epochs",
                                                    rung->epochs < 0 ? NULL : json_integer(rung->epochs), NULL));
    json_t *object = crd_cli_json_new(
        "criterion", json_string(tuning->criterion_name), "data", crd_cli_json_string(tuning->graph.name),
        "fingerprint", json_string(crd_dataset_fingerprint(tuning->graph.dataset)), "version",
        json_string(crd_version()), "split", crd_cli_json_string(tuning->graph.split), "seeds", seeds, "left_out",
        json_integer(tuning->graph.left_out), "settings", json_integer(tuning->candidates), "max_accuracy_loss",
        detects ? json_real(tuning->most_loss) : NULL, "best_accuracy",
        crd_cli_json_number(tuning->rung[tuning->rungs - 1].best_accuracy), "rungs", rungs, "tried", json_incref(tried),
        NULL);
    char *text = crd_cli_json_text(object);
    crd_cli_append(&text, "\n");
    json_decref(object);
    return text;
}

static int write_results(const crd_cli_options *options, const crd_cli_tuning *tuning, const char *folder)
{
    const char *output = crd_cli_value(options, "output");
    const bool printed = strcmp(output, "-") == 0;
    const crd_config *best = &tuning->candidate[tuning->standing[0].candidate].config;
    char *config = crd_cli_config_text(best, CRD_CLI_OF_CHOICE, true);
    json_t *tried = json_array();
    for (int64_t i = 0; i < tuning->candidates; i++) crd_cli_json_append(tried, standing_json(tuning, i));
    char *json = json_of(tuning, tried);
    crd_cli_append(&config, "\n");
    int code = crd_cli_write_in(folder, "tried.csv", csv_of(tuning, tried));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(folder, "tried.json", crd_cli_text("%s", json));
    if (code == CRD_CLI_DONE && !printed) code = crd_cli_write_text(output, config);
    if (code == CRD_CLI_DONE) {
        if (printed || crd_cli_given(options, "json")) fputs(printed ? config : json, stdout);
        else if (!tuning->quiet) print_best(tuning, stdout);
        fflush(stdout);
        if (!tuning->quiet) say_choice(tuning, output, folder);
    }
    json_decref(tried);
    free(config);
    free(json);
    return code;
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
                (long long)tuning->candidates, tuning->candidates == 1 ? "" : "s", how[tuning->criterion],
                tuning->graph.split, tuning->splits, tuning->splits == 1 ? "" : "s",
                (unsigned long long)tuning->seed[0], (long long)tuning->graph.left_out,
                tuning->graph.left_out == 1 ? "" : "es", tuning->jobs);
    crd_cli_say_shared_splits(&tuning->graph, tuning->splits);
    if (tuning->halves)
        crd_cli_say("there are only two classes: while one is held out, two halves of the other are told "
                    "apart, the one that label propagation from one of its nodes reaches most and the rest");
}

static int search(const crd_cli_options *options, crd_cli_tuning *tuning)
{
    /* What tells trainings apart, whatever their budget. */
    static const char key[] = "task criterion seed fingerprint split left_out left_out_classes held_out halves config";
    const char *given = crd_cli_value(options, "trials-dir"), *output = crd_cli_value(options, "output");
    char *folder = given != NULL ? crd_cli_text("%s", given) : crd_cli_text("%s.trials", output);
    int code = crd_cli_runs_open(&tuning->runs, options, folder, "trials.jsonl", key);
    if (code == CRD_CLI_DONE && !tuning->quiet) say_beginning(tuning);
    if (code == CRD_CLI_DONE) code = crd_cli_tune_run(tuning);
    if (code == CRD_CLI_DONE) code = write_results(options, tuning, folder);
    free(folder);
    return code;
}

/* The classes that tuning must not look at become the last ones. */
static int leave_out(const crd_cli_options *options, crd_cli_graph *graph)
{
    crd_error error;
    graph->left_out = graph->known != NULL ? graph->known->left_out : 0;
    if (!crd_cli_given(options, "left-out")) return CRD_CLI_DONE;
    int code = crd_cli_left_out(options, graph->name, graph->dataset, &graph->left_out, &graph->last);
    if (code == CRD_CLI_DONE && graph->last != NULL &&
        crd_dataset_move_last(graph->dataset, graph->last, &error) != CRD_OK)
        code = crd_cli_fail(&error);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_cli_tuning tuning = {.space = json_object()};
    crd_cli_graph *graph = &tuning.graph;
    crd_config base;
    int code = read_criterion(options, &tuning);
    if (code == CRD_CLI_DONE) code = read_numbers(options, &tuning);
    if (code == CRD_CLI_DONE) code = read_seeds(options, &tuning);
    if (code == CRD_CLI_DONE) code = check_output(options);
    if (code == CRD_CLI_DONE) code = crd_cli_graph_open(options, options->word[0], graph);
    if (code == CRD_CLI_DONE) code = read_base(options, graph->known, &base);
    if (code == CRD_CLI_DONE) code = read_space(options, &base, tuning.space);
    if (code == CRD_CLI_DONE) code = make_candidates(options, &base, &tuning);
    if (code == CRD_CLI_DONE) code = leave_out(options, graph);
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
