// SPDX-License-Identifier: MIT
// Numbered stills as frames: which files belong, in which order, and what happens when
// some are missing, damaged or different.
#include "source/sequence.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "dicom_writer.h"
#include "support.h"

#define SIDE 16

// A picture filled with one value, in the format of the extension.
static void
write_still (const char *folder, const char *name, int value, int side)
{
  g_autoptr (GdkPixbuf) pixels
      = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, side, side);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  const char *extension = strrchr (name, '.') + 1;
  const char *type = g_str_equal (extension, "jpg")   ? "jpeg"
                     : g_str_equal (extension, "tif") ? "tiff"
                                                      : extension;
  g_autoptr (GError) error = NULL;

  gdk_pixbuf_fill (pixels, (guint32) value * 0x01010100u);
  gdk_pixbuf_save (pixels, path, type, &error, NULL);
  g_assert_no_error (error);
}

static void
write_dicom (const char *folder, const char *name, int value)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  uint8_t pixels[SIDE * SIDE];

  odl_dicom_put_short (out, 0x00280002, 1);
  odl_dicom_put_text (out, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_bytes_of (out, SIDE, SIDE);
  odl_dicom_put_head (out, 0x7fe00010, "OB", sizeof pixels);
  memset (pixels, value, sizeof pixels);
  g_byte_array_append (out, pixels, sizeof pixels);
  g_free (odl_test_write (folder, name, out->data, out->len));
}

static OdlSource *
open_in (const char *folder, const char *format)
{
  g_autofree char *path = g_build_filename (folder, format, NULL);
  g_autofree char *location = strchr (format, '%') != NULL
                                  ? g_strdup (path)
                                  : g_strconcat ("sequence:", path, NULL);
  OdlSource *source = NULL;

  odl_image_unref (odl_test_open (location, &source));
  return source;
}

static void
assert_value (OdlSource *source, int index, double value, double tolerance)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (odl_test_sample (image, 0, 3, 3), value,
                                  tolerance + 1e-6);
}

static void
assert_damaged (OdlSource *source, int index, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (odl_source_read_frame (source, index, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  odl_test_contains ("frame", error->message, word);
}

static void
test_natural_order (void)
{
  g_autofree char *folder = odl_test_folder ();
  static const int numbers[] = { 1, 2, 9, 10, 11, 100 };

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree char *name = g_strdup_printf ("img%d.png", numbers[i]);
    write_still (folder, name, 2 * numbers[i], SIDE);
  }
  write_still (folder, "other7.png", 255, SIDE);
  write_still (folder, "img7.jpg", 255, SIDE);
  write_still (folder, "img.png", 255, SIDE);
  static const char *const ways[] = { "img9.png", "img%d.png" };
  for (size_t way = 0; way < G_N_ELEMENTS (ways); way++) {
    g_autoptr (OdlSource) source = open_in (folder, ways[way]);
    g_assert_cmpint (source->info.n_frames, ==, G_N_ELEMENTS (numbers));
    odl_test_contains (ways[way], source->info.warning, "94 numbers are missing");
    for (size_t i = G_N_ELEMENTS (numbers); i-- > 0;)
      assert_value (source, (int) i, 2 * numbers[i], 0);
  }
  // A folder's sequence has no frames of what is no picture.
  g_free (odl_test_write (folder, "a clip.mp4", "clip", 4));
  g_free (odl_test_write (folder, "volume.mha", "volume", 6));
  g_free (odl_test_write (folder, "notes.txt", "notes", 5));
  g_autoptr (OdlSource) all = open_in (folder, "");
  g_assert_cmpint (all->info.n_frames, ==, G_N_ELEMENTS (numbers) + 3);
  g_assert_null (all->info.warning);
  odl_test_remove_folder (folder);
}

static void
test_digits (void)
{
  g_autofree char *folder = odl_test_folder ();

  write_still (folder, "a0009.png", 9, SIDE);
  write_still (folder, "a0010.png", 10, SIDE);
  write_still (folder, "a11.png", 11, SIDE);
  write_still (folder, "a10012.png", 12, SIDE);
  write_still (folder, "a00013.png", 13, SIDE);
  g_autoptr (OdlSource) source = open_in (folder, "a%04d.png");
  g_assert_cmpint (source->info.n_frames, ==, 3);
  assert_value (source, 2, 12, 0);
  g_assert_cmpstr (source->info.name, ==, "a####.png");
  odl_test_remove_folder (folder);
}

static void
test_rate (void)
{
  g_autofree char *folder = odl_test_folder ();

  write_still (folder, "a1.png", 1, SIDE);
  write_still (folder, "a2.png", 2, SIDE);
  g_autoptr (OdlSource) source = open_in (folder, "a1.png,rate=12.5");
  g_assert_cmpfloat (source->info.frame_rate, ==, 12.5);
  g_autoptr (OdlSource) plain = open_in (folder, "a1.png");
  g_assert_cmpfloat (plain->info.frame_rate, ==, 0);
  static const char *const bad[] = { "0", "-3", "nan", "inf", "1e9", "fast", "" };
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree char *location
        = g_strdup_printf ("sequence:%s/a1.png,rate=%s", folder, bad[i]);
    g_autofree char *message = odl_test_refusal (location);
    odl_test_contains (location, message, "rate");
  }
  odl_test_remove_folder (folder);
}

// One after the other, each in a format and size of its own.
static void
test_mixed (void)
{
  g_autofree char *folder = odl_test_folder ();

  write_still (folder, "1.png", 10, SIDE);
  write_still (folder, "2.jpg", 20, 2 * SIDE);
  write_still (folder, "3.tif", 30, SIDE);
  write_dicom (folder, "4.dcm", 40);
  write_still (folder, "5.bmp", 50, 3 * SIDE);
  write_still (folder, "6.png", 60, SIDE);
  g_autoptr (OdlSource) source = open_in (folder, "");
  g_assert_cmpint (source->info.n_frames, ==, 6);
  for (int turn = 0; turn < 3; turn++)
    for (int i = 0; i < 6; i++)
      assert_value (source, (i * 5 + turn) % 6, 10 * ((i * 5 + turn) % 6 + 1), 2);
  odl_test_remove_folder (folder);
}

static void
test_missing_and_damaged (void)
{
  g_autofree char *folder = odl_test_folder ();
  const int fds = odl_test_count_fds ();

  for (int i = 1; i <= 6; i++) {
    g_autofree char *name = g_strdup_printf ("f%d.png", i);
    write_still (folder, name, 10 * i, SIDE);
  }
  {
    g_autoptr (OdlSource) source = open_in (folder, "f1.png");
    g_autofree char *gone = g_build_filename (folder, "f3.png", NULL);
    g_unlink (gone);
    g_free (odl_test_write (folder, "f4.png", "\x89PNG\r\n\x1a\nnonsense", 16));
    g_free (odl_test_write (folder, "f5.png", "text", 4));
    assert_value (source, 1, 20, 0);
    assert_damaged (source, 2, "f3.png");
    assert_damaged (source, 3, "f4.png");
    assert_damaged (source, 4, "f5.png");
    assert_value (source, 5, 60, 0);
    g_autofree char *pipe = g_build_filename (folder, "f3.png", NULL);
    g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
    assert_damaged (source, 2, "pipe");
    write_still (folder, "f4.png", 44, SIDE);
    assert_value (source, 3, 44, 0);
  }
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
  odl_test_remove_folder (folder);
}

static void
test_refusals (void)
{
  g_autofree char *folder = odl_test_folder ();
  static const struct {
    const char *name, *word;
  } cases[] = {
    { "sequence:%s/absent7.png", "no picture" },
    { "sequence:%s/name.png", "number" },
    { "sequence:%s/none/a1.png", "none" },
    { "%s/x%%03d.png", "no picture" },
    { "sequence:%s", "no picture" },
    { "sequence:", "number" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (GStrv) parts = g_strsplit (cases[i].name, "%s", 2);
    g_autofree char *raw = g_strjoinv (folder, parts);
    g_auto (GStrv) percents = g_strsplit (raw, "%%", -1);
    g_autofree char *location = g_strjoinv ("%", percents);
    g_autofree char *message = odl_test_refusal (location);
    odl_test_contains (location, message, cases[i].word);
  }
  odl_test_remove_folder (folder);
}

static void
test_location (void)
{
  g_autofree char *plain = odl_sequence_location ("/a/b12.png", 0);
  g_autofree char *fast = odl_sequence_location ("/a/b12.png", 12.5);
  g_autofree char *none = odl_sequence_location ("/a1/b.png", 25);

  g_assert_cmpstr (plain, ==, "sequence:/a/b12.png");
  g_assert_cmpstr (fast, ==, "sequence:/a/b12.png,rate=12.5");
  g_assert_null (none);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sequence/numbers-are-in-their-order", test_natural_order);
  g_test_add_func ("/sequence/a-pattern-has-its-digits", test_digits);
  g_test_add_func ("/sequence/a-rate-can-be-said", test_rate);
  g_test_add_func ("/sequence/formats-and-sizes-may-differ", test_mixed);
  g_test_add_func ("/sequence/a-file-that-fails-is-a-damaged-frame",
                   test_missing_and_damaged);
  g_test_add_func ("/sequence/invalid-sequences-give-a-message", test_refusals);
  g_test_add_func ("/sequence/a-file-gives-its-location", test_location);
  return g_test_run ();
}
