// SPDX-License-Identifier: MIT
// Stages of Fourier transforms of `lines`, LINES beside each other in shared memory, by all WORKERS
// invocations. A stage takes blocks of R · STEP points apart into R blocks of STEP points each, in place, so
// that the frequencies are left in an order of their own, from which the inverse one starts (decimation in
// frequency and back; W. Gentleman, G. Sande, 1966). `TABLE`: where its turns begin in `tables`, as in
// engine/cpu/kernels/fourier.h.
vec2 times (vec2 a, vec2 b)
{
  return vec2 (a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// i · a.
vec2 quarter (vec2 a)
{
  return vec2 (-a.y, a.x);
}

// Transforms of 2 to 5 points; `sign` −1 forward, 1 back.
void transform (inout vec2 x[2], float sign)
{
  x = vec2[2] (x[0] + x[1], x[0] - x[1]);
}

void transform (inout vec2 x[3], float sign)
{
  vec2 sum = x[1] + x[2], middle = x[0] - 0.5 * sum;
  vec2 side = sign * 0.866025404 * quarter (x[1] - x[2]);
  x = vec2[3] (x[0] + sum, middle + side, middle - side);
}

void transform (inout vec2 x[4], float sign)
{
  vec2 a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = sign * quarter (x[1] - x[3]);
  x = vec2[4] (a + c, b + d, a - c, b - d);
}

void transform (inout vec2 x[5], float sign)
{
  vec2 a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
  vec2 near = x[0] + 0.309016994 * a - 0.809016994 * b, far = x[0] - 0.809016994 * a + 0.309016994 * b;
  vec2 first = sign * quarter (0.951056516 * c + 0.587785252 * d);
  vec2 second = sign * quarter (0.587785252 * c - 0.951056516 * d);
  x = vec2[5] (x[0] + a + b, near + first, far + second, far - second, near - first);
}

// A butterfly's line, its place j in the block, and where its first point lies.
#define PLACE(i, R, STEP) \
  int line = i % LINES, j = i / LINES % STEP; \
  int at = ((i / (LINES * STEP)) * (R * STEP) + j) * PITCH + line;

#define FORWARD(R, STEP, TABLE) \
  for (int i = worker; i < LINES * (POINTS / R); i += WORKERS) { \
    PLACE (i, R, STEP) \
    vec2 x[R]; \
    for (int k = 0; k < R; k++) \
      x[k] = lines[at + k * STEP * PITCH]; \
    transform (x, -1.0); \
    lines[at] = x[0]; \
    for (int k = 1; k < R; k++) \
      lines[at + k * STEP * PITCH] = times (x[k], tables[TABLE + j * (R - 1) + k - 1]); \
  } \
  barrier ();

#define INVERSE(R, STEP, TABLE) \
  for (int i = worker; i < LINES * (POINTS / R); i += WORKERS) { \
    PLACE (i, R, STEP) \
    vec2 x[R]; \
    x[0] = lines[at]; \
    for (int k = 1; k < R; k++) \
      x[k] = times (lines[at + k * STEP * PITCH], vec2 (1.0, -1.0) * tables[TABLE + j * (R - 1) + k - 1]); \
    transform (x, 1.0); \
    for (int k = 0; k < R; k++) \
      lines[at + k * STEP * PITCH] = x[k]; \
  } \
  barrier ();
