// SPDX-License-Identifier: MIT
#include "jpeg2000/jpeg2000.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error.h"
#include "base/parallel.h"
#include "jpeg2000/analysis.h"
#include "jpeg2000/codestream.h"
#include "jpeg2000/packets.h"
#include "jpeg2000/rate.h"

#define USUAL_LEVELS 5

// The quantiser's step is so small that truncation decides, not the quantiser: this part
// of full scale, and half a unit of what is stored.
#define STEPS_OF_RANGE 4080
#define MOST_STEP 0.5

// Files have four bytes for lengths.
#define MOST_FILE ((guint64) G_MAXUINT32 - 100000)

#define MOST_GUARD_BITS 7

// How many blocks a sample stands for, in the finest levels. Not a number that the blocks
// of a row are likely to be a multiple of.
#define SAMPLE 13
#define SAMPLED_LEVELS 2
#define FEW_BLOCKS 400 // that take no time

// The sample's blocks go down to this part of full scale.
#define STEPS_OF_SAMPLE 510

// Of the slope that the sample leads to expect.
#define SAFETY 0.8

// Errors of bands do not quite add up in the picture: 0.15 dB on the safe side.
#define CAUTION 0.966

// Decoders round to whole numbers, which adds an error of its own, or takes all of a very
// small one away.
#define ROUNDING (1 / 12.0)
#define LEAST_SHARE 0.3

typedef struct {
  const OdlJpeg2000Params *params;
  const OdlJpeg2000Samples *samples;
  bool reversible;
  OdlJ2kCoefficients coefficients;
  OdlJ2kTile tile;
  OdlJ2kFileInfo file;
  double least; // slope at which blocks may stop
} Encoder;

// ---- the blocks

static OdlJ2kBlockInput
block_input (const Encoder *self, gsize i)
{
  const OdlJ2kLayout *layout = &self->tile.layout;
  const gsize component = i / layout->n_blocks;
  int x = 0, y = 0;
  const OdlJ2kBand *band = odl_j2k_layout_find (layout, i % layout->n_blocks, &x, &y);

  return (OdlJ2kBlockInput){
    .coefficients
    = odl_j2k_coefficient (&self->coefficients, component, band->x + x, band->y + y),
    .quantised = self->coefficients.quantised,
    .pitch = self->coefficients.pitch,
    .width = MIN (band->width - x, ODL_J2K_BLOCK_SIDE),
    .height = MIN (band->height - y, ODL_J2K_BLOCK_SIDE),
    .band = band->kind,
    .step = band->step,
    .weight = self->reversible ? 0
                               : band->weight * self->tile.weights[component] * band->step
                                     * band->step,
    .least = self->least,
  };
}

typedef struct {
  const Encoder *self;
  const float *shares;
  bool zero;
  gsize next; // atomic
} Blocks;

// The next block of those that are wanted; their number if there is none.
static gsize
next_block (Blocks *blocks)
{
  const gsize n = odl_j2k_tile_blocks (&blocks->self->tile);

  while (true) {
    const gsize i = __atomic_fetch_add (&blocks->next, 1, __ATOMIC_RELAXED);
    if (i >= n)
      return n;
    if (blocks->shares == NULL || (blocks->shares[i] > 0) != blocks->zero)
      return i;
  }
}

// Blocks take very different times: a thread takes the next ones.
static void
code_some (Blocks *blocks)
{
  const OdlJ2kTile *tile = &blocks->self->tile;
  const gsize all = odl_j2k_tile_blocks (tile);
  OdlJ2kCoder *coder = odl_j2k_coder_new ();
  OdlJ2kBlockInput inputs[ODL_J2K_AT_A_TIME];
  OdlJ2kBlock *wanted[ODL_J2K_AT_A_TIME];
  int n = 0;

  do {
    for (n = 0; n < ODL_J2K_AT_A_TIME; n++) {
      const gsize i = next_block (blocks);
      if (i >= all)
        break;
      inputs[n] = block_input (blocks->self, i);
      wanted[n] = &tile->blocks[i];
      odl_j2k_block_clear (wanted[n]);
    }
    if (n > 0)
      odl_j2k_blocks_code (coder, inputs, wanted, n);
  } while (n == ODL_J2K_AT_A_TIME);
  odl_j2k_coder_free (coder);
}

// Those whose share is 0, or not; `shares` NULL: all.
static void
code_blocks (const Encoder *self, const float *shares, bool zero)
{
  Blocks blocks = { self, shares, zero, 0 };
  const int threads = odl_parallel_threads ();

  ODL_PARALLEL_FOR
  for (int thread = 0; thread < threads; thread++)
    code_some (&blocks);
}

// Files state how many bit planes a band has at most.
static void
set_guard_bits (OdlJ2kTile *tile)
{
  OdlJ2kLayout *layout = &tile->layout;

  for (gsize i = 0; i < odl_j2k_tile_blocks (tile); i++) {
    int x = 0, y = 0;
    const OdlJ2kBand *band = odl_j2k_layout_find (layout, i % layout->n_blocks, &x, &y);
    layout->guard_bits
        = MAX (layout->guard_bits, tile->blocks[i].n_planes - band->exponent + 1);
  }
  g_assert (layout->guard_bits <= MOST_GUARD_BITS);
}

// ---- the rate

// Bytes of the packets, or the squared error of the picture.
static double
limit_of (const Encoder *self)
{
  const OdlJ2kLayout *layout = &self->tile.layout;
  const double pixels = (double) layout->width * layout->height;

  if (self->params->goal == ODL_JPEG2000_PSNR) {
    const double peak = ldexp (1, layout->bits) - 1;
    const double error = peak * peak * pow (10, -self->params->value / 10);
    return CAUTION * pixels * self->tile.components
           * MAX (error - ROUNDING, error * LEAST_SHARE);
  }
  return floor (pixels * self->params->value / 8)
         - (double) odl_j2k_file_overhead (&self->tile, &self->file);
}

static void
code_lossless (Encoder *self)
{
  code_blocks (self, NULL, false);
  set_guard_bits (&self->tile);
  odl_j2k_rate_keep_all (&self->tile);
}

static double
keep_lossy (Encoder *self)
{
  const double limit = limit_of (self);

  set_guard_bits (&self->tile);
  return self->params->goal == ODL_JPEG2000_PSNR
             ? odl_j2k_rate_keep_error (&self->tile, limit)
             : odl_j2k_rate_keep_bytes (&self->tile, limit);
}

// All blocks of coarse levels, and every so-manieth of the others.
static float *
choose_sample (const OdlJ2kTile *tile)
{
  float *shares = g_new0 (float, odl_j2k_tile_blocks (tile));
  const bool few = odl_j2k_tile_blocks (tile) < FEW_BLOCKS;

  for (gsize i = 0; i < odl_j2k_tile_blocks (tile); i++) {
    int x = 0, y = 0;
    const OdlJ2kBand *band
        = odl_j2k_layout_find (&tile->layout, i % tile->layout.n_blocks, &x, &y);
    shares[i] = few || band->level > SAMPLED_LEVELS ? 1 : i % SAMPLE == 0 ? SAMPLE : 0;
  }
  return shares;
}

// The sample's blocks; returns the slope that they lead to expect.
static double
code_sample (Encoder *self, const float *shares)
{
  const double limit = limit_of (self);

  code_blocks (self, shares, false);
  return self->params->goal == ODL_JPEG2000_PSNR
             ? odl_j2k_rate_guess_error (&self->tile, shares, limit)
             : odl_j2k_rate_guess_bytes (&self->tile, shares, limit);
}

// Most passes of most blocks save too little to get into the file. From a sample of the
// blocks it is known roughly what a byte must save, and the others stop well below that.
// The sample itself goes down to planes that few files need; if this one does, or if the
// sample erred, what was left out is coded after all.
static void
code_lossy (Encoder *self)
{
  g_autofree float *shares = choose_sample (&self->tile);
  const double step = (ldexp (1, self->samples->bits) - 1) / STEPS_OF_SAMPLE;

  self->least = ODL_J2K_MOST_SAVED * step * step;
  double least = SAFETY * code_sample (self, shares);
  if (least < self->least) {
    self->least = 0;
    least = SAFETY * code_sample (self, shares);
  }
  self->least = least;
  code_blocks (self, shares, true);
  if (keep_lossy (self) >= self->least)
    return;
  self->least = 0;
  code_blocks (self, NULL, false);
  keep_lossy (self);
}

// ---- the whole

// Squared errors of red, green and blue together from one of a component (G.3).
static void
set_weights (Encoder *self)
{
  static const double of_colours[]
      = { 3, 1.772 * 1.772 + 0.344136 * 0.344136, 1.402 * 1.402 + 0.714136 * 0.714136 };

  self->tile.weights = g_new (double, self->tile.components);
  for (int c = 0; c < self->tile.components; c++)
    self->tile.weights[c] = self->tile.components >= 3 && c < 3 ? of_colours[c] : 1;
}

static void
begin_tile (Encoder *self, const OdlImageInfo *info)
{
  const int levels = self->params->levels > 0 ? self->params->levels : USUAL_LEVELS;
  const int bits = self->samples->bits;
  const double step
      = self->reversible ? 0 : MIN ((ldexp (1, bits) - 1) / STEPS_OF_RANGE, MOST_STEP);

  self->tile.layout = odl_j2k_layout (
      odl_wavelet_find (odl_j2k_wavelet (self->reversible)), info->extent.x,
      info->extent.y, MIN (levels, odl_max_levels (info->extent.x, info->extent.y)), bits,
      step);
  self->tile.components = info->channels;
  self->tile.blocks = g_new0 (OdlJ2kBlock, odl_j2k_tile_blocks (&self->tile));
  self->tile.kept = g_new0 (int, odl_j2k_tile_blocks (&self->tile));
  set_weights (self);
  self->file = (OdlJ2kFileInfo){
    .is_signed = self->samples->is_signed,
    .colours = info->channels >= 3,
    .boxes = self->params->boxes,
    .spacing_mm = { self->params->spacing_mm[0], self->params->spacing_mm[1] },
    .comments = self->params->comments,
  };
}

static void
tell_time (const char *what, int64_t *begin_ns)
{
  const int64_t now_ns = odl_clock_now_ns ();

  odl_debug (ODL_DEBUG_TIMING, "timing jpeg2000: %s in %.3f ms", what,
             (double) (now_ns - *begin_ns) / 1e6);
  *begin_ns = now_ns;
}

static bool
transform (Encoder *self, const OdlImage *picture, GError **error)
{
  const OdlJ2kAnalysis analysis
      = { picture, self->samples, &self->tile.layout, self->reversible };

  if (self->params->engine != NULL
      && odl_j2k_analyse (self->params->engine, &analysis, &self->coefficients, NULL))
    return true;
  odl_j2k_coefficients_clear (&self->coefficients);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("cpu"), error);
  return engine != NULL
         && odl_j2k_analyse (engine, &analysis, &self->coefficients, error);
}

static GBytes *
write_file (const Encoder *self, GError **error)
{
  guint64 size = odl_j2k_file_overhead (&self->tile, &self->file);

  size += odl_j2k_packets_size (&self->tile);
  if (size > MOST_FILE)
    return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                           _ ("The picture is too large for a JPEG 2000 file. Choose a "
                              "lower rate, or another format."));
  GByteArray *out = g_byte_array_sized_new ((guint) size);
  odl_j2k_file_write (&self->tile, &self->file, out);
  return g_byte_array_free_to_bytes (out);
}

static void
clear (Encoder *self)
{
  for (gsize i = 0; i < odl_j2k_tile_blocks (&self->tile) && self->tile.blocks != NULL;
       i++)
    odl_j2k_block_clear (&self->tile.blocks[i]);
  g_free (self->tile.blocks);
  g_free (self->tile.kept);
  g_free (self->tile.weights);
  odl_j2k_coefficients_clear (&self->coefficients);
}

GBytes *
odl_jpeg2000_encode (const OdlImage *picture,
                     const OdlJpeg2000Samples *samples,
                     const OdlJpeg2000Params *params,
                     GError **error)
{
  Encoder self = {
    .params = params,
    .samples = samples,
    .reversible = params->goal == ODL_JPEG2000_LOSSLESS,
  };
  GBytes *file = NULL;

  g_return_val_if_fail (samples->bits >= 1 && samples->bits <= ODL_JPEG2000_MOST_BITS,
                        NULL);
  int64_t begin_ns = odl_clock_now_ns ();
  begin_tile (&self, odl_image_info (picture));
  if (transform (&self, picture, error)) {
    tell_time (self.coefficients.quantised ? "transform, quantised by the engine"
                                           : "transform",
               &begin_ns);
    if (self.reversible)
      code_lossless (&self);
    else
      code_lossy (&self);
    tell_time ("blocks", &begin_ns);
    file = write_file (&self, error);
    tell_time ("packets", &begin_ns);
  }
  clear (&self);
  return file;
}
