// SPDX-License-Identifier: MIT
#include "image/render/body.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "image/volume/planes.h"

// The least and the largest of the voxels from … to − 1, in each of the rows.
static OdlBrick
measure_box (const OdlBody *body, const int from[3], const int to[3])
{
  OdlBrick brick = { G_MAXUINT16, 0 };

  for (int z = from[2]; z < to[2]; z++)
    for (int y = from[1]; y < to[1]; y++) {
      const size_t row = (size_t) z * (size_t) body->size[1] + (size_t) y;
      const uint16_t *values = body->values + row * (size_t) body->size[0];
      for (int x = from[0]; x < to[0]; x++) {
        brick.low = MIN (brick.low, values[x]);
        brick.high = MAX (brick.high, values[x]);
      }
    }
  return brick;
}

static void
measure_layer (OdlBody *body, int z)
{
  OdlBrick *brick
      = body->bricks
        + (size_t) z * (size_t) body->n_bricks[0] * (size_t) body->n_bricks[1];

  for (int y = 0; y < body->n_bricks[1]; y++)
    for (int x = 0; x < body->n_bricks[0]; x++) {
      const int at[3] = { x, y, z };
      int from[3], to[3];
      for (int i = 0; i < 3; i++) {
        from[i] = MAX (at[i] * ODL_BRICK_SIDE - 1, 0);
        to[i] = MIN ((at[i] + 1) * ODL_BRICK_SIDE + 1, body->size[i]);
      }
      *brick++ = measure_box (body, from, to);
    }
}

// For odl_body_new: finds the bricks of the values. False: no memory.
static bool
odl_body_measure_bricks (OdlBody *body)
{
  for (int i = 0; i < 3; i++)
    body->n_bricks[i] = (body->size[i] + ODL_BRICK_SIDE - 1) / ODL_BRICK_SIDE;
  const size_t n = (size_t) body->n_bricks[0] * (size_t) body->n_bricks[1]
                   * (size_t) body->n_bricks[2];
  body->bricks = g_try_new (OdlBrick, n);
  if (body->bricks == NULL)
    return false;
  ODL_PARALLEL_FOR
  for (int z = 0; z < body->n_bricks[2]; z++)
    measure_layer (body, z);
  return true;
}

typedef struct {
  float low, high;
} Range;

// The mean of the channels of one row; `line` has room for it.
static void
read_row (const OdlImage *volume, int y, int z, float *line, float *row)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const int channels = MIN (info->channels, 3), n = info->extent.x;

  odl_image_scaled_row (volume, 0, y, z, 0, row);
  for (int c = 1; c < channels; c++) {
    odl_image_scaled_row (volume, c, y, z, 0, line);
    for (int x = 0; x < n; x++)
      row[x] += line[x];
  }
  for (int x = 0; x < n; x++)
    row[x] /= (float) channels;
}

static void
measure_slice (const OdlImage *volume, int z, Range *range)
{
  const OdlExtent *extent = &odl_image_info (volume)->extent;
  g_autofree float *line = g_new (float, extent->x), *row = g_new (float, extent->x);

  *range = (Range){ INFINITY, -INFINITY };
  for (int y = 0; y < extent->y; y++) {
    read_row (volume, y, z, line, row);
    for (int x = 0; x < extent->x; x++) {
      range->low = MIN (range->low, row[x]);
      range->high = MAX (range->high, row[x]);
    }
  }
}

static void
fill_slice (const OdlImage *volume, int z, OdlBody *body)
{
  const OdlExtent *extent = &odl_image_info (volume)->extent;
  const float low = (float) body->low;
  const float gain = (float) (G_MAXUINT16 / (body->high - body->low));
  g_autofree float *line = g_new (float, extent->x), *row = g_new (float, extent->x);

  for (int y = 0; y < extent->y; y++) {
    uint16_t *out = body->values + ((size_t) z * extent->y + y) * (size_t) extent->x;
    read_row (volume, y, z, line, row);
    for (int x = 0; x < extent->x; x++)
      out[x] = (uint16_t) (CLAMP ((row[x] - low) * gain, 0, G_MAXUINT16) + 0.5f);
  }
}

static OdlBody *
refuse (OdlBody *body, GError **error)
{
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                       _ ("there is not enough memory for a rendered view of this "
                          "volume; its slices can be seen without one"));
  odl_body_unref (body);
  return NULL;
}

OdlBody *
odl_body_new (const OdlImage *volume, GError **error)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const OdlPlanes planes = odl_planes_of (info);
  const int depth = info->extent.z;
  OdlBody *body = g_new0 (OdlBody, 1);
  Range all = { INFINITY, -INFINITY };

  g_atomic_ref_count_init (&body->ref_count);
  for (int axis = 0; axis < 3; axis++) {
    body->size[axis] = planes.extent[axis];
    body->side[axis] = planes.extent[axis] * planes.scale[axis];
    body->leads[axis] = planes.leads[axis];
    body->stored[2 - axis] = planes.planes[axis].through;
  }
  const size_t n = (size_t) info->extent.x * (size_t) info->extent.y * (size_t) depth;
  body->values = g_try_new (uint16_t, n);
  if (body->values == NULL)
    return refuse (body, error);
  g_autofree Range *ranges = g_new (Range, depth);
  ODL_PARALLEL_FOR
  for (int z = 0; z < depth; z++)
    measure_slice (volume, z, &ranges[z]);
  for (int z = 0; z < depth; z++) {
    all.low = MIN (all.low, ranges[z].low);
    all.high = MAX (all.high, ranges[z].high);
  }
  body->low = (double) all.low;
  body->high = all.high > all.low ? (double) all.high : (double) all.low + 1;
  ODL_PARALLEL_FOR
  for (int z = 0; z < depth; z++)
    fill_slice (volume, z, body);
  return odl_body_measure_bricks (body) ? body : refuse (body, error);
}

OdlBody *
odl_body_ref (OdlBody *body)
{
  g_atomic_ref_count_inc (&body->ref_count);
  return body;
}

void
odl_body_unref (OdlBody *body)
{
  if (body == NULL || !g_atomic_ref_count_dec (&body->ref_count))
    return;
  g_free (body->bricks);
  g_free (body->values);
  g_free (body);
}

float
odl_body_at (const OdlBody *body, const float at[3])
{
  size_t first[3], step[3];
  float t[3];
  const size_t strides[3]
      = { 1, (size_t) body->size[0], (size_t) body->size[0] * (size_t) body->size[1] };

  for (int i = 0; i < 3; i++) {
    const float place = CLAMP (at[i], 0, (float) (body->size[i] - 1));
    const int voxel = (int) place;
    t[i] = place - (float) voxel;
    first[i] = (size_t) voxel * strides[i];
    step[i] = voxel + 1 < body->size[i] ? strides[i] : 0;
  }
  const uint16_t *v = body->values + first[0] + first[1] + first[2];
  float rows[4];
  for (int k = 0; k < 4; k++) {
    const uint16_t *row = v + (k % 2 ? step[1] : 0) + (k / 2 ? step[2] : 0);
    rows[k] = (float) row[0] + t[0] * ((float) row[step[0]] - (float) row[0]);
  }
  const float near = rows[0] + t[1] * (rows[1] - rows[0]);
  const float far = rows[2] + t[1] * (rows[3] - rows[2]);
  return (near + t[2] * (far - near)) / (float) G_MAXUINT16;
}
