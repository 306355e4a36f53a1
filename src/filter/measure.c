// SPDX-License-Identifier: MIT
#include "filter/measure.h"

#include <math.h>

#include "filter/inside.h"
#include "wavelet/dual_tree.h"

// From this level on the gain halves per level, since low-pass filters preserve the
// mean.
#define LAST_COUNTED_LEVEL 6

// `wide` = `filter` dilated by `stride`, convolved with `taps`.
static GArray *
convolve (const GArray *taps, const OdlTaps *filter, int stride)
{
  const guint length = taps->len + (guint) ((filter->count - 1) * stride);
  GArray *wide = g_array_sized_new (FALSE, TRUE, sizeof (double), length);

  g_array_set_size (wide, length);
  for (guint i = 0; i < taps->len; i++)
    for (int k = 0; k < filter->count; k++)
      g_array_index (wide, double, i + (guint) (k * stride))
          += g_array_index (taps, double, i) * filter->value[k];
  return wide;
}

static double
norm (const GArray *taps)
{
  double sum = 0;

  for (guint i = 0; i < taps->len; i++)
    sum += g_array_index (taps, double, i) * g_array_index (taps, double, i);
  return sqrt (sum);
}

double
odl_noise_gain_of_band (const OdlWavelet *wavelet, int level, OdlDetailBand band)
{
  g_return_val_if_fail (wavelet != NULL && level >= 1, 0);

  const double one = 1;
  const int counted = MIN (level, LAST_COUNTED_LEVEL);
  g_autoptr (GArray) lows = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_val (lows, one);
  for (int l = 1; l < counted; l++) {
    g_autoptr (GArray) before = g_steal_pointer (&lows);
    lows = convolve (before, &wavelet->analysis_low, 1 << (l - 1));
  }
  const int stride = 1 << (counted - 1);
  g_autoptr (GArray) low = convolve (lows, &wavelet->analysis_low, stride);
  g_autoptr (GArray) high = convolve (lows, &wavelet->analysis_high, stride);
  return ldexp (norm (band == ODL_BAND_HH ? high : low) * norm (high), counted - level);
}

// Of a line: the root mean square of both trees. Within a tree, level l looks at every
// 2^(l − 1)-th sample.
static double
dual_norm (int level, int band)
{
  const OdlDualFilter *filter = odl_dual_filter (level, band, false);
  double squares = 0;

  for (int r = 0; r < filter->phases; r++) {
    const double one = 1;
    g_autoptr (GArray) taps = g_array_new (FALSE, FALSE, sizeof (double));
    g_array_append_val (taps, one);
    int phase = r;
    for (int l = level; l >= 1; l--) {
      const OdlDualFilter *own = odl_dual_filter (l, l == level ? band : 0, false);
      const OdlTaps *tree = &own->taps[phase % own->phases];
      g_autoptr (GArray) before = g_steal_pointer (&taps);
      taps = convolve (before, tree, 1 << (l - 1));
      phase = tree->first & 1; // of what it reads
    }
    squares += norm (taps) * norm (taps) / filter->phases;
  }
  return sqrt (squares);
}

double
odl_noise_gain_of_dual_band (int level, OdlDetailBand band)
{
  g_return_val_if_fail (level >= 1, 0);

  const int counted = MIN (level, LAST_COUNTED_LEVEL);
  return ldexp (dual_norm (counted, band != ODL_BAND_LH)
                    * dual_norm (counted, band != ODL_BAND_HL),
                counted - level);
}

// `wavelet` NULL: of the magnitudes of the dual tree, whose square has two such parts.
static double
noise_gain (const OdlWavelet *wavelet, int level)
{
  double squares = 0;

  for (OdlDetailBand band = 0; band < ODL_DETAIL_BANDS; band++) {
    const double gain = wavelet != NULL
                            ? odl_noise_gain_of_band (wavelet, level, band)
                            : M_SQRT2 * odl_noise_gain_of_dual_band (level, band);
    squares += gain * gain;
  }
  return sqrt (squares / ODL_DETAIL_BANDS);
}

double
odl_noise_gain (const OdlWavelet *wavelet, int level)
{
  g_return_val_if_fail (wavelet != NULL, 0);
  return noise_gain (wavelet, level);
}

static double
threshold_for (const OdlRecipeItem *item, int level, double sigma)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (item);

  switch (item->filter->kind) {
  case ODL_FILTER_SOFT_THRESHOLD:
    return sigma * noise_gain (wavelet, 2);
  case ODL_FILTER_HARD_THRESHOLD:
    return sigma * noise_gain (wavelet, 1);
  case ODL_FILTER_SHRINKAGE:
    return sigma * noise_gain (wavelet, level);
  case ODL_FILTER_BIVARIATE:
  case ODL_FILTER_BM3D:
  case ODL_FILTER_WIENER:
    return sigma;
  default:
    g_return_val_if_reached (0);
  }
}

static double
three_digits (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_ascii_strtod (g_ascii_formatd (buffer, sizeof buffer, "%.3g", value), NULL);
}

// Advances to the next value that is ODL_VALUE_AUTO; false at the end.
typedef struct {
  int item;
  size_t parameter;
  int i;
} Place;

static bool
find_waiting (const OdlRecipe *recipe, Place *place)
{
  for (; place->item < recipe->n_items; place->item++, place->parameter = 0) {
    const OdlRecipeItem *item = &recipe->items[place->item];
    for (; place->parameter < item->filter->n_parameters; place->parameter++) {
      const OdlParameter *parameter = &item->filter->parameters[place->parameter];
      for (; parameter->measured && !parameter->live && place->i < parameter->count;
           place->i++)
        if (item->values[parameter->offset + place->i] == ODL_VALUE_AUTO)
          return true;
      place->i = 0;
    }
  }
  return false;
}

bool
odl_recipe_is_measured (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, true);

  Place place = { 0 };
  return !find_waiting (recipe, &place);
}

// The noise that reaches `item`, where the picture has `sigma`: that of photons becomes
// the same everywhere.
static double
sigma_at (const OdlRecipe *recipe, int item, double sigma)
{
  double inside[ODL_RECIPE_MAX_FILTERS + 1] = { sigma };
  int depth = 0;

  for (int i = 0; i < item; i++) {
    const OdlFilter *filter = recipe->items[i].filter;
    if (!odl_recipe_item_acts (&recipe->items[i]))
      continue;
    if (filter->kind == ODL_FILTER_RESTORE && depth > 0)
      depth--;
    else if (filter->kind == ODL_FILTER_STABILISE) {
      const bool photons = odl_recipe_get (recipe, i, "method", 0) == 0;
      depth++;
      inside[depth] = photons
                          ? 0.5 / sqrt (odl_recipe_get (recipe, i, "peak", 0) + 3.0 / 8)
                          : inside[depth - 1];
    }
  }
  return inside[depth];
}

// One channel: the sum of squares that the plane leaves.
static double
squares_about_plane (const OdlImage *part, int channel, float *row)
{
  const OdlExtent *extent = &odl_image_info (part)->extent;
  const double middle_x = (extent->x - 1) / 2.0, middle_y = (extent->y - 1) / 2.0;
  const double n = (double) extent->x * extent->y;
  double sum = 0, squares = 0, by_x = 0, by_y = 0, xx = 0, yy = 0;

  for (int y = 0; y < extent->y; y++) {
    odl_image_scaled_row (part, channel, y, 0, 0, row);
    for (int x = 0; x < extent->x; x++) {
      const double value = (double) row[x], dx = x - middle_x, dy = y - middle_y;
      sum += value;
      squares += value * value;
      by_x += dx * value;
      by_y += dy * value;
      xx += dx * dx;
      yy += dy * dy;
    }
  }
  return squares - sum * sum / n - (xx > 0 ? by_x * by_x / xx : 0)
         - (yy > 0 ? by_y * by_y / yy : 0);
}

double
odl_deviation_of (const OdlImage *part)
{
  g_return_val_if_fail (part != NULL, 0);

  const OdlImageInfo *info = odl_image_info (part);
  const int channels = MIN (info->channels, 3);
  const double n = (double) info->extent.x * info->extent.y;
  g_autofree float *row = g_new (float, info->extent.x);
  double squares = 0;

  for (int c = 0; c < channels; c++)
    squares += squares_about_plane (part, c, row);
  return n >= 4 ? sqrt (MAX (squares, 0) / (channels * (n - 3))) : 0;
}

static bool
measure (OdlRecipe *recipe, double sigma)
{
  OdlRecipe shared = *recipe;
  odl_recipe_share_transforms (&shared);
  for (Place place = { 0 }; find_waiting (recipe, &place); place.i++) {
    OdlRecipeItem *item = &recipe->items[place.item];
    const OdlParameter *parameter = &item->filter->parameters[place.parameter];
    // Not through odl_recipe_set, which would reset n_given.
    item->values[parameter->offset + place.i] = odl_parameter_clamp (
        parameter, three_digits (threshold_for (&shared.items[place.item],
                                                1 + place.i / ODL_DETAIL_BANDS,
                                                sigma_at (recipe, place.item, sigma))));
  }
  return true;
}

bool
odl_recipe_measure (OdlRecipe *recipe, const OdlImage *image)
{
  g_return_val_if_fail (recipe != NULL && image != NULL, false);

  return !odl_recipe_is_measured (recipe)
         && measure (recipe, odl_noise_of (image, recipe->colour));
}

bool
odl_recipe_measure_in (OdlRecipe *recipe, const OdlImage *part)
{
  g_return_val_if_fail (recipe != NULL && part != NULL, false);

  const double sigma = odl_deviation_of (part);
  bool replaced = !odl_recipe_is_measured (recipe) && measure (recipe, sigma);
  for (int i = 0; i < recipe->n_items; i++) {
    OdlRecipeItem *item = &recipe->items[i];
    const OdlParameter *parameter = odl_filter_parameter (item->filter, "sigma");
    if (parameter == NULL || !parameter->live
        || item->values[parameter->offset] != ODL_VALUE_AUTO)
      continue;
    item->values[parameter->offset]
        = odl_parameter_clamp (parameter, three_digits (sigma_at (recipe, i, sigma)));
    replaced = true;
  }
  return replaced;
}

bool
odl_recipe_found_no_noise (const OdlRecipe *before, const OdlRecipe *after)
{
  g_return_val_if_fail (before != NULL && after != NULL, false);

  Place place = { 0 };
  if (!find_waiting (before, &place))
    return false;
  for (; find_waiting (before, &place); place.i++) {
    const OdlRecipeItem *item = &after->items[place.item];
    const OdlParameter *parameter = &item->filter->parameters[place.parameter];
    if (item->values[parameter->offset + place.i] != 0)
      return false;
  }
  return true;
}
