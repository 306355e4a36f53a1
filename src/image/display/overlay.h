// SPDX-License-Identifier: MIT
// OdlOverlay: one-bit graphics that a file lays over its picture. Immutable, counted by
// reference.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

// One bit per sample, the lowest bit of a byte first; a row begins on a byte.
typedef struct _OdlOverlay OdlOverlay;

struct _OdlOverlay {
  gatomicrefcount ref_count;
  int width, height;
  size_t stride; // bytes of a row
  uint8_t bits[];
};

// Bytes of a row.
static inline size_t
odl_overlay_stride (size_t width)
{
  return (width + 7) / 8;
}

// Copies the bits.
OdlOverlay *odl_overlay_new (int width, int height, const uint8_t *bits);

// Both accept NULL.
const OdlOverlay *odl_overlay_ref (const OdlOverlay *overlay);
void odl_overlay_unref (const OdlOverlay *overlay);

static inline bool
odl_overlay_has (const OdlOverlay *overlay, int x, int y)
{
  return overlay->bits[(size_t) y * overlay->stride + (size_t) x / 8] >> (x % 8) & 1;
}

G_END_DECLS
