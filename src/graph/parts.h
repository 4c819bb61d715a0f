/* What the files say, before it is known which node is which.
 *
 * Every reader fills parts; crd_parts_assemble then settles how many nodes there are and what they are
 * called, and turns the parts into a dataset. So features and labels from other files go with
 * every kind of graph. */
#ifndef CRD_GRAPH_PARTS_H
#define CRD_GRAPH_PARTS_H

#include "graph/dataset.h"
#include "graph/ids.h"
#include "io/source.h"
#include "io/text_formats.h"

/* The line of every row of a text file; it ends at 2^32 - 1. */
typedef struct crd_lines {
    uint32_t *line;
    int64_t count, capacity;
} crd_lines;

/* The edges, in one of three forms: rows that are in dataset->input already, numbers, or ids. */
typedef struct crd_edge_part {
    char *file;  /* for messages; NULL: there is no such part. So in every part. */
    bool rows;   /* dataset->input has them */
    bool by_id;  /* `ids` has them, two an edge; else `source` and `target` */
    int64_t nodes; /* that the file says there are, -1: it does not say */
    crd_ids ids;
    crd_lines lines;
    int64_t count;
    int32_t *source, *target; /* not negative; checked against the nodes later */
} crd_edge_part;

/* The features: in dataset->features already (dense), or as triplets. */
typedef struct crd_feature_part {
    char *file;
    bool triplets_used;
    bool rows_declared; /* the number of rows is a header's word, not rows that were there */
    crd_triplets triplets;
    char **row_names; /* as many as rows, or NULL */
    bool unnamed_ids; /* their column has a header that is empty */
    int64_t rows;
} crd_feature_part;

#define CRD_LABEL_MISSING INT64_MIN

/* The labels: numbers or texts, one a node in the nodes' order, or each with its node's id. */
typedef struct crd_label_part {
    char *file;
    int64_t count;
    bool by_id;
    bool unnamed_ids;      /* their column has a header that is empty */
    crd_ids ids;
    crd_lines lines;       /* none: a label's place is named by its number */
    int64_t *number;       /* or CRD_LABEL_MISSING; NULL: */
    crd_name_index *texts; /* the distinct labels, and */
    int32_t *text;         /* which of them each row has */
    int64_t text_capacity;
    bool class_indices;    /* numbers are indices of classes, whatever the classes are called */
    bool names_only;       /* texts are names of classes, even where they look like indices */
} crd_label_part;

typedef struct crd_parts {
    const char *name;     /* the input's, for messages */
    crd_dataset *dataset; /* takes the notes from the beginning */
    crd_edge_part edges;
    crd_feature_part features;
    crd_label_part labels;
    char *names_file; /* of node_names */
    char **node_names;
    int64_t node_name_count;
    char *classes_file;
    char **class_names;
    int64_t class_name_count;
} crd_parts;

/* `parts` can be freed whatever this returns. */
crd_status crd_parts_new(const char *name, crd_parts *parts, crd_error *error);
void crd_parts_free(crd_parts *parts);
void crd_features_part_free(crd_parts *parts);
void crd_labels_part_free(crd_label_part *labels);

/* Readers of single files. Each replaces what the parts hold of its kind. */
crd_status crd_read_edge_list(crd_source *source, crd_parts *parts, crd_error *error);
crd_status crd_read_edge_mtx(crd_source *source, crd_parts *parts, crd_error *error);
/* Any of the forms by their content: an edge list, Matrix Market, an .npy of pairs. */
crd_status crd_read_edges(crd_source *source, crd_parts *parts, crd_error *error);
crd_status crd_read_features(crd_source *source, const char *path, crd_parts *parts, crd_error *error);
crd_status crd_read_labels(crd_source *source, crd_parts *parts, crd_error *error);
/* One name a row, or "number,name" rows with the numbers 0, 1, 2, ... */
crd_status crd_read_names(crd_source *source, const char *what, char ***names, int64_t *count,
                          crd_error *error);

/* LIBSVM's leading column becomes the labels, if features came as LIBSVM and no labels are there. */
crd_status crd_take_targets(crd_parts *parts, crd_error *error);

/* How many nodes the parts that are there already have, -1 if none of them says; *file is the one that
 * does. */
int64_t crd_parts_known_nodes(const crd_parts *parts, const char **file);
/* Compares the length of an array with them, before its items are read. */
crd_status crd_parts_expect(const crd_parts *parts, const char *file, int64_t count, crd_error *error);
/* Leaves class names out, with a note, if they are not names to tell classes by: one is empty or repeated.
 * For input where they are decoration and labels are numbers. */
crd_status crd_check_class_names(crd_parts *parts, crd_error *error);

/* Opens a file and runs one of the readers above on it. A folder is an error that says so. */
typedef enum crd_part_kind { CRD_PART_EDGES, CRD_PART_FEATURES, CRD_PART_LABELS, CRD_PART_NODES,
                             CRD_PART_CLASSES } crd_part_kind;
crd_status crd_read_part(const char *path, crd_part_kind kind, crd_parts *parts, crd_error *error);

/* Whether a label's text is a whole number ("3", "3.0", "-1"). */
bool crd_label_number(const char *text, int64_t *number);
/* Cuts the blanks off both ends, in place. */
char *crd_trim(char *text);
crd_status crd_lines_add(crd_lines *lines, int64_t line, crd_error *error);

/* Makes the dataset of the parts; it is finished. The parts are still the caller's to free. */
crd_status crd_parts_assemble(crd_parts *parts, crd_dataset **dataset, crd_error *error);
/* For crd_parts_assemble: labels and classes, once the nodes are settled. node_of gives the node of each row
 * (NULL: the row's number). */
crd_status crd_parts_settle_labels(crd_parts *parts, int64_t nodes, const int32_t *node_of, crd_error *error);

/* More nodes than this, with nothing to show for them but the number, are not believed: a node takes some
 * ten times the memory of a line of text. */
static inline bool crd_believable_nodes(int64_t nodes, int64_t rows)
{
    return nodes <= 1000 || (nodes - 1001) / 10 < rows; /* nodes <= 10 x rows + 1000, without overflow */
}
/* So for columns of sparse features: models have weights for each, whether anything is in it or not. */
static inline bool crd_believable_columns(int64_t columns, int64_t rows, int64_t entries)
{
    return columns <= 1000000 || (columns - 1000001) / 1000 < rows + entries;
}
crd_status crd_check_columns(const char *file, int64_t columns, int64_t rows, int64_t entries,
                             crd_error *error);

#endif
