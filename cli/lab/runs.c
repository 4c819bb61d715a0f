#include "lab/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/models.h"

static int cannot(const char *path, const char *what)
{
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot %s: %s", path, what, strerror(errno));
}

/* Takes a parsed line, whose reference it keeps or gives back; false if it is no run. */
static bool add_run(crd_lab_runs *runs, json_t *line)
{
    const json_t *seed = json_object_get(line, "seed"), *config = json_object_get(line, "config");
    const json_t *left_out = json_object_get(config, "left-out");
    crd_lab_run run = {
        .task = json_string_value(json_object_get(line, "task")),
        .data = json_string_value(json_object_get(line, "data")),
        .title = json_string_value(json_object_get(line, "title")),
        .model = json_string_value(json_object_get(line, "model")),
        .shift = json_string_value(json_object_get(line, "shift")),
        .left_out = json_is_integer(left_out) ? json_integer_value(left_out) : -1,
        .inductive = json_is_true(json_object_get(config, "inductive")),
        .failed = json_is_string(json_object_get(line, "error")),
        .line = line,
    };
    bool whole = run.task != NULL && run.data != NULL && run.title != NULL && run.model != NULL
                 && json_is_integer(seed) && json_integer_value(seed) >= 0
                 && (run.failed || json_is_object(json_object_get(line, "metrics")));
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

/* The bytes of a file from its beginning; the caller frees them. NULL with errno set. */
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
        ssize_t more = pread(file, bytes + *size, capacity - *size, (off_t)*size);
        if (more == 0) return bytes;
        if (more > 0) *size += (size_t)more;
        else if (errno != EINTR) break;
    }
    free(bytes);
    return NULL;
}

/* What is left of a line when the machine stops in the middle of writing it: its beginning, or zeros where
 * the bytes should be. Anything else was not written here and is not ours to throw away. */
static bool is_torn(const char *line, size_t length)
{
    return length > 0 && (line[0] == '{' || line[0] == '\0');
}

/* Adds every line. *torn is where a line without its end begins that is to be cut off, else the file's size;
 * *open_end says that the last line is whole but for its line break. */
static int parse(crd_lab_runs *runs, const char *bytes, size_t size, size_t *torn, bool *open_end)
{
    int64_t number = 0;
    *torn = size;
    *open_end = false;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - bytes) - at : size - at;
        json_error_t problem;
        json_t *line = json_loadb(bytes + at, length, JSON_REJECT_DUPLICATES, &problem);
        number++;
        if (line == NULL && end == NULL && is_torn(bytes + at, length)) {
            *torn = at;
            return CRD_CLI_DONE;
        }
        if (line == NULL)
            return crd_cli_failf(CRD_CLI_FAILED, "%s: line %lld: not JSON: %s", runs->path,
                                 (long long)number, problem.text);
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

/* Makes sure that the next line begins a line. */
static int mend(crd_lab_runs *runs, size_t torn, size_t size, bool open_end)
{
    if (torn < size && ftruncate(runs->file, (off_t)torn) != 0) return cannot(runs->path, "write");
    if (open_end && write(runs->file, "\n", 1) != 1) return cannot(runs->path, "write");
    return CRD_CLI_DONE;
}

/* A lock of this kind belongs to the process and ends with it, however it ends; children do not inherit it.
 * It is also lost when the process closes the file, so the file is opened this once. */
static int lock(crd_lab_runs *runs)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(runs->file, F_SETLK, &whole) == 0) return CRD_CLI_DONE;
    if (errno != EACCES && errno != EAGAIN) return cannot(runs->path, "lock");
    whole = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(runs->file, F_GETLK, &whole) != 0 || whole.l_type == F_UNLCK) whole.l_pid = 0;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: is being written by another process (%ld); wait for its end, "
                         "or give another folder", runs->path, (long)whole.l_pid);
}

/* A file that was just created is there after a crash only if its folder is on disk too. */
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

static int load(crd_lab_runs *runs, int file, size_t *torn, size_t *size, bool *open_end)
{
    char *bytes = read_all(file, size);
    if (bytes == NULL) return cannot(runs->path, "read");
    int code = parse(runs, bytes, *size, torn, open_end);
    free(bytes);
    return code;
}

int crd_lab_runs_open(crd_lab_runs *runs, const char *path)
{
    size_t torn = 0, size = 0;
    bool open_end = false;
    *runs = (crd_lab_runs){.path = crd_cli_text("%s", path)};
    runs->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int code = runs->file < 0 ? cannot(path, "open") : lock(runs);
    if (code == CRD_CLI_DONE) code = load(runs, runs->file, &torn, &size, &open_end);
    if (code == CRD_CLI_DONE) code = mend(runs, torn, size, open_end);
    if (code == CRD_CLI_DONE && size == 0) keep_entry(path);
    if (code != CRD_CLI_DONE) crd_lab_runs_close(runs);
    return code;
}

int crd_lab_runs_read(crd_lab_runs *runs, const char *path)
{
    size_t torn, size;
    bool open_end;
    *runs = (crd_lab_runs){.path = crd_cli_text("%s", path), .file = -1};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int code = file < 0 ? cannot(path, "open") : load(runs, file, &torn, &size, &open_end);
    if (file >= 0) close(file);
    if (code != CRD_CLI_DONE) crd_lab_runs_close(runs);
    return code;
}

/* One write of the whole line, so that a process that is killed leaves a line or nothing. */
int crd_lab_runs_append(crd_lab_runs *runs, const char *text)
{
    struct stat before;
    json_error_t problem;
    json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    if (line == NULL || !add_run(runs, line))
        return crd_cli_failf(CRD_CLI_FAILED, "%s: a line to append is not a run: %.200s", runs->path, text);
    char *bytes = crd_cli_text("%s\n", text);
    size_t length = strlen(bytes);
    bool written = fstat(runs->file, &before) == 0;
    if (written) {
        ssize_t sent;
        do {
            errno = 0;
            sent = write(runs->file, bytes, length);
        } while (sent < 0 && errno == EINTR);
        written = sent == (ssize_t)length && fdatasync(runs->file) == 0;
        if (!written && errno == 0) errno = ENOSPC; /* a part of it went in: that is how disks become full */
        int failure = errno;
        if (sent > 0 && sent < (ssize_t)length) (void)!ftruncate(runs->file, before.st_size);
        errno = failure;
    }
    free(bytes);
    return written ? CRD_CLI_DONE : cannot(runs->path, "write");
}

void crd_lab_runs_close(crd_lab_runs *runs)
{
    for (int64_t i = 0; i < runs->count; i++) json_decref(runs->run[i].line);
    free(runs->run);
    if (runs->file >= 0) close(runs->file);
    free(runs->path);
    *runs = (crd_lab_runs){.file = -1};
}

static bool same(const json_t *line, const json_t *wanted)
{
    /* What differs most often comes first. */
    static const char *const keys[] = {"seed",  "model",       "data",        "task",  "shift",
                                       "split", "split_index", "fingerprint", "config"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const json_t *a = json_object_get(line, keys[i]), *b = json_object_get(wanted, keys[i]);
        if (a != b && !json_equal(a, b)) return false; /* neither has it, or both have the same */
    }
    return true;
}

const crd_lab_run *crd_lab_runs_find(const crd_lab_runs *runs, const json_t *wanted)
{
    const crd_lab_run *found = NULL;
    for (int64_t i = 0; i < runs->count; i++) {
        const crd_lab_run *run = &runs->run[i];
        if (run->failed && found != NULL && !found->failed) continue;
        if (same(run->line, wanted)) found = run;
    }
    return found;
}

int64_t crd_lab_runs_others(const crd_lab_runs *runs, json_t *const *wanted, int64_t count)
{
    int64_t others = 0;
    for (int64_t i = 0; i < runs->count; i++) {
        bool found = runs->run[i].failed;
        for (int64_t w = 0; w < count && !found; w++) found = same(runs->run[i].line, wanted[w]);
        others += !found;
    }
    return others;
}

const char *crd_lab_run_model_title(const crd_lab_run *run)
{
    const char *title = json_string_value(json_object_get(run->line, "model_title"));
    const crd_lab_model *model = crd_lab_model_find(run->model);
    return title != NULL ? title : model != NULL ? model->title : run->model;
}
