#include "config_text.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"

bool crd_cli_option_of_run(const char *option)
{
    return strcmp(option, "seed") == 0 || strcmp(option, "threads") == 0 || strcmp(option, "left-out") == 0;
}

char *crd_cli_config_value(const crd_config *config, const char *option)
{
    crd_error error;
    char *value = NULL;
    if (crd_config_get(config, option, &value, &error) != CRD_OK) exit(crd_cli_fail(&error));
    return value;
}

char *crd_cli_config_text(const crd_config *config, crd_cli_config_part part, bool lines)
{
    static const char *const not_of_choice[] = {"seed", "left-out", "threads", NULL};
    crd_error error;
    char *json;
    const char *const *without = part == CRD_CLI_OF_RUN ? not_of_choice + 2 : not_of_choice;
    if (crd_config_json_without(config, without, lines, &json, &error) != CRD_OK) exit(crd_cli_fail(&error));
    return json;
}

const crd_option *crd_cli_find_option(const char *name, size_t length)
{
    for (int i = 0; i < crd_option_count(); i++) {
        const crd_option *option = crd_option_at(i);
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) return option;
    }
    return NULL;
}

static void offer_options(crd_cli_guess *guess)
{
    for (int i = 0; i < crd_option_count(); i++) crd_cli_offer(guess, crd_option_at(i)->name);
}

crd_status crd_cli_config_read(crd_config *config, const char *file, crd_error *error)
{
    crd_status status = crd_config_read(config, file, error);
    const size_t length = status != CRD_OK ? strlen(error->message) : 0;
    if (length == 0 || error->about[0] == '\0' || crd_cli_find_option(error->about, strlen(error->about)) != NULL ||
        strcmp(error->about, "preset") == 0)
        return status;
    crd_cli_guess guess = {.typed = error->about};
    offer_options(&guess);
    snprintf(error->message + length, sizeof error->message - length, "%s", guess.text);
    return status;
}

int crd_cli_unknown_option(const char *given_as, const char *name, size_t length)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), name);
    crd_cli_guess guess = {.typed = typed};
    offer_options(&guess);
    return crd_cli_failf(CRD_CLI_MISUSED, "%s: '%s' is no option of training%s", given_as, typed, guess.text);
}
