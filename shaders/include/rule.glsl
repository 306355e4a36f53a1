// SPDX-License-Identifier: MIT
// What the rules beside soft and hard leave of details x that exceed their thresholds T
// (OdlShrinkingRule): x (1 - q) (1 + q), x min (2 (1 - q), 1), x sqrt ((1 - q) (1 + q)), q = T / |x|.
// Of numbers and vectors; RULE 0: none of them.
#define GARROTE 2
#define FIRM 3
#define HYPERBOLIC 4

#ifndef RULE
#define RULE 0
#endif

#if RULE == GARROTE
#define SHARE_LEFT(q) ((1.0 - (q)) * (1.0 + (q)))
#elif RULE == FIRM
#define SHARE_LEFT(q) min (2.0 - 2.0 * (q), 1.0)
#elif RULE == HYPERBOLIC
#define SHARE_LEFT(q) sqrt ((1.0 - (q)) * (1.0 + (q)))
#endif

// The share of what has these magnitudes; 0 up to the threshold. What is divided by is never 0.
#define SHARE_OF(size, threshold) \
  (SHARE_LEFT (min ((threshold) / max (max (size, threshold), 1e-30), 1.0)) \
   * (1.0 - step (size, threshold)))
