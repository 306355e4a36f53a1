// SPDX-License-Identifier: MIT
#include "video_decoder/amend.h"

#include <gst/video/video.h>
#include <string.h>
#include <unistd.h>

// Rows up to which colours of no stated matrix are those of BT.601; of GStreamer.
#define STANDARD_ROWS 576

// Boxes looked at on one level of an MP4 file.
#define MAX_BOXES 1000

struct _OdlAmend {
  int fd;
  GMutex mutex; // guards the next two
  GstVideoColorimetry container; // what the track says
  guint64 start_ns; // of the first frame of a Matroska file on its clock
  gint opaque; // atomic
  // Used by the pad's thread only:
  GstVideoInfo video; // of the latest caps
  GBytes *palette; // of an AVI file, once it was needed
};

// ---- MP4's boxes ----

typedef struct {
  guint64 start, end; // of what a box, or chunk, holds
} Span;

static bool
read_at (int fd, guint64 offset, guint8 *to, size_t bytes)
{
  return pread (fd, to, bytes, (off_t) offset) == (ssize_t) bytes;
}

// The box `name` among those from `start` to `end`, the `skip` first ones left out.
static bool
find_box (int fd, Span in, const char *name, int skip, Span *found)
{
  guint64 at = in.start;

  for (int i = 0; i < MAX_BOXES && at + 8 <= in.end; i++) {
    guint8 head[16];
    if (!read_at (fd, at, head, 8))
      return false;
    guint64 size = GST_READ_UINT32_BE (head);
    guint64 head_bytes = 8;
    if (size == 1 && read_at (fd, at + 8, head + 8, 8)) {
      size = GST_READ_UINT64_BE (head + 8);
      head_bytes = 16;
    } else if (size == 0) {
      size = in.end - at;
    }
    if (size < head_bytes || size > in.end - at)
      return false;
    if (memcmp (head + 4, name, 4) == 0 && skip-- == 0) {
      *found = (Span){ at + head_bytes, at + size };
      return true;
    }
    at += size;
  }
  return false;
}

static bool
find_path (int fd, Span in, const char *const *path, Span *found)
{
  *found = in;
  for (; *path != NULL; path++)
    if (!find_box (fd, *found, *path, 0, found))
      return false;
  return true;
}

static bool
is_video_track (int fd, Span track)
{
  static const char *const path[] = { "mdia", "hdlr", NULL };
  guint8 handler[12];
  Span box;

  return find_path (fd, track, path, &box) && read_at (fd, box.start, handler, 12)
         && memcmp (handler + 8, "vide", 4) == 0;
}

// The first track of pictures.
static bool
find_track (int fd, Span *track)
{
  const off_t size = lseek (fd, 0, SEEK_END);
  Span movie;

  if (size <= 0 || !find_box (fd, (Span){ 0, (guint64) size }, "moov", 0, &movie))
    return false;
  for (int i = 0; i < MAX_BOXES && find_box (fd, movie, "trak", i, track); i++)
    if (is_video_track (fd, *track))
      return true;
  return false;
}

static bool
has_edits (int fd)
{
  Span track, box;

  return find_track (fd, &track) && find_box (fd, track, "edts", 0, &box);
}

// Whether the track says by `colr` that its range is the full one (ISO/IEC 14496-12,
// 12.1.5). qtdemux reads the other numbers there.
static bool
has_full_range (int fd)
{
  static const char *const path[] = { "mdia", "minf", "stbl", "stsd", NULL };
  Span track, box;
  guint8 colour[11];

  if (!find_track (fd, &track) || !find_path (fd, track, path, &box)
      || box.end - box.start < 8 + 8 + 78)
    return false;
  // The first description, behind its count, its own head and the fields of pictures.
  box.start += 8 + 8 + 78;
  return find_box (fd, box, "colr", 0, &box) && read_at (fd, box.start, colour, 11)
         && memcmp (colour, "nclx", 4) == 0 && (colour[10] & 0x80) != 0;
}

// ---- Colours ----

// Takes what the track says out of the caps, since parsers and decoders would then not
// say what the stream itself says.
static GstEvent *
amend_track (OdlAmend *self, GstEvent *event)
{
  GstVideoColorimetry said;
  GstCaps *caps = NULL;

  gst_event_parse_caps (event, &caps);
  const char *text
      = gst_structure_get_string (gst_caps_get_structure (caps, 0), "colorimetry");
  if (text == NULL || !gst_video_colorimetry_from_string (&said, text))
    return event;
  said.range = has_full_range (self->fd) ? GST_VIDEO_COLOR_RANGE_0_255
                                         : GST_VIDEO_COLOR_RANGE_UNKNOWN;
  g_mutex_lock (&self->mutex);
  self->container = said;
  g_mutex_unlock (&self->mutex);
  GstCaps *others = gst_caps_copy (caps);
  gst_structure_remove_field (gst_caps_get_structure (others, 0), "colorimetry");
  GstEvent *told = gst_event_new_caps (others);
  gst_caps_unref (others);
  gst_event_unref (event);
  return told;
}

// Without an edit list qtdemux ends the track after the sum of its frames' durations, so
// that the last ones are lost where the first one is shown later than at 0.
static GstEvent *
amend_segment (OdlAmend *self, GstEvent *event)
{
  GstSegment segment;

  gst_event_copy_segment (event, &segment);
  if (!GST_CLOCK_TIME_IS_VALID (segment.stop) || has_edits (self->fd))
    return event;
  segment.stop = GST_CLOCK_TIME_NONE;
  GstEvent *told = gst_event_new_segment (&segment);
  gst_event_set_seqnum (told, gst_event_get_seqnum (event));
  gst_event_unref (event);
  return told;
}

static GstPadProbeReturn
track_cb (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS)
    info->data = amend_track (data, info->data);
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEGMENT)
    info->data = amend_segment (data, info->data);
  return GST_PAD_PROBE_OK;
}

// The format with the same planes whose samples are green, blue and red.
static GstVideoFormat
format_of_colours (GstVideoFormat format)
{
  switch (format) {
  case GST_VIDEO_FORMAT_Y444:
    return GST_VIDEO_FORMAT_GBR;
  case GST_VIDEO_FORMAT_Y444_10LE:
    return GST_VIDEO_FORMAT_GBR_10LE;
  case GST_VIDEO_FORMAT_Y444_12LE:
    return GST_VIDEO_FORMAT_GBR_12LE;
  default:
    return format;
  }
}

// Completes the colorimetry: what the stream says, else what its track says, else what
// GStreamer assumes. (It drops all where one of them is unknown.)
static void
complete_colours (OdlAmend *self, GstStructure *structure)
{
  const char *text = gst_structure_get_string (structure, "colorimetry");
  const GstVideoFormatInfo *format = self->video.finfo;
  GstVideoColorimetry said = { 0 };

  g_mutex_lock (&self->mutex);
  const GstVideoColorimetry track = self->container;
  g_mutex_unlock (&self->mutex);
  if (!GST_VIDEO_FORMAT_INFO_IS_YUV (format)
      || (text == NULL && track.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
      || (text != NULL && !gst_video_colorimetry_from_string (&said, text)))
    return;
  if (said.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
    said.matrix = track.matrix;
  if (track.range == GST_VIDEO_COLOR_RANGE_0_255)
    said.range = track.range;
  else if (said.range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    said.range = GST_VIDEO_COLOR_RANGE_16_235;
  const GstVideoFormat of_colours
      = format_of_colours (GST_VIDEO_FORMAT_INFO_FORMAT (format));
  if (said.matrix == GST_VIDEO_COLOR_MATRIX_RGB
      && of_colours != GST_VIDEO_FORMAT_INFO_FORMAT (format))
    gst_structure_set (structure, "format", G_TYPE_STRING,
                       gst_video_format_to_string (of_colours), NULL);
  else if (said.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN
           || said.matrix == GST_VIDEO_COLOR_MATRIX_RGB)
    said.matrix = self->video.height > STANDARD_ROWS ? GST_VIDEO_COLOR_MATRIX_BT709
                                                     : GST_VIDEO_COLOR_MATRIX_BT601;
  g_autofree char *all = gst_video_colorimetry_to_string (&said);
  gst_structure_set (structure, "colorimetry", G_TYPE_STRING, all, NULL);
}

static GstEvent *
amend_caps (OdlAmend *self, GstEvent *event)
{
  GstCaps *caps = NULL;

  gst_event_parse_caps (event, &caps);
  if (!gst_video_info_from_caps (&self->video, caps)) {
    gst_video_info_init (&self->video);
    return event;
  }
  // The fourth byte of a colour is reserved in the palettes of AVI and QuickTime.
  g_atomic_int_set (&self->opaque,
                    GST_VIDEO_INFO_FORMAT (&self->video) == GST_VIDEO_FORMAT_RGB8P);
  GstCaps *amended = gst_caps_copy (caps);
  complete_colours (self, gst_caps_get_structure (amended, 0));
  GstEvent *told = gst_event_new_caps (amended);
  if (!gst_video_info_from_caps (&self->video, amended))
    gst_video_info_init (&self->video);
  gst_caps_unref (amended);
  gst_event_unref (event);
  return told;
}

// ---- Rows ----

// Where planes lie whose rows follow each other without padding; the size of all.
static gsize
lay_out_tight (const GstVideoInfo *video, gsize *offsets, gint *strides)
{
  const GstVideoFormatInfo *format = video->finfo;
  gsize size = 0;

  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (video); p++) {
    int row = 0, rows = 0;
    for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (video); c++)
      if (GST_VIDEO_INFO_COMP_PLANE (video, c) == (gint) p) {
        row = MAX (row, GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (format, c, video->width)
                            * GST_VIDEO_INFO_COMP_PSTRIDE (video, c));
        rows = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (format, c, video->height);
      }
    offsets[p] = size;
    strides[p] = row;
    size += (gsize) row * (gsize) rows;
  }
  return size;
}

// Containers store rows without padding, and demuxers pass them on as they are.
static GstBuffer *
amend_rows (const GstVideoInfo *video, GstBuffer *buffer)
{
  const GstVideoFormatInfo *format = video->finfo;
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0 };
  gint strides[GST_VIDEO_MAX_PLANES] = { 0 };

  if (meta != NULL && meta->format != GST_VIDEO_FORMAT_INFO_FORMAT (format)) {
    buffer = gst_buffer_make_writable (buffer);
    gst_buffer_get_video_meta (buffer)->format = GST_VIDEO_FORMAT_INFO_FORMAT (format);
    return buffer;
  }
  if (meta != NULL || GST_VIDEO_FORMAT_INFO_IS_COMPLEX (format)
      || GST_VIDEO_FORMAT_INFO_IS_TILED (format)
      || gst_buffer_get_size (buffer) >= GST_VIDEO_INFO_SIZE (video)
      || gst_buffer_get_size (buffer) < lay_out_tight (video, offsets, strides))
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
                                  GST_VIDEO_FORMAT_INFO_FORMAT (format),
                                  (guint) video->width, (guint) video->height,
                                  GST_VIDEO_INFO_N_PLANES (video), offsets, strides);
  return buffer;
}

// ---- Palettes of AVI files ----

#define PALETTE_BYTES 1024

// Chunks looked at on one level.
#define MAX_CHUNKS 100

// The fields of BITMAPINFOHEADER, at whose begin its size stands; the palette follows.
#define HEADER_BYTES 40

static guint32
number (const guint8 *at)
{
  return at[0] | (guint32) at[1] << 8 | (guint32) at[2] << 16 | (guint32) at[3] << 24;
}

// What the chunk `name` holds, the `skip` first ones left out; of lists, which are named
// by the four letters behind their size, what follows these.
static bool
find_chunk (int fd, Span in, const char *name, bool is_list, int skip, Span *found)
{
  guint64 at = in.start;

  for (int i = 0; i < MAX_CHUNKS && at + 8 <= in.end; i++) {
    guint8 head[12] = { 0 };
    if (!read_at (fd, at, head, is_list ? 12 : 8))
      return false;
    const guint64 size = number (head + 4);
    const guint8 *letters = is_list ? head + 8 : head;
    if (memcmp (letters, name, 4) == 0 && (!is_list || memcmp (head, "LIST", 4) == 0)
        && skip-- == 0) {
      *found = (Span){ at + (is_list ? 12 : 8), MIN (at + 8 + size, in.end) };
      return found->start <= found->end;
    }
    at += 8 + size + size % 2;
  }
  return false;
}

static bool
is_video (int fd, Span stream)
{
  guint8 kind[4];
  Span header;

  return find_chunk (fd, stream, "strh", false, 0, &header)
         && read_at (fd, header.start, kind, 4) && memcmp (kind, "vids", 4) == 0;
}

// Reads up to 256 colours of four bytes each, blue first (RGBQUAD of Microsoft's
// BITMAPINFO), and zeros behind them. `fd` is borrowed, its position stays. False: it is
// no AVI file, or its first video has no palette.
static bool
read_avi_palette (int fd, guint8 colours[PALETTE_BYTES])
{
  guint8 head[HEADER_BYTES];
  Span lists, stream, format;

  memset (colours, 0, PALETTE_BYTES);
  if (!read_at (fd, 0, head, 12) || memcmp (head, "RIFF", 4) != 0
      || memcmp (head + 8, "AVI ", 4) != 0
      || !find_chunk (fd, (Span){ 12, G_MAXUINT32 }, "hdrl", true, 0, &lists))
    return false;
  for (int i = 0; find_chunk (fd, lists, "strl", true, i, &stream); i++) {
    if (!is_video (fd, stream))
      continue;
    if (!find_chunk (fd, stream, "strf", false, 0, &format)
        || format.end - format.start < HEADER_BYTES
        || !read_at (fd, format.start, head, HEADER_BYTES) || number (head) < HEADER_BYTES
        || number (head) >= format.end - format.start)
      return false;
    const guint64 bytes = format.end - format.start - number (head);
    return read_at (fd, format.start + number (head), colours,
                    MIN (bytes, PALETTE_BYTES));
  }
  return false;
}

// avidemux announces frames with a palette, and sends it only where the lowest row is
// stored first, so that others would be black.
static GstBuffer *
amend_palette (OdlAmend *self, GstBuffer *buffer)
{
  const gsize bytes = gst_buffer_get_size (buffer);
  guint8 colours[PALETTE_BYTES];

  if (GST_VIDEO_INFO_FORMAT (&self->video) != GST_VIDEO_FORMAT_RGB8P || self->fd < 0
      || bytes != GST_VIDEO_INFO_PLANE_OFFSET (&self->video, 1))
    return buffer;
  if (self->palette == NULL && read_avi_palette (self->fd, colours))
    self->palette = g_bytes_new (colours, sizeof colours);
  if (self->palette == NULL)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_append (buffer, gst_buffer_new_wrapped_bytes (self->palette));
  return buffer;
}

static GstPadProbeReturn
raw_cb (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  OdlAmend *self = data;

  if ((GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER) != 0) {
    info->data = amend_palette (self, info->data);
    if (GST_VIDEO_INFO_FORMAT (&self->video) > GST_VIDEO_FORMAT_ENCODED)
      info->data = amend_rows (&self->video, info->data);
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS) {
    info->data = amend_caps (self, info->data);
  }
  return GST_PAD_PROBE_OK;
}

// ---- Lengths ----

// matroskademux lets stream time begin with the first frame, whatever that one's time in
// the file is, and gives as duration the end on the file's clock.
static GstPadProbeReturn
matroska_cb (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  OdlAmend *self = data;
  GstSegment segment;

  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return GST_PAD_PROBE_OK;
  gst_event_copy_segment (event, &segment);
  if (segment.format == GST_FORMAT_TIME && segment.start >= segment.time) {
    g_mutex_lock (&self->mutex);
    self->start_ns = segment.start - segment.time;
    g_mutex_unlock (&self->mutex);
  }
  return GST_PAD_PROBE_OK;
}

gint64
odl_amend_duration (OdlAmend *self, gint64 duration_ns)
{
  g_mutex_lock (&self->mutex);
  const gint64 start_ns = (gint64) MIN (self->start_ns, G_MAXINT64);
  g_mutex_unlock (&self->mutex);
  return start_ns < duration_ns ? duration_ns - start_ns : duration_ns;
}

// ---- Watching ----

static void
track_added_cb (GstElement *element, GstPad *pad, OdlAmend *self)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, track_cb, self, NULL);
}

static void
matroska_added_cb (GstElement *element, GstPad *pad, OdlAmend *self)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, matroska_cb, self, NULL);
}

static void
element_added_cb (GstBin *pipeline, GstBin *bin, GstElement *element, OdlAmend *self)
{
  const GstElementFactory *factory = gst_element_get_factory (element);
  const char *name = factory != NULL ? GST_OBJECT_NAME (factory) : "";

  if (self->fd >= 0 && g_str_equal (name, "qtdemux"))
    g_signal_connect (element, "pad-added", G_CALLBACK (track_added_cb), self);
  else if (g_str_equal (name, "matroskademux"))
    g_signal_connect (element, "pad-added", G_CALLBACK (matroska_added_cb), self);
}

OdlAmend *
odl_amend_new (GstBin *pipeline, GstPad *pad, int fd)
{
  OdlAmend *self = g_new0 (OdlAmend, 1);

  self->fd = fd;
  g_mutex_init (&self->mutex);
  gst_video_info_init (&self->video);
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (element_added_cb), self);
  if (pad != NULL)
    gst_pad_add_probe (pad,
                       GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
                       raw_cb, self, NULL);
  return self;
}

void
odl_amend_free (OdlAmend *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->palette, g_bytes_unref);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

bool
odl_amend_is_opaque (const OdlAmend *self)
{
  return g_atomic_int_get (&self->opaque);
}
