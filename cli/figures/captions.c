#include "figures/captions.h"

#include <stdlib.h>

#include "figures/neighbours.h"
#include "figures/words.h"
#include "lab/text.h"

static const struct {
    const char *name, *title;
    bool percent;
} COLUMNS[] = {
    {"id_acc", "accuracy", true},
    {"auroc_epi", "OOD AUROC", true},
    {"auroc_epi_wo", "without the graph", true},
    {"evidence_id", "median evidence", false},
    {"evidence_ood", "of OOD nodes", false},
    {"same_class_latent", "neighbours of the same class", true},
    {"ood_together_latent", "neighbours of OOD that are OOD", true},
    {"dimensions", "dimensions", false},
};
enum { COUNT = sizeof COLUMNS / sizeof *COLUMNS };

void crd_fig_print_caption(FILE *stream, const crd_fig_grid *grid, const char *file)
{
    fputs("## ", stream);
    crd_lab_print_markdown(stream, grid->data->title);
    fprintf(stream, ": %s\n\n![%s](%s)\n\n%s\n\n| |", grid->heading, grid->heading, file, grid->note);
    for (int c = 0; c < COUNT; c++) fprintf(stream, " %s |", COLUMNS[c].title);
    fputs("\n|---|", stream);
    for (int c = 0; c < COUNT; c++) fputs("---|", stream);
    fputs("\n", stream);
    for (int i = 0; i < grid->cells; i++) {
        fprintf(stream, "| %s |", grid->cell[i].title);
        for (int c = 0; c < COUNT; c++) {
            const double number = crd_fig_panel_number(grid->cell[i].panel, COLUMNS[c].name);
            char *text = COLUMNS[c].percent ? crd_fig_percent(number) : crd_fig_number(number);
            fprintf(stream, " %s |", text);
            free(text);
        }
        fputs("\n", stream);
    }
    fprintf(stream,
            "\nNeighbours: the %d nearest in the latent space, of %d nodes evenly spread. Dimensions: how "
            "many the "
            "latent space really has.\n\n",
            CRD_FIG_NEIGHBOURS, CRD_FIG_SAMPLE);
}
