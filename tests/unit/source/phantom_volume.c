// SPDX-License-Identifier: MIT
// The phantom of volumes over time: its words, its beat, its noise, and that it is the
// same everywhere.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "source/phantom/volume.h"
#include "source/source.h"
#include "source/volume.h"

static OdlVolumePhantom
parse (const char *text)
{
  OdlVolumePhantom phantom;
  g_autoptr (GError) error = NULL;

  g_assert_true (odl_volume_phantom_parse (text, &phantom, &error));
  g_assert_no_error (error);
  return phantom;
}

static OdlImage *
slice_of (const char *text, int time, int z)
{
  const OdlVolumePhantom phantom = parse (text);
  g_autoptr (GError) error = NULL;
  OdlImage *slice = odl_volume_phantom_slice (&phantom, time, z, &error);

  g_assert_no_error (error);
  return slice;
}

static const guint16 *
samples_of (const OdlImage *image)
{
  return odl_image_info (image)->planes[0].data;
}

static void
test_words (void)
{
  static const char *const refused[] = {
    "phantom:128x128x96x",    "phantom:7x128x96",          "phantom:128x128x2049",
    "phantom:128x128x96x0",   "phantom:128x128x96x20x2",   "phantom:128x128x96,dirty",
    "phantom:128x128x96,",    "phantom:128x128x96,rate=0", "phantom:128x128x96,sigma=nan",
    "phantom:128x128x96,x=1", "phantom:8x8x8,noise=loud",  "phantom:8x8x8,seed=-1",
    "phantom:8xx8",           "phantom:8x8x8,clean=1",
  };
  const OdlVolumePhantom all = parse ("phantom:128x120x96x20,seed=7,noise=gaussian,sigma="
                                      "0.1,spacing=0.8,slice=2,rate=12.5,clean");

  g_assert_cmpint (all.size[0], ==, 128);
  g_assert_cmpint (all.size[1], ==, 120);
  g_assert_cmpint (all.size[2], ==, 96);
  g_assert_cmpint (all.times, ==, 20);
  g_assert_cmpuint (all.seed, ==, 7);
  g_assert_cmpint (all.noise, ==, ODL_VOLUME_PHANTOM_GAUSSIAN);
  g_assert_cmpfloat (all.sigma, ==, 0.1);
  g_assert_cmpfloat (all.spacing_mm[0], ==, 0.8);
  g_assert_cmpfloat (all.spacing_mm[1], ==, 2);
  g_assert_cmpfloat (all.rate, ==, 12.5);
  g_assert_true (all.clean);
  g_assert_cmpint (parse ("phantom:8x9x10").times, ==, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++) {
    OdlVolumePhantom phantom;
    g_autoptr (GError) error = NULL;
    g_assert_false (odl_volume_phantom_parse (refused[i], &phantom, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, refused[i]));
  }
}

// Its slices are frames of a source of volumes; the cine's phantom keeps its own words.
static void
test_source (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source
      = odl_source_open ("phantom:20x18x12x4,spacing=0.5,slice=2,rate=25", NULL, &error);
  g_assert_no_error (error);
  g_autoptr (OdlSource) cine = odl_source_open ("phantom:64x64", NULL, &error);
  g_assert_no_error (error);

  g_assert_cmpint (cine->info.n_slices, ==, 0);
  g_assert_cmpint (source->info.n_slices, ==, 12);
  g_assert_cmpint (source->info.n_frames, ==, 48);
  g_assert_cmpstr (odl_source_detail (source, "volume-interval-s"), ==, "0.04");
  g_assert_cmpstr (odl_source_detail (source, "image-position"), ==, "-4.75\\-4.25\\-11");
  g_assert_cmpstr (odl_source_detail (source, "slice-step"), ==, "0\\0\\2");
  g_autoptr (OdlImage) volume = odl_source_read_volume (source, 2, 1, NULL, &error);
  g_assert_no_error (error);
  const OdlImageInfo *info = odl_image_info (volume);
  g_assert_cmpint (info->extent.z, ==, 12);
  g_assert_cmpfloat (info->spacing_mm[0], ==, 0.5);
  g_assert_cmpfloat (info->spacing_mm[2], ==, 2);
  g_autoptr (OdlImage) slice = slice_of ("phantom:20x18x12x4", 2, 5);
  g_assert_cmpmem (samples_of (volume) + 5 * 20 * 18, 2 * 20 * 18, samples_of (slice),
                   2 * 20 * 18);
  g_assert_null (odl_source_read_frame (source, 48, NULL, NULL));
}

// Dark voxels of the cavity, in all slices of a volume.
static int
cavity_at (int time)
{
  int n = 0;

  for (int z = 0; z < 32; z++) {
    g_autoptr (OdlImage) slice = slice_of ("phantom:48x48x32x8,clean", time, z);
    for (int i = 0; i < 48 * 48; i++)
      n += abs (samples_of (slice)[i] - (int) (0.08 * ODL_VOLUME_PHANTOM_WHITE)) < 4;
  }
  return n;
}

// The cavity has the volume of its ellipsoid at rest, 0.78³ of it at the peak, and the
// beat is as long as there are times.
static void
test_beat (void)
{
  const double at_rest = 4 / 3.0 * G_PI * (0.34 * 24) * (0.28 * 24) * (0.40 * 16);
  const int rest = cavity_at (0), peak = cavity_at (4);

  g_test_message ("cavity: %d of %.0f at rest, %d at the peak", rest, at_rest, peak);
  // Voxels at its edge have levels between.
  g_assert_cmpfloat (rest, <, at_rest);
  g_assert_cmpfloat (rest, >, 0.75 * at_rest);
  g_assert_cmpfloat_with_epsilon (cbrt ((double) peak / rest), 0.78, 0.03);
  g_assert_cmpint (cavity_at (3), ==, cavity_at (5));
}

// Mean and deviation of noisy over clean samples inside the body, where these are even.
static void
measure (const char *noisy, const char *clean, double *mean, double *deviation)
{
  double sum = 0, squares = 0;
  int n = 0;

  for (int z = 24; z < 40; z++) {
    g_autoptr (OdlImage) a = slice_of (noisy, 1, z);
    g_autoptr (OdlImage) b = slice_of (clean, 1, z);
    for (int i = 0; i < 64 * 64; i++) {
      if (abs (samples_of (b)[i] - (int) (0.36 * ODL_VOLUME_PHANTOM_WHITE)) > 2)
        continue;
      const double value = samples_of (a)[i] / (double) ODL_VOLUME_PHANTOM_WHITE;
      sum += value;
      squares += value * value;
      n++;
    }
  }
  g_assert_cmpint (n, >, 5000);
  *mean = sum / n;
  *deviation = sqrt (squares / n - *mean * *mean);
}

// Rayleigh amplitudes have a mean of 1.913 deviations. Both kinds keep the mean.
static void
test_noise (void)
{
  double mean, deviation;

  measure ("phantom:64x64x64x4", "phantom:64x64x64x4,clean", &mean, &deviation);
  g_assert_cmpfloat_with_epsilon (mean, 0.36, 0.005);
  g_assert_cmpfloat_with_epsilon (mean / deviation, sqrt (G_PI / (4 - G_PI)), 0.05);
  measure ("phantom:64x64x64x4,noise=gaussian,sigma=0.04", "phantom:64x64x64x4,clean",
           &mean, &deviation);
  g_assert_cmpfloat_with_epsilon (mean, 0.36, 0.002);
  g_assert_cmpfloat_with_epsilon (deviation, 0.04, 0.001);
}

// Another seed, another time, another slice: other noise.
static void
test_seeds (void)
{
  static const char *const texts[]
      = { "phantom:32x32x16x2", "phantom:32x32x16x2,seed=2" };
  g_autoptr (OdlImage) first = slice_of (texts[0], 0, 0);

  for (int i = 1; i < 4; i++) {
    g_autoptr (OdlImage) other = slice_of (texts[i == 1], i == 2, i == 3);
    g_assert_cmpint (memcmp (samples_of (first), samples_of (other), 2 * 32 * 32), !=, 0);
  }
}

// The bytes of a slice of each kind, as they were on the first machine.
static void
test_same_everywhere (void)
{
  static const struct {
    const char *text, *sum;
  } cases[] = {
    { "phantom:40x36x24x6", "122d899e1d6da4da49040013dd529ab5" },
    { "phantom:40x36x24x6,noise=gaussian", "797e118bc4ea376d0841b3fe787bb7f4" },
    { "phantom:40x36x24x6,clean", "013911959494e955de0a2b1d0d172440" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlImage) slice = slice_of (cases[i].text, 2, 11);
    guchar bytes[2 * 40 * 36];
    for (int k = 0; k < 40 * 36; k++) {
      bytes[2 * k] = (guchar) (samples_of (slice)[k] & 255);
      bytes[2 * k + 1] = (guchar) (samples_of (slice)[k] >> 8);
    }
    g_autofree char *sum
        = g_compute_checksum_for_data (G_CHECKSUM_MD5, bytes, sizeof bytes);
    g_test_message ("%s: %s", cases[i].text, sum);
    g_assert_cmpstr (sum, ==, cases[i].sum);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phantom-volume/words", test_words);
  g_test_add_func ("/phantom-volume/slices-are-frames-of-a-source", test_source);
  g_test_add_func ("/phantom-volume/it-beats", test_beat);
  g_test_add_func ("/phantom-volume/noise-has-its-statistics", test_noise);
  g_test_add_func ("/phantom-volume/seeds-times-and-slices-differ", test_seeds);
  g_test_add_func ("/phantom-volume/the-same-everywhere", test_same_everywhere);
  return g_test_run ();
}
