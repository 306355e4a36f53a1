// SPDX-License-Identifier: MIT
// The display step: scaled values to canvas colours, as odl_display_render_view. `column` and `row`
// map canvas pixels (origin at the top left) to samples: position = (dot (column, (x, y, 1)),
// dot (row, ...)).
// taps > 1: mean of taps^2 positions per pixel; SMOOTH: bilinear; else nearest neighbour.
// PACKED: 2 x 2 samples per texel, with COLOUR one texture per channel.
// CURVE: grey levels from a table; GRAPHICS: one-bit overlay and shutter; MAP: colours of
// grey levels.
#ifdef PACKED
#include "include/packed.glsl"
#endif

uniform sampler2D picture; // R, or RGB with COLOUR
#if defined PACKED && defined COLOUR
uniform sampler2D green;
uniform sampler2D blue;
#endif
#ifdef ALPHA
uniform sampler2D alpha; // in the fourth component
#endif
#ifdef CURVE
uniform sampler2D curve; // rows of 256
uniform int curve_levels; // total number
#endif
#ifdef GRAPHICS
uniform highp usampler2D graphics; // eight samples per byte, the first in the lowest bit
uniform float graphics_level;
uniform int shutter_column; // the shutter's bytes stand right of the overlay's, from here on
uniform float shutter_level;
#endif
#ifdef MAP
uniform sampler2D map; // 256 colours
#endif
uniform int taps;
uniform vec3 column;
uniform vec3 row;
uniform ivec2 size; // of the picture
uniform int canvas_height; // pixels
uniform float canvas_level; // grey around the picture, 0 ... 1
uniform float gain;
uniform float offset;
uniform float invert; // 0 or 1
#ifdef COLOUR
uniform vec3 weights; // of the colours in luma
#endif
uniform float detail_gains[16]; // ODL_DETAIL_LEVELS, from the finest one on
uniform int detail_levels;
uniform float detail_zero; // what 0 is shown as
uniform ivec2 approx_size; // samples at or beyond are details; equals `size` for none

layout (location = 0) out vec4 colour;

#ifdef CURVE
float entry (int i)
{
  return texelFetch (curve, ivec2 (i & 255, i >> 8), 0).r;
}

// As odl_curve_at.
float level_at (float place)
{
  float at = place * float (curve_levels - 1);
  float nearest = floor (at + 0.5);
  at = abs (at - nearest) < 1.0 / 32.0 ? nearest : at;
  float left = floor (at);
  int first = int (left);
  float t = at - left;
  return entry (first) * (1.0 - t) + entry (min (first + 1, curve_levels - 1)) * t;
}
#endif

#ifdef MAP
// As odl_colour_map_show.
vec3 colour_of (float level)
{
  float at = level * 255.0;
  int first = int (at);
  float t = at - float (first);
  return texelFetch (map, ivec2 (first, 0), 0).rgb * (1.0 - t)
         + texelFetch (map, ivec2 (min (first + 1, 255), 0), 0).rgb * t;
}
#endif

#ifdef GRAPHICS
bool covered (ivec2 p, int first)
{
  return (texelFetch (graphics, ivec2 (first + (p.x >> 3), p.y), 0).r >> uint (p.x & 7) & 1u) != 0u;
}
#endif

// Inverts grey, or only the luma of colours.
vec3 inverted (vec3 level)
{
#ifdef COLOUR
  float luma = level.r * weights.r + level.g * weights.g + level.b * weights.b;
  return invert > 0.0 ? clamp (level + (1.0 - 2.0 * luma), 0.0, 1.0) : level;
#else
  return abs (invert - level);
#endif
}

// Details of level 1 lie beyond the first half of the picture, those of level 2 beyond
// the half of this, and so on.
float detail_gain (ivec2 p)
{
  ivec2 low = (size + 1) / 2;
  int i = 0;
  for (; i < detail_levels - 1 && p.x < low.x && p.y < low.y; i++)
    low = (low + 1) / 2;
  return detail_gains[i];
}

vec3 shown (ivec2 p)
{
#if defined PACKED && defined COLOUR
  vec3 scaled = vec3 (packed_at (picture, p), packed_at (green, p), packed_at (blue, p));
#elif defined COLOUR
  vec3 scaled = texelFetch (picture, p, 0).rgb;
#elif defined PACKED
  vec3 scaled = vec3 (packed_at (picture, p));
#else
  vec3 scaled = texelFetch (picture, p, 0).rrr;
#endif
#ifdef GRAPHICS
  if (covered (p, 0))
    return vec3 (graphics_level);
  if (covered (p, shutter_column))
    return vec3 (shutter_level);
#endif
  vec3 level;
  if (p.x >= approx_size.x || p.y >= approx_size.y)
    level = clamp (detail_zero + scaled * detail_gain (p), 0.0, 1.0);
  else {
    level = clamp (scaled * gain + offset, 0.0, 1.0);
#ifdef CURVE
    level = vec3 (level_at (level.r));
#endif
    level = inverted (level);
#ifdef MAP
    level = colour_of (level.r);
#endif
  }
#ifdef ALPHA
  float a = clamp (texelFetch (alpha, p, 0).a, 0.0, 1.0);
  level = canvas_level * (1.0 - a) + level * a;
#endif
  return level;
}

vec3 at (vec2 canvas)
{
  vec2 position = vec2 (column.x * canvas.x + column.y * canvas.y + column.z,
                        row.x * canvas.x + row.y * canvas.y + row.z);
  if (any (lessThan (position, vec2 (0.0)))
      || any (greaterThanEqual (position, vec2 (size))))
    return vec3 (canvas_level);
#ifdef SMOOTH
  vec2 corner = floor (position - 0.5);
  vec2 t = position - 0.5 - corner;
  ivec2 p0 = max (ivec2 (corner), 0);
  ivec2 p1 = min (ivec2 (corner) + 1, size - 1);
  return mix (mix (shown (p0), shown (ivec2 (p1.x, p0.y)), t.x),
              mix (shown (ivec2 (p0.x, p1.y)), shown (p1), t.x), t.y);
#else
  return shown (ivec2 (position));
#endif
}

void main ()
{
  vec2 pixel = vec2 (floor (gl_FragCoord.x), float (canvas_height) - ceil (gl_FragCoord.y));
  vec3 sum = vec3 (0.0);
  float pitch = 1.0 / float (taps);
  for (int j = 0; j < taps; j++)
    for (int i = 0; i < taps; i++)
      sum += at (pixel + (vec2 (i, j) + 0.5) * pitch);
  colour = vec4 (sum * (pitch * pitch), 1.0);
}
