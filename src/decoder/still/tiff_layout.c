// SPDX-License-Identifier: MIT
#include "decoder/still/tiff_layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "decoder/opacity.h"

static bool
is_grey (const OdlTiffLayout *layout)
{
  return layout->photometric == PHOTOMETRIC_MINISBLACK
         || layout->photometric == PHOTOMETRIC_MINISWHITE;
}

// What ExtraSamples says of the samples behind the colours. Where it says nothing, or
// that a sample has no stated meaning, the fourth one beside red, green and blue is taken
// for opacity, as libtiff does; one beside grey is not.
static void
find_opacity (TIFF *tiff, OdlTiffLayout *layout)
{
  uint16_t n = 0, *kinds = NULL;

  if (TIFFGetField (tiff, TIFFTAG_EXTRASAMPLES, &n, &kinds) != 1)
    n = 0;
  n = MIN (n, layout->samples_per_pixel - layout->colours);
  for (int i = 0; i < n && layout->opacity == 0; i++)
    if (kinds[i] == EXTRASAMPLE_ASSOCALPHA || kinds[i] == EXTRASAMPLE_UNASSALPHA) {
      layout->opacity = layout->colours + i;
      layout->multiplied = kinds[i] == EXTRASAMPLE_ASSOCALPHA;
    }
  if (layout->opacity == 0 && layout->colours == 3 && layout->samples_per_pixel > 3)
    layout->opacity = 3;
}

// Samples of 32 and 64 bits become floats, with their numbers beside them where these do
// not hold them.
static OdlNumberType
stored_type (const OdlTiffLayout *layout)
{
  const bool wide = layout->bits == 64;

  if (layout->bits != 32 && !wide)
    return ODL_NUMBER_UNKNOWN;
  switch (layout->format) {
  case SAMPLEFORMAT_IEEEFP:
    return wide ? ODL_NUMBER_F64 : ODL_NUMBER_F32;
  case SAMPLEFORMAT_INT:
    return wide ? ODL_NUMBER_S64 : ODL_NUMBER_S32;
  case SAMPLEFORMAT_UINT:
    return wide ? ODL_NUMBER_U64 : ODL_NUMBER_U32;
  default:
    return ODL_NUMBER_UNKNOWN;
  }
}

static bool
set_grey_or_rgb (TIFF *tiff, OdlTiffLayout *layout)
{
  bool floating = layout->format == SAMPLEFORMAT_IEEEFP;
  bool is_signed = layout->format == SAMPLEFORMAT_INT;

  layout->stored = stored_type (layout);
  if (layout->stored != ODL_NUMBER_UNKNOWN)
    layout->type = ODL_SAMPLE_F32;
  else if (floating || (!is_signed && layout->format != SAMPLEFORMAT_UINT))
    return false;
  else if (layout->bits <= 8 && (8 % layout->bits) == 0)
    layout->type = is_signed ? ODL_SAMPLE_S16 : ODL_SAMPLE_U8;
  else if (layout->bits == 16)
    layout->type = is_signed ? ODL_SAMPLE_S16 : ODL_SAMPLE_U16;
  else
    return false;

  layout->colours = is_grey (layout) ? 1 : 3;
  if (layout->samples_per_pixel < layout->colours)
    return false;
  find_opacity (tiff, layout);
  layout->channels = layout->opacity > 0 ? 4 : layout->colours;
  return true;
}

static bool
set_palette (TIFF *tiff, OdlTiffLayout *layout)
{
  uint16_t *maps[3];

  if ((layout->bits != 1 && layout->bits != 2 && layout->bits != 4 && layout->bits != 8)
      || !TIFFGetField (tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
    return false;
  // Old writers store 8-bit values in the 16-bit colour map; most maps contain doubled
  // 8-bit values.
  bool above_8 = false;
  for (int c = 0; c < 3; c++) {
    layout->palette[c] = maps[c];
    for (int i = 0; i < 1 << layout->bits; i++) {
      above_8 = above_8 || maps[c][i] > 255;
      layout->wide_palette
          = layout->wide_palette
            || ((maps[c][i] & 255) != maps[c][i] >> 8 && (maps[c][i] & 255) != 0);
    }
  }
  layout->wide_palette = layout->wide_palette && above_8;
  layout->colours = 1;
  find_opacity (tiff, layout);
  layout->channels = layout->opacity > 0 ? 4 : 3;
  layout->type = layout->wide_palette ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8;
  return true;
}

static void
set_sizes (TIFF *tiff, OdlTiffLayout *layout)
{
  if (TIFFIsTiled (tiff)) {
    TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &layout->tile_width);
    TIFFGetField (tiff, TIFFTAG_TILELENGTH, &layout->tile_height);
    layout->tile_bytes = TIFFTileSize64 (tiff);
    layout->row_bytes = TIFFTileRowSize64 (tiff);
  } else {
    layout->row_bytes = TIFFScanlineSize64 (tiff);
  }
}

// The buffer sizes reported by libtiff must cover what is read.
static bool
sizes_agree (const OdlTiffLayout *layout)
{
  uint64_t stored_samples = layout->separate ? 1 : layout->samples_per_pixel;
  bool tiled = layout->tile_bytes > 0 || layout->tile_width > 0;
  uint64_t width = tiled ? layout->tile_width : layout->width;
  uint64_t needed = (width * stored_samples * layout->bits + 7) / 8;

  if (layout->width == 0 || layout->height == 0 || width == 0
      || layout->row_bytes < needed || layout->row_bytes > (size_t) 1 << 30)
    return false;
  return !tiled
         || (layout->tile_height > 0 && layout->tile_bytes <= (size_t) 1 << 30
             && layout->tile_bytes / layout->tile_height >= layout->row_bytes
             && width * layout->tile_height <= (uint64_t) 1 << 28);
}

// UNKNOWN: what the samples are.
static OdlNumberType
number_of (const OdlTiffLayout *layout)
{
  if (layout->multiplied) // samples are divided by it
    return ODL_NUMBER_UNKNOWN;
  if (layout->stored != ODL_NUMBER_UNKNOWN && layout->stored != ODL_NUMBER_F32)
    return layout->stored;
  return layout->type == ODL_SAMPLE_S16 && layout->bits == 8 ? ODL_NUMBER_S8
                                                             : ODL_NUMBER_UNKNOWN;
}

static void
set_pixel_bytes (OdlTiffLayout *layout, bool direct)
{
  layout->pixel_bytes
      = (size_t) layout->channels
        * (layout->type == ODL_SAMPLE_F32 ? odl_number_size (
               layout->number != ODL_NUMBER_UNKNOWN ? layout->number : ODL_NUMBER_F32)
           : layout->type == ODL_SAMPLE_U8 ? 1
                                           : 2);
  layout->verbatim = direct && !layout->separate
                     && layout->samples_per_pixel == layout->channels
                     && layout->colours + (layout->opacity > 0) == layout->channels
                     && layout->channels * layout->bits == 8 * (int) layout->pixel_bytes;
}

void
odl_tiff_layout_drop_numbers (OdlTiffLayout *layout)
{
  layout->number = ODL_NUMBER_UNKNOWN;
  set_pixel_bytes (layout, false);
}

bool
odl_tiff_layout (TIFF *tiff, OdlTiffLayout *layout, GError **error)
{
  uint16_t bits = 1, format = SAMPLEFORMAT_UINT, photometric = 0, samples = 1;
  uint16_t planar = PLANARCONFIG_CONTIG, orientation = ORIENTATION_TOPLEFT;
  uint16_t compression = COMPRESSION_NONE;

  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &layout->width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &layout->height);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_PLANARCONFIG, &planar);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_ORIENTATION, &orientation);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetField (tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  *layout = (OdlTiffLayout){
    .width = layout->width,
    .height = layout->height,
    .orientation = orientation,
    .bits = MAX (bits, 1),
    .format = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format,
    .photometric = photometric,
    .samples_per_pixel = MAX (samples, 1),
    .separate = planar == PLANARCONFIG_SEPARATE && samples > 1,
    .compression = compression,
  };
  bool direct = is_grey (layout) || photometric == PHOTOMETRIC_RGB;
  bool known = direct ? set_grey_or_rgb (tiff, layout)
                      : photometric == PHOTOMETRIC_PALETTE && set_palette (tiff, layout);
  char message[1024] = "";
  if (!known && format == SAMPLEFORMAT_UINT && TIFFRGBAImageOK (tiff, message)) {
    layout->generic = true;
    layout->channels = 3;
    layout->type = ODL_SAMPLE_U8;
  } else if (!known) {
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("TIFF with %d samples of %d bits per pixel in this "
                             "arrangement is not supported"),
                          layout->samples_per_pixel, layout->bits);
  }
  layout->number = number_of (layout);
  set_pixel_bytes (layout, direct);
  set_sizes (tiff, layout);
  if (layout->generic || sizes_agree (layout))
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("the TIFF header is inconsistent (%u×%u pixels)"),
                        layout->width, layout->height);
}

bool
odl_tiff_layout_follow (OdlTiffLayout *layout, const OdlTiffLayout *first)
{
  // Whether the colours of a palette have 16 significant bits, its first one decides.
  if (layout->palette[0] != NULL && first->palette[0] != NULL) {
    layout->wide_palette = first->wide_palette;
    layout->type = first->type;
    set_pixel_bytes (layout, false);
  }
  return layout->width == first->width && layout->height == first->height
         && layout->channels == first->channels && layout->type == first->type
         && layout->number == first->number && layout->orientation == first->orientation;
}

// ---- What the file can hold ----------------------------------------------------------

// Of pictures together, that are not compared with the file.
#define SMALL_BYTES ((double) (16 << 20))
// Bytes that a byte of the file becomes, at most. Of pictures that are not packed a
// sixteenth is wanted, since files that end early show what they have. Strings of LZW are
// as long as its table has entries, 3837 of them in 43231 bits.
static const struct {
  int compression;
  double most;
} packings[] = {
  { COMPRESSION_NONE, 16 },      { COMPRESSION_PACKBITS, 64 },
  { COMPRESSION_LZW, 1400 },     { COMPRESSION_ADOBE_DEFLATE, 1032 },
  { COMPRESSION_DEFLATE, 1032 }, { COMPRESSION_OJPEG, 1032 },
  { COMPRESSION_JPEG, 1032 },
};

// One bit can say that a row is like the one above.
static const int faxes[] = { COMPRESSION_CCITTRLE, COMPRESSION_CCITTRLEW,
                             COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4 };
#define MOST_ROWS 8.0

// Bytes of one page as it is stored, but for its packing.
static double
stored_bytes (const OdlTiffLayout *layout)
{
  const double planes = layout->separate ? layout->samples_per_pixel : 1;

  if (layout->tile_bytes == 0)
    return planes * (double) layout->row_bytes * layout->height;
  const double across = ceil ((double) layout->width / layout->tile_width);
  const double down = ceil ((double) layout->height / layout->tile_height);
  return planes * (double) layout->tile_bytes * across * down;
}

bool
odl_tiff_layout_is_backed (const OdlTiffLayout *layout, uint32_t n_pages, size_t size)
{
  const double pixels = (double) n_pages * layout->width * layout->height;

  if (pixels * (double) layout->pixel_bytes <= SMALL_BYTES)
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (packings); i++)
    if (packings[i].compression == layout->compression)
      return n_pages * stored_bytes (layout) <= packings[i].most * (double) size;
  for (size_t i = 0; i < G_N_ELEMENTS (faxes); i++)
    if (faxes[i] == layout->compression)
      return (double) n_pages * layout->height <= MOST_ROWS * (double) size;
  // Zstandard, LZMA, WebP, LERC and others know no such bound.
  return true;
}

// libtiff has converted the samples to native byte order.
static unsigned
read_packed (const uint8_t *row, size_t index, int bits)
{
  size_t bit = index * bits;
  return row[bit / 8] >> (8 - bits - bit % 8) & ((1u << bits) - 1);
}

static void
put_colour (const OdlTiffLayout *layout, unsigned entry, uint8_t *pixel)
{
  for (int c = 0; c < 3; c++) {
    uint16_t value = layout->palette[c][entry];
    if (layout->wide_palette)
      ((uint16_t *) pixel)[c] = value;
    else
      pixel[c] = (uint8_t) (value > 255 ? value >> 8 : value);
  }
}

// Whole numbers of up to 8 bits without sign, as shares of 255.
static unsigned
read_share (const OdlTiffLayout *layout, const uint8_t *row, size_t index)
{
  return read_packed (row, index, layout->bits) * 255u / ((1u << layout->bits) - 1);
}

// The others of up to 8 bits are two's complement.
static int
read_signed (const OdlTiffLayout *layout, const uint8_t *row, size_t index)
{
  const int value = (int) read_packed (row, index, layout->bits);

  return value < 1 << (layout->bits - 1) ? value : value - (1 << layout->bits);
}

bool
odl_tiff_uses (const OdlTiffLayout *layout, int sample)
{
  return sample < layout->colours || (layout->opacity > 0 && sample == layout->opacity);
}

// As the number that the file has, or as a float.
static void
put_wide (const OdlTiffLayout *layout,
          const uint8_t *row,
          size_t index,
          int channel,
          uint8_t *pixel)
{
  const OdlNumberType to
      = layout->number != ODL_NUMBER_UNKNOWN ? layout->number : ODL_NUMBER_F32;

  odl_number_move (layout->stored, row + index * odl_number_size (layout->stored), to,
                   pixel + (size_t) channel * odl_number_size (to));
}

void
odl_tiff_put_sample (const OdlTiffLayout *layout,
                     const uint8_t *row,
                     size_t index,
                     int sample,
                     uint8_t *pixel)
{
  // Grey with opacity has it in three channels.
  const bool is_opacity = sample >= layout->colours;
  const bool spread = layout->channels == 4 && layout->colours == 1;
  const int first = is_opacity ? 3 : sample;
  const int last = spread && !is_opacity ? 2 : first;

  if (layout->palette[0] != NULL) {
    if (!is_opacity)
      put_colour (layout, read_packed (row, index, layout->bits), pixel);
    else if (layout->wide_palette)
      ((uint16_t *) pixel)[3] = (uint16_t) (read_share (layout, row, index) * 257);
    else
      pixel[3] = (uint8_t) read_share (layout, row, index);
    return;
  }
  for (int c = first; c <= last; c++) {
    if (layout->type == ODL_SAMPLE_F32)
      put_wide (layout, row, index, c, pixel);
    else if (layout->bits == 16)
      ((uint16_t *) pixel)[c] = ((const uint16_t *) row)[index];
    else if (layout->type == ODL_SAMPLE_S16)
      ((int16_t *) pixel)[c] = (int16_t) read_signed (layout, row, index);
    else
      pixel[c] = (uint8_t) read_share (layout, row, index);
  }
}

bool
odl_tiff_declared_range (TIFF *tiff, double range[2])
{
  return TIFFGetField (tiff, TIFFTAG_SMINSAMPLEVALUE, &range[0]) == 1
         && TIFFGetField (tiff, TIFFTAG_SMAXSAMPLEVALUE, &range[1]) == 1;
}

// The range that integers of 16 bits are said to have is the window they open with: what
// lies beyond is no less there.
static void
set_window (const double *declared, OdlDecoderReply *reply)
{
  if (declared == NULL || !(declared[0] < declared[1]) || declared[0] < G_MININT16
      || declared[1] > G_MAXUINT16)
    return;
  reply->has_window = 1;
  reply->window_centre = 0.5 * (declared[0] + declared[1]);
  reply->window_width = declared[1] - declared[0];
}

// Opacity has no part in the range of the colours.
static void
finish_floats (const OdlTiffLayout *layout,
               const double *declared,
               const OdlNumberRange *found,
               OdlPicture *picture)
{
  double ends[2], fill;

  if (layout->channels < 4)
    odl_picture_finish_numbers (picture, declared, found);
  else if (declared == NULL && found != NULL
           && odl_number_range_find (found, ends, &fill)) {
    odl_picture_settle_range (ends);
    odl_picture_finish_rgba (picture, ends);
  } else
    odl_picture_finish_rgba (picture, declared);
}

// libtiff's conversion knows colours alone: what else a pixel has is not shown.
static void
tell_unseen (TIFF *tiff, OdlPicture *picture)
{
  uint16_t n = 0, *kinds = NULL;
  int n_opacities = 0;

  if (TIFFGetField (tiff, TIFFTAG_EXTRASAMPLES, &n, &kinds) != 1)
    return;
  for (int i = 0; i < n; i++)
    n_opacities
        += kinds[i] == EXTRASAMPLE_ASSOCALPHA || kinds[i] == EXTRASAMPLE_UNASSALPHA;
  if (n_opacities > 0)
    odl_picture_warn (picture, "%s", _ ("its opacity is not shown"));
  odl_picture_warn_of_samples (picture, n - n_opacities);
}

void
odl_tiff_describe (TIFF *tiff,
                   const OdlTiffLayout *layout,
                   const double *declared,
                   const OdlNumberRange *found,
                   OdlPicture *picture)
{
  const int n_unused
      = layout->samples_per_pixel - layout->colours - (layout->opacity > 0 ? 1 : 0);

  odl_picture_set_format (picture,
                          layout->format == SAMPLEFORMAT_IEEEFP ? _ ("TIFF, %d bit float")
                                                                : _ ("TIFF, %d bit"),
                          layout->bits);
  odl_picture_detail (picture, "bits", "%d", layout->bits);
  odl_picture_detail (picture, "colour", "%s",
                      is_grey (layout)             ? "grey"
                      : layout->palette[0] != NULL ? "palette"
                                                   : "rgb");
  if (layout->orientation != ORIENTATION_TOPLEFT)
    odl_picture_detail (picture, "orientation", "%d", layout->orientation);
  if (layout->generic)
    tell_unseen (tiff, picture);
  else
    odl_picture_warn_of_samples (picture, n_unused);
  if (layout->multiplied)
    odl_picture_divide_by_opacity (picture);
  if (layout->type == ODL_SAMPLE_F32) {
    finish_floats (layout, declared, found, picture);
  } else if (layout->type == ODL_SAMPLE_S16 && layout->bits <= 8) {
    picture->reply.stored_min = -(1 << (layout->bits - 1));
    picture->reply.stored_max = (1 << (layout->bits - 1)) - 1;
  } else if (layout->bits == 16 && is_grey (layout))
    set_window (declared, &picture->reply);
  picture->reply.inverse = layout->photometric == PHOTOMETRIC_MINISWHITE;
}
