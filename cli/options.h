/* SPDX-License-Identifier: MIT */
/* The command line: one table of options per command. Parsing, help, the option sections of the manual pages and
 * the shells' completions all come from it. */
#ifndef CREDENCE_CLI_OPTIONS_H
#define CREDENCE_CLI_OPTIONS_H

#include "output.h"

typedef enum crd_cli_sort { CRD_CLI_TEXT, CRD_CLI_WHOLE, CRD_CLI_NUMBER } crd_cli_sort;

typedef struct crd_cli_option {
    char letter;          /* 'o' for -o; 0 if it has none */
    const char *name;     /* without the dashes */
    const char *argument; /* NULL for a switch */
    char shown_default[32];
    const char *help;
    crd_cli_sort sort;         /* a whole or any finite number must be given */
    double least, most;        /* of a number; -INFINITY, INFINITY: it has no end */
    const char *choices;       /* the allowed values, separated by blanks; NULL: any */
    const char *suggestions;   /* likewise, for completions alone: something else checks the value. @models,
                                * @presets, @graphs stand for the names of these */
    const char *const *values; /* likewise, as the library has them; NULL ends the list */
    bool negatable;            /* a switch that --no-NAME turns off */
    const char *value;         /* NULL if it was not given; "true" or "false" for a switch; the last one given */
    bool repeatable;           /* every value counts: crd_cli_repeated */
} crd_cli_option;

enum { CRD_CLI_MAX_POSITIONAL = 2, CRD_CLI_MAX_EXCLUSIVE = 4 };

typedef struct crd_cli_options {
    const char *program; /* as the user called it, for suggested commands */
    const struct crd_cli_command *command;
    crd_cli_option *option;
    int count, capacity;
    struct crd_cli_given_value {
        const crd_cli_option *option;
        const char *value;
    } * repeated; /* the values of repeatable options, as they were given */
    int repeats;
    const char **word; /* the arguments that are no options: at least as many as the command requires */
    int words;
    const char *const *next; /* while parsing: what comes next on the command line; NULL ends it */
    bool help;               /* --help was given: nothing else counts */
} crd_cli_options;

/* The headings of the list of commands, in their order. */
typedef enum crd_cli_group { CRD_CLI_OWN_GRAPH, CRD_CLI_BETTER_MODELS, CRD_CLI_GRAPHS, CRD_CLI_GROUPS } crd_cli_group;

typedef struct crd_cli_command {
    const char *name;
    crd_cli_group group;
    const char *summary;                             /* half a line, for the list of commands */
    const char *description;                         /* for its own help */
    const char *positional[CRD_CLI_MAX_POSITIONAL];  /* names, all required: "DATA" */
    const char *or_option;                           /* an option that may stand for the last of them, or NULL */
    const char *any_number;                          /* then an argument that comes any number of times, or NULL */
    const char *required;                            /* an option that must be given, or NULL */
    const char *exclusive[CRD_CLI_MAX_EXCLUSIVE][2]; /* pairs of options that contradict each other */
    void (*declare)(crd_cli_options *options);       /* adds the command's options */
    void (*more_help)(FILE *stream);                 /* what help shows last; NULL: nothing */
    int (*run)(const crd_cli_options *options);      /* returns the exit code */
} crd_cli_command;

extern const crd_cli_command crd_cli_train, crd_cli_predict, crd_cli_evaluate, crd_cli_explain, crd_cli_info,
    crd_cli_convert, crd_cli_generate, crd_cli_demo, crd_cli_fetch, crd_cli_tune, crd_cli_compare, crd_cli_map,
    crd_cli_report;

/* Parses the arguments (NULL ends them), runs the command, or shows its help if that is asked for. Returns the exit
 * code. */
int crd_cli_run_command(const char *program, const crd_cli_command *command, const char *const *arguments);

/* Adds an option to the table; shown_default may be NULL. The strings must outlive the table. */
crd_cli_option *crd_cli_add(crd_cli_options *options, char letter, const char *name, const char *argument,
                            const char *shown_default, const char *help);
/* Adds an option with a choice of values; `choices` are separated by blanks. */
crd_cli_option *crd_cli_add_choice(crd_cli_options *options, const char *name, const char *argument,
                                   const char *shown_default, const char *choices, const char *help);
/* Add an option with a number from `least` to `most` (INFINITY: without end); `usual` is its default, NAN: none. */
crd_cli_option *crd_cli_add_whole(crd_cli_options *options, const char *name, int64_t usual, double least, double most,
                                  const char *help);
crd_cli_option *crd_cli_add_number(crd_cli_options *options, const char *name, double usual, double least, double most,
                                   const char *help);
/* Options that several commands share. */
void crd_cli_add_seed(crd_cli_options *options, const char *help);
void crd_cli_add_data(crd_cli_options *options);
void crd_cli_add_threads(crd_cli_options *options);
void crd_cli_add_json(crd_cli_options *options);
void crd_cli_add_quiet(crd_cli_options *options);

/* Parses the arguments after the command's name, up to NULL. Returns the exit code and reports what is wrong. */
int crd_cli_parse(crd_cli_options *options, const char *const *arguments);
void crd_cli_free(crd_cli_options *options);

/* The value given, or NULL. */
const char *crd_cli_value(const crd_cli_options *options, const char *name);
/* Every value of a repeatable option, in order; NULL for an index past the end. */
const char *crd_cli_repeated(const crd_cli_options *options, const char *name, int index);
/* The value given, or else the default that help shows. */
const char *crd_cli_setting(const crd_cli_options *options, const char *name);
bool crd_cli_given(const crd_cli_options *options, const char *name);
/* Whether the value was given and is this one. */
bool crd_cli_is(const crd_cli_options *options, const char *name, const char *value);

/* The setting as the index of a choice or as a number, which parsing has checked; 0 if there is no default. */
int crd_cli_choice(const crd_cli_options *options, const char *name);
int64_t crd_cli_whole(const crd_cli_options *options, const char *name);
double crd_cli_number(const crd_cli_options *options, const char *name);

/* crd_cli_fail for an error that may be about an option of the command: its name then gets its dashes. */
int crd_cli_fail_about(const crd_cli_options *options, const crd_error *error);
/* A usage error: reports it, points to the command's help, returns the exit code. */
int crd_cli_misused(const crd_cli_options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a mistyped name may have meant. Set the first fields, offer the known names one by one, and end the message
 * with `text`. */
typedef struct crd_cli_guess {
    const char *typed;
    const char *before; /* stands before a name, as in "--lr"; NULL: nothing */
    int rank;
    char text[96]; /* " (did you mean NAME?)", or "" if no name is near */
} crd_cli_guess;
void crd_cli_offer(crd_cli_guess *guess, const char *name);

/* Finds the next word in a text of words separated by blanks. Returns its length, 0 at the end, and moves *text to
 * its beginning. Add the length to go on. */
size_t crd_cli_next_word(const char **text);

/* The usage, the description, and every option with its default. */
void crd_cli_print_help(const crd_cli_options *options, FILE *stream);
/* The commands, by group. */
void crd_cli_print_overview(const crd_cli_command *const *commands, int count, FILE *stream);
/* Prints every command with its options, the public graphs, the models and the presets as one JSON object on
 * standard output. The manual pages and the completions are made from it (scripts/docs.py). Returns the exit code. */
int crd_cli_describe(const crd_cli_command *const *commands, int count);

#endif
