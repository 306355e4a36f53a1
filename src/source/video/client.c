// SPDX-License-Identifier: MIT
#include "source/video/client.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "source/video/answer.h"
#include "source/video/blocks.h"
#include "source/video/process.h"

typedef struct {
  OdlVideoPipeline base;
  int fd; // of the file; borrowed
  OdlHelperProcess *process; // NULL: has ended
  OdlVideoBlocks *blocks;
  OdlVideoBlock *block; // for the requested frame; NULL: none requested
  uint32_t serial; // of the last order
  size_t needed_bytes; // per frame, as far as known
  int64_t length_ns;
} Client;

// ---- Orders and answers ----

static void
end_process (Client *self)
{
  odl_helper_process_end (g_steal_pointer (&self->process));
  g_clear_pointer (&self->block, odl_video_block_give);
  odl_video_blocks_reset_helper (self->blocks);
}

static bool
send_order (Client *self, OdlVideoOrder *order, int fd, GError **error)
{
  order->serial = ++self->serial;
  order->n_recalled
      = odl_video_blocks_recall (self->blocks, order->recalled, ODL_VIDEO_MAX_RECALLED);
  if (odl_video_process_order (self->process, order, fd, error))
    return true;
  end_process (self);
  return false;
}

// Receives the answer to the last order; skips answers to earlier ones.
static bool
receive (Client *self, OdlVideoAnswer *answer, GCancellable *cancellable, GError **error)
{
  GError *cause = NULL;

  do {
    if (odl_video_process_receive (self->process, cancellable, answer, &cause))
      continue;
    if (!g_error_matches (cause, ODL_ERROR, ODL_ERROR_CANCELLED))
      end_process (self);
    g_propagate_error (error, cause);
    return false;
  } while (answer->reply.serial < self->serial);
  if (answer->reply.serial == self->serial)
    return true;
  end_process (self);
  odl_helper_set_invalid_answer (error);
  return false;
}

// Handles an error reported by the helper, which ends after some errors.
static void
take_failure (Client *self, const OdlVideoAnswer *answer, GError **error)
{
  const char *message = answer->texts[ODL_VIDEO_TEXT_MESSAGE];
  const int status = answer->reply.status;

  // Only the end may have no message.
  if (status < 0 || (*message == '\0' && status != ODL_ERROR_END)) {
    end_process (self);
    odl_helper_set_invalid_answer (error);
    return;
  }
  if (status == ODL_ERROR_TOO_LARGE)
    end_process (self);
  g_set_error_literal (error, ODL_ERROR, status, message);
}

static bool
take_needed (Client *self, const OdlVideoAnswer *answer)
{
  if (answer->reply.needed_bytes == 0
      || answer->reply.needed_bytes > ODL_VIDEO_MAX_FRAME_BYTES)
    return false;
  self->needed_bytes = (size_t) answer->reply.needed_bytes;
  return true;
}

static void
take_length (Client *self, const OdlVideoAnswer *answer)
{
  const int64_t length_ns = answer->reply.length_ns;

  if (length_ns > 0 && length_ns < (int64_t) 1 << 61)
    self->length_ns = length_ns;
}

// ---- Starting ----

// Starts a helper and receives its first answer.
static bool
start (Client *self, OdlVideoStream *stream, GCancellable *cancellable, GError **error)
{
  g_autofree OdlVideoAnswer *answer = g_new0 (OdlVideoAnswer, 1);

  self->serial = 0;
  self->process = odl_video_process_start ("play", self->fd, error);
  if (self->process == NULL)
    return false;
  if (!receive (self, answer, cancellable, error)) {
    end_process (self);
    return false;
  }
  if (answer->reply.status != ODL_VIDEO_OK) {
    take_failure (self, answer, error);
  } else if (!odl_video_answer_stream (answer, stream) || !take_needed (self, answer)) {
    odl_helper_set_invalid_answer (error);
  } else {
    take_length (self, answer);
    return true;
  }
  end_process (self);
  return false;
}

// Replaces a helper that has ended.
static bool
start_again (Client *self, GCancellable *cancellable)
{
  OdlVideoStream stream = { 0 };

  if (self->process != NULL)
    return true;
  const bool done = start (self, &stream, cancellable, NULL);
  g_free (stream.codec);
  g_free (stream.container);
  return done;
}

// ---- Frames ----

static bool
order_frame (Client *self, GError **error)
{
  OdlVideoOrder order = { .kind = ODL_VIDEO_ORDER_NEXT };

  g_clear_pointer (&self->block, odl_video_block_give);
  self->block = odl_video_blocks_take (self->blocks, self->needed_bytes, error);
  if (self->block == NULL)
    return false;
  order.chunk = self->block->chunk;
  order.chunk_bytes = self->block->chunk_bytes;
  order.offset = self->block->offset;
  order.bytes = self->block->bytes;
  return send_order (self, &order, odl_video_blocks_new_fd (self->blocks, self->block),
                     error);
}

static bool
take_frame (Client *self,
            const OdlVideoAnswer *answer,
            OdlVideoFrame *frame,
            GError **error)
{
  if (answer->reply.status != ODL_VIDEO_OK) {
    g_clear_pointer (&self->block, odl_video_block_give);
    take_length (self, answer);
    take_failure (self, answer, error);
    return false;
  }
  if (odl_video_answer_frame (answer, self->block, frame)) {
    self->block = NULL;
    return true;
  }
  end_process (self);
  odl_helper_set_invalid_answer (error);
  return false;
}

static bool
next (Client *self, OdlVideoFrame *frame, GCancellable *cancellable, GError **error)
{
  g_autofree OdlVideoAnswer *answer = g_new (OdlVideoAnswer, 1);

  if (self->process == NULL)
    return odl_error_set (error, ODL_ERROR_IO, _ ("the decoder has ended"));
  // After a cancellation the frame is still pending.
  if (self->block == NULL && !order_frame (self, error))
    return false;
  if (!receive (self, answer, cancellable, error))
    return false;
  // Happens once for each new frame size of the stream.
  if (answer->reply.status == ODL_VIDEO_NEEDS_BYTES && take_needed (self, answer)
      && (!order_frame (self, error) || !receive (self, answer, cancellable, error)))
    return false;
  return take_frame (self, answer, frame, error);
}

static bool
client_next (OdlVideoPipeline *pipeline,
             OdlVideoFrame *frame,
             GCancellable *cancellable,
             GError **error)
{
  Client *self = (Client *) pipeline;
  GError *cause = NULL;

  if (next (self, frame, cancellable, &cause))
    return true;
  // If the helper has ended, more than this frame is lost.
  if (self->process == NULL && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT))
    cause->code = ODL_ERROR_IO;
  g_propagate_error (error, cause);
  return false;
}

// ---- Seeking ----

static bool
go (Client *self, OdlVideoOrderKind kind, int64_t time_ns, GCancellable *cancellable)
{
  g_autofree OdlVideoAnswer *answer = g_new (OdlVideoAnswer, 1);
  OdlVideoOrder order = { .kind = kind, .time_ns = time_ns };

  if (!start_again (self, cancellable) || !send_order (self, &order, -1, NULL))
    return false;
  const bool done = receive (self, answer, cancellable, NULL);
  // It cannot be asked to stop while it seeks.
  if (!done)
    end_process (self);
  // May still be lent after a cancellation.
  g_clear_pointer (&self->block, odl_video_block_give);
  return done && answer->reply.status == ODL_VIDEO_OK;
}

static bool
client_seek (OdlVideoPipeline *pipeline, int64_t time_ns, GCancellable *cancellable)
{
  return go ((Client *) pipeline, ODL_VIDEO_ORDER_SEEK, time_ns, cancellable);
}

static bool
client_restart (OdlVideoPipeline *pipeline, GCancellable *cancellable)
{
  return go ((Client *) pipeline, ODL_VIDEO_ORDER_RESTART, 0, cancellable);
}

// ---- Times ----

// As much more time as a large file takes to be read.
#define TIMES_NS_PER_BYTE 5

static bool
order_times (Client *self,
             size_t bytes,
             OdlVideoAnswer *answer,
             GCancellable *cancellable)
{
  OdlVideoOrder order = { .kind = ODL_VIDEO_ORDER_TIMES };
  struct stat status;
  int fd = -1;

  if (bytes > 0) {
    self->block = odl_video_blocks_take (self->blocks, bytes, NULL);
    if (self->block == NULL)
      return false;
    order.chunk = self->block->chunk;
    order.chunk_bytes = self->block->chunk_bytes;
    order.offset = self->block->offset;
    order.bytes = self->block->bytes;
    fd = odl_video_blocks_new_fd (self->blocks, self->block);
  }
  if (!send_order (self, &order, fd, NULL))
    return false;
  if (fstat (self->fd, &status) == 0)
    odl_video_process_extend (self->process,
                              TIMES_NS_PER_BYTE * (int64_t) status.st_size);
  return receive (self, answer, cancellable, NULL);
}

// Of all frames and their end: about seventy years.
#define MAX_TIME_NS ((int64_t) 1 << 61)

// What the helper wrote, which it may still change.
static bool
take_times (Client *self, const OdlVideoAnswer *answer, OdlVideoTimes *times)
{
  const size_t bytes = (size_t) answer->reply.needed_bytes;
  const guint n = (guint) (bytes / sizeof (int64_t));

  if (answer->reply.status != ODL_VIDEO_OK || self->block == NULL || n == 0
      || bytes > self->block->bytes || bytes % sizeof (int64_t) != 0)
    return false;
  GArray *frames = g_array_sized_new (FALSE, FALSE, sizeof (int64_t), n);
  g_array_append_vals (frames, self->block->data, n);
  const int64_t *at = (const int64_t *) (void *) frames->data;
  bool sane = at[0] >= 0 && at[n - 1] <= MAX_TIME_NS;
  for (guint i = 1; i < n; i++)
    sane = sane && at[i] > at[i - 1];
  if (sane)
    *times = (OdlVideoTimes){ g_array_ref (frames),
                              CLAMP (answer->reply.length_ns, 0, MAX_TIME_NS),
                              answer->reply.of_decoding != 0 };
  g_array_unref (frames);
  return sane;
}

static bool
client_times (OdlVideoPipeline *pipeline, GCancellable *cancellable, OdlVideoTimes *times)
{
  Client *self = (Client *) pipeline;
  g_autofree OdlVideoAnswer *answer = g_new (OdlVideoAnswer, 1);

  if (self->process == NULL || self->block != NULL)
    return false;
  const bool done
      = order_times (self, 0, answer, cancellable)
        && answer->reply.status == ODL_VIDEO_NEEDS_BYTES && answer->reply.needed_bytes > 0
        && answer->reply.needed_bytes <= ODL_VIDEO_MAX_FRAME_BYTES
        && order_times (self, (size_t) answer->reply.needed_bytes, answer, cancellable)
        && take_times (self, answer, times);
  g_clear_pointer (&self->block, odl_video_block_give);
  // A file that no demuxer should end may still play.
  if (!done && !g_cancellable_is_cancelled (cancellable))
    start_again (self, cancellable);
  return done;
}

static int64_t
client_duration_ns (OdlVideoPipeline *pipeline)
{
  return ((Client *) pipeline)->length_ns;
}

static void
client_close (OdlVideoPipeline *pipeline)
{
  Client *self = (Client *) pipeline;

  end_process (self);
  odl_video_blocks_free (self->blocks);
  g_free (self);
}

OdlVideoPipeline *
odl_video_client_open (int fd, GCancellable *cancellable, GError **error)
{
  static const OdlVideoPipelineClass klass = {
    .next = client_next,
    .seek = client_seek,
    .restart = client_restart,
    .duration_ns = client_duration_ns,
    .times = client_times,
    .close = client_close,
  };
  Client *self = g_new0 (Client, 1);

  self->base.klass = &klass;
  self->fd = fd;
  self->length_ns = -1;
  self->blocks = odl_video_blocks_new ();
  if (start (self, &self->base.stream, cancellable, error))
    return &self->base;
  odl_video_pipeline_close (&self->base);
  return NULL;
}

bool
odl_video_client_recognise (int fd, GCancellable *cancellable)
{
  g_autofree OdlVideoAnswer *answer = g_new (OdlVideoAnswer, 1);
  OdlHelperProcess *process = odl_video_process_start ("look", fd, NULL);
  const bool yes = process != NULL
                   && odl_video_process_receive (process, cancellable, answer, NULL)
                   && answer->reply.serial == 0 && answer->reply.status == ODL_VIDEO_OK;

  odl_helper_process_end (process);
  return yes;
}
