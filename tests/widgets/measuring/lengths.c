// SPDX-License-Identifier: MIT
// Lengths measured in the real window, by pointer and by keys, and seen in its pictures.
#include <math.h>
#include <string.h>

#include "../../helpers/test_data.h"
#include "support/annotating.h"
#include "widgets/viewport/drawing.h"
#include "widgets/viewport/tools/mouse.h"
#include "widgets/window/parts.h"
#include "widgets/windows/mouse_group.h"

#define WIDTH 211
#define HEIGHT 157

static void
use_lengths (Fixture *fixture)
{
  if (!g_str_equal (odl_viewport_tool (fixture->viewport), "length"))
    activate_and_settle (fixture, "tool", "'length'");
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "length");
}

static GBytes *
grab (Fixture *fixture, int *width)
{
  int height;
  settle (fixture);
  return odl_viewport_grab (fixture->viewport, width, &height);
}

// Brightest byte within a pixel of a place of the canvas, and the darkest within three.
static void
look (GBytes *rgba, int width, OdlPoint at, int *brightest, int *darkest)
{
  const guint8 *bytes = g_bytes_get_data (rgba, NULL);
  *brightest = 0;
  *darkest = 255;
  for (int dy = -3; dy <= 3; dy++)
    for (int dx = -3; dx <= 3; dx++) {
      const int x = (int) at.x + dx, y = (int) at.y + dy;
      const int green = bytes[((size_t) y * width + x) * 4 + 1];
      if (abs (dx) <= 1 && abs (dy) <= 1)
        *brightest = MAX (*brightest, green);
      *darkest = MIN (*darkest, green);
    }
}

static void
assert_line (GBytes *rgba, int width, OdlPoint at, bool is_there)
{
  int brightest, darkest;
  look (rgba, width, at, &brightest, &darkest);
  g_test_message ("%g, %g: %d, %d", at.x, at.y, brightest, darkest);
  g_assert_cmpint (brightest > 200 && darkest < 100, ==, is_there);
}

// Yellow, not white, near a place of the canvas.
static bool
is_marked (GBytes *rgba, int width, OdlPoint at)
{
  const guint8 *bytes = g_bytes_get_data (rgba, NULL);
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      const int x = (int) at.x + dx, y = (int) at.y + dy;
      const guint8 *pixel = bytes + ((size_t) y * width + x) * 4;
      if (pixel[0] > 150 && pixel[2] < pixel[0] / 2)
        return true;
    }
  return false;
}

// A picture of one grey level, in which a line stands out on bright and on dark.
static char *
write_flat (Fixture *fixture, const char *name, int level)
{
  g_autoptr (GdkPixbuf) pixbuf
      = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, WIDTH, HEIGHT);
  g_autoptr (GError) error = NULL;
  gdk_pixbuf_fill (pixbuf, (guint32) level * 0x01010100u + 255);
  char *path = g_build_filename (fixture->folder, name, NULL);
  gdk_pixbuf_save (pixbuf, path, "png", &error, NULL);
  g_assert_no_error (error);
  return path;
}

// White with a dark edge is seen on white and on black, and gone after undo.
static void
test_pointer (Fixture *fixture, const void *data)
{
  static const int levels[] = { 0, 255 };
  for (size_t i = 0; i < G_N_ELEMENTS (levels); i++) {
    g_autofree char *name = g_strdup_printf ("%d.png", levels[i]);
    g_autofree char *path = write_flat (fixture, name, levels[i]);
    int width;
    open_and_wait (fixture, path);
    use_lengths (fixture);
    g_autoptr (GBytes) before = grab (fixture, &width);
    drag (fixture, (OdlPoint){ 20, 40 }, (OdlPoint){ 80, 120 });
    g_assert_cmpint (count (fixture), ==, 1);
    assert_last_text (fixture, "100.0 px");
    const OdlPoint middle = on_widget (fixture, 50, 80);
    g_autoptr (GBytes) after = grab (fixture, &width);
    assert_line (after, width, middle, true);
    g_assert_true (is_marked (after, width, middle)); // the new one
    drag (fixture, (OdlPoint){ 150, 30 }, (OdlPoint){ 150, 30 });
    g_autoptr (GBytes) plain = grab (fixture, &width);
    assert_line (plain, width, middle, true);
    g_assert_false (is_marked (plain, width, middle));
    // That was a click, which makes no line.
    g_assert_cmpint (count (fixture), ==, 1);
    drag (fixture, (OdlPoint){ 50, -40 }, (OdlPoint){ 90, 30 }); // from beside it
    g_assert_cmpint (count (fixture), ==, 1);
    activate_and_settle (fixture, "undo", NULL);
    g_assert_cmpint (count (fixture), ==, 0);
    g_autoptr (GBytes) undone = grab (fixture, &width);
    g_assert_true (g_bytes_equal (before, undone));
    activate_and_settle (fixture, "redo", NULL);
    g_assert_cmpint (count (fixture), ==, 1);
  }
}

// Yellow pixels on one side of a place of the canvas, within `reach` of it.
static int
count_marked (GBytes *rgba, int width, OdlPoint at, int side, int reach)
{
  int n = 0;
  for (int dy = -reach; dy <= reach; dy++)
    for (int dx = 1; dx <= reach; dx++)
      n += is_marked (rgba, width, (OdlPoint){ at.x + side * dx, at.y + dy });
  return n;
}

// An arrow has its head where the drag ended, says nothing, and is no measurement.
static void
test_arrow (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 60);
  int width;
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "tool", "'arrow'");
  drag (fixture, (OdlPoint){ 60, 80 }, (OdlPoint){ 140, 80 });
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture, "");
  drag (fixture, (OdlPoint){ 30, 30 }, (OdlPoint){ 30, 30 }); // no crosses at its ends
  g_autoptr (GBytes) plain = grab (fixture, &width);
  assert_line (plain, width, on_widget (fixture, 100, 80), true);
  drag (fixture, (OdlPoint){ 100, 80 }, (OdlPoint){ 100, 80 }); // marks it
  g_autoptr (GBytes) after = grab (fixture, &width);
  const int reach = 24;
  const int tip = count_marked (after, width, on_widget (fixture, 140, 80), -1, reach);
  const int end = count_marked (after, width, on_widget (fixture, 60, 80), 1, reach);
  g_test_message ("%d at the tip, %d at the end", tip, end);
  g_assert_cmpint (tip, >, end + reach);
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);
  g_assert_false (g_action_group_get_action_enabled (actions, "save-measures"));
  g_assert_true (press (fixture, GDK_KEY_Delete, 0));
  g_assert_cmpint (count (fixture), ==, 0);
}

// In the entry, which is there.
static GtkTextBuffer *
entry_of (Fixture *fixture)
{
  g_assert_true (gtk_widget_get_visible (fixture->viewport->typing));
  return g_object_get_data (G_OBJECT (fixture->viewport->typing), "odl-words");
}

static void
type_and_close (Fixture *fixture, const char *words)
{
  gtk_text_buffer_set_text (entry_of (fixture), words, -1);
  gtk_popover_popdown (GTK_POPOVER (fixture->viewport->typing));
  settle (fixture);
}

// A click asks for words, which are seen, moved by themselves, changed, and gone when
// they are empty, each a step to undo.
static void
test_text (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 60);
  const OdlPoint at = { 40, 60 }, inside = { 46, 64 };
  int width;
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "tool", "'text'");
  g_autoptr (GBytes) before = grab (fixture, &width);
  drag (fixture, at, at);
  type_and_close (fixture, "");
  g_assert_cmpint (count (fixture), ==, 0);
  drag (fixture, at, at);
  gtk_text_buffer_set_text (entry_of (fixture), "one\ntwo", -1);
  g_assert_cmpint (count (fixture), ==, 0); // it is yet to be
  type_and_close (fixture, "HHHHHH\nHHH");
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture, "HHHHHH\nHHH");
  g_autoptr (GBytes) after = grab (fixture, &width);
  g_assert_false (g_bytes_equal (before, after));
  drag (fixture, inside, (OdlPoint){ inside.x + 30, inside.y + 20 });
  const OdlPoint moved = odl_annotations_at (annotations (fixture), 0)->points[0];
  g_assert_cmpfloat_with_epsilon (moved.x, at.x + 30, 1);
  g_assert_cmpfloat_with_epsilon (moved.y, at.y + 20, 1);
  g_assert_true (press (fixture, GDK_KEY_Return, 0)); // the one that is marked
  g_autofree char *most = g_strnfill (2 * ODL_ANNOTATION_MAX_WORDS, 'x');
  type_and_close (fixture, most);
  g_assert_cmpuint (strlen (odl_annotations_at (annotations (fixture), 0)->words), ==,
                    ODL_ANNOTATION_MAX_WORDS - 1);
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  type_and_close (fixture, " ");
  g_assert_cmpint (count (fixture), ==, 0);
  activate_and_settle (fixture, "undo", NULL);
  activate_and_settle (fixture, "undo", NULL);
  assert_last_text (fixture, "HHHHHH\nHHH");
  activate_and_settle (fixture, "tool", "'number'");
  drag (fixture, (OdlPoint){ 150, 30 }, (OdlPoint){ 150, 30 });
  drag (fixture, (OdlPoint){ 180, 90 }, (OdlPoint){ 180, 90 });
  g_assert_cmpint (count (fixture), ==, 3);
  assert_last_text (fixture, "2");
}

// A line whose length is typed makes millimetres, for what was measured before it, too,
// and nonsense makes none, which is said.
static void
test_calibration (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 60);
  open_and_wait (fixture, path);
  use_lengths (fixture);
  drag (fixture, (OdlPoint){ 20, 20 }, (OdlPoint){ 120, 20 });
  assert_last_text (fixture, "100.0 px");
  activate_and_settle (fixture, "tool", "'calibration'");
  drag (fixture, (OdlPoint){ 30, 60 }, (OdlPoint){ 80, 60 });
  type_and_close (fixture, "a ruler");
  g_assert_cmpint (count (fixture), ==, 1);
  g_assert_true (has_toast (fixture, "“a ruler” is no length"));
  drag (fixture, (OdlPoint){ 30, 60 }, (OdlPoint){ 80, 60 });
  type_and_close (fixture, "2.5 cm");
  g_assert_cmpint (count (fixture), ==, 2);
  assert_text (fixture, 0, "50.0 mm", "calibrated by hand");
  activate_and_settle (fixture, "undo", NULL);
  assert_text (fixture, 0, "100.0 px", "millimetres unknown");
}

// The right button zooms in the set of radiology workstations, at its place, and a click
// opens the menu; here it opens the menu, and drags nothing.
static void
test_mouse (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 60);
  open_and_wait (fixture, path);
  GtkWidget *menu = odl_viewport_menu (fixture->viewport);
  const OdlView before = *odl_viewport_view (fixture->viewport);
  drag_up (fixture, GDK_BUTTON_SECONDARY, 60, 80, 100);
  g_assert_cmpfloat (odl_viewport_view (fixture->viewport)->zoom, ==, before.zoom);
  odl_viewport_set_mouse (fixture->viewport, "radiology");
  const OdlPoint at = on_widget (fixture, 60, 80);
  drag_up (fixture, GDK_BUTTON_SECONDARY, 60, 80, 100);
  const double zoom = odl_viewport_view (fixture->viewport)->zoom;
  g_assert_cmpfloat_with_epsilon (zoom / before.zoom, exp (100 / 160.0), 1e-6);
  const OdlPoint after = on_widget (fixture, 60, 80);
  g_assert_cmpfloat_with_epsilon (at.x, after.x, 1);
  g_assert_cmpfloat_with_epsilon (at.y, after.y, 1);
  g_assert_false (gtk_widget_get_visible (menu));
  right_click (fixture, 60, 80); // pressed alone
  g_assert_false (gtk_widget_get_visible (menu));
  drag_up (fixture, GDK_BUTTON_SECONDARY, 60, 80, 0);
  g_assert_true (gtk_widget_get_visible (menu));
  gtk_popover_popdown (GTK_POPOVER (menu));
  // A single row: the right button with Shift measures, and the tool stays what it was.
  odl_viewport_set_mouse (fixture->viewport, "here right=measure left=pan");
  g_assert_cmpint (count (fixture), ==, 0);
  drag_up (fixture, GDK_BUTTON_SECONDARY, 60, 80, 40);
  g_assert_cmpint (count (fixture), ==, 1);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
  const OdlPoint left = on_widget (fixture, 60, 80);
  drag_up (fixture, GDK_BUTTON_PRIMARY, 60, 80, 20);
  g_assert_cmpfloat_with_epsilon (on_widget (fixture, 60, 80).y, left.y - 20, 1);
  g_assert_cmpfloat_with_epsilon (on_widget (fixture, 60, 80).x, left.x, 1);
  odl_viewport_set_mouse (fixture->viewport, "nonsense wheel=menu left=menu ==");
  right_click (fixture, 60, 80);
  g_assert_true (gtk_widget_get_visible (menu));
  gtk_popover_popdown (GTK_POPOVER (menu));
}

static void
count_cb (void *data)
{
  (*(guint *) data)++;
}

static GtkWidget *
find_row (GtkWidget *within, const char *title)
{
  if (ADW_IS_PREFERENCES_ROW (within)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (within)), title)
             == 0)
    return within;
  for (GtkWidget *child = gtk_widget_get_first_child (within); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_row (child, title);
    if (found)
      return found;
  }
  return NULL;
}

static guint
n_choices (GtkWidget *group, const char *title)
{
  return g_list_model_get_n_items (
      adw_combo_row_get_model (ADW_COMBO_ROW (find_row (group, title))));
}

static GtkGesture *
gesture_of (Fixture *fixture, GType type)
{
  g_autoptr (GListModel) all
      = gtk_widget_observe_controllers (GTK_WIDGET (fixture->viewport));
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);
    if (G_TYPE_CHECK_INSTANCE_TYPE (one, type))
      return GTK_GESTURE (one);
  }
  return NULL;
}

// One finger that rests opens the menu; two move the picture with them and zoom between
// them.
static void
test_fingers (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 60);
  open_and_wait (fixture, path);
  GtkWidget *menu = odl_viewport_menu (fixture->viewport);
  GtkGesture *press = gesture_of (fixture, GTK_TYPE_GESTURE_LONG_PRESS);
  g_assert_nonnull (press);
  g_assert_true (gtk_gesture_single_get_touch_only (GTK_GESTURE_SINGLE (press)));
  g_assert_nonnull (gesture_of (fixture, GTK_TYPE_GESTURE_ZOOM));
  g_signal_emit_by_name (press, "pressed", 60.0, 80.0);
  g_assert_true (gtk_widget_get_visible (menu));
  gtk_popover_popdown (GTK_POPOVER (menu));
  const double zoom = odl_viewport_view (fixture->viewport)->zoom;
  const OdlPoint from = on_widget (fixture, 60, 80), to = { from.x + 30, from.y - 12 };
  odl_viewport_move_fingers (fixture->viewport, from, to, 1.5);
  const OdlPoint now = on_widget (fixture, 60, 80);
  g_assert_cmpfloat_with_epsilon (now.x, to.x, 1);
  g_assert_cmpfloat_with_epsilon (now.y, to.y, 1);
  g_assert_cmpfloat_with_epsilon (odl_viewport_view (fixture->viewport)->zoom, 1.5 * zoom,
                                  1e-6);
}

// Each row of the preferences sets its own; a set fills all rows, and one that differs is
// none.
static void
test_mouse_rows (Fixture *fixture, const void *data)
{
  static const char *const own = "left=tool left+shift=window left+ctrl=tool middle=pan "
                                 "middle+shift=pan middle+ctrl=pan right=menu "
                                 "right+shift=menu right+ctrl=menu wheel=frames "
                                 "wheel+shift=frames wheel+ctrl=zoom";
  g_autoptr (OdlSettings) settings = g_object_ref (fixture->settings);
  guint n_changed = 0;
  odl_settings_set_string (settings, "mouse", "here");
  GtkWidget *group
      = g_object_ref_sink (odl_mouse_group_new (settings, count_cb, &n_changed));
  AdwComboRow *set = ADW_COMBO_ROW (find_row (group, "Buttons on the picture"));
  AdwComboRow *row = ADW_COMBO_ROW (find_row (group, "Left with Shift"));
  g_assert_cmpuint (adw_combo_row_get_selected (set), ==, 0);
  adw_combo_row_set_selected (row, ODL_MOUSE_WINDOW);
  g_autofree char *text = odl_settings_get_string (settings, "mouse");
  g_assert_cmpstr (text, ==, own);
  g_assert_cmpuint (adw_combo_row_get_selected (set), ==, 2);
  g_assert_cmpuint (n_changed, ==, 1);
  adw_combo_row_set_selected (set, 1);
  g_autofree char *name = odl_settings_get_string (settings, "mouse");
  g_assert_cmpstr (name, ==, "radiology");
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, ODL_MOUSE_PAN);
  // The wheel has two things to do, and only the right button the menu.
  g_assert_cmpuint (n_choices (group, "Wheel with Ctrl"), ==, 2);
  g_assert_cmpuint (n_choices (group, "Middle"), ==, ODL_MOUSE_ACTIONS - 1);
  g_assert_cmpuint (n_choices (group, "Right"), ==, ODL_MOUSE_ACTIONS);
  g_object_unref (group);
  odl_settings_set_string (settings, "mouse", "here");
}

// Ends and lines can be dragged and removed, whichever way the picture lies.
static void
test_change (Fixture *fixture, const void *data)
{
  static const struct {
    const char *action, *parameter;
  } ways[] = { { "fit", NULL }, { "rotate", "1" }, { "flip", "true" }, { "zoom", "1" } };
  g_autofree char *path = write_flat (fixture, "a.png", 60);
  open_and_wait (fixture, path);
  use_lengths (fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
    activate_and_settle (fixture, ways[i].action, ways[i].parameter);
    g_test_message ("%s", ways[i].action);
    drag (fixture, (OdlPoint){ 60, 60 }, (OdlPoint){ 90, 60 });
    assert_last_text (fixture, "30.0 px");
    drag (fixture, (OdlPoint){ 90, 60 }, (OdlPoint){ 60, 100 }); // an end
    assert_last_text (fixture, "40.0 px");
    drag (fixture, (OdlPoint){ 60, 80 }, (OdlPoint){ 70, 70 }); // the whole
    const OdlAnnotation *moved = odl_annotations_at (annotations (fixture), 0);
    g_assert_cmpint (count (fixture), ==, 1);
    assert_last_text (fixture, "40.0 px");
    g_assert_cmpfloat_with_epsilon (moved->points[0].x, 70, 1e-6);
    g_assert_cmpfloat_with_epsilon (moved->points[0].y, 50, 1e-6);
    drag (fixture, (OdlPoint){ 150, 110 }, (OdlPoint){ 150, 110 }); // beside it
    g_assert_true (press (fixture, GDK_KEY_Delete, 0));
    g_assert_cmpint (count (fixture), ==, 1);
    drag (fixture, (OdlPoint){ 70, 75 }, (OdlPoint){ 70, 75 }); // marks it
    g_assert_true (press (fixture, GDK_KEY_Delete, 0));
    g_assert_cmpint (count (fixture), ==, 0);
  }
}

// Without a pointer: the cross moves as it is seen, Enter sets both ends.
static void
test_keys (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 60);
  open_and_wait (fixture, path);
  g_assert_false (press (fixture, GDK_KEY_Right, 0)); // the window's: another file
  use_lengths (fixture);
  activate_and_settle (fixture, "rotate", "1");
  g_assert_true (press (fixture, GDK_KEY_Return, 0)); // shows where it is
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  for (int i = 0; i < 12; i++)
    press (fixture, GDK_KEY_Right, 0);
  g_assert_cmpint (count (fixture), ==, 0);
  press (fixture, GDK_KEY_Return, 0);
  assert_last_text (fixture, "12.0 px");
  // To the right as it is seen is up in the file.
  const OdlAnnotation *made = odl_annotations_at (annotations (fixture), 0);
  g_assert_cmpfloat (made->points[1].y, ==, made->points[0].y - 12);
  // Its end lies under the cross, and is taken up again.
  press (fixture, GDK_KEY_Return, 0);
  press (fixture, GDK_KEY_Down, GDK_SHIFT_MASK);
  press (fixture, GDK_KEY_Return, 0);
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture, "23.3 px"); // 12 and 20
  // Given up in the middle, it is as it was.
  press (fixture, GDK_KEY_Return, 0);
  press (fixture, GDK_KEY_Down, 0);
  press (fixture, GDK_KEY_Escape, 0);
  assert_last_text (fixture, "23.3 px");
  press (fixture, GDK_KEY_Delete, 0);
  g_assert_cmpint (count (fixture), ==, 0);
  activate_and_settle (fixture, "undo", NULL);
  activate_and_settle (fixture, "undo", NULL);
  assert_last_text (fixture, "12.0 px");
  press (fixture, GDK_KEY_Escape, 0);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
  g_assert_false (press (fixture, GDK_KEY_Delete, 0));
  g_assert_cmpint (count (fixture), ==, 1);
}

static void
test_real_files (Fixture *fixture, const void *data)
{
  static const struct {
    const char *name, *text, *note; // of 60 pixels to the right and 80 down
  } files[] = {
    { "dicom-test-files/REF/CT1_UNC", "66.1 mm", NULL }, // 0.661468 mm
    { "fo-dicom/OutOfBoundsOverlay.dcm", "8.50 mm", "at the detector" }, // 0.085 mm
    { "pydicom-data/color-px.dcm", "91.8 px", "millimetres unknown" }, // pixels of 3 : 4
  };
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = odl_test_data (files[i].name);
    if (!path)
      return;
    open_and_wait (fixture, path);
    use_lengths (fixture);
    drag (fixture, (OdlPoint){ 30, 20 }, (OdlPoint){ 90, 100 });
    g_test_message ("%s", files[i].name);
    assert_last_text (fixture, files[i].text);
    const OdlFrame *frame = odl_session_frame (fixture->session);
    const OdlScale scale = odl_scale_of (odl_image_info (frame->input));
    g_assert_cmpstr (odl_scale_note (&scale), ==, files[i].note);
  }
  // They come back with their picture.
  g_autofree char *first = odl_test_data (files[0].name);
  open_and_wait (fixture, first);
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture, files[0].text);
}

static void
keep_cb (OdlImage *image, void *data)
{
  OdlImage **kept = data;
  if (*kept)
    odl_image_unref (*kept);
  *kept = image ? odl_image_ref (image) : NULL;
}

// What the canvas paints next, and what is asked in the middle of it.
static void
capture (Fixture *fixture, OdlImage **image, const char *no_label)
{
  odl_viewport_set_capture (fixture->viewport, keep_cb, image);
  run_cycles (fixture, 3);
  if (no_label)
    g_assert_false (has_label (GTK_WIDGET (fixture->viewport), no_label));
  odl_viewport_set_capture (fixture->viewport, NULL, NULL); // hands over what there is
  settle (fixture);
  g_assert_nonnull (*image);
}

static GBytes *
bytes_of (const OdlImage *image, int *width)
{
  const OdlImageInfo *info = odl_image_info (image);
  *width = info->extent.x;
  return g_bytes_new (info->planes[0].data, (size_t) 4 * info->extent.x * info->extent.y);
}

// What is recorded has the line, and the value under the pointer with its place.
static void
test_captures (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 128);
  g_autoptr (OdlImage) plain = NULL, pointed = NULL;
  int width;
  open_and_wait (fixture, path);
  use_lengths (fixture);
  drag (fixture, (OdlPoint){ 20, 40 }, (OdlPoint){ 80, 120 });
  odl_viewport_move_pointer (fixture->viewport, false, 0, 0);
  capture (fixture, &plain, NULL);
  g_autoptr (GBytes) without = bytes_of (plain, &width);
  const OdlPoint middle = on_widget (fixture, 50, 80),
                 at = on_widget (fixture, 150.5, 60.5);
  assert_line (without, width, middle, true);
  const OdlPoint arm = { at.x + 8, at.y };
  assert_line (without, width, arm, false);

  odl_viewport_move_pointer (fixture->viewport, true, at.x, at.y);
  capture (fixture, &pointed, "150, 60");
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "150, 60"));
  g_autoptr (GBytes) with = bytes_of (pointed, &width);
  assert_line (with, width, middle, true);
  assert_line (with, width, arm, true);
  // Words in the upper right corner.
  const guint8 *bytes = g_bytes_get_data (with, NULL);
  int letters = 0;
  for (int y = 0; y < 40; y++)
    for (int x = width - 200; x < width; x++)
      letters += bytes[((size_t) y * width + x) * 4] > 200;
  g_assert_cmpint (letters, >, 50);
}

// In pictures to take away the line is that of the picture's own pixels.
static void
test_saved (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_flat (fixture, "a.png", 0);
  g_autoptr (GError) error = NULL;
  open_and_wait (fixture, path);
  odl_viewport_set_shows_values (fixture->viewport, false);
  use_lengths (fixture);
  drag (fixture, (OdlPoint){ 20, 100 }, (OdlPoint){ 120, 100 });
  g_autoptr (GdkTexture) texture
      = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, WIDTH);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, HEIGHT);
  g_autofree guint32 *words = g_new (guint32, WIDTH * HEIGHT);
  gdk_texture_download (texture, (guchar *) words, WIDTH * 4);
  for (int x = 30; x < 110; x++)
    g_assert_cmpint (words[100 * WIDTH + x] & 0xff, >, 100);
  g_assert_cmpint (words[60 * WIDTH + 60] & 0xff, ==, 0);
  // The value comes along where that is wanted, in a strip of its own below so small a
  // picture.
  odl_viewport_set_shows_values (fixture->viewport, true);
  odl_viewport_set_saves_values (fixture->viewport, true);
  const OdlPoint at = on_widget (fixture, 60.5, 50.5);
  odl_viewport_move_pointer (fixture->viewport, true, at.x, at.y);
  g_autoptr (GdkTexture) told = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_height (told), >, HEIGHT);
}

// Coefficients have no lengths, and it is said.
static void
test_refusals (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  use_lengths (fixture);
  drag (fixture, (OdlPoint){ 20, 40 }, (OdlPoint){ 80, 120 });
  set_filters (fixture, "hard-threshold:levels=2,threshold=0.1");
  activate_and_settle (fixture, "view", "'analysis'");
  wait_until (fixture, has_toast, "leave the coefficients");
  // Asked for again, it is said again; with the next thing done it is gone.
  const GPtrArray *said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);
  activate (fixture, "measure", NULL);
  g_assert_cmpuint (said->len, ==, 1);
  activate (fixture, "invert", NULL);
  g_assert_cmpuint (said->len, ==, 0);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
  drag (fixture, (OdlPoint){ 20, 40 }, (OdlPoint){ 80, 20 });
  g_assert_cmpint (count (fixture), ==, 1);
  activate_and_settle (fixture, "tool", "'length'");
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
  activate_and_settle (fixture, "view", "'synthesis'");
  use_lengths (fixture);
  activate_and_settle (fixture, "tool", "'length'"); // again: leaves it
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
}

// A length lies on its frame, which stays where it is while it is drawn.
static void
test_frames (Fixture *fixture, const void *data)
{
  g_autofree char *path = odl_test_data ("pydicom/examples_ybr_color.dcm");
  if (!path)
    return;
  int width;
  open_and_wait (fixture, path);
  use_lengths (fixture);
  odl_session_set_playing (fixture->session, true);
  wait_for_frames (fixture, 3);
  const int64_t shown = odl_session_frame (fixture->session)->index;
  drag (fixture, (OdlPoint){ 100, 100 }, (OdlPoint){ 150, 120 });
  g_assert_false (odl_session_playing (fixture->session));
  g_assert_cmpint (count (fixture), ==, 1);
  g_assert_cmpint (odl_annotations_at (annotations (fixture), 0)->frame, ==, shown);
  g_assert_cmpint (odl_session_frame (fixture->session)->index, ==, shown);
  const OdlPoint middle = on_widget (fixture, 125, 110);
  g_autoptr (GBytes) on = grab (fixture, &width);
  assert_line (on, width, middle, true);
  activate_and_settle (fixture, "step-frame", "1");
  g_autoptr (GBytes) off = grab (fixture, &width);
  assert_line (off, width, middle, false);
  activate_and_settle (fixture, "step-frame", "-1");
  g_autoptr (GBytes) back = grab (fixture, &width);
  assert_line (back, width, middle, true);
}

// What is drawn at a pixel of the canvas, or 0.
static guint32
drawn_at (const OdlDrawing *drawing, int x, int y)
{
  const OdlBadge *picture = &drawing->picture;
  guint32 rgba = 0;
  x -= drawing->x;
  y -= drawing->y;
  if (picture->rgba && x >= 0 && y >= 0 && x < picture->width && y < picture->height)
    memcpy (&rgba, picture->rgba + (size_t) y * picture->stride + 4 * (size_t) x, 4);
  return rgba;
}

// The words of a length beside the right edge would lie over the letter in its middle.
static void
test_letters (Fixture *fixture, const void *data)
{
  enum { CANVAS_WIDTH = 400, CANVAS_HEIGHT = 300 };
  static const OdlLetters letters = { [ODL_EDGE_RIGHT] = "R" };
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (fixture->viewport));
  OdlView view = odl_view_make (CANVAS_WIDTH, CANVAS_HEIGHT, 1);
  OdlDrawingItem item = { .annotation = { .id = 1,
                                          .kind = odl_annotation_kind_find ("length"),
                                          .n_points = 2,
                                          .points = { { 250, 150 }, { 350, 150 } } },
                          .text = (char *) "12" };
  OdlDrawingRequest request = { .letters = &letters,
                                .view = &view,
                                .width = CANVAS_WIDTH,
                                .height = CANVAS_HEIGHT,
                                .font = 16 };
  g_auto (OdlDrawing) alone = { 0 }, both = { 0 };
  odl_view_layout (&view, CANVAS_WIDTH, CANVAS_HEIGHT);
  odl_drawing_update (&alone, context, &request);
  request.items = &item;
  request.n_items = 1;
  odl_drawing_update (&both, context, &request);
  g_assert_cmpint (both.picture.width, >, alone.picture.width);
  for (int y = 0; y < alone.picture.height; y++)
    for (int x = 0; x < alone.picture.width; x++)
      g_assert_cmpuint (drawn_at (&both, alone.x + x, alone.y + y), ==,
                        drawn_at (&alone, alone.x + x, alone.y + y));
}

static const struct {
  const char *name;
  void (*test) (Fixture *fixture, const void *data);
  bool on_every_canvas;
} tests[] = {
  { "by-pointer-and-undone", test_pointer, true },
  { "an-arrow-points", test_arrow, true },
  { "words-are-typed-moved-and-changed", test_text, false },
  { "a-known-length-calibrates", test_calibration, false },
  { "buttons-of-the-mouse-are-those-of-the-set", test_mouse, false },
  { "each-row-of-the-mouse-can-be-chosen", test_mouse_rows, false },
  { "fingers-move-zoom-and-open-the-menu", test_fingers, false },
  { "ends-and-lines-are-dragged-and-removed", test_change, false },
  { "by-keys-alone", test_keys, false },
  { "of-real-files-by-their-spacing", test_real_files, false },
  { "captures-have-them-and-the-value", test_captures, true },
  { "saved-pictures-have-them", test_saved, true },
  { "words-leave-letters-of-directions-free", test_letters, false },
  { "coefficients-have-none", test_refusals, false },
  { "lie-on-their-frame", test_frames, true },
};

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  const bool all = !g_getenv ("ODL_TEST_ENGINE");
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/lengths/", tests[i].name, NULL);
    if (all || tests[i].on_every_canvas)
      ADD (path, tests[i].test);
  }
  return g_test_run ();
}
