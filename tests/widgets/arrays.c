// SPDX-License-Identifier: MIT
// Arrays of Python in the real window: only where they are allowed, by the package and a
// program of its own, with sliders that stay live.
#include "../helpers/folder.h"
#include "support/panes.h"

#include <glib/gstdio.h>
#include <string.h>

#include "widgets/windows/preferences_window.h"

#define START \
  "import numpy, ondelette, sys, time\n" \
  "y, x = numpy.mgrid[0:48, 0:64]\n" \
  "waves = (0.5 + 0.4 * numpy.sin (x / 5) * numpy.cos (y / 7)).astype ('f4')\n"

typedef struct {
  GSubprocess *program;
  char *output; // NULL: it runs
  bool succeeded;
} Python;

static void
ended_cb (GObject *object, GAsyncResult *result, void *data)
{
  Python *python = data;
  char *errors = NULL;
  g_assert_true (g_subprocess_communicate_utf8_finish (python->program, result,
                                                       &python->output, &errors, NULL));
  python->succeeded = g_subprocess_get_successful (python->program);
  if (!python->succeeded)
    g_test_message ("%s", errors);
  g_free (errors);
}

static bool
has_ended (Fixture *fixture, const void *data)
{
  return ((const Python *) data)->output != NULL;
}

// Runs lines while the window lives on; what they print. Transfer full.
static char *
run (Fixture *fixture, const char *lines)
{
  g_autofree char *text = g_strconcat (START, lines, NULL);
  Python python = { .program = g_subprocess_new (
                        G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                        NULL, "/usr/bin/python3", "-B", "-c", text, NULL) };
  g_assert_nonnull (python.program);
  g_subprocess_communicate_utf8_async (python.program, NULL, NULL, ended_cb, &python);
  wait_until (fixture, has_ended, &python);
  g_clear_object (&python.program);
  if (!python.succeeded)
    g_error ("Python has failed");
  return python.output;
}

static void
allow (Fixture *fixture, bool on)
{
  g_action_group_change_action_state (G_ACTION_GROUP (fixture->application), "arrays",
                                      g_variant_new_boolean (on));
}

static bool
is_allowed (Fixture *fixture)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->application), "arrays");
  return g_variant_get_boolean (state);
}

static bool
is_as_wanted (Fixture *fixture, const void *on)
{
  return is_allowed (fixture) == (on != NULL);
}

static void
test_switch (Fixture *fixture, const void *data)
{
  static const char tries[] = "try:\n  print (ondelette.recipe ())\n"
                              "except ondelette.Error as error:\n  print (error)\n";
  g_assert_false (is_allowed (fixture));
  g_autofree char *refused = run (fixture, tries);
  g_assert_nonnull (strstr (refused, "ondelette --arrays"));
  activate (fixture, "preferences", NULL);
  GtkWidget *preferences
      = g_object_get_data (G_OBJECT (fixture->window), "odl-preferences");
  g_assert_nonnull (preferences);
  GtkWidget *row = find_where (preferences, is_label_with, "may show arrays here");
  g_assert_nonnull (row);
  row = gtk_widget_get_ancestor (row, ADW_TYPE_ACTION_ROW);
  GtkWidget *toggle = find_widget (row, GTK_TYPE_SWITCH);
  g_assert_nonnull (toggle);
  gtk_widget_activate (toggle);
  wait_until (fixture, is_as_wanted, "on");
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (toggle)));
  g_assert_true (odl_settings_get_boolean (fixture->settings, "arrays"));
  g_autofree char *taken = run (fixture, tries);
  g_assert_nonnull (strstr (taken, "view=synthesis"));
  gtk_widget_activate (toggle);
  wait_until (fixture, is_as_wanted, NULL);
  g_autofree char *again = run (fixture, tries);
  g_assert_cmpstr (again, ==, refused);
  gtk_window_close (GTK_WINDOW (preferences));
  run_cycles (fixture, 2);
}

static void
test_no_folder (Fixture *fixture, const void *data)
{
  g_autofree char *folder = g_strdup (g_getenv ("XDG_RUNTIME_DIR"));
  g_setenv ("XDG_RUNTIME_DIR", "/nowhere", TRUE);
  allow (fixture, true);
  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  g_assert_false (is_allowed (fixture));
  wait_until (fixture, has_toast, "XDG_RUNTIME_DIR");
}

static void
test_show (Fixture *fixture, const void *data)
{
  allow (fixture, true);
  g_autofree char *shown = run (
      fixture,
      "ondelette.show (waves, name='waves', spacing=(0.5, 0.25))\n"
      "assert abs (ondelette.result ('waves') - waves).max () < 1e-6\n"
      "print (ondelette.recipe ('gaussian:sigma=2', name='waves'))\n"
      "made = ondelette.result ()\n"
      "want = ondelette.run ('gaussian:sigma=2', waves)\n"
      "assert abs (made - want).max () < 1e-5, abs (made - want).max ()\n"
      "ondelette.show ((waves * 255).astype ('u1'), name='waves')\n"
      "made = ondelette.result ('waves')\n"
      "assert abs (made - 255 * want).max () < 1, abs (made - 255 * want).max ()\n");
  g_assert_true (g_str_has_prefix (shown, "gaussian:sigma=2"));
  settle (fixture);
  g_assert_true (has_location (fixture, "array:waves"));
  g_assert_cmpstr (odl_session_info (fixture->session)->name, ==, "waves");
  const OdlRecipe *recipe = recipe_of (fixture);
  g_assert_cmpint (recipe->n_items, ==, 1);
  g_assert_cmpstr (recipe->items[0].filter->name, ==, "gaussian");
  const OdlImageInfo *info = odl_image_info (odl_session_frame (fixture->session)->input);
  g_assert_cmpint (info->extent.x, ==, 64);
  g_assert_cmpint (info->extent.y, ==, 48);
  g_assert_true (has_label (GTK_WIDGET (fixture->window), "waves"));
}

// A picture that is replaced keeps filters, zoom and what was drawn; each one is shown.
static void
test_live (Fixture *fixture, const void *data)
{
  allow (fixture, true);
  g_autofree char *first = run (fixture, "ondelette.show (waves)\n");
  set_filters (fixture, "median:size=5");
  OdlViewport *viewport = fixture->viewport;
  activate_and_settle (fixture, "zoom-in", NULL);
  const guint steps = odl_session_history (fixture->session)->steps->len;
  g_autofree char *rest
      = run (fixture, "for i in range (40):\n"
                      "  ondelette.show (waves * (i / 40))\n"
                      "  made = ondelette.result (copy=False)\n"
                      "  want = ondelette.run ('median:size=5', waves * (i / 40))\n"
                      "  assert abs (made - want).max () < 1e-5, i\n");
  settle (fixture);
  g_assert_cmpuint (odl_session_history (fixture->session)->steps->len, ==, steps);
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "median");
  g_assert_true (viewport == fixture->viewport);
}

static void
test_changes (Fixture *fixture, const void *data)
{
  allow (fixture, true);
  g_autofree char *told = run (fixture, "import threading\n"
                                        "ondelette.show (waves)\n"
                                        "came, seen = threading.Event (), []\n"
                                        "def changed (recipe):\n"
                                        "  seen.append (recipe)\n"
                                        "  came.set ()\n"
                                        "watching = ondelette.on_change (changed)\n"
                                        "ondelette.recipe ('median:size=3')\n"
                                        "assert came.wait (100)\n"
                                        "watching.close ()\n"
                                        "print (seen[-1])\n");
  g_assert_true (g_str_has_prefix (told, "median:size=3"));
}

static void
test_volume (Fixture *fixture, const void *data)
{
  allow (fixture, true);
  g_autofree char *shown
      = run (fixture, "volume = numpy.stack ([waves * (i / 20) for i in range (20)])\n"
                      "ondelette.show (volume, 'volume', spacing=(1, 1, 2))\n"
                      "assert abs (ondelette.result ('volume') - volume).max () < 1e-6\n"
                      "ondelette.recipe ('gaussian:sigma=1')\n"
                      "made = ondelette.result ('volume')\n"
                      "want = ondelette.run ('gaussian:sigma=1', volume[7])\n"
                      "assert made.shape == volume.shape, made.shape\n"
                      "assert abs (made[7] - want).max () < 1e-5\n"
                      "rgb = numpy.repeat (waves[..., None], 3, axis=2)\n"
                      "ondelette.show (rgb, 'colours')\n"
                      "assert ondelette.result ('colours').shape == rgb.shape\n"
                      "try:\n  ondelette.result ('volume')\n"
                      "except ondelette.Error as error:\n  print (error)\n"
                      "ondelette.show (numpy.stack ([waves, waves / 2]), 'moves', "
                      "times=(0, 0.5), axes='tyx')\n");
  g_assert_nonnull (strstr (shown, "no window shows an array of this name"));
  settle (fixture);
  g_assert_cmpint (odl_session_info (fixture->session)->n_frames, ==, 2);
  g_assert_cmpint (odl_session_info (fixture->session)->frame_times_ns[1], ==, 500000000);
}

// What has a name goes to where that is shown, all else to where people look.
static void
test_panes (Fixture *fixture, const void *data)
{
  allow (fixture, true);
  g_autofree char *first = run (fixture, "ondelette.show (waves, 'one')\n");
  lay_out (fixture, "1x2");
  go_to (fixture, 1);
  g_autofree char *rest
      = run (fixture, "ondelette.show (waves / 2, 'two')\n"
                      "ondelette.recipe ('median:size=3', name='one')\n"
                      "ondelette.show (waves / 4, 'one')\n"
                      "want = ondelette.run ('median:size=3', waves / 4)\n"
                      "assert abs (ondelette.result ('one') - want).max () < 1e-5\n"
                      "assert abs (ondelette.result () - waves / 2).max () < 1e-5\n");
  OdlSession *one = pane_at (fixture, 0)->session, *two = pane_at (fixture, 1)->session;
  g_assert_cmpstr (odl_session_info (one)->location, ==, "array:one");
  g_assert_cmpstr (odl_session_info (two)->location, ==, "array:two");
  g_assert_cmpint (odl_session_recipe (one)->n_items, ==, 1);
  g_assert_cmpint (odl_session_recipe (two)->n_items, ==, 0);
}

// Python has no sanitizer, which a library that was built with one needs in the program.
static bool
python_can_load_it (void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#else
  return true;
#endif
}

int
main (int argc, char **argv)
{
  char *runtime = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  need_display (&argc, &argv);
  ADD ("/arrays/they-are-shown-where-that-is-allowed", test_switch);
  ADD ("/arrays/without-a-folder-it-stays-off-in-words", test_no_folder);
  if (!python_can_load_it ())
    return odl_test_run_in (runtime);
  ADD ("/arrays/an-array-is-shown-and-its-result-comes-back", test_show);
  ADD ("/arrays/another-one-takes-its-place-with-the-filters", test_live);
  ADD ("/arrays/changes-are-told-to-python", test_changes);
  ADD ("/arrays/a-name-goes-to-its-pane", test_panes);
  ADD ("/arrays/volumes-colours-and-times", test_volume);
  return odl_test_run_in (runtime);
}
