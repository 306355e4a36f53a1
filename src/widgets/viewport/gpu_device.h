// SPDX-License-Identifier: MIT
// Whether this machine has a graphics processor, judging by its device files:
// initialising GL would take a large part of the start-up time. Any thread unless stated
// otherwise.
#pragma once

#include <stdbool.h>

// Without one, GL is a rasteriser in software, and drawing without GL is faster.
bool odl_gpu_device_exists (void);

// Sets what GTK and the drivers read from the environment, where the user has not: before
// GTK starts, while there is one thread.
void odl_gpu_device_prepare (void);
