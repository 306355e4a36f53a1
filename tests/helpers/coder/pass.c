// SPDX-License-Identifier: MIT
#include "coder/pass.h"

#include <math.h>
#include <string.h>

#include "wavelet/border.h"

// Called with a constant number of lanes, which lets the compiler use vectors.
#define INLINE static inline __attribute__ ((always_inline))

// ---- coefficients
// ----------------------------------------------------------------------

// `gains` of the even and the odd places that the taps meet.
static OdlCoderTaps
scaled_taps (const OdlTaps *taps, int phase, double even, double odd)
{
  OdlCoderTaps scaled = { .first = taps->first + phase, .count = taps->count };

  g_assert (taps->count <= ODL_CODER_MOST_TAPS);
  for (int i = 0; i < taps->count; i++)
    scaled.value[i]
        = (float) (taps->value[i] * ((scaled.first + i) % 2 == 0 ? even : odd));
  return scaled;
}

OdlCoderPass
odl_coder_pass (const OdlCoderParams *params, bool forward)
{
  const OdlWavelet *wavelet = params->wavelet;
  const OdlLifting *lifting = &wavelet->lifting;
  OdlCoderPass pass = { .method = params->method,
                        .border = params->border,
                        .forward = forward,
                        .alone = (float) (forward ? sqrt (2) : sqrt (0.5)) };

  if (forward) {
    pass.taps[0] = scaled_taps (&wavelet->analysis_low, 0, sqrt (2), sqrt (2));
    pass.taps[1] = scaled_taps (&wavelet->analysis_high, 1, sqrt (0.5), sqrt (0.5));
  } else {
    pass.taps[0] = scaled_taps (&wavelet->synthesis_even, 0, sqrt (0.5), sqrt (2));
    pass.taps[1] = scaled_taps (&wavelet->synthesis_odd, 1, sqrt (0.5), sqrt (2));
  }
  for (int i = 0; i < lifting->count; i++)
    pass.step[i] = (float) lifting->step[i];
  if (pass.method == ODL_CODER_FILTERING) {
    for (int phase = 0; phase < 2; phase++) {
      const OdlCoderTaps *taps = &pass.taps[phase];
      pass.before = MIN (pass.before, taps->first);
      pass.after = MAX (pass.after, taps->first + taps->count - 1);
    }
  } else {
    const double low = lifting->low_gain * sqrt (2);
    const double high = lifting->high_gain * sqrt (0.5);
    // The way back undoes what the way there does in single precision.
    pass.gain[0] = (float) (forward ? low : 1 / (double) (float) low);
    pass.gain[1] = (float) (forward ? high : 1 / (double) (float) high);
    pass.before = -4;
    pass.after = forward ? 4 : 5;
  }
  // A line of odd length has one pair more than high coefficients.
  pass.reach = MAX (-pass.before, pass.after) + 1;
  return pass;
}

void
odl_coder_pass_alone (OdlCoderPass *pass)
{
  pass->taps[0] = (OdlCoderTaps){ .count = 1, .value = { pass->alone } };
  pass->taps[1] = (OdlCoderTaps){ .count = 1 };
}

// ---- methods
// ---------------------------------------------------------------------------

INLINE void
filter (const OdlCoderTaps *taps, const float *z, int n, int lanes, float *restrict y)
{
  for (int i = 0; i < n; i++) {
    const float *at = z + (ptrdiff_t) (2 * i + taps->first) * lanes;
    float sum[ODL_CODER_LANES];
    for (int c = 0; c < lanes; c++)
      sum[c] = taps->value[0] * at[c];
    for (int k = 1; k < taps->count; k++)
      for (int c = 0; c < lanes; c++)
        sum[c] += taps->value[k] * at[k * lanes + c];
    for (int c = 0; c < lanes; c++)
      y[i * lanes + c] = sum[c];
  }
}

// Every second place from the first one >= `from` that has the parity of `odd`, to
// `end` − 1.
INLINE void
lift (float *z, int from, int end, bool odd, int lanes, float factor)
{
  for (int i = from + ((from & 1) != odd); i < end; i += 2)
    for (int c = 0; c < lanes; c++)
      z[(ptrdiff_t) i * lanes + c]
          += factor
             * (z[(ptrdiff_t) (i - 1) * lanes + c] + z[(ptrdiff_t) (i + 1) * lanes + c]);
}

INLINE void
lift_line (const OdlCoderPass *pass, float *z, int n, int lanes, float *y[2])
{
  const int last = ODL_CODER_STEPS - 1;

  if (pass->forward) {
    for (int s = 0; s <= last; s++)
      lift (z, s - last, n + last - s, s % 2 == 0, lanes, pass->step[s]);
  } else {
    for (int i = -4; i < n + 4; i++)
      for (int c = 0; c < lanes; c++)
        z[(ptrdiff_t) i * lanes + c] *= pass->gain[i & 1];
    for (int s = last; s >= 0; s--)
      lift (z, -s, n + s, s % 2 == 0, lanes, -pass->step[s]);
  }
  for (int i = 0; i < n; i++)
    for (int c = 0; c < lanes; c++)
      y[i & 1][i / 2 * lanes + c]
          = (pass->forward ? pass->gain[i & 1] : 1) * z[i * lanes + c];
}

INLINE void
pair (const OdlCoderPass *pass,
      float *const state[ODL_CODER_STEPS],
      const float *a,
      const float *b,
      const float *next,
      float *y0,
      float *y1,
      int columns)
{
  const float c0 = pass->step[0], c1 = pass->step[1];
  const float c2 = pass->step[2], c3 = pass->step[3];
  const float low = pass->gain[0], high = pass->gain[1];
  float *restrict d2 = state[0], *restrict s1 = state[1];
  float *restrict d1 = state[2], *restrict s0 = state[3];

  if (pass->forward)
    for (int i = 0; i < columns; i++) {
      const float d1_new = b[i] + c0 * (a[i] + next[i]);
      const float s1_new = a[i] + c1 * (d1[i] + d1_new);
      const float d2_new = d1[i] + c2 * (s1[i] + s1_new);
      y0[i] = low * (s1[i] + c3 * (d2[i] + d2_new));
      y1[i] = high * d2_new;
      d1[i] = d1_new;
      s1[i] = s1_new;
      d2[i] = d2_new;
    }
  else
    for (int i = 0; i < columns; i++) {
      const float d2_new = high * b[i];
      const float s1_new = low * a[i] - c3 * (d2[i] + d2_new);
      const float d1_new = d2[i] - c2 * (s1[i] + s1_new);
      const float s0_new = s1[i] - c1 * (d1[i] + d1_new);
      y0[i] = s0[i];
      y1[i] = d1[i] - c0 * (s0[i] + s0_new);
      d2[i] = d2_new;
      s1[i] = s1_new;
      d1[i] = d1_new;
      s0[i] = s0_new;
    }
}

void
odl_coder_pair (const OdlCoderPass *pass,
                float *const state[ODL_CODER_STEPS],
                const float *a,
                const float *b,
                const float *next,
                float *y0,
                float *y1,
                int columns)
{
  pair (pass, state, a, b, next, y0, y1, columns);
}

// Two pairs beyond the beginning bring the state to where it would be had the line begun
// earlier.
INLINE void
lift_on_the_fly (const OdlCoderPass *pass, const float *z, int n, int lanes, float *y[2])
{
  const int delay = odl_coder_delay (pass);
  float lines[ODL_CODER_STEPS][ODL_CODER_LANES] = { 0 }, sink[ODL_CODER_LANES] = { 0 };
  float *const state[] = { lines[0], lines[1], lines[2], lines[3] };

  for (int p = -2; p - delay < (n + 1) / 2; p++) {
    const float *at = z + (ptrdiff_t) 2 * p * lanes;
    const int i = p - delay;
    pair (pass, state, at, at + lanes, at + 2 * lanes, i < 0 ? sink : y[0] + i * lanes,
          i < 0 || i >= n / 2 ? sink : y[1] + i * lanes, lanes);
  }
}

INLINE void
run (const OdlCoderPass *pass, float *z, int n, int lanes, float *y[2])
{
  if (pass->method == ODL_CODER_FILTERING) {
    filter (&pass->taps[0], z, (n + 1) / 2, lanes, y[0]);
    filter (&pass->taps[1], z, n / 2, lanes, y[1]);
  } else if (pass->method == ODL_CODER_LIFTING) {
    lift_line (pass, z, n, lanes, y);
  } else {
    lift_on_the_fly (pass, z, n, lanes, y);
  }
}

// ---- lines
// -----------------------------------------------------------------------------

size_t
odl_coder_scratch (const OdlCoderPass *pass, int n, int lanes)
{
  return (size_t) (2 * n + 2 + 2 * pass->reach) * (lanes > 1 ? ODL_CODER_LANES : 1);
}

// Where place i of z is in the line: samples in order, coefficients low before high.
INLINE int
place (const OdlCoderPass *pass, bool interleaved, int i, int n)
{
  return interleaved ? i : i % 2 == 0 ? i / 2 : odl_low_count (n) + i / 2;
}

INLINE void
transform (const OdlCoderPass *pass,
           float *line,
           size_t step,
           int n,
           int lanes,
           int used,
           float *scratch)
{
  const int length = odl_border_length (pass->border, n), reach = pass->reach;
  float *z = scratch + (size_t) reach * lanes;
  float *y[2] = { z + (size_t) (length + reach) * lanes,
                  z + (size_t) (length + reach + (length + 1) / 2) * lanes };
  float rest[ODL_CODER_LANES] = { 0 }; // the sample beyond an even part

  for (int i = -reach; i < length + reach; i++) {
    const int inside
        = i >= 0 && i < length ? i : odl_border_index (pass->border, i, length);
    const float *from = line + place (pass, pass->forward, inside, n) * step;
    for (int c = 0; c < used; c++)
      z[(ptrdiff_t) i * lanes + c] = inside < 0 ? 0 : from[c];
  }
  for (int c = 0; c < used && length < n; c++)
    rest[c]
        = pass->alone * line[(pass->forward ? n - 1 : odl_low_count (n) - 1) * step + c];
  run (pass, z, length, lanes, y);
  for (int i = 0; i < length; i++) {
    float *to = line + place (pass, !pass->forward, i, n) * step;
    const float *from = y[i & 1] + (size_t) (i / 2) * lanes;
    for (int c = 0; c < used; c++)
      to[c] = from[c];
  }
  for (int c = 0; c < used && length < n; c++)
    line[(pass->forward ? odl_low_count (n) - 1 : n - 1) * step + c] = rest[c];
}

void
odl_coder_line (const OdlCoderPass *pass,
                float *line,
                size_t step,
                int n,
                int lanes,
                float *scratch)
{
  if (n == 1) {
    for (int c = 0; c < lanes; c++)
      line[c] *= pass->alone;
    return;
  }
  if (lanes == 1)
    transform (pass, line, step, n, 1, 1, scratch);
  else
    transform (pass, line, step, n, ODL_CODER_LANES, lanes, scratch);
}
