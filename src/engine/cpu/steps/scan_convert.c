// SPDX-License-Identifier: MIT
// Places are found in double precision for some columns at a time, by arithmetic alone,
// so that the compiler makes vectors of it; then samples are gathered.
#include <math.h>

#include "engine/cpu/steps/work.h"
#include "plan/scan.h"

#define SPAN 128

// In columns and rows of the beams.
typedef struct {
  double column[SPAN], row[SPAN];
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
  const double less = fmin (across, along), more = fmax (across, along);
  const double t = less / fmax (more, 1e-300);
  const double part = t * share_of_arctangent (t);
  const double first = across > along ? M_PI_2 - part : part;

  return copysign (y < 0 ? M_PI - first : first, x);
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
gather (const OdlCpuPicture *in, int channel, const Places *places, int n, float *out)
{
  const double most_x = in->width - 1, most_y = in->height - 1;

  for (int i = 0; i < n; i++) {
    const double column = places->column[i], row = places->row[i];
    if (!(column >= -ODL_SCAN_EDGE && column <= most_x + ODL_SCAN_EDGE
          && row >= -ODL_SCAN_EDGE && row <= most_y + ODL_SCAN_EDGE)) {
      out[i] = 0;
      continue;
    }
    const double x = CLAMP (column, 0, most_x), y = CLAMP (row, 0, most_y);
    const int left = MIN ((int) x, in->width - 2), top = MIN ((int) y, in->height - 2);
    const float *f = odl_cpu_row (in, channel, top) + left, *below = f + in->pitch;
    const float u = (float) (x - left), v = (float) (y - top);
    const float above = f[0] + u * (f[1] - f[0]);
    out[i] = above + v * (below[0] + u * (below[1] - below[0]) - above);
  }
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

    for (int x = 0; x < width; x += SPAN) {
      const int n = MIN (SPAN, width - x);
      if (curved)
        find_on_circle (values, y_mm, x, n, &places);
      else
        find_on_line (values, y_mm, x, n, &places);
      gather (work->in[0], channel, &places, n, out + x);
    }
  }
}
