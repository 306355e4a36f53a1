// SPDX-License-Identifier: MIT
#include "wavelet/border.h"

#include <glib.h>

int
odl_border_fold (int index, int n)
{
  g_return_val_if_fail (n >= 1, 0);

  if (n == 1)
    return 0;

  const int period = 2 * (n - 1);
  int folded = index % period;
  if (folded < 0)
    folded += period;
  return folded < n ? folded : period - folded;
}

static int
wrap (int index, int n)
{
  const int rest = index % n;

  return rest < 0 ? rest + n : rest;
}

int
odl_border_index (OdlBorder border, int index, int n)
{
  g_return_val_if_fail (n >= 1, 0);

  if (index >= 0 && index < n) // as nearly always: no division
    return index;
  if (border == ODL_BORDER_WHOLE_SAMPLE)
    return odl_border_fold (index, n);
  if (border == ODL_BORDER_PERIODIC)
    return wrap (index, n);
  return -1;
}

int
odl_border_length (OdlBorder border, int n)
{
  return border == ODL_BORDER_WHOLE_SAMPLE || n <= 1 ? n : n / 2 * 2;
}
