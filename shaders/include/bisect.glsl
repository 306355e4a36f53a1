// SPDX-License-Identifier: MIT
// The least of the COUNT samples of_window (p, k) up to which `rank` of the weights WEIGHT_OF (k)
// are: bisection over values. Without ZERO_WEIGHTS all weights are above 0.

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

SAMPLE bisected (ivec2 p, KEY rank)
{
  KEY least = key_of (of_window (p, 0)), greatest = least;
  for (int k = 1; k < COUNT; k++) {
    KEY key = key_of (of_window (p, k));
    least = min (least, key);
    greatest = max (greatest, key);
  }
  // Every iteration reduces the number of candidates.
  for (int turn = 0; turn < COUNT && !ALL_EQUAL (least, greatest); turn++) {
    KEY middle = (least & greatest) + ((least ^ greatest) >> 1); // rounds down
    KEY below = least, above = greatest, weight = KEY (0);
    for (int k = 0; k < COUNT; k++) {
      KEY key = key_of (of_window (p, k));
      MASK inside = NOT_GREATER (key, middle);
      weight += choose (inside, KEY (WEIGHT_OF (k)), KEY (0));
      below = choose (inside, max (below, key), below);
      above = choose (inside, above, min (above, key));
    }
    MASK enough = NOT_GREATER (rank, weight);
    greatest = choose (enough, below, greatest);
    least = choose (enough, least, above);
#ifndef ZERO_WEIGHTS
    least = choose (EQUAL (rank, weight), below, least);
#endif
  }
  return sample_of (least);
}
