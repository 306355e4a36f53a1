// SPDX-License-Identifier: MIT
// Measures how long the main loop was blocked, on a machine shared with other
// programs.
#pragma once

#include <glib.h>

typedef struct {
  int64_t last_us;
  int64_t last_cpu_us;
  int64_t last_delay_ns;
  int64_t longest_us; // longest time between two beats, less what other programs used
  int64_t busiest_us; // most processor time between two beats
  int beats;
  guint id;
} Heart;

// Beats in the default main context until stopped. `heart` must be zero.
void heart_start (Heart *heart);

void heart_stop (Heart *heart);
