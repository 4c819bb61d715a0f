#include "grid.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"

crd_cli_grid *crd_cli_grid_new(int width, bool unicode)
{
    crd_cli_grid *grid = crd_cli_allocate(NULL, sizeof *grid);
    *grid = (crd_cli_grid){.width = width, .unicode = unicode};
    return grid;
}

void crd_cli_grid_free(crd_cli_grid *grid)
{
    if (grid == NULL) return;
    free(grid->cell);
    free(grid);
}

static void reach(crd_cli_grid *grid, int height)
{
    if (height <= grid->height) return;
    const size_t before = (size_t)grid->width * (size_t)grid->height;
    const size_t after = (size_t)grid->width * (size_t)height;
    grid->cell = crd_cli_allocate(grid->cell, after * sizeof *grid->cell);
    for (size_t i = before; i < after; i++) grid->cell[i] = (crd_cli_cell){' ', CRD_CLI_INK_PLAIN};
    grid->height = height;
}

void crd_cli_grid_put(crd_cli_grid *grid, int column, int row, uint32_t symbol, crd_cli_ink ink)
{
    if (column < 0 || column >= grid->width || row < 0) return;
    reach(grid, row + 1);
    grid->cell[row * grid->width + column] = (crd_cli_cell){symbol, ink};
}

void crd_cli_grid_write(crd_cli_grid *grid, int column, int row, const char *text, crd_cli_ink ink)
{
    reach(grid, row + 1);
    for (; *text != '\0'; text++) crd_cli_grid_put(grid, column++, row, (unsigned char)*text, ink);
}

int crd_cli_grid_wrap(crd_cli_grid *grid, int column, int row, const char *text)
{
    const int left = column;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (column > left && column + length > grid->width) {
            row++;
            column = left;
        }
        for (int i = 0; i < length; i++)
            crd_cli_grid_put(grid, column + i, row, (unsigned char)text[i], CRD_CLI_INK_PLAIN);
        column += length + 1;
        text += length;
        if (*text == ' ') text++;
    }
    return row + 1;
}

void crd_cli_grid_paste(crd_cli_grid *grid, int column, int row, const crd_cli_grid *other)
{
    reach(grid, row + other->height);
    for (int y = 0; y < other->height; y++)
        for (int x = 0; x < other->width; x++) {
            const crd_cli_cell *cell = &other->cell[y * other->width + x];
            if (cell->symbol != ' ') crd_cli_grid_put(grid, column + x, row + y, cell->symbol, cell->ink);
        }
}

/* Up to 0xffff, which is where all symbols are that are drawn here. */
static char *put_utf8(char *out, uint32_t symbol)
{
    if (symbol < 0x80) {
        *out++ = (char)symbol;
    } else if (symbol < 0x800) {
        *out++ = (char)(0xc0 | symbol >> 6);
        *out++ = (char)(0x80 | (symbol & 0x3f));
    } else {
        *out++ = (char)(0xe0 | symbol >> 12);
        *out++ = (char)(0x80 | (symbol >> 6 & 0x3f));
        *out++ = (char)(0x80 | (symbol & 0x3f));
    }
    return out;
}

static char *put_text(char *out, const char *text)
{
    const size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

char *crd_cli_grid_text(const crd_cli_grid *grid, int indent, bool colour)
{
    static const char *const codes[] = {
        [CRD_CLI_INK_PLAIN] = "\033[0m",
        [CRD_CLI_INK_BOLD] = "\033[1m",
        [CRD_CLI_INK_FIRST] = "\033[36m", /* cyan and yellow: told apart by all eyes, on dark and on light */
        [CRD_CLI_INK_SECOND] = "\033[33m",
    };
    enum { CODES = 9 }; /* bytes for the codes before a symbol: "\033[0m\033[36m" */
    const size_t line = (size_t)indent + (size_t)grid->width * (3 + CODES) + CODES + 1;
    char *text = crd_cli_allocate(NULL, (size_t)grid->height * line + 1), *out = text;
    for (int row = 0; row < grid->height; row++) {
        const crd_cli_cell *cell = grid->cell + (size_t)row * (size_t)grid->width;
        int end = grid->width;
        while (end > 0 && cell[end - 1].symbol == ' ') end--;
        if (end > 0) {
            memset(out, ' ', (size_t)indent);
            out += indent;
        }
        crd_cli_ink ink = CRD_CLI_INK_PLAIN;
        for (int column = 0; column < end; column++) {
            if (colour && cell[column].symbol != ' ' && cell[column].ink != ink) {
                if (ink != CRD_CLI_INK_PLAIN) out = put_text(out, codes[CRD_CLI_INK_PLAIN]);
                ink = cell[column].ink;
                if (ink != CRD_CLI_INK_PLAIN) out = put_text(out, codes[ink]);
            }
            out = put_utf8(out, cell[column].symbol);
        }
        if (ink != CRD_CLI_INK_PLAIN) out = put_text(out, codes[CRD_CLI_INK_PLAIN]);
        *out++ = '\n';
    }
    *out = '\0';
    return text;
}
