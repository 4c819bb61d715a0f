/* SPDX-License-Identifier: MIT */
#include "runs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"

enum { MOST_SETTINGS = 100000, MOST_VALUES = 10000, DRAWS_EACH = 50 };

/* ---- ranges ---- */

/* Numbers from A to B, or powers of ten with such exponents. */
typedef struct {
    bool decades;
    double low, high;
    double step; /* 0: any number between */
} range;

static bool is_range(const char *text)
{
    return strncmp(text, "decades:", 8) == 0 || strncmp(text, "range:", 6) == 0;
}

static bool parse_number(const char *text, double *number)
{
    return text[0] != '\0' && crd_parse_double(text, number) && isfinite(*number);
}

/* decades:A..B, decades:A..B/STEP, or the same with "range". */
static bool parse_range(const char *text, range *r)
{
    *r = (range){.decades = text[0] == 'd'};
    char *first = crd_cli_text("%s", strchr(text, ':') + 1), *second = strstr(first, "..");
    char *third = second != NULL ? strchr(second, '/') : NULL;
    bool good = second != NULL;
    if (second != NULL) *second = '\0';
    if (third != NULL) *third = '\0';
    if (third != NULL) good = parse_number(third + 1, &r->step) && r->step > 0.0;
    good = good && parse_number(first, &r->low) && parse_number(second + 2, &r->high) && r->low <= r->high;
    free(first);
    return good;
}

static bool is_whole(const crd_option *option)
{
    return option->argument != NULL && strcmp(option->argument, "N") == 0;
}

/* The number at a place of a range. Powers of ten with a whole exponent are exact, as "1e-5" is. */
static double number_at(const range *r, double x)
{
    char text[32];
    if (!r->decades) return x;
    if (x != floor(x)) return pow(10.0, x);
    snprintf(text, sizeof text, "1e%d", (int)x);
    return strtod(text, NULL);
}

/* The numbers at its ends. For options with whole numbers only, these are the outermost whole numbers in it; if the
 * first is above the second, the range holds none. */
static void range_ends(const crd_option *option, const range *r, double *least, double *largest)
{
    *least = number_at(r, r->low);
    *largest = number_at(r, r->high);
    if (!is_whole(option)) return;
    *least = ceil(*least);
    *largest = floor(*largest);
}

/* A number as a user would type it, in the shortest form that reads back the same. */
static json_t *number_json(const crd_option *option, double number)
{
    char text[CRD_NUMBER_SIZE];
    if (is_whole(option)) snprintf(text, sizeof text, "%.0f", number);
    else crd_number_text(number, text);
    return json_string(text);
}

/* ---- reading ---- */

/* A range with steps becomes its values; one without stays as it is. */
static int add_value(json_t *values, const char *given_as, const crd_option *option, const char *text)
{
    const char *name = option->name;
    const int kind = (int)strcspn(text, ":");
    range r = {0};
    double least, largest;
    if (is_range(text) && !parse_range(text, &r))
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: expected %.*s:A..B or %.*s:A..B/STEP, with A at most B",
                             given_as, name, text, kind, text, kind, text);
    const double steps = r.step > 0.0 ? floor((r.high - r.low) / r.step + 1e-9) : 0.0;
    if (steps >= MOST_VALUES)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: has %.0f values, expected %d at most", given_as, name, text,
                             steps + 1.0, MOST_VALUES);
    range_ends(option, &r, &least, &largest);
    if (least > largest)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: has no whole number in it, which %s needs", given_as, name,
                             text, name);
    if (r.step == 0.0) crd_cli_json_append(values, crd_cli_json_string(text));
    for (int i = 0; i <= (int)steps && r.step > 0.0; i++)
        crd_cli_json_append(values, number_json(option, number_at(&r, r.low + (double)i * r.step)));
    return CRD_CLI_DONE;
}

static int add_values(json_t *values, const char *given_as, const crd_option *option, const char *list)
{
    const char *separators = strchr(list, '|') != NULL ? "|" : ",";
    int code = CRD_CLI_DONE;
    for (const char *at = list; at != NULL && code == CRD_CLI_DONE;) {
        size_t length = strcspn(at, separators);
        if (length == 0)
            return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: a value is missing", given_as, option->name, list);
        char *value = crd_cli_text("%.*s", (int)length, at);
        code = add_value(values, given_as, option, value);
        free(value);
        at = at[length] == '\0' ? NULL : at + length + 1;
    }
    return code;
}

/* Tuning knows nothing about nodes of classes that are left out for good, except that they are in the graph. */
static int refuse_inductive(void)
{
    return crd_cli_failf(CRD_CLI_MISUSED, "inductive cannot be on while options are tuned: to remove the nodes of "
                                          "left-out classes is to look at labels that tuning must not see");
}

int crd_cli_space_add(json_t *space, const char *given_as, const char *text)
{
    bool any = false;
    for (const char *part = text; *part != '\0';) {
        part += strspn(part, " ;");
        size_t length = strcspn(part, ";"), name = strcspn(part, "=;");
        if (length == 0) break;
        while (length > 0 && part[length - 1] == ' ') length--;
        if (name >= length)
            return crd_cli_failf(CRD_CLI_MISUSED, "%s: '%.*s': expected NAME=VALUE,VALUE,...", given_as, (int)length,
                                 part);
        const crd_option *option = crd_cli_find_option(part, name);
        if (option == NULL) return crd_cli_unknown_option(given_as, part, name);
        if (crd_cli_option_of_run(option->name))
            return crd_cli_failf(CRD_CLI_MISUSED,
                                 "%s: %s cannot be searched over: it is not part of what is "
                                 "chosen",
                                 given_as, option->name);
        if (strcmp(option->name, "inductive") == 0) return refuse_inductive();
        char *list = crd_cli_text("%.*s", (int)(length - name - 1), part + name + 1);
        json_t *values = json_array();
        int code = add_values(values, given_as, option, list);
        crd_cli_json_set(space, option->name, values);
        free(list);
        if (code != CRD_CLI_DONE) return code;
        part += strcspn(part, ";");
        any = true;
    }
    if (any) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_MISUSED, "%s: the space is empty, expected NAME=VALUE,VALUE;NAME=...", given_as);
}

/* ---- settings ---- */

char *crd_cli_candidate_text(const json_t *space, const crd_cli_candidate *candidate)
{
    char *text = NULL;
    const char *name;
    json_t *values;
    json_object_foreach((json_t *)space, name, values)
    {
        char *value = crd_cli_config_value(&candidate->config, name);
        crd_cli_append(&text, "%s%s=%s", text != NULL ? " " : "", name, value);
        free(value);
    }
    return text;
}

/* With the regulariser switched off, all its weights would be the same setting. */
static int check_space(const json_t *space, const crd_config *base)
{
    if (base->inductive) return refuse_inductive();
    bool weight = json_object_get(space, "reg-weight") != NULL || json_object_get(space, "reg-strength") != NULL;
    if (!weight || json_object_get(space, "reg") != NULL || base->reg != CRD_REG_NONE) return CRD_CLI_DONE;
    if (json_object_get(space, "model") != NULL || !crd_config_has(base, "reg")) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_MISUSED, "the space has weights of a regulariser, but the configuration has "
                                          "none: add reg=distance or reg=evidence to the space");
}

/* How many combinations of values a grid has. */
static int count_grid(const json_t *space, int64_t *count)
{
    const char *name;
    json_t *values;
    *count = 1;
    json_object_foreach((json_t *)space, name, values)
    {
        for (size_t i = 0; i < json_array_size(values); i++)
            if (is_range(json_string_value(json_array_get(values, i))))
                return crd_cli_failf(CRD_CLI_MISUSED,
                                     "a grid needs a step (A..B/STEP) in the range of %s; "
                                     "ranges without one are for tune --search random",
                                     name);
        *count *= (int64_t)json_array_size(values);
        if (*count > MOST_SETTINGS)
            return crd_cli_failf(CRD_CLI_MISUSED,
                                 "the grid has more than %d settings: leave some values "
                                 "out, or draw some with --search random",
                                 MOST_SETTINGS);
    }
    return CRD_CLI_DONE;
}

/* The values of the grid's combination with this number, of so many; the first option changes slowest. */
static json_t *grid_point(const json_t *space, int64_t combinations, int64_t number)
{
    json_t *point = json_object(), *values;
    const char *name;
    json_object_foreach((json_t *)space, name, values)
    {
        const int64_t size = (int64_t)json_array_size(values);
        combinations /= size;
        crd_cli_json_set(point, name, json_incref(json_array_get(values, (size_t)(number / combinations % size))));
    }
    return point;
}

/* Uniform in [0, 1). */
static double uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* All values of the list are equally likely; a range counts as one of them. A number drawn from a range is rounded
 * to four digits: more would say nothing and be hard to read. */
static json_t *draw_value(const char *name, const json_t *values, uint64_t hash)
{
    json_t *value = json_array_get(values, (size_t)(uniform(crd_hash(hash, 0)) * (double)json_array_size(values)));
    const crd_option *option = crd_cli_find_option(name, strlen(name));
    range r;
    double least, largest;
    char rounded[32];
    if (!is_range(json_string_value(value)) || !parse_range(json_string_value(value), &r)) return json_incref(value);
    double number = number_at(&r, r.low + uniform(crd_hash(hash, 1)) * (r.high - r.low));
    range_ends(option, &r, &least, &largest);
    if (is_whole(option)) number = nearbyint(number);
    else {
        crd_format_number(rounded, sizeof rounded, 4, number);
        number = strtod(rounded, NULL);
    }
    return number_json(option, fmin(fmax(number, least), largest));
}

static json_t *draw_point(const json_t *space, uint64_t hash)
{
    json_t *point = json_object(), *values;
    const char *name;
    uint64_t axis = 0;
    json_object_foreach((json_t *)space, name, values)
        crd_cli_json_set(point, name, draw_value(name, values, crd_hash(hash, axis++)));
    return point;
}

static double number_of(const json_t *point, const char *name)
{
    const char *text = crd_cli_json_string_at(point, name);
    return text == NULL ? NAN : strtod(text, NULL);
}

/* Another model sets its own hyper-parameters; what --set says stays. */
static int choose_model(const crd_cli_options *options, const char *given_as, const json_t *model, crd_config *config)
{
    crd_error error;
    json_t *changes;
    if (model == NULL) return CRD_CLI_DONE;
    if (crd_config_set(config, "model", json_string_value(model), &error) != CRD_OK)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s", given_as, error.message);
    int code = crd_cli_changes_read(options, &changes);
    json_t *unused = json_deep_copy(changes);
    if (code == CRD_CLI_DONE) code = crd_cli_changes_apply("--set", changes, unused, config);
    json_decref(unused);
    json_decref(changes);
    return code;
}

/* Setting one of a regulariser's two weights replaces the other: if the space has both, a 0 for one must not undo the
 * other. A weight of 0 and no regulariser are the same setting. */
static int make_config(const crd_cli_options *options, json_t *point, crd_config *config)
{
    crd_error error;
    if (number_of(point, "reg-weight") == 0.0 && fabs(number_of(point, "reg-strength")) > 0.0)
        json_object_del(point, "reg-weight");
    const char *given_as = crd_cli_given(options, "space") ? "--space" : "--grid";
    int code = choose_model(options, given_as, json_object_get(point, "model"), config);
    if (code == CRD_CLI_DONE) code = crd_cli_changes_apply(given_as, point, NULL, config);
    if (code != CRD_CLI_DONE) return code;
    if (config->reg == CRD_REG_NONE || (config->reg_weight == 0.0 && config->reg_strength == 0.0)) {
        config->reg = CRD_REG_NONE;
        config->reg_weight = config->reg_strength = 0.0;
    }
    return crd_config_check(config, &error) == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

int crd_cli_space_candidates(const crd_cli_options *options, const json_t *space, const crd_config *base, int64_t draws,
                             uint64_t seed, crd_cli_candidate **candidate, int64_t *count)
{
    int64_t most = draws;
    int code = check_space(space, base);
    if (code == CRD_CLI_DONE && draws == 0) code = count_grid(space, &most);
    if (code != CRD_CLI_DONE) return code;
    /* A small space may hold fewer settings than requested: give up after many draws of known ones. */
    const int64_t attempts = draws == 0 ? most : draws * DRAWS_EACH;
    json_t *known = json_object(); /* the texts of the settings so far */
    *candidate = crd_cli_allocate(NULL, (size_t)most * sizeof **candidate);
    for (int64_t i = 0; i < attempts && *count < most && code == CRD_CLI_DONE; i++) {
        crd_cli_candidate *next = &(*candidate)[*count];
        json_t *point = draws == 0 ? grid_point(space, most, i) : draw_point(space, crd_hash(seed, (uint64_t)i));
        next->config = *base;
        code = make_config(options, point, &next->config);
        char *text = crd_cli_config_text(&next->config, CRD_CLI_OF_CHOICE, false);
        if (code == CRD_CLI_DONE && json_object_get(known, text) == NULL) {
            next->json = crd_cli_json_config(&next->config, CRD_CLI_OF_CHOICE);
            crd_cli_json_set(known, text, json_true());
            ++*count;
        }
        free(text);
        json_decref(point);
    }
    json_decref(known);
    return code;
}
