// SPDX-License-Identifier: MIT
// The kernels of single steps for ODL_LANES floats in a register; kernels.h says what
// they do. Lines are read up to a vector beyond their end and never written there.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"
#include "wavelet/wavelet.h"

// Vectors whose sums are kept in registers at once.
#define SUMS 4

// `sums` vectors from `at` on; constant arguments.
INLINE void
combine_vectors (const OdlCpuTaps *taps,
                 const float *const *rows,
                 Lanes *out,
                 int at,
                 int sums,
                 bool symmetric)
{
  const int radius = taps->count / 2;
  const int centre = symmetric ? radius : 0;
  const Lanes first = lanes_all (taps->value[centre]);

  for (int v = 0; v < sums; v++)
    out[v] = first * lanes_load (rows[centre] + at + v * ODL_LANES);
  for (int k = 1; k < (symmetric ? radius + 1 : taps->count); k++) {
    const Lanes tap = lanes_all (taps->value[symmetric ? radius - k : k]);
    const float *before = rows[symmetric ? radius - k : k] + at;
    const float *after = symmetric ? rows[radius + k] + at : before;
    for (int v = 0; v < sums; v++) {
      Lanes sample = lanes_load (before + v * ODL_LANES);
      if (symmetric)
        sample += lanes_load (after + v * ODL_LANES);
      out[v] += tap * sample;
    }
  }
}

INLINE void
combine_line (const OdlCpuTaps *taps,
              const float *const *rows,
              float *restrict out,
              int n,
              bool symmetric)
{
  Lanes sums[SUMS];
  int i = 0;

  for (; i + SUMS * ODL_LANES <= n; i += SUMS * ODL_LANES) {
    combine_vectors (taps, rows, sums, i, SUMS, symmetric);
    for (int v = 0; v < SUMS; v++)
      lanes_store (out + i + v * ODL_LANES, sums[v]);
  }
  for (; i < n; i += ODL_LANES) {
    combine_vectors (taps, rows, sums, i, 1, symmetric);
    lanes_store_first (out + i, sums[0], n - i);
  }
}

static void
combine_any (const OdlCpuTaps *taps, const float *const *rows, float *restrict out, int n)
{
  if (taps->symmetric)
    combine_line (taps, rows, out, n, true);
  else
    combine_line (taps, rows, out, n, false);
}

// `sums` vectors of both outputs from `at` on, which share what is loaded.
INLINE void
combine_two_vectors (const OdlCpuTaps taps[2],
                     const OdlCpuPairRows *pair,
                     Lanes out[2][SUMS],
                     int at,
                     int sums)
{
  for (int v = 0; v < sums; v++)
    out[0][v] = out[1][v] = lanes_all (0);
  for (int k = 0; k < pair->count; k++) {
    const float *row = pair->rows[k] + at;
    Lanes samples[SUMS];
    for (int v = 0; v < sums; v++)
      samples[v] = lanes_load (row + v * ODL_LANES);
    for (int p = 0; p < 2; p++) {
      const int tap = k - pair->start[p];
      if (tap < 0 || tap >= taps[p].count)
        continue;
      const Lanes value = lanes_all (taps[p].value[tap]);
      for (int v = 0; v < sums; v++)
        out[p][v] += value * samples[v];
    }
  }
}

static void
combine_two (const OdlCpuTaps taps[2],
             const OdlCpuPairRows *pair,
             float *const outs[2],
             int n)
{
  Lanes sums[2][SUMS];
  int i = 0;

  for (; i + SUMS * ODL_LANES <= n; i += SUMS * ODL_LANES) {
    combine_two_vectors (taps, pair, sums, i, SUMS);
    for (int p = 0; p < 2; p++)
      for (int v = 0; v < SUMS; v++)
        lanes_store (outs[p] + i + v * ODL_LANES, sums[p][v]);
  }
  for (; i < n; i += ODL_LANES) {
    combine_two_vectors (taps, pair, sums, i, 1);
    for (int p = 0; p < 2; p++)
      lanes_store_first (outs[p] + i, sums[p][0], n - i);
  }
}

static void
split_line (const float *line, float *restrict even, float *restrict odd, int pairs)
{
  int i = 0;

  for (; i + ODL_LANES <= pairs; i += ODL_LANES) {
    Lanes a, b;
    lanes_split (line + 2 * i, &a, &b);
    lanes_store (even + i, a);
    lanes_store (odd + i, b);
  }
  for (; i < pairs; i++) {
    even[i] = line[2 * i];
    odd[i] = line[2 * i + 1];
  }
}

static void
join_line (const float *even, const float *odd, float *restrict line, int pairs)
{
  int i = 0;

  for (; i + ODL_LANES <= pairs; i += ODL_LANES) {
    Lanes a, b;
    lanes_zip (lanes_load (even + i), lanes_load (odd + i), &a, &b);
    lanes_store (line + 2 * i, a);
    lanes_store (line + 2 * i + ODL_LANES, b);
  }
  for (; i < pairs; i++) {
    line[2 * i] = even[i];
    line[2 * i + 1] = odd[i];
  }
}

#if LANES_PICK_BYTES
// Where the 16 bytes of `weave`'s channel lie in piece `piece` of the interleaved bytes.
static Bytes16
weave_places (const OdlCpuWeave *weave, int piece)
{
  const int size = (int) weave->sample_size;
  Bytes16 places;

  for (int i = 0; i < 16; i++) {
    const int at = (i / size * weave->channels + weave->channel) * size + i % size;
    places[i] = at / 16 == piece ? at % 16 : 0x80;
  }
  return places;
}

// Returns how many samples it has done.
INLINE int
unweave_vectors (const OdlCpuWeave *weave, uint8_t *restrict out, int n, int channels)
{
  const int step = 16 / (int) weave->sample_size;
  const uint8_t *from = weave->samples;
  Bytes16 places[4];
  int i = 0;

  for (int k = 0; k < channels; k++)
    places[k] = weave_places (weave, k);
  for (; i + step <= n; i += step, from += 16 * channels, out += 16) {
    Bytes16 sum = { 0 };
    for (int k = 0; k < channels; k++) {
      Bytes16 piece;
      memcpy (&piece, from + 16 * k, sizeof piece);
      sum |= bytes_pick (piece, places[k]);
    }
    memcpy (out, &sum, sizeof sum);
  }
  return i;
}
#endif

static void
unweave_line (const OdlCpuWeave *weave, void *restrict out, int n)
{
  const size_t size = weave->sample_size;
  OdlCpuWeave rest = *weave;
  int done = 0;

#if LANES_PICK_BYTES
  done = weave->channels == 3 ? unweave_vectors (weave, out, n, 3)
                              : unweave_vectors (weave, out, n, 4);
#endif
  rest.samples = (const char *) weave->samples + done * size * weave->channels;
  odl_cpu_plain_unweave (&rest, (char *) out + done * size, n - done);
}

// A constant rule.
INLINE Lanes
shrunk_lanes (Lanes value, Lanes limit, OdlShrinkingRule rule)
{
  const Lanes size = (Lanes) ((IntLanes) value & 0x7fffffff);

  if (rule == ODL_SHRINK_SOFT)
    return lanes_shrink (value, limit);
  if (rule == ODL_SHRINK_HARD)
    return lanes_above (value, limit);
  return lanes_keep (size > limit, value * lanes_share (size, limit, rule));
}

static void
shrink_line (const float *in,
             float *restrict out,
             int n,
             float threshold,
             OdlShrinkingRule rule)
{
  const Lanes limit = lanes_all (threshold);

#define SHRINK_LINE(RULE) \
  for (int i = 0; i < n; i += ODL_LANES) \
  lanes_store_first (out + i, shrunk_lanes (lanes_load (in + i), limit, RULE), n - i)
  BY_RULE (rule, SHRINK_LINE)
}

static void
lift_whole_line (const OdlCpuWhole *step,
                 const float *centre,
                 const float *before,
                 const float *after,
                 float *restrict out,
                 int n)
{
  const Lanes centre_scale = lanes_all (step->centre_scale);
  const Lanes side_scale = lanes_all (step->side_scale);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes c = lanes_whole (lanes_load (centre + i) * centre_scale);
    const Lanes a = lanes_whole (lanes_load (before + i) * side_scale);
    const Lanes b = lanes_whole (lanes_load (after + i) * side_scale);
    const Lanes part = lanes_floor ((a + b + step->bias) * step->share);
    lanes_store_first (out + i, (c + step->sign * part) * step->out_scale, n - i);
  }
}
