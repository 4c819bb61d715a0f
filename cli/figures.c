/* credence figures: the paper's pictures of latent spaces, from data to drawings. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data.h"
#include "figures/captions.h"
#include "figures/grids.h"
#include "figures/kept.h"
#include "files.h"
#include "lab/command.h"
#include "lab/lists.h"
#include "lab/models.h"
#include "lab/pool.h"
#include "lab/text.h"
#include "map.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(
        options, 'o', "out", "DIR", NULL,
        "the folder for the drawings (SVG), captions (figures.md) and numbers (figures.jsonl); panels "
        "that are finished there are not made again");
    crd_cli_add(options, 0, "data", "LIST", NULL,
                "the graphs, with commas between them: names (see 'credence fetch') or files");
    crd_cli_add(options, 0, "data-dir", "DIR", NULL,
                "where to look for the graphs named, before CREDENCE_DATA and what 'credence fetch' brought");
    crd_cli_add(options, 0, "grid", "NAME", "all",
                "lambda (four weights of the regulariser), activation (ReLU, LogSigmoid, HardTanh) or all");
    crd_cli_add(options, 0, "reg", "NAME", "distance",
                "the regulariser of the grid lambda: distance, as in the paper's figures, or evidence");
    crd_cli_add(options, 0, "seed", "N", "1", "of the split, the initialisation, dropout and the map");
    crd_cli_add(options, 0, "left-out", "N", "by the data", "how many last classes are kept from training");
    crd_cli_add(options, 0, "split", "A/B/C", "by the data",
                "which nodes train, validate, test: as for train");
    crd_cli_add(options, 0, "set", "LIST", NULL, "NAME=VALUE,...: options of train, changed in every panel");
    crd_cli_add(options, 0, "perplexity", "X", "30", "of t-SNE: roughly how many neighbours count");
    crd_cli_add(options, 0, "iterations", "N", "1000", "of t-SNE");
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

static void more_help(FILE *stream)
{
    fputs("\nModels are trained as the paper's choice for the graph has it ('credence train --preset "
          "published'),\n"
          "graphs without one as the preset gpn.\n\n"
          "Ctrl-C, or the end of the machine, loses only the panel that is being made: the same command goes "
          "on.\n",
          stream);
}

typedef struct {
    bool quiet;
    const char *folder, *reg;
    uint64_t seed;
    double perplexity;
    int64_t iterations;
    int threads;
    const crd_fig_grid_kind *grid[8]; /* those that were asked for */
    int grids;
    crd_lab_changes changes;
    crd_lab_data *data;
    char **stem; /* what its files' names begin with */
    int datas;
    crd_fig_wanted *wanted; /* graph by graph, grid by grid, panel by panel */
    int count;
    int made, kept; /* so far */
    bool live;      /* a live line is on the screen */
} figures;

/* What is wanted --------------------------------------------------------------------------------------- */

static int read_grids(const crd_cli_options *options, figures *f)
{
    const char *typed = crd_cli_value(options, "grid"), *names[9] = {"all"};
    const crd_fig_grid_kind *grid;
    int count = 1;
    for (int i = 0; (grid = crd_fig_grid_at(i)) != NULL; i++) {
        names[count++] = grid->name;
        if (typed == NULL || strcmp(typed, "all") == 0 || strcmp(typed, grid->name) == 0)
            f->grid[f->grids++] = grid;
    }
    if (f->grids > 0) return CRD_CLI_DONE;
    const char *nearest = crd_cli_nearest(typed, names, count);
    return nearest != NULL ? crd_cli_misused(options, "--grid %s: there is no such grid (did you mean %s?)",
                                             typed, nearest)
                           : crd_cli_misused(options, "--grid %s: expected lambda, activation or all", typed);
}

/* What a grid is about cannot be set for all its panels. */
static int check_changes(const crd_cli_options *options, const figures *f)
{
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name;
        if (f->changes.value == NULL || f->changes.value[i] == NULL) continue;
        if (strcmp(name, "model") == 0)
            return crd_cli_misused(options,
                                   "--set model: the figures are those of a gpn, which has evidence");
        if (strncmp(name, "reg", 3) == 0)
            return crd_cli_misused(options,
                                   "--set %s: this is what the grids are about; --reg names the "
                                   "regulariser",
                                   name);
        for (int g = 0; g < f->grids; g++)
            if (strcmp(name, f->grid[g]->name) == 0)
                return crd_cli_misused(options, "--set %s: this is what the grid %s is about", name, name);
    }
    return CRD_CLI_DONE;
}

static int read_options(const crd_cli_options *options, figures *f)
{
    int64_t seed = 1;
    f->folder = crd_cli_value(options, "out");
    f->quiet = crd_cli_given(options, "quiet");
    f->reg = crd_cli_given(options, "reg") ? crd_cli_value(options, "reg") : "distance";
    crd_tsne_options tsne;
    crd_tsne_defaults(&tsne);
    if (!crd_cli_given(options, "data"))
        return crd_cli_misused(options, "%s needs --data", options->command->name);
    if (strcmp(f->reg, "distance") != 0 && strcmp(f->reg, "evidence") != 0)
        return crd_cli_misused(options, "--reg %s: expected distance or evidence", f->reg);
    int code = read_grids(options, f);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    if (code == CRD_CLI_DONE) code = crd_cli_map_options(options, &tsne);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(options, &f->threads);
    if (code == CRD_CLI_DONE)
        code = crd_lab_changes_read(options, crd_cli_value(options, "set"), &f->changes);
    if (code == CRD_CLI_DONE) code = check_changes(options, f);
    f->perplexity = tsne.perplexity;
    f->iterations = tsne.iterations;
    f->seed = (uint64_t)seed;
    return code;
}

/* A graph's name as the beginning of file names, unlike those of the graphs before it. */
static char *choose_stem(const figures *f, const char *name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    enum { LONGEST = 100 };
    char *stem = crd_cli_text("%.*s", LONGEST, name);
    for (char *c = stem; *c != '\0'; c++)
        if (strchr(plain, *c) == NULL || (c == stem && *c == '.')) *c = '-';
    char *free_one = crd_cli_text("%s", stem);
    for (int number = 2, i = 0; i < f->datas; i++) {
        if (strcmp(f->stem[i], free_one) != 0) continue;
        free(free_one);
        free_one = crd_cli_text("%s-%d", stem, number++);
        i = -1; /* against all of them again */
    }
    free(stem);
    return free_one;
}

static int open_data(const crd_cli_options *options, figures *f)
{
    crd_lab_list list;
    int code = crd_lab_list_read(options, "data", crd_cli_value(options, "data"), &list);
    if (code != CRD_CLI_DONE) return code;
    f->data = crd_cli_allocate(NULL, (size_t)list.count * sizeof *f->data);
    f->stem = crd_cli_allocate(NULL, (size_t)list.count * sizeof *f->stem);
    for (int i = 0; i < list.count && code == CRD_CLI_DONE; i++) {
        code = crd_lab_data_open(options, list.item[i], true, f->data, f->datas);
        if (code != CRD_CLI_DONE) break;
        f->stem[f->datas] = choose_stem(f, f->data[f->datas].name);
        const crd_lab_data *data = &f->data[f->datas++];
        code = crd_lab_data_check_split(data, f->seed);
        if (code == CRD_CLI_DONE) code = crd_lab_check_features(data->name, data->dataset, "gpn");
        if (code == CRD_CLI_DONE && 3.0 * f->perplexity > (double)(crd_dataset_nodes(data->dataset) - 1))
            code = crd_cli_misused(options, "%s: has %lld nodes, too few for a perplexity of %g", data->name,
                                   (long long)crd_dataset_nodes(data->dataset), f->perplexity);
    }
    crd_lab_list_free(&list);
    return code;
}

static int list_panels(const crd_cli_options *options, figures *f)
{
    crd_error error;
    f->wanted =
        crd_cli_allocate(NULL, (size_t)(f->datas * f->grids * CRD_FIG_MOST_PANELS) * sizeof *f->wanted);
    for (int d = 0; d < f->datas; d++)
        for (int g = 0; g < f->grids; g++)
            for (int p = 0; p < f->grid[g]->panels; p++) {
                crd_fig_wanted *wanted = &f->wanted[f->count++];
                *wanted = (crd_fig_wanted){.data = &f->data[d],
                                           .grid = f->grid[g]->name,
                                           .value = f->grid[g]->value[p],
                                           .perplexity = f->perplexity,
                                           .iterations = f->iterations};
                if (crd_fig_configure(f->grid[g], p, &f->data[d], f->reg, &f->changes, &wanted->config,
                                      &error) != CRD_OK)
                    return crd_cli_fail(&error);
                wanted->config.seed = f->seed;
                wanted->config.threads = f->threads;
            }
    const char *left = crd_lab_changes_left(&f->changes);
    return left == NULL ? CRD_CLI_DONE : crd_cli_misused(options, "--set %s: a gpn makes no use of it", left);
}

/* Panels ----------------------------------------------------------------------------------------------- */

static void show(figures *f, const crd_fig_wanted *wanted, const char *doing)
{
    if (f->quiet || !crd_cli_is_terminal(stderr)) return;
    char *name = crd_cli_printable(wanted->data->name);
    /* The live line must not wrap, or the next one could not cover it. */
    fprintf(stderr, "\r\033[?7l%d/%d %s, %s %s: %s\033[K\033[?7h", f->made + f->kept + 1, f->count, name,
            wanted->grid, wanted->value, doing);
    fflush(stderr);
    free(name);
    f->live = true;
}

static void clear_line(figures *f)
{
    if (f->live) fputs("\r\033[K", stderr);
    f->live = false;
}

typedef struct {
    figures *f;
    const crd_fig_wanted *wanted;
} watched;

static bool on_progress(const char *what, int64_t done, int64_t of, void *user)
{
    const watched *w = user;
    char text[80];
    if (of > 0)
        snprintf(text, sizeof text, "%s %lld of %lld", what, (long long)done, (long long)of);
    else
        snprintf(text, sizeof text, "%s %lld", what, (long long)done);
    show(w->f, w->wanted, text);
    return !crd_cli_interrupted();
}

static void say_panel(figures *f, const crd_fig_wanted *wanted, const crd_fig_panel *panel, double seconds)
{
    clear_line(f);
    if (f->quiet) return;
    crd_cli_say("%d/%d %s, %s %s: accuracy %.1f %%, OOD AUROC %.1f %%; %.1f s", f->made + f->kept, f->count,
                wanted->data->name, wanted->grid, wanted->value, crd_fig_panel_number(panel, "id_acc"),
                crd_fig_panel_number(panel, "auroc_epi"), seconds);
}

/* Finds a panel or makes it; the next time it is found. */
static int take_panel(figures *f, const char *stem, const crd_fig_wanted *wanted, crd_fig_panel *panel)
{
    watched w = {.f = f, .wanted = wanted};
    crd_error error;
    bool stopped = false;
    const double begun = crd_lab_now();
    char *path = crd_cli_text("%s/panels/%s-%s-%s", f->folder, stem, wanted->grid, wanted->value);
    int code = CRD_CLI_DONE;
    if (crd_fig_panel_load(path, wanted, panel)) {
        f->kept++;
    } else {
        crd_status status = crd_fig_panel_make(wanted, on_progress, &w, panel, &stopped, &error);
        clear_line(f);
        if (status != CRD_OK)
            code = crd_cli_failf(CRD_CLI_FAILED, "%s, %s %s: %s", wanted->data->name, wanted->grid,
                                 wanted->value, error.message);
        else if (stopped)
            code = crd_cli_failf(
                CRD_CLI_FAILED,
                "interrupted: %d of %d panels are finished and kept in %s; the same command goes "
                "on from there",
                f->made + f->kept, f->count, f->folder);
        else
            code = crd_fig_panel_save(panel, path);
        f->made += code == CRD_CLI_DONE;
        if (code == CRD_CLI_DONE)
            say_panel(f, wanted, panel, crd_lab_now() - begun);
        else if (status == CRD_OK && !stopped)
            crd_fig_panel_free(panel);
    }
    free(path);
    return code;
}

/* Drawings --------------------------------------------------------------------------------------------- */

static void print_records(FILE *stream, const crd_fig_panel *panel, int panels)
{
    for (int p = 0; p < panels; p++) fprintf(stream, "%s\n", panel[p].line);
}

static int draw(const figures *f, const crd_fig_grid_kind *kind, const char *stem,
                const crd_fig_wanted *wanted, const crd_fig_panel *panel, FILE *captions)
{
    crd_fig_cell cell[CRD_FIG_MOST_PANELS];
    for (int p = 0; p < kind->panels; p++)
        cell[p] = (crd_fig_cell){.title = kind->title[p], .panel = &panel[p]};
    char *heading = crd_fig_heading(kind, f->reg);
    char *note = crd_fig_note(kind, &wanted->config, panel->nodes, f->perplexity, f->iterations);
    char *file = crd_cli_text("%s-%s.svg", stem, kind->name);
    const crd_fig_grid grid = {.data = wanted->data,
                               .heading = heading,
                               .note = note,
                               .columns = kind->columns,
                               .cell = cell,
                               .cells = kind->panels};
    crd_fig_print_caption(captions, &grid, file);
    int code = crd_cli_write_in(f->folder, file, crd_fig_svg(&grid));
    free(file);
    free(note);
    free(heading);
    return code;
}

/* All panels of a graph's grid, and its drawing. */
static int make_grid(figures *f, int data, int grid, const crd_fig_wanted *wanted, FILE *records,
                     FILE *captions)
{
    const crd_fig_grid_kind *kind = f->grid[grid];
    crd_fig_panel panel[CRD_FIG_MOST_PANELS] = {{0}};
    int code = CRD_CLI_DONE, ready = 0;
    for (; ready < kind->panels && code == CRD_CLI_DONE; ready++)
        code = take_panel(f, f->stem[data], &wanted[ready], &panel[ready]);
    if (code == CRD_CLI_DONE) {
        print_records(records, panel, kind->panels);
        code = draw(f, kind, f->stem[data], wanted, panel, captions);
    }
    for (int p = 0; p < kind->panels; p++) crd_fig_panel_free(&panel[p]);
    return code;
}

static int make_folder(const char *path, bool *created)
{
    *created = mkdir(path, 0777) == 0;
    if (*created || errno == EEXIST) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot create the folder: %s", path, strerror(errno));
}

static int make_all(const crd_cli_options *options, figures *f)
{
    static const char *const recorded[] = {"data",  "grid", "reg",        "seed",       "left-out",
                                           "split", "set",  "perplexity", "iterations", NULL};
    crd_lab_text records, captions;
    char *panels = crd_cli_text("%s/panels", f->folder), *typed = crd_lab_command_text(options, recorded);
    char *command = crd_cli_printable(typed);
    bool new_folder, new_panels = false;
    int code = make_folder(f->folder, &new_folder), at = 0;
    if (code == CRD_CLI_DONE) code = make_folder(panels, &new_panels);
    crd_lab_text_begin(&records);
    crd_lab_text_begin(&captions);
    fprintf(captions.stream, "# Latent spaces\n\nMade by\n\n    %s\n\n", command);
    for (int d = 0; d < f->datas; d++)
        for (int g = 0; g < f->grids && code == CRD_CLI_DONE; g++) {
            code = make_grid(f, d, g, &f->wanted[at], records.stream, captions.stream);
            at += f->grid[g]->panels;
        }
    char *lines = crd_lab_text_end(&records), *page = crd_lab_text_end(&captions);
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(f->folder, "figures.jsonl", crd_cli_text("%s", lines));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(f->folder, "figures.md", crd_cli_text("%s", page));
    if (code == CRD_CLI_DONE)
        code = crd_cli_write_in(f->folder, "command.txt", crd_cli_text("%s\n", command));
    /* Folders without a single panel are not left behind. */
    if (code != CRD_CLI_DONE && new_panels) rmdir(panels);
    if (code != CRD_CLI_DONE && new_folder) rmdir(f->folder);
    free(lines);
    free(page);
    free(command);
    free(typed);
    free(panels);
    return code;
}

static int run(const crd_cli_options *options)
{
    static const char *const ours[] = {"figures.jsonl", "panels", NULL};
    figures f = {0};
    /* Who watches may go away; the work goes on. */
    signal(SIGPIPE, SIG_IGN);
    crd_cli_catch_signals("stopping; what is finished is kept");
    int code = read_options(options, &f);
    if (code == CRD_CLI_DONE)
        code = crd_cli_check_folder_output(f.folder, ours, "a folder of figures, with figures.jsonl");
    if (code == CRD_CLI_DONE) code = open_data(options, &f);
    if (code == CRD_CLI_DONE) code = list_panels(options, &f);
    if (code == CRD_CLI_DONE) code = crd_fig_check_kept(f.folder, f.wanted, f.count);
    if (code == CRD_CLI_DONE) code = make_all(options, &f);
    if (code == CRD_CLI_DONE && !f.quiet)
        crd_cli_say(
            "%d drawing%s in %s, of %d panels, %d of them made now; captions in figures.md, numbers in "
            "figures.jsonl",
            f.datas * f.grids, f.datas * f.grids == 1 ? "" : "s", f.folder, f.count, f.made);
    for (int d = 0; d < f.datas; d++) {
        crd_lab_data_free(&f.data[d]);
        free(f.stem[d]);
    }
    crd_lab_changes_free(&f.changes);
    free(f.data);
    free(f.stem);
    free(f.wanted);
    return code;
}

const crd_cli_command crd_cli_figures = {
    .name = "figures",
    .group = CRD_CLI_LABORATORY,
    .summary = "draw latent spaces as the paper's figures do",
    .description =
        "Trains models on every graph, maps their latent spaces by t-SNE and draws them as the paper's\n"
        "appendix does: a colour for every class, black for nodes of classes left out, discs sized by\n"
        "evidence; one grid for weights of the distance regulariser, one for activations.",
    .required = "out",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
