// SPDX-License-Identifier: MIT
#include "image/morphon/morphon3.h"

#include <float.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/morphon/fields.h"

// The responses of the six quadrature filters of a volume, all at once: even parts are
// symmetric about the middle and odd ones antisymmetric, so that two samples that face
// each other are added, and subtracted, once for all filters.

#define ODL_RESPONSES3 (2 * ODL_MORPHON3_FILTERS)
// Responses are made by so many samples.
#define ODL_RESPONSES3_LANES 4

typedef struct {
  OdlField padded; // the volume with its mirrored borders
  int width, pairs;
  ptrdiff_t *offsets; // of the first of two samples that face each other, from the middle
  float *taps; // of each pair: of the even parts, then of the odd ones
} OdlResponses3;

#define FILTERS ODL_MORPHON3_FILTERS
#define LANES ODL_RESPONSES3_LANES

typedef float Lanes __attribute__ ((vector_size (sizeof (float) * LANES)));

static void
add_pair (OdlResponses3 *r, const OdlMorphon3 *m, int dx, int dy, int dz)
{
  const int side = m->side, radius = side / 2;
  const int *size = r->padded.size;
  const int at = ((dz + radius) * side + dy + radius) * side + dx + radius;
  const bool middle = dx == 0 && dy == 0 && dz == 0;
  float *taps = r->taps + (size_t) r->pairs * ODL_RESPONSES3;

  // What lies after the middle in the kernel meets what lies before it in the volume.
  r->offsets[r->pairs++] = -(((ptrdiff_t) dz * size[1] + dy) * size[0] + dx);
  for (int k = 0; k < FILTERS; k++) {
    taps[k] = m->even[k][at] * (middle ? 0.5f : 1);
    taps[FILTERS + k] = m->odd[k][at];
  }
}

// False: there is not enough memory. In both cases for odl_responses3_clear.
static bool
odl_responses3_init (OdlResponses3 *r, const OdlMorphon3 *m, const OdlField *volume)
{
  const int radius = m->side / 2, most = m->side * m->side * m->side;

  *r = (OdlResponses3){ .padded = odl_field_pad (volume, radius, LANES - 1),
                        .width = volume->size[0],
                        .offsets = g_new (ptrdiff_t, most),
                        .taps = g_new (float, (size_t) most *ODL_RESPONSES3) };
  if (r->padded.at == NULL)
    return false;
  add_pair (r, m, 0, 0, 0);
  for (int i = most / 2 + 1; i < most; i++)
    add_pair (r, m, i % m->side - radius, i / m->side % m->side - radius,
              i / m->side / m->side - radius);
  return true;
}

static void
odl_responses3_clear (OdlResponses3 *r)
{
  odl_field_clear (&r->padded);
  g_clear_pointer (&r->offsets, g_free);
  g_clear_pointer (&r->taps, g_free);
}

static Lanes
load (const float *from)
{
  Lanes lanes;

  memcpy (&lanes, from, sizeof lanes);
  return lanes;
}

static void
respond (const OdlResponses3 *r, const float *middle, float *const *rows, int x)
{
  const float *taps = r->taps;
  Lanes even[FILTERS] = { { 0 } }, odd[FILTERS] = { { 0 } };

  for (int i = 0; i < r->pairs; i++, taps += ODL_RESPONSES3) {
    const Lanes one = load (middle + r->offsets[i]);
    const Lanes other = load (middle - r->offsets[i]);
    const Lanes sum = one + other, difference = one - other;
#pragma GCC unroll 6
    for (int k = 0; k < FILTERS; k++) {
      even[k] += taps[k] * sum;
      odd[k] += taps[FILTERS + k] * difference;
    }
  }
  for (int k = 0; k < FILTERS; k++) {
    memcpy (rows[k] + x, &even[k], sizeof even[k]);
    memcpy (rows[FILTERS + k] + x, &odd[k], sizeof odd[k]);
  }
}

// Those of row y of slice z: `rows` are those of even parts, then of odd ones, each with
// room for `width` samples rounded up to lanes. Any thread.
static void
odl_responses3_row (const OdlResponses3 *r, int y, int z, float *const *rows)
{
  const int *size = r->padded.size;
  const int radius = (size[0] - r->width - (LANES - 1)) / 2;
  const float *middle
      = r->padded.at + ((size_t) (z + radius) * size[1] + (size_t) (y + radius)) * size[0]
        + radius;

  for (int x = 0; x < r->width; x += LANES)
    respond (r, middle + x, rows, x);
}

// Along an axis that is not halved any more.
#define LEAST_SAMPLES 12

enum { XX, YY, ZZ, XY, XZ, YZ, HX, HY, HZ, N_SUMS };

// One scale.
typedef struct {
  const OdlMorphon3 *morphon;
  OdlField moving, reference; // both are there, or neither
  OdlField fields[ODL_RESPONSES3 + 2 + N_SUMS]; // what follows
  OdlField *responses; // of the reference
  OdlField *warped, *room, *sums;
  double done, part; // of all work, before an iteration and of it
  int rows; // of the iteration, done by all threads
} Scale;

// A row of an iteration was done. False: give up.
static bool
tell (Scale *scale)
{
  const int *size = scale->reference.size;
  const int rows = g_atomic_int_add (&scale->rows, 1) + 1;

  return odl_progress_tell (scale->morphon->progress,
                            scale->done + scale->part * rows / (size[1] * size[2]));
}

// ---- Interpolation ----

void
odl_morphon3_warp_row (const float *volume,
                       const int size[3],
                       const float *const d[3],
                       int y,
                       int z,
                       float *row)
{
  const size_t begin = ((size_t) z * size[1] + (size_t) y) * (size_t) size[0];

  for (int x = 0; x < size[0]; x++) {
    const int here[3] = { x, y, z };
    float weights[3][4], sum = 0;
    int first[3];
    for (int axis = 0; axis < 3; axis++) {
      const float place
          = CLAMP ((float) here[axis] + d[axis][begin + x], 0, (float) (size[axis] - 1));
      first[axis] = (int) place - 1;
      odl_morphon_cubic (place - (float) (int) place, weights[axis]);
    }
    for (int k = 0; k < 4; k++) {
      const size_t slice = (size_t) CLAMP (first[2] + k, 0, size[2] - 1) * size[1];
      for (int j = 0; j < 4; j++) {
        const float *line
            = volume + (slice + CLAMP (first[1] + j, 0, size[1] - 1)) * (size_t) size[0];
        float part = 0;
        for (int i = 0; i < 4; i++)
          part += weights[0][i] * line[CLAMP (first[0] + i, 0, size[0] - 1)];
        sum += weights[2][k] * weights[1][j] * part;
      }
    }
    row[x] = sum;
  }
}

// ---- Equations ----

static bool
filter_reference (Scale *scale)
{
  const int *size = scale->reference.size;
  const int room = size[0] + ODL_RESPONSES3_LANES;
  OdlResponses3 responses;
  const bool done = odl_responses3_init (&responses, scale->morphon, &scale->reference);

  if (done) {
    ODL_PARALLEL_FOR
    for (int r = 0; r < size[1] * size[2]; r++) {
      g_autofree float *lines = g_new (float, (size_t) room *ODL_RESPONSES3);
      float *rows[ODL_RESPONSES3];
      for (int k = 0; k < ODL_RESPONSES3; k++)
        rows[k] = lines + (size_t) k * room;
      odl_responses3_row (&responses, r % size[1], r / size[1], rows);
      for (int k = 0; k < ODL_RESPONSES3; k++)
        memcpy (scale->responses[k].at + (size_t) r * size[0], rows[k],
                sizeof (float) * (size_t) size[0]);
    }
  }
  odl_responses3_clear (&responses);
  return done;
}

// Of one filter at sample `at`, added to `sums`. `re` and `im` are the response of the
// deformed volume.
static void
add_equation (const Scale *scale,
              int k,
              size_t at,
              float re,
              float im,
              float sums[N_SUMS])
{
  const float *even = scale->responses[k].at + at;
  const float *odd = scale->responses[FILTERS + k].at + at;
  const int *size = scale->reference.size;
  const ptrdiff_t steps[3] = { 1, size[0], (ptrdiff_t) size[0] * size[1] };
  const float a = *even, b = *odd;
  const float power = a * a + b * b, other = re * re + im * im;
  float g[3], along = 0, square = 0;

  if (!(power > 0) || !(other > 0))
    return;
  for (int i = 0; i < 3; i++) {
    const ptrdiff_t s = steps[i];
    g[i] = (a * (odd[s] - odd[-s]) - b * (even[s] - even[-s])) / (2 * power);
    along += g[i] * (float) scale->morphon->directions[k][i];
    square += g[i] * g[i];
  }
  float phase;
  const float c = odl_morphon_certainty (a, b, re, im, along, sqrtf (square), &phase);
  if (!(c > 0))
    return;
  sums[XX] += c * g[0] * g[0];
  sums[YY] += c * g[1] * g[1];
  sums[ZZ] += c * g[2] * g[2];
  sums[XY] += c * g[0] * g[1];
  sums[XZ] += c * g[0] * g[2];
  sums[YZ] += c * g[1] * g[2];
  for (int i = 0; i < 3; i++)
    sums[HX + i] += c * g[i] * phase;
}

// Of a row that is not at the border. `rows` are the responses of the deformed volume.
static void
add_row (Scale *scale, size_t begin, float *const *rows)
{
  const int width = scale->reference.size[0];

  for (int x = 1; x < width - 1; x++) {
    float sums[N_SUMS] = { 0 };
    for (int k = 0; k < FILTERS; k++)
      add_equation (scale, k, begin + (size_t) x, rows[k][x], rows[FILTERS + k][x], sums);
    for (int s = 0; s < N_SUMS; s++)
      scale->sums[s].at[begin + (size_t) x] = sums[s];
  }
}

static bool
gather_equations (Scale *scale)
{
  const int *size = scale->warped->size;
  const int room = size[0] + ODL_RESPONSES3_LANES;
  OdlResponses3 responses;
  bool done = odl_responses3_init (&responses, scale->morphon, scale->warped);

  for (int s = 0; s < N_SUMS; s++)
    memset (scale->sums[s].at, 0, sizeof (float) * odl_field_count (&scale->sums[s]));
  if (done) {
    ODL_PARALLEL_FOR
    for (int r = 0; r < size[1] * size[2]; r++) {
      const int y = r % size[1], z = r / size[1];
      if (!tell (scale) || y == 0 || z == 0 || y == size[1] - 1 || z == size[2] - 1)
        continue;
      g_autofree float *lines = g_new (float, (size_t) room *ODL_RESPONSES3);
      float *rows[ODL_RESPONSES3];
      for (int k = 0; k < ODL_RESPONSES3; k++)
        rows[k] = lines + (size_t) k * room;
      odl_responses3_row (&responses, y, z, rows);
      add_row (scale, (size_t) r * size[0], rows);
    }
    done = !odl_progress_stopped (scale->morphon->progress);
  }
  odl_responses3_clear (&responses);
  return done;
}

static double
mean_trace (const Scale *scale)
{
  const size_t n = odl_field_count (scale->warped);
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += (double) scale->sums[XX].at[i] + (double) scale->sums[YY].at[i]
           + (double) scale->sums[ZZ].at[i];
  return sum / (double) n;
}

// Leaves the certainty, with the doubt, in XX.
static void
solve (Scale *scale, OdlField d[3])
{
  const int64_t n = (int64_t) odl_field_count (&d[0]);
  const float doubt = (float) (ODL_MORPHON_DOUBT * mean_trace (scale));
  OdlField *sums = scale->sums;

  ODL_PARALLEL_FOR
  for (int64_t i = 0; i < n; i++) {
    const float trace = sums[XX].at[i] + sums[YY].at[i] + sums[ZZ].at[i] + 3 * doubt;
    // Of faint structures the determinant, a product of three certainties, would be 0.
    const float by = trace > FLT_MIN ? 1 / trace : 0;
    const float xx = by * (sums[XX].at[i] + doubt), yy = by * (sums[YY].at[i] + doubt);
    const float zz = by * (sums[ZZ].at[i] + doubt);
    const float xy = by * sums[XY].at[i], xz = by * sums[XZ].at[i];
    const float yz = by * sums[YZ].at[i];
    const float hx = by * sums[HX].at[i], hy = by * sums[HY].at[i];
    const float hz = by * sums[HZ].at[i];
    // The adjugate.
    const float axx = yy * zz - yz * yz, axy = xz * yz - xy * zz, axz = xy * yz - xz * yy;
    const float ayy = xx * zz - xz * xz, ayz = xy * xz - xx * yz, azz = xx * yy - xy * xy;
    const float determinant = xx * axx + xy * axy + xz * axz;
    float e[3] = { axx * hx + axy * hy + axz * hz, axy * hx + ayy * hy + ayz * hz,
                   axz * hx + ayz * hy + azz * hz };
    for (int axis = 0; axis < 3; axis++)
      e[axis] = determinant > 0 ? e[axis] / determinant : 0;
    const float length = sqrtf (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    const float most = ODL_MORPHON_MOST_MOVE;
    const float share = length > most ? most / length : 1;
    for (int axis = 0; axis < 3; axis++)
      d[axis].at[i] -= share * e[axis];
    sums[XX].at[i] = trace;
  }
}

static bool
iterate (Scale *scale, OdlField d[3])
{
  const OdlMorphon3 *m = scale->morphon;
  const int *size = scale->moving.size;
  const float *const where[3] = { d[0].at, d[1].at, d[2].at };

  ODL_PARALLEL_FOR
  for (int r = 0; r < size[1] * size[2]; r++)
    odl_morphon3_warp_row (scale->moving.at, size, where, r % size[1], r / size[1],
                           scale->warped->at + (size_t) r * size[0]);
  scale->rows = 0;
  if (!gather_equations (scale))
    return false;
  scale->done += scale->part;
  for (int s = 0; s < N_SUMS; s++)
    odl_field_smooth (&scale->sums[s], m->smoothing, scale->room);
  solve (scale, d);
  odl_fields_smooth_weighted (d, 3, &scale->sums[XX],
                              ODL_MORPHON_SUM_SMOOTHING * m->smoothing, scale->room);
  return true;
}

// ---- Scales ----

// `part` of all work is an iteration, before which *told is done.
static bool
refine (const OdlMorphon3 *morphon,
        const OdlField *moving,
        const OdlField *reference,
        double part,
        double *told,
        OdlField d[3])
{
  Scale scale = { .morphon = morphon,
                  .moving = *moving,
                  .reference = *reference,
                  .done = *told,
                  .part = part };
  bool done = true;

  scale.responses = scale.fields;
  scale.warped = scale.responses + ODL_RESPONSES3;
  scale.room = scale.warped + 1;
  scale.sums = scale.room + 1;

  for (int axis = 0; done && axis < 3; axis++)
    done = odl_field_grow (&d[axis], axis, moving->size);
  done = done && odl_fields_make (scale.fields, G_N_ELEMENTS (scale.fields), moving->size)
         && filter_reference (&scale);
  for (int i = 0; done && i < morphon->iterations; i++)
    done = iterate (&scale, d);
  *told = scale.done;
  odl_fields_clear (scale.fields, G_N_ELEMENTS (scale.fields));
  return done;
}

bool
odl_morphon3_find (const OdlMorphon3 *m, float *const out[3])
{
  const int *size = m->size;
  OdlField moving[ODL_MORPHON_MOST_SCALES] = { 0 };
  OdlField reference[ODL_MORPHON_MOST_SCALES] = { 0 };
  OdlField d[3] = { 0 };
  bool failed = false;
  int n = 1;

  // The finest volumes are the caller's, which are only read.
  moving[0] = (OdlField){ { size[0], size[1], size[2] }, (float *) m->moving };
  reference[0] = (OdlField){ { size[0], size[1], size[2] }, (float *) m->reference };
  while (n < MIN (m->scales, ODL_MORPHON_MOST_SCALES)
         && odl_field_halve (&moving[n - 1], LEAST_SAMPLES, &moving[n], &failed)) {
    n++;
    if (!odl_field_halve (&reference[n - 2], LEAST_SAMPLES, &reference[n - 1], &failed))
      break;
  }
  bool done = !failed;
  double samples = 0, told = 0;
  for (int i = 0; i < n; i++)
    samples += (double) odl_field_count (&moving[i]) * m->iterations;
  for (int i = n - 1; done && i >= 0; i--)
    done = refine (m, &moving[i], &reference[i],
                   (double) odl_field_count (&moving[i]) / samples, &told, d);
  for (int i = 1; i < n; i++) {
    odl_field_clear (&moving[i]);
    odl_field_clear (&reference[i]);
  }
  odl_fields_hand_over (d, 3, done, odl_field_count (&moving[0]), out);
  return done;
}
