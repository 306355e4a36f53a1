// SPDX-License-Identifier: MIT
#include "plan/tensor.h"

#include <math.h>

#define LEAST 1e-12

int
odl_tensor_count (int dimensions)
{
  return dimensions == 3 ? 6 : 4;
}

void
odl_tensor_direction (int dimensions, int k, double n[3])
{
  const double a = 2, b = 1 + sqrt (5), c = 1 / sqrt (10 + 2 * sqrt (5));
  const double vertices[6][3] = { { a, 0, b },  { -a, 0, b }, { b, a, 0 },
                                  { b, -a, 0 }, { 0, b, a },  { 0, b, -a } };

  for (int i = 0; i < 3; i++)
    n[i] = dimensions == 3 ? c * vertices[k][i]
           : i == 0        ? cos (G_PI / 4 * k)
           : i == 1        ? sin (G_PI / 4 * k)
                           : 0;
}

static void
outer (const double n[3], double scale, double t[ODL_TENSOR_ENTRIES])
{
  for (int i = 0; i < 3; i++)
    t[i] = scale * n[i] * n[i];
  t[ODL_TENSOR_XY] = scale * n[0] * n[1];
  t[ODL_TENSOR_XZ] = scale * n[0] * n[2];
  t[ODL_TENSOR_YZ] = scale * n[1] * n[2];
}

void
odl_tensor_dual (int dimensions, int k, double dual[ODL_TENSOR_ENTRIES])
{
  double n[3];

  odl_tensor_direction (dimensions, k, n);
  outer (n, dimensions == 3 ? 1.25 : 1, dual);
  for (int i = 0; i < dimensions; i++)
    dual[i] -= 0.25;
}

double
odl_tensor_inner (const double a[ODL_TENSOR_ENTRIES], const double b[ODL_TENSOR_ENTRIES])
{
  double sum = 0;

  for (int i = 0; i < ODL_TENSOR_ENTRIES; i++)
    sum += (i < 3 ? 1 : 2) * a[i] * b[i];
  return sum;
}

void
odl_tensor_sum (int dimensions, const double *q, double t[ODL_TENSOR_ENTRIES])
{
  double dual[ODL_TENSOR_ENTRIES];

  for (int i = 0; i < ODL_TENSOR_ENTRIES; i++)
    t[i] = 0;
  for (int k = 0; k < odl_tensor_count (dimensions); k++) {
    odl_tensor_dual (dimensions, k, dual);
    for (int i = 0; i < ODL_TENSOR_ENTRIES; i++)
      t[i] += q[k] * dual[i];
  }
}

// O. Smith, "Eigenvalues of a symmetric 3 × 3 matrix", Communications of the ACM 4
// (1961).
static void
eigenvalues_3 (const double t[ODL_TENSOR_ENTRIES], double lambda[3])
{
  const double mean = (t[0] + t[1] + t[2]) / 3;
  const double off = t[3] * t[3] + t[4] * t[4] + t[5] * t[5];
  const double x = t[0] - mean, y = t[1] - mean, z = t[2] - mean;
  const double spread = sqrt ((x * x + y * y + z * z + 2 * off) / 6);
  const double determinant = x * (y * z - t[5] * t[5]) - t[3] * (t[3] * z - t[5] * t[4])
                             + t[4] * (t[3] * t[5] - y * t[4]);
  const double cube = 2 * spread * spread * spread;
  const double ratio = cube > 0 ? CLAMP (determinant / cube, -1, 1) : 1;
  const double angle = acos (ratio) / 3;

  lambda[0] = mean + 2 * spread * cos (angle);
  lambda[2] = mean + 2 * spread * cos (angle + 2 * G_PI / 3);
  lambda[1] = 3 * mean - lambda[0] - lambda[2];
}

void
odl_tensor_eigenvalues (int dimensions,
                        const double t[ODL_TENSOR_ENTRIES],
                        double lambda[3])
{
  if (dimensions == 3) {
    eigenvalues_3 (t, lambda);
    return;
  }
  const double mean = (t[0] + t[1]) / 2;
  const double half = hypot ((t[0] - t[1]) / 2, t[ODL_TENSOR_XY]);
  lambda[0] = mean + half;
  lambda[1] = mean - half;
  lambda[2] = 0;
}

static double
positive (double value)
{
  return MAX (value, 0);
}

static double
strength (int dimensions, const double lambda[3])
{
  double sum = 0;

  for (int i = 0; i < dimensions; i++)
    sum += positive (lambda[i]) * positive (lambda[i]);
  return sqrt (sum);
}

static double
share (double before, double next, double isotropy)
{
  const double ratio = before > LEAST ? MIN (next / before, 1) : 1;
  const double u = (1 - isotropy) * ratio, v = isotropy * (1 - ratio);

  return isotropy > 0 ? u * u / (u * u + v * v + LEAST * LEAST) : 1;
}

// Adds scale · (T − a I) (T − b I).
static void
add_product (const double t[ODL_TENSOR_ENTRIES],
             double a,
             double b,
             double scale,
             double to[ODL_TENSOR_ENTRIES])
{
  const double m[3][3]
      = { { t[0], t[3], t[4] }, { t[3], t[1], t[5] }, { t[4], t[5], t[2] } };
  static const int rows[] = { 0, 1, 2, 0, 0, 1 }, columns[] = { 0, 1, 2, 1, 2, 2 };

  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++) {
    const int i = rows[e], j = columns[e];
    double sum = -(a + b) * m[i][j] + (i == j ? a * b : 0);
    for (int k = 0; k < 3; k++)
      sum += m[i][k] * m[k][j];
    to[e] += scale * sum;
  }
}

// Projections onto eigenvectors are products of T − λ I over the differences of
// eigenvalues: no eigenvector is found.
void
odl_tensor_control (int dimensions,
                    const double t[ODL_TENSOR_ENTRIES],
                    double noise,
                    double isotropy,
                    double control[ODL_TENSOR_ENTRIES])
{
  double lambda[3], gain[3] = { 0 };

  odl_tensor_eigenvalues (dimensions, t, lambda);
  const double s = strength (dimensions, lambda), s2 = s * s, n2 = noise * noise;
  gain[0] = noise > 0 ? s2 * s2 / (s2 * s2 + n2 * n2) : 1;
  for (int i = 1; i < dimensions; i++)
    gain[i]
        = gain[i - 1] * share (positive (lambda[i - 1]), positive (lambda[i]), isotropy);
  for (int i = 0; i < ODL_TENSOR_ENTRIES; i++)
    control[i] = i < dimensions ? gain[1] : 0;
  const double first = lambda[0] - lambda[1];
  if (dimensions == 2) {
    const double scale = (gain[0] - gain[1]) / MAX (first, LEAST);
    for (int i = 0; i < 2; i++)
      control[i] += scale * (t[i] - lambda[1]);
    control[ODL_TENSOR_XY] += scale * t[ODL_TENSOR_XY];
    return;
  }
  const double second = lambda[1] - lambda[2], both = lambda[0] - lambda[2];
  add_product (t, lambda[1], lambda[2], (gain[0] - gain[1]) / MAX (first * both, LEAST),
               control);
  add_product (t, lambda[0], lambda[1], (gain[2] - gain[1]) / MAX (second * both, LEAST),
               control);
}

double
odl_tensor_view (int dimensions,
                 const double t[ODL_TENSOR_ENTRIES],
                 OdlTensorView view,
                 double noise)
{
  double lambda[3];

  odl_tensor_eigenvalues (dimensions, t, lambda);
  const double most = positive (lambda[0]) + noise;
  switch (view) {
  case ODL_TENSOR_ENERGY:
    return strength (dimensions, lambda);
  case ODL_TENSOR_CERTAINTY:
    return (positive (lambda[0]) - positive (lambda[1])) / most;
  case ODL_TENSOR_COSINE:
    return 0.5 + 0.5 * (t[ODL_TENSOR_XX] - t[ODL_TENSOR_YY]) / most;
  case ODL_TENSOR_SINE:
    return 0.5 + t[ODL_TENSOR_XY] / most;
  }
  g_return_val_if_reached (0);
}
