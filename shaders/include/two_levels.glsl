// SPDX-License-Identifier: MIT
// Lifting of the two finest levels together: four samples of the first level per lane, two of the
// second. Steps along x: odd or even samples add `step` times the sum of their neighbours; `at` is
// the position of the lane's first sample in its line, `last` of the line's last sample. With
// `edges`, a neighbour missing at an end is replaced by the opposite one, so that values beyond the
// line are never used. Lines have at least two samples.
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

// The rows before and after row `at`, mirrored at the ends.
#define ABOVE(at, above, below, edges) ((edges) && (at) == 0 ? (below) : (above))
#define BELOW(at, last, above, below, edges) ((edges) && (at) == (last) ? (above) : (below))

// A step along y: the sum of the neighbours.
#define AROUND(at, last, above, below, edges)                                                    \
  (ABOVE (at, above, below, edges) + BELOW (at, last, above, below, edges))

// Samples of the second level are accessed singly; a word holds two half floats.
int last_of (int samples, int level) // sample of a line after `level` analyses
{
  return (samples - 1) >> level;
}
