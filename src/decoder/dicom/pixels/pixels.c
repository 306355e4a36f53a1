// SPDX-License-Identifier: MIT
#include "decoder/dicom/pixels/pixels.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

// Samples before row `y` where two pixels share a chroma, `pairs` of them in a row.
static size_t
shared_before (const OdlDicomSamples *samples, size_t pairs, size_t y)
{
  const int shift = samples->chroma_shift[1];
  const size_t with_chroma = (y + ((size_t) 1 << shift) - 1) >> shift;

  return (2 * y + 2 * with_chroma) * pairs;
}

static size_t
stored_samples (const OdlDicomHeader *header, const OdlDicomSamples *samples)
{
  if (samples->chroma_shift[0] > 0)
    return shared_before (samples, ((size_t) header->columns + 1) / 2, header->rows);
  return (size_t) header->rows * header->columns * header->samples;
}

size_t
odl_dicom_frame_bits (const OdlDicomHeader *header, const OdlDicomSamples *samples)
{
  return stored_samples (header, samples) * (size_t) samples->bits_allocated;
}

static inline uint32_t
read_bits (const OdlDicomSamples *samples, size_t index)
{
  const size_t bit = samples->first_bit + index * (size_t) samples->bits_allocated;
  const size_t at = bit / 8, swap = samples->swapped_bytes;
  uint32_t word = samples->data[at ^ swap];

  if (at + 1 < samples->size)
    word |= (uint32_t) samples->data[(at + 1) ^ swap] << 8;
  return word >> (bit % 8) & ((1u << samples->bits_allocated) - 1);
}

// Sample number `index` with all allocated bits.
static inline uint32_t
read_raw (const OdlDicomSamples *samples, size_t index)
{
  const uint8_t *data = samples->data;

  switch (samples->bits_allocated) {
  case 8:
    if (samples->swapped_bytes)
      return read_bits (samples, index);
    return data[index];
  case 16:
    return samples->big_endian ? (uint32_t) (data[2 * index] << 8 | data[2 * index + 1])
                               : odl_read_u16 (data + 2 * index);
  case 32: {
    uint32_t value = odl_read_u32 (data + 4 * index);
    return samples->big_endian ? GUINT32_SWAP_LE_BE (value) : value;
  }
  default:
    return read_bits (samples, index);
  }
}

// Only the stored bits, sign-extended.
static inline int64_t
read_stored (const OdlDicomHeader *header, const OdlDicomSamples *samples, size_t index)
{
  uint32_t value = read_raw (samples, index);
  int shift = samples->high_bit + 1 - samples->bits_stored;
  uint32_t mask
      = samples->bits_stored >= 32 ? G_MAXUINT32 : (1u << samples->bits_stored) - 1;
  int64_t stored = value >> shift & mask;

  if (header->is_signed && (stored >> (samples->bits_stored - 1)) != 0)
    stored -= (int64_t) mask + 1;
  return stored;
}

static void
put (OdlPicture *picture, size_t index, int64_t value)
{
  switch ((OdlSampleType) picture->reply.sample_type) {
  case ODL_SAMPLE_U8:
    ((uint8_t *) picture->pixels)[index] = (uint8_t) value;
    break;
  case ODL_SAMPLE_U16:
  case ODL_SAMPLE_S16:
    ((uint16_t *) picture->pixels)[index] = (uint16_t) value;
    break;
  case ODL_SAMPLE_F32:
    ((float *) picture->pixels)[index] = (float) value;
    break;
  }
}

static uint16_t
look_up (const OdlDicomLut *lut, int64_t value)
{
  return lut->values[CLAMP (value - lut->first, 0, (int64_t) lut->n - 1)];
}

// ---- Fast paths ----

static bool
in_host_order (const OdlDicomSamples *samples)
{
  return samples->bits_allocated == 8
             ? !samples->swapped_bytes
             : samples->bits_allocated == 16
                   && samples->big_endian == (G_BYTE_ORDER == G_BIG_ENDIAN);
}

// Samples stored in the picture's format.
static bool
copy_whole (const OdlDicomHeader *header,
            const OdlDicomSamples *samples,
            size_t n_there,
            OdlPicture *picture)
{
  const bool colour_as_is
      = !samples->by_plane && !samples->ycbcr && samples->chroma_shift[0] == 0;

  if (!in_host_order (samples) || samples->bits_stored != samples->bits_allocated
      || header->modality.values != NULL || samples->first_bit != 0
      || (header->samples == 3 && !colour_as_is)
      || (samples->bits_allocated == 8 && header->samples == 1 && header->is_signed))
    return false;
  memcpy (picture->pixels, samples->data, n_there * (size_t) samples->bits_allocated / 8);
  return true;
}

// Grey words with unused bits.
static bool
mask_words (const OdlDicomHeader *header,
            const OdlDicomSamples *samples,
            size_t n_there,
            OdlPicture *picture)
{
  if (samples->bits_allocated != 16 || samples->bits_stored <= 8
      || !in_host_order (samples) || header->modality.values != NULL
      || samples->first_bit != 0)
    return false;
  const int shift = samples->high_bit + 1 - samples->bits_stored;
  const uint16_t mask = (uint16_t) ((1u << samples->bits_stored) - 1);
  const uint16_t sign
      = header->is_signed ? (uint16_t) (1u << (samples->bits_stored - 1)) : 0;
  uint16_t *to = picture->pixels;
  for (size_t i = 0; i < n_there; i++) {
    uint16_t word;
    memcpy (&word, samples->data + 2 * i, sizeof word);
    word = word >> shift & mask;
    to[i] = (uint16_t) ((word ^ sign) - sign);
  }
  return true;
}

// ---- General case ----

static OdlNumberType
number_type (const OdlDicomHeader *header, const OdlDicomSamples *samples)
{
  if (samples->bits_stored > 16)
    return header->is_signed ? ODL_NUMBER_S32 : ODL_NUMBER_U32;
  if (samples->bits_stored > 8)
    return header->is_signed ? ODL_NUMBER_S16 : ODL_NUMBER_U16;
  return header->is_signed ? ODL_NUMBER_S8 : ODL_NUMBER_U8;
}

static void
convert_grey (const OdlDicomHeader *header,
              const OdlDicomSamples *samples,
              size_t n_there,
              OdlPicture *picture)
{
  bool mapped = header->modality.values != NULL;
  bool done = copy_whole (header, samples, n_there, picture)
              || mask_words (header, samples, n_there, picture);
  int32_t *numbers
      = mapped ? NULL
               : odl_picture_set_number (picture, number_type (header, samples), false);

  for (size_t i = 0; !done && i < n_there; i++) {
    int64_t value = read_stored (header, samples, i);
    put (picture, i, mapped ? look_up (&header->modality, value) : value);
    if (numbers != NULL)
      numbers[i] = (int32_t) value;
  }
  odl_picture_fill_missing (picture, n_there, header->colour == ODL_DICOM_GREY_INVERSE);
}

// Most 16-bit palettes contain 8-bit values, doubled or shifted; 8 bits then suffice.
static bool
palette_is_wide (const OdlDicomHeader *header)
{
  bool doubled = true, shifted = true;

  for (int c = 0; c < 3; c++) {
    const OdlDicomLut *lut = &header->palette[c];
    if (lut->bits <= 8)
      continue;
    for (uint32_t i = 0; i < lut->n; i++) {
      doubled = doubled && (lut->values[i] & 255) == lut->values[i] >> 8;
      shifted = shifted && (lut->values[i] & 255) == 0;
    }
  }
  return !doubled && !shifted;
}

static void
convert_palette (const OdlDicomHeader *header,
                 const OdlDicomSamples *samples,
                 size_t n_there,
                 OdlPicture *picture)
{
  bool wide = picture->reply.sample_type == ODL_SAMPLE_U16;

  for (size_t i = 0; i < n_there; i++) {
    const int64_t index = read_stored (header, samples, i);
    for (int c = 0; c < 3; c++) {
      const OdlDicomLut *lut = &header->palette[c];
      int64_t value = look_up (lut, index);
      if (wide && lut->bits <= 8)
        value *= 257;
      else if (!wide && lut->bits > 8)
        value >>= 8;
      put (picture, 3 * i + (size_t) c, value);
    }
  }
}

// PS3.3 C.7.6.3.1.2.
static void
ycbcr_to_rgb (int64_t *pixel, bool limited, int64_t most)
{
  // Of 8 bits; zero chroma is at half of all levels.
  const double level = (double) (most + 1) / 256, half = (double) (most + 1) / 2;
  const double luma = limited ? most / (219 * level) : 1;
  const double chroma = limited ? most / (224 * level) : 1;
  const double y = luma * (pixel[0] - (limited ? 16 * level : 0));
  const double cb = chroma * (pixel[1] - half), cr = chroma * (pixel[2] - half);
  double rgb[3]
      = { y + 1.402 * cr, y - 0.344136286 * cb - 0.714136286 * cr, y + 1.772 * cb };

  for (int c = 0; c < 3; c++)
    pixel[c] = (int64_t) (CLAMP (rgb[c], 0, (double) most) + 0.5);
}

// Index of sample `c` of pixel `i`.
static size_t
colour_index (const OdlDicomHeader *header,
              const OdlDicomSamples *samples,
              size_t i,
              size_t c)
{
  if (samples->chroma_shift[0] > 0) {
    const size_t pairs = ((size_t) header->columns + 1) / 2;
    const size_t y = i / header->columns, x = i % header->columns;
    const size_t rows = (size_t) 1 << samples->chroma_shift[1];
    if (c == 0 && y % rows != 0)
      return shared_before (samples, pairs, y) + x;
    return shared_before (samples, pairs, c == 0 ? y : y / rows * rows) + x / 2 * 4
           + (c == 0 ? x % 2 : c + 1);
  }
  if (samples->by_plane)
    return c * header->rows * header->columns + i;
  return i * 3 + c;
}

static void
convert_colour (const OdlDicomHeader *header,
                const OdlDicomSamples *samples,
                size_t n_samples_there,
                OdlPicture *picture)
{
  size_t n = (size_t) header->rows * header->columns;
  int64_t most = ((int64_t) 1 << samples->bits_stored) - 1;
  int shift = samples->high_bit + 1 - samples->bits_stored;

  // Missing samples stay black.
  if (copy_whole (header, samples, n_samples_there, picture))
    return;
  for (size_t i = 0; i < n; i++) {
    int64_t pixel[3] = { 0, samples->ycbcr ? (most + 1) / 2 : 0, 0 };
    pixel[2] = pixel[1];
    for (size_t c = 0; c < 3; c++) {
      size_t index = colour_index (header, samples, i, c);
      if (index < n_samples_there)
        pixel[c] = read_raw (samples, index) >> shift & most;
    }
    if (samples->ycbcr)
      ycbcr_to_rgb (pixel, samples->limited, most);
    for (size_t c = 0; c < 3; c++)
      put (picture, 3 * i + c, pixel[c]);
  }
}

static OdlSampleType
choose_type (const OdlDicomHeader *header, const OdlDicomSamples *samples)
{
  if (header->colour == ODL_DICOM_PALETTE)
    return palette_is_wide (header) ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8;
  if (header->modality.values != NULL)
    return header->modality.bits <= 8 ? ODL_SAMPLE_U8 : ODL_SAMPLE_U16;
  if (samples->bits_stored > 16)
    return ODL_SAMPLE_F32;
  if (header->samples == 1 && header->is_signed)
    return ODL_SAMPLE_S16;
  return samples->bits_stored <= 8 ? ODL_SAMPLE_U8 : ODL_SAMPLE_U16;
}

static void
set_range (const OdlDicomHeader *header,
           const OdlDicomSamples *samples,
           OdlPicture *picture)
{
  bool mapped = header->modality.values != NULL;
  int bits = mapped ? header->modality.bits : samples->bits_stored;
  double span = (double) ((uint64_t) 1 << bits);

  if (header->colour == ODL_DICOM_PALETTE)
    return;
  picture->reply.stored_min = 0;
  picture->reply.stored_max = span - 1;
  if (header->samples == 1 && header->is_signed && !mapped) {
    picture->reply.stored_min = -span / 2;
    picture->reply.stored_max = span / 2 - 1;
  }
}

// Fails if no samples are available; sets the mark if some are missing.
static bool
check_amount (size_t n_there, size_t n_needed, OdlPicture *picture, GError **error)
{
  if (n_there == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it contains no image: its pixel data is empty"));
  if (n_there < n_needed)
    odl_picture_incomplete (picture, _ ("only %.1f%% of the pixels are there"),
                            100.0 * n_there / n_needed);
  return true;
}

bool
odl_dicom_pixels_convert (const OdlDicomHeader *header,
                          const OdlDicomSamples *samples,
                          size_t extra,
                          OdlPicture *picture,
                          GError **error)
{
  bool colour = header->samples == 3 || header->colour == ODL_DICOM_PALETTE;
  OdlPictureShape shape
      = { header->columns, header->rows, colour ? 3 : 1, choose_type (header, samples) };
  size_t needed = stored_samples (header, samples);
  size_t bits = samples->size * 8;
  size_t n = bits > samples->first_bit
                 ? (bits - samples->first_bit) / (size_t) samples->bits_allocated
                 : 0;

  n = MIN (n, needed);
  if (!check_amount (n, needed, picture, error)
      || odl_picture_allocate (picture, &shape, extra, error) == NULL)
    return false;
  set_range (header, samples, picture);
  if (header->samples == 3)
    convert_colour (header, samples, n, picture);
  else if (header->colour == ODL_DICOM_PALETTE)
    convert_palette (header, samples, n, picture);
  else
    convert_grey (header, samples, n, picture);
  if (picture->reply.sample_type == ODL_SAMPLE_F32)
    odl_picture_finish_numbers (picture, NULL, samples->range);
  return true;
}

bool
odl_dicom_pixels_bit (const OdlDicomSamples *samples, size_t index, int bit)
{
  const size_t bits = samples->size * 8;
  const size_t end = samples->first_bit + (index + 1) * (size_t) samples->bits_allocated;

  return bit < samples->bits_allocated && end <= bits
         && (read_raw (samples, index) >> bit & 1) != 0;
}

// Sample number `index` in native order, of 4 or 8 bytes.
static void
copy_float (const OdlDicomSamples *samples, size_t index, void *number)
{
  const size_t n = (size_t) samples->bits_allocated / 8;
  const bool swap = samples->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  uint8_t *bytes = number;

  for (size_t b = 0; b < n; b++)
    bytes[b] = samples->data[index * n + (swap ? n - 1 - b : b)];
}

static OdlNumberType
float_type (const OdlDicomSamples *samples)
{
  return samples->bits_allocated == 64 ? ODL_NUMBER_F64 : ODL_NUMBER_F32;
}

void
odl_dicom_measure_range (const OdlDicomHeader *header,
                         const OdlDicomSamples *samples,
                         OdlNumberRange *range)
{
  const size_t n = samples->size * 8 / (size_t) samples->bits_allocated;

  for (size_t i = 0; i < n; i++) {
    double number;
    if (samples->floats)
      copy_float (samples, i, &number);
    const float value = samples->floats
                            ? (float) odl_number_get (float_type (samples), &number)
                            : (float) read_stored (header, samples, i);
    odl_number_range_add (range, &value, 1);
  }
}

bool
odl_dicom_floats_convert (const OdlDicomHeader *header,
                          const OdlDicomSamples *samples,
                          OdlPicture *picture,
                          GError **error)
{
  OdlPictureShape shape = { header->columns, header->rows, 1, ODL_SAMPLE_F32 };
  const size_t needed = (size_t) header->rows * header->columns;
  const size_t bytes = (size_t) samples->bits_allocated / 8;
  const size_t n = MIN (needed, samples->size / bytes);

  if (!check_amount (n, needed, picture, error)
      || odl_picture_allocate (picture, &shape, 0, error) == NULL)
    return false;
  float *values = picture->pixels;
  char *numbers = odl_picture_set_number (picture, float_type (samples), false);
  for (size_t i = 0; i < n; i++) {
    double number;
    copy_float (samples, i, &number);
    values[i] = (float) odl_number_get (float_type (samples), &number);
    if (numbers != NULL)
      memcpy (numbers + i * bytes, &number, bytes);
  }
  odl_picture_fill_missing (picture, n, header->colour == ODL_DICOM_GREY_INVERSE);
  odl_picture_finish_numbers (picture, NULL, samples->range);
  return true;
}
