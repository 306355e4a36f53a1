// SPDX-License-Identifier: MIT
// NPY arrays as pictures: (height, width), with 3 or 4 numbers as a last axis in colour;
// with more axes before, as slices of a volume, and volumes over time.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "decoder/formats.h"
#include "decoder/npy/npy.h"

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
