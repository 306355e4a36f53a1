// SPDX-License-Identifier: MIT
#include "load.h"

#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static gsize
resident_bytes (void)
{
  g_autofree char *text = NULL;
  guint64 pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL)) {
    const char *second = strchr (text, ' ');
    pages = second != NULL ? g_ascii_strtoull (second, NULL, 10) : 0;
  }
  return pages * (gsize) sysconf (_SC_PAGESIZE);
}

static void
add_thread (GArray *loads, const char *stat)
{
  const char *open = strchr (stat, '(');
  const char *close = strrchr (stat, ')');
  OdlThreadLoad load = { 0 };

  if (open == NULL || close == NULL)
    return;
  g_strlcpy (load.name, open + 1, MIN (sizeof load.name, (gsize) (close - open)));
  // Fields 14 and 15 are user and system time; field 3 follows the name.
  g_auto (GStrv) fields = g_strsplit (close + 2, " ", 15);
  if (g_strv_length (fields) < 14)
    return;
  load.seconds = (double) (g_ascii_strtoull (fields[11], NULL, 10)
                           + g_ascii_strtoull (fields[12], NULL, 10))
                 / sysconf (_SC_CLK_TCK);
  for (guint i = 0; i < loads->len; i++)
    if (g_str_equal (g_array_index (loads, OdlThreadLoad, i).name, load.name)) {
      g_array_index (loads, OdlThreadLoad, i).seconds += load.seconds;
      return;
    }
  g_array_append_val (loads, load);
}

void
odl_load_read (OdlLoad *load)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  struct rusage usage;
  const char *id;

  getrusage (RUSAGE_SELF, &usage);
  *load = (OdlLoad){
    .cpu_seconds = (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                   + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
    .resident_bytes = resident_bytes (),
    .heap_bytes = mallinfo2 ().uordblks,
    .descriptors = count_entries ("/proc/self/fd"),
    .threads = count_entries ("/proc/self/task"),
    .by_name = g_array_new (FALSE, FALSE, sizeof (OdlThreadLoad)),
  };
  while (dir != NULL && (id = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_strdup_printf ("/proc/self/task/%s/stat", id);
    g_autofree char *stat = NULL;
    if (g_file_get_contents (path, &stat, NULL, NULL))
      add_thread (load->by_name, stat);
  }
}

void
odl_load_clear (OdlLoad *load)
{
  g_clear_pointer (&load->by_name, g_array_unref);
}

double
odl_load_of (const OdlLoad *load, const char *name)
{
  for (guint i = 0; i < load->by_name->len; i++)
    if (g_str_equal (g_array_index (load->by_name, OdlThreadLoad, i).name, name))
      return g_array_index (load->by_name, OdlThreadLoad, i).seconds;
  return 0;
}
