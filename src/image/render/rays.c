// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "image/render/render.h"

// How much of the place's shorter side the volume's diagonal takes: a ball in the volume
// just fits, and corners leave the place as it turns.
#define FILLED 1.4
// Of the shortest side of a voxel.
#define STEP 0.5

const char *const odl_render_cut_names[ODL_RENDER_N_CUTS + 1]
    = { "whole", "front", "top", "side", "corner", NULL };

const OdlRenderShine odl_render_shine
    = { .ambient = 0.35f, .diffuse = 0.6f, .gloss = 0.2f, .steep = 24, .sharpness = 5 };

static const float from_above_left[3] = { -0.424f, 0.530f, 0.734f };

// A direction of the canvas (to the right, upwards, to the viewer), along the sides of
// the volume as it is stored.
static void
along_sides (const OdlBody *body,
             const double turn[3][3],
             const double canvas[3],
             double sides[3])
{
  double look[3];

  for (int c = 0; c < 3; c++)
    look[c] = turn[0][c] * canvas[0] + turn[1][c] * canvas[1] + turn[2][c] * canvas[2];
  const double patient[3] = { look[0], -look[2], look[1] };
  for (int i = 0; i < 3; i++)
    sides[body->stored[i]] = body->leads[body->stored[i]] * patient[i];
}

static void
find_turn (const OdlLook *look, double turn[3][3])
{
  const double yaw = look->yaw * G_PI / 180, pitch = look->pitch * G_PI / 180;
  const double rows[3][3]
      = { { cos (yaw), 0, sin (yaw) },
          { sin (pitch) * sin (yaw), cos (pitch), -sin (pitch) * cos (yaw) },
          { -cos (pitch) * sin (yaw), sin (pitch), cos (pitch) * cos (yaw) } };

  memcpy (turn, rows, sizeof rows);
}

// What lies to the left, back or head of the cross-hair, or with `before` on its other
// side.
static void
cut_away (const OdlBody *body,
          int patient,
          bool before,
          const float at[3],
          OdlRenderRays *rays)
{
  const int axis = body->stored[patient];

  if (before == (body->leads[axis] > 0))
    rays->low[axis] = at[axis];
  else
    rays->high[axis] = at[axis];
}

static void
set_cut (const OdlRenderScene *scene, const OdlBody *body, OdlRenderRays *rays)
{
  float at[3];

  for (int i = 0; i < 3; i++) {
    at[i] = ((float) scene->voxel.at[i] + 0.5f) / (float) body->size[i];
    rays->high[i] = 1;
  }
  if (scene->cut == ODL_RENDER_CUT_FRONT)
    cut_away (body, 1, true, at, rays);
  else if (scene->cut == ODL_RENDER_CUT_TOP)
    cut_away (body, 2, false, at, rays);
  else if (scene->cut == ODL_RENDER_CUT_SIDE)
    cut_away (body, 0, false, at, rays);
  if (scene->cut == ODL_RENDER_CUT_CORNER) {
    static const float beyond[3] = { 1, -1, 1 };
    memcpy (rays->corner, at, sizeof at);
    for (int i = 0; i < 3; i++)
      rays->beyond[body->stored[i]] = beyond[i] * (float) body->leads[body->stored[i]];
  }
  for (int i = 0; scene->box.shown && i < 3; i++) {
    rays->low[i] = MAX (rays->low[i], (float) scene->box.low[i]);
    rays->high[i] = MIN (rays->high[i], (float) scene->box.high[i]);
  }
}

OdlRenderRays
odl_render_rays (const OdlRenderScene *scene, const OdlBody *body)
{
  const OdlRenderPlace *place = &scene->place;
  const double zoom = scene->look.zoom > 0 ? scene->look.zoom : 1;
  const double diagonal
      = sqrt (body->side[0] * body->side[0] + body->side[1] * body->side[1]
              + body->side[2] * body->side[2]);
  const double unit
      = diagonal / (FILLED * zoom * MAX (MIN (place->width, place->height), 1));
  const double longest = MAX (MAX (body->side[0], body->side[1]), body->side[2]);
  const double middle[2]
      = { place->x + place->width / 2.0, place->y + place->height / 2.0 };
  const double light[3] = { (double) from_above_left[0], (double) from_above_left[1],
                            (double) from_above_left[2] };
  double turn[3][3], right[3], up[3], towards[3], lit[3];
  OdlRenderRays rays
      = { .steps = (float) ceil (diagonal / STEP), .thickness = STEP / longest * 100 };

  find_turn (&scene->look, turn);
  along_sides (body, turn, (const double[]){ 1, 0, 0 }, right);
  along_sides (body, turn, (const double[]){ 0, 1, 0 }, up);
  along_sides (body, turn, (const double[]){ 0, 0, 1 }, towards);
  along_sides (body, turn, light, lit);
  for (int i = 0; i < 3; i++) {
    const double side = body->side[i], voxel = side / body->size[i];
    rays.right[i] = (float) (right[i] * unit / side);
    rays.down[i] = (float) (-up[i] * unit / side);
    rays.forward[i] = (float) (-towards[i] * STEP / side);
    rays.origin[i] = (float) (0.5
                              + (-middle[0] * right[i] * unit + middle[1] * up[i] * unit
                                 + towards[i] * diagonal / 2)
                                    / side);
    rays.texel[i] = (float) (1.0 / body->size[i]);
    rays.slope[i] = (float) (0.5 / voxel);
    rays.light[i] = (float) lit[i];
    rays.view[i] = (float) towards[i];
  }
  set_cut (scene, body, &rays);
  const double width = scene->points[1] - scene->points[0];
  const double range = body->high - body->low;
  rays.gain = (float) (range / width);
  rays.offset = (float) ((body->low - scene->points[0]) / width);
  return rays;
}
