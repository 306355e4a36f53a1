// SPDX-License-Identifier: MIT
// Structure tensors as plan/tensor/tensor.h says, in two or three (DIMENSIONS) of three rows, or four: COUNT filters,
// whose duals are DUALS. Eigenvalues come the largest first.
#define LEAST 1e-12

#if DIMENSIONS == 4
#define MATRIX mat4
#define VECTOR vec4
#else
#define MATRIX mat3
#define VECTOR vec3
#endif
const MATRIX dual[COUNT] = MATRIX[COUNT] (DUALS);

float inner (MATRIX a, MATRIX b)
{
#if DIMENSIONS == 4
  return dot (a[0], b[0]) + dot (a[1], b[1]) + dot (a[2], b[2]) + dot (a[3], b[3]);
#else
  return dot (a[0], b[0]) + dot (a[1], b[1]) + dot (a[2], b[2]);
#endif
}

#if DIMENSIONS == 4
// Turns the plane of the axes p and q so that a[p][q] is 0, and the columns of `vectors` with it.
#define TURN_ROWS(k, p, q) a[k] += (c - 1.0) * (unit[p] * a[k][p] + unit[q] * a[k][q]) \
                                   + s * (unit[q] * a[k][p] - unit[p] * a[k][q]);
#define TURN(p, q) \
  if (a[p][q] != 0.0) { \
    float theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]); \
    float t = (theta < 0.0 ? -1.0 : 1.0) / (abs (theta) + sqrt (theta * theta + 1.0)); \
    float c = inversesqrt (t * t + 1.0), s = t * c; \
    vec4 first = a[p], second = a[q]; \
    a[p] = c * first - s * second; \
    a[q] = s * first + c * second; \
    TURN_ROWS (0, p, q) TURN_ROWS (1, p, q) TURN_ROWS (2, p, q) TURN_ROWS (3, p, q) \
    first = vectors[p], second = vectors[q]; \
    vectors[p] = c * first - s * second; \
    vectors[q] = s * first + c * second; \
  }
#define ORDER(i, j) \
  if (lambda[j] > lambda[i]) { \
    float larger = lambda[j]; \
    vec4 other = vectors[i]; \
    lambda[j] = lambda[i], lambda[i] = larger; \
    vectors[i] = vectors[j], vectors[j] = other; \
  }

// Jacobi's method.
vec4 decompose (mat4 a, out mat4 vectors)
{
  const mat4 unit = mat4 (1.0);
  vectors = unit;
  for (int sweep = 0; sweep < 6; sweep++) {
    TURN (0, 1) TURN (0, 2) TURN (0, 3) TURN (1, 2) TURN (1, 3) TURN (2, 3)
  }
  vec4 lambda = vec4 (a[0][0], a[1][1], a[2][2], a[3][3]);
  ORDER (0, 1) ORDER (2, 3) ORDER (0, 2) ORDER (1, 3) ORDER (1, 2)
  return lambda;
}

vec4 eigenvalues (mat4 t)
{
  mat4 vectors;
  return decompose (t, vectors);
}
#else
// I in as many dimensions.
mat3 identity ()
{
  return mat3 (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, DIMENSIONS == 3 ? 1.0 : 0.0);
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
#endif

// √Σ λ² of the positive ones.
float strength (VECTOR lambda)
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

#if DIMENSIONS == 4
mat4 control_of (mat4 t, float noise, float isotropy)
{
  mat4 vectors;
  vec4 lambda = decompose (t, vectors), positive = max (lambda, 0.0), gain;
  gain.x = gain_of (strength (lambda), noise);
  gain.y = gain.x * share (positive.x, positive.y, isotropy);
  gain.z = gain.y * share (positive.y, positive.z, isotropy);
  gain.w = gain.z * share (positive.z, positive.w, isotropy);
  return outerProduct (gain.x * vectors[0], vectors[0]) + outerProduct (gain.y * vectors[1], vectors[1])
         + outerProduct (gain.z * vectors[2], vectors[2]) + outerProduct (gain.w * vectors[3], vectors[3]);
}
#else
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
#endif
