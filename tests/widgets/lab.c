// SPDX-License-Identifier: MIT
// The lab bench of the real window: where it stands, and that what it tells of A and of B
// is what the command line makes of the same filters.
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "support/patient.h"
#include "support/support.h"

#include "base/error.h"
#include "engine/engine.h"
#include "image/quality/statistics.h"
#include "image/volume/volume.h"
#include "session/band_meter.h"
#include "source/operand.h"
#include "wavelet/functions.h"
#include "widgets/diagnostics.h"
#include "widgets/lab/band_histograms.h"
#include "widgets/lab/bands_page.h"
#include "widgets/lab/grey_levels_page.h"
#include "widgets/lab/metrics_page.h"
#include "widgets/lab/point_curve.h"
#include "widgets/lab/rule_curve.h"
#include "widgets/lab/wavelet_page.h"
#include "widgets/window/parts.h"
#include "widgets/windows/statistics_window.h"

#include "../helpers/plans.h"

#define WIDTH 211
#define HEIGHT 157
#define A "shrinkage:levels=2,thresholds=0.06,normalisation=unit-gain"
#define B "soft-threshold:levels=3,wavelet=haar,threshold=0.02,normalisation=unit-gain"

static OdlLab *
lab_of (Fixture *fixture)
{
  return odl_main_window_parts (fixture->window)->lab;
}

static GtkWidget *
pane_of (Fixture *fixture)
{
  return GTK_WIDGET (odl_lab_widget (lab_of (fixture)));
}

static void
begin (Fixture *fixture, const char *filters)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, path);
  set_filters (fixture, filters);
}

static bool
is_seen (Fixture *fixture, const void *data)
{
  return gtk_widget_get_mapped (pane_of (fixture));
}

static bool
is_gone (Fixture *fixture, const void *data)
{
  return !gtk_widget_get_mapped (pane_of (fixture));
}

// ---- where it stands -----------------------------------------------------------------

static void
test_shown (Fixture *fixture, const void *data)
{
  g_assert_false (gtk_widget_get_mapped (pane_of (fixture)));
  begin (fixture, A);
  g_assert_false (gtk_widget_get_mapped (pane_of (fixture)));
  activate (fixture, "show-lab", NULL);
  wait_until (fixture, is_seen, NULL);
  g_assert_true (is_on (fixture, "show-lab"));
  g_assert_true (odl_settings_get_boolean (fixture->settings, "show-lab"));
  // Below the picture, which is as wide, and not over it.
  graphene_rect_t lab, picture;
  run_cycles (fixture, 3);
  g_assert_true (
      gtk_widget_compute_bounds (pane_of (fixture), GTK_WIDGET (fixture->window), &lab));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (fixture->viewport),
                                            GTK_WIDGET (fixture->window), &picture));
  g_assert_cmpfloat (lab.origin.y, >=, picture.origin.y + picture.size.height);
  g_assert_cmpfloat (lab.size.width, ==, picture.size.width);
  // Alone on the screen is the picture.
  activate (fixture, "full-screen", NULL);
  wait_until (fixture, is_gone, NULL);
  activate (fixture, "full-screen", NULL);
  wait_until (fixture, is_seen, NULL);
  activate (fixture, "show-lab", NULL);
  wait_until (fixture, is_gone, NULL);
  g_assert_false (odl_settings_get_boolean (fixture->settings, "show-lab"));
}

static int
height_of (Fixture *fixture)
{
  run_cycles (fixture, 3);
  return gtk_widget_get_height (pane_of (fixture));
}

// As somebody drags the edge above it.
static void
test_height (Fixture *fixture, const void *data)
{
  begin (fixture, A);
  GtkPaned *paned
      = odl_window_child (odl_main_window_parts (fixture->window), "lab_paned");
  activate (fixture, "show-lab", NULL);
  wait_until (fixture, is_seen, NULL);
  const int first = height_of (fixture);
  const int wanted = odl_settings_get_int (fixture->settings, "lab-height");
  g_assert_cmpint (ABS (first - wanted), <=, 12); // the edge
  gtk_paned_set_position (paned, gtk_paned_get_position (paned) + 70);
  const int dragged = height_of (fixture);
  g_assert_cmpint (dragged, ==, first - 70);
  activate (fixture, "show-lab", NULL);
  wait_until (fixture, is_gone, NULL);
  g_assert_cmpint (odl_settings_get_int (fixture->settings, "lab-height"), ==,
                   wanted - 70);
  activate (fixture, "show-lab", NULL);
  wait_until (fixture, is_seen, NULL);
  g_assert_cmpint (height_of (fixture), ==, dragged);
  // A window of its own does not change it.
  activate (fixture, "detach-lab", NULL);
  activate (fixture, "detach-lab", NULL);
  wait_until (fixture, is_seen, NULL);
  g_assert_cmpint (height_of (fixture), ==, dragged);
}

static bool
is_detached (Fixture *fixture, const void *data)
{
  GtkWindow *window = odl_lab_window (lab_of (fixture));
  return window && gtk_widget_get_root (pane_of (fixture)) == GTK_ROOT (window)
         && gtk_widget_get_mapped (pane_of (fixture));
}

static bool
is_back (Fixture *fixture, const void *data)
{
  return !odl_lab_window (lab_of (fixture))
         && gtk_widget_get_root (pane_of (fixture)) == GTK_ROOT (fixture->window)
         && gtk_widget_get_mapped (pane_of (fixture));
}

static void
test_detached (Fixture *fixture, const void *data)
{
  begin (fixture, A);
  activate (fixture, "detach-lab", NULL); // shown with it
  wait_until (fixture, is_detached, NULL);
  g_assert_true (is_on (fixture, "detach-lab"));
  // Its buttons and tabs do what they do below the picture.
  GtkWidget *pane = pane_of (fixture);
  g_assert_true (gtk_widget_activate_action (pane, "win.lab-page", "s", "curves"));
  wait_until (fixture, is_detached, NULL);
  g_assert_nonnull (in_lab_half (fixture, ODL_RULE_CURVE, 0));
  gtk_window_close (odl_lab_window (lab_of (fixture)));
  wait_until (fixture, is_back, NULL);
  g_assert_false (is_on (fixture, "detach-lab"));
  g_assert_nonnull (in_lab_half (fixture, ODL_RULE_CURVE, 0));
  // Hidden while it stands alone: gone, and the next time below the picture.
  activate (fixture, "detach-lab", NULL);
  wait_until (fixture, is_detached, NULL);
  activate (fixture, "show-lab", NULL);
  wait_until (fixture, is_gone, NULL);
  activate (fixture, "show-lab", NULL);
  wait_until (fixture, is_back, NULL);
}

// ---- A beside B ----------------------------------------------------------------------

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
  GtkWidget *halves[2] = { in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 0),
                           in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 1) };
  return halves[0] && halves[1]
         && odl_band_histograms_shown (halves[0], 0, ODL_BAND_HH).n > 0
         && odl_band_histograms_shown (halves[1], 0, ODL_BAND_HH).n > 0;
}

static bool
is_metered (Fixture *fixture, const void *page)
{
  return odl_band_histograms_shown ((GtkWidget *) page, 0, ODL_BAND_HH).n > 0;
}

// Each half has its own recipe's coefficients and thresholds; the one in force alone is
// changed. A stays at the left when B comes into force.
static void
test_halves (Fixture *fixture, const void *data)
{
  compare_both (fixture);
  in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, are_metered, NULL);
  GtkWidget *a = in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 0);
  GtkWidget *b = in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 1);
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (a, 0, 0).threshold, 0.06,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (b, 0, 0).threshold, 0.02,
                                  1e-9);
  // CDF 9/7 and Haar leave other details.
  g_assert_cmpfloat (fabs (odl_band_histograms_shown (a, 0, 0).sigma
                           - odl_band_histograms_shown (b, 0, 0).sigma),
                     >, 1e-5);
  g_assert_true (has_label (pane_of (fixture), "Filters A"));
  g_assert_true (has_label (pane_of (fixture), "Filters B"));
  odl_band_histograms_drag (b, 0, 0, 0.25);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (b, 0, 0).threshold, 0.02,
                                  1e-9);
  odl_band_histograms_drag (a, 0, 0, 0.25);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (a, 0, 0).threshold, 0.25,
                                  1e-3);
  activate_and_settle (fixture, "recipe", "'B'");
  wait_until (fixture, are_metered, NULL);
  a = in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 0);
  b = in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 1);
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (a, 0, 0).threshold, 0.25,
                                  1e-3);
  odl_band_histograms_drag (b, 0, 0, 0.125);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 0, "threshold", 0),
                                  0.125, 1e-3);
  // Nothing is compared: one half.
  activate_and_settle (fixture, "comparison", "'original'");
  g_assert_null (in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 1));
}

// Filters that find their thresholds by themselves have no line, and the noise of each
// band instead.
static void
test_no_line (Fixture *fixture, const void *data)
{
  begin (fixture, "bivariate:levels=2,sigma=0.02");
  GtkWidget *page = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, page);
  g_assert_true (has_label (page, "σ = "));
  g_assert_false (has_label (page, "%"));
  const OdlRecipe before = *recipe_of (fixture);
  odl_band_histograms_drag (page, 0, 0, 0.25);
  settle (fixture);
  g_assert_true (odl_recipe_equal (recipe_of (fixture), &before));
}

// What `ondelette-cli process` says: "against …: PSNR 31.20 dB · SSIM 0.9123; before the
// filters: PSNR …". Transfer full.
static char *
cli_says (const char *path, const char *clean, const char *filters)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *out = g_strconcat (path, ".out.png", NULL);
  g_autofree char *output = NULL;
  const char *const words[] = {
    g_getenv ("ODL_CLI"), "process", path, "--filter", filters, "--reference", clean,
    "--engine",           "cpu",     "-o", out,        NULL
  };
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      words, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &output, &error);
  g_assert_no_error (error);
  g_test_message ("%s", output);
  g_assert_true (g_subprocess_get_successful (process));
  g_assert_cmpint (g_remove (out), ==, 0);
  return g_steal_pointer (&output);
}

// The n-th number after that word.
static double
number_after (const char *text, const char *word, int n)
{
  for (; n >= 0; n--) {
    text = strstr (text, word);
    g_assert_nonnull (text);
    text += strlen (word);
  }
  return g_ascii_strtod (text, NULL);
}

static double
shown_in (Fixture *fixture, OdlStatisticGroup group, const char *name, int column)
{
  GtkWidget *page = in_lab_half (fixture, ODL_METRICS_PAGE, 0);
  const char *text
      = page ? odl_metrics_page_text (page, (int) group, name, column) : NULL;
  double value = NAN;
  g_autofree char *number = text ? g_strdup (text) : NULL;
  if (number)
    *strchrnul (number, ' ') = '\0';
  return number && odl_diagnostics_read_number (number, &value) ? value : NAN;
}

static double
shown_metric (Fixture *fixture, const char *name, int column)
{
  return shown_in (fixture, ODL_STATISTIC_REFERENCE, name, column);
}

static bool
has_both_metrics (Fixture *fixture, const void *data)
{
  return isfinite (shown_metric (fixture, "psnr", 1))
         && isfinite (shown_metric (fixture, "psnr", 2));
}

// PSNR of both, as the table has them.
static bool
says_both (Fixture *fixture, const void *window)
{
  GtkWidget *page = in_lab_half (fixture, ODL_METRICS_PAGE, 0);
  g_autofree char *b
      = g_strdup (odl_metrics_page_text (page, ODL_STATISTIC_REFERENCE, "psnr", 2));
  const char *a = odl_metrics_page_text (page, ODL_STATISTIC_REFERENCE, "psnr", 1);
  *strchrnul (b, ' ') = '\0';
  g_autofree char *wanted = g_strdup_printf ("%s → %s", b, a);
  return has_label (GTK_WIDGET (window), "Filters B → filters A")
         && has_label (GTK_WIDGET (window), wanted);
}

static void
test_metrics (Fixture *fixture, const void *data)
{
  g_autofree char *clean = g_build_filename (fixture->folder, "clean.png", NULL);
  compare_both (fixture);
  g_autofree char *path = g_build_filename (fixture->folder, "a.png", NULL);
  const char *const make[] = { g_getenv ("ODL_CLI"), "process", path,  "--filter",
                               "gaussian:sigma=1",   "-o",      clean, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process
      = g_subprocess_newv (make, G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  odl_reference_set_file (odl_main_window_parts (fixture->window)->reference, clean);
  in_lab (fixture, "metrics", 0, ODL_METRICS_PAGE);
  wait_until (fixture, has_both_metrics, NULL);
  static const char *const filters[] = { A, B };
  for (int i = 0; i < 2; i++) {
    g_autofree char *said = cli_says (path, clean, filters[i]);
    // The command line has two and four decimals, the table four digits.
    g_assert_cmpfloat_with_epsilon (shown_metric (fixture, "psnr", 1 + i),
                                    number_after (said, "PSNR ", 0), 0.006);
    g_assert_cmpfloat_with_epsilon (shown_metric (fixture, "ssim", 1 + i),
                                    number_after (said, "SSIM ", 0), 0.0001);
    g_assert_cmpfloat_with_epsilon (shown_metric (fixture, "psnr", 0),
                                    number_after (said, "PSNR ", 1), 0.006);
  }
  g_assert_cmpfloat (
      fabs (shown_metric (fixture, "psnr", 1) - shown_metric (fixture, "psnr", 2)), >,
      0.1);
  // The statistics have both, B before A, as the window says.
  GtkWindow *statistics = odl_statistics_window_present (fixture->window);
  wait_until (fixture, says_both, statistics);
  gtk_window_close (statistics);
  // B in force: the columns stay.
  const double a = shown_metric (fixture, "psnr", 1);
  activate_and_settle (fixture, "recipe", "'B'");
  let_pass (600);
  wait_until (fixture, has_both_metrics, NULL);
  g_assert_cmpfloat_with_epsilon (shown_metric (fixture, "psnr", 1), a, 0.006);
}

// ---- bands, grey levels, wavelets ----------------------------------------------------

static bool
has_both_contrasts (Fixture *fixture, const void *data)
{
  return isfinite (shown_in (fixture, ODL_STATISTIC_BOTH, "cnr", 1))
         && isfinite (shown_in (fixture, ODL_STATISTIC_BOTH, "cnr", 2));
}

// Two regions: their contrast as it came, and in either result.
static void
test_regions (Fixture *fixture, const void *data)
{
  static const char *const places[] = { "20,20,50,60", "110,60,70,60" };
  const OdlAnnotation *regions[2];
  compare_both (fixture);
  in_lab (fixture, "metrics", 0, ODL_METRICS_PAGE);
  for (int i = 0; i < 2; i++) {
    OdlAnnotation annotation;
    g_assert_true (
        odl_annotation_from_text (&odl_annotation_ellipse, places[i], &annotation));
    annotation.id = 0;
    annotation.frame = 0;
    odl_session_annotate (fixture->session, &annotation);
  }
  wait_until (fixture, has_both_contrasts, NULL);
  OdlAnnotations *all = odl_session_annotations (fixture->session);
  for (int i = 0; i < 2; i++)
    regions[i] = odl_annotations_at (all, 1 - i); // the last one is the region
  const OdlFrame *frame = odl_session_frame (fixture->session);
  OdlImage *const results[] = { frame->result, frame->original };
  for (int i = 0; i < 2; i++) {
    OdlContrast before, after;
    g_autoptr (GError) error = NULL;
    g_assert_true (odl_contrast_of (regions[0], regions[1], frame->input, frame->input,
                                    &before, &error));
    g_assert_true (odl_contrast_of (regions[0], regions[1], frame->input, results[i],
                                    &after, &error));
    g_test_message ("CNR %g, %g", before.cnr, after.cnr);
    g_assert_cmpfloat_with_epsilon (shown_in (fixture, ODL_STATISTIC_BOTH, "cnr", 0),
                                    before.cnr, 1e-3 * before.cnr);
    g_assert_cmpfloat_with_epsilon (shown_in (fixture, ODL_STATISTIC_BOTH, "cnr", 1 + i),
                                    after.cnr, 1e-3 * after.cnr);
  }
}

static OdlImage *
run (Fixture *fixture, const char *text)
{
  OdlImage *input = odl_session_frame (fixture->session)->input;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan = odl_test_plan (text, input);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("reference"), &error);
  OdlImage *result = odl_engine_process (engine, plan, input, &error);
  g_assert_no_error (error);
  return result;
}

// Squares of the finest level's details.
static double
energy (OdlImage *bands)
{
  double sum = 0;
  for (int y = 0; y < HEIGHT; y++) {
    float row[WIDTH];
    odl_image_scaled_row (bands, 0, y, 0, 0, row);
    for (int x = 0; x < WIDTH; x++)
      if (x >= (WIDTH + 1) / 2 || y >= (HEIGHT + 1) / 2)
        sum += (double) row[x] * (double) row[x];
  }
  return sum;
}

static bool
has_bands (Fixture *fixture, const void *data)
{
  GtkWidget *halves[2] = { in_lab_half (fixture, ODL_BANDS_PAGE, 0),
                           in_lab_half (fixture, ODL_BANDS_PAGE, 1) };
  return halves[0] && halves[1] && odl_bands_page_is_shown (halves[0])
         && odl_bands_page_is_shown (halves[1]);
}

static void
test_bands (Fixture *fixture, const void *data)
{
  static const char *const filters[] = { A, B };
  compare_both (fixture);
  in_lab (fixture, "bands", 0, ODL_BANDS_PAGE);
  wait_until (fixture, has_bands, NULL);
  for (int i = 0; i < 2; i++) {
    g_autofree char *read = g_strconcat (filters[i], " view=analysis", NULL);
    g_autofree char *left = g_strconcat (filters[i], " view=filtered-analysis", NULL);
    g_autoptr (OdlImage) before = run (fixture, read);
    g_autoptr (OdlImage) after = run (fixture, left);
    const double share
        = odl_bands_page_left (in_lab_half (fixture, ODL_BANDS_PAGE, i), 0);
    g_test_message ("%s: %g", filters[i], share);
    g_assert_cmpfloat_with_epsilon (share, energy (after) / energy (before), 1e-3);
    g_assert_cmpfloat (share, <, 1);
  }
}

// ---- volumes -------------------------------------------------------------------------

#define VOLUME "phantom:48x32x11"
#define DEEP "shrinkage:levels=2,thresholds=0.02,z-thresholds=0.01,dimensions=3"

// All octants of the finest level but the low one, of all slices.
static double
deep_energy (OdlImage *octants)
{
  const OdlExtent extent = odl_image_info (octants)->extent;
  double sum = 0;
  for (int z = 0; z < extent.z; z++)
    for (int y = 0; y < extent.y; y++) {
      float row[48];
      odl_image_scaled_row (octants, 0, y, z, 0, row);
      for (int x = 0; x < extent.x; x++)
        if (x >= (extent.x + 1) / 2 || y >= (extent.y + 1) / 2 || z >= (extent.z + 1) / 2)
          sum += (double) row[x] * (double) row[x];
    }
  return sum;
}

static OdlImage *
run_volume (Fixture *fixture, const char *text)
{
  OdlImage *volume = odl_session_frame (fixture->session)->volume;
  g_autoptr (GError) error = NULL;
  g_assert_nonnull (volume);
  g_autoptr (OdlPlan) plan = odl_test_plan (text, volume);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("cpu"), &error);
  OdlImage *result = odl_engine_process (engine, plan, volume, &error);
  g_assert_no_error (error);
  return result;
}

static bool
has_one_picture (Fixture *fixture, const void *page)
{
  return odl_bands_page_is_shown ((GtkWidget *) page);
}

// Bands along z, too: seven of each level, of all slices, which the page says.
static void
test_volume (Fixture *fixture, const void *data)
{
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, VOLUME);
  set_filters (fixture, DEEP);
  GtkWidget *bands = in_lab (fixture, "bands", 0, ODL_BANDS_PAGE);
  wait_until (fixture, has_one_picture, bands);
  g_autoptr (OdlImage) before = run_volume (fixture, DEEP " view=analysis");
  g_autoptr (OdlImage) after = run_volume (fixture, DEEP " view=filtered-analysis");
  g_assert_cmpfloat_with_epsilon (odl_bands_page_left (bands, 0),
                                  deep_energy (after) / deep_energy (before), 1e-3);
  g_assert_cmpfloat (odl_bands_page_left (bands, 0), <, 0.99);
  g_assert_true (has_label (bands, "of the whole volume, 11 slices"));
  g_assert_true (has_label (bands, "drawn is slice 6"));
  GtkWidget *page = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, page);
  // HLL, LHL, HHL, HLH, LHH, HHH, LLH: 11 slices are 6 low and 5 high ones.
  for (int band = 0; band < 7; band++)
    g_assert_cmpfloat (odl_band_histograms_shown (page, 0, band).n, ==,
                       24 * 16 * (band < 3 ? 6 : 5));
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (page, 0, 2).threshold, 0.02,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (page, 0, 5).threshold, 0.01,
                                  1e-9);
  g_assert_true (has_label (page, "of the whole volume, 11 slices"));
  g_assert_true (has_label (page, "HHH · "));
  // Its own of the bands that are high along z: HLH is the second of four.
  odl_band_histograms_drag (page, 1, 3, 0.25);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (recipe_of (fixture), 0, "z-thresholds", 4 + 1), 0.25, 1e-3);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (recipe_of (fixture), 0, "thresholds", 0), 0.02, 1e-9);
}

static bool
has_planes (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->planes && frame->result;
}

// The results of A and of B, whole, by the engine; slice 6 of either against that of the
// file that is the reference.
static void
check_slice (Fixture *fixture, OdlImage *clean, const char *const *filters)
{
  g_autoptr (OdlImage) came
      = odl_volume_slice (odl_session_frame (fixture->session)->volume, 5);
  g_autoptr (OdlImage) wanted = odl_volume_slice (clean, 5);
  g_autoptr (GError) error = NULL;
  OdlComparison compared;
  g_assert_true (odl_compare (came, wanted, &compared, &error));
  g_assert_cmpfloat_with_epsilon (shown_metric (fixture, "psnr", 0), compared.psnr_db,
                                  0.01);
  for (int i = 0; i < 2; i++) {
    g_autoptr (OdlImage) made = run_volume (fixture, filters[i]);
    g_autoptr (OdlImage) slice = odl_volume_slice (made, 5);
    g_assert_true (odl_compare (slice, wanted, &compared, &error));
    g_test_message ("%s: %g dB", filters[i], compared.psnr_db);
    g_assert_cmpfloat_with_epsilon (shown_metric (fixture, "psnr", 1 + i),
                                    compared.psnr_db, 0.01);
    g_assert_cmpfloat_with_epsilon (shown_metric (fixture, "ssim", 1 + i), compared.ssim,
                                    0.0006);
  }
}

// Of a volume the slice that is seen, which the page says: by itself, and where three
// planes are shown that of the cross-hair. A and B, against a volume of a file.
static void
test_volume_metrics (Fixture *fixture, const void *data)
{
  static const char *const filters[]
      = { DEEP, "shrinkage:levels=1,thresholds=0.06,dimensions=3" };
  g_autofree char *file = path_in (fixture, "clean.mha");
  const char *const make[]
      = { g_getenv ("ODL_CLI"),
          "process",
          VOLUME,
          "--filter",
          "shrinkage:levels=1,wavelet=haar,thresholds=0.03,dimensions=3",
          "-o",
          file,
          NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process
      = g_subprocess_newv (make, G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_autoptr (OdlImage) clean = odl_operand_read_volume (file, 1, NULL, &error);
  g_assert_no_error (error);
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, VOLUME);
  set_filters (fixture, filters[0]);
  activate_and_settle (fixture, "recipe", "'B'");
  set_filters (fixture, filters[1]);
  activate_and_settle (fixture, "recipe", "'A'");
  activate_and_settle (fixture, "comparison", "'other'");
  odl_reference_set_file (odl_main_window_parts (fixture->window)->reference, file);
  in_lab (fixture, "metrics", 0, ODL_METRICS_PAGE);
  wait_until (fixture, has_both_metrics, NULL);
  let_pass (600);
  check_slice (fixture, clean, filters);
  g_assert_true (has_label (pane_of (fixture), "Of slice 6 of 11"));
  activate (fixture, "see-volume", "'planes'");
  wait_until (fixture, has_planes, NULL);
  let_pass (1000);
  wait_until (fixture, has_both_metrics, NULL);
  check_slice (fixture, clean, filters);
}

// With three planes on screen a filter of slices is measured in the one that is seen.
static void
test_planes (Fixture *fixture, const void *data)
{
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, VOLUME);
  set_filters (fixture, A);
  activate (fixture, "see-volume", "'planes'");
  wait_until (fixture, has_planes, NULL);
  GtkWidget *page = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, page);
  g_assert_cmpfloat (odl_band_histograms_shown (page, 0, ODL_BAND_HH).n, ==, 24 * 16);
}

static bool
is_counted (Fixture *fixture, const void *data)
{
  GtkWidget *halves[2] = { in_lab_half (fixture, ODL_GREY_LEVELS_PAGE, 0),
                           in_lab_half (fixture, ODL_GREY_LEVELS_PAGE, 1) };
  return halves[0] && halves[1] && odl_grey_levels_page_counted (halves[0])
         && odl_grey_levels_page_counted (halves[1]);
}

static void
test_grey_levels (Fixture *fixture, const void *data)
{
  compare_both (fixture);
  in_lab (fixture, "grey-levels", 0, ODL_GREY_LEVELS_PAGE);
  wait_until (fixture, is_counted, NULL);
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_assert_true (
      odl_grey_levels_page_counted (in_lab_half (fixture, ODL_GREY_LEVELS_PAGE, 0))
      == frame->result);
  g_assert_true (
      odl_grey_levels_page_counted (in_lab_half (fixture, ODL_GREY_LEVELS_PAGE, 1))
      == frame->original);
  // In the unit of the picture, as the window is.
  const OdlHistogramCounts *counts = odl_histogram_counts (
      odl_grey_levels_page_histogram (in_lab_half (fixture, ODL_GREY_LEVELS_PAGE, 0)));
  g_assert_cmpfloat (counts->most, >, 100);
  g_assert_cmpfloat (counts->most, <, 300);
  // Moved in either half.
  double centre, width;
  g_signal_emit_by_name (
      odl_grey_levels_page_histogram (in_lab_half (fixture, ODL_GREY_LEVELS_PAGE, 1)),
      "chosen", 100.0, 50.0);
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  g_assert_cmpfloat (centre, ==, 100);
  g_assert_cmpfloat (width, ==, 50);
}

// A filter of single grey levels: what it makes of each.
static void
test_levels_curve (Fixture *fixture, const void *data)
{
  begin (fixture, "tone-curve:middle=0.7");
  GtkWidget *page = in_lab (fixture, "curves", 0, ODL_POINT_CURVE);
  OdlCurvePlot *plot = odl_point_curve_plot (page);
  g_assert_cmpfloat_with_epsilon (odl_curve_plot_at (plot, 1, 0.5), 0.7, 1e-6);
  g_assert_cmpfloat_with_epsilon (odl_curve_plot_at (plot, 1, 1), 1, 1e-6);
  OdlRecipe recipe = *recipe_of (fixture);
  odl_recipe_set (&recipe, 0, "middle", 0, 0.3);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (odl_curve_plot_at (plot, 1, 0.5), 0.3, 1e-6);
}

static void
test_wavelets (Fixture *fixture, const void *data)
{
  compare_both (fixture);
  in_lab (fixture, "wavelet", 0, ODL_WAVELET_PAGE);
  // Haar: 1 between 0 and 1; the wavelet changes its sign in the middle.
  GtkWidget *haar = in_lab_half (fixture, ODL_WAVELET_PAGE, 1);
  g_assert_nonnull (haar);
  OdlCurvePlot *scaling = odl_wavelet_page_plot (haar, 0);
  OdlCurvePlot *wavelet = odl_wavelet_page_plot (haar, 1);
  g_assert_cmpfloat_with_epsilon (odl_curve_plot_at (scaling, 0, 0.25), 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (fabs (odl_curve_plot_at (wavelet, 0, 0.25)), 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (odl_curve_plot_at (wavelet, 0, 0.25)
                                      + odl_curve_plot_at (wavelet, 0, 0.75),
                                  0, 1e-9);
  g_assert_true (isnan (odl_curve_plot_at (scaling, 1, 0.25))); // orthogonal: one curve
  // CDF 9/7: two.
  GtkWidget *cdf = in_lab_half (fixture, ODL_WAVELET_PAGE, 0);
  g_assert_true (isfinite (odl_curve_plot_at (odl_wavelet_page_plot (cdf, 0), 1, 0)));
  g_assert_cmpfloat_with_epsilon (
      odl_curve_plot_at (odl_wavelet_page_plot (cdf, 2), 0, 0), 1, 1e-9);
  // In the scale of the filter's coefficients, of which high bands have twice as much.
  g_assert_cmpfloat_with_epsilon (
      odl_curve_plot_at (odl_wavelet_page_plot (cdf, 3), 0, 0.5), 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      odl_curve_plot_at (odl_wavelet_page_plot (cdf, 2), 1, 0), 2, 1e-9);
  // Another one is drawn as soon as it is chosen.
  const double before = odl_curve_plot_at (odl_wavelet_page_plot (cdf, 0), 0, 0);
  set_filters (fixture, "shrinkage:levels=2,wavelet=db4,thresholds=0.06,"
                        "normalisation=orthonormal");
  cdf = in_lab_half (fixture, ODL_WAVELET_PAGE, 0);
  for (int high = 0; high < 2; high++)
    g_assert_cmpfloat_with_epsilon (
        odl_curve_plot_at (odl_wavelet_page_plot (cdf, 2 + high), 0, 0.5 * high), G_SQRT2,
        1e-9);
  g_assert_true (has_label (pane_of (fixture), "orthonormal"));
  g_assert_cmpfloat (
      fabs (odl_curve_plot_at (odl_wavelet_page_plot (cdf, 0), 0, 0) - before), >, 1e-3);
}

// ---- the panel beside it -------------------------------------------------------------

static bool
levels_are_unfolded (Fixture *fixture)
{
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  return adw_expander_row_get_expanded (odl_filter_panel_levels (parts->filter_panel));
}

// Grey levels wait beside a photograph, and not beside an examination; what somebody
// chooses is kept for each.
static void
test_levels_fold (Fixture *fixture, const void *data)
{
  g_autofree char *patient = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *photograph = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, photograph);
  g_assert_false (levels_are_unfolded (fixture));
  open_and_wait (fixture, patient);
  g_assert_true (levels_are_unfolded (fixture));
  open_and_wait (fixture, photograph);
  g_assert_false (levels_are_unfolded (fixture));
  unfold_levels (fixture);
  open_and_wait (fixture, patient);
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  adw_expander_row_set_expanded (odl_filter_panel_levels (parts->filter_panel), FALSE);
  open_and_wait (fixture, photograph);
  g_assert_true (levels_are_unfolded (fixture));
  open_and_wait (fixture, patient);
  g_assert_false (levels_are_unfolded (fixture));
}

// The labels of the menu of what can be measured.
static bool
menu_offers (GMenuModel *menu, const char *action, Fixture *fixture)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *name = NULL, *hidden = NULL;
    g_autoptr (GMenuModel) section
        = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    if (section && menu_offers (section, action, fixture))
      return true;
    g_menu_model_get_item_attribute (menu, i, "action", "s", &name);
    g_menu_model_get_item_attribute (menu, i, "hidden-when", "s", &hidden);
    if (g_strcmp0 (name, action) == 0)
      return !hidden
             || g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window),
                                                   action + strlen ("win."));
  }
  return false;
}

static void
test_no_dicom (Fixture *fixture, const void *data)
{
  static const char *const actions[] = { "win.save-report", "win.save-state" };
  g_autofree char *patient = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *photograph = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  GMenuModel *menu
      = odl_window_child (odl_main_window_parts (fixture->window), "measure_menu");
  open_and_wait (fixture, photograph);
  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++)
    g_assert_false (menu_offers (menu, actions[i], fixture));
  g_assert_true (menu_offers (menu, "win.region-statistics", fixture));
  open_and_wait (fixture, patient);
  g_assert_true (menu_offers (menu, "win.save-state", fixture));
}

#define FIVE \
  "gaussian:sigma=0.5 shrinkage:levels=3 median sharpen soft-threshold:levels=3"

static void
click_row (Fixture *fixture, int item)
{
  GtkWidget *row = row_in_chain (fixture, item);
  GtkListBox *list = GTK_LIST_BOX (gtk_widget_get_parent (row));
  // As GTK does for a click.
  gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (row));
  g_signal_emit_by_name (list, "row-activated", row);
  run_cycles (fixture, 3);
}

// Five filters and their settings at once: all rows lie within what is seen of the panel.
// Clicks fold and unfold the card below them.
static void
test_five (Fixture *fixture, const void *data)
{
  begin (fixture, FIVE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1920, 1080);
  run_cycles (fixture, 5);
  OdlFilterChain *chain
      = odl_filter_panel_chain (odl_main_window_parts (fixture->window)->filter_panel);
  GtkWidget *seen
      = gtk_widget_get_ancestor (GTK_WIDGET (chain), GTK_TYPE_SCROLLED_WINDOW);
  odl_filter_chain_select (chain, 0);
  run_cycles (fixture, 5);
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (seen));
  gtk_adjustment_set_value (at, 0);
  run_cycles (fixture, 3);
  for (int i = 0; i < 5; i++) {
    graphene_rect_t place;
    g_assert_true (gtk_widget_compute_bounds (row_in_chain (fixture, i), seen, &place));
    g_assert_cmpfloat (place.origin.y, >=, 0);
    g_assert_cmpfloat (place.origin.y + place.size.height, <=,
                       gtk_widget_get_height (seen));
  }
  click_row (fixture, 1); // another one: its card
  g_assert_true (gtk_widget_get_mapped (odl_filter_chain_card (chain, 1)));
  click_row (fixture, 1); // again: folded
  g_assert_true (odl_filter_chain_is_folded (chain));
  g_assert_false (gtk_widget_get_mapped (odl_filter_chain_card (chain, 1)));
  OdlRecipe recipe = *recipe_of (fixture);
  odl_recipe_set (&recipe, 1, "thresholds", 0, 0.07); // by the lab, or by undo
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_false (gtk_widget_get_mapped (odl_filter_chain_card (chain, 1)));
  click_row (fixture, 1);
  g_assert_true (gtk_widget_get_mapped (odl_filter_chain_card (chain, 1)));
  click_row (fixture, 1);
  click_row (fixture, 3); // another one is unfolded
  g_assert_true (gtk_widget_get_mapped (odl_filter_chain_card (chain, 3)));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/lab/is-shown-and-hidden", test_shown);
  ADD ("/lab/keeps-its-height", test_height);
  ADD ("/lab/is-detached-and-put-back", test_detached);
  ADD ("/lab/a-stands-beside-b", test_halves);
  ADD ("/lab/filters-without-thresholds-have-no-line", test_no_line);
  ADD ("/lab/metrics-are-the-command-lines", test_metrics);
  ADD ("/lab/regions-of-both", test_regions);
  ADD ("/lab/bands-as-filters-leave-them", test_bands);
  ADD ("/lab/bands-of-a-volume", test_volume);
  ADD ("/lab/bands-beside-three-planes", test_planes);
  ADD ("/lab/metrics-of-a-volume", test_volume_metrics);
  ADD ("/lab/grey-levels-of-both-results", test_grey_levels);
  ADD ("/lab/curve-of-grey-levels", test_levels_curve);
  ADD ("/lab/wavelets-of-both", test_wavelets);
  ADD ("/lab/grey-levels-fold-beside-photographs", test_levels_fold);
  ADD ("/lab/no-dicom-beside-photographs", test_no_dicom);
  ADD ("/lab/five-filters-are-seen-at-once", test_five);
  return g_test_run ();
}
