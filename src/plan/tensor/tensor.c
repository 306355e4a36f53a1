// SPDX-License-Identifier: MIT
#include "plan/tensor/tensor.h"

#include <math.h>

#define LEAST 1e-12
#define MOST_SWEEPS 20

// Where the entries stand.
static const int rows[ODL_TENSOR_ENTRIES] = { 0, 1, 2, 0, 0, 1, 3, 0, 1, 2 };
static const int columns[ODL_TENSOR_ENTRIES] = { 0, 1, 2, 1, 2, 2, 3, 3, 3, 3 };

int
odl_tensor_count (int dimensions)
{
  return dimensions == 4 ? 10 : dimensions == 3 ? 6 : 4;
}

int
odl_tensor_dimensions (int count)
{
  return count == 10 ? 4 : count == 6 ? 3 : 2;
}

int
odl_tensor_entries (int dimensions)
{
  return dimensions == 4 ? ODL_TENSOR_ENTRIES : ODL_TENSOR_TT;
}

// Halves of the edges of a simplex with sides of √8.
static void
edge (int k, double n[4])
{
  const double a = sqrt (0.5), b = sqrt (0.125), c = sqrt (0.625);
  const double edges[10][4]
      = { { a, a, 0, 0 },    { a, -a, 0, 0 },  { a, 0, a, 0 },  { a, 0, -a, 0 },
          { 0, a, a, 0 },    { 0, a, -a, 0 },  { b, b, b, -c }, { b, -b, -b, -c },
          { -b, b, -b, -c }, { -b, -b, b, -c } };

  for (int i = 0; i < 4; i++)
    n[i] = edges[k][i];
}

void
odl_tensor_direction (int dimensions, int k, double n[4])
{
  const double a = 2, b = 1 + sqrt (5), c = 1 / sqrt (10 + 2 * sqrt (5));
  const double vertices[6][3] = { { a, 0, b },  { -a, 0, b }, { b, a, 0 },
                                  { b, -a, 0 }, { 0, b, a },  { 0, b, -a } };

  if (dimensions == 4) {
    edge (k, n);
    return;
  }
  for (int i = 0; i < 3; i++)
    n[i] = dimensions == 3 ? c * vertices[k][i]
           : i == 0        ? cos (G_PI / 4 * k)
           : i == 1        ? sin (G_PI / 4 * k)
                           : 0;
  n[3] = 0;
}

static void
add_outer (const double n[4], double scale, double t[ODL_TENSOR_ENTRIES])
{
  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++)
    t[e] += scale * n[rows[e]] * n[columns[e]];
}

// By the angle between the directions.
static void
dual_of_edge (int k, double dual[ODL_TENSOR_ENTRIES])
{
  double own[4], other[4];

  edge (k, own);
  for (int j = 0; j < odl_tensor_count (4); j++) {
    double cosine = 0;
    edge (j, other);
    for (int i = 0; i < 4; i++)
      cosine += own[i] * other[i];
    add_outer (other, j == k ? 1.36 : fabs (cosine) > 0.25 ? -0.24 : 0.16, dual);
  }
}

void
odl_tensor_dual (int dimensions, int k, double dual[ODL_TENSOR_ENTRIES])
{
  double n[4];

  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++)
    dual[e] = 0;
  if (dimensions == 4) {
    dual_of_edge (k, dual);
    return;
  }
  odl_tensor_direction (dimensions, k, n);
  add_outer (n, dimensions == 3 ? 1.25 : 1, dual);
  for (int i = 0; i < dimensions; i++)
    dual[i] -= 0.25;
}

double
odl_tensor_inner (const double a[ODL_TENSOR_ENTRIES], const double b[ODL_TENSOR_ENTRIES])
{
  double sum = 0;

  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++)
    sum += (rows[e] == columns[e] ? 1 : 2) * a[e] * b[e];
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
eigenvalues_3 (const double t[ODL_TENSOR_ENTRIES], double lambda[4])
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

// Turns the plane of the axes p and q so that a[p][q] is 0, and the vectors with it.
static void
turn (double a[4][4], double vectors[4][4], int p, int q)
{
  if (a[p][q] == 0)
    return;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = copysign (1, theta) / (fabs (theta) + sqrt (theta * theta + 1));
  const double c = 1 / sqrt (t * t + 1), s = t * c;

  for (int k = 0; k < 4; k++) {
    const double x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
  }
  for (int k = 0; k < 4; k++) {
    const double x = a[p][k], y = a[q][k], v = vectors[p][k], w = vectors[q][k];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
    vectors[p][k] = c * v - s * w;
    vectors[q][k] = s * v + c * w;
  }
}

// Jacobi's method: eigenvalues, the largest first, and their vectors, in rows.
static void
decompose (const double t[ODL_TENSOR_ENTRIES], double lambda[4], double vectors[4][4])
{
  double a[4][4];

  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++)
    a[rows[e]][columns[e]] = a[columns[e]][rows[e]] = t[e];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      vectors[i][k] = i == k;
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    double off = 0, all = 0;
    for (int e = 0; e < ODL_TENSOR_ENTRIES; e++) {
      const double square = a[rows[e]][columns[e]] * a[rows[e]][columns[e]];
      all += square;
      off += rows[e] == columns[e] ? 0 : square;
    }
    if (off <= LEAST * LEAST * all)
      break;
    for (int p = 0; p < 3; p++)
      for (int q = p + 1; q < 4; q++)
        turn (a, vectors, p, q);
  }
  for (int i = 0; i < 4; i++)
    lambda[i] = a[i][i];
  for (int i = 0; i < 4; i++)
    for (int k = i + 1; k < 4; k++)
      if (lambda[k] > lambda[i]) {
        const double value = lambda[i];
        lambda[i] = lambda[k];
        lambda[k] = value;
        for (int x = 0; x < 4; x++) {
          const double entry = vectors[i][x];
          vectors[i][x] = vectors[k][x];
          vectors[k][x] = entry;
        }
      }
}

void
odl_tensor_eigenvalues (int dimensions,
                        const double t[ODL_TENSOR_ENTRIES],
                        double lambda[4])
{
  lambda[3] = 0;
  if (dimensions == 4) {
    double vectors[4][4];
    decompose (t, lambda, vectors);
  }
  if (dimensions == 3)
    eigenvalues_3 (t, lambda);
  if (dimensions > 2)
    return;
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
strength (int dimensions, const double lambda[4])
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

  for (int e = 0; e < ODL_TENSOR_TT; e++) {
    const int i = rows[e], j = columns[e];
    double sum = -(a + b) * m[i][j] + (i == j ? a * b : 0);
    for (int k = 0; k < 3; k++)
      sum += m[i][k] * m[k][j];
    to[e] += scale * sum;
  }
}

static void
find_gains (int dimensions,
            const double lambda[4],
            double noise,
            double isotropy,
            double gain[4])
{
  const double s = strength (dimensions, lambda), s2 = s * s, n2 = noise * noise;

  gain[0] = noise > 0 ? s2 * s2 / (s2 * s2 + n2 * n2) : 1;
  for (int i = 1; i < dimensions; i++)
    gain[i]
        = gain[i - 1] * share (positive (lambda[i - 1]), positive (lambda[i]), isotropy);
}

static void
control_4 (const double t[ODL_TENSOR_ENTRIES],
           double noise,
           double isotropy,
           double control[ODL_TENSOR_ENTRIES])
{
  double lambda[4], gain[4], vectors[4][4];

  decompose (t, lambda, vectors);
  find_gains (4, lambda, noise, isotropy, gain);
  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++)
    control[e] = 0;
  for (int i = 0; i < 4; i++)
    add_outer (vectors[i], gain[i], control);
}

// Projections onto eigenvectors are products of T − λ I over the differences of
// eigenvalues: up to three dimensions no eigenvector is found.
void
odl_tensor_control (int dimensions,
                    const double t[ODL_TENSOR_ENTRIES],
                    double noise,
                    double isotropy,
                    double control[ODL_TENSOR_ENTRIES])
{
  double lambda[4], gain[4] = { 0 };

  if (dimensions == 4) {
    control_4 (t, noise, isotropy, control);
    return;
  }
  odl_tensor_eigenvalues (dimensions, t, lambda);
  find_gains (dimensions, lambda, noise, isotropy, gain);
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
  double lambda[4];

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
