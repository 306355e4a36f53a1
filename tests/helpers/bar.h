// SPDX-License-Identifier: MIT
// Timing in tests. Tests must not depend on the machine's speed: times that the
// program promises are measured in every run, but checked against their bars only on
// request (-m perf), as `./dev bench bars` does on a quiet machine.
#pragma once

#include <glib.h>

// Time-out for a hanging program, however busy or suspended the machine.
#define ODL_TEST_HANG_US (300 * G_USEC_PER_SEC)

// Reports that `us` microseconds were needed and `bar_us` are promised.
static inline void
odl_test_took (const char *what, int64_t us, int64_t bar_us)
{
  g_test_message ("bar: %s: %.1f of at most %.1f ms", what, (double) us / 1e3,
                  (double) bar_us / 1e3);
  if (g_test_perf ())
    g_assert_cmpint (us, <=, bar_us);
  g_assert_cmpint (us, <, ODL_TEST_HANG_US);
}
