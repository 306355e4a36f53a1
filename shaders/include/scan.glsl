// SPDX-License-Identifier: MIT
// Where the samples of SCAN_CONVERT come from, and what the SIDE × SIDE ones about a place of a
// picture of SOURCE_SIZE samples are between them (src/plan/scan.h). LEFT, TOP and PIXEL say where
// pixels lie, in mm, and FIRST, COLUMN_STEP, ORIGIN, ROW_STEP and STEERING where beams do, of which RULE
// is 1 for a curvilinear array and 2 for a linear one, 2 more for the way back. scan_at (p) returns a
// SCAN_SAMPLE of the source.
#define CURVILINEAR (RULE == 1 || RULE == 3)
#define BACK (RULE > 2)
#define HALF_PI 1.57079632679490
#define EDGE 0.01 // ODL_BEAM_PICTURE_EDGE

// arctan t / t of 0 <= t <= 1, as src/engine/cpu/steps/scan_convert.c has it: that of GLSL is not as
// exact everywhere.
float share_of_arctangent (float t)
{
  float s = t * t;
  float sum = -0.0161657367 + s * 0.0028662257;
  sum = 0.0429096138 + s * sum;
  sum = -0.0752896400 + s * sum;
  sum = 0.1065626393 + s * sum;
  sum = -0.1420889944 + s * sum;
  sum = 0.1999355085 + s * sum;
  return 1.0 + s * (-0.3333314528 + s * sum);
}

// The angle from the y axis.
float angle_of (vec2 at)
{
  float less = min (abs (at.x), abs (at.y)), more = max (abs (at.x), abs (at.y));
  float t = less / max (more, 1e-30);
  float part = t * share_of_arctangent (t);
  float first = abs (at.x) > abs (at.y) ? HALF_PI - part : part;
  return (at.x < 0.0 ? -1.0 : 1.0) * (at.y < 0.0 ? 2.0 * HALF_PI - first : first);
}

#if BACK
// Column and row of the picture where a sample of the beams lies.
vec2 place_of (ivec2 p)
{
  float at = FIRST + COLUMN_STEP * float (p.x), depth = ORIGIN + ROW_STEP * float (p.y);
#if CURVILINEAR
  vec2 mm = depth * vec2 (sin (at), cos (at));
#else
  vec2 mm = depth * vec2 (sin (STEERING), cos (STEERING)) + vec2 (at, 0.0);
#endif
  return (mm - vec2 (LEFT, TOP)) / PIXEL;
}
#else
// Column and row of the beams where a pixel lies. The depth is a quotient of small differences, so
// that single precision holds it.
vec2 place_of (ivec2 p)
{
  vec2 at = vec2 (LEFT, TOP) + PIXEL * vec2 (p);
#if CURVILINEAR
  float below = (TOP - ORIGIN) + PIXEL * float (p.y), from = length (at);
  float depth = (at.x * at.x + below * (at.y + ORIGIN)) / (from + ORIGIN);
  return vec2 ((angle_of (at) - FIRST) / COLUMN_STEP, depth / ROW_STEP);
#else
  return vec2 ((at.x - at.y * tan (STEERING) - FIRST) / COLUMN_STEP,
               (at.y / cos (STEERING) - ORIGIN) / ROW_STEP);
#endif
}
#endif

#if SIDE > 2
float sinc (float t)
{
  return abs (t) < 1e-4 ? 1.0 : sin (2.0 * HALF_PI * t) / (2.0 * HALF_PI * t);
}

// The weight of a neighbour at that distance.
float weight (float t)
{
  return abs (t) < float (SIDE / 2) ? sinc (t) * sinc (t / float (SIDE / 2)) : 0.0;
}

SCAN_SAMPLE between (ivec2 corner, vec2 share)
{
  float across[SIDE], weights = 0.0, all = 0.0;
  SCAN_SAMPLE sum = SCAN_SAMPLE (0.0);
  for (int x = 0; x < SIDE; x++) {
    across[x] = weight (share.x - float (x - SIDE / 2 + 1));
    all += across[x];
  }
  for (int y = 0; y < SIDE; y++) {
    float down = weight (share.y - float (y - SIDE / 2 + 1));
    SCAN_SAMPLE line = SCAN_SAMPLE (0.0);
    for (int x = 0; x < SIDE; x++)
      line += across[x]
              * scan_at (clamp (corner + ivec2 (x, y) - (SIDE / 2 - 1), ivec2 (0), SOURCE_SIZE - 1));
    sum += down * line;
    weights += down;
  }
  return sum / (weights * all);
}
#else
SCAN_SAMPLE between (ivec2 corner, vec2 share)
{
  SCAN_SAMPLE above = mix (scan_at (corner), scan_at (corner + ivec2 (1, 0)), share.x);
  SCAN_SAMPLE below = mix (scan_at (corner + ivec2 (0, 1)), scan_at (corner + ivec2 (1)), share.x);
  return mix (above, below, share.y);
}
#endif

// Sample p of what is written; `none` beyond the source.
SCAN_SAMPLE scanned (ivec2 p, SCAN_SAMPLE none)
{
  vec2 place = place_of (p), last = vec2 (SOURCE_SIZE - 1);
  vec2 at = clamp (place, vec2 (0.0), last);
  if (any (greaterThan (abs (place - at), vec2 (EDGE))))
    return none;
  ivec2 corner = min (ivec2 (at), SOURCE_SIZE - 2);
  return between (corner, at - vec2 (corner));
}
