/* SPDX-License-Identifier: MIT */
#include "fetch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the part ---- */

/* True if the path still names the open file: the previous holder of the lock may have renamed or removed it after
 * we opened it and before we locked it. */
static bool is_still_there(const crd_cli_part *part)
{
    struct stat opened, named;
    return fstat(fileno(part->file), &opened) == 0 && stat(part->path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static int64_t size_of(const crd_cli_part *part)
{
    struct stat facts;
    return fstat(fileno(part->file), &facts) == 0 ? (int64_t)facts.st_size : 0;
}

int crd_cli_part_open(crd_cli_part *part, const char *target, const char *what)
{
    part->path = crd_cli_text("%s.part", target);
    for (;;) {
        part->file = fopen(part->path, "ab");
        if (part->file == NULL || flock(fileno(part->file), LOCK_EX | LOCK_NB) != 0) break;
        if (is_still_there(part)) return CRD_CLI_DONE;
        fclose(part->file);
    }
    int code =
        part->file != NULL && errno == EWOULDBLOCK
            ? crd_cli_failf(CRD_CLI_FAILED, "%s: another process is downloading it already, to %s", what, part->path)
            : crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write %s: %s", what, part->path, strerror(errno));
    if (part->file != NULL) fclose(part->file);
    free(part->path);
    return code;
}

void crd_cli_part_empty(const crd_cli_part *part)
{
    (void)!ftruncate(fileno(part->file), 0);
}

void crd_cli_part_close(crd_cli_part *part)
{
    if (size_of(part) == 0) unlink(part->path);
    fclose(part->file);
    free(part->path);
}

#ifdef CRD_HAVE_CURL

#include <curl/curl.h>
#include <strings.h>
#include <time.h>

#include "base/parallel.h"
#include "signals.h"

enum { TRIES = 5, CONNECT_SECONDS = 20, STALLED_SECONDS = 30, MOST_REDIRECTS = 10 };

/* No known public graph comes near these 4 GiB. */
static const int64_t MOST_BYTES = INT64_C(4) << 30;

typedef struct {
    crd_cli_part *part;
    const char *address, *what;
    CURL *curl;
    char problem[CURL_ERROR_SIZE];
    int64_t size; /* of the part */
    int failure;  /* the errno of a write; 0: none failed */
    bool too_large;
    bool live;
    double begun, shown;
} transfer;

/* ---- one try ---- */

static size_t on_bytes(char *bytes, size_t size, size_t count, void *user)
{
    transfer *t = user;
    const size_t length = size * count;
    t->too_large = (int64_t)length > MOST_BYTES - t->size;
    if (t->too_large) return 0;
    const size_t wrote = fwrite(bytes, 1, length, t->part->file);
    if (wrote < length) t->failure = errno;
    t->size += (int64_t)wrote;
    return wrote;
}

static int on_progress(void *user, curl_off_t total, curl_off_t here, curl_off_t unused, curl_off_t unused_too)
{
    transfer *t = user;
    const double now = crd_seconds();
    (void)unused;
    (void)unused_too;
    if (t->live && here > 0 && (now - t->shown > 0.2 || here == total)) {
        char done[16], all[16], rate[16];
        crd_cli_size_text(t->size, done);
        crd_cli_size_text(t->size - here + total, all);
        crd_cli_size_text((int64_t)((double)here / (now - t->begun + 1e-3)), rate);
        const double share = 100.0 * (double)t->size / (double)(t->size - here + total);
        if (total > 0) crd_cli_live_line("%s: %.0f %%, %s of %s, %s/s", t->what, share, done, all, rate);
        else crd_cli_live_line("%s: %s, %s/s", t->what, done, rate);
        t->shown = now;
    }
    return crd_cli_interrupted();
}

/* A download by https is never redirected to anything less. A plain address may be redirected to http or https,
 * never to files. */
static void allow_protocols(const transfer *t)
{
    const bool secure = strncasecmp(t->address, "https:", 6) == 0;
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(t->curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
    curl_easy_setopt(t->curl, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
#else
    curl_easy_setopt(t->curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS | CURLPROTO_FILE));
    curl_easy_setopt(t->curl, CURLOPT_REDIR_PROTOCOLS,
                     (long)(secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Asks for what is missing. *answer becomes the server's, 0 if there is none. */
static CURLcode try_once(transfer *t, long *answer)
{
    char agent[64];
    t->problem[0] = '\0';
    t->begun = crd_seconds();
    t->shown = 0.0;
    curl_easy_reset(t->curl);
    snprintf(agent, sizeof agent, "credence/%s", crd_version());
    curl_easy_setopt(t->curl, CURLOPT_URL, t->address);
    curl_easy_setopt(t->curl, CURLOPT_USERAGENT, agent);
    curl_easy_setopt(t->curl, CURLOPT_ERRORBUFFER, t->problem);
    curl_easy_setopt(t->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(t->curl, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(t->curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(t->curl, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTS);
    curl_easy_setopt(t->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(t->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(t->curl, CURLOPT_LOW_SPEED_TIME, (long)STALLED_SECONDS);
    curl_easy_setopt(t->curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)MOST_BYTES);
    curl_easy_setopt(t->curl, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)t->size);
    curl_easy_setopt(t->curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(t->curl, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(t->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(t->curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(t->curl, CURLOPT_XFERINFODATA, t);
    allow_protocols(t);
    CURLcode result = curl_easy_perform(t->curl);
    if (t->shown > 0.0) fputc('\n', stderr);
    *answer = 0;
    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, answer);
    return result;
}

/* ---- all tries ---- */

/* Whether another try may succeed. */
static bool is_worth_another(CURLcode result, long answer)
{
    switch (result) {
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return true;
    case CURLE_HTTP_RETURNED_ERROR:
        return answer == 408 || answer == 429 || answer >= 500;
    default:
        return false;
    }
}

/* Why a try has failed; the caller frees it. */
static char *reason(const transfer *t, CURLcode result, long answer)
{
    if (t->failure != 0) return crd_cli_text("cannot write %s: %s", t->part->path, strerror(t->failure));
    if (crd_cli_interrupted()) return crd_cli_text("interrupted");
    if (t->too_large || result == CURLE_FILESIZE_EXCEEDED)
        return crd_cli_text("the file is too large: it has more than %lld bytes, the most that is taken, so that "
                            "trying again does not help; nothing was kept",
                            (long long)MOST_BYTES);
    if (result == CURLE_COULDNT_RESOLVE_HOST)
        return crd_cli_text("the host was not found; is there a connection to the internet?");
    if (result == CURLE_HTTP_RETURNED_ERROR)
        return crd_cli_text("the server answers %ld%s", answer,
                            answer == 404 || answer == 410 ? ", which means that there is no such file"
                            : answer >= 500                ? ", which is a failure of its own"
                                                           : "");
    if (result == CURLE_FILE_COULDNT_READ_FILE) return crd_cli_text("there is no such file, or it cannot be read");
    if (result == CURLE_PARTIAL_FILE) return crd_cli_text("the connection ended before the file did");
    return crd_cli_text("%s", t->problem[0] != '\0' ? t->problem : curl_easy_strerror(result));
}

static int give_up(const transfer *t, const char *why)
{
    char size[16];
    if (t->size == 0) return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot download %s: %s", t->what, t->address, why);
    crd_cli_size_text(t->size, size);
    return crd_cli_failf(CRD_CLI_FAILED,
                         "%s: cannot download %s: %s; %s are kept in %s, and the same command goes on from there",
                         t->what, t->address, why, size, t->part->path);
}

static void begin_again(transfer *t)
{
    crd_cli_part_empty(t->part);
    t->size = 0;
}

static int try_until_done(transfer *t, bool quiet)
{
    for (int try = 1, wait = 1;; try++, wait *= 2) {
        long answer;
        CURLcode result = try_once(t, &answer);
        /* 416: there is nothing more to send. */
        if (result == CURLE_OK || (answer == 416 && t->size > 0)) return CRD_CLI_DONE;
        const bool cannot_resume = result == CURLE_RANGE_ERROR || result == CURLE_BAD_DOWNLOAD_RESUME;
        if (cannot_resume && t->size > 0) {
            begin_again(t);
            if (!quiet) crd_cli_say("%s: the server does not send the rest of the file; beginning again", t->what);
            continue;
        }
        if (t->too_large || result == CURLE_FILESIZE_EXCEEDED) begin_again(t);
        const bool again = is_worth_another(result, answer) && try < TRIES && !crd_cli_interrupted();
        char *why = reason(t, result, answer);
        int code = again ? CRD_CLI_DONE : give_up(t, why);
        if (again && !quiet) crd_cli_say("%s: %s; trying again in %d s", t->what, why, wait);
        free(why);
        if (!again) return code;
        for (int i = 0; i < 10 * wait && !crd_cli_interrupted(); i++)
            nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
        if (crd_cli_interrupted()) return give_up(t, "interrupted");
    }
}

int crd_cli_download(crd_cli_part *part, const char *address, const char *what, bool quiet)
{
    transfer t = {.part = part, .address = address, .what = what, .size = size_of(part)};
    t.live = !quiet && crd_cli_is_terminal(stderr);
    setvbuf(part->file, NULL, _IONBF, 0); /* what was received is on disk */
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || (t.curl = curl_easy_init()) == NULL)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot download: libcurl does not start", what);
    crd_cli_catch_signals("stopping; what was downloaded is kept");
    int code = try_until_done(&t, quiet);
    curl_easy_cleanup(t.curl);
    curl_global_cleanup();
    return code;
}

#else

int crd_cli_download(crd_cli_part *part, const char *address, const char *what, bool quiet)
{
    (void)part;
    (void)quiet;
    return crd_cli_failf(CRD_CLI_FAILED,
                         "%s: this program was built without libcurl and cannot download; get %s in another way", what,
                         address);
}

#endif
