// SPDX-License-Identifier: MIT
// Frames that sources write into mapped buffers: read where they lie, fenced, and safe
// whoever ends first.
#include <epoxy/gl.h>
#include <string.h>

#include "engine/gl/platform/ring.h"
#include "../helpers/plans.h"
#include "fixture.h"

#define SIDE 40

static OdlGlRing *
new_ring (void)
{
  g_autoptr (GError) error = NULL;
  OdlGlCaps caps;

  odl_gl_caps_init (&caps, &error);
  g_assert_no_error (error);
  OdlGlRing *ring = odl_gl_ring_new (&caps);
  if (ring == NULL)
    g_test_skip ("no persistently mapped buffers in this context");
  return ring;
}

static OdlImage *
new_image_of (OdlImagePool *pool, int side, guint8 value)
{
  const OdlImageInfo info
      = { .extent = { side, side, 1, 1 }, .channels = 1, .type = ODL_SAMPLE_U8 };
  g_autoptr (GError) error = NULL;
  void *samples;
  OdlImage *image = odl_image_alloc_in (pool, &info, &samples, &error);

  g_assert_no_error (error);
  memset (samples, value, (size_t) side * side);
  return image;
}

// An image of one value, in the pool if it has room.
static OdlImage *
new_image (OdlImagePool *pool, guint8 value)
{
  return new_image_of (pool, SIDE, value);
}

// Asks in vain, and has blocks made.
static void
fill_ring (OdlGlRing *ring)
{
  g_autoptr (OdlImage) first = new_image (odl_gl_ring_pool (ring), 0);
  size_t made = 0;

  g_assert_null (odl_image_block (first));
  odl_gl_ring_tend (odl_gl_ring_pool (ring), &made);
  g_assert_cmpuint (made, >=, 3);
}

static double
loaded_value (OdlEngine *engine, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("", image);
  g_autoptr (GError) error = NULL;

  odl_test_run (engine, plan, image);
  g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, plan->source, &error);
  g_assert_no_error (error);
  const float *samples = odl_image_info (got)->planes[0].data;
  for (int i = 1; i < SIDE * SIDE; i++)
    g_assert_cmpfloat (samples[i], ==, samples[0]);
  return (double) samples[0] * 255;
}

// Every frame comes into a block that another has just left: what the GPU has not read
// yet must not be overwritten.
static void
frames_are_read_where_they_lie (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();

  engine->pool = pool;
  fill_ring (ring);
  size_t allocations = 0;
  int in_ring = 0;
  for (int frame = 0; frame < 60; frame++) {
    g_autoptr (OdlImage) image = new_image (pool, (guint8) (4 * frame));
    in_ring += odl_image_block (image) != NULL ? 1 : 0;
    g_assert_cmpfloat_with_epsilon (loaded_value (engine, image), 4 * frame, 1e-4);
    if (frame == 0)
      allocations = engine->counters.allocations;
  }
  g_assert_cmpint (in_ring, ==, 60);
  g_assert_cmpuint (engine->counters.allocations, ==, allocations);
  // Engines may keep the last frame.
  g_clear_pointer (&engine, odl_engine_close);
  g_assert_cmpint (odl_gl_ring_counts (pool).lent, ==, 0);
  odl_gl_ring_close (ring);
}

static void
blocks_wait_for_their_fence (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);
  size_t made = 0;

  fill_ring (ring);
  const int blocks = odl_gl_ring_counts (pool).blocks;
  OdlImage *shown = new_image (pool, 1);
  OdlImage *dropped = new_image (pool, 2);
  odl_gl_ring_fence (shown);
  odl_image_unref (shown);
  odl_image_unref (dropped);
  // What nobody showed is free at once, what was shown not before somebody has looked.
  g_assert_cmpint (odl_gl_ring_counts (pool).waiting, ==, 1);
  g_assert_cmpint (odl_gl_ring_counts (pool).lent, ==, 0);
  OdlImage *all[32];
  int n = 0;
  do
    all[n] = new_image (pool, 3);
  while (odl_image_block (all[n++]) != NULL);
  g_assert_cmpint (n - 1, ==, blocks - 1);
  odl_gl_ring_tend (pool, &made);
  g_assert_cmpuint (made, >, 0); // since one was asked for in vain
  glFinish ();
  odl_gl_ring_tend (pool, &made);
  g_assert_cmpint (odl_gl_ring_counts (pool).waiting, ==, 0);
  g_autoptr (OdlImage) more = new_image (pool, 4);
  g_assert_nonnull (odl_image_block (more));
  while (n > 0)
    odl_image_unref (all[--n]);
  odl_gl_ring_close (ring);
}

static int
waiting_after (OdlImagePool *pool)
{
  size_t made = 0;

  glFinish ();
  odl_gl_ring_tend (pool, &made);
  return odl_gl_ring_counts (pool).waiting;
}

// Shows `n` frames one after the other, each given back before the next.
static void
show (OdlImagePool *pool, int n)
{
  for (int i = 0; i < n; i++) {
    g_autoptr (OdlImage) image = new_image (pool, (guint8) i);
    g_assert_nonnull (odl_image_block (image));
    odl_gl_ring_fence (image);
  }
}

// As long as there are others to lend, blocks wait for each other.
static void
small_blocks_share_a_fence (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);

  fill_ring (ring);
  g_assert_cmpint (odl_gl_ring_counts (pool).blocks, ==, 4);
  show (pool, 2);
  g_assert_cmpint (waiting_after (pool), ==, 2);
  g_assert_cmpint (waiting_after (pool), ==, 2);
  show (pool, 2);
  g_assert_cmpint (odl_gl_ring_counts (pool).waiting, ==, 4);
  g_assert_cmpint (waiting_after (pool), ==, 0);

  // One is left: no need to wait for a fourth.
  show (pool, 3);
  g_assert_cmpint (waiting_after (pool), ==, 3);
  g_assert_cmpint (waiting_after (pool), ==, 0);
  g_assert_cmpint (odl_gl_ring_counts (pool).blocks, ==, 4);
  odl_gl_ring_close (ring);
}

static void
large_blocks_have_their_own (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);
  size_t made = 0;

  odl_image_unref (new_image_of (pool, 2100, 0));
  odl_gl_ring_tend (pool, &made);
  OdlImage *image = new_image_of (pool, 2100, 1);
  g_assert_nonnull (odl_image_block (image));
  odl_gl_ring_fence (image);
  odl_image_unref (image);
  g_assert_cmpint (odl_gl_ring_counts (pool).waiting, ==, 1);
  g_assert_cmpint (waiting_after (pool), ==, 0);
  odl_gl_ring_close (ring);
}

static void
exhausted_rings_stop_growing (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);
  GPtrArray *images = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_image_unref);
  size_t made = 0;

  for (int i = 0; i < 100; i++) {
    g_ptr_array_add (images, new_image (pool, (guint8) i));
    odl_gl_ring_tend (pool, &made);
  }
  g_assert_cmpuint (made, >, 4);
  g_assert_cmpuint (made, <, 40);
  g_assert_cmpint (odl_gl_ring_counts (pool).lent, ==, (int) made);
  for (guint i = 0; i < images->len; i++) {
    const OdlImageInfo *info = odl_image_info (g_ptr_array_index (images, i));
    g_assert_cmpint (((const guint8 *) info->planes[0].data)[SIDE * SIDE - 1], ==, i);
  }
  g_ptr_array_unref (images);
  odl_gl_ring_close (ring);
}

// Another size, as when another source is opened.
static void
sizes_change (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);
  size_t made = 0;

  fill_ring (ring);
  g_assert_null (odl_image_pool_take (pool, 100000));
  odl_gl_ring_tend (pool, &made);
  OdlImageBlock *block = odl_image_pool_take (pool, 100000);
  g_assert_nonnull (block);
  g_assert_cmpint (odl_gl_ring_counts (pool).blocks, ==, (int) made);
  memset (block->data, 1, 100000);
  odl_image_block_give (block);
  odl_gl_ring_close (ring);
}

// A device's frames have rows of its own stride, at its own offset.
static void
strides_and_offsets_are_followed (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  const size_t strides[] = { SIDE, SIDE + 8, SIDE + 3 };
  const size_t offsets[] = { 0, 64, 3 };
  size_t made = 0;

  engine->pool = pool;
  g_assert_null (odl_image_pool_take (pool, 4096));
  odl_gl_ring_tend (pool, &made);
  for (size_t s = 0; s < G_N_ELEMENTS (strides); s++)
    for (size_t o = 0; o < G_N_ELEMENTS (offsets); o++) {
      OdlImageBlock *block = odl_image_pool_take (pool, 4096);
      g_autoptr (GError) error = NULL;
      g_assert_nonnull (block);
      memset (block->data, 99, 4096);
      guint8 *data = (guint8 *) block->data + offsets[o];
      for (int y = 0; y < SIDE; y++)
        memset (data + y * strides[s], 50, SIDE);
      const OdlImageInfo info = {
        .extent = { SIDE, SIDE, 1, 1 },
        .channels = 1,
        .type = ODL_SAMPLE_U8,
        .planes
        = { { .data = data, .sample_stride_bytes = 1, .row_stride_bytes = strides[s] } }
      };
      g_autoptr (OdlImage) image = odl_image_wrap_block (&info, block, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (loaded_value (engine, image), 50, 1e-4);
    }
  g_clear_pointer (&engine, odl_engine_close);
  odl_gl_ring_close (ring);
}

// An engine that was not told of the pool copies, and so does one of another context.
static void
foreign_pools_are_copied (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();

  fill_ring (ring);
  g_autoptr (OdlImage) image = new_image (odl_gl_ring_pool (ring), 77);
  g_assert_nonnull (odl_image_block (image));
  g_assert_cmpfloat_with_epsilon (loaded_value (engine, image), 77, 1e-4);
  odl_gl_ring_close (ring);
}

static void *
write_and_drop_thread (void *data)
{
  OdlImage *image = data;

  memset ((void *) odl_image_info (image)->planes[0].data, 9, SIDE * SIDE);
  odl_image_unref (image);
  return NULL;
}

static void
lent_memory_outlives_the_ring (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;

  fill_ring (ring);
  OdlImage *image = new_image (odl_gl_ring_pool (ring), 5);
  g_autoptr (OdlImagePool) pool = odl_image_pool_ref (odl_gl_ring_pool (ring));
  g_assert_nonnull (odl_image_block (image));
  odl_gl_ring_close (ring);
  g_assert_cmpint (*(const guint8 *) odl_image_info (image)->planes[0].data, ==, 5);
  g_autoptr (OdlImage) late = new_image (pool, 6); // a source that has not heard of it
  g_assert_null (odl_image_block (late));
  g_thread_join (g_thread_new ("source", write_and_drop_thread, image));
}

typedef struct {
  OdlImagePool *pool;
  GAsyncQueue *frames;
  int number;
} Writer;

#define FRAMES_OF_WRITER 200

static void *
writer_thread (void *data)
{
  const Writer *writer = data;

  for (int i = 0; i < FRAMES_OF_WRITER; i++)
    g_async_queue_push (
        writer->frames,
        new_image (writer->pool, (guint8) (64 * writer->number + i % 64)));
  return NULL;
}

// Threads write while another uploads and tends: every frame arrives whole.
static void
sources_write_in_their_threads (void)
{
  OdlGlRing *ring = new_ring ();
  if (ring == NULL)
    return;
  OdlImagePool *pool = odl_gl_ring_pool (ring);
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (GAsyncQueue) frames = g_async_queue_new ();
  Writer writers[3];
  GThread *threads[G_N_ELEMENTS (writers)];
  int in_ring = 0;

  engine->pool = pool;
  fill_ring (ring);
  for (int i = 0; i < (int) G_N_ELEMENTS (writers); i++) {
    writers[i] = (Writer){ pool, frames, i };
    threads[i] = g_thread_new ("source", writer_thread, &writers[i]);
  }
  for (int i = 0; i < FRAMES_OF_WRITER * (int) G_N_ELEMENTS (writers); i++) {
    g_autoptr (OdlImage) image = g_async_queue_pop (frames);
    const guint8 value = *(const guint8 *) odl_image_info (image)->planes[0].data;
    in_ring += odl_image_block (image) != NULL ? 1 : 0;
    if (i % 8 == 0)
      g_assert_cmpfloat_with_epsilon (loaded_value (engine, image), value, 1e-4);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (in_ring, >, 0);
  g_clear_pointer (&engine, odl_engine_close);
  g_assert_cmpint (odl_gl_ring_counts (pool).lent, ==, 0);
  odl_gl_ring_close (ring);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "ring/frames-are-read-where-they-lie", frames_are_read_where_they_lie },
    { "ring/blocks-wait-for-their-fence", blocks_wait_for_their_fence },
    { "ring/small-blocks-share-a-fence", small_blocks_share_a_fence },
    { "ring/large-blocks-have-their-own", large_blocks_have_their_own },
    { "ring/exhausted-rings-stop-growing", exhausted_rings_stop_growing },
    { "ring/sizes-change", sizes_change },
    { "ring/strides-and-offsets-are-followed", strides_and_offsets_are_followed },
    { "ring/foreign-pools-are-copied", foreign_pools_are_copied },
    { "ring/lent-memory-outlives-the-ring", lent_memory_outlives_the_ring },
    { "ring/sources-write-in-their-threads", sources_write_in_their_threads },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
