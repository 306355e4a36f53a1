// SPDX-License-Identifier: MIT
// What the control groups of a process allow, in a copy of the system's files.

#include "base/machine.h"
#include "../../helpers/folder.h"

#define MOST_FILES 4

typedef struct {
  const char *path; // below the copy; NULL: no more
  const char *text;
} File;

typedef struct {
  const char *groups; // /proc/self/cgroup; NULL: none
  File files[MOST_FILES];
  double quota; // what must be found
} Case;

#define TOP "sys/fs/cgroup/"

static const Case cases[] = {
  { .quota = 0 },
  { .groups = "", .quota = 0 },
  { .groups = "nonsense\n0:\n::\n", .quota = 0 },
  { .groups = "0::/\n", .files = { { TOP "cpu.max", "max 100000\n" } }, .quota = 0 },
  { .groups = "0::/\n", .files = { { TOP "cpu.max", "150000 100000\n" } }, .quota = 1.5 },
  // The group above says less.
  { .groups = "0::/pods/one\n",
    .files = { { TOP "pods/one/cpu.max", "800000 100000" },
               { TOP "pods/cpu.max", "400000 100000" } },
    .quota = 4 },
  // Its name outside of the container.
  { .groups = "0::/pods/one\n",
    .files = { { TOP "cpu.max", "50000 100000" } },
    .quota = 0.5 },
  { .groups = "0::/\n", .files = { { TOP "cpu.max", "" } }, .quota = 0 },
  { .groups = "0::/\n", .files = { { TOP "cpu.max", "5" } }, .quota = 0 },
  { .groups = "0::/\n", .files = { { TOP "cpu.max", "-5 0" } }, .quota = 0 },
  // Version 1.
  { .groups = "4:cpu,cpuacct:/docker/ab\n1:name=systemd:/\n",
    .files = { { TOP "cpu,cpuacct/cpu.cfs_quota_us", "200000\n" },
               { TOP "cpu,cpuacct/cpu.cfs_period_us", "100000\n" } },
    .quota = 2 },
  { .groups = "4:cpu:/\n0::/\n",
    .files = { { TOP "cpu/cpu.cfs_quota_us", "-1\n" },
               { TOP "cpu/cpu.cfs_period_us", "100000\n" } },
    .quota = 0 },
};

// Megabytes free, of the machine and of a group.
#define MEMINFO "MemTotal: 9000000 kB\nMemAvailable:    8000 kB\n"
#define MB 1024000

static const Case memory_cases[] = {
  { .quota = 0 },
  { .files = { { "proc/meminfo", MEMINFO } }, .quota = 8 },
  { .groups = "0::/a\n",
    .files = { { "proc/meminfo", MEMINFO },
               { TOP "a/memory.max", "max\n" },
               { TOP "a/memory.current", "5120000\n" } },
    .quota = 8 },
  { .groups = "0::/a\n",
    .files
    = { { "proc/meminfo", MEMINFO },
        { TOP "a/memory.max", "6144000\n" },
        { TOP "a/memory.current", "5120000\n" },
        { TOP "a/memory.stat", "anon 5\ninactive_file 1024000\nactive_file 0\n" } },
    .quota = 2 },
  // More than allowed, as after a limit that was lowered.
  { .groups = "0::/a\n",
    .files = { { "proc/meminfo", MEMINFO },
               { TOP "a/memory.max", "1024000\n" },
               { TOP "a/memory.current", "5120000\n" } },
    .quota = 1.0 / MB },
  { .groups = "3:memory:/a\n",
    .files = { { "proc/meminfo", MEMINFO },
               { TOP "memory/a/memory.limit_in_bytes", "4096000\n" },
               { TOP "memory/a/memory.usage_in_bytes", "1024000\n" } },
    .quota = 3 },
  { .groups = "3:memory:/a\n",
    .files = { { "proc/meminfo", MEMINFO },
               { TOP "memory/a/memory.limit_in_bytes", "9223372036854771712\n" },
               { TOP "memory/a/memory.usage_in_bytes", "1024000\n" } },
    .quota = 8 },
};

static void
write_file (const char *root, const char *path, const char *text)
{
  g_autofree char *whole = g_build_filename (root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (whole, text, -1, NULL));
}

// A copy of the system's files. Transfer full; ends with odl_test_remove_tree.
static char *
make_root (const Case *one)
{
  char *root = g_dir_make_tmp ("ondelette-XXXXXX", NULL);

  if (one->groups != NULL)
    write_file (root, "proc/self/cgroup", one->groups);
  for (int f = 0; f < MOST_FILES && one->files[f].path != NULL; f++)
    write_file (root, one->files[f].path, one->files[f].text);
  return root;
}

static void
groups_limit_the_processors (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *root = make_root (&cases[i]);

    g_test_message ("case %d", (int) i);
    g_assert_cmpfloat (odl_machine_cpu_quota (root), ==, cases[i].quota);
    odl_test_remove_tree (root);
  }
}

static void
groups_limit_the_memory (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (memory_cases); i++) {
    g_autofree char *root = make_root (&memory_cases[i]);

    g_test_message ("case %d", (int) i);
    g_assert_cmpfloat (odl_machine_free_memory (root) / MB, ==, memory_cases[i].quota);
    odl_test_remove_tree (root);
  }
}

static void
test_short_name (void)
{
  static const char *const names[][2] = {
    { "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz", "Intel Xeon Gold 6130" },
    { "Intel(R) Core(TM)2 Duo CPU     T7200  @ 2.00GHz", "Intel Core 2 Duo T7200" },
    { "AMD Ryzen 7 5800X 8-Core Processor", "AMD Ryzen 7 5800X 8-Core" },
    { "0xd08", "0xd08" },
    { "CPU", "CPU" },
    { "Odd (R", "Odd" },
    { "", "" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *name = odl_machine_short_cpu (names[i][0]);
    g_assert_cmpstr (name, ==, names[i][1]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine/groups-limit-the-processors", groups_limit_the_processors);
  g_test_add_func ("/machine/groups-limit-the-memory", groups_limit_the_memory);
  g_test_add_func ("/machine/the-name-of-a-processor-is-short", test_short_name);
  return g_test_run ();
}
