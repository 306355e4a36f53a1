// SPDX-License-Identifier: MIT
// The reference transform by property.
#include <glib.h>
#include <math.h>
#include <string.h>

#include "wavelet/border.h"
#include "../../helpers/transform_2d.h"

#define MAX_SIZE 67

typedef struct {
  int count;
  OdlTransform at[256];
} Transforms;

// Every wavelet with every border that it may have.
static Transforms
every_transform (void)
{
  Transforms all = { 0 };

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++)
      if (odl_wavelet_at (w)->borders & 1u << border) {
        g_assert_cmpint (all.count, <, G_N_ELEMENTS (all.at));
        OdlTransform *transform = &all.at[all.count++];
        *transform = odl_transform_of (odl_wavelet_at (w));
        transform->border = border;
        if (transform->wavelet->reversible)
          transform->quantum = 1 / 255.0;
      }
  return all;
}

static void
fill_random (GRand *random, double *data, int n)
{
  for (int i = 0; i < n; i++)
    data[i] = g_rand_double (random);
}

static double
largest_difference (const double *a, const double *b, int n)
{
  double largest = 0;

  for (int i = 0; i < n; i++)
    largest = MAX (largest, fabs (a[i] - b[i]));
  return largest;
}

static void
test_reconstructs (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  Transforms all = every_transform ();
  double before[MAX_SIZE * 3], after[MAX_SIZE * 3];

  for (int t = 0; t < all.count; t++)
    for (int n = 1; n <= MAX_SIZE; n++)
      for (int h = 1; h <= 3; h++) {
        fill_random (random, before, n * h);
        if (all.at[t].wavelet->reversible)
          for (int i = 0; i < n * h; i++)
            before[i] = floor (256 * before[i]) * all.at[t].quantum;
        memcpy (after, before, sizeof before);
        const int levels = odl_max_levels (n, h);
        odl_transform_forward_2d (&all.at[t], after, n, h, n, levels);
        odl_transform_inverse_2d (&all.at[t], after, n, h, n, levels);
        g_assert_cmpfloat (largest_difference (before, after, n * h), <, 1e-12);
      }
}

// High coefficients of n samples whose filter stays inside the line.
static bool
is_inside (const OdlTaps *taps, int i, int n)
{
  const int first = 2 * i + 1 + taps->first;

  return first >= 0 && first + taps->count <= n;
}

// A polynomial of degree below the number of vanishing moments has no details inside.
static void
test_polynomials (void)
{
  const int n = 64;
  double x[64], low[32], high[32];

  for (size_t w = 0; w < odl_wavelet_count (); w++) {
    const OdlWavelet *wavelet = odl_wavelet_at (w);
    const OdlTransform transform = odl_transform_of (wavelet);
    for (int degree = 0; degree <= wavelet->vanishing_moments && !wavelet->reversible;
         degree++) {
      double largest = 0;
      for (int i = 0; i < n; i++)
        x[i] = pow ((i - 32) / 32.0, degree);
      odl_transform_forward_1d (&transform, x, 1, n, low, high, 1);
      for (int i = 0; i < n / 2; i++)
        if (is_inside (&wavelet->analysis_high, i, n))
          largest = MAX (largest, fabs (high[i]));
      if (degree < wavelet->vanishing_moments)
        g_assert_cmpfloat (largest, <, 1e-13);
      else
        g_assert_cmpfloat (largest, >, 1e-9);
    }
  }
}

static void
test_gains (void)
{
  double x[64], low[32], high[32];
  const Transforms all = every_transform ();

  for (int t = 0; t < all.count; t++) {
    if (all.at[t].border == ODL_BORDER_ZERO || all.at[t].wavelet->reversible)
      continue;
    for (int i = 0; i < 64; i++)
      x[i] = 1;
    odl_transform_forward_1d (&all.at[t], x, 1, 64, low, high, 1);
    for (int i = 0; i < 32; i++)
      g_assert_cmpfloat (fabs (low[i] - 1), <, 1e-14);
    for (int i = 0; i < 64; i++)
      x[i] = i % 2 == 0 ? 1 : -1;
    odl_transform_forward_1d (&all.at[t], x, 1, 64, low, high, 1);
    for (int i = 0; i < 32; i++)
      g_assert_cmpfloat (fabs (fabs (high[i]) - 2), <, 1e-14);
  }
}

// JPEG 2000's lifting, written out on its own, gives low = s/K and high = K·d.
static void
lift (const double *x, int n, double *z)
{
  static const double steps[]
      = { -1.586134342059924, -0.052980118572961, 0.882911075530934, 0.443506852043971 };
  const double k = 1.230174104914001;

  memcpy (z, x, n * sizeof *z);
  for (int s = 0; s < 4; s++)
    for (int i = 1 - s % 2; i < n; i += 2) {
      const int left = i > 0 ? i - 1 : 1;
      const int right = i < n - 1 ? i + 1 : n - 2;
      z[i] += steps[s] * (z[left] + z[right]);
    }
  for (int i = 0; i < n; i++)
    z[i] *= i % 2 == 0 ? 1 / k : k;
}

static void
test_lifting (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  const OdlTransform transform = odl_transform_of (odl_wavelet_find ("cdf97"));
  double x[MAX_SIZE], z[MAX_SIZE], low[MAX_SIZE], high[MAX_SIZE];

  for (int n = 2; n <= MAX_SIZE; n++) {
    fill_random (random, x, n);
    lift (x, n, z);
    odl_transform_forward_1d (&transform, x, 1, n, low, high, 1);
    for (int i = 0; i < n; i++)
      g_assert_cmpfloat (fabs (z[i] - (i % 2 == 0 ? low : high)[i / 2]), <, 1e-12);
  }
}

static void
test_flip (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (13);
  double x[MAX_SIZE], y[MAX_SIZE], low[2][34], high[2][33];

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (int n = 3; n <= MAX_SIZE; n += 2) { // odd: even samples stay even
      const OdlTransform transform = odl_transform_of (odl_wavelet_at (w));
      if (transform.border != ODL_BORDER_WHOLE_SAMPLE || transform.wavelet->reversible)
        continue;
      fill_random (random, x, n);
      for (int i = 0; i < n; i++)
        y[i] = x[n - 1 - i];
      odl_transform_forward_1d (&transform, x, 1, n, low[0], high[0], 1);
      odl_transform_forward_1d (&transform, y, 1, n, low[1], high[1], 1);
      for (int i = 0; i < odl_low_count (n); i++)
        g_assert_cmpfloat (fabs (low[0][i] - low[1][odl_low_count (n) - 1 - i]), <,
                           1e-13);
      for (int i = 0; i < odl_high_count (n); i++)
        g_assert_cmpfloat (fabs (high[0][i] - high[1][odl_high_count (n) - 1 - i]), <,
                           1e-13);
    }
}

// Of one tap at offset k, or 0.
static double
tap_at (const OdlTaps *taps, int k)
{
  return k >= taps->first && k < taps->first + taps->count ? taps->value[k - taps->first]
                                                           : 0;
}

// Analysis of what synthesis makes of a single coefficient is that coefficient, to the
// last digits of double: the taps are no truer than this shows.
static void
test_biorthogonal (void)
{
  for (size_t w = 0; w < odl_wavelet_count (); w++) {
    const OdlWavelet *wavelet = odl_wavelet_at (w);
    const OdlTaps *analysis[] = { &wavelet->analysis_low, &wavelet->analysis_high };
    for (int place = 0; place < 2; place++) // of the coefficient: low 0 or high 0
      for (int to = -40; to <= 41; to++) {
        const OdlTaps *taps = analysis[to & 1];
        double sum = 0;
        for (int i = 0; i < taps->count; i++) {
          const int n = to + taps->first + i;
          sum += taps->value[i]
                 * tap_at (n % 2 == 0 ? &wavelet->synthesis_even
                                      : &wavelet->synthesis_odd,
                           place - n);
        }
        const double error = fabs (sum - (to == place));
        if (error > 2e-15)
          g_error ("%s: coefficient %d gives %g to %d", wavelet->name, place, error, to);
      }
  }
}

// Coefficients stand where the picture has its edges.
static void
test_middle (void)
{
  for (size_t w = 0; w < odl_wavelet_count (); w++) {
    const OdlTaps *taps = &odl_wavelet_at (w)->analysis_low;
    double middle = 0;
    for (int i = 0; i < taps->count; i++)
      middle += taps->value[i] * (taps->first + i);
    g_assert_cmpfloat (fabs (middle), <, 0.5 + 1e-9);
  }
}

// White noise through the filters, and the numbers of the literature.
static void
test_norms (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (17);
  const int n = 65536;
  g_autofree double *x = g_new (double, 2 * n);

  for (size_t w = 0; w < odl_wavelet_count (); w++) {
    const OdlTransform transform = odl_transform_of (odl_wavelet_at (w));
    double low = 0, high = 0;
    if (transform.wavelet->reversible)
      continue;
    for (int i = 0; i < n; i++)
      x[i] = g_rand_double (random) + g_rand_double (random) - 1;
    odl_transform_forward_1d (&transform, x, 1, n, x + n, x + n + n / 2, 1);
    for (int i = 0; i < n / 2; i++) {
      low += x[n + i] * x[n + i] * 6 * 2 / n; // the variance of x is 1/6
      high += x[n + n / 2 + i] * x[n + n / 2 + i] * 6 * 2 / n;
    }
    g_assert_cmpfloat_with_epsilon (sqrt (low) / transform.wavelet->l2_low, 1, 0.02);
    g_assert_cmpfloat_with_epsilon (sqrt (high) / transform.wavelet->l2_high, 1, 0.02);
  }
  g_assert_cmpfloat_with_epsilon (odl_wavelet_find ("9/7")->l2_low, 0.721261, 1e-6);
  g_assert_cmpfloat_with_epsilon (odl_wavelet_find ("9/7")->l2_high, 1.402108, 1e-6);
  g_assert_cmpfloat_with_epsilon (odl_wavelet_find ("5/3")->l2_low, 0.847791, 1e-6);
  g_assert_cmpfloat_with_epsilon (odl_wavelet_find ("5/3")->l2_high, 1.224745, 1e-6);
  g_assert_cmpfloat_with_epsilon (odl_wavelet_find ("coif5")->l2_low, G_SQRT2 / 2, 1e-15);
}

static void
test_names (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (size_t w = 0; w < odl_wavelet_count (); w++) {
    const OdlWavelet *wavelet = odl_wavelet_at (w);
    g_assert_true (g_hash_table_add (seen, (char *) wavelet->name));
    g_assert_true (odl_wavelet_find (wavelet->name) == wavelet);
    for (const char *const *alias = wavelet->aliases; *alias != NULL; alias++) {
      g_assert_true (g_hash_table_add (seen, (char *) *alias));
      g_assert_true (odl_wavelet_find (*alias) == wavelet);
    }
    // The groups of the chooser are runs of the table.
    g_assert_true (w == 0 || wavelet->family >= odl_wavelet_at (w - 1)->family);
  }
  g_assert_true (odl_wavelet_find ("CDF97") == odl_wavelet_find ("9/7"));
  g_assert_true (odl_wavelet_find ("sym2") == odl_wavelet_find ("db2"));
  g_assert_null (odl_wavelet_find ("haar2000"));
}

// Which borders a wavelet may have follows from its taps; here from what they do.
static void
test_valid_borders (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (19);
  double x[33], z[33], y[33];

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++) {
      OdlWavelet any = *odl_wavelet_at (w);
      const OdlTransform transform = { &any, border, 1 };
      double worst = 0;
      if (any.reversible)
        continue;
      any.borders = (1u << ODL_N_BORDERS) - 1;
      for (int n = 31; n <= 33; n++) {
        fill_random (random, x, n);
        odl_transform_forward_1d (&transform, x, 1, n, z, z + odl_low_count (n), 1);
        odl_transform_inverse_1d (&transform, z, z + odl_low_count (n), 1, n, y, 1);
        worst = MAX (worst, largest_difference (x, y, n));
      }
      if (odl_wavelet_at (w)->borders & 1u << border)
        g_assert_cmpfloat (worst, <, 1e-13);
      else if (border == ODL_BORDER_ZERO && strstr (any.name, "bio") != NULL
               && any.name[4] == '1')
        g_assert_cmpfloat (worst, <, 1e-13); // lifted Haar; see borders_of
      else if (!(worst > 1e-9))
        g_error ("%s reconstructs with border %d: %g", any.name, border, worst);
    }
}

static void
test_border (void)
{
  for (int n = 1; n <= MAX_SIZE; n++)
    for (int i = -300; i <= 300; i++) {
      int fold = i, wrap = i; // walk it, reflecting or starting again at the edges
      while (n > 1 && (fold < 0 || fold >= n))
        fold = fold < 0 ? -fold : 2 * (n - 1) - fold;
      while (wrap < 0 || wrap >= n)
        wrap += wrap < 0 ? n : -n;
      g_assert_cmpint (odl_border_fold (i, n), ==, n == 1 ? 0 : fold);
      g_assert_cmpint (odl_border_index (ODL_BORDER_WHOLE_SAMPLE, i, n), ==,
                       n == 1 ? 0 : fold);
      g_assert_cmpint (odl_border_index (ODL_BORDER_PERIODIC, i, n), ==, wrap);
      g_assert_cmpint (odl_border_index (ODL_BORDER_ZERO, i, n), ==,
                       i >= 0 && i < n ? i : -1);
    }
  g_assert_cmpint (odl_border_length (ODL_BORDER_WHOLE_SAMPLE, 7), ==, 7);
  g_assert_cmpint (odl_border_length (ODL_BORDER_PERIODIC, 7), ==, 6);
  g_assert_cmpint (odl_border_length (ODL_BORDER_ZERO, 8), ==, 8);
  g_assert_cmpint (odl_border_length (ODL_BORDER_ZERO, 1), ==, 1);
}

// Halves, the usual case after a threshold, go towards zero, wherever rounding errors
// lie.
static void
test_round (void)
{
  static const struct {
    double x, whole;
  } cases[] = { { 0, 0 },    { 0.4, 0 }, { 0.5, 0 },       { 0.50001, 0 }, { 0.6, 1 },
                { -0.5, 0 }, { 4.5, 4 }, { -4.49999, -4 }, { -4.5, -4 },   { -4.6, -5 },
                { 3, 3 },    { -7, -7 }, { 2.99, 3 },      { 3.01, 3 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat (odl_wavelet_round (cases[i].x), ==, cases[i].whole);
}

static void
test_levels (void)
{
  g_assert_cmpint (odl_max_levels (1, 1), ==, 0);
  g_assert_cmpint (odl_max_levels (2, 1), ==, 1);
  g_assert_cmpint (odl_max_levels (512, 512), ==, 9);
  g_assert_cmpint (odl_max_levels (1, 513), ==, 10);
  g_assert_cmpint (odl_level_size (511, 3), ==, 64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wavelet/reconstructs-every-size", test_reconstructs);
  g_test_add_func ("/wavelet/polynomials-have-no-details", test_polynomials);
  g_test_add_func ("/wavelet/gains-are-1-and-2", test_gains);
  g_test_add_func ("/wavelet/cdf97-equals-jpeg2000-lifting", test_lifting);
  g_test_add_func ("/wavelet/flips-commute-for-odd-sizes", test_flip);
  g_test_add_func ("/wavelet/taps-are-biorthogonal-to-the-last-digits",
                   test_biorthogonal);
  g_test_add_func ("/wavelet/low-pass-taps-stand-in-the-middle", test_middle);
  g_test_add_func ("/wavelet/l2-norms-are-the-gains-of-noise", test_norms);
  g_test_add_func ("/wavelet/borders-that-do-not-reconstruct-are-not-valid",
                   test_valid_borders);
  g_test_add_func ("/wavelet/names-and-aliases-are-found", test_names);
  g_test_add_func ("/wavelet/folding-equals-stepwise-reflection", test_border);
  g_test_add_func ("/wavelet/halves-round-towards-zero", test_round);
  g_test_add_func ("/wavelet/levels-end-at-one-pixel", test_levels);
  return g_test_run ();
}
