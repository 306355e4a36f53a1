// SPDX-License-Identifier: MIT
// Of KERNEL_WIDTH * KERNEL_HEIGHT samples the least one up to which HALF of the weights are, which
// are whole numbers; each row of them begins with a vec4. Bisection over values, as in median.glsl.
#define COUNT (KERNEL_WIDTH * KERNEL_HEIGHT)

SAMPLE of_window (ivec2 p, int k)
{
  return at (p + ivec2 (k % KERNEL_WIDTH - KERNEL_WIDTH / 2, k / KERNEL_WIDTH - KERNEL_HEIGHT / 2));
}

int weight_of (int k)
{
  int x = k % KERNEL_WIDTH, row = k / KERNEL_WIDTH * ((KERNEL_WIDTH + 3) / 4);
  return int (coefficients[row + (x >> 2)][x & 3]);
}

// Integers in the order of the samples.
KEY key_of (SAMPLE value)
{
  KEY bits = floatBitsToInt (value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

SAMPLE sample_of (KEY key)
{
  return intBitsToFloat (key ^ ((key >> 31) & 0x7fffffff));
}

SAMPLE filtered (ivec2 p)
{
  KEY half_of_all = KEY (int (HALF));
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
      weight += choose (inside, KEY (weight_of (k)), KEY (0));
      below = choose (inside, max (below, key), below);
      above = choose (inside, above, min (above, key));
    }
    MASK enough = NOT_GREATER (half_of_all, weight);
    greatest = choose (enough, below, greatest);
    least = choose (enough, least, above);
  }
  return sample_of (least);
}
