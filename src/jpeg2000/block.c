// SPDX-License-Identifier: MIT
#include "jpeg2000/block.h"

#include <math.h>
#include <string.h>

#include "jpeg2000/mq.h"
#include "jpeg2000/passes.h"

// A block on its way from samples to bytes.
typedef struct {
  const OdlJ2kBlockInput *input;
  OdlJ2kBlock *block;
  guint8 *symbols; // of all passes, one after the other
  gsize symbols_room;
  gsize ends[ODL_J2K_MOST_PASSES]; // of each pass, in symbols
  double saved[ODL_J2K_MOST_PASSES]; // squared error, by each pass
  int complete; // passes of planes all of whose passes ran
  double error; // squared error, in steps, that is left after these
  OdlJ2kMq mq;
  guint8 *bytes; // of the codeword
  gsize bytes_room;
  OdlJ2kMark marks[ODL_J2K_MOST_PASSES];
} Work;

struct _OdlJ2kCoder {
  OdlJ2kPlanes planes;
  Work works[ODL_J2K_AT_A_TIME];
};

OdlJ2kCoder *
odl_j2k_coder_new (void)
{
  OdlJ2kCoder *coder = g_new (OdlJ2kCoder, 1);

  for (int i = 0; i < ODL_J2K_AT_A_TIME; i++) {
    coder->works[i].symbols = coder->works[i].bytes = NULL;
    coder->works[i].symbols_room = coder->works[i].bytes_room = 0;
  }
  return coder;
}

void
odl_j2k_coder_free (OdlJ2kCoder *coder)
{
  for (int i = 0; i < ODL_J2K_AT_A_TIME; i++) {
    g_free (coder->works[i].symbols);
    g_free (coder->works[i].bytes);
  }
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

static guint32
take_quantised (const guint32 *line, int n, guint32 *out, double *energy)
{
  guint32 all = 0;
  float sum = 0;

  for (int i = 0; i < n; i++) {
    const guint32 magnitude = line[i] & ~ODL_J2K_NEGATIVE_SAMPLE;
    const float square = (float) (gint32) magnitude * (float) (gint32) magnitude;
    out[i] = line[i];
    all |= magnitude;
    sum += square;
  }
  *energy += (double) sum;
  return all;
}

static guint32
load_line (const OdlJ2kBlockInput *input, int x, guint32 *out, double *energy)
{
  const gsize first = (gsize) x * input->pitch;

  if (input->quantised)
    return take_quantised ((const guint32 *) input->coefficients + first, input->height,
                           out, energy);
  const float *line = (const float *) input->coefficients + first;
  return input->step > 0
             ? quantise (line, input->height, odl_j2k_scale (input->step), out, energy)
             : take_whole (line, input->height, out);
}

// Puts the samples in stripes. Returns the bits of the largest magnitude.
static int
load_samples (OdlJ2kPlanes *planes, const OdlJ2kBlockInput *input, double *energy)
{
  const int width = input->width, height = input->height;
  guint32 line[ODL_J2K_BLOCK_SIDE + ODL_J2K_STRIPE];
  guint32 all = 0;

  planes->width = width;
  planes->height = height;
  planes->band = input->band;
  for (int x = 0; x < width; x++) {
    guint32 *to = planes->samples + x * ODL_J2K_STRIPE;
    all |= load_line (input, x, line, energy);
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
make_room (guint8 **bytes, gsize *room, gsize wanted)
{
  if (wanted <= *room)
    return;
  *room = 2 * wanted;
  *bytes = g_realloc (*bytes, *room);
}

// By a pass and those that follow.
static const double most_saved[] = {
  [ODL_J2K_SIGNIFICANCE] = ODL_J2K_MOST_SAVED,
  [ODL_J2K_REFINEMENT] = ODL_J2K_MOST_SAVED_LATER,
  [ODL_J2K_CLEANUP] = ODL_J2K_MOST_SAVED_LATER,
};

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

// All passes from the highest plane on whose bytes can save enough.
static void
run_passes (OdlJ2kPlanes *planes, Work *work)
{
  const OdlJ2kBlockInput *input = work->input;
  const bool measured = input->weight > 0;
  const int fraction = input->step > 0 ? ODL_J2K_FRACTION : 0;
  gsize symbols = 0;
  int n = 0, last_plane = work->block->n_planes;

  work->complete = 0;
  for (int plane = work->block->n_planes - 1; plane >= 0; plane--) {
    const double square = ldexp (input->weight, 2 * plane);
    const double unit = square / ODL_J2K_UNIT;
    int kind = n == 0 ? ODL_J2K_CLEANUP : 0;
    for (; kind <= ODL_J2K_CLEANUP && most_saved[kind] * square >= input->least;
         kind++, n++) {
      make_room (&work->symbols, &work->symbols_room, symbols + ODL_J2K_MOST_SYMBOLS);
      const OdlJ2kPassResult result
          = odl_j2k_pass_run (planes, (OdlJ2kPassKind) kind, plane + fraction, measured,
                              work->symbols + symbols);
      work->ends[n] = symbols += result.symbols;
      work->saved[n] = unit * (double) result.saved;
    }
    if (kind <= ODL_J2K_CLEANUP)
      break;
    last_plane = plane;
    work->complete = n;
  }
  work->block->n_passes = n;
  work->error = measured && n > 0 ? error_below (planes, last_plane) : 0;
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
keep_passes (const Work *work)
{
  OdlJ2kBlock *block = work->block;
  double error = work->error * work->input->weight;
  guint32 bytes = 0;

  for (int i = work->complete; i < block->n_passes; i++)
    error -= work->saved[i];
  block->passes = g_new (OdlJ2kPass, block->n_passes);
  for (int i = block->n_passes - 1; i >= 0; i--) {
    block->passes[i].error = error;
    error += work->saved[i];
  }
  for (int i = 0; i < block->n_passes; i++) {
    bytes = MAX (bytes, (guint32) odl_j2k_mq_needed (&work->mq, &work->marks[i]));
    block->passes[i].bytes = bytes;
  }
  find_slopes (block->passes, block->n_passes, block->energy);
}

// ---- a block, or several

static void
write_symbols (OdlJ2kPlanes *planes, Work *work)
{
  const OdlJ2kBlockInput *input = work->input;
  const int fraction = input->step > 0 ? ODL_J2K_FRACTION : 0;
  double energy = 0;

  *work->block = (OdlJ2kBlock){ 0 };
  const int bits = load_samples (planes, input, &energy);
  work->block->n_planes = MAX (bits - fraction, 0);
  work->block->energy = ldexp (energy, -2 * fraction) * input->weight;
  if (work->block->n_planes == 0)
    return;
  clear_flags (planes);
  run_passes (planes, work);
}

static void
begin_codeword (Work *work)
{
  const int n = work->block->n_passes;

  make_room (&work->bytes, &work->bytes_room,
             1 + ODL_J2K_MOST_BYTES (n > 0 ? work->ends[n - 1] : 0));
  odl_j2k_mq_begin (&work->mq, work->bytes);
}

// Symbols of pass `n` and later, of both: up to the next end of a pass of one of them.
static void
code_passes (Work *first, Work *second)
{
  const int n_first = first->block->n_passes;
  const int n_second = second != NULL ? second->block->n_passes : 0;
  gsize at_first = 0, at_second = 0;
  int i = 0, k = 0;

  while (i < n_first || k < n_second) {
    const gsize left_first = i < n_first ? first->ends[i] - at_first : 0;
    const gsize left_second = k < n_second ? second->ends[k] - at_second : 0;
    const gsize both = MIN (left_first, left_second);
    if (both > 0)
      odl_j2k_mq_code_two (&first->mq, first->symbols + at_first, &second->mq,
                           second->symbols + at_second, both);
    else if (k >= n_second)
      odl_j2k_mq_code (&first->mq, first->symbols + at_first, left_first);
    else if (i >= n_first)
      odl_j2k_mq_code (&second->mq, second->symbols + at_second, left_second);
    at_first += k < n_second ? both : left_first;
    at_second += i < n_first ? both : left_second;
    for (; i < n_first && at_first == first->ends[i]; i++)
      first->marks[i] = odl_j2k_mq_mark (&first->mq);
    for (; k < n_second && at_second == second->ends[k]; k++)
      second->marks[k] = odl_j2k_mq_mark (&second->mq);
  }
}

static void
keep_bytes (Work *work)
{
  OdlJ2kBlock *block = work->block;

  if (block->n_passes == 0)
    return;
  odl_j2k_mq_end (&work->mq);
  if (work->input->weight > 0)
    keep_passes (work);
  block->n_bytes = odl_j2k_mq_needed (&work->mq, &work->marks[block->n_passes - 1]);
  block->bytes = g_memdup2 (work->bytes + 1, block->n_bytes);
}

void
odl_j2k_blocks_code (OdlJ2kCoder *coder,
                     const OdlJ2kBlockInput *inputs,
                     OdlJ2kBlock *const *blocks,
                     int n)
{
  g_return_if_fail (n >= 1 && n <= ODL_J2K_AT_A_TIME);
  for (int i = 0; i < n; i++) {
    coder->works[i].input = &inputs[i];
    coder->works[i].block = blocks[i];
    write_symbols (&coder->planes, &coder->works[i]);
    begin_codeword (&coder->works[i]);
  }
  code_passes (&coder->works[0], n > 1 ? &coder->works[1] : NULL);
  for (int i = 0; i < n; i++)
    keep_bytes (&coder->works[i]);
}

void
odl_j2k_block_clear (OdlJ2kBlock *block)
{
  g_clear_pointer (&block->bytes, g_free);
  g_clear_pointer (&block->passes, g_free);
}
