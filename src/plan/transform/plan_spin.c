// SPDX-License-Identifier: MIT
// Cycle spinning: the mean over shifts of a filter of the decimated transform. R.
// Coifman, D. Donoho, "Translation-invariant de-noising", Lecture Notes in Statistics 103
// (1995). A moved picture has more columns and rows, so that none is lost, and what
// enters is what the transform's border has there; periodic ones are moved in a circle,
// as in the paper.
//
// Margins: periodic borders make an edge where the left side is not like the right one.
// A filter that measures sees the whole picture anyway; it works on one that is mirrored
// about its sides by as much as the finer levels look there, and the margins go again.
#include "plan/planner.h"

#define MARGIN 16 // on each side; even at four levels, so that samples keep their parity
#define GRID 4 // shifts of 0 … GRID − 1 along either axis

// Of a 4 × 4 grid in the order of an ordered dither: the first n are spread as evenly as
// n of them can be.
static void
find_shift (int index, int *dx, int *dy)
{
  static const int across[] = { 0, 1, 1, 0 }, down[] = { 0, 1, 0, 1 };
  const int fine = index % 4, coarse = index / 4;

  *dx = across[fine] + 2 * across[coarse];
  *dy = down[fine] + 2 * down[coarse];
}

// A picture moved into one of the planner's size, added to that in slot `sum`, if there
// is one. Returns its slot.
static int
add_shift (OdlPlanner *b, int item, int read, int dx, int dy, double weight, int sum)
{
  const int out = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                        b->geometry.height,
                                        g_array_index (b->slots, OdlSlot, read).channels);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_SHIFT, read, out, item);

  step->reads[1] = sum;
  step->border = b->border;
  step->parameters.values[0] = dx;
  step->parameters.values[1] = dy;
  step->parameters.weight = weight;
  return out;
}

void
odl_plan_spinning (OdlPlanner *b,
                   int item,
                   int levels,
                   int shifts,
                   void (*plan) (OdlPlanner *b, int item, int levels, OdlViewKind view))
{
  const OdlGeometry geometry = b->geometry;
  const int picture = b->picture, origin = b->origin;
  const bool away = b->away;
  // Even, so that samples of even number stay such from the other end, too.
  const int more = b->border == ODL_BORDER_PERIODIC ? 0 : shifts > GRID ? GRID : GRID / 2;
  int sum = ODL_PLAN_NO_SLOT;

  b->spins = true;
  for (int i = 0; i < shifts; i++) {
    int dx, dy;
    find_shift (i, &dx, &dy);
    if (i > 0) {
      b->geometry.width = geometry.width + more;
      b->geometry.height = geometry.height + more;
      b->picture = add_shift (b, item, picture, dx, dy, 1, ODL_PLAN_NO_SLOT);
      // What counts is looked for in the picture as it came, moved likewise.
      b->origin = origin == picture ? b->picture
                  : odl_planner_measures (b, item)
                      ? add_shift (b, item, origin, dx, dy, 1, ODL_PLAN_NO_SLOT)
                      : origin;
      b->away = true; // all notes, and numbers to be seen, are those of the first one
    }
    b->group = b->n_groups++;
    plan (b, item, levels, ODL_VIEW_SYNTHESIS);
    b->group = -1;
    b->geometry = geometry;
    b->origin = origin;
    b->away = away;
    sum = add_shift (b, item, b->picture, -dx, -dy, 1.0 / shifts, sum);
  }
  b->picture = sum;
}

void
odl_plan_with_margins (
    OdlPlanner *b,
    int item,
    int levels,
    void (*plan) (OdlPlanner *b, int item, int levels, OdlViewKind view))
{
  const OdlGeometry geometry = b->geometry;
  const int picture = b->picture, origin = b->origin;
  const OdlBorder border = b->border;

  b->with_margins = true;
  b->geometry.width += 2 * MARGIN;
  b->geometry.height += 2 * MARGIN;
  b->border = ODL_BORDER_WHOLE_SAMPLE; // of both moves
  b->picture = add_shift (b, item, picture, MARGIN, MARGIN, 1, ODL_PLAN_NO_SLOT);
  if (origin == picture)
    b->origin = b->picture;
  else if (odl_planner_measures (b, item))
    b->origin = add_shift (b, item, origin, MARGIN, MARGIN, 1, ODL_PLAN_NO_SLOT);
  b->border = border;
  plan (b, item, levels, ODL_VIEW_SYNTHESIS);
  b->geometry = geometry;
  b->origin = origin;
  b->border = ODL_BORDER_WHOLE_SAMPLE;
  b->picture = add_shift (b, item, b->picture, -MARGIN, -MARGIN, 1, ODL_PLAN_NO_SLOT);
}
