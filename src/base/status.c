/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *crd_version(void)
{
    return CRD_VERSION;
}

void crd_keep_one_line(char *text)
{
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
}

static void fill(crd_error *error, crd_status status, const char *about, const char *format, va_list arguments)
{
    error->status = status;
    snprintf(error->about, sizeof error->about, "%s", about);
    const int begun = snprintf(error->message, sizeof error->message, "%s%s", error->about, *about != '\0' ? " " : "");
    vsnprintf(error->message + begun, sizeof error->message - (size_t)begun, format, arguments);
    crd_keep_one_line(error->about);
    crd_keep_one_line(error->message);
}

crd_status crd_fail(crd_error *error, crd_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error != NULL) fill(error, status, "", format, arguments);
    va_end(arguments);
    return status;
}

crd_status crd_fail_about(crd_error *error, crd_status status, const char *about, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error != NULL) fill(error, status, about, format, arguments);
    va_end(arguments);
    return status;
}

crd_status crd_fail_in(crd_error *error, const char *name, const crd_error *inner)
{
    crd_fail(error, inner->status, "%s: %s", name, inner->message);
    if (error != NULL) memcpy(error->about, inner->about, sizeof error->about);
    return inner->status;
}

bool crd_any_null(crd_error *error, const char *function, const char *names, const void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int length = (int)strcspn(names, ",");
        if (pointers[i] == NULL) {
            const char *macro = strstr(function, "_sized"); /* programs call crd_evaluate_sized as crd_evaluate */
            const int called = (int)(macro != NULL ? macro - function : (ptrdiff_t)strlen(function));
            crd_fail(error, CRD_ERROR_ARGUMENT, "%.*s: %.*s is NULL", called, function, length, names);
            if (error != NULL) snprintf(error->about, sizeof error->about, "%.*s", length, names);
            return true;
        }
        names += length + strspn(names + length, ", ");
    }
    return false;
}

crd_status crd_fail_memory(crd_error *error, size_t bytes)
{
    return crd_fail(error, CRD_ERROR_MEMORY, "out of memory (%zu bytes were asked for)", bytes);
}

static bool folder_is_missing(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path || slash - path >= (ptrdiff_t)sizeof folder) return false;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    return access(folder, F_OK) != 0;
}

crd_status crd_fail_errno(crd_error *error, const char *path, const char *what)
{
    char reason[128] = "unknown error";
    int number = errno;
    /* The XSI strerror_r: thread-safe, unlike strerror. */
    if (number == ENOENT && folder_is_missing(path)) snprintf(reason, sizeof reason, "its folder does not exist");
    else if (strerror_r(number, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", number);
    /* A path may be longer than the message. Keep the reason and the end of the path, which says more than its
     * beginning. */
    size_t length = strlen(path);
    const size_t most = 400;
    return crd_fail(error, CRD_ERROR_IO, "%s%s: cannot %s: %s", length > most ? "..." : "",
                    length > most ? path + length - most : path, what, reason);
}
