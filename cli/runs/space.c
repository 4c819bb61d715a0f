#include "runs/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "config_text.h"
#include "runs/json.h"

enum { MOST_SETTINGS = 100000, MOST_VALUES = 10000, DRAWS_EACH = 50 };

static const struct {
    const char *name, *text;
} GRIDS[] = {
    {"quick", "reg=evidence;reg-strength=0,3e-4,1e-3,3e-3,1e-2;entropy-weight=0,1e-4;"
              "activation=relu,gelu,logsigmoid"},
    {"coarse", "reg=distance,evidence;reg-weight=0,decades:-10..-1/1;entropy-weight=0,1e-5,1e-4,1e-3;"
               "activation=relu,gelu,logsigmoid,hardtanh,sigmoid"},
    {"paper", "reg=distance,evidence;reg-weight=0,decades:-10..-0.5/0.5;entropy-weight=0,1e-5,1e-4,1e-3;"
              "activation=relu,gelu,logsigmoid,hardtanh,sigmoid"},
};
enum { GRID_COUNT = sizeof GRIDS / sizeof GRIDS[0] };

const char *crd_cli_space_name(int index)
{
    return index < 0 || index >= GRID_COUNT ? NULL : GRIDS[index].name;
}

const char *crd_cli_space_text(const char *name)
{
    for (int i = 0; i < GRID_COUNT; i++)
        if (strcmp(GRIDS[i].name, name) == 0) return GRIDS[i].text;
    return NULL;
}

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

/* The shortest text that reads back as the same number; the caller frees it. */
static char *shortest(double number)
{
    crd_text text = {0};
    crd_text_add_json_number(&text, number);
    return crd_cli_take_text(&text);
}

/* A number of a range as a user would type it; powers of ten with a whole exponent are exact. */
static char *range_value(const crd_option *option, bool decades, double x)
{
    const double number = decades ? pow(10.0, x) : x;
    if (is_whole(option)) return crd_cli_text("%.0f", number);
    return decades && x == floor(x) ? crd_cli_text("1e%d", (int)x) : shortest(number);
}

/* Whether the library accepts the value; tries it on a spare configuration. */
static int check_value(const char *given_as, const crd_option *option, const char *value)
{
    crd_config spare;
    crd_error error;
    crd_config_defaults(&spare);
    if (crd_config_set(&spare, option->name, value, &error) == CRD_OK) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s", given_as, error.message);
}

static int add_value(const char *given_as, crd_cli_axis *axis, char *value)
{
    int code = check_value(given_as, axis->option, value);
    if (code == CRD_CLI_DONE) add_item(axis, (crd_cli_item){.text = value});
    else free(value);
    return code;
}

/* Reads a number that fills all characters up to `end`. */
static bool parse_number(const char *text, const char *end, double *number)
{
    char copy[64], *stop;
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *number = strtod(copy, &stop);
    return *stop == '\0' && isfinite(*number);
}

/* A..B or A..B/STEP. */
static bool parse_range(const char *text, double *low, double *high, double *step)
{
    const char *dots = strstr(text, ".."), *slash = strchr(text, '/'), *end = text + strlen(text);
    *step = 0.0;
    if (dots == NULL || (slash != NULL && slash < dots)) return false;
    if (slash != NULL && (!parse_number(slash + 1, end, step) || *step <= 0.0)) return false;
    return parse_number(text, dots, low) && parse_number(dots + 2, slash != NULL ? slash : end, high) && *low <= *high;
}

/* The values at the ends of a continuous range. For options with whole numbers only, these are the outermost whole
 * numbers in it; if the first is above the second, the range holds none. */
static void range_ends(const crd_option *option, bool decades, double low, double high, double *least, double *largest)
{
    *least = decades ? pow(10.0, low) : low;
    *largest = decades ? pow(10.0, high) : high;
    if (!is_whole(option)) return;
    *least = ceil(*least);
    *largest = floor(*largest);
}

static int add_range(const char *given_as, crd_cli_axis *axis, const char *text, bool decades)
{
    double low, high, step;
    const crd_option *option = axis->option;
    if (!parse_range(strchr(text, ':') + 1, &low, &high, &step))
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: expected %s:A..B or %s:A..B/STEP, with A at most B", given_as,
                             option->name, text, decades ? "decades" : "range", decades ? "decades" : "range");
    double most = step > 0.0 ? floor((high - low) / step + 1e-9) : 0.0;
    if (most >= MOST_VALUES)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: has %.0f values, expected %d at most", given_as, option->name,
                             text, most + 1.0, MOST_VALUES);
    if (step > 0.0) {
        int code = CRD_CLI_DONE;
        for (int i = 0; i <= (int)most && code == CRD_CLI_DONE; i++)
            code = add_value(given_as, axis, range_value(option, decades, low + (double)i * step));
        return code;
    }
    double least, largest;
    range_ends(option, decades, low, high, &least, &largest);
    if (least > largest)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: has no whole number in it, which %s needs", given_as,
                             option->name, text, option->name);
    char *ends[2] = {is_whole(option) ? crd_cli_text("%.0f", least) : range_value(option, decades, low),
                     is_whole(option) ? crd_cli_text("%.0f", largest) : range_value(option, decades, high)};
    int code = check_value(given_as, option, ends[0]);
    if (code == CRD_CLI_DONE) code = check_value(given_as, option, ends[1]);
    free(ends[0]);
    free(ends[1]);
    if (code == CRD_CLI_DONE) add_item(axis, (crd_cli_item){.low = low, .high = high, .decades = decades});
    return code;
}

static int add_values(const char *given_as, crd_cli_axis *axis, const char *values)
{
    const char *separators = strchr(values, '|') != NULL ? "|" : ",";
    int code = CRD_CLI_DONE;
    for (const char *at = values; code == CRD_CLI_DONE; at++) {
        size_t length = strcspn(at, separators);
        if (length == 0)
            return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s=%s: a value is missing", given_as, axis->option->name,
                                 values);
        char *value = crd_cli_text("%.*s", (int)length, at);
        bool decades = strncmp(value, "decades:", 8) == 0, range = strncmp(value, "range:", 6) == 0;
        if (decades || range) {
            code = add_range(given_as, axis, value, decades);
            free(value);
        } else {
            code = add_value(given_as, axis, value);
        }
        at += length;
        if (*at == '\0') break;
    }
    return code;
}

static crd_cli_axis *take_axis(crd_cli_space *space, const crd_option *option)
{
    for (int a = 0; a < space->axes; a++)
        if (space->axis[a].option == option) {
            free_items(&space->axis[a]);
            return &space->axis[a];
        }
    space->axis = crd_cli_allocate(space->axis, ((size_t)space->axes + 1) * sizeof *space->axis);
    space->axis[space->axes] = (crd_cli_axis){.option = option};
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
        int code = add_values(given_as, take_axis(space, option), values);
        free(values);
        if (code != CRD_CLI_DONE) return code;
        part += strcspn(part, ";");
        any = true;
    }
    if (any) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_MISUSED, "%s: the space is empty, expected NAME=VALUE,VALUE;NAME=...", given_as);
}

/* ---- settings ---- */

void crd_cli_candidates_free(crd_cli_candidates *candidates)
{
    for (int64_t i = 0; i < candidates->count; i++) free(candidates->candidate[i].json);
    free(candidates->candidate);
    *candidates = (crd_cli_candidates){0};
}

char *crd_cli_candidate_text(const crd_cli_space *space, const crd_cli_candidate *candidate)
{
    char *text = crd_cli_text("%s", "");
    for (int a = 0; a < space->axes; a++) {
        const char *name = space->axis[a].option->name;
        char *value = crd_cli_config_value(&candidate->config, name);
        char *longer = crd_cli_text("%s%s%s=%s", text, a > 0 ? " " : "", name, value);
        free(value);
        free(text);
        text = longer;
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

/* Adds a setting unless it is there. `table` finds settings by a hash of their text: index + 1, or 0 for an empty
 * place. */
static void add_setting(crd_cli_candidates *candidates, int64_t *table, size_t size, const crd_config *config)
{
    char *json = crd_cli_config_text(config, CRD_CLI_OF_CHOICE, false);
    uint64_t hash = 0;
    for (const char *c = json; *c != '\0'; c++) hash = crd_hash(hash, (unsigned char)*c);
    size_t at = (size_t)(hash % size);
    for (; table[at] != 0; at = (at + 1) % size)
        if (strcmp(candidates->candidate[table[at] - 1].json, json) == 0) {
            free(json);
            return;
        }
    if (candidates->count == candidates->capacity) {
        candidates->capacity = candidates->capacity == 0 ? 64 : 2 * candidates->capacity;
        candidates->candidate =
            crd_cli_allocate(candidates->candidate, (size_t)candidates->capacity * sizeof *candidates->candidate);
    }
    candidates->candidate[candidates->count++] = (crd_cli_candidate){.config = *config, .json = json};
    table[at] = candidates->count;
}

static int64_t *new_table(size_t size)
{
    int64_t *table = crd_cli_allocate(NULL, size * sizeof *table);
    memset(table, 0, size * sizeof *table);
    return table;
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
                return crd_cli_fail(&error);
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

int crd_cli_space_grid(const crd_cli_space *space, const crd_config *base, crd_cli_candidates *candidates)
{
    int code = check_space(space, base);
    int64_t combinations = 1;
    for (int a = 0; a < space->axes && code == CRD_CLI_DONE; a++) {
        for (int i = 0; i < space->axis[a].items; i++)
            if (space->axis[a].item[i].text == NULL)
                code = crd_cli_failf(CRD_CLI_MISUSED,
                                     "a grid needs a step (A..B/STEP) in the range of %s; "
                                     "ranges without one are for tune --search random",
                                     space->axis[a].option->name);
        combinations *= space->axis[a].items;
        if (combinations > MOST_SETTINGS)
            return crd_cli_failf(CRD_CLI_MISUSED,
                                 "the grid has more than %d settings: leave some values "
                                 "out, or draw some with --search random",
                                 MOST_SETTINGS);
    }
    if (code != CRD_CLI_DONE) return code;
    size_t size = 2 * (size_t)combinations + 1;
    int64_t *table = new_table(size);
    char **value = crd_cli_allocate(NULL, (size_t)space->axes * sizeof *value);
    for (int64_t c = 0; c < combinations && code == CRD_CLI_DONE; c++) {
        crd_config config;
        int64_t left = c;
        for (int a = space->axes - 1; a >= 0; a--) {
            value[a] = space->axis[a].item[left % space->axis[a].items].text;
            left /= space->axis[a].items;
        }
        code = make_config(space, base, value, &config);
        if (code == CRD_CLI_DONE) add_setting(candidates, table, size, &config);
    }
    free(value);
    free(table);
    return code;
}

/* Uniform in [0, 1). */
static double uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* All values of the list are equally likely; a range counts as one of them. A number drawn from a range is rounded
 * to four digits: more would say nothing and be hard to read. */
static char *draw_value(const crd_cli_axis *axis, uint64_t hash)
{
    const crd_cli_item *item = &axis->item[(int)(uniform(crd_hash(hash, 0)) * (double)axis->items)];
    if (item->text != NULL) return crd_cli_text("%s", item->text);
    double x = item->low + uniform(crd_hash(hash, 1)) * (item->high - item->low);
    double number = item->decades ? pow(10.0, x) : x;
    double least, largest;
    char text[32];
    range_ends(axis->option, item->decades, item->low, item->high, &least, &largest);
    if (is_whole(axis->option)) return crd_cli_text("%.0f", fmin(fmax(nearbyint(number), least), largest));
    crd_format_number(text, sizeof text, 4, number);
    double rounded = strtod(text, NULL);
    return rounded < least || rounded > largest ? shortest(number) : crd_cli_text("%s", text);
}

int crd_cli_space_draw(const crd_cli_space *space, const crd_config *base, int64_t count, uint64_t seed,
                       crd_cli_candidates *candidates)
{
    int code = check_space(space, base);
    if (code != CRD_CLI_DONE) return code;
    size_t size = 2 * (size_t)count + 1;
    int64_t *table = new_table(size);
    char **value = crd_cli_allocate(NULL, (size_t)space->axes * sizeof *value);
    /* A small space may hold fewer settings than requested: give up after many draws of known ones. */
    for (int64_t d = 0; d < count * DRAWS_EACH && candidates->count < count && code == CRD_CLI_DONE; d++) {
        crd_config config;
        for (int a = 0; a < space->axes; a++)
            value[a] = draw_value(&space->axis[a], crd_hash(crd_hash(seed, (uint64_t)d), (uint64_t)a));
        code = make_config(space, base, value, &config);
        if (code == CRD_CLI_DONE) add_setting(candidates, table, size, &config);
        for (int a = 0; a < space->axes; a++) free(value[a]);
    }
    free(value);
    free(table);
    return code;
}
