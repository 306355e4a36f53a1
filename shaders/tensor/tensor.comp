// SPDX-License-Identifier: MIT
// The same sample of several pictures (READS, bindings 0 …) makes one of the picture at binding READS.
// By step: MAGNITUDE √((f - ZERO)² + (g - ZERO)²); TENSOR what RULE (an OdlTensorView) says of the tensor of COUNT
// magnitudes; STEER the low band and COUNT high ones, as the control tensor of COUNT magnitudes says.
#include "include/samples.glsl"
#include "include/quads.glsl"

// Bindings take constants, and GLES joins no names: pictures are counted through by macros.
#define PICTURE(k, block, picture) \
  layout (std430, binding = k) restrict readonly buffer block { SOURCE_QUAD picture[]; };
#define READ(k, block, picture) value[k] = from_quad (picture[quad]) + bias;
#define EACH_2(macro) macro (0, A, a) macro (1, B, b)
#define EACH_4(macro) EACH_2 (macro) macro (2, C, c) macro (3, D, d)
#define EACH_6(macro) EACH_4 (macro) macro (4, E, e) macro (5, F, f)
#define EACH_9(macro) EACH_6 (macro) macro (6, G, g) macro (7, H, h) macro (8, I, i)
#define EACH_10(macro) EACH_9 (macro) macro (9, J, j)
#define EACH_11(macro) EACH_10 (macro) macro (10, K, k)
#define EACH_13(macro) EACH_11 (macro) macro (11, L, l) macro (12, M, m)

#ifdef WEIGHTS
#undef PICTURE
#undef READ
#define PICTURE(k, block, picture) \
  layout (std430, binding = k) restrict buffer block { TARGET_QUAD picture[]; };
#define READ(k, block, picture) value[k] = from_quad (picture[quad]) + bias;
#define WRITE(k, block, picture) picture[quad] = to_quad (weight[k]);
#elif defined BANDS || defined MORE_BANDS
#undef READ
#define READ(k, block, picture) value[k] = from_quad (picture[quad]);
#endif

#ifdef MORE_BANDS
#define ACCESS restrict
#else
#define ACCESS restrict writeonly
#endif

EACH (PICTURE)
layout (std430, binding = READS) ACCESS buffer Target { TARGET_QUAD target[]; };
uniform float parameters[9];
uniform float bias; // what samples are stored less

#ifdef COUNT
#include "include/tensor.glsl"
#endif

#ifdef MAGNITUDE
float filtered (float value[READS])
{
  vec2 about = vec2 (value[0], value[1]) - ZERO;
  return length (about);
}
#else
#if !defined BANDS && !defined MORE_BANDS
// Σ q M of the magnitudes from number `first` on.
MATRIX sum_of (float value[READS], int first)
{
  MATRIX t = MATRIX (0.0);
  for (int k = 0; k < COUNT; k++)
    t += value[first + k] * dual[k];
  return t;
}
#endif
#endif

#ifdef TENSOR
float filtered (float value[READS])
{
  MATRIX t = sum_of (value, 0);
  VECTOR lambda = eigenvalues (t);
  float most = max (lambda.x, 0.0) + NOISE;
  if (RULE == ENERGY)
    return strength (lambda);
  if (RULE == CERTAINTY)
    return (max (lambda.x, 0.0) - max (lambda.y, 0.0)) / most;
  if (RULE == COSINE)
    return 0.5 + 0.5 * (t[0][0] - t[1][1]) / most;
  return 0.5 + t[0][1] / most;
}
#endif

#if defined STEER && !defined WEIGHTS && !defined BANDS && !defined MORE_BANDS
float filtered (float value[READS])
{
  mat3 control = control_of (sum_of (value, 1 + COUNT), NOISE, ISOTROPY);
  float sum = value[0];
  for (int k = 0; k < COUNT; k++)
    sum += inner (control, dual[k]) * value[1 + k];
  return sum;
}
#endif

void main ()
{
  ivec2 at = own_quad ();
  if (at.x < 0)
    return;
  int quad = quad_index (at);
  vec4 value[READS], result = vec4 (0.0), weight[READS];
  EACH (READ)
  for (int picture = 0; picture < READS; picture++)
    weight[picture] = vec4 (0.0);
#ifdef WEIGHTS
  for (int column = 0; column < 4; column++) {
    float samples[READS];
    for (int picture = 0; picture < READS; picture++)
      samples[picture] = value[picture][column];
    mat4 control = control_of (sum_of (samples, 0), NOISE, ISOTROPY);
    for (int picture = 0; picture < READS; picture++)
      weight[picture][column] = inner (control, dual[picture]);
  }
  EACH (WRITE)
  return;

#elif defined BANDS || defined MORE_BANDS
#ifdef BANDS
  result = value[0] + bias;
  const int first = 1;
#else
  result = from_quad (target[quad]) + bias;
  const int first = 0;
#endif
  const int half_of_them = (READS - first) / 2;
  for (int k = first; k < first + half_of_them; k++)
    result += value[half_of_them + k] * (value[k] + bias);
  target[quad] = to_quad (result - bias);
#else
  for (int column = 0; column < 4; column++) {
    float samples[READS];
    for (int picture = 0; picture < READS; picture++)
      samples[picture] = value[picture][column];
    result[column] = filtered (samples);
  }
  target[quad] = to_quad (result - bias);
#endif
}
