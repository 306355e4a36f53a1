// SPDX-License-Identifier: MIT
#include "image/morphon/fields.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"

#define MOST_RADIUS 128

bool
odl_field_make (OdlField *field, const int size[3])
{
  *field = (OdlField){ { size[0], size[1], size[2] }, NULL };
  field->at = g_try_new0 (float, odl_field_count (field));
  return field->at != NULL;
}

void
odl_field_clear (OdlField *field)
{
  g_clear_pointer (&field->at, g_free);
}

bool
odl_fields_make (OdlField *fields, int n, const int size[3])
{
  bool there = true;

  for (int i = 0; there && i < n; i++)
    there = odl_field_make (&fields[i], size);
  return there;
}

void
odl_fields_clear (OdlField *fields, int n)
{
  for (int i = 0; i < n; i++)
    odl_field_clear (&fields[i]);
}

int
odl_field_fold (int i, int n)
{
  const int period = 2 * n - 2;

  if (n == 1)
    return 0;
  i = ((i % period) + period) % period;
  return i < n ? i : period - i;
}

// Row `r` of all slices.
static float *
row_of (const OdlField *field, size_t r)
{
  return field->at + r * (size_t) field->size[0];
}

static int
rows_of (const OdlField *field)
{
  return field->size[1] * field->size[2];
}

// The row that lies at `place` along y or z, and else where row `r` does.
static const float *
row_along (const OdlField *field, int y, int z, int axis, int place)
{
  return axis == 1 ? row_of (field, (size_t) z * field->size[1] + place)
                   : row_of (field, (size_t) place * field->size[1] + y);
}

static OdlField
reduce (const OdlField *field, int axis)
{
  static const float taps[5] = { 1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f };
  int size[3] = { field->size[0], field->size[1], field->size[2] };
  const int n = size[axis];

  size[axis] = (n + 1) / 2;
  OdlField half;
  if (!odl_field_make (&half, size))
    return half;
  ODL_PARALLEL_FOR
  for (int r = 0; r < rows_of (&half); r++) {
    const int y = r % size[1], z = r / size[1];
    float *to = row_of (&half, r);
    for (int j = -2; j <= 2; j++) {
      const int i = 2 * (axis == 1 ? y : z) + j;
      const float *from = axis > 0 ? row_along (field, y, z, axis, odl_field_fold (i, n))
                                   : row_of (field, r);
      for (int x = 0; x < size[0]; x++)
        to[x] += taps[j + 2] * from[axis > 0 ? x : odl_field_fold (2 * x + j, n)];
    }
  }
  return half;
}

// `n` samples along `axis`, from half as many, by linear interpolation.
static OdlField
expand (const OdlField *field, int axis, int n)
{
  int size[3] = { field->size[0], field->size[1], field->size[2] };
  const int last = size[axis] - 1;

  size[axis] = n;
  OdlField whole;
  if (!odl_field_make (&whole, size))
    return whole;
  ODL_PARALLEL_FOR
  for (int r = 0; r < rows_of (&whole); r++) {
    const int y = r % size[1], z = r / size[1], i = axis == 1 ? y : z;
    float *to = row_of (&whole, r);
    if (axis == 0) {
      const float *from = row_of (field, r);
      for (int x = 0; x < n; x++)
        to[x] = 0.5f * (from[x / 2] + from[MIN ((x + 1) / 2, last)]);
      continue;
    }
    const float *before = row_along (field, y, z, axis, i / 2);
    const float *after = row_along (field, y, z, axis, MIN ((i + 1) / 2, last));
    for (int x = 0; x < size[0]; x++)
      to[x] = 0.5f * (before[x] + after[x]);
  }
  return whole;
}

bool
odl_field_halve (const OdlField *field, int least, OdlField *half, bool *short_of_memory)
{
  OdlField now = *field;
  bool halved = false;

  for (int axis = 0; axis < 3; axis++) {
    if ((now.size[axis] + 1) / 2 < least)
      continue;
    OdlField next = reduce (&now, axis);
    if (halved)
      odl_field_clear (&now);
    now = next;
    halved = true;
    if (now.at == NULL) {
      *short_of_memory = true;
      return false;
    }
  }
  if (halved)
    *half = now;
  return halved;
}

bool
odl_field_grow (OdlField *d, int along, const int size[3])
{
  if (d->at == NULL)
    return odl_field_make (d, size);
  for (int axis = 0; axis < 3 && d->at != NULL; axis++) {
    if (d->size[axis] == size[axis])
      continue;
    OdlField longer = expand (d, axis, size[axis]);
    odl_field_clear (d);
    *d = longer;
    for (size_t i = 0; axis == along && d->at != NULL && i < odl_field_count (d); i++)
      d->at[i] *= 2;
  }
  return d->at != NULL;
}

static int
make_gaussian (double sigma, float taps[MOST_RADIUS + 1])
{
  const int radius = CLAMP ((int) ceil (3 * sigma), 0, MOST_RADIUS);
  double sum = 0;

  for (int i = -radius; i <= radius; i++)
    sum += exp (-i * i / (2 * sigma * sigma));
  for (int i = 0; i <= radius; i++)
    taps[i] = (float) (exp (-i * i / (2 * sigma * sigma)) / sum);
  return radius;
}

static void
smooth_along_x (const OdlField *from, const float *taps, int radius, OdlField *to)
{
  const int n = from->size[0];

  ODL_PARALLEL_FOR
  for (int r = 0; r < rows_of (from); r++) {
    g_autofree float *line = g_new (float, n + 2 * radius);
    const float *row = row_of (from, r);
    float *out = row_of (to, r);
    memcpy (line + radius, row, sizeof *row * (size_t) n);
    for (int i = 1; i <= radius; i++) {
      line[radius - i] = row[odl_field_fold (-i, n)];
      line[radius + n - 1 + i] = row[odl_field_fold (n - 1 + i, n)];
    }
    for (int x = 0; x < n; x++)
      out[x] = taps[0] * line[x + radius];
    for (int i = 1; i <= radius; i++)
      for (int x = 0; x < n; x++)
        out[x] += taps[i] * (line[x + radius - i] + line[x + radius + i]);
  }
}

static void
smooth_rows (const OdlField *from, int axis, const float *taps, int radius, OdlField *to)
{
  const int n = from->size[axis], width = from->size[0];

  ODL_PARALLEL_FOR
  for (int r = 0; r < rows_of (from); r++) {
    const int y = r % from->size[1], z = r / from->size[1], at = axis == 1 ? y : z;
    const float *middle = row_of (from, r);
    float *out = row_of (to, r);
    for (int x = 0; x < width; x++)
      out[x] = taps[0] * middle[x];
    for (int i = 1; i <= radius; i++) {
      const float *a = row_along (from, y, z, axis, odl_field_fold (at - i, n));
      const float *b = row_along (from, y, z, axis, odl_field_fold (at + i, n));
      for (int x = 0; x < width; x++)
        out[x] += taps[i] * (a[x] + b[x]);
    }
  }
}

void
odl_field_smooth (OdlField *field, double sigma, OdlField *room)
{
  float taps[MOST_RADIUS + 1];
  const int radius = sigma > 0 ? make_gaussian (sigma, taps) : 0;

  if (radius == 0)
    return;
  smooth_along_x (field, taps, radius, room);
  smooth_rows (room, 1, taps, radius, field);
  if (field->size[2] == 1)
    return;
  smooth_rows (field, 2, taps, radius, room);
  float *const smoothed = room->at;
  room->at = field->at;
  field->at = smoothed;
}

OdlField
odl_field_pad (const OdlField *field, int margin, int spare)
{
  const int *n = field->size;
  const int size[3] = { n[0] + 2 * margin + spare, n[1] + 2 * margin, n[2] + 2 * margin };
  OdlField padded;

  if (!odl_field_make (&padded, size))
    return padded;
  ODL_PARALLEL_FOR
  for (int r = 0; r < rows_of (&padded); r++) {
    const int y = odl_field_fold (r % size[1] - margin, n[1]);
    const int z = odl_field_fold (r / size[1] - margin, n[2]);
    const float *from = row_of (field, (size_t) z * n[1] + y);
    float *to = row_of (&padded, r);
    memcpy (to + margin, from, sizeof *from * (size_t) n[0]);
    for (int i = 1; i <= margin; i++) {
      to[margin - i] = from[odl_field_fold (-i, n[0])];
      to[margin + n[0] - 1 + i] = from[odl_field_fold (n[0] - 1 + i, n[0])];
    }
  }
  return padded;
}

void
odl_fields_smooth_weighted (OdlField *fields,
                            int n,
                            OdlField *weights,
                            double sigma,
                            OdlField *room)
{
  const size_t count = odl_field_count (weights);

  for (int f = 0; f < n; f++) {
    for (size_t i = 0; i < count; i++)
      fields[f].at[i] *= weights->at[i];
    odl_field_smooth (&fields[f], sigma, room);
  }
  odl_field_smooth (weights, sigma, room);
  for (int f = 0; f < n; f++)
    for (size_t i = 0; i < count; i++)
      fields[f].at[i] = weights->at[i] > 0 ? fields[f].at[i] / weights->at[i] : 0;
}

void
odl_fields_hand_over (OdlField *fields, int n, bool done, size_t count, float *const *out)
{
  for (int f = 0; f < n; f++) {
    if (done)
      memcpy (out[f], fields[f].at, count * sizeof (float));
    else
      memset (out[f], 0, count * sizeof (float));
    odl_field_clear (&fields[f]);
  }
}
