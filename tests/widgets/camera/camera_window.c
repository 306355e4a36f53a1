// SPDX-License-Identifier: MIT
#include "camera_window.h"

#include <stdlib.h>

const Colour red = { { 255, 0, 0 }, 3 };
const Colour green = { { 0, 255, 0 }, 3 };
const Colour dark_red = { { 89, 0, 0 }, 6 };

bool
shows_colour (Fixture *fixture, const void *data)
{
  const Colour *colour = data;
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  if (!bytes)
    return false;
  const guint8 *rgba = g_bytes_get_data (bytes, NULL);
  rgba += 4 * ((size_t) (height / 2) * width + width / 2);
  bool same = true;
  for (int c = 0; c < 3; c++)
    same = same && ABS (rgba[c] - colour->rgb[c]) <= colour->tolerance;
  return same;
}

void
need_camera_window (int *argc, char ***argv)
{
  need_cameras ();
  // Each test is an application of its own, which a bus would not have.
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  need_display (argc, argv);
}
