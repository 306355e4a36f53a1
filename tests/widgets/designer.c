// SPDX-License-Identifier: MIT
// The window of somebody who tunes filters: the noise of a region, and a walk from a
// noisy cine to the command line, with the same pixels.
#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "support/support.h"

#include "filter/library.h"
#include "filter/measure.h"
#include "filter/noise.h"
#include "image/quality/regions.h"
#include "widgets/lab/band_histograms.h"
#include "widgets/window/parts.h"

#include "../helpers/folder.h"

#define NOISE "gaussian:20/255,7"
#define PRESET "Bench"

// What `ondelette-cli` says on its output.
static char *
run_cli (const char *const *options)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  g_ptr_array_add (arguments, (void *) g_getenv ("ODL_CLI"));
  for (int i = 0; options[i]; i++)
    g_ptr_array_add (arguments, (void *) options[i]);
  g_ptr_array_add (arguments, NULL);
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      (const char *const *) arguments->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return output;
}

static void
draw (Fixture *fixture, const char *numbers)
{
  OdlAnnotation annotation;
  g_assert_true (
      odl_annotation_from_text (&odl_annotation_ellipse, numbers, &annotation));
  annotation.id = 0;
  annotation.frame = 0;
  odl_session_annotate (fixture->session, &annotation);
  settle (fixture);
}

// ---- noise of a region ---------------------------------------------------------------

// Noise whose neighbours in a row are alike, larger at the right.
static char *
write_noise (Fixture *fixture)
{
  char *path = g_build_filename (fixture->folder, "noise.png", NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 256, 192);
  guchar *bytes = gdk_pixbuf_get_pixels (pixbuf);
  const int stride = gdk_pixbuf_get_rowstride (pixbuf);
  for (int y = 0; y < 192; y++) {
    double before = 0;
    for (int x = 0; x < 256; x++) {
      double normal = -6;
      for (int i = 0; i < 12; i++)
        normal += g_rand_double (random);
      before = 0.8 * before + normal;
      const double value = 90 + 0.1 * x + 0.1 * y + (x < 128 ? 3 : 9) * before;
      memset (bytes + y * stride + 3 * x, (int) CLAMP (lrint (value), 0, 255), 3);
    }
  }
  g_assert_true (gdk_pixbuf_save (pixbuf, path, "png", NULL, NULL));
  return path;
}

// Of an ellipse, about the plane: by its pixels, one by one.
static double
sigma_by_hand (OdlImage *image, double left, double top, double width, double height)
{
  double sums[4][4] = { 0 };
  g_autofree float *row = g_new (float, 256);
  int n = 0;
  for (int y = 0; y < 192; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, row);
    for (int x = 0; x < 256; x++) {
      const double dx = (x + 0.5 - left - width / 2) / (width / 2);
      const double dy = (y + 0.5 - top - height / 2) / (height / 2);
      const double terms[4] = { 1, dx, dy, (double) row[x] };
      if (dx * dx + dy * dy > 1)
        continue;
      n++;
      for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
          sums[i][k] += terms[i] * terms[k];
    }
  }
  // Elimination leaves the square of the remainder in the last corner.
  for (int i = 0; i < 3; i++)
    for (int k = i + 1; k < 4; k++)
      for (int j = 3; j >= i; j--)
        sums[k][j] -= sums[i][j] * sums[k][i] / sums[i][i];
  return sqrt (sums[3][3] / (n - 3));
}

static void
test_region (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_noise (fixture);
  open_and_wait (fixture, path);
  set_filters (fixture, "bivariate:levels=4,sigma=0.01 bayes-shrink wiener gaussian");
  const OdlRecipe before = *recipe_of (fixture);
  activate (fixture, "noise-from-region", "-1");
  wait_until (fixture, has_toast, "Draw an ellipse");
  g_assert_true (odl_recipe_equal (recipe_of (fixture), &before));
  draw (fixture, "140,20,100,150");
  OdlImage *image = odl_session_frame (fixture->session)->input;
  const double sigma = sigma_by_hand (image, 140, 20, 100, 150);
  activate_and_settle (fixture, "noise-from-region", "-1");
  const OdlRecipe *recipe = recipe_of (fixture);
  // Each has the noise of what it receives, which those before it have made less.
  g_assert_cmpfloat (odl_recipe_get (recipe, 1, "sigma", 0), <, 0.5 * sigma);
  g_assert_cmpfloat (odl_recipe_get (recipe, 2, "noise", 0), <,
                     odl_recipe_get (recipe, 1, "sigma", 0));
  // Across, neighbours are alike: fine details have less of it than coarse ones, and less
  // than what differs from row to row. The card shows these numbers.
  const double across = odl_recipe_get (recipe, 0, "profile", ODL_BAND_HL);
  const double down = odl_recipe_get (recipe, 0, "profile", ODL_BAND_LH);
  g_test_message ("across %g, down %g", across, down);
  g_assert_cmpfloat (across, <, 0.3 * down);
  g_assert_cmpfloat (across, <, odl_recipe_get (recipe, 0, "profile", 3 + ODL_BAND_HL));
  g_assert_true (has_label (card_of (fixture, 0), "Noise of level\u00a01"));
  g_assert_cmpfloat (odl_recipe_get (recipe, 3, "sigma", 0), ==,
                     odl_recipe_get (&before, 3, "sigma", 0));
  activate_and_settle (fixture, "undo", NULL);
  g_assert_true (odl_recipe_equal (recipe_of (fixture), &before));
  g_assert_false (has_label (card_of (fixture, 0), "Noise of level\u00a01"));
  // Of one filter alone; another region says something else.
  set_filters (fixture, "wiener bivariate:levels=4,sigma=0.01 bayes-shrink");
  activate_and_settle (fixture, "noise-from-region", "0");
  recipe = recipe_of (fixture);
  g_test_message ("σ %g, by hand %g", odl_recipe_get (recipe, 0, "noise", 0), sigma);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe, 0, "noise", 0), sigma,
                                  0.01 * sigma);
  g_assert_cmpfloat (odl_recipe_get (recipe, 1, "sigma", 0), ==, 0.01);
  g_assert_true (odl_recipe_get (recipe, 2, "sigma", 0) == ODL_VALUE_AUTO);
  draw (fixture, "10,20,100,150");
  activate_and_settle (fixture, "noise-from-region", "0");
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 0, "noise", 0),
                                  sigma / 3, 0.1 * sigma);
  // From the card's menu.
  g_assert_true (
      gtk_widget_activate_action (card_of (fixture, 1), "card.measure-bands", NULL));
  settle (fixture);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 1, "profile", 0), !=, 1);
  set_filters (fixture, "gaussian");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window),
                                                     "noise-from-region"));
}

// ---- the walk ------------------------------------------------------------------------

static bool
is_compared (Fixture *fixture, const void *data)
{
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  return odl_reference_numbers (parts->reference) != NULL;
}

// PSNR after the filters, and CNR of the first two regions, as the window shows them.
typedef struct {
  double psnr, cnr;
} Quality;

static Quality
quality_of (Fixture *fixture, const char *filters, const char *clean)
{
  OdlReference *reference = odl_main_window_parts (fixture->window)->reference;
  odl_reference_set_file (reference, NULL);
  set_filters (fixture, filters);
  odl_reference_set_file (reference, clean);
  wait_until (fixture, is_compared, NULL);
  const double psnr = odl_reference_numbers (reference)->after.psnr_db;
  const OdlFrame *frame = odl_session_frame (fixture->session);
  OdlAnnotations *all = odl_session_annotations (fixture->session);
  OdlContrast contrast;
  g_autoptr (GError) error = NULL;
  g_assert_true (odl_contrast_of (odl_annotations_at (all, 0),
                                  odl_annotations_at (all, 1), frame->input,
                                  frame->result, &contrast, &error));
  g_test_message ("%s: %.2f dB, CNR %.3f", filters, psnr, contrast.cnr);
  return (Quality){ psnr, contrast.cnr };
}

static bool
is_metered (Fixture *fixture, const void *row)
{
  return odl_band_histograms_shown ((GtkWidget *) row, 0, ODL_BAND_HH).n > 0;
}

static void
save_preset (Fixture *fixture)
{
  activate (fixture, "save-preset", NULL);
  wait_until (fixture, asks, NULL);
  AdwMessageDialog *dialog = find_dialog ();
  gtk_editable_set_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog)),
                         PRESET);
  adw_message_dialog_response (dialog, "name");
  gtk_window_destroy (GTK_WINDOW (dialog));
  settle (fixture);
  g_assert_true (odl_library_has (PRESET));
}

// Samples of an array of NumPy, version 1.0.
static const float *
samples_of (const char *bytes)
{
  return (const float *) (const void *) (bytes + 10 + (guint8) bytes[8]
                                         + 256 * (guint8) bytes[9]);
}

static void
assert_same_pixels (Fixture *fixture, const char *path)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const OdlImage *result = frame->result;
  const OdlImageInfo *info = odl_image_info (frame->input); // whose unit files have
  g_autofree char *out = g_build_filename (fixture->folder, "made.npy", NULL);
  const char *const options[]
      = { "process", path, "-o", out, "--preset", PRESET, "--engine", "cpu", NULL };
  g_autofree float *row = g_new (float, info->extent.x);
  g_autofree char *bytes = NULL;
  gsize size;
  double largest = 0;
  g_free (run_cli (options));
  g_assert_true (g_file_get_contents (out, &bytes, &size, NULL));
  const gsize n = (gsize) info->extent.x * info->extent.y * info->channels;
  const float *made = samples_of (bytes);
  g_assert_cmpuint (size, ==, (gsize) ((const char *) (made + n) - bytes));
  for (int y = 0; y < info->extent.y; y++) {
    odl_image_scaled_row (result, 0, y, 0, 0, row);
    for (int x = 0; x < info->extent.x; x++) {
      const double value
          = info->value_map.intercept
            + info->value_map.slope
                  * (info->stored_min + row[x] * (info->stored_max - info->stored_min));
      largest
          = MAX (largest,
                 fabs (value - made[((gsize) y * info->extent.x + x) * info->channels]));
    }
  }
  g_test_message ("largest difference %g of %g", largest, info->stored_max);
  g_assert_cmpfloat (largest, <, 1e-6 * info->stored_max);
}

// A row of the table that a sweep made: its PSNR.
static double
psnr_of_row (const char *table, int row)
{
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  g_auto (GStrv) names = g_strsplit (lines[0], ",", -1);
  g_auto (GStrv) cells = g_strsplit (lines[row], ",", -1);
  for (int i = 0; names[i]; i++)
    if (g_str_equal (names[i], "psnr_db"))
      return g_ascii_strtod (cells[i], NULL);
  g_error ("no PSNR in\n%s", table);
}

static bool
card_says (Fixture *fixture, const void *part)
{
  return has_label (card_of (fixture, 0), part);
}

static void
test_walk (Fixture *fixture, const void *data)
{
  g_autofree char *cine = g_build_filename (fixture->folder, "cine.mkv", NULL);
  g_autofree char *clean = g_build_filename (fixture->folder, "clean.png", NULL);
  g_autofree char *csv = g_build_filename (fixture->folder, "sweep.csv", NULL);
  const char *const make_cine[] = { "process",    "phantom:256x192,clean",
                                    "--noise",    NOISE,
                                    "--frames",   "1-6",
                                    "--quality",  "lossless",
                                    "--no-badge", "-o",
                                    cine,         NULL };
  const char *const make_clean[]
      = { "process", "phantom:256x192,clean", "-o", clean, NULL };
  g_free (run_cli (make_cine));
  g_free (run_cli (make_clean));
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, cine);
  odl_session_set_playing (fixture->session, FALSE);
  activate_and_settle (fixture, "first-frame", NULL);
  draw (fixture, "110,126,40,12"); // the chamber
  draw (fixture, "180,98,26,14"); // tissue

  // σ as BayesShrink shows it, which is that of the noise that was added.
  set_filters (fixture, "bayes-shrink:wavelet=sym8,levels=4");
  const OdlPlan *plan;
  g_assert_nonnull (odl_session_observed (fixture->session, &plan));
  wait_until (fixture, card_says, "Noise in this frame: σ = 0.0");
  const double sigma
      = odl_noise_of (odl_session_frame (fixture->session)->input, ODL_COLOUR_CHANNELS);
  g_test_message ("σ %g of %g", sigma, 20 / 255.0);
  g_assert_cmpfloat (sigma, >, 0.7 * 20 / 255); // some of it is cut off at black
  g_assert_cmpfloat (sigma, <, 1.02 * 20 / 255);

  const Quality bayes = quality_of (fixture, "bayes-shrink:wavelet=sym8,levels=4", clean);
  set_filters (fixture, "bivariate");
  activate_and_settle (fixture, "noise-from-region", "0");
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 0, "sigma", 0),
                                  20 / 255.0, 0.1 * 20 / 255);
  g_autofree char *by_region = odl_recipe_to_text (recipe_of (fixture), " ");
  const Quality bivariate = quality_of (fixture, by_region, clean);
  const Quality means = quality_of (fixture, "non-local-means:strength=0.08", clean);
  const double noisy
      = odl_reference_numbers (odl_main_window_parts (fixture->window)->reference)
            ->before.psnr_db;
  g_assert_cmpfloat (bayes.psnr, >, noisy + 4);
  g_assert_cmpfloat (bivariate.psnr, >, noisy + 4);
  g_assert_cmpfloat (means.psnr, >, bayes.psnr + 1); // patches suit what is smooth
  g_assert_cmpfloat (bayes.cnr, >, 5);
  g_assert_cmpfloat (bivariate.cnr, >, bayes.cnr);
  g_assert_cmpfloat (means.cnr, >, bayes.cnr);

  // One band by its histogram: the others stay.
  set_filters (fixture, "shrinkage:wavelet=sym8,levels=3");
  GtkWidget *row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, row);
  const OdlRecipe before = *recipe_of (fixture);
  odl_band_histograms_drag (row, 0, ODL_BAND_HH, 0.125);
  settle (fixture);
  for (int i = 0; i < 3 * ODL_DETAIL_BANDS; i++)
    g_assert_true ((odl_recipe_get (&before, 0, "thresholds", i)
                    == odl_recipe_get (recipe_of (fixture), 0, "thresholds", i))
                   == (i != ODL_BAND_HH));
  g_autofree char *words = odl_recipe_to_text (recipe_of (fixture), " ");
  const Quality adjusted = quality_of (fixture, words, clean);

  save_preset (fixture);
  assert_same_pixels (fixture, cine);
  const char *const sweep[]
      = { "sweep",       cine,  "--preset", PRESET, "--vary", "shrinkage.levels=1:4",
          "--reference", clean, "--engine", "cpu",  "--csv",  csv,
          NULL };
  g_free (run_cli (sweep));
  g_autofree char *table = NULL;
  g_assert_true (g_file_get_contents (csv, &table, NULL, NULL));
  for (int levels = 1; levels <= 4; levels++)
    g_test_message ("%d levels: %.3f dB", levels, psnr_of_row (table, levels));
  g_assert_cmpfloat_with_epsilon (psnr_of_row (table, 3), adjusted.psnr, 1e-3);
  g_assert_cmpfloat (psnr_of_row (table, 1), <, psnr_of_row (table, 3));
}

// Speckle leaves black as it is: σ of a band is that of the sector, twice that of the
// samples in HH.
static void
test_sector (Fixture *fixture, const void *data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "sector.png", NULL);
  const char *const make[]
      = { "process", "phantom:256x192,clean", "--noise", "speckle:0.25,7", "-o", path,
          NULL };
  g_free (run_cli (make));
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, path);
  set_filters (fixture, "shrinkage:wavelet=sym8,levels=2");
  GtkWidget *row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, row);
  const double sigma
      = odl_noise_of (odl_session_frame (fixture->session)->input, ODL_COLOUR_CHANNELS);
  const double finest = odl_band_histograms_shown (row, 0, ODL_BAND_HH).sigma;
  g_test_message ("σ %g of HH 1, %g of the picture", finest, sigma);
  g_assert_cmpfloat (sigma, >, 0.05);
  g_assert_cmpfloat_with_epsilon (finest, 2 * sigma, 0.25 * 2 * sigma);
}

// ---- a moved control ------------------------------------------------------------------

typedef struct {
  double wanted; // threshold
  int late; // frames that came with another one since it was set
  bool came;
} Moved;

static void
frame_cb (OdlSession *session, Moved *moved)
{
  const OdlFrame *frame = odl_session_frame (session);
  moved->came = odl_recipe_get (&frame->recipe, 0, "threshold", 0) == moved->wanted;
  moved->late += !moved->came;
}

static bool
has_come (Fixture *fixture, const void *moved)
{
  return ((const Moved *) moved)->came;
}

// Frames that may be on their way when a control moves: one is being computed, two wait
// for that and two for the window, all of them on a busy machine.
#define ON_THEIR_WAY 5

// While a cine plays the next frame has it, but for those on their way: one, if nobody
// else has the machine.
static void
test_control (Fixture *fixture, const void *data)
{
  static const char *const engines[] = { "cpu", "gl-fragment" };
  for (size_t e = 0; e < G_N_ELEMENTS (engines); e++) {
    odl_session_set_engine (fixture->session, engines[e]);
    open_and_wait (fixture, "phantom:256x192");
    set_filters (fixture, "soft-threshold:levels=3,threshold=0.01");
    odl_session_set_playing (fixture->session, true);
    wait_for_frames (fixture, 2);
    int most = 0, least = ON_THEIR_WAY;
    for (int i = 1; i <= 20; i++) {
      OdlRecipe recipe = *recipe_of (fixture);
      Moved moved = { .wanted = 0.01 + 0.001 * i };
      odl_recipe_set (&recipe, 0, "threshold", 0, moved.wanted);
      const gulong id = g_signal_connect (fixture->session, "frame-ready",
                                          G_CALLBACK (frame_cb), &moved);
      odl_session_set_recipe (fixture->session, &recipe, "threshold");
      wait_until (fixture, has_come, &moved);
      g_signal_handler_disconnect (fixture->session, id);
      most = MAX (most, moved.late);
      least = MIN (least, moved.late);
    }
    g_test_message ("%s: %d frames with the value before", engines[e], most);
    g_assert_cmpstr (odl_session_frame (fixture->session)->engine->name, ==, engines[e]);
    g_assert_cmpint (least, <=, 1);
    g_assert_cmpint (most, <=, ON_THEIR_WAY);
  }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("odl-designer-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  need_display (&argc, &argv);
  ADD ("/designer/noise-comes-from-a-region", test_region);
  ADD_IN_SHARES ("/designer/a-walk-from-a-noisy-cine-to-the-same-pixels", test_walk);
  ADD ("/designer/a-band-has-the-noise-of-the-sector", test_sector);
  ADD ("/designer/a-moved-control-acts-within-a-frame", test_control);
  return odl_test_run_in (g_steal_pointer (&folder));
}
