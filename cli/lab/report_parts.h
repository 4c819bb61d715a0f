/* What the parts of a report about experiments and tunings consist of: JSON, made of nothing but a folder's
 * files. The same files give the same bytes. web/src/experiment.js and tuning.js show it. */
#ifndef CREDENCE_CLI_LAB_REPORT_PARTS_H
#define CREDENCE_CLI_LAB_REPORT_PARTS_H

#include "lab/runs.h"

/* All texts are the caller's to free. */

/* {"commands": [...], "versions": [...], "lines": runs in the file, "seconds": what they took in sum,
 *  "tables": one a task, [{"task", "title", "failures",
 *      "metrics": [{"name", "group", "label", "column": whether the task's table has it, "percent", "loss"}],
 *      "blocks": as in table.json, [{"task", "data", "title", "shift", "left_out", "inductive",
 *          "label": what the table calls it, "kind", "amount", "mode": of the shift, "split", "fingerprint",
 *          "rows": [{"model", "title", "runs", "failed", "cells": {...}, and besides
 *              "passed_over", "config": without its seed, "seeds": [...], "values": {metric: [one a seed]}}]}],
 *      "pairs": [{"block", "a", "b": rows of the block, "metric", "pairs", "mean_a", ... as compare has it}]}],
 *  "failures": [{"task", "title", "shift", "model", "seed", "error"}]} */
char *crd_lab_report_experiment(const crd_lab_runs *runs, const char *folder);

/* {"commands": [...], "lines": trials in the file, "seconds",
 *  "searches": the newest first, [{"criterion", "data", "title", "fingerprint", "split", "left_out", "halves",
 *      "detects": whether the score is an AUROC, "versions": [...], "seeds": [...], "held_out": [classes],
 *      "axes": [names of the options that differ], "fixed": {the others},
 *      "finished": whether it came to a choice, and only then
 *      "about": the words of tried.md, or null, "rungs": [{"settings", "splits", "epochs": null for all}],
 *      "budgets": [{"epochs": null for all, "settings", "trials", "limited": ended by it, "failed"}],
 *      "settings": [{"rank", "state", "rung": null unless it was ranked, "trials", "score", "standard_error",
 *          "accuracy", "cross_entropy", "epochs": means over the trials that count, "seconds": of all of them,
 *          "choices": [files of the folder that hold it], "why": it has no score, "values": [one an axis]}]}]}
 * NULL with a sentence in *problem, which the caller frees, if the folder's tried.jsonl is damaged. */
char *crd_lab_report_tuning(const crd_lab_runs *trials, const char *folder, char **problem);

/* The lines of the folder's command.txt, an empty array if there is none. */
json_t *crd_lab_report_commands(const char *folder);
/* The different values of a field, which is text, in the order of lines. */
json_t *crd_lab_report_versions(const crd_lab_runs *runs);
/* What all lines of the file took, in seconds. */
double crd_lab_report_seconds(const crd_lab_runs *runs);

#endif
