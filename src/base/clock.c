// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <glib.h>
#include <stdio.h>
#include <time.h>

int64_t
odl_clock_now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
odl_clock_waited_ns (void)
{
  g_autofree char *text = NULL;
  long long ran, waited;

  if (!g_file_get_contents ("/proc/thread-self/schedstat", &text, NULL, NULL)
      || sscanf (text, "%lld %lld", &ran, &waited) != 2)
    return 0;
  return waited;
}
