// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "image/quality/edges.h"
#include "image/quality/noise_model.h"
#include "image/annotation/point_width.h"
#include "image/quality/regions.h"
#include "image/quality/statistics.h"
#include "../../helpers/images.h"

#define SIDE 256

static float
half (int x, int y, int c)
{
  return 0.5f;
}

static float
texture (int x, int y, int c)
{
  return 0.5f + 0.25f * sinf (0.7f * x + c) + 0.2f * cosf (0.3f * x * y);
}

static float
opposite (int x, int y, int c)
{
  return 0.75f - 0.5f * texture (x, y, c);
}

// Left half 0.25 and 0.75 in turn, right half 2 and 4.
static float
halves (int x, int y, int c)
{
  return x < 16 ? (x + y) % 2 ? 0.75f : 0.25f : (x + y) % 2 ? 4 : 2;
}

static OdlNoiseModel
parsed (const char *text)
{
  g_autoptr (GError) error = NULL;
  OdlNoiseModel model;

  odl_noise_model_parse (text, &model, &error);
  g_assert_no_error (error);
  return model;
}

static OdlImage *
with_noise (const char *text, int channels, OdlTestPattern pattern, int64_t frame)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_test_picture (SIDE, SIDE, channels, pattern);
  const OdlNoiseModel model = parsed (text);
  OdlImage *noisy = odl_noise_model_apply (&model, image, frame, &error);

  g_assert_no_error (error);
  return noisy;
}

static const float *
samples_of (const OdlImage *image)
{
  return odl_image_info (image)->planes[0].data;
}

typedef struct {
  double mean, variance;
} Moments;

static Moments
moments_of (const OdlImage *image)
{
  const size_t n = (size_t) SIDE * SIDE;
  Moments found = { 0 };

  for (size_t i = 0; i < n; i++)
    found.mean += (double) samples_of (image)[i] / n;
  for (size_t i = 0; i < n; i++) {
    const double apart = (double) samples_of (image)[i] - found.mean;
    found.variance += apart * apart / n;
  }
  return found;
}

// Means within five standard errors, variances within 3 %, which is more than five of
// them.
static void
noise_has_its_mean_and_variance (void)
{
  static const struct {
    const char *text;
    double mean, variance;
  } cases[] = {
    { "gaussian:0.1,7", 0.5, 0.01 },
    { "gaussian:25/255", 0.5, 25.0 / 255 * 25 / 255 },
    { "speckle:0.2,1", 0.5, 0.01 }, // (v σ)²
    { "poisson:40,3", 0.5, 0.5 / 40 }, // v / PEAK
    { "poisson:4,3", 0.5, 0.5 / 4 },
    { "salt-pepper:0.2,9", 0.5, 0.2 * 0.25 }, // half of them ± ½
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlImage) noisy = with_noise (cases[i].text, 1, half, 0);
    const Moments found = moments_of (noisy);
    if (fabs (found.mean - cases[i].mean) > 5 * sqrt (cases[i].variance) / SIDE
        || fabs (found.variance / cases[i].variance - 1) > 0.03)
      g_error ("%s: mean %g, variance %g", cases[i].text, found.mean, found.variance);
  }
}

static bool
same (const OdlImage *a, const OdlImage *b)
{
  return memcmp (samples_of (a), samples_of (b), (size_t) SIDE * SIDE * sizeof (float))
         == 0;
}

static void
a_seed_gives_the_same_noise_on_any_threads (void)
{
  static const char *const kinds[]
      = { "gaussian:0.1,", "speckle:0.1,", "poisson:30,", "salt-pepper:0.1," };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *seed_1 = g_strconcat (kinds[i], "1", NULL);
    g_autofree char *seed_2 = g_strconcat (kinds[i], "18446744073709551615", NULL);
    g_autoptr (OdlImage) all = with_noise (seed_1, 1, texture, 0);
    g_autoptr (OdlImage) other = with_noise (seed_2, 1, texture, 0);
    g_autoptr (OdlImage) next = with_noise (seed_1, 1, texture, 1);
    const int threads = odl_parallel_threads ();
    odl_parallel_set_threads (1);
    g_autoptr (OdlImage) one = with_noise (seed_1, 1, texture, 0);
    odl_parallel_set_threads (threads);
    g_assert_true (same (all, one));
    g_assert_false (same (all, other));
    g_assert_false (same (all, next));
  }
}

static void
channels_have_noise_of_their_own_but_alpha_has_none (void)
{
  g_autoptr (OdlImage) noisy = with_noise ("gaussian:0.1", 4, half, 0);
  const float *samples = samples_of (noisy);
  const size_t n = (size_t) SIDE * SIDE;
  double product = 0;

  for (size_t i = 0; i < n; i++) {
    g_assert_cmpfloat (samples[4 * i + 3], ==, 0.5f);
    product += ((double) samples[4 * i] - 0.5) * ((double) samples[4 * i + 1] - 0.5) / n;
  }
  g_assert_cmpfloat (fabs (product), <, 5 * 0.01 / SIDE);
}

static void
texts_of_noise_are_read_back (void)
{
  static const char *const good[]
      = { "gaussian:0.1,0", "speckle:0.098039215686274508,7",
          "poisson:30,18446744073709551615", "salt-pepper:1,3" };
  static const char *const bad[] = { "",
                                     "gaussian",
                                     "gaussian:",
                                     "gaussian:0",
                                     "gaussian:-1",
                                     "gaussian:1/0",
                                     "gaussian:11",
                                     "salt-pepper:2",
                                     "rain:1",
                                     "gaussian:nan",
                                     "poisson:1,x",
                                     "poisson:1,-1",
                                     "poisson:1,",
                                     "gaussian:1,2,3" };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++) {
    const OdlNoiseModel model = parsed (good[i]);
    g_autofree char *text = odl_noise_model_to_text (&model);
    const OdlNoiseModel again = parsed (text);
    g_assert_cmpint (model.kind, ==, again.kind);
    g_assert_cmpfloat (model.amount, ==, again.amount);
    g_assert_cmpuint (model.seed, ==, again.seed);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    OdlNoiseModel model;
    g_assert_false (odl_noise_model_parse (bad[i], &model, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  }
}

static double
edges_of (const OdlImage *a, const OdlImage *b)
{
  g_autoptr (GError) error = NULL;
  double correlation;

  odl_edge_correlation (a, b, &correlation, &error);
  g_assert_no_error (error);
  return correlation;
}

static void
edges_correlate_with_themselves (void)
{
  g_autoptr (OdlImage) image = odl_test_picture (67, 41, 3, texture);
  g_autoptr (OdlImage) grey = odl_test_picture (67, 41, 1, texture);
  g_autoptr (OdlImage) against = odl_test_picture (67, 41, 1, opposite);
  g_autoptr (OdlImage) flat = odl_test_picture (67, 41, 1, half);
  g_autoptr (OdlImage) dot = odl_test_picture (1, 1, 1, half);
  g_autoptr (GError) error = NULL;
  double correlation;

  g_assert_cmpfloat_with_epsilon (edges_of (image, image), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (edges_of (grey, against), -1, 1e-6);
  g_assert_true (isnan (edges_of (grey, flat)));
  g_assert_true (isnan (edges_of (dot, dot)));
  g_assert_false (odl_edge_correlation (grey, dot, &correlation, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
}

static OdlAnnotation
ellipse (const char *text)
{
  OdlAnnotation annotation;

  g_assert_true (odl_annotation_from_text (&odl_annotation_ellipse, text, &annotation));
  return annotation;
}

static void
regions_are_told_apart (void)
{
  g_autoptr (OdlImage) image = odl_test_picture (32, 16, 1, halves);
  const OdlAnnotation left = ellipse ("0,0,16,16"), right = ellipse ("16,0,16,16");
  g_autoptr (GError) error = NULL;
  OdlContrast found;

  g_assert_true (odl_contrast_of (&left, &right, image, image, &found, &error));
  g_assert_cmpfloat_with_epsilon (found.region.mean, 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (found.background.sigma, 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (found.snr, 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (found.cnr, 2.5 / sqrt (1 + 0.0625), 1e-12);
  g_assert_cmpfloat_with_epsilon (found.gcnr, 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (found.enl, 9, 1e-12);
  g_assert_cmpfloat_with_epsilon (found.speckle_index, 1.0 / 3, 1e-12);
  g_assert_true (odl_contrast_of (&left, &left, image, image, &found, &error));
  g_assert_cmpfloat_with_epsilon (found.gcnr, 0, 1e-12);
  g_assert_cmpfloat (found.cnr, ==, 0);

  g_autoptr (OdlImage) flat = odl_test_picture (32, 16, 1, half);
  g_assert_true (odl_contrast_of (&left, &right, flat, flat, &found, &error));
  g_assert_true (isnan (found.snr) && isnan (found.cnr) && isnan (found.enl));
  const OdlAnnotation none = ellipse ("3.6,3.6,0.2,0.2");
  g_assert_false (odl_contrast_of (&none, &right, flat, flat, &found, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
}

#define FWHM 2.354820045 // of a Gaussian, in σ

static float
blob_at (int x, int y, double at, double across, double along)
{
  const double u = (x - at) / across, v = (y - 20.0) / along;

  return (float) (0.8 * exp (-0.5 * (u * u + v * v)));
}

static float
two_blobs (int x, int y, int c)
{
  return blob_at (x, y, 20.3, 2, 3) + blob_at (x, y, 60, 4, 3.5);
}

static float
wider_blobs (int x, int y, int c)
{
  return blob_at (x, y, 20.3, 3, 3) + blob_at (x, y, 60, 5, 3.5);
}

// The mean of several; one that is none has no part in it.
static void
widths_of_points_are_means (void)
{
  static const char *const places[] = { "10,10,20,20", "48,8,24,24", "1,42,4,4" };
  g_autoptr (OdlImage) before = odl_test_picture (80, 48, 1, two_blobs);
  g_autoptr (OdlImage) after = odl_test_picture (80, 48, 1, wider_blobs);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (OdlStatisticRow));
  const OdlSubject subject = { .scale = odl_scale_of (odl_image_info (before)),
                               .before = before,
                               .after = after,
                               .filtered = true };
  OdlAnnotation points[G_N_ELEMENTS (places)];

  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    g_assert_true (
        odl_annotation_from_text (&odl_annotation_point, places[i], &points[i]));
  odl_statistic_rows_add_points (rows, points, 2, &subject);
  g_assert_cmpuint (rows->len, ==, 2);
  const OdlStatisticRow *lateral = &g_array_index (rows, OdlStatisticRow, 0);
  const OdlStatisticRow *axial = &g_array_index (rows, OdlStatisticRow, 1);
  g_assert_cmpstr (lateral->name, ==, "lateral");
  g_assert_cmpstr (lateral->unit, ==, "px");
  g_assert_cmpfloat_with_epsilon (lateral->before, 3 * FWHM, 0.03);
  g_assert_cmpfloat_with_epsilon (lateral->after, 4 * FWHM, 0.03);
  g_assert_cmpfloat_with_epsilon (axial->before, 3.25 * FWHM, 0.03);
  g_assert_cmpfloat_with_epsilon (axial->after, axial->before, 0.03);
  g_autofree char *text = odl_statistic_rows_to_text (rows);
  g_assert_nonnull (strstr (text, "\npoints\tlateral\t"));
  // Beside the blobs a tail that rises to the edge has no width.
  const OdlPointWidth none
      = odl_point_width_of (&points[2], before, before, &subject.scale);
  g_assert_true (isnan (none.lateral) || isnan (none.axial));
  g_array_set_size (rows, 0);
  odl_statistic_rows_add_points (rows, points, 0, &subject);
  g_assert_cmpuint (rows->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image/quality/noise-has-its-mean-and-variance",
                   noise_has_its_mean_and_variance);
  g_test_add_func ("/image/quality/a-seed-gives-the-same-noise-on-any-threads",
                   a_seed_gives_the_same_noise_on_any_threads);
  g_test_add_func ("/image/quality/channels-have-noise-of-their-own-but-alpha-has-none",
                   channels_have_noise_of_their_own_but_alpha_has_none);
  g_test_add_func ("/image/quality/texts-of-noise-are-read-back",
                   texts_of_noise_are_read_back);
  g_test_add_func ("/image/quality/edges-correlate-with-themselves",
                   edges_correlate_with_themselves);
  g_test_add_func ("/image/quality/regions-are-told-apart", regions_are_told_apart);
  g_test_add_func ("/image/quality/widths-of-points-are-means",
                   widths_of_points_are_means);
  return g_test_run ();
}
