// SPDX-License-Identifier: MIT
// Angles and ellipses in the real window, by pointer and by keys, on both canvases, how
// people choose what to measure, and contours that are pulled.
#include <string.h>

#include "support/annotating.h"
#include "widgets/window/parts.h"

#include "image/contour/contour.h"
#include "plan/flow.h"

static void
use (Fixture *fixture, const char *name)
{
  g_autofree char *parameter = g_strdup_printf ("'%s'", name);
  if (!g_str_equal (odl_viewport_tool (fixture->viewport), name))
    activate_and_settle (fixture, "tool", parameter);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, name);
}

static GBytes *
grab (Fixture *fixture)
{
  int width, height;
  settle (fixture);
  return odl_viewport_grab (fixture->viewport, &width, &height);
}

// Whether a line is drawn at a place of the picture, which is dark there.
static bool
shows_line (Fixture *fixture, double x, double y)
{
  int width, height;
  settle (fixture);
  g_autoptr (GBytes) rgba = odl_viewport_grab (fixture->viewport, &width, &height);
  const guint8 *bytes = g_bytes_get_data (rgba, NULL);
  const OdlPoint at = on_widget (fixture, x, y);
  int brightest = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      brightest
          = MAX (brightest,
                 bytes[(((size_t) at.y + dy) * width + (size_t) (at.x + dx)) * 4 + 1]);
  return brightest > 150;
}

// A drag along one side, and a click on the other: 3, 4, 5.
static void
test_angle_by_pointer (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 0, 0);
  open_and_wait (fixture, path);
  use (fixture, "angle");
  g_autoptr (GBytes) before = grab (fixture);
  drag (fixture, (OdlPoint){ 90, 30 }, (OdlPoint){ 30, 30 });
  g_assert_cmpint (count (fixture), ==, 0); // the other side is to come
  hover (fixture, 100, 120);
  g_assert_true (shows_line (fixture, 65, 75)); // and follows
  g_assert_true (shows_line (fixture, 60, 30));
  drag (fixture, (OdlPoint){ 90, 110 }, (OdlPoint){ 90, 110 });
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture, "53.1°");
  g_assert_true (shows_line (fixture, 60, 70));
  hover (fixture, 150, 20); // no more
  assert_last_text (fixture, "53.1°");
  // Its corner and the whole can be moved.
  drag (fixture, (OdlPoint){ 30, 30 }, (OdlPoint){ 90, 60 });
  assert_last_text (fixture, "180.0°");
  drag (fixture, (OdlPoint){ 90, 80 }, (OdlPoint){ 120, 90 });
  const OdlAnnotation *moved = odl_annotations_at (annotations (fixture), 0);
  g_assert_cmpfloat_with_epsilon (moved->points[1].x, 120, 1e-6);
  g_assert_cmpfloat_with_epsilon (moved->points[1].y, 70, 1e-6);
  for (int i = 0; i < 3; i++)
    activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (count (fixture), ==, 0);
  g_autoptr (GBytes) undone = grab (fixture);
  g_assert_true (g_bytes_equal (before, undone));
}

// The third point may be dragged, too, and an angle be given up.
static void
test_angle_in_two_drags (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 0, 0);
  open_and_wait (fixture, path);
  use (fixture, "angle");
  drag (fixture, (OdlPoint){ 90, 30 }, (OdlPoint){ 30, 30 });
  drag (fixture, (OdlPoint){ 60, 60 }, (OdlPoint){ 30, 110 });
  assert_last_text (fixture, "90.0°");
  drag (fixture, (OdlPoint){ 150, 30 }, (OdlPoint){ 190, 30 });
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "angle");
  hover (fixture, 190, 100);
  drag (fixture, (OdlPoint){ 190, 100 }, (OdlPoint){ 190, 100 });
  g_assert_cmpint (count (fixture), ==, 1);
  // Another tool does not go on with it.
  drag (fixture, (OdlPoint){ 150, 30 }, (OdlPoint){ 190, 30 });
  use (fixture, "length");
  drag (fixture, (OdlPoint){ 150, 100 }, (OdlPoint){ 190, 100 });
  g_assert_cmpint (count (fixture), ==, 2);
  assert_last_text (fixture, "40.0 px");
  // Tools take up each other's.
  drag (fixture, (OdlPoint){ 30, 110 }, (OdlPoint){ 90, 110 });
  const OdlAnnotation *angle = odl_annotations_at (annotations (fixture), 0);
  g_assert_true (angle->kind == &odl_annotation_angle);
  g_assert_cmpfloat_with_epsilon (angle->points[2].x, 90, 1e-6);
}

static void
step (Fixture *fixture, guint key, int times)
{
  for (int i = 0; i < times; i++)
    press (fixture, key, 0);
}

static void
test_angle_by_keys (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 0, 0);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "measure", NULL);
  activate_and_settle (fixture, "next-measure", NULL);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "angle");
  press (fixture, GDK_KEY_Return, 0); // shows where the cross is
  step (fixture, GDK_KEY_Return, 1);
  step (fixture, GDK_KEY_Left, 3);
  step (fixture, GDK_KEY_Return, 1);
  g_assert_cmpint (count (fixture), ==, 0);
  step (fixture, GDK_KEY_Right, 3);
  step (fixture, GDK_KEY_Down, 4);
  hover (fixture, 20, 20); // the pointer does not interfere
  step (fixture, GDK_KEY_Return, 1);
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture, "53.1°");
  step (fixture, GDK_KEY_Delete, 1);
  g_assert_cmpint (count (fixture), ==, 0);
  activate_and_settle (fixture, "undo", NULL);
  assert_last_text (fixture, "53.1°");
  // Twice at a place makes none.
  step (fixture, GDK_KEY_Right, 30);
  step (fixture, GDK_KEY_Return, 3);
  step (fixture, GDK_KEY_Left, 10);
  step (fixture, GDK_KEY_Escape, 1);
  g_assert_cmpint (count (fixture), ==, 1);
}

// 40 × 20 pixels around column 100: half of them 10, half 30.
static void
test_ellipse_by_pointer (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  use (fixture, "ellipse");
  drag (fixture, (OdlPoint){ 80, 50 }, (OdlPoint){ 120, 70 });
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture,
                    "628.3 px²\nperimeter 96.9 px\nmean 20.00 luma\nσ 10.00 luma\n"
                    "min 10.00 luma, max 30.00 luma\nn 632");
  g_assert_true (shows_line (fixture, 100, 50));
  g_assert_true (shows_line (fixture, 120, 60));
  // A corner goes along with its neighbours; the line moves the whole.
  drag (fixture, (OdlPoint){ 120, 50 }, (OdlPoint){ 100, 40 });
  assert_last_text (fixture,
                    "471.2 px²\nperimeter 79.3 px\nmean 10.00 luma\nσ 0.00 luma\n"
                    "min 10.00 luma, max 10.00 luma\nn 476");
  drag (fixture, (OdlPoint){ 90, 40 }, (OdlPoint){ 130, 40 });
  assert_last_text (fixture,
                    "471.2 px²\nperimeter 79.3 px\nmean 30.00 luma\nσ 0.00 luma\n"
                    "min 30.00 luma, max 30.00 luma\nn 476");
  // A click makes none, nor does a line.
  drag (fixture, (OdlPoint){ 20, 20 }, (OdlPoint){ 20, 20 });
  drag (fixture, (OdlPoint){ 20, 20 }, (OdlPoint){ 60, 20 });
  g_assert_cmpint (count (fixture), ==, 1);
}

static void
click (Fixture *fixture, double x, double y)
{
  drag (fixture, (OdlPoint){ x, y }, (OdlPoint){ x, y });
}

// The first side is dragged, each other corner clicked, and the first corner closes it.
static void
test_polygon_by_pointer (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  use (fixture, "polygon");
  drag (fixture, (OdlPoint){ 80, 50 }, (OdlPoint){ 120, 50 });
  hover (fixture, 110, 60);
  click (fixture, 120, 70);
  click (fixture, 80, 70);
  g_assert_cmpint (count (fixture), ==, 0);
  click (fixture, 80, 50);
  g_assert_cmpint (count (fixture), ==, 1);
  assert_last_text (fixture, "800.0 px²\nperimeter 120.0 px\nmean 20.00 luma\n"
                             "σ 10.00 luma\nmin 10.00 luma, max 30.00 luma\nn 800");
  g_assert_true (shows_line (fixture, 80, 60));
  // A corner moves alone, and undo takes it back.
  drag (fixture, (OdlPoint){ 80, 70 }, (OdlPoint){ 60, 70 });
  const OdlAnnotation *moved = odl_annotations_at (annotations (fixture), 0);
  g_assert_cmpint (moved->n_points, ==, 4);
  g_assert_cmpfloat_with_epsilon (moved->points[3].x, 60, 1e-6);
  activate_and_settle (fixture, "undo", NULL);
  assert_last_text (fixture, "800.0 px²\nperimeter 120.0 px\nmean 20.00 luma\n"
                             "σ 10.00 luma\nmin 10.00 luma, max 30.00 luma\nn 800");
  // A line is none.
  drag (fixture, (OdlPoint){ 20, 20 }, (OdlPoint){ 60, 20 });
  press (fixture, GDK_KEY_Escape, 0);
  g_assert_cmpint (count (fixture), ==, 1);
}

// Enter sets corners, and twice at a place closes.
static void
test_polygon_by_keys (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  use (fixture, "polygon");
  step (fixture, GDK_KEY_Return, 2);
  press (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  step (fixture, GDK_KEY_Return, 1);
  press (fixture, GDK_KEY_Down, GDK_SHIFT_MASK);
  step (fixture, GDK_KEY_Return, 1);
  g_assert_cmpint (count (fixture), ==, 0);
  step (fixture, GDK_KEY_Return, 1);
  g_assert_cmpint (count (fixture), ==, 1);
  g_assert_cmpint (odl_annotations_at (annotations (fixture), 0)->n_points, ==, 3);
}

// A circle of radius 30 in far more steps than an annotation has points.
static void
test_freehand (Fixture *fixture, const void *data)
{
  OdlPoint way[721];
  g_autofree char *path = write_halves (fixture, "a.png", 10, 10);
  open_and_wait (fixture, path);
  use (fixture, "freehand");
  for (int i = 0; i < (int) G_N_ELEMENTS (way); i++)
    way[i]
        = (OdlPoint){ 100 + 30 * cos (i * G_PI / 360), 70 + 30 * sin (i * G_PI / 360) };
  drag_along (fixture, way, G_N_ELEMENTS (way));
  g_assert_cmpint (count (fixture), ==, 1);
  const OdlAnnotation *drawn = odl_annotations_at (annotations (fixture), 0);
  const OdlSubject subject = { .scale = { .x = 1, .y = 1 } };
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  g_assert_cmpint (drawn->kind->measure (drawn, &subject, measures), ==, 2);
  g_assert_cmpint (drawn->n_points, >, 15);
  g_assert_cmpfloat_with_epsilon (measures[0].value, G_PI * 900, 0.05 * G_PI * 900);
  g_assert_cmpfloat_with_epsilon (measures[1].value, G_PI * 60, 0.03 * G_PI * 60);
}

static void
test_menu (Fixture *fixture, const void *data)
{
  // NULL: grey levels by name, which are a menu.
  static const char *const wanted[] = { "win.copy",
                                        "win.save",
                                        "win.measure",
                                        NULL,
                                        "win.noise-from-region",
                                        "win.invert",
                                        "win.properties",
                                        "win.pane-alone",
                                        "win.close-pane" };
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  GtkWidget *menu = odl_viewport_menu (fixture->viewport);
  g_assert_false (gtk_widget_get_visible (menu));
  right_click (fixture, 100, 60);
  g_assert_true (gtk_widget_get_visible (menu));
  GMenuModel *model = gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (menu));
  size_t n = 0;
  for (int s = 0; s < g_menu_model_get_n_items (model); s++) {
    g_autoptr (GMenuModel) section
        = g_menu_model_get_item_link (model, s, G_MENU_LINK_SECTION);
    for (int i = 0; i < g_menu_model_get_n_items (section); i++) {
      g_autofree char *action = NULL;
      g_menu_model_get_item_attribute (section, i, G_MENU_ATTRIBUTE_ACTION, "s", &action);
      g_assert_cmpint (n, <, G_N_ELEMENTS (wanted));
      g_assert_cmpstr (action, ==, wanted[n]);
      g_autoptr (GMenuModel) inner
          = g_menu_model_get_item_link (section, i, G_MENU_LINK_SUBMENU);
      g_assert_true ((inner && g_menu_model_get_n_items (inner) > 0) == !wanted[n]);
      n++;
    }
  }
  g_assert_cmpint (n, ==, G_N_ELEMENTS (wanted));
  // Keys are the picture's again, also after a menu in it.
  g_object_set (menu, "visible-submenu", "_Grey Levels", NULL);
  settle (fixture);
  gtk_widget_child_focus (menu, GTK_DIR_TAB_FORWARD);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (focus && gtk_widget_is_ancestor (focus, menu));
  gtk_popover_popdown (GTK_POPOVER (menu));
  settle (fixture);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window))
                 == GTK_WIDGET (fixture->viewport));
}

// Where there is room neither to the left nor to the right, the words are above or below:
// what is measured stays visible.
static void
test_words_beside (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 0, 0);
  int width, height, bright = 0;
  open_and_wait (fixture, path);
  use (fixture, "ellipse");
  drag (fixture, (OdlPoint){ 6, 50 }, (OdlPoint){ 206, 110 });
  settle (fixture);
  g_autoptr (GBytes) rgba = odl_viewport_grab (fixture->viewport, &width, &height);
  const guint8 *bytes = g_bytes_get_data (rgba, NULL);
  for (double y = 55; y < 105; y += 0.5)
    for (double x = 16; x < 196; x += 0.5) {
      const OdlPoint at = on_widget (fixture, x, y);
      const double a = (x - 106) / 96, b = (y - 80) / 26;
      if (a * a + b * b < 1)
        bright += bytes[((size_t) at.y * width + (size_t) at.x) * 4 + 1] > 100;
    }
  g_assert_cmpint (bright, ==, 0);
}

static bool
description_has (Fixture *fixture, const void *part)
{
  const GArray *items = fixture->viewport->items;
  const OdlDrawingItem *item
      = items && items->len > 0 ? &g_array_index (items, OdlDrawingItem, 0) : NULL;
  return item && item->text && strstr (item->text, part);
}

// What is drawn says what the filters made of it, also where the result stays on the
// graphics card, and follows them.
static void
test_filters (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  use (fixture, "ellipse");
  drag (fixture, (OdlPoint){ 80, 50 }, (OdlPoint){ 120, 70 });
  wait_until (fixture, description_has, "σ 10.00 luma");
  set_filters (fixture, "gaussian:sigma=8");
  wait_until (fixture, description_has, "mean 20.00 → 20.00 luma\nσ 10.00 → 6.8");
  set_filters (fixture, "gaussian:sigma=2");
  wait_until (fixture, description_has, "mean 20.00 → 20.00 luma\nσ 10.00 → 9.2");
  activate_and_settle (fixture, "undo", NULL);
  wait_until (fixture, description_has, "σ 10.00 → 6.8");
}

static void
test_ellipse_by_keys (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  use (fixture, "ellipse");
  step (fixture, GDK_KEY_Return, 2);
  press (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  g_assert_cmpint (count (fixture), ==, 0);
  press (fixture, GDK_KEY_Down, GDK_SHIFT_MASK);
  step (fixture, GDK_KEY_Return, 1);
  g_assert_cmpint (count (fixture), ==, 1);
  // 20 × 20 from the middle of the picture: π 10².
  assert_last_text (fixture,
                    "314.2 px²\nperimeter 62.8 px\nmean 30.00 luma\nσ 0.00 luma\n"
                    "min 30.00 luma, max 30.00 luma\nn 317");
  use (fixture, "length"); // from its last corner, one of its own
  step (fixture, GDK_KEY_Return, 2);
  step (fixture, GDK_KEY_Right, 11);
  step (fixture, GDK_KEY_Return, 1);
  assert_last_text (fixture, "11.0 px");
}

static GMenuModel *
measure_menu (Fixture *fixture)
{
  return G_MENU_MODEL (gtk_widget_get_template_child (
      GTK_WIDGET (fixture->window), ODL_TYPE_MAIN_WINDOW, "measure_menu"));
}

// Every kind has its place in the menu, its icon and its hint, and M is for the last one.
static void
test_choice (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_halves (fixture, "a.png", 0, 0);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (
      gtk_widget_get_display (GTK_WIDGET (fixture->window)));
  const OdlAnnotationKind *kind;
  int n = 0;
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "measure", NULL);
  g_assert_true (has_toast (fixture, "By keys: the arrows move a cross"));
  for (; (kind = odl_annotation_kind_at ((size_t) n)) != NULL; n++) {
    g_autofree char *icon = g_strdup_printf ("odl-%s-symbolic", kind->name);
    g_autofree char *label = NULL, *target = NULL;
    g_test_message ("%s", kind->name);
    g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, kind->name);
    g_assert_true (gtk_icon_theme_has_icon (theme, icon));
    g_menu_model_get_item_attribute (measure_menu (fixture), n, "label", "s", &label);
    g_menu_model_get_item_attribute (measure_menu (fixture), n, "target", "s", &target);
    g_assert_cmpstr (label, ==, kind->title);
    g_assert_cmpstr (target, ==, kind->name);
    activate_and_settle (fixture, "next-measure", NULL);
    kind = odl_viewport_measuring (fixture->viewport);
    wait_until (fixture, has_toast, kind->hint);
    g_assert_false (has_toast (fixture, "By keys"));
  }
  // And the table of what was measured.
  g_assert_cmpint (g_menu_model_get_n_items (measure_menu (fixture)), ==, n + 1);
  use (fixture, "ellipse");
  activate_and_settle (fixture, "measure", NULL);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
  activate_and_settle (fixture, "measure", NULL);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "ellipse");
  // How to draw one is said until one is drawn.
  use (fixture, "length");
  const GPtrArray *said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);
  g_assert_cmpuint (said->len, ==, 1);
  drag (fixture, (OdlPoint){ 20, 20 }, (OdlPoint){ 50, 40 });
  settle (fixture);
  g_assert_cmpuint (said->len, ==, 0);
}

// ---- contours ------------------------------------------------------------------------

static bool
has_contours (Fixture *fixture, const void *data)
{
  activate_and_settle (fixture, "tool", "'pull'");
  return g_str_equal (odl_viewport_tool (fixture->viewport), "pull");
}

static int
count_pulls (Fixture *fixture)
{
  const OdlRecipeItem *item = &odl_session_recipe (fixture->session)->items[2];
  return odl_pulls_count (item->values
                          + odl_filter_parameter (item->filter, "pulls")->offset);
}

static bool
is_pulled (Fixture *fixture, const void *data)
{
  const OdlPlan *plan = NULL;
  const float *numbers = odl_session_observed (fixture->session, &plan);
  for (int i = 0; numbers && i < plan->n_steps; i++) {
    const int at = odl_plan_observed_at (plan, plan->steps[i].writes);
    for (int k = 0; plan->steps[i].kind == ODL_STEP_SNAKES && at >= 0
                    && k < odl_contour_end (numbers + at, 0);
         k++)
      if (ABS (numbers[at + ODL_CONTOUR_POINTS + 2 * k] - 140) < 1)
        return true;
  }
  return false;
}

// A drag from the line takes it along, another one goes on with it; Escape puts the tool
// down.
static void
test_pull (Fixture *fixture, const void *data)
{
  const OdlPoint line = { 100, 78 }, away = { 140, 78 }, nowhere = { 30, 30 };
  g_autofree char *path = write_halves (fixture, "halves.png", 200, 20);
  OdlRecipe recipe = *odl_session_recipe (fixture->session);
  g_autoptr (GError) error = NULL;
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "tool", "'pull'"); // there is nothing to pull yet
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
  g_assert_true (odl_recipe_parse (&recipe, "trough-threshold sobel contours", &error));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  wait_until (fixture, has_contours, NULL);
  drag (fixture, nowhere, away);
  g_assert_cmpint (count_pulls (fixture), ==, 0);
  drag (fixture, line, away);
  g_assert_cmpint (count_pulls (fixture), ==, 1);
  wait_until (fixture, is_pulled, NULL);
  drag (fixture, away, (OdlPoint){ 120, 78 }); // on from where it is
  g_assert_cmpint (count_pulls (fixture), ==, 1);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (odl_session_recipe (fixture->session), 2, "pulls", 2), 120, 1);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
}

static void
find_contours (Fixture *fixture)
{
  g_autofree char *path = write_halves (fixture, "halves.png", 200, 20);
  OdlRecipe recipe = *odl_session_recipe (fixture->session);
  open_and_wait (fixture, path);
  g_assert_true (odl_recipe_parse (&recipe, "trough-threshold sobel contours", NULL));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  wait_until (fixture, has_contours, NULL);
}

// Escape in the middle of a drag leaves the recipe, and what undo goes back to, as it
// was; the tool and the earlier pull stay, and the rest of the drag does nothing.
static void
test_pull_taken_back (Fixture *fixture, const void *data)
{
  const OdlPoint line = { 100, 78 }, away = { 140, 78 }, farther = { 160, 60 };
  find_contours (fixture);
  const OdlRecipe bare = *odl_session_recipe (fixture->session);
  drag_with_key (fixture, line, away, GDK_KEY_Escape);
  g_assert_true (odl_recipe_equal (odl_session_recipe (fixture->session), &bare));
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "pull");
  drag (fixture, line, away);
  wait_until (fixture, is_pulled, NULL);
  const OdlRecipe pulled = *odl_session_recipe (fixture->session);
  drag_with_key (fixture, away, farther, GDK_KEY_Escape);
  g_assert_true (odl_recipe_equal (odl_session_recipe (fixture->session), &pulled));
  activate_and_settle (fixture, "undo", NULL);
  g_assert_true (odl_recipe_equal (odl_session_recipe (fixture->session), &bare));
}

// The cross goes from the middle to the line, takes it along, and lets it go.
static void
test_pull_by_keys (Fixture *fixture, const void *data)
{
  find_contours (fixture);
  const OdlRecipe bare = *odl_session_recipe (fixture->session);
  g_assert_true (press (fixture, GDK_KEY_Return, 0)); // shows the cross
  for (int i = 0; i < HALVES_WIDTH / 2 - 100; i++)
    press (fixture, GDK_KEY_Left, 0);
  for (int i = 0; i < 3; i++)
    press (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
  press (fixture, GDK_KEY_Return, 0);
  wait_until (fixture, has_toast, "No contour is near");
  for (int i = 0; i < 3; i++)
    press (fixture, GDK_KEY_Left, GDK_SHIFT_MASK);
  for (int round = 0; round < 2; round++) {
    press (fixture, GDK_KEY_Return, 0);
    for (int i = 0; i < 2; i++)
      press (fixture, GDK_KEY_Right, GDK_SHIFT_MASK);
    g_assert_cmpint (count_pulls (fixture), ==, 1);
    if (round == 0) {
      press (fixture, GDK_KEY_Escape, 0);
      g_assert_true (odl_recipe_equal (odl_session_recipe (fixture->session), &bare));
      for (int i = 0; i < 2; i++)
        press (fixture, GDK_KEY_Left, GDK_SHIFT_MASK);
    }
  }
  press (fixture, GDK_KEY_Return, 0);
  wait_until (fixture, is_pulled, NULL);
  press (fixture, GDK_KEY_Down, 0); // the cross alone
  g_assert_cmpfloat (
      odl_recipe_get (odl_session_recipe (fixture->session), 2, "pulls", 2), >, 138);
  press (fixture, GDK_KEY_Escape, 0);
  g_assert_cmpint (count_pulls (fixture), ==, 1);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, "window");
}

static const struct {
  const char *name;
  void (*test) (Fixture *fixture, const void *data);
  bool on_every_canvas;
} tests[] = {
  { "an-angle-by-pointer-and-undone", test_angle_by_pointer, true },
  { "an-angle-in-two-drags-and-given-up", test_angle_in_two_drags, false },
  { "an-angle-by-keys-alone", test_angle_by_keys, false },
  { "an-ellipse-by-pointer", test_ellipse_by_pointer, true },
  { "an-ellipse-by-keys-alone", test_ellipse_by_keys, false },
  { "the-words-leave-the-region-visible", test_words_beside, false },
  { "a-polygon-by-pointer", test_polygon_by_pointer, true },
  { "a-polygon-by-keys-alone", test_polygon_by_keys, false },
  { "a-line-that-is-drawn-freely", test_freehand, false },
  { "a-menu-of-the-right-button", test_menu, false },
  { "an-ellipse-before-and-after-the-filters", test_filters, true },
  { "every-kind-can-be-chosen", test_choice, false },
  { "contours-are-pulled", test_pull, false },
  { "escape-takes-a-pull-back", test_pull_taken_back, false },
  { "contours-are-pulled-by-keys-alone", test_pull_by_keys, false },
};

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  const bool all = !g_getenv ("ODL_TEST_ENGINE");
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/measures/", tests[i].name, NULL);
    if (all || tests[i].on_every_canvas)
      ADD (path, tests[i].test);
  }
  return g_test_run ();
}
