#include "figures/legend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/svg.h"
#include "figures/words.h"

/* Chosen one after the other to be as far as possible, in OKLab, from all before, from white, black and grey:
 * as people with ordinary sight see them, and with protanopia, deuteranopia and tritanopia as Machado and
 * others (2009) model them. The letters tell classes apart where colours do not. */
static const char *const COLOURS[CRD_FIG_COLOURS] = {
    "#0072b2", "#e69f00", "#950000", "#15d4ff", "#d45515", "#6a95ff", "#6a406a", "#bfd495",
    "#402abf", "#aa556a", "#9555ea", "#bf152a", "#ff6a6a", "#800095", "#eaaad4", "#d46ad4",
};

static const char OUT[] = "#000000", UNLABELLED[] = "#bbbbbb";

const char *crd_fig_colour(int32_t class_index)
{
    return COLOURS[class_index % CRD_FIG_COLOURS];
}

const char *crd_fig_group_colour(int32_t group, int32_t classes)
{
    return group < classes ? crd_fig_colour(group) : group == classes ? OUT : UNLABELLED;
}

char crd_fig_letter(int32_t class_index)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return class_index < (int32_t)sizeof letters - 1 ? letters[class_index] : '\0';
}

/* How much of all names is the same, up to the last '/' in it. */
static size_t shared_folders(const crd_dataset *dataset)
{
    const char *first = crd_dataset_class_name(dataset, 0);
    size_t shared = strlen(first);
    for (int32_t c = 1; c < crd_dataset_classes(dataset); c++) {
        const char *name = crd_dataset_class_name(dataset, c);
        size_t same = 0;
        while (same < shared && name[same] == first[same]) same++;
        shared = same;
    }
    while (shared > 0 && first[shared - 1] != '/') shared--;
    return shared;
}

char *crd_fig_class_name(const crd_dataset *dataset, int32_t class_index)
{
    const char *name = crd_dataset_class_name(dataset, class_index) + shared_folders(dataset);
    const bool number = name[0] != '\0' && strspn(name, "0123456789") == strlen(name);
    return crd_cli_text("%s%s", number ? "class " : "", name);
}

/* Classes: entries side by side, in as many rows as it takes, up to some. */
enum { MOST_ROWS = 6 };
static const double DISC = 5, AFTER = 16, ROW = 19, WIDEST = 230;

typedef struct rows {
    FILE *stream;
    double left, x, y, right, size;
    int row;
} rows;

/* Where an entry of that width goes; false if there is no row left. */
static bool make_room(rows *r, double width)
{
    if (r->x > r->left && r->x + width > r->right) {
        if (r->row + 1 == MOST_ROWS) return false;
        r->row++;
        r->x = r->left;
        r->y += ROW;
    }
    return true;
}

static bool print_entry(rows *r, const char *colour, char letter, const char *name, double widest)
{
    char *shown = crd_fig_shorten(name, widest / r->size);
    const double letters = letter != '\0' ? 1.1 * r->size : 0.0;
    const double width = 2 * DISC + 5 + letters + crd_fig_width(shown) * r->size + AFTER;
    const bool room = make_room(r, width);
    if (room) {
        fprintf(r->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>", r->x + DISC, r->y,
                DISC, colour);
        fprintf(r->stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">", r->x + 2 * DISC + 5,
                r->y + 0.36 * r->size, r->size);
        if (letter != '\0') fprintf(r->stream, "<tspan font-weight=\"bold\">%c</tspan> ", letter);
        crd_fig_print_xml(r->stream, shown);
        fputs("</text>\n", r->stream);
        r->x += width;
    }
    free(shown);
    return room;
}

/* "out of distribution: Theory, Rule Learning" */
static char *left_out_text(const crd_lab_data *data)
{
    const int32_t all = crd_dataset_classes(data->dataset), first = all - (int32_t)data->left_out;
    char *text = crd_cli_text("left out of training (OOD): ");
    for (int32_t c = first; c < all && strlen(text) < 4096; c++) {
        char *name = crd_fig_class_name(data->dataset, c);
        char *longer = crd_cli_text("%s%s%s", text, c > first ? ", " : "", name);
        free(name);
        free(text);
        text = longer;
    }
    return text;
}

double crd_fig_print_classes(FILE *stream, const crd_lab_data *data, double x, double y, double width,
                             double size)
{
    const int32_t classes = crd_dataset_classes(data->dataset) - (int32_t)data->left_out;
    rows r = {.stream = stream, .left = x, .x = x, .y = y, .right = x + width, .size = size};
    int32_t shown = 0;
    /* The row after these is for the classes left out. */
    for (bool room = true; shown < classes && room; shown += room) {
        char *name = crd_fig_class_name(data->dataset, shown);
        room = print_entry(&r, crd_fig_colour(shown), crd_fig_letter(shown), name, WIDEST);
        free(name);
    }
    r.row = 0;
    r.x = r.left;
    r.y += ROW;
    char *out = left_out_text(data);
    print_entry(&r, OUT, '\0', out, width - 160);
    free(out);
    if (shown < classes) {
        char *more = crd_cli_text("%d more classes", (int)(classes - shown));
        print_entry(&r, "none", '\0', more, WIDEST);
        free(more);
    }
    bool unlabelled = false;
    for (int64_t i = 0; i < crd_dataset_nodes(data->dataset) && !unlabelled; i++)
        unlabelled = crd_dataset_label(data->dataset, i) < 0;
    if (unlabelled) print_entry(&r, UNLABELLED, '\0', "no label", WIDEST);
    return r.y + ROW / 2;
}

void crd_fig_print_sizes(FILE *stream, const crd_fig_dots *dots, double x, double y, double size)
{
    enum { SHOWN = 3 };
    static const char word[] = "evidence";
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">%s</text>\n", x, y, size, word);
    x += crd_fig_width(word) * size + 10;
    if (!(dots->most > 0.0)) return;
    const double largest = pow(10.0, floor(log10(dots->most)));
    for (int i = 0; i < SHOWN; i++) {
        const double evidence = largest * pow(10.0, i - SHOWN + 1);
        const double radius = crd_fig_radius(dots, evidence) / CRD_FIG_UNITS;
        char *text = crd_fig_number(evidence);
        fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"#666666\"/>", x + radius,
                y - 0.36 * size, radius);
        fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">%s</text>\n", x + 2 * radius + 4, y,
                size, text);
        x += 2 * radius + 4 + crd_fig_width(text) * size + 12;
        free(text);
    }
}
