/* SPDX-License-Identifier: MIT */
/* What 'credence train' says and logs: at the beginning, while epochs pass, and at the end. */
#ifndef CRD_CLI_TRAIN_LOG_H
#define CRD_CLI_TRAIN_LOG_H

#include <stdio.h>
#include <time.h>

#include "credence_private.h"

typedef struct {
    const crd_dataset *dataset;
    const crd_split *split;
    const crd_config *config;
    bool named;           /* the left-out classes were given by name */
    bool quiet;           /* write nothing but the log */
    const char *log_path; /* one JSON line per epoch; NULL: no log */
    FILE *log;            /* NULL until the first epoch */
    bool log_failed;
    bool begun;
    bool shown; /* the last epoch is on the screen */
    crd_epoch last;
    time_t shown_at;
} crd_cli_training;

/* Says the memory needed before training begins, because training may fail for lack of it. */
void crd_cli_say_memory(const crd_cli_training *training);
/* Says what training begins with: only when it has begun, so that a mistake found earlier is reported in one line. */
void crd_cli_say_beginning(const crd_cli_training *training);
/* For a crd_control, with a crd_cli_training: remembers, shows and logs an epoch; false once a signal asked to stop and
 * there is an epoch to keep. */
bool crd_cli_on_progress(const crd_progress *progress, void *user);
void crd_cli_end_progress(const crd_cli_training *training);
/* For crd_set_log, with a crd_cli_training: what the library says about a checkpoint. */
void crd_cli_hear_checkpoint(int level, const char *message, void *user);
/* Says how the training went, and how far the model's promises can go. */
void crd_cli_say_trained(const crd_model *model, const char *output, bool quiet);

#endif
