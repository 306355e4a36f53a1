// SPDX-License-Identifier: MIT
// Contours, whose numbers are the second picture (src/image/contour/contour.h): FILLED, or as
// lines of 1 over the first picture, up to THICKNESS from a border. ROWS is where the crossings
// of the rows begin, ROW how many numbers a row has.
bool is_inside (ivec2 p)
{
  ivec2 at = clamp (p, ivec2 (0), size - 1);
  int row = ROWS + at.y * ROW, n = int (number_at (row));
  bool inside = false;
  for (int k = 1; k <= n && number_at (row + k) <= float (at.x) + 0.5; k++)
    inside = !inside;
  return inside;
}

SAMPLE filtered (ivec2 p)
{
  bool own = is_inside (p);
  int d = int (THICKNESS);
  if (FILLED > 0.5)
    return SAMPLE ((own ? 1.0 : 0.0) - bias);
  bool line = is_inside (p - ivec2 (d, 0)) != own || is_inside (p + ivec2 (d, 0)) != own
              || is_inside (p - ivec2 (0, d)) != own || is_inside (p + ivec2 (0, d)) != own;
  return line ? SAMPLE (1.0 - bias) : at (p);
}
