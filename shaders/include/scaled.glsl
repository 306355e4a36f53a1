// SPDX-License-Identifier: MIT
// Stored samples to scaled ones: scaled = (stored - minimum) * scale, as in
// odl_image_scaled_row. Of FLOATING samples NaN gives 0, infinities 0 or 1.
uniform float minimum;
uniform float scale;

vec4 scaled_samples (vec4 stored)
{
  vec4 value = (stored - minimum) * scale;
#ifdef FLOATING
  // On the bits, since compilers may take for granted that there are no NaN.
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
