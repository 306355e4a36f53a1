// SPDX-License-Identifier: MIT
// Hanging rules: which series of a list lie in which pane, and rules that make no sense.
#include "session/browse/hanging.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"

#define SERIES(person_, uid_, study_, date_, name_, modality_, location_) \
  { \
    .person = (char *) (person_), .study_uid = (char *) (uid_), \
    .study = (char *) (study_), .study_date = (char *) (date_), \
    .series = (char *) (name_), .modality = (char *) (modality_), \
    .location = (char *) (location_) \
  }

static OdlSeries series[] = {
  SERIES ("1", "now", "Thorax", "20240201", "axial", "CT", "now-axial"),
  SERIES ("1", "now", "Thorax", "20240201", "Übersicht", "CR", "now-scout"),
  SERIES ("1", "now", "Thorax", "20240201", "coronal", "CT", "now-coronal"),
  SERIES ("1", "old", "", "20230201", "coronal", "CT", "old-coronal"),
  SERIES ("1", "old", "", "20230201", "axial", "CT", "old-axial"),
  SERIES ("1", "older", "", "20220201", "coronal", "CT", "older-coronal"),
  SERIES ("2", "x", "", "20240101", "axial", "CT", "of-another"),
  { .person = (char *) "3",
    .study_uid = (char *) "y",
    .study = (char *) "1",
    .study_date = (char *) "",
    .series = (char *) "1",
    .modality = (char *) "CT",
    .body_part = (char *) "HEAD",
    .location = (char *) "no-words" },
};

static GPtrArray *
make_list (void)
{
  GPtrArray *list = g_ptr_array_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (series); i++)
    g_ptr_array_add (list, &series[i]);
  return list;
}

static OdlHanging *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  OdlHanging *rule = odl_hanging_parse (text, "a.txt", &error);
  g_assert_no_error (error);
  return rule;
}

// The locations in the panes, with blanks between them; "-": the rule does not suit.
static void
assert_lies (const char *text, guint shown, const char *wanted)
{
  g_autoptr (GPtrArray) list = make_list ();
  g_autoptr (OdlHanging) rule = parse (text);
  g_autoptr (OdlWorkspace) workspace = odl_hanging_lay (rule, list, shown);
  g_autoptr (GString) got = g_string_new (workspace ? "" : "-");
  for (int i = 0; workspace && i < workspace->n_panes; i++)
    g_string_append_printf (got, "%s%s", i > 0 ? " " : "", workspace->panes[i].location);
  g_assert_cmpstr (got->str, ==, wanted);
}

#define HEAD "name: n\nlayout: 1x2\n"

static void
test_which_series (void)
{
  assert_lies (HEAD "pane: shown\npane: other\n", 0, "now-axial now-coronal");
  assert_lies (HEAD "pane: shown\npane: other\n", 2, "now-coronal now-axial");
  assert_lies (HEAD "pane: other\n", 1, "-"); // the only one of its modality
  assert_lies (HEAD "pane: series 2\npane: series 1\n", 0, "now-coronal now-axial");
  assert_lies (HEAD "pane: series 3\n", 0, "-");
  // The latest earlier study, there the series of the same name.
  assert_lies (HEAD "pane: shown\npane: prior\n", 0, "now-axial old-axial");
  assert_lies (HEAD "pane: shown\npane: prior\n", 2, "now-coronal old-coronal");
  assert_lies (HEAD "pane: prior\n", 4, "older-coronal");
  assert_lies (HEAD "pane: prior\n", 5, "-");
  assert_lies (HEAD "pane: prior\n", 6, "-"); // nobody else's
  assert_lies (HEAD "pane: prior\n", 1, "-");
}

static void
test_what_suits (void)
{
  assert_lies (HEAD "modality: ct\npane: shown\n", 0, "now-axial");
  assert_lies (HEAD "modality: CT\npane: shown\n", 1, "-");
  assert_lies (HEAD "words: lung, THORAX\npane: shown\n", 0, "now-axial");
  assert_lies (HEAD "words: übersicht\npane: shown\n", 1, "now-scout");
  assert_lies (HEAD "words: head\npane: shown\n", 0, "-");
  assert_lies (HEAD "words: head\npane: shown\n", 7, "no-words"); // by its body part
  assert_lies (HEAD "words: chest\npane: shown\n", 7, "-");
  assert_lies (HEAD "series: 2\npane: shown\n", 0, "now-axial");
  assert_lies (HEAD "series: 3\npane: shown\n", 0, "-");
}

static void
test_how_it_is_looked_at (void)
{
  g_autoptr (GPtrArray) list = make_list ();
  g_autoptr (OdlHanging) rule
      = parse ("# c\n\nname:  A b \nlayout: 2x1\nlinks: slices time\n"
               "pane: shown; window -600 1500.5; filters bone\r\npane: other\n");
  g_autoptr (OdlWorkspace) workspace = odl_hanging_lay (rule, list, 0);
  g_assert_cmpstr (odl_hanging_name (rule), ==, "A b");
  g_assert_cmpstr (workspace->layout, ==, "2x1");
  g_assert_true (
      g_strv_equal ((const char *const *) workspace->links,
                    (const char *const[]){ "link-slices", "link-time", NULL }));
  const OdlWorkspacePane *pane = workspace->panes;
  g_assert_cmpint (pane[0].mode, ==, ODL_WINDOW_CUSTOM);
  g_assert_cmpfloat (pane[0].centre, ==, -600);
  g_assert_cmpfloat (pane[0].width, ==, 1500.5);
  g_assert_nonnull (strstr (pane[0].recipe, "contours"));
  g_assert_cmpint (pane[0].position, ==, -1);
  g_assert_cmpint (pane[1].mode, ==, ODL_WINDOW_FILE);
  g_assert_null (pane[1].recipe);
}

static void
test_nonsense (void)
{
  static const struct {
    const char *text, *names;
  } rows[] = {
    { "", "name" },
    { "name: a\npane: shown\n", "layout" },
    { "name: a\nlayout: 1x1\n", "pane" },
    { HEAD "pane: shown\npane: shown\npane: shown\npane: shown\npane: shown\n",
      "line 7" },
    { HEAD "layout: 3x3\n", "line 3" },
    { HEAD "panes: shown\n", "line 3" },
    { HEAD "shown\n", "line 3" },
    { HEAD "pane:\n", "line 3" },
    { HEAD "pane: series 0\n", "line 3" },
    { HEAD "pane: series 1.5\n", "line 3" },
    { HEAD "pane: series\n", "line 3" },
    { HEAD "pane: shown; window 1\n", "line 3" },
    { HEAD "pane: shown; window 1 0\n", "line 3" },
    { HEAD "pane: shown; window nan 1\n", "line 3" },
    { HEAD "pane: shown; filters no such preset\n", "line 3" },
    { HEAD "links: view zoom\n", "line 3" },
    { HEAD "series: 1001\n", "line 3" },
    { HEAD "words: ,\n", "line 3" },
    { HEAD "name:\n", "line 3" },
    { HEAD "hang: first\n", "line 3" },
    { HEAD "image type:\n", "line 3" },
    { HEAD "most pictures: 0\n", "line 3" },
    { HEAD "modality: ,\n", "line 3" },
    { HEAD "name: \xff\n", "a.txt" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_hanging_parse (rows[i].text, "a.txt", &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
    g_assert_nonnull (strstr (error->message, rows[i].names));
    g_assert_true (g_str_has_prefix (error->message, "a.txt"));
  }
}

#define PICTURES(type_, name_, n_, modality_, location_) \
  { \
    .person = (char *) "1", .study_uid = (char *) "now", .study = (char *) "Thorax", \
    .study_date = (char *) "20240201", .space = (char *) "space", \
    .image_type = (char *) (type_), .series = (char *) (name_), .n_pictures = (n_), \
    .n_frames = 1, .modality = (char *) (modality_), .location = (char *) (location_) \
  }

// Localizers, by what they say, by their name, or since they are few beside a stack, hang
// last, and are not counted among the others; of other modalities one picture is a study.
static void
test_what_hangs_last (void)
{
  static OdlSeries rows[] = {
    PICTURES ("ORIGINAL\\PRIMARY\\LOCALIZER", "Topogram 2", 5, "CT", "topogram"),
    PICTURES ("", "3-plane LOCALIZER", 9, "MR", "named"),
    PICTURES ("ORIGINAL\\PRIMARY\\AXIAL", "protocol", 2, "CT", "protocol"),
    PICTURES ("ORIGINAL\\PRIMARY\\AXIAL", "axial", 40, "CT", "axial"),
    PICTURES ("", "ap", 1, "CR", "chest"),
    PICTURES ("ORIGINAL\\PRIMARY\\AXIAL", "coronal", 30, "CT", "coronal"),
  };
  static const bool last[] = { true, true, true, false, false, false };
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_ptr_array_add (list, &rows[i]);
  odl_hanging_judge (list);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (rows[i].hangs_last, ==, last[i]);
  g_assert_cmpstr (odl_studies_first (list, NULL)->location, ==, "axial");
  g_assert_null (odl_studies_first (list, "2"));
  g_autoptr (OdlHanging) both = parse (HEAD "pane: series 2\npane: localizer\n");
  g_autoptr (OdlWorkspace) lies = odl_hanging_lay (both, list, 3);
  g_assert_cmpstr (lies->panes[0].location, ==, "coronal");
  g_assert_cmpstr (lies->panes[1].location, ==, "topogram");
  g_assert_false (lies->panes[0].planes);
  // Beside one itself there is none.
  g_assert_null (odl_hanging_lay (both, list, 0));
  g_autoptr (OdlHanging) rule = parse ("name: n\nmodality: ct\nhang: last\n");
  g_assert_null (odl_hanging_lay (rule, list, 3));
  // A study of localizers alone hangs the first of them.
  g_ptr_array_set_size (list, 1);
  g_assert_cmpstr (odl_studies_first (list, NULL)->location, ==, "topogram");
}

static void
write_rule (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

// Those of the user come first, and what is wrong in them is told.
static void
test_files (void)
{
  g_autofree char *folder
      = g_build_filename (g_get_user_data_dir (), "ondelette", "hanging", NULL);
  g_autoptr (GPtrArray) faults = NULL, more_faults = NULL;
  g_autoptr (GPtrArray) built_in = odl_hangings_read (&faults);
  g_assert_cmpint (faults->len, ==, 0);
  // Three that say what hangs last come before those that follow each other.
  g_assert_cmpint (built_in->len, ==, 10);
  g_assert_cmpstr (odl_hanging_name (built_in->pdata[3]), ==, "Beside the prior study");
  g_assert_cmpstr (odl_hanging_name (built_in->pdata[9]), ==, "One picture");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  write_rule (folder, "b.txt", "name: B\nlayout: 1x1\npane: shown\n");
  write_rule (folder, "a.txt", "name: A\nlayout: 1x1\npane: shown\n");
  write_rule (folder, "c.txt", "name: C\nlayout: 1x9\n");
  write_rule (folder, "d.text", "what is no rule");
  g_autoptr (GPtrArray) rules = odl_hangings_read (&more_faults);
  g_assert_cmpint (rules->len, ==, 12);
  g_assert_cmpstr (odl_hanging_name (rules->pdata[0]), ==, "A");
  g_assert_cmpstr (odl_hanging_name (rules->pdata[1]), ==, "B");
  g_assert_cmpint (more_faults->len, ==, 1);
  g_assert_nonnull (strstr (more_faults->pdata[0], "c.txt, line 2"));
  static const char *const names[] = { "a.txt", "b.txt", "c.txt", "d.text" };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hanging/which-series", test_which_series);
  g_test_add_func ("/hanging/what-suits", test_what_suits);
  g_test_add_func ("/hanging/how-it-is-looked-at", test_how_it_is_looked_at);
  g_test_add_func ("/hanging/nonsense", test_nonsense);
  g_test_add_func ("/hanging/what-hangs-last", test_what_hangs_last);
  g_test_add_func ("/hanging/files", test_files);
  const int status = g_test_run ();
  g_autofree char *folder = g_build_filename (data, "ondelette", NULL);
  g_rmdir (folder);
  g_rmdir (data);
  return status;
}
