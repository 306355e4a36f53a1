// SPDX-License-Identifier: MIT
#include "decoder/metaimage/convert.h"

#include <string.h>

static const OdlSampleType picture_types[] = {
  [ODL_META_U8] = ODL_SAMPLE_U8,   [ODL_META_S8] = ODL_SAMPLE_S16,
  [ODL_META_U16] = ODL_SAMPLE_U16, [ODL_META_S16] = ODL_SAMPLE_S16,
  [ODL_META_U32] = ODL_SAMPLE_F32, [ODL_META_S32] = ODL_SAMPLE_F32,
  [ODL_META_U64] = ODL_SAMPLE_F32, [ODL_META_S64] = ODL_SAMPLE_F32,
  [ODL_META_F32] = ODL_SAMPLE_F32, [ODL_META_F64] = ODL_SAMPLE_F32,
};

static const OdlNumberType number_types[] = {
  [ODL_META_U8] = ODL_NUMBER_U8,   [ODL_META_S8] = ODL_NUMBER_S8,
  [ODL_META_U16] = ODL_NUMBER_U16, [ODL_META_S16] = ODL_NUMBER_S16,
  [ODL_META_U32] = ODL_NUMBER_U32, [ODL_META_S32] = ODL_NUMBER_S32,
  [ODL_META_U64] = ODL_NUMBER_U64, [ODL_META_S64] = ODL_NUMBER_S64,
  [ODL_META_F32] = ODL_NUMBER_F32, [ODL_META_F64] = ODL_NUMBER_F64,
};

static const size_t picture_sizes[] = {
  [ODL_SAMPLE_U8] = 1,
  [ODL_SAMPLE_U16] = 2,
  [ODL_SAMPLE_S16] = 2,
  [ODL_SAMPLE_F32] = 4,
};

OdlSampleType
odl_meta_picture_type (OdlMetaSample sample)
{
  return picture_types[sample];
}

size_t
odl_meta_sample_size (OdlMetaSample sample)
{
  return picture_sizes[picture_types[sample]];
}

// One function per stored type: BITS is the unsigned type to load and swap, FROM its
// interpretation, TO the picture's type.
#define CONVERSION(name, BITS, SWAP, FROM, TO) \
  static void name (const char *from, size_t n, bool swap, void *to) \
  { \
    TO *out = to; \
\
    for (size_t i = 0; i < n; i++) { \
      BITS bits; \
      FROM value; \
      memcpy (&bits, from + i * sizeof bits, sizeof bits); \
      if (swap) \
        bits = SWAP (bits); \
      memcpy (&value, &bits, sizeof value); \
      out[i] = (TO) value; \
    } \
  }

CONVERSION (from_u8, uint8_t, , uint8_t, uint8_t)
CONVERSION (from_s8, uint8_t, , int8_t, int16_t)
CONVERSION (from_u16, uint16_t, GUINT16_SWAP_LE_BE, uint16_t, uint16_t)
CONVERSION (from_s16, uint16_t, GUINT16_SWAP_LE_BE, int16_t, int16_t)
CONVERSION (from_u32, uint32_t, GUINT32_SWAP_LE_BE, uint32_t, float)
CONVERSION (from_s32, uint32_t, GUINT32_SWAP_LE_BE, int32_t, float)
CONVERSION (from_u64, uint64_t, GUINT64_SWAP_LE_BE, uint64_t, float)
CONVERSION (from_s64, uint64_t, GUINT64_SWAP_LE_BE, int64_t, float)
CONVERSION (from_f32, uint32_t, GUINT32_SWAP_LE_BE, float, float)
CONVERSION (from_f64, uint64_t, GUINT64_SWAP_LE_BE, double, float)

static void (*const conversions[]) (const char *from, size_t n, bool swap, void *to) = {
  [ODL_META_U8] = from_u8,   [ODL_META_S8] = from_s8,   [ODL_META_U16] = from_u16,
  [ODL_META_S16] = from_s16, [ODL_META_U32] = from_u32, [ODL_META_S32] = from_s32,
  [ODL_META_U64] = from_u64, [ODL_META_S64] = from_s64, [ODL_META_F32] = from_f32,
  [ODL_META_F64] = from_f64,
};

bool
odl_meta_is_kept (OdlMetaSample sample, bool big_endian, const OdlPicture *picture)
{
  const bool is_native = big_endian == (G_BYTE_ORDER == G_BIG_ENDIAN);
  const bool same = sample == ODL_META_U8
                    || (is_native
                        && (sample == ODL_META_U16 || sample == ODL_META_S16
                            || sample == ODL_META_F32));

  return same && picture->numbers == NULL;
}

void
odl_meta_convert (OdlMetaSample sample,
                  bool big_endian,
                  const void *from,
                  size_t n,
                  void *to)
{
  const bool big_machine = G_BYTE_ORDER == G_BIG_ENDIAN;

  conversions[sample](from, n, big_endian != big_machine, to);
}

// From the last one on, each makes way for its wider form.
static void
widen (OdlMetaSample sample, size_t n, float *values)
{
  for (size_t i = n; i-- > 0;) {
    uint16_t bits;
    memcpy (&bits, (const char *) values + i * sizeof bits, sizeof bits);
    values[i] = odl_meta_picture_type (sample) == ODL_SAMPLE_S16 ? (float) (int16_t) bits
                                                                 : (float) bits;
  }
}

void
odl_meta_measure (OdlMetaSample sample,
                  bool big_endian,
                  const void *from,
                  size_t n,
                  float *values,
                  OdlNumberRange *range)
{
  odl_meta_convert (sample, big_endian, from, n, values);
  if (odl_meta_picture_type (sample) != ODL_SAMPLE_F32)
    widen (sample, n, values);
  odl_number_range_add (range, values, n);
}

OdlNumberType
odl_meta_number_type (OdlMetaSample sample)
{
  return number_types[sample];
}

// In native byte order.
static void
copy_numbers (const char *from, size_t n, size_t size, bool swap, char *to)
{
  if (!swap) {
    memcpy (to, from, n * size);
    return;
  }
  for (size_t i = 0; i < n * size; i += size)
    for (size_t b = 0; b < size; b++)
      to[i + b] = from[i + size - 1 - b];
}

void
odl_meta_put (OdlMetaSample sample,
              bool big_endian,
              const void *from,
              size_t n,
              size_t at,
              OdlPicture *picture)
{
  const size_t size = odl_number_size (number_types[sample]);

  odl_meta_convert (sample, big_endian, from, n,
                    (char *) picture->pixels + at * odl_meta_sample_size (sample));
  if (picture->numbers != NULL)
    copy_numbers (from, n, size, big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN),
                  (char *) picture->numbers + at * size);
}

static void
swap_pixels (char *a, char *b, size_t size)
{
  char kept[4 * sizeof (double)];

  memcpy (kept, a, size);
  memcpy (a, b, size);
  memcpy (b, kept, size);
}

static void
mirror (const OdlMetaHeader *header, char *pixels, size_t pixel)
{
  const size_t row = pixel * header->width;

  for (size_t y = 0; header->flip_x && y < header->height; y++)
    for (size_t x = 0; x < header->width / 2; x++)
      swap_pixels (pixels + y * row + x * pixel,
                   pixels + y * row + (header->width - 1 - x) * pixel, pixel);
  for (size_t y = 0; header->flip_y && y < header->height / 2; y++)
    for (size_t x = 0; x < header->width; x++)
      swap_pixels (pixels + y * row + x * pixel,
                   pixels + (header->height - 1 - y) * row + x * pixel, pixel);
}

void
odl_meta_mirror (const OdlMetaHeader *header, OdlPicture *picture)
{
  mirror (header, picture->pixels,
          odl_meta_sample_size (header->type->sample) * header->channels);
  if (picture->numbers != NULL)
    mirror (header, picture->numbers, header->type->size * header->channels);
}

void
odl_meta_limit_range (OdlMetaSample sample, OdlPicture *picture)
{
  if (sample != ODL_META_S8)
    return;
  picture->reply.stored_min = INT8_MIN;
  picture->reply.stored_max = INT8_MAX;
}
