// SPDX-License-Identifier: MIT
// Groups of blocks that look alike (include/bm3d.glsl): a work group finds those of BLOCKS reference
// blocks that stand beside each other. Each invocation has a column of RUN places of the search window
// and goes along the row of reference blocks with it: squared differences are summed column by column
// of the blocks, and STEP_OF_BLOCKS columns together, which neighbours share. The least distances of
// every other place of each invocation tell a bound that leaves as many places as a group takes and few
// more. Those are kept in shared memory and ranked. There is little of that memory, since the more work
// groups have room beside each other, the less they wait. RUN is odd.
//   source   (binding 0)  what is compared: the picture, or the guide
//   between  (binding 1)  groups
// Bits of distances, which are not negative, are ordered as they are.
#include "include/bm3d.glsl"

#define WORKERS 128
#define PLACES (ACROSS * ACROSS)
#define HEIGHT (2 * REACH + SIDE) // of the samples that are seen
#define WIDTH (HEIGHT + STEP_OF_BLOCKS * (BLOCKS - 1)) // with step 3 odd, so that invocations meet other banks
#define KEPT 128
#define NONE 0x7fffffffu // beyond all distances
#define FAR 1e18
layout (local_size_x = WORKERS) in;

layout (std430, binding = 0) restrict readonly buffer Source { STORED_SAMPLE source[]; };
layout (std430, binding = 1) restrict writeonly buffer Between { uint between[]; };
shared float samples[HEIGHT * WIDTH];
shared uint minima[2 * WORKERS]; // of every other place of each invocation
shared uvec2 kept[KEPT]; // distances and places
shared uint counts[2]; // of what is kept, of every other block
shared uint tally;

uint sum_of_all (uint value)
{
  barrier ();
  if (gl_LocalInvocationIndex == 0u)
    tally = 0u;
  barrier ();
  atomicAdd (tally, value);
  barrier ();
  return tally;
}

#ifdef SUBGROUP_BALLOTS
// How many of the minima are less than a bound, all of which each warp looks at.
uint count_below (uint bound)
{
  uint n = 0u, lane = gl_SubgroupInvocationID;

  for (uint i = 0u; i < uint (2 * WORKERS); i += 32u)
    n += uint (bitCount (subgroupBallot (minima[i + lane] < bound).x));
  return n;
}
#else
uint count_below (uint bound)
{
  uint own = gl_LocalInvocationIndex;

  return sum_of_all (uint (minima[own] < bound) + uint (minima[own + uint (WORKERS)] < bound));
}
#endif

// Between distances.
uint middle_of (uint low, uint high)
{
  uint middle = floatBitsToUint (0.5 * (uintBitsToFloat (low) + uintBitsToFloat (high)));
  return middle > low && middle < high ? middle : low + (high - low) / 2u;
}

// A bound that at least as many distances are less than as a group takes, or NONE where that are all. A
// block beside this one had the bound `guess`.
uint find_bound (float farthest, uint guess)
{
  uint low = 0u, high = floatBitsToUint (farthest) + 1u, middle = guess;

  if (count_below (NONE) < uint (MOST))
    return NONE;
  if (middle >= high)
    middle = middle_of (low, high);
  while (high - low > 1u) {
    uint n = count_below (middle);
    if (n < uint (MOST - 1))
      low = middle;
    else
      high = middle;
    if (n >= uint (MOST - 1) && n < uint (MOST + MOST / 8))
      break;
    middle = middle_of (low, high);
  }
  return high;
}

// No two places have the same key.
uint key_of (uint distance, uint place)
{
  return distance >> 10 << 11 | place;
}

// A bound of keys that leaves no more than are kept.
uint find_key (uint distances[RUN], uint place, uint bound)
{
  uint low = 0u, high = key_of (min (bound, NONE - 1024u), 0u) + 2048u, n = 0u;

  while (n < uint (MOST - 1) || n > uint (KEPT)) {
    uint middle = low + (high - low) / 2u, own = 0u;
    for (int i = 0; i < OPAQUE (RUN); i++)
      own += uint (key_of (distances[OPAQUE (i)], place + uint (i * ACROSS)) < middle);
    n = sum_of_all (own);
    if (n < uint (MOST - 1))
      low = middle;
    else
      high = middle;
  }
  return high;
}

#define KEEP(is_near) { \
    uint n = 0u; \
    for (int i = 0; i < OPAQUE (RUN); i++) \
      n += uint (is_near); \
    if (n > 0u) { \
      uint at = atomicAdd (counts[parity], n); \
      for (int i = 0; i < OPAQUE (RUN); i++) \
        if (is_near && at < uint (KEPT)) \
          kept[at++] = uvec2 (distances[OPAQUE (i)], place + uint (i * ACROSS)); \
    } \
  }

// The group of the block, of the distances of this invocation's places, which begin at `place`. Returns
// the bound.
uint select_nearest (uint distances[RUN], uint place, ivec2 block, float farthest, uint guess)
{
  uint own = gl_LocalInvocationIndex, parity = uint (block.x & 1), even = NONE, odd = NONE;

  for (int i = 0; i < RUN - 1; i += 2) {
    even = min (even, distances[i]);
    odd = min (odd, distances[i + 1]);
  }
  minima[own] = min (even, distances[RUN - 1]);
  minima[own + uint (WORKERS)] = odd;
  barrier ();
  uint bound = find_bound (farthest, guess);
  KEEP (distances[OPAQUE (i)] < bound)
  barrier ();
  if (counts[parity] > uint (KEPT)) {
    uint key = find_key (distances, place, bound);
    barrier ();
    if (own == 0u)
      counts[parity] = 0u;
    barrier ();
    KEEP (key_of (distances[OPAQUE (i)], place + uint (i * ACROSS)) < key)
    barrier ();
  }
  uint found = counts[parity], n = 1u << findMSB (min (found, uint (MOST - 1)) + 1u);
  int to = group_at (block);
  if (own == 0u)
    counts[1u - parity] = 0u;
  if (own < found) {
    uvec2 candidate = kept[own];
    uint rank = 1u;
    for (uint j = 0u; j < found; j++) { // without branches, which keep drivers from reading ahead
      uvec2 other = kept[j];
      rank += uint (other.x < candidate.x)
              + uint (other.x == candidate.x) * uint (other.y < candidate.y);
    }
    if (rank < n)
      between[to + int (rank)] = candidate.y / uint (ACROSS) << 6 | candidate.y % uint (ACROSS);
  }
  if (own == uint (WORKERS - 1)) // which is no candidate, mostly
    between[to] = n << 12 | uint (REACH) << 6 | uint (REACH);
  return bound;
}

// What lies outside is far from all.
void load (ivec2 origin)
{
  ivec2 last = padded_size () - 1;
  for (int i = int (gl_LocalInvocationIndex); i < HEIGHT * WIDTH; i += WORKERS) {
    ivec2 p = origin + ivec2 (i % WIDTH, i / WIDTH), within = clamp (p, ivec2 (0), last);
    float value = SAMPLE_AT (source, sample_index (within));
    samples[i] = p == within ? value : FAR;
  }
}

// Sums of the squared differences of column `column` of the blocks at all places of this invocation.
#define ADD_COLUMN(column, sums) { \
    float own[SIDE], other[RUN + SIDE - 1]; \
    for (int i = 0; i < OPAQUE (SIDE); i++) \
      own[OPAQUE (i)] = samples[(REACH + i) * WIDTH + REACH + (column)]; \
    for (int i = 0; i < OPAQUE (RUN + SIDE - 1); i++) \
      other[OPAQUE (i)] = samples[seen + i * WIDTH + (column)]; \
    for (int i = 0; i < RUN; i++) { \
      float sum = 0.0; \
      for (int v = 0; v < SIDE; v++) \
        sum += (other[i + v] - own[v]) * (other[i + v] - own[v]); \
      sums[i] += sum; \
    } \
  }

// A block is so many sums of columns before the latest, then the first ones of these.
#if STEP_OF_BLOCKS == 2
#define BEFORE 3
#define EACH_EARLIER(macro) macro (earlier_0) macro (earlier_1) macro (earlier_2)
#define FIRST_COLUMNS(at, sums) ADD_COLUMN (at, sums) ADD_COLUMN (at + 1, sums)
#define LAST_COLUMNS(at, sums)
#elif STEP_OF_BLOCKS == 3
#define BEFORE 2
#define EACH_EARLIER(macro) macro (earlier_0) macro (earlier_1)
#define FIRST_COLUMNS(at, sums) ADD_COLUMN (at, sums) ADD_COLUMN (at + 1, sums)
#define LAST_COLUMNS(at, sums) ADD_COLUMN (at + 2, sums)
#else
#define BEFORE 1
#define EACH_EARLIER(macro) macro (earlier_0)
#define FIRST_COLUMNS(at, sums) \
  ADD_COLUMN (at, sums) ADD_COLUMN (at + 1, sums) ADD_COLUMN (at + 2, sums) ADD_COLUMN (at + 3, sums)
#define LAST_COLUMNS(at, sums)
#endif
#define DECLARE_EARLIER(earlier) float earlier[RUN];
#define CLEAR_EARLIER(earlier) earlier[i] = 0.0;
#define ADD_EARLIER(earlier) distance += earlier[i];
#define MOVE_EARLIER(earlier) { float moved = earlier[i]; earlier[i] = next; next = moved; }

void main ()
{
  float sigma = SIGMA, farthest = FARTHEST * sigma * sigma;
  int regular = (padded_size ().x - SIDE) / STEP_OF_BLOCKS + 1; // blocks that stand a step apart
  ivec2 block = ivec2 (int (gl_WorkGroupID.x) * BLOCKS, int (gl_WorkGroupID.y) + first * TILE);
  int n = min (BLOCKS, regular - block.x);
  if (n <= 0) { // the last column has a work group of its own
    block.x = count_of_blocks ().x - 1;
    n = 1;
  }
  int strip = int (gl_LocalInvocationIndex) / ACROSS, x = int (gl_LocalInvocationIndex) % ACROSS;
  bool compares = strip < ACROSS / RUN;
  int own_place = strip * RUN * ACROSS + x;
  int itself = x == REACH ? REACH - strip * RUN : -1; // the reference block among the places
  int seen = min (strip, ACROSS / RUN - 1) * RUN * WIDTH + x;
  uint none = compares ? 0u : NONE;
  int most = floatBitsToInt (farthest);
  EACH_EARLIER (DECLARE_EARLIER)

  uint bound = NONE;
  if (!(sigma > 0.0))
    return;
  if (gl_LocalInvocationIndex < 2u)
    counts[gl_LocalInvocationIndex] = 0u;
  load (place_of (block) - REACH);
  barrier ();
  for (int i = 0; i < RUN; i++) {
    EACH_EARLIER (CLEAR_EARLIER)
  }
  for (int k = 0; k < n + BEFORE; k++) {
    float sums[RUN];
    for (int i = 0; i < RUN; i++)
      sums[i] = 0.0;
    FIRST_COLUMNS (STEP_OF_BLOCKS * k, sums)
    int b = k - BEFORE; // the block whose columns are complete now
    if (b >= 0) {
      uint distances[RUN];
      for (int i = 0; i < RUN; i++) {
        float distance = sums[i];
        EACH_EARLIER (ADD_EARLIER)
        int bits = floatBitsToInt (distance), is_far = most - bits | abs (i - itself) - 1; // negative
        distances[i] = uint (bits) | uint (is_far >> 31) & NONE | none;
      }
      bound = select_nearest (distances, uint (own_place), ivec2 (block.x + b, block.y), farthest, bound);
    }
    if (b == n - 1)
      break;
    LAST_COLUMNS (STEP_OF_BLOCKS * k, sums)
    for (int i = 0; i < RUN; i++) {
      float next = sums[i];
      EACH_EARLIER (MOVE_EARLIER)
    }
  }
}
