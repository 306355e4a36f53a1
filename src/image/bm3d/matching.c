// SPDX-License-Identifier: MIT
// Which blocks look like another one.
#include <glib.h>
#include <string.h>

#include "base/clones.h"
#include "image/bm3d/groups.h"

#define LANES ODL_BM3D_SIDE
#define VECTORS 5 // of neighbouring places whose distances are summed side by side
#define PLACES (VECTORS * LANES)

G_STATIC_ASSERT (PLACES >= 2 * ODL_BM3D_REACH + 1);
// Sums read whole vectors: from the last place that counts, PLACES − 1 columns and a
// side.
G_STATIC_ASSERT (ODL_BM3D_SLACK >= PLACES - (2 * ODL_BM3D_REACH + 1));

// sums[k]: of the squared differences of the blocks at `block` and at candidates + k.
ODL_ROW_LOOP static void
sum_differences (const float *block,
                 const float *candidates,
                 size_t pitch,
                 float sums[PLACES])
{
  OdlBm3dRow s[VECTORS] = { 0 };

  for (int v = 0; v < ODL_BM3D_SIDE; v++)
    for (int u = 0; u < ODL_BM3D_SIDE; u++) {
      const float own = block[v * pitch + u];
      const float *row = candidates + v * pitch + u;
      const OdlBm3dRow own_row = { own, own, own, own, own, own, own, own };
#pragma GCC unroll 5
      for (int i = 0; i < VECTORS; i++) {
        const OdlBm3dRow d = *(const OdlBm3dRow *) (row + i * LANES) - own_row;
        s[i] += d * d;
      }
    }
  memcpy (sums, s, sizeof s);
}

// Puts a place among the nearest ones, which places[1] … places[n − 1] are; of equal ones
// the first stays before. Returns their number.
static int
insert (OdlBm3dPlace *places, int n, int most, OdlBm3dPlace place)
{
  int at = n < most ? n : most - 1;

  while (at > 1 && places[at - 1].distance > place.distance) {
    places[at] = places[at - 1];
    at--;
  }
  places[at] = place;
  return MIN (n + 1, most);
}

int
odl_bm3d_find (const OdlBm3dPicture *picture,
               int x,
               int y,
               int most,
               float farthest,
               OdlBm3dPlace places[ODL_BM3D_MOST])
{
  const int left = MAX (x - ODL_BM3D_REACH, 0), top = MAX (y - ODL_BM3D_REACH, 0);
  const int right = MIN (x + ODL_BM3D_REACH, picture->width - ODL_BM3D_SIDE);
  const int bottom = MIN (y + ODL_BM3D_REACH, picture->height - ODL_BM3D_SIDE);
  const float *block = picture->samples + (size_t) y * picture->pitch + x;
  int n = 1;

  places[0] = (OdlBm3dPlace){ .x = x, .y = y };
  for (int v = top; v <= bottom; v++) {
    float sums[PLACES];
    sum_differences (block, picture->samples + (size_t) v * picture->pitch + left,
                     picture->pitch, sums);
    for (int u = left; u <= right; u++) {
      const float distance = sums[u - left];
      const float limit = n < most ? farthest : places[most - 1].distance;
      const bool nearer = n < most ? distance <= limit : distance < limit;
      if (nearer && (u != x || v != y))
        n = insert (places, n, most, (OdlBm3dPlace){ u, v, distance });
    }
  }
  while ((n & (n - 1)) != 0)
    n &= n - 1;
  return n;
}
