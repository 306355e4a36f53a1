// SPDX-License-Identifier: MIT
#include "image/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// No measurement is this large; values such as −FLT_MAX and −3.4e38 mean no data.
#define NO_DATA 3e38

static const struct {
  size_t size;
  double least, most; // of whole numbers
} rows[] = {
  [ODL_NUMBER_UNKNOWN] = { 0, 0, 0 },
  [ODL_NUMBER_BOOL] = { 1, 0, 1 },
  [ODL_NUMBER_U8] = { 1, 0, UINT8_MAX },
  [ODL_NUMBER_S8] = { 1, INT8_MIN, INT8_MAX },
  [ODL_NUMBER_U16] = { 2, 0, UINT16_MAX },
  [ODL_NUMBER_S16] = { 2, INT16_MIN, INT16_MAX },
  [ODL_NUMBER_U32] = { 4, 0, UINT32_MAX },
  [ODL_NUMBER_S32] = { 4, INT32_MIN, INT32_MAX },
  [ODL_NUMBER_U64] = { 8, 0, 0x1p64 - 2048 }, // the largest double below
  [ODL_NUMBER_S64] = { 8, -0x1p63, 0x1p63 - 1024 },
  [ODL_NUMBER_F16] = { 2, 0, 0 },
  [ODL_NUMBER_F32] = { 4, 0, 0 },
  [ODL_NUMBER_F64] = { 8, 0, 0 },
};

size_t
odl_number_size (OdlNumberType type)
{
  g_return_val_if_fail (type < ODL_N_NUMBERS, 0);
  return rows[type].size;
}

bool
odl_number_is_missing (double value)
{
  return !(fabs (value) < NO_DATA); // nor NaN
}

bool
odl_number_is_float (OdlNumberType type)
{
  return type == ODL_NUMBER_F16 || type == ODL_NUMBER_F32 || type == ODL_NUMBER_F64;
}

void
odl_number_ends (OdlNumberType type, double ends[2])
{
  g_return_if_fail (type < ODL_N_NUMBERS);
  ends[0] = rows[type].least;
  ends[1] = rows[type].most;
}

OdlNumberType
odl_number_for_range (double least, double most)
{
  for (OdlNumberType type = ODL_NUMBER_U8; type <= ODL_NUMBER_S64; type++)
    if (least >= rows[type].least && most <= rows[type].most)
      return type;
  return ODL_NUMBER_F64;
}

// ---- Halves ----

static double
half_get (uint16_t bits)
{
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;

  if (exponent == 31)
    return fraction != 0 ? (double) NAN : sign * (double) INFINITY;
  return sign
         * (exponent == 0 ? ldexp (fraction, -24)
                          : ldexp (fraction + 1024, exponent - 25));
}

static uint16_t
half_put (double value)
{
  const uint16_t sign = signbit (value) ? 0x8000 : 0;
  int exponent;

  if (isnan (value))
    return sign | 0x7e00;
  if (value == 0)
    return sign;
  frexp (value, &exponent); // |value| is within 2^(exponent − 1) … 2^exponent
  const int lowest = MAX (exponent - 11, -24); // power of two of the last bit
  const double steps = rint (ldexp (fabs (value), -lowest));
  // What is rounded up to the next power of two carries into the exponent.
  const double bits = steps + ldexp (lowest + 24, 10);
  return bits >= 0x7c00 ? sign | 0x7c00 : (uint16_t) (sign | (unsigned) bits);
}

// ---- All ----

#define GET(type) \
  { \
    type number; \
    memcpy (&number, at, sizeof number); \
    return (double) number; \
  }

double
odl_number_get (OdlNumberType type, const void *at)
{
  switch (type) {
  case ODL_NUMBER_BOOL:
  case ODL_NUMBER_U8:
    GET (uint8_t)
  case ODL_NUMBER_S8:
    GET (int8_t)
  case ODL_NUMBER_U16:
    GET (uint16_t)
  case ODL_NUMBER_S16:
    GET (int16_t)
  case ODL_NUMBER_U32:
    GET (uint32_t)
  case ODL_NUMBER_S32:
    GET (int32_t)
  case ODL_NUMBER_U64:
    GET (uint64_t)
  case ODL_NUMBER_S64:
    GET (int64_t)
  case ODL_NUMBER_F16: {
    uint16_t bits;
    memcpy (&bits, at, sizeof bits);
    return half_get (bits);
  }
  case ODL_NUMBER_F32:
    GET (float)
  case ODL_NUMBER_F64:
    GET (double)
  case ODL_NUMBER_UNKNOWN:
  case ODL_N_NUMBERS:
    break;
  }
  g_return_val_if_reached (0);
}

#define PUT(type) \
  { \
    const type number = (type) value; \
    memcpy (at, &number, sizeof number); \
    return; \
  }

void
odl_number_put (OdlNumberType type, double value, void *at)
{
  switch (type) {
  case ODL_NUMBER_BOOL:
  case ODL_NUMBER_U8:
    PUT (uint8_t)
  case ODL_NUMBER_S8:
    PUT (int8_t)
  case ODL_NUMBER_U16:
    PUT (uint16_t)
  case ODL_NUMBER_S16:
    PUT (int16_t)
  case ODL_NUMBER_U32:
    PUT (uint32_t)
  case ODL_NUMBER_S32:
    PUT (int32_t)
  case ODL_NUMBER_U64:
    PUT (uint64_t)
  case ODL_NUMBER_S64:
    PUT (int64_t)
  case ODL_NUMBER_F16: {
    const uint16_t bits = half_put (value);
    memcpy (at, &bits, sizeof bits);
    return;
  }
  case ODL_NUMBER_F32:
    PUT (float)
  case ODL_NUMBER_F64:
    PUT (double)
  case ODL_NUMBER_UNKNOWN:
  case ODL_N_NUMBERS:
    break;
  }
  g_return_if_reached ();
}

void
odl_number_move (OdlNumberType from, const void *at, OdlNumberType to, void *out)
{
  if (from == to)
    memcpy (out, at, odl_number_size (to));
  else
    odl_number_put (to, odl_number_get (from, at), out);
}
