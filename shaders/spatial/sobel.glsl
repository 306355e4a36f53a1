// SPDX-License-Identifier: MIT
// Sobel's gradient: its magnitude or its DIRECTION. Of whole samples, UNIT apart, the magnitude
// is exact; src/plan/spatial/sobel.c says which one it is.
const float TURN = 6.283185307179586;

SAMPLE whole_at (ivec2 p)
{
  SAMPLE f = at (p);
  return UNIT > 0.0 ? floor ((f + bias) / UNIT + 0.5) : f;
}

// The root of v v + h h, rounded down. That of GLSL may be off in the last bit; the difference
// to its square is right, although these products wrap around.
SAMPLE whole_root (SAMPLE v, SAMPLE h)
{
  KEY root = KEY (sqrt (v * v + h * h));
  KEY a = KEY (v), b = KEY (h);
  KEY left = a * a + b * b - root * root;
  KEY more = choose (NOT_GREATER (left, 2 * root), KEY (0), KEY (1));
  KEY less = choose (NOT_GREATER (KEY (0), left), KEY (0), KEY (1));
  return SAMPLE (root + more - less);
}

// The arc tangent of 0 … 1, as a fraction of a turn, within 1e-7: Taylor's series about 0 and
// about 1. That of GLSL may be off by much more.
SAMPLE turn_of (SAMPLE t)
{
  SAMPLE far = step (0.41421356, t); // the tangent of an eighth of π
  t = mix (t, (t - 1.0) / (t + 1.0), far);
  SAMPLE s = t * t;
  SAMPLE angle = t * (1.0 - s * (1.0 / 3.0 - s * (0.2 - s * (1.0 / 7.0 - s * (1.0 / 9.0
                 - s * (1.0 / 11.0 - s * (1.0 / 13.0 - s / 15.0)))))));
  return far / 8.0 + angle / TURN;
}

SAMPLE direction (SAMPLE v, SAMPLE h)
{
  SAMPLE a = abs (h), b = abs (v), most = max (a, b);
  SAMPLE flat_ = 1.0 - step (1e-37, most);
  SAMPLE turn = turn_of (min (a, b) / max (most, 1e-37));
  turn = mix (turn, 0.25 - turn, 1.0 - step (b, a)); // |v| > |h|
  turn = mix (turn, 0.5 - turn, 1.0 - step (0.0, h)); // h < 0
  turn = mix (turn, 1.0 - turn, 1.0 - step (0.0, v)); // v < 0
  return turn * (1.0 - flat_);
}

SAMPLE filtered (ivec2 p)
{
  SAMPLE f00 = whole_at (p + ivec2 (-1, -1)), f10 = whole_at (p + ivec2 (0, -1));
  SAMPLE f20 = whole_at (p + ivec2 (1, -1)), f01 = whole_at (p + ivec2 (-1, 0));
  SAMPLE f21 = whole_at (p + ivec2 (1, 0)), f02 = whole_at (p + ivec2 (-1, 1));
  SAMPLE f12 = whole_at (p + ivec2 (0, 1)), f22 = whole_at (p + ivec2 (1, 1));
  SAMPLE h = (f20 - f00) + (f22 - f02) + 2.0 * (f21 - f01);
  SAMPLE v = (f02 - f00) + (f22 - f20) + 2.0 * (f12 - f10);

  if (DIRECTION > 0.5)
    return direction (v, h) - bias;
  if (UNIT > 0.0)
    return min (whole_root (v, h), floor (1.0 / UNIT + 0.5)) * UNIT - bias;
  return sqrt (v * v + h * h) - bias;
}
