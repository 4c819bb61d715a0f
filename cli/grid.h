/* A sheet of characters to draw on: every cell has a symbol and a colour. Pure: text comes out of it. */
#ifndef CREDENCE_CLI_GRID_H
#define CREDENCE_CLI_GRID_H

#include <stdbool.h>
#include <stdint.h>

typedef enum crd_cli_ink {
    CRD_CLI_INK_PLAIN,
    CRD_CLI_INK_BOLD,
    CRD_CLI_INK_FIRST, /* two groups that are compared */
    CRD_CLI_INK_SECOND
} crd_cli_ink;

typedef struct crd_cli_cell {
    uint32_t symbol; /* a Unicode character */
    crd_cli_ink ink;
} crd_cli_cell;

typedef struct crd_cli_grid {
    int width, height; /* it grows downwards while it is drawn on */
    bool unicode;      /* false: nothing but ASCII may be drawn */
    crd_cli_cell *cell;
} crd_cli_grid;

crd_cli_grid *crd_cli_grid_new(int width, bool unicode);
void crd_cli_grid_free(crd_cli_grid *grid);

/* What lies outside of the width is left out. */
void crd_cli_grid_put(crd_cli_grid *grid, int column, int row, uint32_t symbol, crd_cli_ink ink);
/* ASCII in one row; and word by word in as many rows as it needs up to the right edge, which returns the
 * row after them. */
void crd_cli_grid_write(crd_cli_grid *grid, int column, int row, const char *text, crd_cli_ink ink);
int crd_cli_grid_wrap(crd_cli_grid *grid, int column, int row, const char *text);
/* Copies all of `other` so that its upper left corner lies there. */
void crd_cli_grid_paste(crd_cli_grid *grid, int column, int row, const crd_cli_grid *other);

/* The lines, in UTF-8 and without blanks at their ends, each after so many blanks; with terminal codes for
 * colours if `colour`. The caller frees it. */
char *crd_cli_grid_text(const crd_cli_grid *grid, int indent, bool colour);

#endif
