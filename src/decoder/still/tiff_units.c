// SPDX-License-Identifier: MIT
#include "decoder/still/tiff_units.h"

#include <glib.h>
#include <string.h>

static const struct {
  const char *name;
  double mm;
} lengths[] = {
  { "mm", 1 },           { "millimeter", 1 },   { "millimeters", 1 },
  { "cm", 10 },          { "centimeter", 10 },  { "m", 1000 },
  { "meter", 1000 },     { "um", 1e-3 },        { "\xc2\xb5m", 1e-3 },
  { "\xce\xbcm", 1e-3 }, { "\\u00B5m", 1e-3 },  { "\\u00b5m", 1e-3 },
  { "\xb5m", 1e-3 },     { "micron", 1e-3 },    { "microns", 1e-3 },
  { "nm", 1e-6 },        { "nanometer", 1e-6 }, { "micrometer", 1e-3 },
  { "inch", 25.4 },      { "inches", 25.4 },    { "in", 25.4 },
};

static const struct {
  const char *name;
  double s;
} times[] = { { "sec", 1 },     { "s", 1 },     { "seconds", 1 },      { "ms", 1e-3 },
              { "msec", 1e-3 }, { "us", 1e-6 }, { "\xc2\xb5s", 1e-6 }, { "min", 60 },
              { "hour", 3600 }, { "h", 3600 } };

double
odl_tiff_length_mm (const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++)
    if (g_ascii_strcasecmp (unit, lengths[i].name) == 0)
      return lengths[i].mm;
  return 0;
}

double
odl_tiff_time_s (const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (times); i++)
    if (g_ascii_strcasecmp (unit, times[i].name) == 0)
      return times[i].s;
  return 0;
}

bool
odl_tiff_axes_order (const char *letters, int order[ODL_TIFF_N_AXES])
{
  static const char axes[] = "czt";
  int found[ODL_TIFF_N_AXES];
  unsigned seen = 0;

  for (int i = 0; i < ODL_TIFF_N_AXES; i++) {
    const char *at
        = letters[i] != '\0' ? strchr (axes, g_ascii_tolower (letters[i])) : NULL;
    if (at == NULL)
      return false;
    found[i] = (int) (at - axes);
    seen |= 1u << found[i];
  }
  if (seen != 7 || letters[ODL_TIFF_N_AXES] != '\0')
    return false;
  memcpy (order, found, sizeof found);
  return true;
}
