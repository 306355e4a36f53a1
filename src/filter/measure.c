// SPDX-License-Identifier: MIT
#include "filter/measure.h"

#include <math.h>

#include "filter/inside.h"
#include "filter/profile.h"
#include "filter/stabilised.h"
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

double
odl_noise_gain (const OdlWavelet *wavelet, int level)
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

static double
threshold_for (const OdlRecipeItem *item, int level, double sigma)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (item);

  switch (item->filter->kind) {
  case ODL_FILTER_SOFT_THRESHOLD:
    return sigma * odl_noise_gain (wavelet, 2);
  case ODL_FILTER_HARD_THRESHOLD:
    return sigma * odl_noise_gain (wavelet, 1);
  case ODL_FILTER_SHRINKAGE:
    return sigma * odl_noise_gain (wavelet, level);
  case ODL_FILTER_BIVARIATE:
  case ODL_FILTER_BM3D:
  case ODL_FILTER_RESTORE:
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
      for (; odl_parameter_may_wait (parameter) && !parameter->live
             && place->i < parameter->count;
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

double
odl_deviation_of (const OdlImage *image, OdlColourMode colour, const OdlNoisePart *part)
{
  g_return_val_if_fail (image != NULL && part != NULL, 0);

  const int all = odl_image_info (image)->channels;
  const bool luma = all >= 3 && colour == ODL_COLOUR_LUMA;
  const int channels = luma || all < 3 ? 1 : 3;
  const int area[4] = { part->left, part->top, part->width, part->height };
  const size_t n = (size_t) part->width * part->height;
  g_autofree double *samples = g_new (double, n + 1);
  size_t used = 0;
  double squares = 0;

  for (int c = 0; c < channels; c++) {
    odl_noise_plane (image, luma ? -1 : c, area, samples, NULL);
    used = odl_subtract_plane (samples, part);
    for (size_t i = 0; i < n; i++)
      if (part->inside == NULL || part->inside[i] != 0)
        squares += samples[i] * samples[i];
  }
  return used >= 4 ? sqrt (squares / (channels * (double) (used - 3))) : 0;
}

// What a recipe is measured in.
typedef struct {
  const OdlRecipe *recipe; // with the transforms that filters share
  const OdlImage *image;
  const OdlNoisePart *part; // NULL: the picture
} Measured;

// The noise that reaches `item`.
static double
sigma_at (const Measured *m, int item)
{
  double sigma;

  if (m->part == NULL && odl_recipe_knows_noise (m->recipe, item, &sigma))
    return sigma;
  g_autoptr (OdlImage) within = odl_stabilised_for (m->recipe, item, m->image);
  const OdlImage *image = within != NULL ? within : m->image;
  return m->part != NULL ? odl_deviation_of (image, m->recipe->colour, m->part)
                         : odl_noise_of (image, m->recipe->colour);
}

// What the bands of levels 1 … `measured` leave of the noise of a part, as σ of white
// noise that has as much: in an orthonormal transform the squares of all bands, each by
// its share of the samples, add up to σ².
static double
rest_of (const Measured *m,
         const OdlImage *image,
         int measured,
         const double deviations[])
{
  const double sigma = odl_deviation_of (image, m->recipe->colour, m->part);
  double squares = sigma * sigma;

  for (int i = 0; i < measured * ODL_DETAIL_BANDS; i++)
    squares -= ldexp (deviations[i] * deviations[i], -2 * (1 + i / ODL_DETAIL_BANDS));
  return sqrt (ldexp (MAX (squares, 0), 2 * measured));
}

// Of the noise of bands, deviations[i], less what white noise of σ = 1 has there.
static int
bands_at (const Measured *m, int item, double deviations[])
{
  const OdlRecipeItem *own = &m->recipe->items[item];
  g_autoptr (OdlImage) within = odl_stabilised_for (m->recipe, item, m->image);
  const OdlImage *image = within != NULL ? within : m->image;
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (own);
  const int levels = (int) odl_recipe_get (m->recipe, item, "levels", 0);
  const int measured = odl_noise_of_bands (image, m->recipe->colour, wavelet, levels,
                                           m->part, deviations);

  for (int i = 0; i < measured * ODL_DETAIL_BANDS; i++) {
    const int level = 1 + i / ODL_DETAIL_BANDS;
    const OdlDetailBand band = (OdlDetailBand) (i % ODL_DETAIL_BANDS);
    deviations[i] /= wavelet != NULL ? odl_noise_gain_of_band (wavelet, level, band)
                                     : odl_noise_gain_of_dual_band (level, band);
  }
  if (m->part == NULL)
    return measured;
  const double rest = rest_of (m, image, measured, deviations);
  for (int i = measured * ODL_DETAIL_BANDS; i < levels * ODL_DETAIL_BANDS; i++)
    deviations[i] = rest;
  return levels;
}

// The profile of noise of `item`, and its σ, where that is to be measured as well.
// Levels of a picture with too few coefficients are as the one before them.
static void
measure_profile (const Measured *m, OdlRecipe *recipe, int item)
{
  OdlRecipeItem *own = &recipe->items[item];
  const OdlParameter *profile = odl_filter_parameter (own->filter, "profile");
  const OdlParameter *sigma = odl_filter_parameter (own->filter, "sigma");
  double deviations[ODL_MAX_LEVELS * ODL_DETAIL_BANDS], squares = 0;
  const int n = ODL_DETAIL_BANDS * bands_at (m, item, deviations);
  double *values = &own->values[profile->offset];

  for (int i = 0; i < MAX (n - ODL_DETAIL_BANDS, 1); i++)
    squares += deviations[i] * deviations[i] / MAX (n - ODL_DETAIL_BANDS, 1);
  if (own->values[sigma->offset] == ODL_VALUE_AUTO && n > 0)
    own->values[sigma->offset]
        = odl_parameter_clamp (sigma, three_digits (sqrt (squares)));
  const double unit = own->values[sigma->offset];
  for (int i = 0; i < profile->count; i++)
    if (values[i] == ODL_VALUE_AUTO)
      values[i] = n > 0 && i >= n ? values[i - ODL_DETAIL_BANDS]
                  : n > 0 && unit > 0
                      ? odl_parameter_clamp (profile, three_digits (deviations[i] / unit))
                      : 1;
}

// Thresholds that are given for each band are the noise there, if that was measured.
static void
measure_thresholds (const Measured *m, OdlRecipe *recipe, int item)
{
  OdlRecipeItem *own = &recipe->items[item];
  const OdlParameter *thresholds = odl_filter_parameter (own->filter, "thresholds");
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (&m->recipe->items[item]);
  double deviations[ODL_MAX_LEVELS * ODL_DETAIL_BANDS];
  const int n = ODL_DETAIL_BANDS * bands_at (m, item, deviations);

  for (int i = 0; i < n; i++)
    if (own->values[thresholds->offset + i] == ODL_VALUE_AUTO)
      own->values[thresholds->offset + i] = odl_parameter_clamp (
          thresholds,
          three_digits (deviations[i]
                        * odl_noise_gain (wavelet, 1 + i / ODL_DETAIL_BANDS)));
}

static bool
is_waiting (const OdlRecipeItem *item, const char *key)
{
  const OdlParameter *parameter = odl_filter_parameter (item->filter, key);

  for (int i = 0; parameter != NULL && i < parameter->count; i++)
    if (item->values[parameter->offset + i] == ODL_VALUE_AUTO)
      return true;
  return false;
}

static bool
measure (OdlRecipe *recipe, const OdlImage *image, const OdlNoisePart *part)
{
  OdlRecipe shared = *recipe;
  const Measured m = { &shared, image, part };
  double sigma = 0;
  int last = -1;

  odl_recipe_share_transforms (&shared);
  for (int i = 0; i < recipe->n_items; i++)
    if (is_waiting (&recipe->items[i], "profile"))
      measure_profile (&m, recipe, i);
    else if (part != NULL && is_waiting (&recipe->items[i], "thresholds"))
      measure_thresholds (&m, recipe, i);
  for (Place place = { 0 }; find_waiting (recipe, &place); place.i++) {
    OdlRecipeItem *item = &recipe->items[place.item];
    const OdlParameter *parameter = &item->filter->parameters[place.parameter];
    if (place.item != last)
      sigma = sigma_at (&m, place.item);
    last = place.item;
    // Not through odl_recipe_set, which would reset n_given.
    item->values[parameter->offset + place.i] = odl_parameter_clamp (
        parameter, three_digits (threshold_for (&shared.items[place.item],
                                                1 + place.i / ODL_DETAIL_BANDS, sigma)));
  }
  return true;
}

bool
odl_recipe_waits_for_noise (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, false);

  for (int i = 0; i < recipe->n_items; i++)
    if (is_waiting (&recipe->items[i], "sigma"))
      return true;
  return !odl_recipe_is_measured (recipe);
}

bool
odl_recipe_measure (OdlRecipe *recipe, const OdlImage *image)
{
  g_return_val_if_fail (recipe != NULL && image != NULL, false);

  return !odl_recipe_is_measured (recipe) && measure (recipe, image, NULL);
}

bool
odl_recipe_measure_in (OdlRecipe *recipe, const OdlImage *image, const OdlNoisePart *part)
{
  g_return_val_if_fail (recipe != NULL && image != NULL && part != NULL, false);

  bool replaced = !odl_recipe_is_measured (recipe) && measure (recipe, image, part);
  for (int i = 0; i < recipe->n_items; i++) {
    OdlRecipeItem *item = &recipe->items[i];
    const OdlParameter *parameter = odl_filter_parameter (item->filter, "sigma");
    if (!is_waiting (item, "sigma") || !parameter->live)
      continue;
    item->values[parameter->offset] = odl_parameter_clamp (
        parameter, three_digits (sigma_at (&(Measured){ recipe, image, part }, i)));
    replaced = true;
  }
  return replaced;
}

bool
odl_filter_takes_noise (const OdlFilter *filter)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, filter);
  return odl_recipe_forget_noise (&recipe, 0);
}

bool
odl_recipe_forget_noise (OdlRecipe *recipe, int item)
{
  OdlRecipeItem *own = &recipe->items[item];
  bool any = false;

  for (size_t p = 0; p < own->filter->n_parameters; p++) {
    const OdlParameter *parameter = &own->filter->parameters[p];
    if (!odl_parameter_may_wait (parameter)
        || own->filter->kind == ODL_FILTER_TROUGH_THRESHOLD) // of a histogram
      continue;
    any = true;
    for (int i = 0; i < parameter->count; i++)
      own->values[parameter->offset + i] = ODL_VALUE_AUTO;
  }
  return any;
}

bool
odl_recipe_found_no_noise (const OdlRecipe *before, const OdlRecipe *after)
{
  g_return_val_if_fail (before != NULL && after != NULL, false);

  bool any = false;
  for (int k = 0; k < after->n_items; k++) {
    const OdlRecipeItem *was = &before->items[k], *is = &after->items[k];
    for (size_t p = 0; p < is->filter->n_parameters; p++) {
      const OdlParameter *parameter = &is->filter->parameters[p];
      if (!parameter->measured || !odl_parameter_may_wait (parameter))
        continue; // a profile has no noise by itself
      for (int i = parameter->offset; i < parameter->offset + parameter->count; i++) {
        if (was->values[i] != ODL_VALUE_AUTO || is->values[i] == ODL_VALUE_AUTO)
          continue;
        if (is->values[i] != 0)
          return false;
        any = true;
      }
    }
  }
  return any;
}
