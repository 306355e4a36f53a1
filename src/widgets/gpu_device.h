// SPDX-License-Identifier: MIT
// Whether this machine has a graphics processor at all, told from its device files:
// asking GL would cost a good part of the start-up time. Any thread.
#pragma once

#include <stdbool.h>

// Without one, GL is a rasteriser in software, and drawing without GL is faster.
bool odl_gpu_device_exists (void);
