// SPDX-License-Identifier: MIT
// Fourier transforms of 1 to 5 points in registers, of which the engine makes larger ones
// (engine/gl/compute/fourier/radix.c): “forward” leaves frequencies in an order of its own, from which “back”
// starts.
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

void forward (inout vec2 x[1])
{
}

void back (inout vec2 x[1])
{
}

#define BOTH(N) \
  void forward (inout vec2 x[N]) \
  { \
    transform (x, -1.0); \
  } \
  void back (inout vec2 x[N]) \
  { \
    transform (x, 1.0); \
  }
BOTH (2) BOTH (3) BOTH (4) BOTH (5)
