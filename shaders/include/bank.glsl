// SPDX-License-Identifier: MIT
// A pair of filters along y, then along x, on a tile of TILE_X x TILE_Y samples per work group.
// Along a line u they make pairs: (a, b)[n] = sum of taps[k] u[2 n + first + k], k < count.
// Analysis: u are samples, a low, b high; synthesis: u are coefficients, low and high in turn,
// a and b samples. An invocation takes a quad of columns down PAIRS pairs of rows, with all it
// sums up in registers, and leaves the result in shared memory; there it takes quads of a row.
//
// Who includes it defines quad_at and sample_at, which read quad q (samples 4 q ...) or sample x
// of a row, and put, which writes.
layout (local_size_x = GROUP) in;

uniform ivec2 size;
uniform ivec2 window; // first, count
uniform ivec2 lone; // the last column and row, where they are not filtered but copied; -1: none
uniform vec2 taps[TAPS_MAX + 2 * PAD]; // PAD zeros in front and behind: no case needs a test

// first = 4 FIRST_QUAD + LEAD; QUADS of a row reach as far as the two pairs of a quad.
#define FIRST_QUAD (window.x >> 2)
#define LEAD (window.x & 3)
#define QUADS ((LEAD + window.y + 5) >> 2)
#define QUADS_MAX ((TAPS_MAX + 8) / 4)
#define COLUMNS (TILE_X / 4 + QUADS_MAX) // the last of them is for the lone column

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

// Column j of the tile's quads, of a row inside the picture.
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

// Quads j of rows 2 pair ... 2 (pair + PAIRS) - 1 to place `at` of shared memory.
void filter_columns (int j, int pair, int at)
{
  vec4 a[PAIRS], b[PAIRS];
  for (int p = 0; p < PAIRS; p++)
    a[p] = b[p] = vec4 (0.0);
  for (int i = 0; i < window.y + 2 * (PAIRS - 1); i++) {
    vec4 value = load (j, 2 * pair + window.x + i);
    for (int p = 0; p < PAIRS; p++) {
      vec2 tap = taps[PAD + i - 2 * p];
      a[p] += tap.x * value;
      b[p] += tap.y * value;
    }
  }
  for (int p = 0; p < PAIRS; p++) {
    if (2 * (pair + p) == lone.y)
      a[p] = load_inside (j, lone.y);
    rows[at + (2 * p) * COLUMNS + j] = a[p];
    rows[at + (2 * p + 1) * COLUMNS + j] = b[p];
  }
}

void filter_row (int t, int r)
{
  vec2 first = vec2 (0.0), second = vec2 (0.0);
  int at = r * COLUMNS + t;
  int q = int (gl_WorkGroupID.x) * (TILE_X / 4) + t;
  for (int i = 0; i < QUADS; i++) {
    vec4 value = rows[at + i];
    int k = PAD + 4 * i - LEAD;
    first += taps[k] * value.x + taps[k + 1] * value.y + taps[k + 2] * value.z
             + taps[k + 3] * value.w;
    second += taps[k - 2] * value.x + taps[k - 1] * value.y + taps[k] * value.z
              + taps[k + 1] * value.w;
  }
  float copied = rows[r * COLUMNS + COLUMNS - 1].x;
  if (4 * q == lone.x)
    first.x = copied;
  if (4 * q + 2 == lone.x)
    second.x = copied;
  put (q, int (gl_WorkGroupID.y) * TILE_Y + r, first, second);
}

// The row as it is after the first half: what lies at the place of pairs 2 q, 2 q + 1.
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
  // Tiles may stand out over the picture; what nobody reads is left out.
  int needed = (min (size.x - left, TILE_X) + 3) / 4 + QUADS - 1;
  bool with_lone = lone.x >= left && lone.x < left + TILE_X;

  for (int i = int (gl_LocalInvocationIndex); i < COLUMNS * (TILE_Y / (2 * PAIRS)); i += GROUP) {
    int j = i % COLUMNS;
    int segment = i / COLUMNS;
    if ((j < needed || (j == COLUMNS - 1 && with_lone)) && top + segment * 2 * PAIRS < size.y)
      filter_columns (j, top / 2 + segment * PAIRS, segment * 2 * PAIRS * COLUMNS);
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
