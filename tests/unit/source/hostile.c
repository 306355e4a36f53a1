// SPDX-License-Identifier: MIT
// Hostile and broken files: a readable sentence or a marked picture, never a crash, and
// soon.
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

#include "../../helpers/bar.h"
#include "base/error.h"
#include "dicom_writer.h"
#include "support.h"

#define JPEG "1.2.840.10008.1.2.4.50"
#define JPEG_2000 "1.2.840.10008.1.2.4.90"
#define DEFLATED "1.2.840.10008.1.2.1.99"

typedef struct {
  unsigned rows, columns, allocated, stored, high;
  const char *frames;
  const char *window_width;
  const char *slope;
  const char *aspect;
  const char *photometric;
} Header;

// 64 × 64 of one byte.
#define PLAIN \
  .rows = 64, .columns = 64, .allocated = 8, .stored = 8, .high = 7, \
  .photometric = "MONOCHROME2"

static const Header plain = { PLAIN };

static void
put_header (GByteArray *out, const Header *header)
{
  odl_dicom_put_short (out, 0x00280002, 1);
  odl_dicom_put_text (out, 0x00280004, "CS", header->photometric);
  if (header->frames != NULL)
    odl_dicom_put_text (out, 0x00280008, "IS", header->frames);
  odl_dicom_put_short (out, 0x00280010, header->rows);
  odl_dicom_put_short (out, 0x00280011, header->columns);
  if (header->aspect != NULL)
    odl_dicom_put_text (out, 0x00280034, "IS", header->aspect);
  odl_dicom_put_short (out, 0x00280100, header->allocated);
  odl_dicom_put_short (out, 0x00280101, header->stored);
  odl_dicom_put_short (out, 0x00280102, header->high);
  odl_dicom_put_short (out, 0x00280103, 0);
  if (header->window_width != NULL) {
    odl_dicom_put_text (out, 0x00281050, "DS", "40");
    odl_dicom_put_text (out, 0x00281051, "DS", header->window_width);
  }
  if (header->slope != NULL) {
    odl_dicom_put_text (out, 0x00281052, "DS", "0");
    odl_dicom_put_text (out, 0x00281053, "DS", header->slope);
  }
}

static void
put_pixels (GByteArray *out, size_t size)
{
  odl_dicom_put_head (out, 0x7fe00010, "OB", (uint32_t) size);
  for (size_t i = 0; i < size; i++) {
    uint8_t value = (uint8_t) (i * 7);
    g_byte_array_append (out, &value, 1);
  }
}

// ---- Opening what was written ----

#ifdef __SANITIZE_ADDRESS__
#define UNDER_ASAN true
#else
#define UNDER_ASAN false
#endif

// What a hostile file may cost. The wall clock has room for a machine that is busy with
// something else.
#define PROCESSOR_US (2 * G_USEC_PER_SEC)
#define WALL_US (16 * G_USEC_PER_SEC)

typedef struct {
  double seconds; // of processor, over all helpers so far
  long megabytes; // of the largest of them
} Cost;

static Cost
cost_of_helpers (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);
  return (Cost){
    .seconds = (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
               + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
    .megabytes = usage.ru_maxrss / 1024,
  };
}

// `phrase` NULL: opens without a warning; beginning with '+': opens, and the warning
// contains the rest; else it is refused with that phrase. Never may it be the crash.
static void
try_bytes (OdlTestPlace *fixture,
           const char *name,
           const void *bytes,
           size_t size,
           const char *phrase)
{
  g_autofree char *path = odl_test_write (fixture->folder, name, bytes, size);
  gint64 start = g_get_monotonic_time ();
  Cost before = cost_of_helpers ();

  if (phrase != NULL && *phrase != '+') {
    g_autofree char *message = odl_test_refusal (path);
    odl_test_contains (path, message, phrase);
    odl_test_contains (path, message, name);
    g_assert_null (strstr (message, "crashed"));
    g_assert_null (strstr (message, "()"));
  } else {
    g_autoptr (OdlSource) source = NULL;
    g_autoptr (OdlImage) image = odl_test_open (path, &source);
    g_test_message ("%s: %s", name, source->info.warning);
    if (phrase != NULL)
      odl_test_contains (path, source->info.warning, phrase + 1);
    else
      g_assert_null (source->info.warning);
  }
  double wall = (double) (g_get_monotonic_time () - start) / 1e6;
  Cost cost = cost_of_helpers ();
  g_test_message ("%s: %.2f s, %.2f s of processor, %ld MB", name, wall,
                  cost.seconds - before.seconds, cost.megabytes);
  if (UNDER_ASAN)
    return;
  odl_test_took (name, (int64_t) ((cost.seconds - before.seconds) * 1e6), PROCESSOR_US);
  odl_test_took (name, (int64_t) (wall * 1e6), WALL_US);
  g_assert_cmpint (cost.megabytes, <, 512);
}

static void
try_array (OdlTestPlace *fixture, const char *name, GByteArray *bytes, const char *phrase)
{
  try_bytes (fixture, name, bytes->data, bytes->len, phrase);
  g_byte_array_unref (bytes);
}

static void
test_no_images (OdlTestPlace *fixture, gconstpointer data)
{
  g_autofree char *noise = g_malloc0 (100000);
  uint32_t seed = 1;

  for (int i = 0; i < 100000; i++)
    noise[i] = (char) ((seed = seed * 1664525 + 1013904223) >> 24);
  try_bytes (fixture, "empty.png", "", 0, "empty");
  try_bytes (fixture, "one.png", "\x89", 1, "known format");
  try_bytes (fixture, "zeros.dcm", (char[131]){ 0 }, 131, "known format");
  try_bytes (fixture, "noise.dcm", noise, 100000, "known format");
  try_bytes (fixture, "text.dcm", "These are words.\n", 17, "known format");
  try_bytes (fixture, "page.jpg", "<html><body>", 12, "known format");
  try_bytes (fixture, "program.png",
             "\x7f"
             "ELF\2\1\1",
             8, "a program");
  try_bytes (fixture, "archive.tif", "PK\3\4\0\0\0\0", 8, "ZIP");
}

// Headers that lie, and some that are odd but true.
static const struct {
  const char *name;
  Header header;
  size_t pixel_bytes;
  const char *phrase; // what is said; see try_array
} headers[] = {
  { "good", { PLAIN }, 4096, NULL },
  { "rows-0", { 0, 64, 8, 8, 7, .photometric = "MONOCHROME2" }, 4096, "rows" },
  { "huge",
    { 65535, 65535, 8, 8, 7, .photometric = "MONOCHROME2" },
    4096,
    "too large: its header says 65535×65535" },
  { "one-row", { 1, 65535, 8, 8, 7, .photometric = "MONOCHROME2" }, 65536, NULL },
  { "one-column", { 65535, 1, 8, 8, 7, .photometric = "MONOCHROME2" }, 65536, NULL },
  { "stored-17",
    { 64, 64, 16, 17, 15, .photometric = "MONOCHROME2" },
    8192,
    "is inconsistent" },
  { "high-bit-20",
    { 64, 64, 16, 16, 20, .photometric = "MONOCHROME2" },
    8192,
    "is inconsistent" },
  { "bits-52",
    { 64, 64, 52, 52, 51, .photometric = "MONOCHROME2" },
    32768,
    "not supported" },
  { "colour-unknown", { 64, 64, 8, 8, 7, .photometric = "HSV" }, 4096, "HSV" },
  { "rgb-of-one", { 64, 64, 8, 8, 7, .photometric = "RGB" }, 4096, "inconsistent" },
  { "no-palette",
    { 64, 64, 8, 8, 7, .photometric = "PALETTE COLOR" },
    4096,
    "look-up table" },
  { "half", { PLAIN }, 2048, "+50.0%" },
  { "one-short", { PLAIN }, 4095, "+only" },
  { "longer", { PLAIN }, 5000, NULL },
  { "nothing", { PLAIN }, 0, "contains no image" },
  { "window-0", { PLAIN, .window_width = "0" }, 4096, "+window" },
  { "window-nan", { PLAIN, .window_width = "nan" }, 4096, "+window" },
  { "window--5", { PLAIN, .window_width = "-5" }, 4096, "+window" },
  { "slope-0", { PLAIN, .slope = "0" }, 4096, "+rescale" },
  { "slope-1e300", { PLAIN, .slope = "1e300" }, 4096, "+rescale" },
  { "slope-inf", { PLAIN, .slope = "inf" }, 4096, "+rescale" },
  { "slope-small", { PLAIN, .slope = "5.9e-8" }, 4096, NULL },
  { "aspect", { PLAIN, .aspect = "0\\1" }, 4096, "+square" },
  { "frames-huge", { PLAIN, .frames = "2147483647" }, 4096, "+holds 1" },
  { "frames-negative", { PLAIN, .frames = "-1" }, 4096, "+number of frames" },
  { "frames-3-of-1", { PLAIN, .frames = "3" }, 4096, "+holds 1" },
};

static void
test_headers (OdlTestPlace *fixture, gconstpointer data)
{
  for (size_t i = 0; i < G_N_ELEMENTS (headers); i++) {
    GByteArray *out = odl_dicom_begin (ODL_DICOM_LE);
    put_header (out, &headers[i].header);
    put_pixels (out, headers[i].pixel_bytes);
    try_array (fixture, headers[i].name, out, headers[i].phrase);
  }
}

static void
test_deep_nesting (OdlTestPlace *fixture, gconstpointer data)
{
  static const int depths[] = { 60, 65, 1000, 100000 };

  for (size_t i = 0; i < G_N_ELEMENTS (depths); i++) {
    GByteArray *out = odl_dicom_begin (ODL_DICOM_LE);
    for (int d = 0; d < depths[i]; d++) {
      odl_dicom_put_head (out, 0x00081140, "SQ", 0xffffffff);
      odl_dicom_put_u32 (out, 0xe000fffe);
      odl_dicom_put_u32 (out, 0xffffffff);
    }
    for (int d = 0; d < depths[i]; d++) {
      odl_dicom_put_u32 (out, 0xe00dfffe);
      odl_dicom_put_u32 (out, 0);
      odl_dicom_put_u32 (out, 0xe0ddfffe);
      odl_dicom_put_u32 (out, 0);
    }
    put_header (out, &plain);
    put_pixels (out, 4096);
    try_array (fixture, "nested.dcm", out, depths[i] <= 64 ? NULL : "nested");
  }
}

static void
test_deflate_bomb (OdlTestPlace *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) zeros = g_byte_array_new ();
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  z_stream stream = { 0 };
  GByteArray *out = odl_dicom_begin (DEFLATED);

  put_header (zeros, &plain);
  odl_dicom_put_head (zeros, 0x7fe00010, "OB", (uint32_t) 1 << 30);
  g_byte_array_set_size (packed, 2 << 20);
  deflateInit2 (&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  stream.next_out = packed->data;
  stream.avail_out = packed->len;
  stream.next_in = zeros->data;
  stream.avail_in = zeros->len;
  deflate (&stream, Z_NO_FLUSH);
  g_byte_array_set_size (zeros, 1 << 20);
  memset (zeros->data, 0, zeros->len);
  for (int i = 0; i < 256; i++) {
    stream.next_in = zeros->data;
    stream.avail_in = zeros->len;
    deflate (&stream, i == 255 ? Z_FINISH : Z_NO_FLUSH);
  }
  g_byte_array_append (out, packed->data, (guint) stream.total_out);
  deflateEnd (&stream);
  try_array (fixture, "bomb.dcm", out, "expands to more");
}

static void
put_fragment (GByteArray *out, const void *data, size_t size)
{
  odl_dicom_put_u32 (out, 0xe000fffe);
  odl_dicom_put_u32 (out, (uint32_t) ((size + 1) & ~(size_t) 1));
  g_byte_array_append (out, data, (guint) size);
  if (size % 2 == 1)
    g_byte_array_append (out, (const uint8_t *) "", 1);
}

static GByteArray *
begin_compressed (const char *syntax)
{
  GByteArray *out = odl_dicom_begin (syntax);
  put_header (out, &plain);
  odl_dicom_put_head (out, 0x7fe00010, "OB", 0xffffffff);
  put_fragment (out, "", 0);
  return out;
}

static void
end_compressed (GByteArray *out)
{
  odl_dicom_put_u32 (out, 0xe0ddfffe);
  odl_dicom_put_u32 (out, 0);
}

static void
test_rle (OdlTestPlace *fixture, gconstpointer data)
{
  static const struct {
    const char *name;
    uint32_t n_segments, offset;
    int n_runs;
    const char *phrase;
  } cases[] = {
    { "rle-good", 1, 64, 32, NULL },
    { "rle-no-segment", 0, 64, 32, "damaged" },
    { "rle-99-segments", 99, 64, 32, "damaged" },
    { "rle-far-offset", 1, 0xfffffff0, 32, "damaged" },
    { "rle-short", 1, 64, 4, "+too early" },
    { "rle-bomb", 1, 64, 400000, NULL },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GByteArray) frame = g_byte_array_new ();
    odl_dicom_put_u32 (frame, cases[i].n_segments);
    odl_dicom_put_u32 (frame, cases[i].offset);
    for (int k = 0; k < 14; k++)
      odl_dicom_put_u32 (frame, 0);
    for (int k = 0; k < cases[i].n_runs; k++)
      g_byte_array_append (frame, (const uint8_t *) "\x81U", 2);
    GByteArray *out = begin_compressed (ODL_DICOM_RLE_SYNTAX);
    put_fragment (out, frame->data, frame->len);
    end_compressed (out);
    try_array (fixture, cases[i].name, out, cases[i].phrase);
  }
  GByteArray *out = begin_compressed (ODL_DICOM_RLE_SYNTAX);
  end_compressed (out);
  try_array (fixture, "rle-nothing", out, "contains no image");

  // The second segment, the lower bytes, begins where the file has ended.
  static const Header wide
      = { 1024, 1024, 16, 16, 15, NULL, NULL, NULL, NULL, "MONOCHROME2" };
  static const uint32_t beginning[18] = { 0xe000fffe, 1 << 21, 2, 64, 1 << 20 };
  put_header (out = odl_dicom_begin (ODL_DICOM_RLE_SYNTAX), &wide);
  odl_dicom_put_head (out, 0x7fe00010, "OB", 0xffffffff);
  put_fragment (out, "", 0);
  for (size_t i = 0; i < G_N_ELEMENTS (beginning); i++)
    odl_dicom_put_u32 (out, beginning[i]);
  try_array (fixture, "rle-cut", out, "+too early");
}

static void
test_jpeg_in_dicom (OdlTestPlace *fixture, gconstpointer data)
{
  static const uint8_t huge[] = { 0xff, 0xd8, 0xff, 0xc0, 0,    11, 8,    0xff, 0xdc,
                                  0xff, 0xdc, 1,    1,    0x11, 0,  0xff, 0xd9 };
  static const struct {
    const char *name;
    const void *bytes;
    size_t size;
    const char *phrase;
  } cases[] = {
    { "jpeg-huge", huge, sizeof huge, "is inconsistent" },
    { "jpeg-noise", "this is no JPEG, not at all", 27, "damaged" },
    { "jpeg-empty", "", 0, "contains no image" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    GByteArray *out = begin_compressed (JPEG);
    put_fragment (out, cases[i].bytes, cases[i].size);
    end_compressed (out);
    try_array (fixture, cases[i].name, out, cases[i].phrase);
  }
}

// Image and tiles of these sizes, a component, one tile of six empty packets.
static GByteArray *
jpeg_2000 (uint32_t width, uint32_t height, uint32_t tile, unsigned precision)
{
  const uint32_t sizes[] = { width, height, 0, 0, tile, tile, 0, 0 };
  GByteArray *out = g_byte_array_new ();

  g_byte_array_append (out, (const uint8_t *) "\xff\x4f\xff\x51\0\x29\0\0", 8);
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const uint32_t number = GUINT32_TO_BE (sizes[i]);
    g_byte_array_append (out, (const uint8_t *) &number, 4);
  }
  const uint8_t component[] = { 0, 1, (uint8_t) (precision - 1), 1, 1 };
  g_byte_array_append (out, component, sizeof component);
  g_byte_array_append (
      out, (const uint8_t *) "\xff\x52\0\x0c\0\0\0\1\0\5\4\4\0\1\xff\x5c\0\x13\x40", 19);
  for (int i = 0; i < 16; i++)
    g_byte_array_append (out, (const uint8_t *) "\x48", 1);
  g_byte_array_append (
      out, (const uint8_t *) "\xff\x90\0\x0a\0\0\0\0\0\0\0\1\xff\x93\0\0\0\0\0\0\xff\xd9",
      22);
  return out;
}

static void
test_jpeg_2000 (OdlTestPlace *fixture, gconstpointer data)
{
  static const struct {
    const char *name;
    uint32_t rows, columns, width, height, tile;
    unsigned precision;
    const char *phrase;
  } cases[] = {
    { "j2k-empty", 64, 64, 64, 64, 64, 8, NULL },
    { "j2k-larger", 64, 64, 65535, 65535, 65535, 8, "is inconsistent" },
    { "j2k-huge", 65535, 65535, 65535, 65535, 65535, 16, "too large: its header says" },
    { "j2k-tiles", 64, 64, 64, 64, 1, 8, "damaged" },
    { "j2k-no-tile", 64, 64, 64, 64, 0, 8, "damaged" },
    { "j2k-38-bits", 64, 64, 64, 64, 64, 38, "38 bits" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Header header
        = { cases[i].rows, cases[i].columns, 8, 8, 7, .photometric = "MONOCHROME2" };
    GByteArray *out = odl_dicom_begin (JPEG_2000);
    g_autoptr (GByteArray) stream
        = jpeg_2000 (cases[i].width, cases[i].height, cases[i].tile, cases[i].precision);
    put_header (out, &header);
    odl_dicom_put_head (out, 0x7fe00010, "OB", 0xffffffff);
    put_fragment (out, "", 0);
    put_fragment (out, stream->data, stream->len);
    end_compressed (out);
    try_array (fixture, cases[i].name, out, cases[i].phrase);
  }
}

static void
test_wrong_lengths (OdlTestPlace *fixture, gconstpointer data)
{
  GByteArray *out = odl_dicom_begin (ODL_DICOM_LE);
  odl_dicom_put_head (out, 0x00081140, "UN", 0x7fffffff);
  try_array (fixture, "long-element", out, "too early");

  out = odl_dicom_begin (ODL_DICOM_LE);
  odl_dicom_put_head (out, 0x00081140, "SQ", 0xffffffff);
  odl_dicom_put_u32 (out, 0xe000fffe);
  odl_dicom_put_u32 (out, 0xffffffff);
  try_array (fixture, "no-delimiter", out, "too early");

  out = odl_dicom_begin ("1.2.3.4");
  put_header (out, &plain);
  try_array (fixture, "unknown-syntax", out, "1.2.3.4");

  out = odl_dicom_begin ("1.2.840.10008.1.2.4.110");
  try_array (fixture, "not-supported", out, "JPEG XL");

  // A video without its stream.
  out = odl_dicom_begin ("1.2.840.10008.1.2.4.102");
  try_array (fixture, "video", out, "contains no image");
}

// Every beginning of a good file is refused or marked, never taken for whole.
static void
test_truncation (OdlTestPlace *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);

  put_header (out, &plain);
  put_pixels (out, 4096);
  for (guint size = 1; size < out->len; size += size < 320 ? 13 : 977) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = odl_test_write (fixture->folder, "cut.dcm", out->data, size);
    g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
    g_test_message ("%u bytes: %s", size,
                    source != NULL ? source->info.warning : error->message);
    if (source != NULL) {
      g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, NULL);
      g_assert_cmpstr (odl_image_info (image)->mark, ==, "incomplete");
    } else {
      g_assert_null (strstr (error->message, "crashed"));
    }
  }
}

static void
test_huge_stills (OdlTestPlace *fixture, gconstpointer data)
{
  uint8_t png[33]
      = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\x7f\xff\xff\xff\0\x0f\xff\xff\x10\x06";
  static const uint8_t gif[]
      = "GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x08";
  static const uint8_t jpeg[]
      = "\xff\xd8\xff\xc0\0\x11\x08\xff\xdc\xff\xdc\x03\x01\x11\0\x02\x11\0"
        "\x03\x11\0\xff\xda\0\x0c\x03\x01\0\x02\0\x03\0\0\x3f\0\0\0";
  static const uint8_t bmp[54]
      = "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\x0f\0\xff\xff\x0f\0\x01\0\x18\0";
  static const uint8_t tiff[]
      = "II*\0\x08\0\0\0\x06\0\0\1\4\0\1\0\0\0\0\0\x0f\0\1\1\4\0\1\0\0\0\0\0\x0f\0"
        "\2\1\3\0\1\0\0\0\x08\0\0\0\6\1\3\0\1\0\0\0\1\0\0\0\x11\1\4\0\1\0\0\0\x08\0\0\0"
        "\x17\1\4\0\1\0\0\0\x08\0\0\0\0\0\0\0";

  uint32_t sum = GUINT32_TO_BE ((uint32_t) crc32 (0, png + 12, 17));
  memcpy (png + 29, &sum, sizeof sum);
  g_autoptr (GByteArray) whole_png = g_byte_array_new ();
  g_byte_array_append (whole_png, png, sizeof png);
  g_byte_array_append (whole_png, (const uint8_t *) "\0\0\0\0IDAT", 8);
  try_bytes (fixture, "huge.png", whole_png->data, whole_png->len, "2147483647×1048575");
  try_bytes (fixture, "huge.gif", gif, sizeof gif, "65535×65535");
  try_bytes (fixture, "huge.jpg", jpeg, sizeof jpeg,
             "too large: its header says 65500×65500");
  try_bytes (fixture, "huge.bmp", bmp, sizeof bmp, "too large");
  try_bytes (fixture, "huge.tif", tiff, sizeof tiff, "cannot hold 983040×983040 pixels");
}

static void
test_truncated_stills (OdlTestPlace *fixture, gconstpointer data)
{
  static const struct {
    const char *name;
    const char *bytes;
    size_t size;
  } stumps[] = {
    { "stump.png", "\x89PNG\r\n\x1a\n", 8 },
    { "stump.jpg", "\xff\xd8\xff\xe0", 4 },
    { "stump.gif", "GIF89a", 6 },
    { "stump.bmp", "BM", 2 },
    { "stump.tif", "II*\0", 4 },
    { "stump-big.tif", "II+\0\x08\0\0\0", 8 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (stumps); i++)
    try_bytes (fixture, stumps[i].name, stumps[i].bytes, stumps[i].size, "Cannot open");
}

static const struct {
  const char *name;
  void (*run) (OdlTestPlace *fixture, gconstpointer data);
} cases[] = {
  { "what-is-no-image-is-refused", test_no_images },
  { "headers-are-checked", test_headers },
  { "deep-nesting-is-refused", test_deep_nesting },
  { "a-deflate-bomb-is-refused", test_deflate_bomb },
  { "broken-rle-is-refused-or-marked", test_rle },
  { "broken-jpeg-is-refused", test_jpeg_in_dicom },
  { "broken-jpeg-2000-is-refused", test_jpeg_2000 },
  { "wrong-lengths-are-refused", test_wrong_lengths },
  { "every-truncation-is-refused-or-marked", test_truncation },
  { "huge-stills-are-refused", test_huge_stills },
  { "truncated-stills-are-refused", test_truncated_stills },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strconcat ("/hostile/", cases[i].name, NULL);
    g_test_add (name, OdlTestPlace, NULL, odl_test_set_up, cases[i].run,
                odl_test_tear_down);
  }
  return g_test_run ();
}
