// SPDX-License-Identifier: MIT
#include "image/bm3d/time.h"

#include <glib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "image/bm3d/pass.h"
#include "image/bm3d/schedule.h"

#define SIDE ODL_BM3D_SIDE

struct _OdlBm3dStream {
  OdlBm3dTime of; // what it was made with
  float correlations[ODL_BM3D_COEFFICIENTS]; // likewise
  float whitening[ODL_BM3D_WHITENING * ODL_BM3D_WHITENING];
  OdlBm3dSchedule schedule; // of `now` the last result was wanted
  size_t frame; // samples of a frame
  float *room;
  float *noisy, *basic, *phases; // in it
  float *whitened; // NULL: the noise is white
  float *sums[2], *weights[2]; // of each step
};

// ---- what frames are -----------------------------------------------------------------

// Of the bits of samples, by four products side by side, which do not wait for each
// other.
static guint64
digest_row (const float *row, int width, guint64 digest)
{
  const guint64 factor = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  guint64 part[4] = { digest, 1, 2, 3 };
  int x = 0;

  for (; x + 8 <= width; x += 8)
    for (int i = 0; i < 4; i++) {
      guint64 word;
      memcpy (&word, row + x + 2 * i, sizeof word);
      part[i] = (part[i] ^ word) * factor;
      part[i] ^= part[i] >> 29;
    }
  for (; x < width; x++) {
    guint32 word;
    memcpy (&word, row + x, sizeof word);
    part[0] = (part[0] ^ word) * factor;
    part[0] ^= part[0] >> 29;
  }
  for (int i = 1; i < 4; i++)
    part[0] = ((part[0] << 13 | part[0] >> 51) ^ part[i]) * factor;
  return part[0];
}

static void
digest_all (const OdlBm3dTime *time, guint64 seen[ODL_BM3D_MOST_SEEN])
{
  const int n = time->past + 1 + time->ahead;

  ODL_PARALLEL_FOR
  for (int i = 0; i < n; i++) {
    seen[i] = 0;
    for (int y = 0; y < time->height; y++)
      seen[i] = digest_row (time->samples[i] + (size_t) y * time->pitch, time->width,
                            seen[i]);
  }
}

static bool
is_alike (const OdlBm3dTime *a, const OdlBm3dTime *b)
{
  return a->frames == b->frames && a->width == b->width && a->height == b->height
         && a->sigma == b->sigma && a->effort == b->effort && a->kernels == b->kernels
         && (a->correlations != NULL) == (b->correlations != NULL)
         && (a->correlations == NULL
             || memcmp (a->correlations, b->correlations,
                        ODL_BM3D_COEFFICIENTS * sizeof *a->correlations)
                    == 0);
}

// ---- frames --------------------------------------------------------------------------

static size_t
place_of (const OdlBm3dStream *stream, int64_t number)
{
  return (size_t) odl_bm3d_schedule_place (&stream->schedule, number);
}

static OdlBm3dPicture
picture_of (const OdlBm3dStream *stream, const float *samples)
{
  const int width = MAX (stream->of.width, SIDE);

  return (OdlBm3dPicture){ .samples = samples,
                           .pitch = (size_t) width,
                           .frame = stream->frame,
                           .width = width,
                           .height = MAX (stream->of.height, SIDE) };
}

static void
clear_sums (OdlBm3dStream *stream, int64_t number, int step)
{
  const size_t at = place_of (stream, number) * stream->frame;
  const size_t bytes = stream->frame * sizeof (float);

  memset (stream->sums[step] + at, 0, bytes);
  memset (stream->weights[step] + at, 0, bytes);
}

// As it came and, padded afterwards, behind the kernel.
static void
whiten (OdlBm3dStream *stream, const OdlBm3dTime *time, const float *samples, float *to)
{
  g_autofree float *alone = g_new (float, time->pitch *(size_t) time->height);

  odl_bm3d_whiten (stream->whitening, samples, time->pitch, time->width, time->height,
                   alone);
  odl_bm3d_pad (alone, time->pitch, time->width, time->height, to);
}

// In the place of one that is no longer looked at.
static void
enter (OdlBm3dStream *stream, const OdlBm3dTime *time, int64_t number)
{
  const float *samples = time->samples[number - stream->schedule.now + time->past];
  const size_t at = place_of (stream, number) * stream->frame;

  odl_bm3d_pad (samples, time->pitch, time->width, time->height, stream->noisy + at);
  if (stream->whitened != NULL)
    whiten (stream, time, samples, stream->whitened + at);
  clear_sums (stream, number, 0);
  clear_sums (stream, number, 1);
}

static void
find_guides (OdlBm3dStream *stream, int64_t from, int64_t to)
{
  const OdlBm3dPicture picture = picture_of (stream, stream->noisy);

  for (int64_t number = from; number <= to; number++) {
    const size_t at = place_of (stream, number) * stream->frame;
    odl_bm3d_divide (&picture, stream->sums[0] + at, stream->weights[0] + at,
                     picture.width, picture.height, stream->basic + at, picture.pitch);
  }
}

// Of a step with frame act->frame, and those about it.
static bool
run_pass (OdlBm3dStream *stream, const OdlBm3dTime *time, const OdlBm3dAct *act, int all)
{
  OdlBm3dPass pass = {
    .picture = picture_of (stream, stream->noisy),
    .guide = picture_of (stream, stream->basic),
    .second = act->step == 1,
    .n_frames = time->frames,
    .centre = (int) place_of (stream, act->frame),
    .sigma = time->sigma,
    .correlations = stream->of.correlations,
    .effort = time->effort,
    .kernels = time->kernels != NULL ? time->kernels : &odl_bm3d_plain,
    .progress = time->progress,
    .passes = all,
    .phases = stream->phases,
    .sums = stream->sums[act->step],
    .weights = stream->weights[act->step],
  };

  if (stream->whitened != NULL)
    pass.searched = picture_of (stream, stream->whitened);
  for (int64_t number = act->frame - 1; number >= act->first; number--)
    pass.ways.frames[0][pass.ways.n[0]++] = (int) place_of (stream, number);
  for (int64_t number = act->frame + 1; number <= act->last; number++)
    pass.ways.frames[1][pass.ways.n[1]++] = (int) place_of (stream, number);
  return odl_bm3d_pass (&pass);
}

// `all`: passes of the result. False: memory is short.
static bool
run_act (OdlBm3dStream *stream, const OdlBm3dTime *time, const OdlBm3dAct *act, int all)
{
  switch (act->kind) {
  case ODL_BM3D_ENTER:
    enter (stream, time, act->frame);
    return true;
  case ODL_BM3D_CLEAR:
    for (int64_t number = act->first; number <= act->last; number++)
      clear_sums (stream, number, act->step);
    return true;
  case ODL_BM3D_PASS:
    return run_pass (stream, time, act, all);
  case ODL_BM3D_GUIDES:
    find_guides (stream, act->first, act->last);
    return true;
  default:
    g_assert_not_reached ();
  }
}

// What the result needs beyond what is there.
static bool
run_all (OdlBm3dStream *stream, const OdlBm3dTime *time)
{
  g_autoptr (GArray) acts = odl_bm3d_schedule_acts (&stream->schedule);
  int passes = 0;

  for (guint i = 0; i < acts->len; i++)
    passes += g_array_index (acts, OdlBm3dAct, i).kind == ODL_BM3D_PASS;
  passes *= MAX (time->pictures, 1);
  for (guint i = 0; i < acts->len && !odl_progress_stopped (time->progress); i++)
    if (!run_act (stream, time, &g_array_index (acts, OdlBm3dAct, i), passes))
      return false;
  return true;
}

// ---- streams -------------------------------------------------------------------------

void
odl_bm3d_stream_free (OdlBm3dStream *stream)
{
  if (stream == NULL)
    return;
  odl_aligned_free (stream->room);
  g_free (stream);
}

// Rows beyond the last frame are read where blocks about its last ones are compared.
static OdlBm3dStream *
stream_new (const OdlBm3dTime *time)
{
  const size_t width = (size_t) MAX (time->width, SIDE);
  const size_t height = (size_t) MAX (time->height, SIDE);
  const size_t frame = width * height, slack = SIDE * width + ODL_BM3D_SLACK;
  const size_t all = frame * (size_t) time->frames + slack;
  const size_t phases = odl_bm3d_phases_size ((int) width, (int) height, time->effort);
  const bool whitens = time->correlations != NULL;
  const size_t floats
      = whitens ? ODL_BM3D_STREAM_FLOATS_WHITENED : ODL_BM3D_STREAM_FLOATS;
  const size_t factors[] = { floats * all + phases, sizeof (float) };
  size_t bytes;
  float *room = odl_size_product (factors, G_N_ELEMENTS (factors), &bytes)
                    ? odl_aligned_alloc (bytes)
                    : NULL;

  if (room == NULL)
    return NULL;
  OdlBm3dStream *stream = g_new0 (OdlBm3dStream, 1);
  stream->schedule.frames = time->frames;
  stream->room = stream->noisy = room;
  stream->basic = room + all;
  for (size_t step = 0; step < 2; step++) {
    stream->sums[step] = room + (2 + 2 * step) * all;
    stream->weights[step] = room + (3 + 2 * step) * all;
  }
  if (whitens) {
    stream->whitened = room + ODL_BM3D_STREAM_FLOATS * all;
    memcpy (stream->correlations, time->correlations, sizeof stream->correlations);
    odl_bm3d_whitening (stream->correlations, stream->whitening);
  }
  stream->phases = room + floats * all;
  stream->frame = frame;
  return stream;
}

// The stream for the result: as it is, gone on, or a new one. NULL: memory is short.
static OdlBm3dStream *
find_stream (OdlBm3dStream *stream, const OdlBm3dTime *time)
{
  guint64 seen[ODL_BM3D_MOST_SEEN] = { 0 };

  digest_all (time, seen);
  if (stream != NULL && !is_alike (&stream->of, time))
    g_clear_pointer (&stream, odl_bm3d_stream_free);
  if (stream == NULL)
    stream = stream_new (time);
  if (stream == NULL)
    return NULL;
  odl_bm3d_schedule_move (&stream->schedule, time->past, time->ahead, seen);
  stream->of = *time;
  stream->of.correlations = stream->whitened != NULL ? stream->correlations : NULL;
  return stream;
}

static void
copy_frame (const OdlBm3dTime *time, float *result, size_t pitch)
{
  for (int y = 0; y < time->height; y++)
    memcpy (result + (size_t) y * pitch,
            time->samples[time->past] + (size_t) y * time->pitch,
            (size_t) time->width * sizeof *result);
}

bool
odl_bm3d_time_run (const OdlBm3dTime *time,
                   OdlBm3dStream **kept,
                   float *result,
                   size_t pitch)
{
  OdlBm3dStream *stream = kept != NULL ? g_steal_pointer (kept) : NULL;
  const bool filters = time->sigma > 0;

  if (filters)
    stream = find_stream (stream, time);
  const bool done = filters && stream != NULL && run_all (stream, time);
  if (done) {
    const OdlBm3dPicture picture = picture_of (stream, stream->noisy);
    const size_t at = place_of (stream, stream->schedule.now) * stream->frame;
    odl_bm3d_divide (&picture, stream->sums[1] + at, stream->weights[1] + at, time->width,
                     time->height, result, pitch);
  } else {
    copy_frame (time, result, pitch);
  }
  // What was given up in the middle is of no use.
  if (!done || odl_progress_stopped (time->progress) || kept == NULL)
    g_clear_pointer (&stream, odl_bm3d_stream_free);
  if (kept != NULL)
    *kept = stream;
  return done || !filters;
}
