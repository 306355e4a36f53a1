// SPDX-License-Identifier: MIT
// The skeleton of DICOM files, real and mutilated, and the markers of JPEG.
#include <string.h>

#include "base/error.h"
#include "decoder/dicom/pixels/codestream.h"
#include "decoder/dicom/pixels/frames.h"
#include "decoder/dicom/pixels/scan.h"

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
  g_assert_null (odl_dicom_syntax_find ("1.2.840.10008.1.2.1.97"));
}

// Every byte of every frame lies in the data.
static void
find_frames (const OdlDicomScan *scan, uint32_t declared)
{
  const OdlDicomHeader header = {
    .frames = declared, .samples = 1, .bits_allocated = 8, .rows = 2, .columns = 2
  };
  g_autoptr (GByteArray) joined = g_byte_array_new ();
  OdlDicomFrames frames;

  odl_dicom_frames_find (&frames, scan, &header);
  g_assert_cmpuint (frames.n, <=, declared);
  for (uint32_t i = 0; i < frames.n; i++) {
    size_t size = 0;
    g_assert_cmpuint (g_array_index (frames.starts, size_t, i), <=,
                      g_array_index (frames.starts, size_t, i + 1));
    const uint8_t *bytes
        = odl_dicom_frames_get (&frames, scan, &header, i, joined, &size);
    g_assert_cmpuint (size, <=, scan->size);
    if (bytes == joined->data)
      g_assert_cmpuint (size, ==, joined->len);
    else
      g_assert_cmpuint ((size_t) (bytes - scan->data) + size, <=, scan->size);
  }
  odl_dicom_frames_clear (&frames);
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
    if (scan.encapsulated)
      for (uint32_t declared = 1; declared < 5; declared++)
        find_frames (&scan, declared);
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
  OdlDicomFrames frames;
  const OdlDicomHeader header = { .frames = 2, .samples = 1, .bits_allocated = 8 };
  g_autoptr (GByteArray) joined = g_byte_array_new ();
  size_t size = 0;
  odl_dicom_frames_find (&frames, &scan, &header);
  g_assert_cmpuint (frames.n, ==, 2);
  g_assert_false (frames.last_is_cut);
  const uint8_t *last = odl_dicom_frames_get (&frames, &scan, &header, 1, joined, &size);
  g_assert_cmpmem (last, size, "ef", 2);
  odl_dicom_frames_clear (&frames);
  odl_dicom_scan_clear (&scan);
}

// Items whose inside is not encoded as what surrounds them.
static const struct {
  const char *name;
  const char *bytes;
  size_t size;
  const char *refusal; // a part of it; NULL: it must be read
} insides[] = {
#define FILE_OF(name, bytes, refusal) \
  { \
    name, bytes, sizeof (bytes) - 1, refusal \
  }
#define RLE_SYNTAX \
  "\2\0\x10\0UI\x14\0" \
  "1.2.840.10008.1.2.5\0"
#define BIG_SYNTAX \
  "\2\0\x10\0UI\x14\0" \
  "1.2.840.10008.1.2.2\0"
#define ICON_BEGINS \
  "\x88\0\0\x02SQ\0\0\xff\xff\xff\xff" \
  "\xfe\xff\0\xe0\xff\xff\xff\xff"
#define ICON_ENDS \
  "\xfe\xff\x0d\xe0\0\0\0\0" \
  "\xfe\xff\xdd\xe0\0\0\0\0"
#define PIXELS_OF(pieces) \
  "\xe0\x7f\x10\0OB\0\0\xff\xff\xff\xff" \
  "\xfe\xff\0\xe0\0\0\0\0" pieces "\xfe\xff\xdd\xe0\0\0\0\0"
#define PIECE "\xfe\xff\0\xe0\4\0\0\0abcd"
  FILE_OF ("compressed icon",
           RLE_SYNTAX ICON_BEGINS PIXELS_OF (PIECE PIECE) ICON_ENDS PIXELS_OF (PIECE),
           NULL),
  // What lies in a piece is no element.
  FILE_OF ("icon with the marks of items in it",
           RLE_SYNTAX ICON_BEGINS PIXELS_OF ("\xfe\xff\0\xe0\4\0\0\0\xfe\xff\xdd\xe0")
               ICON_ENDS PIXELS_OF (PIECE),
           NULL),
  FILE_OF ("piece of undefined length",
           RLE_SYNTAX ICON_BEGINS PIXELS_OF ("\xfe\xff\0\xe0\xff\xff\xff\xff")
               ICON_ENDS PIXELS_OF (PIECE),
           "sequences are damaged"),
  FILE_OF ("piece beyond the end",
           RLE_SYNTAX ICON_BEGINS PIXELS_OF ("\xfe\xff\0\xe0\0\1\0\0ab")
               ICON_ENDS PIXELS_OF (PIECE),
           "sequences are damaged"),
  FILE_OF ("no piece",
           RLE_SYNTAX ICON_BEGINS PIXELS_OF ("\x08\0\x50\x11UI\0\0")
               ICON_ENDS PIXELS_OF (PIECE),
           "sequences are damaged"),
  // UN of undefined length in big endian: an item of defined and one of undefined length,
  // and in that a sequence, all implicit little endian.
  FILE_OF ("unknown in big endian",
           BIG_SYNTAX "\0\x09\x10\1UN\0\0\xff\xff\xff\xff"
                      "\xfe\xff\0\xe0\x0a\0\0\0"
                      "\x09\0\x02\x10\2\0\0\0ab"
                      "\xfe\xff\0\xe0\xff\xff\xff\xff"
                      "\x09\0\x03\x10\xff\xff\xff\xff"
                      "\xfe\xff\0\xe0\x0a\0\0\0"
                      "\x09\0\x02\x10\2\0\0\0cd"
                      "\xfe\xff\xdd\xe0\0\0\0\0"
                      "\xfe\xff\x0d\xe0\0\0\0\0"
                      "\xfe\xff\xdd\xe0\0\0\0\0"
                      "\x7f\xe0\0\x10OB\0\0\0\0\0\4"
                      "abcd",
           NULL),
  // Sequences that are known stay big endian.
  FILE_OF ("sequence in big endian",
           BIG_SYNTAX "\0\x08\x11\x40SQ\0\0\xff\xff\xff\xff"
                      "\xff\xfe\xe0\0\xff\xff\xff\xff"
                      "\0\x08\x11\x50UI\0\2"
                      "1\0"
                      "\xff\xfe\xe0\x0d\0\0\0\0"
                      "\xff\xfe\xe0\xdd\0\0\0\0"
                      "\x7f\xe0\0\x10OB\0\0\0\0\0\4"
                      "abcd",
           NULL),
};

static void
test_insides (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (insides); i++) {
    const uint8_t *bytes = (const uint8_t *) insides[i].bytes;
    g_autoptr (GError) error = NULL;
    OdlDicomScan scan;

    g_test_message ("%s", insides[i].name);
    if (odl_dicom_scan (&scan, bytes, insides[i].size, MEMORY, &error)) {
      g_assert_null (insides[i].refusal);
      g_assert_cmpint (scan.kind, ==, ODL_DICOM_PIXELS);
      g_assert_cmpuint (scan.pixels.size, >=, 4);
    } else {
      g_assert_nonnull (insides[i].refusal);
      g_assert_nonnull (strstr (error->message, insides[i].refusal));
    }
    odl_dicom_scan_clear (&scan);
    for (size_t size = 0; size < insides[i].size; size++)
      scan_copy (bytes, size);
  }
}

// ---- Which pieces make which frame ---------------------------------------------------

// A letter stands for a piece: s begins a stream, e ends one, b does both, m is amid,
// z is empty; r begins an RLE frame and x does not.
typedef struct {
  const char *name;
  const char *pieces;
  const char *table; // indices of pieces; "": empty
  uint32_t declared;
  const char *delimiter; // what comes behind: "end", "nothing", "garbage", "half"
  // What must come of it: for each frame the index of its first piece, then of the end.
  const char *frames;
  bool cut;
  bool jpeg;
} Mapping;

static const Mapping mappings[] = {
  { "one-each", "bbb", "", 3, "end", "0123", false, true },
  { "one-each-with-table", "bbb", "012", 3, "end", "0123", false, true },
  { "parts-without-table", "sesmesme", "", 3, "end", "0258", false, true },
  { "parts-with-table", "sesmesme", "025", 3, "end", "0258", false, true },
  // A table that lies is not believed.
  { "table-backwards", "sesmesme", "052", 3, "end", "0258", false, true },
  { "table-too-short", "sesmesme", "02", 3, "end", "0258", false, true },
  { "table-beyond", "sesmesme", "02?", 3, "end", "0258", false, true },
  { "table-not-from-0", "sesmesme", "125", 3, "end", "0258", false, true },
  { "table-longer", "sesmesme", "0257", 3, "end", "0257", false, true },
  // A stream without its beginning or without its end is still one frame.
  { "lost-beginning", "semmese", "", 3, "end", "0257", false, true },
  { "lost-end", "smsmese", "", 3, "end", "0257", false, true },
  { "one-each-lost-both", "mbbm", "", 4, "end", "01234", false, true },
  { "empty-piece", "sezse", "", 2, "end", "035", false, true },
  { "empty-first", "zsese", "", 2, "end", "135", false, true },
  { "empty-frame", "bzb", "", 3, "end", "0123", false, true },
  // Numbers that lie.
  { "too-many-declared", "sese", "", 4, "end", "024", false, true },
  { "too-many-with-table", "sese", "02", 9, "end", "024", false, true },
  { "too-few-declared", "sesese", "", 2, "end", "024", false, true },
  { "one-declared", "sese", "", 1, "end", "04", false, true },
  // Files that end too early.
  { "no-delimiter", "sese", "", 2, "nothing", "024", false, true },
  { "no-delimiter-table", "sese", "02", 2, "nothing", "024", false, true },
  { "cut-between-parts", "ses", "", 3, "nothing", "023", true, true },
  { "cut-between-parts-table", "ses", "02??", 4, "nothing", "023", true, true },
  { "cut-amid-a-part", "sese", "", 3, "half", "0245", true, true },
  { "cut-amid-a-part-table", "sese", "024?", 4, "half", "0245", true, true },
  { "garbage-behind", "sese", "", 4, "garbage", "024", false, true },
  { "rle", "rrr", "", 3, "end", "0123", false, false },
  { "rle-damaged", "rxr", "", 3, "end", "0123", false, false },
  { "rle-parts-table", "rxrxx", "02", 2, "end", "025", false, false },
  { "rle-parts", "rxrxx", "", 2, "end", "025", false, false },
  { "rle-too-few-declared", "rxrr", "", 2, "end", "012", false, false },
  { "rle-one-declared", "rrrr", "", 1, "end", "01", false, false },
  { "rle-one-in-parts", "rxx", "", 1, "end", "03", false, false },
  { "rle-no-delimiter", "rrr", "", 5, "nothing", "0123", false, false },
};

static void
put_u32 (GByteArray *out, uint32_t value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (out, (const uint8_t *) &value, 4);
}

static void
put_piece (GByteArray *out, char kind)
{
  const uint8_t body[80] = { 0 };
  const guint size = kind == 'z' ? 0 : kind == 'r' || kind == 'x' ? 80 : 10;
  const guint start = out->len + 8;

  put_u32 (out, 0xe000fffe);
  put_u32 (out, size);
  g_byte_array_append (out, body, size);
  uint8_t *at = out->data + start;
  if (kind == 's' || kind == 'b')
    memcpy (at, "\xff\xd8", 2);
  if (kind == 'e' || kind == 'b')
    memcpy (at + 7, "\xff\xd9", 2); // and a byte of padding
  if (kind == 'm')
    memset (at, 0x55, 10);
  if (kind == 'r')
    memcpy (at, "\1\0\0\0\x40", 5);
}

// Offsets of the pieces go to `offsets`.
static GByteArray *
write_mapping (const Mapping *which, uint32_t *offsets)
{
  static const uint8_t ending[] = "\xfe\xff\xdd\xe0\0\0\0\0";
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GByteArray) pieces = g_byte_array_new ();
  const size_t n = strlen (which->pieces);

  for (size_t i = 0; i < n; i++) {
    offsets[i] = pieces->len;
    put_piece (pieces, which->pieces[i]);
  }
  offsets[n] = pieces->len;
  if (g_str_equal (which->delimiter, "half")) {
    put_piece (pieces, 's');
    g_byte_array_set_size (pieces, pieces->len - 4);
    offsets[n + 1] = pieces->len;
  }
  if (g_str_equal (which->delimiter, "end"))
    g_byte_array_append (pieces, ending, 8);
  if (g_str_equal (which->delimiter, "garbage"))
    g_byte_array_append (pieces, (const uint8_t *) "what is this", 12);
  put_u32 (out, 0xe000fffe);
  put_u32 (out, (uint32_t) strlen (which->table) * 4);
  for (const char *c = which->table; *c != '\0'; c++)
    put_u32 (out,
             *c == '?' ? 100000u * (uint32_t) (c - which->table) : offsets[*c - '0']);
  for (size_t i = 0; i <= n + 1; i++)
    offsets[i] += out->len;
  g_byte_array_append (out, pieces->data, pieces->len);
  return out;
}

static void
test_mappings (void)
{
  for (size_t k = 0; k < G_N_ELEMENTS (mappings); k++) {
    const Mapping *which = &mappings[k];
    uint32_t offsets[20] = { 0 };
    g_autoptr (GByteArray) bytes = write_mapping (which, offsets);
    const OdlDicomScan scan = {
      .syntax = odl_dicom_syntax_find (which->jpeg ? "1.2.840.10008.1.2.4.50"
                                                   : "1.2.840.10008.1.2.5"),
      .data = bytes->data,
      .size = bytes->len,
      .pixels = { 0, bytes->len },
      .encapsulated = true,
    };
    const OdlDicomHeader header
        = { .frames = which->declared, .samples = 1, .bits_allocated = 8 };
    OdlDicomFrames frames;

    g_test_message ("%s", which->name);
    odl_dicom_frames_find (&frames, &scan, &header);
    g_assert_cmpuint (frames.n, ==, strlen (which->frames) - 1);
    for (uint32_t i = 0; i <= frames.n; i++)
      g_assert_cmpuint (g_array_index (frames.starts, size_t, i), ==,
                        offsets[which->frames[i] - '0']);
    g_assert_cmpint (frames.last_is_cut, ==, which->cut);
    odl_dicom_frames_clear (&frames);
  }
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
  g_test_add_func ("/scan/items-of-another-kind-inside", test_insides);
  g_test_add_func ("/scan/pieces-make-frames", test_mappings);
  g_test_add_func ("/scan/every-cut-stays-inside", test_every_cut);
  g_test_add_func ("/scan/every-changed-byte-stays-inside", test_every_byte_changed);
  g_test_add_func ("/scan/noise-stays-inside", test_noise);
  g_test_add_func ("/scan/markers-tell-the-colours", test_markers);
  return g_test_run ();
}
