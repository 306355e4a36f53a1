// SPDX-License-Identifier: MIT
// A walk by keys alone, pressed on the X server as a keyboard would: from the folder of a
// CD to a picture that is measured, compared, filtered, exported and de-identified, and
// that other programs open. tests/README.md has its keys.
#include <adwaita.h>
#include <gdk/x11/gdkx.h>
#include <string.h>

#include "../helpers/test_data.h"
#include "support/keyboard.h"
#include "support/support.h"

#include "widgets/window/parts.h"

// ---- what is waited for --------------------------------------------------------------

static GtkWindow *
find_window (GType type, const char *title)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (G_TYPE_CHECK_INSTANCE_TYPE (at->data, type) && gtk_widget_get_mapped (at->data)
        && (!title || g_strcmp0 (gtk_window_get_title (at->data), title) == 0))
      return at->data;
  return NULL;
}

static bool
has_chooser (Fixture *fixture, const void *data)
{
  return find_window (GTK_TYPE_FILE_CHOOSER_DIALOG, NULL) != NULL;
}

static bool
has_no_chooser (Fixture *fixture, const void *data)
{
  return !has_chooser (fixture, data);
}

static bool
has_window (Fixture *fixture, const void *title)
{
  return find_window (GTK_TYPE_WINDOW, title) != NULL;
}

static bool
ends_so (Fixture *fixture, const void *ending)
{
  const char *location = odl_session_info (fixture->session)->location;
  return location && g_str_has_suffix (location, ending)
         && odl_session_frame (fixture->session);
}

static bool
is_off (Fixture *fixture, const void *action)
{
  return !is_on (fixture, action);
}

static bool
has_filters (Fixture *fixture, const void *data)
{
  return odl_session_recipe (fixture->session)->n_items > 0;
}

static bool
has_measured (Fixture *fixture, const void *n)
{
  return odl_annotations_count (odl_session_annotations (fixture->session))
         == GPOINTER_TO_INT (n);
}

static bool
has_lung (Fixture *fixture, const void *data)
{
  double centre, width;
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  return centre == -600 && width == 1500;
}

static bool
exists (Fixture *fixture, const void *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static bool
has_menu (Fixture *fixture, const void *button)
{
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (button));
  return popover && gtk_widget_get_mapped (GTK_WIDGET (popover));
}

// The focus is in a widget of that type, or that says this.
typedef struct {
  GtkWindow *window;
  GType type;
  const char *label; // of a button; NULL: any
} Wanted;

static bool
has_focus (Fixture *fixture, const void *data)
{
  const Wanted *wanted = data;
  GtkWidget *widget = gtk_window_get_focus (wanted->window);
  while (widget && !G_TYPE_CHECK_INSTANCE_TYPE (widget, wanted->type))
    widget = gtk_widget_get_parent (widget);
  return widget
         && (!wanted->label
             || g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), wanted->label)
                    == 0);
}

static void
tab_to (Fixture *fixture, const char *key, const Wanted *wanted)
{
  for (int i = 0; !has_focus (fixture, wanted); i++) {
    g_assert_cmpint (i, <, 20);
    GtkWidget *before = gtk_window_get_focus (wanted->window);
    press_key (key);
    while (gtk_window_get_focus (wanted->window) == before)
      g_main_context_iteration (NULL, TRUE);
  }
}

static bool
is_sensitive (Fixture *fixture, const void *widget)
{
  return gtk_widget_is_sensitive (GTK_WIDGET (widget));
}

static bool
is_labelled (GtkWidget *widget, const void *label)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

// ---- the way -------------------------------------------------------------------------

// A CD: pictures with names of eight letters, and their table.
static char *
make_cd (Fixture *fixture)
{
  g_autofree char *cd = g_build_filename (fixture->folder, "cd", NULL);
  static const char *const sources[]
      = { "dicom-test-files/REF/CT1_UNC", "dicom-test-files/REF/MR4_UNC" };
  static const char *const names[] = { "CT01", "MR01" };
  g_autofree char *name = g_build_filename (cd, "DICOMDIR", NULL);
  g_mkdir_with_parents (cd, 0700);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *from = odl_test_data (sources[i]);
    g_autofree char *to = g_build_filename (cd, names[i], NULL);
    g_autofree char *bytes = NULL;
    gsize n;
    if (from == NULL)
      return NULL;
    g_assert_true (g_file_get_contents (from, &bytes, &n, NULL));
    g_assert_true (g_file_set_contents (to, bytes, (gssize) n, NULL));
  }
  const char *const command[] = { "dcmmkdir", "+r", "+I", "+id", cd, "+D", name, NULL };
  g_free (run_program (command, NULL));
  g_assert_true (g_file_test (name, G_FILE_TEST_EXISTS));
  return g_steal_pointer (&cd);
}

static void
choose_file (Fixture *fixture, const char *path)
{
  wait_until (fixture, has_chooser, NULL);
  focus_window (fixture, find_window (GTK_TYPE_FILE_CHOOSER_DIALOG, NULL));
  press_key ("ctrl+a");
  type_text (path);
  press_key ("Return");
  wait_until (fixture, has_no_chooser, NULL);
}

static void
open_disc (Fixture *fixture, const char *cd)
{
  g_autofree char *table = g_build_filename (cd, "DICOMDIR", NULL);
  focus_window (fixture, GTK_WINDOW (fixture->window));
  press_key ("ctrl+o");
  choose_file (fixture, table);
  wait_until (fixture, ends_so, "/CT01");
  focus_window (fixture, GTK_WINDOW (fixture->window));
  press_key ("Right"); // the next patient
  wait_until (fixture, ends_so, "/MR01");
  press_key ("Left");
  wait_until (fixture, ends_so, "/CT01");
  settle (fixture);
  g_assert_true (is_off (fixture, "show-filters"));
}

static void
look (Fixture *fixture)
{
  press_key ("alt+3");
  wait_until (fixture, has_lung, NULL);
  press_key ("m"); // a length, from the cross to where it goes
  wait_until (fixture, is_on, "measure");
  for (int i = 0; i < 3; i++)
    press_key ("shift+Left");
  press_key ("Return");
  for (int i = 0; i < 5; i++)
    press_key ("shift+Right");
  press_key ("Return");
  wait_until (fixture, has_measured, GINT_TO_POINTER (1));
  press_key ("Escape");
  wait_until (fixture, is_off, "measure");
}

static void
filter_and_compare (Fixture *fixture)
{
  GtkWindow *window = GTK_WINDOW (fixture->window);
  const Wanted presets = { window, ODL_TYPE_PRESET_BAR, NULL };
  press_key ("shift+F9");
  wait_until (fixture, is_on, "show-filters");
  tab_to (fixture, "Tab", &presets);
  press_key ("Return");
  wait_until (fixture, has_menu,
              find_widget (GTK_WIDGET (odl_filter_panel_presets (
                               odl_main_window_parts (fixture->window)->filter_panel)),
                           GTK_TYPE_MENU_BUTTON));
  press_key ("Down");
  press_key ("Return");
  wait_until (fixture, has_filters, NULL);
  settle (fixture);
  press_key ("b"); // beside the original, and back
  wait_until (fixture, is_on, "beside");
  press_key ("b");
  wait_until (fixture, is_off, "beside");
}

static void export(Fixture *fixture, const char *path)
{
  press_key ("ctrl+shift+s");
  wait_until (fixture, has_window, "Save as DICOM");
  GtkWindow *dialog = find_window (GTK_TYPE_WINDOW, "Save as DICOM");
  GtkWidget *save = find_where (GTK_WIDGET (dialog), is_labelled, "_Save…");
  const Wanted hide = { dialog, GTK_TYPE_SWITCH, NULL };
  const Wanted done = { dialog, GTK_TYPE_BUTTON, "_Save…" };
  g_assert_nonnull (save);
  focus_window (fixture, dialog);
  wait_until (fixture, is_sensitive, save);
  tab_to (fixture, "Tab", &hide); // who the patient is
  press_key ("space");
  while (!gtk_switch_get_active (GTK_SWITCH (gtk_window_get_focus (dialog))))
    g_main_context_iteration (NULL, TRUE);
  // The list of what the file will tell is made anew first.
  wait_until (fixture, is_sensitive, save);
  tab_to (fixture, "shift+Tab", &done);
  press_key ("Return");
  choose_file (fixture, path);
  wait_until (fixture, exists, path);
  wait_until (fixture, has_toast, "Saved “");
}

// ---- what others say about it --------------------------------------------------------

static void
assert_others_open_it (const char *path)
{
  const char *const dump[] = { "dcmdump", path, NULL };
  const char *const info[] = { "gdcminfo", path, NULL };
  g_autofree char *header = run_program (dump, NULL);
  g_autofree char *seen = run_program (info, NULL);
  g_assert_nonnull (strstr (header, "DERIVED\\SECONDARY"));
  g_assert_nonnull (strstr (header, "(0012,0062) CS [YES]"));
  g_assert_nonnull (strstr (header, "DerivationDescription"));
  g_assert_null (strstr (header, "CompressedSamples"));
  g_assert_nonnull (strstr (seen, "CT Image Storage"));
  g_assert_nonnull (strstr (seen, "(512,512"));
}

// "Error - …" lines of dciodvfy.
static GHashTable *
errors_of (const char *path)
{
  const char *const command[] = { "dciodvfy", path, NULL };
  g_autofree char *told = NULL;
  g_free (run_program (command, &told));
  g_auto (GStrv) lines = g_strsplit (told, "\n", -1);
  GHashTable *errors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (int i = 0; lines[i]; i++)
    if (g_str_has_prefix (lines[i], "Error"))
      g_hash_table_add (errors, g_strdup (lines[i]));
  return errors;
}

static void
assert_no_new_errors (const char *path, const char *source)
{
  g_autoptr (GHashTable) before = errors_of (source);
  g_autoptr (GHashTable) after = errors_of (path);
  GHashTableIter iter;
  void *line;
  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, &line, NULL)) {
    g_test_message ("%s", (char *) line);
    g_assert_true (g_hash_table_contains (before, line));
  }
}

static void
test_walk (Fixture *fixture, const void *data)
{
  g_autofree char *tool = g_find_program_in_path ("xdotool");
  if (!tool) {
    g_test_skip ("xdotool is not installed");
    return;
  }
  g_autofree char *cd = make_cd (fixture);
  if (!cd)
    return;
  g_autofree char *out = g_build_filename (fixture->folder, "out.dcm", NULL);
  g_autofree char *source = g_build_filename (cd, "CT01", NULL);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1100, 700);
  open_disc (fixture, cd);
  look (fixture);
  filter_and_compare (fixture);
  export(fixture, out);
  assert_others_open_it (out);
  assert_no_new_errors (out, source);
}

// ---- a pointer that jumps ------------------------------------------------------------

static gboolean
mapped_cb (GSignalInvocationHint *hint, guint n, const GValue *values, void *tip)
{
  GtkWidget *widget = g_value_get_object (values);
  if (g_str_equal (gtk_widget_get_css_name (widget), "tooltip"))
    g_set_weak_pointer ((GtkWidget **) tip, widget);
  return TRUE;
}

static bool
is_there (Fixture *fixture, const void *tip)
{
  return *(GtkWidget *const *) tip != NULL;
}

static bool
is_gone (Fixture *fixture, const void *tip)
{
  return !is_there (fixture, tip);
}

// In the window's surface; then `click` the first button: "mousedown", "mouseup" or NULL.
static void
point_to (Fixture *fixture, double x, double y, const char *click)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (fixture->window));
  g_autofree char *id
      = g_strdup_printf ("%lu", (gulong) gdk_x11_surface_get_xid (surface));
  g_autofree char *across = g_strdup_printf ("%.0f", x);
  g_autofree char *down = g_strdup_printf ("%.0f", y);
  const char *const command[]
      = { "xdotool", "mousemove", "--window", id, across, down, click, "1", NULL };
  g_free (run_program (command, NULL));
  run_cycles (fixture, 2);
}

// GTK 4.8 would go on telling the tooltip what the pointer does, when it has been freed.
static void
test_tooltips_let_through (Fixture *fixture, const void *data)
{
  g_autofree char *tool = g_find_program_in_path ("xdotool");
  if (!tool) {
    g_test_skip ("xdotool is not installed");
    return;
  }
  GtkWidget *tip = NULL;
  const guint signal = g_signal_lookup ("map", GTK_TYPE_WIDGET);
  const gulong hook = g_signal_add_emission_hook (signal, 0, mapped_cb, &tip, NULL);
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  GtkWidget *header = find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_HEADER_BAR);
  GtkWidget *button = find_widget (header, GTK_TYPE_TOGGLE_BUTTON);
  graphene_rect_t bounds;
  double dx, dy;
  g_assert_true (
      gtk_widget_compute_bounds (button, GTK_WIDGET (fixture->window), &bounds));
  gtk_native_get_surface_transform (GTK_NATIVE (fixture->window), &dx, &dy);
  const double x = dx + bounds.origin.x + bounds.size.width / 2;
  const double y = dy + bounds.origin.y + bounds.size.height / 2;
  focus_window (fixture, GTK_WINDOW (fixture->window));
  point_to (fixture, x, y, NULL);
  point_to (fixture, x + 1, y, NULL);
  wait_until (fixture, is_there, &tip);
  GdkPopup *popup = GDK_POPUP (gtk_native_get_surface (GTK_NATIVE (tip)));
  const int left = gdk_popup_get_position_x (popup),
            top = gdk_popup_get_position_y (popup);
  g_test_message ("a tooltip at %d, %d, the pointer at %g, %g", left, top, x, y);
  point_to (fixture, left + 10, top + 10, "mousedown");
  point_to (fixture, left + 11, top + 10, NULL);
  wait_until (fixture, is_gone, &tip);
  point_to (fixture, left + 12, top + 12, NULL);
  point_to (fixture, left + 13, top + 12, "mouseup");
  point_to (fixture, left + 14, top + 12, NULL);
  g_signal_remove_emission_hook (signal, hook);
  g_clear_weak_pointer (&tip);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/walk/by-keys-from-a-disc-to-a-file-without-names", test_walk);
  ADD ("/walk/tooltips-let-the-pointer-through", test_tooltips_let_through);
  return g_test_run ();
}
