// SPDX-License-Identifier: MIT
// Several panes in the real window: each with a picture and filters of its own, and what
// they have in common when they are linked.
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../unit/source/dicom_writer.h"
#include "support/support.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

#define SIDE 40
#define PATIENT_FRAME "1.2.3.4"

// ---- the panes -----------------------------------------------------------------------

static const OdlWindowParts *
parts_of (Fixture *fixture)
{
  return odl_main_window_parts (fixture->window);
}

static OdlPane *
pane_at (Fixture *fixture, int n)
{
  OdlPane *pane = odl_layout_nth (parts_of (fixture)->layout, n);
  g_assert_nonnull (pane);
  return pane;
}

static int
n_panes (Fixture *fixture)
{
  return odl_layout_count (parts_of (fixture)->layout);
}

// What the other functions of tests are about from now on.
static void
look_at (Fixture *fixture, int n)
{
  fixture->session = pane_at (fixture, n)->session;
  fixture->viewport = pane_at (fixture, n)->viewport;
}

static void
go_to (Fixture *fixture, int n)
{
  odl_layout_activate (parts_of (fixture)->layout, pane_at (fixture, n));
  g_assert_true (parts_of (fixture)->session == pane_at (fixture, n)->session);
  look_at (fixture, n);
}

// The other functions are about the active one.
static void
arrange (Fixture *fixture, const char *action, const char *text)
{
  activate_with_text (fixture, action, text);
  fixture->session = parts_of (fixture)->session;
  fixture->viewport = parts_of (fixture)->viewport;
}

static void
lay_out (Fixture *fixture, const char *name)
{
  arrange (fixture, "layout", name);
  run_cycles (fixture, 3);
}

static void
open_in (Fixture *fixture, int n, const char *location)
{
  go_to (fixture, n);
  open_and_wait (fixture, location);
}

static const char *
note_of (Fixture *fixture, int n)
{
  GtkLabel *label = pane_at (fixture, n)->note;
  return gtk_widget_get_visible (GTK_WIDGET (label)) ? gtk_label_get_text (label) : NULL;
}

// ---- pictures ------------------------------------------------------------------------

typedef struct {
  const char *name; // of the folder, or of the file
  const char *frame; // of reference
  double first, step; // mm
  int n;
  double spacing; // of pixels, mm
  double interval_ms; // of a cine: all frames in one file; 0: a file for each slice
  double left; // of the first pixel
  const char *person; // NULL: Berta
} Series;

static void
put_number (GByteArray *file, uint32_t tag, const char *vr, double value)
{
  g_autofree char *text = g_strdup_printf ("%g", value);
  odl_dicom_put_text (file, tag, vr, text);
}

static void
put_pixels (GByteArray *file, const Series *series, int frames, int first)
{
  g_autofree char *spacing = g_strdup_printf ("%g\\%g", series->spacing, series->spacing);
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  if (frames > 1)
    put_number (file, 0x00280008, "IS", frames);
  odl_dicom_put_short (file, 0x00280010, SIDE);
  odl_dicom_put_short (file, 0x00280011, SIDE);
  odl_dicom_put_text (file, 0x00280030, "DS", spacing);
  odl_dicom_put_short (file, 0x00280100, 8);
  odl_dicom_put_short (file, 0x00280101, 8);
  odl_dicom_put_short (file, 0x00280102, 7);
  odl_dicom_put_short (file, 0x00280103, 0);
  odl_dicom_put_head (file, 0x7fe00010, "OB", (uint32_t) (frames * SIDE * SIDE));
  for (int i = 0; i < frames; i++)
    for (int k = 0; k < SIDE * SIDE; k++)
      g_byte_array_append (file, &(guint8){ (guint8) (40 + 5 * (first + i) + k % 7) }, 1);
}

static void
write_file (const Series *series, const char *path, int number, int frames)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *instance = g_strdup_printf ("1.9.%s.%d", series->name, number);
  g_autofree char *place = g_strdup_printf ("%g\\-10\\%g", series->left,
                                            series->first + number * series->step);
  odl_dicom_put_text (file, 0x00080018, "UI", instance);
  odl_dicom_put_text (file, 0x00080060, "CS", "MR");
  odl_dicom_put_text (file, 0x00100010, "PN",
                      series->person ? series->person : "Kranich^Berta");
  odl_dicom_put_text (file, 0x00100020, "LO", "880077");
  if (frames > 1)
    put_number (file, 0x00181063, "DS", series->interval_ms);
  odl_dicom_put_text (file, 0x0020000d, "UI", "1.9");
  odl_dicom_put_text (file, 0x0020000e, "UI", series->name);
  put_number (file, 0x00200013, "IS", number + 1);
  if (series->frame) {
    odl_dicom_put_text (file, 0x00200032, "DS", place);
    odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
    odl_dicom_put_text (file, 0x00200052, "UI", series->frame);
  }
  put_pixels (file, series, frames, number);
  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
}

// The location to open. Transfer full.
static char *
write_series (Fixture *fixture, const Series *series)
{
  g_autofree char *folder = g_build_filename (fixture->folder, series->name, NULL);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  if (series->interval_ms > 0) {
    char *cine = g_build_filename (folder, "cine.dcm", NULL);
    write_file (series, cine, 0, series->n);
    return cine;
  }
  for (int i = 0; i < series->n; i++) {
    g_autofree char *name = g_strdup_printf ("%03d.dcm", i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    write_file (series, path, i, 1);
  }
  return g_strconcat ("series:", folder, NULL);
}

static int64_t
slice_of (Fixture *fixture, int n)
{
  return odl_playback_position (odl_session_playback (pane_at (fixture, n)->session));
}

typedef struct {
  int pane;
  int64_t frame;
} Shown;

// On screen, not only asked for.
static bool
shows_frame (Fixture *fixture, const void *data)
{
  const Shown *shown = data;
  const OdlFrame *frame = odl_session_frame (pane_at (fixture, shown->pane)->session);
  return frame && frame->index == shown->frame;
}

static void
wait_for_frame (Fixture *fixture, int pane, int64_t index)
{
  const Shown shown = { pane, index };
  wait_until (fixture, shows_frame, &shown);
}

// ---- panes ---------------------------------------------------------------------------

static void
test_own_pictures (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  static const char *const none[] = { NULL };
  static const char *const filtered[] = { "--filter=gaussian:sigma=3", NULL };
  g_assert_cmpint (n_panes (fixture), ==, 1);
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "Drop a picture here"));
  open_in (fixture, 1, b);
  g_assert_false (has_label (pane_at (fixture, 1)->widget, "Drop a picture here"));

  const guint64 painted = odl_viewport_painted (pane_at (fixture, 0)->viewport);
  const guint64 serial = odl_session_frame (pane_at (fixture, 0)->session)->source_serial;
  set_filters (fixture, "gaussian:sigma=3");
  activate_and_settle (fixture, "actual-size", NULL);
  g_autoptr (GdkPixbuf) second = cli_process (fixture, b, filtered);
  assert_canvas_shows (fixture, second);
  // The other one was neither computed nor painted again.
  g_assert_cmpuint (odl_viewport_painted (pane_at (fixture, 0)->viewport), ==, painted);
  g_assert_cmpuint (odl_session_frame (pane_at (fixture, 0)->session)->source_serial, ==,
                    serial);
  g_assert_true (has_location (fixture, b));

  go_to (fixture, 0);
  g_assert_true (has_location (fixture, a));
  g_assert_cmpint (odl_session_recipe (fixture->session)->n_items, ==, 0);
  g_assert_true (
      g_str_has_suffix (gtk_window_get_title (GTK_WINDOW (fixture->window)), "a.png"));
  activate_and_settle (fixture, "actual-size", NULL);
  g_autoptr (GdkPixbuf) first = cli_process (fixture, a, none);
  assert_canvas_shows (fixture, first);
}

// Undo, keys and panels act in the active pane.
static void
test_active (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  open_and_wait (fixture, a);
  lay_out (fixture, "2x2");
  g_assert_cmpint (n_panes (fixture), ==, 4);
  open_in (fixture, 2, a);
  set_filters (fixture, "median");
  activate_and_settle (fixture, "invert", NULL);
  g_assert_true (odl_viewport_invert (pane_at (fixture, 2)->viewport));
  g_assert_false (odl_viewport_invert (pane_at (fixture, 0)->viewport));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 2)->filter_panel)));
  g_assert_false (
      gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 0)->filter_panel)));
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (odl_session_recipe (fixture->session)->n_items, ==, 0);
  activate (fixture, "next-pane", "1");
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 3)));
  activate (fixture, "next-pane", "1");
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 0)));
  activate (fixture, "next-pane", "-1");
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 3)));
}

static void
test_fewer (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  open_and_wait (fixture, a);
  lay_out (fixture, "2x2");
  open_in (fixture, 3, b);
  // Alone, and together again.
  activate (fixture, "pane-alone", NULL);
  run_cycles (fixture, 3);
  g_assert_false (gtk_widget_get_mapped (pane_at (fixture, 0)->widget));
  g_assert_true (gtk_widget_get_mapped (pane_at (fixture, 3)->widget));
  g_assert_cmpint (gtk_widget_get_width (pane_at (fixture, 3)->widget), ==,
                   gtk_widget_get_width (odl_window_child (parts_of (fixture), "panes")));
  activate (fixture, "pane-alone", NULL);
  run_cycles (fixture, 3);
  g_assert_true (gtk_widget_get_mapped (pane_at (fixture, 0)->widget));
  // The active one stays, whichever it was.
  lay_out (fixture, "1x2");
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (has_location (fixture, b));
  settle (fixture);
  arrange (fixture, "close-pane", NULL);
  run_cycles (fixture, 3);
  g_assert_cmpint (n_panes (fixture), ==, 1);
  g_assert_true (has_location (fixture, a));
  settle (fixture);
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "close-pane"));
}

// A damaged file is told of in its pane, and the others stay.
static bool
page_covers (Fixture *fixture, const void *data)
{
  return odl_page_covers (pane_at (fixture, 1)->page);
}

static void
test_damaged (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *bad = g_build_filename (fixture->folder, "bad.png", NULL);
  g_assert_true (g_file_set_contents (bad, "no picture", -1, NULL));
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  go_to (fixture, 1);
  odl_main_window_open (fixture->window, bad, NULL);
  // It fails while another pane is active.
  go_to (fixture, 0);
  wait_until (fixture, page_covers, NULL);
  run_cycles (fixture, 3);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 1)->failure)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 0)->failure)));
  g_assert_true (
      g_str_has_suffix (gtk_window_get_title (GTK_WINDOW (fixture->window)), "a.png"));
  settle (fixture);
  go_to (fixture, 1);
  g_assert_true (
      g_str_has_suffix (gtk_window_get_title (GTK_WINDOW (fixture->window)), "bad.png"));
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "save"));
  activate (fixture, "close-page", NULL);
  run_cycles (fixture, 3);
  g_assert_false (odl_page_covers (pane_at (fixture, 1)->page));
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "Drop a picture here"));
}

static bool
has_name (const OdlPane *pane, const char *part)
{
  g_autofree char *wrong = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (pane->viewport), GTK_ACCESSIBLE_PROPERTY_LABEL, "", NULL);
  return wrong && strstr (wrong, part);
}

// Names are hidden in all panes, and those opened in any of them are known.
static void
test_names (Fixture *fixture, const void *data)
{
  static const Series series = { "1.1", PATIENT_FRAME, 0, 2, 2, 0.5 };
  g_autofree char *stack = write_series (fixture, &series);
  g_autofree char *a = write_png (fixture, "anna.png", 200, 180, false);
  open_and_wait (fixture, a);
  activate (fixture, "show-panels", NULL); // hides them: corners need room
  lay_out (fixture, "1x2");
  g_assert_true (has_name (pane_at (fixture, 1), "Pane 2 of 2. Empty"));
  open_in (fixture, 1, stack);
  go_to (fixture, 0);
  run_cycles (fixture, 3);
  g_assert_true (has_name (pane_at (fixture, 1), "Pane 2 of 2. "));
  g_assert_true (has_name (pane_at (fixture, 0), "Pane 1 of 2. anna.png"));
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "Kranich"));
  activate_and_settle (fixture, "mask-names", NULL);
  run_cycles (fixture, 3);
  g_assert_false (has_label (GTK_WIDGET (fixture->window), "Kranich"));
  g_assert_false (has_label (GTK_WIDGET (fixture->window), "anna"));
  g_assert_false (has_name (pane_at (fixture, 0), "anna"));
  g_autofree char *told
      = odl_names_in_text (odl_names_of (fixture->session), "of Kranich, Berta");
  g_assert_null (strstr (told, "Kranich"));
}

// What is recorded is that pane, whichever is active, and it is not closed.
static void
test_recorded (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *movie = g_build_filename (fixture->folder, "a.mkv", NULL);
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, a);
  activate_with_text (fixture, "record-to", movie);
  g_assert_true (odl_recording_is_of (parts_of (fixture)->recording, fixture->viewport));
  activate (fixture, "close-pane", NULL);
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (has_toast (fixture, "being recorded"));
  go_to (fixture, 0);
  g_assert_true (odl_recording_is_of (parts_of (fixture)->recording,
                                      pane_at (fixture, 1)->viewport));
  activate_and_settle (fixture, "invert", NULL);
  activate (fixture, "record", NULL);
  wait_until (fixture, has_toast, "Saved");
  go_to (fixture, 1);
  arrange (fixture, "close-pane", NULL);
  g_assert_cmpint (n_panes (fixture), ==, 1);
}

// A row of the list goes to an empty pane, else to the next one.
static void
test_other (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  open_and_wait (fixture, a);
  arrange (fixture, "open-in-other", b);
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (fixture->session == pane_at (fixture, 1)->session);
  wait_until (fixture, has_location, b);
  settle (fixture);
  look_at (fixture, 0);
  g_assert_true (has_location (fixture, a));
  lay_out (fixture, "2x2");
  arrange (fixture, "open-in-other", a);
  g_assert_true (fixture->session == pane_at (fixture, 2)->session);
  wait_until (fixture, has_location, a);
  settle (fixture);
}

// Filters A beside filters B, of the same frame.
static void
test_a_beside_b (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  open_and_wait (fixture, a);
  set_filters (fixture, "gaussian:sigma=2");
  activate_and_settle (fixture, "recipe", "'B'");
  set_filters (fixture, "median");
  activate_and_settle (fixture, "a-beside-b", NULL);
  run_cycles (fixture, 3);
  g_assert_true (odl_viewport_beside (fixture->viewport));
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_assert_nonnull (frame->other);
  g_autofree char *other = odl_recipe_to_text (&frame->other_recipe, " ");
  g_assert_true (g_str_has_prefix (other, "gaussian"));
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "A"));
  // Another pane compares nothing.
  lay_out (fixture, "1x2");
  open_in (fixture, 1, a);
  g_assert_false (odl_viewport_beside (fixture->viewport));
  g_assert_null (odl_session_frame (fixture->session)->other);
  go_to (fixture, 0);
  activate_and_settle (fixture, "a-beside-b", NULL);
  g_assert_false (odl_viewport_beside (fixture->viewport));
}

static void
test_keys (Fixture *fixture, const void *data)
{
  static const struct {
    const char *key, *action;
  } keys[] = {
    { "<Control><Alt>1", "win.layout::1x1" },
    { "<Control><Alt>2", "win.layout::1x2" },
    { "<Control><Alt>3", "win.layout::2x1" },
    { "<Control><Alt>4", "win.layout::2x2" },
    { "F6", "win.next-pane(1)" },
    { "<Shift>F6", "win.next-pane(-1)" },
    { "<Shift>F11", "win.pane-alone" },
    { "<Control><Shift>w", "win.close-pane" },
    { "<Control>l", "win.link-all" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_auto (GStrv) actions = gtk_application_get_actions_for_accel (
        GTK_APPLICATION (fixture->application), keys[i].key);
    g_assert_cmpstr (actions[0], ==, keys[i].action);
  }
  lay_out (fixture, "1x2");
  activate (fixture, "link-all", NULL);
  static const char *const links[]
      = { "link-view", "link-slices", "link-window", "link-time" };
  for (size_t i = 0; i < G_N_ELEMENTS (links); i++) {
    g_autoptr (GVariant) state
        = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), links[i]);
    g_assert_true (g_variant_get_boolean (state));
  }
}

// ---- links ---------------------------------------------------------------------------

static void
test_places (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 20, 0.5 },
    { "1.2", PATIENT_FRAME, 5, 6, 5, 1 },
  };
  g_autofree char *thin = write_series (fixture, &rows[0]);
  g_autofree char *thick = write_series (fixture, &rows[1]);
  open_and_wait (fixture, thin);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, thick);
  go_to (fixture, 0);
  activate (fixture, "link-slices", NULL);
  // 0 mm is 5 mm from the first thick slice, more than half of their distance.
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  wait_for_frame (fixture, 0, 0);
  wait_for_frame (fixture, 1, 0);
  g_assert_true (strstr (note_of (fixture, 1), "5.0 mm away"));
  // 18 mm lies between 17 (number 2) and 23.
  odl_playback_seek (odl_session_playback (fixture->session), 9);
  wait_for_frame (fixture, 1, 2);
  g_assert_cmpstr (note_of (fixture, 1), ==, "Slice at the same place");
  // The other way round: 29 mm, and 28 comes first of 28 and 30.
  go_to (fixture, 1);
  odl_playback_seek (odl_session_playback (fixture->session), 4);
  wait_for_frame (fixture, 0, 14);
  g_assert_null (note_of (fixture, 1));
  activate (fixture, "link-slices", NULL);
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  wait_for_frame (fixture, 1, 0);
  run_cycles (fixture, 3);
  g_assert_cmpint (slice_of (fixture, 0), ==, 14);
  g_assert_null (note_of (fixture, 0));
}

// Of another frame of reference, a place says nothing.
static void
test_numbers (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 9, 0.5 },
    { "1.2", "1.2.3.5", 5, 6, 5, 1 },
  };
  g_autofree char *one = write_series (fixture, &rows[0]);
  g_autofree char *other = write_series (fixture, &rows[1]);
  open_and_wait (fixture, one);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, other);
  go_to (fixture, 0);
  activate (fixture, "link-slices", NULL);
  odl_playback_seek (odl_session_playback (fixture->session), 3);
  wait_for_frame (fixture, 1, 3);
  g_assert_true (strstr (note_of (fixture, 1), "of the same number"));
  odl_playback_seek (odl_session_playback (fixture->session), 8);
  wait_for_frame (fixture, 1, 4);
}

// Of two patients no place is the same, whatever their files say.
static void
test_strangers (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 9, 0.5 },
    { "1.2", PATIENT_FRAME, 0, 6, 5, 1, .person = "Storch^Carl" },
  };
  g_autofree char *one = write_series (fixture, &rows[0]);
  g_autofree char *other = write_series (fixture, &rows[1]);
  open_and_wait (fixture, one);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, other);
  go_to (fixture, 0);
  run_cycles (fixture, 3);
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "ANOTHER PATIENT"));
  g_assert_false (has_label (pane_at (fixture, 0)->widget, "ANOTHER PATIENT"));
  activate (fixture, "link-slices", NULL);
  odl_playback_seek (odl_session_playback (fixture->session), 3);
  wait_for_frame (fixture, 1, 3);
  g_assert_true (strstr (note_of (fixture, 1), "of the same number"));
  open_in (fixture, 1, one);
  run_cycles (fixture, 3);
  g_assert_false (has_label (pane_at (fixture, 0)->widget, "ANOTHER PATIENT"));
}

// A millimetre is as long in both, about the same point of the patient.
static void
test_zoom (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 3, 0.5 },
    { "1.2", PATIENT_FRAME, 0, 2, 3, 1, .left = -8 },
  };
  g_autofree char *fine = write_series (fixture, &rows[0]);
  g_autofree char *coarse = write_series (fixture, &rows[1]);
  open_and_wait (fixture, fine);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, coarse);
  go_to (fixture, 0);
  activate (fixture, "link-view", NULL);
  odl_viewport_zoom_by (fixture->viewport, 3);
  odl_viewport_pan (fixture->viewport, -30, 14);
  const OdlView *a = odl_viewport_view (pane_at (fixture, 0)->viewport);
  const OdlView *b = odl_viewport_view (pane_at (fixture, 1)->viewport);
  g_assert_false (b->fit);
  g_assert_cmpfloat_with_epsilon (b->zoom, 2 * a->zoom, 1e-9);
  // 0 + (x − ½) ∙ ½ mm = −8 mm + (x′ − ½) ∙ 1 mm
  g_assert_cmpfloat_with_epsilon (-8 + (b->centre.x - 0.5), (a->centre.x - 0.5) / 2,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (b->centre.y - 0.5, (a->centre.y - 0.5) / 2, 1e-9);
  activate_and_settle (fixture, "fit", NULL);
  g_assert_true (b->fit);
  // Not linked any more.
  activate (fixture, "link-view", NULL);
  odl_viewport_zoom_by (fixture->viewport, 2);
  g_assert_true (b->fit);
}

static void
test_grey_levels (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 2, 0.5 },
    { "1.2", PATIENT_FRAME, 0, 2, 2, 1 },
  };
  g_autofree char *one = write_series (fixture, &rows[0]);
  g_autofree char *other = write_series (fixture, &rows[1]);
  g_autofree char *plain = write_png (fixture, "a.png", 61, 47, false);
  double centre, width;
  open_and_wait (fixture, one);
  lay_out (fixture, "2x2");
  open_in (fixture, 1, other);
  open_in (fixture, 2, plain);
  go_to (fixture, 0);
  activate (fixture, "link-window", NULL);
  odl_viewport_set_window (fixture->viewport, 77, 33);
  odl_viewport_get_window (pane_at (fixture, 1)->viewport, &centre, &width);
  g_assert_cmpfloat (centre, ==, 77);
  g_assert_cmpfloat (width, ==, 33);
  // Of values of another kind they mean nothing.
  odl_viewport_get_window (pane_at (fixture, 2)->viewport, &centre, &width);
  g_assert_cmpfloat (width, ==, 255);
}

// Each shows the frame that is due on the clock of the active one.
static void
test_clock (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", NULL, 0, 0, 30, 0.5, .interval_ms = 40 },
    { "1.2", NULL, 0, 0, 10, 0.5, .interval_ms = 100 },
  };
  g_autofree char *fast = write_series (fixture, &rows[0]);
  g_autofree char *slow = write_series (fixture, &rows[1]);
  open_and_wait (fixture, fast);
  lay_out (fixture, "1x2");
  odl_session_set_playing (fixture->session, false);
  open_in (fixture, 1, slow);
  odl_session_set_playing (fixture->session, false);
  go_to (fixture, 0);
  activate (fixture, "link-time", NULL);
  // 13 · 40 = 520 ms: the sixth frame of 100 ms began at 500.
  odl_playback_seek (odl_session_playback (fixture->session), 13);
  wait_for_frame (fixture, 0, 13);
  wait_for_frame (fixture, 1, 5);
  // 480 ms.
  odl_playback_seek (odl_session_playback (fixture->session), 12);
  wait_for_frame (fixture, 1, 4);
  go_to (fixture, 1);
  odl_playback_seek (odl_session_playback (fixture->session), 7);
  wait_for_frame (fixture, 0, 17);
  // And while it plays: what follows is never ahead, and at most a few frames behind.
  go_to (fixture, 0);
  odl_session_set_playing (fixture->session, true);
  for (int i = 0; i < 20; i++) {
    wait_for_frames (fixture, 1);
    const OdlFrame *leads = odl_session_frame (pane_at (fixture, 0)->session);
    g_assert_false (odl_session_playing (pane_at (fixture, 1)->session));
    // It is over after a second, and its last frame stays.
    g_assert_cmpint (slice_of (fixture, 1), ==, MIN ((leads->index * 40 + 1) / 100, 9));
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/layouts/each-pane-has-picture-and-filters-of-its-own", test_own_pictures);
  ADD ("/layouts/keys-and-panels-act-in-the-active-one", test_active);
  ADD ("/layouts/fewer-panes-keep-the-active-one", test_fewer);
  ADD ("/layouts/a-damaged-file-is-told-of-in-its-pane", test_damaged);
  ADD ("/layouts/names-are-hidden-in-all", test_names);
  ADD ("/layouts/what-is-recorded-stays", test_recorded);
  ADD ("/layouts/a-row-opens-in-the-other-pane", test_other);
  ADD ("/layouts/filters-a-beside-b", test_a_beside_b);
  ADD ("/layouts/keys", test_keys);
  ADD ("/layouts/slices-at-the-same-place", test_places);
  ADD ("/layouts/slices-of-the-same-number", test_numbers);
  ADD ("/layouts/of-another-patient", test_strangers);
  ADD ("/layouts/a-millimetre-is-as-long-in-both", test_zoom);
  ADD ("/layouts/grey-levels-of-the-same-values", test_grey_levels);
  ADD ("/layouts/one-clock", test_clock);
  return g_test_run ();
}
