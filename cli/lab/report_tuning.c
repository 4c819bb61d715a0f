/* The trials of a tuning as the JSON of a report's part. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/json.h"
#include "lab/report_parts.h"
#include "lab/report_trials.h"
#include "lab/summary.h"
#include "lab/text.h"
#include "lab/tune_report.h"

static void set(json_t *object, const char *key, json_t *value)
{
    crd_lab_json_set(object, key, value);
}

static json_t *copied(const json_t *object, const char *key)
{
    return json_incref(json_object_get(object, key)); /* NULL stays NULL */
}

/* Adds a value to an array unless it is there. */
static void collect(json_t *array, json_t *value)
{
    json_t *other;
    size_t i;
    json_array_foreach(array, i, other)
        if (json_equal(other, value)) return;
    if (value != NULL) crd_lab_json_append(array, json_incref(value));
}

/* The different values of a field in the lines of a search. */
static json_t *values_of(const crd_lab_search *search, const char *key)
{
    json_t *values = json_array();
    for (int64_t i = 0; i < search->count; i++)
        for (int64_t t = 0; t < search->setting[i].count; t++) {
            json_t *value = json_object_get(search->setting[i].line[t], key);
            if (!json_is_null(value)) collect(values, value);
        }
    return values;
}

/* ---- options that differ ---- */

static bool has(const json_t *names, const char *name)
{
    json_t *other;
    size_t i;
    json_array_foreach(names, i, other)
        if (strcmp(json_string_value(other), name) == 0) return true;
    return false;
}

static bool differs(const crd_lab_search *search, const char *option)
{
    const json_t *first = json_object_get(search->setting[0].config, option);
    for (int64_t i = 1; i < search->count; i++) {
        const json_t *other = json_object_get(search->setting[i].config, option);
        if (other != first && !json_equal(other, first)) return true;
    }
    return false;
}

/* Their names in the order of configurations, and what all settings have in common. */
static void find_axes(const crd_lab_search *search, json_t *axes, json_t *fixed)
{
    for (int64_t i = 0; i < search->count; i++) {
        const char *option;
        json_t *value;
        json_object_foreach((json_t *)search->setting[i].config, option, value) {
            bool differing = differs(search, option);
            if (differing && !has(axes, option)) crd_lab_json_append(axes, json_string(option));
            if (!differing && i == 0) set(fixed, option, json_incref(value));
        }
    }
}

/* ---- what the trials cost ---- */

typedef struct budget {
    int64_t epochs; /* -1: no limit */
    int64_t settings, trials, limited, failed;
} budget;

/* Fewer epochs first, no limit last. */
static int by_epochs(const void *a, const void *b)
{
    const uint64_t left = (uint64_t)((const budget *)a)->epochs, right = (uint64_t)((const budget *)b)->epochs;
    return (left > right) - (left < right);
}

static int64_t budget_of(const json_t *line)
{
    int64_t epochs = json_integer_value(json_object_get(line, "budget"));
    return epochs < 0 ? -1 : epochs;
}

static bool had_before(const crd_lab_setting *setting, int64_t trial)
{
    for (int64_t t = 0; t < trial; t++)
        if (budget_of(setting->line[t]) == budget_of(setting->line[trial])) return true;
    return false;
}

static json_t *budgets_json(const crd_lab_search *search)
{
    budget *found = NULL;
    size_t count = 0;
    for (int64_t i = 0; i < search->count; i++)
        for (int64_t t = 0; t < search->setting[i].count; t++) {
            const json_t *line = search->setting[i].line[t];
            const char *stop = json_string_value(crd_lab_json_at(line, "training.stop"));
            size_t b = 0;
            while (b < count && found[b].epochs != budget_of(line)) b++;
            if (b == count) {
                found = crd_cli_allocate(found, ++count * sizeof *found);
                found[b] = (budget){.epochs = budget_of(line)};
            }
            found[b].settings += !had_before(&search->setting[i], t);
            found[b].trials++;
            found[b].limited += stop != NULL && strcmp(stop, "epochs") == 0;
            found[b].failed += json_is_string(json_object_get(line, "error"));
        }
    qsort(found, count, sizeof *found, by_epochs);
    json_t *budgets = json_array();
    for (size_t b = 0; b < count; b++) {
        json_t *object = json_object();
        set(object, "epochs", found[b].epochs < 0 ? NULL : json_integer(found[b].epochs));
        set(object, "settings", json_integer(found[b].settings));
        set(object, "trials", json_integer(found[b].trials));
        set(object, "limited", json_integer(found[b].limited));
        set(object, "failed", json_integer(found[b].failed));
        crd_lab_json_append(budgets, object);
    }
    free(found);
    return budgets;
}

/* ---- settings ---- */

/* The files of a folder that hold a configuration: name and object. */
typedef struct choices {
    struct dirent **entry;
    json_t **config;
    int count;
} choices;

static int is_json(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static choices read_choices(const char *folder)
{
    choices all = {.count = scandir(folder, &all.entry, is_json, alphasort)};
    if (all.count <= 0) return (choices){0};
    all.config = crd_cli_allocate(NULL, (size_t)all.count * sizeof *all.config);
    for (int i = 0; i < all.count; i++) {
        char *path = crd_cli_text("%s/%s", folder, all.entry[i]->d_name);
        all.config[i] = json_load_file(path, 0, NULL); /* NULL is nobody's choice */
        free(path);
    }
    return all;
}

static void free_choices(choices *all)
{
    for (int i = 0; i < all->count; i++) {
        free(all->entry[i]);
        json_decref(all->config[i]);
    }
    free(all->entry);
    free(all->config);
}

static json_t *choices_json(const choices *all, const crd_lab_setting *setting)
{
    json_t *names = json_array();
    for (int i = 0; i < all->count; i++)
        if (all->config[i] != NULL && json_equal(all->config[i], setting->config))
            crd_lab_json_append(names, crd_lab_json_string(all->entry[i]->d_name));
    return names;
}

/* `place` is what the search said of it in the end, NULL if it did not. */
static json_t *setting_json(const crd_lab_search *search, const crd_lab_setting *setting, const json_t *place,
                            const json_t *axes, const choices *all)
{
    json_t *object = json_object(), *values = json_array(), *axis;
    double seconds = 0.0;
    size_t a;
    for (int64_t t = 0; t < setting->count; t++)
        seconds += json_number_value(json_object_get(setting->line[t], "seconds"));
    json_array_foreach(axes, a, axis) {
        json_t *value = json_object_get(setting->config, json_string_value(axis));
        crd_lab_json_append(values, value != NULL ? json_incref(value) : json_null());
    }
    set(object, "rank", copied(place, "rank"));
    set(object, "state", copied(place, "state"));
    set(object, "rung", copied(place, "rung"));
    if (place != NULL) {
        set(object, "trials", copied(place, "trials"));
        set(object, "score", copied(place, crd_lab_detects(search->criterion) ? "auroc" : "cross_entropy"));
        set(object, "standard_error", copied(place, "standard_error"));
        set(object, "accuracy", copied(place, "accuracy"));
    } else {
        set(object, "trials", json_integer(setting->trials));
        set(object, "score", crd_lab_json_number(setting->score));
        set(object, "standard_error", crd_lab_json_number(setting->error));
        set(object, "accuracy", crd_lab_json_number(setting->accuracy));
    }
    set(object, "cross_entropy", crd_lab_json_number(setting->cross_entropy));
    set(object, "epochs", crd_lab_json_number(setting->epochs));
    set(object, "seconds", crd_lab_json_number(seconds));
    set(object, "choices", choices_json(all, setting));
    set(object, "why", setting->why == NULL ? NULL : json_string(setting->why));
    set(object, "values", values);
    return object;
}

/* Those that have a rank, in its order, and then the others. */
static json_t *settings_json(const crd_lab_search *search, const json_t *tried, const json_t *axes,
                             const choices *all)
{
    json_t *settings = json_array(), *place;
    bool *ranked = crd_cli_allocate(NULL, (size_t)search->count * sizeof *ranked);
    size_t i;
    memset(ranked, 0, (size_t)search->count * sizeof *ranked);
    json_array_foreach(tried, i, place) {
        const crd_lab_setting *setting = crd_lab_setting_find(search, json_object_get(place, "config"));
        ranked[setting - search->setting] = true;
        crd_lab_json_append(settings, setting_json(search, setting, place, axes, all));
    }
    for (int64_t s = 0; s < search->count; s++)
        if (!ranked[s])
            crd_lab_json_append(settings, setting_json(search, &search->setting[s], NULL, axes, all));
    free(ranked);
    return settings;
}

/* ---- searches ---- */

/* Whether a ranking is one of this search: the same data and criterion, and nothing in it that was not tried. */
static bool ranks(const json_t *tried, const crd_lab_search *search)
{
    json_t *place;
    size_t i;
    json_array_foreach(tried, i, place) {
        if (!json_equal(json_object_get(place, "data"), json_object_get(search->like, "data"))
            || !json_equal(json_object_get(place, "criterion"), json_object_get(search->like, "criterion"))
            || crd_lab_setting_find(search, json_object_get(place, "config")) == NULL)
            return false;
    }
    return json_array_size(tried) > 0;
}

static void set_facts(json_t *object, const char *folder)
{
    crd_lab_rung rung[CRD_LAB_MOST_RUNGS];
    int count = 0;
    char *path = crd_cli_text("%s/tried.md", folder), *page = crd_lab_text_read(path);
    char *facts = page == NULL ? NULL : crd_lab_tune_read_facts(page, rung, &count);
    json_t *rungs = json_array();
    for (int r = 0; r < count; r++) {
        json_t *item = json_object();
        set(item, "settings", json_integer(rung[r].candidates));
        set(item, "splits", json_integer(rung[r].splits));
        set(item, "epochs", rung[r].epochs < 0 ? NULL : json_integer(rung[r].epochs));
        crd_lab_json_append(rungs, item);
    }
    set(object, "about", facts == NULL ? NULL : crd_lab_json_string(facts));
    set(object, "rungs", rungs);
    free(facts);
    free(page);
    free(path);
}

/* `tried` is NULL for a search that did not end, or is not the folder's last. */
static json_t *search_json(const crd_lab_search *search, const json_t *tried, const char *folder,
                           const choices *all)
{
    static const char *const fields[] = {"criterion", "data",     "title", "fingerprint",
                                         "split",     "left_out", "halves"};
    json_t *object = json_object(), *axes = json_array(), *fixed = json_object();
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
        set(object, fields[f], copied(search->like, fields[f]));
    find_axes(search, axes, fixed);
    set(object, "detects", json_boolean(crd_lab_detects(search->criterion)));
    set(object, "versions", values_of(search, "version"));
    set(object, "seeds", values_of(search, "seed"));
    set(object, "held_out", values_of(search, "held_out"));
    set(object, "finished", json_boolean(tried != NULL));
    if (tried != NULL) set_facts(object, folder);
    set(object, "budgets", budgets_json(search));
    set(object, "settings", settings_json(search, tried, axes, all));
    set(object, "axes", axes);
    set(object, "fixed", fixed);
    return object;
}

/* What the search said in the end: NULL if it has not come to it yet, or a sentence is in *problem. */
static json_t *read_tried(const char *folder, char **problem)
{
    char *path = crd_cli_text("%s/tried.jsonl", folder);
    json_t *tried = NULL;
    *problem = access(path, F_OK) == 0 ? crd_lab_json_lines(path, &tried) : NULL;
    free(path);
    return tried;
}

char *crd_lab_report_tuning(const crd_lab_runs *trials, const char *folder, char **problem)
{
    crd_lab_searches searches;
    json_t *tried = read_tried(folder, problem);
    if (*problem != NULL) return NULL;
    json_t *list = json_array(), *object = json_object();
    choices all = read_choices(folder);
    crd_lab_searches_make(&searches, trials);
    int64_t ended = searches.count - 1;
    while (ended >= 0 && !ranks(tried, &searches.search[ended])) ended--;
    for (int64_t s = searches.count - 1; s >= 0; s--)
        crd_lab_json_append(list, search_json(&searches.search[s], s == ended ? tried : NULL, folder, &all));
    set(object, "commands", crd_lab_report_commands(folder));
    set(object, "lines", json_integer(trials->count));
    set(object, "seconds", crd_lab_json_number(crd_lab_report_seconds(trials)));
    set(object, "searches", list);
    crd_lab_searches_free(&searches);
    free_choices(&all);
    json_decref(tried);
    return crd_lab_json_text(object, JSON_COMPACT);
}
