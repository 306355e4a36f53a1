// SPDX-License-Identifier: MIT
#include "widgets/transport/rate_meter.h"

#include <math.h>

#define FRAME_US (G_USEC_PER_SEC / 30)
#define JITTER_US 16000 // a frame of a screen

// Frames that come at 30 per second and are painted up to a frame of the screen late.
static void
test_jitter (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  OdlRateMeter meter = { 0 };
  int64_t last_us = 0;

  for (int i = 0; i < 30 * 600; i++) {
    const int64_t now_us = (int64_t) i * FRAME_US + g_rand_int_range (rand, 0, JITTER_US);
    if (!odl_rate_meter_take (&meter, now_us, (guint64) i) || now_us < 3 * G_USEC_PER_SEC)
      continue;
    g_assert_cmpint (lround (meter.per_second), ==, 30);
    last_us = now_us;
  }
  g_assert_cmpint (last_us, >, 590 * G_USEC_PER_SEC);
}

static void
test_first (void)
{
  OdlRateMeter meter = { 0 };

  g_assert_false (odl_rate_meter_take (&meter, 1000000, 90));
  g_assert_cmpfloat (meter.per_second, ==, 0);
  g_assert_false (odl_rate_meter_take (&meter, 1400000, 100));
  g_assert_true (odl_rate_meter_take (&meter, 1500000, 100));
  g_assert_cmpfloat (meter.per_second, ==, 20);
}

// After another rate for longer than it looks back, that is the rate.
static void
test_change (void)
{
  OdlRateMeter meter = { 0 };
  int64_t now_us = 0;
  guint64 count = 0;

  for (int i = 0; i < 100; i++)
    odl_rate_meter_take (&meter, now_us += 10000, ++count);
  g_assert_cmpfloat_with_epsilon (meter.per_second, 100, 0.1);
  for (int i = 0; i < 30; i++)
    odl_rate_meter_take (&meter, now_us += 100000, ++count);
  g_assert_cmpfloat_with_epsilon (meter.per_second, 10, 0.1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rate/a-late-frame-is-no-other-rate", test_jitter);
  g_test_add_func ("/rate/half-a-second-gives-the-first", test_first);
  g_test_add_func ("/rate/another-rate-is-known-soon", test_change);
  return g_test_run ();
}
