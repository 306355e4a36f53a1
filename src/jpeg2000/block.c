// SPDX-License-Identifier: MIT
#include "jpeg2000/block.h"

#include <math.h>
#include <string.h>

#include "jpeg2000/mq.h"
#include "jpeg2000/passes.h"

struct _OdlJ2kCoder {
  OdlJ2kPlanes planes;
  OdlJ2kMq mq;
  guint8 *bytes; // of the codeword
  gsize room;
  OdlJ2kMark marks[ODL_J2K_MOST_PASSES];
  double saved[ODL_J2K_MOST_PASSES]; // squared error, by each pass
  int last_plane; // all of whose passes ran
  int complete; // passes up to there
};

OdlJ2kCoder *
odl_j2k_coder_new (void)
{
  OdlJ2kCoder *coder = g_new (OdlJ2kCoder, 1);

  coder->bytes = NULL;
  coder->room = 0;
  return coder;
}

void
odl_j2k_coder_free (OdlJ2kCoder *coder)
{
  g_free (coder->bytes);
  g_free (coder);
}

static int
bits_of (guint32 value)
{
  return value != 0 ? 32 - __builtin_clz (value) : 0;
}

// ---- the samples

// Magnitude and sign of a line, with ODL_J2K_FRACTION bits below the step. Returns all
// bits that some sample has; adds up the squares.
static guint32
quantise (const float *line, int n, float scale, guint32 *out, double *energy)
{
  guint32 all = 0;
  float sum = 0;

  for (int i = 0; i < n; i++) {
    const float scaled = line[i] * scale;
    const guint32 magnitude = (guint32) (gint32) fabsf (scaled);
    out[i] = magnitude | (scaled < 0 ? ODL_J2K_NEGATIVE_SAMPLE : 0);
    all |= magnitude;
    sum += scaled * scaled;
  }
  *energy += (double) sum;
  return all;
}

// Whole numbers as they are.
static guint32
take_whole (const float *line, int n, guint32 *out)
{
  guint32 all = 0;

  for (int i = 0; i < n; i++) {
    const gint32 whole = (gint32) line[i];
    const guint32 magnitude = (guint32) ABS (whole);
    out[i] = magnitude | ((guint32) whole & ODL_J2K_NEGATIVE_SAMPLE);
    all |= magnitude;
  }
  return all;
}

// Puts the samples in stripes. Returns the bits of the largest magnitude.
static int
load_samples (OdlJ2kPlanes *planes, const OdlJ2kBlockInput *input, double *energy)
{
  const int width = input->width, height = input->height;
  const float scale
      = input->step > 0 ? (float) ((1 << ODL_J2K_FRACTION) / input->step) : 0;
  guint32 line[ODL_J2K_BLOCK_SIDE + ODL_J2K_STRIPE];
  guint32 all = 0;

  planes->width = width;
  planes->height = height;
  planes->band = input->band;
  for (int x = 0; x < width; x++) {
    const float *from = input->coefficients + x * input->pitch;
    guint32 *to = planes->samples + x * ODL_J2K_STRIPE;
    all |= scale > 0 ? quantise (from, height, scale, line, energy)
                     : take_whole (from, height, line);
    memset (line + height, 0, ODL_J2K_STRIPE * sizeof *line);
    for (int y = 0; y < height; y += ODL_J2K_STRIPE, to += width * ODL_J2K_STRIPE)
      memcpy (to, line + y, ODL_J2K_STRIPE * sizeof *line);
  }
  return bits_of (all);
}

static void
clear_flags (OdlJ2kPlanes *planes)
{
  const int rows = (planes->height + ODL_J2K_STRIPE - 1) / ODL_J2K_STRIPE + 2;

  for (int row = 0; row < rows; row++)
    memset (planes->flags + row * ODL_J2K_FLAG_STRIDE, 0,
            (planes->width + 2) * sizeof planes->flags[0]);
}

// ---- the passes

static void
make_room (OdlJ2kCoder *coder, gsize symbols)
{
  const gsize wanted = coder->mq.count + ODL_J2K_MOST_BYTES (symbols);

  if (wanted <= coder->room)
    return;
  coder->room = 2 * wanted;
  coder->bytes = g_realloc (coder->bytes, coder->room);
  coder->mq.bytes = coder->bytes;
}

// By a pass and those that follow.
static const double most_saved[] = {
  [ODL_J2K_SIGNIFICANCE] = ODL_J2K_MOST_SAVED,
  [ODL_J2K_REFINEMENT] = ODL_J2K_MOST_SAVED_LATER,
  [ODL_J2K_CLEANUP] = ODL_J2K_MOST_SAVED_LATER,
};

// All passes from the highest plane on whose bytes can save enough; returns how many.
static int
run_passes (OdlJ2kCoder *coder, const OdlJ2kBlockInput *input, int n_planes)
{
  const bool measured = input->weight > 0;
  const int fraction = input->step > 0 ? ODL_J2K_FRACTION : 0;
  int n = 0;

  for (int plane = n_planes - 1; plane >= 0; plane--) {
    const double square = ldexp (input->weight, 2 * plane);
    const double unit = square / ODL_J2K_UNIT;
    for (int kind = n == 0 ? ODL_J2K_CLEANUP : 0; kind <= ODL_J2K_CLEANUP; kind++, n++) {
      if (most_saved[kind] * square < input->least)
        return n;
      const OdlJ2kPassResult result = odl_j2k_pass_run (
          &coder->planes, (OdlJ2kPassKind) kind, plane + fraction, measured);
      make_room (coder, result.symbols);
      odl_j2k_mq_code (&coder->mq, coder->planes.symbols, result.symbols);
      coder->marks[n] = odl_j2k_mq_mark (&coder->mq);
      coder->saved[n] = unit * (double) result.saved;
    }
    coder->last_plane = plane;
    coder->complete = n;
  }
  return n;
}

// Squared error, in steps, that is left when all planes down to `plane` are known.
static double
error_below (const OdlJ2kPlanes *planes, int plane)
{
  const int bits = plane + ODL_J2K_FRACTION;
  const guint32 below = (1u << bits) - 1;
  const float middle = (float) (1u << bits) / 2;
  // Stripes are padded with zeros, which count for nothing.
  const int n = (planes->height + ODL_J2K_STRIPE - 1) / ODL_J2K_STRIPE * ODL_J2K_STRIPE
                * planes->width;
  float sum = 0;

  for (int i = 0; i < n; i++) {
    const guint32 magnitude = planes->samples[i] & ~ODL_J2K_NEGATIVE_SAMPLE;
    const float rest = (float) (gint32) (magnitude & below);
    const float off = magnitude > below ? rest - middle : rest;
    sum += off * off;
  }
  return ldexp ((double) sum, -2 * ODL_J2K_FRACTION);
}

// ---- where it is worth stopping

// The lower convex hull of error over bytes: passes on it get their slope, which falls
// from one to the next, all others 0.
static void
find_slopes (OdlJ2kPass *passes, int n, double energy)
{
  int hull[ODL_J2K_MOST_PASSES];
  int top = 0;

  for (int i = 0; i < n; i++) {
    passes[i].slope = 0;
    while (true) {
      const double bytes = top > 0 ? passes[hull[top - 1]].bytes : 0;
      const double error = top > 0 ? passes[hull[top - 1]].error : energy;
      const double saved = error - passes[i].error, cost = passes[i].bytes - bytes;
      if (saved <= 0)
        break;
      const double slope = saved / MAX (cost, 0.01);
      if (top > 0 && slope >= (double) passes[hull[top - 1]].slope) {
        passes[hull[--top]].slope = 0;
        continue;
      }
      passes[i].slope = (float) slope;
      hull[top++] = i;
      break;
    }
  }
}

// Errors are added up from the last pass to the first, so that what little is left in the
// end is no difference of large numbers.
static void
keep_passes (const OdlJ2kCoder *coder, const OdlJ2kBlockInput *input, OdlJ2kBlock *block)
{
  double error = error_below (&coder->planes, coder->last_plane) * input->weight;
  guint32 bytes = 0;

  for (int i = coder->complete; i < block->n_passes; i++)
    error -= coder->saved[i];
  block->passes = g_new (OdlJ2kPass, block->n_passes);
  for (int i = block->n_passes - 1; i >= 0; i--) {
    block->passes[i].error = error;
    error += coder->saved[i];
  }
  for (int i = 0; i < block->n_passes; i++) {
    bytes = MAX (bytes, (guint32) odl_j2k_mq_needed (&coder->mq, &coder->marks[i]));
    block->passes[i].bytes = bytes;
  }
  find_slopes (block->passes, block->n_passes, block->energy);
}

void
odl_j2k_block_code (OdlJ2kCoder *coder, const OdlJ2kBlockInput *input, OdlJ2kBlock *block)
{
  const int fraction = input->step > 0 ? ODL_J2K_FRACTION : 0;
  double energy = 0;

  *block = (OdlJ2kBlock){ 0 };
  const int bits = load_samples (&coder->planes, input, &energy);
  block->n_planes = MAX (bits - fraction, 0);
  block->energy = ldexp (energy, -2 * fraction) * input->weight;
  if (block->n_planes == 0)
    return;
  clear_flags (&coder->planes);
  coder->mq.count = 0;
  make_room (coder, 0);
  odl_j2k_mq_begin (&coder->mq, coder->bytes);
  block->n_passes = run_passes (coder, input, block->n_planes);
  if (block->n_passes == 0)
    return;
  odl_j2k_mq_end (&coder->mq);
  if (input->weight > 0)
    keep_passes (coder, input, block);
  block->n_bytes = odl_j2k_mq_needed (&coder->mq, &coder->marks[block->n_passes - 1]);
  block->bytes = g_memdup2 (coder->bytes + 1, block->n_bytes);
}

void
odl_j2k_block_clear (OdlJ2kBlock *block)
{
  g_clear_pointer (&block->bytes, g_free);
  g_clear_pointer (&block->passes, g_free);
}
