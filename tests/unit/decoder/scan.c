// SPDX-License-Identifier: MIT
// The skeleton of DICOM files, real and mutilated, and the markers of JPEG.
#include <string.h>

#include "base/error.h"
#include "decoder/dicom_codestream.h"
#include "decoder/dicom_scan.h"

#define MEMORY ((size_t) 256 << 20)

static void
test_syntaxes (void)
{
  for (size_t i = 0; i < odl_dicom_n_syntaxes; i++) {
    const OdlDicomSyntax *row = &odl_dicom_syntaxes[i];
    g_assert_true (odl_dicom_syntax_find (row->uid) == row);
    g_assert_cmpuint (strlen (row->uid), <=, 64);
    g_assert_cmpuint (strlen (row->name), >, 0);
  }
  g_assert_null (odl_dicom_syntax_find (""));
  g_assert_null (odl_dicom_syntax_find ("1.2.840.10008.1.2.1.98"));
}

// Copies of random and mutilated bytes at exact sizes, so that the sanitizers see any
// step beyond the end.
static void
scan_copy (const uint8_t *bytes, size_t size)
{
  g_autofree uint8_t *copy = g_memdup2 (bytes, size);
  OdlDicomScan scan;
  g_autoptr (GError) error = NULL;
  bool done = odl_dicom_scan (&scan, copy, size, MEMORY, &error);

  g_assert_true (done == (error == NULL));
  if (done) {
    g_assert_cmpuint (scan.header.offset + scan.header.size, <=, scan.size);
    g_assert_cmpuint (scan.pixels.offset + scan.pixels.size, <=, scan.size);
    for (guint i = 0; i < scan.fragments->len; i++) {
      OdlDicomSpan span = g_array_index (scan.fragments, OdlDicomSpan, i);
      g_assert_cmpuint (span.offset + span.size, <=, scan.size);
    }
    if (scan.encapsulated && scan.fragments->len > 0)
      for (uint32_t frames = 1; frames < 5; frames++) {
        g_autoptr (GArray) starts = odl_codestream_frames (&scan, frames);
        g_assert_cmpuint (starts->len, >=, 1);
        g_assert_cmpuint (starts->len, <=, frames + 1);
      }
  }
  odl_dicom_scan_clear (&scan);
}

static const uint8_t small_file[] =
    // Explicit little endian, a sequence of undefined length, two encapsulated frames.
    "\2\0\x10\0UI\x14\0"
    "1.2.840.10008.1.2.5\0"
    "\x08\0\x40\x11SQ\0\0\xff\xff\xff\xff"
    "\xfe\xff\0\xe0\xff\xff\xff\xff"
    "\x08\0\x50\x11UI\2\0"
    "1\0"
    "\xfe\xff\x0d\xe0\0\0\0\0"
    "\xfe\xff\xdd\xe0\0\0\0\0"
    "\x28\0\x10\0US\2\0\4\0"
    "\xe0\x7f\x10\0OB\0\0\xff\xff\xff\xff"
    "\xfe\xff\0\xe0\0\0\0\0"
    "\xfe\xff\0\xe0\4\0\0\0abcd"
    "\xfe\xff\0\xe0\2\0\0\0ef"
    "\xfe\xff\xdd\xe0\0\0\0\0";

static void
test_small_file (void)
{
  OdlDicomScan scan;
  g_autoptr (GError) error = NULL;

  g_assert_true (
      odl_dicom_scan (&scan, small_file, sizeof small_file - 1, MEMORY, &error));
  g_assert_no_error (error);
  g_assert_cmpint (scan.syntax->codec, ==, ODL_DICOM_RLE);
  g_assert_true (scan.encapsulated);
  g_assert_false (scan.truncated);
  g_assert_cmpuint (scan.fragments->len, ==, 3);
  OdlDicomSpan last = g_array_index (scan.fragments, OdlDicomSpan, 2);
  g_assert_cmpmem (scan.data + last.offset, last.size, "ef", 2);
  g_autoptr (GArray) starts = odl_codestream_frames (&scan, 2);
  g_assert_cmpuint (starts->len, ==, 3);
  odl_dicom_scan_clear (&scan);
}

static void
test_every_cut (void)
{
  for (size_t size = 0; size < sizeof small_file; size++)
    scan_copy (small_file, size);
}

static void
test_every_byte_changed (void)
{
  static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xfe, 0xff };

  for (size_t i = 0; i < sizeof small_file - 1; i++)
    for (size_t k = 0; k < sizeof values; k++) {
      uint8_t copy[sizeof small_file];
      memcpy (copy, small_file, sizeof copy);
      copy[i] = values[k];
      scan_copy (copy, sizeof copy - 1);
    }
}

static void
test_noise (void)
{
  for (int i = 0; i < 3000; i++) {
    uint8_t noise[300];
    for (size_t k = 0; k < sizeof noise; k++)
      noise[k] = (uint8_t) g_test_rand_int ();
    memcpy (noise, small_file, 28);
    scan_copy (noise, (size_t) g_test_rand_int_range (28, sizeof noise));
  }
}

static void
test_markers (void)
{
  static const struct {
    const char *name;
    const char *bytes;
    size_t size;
    bool ycbcr, rgb, lossless;
  } streams[] = {
#define SOF(marker, ids) "\xff" marker "\0\x11\x08\0\x20\0\x10\3" ids
#define IDS_123 "\1\x11\0\2\x11\0\3\x11\0"
#define IDS_RGB "R\x11\0G\x11\0B\x11\0"
#define STREAM(bytes) "\xff\xd8" bytes, sizeof ("\xff\xd8" bytes) - 1
    { "nothing", STREAM (SOF ("\xc0", IDS_123)), false, false, false },
    { "jfif", STREAM ("\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0" SOF ("\xc0", IDS_123)),
      true, false, false },
    { "adobe-rgb",
      STREAM ("\xff\xee\0\x0e"
              "Adobe\0\x64\0\0\0\0\0" SOF ("\xc1", IDS_123)),
      false, true, false },
    { "adobe-ycc",
      STREAM ("\xff\xee\0\x0e"
              "Adobe\0\x64\0\0\0\0\1" SOF ("\xc0", IDS_123)),
      true, false, false },
    { "named", STREAM (SOF ("\xc0", IDS_RGB)), false, true, false },
    { "lossless", STREAM (SOF ("\xc3", IDS_123)), false, false, true },
    { "jpeg-ls", STREAM (SOF ("\xf7", IDS_123)), false, false, true },
  };
  OdlCodestream stream;

  for (size_t i = 0; i < G_N_ELEMENTS (streams); i++) {
    g_autofree uint8_t *copy = g_memdup2 (streams[i].bytes, streams[i].size);
    g_test_message ("%s", streams[i].name);
    g_assert_true (odl_codestream_read (copy, streams[i].size, &stream));
    g_assert_cmpuint (stream.width, ==, 16);
    g_assert_cmpuint (stream.height, ==, 32);
    g_assert_cmpint (stream.precision, ==, 8);
    g_assert_cmpint (stream.n_components, ==, 3);
    g_assert_cmpint (stream.says_ycbcr, ==, streams[i].ycbcr);
    g_assert_cmpint (stream.says_rgb, ==, streams[i].rgb);
    g_assert_cmpint (stream.lossless, ==, streams[i].lossless);
    for (size_t size = 0; size < streams[i].size; size++) {
      g_autofree uint8_t *cut = g_memdup2 (streams[i].bytes, size);
      g_assert_false (odl_codestream_read (cut, size, &stream));
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scan/every-transfer-syntax-is-found", test_syntaxes);
  g_test_add_func ("/scan/fragments-are-found", test_small_file);
  g_test_add_func ("/scan/every-cut-stays-inside", test_every_cut);
  g_test_add_func ("/scan/every-changed-byte-stays-inside", test_every_byte_changed);
  g_test_add_func ("/scan/noise-stays-inside", test_noise);
  g_test_add_func ("/scan/markers-tell-the-colours", test_markers);
  return g_test_run ();
}
