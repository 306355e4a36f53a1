// SPDX-License-Identifier: MIT
#include "output/volume_hdf5.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "image/number.h"

// Headers of HDF5 files of which all sizes are known before, so that they are written
// from one end to the other, by ourselves: libhdf5 is not for several threads, and cannot
// write into a pipe. What a header says of stands behind all of them.
//
// Format: HDF5 File Format Specification 3.0: superblock 2, object headers 2; chunks as
// version 1.10 of the library has them.

#define ODL_HDF5_MAX_SIDES 6
#define ODL_HDF5_MAX_ATTRIBUTES 3

typedef struct {
  const char *name;
  guint64 at;
} OdlHdf5Link;

typedef struct {
  const char *name, *text; // the text is UTF-8
} OdlHdf5Attribute;

typedef enum {
  ODL_HDF5_BLOCK, // numbers one behind the other
  ODL_HDF5_CHUNKS, // all chunks one behind the other, as large as they are said to be
  ODL_HDF5_PACKED, // each chunk packed by zlib
} OdlHdf5Storage;

typedef struct {
  OdlNumberType type; // UNKNOWN: texts of `text_bytes` each, which zeros fill
  guint text_bytes;
  int n_sides; // 0: a single number, or text
  guint64 sides[ODL_HDF5_MAX_SIDES];
  OdlHdf5Storage storage;
  guint64 chunk[ODL_HDF5_MAX_SIDES]; // sides of a chunk
  guint64 at; // of the first number; PACKED: of the index
  OdlHdf5Attribute attributes[ODL_HDF5_MAX_ATTRIBUTES]; // as far as they have names
} OdlHdf5Array;

#define UNDEFINED G_MAXUINT64
#define ADDRESS_BYTES 8
#define IS_BIG (G_BYTE_ORDER == G_BIG_ENDIAN)
#define PACKING 6 // what zlib does by default
#define FIXED_HEADER_BYTES 32 // of an index, with zeros

// Types of messages in object headers.
enum {
  DATASPACE = 0x01,
  LINK_INFO = 0x02,
  DATATYPE = 0x03,
  FILL_VALUE = 0x05,
  LINK = 0x06,
  LAYOUT = 0x08,
  GROUP_INFO = 0x0a,
  FILTERS = 0x0b,
  ATTRIBUTE = 0x0c,
};

// ---- Bytes ---------------------------------------------------------------------------

static void
put (GByteArray *bytes, guint64 value, int n)
{
  for (int i = 0; i < n; i++) {
    const guint8 byte = (guint8) (value >> 8 * i);
    g_byte_array_append (bytes, &byte, 1);
  }
}

static void
put_bytes (GByteArray *bytes, const void *from, size_t n)
{
  g_byte_array_append (bytes, from, (guint) n);
}

// Zeros up to a multiple of eight.
static void
odl_hdf5_align (GByteArray *bytes)
{
  while (bytes->len % 8 != 0)
    put (bytes, 0, 1);
}

static guint32
turn (guint32 value, int by)
{
  return value << by | value >> (32 - by);
}

// Bob Jenkins' “lookup3”, byte by byte, as the format asks for.
static guint32
checksum (const guint8 *at, size_t n)
{
  static const int mixes[] = { 4, 6, 8, 16, 19, 4 },
                   ends[] = { 14, 11, 25, 16, 4, 14, 24 };
  guint32 s[3] = { 0xdeadbeefu + (guint32) n, 0xdeadbeefu + (guint32) n,
                   0xdeadbeefu + (guint32) n };

  while (n > 12) {
    for (int i = 0; i < 12; i++)
      s[i / 4] += (guint32) at[i] << 8 * (i % 4);
    for (int i = 0; i < 6; i++) {
      guint32 *a = &s[i % 3], *b = &s[(i + 1) % 3], *c = &s[(i + 2) % 3];
      *a -= *c;
      *a ^= turn (*c, mixes[i]);
      *c += *b;
    }
    at += 12;
    n -= 12;
  }
  if (n == 0)
    return s[2];
  for (size_t i = 0; i < n; i++)
    s[i / 4] += (guint32) at[i] << 8 * (i % 4);
  for (int i = 0; i < 7; i++) {
    guint32 *to = &s[(i + 2) % 3], *from = &s[(i + 1) % 3];
    *to ^= *from;
    *to -= turn (*from, ends[i]);
  }
  return s[2];
}

// ---- Object headers ------------------------------------------------------------------

// Returns where it begins.
static guint
begin_object (GByteArray *bytes)
{
  odl_hdf5_align (bytes);
  const guint start = bytes->len;
  put_bytes (bytes, "OHDR", 4);
  put (bytes, 2, 1); // version
  put (bytes, 2, 1); // the size of its messages has four bytes
  put (bytes, 0, 4);
  return start;
}

static void
end_object (GByteArray *bytes, guint start)
{
  const guint32 size = GUINT32_TO_LE (bytes->len - start - 10);

  memcpy (bytes->data + start + 6, &size, sizeof size);
  put (bytes, checksum (bytes->data + start, bytes->len - start), 4);
}

// Returns where its content begins.
static guint
begin_message (GByteArray *bytes, int type)
{
  put (bytes, (guint64) type, 1);
  put (bytes, 0, 3); // size, flags
  return bytes->len;
}

static void
end_message (GByteArray *bytes, guint start)
{
  const guint16 size = GUINT16_TO_LE ((guint16) (bytes->len - start));

  memcpy (bytes->data + start - 3, &size, sizeof size);
}

static void
put_space (GByteArray *bytes, const guint64 *sides, int n)
{
  put (bytes, 2, 1); // version
  put (bytes, (guint64) n, 1);
  put (bytes, 0, 1);
  put (bytes, n > 0, 1); // simple, or a scalar
  for (int i = 0; i < n; i++)
    put (bytes, sides[i], 8);
}

static void
put_type (GByteArray *bytes, OdlNumberType type)
{
  const size_t size = odl_number_size (type);
  double ends[2] = { 0 };

  if (!odl_number_is_float (type)) {
    odl_number_ends (type, ends);
    put (bytes, 0x10, 1); // version 1, whole numbers
    put (bytes, (guint64) IS_BIG | (ends[0] < 0 ? 8 : 0), 3);
    put (bytes, size, 4);
    put (bytes, 0, 2);
    put (bytes, 8 * size, 2);
    return;
  }
  const bool is_double = size == sizeof (double);
  put (bytes, 0x11, 1); // version 1, floats
  put (bytes, (guint64) IS_BIG | 0x20, 1); // the first bit of the fraction is implied
  put (bytes, 8 * size - 1, 2); // sign
  put (bytes, size, 4);
  put (bytes, 0, 2);
  put (bytes, 8 * size, 2);
  put (bytes, is_double ? 52 : 23, 1); // exponent, and its bits
  put (bytes, is_double ? 11 : 8, 1);
  put (bytes, 0, 1); // fraction, and its bits
  put (bytes, is_double ? 52 : 23, 1);
  put (bytes, is_double ? 1023 : 127, 4);
}

static size_t
text_bytes (const char *text)
{
  return MAX (strlen (text), 1);
}

static void
put_text_type (GByteArray *bytes, size_t n)
{
  put (bytes, 0x13, 1); // version 1, text
  put (bytes, 0x11, 3); // padded with zeros, UTF-8
  put (bytes, n, 4);
}

static void
put_attribute (GByteArray *bytes, const char *name, const char *text)
{
  const guint at = begin_message (bytes, ATTRIBUTE);

  put (bytes, 3, 1); // version
  put (bytes, 0, 1);
  put (bytes, strlen (name) + 1, 2);
  put (bytes, 8, 2); // of the type
  put (bytes, 4, 2); // of the sides
  put (bytes, 0, 1);
  put_bytes (bytes, name, strlen (name) + 1);
  put_text_type (bytes, text_bytes (text));
  put_space (bytes, NULL, 0);
  put_bytes (bytes, text, text_bytes (text));
  end_message (bytes, at);
}

// ---- Groups and arrays ---------------------------------------------------------------

static guint64
odl_hdf5_add_group (GByteArray *bytes, const OdlHdf5Link *links, int n)
{
  const guint start = begin_object (bytes);
  guint at = begin_message (bytes, LINK_INFO);

  put (bytes, 0, 2);
  put (bytes, UNDEFINED, ADDRESS_BYTES); // links stand in the header
  put (bytes, UNDEFINED, ADDRESS_BYTES);
  end_message (bytes, at);
  at = begin_message (bytes, GROUP_INFO);
  put (bytes, 0, 2);
  end_message (bytes, at);
  for (int i = 0; i < n; i++) {
    at = begin_message (bytes, LINK);
    put (bytes, 1, 1); // version
    put (bytes, 0, 1); // hard, and its name's length has one byte
    put (bytes, strlen (links[i].name), 1);
    put_bytes (bytes, links[i].name, strlen (links[i].name));
    put (bytes, links[i].at, ADDRESS_BYTES);
    end_message (bytes, at);
  }
  end_object (bytes, start);
  return start;
}

static size_t
number_bytes (const OdlHdf5Array *array)
{
  return array->type == ODL_NUMBER_UNKNOWN ? array->text_bytes
                                           : odl_number_size (array->type);
}

static guint64
product (const OdlHdf5Array *array, const guint64 *sides)
{
  guint64 n = number_bytes (array);

  for (int i = 0; i < array->n_sides; i++)
    n *= sides[i];
  return n;
}

static guint64
odl_hdf5_array_bytes (const OdlHdf5Array *array)
{
  return product (array, array->sides);
}

static guint64
odl_hdf5_chunk_bytes (const OdlHdf5Array *array)
{
  return product (array, array->chunk);
}

// No numbers are there but those that are written.
static void
put_fill_value (GByteArray *bytes, const OdlHdf5Array *array)
{
  static const int given[] = {
    // when an array gets its room
    [ODL_HDF5_BLOCK] = 2, // at the first number
    [ODL_HDF5_CHUNKS] = 1, // at once
    [ODL_HDF5_PACKED] = 3, // chunk by chunk
  };
  const guint at = begin_message (bytes, FILL_VALUE);

  put (bytes, 3, 1); // version
  put (bytes, (guint64) given[array->storage] | 2 << 2, 1); // written if one is set: none
  end_message (bytes, at);
}

// Of an index of so many chunks, which has one page alone.
static int
page_bits (guint64 n_chunks)
{
  int bits = 10;

  while (n_chunks > (guint64) 1 << bits)
    bits++;
  return bits;
}

static guint64
count_chunks (const OdlHdf5Array *array)
{
  return odl_hdf5_array_bytes (array) / odl_hdf5_chunk_bytes (array);
}

static void
put_layout (GByteArray *bytes, const OdlHdf5Array *array)
{
  const bool packed = array->storage == ODL_HDF5_PACKED;
  const guint at = begin_message (bytes, LAYOUT);

  if (array->storage == ODL_HDF5_BLOCK) {
    put (bytes, 3, 1); // version
    put (bytes, 1, 1); // one block
    put (bytes, array->at, ADDRESS_BYTES);
    put (bytes, odl_hdf5_array_bytes (array), 8);
  } else {
    put (bytes, 4, 1); // version
    put (bytes, 2, 1); // chunks
    put (bytes, 0, 1);
    put (bytes, (guint64) array->n_sides + 1, 1);
    put (bytes, 4, 1); // bytes of a side
    for (int i = 0; i < array->n_sides; i++)
      put (bytes, array->chunk[i], 4);
    put (bytes, number_bytes (array), 4);
    put (bytes, packed ? 3 : 2, 1); // an index of a fixed number, or none at all
    if (packed)
      put (bytes, (guint64) page_bits (count_chunks (array)), 1);
    put (bytes, array->at, ADDRESS_BYTES);
  }
  end_message (bytes, at);
}

static void
put_filters (GByteArray *bytes)
{
  const guint at = begin_message (bytes, FILTERS);

  put (bytes, 2, 1); // version
  put (bytes, 1, 1); // their number
  put (bytes, 1, 2); // zlib
  put (bytes, 0, 2); // it must be there
  put (bytes, 1, 2); // its numbers
  put (bytes, PACKING, 4);
  end_message (bytes, at);
}

static guint64
odl_hdf5_add_array (GByteArray *bytes, const OdlHdf5Array *array)
{
  const guint start = begin_object (bytes);
  guint at = begin_message (bytes, DATASPACE);

  put_space (bytes, array->sides, array->n_sides);
  end_message (bytes, at);
  at = begin_message (bytes, DATATYPE);
  if (array->type == ODL_NUMBER_UNKNOWN)
    put_text_type (bytes, array->text_bytes);
  else
    put_type (bytes, array->type);
  end_message (bytes, at);
  put_fill_value (bytes, array);
  put_layout (bytes, array);
  if (array->storage == ODL_HDF5_PACKED)
    put_filters (bytes);
  for (int i = 0; i < ODL_HDF5_MAX_ATTRIBUTES && array->attributes[i].name != NULL; i++)
    put_attribute (bytes, array->attributes[i].name, array->attributes[i].text);
  end_object (bytes, start);
  return start;
}

// Bytes of the size of a packed chunk, which may be larger than it was.
static int
size_bytes (guint64 chunk_bytes)
{
  return MIN (1 + (((int) g_bit_storage (chunk_bytes) - 1) + 8) / 8, 8);
}

// The index of `n` packed chunks of an array, which lie one behind the other from `first`
// on and have `sizes` bytes.
// A “fixed array” of one page.
static guint64
odl_hdf5_add_index (GByteArray *bytes,
                    const OdlHdf5Array *array,
                    guint64 first,
                    const guint64 *sizes,
                    guint n)
{
  const int size = size_bytes (odl_hdf5_chunk_bytes (array));

  odl_hdf5_align (bytes);
  const guint start = bytes->len;
  put_bytes (bytes, "FAHD", 4);
  put (bytes, 0, 1); // version
  put (bytes, 1, 1); // of packed chunks
  put (bytes, (guint64) (ADDRESS_BYTES + size + 4), 1); // bytes of an entry
  put (bytes, (guint64) page_bits (n), 1);
  put (bytes, n, 8);
  put (bytes, start + FIXED_HEADER_BYTES, ADDRESS_BYTES);
  put (bytes, checksum (bytes->data + start, bytes->len - start), 4);
  odl_hdf5_align (bytes);
  const guint block = bytes->len;
  g_assert (block == start + FIXED_HEADER_BYTES);
  put_bytes (bytes, "FADB", 4);
  put (bytes, 0, 1); // version
  put (bytes, 1, 1);
  put (bytes, start, ADDRESS_BYTES);
  for (guint i = 0; i < n; i++) {
    put (bytes, first, ADDRESS_BYTES);
    put (bytes, sizes[i], size);
    put (bytes, 0, 4); // no filter is left out
    first += sizes[i];
  }
  put (bytes, checksum (bytes->data + block, bytes->len - block), 4);
  return start;
}

// ---- The file ------------------------------------------------------------------------

// Each adds to `bytes`, which begin with the superblock; the last three return where what
// they added begins. Any thread.
static void
odl_hdf5_add_superblock (GByteArray *bytes, guint64 root, guint64 end)
{
  put_bytes (bytes, "\x89HDF\r\n\x1a\n", 8);
  put (bytes, 2, 1); // version
  put (bytes, ADDRESS_BYTES, 1);
  put (bytes, ADDRESS_BYTES, 1); // of lengths
  put (bytes, 0, 1);
  put (bytes, 0, ADDRESS_BYTES);
  put (bytes, UNDEFINED, ADDRESS_BYTES);
  put (bytes, end, ADDRESS_BYTES);
  put (bytes, root, ADDRESS_BYTES);
  put (bytes, checksum (bytes->data, bytes->len), 4);
}

#define METRES 1e-3
#define PLACE_NUMBERS 3 // x, y, z
#define MOST_NUMBERS 4 // of a place of the picture
// Sides of a chunk have four bytes in the file, and so has a chunk.
#define MOST_CHUNK G_MAXUINT32

// ---- What zea has --------------------------------------------------------------------

typedef struct {
  const char *map; // of its group “data”
  guint64 numbers; // of each place, with a side of their own; 0: one without
  const char *labels[MOST_NUMBERS];
} Kind;

static bool
are_beams (const OdlHdf5Pictures *pictures)
{
  return pictures->first->beams.array != ODL_BEAMS_NONE && pictures->shape->slices == 1;
}

static bool
is_complex (const OdlImageInfo *first)
{
  return first->beams.array != ODL_BEAMS_NONE
         && first->beams.content == ODL_BEAMS_COMPLEX;
}

static Kind
kind_of (const OdlHdf5Pictures *pictures)
{
  static const Kind beams[ODL_N_BEAM_CONTENTS] = {
    [ODL_BEAMS_UNKNOWN] = { "image", 0, { NULL } },
    [ODL_BEAMS_WAVES] = { "beamformed_data", 1, { "RF" } },
    [ODL_BEAMS_COMPLEX] = { "beamformed_data", 2, { "I", "Q" } },
    [ODL_BEAMS_AMPLITUDES] = { "envelope_data", 0, { NULL } },
    [ODL_BEAMS_DECIBELS] = { "image", 0, { NULL } },
  };
  const int channels = pictures->first->channels;

  if (channels > 1)
    return (Kind){ "color_image",
                   (guint64) channels,
                   { "red", "green", "blue", channels > 3 ? "opacity" : NULL } };
  return are_beams (pictures) ? beams[pictures->first->beams.content]
                              : (Kind){ "image", 0, { NULL } };
}

// Columns of places.
static int
count_columns (const OdlHdf5Pictures *pictures)
{
  const OdlImageInfo *first = pictures->first;

  return is_complex (first) && are_beams (pictures) ? first->extent.x / 2
                                                    : first->extent.x;
}

static bool
has_places (const OdlHdf5Pictures *pictures)
{
  const double *mm = pictures->spacing_mm;

  return are_beams (pictures)
         || (mm[0] > 0 && mm[1] > 0 && (pictures->shape->slices == 1 || mm[2] > 0));
}

// Frames in a second; 0: unknown.
static double
rate_of (const OdlVolumeShape *shape)
{
  return shape->volumes > 1 && shape->interval_s > 0 ? 1 / shape->interval_s : 0;
}

// ---- Places --------------------------------------------------------------------------

// In metres, of which the first row is at the probe, and the middle at x and y 0.
static void
find_place (const OdlHdf5Pictures *pictures, int x, int y, int slice, float place[3])
{
  const OdlHdf5Pictures *p = pictures;
  const double middle = (p->first->extent.x - 1) / 2.0;

  if (are_beams (p)) {
    const OdlBeamsPoint at = odl_beams_place (&p->first->beams, x, y);
    place[0] = (float) (at.x * METRES);
    place[1] = 0;
    place[2] = (float) (at.y * METRES);
  } else {
    place[0] = (float) ((x - middle) * p->spacing_mm[0] * METRES);
    place[1] = (float) ((slice - (p->shape->slices - 1) / 2.0) * p->spacing_mm[2] * METRES
                        + 0.0);
    place[2] = (float) (y * p->spacing_mm[1] * METRES);
  }
}

// Packs, as HDF5's filter does.
static GBytes *
pack (const void *data, gsize size)
{
  g_autoptr (GZlibCompressor) zlib
      = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, -1);
  GByteArray *packed = g_byte_array_new ();
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result != G_CONVERTER_FINISHED) {
    guint8 some[65536];
    gsize n_read, n_written;
    result = g_converter_convert (G_CONVERTER (zlib), data, size, some, sizeof some,
                                  G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
    // Memory is all that it could lack, and GLib ends without.
    g_assert (result != G_CONVERTER_ERROR);
    data = (const guint8 *) data + n_read;
    size -= n_read;
    g_byte_array_append (packed, some, (guint) n_written);
  }
  return g_byte_array_free_to_bytes (packed);
}

static GBytes *
pack_axis (const OdlHdf5Pictures *pictures, int slice, int axis)
{
  const int width = pictures->first->extent.x, height = pictures->first->extent.y;
  g_autofree float *numbers = g_new (float, (gsize) width *height);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float place[PLACE_NUMBERS];
      find_place (pictures, x, y, slice, place);
      numbers[(gsize) y * width + x] = place[axis];
    }
  return pack (numbers, (gsize) width * height * sizeof *numbers);
}

// Of a volume, whose places would need far more room than its numbers, a chunk for each
// of x, y, z of each slice, in this order. Only y differs from slice to slice.
static GPtrArray *
pack_places (const OdlHdf5Pictures *pictures)
{
  GPtrArray *chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GBytes) x = pack_axis (pictures, 0, 0);
  g_autoptr (GBytes) z = pack_axis (pictures, 0, 2);

  for (int slice = 0; slice < pictures->shape->slices; slice++) {
    g_ptr_array_add (chunks, g_bytes_ref (x));
    g_ptr_array_add (chunks, pack_axis (pictures, slice, 1));
    g_ptr_array_add (chunks, g_bytes_ref (z));
  }
  return chunks;
}

// ---- Where everything lies -----------------------------------------------------------

typedef struct {
  const OdlHdf5Pictures *pictures;
  Kind kind;
  OdlHdf5Array unit, labels, places, values;
  GPtrArray *packed; // chunks of places; NULL: they are one block, or unknown
  guint64 *sizes; // of these
  guint64 times; // where they begin
  guint64 end; // of the file
} Head;

static guint64
round_up (guint64 at)
{
  return (at + 7) / 8 * 8;
}

static OdlHdf5Array
labels_of (const Kind *kind)
{
  OdlHdf5Array labels = { .n_sides = 1, .sides = { kind->numbers } };

  for (guint64 i = 0; i < kind->numbers; i++)
    labels.text_bytes = MAX (labels.text_bytes, (guint) strlen (kind->labels[i]));
  return labels;
}

static void
set_sides (Head *head)
{
  const OdlHdf5Pictures *pictures = head->pictures;
  const OdlHdf5Array text
      = { .text_bytes = MAX ((guint) strlen (pictures->unit), 1), .n_sides = 0 };
  const guint64 width = (guint64) count_columns (pictures),
                height = (guint64) pictures->first->extent.y,
                slices = (guint64) pictures->shape->slices;
  OdlHdf5Array *values = &head->values, *places = &head->places;

  head->unit = text;
  head->labels = labels_of (&head->kind);
  *values
      = (OdlHdf5Array){ .type = pictures->type,
                        .n_sides = 3,
                        .sides = { (guint64) pictures->shape->volumes, height, width },
                        .chunk = { 1, height, width },
                        .storage = slices > 1 ? ODL_HDF5_CHUNKS : ODL_HDF5_BLOCK };
  *places = (OdlHdf5Array){ .type = ODL_NUMBER_F32,
                            .n_sides = 2,
                            .sides = { height, width },
                            .chunk = { height, width },
                            .storage = slices > 1 ? ODL_HDF5_PACKED : ODL_HDF5_BLOCK };
  // Colours have five sides, whether or not there are slices.
  if (slices > 1 || pictures->first->channels > 1) {
    values->chunk[values->n_sides] = places->chunk[places->n_sides] = 1;
    values->sides[values->n_sides++] = places->sides[places->n_sides++] = slices;
  }
  if (head->kind.numbers > 0) {
    values->chunk[values->n_sides] = head->kind.numbers;
    values->sides[values->n_sides++] = head->kind.numbers;
  }
  places->chunk[places->n_sides] = 1;
  places->sides[places->n_sides++] = PLACE_NUMBERS;
}

// Numbers stand from `start` on, each array at a multiple of eight.
static void
set_offsets (Head *head, guint64 start)
{
  const OdlVolumeShape *shape = head->pictures->shape;

  head->unit.at = start;
  head->labels.at = round_up (start + odl_hdf5_array_bytes (&head->unit));
  head->times
      = round_up (head->labels.at
                  + (head->kind.numbers > 0 ? odl_hdf5_array_bytes (&head->labels) : 0));
  head->places.at
      = head->times
        + (rate_of (shape) > 0 ? ((guint64) shape->volumes + 2) * sizeof (double) : 0);
  guint64 bytes = 0;
  for (guint i = 0; head->packed != NULL && i < head->packed->len; i++)
    bytes += head->sizes[i];
  if (has_places (head->pictures) && head->packed == NULL)
    bytes = odl_hdf5_array_bytes (&head->places);
  head->values.at = round_up (head->places.at + bytes);
  head->end = head->values.at + odl_hdf5_array_bytes (&head->values);
}

static bool
fits (const Head *head, GError **error)
{
  const bool chunks = head->values.storage != ODL_HDF5_BLOCK;

  if (!chunks
      || (odl_hdf5_chunk_bytes (&head->values) <= MOST_CHUNK
          && odl_hdf5_chunk_bytes (&head->places) <= MOST_CHUNK))
    return true;
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("a slice is larger than the 4 GB of HDF5's chunks. Write it as "
         ".nrrd."));
}

static void
head_init (Head *head, const OdlHdf5Pictures *pictures)
{
  *head = (Head){ .pictures = pictures, .kind = kind_of (pictures) };
  set_sides (head);
}

static void
find_packed (Head *head)
{
  if (!has_places (head->pictures) || head->places.storage != ODL_HDF5_PACKED)
    return;
  head->packed = pack_places (head->pictures);
  head->sizes = g_new (guint64, head->packed->len);
  for (guint i = 0; i < head->packed->len; i++)
    head->sizes[i] = g_bytes_get_size (head->packed->pdata[i]);
}

static void
head_clear (Head *head)
{
  g_clear_pointer (&head->packed, g_ptr_array_unref);
  g_free (head->sizes);
}

// ---- Headers -------------------------------------------------------------------------

static OdlHdf5Array
signal_array (guint64 at, guint64 n, const char *unit, const char *description)
{
  return (OdlHdf5Array){ .type = ODL_NUMBER_F64,
                         .n_sides = n > 0,
                         .sides = { n },
                         .at = at,
                         .attributes
                         = { { "unit", unit }, { "description", description } } };
}

static guint64
add_times (GByteArray *bytes, const Head *head)
{
  const guint64 n = (guint64) head->pictures->shape->volumes;
  const OdlHdf5Array arrays[] = {
    signal_array (head->times, n, "s", "Times of the frames."),
    signal_array (head->times + 8 * n, 0, "s", "Time of the first frame."),
    signal_array (head->times + 8 * n + 8, 0, "Hz", "Mean rate of the frames."),
  };
  static const char *const names[]
      = { "samples", "start_time_offset", "sampling_frequency" };
  OdlHdf5Link links[G_N_ELEMENTS (arrays)];

  for (size_t i = 0; i < G_N_ELEMENTS (arrays); i++)
    links[i] = (OdlHdf5Link){ names[i], odl_hdf5_add_array (bytes, &arrays[i]) };
  const OdlHdf5Link times
      = { "frame_times", odl_hdf5_add_group (bytes, links, (int) G_N_ELEMENTS (links)) };
  return odl_hdf5_add_group (bytes, &times, 1);
}

static guint64
add_places (GByteArray *bytes, const Head *head)
{
  OdlHdf5Array places = head->places;

  places.attributes[0] = (OdlHdf5Attribute){ "unit", "m" };
  places.attributes[1]
      = (OdlHdf5Attribute){ "description", "Place (x, y, z) of each pixel." };
  if (head->packed != NULL)
    places.at
        = odl_hdf5_add_index (bytes, &places, places.at, head->sizes, head->packed->len);
  return odl_hdf5_add_array (bytes, &places);
}

static guint64
add_map (GByteArray *bytes, const Head *head)
{
  const OdlHdf5Pictures *pictures = head->pictures;
  const OdlBeams *beams = &pictures->first->beams;
  g_autofree char *key = beams->array != ODL_BEAMS_NONE ? odl_beams_to_key (beams) : NULL;
  OdlHdf5Array values = head->values;
  OdlHdf5Link links[4];
  int n = 0;

  values.attributes[0] = (OdlHdf5Attribute){ "unit", pictures->unit };
  values.attributes[1] = (OdlHdf5Attribute){ "description", pictures->description };
  if (key != NULL)
    values.attributes[2] = (OdlHdf5Attribute){ ODL_BEAMS_KEY, key };
  links[n++] = (OdlHdf5Link){ "unit", odl_hdf5_add_array (bytes, &head->unit) };
  links[n++] = (OdlHdf5Link){ "values", odl_hdf5_add_array (bytes, &values) };
  if (head->kind.numbers > 0)
    links[n++] = (OdlHdf5Link){ "labels", odl_hdf5_add_array (bytes, &head->labels) };
  if (has_places (pictures))
    links[n++] = (OdlHdf5Link){ "coordinates", add_places (bytes, head) };
  const OdlHdf5Link map = { head->kind.map, odl_hdf5_add_group (bytes, links, n) };
  return odl_hdf5_add_group (bytes, &map, 1);
}

// All headers, of a file whose first group is at *root; sets where it is.
static GByteArray *
make_headers (const Head *head, guint64 *root)
{
  GByteArray *bytes = g_byte_array_new ();
  OdlHdf5Link links[2];
  int n = 0;

  odl_hdf5_add_superblock (bytes, *root, head->end);
  links[n++] = (OdlHdf5Link){ "data", add_map (bytes, head) };
  if (rate_of (head->pictures->shape) > 0)
    links[n++] = (OdlHdf5Link){ "metadata", add_times (bytes, head) };
  *root = odl_hdf5_add_group (bytes, links, n);
  odl_hdf5_align (bytes);
  return bytes;
}

// ---- Numbers before those of the pictures --------------------------------------------

static void
put_padded (GByteArray *bytes, const char *text, guint n)
{
  const guint length = MIN ((guint) strlen (text), n);

  g_byte_array_append (bytes, (const guint8 *) text, length);
  for (guint i = length; i < n; i++)
    g_byte_array_append (bytes, (const guint8 *) "", 1);
}

// The times of frames, then the offset of the first one, then their rate.
static void
put_times (GByteArray *bytes, const OdlVolumeShape *shape)
{
  for (int i = 0; i < shape->volumes; i++) {
    const double s = shape->times_ns != NULL
                         ? (double) (shape->times_ns[i] - shape->times_ns[0]) / 1e9
                         : i * shape->interval_s;
    g_byte_array_append (bytes, (const guint8 *) &s, sizeof s);
  }
  const double others[] = { 0, rate_of (shape) };
  g_byte_array_append (bytes, (const guint8 *) others, sizeof others);
}

static GByteArray *
make_head (Head *head)
{
  guint64 root = 0;

  // Once to know how long they are.
  set_offsets (head, 0);
  g_autoptr (GByteArray) draft = make_headers (head, &root);
  set_offsets (head, draft->len);
  GByteArray *bytes = make_headers (head, &root);
  put_padded (bytes, head->pictures->unit, head->unit.text_bytes);
  odl_hdf5_align (bytes);
  for (guint64 i = 0; i < head->kind.numbers; i++)
    put_padded (bytes, head->kind.labels[i], head->labels.text_bytes);
  odl_hdf5_align (bytes);
  if (rate_of (head->pictures->shape) > 0)
    put_times (bytes, head->pictures->shape);
  return bytes;
}

static bool
write_packed (const Head *head, OdlOutput *output, GError **error)
{
  static const char zeros[8] = "";
  guint64 at = head->places.at;

  for (guint i = 0; i < head->packed->len; i++) {
    gsize n;
    const void *data = g_bytes_get_data (head->packed->pdata[i], &n);
    if (!odl_output_write (output, data, n, error))
      return false;
    at += n;
  }
  return odl_output_write (output, zeros, head->values.at - at, error);
}

static bool
write_places (const Head *head, OdlOutput *output, GError **error)
{
  const OdlHdf5Pictures *pictures = head->pictures;
  const int width = count_columns (pictures);
  const gsize row = PLACE_NUMBERS * (gsize) width * sizeof (float);
  g_autofree float *places = g_malloc (row);
  bool done = true;

  for (int y = 0; done && y < pictures->first->extent.y; y++) {
    for (int x = 0; x < width; x++)
      find_place (pictures, x, y, 0, places + PLACE_NUMBERS * x);
    done = odl_output_write (output, places, row, error);
  }
  const gsize after
      = head->values.at - head->places.at - row * (gsize) pictures->first->extent.y;
  return done && odl_output_write (output, "\0\0\0\0\0\0\0", after, error);
}

bool
odl_hdf5_write_head (const OdlHdf5Pictures *pictures,
                     OdlOutput *output,
                     gint64 *bytes,
                     GError **error)
{
  Head head;

  head_init (&head, pictures);
  if (!fits (&head, error)) {
    g_prefix_error (error, "%s: ", output->shown);
    return false;
  }
  find_packed (&head);
  g_autoptr (GByteArray) first = make_head (&head);
  bool done = odl_output_write (output, first->data, first->len, error);
  if (done && has_places (pictures))
    done = head.packed != NULL ? write_packed (&head, output, error)
                               : write_places (&head, output, error);
  *bytes += (gint64) head.values.at;
  head_clear (&head);
  return done;
}

const void *
odl_hdf5_row (const OdlImageInfo *first, OdlNumberType type, const void *row, void *room)
{
  const gsize size = odl_number_size (type), half = (gsize) first->extent.x / 2;

  if (!is_complex (first))
    return row;
  for (gsize x = 0; x < 2 * half; x++)
    memcpy ((char *) room + (x % half * 2 + x / half) * size,
            (const char *) row + x * size, size);
  return room;
}
