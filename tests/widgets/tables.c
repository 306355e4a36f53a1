// SPDX-License-Identifier: MIT
// Measurements as a table, from the real window: the same that the command line measures
// in each picture.
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "support/patient.h"
#include "widgets/window/parts.h"

#define HEAD "input,frame,kind,numbers,name,value,after,unit,spacing,plane,at,at_unit\n"

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
    HEAD "\"Ct.dcm\",1,length,\"10,10,40,50\",length,25,,\"mm\",object,,,\n",
    "\"Ct.dcm\",1,ellipse,\"10,10,20,10\",area,39.26",
    "\"Ct.dcm\",1,ellipse,\"10,10,20,10\",mean,-100,,\"HU\",object,,,\n",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_nonnull (strstr (got, rows[i]));
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

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/tables/each-picture-as-the-command-line-measures-it", test_each_picture);
  ADD ("/tables/units-and-what-they-come-from", test_units);
  ADD ("/tables/a-picture-that-changed-is-not-measured", test_changed);
  return g_test_run ();
}
