// SPDX-License-Identifier: MIT
// The cines that scanners made: every frame equals what an outside decoder has, and the
// window is told where the times come from.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cine_maker.h"
#include "../../helpers/test_data.h"
#include "support.h"

typedef struct {
  const char *path;
  int frames;
  OdlCineShape shape;
  double rate;
  const char *timing;
  double tolerance; // of one sample
  const char *warning; // a part of it; NULL: none
} Real;

static const Real reals[] = {
  // Echocardiography, colour at half width: the decoders round it by themselves.
  { "pydicom/examples_ybr_color.dcm",
    30,
    { 320, 240, 3, 1 },
    1000 / 33.333,
    "Frame Time",
    2,
    "regions reaches beyond the picture" },
  // Angiography.
  { "fo-dicom/HasFragmentSequence.dcm",
    96,
    { 512, 512, 1, 1 },
    1000.0 / 33,
    "Frame Time",
    0,
    "its mask is not subtracted" },
  { "pydicom-data/emri_small_RLE.dcm",
    10,
    { 64, 64, 1, 2 },
    0,
    NULL,
    0,
    "its header does not say where its frames lie" },
  { "pydicom/SC_rgb_rle_16bit_2frame.dcm", 2, { 100, 100, 3, 2 }, 0, NULL, 0 },
};

static void
test_dicom (gconstpointer data)
{
  const Real *real = data;
  g_autofree char *path = odl_test_data (real->path);
  if (path == NULL)
    return;
  g_autoptr (GBytes) truth
      = odl_cine_expand (path, strstr (real->path, "RLE") || strstr (real->path, "rle")
                                   ? "dcmdrle"
                                   : "dcmdjpeg +cp +px");
  if (truth == NULL)
    return;
  const OdlCineShape *shape = &real->shape;
  const size_t frame_bytes = (size_t) shape->width * (size_t) shape->height
                             * (size_t) shape->samples * (size_t) shape->sample_bytes;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.n_frames, ==, real->frames);
  g_assert_cmpint (source->info.declared_frames, ==, real->frames);
  if (real->warning != NULL)
    odl_test_contains (real->path, source->info.warning, real->warning);
  else
    g_assert_null (source->info.warning);
  g_assert_cmpfloat_with_epsilon (source->info.frame_rate, real->rate, 1e-9);
  g_assert_cmpstr (source->info.timing, ==, real->timing);
  g_assert_cmpuint (g_bytes_get_size (truth), >=, frame_bytes * (size_t) real->frames);
  const uint8_t *samples = g_bytes_get_data (truth, NULL);
  double worst = 0;
  for (int i = 0; i < real->frames; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    g_assert_no_error (error);
    g_assert_null (odl_image_info (image)->mark);
    const double difference = odl_cine_shape_difference (
        shape, samples + (size_t) i * frame_bytes, image, shape->height);
    worst = fmax (worst, difference);
  }
  g_test_message ("%s: off by at most %g", real->path, worst);
  g_assert_cmpfloat (worst, <=, real->tolerance);
}

// The samples themselves are compared with numpy by the test “metaimage”.
static void
test_metaimage (void)
{
  g_autofree char *path = odl_test_data ("PlusLibData/SpinePhantomFreehand.igs.mha");
  if (path == NULL)
    return;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  const OdlSourceInfo *info = &source->info;
  g_assert_cmpint (info->n_frames, ==, 21);
  g_assert_cmpstr (info->timing, ==, "Timestamp");
  g_assert_nonnull (info->frame_times_ns);
  g_assert_cmpint (info->frame_times_ns[0], ==, 0);
  // Seq_Frame0002_Timestamp − Seq_Frame0000_Timestamp.
  g_assert_cmpfloat_with_epsilon ((double) info->frame_times_ns[2], 0.1743e9, 1e3);
  for (int i = 0; i < info->n_frames; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    g_assert_no_error (error);
    g_assert_null (odl_image_info (image)->mark);
  }
}

// The next frame is decoded meanwhile by another helper, whatever is asked for then.
static void
test_any_order (void)
{
  static const int order[]
      = { 1, 2, 3, 7, 8, 9, 2, 3, 5, 6, 7, 6, 5, 0, 1, 2, 9, 9, 8, 0 };
  g_autofree char *plain = odl_test_data ("pydicom-data/emri_small.dcm");
  g_autofree char *coded = odl_test_data ("pydicom-data/emri_small_jpeg_2k_lossless.dcm");
  g_autoptr (GError) error = NULL;
  if (plain == NULL || coded == NULL)
    return;
  g_autoptr (OdlSource) truth = odl_source_open (plain, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (OdlSource) source = odl_source_open (coded, NULL, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < G_N_ELEMENTS (order); i++) {
    g_autoptr (OdlImage) wanted = odl_source_read_frame (truth, order[i], NULL, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) got = odl_source_read_frame (source, order[i], NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (odl_test_difference (got, wanted), ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (reals); i++) {
    g_autofree char *base = g_path_get_basename (reals[i].path);
    g_autofree char *name = g_strdup_printf ("/real/%s", base);
    g_test_add_data_func (name, &reals[i], test_dicom);
  }
  g_test_add_func ("/real/b-mode-with-stamps", test_metaimage);
  g_test_add_func ("/real/jpeg-2000-in-any-order", test_any_order);
  return g_test_run ();
}
