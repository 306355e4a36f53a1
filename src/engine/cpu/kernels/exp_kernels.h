// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/kernels/lanes.h"

// exp (−x) of x ≥ 0, within 1e-7 of it: 2^−n times a polynomial of the rest, fitted to
// the least relative error.
INLINE Lanes
exp_minus (Lanes x)
{
  const Lanes turns = lanes_min (x * 1.44269504f, lanes_all (126));
  const IntLanes whole = __builtin_convertvector(turns, IntLanes);
  const Lanes rest = turns - __builtin_convertvector(whole, Lanes);
  Lanes result = rest * -0.0009387852624f + 0.0091886036098f;

  result = result * rest - 0.0552797168493f;
  result = result * rest + 0.2401721924543f;
  result = result * rest - 0.6931422352791f;
  result = result * rest + 0.9999999403954f;
  return result * (Lanes) ((127 - whole) << 23);
}
