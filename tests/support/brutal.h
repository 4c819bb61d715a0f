/* SPDX-License-Identifier: MIT */
/* Brutal malloc: for a public call, the n-th allocation fails, for n = 0, 1, 2, ... until the call no longer gets
 * that far. Each failure must be CRD_ERROR_MEMORY with a message; handles stay NULL, nothing leaks, and no file is
 * left behind. Then the same with every allocation failing from the n-th on, which tests the code that cleans up. */
#ifndef CRD_TESTS_BRUTAL_H
#define CRD_TESTS_BRUTAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "credence_private.h"

/* What the calls work on; crd_brutal_set_up makes all of it. */
typedef struct crd_brutal {
    char folder[64];  /* inputs */
    char outputs[80]; /* must be empty before and after every call */
    crd_dataset *dataset;
    crd_split *split;
    crd_config config;
    crd_model *model;
    crd_prediction *prediction;
    crd_explanation *explanation;
} crd_brutal;

extern crd_brutal crd_tiny;

/* Makes the call once, checks its result, and releases it. */
typedef crd_status (*crd_attempt)(const char *argument, crd_error *error);

void crd_brutalise(crd_attempt call, const char *argument);

/* A failed call returns nothing; a successful one's result is released here. */
#define CHECK_AND_FREE(status, handle, release)                                                                        \
    do {                                                                                                               \
        if ((status) == CRD_OK) assert_non_null(handle);                                                               \
        else assert_null(handle);                                                                                      \
        release(&(handle));                                                                                            \
        assert_null(handle);                                                                                           \
    } while (0)

/* FOLDER/NAME, valid until the next call. */
const char *crd_brutal_input(const char *name);
void crd_brutal_write(const char *name, const char *text);
/* Removes a file, or a folder with its content. */
void crd_brutal_remove(const char *path);

/* For cmocka_run_group_tests. */
int crd_brutal_set_up(void **state);
int crd_brutal_tear_down(void **state);

#endif
