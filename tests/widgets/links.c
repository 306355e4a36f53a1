// SPDX-License-Identifier: MIT
// What panes of the real window have in common when they are linked: zoom, slice, grey
// levels, time.
#include <string.h>

#include "support/panes.h"
#include "widgets/viewport/private.h"

static const char *
note_of (Fixture *fixture, int n)
{
  GtkLabel *label = pane_at (fixture, n)->note;
  return gtk_widget_get_visible (GTK_WIDGET (label)) ? gtk_label_get_text (label) : NULL;
}

static int64_t
slice_of (Fixture *fixture, int n)
{
  return odl_playback_position (odl_session_playback (pane_at (fixture, n)->session));
}

typedef struct {
  int pane;
  int64_t frame;
} Shown;

// On screen, not only asked for.
static bool
shows_frame (Fixture *fixture, const void *data)
{
  const Shown *shown = data;
  const OdlFrame *frame = odl_session_frame (pane_at (fixture, shown->pane)->session);
  return frame && frame->index == shown->frame;
}

static void
wait_for_frame (Fixture *fixture, int pane, int64_t index)
{
  const Shown shown = { pane, index };
  wait_until (fixture, shows_frame, &shown);
}

static bool
shows_planes (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->planes && frame->volume;
}

// Side by side; the first one is the current one.
static void
open_both (Fixture *fixture, const Series rows[2], bool planes)
{
  for (int i = 0; i < 2; i++) {
    g_autofree char *location = write_series (fixture, &rows[i]);
    if (i == 1)
      lay_out (fixture, "1x2");
    open_in (fixture, i, location);
    if (planes) {
      odl_session_set_planes (fixture->session, true);
      wait_until (fixture, shows_planes, NULL);
      // Of slices from the right, the first file lies at the other end.
      g_assert_cmpint (odl_session_voxel (fixture->session).at[2], ==, rows[i].n / 2);
    }
  }
  go_to (fixture, 0);
}

static void
test_places (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 20, 0.5 },
    { "1.2", PATIENT_FRAME, 5, 6, 5, 1 },
  };
  open_both (fixture, rows, false);
  activate (fixture, "link-slices", NULL);
  // 0 mm is 5 mm from the first thick slice, more than half of their distance.
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  wait_for_frame (fixture, 0, 0);
  wait_for_frame (fixture, 1, 0);
  g_assert_true (strstr (note_of (fixture, 1), "5.0 mm away"));
  // 18 mm lies between 17 (number 2) and 23.
  odl_playback_seek (odl_session_playback (fixture->session), 9);
  wait_for_frame (fixture, 1, 2);
  g_assert_cmpstr (note_of (fixture, 1), ==, "Nearest slice, 1.0 mm from this place");
  // The other way round: 29 mm, and 28 comes first of 28 and 30.
  go_to (fixture, 1);
  odl_playback_seek (odl_session_playback (fixture->session), 4);
  wait_for_frame (fixture, 0, 14);
  g_assert_null (note_of (fixture, 1));
  activate (fixture, "link-slices", NULL);
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  wait_for_frame (fixture, 1, 0);
  run_cycles (fixture, 3);
  g_assert_cmpint (slice_of (fixture, 0), ==, 14);
  g_assert_null (note_of (fixture, 0));
}

static bool
has_voxel (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (pane_at (fixture, 1)->session);
  const OdlVoxel *voxel = data;
  return frame->planes && memcmp (&frame->voxel, voxel, sizeof *voxel) == 0;
}

// The cross-hair of three planes goes to the same place, along all axes.
static void
test_cross_hair (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 20, 0.5 },
    { "1.2", PATIENT_FRAME, 5, 6, 5, 1, .left = -8 },
  };
  open_both (fixture, rows, true);
  activate (fixture, "link-slices", NULL);
  // x = 12 mm = −8 + 20, y = 5 mm (both begin at −10 mm), z = 18 mm, near 17.
  const OdlVoxel fine = { { 24, 10, 9 } }, coarse = { { 20, 5, 2 } };
  odl_session_set_voxel (fixture->session, &fine);
  wait_until (fixture, has_voxel, &coarse);
}

// So it does where the other one is stored sagittally, from the right to the left, as its
// numbers run, which is against the normal.
static void
test_stored (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 20, 0.5 },
    { "1.2", PATIENT_FRAME, -5, 2.5, 12, 1, .sagittal = true },
  };
  open_both (fixture, rows, true);
  activate (fixture, "link-slices", NULL);
  // x = 12 mm, y = 2 mm, z = 18 mm: 12 rows behind −10 mm, 2 rows below 20 mm, and near
  // the slice at 12.5 mm, the eighth from the right.
  const OdlVoxel axial = { { 24, 24, 9 } }, sagittal = { { 12, 2, 7 } };
  odl_session_set_voxel (fixture->session, &axial);
  wait_until (fixture, has_voxel, &sagittal);
  g_assert_cmpstr (note_of (fixture, 1), ==, "Cross-hair at the same place");
  const OdlVoxel above = { { 24, 24, 19 } }, top = { { 12, 0, 7 } };
  odl_session_set_voxel (fixture->session, &above);
  wait_until (fixture, has_voxel, &top);
  g_assert_cmpstr (note_of (fixture, 1), ==,
                   "The cross-hair's place lies 17.5 mm outside of this volume");
  // What is counted is named, since the plane that is looked at may be another one.
  run_cycles (fixture, 3);
  g_assert_true (has_label (pane_at (fixture, 0)->widget, "Im 20 · Axial slice 20/20"));
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "Im 8 · Sagittal slice 8/12"));
  // A slice that somebody has gone to stays.
  odl_session_set_planes (fixture->session, false);
  odl_playback_seek (odl_session_playback (fixture->session), 3);
  odl_session_set_planes (fixture->session, true);
  g_assert_cmpint (odl_session_voxel (fixture->session).at[2], ==, 3);
}

// Of another frame of reference, a place says nothing.
static void
test_numbers (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 9, 0.5 },
    { "1.2", "1.2.3.5", 5, 6, 5, 1 },
  };
  open_both (fixture, rows, false);
  activate (fixture, "link-slices", NULL);
  odl_playback_seek (odl_session_playback (fixture->session), 3);
  wait_for_frame (fixture, 1, 3);
  g_assert_true (strstr (note_of (fixture, 1), "of the same number"));
  odl_playback_seek (odl_session_playback (fixture->session), 8);
  wait_for_frame (fixture, 1, 4);
  g_assert_cmpstr (note_of (fixture, 1), ==,
                   "Last slice: there is none of the same number");
}

// Of two patients no place is the same, whatever their files say.
static void
test_strangers (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 9, 0.5 },
    { "1.2", PATIENT_FRAME, 0, 6, 5, 1, .person = "Storch^Carl" },
  };
  open_both (fixture, rows, false);
  run_cycles (fixture, 3);
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "ANOTHER PATIENT"));
  g_assert_false (has_label (pane_at (fixture, 0)->widget, "ANOTHER PATIENT"));
  activate (fixture, "link-slices", NULL);
  odl_playback_seek (odl_session_playback (fixture->session), 3);
  wait_for_frame (fixture, 1, 3);
  g_assert_true (strstr (note_of (fixture, 1), "of the same number"));
  g_autofree char *again
      = g_strconcat ("series:", fixture->folder, "/", rows[0].name, NULL);
  open_in (fixture, 1, again);
  run_cycles (fixture, 3);
  g_assert_false (has_label (pane_at (fixture, 0)->widget, "ANOTHER PATIENT"));
}

// A millimetre is as long in both, about the same point of the patient.
static void
test_zoom (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 3, 0.5 },
    { "1.2", PATIENT_FRAME, 0, 2, 3, 1, .left = -8 },
  };
  open_both (fixture, rows, false);
  activate (fixture, "link-view", NULL);
  odl_viewport_zoom_by (fixture->viewport, 3);
  odl_viewport_pan (fixture->viewport, -30, 14);
  const OdlView *a = odl_viewport_view (pane_at (fixture, 0)->viewport);
  const OdlView *b = odl_viewport_view (pane_at (fixture, 1)->viewport);
  g_assert_false (b->fit);
  g_assert_cmpfloat_with_epsilon (b->zoom, 2 * a->zoom, 1e-9);
  // 0 + (x − ½) ∙ ½ mm = −8 mm + (x′ − ½) ∙ 1 mm
  g_assert_cmpfloat_with_epsilon (-8 + (b->centre.x - 0.5), (a->centre.x - 0.5) / 2,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (b->centre.y - 0.5, (a->centre.y - 0.5) / 2, 1e-9);
  activate_and_settle (fixture, "fit", NULL);
  g_assert_true (b->fit);
  // Not linked any more.
  activate (fixture, "link-view", NULL);
  odl_viewport_zoom_by (fixture->viewport, 2);
  g_assert_true (b->fit);
}

static void
test_grey_levels (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 2, 0.5 },
    { "1.2", PATIENT_FRAME, 0, 2, 2, 1 },
  };
  g_autofree char *one = write_series (fixture, &rows[0]);
  g_autofree char *other = write_series (fixture, &rows[1]);
  g_autofree char *plain = write_png (fixture, "a.png", 61, 47, false);
  double centre, width;
  open_and_wait (fixture, one);
  lay_out (fixture, "2x2");
  open_in (fixture, 1, other);
  open_in (fixture, 2, plain);
  go_to (fixture, 0);
  activate (fixture, "link-window", NULL);
  odl_viewport_set_window (fixture->viewport, 77, 33);
  odl_viewport_get_window (pane_at (fixture, 1)->viewport, &centre, &width);
  g_assert_cmpfloat (centre, ==, 77);
  g_assert_cmpfloat (width, ==, 33);
  // Of values of another kind they mean nothing.
  odl_viewport_get_window (pane_at (fixture, 2)->viewport, &centre, &width);
  g_assert_cmpfloat (width, ==, 255);
}

// Each shows the frame that is due on the clock of the active one.
static void
test_clock (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", NULL, 0, 0, 30, 0.5, .interval_ms = 40 },
    { "1.2", NULL, 0, 0, 10, 0.5, .interval_ms = 100 },
  };
  g_autofree char *fast = write_series (fixture, &rows[0]);
  g_autofree char *slow = write_series (fixture, &rows[1]);
  open_and_wait (fixture, fast);
  lay_out (fixture, "1x2");
  odl_session_set_playing (fixture->session, false);
  open_in (fixture, 1, slow);
  odl_session_set_playing (fixture->session, false);
  go_to (fixture, 0);
  activate (fixture, "link-time", NULL);
  // 13 · 40 = 520 ms: the sixth frame of 100 ms began at 500.
  odl_playback_seek (odl_session_playback (fixture->session), 13);
  wait_for_frame (fixture, 0, 13);
  wait_for_frame (fixture, 1, 5);
  // 480 ms.
  odl_playback_seek (odl_session_playback (fixture->session), 12);
  wait_for_frame (fixture, 1, 4);
  go_to (fixture, 1);
  odl_playback_seek (odl_session_playback (fixture->session), 7);
  wait_for_frame (fixture, 0, 17);
  // And while it plays: what follows is never ahead, and at most a few frames behind.
  go_to (fixture, 0);
  odl_session_set_playing (fixture->session, true);
  for (int i = 0; i < 20; i++) {
    wait_for_frames (fixture, 1);
    const OdlFrame *leads = odl_session_frame (pane_at (fixture, 0)->session);
    g_assert_false (odl_session_playing (pane_at (fixture, 1)->session));
    // It is over after a second, and its last frame stays.
    g_assert_cmpint (slice_of (fixture, 1), ==, MIN ((leads->index * 40 + 1) / 100, 9));
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/links/slices-at-the-same-place", test_places);
  ADD ("/links/cross-hairs-at-the-same-place", test_cross_hair);
  ADD ("/links/cross-hairs-of-volumes-stored-otherwise", test_stored);
  ADD ("/links/slices-of-the-same-number", test_numbers);
  ADD ("/links/of-another-patient", test_strangers);
  ADD ("/links/a-millimetre-is-as-long-in-both", test_zoom);
  ADD ("/links/grey-levels-of-the-same-values", test_grey_levels);
  ADD ("/links/one-clock", test_clock);
  return g_test_run ();
}
