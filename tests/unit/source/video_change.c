// SPDX-License-Identifier: MIT
// What changes from one buffer to the next under the same caps: the length of rows,
// whether a frame is interlaced, the turn that tags ask for. Each frame is taken as it
// says.
#include <gst/base/gstpushsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include "base/error.h"
#include "source/gst_frame.h"
#include "support.h"
#include "video_maker.h"

#define WIDTH 64
#define HEIGHT 48
#define FRAMES 12

// ---- A source that says something else of each buffer --------------------------------

typedef struct {
  GstPushSrc base;
  int mode; // Mode
  int index;
} OddSrc;

typedef GstPushSrcClass OddSrcClass;

typedef enum { STRIDES, TURNS, INTERLACED, MIXED } Mode;

static const char *const mode_caps[] = {
  [STRIDES] = "interlace-mode=progressive",
  [TURNS] = "interlace-mode=progressive",
  [INTERLACED] = "interlace-mode=interleaved,field-order=top-field-first",
  [MIXED] = "interlace-mode=mixed",
};

GType odd_src_get_type (void);
G_DEFINE_TYPE (OddSrc, odd_src, GST_TYPE_PUSH_SRC)

static int
stride_of (int index)
{
  return WIDTH + 16 * (index % 3);
}

static bool
is_interlaced (Mode mode, int index)
{
  return mode == INTERLACED || (mode == MIXED && index % 2 == 0);
}

// Fields of two moments are two values, so that a frame of both is combed.
static guint8
stored_luma (Mode mode, int index, int x, int y)
{
  if (mode <= TURNS)
    return (guint8) (3 * x + y + 20 * index);
  return (guint8) (y % 2 == 0 ? 40 + index : 200 - index);
}

static GstBuffer *
make_buffer (Mode mode, int index)
{
  const int stride = mode == STRIDES ? stride_of (index) : WIDTH;
  const gsize luma = (gsize) stride * HEIGHT, chroma = luma / 4;
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0, luma, luma + chroma };
  gint strides[GST_VIDEO_MAX_PLANES] = { stride, stride / 2, stride / 2 };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, luma + 2 * chroma, NULL);
  GstMapInfo map;

  gst_buffer_memset (buffer, 0, 128, luma + 2 * chroma);
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      map.data[y * stride + x] = stored_luma (mode, index, x, y);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
                                  GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT, 3, offsets,
                                  strides);
  if (is_interlaced (mode, index))
    GST_BUFFER_FLAG_SET (buffer,
                         GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF);
  GST_BUFFER_PTS (buffer) = gst_util_uint64_scale_int (index, GST_SECOND, 25);
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 25;
  return buffer;
}

// A telephone that is held upright from some frame on, and then not any more.
static bool
is_turned (int index)
{
  return index >= 4 && index < 8;
}

static void
say_turn (OddSrc *self)
{
  const char *turn = is_turned (self->index) ? "rotate-90" : "rotate-0";

  if (self->index > 0 && is_turned (self->index) != is_turned (self->index - 1))
    gst_pad_push_event (
        GST_BASE_SRC_PAD (self),
        gst_event_new_tag (gst_tag_list_new (GST_TAG_IMAGE_ORIENTATION, turn, NULL)));
}

static GstFlowReturn
odd_src_create (GstPushSrc *base, GstBuffer **buffer)
{
  OddSrc *self = (OddSrc *) base;

  if (self->index >= FRAMES)
    return GST_FLOW_EOS;
  if (self->mode == TURNS)
    say_turn (self);
  *buffer = make_buffer ((Mode) self->mode, self->index++);
  return GST_FLOW_OK;
}

static gboolean
odd_src_start (GstBaseSrc *base)
{
  ((OddSrc *) base)->index = 0;
  gst_base_src_set_format (base, GST_FORMAT_TIME);
  return TRUE;
}

static void
odd_src_set (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  ((OddSrc *) object)->mode = g_value_get_int (value);
}

static void
odd_src_init (OddSrc *self)
{
}

static void
odd_src_class_init (OddSrcClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = odd_src_set;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), 1,
      g_param_spec_int ("mode", NULL, NULL, 0, MIXED, 0,
                        G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  gst_element_class_add_pad_template (
      GST_ELEMENT_CLASS (klass),
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_CAPS_ANY));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Odd", "Source",
                                         "Buffers that differ", "Ondelette");
  GST_BASE_SRC_CLASS (klass)->start = odd_src_start;
  klass->create = odd_src_create;
}

static OdlSource *
open_odd (Mode mode)
{
  g_autofree char *description = g_strdup_printf (
      "oddsrc mode=%d ! capsfilter caps=video/x-raw,format=I420,width=%d,height=%d,"
      "framerate=25/1,%s",
      mode, WIDTH, HEIGHT, mode_caps[mode]);
  g_autoptr (GError) error = NULL;
  OdlSource *source = odl_test_open_described (description, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (source->info.frame_rate, ==, 25);
  return source;
}

// ---- Tests
// -----------------------------------------------------------------------------

// Forwards, and back again.
static int
nth_index (int n)
{
  return n < FRAMES ? n : 2 * FRAMES - 1 - n;
}

static OdlImage *
read_frame (OdlSource *source, int index)
{
  g_autoptr (GError) error = NULL;
  OdlImage *image = odl_source_read_frame (source, index, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (odl_image_info (image)->extent.x, ==, WIDTH);
  g_assert_cmpint (odl_image_info (image)->extent.y, ==, HEIGHT);
  return image;
}

static guint8
luma_at (const OdlImage *image, int x, int y)
{
  const OdlPlane *plane = &odl_image_info (image)->planes[0];

  return ((const guint8 *) plane->data)[(size_t) y * plane->row_stride_bytes
                                        + (size_t) x * plane->sample_stride_bytes];
}

static void
check_as_stored (const OdlImage *image, Mode mode, int index)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpint (luma_at (image, x, y), ==, stored_luma (mode, index, x, y));
}

// Wrapped, each with its own length of rows.
static void
test_strides (void)
{
  g_autoptr (OdlSource) source = open_odd (STRIDES);

  for (int n = 0; n < 2 * FRAMES; n++) {
    const int i = nth_index (n);
    g_autoptr (OdlImage) image = read_frame (source, i);
    const OdlImageInfo *info = odl_image_info (image);
    g_assert_cmpint (info->planes[0].row_stride_bytes, ==, stride_of (i));
    g_assert_cmpint (info->planes[1].row_stride_bytes, ==, stride_of (i) / 2);
    check_as_stored (image, STRIDES, i);
  }
}

// The upper field of its own frame, in every row: no comb, and none of the neighbours.
static void
check_upper_field (const OdlImage *image, int index)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpint (luma_at (image, x, y), ==, 40 + index);
}

static void
test_interlaced (void)
{
  g_autoptr (OdlSource) source = open_odd (INTERLACED);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (odl_source_detail (source, "interlaced"));
  for (int n = 0; n < 2 * FRAMES; n++) {
    g_autoptr (OdlImage) image = read_frame (source, nth_index (n));
    check_upper_field (image, nth_index (n));
  }
  source->info.n_frames = 0;
  g_assert_null (odl_source_read_frame (source, FRAMES, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
}

static void
test_mixed (void)
{
  g_autoptr (OdlSource) source = open_odd (MIXED);

  for (int n = 0; n < 2 * FRAMES; n++) {
    const int i = nth_index (n);
    g_autoptr (OdlImage) image = read_frame (source, i);
    if (is_interlaced (MIXED, i))
      check_upper_field (image, i);
    else
      check_as_stored (image, MIXED, i);
  }
}

static void
test_turns (void)
{
  g_autoptr (OdlSource) source = open_odd (TURNS);

  for (int n = 0; n < 2 * FRAMES; n++) {
    const int i = nth_index (n);
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, NULL);
    g_assert_nonnull (image);
    const bool turned = is_turned (i);
    const OdlExtent extent = odl_image_info (image)->extent;
    g_assert_cmpint (extent.x, ==, turned ? HEIGHT : WIDTH);
    g_assert_cmpint (extent.y, ==, turned ? WIDTH : HEIGHT);
    for (int y = 0; y < extent.y; y++)
      for (int x = 0; x < extent.x; x++)
        g_assert_cmpint (
            luma_at (image, x, y), ==,
            stored_luma (TURNS, i, turned ? y : x, turned ? HEIGHT - 1 - x : y));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  g_assert_true (
      gst_element_register (NULL, "oddsrc", GST_RANK_NONE, odd_src_get_type ()));
  g_test_add_func ("/change/rows-of-any-length-in-turn", test_strides);
  g_test_add_func ("/change/interlaced-frames-keep-their-number", test_interlaced);
  g_test_add_func ("/change/frames-of-both-kinds-in-turn", test_mixed);
  g_test_add_func ("/change/a-tag-turns-what-follows", test_turns);
  return g_test_run ();
}
