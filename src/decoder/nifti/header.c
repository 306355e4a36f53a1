// SPDX-License-Identifier: MIT
#include "decoder/nifti/header.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "decoder/nifti/place.h"
#include "decoder/protocol.h"

#define HUGE_VALUE 1e30
// Codes of CIFTI matrices, which have no place in space.
#define FIRST_MATRIX 3000
#define LAST_MATRIX 3099
// Codes of what the fifth axis holds.
#define DISPLACEMENT 1006
#define VECTOR 1007
#define RGB_VECTOR 2003
#define RGBA_VECTOR 2004
#define COMPONENTS_AXIS 4

static const OdlNiftiType types[] = {
  { 2, "UINT8", ODL_META_U8, 1, 1 },      { 4, "INT16", ODL_META_S16, 1, 2 },
  { 8, "INT32", ODL_META_S32, 1, 4 },     { 16, "FLOAT32", ODL_META_F32, 1, 4 },
  { 64, "FLOAT64", ODL_META_F64, 1, 8 },  { 128, "RGB24", ODL_META_U8, 3, 3 },
  { 256, "INT8", ODL_META_S8, 1, 1 },     { 512, "UINT16", ODL_META_U16, 1, 2 },
  { 768, "UINT32", ODL_META_U32, 1, 4 },  { 1024, "INT64", ODL_META_S64, 1, 8 },
  { 1280, "UINT64", ODL_META_U64, 1, 8 }, { 2304, "RGBA32", ODL_META_U8, 4, 4 },
};

enum {
  DIM,
  INTENT,
  DATATYPE,
  BITPIX,
  PIXDIM,
  VOX_OFFSET,
  SLOPE,
  INTER,
  UNITS,
  CAL_MAX,
  CAL_MIN,
  QFORM_CODE,
  SFORM_CODE,
  QUATERN,
  QOFFSET,
  SROW,
  N_FIELDS,
};

typedef enum { U8, S16, S32, S64, F32, F64 } Kind;

static const size_t kind_sizes[]
    = { [U8] = 1, [S16] = 2, [S32] = 4, [S64] = 8, [F32] = 4, [F64] = 8 };

// Place and kind of each field, by version.
static const struct {
  uint16_t at;
  Kind kind;
} fields[2][N_FIELDS] = {
  {
      [DIM] = { 40, S16 },
      [INTENT] = { 68, S16 },
      [DATATYPE] = { 70, S16 },
      [BITPIX] = { 72, S16 },
      [PIXDIM] = { 76, F32 },
      [VOX_OFFSET] = { 108, F32 },
      [SLOPE] = { 112, F32 },
      [INTER] = { 116, F32 },
      [UNITS] = { 123, U8 },
      [CAL_MAX] = { 124, F32 },
      [CAL_MIN] = { 128, F32 },
      [QFORM_CODE] = { 252, S16 },
      [SFORM_CODE] = { 254, S16 },
      [QUATERN] = { 256, F32 },
      [QOFFSET] = { 268, F32 },
      [SROW] = { 280, F32 },
  },
  {
      [DIM] = { 16, S64 },
      [INTENT] = { 504, S32 },
      [DATATYPE] = { 12, S16 },
      [BITPIX] = { 14, S16 },
      [PIXDIM] = { 104, F64 },
      [VOX_OFFSET] = { 168, S64 },
      [SLOPE] = { 176, F64 },
      [INTER] = { 184, F64 },
      [UNITS] = { 500, S32 },
      [CAL_MAX] = { 192, F64 },
      [CAL_MIN] = { 200, F64 },
      [QFORM_CODE] = { 344, S32 },
      [SFORM_CODE] = { 348, S32 },
      [QUATERN] = { 352, F64 },
      [QOFFSET] = { 376, F64 },
      [SROW] = { 400, F64 },
  },
};

typedef struct {
  OdlNiftiHeader *header;
  const uint8_t *data;
} Reading;

static uint32_t
first_word (const uint8_t *data, bool big_endian)
{
  uint32_t word;

  memcpy (&word, data, sizeof word);
  return big_endian ? GUINT32_FROM_BE (word) : GUINT32_FROM_LE (word);
}

// Its products of sizes can be calculated, and its frames counted.
static bool
check_size (const OdlNiftiHeader *header, GError **error)
{
  const double voxels = (double) header->place.extent[0] * header->place.extent[1]
                        * header->place.extent[2] * header->n_volumes * header->n_colours;

  if (voxels * (double) header->type->size > (double) (G_MAXINT64 / 4))
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its header declares a picture that is too large"));
  if ((double) header->place.extent[header->place.axis[2]] * header->n_volumes
      > ODL_DECODER_MAX_FRAMES)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its header declares more frames than can be shown"));
  return true;
}

// Finds version and byte order by the size that a header starts with.
static bool
find_version (const uint8_t *data, size_t size, int *version, bool *big_endian)
{
  for (int i = 0; i < 4 && size >= 4; i++) {
    *version = i / 2 + 1;
    *big_endian = i % 2 == 1;
    if (first_word (data, *big_endian) == (*version == 1 ? 348 : 540))
      return true;
  }
  return false;
}

// The number `index` of a field.
static double
number (const Reading *reading, int field, int index)
{
  const Kind kind = fields[reading->header->version - 1][field].kind;
  const size_t size = kind_sizes[kind];
  const uint8_t *at = reading->data + fields[reading->header->version - 1][field].at
                      + (size_t) index * size;
  uint64_t bits = 0;

  for (size_t i = 0; i < size; i++)
    bits |= (uint64_t) at[reading->header->big_endian ? size - 1 - i : i] << 8 * i;
  const uint32_t low = (uint32_t) bits;
  float f32;
  double f64;
  memcpy (&f32, &low, sizeof f32);
  memcpy (&f64, &bits, sizeof f64);
  switch (kind) {
  case U8:
    return (double) bits;
  case S16:
    return (int16_t) bits;
  case S32:
    return (int32_t) bits;
  case S64:
    return (double) (int64_t) bits;
  case F32:
    return f32;
  case F64:
    return f64;
  }
  return NAN;
}

static bool
check_magic (Reading *reading, size_t size, GError **error)
{
  static const char *const magics[2][2]
      = { { "n+1", "ni1" }, { "n+2\0\r\n\032\n", "ni2\0\r\n\032\n" } };
  OdlNiftiHeader *header = reading->header;

  if (!find_version (reading->data, size, &header->version, &header->big_endian))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it does not start with a NIfTI header"));
  const bool is_2 = header->version == 2;
  if (size < (is_2 ? 540 : 348))
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its header ends too early"));
  const char *magic = (const char *) reading->data + (is_2 ? 4 : 344);
  header->is_pair = memcmp (magic, magics[is_2][1], is_2 ? 8 : 4) == 0;
  if (header->is_pair || memcmp (magic, magics[is_2][0], is_2 ? 8 : 4) == 0)
    return true;
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("it looks like an ANALYZE file, which does not say where left and right are, or "
         "like a damaged NIfTI file; convert it to NIfTI"));
}

static bool
read_extent (Reading *reading, GError **error)
{
  OdlNiftiHeader *header = reading->header;
  const double n = number (reading, DIM, 0);
  double volumes = 1;

  if (!(n >= 1 && n <= 7))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header does not say how many axes it has (dim)"));
  for (int axis = 0; axis < 7; axis++) {
    // As the library of the format has it: what is no number of voxels counts one.
    const double said = axis < (int) n ? number (reading, DIM, axis + 1) : 1;
    const double extent = axis > 0 ? MAX (said, 1) : said;
    if (extent < 1)
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("its header says that its axis %d has %.0f voxels"),
                            axis + 1, extent);
    if (extent > G_MAXINT32)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("its header declares a picture that is too large"));
    if (axis < 3)
      header->place.extent[axis] = (uint32_t) extent;
    else
      volumes *= extent;
    if (axis == COMPONENTS_AXIS)
      header->n_components = (uint32_t) extent;
  }
  if (volumes > ODL_DECODER_MAX_FRAMES)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its header declares more frames than can be shown"));
  header->n_volumes = (uint32_t) volumes;
  return true;
}

static bool
read_type (Reading *reading, GError **error)
{
  OdlNiftiHeader *header = reading->header;
  const int code = (int) number (reading, DATATYPE, 0);
  const double intent = number (reading, INTENT, 0);

  if (intent >= FIRST_MATRIX && intent <= LAST_MATRIX)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it holds a CIFTI matrix, which is no picture"));
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].code == code)
      header->type = &types[i];
  if (header->type == NULL)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its samples are of the type %d (datatype), which is not supported"), code);
  if (number (reading, BITPIX, 0) != 8.0 * (double) header->type->size)
    header->ignored[header->n_ignored++] = "bitpix";
  return true;
}

static bool
read_offset (Reading *reading, GError **error)
{
  OdlNiftiHeader *header = reading->header;
  const double least = header->is_pair ? 0 : header->version == 1 ? 348 : 540;
  double offset = number (reading, VOX_OFFSET, 0);

  // Some programs leave it out.
  if (offset == 0 && !header->is_pair)
    offset = least + 4;
  if (!(offset >= least && offset < (double) G_MAXINT64 / 2))
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header says that the samples lie before its end (vox_offset)"));
  header->offset = (uint64_t) offset;
  return true;
}

static void
read_values (Reading *reading)
{
  OdlNiftiHeader *header = reading->header;
  const double slope = number (reading, SLOPE, 0), inter = number (reading, INTER, 0);
  const double dark = number (reading, CAL_MIN, 0), light = number (reading, CAL_MAX, 0);

  header->slope = 1;
  if (header->type->channels > 1)
    return;
  if (fabs (slope) >= 1 / HUGE_VALUE && fabs (slope) <= HUGE_VALUE) {
    const bool sane = fabs (inter) <= HUGE_VALUE;
    header->slope = slope;
    header->intercept = sane ? inter : 0;
    if (!sane)
      header->ignored[header->n_ignored++] = "scl_inter";
  } else if (slope != 0) { // which says that there is none
    header->ignored[header->n_ignored++] = "scl_slope";
  }
  if (dark < light && fabs (dark) < HUGE_VALUE && fabs (light) < HUGE_VALUE) {
    header->window[0] = dark;
    header->window[1] = light;
  }
}

// The fifth axis holds components, not times (nifti1.h, dim[5]). Three numbers of a
// vector are shown as colours, four as these with opacity if they are said to be; others
// are volumes of their own, between which no time passes.
static void
read_components (Reading *reading)
{
  OdlNiftiHeader *header = reading->header;
  const double intent = number (reading, INTENT, 0);
  const uint32_t n = header->n_components;
  const bool is_plain
      = header->slope == 1 && header->intercept == 0 && header->type->channels == 1;
  const bool is_vector
      = intent == DISPLACEMENT || intent == VECTOR || intent == RGB_VECTOR;
  const bool is_rgba = intent == RGBA_VECTOR && header->type->sample == ODL_META_U8;

  header->n_colours = 1;
  if (is_plain && ((n == 3 && is_vector) || (n == 4 && is_rgba))) {
    header->n_colours = n;
    header->n_volumes /= n;
  } else if (header->n_volumes > (uint32_t) MAX (number (reading, DIM, 4), 1)) {
    header->interval_s = 0;
  }
}

static void
read_units (Reading *reading, OdlNiftiForms *forms)
{
  const int units = (int) number (reading, UNITS, 0);
  const double step = number (reading, PIXDIM, 4);
  const double mm[8] = { [1] = 1000, [2] = 1, [3] = 0.001 };
  const double s[8] = { [1] = 1, [2] = 1e-3, [3] = 1e-6 };

  forms->mm = mm[units & 7];
  const double interval = step * s[units >> 3 & 7];
  if (interval > 1e-6 && interval < 1e6)
    reading->header->interval_s = interval;
}

static void
read_forms (Reading *reading)
{
  OdlNiftiForms forms = {
    .qform_code = (int) number (reading, QFORM_CODE, 0),
    .sform_code = (int) number (reading, SFORM_CODE, 0),
  };

  read_units (reading, &forms);
  for (int i = 0; i < 4; i++)
    forms.pixdim[i] = number (reading, PIXDIM, i);
  for (int i = 0; i < 3; i++) {
    forms.quaternion[i] = number (reading, QUATERN, i);
    forms.qoffset[i] = number (reading, QOFFSET, i);
    for (int axis = 0; axis < 4; axis++)
      forms.srow[i][axis] = number (reading, SROW, 4 * i + axis);
  }
  odl_nifti_place (reading->header, &forms);
}

bool
odl_nifti_header_read (OdlNiftiHeader *header,
                       const uint8_t *data,
                       size_t size,
                       GError **error)
{
  Reading reading = { header, data };

  *header = (OdlNiftiHeader){ 0 };
  if (!check_magic (&reading, size, error) || !read_extent (&reading, error)
      || !read_type (&reading, error) || !read_offset (&reading, error))
    return false;
  read_values (&reading);
  read_forms (&reading);
  read_components (&reading);
  return check_size (header, error);
}
