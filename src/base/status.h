/* SPDX-License-Identifier: MIT */
/* Status and error message: every failing call writes one sentence and returns its status. */
#ifndef CRD_BASE_STATUS_H
#define CRD_BASE_STATUS_H

#include "credence.h"

/* Fills `error` (may be NULL) and returns `status`, so that a failure is one line:
 *     return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected two columns", name, line); */
crd_status crd_fail(crd_error *error, crd_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a failure about one parameter or option. Its name goes to error->about and in front of the sentence:
 * crd_fail_about(error, CRD_ERROR_ARGUMENT, "lr", "is %g, expected more than 0", lr). Names have no dashes, because
 * library callers have no command line. */
crd_status crd_fail_about(crd_error *error, crd_status status, const char *about, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Passes on an error inside a file: "NAME: ..." with the same status, about the same thing. */
crd_status crd_fail_in(crd_error *error, const char *name, const crd_error *inner);

/* Public calls begin with this line, so that no NULL goes further:
 *     if (CRD_ANY_NULL(error, model, dataset)) return CRD_ERROR_ARGUMENT;
 * If one of the pointers is NULL, the error is "crd_predict: model is NULL", with the names as they are written here.
 */
#define CRD_ANY_NULL(error, ...)                                                                                       \
    crd_any_null(error, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                                    \
                 sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))
bool crd_any_null(crd_error *error, const char *function, const char *names, const void *const *pointers, size_t count);

/* Names come from outside and may hold line ends: keeps a sentence on one line. */
void crd_keep_one_line(char *text);

/* A failed allocation; the message says how much was asked for. */
crd_status crd_fail_memory(crd_error *error, size_t bytes);

/* A failed system call: "PATH: cannot WHAT: strerror(errno)", or that the path's folder does not exist. */
crd_status crd_fail_errno(crd_error *error, const char *path, const char *what);

#endif
