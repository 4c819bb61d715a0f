#include "figures/words.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

/* The character at the beginning of the text and the bytes that it takes; 0 where it is none that XML allows.
 */
static uint32_t character(const char *text, size_t *bytes)
{
    const unsigned char *at = (const unsigned char *)text;
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = at[0] < 0x80                    ? 1
                          : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                          : (at[0] & 0xf0) == 0xe0        ? 3
                          : (at[0] & 0xf8) == 0xf0        ? 4
                                                          : 0;
    uint32_t code = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
    *bytes = 1;
    if (length == 0) return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    *bytes = length;
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool none = (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe || code > 0x10ffff;
    return control || none || code < least[length] ? 0 : code;
}

void crd_fig_print_xml(FILE *stream, const char *text)
{
    size_t bytes;
    for (; *text != '\0'; text += bytes) {
        switch (character(text, &bytes)) {
        case 0:
            fputs("\xef\xbf\xbd", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fwrite(text, 1, bytes, stream);
        }
    }
}

static double character_width(uint32_t code)
{
    if (code == 0 || code >= 0x2e80) return 1.1; /* the replacement character, ideographs, emoji */
    if (code >= 0x80) return 0.6;
    if (strchr("ijl.,:;'|! ", (int)code) != NULL) return 0.3;
    if (strchr("mwMW%@", (int)code) != NULL) return 0.9;
    return code >= 'A' && code <= 'Z' ? 0.7 : 0.56;
}

/* How many bytes of the text are no wider than that. */
static size_t fitting(const char *text, double width)
{
    size_t at = 0, bytes;
    while (text[at] != '\0') {
        width -= character_width(character(text + at, &bytes));
        if (width < 0.0) break;
        at += bytes;
    }
    return at;
}

double crd_fig_width(const char *text)
{
    double width = 0.0;
    size_t bytes;
    for (; *text != '\0'; text += bytes) width += character_width(character(text, &bytes));
    return width;
}

char *crd_fig_shorten(const char *text, double width)
{
    size_t whole = fitting(text, width);
    if (text[whole] == '\0') return crd_cli_text("%s", text);
    return crd_cli_text("%.*s\xe2\x80\xa6", (int)fitting(text, width - character_width(0x2026)), text);
}

size_t crd_fig_line(const char *text, double width)
{
    size_t most = fitting(text, width);
    if (text[most] == '\0') return most;
    while (most > 0 && text[most] != ' ') most--;
    return most > 0 ? most : strcspn(text, " ");
}

/* Digits above the line: "10⁻⁵". */
static void print_power(char *text, int exponent)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", abs(exponent));
    strcat(text, exponent < 0 ? "10⁻" : "10");
    for (const char *d = digits; *d != '\0'; d++) strcat(text, raised[*d - '0']);
}

char *crd_fig_number(double number)
{
    char digits[32], text[64];
    if (!isfinite(number)) return crd_cli_text("n.a.");
    snprintf(digits, sizeof digits, "%.2e", number);
    const int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent >= -3 && exponent < 3) return crd_cli_text("%.3g", number);
    if (exponent >= 3 && exponent < 5) return crd_cli_text("%.0f", strtod(digits, NULL));
    snprintf(text, sizeof text, "%.1f·", number / pow(10.0, exponent));
    if (strcmp(text, "1.0·") == 0) text[0] = '\0';
    print_power(text, exponent);
    return crd_cli_text("%s", text);
}

char *crd_fig_percent(double percent)
{
    return isfinite(percent) ? crd_cli_text("%.1f %%", percent) : crd_cli_text("n.a.");
}
