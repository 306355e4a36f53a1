// SPDX-License-Identifier: MIT
// Thresholds the detail bands without branches: with m = max (|x| - threshold, 0), soft is
// sign (x) m and hard (hard = 1) is x sign (m); or by RULE.
//   grey    RGBA (LL, LH, HL, HH) -> the same, LL unchanged
//   PACKED  three textures like that of grey, one per channel -> three targets
//   COLOUR  three textures (LH, HL, HH) -> three targets
//   DETAIL  RGBA of one band, selected by `pick` in the order HL, LH, HH -> the same
#include "include/store.glsl"
#include "include/rule.glsl"

uniform vec3 thresholds; // of HL, LH, HH
uniform float hard;

vec4 shrink (vec4 x, vec4 threshold)
{
#if RULE > 0
  return x * SHARE_OF (abs (x), threshold);
#else
  vec4 m = max (abs (x) - threshold, 0.0);
  return mix (sign (x) * m, x * sign (m), hard);
#endif
}

#ifdef COLOUR
uniform sampler2D lh;
uniform sampler2D hl;
uniform sampler2D hh;
layout (location = 0) out vec4 lh_out;
layout (location = 1) out vec4 hl_out;
layout (location = 2) out vec4 hh_out;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  lh_out = store (shrink (texelFetch (lh, p, 0), thresholds.yyyy));
  hl_out = store (shrink (texelFetch (hl, p, 0), thresholds.xxxx));
  hh_out = store (shrink (texelFetch (hh, p, 0), thresholds.zzzz));
}
#elif defined DETAIL
uniform sampler2D detail;
uniform vec4 pick;
layout (location = 0) out vec4 detail_out;

void main ()
{
  vec4 threshold = vec4 (dot (pick.xyz, thresholds));
  detail_out = store (shrink (texelFetch (detail, ivec2 (gl_FragCoord.xy), 0), threshold));
}
#else
uniform sampler2D bands;
layout (location = 0) out vec4 bands_out;
#ifdef PACKED
uniform sampler2D green;
uniform sampler2D blue;
layout (location = 1) out vec4 green_out;
layout (location = 2) out vec4 blue_out;
#endif

vec4 shrink_detail (sampler2D bands)
{
  vec4 x = texelFetch (bands, ivec2 (gl_FragCoord.xy), 0);
  return store (vec4 (x.r, shrink (x, thresholds.yyxz).gba));
}

void main ()
{
  bands_out = shrink_detail (bands);
#ifdef PACKED
  green_out = shrink_detail (green);
  blue_out = shrink_detail (blue);
#endif
}
#endif
