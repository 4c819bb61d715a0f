/* What the directives about runs say. Each returns a text that the caller frees, or NULL and a sentence. */
#ifndef CREDENCE_CLI_LAB_PAGE_ANSWERS_H
#define CREDENCE_CLI_LAB_PAGE_ANSWERS_H

#include "lab/page.h"

/* All have the shape that page.c's list of directives wants. */
typedef char *crd_lab_page_answer(const crd_lab_run *runs, int64_t count, const crd_lab_directive *d,
                                  char **problem);

crd_lab_page_answer crd_lab_page_table, crd_lab_page_compare, crd_lab_page_value, crd_lab_page_difference,
    crd_lab_page_firsts;

#endif
