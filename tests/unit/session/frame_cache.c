// SPDX-License-Identifier: MIT
// The cache of frames: what it keeps, and what it takes.
#include "session/player/frame_cache.h"

#define SIDE 16
#define FRAME_BYTES (SIDE * SIDE)

static void
test_cache_drops_what_comes_last (void)
{
  const OdlImageInfo info = { .extent = { SIDE, SIDE, 1, 1 }, .channels = 1 };
  const OdlTimeline line = { .n_frames = 10, .frame_rate = 1, .last = 9, .speed = 1 };
  g_autoptr (OdlFrameCache) cache = odl_frame_cache_new (4 * FRAME_BYTES, 2);
  void *samples;

  odl_frame_cache_set_focus (cache, &line, 5, 1);
  for (int64_t i = 3; i < 8; i++) {
    g_autoptr (OdlImage) image = odl_image_alloc (&info, &samples, NULL);
    odl_frame_cache_put (cache, i, image);
  }
  g_assert_false (odl_frame_cache_has (cache, 4));
  g_assert_true (odl_frame_cache_has (cache, 3));
  g_assert_true (odl_frame_cache_has (cache, 7));
  g_assert_cmpint (odl_frame_cache_bytes (cache), ==, 4 * FRAME_BYTES);
  // Two stay however large they are: the one that came last, and one that comes soon.
  odl_frame_cache_set_max_bytes (cache, 0);
  g_assert_cmpint (odl_frame_cache_n_frames (cache), ==, 2);
  g_autoptr (OdlImage) another = odl_image_alloc (&info, &samples, NULL);
  odl_frame_cache_put (cache, 6, another);
  g_assert_cmpint (odl_frame_cache_n_frames (cache), ==, 2);
  g_assert_true (odl_frame_cache_has (cache, 6));
}

// A frame of a video in 8 × 6: what its planes take, however they lie.
static void
test_cache_counts_memory (void)
{
  enum { W = 8, H = 6, STRIDE = 32, MOST = 4 * STRIDE * H };
  static const struct {
    const char *what;
    size_t at[3], sample[3], stride[3];
    int shift_y;
    size_t bytes;
  } cases[] = {
    { "I420", { 0, W * H, W * H + 12 }, { 1, 1, 1 }, { W, 4, 4 }, 1, W * H * 3 / 2 },
    { "NV12", { 0, W * H, W * H + 1 }, { 1, 2, 2 }, { W, W, W }, 1, W * H * 3 / 2 },
    { "YUY2", { 0, 1, 3 }, { 2, 4, 4 }, { 2 * W, 2 * W, 2 * W }, 0, W * H * 2 },
    { "padded rows",
      { 0, STRIDE * H, 2 * STRIDE * H },
      { 1, 1, 1 },
      { STRIDE, STRIDE, STRIDE },
      1,
      STRIDE * 5 + W + 2 * (STRIDE * 2 + 4) },
  };
  static const uint8_t memory[MOST];

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlImageInfo info = { .extent = { W, H, 1, 1 }, .channels = 3 };
    info.ycbcr = (OdlYcbcr){ .used = true,
                             .shift_x = 1,
                             .shift_y = cases[i].shift_y,
                             .kr = 0.299,
                             .kb = 0.114,
                             .luma_range = 255,
                             .chroma_offset = 128,
                             .chroma_range = 255 };
    for (int c = 0; c < 3; c++)
      info.planes[c] = (OdlPlane){ memory + cases[i].at[c], cases[i].sample[c],
                                   cases[i].stride[c], 0, 0 };
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = odl_image_wrap (&info, NULL, NULL, &error);
    g_assert_no_error (error);
    g_test_message ("%s", cases[i].what);
    g_assert_cmpuint (odl_frame_cache_image_bytes (image), ==, cases[i].bytes);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cache/drops-what-comes-last", test_cache_drops_what_comes_last);
  g_test_add_func ("/cache/counts-the-memory-of-a-frame", test_cache_counts_memory);
  return g_test_run ();
}
