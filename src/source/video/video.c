// SPDX-License-Identifier: MIT
// A video as the frames that its container stores and shows, each once and at its time.
// Streams without a container, or whose frames have no times, are frames at their nominal
// rate: frame i is the one displayed at the centre of the i-th interval.
#include "source/video/video.h"

#include <gio/gio.h>
#include <glib.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "source/source_file.h"
#include "source/still.h"
#include "source/video/client.h"
#include "source/video/reader.h"

// Recognising videos.

// Signatures.
static const struct {
  size_t offset;
  const char *bytes;
  size_t n_bytes;
} signatures[] = {
  { 4, "ftyp", 4 }, // MP4, QuickTime
  { 4, "moov", 4 },
  { 4, "mdat", 4 },
  { 4, "wide", 4 },
  { 0, "\x1a\x45\xdf\xa3", 4 }, // Matroska, WebM
  { 8, "AVI ", 4 },
  { 0, "\x00\x00\x01\xba", 4 }, // MPEG program stream
  { 0, "\x00\x00\x01\xb3", 4 }, // MPEG video
  { 0, "OggS", 4 },
  { 0, "FLV\x01", 4 },
  { 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", 8 }, // Windows Media
  { 0, "YUV4MPEG2 ", 10 },
};

// Still picture formats in the same container.
static const char *const still_brands[] = { "heic", "heix", "mif1", "miaf", "msf1" };

// A motion JPEG stream starts like a JPEG file, and JPEG files may contain a second
// picture (gain map, stereo), so only the name tells.
static const char *const jpeg_stream_names[] = { ".mjpeg", ".mjpg" };

static bool
is_transport_stream (const uint8_t *head, size_t n_head)
{
  return n_head > 376 && head[0] == 0x47 && head[188] == 0x47 && head[376] == 0x47;
}

static bool
is_jpeg_stream (const char *location, const uint8_t *head, size_t n_head)
{
  g_autofree char *name = g_ascii_strdown (location, -1);

  for (size_t i = 0; i < G_N_ELEMENTS (jpeg_stream_names); i++)
    if (g_str_has_suffix (name, jpeg_stream_names[i]))
      return n_head >= 3 && memcmp (head, "\xff\xd8\xff", 3) == 0;
  return false;
}

// From the first bytes, as in `probe` of a source, without GStreamer. Any thread.
static bool
odl_video_type_is_known (const char *location, const uint8_t *head, size_t n_head)
{
  if (g_strcmp0 (odl_still_format (head, n_head), "avif") == 0)
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (still_brands); i++)
    if (n_head >= 12 && memcmp (head + 4, "ftyp", 4) == 0
        && memcmp (head + 8, still_brands[i], 4) == 0)
      return false;
  for (size_t i = 0; i < G_N_ELEMENTS (signatures); i++)
    if (n_head >= signatures[i].offset + signatures[i].n_bytes
        && memcmp (head + signatures[i].offset, signatures[i].bytes,
                   signatures[i].n_bytes)
               == 0)
      return true;
  return is_transport_stream (head, n_head) || is_jpeg_stream (location, head, n_head);
}

// With GStreamer's type finders on the first 64 KiB, in a helper process. May be slow:
// not on the main thread. False also if the file cannot be read.
static bool
odl_video_type_is_recognised (const char *location, GCancellable *cancellable)
{
  OdlSourceFile file;

  if (!odl_source_file_open (location, &file, NULL))
    return false;
  const bool yes = odl_video_client_recognise (file.fd, cancellable);
  close (file.fd);
  return yes;
}

// The word of a header line that begins with `letter`, without it; NULL: there is none.
static char *
word_of (const char *line, char letter)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  for (int i = 1; words[0] != NULL && words[i] != NULL; i++)
    if (words[i][0] == letter)
      return g_strdup (words[i] + 1);
  return NULL;
}

// Whether GStreamer reads the samples of an open file as what they are. Its reader of Y4M
// takes samples of more than 8 bits for bytes, without a word. ODL_ERROR_UNSUPPORTED; the
// message completes "Cannot open FILE: …".
static bool
odl_video_type_is_understood (int fd, GError **error)
{
  static const char *const understood[]
      = { "420", "420jpeg", "420mpeg2", "420paldv", "422", "444", NULL };
  char head[ODL_SOURCE_HEAD_BYTES + 1] = "";
  const ssize_t n = pread (fd, head, ODL_SOURCE_HEAD_BYTES, 0);

  if (n <= 0 || !g_str_has_prefix (head, "YUV4MPEG2 "))
    return true;
  head[strcspn (head, "\n")] = '\0';
  g_autofree char *samples = word_of (head, 'C');
  if (samples == NULL || g_strv_contains (understood, samples))
    return true;
  g_autofree char *shown = g_utf8_make_valid (samples, -1);
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("its samples are of the kind “%.40s”; of Y4M only 4:2:0, 4:2:2 "
         "and 4:4:4 of 8 bits are read"),
      shown);
}

// Containers with an exact duration. Others use a clock that stops before the last
// frames or an estimate; the true end is found while reading.
static const char *const exact_containers[] = { "MP4/M4A", "Quicktime", "AVI", "Ogg" };
#define SLACK_S 1.0

// A video is considered truncated if more frames are missing than this fraction of its
// duration plus this number of frames; plus these seconds, if another stream may be
// longer or the duration is estimated.
#define MISSING_PART 0.05
#define MISSING_FRAMES 2
#define MISSING_S 2.0

// Matroska's Duration lies within this range, if present.
#define MATROSKA_HEAD_BYTES 4096

typedef struct {
  OdlSource base;
  OdlVideoReader *reader;
  double slack_frames; // tolerated difference from the declared number
  int fd; // the file being played, even if it is renamed; −1: none
} VideoSource;

// ---- Frames ----

// The end was reached: the number of frames is now known. Set only on a request beyond
// the end, which otherwise would be rejected as invalid.
static void
learn_end (VideoSource *self)
{
  const int64_t last_ns = odl_video_reader_last_ns (self->reader);
  const double rate = odl_video_reader_rate (self->reader, NULL);

  if (last_ns < 0)
    return;
  const double last = ceil ((double) last_ns * rate / GST_SECOND - 0.501);
  int n = (int) CLAMP (last + 1, 1, G_MAXINT), n_times;
  const int64_t *times = odl_video_reader_times (self->reader, &n_times);
  if (self->base.info.frame_times_ns != NULL)
    for (n = 1; n < n_times && times[n] <= last_ns; n++)
      ;
  self->base.info.n_frames = times != NULL ? MIN (n, n_times) : n;
  self->base.info.at_most = false;
}

// The middle of the frame, or of an interval of it.
static int64_t
time_of (const VideoSource *self, int64_t index)
{
  const int64_t *times = self->base.info.frame_times_ns;
  const double interval_ns = GST_SECOND / odl_video_reader_rate (self->reader, NULL);
  int n;

  odl_video_reader_times (self->reader, &n);
  if (times == NULL)
    return (int64_t) (((double) index + 0.5) * interval_ns);
  if (index >= n)
    return times[n];
  return times[index] + MIN (times[index + 1] - times[index], (int64_t) interval_ns) / 2;
}

// Many containers do not signal truncation.
static void
tell_missing (const VideoSource *self, GError **error)
{
  const OdlSourceInfo *info = &self->base.info;
  const double missing = info->declared_frames - info->n_frames;

  if (*(*error)->message != '\0' || missing < MISSING_PART * info->declared_frames
      || missing < self->slack_frames)
    return;
  g_clear_error (error);
  g_set_error (error, ODL_ERROR, ODL_ERROR_END,
               _ ("%s ends after %d of %d frames; the file seems to be cut off"),
               info->name, info->n_frames, info->declared_frames);
}

static OdlImage *
video_read_frame (OdlSource *source,
                  int64_t index,
                  GCancellable *cancellable,
                  GError **error)
{
  VideoSource *self = (VideoSource *) source;
  GError *cause = NULL;
  OdlImage *image
      = odl_video_reader_at (self->reader, time_of (self, index), cancellable, &cause);

  if (image == NULL && g_error_matches (cause, ODL_ERROR, ODL_ERROR_END)) {
    learn_end (self);
    tell_missing (self, &cause);
  }
  if (image == NULL)
    g_propagate_error (error, cause);
  return image;
}

// ---- Opening ----

// Matroska's Duration: an element of 4 or 8 bytes.
static bool
has_matroska_duration (int fd)
{
  uint8_t head[MATROSKA_HEAD_BYTES];
  const ssize_t n = fd >= 0 ? pread (fd, head, sizeof head, 0) : 0;

  for (ssize_t i = 0; i + 2 < n; i++)
    if (head[i] == 0x44 && head[i + 1] == 0x89
        && (head[i + 2] == 0x84 || head[i + 2] == 0x88))
      return true;
  return false;
}

static bool
is_one_of (const char *container, const char *const *names, size_t n)
{
  for (size_t i = 0; container != NULL && i < n; i++)
    if (strstr (container, names[i]) != NULL)
      return true;
  return false;
}

static bool
is_exact (const VideoSource *self, const char *container)
{
  return is_one_of (container, exact_containers, G_N_ELEMENTS (exact_containers))
         || has_matroska_duration (self->fd);
}

// True for files whose header was never completed (browsers, killed recorders); the
// demuxer then reports as duration how far it has read.
static bool
is_endless (const VideoSource *self, const char *container)
{
  static const char *const names[] = { "Matroska", "WebM" };

  return is_one_of (container, names, G_N_ELEMENTS (names))
         && !has_matroska_duration (self->fd);
}

// Whether the file says that it lasts longer than what is stored in it.
static bool
is_cut_off (const VideoSource *self, int64_t duration_ns)
{
  const int64_t stored_ns = odl_video_reader_stored_ns (self->reader);
  int n;
  const int64_t *times = odl_video_reader_times (self->reader, &n);
  double longest_ns = n > 1 ? 0 : MISSING_S * (double) GST_SECOND;

  // The last frame may stay as long as any other, of one alone nothing is known.
  for (int i = 1; i < n; i++)
    longest_ns = MAX (longest_ns, (double) (times[i] - times[i - 1]));
  return stored_ns > 0
         && duration_ns - stored_ns
                > MISSING_PART * (double) duration_ns + MISSING_FRAMES * longest_ns;
}

// What the container stores, unless that is only a part.
static bool
describe_stored (VideoSource *self, int64_t duration_ns, bool exact)
{
  OdlSourceInfo *info = &self->base.info;
  OdlVideoRateOrigin origin;
  int n;
  const int64_t *times = odl_video_reader_times (self->reader, &n);

  odl_video_reader_rate (self->reader, &origin);
  if (times == NULL
      || (exact && origin != ODL_VIDEO_RATE_MEAN && is_cut_off (self, duration_ns)))
    return false;
  info->n_frames = info->declared_frames = n;
  if (origin == ODL_VIDEO_RATE_MEAN)
    info->frame_times_ns = g_memdup2 (times, ((size_t) n + 1) * sizeof *times);
  return true;
}

static void
describe_time (VideoSource *self, const OdlVideoStream *stream, int64_t duration_ns)
{
  static const char *const timings[] = {
    [ODL_VIDEO_RATE_STATED] = N_ ("the video's frame rate"),
    [ODL_VIDEO_RATE_MEASURED] = N_ ("measured; the video does not say"),
    [ODL_VIDEO_RATE_ASSUMED] = N_ ("assumed; the video does not say"),
    [ODL_VIDEO_RATE_MEAN] = N_ ("each frame has a time of its own; the rate is the mean"),
  };
  OdlSourceInfo *info = &self->base.info;
  OdlVideoRateOrigin origin;

  info->frame_rate = odl_video_reader_rate (self->reader, &origin);
  info->timing = g_strdup (_ (timings[origin]));
  info->n_frames = 0;
  const bool exact = is_exact (self, stream->container);
  self->slack_frames = exact && !stream->has_others
                           ? MISSING_FRAMES
                           : MAX (MISSING_S * info->frame_rate, MISSING_FRAMES);
  if (is_endless (self, stream->container))
    odl_video_reader_set_endless (self->reader);
  else if (duration_ns > 0)
    odl_source_add_detail (&self->base, "duration-ms", "%.0f", duration_ns / 1e6);
  if (describe_stored (self, duration_ns, exact))
    return;
  if (duration_ns > 0 && !is_endless (self, stream->container)) {
    const double seconds = duration_ns / 1e9 + (exact ? 0 : SLACK_S);
    info->n_frames = (int) CLAMP (llround (seconds * info->frame_rate), 1, G_MAXINT);
    info->at_most = !exact;
  }
  learn_end (self);
  info->declared_frames = info->n_frames;
}

// Keys and values are English: programs read them.
static void
describe (VideoSource *self, const OdlVideoStream *stream, int64_t duration_ns)
{
  static const char *const turns[] = {
    [GST_VIDEO_ORIENTATION_90R] = "90 degrees clockwise",
    [GST_VIDEO_ORIENTATION_180] = "180 degrees",
    [GST_VIDEO_ORIENTATION_90L] = "90 degrees counterclockwise",
    [GST_VIDEO_ORIENTATION_HORIZ] = "mirrored left to right",
    [GST_VIDEO_ORIENTATION_VERT] = "mirrored top to bottom",
    [GST_VIDEO_ORIENTATION_UL_LR] = "mirrored about a diagonal",
    [GST_VIDEO_ORIENTATION_UR_LL] = "mirrored about a diagonal",
  };
  OdlSource *base = &self->base;
  const OdlGstFrameKind *kind = &stream->kind;
  const char *codec = stream->codec != NULL ? stream->codec : _ ("video");

  base->info.format = stream->container != NULL
                          ? g_strdup_printf (_ ("%s in %s"), codec, stream->container)
                          : g_strdup (codec);
  if (stream->container != NULL)
    odl_source_add_detail (base, "container", "%s", stream->container);
  if (stream->codec != NULL)
    odl_source_add_detail (base, "codec", "%s", stream->codec);
  describe_time (self, stream, duration_ns);
  odl_source_add_detail (base, "pixel-format", "%s", kind->format);
  odl_source_add_detail (base, "colorimetry", "%s, %s range",
                         *kind->colorimetry != '\0' ? kind->colorimetry : "unknown",
                         kind->full_range ? "full" : "limited");
  if (kind->interlaced)
    odl_source_add_detail (base, "interlaced", "%s", "yes; the upper fields are shown");
  if ((size_t) stream->turn < G_N_ELEMENTS (turns) && turns[stream->turn] != NULL)
    odl_source_add_detail (base, "turned", "%s", turns[stream->turn]);
}

static void
video_close (OdlSource *source)
{
  VideoSource *self = (VideoSource *) source;

  odl_video_reader_free (self->reader);
  if (self->fd >= 0)
    g_close (self->fd, NULL);
}

static bool
take_pipeline (VideoSource *self,
               OdlVideoPipeline *pipeline,
               GCancellable *cancellable,
               GError **error)
{
  if (pipeline == NULL)
    return false;
  const int64_t duration_ns = odl_video_pipeline_duration_ns (pipeline);
  self->reader = odl_video_reader_new (pipeline, cancellable, error);
  if (self->reader != NULL)
    describe (self, &pipeline->stream, duration_ns);
  return self->reader != NULL;
}

static VideoSource *
new_source (const char *location)
{
  VideoSource *self = g_new0 (VideoSource, 1);

  odl_source_init (&self->base, &odl_video_source, location);
  self->fd = -1;
  return self;
}

OdlSource *
odl_video_source_open_fd (const char *location,
                          int fd,
                          GCancellable *cancellable,
                          GError **error)
{
  VideoSource *self = new_source (location);

  self->fd = fd;
  OdlVideoPipeline *pipeline = odl_video_client_open (fd, cancellable, error);
  if (take_pipeline (self, pipeline, cancellable, error))
    return &self->base;
  odl_source_unref (&self->base);
  return NULL;
}

// Rejects pipes and devices. The helper reads the file opened here, even if its name
// changes.
static OdlSource *
video_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlSourceFile file;
  OdlSource *source = NULL;

  if (odl_source_file_open (location, &file, error)) {
    if (odl_video_type_is_understood (file.fd, error))
      source = odl_video_source_open_fd (location, file.fd, cancellable, error);
    else
      close (file.fd);
  }
  if (source == NULL)
    odl_source_file_name_error (location, error);
  return source;
}

OdlImage *
odl_video_source_glance (const char *location, GCancellable *cancellable, GError **error)
{
  OdlVideoFrame frame = { 0 };
  OdlSourceFile file;

  if (!odl_source_file_open (location, &file, error))
    return NULL;
  OdlVideoPipeline *pipeline = odl_video_client_open (file.fd, cancellable, error);
  if (pipeline != NULL && !odl_video_pipeline_next (pipeline, &frame, cancellable, error))
    frame.image = NULL;
  odl_video_pipeline_close (pipeline);
  g_close (file.fd, NULL);
  return frame.image;
}

OdlSource *
odl_video_source_new (OdlVideoPipeline *pipeline,
                      GCancellable *cancellable,
                      GError **error)
{
  VideoSource *self = new_source ("pipeline");

  if (take_pipeline (self, pipeline, cancellable, error))
    return &self->base;
  odl_source_unref (&self->base);
  return NULL;
}

static const char *const examples[]
    = { "*.mp4",  "*.m4v", "*.mov",   "*.mkv",  "*.webm", "*.avi",  "*.mpg", "*.mpeg",
        "*.mpe",  "*.m2v", "*.vob",   "*.ts",   "*.mts",  "*.m2ts", "*.ogv", "*.ogg",
        "*.flv",  "*.wmv", "*.asf",   "*.y4m",  "*.3gp",  "*.mxf",  "*.dv",  "*.h264",
        "*.h265", "*.264", "*.mjpeg", "*.mjpg", NULL };

const OdlSourceClass odl_video_source = {
  .name = "video",
  .description = N_ ("Video file: what the installed GStreamer plugins decode"),
  .examples = examples,
  .probe = odl_video_type_is_known,
  .recognise = odl_video_type_is_recognised,
  .open = video_open,
  .close = video_close,
  .read_frame = video_read_frame,
};
