// SPDX-License-Identifier: MIT
// Places are found in double precision, since a row is a small part of the depth, for
// some columns at a time; then the samples about them are gathered.
#include <math.h>

#include "base/clones.h"
#include "engine/cpu/steps/work.h"
#include "plan/scan.h"

// Nobody looks at flags of the processor: both sides of a choice may be computed, which
// makes vectors of the loops.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-trapping-math")
#endif

#define SPAN 128

// Radians: angles up to this have a tangent that grows by less than 8 for each.
#define STEEP 1.2

// In columns and rows of the beams; then the sample at the left and above, and the shares
// of those at the right and below.
typedef struct {
  double column[SPAN], row[SPAN];
  int left[SPAN], top[SPAN];
  float across[SPAN], down[SPAN];
  int inside[SPAN];
} Places;

// arctan t / t of 0 ≤ t ≤ 1, within 2e-8: M. Abramowitz, I. Stegun, "Handbook of
// mathematical functions" (1964), 4.4.49.
static inline double
share_of_arctangent (double t)
{
  static const double terms[]
      = { -0.3333314528, 0.1999355085, -0.1420889944, 0.1065626393,
          -0.0752896400, 0.0429096138, -0.0161657367, 0.0028662257 };
  const double s = t * t;
  double sum = terms[7];

  for (int i = 6; i >= 0; i--)
    sum = sum * s + terms[i];
  return 1 + s * sum;
}

// The angle from the y axis.
static inline double
angle_of (double x, double y)
{
  const double across = fabs (x), along = fabs (y);
  const double less = MIN (across, along), more = MAX (across, along);
  const double t = less / MAX (more, 1e-300);
  const double part = t * share_of_arctangent (t);
  const double rest = M_PI_2 - part, first = across > along ? rest : part;
  const double back = M_PI - first;

  return copysign (y < 0 ? back : first, x);
}

ODL_ROW_LOOP
static void
find_on_circle (const double *v, double y_mm, int from, int n, Places *restrict places)
{
  const double left = v[ODL_SCAN_LEFT], pixel = v[ODL_SCAN_PIXEL];
  const double first = v[ODL_SCAN_FIRST], origin = v[ODL_SCAN_ORIGIN];
  const double per_column = 1 / v[ODL_SCAN_COLUMN_STEP];
  const double per_row = 1 / v[ODL_SCAN_ROW_STEP];

  for (int i = 0; i < n; i++) {
    const double x_mm = left + pixel * (from + i);
    places->column[i] = (angle_of (x_mm, y_mm) - first) * per_column;
    places->row[i] = (sqrt (x_mm * x_mm + y_mm * y_mm) - origin) * per_row;
  }
}

static void
find_on_line (const double *v, double y_mm, int from, int n, Places *places)
{
  const double begin = v[ODL_SCAN_LEFT] - y_mm * tan (v[ODL_SCAN_STEERING]);
  const double row
      = (y_mm / cos (v[ODL_SCAN_STEERING]) - v[ODL_SCAN_ORIGIN]) / v[ODL_SCAN_ROW_STEP];

  for (int i = 0; i < n; i++) {
    places->column[i] = (begin + v[ODL_SCAN_PIXEL] * (from + i) - v[ODL_SCAN_FIRST])
                        * (1 / v[ODL_SCAN_COLUMN_STEP]);
    places->row[i] = row;
  }
}

// The other way: places of samples of the beams in columns and rows of the picture.
static void
find_in_picture (const OdlStep *step, int row, int from, int n, Places *places)
{
  const double *v = step->parameters.values;
  const bool curved = step->rule - ODL_SCAN_BACK == ODL_BEAMS_CURVILINEAR;
  const double depth = v[ODL_SCAN_ORIGIN] + v[ODL_SCAN_ROW_STEP] * row;
  const double per_mm = 1 / v[ODL_SCAN_PIXEL];
  const double sine = sin (v[ODL_SCAN_STEERING]), cosine = cos (v[ODL_SCAN_STEERING]);

  for (int i = 0; i < n; i++) {
    const double at = v[ODL_SCAN_FIRST] + v[ODL_SCAN_COLUMN_STEP] * (from + i);
    const double x_mm = depth * (curved ? sin (at) : sine) + (curved ? 0 : at);
    const double y_mm = depth * (curved ? cos (at) : cosine);
    places->column[i] = (x_mm - v[ODL_SCAN_LEFT]) * per_mm;
    places->row[i] = (y_mm - v[ODL_SCAN_TOP]) * per_mm;
  }
}

ODL_ROW_LOOP
static void
find_samples (const OdlCpuPicture *in, int n, Places *restrict p)
{
  const double most_x = in->width - 1, most_y = in->height - 1;
  const int last_x = in->width - 2, last_y = in->height - 2;

  for (int i = 0; i < n; i++) {
    const double x = CLAMP (p->column[i], 0, most_x);
    const double y = CLAMP (p->row[i], 0, most_y);
    const double off_x = fabs (p->column[i] - x), off_y = fabs (p->row[i] - y);
    // No number, which steps as small as any make, is outside; its samples are read.
    const int left = MAX (MIN ((int) x, last_x), 0), top = MAX (MIN ((int) y, last_y), 0);
    p->left[i] = left;
    p->top[i] = top;
    p->across[i] = (float) (x - left);
    p->down[i] = (float) (y - top);
    p->inside[i] = (off_x <= ODL_BEAM_PICTURE_EDGE) & (off_y <= ODL_BEAM_PICTURE_EDGE);
  }
}

ODL_ROW_LOOP
static void
gather (const OdlCpuPicture *in,
        int channel,
        const Places *restrict p,
        int n,
        float *restrict out)
{
  const float *restrict first = odl_cpu_row (in, channel, 0);
  const size_t pitch = in->pitch;

  for (int i = 0; i < n; i++) {
    const float *f = first + (size_t) p->top[i] * pitch + p->left[i];
    const float *below = f + pitch;
    const float u = p->across[i], above = f[0] + u * (f[1] - f[0]);
    const float under = below[0] + u * (below[1] - below[0]);
    out[i] = above + p->down[i] * (under - above);
  }
  for (int i = 0; i < n; i++)
    out[i] = p->inside[i] ? out[i] : 0;
}

// Of ODL_SCAN_SINC neighbours of a place whose share of the way from the fourth to the
// fifth one is `share`: sinc (t) sinc (t / 4), by the sines of one distance.
static void
find_weights (double share, float *weights)
{
  // Of π k / 4, k = −3 … 4.
  static const double sines[ODL_SCAN_SINC]
      = { -G_SQRT2 / 2, -1, -G_SQRT2 / 2, 0, G_SQRT2 / 2, 1, G_SQRT2 / 2, 0 };
  static const double cosines[ODL_SCAN_SINC]
      = { -G_SQRT2 / 2, 0, G_SQRT2 / 2, 1, G_SQRT2 / 2, 0, -G_SQRT2 / 2, -1 };
  const double sine = sin (G_PI * share);
  const double slow = sin (G_PI / 4 * share), slow_cosine = cos (G_PI / 4 * share);
  double all[ODL_SCAN_SINC], sum = 0;

  for (int i = 0; i < ODL_SCAN_SINC; i++) {
    const double t = share - (i - 3);
    const double turned = i % 2 != 0 ? sine : -sine;
    all[i] = fabs (t) < 1e-8
                 ? 1
                 : turned * (slow * cosines[i] - slow_cosine * sines[i]) / (t * t);
    if (fabs (t) >= 1e-8)
      all[i] *= 4 / (G_PI * G_PI);
    sum += all[i];
  }
  for (int i = 0; i < ODL_SCAN_SINC; i++)
    weights[i] = (float) (all[i] / sum);
}

// Weights of PHASES + 1 shares from 0 to 1; between them they are linear within 2e-6.
#define PHASES 1024

static float *
make_table (void)
{
  float *table = g_new (float, (PHASES + 1) * ODL_SCAN_SINC);

  for (int i = 0; i <= PHASES; i++)
    find_weights ((double) i / PHASES, table + (size_t) i * ODL_SCAN_SINC);
  return table;
}

static void
look_up (const float *table, float share, float *restrict weights)
{
  const float place = share * PHASES;
  const int phase = MIN ((int) place, PHASES - 1);
  const float *f = table + (size_t) phase * ODL_SCAN_SINC, *next = f + ODL_SCAN_SINC;
  const float between = place - (float) phase;

  for (int i = 0; i < ODL_SCAN_SINC; i++)
    weights[i] = f[i] + between * (next[i] - f[i]);
}

// The sum of samples about a place; `row`: of the first of them, eight side by side.
static float
weigh (const float *row, size_t pitch, const float *across, const float *down)
{
  float sums[ODL_SCAN_SINC] = { 0 }, sum = 0;

  for (int k = 0; k < ODL_SCAN_SINC; k++, row += pitch)
    for (int x = 0; x < ODL_SCAN_SINC; x++)
      sums[x] += down[k] * row[x];
  for (int x = 0; x < ODL_SCAN_SINC; x++)
    sum += across[x] * sums[x];
  return sum;
}

static void
gather_sinc (const OdlCpuPicture *in,
             int channel,
             const float *table,
             const Places *p,
             int n,
             float *out)
{
  float across[ODL_SCAN_SINC], down[ODL_SCAN_SINC];
  float near[ODL_SCAN_SINC * ODL_SCAN_SINC]; // about a place at the border

  for (int i = 0; i < n; i++) {
    const int left = p->left[i] - 3, top = p->top[i] - 3;
    if (!p->inside[i]) {
      out[i] = 0;
      continue;
    }
    look_up (table, p->across[i], across);
    look_up (table, p->down[i], down);
    if (left >= 0 && top >= 0 && left + ODL_SCAN_SINC <= in->width
        && top + ODL_SCAN_SINC <= in->height) {
      out[i] = weigh (odl_cpu_row (in, channel, top) + left, in->pitch, across, down);
      continue;
    }
    for (int k = 0; k < ODL_SCAN_SINC; k++) {
      const float *row = odl_cpu_row (in, channel, CLAMP (top + k, 0, in->height - 1));
      for (int x = 0; x < ODL_SCAN_SINC; x++)
        near[k * ODL_SCAN_SINC + x] = row[CLAMP (left + x, 0, in->width - 1)];
    }
    out[i] = weigh (near, ODL_SCAN_SINC, across, down);
  }
}

// Columns from … to − 1 of a row may lie in the sector: those between the outermost
// beams, as far as all of these lead down, and within the last samples' arc.
static void
bound (const OdlCpuWork *work, double y_mm, int *from, int *to)
{
  const double *v = work->step->parameters.values;
  const double last
      = v[ODL_SCAN_FIRST] + v[ODL_SCAN_COLUMN_STEP] * (work->in[0]->width - 1);
  const double far = v[ODL_SCAN_ORIGIN] + v[ODL_SCAN_ROW_STEP] * work->in[0]->height;
  const double half = far > fabs (y_mm) ? sqrt (far * far - y_mm * y_mm) : 0;
  double left = -half, right = half;

  if (v[ODL_SCAN_FIRST] > -STEEP && last < STEEP) {
    left = MAX (left, y_mm > 0 ? y_mm * tan (v[ODL_SCAN_FIRST]) : 0);
    right = MIN (right, y_mm > 0 ? y_mm * tan (last) : 0);
  }
  // Some more, for what counts as on the outermost samples.
  left = (left - v[ODL_SCAN_LEFT]) / v[ODL_SCAN_PIXEL];
  right = (right - v[ODL_SCAN_LEFT]) / v[ODL_SCAN_PIXEL];
  const double more
      = 2 + 8 * ODL_BEAM_PICTURE_EDGE * v[ODL_SCAN_COLUMN_STEP] * far / v[ODL_SCAN_PIXEL];
  *from = (int) CLAMP (left - more, 0, work->out->width);
  *to = (int) CLAMP (right + more, *from, work->out->width);
}

void
odl_cpu_scan_convert_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const double *values = work->step->parameters.values;
  const bool curved = work->step->rule == ODL_BEAMS_CURVILINEAR;
  const bool back = work->step->rule > ODL_SCAN_BACK;
  const int width = work->out->width;
  g_autofree float *table = work->step->side == ODL_SCAN_SINC ? make_table () : NULL;
  Places places;

  for (int y = from; y < to; y++) {
    const double y_mm = values[ODL_SCAN_TOP] + values[ODL_SCAN_PIXEL] * y;
    float *out = odl_cpu_row (work->out, channel, y);
    int first = 0, end = width;

    if (curved)
      bound (work, y_mm, &first, &end);
    memset (out, 0, width * sizeof *out);
    for (int x = first; x < end; x += SPAN) {
      const int n = MIN (SPAN, end - x);
      if (back)
        find_in_picture (work->step, y, x, n, &places);
      else if (curved)
        find_on_circle (values, y_mm, x, n, &places);
      else
        find_on_line (values, y_mm, x, n, &places);
      find_samples (work->in[0], n, &places);
      if (work->step->side == ODL_SCAN_SINC)
        gather_sinc (work->in[0], channel, table, &places, n, out + x);
      else
        gather (work->in[0], channel, &places, n, out + x);
    }
  }
}
