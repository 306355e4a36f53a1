// SPDX-License-Identifier: MIT
#include "filter/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "filter/inside.h"
#include "filter/normalisation.h"
#include "filter/profile.h"
#include "filter/received.h"
#include "filter/spectrum.h"

// Slices of a volume that are measured, from the middle on, each so far behind the one
// before that all parts of the volume have some.
#define MOST_SLICES 15
#define GOLDEN 0.618

static int
choice_of (const OdlRecipeItem *item, const char *key)
{
  return (int) item->values[odl_filter_parameter (item->filter, key)->offset];
}

// The strength of non-local means by σ. That it grows with σ, by a factor that falls with
// the patch, is A. Buades, B. Coll, J.-M. Morel, "Non-local means denoising", Image
// Processing On Line 1 (2011): 0.40 σ to 0.35 σ of grey pictures, with exp (−max (d −
// 2σ², 0) / h²). Here nothing is taken off d, as in the same authors' first paper, which
// asks for more; for patches of 5 scikit-image's manual says 1.15 σ then. These are the
// best of 0.5 … 2 in the mean, as PSNR of `camera` and `ascent` with σ = 5, 15, 25 and 50
// of 255.
static double
non_local_strength (const OdlRecipeItem *item)
{
  static const double factors[][4] = { { 1.25, 1.15, 1.1, 1.05 }, // patches 3, 5, 7, 9
                                       { 1.15, 1.1, 1.1, 1.1 } };
  const bool twice = choice_of (item, "rounds") > 1;

  return factors[twice][choice_of (item, "patch")];
}

static double
threshold_for (const OdlRecipeItem *item, int level, double sigma)
{
  switch (item->filter->kind) {
  case ODL_FILTER_SOFT_THRESHOLD:
    return sigma * odl_threshold_noise (item, 2);
  case ODL_FILTER_HARD_THRESHOLD:
    return sigma * odl_threshold_noise (item, 1);
  case ODL_FILTER_SHRINKAGE:
    return sigma * odl_threshold_noise (item, level);
  case ODL_FILTER_BIVARIATE:
  case ODL_FILTER_BM3D:
  case ODL_FILTER_RESTORE:
  case ODL_FILTER_WIENER:
  case ODL_FILTER_LOG_COMPRESS: // the largest sample
    return sigma;
  case ODL_FILTER_NON_LOCAL_MEANS:
    return sigma * non_local_strength (item);
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

// Whether value i of a filter is to be measured, once.
static bool
is_to_measure (const OdlRecipeItem *item, const OdlParameter *parameter, int i)
{
  return odl_parameter_waits (parameter, item->values[parameter->offset + i])
         && !parameter->live;
}

static bool
has_to_measure (const OdlRecipeItem *item)
{
  for (size_t p = 0; p < item->filter->n_parameters; p++)
    for (int i = 0; i < item->filter->parameters[p].count; i++)
      if (is_to_measure (item, &item->filter->parameters[p], i))
        return true;
  return false;
}

bool
odl_recipe_is_measured (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, true);

  for (int i = 0; i < recipe->n_items; i++)
    if (has_to_measure (&recipe->items[i]))
      return false;
  return true;
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

// What a filter is measured in.
typedef struct {
  const OdlRecipe *recipe; // with the transforms that filters share
  int item;
  const OdlMeasuring *how;
} Measured;

static OdlReceived
receive (const Measured *m, int slice)
{
  OdlReceived received = { NULL, NULL };

  m->how->receive (m->recipe, odl_recipe_received_end (m->recipe, m->item), slice,
                   m->how->data, &received);
  return received;
}

static void
received_clear (OdlReceived *received)
{
  odl_image_unref (received->image);
  odl_image_unref (received->came);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlReceived, received_clear)

// The part lies in the picture that is shown: of beams, which a filter behind this one
// makes that picture of, all are looked at. NULL: all.
static const OdlNoisePart *
part_in (const Measured *m, const OdlImage *image)
{
  for (int i = m->item; i < m->recipe->n_items; i++)
    if (odl_image_info (image)->beams.array != ODL_BEAMS_NONE
        && m->recipe->items[i].filter->kind == ODL_FILTER_SCAN_CONVERT
        && odl_recipe_item_acts (&m->recipe->items[i]))
      return NULL;
  return m->how->part;
}

// Whether squares are divided by how bright samples are.
static bool
has_speckle (const OdlRecipeItem *item)
{
  return item->filter->kind == ODL_FILTER_NON_LOCAL_MEANS
         && choice_of (item, "distance") == 1;
}

#define DARKEST (1 / 64.0) // what speckle is divided by at least

// Of slice 0, frame 0, or a part of it, all channels but alpha.
static double
mean_of (const OdlImage *image, const OdlNoisePart *part)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int left = part != NULL ? part->left : 0, top = part != NULL ? part->top : 0;
  const int width = part != NULL ? part->width : info->extent.x;
  const int height = part != NULL ? part->height : info->extent.y;
  g_autofree float *row = g_new (float, (size_t) info->extent.x);
  const int channels = MIN (info->channels, 3);
  double sum = 0;

  for (int c = 0; c < channels; c++)
    for (int y = top; y < top + height; y++) {
      odl_image_scaled_row (image, c, y, 0, 0, row);
      for (int x = left; x < left + width; x++)
        sum += (double) row[x];
    }
  return MAX (sum / ((double) width * height * channels), DARKEST);
}

static double
sigma_in (const Measured *m, int slice)
{
  g_auto (OdlReceived) received = receive (m, slice);

  if (received.image == NULL)
    return 0;
  const OdlNoisePart *part = part_in (m, received.image);
  const double sigma
      = part != NULL ? odl_deviation_of (received.image, m->recipe->colour, part)
                     : odl_noise_after (received.image, received.came, m->recipe->colour);
  return has_speckle (&m->recipe->items[m->item])
             ? sigma / sqrt (mean_of (received.image, part))
             : sigma;
}

static bool
is_of_peak (const OdlRecipeItem *item)
{
  return item->filter->kind == ODL_FILTER_LOG_COMPRESS;
}

double
odl_peak_of (const OdlImage *image)
{
  g_return_val_if_fail (image != NULL, 0);

  const OdlImageInfo *info = odl_image_info (image);
  g_autofree float *row = g_new (float, (size_t) info->extent.x);
  double peak = 0;

  for (int c = 0; c < MIN (info->channels, 3); c++)
    for (int y = 0; y < info->extent.y; y++) {
      odl_image_scaled_row (image, c, y, 0, 0, row);
      for (int x = 0; x < info->extent.x; x++)
        peak = MAX (peak, (double) row[x]);
    }
  return peak;
}

static bool
waits_for_cine (const OdlRecipeItem *item)
{
  for (size_t p = 0; p < item->filter->n_parameters; p++) {
    const OdlParameter *parameter = &item->filter->parameters[p];
    if (parameter->over_frames && item->values[parameter->offset] == ODL_VALUE_CINE)
      return true;
  }
  return false;
}

// The largest sample that reaches the filter, of the picture or of all frames.
static double
peak_at (const Measured *m)
{
  double peak;

  if (m->how->peak != NULL && waits_for_cine (&m->recipe->items[m->item]))
    return m->how->peak (m->recipe, odl_recipe_received_end (m->recipe, m->item),
                         m->how->data, &peak)
               ? peak
               : 1;
  g_auto (OdlReceived) received = receive (m, -1);
  return received.image != NULL ? odl_peak_of (received.image) : 1;
}

static int
common_divisor (int a, int b)
{
  return b == 0 ? a : common_divisor (b, a % b);
}

// The median of that of slices all over the volume which have some: those that are empty,
// or beside what was scanned, say nothing of the others.
static double
sigma_in_volume (const Measured *m)
{
  const int n = m->how->n_slices;
  double found[MOST_SLICES];
  int n_found = 0, step = MAX ((int) (GOLDEN * n), 1);

  while (common_divisor (n, step) != 1)
    step--;
  for (int i = 0; i < n && n_found < MOST_SLICES; i++) {
    const double sigma = sigma_in (m, (int) ((n / 2 + (gint64) i * step) % n));
    if (sigma > 0)
      found[n_found++] = sigma;
  }
  if (n_found == 0)
    return 0;
  qsort (found, (size_t) n_found, sizeof *found, odl_order_doubles);
  return found[n_found / 2];
}

static bool
sees_volume (const OdlRecipeItem *item)
{
  return odl_recipe_item_dimensions (item) > 2;
}

// The noise that reaches the filter, or what else it is measured by.
static double
sigma_at (const Measured *m)
{
  double sigma;

  if (is_of_peak (&m->recipe->items[m->item]))
    return peak_at (m);
  if (m->how->part == NULL && odl_recipe_knows_noise (m->recipe, m->item, &sigma))
    return sigma;
  return m->how->part == NULL && m->how->n_slices > 1
                 && sees_volume (&m->recipe->items[m->item])
             ? sigma_in_volume (m)
             : sigma_in (m, -1);
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
  const double sigma = odl_deviation_of (image, m->recipe->colour, m->how->part);
  double squares = sigma * sigma;

  for (int i = 0; i < measured * ODL_DETAIL_BANDS; i++)
    squares -= ldexp (deviations[i] * deviations[i], -2 * (1 + i / ODL_DETAIL_BANDS));
  return sqrt (ldexp (MAX (squares, 0), 2 * measured));
}

// Of the noise of bands, deviations[i], less what white noise of σ = 1 has there.
static int
bands_at (const Measured *m, double deviations[])
{
  g_auto (OdlReceived) received = receive (m, -1);
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (&m->recipe->items[m->item]);
  const int levels = (int) odl_recipe_get (m->recipe, m->item, "levels", 0);

  if (received.image == NULL)
    return 0;
  const OdlNoisePart *part = part_in (m, received.image);
  const int measured
      = odl_noise_of_bands (received.image, received.came, m->recipe->colour, wavelet,
                            levels, part, deviations);

  for (int i = 0; i < measured * ODL_DETAIL_BANDS; i++) {
    const int level = 1 + i / ODL_DETAIL_BANDS;
    const OdlDetailBand band = (OdlDetailBand) (i % ODL_DETAIL_BANDS);
    deviations[i] /= wavelet != NULL ? odl_noise_gain_of_band (wavelet, level, band)
                                     : odl_noise_gain_of_dual_band (level, band);
  }
  if (part == NULL)
    return measured;
  const double rest = rest_of (m, received.image, measured, deviations);
  for (int i = measured * ODL_DETAIL_BANDS; i < levels * ODL_DETAIL_BANDS; i++)
    deviations[i] = rest;
  return levels;
}

// The profile of noise of a filter, and its σ, where that is to be measured as well.
// Levels of a picture with too few coefficients are as the one before them.
static void
measure_profile (const Measured *m, OdlRecipeItem *own)
{
  const OdlParameter *profile = odl_filter_parameter (own->filter, "profile");
  const OdlParameter *sigma = odl_filter_parameter (own->filter, "sigma");
  double deviations[ODL_MAX_LEVELS * ODL_DETAIL_BANDS], squares = 0;
  const int n = ODL_DETAIL_BANDS * bands_at (m, deviations);
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

// Likewise of the coefficients of blocks. σ is then that of all of them: the root of the
// mean square.
static void
measure_spectrum (const Measured *m, OdlRecipeItem *own)
{
  const OdlParameter *profile = odl_filter_parameter (own->filter, "profile");
  const OdlParameter *sigma = odl_filter_parameter (own->filter, "sigma");
  g_auto (OdlReceived) received = receive (m, -1);
  double deviations[ODL_SPECTRUM_VALUES], squares = 0;
  double *values = &own->values[profile->offset];
  const bool found
      = received.image != NULL
        && odl_noise_of_spectrum (received.image, received.came, m->recipe->colour,
                                  part_in (m, received.image), deviations);

  for (int i = 0; found && i < ODL_SPECTRUM_VALUES; i++)
    squares += deviations[i] * deviations[i] / ODL_SPECTRUM_VALUES;
  if (found && own->values[sigma->offset] == ODL_VALUE_AUTO)
    own->values[sigma->offset]
        = odl_parameter_clamp (sigma, three_digits (sqrt (squares)));
  const double unit = own->values[sigma->offset] != ODL_VALUE_FRAME
                          ? own->values[sigma->offset]
                          : sqrt (squares);
  for (int i = 0; i < ODL_SPECTRUM_VALUES; i++)
    if (values[i] == ODL_VALUE_AUTO)
      values[i] = found && unit > 0
                      ? odl_parameter_clamp (profile, three_digits (deviations[i] / unit))
                      : 1;
}

// Thresholds that are given for each band are the noise there, if that was measured.
static void
measure_thresholds (const Measured *m, OdlRecipeItem *own)
{
  const OdlParameter *thresholds = odl_filter_parameter (own->filter, "thresholds");
  const OdlRecipeItem *shared = &m->recipe->items[m->item];
  double deviations[ODL_MAX_LEVELS * ODL_DETAIL_BANDS];
  const int n = ODL_DETAIL_BANDS * bands_at (m, deviations);

  for (int i = 0; i < n; i++)
    if (own->values[thresholds->offset + i] == ODL_VALUE_AUTO)
      own->values[thresholds->offset + i] = odl_recipe_item_clamp (
          own, thresholds,
          three_digits (deviations[i]
                        * odl_threshold_noise (shared, 1 + i / ODL_DETAIL_BANDS)));
}

static bool
is_waiting (const OdlRecipeItem *item, const char *key)
{
  const OdlParameter *parameter = odl_filter_parameter (item->filter, key);

  for (int i = 0; parameter != NULL && i < parameter->count; i++)
    if (item->values[parameter->offset + i] == ODL_VALUE_AUTO
        || odl_parameter_is_of_frames (parameter, item->values[parameter->offset + i]))
      return true;
  return false;
}

// The values that are left: those that one σ tells.
static void
measure_values (const Measured *m, OdlRecipeItem *own)
{
  const OdlRecipeItem *shared = &m->recipe->items[m->item];
  double sigma = -1;

  for (size_t p = 0; p < own->filter->n_parameters; p++) {
    const OdlParameter *parameter = &own->filter->parameters[p];
    for (int i = 0; i < parameter->count; i++) {
      if (!is_to_measure (own, parameter, i))
        continue;
      sigma = sigma < 0 ? sigma_at (m) : sigma;
      // Not through odl_recipe_set, which would reset n_given.
      own->values[parameter->offset + i] = odl_recipe_item_clamp (
          own, parameter,
          three_digits (threshold_for (shared, 1 + i / ODL_DETAIL_BANDS, sigma)));
    }
  }
}

// A homogeneous part tells what would be measured in each frame, too.
static void
measure_live (const Measured *m, OdlRecipeItem *own)
{
  const OdlParameter *sigma = odl_filter_parameter (own->filter, "sigma");

  if (sigma != NULL && (sigma->live || sigma->each_frame) && is_waiting (own, "sigma"))
    own->values[sigma->offset] = odl_parameter_clamp (sigma, three_digits (sigma_at (m)));
}

static void
measure_item (OdlRecipe *recipe, int item, const OdlMeasuring *how)
{
  OdlRecipe shared = *recipe;
  OdlRecipeItem *own = &recipe->items[item];
  const Measured m = { &shared, item, how };

  odl_recipe_share_transforms (&shared);
  const OdlParameter *profile = odl_filter_parameter (own->filter, "profile");
  if (profile != NULL && profile->kind == ODL_PARAMETER_SPECTRUM
      && is_waiting (own, "profile"))
    measure_spectrum (&m, own);
  else if (is_waiting (own, "profile"))
    measure_profile (&m, own);
  else if (how->part != NULL && is_waiting (own, "thresholds"))
    measure_thresholds (&m, own);
  measure_values (&m, own);
  if (how->part != NULL)
    measure_live (&m, own);
  own->measured_after = odl_recipe_received_hash (recipe, item);
}

// In the order of the recipe, since filters receive what those before them make.
bool
odl_recipe_measure (OdlRecipe *recipe, const OdlMeasuring *how)
{
  g_return_val_if_fail (recipe != NULL && how != NULL, false);

  bool replaced = false;
  for (int i = 0; i < recipe->n_items; i++) {
    const OdlRecipeItem *item = &recipe->items[i];
    const bool in_part = how->part != NULL && is_waiting (item, "sigma");
    if (!has_to_measure (item) && !in_part)
      continue;
    if (how->cine_later && waits_for_cine (item))
      break;
    measure_item (recipe, i, how);
    replaced = true;
  }
  return replaced;
}

bool
odl_recipe_waits_for_cine (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, false);

  for (int i = 0; i < recipe->n_items; i++)
    if (waits_for_cine (&recipe->items[i]))
      return true;
  return false;
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
        || own->filter->kind == ODL_FILTER_TROUGH_THRESHOLD // of a histogram
        || is_of_peak (own))
      continue;
    any = true;
    for (int i = 0; i < parameter->count; i++)
      own->values[parameter->offset + i] = ODL_VALUE_AUTO;
  }
  return any;
}

void
odl_recipe_forget_measured (OdlRecipe *recipe, int item)
{
  OdlRecipeItem *own = &recipe->items[item];

  for (size_t p = 0; p < own->filter->n_parameters; p++) {
    const OdlParameter *parameter = &own->filter->parameters[p];
    const bool known
        = parameter->measurable && !odl_recipe_item_has_default (own, parameter);
    for (int i = 0; (parameter->measured || known) && i < parameter->count; i++)
      own->values[parameter->offset + i]
          = parameter->over_frames ? ODL_VALUE_CINE : ODL_VALUE_AUTO;
  }
  own->measured_after = 0;
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
      if (!parameter->measured || !odl_parameter_may_wait (parameter) || is_of_peak (is))
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
