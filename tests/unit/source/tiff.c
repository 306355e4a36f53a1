// SPDX-License-Identifier: MIT
// TIFF through the helper: every arrangement of samples, against what was written.
#include <float.h>
#include <math.h>
#include <string.h>
#include <tiffio.h>

#include "support.h"

#define WIDTH 37
#define HEIGHT 50

typedef struct {
  const char *name;
  int bits;
  int samples;
  int format;
  int photometric;
  bool separate;
  bool tiled;
  int compression;
  int channels; // expected
  OdlSampleType type;
} Kind;

static const Kind kinds[] = {
#define GREY PHOTOMETRIC_MINISBLACK
#define RGB PHOTOMETRIC_RGB
#define UINT SAMPLEFORMAT_UINT
  { "grey-8", 8, 1, UINT, GREY, false, false, COMPRESSION_NONE, 1, ODL_SAMPLE_U8 },
  { "grey-16", 16, 1, UINT, GREY, false, false, COMPRESSION_LZW, 1, ODL_SAMPLE_U16 },
  { "grey-signed-16", 16, 1, SAMPLEFORMAT_INT, GREY, false, false, COMPRESSION_NONE, 1,
    ODL_SAMPLE_S16 },
  { "grey-16-tiled", 16, 1, UINT, GREY, false, true, COMPRESSION_ADOBE_DEFLATE, 1,
    ODL_SAMPLE_U16 },
  { "white-is-zero", 8, 1, UINT, PHOTOMETRIC_MINISWHITE, false, false, COMPRESSION_NONE,
    1, ODL_SAMPLE_U8 },
  { "grey-and-alpha", 8, 2, UINT, GREY, false, false, COMPRESSION_NONE, 4,
    ODL_SAMPLE_U8 },
  { "rgb-8", 8, 3, UINT, RGB, false, false, COMPRESSION_PACKBITS, 3, ODL_SAMPLE_U8 },
  { "rgb-16", 16, 3, UINT, RGB, false, false, COMPRESSION_NONE, 3, ODL_SAMPLE_U16 },
  { "rgb-16-planes", 16, 3, UINT, RGB, true, false, COMPRESSION_NONE, 3, ODL_SAMPLE_U16 },
  { "rgb-8-planes-tiled", 8, 3, UINT, RGB, true, true, COMPRESSION_LZW, 3,
    ODL_SAMPLE_U8 },
  { "rgba-16-tiled", 16, 4, UINT, RGB, false, true, COMPRESSION_NONE, 4, ODL_SAMPLE_U16 },
  { "float-grey", 32, 1, SAMPLEFORMAT_IEEEFP, GREY, false, false, COMPRESSION_NONE, 1,
    ODL_SAMPLE_F32 },
  { "float-rgb", 32, 3, SAMPLEFORMAT_IEEEFP, RGB, false, false, COMPRESSION_NONE, 3,
    ODL_SAMPLE_F32 },
};

typedef struct {
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = odl_test_folder ();
  fixture->path = g_build_filename (fixture->folder, "a.tif", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  odl_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static double
value_at (const Kind *kind, int x, int y, int c)
{
  uint32_t noise
      = ((uint32_t) x * 73856093u ^ (uint32_t) y * 19349663u ^ (uint32_t) c * 83492791u)
        * 2654435761u;

  if (kind->format == SAMPLEFORMAT_IEEEFP)
    return (float) noise / 4294967296.f;
  noise >>= 32 - kind->bits;
  return kind->format == SAMPLEFORMAT_INT ? (int16_t) noise : (double) noise;
}

static void
put_value (const Kind *kind, void *row, size_t index, double value)
{
  if (kind->format == SAMPLEFORMAT_IEEEFP)
    ((float *) row)[index] = (float) value;
  else if (kind->bits == 16)
    ((uint16_t *) row)[index] = (uint16_t) (int) value;
  else
    ((uint8_t *) row)[index] = (uint8_t) value;
}

static TIFF *
begin (const char *path, const Kind *kind)
{
  TIFF *tiff = TIFFOpen (path, "w");

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, kind->bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, kind->samples);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, kind->format);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, kind->photometric);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, kind->compression);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG,
                kind->separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  if (kind->samples == 2 || kind->samples == 4) {
    uint16_t extra = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
  }
  if (kind->tiled) {
    TIFFSetField (tiff, TIFFTAG_TILEWIDTH, 32);
    TIFFSetField (tiff, TIFFTAG_TILELENGTH, 16);
  } else {
    TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 4);
  }
  return tiff;
}

static void
write_plane (TIFF *tiff, const Kind *kind, int plane)
{
  double buffer[32 * 16 * 4];
  int n = kind->separate ? 1 : kind->samples;
  int step = kind->tiled ? 32 : WIDTH;
  int rows = kind->tiled ? 16 : 1;

  for (int top = 0; top < HEIGHT; top += rows)
    for (int left = 0; left < WIDTH; left += step) {
      memset (buffer, 0, sizeof buffer);
      for (int y = top; y < MIN (top + rows, HEIGHT); y++)
        for (int x = left; x < MIN (left + step, WIDTH); x++)
          for (int c = 0; c < n; c++)
            put_value (kind, buffer, (size_t) ((y - top) * step + x - left) * n + c,
                       value_at (kind, x, y, kind->separate ? plane : c));
      if (kind->tiled)
        TIFFWriteTile (tiff, buffer, (uint32_t) left, (uint32_t) top, 0,
                       (uint16_t) plane);
      else
        TIFFWriteScanline (tiff, buffer, (uint32_t) top, (uint16_t) plane);
    }
}

static void
write_tiff (const char *path, const Kind *kind)
{
  TIFF *tiff = begin (path, kind);

  for (int plane = 0; plane < (kind->separate ? kind->samples : 1); plane++)
    write_plane (tiff, kind, plane);
  TIFFClose (tiff);
}

static void
test_kind (Fixture *fixture, gconstpointer data)
{
  const Kind *kind = data;

  write_tiff (fixture->path, kind);
  g_autoptr (OdlImage) image = odl_test_open (fixture->path, NULL);
  const OdlImageInfo *info = odl_image_info (image);
  g_assert_cmpint (info->extent.x, ==, WIDTH);
  g_assert_cmpint (info->extent.y, ==, HEIGHT);
  g_assert_cmpint (info->channels, ==, kind->channels);
  g_assert_cmpint (info->type, ==, kind->type);
  g_assert_cmpint (info->value_map.inverse, ==,
                   kind->photometric == PHOTOMETRIC_MINISWHITE);
  g_assert_null (info->mark);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < kind->channels; c++) {
        int stored = kind->samples == 2 ? c == 3 : c;
        g_assert_cmpfloat (odl_test_sample (image, c, x, y), ==,
                           value_at (kind, x, y, stored));
      }
}

static void
test_cut (Fixture *fixture, gconstpointer data)
{
  static const int chosen[] = { 0, 1, 6, 9 };

  for (size_t i = 0; i < G_N_ELEMENTS (chosen); i++) {
    const Kind *kind = &kinds[chosen[i]];
    g_autofree char *bytes = NULL;
    gsize size = 0;
    if (kind->separate)
      continue;
    // The directory first, as a file that is being received has it: written twice.
    TIFF *tiff = begin (fixture->path, kind);
    TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, HEIGHT);
    TIFFWriteCheck (tiff, 0, "test");
    TIFFWriteDirectory (tiff);
    TIFFSetDirectory (tiff, 0);
    write_plane (tiff, kind, 0);
    TIFFClose (tiff);
    g_assert_true (g_file_get_contents (fixture->path, &bytes, &size, NULL));
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) whole = odl_test_open (fixture->path, NULL);
    g_autofree char *path = odl_test_write (fixture->folder, "cut.tif", bytes, size / 2);
    g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
    g_test_message ("%s: %s", kind->name,
                    source != NULL ? source->info.warning : error->message);
    if (source != NULL) {
      g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, NULL);
      g_assert_cmpstr (odl_image_info (image)->mark, ==, "incomplete");
      g_assert_cmpfloat (odl_test_sample (image, 0, 5, 0), ==,
                         odl_test_sample (whole, 0, 5, 0));
    } else {
      // The directory of a compressed file comes last.
      odl_test_contains (path, error->message, "TIFF");
    }
  }
}

// Uncompressed rows behind a directory at the front, by hand; half of them are there.
static void
test_cut_by_hand (Fixture *fixture, gconstpointer data)
{
  uint8_t file[8 + 2 + 9 * 12 + 4 + 40 * 20] = "II*\0\x08\0\0\0\x09";
  static const struct {
    uint16_t tag, type;
    uint32_t value;
  } entries[9]
      = { { 256, 3, 40 },  { 257, 3, 40 }, { 258, 3, 8 },  { 259, 3, 1 },   { 262, 3, 1 },
          { 273, 4, 122 }, { 277, 3, 1 },  { 278, 3, 40 }, { 279, 4, 1600 } };

  for (int i = 0; i < 9; i++) {
    uint8_t *at = file + 10 + 12 * i;
    memcpy (at, &entries[i].tag, 2);
    memcpy (at + 2, &entries[i].type, 2);
    memcpy (at + 4, &(uint32_t){ 1 }, 4);
    memcpy (at + 8, &entries[i].value, 4);
  }
  memset (file + 122, 200, 800);
  g_autofree char *path = odl_test_write (fixture->folder, "hand.tif", file, sizeof file);
  g_autoptr (OdlImage) image = odl_test_open (path, NULL);
  g_assert_cmpstr (odl_image_info (image)->mark, ==, "incomplete");
  g_assert_cmpfloat (odl_test_sample (image, 0, 39, 19), ==, 200);
  g_assert_cmpfloat (odl_test_sample (image, 0, 0, 20), ==, 0);
}

static const Kind *
find_kind (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      return &kinds[i];
  g_assert_not_reached ();
}

static void
test_not_numbers (Fixture *fixture, gconstpointer data)
{
  const Kind *kind = find_kind ("float-grey");
  g_autoptr (OdlSource) source = NULL;
  TIFF *tiff = begin (fixture->path, kind);
  float row[WIDTH];

  TIFFSetField (tiff, TIFFTAG_SMINSAMPLEVALUE, -2.0);
  TIFFSetField (tiff, TIFFTAG_SMAXSAMPLEVALUE, 3.0);
  for (uint32_t y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++)
      row[x] = 0.5f;
    if (y == 7) {
      row[3] = NAN;
      row[4] = INFINITY;
      row[5] = -INFINITY;
    }
    TIFFWriteScanline (tiff, row, y, 0);
  }
  TIFFClose (tiff);
  g_autoptr (OdlImage) image = odl_test_open (fixture->path, &source);
  g_assert_cmpuint (odl_image_count_non_finite (image), ==, 0);
  g_assert_cmpfloat (odl_image_info (image)->stored_min, ==, -2);
  g_assert_cmpfloat (odl_image_info (image)->stored_max, ==, 3);
  g_assert_cmpfloat (odl_test_sample (image, 0, 3, 7), ==, -2);
  g_assert_cmpfloat (odl_test_sample (image, 0, 4, 7), ==, 3);
  g_assert_cmpfloat (odl_test_sample (image, 0, 5, 7), ==, -2);
  odl_test_contains (fixture->path, source->info.warning, "3 samples");
}

static void
test_float_range (Fixture *fixture, gconstpointer data)
{
  static const struct {
    float low, high;
    double minimum, maximum;
  } ranges[] = { { 0.25f, 0.75f, 0, 1 }, { -3, 40, -3, 40 }, { 5, 5, 5, 10 } };

  for (size_t i = 0; i < G_N_ELEMENTS (ranges); i++) {
    TIFF *tiff = begin (fixture->path, find_kind ("float-grey"));
    float row[WIDTH];
    for (uint32_t y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++)
        row[x] = x % 2 == 0 ? ranges[i].low : ranges[i].high;
      TIFFWriteScanline (tiff, row, y, 0);
    }
    TIFFClose (tiff);
    g_autoptr (OdlImage) image = odl_test_open (fixture->path, NULL);
    g_assert_cmpfloat (odl_image_info (image)->stored_min, ==, ranges[i].minimum);
    g_assert_cmpfloat (odl_image_info (image)->stored_max, ==, ranges[i].maximum);
  }
}

// −FLT_MAX or so where nothing was measured would leave the rest without contrast, also
// where the writer took it for the smallest value.
static void
test_no_data (Fixture *fixture, gconstpointer data)
{
  static const float fills[] = { -FLT_MAX, -3.4e38f, FLT_MAX };

  for (size_t i = 0; i < 2 * G_N_ELEMENTS (fills); i++) {
    const float fill = fills[i / 2];
    TIFF *tiff = begin (fixture->path, find_kind ("float-grey"));
    g_autoptr (OdlSource) source = NULL;
    float row[WIDTH];
    if (i % 2 == 1) {
      TIFFSetField (tiff, TIFFTAG_SMINSAMPLEVALUE, (double) MIN (fill, -3));
      TIFFSetField (tiff, TIFFTAG_SMAXSAMPLEVALUE, (double) MAX (fill, 40));
    }
    for (uint32_t y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++)
        row[x] = x == 0 ? fill : x % 2 == 0 ? -3 : 40;
      TIFFWriteScanline (tiff, row, y, 0);
    }
    TIFFClose (tiff);
    g_autoptr (OdlImage) image = odl_test_open (fixture->path, &source);
    g_assert_cmpfloat (odl_image_info (image)->stored_min, ==, -3);
    g_assert_cmpfloat (odl_image_info (image)->stored_max, ==, 40);
    g_assert_cmpfloat (odl_test_sample (image, 0, 0, 5), ==, fill < 0 ? -3 : 40);
    odl_test_contains (fixture->path, source->info.warning, "missing data");
  }
}

static void
test_orientation (Fixture *fixture, gconstpointer data)
{
  const Kind *kind = find_kind ("rgb-16");
  TIFF *tiff = begin (fixture->path, kind);

  TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_RIGHTTOP);
  write_plane (tiff, kind, 0);
  TIFFClose (tiff);
  g_autoptr (OdlImage) image = odl_test_open (fixture->path, NULL);
  g_assert_cmpint (odl_image_info (image)->extent.x, ==, HEIGHT);
  g_assert_cmpint (odl_image_info (image)->extent.y, ==, WIDTH);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpfloat (odl_test_sample (image, 1, HEIGHT - 1 - y, x), ==,
                         value_at (kind, x, y, 1));
}

static void
test_palette (Fixture *fixture, gconstpointer data)
{
  static const Kind kind = {
    "palette",    8, 1, UINT, PHOTOMETRIC_PALETTE, false, false, COMPRESSION_NONE, 3,
    ODL_SAMPLE_U8
  };
  uint16_t map[3][256];
  TIFF *tiff = begin (fixture->path, &kind);

  for (int i = 0; i < 256; i++) {
    map[0][i] = (uint16_t) (i * 257);
    map[1][i] = (uint16_t) ((255 - i) * 257);
    map[2][i] = (uint16_t) ((i ^ 85) * 257);
  }
  TIFFSetField (tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
  write_plane (tiff, &kind, 0);
  TIFFClose (tiff);
  g_autoptr (OdlImage) image = odl_test_open (fixture->path, NULL);
  g_assert_cmpint (odl_image_info (image)->type, ==, ODL_SAMPLE_U8);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int index = (int) value_at (&kind, x, y, 0);
      g_assert_cmpfloat (odl_test_sample (image, 0, x, y), ==, index);
      g_assert_cmpfloat (odl_test_sample (image, 1, x, y), ==, 255 - index);
      g_assert_cmpfloat (odl_test_sample (image, 2, x, y), ==, index ^ 85);
    }
}

static void
test_several (Fixture *fixture, gconstpointer data)
{
  const Kind *kind = &kinds[0];
  TIFF *tiff = begin (fixture->path, kind);

  write_plane (tiff, kind, 0);
  TIFFWriteDirectory (tiff);
  TIFFClose (tiff);
  tiff = TIFFOpen (fixture->path, "a");
  g_assert_nonnull (tiff);
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 1);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, GREY);
  TIFFWriteScanline (tiff, (uint8_t[]){ 7 }, 0, 0);
  TIFFClose (tiff);
  g_autoptr (OdlSource) source = odl_source_open (fixture->path, NULL, NULL);
  g_assert_nonnull (source);
  odl_test_contains ("several", source->info.warning, "several pictures");

  write_tiff (fixture->path, kind);
  g_autoptr (OdlSource) single = odl_source_open (fixture->path, NULL, NULL);
  g_assert_nonnull (single);
  g_assert_null (single->info.warning);
}

static const struct {
  const char *name;
  void (*run) (Fixture *fixture, gconstpointer data);
} cases[] = {
  { "half-a-file-is-marked-or-refused", test_cut },
  { "missing-rows-are-marked", test_cut_by_hand },
  { "what-is-no-number-is-replaced-and-counted", test_not_numbers },
  { "floats-have-a-range", test_float_range },
  { "what-stands-for-no-data-is-replaced", test_no_data },
  { "orientation-is-obeyed", test_orientation },
  { "palettes-are-looked-up", test_palette },
  { "that-there-are-several-is-said", test_several },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *name
        = g_strconcat ("/tiff/every-sample-is-kept/", kinds[i].name, NULL);
    g_test_add (name, Fixture, &kinds[i], set_up, test_kind, tear_down);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strconcat ("/tiff/", cases[i].name, NULL);
    g_test_add (name, Fixture, NULL, set_up, cases[i].run, tear_down);
  }
  return g_test_run ();
}
