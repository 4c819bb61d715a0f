/* SPDX-License-Identifier: MIT */
#include "runs/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

static int cannot(const char *path, const char *what)
{
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot %s: %s", path, what, strerror(errno));
}

/* ---- finding ---- */

/* The values of the fields of a key, as a text; the caller frees it. */
static char *key_of(const char *fields, const json_t *line)
{
    json_t *object = json_object();
    for (size_t length; (length = crd_cli_next_word(&fields)) > 0; fields += length) {
        char *field = crd_cli_text("%.*s", (int)length, fields);
        crd_cli_json_set(object, field, crd_cli_json_copied(line, field));
        free(field);
    }
    char *key = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(object);
    if (key == NULL) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
    return key;
}

/* Of the run that was added last. */
static void add_place(crd_cli_runs *runs, const json_t *line)
{
    char *key = key_of(runs->key, line);
    if (json_object_get(runs->places, key) == NULL) crd_cli_json_set(runs->places, key, json_array());
    crd_cli_json_append(json_object_get(runs->places, key), json_integer(runs->count - 1));
    free(key);
}

const json_t *crd_cli_runs_like(const crd_cli_runs *runs, const json_t *line)
{
    char *key = key_of(runs->key, line);
    const json_t *places = json_object_get(runs->places, key);
    free(key);
    return places;
}

const crd_cli_run *crd_cli_runs_find(const crd_cli_runs *runs, const json_t *line)
{
    const crd_cli_run *found = NULL;
    const json_t *places = crd_cli_runs_like(runs, line);
    for (size_t i = 0; i < json_array_size(places); i++) {
        const crd_cli_run *run = &runs->run[json_integer_value(json_array_get(places, i))];
        if (found == NULL || found->failed || !run->failed) found = run;
    }
    return found;
}

/* ---- reading ---- */

/* Takes a parsed line and its reference. False if it is not a run; the reference is then released. */
static bool add_run(crd_cli_runs *runs, json_t *line)
{
    const json_t *seed = json_object_get(line, "seed"), *left_out = crd_cli_json_at(line, "config.left-out");
    crd_cli_run run = {
        .task = crd_cli_json_string_at(line, "task"),
        .data = crd_cli_json_string_at(line, "data"),
        .title = crd_cli_json_string_at(line, "title"),
        .model = crd_cli_json_string_at(line, "model"),
        .shift = crd_cli_json_string_at(line, "shift"),
        .left_out = json_is_integer(left_out) ? json_integer_value(left_out) : -1,
        .left_out_classes = crd_cli_json_string_at(line, "left_out_classes"),
        .left_out_each = json_is_true(json_object_get(line, "left_out_each")),
        .inductive = json_is_true(crd_cli_json_at(line, "config.inductive")),
        .failed = json_is_string(json_object_get(line, "error")),
        .line = line,
    };
    bool whole = run.task != NULL && run.data != NULL && run.title != NULL && run.model != NULL &&
                 json_is_integer(seed) && json_integer_value(seed) >= 0 &&
                 (run.failed || json_is_object(json_object_get(line, "metrics")));
    if (!whole) {
        json_decref(line);
        return false;
    }
    run.seed = (uint64_t)json_integer_value(seed);
    if (runs->count == runs->capacity) {
        runs->capacity = runs->capacity == 0 ? 256 : 2 * runs->capacity;
        runs->run = crd_cli_allocate(runs->run, (size_t)runs->capacity * sizeof *runs->run);
    }
    runs->run[runs->count++] = run;
    if (runs->key != NULL) add_place(runs, line);
    return true;
}

/* Adds every line. A crash of the machine while writing leaves a last line without its end: its beginning, or zeros.
 * It is passed over. `mend`: makes the file end with a whole line. */
static int load(crd_cli_runs *runs, bool mend)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    int code = CRD_CLI_DONE;
    bool whole = true, torn = false;
    off_t end = 0; /* of the last line that counts */
    for (long long number = 1; code == CRD_CLI_DONE && (length = getline(&text, &room, runs->file)) > 0; number++) {
        json_error_t problem;
        json_t *line = json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &problem);
        whole = text[length - 1] == '\n';
        torn = line == NULL && !whole && (text[0] == '{' || text[0] == '\0');
        if (line == NULL && !torn)
            code = crd_cli_failf(CRD_CLI_FAILED, "%s: line %lld: not JSON: %s", runs->path, number, problem.text);
        else if (line != NULL && !add_run(runs, line))
            code = crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: line %lld: not a run, expected an object with task, data, title, "
                                 "model, seed, and metrics or an error",
                                 runs->path, number);
        if (!torn) end += length;
    }
    free(text);
    runs->earlier = runs->count;
    if (code == CRD_CLI_DONE && ferror(runs->file)) return cannot(runs->path, "read");
    if (code != CRD_CLI_DONE || whole || !mend) return code;
    const bool mended = torn ? ftruncate(fileno(runs->file), end) == 0 : write(fileno(runs->file), "\n", 1) == 1;
    return mended ? CRD_CLI_DONE : cannot(runs->path, "write");
}

int crd_cli_runs_read(crd_cli_runs *runs, const char *path)
{
    struct stat facts;
    bool folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    free(runs->path);
    runs->path = crd_cli_text("%s%s", path, folder ? "/runs.jsonl" : "");
    runs->file = fopen(runs->path, "re");
    if (runs->file == NULL) return cannot(runs->path, "open");
    int code = load(runs, false);
    fclose(runs->file);
    runs->file = NULL;
    return code;
}

void crd_cli_runs_close(crd_cli_runs *runs)
{
    for (int64_t i = 0; i < runs->count; i++) json_decref(runs->run[i].line);
    free(runs->run);
    json_decref(runs->places);
    if (runs->file != NULL) fclose(runs->file);
    free(runs->path);
    *runs = (crd_cli_runs){0};
}

/* ---- the folder ---- */

/* Such a lock belongs to the process and ends with it, however it ends; children do not inherit it. It is also lost
 * when the process closes the file, so the file is opened only once. */
static int lock(crd_cli_runs *runs)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(runs->file), F_SETLK, &whole) == 0) return CRD_CLI_DONE;
    if (errno != EACCES && errno != EAGAIN) return cannot(runs->path, "lock");
    whole = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(runs->file), F_GETLK, &whole) != 0 || whole.l_type == F_UNLCK) whole.l_pid = 0;
    return crd_cli_failf(CRD_CLI_FAILED,
                         "%s: is being written by another process (%ld); wait for its end, "
                         "or give another folder",
                         runs->path, (long)whole.l_pid);
}

/* A new file survives a crash only if its folder's entry is on disk too. */
static void keep_entry(const char *folder)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

char *crd_cli_command_text(const crd_cli_options *options)
{
    static const char not_recorded[] = "output trials-dir jobs threads format";
    char *text = crd_cli_text("credence %s", options->command->name);
    for (int i = 0; i < options->words; i++) {
        char *word = crd_cli_shell_text(options->word[i]);
        crd_cli_append(&text, " %s", word);
        free(word);
    }
    for (int i = 0; i < options->count; i++) {
        const crd_cli_option *option = &options->option[i];
        if (option->value == NULL || option->argument == NULL || crd_cli_has_word(not_recorded, option->name)) continue;
        char *value = crd_cli_shell_text(option->value);
        crd_cli_append(&text, " --%s %s", option->name, value);
        free(value);
    }
    char *line = crd_cli_printable(text);
    free(text);
    return line;
}

json_t *crd_cli_commands(const char *folder)
{
    json_t *commands = json_array();
    char *path = crd_cli_text("%s/command.txt", folder), *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        crd_cli_json_append(commands, crd_cli_json_string(line));
    }
    if (file != NULL) fclose(file);
    free(line);
    free(path);
    return commands;
}

/* Each command appears once in command.txt, however often it was resumed. */
static int record_command(const crd_cli_options *options, const char *folder)
{
    char *path = crd_cli_text("%s/command.txt", folder), *command = crd_cli_command_text(options);
    json_t *commands = crd_cli_commands(folder), *ours = crd_cli_json_string(command);
    bool known = false;
    for (size_t i = 0; i < json_array_size(commands); i++)
        known = known || json_equal(json_array_get(commands, i), ours);
    FILE *file = fopen(path, "a");
    if (file != NULL && !known) fprintf(file, "%s\n", command);
    int code = file != NULL && fclose(file) == 0 ? CRD_CLI_DONE : cannot(path, "write");
    json_decref(commands);
    json_decref(ours);
    free(command);
    free(path);
    return code;
}

int crd_cli_runs_open(crd_cli_runs *runs, const crd_cli_options *options, const char *folder, const char *name,
                      const char *key)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return cannot(folder, "create the folder");
    *runs = (crd_cli_runs){.path = crd_cli_text("%s/%s", folder, name), .key = key, .places = json_object()};
    runs->file = fopen(runs->path, "a+e");
    int code = runs->file == NULL ? cannot(runs->path, "open") : lock(runs);
    if (code == CRD_CLI_DONE) rewind(runs->file);
    if (code == CRD_CLI_DONE) code = load(runs, true);
    if (code == CRD_CLI_DONE) code = record_command(options, folder);
    if (code == CRD_CLI_DONE) keep_entry(folder);
    else crd_cli_runs_close(runs);
    return code;
}

/* ---- appending ---- */

/* One write for the whole line, so that a killed process leaves a whole line or nothing. */
static bool write_line(int file, const char *bytes, size_t length)
{
    struct stat before;
    if (fstat(file, &before) != 0) return false;
    errno = ENOSPC; /* if only a part is written, the disk is full */
    if (write(file, bytes, length) == (ssize_t)length && fdatasync(file) == 0) return true;
    const int failure = errno;
    (void)!ftruncate(file, before.st_size);
    errno = failure;
    return false;
}

int crd_cli_runs_append(crd_cli_runs *runs, json_t *line)
{
    char *text = crd_cli_json_text(line), *bytes = crd_cli_text("%s\n", text);
    int code = write_line(fileno(runs->file), bytes, strlen(bytes)) ? CRD_CLI_DONE : cannot(runs->path, "write");
    if (!add_run(runs, line) && code == CRD_CLI_DONE)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: a line to append is not a run: %.200s", runs->path, text);
    free(bytes);
    free(text);
    return code;
}
