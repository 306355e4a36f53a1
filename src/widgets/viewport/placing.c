// SPDX-License-Identifier: MIT
#include "widgets/viewport/placing.h"

#include <math.h>
#include <stdbool.h>

// How often and how far words move to find a free place, in units of their height.
#define MOST_MOVES 12
#define MOVE 0.25

void
odl_reach_extend (OdlReach *reach, OdlPoint at)
{
  reach->left = at.x < reach->left.x ? at : reach->left;
  reach->right = at.x >= reach->right.x ? at : reach->right;
  reach->high = at.y < reach->high.y ? at : reach->high;
  reach->low = at.y >= reach->low.y ? at : reach->low;
}

static bool
is_inside (const OdlPlacingRoom *room, const OdlPlacingBox *box)
{
  return box->x >= room->margin && box->x + box->width <= room->width - room->margin
         && box->y >= room->margin && box->y + box->height <= room->height - room->margin;
}

static bool
is_free (const GArray *taken, const OdlPlacingBox *box)
{
  for (guint i = 0; i < taken->len; i++) {
    const OdlPlacingBox *other = &g_array_index (taken, OdlPlacingBox, i);
    if (box->x < other->x + other->width && other->x < box->x + box->width
        && box->y < other->y + other->height && other->y < box->y + box->height)
      return false;
  }
  return true;
}

// The nearest of the places, as they are or moved up and down. False: there is none.
static bool
find_free (const OdlPlacingRoom *room,
           const GArray *taken,
           const OdlPlacingBox *places,
           size_t n,
           OdlPlacingBox *found)
{
  for (int move = 0; move <= 2 * MOST_MOVES; move++) {
    const int steps = (move + 1) / 2, way = move % 2 == 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
      *found = places[i];
      found->y += way * steps * MOVE * found->height;
      if (is_inside (room, found) && is_free (taken, found))
        return true;
    }
  }
  return false;
}

OdlPoint
odl_placing_of_words (const OdlPlacingRoom *room,
                      const OdlReach *reach,
                      double width,
                      double height,
                      GArray *taken)
{
  const OdlPoint left = reach->left, right = reach->right;
  const OdlPoint high = reach->high, low = reach->low;
  const double gap = room->gap, margin = room->margin;
  // Above and below they are moved sideways into the canvas.
  const double last = fmax (room->width - margin - width, margin);
  const OdlPlacingBox places[] = {
    { right.x + gap, right.y - height / 2, width, height },
    { left.x - gap - width, left.y - height / 2, width, height },
    { CLAMP (low.x - width / 2, margin, last), low.y + gap, width, height },
    { CLAMP (high.x - width / 2, margin, last), high.y - gap - height, width, height },
  };
  OdlPlacingBox box;
  if (!find_free (room, taken, places, G_N_ELEMENTS (places), &box)) {
    box = places[2];
    for (size_t i = G_N_ELEMENTS (places); i-- > 0;)
      if (is_inside (room, &places[i]))
        box = places[i];
  }
  g_array_append_val (taken, box);
  return (OdlPoint){ box.x, box.y };
}

void
odl_placing_keep_clear (OdlPlacingBox *box, const OdlPlacingBox words[2], double end)
{
  for (int i = 0; i < 2; i++) {
    const double below = words[i].y + words[i].height;
    if (box->x < words[i].x + words[i].width && words[i].x < box->x + box->width
        && box->y < below && words[i].y < box->y + box->height
        && below + box->height <= end)
      box->y = below;
  }
}
