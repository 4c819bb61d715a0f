/* SPDX-License-Identifier: MIT */
#include "io/source.h"

#include <string.h>

#include "base/numbers.h"

enum { LOOK_AHEAD = 4096 };

bool crd_is_gzip(const uint8_t *bytes, size_t count)
{
    return count >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}

bool crd_is_npy(const uint8_t *bytes, size_t count)
{
    return count >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

/* A zip archive starts with a member, or with its end if it has none. */
bool crd_is_zip(const uint8_t *bytes, size_t count)
{
    return count >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

/* An 8-byte length that is small, then a JSON object. */
bool crd_is_safetensors(const uint8_t *bytes, size_t count)
{
    return count > 8 && bytes[8] == '{' && bytes[7] == 0 && bytes[6] == 0 && bytes[5] == 0;
}

bool crd_is_json_object(const uint8_t *bytes, size_t count)
{
    size_t at = count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < count && crd_is_blank((char)bytes[at])) at++;
    return at < count && bytes[at] == '{';
}

/* Whether text up to `at` on its line can stand before "index:value": not the columns of a table, and not the date
 * before a time. */
static bool can_be_target(const uint8_t *bytes, size_t at)
{
    bool dash = false;
    for (size_t i = at; i > 0 && bytes[i - 1] != '\n'; i--) {
        const uint8_t c = bytes[i - 1];
        if (c == ',' || c == ';' || (dash && c >= '0' && c <= '9')) return false;
        dash = c == '-';
    }
    return true;
}

/* The first "index:value" shows that it is LIBSVM. */
bool crd_is_svm(const uint8_t *bytes, size_t count)
{
    for (size_t i = 1; i + 1 < count; i++) {
        if (bytes[i] != ':' || bytes[i - 1] < '0' || bytes[i - 1] > '9') continue;
        size_t begin = i;
        while (begin > 0 && bytes[begin - 1] >= '0' && bytes[begin - 1] <= '9') begin--;
        uint8_t after = bytes[i + 1];
        bool value = (after >= '0' && after <= '9') || after == '-' || after == '+' || after == '.';
        if (value && (begin == 0 || crd_is_blank((char)bytes[begin - 1])) && can_be_target(bytes, begin)) return true;
    }
    return false;
}

/* ---- text, as far as it was read ---- */

/* The rest of the text, which ends with a NUL. */
typedef const char *text;

static bool begins(text at, const char *word)
{
    for (; *word != '\0'; at++, word++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        if (c != *word) return false;
    }
    return true;
}

static text next_line(text at)
{
    text end = strchr(at, '\n');
    return end != NULL ? end + 1 : at + strlen(at);
}

static text skip_mark(text at)
{
    return strncmp(at, "\xef\xbb\xbf", 3) == 0 ? at + 3 : at;
}

bool crd_is_mtx(const uint8_t *bytes, size_t count)
{
    char head[20] = "";
    memcpy(head, bytes, count < sizeof head - 1 ? count : sizeof head - 1);
    return begins(skip_mark(head), "%%matrixmarket");
}

/* ---- formats that we do not read ---- */

/* The first bytes of a file. */
typedef struct head {
    const uint8_t *bytes;
    size_t count;
    text all;         /* the same bytes, with a NUL after them; */
    text start;       /* without a byte order mark and the blanks at their beginning */
    bool binary;      /* some of them never occur in text: a text file can also start with a name like PAR1 */
    char member[128]; /* the name of an archive's first member; or empty */
} head;

static void look_at_head(head *h)
{
    h->start = crd_skip_blanks(skip_mark(h->all));
    for (size_t i = 0; i < h->count; i++)
        if (h->bytes[i] < '\t' || (h->bytes[i] > '\r' && h->bytes[i] < ' ')) h->binary = true;
    /* A member's name is 30 bytes after its start, and its length is before that. */
    size_t length = h->count >= 30 ? (size_t)h->bytes[26] | (size_t)h->bytes[27] << 8 : 0;
    if (crd_is_zip(h->bytes, h->count) && length < sizeof h->member && 30 + length <= h->count)
        memcpy(h->member, h->bytes + 30, length);
}

/* Protocols 2 to 5 have a marker. Protocols 0 and 1 start with a list, a dictionary or the name of a class. */
static bool is_pickle(const head *h)
{
    const uint8_t *bytes = h->bytes;
    if (h->count >= 3 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5) return true;
    if (h->count >= 3 && (bytes[0] == '}' || bytes[0] == ']') && bytes[1] == 'q' && bytes[2] < 2) return true;
    if (begins(h->all, "(dp") || begins(h->all, "(lp")) {
        text end = h->all + 3 + strspn(h->all + 3, "0123456789");
        return end > h->all + 3 && *end == '\n';
    }
    static const char *const modules[] = {"ccopy_reg\n", "ccopyreg\n", "c__builtin__\n", "ccollections\n", "cnumpy.",
                                          "cscipy.",     "cpandas.",   "cnetworkx.",     "ctorch"};
    for (size_t m = 0; m < sizeof modules / sizeof *modules; m++)
        if (begins(h->all, modules[m])) return true;
    return false;
}

static bool is_pytorch(const head *h)
{
    return crd_ends_with(h->member, "data.pkl");
}

static bool is_office(const head *h)
{
    return begins(h->member, "[content_types].xml") || begins(h->member, "_rels/") || begins(h->member, "xl/") ||
           begins(h->member, "docprops/") || strcmp(h->member, "mimetype") == 0;
}

static bool is_graphml(const head *h)
{
    text at = h->start;
    if (*at != '<') return false;
    while (*at != '\0' && !begins(at, "<graphml")) at++;
    return *at != '\0';
}

static bool is_json(const head *h)
{
    text at = h->start;
    if (*at != '{' && *at != '[') return false;
    text next = crd_skip_blanks(at + 1);
    return *next != '\0' && strchr(*at == '{' ? "\"}" : "{[\"]-0123456789", *next) != NULL;
}

static text skip_name(text at)
{
    while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_' ||
           *at == '.')
        at++;
    return at;
}

/* The word "graph" before a bracket, perhaps after lines that name the file's author. */
static bool is_graph_before(const head *h, const char *word, char bracket)
{
    text at = skip_mark(h->all);
    while (*at == '#' || *at == '\n' || *at == '\r' || begins(at, "creator") || begins(at, "version") ||
           begins(at, "comment") || begins(at, "//"))
        at = next_line(at);
    at = crd_skip_blanks(at);
    if (!begins(at, word)) return false;
    at = crd_skip_blanks(at + strlen(word));
    if (bracket == '{') at = crd_skip_blanks(skip_name(at));
    return *at == bracket;
}

static bool is_gml(const head *h)
{
    return is_graph_before(h, "graph", '[');
}

static bool is_dot(const head *h)
{
    return is_graph_before(h, "graph", '{') || is_graph_before(h, "digraph", '{') ||
           is_graph_before(h, "strict graph", '{') || is_graph_before(h, "strict digraph", '{');
}

/* NetworkX writes program, date and the graph's name in front of an adjacency list, and of nothing else. */
static bool is_adjacency_list(const head *h)
{
    for (text line = h->all; *line == '#'; line = next_line(line))
        if (strncmp(line, "# GMT ", 6) == 0) return true;
    return false;
}

#define PYTHON "; convert it with Python: "
#define SAVE_EDGES "networkx.write_edgelist(graph, \"edges.txt\", data=False)"
#define SAVE_ARRAYS "numpy.savez(\"graph.npz\", edge_index=..., x=..., y=...)"

#define XML "an XML or HTML file; expected a graph as .npz, .csv, .mtx or a folder"

/* The first match counts. A format is recognised by a function, or by its first bytes; these have upper case only if
 * they are those of a binary file. */
static const struct {
    const char *magic;
    bool (*fits)(const head *h);
    const char *what;
} foreign[] = {
    {NULL, is_pytorch, "a PyTorch file (.pt)" PYTHON "torch.load(FILE), then " SAVE_ARRAYS},
    {NULL, is_office, "a spreadsheet or another office document; save its table as CSV"},
    {"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46", NULL, "a PyTorch file (.pt)" PYTHON "torch.load(FILE), then " SAVE_ARRAYS},
    {NULL, is_pickle,
     "a Python pickle, which can run any program and is never opened here" PYTHON
     "pickle.load(open(FILE, \"rb\")), then " SAVE_ARRAYS},
    {"PAR1", NULL, "a parquet file" PYTHON "pandas.read_parquet(FILE).to_csv(\"edges.csv\", index=False)"},
    {"ARROW1", NULL, "a feather (Arrow) file" PYTHON "pandas.read_feather(FILE).to_csv(\"edges.csv\", index=False)"},
    {"FEA1", NULL, "a feather file" PYTHON "pandas.read_feather(FILE).to_csv(\"edges.csv\", index=False)"},
    {"MATLAB 5.0 MAT-file", NULL, "a MATLAB file (.mat)" PYTHON "scipy.io.loadmat(FILE), then " SAVE_ARRAYS},
    {"MATLAB 7.3 MAT-file", NULL, "a MATLAB 7.3 file (.mat, HDF5 inside)" PYTHON "h5py.File(FILE), then " SAVE_ARRAYS},
    {"\x89HDF\r\n\x1a\n", NULL, "an HDF5 file" PYTHON "h5py.File(FILE), then " SAVE_ARRAYS},
    {"SQLite format 3", NULL, "an SQLite database; export its tables as CSV"},
    {"RDX", NULL, "an R data file; write its tables with write.csv"},
    {NULL, is_graphml, "a GraphML file" PYTHON "graph = networkx.read_graphml(FILE), then " SAVE_EDGES},
    {"<gexf", NULL, "a GEXF file" PYTHON "graph = networkx.read_gexf(FILE), then " SAVE_EDGES},
    {"<?xml", NULL, XML},
    {"<!doctype", NULL, XML},
    {"<html", NULL, XML},
    {NULL, is_gml, "a GML file" PYTHON "graph = networkx.read_gml(FILE), then " SAVE_EDGES},
    {NULL, is_dot, "a Graphviz file (.dot)" PYTHON "graph = networkx.nx_pydot.read_dot(FILE), then " SAVE_EDGES},
    {"*vertices", NULL, "a Pajek file (.net)" PYTHON "graph = networkx.read_pajek(FILE), then " SAVE_EDGES},
    {"*network", NULL, "a Pajek file (.net)" PYTHON "graph = networkx.read_pajek(FILE), then " SAVE_EDGES},
    {NULL, is_json,
     "a JSON file; a list of features for each node can be given beside a graph, edges cannot: write them as "
     "CSV (source,target) or as arrays with " SAVE_ARRAYS},
    {NULL, is_adjacency_list, CRD_ADJACENCY_LIST},
};

crd_status crd_refuse_foreign(crd_source *source, crd_error *error)
{
    char all[LOOK_AHEAD + 1];
    head h = {.all = all};
    crd_status status = crd_source_peek(source, LOOK_AHEAD, &h.bytes, &h.count, error);
    if (status != CRD_OK || h.count == 0) return status;
    memcpy(all, h.bytes, h.count);
    all[h.count] = '\0';
    look_at_head(&h);
    for (size_t f = 0; f < sizeof foreign / sizeof *foreign; f++) {
        const char *magic = foreign[f].magic;
        if (magic == NULL ? foreign[f].fits(&h)
                          : begins(h.start, magic) || (h.binary && strncmp(all, magic, strlen(magic)) == 0))
            return crd_fail(error, CRD_ERROR_FORMAT, "%.200s: this is %s", crd_source_name(source), foreign[f].what);
    }
    return CRD_OK;
}
