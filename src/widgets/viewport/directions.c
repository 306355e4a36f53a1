// SPDX-License-Identifier: MIT
#include "widgets/viewport/directions.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

#define LEAST_PART 0.1

static const char ends[3][2] = { { 'L', 'R' }, { 'P', 'A' }, { 'H', 'F' } };

static double
dot (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool
odl_directions_parse (const char *text, double cosines[6])
{
  g_auto (GStrv) words = g_strsplit (text ? text : "", "\\", -1);
  if (g_strv_length (words) != 6)
    return false;
  for (int i = 0; i < 6; i++)
    if (!odl_number_from_text (words[i], &cosines[i]))
      return false;
  const double *row = cosines, *column = cosines + 3;
  return fabs (dot (row, row) - 1) < 0.05 && fabs (dot (column, column) - 1) < 0.05
         && fabs (dot (row, column)) < 0.05;
}

// Three numbers between backslashes.
static bool
parse_three (const char *text, double numbers[3])
{
  g_auto (GStrv) words = g_strsplit (text ? text : "", "\\", -1);
  if (g_strv_length (words) != 3)
    return false;
  for (int i = 0; i < 3; i++)
    if (!odl_number_from_text (words[i], &numbers[i]))
      return false;
  return true;
}

int
odl_directions_axes (const char *orientation, const char *step, double axes[3][3])
{
  double cosines[6];
  if (!odl_directions_parse (orientation, cosines))
    return 0;
  memcpy (axes[0], cosines, sizeof axes[0]);
  memcpy (axes[1], cosines + 3, sizeof axes[1]);
  if (!parse_three (step, axes[2]))
    return 2;
  const double length = sqrt (dot (axes[2], axes[2]));
  if (!(length > 0 && length < 1e9))
    return 2;
  for (int i = 0; i < 3; i++)
    axes[2][i] /= length;
  return 3;
}

void
odl_directions_plane (const double axes[3][3], int across, int down, double cosines[6])
{
  for (int i = 0; i < 3; i++) {
    cosines[i] = axes[across][i];
    cosines[3 + i] = down == 2 ? -axes[2][i] : axes[down][i];
  }
}

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

char *
odl_directions_place (const char *position,
                      const char *orientation,
                      const char *step,
                      const double spacing[2],
                      const double voxel[3])
{
  double at[3], cosines[6], along[3];
  if (!parse_three (position, at) || !odl_directions_parse (orientation, cosines)
      || !parse_three (step, along) || !(spacing[0] > 0 && spacing[1] > 0))
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
