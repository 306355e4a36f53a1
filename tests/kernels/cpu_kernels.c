// SPDX-License-Identifier: MIT
// Every instruction set's kernels of single steps against the plain ones, one kernel at a
// time, on memory that ends where the kernels must stop.
#include <glib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/cpu/kernels/variant.h"

#define MOST 200
#define LINES 44

// A buffer whose last byte is the last before a page that nobody may touch.
typedef struct {
  char *pages;
  size_t size; // without the page behind
} Guarded;

static Guarded
guarded_new (void)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  Guarded memory = { .size = 2 * page };

  memory.pages = mmap (NULL, memory.size + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (memory.pages != MAP_FAILED);
  g_assert_cmpint (mprotect (memory.pages + memory.size, page, PROT_NONE), ==, 0);
  return memory;
}

// `count` things of `size` bytes that end at the guard.
static void *
guarded_end (const Guarded *memory, size_t count, size_t size)
{
  return memory->pages + memory->size - count * size;
}

static Guarded inputs[LINES], outputs[2];

static guint32 seed = 1;

static float
noise (float scale)
{
  seed = seed * 1664525u + 1013904223u;
  return scale * ((float) (seed >> 8) / 8388608.0f - 1);
}

// A line of n samples and the slack that kernels may read.
static float *
make_line (int index, int n, float scale)
{
  float *line = guarded_end (&inputs[index], n + ODL_CPU_SLACK, sizeof (float));

  for (int i = 0; i < n + ODL_CPU_SLACK; i++)
    line[i] = i < n ? noise (scale) : NAN;
  return line;
}

static float *
output (int index, int n)
{
  float *line = guarded_end (&outputs[index], n, sizeof (float));

  for (int i = 0; i < n; i++)
    line[i] = NAN;
  return line;
}

static void
check_close (const char *what, const float *want, const float *got, int n, double bound)
{
  for (int i = 0; i < n; i++)
    if (!(fabs ((double) want[i] - got[i]) <= bound))
      g_error ("%s: %d of %d is %g, not %g", what, i, n, got[i], want[i]);
}

typedef void (*Check) (const OdlCpuVariant *variant, int n, float scale);

// Every variant of this machine, every length, and magnitudes from denormal to near the
// largest that the sums can hold.
static void
for_each (Check check)
{
  static const float scales[] = { 1, 1e-40f, 1e-30f, 4e36f };

  for (size_t v = 0; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (!variant->runs_here ()) {
      g_test_message ("this machine does not run %s", variant->name);
      continue;
    }
    for (int n = 1; n <= MOST; n += n < 140 ? 1 : 7)
      for (size_t s = 0; s < G_N_ELEMENTS (scales); s++)
        check (variant, n, scales[s]);
  }
}

static void
check_combine (const OdlCpuVariant *variant, int n, float scale)
{
  static const int counts[] = { 1, 2, 3, 5, 7, 8, 9, 17, 18, 30, 40 };
  const int count = counts[(n + (int) (scale > 1)) % (int) G_N_ELEMENTS (counts)];
  OdlCpuTaps taps = { .count = count, .symmetric = count % 2 == 1 && n % 3 > 0 };
  const float *rows[LINES];
  float total = 0;

  for (int k = 0; k < count; k++) {
    taps.value[k] = noise (1);
    if (taps.symmetric && k > count / 2)
      taps.value[k] = taps.value[count - 1 - k];
    total += fabsf (taps.value[k]);
    rows[k] = make_line (k, n, scale);
  }
  float *want = output (0, n), *got = output (1, n);
  odl_cpu_plain_combine (&taps, rows, want, n);
  variant->combine (&taps, rows, got, n);
  g_autofree char *what
      = g_strdup_printf ("%s: %d taps, scale %g", variant->name, count, scale);
  check_close (what, want, got, n, 1e-6 * total * scale + count * 1e-45);
}

// Two outputs of the same lines, which begin at different ones.
static void
check_combine_two (const OdlCpuVariant *variant, int n, float scale)
{
  OdlCpuTaps taps[2] = { { .count = 1 + n % 16 }, { .count = 1 + n / 2 % 16 } };
  OdlCpuPairRows pair = { .start = { n % 3, n % 5 } };
  const float *rows[LINES];
  float total[2] = { 0, 0 };

  for (int p = 0; p < 2; p++) {
    for (int k = 0; k < taps[p].count; k++) {
      taps[p].value[k] = noise (1);
      total[p] += fabsf (taps[p].value[k]);
    }
    pair.count = MAX (pair.count, pair.start[p] + taps[p].count);
  }
  for (int k = 0; k < pair.count; k++)
    rows[k] = make_line (k, n, scale);
  pair.rows = rows;
  float *const outs[2] = { output (0, n), output (1, n) };
  variant->combine_two (taps, &pair, outs, n);
  for (int p = 0; p < 2; p++) {
    g_autofree float *want = g_new (float, n);
    g_autofree char *what = g_strdup_printf ("%s: output %d of two, scale %g",
                                             variant->name, p, (double) scale);
    odl_cpu_plain_combine (&taps[p], rows + pair.start[p], want, n);
    check_close (what, want, outs[p], n, 1e-6 * total[p] * scale + 16 * 1e-45);
  }
}

static void
test_combine (void)
{
  for_each (check_combine);
  for_each (check_combine_two);
}

static void
check_phases (const OdlCpuVariant *variant, int n, float scale)
{
  const float *line = make_line (0, 2 * n, scale);
  float *even = output (0, n), *odd = output (1, n);

  variant->split (line, even, odd, n);
  for (int i = 0; i < n; i++) {
    g_assert_cmpfloat (even[i], ==, line[2 * i]);
    g_assert_cmpfloat (odd[i], ==, line[2 * i + 1]);
  }
  const float *a = make_line (1, n, scale), *b = make_line (2, n, scale);
  float *joined = output (0, 2 * n);
  variant->join (a, b, joined, n);
  for (int i = 0; i < n; i++) {
    g_assert_cmpfloat (joined[2 * i], ==, a[i]);
    g_assert_cmpfloat (joined[2 * i + 1], ==, b[i]);
  }
}

static void
test_phases (void)
{
  for_each (check_phases);
}

static void
check_shrink (const OdlCpuVariant *variant, int n, float scale)
{
  float *line = make_line (0, n, scale);
  const float threshold = 0.25f * scale;

  line[n / 2] = threshold; // not above it
  line[n / 3] = -threshold;
  for (OdlShrinkingRule rule = ODL_SHRINK_SOFT; rule <= ODL_SHRINK_HYPERBOLIC; rule++) {
    float *want = output (0, n), *got = output (1, n);
    odl_cpu_plain_shrink (line, want, n, threshold, rule);
    variant->shrink (line, got, n, threshold, rule);
    check_close (variant->name, want, got, n,
                 rule <= ODL_SHRINK_HARD ? 0 : 1e-6 * scale + 1e-44);
    g_assert_cmpfloat (got[n / 2], ==, 0);
  }
}

static void
test_shrink (void)
{
  for_each (check_shrink);
}

// Complex coefficients: magnitudes, what a threshold leaves of them, and themselves times
// that. They are changed in place; what follows them stays.
static void
check_quads (const OdlCpuVariant *variant, int n, float scale)
{
  const float size = CLAMP (scale, 1e-18f, 1e18f); // of which there are squares
  float *quad[4], copies[4][MOST],
      *copy[4] = { copies[0], copies[1], copies[2], copies[3] };
  float powers[2][MOST];

  for (int i = 0; i < 4; i++) {
    quad[i] = make_line (i, n, size);
    quad[i][n / 2] = 0;
    memcpy (copy[i], quad[i], n * sizeof (float));
  }
  float *first = make_line (4, n, 1), *second = make_line (5, n, 1);
  odl_cpu_plain_quad_powers (copy, powers[0], powers[1], n);
  variant->quad_powers (quad, first, second, n);
  check_close (variant->name, powers[0], first, n, 2e-6 * size * size);
  check_close (variant->name, powers[1], second, n, 2e-6 * size * size);
  for (int i = 0; i < 2; i++) {
    const OdlShrinkingRule rule = (OdlShrinkingRule) ((n + i) % 5);
    const float threshold = (n % 2 == 0 ? 0.4f : 0) * size;
    const float gain = i == 0 ? 1 : 1.7f;
    memcpy (i == 0 ? first : second, powers[i], n * sizeof (float));
    odl_cpu_plain_shares (powers[i], n, threshold, gain, rule);
    variant->shares (i == 0 ? first : second, n, threshold, gain, rule);
    check_close (variant->name, powers[i], i == 0 ? first : second, n, 1e-6);
  }
  odl_cpu_plain_quad_scale (copy, powers[0], powers[1], n);
  variant->quad_scale (quad, first, second, n);
  for (int i = 0; i < 4; i++) {
    check_close (variant->name, copy[i], quad[i], n, 4e-6 * size);
    g_assert_true (isnan (quad[i][n]));
  }
  g_assert_true (isnan (first[n]) && isnan (second[n]));
}

static void
test_quads (void)
{
  for_each (check_quads);
}

// Three rows; the one in the middle has a sample more at either end.
static void
make_rows (int n, float scale, const float *rows[3])
{
  for (int k = 0; k < 3; k++) {
    float *line = make_line (k, n + 2, scale);
    rows[k] = line + 1;
    line[n / 2 + 1] = 0.25f * scale; // no difference
    if (k != 1) {
      line[0] = NAN;
      line[n + 1] = NAN;
    }
  }
}

static void
check_diffusion (const OdlCpuVariant *variant, int n, float scale)
{
  const float size = CLAMP (scale, 1e-15f, 1e12f);
  const float sharpnesses[] = { 0, 1 / (0.3f * size) / (0.3f * size), 1e30f };
  OdlCpuDiffusion c = { .rate = 0.25f, .sharpness = sharpnesses[n % 3] };
  const float *rows[3];

  make_rows (n, size, rows);
  for (int rational = 0; rational < 2; rational++) {
    float *want = output (0, n), *got = output (1, n);
    c.rational = rational;
    odl_cpu_variant_scalar.diffuse (&c, rows, want, n);
    variant->diffuse (&c, rows, got, n);
    check_close (variant->name, want, got, n, 1e-6 * size);
  }
}

static void
test_diffusion (void)
{
  for_each (check_diffusion);
}

static void
check_speckle (const OdlCpuVariant *variant, int n, float scale)
{
  const float size = CLAMP (scale, 1e-4f, 1e12f);
  const float square = n % 4 == 0 ? 0 : 0.04f;
  OdlCpuSpeckle c = { .scale = square * (1 + square), .floor = square * square };
  const float *rows[3];

  make_rows (n, size, rows);
  for (int compressed = 0; compressed < 2; compressed++) {
    float *want = output (0, n), *got = output (1, n);
    c.compressed = compressed;
    odl_cpu_variant_scalar.speckle_shares (&c, rows, want, n);
    variant->speckle_shares (&c, rows, got, n);
    check_close (variant->name, want, got, n, 4e-6);
  }
  const float *own = make_line (4, n + 1, 1), *below = make_line (5, n, 1);
  float *want = output (0, n), *got = output (1, n);
  odl_cpu_variant_scalar.flow (rows, own, below, 0.25f, want, n);
  variant->flow (rows, own, below, 0.25f, got, n);
  check_close (variant->name, want, got, n, 2e-6 * size);
}

static void
test_speckle (void)
{
  for_each (check_speckle);
}

static void
check_bivariate (const OdlCpuVariant *variant, int n, float scale)
{
  const float size = CLAMP (scale, 1e-18f, 1e12f);
  const float noise = n % 5 == 0 ? 0 : 0.2f * size, weight = 0.25f * (float) (n % 7);
  float *lines[3], *got = make_line (3, n, size), want[MOST];

  for (int i = 0; i < 3; i++) {
    lines[i] = make_line (i, n, size);
    for (int k = 0; k < n; k++)
      lines[i][k] = k % 11 == i ? 0 : fabsf (lines[i][k]);
  }
  memcpy (want, lines[0], n * sizeof (float));
  memcpy (got, lines[0], n * sizeof (float));
  odl_cpu_plain_bivariate_shares (want, lines[1], lines[2], n, noise, weight);
  variant->bivariate_shares (got, lines[1], lines[2], n, noise, weight);
  check_close (variant->name, want, got, n, 1e-5);
  g_assert_true (isnan (got[n]));
}

static void
test_bivariate (void)
{
  for_each (check_bivariate);
}

// Whole numbers and halves on either side of zero: floors and rounding must be the same.
static void
check_whole (const OdlCpuVariant *variant, int n, float scale)
{
  static const OdlCpuWhole steps[] = {
    { 1, 1, 1, 0, 0.5f, -1 },
    { 255, 255, 1.0f / 255, 2, 0.25f, 1 },
    { 65535, 65535, 1.0f / 65535, 2, 0.25f, -1 },
  };
  const OdlCpuWhole *step = &steps[n % (int) G_N_ELEMENTS (steps)];
  float *lines[3];

  scale = fminf (scale, 1e30f); // it is multiplied with 65535
  for (int k = 0; k < 3; k++) {
    lines[k] = make_line (k, n, scale);
    for (int i = 0; i < n && scale == 1; i++)
      lines[k][i] = roundf (lines[k][i] * 2000) / 4 / step->centre_scale;
  }
  float *want = output (0, n), *got = output (1, n);
  odl_cpu_plain_lift_whole (step, lines[0], lines[1], lines[2], want, n);
  variant->lift_whole (step, lines[0], lines[1], lines[2], got, n);
  // Single precision rounds sums of numbers beyond 2²⁴ one way or the other.
  check_close (variant->name, want, got, n,
               scale == 1 ? 1e-3 * step->out_scale : 1e-6 * scale);
}

static void
test_whole (void)
{
  for_each (check_whole);
}

static void
check_unweave (const OdlCpuVariant *variant, int n, float scale)
{
  static const size_t sizes[] = { 1, 2, 4 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes) && scale == 1; s++)
    for (int channels = 3; channels <= 4; channels++)
      for (int channel = 0; channel < channels; channel++) {
        guint8 *from = guarded_end (&inputs[0], n * channels, sizes[s]);
        guint8 *out = guarded_end (&outputs[0], n, sizes[s]);
        const OdlCpuWeave weave = { from, sizes[s], channels, channel };
        for (size_t i = 0; i < n * channels * sizes[s]; i++)
          from[i] = (guint8) (noise (127) + 128);
        variant->unweave (&weave, out, n);
        for (int i = 0; i < n; i++)
          g_assert_cmpmem (out + i * sizes[s], sizes[s],
                           from + (i * channels + channel) * sizes[s], sizes[s]);
      }
}

static void
test_unweave (void)
{
  for_each (check_unweave);
}

// The samples of an image may end where the memory ends.
static void
check_rows (const OdlCpuVariant *variant, int n, float scale)
{
  static const struct {
    OdlCpuLineType type;
    size_t size;
  } types[] = { { ODL_CPU_LINE_PLAIN, 4 },
                { ODL_CPU_LINE_F32, 4 },
                { ODL_CPU_LINE_U8, 1 },
                { ODL_CPU_LINE_U16, 2 },
                { ODL_CPU_LINE_S16, 2 } };
  static const OdlCpuLift lifts[]
      = { { 2, { -0.5f, 0.25f } }, { 4, { -1.586f, -0.053f, 0.883f, 0.4435f } } };

  for (size_t t = 0; t < G_N_ELEMENTS (types) && n >= 2 && scale == 1; t++)
    for (size_t l = 0; l < G_N_ELEMENTS (lifts); l++) {
      const int n_low = (n + 1) / 2, n_high = n / 2;
      guint8 *samples = guarded_end (&inputs[0], n, types[t].size);
      float *low[2], *high = output (1, n_high), want_high[MOST];
      float want_low[MOST];
      for (size_t i = 0; i < n * types[t].size; i++)
        samples[i] = (guint8) (noise (127) + 128);
      for (int i = 0; i < n && types[t].size == 4; i++)
        ((float *) (void *) samples)[i] = noise (1);
      const OdlCpuLine line = { types[t].type, samples, 0, 1.0f / 255 };
      low[0] = want_low;
      low[1] = output (0, n_low);
      odl_cpu_variant_scalar.forward_row (&lifts[l], &line, low[0], want_high, n);
      variant->forward_row (&lifts[l], &line, low[1], high, n);
      const double bound = types[t].size == 2 ? 1e-3 : 4e-6;
      check_close (variant->name, low[0], low[1], n_low, bound);
      check_close (variant->name, want_high, high, n_high, bound);
    }
}

static void
test_rows (void)
{
  for_each (check_rows);
}

// Windows of bilateral filters, whose ranges go from all samples to hardly one, and of
// Frost's.
static void
check_weigh (const OdlCpuVariant *variant, int n, float scale)
{
  enum { SIDE = 5, SAMPLES = SIDE * SIDE };
  static const float factors[] = { 0, 1, 50, 5e11f };
  const float *window[SAMPLES];
  float distances[SAMPLES], want[MOST];

  scale = fminf (scale, 1); // of samples: no larger ones, whose squares have no limit
  for (int k = 0; k < SAMPLES; k++) {
    window[k] = make_line (k, n, scale);
    distances[k] = (float) abs (k - SAMPLES / 2) / 8;
  }
  float *steepness = make_line (SAMPLES, n, 4);
  for (int i = 0; i < n; i++)
    steepness[i] = fabsf (steepness[i]);
  for (size_t f = 0; f <= G_N_ELEMENTS (factors); f++) {
    const bool steep = f == G_N_ELEMENTS (factors);
    const OdlCpuWindow c = { .window = window,
                             .distances = distances,
                             .centre = window[SAMPLES / 2],
                             .steepness = steep ? steepness : NULL,
                             .samples = SAMPLES,
                             .factor = steep ? 0 : factors[f] };
    float *got = output (0, n);
    odl_cpu_variant_scalar.weigh (&c, want, n);
    variant->weigh (&c, got, n);
    check_close (variant->name, want, got, n, 2e-6 * scale + SAMPLES * 1.5e-45);
  }
}

static void
test_weigh (void)
{
  for_each (check_weigh);
}

// Details of which every third is outside of the mask, or none.
static void
check_measuring (const OdlCpuVariant *variant, int n, float scale)
{
  const OdlCpuVariant *plain = &odl_cpu_variant_scalar;
  const float size = CLAMP (scale, 1e-15f, 1e12f);
  float *details = make_line (0, n, size), *mask = make_line (1, n, 1);
  uint8_t bins[2][MOST + ODL_CPU_SLACK];
  uint16_t places[2][MOST + ODL_CPU_SLACK];
  uint32_t values[2][MOST + ODL_CPU_SLACK];
  OdlCpuMeasured m[2], sums;
  OdlCpuPicked p[2];

  details[n / 2] = 0;
  for (int i = 0; i < n; i++)
    mask[i] = i % 3 == 0 && n % 2 == 0 ? 0 : 1;
  for (int i = 0; i < 2; i++) {
    const OdlCpuVariant *one = i == 0 ? plain : variant;
    m[i] = (OdlCpuMeasured){ .first_bin = 120 << 2, .sum = 1, .bins = bins[i] };
    p[i] = (OdlCpuPicked){ .from = 1, .to = 0x7fffffff, .picked = values[i] };
    memcpy (&p[i].from, &(float){ 0.2f * size }, sizeof (float));
    memcpy (&p[i].to, &(float){ 0.7f * size }, sizeof (float));
    one->measure (details, mask, 2 / size, n, &m[i]);
    one->pick (details, mask, n, &p[i]);
    one->place (details, mask, 2 / size, n, places[i]);
    // Without bins and a mask.
    sums = (OdlCpuMeasured){ .sum = m[i].sum };
    one->measure (details, n % 2 == 0 ? mask : NULL, 1, n, &sums);
    g_assert_cmpuint (sums.count, ==, m[i].count);
    g_assert_cmpfloat (sums.largest, ==, m[i].largest);
    g_assert_cmpfloat_with_epsilon (sums.sum, 2 * m[i].sum - 1, 1e-12 * sums.sum);
  }
  g_assert_cmpmem (places[0], n * sizeof (uint16_t), places[1], n * sizeof (uint16_t));
  g_assert_cmpmem (bins[0], n, bins[1], n);
  g_assert_cmpfloat_with_epsilon (m[0].sum, m[1].sum, 1e-6 * m[0].sum);
  g_assert_cmpfloat (m[0].largest, ==, m[1].largest);
  g_assert_cmpuint (m[0].count, ==, m[1].count);
  g_assert_cmpuint (p[0].count, ==, m[0].count);
  g_assert_cmpuint (p[1].count, ==, m[0].count);
  g_assert_cmpuint (p[0].below, ==, p[1].below);
  g_assert_cmpmem (values[0], p[0].n_picked * sizeof (uint32_t), values[1],
                   p[1].n_picked * sizeof (uint32_t));
  for (size_t k = 0; k < p[0].n_picked; k++)
    g_assert_cmpuint (plain->below (values[0], p[0].n_picked, values[0][k]), ==,
                      variant->below (values[0], p[0].n_picked, values[0][k]));
}

static void
test_measuring (void)
{
  for_each (check_measuring);
}

// Samples about values, as bits, and bits as samples.
static void
check_flags (const OdlCpuVariant *variant, int n, float scale)
{
  const OdlCpuVariant *plain = &odl_cpu_variant_scalar;
  float *line = make_line (0, n, scale), *want = output (0, n), *got = output (1, n);
  const float values[ODL_CPU_FLAG_VALUES]
      = { 0, line[0], -0.5f * scale, 0.7f * scale, line[n / 2] };
  uint64_t bits[2][MOST / 64 + 1];

  for (int count = 1; count <= ODL_CPU_FLAG_VALUES; count++) {
    plain->flag (line, values, count, 0.1f * scale, n, bits[0]);
    variant->flag (line, values, count, 0.1f * scale, n, bits[1]);
    g_assert_cmpmem (bits[0], (size_t) (n + 63) / 64 * sizeof (uint64_t), bits[1],
                     (size_t) (n + 63) / 64 * sizeof (uint64_t));
    plain->spread (bits[0], want, n);
    variant->spread (bits[1], got, n);
    g_assert_cmpmem (want, n * sizeof (float), got, n * sizeof (float));
  }
}

static void
test_flags (void)
{
  for_each (check_flags);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (int i = 0; i < LINES; i++)
    inputs[i] = guarded_new ();
  outputs[0] = guarded_new ();
  outputs[1] = guarded_new ();
  g_test_add_func ("/cpu-kernels/taps-agree-with-plain-c", test_combine);
  g_test_add_func ("/cpu-kernels/phases-come-apart-and-together", test_phases);
  g_test_add_func ("/cpu-kernels/shrinkage-agrees-with-plain-c", test_shrink);
  g_test_add_func ("/cpu-kernels/complex-shrinkage-agrees-with-plain-c", test_quads);
  g_test_add_func ("/cpu-kernels/bivariate-shrinkage-agrees-with-plain-c",
                   test_bivariate);
  g_test_add_func ("/cpu-kernels/weighted-means-agree-with-plain-c", test_weigh);
  g_test_add_func ("/cpu-kernels/diffusion-agrees-with-plain-c", test_diffusion);
  g_test_add_func ("/cpu-kernels/speckle-agrees-with-plain-c", test_speckle);
  g_test_add_func ("/cpu-kernels/measured-details-agree-with-plain-c", test_measuring);
  g_test_add_func ("/cpu-kernels/flags-agree-with-plain-c", test_flags);
  g_test_add_func ("/cpu-kernels/integer-lifting-agrees-with-plain-c", test_whole);
  g_test_add_func ("/cpu-kernels/interleaved-channels-come-apart", test_unweave);
  g_test_add_func ("/cpu-kernels/rows-stay-within-their-memory", test_rows);
  return g_test_run ();
}
