#include "lab/lists.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEEDS = 100000 };

int crd_lab_list_read(const crd_cli_options *options, const char *name, const char *text, crd_lab_list *list)
{
    *list = (crd_lab_list){0};
    for (const char *at = text; at != NULL;) {
        size_t length = strcspn(at, ",");
        char *item = crd_cli_text("%.*s", (int)length, at);
        list->item = crd_cli_allocate(list->item, (size_t)(list->count + 1) * sizeof *list->item);
        list->item[list->count++] = item;
        int code = CRD_CLI_DONE;
        if (length == 0) code = crd_cli_misused(options, "--%s '%s': a name is empty", name, text);
        for (int i = 0; i < list->count - 1 && code == CRD_CLI_DONE; i++)
            if (strcmp(list->item[i], item) == 0)
                code = crd_cli_misused(options, "--%s: '%s' is given twice", name, item);
        if (code != CRD_CLI_DONE) {
            crd_lab_list_free(list);
            return code;
        }
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return CRD_CLI_DONE;
}

void crd_lab_list_free(crd_lab_list *list)
{
    for (int i = 0; i < list->count; i++) free(list->item[i]);
    free(list->item);
    *list = (crd_lab_list){0};
}

/* Digits at *at, which is moved behind them. */
static bool read_number(const char **at, int64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)**at)) return false;
    errno = 0;
    *number = strtoll(*at, &end, 10);
    *at = end;
    return errno == 0;
}

static int order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool has_twice(const uint64_t *seeds, int64_t count, uint64_t *which)
{
    uint64_t *sorted = crd_cli_allocate(NULL, (size_t)count * sizeof *sorted);
    bool twice = false;
    memcpy(sorted, seeds, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, order);
    for (int64_t i = 1; i < count && !twice; i++) {
        twice = sorted[i] == sorted[i - 1];
        *which = sorted[i];
    }
    free(sorted);
    return twice;
}

static int parse(const char *text, uint64_t **seeds, int64_t *count)
{
    for (const char *at = text;; at++) {
        int64_t first, last;
        if (!read_number(&at, &first)) return CRD_CLI_MISUSED;
        last = first;
        if (*at == '-') {
            at++;
            if (!read_number(&at, &last)) return CRD_CLI_MISUSED;
        } else if (*count == 0 && *at == '\0') {
            first = 1; /* a number alone is how many */
        }
        if (last < first || last - first >= MOST_SEEDS - *count) return CRD_CLI_MISUSED;
        *seeds = crd_cli_allocate(*seeds, (size_t)(*count + last - first + 1) * sizeof **seeds);
        for (int64_t offset = 0; offset <= last - first; offset++)
            (*seeds)[(*count)++] = (uint64_t)(first + offset);
        if (*at == '\0') return CRD_CLI_DONE;
        if (*at != ',') return CRD_CLI_MISUSED;
    }
}

int crd_lab_seeds_read(const crd_cli_options *options, const char *name, const char *text, uint64_t **seeds,
                       int64_t *count)
{
    uint64_t which;
    *seeds = NULL;
    *count = 0;
    int code = parse(text, seeds, count);
    if (code != CRD_CLI_DONE)
        code = crd_cli_misused(options,
                               "--%s: expected how many (10), a range (11-15) or a list (1,4,7) of at most "
                               "%d seeds, found '%s'",
                               name, MOST_SEEDS, text);
    else if (has_twice(*seeds, *count, &which))
        code = crd_cli_misused(options, "--%s: %llu is given twice", name, (unsigned long long)which);
    if (code != CRD_CLI_DONE) {
        free(*seeds);
        *seeds = NULL;
    }
    return code;
}

bool crd_lab_listed(const char *list, const char *name, const char *title)
{
    if (list == NULL) return true;
    for (const char *item = list;; item++) {
        size_t length = strcspn(item, ",");
        if ((strlen(name) == length && strncmp(item, name, length) == 0)
            || (strlen(title) == length && strncmp(item, title, length) == 0))
            return true;
        item += length;
        if (*item == '\0') return false;
    }
}
