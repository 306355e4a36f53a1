// SPDX-License-Identifier: MIT
#include "image/display/overlay.h"

#include <string.h>

OdlOverlay *
odl_overlay_new (int width, int height, const uint8_t *bits)
{
  const size_t stride = odl_overlay_stride ((size_t) width);
  const size_t size = stride * (size_t) height;
  OdlOverlay *overlay = g_malloc (sizeof *overlay + size);

  g_atomic_ref_count_init (&overlay->ref_count);
  overlay->width = width;
  overlay->height = height;
  overlay->stride = stride;
  memcpy (overlay->bits, bits, size);
  return overlay;
}

const OdlOverlay *
odl_overlay_ref (const OdlOverlay *overlay)
{
  if (overlay != NULL)
    g_atomic_ref_count_inc (&((OdlOverlay *) overlay)->ref_count);
  return overlay;
}

void
odl_overlay_unref (const OdlOverlay *overlay)
{
  if (overlay != NULL && g_atomic_ref_count_dec (&((OdlOverlay *) overlay)->ref_count))
    g_free ((OdlOverlay *) overlay);
}
