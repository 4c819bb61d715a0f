/* {{jsonl FILE... fields=a,b.c:TITLE key=value...}}: a table out of any files of JSON lines; {{field FILE FIELD
 * key=value...}}: a value out of one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/json.h"
#include "lab/lists.h"
#include "lab/page.h"
#include "lab/table.h"

typedef struct lines {
    json_t **line;
    int64_t count, capacity;
} lines;

/* What the directive asks for; the other keys are conditions. */
typedef struct request {
    const char *fields, *sort;
    int64_t limit; /* -1: all */
    int digits;    /* -1: six that count */
} request;

static bool is_setting(const char *key)
{
    return crd_lab_listed("fields,sort,limit,digits", key, key);
}

static bool read_number(const crd_lab_directive *d, const char *key, int64_t most, int64_t *number,
                        char **problem)
{
    const char *value = crd_lab_directive_value(d, key);
    char *end;
    if (value == NULL) return true;
    errno = 0;
    long long read = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || read < 0 || read > most) {
        *problem = crd_cli_text("%s: expected a whole number from 0 to %lld, found '%s'", key,
                                (long long)most, value);
        return false;
    }
    *number = read;
    return true;
}

static bool fits(const json_t *found, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    if (json_is_string(found)) return strcmp(json_string_value(found), value) == 0;
    if (json_is_boolean(found)) return strcmp(json_is_true(found) ? "true" : "false", value) == 0;
    if (json_is_number(found)) return end != value && *end == '\0' && json_number_value(found) == number;
    return strcmp(value, "null") == 0;
}

static bool wanted(const json_t *line, const crd_lab_directive *d)
{
    for (int i = 0; i < d->keys; i++)
        if (!is_setting(d->key[i]) && !fits(crd_lab_json_at(line, d->key[i]), d->value[i])) return false;
    return true;
}

static void free_lines(lines *all)
{
    for (int64_t i = 0; i < all->count; i++) json_decref(all->line[i]);
    free(all->line);
}

/* Reads the lines that fit. */
static void read_lines(const char *path, const crd_lab_directive *d, lines *all, char **problem)
{
    json_t *found, *line;
    size_t i;
    *problem = crd_lab_json_lines(path, &found);
    json_array_foreach(found, i, line) {
        if (!wanted(line, d)) continue;
        if (all->count == all->capacity) {
            all->capacity = all->capacity == 0 ? 64 : 2 * all->capacity;
            all->line = crd_cli_allocate(all->line, (size_t)all->capacity * sizeof *all->line);
        }
        all->line[all->count++] = json_incref(line);
    }
    json_decref(found);
}

/* Numbers before everything else, which stays as it is; "-field" turns the order round. */
static int compare_at(const json_t *a, const json_t *b, const char *field)
{
    int sign = field[0] == '-' ? -1 : 1;
    const char *path = sign < 0 ? field + 1 : field;
    const json_t *left = crd_lab_json_at(a, path), *right = crd_lab_json_at(b, path);
    if (json_is_string(left) && json_is_string(right))
        return sign * strcmp(json_string_value(left), json_string_value(right));
    if (!json_is_number(left) || !json_is_number(right)) return json_is_number(right) - json_is_number(left);
    double x = json_number_value(left), y = json_number_value(right);
    return sign * ((x > y) - (x < y));
}

/* Merge sort: equal lines keep the order they have in the file. */
static void sort_lines(json_t **line, json_t **room, int64_t count, const char *field)
{
    int64_t half = count / 2;
    if (count < 2) return;
    sort_lines(line, room, half, field);
    sort_lines(line + half, room, count - half, field);
    for (int64_t i = 0; i < count; i++) room[i] = line[i];
    for (int64_t i = 0, a = 0, b = half; i < count; i++) {
        bool first = b == count || (a < half && compare_at(room[a], room[b], field) <= 0);
        line[i] = first ? room[a++] : room[b++];
    }
}

static void print_value(FILE *stream, const json_t *value, int digits)
{
    if (value == NULL) return;
    if (json_is_string(value)) {
        crd_lab_print_markdown(stream, json_string_value(value));
    } else if (json_is_real(value) && digits >= 0) {
        fprintf(stream, "%.*f", digits, json_real_value(value));
    } else if (json_is_real(value)) {
        fprintf(stream, "%.6g", json_real_value(value));
    } else {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
        crd_lab_print_markdown(stream, text == NULL || json_is_null(value) ? "n.a." : text);
        free(text);
    }
}

/* The next field of a list, cut off from it, and its title; NULL after the last. */
static char *next_field(char **list, const char **title)
{
    char *field = *list;
    if (field == NULL) return NULL;
    char *comma = strchr(field, ',');
    if (comma != NULL) *comma = '\0';
    *list = comma == NULL ? NULL : comma + 1;
    char *colon = strchr(field, ':');
    if (colon != NULL) *colon = '\0';
    *title = colon == NULL ? field : colon + 1;
    return field;
}

/* A field that no line has: a slip. The caller frees it. */
static char *missing_field(const lines *all, const char *fields)
{
    char *list = crd_cli_text("%s", fields), *rest = list, *field, *missing = NULL;
    const char *title;
    while (missing == NULL && (field = next_field(&rest, &title)) != NULL) {
        bool found = false;
        for (int64_t i = 0; i < all->count && !found; i++)
            found = crd_lab_json_at(all->line[i], field) != NULL;
        if (!found) missing = crd_cli_text("no line has the field '%s'", field);
    }
    free(list);
    return missing;
}

static void print_row(FILE *stream, const json_t *line, const request *r)
{
    char *list = crd_cli_text("%s", r->fields), *rest = list, *field;
    const char *title;
    fputs("|", stream);
    while ((field = next_field(&rest, &title)) != NULL) {
        fputs(" ", stream);
        if (line == NULL) crd_lab_print_markdown(stream, title);
        else print_value(stream, crd_lab_json_at(line, field), r->digits);
        fputs(" |", stream);
    }
    fputs("\n", stream);
    free(list);
}

static char *print_table(const lines *all, const request *r)
{
    crd_lab_text text;
    crd_lab_text_begin(&text);
    print_row(text.stream, NULL, r);
    for (const char *at = r->fields; at != NULL; at = strchr(at + 1, ',')) fputs("|---", text.stream);
    fputs("|\n", text.stream);
    for (int64_t i = 0; i < all->count && i != r->limit; i++) print_row(text.stream, all->line[i], r);
    return crd_lab_text_end(&text);
}

char *crd_lab_page_jsonl(crd_lab_page *page, const crd_lab_directive *directive, char **problem)
{
    request r = {.fields = crd_lab_directive_value(directive, "fields"),
                 .sort = crd_lab_directive_value(directive, "sort"),
                 .limit = -1};
    int64_t digits = -1;
    lines all = {0};
    char *text = NULL;
    if (r.fields == NULL || r.fields[0] == '\0') {
        *problem = crd_cli_text("expected fields=LIST");
        return NULL;
    }
    if (!read_number(directive, "limit", INT64_MAX, &r.limit, problem)
        || !read_number(directive, "digits", 12, &digits, problem))
        return NULL;
    r.digits = (int)digits;
    for (int i = 0; i < directive->words && *problem == NULL; i++) {
        char *path = crd_lab_page_path(page, directive->word[i]);
        read_lines(path, directive, &all, problem);
        free(path);
    }
    if (*problem == NULL && all.count == 0) *problem = crd_cli_text("%s: no line fits", directive->word[0]);
    if (*problem == NULL) *problem = missing_field(&all, r.fields);
    if (*problem == NULL && r.sort != NULL) {
        json_t **room = crd_cli_allocate(NULL, (size_t)all.count * sizeof *room);
        *problem = missing_field(&all, r.sort + (r.sort[0] == '-'));
        if (*problem == NULL) sort_lines(all.line, room, all.count, r.sort);
        free(room);
    }
    if (*problem == NULL) text = print_table(&all, &r);
    free_lines(&all);
    return text;
}

char *crd_lab_page_field(crd_lab_page *page, const crd_lab_directive *directive, char **problem)
{
    const char *field = directive->word[1];
    int64_t digits = -1;
    lines all = {0};
    char *text = NULL;
    if (!read_number(directive, "digits", 12, &digits, problem)) return NULL;
    char *path = crd_lab_page_path(page, directive->word[0]);
    read_lines(path, directive, &all, problem);
    if (*problem == NULL && all.count != 1)
        *problem = crd_cli_text("%s: expected one line that fits, found %lld", directive->word[0],
                                (long long)all.count);
    if (*problem == NULL) *problem = missing_field(&all, field);
    if (*problem == NULL) {
        crd_lab_text value;
        crd_lab_text_begin(&value);
        print_value(value.stream, crd_lab_json_at(all.line[0], field), (int)digits);
        text = crd_lab_text_end(&value);
    }
    free(path);
    free_lines(&all);
    return text;
}
