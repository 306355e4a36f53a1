// SPDX-License-Identifier: MIT
// NIfTI-1 and NIfTI-2: grey and colour samples in one or two files, packed by gzip or
// not. Volumes are turned so that slices lie across the body, the lowest first, with
// rows to the left and columns to the back; all axes beyond the third are volumes, one
// after the other.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/formats.h"
#include "decoder/metaimage/convert.h"
#include "decoder/metaimage/header.h"
#include "decoder/nifti/gunzip.h"
#include "decoder/place.h"
#include "decoder/protocol.h"

// Enough for both versions.
#define ODL_NIFTI_HEADER_BYTES 540

typedef struct {
  int code;
  const char *name; // such as "INT16"
  OdlMetaSample sample;
  uint32_t channels; // 1, 3, 4
  size_t size; // bytes of a voxel
} OdlNiftiType;

typedef struct {
  int version; // 1, 2
  bool big_endian;
  bool is_pair; // the samples are in another file
  const OdlNiftiType *type;
  uint32_t n_volumes; // product of all axes beyond the third, but components if these
                      // are colours
  uint32_t n_components; // along the fifth axis, of vectors and the like
  uint32_t n_colours; // of these, shown as such; else 1
  uint64_t offset; // of the samples in their file
  double slope, intercept;
  double window[2]; // values to be shown black and white; equal: none
  double interval_s; // between volumes; 0: unknown
  OdlPlace place;
  bool is_placed; // false: `place` is a guess
  bool forms_differ; // sform and qform place it differently
  bool was_negative; // a spacing, of which the amount is taken
  double spacing_mm[3]; // of stored axes; 0: unknown
  const char *ignored[5]; // names of invalid fields
  int n_ignored;
} OdlNiftiHeader;

// Where the voxels of a NIfTI file lie in the body.

// The fields of a header that tell it.
typedef struct {
  int qform_code, sform_code;
  double quaternion[3]; // b, c, d
  double qoffset[3];
  double srow[3][4];
  double pixdim[4]; // the first: sign of the third axis in qform
  double mm; // of a unit; 0: unknown
} OdlNiftiForms;

#define MM_MAX 1e6

static void
ignore (OdlNiftiHeader *header, const char *name)
{
  if (header->n_ignored < (int) G_N_ELEMENTS (header->ignored))
    header->ignored[header->n_ignored++] = name;
}

static bool
from_sform (const OdlNiftiForms *forms, double m[3][4])
{
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 4; axis++)
      m[row][axis] = forms->srow[row][axis] * (forms->mm > 0 ? forms->mm : 1);
  return odl_place_is_sane (m);
}

// The rotation of a unit quaternion, whose first number follows from the others.
static bool
from_qform (const OdlNiftiForms *forms, const double spacing[3], double m[3][4])
{
  const double b = forms->quaternion[0], c = forms->quaternion[1],
               d = forms->quaternion[2];
  const double rest = 1 - (b * b + c * c + d * d);
  const double a = sqrt (fmax (rest, 0));
  const double rotation[3][3] = {
    { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c) },
    { 2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b) },
    { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c },
  };

  for (int row = 0; row < 3; row++) {
    for (int axis = 0; axis < 3; axis++)
      m[row][axis] = rotation[row][axis] * spacing[axis];
    if (forms->pixdim[0] < 0)
      m[row][2] = -m[row][2];
    m[row][3] = forms->qoffset[row] * (forms->mm > 0 ? forms->mm : 1);
  }
  return rest > -1e-4 && odl_place_is_sane (m);
}

// Files without either form are taken as ANALYZE files were meant: x leads to the left.
static void
guess (const double spacing[3], double m[3][4])
{
  memset (m, 0, 12 * sizeof (double));
  m[0][0] = -spacing[0];
  m[1][1] = spacing[1];
  m[2][2] = spacing[2];
}

// Fills place, whose extent is known, is_placed, forms_differ and spacing_mm of `header`;
// adds to `ignored`.
static void
odl_nifti_place (OdlNiftiHeader *header, const OdlNiftiForms *forms)
{
  double spacing[3], q[3][4], s[3][4];
  bool known = true;

  // The amount of a negative one counts, as for nibabel.
  for (int axis = 0; axis < 3; axis++) {
    const double given = fabs (forms->pixdim[axis + 1]) * (forms->mm > 0 ? forms->mm : 1);
    const bool good = given >= 1 / MM_MAX && given <= MM_MAX;
    header->was_negative |= forms->pixdim[axis + 1] < 0;
    // The third of a single slice is often 0.
    if (!good && (axis < 2 || header->place.extent[axis] > 1))
      known = false;
    spacing[axis] = good ? given : 1;
  }
  const bool has_s = forms->sform_code > 0 && from_sform (forms, s);
  const bool has_q = forms->qform_code > 0 && from_qform (forms, spacing, q);
  if (!known && !has_s)
    ignore (header, "pixdim");
  if (forms->sform_code > 0 && !has_s)
    ignore (header, "sform");
  if (forms->qform_code > 0 && !has_q)
    ignore (header, "qform");
  header->is_placed = has_s || has_q;
  header->forms_differ
      = has_s && has_q && known && odl_place_differs (s, q, header->place.extent);
  guess (spacing, header->place.lps);
  if (header->is_placed)
    memcpy (header->place.lps, has_s ? s : q, sizeof header->place.lps);
  for (int axis = 0; axis < 4; axis++) {
    header->place.lps[0][axis] = -header->place.lps[0][axis];
    header->place.lps[1][axis] = -header->place.lps[1][axis];
  }
  for (int axis = 0; axis < 3; axis++)
    header->spacing_mm[axis]
        = known || has_s ? odl_place_step (header->place.lps, axis) : 0;
  odl_place_turn (&header->place);
}

// The header of NIfTI-1 and NIfTI-2 files (nifti1.h, nifti2.h of the NIfTI working
// group). Untrusted.

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

// Messages complete "Cannot open FILE: …". ODL_ERROR_CORRUPT, _UNSUPPORTED, _TOO_LARGE.
static bool
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

#define MEASURED_VOXELS 65536u
#define MEASURED_PLACES 256u

// State kept between frames.
typedef struct {
  OdlNiftiHeader header;
  const uint8_t *samples;
  uint64_t n_there; // voxels, with all of their colours
  uint64_t n_numbers; // voxels of the file, which has one colour after the other
  OdlGunzip *gunzip; // NULL: not packed
  void *mapped; // file of the samples, if it is not the input
  size_t mapped_size;
  bool damaged; // the packed file
  bool has_range; // see odl_picture_wants_range
  OdlNumberRange range;
} Image;

static void
image_free (void *data)
{
  Image *image = data;

  odl_gunzip_free (image->gunzip);
  if (image->mapped != NULL)
    munmap (image->mapped, image->mapped_size);
  g_free (image);
}

// ---- Opening ----

// A file, and what is unpacked of it.
typedef struct {
  const uint8_t *data;
  size_t size;
  size_t limit; // of what is unpacked
} Bytes;

// Unpacks `wanted` bytes if the file is packed; `bytes` then refers to these.
static bool
unpack (Image *image, Bytes *bytes, uint64_t wanted, GError **error)
{
  if (image->gunzip == NULL && odl_gunzip_begins (bytes->data, bytes->size)) {
    image->gunzip = odl_gunzip_new (bytes->data, bytes->size);
    if (image->gunzip == NULL)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("decoding it needs more memory than it may take"));
  }
  if (image->gunzip == NULL)
    return true;
  if (!odl_gunzip_fill (image->gunzip, wanted, bytes->limit, error))
    return false;
  bytes->data = odl_gunzip_data (image->gunzip, &bytes->size);
  return true;
}

// Replaces `bytes`, the header, by the file of the samples.
static bool
take_samples_file (Image *image, Bytes *bytes, GError **error)
{
  const bool packed = image->gunzip != NULL;
  uint64_t size = 0;
  const int fd = odl_decoder_ask_file (packed ? "*.img.gz" : "*.img", &size, error);

  if (fd < 0)
    return false;
  g_clear_pointer (&image->gunzip, odl_gunzip_free);
  void *mapped = mmap (NULL, (size_t) size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  if (mapped == MAP_FAILED)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("decoding it needs more memory than it may take"));
  image->mapped = mapped;
  image->mapped_size = bytes->size = (size_t) size;
  bytes->data = mapped;
  return true;
}

static uint64_t
voxels_of_volume (const OdlNiftiHeader *header)
{
  return (uint64_t) header->place.extent[0] * header->place.extent[1]
         * header->place.extent[2];
}

static bool
open_image (Image *image, const OdlDecoderInput *input, GError **error)
{
  OdlNiftiHeader *header = &image->header;
  Bytes bytes = { input->data, input->size, input->memory - input->memory / 4 };

  if (!unpack (image, &bytes, ODL_NIFTI_HEADER_BYTES, error)
      || !odl_nifti_header_read (header, bytes.data, bytes.size, error)
      || (header->is_pair && !take_samples_file (image, &bytes, error)))
    return false;
  const uint64_t each = voxels_of_volume (header) * header->n_volumes;
  const uint64_t n = each * header->n_colours;
  if (!unpack (image, &bytes, header->offset + n * header->type->size, error))
    return false;
  if (bytes.size < header->offset || bytes.size - header->offset < header->type->size)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it contains no image: its samples are missing"));
  image->samples = bytes.data + header->offset;
  image->n_numbers = MIN (n, (bytes.size - header->offset) / header->type->size);
  image->n_there = image->n_numbers - MIN (image->n_numbers, n - each);
  image->damaged = image->gunzip != NULL && odl_gunzip_is_damaged (image->gunzip);
  return true;
}

// ---- Describing ----

// Number of frames of which something is there.
static uint32_t
count_frames (const Image *image)
{
  const OdlNiftiHeader *header = &image->header;
  const uint64_t volume = voxels_of_volume (header);
  const uint32_t slices = header->place.extent[header->place.axis[2]];
  const uint64_t volumes = MAX ((image->n_there + volume - 1) / volume, 1);

  // A single one ends with a slice where slices are stored in the order shown.
  if (volumes > 1 || header->place.axis[2] != 2 || header->place.mirrored[2])
    return (uint32_t) volumes * slices;
  const uint64_t slice = volume / slices;
  return (uint32_t) ((image->n_there + slice - 1) / slice);
}

static void
describe_spacing (const OdlNiftiHeader *header, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  for (int shown = 0; shown < 3; shown++)
    reply->spacing_mm[shown] = header->spacing_mm[header->place.axis[shown]];
  if (reply->n_slices == 0)
    reply->spacing_mm[2] = 0;
  if (reply->spacing_mm[1] > 0)
    reply->pixel_aspect
        = CLAMP (reply->spacing_mm[0] / reply->spacing_mm[1], 0.001, 1000);
}

static void
describe (const Image *image, OdlPicture *picture)
{
  const OdlNiftiHeader *header = &image->header;
  OdlDecoderReply *reply = &picture->reply;
  const uint32_t slices = header->place.extent[header->place.axis[2]];

  odl_picture_set_format (picture, "NIfTI-%d, %s%s", header->version, header->type->name,
                          image->gunzip != NULL ? ", gzip" : "");
  odl_picture_detail (picture, "byte-order", "%s", header->big_endian ? "big" : "little");
  odl_picture_detail (picture, "dimensions", "%u %u %u %u", header->place.extent[0],
                      header->place.extent[1], header->place.extent[2],
                      header->n_volumes);
  if (header->n_components > 1)
    odl_picture_detail (picture, "components", "%u", header->n_components);
  if (header->n_components > header->n_colours)
    odl_picture_warn (picture,
                      _ ("each place has %u numbers (dim[5]): they are shown one "
                         "after the other"),
                      header->n_components);
  reply->declared_frames = slices * header->n_volumes;
  reply->n_frames = count_frames (image);
  reply->n_slices = MIN (slices, reply->n_frames) > 1 ? MIN (slices, reply->n_frames) : 0;
  describe_spacing (header, picture);
  if (header->is_placed)
    odl_place_describe (&header->place, picture);
  else
    odl_picture_warn (picture, _ ("its header does not say how it lies in the body "
                                  "(sform, qform): left and right may be exchanged"));
  if (header->n_volumes > 1 && header->interval_s > 0) {
    odl_picture_detail (picture, "volume-interval-s", "%.9g", header->interval_s);
    if (slices == 1) {
      reply->frame_rate = CLAMP (1 / header->interval_s, 0.01, 10000);
      picture->timing = g_strdup ("pixdim");
    }
  }
  if (header->forms_differ)
    odl_picture_warn (
        picture, _ ("its sform and its qform place it differently; its sform is taken"));
  if (header->was_negative)
    odl_picture_warn (picture, _ ("its %s is negative; the amount is taken"), "pixdim");
  for (int i = 0; i < header->n_ignored; i++)
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"),
                      header->ignored[i]);
  if (reply->n_frames < reply->declared_frames)
    odl_picture_warn_first (picture, _ ("the file declares %u frames but holds %u"),
                            reply->declared_frames, reply->n_frames);
  else if (image->n_there < voxels_of_volume (header) * header->n_volumes)
    odl_picture_warn_first (picture, _ ("its last samples are missing"));
}

static void
describe_values (const OdlNiftiHeader *header, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  odl_meta_limit_range (header->type->sample, picture);
  reply->slope = header->slope;
  reply->intercept = header->intercept;
  reply->has_window = header->window[0] < header->window[1];
  reply->window_centre = 0.5 * (header->window[0] + header->window[1]);
  reply->window_width = header->window[1] - header->window[0];
}

// ---- Samples ----

// Copies the voxels of one shown row, of which `missing` tells those that are not there.
// Returns the number of the others.
static size_t
gather_row (const Image *image, int64_t at, int64_t step, uint8_t *row, uint8_t *missing)
{
  const OdlNiftiHeader *header = &image->header;
  const size_t size = header->type->size;
  const uint32_t width = header->place.extent[header->place.axis[0]];
  const uint64_t colour = voxels_of_volume (header) * header->n_volumes;
  size_t n = 0;

  for (uint32_t x = 0; x < width; x++, at += step) {
    missing[x] = (uint64_t) at >= image->n_there;
    if (missing[x] != 0)
      continue;
    for (uint32_t c = 0; c < header->n_colours; c++)
      memcpy (row + (x * header->n_colours + c) * size,
              image->samples + ((uint64_t) at + c * colour) * size, size);
    n++;
  }
  return n;
}

// Fills the picture; returns the number of voxels that are there.
static size_t
gather (const Image *image, uint32_t frame, OdlPicture *picture)
{
  const OdlNiftiHeader *header = &image->header;
  const uint32_t width = picture->reply.width, height = picture->reply.height;
  const uint32_t channels = picture->reply.channels;
  const uint32_t slices = header->place.extent[header->place.axis[2]];
  g_autofree uint8_t *row
      = g_malloc0 ((size_t) width * header->type->size * header->n_colours);
  g_autofree uint8_t *missing = g_malloc ((size_t) width * height);
  int64_t step[3];
  const int64_t start = odl_place_origin (&header->place, step)
                        + (int64_t) (frame / slices * voxels_of_volume (header))
                        + frame % slices * step[2];
  size_t n = 0;

  for (uint32_t y = 0; y < height; y++) {
    n += gather_row (image, start + y * step[1], step[0], row,
                     missing + (size_t) y * width);
    odl_meta_put (header->type->sample, header->big_endian, row, width * channels,
                  (size_t) y * width * channels, picture);
  }
  if (n < (size_t) width * height && channels == 1)
    odl_picture_fill_places (picture, missing);
  return n;
}

// The range of all values, or of many places in a large file.
static void
find_range (Image *image, const OdlPicture *picture)
{
  const OdlNiftiHeader *header = &image->header;
  const uint64_t n_parts = (image->n_numbers + MEASURED_VOXELS - 1) / MEASURED_VOXELS;
  const uint64_t n = MIN (n_parts, MEASURED_PLACES);
  g_autofree float *values = g_new (float, MEASURED_VOXELS);

  image->has_range = true;
  odl_number_range_init (&image->range, picture);
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t at = i * n_parts / n * MEASURED_VOXELS;
    const size_t size = (size_t) MIN (image->n_numbers - at, MEASURED_VOXELS);
    odl_meta_measure (header->type->sample, header->big_endian,
                      image->samples + at * header->type->size, size, values,
                      &image->range);
  }
}

static bool
decode_frame (Image *image, uint32_t frame, OdlPicture *picture, GError **error)
{
  const OdlNiftiHeader *header = &image->header;
  const OdlPictureShape shape = { header->place.extent[header->place.axis[0]],
                                  header->place.extent[header->place.axis[1]],
                                  (int) (header->type->channels * header->n_colours),
                                  odl_meta_picture_type (header->type->sample) };
  size_t unpacked = 0;

  if (image->gunzip != NULL)
    odl_gunzip_data (image->gunzip, &unpacked);
  describe (image, picture);
  const uint64_t pixels = (uint64_t) shape.width * shape.height;
  if (odl_picture_allocate (picture, &shape, unpacked + (size_t) pixels, error) == NULL)
    return false;
  odl_picture_set_number (picture, odl_meta_number_type (header->type->sample), false);
  const size_t n = gather (image, frame, picture);
  if (n == 0 && frame > 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the samples of frame %u are damaged or end too early"),
                          frame + 1);
  if (n < pixels)
    odl_picture_incomplete (picture, _ ("the samples are damaged or end too early"));
  else if (image->damaged)
    odl_picture_warn (picture, _ ("its packed samples are damaged or end too early"));
  describe_values (header, picture);
  if (!odl_picture_wants_range (picture, frame))
    return true;
  if (!image->has_range)
    find_range (image, picture);
  if (shape.type == ODL_SAMPLE_F32)
    odl_picture_finish_numbers (picture, NULL, &image->range);
  else
    odl_picture_set_found (picture, &image->range);
  return true;
}

bool
odl_decode_nifti (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Image *image = *input->kept;

  if (image == NULL) {
    image = g_new0 (Image, 1);
    if (!open_image (image, input, error)) {
      image_free (image);
      return false;
    }
    *input->kept = image;
    *input->free_kept = image_free;
  }
  const uint32_t n = count_frames (image);
  if (input->frame < n)
    return decode_frame (image, input->frame, picture, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("there is no frame %u; the file holds %u"), input->frame + 1,
                        n);
}
