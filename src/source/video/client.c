// SPDX-License-Identifier: MIT
#include "source/video/client.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "source/helper/process.h"
#include "source/helper/sandbox.h"
#include "source/video/blocks.h"
#include "source/video/pipeline.h"
#include "video_decoder/protocol.h"

// The helper process that decodes videos: orders and answers.

// A message from the helper, with valid structure.
typedef struct {
  OdlVideoReply reply;
  char text[ODL_VIDEO_MAX_TEXT + 1];
  const char *texts[ODL_VIDEO_N_TEXTS];
} OdlVideoAnswer;

// Limit of the helper's own memory: enough for the largest 10-bit frames.
#define MEMORY ((uint64_t) 2 << 30)

// CPU time of all its threads for one frame. The helper has its own, shorter limit.
#define PATIENCE_NS (ODL_VIDEO_PATIENCE_NS * 3 / 2)

// Starts the helper on an open file, which the caller keeps, in mode "play" or "look".
// Error messages complete "Cannot open FILE: …", here and below.
static OdlHelperProcess *
odl_video_process_start (const char *mode, int file_fd, GError **error)
{
  static const OdlHelperKind kind
      = { "ondelette-video-decoder", "video_decoder", "ODL_VIDEO_DECODER" };
  g_autofree char *memory = g_strdup_printf ("%" G_GUINT64_FORMAT, MEMORY);
  const char *sandbox = odl_sandbox_is_optional () ? ODL_HELPER_SANDBOX_OPTIONAL
                                                   : ODL_HELPER_SANDBOX_REQUIRED;
  const char *const arguments[] = { mode, memory, sandbox, NULL };
  const OdlHelperFd file = { file_fd, ODL_HELPER_FILE_FD };
  const OdlHelperStart how = {
    .arguments = arguments, .fds = &file, .n_fds = 1, .patience_ns = ODL_HELPER_NO_LIMIT
  };

  return odl_helper_process_start (&kind, &how, error);
}

// Sends an order and fills in its common fields; `fd` is attached unless −1.
static bool
odl_video_process_order (OdlHelperProcess *process,
                         OdlVideoOrder *order,
                         int fd,
                         GError **error)
{
  const OdlMessage message = { .parts = { { order, sizeof *order } },
                               .fds = { fd },
                               .n_fds = fd >= 0 ? 1 : 0 };

  order->magic = ODL_VIDEO_MAGIC;
  order->version = ODL_VIDEO_VERSION;
  odl_helper_process_expect (process, PATIENCE_NS);
  return odl_helper_process_send (process, &message, error);
}

// Gives the next answer so much more CPU time.
static void
odl_video_process_extend (OdlHelperProcess *process, int64_t more_ns)
{
  odl_helper_process_extend (process, PATIENCE_NS + more_ns);
}

static bool
is_sane (OdlVideoAnswer *answer, size_t n_bytes)
{
  const OdlVideoReply *reply = &answer->reply;

  if (n_bytes < sizeof *reply || reply->magic != ODL_VIDEO_MAGIC
      || reply->version != ODL_VIDEO_VERSION
      || reply->text_bytes != n_bytes - sizeof *reply || reply->status < ODL_VIDEO_READY
      || reply->status > ODL_ERROR_END)
    return false;
  const char *at = answer->text;
  const char *end = at + reply->text_bytes;
  for (int i = 0; i < ODL_VIDEO_N_TEXTS; i++) {
    const char *stop = at < end ? memchr (at, '\0', (size_t) (end - at)) : NULL;
    if (stop == NULL || !g_utf8_validate (at, stop - at, NULL))
      return false;
    answer->texts[i] = at;
    at = stop + 1;
  }
  return at == end;
}

// One message.
static bool
process_receive (OdlHelperProcess *process,
                 GCancellable *cancellable,
                 OdlVideoAnswer *answer,
                 GError **error)
{
  OdlMessage message = { .parts = { { &answer->reply, sizeof answer->reply },
                                    { answer->text, ODL_VIDEO_MAX_TEXT } } };
  const size_t n_bytes
      = odl_helper_process_receive (process, &message, cancellable, error);

  if (n_bytes == 0)
    return false;
  if (!is_sane (answer, n_bytes)) {
    odl_helper_set_invalid_answer (error);
    return false;
  }
  // Expect another answer: this one may belong to an order from before a cancellation.
  odl_helper_process_expect (process, PATIENCE_NS);
  return true;
}

// Waits for an answer, as odl_helper_process_receive. After an invalid answer, too,
// the process can only be ended.
static bool
odl_video_process_receive (OdlHelperProcess *process,
                           GCancellable *cancellable,
                           OdlVideoAnswer *answer,
                           GError **error)
{
  // Until it is ready, GStreamer may look through all of its plugins.
  return process_receive (process, cancellable, answer, error)
         && (answer->reply.status != ODL_VIDEO_READY
             || process_receive (process, cancellable, answer, error));
}

// Validation of the video helper's answers about streams and frames.

// About a hundred years: sums of times fit in 64 bits.
#define MAX_TIME_NS ((int64_t) 1 << 61)

static bool
within (double value, double minimum, double maximum)
{
  return isfinite (value) && value >= minimum && value <= maximum;
}

static char *
text_or_null (const char *text)
{
  return *text != '\0' ? g_strdup (text) : NULL;
}

// False if it is invalid.
static bool
odl_video_answer_stream (const OdlVideoAnswer *answer, OdlVideoStream *stream)
{
  const OdlVideoStreamReply *from = &answer->reply.stream;
  const char *format = answer->texts[ODL_VIDEO_TEXT_FORMAT];
  const char *colorimetry = answer->texts[ODL_VIDEO_TEXT_COLORIMETRY];

  if (!within (from->rate, 0, 1e9) || from->full_range > 1 || from->interlaced > 1
      || from->has_others > 1 || from->turn > GST_VIDEO_ORIENTATION_CUSTOM
      || strlen (format) >= sizeof stream->kind.format
      || strlen (colorimetry) >= sizeof stream->kind.colorimetry)
    return false;
  stream->kind.rate = from->rate;
  stream->kind.full_range = from->full_range;
  stream->kind.interlaced = from->interlaced;
  g_strlcpy (stream->kind.format, format, sizeof stream->kind.format);
  g_strlcpy (stream->kind.colorimetry, colorimetry, sizeof stream->kind.colorimetry);
  stream->turn = (GstVideoOrientationMethod) from->turn;
  stream->codec = text_or_null (answer->texts[ODL_VIDEO_TEXT_CODEC]);
  stream->container = text_or_null (answer->texts[ODL_VIDEO_TEXT_CONTAINER]);
  stream->has_others = from->has_others;
  return true;
}

static bool
shape_is_sane (const OdlVideoShape *shape)
{
  return shape->width >= 1 && shape->height >= 1 && shape->width <= ODL_VIDEO_MAX_PIXELS
         && shape->height <= ODL_VIDEO_MAX_PIXELS
         && (uint64_t) shape->width * shape->height <= ODL_VIDEO_MAX_PIXELS
         && (shape->channels == 1 || shape->channels == 3 || shape->channels == 4)
         && shape->sample_type <= ODL_SAMPLE_U16 && shape->after_loss <= 1
         && shape->damaged <= 1 && shape->ycbcr <= 1
         && within (shape->stored_min, 0, 65535) && within (shape->stored_max, 0, 65535)
         && within (shape->pixel_aspect, 0.01, 100)
         && within (shape->frame_interval_ms, 0, 1e12) && shape->pts_ns >= -1
         && shape->pts_ns <= MAX_TIME_NS && shape->duration_ns >= 0
         && shape->duration_ns <= MAX_TIME_NS;
}

static bool
ycbcr_is_sane (const OdlVideoShape *shape)
{
  const double most = 1 << 20;

  return !shape->ycbcr
         || (shape->channels == 3 && shape->centred_x <= 1 && shape->shift_x <= 2
             && shape->shift_y <= 2 && within (shape->kr, 0, 1)
             && within (shape->kb, 0, 1) && within (shape->luma_offset, 0, most)
             && within (shape->luma_range, 0, most)
             && within (shape->chroma_offset, 0, most)
             && within (shape->chroma_range, 0, most));
}

// Every sample of the channel lies within the block, properly aligned.
static bool
plane_is_inside (const OdlVideoShape *shape, uint32_t c, const OdlVideoBlock *block)
{
  const OdlVideoPlane *plane = &shape->planes[c];
  const uint64_t sample = odl_sample_size ((OdlSampleType) shape->sample_type);
  const uint32_t shift_x = shape->ycbcr && c > 0 ? shape->shift_x : 0;
  const uint32_t shift_y = shape->ycbcr && c > 0 ? shape->shift_y : 0;
  const uint64_t width = (shape->width + (1u << shift_x) - 1) >> shift_x;
  const uint64_t height = (shape->height + (1u << shift_y) - 1) >> shift_y;

  // All factors are below 2^31, so products cannot overflow.
  if (plane->offset >= block->bytes || plane->sample_stride < sample
      || plane->sample_stride > 64 || plane->row_stride > block->bytes
      || plane->offset % sample != 0 || plane->row_stride % sample != 0
      || plane->sample_stride % sample != 0)
    return false;
  return plane->offset + (height - 1) * plane->row_stride
             + (width - 1) * plane->sample_stride + sample
         <= block->bytes;
}

static void
describe (const OdlVideoShape *shape, const OdlVideoBlock *block, OdlImageInfo *info)
{
  *info = (OdlImageInfo){
    .extent = { (int) shape->width, (int) shape->height, 1, 1 },
    .channels = (int) shape->channels,
    .type = (OdlSampleType) shape->sample_type,
    .stored_min = shape->stored_min,
    .stored_max = shape->stored_max,
    .frame_interval_ms = shape->frame_interval_ms,
    .pixel_aspect = shape->pixel_aspect,
    .pts_ns = shape->pts_ns,
    .mark = shape->damaged ? _ ("damaged frame") : NULL,
  };
  if (shape->ycbcr)
    info->ycbcr = (OdlYcbcr){
      .used = true,
      .centred_x = shape->centred_x,
      .shift_x = (int) shape->shift_x,
      .shift_y = (int) shape->shift_y,
      .kr = shape->kr,
      .kb = shape->kb,
      .luma_offset = shape->luma_offset,
      .luma_range = shape->luma_range,
      .chroma_offset = shape->chroma_offset,
      .chroma_range = shape->chroma_range,
    };
  for (uint32_t c = 0; c < shape->channels; c++)
    info->planes[c] = (OdlPlane){
      .data = block->data + shape->planes[c].offset,
      .sample_stride_bytes = shape->planes[c].sample_stride,
      .row_stride_bytes = shape->planes[c].row_stride,
    };
}

// Wraps the frame in `block` and takes ownership of the block. False if it is invalid;
// the caller then keeps the block.
static bool
odl_video_answer_frame (const OdlVideoAnswer *answer,
                        OdlVideoBlock *block,
                        OdlVideoFrame *frame)
{
  const OdlVideoShape *shape = &answer->reply.shape;
  OdlImageInfo info;

  if (!shape_is_sane (shape) || !ycbcr_is_sane (shape))
    return false;
  for (uint32_t c = 0; c < shape->channels; c++)
    if (!plane_is_inside (shape, c, block))
      return false;
  describe (shape, block, &info);
  *frame = (OdlVideoFrame){
    .image = odl_image_wrap (&info, odl_video_block_give, block, NULL),
    .duration_ns = shape->duration_ns,
    .after_loss = shape->after_loss,
  };
  return frame->image != NULL;
}

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
