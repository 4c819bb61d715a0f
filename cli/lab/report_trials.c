#include "lab/report_trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/summary.h"
#include "lab/tune_trial.h"

/* ---- lines that belong together ---- */

/* A trial's line, and what it is sorted by. */
typedef struct filed {
    char *search, *config;
    const json_t *line;
    crd_lab_criterion criterion;
    int64_t place, search_last, config_first;
} filed;

static char *dumped(const json_t *value)
{
    char *dump = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    if (dump == NULL) return crd_cli_text("%s", "");
    char *text = crd_cli_text("%s", dump); /* jansson may have another free */
    free(dump);
    return text;
}

static char *search_key(const json_t *line)
{
    static const char *const fields[] = {"criterion", "data", "fingerprint", "split", "left_out", "halves"};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        json_object_set(object, fields[i], json_object_get(line, fields[i]));
    char *key = dumped(object);
    json_decref(object);
    return key;
}

static bool criterion_of(const json_t *line, crd_lab_criterion *criterion)
{
    const char *task = json_string_value(json_object_get(line, "task"));
    const char *name = json_string_value(json_object_get(line, "criterion"));
    if (task == NULL || name == NULL || strcmp(task, "tune") != 0) return false;
    for (int c = 0; c < CRD_LAB_CRITERIA; c++) {
        *criterion = (crd_lab_criterion)c;
        if (strcmp(name, crd_lab_criterion_name(*criterion)) == 0) return true;
    }
    return false;
}

static int by_keys(const void *a, const void *b)
{
    const filed *left = a, *right = b;
    int order = strcmp(left->search, right->search);
    if (order == 0) order = strcmp(left->config, right->config);
    return order != 0 ? order : (left->place > right->place) - (left->place < right->place);
}

static int by_places(const void *a, const void *b)
{
    const filed *left = a, *right = b;
    if (left->search_last != right->search_last) return left->search_last < right->search_last ? -1 : 1;
    if (left->config_first != right->config_first) return left->config_first < right->config_first ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

/* Files every trial: searches by their last lines, settings by their first ones. Returns how many there are. */
static int64_t file_lines(const crd_lab_runs *trials, filed *item)
{
    int64_t count = 0;
    for (int64_t i = 0; i < trials->count; i++) {
        const json_t *line = trials->run[i].line;
        filed next = {.line = line, .place = i};
        if (!criterion_of(line, &next.criterion)) continue;
        next.search = search_key(line);
        next.config = dumped(json_object_get(line, "config"));
        item[count++] = next;
    }
    if (count > 1) qsort(item, (size_t)count, sizeof *item, by_keys);
    for (int64_t first = 0, end; first < count; first = end) {
        int64_t last = 0;
        for (end = first; end < count && strcmp(item[end].search, item[first].search) == 0; end++) {
            bool again = end > first && strcmp(item[end].config, item[end - 1].config) == 0;
            item[end].config_first = again ? item[end - 1].config_first : item[end].place;
            if (item[end].place > last) last = item[end].place;
        }
        for (int64_t i = first; i < end; i++) item[i].search_last = last;
    }
    if (count > 1) qsort(item, (size_t)count, sizeof *item, by_places);
    return count;
}

/* ---- a setting's trials taken together ---- */

typedef struct tried {
    const json_t *line;
    int64_t seed, held, budget;
    bool failed;
    int64_t place;
} tried;

/* By split and class held out; in each the one that counts comes first: the one with the most epochs, one that
 * did not fail, the last. */
static int by_worth(const void *a, const void *b)
{
    const tried *left = a, *right = b;
    if (left->seed != right->seed) return left->seed < right->seed ? -1 : 1;
    if (left->held != right->held) return left->held < right->held ? -1 : 1;
    const bool all_left = left->budget < 0, all_right = right->budget < 0;
    if (all_left != all_right) return all_left ? -1 : 1;
    if (!all_left && left->budget != right->budget) return left->budget > right->budget ? -1 : 1;
    if (left->failed != right->failed) return left->failed ? 1 : -1;
    return (left->place < right->place) - (left->place > right->place);
}

static double number_at(const json_t *line, const char *path)
{
    const json_t *number = crd_lab_json_at(line, path);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* Sums over the trials of a split. */
typedef struct sums {
    double score, accuracy, cross_entropy, epochs;
} sums;

static void add(sums *sum, double score, double accuracy, double cross_entropy, double epochs, double weight)
{
    sum->score += score * weight;
    sum->accuracy += accuracy * weight;
    sum->cross_entropy += cross_entropy * weight;
    sum->epochs += epochs * weight;
}

static void summarise(crd_lab_setting *setting, crd_lab_criterion criterion)
{
    tried *trial = crd_cli_allocate(NULL, (size_t)setting->count * sizeof *trial);
    sums all = {0};
    double squares = 0.0;
    int splits = 0;
    for (int64_t i = 0; i < setting->count; i++) {
        const json_t *line = setting->line[i];
        trial[i] = (tried){.line = line,
                           .seed = json_integer_value(json_object_get(line, "seed")),
                           .held = json_integer_value(json_object_get(line, "held_out")),
                           .budget = json_integer_value(json_object_get(line, "budget")),
                           .failed = json_is_string(json_object_get(line, "error")),
                           .place = i};
    }
    qsort(trial, (size_t)setting->count, sizeof *trial, by_worth);
    for (int64_t first = 0, end; first < setting->count; first = end) {
        sums split = {0};
        int held = 0;
        for (end = first; end < setting->count && trial[end].seed == trial[first].seed; end++) {
            if (end > first && trial[end].held == trial[end - 1].held) continue;
            crd_lab_outcome outcome = crd_lab_line_outcome(criterion, trial[end].line);
            if (outcome.failed && setting->why == NULL) {
                setting->why = json_string_value(json_object_get(trial[end].line, "error"));
                if (setting->why == NULL) setting->why = "its score is not a number";
            }
            add(&split, outcome.score, outcome.accuracy,
                number_at(trial[end].line, "training.validation_cross_entropy"),
                number_at(trial[end].line, "training.epochs"), 1.0);
            free(outcome.error);
            held++;
        }
        add(&all, split.score, split.accuracy, split.cross_entropy, split.epochs, 1.0 / held);
        squares += split.score / held * (split.score / held);
        setting->trials += held;
        splits++;
    }
    setting->score = all.score / splits;
    setting->accuracy = all.accuracy / splits;
    setting->cross_entropy = all.cross_entropy / splits;
    setting->epochs = all.epochs / splits;
    setting->error = NAN;
    if (splits > 1) {
        double variance = (squares - all.score * setting->score) / (double)(splits - 1);
        setting->error = sqrt(fmax(variance, 0.0) / (double)splits);
    }
    if (setting->why != NULL) setting->score = setting->error = setting->accuracy = NAN;
    free(trial);
}

/* ---- all of it ---- */

static void add_setting(crd_lab_search *search, const filed *item, int64_t count)
{
    crd_lab_setting *setting = &search->setting[search->count++];
    *setting = (crd_lab_setting){.config = json_object_get(item->line, "config"), .count = count};
    setting->line = crd_cli_allocate(NULL, (size_t)count * sizeof *setting->line);
    for (int64_t i = 0; i < count; i++) setting->line[i] = item[i].line;
    summarise(setting, search->criterion);
}

static void add_search(crd_lab_searches *searches, const filed *item, int64_t count)
{
    crd_lab_search *search = &searches->search[searches->count++];
    *search = (crd_lab_search){
        .like = item->line, .criterion = item->criterion, .last = item->search_last};
    search->setting = crd_cli_allocate(NULL, (size_t)count * sizeof *search->setting);
    for (int64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && item[end].config_first == item[first].config_first;) end++;
        add_setting(search, item + first, end - first);
    }
}

void crd_lab_searches_make(crd_lab_searches *searches, const crd_lab_runs *trials)
{
    filed *item = crd_cli_allocate(NULL, (size_t)trials->count * sizeof *item);
    const int64_t count = file_lines(trials, item);
    *searches = (crd_lab_searches){.search = crd_cli_allocate(NULL, (size_t)count * sizeof(crd_lab_search))};
    for (int64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && item[end].search_last == item[first].search_last;) end++;
        add_search(searches, item + first, end - first);
    }
    for (int64_t i = 0; i < count; i++) {
        free(item[i].search);
        free(item[i].config);
    }
    free(item);
}

void crd_lab_searches_free(crd_lab_searches *searches)
{
    for (int64_t s = 0; s < searches->count; s++) {
        for (int64_t i = 0; i < searches->search[s].count; i++) free(searches->search[s].setting[i].line);
        free(searches->search[s].setting);
    }
    free(searches->search);
    *searches = (crd_lab_searches){0};
}

const crd_lab_setting *crd_lab_setting_find(const crd_lab_search *search, const json_t *config)
{
    for (int64_t i = 0; i < search->count; i++)
        if (json_equal(search->setting[i].config, config)) return &search->setting[i];
    return NULL;
}
