// SPDX-License-Identifier: MIT
// PNG, JPEG, GIF and BMP through the helper, against what was written.
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

#include "support.h"

#define WIDTH 37
#define HEIGHT 23

// ---- PNG ----

typedef struct {
  int bits;
  int colour;
  bool interlaced;
  bool transparent; // a tRNS chunk
  int channels; // expected
} PngKind;

static const png_color palette[4]
    = { { 1, 2, 3 }, { 200, 0, 9 }, { 7, 255, 8 }, { 66, 77, 88 } };
static const png_byte palette_alpha[4] = { 255, 128, 0, 255 };

// Stored sample `c` of pixel (x, y): noise of the kind's bits.
static unsigned
png_value (const PngKind *kind, int x, int y, int c)
{
  uint32_t noise
      = ((uint32_t) x * 73856093u ^ (uint32_t) y * 19349663u ^ (uint32_t) c * 83492791u)
        * 2654435761u;
  int bits = kind->colour == PNG_COLOR_TYPE_PALETTE ? 2 : kind->bits;
  return noise >> (32 - bits);
}

static int
png_samples (const PngKind *kind)
{
  return kind->colour == PNG_COLOR_TYPE_RGB          ? 3
         : kind->colour == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
         : kind->colour == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                     : 1;
}

static void
fill_png_row (const PngKind *kind, int y, png_byte *row)
{
  int n = png_samples (kind);

  memset (row, 0, WIDTH * 8);
  for (int i = 0; i < WIDTH * n; i++) {
    unsigned value = png_value (kind, i / n, y, i % n);
    if (kind->bits == 16) {
      row[2 * i] = (png_byte) (value >> 8);
      row[2 * i + 1] = (png_byte) value;
    } else {
      int bit = i * kind->bits;
      row[bit / 8] |= (png_byte) (value << (8 - kind->bits - bit % 8));
    }
  }
}

static void
write_png (const char *path, const PngKind *kind)
{
  FILE *file = fopen (path, "wb");
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct (png);
  png_byte rows[HEIGHT][WIDTH * 8];
  png_bytep pointers[HEIGHT];
  png_color_16 clear = { 0 };

  png_init_io (png, file);
  png_set_IHDR (png, info, WIDTH, HEIGHT, kind->bits, kind->colour,
                kind->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (kind->colour == PNG_COLOR_TYPE_PALETTE)
    png_set_PLTE (png, info, palette, 4);
  if (kind->transparent && kind->colour == PNG_COLOR_TYPE_PALETTE)
    png_set_tRNS (png, info, palette_alpha, 4, NULL);
  else if (kind->transparent)
    png_set_tRNS (png, info, NULL, 0, &clear);
  png_set_gAMA (png, info, 0.3);
  png_write_info (png, info);
  for (int y = 0; y < HEIGHT; y++) {
    fill_png_row (kind, y, rows[y]);
    pointers[y] = rows[y];
  }
  png_write_image (png, pointers);
  png_write_end (png, NULL);
  png_destroy_write_struct (&png, &info);
  fclose (file);
}

static unsigned
expected_png_sample (const PngKind *kind, int x, int y, int c)
{
  unsigned full = (1u << kind->bits) - 1;
  bool grey = png_samples (kind) <= 2;
  unsigned stored = png_value (kind, x, y, grey ? 0 : c);

  if (kind->colour == PNG_COLOR_TYPE_PALETTE) {
    const png_color *entry = &palette[stored];
    return c == 0   ? entry->red
           : c == 1 ? entry->green
           : c == 2 ? entry->blue
                    : palette_alpha[stored];
  }
  if (c == 3 && kind->transparent)
    return stored == 0
                   || (!grey && png_value (kind, x, y, 0) == 0
                       && png_value (kind, x, y, 1) == 0
                       && png_value (kind, x, y, 2) == 0)
               ? 0
               : (kind->bits == 16 ? 65535 : 255);
  if (c == 3 && grey)
    return png_value (kind, x, y, 1);
  return kind->bits < 8 ? stored * 255 / full : stored;
}

static void
test_png (OdlTestPlace *fixture, gconstpointer data)
{
  static const PngKind kinds[] = {
    { 1, PNG_COLOR_TYPE_GRAY, false, false, 1 },
    { 2, PNG_COLOR_TYPE_GRAY, false, false, 1 },
    { 4, PNG_COLOR_TYPE_GRAY, true, false, 1 },
    { 8, PNG_COLOR_TYPE_GRAY, false, false, 1 },
    { 16, PNG_COLOR_TYPE_GRAY, false, false, 1 },
    { 16, PNG_COLOR_TYPE_GRAY, true, false, 1 },
    { 8, PNG_COLOR_TYPE_GRAY, false, true, 4 },
    { 8, PNG_COLOR_TYPE_GRAY_ALPHA, false, false, 4 },
    { 16, PNG_COLOR_TYPE_GRAY_ALPHA, true, false, 4 },
    { 8, PNG_COLOR_TYPE_RGB, false, false, 3 },
    { 16, PNG_COLOR_TYPE_RGB, false, false, 3 },
    { 8, PNG_COLOR_TYPE_RGB_ALPHA, true, false, 4 },
    { 16, PNG_COLOR_TYPE_RGB_ALPHA, false, false, 4 },
    { 2, PNG_COLOR_TYPE_PALETTE, false, false, 3 },
    { 8, PNG_COLOR_TYPE_PALETTE, false, false, 3 },
    { 4, PNG_COLOR_TYPE_PALETTE, true, true, 4 },
  };
  // The name says something else: only the content counts.
  g_autofree char *path = g_build_filename (fixture->folder, "picture.dcm", NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    const PngKind *kind = &kinds[i];
    write_png (path, kind);
    g_test_message ("%d bit, colour type %d", kind->bits, kind->colour);
    g_autoptr (OdlImage) image = odl_test_open (path, NULL);
    const OdlImageInfo *info = odl_image_info (image);
    g_assert_cmpint (info->extent.x, ==, WIDTH);
    g_assert_cmpint (info->extent.y, ==, HEIGHT);
    g_assert_cmpint (info->channels, ==, kind->channels);
    g_assert_cmpint (info->type, ==, kind->bits == 16 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8);
    g_assert_null (info->mark);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        for (int c = 0; c < kind->channels; c++)
          g_assert_cmpfloat (odl_test_sample (image, c, x, y), ==,
                             expected_png_sample (kind, x, y, c));
  }
}

// Cuts the file at `fraction` of its size.
static char *
cut (OdlTestPlace *fixture, const char *path, double fraction)
{
  g_autofree char *bytes = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  return odl_test_write (fixture->folder, "cut", bytes,
                         (gsize) ((double) size * fraction));
}

static void
check_cut (OdlTestPlace *fixture, const char *path)
{
  g_autoptr (OdlSource) source = NULL;
  g_autofree char *half_path = cut (fixture, path, 0.6);
  g_autoptr (OdlImage) whole = odl_test_open (path, NULL);
  g_autoptr (OdlImage) half = odl_test_open (half_path, &source);

  g_test_message ("%s: %s", path, source->info.warning);
  g_assert_cmpstr (odl_image_info (half)->mark, ==, "incomplete");
  g_assert_nonnull (source->info.warning);
  for (int c = 0; c < odl_image_info (whole)->channels; c++)
    for (int x = 0; x < 8; x++)
      g_assert_cmpfloat (odl_test_sample (half, c, x, 0), ==,
                         odl_test_sample (whole, c, x, 0));
  g_assert_cmpfloat (odl_test_difference (whole, half), >, 0);
  g_autofree char *stump_path = cut (fixture, path, 0.02);
  g_free (odl_test_refusal (stump_path));
}

static GdkPixbuf *
noisy_pixbuf (int width, int height)
{
  GdkPixbuf *pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  guchar *pixels = gdk_pixbuf_get_pixels (pixbuf);
  int stride = gdk_pixbuf_get_rowstride (pixbuf);
  uint32_t seed = 7;

  for (int y = 0; y < height; y++)
    for (int i = 0; i < width * 3; i++)
      pixels[y * stride + i] = (guchar) ((seed = seed * 1664525 + 1013904223) >> 24);
  return pixbuf;
}

static void
check_against_pixbuf (const char *path, GdkPixbuf *pixbuf, double tolerance)
{
  g_autoptr (OdlImage) image = odl_test_open (path, NULL);
  const guchar *pixels = gdk_pixbuf_read_pixels (pixbuf);
  int stride = gdk_pixbuf_get_rowstride (pixbuf);

  g_assert_cmpint (odl_image_info (image)->extent.x, ==, gdk_pixbuf_get_width (pixbuf));
  g_assert_cmpint (odl_image_info (image)->extent.y, ==, gdk_pixbuf_get_height (pixbuf));
  g_assert_cmpint (odl_image_info (image)->channels, ==, 3);
  g_assert_null (odl_image_info (image)->mark);
  for (int y = 0; y < gdk_pixbuf_get_height (pixbuf); y++)
    for (int x = 0; x < gdk_pixbuf_get_width (pixbuf); x++)
      for (int c = 0; c < 3; c++)
        g_assert_cmpfloat (
            fabs (odl_test_sample (image, c, x, y) - pixels[y * stride + 3 * x + c]), <=,
            tolerance);
}

static void
test_bmp (OdlTestPlace *fixture, gconstpointer data)
{
  g_autoptr (GdkPixbuf) pixbuf = noisy_pixbuf (67, 45);
  g_autofree char *path = g_build_filename (fixture->folder, "a.bmp", NULL);

  g_assert_true (gdk_pixbuf_save (pixbuf, path, "bmp", NULL, NULL));
  check_against_pixbuf (path, pixbuf, 0);
  g_autofree char *half_path = cut (fixture, path, 0.6);
  g_autoptr (OdlImage) half = odl_test_open (half_path, NULL);
  g_assert_cmpstr (odl_image_info (half)->mark, ==, "incomplete");
}

static void
test_jpeg (OdlTestPlace *fixture, gconstpointer data)
{
  g_autoptr (GdkPixbuf) pixbuf = noisy_pixbuf (67, 45);
  g_autofree char *path = g_build_filename (fixture->folder, "a.jpg", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (gdk_pixbuf_save (pixbuf, path, "jpeg", NULL, "quality", "90", NULL));
  g_autoptr (GdkPixbuf) decoded = gdk_pixbuf_new_from_file (path, &error);
  g_assert_no_error (error);
  check_against_pixbuf (path, decoded, 0);
  check_cut (fixture, path);
}

static void
test_cut_png (OdlTestPlace *fixture, gconstpointer data)
{
  g_autoptr (GdkPixbuf) pixbuf = noisy_pixbuf (67, 45);
  g_autofree char *path = g_build_filename (fixture->folder, "a.png", NULL);

  g_assert_true (gdk_pixbuf_save (pixbuf, path, "png", NULL, NULL));
  check_against_pixbuf (path, pixbuf, 0);
  check_cut (fixture, path);
}

// ---- JPEG with what libjpeg alone can write ----

// Quadrants of plain colour; `exif` (may be NULL) goes into an APP1 marker.
static char *
write_jpeg (OdlTestPlace *fixture,
            J_COLOR_SPACE space,
            const uint8_t quadrants[4][4],
            int orientation)
{
  enum { W = 48, H = 32 };
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  unsigned char *bytes = NULL;
  unsigned long size = 0;
  int n = space == JCS_GRAYSCALE ? 1 : space == JCS_CMYK ? 4 : 3;
  uint8_t exif[] = "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\3\0\1\0\0\0\0\0\0\0\0\0\0\0";

  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_compress (&jpeg);
  jpeg_mem_dest (&jpeg, &bytes, &size);
  jpeg.image_width = W;
  jpeg.image_height = H;
  jpeg.input_components = n;
  jpeg.in_color_space = space;
  jpeg_set_defaults (&jpeg);
  jpeg_set_quality (&jpeg, 98, TRUE);
  jpeg_start_compress (&jpeg, TRUE);
  exif[24] = (uint8_t) orientation;
  if (orientation != 0)
    jpeg_write_marker (&jpeg, JPEG_APP0 + 1, exif, sizeof exif - 1);
  for (int y = 0; y < H; y++) {
    uint8_t row[W * 4];
    JSAMPROW rows[] = { row };
    for (int x = 0; x < W; x++)
      memcpy (row + n * x, quadrants[(y >= H / 2) * 2 + (x >= W / 2)], (size_t) n);
    jpeg_write_scanlines (&jpeg, rows, 1);
  }
  jpeg_finish_compress (&jpeg);
  jpeg_destroy_compress (&jpeg);
  char *path = odl_test_write (fixture->folder, "libjpeg.jpg", bytes, size);
  free (bytes);
  return path;
}

static void
expect_near (const OdlImage *image, int x, int y, const uint8_t *colour, int n)
{
  for (int c = 0; c < n; c++) {
    double value = odl_test_sample (image, c, x, y);
    g_test_message ("(%d,%d) channel %d: %g, expected %d", x, y, c, value, colour[c]);
    g_assert_cmpfloat (fabs (value - colour[c]), <=, 4);
  }
}

static void
test_jpeg_orientation (OdlTestPlace *fixture, gconstpointer data)
{
  static const uint8_t grey[4][4] = { { 10 }, { 90 }, { 170 }, { 250 } };
  // Which stored quadrant is shown at the top left and at the top right.
  static const int shown[8][2] = { { 0, 1 }, { 1, 0 }, { 3, 2 }, { 2, 3 },
                                   { 0, 2 }, { 2, 0 }, { 3, 1 }, { 1, 3 } };

  for (int orientation = 1; orientation <= 8; orientation++) {
    g_autofree char *path = write_jpeg (fixture, JCS_GRAYSCALE, grey, orientation);
    g_autoptr (OdlImage) image = odl_test_open (path, NULL);
    const OdlImageInfo *info = odl_image_info (image);
    g_test_message ("orientation %d", orientation);
    g_assert_cmpint (info->extent.x, ==, orientation > 4 ? 32 : 48);
    g_assert_cmpint (info->extent.y, ==, orientation > 4 ? 48 : 32);
    g_assert_cmpint (info->channels, ==, 1);
    expect_near (image, 3, 3, grey[shown[orientation - 1][0]], 1);
    expect_near (image, info->extent.x - 4, 3, grey[shown[orientation - 1][1]], 1);
  }
}

static void
test_jpeg_cmyk (OdlTestPlace *fixture, gconstpointer data)
{
  // Stored as Adobe does: 255 is no ink.
  static const uint8_t inks[4][4] = { { 255, 255, 255, 255 },
                                      { 0, 255, 255, 255 },
                                      { 255, 0, 255, 128 },
                                      { 255, 255, 255, 0 } };
  static const uint8_t rgb[4][3]
      = { { 255, 255, 255 }, { 0, 255, 255 }, { 128, 0, 128 }, { 0, 0, 0 } };
  g_autofree char *path = write_jpeg (fixture, JCS_CMYK, inks, 0);
  g_autoptr (OdlImage) image = odl_test_open (path, NULL);

  g_assert_cmpint (odl_image_info (image)->channels, ==, 3);
  for (int i = 0; i < 4; i++)
    expect_near (image, i % 2 == 0 ? 3 : 44, i < 2 ? 3 : 28, rgb[i], 3);
}

// ---- GIF ----

typedef struct {
  GByteArray *bytes;
  uint32_t pending;
  int n_pending;
} Codes;

static void
put_code (Codes *codes, unsigned code, int bits)
{
  codes->pending |= code << codes->n_pending;
  codes->n_pending += bits;
  while (codes->n_pending >= 8) {
    uint8_t byte = (uint8_t) codes->pending;
    g_byte_array_append (codes->bytes, &byte, 1);
    codes->pending >>= 8;
    codes->n_pending -= 8;
  }
}

// A GIF of 256 greys whose codes never grow: the table is cleared before it could.
static GByteArray *
make_gif (int width, int height)
{
  GByteArray *gif = g_byte_array_new ();
  Codes codes = { .bytes = g_byte_array_new () };
  uint8_t head[] = { 'G', 'I',  'F', '8', '9', 'a', (uint8_t) width, 0, (uint8_t) height,
                     0,   0xf7, 0,   0 };
  uint8_t frame[] = { ',', 0, 0, 0, 0, (uint8_t) width, 0, (uint8_t) height, 0, 0, 8 };

  g_byte_array_append (gif, head, sizeof head);
  for (int i = 0; i < 256; i++) {
    uint8_t colour[] = { (uint8_t) i, (uint8_t) (255 - i), (uint8_t) (i ^ 85) };
    g_byte_array_append (gif, colour, 3);
  }
  g_byte_array_append (gif, frame, sizeof frame);
  for (int i = 0; i < width * height; i++) {
    if (i % 200 == 0)
      put_code (&codes, 256, 9);
    put_code (&codes, (unsigned) (i * 7 + i / width) & 255, 9);
  }
  put_code (&codes, 257, 9);
  put_code (&codes, 0, 7);
  for (guint at = 0; at < codes.bytes->len; at += 255) {
    uint8_t n = (uint8_t) MIN (255, codes.bytes->len - at);
    g_byte_array_append (gif, &n, 1);
    g_byte_array_append (gif, codes.bytes->data + at, n);
  }
  g_byte_array_append (gif, (const uint8_t *) "\0;", 2);
  g_byte_array_unref (codes.bytes);
  return gif;
}

static void
test_gif (OdlTestPlace *fixture, gconstpointer data)
{
  enum { W = 61, H = 40 };
  g_autoptr (GByteArray) gif = make_gif (W, H);
  g_autofree char *path = odl_test_write (fixture->folder, "a.gif", gif->data, gif->len);
  g_autoptr (OdlImage) image = odl_test_open (path, NULL);

  g_assert_cmpint (odl_image_info (image)->extent.x, ==, W);
  g_assert_cmpint (odl_image_info (image)->extent.y, ==, H);
  g_assert_null (odl_image_info (image)->mark);
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, NULL);
  g_assert_null (source->info.warning);
  for (int i = 0; i < W * H; i++) {
    int index = (i * 7 + i / W) & 255;
    g_assert_cmpfloat (odl_test_sample (image, 0, i % W, i / W), ==, index);
    g_assert_cmpfloat (odl_test_sample (image, 1, i % W, i / W), ==, 255 - index);
    g_assert_cmpfloat (odl_test_sample (image, 2, i % W, i / W), ==, index ^ 85);
  }
  g_autofree char *half_path = cut (fixture, path, 0.7);
  g_autoptr (OdlImage) half = odl_test_open (half_path, NULL);
  g_assert_cmpstr (odl_image_info (half)->mark, ==, "incomplete");
  for (int x = 0; x < W; x++)
    g_assert_cmpfloat (odl_test_sample (half, 0, x, 0), ==,
                       odl_test_sample (image, 0, x, 0));
}

// Frames without a time are shown for as long as browsers show them.
static void
test_gif_of_several (OdlTestPlace *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) gif = make_gif (61, 40);
  const guint head = 13 + 3 * 256, frame = gif->len - 1 - head;
  g_autofree uint8_t *again = g_memdup2 (gif->data + head, frame);

  g_byte_array_set_size (gif, gif->len - 1);
  g_byte_array_append (gif, again, frame);
  g_byte_array_append (gif, (const uint8_t *) ";", 1);
  g_autofree char *path = odl_test_write (fixture->folder, "b.gif", gif->data, gif->len);
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, NULL);
  g_assert_nonnull (source);
  odl_test_contains (path, source->info.warning, "2 frames say no time");
  g_assert_cmpint (source->info.n_frames, ==, 2);
  g_assert_cmpfloat (source->info.frame_rate, ==, 10);
}

static void
test_candidates (OdlTestPlace *fixture, gconstpointer data)
{
  g_autofree uint8_t *dicom = g_malloc0 (200);
  memcpy (dicom + 128, "DICM", 4);
  g_autofree char *bare = odl_test_write (fixture->folder, "IM0001", dicom, 200);
  g_autofree char *text = odl_test_write (fixture->folder, "README", "text", 4);

  g_assert_true (odl_source_is_candidate ("/a/b.png"));
  g_assert_true (odl_source_is_candidate ("/a/B.JPEG"));
  g_assert_true (odl_source_is_candidate ("x.dcm"));
  g_assert_true (odl_source_is_candidate (bare));
  g_assert_false (odl_source_is_candidate (text));
  g_assert_false (odl_source_is_candidate ("/a/b.txt"));
  g_assert_false (odl_source_is_candidate ("phantom.c"));
}

static void
test_registry (OdlTestPlace *fixture, gconstpointer data)
{
  g_assert_cmpuint (odl_source_count (), >=, 3);
  for (size_t i = 0; i < odl_source_count (); i++) {
    const OdlSourceClass *klass = odl_source_at (i);
    g_assert_nonnull (klass->name);
    g_assert_nonnull (klass->description);
    g_assert_nonnull (klass->examples);
    g_assert_nonnull (klass->examples[0]);
    g_assert_true (klass->probe != NULL && klass->open != NULL && klass->close != NULL
                   && klass->read_frame != NULL);
    for (size_t k = 0; k < i; k++)
      g_assert_cmpstr (klass->name, !=, odl_source_at (k)->name);
  }
  g_autoptr (OdlSource) source = NULL;
  g_autoptr (OdlImage) image = odl_test_open ("phantom:64x48,seed=3", &source);
  g_assert_cmpint (odl_image_info (image)->extent.y, ==, 48);
  g_assert_cmpstr (source->klass->name, ==, "phantom");
}

static const struct {
  const char *name;
  void (*run) (OdlTestPlace *fixture, gconstpointer data);
} cases[] = {
  { "png-keeps-every-bit", test_png },
  { "a-cut-png-is-marked", test_cut_png },
  { "bmp-is-exact", test_bmp },
  { "jpeg-equals-libjpeg-and-is-marked-when-cut", test_jpeg },
  { "jpeg-obeys-its-orientation", test_jpeg_orientation },
  { "jpeg-in-cmyk-has-right-colours", test_jpeg_cmyk },
  { "gif-shows-its-first-frame", test_gif },
  { "gif-of-several-frames-moves", test_gif_of_several },
  { "candidates-are-told-by-name", test_candidates },
  { "every-source-is-complete", test_registry },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strconcat ("/stills/", cases[i].name, NULL);
    g_test_add (name, OdlTestPlace, NULL, odl_test_set_up, cases[i].run,
                odl_test_tear_down);
  }
  return g_test_run ();
}
