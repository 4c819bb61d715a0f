/* SPDX-License-Identifier: MIT */
/* http_server FOLDER READY LOG: serves the files of a folder on a free port of 127.0.0.1, one request after the
 * other, and always ends after an hour. READY is written once it listens, with the port. LOG gets one line per
 * request: its path and its Range ("-" if there is none).
 *
 * The first part of the path says how a file is served:
 *   /good/F       with Range                               /plain/F      without
 *   /drop/F       the first answer ends in the middle      /broken/F     every answer does
 *   /changed/F    the first answer ends in the middle, then the file changes: all its bytes are one larger
 *   /slow/F       the first answer is half of it, and then a byte from time to time
 *   /busy/F       503 at first, then as good               /refused/F    always 503
 *   /moved/F      redirected to good                       /round/F      redirected to itself
 *   /tofile/F     redirected to file:///etc/passwd         /mixed/F      answers a Range from another start
 *   /unsaid/F     answers a Range without Content-Range
 *   /announced/F  announces 5 GiB                          /endless/F    5 GiB, not announced; sends only the
 *                 file, whatever range is requested
 * The first answer of mixed and unsaid ends in the middle. Anything else is 404. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const long long FIVE_GIB = 5LL << 30;

typedef struct {
    char path[512], range[128];
} request;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void take_header(char *to, size_t size, const char *line, const char *name)
{
    size_t length = strlen(name);
    if (strncasecmp(line, name, length) != 0) return;
    line += length + strspn(line + length, " ");
    snprintf(to, size, "%.*s", (int)strcspn(line, "\r\n"), line);
}

static bool read_request(FILE *client, request *r)
{
    char line[2048];
    *r = (request){.range = "-"};
    if (fgets(line, sizeof line, client) == NULL || sscanf(line, "GET %511s", r->path) != 1) return false;
    while (fgets(line, sizeof line, client) != NULL && line[0] != '\r' && line[0] != '\n')
        take_header(r->range, sizeof r->range, line, "Range:");
    return true;
}

static unsigned char *read_file(const char *folder, const char *name, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    unsigned char *bytes = malloc(1 << 24);
    if (bytes == NULL) fail("malloc");
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

static void answer(FILE *client, const char *status, const char *headers)
{
    fprintf(client, "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n%s\r\n", status, headers);
}

static void trickle(FILE *client, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count && fflush(client) == 0 && !ferror(client); i++) {
        fputc(bytes[i], client);
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
}

/* Serves a file of 5 GiB, but sends only so many bytes. */
static void serve_huge(FILE *client, const request *r, bool announced, const unsigned char *bytes, size_t count)
{
    long long start = 0;
    bool partial = sscanf(r->range, "bytes=%lld-", &start) == 1;
    fprintf(client, "HTTP/1.1 %s\r\nConnection: close\r\n", partial ? "206 Partial Content" : "200 OK");
    if (partial) fprintf(client, "Content-Range: bytes %lld-%lld/%lld\r\n", start, FIVE_GIB - 1, FIVE_GIB);
    if (announced) fprintf(client, "Content-Length: %lld\r\n", FIVE_GIB - start);
    fputs("\r\n", client);
    fwrite(bytes, 1, count, client);
}

/* Serves the file, after it is clear that it will be served. */
static void serve(FILE *client, const request *r, const char *how, unsigned char *bytes, size_t size, bool first)
{
    bool is_changed = strcmp(how, "changed") == 0, plain = strcmp(how, "plain") == 0;
    bool mixed = strcmp(how, "mixed") == 0, unsaid = strcmp(how, "unsaid") == 0;
    if (is_changed && !first)
        for (size_t i = 0; i < size; i++) bytes[i]++;
    size_t start = 0;
    bool partial = !plain && sscanf(r->range, "bytes=%zu-", &start) == 1;
    if (partial && start >= size) {
        char range[64];
        snprintf(range, sizeof range, "Content-Range: bytes */%zu\r\n", size);
        answer(client, "416 Range Not Satisfiable", range);
        return;
    }
    if (partial && mixed) start--;
    if (!partial) start = 0;
    fprintf(client, "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: %zu\r\n",
            partial ? "206 Partial Content" : "200 OK", size - start);
    if (partial && !unsaid) fprintf(client, "Content-Range: bytes %zu-%zu/%zu\r\n", start, size - 1, size);
    fputs("\r\n", client);
    bool slow = first && strcmp(how, "slow") == 0;
    bool half =
        slow || strcmp(how, "broken") == 0 || (first && (strcmp(how, "drop") == 0 || is_changed || mixed || unsaid));
    size_t count = half ? (size - start) / 2 : size - start;
    fwrite(bytes + start, 1, count, client);
    if (slow) trickle(client, bytes + start + count, size - start - count);
}

static void handle(FILE *client, const request *r, const char *folder)
{
    static char begun[64][512]; /* the paths that were requested before */
    static int known;
    char how[64] = "", name[256] = "", location[512];
    bool first = true;
    for (int i = 0; i < known; i++) first = first && strcmp(begun[i], r->path) != 0;
    if (first && known < 64) snprintf(begun[known++], sizeof begun[0], "%s", r->path);
    sscanf(r->path, "/%63[^/]/%255[^/]", how, name);
    size_t size = 0;
    unsigned char *bytes = read_file(folder, name, &size);
    if (bytes == NULL || name[0] == '.') {
        answer(client, "404 Not Found", "");
    } else if (strcmp(how, "refused") == 0 || (strcmp(how, "busy") == 0 && first)) {
        answer(client, "503 Service Unavailable", "");
    } else if (strcmp(how, "moved") == 0 || strcmp(how, "round") == 0 || strcmp(how, "tofile") == 0) {
        if (how[0] == 'm') snprintf(location, sizeof location, "Location: /good/%s\r\n", name);
        else if (how[0] == 'r') snprintf(location, sizeof location, "Location: /round/%s\r\n", name);
        else snprintf(location, sizeof location, "Location: file:///etc/passwd\r\n");
        answer(client, "302 Found", location);
    } else if (strcmp(how, "announced") == 0 || strcmp(how, "endless") == 0) {
        serve_huge(client, r, how[0] == 'a', bytes, size);
    } else {
        serve(client, r, how, bytes, size, first);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    if (argc != 4) return 2;
    signal(SIGPIPE, SIG_IGN);
    alarm(3600);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        fail("socket");
    char temporary[1024];
    snprintf(temporary, sizeof temporary, "%s.new", argv[2]);
    FILE *ready = fopen(temporary, "w");
    if (ready == NULL) fail(temporary);
    fprintf(ready, "%d\n", (int)ntohs(address.sin_port));
    fclose(ready);
    if (rename(temporary, argv[2]) != 0) fail(argv[2]);
    for (;;) {
        request r;
        int connection = accept(listener, NULL, NULL);
        FILE *client = connection < 0 ? NULL : fdopen(connection, "r+");
        if (client == NULL) fail("accept");
        if (read_request(client, &r)) {
            FILE *log = fopen(argv[3], "a");
            if (log == NULL) fail(argv[3]);
            fprintf(log, "%s %s\n", r.path, r.range);
            fclose(log);
            fseek(client, 0, SEEK_CUR); /* switch from reading to writing */
            handle(client, &r, argv[1]);
        }
        fclose(client);
    }
}
