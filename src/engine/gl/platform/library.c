// SPDX-License-Identifier: MIT
#include "engine/gl/platform/library.h"

#include <dlfcn.h>
#include <glib.h>

// The libraries that libepoxy looks for; one of each row suffices.
static const char *const desktop_names[] = { "libOpenGL.so.0", "libGL.so.1", NULL };
static const char *const es_names[] = { "libGLESv2.so.2", NULL };

static bool
can_load (const char *const *names)
{
  // Left open, since libepoxy needs it next.
  for (; *names != NULL; names++)
    if (dlopen (*names, RTLD_LAZY | RTLD_LOCAL) != NULL)
      return true;
  return false;
}

bool
odl_gl_library_exists (OdlGlApi api)
{
  static gsize known = 0; // 1 and a bit for each API
  const gsize bit = api == ODL_GL_API_ES ? 4 : 2;

  if (g_once_init_enter (&known))
    g_once_init_leave (&known, 1 | (can_load (desktop_names) ? 2 : 0)
                                   | (can_load (es_names) ? 4 : 0));
  return (known & bit) != 0;
}
