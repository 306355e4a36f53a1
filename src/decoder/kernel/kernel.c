// SPDX-License-Identifier: MIT
// Kernels of convolutions: NumPy's NPY files without Python objects, and text with a row
// of numbers in each line. The picture, or the slices of a volume, or of several volumes
// in time, have their coefficients as samples; whether the sides suit a kernel is for the
// filter to say.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "decoder/formats.h"
#include "decoder/npy/npy.h"

#define MOST_SIDE 64
#define MOST_NUMBERS (MOST_SIDE * MOST_SIDE * MOST_SIDE)
#define MOST_AXES 4
#define MOST_WORD 63
#define BLANKS " \t\r,;"

typedef struct {
  float values[MOST_NUMBERS];
  int width, height, depth, duration;
  bool npy;
} Kernel;

static bool
too_large (GError **error)
{
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("it is no kernel of a convolution: it has too many numbers"));
}

static bool
put (Kernel *kernel, int at, double value, GError **error)
{
  if (!isfinite ((float) value))
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("this kernel has a coefficient that is no number, infinite or too large"));
  kernel->values[at] = (float) value;
  return true;
}

// ---- NPY ----

// (duration, depth, height, width), or so many of the last ones.
static bool
read_shape (const OdlNpy *npy, Kernel *kernel, GError **error)
{
  int sides[MOST_AXES] = { 1, 1, 1, 1 }, numbers = 1;

  if (npy->n_axes < 1 || npy->n_axes > MOST_AXES)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is no kernel: an array of one to four axes is wanted, "
                             "the last one of which is x"));
  for (int i = 0; i < npy->n_axes; i++) {
    if (npy->sides[i] - 1 >= MOST_SIDE)
      return too_large (error);
    sides[MOST_AXES - npy->n_axes + i] = (int) npy->sides[i];
    numbers *= (int) npy->sides[i];
  }
  if (numbers > MOST_NUMBERS)
    return too_large (error);
  kernel->duration = sides[0];
  kernel->depth = sides[1];
  kernel->height = sides[2];
  kernel->width = sides[3];
  return true;
}

static bool
read_npy (const OdlDecoderInput *input, Kernel *kernel, GError **error)
{
  OdlNpy npy;

  if (!odl_npy_read (input->data, input->size, &npy, error)
      || !read_shape (&npy, kernel, error))
    return false;
  const int height = kernel->height, depth = kernel->depth, duration = kernel->duration;
  const int area = kernel->width * height, n = area * depth * duration;
  if (input->size - npy.offset < (size_t) n * (size_t) npy.bytes)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  for (int k = 0; k < n; k++) {
    const int row = k / duration / depth;
    const int by_columns = k % duration * depth * area + k / duration % depth * area
                           + row % height * kernel->width + row / height;
    const uint8_t *at = input->data + npy.offset + (size_t) k * (size_t) npy.bytes;
    if (!put (kernel, npy.by_columns ? by_columns : k, odl_npy_number (&npy, at), error))
      return false;
  }
  return true;
}

// ---- Text ----

static bool
read_number (const char *at, size_t length, double *number)
{
  char word[MOST_WORD + 1] = "", *end = word;

  if (length <= MOST_WORD)
    memcpy (word, at, length);
  *number = g_ascii_strtod (word, &end);
  return end > word && *end == '\0';
}

// The numbers of one line, after those that were read.
static bool
read_line (const char *line, size_t length, Kernel *kernel, GError **error)
{
  const char *comment = memchr (line, '#', length);
  const char *end = comment != NULL ? comment : line + length;
  double numbers[MOST_SIDE];
  int n = 0;

  for (const char *at = line; at < end;) {
    size_t word = 0;
    while (at + word < end && at[word] != '\0' && strchr (BLANKS, at[word]) == NULL)
      word++;
    if (word == 0 && *at != '\0') {
      at++;
      continue;
    }
    if (n == MOST_SIDE)
      return too_large (error);
    if (!read_number (at, word, &numbers[n++]))
      return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                            _ ("it is no kernel: a NumPy file (NPY), a MetaImage, or "
                               "text with a row of numbers in each line is wanted"));
    at += word;
  }
  if (n == 0)
    return true;
  if (kernel->height == MOST_SIDE)
    return too_large (error);
  if (kernel->height > 0 && n != kernel->width)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("the lines of this kernel have different numbers of coefficients"));
  kernel->width = n;
  for (int x = 0; x < n; x++)
    if (!put (kernel, kernel->height * n + x, numbers[x], error))
      return false;
  kernel->height++;
  return true;
}

static bool
read_text (const OdlDecoderInput *input, Kernel *kernel, GError **error)
{
  const char *at = (const char *) input->data, *end = at + input->size;

  while (at < end) {
    const char *newline = memchr (at, '\n', (size_t) (end - at));
    const char *line_end = newline != NULL ? newline : end;
    if (!read_line (at, (size_t) (line_end - at), kernel, error))
      return false;
    at = line_end + 1;
  }
  return kernel->height > 0
         || odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                           _ ("it is no kernel: it has no numbers"));
}

static bool
read_kernel (const OdlDecoderInput *input, Kernel *kernel, GError **error)
{
  kernel->depth = kernel->duration = 1;
  return kernel->npy ? read_npy (input, kernel, error) : read_text (input, kernel, error);
}

bool
odl_decode_kernel (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Kernel *kernel = *input->kept;

  if (kernel == NULL) {
    kernel = g_new0 (Kernel, 1);
    *input->kept = kernel;
    *input->free_kept = g_free;
    kernel->npy = odl_npy_begins (input->data, input->size);
    if (!read_kernel (input, kernel, error))
      return false;
  }
  const uint32_t depth = (uint32_t) kernel->depth;
  const uint32_t slices = depth * (uint32_t) kernel->duration;
  const size_t area = (size_t) kernel->width * (size_t) kernel->height;
  const OdlPictureShape shape
      = { (uint32_t) kernel->width, (uint32_t) kernel->height, 1, ODL_SAMPLE_F32 };
  if (input->frame >= slices)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  float *samples = odl_picture_allocate (picture, &shape, 0, error);
  if (samples == NULL)
    return false;
  memcpy (samples, kernel->values + input->frame * area, area * sizeof *samples);
  OdlNumberRange range;
  odl_number_range_init (&range, picture);
  odl_number_range_add (&range, kernel->values, area * slices);
  odl_picture_finish_floats (picture, (double[]){ range.least[0], range.most[0] });
  picture->reply.n_frames = picture->reply.declared_frames = slices;
  picture->reply.n_slices = slices > 1 ? depth : 0;
  odl_picture_set_format (picture, kernel->npy ? "NPY" : _ ("text"));
  return true;
}
