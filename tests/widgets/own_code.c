// SPDX-License-Identifier: MIT
// Code of the user's own in the window: nothing runs without a question, saving the file
// changes the picture, and what goes wrong is a sentence beside the version before.
#include "../helpers/bar.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/code_watch.h"
#include "session/trust.h"
#include "widgets/trust_group.h"
#include "widgets/windows/code_window.h"

// Each test has bytes of its own, since what one has allowed stays allowed.
static char *
code_with (const char *remark, const char *made)
{
  return g_strdup_printf ("// %s\n// parameter: factor 0..2 = 0.5  Factor\n"
                          "SAMPLE filtered (ivec2 p)\n{\n  return %s;\n}\n",
                          remark, made);
}

#define MOST_WATCHING_US 300000

static char *
write_code (Fixture *fixture, const char *name, const char *text)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
  return path;
}

// Where somebody looks, in the middle of a grey picture.
static double
ratio (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  // Nothing is filtered, and the canvas has it.
  if (frame && odl_recipe_is_identity (&frame->recipe))
    return 1;
  if (!frame || !frame->result)
    return -1;
  const int width = odl_image_info (frame->result)->extent.x;
  g_autofree float *made = g_new (float, width), *came = g_new (float, width);
  odl_image_scaled_row (frame->result, 0, 20, 0, 0, made);
  odl_image_scaled_row (frame->input, 0, 20, 0, 0, came);
  return (double) (made[30] / came[30]);
}

static bool
has_ratio (Fixture *fixture, const void *wanted)
{
  return fabs (ratio (fixture) - *(const double *) wanted) < 0.03;
}

#define wait_for_ratio(fixture, value) \
  wait_until (fixture, has_ratio, &(const double){ value })

static GtkWindow *
find_question (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (g_object_get_data (at->data, "question"))
      return at->data;
  return NULL;
}

static bool
is_asked (Fixture *fixture, const void *data)
{
  return (find_question () != NULL) == (data == NULL);
}

static bool
is_labelled (GtkWidget *widget, const void *label)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static void
click (GtkWidget *root, const char *label)
{
  GtkWidget *button = find_where (root, is_labelled, label);
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
}

static void
answer (Fixture *fixture, const char *label)
{
  wait_until (fixture, is_asked, NULL);
  click (GTK_WIDGET (find_question ()), label);
  wait_until (fixture, is_asked, "no more");
}

static bool
card_says (Fixture *fixture, const void *part)
{
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  GtkWidget *card = recipe->n_items > 0 ? card_of (fixture, 0) : NULL;
  return card && has_label (card, part);
}

static bool
card_is_silent (Fixture *fixture, const void *part)
{
  return !card_says (fixture, part);
}

static bool
has_items (Fixture *fixture, const void *n)
{
  return odl_session_recipe (fixture->session)->n_items == GPOINTER_TO_INT (n);
}

// A picture that is nowhere black.
static void
open_grey (Fixture *fixture)
{
  g_autofree char *path = write_png (fixture, "grey.png", 64, 48, false);
  open_and_wait (fixture, path);
}

static void
insert (Fixture *fixture, const char *path)
{
  activate_with_text (fixture, "insert-code-file", path);
}

// As a person would: the file is read, the question answered.
static void
insert_and_trust (Fixture *fixture, const char *path)
{
  insert (fixture, path);
  answer (fixture, "_Trust and Run");
  wait_until (fixture, has_items, GINT_TO_POINTER (1));
}

// Whether those with OpenGL can win; what others take is never known where other programs
// keep the processors.
static bool
knows_engines (Fixture *fixture, const void *data)
{
  const OdlRanking *known = odl_session_ranking (fixture->session);
  for (int i = 0; known && i < known->n; i++)
    if (known->candidates[i].choice.klass->needs_gl
        && known->candidates[i].state == ODL_CANDIDATE_UNMEASURED)
      return false;
  return known != NULL;
}

// Where software draws OpenGL, no engine with it is chosen for the filters that it knows
// of; code has no other ones.
static void
test_known_engines (Fixture *fixture, const void *data)
{
  g_autofree char *text = code_with ("known engines", "at (p) * FACTOR");
  g_autofree char *path = write_code (fixture, "known.glsl", text);
  OdlRecipe other;
  odl_recipe_init (&other);
  g_assert_true (odl_recipe_parse (&other, "sharpen", NULL));
  open_grey (fixture);
  odl_session_set_recipe (fixture->session, &other, NULL);
  wait_until (fixture, knows_engines, NULL);
  odl_recipe_init (&other);
  odl_session_set_recipe (fixture->session, &other, NULL);
  insert_and_trust (fixture, path);
  wait_for_ratio (fixture, 0.5);
}

static void
test_question (Fixture *fixture, const void *data)
{
  g_autofree char *text = code_with ("question", "at (p) * FACTOR");
  g_autofree char *path = write_code (fixture, "half.glsl", text);
  open_grey (fixture);
  insert (fixture, path);
  wait_until (fixture, is_asked, NULL);
  GtkWidget *view = find_widget (GTK_WIDGET (find_question ()), GTK_TYPE_TEXT_VIEW);
  g_autofree char *shown = NULL;
  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "text", &shown, NULL);
  g_assert_cmpstr (shown, ==, text);
  g_assert_true (gtk_window_get_modal (find_question ()));
  answer (fixture, "_Cancel");
  g_assert_true (has_items (fixture, GINT_TO_POINTER (0)));

  // What runs is what was shown, whatever the file is by now.
  insert (fixture, path);
  wait_until (fixture, is_asked, NULL);
  g_autofree char *other = code_with ("question, another", "at (p) * 0.1");
  g_assert_true (g_file_set_contents (path, other, -1, NULL));
  answer (fixture, "_Trust and Run");
  wait_for_ratio (fixture, 0.5);
  g_autofree char *recipe
      = odl_recipe_to_text (odl_session_recipe (fixture->session), " ");
  g_assert_null (strstr (recipe, fixture->folder));
  g_assert_nonnull (strstr (recipe, "sha256="));

  // A slider, and back.
  OdlRecipe next = *odl_session_recipe (fixture->session);
  odl_recipe_set (&next, 0, "factor", 0, 0.25);
  odl_session_set_recipe (fixture->session, &next, NULL);
  wait_for_ratio (fixture, 0.25);
  activate (fixture, "undo", NULL);
  wait_for_ratio (fixture, 0.5);
  activate (fixture, "undo", NULL);
  wait_until (fixture, has_items, GINT_TO_POINTER (0));
}

static void
test_watching (Fixture *fixture, const void *data)
{
  g_autofree char *first = code_with ("watching", "at (p) * FACTOR");
  g_autofree char *second = code_with ("watching", "at (p) * 0.25");
  g_autofree char *broken = code_with ("watching", "at (p) * nothing");
  g_autofree char *refused = code_with ("watching", "mat2 (1.0) * vec3 (1.0) * at (p)");
  g_autofree char *path = write_code (fixture, "seen.glsl", first);
  open_grey (fixture);
  insert_and_trust (fixture, path);
  wait_for_ratio (fixture, 0.5);
  OdlRecipe next = *odl_session_recipe (fixture->session);
  odl_recipe_set (&next, 0, "factor", 0, 0.75);
  odl_session_set_recipe (fixture->session, &next, NULL);
  wait_for_ratio (fixture, 0.75);

  const int64_t saved_us = g_get_monotonic_time ();
  g_assert_true (g_file_set_contents (path, second, -1, NULL));
  wait_for_ratio (fixture, 0.25);
  odl_test_took ("from a file that is saved to the picture",
                 g_get_monotonic_time () - saved_us, MOST_WATCHING_US);
  g_assert_cmpfloat (
      odl_recipe_get (odl_session_recipe (fixture->session), 0, "factor", 0), ==, 0.75);
  // Words that are not known, and what the driver refuses: the version before goes on.
  g_assert_true (g_file_set_contents (path, broken, -1, NULL));
  wait_until (fixture, card_says, "seen.glsl, line 5: “nothing”");
  g_assert_true (card_says (fixture, "goes on"));
  wait_for_ratio (fixture, 0.25);
  g_assert_true (g_file_set_contents (path, refused, -1, NULL));
  wait_until (fixture, card_says, "seen.glsl, line 5: the graphics driver");
  wait_for_ratio (fixture, 0.25);
  g_assert_cmpint (g_unlink (path), ==, 0);
  wait_until (fixture, card_says, "seen.glsl: No such file");
  wait_for_ratio (fixture, 0.25);
  // The one from the beginning comes back, allowed as it was.
  g_assert_true (g_file_set_contents (path, first, -1, NULL));
  wait_for_ratio (fixture, 0.75);
  wait_until (fixture, card_is_silent, "goes on");
  g_assert_null (find_question ());
  activate (fixture, "undo", NULL);
  wait_for_ratio (fixture, 0.25);
}

// What others may write is not trusted when it changes.
static void
test_not_private (Fixture *fixture, const void *data)
{
  g_autofree char *first = code_with ("shared", "at (p) * FACTOR");
  g_autofree char *second = code_with ("shared", "at (p) * 0.25");
  g_autofree char *path = write_code (fixture, "shared.glsl", first);
  g_autofree char *link = g_build_filename (fixture->folder, "link.glsl", NULL);
  open_grey (fixture);
  g_assert_true (odl_code_file_is_private (path));
  g_assert_cmpint (symlink (path, link), ==, 0);
  g_assert_false (odl_code_file_is_private (link));
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  g_assert_false (odl_code_file_is_private (path));
  insert_and_trust (fixture, path);
  wait_for_ratio (fixture, 0.5);
  FILE *file = g_fopen (path, "w");
  g_assert_nonnull (file);
  fputs (second, file);
  fclose (file);
  wait_until (fixture, card_says, "others than you");
  wait_for_ratio (fixture, 0.5);
}

// A recipe from elsewhere.
static void
test_came (Fixture *fixture, const void *data)
{
  g_autofree char *text = code_with ("came", "at (p) * FACTOR");
  g_autofree char *path = write_code (fixture, "came.glsl", text);
  g_autofree char *words = g_strdup_printf ("glsl:file=\"%s\",factor=1.5", path);
  open_grey (fixture);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, words, NULL));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  wait_until (fixture, is_asked, NULL);
  wait_until (fixture, card_says, "waits for your yes");
  answer (fixture, "_Cancel");
  wait_until (fixture, card_says, "You have not allowed");
  wait_for_ratio (fixture, 1);
  // Nobody is asked again but by hand.
  activate (fixture, "undo", NULL);
  activate (fixture, "redo", NULL);
  settle (fixture);
  g_assert_null (find_question ());
  activate_with_text (fixture, "look-at-code", recipe.items[0].filter->code->hash);
  answer (fixture, "_Trust and Run");
  wait_for_ratio (fixture, 1.5);
  wait_until (fixture, card_is_silent, "allowed");

  // Found again by its hash alone, from what is kept; until it is revoked.
  g_autofree char *named = odl_recipe_to_text (&recipe, " ");
  g_assert_cmpint (g_unlink (path), ==, 0);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, named, NULL));
  g_autofree char *kept = NULL, *where = odl_trust_path ();
  struct stat status;
  g_assert_true (g_file_get_contents (where, &kept, NULL, NULL));
  g_assert_nonnull (strstr (kept, recipe.items[0].filter->code->hash));
  g_assert_cmpint (stat (where, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  GtkWidget *group = g_object_ref_sink (odl_trust_group_new ());
  g_assert_nonnull (find_where (group, is_label_with, "came.glsl"));
  click (group, "Revoke");
  g_assert_null (find_where (group, is_label_with, "came.glsl"));
  wait_for_ratio (fixture, 1);
  wait_until (fixture, card_says, "You have not allowed");
  g_object_unref (group);
}

static void
expect_refusal (Fixture *fixture, const char *path, const char *words)
{
  insert (fixture, path);
  wait_until (fixture, has_toast, words);
  g_assert_null (find_question ());
  g_assert_true (has_items (fixture, GINT_TO_POINTER (0)));
}

static void
test_hostile_files (Fixture *fixture, const void *data)
{
  g_autofree char *bad = write_code (fixture, "bad.glsl", "SAMPLE filtered (ivec2 p) {");
  g_autofree char *huge
      = write_code (fixture, "huge.glsl",
                    "SAMPLE filtered (ivec2 p)\n{\n  float a[1000000000];\n"
                    "  return at (p);\n}\n");
  g_autofree char *reads
      = write_code (fixture, "reads.glsl", "#include \"/etc/passwd\"\n");
  g_autofree char *large = write_code (fixture, "large.glsl", "");
  g_autofree char *pipe = g_build_filename (fixture->folder, "pipe.glsl", NULL);
  g_autofree char *gone = g_build_filename (fixture->folder, "gone.glsl", NULL);
  g_autofree char *loop = g_build_filename (fixture->folder, "loop.glsl", NULL);
  g_assert_cmpint (truncate (large, 100 * 1024 * 1024), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink (loop, loop), ==, 0);
  open_grey (fixture);
  expect_refusal (fixture, bad, "bad.glsl, line");
  expect_refusal (fixture, huge, "huge.glsl, line 3");
  expect_refusal (fixture, reads, "reads.glsl, line 1");
  expect_refusal (fixture, large, "large.glsl: this is no code");
  expect_refusal (fixture, pipe, "pipe.glsl: this is no code");
  expect_refusal (fixture, gone, "gone.glsl");
  expect_refusal (fixture, loop, "loop.glsl");
  expect_refusal (fixture, fixture->folder, "this is no code");
  settle (fixture);
}

// Endless loops are ended by a counter, which is told; what a driver refuses is passed
// over, and may be tried again.
static void
test_failing_code (Fixture *fixture, const void *data)
{
  g_autofree char *endless
      = write_code (fixture, "endless.glsl",
                    "SAMPLE filtered (ivec2 p)\n{\n  float n = 0.0;\n  for (;;)\n"
                    "    n += 1.0;\n  return at (p) * min (n, 1.0);\n}\n");
  g_autofree char *text = code_with ("fails", "mat2 (1.0) * vec3 (1.0) * at (p)");
  g_autofree char *fails = write_code (fixture, "fails.glsl", text);
  open_grey (fixture);
  insert_and_trust (fixture, endless);
  wait_until (fixture, card_says, "16000");
  wait_for_ratio (fixture, 1);
  activate (fixture, "undo", NULL);
  insert_and_trust (fixture, fails);
  wait_until (fixture, card_says, "fails.glsl, line 5: the graphics driver");
  g_assert_true (card_says (fixture, "passed over"));
  wait_for_ratio (fixture, 1);
  const OdlOwnCode *code = odl_session_recipe (fixture->session)->items[0].filter->code;
  activate_with_text (fixture, "try-code", code->hash);
  wait_until (fixture, card_is_silent, "passed over");
  wait_until (fixture, card_says, "passed over");
}

// Nothing in the text is hidden from who looks at it.
static char *
python_with (const char *remark, const char *does)
{
  return g_strdup_printf ("# %s\ndef filter(picture, factor: \"0..2  Factor\" = 0.5):\n"
                          "    %s\n",
                          remark, does);
}

// Python runs, or this system refuses its sandbox.
static bool
is_answered (Fixture *fixture, const void *data)
{
  return has_ratio (fixture, &(const double){ 0.5 })
         || card_says (fixture, "refuses a part of the sandbox");
}

// Python goes the way of GLSL: the question, the slider, the watch; what fails when it is
// tried, or later with one picture, is passed over and told.
static void
test_python (Fixture *fixture, const void *data)
{
  g_autofree char *first = python_with ("window", "return picture * factor");
  g_autofree char *second = python_with ("window", "return picture * 0.25");
  g_autofree char *broken = python_with ("window", "return picture * nothing");
  g_autofree char *dies = python_with ("window", "import os; os._exit (0)");
  g_autofree char *later
      = python_with ("window", "assert factor < 1, 'too much'; return picture * factor");
  g_autofree char *path = write_code (fixture, "seen.py", first);
  open_grey (fixture);
  insert_and_trust (fixture, path);
  wait_until (fixture, is_answered, NULL);
  if (card_says (fixture, "refuses a part of the sandbox")) {
    g_test_skip ("this system refuses a part of the sandbox of Python");
    return;
  }
  OdlRecipe next = *odl_session_recipe (fixture->session);
  odl_recipe_set (&next, 0, "factor", 0, 0.75);
  odl_session_set_recipe (fixture->session, &next, NULL);
  wait_for_ratio (fixture, 0.75);
  g_assert_true (g_file_set_contents (path, second, -1, NULL));
  wait_for_ratio (fixture, 0.25);
  g_assert_true (g_file_set_contents (path, broken, -1, NULL));
  wait_until (fixture, card_says, "seen.py, line 3: NameError");
  g_assert_true (card_says (fixture, "goes on"));
  g_assert_true (g_file_set_contents (path, dies, -1, NULL));
  wait_until (fixture, card_says, "seen.py: its process ended");
  wait_for_ratio (fixture, 0.25);
  g_assert_true (g_file_set_contents (path, later, -1, NULL));
  wait_for_ratio (fixture, 0.75);
  next = *odl_session_recipe (fixture->session);
  odl_recipe_set (&next, 0, "factor", 0, 1.5);
  odl_session_set_recipe (fixture->session, &next, NULL);
  wait_until (fixture, card_says, "seen.py, line 3: AssertionError: too much");
  g_assert_true (card_says (fixture, "passed over"));
  wait_for_ratio (fixture, 1);
}

// ---- numbers, noise and volumes -------------------------------------------------------

static bool
is_text (GtkWidget *widget, const void *number)
{
  return GTK_IS_TEXT (widget)
         && g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (widget)), number) == 0;
}

static bool
reads (Fixture *fixture, const void *number)
{
  return find_where (card_of (fixture, 0), is_text, number) != NULL;
}

// A number that is a share of full scale is read in the unit of the file, as those of
// built-in filters; the recipe and the code have the share. Another unit stands as it is.
static void
test_units (Fixture *fixture, const void *data)
{
  static const char *const texts[]
      = { "// units\n// parameter: step 0..1 = 0.2 of full scale  Step\n"
          "SAMPLE filtered (ivec2 p)\n{\n  return at (p) * STEP;\n}\n",
          "// units\n// parameter: step 0..9 = 3 px  Step\n"
          "SAMPLE filtered (ivec2 p)\n{\n  return at (p) * STEP / 6.0;\n}\n" };
  static const char *const said[][2]
      = { { "as the file's values", "51" }, { "px", "3" } };
  static const double ratios[] = { 0.2, 0.5 };
  open_grey (fixture);
  for (int i = 0; i < 2; i++) {
    g_autofree char *name = g_strdup_printf ("units%d.glsl", i);
    g_autofree char *path = write_code (fixture, name, texts[i]);
    insert_and_trust (fixture, path);
    wait_for_ratio (fixture, ratios[i]);
    wait_until (fixture, card_says, said[i][0]);
    wait_until (fixture, reads, said[i][1]);
    g_assert_cmpfloat (
        odl_recipe_get (odl_session_recipe (fixture->session), 0, "step", 0), ==,
        i == 0 ? 0.2 : 3);
    activate (fixture, "undo", NULL);
    wait_until (fixture, has_items, GINT_TO_POINTER (0));
  }
}

static bool
has_sigma (Fixture *fixture, const void *data)
{
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  return odl_recipe_get (recipe, recipe->n_items - 1, "sigma", 0) > 0;
}

// What is measured for a filter behind those that there are.
static double
measure_behind (Fixture *fixture)
{
  OdlRecipe recipe = *odl_session_recipe (fixture->session);
  g_assert_true (odl_recipe_append (&recipe, odl_filter_find ("bivariate")));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  wait_until (fixture, has_sigma, NULL);
  const double sigma = odl_recipe_get (odl_session_recipe (fixture->session),
                                       recipe.n_items - 1, "sigma", 0);
  activate (fixture, "undo", NULL);
  return sigma;
}

// Noise behind GLSL is that of the picture as it came, as the help says; behind Python
// what this leaves of it.
static void
test_noise (Fixture *fixture, const void *data)
{
  g_autofree char *glsl = code_with ("noise", "at (p) * FACTOR");
  g_autofree char *python = python_with ("noise", "return picture * factor");
  g_autofree char *path = write_code (fixture, "noise.glsl", glsl);
  open_grey (fixture);
  const double came = measure_behind (fixture);
  insert_and_trust (fixture, path);
  wait_for_ratio (fixture, 0.5);
  g_assert_cmpfloat_with_epsilon (measure_behind (fixture), came, 1e-9);
  activate (fixture, "undo", NULL);
  wait_until (fixture, has_items, GINT_TO_POINTER (0));
  if (g_getenv ("ODL_TEST_ENGINE"))
    return;
  g_autofree char *other = write_code (fixture, "noise.py", python);
  insert_and_trust (fixture, other);
  wait_until (fixture, is_answered, NULL);
  if (card_says (fixture, "refuses a part of the sandbox"))
    return;
  g_assert_cmpfloat_with_epsilon (measure_behind (fixture), 0.5 * came, 0.01 * came);
}

// Of the slice of the cross-hair, where it is brightest.
static double
slice_ratio (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  float made[48], came[48];
  int at = 0;
  if (!frame || !frame->volume || !frame->slice)
    return -1;
  odl_image_scaled_row (frame->slice, 0, 16, 0, 0, made);
  odl_image_scaled_row (frame->volume, 0, 16, frame->voxel.at[2], 0, came);
  for (int x = 0; x < 48; x++)
    at = came[x] > came[at] ? x : at;
  return came[at] > 0 ? (double) (made[at] / came[at]) : -1;
}

static bool
has_slice_ratio (Fixture *fixture, const void *wanted)
{
  return fabs (slice_ratio (fixture) - *(const double *) wanted) < 0.01
         || card_says (fixture, "refuses a part of the sandbox");
}

// A whole volume at once, with its slider.
static void
test_python_volume (Fixture *fixture, const void *data)
{
  g_autofree char *text = python_with (
      "deep", "return picture * (factor if picture.shape[:1] == (11,) else 0)");
  g_autofree char *path = write_code (fixture, "deep.py", text);
  open_and_wait (fixture, "phantom:48x32x11");
  insert_and_trust (fixture, path);
  OdlRecipe next = *odl_session_recipe (fixture->session);
  odl_recipe_set (&next, 0, "dimensions", 0, 3);
  odl_session_set_recipe (fixture->session, &next, NULL);
  wait_until (fixture, has_slice_ratio, &(const double){ 0.5 });
  if (card_says (fixture, "refuses a part of the sandbox")) {
    g_test_skip ("this system refuses a part of the sandbox of Python");
    return;
  }
  next = *odl_session_recipe (fixture->session);
  odl_recipe_set (&next, 0, "factor", 0, 1.5);
  odl_session_set_recipe (fixture->session, &next, NULL);
  wait_until (fixture, has_slice_ratio, &(const double){ 1.5 });
}

// GLSL is for pictures: beside a filter of whole volumes it is passed over, in words, and
// the rest of the chain goes on.
static void
test_glsl_in_a_volume (Fixture *fixture, const void *data)
{
  g_autofree char *text = code_with ("flat", "at (p) * FACTOR");
  g_autofree char *path = write_code (fixture, "flat.glsl", text);
  open_and_wait (fixture, "phantom:48x32x11");
  insert_and_trust (fixture, path);
  OdlRecipe next = *odl_session_recipe (fixture->session);
  g_assert_true (odl_recipe_append (&next, odl_filter_find ("shrinkage")));
  odl_recipe_set (&next, 1, "dimensions", 0, 3);
  for (int i = 0; i < 9; i++)
    odl_recipe_set (&next, 1, "thresholds", i, 0);
  odl_session_set_recipe (fixture->session, &next, NULL);
  wait_until (fixture, has_slice_ratio, &(const double){ 1 });
  wait_until (fixture, card_says, "passed over");
}

static void
test_shown_text (void)
{
  static const char text[] = "// \xe2\x80\xae turned\r\nSAMPLE filtered (ivec2 p)\n"
                             "{\n\treturn at (p);\n}\n";
  const OdlOwnCode *code = odl_own_code_new ("turned.glsl", text, sizeof text - 1, NULL);
  g_assert_nonnull (code);
  g_autofree char *shown = odl_code_window_text (code);
  g_assert_nonnull (strstr (shown, "⟨U+202E⟩ turned\nSAMPLE"));
  g_assert_nonnull (strstr (shown, "\treturn"));
}

int
main (int argc, char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  need_display (&argc, &argv);
  ADD ("/own-code/nothing-runs-without-a-question", test_question);
  // An engine that was asked for is not compared with others.
  if (!g_getenv ("ODL_TEST_ENGINE"))
    ADD ("/own-code/what-is-known-of-other-filters-does-not-count", test_known_engines);
  if (!g_getenv ("ODL_TEST_ENGINE"))
    ADD ("/own-code/python-is-asked-about-and-followed-likewise", test_python);
  ADD ("/own-code/saving-the-file-changes-the-picture", test_watching);
  ADD ("/own-code/what-others-may-write-is-not-followed", test_not_private);
  ADD ("/own-code/a-recipe-from-elsewhere-waits", test_came);
  ADD ("/own-code/hostile-files-are-sentences", test_hostile_files);
  ADD ("/own-code/what-fails-is-passed-over-and-told", test_failing_code);
  ADD ("/own-code/shares-are-read-in-the-unit-of-the-file", test_units);
  ADD ("/own-code/noise-is-measured-before-glsl-and-behind-python", test_noise);
  if (!g_getenv ("ODL_TEST_ENGINE"))
    ADD ("/own-code/python-gets-whole-volumes", test_python_volume);
  if (!g_getenv ("ODL_TEST_ENGINE"))
    ADD ("/own-code/glsl-beside-a-filter-of-volumes-is-passed-over",
         test_glsl_in_a_volume);
  g_test_add_func ("/own-code/nothing-is-hidden-in-the-text", test_shown_text);
  const int result = g_test_run ();
  g_autofree char *folder = g_build_filename (state, "ondelette", NULL);
  g_autofree char *kept = odl_trust_path ();
  g_unlink (kept);
  g_rmdir (folder);
  g_rmdir (state);
  return result;
}
