/* A page in the making: parts, and blocks of data that belong to them. */
#ifndef CRD_REPORT_REPORT_H
#define CRD_REPORT_REPORT_H

#include "base/memory.h"

typedef struct crd_report_part {
    char *kind, *title;
} crd_report_part;

/* Packed already: base64 of gzip. */
typedef struct crd_report_block {
    int64_t part; /* -1: the page's own */
    char *name;
    const char *type;
    char *packed;
} crd_report_block;

struct crd_report {
    char *title;
    int64_t parts, part_capacity;
    crd_report_part *part;
    int64_t blocks, block_capacity;
    crd_report_block *block;
};

/* Bytes as the page has them: base64 of gzip, without a time in it. The caller frees *packed. */
crd_status crd_report_pack(const void *bytes, size_t size, char **packed, crd_error *error);

/* Takes back parts and blocks that are more than these many. */
void crd_report_cut(crd_report *report, int64_t parts, int64_t blocks);

#endif
