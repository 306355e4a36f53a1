// SPDX-License-Identifier: MIT
// Two hundred sources of every kind, opened, read and closed in turn: no descriptor, no
// thread, no helper and no memory stays behind.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/error.h"
#include "../../helpers/litter.h"
#include "dicom_writer.h"
#include "source/gst_frame.h"
#include "support.h"
#include "video_maker.h"

#define SOURCES 200
#define SETTLED 60 // by then caches and pools of libraries have what they keep
#define SIDE 256
#define FRAMES 8

// What may be missing (encoders, test data) is NULL.
typedef struct {
  char *folder;
  char *locations[10];
  int n;
} Places;

static void
add (Places *places, char *location)
{
  if (location != NULL)
    places->locations[places->n++] = location;
}

static char *
write_cine (const char *folder, const char *name, int frames_said)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *frames = g_strdup_printf ("%d", frames_said);
  g_autofree uint8_t *samples = g_malloc0 (SIDE * SIDE * FRAMES);

  odl_dicom_put_short (out, 0x00280002, 1);
  odl_dicom_put_text (out, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_text (out, 0x00280008, "IS", frames);
  odl_dicom_put_bytes_of (out, SIDE, SIDE);
  odl_dicom_put_head (out, 0x7fe00010, "OB", SIDE * SIDE * FRAMES);
  g_byte_array_append (out, samples, SIDE * SIDE * FRAMES);
  return odl_test_write (folder, name, out->data, out->len);
}

static char *
write_metaimage (const char *folder)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autofree uint8_t *samples = g_malloc0 (SIDE * SIDE * FRAMES);
  static const char head[] = "ObjectType = Image\nNDims = 3\nDimSize = 256 256 8\n"
                             "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n";

  g_byte_array_append (out, (const guint8 *) head, sizeof head - 1);
  g_byte_array_append (out, samples, SIDE * SIDE * FRAMES);
  return odl_test_write (folder, "sweep.mha", out->data, out->len);
}

static void
places_init (Places *places)
{
  const char *folder = places->folder = odl_test_folder ();

  add (places, g_strdup ("phantom:256x256,rate=1000"));
  add (places, write_cine (folder, "cine.dcm", FRAMES));
  add (places, odl_test_make_moving (folder, "a.webm", "vp8enc deadline=1 ! webmmux", 64,
                                     48, 20));
  add (places, write_cine (folder, "lie.dcm", 100 * FRAMES));
  add (places, write_metaimage (folder));
  add (places, odl_test_make_moving (folder, "b.avi", "jpegenc ! avimux", 64, 48, 20));
  add (places, odl_test_write (folder, "bad.mp4",
                               "\0\0\0\x18"
                               "ftypmp42",
                               12));
  add (places, odl_test_write (folder, "bad.dcm", "no such thing", 13));
  add (places, g_build_filename (folder, "none.png", NULL));
}

static void
places_clear (Places *places)
{
  for (int i = 0; i < places->n; i++)
    g_free (places->locations[i]);
  odl_test_remove_folder (places->folder);
  g_free (places->folder);
}

static void *
cancel_soon (void *cancellable)
{
  g_usleep (3000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

// Reads the first frames and one further on; every third one is given up meanwhile.
// Returns how many frames came.
static int
take_turn (const char *location, int turn)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GThread *thread
      = turn % 3 == 2 ? g_thread_new ("cancel", cancel_soon, cancellable) : NULL;
  g_autoptr (OdlSource) source = odl_source_open (location, cancellable, NULL);
  int came = 0;

  for (int i = 0; source != NULL && i < 4; i++) {
    g_autoptr (OdlImage) image
        = odl_source_read_frame (source, i < 3 ? i : FRAMES - 1, cancellable, NULL);
    came += image != NULL;
  }
  if (thread != NULL)
    g_thread_join (thread);
  return came;
}

// Threads of a source that was closed take their time to end on a busy machine.
static void
await_end_of_threads (int threads)
{
  for (int i = 0; i < 6000 && odl_test_count_threads () > threads; i++)
    g_usleep (10000);
}

static void
nothing_stays_behind (void)
{
  Places places = { 0 };
  int fds = 0, threads = 0, came = 0;
  long kb = 0;

  places_init (&places);
  for (int i = 0; i < SOURCES; i++) {
    came += take_turn (places.locations[i % places.n], i / places.n);
    if (i == SETTLED) {
      fds = odl_test_count_fds ();
      threads = odl_test_count_threads ();
      kb = odl_test_resident_kb ();
    }
  }
  await_end_of_threads (threads);
  g_test_message ("%d frames of %d kinds of sources; descriptors %d → %d, threads %d → "
                  "%d, memory %ld → %ld KB",
                  came, places.n, fds, odl_test_count_fds (), threads,
                  odl_test_count_threads (), kb, odl_test_resident_kb ());
  g_assert_cmpint (came, >, SOURCES);
  g_assert_cmpint (odl_test_count_fds (), <=, fds);
  g_assert_cmpint (odl_test_count_threads (), <=, threads + 2);
  // No helper, alive or dead.
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // One lost frame of the larger sources in each turn would be 9 MB.
  g_assert_cmpint (odl_test_resident_kb () - kb, <, 6144);
#endif
  places_clear (&places);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  g_test_add_func ("/turns/nothing-stays-behind", nothing_stays_behind);
  return g_test_run ();
}
