/* SPDX-License-Identifier: MIT */
/* credence: node classification that knows when it does not know. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

static const crd_cli_command *const commands[] = {
    &crd_cli_train, &crd_cli_predict, &crd_cli_evaluate, &crd_cli_explain, &crd_cli_report,
    &crd_cli_tune,  &crd_cli_info,    &crd_cli_convert,  &crd_cli_map,     &crd_cli_generate,
    &crd_cli_fetch, &crd_cli_demo,    &crd_cli_compare,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* If a stream was closed before the start, the next file opened would take its place. So it is filled with one that
 * refuses the wrong direction: using it is an error. */
static void secure_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) == -1) (void)!open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
    /* Exceeding the limit on file sizes is a failed write, reported like any other. */
    signal(SIGXFSZ, SIG_IGN);
}

static const crd_cli_command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static int unknown_command(const char *typed)
{
    crd_cli_guess guess = {.typed = typed};
    for (int i = 0; i < COMMANDS; i++) crd_cli_offer(&guess, commands[i]->name);
    crd_cli_offer(&guess, "--version");
    crd_cli_offer(&guess, "--help");
    return crd_cli_failf(CRD_CLI_MISUSED, "unknown %s '%s'%s; see 'credence --help'",
                         typed[0] == '-' ? "option" : "command", typed, guess.text);
}

int crd_cli_run_command(const char *program, const crd_cli_command *command, const char *const *arguments)
{
    crd_cli_options options = {.program = program, .command = command};
    command->declare(&options);
    int code = crd_cli_parse(&options, arguments);
    if (code == CRD_CLI_DONE && options.help) crd_cli_print_help(&options, stdout);
    else if (code == CRD_CLI_DONE) code = command->run(&options);
    crd_cli_free(&options);
    return code;
}

static int dispatch(const char *program, const char *const *arguments)
{
    const char *first = arguments[0];
    if (first == NULL) return crd_cli_failf(CRD_CLI_MISUSED, "no command was given; see 'credence --help'");
    if (strcmp(first, "--version") == 0) {
        printf("credence %s\n", crd_version());
        return CRD_CLI_DONE;
    }
    if (strcmp(first, "--describe") == 0) return crd_cli_describe(commands, COMMANDS);
    /* "help COMMAND" is "COMMAND --help". */
    if (strcmp(first, "help") == 0)
        return dispatch(program, (const char *[]){arguments[1] != NULL ? arguments[1] : "--help", "--help", NULL});
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        crd_cli_print_overview(commands, COMMANDS, stdout);
        return CRD_CLI_DONE;
    }
    const crd_cli_command *command = find_command(first);
    return command == NULL ? unknown_command(first) : crd_cli_run_command(program, command, arguments + 1);
}

int main(int argc, char **argv)
{
    secure_streams();
    int code = dispatch(argc > 0 ? argv[0] : "credence", (const char *const *)argv + (argc > 0));
    /* The first failure is reported already; a second line would only bury it. */
    if (code != CRD_CLI_DONE) return code;
    return crd_cli_finish_output();
}
