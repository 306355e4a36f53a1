// SPDX-License-Identifier: MIT
// The monotonic clock that every timer of the program uses.
#pragma once

#include <stdint.h>

// Nanoseconds since an arbitrary start; never goes backwards. Any thread.
int64_t odl_clock_now_ns (void);

// Nanoseconds that the calling thread has spent runnable but waiting for a processor, as
// reported by the scheduler; 0 where it does not report them.
int64_t odl_clock_waited_ns (void);
