/* What ids mean beyond their letters: whether a first row is a header, where numbers start, whether a column
 * of numbers is one of ids. */
#ifndef CRD_GRAPH_SETTLE_IDS_H
#define CRD_GRAPH_SETTLE_IDS_H

#include "graph/parts.h"

/* Notes: that a first row is a header (`second` may be NULL), that a first column is an index
 * that pandas left over, that lines were taken for comments. */
crd_status crd_note_header(crd_parts *parts, const char *file, const char *first, const char *second,
                           crd_error *error);
crd_status crd_note_index(crd_parts *parts, const char *file, crd_error *error);
crd_status crd_note_comments(crd_parts *parts, const char *file, const crd_csv *csv, crd_error *error);

/* Whether a file that was read already speaks of a node of this name. */
bool crd_parts_have_name(const crd_parts *parts, const char *name);

/* Decides what a matrix left undecided: its first column is ids if its header says so or if it has the ids of
 * all edges and labels that were read, and if no two are the same. */
crd_status crd_settle_first_column(crd_parts *parts, const char *file, crd_text_matrix *matrix,
                                   crd_error *error);

/* Puts the row that waits in front of the others: it is an edge. */
crd_status crd_take_waiting_edge(crd_edge_part *edges, crd_error *error);
/* When all files are read: a row that still waits is a header unless another file has a name of it. */
crd_status crd_settle_edge_header(crd_parts *parts, crd_error *error);

/* When all ids are numbers: lowers them by one if the other files show that they start at 1; *from_one says
 * so. */
crd_status crd_settle_base(crd_parts *parts, bool *from_one, crd_error *error);

#endif
