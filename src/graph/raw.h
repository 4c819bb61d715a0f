/* SPDX-License-Identifier: MIT */
/* The raw form: everything that files say, before ids become nodes.
 *
 *     1. bytes and containers     io/source, io/archive, io/npy, io/csv, ...
 *     2. readers fill this form   read_*.c; from_arrays.c and the generators fill it, too
 *     3. ids become nodes         resolve.c, classes.c
 *     4. checked and finished     finish.c: a crd_dataset
 *
 * So features and labels from other files go with every kind of graph. */
#ifndef CRD_GRAPH_RAW_H
#define CRD_GRAPH_RAW_H

#include "graph/dataset.h"
#include "io/archive.h"
#include "io/text_formats.h"

/* The line of every row of a text file; it ends at 2^32 - 1. */
typedef struct crd_lines {
    uint32_t *line;
    int64_t count, capacity;
} crd_lines;

/* The edges in one of three forms: rows, pairs of node numbers, or ids that resolve.c turns into pairs. */
typedef struct crd_raw_edges {
    char *file;         /* for messages; NULL: there are none. The same holds everywhere below. */
    int64_t nodes;      /* the number that the file states, -1: none */
    bool nodes_certain; /* however few edges there are: a program says so, not a file */
    crd_graph rows;     /* `start` is NULL: there are no rows */
    int64_t count;
    int32_t *source, *target; /* not negative; checked against the nodes when the graph is made */
    float *weight;            /* of each edge, NaN if it has none that can be read; NULL: all are 1 */
    crd_numbers lent_weight;  /* or an array of a program's */
    bool more_columns;        /* an edge list has something other than 1 beside the two nodes */
    bool by_id;
    crd_ids ids; /* two for each edge */
    crd_lines lines;
} crd_raw_edges;

typedef struct crd_raw_features {
    char *file;
    crd_features matrix;
    bool rows_declared; /* a header states the number of rows; they were not there to count */
    char **row_names;   /* as many as rows, or NULL */
    bool unnamed_ids;   /* the header of their column is empty */
    float *target;      /* LIBSVM's leading column, one for each row, or NULL */
} crd_raw_features;

/* The labels: one per node in the nodes' order, or each with its node's id. */
typedef struct crd_raw_labels {
    char *file;
    int64_t count;
    bool by_id;
    bool unnamed_ids; /* the header of their column is empty */
    crd_ids ids;
    crd_lines lines;       /* none: a label's place is named by its number */
    crd_name_index *texts; /* the distinct labels, and */
    int32_t *text;         /* which of them each row has */
    int64_t text_capacity;
    bool indices;    /* numbers are indices of classes, even if class names look different */
    bool names_only; /* texts are names of classes, even if they look like indices */
} crd_raw_labels;

typedef struct crd_raw_names {
    char *file;
    char **name;
    int64_t count;
    bool required; /* one that is empty or repeated is an error; else a note says so and all are left out */
} crd_raw_names;

typedef struct crd_raw {
    const char *name; /* the input's, for messages */
    crd_notes notes;
    crd_raw_edges edges;
    crd_raw_features features;
    crd_raw_labels labels;
    crd_raw_names nodes;
    crd_raw_names classes;
    crd_raw_names columns; /* the names of features */
    crd_header header;     /* as the options say */
    crd_first_id first_id;
    crd_edge_weights edge_weights;
    double min_edge_weight;
    const char *label_column, *id_column; /* names or numbers of columns; NULL: the options do not say */
    bool label_column_found, id_column_found;
    const char *category_columns, *ignore_columns; /* of features, separated by commas */
    bool feature_columns_found;                    /* a table of features had them */
    bool labels_beside;                            /* the labels are in the same file as the features */
    bool lasting_loan; /* borrowed arrays may become part of the dataset; else it has copies of them */
} crd_raw;

void crd_raw_start(crd_raw *raw, const char *name);
/* How to read text from now on; the options may be NULL. */
void crd_raw_set_options(crd_raw *raw, const crd_open_options *options);
void crd_raw_free(crd_raw *raw);
void crd_raw_features_free(crd_raw_features *features);
void crd_raw_labels_free(crd_raw_labels *labels);
void crd_raw_names_free(crd_raw_names *names);

/* ---- what readers share ---- */

crd_status crd_lines_add(crd_lines *lines, int64_t line, crd_error *error);
/* Ids that are complete, `width` in each row, become numbers if they are numbers in other spellings. One that is a
 * number but not a node's is an error if the others are nodes' numbers. */
crd_status crd_settle_ids(crd_ids *ids, const crd_lines *lines, int width, const char *file, crd_error *error);
/* Appends a label. With line 0, messages name the label's number instead. */
crd_status crd_raw_add_label(crd_raw_labels *labels, const char *text, int64_t line, crd_error *error);
/* Labels that are numbers; CRD_LABEL_MISSING is an unknown one. */
#define CRD_LABEL_MISSING INT64_MIN
crd_status crd_raw_take_numbers(crd_raw_labels *labels, const int64_t *number, int64_t count, crd_error *error);
/* Copies names; without any (NULL), they are the numbers. */
crd_status crd_raw_copy_names(crd_raw_names *names, const char *file, const char *const *from, int64_t count,
                              crd_error *error);
/* How many nodes the parts read so far have, -1 if none of them says; *file is the one that says so. */
int64_t crd_raw_known_nodes(const crd_raw *raw, const char **file);
/* Compares the length of an array with that number before its items are read. */
crd_status crd_raw_expect(const crd_raw *raw, const char *file, int64_t count, crd_error *error);
/* Whether a file read so far has a node with this name. */
bool crd_raw_has_name(const crd_raw *raw, const char *name);
/* Cuts the blanks off the names and makes an index of them. If a name of `what` ("node") is empty or repeated, that is
 * an error, or, unless they are required, a note; *index is then NULL. */
crd_status crd_index_names(crd_raw *raw, char **names, int64_t count, const char *file, const char *what, bool required,
                           crd_name_index **index, crd_error *error);
/* Whether a table's first row is a header: what the options say, else the guess. */
bool crd_is_header(const crd_raw *raw, bool guess);
/* Notes: a first row that is a header (`second` may be NULL), an index that pandas left over, comments. */
crd_status crd_note_header(crd_raw *raw, const char *file, const char *first, const char *second, crd_error *error);
crd_status crd_note_index(crd_raw *raw, const char *file, crd_error *error);
crd_status crd_note_comments(crd_raw *raw, const char *file, const crd_csv *csv, crd_error *error);
/* The column that an option names, by a name in the first row or else by its number from 1; -1: there is none. *named
 * is set if it is a name. A name that occurs twice is an error about the option. */
crd_status crd_find_column(const crd_raw *raw, const crd_csv *csv, const char *option, const char *wanted,
                           int64_t *column, bool *named, crd_error *error);
/* Fails because the table has no such column. */
crd_status crd_refuse_column(const char *file, const crd_csv *csv, const char *option, const char *wanted,
                             crd_error *error);
/* The names in a first row, for messages; many and long ones are cut. */
enum { CRD_COLUMN_LIST = 160 };
void crd_list_columns(const crd_csv *csv, char text[CRD_COLUMN_LIST]);
/* Whether an option says "none". */
bool crd_is_none(const char *option);
/* Fails if the options name a column that no table was asked for. */
crd_status crd_check_columns_found(const crd_raw *raw, crd_error *error);
/* Cuts the blanks off both ends, in place. */
char *crd_trim(char *text);
bool crd_is_number(const char *text);
/* Whether a label's text is a whole number ("3", "3.0", "-1"). */
bool crd_label_number(const char *text, int64_t *number);

/* ---- station 2: readers ---- */

typedef enum crd_part {
    CRD_PART_EDGES,
    CRD_PART_FEATURES,
    CRD_PART_LABELS,
    CRD_PART_NODES,   /* names of nodes, one per row, or "number,name" with the numbers 0, 1, 2, ... */
    CRD_PART_CLASSES, /* the same for classes */
    CRD_PART_COLUMNS  /* and for features */
} crd_part;

/* Reads one part, which is not there yet, from a file; its content decides the format. */
crd_status crd_read_part(const char *path, crd_part part, crd_raw *raw, crd_error *error);
/* The same from a source. */
crd_status crd_read_source(crd_source *source, crd_part part, crd_raw *raw, crd_error *error);
/* The readers that it calls: of text, */
crd_status crd_read_edges(crd_source *source, crd_raw *raw, crd_error *error);
crd_status crd_read_features(crd_source *source, crd_raw *raw, crd_error *error);
crd_status crd_read_feature_table(crd_source *source, crd_raw *raw, crd_error *error);
crd_status crd_read_feature_lists(crd_source *source, crd_raw *raw, crd_error *error);
crd_status crd_read_labels(crd_source *source, crd_raw *raw, crd_error *error);
crd_status crd_read_node_names(crd_source *source, crd_raw *raw, crd_error *error);
crd_status crd_read_class_names(crd_source *source, crd_raw *raw, crd_error *error);
crd_status crd_read_feature_names(crd_source *source, crd_raw *raw, crd_error *error);
/* and of arrays: `source` is past the header, which is in `npy`. */
crd_status crd_take_edges(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error);
crd_status crd_take_features(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error);
crd_status crd_take_labels(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error);
crd_status crd_take_feature_names(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error);
/* Puts the waiting first row in front of the others: it is an edge. */
crd_status crd_take_waiting_edge(crd_raw_edges *edges, crd_error *error);
/* LIBSVM's leading column becomes the labels if there are no others. */
crd_status crd_take_targets(crd_raw *raw, crd_error *error);

/* Gives the next edge, number `edge`, a weight; weights of 1 take no room as long as there is no other. */
crd_status crd_raw_add_weight(crd_raw_edges *edges, int64_t *capacity, int64_t edge, float weight, crd_error *error);

/* Whether the arrays make a graph. */
bool crd_archive_has_graph(const crd_archive *archive);
/* Fills the raw form from an archive or folder of arrays; it skips what the options replace. */
crd_status crd_read_archive(crd_archive *archive, const crd_open_options *options, crd_raw *raw, crd_error *error);
/* Features alone. */
crd_status crd_read_feature_archive(crd_archive *archive, crd_raw *raw, crd_error *error);
/* Folders of arrays, of text files, or OGB's. */
crd_status crd_open_folder(const char *path, const crd_open_options *options, crd_dataset **dataset, crd_error *error);

/* The folder with OGB's edge.csv.gz: PATH/raw, or PATH itself; false if it is not an OGB folder. */
enum { CRD_PATH_SIZE = 4096 };
bool crd_find_ogb_raw(const char *path, char folder[CRD_PATH_SIZE]);
crd_status crd_open_ogb(const char *path, const char *folder, const crd_open_options *options, crd_dataset **dataset,
                        crd_error *error);

/* ---- stations 3 and 4 ---- */

/* What resolve.c finds out. */
typedef struct crd_nodes {
    int64_t count;
    char **names;          /* NULL: nodes are called by their numbers */
    crd_name_index *index; /* of the names; may be NULL even with names */
    int32_t *label_of;     /* the node of each label; NULL: labels are in the nodes' order */
} crd_nodes;

crd_status crd_resolve(crd_raw *raw, crd_nodes *nodes, crd_error *error);
void crd_nodes_free(crd_nodes *nodes);
/* From labels as written to classes: which there are, their order, and the class of each node. */
crd_status crd_make_classes(crd_raw *raw, const crd_nodes *nodes, crd_dataset *dataset, crd_error *error);
/* Stations 3 and 4 together. The caller still frees the raw form. */
crd_status crd_finish(crd_raw *raw, crd_dataset **dataset, crd_error *error);
/* The same after the files that the options name (NULL: none), which replace what is there; the splits come
 * from the archive, if there is one. */
crd_status crd_finish_with(crd_raw *raw, crd_archive *archive, const crd_open_options *options, crd_dataset **dataset,
                           crd_error *error);
/* Splits that come with the data, for a finished dataset. The first makes room for `count` splits from files; too many
 * are an error. */
crd_status crd_make_room_for_splits(crd_dataset *dataset, const char *path, int64_t count, crd_error *error);
crd_status crd_splits_from_archive(crd_archive *archive, crd_dataset *dataset, crd_error *error);

/* A bare number of nodes above this is not believed: a node takes some ten times the memory of a line of text. */
static inline bool crd_believable_nodes(int64_t nodes, int64_t rows)
{
    return nodes <= 1000 || (nodes - 1001) / 10 < rows; /* nodes <= 10 x rows + 1000, without overflow */
}

/* Refuses sparse features with far more columns than rows and entries make likely: models have weights for every
 * column, even an empty one. */
crd_status crd_check_columns(const char *file, int64_t columns, int64_t rows, int64_t entries, crd_error *error);

#endif
