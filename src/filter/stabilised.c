// SPDX-License-Identifier: MIT
#include "filter/stabilised.h"

#include <math.h>

#include "filter/noise.h"

// Of 8-bit samples, which are often compressed, what is less is black (noise.c).
#define LOOSE (1.5 / 255)

// Active “stabilise” filters that `item` is inside of, the outermost first; their number.
static int
find_around (const OdlRecipe *recipe, int item, int around[ODL_RECIPE_MAX_FILTERS])
{
  int n = 0;

  for (int i = 0; i < item; i++)
    if (!odl_recipe_item_acts (&recipe->items[i]))
      continue;
    else if (recipe->items[i].filter->kind == ODL_FILTER_RESTORE && n > 0)
      n--;
    else if (recipe->items[i].filter->kind == ODL_FILTER_STABILISE)
      around[n++] = i;
  return n;
}

// The functions of plan/spatial/stabilise.c.
static double
stabilised (const OdlRecipe *recipe, int item, double x)
{
  const double peak = odl_recipe_get (recipe, item, "peak", 0);
  const double floor = odl_recipe_get (recipe, item, "floor", 0);

  switch ((int) odl_recipe_get (recipe, item, "method", 0)) {
  case 0: // anscombe
    return sqrt ((peak * MAX (x, 0) + 0.375) / (peak + 0.375));
  case 1: // log
    return log1p (MAX (x, 0) / floor) / log1p (1 / floor);
  default: // box-cox
    return pow (MAX (x, 0), odl_recipe_get (recipe, item, "exponent", 0));
  }
}

bool
odl_recipe_knows_noise (const OdlRecipe *recipe, int item, double *sigma)
{
  int around[ODL_RECIPE_MAX_FILTERS];
  const int n = find_around (recipe, item, around);

  if (n == 0 || odl_recipe_get (recipe, around[n - 1], "method", 0) != 0)
    return false;
  *sigma = 0.5 / sqrt (odl_recipe_get (recipe, around[n - 1], "peak", 0) + 0.375);
  return true;
}

OdlImage *
odl_stabilised_for (const OdlRecipe *recipe, int item, const OdlImage *image)
{
  const OdlImageInfo *from = odl_image_info (image);
  const bool luma = from->channels >= 3 && recipe->colour == ODL_COLOUR_LUMA;
  const int channels = luma || from->channels < 3 ? 1 : 3, width = from->extent.x;
  const double black = from->type == ODL_SAMPLE_U8 ? LOOSE : 0;
  OdlImageInfo info = { .extent = { width, from->extent.y, 1, 1 },
                        .channels = channels,
                        .type = ODL_SAMPLE_F32 };
  int around[ODL_RECIPE_MAX_FILTERS];
  const int n = find_around (recipe, item, around);
  g_autofree double *row = g_new (double, (size_t) width);
  void *memory;
  OdlImage *result = n > 0 ? odl_image_alloc (&info, &memory, NULL) : NULL;

  for (int y = 0; result != NULL && y < from->extent.y; y++)
    for (int c = 0; c < channels; c++) {
      float *to = (float *) memory + (size_t) y * width * channels + c;
      odl_noise_plane (image, luma ? -1 : c, (int[]){ 0, y, width, 1 }, row, NULL);
      for (int x = 0; x < width; x++) {
        double value = row[x] <= black ? 0 : row[x];
        for (int i = 0; i < n; i++)
          value = stabilised (recipe, around[i], value);
        to[x * channels] = (float) value;
      }
    }
  return result;
}
