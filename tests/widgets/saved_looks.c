// SPDX-License-Identifier: MIT
// Presentation states in the real window: which are offered, what applying one does, and
// what is said of what it does not.
#include <adwaita.h>
#include <string.h>

#include "../unit/source/dicom_writer.h"
#include "support/panes.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/window/parts.h"

#define CLASS_UID "1.2.840.10008.5.1.4.1.1.11.1"
// Of the picture; each run has its own, since folders beside it are looked through, too,
// and those of a run that was broken off lie there.
static char picture_uid[64];
#define NUMBER "N-4711"
#define WIDTH 80
#define HEIGHT 60

// Transfer full path.
static char *
write_file (Fixture *fixture, const char *name, const GByteArray *bytes)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (
      g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
  return path;
}

static char *
write_picture (Fixture *fixture, const char *name, int n_frames)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);

  odl_dicom_put_text (out, 0x00080018, "UI", picture_uid);
  odl_dicom_put_text (out, 0x00080060, "CS", "CR");
  odl_dicom_put_text (out, 0x00100020, "LO", NUMBER);
  if (n_frames > 1) {
    g_autofree char *frames = g_strdup_printf ("%d", n_frames);
    odl_dicom_put_text (out, 0x00280008, "IS", frames);
  }
  odl_dicom_put_bytes_of (out, WIDTH, HEIGHT);
  odl_dicom_put_head (out, 0x7fe00010, "OB", (uint32_t) (n_frames * WIDTH * HEIGHT));
  for (int i = 0; i < n_frames * WIDTH * HEIGHT; i++) {
    const guint8 grey = (guint8) (i % WIDTH * 3);
    g_byte_array_append (out, &grey, 1);
  }
  return write_file (fixture, name, out);
}

#define DOT_X 60 // where a drawing is white, in samples
#define DOT_Y 20

static void
put_places (GByteArray *out, uint32_t tag, const float *places, guint n)
{
  odl_dicom_put_head (out, tag, "FL", n * 4);
  for (guint i = 0; i < n; i++) {
    uint32_t bits;
    memcpy (&bits, &places[i], sizeof bits);
    odl_dicom_put_u32 (out, bits);
  }
}

// A filled circle, and a name beside another place.
static void
put_drawing (GByteArray *out)
{
  static const float circle[] = { DOT_X, DOT_Y, DOT_X + 6, DOT_Y };
  g_autoptr (GByteArray) words = g_byte_array_new (), object = g_byte_array_new ();
  static const float at[] = { 45, 45 };

  odl_dicom_put_text (words, 0x00700004, "CS", "PIXEL");
  odl_dicom_put_text (words, 0x00700006, "ST", "ERIKA");
  put_places (words, 0x00700014, at, G_N_ELEMENTS (at));
  odl_dicom_put_sequence (out, 0x00700008, words);
  odl_dicom_put_text (object, 0x00700005, "CS", "PIXEL");
  put_places (object, 0x00700022, circle, G_N_ELEMENTS (circle));
  odl_dicom_put_text (object, 0x00700023, "CS", "CIRCLE");
  odl_dicom_put_text (object, 0x00700024, "CS", "Y");
  odl_dicom_put_sequence (out, 0x00700009, object);
}

// A window, a quarter turn with a flip, an inverse shape; with another sequence, such as
// of drawings; of one frame, from 1, or of all.
static void
write_state (Fixture *fixture,
             const char *name,
             const char *label,
             uint32_t more,
             int frame)
{
  g_autoptr (GByteArray) meta = g_byte_array_new (), out = g_byte_array_new ();
  g_autoptr (GByteArray) image = g_byte_array_new (), series = g_byte_array_new ();
  g_autoptr (GByteArray) voi = g_byte_array_new (), drawn = g_byte_array_new ();

  odl_dicom_put_text (meta, 0x00020002, "UI", CLASS_UID);
  odl_dicom_put_text (meta, 0x00020003, "UI", "1.2.3.9");
  odl_dicom_put_text (meta, 0x00020010, "UI", ODL_DICOM_LE);
  g_byte_array_set_size (out, 128);
  memset (out->data, 0, 128);
  g_byte_array_append (out, (const guint8 *) "DICM", 4);
  odl_dicom_put_head (out, 0x00020000, "UL", 4);
  odl_dicom_put_u32 (out, meta->len);
  g_byte_array_append (out, meta->data, meta->len);
  odl_dicom_put_text (out, 0x00080016, "UI", CLASS_UID);
  odl_dicom_put_text (out, 0x00080060, "CS", "PR");
  odl_dicom_put_text (image, 0x00081155, "UI", picture_uid);
  if (frame > 0) {
    g_autofree char *number = g_strdup_printf ("%d", frame);
    odl_dicom_put_text (image, 0x00081160, "IS", number);
  }
  odl_dicom_put_sequence (series, 0x00081140, image);
  odl_dicom_put_sequence (out, 0x00081115, series);
  odl_dicom_put_text (out, 0x00100020, "LO", NUMBER);
  odl_dicom_put_text (voi, 0x00281050, "DS", "90");
  odl_dicom_put_text (voi, 0x00281051, "DS", "40");
  odl_dicom_put_sequence (out, 0x00283110, voi);
  if (more) {
    put_drawing (drawn);
    odl_dicom_put_sequence (out, more, drawn);
  }
  odl_dicom_put_text (out, 0x00700041, "CS", "Y");
  odl_dicom_put_short (out, 0x00700042, 90);
  odl_dicom_put_text (out, 0x00700080, "CS", label);
  odl_dicom_put_text (out, 0x20500020, "CS", "INVERSE");
  g_free (write_file (fixture, name, out));
}

// The labels of those that are offered, one after the other.
static char *
offered (Fixture *fixture)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GString) labels = g_string_new (NULL);

  odl_window_append_presentations (odl_main_window_parts (fixture->window), menu);
  for (int i = 0; i < g_menu_model_get_n_items (G_MENU_MODEL (menu)); i++) {
    g_autofree char *label = NULL;
    g_menu_model_get_item_attribute (G_MENU_MODEL (menu), i, "label", "s", &label);
    g_string_append_printf (labels, "%s;", label);
  }
  return g_string_free (g_steal_pointer (&labels), FALSE);
}

// What is seen of a drawing in the picture that would be saved, which is black there
// else, and whose rows and columns are exchanged.
enum { DOT = 1, WORDS = 2 };

static int
drawn (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture
      = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  const int width = gdk_texture_get_width (texture);
  const int height = gdk_texture_get_height (texture);
  g_autofree uint8_t *pixels = g_malloc ((gsize) width * height * 4);
  int found = 0;

  g_assert_true (width >= HEIGHT && height >= WIDTH);
  gdk_texture_download (texture, pixels, (gsize) width * 4);
  for (int y = 38; y < WIDTH; y++)
    for (int x = 12; x < HEIGHT; x++) {
      const bool white = pixels[((gsize) y * width + x) * 4] > 200;
      if (white && abs (y - DOT_X) <= 4 && abs (x - DOT_Y) <= 4)
        found |= DOT;
      else if (white && x >= 34 && x < 52)
        found |= WORDS;
    }
  return found;
}

// What stands on the picture about it.
static const char *
marks (Fixture *fixture)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (fixture->viewport));
  while (child && !g_str_equal (gtk_widget_get_name (child), "corner-marks"))
    child = gtk_widget_get_next_sibling (child);
  g_assert_nonnull (child);
  return gtk_widget_get_visible (child) ? gtk_label_get_text (GTK_LABEL (child)) : "";
}

static bool
offers (Fixture *fixture, const void *labels)
{
  g_autofree char *there = offered (fixture);

  return g_str_equal (there, labels);
}

static void
test_applied (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "hand.dcm", 1);
  g_autofree char *other = write_png (fixture, "other.png", 30, 20, false);

  write_state (fixture, "plain", "PLAIN", 0, 0);
  write_state (fixture, "drawn", "WITH_ARROWS", 0x00700001, 0);
  write_state (fixture, "more", "WITH_MASKS", 0x00286100, 0);
  open_and_wait (fixture, path);
  wait_until (fixture, offers,
              "As Saved: PLAIN;As Saved: WITH__ARROWS;As Saved: WITH__MASKS;");
  // They are announced on the picture, and nothing is applied by itself.
  g_assert_nonnull (strstr (marks (fixture), "3 SAVED STATES"));
  g_assert_cmpint (odl_viewport_window (fixture->viewport).mode, ==, ODL_WINDOW_FILE);
  g_assert_cmpint (odl_viewport_view (fixture->viewport)->quarter_turns, ==, 0);
  activate_and_settle (fixture, "presentation", "0");
  const OdlWindow window = odl_viewport_window (fixture->viewport);
  g_assert_cmpfloat (window.centre, ==, 90);
  g_assert_cmpfloat (window.width, ==, 40);
  g_assert_true (window.invert);
  g_assert_cmpint (odl_viewport_view (fixture->viewport)->quarter_turns % 2, ==, 1);
  g_assert_true (odl_viewport_view (fixture->viewport)->flip_horizontal);
  g_assert_true (has_toast (fixture, "Shown as saved: PLAIN"));
  g_assert_false (has_toast (fixture, "not shown"));
  g_assert_cmpint (drawn (fixture), ==, 0);
  // Drawings lie over the picture, and can be hidden, which is marked.
  activate_and_settle (fixture, "presentation", "1");
  g_assert_true (has_toast (fixture, "Shown as saved: WITH_ARROWS"));
  g_assert_cmpint (drawn (fixture), ==, DOT | WORDS);
  activate_and_settle (fixture, "show-overlays", NULL);
  g_assert_cmpint (drawn (fixture), ==, 0);
  activate_and_settle (fixture, "show-overlays", NULL);
  g_assert_cmpint (drawn (fixture), ==, DOT | WORDS);
  // What is left out is said.
  activate_and_settle (fixture, "presentation", "2");
  g_assert_true (has_toast (fixture, "WITH_MASKS. It has more, which is not shown"));
  g_assert_cmpint (drawn (fixture), ==, 0);
  // Nor is one that is not there applied, or one of another picture.
  odl_viewport_set_window (fixture->viewport, 10, 20);
  activate_and_settle (fixture, "presentation", "3");
  activate_and_settle (fixture, "presentation", "-1");
  g_assert_cmpfloat (odl_viewport_window (fixture->viewport).centre, ==, 10);
  open_and_wait (fixture, other);
  g_assert_true (offers (fixture, ""));
  g_assert_null (strstr (marks (fixture), "SAVED"));
  activate_and_settle (fixture, "presentation", "0");
  g_assert_cmpfloat (odl_viewport_window (fixture->viewport).centre, !=, 90);
}

// One that names the picture, but has the number of another patient.
static void
test_of_another (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "hand.dcm", 1);
  g_autofree char *state = g_build_filename (fixture->folder, "other", NULL);
  g_autofree char *bytes = NULL;
  gsize size = 0;

  write_state (fixture, "other", "OTHER_NUMBER", 0, 0);
  g_assert_true (g_file_get_contents (state, &bytes, &size, NULL));
  g_assert_nonnull (memmem (bytes, size, NUMBER, strlen (NUMBER)));
  char *at = memmem (bytes, size, NUMBER, strlen (NUMBER));
  at[0] = 'X';
  g_assert_true (g_file_set_contents (state, bytes, (gssize) size, NULL));
  open_and_wait (fixture, path);
  wait_until (fixture, offers, "As Saved: OTHER__NUMBER;");
  activate_and_settle (fixture, "presentation", "0");
  g_assert_true (has_toast (fixture, "number of another patient"));
  g_assert_cmpfloat (odl_viewport_window (fixture->viewport).centre, !=, 90);
}

static void
test_of_frames (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "cine.dcm", 3);

  write_state (fixture, "second", "SECOND", 0x00700001, 2);
  open_and_wait (fixture, path);
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  settle (fixture);
  wait_until (fixture, offers, "As Saved: SECOND;");
  activate_and_settle (fixture, "presentation", "0");
  g_assert_true (has_toast (fixture, "saved for other frames"));
  g_assert_cmpfloat (odl_viewport_window (fixture->viewport).centre, !=, 90);
  activate_and_settle (fixture, "step-frame", "1");
  activate_and_settle (fixture, "presentation", "0");
  g_assert_cmpfloat (odl_viewport_window (fixture->viewport).centre, ==, 90);
  // Its drawings are on its frame alone.
  g_assert_cmpint (drawn (fixture), ==, DOT | WORDS);
  activate_and_settle (fixture, "step-frame", "1");
  g_assert_cmpint (drawn (fixture), ==, 0);
  activate_and_settle (fixture, "step-frame", "-1");
  g_assert_cmpint (drawn (fixture), ==, DOT | WORDS);
}

static bool
is_at (Fixture *fixture, const void *frame)
{
  const OdlFrame *shown = odl_session_frame (fixture->session);
  return shown && shown->index == GPOINTER_TO_INT (frame);
}

static bool
has_drawn (Fixture *fixture, const void *what)
{
  return drawn (fixture) == GPOINTER_TO_INT (what);
}

// In a pane that another one leads, too, drawings are on their frame alone; and each pane
// has its own.
static void
test_in_panes (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "cine.dcm", 3);
  g_autofree char *other = write_png (fixture, "other.png", 30, 20, false);

  write_state (fixture, "second", "SECOND", 0x00700001, 2);
  open_and_wait (fixture, path);
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  settle (fixture);
  wait_until (fixture, offers, "As Saved: SECOND;");
  activate_and_settle (fixture, "presentation", "0");
  g_assert_cmpint (drawn (fixture), ==, DOT | WORDS);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, other);
  g_assert_true (offers (fixture, ""));
  look_at (fixture, 0);
  wait_until (fixture, has_drawn, GINT_TO_POINTER (DOT | WORDS));
  odl_playback_seek (odl_session_playback (fixture->session), 2);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  g_assert_cmpint (drawn (fixture), ==, 0);
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  wait_until (fixture, is_at, GINT_TO_POINTER (1));
  wait_until (fixture, has_drawn, GINT_TO_POINTER (DOT | WORDS));
  go_to (fixture, 0);
  g_assert_true (offers (fixture, "As Saved: SECOND;"));
}

// Whoever saved it may have named it after the patient.
static void
test_masked (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "hand.dcm", 1);

  write_state (fixture, "plain", "ERIKA", 0x00700001, 0);
  open_and_wait (fixture, path);
  wait_until (fixture, offers, "As Saved: ERIKA;");
  activate_and_settle (fixture, "mask-names", NULL);
  g_assert_true (offers (fixture, "As Saved: 1;"));
  activate_and_settle (fixture, "presentation", "0");
  g_assert_true (has_toast (fixture, "Shown as saved: 1"));
  g_assert_false (has_toast (fixture, "ERIKA"));
  g_assert_cmpint (drawn (fixture), ==, DOT);
  activate_and_settle (fixture, "mask-names", NULL);
  g_assert_cmpint (drawn (fixture), ==, DOT | WORDS);
}

static OdlSourceItem *
item_of (Fixture *fixture, const char *name)
{
  GtkWidget *panel = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL);
  GtkListView *list = GTK_LIST_VIEW (find_widget (panel, GTK_TYPE_LIST_VIEW));
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (list));
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (model, i);
    if (g_str_equal (odl_source_item_name (item), name))
      return g_steal_pointer (&item);
  }
  return NULL;
}

static bool
is_known (Fixture *fixture, const void *name)
{
  g_autoptr (OdlSourceItem) item = item_of (fixture, name);
  return item && odl_source_item_state (item) > ODL_THUMBNAIL_REQUESTED;
}

static bool
tells_picture (Fixture *fixture, const void *uid)
{
  return has_label (GTK_WIDGET (fixture->window), uid);
}

// In the list of a folder it is what it is, not broken, and keys go past it.
static void
test_in_list (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_picture (fixture, "a.dcm", 1);
  g_autofree char *last = write_picture (fixture, "c.dcm", 1);

  write_state (fixture, "b.dcm", "PLAIN", 0, 0);
  open_and_wait (fixture, first);
  if (!adw_flap_get_reveal_flap (
          odl_window_child (odl_main_window_parts (fixture->window), "sources_flap")))
    activate (fixture, "show-sources", NULL);
  wait_until (fixture, is_known, "b.dcm");
  g_autoptr (OdlSourceItem) item = item_of (fixture, "b.dcm");
  g_assert_cmpint (odl_source_item_state (item), ==, ODL_THUMBNAIL_SAVED_LOOK);
  activate (fixture, "step-file", "1");
  settle (fixture);
  g_assert_true (has_location (fixture, last));
  // Opened all the same, it is told of without a warning.
  g_autofree char *state = g_build_filename (fixture->folder, "b.dcm", NULL);
  GtkWidget *window = GTK_WIDGET (fixture->window);
  odl_main_window_open (fixture->window, state, NULL);
  wait_until (fixture, has_toast, "presentation state");
  g_assert_true (has_label (window, "No picture"));
  g_assert_false (has_label (window, "annot be opened"));
  // Which picture it is of, and which file of the folder that is: either has that UID.
  wait_until (fixture, tells_picture, picture_uid);
  g_assert_true (has_label (window, "a.dcm (") || has_label (window, "c.dcm ("));
  g_assert_cmpint (odl_source_item_state (item), ==, ODL_THUMBNAIL_SAVED_LOOK);
  activate (fixture, "step-file", "-1");
  settle (fixture);
  g_assert_true (has_location (fixture, first));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  g_snprintf (picture_uid, sizeof picture_uid, "1.2.%" G_GINT64_FORMAT,
              g_get_real_time ());
  ADD ("/saved-looks/one-is-applied-on-request", test_applied);
  ADD ("/saved-looks/one-of-other-frames-is-refused", test_of_frames);
  ADD ("/saved-looks/one-of-another-patient-is-refused", test_of_another);
  ADD ("/saved-looks/panes-that-follow-keep-drawings-on-their-frame", test_in_panes);
  ADD ("/saved-looks/names-are-masked", test_masked);
  ADD ("/saved-looks/no-picture-but-not-broken", test_in_list);
  return g_test_run ();
}
