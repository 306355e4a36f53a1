// SPDX-License-Identifier: MIT
// Sweeps without a window: to the byte what the command line writes.
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../../helpers/folder.h"
#include "../source/support.h"
#include "base/error.h"
#include "session/sweep.h"
#include "told.h"

#define CLEAN "phantom:96x80,clean"
#define NOISE "gaussian:25/255,7"

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

// What a window fills in. `vary` up to NULL.
static OdlTrialParams
params_of (const char *input, const char *filters, const char *const *vary)
{
  OdlTrialParams params
      = { .input = input, .vary = (char **) vary, .noise = NOISE, .engine = "cpu" };
  g_autoptr (GError) error = NULL;

  odl_recipe_init (&params.recipe);
  g_assert_true (odl_recipe_parse (&params.recipe, filters, &error));
  return params;
}

static void
ended_cb (const GError *error, void *data)
{
  told_cb ("", error, data);
}

// Runs it to its end. Transfer full.
static OdlSweep *
run (const OdlTrialParams *params, bool searches, int code)
{
  Told told = { 0 };
  g_autoptr (GError) error = NULL;
  OdlSweep *sweep = odl_sweep_new (params, searches, ended_cb, &told, &error);

  g_assert_no_error (error);
  wait_until_told (&told);
  g_test_message ("%s", told.message);
  g_assert_cmpint (told.code, ==, code);
  g_assert_true (odl_sweep_ended (sweep));
  return sweep;
}

static char *
contents (const char *path)
{
  char *text;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

// What the window offers for a shell, with our command line; its output.
static char *
run_command (const OdlSweep *sweep, const char *csv)
{
  g_autofree char *text = odl_sweep_command (sweep, csv);
  g_autofree char *line
      = g_strconcat ("\"$ODL_CLI\"", text + strlen ("ondelette-cli"), NULL);
  const char *const command[] = { "/bin/sh", "-c", line, NULL };
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status = -1;

  g_assert_true (g_str_has_prefix (text, "ondelette-cli "));
  g_test_message ("%s", text);
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  return output;
}

// The rows of a sweep in its own table, and the command line's.
static void
assert_same_table (const OdlTrialParams *params, guint points)
{
  g_autoptr (OdlSweep) sweep = run (params, false, -1);
  g_autoptr (GPtrArray) rows = odl_sweep_take (sweep);
  g_autofree char *ours = in_folder ("ours.csv");
  g_autofree char *theirs = in_folder ("theirs.csv");
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (rows->len, ==, points);
  odl_sweep_save (sweep, rows, ours, &error);
  g_assert_no_error (error);
  g_unlink (theirs);
  g_free (run_command (sweep, theirs));
  g_autofree char *first = contents (ours);
  g_autofree char *second = contents (theirs);
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpint (odl_sweep_state (sweep).done, ==, points);
  g_assert_cmpint (odl_sweep_state (sweep).total, ==, points);
}

static void
test_table (void)
{
  static const char *const vary[] = { "soft-threshold.threshold=0:0.2:0.05",
                                      "soft-threshold.wavelet=haar,cdf97", NULL };
  const OdlTrialParams params = params_of (CLEAN, "soft-threshold", vary);

  assert_same_table (&params, 10);
}

// Filters in the place of one, with what each has of what varies; the plot, too.
static void
test_filters (void)
{
  static const char *const vary[]
      = { "soft-threshold=soft-threshold,median,bivariate:levels=2,wavelet=haar",
          "soft-threshold.threshold=0:0.2:0.05", "bivariate.sigma=0.05,0.1",
          "gaussian.sigma=0.3,0.6", NULL };
  const OdlTrialParams params = params_of (CLEAN, "gaussian soft-threshold", vary);

  assert_same_table (&params, 2 * (5 + 1 + 2));
}

// Filters over time, and what a metric has no value for.
static void
test_frames (void)
{
  static const char *const vary[] = { "sliding-mean.frames=3,5,7", NULL };
  OdlTrialParams params = params_of ("phantom:64x48,clean", "sliding-mean", vary);

  params.frames = "2-5";
  params.metric = "ssim";
  assert_same_table (&params, 3);
}

// The mean of all pictures of a folder, as the table of the command line has it.
static void
test_folder (void)
{
  static const char *const vary[] = { "gaussian.sigma=0.5:2:0.5", NULL };
  g_autofree char *pictures = in_folder ("it's a folder");
  g_autofree char *location = g_strconcat ("sequence:", pictures, NULL);
  OdlTrialParams params = params_of (location, "gaussian", vary);

  g_assert_cmpint (g_mkdir (pictures, 0700), ==, 0);
  for (int i = 1; i <= 3; i++) {
    g_autofree char *input = g_strdup_printf ("phantom:64x48,clean,seed=%d", i);
    g_autofree char *name = g_strdup_printf ("picture-%d.png", i);
    g_autofree char *path = g_build_filename (pictures, name, NULL);
    const char *const command[]
        = { g_getenv ("ODL_CLI"), "process", input, "-o", path, NULL };
    g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_DEFAULT, NULL,
                                 NULL, NULL, NULL, NULL, NULL));
  }
  params.frames = "all";
  assert_same_table (&params, 4);
}

static void
test_search (void)
{
  static const char *const vary[]
      = { "soft-threshold.threshold=0:0.2:0.002", "soft-threshold.levels=1:5", NULL };
  const OdlTrialParams params = params_of (CLEAN, "soft-threshold", vary);
  g_autoptr (OdlSweep) sweep = run (&params, true, -1);
  g_autoptr (GPtrArray) rows = odl_sweep_take (sweep);
  const OdlTrial *trial = odl_sweep_trial (sweep);
  const OdlSweepRow *best = rows->pdata[0];
  OdlScores before;

  for (guint i = 0; i < rows->len; i++) {
    const OdlSweepRow *row = rows->pdata[i];
    if (odl_trial_better (trial, row->scores.values[trial->metric],
                          best->scores.values[trial->metric]))
      best = row;
  }
  g_assert_cmpuint (rows->len, <, 505);
  g_assert_true (odl_sweep_before (sweep, &before));
  g_assert_cmpfloat (best->scores.values[ODL_SCORE_PSNR], >,
                     before.values[ODL_SCORE_PSNR] + 1);
  const OdlRecipe recipe = odl_trial_recipe (trial, best->indices);
  g_autofree char *words = odl_recipe_to_text (&recipe, " ");
  g_autofree char *said = run_command (sweep, NULL);
  g_assert_cmpstr (g_strchomp (said), ==, words);
}

// Whoever waits for its end is told so at once, whatever is at work.
static void
test_cancel (void)
{
  static const char *const vary[] = { "non-local-means.strength=0.01:0.5:0.0001", NULL };
  OdlTrialParams params = params_of ("phantom:320x320,clean",
                                     "non-local-means:patch=9,search=21,rounds=1", vary);

  // At work where an engine that fails would give way to a slow one.
  for (int how = 0; how < 3; how++) {
    params.engine = how == 0 ? "cpu" : "auto";
    Told told = { 0 };
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSweep) sweep
        = odl_sweep_new (&params, how == 2, ended_cb, &told, &error);
    g_assert_no_error (error);
    // At once, and at work.
    while (how > 0 && odl_sweep_state (sweep).done == 0)
      g_main_context_iteration (NULL, FALSE);
    odl_sweep_cancel (sweep);
    wait_until_told (&told);
    g_assert_cmpint (told.code, ==, ODL_ERROR_CANCELLED);
    g_assert_cmpint (odl_sweep_state (sweep).done, <, 100);
  }
  // Nobody is told any more.
  odl_sweep_free (odl_sweep_new (&params, false, ended_cb, NULL, NULL));
}

// Where a window asks, messages name what it calls it.
static void
test_titles (void)
{
  static const char *const vary[] = { "soft-threshold.levels=1:99", NULL };
  static const char *const titles[] = { "Niveaux", NULL };
  OdlTrialParams params = params_of (CLEAN, "soft-threshold", vary);
  g_autoptr (GError) error = NULL;

  params.titles = (char **) titles;
  g_assert_null (odl_sweep_new (&params, false, ended_cb, NULL, &error));
  g_assert_true (g_str_has_prefix (error->message, "Niveaux: “17”"));
}

static void
assert_refused (const char *const *vary, const char *says)
{
  const OdlTrialParams params = params_of (CLEAN, "soft-threshold", vary);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSweep) sweep = odl_sweep_new (&params, false, ended_cb, NULL, &error);

  g_assert_null (sweep);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_refused (void)
{
  assert_refused ((const char *const[]){ "soft-threshold.threshold=0:0.9:5e-7", NULL },
                  "1800001 combinations");
  assert_refused ((const char *const[]){ "soft-threshold.levels=1:99", NULL }, "levels");
  assert_refused ((const char *const[]){ "gaussian.sigma=1:2:1", NULL },
                  "no such filter");
  static const char *const vary[] = { "soft-threshold.levels=1:2", NULL };
  const OdlTrialParams params = params_of ("/nowhere.png", "soft-threshold", vary);
  odl_sweep_free (run (&params, false, ODL_ERROR_IO));
}

// Tables are never written over what is read.
static void
test_saving (void)
{
  static const char *const vary[] = { "gaussian.sigma=1:2:1", NULL };
  g_autofree char *path = in_folder ("clean.png");
  const char *const command[]
      = { g_getenv ("ODL_CLI"), "process", CLEAN, "-o", path, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                               NULL, NULL, NULL, NULL));
  OdlTrialParams params = params_of (CLEAN, "gaussian", vary);
  params.reference = path;
  g_autoptr (OdlSweep) sweep = run (&params, false, -1);
  g_autoptr (GPtrArray) rows = odl_sweep_take (sweep);
  g_autofree char *before = contents (path);
  g_assert_false (odl_sweep_save (sweep, rows, path, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  g_autofree char *after = contents (path);
  g_assert_cmpstr (before, ==, after);
}

// The end of what was tried matters where more can be tried.
static void
test_ends (void)
{
  static const struct {
    const char *vary;
    guint index;
    bool goes_on;
  } cases[] = {
    { "soft-threshold.threshold=0:0.2:0.05", 0, false }, // none is below 0
    { "soft-threshold.threshold=0:0.2:0.05", 2, false },
    { "soft-threshold.threshold=0:0.2:0.05", 4, true },
    { "soft-threshold.threshold=0.01:0.2:0.05", 0, true },
    { "soft-threshold.threshold=0.3,0.1,0.2", 0, true },
    { "soft-threshold.threshold=0.3,0.1,0.2", 1, true },
    { "soft-threshold.threshold=0.3,0.1,0.2", 2, false },
    { "soft-threshold.threshold=0.3", 0, false }, // nothing was compared
    { "soft-threshold.levels=1:3", 0, false },
    { "soft-threshold.levels=1:3", 2, true },
    { "soft-threshold.wavelet=haar,cdf97", 1, false },
    { "strength=0:4:1", 4, false },
    { "strength=0:3:1", 3, true },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *const vary[] = { cases[i].vary, NULL };
    const OdlTrialParams params = params_of (CLEAN, "soft-threshold", vary);
    g_autoptr (GError) error = NULL;
    const OdlAxesParams asked = { params.vary, NULL, &params.recipe, 0 };
    g_autoptr (OdlAxes) axes = odl_axes_new (&asked, &error);
    g_assert_no_error (error);
    g_test_message ("%s, %u", cases[i].vary, cases[i].index);
    g_assert_true (odl_axes_goes_on (axes, &cases[i].index, 0) == cases[i].goes_on);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = odl_test_folder_in (g_get_tmp_dir ());
  g_test_add_func ("/sweep/tables-are-those-of-the-command-line", test_table);
  g_test_add_func ("/sweep/filters-stand-in-for-one", test_filters);
  g_test_add_func ("/sweep/frames-are-measured-together", test_frames);
  g_test_add_func ("/sweep/folders-are-measured-together", test_folder);
  g_test_add_func ("/sweep/a-search-finds-what-optimise-finds", test_search);
  g_test_add_func ("/sweep/what-is-at-work-is-given-up", test_cancel);
  g_test_add_func ("/sweep/what-cannot-be-swept-is-refused", test_refused);
  g_test_add_func ("/sweep/mistakes-name-what-the-window-shows", test_titles);
  g_test_add_func ("/sweep/what-is-read-is-not-written", test_saving);
  g_test_add_func ("/sweep/ends-of-ranges-are-told-apart", test_ends);
  return odl_test_run_in (folder);
}
