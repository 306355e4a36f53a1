// SPDX-License-Identifier: MIT
// Frames painted per second, averaged over the last two seconds, so that a jitter of some
// milliseconds does not change the number.
#pragma once

#include <glib.h>
#include <stdbool.h>

#define ODL_RATE_MARKS 5

// All zero: nothing was counted yet.
typedef struct {
  int64_t at_us[ODL_RATE_MARKS]; // ascending, half a second apart or more
  guint64 counts[ODL_RATE_MARKS];
  int n_marks;
  double per_second; // 0: not known yet
} OdlRateMeter;

// `count` frames were painted until `now_us`. A smaller count than before begins anew.
// True when per_second is another one, at most twice a second.
bool odl_rate_meter_take (OdlRateMeter *meter, int64_t now_us, guint64 count);
