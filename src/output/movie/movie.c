// SPDX-License-Identifier: MIT
#include "config.h"

#include "base/parallel.h"
#include "image/image.h"
#include "output/movie/codec.h"
#include "output/movie/movie.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#include "output/movie/remux.h"

// RGB to YCbCr for encoders: ITU-R BT.709-6, table 3, BT.601-7, section 2.5, or
// BT.2020-2, table 4; 8 bits, black 16, white 235. GStreamer 1.22's conversion has a
// bias of up to 3 of 255.

// The matrix.
typedef enum {
  ODL_LUMA_BT709,
  ODL_LUMA_BT601,
  ODL_LUMA_BT2020,
  ODL_N_LUMAS,
} OdlLuma;

// The destination planes. `shift` 0: full chroma resolution; 1: one chroma sample per
// 2 × 2 pixels, sited on the left pixels (as MPEG-2). Plane 0 has width × height
// samples, the others half as many per side with `shift`, rounded up.
typedef struct {
  uint8_t *planes[3];
  size_t stride_bytes[3];
  int width, height;
  int shift;
  OdlLuma luma;
} OdlLumaPlanes;

// Fixed-point coefficients (1/65536) for 219 luma steps and 224 chroma steps.
#define FIXED(x) ((int32_t) ((x) *65536.0 + ((x) < 0 ? -0.5 : 0.5)))
#define Y_STEP (219.0 / 255)
#define DIFFERENCE_STEP(k) (224.0 / 255 / (2 * (1 - (k))))
#define ROW(r, g, b) \
  { \
    FIXED (r), FIXED (g), FIXED (b) \
  }
#define Y_ROW(r, g, b) ROW (r *Y_STEP, g *Y_STEP, b *Y_STEP)
#define CB_ROW(r, g, b) \
  ROW (-r *DIFFERENCE_STEP (b), -g *DIFFERENCE_STEP (b), (1 - b) * DIFFERENCE_STEP (b))
#define CR_ROW(r, g, b) \
  ROW ((1 - r) * DIFFERENCE_STEP (r), -g * DIFFERENCE_STEP (r), -b * DIFFERENCE_STEP (r))
#define WEIGHTS(r, g, b) \
  { \
    Y_ROW (r, g, b), CB_ROW (r, g, b), CR_ROW (r, g, b) \
  }
#define HALF 32768

static const int32_t weights[ODL_N_LUMAS][3][3] = {
  [ODL_LUMA_BT709] = WEIGHTS (0.2126, 0.7152, 0.0722),
  [ODL_LUMA_BT601] = WEIGHTS (0.299, 0.587, 0.114),
  [ODL_LUMA_BT2020] = WEIGHTS (0.2627, 0.678, 0.0593),
};
static const int32_t offsets[3] = { 16, 128, 128 };

static const uint8_t *
row_of (const OdlImageInfo *info, int y)
{
  const OdlPlane *plane = &info->planes[0];

  return (const uint8_t *) plane->data
         + (size_t) MIN (y, info->extent.y - 1) * plane->row_stride_bytes;
}

static void
fill_grey_row (const OdlLumaPlanes *to, const OdlImageInfo *from, int y)
{
  const uint8_t *row = row_of (from, y);
  uint8_t *out = to->planes[0] + (size_t) y * to->stride_bytes[0];
  const int width = MIN (from->extent.x, to->width);

  for (int x = 0; x < width; x++)
    out[x] = (uint8_t) (16 + (219 * row[x] + 127) / 255);
  memset (out + width, out[width - 1], (size_t) (to->width - width));
}

// One plane's row; `sum` (3 values per pixel) is scaled by 2^scale_bits.
static void
fill_row (uint8_t *out,
          OdlLuma luma,
          int which,
          const uint16_t *sum,
          int n,
          int scale_bits)
{
  const int32_t *w = weights[luma][which];
  const int32_t round = (HALF << scale_bits) + (offsets[which] << (16 + scale_bits));

  for (int x = 0; x < n; x++) {
    const uint16_t *rgb = sum + (size_t) 3 * x;
    out[x] = (uint8_t) ((w[0] * rgb[0] + w[1] * rgb[1] + w[2] * rgb[2] + round)
                        >> (16 + scale_bits));
  }
}

// Reads red, green and blue of a row; repeats the last pixel.
static void
load_row (const OdlImageInfo *from, int y, int width, uint16_t *rgb)
{
  const uint8_t *row = row_of (from, y);
  const int step = from->channels;

  for (int x = 0; x < width; x++) {
    const uint8_t *pixel = row + (size_t) MIN (x, from->extent.x - 1) * step;
    for (int c = 0; c < 3; c++)
      rgb[(size_t) 3 * x + c] = pixel[c];
  }
}

// Chroma subsampling: 8 times the weighted mean around every second pixel of two rows
// (1 2 1 along x, 1 1 along y).
static void
gather (const uint16_t *upper, const uint16_t *lower, int width, uint16_t *sum)
{
  for (int i = 0; 2 * i < width; i++)
    for (int c = 0; c < 3; c++) {
      const int x = 2 * i, left = MAX (x - 1, 0), right = MIN (x + 1, width - 1);
      sum[(size_t) 3 * i + c]
          = (uint16_t) (upper[3 * left + c] + lower[3 * left + c]
                        + 2 * (upper[3 * x + c] + lower[3 * x + c]) + upper[3 * right + c]
                        + lower[3 * right + c]);
    }
}

static void
fill_colour_rows (const OdlLumaPlanes *to, const OdlImageInfo *from, int pair)
{
  const int rows = 1 << to->shift;
  const int first = pair * rows;
  const int chroma_width = (to->width + to->shift) >> to->shift;
  g_autofree uint16_t *rgb = g_new (uint16_t, (size_t) 3 * to->width * rows);
  g_autofree uint16_t *sum = g_new (uint16_t, (size_t) 3 * chroma_width);

  for (int i = 0; i < rows; i++) {
    uint16_t *row = rgb + (size_t) 3 * to->width * i;
    load_row (from, MIN (first + i, to->height - 1), to->width, row);
    if (first + i < to->height)
      fill_row (to->planes[0] + (size_t) (first + i) * to->stride_bytes[0], to->luma, 0,
                row, to->width, 0);
  }
  if (to->shift != 0)
    gather (rgb, rgb + (size_t) 3 * to->width, to->width, sum);
  for (int c = 1; c < 3; c++)
    fill_row (to->planes[c] + (size_t) pair * to->stride_bytes[c], to->luma, c,
              to->shift != 0 ? sum : rgb, chroma_width, to->shift != 0 ? 3 : 0);
}

// `shown`: U8, interleaved, 1, 3 or 4 channels (alpha is ignored), of the same size or
// smaller; its last column and row are repeated. Any thread.
static void
odl_luma_fill (const OdlLumaPlanes *planes, const OdlImage *shown)
{
  const OdlImageInfo *from = odl_image_info (shown);
  const int pairs = (planes->height + planes->shift) >> planes->shift;

  if (from->channels == 1) {
    for (int c = 1; c < 3; c++)
      memset (planes->planes[c], 128, planes->stride_bytes[c] * (size_t) pairs);
    ODL_PARALLEL_FOR
    for (int y = 0; y < planes->height; y++)
      fill_grey_row (planes, from, y);
    return;
  }
  ODL_PARALLEL_FOR
  for (int pair = 0; pair < pairs; pair++)
    fill_colour_rows (planes, from, pair);
}

// Pictures as GStreamer buffers in the format that suits the codec.

// Properties of the whole stream.
typedef struct {
  int width, height; // of the stream, including padding
  int par_n, par_d; // pixel aspect
  bool limited; // 16 … 235 instead of full range
  bool pad; // pad both sides to even numbers
  const char *encoded; // the encoder's raw format
  OdlLuma luma; // if limited
  char colorimetry[32]; // GStreamer's text form; empty: not signalled
} OdlMovieFormat;

// The source's matrix, transfer and primaries if the matrix is one of those above; else
// BT.709.
static void
choose_colours (OdlMovieFormat *format, const OdlCodec *codec, const char *source)
{
  static const struct {
    GstVideoColorMatrix matrix;
    OdlLuma luma;
    const char *usual;
  } rows[] = {
    { GST_VIDEO_COLOR_MATRIX_BT709, ODL_LUMA_BT709, GST_VIDEO_COLORIMETRY_BT709 },
    { GST_VIDEO_COLOR_MATRIX_BT601, ODL_LUMA_BT601, GST_VIDEO_COLORIMETRY_BT601 },
    { GST_VIDEO_COLOR_MATRIX_BT2020, ODL_LUMA_BT2020, GST_VIDEO_COLORIMETRY_BT2020 },
  };
  g_auto (GStrv) words = g_strsplit (source != NULL ? source : "", ",", 2);
  GstVideoColorimetry kept = { 0 }, usual = { 0 };
  size_t row = 0;

  if (codec->bt601)
    kept.matrix = GST_VIDEO_COLOR_MATRIX_BT601;
  else if (words[0] != NULL)
    gst_video_colorimetry_from_string (&kept, words[0]);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].matrix == kept.matrix)
      row = i;
  gst_video_colorimetry_from_string (&usual, rows[row].usual);
  if (kept.matrix != usual.matrix || kept.transfer == GST_VIDEO_TRANSFER_UNKNOWN)
    kept.transfer = usual.transfer;
  if (kept.matrix != usual.matrix || kept.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
    kept.primaries = usual.primaries;
  kept.matrix = usual.matrix;
  kept.range = GST_VIDEO_COLOR_RANGE_16_235;
  g_autofree char *text = gst_video_colorimetry_to_string (&kept);
  g_strlcpy (format->colorimetry, text, sizeof format->colorimetry);
  format->luma = rows[row].luma;
}

// Chooses the format for pictures like `shown`; `colorimetry` is the source's (NULL:
// unknown). Returns a note if pictures have to be padded, else NULL. Translated,
// transfer full.
static char *
odl_movie_format_init (OdlMovieFormat *format,
                       const OdlCodec *codec,
                       OdlQuality quality,
                       const char *colorimetry,
                       const OdlImage *shown)
{
  const OdlImageInfo *info = odl_image_info (shown);
  const bool lossless = quality == ODL_QUALITY_LOSSLESS;
  const bool odd = info->extent.x % 2 != 0 || info->extent.y % 2 != 0;
  const char *lossless_format = info->channels > 1             ? "BGRx"
                                : info->type == ODL_SAMPLE_U16 ? "GRAY16_LE"
                                                               : "GRAY8";

  *format = (OdlMovieFormat){
    .width = info->extent.x,
    .height = info->extent.y,
    .limited = !lossless,
    .pad = odd && codec->even && !lossless,
    .encoded = lossless ? lossless_format : "I420",
  };
  if (!lossless)
    choose_colours (format, codec, colorimetry);
  gst_util_double_to_fraction (info->pixel_aspect, &format->par_n, &format->par_d);
  if (!format->pad)
    return NULL;
  format->width += format->width % 2;
  format->height += format->height % 2;
  return g_strdup_printf (_ ("%s supports only even sizes: the last column or row is "
                             "repeated, %d×%d becomes %d×%d"),
                          codec->title, info->extent.x, info->extent.y, format->width,
                          format->height);
}

static GstBuffer *
luma_buffer (const OdlImage *shown, OdlLuma luma, const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  OdlLumaPlanes planes = { .width = info->width,
                           .height = info->height,
                           .shift = GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, 1),
                           .luma = luma };
  GstMapInfo map;

  if (buffer == NULL || !gst_buffer_map (buffer, &map, GST_MAP_WRITE)) {
    g_clear_pointer (&buffer, gst_buffer_unref);
    return NULL;
  }
  for (int i = 0; i < 3; i++) {
    planes.planes[i] = map.data + info->offset[i];
    planes.stride_bytes[i] = (size_t) info->stride[i];
  }
  odl_luma_fill (&planes, shown);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
unref_cb (void *image)
{
  odl_image_unref (image);
}

static GstBuffer *
wrapped_buffer (OdlImage *image, GstVideoInfo *info)
{
  const OdlImageInfo *from = odl_image_info (image);
  const size_t stride = from->planes[0].row_stride_bytes;
  const size_t size = stride * from->extent.y;
  GstBuffer *buffer = gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY,
                                                   (void *) from->planes[0].data, size, 0,
                                                   size, odl_image_ref (image), unref_cb);

  info->stride[0] = (int) stride;
  info->size = size;
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
                                  GST_VIDEO_INFO_FORMAT (info), info->width, info->height,
                                  1, info->offset, info->stride);
  return buffer;
}

static GstVideoFormat
lossless_format (const OdlImageInfo *info)
{
  if (info->channels == 1)
    return info->type == ODL_SAMPLE_U16 ? GST_VIDEO_FORMAT_GRAY16_LE
                                        : GST_VIDEO_FORMAT_GRAY8;
  return info->channels == 3 ? GST_VIDEO_FORMAT_RGB : GST_VIDEO_FORMAT_RGBx;
}

// Converts a picture and sets *info (without a frame rate): the samples themselves for
// the lossless codec, else YCbCr. Transfer full. ODL_ERROR_TOO_LARGE.
static GstBuffer *
odl_movie_frame_buffer (OdlImage *shown,
                        const OdlMovieFormat *format,
                        GstVideoInfo *info,
                        GError **error)
{
  const OdlImageInfo *from = odl_image_info (shown);
  const int pad = format->pad ? 1 : 0;
  const GstVideoFormat raw = format->limited
                                 ? gst_video_format_from_string (format->encoded)
                                 : lossless_format (from);

  if (!gst_video_info_set_format (info, raw, from->extent.x + (from->extent.x & pad),
                                  from->extent.y + (from->extent.y & pad)))
    return odl_error_null (
        error, ODL_ERROR_TOO_LARGE,
        _ ("A picture of %d×%d is too large for a video; write numbered PNG files."),
        from->extent.x, from->extent.y);
  gst_util_double_to_fraction (from->pixel_aspect, &info->par_n, &info->par_d);
  if (format->limited)
    gst_video_colorimetry_from_string (&info->colorimetry, format->colorimetry);
  GstBuffer *buffer = format->limited ? luma_buffer (shown, format->luma, info)
                                      : wrapped_buffer (shown, info);
  if (buffer == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("There is not enough memory to write the video."));
  return buffer;
}

// Frames queued for the encoder.
#define MAX_WAITING 4

// Poll interval for room in the queue and for errors.
#define POLL_NS ((GstClockTime) GST_MSECOND)

// Matroska's timestamp unit. It limits a cluster to 3.2 s, which the muxer respects.
#define TIME_SCALE_NS 100000

// Duration of a first picture that nothing follows.
#define FIRST_NS ((int64_t) 40000000)

struct _OdlMovie {
  OdlMovieParams params;
  char *description;
  char *colorimetry;
  OdlOutput output;
  GstElement *pipeline; // NULL before the first picture
  GstAppSrc *in;
  GstBus *bus;
  OdlMovieFormat format; // of the first picture
  GstCaps *caps; // of the last picture
  OdlImage *pending; // its duration is not known yet
  int64_t pending_ns;
  int64_t pending_duration_ns;
  // Of the last picture, since parsers of streams without a rate lose it; 0: it is not
  // there yet. Set before the picture is passed on.
  int64_t last_ns, last_duration_ns;
  char *note;
};

OdlMovie *
odl_movie_new (const char *path, const OdlMovieParams *params, GError **error)
{
  OdlMovie *movie = g_new0 (OdlMovie, 1);
  bool opened = params->survives ? odl_output_open_part (
                    params->guard, path, params->replace, &movie->output, error)
                : params->replace
                    ? odl_output_open (params->guard, path, &movie->output, error)
                    : odl_output_open_new (params->guard, path, &movie->output, error);

  if (opened && params->container == ODL_CONTAINER_MP4
      && !odl_output_make_seekable (&movie->output, error)) {
    odl_output_abandon (&movie->output);
    opened = false;
  }
  if (!opened) {
    g_free (movie);
    return NULL;
  }
  movie->params = *params;
  movie->description = g_strdup (params->description);
  movie->colorimetry = g_strdup (params->colorimetry);
  return movie;
}

void
odl_movie_describe (OdlMovie *movie, const char *description)
{
  g_free (movie->description);
  movie->description = g_strdup (description);
}

int
odl_movie_bits (const OdlMovie *movie, int channels)
{
  return movie->params.quality == ODL_QUALITY_LOSSLESS && channels == 1 ? 16 : 8;
}

const char *
odl_movie_note (const OdlMovie *movie)
{
  return movie->note;
}

int64_t
odl_movie_bytes (OdlMovie *movie)
{
  struct stat status;

  return fstat (movie->output.fd, &status) == 0 ? status.st_size : 0;
}

// ---- Errors ----

// GStreamer reports that writing failed but not why; writing to the file tells the
// errno.
static int
writing_errno (OdlMovie *movie)
{
  const off_t end = lseek (movie->output.fd, 0, SEEK_END);

  if (pwrite (movie->output.fd, "", 1, MAX (end, 0)) == 1)
    return 0;
  return errno == ESPIPE && write (movie->output.fd, "", 1) == 1 ? 0 : errno;
}

static void
set_error (OdlMovie *movie, GstMessage *message, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree char *details = NULL;
  const bool from_sink
      = message != NULL && GST_IS_OBJECT (GST_MESSAGE_SRC (message))
        && g_str_equal (GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), "out");

  if (message != NULL)
    gst_message_parse_error (message, &cause, &details);
  g_debug ("movie: %s: %s", cause != NULL ? cause->message : "the stream ended",
           details != NULL ? details : "");
  int code = from_sink ? writing_errno (movie) : 0;
  if (code == 0
      && g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT))
    code = ENOSPC;
  if (from_sink) {
    odl_output_set_error (&movie->output, code != 0 ? code : EIO, error);
    return;
  }
  g_autofree char *name = g_filename_display_name (movie->output.shown);
  g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
               _ ("%s: the encoder for %s reports an error: %s Choose another codec, or "
                  "write numbered PNG files."),
               name, movie->params.codec->title,
               cause != NULL ? cause->message : _ ("it ended early."));
}

// Waits up to `timeout` for a message that ends the stream; true if there was one.
// `error` is set unless it is the regular end.
static bool
poll_end (OdlMovie *movie, GstClockTime timeout, bool *finished, GError **error)
{
  GstMessage *message = gst_bus_timed_pop_filtered (movie->bus, timeout,
                                                    GST_MESSAGE_ERROR | GST_MESSAGE_EOS);

  if (message == NULL)
    return false;
  *finished = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (!*finished)
    set_error (movie, message, error);
  gst_message_unref (message);
  return true;
}

// ---- The pipeline ----

static char *
pipeline_text (const OdlMovie *movie)
{
  const OdlMovieFormat *format = &movie->format;
  g_autofree char *colorimetry
      = *format->colorimetry == '\0'
            ? g_strdup ("")
            : g_strdup_printf (",colorimetry=%s", format->colorimetry);

  return g_strdup_printf (
      "appsrc name=in format=time is-live=false ! videoconvert dither=none n-threads=2 "
      "! videoscale add-borders=true "
      "! video/x-raw,format=%s,width=%d,height=%d,pixel-aspect-ratio=%d/%d%s "
      "! %s %s ! matroskamux name=mux writing-app=\"Ondelette " ODL_VERSION "\" "
      "timecodescale=%d ! fdsink name=out sync=false",
      format->encoded, format->width, format->height, format->par_n, format->par_d,
      colorimetry, movie->params.codec->element,
      movie->params.codec->settings[movie->params.quality], TIME_SCALE_NS);
}

static void
set_tags (OdlMovie *movie, GstElement *mux)
{
  if (movie->description == NULL)
    return;
  gst_tag_setter_add_tags (GST_TAG_SETTER (mux), GST_TAG_MERGE_REPLACE, GST_TAG_COMMENT,
                           movie->description, NULL);
}

// What is in the place of the stream until it begins goes when that does.
static GstPadProbeReturn
begin_cb (GstPad *pad, GstPadProbeInfo *info, void *data)
{
  OdlMovie *movie = data;

  if (ftruncate (movie->output.fd, 0) != 0)
    g_debug ("movie: %s", g_strerror (errno));
  return GST_PAD_PROBE_REMOVE;
}

// The time of a buffer in the movie; some encoders count from a thousand hours on.
static int64_t
time_of (GstPad *pad, GstBuffer *buffer)
{
  g_autoptr (GstEvent) event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  const GstSegment *segment = NULL;

  if (event == NULL || !GST_BUFFER_PTS_IS_VALID (buffer))
    return -1;
  gst_event_parse_segment (event, &segment);
  const guint64 ns
      = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  return GST_CLOCK_TIME_IS_VALID (ns) ? (int64_t) ns : -1;
}

static GstPadProbeReturn
last_cb (GstPad *pad, GstPadProbeInfo *info, void *data)
{
  const OdlMovie *movie = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (movie->last_duration_ns <= 0 || time_of (pad, buffer) != movie->last_ns)
    return GST_PAD_PROBE_OK;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_DURATION (buffer) = (GstClockTime) movie->last_duration_ns;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

static void
watch_last (OdlMovie *movie, GstElement *mux)
{
  g_autoptr (GstPad) to = gst_element_get_static_pad (mux, "video_0");

  if (to != NULL)
    gst_pad_add_probe (to, GST_PAD_PROBE_TYPE_BUFFER, last_cb, movie, NULL);
}

static bool
start (OdlMovie *movie, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree char *text = pipeline_text (movie);
  const bool seekable = movie->output.whole;

  movie->pipeline
      = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &cause);
  if (movie->pipeline == NULL)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("A part of GStreamer that is needed to write videos is missing (%s). Install "
           "gstreamer1.0-plugins-good and -bad, or write numbered PNG files."),
        cause->message);
  movie->bus = gst_element_get_bus (movie->pipeline);
  GstElement *in = gst_bin_get_by_name (GST_BIN (movie->pipeline), "in");
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (movie->pipeline), "out");
  g_autoptr (GstElement) mux = gst_bin_get_by_name (GST_BIN (movie->pipeline), "mux");
  movie->in = GST_APP_SRC (in);
  g_object_set (out, "fd", movie->output.fd, NULL);
  g_object_set (mux, "streamable", !seekable, NULL);
  set_tags (movie, mux);
  watch_last (movie, mux);
  if (movie->params.survives && seekable) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (out, "sink");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
                       begin_cb, movie, NULL);
  }
  gst_element_set_state (movie->pipeline, GST_STATE_PLAYING);
  return true;
}

static bool
set_caps (OdlMovie *movie, GstVideoInfo *info)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);

  if (movie->caps != NULL && gst_caps_is_equal (movie->caps, caps))
    return true;
  gst_caps_replace (&movie->caps, caps);
  gst_app_src_set_caps (movie->in, caps);
  return true;
}

// Passes the pending picture to the encoder.
static bool
push_pending (OdlMovie *movie, int64_t duration_ns, GError **error)
{
  g_autoptr (OdlImage) image = g_steal_pointer (&movie->pending);
  GstVideoInfo info;
  bool finished;

  GstBuffer *buffer = odl_movie_frame_buffer (image, &movie->format, &info, error);
  if (buffer == NULL)
    return false;
  gst_util_double_to_fraction (movie->params.frame_rate, &info.fps_n, &info.fps_d);
  GST_BUFFER_PTS (buffer) = movie->pending_ns;
  GST_BUFFER_DURATION (buffer) = duration_ns;
  set_caps (movie, &info);
  while (gst_app_src_get_current_level_buffers (movie->in) >= MAX_WAITING)
    if (poll_end (movie, POLL_NS, &finished, error)) {
      gst_buffer_unref (buffer);
      if (finished)
        set_error (movie, NULL, error);
      return false;
    }
  if (gst_app_src_push_buffer (movie->in, buffer) == GST_FLOW_OK)
    return true;
  if (!poll_end (movie, 10 * GST_SECOND, &finished, error) || finished)
    set_error (movie, NULL, error);
  return false;
}

static void
stop (OdlMovie *movie)
{
  if (movie->pipeline != NULL)
    gst_element_set_state (movie->pipeline, GST_STATE_NULL);
  if (movie->in != NULL)
    gst_object_unref (movie->in);
  movie->in = NULL;
  g_clear_pointer (&movie->bus, gst_object_unref);
  g_clear_pointer (&movie->pipeline, gst_object_unref);
}

static bool
finish_stream (OdlMovie *movie, GError **error)
{
  bool finished = false;

  if (movie->pending == NULL) {
    g_autofree char *name = g_filename_display_name (movie->output.shown);
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: there is no picture to write; nothing was written"),
                          name);
  }
  movie->last_ns = movie->pending_ns;
  movie->last_duration_ns = movie->pending_duration_ns;
  if (!push_pending (movie, movie->pending_duration_ns, error))
    return false;
  gst_app_src_end_of_stream (movie->in);
  poll_end (movie, GST_CLOCK_TIME_NONE, &finished, error);
  return finished;
}

// Encoders hold back a dozen pictures or more, and one that stays is the only one for as
// long as it does. Until the stream begins, its part holds a whole stream of the first
// picture, so that a program that is killed leaves that. Best effort.
static void
write_first (OdlMovie *movie, OdlImage *shown)
{
  OdlMovie first = { .params = movie->params,
                     .description = movie->description,
                     .format = movie->format,
                     .pending = odl_image_ref (shown),
                     .pending_duration_ns = FIRST_NS };
  g_autoptr (GError) error = NULL;
  uint8_t bytes[1 << 14];
  ssize_t n = 0;
  off_t at = 0;

  first.params.survives = false;
  first.output = (OdlOutput){ .fd = memfd_create ("odl-first-picture", MFD_CLOEXEC),
                              .shown = movie->output.shown,
                              .whole = true };
  if (first.output.fd >= 0 && start (&first, &error) && finish_stream (&first, &error))
    while ((n = pread (first.output.fd, bytes, sizeof bytes, at)) > 0
           && pwrite (movie->output.fd, bytes, (size_t) n, at) == n)
      at += n;
  g_debug ("movie: first picture: %d bytes, %s", (int) at, error ? error->message : "");
  stop (&first);
  gst_caps_replace (&first.caps, NULL);
  odl_image_unref (first.pending);
  if (first.output.fd >= 0)
    close (first.output.fd);
}

bool
odl_movie_write (OdlMovie *movie,
                 OdlImage *shown,
                 int64_t time_ns,
                 int64_t duration_ns,
                 GError **error)
{
  if (shown == NULL) {
    movie->pending_duration_ns
        = MAX (movie->pending_duration_ns, time_ns + duration_ns - movie->pending_ns);
    return true;
  }
  if (movie->pipeline == NULL) {
    movie->note
        = odl_movie_format_init (&movie->format, movie->params.codec,
                                 movie->params.quality, movie->colorimetry, shown);
    if (movie->params.survives && movie->output.whole)
      write_first (movie, shown);
    if (!start (movie, error))
      return false;
  }
  if (movie->pending != NULL
      && !push_pending (movie, MAX (time_ns - movie->pending_ns, 1), error))
    return false;
  movie->pending = odl_image_ref (shown);
  movie->pending_ns = time_ns;
  movie->pending_duration_ns = duration_ns;
  return true;
}

static void
movie_free (OdlMovie *movie)
{
  gst_caps_replace (&movie->caps, NULL);
  odl_image_unref (movie->pending);
  g_free (movie->description);
  g_free (movie->colorimetry);
  g_free (movie->note);
  g_free (movie);
}

// Remuxes the complete Matroska file as MP4, which replaces it.
static bool
commit_mp4 (OdlMovie *movie, GError **error)
{
  OdlOutputGuard *guard = movie->params.guard;
  const char *path = movie->output.shown;
  const OdlRemuxLast last = { movie->last_ns, movie->last_duration_ns };
  OdlOutput output;

  bool done = movie->params.replace ? odl_output_open (guard, path, &output, error)
                                    : odl_output_open_new (guard, path, &output, error);
  if (done)
    done = odl_output_end (
        &output,
        odl_output_make_seekable (&output, error)
            && odl_remux (movie->output.fd, ODL_CONTAINER_MP4, &last, &output, error),
        error);
  if (done)
    odl_output_abandon (&movie->output);
  else
    odl_output_keep_part (&movie->output);
  return done;
}

bool
odl_movie_finish (OdlMovie *movie, GError **error)
{
  bool done = finish_stream (movie, error);

  stop (movie);
  if (done && movie->params.container == ODL_CONTAINER_MP4)
    done = commit_mp4 (movie, error);
  else
    done = odl_output_end (&movie->output, done, error);
  movie_free (movie);
  return done;
}

void
odl_movie_abandon (OdlMovie *movie)
{
  if (movie == NULL)
    return;
  stop (movie);
  odl_output_abandon (&movie->output);
  movie_free (movie);
}
