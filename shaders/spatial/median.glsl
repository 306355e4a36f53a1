// SPDX-License-Identifier: MIT
// The median of SIDE * SIDE samples. The same two ways as in src/engine/cpu/median_kernels.h,
// which says where they come from.
#define COUNT (SIDE * SIDE)

SAMPLE of_window (ivec2 p, int k)
{
  return at (p + ivec2 (k % SIDE, k / SIDE) - SIDE / 2);
}

// NVIDIA's compiler (580.159) gets 49 samples whose indices are folded far wrong: pictures of
// less than four lines or columns.
#if SIDE <= LARGEST_SELECTION && !(SIDE > 5 && defined FOLD_FAR)
#define KEPT (COUNT / 2 + 2)

// Forgetful selection.
SAMPLE filtered (ivec2 p)
{
  SAMPLE value[KEPT];
  for (int k = 0; k < KEPT; k++)
    value[k] = of_window (p, k);
  for (int left = KEPT; left >= 3; left--) {
    for (int k = 1; k < left; k++) { // the least comes first
      SAMPLE low = min (value[0], value[k]);
      value[k] = max (value[0], value[k]);
      value[0] = low;
    }
    for (int k = 1; k < left - 1; k++) { // the greatest last
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
// Whole numbers in the order of the samples: a compiler may round the middle of two floats
// differently in two places, and a sample would be below it in one and above it in another.
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
  // Every turn leaves fewer values between the ends.
  for (int turn = 0; turn < COUNT && !ALL_EQUAL (least, greatest); turn++) {
    KEY middle = (least & greatest) + ((least ^ greatest) >> 1); // of two, the lower one
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
