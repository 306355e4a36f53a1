// SPDX-License-Identifier: MIT
// When the clock is set back so that frames wait less for the screen, and when it is not.
#include "session/pace.h"

#define FRAME_US 16667
// A period begins with the painting of a frame.
#define PERIOD_FRAMES (ODL_PACE_PERIOD_US / FRAME_US + 2)

// Sixty frames a second, frame i waiting for waits[i % n]. What was asked for in all, and
// by how many frames.
static int64_t
paint (OdlPace *pace, const int64_t *waits, int n, int frames, int *times)
{
  static int64_t painted_us = 5000000;
  int64_t sum = 0;

  *times = 0;
  for (int i = 0; i < frames; i++) {
    painted_us += FRAME_US;
    const int64_t back = odl_pace_painted (pace, painted_us - waits[i % n], painted_us);
    sum += back;
    *times += back != 0;
  }
  return sum;
}

static void
all_wait_too_long (void)
{
  const int64_t waits[] = { 31000, 28000, 33000 };
  OdlPace pace = { 0 };
  int times;

  g_assert_cmpint (paint (&pace, waits, 3, PERIOD_FRAMES - 2, &times), ==, 0);
  g_assert_cmpint (paint (&pace, waits, 3, 4, &times), ==, 28000 - ODL_PACE_MARGIN_US);
  g_assert_cmpint (times, ==, 1);
  // It is counted anew afterwards.
  g_assert_cmpint (paint (&pace, waits, 3, PERIOD_FRAMES - 5, &times), ==, 0);
}

static void
one_that_waits_shortly_is_enough (void)
{
  int64_t waits[20]; // shorter than a period
  OdlPace pace = { 0 };
  int times;

  for (int i = 0; i < 20; i++)
    waits[i] = 30000;
  waits[19] = ODL_PACE_TOLERATED_US;
  g_assert_cmpint (paint (&pace, waits, 20, 600, &times), ==, 0);
  waits[19]++;
  g_assert_cmpint (paint (&pace, waits, 20, 600, &times), >, 0);
  g_assert_cmpint (times, >=, 8);
}

static void
few_frames_tell_nothing (void)
{
  OdlPace pace = { 0 };

  for (int i = 1; i < ODL_PACE_PERIOD_FRAMES; i++)
    g_assert_cmpint (odl_pace_painted (&pace, i * 1000000 - 30000, i * 1000000), ==, 0);
  g_assert_cmpint (odl_pace_painted (&pace, 20 * 1000000 - 30000, 20 * 1000000), ==,
                   30000 - ODL_PACE_MARGIN_US);
}

// A frame that was painted before it was ready (its time was set anew) waited for
// nothing.
static void
none_waits_less_than_nothing (void)
{
  const int64_t waits[] = { -1000000, 30000 };
  OdlPace pace = { 0 };
  int times;

  g_assert_cmpint (paint (&pace, waits, 2, 600, &times), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pace/all-wait-too-long", all_wait_too_long);
  g_test_add_func ("/pace/one-that-waits-shortly-is-enough",
                   one_that_waits_shortly_is_enough);
  g_test_add_func ("/pace/few-frames-tell-nothing", few_frames_tell_nothing);
  g_test_add_func ("/pace/none-waits-less-than-nothing", none_waits_less_than_nothing);
  return g_test_run ();
}
