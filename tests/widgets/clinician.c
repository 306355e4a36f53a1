// SPDX-License-Identifier: MIT
// The window of somebody who examines patients: what is shown before it is asked for.
#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "config.h"

#include "support/patient.h"
#include "support/support.h"

#include "widgets/panels/filter_card.h"
#include "widgets/window/parts.h"

#define PANEL_WIDTH 320

static bool
filters_are_open (Fixture *fixture)
{
  return is_on (fixture, "show-filters");
}

static bool
parameters_are_open (Fixture *fixture)
{
  return gtk_expander_get_expanded (odl_filter_panel_parameters (
      odl_main_window_parts (fixture->window)->filter_panel));
}

// Closed for examinations until asked for; what was chosen is kept for each of the two.
static void
test_on_request (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  g_autofree char *ct = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *png = write_png (fixture, "a.png", 64, 48, false);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  g_assert_false (filters_are_open (fixture));
  open_and_wait (fixture, mr);
  g_assert_false (filters_are_open (fixture));
  open_and_wait (fixture, png);
  g_assert_true (filters_are_open (fixture));
  g_assert_true (parameters_are_open (fixture));
  open_and_wait (fixture, ct);
  g_assert_false (filters_are_open (fixture));
  activate (fixture, "show-filters", NULL);
  g_assert_true (filters_are_open (fixture));
  g_assert_false (parameters_are_open (fixture));
  open_and_wait (fixture, mr);
  g_assert_true (filters_are_open (fixture));
  open_and_wait (fixture, png);
  activate (fixture, "show-filters", NULL);
  g_assert_false (filters_are_open (fixture));
  open_and_wait (fixture, mr);
  g_assert_true (filters_are_open (fixture));
  g_assert_true (odl_settings_get_boolean (fixture->settings, "show-filters-medical"));
  g_assert_false (odl_settings_get_boolean (fixture->settings, "show-filters"));
}

static bool
is_folded (Fixture *fixture, const void *data)
{
  return adw_flap_get_folded (
      odl_window_child (odl_main_window_parts (fixture->window), "filters_flap"));
}

static bool
is_wide (Fixture *fixture, const void *data)
{
  return !is_folded (fixture, data);
}

// A window that was narrow for a while shows what it did before.
static void
test_narrow_for_a_while (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  odl_settings_set_boolean (fixture->settings, "show-filters-medical", FALSE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, mr);
  for (int i = 0; i < 2; i++) {
    const bool shown = i > 0;
    g_assert_true (filters_are_open (fixture) == shown);
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), 450, 600);
    wait_until (fixture, is_folded, NULL);
    g_assert_false (filters_are_open (fixture));
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
    wait_until (fixture, is_wide, NULL);
    run_cycles (fixture, 3);
    g_assert_true (filters_are_open (fixture) == shown);
    if (!shown)
      activate (fixture, "show-filters", NULL);
  }
}

// Both go at once, and come back as they were.
static void
test_panels (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  odl_settings_set_boolean (fixture->settings, "show-filters-medical", FALSE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, mr);
  g_assert_true (is_on (fixture, "show-sources"));
  activate (fixture, "show-panels", NULL);
  g_assert_false (is_on (fixture, "show-sources"));
  activate (fixture, "show-panels", NULL);
  g_assert_true (is_on (fixture, "show-sources"));
  g_assert_false (is_on (fixture, "show-filters"));
}

static const char *
line_above (Fixture *fixture)
{
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  return gtk_widget_get_mapped (odl_window_child (parts, "window_line"))
             ? gtk_label_get_text (odl_window_child (parts, "window_line"))
             : NULL;
}

static bool
is_above (Fixture *fixture, const void *data)
{
  return line_above (fixture) && *line_above (fixture);
}

static bool
is_not_above (Fixture *fixture, const void *data)
{
  return !line_above (fixture) || !*line_above (fixture);
}

// In the corner of an examination, else above the picture.
static void
test_said_once (Fixture *fixture, const void *data)
{
  g_autofree char *ct = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *png = write_png (fixture, "a.png", 64, 48, false);
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, ct);
  wait_until (fixture, is_not_above, NULL);
  run_cycles (fixture, 2);
  g_assert_null (line_above (fixture));
  g_assert_true (has_label (canvas, "W 100 HU"));
  g_assert_false (has_label (canvas, "cpu"));
  odl_session_set_engine (fixture->session, "cpu:scalar");
  set_filters (fixture, "gaussian");
  run_cycles (fixture, 2);
  g_assert_false (has_label (canvas, "cpu")); // nor which engine
  activate (fixture, "show-corners", NULL);
  wait_until (fixture, is_above, NULL);
  g_assert_nonnull (strstr (line_above (fixture), "W 100 HU"));
  activate (fixture, "show-corners", NULL);
  wait_until (fixture, is_not_above, NULL);
  open_and_wait (fixture, png);
  wait_until (fixture, is_above, NULL);
}

// However long the names of filters, parameters and choices are.
static void
test_one_width (Fixture *fixture, const void *data)
{
  GtkWidget *panel = GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel);
  g_autofree char *png = write_png (fixture, "a.png", 64, 48, true);
  open_and_wait (fixture, png);
  for (size_t i = 1; i < odl_filter_count (); i++) {
    OdlRecipe recipe;
    int least;
    odl_recipe_init (&recipe);
    odl_recipe_append (&recipe, odl_filter_at (i));
    odl_recipe_append (&recipe, odl_filter_at (i));
    odl_session_set_recipe (fixture->session, &recipe, NULL);
    settle (fixture);
    gtk_widget_measure (panel, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    g_test_message ("%s: %d", odl_filter_at (i)->name, least);
    g_assert_cmpint (least, ==, PANEL_WIDTH);
  }
}

// ---- statistics ----------------------------------------------------------------------

// 10 left of column 100; then 20 and 30 by turns.
static char *
write_stripes (Fixture *fixture)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 200, 100);
  guchar *bytes = gdk_pixbuf_get_pixels (pixbuf);
  for (int y = 0; y < 100; y++)
    for (int x = 0; x < 200; x++)
      memset (bytes + y * gdk_pixbuf_get_rowstride (pixbuf) + 3 * x,
              x < 100      ? 10
              : x % 2 == 0 ? 20
                           : 30,
              3);
  char *path = g_build_filename (fixture->folder, "stripes.png", NULL);
  g_assert_true (gdk_pixbuf_save (pixbuf, path, "png", NULL, NULL));
  return path;
}

static void
draw (Fixture *fixture, const OdlAnnotationKind *kind, const char *numbers)
{
  OdlAnnotation annotation;
  g_assert_true (odl_annotation_from_text (kind, numbers, &annotation));
  annotation.id = 0;
  annotation.frame = 0;
  odl_session_annotate (fixture->session, &annotation);
}

typedef struct {
  bool done;
  char *text;
} Clipboard;

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  Clipboard *clipboard = data;
  clipboard->text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (object), result, NULL);
  clipboard->done = true;
}

static bool
is_read (Fixture *fixture, const void *clipboard)
{
  return ((const Clipboard *) clipboard)->done;
}

static char *
clipboard_text (Fixture *fixture)
{
  Clipboard clipboard = { 0 };
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)),
                                 NULL, read_cb, &clipboard);
  wait_until (fixture, is_read, &clipboard);
  g_assert_nonnull (clipboard.text);
  return clipboard.text;
}

// A cell of the table: the value before, or after, of a row.
static double
cell (const char *table, const char *of, const char *name, int column)
{
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  for (int i = 0; lines[i]; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);
    if (g_strv_length (cells) == 6 && g_str_has_suffix (cells[0], of)
        && g_str_equal (cells[1], name))
      return *cells[column] ? g_ascii_strtod (cells[column], NULL) : NAN;
  }
  g_error ("no %s of %s in\n%s", name, of, table);
}

static GtkWidget *
find_statistics (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (g_object_get_data (at->data, "statistics"))
      return at->data;
  return NULL;
}

static bool
has_tip (GtkWidget *widget, const void *tip)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), tip) == 0;
}

static bool
is_compared (Fixture *fixture, const void *reference)
{
  const OdlReferenceNumbers *numbers = odl_reference_numbers (reference);
  return numbers && numbers->after.rms > 0;
}

// Numbers by hand, of an ellipse and a polygon; after the filters by the formulas that
// stand beside them.
static void
test_statistics (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_stripes (fixture);
  open_and_wait (fixture, path);
  activate (fixture, "region-statistics", NULL);
  GtkWidget *window = find_statistics ();
  g_assert_nonnull (window);
  g_assert_true (has_label (window, "Draw a Region"));
  draw (fixture, &odl_annotation_polygon, "120,10,180,10,180,90,120,90");
  draw (fixture, &odl_annotation_ellipse, "10,10,60,60");
  settle (fixture);
  let_pass (600);
  g_assert_true (has_label (window, "CNR"));
  g_assert_true (has_label (window, "|μ(region) − μ(background)|"));
  odl_session_set_engine (fixture->session, "cpu");
  set_filters (fixture, "gaussian:sigma=0.4");
  OdlReference *reference = odl_main_window_parts (fixture->window)->reference;
  odl_reference_set_file (reference, path);
  wait_until (fixture, is_compared, reference);
  let_pass (600);
  g_signal_emit_by_name (find_where (window, has_tip, "Copy as a table"), "clicked");
  g_autofree char *table = clipboard_text (fixture);
  g_assert_cmpfloat_with_epsilon (cell (table, "region", "mean", 2), 10, 1e-4);
  g_assert_cmpfloat_with_epsilon (cell (table, "region", "sigma", 2), 0, 1e-4);
  g_assert_cmpfloat_with_epsilon (cell (table, "background", "mean", 2), 25, 1e-4);
  g_assert_cmpfloat_with_epsilon (cell (table, "background", "sigma", 2), 5, 1e-4);
  g_assert_cmpfloat_with_epsilon (cell (table, "background", "n", 2), 60 * 80, 1e-4);
  static const struct {
    const char *name;
    double value;
  } both[] = {
    { "snr", 2 }, { "cnr", 3 }, { "gcnr", 1 }, { "enl", 25 }, { "speckle_index", 0.2 }
  };
  for (size_t i = 0; i < G_N_ELEMENTS (both); i++)
    g_assert_cmpfloat_with_epsilon (cell (table, "both", both[i].name, 2), both[i].value,
                                    1e-4);
  const double mean = cell (table, "background", "mean", 3);
  const double sigma = cell (table, "background", "sigma", 3);
  g_assert_cmpfloat_with_epsilon (mean, 25, 0.01);
  g_assert_cmpfloat (sigma, <, 4.9);
  g_assert_cmpfloat_with_epsilon (cell (table, "both", "cnr", 3), (mean - 10) / sigma,
                                  0.01);
  g_assert_cmpfloat_with_epsilon (cell (table, "both", "speckle_index", 3), sigma / mean,
                                  0.001);
  // Against itself; after the filters by the formula, again.
  const double mse = cell (table, "reference", "mse", 3);
  g_assert_cmpfloat (cell (table, "reference", "mse", 2), ==, 0);
  g_assert_cmpfloat (cell (table, "reference", "psnr", 2), ==, INFINITY);
  g_assert_cmpfloat_with_epsilon (cell (table, "reference", "psnr", 3), -10 * log10 (mse),
                                  1e-3);
  g_assert_cmpfloat_with_epsilon (cell (table, "reference", "edges", 2), 1, 1e-6);
  g_assert_cmpfloat (cell (table, "reference", "edges", 3), <, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

// For a lab book: filters, versions, what was measured; pasted it is the filters again.
static void
test_lab_book (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_stripes (fixture);
  open_and_wait (fixture, path);
  draw (fixture, &odl_annotation_ellipse, "120,10,60,60");
  draw (fixture, &odl_annotation_ellipse, "10,10,60,60");
  odl_session_set_engine (fixture->session, "cpu");
  set_filters (fixture, "gaussian:sigma=2");
  const OdlRecipe before = *odl_session_recipe (fixture->session);
  activate (fixture, "copy-recipe", NULL);
  g_autofree char *text = clipboard_text (fixture);
  g_assert_true (g_str_has_prefix (text, "gaussian:sigma=2 "));
  g_assert_nonnull (strstr (text, "\n# Ondelette " ODL_VERSION));
  g_assert_nonnull (strstr (text, "engine cpu"));
  g_assert_nonnull (strstr (text, "stripes.png"));
  g_assert_nonnull (strstr (text, "# background: ellipse 120,10,60,60"));
  g_assert_cmpfloat (cell (text, "both", "cnr", 3), >, cell (text, "both", "cnr", 2));
  g_assert_null (strstr (text, "# filters")); // there is but one
  // Of two it tells which one this is, and the other one.
  activate (fixture, "copy-recipe-over", NULL);
  activate (fixture, "recipe", "'B'");
  set_filters (fixture, "median:size=5");
  activate (fixture, "copy-recipe", NULL);
  g_autofree char *second = clipboard_text (fixture);
  g_assert_true (g_str_has_prefix (second, "median:size=5 "));
  g_assert_nonnull (strstr (second, "\n# filters B; filters A: gaussian:sigma=2 "));
  activate_and_settle (fixture, "recipe", "'A'");
  activate (fixture, "copy-recipe", NULL);
  g_autofree char *first = clipboard_text (fixture);
  g_assert_true (g_str_has_prefix (first, "gaussian:sigma=2 "));
  g_assert_nonnull (strstr (first, "\n# filters A; filters B: median:size=5 "));
  // Hidden names stay hidden.
  activate (fixture, "mask-names", NULL);
  activate (fixture, "copy-recipe", NULL);
  g_autofree char *masked = clipboard_text (fixture);
  g_assert_null (strstr (masked, "stripes"));
  g_assert_nonnull (strstr (masked, "# Ondelette "));
  activate (fixture, "mask-names", NULL);
  activate_and_settle (fixture, "clear-recipe", NULL);
  activate (fixture, "paste-recipe", NULL);
  while (odl_session_recipe (fixture->session)->n_items == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (odl_recipe_equal (odl_session_recipe (fixture->session), &before));
}

// ---- whose picture it is -------------------------------------------------------------

static GtkWidget *
corner (Fixture *fixture, const char *name)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (fixture->viewport));
  while (child && !g_str_equal (gtk_widget_get_name (child), name))
    child = gtk_widget_get_next_sibling (child);
  g_assert_nonnull (child);
  return child;
}

static bool
names_patient (Fixture *fixture, const void *name)
{
  GtkWidget *label = corner (fixture, name);
  return gtk_widget_get_visible (label)
         && strstr (gtk_label_get_text (GTK_LABEL (label)), "Alpha, Erika");
}

static bool
names_patient_in_short (Fixture *fixture, const void *data)
{
  GtkWidget *label = corner (fixture, "corner-upper");
  return gtk_widget_get_width (GTK_WIDGET (fixture->viewport)) < 260
         && gtk_widget_get_visible (label)
         && g_str_equal (gtk_label_get_text (GTK_LABEL (label)), "Alpha,\nErika");
}

// Every view that shows a patient's pixels, or what was made of them, says whose.
static void
test_every_view_says_whose (Fixture *fixture, const void *data)
{
  static const struct {
    const char *view, *corner;
    bool has_sides;
  } rows[] = { { "'residual'", "corner-upper", true },
               { "'analysis'", "corner-lower", false },
               { "'filtered-analysis'", "corner-lower", false },
               { "'synthesis'", "corner-upper", true } };
  g_autofree char *path = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, path);
  set_filters (fixture, "shrinkage");
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("%s", rows[i].view);
    activate_and_settle (fixture, "view", rows[i].view);
    wait_until (fixture, names_patient, rows[i].corner);
    g_assert_cmpint (gtk_widget_get_visible (corner (fixture, "edge-left")), ==,
                     rows[i].has_sides);
  }
  activate_and_settle (fixture, "mask-names", NULL);
  activate_and_settle (fixture, "view", "'analysis'");
  g_assert_false (names_patient (fixture, "corner-lower"));
  activate_and_settle (fixture, "mask-names", NULL);
  activate_and_settle (fixture, "view", "'synthesis'");
  // Also in the panes of a narrow window.
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 500, 700);
  activate_and_settle (fixture, "layout", "'1x2'");
  wait_until (fixture, names_patient_in_short, NULL);
}

// What nothing was done to is not called processed.
static void
test_wipe_without_filters (Fixture *fixture, const void *data)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  g_autofree char *path = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "wipe", NULL);
  run_cycles (fixture, 3);
  g_assert_true (has_label (canvas, "No filters"));
  g_assert_false (has_label (canvas, "Processed"));
  set_filters (fixture, "gaussian");
  run_cycles (fixture, 3);
  g_assert_true (has_label (canvas, "Processed"));
}

// Relative luminance of grey (WCAG 2.1, from sRGB).
static double
luminance (double grey)
{
  return grey <= 0.03928 ? grey / 12.92 : pow ((grey + 0.055) / 1.055, 2.4);
}

// Words over a white picture are as legible as WCAG 2.1 (1.4.3) asks of small ones.
static void
test_legible_on_white (Fixture *fixture, const void *data)
{
  static const char *const names[] = { "corner-upper", "corner-lower", "edge-left" };
  g_autofree char *path = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, path);
  wait_until (fixture, names_patient, "corner-upper");
  run_cycles (fixture, 3);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    GtkWidget *label = corner (fixture, names[i]);
    const int width = gtk_widget_get_width (label),
              height = gtk_widget_get_height (label);
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (label);
    g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
    gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), width, height);
    g_autoptr (GskRenderNode) node
        = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
    GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (label));
    g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (
        renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
    g_autofree guint8 *pixels = g_malloc0 ((gsize) width * height * 4);
    gdk_texture_download (texture, pixels, (gsize) width * 4);
    // Behind the words: at the edge, in the middle of its height.
    const guint8 *pixel = pixels + ((gsize) height / 2 * width + 1) * 4;
    const double behind = (pixel[0] + 255.0 - pixel[3]) / 255; // premultiplied, on white
    const double contrast = 1.05 / (luminance (behind) + 0.05);
    g_test_message ("%s: %.1f", names[i], contrast);
    g_assert_cmpfloat (contrast, >=, 4.5);
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/clinician/filters-on-request", test_on_request);
  ADD ("/clinician/a-window-narrow-for-a-while", test_narrow_for_a_while);
  ADD ("/clinician/panels-come-back-as-they-were", test_panels);
  ADD ("/clinician/window-and-zoom-stand-once", test_said_once);
  ADD ("/clinician/statistics-of-regions-by-hand", test_statistics);
  ADD ("/clinician/a-text-for-the-lab-book", test_lab_book);
  ADD ("/clinician/the-panel-keeps-its-width", test_one_width);
  ADD ("/clinician/every-view-says-whose-picture-it-is", test_every_view_says_whose);
  ADD ("/clinician/a-wipe-without-filters", test_wipe_without_filters);
  ADD ("/clinician/corners-are-legible-on-white", test_legible_on_white);
  return g_test_run ();
}
