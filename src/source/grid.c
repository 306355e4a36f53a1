// SPDX-License-Identifier: MIT
// Grids of control points in Wavefront OBJ files, decoded by the helper.
#include "base/text.h"
#include "source/helper/client.h"

extern const OdlSourceClass odl_grid_source;

// The text has no signature.
static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  g_autofree char *name = g_ascii_strdown (location, -1);

  return n_head > 0 && g_str_has_suffix (name, ".obj");
}

static OdlSource *
open_grid (const char *location, GCancellable *cancellable, GError **error)
{
  const OdlDecoderRequest request = { .location = location, .format = "grid" };

  return odl_decoded_source_open (&odl_grid_source, &request, cancellable, error);
}

static const char *const examples[] = { "*.obj", NULL };

const OdlSourceClass odl_grid_source = {
  .name = "grid",
  .description = N_ ("Control points of a NURBS surface: Wavefront OBJ"),
  .examples = examples,
  .probe = probe,
  .open = open_grid,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
