// SPDX-License-Identifier: MIT
// scaled = (stored - minimum) * scale, as odl_image_scaled_row. With FLOATING, NaN becomes 0 and
// infinities 0 or 1.
uniform float minimum;
uniform float scale;

vec4 scaled_samples (vec4 stored)
{
  vec4 value = (stored - minimum) * scale;
#ifdef FLOATING
  // Tests the bits, since compilers may assume that NaN does not occur.
  const uint infinite = 0x7f800000u;
  const uint largest = 0x7f7fffffu;
  uvec4 bits = floatBitsToUint (stored);
  for (int c = 0; c < 4; c++) {
    uint magnitude = bits[c] & 0x7fffffffu;
    if (magnitude > infinite)
      value[c] = 0.0;
    else if (magnitude == infinite)
      value[c] = bits[c] == infinite ? 1.0 : 0.0;
    else
      value[c] = clamp (value[c], -uintBitsToFloat (largest), uintBitsToFloat (largest));
  }
#endif
  return value;
}
