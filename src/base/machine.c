// SPDX-License-Identifier: MIT
#include "base/machine.h"

#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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
  static gsize model = 0; // address of the text

  if (g_once_init_enter (&model)) {
    char *found = look_up_cpu ();
    g_once_init_leave (&model, (gsize) found);
  }
  return (const char *) model;
}

char *
odl_machine_short_cpu (const char *model)
{
  static const char *const left_out[] = { "CPU", "Processor", NULL };
  g_autofree char *plain = g_strndup (model, strcspn (model, "@"));
  GString *name = g_string_new (NULL);

  // "(R)", "(TM)".
  for (char *mark = strchr (plain, '('); mark != NULL; mark = strchr (plain, '(')) {
    const char *end = strchr (mark, ')');
    memset (mark, ' ', end != NULL ? (size_t) (end + 1 - mark) : strlen (mark));
  }
  g_auto (GStrv) words = g_strsplit_set (plain, " \t", -1);
  for (char **word = words; *word != NULL; word++)
    if (**word != '\0' && !g_strv_contains (left_out, *word))
      g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", *word);
  // A model of nothing but such words.
  if (name->len == 0)
    g_string_assign (name, model);
  return g_string_free (name, FALSE);
}

// ---- control groups ------------------------------------------------------------------

// Reads one group's folder, cgroup version 1 or 2; negative: no limit.
typedef double (*ReadGroup) (const char *folder);

static char *
text_of (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strstrip (text) : NULL;
}

// −1 if the file is missing or holds no number ("max").
static double
number_of (const char *folder, const char *name)
{
  g_autofree char *text = text_of (folder, name);

  return text != NULL && g_ascii_isdigit (*text) ? g_ascii_strtod (text, NULL) : -1;
}

static double
read_quota (const char *folder)
{
  // "150000 100000" of version 2.
  g_autofree char *text = text_of (folder, "cpu.max");
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", 2);
  const bool two = g_strv_length (words) == 2;
  const double quota
      = two ? g_ascii_strtod (words[0], NULL) : number_of (folder, "cpu.cfs_quota_us");
  const double period
      = two ? g_ascii_strtod (words[1], NULL) : number_of (folder, "cpu.cfs_period_us");

  return quota > 0 && period > 0 ? quota / period : -1;
}

// The value of `word` in memory.stat.
static double
statistic_of (const char *folder, const char *word)
{
  g_autofree char *text = text_of (folder, "memory.stat");
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  const size_t length = strlen (word);

  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix (*line, word) && (*line)[length] == ' ')
      return g_ascii_strtod (*line + length, NULL);
  return 0;
}

// Free memory of a group; its page cache counts as free, since the kernel reclaims it on
// demand.
static double
read_free_memory (const char *folder)
{
  double most = number_of (folder, "memory.max");
  double used = number_of (folder, "memory.current");
  double files
      = statistic_of (folder, "active_file") + statistic_of (folder, "inactive_file");

  if (most < 0) {
    most = number_of (folder, "memory.limit_in_bytes");
    used = number_of (folder, "memory.usage_in_bytes");
    files = statistic_of (folder, "total_active_file")
            + statistic_of (folder, "total_inactive_file");
  }
  return most < 0 || used < 0 ? -1 : MAX (most - MAX (used - files, 0), 1);
}

static double
lesser (double a, double b)
{
  return a < 0 ? b : b < 0 ? a : MIN (a, b);
}

// The minimum over a group and its ancestors. Inside a container the group's path may
// not exist; the hierarchy's root is then the container's own group.
static double
least_above (const char *hierarchy, const char *group, ReadGroup read_group)
{
  g_autofree char *path = g_strdup (group);
  double least = -1;

  for (;;) {
    g_autofree char *folder = g_build_filename (hierarchy, path, NULL);
    char *slash = strrchr (path, '/');
    least = lesser (least, read_group (folder));
    if (slash == NULL)
      return least;
    *slash = '\0';
  }
}

// The minimum over this process's groups that have the controller, cgroup version 1 or
// 2.
static double
least_of_groups (const char *root, const char *controller, ReadGroup read_group)
{
  g_autofree char *list = g_strconcat (root, "/proc/self/cgroup", NULL);
  g_autofree char *text = NULL;
  double least = -1;

  if (!g_file_get_contents (list, &text, NULL, NULL))
    return -1;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    // NUMBER:CONTROLLER,…:GROUP; version 2 has no controllers.
    g_auto (GStrv) parts = g_strsplit (*line, ":", 3);
    if (g_strv_length (parts) != 3)
      continue;
    g_auto (GStrv) controllers = g_strsplit (parts[1], ",", -1);
    if (*parts[1] != '\0'
        && !g_strv_contains ((const char *const *) controllers, controller))
      continue;
    g_autofree char *hierarchy
        = g_build_filename (root, "/sys/fs/cgroup", parts[1], NULL);
    least = lesser (least, least_above (hierarchy, parts[2], read_group));
  }
  return least;
}

double
odl_machine_cpu_quota (const char *root)
{
  return MAX (least_of_groups (root, "cpu", read_quota), 0);
}

// What `ulimit -v` leaves to this process; −1: it has no such limit.
static double
read_free_addresses (const char *root)
{
  g_autofree char *folder = g_strconcat (root, "/proc/self", NULL);
  const double pages = number_of (folder, "statm"); // the first number of several
  struct rlimit limit;

  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || pages < 0)
    return -1;
  return MAX ((double) limit.rlim_cur - pages * (double) sysconf (_SC_PAGESIZE), 1);
}

double
odl_machine_free_memory (const char *root)
{
  g_autofree char *path = g_strconcat (root, "/proc/meminfo", NULL);
  g_autofree char *text = NULL;
  double bytes = -1;

  if (g_file_get_contents (path, &text, NULL, NULL)) {
    const char *available = strstr (text, "MemAvailable:");
    if (available != NULL)
      bytes = 1024 * g_ascii_strtod (available + strlen ("MemAvailable:"), NULL);
  }
  bytes = lesser (bytes, read_free_addresses (root));
  return MAX (lesser (bytes, least_of_groups (root, "memory", read_free_memory)), 0);
}
