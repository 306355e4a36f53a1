// SPDX-License-Identifier: MIT
// Measurements as a table, from the real window: the same that the command line measures
// in each picture.
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "../helpers/test_data.h"
#include "source/dicom/dicom.h"
#include "source/dicom/presentation.h"
#include "support/patient.h"
#include "widgets/window/parts.h"

#define HEAD \
  "input,frame,kind,numbers,name,value,after,unit,spacing,plane,at,at_unit,note\n"

static void
annotate (Fixture *fixture, const char *kind, const char *numbers, int64_t frame)
{
  OdlAnnotation annotation;
  g_assert_true (
      odl_annotation_from_text (odl_annotation_kind_find (kind), numbers, &annotation));
  annotation.frame = frame;
  odl_session_annotate (fixture->session, &annotation);
  run_cycles (fixture, 2);
}

static bool
can_save (Fixture *fixture)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window),
                                            "save-measures");
}

// What is written; `toast`: what is said of it.
static char *
save (Fixture *fixture, const char *toast)
{
  g_autofree char *path = g_build_filename (fixture->folder, "table.csv", NULL);
  char *text = NULL;
  g_unlink (path);
  g_assert_true (can_save (fixture));
  activate_with_text (fixture, "save-measures-to", path);
  wait_until (fixture, has_toast, toast);
  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

// A table of a DICOM file's name would be taken for one, and the other way round.
static void
assert_misleads (Fixture *fixture, const char *action, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  activate_with_text (fixture, action, path);
  g_assert_true (has_toast (fixture, "its name does not end with"));
  settle (fixture);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

// What the command line writes of a file in the folder, without the first row.
static char *
measured (Fixture *fixture, const char *name, const char *option, const char *numbers)
{
  const char *const arguments[]
      = { g_getenv ("ODL_CLI"), "measure", name,    "--csv", "--filter",
          "gaussian:sigma=2",   option,    numbers, NULL };
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_spawn_sync (fixture->folder, (char **) arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                &text, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (text, HEAD));
  return g_strdup (text + strlen (HEAD));
}

// Every picture of a sequence, with values before and after the filters.
static void
test_each_picture (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "p1.png", 80, 60, false);
  g_autofree char *second = write_png (fixture, "p2.png", 80, 60, true);
  g_autofree char *location = g_strconcat ("sequence:", fixture->folder, NULL);
  open_and_wait (fixture, location);
  odl_session_set_playing (fixture->session, false);
  set_filters (fixture, "gaussian:sigma=2");
  g_assert_false (can_save (fixture));
  // Not in the order of pictures.
  annotate (fixture, "ellipse", "10,12.5,30,20", 1);
  annotate (fixture, "length", "1,2,31,42", 0);
  g_autofree char *got = save (fixture, "Saved “table.csv”");
  g_autofree char *length = measured (fixture, "p1.png", "--length", "1,2,31,42");
  g_autofree char *ellipse = measured (fixture, "p2.png", "--ellipse", "10,12.5,30,20");
  // It was its only picture to the command line, and is the second one here.
  g_auto (GStrv) parts = g_strsplit (ellipse, "\"p2.png\",1,", -1);
  g_autofree char *as_second = g_strjoinv ("\"p2.png\",2,", parts);
  g_autofree char *expected = g_strconcat (HEAD, length, as_second, NULL);
  g_assert_cmpstr (got, ==, expected);

  // Filters over time have no value of a single picture.
  set_filters (fixture, "recursive-average");
  g_autofree char *before = save (fixture, "values of the original alone");
  g_auto (GStrv) rows = g_strsplit (before, "\n", -1);
  g_assert_cmpuint (g_strv_length (rows), ==, g_strv_length (parts) + 2);
  for (char **row = rows + 1; **row; row++) {
    g_auto (GStrv) fields = g_strsplit (*row, "\",", -1);
    g_assert_nonnull (strstr (fields[2], ",,"));
  }
}

// Millimetres where the file says how large its pixels are, in the unit of its values.
static void
test_units (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  open_and_wait (fixture, path);
  annotate (fixture, "length", "10,10,40,50", 0);
  annotate (fixture, "ellipse", "10,10,20,10", 0);
  g_autofree char *got = save (fixture, "Saved “table.csv”");
  static const char *const rows[] = {
    HEAD "\"Ct.dcm\",1,length,\"10,10,40,50\",length,25,,\"mm\",object,,,,\n",
    "\"Ct.dcm\",1,ellipse,\"10,10,20,10\",area,39.26",
    "\"Ct.dcm\",1,ellipse,\"10,10,20,10\",mean,-100,,\"HU\",object,,,,\n",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_nonnull (strstr (got, rows[i]));
  assert_misleads (fixture, "save-measures-to", "table.dcm");
  assert_misleads (fixture, "save-report-to", "report.CSV");
  activate (fixture, "mask-names", NULL);
  g_autofree char *hidden = save (fixture, "Saved “Name hidden”");
  g_assert_null (strstr (hidden, "Ct.dcm"));
  g_assert_nonnull (strstr (hidden, HEAD "\"(name hidden)\",1,length,"));
}

// Another picture at the same place is not measured.
static void
test_changed (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "p.png", 80, 60, false);
  open_and_wait (fixture, path);
  annotate (fixture, "length", "1,2,31,42", 0);
  g_free (write_png (fixture, "p.png", 60, 80, false));
  g_autofree char *got = save (fixture, "has changed since it was opened");
  g_assert_null (got);
  // Nor is the picture written over.
  activate_with_text (fixture, "save-measures-to", path);
  wait_until (fixture, has_toast, "never written over");
}

// The lines of a header's text that begin with one of the elements, at any depth.
static char *
lines_of (const char *header, const char *const *tags)
{
  g_auto (GStrv) lines = g_strsplit (header, "\n", -1);
  GString *found = g_string_new (NULL);
  for (char **line = lines; *line; line++)
    for (const char *const *tag = tags; *tag; tag++)
      if (strstr (*line, *tag))
        g_string_append_printf (found, "%s\n", *line);
  return g_string_free (found, FALSE);
}

static char *
header_of (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *header = odl_dicom_read_header (path, NULL, &error);
  g_assert_no_error (error);
  return header;
}

static char *
save_object (Fixture *fixture, const char *action, const char *name, const char *toast)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  activate_with_text (fixture, action, path);
  wait_until (fixture, has_toast, toast);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  return path;
}

// A report has what the command line writes, after the same filters.
static void
test_report (Fixture *fixture, const void *data)
{
  // Values, coordinates, texts; identifiers and times are new each time.
  static const char *const tags[]
      = { "(0040,A30A)", "(0070,0022)", "(0040,A160)", "(0040,A043)", NULL };
  g_autofree char *path = odl_test_data ("pydicom/CT_small.dcm");
  if (!path)
    return;
  open_and_wait (fixture, path);
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);
  g_assert_false (g_action_group_get_action_enabled (actions, "save-report"));
  set_filters (fixture, "gaussian:sigma=2");
  annotate (fixture, "length", "10,20,30.5,40", 0);
  annotate (fixture, "ellipse", "30,30,20,10", 0);
  g_assert_true (g_action_group_get_action_enabled (actions, "save-report"));
  g_autofree char *ours
      = save_object (fixture, "save-report-to", "ours.dcm", "Saved “ours.dcm”");
  g_autofree char *theirs = g_build_filename (fixture->folder, "theirs.dcm", NULL);
  const char *const arguments[] = { g_getenv ("ODL_CLI"),
                                    "measure",
                                    path,
                                    "--filter",
                                    "gaussian:sigma=2",
                                    "--length",
                                    "10,20,30.5,40",
                                    "--ellipse",
                                    "30,30,20,10",
                                    "--sr",
                                    theirs,
                                    NULL };
  int status = 1;
  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
                NULL, NULL, &status, NULL);
  g_assert_cmpint (status, ==, 0);
  g_autofree char *got = header_of (ours), *want = header_of (theirs);
  g_autofree char *got_lines = lines_of (got, tags), *want_lines = lines_of (want, tags);
  g_assert_nonnull (strstr (got_lines, "after gaussian"));
  g_assert_cmpstr (got_lines, ==, want_lines);
}

// A state has the window, the turn and what is drawn, as reading it here says.
static void
test_state (Fixture *fixture, const void *data)
{
  g_autofree char *path = odl_test_data ("pydicom/CT_small.dcm");
  bool is_partial = true;
  if (!path)
    return;
  open_and_wait (fixture, path);
  annotate (fixture, "length", "10,20,30.5,40", 0);
  annotate (fixture, "arrow", "60,60,90,60", 0);
  odl_viewport_rotate (fixture->viewport, 1);
  odl_viewport_flip (fixture->viewport, false);
  odl_viewport_set_window (fixture->viewport, 90, 60);
  odl_viewport_set_invert (fixture->viewport, true);
  g_autofree char *saved
      = save_object (fixture, "save-state-to", "state.dcm", "Saved “state.dcm”");
  g_autofree char *text = header_of (saved);
  g_autoptr (OdlPresentation) state = odl_presentation_parse (
      text, odl_session_detail (fixture->session, "sop-instance"), 0);
  g_assert_nonnull (state);
  g_assert_cmpfloat (state->window.centre, ==, 90);
  g_assert_cmpfloat (state->window.width, ==, 60);
  g_assert_true (state->inverse && !state->is_partial);
  // Upside down after a quarter turn is three of them, and left to right.
  g_assert_cmpint (state->quarter_turns, ==, 3);
  g_assert_true (state->flip);
  g_autoptr (OdlGraphics) drawn
      = odl_presentation_graphics (state, 128, 128, 1, &is_partial);
  g_assert_false (is_partial);
  g_assert_cmpuint (drawn->lines->len, ==, 3); // a head, too
  g_assert_cmpuint (drawn->words->len, ==, 1);
  set_filters (fixture, "gaussian:sigma=2");
  g_free (save_object (fixture, "save-state-to", "again.dcm", "not the filters"));
}

// Key pictures are marked, undone, gone to and saved; those that a key object beside the
// file names are key pictures, too.
static void
test_keys (Fixture *fixture, const void *data)
{
  g_autofree char *source = odl_test_data ("pydicom/CT_small.dcm");
  g_autofree char *path = g_build_filename (fixture->folder, "ct.dcm", NULL);
  g_autofree char *content = NULL;
  gsize size = 0;
  bool by_others = true;
  if (!source)
    return;
  g_assert_true (g_file_get_contents (source, &content, &size, NULL)
                 && g_file_set_contents (path, content, (gssize) size, NULL));
  open_and_wait (fixture, path);
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);
  g_assert_false (odl_session_is_key (fixture->session, 0, &by_others));
  g_assert_false (g_action_group_get_action_enabled (actions, "save-keys"));
  activate_and_settle (fixture, "key-picture", NULL);
  g_assert_true (odl_session_is_key (fixture->session, 0, &by_others));
  g_assert_false (by_others);
  g_assert_true (g_action_group_get_action_enabled (actions, "save-keys"));
  activate_and_settle (fixture, "undo", NULL);
  g_assert_false (odl_session_is_key (fixture->session, 0, &by_others));
  activate_and_settle (fixture, "redo", NULL);
  g_free (save_object (fixture, "save-keys-to", "keys.dcm", "Saved “keys.dcm”"));
  activate_and_settle (fixture, "key-picture", NULL);
  g_assert_false (odl_session_is_key (fixture->session, 0, &by_others));
  g_autofree char *other = write_png (fixture, "p.png", 80, 60, false);
  open_and_wait (fixture, other);
  open_and_wait (fixture, path);
  for (int i = 0; i < 500 && !by_others; i++) {
    odl_session_is_key (fixture->session, 0, &by_others);
    settle (fixture);
  }
  g_assert_true (by_others);
  g_assert_cmpint (odl_session_next_key (fixture->session, 0, 1), ==, 0);
}

// What is no DICOM file has neither.
static void
test_no_objects (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "p.png", 80, 60, false);
  open_and_wait (fixture, path);
  annotate (fixture, "length", "1,2,31,42", 0);
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);
  g_assert_false (g_action_group_get_action_enabled (actions, "save-report"));
  g_assert_false (g_action_group_get_action_enabled (actions, "save-state"));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/tables/each-picture-as-the-command-line-measures-it", test_each_picture);
  ADD ("/tables/units-and-what-they-come-from", test_units);
  ADD ("/tables/a-picture-that-changed-is-not-measured", test_changed);
  ADD ("/tables/reports-are-those-of-the-command-line", test_report);
  ADD ("/tables/states-have-window-turn-and-drawings", test_state);
  ADD ("/tables/key-pictures-are-marked-saved-and-read", test_keys);
  ADD ("/tables/pictures-of-other-files-have-no-objects", test_no_objects);
  return g_test_run ();
}
