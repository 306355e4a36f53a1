// SPDX-License-Identifier: MIT
#include "config.h"

#include "jpeg2000/samples.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
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

typedef struct {
  const OdlImage *picture;
  const OdlJpeg2000Samples *samples;
  bool reversible;
  int n, width, height;
  gsize pitch;
  float *columns[ODL_IMAGE_MAX_CHANNELS];
} Job;

// Scaled samples -> whole numbers; unsigned ones are shifted to lie about zero.
static void
make_whole (const OdlJpeg2000Samples *samples, float *row, int n)
{
  const float most = (float) ldexp (1, samples->bits) - 1;
  const float lowest = (float) -ldexp (1, samples->bits - 1);
  const float minimum
      = (float) (samples->minimum - (samples->is_signed ? (double) lowest : 0));
  const float range = (float) samples->range;

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

static void
make_strip (const Job *job, int top)
{
  const int width = job->width;
  const int rows = MIN (job->height - top, STRIP);
  float *strip = g_new (float, (gsize) job->n *STRIP *width);
#define LINE(c, r) (strip + ((gsize) (c) *STRIP + (r)) * width)

  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < job->n; c++) {
      odl_image_scaled_row (job->picture, c, top + r, 0, 0, LINE (c, r));
      make_whole (job->samples, LINE (c, r), width);
    }
    if (job->n >= 3 && job->reversible)
      transform_reversibly (LINE (0, r), LINE (1, r), LINE (2, r), width);
    else if (job->n >= 3)
      transform_irreversibly (LINE (0, r), LINE (1, r), LINE (2, r), width);
  }
  for (int c = 0; c < job->n; c++)
    for (int x = 0; x < width; x++) {
      float *column = job->columns[c] + x * job->pitch + top;
      for (int r = 0; r < rows; r++)
        column[r] = LINE (c, r)[x];
    }
#undef LINE
  g_free (strip);
}

static bool
add_component (Job *job, OdlJ2kComponents *components, GError **error)
{
  const gsize factors[] = { job->pitch, (gsize) job->width, sizeof (float) };
  OdlImageInfo info = {
    .extent = { job->height, job->width, 1, 1 },
    .channels = 1,
    .type = ODL_SAMPLE_F32,
  };
  size_t size = 0;
  float *columns = NULL;

  if (odl_size_product (factors, G_N_ELEMENTS (factors), &size))
    columns = odl_aligned_alloc_unset (size, true);
  if (columns == NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("There is not enough memory to write the JPEG 2000 file."));
    return false;
  }
  info.planes[0] = (OdlPlane){ .data = columns,
                               .sample_stride_bytes = sizeof (float),
                               .row_stride_bytes = job->pitch * sizeof (float) };
  OdlImage *image = odl_image_wrap (&info, odl_aligned_free, columns, error);
  if (image == NULL) {
    odl_aligned_free (columns);
    return false;
  }
  job->columns[components->n] = columns;
  components->components[components->n++] = image;
  return true;
}

bool
odl_j2k_components_make (const OdlImage *picture,
                         const OdlJpeg2000Samples *samples,
                         bool reversible,
                         OdlJ2kComponents *components,
                         GError **error)
{
  const OdlImageInfo *info = odl_image_info (picture);
  Job job = {
    .picture = picture,
    .samples = samples,
    .reversible = reversible,
    .n = info->channels,
    .width = info->extent.x,
    .height = info->extent.y,
    // Columns that start a power of two apart would fall into the same cache sets.
    .pitch = ((gsize) info->extent.y + STRIP - 1) / STRIP * STRIP + STRIP,
  };

  *components = (OdlJ2kComponents){ 0 };
  for (int c = 0; c < job.n; c++)
    if (!add_component (&job, components, error)) {
      odl_j2k_components_clear (components);
      return false;
    }
  ODL_PARALLEL_FOR
  for (int strip = 0; strip < (job.height + STRIP - 1) / STRIP; strip++)
    make_strip (&job, strip * STRIP);
  return true;
}

void
odl_j2k_components_clear (OdlJ2kComponents *components)
{
  for (int c = 0; c < components->n; c++)
    g_clear_pointer (&components->components[c], odl_image_unref);
  components->n = 0;
}
