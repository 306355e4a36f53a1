// SPDX-License-Identifier: MIT
// Median of SIDE * SIDE samples, by the two algorithms of src/engine/cpu/kernels/median_kernels.h, which
// cites their sources.
#define COUNT (SIDE * SIDE)

SAMPLE of_window (ivec2 p, int k)
{
  return at (p + ivec2 (k % SIDE, k / SIDE) - SIDE / 2);
}

// NVIDIA's compiler (580.159) computes wrong results for 49 samples with FOLD_FAR (pictures of
// less than four rows or columns).
#if SIDE <= LARGEST_SELECTION && !(SIDE > 5 && defined FOLD_FAR)
#define KEPT (COUNT / 2 + 2)

// Forgetful selection.
SAMPLE filtered (ivec2 p)
{
  SAMPLE value[KEPT];
  for (int k = 0; k < KEPT; k++)
    value[k] = of_window (p, k);
  for (int left = KEPT; left >= 3; left--) {
    for (int k = 1; k < left; k++) { // the smallest comes first
      SAMPLE low = min (value[0], value[k]);
      value[k] = max (value[0], value[k]);
      value[0] = low;
    }
    for (int k = 1; k < left - 1; k++) { // the largest comes last
      SAMPLE high = max (value[k], value[left - 1]);
      value[k] = min (value[k], value[left - 1]);
      value[left - 1] = high;
    }
    if (left > 3)
      value[0] = of_window (p, COUNT + 3 - left);
  }
  return value[1];
}
#else
// Integers in the order of the samples: compilers may round the midpoint of two floats differently
// in different places, making comparisons inconsistent.
KEY key_of (SAMPLE value)
{
  KEY bits = floatBitsToInt (value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

SAMPLE sample_of (KEY key)
{
  return intBitsToFloat (key ^ ((key >> 31) & 0x7fffffff));
}

// Bisection over values.
SAMPLE filtered (ivec2 p)
{
  const KEY rank = KEY (COUNT / 2 + 1);
  KEY least = key_of (of_window (p, 0)), greatest = least;
  for (int k = 1; k < COUNT; k++) {
    KEY key = key_of (of_window (p, k));
    least = min (least, key);
    greatest = max (greatest, key);
  }
  // Every iteration reduces the number of candidates.
  for (int turn = 0; turn < COUNT && !ALL_EQUAL (least, greatest); turn++) {
    KEY middle = (least & greatest) + ((least ^ greatest) >> 1); // rounds down
    KEY below = least, above = greatest, n_below = KEY (0);
    for (int k = 0; k < COUNT; k++) {
      KEY key = key_of (of_window (p, k));
      MASK inside = NOT_GREATER (key, middle);
      n_below += choose (inside, KEY (1), KEY (0));
      below = choose (inside, max (below, key), below);
      above = choose (inside, above, min (above, key));
    }
    MASK enough = NOT_GREATER (rank, n_below);
    greatest = choose (enough, below, greatest);
    least = choose (EQUAL (rank, n_below), below, choose (enough, least, above));
  }
  return sample_of (least);
}
#endif
