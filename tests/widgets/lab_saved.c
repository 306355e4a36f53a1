// SPDX-License-Identifier: MIT
// What the lab bench shows, as tables and drawings in files.
#include <math.h>
#include <string.h>

#include "support/support.h"

#include "base/error.h"
#include "session/band_meter.h"
#include "wavelet/functions.h"
#include "widgets/lab/band_histograms.h"
#include "widgets/lab/grey_levels_page.h"
#include "widgets/lab/lab_file.h"
#include "widgets/lab/rule_curve.h"
#include "widgets/lab/wavelet_page.h"
#include "widgets/window/parts.h"

#define WIDTH 211
#define HEIGHT 157
#define A "shrinkage:levels=2,thresholds=0.06,normalisation=unit-gain"
#define B "soft-threshold:levels=3,wavelet=haar,threshold=0.02,normalisation=unit-gain"

static GtkWidget *
pane_of (Fixture *fixture)
{
  return GTK_WIDGET (odl_lab_widget (odl_main_window_parts (fixture->window)->lab));
}

static void
begin (Fixture *fixture, const char *filters)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, path);
  set_filters (fixture, filters);
}

static void
compare_both (Fixture *fixture)
{
  begin (fixture, A);
  activate_and_settle (fixture, "recipe", "'B'");
  set_filters (fixture, B);
  activate_and_settle (fixture, "recipe", "'A'");
  activate_and_settle (fixture, "comparison", "'other'");
}

static bool
are_metered (Fixture *fixture, const void *data)
{
  bool metered = true;
  for (int i = 0; i < 2; i++) {
    GtkWidget *half = in_lab_half (fixture, ODL_BAND_HISTOGRAMS, i);
    metered &= half && odl_band_histograms_shown (half, 0, ODL_BAND_HH).n > 0;
  }
  return metered;
}

static bool
is_counted (Fixture *fixture, const void *data)
{
  bool counted = true;
  for (int i = 0; i < 2; i++) {
    GtkWidget *half = in_lab_half (fixture, ODL_GREY_LEVELS_PAGE, i);
    counted &= half && odl_grey_levels_page_counted (half);
  }
  return counted;
}

// The lines of the table, without the names of its columns.
static GStrv
lines_of (Fixture *fixture, const char *head)
{
  g_autofree char *table = odl_lab_pane_to_csv (ODL_LAB_PANE (pane_of (fixture)));
  g_assert_nonnull (table);
  g_assert_true (g_str_has_suffix (table, "\n"));
  table[strlen (table) - 1] = '\0';
  g_auto (GStrv) lines = g_strsplit (table, "\n", 2);
  g_assert_cmpstr (lines[0], ==, head);
  return g_strsplit (lines[1], "\n", -1);
}

static double
cell_of (const char *line, int column)
{
  g_auto (GStrv) cells = g_strsplit (line, ",", -1);
  g_assert_cmpint (column, <, (int) g_strv_length (cells));
  return g_ascii_strtod (cells[column], NULL);
}

// The bars of either half: as many coefficients as were counted, and those beyond the
// threshold are those that stay.
static void
test_saved_histograms (Fixture *fixture, const void *data)
{
  compare_both (fixture);
  in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, are_metered, NULL);
  g_auto (GStrv) lines
      = lines_of (fixture, "filters,filter,level,band,from,to,coefficients");
  static const char *const starts[] = { "A,shrinkage,1,HH,", "B,soft-threshold,1,HH," };
  for (int half = 0; half < 2; half++) {
    const OdlBandShown shown = odl_band_histograms_shown (
        in_lab_half (fixture, ODL_BAND_HISTOGRAMS, half), 0, ODL_BAND_HH);
    double all = 0, below = 0, end = 0;
    for (int i = 0; lines[i]; i++) {
      if (!g_str_has_prefix (lines[i], starts[half]))
        continue;
      g_assert_cmpfloat_with_epsilon (cell_of (lines[i], 4), end, 1e-8);
      end = cell_of (lines[i], 5);
      all += cell_of (lines[i], 6);
      below += end <= shown.threshold ? cell_of (lines[i], 6) : 0;
    }
    g_assert_cmpfloat (all, ==, shown.n);
    g_assert_cmpfloat_with_epsilon (end, 1, 1e-8); // full scale
    // But for the bin that the threshold is in.
    g_assert_cmpfloat (below / all, <=, shown.zeroed);
    g_assert_cmpfloat (below / all, >, shown.zeroed - 0.15);
  }
}

static void
test_saved_curves (Fixture *fixture, const void *data)
{
  begin (fixture, "shrinkage:levels=2,wavelet=db4,thresholds=0.06,rule=hard");
  in_lab (fixture, "curves", 0, ODL_RULE_CURVE);
  g_auto (GStrv) lines = lines_of (fixture, "filters,filter,unit,in,out");
  for (int i = 0; lines[i]; i++) {
    const double in = cell_of (lines[i], 3);
    g_assert_true (g_str_has_prefix (lines[i], ",shrinkage,thresholds,"));
    if (fabs (fabs (in) - 1) > 1e-6)
      g_assert_cmpfloat_with_epsilon (cell_of (lines[i], 4), fabs (in) > 1 ? in : 0,
                                      1e-6);
  }
  in_lab (fixture, "wavelet", 0, ODL_WAVELET_PAGE);
  g_auto (GStrv) waves = lines_of (fixture, "filters,filter,plot,side,place,value");
  g_auto (OdlWaveletFunction) psi
      = odl_wavelet_function (odl_wavelet_find ("db4"), ODL_WAVELET_ANALYSIS, true, 7);
  int n = 0;
  for (int i = 0; waves[i]; i++)
    if (g_str_has_prefix (waves[i], ",shrinkage,wavelet,both,")) {
      g_assert_cmpint (n, <, psi.n);
      g_assert_cmpfloat_with_epsilon (cell_of (waves[i], 4), psi.first + n * psi.step,
                                      1e-7);
      g_assert_cmpfloat_with_epsilon (cell_of (waves[i], 5), psi.values[n], 1e-7);
      n++;
    }
  g_assert_cmpint (n, ==, psi.n);
}

// Values and pixels of the result, in all as many as there are.
static void
test_saved_files (Fixture *fixture, const void *data)
{
  static const char *const names[] = { "a.csv", "a.svg", "a.png" };
  static const char *const starts[]
      = { "filters,filter,from,to,samples\n", "<?xml", "\x89PNG" };
  OdlLabPane *pane = ODL_LAB_PANE (pane_of (fixture));
  g_autoptr (GError) error = NULL;
  compare_both (fixture);
  in_lab (fixture, "grey-levels", 0, ODL_GREY_LEVELS_PAGE);
  wait_until (fixture, is_counted, NULL);
  run_cycles (fixture, 3);
  g_auto (GStrv) lines = lines_of (fixture, "filters,filter,from,to,samples");
  double sums[2] = { 0, 0 };
  for (int i = 0; lines[i]; i++)
    sums[*lines[i] - 'A'] += cell_of (lines[i], 4);
  g_assert_cmpfloat (sums[0], ==, WIDTH * HEIGHT);
  g_assert_cmpfloat (sums[1], ==, WIDTH * HEIGHT);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = path_in (fixture, names[i]);
    g_autofree char *bytes = NULL;
    gsize length = 0;
    g_assert_true (odl_lab_file_save (pane, path, &error));
    g_assert_no_error (error);
    g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
    g_assert_cmpint (memcmp (bytes, starts[i], strlen (starts[i])), ==, 0);
    g_assert_cmpint ((int) length, >, 2000);
  }
  // The PNG is drawn twice as large, with a border, and is not empty.
  g_autofree char *path = path_in (fixture, "a.png");
  g_autoptr (GdkPixbuf) drawn = gdk_pixbuf_new_from_file (path, &error);
  g_assert_no_error (error);
  GtkWidget *plot = odl_lab_pane_plot (pane);
  g_assert_cmpint (gdk_pixbuf_get_width (drawn), ==,
                   2 * (gtk_widget_get_width (plot) + 24));
  const guchar *pixels = gdk_pixbuf_read_pixels (drawn);
  int other = 0;
  for (int x = 0; x < gdk_pixbuf_get_width (drawn); x++)
    other += pixels[(gdk_pixbuf_get_height (drawn) * 2 / 5)
                        * gdk_pixbuf_get_rowstride (drawn)
                    + x * gdk_pixbuf_get_n_channels (drawn)]
             != *pixels;
  g_assert_cmpint (other, >, 20);
  g_assert_false (odl_lab_file_save (pane, "a.txt", &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  g_clear_error (&error);
  // Nothing to see, nothing to save.
  activate_and_settle (fixture, "comparison", "'original'");
  set_filters (fixture, "median");
  activate_with_text (fixture, "lab-page", "histograms");
  run_cycles (fixture, 3);
  path = path_in (fixture, "b.csv");
  g_assert_null (odl_lab_pane_plot (pane));
  g_assert_false (odl_lab_file_save (pane, path, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/lab_saved/histograms-can-be-saved", test_saved_histograms);
  ADD ("/lab_saved/curves-and-wavelets-can-be-saved", test_saved_curves);
  ADD ("/lab_saved/what-is-seen-is-saved-as-table-and-drawing", test_saved_files);
  return g_test_run ();
}
