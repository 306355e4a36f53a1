// SPDX-License-Identifier: MIT
// Where the groups of the centre went in the frames before and after it, as src/image/bm3d/follow.h says
// (include/bm3d_time.glsl). A work group has a reference block: its invocations compare places about the one
// that is expected, then the group's other blocks with themselves, eight at a time, a column each.
//   pictures (binding 0)  what is compared, from plane `channel` on
//   between  (binding 1)  groups; tracks
#include "include/bm3d.glsl"

#define NEAR 3 // columns and rows from the place that is expected, at most
#define ACROSS_NEAR (2 * NEAR + 1)
#define SEEN (ACROSS_NEAR + SIDE - 1)
#define NOWHERE 0xffffffffu
layout (local_size_x = 64) in;

layout (std430, binding = 0) restrict readonly buffer Pictures { float pictures[]; };
layout (std430, binding = 1) restrict buffer Between { uint between[]; };
uniform int place; // of the centre
uniform int before; // frames before it
uniform int after;
shared float own[SIDE * SIDE], seen[SEEN * SEEN], parts[SIDE * SIDE];
shared uint least, where; // the least distance, as bits in order, and the first place that has it
shared uint places[MOST], stays[MOST];

int t; // the number of this invocation
ivec2 start; // of the reference block
ivec2 moves[FRAMES]; // the frames before, from the centre on, then those after
float farthest;

float picture_at (int frame, ivec2 p)
{
  p = min (p, size - 1);
  return pictures[4 * ((channel + frame) * target_layout.y + p.y * target_layout.x) + p.x];
}

bool is_within (ivec2 p)
{
  return all (lessThanEqual (abs (p - start), ivec2 (REACH))) && all (greaterThanEqual (p, ivec2 (0)))
         && all (lessThanEqual (p, size - SIDE));
}

// Bits whose order is that of floats.
uint ordered (float value)
{
  uint bits = floatBitsToUint (value);
  return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

// The nearest block of a frame about `expected`. False: none is near enough.
bool search (int frame, ivec2 expected, out ivec2 found)
{
  ivec2 corner = clamp (expected - NEAR, ivec2 (0), size - SIDE), p = corner + ivec2 (t % ACROSS_NEAR, t / ACROSS_NEAR);
  uint value = NOWHERE;

  barrier (); // what was seen and found before is of no more use
  for (int i = t; i < SEEN * SEEN; i += 64)
    seen[i] = picture_at (frame, corner + ivec2 (i % SEEN, i / SEEN));
  if (t == 0)
    least = where = NOWHERE;
  barrier ();
  if (t < ACROSS_NEAR * ACROSS_NEAR && is_within (p)) {
    int at = t / ACROSS_NEAR * SEEN + t % ACROSS_NEAR;
    float sum = 0.0;
    for (int v = 0; v < OPAQUE (SIDE); v++)
      for (int u = 0; u < OPAQUE (SIDE); u++) {
        float d = seen[at + v * SEEN + u] - own[v * SIDE + u];
        sum += d * d;
      }
    float held = p == expected ? HOLD * farthest : 0.0;
    if (sum <= farthest && sum - held < farthest) {
      value = ordered (sum - held);
      atomicMin (least, value);
    }
  }
  barrier ();
  if (value != NOWHERE && value == least)
    atomicMin (where, uint (t));
  barrier ();
  found = corner + ivec2 (int (where) % ACROSS_NEAR, int (where) / ACROSS_NEAR);
  return where != NOWHERE;
}

// Of one way, whose moves stand from number `from` on. Returns in how many frames it was found.
int follow (int n, int sign, int from)
{
  ivec2 at = start, last = start;
  int found = 0;

  for (int k = 0; k < n; k++) {
    ivec2 expected = clamp (2 * at - last, start - REACH, start + REACH), went;
    if (!search ((place + sign * (k + 1) + FRAMES) % FRAMES, expected, went))
      break;
    moves[from + k] = went - start;
    last = at;
    at = went;
    found++;
  }
  return found;
}

// Whether block p of the centre looks like itself in another frame, of which invocations side by side look
// at a column each.
void compare (int number, ivec2 p, int frame, ivec2 move)
{
  bool is_there = is_within (p + move);
  int column = t & (SIDE - 1);
  float sum = 0.0;

  for (int v = 0; v < OPAQUE (SIDE); v++) {
    float d = picture_at (place, p + ivec2 (column, v))
              - picture_at (frame, clamp (p + move, ivec2 (0), size - SIDE) + ivec2 (column, v));
    sum += d * d;
  }
  barrier ();
  parts[t] = sum;
  barrier ();
  if (column == 0) {
    sum = ((parts[t] + parts[t + 1]) + (parts[t + 2] + parts[t + 3]))
          + ((parts[t + 4] + parts[t + 5]) + (parts[t + 6] + parts[t + 7]));
    if (!(is_there && sum <= farthest) && number < MOST)
      stays[number] = 0u;
  }
}

int frame_of (int k, int n_before)
{
  int distance = k < n_before ? -(k + 1) : k - n_before + 1;
  return (place + distance + FRAMES) % FRAMES;
}

// Which of the n blocks of the centre go along, n_before frames before it and n_after behind it.
void compare_all (int n, int n_before, int n_after)
{
  if (t < MOST)
    stays[t] = uint (t < n);
  for (int from = 0; from < n; from += SIDE) {
    int number = from + (t >> 3);
    uint word = places[min (number, n - 1)];
    ivec2 p = start - REACH + ivec2 (word & 63u, word >> 6 & 63u);
    for (int k = 0; k < n_before + n_after; k++)
      compare (number, p, frame_of (k, n_before), moves[k]);
  }
  barrier ();
}

uint track_word (int frame, ivec2 move)
{
  return uint (frame) << 16 | uint (move.y + REACH) << 8 | uint (move.x + REACH);
}

void write_track (ivec2 block, int n_before, int n_after)
{
  int at = track_at (block) + 1;

  between[at - 1] = uint (n_before + 1 + n_after);
  for (int k = 0; k < n_before; k++)
    between[at + n_before - 1 - k] = track_word (frame_of (k, n_before), moves[k]);
  between[at + n_before] = track_word (place, ivec2 (0));
  for (int k = n_before; k < n_before + n_after; k++)
    between[at + 1 + k] = track_word (frame_of (k, n_before), moves[k]);
}

int power_of_two (int n)
{
  return n > 0 ? 1 << findMSB (n) : 0;
}

void main ()
{
  ivec2 block = ivec2 (gl_WorkGroupID.xy) + ivec2 (0, first * TILE);
  int group = group_at (block), n = int (between[group] >> 12);

  if (!(SIGMA > 0.0))
    return;
  t = int (gl_LocalInvocationIndex);
  start = place_of (block);
  farthest = FARTHEST * SIGMA * SIGMA;
  own[t] = picture_at (place, start + ivec2 (t & 7, t >> 3));
  if (t < MOST)
    places[t] = between[group + min (t, n - 1)] & 0xfffu;
  int n_before = 0, n_after = 0;
  for (int way = 0; way < OPAQUE (2); way++) {
    n_before = n_after;
    n_after = follow (way == 0 ? before : after, 2 * way - 1, n_before);
  }
  int times = n_before + 1 + n_after, kept = 0, rank = 0;
  if (times > 1) {
    barrier ();
    compare_all (n, n_before, n_after);
    for (int i = 0; i < n; i++) {
      rank += i < t ? int (stays[i]) : 0;
      kept += int (stays[i]);
    }
    kept = power_of_two (min (kept, min (MOST_ALONG, MOST_PLACES / times)));
  }
  if (times == 1 || kept * times < n) { // the blocks of the centre alone
    if (t == 0)
      write_track (block, 0, 0);
    return;
  }
  if (t < n && stays[t] != 0u && rank < kept)
    between[group + rank] = places[t] | (rank == 0 ? uint (kept) << 12 : 0u);
  if (t == 0)
    write_track (block, n_before, n_after);
}
