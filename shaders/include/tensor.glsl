// SPDX-License-Identifier: MIT
// Structure tensors as plan/tensor.h says, in two or three (DIMENSIONS) of three rows: COUNT filters, whose
// duals are DUALS. Eigenvalues come the largest first.
#define LEAST 1e-12

const mat3 dual[COUNT] = mat3[COUNT] (DUALS);

// I in as many dimensions.
mat3 identity ()
{
  return mat3 (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, DIMENSIONS == 3 ? 1.0 : 0.0);
}

float inner (mat3 a, mat3 b)
{
  return dot (a[0], b[0]) + dot (a[1], b[1]) + dot (a[2], b[2]);
}

// O. Smith, "Eigenvalues of a symmetric 3 × 3 matrix" (1961).
vec3 eigenvalues (mat3 t)
{
#if DIMENSIONS == 3
  float mean = (t[0][0] + t[1][1] + t[2][2]) / 3.0;
  mat3 rest = t - mean * identity ();
  float spread = sqrt (inner (rest, rest) / 6.0);
  float ratio = clamp (determinant (rest / max (spread, LEAST)) / 2.0, -1.0, 1.0);
  float angle = acos (ratio) / 3.0;
  float first = mean + 2.0 * spread * cos (angle);
  float last = mean + 2.0 * spread * cos (angle + 2.0943951);
  return vec3 (first, 3.0 * mean - first - last, last);
#else
  float mean = (t[0][0] + t[1][1]) / 2.0;
  float away = length (vec2 ((t[0][0] - t[1][1]) / 2.0, t[0][1]));
  return vec3 (mean + away, mean - away, 0.0);
#endif
}

// √Σ λ² of the positive ones.
float strength (vec3 lambda)
{
  return length (max (lambda, 0.0));
}

// What of the gain before goes on to the next eigenvalue.
float share (float before, float next, float isotropy)
{
  float ratio = before > LEAST ? min (next / before, 1.0) : 1.0;
  float u = (1.0 - isotropy) * ratio, v = isotropy * (1.0 - ratio);
  return isotropy > 0.0 ? u * u / (u * u + v * v + LEAST * LEAST) : 1.0;
}

// s⁴ / (s⁴ + noise⁴), without a power that is no float.
float gain_of (float s, float noise)
{
  float ratio = min (s, noise) / max (max (s, noise), LEAST), power = ratio * ratio * ratio * ratio;
  if (noise <= 0.0)
    return 1.0;
  return s > noise ? 1.0 / (1.0 + power) : power / (1.0 + power);
}

// The control tensor. Projections onto eigenvectors are products of T − λ I over the differences of
// eigenvalues.
mat3 control_of (mat3 t, float noise, float isotropy)
{
  vec3 lambda = eigenvalues (t), positive = max (lambda, 0.0);
  vec3 gain;
  gain.x = gain_of (strength (lambda), noise);
  gain.y = gain.x * share (positive.x, positive.y, isotropy);
  gain.z = gain.y * share (positive.y, positive.z, isotropy);
  mat3 control = gain.y * identity ();
  mat3 less_second = t - lambda.y * identity ();
  float first = lambda.x - lambda.y;
#if DIMENSIONS == 3
  float second = lambda.y - lambda.z, both = lambda.x - lambda.z;
  mat3 less_first = t - lambda.x * identity (), less_last = t - lambda.z * identity ();
  control += (gain.x - gain.y) / max (first * both, LEAST) * (less_second * less_last);
  control += (gain.z - gain.y) / max (second * both, LEAST) * (less_first * less_second);
#else
  control += (gain.x - gain.y) / max (first, LEAST) * less_second;
#endif
  return control;
}
