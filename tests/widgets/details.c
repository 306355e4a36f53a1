// SPDX-License-Identifier: MIT
// Small things in the real window that people trip over.
#include "support.h"

static char *
write_grey16 (Fixture *fixture, const char *name)
{
  g_autofree char *header
      = g_strdup_printf ("NDims = 2\nDimSize = 80 60\nElementType = MET_USHORT\n"
                         "ElementDataFile = %s.raw\n",
                         name);
  g_autofree char *file = g_strconcat (name, ".mhd", NULL);
  g_autofree char *data = g_strconcat (name, ".raw", NULL);
  char *path = g_build_filename (fixture->folder, file, NULL);
  g_autofree char *raw = g_build_filename (fixture->folder, data, NULL);
  guint16 samples[80 * 60];
  for (int i = 0; i < 80 * 60; i++)
    samples[i] = (guint16) (i * 13);
  g_assert_true (g_file_set_contents (path, header, -1, NULL));
  g_assert_true (g_file_set_contents (raw, (const char *) samples, sizeof samples, NULL));
  return path;
}

static void
look_closer (Fixture *fixture)
{
  odl_viewport_zoom_by (fixture->viewport, 3);
  odl_viewport_pan (fixture->viewport, 30, -20);
  odl_viewport_set_window (fixture->viewport, 90, 60);
  odl_viewport_set_invert (fixture->viewport, true);
  odl_viewport_rotate (fixture->viewport, 1);
  settle (fixture);
}

static void
test_view_is_kept (Fixture *fixture, const void *data)
{
  const struct {
    char *path;
    bool kept;
  } files[] = {
    { write_png (fixture, "same.png", 80, 60, false), true },
    { write_png (fixture, "larger.png", 81, 60, false), false },
    { write_grey16 (fixture, "deep"), false },
  };
  g_autofree char *first = write_png (fixture, "first.png", 80, 60, false);
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (files); i++) {
    const bool asked = i < G_N_ELEMENTS (files);
    const size_t at = i % G_N_ELEMENTS (files);
    const bool kept = asked && files[at].kept;
    odl_viewport_set_keeps_view (fixture->viewport, asked);
    open_and_wait (fixture, first);
    odl_viewport_fit (fixture->viewport);
    look_closer (fixture);
    const OdlView before = *odl_viewport_view (fixture->viewport);
    open_and_wait (fixture, files[at].path);
    g_test_message ("%s", files[at].path);
    const OdlView *view = odl_viewport_view (fixture->viewport);
    const OdlWindow window = odl_viewport_window (fixture->viewport);
    g_assert_true (view->fit == !kept);
    g_assert_true ((view->zoom == before.zoom) == kept);
    g_assert_true ((view->centre.x == before.centre.x) == kept);
    g_assert_true ((window.mode == ODL_WINDOW_CUSTOM) == kept);
    if (kept)
      g_assert_cmpfloat (window.centre, ==, 90);
    // These would mislead.
    g_assert_false (window.invert);
    g_assert_cmpint (view->quarter_turns, ==, 0);
    g_free (asked ? NULL : files[at].path);
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/details/the-view-stays-with-its-kind", test_view_is_kept);
  return g_test_run ();
}
