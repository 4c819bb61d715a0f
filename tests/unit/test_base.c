/* The ground floor: files that appear whole or not at all, loops over rows, random numbers. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <dirent.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/outfile.h"
#include "base/parallel.h"
#include "base/random.h"

/* ---- files ---- */

static char folder[] = "/tmp/credence-base-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static const char *in_folder(const char *name)
{
    static char path[2][512];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* The folder's files, hidden ones included. */
static int count_files(void)
{
    int count = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (struct dirent *entry; (entry = readdir(all)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(all);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *all = opendir(folder);
    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;)
        unlink(in_folder(entry->d_name));
    if (all != NULL) closedir(all);
    return rmdir(folder);
}

static void assert_content(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void write_file(const char *path, const char *text)
{
    crd_outfile *file;
    assert_int_equal(crd_outfile_open(path, &file, NULL), CRD_OK);
    crd_outfile_text(file, text);
    assert_int_equal(crd_outfile_commit(&file, NULL), CRD_OK);
    assert_null(file);
}

static void files_appear_whole(void **state)
{
    (void)state;
    crd_outfile *file;
    assert_int_equal(crd_outfile_open(in_folder("a"), &file, NULL), CRD_OK);
    crd_outfile_text(file, "one");
    assert_int_equal(access(in_folder("a"), F_OK), -1); /* not there before it is whole */
    assert_int_equal(crd_outfile_commit(&file, NULL), CRD_OK);
    assert_content(in_folder("a"), "one");
    struct stat facts;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(in_folder("a"), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0666 & ~mask);

    /* replaced at once, permissions kept; a discarded one changes nothing */
    assert_int_equal(chmod(in_folder("a"), 0640), 0);
    write_file(in_folder("a"), "two");
    assert_content(in_folder("a"), "two");
    assert_int_equal(stat(in_folder("a"), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
    assert_int_equal(crd_outfile_open(in_folder("a"), &file, NULL), CRD_OK);
    crd_outfile_text(file, "three");
    crd_outfile_discard(&file);
    assert_content(in_folder("a"), "two");
    assert_int_equal(count_files(), 1);

    /* a link stays a link */
    assert_int_equal(symlink("a", in_folder("link")), 0);
    write_file(in_folder("link"), "four");
    assert_content(in_folder("a"), "four");
    assert_int_equal(lstat(in_folder("link"), &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(count_files(), 2);
}

static void files_that_cannot_be(void **state)
{
    (void)state;
    crd_outfile *file;
    crd_error error;
    assert_int_equal(crd_outfile_open("/tmp", &file, &error), CRD_ERROR_IO);
    assert_non_null(strstr(error.message, "is a folder"));
    assert_int_equal(crd_outfile_open("/nowhere/at/all", &file, &error), CRD_ERROR_IO);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(crd_outfile_open("", &file, &error), CRD_ERROR_ARGUMENT);
    assert_null(file);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(crd_outfile_open("/dev/full", &file, &error), CRD_OK);
        for (int i = 0; i < 100000; i++) crd_outfile_text(file, "more than the buffer holds");
        assert_int_equal(crd_outfile_commit(&file, &error), CRD_ERROR_IO);
        assert_non_null(strstr(error.message, "No space left"));
    }
}

/* ---- loops ---- */

enum { ROWS = 10007 };

typedef struct {
    int visits[ROWS];
    float value[ROWS];
} loop_case;

static void visit(int64_t begin, int64_t end, void *context)
{
    loop_case *c = context;
    for (int64_t i = begin; i < end; i++) c->visits[i]++;
}

static void add(int64_t begin, int64_t end, double *sums, void *context)
{
    const loop_case *c = context;
    for (int64_t i = begin; i < end; i++) {
        sums[0] += (double)c->value[i];
        sums[1] += 1.0;
    }
}

static void rows_are_visited_once(void **state)
{
    (void)state;
    static loop_case c;
    crd_rng rng = crd_rng_start(1, 1);
    for (int i = 0; i < ROWS; i++) c.value[i] = (float)(crd_rng_uniform(&rng) - 0.5) * 1e6f;
    double alone[2];
    crd_parallel_sum(NULL, ROWS, add, &c, 2, alone);
    assert_true(alone[1] == ROWS);
    for (int64_t threads = 1; threads <= 9; threads += 2) {
        crd_team *team;
        assert_int_equal(crd_team_open(threads, &team, NULL), CRD_OK);
        for (int loop = 0; loop < 200; loop++) { /* one loop right after the other */
            memset(c.visits, 0, sizeof c.visits);
            int64_t block = 1 + loop % 97 * 13;
            crd_parallel_rows(team, ROWS, block, visit, &c);
            for (int i = 0; i < ROWS; i++)
                if (c.visits[i] != 1) fail_msg("row %d was visited %d times", i, c.visits[i]);
        }
        double sums[2];
        crd_parallel_sum(team, ROWS, add, &c, 2, sums);
        assert_memory_equal(sums, alone, sizeof sums); /* to the last bit */
        crd_parallel_rows(team, 0, 4, visit, &c);
        crd_team_close(&team);
        assert_null(team);
    }
}

/* ---- random numbers ---- */

static void draws(void **state)
{
    (void)state;
    crd_rng rng = crd_rng_start(7, 7), same = crd_rng_start(7, 7), other = crd_rng_start(7, 8);
    assert_true(crd_rng_next(&rng) == crd_rng_next(&same));
    assert_true(crd_rng_next(&rng) != crd_rng_next(&other));
    enum { DRAWS = 60000 };
    int bins[6] = {0};
    double normal = 0.0, square = 0.0, small = 0.0, large = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        bins[crd_rng_below(&rng, 6)]++;
        double x = crd_rng_normal(&rng);
        normal += x;
        square += x * x;
        small += (double)crd_rng_poisson(&rng, 3.5);
        large += (double)crd_rng_poisson(&rng, 200.0);
    }
    for (int b = 0; b < 6; b++) assert_in_range(bins[b], 10000 - 500, 10000 + 500);
    assert_true(fabs(normal / DRAWS) < 0.02);
    assert_true(fabs(square / DRAWS - 1.0) < 0.03);
    assert_true(fabs(small / DRAWS - 3.5) < 0.05);
    assert_true(fabs(large / DRAWS - 200.0) < 0.5);
    assert_int_equal(crd_rng_poisson(&rng, 0.0), 0);
    int64_t items[100], seen[100] = {0};
    for (int i = 0; i < 100; i++) items[i] = i;
    crd_rng_shuffle(&rng, items, 100);
    int moved = 0;
    for (int i = 0; i < 100; i++) {
        seen[items[i]]++;
        moved += items[i] != i;
    }
    for (int i = 0; i < 100; i++) assert_int_equal(seen[i], 1);
    assert_true(moved > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_appear_whole, make_folder, remove_folder),
        cmocka_unit_test(files_that_cannot_be),
        cmocka_unit_test(rows_are_visited_once),
        cmocka_unit_test(draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
