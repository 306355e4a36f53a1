// SPDX-License-Identifier: MIT
// Presentation states in the real window: which are offered, what applying one does, and
// what is said of what it does not.
#include <string.h>

#include "../unit/source/dicom_writer.h"
#include "support/support.h"
#include "widgets/window/parts.h"

#define CLASS_UID "1.2.840.10008.5.1.4.1.1.11.1"
#define PICTURE "1.2.3.4"
#define WIDTH 80
#define HEIGHT 60

static void
put_sequence (GByteArray *out, uint32_t tag, const GByteArray *item)
{
  g_autoptr (GByteArray) items = g_byte_array_new ();

  odl_dicom_put_item (items, item->data, item->len);
  odl_dicom_put_head (out, tag, "SQ", items->len);
  g_byte_array_append (out, items->data, items->len);
}

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

  odl_dicom_put_text (out, 0x00080018, "UI", PICTURE);
  odl_dicom_put_text (out, 0x00080060, "CS", "CR");
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

// A window, a quarter turn with a flip, an inverse shape; with drawings if `has_more`; of
// one frame, from 1, or of all.
static void
write_state (Fixture *fixture,
             const char *name,
             const char *label,
             bool has_more,
             int frame)
{
  g_autoptr (GByteArray) meta = g_byte_array_new (), out = g_byte_array_new ();
  g_autoptr (GByteArray) image = g_byte_array_new (), series = g_byte_array_new ();
  g_autoptr (GByteArray) voi = g_byte_array_new (), text = g_byte_array_new ();

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
  odl_dicom_put_text (image, 0x00081155, "UI", PICTURE);
  if (frame > 0) {
    g_autofree char *number = g_strdup_printf ("%d", frame);
    odl_dicom_put_text (image, 0x00081160, "IS", number);
  }
  put_sequence (series, 0x00081140, image);
  put_sequence (out, 0x00081115, series);
  odl_dicom_put_text (voi, 0x00281050, "DS", "90");
  odl_dicom_put_text (voi, 0x00281051, "DS", "40");
  put_sequence (out, 0x00283110, voi);
  if (has_more) {
    odl_dicom_put_text (text, 0x00700006, "ST", "See here");
    put_sequence (out, 0x00700001, text);
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

  write_state (fixture, "plain", "PLAIN", false, 0);
  write_state (fixture, "drawn", "WITH_ARROWS", true, 0);
  open_and_wait (fixture, path);
  wait_until (fixture, offers, "As Saved: PLAIN;As Saved: WITH__ARROWS;");
  // Nothing is applied by itself.
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
  // What is left out is said.
  activate_and_settle (fixture, "presentation", "1");
  g_assert_true (has_toast (fixture, "WITH_ARROWS. It has more, which is not shown"));
  // Nor is one that is not there applied, or one of another picture.
  odl_viewport_set_window (fixture->viewport, 10, 20);
  activate_and_settle (fixture, "presentation", "2");
  activate_and_settle (fixture, "presentation", "-1");
  g_assert_cmpfloat (odl_viewport_window (fixture->viewport).centre, ==, 10);
  open_and_wait (fixture, other);
  g_assert_true (offers (fixture, ""));
  activate_and_settle (fixture, "presentation", "0");
  g_assert_cmpfloat (odl_viewport_window (fixture->viewport).centre, !=, 90);
}

static void
test_of_frames (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "cine.dcm", 3);

  write_state (fixture, "second", "SECOND", false, 2);
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
}

// Whoever saved it may have named it after the patient.
static void
test_masked (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "hand.dcm", 1);

  write_state (fixture, "plain", "ERIKA", true, 0);
  open_and_wait (fixture, path);
  wait_until (fixture, offers, "As Saved: ERIKA;");
  activate_and_settle (fixture, "mask-names", NULL);
  g_assert_true (offers (fixture, "As Saved: 1;"));
  activate_and_settle (fixture, "presentation", "0");
  g_assert_true (has_toast (fixture, "Shown as saved: 1."));
  g_assert_false (has_toast (fixture, "ERIKA"));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/saved-looks/one-is-applied-on-request", test_applied);
  ADD ("/saved-looks/one-of-other-frames-is-refused", test_of_frames);
  ADD ("/saved-looks/names-are-masked", test_masked);
  return g_test_run ();
}
