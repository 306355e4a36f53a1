// SPDX-License-Identifier: MIT
// One monotonic clock for every timer of the program.
#pragma once

#include <stdint.h>

// Nanoseconds since an arbitrary start; never goes backwards. Any thread.
int64_t odl_clock_now_ns (void);

// Nanoseconds that the calling thread has waited for a processor since it began, as the
// scheduler counts; always 0 where it does not tell.
int64_t odl_clock_waited_ns (void);
