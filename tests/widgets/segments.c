// SPDX-License-Identifier: MIT
// What structure sets outline, in the real window: drawn over the pictures of their frame
// of reference alone, with names, each switched off and on.
#include <adwaita.h>
#include <string.h>

#include "../unit/source/dicom_writer.h"
#include "support/panes.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/window/fusion.h"
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
  odl_dicom_put_text (out, 0x00100010, "PN", "Alpha");
  odl_dicom_put_text (out, 0x0020000d, "UI", "1.2.3");
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

#define MENU "_Structures…;"

static void
test_drawn (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "a.dcm", space_uid);
  g_autofree char *other = write_picture (fixture, "b.dcm", other_uid);

  write_structures (fixture, "set.dcm");
  open_and_wait (fixture, path);
  wait_until (fixture, offers,
              MENU "Hide Structure: Liver;Hide Structure: Left__kidney;");
  g_assert_cmpint (drawn (fixture), ==, RED | GREEN);
  activate_and_settle (fixture, "segment", "0");
  g_assert_true (
      offers (fixture, MENU "Show Structure: Liver;Hide Structure: Left__kidney;"));
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
  g_assert_true (offers (fixture, MENU "Hide Structure: 1;Hide Structure: 2;"));
  activate_and_settle (fixture, "mask-names", NULL);
  // A picture of another frame of reference has nothing.
  open_and_wait (fixture, other);
  g_assert_true (offers (fixture, ""));
  g_assert_cmpint (drawn (fixture), ==, 0);
}

// ---- in the list of studies ----------------------------------------------------------

// Slices of one series, of one level.
static void
write_slice_of (Fixture *fixture,
                const char *modality,
                const char *space,
                int place,
                guint8 level)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree guint8 *samples = g_malloc (WIDTH * HEIGHT);
  g_autofree char *series = g_strdup_printf ("%s%s", space,
                                             g_str_equal (modality, "PT")   ? ".9"
                                             : g_str_equal (modality, "NM") ? ".8"
                                                                            : "");
  g_autofree char *instance = g_strdup_printf ("%s.%d", series, place);
  g_autofree char *number = g_strdup_printf ("%d", place);
  g_autofree char *position = g_strdup_printf ("0\\0\\%d", 10 * place);
  g_autofree char *name = g_strdup_printf ("%s%d.dcm", modality, place);

  memset (samples, level, WIDTH * HEIGHT);
  odl_dicom_put_text (out, 0x00080018, "UI", instance);
  odl_dicom_put_text (out, 0x00080060, "CS", modality);
  odl_dicom_put_text (out, 0x00100010, "PN", "Alpha");
  odl_dicom_put_text (out, 0x0020000d, "UI", "1.2.3");
  odl_dicom_put_text (out, 0x0020000e, "UI", series);
  odl_dicom_put_text (out, 0x00200011, "IS", "4");
  odl_dicom_put_text (out, 0x00200013, "IS", number);
  odl_dicom_put_text (out, 0x00200032, "DS", position);
  odl_dicom_put_text (out, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  odl_dicom_put_text (out, 0x00200052, "UI", space);
  odl_dicom_put_text (out, 0x00280030, "DS", "1\\1");
  odl_dicom_put_bytes_of (out, WIDTH, HEIGHT);
  odl_dicom_put_head (out, 0x7fe00010, "OB", WIDTH * HEIGHT);
  g_byte_array_append (out, samples, WIDTH * HEIGHT);
  g_free (write_file (fixture, name, out));
}

static void
write_series_slice (Fixture *fixture, int place)
{
  write_slice_of (fixture, "CT", space_uid, place, 0);
}

// An object without pixels up to what its class needs.
static GByteArray *
begin_object (const char *class, const char *modality, const char *instance)
{
  g_autoptr (GByteArray) meta = g_byte_array_new ();
  GByteArray *out = g_byte_array_new ();

  odl_dicom_put_text (meta, 0x00020002, "UI", class);
  odl_dicom_put_text (meta, 0x00020003, "UI", instance);
  odl_dicom_put_text (meta, 0x00020010, "UI", ODL_DICOM_LE);
  g_byte_array_set_size (out, 128);
  memset (out->data, 0, 128);
  g_byte_array_append (out, (const guint8 *) "DICM", 4);
  odl_dicom_put_head (out, 0x00020000, "UL", 4);
  odl_dicom_put_u32 (out, meta->len);
  g_byte_array_append (out, meta->data, meta->len);
  odl_dicom_put_text (out, 0x00080016, "UI", class);
  odl_dicom_put_text (out, 0x00080018, "UI", instance);
  odl_dicom_put_text (out, 0x00080060, "CS", modality);
  return out;
}

// Names the third slice.
static void
write_keys (Fixture *fixture, const char *name)
{
  g_autoptr (GByteArray) out
      = begin_object ("1.2.840.10008.5.1.4.1.1.88.59", "KO", "1.2.3.7");
  g_autoptr (GByteArray) image = g_byte_array_new (), title = g_byte_array_new ();
  g_autoptr (GByteArray) reference = g_byte_array_new (), of = g_byte_array_new ();
  g_autoptr (GByteArray) evidence = g_byte_array_new ();
  g_autofree char *instance = g_strdup_printf ("%s.3", space_uid);

  odl_dicom_put_text (out, 0x00100010, "PN", "Alpha");
  odl_dicom_put_text (out, 0x0020000d, "UI", "1.2.3");
  odl_dicom_put_text (out, 0x0020000e, "UI", "1.2.3.6");
  odl_dicom_put_text (out, 0x0040a040, "CS", "CONTAINER");
  odl_dicom_put_text (title, 0x00080104, "LO", "Of Interest");
  odl_dicom_put_sequence (out, 0x0040a043, title);
  odl_dicom_put_text (of, 0x0020000e, "UI", space_uid);
  odl_dicom_put_sequence (evidence, 0x00081115, of);
  odl_dicom_put_sequence (out, 0x0040a375, evidence);
  odl_dicom_put_text (reference, 0x00081155, "UI", instance);
  odl_dicom_put_sequence (image, 0x00081199, reference);
  odl_dicom_put_text (image, 0x0040a010, "CS", "CONTAINS");
  odl_dicom_put_text (image, 0x0040a040, "CS", "IMAGE");
  odl_dicom_put_sequence (out, 0x0040a730, image);
  g_free (write_file (fixture, name, out));
}

static GListModel *
rows_of (Fixture *fixture)
{
  return G_LIST_MODEL (gtk_list_view_get_model (source_list (fixture)));
}

// The names of the rows below the study, one after the other.
static bool
lists (Fixture *fixture, const void *wanted)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 2; i < g_list_model_get_n_items (rows_of (fixture)); i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (rows_of (fixture), i);
    g_string_append_printf (text, "%s;", odl_source_item_name (item));
  }
  g_test_message ("%s", text->str);
  return g_str_equal (text->str, wanted);
}

static bool
has_drawn (Fixture *fixture, const void *what)
{
  return odl_session_frame (fixture->session)
         && drawn (fixture) == GPOINTER_TO_INT (what);
}

static bool
is_at (Fixture *fixture, const void *frame)
{
  const OdlFrame *shown = odl_session_frame (fixture->session);
  return shown && odl_session_info (fixture->session)->is_stack
         && shown->index == GPOINTER_TO_INT (frame);
}

static void
click_row (Fixture *fixture, guint index)
{
  gtk_widget_activate_action (GTK_WIDGET (source_list (fixture)), "list.activate-item",
                              "u", index);
}

static bool
is_whole (GtkWidget *widget, const void *text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text)
         && !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));
}

// How many there are stands by itself, so that no name cuts it off.
static bool
counts (Fixture *fixture, const void *text)
{
  return find_where (GTK_WIDGET (source_list (fixture)), is_whole, text) != NULL;
}

#define PICTURES "Series 4 · CT · "
#define OBJECTS "Key pictures · Of Interest · 1 picture;Structures · 2 structures;"

// Rows for the pictures, what was outlined in them and what was marked; each is found by
// a click, is no stop of the arrows, and follows what the user marks.
static void
test_listed (Fixture *fixture, const void *data)
{
  for (int place = 1; place <= 3; place++)
    write_series_slice (fixture, place);
  write_structures (fixture, "set.dcm");
  write_keys (fixture, "keys.dcm");
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, lists, PICTURES "1 key picture · 3 pictures;" OBJECTS);
  wait_until (fixture, counts, "1 key picture · 3 pictures");
  wait_until (fixture, counts, "2 structures");
  wait_until (fixture, is_at, GINT_TO_POINTER (0));
  activate_and_settle (fixture, "see-volume", "'slice'");
  wait_until (fixture, has_drawn, GINT_TO_POINTER (RED | GREEN));
  // What was hidden is drawn again.
  activate_and_settle (fixture, "segment", "0");
  g_assert_cmpint (drawn (fixture), ==, GREEN);
  click_row (fixture, 4);
  wait_until (fixture, has_drawn, GINT_TO_POINTER (RED | GREEN));
  g_assert_true (has_toast (fixture, "2 outlines"));
  click_row (fixture, 3);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  // Another one, and undone.
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  wait_until (fixture, is_at, GINT_TO_POINTER (1));
  settle (fixture);
  activate_and_settle (fixture, "key-picture", NULL);
  wait_until (fixture, lists, PICTURES "2 key pictures · 3 pictures;" OBJECTS);
  wait_until (fixture, counts, "2 key pictures · 3 pictures");
  activate_and_settle (fixture, "undo", NULL);
  wait_until (fixture, lists, PICTURES "1 key picture · 3 pictures;" OBJECTS);
  activate_and_settle (fixture, "step-file", "1");
  g_assert_true (is_at (fixture, GINT_TO_POINTER (1)));
}

static GtkWidget *
window_with (const char *key)
{
  GtkWidget *window = NULL;
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at && !window; at = at->next)
    window = g_object_get_data (at->data, key) ? at->data : NULL;
  g_assert_nonnull (window);
  return window;
}

// Each by its switch; names may be those of persons.
static void
test_window (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, "a.dcm", space_uid);

  write_structures (fixture, "set.dcm");
  open_and_wait (fixture, path);
  wait_until (fixture, offers,
              MENU "Hide Structure: Liver;Hide Structure: Left__kidney;");
  activate (fixture, "segments", NULL);
  GtkWidget *window = window_with ("segments");
  g_assert_true (has_label (window, "Left_kidney"));
  g_assert_true (has_label (window, "set.dcm"));
  GtkSwitch *second = GTK_SWITCH (find_nth (window, GTK_TYPE_SWITCH, 1));
  gtk_switch_set_active (second, FALSE);
  settle (fixture);
  g_assert_cmpint (drawn (fixture), ==, RED);
  activate_and_settle (fixture, "segment", "1");
  g_assert_true (gtk_switch_get_active (second));
  g_assert_true (GTK_WIDGET (second) == find_nth (window, GTK_TYPE_SWITCH, 1));
}

// ---- another volume ------------------------------------------------------------------

// The middle of the picture that would be saved: red minus blue.
static bool
has_colour (Fixture *fixture, const void *wanted)
{
  g_autoptr (GError) error = NULL;
  if (!odl_session_frame (fixture->session))
    return false;
  g_autoptr (GdkTexture) texture
      = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  const int width = gdk_texture_get_width (texture);
  const int height = gdk_texture_get_height (texture);
  g_autofree uint8_t *pixels = g_malloc ((gsize) width * height * 4);
  gdk_texture_download (texture, pixels, (gsize) width * 4);
  const uint8_t *middle = pixels + ((gsize) (height / 2) * width + width / 2) * 4;
  return (middle[2] > middle[0] + 40) == GPOINTER_TO_INT (wanted);
}

static bool
is_marks (GtkWidget *widget, const void *data)
{
  return g_strcmp0 (gtk_widget_get_name (widget), "corner-marks") == 0;
}

static bool
says_fusion (Fixture *fixture, const void *wanted)
{
  GtkWidget *label = find_where (GTK_WIDGET (fixture->viewport), is_marks, NULL);
  const bool says = gtk_widget_get_visible (label)
                    && strstr (gtk_label_get_text (GTK_LABEL (label)), "FUSION");
  return says == GPOINTER_TO_INT (wanted);
}

// One in the same frame of reference gives colour, as much as the slider says; one in
// another is refused in words, and is forgotten where another series or picture comes.
static void
test_fused (Fixture *fixture, const void *data)
{
  for (int place = 1; place <= 3; place++) {
    write_slice_of (fixture, "CT", space_uid, place, 0);
    write_slice_of (fixture, "PT", space_uid, place, 160);
    write_slice_of (fixture, "MR", other_uid, place, 160);
  }
  g_autofree char *base = g_strconcat ("series:", fixture->folder, "/CT1.dcm", NULL);
  g_autofree char *same = g_strconcat ("series:", fixture->folder, "/PT1.dcm", NULL);
  g_autofree char *other = g_strconcat ("series:", fixture->folder, "/MR1.dcm", NULL);
  g_autofree char *png = write_png (fixture, "p.png", 80, 60, false);
  g_autofree char *slice = path_in (fixture, "CT2.dcm");
  g_autofree char *later = path_in (fixture, "NM2.dcm");
  write_slice_of (fixture, "NM", space_uid, 2, 0);
  OdlPane *pane = pane_at (fixture, 0);
  open_and_wait (fixture, base);
  g_assert_true (has_colour (fixture, GINT_TO_POINTER (false)));
  g_assert_true (says_fusion (fixture, GINT_TO_POINTER (false)));
  activate_with_text (fixture, "fuse", same);
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  wait_until (fixture, says_fusion, GINT_TO_POINTER (true));
  OdlFusionLook look = odl_pane_fusion_look (pane);
  look.share = 0;
  odl_pane_set_fusion_look (pane, look);
  wait_until (fixture, has_colour, GINT_TO_POINTER (false));
  look.share = 1;
  odl_pane_set_fusion_look (pane, look);
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  activate_and_settle (fixture, "see-volume", "'slice'");
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  activate_with_text (fixture, "fuse", other);
  wait_until (fixture, has_toast, "different frames of reference");
  wait_until (fixture, says_fusion, GINT_TO_POINTER (false));
  g_assert_true (has_colour (fixture, GINT_TO_POINTER (false)));
  g_assert_null (odl_pane_fusion_location (pane));
  activate_with_text (fixture, "fuse", same);
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  open_and_wait (fixture, png);
  wait_until (fixture, has_toast, "nothing can be laid over it");
  g_assert_null (odl_pane_fusion_location (pane));
  // Nor over another series of the frame of reference; a slice of the same keeps it.
  open_and_wait (fixture, base);
  activate_with_text (fixture, "fuse", same);
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  open_and_wait (fixture, slice);
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  open_and_wait (fixture, later);
  wait_until (fixture, has_toast, "Another series is shown");
  wait_until (fixture, has_colour, GINT_TO_POINTER (false));
  g_assert_null (odl_pane_fusion_location (pane));
}

// The values of both ends, as they are in the fields of the window.
static bool
has_ends (Fixture *fixture, const void *ends)
{
  const double *wanted = ends;
  GtkWidget *window = window_with ("fusion-window");
  for (int i = 0; i < 2; i++) {
    GtkWidget *field = find_nth (window, GTK_TYPE_SPIN_BUTTON, i);
    if (gtk_spin_button_get_value (GTK_SPIN_BUTTON (field)) != wanted[i])
      return false;
  }
  return true;
}

static bool
is_fused (Fixture *fixture, const void *data)
{
  return odl_pane_fusion (pane_at (fixture, 0)) != NULL;
}

static bool
is_reset (GtkWidget *widget, const void *data)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Grey levels of its file")
                == 0;
}

static const double all_values[] = { 160, 180 }, slid[] = { 150, 175 };

// What its colours stand for is chosen in the window: by hand, at the slider, back to
// those of the file. The picture below keeps its own grey levels.
static void
test_levels (Fixture *fixture, const void *data)
{
  for (int place = 1; place <= 3; place++) {
    write_slice_of (fixture, "CT", space_uid, place, 0);
    write_slice_of (fixture, "PT", space_uid, place, (guint8) (150 + 10 * place));
  }
  g_autofree char *base = g_strconcat ("series:", fixture->folder, "/CT1.dcm", NULL);
  g_autofree char *same = g_strconcat ("series:", fixture->folder, "/PT1.dcm", NULL);
  open_and_wait (fixture, base);
  activate_and_settle (fixture, "see-volume", "'slice'");
  const OdlWindow before = odl_viewport_window (fixture->viewport);
  activate_with_text (fixture, "fuse", same);
  wait_until (fixture, is_fused, NULL);
  // Without grey levels in the file all of its values.
  wait_until (fixture, has_ends, all_values);
  GtkWidget *window = window_with ("fusion-window");
  GtkWidget *fields[2];
  for (int i = 0; i < 2; i++)
    fields[i] = find_nth (window, GTK_TYPE_SPIN_BUTTON, i);
  g_assert_true (has_label (window, "Colours from 160 to 180"));
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  wait_until (fixture, is_at, GINT_TO_POINTER (0));
  wait_until (fixture, has_colour, GINT_TO_POINTER (false));
  // The first slice has 160 everywhere, in the middle of these.
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (fields[0]), 150);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (fields[1]), 170);
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  g_assert_true (has_label (window, "Colours from 150 to 170"));
  OdlFusionLook look = odl_pane_fusion_look (pane_at (fixture, 0));
  g_assert_cmpfloat (look.levels.centre, ==, 160);
  g_assert_cmpfloat (look.levels.width, ==, 20);
  // An end does not pass the other one.
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (fields[1]), 100);
  look = odl_pane_fusion_look (pane_at (fixture, 0));
  g_assert_cmpfloat (look.levels.width, >, 0);
  g_assert_cmpfloat (look.levels.centre, >=, 150);
  // A slider; its range has what was typed.
  GtkWidget *scale = find_nth (window, GTK_TYPE_SCALE, 2);
  gtk_range_set_value (GTK_RANGE (scale), 175);
  wait_until (fixture, has_ends, slid);
  gtk_range_set_value (GTK_RANGE (scale), 100);
  look = odl_pane_fusion_look (pane_at (fixture, 0));
  g_assert_cmpfloat (look.levels.width, >, 0);
  g_assert_cmpfloat (look.levels.centre, >=, 150);
  g_signal_emit_by_name (find_where (window, is_reset, NULL), "clicked");
  wait_until (fixture, has_ends, all_values);
  wait_until (fixture, has_colour, GINT_TO_POINTER (false));
  const OdlWindow after = odl_viewport_window (fixture->viewport);
  g_assert_cmpint (before.mode, ==, after.mode);
  g_assert_cmpfloat (before.centre, ==, after.centre);
}

// A pane that follows another one keeps what lies over it, and the window is about the
// active one.
static void
test_panes (Fixture *fixture, const void *data)
{
  for (int place = 1; place <= 3; place++) {
    write_slice_of (fixture, "CT", space_uid, place, 0);
    write_slice_of (fixture, "PT", space_uid, place, 160);
  }
  write_structures (fixture, "set.dcm");
  g_autofree char *base = g_strconcat ("series:", fixture->folder, "/CT1.dcm", NULL);
  g_autofree char *same = g_strconcat ("series:", fixture->folder, "/PT1.dcm", NULL);
  open_and_wait (fixture, base);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, same);
  activate_and_settle (fixture, "see-volume", "'slice'");
  go_to (fixture, 0);
  activate_and_settle (fixture, "see-volume", "'slice'");
  activate_with_text (fixture, "fuse", same);
  wait_until (fixture, has_colour, GINT_TO_POINTER (true));
  wait_until (fixture, offers,
              MENU "Hide Structure: Liver;Hide Structure: Left__kidney;");
  activate (fixture, "link-slices", NULL);
  go_to (fixture, 1);
  g_assert_null (odl_pane_fusion (pane_at (fixture, 1)));
  for (int at = 2; at >= 0; at--) {
    odl_playback_seek (odl_session_playback (pane_at (fixture, 1)->session), at);
    look_at (fixture, 0);
    wait_until (fixture, is_at, GINT_TO_POINTER (at));
    wait_until (fixture, has_colour, GINT_TO_POINTER (true));
    wait_until (fixture, says_fusion, GINT_TO_POINTER (true));
  }
  g_assert_nonnull (odl_pane_fusion (pane_at (fixture, 0)));
  // The slice that is outlined, in the pane that follows, too.
  odl_pane_set_fusion (pane_at (fixture, 0), NULL);
  wait_until (fixture, has_drawn, GINT_TO_POINTER (RED | GREEN));
  look_at (fixture, 1);
  wait_until (fixture, offers,
              MENU "Hide Structure: Liver;Hide Structure: Left__kidney;");
  activate (fixture, "segment", "0");
  look_at (fixture, 0);
  g_assert_true (has_drawn (fixture, GINT_TO_POINTER (RED | GREEN)));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  g_snprintf (space_uid, sizeof space_uid, "1.2.1.%" G_GINT64_FORMAT, g_get_real_time ());
  g_snprintf (other_uid, sizeof other_uid, "1.2.2.%" G_GINT64_FORMAT, g_get_real_time ());
  ADD ("/segments/are-drawn-and-hidden", test_drawn);
  ADD ("/segments/are-rows-beside-their-pictures", test_listed);
  ADD ("/segments/another-volume-in-colours", test_fused);
  ADD ("/segments/grey-levels-of-another-volume", test_levels);
  ADD ("/segments/panes-that-follow-keep-what-lies-over-them", test_panes);
  ADD ("/segments/have-switches-in-a-window", test_window);
  return g_test_run ();
}
