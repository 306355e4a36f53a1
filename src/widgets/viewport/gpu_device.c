// SPDX-License-Identifier: MIT
#include "widgets/viewport/gpu_device.h"

#include <gtk/gtk.h>

#include "engine/gl/platform/library.h"

// The minor version of GTK 4 since which GDK_DISABLE excludes APIs.
#define FIRST_WITH_DISABLE 14

// Device nodes created by drivers: NVIDIA's own, and Direct3D under Windows.
static const char *const devices[] = { "/dev/nvidiactl", "/dev/dxg", "/dev/mali0" };

bool
odl_gpu_device_exists (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (devices); i++)
    if (g_file_test (devices[i], G_FILE_TEST_EXISTS))
      return true;
  g_autoptr (GDir) dir = g_dir_open ("/dev/dri", 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, "renderD"))
      return true;
  return false;
}

// Appends a word to a list in the environment.
static void
add_word (const char *variable, const char *word)
{
  const char *old = g_getenv (variable);
  g_autofree char *words
      = old && *old ? g_strjoin (",", old, word, NULL) : g_strdup (word);
  g_setenv (variable, words, TRUE);
}

// GTK draws through libepoxy, which aborts the program if it finds no library of the API;
// GTK only checks for a driver.
static void
avoid_missing_libraries (void)
{
  if (odl_gl_library_exists (ODL_GL_API_DESKTOP))
    return;
  bool es = odl_gl_library_exists (ODL_GL_API_ES);
  if (gtk_get_minor_version () < FIRST_WITH_DISABLE)
    add_word ("GDK_DEBUG", es ? "gl-gles" : "gl-disable");
  else
    add_word ("GDK_DISABLE", es ? "gl-api" : "gl");
}

void
odl_gpu_device_prepare (void)
{
  avoid_missing_libraries ();
  // GTK's own GL renderer would be drawn in software too; cairo is faster then.
  if (!odl_gpu_device_exists ())
    g_setenv ("GSK_RENDERER", "cairo", FALSE);
  // By default NVIDIA's driver waits actively for the card: 38 % of a processor instead
  // of 15 % at 60 frames per second, without lower latency.
  else
    g_setenv ("__GL_YIELD", "USLEEP", FALSE);
  // A window that uses GLX, and EGL contexts in which engines are measured, pictures
  // saved and thumbnails made, count as two drivers for libglvnd: the first must not
  // overwrite the entry points of the second.
  g_setenv ("__GLVND_DISALLOW_PATCHING", "1", FALSE);
}
