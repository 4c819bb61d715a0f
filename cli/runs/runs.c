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
    return true;
}

/* All bytes of a file; the caller frees them. NULL with errno set. */
static char *read_all(int file, size_t *size)
{
    char *bytes = NULL;
    size_t capacity = 0;
    *size = 0;
    for (;;) {
        if (capacity - *size < 65536) {
            capacity = 2 * capacity + 131072;
            bytes = crd_cli_allocate(bytes, capacity);
        }
        ssize_t more = pread(file, bytes + *size, capacity - *size - 1, (off_t)*size);
        if (more > 0) *size += (size_t)more;
        else if (more == 0) break;
        else if (errno != EINTR) {
            free(bytes);
            return NULL;
        }
    }
    bytes[*size] = '\0';
    return bytes;
}

char *crd_cli_read_text(const char *path)
{
    size_t size;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    char *text = read_all(file, &size);
    int failure = errno;
    close(file);
    errno = failure;
    return text;
}

/* Adds every line. A crash of the machine while writing leaves a line without its end: its beginning, or zeros.
 * *whole is where that line begins, or the file's size if there is none. *open_end: the last line lacks only its
 * line break. */
static int parse(crd_cli_runs *runs, const char *bytes, size_t size, size_t *whole, bool *open_end)
{
    int64_t number = 0;
    *whole = size;
    *open_end = false;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - bytes) - at : size - at;
        json_error_t problem;
        json_t *line = json_loadb(bytes + at, length, JSON_REJECT_DUPLICATES, &problem);
        number++;
        if (line == NULL && end == NULL && (bytes[at] == '{' || bytes[at] == '\0')) {
            *whole = at;
            return CRD_CLI_DONE;
        }
        if (line == NULL)
            return crd_cli_failf(CRD_CLI_FAILED, "%s: line %lld: not JSON: %s", runs->path, (long long)number,
                                 problem.text);
        if (!add_run(runs, line))
            return crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: line %lld: not a run, expected an object with task, data, title, "
                                 "model, seed, and metrics or an error",
                                 runs->path, (long long)number);
        *open_end = end == NULL;
        at += length + (end != NULL);
    }
    return CRD_CLI_DONE;
}

/* Such a lock belongs to the process and ends with it, however it ends; children do not inherit it. It is also lost
 * when the process closes the file, so the file is opened only once. */
static int lock(crd_cli_runs *runs)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(runs->file, F_SETLK, &whole) == 0) return CRD_CLI_DONE;
    if (errno != EACCES && errno != EAGAIN) return cannot(runs->path, "lock");
    whole = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(runs->file, F_GETLK, &whole) != 0 || whole.l_type == F_UNLCK) whole.l_pid = 0;
    return crd_cli_failf(CRD_CLI_FAILED,
                         "%s: is being written by another process (%ld); wait for its end, "
                         "or give another folder",
                         runs->path, (long)whole.l_pid);
}

/* A new file survives a crash only if its folder's entry is on disk too. */
static void keep_entry(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? crd_cli_text(".") : crd_cli_text("%.*s/", (int)(slash - path), path);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

static int load(crd_cli_runs *runs, int file, bool mend)
{
    size_t whole, size;
    bool open_end;
    char *bytes = read_all(file, &size);
    if (bytes == NULL) return cannot(runs->path, "read");
    int code = parse(runs, bytes, size, &whole, &open_end);
    free(bytes);
    if (code != CRD_CLI_DONE || !mend) return code;
    if (whole < size && ftruncate(file, (off_t)whole) != 0) return cannot(runs->path, "write");
    if (open_end && write(file, "\n", 1) != 1) return cannot(runs->path, "write");
    if (size == 0) keep_entry(runs->path);
    return CRD_CLI_DONE;
}

int crd_cli_runs_open(crd_cli_runs *runs, const char *path)
{
    *runs = (crd_cli_runs){.path = crd_cli_text("%s", path)};
    runs->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int code = runs->file < 0 ? cannot(path, "open") : lock(runs);
    if (code == CRD_CLI_DONE) code = load(runs, runs->file, true);
    if (code != CRD_CLI_DONE) crd_cli_runs_close(runs);
    return code;
}

int crd_cli_runs_read(crd_cli_runs *runs, const char *path)
{
    struct stat facts;
    bool folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    *runs = (crd_cli_runs){.path = crd_cli_text("%s%s", path, folder ? "/runs.jsonl" : ""), .file = -1};
    int file = open(runs->path, O_RDONLY | O_CLOEXEC);
    int code = file < 0 ? cannot(runs->path, "open") : load(runs, file, false);
    if (file >= 0) close(file);
    if (code != CRD_CLI_DONE) crd_cli_runs_close(runs);
    return code;
}

void crd_cli_runs_close(crd_cli_runs *runs)
{
    for (int64_t i = 0; i < runs->count; i++) json_decref(runs->run[i].line);
    free(runs->run);
    if (runs->file >= 0) close(runs->file);
    free(runs->path);
    *runs = (crd_cli_runs){.file = -1};
}

/* ---- appending ---- */

/* One write for the whole line, so that a killed process leaves a whole line or nothing. */
static bool write_line(int file, const char *bytes, size_t length)
{
    struct stat before;
    ssize_t sent;
    if (fstat(file, &before) != 0) return false;
    do {
        errno = 0;
        sent = write(file, bytes, length);
    } while (sent < 0 && errno == EINTR);
    bool written = sent == (ssize_t)length && fdatasync(file) == 0;
    if (!written && errno == 0) errno = ENOSPC; /* only a part was written: the disk is full */
    int failure = errno;
    if (sent > 0 && sent < (ssize_t)length) (void)!ftruncate(file, before.st_size);
    errno = failure;
    return written;
}

int crd_cli_runs_append(crd_cli_runs *runs, json_t *line)
{
    char *text = crd_cli_json_text(line), *bytes = crd_cli_text("%s\n", text);
    bool written = write_line(runs->file, bytes, strlen(bytes));
    int code = written ? CRD_CLI_DONE : cannot(runs->path, "write");
    free(bytes);
    if (!add_run(runs, line) && code == CRD_CLI_DONE)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: a line to append is not a run: %.200s", runs->path, text);
    free(text);
    return code;
}

/* ---- finding ---- */

static bool is_wanted(const json_t *line, const json_t *wanted)
{
    /* Fields that differ most often come first. */
    static const char *const keys[] = {"seed",  "model",       "data",        "task",  "shift",
                                       "split", "split_index", "fingerprint", "config"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!crd_cli_json_same(line, wanted, keys[i])) return false;
    return true;
}

const crd_cli_run *crd_cli_runs_find(const crd_cli_runs *runs, const json_t *wanted)
{
    const crd_cli_run *found = NULL;
    for (int64_t i = 0; i < runs->count; i++) {
        const crd_cli_run *run = &runs->run[i];
        if (run->failed && found != NULL && !found->failed) continue;
        if (is_wanted(run->line, wanted)) found = run;
    }
    return found;
}

int64_t crd_cli_runs_others(const crd_cli_runs *runs, json_t *const *wanted, int64_t count)
{
    int64_t others = 0;
    for (int64_t i = 0; i < runs->count; i++) {
        bool found = runs->run[i].failed;
        for (int64_t w = 0; w < count && !found; w++) found = is_wanted(runs->run[i].line, wanted[w]);
        others += !found;
    }
    return others;
}

double crd_cli_runs_seconds(const crd_cli_runs *runs)
{
    double seconds = 0.0;
    for (int64_t i = 0; i < runs->count; i++)
        seconds += json_number_value(json_object_get(runs->run[i].line, "seconds"));
    return seconds;
}

/* ---- the folder ---- */

int crd_cli_make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return CRD_CLI_DONE;
    return cannot(path, "create the folder");
}

/* Frees both texts. */
static char *joined(char *text, const char *before, char *word)
{
    char *longer = crd_cli_text("%s%s%s", text, before, word);
    free(word);
    free(text);
    return longer;
}

static char *command_text(const crd_cli_options *options, const char *recorded)
{
    char *text = crd_cli_text("credence %s", options->command->name);
    for (int i = -1; i < options->words; i++)
        text = joined(text, " ", crd_cli_shell_text(i < 0 ? options->positional[0] : options->word[i]));
    for (size_t length; *recorded != '\0'; recorded += length + (recorded[length] == ' ')) {
        length = strcspn(recorded, " ");
        char *name = crd_cli_text("%.*s", (int)length, recorded), *before = crd_cli_text(" --%s ", name);
        const char *value = crd_cli_value(options, name);
        if (value != NULL) text = joined(text, before, crd_cli_shell_text(value));
        free(before);
        free(name);
    }
    char *line = crd_cli_printable(text);
    free(text);
    return line;
}

static bool has_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, line, length) == 0 && (at[length] == '\n' || at[length] == '\0')) return true;
    return false;
}

int crd_cli_record_command(const crd_cli_options *options, const char *recorded, const char *folder)
{
    char *path = crd_cli_text("%s/command.txt", folder), *line = command_text(options, recorded);
    char *old = crd_cli_read_text(path);
    int code = CRD_CLI_DONE;
    if (old == NULL && errno != ENOENT) {
        code = cannot(path, "read");
    } else if (old == NULL || !has_line(old, line)) {
        size_t length = old == NULL ? 0 : strlen(old);
        char *text =
            crd_cli_text("%s%s%s\n", old == NULL ? "" : old, length > 0 && old[length - 1] != '\n' ? "\n" : "", line);
        code = crd_cli_write_text(path, text);
        free(text);
    }
    free(old);
    free(line);
    free(path);
    return code;
}

json_t *crd_cli_recorded_commands(const char *folder)
{
    json_t *commands = json_array();
    char *path = crd_cli_text("%s/command.txt", folder), *text = crd_cli_read_text(path), *rest = NULL;
    for (char *line = text == NULL ? NULL : strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        crd_cli_json_append(commands, crd_cli_json_string(line));
    free(text);
    free(path);
    return commands;
}
