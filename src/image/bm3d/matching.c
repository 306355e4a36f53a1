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
insert (OdlBm3dPlace *places,
        float *distances,
        int n,
        int most,
        OdlBm3dPlace place,
        float distance)
{
  int at = n < most ? n : most - 1;

  while (at > 1 && distances[at - 1] > distance) {
    places[at] = places[at - 1];
    distances[at] = distances[at - 1];
    at--;
  }
  places[at] = place;
  distances[at] = distance;
  return MIN (n + 1, most);
}

static void
find_one (const OdlBm3dSearch *search, int x, int y, OdlBm3dMatches *matches)
{
  const OdlBm3dPicture *picture = search->picture;
  const int reach = search->reach, most = search->most;
  const int left = MAX (x - reach, 0), top = MAX (y - reach, 0);
  const int right = MIN (x + reach, picture->width - ODL_BM3D_SIDE);
  const int bottom = MIN (y + reach, picture->height - ODL_BM3D_SIDE);
  const float *block = picture->samples + (size_t) y * picture->pitch + x;
  float distances[ODL_BM3D_MOST] = { 0 };
  int n = 1;

  matches->places[0] = (OdlBm3dPlace){ .x = x, .y = y };
  for (int v = top; v <= bottom; v++) {
    float sums[PLACES];
    sum_differences (block, picture->samples + (size_t) v * picture->pitch + left,
                     picture->pitch, sums);
    for (int u = left; u <= right; u++) {
      const float distance = sums[u - left];
      const float limit = n < most ? search->farthest : distances[most - 1];
      const bool nearer = n < most ? distance <= limit : distance < limit;
      if (nearer && (u != x || v != y))
        n = insert (matches->places, distances, n, most, (OdlBm3dPlace){ .x = u, .y = v },
                    distance);
    }
  }
  while ((n & (n - 1)) != 0)
    n &= n - 1;
  matches->n = n;
}

void
odl_bm3d_find (const OdlBm3dSearch *search, OdlBm3dMatches *matches, size_t pitch)
{
  for (int row = 0; row < search->rows; row++)
    for (int column = 0; column < search->columns; column++)
      find_one (search, search->x + column * search->step, search->y + row * search->step,
                &matches[row * pitch + column]);
}
