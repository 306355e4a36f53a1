// SPDX-License-Identifier: MIT
#include "widgets/gpu_device.h"

#include <glib.h>

// Nodes that appear with the driver: NVIDIA's own, and Direct3D under Windows.
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

void
odl_gpu_device_prepare (void)
{
  // GTK's own GL renderer would be drawn in software too; cairo is faster then.
  if (!odl_gpu_device_exists ())
    g_setenv ("GSK_RENDERER", "cairo", FALSE);
  // NVIDIA's driver would keep a processor busy while it waits for the card: 38 % of one
  // instead of 15 at 60 frames a second, for no shorter latency.
  else
    g_setenv ("__GL_YIELD", "USLEEP", FALSE);
  // A window drawn through GLX and a context of EGL, in which engines are measured, save
  // pictures and make thumbnails, come from two drivers for libglvnd: the first must not
  // write over the calls of the second.
  g_setenv ("__GLVND_DISALLOW_PATCHING", "1", FALSE);
}
