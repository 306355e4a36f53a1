// SPDX-License-Identifier: MIT
// Places are found in double precision, since a row is a small part of the depth, for
// some columns at a time; then the samples about them are gathered.
#include <math.h>

#include "engine/cpu/steps/work.h"
#include "plan/scan.h"

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

static void
find_on_circle (const double *v, double y_mm, int from, int n, Places *places)
{
  for (int i = 0; i < n; i++) {
    const double x_mm = v[ODL_SCAN_LEFT] + v[ODL_SCAN_PIXEL] * (from + i);
    places->column[i]
        = (angle_of (x_mm, y_mm) - v[ODL_SCAN_FIRST]) * (1 / v[ODL_SCAN_COLUMN_STEP]);
    places->row[i] = (sqrt (x_mm * x_mm + y_mm * y_mm) - v[ODL_SCAN_ORIGIN])
                     * (1 / v[ODL_SCAN_ROW_STEP]);
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

static void
find_samples (const OdlCpuPicture *in, int n, Places *restrict p)
{
  const double most_x = in->width - 1, most_y = in->height - 1;
  const int last_x = in->width - 2, last_y = in->height - 2;

  for (int i = 0; i < n; i++) {
    const double x = CLAMP (p->column[i], 0, most_x);
    const double y = CLAMP (p->row[i], 0, most_y);
    const double off_x = fabs (p->column[i] - x), off_y = fabs (p->row[i] - y);
    const int left = MIN ((int) x, last_x), top = MIN ((int) y, last_y);
    p->left[i] = left;
    p->top[i] = top;
    p->across[i] = (float) (x - left);
    p->down[i] = (float) (y - top);
    p->inside[i] = (off_x <= ODL_SCAN_EDGE) & (off_y <= ODL_SCAN_EDGE);
  }
}

static void
gather (const OdlCpuPicture *in, int channel, const Places *p, int n, float *out)
{
  const float *first = odl_cpu_row (in, channel, 0);

  for (int i = 0; i < n; i++) {
    const float *f = first + (size_t) p->top[i] * in->pitch + p->left[i];
    const float *below = f + in->pitch;
    const float u = p->across[i], above = f[0] + u * (f[1] - f[0]);
    const float under = below[0] + u * (below[1] - below[0]);
    out[i] = p->inside[i] ? above + p->down[i] * (under - above) : 0;
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
      = 2 + 8 * ODL_SCAN_EDGE * v[ODL_SCAN_COLUMN_STEP] * far / v[ODL_SCAN_PIXEL];
  *from = (int) CLAMP (left - more, 0, work->out->width);
  *to = (int) CLAMP (right + more, *from, work->out->width);
}

void
odl_cpu_scan_convert_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const double *values = work->step->parameters.values;
  const bool curved = work->step->rule == ODL_BEAMS_CURVILINEAR;
  const int width = work->out->width;
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
      if (curved)
        find_on_circle (values, y_mm, x, n, &places);
      else
        find_on_line (values, y_mm, x, n, &places);
      find_samples (work->in[0], n, &places);
      gather (work->in[0], channel, &places, n, out + x);
    }
  }
}
