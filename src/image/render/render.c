// SPDX-License-Identifier: MIT
// The rendered view drawn by the processor, as shaders/include/rays.glsl does it.
#include "image/render/render.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/display/display.h"

typedef struct {
  const OdlBody *body;
  const OdlRenderPreset *preset;
  bool invert;
  OdlRenderRays rays;
  float levels[ODL_RENDER_LEVELS][4];
  int visible[ODL_RENDER_LEVELS]; // the first visible entry from there on
} Job;

// The steps at which a ray enters and leaves the box. False: it does not meet it.
static bool
meet_box (const OdlRenderRays *rays, const float start[3], int *first, int *last)
{
  float in = 0, out = rays->steps;

  for (int i = 0; i < 3; i++) {
    if (fabsf (rays->forward[i]) < 1e-9f) {
      if (start[i] < rays->low[i] || start[i] > rays->high[i])
        return false;
      continue;
    }
    const float a = (rays->low[i] - start[i]) / rays->forward[i];
    const float b = (rays->high[i] - start[i]) / rays->forward[i];
    in = MAX (in, MIN (a, b));
    out = MIN (out, MAX (a, b));
  }
  *first = (int) ceilf (in);
  *last = (int) floorf (out);
  return *first <= *last;
}

static bool
is_cut (const OdlRenderRays *rays, const float at[3])
{
  return rays->beyond[0] != 0 && (at[0] - rays->corner[0]) * rays->beyond[0] > 0
         && (at[1] - rays->corner[1]) * rays->beyond[1] > 0
         && (at[2] - rays->corner[2]) * rays->beyond[2] > 0;
}

static float
value_at (const Job *job, const float at[3])
{
  const OdlBody *body = job->body;
  const float voxel[3]
      = { at[0] * (float) body->size[0] - 0.5f, at[1] * (float) body->size[1] - 0.5f,
          at[2] * (float) body->size[2] - 0.5f };

  return odl_body_at (body, voxel);
}

// Light on what lies there; without a slope all of it.
static void
light (const Job *job, const float at[3], float colour[3])
{
  const OdlRenderRays *rays = &job->rays;
  const OdlRenderShine *shine = &odl_render_shine;
  float slope[3], length = 0, towards = 0, half = 0;

  for (int i = 0; i < 3; i++) {
    float before[3] = { at[0], at[1], at[2] }, behind[3] = { at[0], at[1], at[2] };
    before[i] -= rays->texel[i];
    behind[i] += rays->texel[i];
    slope[i] = (value_at (job, behind) - value_at (job, before)) * rays->slope[i];
    length += slope[i] * slope[i];
  }
  length = sqrtf (length);
  const float surface = MIN (length * shine->steep, 1);
  for (int i = 0; i < 3; i++) {
    const float n = slope[i] / MAX (length, 1e-12f);
    towards += n * rays->light[i];
    half += n * (rays->light[i] + rays->view[i]);
  }
  // Halfway between the light and the viewer, which are 43° apart.
  float mirror = MIN (fabsf (half) / 1.862f, 1);
  for (int i = 0; i < shine->sharpness; i++)
    mirror *= mirror;
  const float lit = shine->ambient + shine->diffuse * fabsf (towards);
  for (int c = 0; c < 3; c++) {
    const float on_surface = colour[c] * lit + shine->gloss * mirror;
    colour[c] += surface * (on_surface - colour[c]);
  }
}

static void
find_visible (Job *job)
{
  int visible = ODL_RENDER_LEVELS;

  for (int i = ODL_RENDER_LEVELS - 1; i >= 0; i--) {
    if (job->levels[i][3] > 0)
      visible = i;
    job->visible[i] = visible;
  }
}

static void
start_of (const OdlRenderRays *rays, float px, float py, float start[3])
{
  for (int i = 0; i < 3; i++)
    start[i] = rays->origin[i] + px * rays->right[i] + py * rays->down[i];
}

static void
place_at (const OdlRenderRays *rays, const float start[3], int k, float at[3])
{
  for (int i = 0; i < 3; i++)
    at[i] = start[i] + (float) k * rays->forward[i];
}

static int
entry_of (const Job *job, float value)
{
  const float level = CLAMP (value * job->rays.gain + job->rays.offset, 0, 1);

  return (int) (level * (ODL_RENDER_LEVELS - 1) + 0.5f);
}

// Whether a brick changes nothing for a ray that has met `most`. Interpolation rounds.
static bool
shows_nothing (const Job *job, const OdlBrick *brick, float most)
{
  const float low = ((float) brick->low - 1) / G_MAXUINT16;
  const float high = ((float) brick->high + 1) / G_MAXUINT16;

  if (job->preset->maximum)
    return high <= most;
  const int a = entry_of (job, low), b = entry_of (job, high);
  return job->visible[MIN (a, b)] > MAX (a, b);
}

// The last step, up to `last`, of a ray in the brick that it is in at step k, and whether
// nothing is to be met there.
static int
end_of_stretch (const Job *job,
                const float start[3],
                int k,
                int last,
                float most,
                bool *empty)
{
  const OdlRenderRays *rays = &job->rays;
  const OdlBody *body = job->body;
  float at[3], end = (float) last;
  int brick[3];

  place_at (rays, start, k, at);
  for (int i = 0; i < 3; i++) {
    const float scale = (float) body->size[i] / ODL_BRICK_SIDE;
    brick[i] = CLAMP ((int) (at[i] * scale), 0, body->n_bricks[i] - 1);
    const float side = (float) (brick[i] + (rays->forward[i] > 0 ? 1 : 0)) / scale;
    if (fabsf (rays->forward[i]) >= 1e-9f)
      end = MIN (end, (side - start[i]) / rays->forward[i]);
  }
  *empty = shows_nothing (
      job,
      &body->bricks[brick[0]
                    + (size_t) body->n_bricks[0]
                          * (brick[1] + (size_t) body->n_bricks[1] * brick[2])],
      most);
  return MAX ((int) floorf (end), k);
}

static void
find_maximum (const Job *job, const float start[3], int first, int last, float colour[3])
{
  float most = -1, at[3];

  for (int k = first; k <= last;) {
    bool empty;
    const int end = end_of_stretch (job, start, k, last, most, &empty);
    for (; k <= end && !empty; k++) {
      place_at (&job->rays, start, k, at);
      if (!is_cut (&job->rays, at))
        most = MAX (most, value_at (job, at));
    }
    k = end + 1;
  }
  if (most < 0)
    return;
  const float level = CLAMP (most * job->rays.gain + job->rays.offset, 0, 1);
  for (int c = 0; c < 3; c++)
    colour[c] = job->invert ? 1 - level : level;
}

// Steps k … last of a ray, which lie in one brick.
static void
cast_steps (const Job *job,
            const float start[3],
            int k,
            int last,
            float sum[3],
            float *left)
{
  float at[3];

  for (; k <= last && *left > 1 - ODL_RENDER_ENOUGH; k++) {
    place_at (&job->rays, start, k, at);
    const float *entry = job->levels[entry_of (job, value_at (job, at))];
    if (entry[3] <= 0 || is_cut (&job->rays, at))
      continue;
    float lit[3] = { entry[0], entry[1], entry[2] };
    light (job, at, lit);
    for (int c = 0; c < 3; c++)
      sum[c] += *left * entry[3] * lit[c];
    *left *= 1 - entry[3];
  }
}

static void
cast (const Job *job, const float start[3], int first, int last, float colour[3])
{
  float sum[3] = { 0 }, left = 1;

  for (int k = first; k <= last && left > 1 - ODL_RENDER_ENOUGH;) {
    bool empty;
    const int end = end_of_stretch (job, start, k, last, 0, &empty);
    if (!empty)
      cast_steps (job, start, k, end, sum, &left);
    k = end + 1;
  }
  for (int c = 0; c < 3; c++)
    colour[c] = sum[c] + left * colour[c];
}

static void
draw_ray (const Job *job, float px, float py, float colour[3])
{
  float start[3];
  int first, last;

  for (int c = 0; c < 3; c++)
    colour[c] = ODL_CANVAS_LEVEL / 255.0f;
  start_of (&job->rays, px, py, start);
  if (!meet_box (&job->rays, start, &first, &last))
    return;
  if (job->preset->maximum)
    find_maximum (job, start, first, last, colour);
  else
    cast (job, start, first, last, colour);
}

// Pixels along x and y that one ray stands for.
static int
block_of (const OdlRenderScene *scene)
{
  const double pixels = (double) scene->place.width * scene->place.height;

  return scene->most_rays > 0 ? MAX ((int) ceil (sqrt (pixels / scene->most_rays)), 1)
                              : 1;
}

bool
odl_render_is_reduced (const OdlRenderScene *scene)
{
  return block_of (scene) > 1;
}

static void
store (const float colour[3], bool blue_first, uint8_t *pixel)
{
  for (int c = 0; c < 3; c++)
    pixel[blue_first ? 2 - c : c] = (uint8_t) (CLAMP (colour[c], 0, 1) * 255 + 0.5f);
  pixel[3] = 255;
}

// One ray, and its colour for the pixels of its block that lie on the canvas.
static void
draw_block (const Job *job,
            const OdlRenderPlace *block,
            int width,
            int height,
            bool blue_first,
            uint8_t *rgba)
{
  const int x0 = MAX (block->x, 0), x1 = MIN (block->x + block->width, width);
  const int y0 = MAX (block->y, 0), y1 = MIN (block->y + block->height, height);
  float colour[3];

  if (x0 >= x1 || y0 >= y1)
    return;
  draw_ray (job, (float) block->x + (float) block->width / 2,
            (float) block->y + (float) block->height / 2, colour);
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      store (colour, blue_first, rgba + 4 * ((size_t) y * (size_t) width + (size_t) x));
}

// Columns from … to − 1 of the place.
static void
draw_body (const OdlRenderScene *scene,
           const OdlBody *body,
           OdlRenderPlace part,
           int width,
           int height,
           bool blue_first,
           uint8_t *rgba)
{
  const int side = block_of (scene);
  const int rows = (part.height + side - 1) / side;

  if (part.width <= 0)
    return;
  g_autofree Job *job = g_new0 (Job, 1);
  job->body = body;
  job->preset = scene->preset;
  job->invert = scene->invert;
  job->rays = odl_render_rays (scene, body);
  if (!scene->preset->maximum) {
    odl_render_preset_fill (scene->preset, job->rays.thickness, job->levels);
    find_visible (job);
  }
  ODL_PARALLEL_FOR
  for (int row = 0; row < rows; row++)
    for (int x = 0; x < part.width; x += side) {
      const int y = row * side;
      const OdlRenderPlace block = { part.x + x, part.y + y, MIN (side, part.width - x),
                                     MIN (side, part.height - y) };
      draw_block (job, &block, width, height, blue_first, rgba);
    }
}

void
odl_render_draw (const OdlRenderScene *scene,
                 int width,
                 int height,
                 bool blue_first,
                 uint8_t *rgba)
{
  const OdlRenderPlace *all = &scene->place;
  const int wipe = scene->original != NULL && scene->wipe_x > 0
                       ? CLAMP (scene->wipe_x - all->x, 0, all->width)
                       : 0;
  OdlRenderPlace before = *all, after = *all;

  before.width = wipe;
  after.x += wipe;
  after.width -= wipe;
  draw_body (scene, scene->original, before, width, height, blue_first, rgba);
  draw_body (scene, scene->body, after, width, height, blue_first, rgba);
}

void
odl_render_find_points (const OdlImageInfo *info,
                        const OdlWindow *window,
                        const OdlRenderPreset *preset,
                        double points[2])
{
  const OdlValueMap *map = &info->value_map;
  double centre, width;

  odl_display_window (info, window, &centre, &width);
  const double low = centre - width / 2;
  const double first = preset->maximum ? 0 : preset->points[0].at;
  const double last = preset->maximum ? 1 : preset->points[preset->n_points - 1].at;
  const double values[2] = { preset->unit != NULL ? first : low + first * width,
                             preset->unit != NULL ? last : low + last * width };
  for (int i = 0; i < 2; i++)
    points[i] = ((values[i] - map->intercept) / map->slope - info->stored_min)
                / (info->stored_max - info->stored_min);
}

// Bits and their neighbours.
static void
lay_over (const OdlOverlay *over, int width, int height, uint8_t *rgb)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      uint8_t *sample = rgb + 3 * ((size_t) y * width + x);
      if (odl_overlay_has (over, x, y)) {
        memset (sample, 0xff, 3);
        continue;
      }
      bool at_edge = false;
      for (int v = MAX (y - 1, 0); v <= MIN (y + 1, height - 1); v++)
        for (int u = MAX (x - 1, 0); u <= MIN (x + 1, width - 1); u++)
          at_edge = at_edge || odl_overlay_has (over, u, v);
      if (at_edge)
        memset (sample, 0, 3);
    }
}

OdlImage *
odl_render_picture (const OdlRenderScene *scene,
                    const OdlOverlay *over,
                    const char *mark,
                    GError **error)
{
  const int width = scene->place.width, height = scene->place.height;
  const size_t n = (size_t) width * height;
  OdlImageInfo info = { .extent = { width, height, 1, 1 }, .channels = 3, .mark = mark };
  uint8_t *rgba = g_malloc0 (n * 4);

  if (scene->body != NULL)
    odl_render_draw (scene, width, height, false, rgba);
  for (size_t i = 1; i < n; i++)
    memmove (rgba + 3 * i, rgba + 4 * i, 3);
  if (over != NULL)
    lay_over (over, width, height, rgba);
  for (int c = 0; c < 3; c++)
    info.planes[c] = (OdlPlane){ rgba + c, 3, (size_t) width * 3, 0, 0 };
  OdlImage *image = odl_image_wrap (&info, g_free, rgba, error);
  if (image == NULL)
    g_free (rgba);
  return image;
}

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

void
odl_render_letters (const OdlRenderScene *scene,
                    const double axes[3][3],
                    OdlLetters letters)
{
  const OdlRenderRays rays = odl_render_rays (scene, scene->body);
  double leads[2][3] = { { 0 } }, cosines[6];

  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++) {
      leads[0][c] += (double) rays.right[i] * scene->body->side[i] * axes[i][c];
      leads[1][c] += (double) rays.down[i] * scene->body->side[i] * axes[i][c];
    }
  for (int i = 0; i < 2; i++) {
    const double length = hypot (hypot (leads[i][0], leads[i][1]), leads[i][2]);
    for (int c = 0; c < 3; c++)
      cosines[3 * i + c] = leads[i][c] / length;
  }
  for (int edge = 0; edge < ODL_N_EDGES; edge++)
    odl_directions_letters (cosines, odl_edge_steps[edge], letters[edge]);
}
