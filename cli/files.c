/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "credence_private.h"

/* Room for the temporary name beside the target: a dot in front, a dot and six characters behind. */
enum { LONGEST_NAME = 255 - 8 };

static int cannot_write(const char *path, const char *why)
{
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write: %s", path, why);
}

static bool same_file(const struct stat *facts, const char *input)
{
    struct stat other;
    return input != NULL && strcmp(input, "-") != 0 && stat(input, &other) == 0 && !S_ISCHR(facts->st_mode) &&
           other.st_dev == facts->st_dev && other.st_ino == facts->st_ino;
}

/* Whether a file can be written in its folder is tried out: permissions alone do not tell (read-only file systems,
 * quotas, /proc). */
int crd_cli_check_output(const char *path, const char *input, bool may_be_folder)
{
    struct stat facts;
    crd_error error;
    crd_outfile *file;
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    if (strcmp(path, "-") == 0) return CRD_CLI_DONE;
    if (path[0] == '\0') return crd_cli_failf(CRD_CLI_MISUSED, "the output's name is empty");
    const bool there = stat(path, &facts) == 0;
    if (!there && errno != ENOENT) return cannot_write(path, strerror(errno));
    if (there && same_file(&facts, input))
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: is both the input and the output", path);
    if (there && S_ISDIR(facts.st_mode)) {
        if (may_be_folder) return CRD_CLI_DONE;
        return crd_cli_failf(CRD_CLI_FAILED, "%s: is a folder, expected a file to write", path);
    }
    if (there && access(path, W_OK) != 0) return cannot_write(path, strerror(errno));
    if (there && !S_ISREG(facts.st_mode)) return CRD_CLI_DONE;
    if (name[0] == '\0' && may_be_folder) return CRD_CLI_DONE; /* "new/": making the folder tells */
    if (name[0] == '\0') return cannot_write(path, "a file name was expected after the last '/'");
    if (strlen(name) > LONGEST_NAME) return cannot_write(path, strerror(ENAMETOOLONG));
    if (crd_outfile_open(path, &file, &error) != CRD_OK) return crd_cli_fail(&error);
    crd_outfile_discard(&file);
    return CRD_CLI_DONE;
}

/* Whether an option's argument names something that is read. */
static bool is_read(const crd_cli_option *option, const char *but)
{
    static const char *const files[] = {"FILE", "MODEL", "DATA"};
    bool read = false;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && option->argument != NULL; i++)
        read = read || strcmp(option->argument, files[i]) == 0;
    return read && option->letter != 'o' && strcmp(option->name, "log") != 0 &&
           (but == NULL || strcmp(option->name, but) != 0);
}

int crd_cli_check_output_apart(const crd_cli_options *options, const char *path, const char *but)
{
    int code = CRD_CLI_DONE;
    for (int i = 0; i < options->words && code == CRD_CLI_DONE; i++)
        code = crd_cli_check_output(path, options->word[i], false);
    for (int i = 0; i < options->count && code == CRD_CLI_DONE; i++)
        if (options->option[i].value != NULL && is_read(&options->option[i], but))
            code = crd_cli_check_output(path, options->option[i].value, false);
    return code;
}

void crd_cli_add_table(crd_cli_options *options, const char *help)
{
    crd_cli_add(options, 'o', "output", "OUT", "-", help);
    crd_cli_add_choice(options, "format", "FORMAT", "auto", "auto csv npz jsonl",
                       "csv, npz, jsonl, or auto: by the ending of OUT");
}

int crd_cli_check_table(const crd_cli_options *options, crd_table_format *format)
{
    static const crd_table_format formats[] = {CRD_TABLE_AUTO, CRD_TABLE_CSV, CRD_TABLE_NPZ, CRD_TABLE_JSONL};
    const char *path = crd_cli_setting(options, "output");
    crd_error error;
    *format = formats[crd_cli_choice(options, "format")];
    if (*format == CRD_TABLE_AUTO && crd_table_format_of(path, format, &error) != CRD_OK) return crd_cli_fail(&error);
    return crd_cli_check_output_apart(options, path, NULL);
}

int crd_cli_write_text(const char *path, const char *text)
{
    crd_error error;
    crd_outfile *file;
    crd_status status = crd_outfile_open(path, &file, &error);
    if (status == CRD_OK) {
        crd_outfile_text(file, text);
        status = crd_outfile_commit(&file, &error);
    }
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

int crd_cli_write_in(const char *folder, const char *name, char *text)
{
    char *path = crd_cli_text("%s/%s", folder, name);
    int code = crd_cli_write_text(path, text);
    free(path);
    free(text);
    return code;
}
