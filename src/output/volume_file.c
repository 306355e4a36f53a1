// SPDX-License-Identifier: MIT
#include "output/volume_file.h"

#include <glib/gi18n-lib.h>
#include <gio/gio.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/image.h"
#include "image/number.h"
#include "image/volume/shape.h"
#include "output/picture/npy.h"
#include "output/picture/tiff.h"
#include "output/volume_hdf5.h"

// What the first page of a TIFF stack says of all pages, in the words of ImageJ or as
// OME-XML (schema 2016-06).

typedef struct {
  const OdlImageInfo *first; // of the pages; its samples are not read
  const OdlVolumeShape *shape;
  double spacing_mm[3]; // 0: unknown
  OdlNumberType type;
  const char *unit; // of values; "": none
  const char *description; // UTF-8
} OdlStackWords;

#define NAMESPACE "http://www.openmicroscopy.org/Schemas/OME/2016-06"

static void
words_append (GString *text, const char *before, double number, const char *after)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "%s%s%s", before,
                          g_ascii_formatd (digits, sizeof digits, "%.12g", number),
                          after);
}

// Lines, behind which a description may stand. Transfer full. Any thread.
static char *
odl_stack_words_imagej (const OdlStackWords *words)
{
  const OdlVolumeShape *shape = words->shape;
  GString *text = g_string_new (NULL);

  // How many images there are is not said: ImageJ would take their samples for one block,
  // which they are not, instead of asking each page where they are.
  g_string_append_printf (text, "ImageJ=1.11a\nslices=%d\nframes=%d\nhyperstack=true\n",
                          shape->slices, shape->volumes);
  if (words->spacing_mm[2] > 0 || words->spacing_mm[0] > 0)
    g_string_append (text, "unit=mm\n");
  if (words->spacing_mm[2] > 0)
    words_append (text, "spacing=", words->spacing_mm[2], "\n");
  if (*words->unit != '\0')
    g_string_append_printf (text, "vunit=%s\n", words->unit);
  if (shape->interval_s > 0)
    words_append (text, "finterval=", shape->interval_s, "\n");
  return g_string_free (text, FALSE);
}

// ---- OME -----------------------------------------------------------------------------

static void
append_lengths (GString *text, const double spacing_mm[3])
{
  static const char axes[] = "XYZ";

  for (int i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf (" PhysicalSize%c=\"", axes[i]);
    if (spacing_mm[i] <= 0)
      continue;
    words_append (text, name, spacing_mm[i], "\"");
    g_string_append_printf (text, " PhysicalSize%cUnit=\"mm\"", axes[i]);
  }
}

// Of the first slice of each.
static void
append_times (GString *text, const OdlVolumeShape *shape)
{
  for (int i = 0; shape->times_ns != NULL && i < shape->volumes; i++) {
    g_string_append_printf (text, "<Plane TheZ=\"0\" TheC=\"0\" TheT=\"%d\"", i);
    words_append (text, " DeltaT=\"",
                  (double) (shape->times_ns[i] - shape->times_ns[0]) / 1e9,
                  "\" DeltaTUnit=\"s\"/>");
  }
}

// The whole description. Transfer full; NULL: OME has no name for this type. Any thread.
static char *
odl_stack_words_ome (const OdlStackWords *words)
{
  static const char *const types[ODL_N_NUMBERS] = {
    [ODL_NUMBER_U8] = "uint8",  [ODL_NUMBER_S8] = "int8",    [ODL_NUMBER_U16] = "uint16",
    [ODL_NUMBER_S16] = "int16", [ODL_NUMBER_U32] = "uint32", [ODL_NUMBER_S32] = "int32",
    [ODL_NUMBER_F32] = "float", [ODL_NUMBER_F64] = "double",
  };
  const OdlVolumeShape *shape = words->shape;
  const OdlImageInfo *first = words->first;
  g_autofree char *description = g_markup_escape_text (words->description, -1);

  if (types[words->type] == NULL)
    return NULL;
  GString *text = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME "
                                "xmlns=\"" NAMESPACE "\"><Image ID=\"Image:0\">");
  g_string_append_printf (text,
                          "<Description>%s</Description><Pixels ID=\"Pixels:0\" "
                          "DimensionOrder=\"XYCZT\" Type=\"%s\" SizeX=\"%d\" "
                          "SizeY=\"%d\" SizeC=\"%d\" SizeZ=\"%d\" SizeT=\"%d\"",
                          description, types[words->type], first->extent.x,
                          first->extent.y, first->channels, shape->slices,
                          shape->volumes);
  append_lengths (text, words->spacing_mm);
  if (shape->volumes > 1 && shape->interval_s > 0)
    words_append (text, " TimeIncrement=\"", shape->interval_s,
                  "\" TimeIncrementUnit=\"s\"");
  g_string_append_printf (text,
                          "><Channel ID=\"Channel:0:0\" SamplesPerPixel=\"%d\"/>"
                          "<TiffData IFD=\"0\" PlaneCount=\"%" G_GINT64_FORMAT "\"/>",
                          first->channels, (gint64) shape->slices * shape->volumes);
  append_times (text, shape);
  g_string_append (text, "</Pixels></Image></OME>");
  return g_string_free (text, FALSE);
}

#define NIFTI_HEADER 348
#define NIFTI_OFFSET 352 // of the samples
#define NIFTI_MOST 32767
#define NIFTI_DESCRIPTION 80
#define NIFTI_S 8
#define NIFTI_MM_AND_S (2 | NIFTI_S)
#define NIFTI_SCANNER 1
#define WRITTEN_BYTES ((gsize) 256 << 10) // at once, of rows
#define TIFF_DIRECTORY 1024 // bytes of a page beside its samples, at most

struct _OdlVolumeFile {
  OdlOutput output;
  OdlVolumeFormat format;
  OdlVolumeShape shape;
  OdlImageInfo first; // description of the first slice; its pointers are stale
  gint64 slices, bytes; // written so far
  GConverter *gzip; // NULL: as it is
  OdlTiffStack *tiff; // NULL: another format, or no slice yet
  OdlSure sure, wanted; // more: a slice is of another form
  OdlNumberForm form; // of all slices, but for TIFF
};

// What the formats call the types, and how they have them.
static const struct {
  const char *metaimage;
  int nifti;
  const char *nrrd;
} types[] = {
  [ODL_NUMBER_U8] = { "MET_UCHAR", 2, "uint8" },
  [ODL_NUMBER_S8] = { "MET_CHAR", 256, "int8" },
  [ODL_NUMBER_U16] = { "MET_USHORT", 512, "uint16" },
  [ODL_NUMBER_S16] = { "MET_SHORT", 4, "int16" },
  [ODL_NUMBER_U32] = { "MET_UINT", 768, "uint32" },
  [ODL_NUMBER_S32] = { "MET_INT", 8, "int32" },
  [ODL_NUMBER_U64] = { "MET_ULONG_LONG", 1280, "uint64" },
  [ODL_NUMBER_S64] = { "MET_LONG_LONG", 1024, "int64" },
  [ODL_NUMBER_F32] = { "MET_FLOAT", 16, "float" },
  [ODL_NUMBER_F64] = { "MET_DOUBLE", 64, "double" },
};

static OdlNumberForm
form_of (const OdlVolumeFile *file, const OdlValues *slice)
{
  const OdlNumberRoom room = { .types = ODL_HOLDS_WHOLE | ODL_HOLDS_FLOATS,
                               .scales = file->format == ODL_VOLUME_NIFTI };

  return odl_values_form (slice, &room, file->sure);
}

bool
odl_volume_format_holds_pictures (OdlVolumeFormat format, bool beams)
{
  return format >= ODL_VOLUME_TIFF || (beams && format == ODL_VOLUME_METAIMAGE);
}

static bool
put (OdlVolumeFile *file, const void *data, gsize size, GError **error)
{
  file->bytes += (gint64) size;
  return odl_output_write (&file->output, data, size, error);
}

// Packs if wanted. `last`: nothing follows.
static bool
append (OdlVolumeFile *file, const void *data, gsize size, bool last, GError **error)
{
  guint8 packed[65536];
  GConverterResult result = G_CONVERTER_CONVERTED;

  if (file->gzip == NULL)
    return put (file, data, size, error);
  while (last ? result != G_CONVERTER_FINISHED : size > 0) {
    gsize n_read, n_written;
    result = g_converter_convert (file->gzip, data, size, packed, sizeof packed,
                                  last ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS,
                                  &n_read, &n_written, error);
    if (result == G_CONVERTER_ERROR || !put (file, packed, n_written, error))
      return false;
    data = (const guint8 *) data + n_read;
    size -= n_read;
  }
  return true;
}

// ---- Place ----

// Millimetres along LPS from a voxel to the next along each axis, as columns, and those
// of the first voxel; without a place the axes themselves.
static void
find_place (const OdlVolumeFile *file, double step[3][3], double at[3])
{
  const OdlVolumeShape *shape = &file->shape;

  for (int row = 0; row < 3; row++) {
    for (int axis = 0; axis < 3; axis++) {
      const double mm
          = file->first.spacing_mm[axis] > 0 ? file->first.spacing_mm[axis] : 1;
      const double leads = !shape->is_placed ? row == axis
                           : axis < 2        ? shape->orientation[3 * axis + row]
                                             : shape->slice_step_mm[row] / mm;
      step[row][axis] = leads * mm;
    }
    at[row] = shape->is_placed ? shape->position_mm[row] : 0;
  }
}

static double
spacing_of (double step[3][3], int axis)
{
  return sqrt (step[0][axis] * step[0][axis] + step[1][axis] * step[1][axis]
               + step[2][axis] * step[2][axis]);
}

// Of formats without a place in the body; 0: unknown.
static void
find_spacing (const OdlVolumeFile *file, double spacing_mm[3])
{
  double step[3][3], at[3];

  find_place (file, step, at);
  memcpy (spacing_mm, file->first.spacing_mm, 3 * sizeof *spacing_mm);
  if (spacing_mm[2] > 0 || file->shape.is_placed)
    spacing_mm[2] = spacing_of (step, 2);
}

// ---- MetaImage ----

static void
append_number (GString *text, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  // Neither rotations of 1e-18 nor −0.
  g_ascii_formatd (digits, sizeof digits, "%.12g", round (number * 1e12) / 1e12 + 0.0);
  g_string_append_printf (text, " %s", digits);
}

// Where beams lie, and their times, as IGSIO has those of frames.
static void
append_beams (GString *text, const OdlVolumeFile *file)
{
  const OdlVolumeShape *shape = &file->shape;
  g_autofree char *key = odl_beams_to_key (&file->first.beams);

  g_string_append_printf (text, "\nBeams = %s", key);
  for (int i = 0; i < shape->volumes && shape->interval_s > 0; i++) {
    g_string_append_printf (text, "\nSeq_Frame%04d_Timestamp =", i);
    append_number (text, shape->times_ns != NULL
                             ? (double) (shape->times_ns[i] - shape->times_ns[0]) / 1e9
                             : i * shape->interval_s);
  }
}

static bool
write_metaimage (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const OdlVolumeShape *shape = &file->shape;
  const bool beams = file->first.beams.array != ODL_BEAMS_NONE;
  const int axes = shape->volumes > 1 && !beams ? 4 : 3;
  g_autoptr (GString) text = g_string_new (NULL);
  double step[3][3], at[3], ends[2];

  if (shape->is_sequence && !beams)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("%s: MetaImage files hold volumes and beams, and filters have "
           "made pictures. Write it as .nrrd."),
        file->output.shown);
  find_place (file, step, at);
  odl_values_ends (slice->source, ends);
  g_string_append_printf (text,
                          "ObjectType = Image\nNDims = %d\nComment = %s\n"
                          "BinaryData = True\nBinaryDataByteOrderMSB = %s\n"
                          "CompressedData = False\nTransformMatrix =",
                          axes, slice->description,
                          G_BYTE_ORDER == G_BIG_ENDIAN ? "True" : "False");
  for (int axis = 0; axis < axes; axis++)
    for (int row = 0; row < axes; row++)
      append_number (text, axis == 3 || row == 3
                               ? axis == row
                               : step[row][axis] / spacing_of (step, axis));
  g_string_append (text, "\nOffset =");
  for (int row = 0; row < axes; row++)
    append_number (text, row == 3 ? 0 : at[row]);
  g_string_append (text, "\nElementSpacing =");
  for (int axis = 0; axis < axes; axis++)
    append_number (text, axis < 3                ? spacing_of (step, axis)
                         : shape->interval_s > 0 ? shape->interval_s
                                                 : 1);
  g_string_append_printf (text, "\nDimSize = %d %d %d", file->first.extent.x,
                          file->first.extent.y,
                          beams ? shape->slices * shape->volumes : shape->slices);
  if (axes == 4)
    g_string_append_printf (text, " %d", shape->volumes);
  if (file->first.channels > 1)
    g_string_append_printf (text, "\nElementNumberOfChannels = %d", file->first.channels);
  g_string_append (text, "\nElementMin =");
  append_number (text, MIN (ends[0], ends[1]));
  g_string_append (text, "\nElementMax =");
  append_number (text, MAX (ends[0], ends[1]));
  if (beams)
    append_beams (text, file);
  g_string_append_printf (text, "\nElementType = %s\nElementDataFile = LOCAL\n",
                          types[file->form.type].metaimage);
  return append (file, text->str, text->len, false, error);
}

// ---- NIfTI ----

static void
put_short (guint8 *header, int at, int value)
{
  const gint16 number = (gint16) value;

  memcpy (header + at, &number, sizeof number);
}

static void
put_float (guint8 *header, int at, double value)
{
  const float number = (float) value;

  memcpy (header + at, &number, sizeof number);
}

static bool
fits_nifti (const OdlVolumeFile *file, GError **error)
{
  const OdlExtent *extent = &file->first.extent;

  if (file->first.channels > 1)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s: NIfTI holds no colours in floating point. Write it as .mha, or "
                    "filter grey."),
                 file->output.shown);
  else if (MAX (MAX (extent->x, extent->y), MAX (file->shape.slices, file->shape.volumes))
           > NIFTI_MOST)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s: a side is longer than the %d voxels of NIfTI-1. Write it as "
                    ".mha."),
                 file->output.shown, NIFTI_MOST);
  else
    return true;
  return false;
}

// Offsets of nifti1.h.
static bool
write_nifti (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const OdlVolumeShape *shape = &file->shape;
  const gint32 size = NIFTI_HEADER;
  guint8 header[NIFTI_OFFSET] = { 0 };
  double step[3][3], at[3], ends[2];

  if (!fits_nifti (file, error))
    return false;
  find_place (file, step, at);
  odl_values_ends (slice->source, ends);
  memcpy (header, &size, sizeof size);
  header[38] = 'r'; // regular
  put_short (header, 40, shape->volumes > 1 ? 4 : 3);
  put_short (header, 42, file->first.extent.x);
  put_short (header, 44, file->first.extent.y);
  put_short (header, 46, shape->slices);
  put_short (header, 48, shape->volumes);
  for (int at_dim = 50; at_dim < 56; at_dim += 2)
    put_short (header, at_dim, 1);
  put_short (header, 70, types[file->form.type].nifti);
  put_short (header, 72, 8 * (int) odl_number_size (file->form.type));
  put_float (header, 76, 1);
  for (int axis = 0; axis < 3; axis++)
    put_float (header, 80 + 4 * axis, spacing_of (step, axis));
  put_float (header, 92, shape->interval_s);
  put_float (header, 108, NIFTI_OFFSET);
  put_float (header, 112, file->form.slope);
  put_float (header, 116, file->form.intercept);
  // Without a length from sample to sample the spacing of 1 has no unit.
  header[123]
      = shape->is_placed || file->first.spacing_mm[0] > 0 ? NIFTI_MM_AND_S : NIFTI_S;
  put_float (header, 124, MAX (ends[0], ends[1]));
  put_float (header, 128, MIN (ends[0], ends[1]));
  g_strlcpy ((char *) header + 148, slice->description, NIFTI_DESCRIPTION);
  if (shape->is_placed) {
    put_short (header, 254, NIFTI_SCANNER);
    for (int row = 0; row < 3; row++) {
      const double sign = row < 2 ? -1 : 1;
      for (int axis = 0; axis < 3; axis++)
        put_float (header, 280 + 16 * row + 4 * axis, sign * step[row][axis] + 0.0);
      put_float (header, 292 + 16 * row, sign * at[row] + 0.0);
    }
  }
  memcpy (header + 344, "n+1", 4);
  return append (file, header, sizeof header, false, error);
}

// ---- NRRD ----

// Of the axis of colours, which comes first, of each of the volume's, and of the times.
typedef struct {
  const char *components, *volume, *times;
} NrrdWords;

// A line with a word for each axis; axes that a file has not are left out.
static void
append_words (GString *text,
              const char *key,
              const OdlVolumeFile *file,
              const NrrdWords *words)
{
  g_string_append_printf (text, "\n%s:", key);
  if (file->first.channels > 1)
    g_string_append_printf (text, " %s", words->components);
  for (int axis = 0; axis < 3; axis++)
    g_string_append_printf (text, " %s", words->volume);
  if (file->shape.volumes > 1)
    g_string_append_printf (text, " %s", words->times);
}

static void
append_vector (GString *text, const double step[3][3], int axis)
{
  for (int row = 0; row < 3; row++) {
    g_string_append (text, row == 0 ? " (" : ",");
    g_autoptr (GString) number = g_string_new (NULL);
    append_number (number, step[row][axis]);
    g_string_append (text, number->str + 1);
  }
  g_string_append_c (text, ')');
}

static void
append_nrrd_place (GString *text, const OdlVolumeFile *file)
{
  const NrrdWords kinds
      = { file->first.channels == 3 ? "RGB-color" : "RGBA-color", "domain", "list" };
  const NrrdWords centres = { "none", "cell", "none" };
  const OdlVolumeShape *shape = &file->shape;
  double step[3][3], at[3];

  find_place (file, step, at);
  append_words (text, "kinds", file, &kinds);
  append_words (text, "centerings", file, &centres);
  if (shape->is_placed) {
    g_string_append (text, "\nspace: left-posterior-superior\nspace directions:");
    if (file->first.channels > 1)
      g_string_append (text, " none");
    for (int axis = 0; axis < 3; axis++)
      append_vector (text, step, axis);
    if (shape->volumes > 1)
      g_string_append (text, " none");
    g_string_append (text, "\nspace origin:");
    const double origin[3][3] = { { at[0] }, { at[1] }, { at[2] } };
    append_vector (text, origin, 0);
    g_string_append (text, "\nspace units: \"mm\" \"mm\" \"mm\"");
  }
  g_string_append (text, "\nspacings:");
  if (file->first.channels > 1)
    g_string_append (text, " nan");
  for (int axis = 0; axis < 3; axis++)
    if (!shape->is_placed && file->first.spacing_mm[axis] > 0)
      append_number (text, file->first.spacing_mm[axis]);
    else
      g_string_append (text, " nan");
  if (shape->volumes > 1 && shape->interval_s > 0 && shape->times_ns == NULL)
    append_number (text, shape->interval_s);
  else if (shape->volumes > 1)
    g_string_append (text, " nan");
  g_string_append (text, "\nunits:");
  if (file->first.channels > 1)
    g_string_append (text, " \"\"");
  for (int axis = 0; axis < 3; axis++)
    g_string_append (text, !shape->is_placed && file->first.spacing_mm[axis] > 0
                               ? " \"mm\""
                               : " \"\"");
  if (shape->volumes > 1)
    g_string_append (text, " \"s\"");
}

// What differs from time to time stands in a line of its own, as 3D Slicer has it.
static bool
write_nrrd (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const OdlVolumeShape *shape = &file->shape;
  const int colours = file->first.channels > 1, moving = shape->volumes > 1;
  g_autoptr (GString) text = g_string_new ("NRRD0005\ncontent: ");

  g_string_append_printf (text, "%s\ntype: %s\ndimension: %d\nsizes:", slice->description,
                          types[file->form.type].nrrd, 3 + colours + moving);
  if (colours)
    g_string_append_printf (text, " %d", file->first.channels);
  g_string_append_printf (text, " %d %d %d", file->first.extent.x, file->first.extent.y,
                          shape->slices);
  if (moving)
    g_string_append_printf (text, " %d", shape->volumes);
  append_nrrd_place (text, file);
  if (odl_number_size (file->form.type) > 1)
    g_string_append_printf (text, "\nendian: %s",
                            G_BYTE_ORDER == G_BIG_ENDIAN ? "big" : "little");
  g_string_append (text, "\nencoding: gzip\n");
  if (file->first.beams.array != ODL_BEAMS_NONE) {
    g_autofree char *beams = odl_beams_to_key (&file->first.beams);
    g_string_append_printf (text, ODL_BEAMS_KEY ":=%s\n", beams);
  }
  if (moving && shape->times_ns != NULL) {
    g_string_append_printf (text, "axis %d index type:=numeric\naxis %d index values:=",
                            3 + colours, 3 + colours);
    for (int i = 0; i < shape->volumes; i++)
      append_number (text, (double) (shape->times_ns[i] - shape->times_ns[0]) / 1e9);
    g_string_append_c (text, '\n');
  }
  g_string_append_c (text, '\n');
  return put (file, text->str, text->len, error);
}

// ---- HDF5 ----

static bool
write_hdf5 (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const char *unit = odl_image_info (slice->source)->value_map.unit;
  OdlHdf5Pictures pictures = {
    .type = file->form.type,
    .first = &file->first,
    .shape = &file->shape,
    .unit = *unit != '\0' ? unit : "-", // as zea says that there is none
    .description = slice->description,
  };

  find_spacing (file, pictures.spacing_mm);
  return odl_hdf5_write_head (&pictures, &file->output, &file->bytes, error);
}

// ---- NPY ----

// Axes of length 1 that pictures and single volumes have not are left out.
static bool
write_npy (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const OdlVolumeShape *shape = &file->shape;
  g_autoptr (GString) sides = g_string_new (NULL);
  char head[ODL_NPY_HEAD];

  (void) slice;
  if (shape->volumes > 1)
    g_string_append_printf (sides, "%d, ", shape->volumes);
  if (!shape->is_sequence)
    g_string_append_printf (sides, "%d, ", shape->slices);
  g_string_append_printf (sides, "%d, %d", file->first.extent.y, file->first.extent.x);
  if (file->first.channels > 1)
    g_string_append_printf (sides, ", %d", file->first.channels);
  odl_npy_head (file->form.type, sides->str, head);
  return put (file, head, sizeof head, error);
}

// ---- TIFF ----

// Reads of the pages that follow, too, since all are alike.
static bool
open_tiff (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const OdlVolumeShape *shape = &file->shape;
  const OdlNumberType type = odl_tiff_number_type (slice, file->sure);
  const gint64 n = (gint64) shape->slices * shape->volumes;
  const guint64 bytes = (guint64) n
                        * (TIFF_DIRECTORY
                           + odl_number_size (type) * (guint64) file->first.extent.x
                                 * file->first.extent.y * file->first.channels);
  OdlStackWords words = { .first = &file->first,
                          .shape = shape,
                          .type = type,
                          .unit = odl_image_info (slice->source)->value_map.unit,
                          .description = slice->description };

  find_spacing (file, words.spacing_mm);
  g_autofree char *head = file->format == ODL_VOLUME_OME
                              ? odl_stack_words_ome (&words)
                              : odl_stack_words_imagej (&words);
  if (head == NULL)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s: OME has no numbers of this type. Write it as "
                             ".stack.tif."),
                          file->output.shown);
  file->tiff = odl_tiff_stack_new (&file->output, bytes, head, file->sure, error);
  return file->tiff != NULL;
}

// ---- The file ----

OdlVolumeFile *
odl_volume_file_new (OdlOutputGuard *guard,
                     const char *path,
                     OdlVolumeFormat format,
                     const OdlVolumeShape *shape,
                     OdlSure sure,
                     bool replace,
                     GError **error)
{
  OdlVolumeFile *file = g_new0 (OdlVolumeFile, 1);
  g_autofree char *lower = g_ascii_strdown (path, -1);

  file->format = format;
  file->shape = *shape;
  file->sure = file->wanted = sure;
  if (replace ? odl_output_open (guard, path, &file->output, error)
              : odl_output_open_new (guard, path, &file->output, error)) {
    if (format == ODL_VOLUME_NRRD
        || (format == ODL_VOLUME_NIFTI && g_str_has_suffix (lower, ".gz")))
      file->gzip
          = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
    return file;
  }
  g_free (file);
  return NULL;
}

static bool (*const writers[]) (OdlVolumeFile *, const OdlValues *, GError **) = {
  [ODL_VOLUME_METAIMAGE] = write_metaimage,
  [ODL_VOLUME_NIFTI] = write_nifti,
  [ODL_VOLUME_TIFF] = open_tiff,
  [ODL_VOLUME_OME] = open_tiff,
  [ODL_VOLUME_NRRD] = write_nrrd,
  [ODL_VOLUME_HDF5] = write_hdf5,
  [ODL_VOLUME_NPY] = write_npy,
};

static bool
write_header (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const OdlImageInfo *source = odl_image_info (slice->source);

  file->first = *odl_image_info (slice->rows->image);
  memcpy (file->first.spacing_mm, source->spacing_mm, sizeof source->spacing_mm);
  file->form = form_of (file, slice);
  // A later slice may want another form of all, and a pipe takes nothing back.
  const bool may_begin_anew
      = file->form.exact && file->shape.slices * file->shape.volumes > 1;
  if (may_begin_anew && !odl_output_make_seekable (&file->output, error))
    return false;
  return writers[file->format](file, slice, error);
}

static bool
is_like_first (const OdlVolumeFile *file, const OdlImageInfo *slice)
{
  return slice->extent.x == file->first.extent.x
         && slice->extent.y == file->first.extent.y
         && slice->channels == file->first.channels;
}

static bool
append_rows (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  OdlRows *rows = slice->rows;
  const OdlImageInfo *info = odl_image_info (rows->image);
  const gsize bytes = (gsize) info->extent.x * (gsize) info->channels
                      * odl_number_size (file->form.type);
  const OdlNumberForm form = form_of (file, slice);
  const bool turns = file->format == ODL_VOLUME_HDF5 && file->shape.slices == 1;
  const int most = (int) MAX (WRITTEN_BYTES / bytes, 1);
  g_autofree double *line = g_new (double, info->extent.x);
  g_autofree char *block = g_malloc ((gsize) most * bytes);
  g_autofree char *room = turns ? g_malloc (bytes) : NULL;

  file->wanted = odl_values_sure (&form, &file->form, file->sure);
  while (file->wanted == file->sure) {
    for (int y = rows->first, n; y < rows->end; y += n) {
      n = MIN (most, rows->end - y);
      if (!odl_values_numbers (slice, &file->form, y, n, line, block))
        file->wanted = file->sure + 1;
      for (int i = 0; turns && i < n; i++) {
        char *row = block + (gsize) i * bytes;
        const void *turned = odl_hdf5_row (&file->first, file->form.type, row, room);
        if (turned != row)
          memcpy (row, turned, bytes);
      }
      if (!append (file, block, (gsize) n * bytes, false, error))
        return false;
    }
    if (rows->end == rows->height)
      break;
    if (!rows->next (rows, error))
      return false;
  }
  return file->wanted == file->sure || odl_values_refuse (error);
}

static bool
append_page (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  file->bytes += (gint64) odl_number_size (odl_tiff_number_type (slice, file->sure))
                 * file->first.extent.x * file->first.extent.y * file->first.channels;
  const bool done = odl_tiff_stack_write (file->tiff, slice, error);
  file->wanted = odl_tiff_stack_wanted (file->tiff);
  return done;
}

bool
odl_volume_file_is_unsuited (const OdlVolumeFile *file, OdlSure *next)
{
  if (file == NULL || file->wanted == file->sure)
    return false;
  *next = file->wanted;
  return true;
}

bool
odl_volume_file_write (OdlVolumeFile *file, const OdlValues *slice, GError **error)
{
  const OdlImageInfo *info = odl_image_info (slice->rows->image);

  if (file->slices == 0 && !write_header (file, slice, error))
    return false;
  if (memcmp (&info->beams, &file->first.beams, sizeof info->beams) != 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s: beams of frame %" PRId64
                             " lie elsewhere than those of the first; one file says of "
                             "all frames where they lie. Write them one by one."),
                          file->output.shown, file->slices + 1);
  if (!is_like_first (file, info))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s: slice %" PRId64
                             " differs from the first in size or colours; a volume "
                             "cannot hold it. Write numbered pictures."),
                          file->output.shown, file->slices + 1);
  if (file->tiff != NULL ? !append_page (file, slice, error)
                         : !append_rows (file, slice, error))
    return false;
  file->slices++;
  return true;
}

gint64
odl_volume_file_bytes (const OdlVolumeFile *file)
{
  return file->bytes;
}

static void
free_file (OdlVolumeFile *file)
{
  g_clear_object (&file->gzip);
  g_free (file);
}

bool
odl_volume_file_finish (OdlVolumeFile *file, GError **error)
{
  const gint64 wanted = (gint64) file->shape.slices * file->shape.volumes;
  bool done = file->slices == wanted;

  if (!done)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s: only %" PRId64 " of %" PRId64
                    " slices are there; a volume needs them all. Write numbered "
                    "pictures."),
                 file->output.shown, file->slices, wanted);
  done = done && (file->gzip == NULL || append (file, "", 0, true, error));
  const bool closed
      = odl_tiff_stack_close (g_steal_pointer (&file->tiff), done ? error : NULL);
  done = done && closed;
  done = odl_output_end (&file->output, done, error);
  free_file (file);
  return done;
}

void
odl_volume_file_abandon (OdlVolumeFile *file)
{
  if (file == NULL)
    return;
  odl_tiff_stack_close (g_steal_pointer (&file->tiff), NULL);
  odl_output_abandon (&file->output);
  free_file (file);
}
