// SPDX-License-Identifier: MIT
#include "base/debug.h"

#include <stdarg.h>

#include "base/error.h"

static const GDebugKey debug_words[] = {
  { "plan", ODL_DEBUG_PLAN },       { "shaders", ODL_DEBUG_SHADERS },
  { "frames", ODL_DEBUG_FRAMES },   { "timing", ODL_DEBUG_TIMING },
  { "sandbox", ODL_DEBUG_SANDBOX },
};

// g_parse_debug_string understands these besides the table.
static const char *const words_of_glib[] = { "all", "help" };

char **
odl_debug_words (void)
{
  const size_t n = G_N_ELEMENTS (debug_words);
  char **words = g_new0 (char *, n + G_N_ELEMENTS (words_of_glib) + 1);

  for (size_t i = 0; i < n; i++)
    words[i] = g_strdup (debug_words[i].key);
  for (size_t i = 0; i < G_N_ELEMENTS (words_of_glib); i++)
    words[n + i] = g_strdup (words_of_glib[i]);
  return words;
}

bool
odl_debug_wants (OdlDebugFlags flag)
{
  static gsize once = 0;
  static guint wanted = 0;

  if (g_once_init_enter (&once)) {
    wanted = g_parse_debug_string (g_getenv ("ODL_DEBUG"), debug_words,
                                   G_N_ELEMENTS (debug_words));
    g_once_init_leave (&once, 1);
  }
  return (wanted & flag) != 0;
}

void
odl_debug (OdlDebugFlags flag, const char *format, ...)
{
  if (!odl_debug_wants (flag))
    return;

  va_list arguments;
  va_start (arguments, format);
  g_autofree char *line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("%s\n", line);
}

static const struct {
  const char *name;
  OdlErrorCode code;
} fault_kinds[] = {
  { "gpu", ODL_ERROR_GPU },
  { "too-large", ODL_ERROR_TOO_LARGE },
  { "unsupported", ODL_ERROR_UNSUPPORTED },
  { "pending", ODL_ERROR_PENDING },
};

char **
odl_debug_fault_kinds (void)
{
  char **kinds = g_new0 (char *, G_N_ELEMENTS (fault_kinds) + 1);

  for (size_t i = 0; i < G_N_ELEMENTS (fault_kinds); i++)
    kinds[i] = g_strdup (fault_kinds[i].name);
  return kinds;
}

bool
odl_debug_fault (const char *part, const char *call, GError **error)
{
  const char *faults = g_getenv ("ODL_FAULT");

  if (faults == NULL)
    return false;
  g_auto (GStrv) entries = g_strsplit (faults, ",", -1);
  g_autofree char *name = g_strconcat (part, "/", call, NULL);
  for (char **entry = entries; *entry != NULL; entry++) {
    g_auto (GStrv) words = g_strsplit (*entry, "=", 2);
    OdlErrorCode code = ODL_ERROR_GPU;
    if (g_strcmp0 (words[0], name) != 0)
      continue;
    for (size_t i = 0; words[1] != NULL && i < G_N_ELEMENTS (fault_kinds); i++)
      if (g_str_equal (fault_kinds[i].name, words[1]))
        code = fault_kinds[i].code;
    g_set_error (error, ODL_ERROR, (int) code, "ODL_FAULT makes %s fail", name);
    return true;
  }
  return false;
}
