// SPDX-License-Identifier: MIT
// Patients, studies and series in the list of the real window.
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "../unit/source/dicom_writer.h"
#include "support/panes.h"
#include "support/patient.h"
#include "widgets/panels/shown_selection.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/viewport/private.h"

static GListModel *
rows_of (Fixture *fixture)
{
  GtkWidget *panel = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL);
  GtkWidget *list = find_widget (panel, GTK_TYPE_LIST_VIEW);
  return G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list)));
}

// The names of all rows, with a bar between them; headings in brackets.
static char *
list (Fixture *fixture)
{
  GListModel *rows = rows_of (fixture);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (rows, i);
    const bool heading = odl_source_item_is_heading (item);
    g_string_append_printf (text, "%s%s%s%s", i > 0 ? "|" : "", heading ? "[" : "",
                            odl_source_item_name (item), heading ? "]" : "");
  }
  return g_string_free (text, FALSE);
}

static bool
lists (Fixture *fixture, const void *wanted)
{
  g_autofree char *got = list (fixture);
  return g_str_equal (got, wanted);
}

static bool
lists_files (Fixture *fixture, const void *data)
{
  g_autofree char *got = list (fixture);
  return strstr (got, "Ultrasound phantom") && strstr (got, "Alpha.dcm");
}

// A table of the disc with the pictures of two persons. Transfer full path.
static char *
write_disc (Fixture *fixture)
{
  static const char *const names[] = { "Alpha.dcm", "Beta.dcm" };
  g_autoptr (GByteArray) table = odl_dicom_begin (ODL_DICOM_LE);
  g_autoptr (GByteArray) records = g_byte_array_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GByteArray) record = g_byte_array_new ();
    odl_dicom_put_text (record, 0x00041500, "CS", names[i]);
    odl_dicom_put_item (records, record->data, record->len);
  }
  odl_dicom_put_head (table, 0x00041220, "SQ", records->len);
  g_byte_array_append (table, records->data, records->len);
  g_free (write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100));
  g_free (write_patient (fixture, "Beta", "1\\0\\0\\0\\1\\0", 80));
  char *path = g_build_filename (fixture->folder, "DICOMDIR", NULL);
  g_assert_true (
      g_file_set_contents (path, (const char *) table->data, table->len, NULL));
  return path;
}

#define SERIES "Series 3 · MR · Schädel · 1 picture"
#define LISTED \
  "[Alpha, Erika · 19990101]|[2024-01-31]|" SERIES \
  "|[Beta, Erika · 19990101]|[2024-01-31]|" SERIES

static void
test_disc (Fixture *fixture, const void *data)
{
  g_autofree char *table = write_disc (fixture);
  g_autofree char *alpha = g_build_filename (fixture->folder, "Alpha.dcm", NULL);
  g_autofree char *beta = g_build_filename (fixture->folder, "Beta.dcm", NULL);
  odl_main_window_open (fixture->window, table, NULL);
  wait_until (fixture, has_location, alpha);
  g_autofree char *got = list (fixture);
  g_assert_cmpstr (got, ==, LISTED);
  // Patient, study, series: each below the one before.
  for (guint i = 0; i < 6; i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (rows_of (fixture), i);
    g_assert_cmpint (odl_source_item_depth (item), ==, (int) i % 3);
  }
  // The arrows go on to the next series, past what only heads it.
  activate (fixture, "step-file", "1");
  wait_until (fixture, has_location, beta);
  settle (fixture);
  g_assert_true (lists (fixture, LISTED));

  activate (fixture, "mask-names", NULL);
  g_assert_true (lists (fixture, "[Patient 1]|[2024-01-31]|" SERIES
                                 "|[Patient 2]|[2024-01-31]|" SERIES));
  activate (fixture, "mask-names", NULL);
  g_assert_true (lists (fixture, LISTED));

  // The button shows the files again, and what belongs together.
  GtkWidget *panel = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL);
  GtkWidget *button = find_widget (panel, GTK_TYPE_TOGGLE_BUTTON);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
  wait_until (fixture, lists_files, NULL);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  wait_until (fixture, lists, LISTED);
  g_assert_true (has_location (fixture, beta));
}

// The folder of a disc is all that lies on it: its viewer's picture, which comes first by
// name, and what its table lacks.
static void
test_folder_of_disc (Fixture *fixture, const void *data)
{
  g_autofree char *table = write_disc (fixture);
  g_autofree char *alpha = g_build_filename (fixture->folder, "Alpha.dcm", NULL);
  g_autofree char *logo = g_build_filename (fixture->folder, "AA.PNG", NULL);
  g_assert_true (g_file_set_contents (logo, "\x89PNG\r\n\x1a\n", 8, NULL));
  g_free (write_patient (fixture, "Gamma", "1\\0\\0\\0\\1\\0", 60));
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, alpha);
  settle (fixture);
  g_assert_true (
      lists (fixture, LISTED "|[Gamma, Erika · 19990101]|[2024-01-31]|" SERIES));
}

// A folder whose pictures lie in folders of their own.
static void
test_folders (Fixture *fixture, const void *data)
{
  g_autofree char *above = g_build_filename (fixture->folder, "above", NULL);
  g_autofree char *inside = g_build_filename (above, "inside", NULL);
  g_autofree char *alpha = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *moved = g_build_filename (inside, "Alpha.dcm", NULL);
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  g_assert_cmpint (g_rename (alpha, moved), ==, 0);
  odl_main_window_open (fixture->window, above, NULL);
  wait_until (fixture, has_location, moved);
  settle (fixture);
  g_assert_true (lists (fixture, "[Alpha, Erika · 19990101]|[2024-01-31]|" SERIES));
  // Another folder's files are listed when one of them is opened.
  g_autofree char *other = write_png (fixture, "p.png", 40, 30, false);
  open_and_wait (fixture, other);
  g_autofree char *got = list (fixture);
  g_assert_nonnull (strstr (got, "p.png"));
}

static bool
is_at (Fixture *fixture, const void *place)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && odl_session_info (fixture->session)->is_stack
         && frame->index == GPOINTER_TO_INT (place);
}

// A stack of four slices, whose first file by name is the second one by place, and the
// picture of somebody else. Transfer full: the stack's location.
static char *
write_stack (Fixture *fixture)
{
  for (int place = 1; place <= 4; place++)
    write_slice (fixture->folder, place);
  g_free (write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100));
  return g_strconcat ("series:", fixture->folder, "/slice1.dcm", NULL);
}

static bool
is_hung (Fixture *fixture, const void *location)
{
  if (n_panes (fixture) != 2)
    return false;
  for (int i = 0; i < 2; i++) {
    OdlSession *session = pane_at (fixture, i)->session;
    const OdlFrame *frame = odl_session_frame (session);
    if (g_strcmp0 (odl_session_info (session)->location, location) != 0 || !frame
        || !odl_session_is_of_source (session, frame) || odl_session_opening (session))
      return false;
  }
  return true;
}

// A rule of the user lays a series out twice, with filters that were chosen, then comes
// the one of the program that suits.
static void
test_hanging_rules (Fixture *fixture, const void *data)
{
  g_autofree char *stack = write_stack (fixture);
  g_autofree char *folder
      = g_build_filename (g_get_user_data_dir (), "ondelette", "hanging", NULL);
  g_autofree char *rule = g_build_filename (folder, "twice.txt", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (rule,
                                      "name: Twice\nlayout: 1x2\n"
                                      "links: slices\npane: shown; window 5 10\n"
                                      "pane: shown; filters bone\n",
                                      -1, NULL));
  activate (fixture, "next-hanging", NULL);
  g_assert_true (has_toast (fixture, "list of patients and studies"));
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, stack);
  settle (fixture);
  set_filters (fixture, "gaussian:sigma=2");
  activate (fixture, "next-hanging", NULL);
  g_unlink (rule);
  g_rmdir (folder);
  g_assert_nonnull (strstr (odl_messages_last (parts_of (fixture)->messages), "Twice"));
  wait_until (fixture, is_hung, stack);
  look_at (fixture, 1);
  settle (fixture);
  g_assert_cmpint (recipe_of (fixture)->n_items, >, 1);
  go_to (fixture, 0);
  settle (fixture);
  double centre, width;
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  g_assert_cmpfloat (centre, ==, 5);
  g_assert_cmpfloat (width, ==, 10);
  g_autofree char *kept = odl_recipe_to_text (recipe_of (fixture), " ");
  g_assert_true (g_str_has_prefix (kept, "gaussian:sigma=2"));
  g_assert_true (is_on (fixture, "link-slices"));
  activate (fixture, "next-hanging", NULL);
  g_assert_true (has_toast (fixture, "One picture"));
  g_assert_cmpint (n_panes (fixture), ==, 1);
}

// The first series of a folder hangs at its first slice, goes on as it was left, and
// files are the other view, which stays chosen.
static void
test_hangs (Fixture *fixture, const void *data)
{
  g_autofree char *stack = write_stack (fixture);
  g_autofree char *alpha = g_build_filename (fixture->folder, "Alpha.dcm", NULL);
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (0));
  settle (fixture);
  g_assert_true (is_at (fixture, GINT_TO_POINTER (0)));
  g_assert_cmpint (odl_playback_n_frames (odl_session_playback (fixture->session)), ==,
                   4);
  g_assert_false (odl_session_playing (fixture->session));
  activate (fixture, "step-frame", "2");
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  activate (fixture, "step-file", "1");
  wait_until (fixture, has_location, alpha);
  settle (fixture);
  activate (fixture, "step-file", "-1");
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  settle (fixture);
  g_assert_true (is_at (fixture, GINT_TO_POINTER (2)));

  GtkWidget *panel = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL);
  GtkWidget *button = find_widget (panel, GTK_TYPE_TOGGLE_BUTTON);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
  wait_until (fixture, lists_files, NULL);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, alpha);
  settle (fixture);
  g_assert_true (lists_files (fixture, NULL));
}

static bool
lists_patient (Fixture *fixture, const void *heading)
{
  g_autofree char *got = list (fixture);
  return strstr (got, heading);
}

static guint
selected (Fixture *fixture)
{
  GtkWidget *panel = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL);
  GtkWidget *view = find_widget (panel, GTK_TYPE_LIST_VIEW);
  return odl_shown_selection_get (
      ODL_SHOWN_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (view))));
}

// Presses the heading that is called that.
static void
press_heading (Fixture *fixture, const char *name)
{
  GtkWidget *panel = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL);
  GtkWidget *view = find_widget (panel, GTK_TYPE_LIST_VIEW);
  for (GtkWidget *row = gtk_widget_get_first_child (view); row;
       row = gtk_widget_get_next_sibling (row)) {
    GtkWidget *child = gtk_widget_get_first_child (row);
    const char *tip = child ? gtk_widget_get_tooltip_text (child) : NULL;
    if (tip && strstr (tip, name)) {
      g_assert_true (gtk_widget_activate (row));
      return;
    }
  }
  g_assert_not_reached ();
}

// A click on a patient or a study opens the first series below it.
static void
test_headings (Fixture *fixture, const void *data)
{
  g_autofree char *table = write_disc (fixture);
  g_autofree char *alpha = g_build_filename (fixture->folder, "Alpha.dcm", NULL);
  g_autofree char *beta = g_build_filename (fixture->folder, "Beta.dcm", NULL);
  odl_main_window_open (fixture->window, table, NULL);
  wait_until (fixture, has_location, alpha);
  settle (fixture);
  press_heading (fixture, "Beta");
  wait_until (fixture, has_location, beta);
  settle (fixture);
  press_heading (fixture, "2024-01-31"); // the upper one
  wait_until (fixture, has_location, alpha);
  g_assert_cmpuint (selected (fixture), ==, 2);
}

// A slice that was opened becomes its series, at that slice, in the list of studies; from
// the series it is shown by itself where that is asked for, not as it is opened. A
// picture without others stays.
static void
test_slice_becomes_series (Fixture *fixture, const void *data)
{
  g_free (write_stack (fixture));
  g_autofree char *alpha = g_build_filename (fixture->folder, "Alpha.dcm", NULL);
  g_autofree char *slice = g_build_filename (fixture->folder, "slice4.dcm", NULL);
  g_autofree char *stack = g_strconcat ("series:", slice, NULL);
  const guint row = 2; // below its patient and its study
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_main_window_open (fixture->window, slice, NULL);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (2)); // by its place
  wait_until (fixture, lists_patient, "[Alpha, Erika");
  settle (fixture);
  g_assert_cmpuint (selected (fixture), ==, row);
  activate (fixture, "show-series", NULL);
  wait_until (fixture, has_location, slice);
  settle (fixture);
  g_assert_true (has_location (fixture, slice));
  activate (fixture, "show-series", NULL);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  // The file of the very slice on screen.
  settle (fixture);
  odl_main_window_open (fixture->window, slice, NULL);
  wait_until (fixture, has_location, slice);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  odl_main_window_open (fixture->window, alpha, NULL);
  wait_until (fixture, has_location, alpha);
  settle (fixture);
  g_assert_true (has_location (fixture, alpha));
}

// Of one person in one space: a localizer that stands upright, or a slice at that place.
static void
write_placed (const char *path, bool is_localizer, int place)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *instance = g_strdup_printf ("1.7.%d.%d", is_localizer, place);
  g_autofree char *position
      = is_localizer ? g_strdup ("0\\4\\7.5") : g_strdup_printf ("0\\0\\%d", place);
  odl_dicom_put_text (file, 0x00080008, "CS",
                      is_localizer ? "ORIGINAL\\PRIMARY\\LOCALIZER"
                                   : "ORIGINAL\\PRIMARY\\AXIAL");
  odl_dicom_put_text (file, 0x00080018, "UI", instance);
  odl_dicom_put_text (file, 0x00080060, "CS", "CT");
  odl_dicom_put_text (file, 0x00100010, "PN", "Alpha^Erika");
  odl_dicom_put_text (file, 0x00100020, "LO", "4711");
  odl_dicom_put_text (file, 0x00100030, "DA", "19990101");
  odl_dicom_put_text (file, 0x0020000d, "UI", "1.7");
  odl_dicom_put_text (file, 0x0020000e, "UI", is_localizer ? "1.7.1" : "1.7.2");
  odl_dicom_put_text (file, 0x00200011, "IS", is_localizer ? "1" : "2");
  odl_dicom_put_text (file, 0x00200032, "DS", position);
  odl_dicom_put_text (file, 0x00200037, "DS",
                      is_localizer ? "1\\0\\0\\0\\0\\-1" : "1\\0\\0\\0\\1\\0");
  odl_dicom_put_text (file, 0x00200052, "UI", "1.7.9");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_short (file, 0x00280010, 8);
  odl_dicom_put_short (file, 0x00280011, 8);
  odl_dicom_put_text (file, 0x00280030, "DS", "1\\1");
  odl_dicom_put_short (file, 0x00280100, 8);
  odl_dicom_put_short (file, 0x00280101, 8);
  odl_dicom_put_short (file, 0x00280102, 7);
  odl_dicom_put_short (file, 0x00280103, 0);
  odl_dicom_put_head (file, 0x7fe00010, "OB", 64);
  for (int i = 0; i < 64; i++) {
    const guint8 value = (guint8) (40 * place);
    g_byte_array_append (file, &value, 1);
  }
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
}

// The y of the only line that is drawn over a pane's picture; −1: there is none.
static double
line_at (Fixture *fixture, int pane)
{
  OdlPane *at = pane_at (fixture, pane);
  const OdlOutlines *drawn
      = odl_viewport_outlines (at->viewport, odl_session_frame (at->session));
  if (!drawn || drawn->lines->len != 1)
    return -1;
  return g_array_index (drawn->points, OdlPoint, 0).y;
}

static bool
has_line (Fixture *fixture, const void *y)
{
  return line_at (fixture, 1) == GPOINTER_TO_INT (y);
}

static bool
is_beside (Fixture *fixture, const void *localizer)
{
  return n_panes (fixture) == 2
         && g_strcmp0 (odl_session_info (pane_at (fixture, 1)->session)->location,
                       localizer)
                == 0
         && odl_session_frame (pane_at (fixture, 1)->session);
}

// The localizer's folder comes first, the stack hangs; beside it the localizer says where
// the slice lies, which follows the wheel.
static void
test_localizer (Fixture *fixture, const void *data)
{
  g_autofree char *first = g_build_filename (fixture->folder, "1", NULL);
  g_autofree char *second = g_build_filename (fixture->folder, "2", NULL);
  g_autofree char *localizer = g_build_filename (first, "IM1", NULL);
  g_autofree char *stack = g_strconcat ("series:", second, "/IM1", NULL);
  g_assert_cmpint (g_mkdir (first, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (second, 0700), ==, 0);
  write_placed (localizer, true, 1);
  for (int place = 1; place <= 4; place++) {
    g_autofree char *path = g_strdup_printf ("%s/IM%d", second, place);
    write_placed (path, false, place);
  }
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, stack);
  settle (fixture);
  g_assert_true (has_location (fixture, stack));
  g_assert_cmpuint (selected (fixture), ==, 3); // below the localizer
  activate (fixture, "step-frame", "1");
  wait_until (fixture, is_at, GINT_TO_POINTER (1));
  activate (fixture, "next-hanging", NULL);
  wait_until (fixture, is_beside, localizer);
  // What was said of it stays while the pictures come, and so does the slice.
  settle (fixture);
  g_assert_true (has_toast (fixture, "Beside the localizer"));
  g_assert_cmpuint (odl_messages_waiting (parts_of (fixture)->messages)->len, ==, 1);
  g_assert_true (is_at (fixture, GINT_TO_POINTER (1)));
  // From 8 mm down; the slice lies at 2 mm.
  wait_until (fixture, has_line, GINT_TO_POINTER (6));
  activate (fixture, "step-frame", "1");
  wait_until (fixture, has_line, GINT_TO_POINTER (5));
  activate (fixture, "reference-lines", NULL);
  g_assert_cmpfloat (line_at (fixture, 1), ==, -1);
  activate (fixture, "reference-lines", NULL);
  g_assert_cmpfloat (line_at (fixture, 1), ==, 5);
}

static void
test_hangs_at_middle (Fixture *fixture, const void *data)
{
  g_autofree char *stack = write_stack (fixture);
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_settings_set_string (fixture->settings, "stacks-begin", "middle");
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  settle (fixture);
  g_assert_true (is_at (fixture, GINT_TO_POINTER (2)));
  odl_settings_set_string (fixture->settings, "stacks-begin", "first");
}

// Of a series of so many slices in one folder, by the order of their names the last
// first.
static void
write_long_series (const char *folder, int n)
{
  for (int i = 0; i < n; i++) {
    g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
    g_autofree char *instance = g_strdup_printf ("1.5.%d", i);
    g_autofree char *position = g_strdup_printf ("0\\0\\%d", n - i);
    g_autofree char *name = g_strdup_printf ("IM%d", i);
    odl_dicom_put_text (file, 0x00080018, "UI", instance);
    odl_dicom_put_text (file, 0x0020000e, "UI", "1.2");
    odl_dicom_put_text (file, 0x00200032, "DS", position);
    odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
    odl_dicom_put_bytes_of (file, 4, 4);
    odl_dicom_put_head (file, 0x7fe00010, "OB", 16);
    for (int k = 0; k < 16; k++) {
      const guint8 value = (guint8) (i % 200);
      g_byte_array_append (file, &value, 1);
    }
    odl_dicom_write_in (folder, name, file);
  }
}

static void
note_source_cb (OdlSession *session, GParamSpec *spec, GString *seen)
{
  g_string_append_printf (seen, "%s|", odl_session_info (session)->location);
}

// Of a folder of which more is read the first picture hangs before all is known, and its
// series takes the place of it, at its first slice.
static void
test_hangs_early (Fixture *fixture, const void *data)
{
  g_autofree char *first = g_build_filename (fixture->folder, "IM0", NULL);
  g_autofree char *stack = g_strconcat ("series:", first, NULL);
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autofree char *both = g_strdup_printf ("%s|%s|", first, stack);
  write_long_series (fixture->folder, 300);
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  g_signal_connect (fixture->session, "notify::source", G_CALLBACK (note_source_cb),
                    seen);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (0));
  settle (fixture);
  g_signal_handlers_disconnect_by_func (fixture->session, note_source_cb, seen);
  g_assert_true (g_str_has_suffix (seen->str, both));
  g_assert_cmpint (odl_playback_n_frames (odl_session_playback (fixture->session)), ==,
                   300);
  g_assert_false (odl_source_panel_is_listing (parts_of (fixture)->source_panel));
  g_assert_true (lists_patient (fixture, "300 pictures"));
  g_assert_cmpuint (selected (fixture), ==, 2);
}

// A folder whose first series is whole hangs it while those of other folders are read,
// whoever comes first in the list.
static void
test_list_grows (Fixture *fixture, const void *data)
{
  g_autofree char *late = g_build_filename (fixture->folder, "late", NULL);
  g_autofree char *early = g_build_filename (fixture->folder, "early", NULL);
  g_autofree char *stack = g_strconcat ("series:", early, "/slice1.dcm", NULL);
  g_assert_cmpint (g_mkdir (late, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (early, 0700), ==, 0);
  for (int place = 1; place <= 4; place++)
    write_slice (early, place);
  g_autofree char *alpha = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *moved = g_build_filename (late, "Alpha.dcm", NULL);
  g_assert_cmpint (g_rename (alpha, moved), ==, 0);
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, lists_patient, "[Alpha, Erika");
  settle (fixture);
  g_assert_true (has_location (fixture, stack));
  g_autofree char *got = list (fixture);
  g_assert_nonnull (strstr (got, "4 pictures"));
}

static bool
is_covered (Fixture *fixture, const void *data)
{
  return odl_page_covers (odl_main_window_parts (fixture->window)->page);
}

// What is DICOM in a folder may hold no picture: its other pictures are opened.
static void
test_no_picture_in_dicom (Fixture *fixture, const void *data)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *plan = g_build_filename (fixture->folder, "a.dcm", NULL);
  g_autofree char *photograph = write_png (fixture, "b.png", 40, 30, false);
  odl_dicom_put_text (file, 0x00080060, "CS", "RTPLAN");
  g_assert_true (
      g_file_set_contents (plan, (const char *) file->data, (gssize) file->len, NULL));
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, is_covered, NULL);
  settle (fixture);
  activate (fixture, "step-file", "1");
  wait_until (fixture, has_location, photograph);
}

static void
test_nothing (Fixture *fixture, const void *data)
{
  g_autofree char *empty = g_build_filename (fixture->folder, "empty", NULL);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  odl_main_window_open (fixture->window, empty, NULL);
  wait_until (fixture, has_toast, "holds no picture");
  g_autofree char *got = list (fixture);
  g_assert_nonnull (strstr (got, "Ultrasound phantom"));
}

static void
type (Fixture *fixture, const char *text)
{
  GtkWidget *entry = find_widget (GTK_WIDGET (fixture->window), GTK_TYPE_SEARCH_ENTRY);
  g_assert_true (gtk_widget_get_mapped (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  settle (fixture);
}

static bool
says_empty (Fixture *fixture)
{
  GtkWidget *label = gtk_widget_get_next_sibling (
      find_widget (GTK_WIDGET (fixture->window), GTK_TYPE_SEARCH_BAR));
  g_assert_true (GTK_IS_LABEL (label));
  return gtk_widget_get_mapped (label);
}

// By patient, number, description, modality and file; what is hidden is not found.
static void
test_search (Fixture *fixture, const void *data)
{
  static const char *const beta = "[Beta, Erika · 19990101]|[2024-01-31]|" SERIES;
  g_autofree char *table = write_disc (fixture);
  g_autofree char *first = g_build_filename (fixture->folder, "Alpha.dcm", NULL);
  g_autofree char *second = g_build_filename (fixture->folder, "Beta.dcm", NULL);
  odl_main_window_open (fixture->window, table, NULL);
  wait_until (fixture, has_location, first);
  settle (fixture);
  activate (fixture, "search-sources", NULL);
  settle (fixture);
  static const char *const all[] = { "erika", "SCHADEL mr", "series 3", "2024", "" };
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    type (fixture, all[i]);
    g_assert_true (lists (fixture, LISTED));
  }
  static const char *const one[] = { "beta", "BETA schädel", "Beta.dcm", "mr  Beta" };
  for (size_t i = 0; i < G_N_ELEMENTS (one); i++) {
    type (fixture, one[i]);
    g_assert_true (lists (fixture, beta));
    g_assert_false (says_empty (fixture));
  }
  // A modality that the word “picture” has in it, which stands in each row.
  type (fixture, "ct");
  g_assert_true (lists (fixture, "") && says_empty (fixture));
  // Words of two rows are not one of both.
  type (fixture, "alpha beta");
  g_assert_true (lists (fixture, "") && says_empty (fixture));
  // Enter opens what was found.
  type (fixture, "beta");
  g_signal_emit_by_name (
      find_widget (GTK_WIDGET (fixture->window), GTK_TYPE_SEARCH_ENTRY), "activate");
  wait_until (fixture, has_location, second);
  settle (fixture);
  g_assert_true (lists (fixture, beta));
  // Names that are hidden are not found by guessing, nor by their files; what was
  // searched for is hidden, too.
  activate (fixture, "mask-names", NULL);
  settle (fixture);
  g_assert_false (lists (fixture, "") || says_empty (fixture));
  activate (fixture, "search-sources", NULL);
  settle (fixture);
  static const char *const hidden[] = { "erika", "1999", "beta.dcm" };
  for (size_t i = 0; i < G_N_ELEMENTS (hidden); i++) {
    type (fixture, hidden[i]);
    g_assert_true (lists (fixture, "") && says_empty (fixture));
  }
  type (fixture, "patient");
  g_assert_true (lists (fixture, "[Patient 1]|[2024-01-31]|" SERIES
                                 "|[Patient 2]|[2024-01-31]|" SERIES));
  activate (fixture, "mask-names", NULL);
  GtkWidget *entry = find_widget (GTK_WIDGET (fixture->window), GTK_TYPE_SEARCH_ENTRY);
  g_signal_emit_by_name (entry, "stop-search");
  settle (fixture);
  g_assert_true (lists (fixture, LISTED));
  g_assert_false (says_empty (fixture));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/studies/a-disc-lists-its-patients", test_disc);
  ADD ("/studies/the-folder-of-a-disc-is-all-that-lies-on-it", test_folder_of_disc);
  ADD ("/studies/a-heading-opens-its-first-series", test_headings);
  ADD ("/studies/pictures-in-folders-below", test_folders);
  ADD ("/studies/the-first-series-of-a-folder-hangs", test_hangs);
  ADD ("/studies/the-first-picture-hangs-before-all-is-known", test_hangs_early);
  ADD ("/studies/the-list-grows-while-the-first-series-hangs", test_list_grows);
  ADD ("/studies/hanging-rules", test_hanging_rules);
  ADD ("/studies/a-slice-becomes-its-series", test_slice_becomes_series);
  ADD ("/studies/a-localizer-hangs-last-and-has-reference-lines", test_localizer);
  ADD ("/studies/a-series-may-begin-at-its-middle", test_hangs_at_middle);
  ADD ("/studies/what-is-no-picture-leaves-the-others", test_no_picture_in_dicom);
  ADD ("/studies/an-empty-folder-has-none", test_nothing);
  ADD ("/studies/a-search-finds-them", test_search);
  return g_test_run ();
}
