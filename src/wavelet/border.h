// SPDX-License-Identifier: MIT
// Border by index folding.
#pragma once

// Maps any index to 0 … n − 1 by whole-sample reflection: period 2 (n − 1), about 0 and n
// − 1. n = 1 gives 0. n >= 1. shaders/include/border.glsl holds the same function.
int odl_border_fold (int index, int n);
