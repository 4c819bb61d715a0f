/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/numbers.h"
#include "io/text_formats.h"

static const struct {
    unsigned over;
    const char *words[26]; /* NULL after the last */
} vocabulary[] = {
    {CRD_WORD_NODE | CRD_WORD_ID,
     {"", "node", "nodes", "id", "ids", "name", "node_id", "nodeid", "node id", "node_name"}},
    {CRD_WORD_ID, {"account", "accountid", "article", "author", "authorid", "customer", "document", "gene",
                   "idx",     "index",     "item",    "itemid", "key",      "page",     "paper",    "paperid",
                   "person",  "product",   "protein", "user",   "userid",   "username", "vertex",   "website"}},
    {CRD_WORD_END,
     {"source", "target", "src", "dst", "from", "to", "node1", "node2", "node_1", "node_2", "fromnodeid", "tonodeid"}},
    {CRD_WORD_LABEL,
     {"category", "class", "classes", "field", "group", "kind", "label", "labels", "node_label", "subject", "target",
      "topic", "type", "venue", "y"}},
    {CRD_WORD_LIST, {"name", "node", "class", "label", "nodes", "classes"}},
};

/* What stands before the number of a feature. */
static const char *const stems[] = {"f",     "x",    "feat",  "feat_", "feature", "feature_", "features", "attr",
                                    "attr_", "word", "word_", "w",     "v",       "pc",       "dim",      "dim_"};

/* "user_id", "user-id", "user id", "userId", "userID". Not "userid": "paid" and "grid" end like that too. */
static bool ends_in_id(const char *text)
{
    size_t length = strlen(text);
    if (length < 4) return false;
    const char *end = text + length - 2;
    if (strchr("_- ", end[-1]) != NULL) return crd_is_word(end, "id");
    return end[-1] >= 'a' && end[-1] <= 'z' && end[0] == 'I' && crd_is_word(end, "id");
}

static bool is_feature(const char *text)
{
    char stem[16];
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9') length--;
    if (length >= sizeof stem) return false;
    memcpy(stem, text, length);
    stem[length] = '\0';
    for (size_t s = 0; s < sizeof stems / sizeof *stems; s++)
        if (crd_is_word(stem, stems[s])) return true;
    return false;
}

unsigned crd_header_word(const char *text)
{
    unsigned over = is_feature(text) ? CRD_WORD_VALUE : 0;
    if (ends_in_id(text)) over |= CRD_WORD_ID;
    for (size_t v = 0; v < sizeof vocabulary / sizeof *vocabulary; v++)
        for (const char *const *word = vocabulary[v].words; *word != NULL; word++)
            if (crd_is_word(text, *word)) over |= vocabulary[v].over;
    return over;
}
