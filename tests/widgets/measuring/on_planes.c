// SPDX-License-Identifier: MIT
// Measuring on the planes of a volume in the real window: they stay where they were
// drawn, and say what the command line says.
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "support/annotating.h"

#include "image/volume/oblique.h"
#include "widgets/panels/measures/histogram.h"
#include "widgets/transport/transport.h"

#define ACROSS 50
#define DOWN 40
#define SLICES 12

// Of 0.7 × 0.9 × 2.5 mm: a ramp of its own along each axis.
static char *
write_volume_at (Fixture *fixture, const char *place)
{
  char *path = g_build_filename (fixture->folder, "v.mha", NULL);
  g_autoptr (GString) text = g_string_new ("ObjectType = Image\nNDims = 3\nDimSize = 50 "
                                           "40 12\nElementSpacing = 0.7 0.9 2.5\n");
  g_string_append_printf (text, "%sElementType = MET_SHORT\nElementDataFile = LOCAL\n",
                          place);
  for (int z = 0; z < SLICES; z++)
    for (int y = 0; y < DOWN; y++)
      for (int x = 0; x < ACROSS; x++) {
        const gint16 value = (gint16) (20 * x + 7 * y * y - 90 * z);
        g_string_append_len (text, (const char *) &value, sizeof value);
      }
  g_file_set_contents (path, text->str, (gssize) text->len, NULL);
  return path;
}

static char *
write_volume (Fixture *fixture)
{
  return write_volume_at (fixture, "");
}

static bool
shows_planes (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->planes;
}

static void
open_planes (Fixture *fixture, const char *path)
{
  open_and_wait (fixture, path);
  odl_session_set_planes (fixture->session, true);
  wait_until (fixture, shows_planes, NULL);
  odl_session_set_voxel (fixture->session, &(OdlVoxel){ { 25, 20, 6 } });
  settle (fixture);
}

static void
use (Fixture *fixture, const char *name)
{
  g_autofree char *parameter = g_strdup_printf ("'%s'", name);
  activate_and_settle (fixture, "tool", parameter);
  g_assert_cmpstr (odl_viewport_tool (fixture->viewport), ==, name);
}

// What is drawn over the picture.
static int
n_drawn (Fixture *fixture)
{
  settle (fixture);
  return fixture->viewport->items ? (int) fixture->viewport->items->len : 0;
}

static const char *
drawn_text (Fixture *fixture, int i)
{
  g_assert_cmpint (n_drawn (fixture), >, i);
  return g_array_index (fixture->viewport->items, OdlDrawingItem, i).text;
}

// A position of a plane in the picture.
static OdlPoint
on_plane (Fixture *fixture, OdlPlaneKind plane, double x, double y)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  return (OdlPoint){ planes.planes[plane].x + x, planes.planes[plane].y + y };
}

// Of the axial plane, in logical pixels of the canvas.
static OdlPoint
on_canvas_of_planes (Fixture *fixture, double x, double y)
{
  GtkWidget *viewport = GTK_WIDGET (fixture->viewport);
  return odl_view_to_canvas (
      odl_viewport_view (fixture->viewport), gtk_widget_get_width (viewport),
      gtk_widget_get_height (viewport), on_plane (fixture, ODL_PLANE_AXIAL, x, y));
}

static void
draw (Fixture *fixture, OdlPlaneKind plane, OdlPoint from, OdlPoint to)
{
  drag (fixture, on_plane (fixture, plane, from.x, from.y),
        on_plane (fixture, plane, to.x, to.y));
}

static void
step (Fixture *fixture, int axis, int by)
{
  odl_session_step_voxel (fixture->session, axis, by);
  settle (fixture);
}

static void
set_slab (Fixture *fixture, OdlSlabKind kind)
{
  odl_session_set_slab (fixture->session, &(OdlSlab){ kind, 9 });
  settle (fixture);
}

static void
test_place (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume (fixture);
  open_planes (fixture, path);
  use (fixture, "length");
  // 30 and 40 pixels of 0.7 mm.
  draw (fixture, ODL_PLANE_CORONAL, (OdlPoint){ 5, 1 }, (OdlPoint){ 35, 41 });
  g_assert_cmpstr (drawn_text (fixture, 0), ==, "35.0 mm");
  const OdlAnnotation *drawn = odl_annotations_at (annotations (fixture), 0);
  g_autofree char *where = odl_on_plane_to_text (&drawn->on);
  g_assert_cmpstr (where, ==, "coronal:20");
  step (fixture, 1, 1);
  g_assert_cmpint (n_drawn (fixture), ==, 0);
  step (fixture, 1, -1);
  step (fixture, 0, 3); // along the plane
  step (fixture, 2, -2);
  g_assert_cmpint (n_drawn (fixture), ==, 1);
  set_slab (fixture, ODL_SLAB_MAXIMUM);
  g_assert_cmpint (n_drawn (fixture), ==, 0);
  set_slab (fixture, ODL_SLAB_SLICE);
  g_assert_cmpint (n_drawn (fixture), ==, 1);
  // A turned one is another one.
  const OdlPlanes planes
      = odl_planes_of (odl_image_info (odl_session_frame (fixture->session)->volume));
  OdlOblique turned = odl_oblique_straight (&planes, ODL_PLANE_CORONAL);
  odl_oblique_turn (&planes, &turned, ODL_PLANE_AXIAL, 0.3);
  odl_session_set_oblique (fixture->session, &turned);
  g_assert_cmpint (n_drawn (fixture), ==, 0);
  draw (fixture, ODL_PLANE_CORONAL, (OdlPoint){ 5, 1 }, (OdlPoint){ 35, 1 });
  g_assert_cmpint (count (fixture), ==, 2);
  g_assert_cmpstr (drawn_text (fixture, 0), ==, "21.0 mm");
  step (fixture, 0, 1);
  g_assert_cmpint (n_drawn (fixture), ==, 0);
  odl_session_set_oblique (fixture->session, &(OdlOblique){ 0 });
  g_assert_cmpint (n_drawn (fixture), ==, 1);
  // Nor is it on a slice.
  odl_session_set_planes (fixture->session, false);
  g_assert_cmpint (n_drawn (fixture), ==, 0);
}

static void
test_edges (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume (fixture);
  open_planes (fixture, path);
  use (fixture, "length");
  // Into the plane beside it: it ends at the edge.
  draw (fixture, ODL_PLANE_AXIAL, (OdlPoint){ 10, 10 }, (OdlPoint){ 10, 75 });
  const OdlAnnotation *drawn = odl_annotations_at (annotations (fixture), 0);
  g_assert_cmpint (drawn->on.plane, ==, ODL_PLANE_AXIAL);
  g_assert_cmpfloat_with_epsilon (drawn->points[1].y, 52, 1e-6);
  // It is moved where it lies, removed and undone as all others.
  draw (fixture, ODL_PLANE_AXIAL, (OdlPoint){ 30, 10 }, (OdlPoint){ 30, 40 });
  g_assert_cmpstr (drawn_text (fixture, 1), ==, "21.0 mm");
  g_assert_true (press (fixture, GDK_KEY_Delete, 0));
  g_assert_cmpint (n_drawn (fixture), ==, 1);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpstr (drawn_text (fixture, 1), ==, "21.0 mm");
  // Beside the axial plane there is none.
  draw (fixture, ODL_PLANE_AXIAL, (OdlPoint){ 70, 20 }, (OdlPoint){ 80, 20 });
  g_assert_cmpint (count (fixture), ==, 2);
  wait_until (fixture, has_toast, "has no depth");
}

static void
test_words (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume (fixture);
  g_autofree char *table = g_build_filename (fixture->folder, "table.csv", NULL);
  g_autofree char *got = NULL;
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;
  open_planes (fixture, path);
  set_filters (fixture, "gaussian:sigma=2");
  settle (fixture);
  use (fixture, "ellipse");
  draw (fixture, ODL_PLANE_SAGITTAL, (OdlPoint){ 5, 6 }, (OdlPoint){ 30, 26 });
  const OdlAnnotation *drawn = odl_annotations_at (annotations (fixture), 0);
  g_autofree char *numbers = odl_annotation_to_numbers (drawn);
  const char *const arguments[] = { g_getenv ("ODL_CLI"),
                                    "measure",
                                    "v.mha",
                                    "--csv",
                                    "--filter",
                                    "gaussian:sigma=2",
                                    "--plane",
                                    "sagittal:25",
                                    "--ellipse",
                                    numbers,
                                    NULL };
  g_spawn_sync (fixture->folder, (char **) arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                &expected, NULL, NULL, &error);
  g_assert_no_error (error);
  activate_with_text (fixture, "save-measures-to", table);
  wait_until (fixture, has_toast, "Saved “table.csv”");
  g_file_get_contents (table, &got, NULL, NULL);
  g_assert_cmpstr (got, ==, expected);
  g_assert_nonnull (strstr (got, ",sagittal:25,,,\n"));
  // What is drawn says the same mean.
  OdlMeasurement mean = { .name = "mean", .label = "mean", .unit = "", .decimals = 1 };
  const char *row = strstr (got, ",mean,");
  g_auto (GStrv) fields = g_strsplit (row, ",", 6);
  mean.value = g_ascii_strtod (fields[2], NULL);
  mean.after = g_ascii_strtod (fields[3], NULL);
  g_autofree char *words = odl_measurement_to_text (&mean);
  g_assert_nonnull (strstr (drawn_text (fixture, 0), words));
  // Its grey levels are the window's.
  g_assert_true (odl_viewport_window_region (fixture->viewport));
  double centre, width;
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  g_auto (GStrv) least = g_strsplit (strstr (got, ",min,"), ",", 4);
  g_assert_cmpfloat_with_epsilon (centre - width / 2, g_ascii_strtod (least[2], NULL), 1);
}

static bool
counts_values (Fixture *fixture, const void *data)
{
  OdlHistogram *histogram
      = ODL_HISTOGRAM (find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_HISTOGRAM));
  // Both ends of the values are equally far from the edges.
  const double ends = odl_histogram_place (histogram, -90.0 * (SLICES - 1))
                      + odl_histogram_place (histogram, 20.0 * 49 + 7.0 * 39 * 39);
  return fabs (ends - 1) < 1e-3;
}

// Not those of the gaps between the planes.
static void
test_histogram (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume (fixture);
  open_planes (fixture, path);
  unfold_levels (fixture);
  wait_until (fixture, counts_values, NULL);
}

// Slices have places, and no times.
static void
test_transport (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume_at (
      fixture, "TransformMatrix = 1 0 0 0 1 0 0 0 -1\nOffset = 0 0 4\n");
  open_planes (fixture, path);
  GtkWidget *transport = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_TRANSPORT);
  // The slice 6 of 0 … 11 from below; the lowest one is 11 · 2.5 mm below the first.
  g_assert_true (has_label (transport, "-8.5 mm"));
  step (fixture, 2, 1);
  g_assert_true (has_label (transport, "-6.0 mm"));
  g_autofree char *plain = write_volume (fixture);
  open_planes (fixture, plain);
  g_assert_false (has_label (transport, " mm"));
  g_assert_false (has_label (transport, "0:0"));
}

// The words of the badge are wider than the last column leaves them room: the divider in
// it ends above them.
static bool
ends_above_badge (Fixture *fixture, const void *data)
{
  GtkWidget *viewport = GTK_WIDGET (fixture->viewport);
  GtkWidget *child = gtk_widget_get_first_child (fixture->viewport->wipe_bar);
  int n = 0, crossed = 0;
  for (; child; child = gtk_widget_get_next_sibling (child)) {
    graphene_rect_t where;
    if (!gtk_widget_has_css_class (child, "divider") || !gtk_widget_get_mapped (child)
        || !gtk_widget_compute_bounds (child, viewport, &where))
      continue;
    const int x = (int) (where.origin.x + where.size.width / 2);
    const int top = odl_viewport_badge_top (fixture->viewport, x - 1, x + 1);
    if ((double) (where.origin.y + where.size.height) > top + 0.5)
      return false;
    n++;
    crossed += top < gtk_widget_get_height (viewport);
  }
  return n == 2 && crossed > 0;
}

static void
test_divider (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume (fixture);
  open_planes (fixture, path);
  set_filters (fixture, "median gaussian sharpen box median gaussian sharpen");
  activate_and_settle (fixture, "wipe", NULL);
  wait_until (fixture, ends_above_badge, NULL);
}

// Pixels of row `y` of the canvas, from `first` on, that differ.
static int
n_differ (const Canvas *a, const Canvas *b, int first, int last, int y)
{
  int n = 0;
  for (int x = first; x < last; x++) {
    const size_t at = 4 * ((size_t) y * a->width + x);
    n += memcmp (a->rgba + at, b->rgba + at, 3) != 0;
  }
  return n;
}

// The cross-hair is as thin on large pixels as on small ones, and leaves its voxel open.
static void
test_thin_lines (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume (fixture);
  open_planes (fixture, path);
  odl_viewport_set_shows_corners (fixture->viewport, false);
  for (int i = 0; i < 2; i++) {
    const OdlPoint corner = on_canvas_of_planes (fixture, 0, 0);
    const OdlPoint end = on_canvas_of_planes (fixture, ACROSS, DOWN * 0.9 / 0.7);
    const OdlPoint centre = on_canvas_of_planes (fixture, 25.5, 20.5 * 0.9 / 0.7);
    const int away = (int) (centre.y + 0.3 * (end.y - centre.y));
    const int width = gtk_widget_get_width (GTK_WIDGET (fixture->viewport));
    const int left = MAX ((int) corner.x + 2, 0), right = MIN ((int) end.x - 2, width);
    settle (fixture);
    Canvas with = grab_canvas (fixture);
    activate_and_settle (fixture, "show-overlays", NULL);
    Canvas without = grab_canvas (fixture);
    activate_and_settle (fixture, "show-overlays", NULL);
    const int n = n_differ (&with, &without, left, right, away);
    g_test_message ("zoom %g: %d pixels", odl_viewport_zoom (fixture->viewport), n);
    g_assert_cmpint (n, >=, 1);
    g_assert_cmpint (n, <=, 3);
    g_assert_cmpint (n_differ (&with, &without, left, right, (int) centre.y), >, 20);
    g_assert_cmpint (n_differ (&with, &without, (int) centre.x - 2, (int) centre.x + 3,
                               (int) centre.y),
                     ==, 0);
    g_bytes_unref (with.bytes);
    g_bytes_unref (without.bytes);
    odl_viewport_zoom_by (fixture->viewport, 1.7);
  }
}

// Shares of full scale begin at the least number that the type holds, far below the
// window of the file, in which all energies would be black.
static void
test_energies (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_volume (fixture);
  double centre, width, energies_centre, energies_width;
  open_planes (fixture, path);
  const OdlImageInfo *info = odl_image_info (odl_session_frame (fixture->session)->input);
  const double least = info->stored_min;
  g_assert_cmpfloat (least, <, 0);
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  set_filters (fixture, "structure-tensor:output=energy");
  settle (fixture);
  odl_viewport_get_window (fixture->viewport, &energies_centre, &energies_width);
  g_assert_cmpfloat_with_epsilon (energies_width, width / 8, 1e-6 * width);
  g_assert_cmpfloat_with_epsilon (energies_centre, least + width / 16, 1e-6 * width);
  Canvas canvas = grab_canvas (fixture);
  const OdlPoint corner = on_canvas_of_planes (fixture, 2, 2);
  const OdlPoint end = on_canvas_of_planes (fixture, ACROSS - 2, DOWN - 2);
  int greys = 0, all = 0;
  for (int y = (int) fmax (corner.y, 0); y < (int) end.y; y++)
    for (int x = (int) fmax (corner.x, 0); x < (int) end.x; x++, all++) {
      const uint8_t grey = canvas.rgba[4 * ((size_t) y * canvas.width + x)];
      greys += grey > 20 && grey < 250;
    }
  g_bytes_unref (canvas.bytes);
  g_test_message ("%d of %d pixels are grey", greys, all);
  g_assert_cmpint (greys, >, all / 4);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/on-planes/lie-on-their-plane", test_place);
  ADD ("/on-planes/end-at-its-edge-and-are-undone", test_edges);
  ADD ("/on-planes/dividers-leave-the-badge-legible", test_divider);
  ADD ("/on-planes/lines-are-thin-at-every-zoom", test_thin_lines);
  ADD ("/on-planes/energies-have-a-window-of-their-own", test_energies);
  ADD ("/on-planes/say-what-the-command-line-says", test_words);
  ADD ("/on-planes/the-histogram-counts-voxels-alone", test_histogram);
  ADD ("/on-planes/slices-have-places-and-no-times", test_transport);
  return g_test_run ();
}
