// SPDX-License-Identifier: MIT
#include "widgets/viewport/directions.h"

#include <math.h>

#include "base/text.h"

static const char ends[3][2] = { { 'L', 'R' }, { 'P', 'A' }, { 'H', 'F' } };

char *
odl_directions_place (const char *position,
                      const char *orientation,
                      const char *step,
                      const double spacing[2],
                      const double voxel[3])
{
  double at[3], cosines[6], along[3];
  if (!odl_numbers_from_text (position, 3, at)
      || !odl_directions_parse (orientation, cosines)
      || !odl_numbers_from_text (step, 3, along) || !(spacing[0] > 0 && spacing[1] > 0))
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < 3; i++) {
    at[i] += cosines[i] * spacing[0] * voxel[0] + cosines[3 + i] * spacing[1] * voxel[1]
             + along[i] * voxel[2];
    if (!isfinite (at[i]))
      return NULL;
    g_string_append_printf (text, "%s%c %.1f", i > 0 ? " · " : "", ends[i][at[i] < 0],
                            fabs (at[i]));
  }
  g_string_append (text, " mm");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

double
odl_directions_bar (double most)
{
  if (!(most > 0 && most < 1e9))
    return 0;
  const double decade = pow (10, floor (log10 (most)));
  return decade * (most >= 5 * decade ? 5 : most >= 2 * decade ? 2 : 1);
}
