// SPDX-License-Identifier: MIT
// Active contours, as image/contour/snakes.h says, and what is done with them.
#include "engine/cpu/steps/work.h"

#include <string.h>

#include "base/clones.h"
#include "image/contour/snakes.h"
#include "plan/numbers.h"

// What CUT keeps in a row, of any channel, and what is outside of the field. The same
// comparisons as there.
ODL_ROW_LOOP static void
keep_line (const float *line, int width, const float limits[4], bool low, uint8_t *inside)
{
  const float scale = limits[0], limit = limits[1], least = limits[2], end = limits[3];

  for (int x = 0; x < width; x++) {
    const float value = line[x] * scale;
    const uint8_t other
        = ((value >= limit) != low) & (inside[x] == 0) ? ODL_SNAKES_OUTSIDE : inside[x];
    inside[x] = (value >= least) & (value < end) ? ODL_SNAKES_INSIDE : other;
  }
}

static void
kept_row (const OdlCpuWork *work, int y, uint8_t *inside)
{
  const OdlStepParameters *p = &work->step->parameters;
  const OdlCpuPicture *in = work->in[1];
  const float *numbers = odl_cpu_row (work->in[2], 0, 0);
  const float half = p->unit > 0 ? 0.5f : 0;
  const float edge = numbers[ODL_TROUGH_EDGE] - half;
  const float limit = numbers[ODL_TROUGH_LIMIT] - half;
  const float limits[4] = { p->unit > 0 ? (float) (1 / p->unit) : 1, limit,
                            p->low ? limit : edge, p->low ? edge : limit };

  memset (inside, 0, (size_t) in->width);
  for (int channel = 0; channel < in->channels; channel++)
    keep_line (odl_cpu_row (in, channel, y), in->width, limits, p->low != 0, inside);
}

static void
read_row (const void *data, int y, float *edges, uint8_t *inside)
{
  const OdlCpuWork *work = data;
  const OdlCpuPicture *in = work->in[0];

  memcpy (edges, odl_cpu_row (in, 0, y), (size_t) in->width * sizeof *edges);
  for (int channel = 1; channel < in->channels; channel++) {
    const float *line = odl_cpu_row (in, channel, y);
    for (int x = 0; x < in->width; x++)
      edges[x] += line[x];
  }
  if (work->in[1] != NULL)
    kept_row (work, y, inside);
  else
    memset (inside, ODL_SNAKES_INSIDE, (size_t) in->width);
}

static float
read_edge (const void *data, int x, int y)
{
  const OdlCpuPicture *in = ((const OdlCpuWork *) data)->in[0];
  float edge = 0;

  for (int channel = 0; channel < in->channels; channel++)
    edge += odl_cpu_row (in, channel, y)[x];
  return edge;
}

void
odl_cpu_snakes_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *p = &work->step->parameters;
  const OdlSnakes snakes = {
    .width = work->in[0]->width,
    .height = work->in[0]->height,
    .row = read_row,
    .edge = read_edge,
    .data = work,
    .tension = p->tension,
    .rigidity = p->rigidity,
    .diffusion = p->diffusion,
    .smallest = p->smallest,
    .pinned = work->in[1] != NULL,
    .pulls = p->pulls,
    .n_pulls = p->n_pulls,
  };

  (void) channel, (void) from, (void) to;
  odl_snakes_find (&snakes, odl_cpu_row (work->out, 0, 0));
}

// Where the mask of a sample differs from those `thickness` to its sides.
static void
draw_row (const OdlCpuWork *work, uint8_t *const rows[3], float *out)
{
  const int width = work->out->width, thickness = work->step->parameters.thickness;

  for (int x = 0; x < width; x++) {
    const uint8_t own = rows[1][x];
    const int left = MAX (x - thickness, 0), right = MIN (x + thickness, width - 1);
    if (rows[1][left] != own || rows[1][right] != own || rows[0][x] != own
        || rows[2][x] != own)
      out[x] = 1;
  }
}

void
odl_cpu_outline_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *p = &work->step->parameters;
  const int width = work->out->width, height = work->out->height;
  const float *numbers = odl_cpu_row (work->in[1], 0, 0);
  g_autofree uint8_t *masks = g_new (uint8_t, 3 * (size_t) width);
  uint8_t *const rows[3] = { masks, masks + width, masks + 2 * (size_t) width };

  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);
    odl_contour_mask_row (numbers, width, y, rows[1]);
    if (p->filled) {
      for (int x = 0; x < width; x++)
        out[x] = rows[1][x];
      continue;
    }
    odl_contour_mask_row (numbers, width, MAX (y - p->thickness, 0), rows[0]);
    odl_contour_mask_row (numbers, width, MIN (y + p->thickness, height - 1), rows[2]);
    memcpy (out, odl_cpu_row (work->in[0], channel, y), (size_t) width * sizeof *out);
    draw_row (work, rows, out);
  }
}

void
odl_cpu_keep_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *second = work->in[1];
  const float fill = (float) work->step->parameters.fill;

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *g
        = odl_cpu_row (second, odl_cpu_plane_beside (work, second, channel), y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = g[x] != 0 ? f[x] : fill;
  }
}
