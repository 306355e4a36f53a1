// SPDX-License-Identifier: MIT
#include "image/bm3d/follow.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"

#define SIDE ODL_BM3D_SIDE
#define NEAR ODL_BM3D_NEAR
#define ROWS (2 * NEAR + 1)

G_STATIC_ASSERT (ROWS <= SIDE);

// Where a group went, frame by frame.
typedef struct {
  int n;
  OdlBm3dPlace moves[ODL_BM3D_MOST_TIMES]; // from the centre
} Track;

// sums[j][i]: of the squared differences of the blocks at `block` and at column i and row
// j from `candidates`.
ODL_ROW_LOOP static void
sum_differences (const float *block,
                 const float *candidates,
                 size_t pitch,
                 float sums[ROWS][SIDE])
{
  OdlBm3dRow s[ROWS] = { 0 };

  for (int v = 0; v < SIDE; v++)
    for (int u = 0; u < SIDE; u++) {
      const float own = block[v * pitch + u];
      const float *row = candidates + v * pitch + u;
      const OdlBm3dRow own_row = { own, own, own, own, own, own, own, own };
#pragma GCC unroll 7
      for (int j = 0; j < ROWS; j++) {
        const OdlBm3dRow d = *(const OdlBm3dRow *) (row + j * pitch) - own_row;
        s[j] += d * d;
      }
    }
  memcpy (sums, s, sizeof s);
}

static inline __attribute__ ((always_inline)) float
difference_of (const float *a, const float *b, size_t pitch)
{
  OdlBm3dRow s = { 0 };

  for (int v = 0; v < SIDE; v++) {
    const OdlBm3dRow d
        = *(const OdlBm3dRow *) (a + v * pitch) - *(const OdlBm3dRow *) (b + v * pitch);
    s += d * d;
  }
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

static inline __attribute__ ((always_inline)) bool
is_within (const OdlBm3dFollow *follow, const OdlBm3dPlace *own, int x, int y)
{
  return abs (x - own->x) <= follow->reach && abs (y - own->y) <= follow->reach && x >= 0
         && y >= 0 && x <= follow->picture->width - SIDE
         && y <= follow->picture->height - SIDE;
}

// The nearest block about `expected`; frame −1: none is near enough.
static OdlBm3dPlace
search_about (const OdlBm3dFollow *follow, const OdlBm3dPlace *own, OdlBm3dPlace expected)
{
  const OdlBm3dPicture *picture = follow->picture;
  const int left = CLAMP (expected.x - NEAR, 0, picture->width - SIDE);
  const int top = CLAMP (expected.y - NEAR, 0, picture->height - SIDE);
  const OdlBm3dPlace corner = { left, top, expected.frame };
  OdlBm3dPlace best = { .frame = -1 };
  float sums[ROWS][SIDE], least = follow->farthest;

  sum_differences (odl_bm3d_at (picture, own), odl_bm3d_at (picture, &corner),
                   picture->pitch, sums);
  for (int j = 0; j < ROWS; j++)
    for (int i = 0; i < ROWS; i++) {
      const OdlBm3dPlace place = { left + i, top + j, expected.frame };
      const bool is_expected = place.x == expected.x && place.y == expected.y;
      const float held = is_expected ? (float) ODL_BM3D_HOLD * follow->farthest : 0;
      if (!is_within (follow, own, place.x, place.y) || !(sums[j][i] <= follow->farthest)
          || !(sums[j][i] - held < least))
        continue;
      least = sums[j][i] - held;
      best = place;
    }
  return best;
}

static void
follow_way (const OdlBm3dFollow *follow, const OdlBm3dPlace *own, int way, Track *track)
{
  OdlBm3dPlace at = *own, before = *own;

  for (int k = 0; k < follow->ways->n[way]; k++) {
    const OdlBm3dPlace expected
        = { CLAMP (2 * at.x - before.x, own->x - follow->reach, own->x + follow->reach),
            CLAMP (2 * at.y - before.y, own->y - follow->reach, own->y + follow->reach),
            follow->ways->frames[way][k] };
    const OdlBm3dPlace went = search_about (follow, own, expected);
    if (went.frame < 0)
      return;
    track->moves[track->n++]
        = (OdlBm3dPlace){ went.x - own->x, went.y - own->y, went.frame };
    before = at;
    at = went;
  }
}

static OdlBm3dPlace
moved (const OdlBm3dPlace *place, const OdlBm3dPlace *move)
{
  return (OdlBm3dPlace){ place->x + move->x, place->y + move->y, move->frame };
}

// Whether block `place` of the centre looks like itself along the way; `own`: the first.
ODL_ROW_LOOP static bool
goes_along (const OdlBm3dFollow *follow,
            const OdlBm3dPlace *own,
            const OdlBm3dPlace *place,
            const Track *track)
{
  const OdlBm3dPicture *picture = follow->picture;

  for (int t = 0; t < track->n; t++) {
    const OdlBm3dPlace other = moved (place, &track->moves[t]);
    if (!is_within (follow, own, other.x, other.y)
        || !(difference_of (odl_bm3d_at (picture, place), odl_bm3d_at (picture, &other),
                            picture->pitch)
             <= follow->farthest))
      return false;
  }
  return true;
}

static int
power_of_two (int n)
{
  while ((n & (n - 1)) != 0)
    n &= n - 1;
  return n;
}

// The first way in the order of time, the centre, the second one.
static void
find_track (const OdlBm3dFollow *follow, const OdlBm3dPlace *own, Track *track)
{
  Track before = { 0 };

  follow_way (follow, own, 0, &before);
  track->n = 0;
  for (int t = before.n - 1; t >= 0; t--)
    track->moves[track->n++] = before.moves[t];
  track->moves[track->n++] = (OdlBm3dPlace){ 0, 0, follow->centre };
  follow_way (follow, own, 1, track);
}

void
odl_bm3d_follow (const OdlBm3dFollow *follow,
                 const OdlBm3dMatches *matches,
                 OdlBm3dBlocks *blocks)
{
  OdlBm3dPlace places[ODL_BM3D_MOST];
  Track track = { 1, { { .frame = follow->centre } } };
  int n = 0;

  for (int i = 0; i < matches->n; i++) {
    places[i] = matches->places[i];
    places[i].frame = follow->centre;
    blocks->places[i] = places[i];
  }
  blocks->n = matches->n;
  blocks->times = 1;
  if (follow->ways->n[0] + follow->ways->n[1] == 0)
    return;
  find_track (follow, &places[0], &track);
  const int most = MIN (follow->most, ODL_BM3D_MOST_PLACES / track.n);
  for (int i = 0; i < matches->n && n < most; i++)
    if (goes_along (follow, &places[0], &places[i], &track))
      places[n++] = places[i];
  n = power_of_two (n);
  if (track.n == 1 || n * track.n < matches->n)
    return;
  blocks->n = n;
  blocks->times = track.n;
  for (int t = 0; t < track.n; t++)
    for (int i = 0; i < n; i++)
      blocks->places[t * n + i] = moved (&places[i], &track.moves[t]);
}
