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
