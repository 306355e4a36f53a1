// SPDX-License-Identifier: MIT
// What structure sets outline, in the real window: drawn over the pictures of their frame
// of reference alone, with names, each switched off and on.
#include <adwaita.h>
#include <string.h>

#include "../unit/source/dicom_writer.h"
#include "support/support.h"
#include "widgets/window/parts.h"

#define STRUCTURES_UID "1.2.840.10008.5.1.4.1.1.481.3"
#define WIDTH 80
#define HEIGHT 60

// Each run has its own, since folders beside it are looked through, too.
static char space_uid[64], other_uid[64];

// Transfer full path.
static char *
write_file (Fixture *fixture, const char *name, const GByteArray *bytes)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (
      g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
  return path;
}

// A black one, whose pixels are of 1 mm from the origin on.
static char *
write_picture (Fixture *fixture, const char *name, const char *space)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree guint8 *black = g_malloc0 (WIDTH * HEIGHT);

  odl_dicom_put_text (out, 0x00080018, "UI", space);
  odl_dicom_put_text (out, 0x00080060, "CS", "CT");
  odl_dicom_put_text (out, 0x00200032, "DS", "0\\0\\10");
  odl_dicom_put_text (out, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  odl_dicom_put_text (out, 0x00200052, "UI", space);
  odl_dicom_put_text (out, 0x00280030, "DS", "1\\1");
  odl_dicom_put_bytes_of (out, WIDTH, HEIGHT);
  odl_dicom_put_head (out, 0x7fe00010, "OB", WIDTH * HEIGHT);
  g_byte_array_append (out, black, WIDTH * HEIGHT);
  return write_file (fixture, name, out);
}

static void
put_item (GByteArray *items, const GByteArray *item)
{
  odl_dicom_put_item (items, item->data, item->len);
}

static void
put_items (GByteArray *out, uint32_t tag, const GByteArray *items)
{
  odl_dicom_put_head (out, tag, "SQ", items->len);
  g_byte_array_append (out, items->data, items->len);
}

// A square of 20 mm from (x, 20) on.
static void
put_region (GByteArray *items, const char *number, const char *colour, int x)
{
  g_autoptr (GByteArray) region = g_byte_array_new (), contour = g_byte_array_new ();
  g_autofree char *points = g_strdup_printf (
      "%d\\20\\10\\%d\\20\\10\\%d\\40\\10\\%d\\40\\10", x, x + 20, x + 20, x);

  odl_dicom_put_text (contour, 0x30060042, "CS", "CLOSED_PLANAR");
  odl_dicom_put_text (contour, 0x30060046, "IS", "4");
  odl_dicom_put_text (contour, 0x30060050, "DS", points);
  odl_dicom_put_text (region, 0x3006002a, "IS", colour);
  odl_dicom_put_sequence (region, 0x30060040, contour);
  odl_dicom_put_text (region, 0x30060084, "IS", number);
  put_item (items, region);
}

static void
put_name (GByteArray *items, const char *number, const char *name)
{
  g_autoptr (GByteArray) item = g_byte_array_new ();

  odl_dicom_put_text (item, 0x30060022, "IS", number);
  odl_dicom_put_text (item, 0x30060024, "UI", space_uid);
  odl_dicom_put_text (item, 0x30060026, "LO", name);
  put_item (items, item);
}

// A red one at the left, a green one at the right.
static void
write_structures (Fixture *fixture, const char *name)
{
  g_autoptr (GByteArray) meta = g_byte_array_new (), out = g_byte_array_new ();
  g_autoptr (GByteArray) names = g_byte_array_new (), regions = g_byte_array_new ();

  odl_dicom_put_text (meta, 0x00020002, "UI", STRUCTURES_UID);
  odl_dicom_put_text (meta, 0x00020003, "UI", "1.2.3.9");
  odl_dicom_put_text (meta, 0x00020010, "UI", ODL_DICOM_LE);
  g_byte_array_set_size (out, 128);
  memset (out->data, 0, 128);
  g_byte_array_append (out, (const guint8 *) "DICM", 4);
  odl_dicom_put_head (out, 0x00020000, "UL", 4);
  odl_dicom_put_u32 (out, meta->len);
  g_byte_array_append (out, meta->data, meta->len);
  odl_dicom_put_text (out, 0x00080016, "UI", STRUCTURES_UID);
  odl_dicom_put_text (out, 0x00080060, "CS", "RTSTRUCT");
  put_name (names, "1", "Liver");
  put_name (names, "2", "Left_kidney");
  put_items (out, 0x30060020, names);
  put_region (regions, "1", "255\\0\\0", 5);
  put_region (regions, "2", "0\\255\\0", 45);
  put_items (out, 0x30060039, regions);
  g_free (write_file (fixture, name, out));
}

// The labels of what the menu offers, one after the other.
static bool
offers (Fixture *fixture, const void *labels)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GString) there = g_string_new (NULL);

  odl_window_append_segments (odl_main_window_parts (fixture->window), menu);
  for (int i = 0; i < g_menu_model_get_n_items (G_MENU_MODEL (menu)); i++) {
    g_autofree char *label = NULL;
    g_menu_model_get_item_attribute (G_MENU_MODEL (menu), i, "label", "s", &label);
    g_string_append_printf (there, "%s;", label);
  }
  return g_str_equal (there->str, labels);
}

// Which colours are there in the middle of the squares in the picture that would be
// saved.
enum { RED = 1, GREEN = 2 };

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

  g_assert_true (width >= WIDTH && height >= HEIGHT);
  gdk_texture_download (texture, pixels, (gsize) width * 4);
  // As GDK has them: blue, green, red.
  const uint8_t *left = pixels + ((gsize) 30 * width + 12) * 4;
  const uint8_t *right = pixels + ((gsize) 30 * width + 52) * 4;
  return (left[2] > left[1] + 40 ? RED : 0) | (right[1] > right[2] + 40 ? GREEN : 0);
}

static void
test_drawn (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "a.dcm", space_uid);
  g_autofree char *other = write_picture (fixture, "b.dcm", other_uid);

  write_structures (fixture, "set.dcm");
  open_and_wait (fixture, path);
  wait_until (fixture, offers, "Hide Segment: Liver;Hide Segment: Left__kidney;");
  g_assert_cmpint (drawn (fixture), ==, RED | GREEN);
  activate_and_settle (fixture, "segment", "0");
  g_assert_true (offers (fixture, "Show Segment: Liver;Hide Segment: Left__kidney;"));
  g_assert_cmpint (drawn (fixture), ==, GREEN);
  activate_and_settle (fixture, "segment", "0");
  g_assert_cmpint (drawn (fixture), ==, RED | GREEN);
  // What is not there changes nothing.
  activate_and_settle (fixture, "segment", "2");
  activate_and_settle (fixture, "segment", "-1");
  g_assert_cmpint (drawn (fixture), ==, RED | GREEN);
  activate_and_settle (fixture, "show-overlays", NULL);
  g_assert_cmpint (drawn (fixture), ==, 0);
  activate_and_settle (fixture, "show-overlays", NULL);
  // Names may say who it is.
  activate_and_settle (fixture, "mask-names", NULL);
  g_assert_true (offers (fixture, "Hide Segment: 1;Hide Segment: 2;"));
  activate_and_settle (fixture, "mask-names", NULL);
  // A picture of another frame of reference has nothing.
  open_and_wait (fixture, other);
  g_assert_true (offers (fixture, ""));
  g_assert_cmpint (drawn (fixture), ==, 0);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  g_snprintf (space_uid, sizeof space_uid, "1.2.1.%" G_GINT64_FORMAT, g_get_real_time ());
  g_snprintf (other_uid, sizeof other_uid, "1.2.2.%" G_GINT64_FORMAT, g_get_real_time ());
  ADD ("/segments/are-drawn-and-hidden", test_drawn);
  return g_test_run ();
}
