// SPDX-License-Identifier: MIT
// Which frame a file is recognised by.
#include "session/browse/thumbnailer.h"

#include <string.h>

#include "../source/dicom_writer.h"
#include "../source/support.h"

#define SIDE 8
#define FRAMES 5

typedef struct {
  GMainLoop *loop;
  int level; // of its middle; −1: there is none
} Waiting;

static void
thumbnail_cb (const char *location, OdlImage *image, const GError *error, void *data)
{
  Waiting *waiting = data;

  g_assert_no_error (error);
  const OdlImageInfo *info = odl_image_info (image);
  const guint8 *rgba = info->planes[0].data;
  waiting->level
      = rgba[((gsize) info->extent.y / 2 * info->extent.x + info->extent.x / 2) * 4];
  g_main_loop_quit (waiting->loop);
}

static int
level_of (const char *path)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Waiting waiting = { loop, -1 };
  OdlThumbnailer *thumbnailer = odl_thumbnailer_new (64, thumbnail_cb, &waiting);

  odl_thumbnailer_request (thumbnailer, path);
  g_main_loop_run (loop);
  odl_thumbnailer_free (thumbnailer);
  return waiting.level;
}

// Frames of 8 bits: 0, 40, 80 …
static void
put_frames (GByteArray *file)
{
  for (int i = 0; i < FRAMES; i++)
    for (int k = 0; k < SIDE * SIDE; k++)
      g_byte_array_append (file, &(guint8){ (guint8) (40 * i) }, 1);
}

static void
test_metaimage (void)
{
  static const struct {
    const char *name, *more;
    int level;
  } files[] = {
    { "volume.mha", "", 80 },
    // Times make a sequence of it.
    { "sequence.mha",
      "Seq_Frame0000_Timestamp = 0\nSeq_Frame0001_Timestamp = 0.1\n"
      "Seq_Frame0002_Timestamp = 0.2\nSeq_Frame0003_Timestamp = 0.3\n"
      "Seq_Frame0004_Timestamp = 0.4\n",
      0 },
  };
  g_autofree char *folder = odl_test_folder ();

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *head
        = g_strdup_printf ("ObjectType = Image\nNDims = 3\nDimSize = %d %d %d\n"
                           "ElementType = MET_UCHAR\n%sElementDataFile = LOCAL\n",
                           SIDE, SIDE, FRAMES, files[i].more);
    g_autoptr (GByteArray) file = g_byte_array_new ();
    g_byte_array_append (file, (const guint8 *) head, (guint) strlen (head));
    put_frames (file);
    g_autofree char *path = odl_test_write (folder, files[i].name, file->data, file->len);
    g_assert_cmpint (level_of (path), ==, files[i].level);
  }
  odl_test_remove_folder (folder);
}

static void
test_dicom (void)
{
  g_autofree char *folder = odl_test_folder ();

  for (int timed = 0; timed < 2; timed++) {
    g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
    if (timed)
      odl_dicom_put_text (file, 0x00181063, "DS", "40");
    odl_dicom_put_short (file, 0x00280002, 1);
    odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
    odl_dicom_put_text (file, 0x00280008, "IS", "5");
    odl_dicom_put_bytes_of (file, SIDE, SIDE);
    odl_dicom_put_head (file, 0x7fe00010, "OB", SIDE * SIDE * FRAMES);
    put_frames (file);
    g_autofree char *path = odl_test_write (folder, "frames.dcm", file->data, file->len);
    g_assert_cmpint (level_of (path), ==, timed ? 0 : 80);
  }
  odl_test_remove_folder (folder);
}

// What a display shutter covers (PS3.3 C.7.6.11) is covered in the small picture, too.
static void
test_shutter (void)
{
  enum { LARGE = 96, SMALL = 12 };
  g_autoptr (GError) error = NULL;
  guint8 bits[LARGE * LARGE / 8] = { 0 };
  void *samples;
  for (int i = 0; i < LARGE * LARGE / 8; i++)
    bits[i] = i % (LARGE / 8) < LARGE / 16 ? 0xff : 0; // the left half
  OdlImageInfo info = { .extent = { LARGE, LARGE, 1, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_U8,
                        .shutter = odl_overlay_new (LARGE, LARGE, bits),
                        .shutter_level = 0.2 };
  g_autoptr (OdlImage) image = odl_image_alloc (&info, &samples, &error);

  g_assert_no_error (error);
  odl_overlay_unref (info.shutter);
  memset (samples, 200, (gsize) LARGE * LARGE);
  g_autoptr (OdlImage) small = odl_thumbnail_make (image, SMALL, &error);
  g_assert_no_error (error);
  const guint8 *rgba = odl_image_info (small)->planes[0].data;
  for (int y = 0; y < SMALL; y++)
    for (int x = 0; x < SMALL; x++)
      g_assert_cmpint (rgba[4 * (y * SMALL + x)], ==, x < SMALL / 2 ? 51 : 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/thumbnails/volumes-show-their-middle", test_metaimage);
  g_test_add_func ("/thumbnails/so-do-frames-without-times", test_dicom);
  g_test_add_func ("/thumbnails/shutters-cover-them", test_shutter);
  return g_test_run ();
}
