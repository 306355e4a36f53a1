// SPDX-License-Identifier: MIT
// The curve through five points of src/plan/spatial/tone_curve.c; slopes in units of an interval.
#define LAST 4

float end_slope (float own, float next)
{
  float slope = (3.0 * own - next) / 2.0;
  if (slope * own <= 0.0)
    return 0.0;
  return own * next < 0.0 && abs (slope) > 3.0 * abs (own) ? 3.0 * own : slope;
}

float inner_slope (float before, float after)
{
  return before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
}

float toned (float f)
{
  float points[LAST + 1] = float[LAST + 1] (BLACK, DARK, MIDDLE, LIGHT, WHITE);
  float slopes[LAST + 1] = float[LAST + 1] (
    end_slope (DARK - BLACK, MIDDLE - DARK), inner_slope (DARK - BLACK, MIDDLE - DARK),
    inner_slope (MIDDLE - DARK, LIGHT - MIDDLE), inner_slope (LIGHT - MIDDLE, WHITE - LIGHT),
    end_slope (WHITE - LIGHT, LIGHT - MIDDLE));
  float place = f * float (LAST), inside = clamp (place, 0.0, float (LAST));
  int i = clamp (int (inside), 0, LAST - 1);
  float t = inside - float (i), rest = 1.0 - t;
  return rest * rest * ((1.0 + 2.0 * t) * points[i] + t * slopes[i])
         + t * t * ((1.0 + 2.0 * rest) * points[i + 1] - rest * slopes[i + 1])
         + (place - inside) * (place < 0.0 ? slopes[0] : slopes[LAST]);
}

vec4 toned (vec4 f)
{
  return vec4 (toned (f.x), toned (f.y), toned (f.z), toned (f.w));
}

SAMPLE filtered (ivec2 p)
{
  return toned (at (p) + bias) - bias;
}
