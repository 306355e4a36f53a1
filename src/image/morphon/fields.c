// SPDX-License-Identifier: MIT
#include "image/morphon/fields.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"

#define MOST_RADIUS 128

OdlField
odl_field_new (int width, int height)
{
  OdlField field = { width, height, NULL };

  field.at = g_try_new0 (float, odl_field_size (&field));
  return field;
}

void
odl_field_clear (OdlField *field)
{
  g_clear_pointer (&field->at, g_free);
}

// Whole-sample symmetry, for any distance.
static int
fold (int i, int n)
{
  const int period = 2 * n - 2;

  if (n == 1)
    return 0;
  i = ((i % period) + period) % period;
  return i < n ? i : period - i;
}

OdlField
odl_field_reduce (const OdlField *field)
{
  static const float taps[5] = { 1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f };
  OdlField half = odl_field_new ((field->width + 1) / 2, (field->height + 1) / 2);

  if (half.at == NULL)
    return half;
  ODL_PARALLEL_FOR
  for (int y = 0; y < half.height; y++)
    for (int x = 0; x < half.width; x++) {
      float sum = 0;
      for (int j = -2; j <= 2; j++) {
        const float *row
            = field->at + (size_t) fold (2 * y + j, field->height) * field->width;
        for (int i = -2; i <= 2; i++)
          sum += taps[j + 2] * taps[i + 2] * row[fold (2 * x + i, field->width)];
      }
      half.at[(size_t) y * half.width + x] = sum;
    }
  return half;
}

OdlField
odl_field_expand (const OdlField *field, const OdlField *like)
{
  OdlField whole = odl_field_new (like->width, like->height);

  if (whole.at == NULL)
    return whole;
  ODL_PARALLEL_FOR
  for (int y = 0; y < whole.height; y++) {
    const float *upper = field->at + (size_t) (y / 2) * field->width;
    const float *lower
        = field->at + (size_t) MIN ((y + 1) / 2, field->height - 1) * field->width;
    for (int x = 0; x < whole.width; x++) {
      const int left = x / 2, right = MIN ((x + 1) / 2, field->width - 1);
      // Twice the mean of four.
      whole.at[(size_t) y * whole.width + x]
          = 0.5f * (upper[left] + upper[right] + lower[left] + lower[right]);
    }
  }
  return whole;
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
smooth_across (const OdlField *from, const float *taps, int radius, OdlField *to)
{
  const int n = from->width;

  ODL_PARALLEL_FOR
  for (int y = 0; y < from->height; y++) {
    g_autofree float *line = g_new (float, n + 2 * radius);
    const float *row = from->at + (size_t) y * n;
    float *out = to->at + (size_t) y * n;
    for (int i = -radius; i < n + radius; i++)
      line[i + radius] = row[fold (i, n)];
    for (int x = 0; x < n; x++)
      out[x] = taps[0] * line[x + radius];
    for (int i = 1; i <= radius; i++)
      for (int x = 0; x < n; x++)
        out[x] += taps[i] * (line[x + radius - i] + line[x + radius + i]);
  }
}

static void
smooth_down (const OdlField *from, const float *taps, int radius, OdlField *to)
{
  const int n = from->width;

  ODL_PARALLEL_FOR
  for (int y = 0; y < from->height; y++) {
    float *out = to->at + (size_t) y * n;
    const float *middle = from->at + (size_t) y * n;
    for (int x = 0; x < n; x++)
      out[x] = taps[0] * middle[x];
    for (int i = 1; i <= radius; i++) {
      const float *a = from->at + (size_t) fold (y - i, from->height) * n;
      const float *b = from->at + (size_t) fold (y + i, from->height) * n;
      for (int x = 0; x < n; x++)
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
  smooth_across (field, taps, radius, room);
  smooth_down (room, taps, radius, field);
}
