// SPDX-License-Identifier: MIT
// The value under a pointer.
#include <glib.h>
#include <string.h>

#include "image/numbers.h"
#include "image/probe.h"

static OdlImage *
make (OdlImageInfo info, const void *samples, size_t bytes)
{
  g_autoptr (GError) error = NULL;
  void *to;
  OdlImage *image = odl_image_alloc (&info, &to, &error);

  g_assert_no_error (error);
  memcpy (to, samples, bytes);
  return image;
}

static void
check (const OdlImage *image, const OdlImage *scaled, int x, int y, const char *wanted)
{
  OdlProbe probe;

  g_assert_true (odl_probe (image, scaled, x, y, &probe));
  g_autofree char *text = odl_probe_to_text (image, &probe);
  g_assert_cmpstr (text, ==, wanted);
}

// All stored values come back exactly, in their unit.
static void
test_grey (void)
{
  const OdlImageInfo info
      = { .extent = { 65536, 1 },
          .channels = 1,
          .type = ODL_SAMPLE_S16,
          .stored_min = -32768,
          .stored_max = 32767,
          .value_map = { .slope = 1, .intercept = -1024, .unit = "HU" } };
  g_autofree gint16 *samples = g_new (gint16, 65536);
  OdlProbe probe;

  for (int i = 0; i < 65536; i++)
    samples[i] = (gint16) (i - 32768);
  g_autoptr (OdlImage) image = make (info, samples, 65536 * sizeof *samples);
  for (int i = 0; i < 65536; i++) {
    g_assert_true (odl_probe (image, image, i, 0, &probe));
    g_assert_cmpint (probe.channels, ==, 1);
    g_assert_cmpfloat (probe.values[0], ==, i - 32768 - 1024);
  }
  check (image, image, 32768 + 1058, 0, "34 HU");
  g_assert_false (odl_probe (image, image, -1, 0, &probe));
  g_assert_false (odl_probe (image, image, 65536, 0, &probe));
  g_assert_false (odl_probe (image, image, 0, 1, &probe));
}

// A result is scaled to 0 … 1 and means what its input means.
static void
test_result (void)
{
  static const guint16 stored[] = { 0, 1000, 4095 };
  static const float filtered[] = { 0, 0.25f, 1 };
  const OdlImageInfo info = { .extent = { 3, 1 },
                              .channels = 1,
                              .type = ODL_SAMPLE_U16,
                              .stored_max = 4095,
                              .value_map = { .slope = 2, .intercept = -1000 } };
  const OdlImageInfo scaled
      = { .extent = { 3, 1 }, .channels = 1, .type = ODL_SAMPLE_F32 };
  g_autoptr (OdlImage) image = make (info, stored, sizeof stored);
  g_autoptr (OdlImage) result = make (scaled, filtered, sizeof filtered);

  check (image, image, 1, 0, "1000");
  check (image, result, 0, 0, "−1000");
  check (image, result, 1, 0, "1047.5");
  check (image, result, 2, 0, "7190");
}

static void
check_fraction (const OdlImage *image, double fraction, const char *wanted)
{
  g_autofree char *text = odl_probe_fraction_to_text (image, fraction, ODL_UNIT_FILE);

  g_assert_cmpstr (text, ==, wanted);
}

static void
test_fractions (void)
{
  static const guint16 stored[] = { 0, 4095 };
  const OdlImageInfo ct
      = { .extent = { 2, 1 },
          .channels = 1,
          .type = ODL_SAMPLE_U16,
          .stored_max = 4095,
          .value_map = { .slope = 1, .intercept = -1024, .unit = "HU" } };
  g_autoptr (OdlImage) image = make (ct, stored, sizeof stored);

  check_fraction (image, 0, "−1024 HU");
  check_fraction (image, 1058.0 / 4095, "34 HU");
  check_fraction (image, 1, "3071 HU");
}

static void
check_in_unit (const OdlImage *image, const OdlImage *scaled, const char *const wanted[3])
{
  for (int unit = ODL_UNIT_FILE; unit <= ODL_UNIT_8_BIT; unit++) {
    OdlProbe probe, before;
    g_assert_true (odl_probe (image, scaled, 1, 0, &probe));
    g_assert_true (odl_probe (image, image, 0, 0, &before));
    probe.unit = before.unit = (OdlUnit) unit;
    g_autofree char *value = odl_probe_to_text (image, &probe);
    g_autofree char *taken = odl_probe_residual_to_text (image, &before, &probe);
    g_autofree char *both = g_strdup_printf ("%s; %s", value, taken);
    g_assert_cmpstr (both, ==, wanted[unit]);
  }
}

// One number in the file's unit, as a share of full scale, and of 255: stored 1000 of 0 …
// 4000 with slope 2 and −500 is 1500, ¼, and 63.75.
static void
test_units (void)
{
  static const guint16 stored[] = { 0, 1000 };
  static const float filtered[] = { 0, 0.5 };
  static const guint8 colours[] = { 0, 51, 255, 255, 102, 51 };
  static const char *const raw[]
      = { "1500 HU; −2000 HU", "0.25; −0.25", "63.75 / 255; −63.75 / 255" };
  static const char *const done[]
      = { "3500 HU; −4000 HU", "0.5; −0.5", "127.5 / 255; −127.5 / 255" };
  static const char *const rgb[]
      = { "255, 102, 51; −255, −51, 204", "1, 0.4, 0.2; −1, −0.2, 0.8",
          "255, 102, 51 / 255; −255, −51, 204 / 255" };
  const OdlImageInfo ct
      = { .extent = { 2, 1 },
          .channels = 1,
          .type = ODL_SAMPLE_U16,
          .stored_max = 4000,
          .value_map = { .slope = 2, .intercept = -500, .unit = "HU" } };
  const OdlImageInfo scaled
      = { .extent = { 2, 1 }, .channels = 1, .type = ODL_SAMPLE_F32 };
  const OdlImageInfo colour
      = { .extent = { 2, 1 }, .channels = 3, .type = ODL_SAMPLE_U8, .stored_max = 255 };
  g_autoptr (OdlImage) image = make (ct, stored, sizeof stored);
  g_autoptr (OdlImage) result = make (scaled, filtered, sizeof filtered);
  g_autoptr (OdlImage) picture = make (colour, colours, sizeof colours);

  check_in_unit (image, image, raw);
  check_in_unit (image, result, done);
  check_in_unit (picture, picture, rgb);
}

static void
check_difference (const OdlImage *image, const OdlProbe *probe, const char *wanted)
{
  g_autofree char *text = odl_probe_difference_to_text (image, probe);

  g_assert_cmpstr (text, ==, wanted);
}

// Numbers of a file as it has them, in as many digits as tell them apart.
static void
test_numbers (void)
{
  static const float floats[] = { 0.1f, 1.0f / 3, 0.99999994f, -1e20f, 12175, 0 };
  const OdlImageInfo info
      = { .extent = { 6, 1 }, .channels = 1, .type = ODL_SAMPLE_F32, .stored_max = 1 };
  static const char *const wanted[]
      = { "0.1", "0.33333334", "0.99999994", "−1e+20", "12175", "no number" };
  static const gint32 whole[] = { 16777217, -2147483647, 70000000, 1, 2, 3 };
  g_autoptr (OdlImage) image = make (info, floats, sizeof floats);
  OdlNumbers numbers = { .type = ODL_NUMBER_S32, .held = ODL_NUMBER_S32 };
  OdlProbe probe;

  for (int i = 0; i < 5; i++)
    check (image, image, i, 0, wanted[i]);
  numbers.planes[0] = (OdlPlane){ whole, sizeof *whole, sizeof whole, 0, 0 };
  odl_image_set_numbers (image, &numbers);
  for (int i = 0; i < 6; i++) {
    g_assert_true (odl_probe (image, image, i, 0, &probe));
    g_assert_cmpfloat (probe.values[0], ==, whole[i]);
  }
  probe.values[0] = __builtin_nan ("");
  g_autofree char *none = odl_probe_to_text (image, &probe);
  g_assert_cmpstr (none, ==, wanted[5]);
}

// What was taken away, in the unit of the file.
static void
test_residuals (void)
{
  static const guint16 stored[] = { 0, 4095 };
  const OdlImageInfo info = { .extent = { 2, 1 },
                              .channels = 1,
                              .type = ODL_SAMPLE_U16,
                              .stored_max = 4095,
                              .value_map = { .slope = 2, .unit = "HU" } };
  g_autoptr (OdlImage) image = make (info, stored, sizeof stored);
  g_autofree char *text = odl_probe_residual_to_text (image, &(OdlProbe){ 1, { 100 } },
                                                      &(OdlProbe){ 1, { 103.5 } });

  g_assert_cmpstr (text, ==, "−3.5 HU");
}

// Without the unit and the value that 0 stands for.
static void
test_differences (void)
{
  static const guint16 stored[] = { 0, 4095 };
  OdlImageInfo info = { .extent = { 2, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_U16,
                        .stored_max = 4095,
                        .value_map = { .slope = 2, .intercept = -1024, .unit = "HU" } };
  g_autoptr (OdlImage) grey = make (info, stored, sizeof stored);

  check_difference (grey, &(OdlProbe){ 1, { -1024 } }, "0");
  check_difference (grey, &(OdlProbe){ 1, { -1027.25 } }, "−3.25");
  check_difference (grey, &(OdlProbe){ 3, { 12, -0.5, 1e-9 } }, "12, −0.5, 0");
}

static void
test_colour (void)
{
  static const guint8 stored[] = { 12, 200, 37, 255, 0, 1 };
  const OdlImageInfo info = { .extent = { 2, 1 }, .channels = 3, .type = ODL_SAMPLE_U8 };
  g_autoptr (OdlImage) image = make (info, stored, sizeof stored);

  check (image, image, 0, 0, "12, 200, 37");
  check (image, image, 1, 0, "255, 0, 1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe/grey-values-are-exact", test_grey);
  g_test_add_func ("/probe/results-mean-what-their-input-means", test_result);
  g_test_add_func ("/probe/fractions-are-values-in-the-unit", test_fractions);
  g_test_add_func ("/probe/numbers-of-a-file-are-its-own", test_numbers);
  g_test_add_func ("/probe/residuals", test_residuals);
  g_test_add_func ("/probe/differences", test_differences);
  g_test_add_func ("/probe/colours", test_colour);
  g_test_add_func ("/probe/one-value-in-three-units", test_units);
  return g_test_run ();
}
