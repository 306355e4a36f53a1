// SPDX-License-Identifier: MIT
#include "image/volume/directions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"

bool
odl_directions_parse (const char *text, double cosines[6])
{
  if (!odl_numbers_from_text (text, 6, cosines))
    return false;
  const double *row = cosines, *column = cosines + 3;
  return fabs (odl_dot (row, row) - 1) < 0.05
         && fabs (odl_dot (column, column) - 1) < 0.05
         && fabs (odl_dot (row, column)) < 0.05;
}

// One axis; false: letters that are none, or two of one axis.
static bool
parse_side (const char *letters, double cosines[3], int *first)
{
  static const double parts[3] = { 1, 0.6, 0.3 };
  static const char ends[3][3] = { "LR", "PA", "HF" };
  const size_t n = strlen (letters);

  memset (cosines, 0, 3 * sizeof *cosines);
  for (size_t i = 0; i < n && n <= G_N_ELEMENTS (parts); i++) {
    int axis = 0;
    while (axis < 3 && strchr (ends[axis], letters[i]) == NULL)
      axis++;
    if (axis == 3 || cosines[axis] != 0)
      return false;
    cosines[axis] = letters[i] == ends[axis][0] ? parts[i] : -parts[i];
    *first = i == 0 ? axis : *first;
  }
  return n > 0 && n <= G_N_ELEMENTS (parts);
}

bool
odl_directions_parse_sides (const char *text, double cosines[6])
{
  g_auto (GStrv) sides = g_strsplit (text != NULL ? text : "", "\\", 3);
  int row = 0, column = 0;

  return g_strv_length (sides) == 2 && parse_side (g_strstrip (sides[0]), cosines, &row)
         && parse_side (g_strstrip (sides[1]), cosines + 3, &column) && row != column;
}

int
odl_directions_axes (const char *orientation, const char *step, double axes[3][3])
{
  double cosines[6];

  if (!odl_directions_parse (orientation, cosines))
    return 0;
  memcpy (axes[0], cosines, sizeof axes[0]);
  memcpy (axes[1], cosines + 3, sizeof axes[1]);
  if (!odl_numbers_from_text (step, 3, axes[2]))
    return 2;
  const double length = sqrt (odl_dot (axes[2], axes[2]));
  if (!(length > 0 && length < 1e9))
    return 2;
  for (int i = 0; i < 3; i++)
    axes[2][i] /= length;
  return 3;
}

void
odl_directions_nearest (const double axes[3][3], int8_t nearest[3])
{
  static const int8_t orders[6][3]
      = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  double best = 0;

  memset (nearest, 0, 3 * sizeof *nearest);
  for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
      sum += fabs (axes[axis][orders[i][axis]]) / sqrt (odl_dot (axes[axis], axes[axis]));
    // Rounding decides nothing.
    if (!(sum > best + 1e-9))
      continue;
    best = sum;
    for (int axis = 0; axis < 3; axis++) {
      const int8_t leads = orders[i][axis];
      nearest[axis] = axes[axis][leads] < 0 ? -1 - leads : 1 + leads;
    }
  }
}

void
odl_directions_word (const int8_t nearest[3], char word[4])
{
  for (int axis = 0; axis < 3; axis++)
    word[axis] = (nearest[axis] < 0 ? "?RAI" : "?LPS")[abs (nearest[axis])];
  word[3] = '\0';
}

void
odl_directions_of_slices (const double orientation[6], const double step[3], char word[4])
{
  double axes[3][3];
  int8_t nearest[3];

  memcpy (axes, orientation, 6 * sizeof *orientation);
  memcpy (axes[2], step, sizeof axes[2]);
  odl_directions_nearest (axes, nearest);
  odl_directions_word (nearest, word);
}
