// SPDX-License-Identifier: MIT
// The colour of a ray through a volume, for render.frag and render.comp: its largest value
// (MAXIMUM), or light on what the table `levels` makes visible, front to back. Rays are those of
// OdlRenderRays, in texture coordinates: a pixel's centre has the places
// frame[0] + px · frame[1] + py · frame[2] + k · forward; py counts from the top of the canvas.
// `box` has the lower and upper ends of what is shown, `cut` a corner of it and the side that is
// cut away there. `shine` is ambient, diffuse, gloss and steepness. With BRICKS, a ray passes by
// the bricks (OdlBody) in which it meets nothing; its samples are at the same places.
#ifdef GL_ES
precision highp sampler3D;
precision highp sampler2D;
#endif
uniform sampler3D body;
uniform vec3 frame[3];
uniform vec3 forward;
uniform vec3 box[2];
uniform vec3 cut[2];
uniform int n;
uniform float canvas_level;
uniform float gain;
uniform float offset;
#ifdef MAXIMUM
uniform float invert;
#else
uniform sampler2D levels; // the row behind it: the first visible entry from there on
uniform vec3 texel;
uniform vec3 slope;
uniform vec3 towards[2];
uniform vec4 shine;
uniform int sharpness;
#endif
#ifdef BRICKS
uniform sampler3D bricks; // the least and the largest value
uniform vec3 brick_scale; // bricks along an axis of the volume
#endif

float value_at (vec3 at)
{
  return textureLod (body, at, 0.0).r;
}

float level_of (float value)
{
  return clamp (value * gain + offset, 0.0, 1.0);
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

#ifndef MAXIMUM
int entry_of (float value)
{
  return int (level_of (value) * (LEVELS - 1.0) + 0.5);
}
#endif

#ifdef BRICKS
// Whether values between these change nothing for a ray that has met `most`.
bool show_nothing (vec2 values, float most)
{
#ifdef MAXIMUM
  return values.y <= most;
#else
  ivec2 entries = ivec2 (entry_of (values.x), entry_of (values.y));
  float visible = texelFetch (levels, ivec2 (min (entries.x, entries.y), 1), 0).r;
  return visible > float (max (entries.x, entries.y));
#endif
}
#endif

// The last step, up to `end`, of a ray in the brick that it is in at step k, and whether
// nothing is to be met there; without bricks the end.
float end_of_stretch (vec3 start, float k, float end, float most, out bool empty)
{
  empty = false;
#ifdef BRICKS
  ivec3 brick = ivec3 ((start + k * forward) * brick_scale);
  brick = clamp (brick, ivec3 (0), textureSize (bricks, 0) - 1);
  empty = show_nothing (texelFetch (bricks, brick, 0).rg, most);
  for (int i = 0; i < 3; i++) {
    float side = float (brick[i] + (forward[i] > 0.0 ? 1 : 0)) / brick_scale[i];
    if (abs (forward[i]) >= 1e-9)
      end = min (end, (side - start[i]) / forward[i]);
  }
  end = max (floor (end), k);
#endif
  return end;
}

#ifdef MAXIMUM
vec3 gather_light (vec3 start, vec2 range, out float left)
{
  float most = -1.0;
  float k = range.x;
  bool empty;
  while (k <= range.y) {
    float last = end_of_stretch (start, k, range.y, most, empty);
    for (; !empty && k <= last; k += 1.0) {
      vec3 at = start + k * forward;
      if (!is_cut (at))
        most = max (most, value_at (at));
    }
    k = last + 1.0;
  }
  left = most < 0.0 ? 1.0 : 0.0;
  float level = level_of (most);
  return (1.0 - left) * vec3 (mix (level, 1.0 - level, invert));
}
#else
vec3 gather_light (vec3 start, vec2 range, out float left)
{
  vec3 sum = vec3 (0.0);
  float k = range.x;
  bool empty;
  left = 1.0;
  while (k <= range.y && left > 1.0 - ENOUGH) {
    float last = end_of_stretch (start, k, range.y, 0.0, empty);
    for (; !empty && k <= last && left > 1.0 - ENOUGH; k += 1.0) {
      vec3 at = start + k * forward;
      vec4 entry = texelFetch (levels, ivec2 (entry_of (value_at (at)), 0), 0);
      if (entry.a <= 0.0 || is_cut (at))
        continue;
      sum += left * entry.a * lit (at, entry.rgb);
      left *= 1.0 - entry.a;
    }
    k = last + 1.0;
  }
  return sum;
}
#endif

vec4 colour_of_ray (vec2 pixel)
{
  vec3 start = frame[0] + pixel.x * frame[1] + pixel.y * frame[2];
  float left;
  vec3 sum = gather_light (start, meet (start), left);
  return vec4 (sum + left * canvas_level, 1.0);
}
