// SPDX-License-Identifier: MIT
#include "filter/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"
#include "image/numbers.h"
#include "wavelet/border.h"

// Median of |x| in units of σ for a normal distribution.
#define MEDIAN_OF_NORMAL 0.6745

#define FEWEST_DETAILS 64
#define MOST_DETAILS (1 << 17)

// Distance from a detail's centre to the end of its filter, which is also the largest
// distance of the centre of a 3 × 3 run that touches the filter.
#define REACH 3
#define RUN_REACH (REACH + 1)
#define LINES (2 * (RUN_REACH + 1) + 1)

// Tolerance in compressed 8-bit samples: black is 0 or 1, or slightly above.
#define LOOSE (1.5 / 255)

#define MOST_VALUES 5

#define FLOAT_ROUNDING 1e-6

// A plane to measure: the luma (channel −1) or a channel.
typedef struct {
  const OdlImage *image;
  const OdlImage *came; // the picture that has the surroundings; may be the same
  int channel;
  int width, height;
  const OdlTaps *high;
  float values[MOST_VALUES]; // of the surroundings
  int n_values;
  float tolerance;
  OdlPadding padding; // as fractions of full scale
} Plane;

// Of samples around a detail.
enum { INSIDE, SURROUNDING, PADDING };

static void
read_luma (const Plane *plane, const OdlImage *image, int y, float *row)
{
  g_autofree float *others = g_new (float, 2 * (size_t) plane->width);
  float *green = others, *blue = others + plane->width;

  odl_image_scaled_row (image, 0, y, 0, 0, row);
  odl_image_scaled_row (image, 1, y, 0, 0, green);
  odl_image_scaled_row (image, 2, y, 0, 0, blue);
  for (int x = 0; x < plane->width; x++)
    row[x] = 0.299F * row[x] + 0.587F * green[x] + 0.114F * blue[x];
}

// Of one of the two pictures of a plane.
static void
read_row (const Plane *plane, const OdlImage *image, int y, float *row)
{
  const OdlImageInfo *info = odl_image_info (image);

  if (info->ycbcr.used && plane->channel < 0) {
    odl_image_luma_row (image, y, row);
  } else if (info->ycbcr.used) {
    g_autofree float *lines = g_new (float, 3 * (size_t) plane->width);
    float *rgb[3] = { lines, lines + plane->width, lines + 2 * (size_t) plane->width };
    odl_image_rgb_row (image, y, rgb);
    memcpy (row, rgb[plane->channel], (size_t) plane->width * sizeof *row);
  } else if (plane->channel < 0) {
    read_luma (plane, image, y, row);
  } else {
    odl_image_scaled_row (image, plane->channel, y, 0, 0, row);
  }
}

// With half a step on either side, for rounding.
static OdlPadding
scaled_padding (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const double range = info->stored_max - info->stored_min;
  const double step = info->type != ODL_SAMPLE_F32 ? 0.5 : 0;
  OdlPadding padding = odl_image_numbers (image).padding;

  padding.first = (padding.first - step - info->stored_min) / range;
  padding.last = (padding.last + step - info->stored_min) / range;
  if (info->type == ODL_SAMPLE_F32) {
    padding.first -= FLOAT_ROUNDING * fabs (padding.first);
    padding.last += FLOAT_ROUNDING * fabs (padding.last);
  }
  padding.used = padding.used && info->channels == 1;
  return padding;
}

static Plane
plane_of (const OdlImage *image, const OdlImage *came, int channel)
{
  const OdlImageInfo *info = odl_image_info (came);

  return (Plane){
    .image = image,
    .came = came,
    .channel = channel,
    .width = info->extent.x,
    .height = info->extent.y,
    .high = &odl_wavelet_find ("cdf97")->analysis_high,
    .tolerance = info->type == ODL_SAMPLE_U8 ? (float) LOOSE : 0,
    .padding = scaled_padding (came),
  };
}

// ---- Surroundings ----

// Records the value that covers at least half of `side`, if any. Sorts `side`.
static void
find_side_value (Plane *plane, float *side, int n)
{
  int from = 0;

  qsort (side, (size_t) n, sizeof *side, odl_order_floats);
  for (int i = 1; i <= n; i++) {
    if (i < n && side[i] == side[from])
      continue;
    if (2 * (i - from) >= n) {
      plane->values[plane->n_values++] = side[from];
      return;
    }
    from = i;
  }
}

// Rows sampled along the left and right sides.
#define MOST_SIDE_ROWS 256

static void
find_surroundings (Plane *plane)
{
  const int rows = MIN (plane->height, MOST_SIDE_ROWS);
  g_autofree float *row = g_new (float, (size_t) plane->width);
  g_autofree float *sides = g_new (float, 2 * (size_t) rows);

  plane->values[plane->n_values++] = 0;
  for (int i = 0; i < rows; i++) {
    read_row (plane, plane->came, (int) ((gint64) i * plane->height / rows), row);
    sides[i] = row[0];
    sides[rows + i] = row[plane->width - 1];
  }
  find_side_value (plane, sides, rows);
  find_side_value (plane, sides + rows, rows);
  read_row (plane, plane->came, 0, row);
  find_side_value (plane, row, plane->width);
  read_row (plane, plane->came, plane->height - 1, row);
  find_side_value (plane, row, plane->width);
}

static uint8_t
place_of (const Plane *plane, float value)
{
  if (odl_padding_holds (&plane->padding, (double) value))
    return PADDING;
  for (int i = 0; i < plane->n_values; i++)
    if (fabsf (value - plane->values[i]) <= plane->tolerance)
      return SURROUNDING;
  return INSIDE;
}

// One sample more than the area on either side, where the picture has it.
static void
mark_inside (const Plane *plane, const int area[4], uint8_t *inside)
{
  const int width = area[2], height = area[3], stride = width + 4;
  g_autofree float *row = g_new (float, (size_t) plane->width);
  g_autofree uint8_t *outside = g_new0 (uint8_t, (size_t) stride * (height + 4));

  for (int y = -2; y < height + 2; y++) {
    if (area[1] + y < 0 || area[1] + y >= plane->height)
      continue;
    read_row (plane, plane->came, area[1] + y, row);
    for (int x = -2; x < width + 2; x++)
      if (area[0] + x >= 0 && area[0] + x < plane->width)
        outside[(y + 2) * stride + x + 2] = place_of (plane, row[area[0] + x]);
  }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      inside[y * width + x] = outside[(y + 2) * stride + x + 2] != PADDING;
  for (int y = -1; y <= height; y++)
    for (int x = -1; x <= width; x++) {
      int n = 0;
      for (int k = 0; k < 9; k++)
        n += outside[(y + 1 + k / 3) * stride + x + 1 + k % 3] != INSIDE;
      for (int k = 0; n == 9 && k < 9; k++) {
        const int at_x = x - 1 + k % 3, at_y = y - 1 + k / 3;
        if (at_x >= 0 && at_y >= 0 && at_x < width && at_y < height)
          inside[at_y * width + at_x] = 0;
      }
    }
}

void
odl_noise_plane (const OdlImage *image,
                 int channel,
                 const int area[4],
                 double *samples,
                 uint8_t *inside)
{
  Plane plane = plane_of (image, image, channel);
  g_autofree float *row = g_new (float, (size_t) plane.width);

  for (int y = 0; samples && y < area[3]; y++) {
    read_row (&plane, image, area[1] + y, row);
    for (int x = 0; x < area[2]; x++)
      *samples++ = (double) row[area[0] + x];
  }
  if (inside == NULL)
    return;
  find_surroundings (&plane);
  mark_inside (&plane, area, inside);
}

// ---- Details ----

// Inputs for one row of details: the lines around it, and masks of surroundings.
typedef struct {
  float *lines;
  uint8_t *outside;
  uint8_t *runs; // columns that are centres of runs
  float *high; // vertically high-passed lines
} Workspace;

static void
workspace_init (Workspace *space, int width)
{
  space->lines = g_new (float, LINES *(size_t) width);
  space->outside = g_new (uint8_t, LINES * (size_t) width);
  space->runs = g_new (uint8_t, (size_t) width);
  space->high = g_new (float, (size_t) width);
}

static void
workspace_clear (Workspace *space)
{
  g_free (space->lines);
  g_free (space->outside);
  g_free (space->runs);
  g_free (space->high);
}

static void
read_lines (const Plane *plane, int centre, Workspace *space)
{
  const int width = plane->width;

  for (int k = 0; k < LINES; k++) {
    const int y = centre - LINES / 2 + k;
    float *line = space->lines + (size_t) k * width;
    uint8_t *outside = space->outside + (size_t) k * width;

    read_row (plane, plane->came, odl_border_fold (y, plane->height), line);
    for (int x = 0; x < width; x++)
      outside[x] = y >= 0 && y < plane->height ? place_of (plane, line[x]) : INSIDE;
    if (plane->image != plane->came)
      read_row (plane, plane->image, odl_border_fold (y, plane->height), line);
  }
}

// Of surroundings nine together, of padding each.
static void
find_runs (const Plane *plane, Workspace *space)
{
  const size_t width = (size_t) plane->width;

  memset (space->runs, 0, width);
  for (size_t i = width; i < (LINES - 1) * width; i++)
    space->runs[i % width] |= space->outside[i] == PADDING;
  for (int k = 1; k < LINES - 1; k++) {
    const uint8_t *above = space->outside + (size_t) (k - 1) * width;
    const uint8_t *at = above + width, *below = at + width;
    for (size_t x = 1; x + 1 < width; x++)
      space->runs[x] |= above[x - 1] && above[x] && above[x + 1] && at[x - 1] && at[x]
                        && at[x + 1] && below[x - 1] && below[x] && below[x + 1];
  }
}

static bool
is_clear (const Plane *plane, const Workspace *space, int x)
{
  for (int k = MAX (x - RUN_REACH, 0); k <= MIN (x + RUN_REACH, plane->width - 1); k++)
    if (space->runs[k])
      return false;
  return true;
}

// Details of the sample row `centre`, which must be odd; returns their number.
static int
measure_row (const Plane *plane, int centre, Workspace *space, float *details)
{
  const OdlTaps *high = plane->high;
  int n = 0;

  read_lines (plane, centre, space);
  find_runs (plane, space);
  for (int x = 0; x < plane->width; x++) {
    double sum = 0;
    for (int i = 0; i < high->count; i++)
      sum += high->value[i]
             * space->lines[(size_t) (LINES / 2 + high->first + i) * plane->width + x];
    space->high[x] = (float) sum;
  }
  for (int x = 1; x < plane->width; x += 2) {
    double sum = 0;
    if (!is_clear (plane, space, x))
      continue;
    for (int i = 0; i < high->count; i++)
      sum += high->value[i]
             * space->high[odl_border_fold (x + high->first + i, plane->width)];
    details[n++] = (float) fabs (sum);
  }
  return n;
}

// Details of evenly spaced rows. Transfer full.
static float *
measure_rows (const Plane *plane, size_t *n_details)
{
  const int per_row = plane->width / 2, possible = plane->height / 2;
  const int rows = CLAMP (MOST_DETAILS / per_row, 1, possible);
  float *details = g_new (float, (size_t) rows *per_row);
  g_autofree int *counts = g_new0 (int, rows);

  ODL_PARALLEL_FOR
  for (int i = 0; i < rows; i++) {
    Workspace space;
    const int row = (int) (((gint64) 2 * i + 1) * possible / (2 * (gint64) rows));
    workspace_init (&space, plane->width);
    counts[i] = measure_row (plane, 2 * row + 1, &space, details + (size_t) i * per_row);
    workspace_clear (&space);
  }
  *n_details = 0;
  for (int i = 0; i < rows; i++) {
    memmove (details + *n_details, details + (size_t) i * per_row,
             (size_t) counts[i] * sizeof *details);
    *n_details += (size_t) counts[i];
  }
  return details;
}

static double
noise_of_plane (const OdlImage *image, const OdlImage *came, int channel)
{
  const OdlWavelet *wavelet = odl_wavelet_find ("cdf97");
  Plane plane = plane_of (image, came, channel);
  size_t n;

  find_surroundings (&plane);
  g_autofree float *details = measure_rows (&plane, &n);
  if (n < FEWEST_DETAILS)
    return 0;
  qsort (details, n, sizeof *details, odl_order_floats);
  const double sigma
      = details[n / 2] / (MEDIAN_OF_NORMAL * wavelet->l2_high * wavelet->l2_high);
  return sigma < ODL_NO_NOISE ? 0 : sigma;
}

double
odl_noise_of (const OdlImage *image, OdlColourMode colour)
{
  return odl_noise_after (image, image, colour);
}

double
odl_noise_after (const OdlImage *image, const OdlImage *came, OdlColourMode colour)
{
  g_return_val_if_fail (image != NULL && came != NULL, 0);

  const OdlImageInfo *info = odl_image_info (image);
  if (info->extent.x < 2 || info->extent.y < 2)
    return 0;
  if (info->channels < 3)
    return noise_of_plane (image, came, 0);
  if (colour == ODL_COLOUR_LUMA)
    return noise_of_plane (image, came, -1);
  const double red = noise_of_plane (image, came, 0),
               green = noise_of_plane (image, came, 1),
               blue = noise_of_plane (image, came, 2);
  return MAX (MIN (red, green), MIN (MAX (red, green), blue));
}
