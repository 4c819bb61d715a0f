/* SPDX-License-Identifier: MIT */
/* For sched_getaffinity (Linux only): the cores that this process may use, not all those of the machine. */
#define _GNU_SOURCE
#include "base/cores.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

/* Nothing here allocates memory or fails: a file that is missing, or not as expected, sets no limit. */
enum { LONGEST = 4096 }; /* paths and lines; longer ones are passed over */

/* ---- lines of a file ---- */

typedef struct {
    int file;
    char bytes[LONGEST];
    size_t begin, end; /* what is read but not handed out */
} lines;

/* The next line without its end; NULL: there is no more. */
static char *next_line(lines *in)
{
    bool too_long = false;
    for (;;) {
        char *start = in->bytes + in->begin, *stop = memchr(start, '\n', in->end - in->begin);
        if (stop != NULL) {
            *stop = '\0';
            in->begin = (size_t)(stop - in->bytes) + 1;
            if (!too_long) return start;
            too_long = false;
            continue;
        }
        memmove(in->bytes, start, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
        if (in->end == sizeof in->bytes) {
            too_long = true;
            in->end = 0;
        }
        const ssize_t got = read(in->file, in->bytes + in->end, sizeof in->bytes - in->end);
        if (got <= 0) return NULL;
        in->end += (size_t)got;
    }
}

static bool open_lines(lines *in, const char *root, const char *path)
{
    char whole[LONGEST];
    if (snprintf(whole, sizeof whole, "%s%s", root, path) >= (int)sizeof whole) return false;
    in->file = open(whole, O_RDONLY | O_CLOEXEC);
    in->begin = in->end = 0;
    return in->file >= 0;
}

/* ---- the quota of one group ---- */

/* Reads up to two whole numbers from a file of a few bytes; returns how many there are. */
static int read_numbers(const char *folder, const char *name, long long number[2])
{
    char path[LONGEST], text[64];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    if (got <= 0) return 0;
    text[got] = '\0';
    return sscanf(text, "%18lld %18lld", &number[0], &number[1]);
}

static int64_t group_cores(const char *folder, bool version_2)
{
    long long time[2] = {0, 0}, unused[2]; /* microseconds of work in every so many microseconds */
    bool known;
    if (version_2) { /* "max 100000" has no number in front */
        known = read_numbers(folder, "cpu.max", time) == 2;
    } else { /* -1 is no quota */
        known = read_numbers(folder, "cpu.cfs_quota_us", time) == 1;
        if (known) known = read_numbers(folder, "cpu.cfs_period_us", unused) == 1;
        if (known) time[1] = unused[0];
    }
    if (!known || time[0] <= 0 || time[1] <= 0) return INT64_MAX;
    return time[0] / time[1] + (time[0] % time[1] > 0);
}

/* ---- the groups of this process ---- */

/* Whether a list like "cpu,cpuacct" has this word. */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
    }
    return false;
}

/* The groups of this process: [1] in the hierarchy of version 2, [0] in the one of version 1 that has the controller
 * "cpu"; empty: none. A line of /proc/self/cgroup is "NUMBER:CONTROLLERS:PATH"; version 2 has no controllers. */
static void find_groups(const char *root, char group[2][LONGEST])
{
    lines in;
    group[0][0] = group[1][0] = '\0';
    if (!open_lines(&in, root, "/proc/self/cgroup")) return;
    for (char *line; (line = next_line(&in)) != NULL;) {
        char *controllers = strchr(line, ':'), *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL) continue;
        *controllers++ = *path++ = '\0';
        const bool version_2 = strcmp(line, "0") == 0 && *controllers == '\0';
        if (version_2 || has_word(controllers, "cpu")) memcpy(group[version_2], path, strlen(path) + 1);
    }
    close(in.file);
}

/* Blanks in paths of mountinfo are written \040, and so on. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; to++) {
        unsigned code;
        if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1 && strspn(from + 1, "01234567") >= 3) {
            *to = (char)code;
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* A line of mountinfo is "ID PARENT DEVICE TOP FOLDER OPTIONS ... - TYPE SOURCE OPTIONS": the file system's folder TOP
 * is seen as FOLDER. */
typedef struct {
    char *top, *folder, *type, *options;
} mount;

static bool read_mount(char *line, mount *m)
{
    char *word[6], *rest = strstr(line, " - "), *save = NULL;
    if (rest == NULL) return false;
    *rest = '\0';
    for (int i = 0; i < 6; i++)
        if ((word[i] = strtok_r(i == 0 ? line : NULL, " ", &save)) == NULL) return false;
    m->top = word[3];
    m->folder = word[4];
    m->type = strtok_r(rest + 3, " ", &save);
    (void)strtok_r(NULL, " ", &save);
    m->options = strtok_r(NULL, " ", &save);
    if (m->type == NULL || m->options == NULL) return false;
    unescape(m->top);
    unescape(m->folder);
    return true;
}

/* The least quota from a group up to the topmost one that the mount shows. A group that is not below the mount's top
 * cannot be seen through it. */
static int64_t mount_cores(const char *root, const mount *m, const char *group, bool version_2)
{
    char path[LONGEST];
    const size_t top = strcmp(m->top, "/") == 0 ? 0 : strlen(m->top);
    if (group[0] == '\0' || strncmp(group, m->top, top) != 0 || (group[top] != '/' && group[top] != '\0'))
        return INT64_MAX;
    if (strstr(group, "/..") != NULL) return INT64_MAX; /* outside of what this name space may see */
    const char *below = strcmp(group + top, "/") == 0 ? "" : group + top;
    const int start = snprintf(path, sizeof path, "%s%s", root, m->folder);
    const int length = snprintf(path, sizeof path, "%s%s%s", root, m->folder, below);
    if (start < 0 || length >= (int)sizeof path) return INT64_MAX;
    int64_t least = INT64_MAX;
    for (size_t end = (size_t)length;; end--) {
        if (end > (size_t)start && path[end] != '/' && path[end] != '\0') continue;
        path[end] = '\0';
        const int64_t cores = group_cores(path, version_2);
        if (cores < least) least = cores;
        if (end <= (size_t)start) return least;
    }
}

int64_t crd_quota_cores(const char *root)
{
    int64_t least = INT64_MAX;
    char group[2][LONGEST];
    lines in;
    mount m;
    find_groups(root, group);
    if (!open_lines(&in, root, "/proc/self/mountinfo")) return least;
    for (char *line; (line = next_line(&in)) != NULL;) {
        if (!read_mount(line, &m)) continue;
        const bool version_2 = strcmp(m.type, "cgroup2") == 0;
        if (!version_2 && (strcmp(m.type, "cgroup") != 0 || !has_word(m.options, "cpu"))) continue;
        const int64_t cores = mount_cores(root, &m, group[version_2], version_2);
        if (cores < least) least = cores;
    }
    close(in.file);
    return least;
}

/* ---- how many cores, how many threads ---- */

static int64_t allowed_cores(void)
{
    cpu_set_t cores;
    const int64_t count =
        sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? count : 1;
}

int64_t crd_cores(void)
{
    const int64_t allowed = allowed_cores(), quota = allowed > 1 ? crd_quota_cores("") : 1;
    return allowed < quota ? allowed : quota;
}

int64_t crd_first_of_list(const char *list)
{
    char *end;
    if (list == NULL) return 0;
    const long long first = strtoll(list, &end, 10);
    end += strspn(end, " \t");
    return end != list && (*end == '\0' || *end == ',') && first > 0 ? first : 0;
}

int64_t crd_usual_threads(void)
{
    const int64_t cores = crd_cores(), wished = crd_first_of_list(getenv("OMP_NUM_THREADS"));
    const bool fewer = wished > 0 && wished < cores;
    if (fewer) crd_log(CRD_LOG_DETAIL, "threads: %lld, by OMP_NUM_THREADS", (long long)wished);
    else if (crd_log_wanted())
        crd_log(CRD_LOG_DETAIL, "threads: %lld, by %s", (long long)cores,
                cores < allowed_cores() ? "the CPU quota" : "the cores that the process may use");
    return fewer ? wished : cores;
}
