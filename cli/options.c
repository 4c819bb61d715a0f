/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

crd_cli_option *crd_cli_add(crd_cli_options *options, char letter, const char *name, const char *argument,
                            const char *shown_default, const char *help)
{
    if (options->count == options->capacity) {
        options->capacity = options->capacity == 0 ? 32 : 2 * options->capacity;
        options->option = crd_cli_allocate(options->option, (size_t)options->capacity * sizeof *options->option);
    }
    crd_cli_option *option = &options->option[options->count++];
    *option = (crd_cli_option){.letter = letter, .name = name, .argument = argument, .help = help};
    if (shown_default != NULL) snprintf(option->shown_default, sizeof option->shown_default, "%s", shown_default);
    return option;
}

crd_cli_option *crd_cli_add_choice(crd_cli_options *options, const char *name, const char *argument,
                                   const char *shown_default, const char *choices, const char *help)
{
    crd_cli_option *option = crd_cli_add(options, 0, name, argument, shown_default, help);
    option->choices = choices;
    return option;
}

crd_cli_option *crd_cli_add_number(crd_cli_options *options, const char *name, double usual, double least, double most,
                                   const char *help)
{
    crd_cli_option *option = crd_cli_add(options, 0, name, "X", NULL, help);
    option->sort = CRD_CLI_NUMBER;
    option->least = least;
    option->most = most;
    if (!isnan(usual)) snprintf(option->shown_default, sizeof option->shown_default, "%.10g", usual);
    return option;
}

crd_cli_option *crd_cli_add_whole(crd_cli_options *options, const char *name, int64_t usual, double least, double most,
                                  const char *help)
{
    crd_cli_option *option = crd_cli_add_number(options, name, (double)usual, least, most, help);
    option->sort = CRD_CLI_WHOLE;
    option->argument = "N";
    return option;
}

void crd_cli_add_seed(crd_cli_options *options, const char *help)
{
    crd_cli_add_whole(options, "seed", 1, 0, INFINITY, help);
}

void crd_cli_add_data(crd_cli_options *options)
{
    crd_cli_add(options, 0, "node-features", "FILE", NULL,
                "features for a bare edge list or matrix: .csv, .tsv, .npy, .npz, .svm, .mtx, .json");
    crd_cli_add(options, 0, "labels", "FILE", NULL,
                "classes for a bare edge list or matrix: .csv, .tsv (node,label or one label per line), .npy");
    crd_cli_add(options, 0, "label-column", "COLUMN", NULL,
                "the column of the labels, by its name or its number from 1, if their table has more than two");
    crd_cli_add(options, 0, "id-column", "COLUMN", NULL,
                "the column of the nodes in labels and features; none: rows are in the order of the nodes");
    crd_cli_add(options, 0, "category-columns", "LIST", NULL,
                "columns of features whose values are categories even if they are numbers, separated by commas");
    crd_cli_add(options, 0, "ignore-columns", "LIST", NULL,
                "columns of the features' table that are no features, separated by commas");
    crd_cli_add_choice(options, "header", "WHEN", "auto", "auto yes no",
                       "whether the first row of edges, features and labels in text names their columns");
    crd_cli_add_choice(options, "first-id", "N", "auto", "auto 0 1",
                       "the number of the first node, if edges and labels in text have node numbers");
    crd_cli_add_choice(options, "edge-weights", "HOW", "auto", "auto ignore refuse",
                       "weights of edges: auto and ignore do not use them (auto says so), refuse reports those other "
                       "than 1 as an error");
    crd_cli_add_number(options, "min-edge-weight", 0.0, 0.0, INFINITY,
                       "leave out edges of a smaller weight; all others count the same. Weight 0 is no edge. No model "
                       "keeps this: give it to every command that reads the graph");
    crd_cli_add(options, 0, "data-dir", "DIR", NULL,
                "the folder of public graphs, to look in first for one given by name; then come "
                "CREDENCE_DATA and the "
                "folder that 'credence fetch' fills");
}

void crd_cli_add_threads(crd_cli_options *options)
{
    crd_cli_add_whole(options, "threads", 0, 0, CRD_MAX_THREADS, "how many threads work; 0: all cores that it may use");
}

void crd_cli_add_json(crd_cli_options *options)
{
    crd_cli_add(options, 0, "json", NULL, NULL, "one JSON object on standard output");
}

void crd_cli_add_quiet(crd_cli_options *options)
{
    crd_cli_add(options, 'q', "quiet", NULL, NULL, "say nothing but errors");
}

void crd_cli_free(crd_cli_options *options)
{
    free(options->option);
    free(options->repeated);
    free(options->word);
    *options = (crd_cli_options){0};
}

static crd_cli_option *find_name(const crd_cli_options *options, const char *name, size_t length)
{
    for (int i = 0; i < options->count; i++)
        if (strncmp(options->option[i].name, name, length) == 0 && options->option[i].name[length] == '\0')
            return &options->option[i];
    return NULL;
}

static crd_cli_option *find_letter(const crd_cli_options *options, char letter)
{
    for (int i = 0; i < options->count; i++)
        if (options->option[i].letter == letter) return &options->option[i];
    return NULL;
}

const char *crd_cli_value(const crd_cli_options *options, const char *name)
{
    const crd_cli_option *option = find_name(options, name, strlen(name));
    return option == NULL ? NULL : option->value;
}

const char *crd_cli_repeated(const crd_cli_options *options, const char *name, int index)
{
    const crd_cli_option *option = find_name(options, name, strlen(name));
    for (int i = 0; i < options->repeats; i++)
        if (options->repeated[i].option == option && index-- == 0) return options->repeated[i].value;
    return NULL;
}

const char *crd_cli_setting(const crd_cli_options *options, const char *name)
{
    const crd_cli_option *option = find_name(options, name, strlen(name));
    return option->value != NULL ? option->value : option->shown_default;
}

bool crd_cli_given(const crd_cli_options *options, const char *name)
{
    return crd_cli_value(options, name) != NULL;
}

bool crd_cli_is(const crd_cli_options *options, const char *name, const char *value)
{
    const char *given = crd_cli_value(options, name);
    return given != NULL && strcmp(given, value) == 0;
}

size_t crd_cli_next_word(const char **text)
{
    *text += strspn(*text, " ");
    return strcspn(*text, " ");
}

/* -1: it is none of them. */
static int choice_of(const char *choices, const char *value)
{
    int index = 0;
    for (size_t length; (length = crd_cli_next_word(&choices)) > 0; choices += length, index++)
        if (strncmp(choices, value, length) == 0 && value[length] == '\0') return index;
    return -1;
}

int crd_cli_choice(const crd_cli_options *options, const char *name)
{
    return choice_of(find_name(options, name, strlen(name))->choices, crd_cli_setting(options, name));
}

int64_t crd_cli_whole(const crd_cli_options *options, const char *name)
{
    int64_t number;
    return crd_parse_int64(crd_cli_setting(options, name), &number) ? number : 0;
}

double crd_cli_number(const crd_cli_options *options, const char *name)
{
    double number;
    return crd_parse_double(crd_cli_setting(options, name), &number) ? number : 0.0;
}

int crd_cli_misused(const crd_cli_options *options, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return crd_cli_failf(CRD_CLI_MISUSED, "%s; see 'credence %s --help'", message, options->command->name);
}

int crd_cli_fail_about(const crd_cli_options *options, const crd_error *error)
{
    crd_error dashed = *error;
    const size_t about = strlen(error->about);
    if (about > 0 && strncmp(error->message, error->about, about) == 0 &&
        find_name(options, error->about, about) != NULL)
        snprintf(dashed.message, sizeof dashed.message, "--%.*s", (int)sizeof dashed.message - 3, error->message);
    return crd_cli_fail(&dashed);
}

/* The Levenshtein distance between two short words. */
static int distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    int row[MOST + 1];
    int length = (int)strlen(b);
    if (length > MOST || strlen(a) > MOST) return MOST;
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int drop = row[j] + 1, insert = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < drop ? change : drop;
            if (insert < row[j]) row[j] = insert;
        }
    }
    return row[length];
}

void crd_cli_offer(crd_cli_guess *guess, const char *name)
{
    const size_t length = strlen(guess->typed);
    const int far = length < 4 ? 1 : length < 7 ? 2 : 3, away = distance(guess->typed, name);
    int rank = 0;
    if (length >= 3 && strncmp(name, guess->typed, length) == 0) rank = 5; /* people often know only the beginning */
    else if (away <= far) rank = 5 - away;
    else if (length >= 4 && strstr(name, guess->typed) != NULL) rank = 1; /* --epochs for --max-epochs */
    if (rank <= guess->rank) return;
    guess->rank = rank;
    snprintf(guess->text, sizeof guess->text, " (did you mean %s%s?)", guess->before != NULL ? guess->before : "",
             name);
}

static int unknown_option(const crd_cli_options *options, const char *typed, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), typed);
    crd_cli_guess guess = {.typed = name, .before = "--"};
    /* Names from other programs that are not similar by their letters. */
    if (strcmp(name, "learning-rate") == 0) guess.typed = "lr";
    if (strcmp(name, "hidden-size") == 0) guess.typed = "hidden";
    for (int i = 0; i < options->count; i++) crd_cli_offer(&guess, options->option[i].name);
    return crd_cli_misused(options, "unknown option --%s%s", name, guess.text);
}

/* "-o --quiet" and "-o -q" are slips: another option is never a value, but "-" and negative numbers are. */
static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0' && !isdigit((unsigned char)argument[1]) &&
           !(argument[1] == '.' && isdigit((unsigned char)argument[2]));
}

/* Gives an option its value: the attached text, or the next argument. */
static int take_value(crd_cli_options *options, crd_cli_option *option, const char *attached)
{
    const char *next = *options->next;
    if (option->argument == NULL) {
        if (attached != NULL)
            return crd_cli_misused(options, "--%s takes no value, found '%s'", option->name, attached);
        option->value = "true";
    } else if (attached != NULL) {
        option->value = attached;
    } else if (next != NULL && !is_option(next)) {
        option->value = next;
        options->next++;
    } else if (next != NULL) {
        return crd_cli_misused(options,
                               "--%s needs a value (%s), and '%s' looks like an option; write --%s=%s to mean it",
                               option->name, option->argument, next, option->name, next);
    } else {
        return crd_cli_misused(options, "--%s needs a value (%s)", option->name, option->argument);
    }
    if (option->repeatable) {
        options->repeated =
            crd_cli_allocate(options->repeated, (size_t)(options->repeats + 1) * sizeof *options->repeated);
        options->repeated[options->repeats++] = (struct crd_cli_given_value){option, option->value};
    }
    return CRD_CLI_DONE;
}

static int parse_long(crd_cli_options *options, const char *name)
{
    size_t length = strcspn(name, "=");
    const char *attached = name[length] == '=' ? name + length + 1 : NULL;
    crd_cli_option *option = find_name(options, name, length);
    if (option != NULL) return take_value(options, option, attached);
    if (length > 3 && strncmp(name, "no-", 3) == 0) {
        option = find_name(options, name + 3, length - 3);
        if (option != NULL && option->negatable && attached == NULL) {
            option->value = "false";
            return CRD_CLI_DONE;
        }
    }
    return unknown_option(options, name, length);
}

static int parse_short(crd_cli_options *options, const char *letter)
{
    for (; *letter != '\0'; letter++) {
        crd_cli_option *option = find_letter(options, *letter);
        if (option == NULL) return crd_cli_misused(options, "unknown option -%c", *letter);
        if (option->argument != NULL) return take_value(options, option, letter[1] != '\0' ? letter + 1 : NULL);
        option->value = "true";
    }
    return CRD_CLI_DONE;
}

/* How many arguments the command requires. */
static int required(const crd_cli_command *command)
{
    int count = 0;
    while (count < CRD_CLI_MAX_POSITIONAL && command->positional[count] != NULL) count++;
    return count;
}

static int add_word(crd_cli_options *options, const char *argument)
{
    if (options->command->any_number == NULL && options->words == required(options->command))
        return crd_cli_misused(options, "'%s' is one argument too many", argument);
    options->word = crd_cli_allocate(options->word, (size_t)(options->words + 1) * sizeof *options->word);
    options->word[options->words++] = argument;
    return CRD_CLI_DONE;
}

static bool is_in_range(const crd_cli_option *option)
{
    int64_t whole;
    double number;
    if (isspace((unsigned char)option->value[0]) || !crd_parse_double(option->value, &number)) return false;
    if (option->sort == CRD_CLI_WHOLE && !crd_parse_int64(option->value, &whole)) return false;
    return isfinite(number) && number >= option->least && number <= option->most;
}

/* "--format: expected one of csv npz jsonl, found 'x'", "--jobs: expected a whole number from 0 to 9, found 'x'" */
static int check_value(const crd_cli_options *options, const crd_cli_option *option)
{
    char range[64] = "";
    if (option->choices != NULL && choice_of(option->choices, option->value) < 0)
        return crd_cli_misused(options, "--%s: expected one of %s, found '%s'", option->name, option->choices,
                               option->value);
    if (option->sort == CRD_CLI_TEXT || is_in_range(option)) return CRD_CLI_DONE;
    if (isfinite(option->most)) snprintf(range, sizeof range, " from %.10g to %.10g", option->least, option->most);
    else if (isfinite(option->least)) snprintf(range, sizeof range, " of at least %.10g", option->least);
    return crd_cli_misused(options, "--%s: expected a %s%s, found '%s'", option->name,
                           option->sort == CRD_CLI_WHOLE ? "whole number"
                           : range[0] != '\0'            ? "number"
                                                         : "finite number",
                           range, option->value);
}

static int check_values(const crd_cli_options *options)
{
    int code = CRD_CLI_DONE;
    for (int i = 0; i < options->count && code == CRD_CLI_DONE; i++)
        if (options->option[i].value != NULL) code = check_value(options, &options->option[i]);
    for (int i = 0; i < CRD_CLI_MAX_EXCLUSIVE && code == CRD_CLI_DONE; i++) {
        const char *const *pair = options->command->exclusive[i];
        if (pair[0] != NULL && crd_cli_given(options, pair[0]) && crd_cli_given(options, pair[1]))
            code = crd_cli_misused(options, "--%s and --%s contradict each other", pair[0], pair[1]);
    }
    return code;
}

int crd_cli_parse(crd_cli_options *options, const char *const *arguments)
{
    const crd_cli_command *command = options->command;
    int code = CRD_CLI_DONE;
    bool options_end = false;
    options->next = arguments;
    while (code == CRD_CLI_DONE && *options->next != NULL) {
        const char *argument = *options->next++;
        if (options_end || argument[0] != '-' || argument[1] == '\0') {
            code = add_word(options, argument);
        } else if (strcmp(argument, "--") == 0) {
            options_end = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            options->help = true;
            return CRD_CLI_DONE;
        } else if (argument[1] == '-') {
            code = parse_long(options, argument + 2);
        } else {
            code = parse_short(options, argument + 1);
        }
    }
    const char *last = command->or_option != NULL ? crd_cli_value(options, command->or_option) : NULL;
    if (code == CRD_CLI_DONE && last != NULL && options->words >= required(command) - 1) code = add_word(options, last);
    if (code != CRD_CLI_DONE) return code;
    if (options->words < required(command))
        return crd_cli_misused(options, "%s needs %s", command->name, command->positional[options->words]);
    if (command->required != NULL && !crd_cli_given(options, command->required))
        return crd_cli_misused(options, "%s needs --%s", command->name, command->required);
    return check_values(options);
}
