// SPDX-License-Identifier: MIT
// The format: NumPy Enhancement Proposal 1, versions 1 to 3.
#include "decoder/npy/npy.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "decoder/formats.h"
#include "decoder/half.h"

#define WORD_BYTES 32

// The header is a dictionary as Python writes it: what is between its words may be blanks
// and line breaks, and texts may have either kind of quotes.
typedef struct {
  const char *at;
  char descr[WORD_BYTES]; // empty: none, or one that is no text
  bool has_order; // of the axes
} Header;

// What numpy.dtype takes besides letters with a number of bytes.
static const struct {
  const char *name;
  char kind;
  int bytes;
} types[] = {
  { "float16", 'f', 2 }, { "half", 'f', 2 },   { "e", 'f', 2 },
  { "float32", 'f', 4 }, { "single", 'f', 4 }, { "f", 'f', 4 },
  { "float64", 'f', 8 }, { "double", 'f', 8 }, { "float", 'f', 8 },
  { "d", 'f', 8 },       { "int8", 'i', 1 },   { "byte", 'i', 1 },
  { "b", 'i', 1 },       { "int16", 'i', 2 },  { "short", 'i', 2 },
  { "h", 'i', 2 },       { "int32", 'i', 4 },  { "intc", 'i', 4 },
  { "i", 'i', 4 },       { "int64", 'i', 8 },  { "int", 'i', 8 },
  { "q", 'i', 8 },       { "uint8", 'u', 1 },  { "ubyte", 'u', 1 },
  { "B", 'u', 1 },       { "uint16", 'u', 2 }, { "ushort", 'u', 2 },
  { "H", 'u', 2 },       { "uint32", 'u', 4 }, { "uintc", 'u', 4 },
  { "I", 'u', 4 },       { "uint64", 'u', 8 }, { "Q", 'u', 8 },
  { "bool", 'b', 1 },    { "bool_", 'b', 1 },  { "?", 'b', 1 },
};

static char
next (Header *header)
{
  while (g_ascii_isspace (*header->at))
    header->at++;
  return *header->at;
}

static bool
take (Header *header, char wanted)
{
  if (next (header) != wanted)
    return false;
  header->at++;
  return true;
}

// A text in quotes, maybe with the letter of Unicode or bytes before it. Longer ones are
// cut: no word that is known has their length.
static bool
take_text (Header *header, char text[WORD_BYTES])
{
  const char first = next (header);
  size_t n = 0;

  if (first != '\0' && strchr ("ub", first) != NULL)
    header->at++;
  const char quote = *header->at;
  if (quote != '\'' && quote != '"')
    return false;
  for (header->at++; *header->at != quote && *header->at != '\0'; header->at++)
    if (n + 1 < WORD_BYTES)
      text[n++] = *header->at;
  text[n] = '\0';
  return take (header, quote);
}

// Such as (480, 640); Python 2 wrote 480L.
static bool
take_shape (Header *header, OdlNpy *npy)
{
  if (!take (header, '('))
    return false;
  npy->n_axes = 0;
  while (g_ascii_isdigit (next (header)) && npy->n_axes < ODL_NPY_MAX_AXES) {
    char *end;
    npy->sides[npy->n_axes++] = g_ascii_strtoull (header->at, &end, 10);
    header->at = end + (*end == 'L' ? 1 : 0);
    if (!take (header, ','))
      break;
  }
  return take (header, ')');
}

static bool
take_order (Header *header, OdlNpy *npy)
{
  npy->by_columns = g_str_has_prefix (header->at, "True");
  header->has_order = npy->by_columns || g_str_has_prefix (header->at, "False");
  header->at += npy->by_columns ? strlen ("True") : strlen ("False");
  return header->has_order;
}

// False: it is no such dictionary, or says no shape. A type that is no text ends it.
static bool
take_dictionary (Header *header, OdlNpy *npy)
{
  bool has_shape = false;
  char key[WORD_BYTES];

  if (!take (header, '{'))
    return false;
  while (next (header) != '}') {
    if (!take_text (header, key) || !take (header, ':'))
      return false;
    next (header);
    if (g_str_equal (key, "descr")) {
      if (!take_text (header, header->descr))
        return true;
    } else if (g_str_equal (key, "shape")) {
      has_shape = take_shape (header, npy);
      if (!has_shape)
        return false;
    } else if (!g_str_equal (key, "fortran_order") || !take_order (header, npy)) {
      return false;
    }
    if (!take (header, ','))
      break;
  }
  return has_shape && take (header, '}');
}

// Such as <f4 or float32; without an order of bytes it is the machine's.
static bool
read_type (const char *descr, OdlNpy *npy)
{
  const bool big = G_BYTE_ORDER == G_BIG_ENDIAN;
  const bool ordered = *descr != '\0' && strchr ("<>=|", *descr) != NULL;
  const char *type = descr + (ordered ? 1 : 0);

  npy->swapped = (*descr == '>' && !big) || (*descr == '<' && big);
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (type, types[i].name)) {
      npy->kind = types[i].kind;
      npy->bytes = types[i].bytes;
      return true;
    }
  if (strlen (type) != 2 || strchr ("fiub", type[0]) == NULL
      || strchr ("1248", type[1]) == NULL)
    return false;
  npy->kind = type[0];
  npy->bytes = type[1] - '0';
  return npy->kind == 'b' ? npy->bytes == 1 : npy->kind != 'f' || npy->bytes >= 2;
}

static bool
is_object (const char *descr)
{
  return strchr ("|<>=", *descr) != NULL && *descr != '\0' ? descr[1] == 'O'
                                                           : *descr == 'O';
}

static bool
read_header (const char *text, OdlNpy *npy, GError **error)
{
  Header header = { .at = text };
  const bool complete = take_dictionary (&header, npy);

  if (is_object (header.descr) || g_str_equal (header.descr, "object"))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it holds Python objects (a pickle), which could run "
                             "programs and are never read. Save an array of numbers."));
  if (complete && (!header.has_order || !read_type (header.descr, npy)))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its NPY header names no numbers that are read here: whole "
                             "ones, truth values, or floats of 2, 4 or 8 bytes"));
  return complete
         || odl_error_set (error, ODL_ERROR_CORRUPT,
                           _ ("its NPY header does not say how many numbers there are"));
}

bool
odl_npy_begins (const uint8_t *data, size_t size)
{
  return size >= strlen (ODL_NPY_MAGIC)
         && memcmp (data, ODL_NPY_MAGIC, strlen (ODL_NPY_MAGIC)) == 0;
}

bool
odl_npy_read (const uint8_t *data, size_t size, OdlNpy *npy, GError **error)
{
  const size_t head = size > 7 && data[6] >= 2 ? 12 : 10;

  *npy = (OdlNpy){ 0 };
  if (size < head)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  const size_t length
      = data[8] + 256u * data[9]
        + (head == 12 ? 65536u * data[10] + (size_t) data[11] * 16777216u : 0);
  if (length > size - head)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  npy->offset = head + length;
  g_autofree char *header = g_strndup ((const char *) data + head, length);
  return read_header (header, npy, error);
}

OdlNumberType
odl_npy_type (const OdlNpy *npy)
{
  static const OdlNumberType whole[][2] = {
    [1] = { ODL_NUMBER_U8, ODL_NUMBER_S8 },
    [2] = { ODL_NUMBER_U16, ODL_NUMBER_S16 },
    [4] = { ODL_NUMBER_U32, ODL_NUMBER_S32 },
    [8] = { ODL_NUMBER_U64, ODL_NUMBER_S64 },
  };

  if (npy->kind == 'b')
    return ODL_NUMBER_BOOL;
  if (npy->kind == 'f')
    return npy->bytes == 2   ? ODL_NUMBER_F16
           : npy->bytes == 4 ? ODL_NUMBER_F32
                             : ODL_NUMBER_F64;
  return whole[npy->bytes][npy->kind == 'i'];
}

void
odl_npy_copy (const OdlNpy *npy, const uint8_t *at, void *number)
{
  uint8_t *bytes = number;

  for (int i = 0; i < npy->bytes; i++)
    bytes[i] = at[npy->swapped ? npy->bytes - 1 - i : i];
}

double
odl_npy_number (const OdlNpy *npy, const uint8_t *at)
{
  uint8_t bytes[8];

  odl_npy_copy (npy, at, bytes);
  return odl_number_get (odl_npy_type (npy), bytes);
}

// NPY arrays as pictures: (height, width), with 3 or 4 numbers as a last axis in colour;
// with more axes before, as slices of a volume, and volumes over time.

// Numbers of a large array of floats that its range is measured by.
#define MEASURED (1 << 24)

typedef struct {
  OdlNpy npy;
  OdlPictureShape shape;
  uint64_t n_slices, n_times;
  uint64_t frame_numbers; // of one frame
  OdlNumberRange range;
} Array;

static OdlSampleType
sample_type (const OdlNpy *npy)
{
  if ((npy->kind == 'u' || npy->kind == 'b') && npy->bytes == 1)
    return ODL_SAMPLE_U8;
  if (npy->kind == 'u' && npy->bytes == 2)
    return ODL_SAMPLE_U16;
  return npy->kind == 'i' && npy->bytes <= 2 ? ODL_SAMPLE_S16 : ODL_SAMPLE_F32;
}

// The axes' places from the last one, which are: channels if there are, x, y, z, t.
static bool
find_shape (Array *array, GError **error)
{
  const OdlNpy *npy = &array->npy;
  const uint64_t last = npy->n_axes > 0 ? npy->sides[npy->n_axes - 1] : 0;
  const bool colours = npy->n_axes >= 3 && (last == 1 || last == 3 || last == 4);
  const int n_axes = npy->n_axes - (colours ? 1 : 0);
  uint64_t sides[4] = { 1, 1, 1, 1 };

  if (n_axes < 1 || n_axes > 4)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it is an array that is no picture: (height, width), with 3 or 4 colours "
           "behind, or slices and times before, is wanted"));
  for (int i = 0; i < n_axes; i++)
    sides[4 - n_axes + i] = npy->sides[i];
  for (int i = 0; i < 4; i++)
    if (sides[i] > UINT32_MAX)
      return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  array->shape = (OdlPictureShape){ (uint32_t) sides[3], (uint32_t) sides[2],
                                    colours ? (int) last : 1, sample_type (npy) };
  array->n_slices = sides[1];
  array->n_times = sides[0];
  return true;
}

// Whether the file holds all numbers, which bounds every size.
static bool
check_size (Array *array, const OdlDecoderInput *input, GError **error)
{
  const size_t factors[] = { array->shape.width,
                             array->shape.height,
                             (size_t) array->n_slices,
                             (size_t) array->n_times,
                             (size_t) array->shape.channels,
                             (size_t) array->npy.bytes };
  size_t bytes = 0;

  if (!odl_size_product (factors, G_N_ELEMENTS (factors), &bytes)
      || bytes > input->size - array->npy.offset
      || array->n_slices * array->n_times > G_MAXINT)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  if (bytes == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the array holds no numbers"));
  array->frame_numbers = (uint64_t) array->shape.width * array->shape.height
                         * (uint64_t) array->shape.channels;
  return true;
}

// Of floats, the range of all frames, or of numbers spread over many.
static void
find_range (Array *array, const OdlDecoderInput *input, const OdlPicture *picture)
{
  const uint64_t n = array->frame_numbers * array->n_slices * array->n_times;
  const uint64_t step = n / MEASURED + 1;

  odl_number_range_init (&array->range, picture);
  for (uint64_t i = 0; i < n; i += step) {
    const uint8_t *at = input->data + array->npy.offset + i * (uint64_t) array->npy.bytes;
    const float value = (float) odl_npy_number (&array->npy, at);
    odl_number_range_add (&array->range, &value, 1);
  }
}

static Array *
open_array (const OdlDecoderInput *input, const OdlPicture *picture, GError **error)
{
  g_autofree Array *array = g_new0 (Array, 1);

  if (!odl_npy_read (input->data, input->size, &array->npy, error)
      || !find_shape (array, error) || !check_size (array, input, error))
    return NULL;
  if (array->shape.type == ODL_SAMPLE_F32)
    find_range (array, input, picture);
  return g_steal_pointer (&array);
}

// How far it is in numbers from one to the next along channels, x, y and to the frame.
static void
find_steps (const Array *array, uint32_t frame, uint64_t steps[3], uint64_t *start)
{
  const uint64_t channels = (uint64_t) array->shape.channels;
  const uint64_t width = array->shape.width, height = array->shape.height;
  const uint64_t slice = frame % array->n_slices, time = frame / array->n_slices;

  if (!array->npy.by_columns) {
    steps[0] = 1;
    steps[1] = channels;
    steps[2] = width * channels;
    *start = frame * array->frame_numbers;
    return;
  }
  const uint64_t frames = array->n_slices * array->n_times;
  steps[2] = frames;
  steps[1] = frames * height;
  steps[0] = frames * height * width;
  *start = time + array->n_times * slice;
}

static void
take_numbers (const Array *array, const OdlDecoderInput *input, OdlPicture *picture)
{
  const uint32_t channels = (uint32_t) array->shape.channels;
  const uint8_t *data = input->data + array->npy.offset;
  const size_t bytes = (size_t) array->npy.bytes;
  char *number = odl_picture_set_number (picture, odl_npy_type (&array->npy), false);
  uint64_t steps[3], start;
  size_t to = 0;

  find_steps (array, input->frame, steps, &start);
  for (uint32_t y = 0; y < array->shape.height; y++)
    for (uint32_t x = 0; x < array->shape.width; x++)
      for (uint32_t c = 0; c < channels; c++) {
        const uint64_t at = start + c * steps[0] + x * steps[1] + y * steps[2];
        odl_picture_put (picture, to++, odl_npy_number (&array->npy, data + at * bytes));
        if (number == NULL)
          continue;
        odl_npy_copy (&array->npy, data + at * bytes, number);
        number += bytes;
      }
}

static bool
decode_frame (const Array *array,
              const OdlDecoderInput *input,
              OdlPicture *picture,
              GError **error)
{
  OdlDecoderReply *reply = &picture->reply;

  if (odl_picture_allocate (picture, &array->shape, 0, error) == NULL)
    return false;
  take_numbers (array, input, picture);
  if (array->shape.type == ODL_SAMPLE_F32)
    odl_picture_finish_numbers (picture, NULL, &array->range);
  else if (array->npy.kind == 'b')
    reply->stored_max = 1;
  else if (array->npy.kind == 'i' && array->npy.bytes == 1) {
    reply->stored_min = INT8_MIN;
    reply->stored_max = INT8_MAX;
  }
  reply->n_frames = reply->declared_frames
      = (uint32_t) (array->n_slices * array->n_times);
  reply->n_slices = array->n_slices > 1 ? (uint32_t) array->n_slices : 0;
  odl_picture_set_format (picture, "NPY");
  odl_picture_detail (picture, "type", "%c%d", array->npy.kind, array->npy.bytes);
  return true;
}

bool
odl_decode_npy (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Array *array = *input->kept;

  if (array == NULL) {
    array = open_array (input, picture, error);
    if (array == NULL)
      return false;
    *input->kept = array;
    *input->free_kept = g_free;
  }
  if (input->frame < array->n_slices * array->n_times)
    return decode_frame (array, input, picture, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("there is no frame %u; the file holds %u"), input->frame + 1,
                        (uint32_t) (array->n_slices * array->n_times));
}
