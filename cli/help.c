/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "data.h"

enum { LINE = 80, COLUMN = 27 };

/* Prints words from the cursor's column on and breaks lines before their end. A tab is a space at which no line
 * breaks. */
static void print_wrapped(FILE *stream, const char *text, int column)
{
    for (int at = column; *text != '\0'; text += *text == ' ') {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > LINE) {
            fprintf(stream, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', stream);
            at++;
        }
        for (int i = 0; i < length; i++) fputc(text[i] == '\t' ? ' ' : text[i], stream);
        at += length;
        text += length;
    }
    fputc('\n', stream);
}

/* ---- help ---- */

static void print_option(FILE *stream, const crd_cli_option *option)
{
    int at = option->letter != 0 ? fprintf(stream, "  -%c, ", option->letter) : fprintf(stream, "      ");
    at += fprintf(stream, "--%s%s", option->negatable ? "[no-]" : "", option->name);
    if (option->argument != NULL) at += fprintf(stream, " %s", option->argument);
    if (at > COLUMN - 2) {
        fputc('\n', stream);
        at = 0;
    }
    fprintf(stream, "%*s", COLUMN - at, "");
    char *text = option->shown_default[0] != '\0'
                     ? crd_cli_text("%s [default:\t%s]", option->help, option->shown_default)
                     : crd_cli_text("%s", option->help);
    print_wrapped(stream, text, COLUMN);
    free(text);
}

void crd_cli_print_help(const crd_cli_options *options, FILE *stream)
{
    const crd_cli_command *command = options->command;
    fprintf(stream, "%sUsage:%s credence %s", crd_cli_bold(stream), crd_cli_plain(stream), command->name);
    for (int i = 0; i < CRD_CLI_MAX_POSITIONAL && command->positional[i] != NULL; i++)
        fprintf(stream, " %s", command->positional[i]);
    if (command->any_number != NULL) fprintf(stream, " [%s...]", command->any_number);
    for (int i = 0; i < options->count && command->required != NULL; i++) {
        const crd_cli_option *option = &options->option[i];
        if (strcmp(option->name, command->required) != 0) continue;
        if (option->letter != 0) fprintf(stream, " -%c %s", option->letter, option->argument);
        else fprintf(stream, " --%s %s", option->name, option->argument);
    }
    fprintf(stream, " [options]\n\n%s\n\n%sOptions:%s\n", command->description, crd_cli_bold(stream),
            crd_cli_plain(stream));
    for (int i = 0; i < options->count; i++) print_option(stream, &options->option[i]);
    const crd_cli_option help = {.letter = 'h', .name = "help", .help = "show this help"};
    print_option(stream, &help);
    if (command->more_help != NULL) command->more_help(stream);
}

static const char *const group_titles[CRD_CLI_GROUPS] = {
    [CRD_CLI_OWN_GRAPH] = "With a graph of your own",
    [CRD_CLI_BETTER_MODELS] = "Choosing a model",
    [CRD_CLI_GRAPHS] = "Graphs and pictures",
};

void crd_cli_print_overview(const crd_cli_command *const *commands, int count, FILE *stream)
{
    const char *bold = crd_cli_bold(stream), *plain = crd_cli_plain(stream);
    fprintf(stream,
            "%sUsage:%s credence COMMAND [arguments]\n\n"
            "Classifies the nodes of a graph and says which answers not to trust.\n",
            bold, plain);
    for (int group = 0; group < CRD_CLI_GROUPS; group++) {
        bool begun = false;
        for (int i = 0; i < count; i++) {
            if ((int)commands[i]->group != group) continue;
            if (!begun) fprintf(stream, "\n%s%s:%s\n", bold, group_titles[group], plain);
            begun = true;
            fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
        }
    }
    fputs("\n"
          "      --help     show this help; 'credence COMMAND --help' shows a command's options\n"
          "      --version  show the version\n\n"
          "New here? Type 'credence demo'.\n",
          stream);
}

/* ---- everything, for programs ---- */

static json_t *describe_values(const crd_cli_option *option)
{
    json_t *list = json_array();
    const char *text = option->choices != NULL ? option->choices : option->suggestions;
    for (size_t length; text != NULL && (length = crd_cli_next_word(&text)) > 0; text += length)
        json_array_append_new(list, json_stringn(text, length));
    for (const char *const *value = option->values; value != NULL && *value != NULL; value++)
        json_array_append_new(list, json_string(*value));
    return list;
}

static json_t *describe_option(const crd_cli_option *option)
{
    const char letter[2] = {option->letter, '\0'};
    const bool shown = option->shown_default[0] != '\0';
    return json_pack("{s:s?, s:s, s:s?, s:s?, s:s, s:b, s:o}", "letter", option->letter != 0 ? letter : NULL, "name",
                     option->name, "argument", option->argument, "default", shown ? option->shown_default : NULL,
                     "help", option->help, "negatable", (int)option->negatable, "values", describe_values(option));
}

static json_t *describe_command(const crd_cli_command *command)
{
    crd_cli_options options = {.program = "credence", .command = command};
    json_t *arguments = json_array(), *list = json_array();
    command->declare(&options);
    for (int i = 0; i < CRD_CLI_MAX_POSITIONAL && command->positional[i] != NULL; i++)
        json_array_append_new(arguments, json_string(command->positional[i]));
    for (int i = 0; i < options.count; i++) json_array_append_new(list, describe_option(&options.option[i]));
    crd_cli_free(&options);
    return json_pack("{s:s, s:s, s:s, s:o, s:s?, s:s?, s:o}", "name", command->name, "summary", command->summary,
                     "group", group_titles[command->group], "arguments", arguments, "any_number", command->any_number,
                     "required", command->required, "options", list);
}

static json_t *describe_graphs(void)
{
    json_t *list = json_array();
    for (int i = 0; i < crd_public_graph_count(); i++)
        json_array_append_new(list, crd_cli_graph_json(crd_public_graph_at(i)));
    return list;
}

static json_t *describe_names(int count, const char *(*name)(int), const char *(*help)(int))
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", name(i), "help", help(i)));
    return list;
}

int crd_cli_describe(const crd_cli_command *const *commands, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, describe_command(commands[i]));
    json_t *all = json_pack("{s:o, s:o, s:o, s:o}", "commands", list, "graphs", describe_graphs(), "models",
                            describe_names(crd_kind_count(), crd_kind_name, crd_kind_help), "presets",
                            describe_names(crd_preset_count(), crd_preset_name, crd_preset_help));
    char *text = json_dumps(all, JSON_INDENT(1));
    json_decref(all);
    if (text == NULL) return crd_cli_failf(CRD_CLI_FAILED, "out of memory");
    puts(text);
    free(text);
    return CRD_CLI_DONE;
}
