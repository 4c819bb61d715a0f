/* A model at work on a graph, with everything that a part of a report needs. */
#ifndef CRD_REPORT_VIEW_H
#define CRD_REPORT_VIEW_H

#include "answers/prediction.h"
#include "base/text.h"
#include "models/model.h"

typedef struct crd_view {
    const crd_model *model;
    const crd_dataset *dataset;
    const crd_report_options *options;
    crd_prediction *prediction;
    float *evidence, *own;      /* after and before the graph, nodes x classes; NULL if the model has none */
    int32_t classes, known;     /* on the page: the model's `known` ones first, then the data's others */
    const char **class_name;    /* classes */
    int32_t *class_on_page;     /* of every class of the data */
    const crd_split *split;     /* gives these nodes their roles; NULL: unknown */
    int32_t *truth;             /* as for crd_evaluate_prediction; NULL: there is nothing to evaluate, */
    char why[CRD_MESSAGE_SIZE]; /* for this reason */
} crd_view;

/* A failed open leaves nothing to close. */
crd_status crd_view_open(crd_view *view, const crd_model *model, const crd_dataset *dataset,
                         const crd_report_options *options, crd_error *error);
void crd_view_close(crd_view *view);

/* The class of a node on the page, -1 if it is unknown. */
int32_t crd_view_label(const crd_view *view, int64_t node);
/* The sum of a row's evidence. */
double crd_view_total(const crd_view *view, const float *evidence, int64_t node);

/* How the map was made, for the page. */
typedef struct crd_view_map {
    const char *method; /* NULL: it was given */
    const char *of;
    double perplexity, divergence;
    int64_t iterations;
    bool stopped;
} crd_view_map;

/* x and y of every node on a square of 0 to 65535, y upwards. */
crd_status crd_view_make_map(const crd_view *view, uint16_t *x, uint16_t *y, crd_view_map *map, crd_error *error);

/* The blocks in JSON; each is appended to a text that the caller finishes. */
crd_status crd_view_facts(const crd_view *view, const crd_view_map *map, crd_text *text, crd_error *error);
void crd_view_classes(const crd_view *view, const int64_t *nodes, crd_text *text);
void crd_view_history(const crd_view *view, crd_text *text);
crd_status crd_view_curves(const crd_view *view, crd_text *text, crd_error *error);

#endif
