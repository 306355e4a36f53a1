// SPDX-License-Identifier: MIT
#include "jpeg2000/contexts.h"

#include "jpeg2000/mq.h"

// Table D.1, by the significant neighbours along the axis of the details (of LL and LH:
// beside the sample), across it and on the diagonals.
static int
zero_context (int along, int across, int diagonal)
{
  if (along == 2)
    return 8;
  if (along == 1)
    return across > 0 ? 7 : diagonal > 0 ? 6 : 5;
  if (across > 0)
    return across == 2 ? 4 : 3;
  return MIN (diagonal, 2);
}

static int
diagonal_zero_context (int beside, int diagonal)
{
  if (diagonal >= 3)
    return 8;
  if (diagonal == 2)
    return beside > 0 ? 7 : 6;
  return (diagonal == 1 ? 3 : 0) + MIN (beside, 2);
}

static guint8
zero_symbol (OdlJ2kBandKind band, int neighbours)
{
#define BIT(i) (neighbours >> (i) &1)
  const int across_columns = BIT (3) + BIT (5), across_rows = BIT (1) + BIT (7);
  const int diagonal = BIT (0) + BIT (2) + BIT (6) + BIT (8);
#undef BIT
  const int context = band == ODL_J2K_HH
                          ? diagonal_zero_context (across_columns + across_rows, diagonal)
                      : band == ODL_J2K_HL
                          ? zero_context (across_rows, across_columns, diagonal)
                          : zero_context (across_columns, across_rows, diagonal);

  return ODL_J2K_SYMBOL (ODL_J2K_ZERO + context, 0);
}

// Contribution of two neighbours to a sign: table D.2.
static int
contribution (int index, int first, int second)
{
  int sum = 0;

  if (index & first)
    sum += index & first >> 1 ? -1 : 1;
  if (index & second)
    sum += index & second >> 1 ? -1 : 1;
  return CLAMP (sum, -1, 1);
}

// Table D.3: the context, and whether the sign is turned around.
static guint8
sign_symbol (int index)
{
  int beside = contribution (index, ODL_J2K_LEFT, ODL_J2K_RIGHT);
  int above = contribution (index, ODL_J2K_ABOVE, ODL_J2K_BELOW);
  const int turned = beside < 0 || (beside == 0 && above < 0);

  if (turned) {
    beside = -beside;
    above = -above;
  }
  return ODL_J2K_SYMBOL (ODL_J2K_SIGN + 3 * beside + above, turned);
}

const OdlJ2kContexts *
odl_j2k_contexts (void)
{
  static OdlJ2kContexts contexts;
  static gsize made = 0;

  if (g_once_init_enter (&made)) {
    for (int band = 0; band < ODL_J2K_N_BANDS; band++)
      for (int i = 0; i < 512; i++)
        contexts.zero[band][i] = zero_symbol ((OdlJ2kBandKind) band, i);
    for (int i = 0; i < 256; i++)
      contexts.sign[i] = sign_symbol (i);
    g_once_init_leave (&made, 1);
  }
  return &contexts;
}
