/* SPDX-License-Identifier: MIT */
/* How many threads "0 threads" means: quotas of made-up control groups, and OMP_NUM_THREADS. */
#define _GNU_SOURCE
#include <ftw.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cores.h"
#include "base/parallel.h"

static char root[64];

static int make_root(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/credence-cores-XXXXXX");
    return mkdtemp(root) == NULL ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

static int remove_root(void **state)
{
    (void)state;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes ROOT/PATH and makes its folders. */
static void put(const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#define VERSION_2 "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define VERSION_1                                                                                                      \
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                                                       \
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 master:1 - cgroup cgroup rw,cpuacct,cpu\n"                    \
    "33 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"

static void groups(const char *cgroup, const char *mountinfo)
{
    put("/proc/self/cgroup", cgroup);
    put("/proc/self/mountinfo", mountinfo);
}

static void nothing_is_no_limit(void **state)
{
    (void)state;
    assert_true(crd_quota_cores(root) == INT64_MAX);
    assert_true(crd_quota_cores("/nonexistent") == INT64_MAX);
    put("/proc/self/cgroup", "0::/\n");
    assert_true(crd_quota_cores(root) == INT64_MAX);
    groups("0::/\n", VERSION_2);
    assert_true(crd_quota_cores(root) == INT64_MAX);
}

static void version_2_is_rounded_up(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t cores;
    } cases[] = {
        {"50000 100000\n", 1},     {"100000 100000\n", 1},  {"100001 100000\n", 2},     {"200000 100000\n", 2},
        {"250000 100000\n", 3},    {"1000 1000000\n", 1},   {"6400000 100000\n", 64},   {"max 100000\n", INT64_MAX},
        {"max\n", INT64_MAX},      {"", INT64_MAX},         {"0 100000\n", INT64_MAX},  {"-1 100000\n", INT64_MAX},
        {"100000 0\n", INT64_MAX}, {"100000\n", INT64_MAX}, {"100000 -5\n", INT64_MAX}, {"garbage 7\n", INT64_MAX},
        {"\xff\xfe", INT64_MAX},
    };
    groups("0::/service\n", VERSION_2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put("/sys/fs/cgroup/service/cpu.max", cases[i].text);
        if (crd_quota_cores(root) != cases[i].cores)
            fail_msg("%s: %lld cores", cases[i].text, (long long)crd_quota_cores(root));
    }
}

static void the_least_group_around_counts(void **state)
{
    (void)state;
    groups("0::/a/b/c\n", VERSION_2);
    put("/sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_int_equal(crd_quota_cores(root), 4);
    put("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
    assert_int_equal(crd_quota_cores(root), 2);
    put("/sys/fs/cgroup/cpu.max", "70000 100000\n"); /* the top of what a container sees */
    assert_int_equal(crd_quota_cores(root), 1);
    /* A group beside ours is not ours. */
    put("/sys/fs/cgroup/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/bc/cpu.max", "10000 100000\n");
    assert_int_equal(crd_quota_cores(root), 2);
}

static void version_1_is_read_too(void **state)
{
    (void)state;
    groups("5:cpuset:/x\n4:cpu,cpuacct:/docker/1f\n1:name=systemd:/\n", VERSION_1);
    put("/sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_quota_us", "250000\n");
    assert_true(crd_quota_cores(root) == INT64_MAX); /* no period */
    put("/sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_period_us", "100000\n");
    assert_int_equal(crd_quota_cores(root), 3);
    put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "50000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n");
    assert_int_equal(crd_quota_cores(root), 1);
    put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "-1\n");
    assert_int_equal(crd_quota_cores(root), 3);
    put("/sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_quota_us", "-1\n");
    assert_true(crd_quota_cores(root) == INT64_MAX);
    put("/sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_quota_us", "many\n");
    assert_true(crd_quota_cores(root) == INT64_MAX);
    /* "cpuset" is not "cpu". */
    put("/sys/fs/cgroup/cpuset/x/cpu.cfs_quota_us", "50000\n");
    put("/sys/fs/cgroup/cpuset/x/cpu.cfs_period_us", "100000\n");
    assert_true(crd_quota_cores(root) == INT64_MAX);
}

static void of_both_versions_the_lesser_counts(void **state)
{
    (void)state;
    groups("4:cpu,cpuacct:/one\n0::/two\n", VERSION_1 "40 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    put("/sys/fs/cgroup/cpu,cpuacct/one/cpu.cfs_quota_us", "300000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/one/cpu.cfs_period_us", "100000\n");
    assert_int_equal(crd_quota_cores(root), 3);
    put("/sys/fs/cgroup/unified/two/cpu.max", "200000 100000\n");
    assert_int_equal(crd_quota_cores(root), 2);
    put("/sys/fs/cgroup/unified/two/cpu.max", "900000 100000\n");
    assert_int_equal(crd_quota_cores(root), 3);
}

/* In a container, the mount may begin at the container's own group, and paths may have blanks. */
static void a_mount_may_show_a_part(void **state)
{
    (void)state;
    groups("0::/docker/1f/inner\n", "30 23 0:26 /docker/1f /my\\040groups rw - cgroup2 cgroup2 rw\n");
    put("/my groups/inner/cpu.max", "200000 100000\n");
    assert_int_equal(crd_quota_cores(root), 2);
    put("/my groups/cpu.max", "100000 100000\n");
    assert_int_equal(crd_quota_cores(root), 1);
    /* This mount shows another container. */
    groups("0::/docker/1f2/inner\n", "30 23 0:26 /docker/1f /my\\040groups rw - cgroup2 cgroup2 rw\n");
    assert_true(crd_quota_cores(root) == INT64_MAX);
    /* Our group is outside of the name space that the mount belongs to. */
    groups("0::/../other\n", "30 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
    assert_true(crd_quota_cores(root) == INT64_MAX);
}

static void strange_lines_are_passed_over(void **state)
{
    (void)state;
    static char mountinfo[40000];
    size_t length = (size_t)snprintf(mountinfo, sizeof mountinfo, "\n-\n - \nwords\n1 2 3 4 5 6 - cgroup2\n");
    length += (size_t)snprintf(mountinfo + length, sizeof mountinfo - length, "29 1 0:1 / /long rw - overlay overlay ");
    memset(mountinfo + length, 'x', 20000); /* longer than any buffer */
    length += 20000;
    snprintf(mountinfo + length, sizeof mountinfo - length, "\n" VERSION_2 "\\\\\\ \\1 a b c d e f g");
    groups("::\n:\n0\n0:cpu\n\n0::/service\n", mountinfo);
    put("/sys/fs/cgroup/service/cpu.max", "50000 100000\n");
    assert_int_equal(crd_quota_cores(root), 1);
    char long_group[6000] = "0::/";
    memset(long_group + 4, 'y', sizeof long_group - 6);
    long_group[sizeof long_group - 2] = '\n';
    groups(long_group, VERSION_2);
    assert_true(crd_quota_cores(root) == INT64_MAX);
}

static void the_first_number_of_a_list_counts(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        int64_t first;
    } cases[] = {{"4", 4},   {"4,3,2", 4}, {" 2 ", 2},       {"1 , 5", 1}, {"+3", 3}, {"0", 0},   {"-2", 0}, {"", 0},
                 {"two", 0}, {",4", 0},    {"4 threads", 0}, {"4.5", 0},   {" ", 0},  {"0x4", 0}, {"3;4", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (crd_first_of_list(cases[i].list) != cases[i].first)
            fail_msg("\"%s\": %lld", cases[i].list, (long long)crd_first_of_list(cases[i].list));
    assert_int_equal(crd_first_of_list(NULL), 0);
    assert_true(crd_first_of_list("99999999999999999999") > 0);
}

static int team_of(int64_t threads)
{
    crd_team *team = NULL;
    assert_int_equal(crd_team_open(threads, &team, NULL), CRD_OK);
    const int size = crd_team_size(team);
    crd_team_close(&team);
    return size;
}

static void a_chosen_number_always_counts(void **state)
{
    (void)state;
    unsetenv("OMP_NUM_THREADS");
    const int64_t cores = crd_cores();
    assert_true(cores >= 1);
    assert_int_equal(team_of(0), cores);
    setenv("OMP_NUM_THREADS", "1,2", 1);
    assert_int_equal(team_of(0), 1);
    assert_int_equal(team_of(3), 3);
    assert_int_equal(crd_cores(), cores);
    setenv("OMP_NUM_THREADS", "100000", 1); /* lowers, never raises */
    assert_int_equal(team_of(0), cores);
    setenv("OMP_NUM_THREADS", "none", 1);
    assert_int_equal(team_of(0), cores);
    unsetenv("OMP_NUM_THREADS");
}

static void the_affinity_mask_counts(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(team_of(0), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_no_limit, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_2_is_rounded_up, make_root, remove_root),
        cmocka_unit_test_setup_teardown(the_least_group_around_counts, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_1_is_read_too, make_root, remove_root),
        cmocka_unit_test_setup_teardown(of_both_versions_the_lesser_counts, make_root, remove_root),
        cmocka_unit_test_setup_teardown(a_mount_may_show_a_part, make_root, remove_root),
        cmocka_unit_test_setup_teardown(strange_lines_are_passed_over, make_root, remove_root),
        cmocka_unit_test(the_first_number_of_a_list_counts),
        cmocka_unit_test(a_chosen_number_always_counts),
        cmocka_unit_test(the_affinity_mask_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
