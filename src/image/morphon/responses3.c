// SPDX-License-Identifier: MIT
#include "image/morphon/responses3.h"

#include <glib.h>
#include <string.h>

#define FILTERS ODL_MORPHON3_FILTERS
#define LANES ODL_RESPONSES3_LANES

typedef float Lanes __attribute__ ((vector_size (sizeof (float) * LANES)));

static void
add_pair (OdlResponses3 *r, const OdlMorphon3 *m, int dx, int dy, int dz)
{
  const int side = m->side, radius = side / 2;
  const int *size = r->padded.size;
  const int at = ((dz + radius) * side + dy + radius) * side + dx + radius;
  const bool middle = dx == 0 && dy == 0 && dz == 0;
  float *taps = r->taps + (size_t) r->pairs * ODL_RESPONSES3;

  // What lies after the middle in the kernel meets what lies before it in the volume.
  r->offsets[r->pairs++] = -(((ptrdiff_t) dz * size[1] + dy) * size[0] + dx);
  for (int k = 0; k < FILTERS; k++) {
    taps[k] = m->even[k][at] * (middle ? 0.5f : 1);
    taps[FILTERS + k] = m->odd[k][at];
  }
}

bool
odl_responses3_init (OdlResponses3 *r, const OdlMorphon3 *m, const OdlField *volume)
{
  const int radius = m->side / 2, most = m->side * m->side * m->side;

  *r = (OdlResponses3){ .padded = odl_field_pad (volume, radius, LANES - 1),
                        .width = volume->size[0],
                        .offsets = g_new (ptrdiff_t, most),
                        .taps = g_new (float, (size_t) most *ODL_RESPONSES3) };
  if (r->padded.at == NULL)
    return false;
  add_pair (r, m, 0, 0, 0);
  for (int i = most / 2 + 1; i < most; i++)
    add_pair (r, m, i % m->side - radius, i / m->side % m->side - radius,
              i / m->side / m->side - radius);
  return true;
}

void
odl_responses3_clear (OdlResponses3 *r)
{
  odl_field_clear (&r->padded);
  g_clear_pointer (&r->offsets, g_free);
  g_clear_pointer (&r->taps, g_free);
}

static Lanes
load (const float *from)
{
  Lanes lanes;

  memcpy (&lanes, from, sizeof lanes);
  return lanes;
}

static void
respond (const OdlResponses3 *r, const float *middle, float *const *rows, int x)
{
  const float *taps = r->taps;
  Lanes even[FILTERS] = { { 0 } }, odd[FILTERS] = { { 0 } };

  for (int i = 0; i < r->pairs; i++, taps += ODL_RESPONSES3) {
    const Lanes one = load (middle + r->offsets[i]);
    const Lanes other = load (middle - r->offsets[i]);
    const Lanes sum = one + other, difference = one - other;
#pragma GCC unroll 6
    for (int k = 0; k < FILTERS; k++) {
      even[k] += taps[k] * sum;
      odd[k] += taps[FILTERS + k] * difference;
    }
  }
  for (int k = 0; k < FILTERS; k++) {
    memcpy (rows[k] + x, &even[k], sizeof even[k]);
    memcpy (rows[FILTERS + k] + x, &odd[k], sizeof odd[k]);
  }
}

void
odl_responses3_row (const OdlResponses3 *r, int y, int z, float *const *rows)
{
  const int *size = r->padded.size;
  const int radius = (size[0] - r->width - (LANES - 1)) / 2;
  const float *middle
      = r->padded.at + ((size_t) (z + radius) * size[1] + (size_t) (y + radius)) * size[0]
        + radius;

  for (int x = 0; x < r->width; x += LANES)
    respond (r, middle + x, rows, x);
}
