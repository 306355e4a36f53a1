// SPDX-License-Identifier: MIT
// Kernels of convolutions: NumPy's NPY files without Python objects, and text with a row
// of numbers in each line. The picture, or the slices of a volume, have their
// coefficients as samples; whether the sides suit a kernel is for the filter to say.
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "decoder/formats.h"

#define MAGIC "\x93NUMPY"
#define MOST_SIDE 64
#define MOST_WORD 63
#define BLANKS " \t\r,;"

typedef struct {
  float values[MOST_SIDE * MOST_SIDE * MOST_SIDE];
  int width, height, depth;
  bool npy;
} Kernel;

static bool
refuse (GError **error, int code, const char *sentence)
{
  g_set_error_literal (error, ODL_ERROR, code, sentence);
  return false;
}

static bool
too_large (GError **error)
{
  return refuse (error, ODL_ERROR_TOO_LARGE,
                 _ ("it is no kernel of a convolution: it has too many numbers"));
}

static bool
put (Kernel *kernel, int at, double value, GError **error)
{
  if (!isfinite ((float) value))
    return refuse (error, ODL_ERROR_CORRUPT,
                   _ ("this kernel has a coefficient that is no number, infinite or too "
                      "large"));
  kernel->values[at] = (float) value;
  return true;
}

// ---- NPY ----

typedef struct {
  char kind; // 'f', 'i' or 'u'
  int bytes;
  bool swapped;
  bool by_columns;
} Layout;

// What follows the key in the text of a dictionary; NULL: it has no such key.
static const char *
value_of (const char *header, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("'%s':", key);
  const char *found = strstr (header, quoted);

  return found != NULL ? found + strlen (quoted) + strspn (found + strlen (quoted), " ")
                       : NULL;
}

static bool
read_layout (const char *header, Layout *layout, GError **error)
{
  const char *descr = value_of (header, "descr");
  const char *order = value_of (header, "fortran_order");
  const bool big = G_BYTE_ORDER == G_BIG_ENDIAN;

  if (descr != NULL
      && (g_str_has_prefix (descr, "'|O") || g_str_has_prefix (descr, "'O")))
    return refuse (error, ODL_ERROR_UNSUPPORTED,
                   _ ("it holds Python objects (a pickle), which could run programs and "
                      "are never read. Save the kernel as an array of numbers."));
  if (descr != NULL && strlen (descr) >= 5 && strchr ("<>=|", descr[1]) != NULL
      && strchr ("fiu", descr[2]) != NULL && strchr ("1248", descr[3]) != NULL
      && descr[4] == '\'' && !(descr[2] == 'f' && descr[3] < '4') && order != NULL) {
    layout->kind = descr[2];
    layout->bytes = descr[3] - '0';
    layout->swapped = (descr[1] == '>' && !big) || (descr[1] == '<' && big);
    layout->by_columns = g_str_has_prefix (order, "True");
    return true;
  }
  return refuse (error, ODL_ERROR_UNSUPPORTED,
                 _ ("its NPY header names no numbers that are read here: whole ones, or "
                    "floats of 4 or 8 bytes"));
}

// (depth, height, width), (height, width) or (width,).
static bool
read_shape (const char *header, Kernel *kernel, GError **error)
{
  const char *at = value_of (header, "shape");
  guint64 sides[3] = { 1, 1, 1 };
  int n = 0;

  for (at = at != NULL && *at == '(' ? at + 1 : ""; g_ascii_isdigit (*at) && n < 4; n++) {
    char *end;
    const guint64 side = g_ascii_strtoull (at, &end, 10);
    sides[0] = sides[1];
    sides[1] = sides[2];
    sides[2] = side;
    at = end + strspn (end, " ,");
  }
  if (*at != ')' || n < 1 || n > 3)
    return refuse (error, ODL_ERROR_UNSUPPORTED,
                   _ ("it is no kernel: an array of one, two or three axes is wanted, "
                      "the last one of which is x"));
  for (int i = 0; i < 3; i++)
    if (sides[i] - 1 >= MOST_SIDE)
      return too_large (error);
  kernel->depth = (int) sides[0];
  kernel->height = (int) sides[1];
  kernel->width = (int) sides[2];
  return true;
}

static double
number_at (const uint8_t *data, const Layout *layout)
{
  uint8_t bytes[8] = { 0 };
  union {
    uint8_t bytes[8];
    float f4;
    double f8;
    int8_t i1;
    int16_t i2;
    int32_t i4;
    int64_t i8;
    uint16_t u2;
    uint32_t u4;
    uint64_t u8;
  } all;

  for (int i = 0; i < layout->bytes; i++)
    bytes[i] = data[layout->swapped ? layout->bytes - 1 - i : i];
  memcpy (all.bytes, bytes, sizeof bytes);
  if (layout->kind == 'f')
    return layout->bytes == 4 ? all.f4 : all.f8;
  if (layout->kind == 'i')
    return layout->bytes == 1   ? all.i1
           : layout->bytes == 2 ? all.i2
           : layout->bytes == 4 ? all.i4
                                : (double) all.i8;
  return layout->bytes == 1   ? bytes[0]
         : layout->bytes == 2 ? all.u2
         : layout->bytes == 4 ? all.u4
                              : (double) all.u8;
}

static bool
read_npy (const OdlDecoderInput *input, Kernel *kernel, GError **error)
{
  const uint8_t *data = input->data;
  const size_t head = input->size > 7 && data[6] >= 2 ? 12 : 10;
  Layout layout;

  if (input->size < head)
    return refuse (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  const size_t length = data[8] + 256u * data[9]
                        + (head == 12 ? 65536u * data[10] + 16777216u * data[11] : 0);
  if (length > input->size - head)
    return refuse (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  g_autofree char *header = g_strndup ((const char *) data + head, length);
  if (!read_layout (header, &layout, error) || !read_shape (header, kernel, error))
    return false;
  const int height = kernel->height, depth = kernel->depth;
  const int area = kernel->width * height, n = area * depth;
  if (input->size - head - length < (size_t) n * layout.bytes)
    return refuse (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  for (int k = 0; k < n; k++) {
    const int by_columns
        = k % depth * area + k / depth % height * kernel->width + k / depth / height;
    const uint8_t *at = data + head + length + (size_t) k * layout.bytes;
    if (!put (kernel, layout.by_columns ? by_columns : k, number_at (at, &layout), error))
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
      return refuse (error, ODL_ERROR_UNSUPPORTED,
                     _ ("it is no kernel: a NumPy file (NPY), a MetaImage, or text with "
                        "a row of numbers in each line is wanted"));
    at += word;
  }
  if (n == 0)
    return true;
  if (kernel->height == MOST_SIDE)
    return too_large (error);
  if (kernel->height > 0 && n != kernel->width)
    return refuse (error, ODL_ERROR_CORRUPT,
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
         || refuse (error, ODL_ERROR_UNSUPPORTED,
                    _ ("it is no kernel: it has no numbers"));
}

static bool
read_kernel (const OdlDecoderInput *input, Kernel *kernel, GError **error)
{
  kernel->depth = 1;
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
    kernel->npy = input->size >= strlen (MAGIC)
                  && memcmp (input->data, MAGIC, strlen (MAGIC)) == 0;
    if (!read_kernel (input, kernel, error))
      return false;
  }
  const uint32_t depth = (uint32_t) kernel->depth;
  const size_t area = (size_t) kernel->width * (size_t) kernel->height;
  const OdlPictureShape shape
      = { (uint32_t) kernel->width, (uint32_t) kernel->height, 1, ODL_SAMPLE_F32 };
  if (input->frame >= depth)
    return refuse (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  float *samples = odl_picture_allocate (picture, &shape, 0, error);
  if (samples == NULL)
    return false;
  memcpy (samples, kernel->values + input->frame * area, area * sizeof *samples);
  double range[2] = { INFINITY, -INFINITY };
  odl_picture_extend_range (range, kernel->values, area * depth);
  odl_picture_finish_floats (picture, range);
  picture->reply.n_frames = picture->reply.declared_frames = depth;
  picture->reply.n_slices = depth > 1 ? depth : 0;
  odl_picture_set_format (picture, kernel->npy ? "NPY" : _ ("text"));
  return true;
}
