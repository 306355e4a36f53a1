// SPDX-License-Identifier: MIT
#include "heart.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Nanoseconds that this thread waited for a processor although it could run.
static int64_t
run_delay_ns (void)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents ("/proc/thread-self/schedstat", &text, NULL, NULL))
    return 0;
  const char *second = strchr (text, ' ');
  return second ? g_ascii_strtoll (second + 1, NULL, 10) : 0;
}

static int64_t
cpu_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gboolean
beat_cb (void *data)
{
  Heart *heart = data;
  const int64_t now_us = g_get_monotonic_time ();
  const int64_t delay_ns = run_delay_ns ();
  const int64_t used_us = cpu_us ();
  if (heart->beats++ > 0) {
    const int64_t taken_us = (delay_ns - heart->last_delay_ns) / 1000;
    heart->longest_us = MAX (heart->longest_us, now_us - heart->last_us - taken_us);
    heart->busiest_us = MAX (heart->busiest_us, used_us - heart->last_cpu_us);
  }
  heart->last_us = now_us;
  heart->last_cpu_us = used_us;
  heart->last_delay_ns = delay_ns;
  return G_SOURCE_CONTINUE;
}

void
heart_start (Heart *heart)
{
  heart->id = g_timeout_add_full (G_PRIORITY_DEFAULT, 2, beat_cb, heart, NULL);
}

void
heart_stop (Heart *heart)
{
  g_source_remove (heart->id);
}
