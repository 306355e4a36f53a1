// SPDX-License-Identifier: MIT
// What the control groups of a process allow, in a copy of the system's files.
#include <glib/gstdio.h>

#include "base/machine.h"

#define MOST_FILES 4

typedef struct {
  const char *path; // below the copy; NULL: no more
  const char *text;
} File;

typedef struct {
  const char *groups; // /proc/self/cgroup; NULL: none
  File files[MOST_FILES];
  double quota;
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

static void
write_file (const char *root, const char *path, const char *text)
{
  g_autofree char *whole = g_build_filename (root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (whole, text, -1, NULL));
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    remove_all (inner);
  }
  g_remove (path);
}

static void
groups_limit_the_processors (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *root = g_dir_make_tmp ("ondelette-XXXXXX", NULL);

    if (cases[i].groups != NULL)
      write_file (root, "proc/self/cgroup", cases[i].groups);
    for (int f = 0; f < MOST_FILES && cases[i].files[f].path != NULL; f++)
      write_file (root, cases[i].files[f].path, cases[i].files[f].text);
    g_test_message ("case %d", (int) i);
    g_assert_cmpfloat (odl_machine_cpu_quota (root), ==, cases[i].quota);
    remove_all (root);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine/groups-limit-the-processors", groups_limit_the_processors);
  return g_test_run ();
}
