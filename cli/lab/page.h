/* Pages whose numbers come from results files: a template's directives, {{name argument key=value}}. */
#ifndef CREDENCE_CLI_LAB_PAGE_H
#define CREDENCE_CLI_LAB_PAGE_H

#include "lab/summary.h"

/* A file of runs that was read once for the whole page. */
typedef struct crd_lab_page_file {
    char *path;
    crd_lab_runs runs;
} crd_lab_page_file;

typedef struct crd_lab_page {
    const char *folder; /* of the template: paths start here */
    crd_lab_page_file *file;
    int files;
} crd_lab_page;

/* A directive taken apart: what it is called, its plain arguments, and its key=value ones. */
enum { CRD_LAB_MOST_WORDS = 32 };
typedef struct crd_lab_directive {
    char *text; /* the words live in here */
    const char *name;
    const char *word[CRD_LAB_MOST_WORDS];
    int words;
    const char *key[CRD_LAB_MOST_WORDS], *value[CRD_LAB_MOST_WORDS];
    int keys;
} crd_lab_directive;

/* What stands for a directive in the page; the caller frees it. NULL with *problem set to a sentence that the
 * caller frees, or to NULL if the error was reported already. `text` is what stands between the braces. */
char *crd_lab_page_expand(crd_lab_page *page, const char *text, char **problem);
void crd_lab_page_free(crd_lab_page *page);

/* The value of a key, or NULL. */
const char *crd_lab_directive_value(const crd_lab_directive *directive, const char *key);
/* A path of the template's, from where the command runs; the caller frees it. */
char *crd_lab_page_path(const crd_lab_page *page, const char *path);
/* {{jsonl FILE... key=value... fields=a,b.c:TITLE}}. */
char *crd_lab_page_jsonl(crd_lab_page *page, const crd_lab_directive *directive, char **problem);
/* {{field FILE FIELD key=value...}}: of the one line that fits. */
char *crd_lab_page_field(crd_lab_page *page, const crd_lab_directive *directive, char **problem);

#endif
