/* Words that people write over the columns of their tables. The case of ASCII letters does not count. */
#ifndef CRD_IO_HEADER_WORDS_H
#define CRD_IO_HEADER_WORDS_H

#include <stdbool.h>

/* Over node ids and nothing else: node, id, name, ..., or nothing at all (pandas and R leave it empty). */
bool crd_is_node_header(const char *text);
/* Over things that may be nodes: the words above, paper, user, account, index, *_id, paperId, ... */
bool crd_is_thing_header(const char *text);
/* Over one end of an edge: source, target, from, to, ... */
bool crd_is_end_header(const char *text);
/* The words above, and others that may be names as well: u, v, head, tail, sender, receiver, ... */
bool crd_is_possible_end_header(const char *text);
/* Over labels: label, class, y, target, category, topic, type, ... */
bool crd_is_label_header(const char *text);
/* Over a feature: f0, x12, feature_3, ... */
bool crd_is_feature_header(const char *text);

#endif
