#include "lab/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/json.h"

void crd_lab_text_begin(crd_lab_text *text)
{
    *text = (crd_lab_text){0};
    text->stream = open_memstream(&text->bytes, &text->size);
    if (text->stream == NULL) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
}

char *crd_lab_text_end(crd_lab_text *text)
{
    bool whole = !ferror(text->stream);
    if (fclose(text->stream) != 0 || !whole) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
    return text->bytes;
}

char *crd_lab_text_read(const char *path)
{
    FILE *file = fopen(path, "r");
    crd_lab_text text;
    int c;
    if (file == NULL) return NULL;
    crd_lab_text_begin(&text);
    errno = 0;
    while ((c = getc(file)) != EOF) putc(c, text.stream);
    int failure = ferror(file) ? errno : 0;
    fclose(file);
    char *bytes = crd_lab_text_end(&text);
    if (failure == 0 && strlen(bytes) != text.size) failure = EILSEQ;
    if (failure == 0) return bytes;
    free(bytes);
    errno = failure;
    return NULL;
}

void crd_lab_print_markdown(FILE *stream, const char *name)
{
    for (; *name != '\0'; name++) {
        if (strchr("|\\`*_<", *name) != NULL) fputc('\\', stream);
        fputc((unsigned char)*name < 0x20 ? ' ' : *name, stream);
    }
}

void crd_lab_print_csv(FILE *stream, const char *name)
{
    if (strpbrk(name, ",\"\r\n") == NULL) {
        fputs(name, stream);
        return;
    }
    fputc('"', stream);
    for (; *name != '\0'; name++) {
        if (*name == '"') fputc('"', stream);
        fputc(*name, stream);
    }
    fputc('"', stream);
}

void crd_lab_number_text(double number, char text[32])
{
    char shortest[32] = "null";
    for (int digits = 1; digits <= 17 && isfinite(number); digits++) {
        snprintf(shortest, sizeof shortest, "%.*g", digits, number);
        if (strtod(shortest, NULL) == number) break;
    }
    memcpy(text, shortest, sizeof shortest);
}

char *crd_lab_quoted(const char *text)
{
    json_t *string = crd_lab_json_string(text);
    char *json = json_dumps(string, JSON_ENCODE_ANY | JSON_COMPACT);
    json_decref(string);
    return json != NULL ? json : crd_cli_text("\"\"");
}

char *crd_lab_training_text(const crd_model_facts *facts)
{
    char cross_entropy[32], accuracy[32];
    crd_lab_number_text(facts->best_cross_entropy, cross_entropy);
    crd_lab_number_text(facts->best_accuracy, accuracy);
    return crd_cli_text("{\"epochs\":%lld,\"best_epoch\":%lld,\"stop\":\"%s\","
                        "\"validation_cross_entropy\":%s,\"validation_accuracy\":%s}",
                        (long long)facts->epochs, (long long)facts->best_epoch, crd_stop_name(facts->stop),
                        cross_entropy, accuracy);
}
