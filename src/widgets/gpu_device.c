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
