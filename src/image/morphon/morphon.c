// SPDX-License-Identifier: MIT
#include "image/morphon/morphon.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/morphon/fields.h"

#define MOST_SIDE 17
// A scale has at least so many times the side of the filters along each axis.
#define LEAST_SIDES 2

enum { XX, XY, YY, HX, HY, N_SUMS };

// One scale.
typedef struct {
  const OdlMorphon *morphon;
  OdlField moving, reference; // both are there, or neither
  OdlField fields[2 * ODL_MORPHON_FILTERS + 2 + N_SUMS]; // what follows
  OdlField *even, *odd; // responses of the reference
  OdlField *warped, *room, *sums;
} Scale;

// ---- Interpolation ----

void
odl_morphon_warp_row (const float *picture,
                      size_t pitch,
                      int width,
                      int height,
                      const float *dx,
                      const float *dy,
                      int y,
                      float *row)
{
  const size_t begin = (size_t) y * (size_t) width;

  for (int x = 0; x < width; x++) {
    const float px = CLAMP ((float) x + dx[begin + x], 0, (float) (width - 1));
    const float py = CLAMP ((float) y + dy[begin + x], 0, (float) (height - 1));
    const int ix = (int) px, iy = (int) py;
    float across[4], down[4], sum = 0;
    odl_morphon_cubic (px - (float) ix, across);
    odl_morphon_cubic (py - (float) iy, down);
    for (int j = 0; j < 4; j++) {
      const float *line = picture + (size_t) CLAMP (iy + j - 1, 0, height - 1) * pitch;
      float part = 0;
      for (int i = 0; i < 4; i++)
        part += across[i] * line[CLAMP (ix + i - 1, 0, width - 1)];
      sum += down[j] * part;
    }
    row[x] = sum;
  }
}

// ---- Quadrature filters ----

// Lines about row y, each with `radius` mirrored samples on both sides.
static void
gather_lines (const OdlField *field, int y, int side, float *lines, size_t pitch)
{
  const int radius = side / 2;

  for (int j = 0; j < side; j++) {
    const float *row
        = field->at
          + (size_t) odl_field_fold (y + j - radius, field->size[1]) * field->size[0];
    float *line = lines + (size_t) j * pitch;
    memcpy (line + radius, row, sizeof *row * (size_t) field->size[0]);
    for (int i = 1; i <= radius; i++) {
      line[radius - i] = row[odl_field_fold (-i, field->size[0])];
      line[radius + field->size[0] - 1 + i]
          = row[odl_field_fold (field->size[0] - 1 + i, field->size[0])];
    }
  }
}

static void
filter_row (const float *lines,
            size_t pitch,
            int width,
            const float *kernel,
            int side,
            float *row)
{
  memset (row, 0, sizeof *row * (size_t) width);
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++) {
      const float tap = kernel[(side - 1 - j) * side + side - 1 - i];
      const float *from = lines + (size_t) j * pitch + i;
      for (int x = 0; x < width; x++)
        row[x] += tap * from[x];
    }
}

static void
filter_reference (Scale *scale)
{
  const OdlMorphon *m = scale->morphon;
  const int width = scale->reference.size[0];
  const size_t pitch = (size_t) width + MOST_SIDE;

  ODL_PARALLEL_FOR
  for (int y = 0; y < scale->reference.size[1]; y++) {
    g_autofree float *lines = g_new (float, pitch *MOST_SIDE);
    gather_lines (&scale->reference, y, m->side, lines, pitch);
    for (int k = 0; k < ODL_MORPHON_FILTERS; k++) {
      const size_t begin = (size_t) y * width;
      filter_row (lines, pitch, width, m->even[k], m->side, scale->even[k].at + begin);
      filter_row (lines, pitch, width, m->odd[k], m->side, scale->odd[k].at + begin);
    }
  }
}

// ---- Equations ----

// Of one filter at one sample, added to `sums`. `re` and `im` are the response of the
// deformed picture.
static void
add_equation (const Scale *scale,
              int k,
              int x,
              int y,
              float re,
              float im,
              float sums[N_SUMS])
{
  const OdlField *even = &scale->even[k], *odd = &scale->odd[k];
  const int w = even->size[0], h = even->size[1];
  const size_t at = (size_t) y * w + x;
  const size_t left = at - (x > 0), right = at + (x < w - 1);
  const size_t up = at - (size_t) (y > 0 ? w : 0);
  const size_t down = at + (size_t) (y < h - 1 ? w : 0);
  const float a = even->at[at], b = odd->at[at];
  const float power = a * a + b * b, other = re * re + im * im;

  if (!(power > 0) || !(other > 0) || x == 0 || y == 0 || x == w - 1 || y == h - 1)
    return;
  const float gx
      = (a * (odd->at[right] - odd->at[left]) - b * (even->at[right] - even->at[left]))
        / (2 * power);
  const float gy
      = (a * (odd->at[down] - odd->at[up]) - b * (even->at[down] - even->at[up]))
        / (2 * power);
  const float along = gx * (float) scale->morphon->directions[k][0]
                      + gy * (float) scale->morphon->directions[k][1];
  float phase;
  const float c = odl_morphon_certainty (a, b, re, im, along, hypotf (gx, gy), &phase);
  if (!(c > 0))
    return;
  sums[XX] += c * gx * gx;
  sums[XY] += c * gx * gy;
  sums[YY] += c * gy * gy;
  sums[HX] += c * gx * phase;
  sums[HY] += c * gy * phase;
}

static void
gather_equations (Scale *scale)
{
  const OdlMorphon *m = scale->morphon;
  const int width = scale->warped->size[0];
  const size_t pitch = (size_t) width + MOST_SIDE;

  ODL_PARALLEL_FOR
  for (int y = 0; y < scale->warped->size[1]; y++) {
    g_autofree float *lines = g_new (float, pitch *MOST_SIDE);
    g_autofree float *re = g_new (float, 2 * (size_t) width);
    float *im = re + width;
    gather_lines (scale->warped, y, m->side, lines, pitch);
    for (int s = 0; s < N_SUMS; s++)
      memset (scale->sums[s].at + (size_t) y * width, 0, sizeof (float) * (size_t) width);
    for (int k = 0; k < ODL_MORPHON_FILTERS; k++) {
      filter_row (lines, pitch, width, m->even[k], m->side, re);
      filter_row (lines, pitch, width, m->odd[k], m->side, im);
      for (int x = 0; x < width; x++) {
        float sums[N_SUMS] = { 0 };
        add_equation (scale, k, x, y, re[x], im[x], sums);
        for (int s = 0; s < N_SUMS; s++)
          scale->sums[s].at[(size_t) y * width + x] += sums[s];
      }
    }
  }
}

static double
mean_of (const OdlField *a, const OdlField *b)
{
  const size_t n = odl_field_count (a);
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += (double) a->at[i] + (double) b->at[i];
  return sum / (double) n;
}

// Leaves the certainty, with the doubt, in XX.
static void
solve (Scale *scale, OdlField *dx, OdlField *dy)
{
  const size_t n = odl_field_count (dx);
  const float doubt
      = (float) (ODL_MORPHON_DOUBT * mean_of (&scale->sums[XX], &scale->sums[YY]));
  OdlField *sums = scale->sums;

  ODL_PARALLEL_FOR
  for (size_t i = 0; i < n; i++) {
    const float xx = sums[XX].at[i] + doubt, yy = sums[YY].at[i] + doubt;
    const float xy = sums[XY].at[i], hx = sums[HX].at[i], hy = sums[HY].at[i];
    const float determinant = xx * yy - xy * xy;
    float ex = determinant > 0 ? (yy * hx - xy * hy) / determinant : 0;
    float ey = determinant > 0 ? (xx * hy - xy * hx) / determinant : 0;
    const float length = hypotf (ex, ey);
    if (length > ODL_MORPHON_MOST_MOVE) {
      ex *= ODL_MORPHON_MOST_MOVE / length;
      ey *= ODL_MORPHON_MOST_MOVE / length;
    }
    dx->at[i] -= ex;
    dy->at[i] -= ey;
    sums[XX].at[i] = xx + yy;
  }
}

static void
iterate (Scale *scale, OdlField d[2])
{
  const OdlMorphon *m = scale->morphon;
  OdlField *dx = &d[0], *dy = &d[1];

  ODL_PARALLEL_FOR
  for (int y = 0; y < dx->size[1]; y++)
    odl_morphon_warp_row (scale->moving.at, (size_t) dx->size[0], dx->size[0],
                          dx->size[1], dx->at, dy->at, y,
                          scale->warped->at + (size_t) y * dx->size[0]);
  gather_equations (scale);
  for (int s = 0; s < N_SUMS; s++)
    odl_field_smooth (&scale->sums[s], m->smoothing, scale->room);
  solve (scale, dx, dy);
  odl_fields_smooth_weighted (d, 2, &scale->sums[XX],
                              ODL_MORPHON_SUM_SMOOTHING * m->smoothing, scale->room);
}

// ---- Scales ----

// Displacements at one scale, from those of the coarser one, which are doubled.
static bool
refine (const OdlMorphon *morphon,
        const OdlField *moving,
        const OdlField *reference,
        int weight,
        int total,
        OdlField d[2])
{
  Scale scale = { .morphon = morphon, .moving = *moving, .reference = *reference };
  bool done = true;

  scale.even = scale.fields;
  scale.odd = scale.even + ODL_MORPHON_FILTERS;
  scale.warped = scale.odd + ODL_MORPHON_FILTERS;
  scale.room = scale.warped + 1;
  scale.sums = scale.room + 1;

  for (int axis = 0; done && axis < 2; axis++)
    done = odl_field_grow (&d[axis], axis, moving->size);
  done
      = done && odl_fields_make (scale.fields, G_N_ELEMENTS (scale.fields), moving->size);
  if (done) {
    filter_reference (&scale);
    bool goes_on = true;
    for (int i = 0; i < morphon->iterations && goes_on; i++) {
      iterate (&scale, d);
      goes_on = odl_progress_count (morphon->progress, weight, total);
    }
  }
  odl_fields_clear (scale.fields, G_N_ELEMENTS (scale.fields));
  return done;
}

static int
count_scales (const OdlMorphon *morphon)
{
  const int least = LEAST_SIDES * morphon->side;
  int n = 1;

  while (n < MIN (morphon->scales, ODL_MORPHON_MOST_SCALES)
         && MIN (morphon->width, morphon->height) >> n >= least)
    n++;
  return n;
}

bool
odl_morphon_find (const OdlMorphon *morphon, float *dx, float *dy)
{
  const int n = count_scales (morphon);
  const size_t size = (size_t) morphon->width * (size_t) morphon->height;
  OdlField moving[ODL_MORPHON_MOST_SCALES] = { 0 },
           reference[ODL_MORPHON_MOST_SCALES] = { 0 };
  OdlField d[2] = { 0 };
  // Each scale has four times the samples of the next coarser one.
  const int total
      = ((1 << 2 * n) - 1) / 3 * morphon->iterations * MAX (morphon->pictures, 1);
  bool done = morphon->side <= MOST_SIDE, failed = false;

  // The finest pictures are the caller's, which are only read.
  moving[0]
      = (OdlField){ { morphon->width, morphon->height, 1 }, (float *) morphon->moving };
  reference[0] = (OdlField){ { morphon->width, morphon->height, 1 },
                             (float *) morphon->reference };
  for (int i = 1; done && i < n; i++)
    done = odl_field_halve (&moving[i - 1], 2, &moving[i], &failed)
           && odl_field_halve (&reference[i - 1], 2, &reference[i], &failed);
  for (int i = n - 1; done && i >= 0; i--)
    done = refine (morphon, &moving[i], &reference[i], 1 << 2 * (n - 1 - i), total, d);
  for (int i = 1; i < n; i++) {
    odl_field_clear (&moving[i]);
    odl_field_clear (&reference[i]);
  }
  float *const out[2] = { dx, dy };
  odl_fields_hand_over (d, 2, done, size, out);
  return done;
}
