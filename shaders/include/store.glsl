// SPDX-License-Identifier: MIT
// Output of a pass. OpenGL does not define the rounding to half floats; some drivers truncate, and
// the errors of a chain of passes accumulate. So values are rounded here to 10 mantissa bits
// (floats have 13 more), to nearest, ties to even.
vec4 store (vec4 value)
{
#ifdef HALF_TARGET
  const uint dropped = 13u;
  uvec4 bits = floatBitsToUint (value);
  bits += ((1u << (dropped - 1u)) - 1u) + ((bits >> dropped) & 1u);
  return uintBitsToFloat ((bits >> dropped) << dropped);
#else
  return value;
#endif
}
