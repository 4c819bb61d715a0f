#include "io/text_formats.h"

#include <stddef.h>
#include <string.h>

#include "base/numbers.h"

static bool is_any(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (crd_is_word(text, *words)) return true;
    return false;
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* "user_id", "user-id", "user id", "userId", "userID". Not "userid": "paid" and "grid" end like that too. */
static bool ends_in_id(const char *text)
{
    size_t length = strlen(text);
    if (length < 4) return false;
    const char *end = text + length - 2;
    if (strchr("_- ", end[-1]) != NULL) return crd_is_word(end, "id");
    return is_lower(end[-1]) && end[0] == 'I' && crd_is_word(end, "id");
}

bool crd_is_node_header(const char *text)
{
    static const char *const words[] = {"",        "node",   "nodes",   "id",        "ids", "name",
                                        "node_id", "nodeid", "node id", "node_name", NULL};
    return is_any(text, words);
}

bool crd_is_thing_header(const char *text)
{
    static const char *const words[] = {
        "account", "accountid", "article", "author",   "authorid", "customer", "document", "gene",   "idx",
        "index",   "item",      "itemid",  "key",      "page",     "paper",    "paperid",  "person", "product",
        "protein", "user",      "userid",  "username", "vertex",   "website",  NULL};
    return crd_is_node_header(text) || is_any(text, words) || ends_in_id(text);
}

bool crd_is_end_header(const char *text)
{
    static const char *const words[] = {"source", "target", "src",    "dst",        "from",     "to", "node1",
                                        "node2",  "node_1", "node_2", "fromnodeid", "tonodeid", NULL};
    return is_any(text, words);
}

bool crd_is_possible_end_header(const char *text)
{
    static const char *const words[] = {"cited",    "citing", "dest",     "destination", "end",   "followee",
                                        "follower", "head",   "id1",      "id2",         "id_1",  "id_2",
                                        "payee",    "payer",  "receiver", "sender",      "start", "tail",
                                        "u",        "user1",  "user2",    "v",           NULL};
    return crd_is_end_header(text) || crd_is_thing_header(text) || is_any(text, words);
}

bool crd_is_label_header(const char *text)
{
    static const char *const words[] = {"category", "class",  "classes",    "field",   "group",  "kind",
                                        "label",    "labels", "node_label", "subject", "target", "topic",
                                        "type",     "venue",  "y",          NULL};
    return is_any(text, words);
}

bool crd_is_feature_header(const char *text)
{
    static const char *const words[] = {"f",        "x",    "feat",  "feat_", "feature", "feature_",
                                        "features", "attr", "attr_", "word",  "word_",   "w",
                                        "v",        "pc",   "dim",   "dim_",  NULL};
    char stem[16];
    size_t length = strlen(text), digits = 0;
    while (digits < length && text[length - digits - 1] >= '0' && text[length - digits - 1] <= '9') digits++;
    if (length - digits >= sizeof stem) return false;
    memcpy(stem, text, length - digits);
    stem[length - digits] = '\0';
    return is_any(stem, words);
}
