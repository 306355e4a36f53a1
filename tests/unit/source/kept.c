// SPDX-License-Identifier: MIT
// Frames of a capture for readers that look at later ones.

#include <string.h>

#include "base/error.h"
#include "source/frame_reader.h"
#include "source/neighbour_reader.h"
#include "source/volume.h"

#define KEPT 7
#define REACH 2
#define DAMAGED 11
#define LAST 40

// As a camera: whatever the index, the next one.
typedef struct {
  OdlSource base; // first member
  int next; // value of the next frame
} Capture;

static int n_closed;

static OdlImage *
capture_read (OdlSource *source, int64_t index, GCancellable *cancellable, GError **error)
{
  Capture *self = (Capture *) source;
  const OdlImageInfo info = { .extent = { 3, 2, 1, 1 }, .channels = 1 };
  uint8_t *samples;

  if (self->next > LAST) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_NO_SIGNAL, "no frame came");
    return NULL;
  }
  if (self->next++ == DAMAGED) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT, "damaged");
    return NULL;
  }
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, error);
  for (int i = 0; i < 6; i++)
    samples[i] = (uint8_t) (self->next - 1);
  return image;
}

static void
capture_close (OdlSource *source)
{
  n_closed++;
}

static const OdlSourceClass capture_class
    = { .name = "capture", .read_frame = capture_read, .close = capture_close };

static OdlSource *
make_capture (void)
{
  Capture *self = g_new0 (Capture, 1);

  odl_source_init (&self->base, &capture_class, "camera:");
  self->base.info.n_frames = 0;
  self->base.info.live = self->base.info.capture = true;
  self->base.info.frame_rate = 25;
  odl_source_add_detail (&self->base, "device", "none");
  return &self->base;
}

static OdlSource *
make_kept (void)
{
  g_autoptr (OdlSource) capture = make_capture ();

  return odl_kept_source_new (capture, KEPT);
}

static int
value_of (OdlImage *image)
{
  float row[3];

  odl_image_scaled_row (image, 0, 0, 0, 0, row);
  return (int) (row[0] * 255 + 0.5f);
}

static int
read_value (OdlSource *source, int64_t index, GError **error)
{
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, error);

  return image != NULL ? value_of (image) : -1;
}

static void
test_by_number (void)
{
  g_autoptr (GError) error = NULL;
  n_closed = 0;
  OdlSource *source = make_kept ();

  g_assert_true (source->info.live && source->info.capture);
  g_assert_cmpstr (odl_source_detail (source, "device"), ==, "none");
  g_assert_cmpfloat (source->info.frame_rate, ==, 25);
  g_assert_cmpint (read_value (source, 3, NULL), ==, 3);
  g_assert_cmpint (read_value (source, 0, NULL), ==, 0);
  g_assert_cmpint (read_value (source, 6, NULL), ==, 6);
  g_assert_cmpint (read_value (source, 0, NULL), ==, 0);
  g_assert_cmpint (read_value (source, 7, NULL), ==, 7);
  g_assert_cmpint (read_value (source, 1, NULL), ==, 1);
  g_assert_cmpint (read_value (source, 0, &error), ==, -1);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "frame 1 came too long ago"));
  g_clear_error (&error);
  // A damaged one has its number, too, and its neighbours keep theirs.
  g_assert_cmpint (read_value (source, DAMAGED, &error), ==, -1);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  g_clear_error (&error);
  g_assert_cmpint (read_value (source, DAMAGED + 1, NULL), ==, DAMAGED + 1);
  g_assert_cmpint (read_value (source, DAMAGED - 1, NULL), ==, DAMAGED - 1);
  // What fails is asked for again, and counts as no frame.
  g_assert_cmpint (read_value (source, LAST, NULL), ==, LAST);
  g_assert_cmpint (read_value (source, LAST + 1, &error), ==, -1);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_SIGNAL);
  g_assert_cmpint (read_value (source, LAST, NULL), ==, LAST);
  odl_source_unref (source);
  g_assert_cmpint (n_closed, ==, 1);
}

// The frames themselves, and those about each, from two threads.
typedef struct {
  OdlSource *source;
  GAsyncQueue *frames; // OdlReadFrame
} Both;

static void *
read_frames (void *data)
{
  Both *both = data;
  OdlFrameReader *reader = odl_frame_reader_new (both->source, 0, DAMAGED - 4, NULL);

  for (OdlReadFrame *frame;
       (frame = odl_frame_reader_next (reader, NULL, NULL)) != NULL;) {
    while (g_async_queue_length (both->frames) > 1)
      g_usleep (200);
    g_async_queue_push (both->frames, frame);
  }
  odl_frame_reader_free (reader);
  return NULL;
}

static void
test_neighbours (void)
{
  Both both = { make_kept (), g_async_queue_new () };
  GThread *thread = g_thread_new ("frames", read_frames, &both);
  OdlNeighbourReader *reader = odl_neighbour_reader_new (both.source, 1);

  for (int n = 0; n <= DAMAGED - 4; n++) {
    OdlReadFrame *frame = g_async_queue_pop (both.frames);
    g_autoptr (OdlNeighbours) about
        = odl_neighbours_read (reader, n, REACH, REACH, false, NULL, NULL);
    g_assert_cmpint (frame->index, ==, n);
    g_assert_cmpint (value_of (frame->image), ==, n);
    g_assert_nonnull (about);
    for (int i = n - REACH; i <= n + REACH; i++) {
      OdlImage *image = i >= 0 ? odl_neighbours_find (about, i) : NULL;
      g_assert_true ((image != NULL) == (i >= 0));
      g_assert_true (image == NULL || value_of (image) == i);
    }
    odl_read_frame_free (frame);
  }
  g_thread_join (thread);
  odl_neighbour_reader_free (reader);
  g_async_queue_unref (both.frames);
  odl_source_unref (both.source);
}

// The last frames of a camera that falls silent end as those of a file.
static void
test_end (void)
{
  g_autoptr (OdlSource) source = make_kept ();
  g_autoptr (OdlNeighbourReader) reader = odl_neighbour_reader_new (source, 1);

  g_assert_cmpint (read_value (source, LAST - REACH, NULL), ==, LAST - REACH);
  g_autoptr (OdlNeighbours) last
      = odl_neighbours_read (reader, LAST, REACH, REACH, false, NULL, NULL);
  g_assert_nonnull (last);
  g_assert_cmpint (odl_neighbours_count (last), ==, LAST + 1);
  g_assert_nonnull (odl_neighbours_find (last, LAST - REACH));
  g_assert_null (odl_neighbours_read (reader, LAST + 1, REACH, REACH, false, NULL, NULL));
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) capture = make_capture ();
  g_autoptr (OdlNeighbourReader) bare = odl_neighbour_reader_new (capture, 1);
  g_autoptr (OdlSource) kept = make_kept ();
  g_autoptr (OdlNeighbourReader) reader = odl_neighbour_reader_new (kept, 1);

  g_assert_null (odl_neighbours_read (bare, 0, 1, 1, false, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  // A circle has no end to go on from.
  g_assert_null (odl_neighbours_read (reader, 0, 1, 1, true, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
}

// Volumes are read once as long as there is room for them.
static void
test_volumes (void)
{
  g_autoptr (OdlSource) source = odl_source_open ("phantom:32x32x16x5", NULL, NULL);
  g_autoptr (OdlNeighbourReader) reader = odl_neighbour_reader_new (source, 1);
  g_autoptr (OdlImage) one = odl_source_read_volume (source, 0, 1, NULL, NULL);
  OdlNeighbours *first[5];

  odl_neighbour_reader_keep (reader, 2 * (size_t) 32 * 32 * 16
                                         * odl_sample_size (odl_image_info (one)->type));
  for (int i = 0; i < 5; i++) {
    first[i] = odl_neighbours_read (reader, i, 0, 0, false, NULL, NULL);
    g_assert_nonnull (first[i]);
  }
  for (int i = 0; i < 4; i++) {
    g_autoptr (OdlNeighbours) again
        = odl_neighbours_read (reader, i, 0, 0, false, NULL, NULL);
    const bool same = odl_neighbours_find (again, i) == odl_neighbours_find (first[i], i);
    g_assert_cmpint (same, ==, i < 2);
  }
  // Where there is less room, none stays.
  odl_neighbour_reader_keep (reader, 1);
  g_autoptr (OdlNeighbours) anew
      = odl_neighbours_read (reader, 0, 0, 0, false, NULL, NULL);
  g_assert_true (odl_neighbours_find (anew, 0) != odl_neighbours_find (first[0], 0));
  for (int i = 0; i < 5; i++)
    odl_neighbours_unref (first[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept/frames-have-their-numbers", test_by_number);
  g_test_add_func ("/kept/those-about-each-are-waited-for", test_neighbours);
  g_test_add_func ("/kept/silence-is-an-end", test_end);
  g_test_add_func ("/kept/what-cannot-be-waited-for-is-refused", test_refused);
  g_test_add_func ("/source/kept/volumes-are-read-once", test_volumes);
  return g_test_run ();
}
