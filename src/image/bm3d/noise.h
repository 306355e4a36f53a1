// SPDX-License-Identifier: MIT
// Noise whose neighbours are alike, in groups of blocks: Y. Mäkinen, L. Azzari, A. Foi,
// "Collaborative filtering of correlated noise: exact transform-domain variance for
// improved shrinkage and patch matching", IEEE Transactions on Image Processing 29
// (2020).
//
// Noise is told by its deviations in the 8 × 8 coefficients of an orthonormal cosine
// transform of a block, row by row, the lowest frequencies first, in units of σ: white
// noise has 1 in all of them. Their squares are linear in the correlations of samples up
// to 7 columns and rows apart, and tell them, but not along which diagonal samples are
// more alike, which no separable transform sees. Samples farther apart count as
// strangers.
//
// Two blocks that lie dx columns and dy rows apart have in their coefficient b, of any
// separable transform with rows f, noise of the covariance
//   C_b (dx, dy) = Σ f_b[p] f_b[q] R (q − p + (dx, dy)),
// so that coefficient i of a group along its n blocks, by the Walsh functions w_i, has
// the variance
//   1/n Σ_j Σ_k w_i[j] w_i[k] C_b (place_j − place_k) = 1/n Σ_m w_i[m] Σ_j C_b (place_j −
//   place_(j ⊕ m)),
// which is itself a Walsh-Hadamard transform. It is exact for blocks that overlap, too.
#pragma once

#include <stdlib.h>

#include "image/bm3d/groups.h"

#define ODL_BM3D_APART (2 * ODL_BM3D_SIDE - 1) // columns and rows that noise reaches over
#define ODL_BM3D_WHITENING 17 // columns and rows of the kernel
// The least variance of a coefficient of a group, of that which its blocks would leave if
// they were strangers; and of all, in σ².
#define ODL_BM3D_LEAST_SHARE 0.05F
#define ODL_BM3D_LEAST_VARIANCE 1e-6F
// The noise of step two, times its variance: guides have some, too.
#define ODL_BM3D_CAUTION 1.5F
#define ODL_BM3D_NO_NOISE 1e-30F // that of the mean of a group, which stays

struct _OdlBm3dNoise {
  OdlBm3dBlock covariances[ODL_BM3D_APART][ODL_BM3D_APART]; // C_b, in σ²
};

// Σ row[j] row[j + lag], of a row of a transform.
double odl_bm3d_overlap (const float row[ODL_BM3D_SIDE], int lag);

// The correlations, row by row, mean of both diagonals, in σ², of noise that has those
// deviations.
void odl_bm3d_correlations (const double deviations[ODL_BM3D_COEFFICIENTS],
                            float correlations[ODL_BM3D_COEFFICIENTS]);

// For groups that go through `transform`; `turned`: whose coefficients lie so.
void odl_bm3d_noise_init (OdlBm3dNoise *noise,
                          const float correlations[ODL_BM3D_COEFFICIENTS],
                          const OdlBm3dTransform *transform,
                          bool turned);

// The kernel, row by row, that makes such noise nearly white, of deviation σ: in
// frequency 1 / √(S + ODL_BM3D_LEAST_POWER), S the power of the noise, on 32 × 32 points,
// its taps times √cos along either axis, so that its ends cost little. Blocks are
// compared in what it makes of the picture, since many that have nothing but noise of low
// frequencies in common lie nearer to each other than those that show the same; an
// engine's sums of squares are then as those of white noise.
#define ODL_BM3D_LEAST_POWER 0.05
void odl_bm3d_whitening (const float correlations[ODL_BM3D_COEFFICIENTS],
                         float kernel[ODL_BM3D_WHITENING * ODL_BM3D_WHITENING]);

// What such a kernel makes of a picture that is mirrored at its outermost samples, in
// `result`, whose rows are as far apart. Runs on all cores.
void odl_bm3d_whiten (const float kernel[ODL_BM3D_WHITENING * ODL_BM3D_WHITENING],
                      const float *samples,
                      size_t pitch,
                      int width,
                      int height,
                      float *result);

// The variances of the coefficients of the blocks of one frame of a group, in σ², by
// Walsh functions without their gain: n times as large as with it. Noise of one frame has
// nothing to do with that of another one, and its blocks lie to each other as in all
// frames, so that a coefficient has the same variance at every frequency from frame to
// frame.
static inline __attribute__ ((always_inline)) void
odl_bm3d_variances (const OdlBm3dNoise *noise,
                    const OdlBm3dBlocks *at,
                    OdlBm3dBlock *variances)
{
  const OdlBm3dBlock *own = &noise->covariances[0][0];
  const int n = at->n;

  for (int v = 0; v < ODL_BM3D_SIDE; v++)
    variances[0].rows[v] = own->rows[v] * (float) n;
  for (int m = 1; m < n; m++) {
    OdlBm3dBlock sum = { 0 };
    for (int j = 0; j < n; j++) {
      const int k = j ^ m, dx = abs (at->places[j].x - at->places[k].x);
      const int dy = abs (at->places[j].y - at->places[k].y);
      if (j < k && dx < ODL_BM3D_APART && dy < ODL_BM3D_APART)
        for (int v = 0; v < ODL_BM3D_SIDE; v++)
          sum.rows[v] += noise->covariances[dy][dx].rows[v];
    }
    for (int v = 0; v < ODL_BM3D_SIDE; v++)
      variances[m].rows[v] = sum.rows[v] + sum.rows[v];
  }
  for (int step = 1; step < n; step *= 2)
    for (int i = 0; i < n; i++)
      for (int v = 0; (i & step) == 0 && v < ODL_BM3D_SIDE; v++) {
        const OdlBm3dRow a = variances[i].rows[v], b = variances[i + step].rows[v];
        variances[i].rows[v] = a + b;
        variances[i + step].rows[v] = a - b;
      }
  for (int v = 0; v < ODL_BM3D_SIDE; v++) {
    const OdlBm3dRow least
        = (own->rows[v] * ODL_BM3D_LEAST_SHARE + ODL_BM3D_LEAST_VARIANCE) * (float) n;
    for (int i = 0; i < n; i++) {
      typedef int Mask __attribute__ ((vector_size (sizeof (OdlBm3dRow))));
      const OdlBm3dRow found = variances[i].rows[v];
      const Mask more = found > least; // −1 or 0
      variances[i].rows[v]
          = (OdlBm3dRow) (((Mask) found & more) | ((Mask) least & ~more));
    }
  }
}
