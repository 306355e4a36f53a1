// SPDX-License-Identifier: MIT
// A derived DICOM file out of the real window: what is asked, what is said before it is
// written, and what is in it.
#include <string.h>

#include "../../unit/source/dicom_writer.h"
#include "../support/support.h"
#include "widgets/blank_area.h"
#include "widgets/window/parts.h"

#define SIDE 24
#define FRAMES 3

// Frames of random grey of somebody, in 8 bits. Transfer full path.
static char *
write_cine (Fixture *fixture)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  char *path = g_build_filename (fixture->folder, "Erika.dcm", NULL);

  odl_dicom_put_text (file, 0x00080008, "CS", "ORIGINAL\\PRIMARY");
  odl_dicom_put_text (file, 0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.3.1");
  odl_dicom_put_text (file, 0x00080018, "UI", "1.2.3.4");
  odl_dicom_put_text (file, 0x00080020, "DA", "20240131");
  odl_dicom_put_text (file, 0x00080060, "CS", "US");
  odl_dicom_put_text (file, 0x00100010, "PN", "Muster^Erika");
  odl_dicom_put_text (file, 0x00100020, "LO", "Nr-4711");
  odl_dicom_put_text (file, 0x0020000d, "UI", "1.2.3.5");
  odl_dicom_put_text (file, 0x0020000e, "UI", "1.2.3.6");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_text (file, 0x00280008, "IS", G_STRINGIFY (FRAMES));
  odl_dicom_put_short (file, 0x00280010, SIDE);
  odl_dicom_put_short (file, 0x00280011, SIDE);
  odl_dicom_put_short (file, 0x00280100, 8);
  odl_dicom_put_short (file, 0x00280101, 8);
  odl_dicom_put_short (file, 0x00280102, 7);
  odl_dicom_put_short (file, 0x00280103, 0);
  odl_dicom_put_head (file, 0x7fe00010, "OB", FRAMES * SIDE * SIDE);
  for (int i = 0; i < FRAMES * SIDE * SIDE; i++) {
    const guint8 grey = (guint8) g_rand_int_range (random, 60, 200);
    g_byte_array_append (file, &grey, 1);
  }
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  return path;
}

// The window that asks; NULL: there is none.
static GtkWidget *
asking (Fixture *fixture)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at; at = at->next)
    if (g_object_get_data (at->data, "odl-derived"))
      return at->data;
  return NULL;
}

static GtkWidget *
nth (Fixture *fixture, GType type, int n)
{
  GtkWidget *found = find_nth (asking (fixture), type, n);

  g_assert_nonnull (found);
  return found;
}

static GtkWidget *
save_button (Fixture *fixture)
{
  for (int n = 0;; n++) {
    GtkWidget *button = nth (fixture, GTK_TYPE_BUTTON, n);
    if (gtk_widget_has_css_class (button, "suggested-action"))
      return button;
  }
}

static bool
can_save (Fixture *fixture, const void *data)
{
  return gtk_widget_is_sensitive (save_button (fixture));
}

static void
ask (Fixture *fixture, const char *out)
{
  activate_with_text (fixture, "save-dicom-to", out);
  g_assert_nonnull (asking (fixture));
  g_assert_false (can_save (fixture, NULL));
  wait_until (fixture, can_save, NULL);
}

static void
save (Fixture *fixture)
{
  wait_until (fixture, can_save, NULL);
  g_signal_emit_by_name (save_button (fixture), "clicked");
  g_assert_null (asking (fixture));
  wait_until (fixture, has_toast, "Saved “");
}

static GBytes *
contents (const char *path)
{
  char *data = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  return g_bytes_new_take (data, size);
}

static bool
has (GBytes *bytes, const char *part)
{
  return memmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), part,
                 strlen (part))
         != NULL;
}

// The pixels at the end of the file.
static const guint8 *
pixels_of (GBytes *bytes, int n_frames)
{
  const gsize n = (gsize) n_frames * SIDE * SIDE;

  g_assert_cmpuint (g_bytes_get_size (bytes), >, n);
  return (const guint8 *) g_bytes_get_data (bytes, NULL) + g_bytes_get_size (bytes) - n;
}

static void
test_names (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_cine (fixture);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);

  open_and_wait (fixture, path);
  ask (fixture, out);
  // It says what would be written.
  g_assert_true (has_label (asking (fixture), "Muster^Erika"));
  g_assert_true (has_label (asking (fixture), "does not say whether"));
  gtk_switch_set_active (GTK_SWITCH (nth (fixture, GTK_TYPE_SWITCH, 0)), TRUE);
  g_assert_false (can_save (fixture, NULL));
  wait_until (fixture, can_save, NULL);
  g_assert_false (has_label (asking (fixture), "Erika"));
  g_assert_true (has_label (asking (fixture), "ANON-"));
  save (fixture);
  g_autoptr (GBytes) bytes = contents (out), before = contents (path);
  g_assert_true (has (before, "Erika") && has (before, "Nr-4711"));
  g_assert_false (has (bytes, "Erika") || has (bytes, "Nr-4711")
                  || has (bytes, "20240131"));
  g_assert_true (has (bytes, "ANON-"));
  g_assert_cmpmem (pixels_of (bytes, FRAMES), FRAMES * SIDE * SIDE,
                   pixels_of (before, FRAMES), FRAMES * SIDE * SIDE);
}

// A toast has the button that copies them.
static bool
offers_filters (Fixture *fixture)
{
  const GPtrArray *toasts
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);

  for (guint i = 0; i < toasts->len; i++)
    if (g_strcmp0 (adw_toast_get_action_name (toasts->pdata[i]), "win.copy-text") == 0)
      return true;
  return false;
}

static void
test_filters (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_cine (fixture);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);
  g_autofree char *expected = g_build_filename (fixture->folder, "cli.dcm", NULL);
  g_autoptr (GError) error = NULL;

  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=1.5");
  ask (fixture, out);
  save (fixture);
  // The same as the command line writes.
  g_autoptr (GSubprocess) process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_NONE, &error, g_getenv ("ODL_CLI"), "process", path, "-o",
      expected, "-f", "gaussian:sigma=1.5", "-e", "cpu", NULL);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_autoptr (GBytes) got = contents (out), wanted = contents (expected);
  g_assert_cmpmem (pixels_of (got, FRAMES), FRAMES * SIDE * SIDE,
                   pixels_of (wanted, FRAMES), FRAMES * SIDE * SIDE);
  g_assert_true (has (got, "DERIVED\\SECONDARY"));
  // Opened again, it says what made it, and the filters are not used a second time.
  open_and_wait (fixture, out);
  wait_until (fixture, has_toast, "was made by filters: Gaussian 1.5");
  g_assert_true (offers_filters (fixture));
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (fixture->session)));
  open_and_wait (fixture, path);
  g_assert_false (offers_filters (fixture));
}

static bool
shows_second_frame (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);

  return frame && frame->index == 1;
}

static void
test_one_frame (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_cine (fixture);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);

  open_and_wait (fixture, path);
  // Cines play when they are opened: a step would begin at any frame.
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  wait_until (fixture, shows_second_frame, NULL);
  ask (fixture, out);
  adw_combo_row_set_selected (ADW_COMBO_ROW (nth (fixture, ADW_TYPE_COMBO_ROW, 0)), 0);
  save (fixture);
  g_autoptr (GBytes) got = contents (out), source = contents (path);
  g_assert_cmpmem (pixels_of (got, 1), SIDE * SIDE,
                   pixels_of (source, FRAMES) + SIDE * SIDE, SIDE * SIDE);
}

static void
test_rectangles (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_cine (fixture);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);

  open_and_wait (fixture, path);
  ask (fixture, out);
  GtkWidget *entry = nth (fixture, ADW_TYPE_ENTRY_ROW, 1);
  gtk_editable_set_text (GTK_EDITABLE (entry), "2,3,four");
  g_assert_false (can_save (fixture, NULL));
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "2,3,4,5; 20,20,9,9");
  wait_until (fixture, can_save, NULL);
  const GArray *drawn
      = odl_blank_area_drawn (ODL_BLANK_AREA (nth (fixture, ODL_TYPE_BLANK_AREA, 0)));
  g_assert_cmpuint (drawn->len, ==, 2);
  g_assert_true (has_label (asking (fixture), "outside the black rectangles"));
  save (fixture);
  g_autoptr (GBytes) got = contents (out), source = contents (path);
  const guint8 *after = pixels_of (got, FRAMES), *before = pixels_of (source, FRAMES);
  for (int i = 0; i < FRAMES * SIDE * SIDE; i++) {
    const int x = i % SIDE, y = i / SIDE % SIDE;
    const bool black = (x >= 2 && x < 6 && y >= 3 && y < 8) || (x >= 20 && y >= 20);
    if (black)
      g_assert_cmpint (after[i], <=, 61);
    else
      g_assert_cmpint (after[i], ==, before[i]);
  }
}

// ---- a report of what was saved ------------------------------------------------------

// Slices of somebody, in a folder of their own. Transfer full location of their series.
static char *
write_slices (Fixture *fixture)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (13);
  for (int k = 1; k <= FRAMES; k++) {
    g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
    g_autofree char *instance = g_strdup_printf ("1.2.3.4.%d", k);
    g_autofree char *number = g_strdup_printf ("%d", k);
    g_autofree char *place = g_strdup_printf ("0\\0\\%d", 5 * k);
    g_autofree char *name = g_strdup_printf ("slice%d.dcm", k);
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
    odl_dicom_put_text (file, 0x00080008, "CS", "ORIGINAL\\PRIMARY\\AXIAL");
    odl_dicom_put_text (file, 0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2");
    odl_dicom_put_text (file, 0x00080018, "UI", instance);
    odl_dicom_put_text (file, 0x00080060, "CS", "CT");
    odl_dicom_put_text (file, 0x00100010, "PN", "Muster^Erika");
    odl_dicom_put_text (file, 0x0020000d, "UI", "1.2.3.5");
    odl_dicom_put_text (file, 0x0020000e, "UI", "1.2.3.6");
    odl_dicom_put_text (file, 0x00200013, "IS", number);
    odl_dicom_put_text (file, 0x00200032, "DS", place);
    odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
    odl_dicom_put_text (file, 0x00280030, "DS", "1\\1");
    odl_dicom_put_bytes_of (file, SIDE, SIDE);
    odl_dicom_put_head (file, 0x7fe00010, "OB", SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
      const guint8 grey = (guint8) g_rand_int_range (random, 60, 200);
      g_byte_array_append (file, &grey, 1);
    }
    g_assert_true (
        g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  }
  return g_strconcat ("series:", fixture->folder, "/slice1.dcm", NULL);
}

// The identifier in the head of a DICOM file. Transfer full.
static char *
instance_of (const char *path)
{
  static const guint8 tag[] = { 0x02, 0x00, 0x03, 0x00, 'U', 'I' };
  g_autoptr (GBytes) bytes = contents (path);
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  const guint8 *at = memmem (data, size, tag, sizeof tag);
  g_assert_nonnull (at);
  return g_strndup ((const char *) at + 8, at[6]);
}

// Whether a report of the frame that is shown refers to that file.
static bool
report_names (Fixture *fixture, const char *name, const char *derived)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *instance = instance_of (derived);
  activate_with_text (fixture, "save-report-to", path);
  wait_until (fixture, has_toast, name);
  g_autoptr (GBytes) report = contents (path);
  g_assert_true (has (report, "Ellipse") || has (report, "ellipse"));
  return has (report, instance);
}

static void
draw_ellipse (Fixture *fixture, int frame)
{
  OdlAnnotation annotation;
  g_assert_true (
      odl_annotation_from_text (&odl_annotation_ellipse, "4,4,12,10", &annotation));
  annotation.id = 0;
  annotation.frame = frame;
  odl_session_annotate (fixture->session, &annotation);
  settle (fixture);
}

// A report of values after these very filters refers to the file that was saved, of a
// cine and of a slice of a stack, which is saved by itself; after others, or of another
// slice, it does not.
static void
test_reported (Fixture *fixture, const void *data)
{
  g_autofree char *cine = write_cine (fixture);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);
  g_autofree char *slice = g_build_filename (fixture->folder, "of-slice.dcm", NULL);

  open_and_wait (fixture, cine);
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  wait_until (fixture, shows_second_frame, NULL);
  draw_ellipse (fixture, 1);
  set_filters (fixture, "gaussian:sigma=1.5");
  ask (fixture, out);
  save (fixture);
  g_assert_true (report_names (fixture, "first.dcm", out));
  set_filters (fixture, "gaussian:sigma=2");
  g_assert_false (report_names (fixture, "second.dcm", out));
  set_filters (fixture, "gaussian:sigma=1.5");
  g_assert_true (report_names (fixture, "third.dcm", out));

  g_autofree char *series = write_slices (fixture);
  open_and_wait (fixture, series);
  activate_and_settle (fixture, "see-volume", "'slice'");
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  wait_until (fixture, shows_second_frame, NULL);
  draw_ellipse (fixture, 1);
  draw_ellipse (fixture, 2);
  set_filters (fixture, "gaussian:sigma=1.5");
  ask (fixture, slice);
  save (fixture);
  g_assert_true (report_names (fixture, "of-stack.dcm", slice));
  activate_and_settle (fixture, "step-frame", "1");
  g_assert_false (report_names (fixture, "of-next.dcm", slice));
}

// A lit square amid black, where no sector can be missed; the least side that the grid
// of what is found wants.
#define LIT_SIDE 160

static char *
write_sector (Fixture *fixture)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autoptr (GRand) random = g_rand_new_with_seed (12);
  char *path = g_build_filename (fixture->folder, "sector.dcm", NULL);

  odl_dicom_put_text (file, 0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.6.1");
  odl_dicom_put_text (file, 0x00080018, "UI", "1.2.3.9");
  odl_dicom_put_text (file, 0x00080060, "CS", "US");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_short (file, 0x00280010, LIT_SIDE);
  odl_dicom_put_short (file, 0x00280011, LIT_SIDE);
  odl_dicom_put_short (file, 0x00280100, 8);
  odl_dicom_put_short (file, 0x00280101, 8);
  odl_dicom_put_short (file, 0x00280102, 7);
  odl_dicom_put_short (file, 0x00280103, 0);
  odl_dicom_put_head (file, 0x7fe00010, "OB", LIT_SIDE * LIT_SIDE);
  for (int y = 0; y < LIT_SIDE; y++)
    for (int x = 0; x < LIT_SIDE; x++) {
      const bool lit = x >= 40 && x < 120 && y >= 30 && y < 130;
      const bool text = y >= 4 && y < 12 && x >= 4 && x < 60 && g_rand_boolean (random);
      const guint8 grey = (guint8) (lit    ? g_rand_int_range (random, 60, 200)
                                    : text ? 250
                                           : 0);
      g_byte_array_append (file, &grey, 1);
    }
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  return path;
}

static void
test_sector (Fixture *fixture, const void *data)
{
  g_autofree char *plain = write_cine (fixture), *path = write_sector (fixture);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);
  const gsize n = LIT_SIDE * LIT_SIDE;

  // Noise to the border is no sector, and the file names no regions.
  open_and_wait (fixture, plain);
  ask (fixture, out);
  g_assert_true (has_label (asking (fixture), "no sector is found"));
  g_assert_false (gtk_widget_is_sensitive (nth (fixture, ADW_TYPE_COMBO_ROW, 1)));
  gtk_window_destroy (GTK_WINDOW (asking (fixture)));

  open_and_wait (fixture, path);
  ask (fixture, out);
  GtkWidget *row = nth (fixture, ADW_TYPE_COMBO_ROW, 0);
  g_assert_cmpuint (
      g_list_model_get_n_items (adw_combo_row_get_model (ADW_COMBO_ROW (row))), ==, 2);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 1);
  g_assert_false (can_save (fixture, NULL));
  wait_until (fixture, can_save, NULL);
  g_assert_true (has_label (asking (fixture), "outside the black rectangles"));
  save (fixture);
  g_autoptr (GBytes) got = contents (out), source = contents (path);
  const guint8 *after
      = (const guint8 *) g_bytes_get_data (got, NULL) + g_bytes_get_size (got) - n;
  const guint8 *before
      = (const guint8 *) g_bytes_get_data (source, NULL) + g_bytes_get_size (source) - n;
  for (gsize i = 0; i < n; i++) {
    const int x = (int) (i % LIT_SIDE), y = (int) (i / LIT_SIDE);
    if (x >= 42 && x < 118 && y >= 32 && y < 128)
      g_assert_cmpint (after[i], ==, before[i]);
    else if (y < 12)
      g_assert_cmpint (after[i], ==, 0);
  }
}

// Where the focus comes by the Tab key.
static bool
is_reached (GtkWidget *window, GtkWidget *wanted)
{
  for (int i = 0; i < 20; i++) {
    gtk_widget_child_focus (window, GTK_DIR_TAB_FORWARD);
    if (gtk_window_get_focus (GTK_WINDOW (window)) == wanted)
      return true;
  }
  return false;
}

static double
scrolled_by (Fixture *fixture)
{
  GtkWidget *scrolled = nth (fixture, GTK_TYPE_SCROLLED_WINDOW, 0);

  return gtk_adjustment_get_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)));
}

static bool
is_below (Fixture *fixture, const void *data)
{
  return scrolled_by (fixture) > 0;
}

static void
test_keys (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_cine (fixture);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);

  open_and_wait (fixture, path);
  ask (fixture, out);
  gtk_window_set_default_size (GTK_WINDOW (asking (fixture)), 500, 300);
  GtkWidget *list = NULL;
  for (int n = 0; !list || !gtk_widget_has_css_class (list, "told"); n++)
    list = nth (fixture, GTK_TYPE_GRID, n);
  g_assert_cmpfloat (scrolled_by (fixture), ==, 0);
  g_assert_true (is_reached (asking (fixture), list));
  wait_until (fixture, is_below, NULL);
}

static void
test_not_asked (Fixture *fixture, const void *data)
{
  g_autofree char *png = write_png (fixture, "grey.png", 20, 20, false);
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);

  open_and_wait (fixture, png);
  activate_with_text (fixture, "save-to", out);
  g_assert_null (asking (fixture));
  g_assert_true (has_toast (fixture, "no DICOM file"));
  // The file that is shown is never written over.
  g_autofree char *path = write_cine (fixture);
  g_autoptr (GBytes) before = contents (path);
  open_and_wait (fixture, path);
  ask (fixture, path);
  g_signal_emit_by_name (save_button (fixture), "clicked");
  wait_until (fixture, has_toast, "never written over");
  g_autoptr (GBytes) after = contents (path);
  g_assert_true (g_bytes_equal (before, after));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/widgets/derived/without-names-what-remains-is-said", test_names);
  ADD ("/widgets/derived/filters-are-those-of-the-command-line", test_filters);
  ADD ("/widgets/derived/one-frame-of-many", test_one_frame);
  ADD ("/widgets/derived/a-report-refers-to-what-was-saved", test_reported);
  ADD ("/widgets/derived/rectangles-are-black", test_rectangles);
  ADD ("/widgets/derived/outside-the-sector-it-is-black", test_sector);
  ADD ("/widgets/derived/what-remains-is-reached-by-keys", test_keys);
  ADD ("/widgets/derived/what-cannot-be-is-refused", test_not_asked);
  return g_test_run ();
}
