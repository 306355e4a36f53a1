// SPDX-License-Identifier: MIT
// f with TEXTURE and ILLUMINATION as shares of what it is made of; the second picture is the
// illumination, at least LEAST. BRIGHTNESS stands for the share that is missing. Black stays.
#include "include/most.glsl"

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p) + bias;
  SAMPLE light = max (second_at (p) + bias, SAMPLE (LEAST));
  SAMPLE wanted = (1.0 - ILLUMINATION) * BRIGHTNESS + ILLUMINATION * light;
  SAMPLE result = TEXTURE * f * (wanted / light) + (1.0 - TEXTURE) * wanted;
  return mix (result, f, step (most_about (p), SAMPLE (TOLERANCE))) - bias;
}
