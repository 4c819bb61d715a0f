/* Text in drawings: names from outside made harmless, how wide they are, where lines break. */
#ifndef CREDENCE_CLI_FIGURES_WORDS_H
#define CREDENCE_CLI_FIGURES_WORDS_H

#include <stdio.h>

/* Text as XML's character data or attribute; what XML has no place for (control characters, bytes that are no
 * UTF-8) becomes U+FFFD. */
void crd_fig_print_xml(FILE *stream, const char *text);

/* About how wide the text is, in font sizes: fonts differ, so it is rather too much. */
double crd_fig_width(const char *text);
/* The text, or its beginning with "..." as one character behind it, no wider than that. The caller frees it.
 */
char *crd_fig_shorten(const char *text, double width);
/* Of a text, the bytes that fit into a line of that width, broken at a space; at least one word. */
size_t crd_fig_line(const char *text, double width);

/* "0.0021", "340", "1.2·10⁶": three digits that count; the caller frees it. */
char *crd_fig_number(double number);
/* A share that is in percent already: "88.1 %", or "n.a."; the caller frees it. */
char *crd_fig_percent(double percent);

#endif
