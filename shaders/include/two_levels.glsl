// SPDX-License-Identifier: MIT
// Lifting steps for the finest two levels at once: samples of the first four a lane, of the second
// two. Steps along x: odd samples, or even ones, take `step` times their neighbours; `at` is the
// place of the lane's first sample in its line, `last` that of the line's last. With `edges` the
// neighbour that a line lacks at its ends is the one on the other side, so that what lies beyond
// is never looked at. Lines have at least two samples.
vec4 odd_x (vec4 v, float step, int at, int last, bool edges)
{
  float next = from_right (v.x);
  if (edges && at + 3 == last)
    next = v.z;
  v.y += step * (v.x + (edges && at + 1 == last ? v.x : v.z));
  v.w += step * (v.z + next);
  return v;
}

vec4 even_x (vec4 v, float step, int at, int last, bool edges)
{
  float before = from_left (v.w);
  if (edges && at == 0)
    before = v.y;
  v.x += step * (before + (edges && at == last ? before : v.y));
  v.z += step * (v.y + (edges && at + 2 == last ? v.y : v.w));
  return v;
}

vec2 odd_x (vec2 v, float step, int at, int last, bool edges)
{
  float next = from_right (v.x);
  if (edges && at + 1 == last)
    next = v.x;
  v.y += step * (v.x + next);
  return v;
}

vec2 even_x (vec2 v, float step, int at, int last, bool edges)
{
  float before = from_left (v.y);
  if (edges && at == 0)
    before = v.y;
  v.x += step * (before + (edges && at == last ? before : v.y));
  return v;
}

#if STEPS == 4
#define LIFT_X(v, at, last, edges)                                                               \
  even_x (odd_x (even_x (odd_x (v, STEP_0, at, last, edges), STEP_1, at, last, edges), STEP_2,   \
                 at, last, edges),                                                               \
          STEP_3, at, last, edges)
#define UNLIFT_X(v, at, last, edges)                                                             \
  odd_x (even_x (odd_x (even_x (v, -STEP_3, at, last, edges), -STEP_2, at, last, edges),         \
                 -STEP_1, at, last, edges),                                                      \
         -STEP_0, at, last, edges)
#else
#define LIFT_X(v, at, last, edges)                                                               \
  even_x (odd_x (v, STEP_0, at, last, edges), STEP_1, at, last, edges)
#define UNLIFT_X(v, at, last, edges)                                                             \
  odd_x (even_x (v, -STEP_1, at, last, edges), -STEP_0, at, last, edges)
#endif

// What the row before row `at` is, and the row after it, when these are `above` and `below`.
#define ABOVE(at, above, below, edges) ((edges) && (at) == 0 ? (below) : (above))
#define BELOW(at, last, above, below, edges) ((edges) && (at) == (last) ? (above) : (below))

// A step along y: the neighbours' sum.
#define AROUND(at, last, above, below, edges)                                                    \
  (ABOVE (at, above, below, edges) + BELOW (at, last, above, below, edges))

// The samples of the second level go one by one: of half floats two lie in a word.
int last_of (int samples, int level) // sample of a line after `level` analyses
{
  return (samples - 1) >> level;
}
