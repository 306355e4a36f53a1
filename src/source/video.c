// SPDX-License-Identifier: MIT
// A video as a sequence of frames at its nominal rate: frame i is what is on screen at
// the middle of the i-th interval. Where a stream's rate varies, a frame that stays
// longer counts several times.
#include "config.h"

#include "source/video.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "source/source_file.h"
#include "source/video_pipeline.h"

// For streams that do not say how fast they are.
#define DEFAULT_RATE 30.0

// Frames this far ahead are sought, not decoded one after the other.
#define FAR_AHEAD_NS (2 * (int64_t) GST_SECOND)

typedef struct {
  OdlSource base;
  OdlVideoPipeline *pipeline;
  double rate;
  int64_t start_ns; // stream time of frame 0
  OdlImage *held; // on screen from its own time until that of `coming`
  OdlImage *coming; // NULL: not decoded yet, or the end
  bool ended; // `held` is the last frame
  bool seekable;
  int64_t counted; // frames since the start or the last seek, for streams without times
} VideoSource;

// What a file begins with.
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

// Still pictures in the same container.
static const char *const still_brands[] = { "avif", "avis", "heic", "heix", "mif1" };

static bool
is_transport_stream (const uint8_t *head, size_t n_head)
{
  return n_head > 376 && head[0] == 0x47 && head[188] == 0x47 && head[376] == 0x47;
}

static bool
video_probe (const char *location, const uint8_t *head, size_t n_head)
{
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
  return is_transport_stream (head, n_head);
}

// ---- Frames ----

// Decodes one frame. Frames that come without a time get one by their number.
static OdlImage *
decode_next (VideoSource *self, GCancellable *cancellable, GError **error)
{
  GstSample *sample = odl_video_pipeline_next (self->pipeline, cancellable, error);

  if (sample == NULL)
    return NULL;
  OdlImage *image = odl_gst_frame_image (sample, error);
  gst_sample_unref (sample);
  if (image == NULL)
    return NULL;
  const int64_t number = self->counted++;
  if (odl_image_info (image)->pts_ns >= 0)
    return image;
  OdlImageInfo info = *odl_image_info (image);
  info.pts_ns = (int64_t) ((double) number * GST_SECOND / self->rate);
  OdlImage *timed = odl_image_with_info (image, &info);
  odl_image_unref (image);
  return timed;
}

// Since frame 0.
static int64_t
time_of (const VideoSource *self, const OdlImage *image)
{
  return odl_image_info (image)->pts_ns - self->start_ns;
}

static void
forget_frames (VideoSource *self)
{
  g_clear_pointer (&self->held, odl_image_unref);
  g_clear_pointer (&self->coming, odl_image_unref);
  self->ended = false;
  self->counted = 0;
}

static void
go_to (VideoSource *self, int64_t time_ns)
{
  forget_frames (self);
  if (self->seekable
      && odl_video_pipeline_seek (self->pipeline, time_ns + self->start_ns))
    return;
  self->seekable = false;
  odl_video_pipeline_restart (self->pipeline);
}

// The end was reached before `time_ns`: it is known now how many frames there are.
static void
set_end (VideoSource *self, GError **error, GError *cause)
{
  const int64_t last_ns = self->held != NULL ? time_of (self, self->held) : 0;
  const double frames = (double) last_ns * self->rate / GST_SECOND;

  self->base.info.n_frames = (int) CLAMP (llround (frames) + 1, 1, G_MAXINT);
  g_propagate_error (error, cause);
}

// Decodes until it is known which frame is on screen at `time_ns`.
static bool
decode_until (VideoSource *self,
              int64_t time_ns,
              GCancellable *cancellable,
              GError **error)
{
  while (!self->ended
         && (self->coming == NULL || time_of (self, self->coming) <= time_ns)) {
    if (self->coming != NULL) {
      g_clear_pointer (&self->held, odl_image_unref);
      self->held = g_steal_pointer (&self->coming);
    }
    GError *cause = NULL;
    OdlImage *image = decode_next (self, cancellable, &cause);
    if (image != NULL && self->held != NULL
        && time_of (self, image) <= time_of (self, self->held)) {
      // Time stands still or goes back: the newest frame counts.
      odl_image_unref (self->held);
      self->held = image;
    } else if (image != NULL && self->held == NULL) {
      self->held = image;
    } else if (image != NULL) {
      self->coming = image;
    } else if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_END) && self->held != NULL) {
      self->ended = true;
      set_end (self, NULL, cause);
    } else {
      g_propagate_error (error, cause);
      return false;
    }
  }
  return true;
}

// Seeking beyond the end gives nothing to learn it from: goes on from `known_ns`, where
// there was a frame.
static bool
find_end (VideoSource *self,
          int64_t known_ns,
          int64_t time_ns,
          GCancellable *cancellable,
          GError **error)
{
  g_clear_error (error);
  go_to (self, known_ns);
  return decode_until (self, time_ns, cancellable, error);
}

static OdlImage *
video_read_frame (OdlSource *source,
                  int64_t index,
                  GCancellable *cancellable,
                  GError **error)
{
  VideoSource *self = (VideoSource *) source;
  const int64_t time_ns = (int64_t) (((double) index + 0.5) * GST_SECOND / self->rate);
  const int64_t known_ns = self->held != NULL ? time_of (self, self->held) : 0;
  const bool far = self->held != NULL && time_ns > known_ns + FAR_AHEAD_NS;
  const bool back = self->held != NULL && time_ns < known_ns;
  GError *cause = NULL;

  if (back || (far && self->seekable && !self->ended))
    go_to (self, (int64_t) ((double) index * GST_SECOND / self->rate));
  bool done = decode_until (self, time_ns, cancellable, &cause);
  if (!done && far && g_error_matches (cause, ODL_ERROR, ODL_ERROR_END))
    done = find_end (self, known_ns, time_ns, cancellable, &cause);
  if (!done) {
    g_propagate_error (error, cause);
    return NULL;
  }
  if (self->ended && index >= source->info.n_frames) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_END, "");
    return NULL;
  }
  return odl_image_ref (self->held);
}

// ---- Opening ----

static void
describe (VideoSource *self, double rate)
{
  OdlSourceInfo *info = &self->base.info;
  const int64_t duration_ns = odl_video_pipeline_duration_ns (self->pipeline);

  self->rate = rate > 0 ? CLAMP (rate, 1, 1000) : DEFAULT_RATE;
  g_free (info->format);
  info->format = g_strdup (odl_video_pipeline_format (self->pipeline));
  info->frame_rate = self->rate;
  info->timing = g_strdup (rate > 0 ? _ ("the video's frame rate")
                                    : _ ("assumed; the video does not say"));
  info->n_frames = 0;
  if (duration_ns > 0) {
    const double frames = (double) duration_ns * self->rate / GST_SECOND;
    info->n_frames = (int) CLAMP (llround (frames), 1, G_MAXINT);
    odl_source_add_detail (&self->base, "duration-ms", "%.0f", duration_ns / 1e6);
  }
  info->declared_frames = info->n_frames;
}

static void
video_close (OdlSource *source)
{
  VideoSource *self = (VideoSource *) source;

  forget_frames (self);
  odl_video_pipeline_close (self->pipeline);
}

static char *
uri_of (const char *location, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (location, NULL);

  return g_filename_to_uri (path, NULL, error);
}

static bool
open_pipeline (VideoSource *self,
               const char *location,
               GCancellable *cancellable,
               GError **error)
{
  g_autofree char *uri = NULL;
  OdlSourceFile file;

  // A pipe or a device would block GStreamer.
  if (!odl_source_file_open (location, &file, error))
    return false;
  g_close (file.fd, NULL);
  uri = uri_of (location, error);
  if (uri == NULL || !odl_gst_start (error))
    return false;
  self->pipeline = odl_video_pipeline_open (uri, cancellable, error);
  if (self->pipeline == NULL)
    return false;
  GstSample *sample = odl_video_pipeline_next (self->pipeline, cancellable, error);
  if (sample == NULL)
    return false;
  const double rate = odl_gst_frame_rate (sample);
  self->held = odl_gst_frame_image (sample, error);
  gst_sample_unref (sample);
  self->counted = 1;
  if (self->held == NULL)
    return false;
  self->start_ns = MAX (odl_image_info (self->held)->pts_ns, 0);
  describe (self, rate);
  return true;
}

static OdlSource *
video_open (const char *location, GCancellable *cancellable, GError **error)
{
  VideoSource *self = g_new0 (VideoSource, 1);

  odl_source_init (&self->base, &odl_video_source, location);
  self->seekable = true;
  if (open_pipeline (self, location, cancellable, error))
    return &self->base;
  odl_source_file_name_error (location, error);
  odl_source_unref (&self->base);
  return NULL;
}

static const char *const examples[]
    = { "*.mp4", "*.m4v", "*.mov", "*.mkv", "*.webm", "*.avi", "*.mpg", "*.mpeg", "*.mpe",
        "*.m2v", "*.ts",  "*.ogv", "*.ogg", "*.flv",  "*.wmv", "*.asf", "*.y4m",  NULL };

const OdlSourceClass odl_video_source = {
  .name = "video",
  .description = N_ ("Video file: what the installed GStreamer plugins decode"),
  .examples = examples,
  .probe = video_probe,
  .open = video_open,
  .close = video_close,
  .read_frame = video_read_frame,
};
