// SPDX-License-Identifier: MIT
// Profiles in the real window: what is plotted is what lies along the line, before and
// after the filters and of the frame that is shown, and both point at the same place.
#include <math.h>
#include <string.h>

#include "support/annotating.h"
#include "image/annotation/table.h"
#include "widgets/panels/measures/profile_plot.h"

// NULL: its window is not open.
static OdlProfilePlot *
plot_of (Fixture *fixture)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (gtk_window_get_transient_for (at->data) == GTK_WINDOW (fixture->window)
        && g_object_get_data (at->data, "profile"))
      return ODL_PROFILE_PLOT (find_widget (at->data, ODL_TYPE_PROFILE_PLOT));
  return NULL;
}

static bool
has_values (Fixture *fixture, const void *data)
{
  const double *wanted = data; // first and last one
  OdlProfilePlot *plot = plot_of (fixture);
  const OdlProfile *profile = plot ? odl_profile_plot_get (plot) : NULL;
  return profile && profile->n > 1 && fabs (profile->before[0] - wanted[0]) < 1e-3
         && fabs (profile->before[profile->n - 1] - wanted[1]) < 1e-3;
}

static bool
has_after (Fixture *fixture, const void *data)
{
  OdlProfilePlot *plot = plot_of (fixture);
  return plot && odl_profile_plot_get (plot)->after;
}

static void
draw (Fixture *fixture, OdlPoint from, OdlPoint to)
{
  if (!g_str_equal (odl_viewport_tool (fixture->viewport), "profile"))
    activate_and_settle (fixture, "tool", "'profile'");
  drag (fixture, from, to);
}

static void
test_values (Fixture *fixture, const void *data)
{
  static const double wanted[] = { 10, 30 };
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  g_assert_null (plot_of (fixture));
  draw (fixture, (OdlPoint){ 50, 70.5 }, (OdlPoint){ 150, 70.5 });
  wait_until (fixture, has_values, wanted);
  const OdlProfile *profile = odl_profile_plot_get (plot_of (fixture));
  g_assert_cmpint (profile->n, >=, 101);
  g_assert_cmpint (profile->n, <=, 102);
  g_assert_cmpstr (profile->at_unit, ==, "px");
  g_assert_null (profile->after);
  for (int i = 0; i < profile->n; i++)
    if (fabs (profile->at[i] - 50) > 1.1)
      g_assert_cmpfloat_with_epsilon (profile->before[i], profile->at[i] < 50 ? 10 : 30,
                                      1e-3);
  set_filters (fixture, "gaussian:sigma=4");
  wait_until (fixture, has_after, NULL);
  profile = odl_profile_plot_get (plot_of (fixture));
  const double step = profile->after[50] - profile->after[46];
  g_assert_cmpfloat (step, >, 4);
  g_assert_cmpfloat (step, <, 12);
  g_autofree char *table = odl_profile_to_csv (profile);
  g_auto (GStrv) rows = g_strsplit (table, "\n", -1);
  g_assert_cmpstr (rows[0], ==, "x,y,at,at_unit,before,after,unit");
  g_assert_cmpint ((int) g_strv_length (rows), ==, profile->n + 2);
  // Undone with the line.
  activate_and_settle (fixture, "undo", NULL); // the filter
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (count (fixture), ==, 0);
}

static bool
marks_middle (Fixture *fixture, const void *data)
{
  OdlPoint at;
  const OdlPoint *wanted = data;
  return odl_viewport_profile_mark (fixture->viewport, &at)
         && hypot (at.x - wanted->x, at.y - wanted->y) < 1.5;
}

static bool
stands_at (Fixture *fixture, const void *data)
{
  const double *wanted = data;
  return fabs (odl_profile_plot_at (plot_of (fixture)) - *wanted) < 1.5;
}

// The crosshair of the plot is marked on the line; over the line the pointer moves it.
static void
test_pointing (Fixture *fixture, const void *data)
{
  static const double wanted[] = { 10, 30 }, quarter = 25;
  static const OdlPoint middle = { 100, 70 };
  g_autofree char *path = write_halves (fixture, "a.png", 10, 30);
  open_and_wait (fixture, path);
  draw (fixture, (OdlPoint){ 50, 70 }, (OdlPoint){ 150, 70 });
  wait_until (fixture, has_values, wanted);
  OdlProfilePlot *plot = plot_of (fixture);
  hover (fixture, 75, 71);
  wait_until (fixture, stands_at, &quarter);
  g_autofree char *text = odl_profile_plot_text (plot);
  g_assert_true (g_str_has_suffix (text, "px: 10 luma")
                 || g_str_has_suffix (text, "px: 10.00 luma")
                 || g_str_has_suffix (text, "px: 10.0 luma"));
  hover (fixture, 20, 20);
  odl_profile_plot_set_at (plot, 50);
  odl_viewport_mark_profile (fixture->viewport, 50);
  wait_until (fixture, marks_middle, &middle);
}

// It follows the frames.
static void
test_moving (Fixture *fixture, const void *data)
{
  static const double first[] = { 10, 30 }, second[] = { 200, 60 };
  g_free (write_halves (fixture, "p1.png", 10, 30));
  g_free (write_halves (fixture, "p2.png", 200, 60));
  g_autofree char *location = g_strconcat ("sequence:", fixture->folder, NULL);
  open_and_wait (fixture, location);
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  settle (fixture);
  draw (fixture, (OdlPoint){ 50, 70 }, (OdlPoint){ 150, 70 });
  wait_until (fixture, has_values, first);
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  settle (fixture);
  draw (fixture, (OdlPoint){ 50, 70 }, (OdlPoint){ 150, 70 });
  wait_until (fixture, has_values, second);
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  wait_until (fixture, has_values, first);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/profile/values-before-and-after-the-filters", test_values);
  ADD ("/profile/plot-and-line-point-at-one-place", test_pointing);
  ADD ("/profile/follows-the-frames", test_moving);
  return g_test_run ();
}
