// SPDX-License-Identifier: MIT
// How a DICOM file wants to be shown, in the real window: its table of levels, its
// overlay, what is not applied.
#include <string.h>

#include "../unit/source/dicom_writer.h"
#include "support/patient.h"
#include "support/annotating.h"
#include "support/support.h"
#include "widgets/viewport/private.h"

#define WIDTH 96
#define HEIGHT 70

// Values 0 … 4095, which a table of 1000 entries turns into levels from 500 on; every
// fifth sample is drawn over; a shutter that is not applied.
static char *
write_dicom (Fixture *fixture)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  const guint n_bytes = WIDTH * HEIGHT / 8;

  odl_dicom_put_text (file, 0x00181600, "CS", "CIRCULAR");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_short (file, 0x00280010, HEIGHT);
  odl_dicom_put_short (file, 0x00280011, WIDTH);
  odl_dicom_put_short (file, 0x00280100, 16);
  odl_dicom_put_short (file, 0x00280101, 12);
  odl_dicom_put_short (file, 0x00280102, 11);
  odl_dicom_put_short (file, 0x00280103, 0);
  odl_dicom_put_head (file, 0x00283010, "SQ", 8 + 8 + 6 + 12 + 2000);
  odl_dicom_put_u32 (file, 0xe000fffe);
  odl_dicom_put_u32 (file, 8 + 6 + 12 + 2000);
  odl_dicom_put_head (file, 0x00283002, "US", 6);
  odl_dicom_put_u16 (file, 1000);
  odl_dicom_put_u16 (file, 500);
  odl_dicom_put_u16 (file, 12);
  odl_dicom_put_head (file, 0x00283006, "OW", 2000);
  for (unsigned i = 0; i < 1000; i++)
    odl_dicom_put_u16 (file, i * i * 4095 / (999 * 999));
  odl_dicom_put_short (file, 0x60000010, HEIGHT);
  odl_dicom_put_short (file, 0x60000011, WIDTH);
  odl_dicom_put_text (file, 0x60000040, "CS", "G");
  odl_dicom_put_head (file, 0x60003000, "OW", n_bytes);
  for (guint i = 0; i < n_bytes; i++) {
    guint8 bits = 0;
    for (guint k = 0; k < 8; k++)
      bits |= (guint8) ((8 * i + k) % 5 == 0 ? 1 << k : 0);
    g_byte_array_append (file, &bits, 1);
  }
  odl_dicom_put_head (file, 0x7fe00010, "OW", WIDTH * HEIGHT * 2);
  for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
    odl_dicom_put_u16 (file, i * 13 % 4096);

  char *path = g_build_filename (fixture->folder, "attributes.dcm", NULL);
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  return path;
}

static void
shows_what_the_command_line_makes (Fixture *fixture, const char *path, const char *option)
{
  const char *const options[]
      = { option != NULL ? option : "--window=file", "--filter=pass-through", NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);

  assert_canvas_shows (fixture, expected);
}

static void
change (Fixture *fixture, const char *action)
{
  activate (fixture, action, NULL);
  settle (fixture);
  run_cycles (fixture, 2);
}

// The line is written a little after the picture.
static bool
tells_of_table (Fixture *fixture, const void *wanted)
{
  const bool told = has_label (GTK_WIDGET (fixture->window), "file's table");

  return told == (wanted != NULL);
}

static void
test_overlays (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_dicom (fixture);

  open_and_wait (fixture, path);
  change (fixture, "actual-size");
  shows_what_the_command_line_makes (fixture, path, NULL);
  g_assert_true (is_on (fixture, "show-overlays"));
  const double bare = canvas_mean (fixture);

  change (fixture, "show-overlays");
  g_assert_false (is_on (fixture, "show-overlays"));
  shows_what_the_command_line_makes (fixture, path, "--no-overlays");
  change (fixture, "show-overlays");
  shows_what_the_command_line_makes (fixture, path, NULL);
  g_assert_cmpfloat_with_epsilon (canvas_mean (fixture), bare, 1e-9);
}

static void
test_levels (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_dicom (fixture);
  double centre, width;

  open_and_wait (fixture, path);
  change (fixture, "actual-size");
  wait_until (fixture, tells_of_table, fixture);

  // A drag begins with a window that comes near the table.
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  g_assert_cmpfloat (centre, >, 1000);
  g_assert_cmpfloat (centre, <, 1400);
  g_assert_cmpfloat (width, >, 600);
  g_assert_cmpfloat (width, <, 1000);
  odl_viewport_set_window (fixture->viewport, 1200, 800);
  settle (fixture);
  run_cycles (fixture, 2);
  wait_until (fixture, tells_of_table, NULL);
  shows_what_the_command_line_makes (fixture, path, "--window=1200,800");

  change (fixture, "reset-window");
  wait_until (fixture, tells_of_table, fixture);
  shows_what_the_command_line_makes (fixture, path, NULL);
}

// Bytes that differ outside of the picture, where marks stand.
static int
marked (Fixture *fixture)
{
  int width, height, n = 0;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  const guint8 *rgba = g_bytes_get_data (bytes, NULL);

  for (int y = height - 60; y < height; y++)
    for (int x = 0; x < 200; x++)
      n += rgba[4 * ((gsize) y * width + x)] != ODL_CANVAS_LEVEL;
  return n;
}

// What differs from the file's request is marked; what is not applied has a name.
static void
test_marks (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_dicom (fixture);

  open_and_wait (fixture, path);
  change (fixture, "actual-size");
  g_assert_cmpint (marked (fixture), ==, 0);
  change (fixture, "show-overlays");
  g_assert_cmpint (marked (fixture), >, 1000);
  change (fixture, "show-overlays");
  g_assert_cmpint (marked (fixture), ==, 0);
  odl_viewport_set_window (fixture->viewport, 1200, 800);
  settle (fixture);
  g_assert_cmpint (marked (fixture), >, 1000);
  change (fixture, "reset-window");
  g_assert_cmpint (marked (fixture), ==, 0);

  GtkWidget *title = find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_WINDOW_TITLE);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (title), "shutter"));
  g_assert_nonnull (strstr (odl_session_info (fixture->session)->warning, "shutter"));
}

static bool
is_at (Fixture *fixture, const void *place)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == GPOINTER_TO_INT (place);
}

// A slice becomes its stack, beginning where it was; it does not play; and the slice on
// screen a single picture again.
static void
test_series (Fixture *fixture, const void *data)
{
  OdlPlayback *playback = odl_session_playback (fixture->session);

  for (int i = 0; i < 5; i++)
    write_slice (fixture->folder, i);
  // It is number 3 by its place.
  g_autofree char *path = g_build_filename (fixture->folder, "slice4.dcm", NULL);
  open_and_wait (fixture, path);
  activate (fixture, "show-series", NULL);
  wait_until (fixture, is_at, GINT_TO_POINTER (3));
  settle (fixture);
  g_assert_cmpint (odl_playback_n_frames (playback), ==, 5);
  g_assert_true (odl_session_counts_slices (fixture->session));
  g_assert_false (odl_session_playing (fixture->session));
  activate (fixture, "step-frame", "-1");
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  activate (fixture, "show-series", NULL);
  settle (fixture);
  wait_until (fixture, is_at, GINT_TO_POINTER (0));
  g_assert_true (
      g_str_has_suffix (odl_session_info (fixture->session)->location, "/slice1.dcm"));
}

// ---- corners -------------------------------------------------------------------------

static const char *
label_text (Fixture *fixture, const char *name)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (fixture->viewport));
  for (; child; child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (gtk_widget_get_name (child), name))
      return gtk_widget_get_visible (child) ? gtk_label_get_text (GTK_LABEL (child)) : "";
  g_error ("there is no label %s", name);
}

static void
assert_edges (Fixture *fixture, const char *expected)
{
  g_autofree char *got = g_strjoin (
      " ", label_text (fixture, "edge-left"), label_text (fixture, "edge-right"),
      label_text (fixture, "edge-top"), label_text (fixture, "edge-bottom"), NULL);
  g_assert_cmpstr (got, ==, expected);
}

// Never does a name stand over a picture of somebody else.
static void
changed_cb (GtkLabel *label, GParamSpec *property, Fixture *fixture)
{
  const char *text
      = gtk_widget_get_visible (GTK_WIDGET (label)) ? gtk_label_get_text (label) : "";
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const int side = frame ? odl_image_info (frame->input)->extent.x : 0;
  g_assert_true (!strstr (text, "Alpha") || side == 100);
  g_assert_true (!strstr (text, "Beta") || side == 80);
}

// The bar is as long as it says, and the zoom in the corner is that of the picture;
// `other` is a zoom that it no longer has.
static bool
bar_is_true (Fixture *fixture, const void *other)
{
  const double zoom = odl_viewport_zoom (fixture->viewport);
  GtkWidget *bar = gtk_widget_get_first_child (GTK_WIDGET (fixture->viewport));
  while (bar && !g_str_equal (gtk_widget_get_name (bar), "scale-bar"))
    bar = gtk_widget_get_next_sibling (bar);
  const double mm = g_ascii_strtod (label_text (fixture, "scale-bar"), NULL)
                    * (strstr (label_text (fixture, "scale-bar"), "cm") ? 10 : 1);
  g_autofree char *percent = g_strdup_printf (" %.0f %%", 100 * zoom);
  graphene_rect_t where;
  return gtk_widget_compute_bounds (bar, GTK_WIDGET (fixture->viewport), &where) && mm > 0
         && fabs ((double) where.size.width - mm / 0.5 * zoom) <= 1
         && strstr (label_text (fixture, "corner-lower"), percent)
         && (!other || zoom != *(const double *) other);
}

// Whether the words of that name lie above the badge, which reaches below a part of them.
static bool
lies_above_badge (Fixture *fixture, const char *name, int left, int right)
{
  GtkWidget *viewport = GTK_WIDGET (fixture->viewport);
  const int top = odl_viewport_badge_top (fixture->viewport, left, right);
  GtkWidget *words = gtk_widget_get_first_child (viewport);
  while (words && !g_str_equal (gtk_widget_get_name (words), name))
    words = gtk_widget_get_next_sibling (words);
  graphene_rect_t where;
  return gtk_widget_compute_bounds (words, viewport, &where)
         && top < gtk_widget_get_height (viewport)
         && where.origin.y + where.size.height <= top;
}

static graphene_rect_t
bounds_of (Fixture *fixture, const char *name)
{
  GtkWidget *words = gtk_widget_get_first_child (GTK_WIDGET (fixture->viewport));
  graphene_rect_t where;
  while (words && !g_str_equal (gtk_widget_get_name (words), name))
    words = gtk_widget_get_next_sibling (words);
  g_assert_true (words && gtk_widget_get_mapped (words));
  g_assert_true (
      gtk_widget_compute_bounds (words, GTK_WIDGET (fixture->viewport), &where));
  return where;
}

// A pane that is too narrow for the patient says which side is left all the same, and
// neither marks nor the value under the pointer cover it.
static void
test_narrow (Fixture *fixture, const void *data)
{
  g_autofree char *alpha = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  open_and_wait (fixture, alpha);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 500, 600);
  activate (fixture, "layout", "'1x2'");
  run_cycles (fixture, 3);
  settle (fixture);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture->viewport)), <, 260);
  g_assert_cmpstr (label_text (fixture, "corner-upper"), ==, "Alpha,\nErika");
  assert_edges (fixture, "R L A P");
  graphene_rect_t letter = bounds_of (fixture, "edge-top");
  graphene_rect_t marks = bounds_of (fixture, "corner-marks");
  g_assert_false (graphene_rect_intersection (&letter, &marks, NULL));
  hover (fixture, 50, 50);
  settle (fixture);
  graphene_rect_t value;
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (fixture->viewport->probe)));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (fixture->viewport->probe),
                                            GTK_WIDGET (fixture->viewport), &value));
  letter = bounds_of (fixture, "edge-top");
  g_assert_false (graphene_rect_intersection (&letter, &value, NULL));
}

static bool
badge_is_free (Fixture *fixture, const void *data)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (fixture->viewport));
  return lies_above_badge (fixture, "corner-lower", width - 20, width);
}

// And the letter below it.
static bool
bar_is_free (Fixture *fixture, const void *data)
{
  const int middle = gtk_widget_get_width (GTK_WIDGET (fixture->viewport)) / 2;
  return lies_above_badge (fixture, "scale-bar", middle, middle + 1)
         && lies_above_badge (fixture, "edge-bottom", middle, middle + 1);
}

static void
test_corners (Fixture *fixture, const void *data)
{
  g_autofree char *alpha = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *beta
      = write_patient (fixture, "Beta", "0\\0.8\\0.6\\0\\0.6\\-0.8", 80);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (fixture->viewport));
  for (; child; child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (gtk_widget_get_name (child), "corner-upper")) {
      g_signal_connect (child, "notify::label", G_CALLBACK (changed_cb), fixture);
      g_signal_connect (child, "notify::visible", G_CALLBACK (changed_cb), fixture);
    }
  odl_main_window_open (fixture->window, alpha, NULL);
  settle (fixture);
  run_cycles (fixture, 3);
  g_assert_cmpstr (label_text (fixture, "corner-upper"), ==,
                   "Alpha, Erika\n19990101\n2024-01-31");
  g_assert_nonnull (strstr (label_text (fixture, "corner-lower"), "Series 3 · Schädel"));
  g_assert_cmpstr (label_text (fixture, "corner-marks"), ==, "LOSSY · DERIVED");
  assert_edges (fixture, "R L A P");
  while (odl_viewport_zoom (fixture->viewport) >= 1)
    activate (fixture, "zoom", "-1");
  run_cycles (fixture, 2);
  g_assert_cmpstr (label_text (fixture, "corner-marks"), ==,
                   "LOSSY · DERIVED · DISPLAY REDUCED");
  activate (fixture, "fit", NULL);
  run_cycles (fixture, 2);
  g_assert_cmpstr (label_text (fixture, "corner-marks"), ==, "LOSSY · DERIVED");
  activate (fixture, "rotate", "1");
  run_cycles (fixture, 2);
  assert_edges (fixture, "P A R L");
  activate (fixture, "flip", "true");
  run_cycles (fixture, 2);
  assert_edges (fixture, "A P R L");

  g_assert_true (bar_is_true (fixture, NULL));
  // So it stays, with the zoom beside it, when nothing but the window's size changes.
  const double zoom = odl_viewport_zoom (fixture->viewport);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1500, 1100);
  wait_until (fixture, bar_is_true, &zoom);
  set_filters (fixture, "median");
  activate (fixture, "wipe", NULL);
  wait_until (fixture, badge_is_free, NULL);
  activate (fixture, "wipe", NULL);
  set_filters (fixture, "median gaussian sharpen box median gaussian sharpen box median");
  wait_until (fixture, bar_is_free, NULL);

  odl_main_window_open (fixture->window, beta, NULL);
  settle (fixture);
  run_cycles (fixture, 3);
  g_assert_nonnull (strstr (label_text (fixture, "corner-upper"), "Beta, Erika"));
  assert_edges (fixture, "AF PH HA FP");
  activate (fixture, "mask-names", NULL);
  g_assert_cmpstr (label_text (fixture, "corner-upper"), ==, "Name hidden\n2024-01-31");
  activate (fixture, "show-corners", NULL);
  g_assert_cmpstr (label_text (fixture, "corner-upper"), ==, "");
  assert_edges (fixture, "   ");
  g_assert_cmpstr (label_text (fixture, "corner-marks"), ==, "LOSSY · DERIVED");
}

// How many pixels of the saved picture, which is black, are not, around a place.
static int
count_ink (Fixture *fixture, int x, int y)
{
  g_autoptr (GdkTexture) texture = odl_viewport_render_picture (fixture->viewport, NULL);
  const int width = gdk_texture_get_width (texture);
  const int height = gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);
  int n = 0;
  gdk_texture_download (texture, (guchar *) pixels, (gsize) width * 4);
  for (int row = MAX (y - 12, 0); row < MIN (y + 12, height); row++)
    for (int column = MAX (x - 12, 0); column < MIN (x + 12, width); column++)
      n += (pixels[row * width + column] & 0xffffff) != 0;
  return n;
}

static void
no_cb (OdlImage *image, void *data)
{
}

// A radiograph has letters by its Patient Orientation, turned and flipped as it is.
static void
test_radiograph (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_patient (fixture, "Delta", "L\\F", 90);
  open_and_wait (fixture, path);
  run_cycles (fixture, 3);
  assert_edges (fixture, "R L H F");
  activate (fixture, "rotate", "1");
  run_cycles (fixture, 2);
  assert_edges (fixture, "F H R L");
  activate (fixture, "flip", "true");
  run_cycles (fixture, 2);
  assert_edges (fixture, "H F R L");
}

// What a reader must know goes along with the picture, the patient's name does not.
static void
test_taken (Fixture *fixture, const void *data)
{
  const int side = 440, middle = side / 2;
  const int places[][2]
      = { { 14, middle }, { side - 14, middle }, { middle, 14 }, { middle, side - 54 } };
  g_autofree char *path = write_patient (fixture, "Gamma", "1\\0\\0\\0\\1\\0", side);
  // Lower than the picture.
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 900, 480);
  odl_main_window_open (fixture->window, path, NULL);
  settle (fixture);
  run_cycles (fixture, 3);
  g_assert_cmpstr (label_text (fixture, "corner-marks"), ==,
                   "RIGHT SIDE · LOSSY · DERIVED · DISPLAY REDUCED");
  g_assert_null (fixture->viewport->badge.rgba);
  odl_viewport_set_capture (fixture->viewport, no_cb, NULL);
  run_cycles (fixture, 3);
  // The canvas has them then, in the place of labels.
  g_assert_cmpstr (label_text (fixture, "corner-marks"), ==, "");
  assert_edges (fixture, "   ");
  const char *badge = fixture->viewport->badge.key;
  g_assert_nonnull (strstr (badge, "RIGHT SIDE"));
  g_assert_nonnull (strstr (badge, "LOSSY"));
  g_assert_nonnull (strstr (badge, "DERIVED"));
  g_assert_nonnull (strstr (fixture->viewport->drawing.picture.key, "R L A P"));
  activate (fixture, "rotate", "1");
  run_cycles (fixture, 3);
  g_assert_nonnull (strstr (fixture->viewport->drawing.picture.key, "P A R L"));
  odl_viewport_set_capture (fixture->viewport, NULL, NULL);
  activate (fixture, "rotate", "-1");
  run_cycles (fixture, 3);
  assert_edges (fixture, "R L A P");

  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    g_assert_cmpint (count_ink (fixture, places[i][0], places[i][1]), >, 20);
  g_assert_cmpint (count_ink (fixture, 30, side - 14), >, 100);
  // Hidden corners hide the directions; how the picture came about stays.
  activate (fixture, "show-corners", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    g_assert_cmpint (count_ink (fixture, places[i][0], places[i][1]), ==, 0);
  g_assert_cmpint (count_ink (fixture, 30, side - 14), >, 100);
}

// ---- properties ----------------------------------------------------------------------

static GtkWidget *
find_properties (void)
{
  GtkWidget *found = NULL;
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (g_strcmp0 (gtk_window_get_title (at->data), "Properties") == 0)
      found = at->data;
  return found;
}

static guint
count_rows (void)
{
  GtkWidget *list = find_widget (find_properties (), GTK_TYPE_COLUMN_VIEW);
  return g_list_model_get_n_items (
      G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (list))));
}

static bool
has_rows (Fixture *fixture, const void *n)
{
  return count_rows () == GPOINTER_TO_UINT (n);
}

// Whether a label in the window has the text.
static bool
says (GtkWidget *root, const char *text)
{
  return find_where (root, is_label_with, text) != NULL;
}

static bool
says_name (Fixture *fixture, const void *name)
{
  return says (find_properties (), name);
}

static void
test_properties (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  odl_main_window_open (fixture->window, path, NULL);
  settle (fixture);
  activate (fixture, "properties", NULL);
  wait_until (fixture, has_rows, GUINT_TO_POINTER (21));
  g_assert_true (says (find_properties (), "Alpha, Erika"));
  g_assert_true (says (find_properties (), "0.5 × 0.5 mm"));
  g_assert_true (says (find_properties (), "2024-01-31"));
  g_assert_false (says (find_properties (), "1999-01-01"));
  wait_until (fixture, says_name, "Alpha^Erika");
  GtkWidget *search = find_widget (find_properties (), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (search), "schÄDEL");
  wait_until (fixture, has_rows, GUINT_TO_POINTER (1));

  // There is one window, and it describes the file that is shown, whose name it tells.
  g_assert_true (says (find_properties (), "Alpha.dcm"));
  activate (fixture, "properties", NULL);
  wait_until (fixture, has_rows, GUINT_TO_POINTER (1));
  g_autofree char *beta = write_patient (fixture, "Beta", "1\\0\\0\\0\\1\\0", 80);
  odl_main_window_open (fixture->window, beta, NULL);
  wait_until (fixture, says_name, "Beta.dcm");
  g_assert_true (says (find_properties (), "Beta, Erika"));
  g_assert_false (says (find_properties (), "Alpha"));
  wait_until (fixture, has_rows, GUINT_TO_POINTER (1)); // what was searched for
  gtk_editable_set_text (GTK_EDITABLE (search), "");
  wait_until (fixture, says_name, "Beta^Erika");
  g_assert_false (says (find_properties (), "Alpha"));
  g_signal_emit_by_name (search, "stop-search");
  g_assert_null (find_properties ());

  // Without names, nowhere in it; and closed before the header was read.
  activate (fixture, "mask-names", NULL);
  activate (fixture, "properties", NULL);
  wait_until (fixture, has_rows, GUINT_TO_POINTER (21));
  wait_until (fixture, says_name, "PatientName");
  g_assert_true (says (find_properties (), "not calibrated"));
  g_assert_false (says (find_properties (), "Erika"));
  gtk_window_destroy (GTK_WINDOW (find_properties ()));
  activate (fixture, "properties", NULL);
  gtk_window_destroy (GTK_WINDOW (find_properties ()));
  run_cycles (fixture, 3);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/attributes/overlays-can-be-hidden", test_overlays);
  ADD ("/attributes/a-window-takes-the-place-of-a-table", test_levels);
  ADD ("/attributes/what-differs-is-marked", test_marks);
  ADD ("/attributes/a-slice-becomes-its-stack", test_series);
  ADD ("/attributes/corners-say-who-and-where", test_corners);
  ADD ("/attributes/radiographs-have-sides", test_radiograph);
  ADD ("/attributes/narrow-panes-say-which-side-is-left", test_narrow);
  ADD ("/attributes/what-is-taken-away-says-it-too", test_taken);
  ADD ("/attributes/properties-have-the-whole-header", test_properties);
  return g_test_run ();
}
