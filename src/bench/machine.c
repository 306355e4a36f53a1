// SPDX-License-Identifier: MIT
#include "bench/machine.h"

#include <string.h>

#include "base/machine.h"
#include "base/parallel.h"
#include "config.h"

// The value of the first line "key … : value" of a file such as /proc/cpuinfo; "" if
// there is none. Transfer full.
static char *
value_of (const char *path, const char *key)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL)) {
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (char **line = lines; *line != NULL; line++)
      if (g_str_has_prefix (*line, key) && strchr (*line, ':') != NULL)
        return g_strstrip (g_strdup (strchr (*line, ':') + 1));
  }
  return g_strdup ("");
}

static char *
first_line (const char *path)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return g_strdup ("");
  *strchrnul (text, '\n') = '\0';
  return g_strdup (text);
}

// Extracts "madvise" from "always [madvise] never".
static char *
chosen_word (const char *path)
{
  g_autofree char *line = first_line (path);
  const char *begin = strchr (line, '[');

  if (begin == NULL)
    return g_strdup ("");
  return g_strndup (begin + 1, strcspn (begin + 1, "]"));
}

static double
number_of (char *text)
{
  double value = g_ascii_strtod (text, NULL);

  g_free (text);
  return value;
}

void
odl_bench_machine_init (OdlBenchMachine *machine)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  *machine = (OdlBenchMachine){
    .cpu = value_of ("/proc/cpuinfo", "model name"),
    .cores = (int) g_get_num_processors (),
    .threads = odl_parallel_threads (),
    .cpu_mhz = number_of (value_of ("/proc/cpuinfo", "cpu MHz")),
    .governor = first_line ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    .huge_pages = chosen_word ("/sys/kernel/mm/transparent_hugepage/enabled"),
    .load = number_of (first_line ("/proc/loadavg")),
#ifdef __clang__
    .compiler = g_strdup ("clang " __clang_version__),
#else
    .compiler = g_strdup ("gcc " __VERSION__),
#endif
    .flags = g_strdup (ODL_BUILD_FLAGS),
    .version = g_strdup (ODL_VERSION),
    .date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ"),
    .gl_renderer = g_strdup (""),
    .gl_driver = g_strdup (""),
  };
  // ARM kernels have no such line.
  if (*machine->cpu == '\0') {
    g_free (machine->cpu);
    machine->cpu = g_strdup ("unknown");
  }
}

void
odl_bench_machine_clear (OdlBenchMachine *machine)
{
  char *const texts[] = { machine->cpu,      machine->governor,    machine->huge_pages,
                          machine->compiler, machine->flags,       machine->version,
                          machine->date,     machine->gl_renderer, machine->gl_driver };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  *machine = (OdlBenchMachine){ .cores = 0 };
}

uint64_t
odl_bench_free_memory (void)
{
  return (uint64_t) odl_machine_free_memory ("");
}
