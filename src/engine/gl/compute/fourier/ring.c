// SPDX-License-Identifier: MIT
#include "engine/gl/compute/fourier/ring.h"

#include <string.h>

#include "engine/gl/platform/device_buffer.h"

void
odl_gl_ring_make (OdlGlRing *ring, const OdlGlCaps *caps, int n, size_t bytes)
{
  ring->n = n;
  for (int t = 0; t < n; t++)
    ring->buffer[t] = odl_gl_volume_buffer_new (caps, bytes);
}

void
odl_gl_ring_forget (OdlGlRing *ring)
{
  for (int t = 0; t < ring->n; t++)
    g_clear_pointer (&ring->held[t], odl_image_unref);
}

void
odl_gl_ring_clear (OdlGlRing *ring)
{
  odl_gl_ring_forget (ring);
  glDeleteBuffers (ring->n, ring->buffer);
  ring->n = 0;
}

// The place, of those not yet taken, that holds `image`, or anything if that is NULL.
static int
find_place (const OdlGlRing *ring, const bool taken[], const OdlImage *image)
{
  int at = 0;

  while (at < ring->n && (taken[at] || (image != NULL && ring->held[at] != image)))
    at++;
  return at;
}

// A picture may stand for several terms, as borders have it: each has a buffer of its
// own.
void
odl_gl_ring_turn (OdlGlRing *ring, OdlImage *const images[], GLuint before[])
{
  OdlGlRing turned = { .n = ring->n };
  bool taken[ODL_PLAN_MAX_KERNEL] = { false };
  int places[ODL_PLAN_MAX_KERNEL];

  memcpy (before, ring->buffer, sizeof ring->buffer);
  for (int t = 0; t < ring->n; t++) {
    places[t] = images[t] != NULL ? find_place (ring, taken, images[t]) : ring->n;
    turned.due[t] = places[t] == ring->n;
    if (!turned.due[t])
      taken[places[t]] = true;
  }
  for (int t = 0; t < ring->n; t++) {
    if (turned.due[t])
      places[t] = find_place (ring, taken, NULL);
    taken[places[t]] = true;
    turned.buffer[t] = ring->buffer[places[t]];
    turned.held[t] = images[t] != NULL ? odl_image_ref (images[t]) : NULL;
  }
  odl_gl_ring_forget (ring);
  *ring = turned;
}
