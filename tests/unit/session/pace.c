// SPDX-License-Identifier: MIT
// When the clock is set back so that frames wait less for the screen, and when it is not.
#include "session/player/pace.h"

#define FRAME_US 16667
// A period begins with the painting of a frame.
#define PERIOD_FRAMES (ODL_PACE_PERIOD_US / FRAME_US + 2)

// Sixty frames a second, frame i waiting for waits[i % n].
typedef struct {
  OdlPace pace;
  const int64_t *waits;
  int n;
  int64_t painted_us;
  int64_t back_us; // asked for in all
  int times; // by so many frames
} Screen;

static void
paint (Screen *screen, int frames)
{
  screen->back_us = screen->times = 0;
  for (int i = 0; i < frames; i++) {
    screen->painted_us += FRAME_US;
    const int64_t ready_us = screen->painted_us - screen->waits[i % screen->n];
    const int64_t back_us
        = odl_pace_painted (&screen->pace, ready_us, screen->painted_us);
    screen->back_us += back_us;
    screen->times += back_us != 0;
  }
}

static void
all_wait_too_long (void)
{
  static const int64_t waits[] = { 31000, 28000, 33000 };
  Screen screen = { .waits = waits, .n = 3 };

  paint (&screen, PERIOD_FRAMES - 2);
  g_assert_cmpint (screen.times, ==, 0);
  paint (&screen, 4);
  g_assert_cmpint (screen.times, ==, 1);
  g_assert_cmpint (screen.back_us, ==, 28000 - ODL_PACE_MARGIN_US);
  // It is counted anew afterwards.
  paint (&screen, PERIOD_FRAMES - 5);
  g_assert_cmpint (screen.times, ==, 0);
}

static void
one_that_waits_shortly_is_enough (void)
{
  int64_t waits[20]; // shorter than a period
  Screen screen = { .waits = waits, .n = 20 };

  for (int i = 0; i < 20; i++)
    waits[i] = 30000;
  waits[19] = ODL_PACE_TOLERATED_US;
  paint (&screen, 600);
  g_assert_cmpint (screen.times, ==, 0);
  waits[19]++;
  paint (&screen, 600);
  g_assert_cmpint (screen.times, >=, 8);
  g_assert_cmpint (screen.back_us, >, 0);
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
  static const int64_t waits[] = { -1000000, 30000 };
  Screen screen = { .waits = waits, .n = 2 };

  paint (&screen, 600);
  g_assert_cmpint (screen.times, ==, 0);
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
