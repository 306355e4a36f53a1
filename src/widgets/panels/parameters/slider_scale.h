// SPDX-License-Identifier: MIT
// Positions of sliders for the values of a parameter. Main thread.
#pragma once

#include "filter/filter.h"

// On a linear slider a threshold of 0.05 in 0 … 1 would be close to the end; for such
// small defaults the slider's position, 0 … 1, is the cube root of the value.
bool odl_slider_is_curved (const OdlParameter *parameter);
double odl_slider_position (const OdlParameter *parameter, double value);

// The value at a position, in fine steps. `scale`: so much is 1 where numbers are read.
double odl_slider_value (const OdlParameter *parameter, double position, double scale);

// Small values, such as thresholds of a CT, change in steps of the second significant
// digit, as it is read.
double odl_slider_fine_step (const OdlParameter *parameter, double value, double scale);
