// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

#include <math.h>

#include "filter/filter.h"
#include "wavelet/border.h"

// The greatest of three samples of each column; what is no number is none of them.
static void
greatest_of_columns (const OdlCpuWork *work, int channel, int y, float *restrict out)
{
  const OdlCpuPicture *in = work->in[0];
  const float *up = odl_cpu_row (in, channel, odl_border_fold (y - 1, in->height));
  const float *own = odl_cpu_row (in, channel, y);
  const float *down = odl_cpu_row (in, channel, odl_border_fold (y + 1, in->height));

  for (int x = 0; x < in->width; x++) {
    float most = own[x] > 0 ? own[x] : 0;
    most = up[x] > most ? up[x] : most;
    out[x] = down[x] > most ? down[x] : most;
  }
}

// 1 where one of the 3 × 3 samples about it is not black. `columns` has room for width
// + 2.
static void
inside_row (const OdlCpuWork *work,
            int channel,
            int y,
            float *columns,
            float *restrict out)
{
  const int width = work->out->width;
  const float tolerance = (float) work->step->parameters.tolerance;

  greatest_of_columns (work, channel, y, columns + 1);
  columns[0] = columns[1];
  columns[width + 1] = columns[width];
  for (int x = 0; x < width; x++) {
    float most = columns[x] > columns[x + 1] ? columns[x] : columns[x + 1];
    most = columns[x + 2] > most ? columns[x + 2] : most;
    out[x] = most > tolerance ? 1.0f : 0.0f;
  }
}

void
odl_cpu_inside_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  g_autofree float *columns = g_new (float, work->out->width + 2);

  for (int y = from; y < to; y++)
    inside_row (work, channel, y, columns, odl_cpu_row (work->out, channel, y));
}

void
odl_cpu_divide_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *second = work->in[1];
  const float least = (float) work->step->parameters.least;

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *g
        = odl_cpu_row (second, odl_cpu_plane_beside (work, second, channel), y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = f[x] / (g[x] > least ? g[x] : least);
  }
}

void
odl_cpu_residual_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *g = odl_cpu_row (work->in[1], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = f[x] - g[x];
  }
}

void
odl_cpu_add_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *g = odl_cpu_row (work->in[1], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = f[x] + g[x];
  }
}

void
odl_cpu_raise_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float level = (float) odl_step_value (work->step, "level");

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = f[x] + level;
  }
}

void
odl_cpu_decouple_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *p = &work->step->parameters;
  const int width = work->out->width;
  const float least = (float) p->least, share = (float) p->illumination;
  const float texture = (float) p->texture, smooth = 1 - texture;
  const float flat = (float) ((1 - p->illumination) * p->brightness);
  g_autofree float *columns = g_new (float, 2 * (size_t) width + 2);
  float *inside = columns + width + 2;

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *illumination = odl_cpu_row (work->in[1], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    inside_row (work, channel, y, columns, inside);
    for (int x = 0; x < width; x++) {
      const float g = illumination[x] > least ? illumination[x] : least;
      const float h = flat + share * g;
      const float result = texture * f[x] * (h / g) + smooth * h;
      out[x] = inside[x] > 0 ? result : f[x];
    }
  }
}

// Of row `y`, the columns from … to − 1, which lie in one band.
static void
combine_part (const OdlCpuWork *work, int channel, int y, int from, int to, int band)
{
  const float first = (float) work->step->parameters.own[band];
  const float second = (float) work->step->parameters.other[band];
  const float *a = odl_cpu_row (work->in[0], channel, y) + from;
  const float *b = odl_cpu_row (work->in[1], channel, y) + from;
  float *restrict out = odl_cpu_row (work->out, channel, y) + from;
  const float beyond = (float) ODL_BEYOND_TIES;

  if (band == 0 || work->step->rule == ODL_RULE_SUM) {
    for (int x = 0; x < to - from; x++)
      out[x] = first * a[x] + second * b[x];
    return;
  }
  for (int x = 0; x < to - from; x++) {
    const float own = first * a[x], other = second * b[x];
    out[x] = fabsf (other) > fabsf (own) + beyond ? other : own;
  }
}

void
odl_cpu_combine_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, n_low = odl_low_count (width);

  for (int y = from; y < to; y++) {
    const int below = y < odl_low_count (work->out->height) ? 0 : 2;
    combine_part (work, channel, y, 0, n_low, below);
    combine_part (work, channel, y, n_low, width, below + 1);
  }
}

// columns[i + 1] of a line of n: the least, and the greatest, of three rows about row y.
static void
range_of_columns (const OdlCpuPicture *picture,
                  int channel,
                  int y,
                  float *least,
                  float *most)
{
  const int n = picture->width;

  for (int dy = -1; dy <= 1; dy++) {
    const float *row
        = odl_cpu_row (picture, channel, odl_border_fold (y + dy, picture->height));
    for (int x = 0; x < n; x++) {
      least[x + 1] = dy > -1 && least[x + 1] < row[x] ? least[x + 1] : row[x];
      most[x + 1] = dy > -1 && most[x + 1] > row[x] ? most[x + 1] : row[x];
    }
  }
  least[0] = least[1 + odl_border_fold (-1, n)];
  most[0] = most[1 + odl_border_fold (-1, n)];
  least[n + 1] = least[1 + odl_border_fold (n, n)];
  most[n + 1] = most[1 + odl_border_fold (n, n)];
}

void
odl_cpu_limit_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int n = work->out->width;
  const float tolerance = (float) work->step->parameters.tolerance;
  g_autofree float *least = g_new (float, 2 * ((size_t) n + 2));
  float *most = least + n + 2;

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);
    range_of_columns (work->in[1], channel, y, least, most);
    for (int x = 0; x < n; x++) {
      const float a = MIN (MIN (least[x], least[x + 1]), least[x + 2]);
      const float b = MAX (MAX (most[x], most[x + 1]), most[x + 2]);
      const float more = tolerance * (b - a);
      out[x] = MIN (MAX (f[x], a - more), b + more);
    }
  }
}
