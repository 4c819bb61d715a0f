/* Text files of a folder that is being written: CSV and its like, packed if the name ends in ".gz". */
#ifndef CRD_GRAPH_TEXTFILE_H
#define CRD_GRAPH_TEXTFILE_H

#include "base/text.h"

typedef struct crd_textfile crd_textfile;

/* The folder exists. */
crd_status crd_textfile_open(const char *folder, const char *name, crd_textfile **file, crd_error *error);
/* The first failure sticks and is reported by crd_textfile_close. */
void crd_textfile_add(crd_textfile *file, const char *text);
void crd_textfile_add_integer(crd_textfile *file, int64_t number);
/* The shortest form that reads back the same. */
void crd_textfile_add_float(crd_textfile *file, float number);
/* A field of CSV, in quotes if it needs them. */
void crd_textfile_add_field(crd_textfile *file, const char *field);
/* Writes the file if `status` is CRD_OK so far, forgets it otherwise; *file is NULL afterwards. */
crd_status crd_textfile_close(crd_textfile **file, crd_status status, crd_error *error);

#endif
