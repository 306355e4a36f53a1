// SPDX-License-Identifier: MIT
// How long a main loop was kept from its turns, on a machine that others use as well.
#pragma once

#include <glib.h>

typedef struct {
  int64_t last_us;
  int64_t last_cpu_us;
  int64_t last_delay_ns;
  int64_t longest_us; // between two beats, less what other programs took
  int64_t busiest_us; // processor time between two beats
  int beats;
  guint id;
} Heart;

// Beats in the default main context until it is stopped. `heart` is zero before.
void heart_start (Heart *heart);

void heart_stop (Heart *heart);
