#include "runs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"

enum { MOST_SETTINGS = 100000, MOST_VALUES = 10000, DRAWS_EACH = 50 };

const crd_cli_grid crd_cli_grids[] = {
    {"quick", "reg=evidence;reg-strength=0,3e-4,1e-3,3e-3,1e-2;entropy-weight=0,1e-4;"
              "activation=relu,gelu,logsigmoid"},
    {"coarse", "reg=distance,evidence;reg-weight=0,decades:-10..-1/1;entropy-weight=0,1e-5,1e-4,1e-3;"
               "activation=relu,gelu,logsigmoid,hardtanh,sigmoid"},
    {"paper", "reg=distance,evidence;reg-weight=0,decades:-10..-0.5/0.5;entropy-weight=0,1e-5,1e-4,1e-3;"
              "activation=relu,gelu,logsigmoid,hardtanh,sigmoid"},
    {NULL, NULL},
};

/* ---- reading ---- */

static void free_items(crd_cli_axis *axis)
{
    for (int i = 0; i < axis->items; i++) free(axis->item[i].text);
    free(axis->item);
    *axis = (crd_cli_axis){.option = axis->option};
}

void crd_cli_space_free(crd_cli_space *space)
{
    for (int a = 0; a < space->axes; a++) free_items(&space->axis[a]);
    free(space->axis);
    *space = (crd_cli_space){0};
}

static void add_item(crd_cli_axis *axis, crd_cli_item item)
{
    axis->item = crd_cli_allocate(axis->item, ((size_t)axis->items + 1) * sizeof *axis->item);
    axis->item[axis->items++] = item;
}

static bool is_whole(const crd_option *option)
{
    return option->argument != NULL && strcmp(option->argument, "N") == 0;
}

/* The number at a place of a range. Powers of ten with a whole exponent are exact, as "1e-5" is. */
static double number_at(bool decades, double x)
{
    char text[32];
    if (!decades) return x;
    if (x != floor(x)) return pow(10.0, x);
    snprintf(text, sizeof text, "1e%d", (int)x);
    return strtod(text, NULL);
}

/* A number as a user would type it, in the shortest form that reads back the same; the caller frees it. */
static char *number_text(const crd_option *option, double number)
{
    char text[CRD_NUMBER_SIZE];
    if (is_whole(option)) return crd_cli_text("%.0f", number);
    crd_number_text(number, text);
    return crd_cli_text("%s", text);
}

static bool parse_number(const char *text, double *number)
{
    return text[0] != '\0' && crd_parse_double(text, number) && isfinite(*number);
}

/* A..B or A..B/STEP. */
static bool parse_range(const char *text, double *low, double *high, double *step)
{
    char *first = crd_cli_text("%s", text), *second = strstr(first, "..");
    char *third = second != NULL ? strchr(second, '/') : NULL;
    bool good = second != NULL;
    *step = 0.0;
    if (second != NULL) *second = '\0';
    if (third != NULL) *third = '\0';
    if (third != NULL) good = parse_number(third + 1, step) && *step > 0.0;
    good = good && parse_number(first, low) && parse_number(second + 2, high) && *low <= *high;
    free(first);
    return good;
}

/* The numbers at the ends of a continuous range. For options with whole numbers only, these are the outermost whole
 * numbers in it; if the first is above the second, the range holds none. */
static void range_ends(const crd_option *option, const crd_cli_item *range, double *least, double *largest)
{
    *least = number_at(range->decades, range->low);
    *largest = number_at(range->decades, range->high);
    if (!is_whole(option)) return;
    *least = ceil(*least);
    *largest = floor(*largest);
}

static int add_range(crd_cli_axis *axis, const char *text, bool decades)
{
    double low, high, step, least, largest;
    const char *name = axis->option->name, *kind = decades ? "decades" : "range";
    if (!parse_range(strchr(text, ':') + 1, &low, &high, &step))
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: expected %s:A..B or %s:A..B/STEP, with A at most B",
                             axis->given_as, name, text, kind, kind);
    double most = step > 0.0 ? floor((high - low) / step + 1e-9) : 0.0;
    if (most >= MOST_VALUES)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: has %.0f values, expected %d at most", axis->given_as, name,
                             text, most + 1.0, MOST_VALUES);
    for (int i = 0; i <= (int)most && step > 0.0; i++) {
        double number = number_at(decades, low + (double)i * step);
        add_item(axis, (crd_cli_item){.text = number_text(axis->option, number)});
    }
    if (step > 0.0) return CRD_CLI_DONE;
    crd_cli_item range = {.low = low, .high = high, .decades = decades};
    range_ends(axis->option, &range, &least, &largest);
    if (least > largest)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: has no whole number in it, which %s needs", axis->given_as,
                             name, text, name);
    add_item(axis, range);
    return CRD_CLI_DONE;
}

static int add_values(crd_cli_axis *axis, const char *values)
{
    const char *separators = strchr(values, '|') != NULL ? "|" : ",";
    int code = CRD_CLI_DONE;
    for (const char *at = values; code == CRD_CLI_DONE; at++) {
        size_t length = strcspn(at, separators);
        if (length == 0)
            return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: a value is missing", axis->given_as, axis->option->name,
                                 values);
        char *value = crd_cli_text("%.*s", (int)length, at);
        bool decades = strncmp(value, "decades:", 8) == 0, range = strncmp(value, "range:", 6) == 0;
        if (decades || range) {
            code = add_range(axis, value, decades);
            free(value);
        } else {
            add_item(axis, (crd_cli_item){.text = value});
        }
        at += length;
        if (*at == '\0') break;
    }
    return code;
}

static crd_cli_axis *take_axis(crd_cli_space *space, const char *given_as, const crd_option *option)
{
    for (int a = 0; a < space->axes; a++)
        if (space->axis[a].option == option) {
            free_items(&space->axis[a]);
            space->axis[a].given_as = given_as;
            return &space->axis[a];
        }
    space->axis = crd_cli_allocate(space->axis, ((size_t)space->axes + 1) * sizeof *space->axis);
    space->axis[space->axes] = (crd_cli_axis){.option = option, .given_as = given_as};
    return &space->axis[space->axes++];
}

/* Tuning knows nothing about nodes of classes that are left out for good, except that they are in the graph. */
static int refuse_inductive(void)
{
    return crd_cli_failf(CRD_CLI_MISUSED, "inductive cannot be on while options are tuned: to remove the nodes of "
                                          "left-out classes is to look at labels that tuning must not see");
}

int crd_cli_space_add(crd_cli_space *space, const char *given_as, const char *text)
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
        char *values = crd_cli_text("%.*s", (int)(length - name - 1), part + name + 1);
        int code = add_values(take_axis(space, given_as, option), values);
        free(values);
        if (code != CRD_CLI_DONE) return code;
        part += strcspn(part, ";");
        any = true;
    }
    if (any) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_MISUSED, "%s: the space is empty, expected NAME=VALUE,VALUE;NAME=...", given_as);
}

/* ---- settings ---- */

char *crd_cli_candidate_text(const crd_cli_space *space, const crd_cli_candidate *candidate)
{
    char *text = NULL;
    for (int a = 0; a < space->axes; a++) {
        const char *name = space->axis[a].option->name;
        char *value = crd_cli_config_value(&candidate->config, name);
        crd_cli_append(&text, "%s%s=%s", a > 0 ? " " : "", name, value);
        free(value);
    }
    return text;
}

static bool has_axis(const crd_cli_space *space, const char *option)
{
    for (int a = 0; a < space->axes; a++)
        if (strcmp(space->axis[a].option->name, option) == 0) return true;
    return false;
}

/* A weight of 0 and no regulariser are the same setting. */
static void drop_weightless(crd_config *config)
{
    if (config->reg == CRD_REG_NONE || (config->reg_weight == 0.0 && config->reg_strength == 0.0)) {
        config->reg = CRD_REG_NONE;
        config->reg_weight = config->reg_strength = 0.0;
    }
}

/* Setting one of a regulariser's two weights replaces the other. If the space has both, a 0 for the second must not
 * undo the first. */
static bool gives_way(const crd_option *option, const char *value, const crd_config *config, const crd_cli_space *space)
{
    return strcmp(option->name, "reg-weight") == 0 && has_axis(space, "reg-strength") && config->reg_strength != 0.0 &&
           strtod(value, NULL) == 0.0;
}

/* Sets the values in the order of the library's table of options: choosing a model sets some of its other options,
 * and choosing a regulariser may set its weight. */
static int make_config(const crd_cli_space *space, const crd_config *base, char *const *value, crd_config *config)
{
    crd_error error;
    *config = *base;
    for (int i = 0; i < crd_option_count(); i++)
        for (int a = 0; a < space->axes; a++)
            if (space->axis[a].option == crd_option_at(i) && !gives_way(crd_option_at(i), value[a], config, space) &&
                crd_config_set(config, crd_option_at(i)->name, value[a], &error) != CRD_OK)
                return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s", space->axis[a].given_as, error.message);
    drop_weightless(config);
    if (crd_config_check(config, &error) != CRD_OK) return crd_cli_fail(&error);
    return CRD_CLI_DONE;
}

/* With the regulariser switched off, all its weights would be the same setting. */
static int check_space(const crd_cli_space *space, const crd_config *base)
{
    if (base->inductive) return refuse_inductive();
    bool weight = has_axis(space, "reg-weight") || has_axis(space, "reg-strength");
    if (!weight || has_axis(space, "reg") || base->reg != CRD_REG_NONE) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_MISUSED, "the space has weights of a regulariser, but the configuration has "
                                          "none: add reg=distance or reg=evidence to the space");
}

/* How many combinations of values a grid has. */
static int count_grid(const crd_cli_space *space, int64_t *count)
{
    *count = 1;
    for (int a = 0; a < space->axes; a++) {
        const crd_cli_axis *axis = &space->axis[a];
        for (int i = 0; i < axis->items; i++)
            if (axis->item[i].text == NULL)
                return crd_cli_failf(CRD_CLI_MISUSED,
                                     "a grid needs a step (A..B/STEP) in the range of %s; "
                                     "ranges without one are for tune --search random",
                                     axis->option->name);
        *count *= axis->items;
        if (*count > MOST_SETTINGS)
            return crd_cli_failf(CRD_CLI_MISUSED,
                                 "the grid has more than %d settings: leave some values "
                                 "out, or draw some with --search random",
                                 MOST_SETTINGS);
    }
    return CRD_CLI_DONE;
}

/* Uniform in [0, 1). */
static double uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* All values of the list are equally likely; a range counts as one of them. A number drawn from a range is rounded
 * to four digits: more would say nothing and be hard to read. The caller frees it. */
static char *draw_value(const crd_cli_axis *axis, uint64_t hash)
{
    const crd_cli_item *item = &axis->item[(int)(uniform(crd_hash(hash, 0)) * (double)axis->items)];
    double least, largest;
    char rounded[32];
    if (item->text != NULL) return crd_cli_text("%s", item->text);
    double number = number_at(item->decades, item->low + uniform(crd_hash(hash, 1)) * (item->high - item->low));
    range_ends(axis->option, item, &least, &largest);
    if (is_whole(axis->option)) number = nearbyint(number);
    else {
        crd_format_number(rounded, sizeof rounded, 4, number);
        number = strtod(rounded, NULL);
    }
    return number_text(axis->option, fmin(fmax(number, least), largest));
}

/* The value of the grid's combination with this number; the first option changes slowest. The caller frees it. */
static char *grid_value(const crd_cli_space *space, int axis, int64_t combination)
{
    for (int a = space->axes - 1; a > axis; a--) combination /= space->axis[a].items;
    return crd_cli_text("%s", space->axis[axis].item[combination % space->axis[axis].items].text);
}

int crd_cli_space_candidates(const crd_cli_space *space, const crd_config *base, int64_t draws, uint64_t seed,
                             crd_cli_candidate **candidate, int64_t *count)
{
    int64_t most = draws;
    int code = check_space(space, base);
    if (code == CRD_CLI_DONE && draws == 0) code = count_grid(space, &most);
    if (code != CRD_CLI_DONE) return code;
    /* A small space may hold fewer settings than requested: give up after many draws of known ones. */
    const int64_t attempts = draws == 0 ? most : draws * DRAWS_EACH;
    char **value = crd_cli_allocate(NULL, (size_t)space->axes * sizeof *value);
    json_t *known = json_object(); /* the texts of the settings so far */
    *candidate = crd_cli_allocate(NULL, (size_t)most * sizeof **candidate);
    for (int64_t i = 0; i < attempts && *count < most && code == CRD_CLI_DONE; i++) {
        crd_cli_candidate *next = &(*candidate)[*count];
        for (int a = 0; a < space->axes; a++)
            value[a] = draws == 0 ? grid_value(space, a, i)
                                  : draw_value(&space->axis[a], crd_hash(crd_hash(seed, (uint64_t)i), (uint64_t)a));
        code = make_config(space, base, value, &next->config);
        for (int a = 0; a < space->axes; a++) free(value[a]);
        char *text = crd_cli_config_text(&next->config, CRD_CLI_OF_CHOICE, false);
        if (code == CRD_CLI_DONE && json_object_get(known, text) == NULL) {
            next->json = crd_cli_json_config(&next->config, CRD_CLI_OF_CHOICE);
            crd_cli_json_set(known, text, json_true());
            ++*count;
        }
        free(text);
    }
    json_decref(known);
    free(value);
    return code;
}
