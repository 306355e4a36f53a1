// SPDX-License-Identifier: MIT
// Filter bank along y, then along x, on a tile of TILE_X x TILE_Y samples per work group. Along a
// line u: (a, b)[n] = sum of tap[k] u[2 n + first + k], k < count. Analysis: u are samples, a low,
// b high; synthesis: u are alternating low and high coefficients, a and b samples. An invocation
// filters a quad of columns down PAIRS row pairs, accumulating in registers, and stores the result
// in shared memory; then it filters quads of rows there.
//
// The including file defines quad_at and sample_at, which read quad q (samples 4 q ...) or sample x
// of a row, and put, which writes.
layout (local_size_x = GROUP) in;

uniform ivec2 size;
uniform ivec2 window; // first (even) and count
uniform ivec2 lone; // last column and row if they are copied instead of filtered; -1: none
// (a, b) of taps 2 k - PAD and 2 k + 1 - PAD; zero padding avoids range checks.
uniform vec4 taps[TAPS_MAX / 2 + PAD];

// first = 4 FIRST_QUAD + LEAD; a quad's two pairs depend on QUADS quads of a row.
#define FIRST_QUAD (window.x >> 2)
#define LEAD (window.x & 3)
#define QUADS ((LEAD + window.y + 5) >> 2)
#define QUADS_MAX ((TAPS_MAX + 8) / 4)
#define COLUMNS (TILE_X / 4 + QUADS_MAX) // the last one is for the lone column

shared vec4 rows[TILE_Y * COLUMNS];

vec4 quad_at (int q, int row);
float sample_at (int x, int row);
void put (int q, int y, vec2 first, vec2 second); // pairs 2 q and 2 q + 1 of row y

vec4 column_quad (int q, int row)
{
  int length = border_length (BORDER, size.x);
  if (q >= 0 && 4 * q + 4 <= length)
    return quad_at (q, row);
  vec4 value = vec4 (0.0);
  for (int c = 0; c < 4; c++) {
    int x = FOLD (4 * q + c, length);
    if (INSIDE (x))
      value[c] = sample_at (x, row);
  }
  return value;
}

// Column j of the tile's quads, in a row inside the picture.
vec4 load_inside (int j, int row)
{
  if (j == COLUMNS - 1)
    return vec4 (sample_at (lone.x, row));
  return column_quad (int (gl_WorkGroupID.x) * (TILE_X / 4) + FIRST_QUAD + j, row);
}

vec4 load (int j, int y)
{
  int length = border_length (BORDER, size.y);
  int row = y >= 0 && y < length ? y : FOLD (y, length);
  return INSIDE (row) ? load_inside (j, row) : vec4 (0.0);
}

// Accumulates a row into rows a and b of a pair.
#define ADD_ROW(value, tap, a, b) \
  a += tap.x * value; \
  b += tap.y * value;

// Accumulates four rows, the first of which has tap 2 k - PAD for pair 0, into pair p.
#define ADD_ROWS(p, a, b) \
  t = taps[PAD / 2 + k - p]; \
  ADD_ROW (v0, t.xy, a, b) \
  ADD_ROW (v1, t.zw, a, b) \
  t = taps[PAD / 2 + k - p + 1]; \
  ADD_ROW (v2, t.xy, a, b) \
  ADD_ROW (v3, t.zw, a, b)

#define STORE_ROWS(p, a, b) \
  if (2 * (pair + p) == lone.y) \
    a = load_inside (j, lone.y); \
  rows[at + (2 * p) * COLUMNS + j] = a; \
  rows[at + (2 * p + 1) * COLUMNS + j] = b;

// Filters quads j of rows 2 pair ... 2 (pair + PAIRS) - 1 into shared memory at `at`. No arrays:
// drivers would place them in memory.
void filter_columns (int j, int pair, int at, bool inside)
{
  vec4 a0 = vec4 (0.0), b0 = vec4 (0.0), a1 = vec4 (0.0), b1 = vec4 (0.0);
#if PAIRS == 4
  vec4 a2 = vec4 (0.0), b2 = vec4 (0.0), a3 = vec4 (0.0), b3 = vec4 (0.0);
#endif
  int q = int (gl_WorkGroupID.x) * (TILE_X / 4) + FIRST_QUAD + j;
  int y = 2 * pair + window.x;
  for (int k = 0; k < (window.y + 1) / 2 + PAIRS - 1; k += 2, y += 4) {
    vec4 v0, v1, v2, v3, t;
    // All loads first, to overlap their latency.
    if (inside) {
      v0 = quad_at (q, y), v1 = quad_at (q, y + 1);
      v2 = quad_at (q, y + 2), v3 = quad_at (q, y + 3);
    } else {
      v0 = load (j, y), v1 = load (j, y + 1);
      v2 = load (j, y + 2), v3 = load (j, y + 3);
    }
    ADD_ROWS (0, a0, b0)
    ADD_ROWS (1, a1, b1)
#if PAIRS == 4
    ADD_ROWS (2, a2, b2)
    ADD_ROWS (3, a3, b3)
#endif
  }
  STORE_ROWS (0, a0, b0)
  STORE_ROWS (1, a1, b1)
#if PAIRS == 4
  STORE_ROWS (2, a2, b2)
  STORE_ROWS (3, a3, b3)
#endif
}

void filter_row (int t, int r)
{
  vec2 first = vec2 (0.0), second = vec2 (0.0);
  int at = r * COLUMNS + t;
  int q = int (gl_WorkGroupID.x) * (TILE_X / 4) + t;
  int k = (PAD - LEAD) / 2;
  vec4 before = taps[k - 1];
  for (int i = 0; i < QUADS; i++, k += 2) {
    vec4 value = rows[at + i];
    vec4 own = taps[k], after = taps[k + 1];
    first += own.xy * value.x + own.zw * value.y + after.xy * value.z + after.zw * value.w;
    second += before.xy * value.x + before.zw * value.y + own.xy * value.z + own.zw * value.w;
    before = after;
  }
  float copied = rows[r * COLUMNS + COLUMNS - 1].x;
  if (4 * q == lone.x)
    first.x = copied;
  if (4 * q + 2 == lone.x)
    second.x = copied;
  put (q, int (gl_WorkGroupID.y) * TILE_Y + r, first, second);
}

// Copies the pairs 2 q, 2 q + 1 of the row after the vertical pass.
void copy_row (int t, int r)
{
  vec4 value = rows[r * COLUMNS + t - FIRST_QUAD];
  int q = int (gl_WorkGroupID.x) * (TILE_X / 4) + t;
  if (lone.x >> 2 == q)
    value[lone.x & 3] = rows[r * COLUMNS + COLUMNS - 1].x;
  put (q, int (gl_WorkGroupID.y) * TILE_Y + r, value.xy, value.zw);
}

void main ()
{
  int left = int (gl_WorkGroupID.x) * TILE_X;
  int top = int (gl_WorkGroupID.y) * TILE_Y;
  // Tiles may extend beyond the picture; unused quads are skipped.
  int needed = (min (size.x - left, TILE_X) + 3) / 4 + QUADS - 1;
  int columns = needed + (lone.x >= left && lone.x < left + TILE_X ? 1 : 0);
  bool inside = left + 4 * FIRST_QUAD >= 0 && top + window.x >= 0
                && left + 4 * (FIRST_QUAD + needed) <= border_length (BORDER, size.x)
                && top + TILE_Y + window.x + window.y + 4 <= border_length (BORDER, size.y);

  for (int i = int (gl_LocalInvocationIndex); i < columns * (TILE_Y / (2 * PAIRS)); i += GROUP) {
    int segment = i / columns;
    int j = i - segment * columns;
    if (top + segment * 2 * PAIRS < size.y)
      filter_columns (j < needed ? j : COLUMNS - 1, top / 2 + segment * PAIRS,
                      segment * 2 * PAIRS * COLUMNS, inside && j < needed);
  }
  barrier ();
  for (int i = int (gl_LocalInvocationIndex); i < TILE_Y * (TILE_X / 4); i += GROUP) {
    int t = i % (TILE_X / 4);
    int r = i / (TILE_X / 4);
    if (left + 4 * t < size.x && top + r < size.y) {
#ifdef HALF_ONLY
      copy_row (t, r);
#else
      filter_row (t, r);
#endif
    }
  }
}
