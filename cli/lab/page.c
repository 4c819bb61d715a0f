#include "lab/lists.h"
#include "lab/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/page_answers.h"
#include "lab/table.h"

char *crd_lab_page_path(const crd_lab_page *page, const char *path)
{
    if (path[0] == '/') return crd_cli_text("%s", path);
    return crd_cli_text("%s/%s", page->folder, path);
}

const char *crd_lab_directive_value(const crd_lab_directive *directive, const char *key)
{
    for (int i = 0; i < directive->keys; i++)
        if (strcmp(directive->key[i], key) == 0) return directive->value[i];
    return NULL;
}

/* ---- taking a directive apart ---- */

/* Words are separated by blanks; "quotes" hold one together. */
static char *next_word(char **at)
{
    char *from = *at + strspn(*at, " \t"), *to = from, *word = from;
    if (*from == '\0') return NULL;
    for (bool quoted = false; *from != '\0' && (quoted || (*from != ' ' && *from != '\t')); from++) {
        if (*from == '"') quoted = !quoted;
        else *to++ = *from;
    }
    *at = *from == '\0' ? from : from + 1;
    *to = '\0';
    return word;
}

static char *take_apart(crd_lab_directive *d, const char *text)
{
    *d = (crd_lab_directive){.text = crd_cli_text("%s", text)};
    char *at = d->text, *word;
    d->name = next_word(&at);
    if (d->name == NULL) return crd_cli_text("the directive is empty");
    while ((word = next_word(&at)) != NULL) {
        char *sign = strchr(word, '=');
        if (d->words == CRD_LAB_MOST_WORDS || d->keys == CRD_LAB_MOST_WORDS)
            return crd_cli_text("more than %d arguments", CRD_LAB_MOST_WORDS);
        if (sign == NULL || sign == word) {
            d->word[d->words++] = word;
        } else {
            *sign = '\0';
            d->key[d->keys] = word;
            d->value[d->keys++] = sign + 1;
        }
    }
    return NULL;
}

/* ---- what there is ---- */

typedef struct kind {
    const char *name;
    const char *usage; /* for messages */
    int fewest, most;  /* plain arguments */
    const char *keys;  /* a comma-separated list; NULL: any */
    crd_lab_page_answer *answer; /* NULL: it is not about runs */
} kind;

static const kind kinds[] = {
    {"table", "table DIR [task=LIST] [data=LIST] [models=LIST] [format=markdown|latex|text|csv|json]", 1, 1,
     "task,data,models,format", crd_lab_page_table},
    {"compare", "compare DIR a=MODEL b=MODEL [metric=NAME] [task=LIST] [data=LIST]", 1, 1,
     "a,b,metric,task,data", crd_lab_page_compare},
    {"value", "value DIR TASK DATA MODEL METRIC [DIGITS] [shift=NAME]", 5, 6, "shift", crd_lab_page_value},
    {"diff", "diff DIR DATA A B METRIC [DIGITS] [task=NAME]", 5, 6, "task", crd_lab_page_difference},
    {"firsts", "firsts DIR MODEL METRIC [task=NAME] [data=LIST] [models=LIST]", 3, 3, "task,data,models",
     crd_lab_page_firsts},
    {"command", "command DIR", 1, 1, "", NULL},
    {"field", "field FILE FIELD KEY=VALUE... [digits=N]", 2, 2, NULL, NULL},
    {"jsonl", "jsonl FILE... fields=LIST [KEY=VALUE...] [sort=FIELD] [limit=N] [digits=N]", 1,
     CRD_LAB_MOST_WORDS, NULL, NULL},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static char *check(const crd_lab_directive *d, const kind **found)
{
    char *names = crd_cli_text("%s", "");
    *found = NULL;
    for (int i = 0; i < KINDS; i++) {
        char *longer = crd_cli_text("%s%s%s", names, i == 0 ? "" : ", ", kinds[i].name);
        free(names);
        names = longer;
        if (strcmp(kinds[i].name, d->name) == 0) *found = &kinds[i];
    }
    char *problem = NULL;
    if (*found == NULL) problem = crd_cli_text("unknown directive '%s'; there are: %s", d->name, names);
    else if (d->words < (*found)->fewest || d->words > (*found)->most)
        problem = crd_cli_text("expected {{%s}}", (*found)->usage);
    for (int i = 0; i < d->keys && problem == NULL && (*found)->keys != NULL; i++)
        if (!crd_lab_listed((*found)->keys, d->key[i], d->key[i]))
            problem = crd_cli_text("unknown key '%s', expected {{%s}}", d->key[i], (*found)->usage);
    free(names);
    return problem;
}

/* ---- files ---- */

/* The runs of a folder or file, read once. */
static const crd_lab_runs *runs_of(crd_lab_page *page, const char *place, char **problem)
{
    char *path = crd_lab_page_path(page, place);
    for (int i = 0; i < page->files; i++) {
        if (strcmp(page->file[i].path, path) != 0) continue;
        free(path);
        return &page->file[i].runs;
    }
    crd_lab_runs runs;
    if (access(path, F_OK) != 0) {
        *problem = crd_cli_text("%s: %s", path, strerror(errno));
        free(path);
        return NULL;
    }
    if (crd_lab_read(&runs, path) != CRD_CLI_DONE) {
        free(path);
        return NULL;
    }
    page->file = crd_cli_allocate(page->file, (size_t)(page->files + 1) * sizeof *page->file);
    page->file[page->files] = (crd_lab_page_file){.path = path, .runs = runs};
    return &page->file[page->files++].runs;
}

/* The commands that filled a folder, a line each. */
static char *commands_of(crd_lab_page *page, const crd_lab_directive *d, char **problem)
{
    char *folder = crd_lab_page_path(page, d->word[0]), *path = crd_cli_text("%s/command.txt", folder);
    char *text = crd_lab_text_read(path);
    if (text == NULL) *problem = crd_cli_text("%s: %s", path, strerror(errno));
    free(folder);
    free(path);
    return text;
}

char *crd_lab_page_expand(crd_lab_page *page, const char *text, char **problem)
{
    crd_lab_directive d;
    const kind *wanted = NULL;
    char *answer = NULL;
    *problem = take_apart(&d, text);
    if (*problem == NULL) *problem = check(&d, &wanted);
    if (*problem == NULL && strcmp(wanted->name, "command") == 0) {
        answer = commands_of(page, &d, problem);
    } else if (*problem == NULL && strcmp(wanted->name, "jsonl") == 0) {
        answer = crd_lab_page_jsonl(page, &d, problem);
    } else if (*problem == NULL && strcmp(wanted->name, "field") == 0) {
        answer = crd_lab_page_field(page, &d, problem);
    } else if (*problem == NULL) {
        const crd_lab_runs *runs = runs_of(page, d.word[0], problem);
        if (runs != NULL) answer = wanted->answer(runs->run, runs->count, &d, problem);
    }
    free(d.text);
    return answer;
}

void crd_lab_page_free(crd_lab_page *page)
{
    for (int i = 0; i < page->files; i++) {
        crd_lab_runs_close(&page->file[i].runs);
        free(page->file[i].path);
    }
    free(page->file);
    *page = (crd_lab_page){0};
}
