// SPDX-License-Identifier: MIT
// Types of numbers of files, against IEEE 754 and what C has.
#include <glib.h>
#include <math.h>
#include <string.h>

#include "image/number.h"

// All halves but those that are no number come back, and round to even.
static void
test_halves (void)
{
  static const struct {
    double value;
    guint16 bits;
  } rows[] = {
    { 1, 0x3c00 },           { -2, 0xc000 },          { 65504, 0x7bff },
    { 65520, 0x7c00 },       { 65519, 0x7bff },       { 0x1p-24, 0x0001 },
    { 0x1p-25, 0 },          { 0x1.8p-25, 1 },        { 1.0 / 3, 0x3555 },
    { 1 + 0x1p-11, 0x3c00 }, { 1 + 0x3p-11, 0x3c02 }, { 0x1.ff8p-15, 0x03ff },
    { 0x1p-14, 0x0400 },     { 2047.9999, 0x6800 },
  };

  for (guint bits = 0; bits < 65536; bits++) {
    const guint16 from = (guint16) bits;
    const double value = odl_number_get (ODL_NUMBER_F16, &from);
    guint16 to = 0;
    odl_number_put (ODL_NUMBER_F16, value, &to);
    if (isnan (value))
      g_assert_cmphex (to & 0x7e00, ==, 0x7e00);
    else
      g_assert_cmphex (to, ==, from);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    guint16 to = 0;
    odl_number_put (ODL_NUMBER_F16, rows[i].value, &to);
    g_assert_cmphex (to, ==, rows[i].bits);
  }
}

static void
test_ranges (void)
{
  static const struct {
    double least, most;
    OdlNumberType type;
  } rows[] = {
    { 0, 255, ODL_NUMBER_U8 },         { -1, 127, ODL_NUMBER_S8 },
    { -1, 128, ODL_NUMBER_S16 },       { 0, 256, ODL_NUMBER_U16 },
    { -1024, 3071, ODL_NUMBER_S16 },   { -1, 65535, ODL_NUMBER_S32 },
    { 0, 4294967295, ODL_NUMBER_U32 }, { -1, 4294967295, ODL_NUMBER_S64 },
    { 0, 1e19, ODL_NUMBER_U64 },       { -1, 1e19, ODL_NUMBER_F64 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (odl_number_for_range (rows[i].least, rows[i].most), ==,
                     rows[i].type);
}

// Whole numbers of 64 bits that doubles lack move as they are.
static void
test_moves (void)
{
  const gint64 from = 9007199254740993;
  gint64 to = 0;
  gint16 narrow = -1;
  gint8 byte = 0;

  odl_number_move (ODL_NUMBER_S64, &from, ODL_NUMBER_S64, &to);
  g_assert_cmpint (to, ==, from);
  odl_number_move (ODL_NUMBER_S16, &narrow, ODL_NUMBER_S8, &byte);
  g_assert_cmpint (byte, ==, -1);
  g_assert_true (odl_number_is_missing (-3.4e38));
  g_assert_false (odl_number_is_missing (-1e20));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/halves", test_halves);
  g_test_add_func ("/number/ranges", test_ranges);
  g_test_add_func ("/number/moves", test_moves);
  return g_test_run ();
}
