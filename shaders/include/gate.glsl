// SPDX-License-Identifier: MIT
// Weight of the new frame: `weight` in still areas, up to 1 with motion. `change` is the sum of |x
// - y before| over (2 radius + 1)^2 samples.
uniform float weight;
uniform float threshold;
uniform int radius;

vec4 weight_of (vec4 change)
{
  float side = float (2 * radius + 1);
  vec4 moving = clamp (change / (side * side * threshold) - 1.0, 0.0, 1.0);
  return weight + (1.0 - weight) * moving;
}
