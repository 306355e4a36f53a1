// SPDX-License-Identifier: MIT
// Every instruction set's lifting kernels against the plain ones, one kernel at a time.
#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "engine/cpu/kernels/variant.h"
#include "wavelet/wavelet.h"

#define MOST 530
#define PITCH (MOST + 2 * ODL_CPU_SLACK)
#define MOST_COLUMNS 70
#define LAST_COLUMN 32 // where they begin, at most

typedef float Line[PITCH];
typedef float Strip[LAST_COLUMN + MOST_COLUMNS + 2 * ODL_CPU_SLACK];

static guint32 seed = 1;

static float
noise (float scale)
{
  seed = seed * 1664525u + 1013904223u;
  return scale * ((float) (seed >> 8) / 8388608.0f - 1);
}

static void
fill (float *line, int n, float scale)
{
  for (int i = 0; i < n; i++)
    line[i] = noise (scale);
}

static void
check_close (const char *what, const float *want, const float *got, int n, float scale)
{
  for (int i = 0; i < n; i++)
    if (!(fabsf (want[i] - got[i]) <= fmaxf (4e-6f * scale, 1e-43f))) // or few denormals
      g_error ("%s: %d of %d is %g, not %g (scale %g)", what, i, n, got[i], want[i],
               scale);
}

// Calls `check` for every variant of this machine but the plain one, every wavelet, with
// gains and without, and four magnitudes: around 1 (alone with gains), tiny, and near the
// largest that steps can multiply.
static void
for_each (void (*check) (const OdlCpuVariant *variant,
                         const OdlCpuLift *lift,
                         float scale))
{
  static const float scales[] = { 1, 1e-36f, 1e-41f, 1e36f };

  for (size_t v = 1; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (!variant->runs_here ()) {
      g_test_message ("this machine does not run %s", variant->name);
      continue;
    }
    for (size_t w = 0; w < odl_wavelet_count (); w++)
      for (size_t s = 0; s < G_N_ELEMENTS (scales); s++) {
        OdlCpuLift lift = odl_cpu_lift_of_wavelet (odl_wavelet_at (w));
        if (lift.steps == 0 || odl_wavelet_at (w)->reversible)
          continue;
        check (variant, &lift, scales[s]);
        lift.low_gain = 0.75f;
        lift.high_gain = 1.25f;
        lift.gains = true;
        if (s == 0)
          check (variant, &lift, scales[s]);
      }
  }
}

static void
check_rows (const OdlCpuVariant *variant, const OdlCpuLift *lift, float scale)
{
  static Line row, low[2], high[2];
  static _Alignas(ODL_ALIGNMENT) Line back; // for stores past the caches

  for (int n = 2; n <= MOST; n += n < 140 ? 1 : 13) {
    g_autofree char *what
        = g_strdup_printf ("%s, %d steps, %d samples", variant->name, lift->steps, n);
    // Rows that start anywhere; what lies beyond their ends is no number.
    const int from = n % 5;
    const int n_low = (n + 1) / 2, n_high = n / 2;
    memset (row, 0xff, sizeof row);
    memset (low, 0xff, sizeof low);
    memset (high, 0xff, sizeof high);
    fill (row + from, n, scale);
    const OdlCpuLine line = { .samples = row + from };
    odl_cpu_variant_scalar.forward_row (lift, &line, low[0] + from, high[0] + from, n);
    variant->forward_row (lift, &line, low[1] + from, high[1] + from, n);
    check_close (what, low[0] + from, low[1] + from, n_low, scale);
    check_close (what, high[0] + from, high[1] + from, n_high, scale);
    g_assert_true (isnan (low[1][from + n_low]) && isnan (high[1][from + n_high]));

    OdlCpuLift way_back = *lift;
    way_back.low_gain = 1 / lift->low_gain;
    way_back.high_gain = 1 / lift->high_gain;
    variant->inverse_row (&way_back, low[0] + from, high[0] + from, back, n);
    check_close (what, row + from, back, n, 2 * scale);
    odl_cpu_variant_scalar.inverse_row (&way_back, low[0] + from, high[0] + from, back,
                                        n);
    check_close (what, row + from, back, n, 2 * scale);
  }
}

static void
test_rows (void)
{
  for_each (check_rows);
}

static void
check_types (const OdlCpuVariant *variant, const OdlCpuLift *lift, float scale)
{
  static const OdlCpuLineType types[]
      = { ODL_CPU_LINE_F32, ODL_CPU_LINE_U8, ODL_CPU_LINE_U16, ODL_CPU_LINE_S16 };
  static Line low[2], high[2];
  guint8 bytes[4 * MOST];

  if (lift->gains) // go with plain lines
    return;
  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (int n = 2; n <= 200; n++) {
      OdlCpuLine line = { types[t], bytes, 0, 1.0f / 255 };
      for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (guint8) noise (127) + 128;
      if (line.type == ODL_CPU_LINE_U16 || line.type == ODL_CPU_LINE_S16)
        line = (OdlCpuLine){ types[t], bytes, -1024, 1.0f / 65535 };
      if (line.type == ODL_CPU_LINE_F32) {
        float *samples = (float *) (void *) bytes;
        fill (samples, n, 1);
        if (n % 4 == 1) {
          samples[n / 2] = NAN;
          samples[n - 1] = INFINITY;
          samples[n / 3] = -INFINITY;
        }
        if (n % 2 == 0)
          line = (OdlCpuLine){ types[t], bytes, -0.25f, 0.5f };
        else
          line.factor = 1;
      }
      g_autofree char *what
          = g_strdup_printf ("%s, type %d, %d samples", variant->name, line.type, n);
      odl_cpu_variant_scalar.forward_row (lift, &line, low[0], high[0], n);
      variant->forward_row (lift, &line, low[1], high[1], n);
      check_close (what, low[0], low[1], (n + 1) / 2, 1);
      check_close (what, high[0], high[1], n / 2, 1);
    }
}

static void
test_types (void)
{
  for_each (check_types);
}

// Two sets of lines with the same content.
typedef struct {
  Strip rows[2 * ODL_CPU_MOST_PAIRS + 1];
  Strip state[ODL_CPU_LIFT_STEPS];
  Strip a[ODL_CPU_MOST_PAIRS];
  Strip b[ODL_CPU_MOST_PAIRS];
} Lines;

static void
run_forward (const OdlCpuVariant *variant,
             const OdlCpuLift *lift,
             Lines *lines,
             OdlCpuForwardPairs block)
{
  const float *rows[2 * ODL_CPU_MOST_PAIRS + 1];
  float *low[ODL_CPU_MOST_PAIRS], *high[ODL_CPU_MOST_PAIRS], *state[ODL_CPU_LIFT_STEPS];

  for (int i = 0; i <= 2 * block.pairs; i++)
    rows[i] = lines->rows[i];
  for (int i = 0; i < block.pairs; i++) {
    low[i] = lines->a[i];
    high[i] = lines->b[i];
  }
  for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++)
    state[i] = lines->state[i];
  // Asking for memory early changes nothing, wherever it lies.
  const char *ahead[2 * ODL_CPU_MOST_PAIRS];
  for (int i = 0; i < 2 * block.pairs; i++)
    ahead[i] = (const char *) lines->rows[i];
  if (block.columns % 2 == 0)
    block.ahead = (OdlCpuAhead){ ahead, sizeof (float) };
  block.rows = rows;
  block.low = low;
  block.high = high;
  block.state = state;
  variant->forward_pairs (lift, &block);
}

static void
run_inverse (const OdlCpuVariant *variant,
             const OdlCpuLift *lift,
             Lines *lines,
             OdlCpuInversePairs block)
{
  const float *low[ODL_CPU_MOST_PAIRS], *high[ODL_CPU_MOST_PAIRS];
  float *even[ODL_CPU_MOST_PAIRS], *odd[ODL_CPU_MOST_PAIRS], *state[ODL_CPU_LIFT_STEPS];

  for (int i = 0; i < block.pairs; i++) {
    low[i] = lines->rows[2 * i];
    high[i] = lines->rows[2 * i + 1];
    even[i] = lines->a[i];
    odd[i] = lines->b[i];
  }
  for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++)
    state[i] = lines->state[i];
  const char *ahead[2 * ODL_CPU_MOST_PAIRS];
  for (int i = 0; i < 2 * block.pairs; i++)
    ahead[i] = (const char *) lines->rows[i];
  if (block.columns % 2 == 0)
    block.ahead = (OdlCpuAhead){ ahead, sizeof (float) };
  block.low = low;
  block.high = high;
  block.even = even;
  block.odd = odd;
  block.state = state;
  variant->inverse_pairs (lift, &block);
}

static void
check_pairs (const OdlCpuVariant *variant, const OdlCpuLift *lift, float scale)
{
  static Lines sets[2];

  for (int columns = 1; columns <= MOST_COLUMNS; columns += columns < 35 ? 1 : 7)
    for (int pairs = 1; pairs <= ODL_CPU_MOST_PAIRS; pairs += pairs < 9 ? 1 : 7)
      for (int kind = 0; kind < (lift->gains ? 1 : 6);
           kind++) { // no shrinkage with gains
        const size_t column = columns % 3 * (LAST_COLUMN / 2);
        fill (sets[0].rows[0], sizeof (Lines) / sizeof (float), scale);
        sets[1] = sets[0];
        const OdlCpuForwardPairs forward = {
          .column = column,
          .columns = columns,
          .pairs = pairs,
          .shrink = kind / 2,
          .shrink_low = kind % 2 == 1,
          .low_limit = 0.3f * scale,
          .high_limit = 0.5f * scale,
        };
        run_forward (&odl_cpu_variant_scalar, lift, &sets[0], forward);
        run_forward (variant, lift, &sets[1], forward);
        g_autofree char *what = g_strdup_printf ("%s, %d steps, %d pairs, kind %d",
                                                 variant->name, lift->steps, pairs, kind);
        for (int i = 0; i < pairs; i++) {
          // Hard shrinkage may decide otherwise when rounding moves a value over the
          // edge.
          const float edge = kind / 2 == ODL_CPU_SHRINK_HARD ? 1e6f : 1;
          check_close (what, sets[0].a[i], sets[1].a[i], columns, 3 * scale * edge);
          check_close (what, sets[0].b[i], sets[1].b[i], columns, 3 * scale * edge);
        }
        for (int i = 0; i < lift->steps - 1; i++)
          check_close (what, sets[0].state[i] + column, sets[1].state[i] + column,
                       columns, 3 * scale);
        if (kind > 0)
          continue;
        const OdlCpuInversePairs inverse
            = { .column = column, .columns = columns, .pairs = pairs };
        sets[1] = sets[0];
        run_inverse (&odl_cpu_variant_scalar, lift, &sets[0], inverse);
        run_inverse (variant, lift, &sets[1], inverse);
        for (int i = 0; i < pairs; i++) {
          check_close (what, sets[0].a[i] + column, sets[1].a[i] + column, columns,
                       9 * scale);
          check_close (what, sets[0].b[i] + column, sets[1].b[i] + column, columns,
                       9 * scale);
        }
      }
}

static void
test_pairs (void)
{
  for_each (check_pairs);
}

// Hard shrinkage keeps a value or clears it; exact values show that the edge is right.
static void
check_hard (const OdlCpuVariant *variant, const OdlCpuLift *lift, float scale)
{
  static const float values[] = { 0, 0.5f, -0.5f, 0.25f, -0.25f, 0.75f, -0.75f, 0.499f };
  static Lines lines;

  memset (&lines, 0, sizeof lines);
  for (int i = 0; i < 64; i++)
    lines.rows[1][i] = values[i % G_N_ELEMENTS (values)];
  const OdlCpuForwardPairs block
      = { .columns = 64, .pairs = 1, .shrink = ODL_CPU_SHRINK_HARD, .high_limit = 0.5f };
  run_forward (variant, &(OdlCpuLift){ .steps = 2 }, &lines, block);
  for (int i = 0; i < 64; i++) {
    const float value = values[i % G_N_ELEMENTS (values)];
    g_assert_cmpfloat (lines.b[0][i], ==, fabsf (value) > 0.5f ? value : 0);
  }
}

static void
test_hard (void)
{
  for_each (check_hard);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu-lift/rows-agree-with-plain-c", test_rows);
  g_test_add_func ("/cpu-lift/sample-types-agree-with-plain-c", test_types);
  g_test_add_func ("/cpu-lift/pairs-of-rows-agree-with-plain-c", test_pairs);
  g_test_add_func ("/cpu-lift/hard-shrinkage-keeps-what-is-above", test_hard);
  return g_test_run ();
}
