// SPDX-License-Identifier: MIT
// From DICOM's ways of storing samples to those of a picture, value by value.
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/dicom/pixels/pixels.h"
#include "decoder/protocol.h"

#define MEMORY ((size_t) 64 << 20)

// A picture with the memory file that the parent would give it.
static void
begin (OdlPicture *picture)
{
  int fd = memfd_create ("picture", MFD_ALLOW_SEALING);

  g_assert_no_errno (ftruncate (fd, (off_t) MEMORY));
  if (fd != ODL_DECODER_PICTURE_FD) {
    dup2 (fd, ODL_DECODER_PICTURE_FD);
    close (fd);
  }
  odl_picture_init (picture, MEMORY);
}

// A picture of 4 × 1 grey samples from `data`.
typedef struct {
  const char *name;
  uint8_t data[16];
  struct {
    size_t size;
    int allocated, stored, high;
  } in;
  bool is_signed, big_endian, swapped;
  size_t first_bit;
  OdlSampleType type; // expected
  double values[4];
  double lowest, highest;
} GreyCase;

static const GreyCase grey_cases[] = {
  { "eight",
    { 0, 1, 128, 255 },
    { 4, 8, 8, 7 },
    .type = ODL_SAMPLE_U8,
    .values = { 0, 1, 128, 255 },
    .highest = 255 },
  { "eight-signed",
    { 0, 1, 128, 255 },
    { 4, 8, 8, 7 },
    .is_signed = true,
    .type = ODL_SAMPLE_S16,
    .values = { 0, 1, -128, -1 },
    .lowest = -128,
    .highest = 127 },
  { "twelve-of-sixteen",
    { 0xff, 0x0f, 0x01, 0x08, 0, 0, 0x34, 0x12 },
    { 8, 16, 12, 11 },
    .type = ODL_SAMPLE_U16,
    .values = { 4095, 2049, 0, 0x234 },
    .highest = 4095 },
  { "twelve-signed",
    { 0xff, 0x0f, 0x00, 0x08, 0xff, 0x07, 1, 0 },
    { 8, 16, 12, 11 },
    .is_signed = true,
    .type = ODL_SAMPLE_S16,
    .values = { -1, -2048, 2047, 1 },
    .lowest = -2048,
    .highest = 2047 },
  { "overlay-in-the-high-bits",
    { 0x01, 0xf0, 0xff, 0xff, 0, 0x80, 0, 0x10 },
    { 8, 16, 12, 11 },
    .type = ODL_SAMPLE_U16,
    .values = { 1, 4095, 0, 0 },
    .highest = 4095 },
  { "stored-at-the-top",
    { 0x10, 0x00, 0xf0, 0xff, 0x0f, 0x00, 0x00, 0x80 },
    { 8, 16, 12, 15 },
    .type = ODL_SAMPLE_U16,
    .values = { 1, 4095, 0, 2048 },
    .highest = 4095 },
  { "big-endian",
    { 0x01, 0x02, 0xff, 0xff, 0, 1, 0x80, 0 },
    { 8, 16, 16, 15 },
    .is_signed = true,
    .big_endian = true,
    .type = ODL_SAMPLE_S16,
    .values = { 258, -1, 1, -32768 },
    .lowest = -32768,
    .highest = 32767 },
  { "bytes-in-big-endian-words",
    { 2, 1, 4, 3 },
    { 4, 8, 8, 7 },
    .big_endian = true,
    .swapped = true,
    .type = ODL_SAMPLE_U8,
    .values = { 1, 2, 3, 4 },
    .highest = 255 },
  { "bits",
    { 0x05 },
    { 1, 1, 1, 0 },
    .type = ODL_SAMPLE_U8,
    .values = { 1, 0, 1, 0 },
    .highest = 1 },
  { "bits-from-the-middle-of-a-byte",
    { 0x80, 0x06 },
    { 2, 1, 1, 0 },
    .first_bit = 7,
    .type = ODL_SAMPLE_U8,
    .values = { 1, 0, 1, 1 },
    .highest = 1 },
  { "packed-twelve",
    { 0x03, 0x80, 0x01, 0x0c, 0xf0, 0xff },
    { 6, 12, 12, 11 },
    .type = ODL_SAMPLE_U16,
    .values = { 3, 0x018, 0x00c, 0xfff },
    .highest = 4095 },
  { "thirty-two",
    { 0, 0, 1, 0, 0, 0, 0, 0x80, 7, 0, 0, 0, 0, 0, 0, 0 },
    { 16, 32, 32, 31 },
    .type = ODL_SAMPLE_F32,
    .values = { 65536, 2147483648., 7, 0 },
    .highest = 2147483648. },
  { "thirty-two-signed",
    { 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80, 7, 0, 0, 0, 0, 0, 0, 0 },
    { 16, 32, 32, 31 },
    .is_signed = true,
    .type = ODL_SAMPLE_F32,
    .values = { -1, -2147483648., 7, 0 },
    .lowest = -2147483648.,
    .highest = 7 },
};

static double
sample (const OdlPicture *picture, size_t i)
{
  const void *pixels = picture->pixels;

  switch ((OdlSampleType) picture->reply.sample_type) {
  case ODL_SAMPLE_U8:
    return ((const uint8_t *) pixels)[i];
  case ODL_SAMPLE_U16:
    return ((const uint16_t *) pixels)[i];
  case ODL_SAMPLE_S16:
    return ((const int16_t *) pixels)[i];
  case ODL_SAMPLE_F32:
    return ((const float *) pixels)[i];
  }
  g_assert_not_reached ();
}

static void
test_grey (gconstpointer data)
{
  const GreyCase *row = data;
  g_autoptr (GError) error = NULL;
  // At its exact size, so that the sanitizer sees a step beyond it.
  g_autofree uint8_t *copy = g_memdup2 (row->data, row->in.size);
  OdlDicomHeader header
      = { .rows = 1, .columns = 4, .samples = 1, .is_signed = row->is_signed };
  OdlDicomSamples samples = {
    .data = copy,
    .size = row->in.size,
    .bits_allocated = row->in.allocated,
    .bits_stored = row->in.stored,
    .high_bit = row->in.high,
    .first_bit = row->first_bit,
    .big_endian = row->big_endian,
    .swapped_bytes = row->swapped,
  };
  OdlPicture picture;

  begin (&picture);
  g_assert_true (odl_dicom_pixels_convert (&header, &samples, 0, &picture, &error));
  g_assert_no_error (error);
  g_assert_cmpint (picture.reply.sample_type, ==, row->type);
  g_assert_cmpfloat (picture.reply.stored_min, ==, row->lowest);
  g_assert_cmpfloat (picture.reply.stored_max, ==, row->highest);
  g_assert_false (picture.incomplete);
  for (size_t i = 0; i < 4; i++)
    g_assert_cmpfloat (sample (&picture, i), ==, row->values[i]);
  odl_picture_clear (&picture);
}

static OdlPicture
convert (const OdlDicomHeader *header, const OdlDicomSamples *samples)
{
  g_autoptr (GError) error = NULL;
  OdlPicture picture;

  begin (&picture);
  g_assert_true (odl_dicom_pixels_convert (header, samples, 0, &picture, &error));
  g_assert_no_error (error);
  return picture;
}

static void
test_what_is_missing (void)
{
  static const uint8_t data[] = { 5, 0, 6, 0, 7 };
  OdlDicomHeader header = { .rows = 2, .columns = 2, .samples = 1, .is_signed = true };
  OdlDicomSamples samples = { data, sizeof data, 16, 16, 15 };
  OdlPicture picture = convert (&header, &samples);

  g_assert_true (picture.incomplete);
  g_assert_cmpfloat (sample (&picture, 1), ==, 6);
  // They widen no range that is found by the values.
  g_assert_cmpfloat (sample (&picture, 2), ==, 5);
  g_assert_cmpfloat (sample (&picture, 3), ==, 5);
  odl_picture_clear (&picture);

  header.colour = ODL_DICOM_GREY_INVERSE;
  picture = convert (&header, &samples);
  g_assert_cmpfloat (sample (&picture, 2), ==, 6);
  odl_picture_clear (&picture);

  // Bytes are shown as they are.
  header.colour = ODL_DICOM_GREY;
  header.is_signed = false;
  const OdlDicomSamples bytes = { (const uint8_t[]){ 9, 8 }, 2, 8, 8, 7 };
  picture = convert (&header, &bytes);
  g_assert_cmpfloat (sample (&picture, 3), ==, 0);
  odl_picture_clear (&picture);
}

static void
test_colour_arrangements (void)
{
  static const struct {
    uint8_t data[12];
    bool by_plane;
  } cases[] = { { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, false },
                { { 1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12 }, true } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlDicomHeader header
        = { .rows = 2, .columns = 2, .samples = 3, .colour = ODL_DICOM_RGB };
    OdlDicomSamples samples
        = { cases[i].data, 12, 8, 8, 7, .by_plane = cases[i].by_plane };
    OdlPicture picture = convert (&header, &samples);

    g_assert_cmpuint (picture.reply.channels, ==, 3);
    for (size_t k = 0; k < 12; k++)
      g_assert_cmpfloat (sample (&picture, k), ==, k + 1);
    odl_picture_clear (&picture);
  }
}

// PS3.3 C.7.6.3.1.2, and the corners of the cube.
static void
test_luma_and_chroma (void)
{
  static const uint8_t ycbcr[]
      = { 76, 85, 255, 150, 44, 21, 29, 255, 107, 128, 128, 128 };
  static const uint8_t rgb[] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 128, 128, 128 };
  OdlDicomHeader header
      = { .rows = 1, .columns = 4, .samples = 3, .colour = ODL_DICOM_YBR };
  OdlDicomSamples samples = { ycbcr, sizeof ycbcr, 8, 8, 7, .ycbcr = true };
  OdlPicture picture = convert (&header, &samples);

  for (size_t k = 0; k < 12; k++)
    g_assert_cmpfloat (fabs (sample (&picture, k) - rgb[k]), <=, 2);
  odl_picture_clear (&picture);
}

// Three columns: the fourth luma of a row is there and belongs to nobody.
static void
test_halved_chroma (void)
{
  static const uint8_t data[]
      = { 10, 20, 128, 128, 30, 99, 128, 128, 40, 50, 128, 128, 60, 99, 128, 128 };
  static const double grey[] = { 10, 20, 30, 40, 50, 60 };
  OdlDicomHeader header
      = { .rows = 2, .columns = 3, .samples = 3, .colour = ODL_DICOM_YBR };
  OdlDicomSamples samples
      = { data, sizeof data, 8, 8, 7, .ycbcr = true, .chroma_shift = { 1, 0 } };
  OdlPicture picture = convert (&header, &samples);

  g_assert_false (picture.incomplete);
  for (size_t k = 0; k < 18; k++)
    g_assert_cmpfloat (sample (&picture, k), ==, grey[k / 3]);
  odl_picture_clear (&picture);
}

static void
test_look_up_tables (void)
{
  static const uint8_t data[] = { 0, 10, 11, 255 };
  uint16_t values[2] = { 100, 4000 };
  OdlDicomHeader header
      = { .rows = 1, .columns = 4, .samples = 1, .modality = { 10, 2, 12, values } };
  OdlDicomSamples samples = { data, sizeof data, 8, 8, 7 };
  OdlPicture picture = convert (&header, &samples);

  g_assert_cmpint (picture.reply.sample_type, ==, ODL_SAMPLE_U16);
  g_assert_cmpfloat (picture.reply.stored_max, ==, 4095);
  g_assert_cmpfloat (sample (&picture, 0), ==, 100);
  g_assert_cmpfloat (sample (&picture, 1), ==, 100);
  g_assert_cmpfloat (sample (&picture, 2), ==, 4000);
  g_assert_cmpfloat (sample (&picture, 3), ==, 4000);
  odl_picture_clear (&picture);
}

static void
test_palettes (void)
{
  static const uint8_t data[] = { 0, 1, 2, 255 };
  static const struct {
    uint16_t entries[3];
    OdlSampleType type;
    double last;
  } cases[] = { { { 0, 0x8080, 0xffff }, ODL_SAMPLE_U8, 255 },
                { { 0, 0x8000, 0xff00 }, ODL_SAMPLE_U8, 255 },
                { { 0, 0x8001, 0xff12 }, ODL_SAMPLE_U16, 0xff12 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    uint16_t entries[3];
    memcpy (entries, cases[i].entries, sizeof entries);
    OdlDicomLut lut = { 0, 3, 16, entries };
    OdlDicomHeader header = { .rows = 1,
                              .columns = 4,
                              .samples = 1,
                              .colour = ODL_DICOM_PALETTE,
                              .palette = { lut, lut, lut } };
    OdlDicomSamples samples = { data, sizeof data, 8, 8, 7 };
    OdlPicture picture = convert (&header, &samples);
    g_assert_cmpint (picture.reply.sample_type, ==, cases[i].type);
    g_assert_cmpfloat (sample (&picture, 0), ==, 0);
    g_assert_cmpfloat (sample (&picture, 6), ==, cases[i].last);
    g_assert_cmpfloat (sample (&picture, 9), ==, cases[i].last); // beyond the table
    odl_picture_clear (&picture);
  }
}

static void
test_floats (void)
{
  float single[4] = { -1.5f, NAN, INFINITY, 3 };
  double twice[4] = { -1.5, NAN, INFINITY, 3 };

  for (int wide = 0; wide < 2; wide++) {
    g_autoptr (GError) error = NULL;
    OdlDicomHeader header = { .rows = 1, .columns = 4, .samples = 1 };
    OdlDicomSamples samples = { wide ? (const uint8_t *) twice : (const uint8_t *) single,
                                wide ? sizeof twice : sizeof single, wide ? 64 : 32 };
    OdlPicture picture;

    begin (&picture);
    g_assert_true (odl_dicom_floats_convert (&header, &samples, &picture, &error));
    g_assert_cmpfloat (picture.reply.stored_min, ==, -1.5);
    g_assert_cmpfloat (picture.reply.stored_max, ==, 3);
    g_assert_cmpfloat (sample (&picture, 0), ==, -1.5);
    g_assert_cmpfloat (sample (&picture, 1), ==, -1.5);
    g_assert_cmpfloat (sample (&picture, 2), ==, 3);
    g_assert_nonnull (strstr (picture.warning->str, "2 samples"));
    odl_picture_clear (&picture);
  }
}

static void
test_too_large (void)
{
  static const struct {
    uint32_t width, height;
    OdlErrorCode code;
  } cases[] = { { 0, 5, ODL_ERROR_CORRUPT },
                { 65535, 65535, ODL_ERROR_TOO_LARGE },
                { 1u << 31, 1u << 31, ODL_ERROR_TOO_LARGE },
                { G_MAXUINT32, 1, ODL_ERROR_TOO_LARGE },
                { 8193, 8193, ODL_ERROR_TOO_LARGE } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    OdlPicture picture;
    OdlPictureShape shape = { cases[i].width, cases[i].height, 1, ODL_SAMPLE_U8 };

    begin (&picture);
    g_assert_null (odl_picture_allocate (&picture, &shape, 0, &error));
    g_assert_error (error, ODL_ERROR, (int) cases[i].code);
    odl_picture_clear (&picture);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (grey_cases); i++) {
    g_autofree char *name
        = g_strconcat ("/pixels/grey-is-exact/", grey_cases[i].name, NULL);
    g_test_add_data_func (name, &grey_cases[i], test_grey);
  }
  g_test_add_func ("/pixels/what-is-missing-is-darkest-and-marked", test_what_is_missing);
  g_test_add_func ("/pixels/colours-come-by-pixel-or-by-plane", test_colour_arrangements);
  g_test_add_func ("/pixels/luma-and-chroma-become-rgb", test_luma_and_chroma);
  g_test_add_func ("/pixels/halved-chroma-may-have-odd-width", test_halved_chroma);
  g_test_add_func ("/pixels/look-up-tables-clamp", test_look_up_tables);
  g_test_add_func ("/pixels/palettes-keep-their-precision", test_palettes);
  g_test_add_func ("/pixels/floats-stay-finite", test_floats);
  g_test_add_func ("/pixels/sizes-are-checked-before-memory-is-taken", test_too_large);
  return g_test_run ();
}
