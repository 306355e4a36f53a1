// SPDX-License-Identifier: MIT
// What a pass writes. OpenGL leaves open how it rounds to half floats, and some drivers cut
// off; the error of a chain of passes is then one-sided and adds up. So half floats (10 bits
// behind the point, single floats have 13 more) are rounded here, to nearest, ties to even.
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
