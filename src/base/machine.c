// SPDX-License-Identifier: MIT
#include "base/machine.h"

#include <string.h>

// x86 and some ARM kernels name the model; others only its parts.
static const char *const keys[] = { "model name", "Hardware", "CPU part" };

static char *
look_up_cpu (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    return g_strdup ("unknown");
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    for (char **line = lines; *line != NULL; line++)
      if (g_str_has_prefix (*line, keys[i]) && strchr (*line, ':') != NULL)
        return g_strstrip (g_strdup (strchr (*line, ':') + 1));
  return g_strdup ("unknown");
}

const char *
odl_machine_cpu (void)
{
  static gsize model = 0; // the text's address

  if (g_once_init_enter (&model)) {
    char *found = look_up_cpu ();
    g_once_init_leave (&model, (gsize) found);
  }
  return (const char *) model;
}

// "150000 100000" of version 2, where the first word can be "max".
static double
quota_of_file (const char *path)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  g_auto (GStrv) words = g_strsplit (g_strstrip (text), " ", 2);
  const double quota = words[0] != NULL ? g_ascii_strtod (words[0], NULL) : 0;
  const double period
      = quota > 0 && words[1] != NULL ? g_ascii_strtod (words[1], NULL) : 0;
  return period > 0 ? quota / period : 0;
}

// Two files of version 1; −1: no limit.
static double
quota_of_files (const char *folder)
{
  g_autofree char *quota_path = g_build_filename (folder, "cpu.cfs_quota_us", NULL);
  g_autofree char *period_path = g_build_filename (folder, "cpu.cfs_period_us", NULL);
  g_autofree char *quota = NULL, *period = NULL;

  if (!g_file_get_contents (quota_path, &quota, NULL, NULL)
      || !g_file_get_contents (period_path, &period, NULL, NULL)
      || g_ascii_strtod (period, NULL) <= 0)
    return 0;
  return MAX (g_ascii_strtod (quota, NULL) / g_ascii_strtod (period, NULL), 0);
}

// The least of a group and all above it. What the group is called outside of a container
// may lead nowhere in it: then the top is the container's own.
static double
quota_of_group (const char *hierarchy, const char *group)
{
  g_autofree char *path = g_strdup (group);
  double least = 0;

  for (;;) {
    g_autofree char *folder = g_build_filename (hierarchy, path, NULL);
    g_autofree char *file = g_build_filename (folder, "cpu.max", NULL);
    const double quotas[] = { quota_of_file (file), quota_of_files (folder) };
    for (size_t i = 0; i < G_N_ELEMENTS (quotas); i++)
      if (quotas[i] > 0 && (least == 0 || quotas[i] < least))
        least = quotas[i];
    char *slash = strrchr (path, '/');
    if (slash == NULL)
      return least;
    *slash = '\0';
  }
}

double
odl_machine_cpu_quota (const char *root)
{
  static const char *const hierarchies[] = { "", "cpu", "cpu,cpuacct" };
  g_autofree char *list = g_strconcat (root, "/proc/self/cgroup", NULL);
  g_autofree char *text = NULL;
  double least = 0;

  if (!g_file_get_contents (list, &text, NULL, NULL))
    return 0;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    // NUMBER:CONTROLLER,…:GROUP; no controllers: version 2.
    g_auto (GStrv) parts = g_strsplit (*line, ":", 3);
    if (g_strv_length (parts) != 3)
      continue;
    for (size_t i = 0; i < G_N_ELEMENTS (hierarchies); i++) {
      if (!g_str_equal (parts[1], hierarchies[i]))
        continue;
      g_autofree char *folder
          = g_build_filename (root, "/sys/fs/cgroup", hierarchies[i], NULL);
      const double quota = quota_of_group (folder, parts[2]);
      if (quota > 0 && (least == 0 || quota < least))
        least = quota;
    }
  }
  return least;
}
