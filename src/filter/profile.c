// SPDX-License-Identifier: MIT
#include "filter/profile.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "filter/noise.h"
#include "wavelet/dual_tree.h"

// A quarter of magnitudes is below, in units of σ, of complex numbers whose two parts
// have that, √(2 ln (4 / 3)).
#define QUARTILE_OF_RAYLEIGH 0.7585276164160953
#define FEWEST_DETAILS 64
#define BORDER 4 // coefficients that a filter of 16 taps reaches beyond

// A picture of samples, or a band.
typedef struct {
  double *samples;
  int width, height;
} Plane;

// What a level of a transform is made by; the wavelet NULL: the dual tree.
typedef struct {
  OdlTransform line;
  int level;
} Split;

// Whether the samples of the mask (plan/numbers.h) depend on no surroundings.
typedef struct {
  uint8_t *inside;
  int width, height;
} Mask;

static Plane
plane_new (int width, int height)
{
  return (Plane){ g_new (double, (size_t) width *height + 1), width, height };
}

static int
length_of (const Split *split, int n, int band)
{
  if (split->line.wavelet == NULL) // of a line of level − 1, as of one of level 0
    return split->level == 1 ? odl_dual_size (n, 1)
                             : (n + 2 * odl_dual_before (n, split->level)) / 2;
  return band == 0 ? odl_low_count (n) : odl_high_count (n);
}

#define TILE 16 // samples that are transposed, or summed, together

static Plane
transposed (const Plane *from)
{
  Plane to = plane_new (from->height, from->width);

  ODL_PARALLEL_FOR
  for (int top = 0; top < to.height; top += TILE)
    for (int left = 0; left < to.width; left += TILE)
      for (int y = top; y < MIN (top + TILE, to.height); y++)
        for (int x = left; x < MIN (left + TILE, to.width); x++)
          to.samples[(size_t) y * to.width + x]
              = from->samples[(size_t) x * from->width + y];
  return to;
}

// to[x] = Σ taps.value[k] · rows[k][x], in this order.
ODL_ROW_LOOP static void
weigh_rows (const OdlTaps *taps, const double *const rows[], int width, double *to)
{
  int x = 0;

  for (; x + TILE <= width; x += TILE) {
    double sums[TILE] = { 0 };
    for (int k = 0; k < taps->count; k++)
      for (int i = 0; i < TILE; i++)
        sums[i] += taps->value[k] * rows[k][x + i];
    memcpy (to + x, sums, sizeof sums);
  }
  for (; x < width; x++) {
    to[x] = 0;
    for (int k = 0; k < taps->count; k++)
      to[x] += taps->value[k] * rows[k][x];
  }
}

// As the reference engine has it (engine/reference/dual_tree.c), whole rows at a time.
static void
dual_columns (int level, int band, const Plane *from, Plane *to)
{
  const OdlDualFilter *filter = odl_dual_filter (level, band, false);
  const int n = from->height, before = odl_dual_before (n, level);
  const size_t width = (size_t) from->width;

  ODL_PARALLEL_FOR
  for (int o = 0; o < to->height; o++) {
    const OdlTaps *taps = &filter->taps[o % filter->phases];
    const int first = filter->step * (o / filter->phases) - before + taps->first;
    const double *rows[ODL_WAVELET_MAX_TAPS];
    for (int k = 0; k < taps->count; k++)
      rows[k] = from->samples
                + width * (size_t) odl_dual_index (n, level, first + k * filter->spacing);
    weigh_rows (taps, rows, from->width, to->samples + width * (size_t) o);
  }
}

static void
split_columns (const Split *split, const Plane *from, Plane to[2])
{
  for (int band = 0; band < 2; band++) {
    to[band] = plane_new (from->width, length_of (split, from->height, band));
    if (split->line.wavelet == NULL)
      dual_columns (split->level, band, from, &to[band]);
  }
  if (split->line.wavelet == NULL)
    return;
  ODL_PARALLEL_FOR
  for (int x = 0; x < from->width; x++)
    odl_transform_forward_1d (&split->line, from->samples + x, (size_t) from->width,
                              from->height, to[0].samples + x, to[1].samples + x,
                              (size_t) from->width);
}

static void
split_rows (const Split *split, const Plane *from, Plane to[2])
{
  Plane columns = transposed (from), halves[2];

  split_columns (split, &columns, halves);
  for (int band = 0; band < 2; band++) {
    to[band] = transposed (&halves[band]);
    g_free (halves[band].samples);
  }
  g_free (columns.samples);
}

// bands[1 + b] is detail band b, bands[0] LL.
static void
split_picture (const Split *split, const Plane *from, Plane bands[1 + ODL_DETAIL_BANDS])
{
  Plane halves[2], below[2][2];

  split_rows (split, from, halves);
  for (int right = 0; right < 2; right++) {
    split_columns (split, &halves[right], below[right]);
    g_free (halves[right].samples);
  }
  bands[0] = below[0][0];
  bands[1 + ODL_BAND_HL] = below[1][0];
  bands[1 + ODL_BAND_LH] = below[0][1];
  bands[1 + ODL_BAND_HH] = below[1][1];
}

// ---- what is measured ----------------------------------------------------------------

// Of the next level.
static Mask
mask_above (const Mask *finer)
{
  Mask mask = { NULL, odl_low_count (finer->width), odl_low_count (finer->height) };

  mask.inside = g_new (uint8_t, (size_t) mask.width * mask.height);
  ODL_PARALLEL_FOR
  for (int y = 0; y < mask.height; y++)
    for (int x = 0; x < mask.width; x++) {
      bool inside = true;
      for (int fy = MAX (2 * y - 2, 0); fy <= MIN (2 * y + 4, finer->height - 1); fy++)
        for (int fx = MAX (2 * x - 2, 0); fx <= MIN (2 * x + 4, finer->width - 1); fx++)
          inside = inside && finer->inside[(size_t) fy * finer->width + fx];
      mask.inside[(size_t) y * mask.width + x] = inside;
    }
  return mask;
}

// What is put beyond the border of a part is not its noise.
static void
leave_out_border (const Mask *mask)
{
  for (int y = 0; y < mask->height; y++)
    for (int x = 0; x < mask->width; x++)
      if (MIN (x, y) < BORDER || MIN (mask->width - x, mask->height - y) <= BORDER)
        mask->inside[(size_t) y * mask->width + x] = 0;
}

static bool
is_inside (const Mask *mask, int x, int y)
{
  return mask->inside[(size_t) MIN (y, mask->height - 1) * mask->width
                      + MIN (x, mask->width - 1)];
}

// Squares of the magnitudes: of the two complex coefficients of each 2 × 2 block, where
// the band is one of the dual tree.
static void
collect (const Plane *band, const Mask *mask, bool dual, GArray *squares)
{
  const int step = dual ? 2 : 1;
  guint n = squares->len;

  g_array_set_size (squares, n + (guint) band->width * (guint) band->height);
  double *to = (double *) (void *) squares->data;
  for (int y = 0; y + step <= band->height; y += step)
    for (int x = 0; x + step <= band->width; x += step) {
      const double *s = band->samples + (size_t) y * band->width + x;
      if (!is_inside (mask, x / step, y / step))
        continue;
      if (!dual) {
        to[n++] = s[0] * s[0];
        continue;
      }
      const double a = s[0], b = s[1], c = s[band->width], d = s[band->width + 1];
      to[n++] = 0.5 * ((a - d) * (a - d) + (b + c) * (b + c));
      to[n++] = 0.5 * ((a + d) * (a + d) + (b - c) * (b - c));
    }
  g_array_set_size (squares, n);
}

double
odl_select_value (double *values, guint n, guint rank)
{
  gint64 left = 0, right = (gint64) n - 1;

  while (left < right) {
    const double pivot = values[left + (right - left) / 2];
    gint64 i = left, j = right;
    while (i <= j) {
      while (values[i] < pivot)
        i++;
      while (pivot < values[j])
        j--;
      if (i > j)
        break;
      const double kept = values[i];
      values[i++] = values[j];
      values[j--] = kept;
    }
    if ((gint64) rank <= j)
      right = j;
    else if ((gint64) rank >= i)
      left = i;
    else
      break;
  }
  return values[rank];
}

static double
deviation_of (GArray *squares, bool dual, bool homogeneous)
{
  double sum = 0;

  if (!homogeneous) {
    return sqrt (odl_select_value ((double *) (void *) squares->data, squares->len,
                                   squares->len / 4))
           / (dual ? QUARTILE_OF_RAYLEIGH : ODL_QUARTILE_OF_NORMAL);
  }
  for (guint i = 0; i < squares->len; i++)
    sum += g_array_index (squares, double, i);
  return sqrt (sum / squares->len / (dual ? 2 : 1));
}

// ---- pictures ------------------------------------------------------------------------

static bool
is_of_part (const OdlNoisePart *part, int x, int y)
{
  return part->inside == NULL || part->inside[(size_t) y * part->width + x] != 0;
}

// value = mean + slopes[0] (x − middle[0]) + slopes[1] (y − middle[1]), by the normal
// equations.
size_t
odl_subtract_plane (double *samples, const OdlNoisePart *part)
{
  double n = 0, mean = 0, middle[2] = { 0 }, slopes[2] = { 0 };
  double xx = 0, xy = 0, yy = 0, xv = 0, yv = 0;

  for (int y = 0; y < part->height; y++)
    for (int x = 0; x < part->width; x++)
      if (is_of_part (part, x, y)) {
        n++;
        mean += samples[(size_t) y * part->width + x];
        middle[0] += x;
        middle[1] += y;
      }
  if (n == 0)
    return 0;
  mean /= n;
  middle[0] /= n;
  middle[1] /= n;
  for (int y = 0; y < part->height; y++)
    for (int x = 0; x < part->width; x++)
      if (is_of_part (part, x, y)) {
        const double value = samples[(size_t) y * part->width + x] - mean;
        const double dx = x - middle[0], dy = y - middle[1];
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        xv += dx * value;
        yv += dy * value;
      }
  const double determinant = xx * yy - xy * xy;
  if (determinant > 1e-9 * xx * yy) {
    slopes[0] = (yy * xv - xy * yv) / determinant;
    slopes[1] = (xx * yv - xy * xv) / determinant;
  }
  for (int y = 0; y < part->height; y++)
    for (int x = 0; x < part->width; x++)
      samples[(size_t) y * part->width + x]
          -= mean + slopes[0] * (x - middle[0]) + slopes[1] * (y - middle[1]);
  return (size_t) n;
}

typedef struct {
  const OdlImage *image;
  const OdlImage *came; // the picture that has the surroundings; may be the same
  int channel;
  int area[4];
  const OdlWavelet *wavelet;
  int levels;
  const OdlNoisePart *part; // with that area; NULL: all is measured
} Source;

// Adds the squares of one channel to those of the others.
static void
measure_channel (const Source *source, GArray *squares[])
{
  const int width = source->area[2], height = source->area[3];
  Plane now = plane_new (width, height);
  Mask mask = { g_new (uint8_t, (size_t) width * height), width, height };
  Split split = { .line = { .wavelet = source->wavelet } };

  odl_noise_plane (source->image, source->channel, source->area, now.samples, NULL);
  odl_noise_plane (source->came, source->channel, source->area, NULL, mask.inside);
  if (source->part != NULL) {
    odl_subtract_plane (now.samples, source->part);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        mask.inside[(size_t) y * width + x] = is_of_part (source->part, x, y);
  }
  if (source->wavelet != NULL) {
    split.line.border = source->wavelet->border;
    split.line.quantum = source->wavelet->reversible ? ldexp (1, -16) : 0;
  }
  for (int l = 0; l < source->levels; l++) {
    Plane bands[1 + ODL_DETAIL_BANDS];
    Mask next = mask_above (&mask);
    g_free (mask.inside);
    mask = next;
    if (source->part != NULL)
      leave_out_border (&mask);
    split.level = l + 1;
    split_picture (&split, &now, bands);
    g_free (now.samples);
    now = bands[0];
    ODL_PARALLEL_FOR
    for (int b = 0; b < ODL_DETAIL_BANDS; b++) {
      collect (&bands[1 + b], &mask, source->wavelet == NULL,
               squares[ODL_DETAIL_BANDS * l + b]);
      g_free (bands[1 + b].samples);
    }
  }
  g_free (now.samples);
  g_free (mask.inside);
}

OdlNoisePart
odl_noise_middle (const OdlNoisePart *part)
{
  const int width = MIN (part->width, ODL_PROFILE_SIDE);
  const int height = MIN (part->height, ODL_PROFILE_SIDE);
  const int right = (part->width - width) / 2, down = (part->height - height) / 2;
  uint8_t *inside = g_new (uint8_t, (size_t) width * height);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      inside[(size_t) y * width + x] = is_of_part (part, x + right, y + down);
  return (OdlNoisePart){ part->left + right, part->top + down, width, height, inside };
}

int
odl_noise_of_bands (const OdlImage *image,
                    const OdlImage *came,
                    OdlColourMode colour,
                    const OdlWavelet *wavelet,
                    int levels,
                    const OdlNoisePart *part,
                    double deviations[ODL_MAX_LEVELS * ODL_DETAIL_BANDS])
{
  g_return_val_if_fail (image != NULL && levels <= ODL_MAX_LEVELS, 0);

  const OdlImageInfo *info = odl_image_info (image);
  const bool luma = info->channels >= 3 && colour == ODL_COLOUR_LUMA;
  const OdlNoisePart whole = { 0, 0, info->extent.x, info->extent.y, NULL };
  const OdlNoisePart middle = odl_noise_middle (part != NULL ? part : &whole);
  GArray *squares[ODL_MAX_LEVELS * ODL_DETAIL_BANDS];
  Source source = {
    .image = image,
    .came = came,
    .area = { middle.left, middle.top, middle.width, middle.height },
    .wavelet = wavelet,
    .levels = MIN (levels, odl_max_levels (middle.width, middle.height)),
    .part = part != NULL ? &middle : NULL,
  };
  int good = 0;

  for (int i = 0; i < ODL_DETAIL_BANDS * source.levels; i++)
    squares[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (int c = luma ? -1 : 0; c < (luma ? 0 : info->channels < 3 ? 1 : 3); c++) {
    source.channel = c; // not alpha
    measure_channel (&source, squares);
  }
  while (good < ODL_DETAIL_BANDS * source.levels && squares[good]->len >= FEWEST_DETAILS)
    good++;
  ODL_PARALLEL_FOR
  for (int i = 0; i < ODL_DETAIL_BANDS * source.levels; i++) {
    if (i < good)
      deviations[i] = deviation_of (squares[i], wavelet == NULL, part != NULL);
    g_array_unref (squares[i]);
  }
  g_free ((uint8_t *) middle.inside);
  return good / ODL_DETAIL_BANDS;
}
