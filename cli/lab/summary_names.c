/* The names of a table's rows: their order, and lists of them. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "public_graphs.h"
#include "lab/lists.h"
#include "lab/run.h"
#include "lab/summary.h"

/* Numbers inside names count as numbers: "noise 10" comes after "noise 2". */
static int by_name(const char *first, const char *second)
{
    const char *a = first, *b = second;
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *end_a, *end_b;
            double left = strtod(a, &end_a), right = strtod(b, &end_b);
            if (left != right) return left < right ? -1 : 1;
            a = end_a;
            b = end_b;
        } else {
            if (*a != *b) break;
            a++;
            b++;
        }
    }
    int order = strcmp(a, b);
    return order != 0 ? order : strcmp(first, second); /* "0.1" and "0.10" are two names yet */
}

static int task_place(const char *name)
{
    for (int i = 0; crd_lab_task_at(i) != NULL; i++)
        if (strcmp(crd_lab_task_at(i)->name, name) == 0) return i;
    return INT_MAX;
}

static int data_place(const char *name)
{
    for (int i = 0; i < crd_public_graph_count(); i++)
        if (strcmp(crd_public_graph_at(i)->name, name) == 0) return i;
    return INT_MAX;
}

static int model_place(const char *name)
{
    for (int i = 0; crd_lab_model_at(i) != NULL; i++)
        if (strcmp(crd_lab_model_at(i)->name, name) == 0) return i;
    return INT_MAX;
}

/* Names that are known come first, in their order; the others by the alphabet. */
static int by_place(int (*place)(const char *), const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return 0;
    int left = place(a), right = place(b);
    return left != right ? (left < right ? -1 : 1) : by_name(a, b);
}

static int by_subject(const crd_lab_run *a, const crd_lab_run *b)
{
    int order = by_place(task_place, a->task, b->task);
    if (order == 0) order = by_place(data_place, a->data, b->data);
    if (order == 0) order = (a->shift_place > b->shift_place) - (a->shift_place < b->shift_place);
    if (order == 0) order = by_name(a->shift == NULL ? "" : a->shift, b->shift == NULL ? "" : b->shift);
    return order;
}

int crd_lab_row_order(const crd_lab_run *a, const crd_lab_run *b)
{
    int order = by_subject(a, b);
    if (order == 0) order = by_place(model_place, a->model, b->model);
    return order != 0 ? order : by_name(crd_lab_run_model_title(a), crd_lab_run_model_title(b));
}

int crd_lab_block_order(const crd_lab_run *a, const crd_lab_run *b)
{
    int order = by_subject(a, b);
    if (order == 0) order = (a->left_out > b->left_out) - (a->left_out < b->left_out);
    return order != 0 ? order : a->inductive - b->inductive;
}

/* How many classes are left out is said where it is not the same in the whole table; trained without them in
 * the graph is never what one would expect. */
char *crd_lab_block_title(const crd_lab_row *table, int64_t rows, const crd_lab_row *row)
{
    const crd_lab_run *like = row->like;
    bool differs = false;
    for (int64_t i = 0; i < rows; i++) {
        const crd_lab_run *other = table[i].like;
        differs = differs || (other->left_out != like->left_out && strcmp(other->task, like->task) == 0
                              && strcmp(other->data, like->data) == 0);
    }
    if (!differs || like->left_out < 0)
        return crd_cli_text("%s%s", like->title, like->inductive ? " (inductive)" : "");
    return crd_cli_text("%s (%lld class%s left out%s)", like->title, (long long)like->left_out,
                        like->left_out == 1 ? "" : "es", like->inductive ? ", inductive" : "");
}

bool crd_lab_filtered(const crd_lab_filter *filter, const crd_lab_run *run)
{
    return crd_lab_listed(filter->task, run->task, run->task)
           && crd_lab_listed(filter->data, run->data, run->title)
           && crd_lab_listed(filter->models, run->model, crd_lab_run_model_title(run))
           && (filter->model == NULL || crd_lab_is_model(run, filter->model));
}

bool crd_lab_is_model(const crd_lab_run *run, const char *model)
{
    return strcmp(run->model, model) == 0 || strcmp(crd_lab_run_model_title(run), model) == 0;
}

static const char *name_of(const crd_lab_run *run, char which)
{
    return which == 't' ? run->task : which == 'd' ? run->data : run->model;
}

static const char *title_of(const crd_lab_run *run, char which)
{
    return which == 't' ? run->task : which == 'd' ? run->title : crd_lab_run_model_title(run);
}

static int by_names(const crd_lab_run *a, const crd_lab_run *b, char which)
{
    int (*place)(const char *) = which == 't' ? task_place : which == 'd' ? data_place : model_place;
    int order = by_place(place, name_of(a, which), name_of(b, which));
    return order != 0 ? order : by_name(title_of(a, which), title_of(b, which));
}

char *crd_lab_names(const crd_lab_run *runs, int64_t count, char which)
{
    char *names = crd_cli_text("%s", "");
    /* The next name in the order of tables, until there is none. */
    for (const crd_lab_run *last = NULL, *next;; last = next) {
        next = NULL;
        for (int64_t i = 0; i < count; i++)
            if ((last == NULL || by_names(&runs[i], last, which) > 0)
                && (next == NULL || by_names(&runs[i], next, which) < 0))
                next = &runs[i];
        if (next == NULL) return names;
        const char *name = name_of(next, which), *title = title_of(next, which);
        bool both = strcmp(name, title) != 0;
        char *longer = crd_cli_text("%s%s%s%s%s%s", names, last == NULL ? "" : ", ", name, both ? " (" : "",
                                    both ? title : "", both ? ")" : "");
        free(names);
        names = longer;
    }
}

static bool is_there(const char *name, const crd_lab_run *runs, int64_t count, char which)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(name_of(&runs[i], which), name) == 0 || strcmp(title_of(&runs[i], which), name) == 0)
            return true;
    return false;
}

/* An item of a list that no run has; the caller frees it. */
static char *missing(const char *list, const crd_lab_run *runs, int64_t count, char which)
{
    for (const char *item = list; item != NULL;) {
        size_t length = strcspn(item, ",");
        char *name = crd_cli_text("%.*s", (int)length, item);
        if (!is_there(name, runs, count, which)) return name;
        free(name);
        item = item[length] == '\0' ? NULL : item + length + 1;
    }
    return NULL;
}

char *crd_lab_filter_problem(const crd_lab_filter *filter, const crd_lab_run *runs, int64_t count)
{
    static const struct {
        char which;
        const char *what;
    } kinds[] = {{'t', "of task"}, {'d', "on data"}, {'m', "of model"}, {'m', "of model"}};
    const char *const lists[] = {filter->task, filter->data, filter->models, NULL};
    for (size_t i = 0; i < 4; i++) {
        char *name = missing(lists[i], runs, count, kinds[i].which);
        if (i == 3 && filter->model != NULL && !is_there(filter->model, runs, count, 'm'))
            name = crd_cli_text("%s", filter->model);
        if (name == NULL) continue;
        char *names = crd_lab_names(runs, count, kinds[i].which);
        char *problem = count == 0 ? crd_cli_text("there is no run %s '%s': there are no runs at all",
                                                  kinds[i].what, name)
                                   : crd_cli_text("there is no run %s '%s'; there are: %s", kinds[i].what,
                                                  name, names);
        free(names);
        free(name);
        return problem;
    }
    return NULL;
}
