// SPDX-License-Identifier: MIT
#include "image/regions.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

// Of the deltas of two regions with the same scale, as a fraction.
#define SAME_DELTA 1e-6

static const char *const units[ODL_N_REGION_UNITS] = {
  [ODL_REGION_NO_UNIT] = "",      [ODL_REGION_PERCENT] = "%",
  [ODL_REGION_DB] = "dB",         [ODL_REGION_CM] = "cm",
  [ODL_REGION_S] = "s",           [ODL_REGION_HZ] = "Hz",
  [ODL_REGION_DB_PER_S] = "dB/s", [ODL_REGION_CM_PER_S] = "cm/s",
  [ODL_REGION_CM2] = "cm²",       [ODL_REGION_CM2_PER_S] = "cm²/s",
  [ODL_REGION_CM3] = "cm³",       [ODL_REGION_CM3_PER_S] = "cm³/s",
  [ODL_REGION_DEGREES] = "°",
};

static const char *const kinds[ODL_N_REGION_KINDS] = {
  // Translators: kinds of regions of an ultrasound picture.
  [ODL_REGION_OTHER] = N_ ("region"),  [ODL_REGION_TISSUE] = N_ ("2D"),
  [ODL_REGION_MOTION] = N_ ("M-mode"), [ODL_REGION_SPECTRAL] = N_ ("Doppler"),
  [ODL_REGION_WAVE] = N_ ("waveform"), [ODL_REGION_GRAPHICS] = N_ ("graphics"),
};

OdlRegions *
odl_regions_new (const OdlRegion *items, int n)
{
  OdlRegions *regions = g_malloc (sizeof *regions + (size_t) n * sizeof *items);

  g_atomic_ref_count_init (&regions->ref_count);
  regions->n = n;
  memcpy (regions->items, items, (size_t) n * sizeof *items);
  return regions;
}

const OdlRegions *
odl_regions_ref (const OdlRegions *regions)
{
  if (regions != NULL)
    g_atomic_ref_count_inc (&((OdlRegions *) regions)->ref_count);
  return regions;
}

void
odl_regions_unref (const OdlRegions *regions)
{
  if (regions != NULL && g_atomic_ref_count_dec (&((OdlRegions *) regions)->ref_count))
    g_free ((OdlRegions *) regions);
}

bool
odl_region_has (const OdlRegion *region, double x, double y)
{
  return x >= region->left && x <= region->right && y >= region->top
         && y <= region->bottom;
}

int
odl_regions_at (const OdlRegions *regions, double x, double y)
{
  for (int i = 0; regions != NULL && i < regions->n; i++)
    if (odl_region_has (&regions->items[i], x, y))
      return i;
  return -1;
}

bool
odl_region_is_like (const OdlRegion *a, const OdlRegion *b)
{
  for (int i = 0; i < 2; i++)
    if (a->unit[i] != b->unit[i]
        || fabs (a->delta[i] - b->delta[i]) > SAME_DELTA * fabs (a->delta[i]))
      return false;
  return true;
}

const char *
odl_region_unit_name (OdlRegionUnit unit)
{
  return units[unit];
}

const char *
odl_region_kind_title (OdlRegionKind kind)
{
  return _ (kinds[kind]);
}
