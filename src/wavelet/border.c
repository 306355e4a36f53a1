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
