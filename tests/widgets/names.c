// SPDX-License-Identifier: MIT
// Names that are hidden stand nowhere in any window of the program: in no label, tooltip,
// title, entry, menu or description for screen readers.
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/memory.h"
#include "source/array.h"
#include "widgets/failure_page.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

// In the names of the folder and of all files.
#define SECRET "Geheimnis"

static void
search_text (const char *text, const void *owner, int *found)
{
  if (!text || !strstr (text, SECRET))
    return;
  g_test_message ("%s: “%s”", G_OBJECT_TYPE_NAME (owner), text);
  ++*found;
}

static void
search_menu (GMenuModel *menu, int *found)
{
  const int n = menu ? g_menu_model_get_n_items (menu) : 0;
  for (int i = 0; i < n; i++) {
    static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };
    g_autofree char *label = NULL;
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
      search_text (label, menu, found);
    for (size_t k = 0; k < G_N_ELEMENTS (links); k++) {
      g_autoptr (GMenuModel) inner = g_menu_model_get_item_link (menu, i, links[k]);
      search_menu (inner, found);
    }
  }
}

// All that a person may come to read, whether it is visible now or not; but a tooltip
// that is hidden gets its words anew before it is shown again.
static void
search (GtkWidget *widget, int *found)
{
  static const char *const properties[]
      = { "label", "text", "title", "subtitle", "tooltip-text", "body" };
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkTooltipWindow")
      && !gtk_widget_get_mapped (widget))
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (properties); i++) {
    GParamSpec *spec
        = g_object_class_find_property (G_OBJECT_GET_CLASS (widget), properties[i]);
    g_autofree char *text = NULL;
    if (spec && spec->value_type == G_TYPE_STRING)
      g_object_get (widget, properties[i], &text, NULL);
    search_text (text, widget, found);
  }
  // What the check says of a label that is not this one has it in quotes.
  g_autofree char *said = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, "none", NULL);
  search_text (said, widget, found);
  if (ADW_IS_SPLIT_BUTTON (widget))
    search_menu (adw_split_button_get_menu_model (ADW_SPLIT_BUTTON (widget)), found);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    search (child, found);
}

// How often a name is to be read in all windows.
static int
count_names (Fixture *fixture)
{
  int found = 0;
  run_cycles (fixture, 3);
  search_text (fixture->viewport->badge.key, fixture->viewport, &found);
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    search (at->data, &found);
  return found;
}

static char *
in_folder (Fixture *fixture, const char *name)
{
  g_autofree char *folder = g_build_filename (fixture->folder, SECRET "^Otto", NULL);
  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (SECRET "^Otto", name, NULL);
}

static char *
write_picture (Fixture *fixture, const char *name)
{
  g_autofree char *inside = in_folder (fixture, name);
  return write_png (fixture, inside, 40, 30, false);
}

static char *
write_broken (Fixture *fixture, const char *name)
{
  g_autofree char *inside = in_folder (fixture, name);
  char *path = g_build_filename (fixture->folder, inside, NULL);
  g_assert_true (g_file_set_contents (path, "this is no picture", -1, NULL));
  return path;
}

static bool
lists (Fixture *fixture, const void *label)
{
  return has_label (GTK_WIDGET (odl_main_window_parts (fixture->window)->source_panel),
                    label);
}

static bool
is_failed (Fixture *fixture, const void *data)
{
  return odl_page_covers (odl_main_window_parts (fixture->window)->page);
}

static void
assert_title (Fixture *fixture, const char *title)
{
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), ==, title);
}

static void
test_everywhere (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, SECRET "A.png");
  g_autofree char *other = write_picture (fixture, SECRET "B.png");
  g_autofree char *broken = write_broken (fixture, SECRET "C.png");
  g_autofree char *mixed = g_strdup_printf ("mix:with=\"%s\",weight=0.5", other);
  odl_settings_set_boolean (fixture->settings, "remember-recent", TRUE);
  open_and_wait (fixture, path);
  set_filters (fixture, mixed);
  wait_until (fixture, lists, SECRET "B");
  activate (fixture, "properties", NULL);
  // Titles, list, menu of recent files, the filter's picture, properties, description.
  g_assert_cmpint (count_names (fixture), >=, 10);

  activate (fixture, "mask-names", NULL);
  g_assert_cmpint (count_names (fixture), ==, 0);
  assert_title (fixture, "Ondelette — Name hidden");
  g_assert_true (lists (fixture, "File 2"));

  // What cannot be opened, and the notice of what failed.
  odl_main_window_open (fixture->window, broken, NULL);
  wait_until (fixture, is_failed, NULL);
  g_assert_cmpint (count_names (fixture), ==, 0);
  activate (fixture, "mask-names", NULL);
  g_assert_cmpint (count_names (fixture), >=, 10);
  g_assert_true (has_label (
      GTK_WIDGET (find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_FAILURE_PAGE)),
      SECRET "C.png"));
  activate (fixture, "mask-names", NULL);
  g_assert_cmpint (count_names (fixture), ==, 0);
  odl_main_window_open (fixture->window, other, NULL);
  settle (fixture);
  g_autofree char *missing = g_strconcat (other, ".png", NULL);
  set_filters (fixture, "");
  g_autofree char *message
      = g_strdup_printf ("Cannot open " SECRET "B.png: %s is gone", missing);
  odl_messages_say (odl_main_window_parts (fixture->window)->messages, message);
  g_assert_cmpint (count_names (fixture), ==, 0);
  g_assert_cmpstr (odl_messages_last (odl_main_window_parts (fixture->window)->messages),
                   ==, "Cannot open (name hidden): (name hidden).png is gone");

  activate (fixture, "mask-names", NULL);
  assert_title (fixture, "Ondelette — " SECRET "B.png");
  g_assert_true (lists (fixture, SECRET "A"));
  // What was said stays as it was.
  g_assert_nonnull (strstr (
      odl_messages_last (odl_main_window_parts (fixture->window)->messages), "hidden"));
  odl_files_forget_recent (odl_main_window_parts (fixture->window)->files);
}

// A notice that names something goes when names are hidden.
static void
test_notices (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, SECRET ".png");
  OdlMessages *messages = odl_main_window_parts (fixture->window)->messages;
  open_and_wait (fixture, path);
  odl_messages_say (messages, "Saved “" SECRET ".png”");
  odl_messages_say (messages, "Picture copied");
  g_assert_cmpuint (odl_messages_waiting (messages)->len, ==, 2);
  activate (fixture, "mask-names", NULL);
  g_assert_cmpuint (odl_messages_waiting (messages)->len, ==, 1);
}

// What is saved has neither the name nor, in its texts, that of another picture.
static void
test_saved (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, SECRET ".png");
  g_autofree char *other = write_picture (fixture, SECRET "B.png");
  g_autofree char *mixed = g_strdup_printf ("mix:with=\"%s\",weight=0.5", other);
  g_autofree char *out = g_build_filename (fixture->folder, "out.png", NULL);
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  open_and_wait (fixture, path);
  set_filters (fixture, mixed);
  for (int hidden = 0; hidden < 2; hidden++) {
    g_autofree char *name = odl_files_save_name (parts, ".png");
    g_autoptr (GFile) folder = odl_files_save_folder (parts);
    g_assert_cmpstr (name, ==,
                     hidden ? "picture-processed.png" : SECRET "-processed.png");
    // Without any folder GTK's chooser would list recent files.
    g_autofree char *beside = g_path_get_dirname (path);
    g_assert_cmpstr (g_file_peek_path (folder), ==, hidden ? g_get_home_dir () : beside);
    g_unlink (out);
    activate_with_text (fixture, "save-to", out);
    wait_until (fixture, has_toast, hidden ? "Saved “Name hidden”" : "Saved “out.png”");
    g_autofree char *bytes = NULL;
    gsize size;
    g_assert_true (g_file_get_contents (out, &bytes, &size, NULL));
    g_assert_true ((memmem (bytes, size, SECRET, strlen (SECRET)) == NULL)
                   == (hidden == 1));
    activate (fixture, "mask-names", NULL);
  }
}

static bool
is_written (Fixture *fixture, const void *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS)
         && has_toast (fixture, "Exported “Name hidden”");
}

// Nor have exported frames, whose strip and texts name the filters.
static void
test_exported (Fixture *fixture, const void *data)
{
  g_free (write_picture (fixture, SECRET "1.png"));
  g_free (write_picture (fixture, SECRET "2.png"));
  g_autofree char *other = write_picture (fixture, "other" SECRET ".png");
  g_autofree char *folder = g_path_get_dirname (other);
  g_autofree char *location = g_strconcat ("sequence:", folder, NULL);
  g_autofree char *mixed = g_strdup_printf ("mix:with=\"%s\",weight=0.5", other);
  open_and_wait (fixture, location);
  set_filters (fixture, mixed);
  activate (fixture, "mask-names", NULL);
  g_assert_cmpint (count_names (fixture), ==, 0);
  g_autofree char *pattern = g_build_filename (fixture->folder, "out-%d.png", NULL);
  g_autofree char *first = g_build_filename (fixture->folder, "out-1.png", NULL);
  activate_with_text (fixture, "export-to", pattern);
  wait_until (fixture, is_written, first);
  g_autofree char *bytes = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (first, &bytes, &size, NULL));
  g_assert_null (memmem (bytes, size, SECRET, strlen (SECRET)));
  g_assert_nonnull (memmem (bytes, size, "(name hidden)", 13));
}

static bool
tells (Fixture *fixture, const void *part)
{
  return has_label (
      odl_window_child (odl_main_window_parts (fixture->window), "show_box"), part);
}

static void
test_presented (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_picture (fixture, SECRET ".png");
  const char *const locations[] = { path, NULL };
  present (fixture, locations, "median", 60);
  wait_until (fixture, tells, SECRET);
  activate (fixture, "mask-names", NULL);
  wait_until (fixture, tells, "Name hidden");
  g_assert_cmpint (count_names (fixture), ==, 0);
}

// What a program of the user's calls its array may be a person's name, too.
static void
test_array (Fixture *fixture, const void *data)
{
  const OdlArrayShape shape
      = { .type = ODL_SAMPLE_F32, .width = 32, .height = 24, .channels = 1, .frames = 1 };
  float *samples = odl_aligned_alloc (32 * 24 * sizeof *samples);
  memset (samples, 0, 32 * 24 * sizeof *samples);
  g_autoptr (OdlArray) array = odl_array_new (&shape, samples);
  odl_array_put ("array:" SECRET "^Otto", array);
  open_and_wait (fixture, "array:" SECRET "^Otto");
  activate (fixture, "properties", NULL);
  g_assert_cmpint (count_names (fixture), >=, 2);
  activate (fixture, "mask-names", NULL);
  g_assert_cmpint (count_names (fixture), ==, 0);
  assert_title (fixture, "Ondelette — Name hidden");
  g_autofree char *said
      = odl_names_in_text (odl_names_of (fixture->session), SECRET "^Otto has failed");
  g_assert_cmpstr (said, ==, "(name hidden) has failed");
  g_autofree char *name
      = odl_files_save_name (odl_main_window_parts (fixture->window), ".png");
  g_assert_null (strstr (name, SECRET));
}

// Phantoms and cameras are no secret.
static void
test_phantom (Fixture *fixture, const void *data)
{
  open_and_wait (fixture, "phantom:64x64");
  g_autofree char *before
      = g_strdup (gtk_window_get_title (GTK_WINDOW (fixture->window)));
  activate (fixture, "mask-names", NULL);
  assert_title (fixture, before);
  g_assert_true (lists (fixture, "Ultrasound phantom"));
}

// Numbered pictures that are opened as a volume have two words before their path.
static void
test_prefixes (Fixture *fixture, const void *data)
{
  OdlNames *names = odl_names_of (fixture->session);
  odl_names_set_hidden (names, true);
  odl_session_open (fixture->session, "volume:sequence:/nowhere/" SECRET "/a001.png",
                    NULL);
  g_autofree char *text
      = odl_names_in_text (names, "There is nothing at /nowhere/" SECRET "/a001.png");
  g_assert_null (strstr (text, SECRET));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/names/hidden-names-stand-nowhere", test_everywhere);
  ADD ("/names/notices-with-names-go", test_notices);
  ADD ("/names/what-is-saved-has-none", test_saved);
  ADD ("/names/none-is-exported", test_exported);
  ADD ("/names/none-is-presented", test_presented);
  ADD ("/names/those-of-arrays-are-hidden", test_array);
  ADD ("/names/phantoms-keep-theirs", test_phantom);
  ADD ("/names/paths-behind-several-prefixes", test_prefixes);
  return g_test_run ();
}
