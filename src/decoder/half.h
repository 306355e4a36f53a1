// SPDX-License-Identifier: MIT
// Floats of 16 bits, IEEE 754 binary16.
#pragma once

#include <stdint.h>
#include <string.h>

static inline float
odl_half_to_float (uint16_t half)
{
  const uint32_t sign = (uint32_t) (half & 0x8000) << 16, exponent = half & 0x7c00;
  const uint32_t fraction = half & 0x3ff;
  uint32_t bits = sign;
  float value;

  if (exponent == 0) {
    value = (float) fraction / 16777216.0f;
    return sign != 0 ? -value : value;
  }
  if (exponent == 0x7c00)
    bits |= 0x7f800000u | fraction << 13;
  else
    bits |= ((exponent | fraction) + (112u << 10)) << 13;
  memcpy (&value, &bits, sizeof value);
  return value;
}
