// SPDX-License-Identifier: MIT
#include "base/debug.h"

#include <stdarg.h>

static const GDebugKey debug_words[] = {
  { "plan", ODL_DEBUG_PLAN },
  { "shaders", ODL_DEBUG_SHADERS },
  { "frames", ODL_DEBUG_FRAMES },
  { "timing", ODL_DEBUG_TIMING },
};

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
