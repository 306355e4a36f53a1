// SPDX-License-Identifier: MIT
// Whether this machine has a graphics processor at all, told from its device files:
// asking GL would cost a good part of the start-up time. Any thread, but where it says
// so.
#pragma once

#include <stdbool.h>

// Without one, GL is a rasteriser in software, and drawing without GL is faster.
bool odl_gpu_device_exists (void);

// Sets what GTK and the drivers read from the environment, where the user has not: before
// GTK starts, while there is one thread.
void odl_gpu_device_prepare (void);
