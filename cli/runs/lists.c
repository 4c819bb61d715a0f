/* SPDX-License-Identifier: MIT */
/* Lists that options give: names, seeds, shifts. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "runs/runs.h"

enum { MOST_SEEDS = 100000 };
static const char all_shifts[] =
    "bernoulli:0.1,normal:0.1,bernoulli:0.1:isolated,normal:0.1:isolated,rewire:0.1,dice:0.1";

/* Takes the item. */
static int add_once(const crd_cli_options *options, const char *name, char *item, json_t *list)
{
    json_t *string = crd_cli_json_string(item);
    int code = CRD_CLI_DONE;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), string))
            code = crd_cli_misused(options, "--%s: '%s' is given twice", name, item);
    crd_cli_json_append(list, string);
    free(item);
    return code;
}

int crd_cli_list_read(const crd_cli_options *options, const char *name, const char *usual, json_t **list)
{
    const char *text = crd_cli_given(options, name) ? crd_cli_value(options, name) : usual;
    int code = CRD_CLI_DONE;
    *list = json_array();
    for (const char *at = text; at != NULL && code == CRD_CLI_DONE;) {
        size_t length = strcspn(at, ",");
        if (length == 0) return crd_cli_misused(options, "--%s '%s': a name is empty", name, text);
        code = add_once(options, name, crd_cli_text("%.*s", (int)length, at), *list);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return code;
}

static bool read_seeds(const char *text, uint64_t **seeds, int64_t *count)
{
    for (const char *at = text;; at++) {
        int64_t first, last;
        if (!isdigit((unsigned char)*at) || !crd_scan_int64(&at, &first)) return false;
        last = first;
        if (*at == '-') {
            at++;
            if (!isdigit((unsigned char)*at) || !crd_scan_int64(&at, &last)) return false;
        } else if (*count == 0 && *at == '\0') {
            first = 1; /* a single number means how many */
        }
        if (last < first || last - first >= MOST_SEEDS - *count) return false;
        *seeds = crd_cli_allocate(*seeds, (size_t)(*count + last - first + 1) * sizeof **seeds);
        while (first <= last) (*seeds)[(*count)++] = (uint64_t)first++;
        if (*at != ',') return *at == '\0';
    }
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int crd_cli_seeds_read(const crd_cli_options *options, const char *usual, uint64_t **seeds, int64_t *count)
{
    const char *text = crd_cli_given(options, "seeds") ? crd_cli_value(options, "seeds") : usual;
    *seeds = NULL;
    *count = 0;
    if (!read_seeds(text, seeds, count))
        return crd_cli_misused(options,
                               "--seeds: expected how many (10), a range (11-15) or a list (1,4,7) of at most "
                               "%d seeds, found '%s'",
                               MOST_SEEDS, text);
    qsort(*seeds, (size_t)*count, sizeof **seeds, by_size);
    for (int64_t i = 1; i < *count; i++)
        if ((*seeds)[i] == (*seeds)[i - 1])
            return crd_cli_misused(options, "--seeds: %llu is given twice", (unsigned long long)(*seeds)[i]);
    return CRD_CLI_DONE;
}

int crd_cli_shifts_read(const crd_cli_options *options, json_t **shifts)
{
    json_t *typed;
    int code = crd_cli_list_read(options, "shifts", all_shifts, &typed);
    *shifts = json_array();
    for (size_t i = 0; i < json_array_size(typed) && code == CRD_CLI_DONE; i++) {
        crd_shift shift;
        crd_error error;
        char amount[CRD_NUMBER_SIZE];
        crd_shift_defaults(&shift);
        if (crd_shift_parse(json_string_value(json_array_get(typed, i)), &shift, &error) != CRD_OK) {
            code = crd_cli_misused(options, "--shifts: %s", error.message);
            continue;
        }
        crd_number_text(shift.amount, amount);
        code = add_once(
            options, "shifts",
            crd_cli_text("%s:%s:%s", crd_shift_kind_name(shift.kind), amount, shift.isolated ? "isolated" : "all"),
            *shifts);
    }
    json_decref(typed);
    return code;
}
