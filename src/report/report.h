/* SPDX-License-Identifier: MIT */
/* A page in the making: parts, and blocks of data that belong to them. */
#ifndef CRD_REPORT_REPORT_H
#define CRD_REPORT_REPORT_H

#include "answers/answers.h"
#include "base/text.h"
#include "models/model.h"

typedef struct crd_report_part {
    const char *kind; /* a constant */
    char *title;
} crd_report_part;

/* Already packed: base64 of gzip. */
typedef struct crd_report_block {
    int64_t part;            /* -1: the page itself */
    const char *name, *type; /* constants */
    char *packed;
} crd_report_block;

struct crd_report {
    char *title;
    int64_t parts, part_capacity;
    crd_report_part *part;
    int64_t blocks, block_capacity;
    crd_report_block *block;
};

/* Adds `count` items to the last part, in the machine's own byte order: "json", or an array of "uint8", "uint16",
 * "int16", "int32" or "float32". */
crd_status crd_report_add(crd_report *report, const char *name, const char *type, size_t item_size, const void *items,
                          int64_t count, crd_error *error);
/* Removes all parts and blocks beyond these numbers. */
void crd_report_cut(crd_report *report, int64_t parts, int64_t blocks);

/* The page's own text, made from web/src when the library is built (cmake/embed_web.cmake). */
extern const unsigned char crd_web_style[], crd_web_body[], crd_web_script[];
extern const size_t crd_web_style_size, crd_web_body_size, crd_web_script_size;

/* A model at work on a graph, with everything that its part of a report needs. */
typedef struct crd_view {
    const crd_model *model;
    const crd_dataset *dataset;
    const crd_report_options *options; /* complete */
    int threads;
    crd_prediction *prediction; /* with evidence */
    int32_t classes, known;     /* on the page: the model's `known` ones first, then the data's others */
    const char **class_name;    /* classes */
    int32_t *class_on_page;     /* of every class of the data */
    const crd_split *split;     /* gives these nodes their roles; NULL: unknown */
    int32_t *truth;             /* as for crd_evaluate_prediction; NULL: there is nothing to evaluate, */
    char why[CRD_MESSAGE_SIZE]; /* for this reason */
    float *positions;           /* of the map, nodes x 2 */
    struct {                    /* how it was made */
        const char *method;     /* NULL: it was given */
        const char *of;
        double perplexity, divergence;
        int64_t iterations;
        bool stopped;
    } map;
} crd_view;

/* The class of a node on the page, -1 if it is unknown. */
int32_t crd_view_label(const crd_view *view, int64_t node);
/* The sum of a row's evidence. */
double crd_view_total(const crd_view *view, const float *evidence, int64_t node);
/* The block "curves". */
crd_status crd_view_curves(const crd_view *view, crd_text *text, crd_error *error);

#endif
