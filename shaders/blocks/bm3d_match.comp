// SPDX-License-Identifier: MIT
// Groups of blocks that look alike (include/bm3d.glsl): a work group finds those of BLOCKS reference
// blocks that stand beside each other. Each invocation has a column of RUN places of the search window
// and goes along the row of reference blocks with it: squared differences are summed column by column
// of the blocks, and STEP_OF_BLOCKS columns together, which neighbours share. When BATCH blocks have the
// distances of all places, each warp finds the nearest places of one of them: a bound that leaves
// MOST - 1 to KEPT of them, by counting, and then their ranks.
//   source   (binding 0)  what is compared: the picture, or the guide
//   between  (binding 1)  groups
// Bits of distances, which are not negative, are ordered as they are. The keys that are counted are the
// upper bits and the number of the place, so that no two are equal. EACH_KEY (macro) is a list,
// macro (i, key) for the keys of a lane; KEYS declares them.
#include "include/bm3d.glsl"

#define WORKERS 128
#define WARPS (WORKERS / 32)
#define PLACES (ACROSS * ACROSS)
#define HEIGHT (2 * REACH + SIDE) // of the samples that are seen
#define WIDTH (HEIGHT + STEP_OF_BLOCKS * (BLOCKS - 1)) // with step 3 odd, so that invocations meet other banks
#define KEPT 64
#define NONE 0x7fffffffu // beyond all distances
#define NO_KEY 0xfffff800u // so are keys from here on
#define FAR 1e18
layout (local_size_x = WORKERS) in;

layout (std430, binding = 0) restrict readonly buffer Source { STORED_SAMPLE source[]; };
layout (std430, binding = 1) restrict writeonly buffer Between { uint between[]; };
shared float samples[HEIGHT * WIDTH];
shared uint distances[BATCH * PLACES];
shared uint kept[WARPS], kept_bits[BATCH * KEPT], kept_places[BATCH * KEPT];

#ifdef SUBGROUP_SUMS
uint warp, lane;

void place_lane ()
{
  warp = gl_SubgroupID;
  lane = gl_SubgroupInvocationID;
}

uint sum_of_lanes (uint value)
{
  return subgroupAdd (value);
}

bool any_warp (bool value)
{
  return value; // the others need not wait
}
#else
uint warp, lane;
shared uint tallies[WARPS + 1];

void place_lane ()
{
  warp = gl_LocalInvocationIndex / 32u;
  lane = gl_LocalInvocationIndex % 32u;
}

uint sum_into (uint tally, bool clears, uint value)
{
  barrier ();
  if (clears)
    tallies[tally] = 0u;
  barrier ();
  atomicAdd (tallies[tally], value);
  barrier ();
  return tallies[tally];
}

uint sum_of_lanes (uint value)
{
  return sum_into (warp, lane == 0u, value);
}

bool any_warp (bool value)
{
  return sum_into (uint (WARPS), gl_LocalInvocationIndex == 0u, value ? 1u : 0u) > 0u;
}
#endif

#define DECLARE_KEY(i, key) uint key;
#define COUNT(i, key) n += key < middle ? 1u : 0u;
#define LEAST_OF(i, key) least = min (least, key);
#define MAKE_KEY(i, key) { \
    uint place = lane + 32u * uint (i), bits = NONE; \
    if (i < PLACES / 32 || place < uint (PLACES)) \
      bits = distances[first_place + place]; \
    key = bits >> 10 << 11 | place; \
  }

// Between keys, as their distances are.
uint middle_of (uint low, uint high)
{
  uint middle = floatBitsToUint (0.5 * (uintBitsToFloat (low >> 1) + uintBitsToFloat (high >> 1))) << 1;
  return middle > low && middle < high ? middle : low + (high - low) / 2u;
}

#define KEEP(i, key) if (key < bound) kept_places[at++] = key & 2047u;

// The group of the block that this warp has, if `works`.
void select_nearest (bool works, ivec2 block, float farthest)
{
  uint first_place = min (warp, uint (BATCH - 1)) * uint (PLACES);
  KEYS
  EACH_KEY (MAKE_KEY)
  if (lane == 0u)
    kept[warp] = 0u;
  // The keys below `bound` are at least as many as a group takes and at most KEPT, or all.
  uint low = 0u, high = floatBitsToUint (farthest) + 1024u << 1, middle = NO_KEY, n = 0u;
  EACH_KEY (COUNT)
  uint bound = works ? NO_KEY : 0u;
  bool done = sum_of_lanes (n) <= uint (KEPT) || !works;
#ifdef SUBGROUP_SUMS
  uint least = NO_KEY; // of each lane; as many as there are lanes are no larger than one of them
  EACH_KEY (LEAST_OF)
  low = subgroupMin (least);
  high = min (high, subgroupMax (least) + 1u);
#endif
  while (any_warp (!done)) {
    middle = middle_of (low, high);
    n = 0u;
    EACH_KEY (COUNT)
    n = sum_of_lanes (n);
    if (done)
      continue;
    bound = middle;
    done = n >= uint (MOST - 1) && n <= uint (KEPT);
    if (n < uint (MOST - 1))
      low = middle;
    else
      high = middle;
  }
  middle = bound;
  n = 0u;
  EACH_KEY (COUNT)
  barrier ();
  uint base = warp * uint (KEPT), at = base + atomicAdd (kept[warp], n);
  EACH_KEY (KEEP)
  barrier ();
  uint found = kept[warp];
  uvec2 own = uvec2 (lane, lane + 32u), bits = uvec2 (NONE), places = uvec2 (0u);
  for (int i = 0; i < 2; i++)
    if (own[i] < found) {
      places[i] = kept_places[base + own[i]];
      bits[i] = distances[first_place + places[i]];
    }
  if (works) {
    kept_bits[base + own.x] = bits.x;
    kept_bits[base + own.y] = bits.y;
  }
  barrier ();
  uvec2 rank = uvec2 (1u), same = uvec2 (0u);
  for (uint j = 0u; j < found; j += 4u)
    for (uint i = 0u; i < 4u; i++) { // those behind the last one are NONE
      uvec2 other = uvec2 (kept_bits[base + j + i]);
      rank += uvec2 (lessThan (other, bits));
      same += uvec2 (equal (other, bits));
    }
  if (any (greaterThan (same, uvec2 (1u))))
    for (uint j = 0u; j < found; j++) {
      uvec2 other = uvec2 (kept_bits[base + j]), place = uvec2 (kept_places[base + j]);
      rank += uvec2 (equal (other, bits)) * uvec2 (lessThan (place, places));
    }
  n = 1u << findMSB (min (found, uint (MOST - 1)) + 1u);
  int to = group_at (block);
  for (int i = 0; i < 2; i++)
    if (own[i] < found && rank[i] < n)
      between[to + int (rank[i])] = places[i] / uint (ACROSS) << 6 | places[i] % uint (ACROSS);
  if (works && lane == 0u)
    between[to] = n << 12 | uint (REACH) << 6 | uint (REACH);
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
    for (int i = 0; i < SIDE; i++) \
      own[i] = samples[(REACH + i) * WIDTH + REACH + (column)]; \
    for (int i = 0; i < RUN + SIDE - 1; i++) \
      other[i] = samples[seen + i * WIDTH + (column)]; \
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
  EACH_EARLIER (DECLARE_EARLIER)

  place_lane ();
  if (!(sigma > 0.0))
    return;
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
    int b = k - BEFORE, slot = b % BATCH; // the block whose columns are complete now
    if (b >= 0 && compares)
      for (int i = 0; i < RUN; i++) {
        float distance = sums[i];
        EACH_EARLIER (ADD_EARLIER)
        distances[slot * PLACES + own_place + i * ACROSS]
          = distance <= farthest && i != itself ? floatBitsToUint (distance) : NONE;
      }
    if (b >= 0 && (slot == BATCH - 1 || b == n - 1)) {
      barrier ();
      select_nearest (warp <= uint (slot), ivec2 (block.x + b - slot + int (warp), block.y), farthest);
      barrier ();
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
