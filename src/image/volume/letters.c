// SPDX-License-Identifier: MIT
#include "image/volume/letters.h"

#include <math.h>

#define LEAST_PART 0.1

static const char ends[3][2] = { { 'L', 'R' }, { 'P', 'A' }, { 'H', 'F' } };

const OdlPoint odl_edge_steps[ODL_N_EDGES] = {
  [ODL_EDGE_LEFT] = { -1, 0 },
  [ODL_EDGE_RIGHT] = { 1, 0 },
  [ODL_EDGE_TOP] = { 0, -1 },
  [ODL_EDGE_BOTTOM] = { 0, 1 },
};

void
odl_directions_letters (const double cosines[6],
                        OdlPoint step,
                        char letters[ODL_DIRECTION_LETTERS + 1])
{
  const double length = hypot (step.x, step.y);
  double parts[3];
  int n = 0;
  for (int i = 0; i < 3; i++)
    parts[i] = (cosines[i] * step.x + cosines[3 + i] * step.y) / length;
  for (; n < ODL_DIRECTION_LETTERS; n++) {
    int longest = 0;
    for (int i = 1; i < 3; i++)
      if (fabs (parts[i]) > fabs (parts[longest]))
        longest = i;
    if (!(fabs (parts[longest]) >= LEAST_PART))
      break;
    letters[n] = ends[longest][parts[longest] < 0];
    parts[longest] = 0;
  }
  letters[n] = '\0';
}
