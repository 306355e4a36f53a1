// SPDX-License-Identifier: MIT
// The standard display function against the table of PS3.14 (Annex B), a screen against
// SciPy's PchipInterpolator, and measurements that are none.
#include "image/display/gsdf.h"

#include <string.h>

#include "base/error.h"

// Levels 0, 15, … 255 of a screen with 0.3 + 300 (level / 255)^2.2 cd/m².
static const double luminances[]
    = { 0.3,      0.889,    3.0064,   6.9039,   12.7356,  20.6174,
        30.6435,  42.8941,  57.4389,  74.3401,  93.6541,  115.4324,
        139.7223, 166.5681, 196.0110, 228.0899, 262.8413, 300.3 };

static char *
measurement (void)
{
  GString *text
      = g_string_new ("level, cd/m2\nambient; 0.2\ndate, 2026-11-26 # a comment\n\n");

  for (guint i = 0; i < G_N_ELEMENTS (luminances); i++)
    g_string_append_printf (text, "%u\t%.4f\r\n", 15 * i, luminances[i]);
  return g_string_free (text, FALSE);
}

static void
parse (OdlMonitor *screen)
{
  g_autofree char *text = measurement ();
  g_autoptr (GError) error = NULL;

  odl_monitor_parse (screen, text, &error);
  g_assert_no_error (error);
}

static void
test_table (void)
{
  // Index and luminance as Table B-1 has them.
  static const double table[][2] = { { 1, 0.0500 }, { 2, 0.0547 }, { 3, 0.0594 } };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    g_assert_cmpfloat_with_epsilon (odl_gsdf_luminance (table[i][0]), table[i][1], 5e-5);
  g_assert_cmpfloat_with_epsilon (odl_gsdf_luminance (1023) / 3993.4040, 1, 3e-5);
  // As DCMTK's dcmdspfn interpolates it over these luminances.
  static const double others[][2]
      = { { 100, 1.8515 },  { 200, 8.2186 },  { 300, 23.398 },
          { 500, 119.107 }, { 700, 480.335 }, { 900, 1794.2 } };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpfloat_with_epsilon (odl_gsdf_luminance (others[i][0]) / others[i][1], 1,
                                    1e-3);
  for (double j = 1; j <= 1023; j += 7.3)
    g_assert_cmpfloat_with_epsilon (odl_gsdf_index (odl_gsdf_luminance (j)), j, 1e-6);
}

static void
test_screen (void)
{
  static const double truth[][2] = { { 0, 0.5 },
                                     { 1, 0.5217684500082721 },
                                     { 7.5, 0.7127874814428764 },
                                     { 100, 38.75874032542221 },
                                     { 128, 66.35677232187581 },
                                     { 201.25, 178.71911504797146 },
                                     { 254, 297.9237768616675 },
                                     { 255, 300.5 } };
  OdlMonitor screen;

  parse (&screen);
  g_assert_cmpint (screen.n, ==, 18);
  g_assert_cmpstr (screen.date, ==, "2026-11-26");
  g_assert_cmpfloat (screen.ambient, ==, 0.2);
  for (guint i = 0; i < G_N_ELEMENTS (truth); i++)
    g_assert_cmpfloat_with_epsilon (
        odl_monitor_luminance (&screen, truth[i][0]) / truth[i][1], 1, 1e-12);
  double before = 0;
  for (double level = 0; level <= 255; level += 0.25) {
    g_assert_cmpfloat (odl_monitor_luminance (&screen, level), >, before);
    before = odl_monitor_luminance (&screen, level);
  }
}

// Where SciPy's brentq finds what the standard asks for.
static void
test_curve (void)
{
  static const double truth[][2] = { { 0, 0 },
                                     { 0.1, 0.09258185640844263 },
                                     { 0.25, 0.18133414360317737 },
                                     { 0.5, 0.3648487516158224 },
                                     { 0.75, 0.6229496424313442 },
                                     { 0.9, 0.8313015743526873 },
                                     { 1, 1 } };
  OdlMonitor screen;

  parse (&screen);
  g_autoptr (GError) error = NULL;
  OdlCurve *curve = odl_monitor_curve (&screen);
  for (guint i = 0; i < G_N_ELEMENTS (truth); i++)
    g_assert_cmpfloat_with_epsilon (
        odl_curve_at (curve->levels, curve->n, (float) truth[i][0]), truth[i][1], 3e-5);
  // Equal steps are equal numbers of just noticeable differences.
  const double first = odl_gsdf_index (0.5), last = odl_gsdf_index (300.5);
  for (int i = 0; i <= 16; i++) {
    const double level = 255 * odl_curve_at (curve->levels, curve->n, (float) i / 16);
    g_assert_cmpfloat_with_epsilon (
        odl_gsdf_index (odl_monitor_luminance (&screen, level)),
        first + (last - first) * i / 16, 0.02);
  }
  odl_curve_unref (curve);
}

static void
test_behind_a_table (void)
{
  static const float steps[] = { 0, 0.1f, 0.9f, 1 };
  OdlMonitor screen;

  parse (&screen);
  OdlCurve *curve = odl_monitor_curve (&screen);
  OdlCurve *table = odl_curve_new (steps, G_N_ELEMENTS (steps));
  for (int invert = 0; invert < 2; invert++) {
    OdlCurve *both = odl_curve_on_monitor (table, invert, curve);
    OdlCurve *alone = odl_curve_on_monitor (NULL, invert, curve);
    for (int i = 0; i <= 48; i++) {
      const float at = (float) i / 48;
      const float grey = odl_curve_at (table->levels, table->n, at);
      const float wanted
          = odl_curve_at (curve->levels, curve->n, invert ? 1 - grey : grey);
      const float got = odl_curve_at (both->levels, both->n, at);
      g_assert_cmpfloat_with_epsilon (invert ? 1 - got : got, wanted, 2e-4);
      const float plain = odl_curve_at (alone->levels, alone->n, at);
      g_assert_cmpfloat_with_epsilon (
          invert ? 1 - plain : plain,
          odl_curve_at (curve->levels, curve->n, invert ? 1 - at : at), 2e-4);
    }
    odl_curve_unref (both);
    odl_curve_unref (alone);
  }
  odl_curve_unref (table);
  odl_curve_unref (curve);
}

static void
test_refused (void)
{
  static const struct {
    const char *from, *to, *words;
  } changes[] = {
    { "30\t3.0064", "30\t0.5", "does not rise" },
    { "30\t3.0064", "30\t-3", "negative" },
    { "30\t3.0064", "30\tnan", "line 7" },
    { "30\t3.0064", "30\t1e400", "line 7" },
    { "30\t3.0064", "15\t3.0064", "rise from line to line" },
    { "30\t3.0064", "30", "line 7" },
    { "30\t3.0064", "30\t3.0064\t5", "line 7" },
    { "30\t3.0064", "hello world", "line 7" },
    { "0\t0.3000\r\n", "", "begin with 0" },
    { "255\t", "254\t", "end with 255" },
    { "ambient; 0.2", "ambient; 9e9", "beyond" },
    { "ambient; 0.2", "ambient; -1", "negative" },
    { "0\t0.3000", "0\t0", NULL }, // with ambient light it is one
  };
  g_autofree char *whole = measurement ();
  OdlMonitor screen;

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autoptr (GError) error = NULL;
    g_auto (GStrv) parts = g_strsplit (whole, changes[i].from, 2);
    g_assert_cmpint (g_strv_length (parts), ==, 2);
    g_autofree char *text = g_strconcat (parts[0], changes[i].to, parts[1], NULL);
    const bool done = odl_monitor_parse (&screen, text, &error);
    if (changes[i].words == NULL) {
      g_assert_true (done);
      continue;
    }
    g_assert_false (done);
    if (strstr (error->message, changes[i].words) == NULL)
      g_error ("“%s” for “%s”", error->message, changes[i].to);
  }
  g_autoptr (GError) error = NULL;
  g_assert_false (odl_monitor_parse (&screen, "0, 1\n255, 200\n", &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "2 levels"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gsdf/luminance-is-that-of-the-standard", test_table);
  g_test_add_func ("/gsdf/a-screen-is-interpolated-without-waves", test_screen);
  g_test_add_func ("/gsdf/equal-steps-look-equal", test_curve);
  g_test_add_func ("/gsdf/tables-come-before-the-screen", test_behind_a_table);
  g_test_add_func ("/gsdf/what-is-no-measurement-is-refused", test_refused);
  return g_test_run ();
}
