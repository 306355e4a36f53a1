// SPDX-License-Identifier: MIT
// A rendered view of a volume: the largest value of each ray (MAXIMUM), or light on what the table
// `levels` makes visible, front to back. Rays are those of OdlRenderRays, in texture coordinates:
// a pixel's centre has the places frame[0] + px · frame[1] + py · frame[2] + k · forward; py counts
// from the top of the canvas. `box` has the lower and upper ends of what is shown, `cut` a corner
// of it and the side that is cut away there. `shine` is ambient, diffuse, gloss and steepness.
#ifdef GL_ES
precision highp sampler3D;
#endif
uniform sampler3D body;
uniform vec3 frame[3];
uniform vec3 forward;
uniform vec3 box[2];
uniform vec3 cut[2];
uniform int n;
uniform int canvas_height;
uniform float canvas_level;
uniform float gain;
uniform float offset;
#ifdef MAXIMUM
uniform float invert;
#else
uniform sampler2D levels;
uniform vec3 texel;
uniform vec3 slope;
uniform vec3 towards[2];
uniform vec4 shine;
uniform int sharpness;
#endif

layout (location = 0) out vec4 colour;

float value_at (vec3 at)
{
  return textureLod (body, at, 0.0).r;
}

bool is_cut (vec3 at)
{
  return cut[1].x != 0.0 && all (greaterThan ((at - cut[0]) * cut[1], vec3 (0.0)));
}

// The steps at which a ray enters and leaves the box.
vec2 meet (vec3 start)
{
  vec2 range = vec2 (0.0, float (n));
  for (int i = 0; i < 3; i++) {
    if (abs (forward[i]) < 1e-9) {
      if (start[i] < box[0][i] || start[i] > box[1][i])
        range.y = -1.0;
      continue;
    }
    vec2 ends = (vec2 (box[0][i], box[1][i]) - start[i]) / forward[i];
    range = vec2 (max (range.x, min (ends.x, ends.y)), min (range.y, max (ends.x, ends.y)));
  }
  return vec2 (ceil (range.x), floor (range.y));
}

#ifndef MAXIMUM
// Light on what lies there; without a slope all of it.
vec3 lit (vec3 at, vec3 plain)
{
  vec3 rise;
  for (int i = 0; i < 3; i++) {
    vec3 side = vec3 (0.0);
    side[i] = texel[i];
    rise[i] = value_at (at + side) - value_at (at - side);
  }
  rise *= slope;
  float steep = length (rise);
  vec3 normal = rise / max (steep, 1e-12);
  float mirror = min (abs (dot (normal, towards[0] + towards[1])) / 1.862, 1.0);
  for (int i = 0; i < sharpness; i++)
    mirror *= mirror;
  vec3 shaded = plain * (shine.x + shine.y * abs (dot (normal, towards[0]))) + shine.z * mirror;
  return mix (plain, shaded, min (steep * shine.w, 1.0));
}
#endif

void main ()
{
  vec2 pixel = vec2 (gl_FragCoord.x, float (canvas_height) - gl_FragCoord.y);
  vec3 start = frame[0] + pixel.x * frame[1] + pixel.y * frame[2];
  vec2 range = meet (start);
  vec3 sum = vec3 (0.0);
  float left = 1.0;
#ifdef MAXIMUM
  float most = -1.0;
  for (float k = range.x; k <= range.y; k += 1.0) {
    vec3 at = start + k * forward;
    if (!is_cut (at))
      most = max (most, value_at (at));
  }
  if (most >= 0.0) {
    float level = clamp (most * gain + offset, 0.0, 1.0);
    sum = vec3 (mix (level, 1.0 - level, invert));
    left = 0.0;
  }
#else
  for (float k = range.x; k <= range.y && left > 1.0 - ENOUGH; k += 1.0) {
    vec3 at = start + k * forward;
    float level = clamp (value_at (at) * gain + offset, 0.0, 1.0);
    vec4 entry = texelFetch (levels, ivec2 (int (level * (LEVELS - 1.0) + 0.5), 0), 0);
    if (entry.a <= 0.0 || is_cut (at))
      continue;
    sum += left * entry.a * lit (at, entry.rgb);
    left *= 1.0 - entry.a;
  }
#endif
  colour = vec4 (sum + left * canvas_level, 1.0);
}
