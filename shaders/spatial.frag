// SPDX-License-Identifier: MIT
// Driver of spatial filters: spatial/STEP.glsl defines filtered (), which reads samples by at () and,
// with SECOND, those of a second picture by second_at () (with SECOND_GREY its only channel stands
// for all). A SAMPLE is a texel with its channels. Border of a picture of `size` samples: BORDER, by
// default whole-sample. Steps with a wavelet have TAPS taps (.y for the second picture), `spacing`
// apart, starting at offset `first` in these units.
#include "include/border.glsl"
#include "include/store.glsl"

#define NUMBERS_ARE_UNIFORMS // those that were measured

#define SAMPLE vec4
#define KEY ivec4
#define MASK bvec4
#define NOT_GREATER lessThanEqual
#define EQUAL equal
#define ALL_EQUAL(a, b) all (equal (a, b))

uniform sampler2D source;
uniform ivec2 size;
uniform float parameters[9];
uniform vec2 taps[42];
uniform ivec2 spacing;
uniform vec4 coefficients[85];
uniform int first;
uniform float bias; // what samples are stored less: at () and filtered () return them so

layout (location = 0) out vec4 result;

KEY choose (MASK which, KEY yes, KEY no)
{
  return ivec4 (which.x ? yes.x : no.x, which.y ? yes.y : no.y, which.z ? yes.z : no.z,
                which.w ? yes.w : no.w);
}

SAMPLE at (ivec2 p)
{
  return texelFetch (source, ivec2 (FOLD (p.x, size.x), FOLD (p.y, size.y)), 0);
}

#ifdef SECOND
uniform sampler2D second;

SAMPLE second_at (ivec2 p)
{
  SAMPLE g = texelFetch (second, ivec2 (FOLD (p.x, size.x), FOLD (p.y, size.y)), 0);
#ifdef SECOND_GREY
  g = g.rrrr;
#endif
  return g;
}

// Where the second picture holds numbers.
float number_at (int i)
{
  return texelFetch (second, ivec2 (i, 0), 0).r;
}
#endif

#include "spatial/STEP.glsl"

void main ()
{
  result = store (filtered (ivec2 (gl_FragCoord.xy)));
}
