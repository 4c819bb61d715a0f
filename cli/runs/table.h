/* A summary for people and programs: text, Markdown, CSV, JSON. The same runs give the same bytes, whatever
 * order they came in. The caller frees what is returned. */
#ifndef CREDENCE_CLI_RUNS_TABLE_H
#define CREDENCE_CLI_RUNS_TABLE_H

#include "runs/summary.h"

/* For people, at most 120 columns wide. `changed` names options that were changed, for a line below; NULL:
 * none. */
void crd_cli_summary_print(const crd_cli_summary *summary, const char *changed, FILE *stream);
void crd_cli_summary_markdown(const crd_cli_summary *summary, const char *changed, crd_text *text);
char *crd_cli_summary_csv(const crd_cli_summary *summary);

/* {"task", "data", "title", "shift", "left_out", "inductive", "rows": [{"model", "title", "runs", "failed",
 * "cells": {metric: {"mean", "sd", "runs", "fewer_runs", "best"}}}]} of the block from row `first` to `end`. */
json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end);
/* The first six of these fields, which say what block a run is of. */
void crd_cli_set_block(json_t *object, const crd_cli_run *like);
/* "Detection of shifted nodes"; not for the caller to free. */
const char *crd_cli_task_title(const char *task);

/* A name as a cell of a Markdown table. */
void crd_cli_add_markdown(crd_text *text, const char *name);

#endif
