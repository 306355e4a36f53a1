// SPDX-License-Identifier: MIT
// How far back and ahead in time the result of a plan depends on, and the pictures of
// other frames.
#include <math.h>

#include "image/change.h"
#include "plan/planner.h"
#include "wavelet/border.h"

static bool
is_recursive (const OdlStep *step)
{
  return odl_step_row (step->kind)->recursive;
}

int
odl_plan_frames (const OdlPlan *plan)
{
  int frames = 1;

  g_return_val_if_fail (plan != NULL, 1);
  for (int i = 0; i < plan->n_steps; i++) {
    if (is_recursive (&plan->steps[i]))
      return 0;
    frames += MAX (plan->steps[i].frames - 1, 0);
  }
  return frames;
}

// Number of grey levels from 0 to 1.
static double
levels_of (const OdlGeometry *geometry)
{
  if (geometry->steps > 0)
    return geometry->steps;
  return geometry->bits <= 8 ? 255 : 65535;
}

// The least n with (1 − weight)ⁿ below `rest`.
static int
frames_until (double weight, double rest)
{
  return weight >= 1 ? 0 : (int) floor (log (rest) / log1p (-weight)) + 1;
}

int
odl_plan_lead_in (const OdlPlan *plan)
{
  int n_recursive = 0, frames = 0;

  g_return_val_if_fail (plan != NULL, 0);
  for (int i = 0; i < plan->n_steps; i++)
    n_recursive += is_recursive (&plan->steps[i]);
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (is_recursive (step))
      frames += frames_until (step->parameters.weight,
                              0.5 / levels_of (&plan->geometry) / n_recursive);
    else
      frames += MAX (step->frames - 1, 0);
  }
  return frames;
}

// ---- look-ahead ----

int
odl_planner_time_count (const OdlPlanner *b)
{
  return b->geometry.neighbours != NULL
             ? (int) odl_neighbours_count (b->geometry.neighbours)
             : 1;
}

static int
find_elsewhere (const OdlPlanner *b, int item)
{
  for (guint i = 0; i < b->elsewhere->len; i++) {
    const OdlElsewhere *one = &g_array_index (b->elsewhere, OdlElsewhere, i);
    if (one->at.place == b->at.place && one->at.index == b->at.index && one->item == item)
      return one->slot;
  }
  return ODL_PLAN_NO_SLOT;
}

static int
keep_elsewhere (OdlPlanner *b, int item, int slot)
{
  const OdlElsewhere one = { b->at, item, slot };

  g_array_append_val (b->elsewhere, one);
  return slot;
}

// What the first filter reads.
static int
load (OdlPlanner *b)
{
  const OdlGeometry *geometry = &b->geometry;
  int slot = find_elsewhere (b, -1);

  if (slot != ODL_PLAN_NO_SLOT)
    return slot;
  slot = odl_planner_add_slot_like (b, 0, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_LOAD, ODL_PLAN_NO_SLOT, slot, -1);
  step->input = ++b->n_operands;
  step->parameters.operand = odl_neighbours_find (geometry->neighbours, b->at.index);
  g_assert (step->parameters.operand != NULL);
  if (b->luma) {
    const int luma = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, geometry->width,
                                           geometry->height, 1);
    OdlStep *weigh = odl_planner_add_step (b, ODL_STEP_LUMA, slot, luma, -1);
    odl_geometry_luma_weights (geometry, weigh->parameters.weights);
    slot = luma;
  }
  return keep_elsewhere (b, -1, slot);
}

static OdlFrameAt
step_in_time (const OdlPlanner *b, OdlBorder border, int offset, bool *is_zero)
{
  const int count = odl_planner_time_count (b);
  const int64_t period = 2 * ((int64_t) count - 1);
  const int wanted = (int) b->at.index + offset;
  const int index = odl_border_index (border, wanted, count);
  const bool mirrors = border != ODL_BORDER_PERIODIC && period > 0
                       && (wanted % period + period) % period >= count;

  *is_zero = index < 0;
  return (OdlFrameAt){ .place = b->at.place + b->at.sign * offset,
                       .index = index < 0 ? odl_border_fold (wanted, count) : index,
                       .sign = mirrors ? -b->at.sign : b->at.sign };
}

// What filter `item` reads of another frame.
static int
picture_at (OdlPlanner *b, int item, OdlFrameAt at)
{
  const OdlPlanner before = *b;

  b->at = at;
  b->away = true;
  int slot = find_elsewhere (b, item);
  if (slot == ODL_PLAN_NO_SLOT) {
    b->geometry = b->came;
    b->picture = b->origin = load (b);
    b->plan_items (b, item);
    slot = keep_elsewhere (b, item, b->picture);
  }
  b->geometry = before.geometry;
  b->picture = before.picture;
  b->origin = before.origin;
  b->at = before.at;
  b->away = before.away;
  return slot;
}

OdlOtherPicture
odl_planner_other_picture (OdlPlanner *b, int item, int own, OdlBorder border, int offset)
{
  OdlOtherPicture other = { own, false };

  // A frame that stands alone is its own neighbour.
  const OdlFrameAt at = step_in_time (b, border, offset, &other.is_zero);
  if (offset != 0 && b->geometry.neighbours != NULL)
    other.slot = picture_at (b, item, at);
  return other;
}

int
odl_planner_picture_in_take (OdlPlanner *b, int item, int own, int offset, OdlTake take)
{
  const int index = CLAMP (offset, -take.past, take.ahead);
  const OdlFrameAt at = { .place = b->at.place + b->at.sign * offset,
                          .index = b->at.index + index,
                          .sign = b->at.sign };

  return offset != 0 ? picture_at (b, item, at) : own;
}

// Frames before this one (`step` −1) or after it (1), at most `most`, up to a cut.
static int
count_alike (const OdlPlanner *b, int step, int most)
{
  const OdlNeighbours *neighbours = b->geometry.neighbours;
  float cells[2][ODL_IMAGE_N_CELLS];
  int n = 0;

  odl_image_cells (odl_neighbours_find (neighbours, b->at.index), cells[0]);
  for (; n < most; n++) {
    const int64_t index = b->at.index + (int64_t) step * (n + 1);
    const OdlImage *image = odl_neighbours_find (neighbours, index);
    if (image == NULL || odl_image_info (image)->mark != NULL)
      break;
    odl_image_cells (image, cells[(n + 1) % 2]);
    const OdlChange change = odl_image_change (cells[0], cells[1]);
    if (odl_image_change_is_cut (&change))
      break;
  }
  return n;
}

OdlTake
odl_planner_take (const OdlPlanner *b, int past, int ahead)
{
  const OdlImage *own = odl_neighbours_find (b->geometry.neighbours, b->at.index);

  if (odl_image_info (own)->mark != NULL)
    return (OdlTake){ 0, 0 };
  return (OdlTake){ count_alike (b, -1, past), count_alike (b, 1, ahead) };
}

void
odl_planner_add (OdlPlanner *b, int item, int f, int g)
{
  b->picture = f == ODL_PLAN_NO_SLOT ? g : f;
  if (f != ODL_PLAN_NO_SLOT)
    odl_planner_add_picture_step (b, ODL_STEP_ADD, item)->reads[1] = g;
}
