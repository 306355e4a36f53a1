// SPDX-License-Identifier: MIT
// Times in tests. How fast something is depends on the machine, and no test may: what the
// program promises about its speed is measured by every run, and held against its bar
// only where that is asked for (-m perf), as `./dev bench bars` does on a quiet machine.
#pragma once

#include <glib.h>

// Nothing waits longer than this, however busy or paused the machine is: it hangs.
#define ODL_TEST_HANG_US (300 * G_USEC_PER_SEC)

// `us` microseconds were taken, of which `bar_us` are promised.
static inline void
odl_test_took (const char *what, int64_t us, int64_t bar_us)
{
  g_test_message ("bar: %s: %.1f of at most %.1f ms", what, (double) us / 1e3,
                  (double) bar_us / 1e3);
  if (g_test_perf ())
    g_assert_cmpint (us, <=, bar_us);
  g_assert_cmpint (us, <, ODL_TEST_HANG_US);
}
