// SPDX-License-Identifier: MIT

#include "base/parallel.h"
#include "image/render/body.h"

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

bool
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
