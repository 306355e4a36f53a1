// SPDX-License-Identifier: MIT
// Structure tensors of quadrature filters, and what they control.
// G. Granlund, H. Knutsson, "Signal processing for computer vision" (1995), chapters 6
// and 10; C. Westin et al., "Spatially adaptive filtering as regularization in inverse
// imaging" (2001).
#pragma once

#include <glib.h>

#define ODL_TENSOR_MOST 10 // filters

// Entries of a symmetric tensor. In two dimensions those with z are 0, in up to three
// those with t, along time.
typedef enum {
  ODL_TENSOR_XX,
  ODL_TENSOR_YY,
  ODL_TENSOR_ZZ,
  ODL_TENSOR_XY,
  ODL_TENSOR_XZ,
  ODL_TENSOR_YZ,
  ODL_TENSOR_TT,
  ODL_TENSOR_XT,
  ODL_TENSOR_YT,
  ODL_TENSOR_ZT,
  ODL_TENSOR_ENTRIES,
} OdlTensorEntry;

// Filters of 2 dimensions: 4, of 3: 6, of 4: 10, as many as a tensor has entries; and the
// dimensions that so many are of.
int odl_tensor_count (int dimensions);
int odl_tensor_dimensions (int count);

// Entries that are not always 0, from the first one on.
int odl_tensor_entries (int dimensions);

// The unit vector n of filter k: every 45 degrees, through the vertices of an
// icosahedron, or along the edges of a regular simplex of four dimensions.
void odl_tensor_direction (int dimensions, int k, double n[4]);

// M of filter k, the dual of n nᵀ: n nᵀ − I / 4, or 5/4 n nᵀ − I / 4, so that
// Σ (n · x)² M = x xᵀ for every x. Edges of a simplex stand at angles of 60 or 90
// degrees: there M is the sum of all n nᵀ, 34/25 of its own one, −6/25 of those at 60
// degrees and 4/25 of the others, from the inverse of their products.
void odl_tensor_dual (int dimensions, int k, double dual[ODL_TENSOR_ENTRIES]);

// The sum of the products of all entries of two symmetric tensors.
double odl_tensor_inner (const double a[ODL_TENSOR_ENTRIES],
                         const double b[ODL_TENSOR_ENTRIES]);

// T = Σ q M.
void odl_tensor_sum (int dimensions, const double *q, double t[ODL_TENSOR_ENTRIES]);

// Eigenvalues, the largest first.
void odl_tensor_eigenvalues (int dimensions,
                             const double t[ODL_TENSOR_ENTRIES],
                             double lambda[4]);

// The control tensor Σ g e eᵀ with the eigenvectors of T, where of the eigenvalues λ, of
// which negative ones count as 0,
//   g₁ = s⁴ / (s⁴ + noise⁴), s = √Σ λ²
//   gᵢ = gᵢ₋₁ u² / (u² + v²), u = (1 − isotropy) λᵢ / λᵢ₋₁, v = isotropy (1 − λᵢ / λᵢ₋₁)
// I where noise and isotropy are 0.
void odl_tensor_control (int dimensions,
                         const double t[ODL_TENSOR_ENTRIES],
                         double noise,
                         double isotropy,
                         double control[ODL_TENSOR_ENTRIES]);

// What a step TENSOR shows, in the order of its choices: √Σ λ²; (λ₁ − λ₂) / (λ₁ + noise);
// half of 1 + cos 2φ and of 1 + sin 2φ times that, φ the direction in the plane in which
// samples change most.
typedef enum {
  ODL_TENSOR_ENERGY,
  ODL_TENSOR_CERTAINTY,
  ODL_TENSOR_COSINE,
  ODL_TENSOR_SINE,
} OdlTensorView;

double odl_tensor_view (int dimensions,
                        const double t[ODL_TENSOR_ENTRIES],
                        OdlTensorView view,
                        double noise);
