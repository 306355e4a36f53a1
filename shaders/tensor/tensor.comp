// SPDX-License-Identifier: MIT
// The same sample of several pictures (READS, bindings 0 …) makes one of the picture at binding READS.
// By STEP: MAGNITUDE √(f² + g²); TENSOR what RULE (an OdlTensorView) says of the tensor of COUNT
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
#define EACH_13(macro) \
  EACH_9 (macro) macro (9, J, j) macro (10, K, k) macro (11, L, l) macro (12, M, m)

EACH (PICTURE)
layout (std430, binding = READS) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform float parameters[9];
uniform float bias; // what samples are stored less

#ifdef COUNT
#include "include/tensor.glsl"
#endif

#ifdef MAGNITUDE
float filtered (float value[READS])
{
  return sqrt (value[0] * value[0] + value[1] * value[1]);
}
#else
// Σ q M of the magnitudes from number `first` on.
mat3 sum_of (float value[READS], int first)
{
  mat3 t = mat3 (0.0);
  for (int k = 0; k < COUNT; k++)
    t += value[first + k] * dual[k];
  return t;
}
#endif

#ifdef TENSOR
float filtered (float value[READS])
{
  mat3 t = sum_of (value, 0);
  vec3 lambda = eigenvalues (t);
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

#ifdef STEER
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
  vec4 value[READS], result;
  EACH (READ)
  for (int column = 0; column < 4; column++) {
    float samples[READS];
    for (int picture = 0; picture < READS; picture++)
      samples[picture] = value[picture][column];
    result[column] = filtered (samples);
  }
  target[quad] = to_quad (result - bias);
}
