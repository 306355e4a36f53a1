// SPDX-License-Identifier: MIT
#include "coder/coder.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "coder/private.h"
#include "coder/stream.h"
#include "wavelet/border.h"

#define STORED_ROWS 16 // that share their memory

const char *const odl_coder_schemes[ODL_CODER_N_SCHEMES]
    = { "row-column", "line-based", "block-based", "streamed" };
const char *const odl_coder_methods[ODL_CODER_N_METHODS]
    = { "filtering", "lifting", "on-the-fly" };

static const OdlWavelet *
wavelet_of (const OdlCoderParams *params)
{
  return params->wavelet != NULL ? params->wavelet : odl_wavelet_find ("cdf97");
}

static bool
masks_suit (const OdlCoderParams *params)
{
  if (params->method != ODL_CODER_FILTERING)
    return false;
  for (int l = 0; l < odl_coder_levels (params); l++) {
    const int width = odl_level_size (odl_coder_width (params), l);
    const int height = odl_level_size (odl_coder_height (params), l);
    if (odl_border_length (params->border, width) != width
        || odl_border_length (params->border, height) != height)
      return false;
  }
  return true;
}

static int
most_taps (const OdlWavelet *wavelet)
{
  const OdlTaps *taps[] = { &wavelet->analysis_low, &wavelet->analysis_high,
                            &wavelet->synthesis_even, &wavelet->synthesis_odd };
  int most = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (taps); i++)
    most = MAX (most, taps[i]->count);
  return most;
}

bool
odl_coder_suits (const OdlCoderParams *params)
{
  const OdlWavelet *wavelet = wavelet_of (params);

  if (params->border == ODL_BORDER_ZERO || (wavelet->borders & 1u << params->border) == 0
      || wavelet->reversible || most_taps (wavelet) > ODL_CODER_MOST_TAPS)
    return false;
  if (params->method != ODL_CODER_FILTERING && wavelet->lifting.count != ODL_CODER_STEPS)
    return false;
  switch (params->scheme) {
  case ODL_CODER_BLOCK:
    return masks_suit (params);
  case ODL_CODER_STREAM:
    return odl_coder_stream_suits (params);
  default:
    return true;
  }
}

// ---- one coder
// -------------------------------------------------------------------------

OdlCoder *
odl_coder_new (const OdlCoderParams *params)
{
  g_return_val_if_fail (odl_coder_suits (params), NULL);

  OdlCoder *coder = g_new0 (OdlCoder, 1);

  coder->params = *params;
  coder->params.wavelet = wavelet_of (params);
  coder->params.levels = odl_coder_levels (params);
  coder->width = odl_coder_width (params);
  coder->height = odl_coder_height (params);
  // 16 floats more, so that rows do not start a power of two apart.
  coder->pitch = ((size_t) coder->width + 15) / 16 * 16 + 16;
  for (int i = 0; i < 2; i++)
    coder->pass[i] = odl_coder_pass (&coder->params, i == 1);
  if (params->scheme == ODL_CODER_STREAM) {
    coder->stream = odl_coder_stream_new (coder);
    if (coder->stream != NULL)
      return coder;
    odl_coder_free (coder);
    return NULL;
  }
  for (int i = 0; i < (params->scheme == ODL_CODER_ROW_COLUMN ? 1 : 2); i++) {
    const size_t factors[] = { coder->pitch, (size_t) coder->height,
                               (size_t) params->channels, sizeof (float) };
    size_t size = 0;
    if (odl_size_product (factors, G_N_ELEMENTS (factors), &size))
      coder->planes[i] = odl_aligned_alloc_huge (size);
    if (coder->planes[i] == NULL) {
      odl_coder_free (coder);
      return NULL;
    }
  }
  return coder;
}

void
odl_coder_free (OdlCoder *coder)
{
  if (coder == NULL)
    return;
  odl_coder_stream_free (coder->stream);
  for (int i = 0; i < 2; i++)
    odl_aligned_free (coder->planes[i]);
  g_free (coder);
}

void
odl_coder_load (OdlCoder *coder, const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlCoderParams *params = &coder->params;

  g_return_if_fail (info->extent.x == params->width && info->extent.y == params->height
                    && info->channels >= params->channels);
  if (coder->stream != NULL) {
    odl_coder_stream_load (coder->stream, image);
    return;
  }
  coder->at = 0;
  ODL_PARALLEL_FOR
  for (int y = 0; y < coder->height; y++)
    for (int c = 0; c < params->channels; c++) {
      float *row = odl_coder_row_at (coder, 0, c, y);
      const int inside = y < params->height ? params->width : 0;
      if (inside > 0)
        odl_image_scaled_row (image, c, y, 0, 0, row);
      memset (row + inside, 0, (coder->width - inside) * sizeof (float));
    }
}

static void
run (OdlCoder *coder, bool forward)
{
  for (int c = 0; c < coder->params.channels; c++)
    switch (coder->params.scheme) {
    case ODL_CODER_ROW_COLUMN:
      odl_coder_row_column (coder, c, forward);
      break;
    case ODL_CODER_LINE:
      odl_coder_by_lines (coder, c, forward);
      break;
    default:
      odl_coder_by_blocks (coder, c, forward);
      break;
    }
  if (coder->params.scheme != ODL_CODER_ROW_COLUMN)
    coder->at = 1 - coder->at;
}

void
odl_coder_forward (OdlCoder *coder)
{
  if (coder->stream != NULL)
    odl_coder_stream_forward (coder->stream);
  else if (coder->params.levels > 0)
    run (coder, true);
}

static void
clamp_samples (OdlCoder *coder)
{
  ODL_PARALLEL_FOR
  for (int y = 0; y < coder->height; y++)
    for (int c = 0; c < coder->params.channels; c++) {
      float *row = odl_coder_row_at (coder, coder->at, c, y);
      for (int x = 0; x < coder->width; x++)
        row[x] = fminf (fmaxf (row[x], 0), 1);
    }
}

void
odl_coder_inverse (OdlCoder *coder)
{
  if (coder->stream != NULL) {
    odl_coder_stream_inverse (coder->stream);
    return;
  }
  if (coder->params.levels > 0)
    run (coder, false);
  if (coder->params.clamp)
    clamp_samples (coder);
}

// ---- what it holds
// ---------------------------------------------------------------------

void
odl_coder_read_row (const OdlCoder *coder, int channel, int y, float *row)
{
  if (coder->stream != NULL)
    odl_coder_stream_move_row (coder->stream, channel, y, row, NULL);
  else
    memcpy (row, odl_coder_row_at (coder, coder->at, channel, y),
            coder->width * sizeof (float));
}

void
odl_coder_write_row (OdlCoder *coder, int channel, int y, const float *row)
{
  if (coder->stream != NULL)
    odl_coder_stream_move_row (coder->stream, channel, y, NULL, row);
  else
    memcpy (odl_coder_row_at (coder, coder->at, channel, y), row,
            coder->width * sizeof (float));
}

ODL_ROW_LOOP static void
store_row (const float *restrict row, int width, uint8_t *restrict line)
{
  for (int x = 0; x < width; x++) {
    const float above = row[x] > 0 ? row[x] : 0;
    line[x] = (uint8_t) (int) ((above < 1 ? above : 1) * 255 + 0.5f);
  }
}

ODL_ROW_LOOP static void
interleave (const uint8_t *restrict lines, int width, uint8_t *restrict to)
{
  for (int x = 0; x < width; x++) {
    to[3 * x] = lines[x];
    to[3 * x + 1] = lines[width + x];
    to[3 * x + 2] = lines[2 * width + x];
  }
}

void
odl_coder_store (const OdlCoder *coder, uint8_t *pixels)
{
  const OdlCoderParams *params = &coder->params;
  const int channels = params->channels, width = params->width;

  ODL_PARALLEL_FOR
  for (int first = 0; first < params->height; first += STORED_ROWS) {
    g_autofree uint8_t *lines = g_malloc ((size_t) channels * width);
    for (int y = first; y < MIN (first + STORED_ROWS, params->height); y++) {
      uint8_t *to = pixels + (size_t) y * width * channels;
      for (int c = 0; c < channels; c++)
        store_row (coder->stream != NULL ? odl_coder_stream_samples (coder->stream, c, y)
                                         : odl_coder_row_at (coder, coder->at, c, y),
                   width, lines + (size_t) c * width);
      if (channels == 3)
        interleave (lines, width, to);
      for (int x = 0; x < width && channels != 3; x++)
        for (int c = 0; c < channels; c++)
          *to++ = lines[(size_t) c * width + x];
    }
  }
}

double
odl_coder_checksum (const OdlCoder *coder)
{
  g_autofree float *row = g_new (float, coder->width);
  double sum = 0;

  for (int c = 0; c < coder->params.channels; c++)
    for (int y = 0; y < coder->height; y++) {
      odl_coder_read_row (coder, c, y, row);
      for (int x = 0; x < coder->width; x++)
        sum += row[x];
    }
  return sum;
}

double
odl_coder_psnr (const OdlCoder *coder, const OdlImage *image, int from, int end)
{
  const OdlCoderParams *params = &coder->params;
  const int width = params->width, height = params->height;
  g_autofree float *row = g_new (float, coder->width);
  g_autofree float *want = g_new (float, width);
  double sum = 0, n = 0;

  for (int c = 0; c < params->channels; c++)
    for (int y = 0; y < height; y++) {
      const int from_y = MIN (y, height - 1 - y);
      odl_coder_read_row (coder, c, y, row);
      odl_image_scaled_row (image, c, y, 0, 0, want);
      for (int x = 0; x < width; x++) {
        const int distance = MIN (from_y, MIN (x, width - 1 - x));
        if (distance < from || distance >= end)
          continue;
        sum += ((double) row[x] - want[x]) * ((double) row[x] - want[x]);
        n++;
      }
    }
  return 10 * log10 (n / sum);
}

// ---- costs
// -----------------------------------------------------------------------------

// Of a line with so many samples. Every tap costs a multiplication and all but one an
// addition; a lifting step two additions and a multiplication, and every coefficient is
// multiplied once more.
static double
line_operations (const OdlCoder *coder, int n)
{
  const OdlCoderTaps *taps = coder->pass[1].taps;

  if (coder->params.method == ODL_CODER_FILTERING && coder->stream == NULL)
    return (double) odl_low_count (n) * (2 * taps[0].count - 1)
           + (double) odl_high_count (n) * (2 * taps[1].count - 1);
  return 3.0 * n * ODL_CODER_STEPS / 2 + n;
}

OdlCoderCosts
odl_coder_costs (const OdlCoder *coder)
{
  const OdlCoderParams *params = &coder->params;
  const double side = coder->pass[1].after - coder->pass[1].before + 1;
  const double samples = (double) coder->width * coder->height * params->channels;
  OdlCoderCosts costs = { .picture_bytes = samples * sizeof (float) };

  for (int l = 0; l < params->levels; l++) {
    const int width = odl_level_size (coder->width, l);
    const int height = odl_level_size (coder->height, l);
    costs.operations += params->channels
                        * (params->scheme == ODL_CODER_BLOCK
                               ? (double) width * height * (2 * side * side - 1)
                               : height * line_operations (coder, width)
                                     + width * line_operations (coder, height));
  }
  if (params->scheme != ODL_CODER_ROW_COLUMN)
    costs.picture_bytes *= 2;
  if (params->scheme == ODL_CODER_LINE)
    costs.work_bytes = odl_coder_line_bytes (coder);
  else if (params->scheme == ODL_CODER_BLOCK)
    costs.work_bytes = 4 * side * side * sizeof (float);
  else if (params->scheme == ODL_CODER_STREAM)
    costs.work_bytes = odl_coder_stream_bytes (coder->stream);
  else
    costs.work_bytes
        = sizeof (float)
          * (double) odl_coder_scratch (&coder->pass[1], coder->height, ODL_CODER_LANES);
  return costs;
}
