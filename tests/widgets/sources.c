// SPDX-License-Identifier: MIT
// The list of sources in the real window, on a folder of many pictures.
#include "../helpers/test_data.h"
#include "support/support.h"

#include "widgets/panels/sources/source_item.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/window/parts.h"

// More than the list makes rows for at once.
#define FILES 400

// There is room for so many rows, whatever the style.
#define SEEN 3
#define SEEN_AT_END 2 // before those that stand behind the files

static GListModel *
model_of (Fixture *fixture)
{
  return G_LIST_MODEL (gtk_list_view_get_model (source_list (fixture)));
}

static bool
has_all_rows (Fixture *fixture, const void *data)
{
  return g_list_model_get_n_items (model_of (fixture)) == FILES + ROWS_BEHIND;
}

static bool
has_picture (Fixture *fixture, const void *row)
{
  g_autoptr (OdlSourceItem) item
      = g_list_model_get_item (model_of (fixture), *(const guint *) row);
  return odl_source_item_thumbnail (item) != NULL;
}

static void
open_folder (Fixture *fixture)
{
  g_autofree char *first = write_png (fixture, "picture0.png", 64, 48, false);
  for (int i = 1; i < FILES; i++) {
    g_autofree char *name = g_strdup_printf ("picture%d.png", i);
    g_free (write_png (fixture, name, 64, 48, false));
  }
  open_and_wait (fixture, first);
  wait_until (fixture, has_all_rows, NULL);
}

// However many rows the list makes beyond what is on screen, and wherever it is.
static void
test_what_is_seen_has_pictures (Fixture *fixture, const void *data)
{
  open_folder (fixture);
  for (guint row = 0; row < SEEN; row++)
    wait_until (fixture, has_picture, &row);
  GtkAdjustment *place
      = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (source_list (fixture)));
  gtk_adjustment_set_value (place, gtk_adjustment_get_upper (place));
  for (guint row = FILES - SEEN_AT_END; row < FILES; row++)
    wait_until (fixture, has_picture, &row);
  // What nobody has seen has cost nothing.
  const guint between = FILES / 2;
  g_assert_false (has_picture (fixture, &between));
}

static bool
shows_row (Fixture *fixture, const void *row)
{
  GtkAdjustment *place
      = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (source_list (fixture)));
  const double high = gtk_adjustment_get_upper (place) / (FILES + ROWS_BEHIND);
  const double top = *(const guint *) row * high - gtk_adjustment_get_value (place);
  return top > -1 && top + high < gtk_adjustment_get_page_size (place) + 1;
}

// What is open is on screen, from wherever it was opened.
static void
test_follows_the_file (Fixture *fixture, const void *data)
{
  open_folder (fixture);
  guint row = FILES / 2;
  g_autofree char *name = g_strdup_printf ("picture%d.png", FILES / 2);
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_assert_false (shows_row (fixture, &row));
  open_and_wait (fixture, path);
  wait_until (fixture, shows_row, &row);
  // Key by key as well.
  for (int i = 0; i < 10; i++) {
    row++;
    activate (fixture, "step-file", "1");
    settle (fixture);
    wait_until (fixture, shows_row, &row);
  }
}

// Also when the first file of all is far down in a folder that is listed only then.
static void
test_begins_at_the_file (Fixture *fixture, const void *data)
{
  for (int i = 0; i < FILES; i++) {
    g_autofree char *name = g_strdup_printf ("picture%d.png", i);
    g_free (write_png (fixture, name, 64, 48, false));
  }
  const guint row = FILES * 3 / 4;
  g_autofree char *name = g_strdup_printf ("picture%d.png", FILES * 3 / 4);
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  open_and_wait (fixture, path);
  wait_until (fixture, has_all_rows, NULL);
  wait_until (fixture, shows_row, &row);
  // And stays there when the rows have got their pictures.
  settle (fixture);
  wait_until (fixture, has_picture, &row);
  g_assert_true (shows_row (fixture, &row));
}

static bool
has_files (Fixture *fixture, const void *n)
{
  return g_list_model_get_n_items (model_of (fixture))
         == *(const guint *) n + ROWS_BEHIND;
}

// A file that is chosen while its folder is still being listed stays, and what was being
// opened before the folder was chosen does not come instead of it.
static void
test_last_choice_wins (Fixture *fixture, const void *data)
{
  const guint n = 2;
  g_autofree char *first = write_png (fixture, "1.png", 64, 48, false);
  g_autofree char *second = write_png (fixture, "2.png", 64, 48, false);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  odl_main_window_open (fixture->window, second, NULL);
  wait_until (fixture, has_files, &n);
  settle (fixture);
  g_assert_true (has_location (fixture, second));
  odl_main_window_open (fixture->window, ODL_PHANTOM_LOCATION, NULL);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, first);
  settle (fixture);
  g_assert_true (has_location (fixture, first));
}

// All phantoms are in the list, and what is open is marked there.
static void
test_phantoms (Fixture *fixture, const void *data)
{
  static const char *const phantoms[] = { ODL_PHANTOM_LOCATION, ODL_BEAMS_LOCATION,
                                          ODL_XRAY_LOCATION, ODL_FACE_LOCATION };
  for (guint i = 0; i < G_N_ELEMENTS (phantoms); i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (model_of (fixture), i);
    g_assert_cmpstr (odl_source_item_location (item), ==, phantoms[i]);
  }
  activate (fixture, "open-xray", NULL);
  wait_until (fixture, has_location, ODL_XRAY_LOCATION);
  activate (fixture, "open-face", NULL);
  wait_until (fixture, has_location, ODL_FACE_LOCATION);
  g_assert_true (gtk_selection_model_is_selected (
      GTK_SELECTION_MODEL (model_of (fixture)), G_N_ELEMENTS (phantoms) - 1));
}

// A file whose frames are taken for slices is still the one that is marked.
static void
test_volume_is_marked (Fixture *fixture, const void *data)
{
  g_autofree char *path = odl_test_data ("pydicom-data/emri_small.dcm");
  if (path == NULL)
    return;
  g_autofree char *volume = g_strconcat ("volume:", path, NULL);
  open_and_wait (fixture, path);
  activate (fixture, "as-volume", NULL);
  wait_until (fixture, has_location, volume);
  settle (fixture);
  const guint row = odl_source_item_find (model_of (fixture), path);
  g_assert_cmpuint (row, !=, GTK_INVALID_LIST_POSITION);
  g_assert_true (
      gtk_selection_model_is_selected (GTK_SELECTION_MODEL (model_of (fixture)), row));
}

static bool
has_large_picture (Fixture *fixture, const void *row)
{
  g_autoptr (OdlSourceItem) item
      = g_list_model_get_item (model_of (fixture), *(const guint *) row);
  GdkTexture *texture = odl_source_item_thumbnail (item);
  return texture && gdk_texture_get_width (texture) == 320;
}

static bool
press_on (GtkWidget *widget, guint key)
{
  gboolean handled = FALSE;
  g_signal_emit_by_name (controller_of (widget, GTK_TYPE_EVENT_CONTROLLER_KEY),
                         "key-pressed", key, 0, 0, &handled);
  return handled;
}

// The slider below the list makes them anew where they become larger, and the edge of the
// panel obeys the arrow keys; both are kept.
static void
test_sizes (Fixture *fixture, const void *data)
{
  const guint row = 0;
  GtkWidget *panel = GTK_WIDGET (odl_main_window_parts (fixture->window)->source_panel);
  GtkWidget *edge
      = odl_window_child (odl_main_window_parts (fixture->window), "sources_edge");
  g_autofree char *path = write_png (fixture, "large.png", 400, 300, false);
  open_and_wait (fixture, path);
  wait_until (fixture, has_picture, &row);
  g_assert_false (has_large_picture (fixture, &row));
  GtkRange *slider = GTK_RANGE (find_widget (panel, GTK_TYPE_SCALE));
  gtk_range_set_value (slider, 163); // in steps of 16
  wait_until (fixture, has_large_picture, &row);
  g_assert_cmpint (odl_settings_get_int (fixture->settings, "thumbnail-side"), ==, 160);
  const int before = gtk_widget_get_width (panel);
  for (int i = 0; i < 2; i++)
    g_assert_true (press_on (edge, GDK_KEY_Right));
  settle (fixture);
  g_assert_cmpint (gtk_widget_get_width (panel), ==, before + 40);
  g_assert_cmpint (odl_settings_get_int (fixture->settings, "sources-width"), ==,
                   before + 40);
  for (int i = 0; i < 9; i++)
    g_assert_true (press_on (edge, GDK_KEY_Left));
  settle (fixture);
  g_assert_cmpint (gtk_widget_get_width (panel), ==, 210);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/sources/what-is-seen-has-pictures", test_what_is_seen_has_pictures);
  ADD ("/sources/the-list-follows-the-file", test_follows_the_file);
  ADD ("/sources/the-list-begins-at-the-file", test_begins_at_the_file);
  ADD ("/sources/what-was-chosen-last-is-opened", test_last_choice_wins);
  ADD ("/sources/the-phantoms-are-listed", test_phantoms);
  ADD ("/sources/a-file-taken-for-a-volume-is-marked", test_volume_is_marked);
  ADD ("/sources/pictures-and-the-panel-have-the-size-that-is-chosen", test_sizes);
  return g_test_run ();
}
