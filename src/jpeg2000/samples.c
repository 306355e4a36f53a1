// SPDX-License-Identifier: MIT
#include "jpeg2000/samples.h"

#include <math.h>

#include "base/parallel.h"

// Rows that are transposed at a time: a cache line of each column.
#define STRIP 16

// ---- what the samples are

static bool
are_whole (const OdlImageInfo *info)
{
  return info->type != ODL_SAMPLE_F32 && !info->ycbcr.used
         && info->stored_min == floor (info->stored_min)
         && info->stored_max == floor (info->stored_max);
}

// Samples can lie beyond what was declared: extends the range to them.
static void
extend_range (const OdlImage *source, double *lowest, double *highest)
{
  const OdlImageInfo *info = odl_image_info (source);
  const double range = info->stored_max - info->stored_min;
  g_autofree float *row = g_new (float, info->extent.x);
  float low = 0, high = 1;

  for (int y = 0; y < info->extent.y; y++)
    for (int c = 0; c < info->channels; c++) {
      odl_image_scaled_row (source, c, y, 0, 0, row);
      for (int x = 0; x < info->extent.x; x++) {
        low = MIN (low, row[x]);
        high = MAX (high, row[x]);
      }
    }
  *lowest = info->stored_min + floor ((double) low * range + 0.5);
  *highest = info->stored_min + floor ((double) high * range + 0.5);
}

static bool
holds (const OdlJpeg2000Samples *samples, double lowest, double highest)
{
  if (samples->is_signed)
    return -ldexp (1, samples->bits - 1) <= lowest
           && highest < ldexp (1, samples->bits - 1);
  return lowest >= 0 && highest < ldexp (1, samples->bits);
}

OdlJpeg2000Samples
odl_jpeg2000_samples_of (const OdlImage *source)
{
  const OdlImageInfo *info = odl_image_info (source);
  OdlJpeg2000Samples samples = { .bits = info->type == ODL_SAMPLE_U8 ? 8 : 16 };
  double lowest = info->stored_min, highest = info->stored_max;

  if (!are_whole (info)) {
    samples.range = ldexp (1, samples.bits) - 1;
    return samples;
  }
  if (highest - lowest < (info->type == ODL_SAMPLE_U8 ? G_MAXUINT8 : G_MAXUINT16))
    extend_range (source, &lowest, &highest);
  samples.is_signed = lowest < 0;
  samples.minimum = info->stored_min;
  samples.range = info->stored_max - info->stored_min;
  samples.bits = 1;
  while (samples.bits < ODL_JPEG2000_MOST_BITS && !holds (&samples, lowest, highest))
    samples.bits++;
  return samples;
}

// ---- the components

// Scaled or stored samples -> whole numbers; unsigned ones are shifted to lie about zero.
static void
make_whole (const OdlJpeg2000Samples *samples, bool stored, float *row, int n)
{
  const float most = (float) ldexp (1, samples->bits) - 1;
  const float lowest = (float) -ldexp (1, samples->bits - 1);
  const float minimum = (float) ((stored ? 0 : samples->minimum)
                                 - (samples->is_signed ? (double) lowest : 0));
  const float range = stored ? 1 : (float) samples->range;

  for (int x = 0; x < n; x++) {
    const float value = minimum + row[x] * range + 0.5f;
    const float limited = MIN (value > 0 ? value : 0, most);
    row[x] = (float) (gint32) limited + lowest;
  }
}

// G.2: all values are whole, and so is what becomes of them.
static void
transform_reversibly (float *restrict r, float *restrict g, float *restrict b, int n)
{
  for (int x = 0; x < n; x++) {
    const gint32 red = (gint32) r[x], green = (gint32) g[x], blue = (gint32) b[x];
    r[x] = (float) ((red + 2 * green + blue) >> 2);
    g[x] = (float) (blue - green);
    b[x] = (float) (red - green);
  }
}

// G.3
static void
transform_irreversibly (float *restrict r, float *restrict g, float *restrict b, int n)
{
  for (int x = 0; x < n; x++) {
    const float red = r[x], green = g[x], blue = b[x];
    r[x] = 0.299f * red + 0.587f * green + 0.114f * blue;
    g[x] = -0.168736f * red - 0.331264f * green + 0.5f * blue;
    b[x] = 0.5f * red - 0.418688f * green - 0.081312f * blue;
  }
}

// Whether samples are stored as they go into the file.
static bool
are_stored_so (const OdlImageInfo *info, const OdlJpeg2000Samples *samples)
{
  return are_whole (info) && info->stored_min == samples->minimum
         && info->stored_max - info->stored_min == samples->range;
}

#define TAKE(type) \
  for (int x = 0; x < region->width; x++) \
  row[x] = (float) *(const type *) (const void *) (first + x * plane->sample_stride_bytes)

static void
take_stored (const OdlImageInfo *info,
             const OdlJ2kRegion *region,
             int channel,
             int y,
             float *row)
{
  const OdlPlane *plane = &info->planes[channel];
  const char *first = (const char *) plane->data + y * plane->row_stride_bytes
                      + region->x * plane->sample_stride_bytes;

  if (info->type == ODL_SAMPLE_U8)
    TAKE (guint8);
  else if (info->type == ODL_SAMPLE_U16)
    TAKE (guint16);
  else
    TAKE (gint16);
}
#undef TAKE

// One row of the region, channel after channel: whole numbers about zero.
static void
read_row (const OdlImage *picture,
          const OdlJpeg2000Samples *samples,
          const OdlJ2kRegion *region,
          int y,
          float *const rows[])
{
  const OdlImageInfo *info = odl_image_info (picture);
  const bool stored = are_stored_so (info, samples);

  if (info->ycbcr.used)
    odl_image_rgb_span (picture, region->x, region->width, y, rows);
  for (int c = 0; c < info->channels; c++) {
    if (stored)
      take_stored (info, region, c, y, rows[c]);
    else if (!info->ycbcr.used)
      odl_image_scaled_span (picture, c, region->x, region->width, y, 0, 0, rows[c]);
    make_whole (samples, stored, rows[c], region->width);
  }
}

typedef struct {
  const OdlImage *picture;
  const OdlJpeg2000Samples *samples;
  bool reversible;
  const OdlJ2kComponents *components;
} Job;

static void
fill_strip (const Job *job, int top)
{
  const OdlJ2kComponents *components = job->components;
  const int n = odl_image_info (job->picture)->channels;
  const int width = components->region.width;
  const int rows = MIN (components->region.height - top, STRIP);
  g_autofree float *strip = g_new (float, (gsize) n *STRIP *width);
#define LINE(c, r) (strip + ((gsize) (c) *STRIP + (r)) * width)

  for (int r = 0; r < rows; r++) {
    float *lines[ODL_IMAGE_MAX_CHANNELS];
    for (int c = 0; c < n; c++)
      lines[c] = LINE (c, r);
    read_row (job->picture, job->samples, &components->region,
              components->region.y + top + r, lines);
    if (n >= 3 && job->reversible)
      transform_reversibly (lines[0], lines[1], lines[2], width);
    else if (n >= 3)
      transform_irreversibly (lines[0], lines[1], lines[2], width);
  }
  for (int c = 0; c < n; c++)
    for (int x = 0; x < width; x++) {
      float *column = components->columns[c] + x * components->pitch + top;
      for (int r = 0; r < rows; r++)
        column[r] = LINE (c, r)[x];
    }
#undef LINE
}

void
odl_j2k_components_fill (const OdlImage *picture,
                         const OdlJpeg2000Samples *samples,
                         bool reversible,
                         const OdlJ2kComponents *components)
{
  const Job job = { picture, samples, reversible, components };
  const int strips = (components->region.height + STRIP - 1) / STRIP;

  ODL_PARALLEL_FOR
  for (int strip = 0; strip < strips; strip++)
    fill_strip (&job, strip * STRIP);
}
