// SPDX-License-Identifier: MIT
// How long a main loop was kept from its turns, on a machine that others use as well.
#pragma once

#include <glib.h>

// A main loop that is busy for so long is felt. Painting in software has its share of it.
#define LONGEST_GAP_MS 150

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

// Tells what was measured as `name`, and fails the test when the loop was kept for longer
// than LONGEST_GAP_MS, by more where the machine is crowded.
void heart_stop (Heart *heart, const char *name);
