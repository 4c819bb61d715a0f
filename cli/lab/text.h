/* Texts that are put together, and what numbers and names look like in them. */
#ifndef CREDENCE_CLI_LAB_TEXT_H
#define CREDENCE_CLI_LAB_TEXT_H

#include "output.h"

/* A text that is printed into: crd_lab_text_end hands it over. */
typedef struct crd_lab_text {
    FILE *stream;
    char *bytes;
    size_t size;
} crd_lab_text;
void crd_lab_text_begin(crd_lab_text *text);
char *crd_lab_text_end(crd_lab_text *text);
/* A file's text, which the caller frees; NULL with errno set, EILSEQ if it holds zero bytes. */
char *crd_lab_text_read(const char *path);

/* A name where it would mean something else: in a Markdown table, or as a field of CSV. */
void crd_lab_print_markdown(FILE *stream, const char *name);
void crd_lab_print_csv(FILE *stream, const char *name);

/* The same in JSON, for the lines that runs and trials leave behind. */

/* The shortest text that reads back as the same number, "null" for what is none. */
void crd_lab_number_text(double number, char text[32]);
/* A string with its quotes; the caller frees it. Bytes that are no UTF-8, as file names may hold, become
 * question marks. */
char *crd_lab_quoted(const char *text);
/* {"epochs":...}: how training went; the caller frees it. */
char *crd_lab_training_text(const crd_model_facts *facts);

#endif
