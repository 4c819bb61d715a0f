/* A page in the making: parts, and blocks of data that belong to them. */
#ifndef CRD_REPORT_REPORT_H
#define CRD_REPORT_REPORT_H

#include <stddef.h>

#include "base/memory.h"

typedef struct crd_report_part {
    char *kind, *title;
} crd_report_part;

/* Already packed: base64 of gzip. */
typedef struct crd_report_block {
    int64_t part; /* -1: the page itself */
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

/* Packs bytes for the page: base64 of gzip, without a time. The caller frees *packed. */
crd_status crd_report_pack(const void *bytes, size_t size, char **packed, crd_error *error);

/* Removes all parts and blocks beyond these numbers. */
void crd_report_cut(crd_report *report, int64_t parts, int64_t blocks);

/* The page's own text, made from web/src when the library is built (cmake/embed_web.cmake). */
extern const unsigned char crd_web_style[], crd_web_body[], crd_web_script[];
extern const size_t crd_web_style_size, crd_web_body_size, crd_web_script_size;

#endif
