// SPDX-License-Identifier: MIT
#include "engine/gl/compute/fourier/frequencies.h"

#include <string.h>

#include "engine/gl/platform/device_buffer.h"

void
odl_gl_frequencies_make (OdlGlFrequencies *kept,
                         const OdlGlCaps *caps,
                         int n,
                         size_t bytes)
{
  kept->n = n;
  for (int t = 0; t < n; t++)
    kept->buffer[t] = odl_gl_volume_buffer_new (caps, bytes);
}

void
odl_gl_frequencies_forget (OdlGlFrequencies *kept)
{
  for (int t = 0; t < kept->n; t++)
    g_clear_pointer (&kept->held[t].image, odl_image_unref);
}

void
odl_gl_frequencies_clear (OdlGlFrequencies *kept)
{
  odl_gl_frequencies_forget (kept);
  glDeleteBuffers (kept->n, kept->buffer);
  kept->n = 0;
}

// The place, of those not yet taken, that holds `term`, or anything if that is NULL.
static int
find_place (const OdlGlFrequencies *kept, const bool taken[], const OdlLoaded *term)
{
  int at = 0;

  while (at < kept->n
         && (taken[at]
             || (term != NULL
                 && (kept->held[at].image != term->image
                     || kept->held[at].level != term->level))))
    at++;
  return at;
}

// A picture may stand for several terms, as borders have it: each has a buffer of its
// own.
void
odl_gl_frequencies_turn (OdlGlFrequencies *kept, const OdlLoaded terms[], GLuint before[])
{
  OdlGlFrequencies turned = { .n = kept->n };
  bool taken[ODL_PLAN_MAX_KERNEL] = { false };
  int places[ODL_PLAN_MAX_KERNEL];

  memcpy (before, kept->buffer, sizeof kept->buffer);
  for (int t = 0; t < kept->n; t++) {
    places[t] = terms[t].image != NULL ? find_place (kept, taken, &terms[t]) : kept->n;
    turned.due[t] = places[t] == kept->n;
    if (!turned.due[t])
      taken[places[t]] = true;
  }
  for (int t = 0; t < kept->n; t++) {
    if (turned.due[t])
      places[t] = find_place (kept, taken, NULL);
    taken[places[t]] = true;
    turned.buffer[t] = kept->buffer[places[t]];
    turned.held[t] = terms[t];
    if (terms[t].image != NULL)
      odl_image_ref (terms[t].image);
  }
  odl_gl_frequencies_forget (kept);
  *kept = turned;
}
