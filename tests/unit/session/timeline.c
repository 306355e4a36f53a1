// SPDX-License-Identifier: MIT
// Which frame belongs on screen when, worked out by hand and by stepping.
#include "session/player/timeline.h"

#define MS 1000000

static OdlTimeline
timeline (int64_t n_frames, OdlRepeat repeat)
{
  return (OdlTimeline){ .n_frames = n_frames,
                        .frame_rate = 100,
                        .last = n_frames - 1,
                        .speed = 1,
                        .repeat = repeat };
}

static void
test_constant_rate (void)
{
  const OdlTimeline loop = timeline (4, ODL_REPEAT_LOOP);
  static const int64_t expected[] = { 1, 2, 3, 0, 1, 2, 3, 0, 1 };

  for (int i = 0; i < 9; i++) {
    OdlTimelinePoint early = odl_timeline_at (&loop, 1, 1, i * 10 * MS + 1);
    OdlTimelinePoint late = odl_timeline_at (&loop, 1, 1, i * 10 * MS + 10 * MS - 2);
    g_assert_cmpint (early.index, ==, expected[i]);
    g_assert_cmpint (late.index, ==, expected[i]);
    g_assert_cmpint (early.steps, ==, i);
    g_assert_cmpint (ABS (early.next_ns - (i + 1) * 10 * MS), <=, 2);
  }
}

static void
test_endless (void)
{
  OdlTimeline endless = timeline (0, ODL_REPEAT_ONCE);
  endless.speed = 2;
  OdlTimelinePoint point = odl_timeline_at (&endless, 7, 1, 101 * MS);
  g_assert_cmpint (point.index, ==, 7 + 20);
  g_assert_cmpint (point.steps, ==, 20);
  g_assert_cmpint (ABS (point.next_ns - 105 * MS), <=, 2);
}

// Four volumes of five slices: the third slice is played, volume by volume.
static void
test_groups (void)
{
  static const int64_t looped[] = { 7, 12, 17, 2, 7 }, swept[] = { 7, 12, 17, 12, 7, 2 };
  OdlTimeline volumes = timeline (20, ODL_REPEAT_LOOP);
  int direction = 1;
  int64_t next = 7;

  volumes.every = 5;
  g_assert_cmpint (odl_timeline_start_ns (&volumes, 14), ==, 20 * MS);
  for (int i = 0; i < 5; i++) {
    OdlTimelinePoint point = odl_timeline_at (&volumes, 7, 1, i * 10 * MS + 1);
    g_assert_cmpint (point.index, ==, looped[i]);
    g_assert_cmpint (point.steps, ==, i);
    g_assert_cmpint (next, ==, looped[i]);
    g_assert_cmpint (odl_timeline_steps_to (&volumes, 7, 1, looped[i]), ==, i % 4);
    next = odl_timeline_next (&volumes, next, &direction);
  }
  g_assert_cmpint (odl_timeline_steps_to (&volumes, 7, 1, 8), >, 1000);
  volumes.repeat = ODL_REPEAT_SWEEP;
  for (int i = 0; i < 6; i++)
    g_assert_cmpint (odl_timeline_at (&volumes, 7, 1, i * 10 * MS + 1).index, ==,
                     swept[i]);
  // A range that begins and ends within volumes has these as a whole.
  volumes.repeat = ODL_REPEAT_ONCE;
  volumes.first = 6;
  volumes.last = 13;
  g_assert_cmpint (odl_timeline_at (&volumes, 7, 1, 35 * MS).index, ==, 12);
  direction = 1;
  g_assert_cmpint (odl_timeline_next (&volumes, 12, &direction), ==, -1);
}

static void
test_frame_times (void)
{
  static const int64_t times[] = { 0, 10 * MS, 110 * MS, 115 * MS };
  OdlTimeline varying = timeline (3, ODL_REPEAT_LOOP);
  varying.times_ns = times;
  g_assert_cmpint (odl_timeline_at (&varying, 0, 1, 9 * MS).index, ==, 0);
  g_assert_cmpint (odl_timeline_at (&varying, 0, 1, 11 * MS).index, ==, 1);
  g_assert_cmpint (odl_timeline_at (&varying, 0, 1, 109 * MS).index, ==, 1);
  g_assert_cmpint (odl_timeline_at (&varying, 0, 1, 111 * MS).index, ==, 2);
  g_assert_cmpint (odl_timeline_at (&varying, 0, 1, 116 * MS).index, ==, 0);
  g_assert_cmpint (odl_timeline_at (&varying, 1, 1, 99 * MS).index, ==, 1);
  varying.speed = 0.25;
  g_assert_cmpint (odl_timeline_at (&varying, 1, 1, 399 * MS).index, ==, 1);
  g_assert_cmpint (odl_timeline_at (&varying, 1, 1, 401 * MS).index, ==, 2);
}

static void
test_range (void)
{
  OdlTimeline part = timeline (10, ODL_REPEAT_LOOP);
  part.first = 3;
  part.last = 5;
  g_assert_cmpint (odl_timeline_at (&part, 3, 1, 31 * MS).index, ==, 3);
  // A base outside begins at the nearer end.
  g_assert_cmpint (odl_timeline_at (&part, 9, 1, MS).index, ==, 5);
  g_assert_cmpint (odl_timeline_at (&part, 0, 1, 11 * MS).index, ==, 4);
  part.last = 3;
  g_assert_cmpint (odl_timeline_at (&part, 3, 1, 95 * MS).index, ==, 3);
}

static void
test_sweep (void)
{
  const OdlTimeline sweep = timeline (4, ODL_REPEAT_SWEEP);
  static const int64_t expected[] = { 0, 1, 2, 3, 2, 1, 0, 1 };

  for (int i = 0; i < 8; i++) {
    OdlTimelinePoint point = odl_timeline_at (&sweep, 0, 1, i * 10 * MS + 1);
    g_assert_cmpint (point.index, ==, expected[i]);
    g_assert_cmpint (point.direction, ==, i == 4 || i == 5 ? -1 : 1);
    g_assert_cmpint (point.steps, ==, i);
  }
  // Begun on the way back.
  g_assert_cmpint (odl_timeline_at (&sweep, 2, -1, 11 * MS).index, ==, 1);
  g_assert_cmpint (odl_timeline_at (&sweep, 2, 1, 11 * MS).index, ==, 3);
}

static void
test_once (void)
{
  const OdlTimeline once = timeline (4, ODL_REPEAT_ONCE);
  OdlTimelinePoint point = odl_timeline_at (&once, 2, 1, 3600LL * 1000 * MS);
  g_assert_cmpint (point.index, ==, 3);
  g_assert_cmpint (point.next_ns, ==, -1);
  g_assert_cmpint (odl_timeline_at (&once, 2, 1, 5 * MS).next_ns, >, 0);
}

// Whatever the repeat, speed and times: waking when a frame is due gives that frame, each
// in turn, and agrees with stepping.
static void
test_wakes_give_every_frame (void)
{
  static const double speeds[] = { 0.25, 0.5, 1, 1.3, 4 };
  static const int64_t times[]
      = { 0, 3000, 40 * MS, 40 * MS + 7000, 77 * MS + 1, 90 * MS };

  for (int repeat = 0; repeat < ODL_N_REPEATS; repeat++)
    for (size_t s = 0; s < G_N_ELEMENTS (speeds); s++)
      for (int varying = 0; varying < 2; varying++)
        for (int64_t first = 0; first < 3; first++) {
          OdlTimeline line = timeline (5, repeat);
          line.speed = speeds[s];
          line.frame_rate = 29.97;
          line.times_ns = varying ? times : NULL;
          line.first = first;
          int64_t index = first;
          int direction = 1;
          int64_t elapsed = 0;
          for (int step = 1; step < 40; step++) {
            OdlTimelinePoint now = odl_timeline_at (&line, first, 1, elapsed);
            if (now.next_ns < 0) {
              g_assert_cmpint (now.index, ==, line.last);
              g_assert_cmpint (odl_timeline_next (&line, index, &direction), ==, -1);
              break;
            }
            g_assert_cmpint (now.next_ns, >, elapsed);
            g_assert_cmpint (now.start_ns, <=, elapsed);
            g_assert_cmpint (odl_timeline_at (&line, first, 1, now.next_ns - 3).steps, <=,
                             now.steps + 1);
            elapsed = now.next_ns;
            OdlTimelinePoint next = odl_timeline_at (&line, first, 1, elapsed);
            index = odl_timeline_next (&line, index, &direction);
            g_assert_cmpint (next.index, ==, index);
            g_assert_cmpint (elapsed - next.start_ns, <=, 3);
            g_assert_cmpint (next.direction, ==, direction);
            if (!varying)
              g_assert_cmpint (next.steps, ==, step);
          }
        }
}

static void
test_steps_to_agrees_with_stepping (void)
{
  for (int repeat = 0; repeat < ODL_N_REPEATS; repeat++)
    for (int64_t from = 1; from < 6; from++)
      for (int direction = -1; direction <= 1; direction += 2) {
        OdlTimeline line = timeline (7, repeat);
        line.first = 1;
        line.last = 5;
        int way = repeat == ODL_REPEAT_SWEEP && from > 1 && from < 5 ? direction : 1;
        int64_t found[7] = { -1, -1, -1, -1, -1, -1, -1 };
        int64_t index = from;
        for (int64_t steps = 0; steps < 20 && index >= 0; steps++) {
          if (found[index] < 0)
            found[index] = steps;
          index = odl_timeline_next (&line, index, &way);
        }
        way = direction;
        for (int64_t i = 0; i < 7; i++) {
          int64_t steps = odl_timeline_steps_to (&line, from, way, i);
          if (found[i] >= 0)
            g_assert_cmpint (steps, ==, found[i]);
          else
            g_assert_cmpint (steps, >, 1000);
        }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/volumes-go-along-time", test_groups);
  g_test_add_func ("/timeline/a-constant-rate-loops", test_constant_rate);
  g_test_add_func ("/timeline/an-endless-source-counts-on", test_endless);
  g_test_add_func ("/timeline/frame-times-are-kept", test_frame_times);
  g_test_add_func ("/timeline/a-range-repeats", test_range);
  g_test_add_func ("/timeline/a-sweep-turns-at-both-ends", test_sweep);
  g_test_add_func ("/timeline/once-stops-at-the-last-frame", test_once);
  g_test_add_func ("/timeline/waking-when-due-gives-every-frame",
                   test_wakes_give_every_frame);
  g_test_add_func ("/timeline/steps-to-agrees-with-stepping",
                   test_steps_to_agrees_with_stepping);
  return g_test_run ();
}
