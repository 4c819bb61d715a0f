#include "download.h"

#ifdef CRD_HAVE_CURL

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/parallel.h"
#include "files.h"
#include "signals.h"

enum { TRIES = 5, CONNECT_SECONDS = 20, STALLED_SECONDS = 30, MOST_REDIRECTS = 10, MOST_VALIDATOR = 512 };

/* No known public graph comes near these 4 GiB. */
static const int64_t MOST_BYTES = INT64_C(4) << 30;

typedef struct {
    crd_cli_partial *part;
    const char *address, *what;
    CURL *curl;
    char problem[CURL_ERROR_SIZE];
    char *validator; /* of the part on disk; NULL: it cannot be resumed */
    int64_t offset;  /* bytes in the part */
    int64_t asked;   /* the request was for the bytes from here on */
    bool unreliable; /* the server sent a different range than requested: ask it for whole files only */
    /* of the answer that is arriving */
    bool body_begun;
    char etag[MOST_VALIDATOR], date[MOST_VALIDATOR];
    int64_t range_start, range_total; /* of Content-Range; -1: unknown */
    char *failure;                    /* why the bytes could not be used; NULL: they could */
    bool said;                        /* the failure was reported already */
    /* what is shown */
    bool live;
    double begun, shown;
} transfer;

int crd_cli_can_download(const char *what, const char *address)
{
    (void)what;
    (void)address;
    return CRD_CLI_DONE;
}

/* ---- what is remembered beside the part ---- */

/* The validator that was stored for this address, or NULL. */
static char *recall(const transfer *t)
{
    char line[2][4096] = {"", ""};
    FILE *file = fopen(t->part->from_path, "r");
    if (file == NULL) return NULL;
    bool whole = fgets(line[0], sizeof line[0], file) != NULL && fgets(line[1], sizeof line[1], file) != NULL;
    fclose(file);
    for (int i = 0; i < 2; i++) line[i][strcspn(line[i], "\r\n")] = '\0';
    whole = whole && strcmp(line[0], t->address) == 0 && line[1][0] != '\0';
    return whole ? crd_cli_text("%s", line[1]) : NULL;
}

/* The part cannot be resumed. */
static void forget(transfer *t)
{
    free(t->validator);
    t->validator = NULL;
    unlink(t->part->from_path);
}

/* A weak ETag ("W/...") does not promise the same bytes, so it is no basis for resuming. */
static bool remember(transfer *t)
{
    const char *validator = t->etag[0] == '"' ? t->etag : t->date;
    forget(t);
    if (validator[0] == '\0' || t->unreliable) return true;
    t->validator = crd_cli_text("%s", validator);
    char *text = crd_cli_text("%s\n%s\n", t->address, validator);
    t->said = crd_cli_write_text(t->part->from_path, text) != CRD_CLI_DONE;
    free(text);
    return !t->said;
}

/* ---- the answer ---- */

/* The value of the header if it has this name, else NULL. */
static const char *header_value(const char *line, size_t length, const char *name)
{
    size_t name_length = strlen(name);
    if (length <= name_length || strncasecmp(line, name, name_length) != 0 || line[name_length] != ':') return NULL;
    const char *value = line + name_length + 1;
    while (*value == ' ' || *value == '\t') value++;
    return value;
}

static void copy_value(char to[MOST_VALIDATOR], const char *value)
{
    size_t length = strcspn(value, "\r\n");
    while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t')) length--;
    to[0] = '\0';
    if (length < MOST_VALIDATOR) {
        memcpy(to, value, length);
        to[length] = '\0';
    }
}

/* Redirects have headers, too: each answer begins with its status line, and that resets what the one before set. */
static size_t on_header(char *bytes, size_t size, size_t count, void *user)
{
    transfer *t = user;
    const size_t length = size * count;
    char *line = crd_cli_text("%.*s", (int)length, bytes);
    const char *value;
    if (strncmp(line, "HTTP/", 5) == 0) {
        t->etag[0] = t->date[0] = '\0';
        t->range_start = t->range_total = -1;
    } else if ((value = header_value(line, strlen(line), "ETag")) != NULL) {
        copy_value(t->etag, value);
    } else if ((value = header_value(line, strlen(line), "Last-Modified")) != NULL) {
        copy_value(t->date, value);
    } else if ((value = header_value(line, strlen(line), "Content-Range")) != NULL) {
        long long start, end, total;
        if (sscanf(value, "bytes %lld-%lld/%lld", &start, &end, &total) >= 1) t->range_start = start;
        else if (sscanf(value, "bytes */%lld", &total) == 1) t->range_total = total;
    }
    free(line);
    return length;
}

/* Starts the part from the beginning. */
static bool begin_again(transfer *t)
{
    if (ftruncate(t->part->descriptor, 0) != 0) {
        t->failure = crd_cli_text("cannot write %s: %s", t->part->path, strerror(errno));
        return false;
    }
    t->offset = 0;
    return true;
}

/* Whether so many more bytes stay within the limit. If not, the part is useless. */
static bool has_room(transfer *t, int64_t more)
{
    if (more <= MOST_BYTES - t->offset) return true;
    forget(t);
    t->failure = crd_cli_text("the file is too large: it has more than %lld bytes, the most that is taken, "
                              "so that trying again does not help; nothing was kept",
                              (long long)MOST_BYTES);
    return false;
}

/* The first bytes of a body: do they continue the part, or are they the whole file? */
static bool begin_body(transfer *t)
{
    long code = 0;
    curl_off_t announced = -1;
    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &code);
    curl_easy_getinfo(t->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    t->body_begun = true;
    if (code == 206 && t->asked > 0) {
        t->unreliable = t->range_start != t->asked;
        if (t->unreliable) return false;
    } else if (!begin_again(t) || !remember(t)) {
        return false;
    }
    return has_room(t, announced);
}

static size_t on_bytes(char *bytes, size_t size, size_t count, void *user)
{
    transfer *t = user;
    const size_t length = size * count;
    if (!t->body_begun && !begin_body(t)) return 0;
    if (!has_room(t, (int64_t)length)) return 0;
    for (size_t done = 0; done < length;) {
        ssize_t wrote = pwrite(t->part->descriptor, bytes + done, length - done, (off_t)t->offset);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            t->failure = crd_cli_text("cannot write %s: %s", t->part->path, strerror(wrote < 0 ? errno : ENOSPC));
            return 0;
        }
        done += (size_t)wrote;
        t->offset += wrote;
    }
    return length;
}

static void show(transfer *t, curl_off_t total, curl_off_t here)
{
    char done[16], all[16], rate[16];
    double seconds = crd_seconds() - t->begun, speed = seconds > 0.0 ? (double)here / seconds : 0.0;
    crd_cli_size_text(t->offset, done);
    crd_cli_size_text((int64_t)speed, rate);
    fputs("\r\033[?7l", stderr);
    fprintf(stderr, "%s: %s", t->what, done);
    if (total > 0) {
        const int64_t whole = t->offset - here + total;
        crd_cli_size_text(whole, all);
        fprintf(stderr, " of %s (%.0f %%)", all, 100.0 * (double)t->offset / (double)whole);
    }
    fprintf(stderr, ", %s/s", rate);
    if (total > here && speed >= 1.0) {
        long long left = (long long)((double)(total - here) / speed + 0.5);
        if (left >= 60) fprintf(stderr, ", %lld min %02lld s left", left / 60, left % 60);
        else fprintf(stderr, ", %lld s left", left);
    }
    fputs("\033[K\033[?7h", stderr);
}

static int on_progress(void *user, curl_off_t total, curl_off_t here, curl_off_t unused, curl_off_t unused_too)
{
    transfer *t = user;
    (void)unused;
    (void)unused_too;
    if (t->live && t->body_begun && (crd_seconds() - t->shown > 0.2 || (total > 0 && here == total))) {
        show(t, total, here);
        t->shown = crd_seconds();
    }
    return crd_cli_interrupted();
}

/* ---- one try ---- */

static bool is_file(const char *address)
{
    return strncasecmp(address, "file:", 5) == 0;
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

static CURLcode try_once(transfer *t)
{
    struct curl_slist *headers = NULL;
    char range[32], agent[64];
    t->asked = t->validator != NULL && !is_file(t->address) ? t->offset : 0;
    t->body_begun = false;
    t->problem[0] = '\0';
    t->begun = crd_seconds();
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
    curl_easy_setopt(t->curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(t->curl, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(t->curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(t->curl, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(t->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(t->curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(t->curl, CURLOPT_XFERINFODATA, t);
    allow_protocols(t);
    if (t->asked > 0) {
        char *condition = crd_cli_text("If-Range: %s", t->validator);
        snprintf(range, sizeof range, "%lld-", (long long)t->asked);
        headers = curl_slist_append(NULL, condition);
        free(condition);
        curl_easy_setopt(t->curl, CURLOPT_RANGE, range);
        curl_easy_setopt(t->curl, CURLOPT_HTTPHEADER, headers);
    }
    CURLcode result = curl_easy_perform(t->curl);
    curl_slist_free_all(headers);
    if (t->live && t->body_begun) fputc('\n', stderr);
    /* An empty file has no body that could begin. */
    if (result == CURLE_OK && !t->body_begun && t->asked == 0 && (!begin_again(t) || !remember(t)))
        result = CURLE_WRITE_ERROR;
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

static const char *answer_text(long answer)
{
    switch (answer) {
    case 401:
        return ", which asks for a password";
    case 403:
        return ", which is a refusal";
    case 404:
        return ", which means that there is no such file";
    case 410:
        return ", which means that the file is gone";
    case 429:
        return ", which means too many requests";
    default:
        return answer >= 500 ? ", which is a failure of its own" : "";
    }
}

static char *reason(const transfer *t, CURLcode result, long answer)
{
    switch (result) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return crd_cli_text("the host was not found; is there a connection to the internet?");
    case CURLE_HTTP_RETURNED_ERROR:
        return crd_cli_text("the server answers %ld%s", answer, answer_text(answer));
    case CURLE_FILE_COULDNT_READ_FILE:
        return crd_cli_text("there is no such file, or it cannot be read");
    case CURLE_PARTIAL_FILE:
        return crd_cli_text("the connection ended before the file did");
    default:
        return crd_cli_text("%s", t->problem[0] != '\0' ? t->problem : curl_easy_strerror(result));
    }
}

/* "; 3.1 MB are kept ...", or nothing if the part cannot be resumed. */
static char *kept_text(const transfer *t)
{
    char size[16];
    if (t->offset == 0 || t->validator == NULL) return crd_cli_text("%s", "");
    crd_cli_size_text(t->offset, size);
    return crd_cli_text("; %s are kept in %s, and the same command goes on from there", size, t->part->path);
}

static int give_up(const transfer *t, const char *why)
{
    char *kept = kept_text(t);
    int code = crd_cli_failf(CRD_CLI_FAILED, "%s: cannot download %s: %s%s", t->what, t->address, why, kept);
    free(kept);
    return code;
}

/* False if it was interrupted. */
static bool pause_seconds(int seconds)
{
    for (int i = 0; i < 10 * seconds && !crd_cli_interrupted(); i++)
        nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    return !crd_cli_interrupted();
}

static int try_until_done(transfer *t, bool quiet)
{
    int wait = 1;
    for (int try = 1;; try++) {
        CURLcode result = try_once(t);
        long answer = 0;
        curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &answer);
        if (result == CURLE_OK) return CRD_CLI_DONE;
        if (t->failure != NULL) return give_up(t, t->failure);
        if (t->said) return CRD_CLI_FAILED;
        if (crd_cli_interrupted()) return give_up(t, "interrupted");
        if (t->unreliable && t->asked > 0) { /* the next try asks for the whole file */
            forget(t);
            if (!begin_again(t)) return give_up(t, t->failure);
            if (!quiet)
                crd_cli_say("%s: the server does not send the part of the file that was asked for; "
                            "beginning again",
                            t->what);
            continue;
        }
        /* Nothing is left to request: the part is the whole file, or it is longer and useless. */
        if (result == CURLE_HTTP_RETURNED_ERROR && answer == 416 && t->asked > 0) {
            if (t->range_total == t->asked) return CRD_CLI_DONE;
            if (!begin_again(t)) return give_up(t, t->failure);
            continue;
        }
        char *why = reason(t, result, answer);
        bool again = is_worth_another(result, answer) && try < TRIES;
        if (again && !quiet) crd_cli_say("%s: %s; trying again in %d s", t->what, why, wait);
        int code = again ? CRD_CLI_DONE : give_up(t, why);
        free(why);
        if (!again) return code;
        if (!pause_seconds(wait)) return give_up(t, "interrupted");
        wait *= 2;
    }
}

int crd_cli_download(crd_cli_partial *part, const char *address, const char *what, bool quiet)
{
    transfer t = {.part = part, .address = address, .what = what};
    off_t size = lseek(part->descriptor, 0, SEEK_END);
    t.live = !quiet && crd_cli_is_terminal(stderr);
    t.offset = size < 0 ? 0 : (int64_t)size;
    t.validator = recall(&t);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || (t.curl = curl_easy_init()) == NULL) {
        free(t.validator);
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot download: libcurl does not start", what);
    }
    crd_cli_catch_signals("stopping; what was downloaded is kept");
    int code = try_until_done(&t, quiet);
    curl_easy_cleanup(t.curl);
    curl_global_cleanup();
    /* Bytes that no later download can continue are only in the way. */
    if (code != CRD_CLI_DONE && t.validator == NULL) (void)!ftruncate(part->descriptor, 0);
    free(t.validator);
    free(t.failure);
    return code;
}

#else

int crd_cli_can_download(const char *what, const char *address)
{
    return crd_cli_failf(CRD_CLI_FAILED,
                         "%s: this program was built without libcurl and cannot download; get %s in another way", what,
                         address);
}

int crd_cli_download(crd_cli_partial *part, const char *address, const char *what, bool quiet)
{
    (void)part;
    (void)quiet;
    return crd_cli_can_download(what, address);
}

#endif
