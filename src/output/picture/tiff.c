// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/picture/tiff.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#include "base/error.h"

// Larger files need BigTIFF's 64-bit offsets.
#define CLASSIC_LIMIT ((guint64) 4000 * 1000 * 1000)

// State of libtiff's callbacks. The first failure is reported.
typedef struct {
  OdlOutput *output;
  GError *error;
} Sink;

struct _OdlTiffStack {
  Sink sink;
  TIFF *tiff;
  char *head; // of the page that comes next; NULL: none
  bool is_xml; // `head` is the whole description of its page
  bool is_imagej; // the first page has ImageJ's description, in millimetres
  bool is_ahead; // the directory of this page is written, but for where its samples lie
  int stored; // bits of the numbers that are stored instead of values; 0: values
  OdlNumberForm form; // of all pages; type UNKNOWN: none was written yet
  OdlSure sure, wanted; // more: a page is of another form
};

// Halves are written as floats, which more programs read.
static const OdlNumberRoom tiff_room = { .types = ODL_HOLDS_WHOLE | ODL_HOLDS_FLOATS };

static tmsize_t
read_cb (thandle_t handle, void *data, tmsize_t size)
{
  return read (((Sink *) handle)->output->fd, data, (size_t) size);
}

static tmsize_t
write_cb (thandle_t handle, void *data, tmsize_t size)
{
  Sink *sink = handle;
  bool good = sink->error == NULL
              && odl_output_write (sink->output, data, (gsize) size, &sink->error);

  return good ? size : -1;
}

static toff_t
seek_cb (thandle_t handle, toff_t offset, int whence)
{
  return (toff_t) lseek (((Sink *) handle)->output->fd, (off_t) offset, whence);
}

static toff_t
size_cb (thandle_t handle)
{
  struct stat status;

  return fstat (((Sink *) handle)->output->fd, &status) == 0 ? (toff_t) status.st_size
                                                             : 0;
}

static int
close_cb (thandle_t handle)
{
  return 0;
}

static int
error_cb (TIFF *tiff, void *data, const char *module, const char *format, va_list list)
{
  Sink *sink = data;

  if (sink->error == NULL) {
    g_autofree char *message = g_strdup_vprintf (format, list);
    g_set_error (&sink->error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("%s: the TIFF writer failed: %s."), sink->output->shown, message);
  }
  return 1;
}

static int
warning_cb (TIFF *tiff, void *data, const char *module, const char *format, va_list list)
{
  return 1;
}

static TIFF *
open_tiff (Sink *sink, guint64 bytes)
{
  // libtiff writes the directory last and then seeks back to the header's pointer.
  if (!odl_output_make_seekable (sink->output, &sink->error))
    return NULL;

  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();
  TIFFOpenOptionsSetErrorHandlerExtR (options, error_cb, sink);
  TIFFOpenOptionsSetWarningHandlerExtR (options, warning_cb, NULL);
  TIFF *tiff = TIFFClientOpenExt (sink->output->shown, bytes > CLASSIC_LIMIT ? "w8" : "w",
                                  sink, read_cb, write_cb, seek_cb, close_cb, size_cb,
                                  NULL, NULL, options);
  TIFFOpenOptionsFree (options);
  return tiff;
}

// What the numbers of a file are, in the description of one whose `source` is given.
static char *
words_of_unit (const OdlImageInfo *source, bool stored)
{
  const OdlValueMap *map = &source->value_map;

  if (stored)
    return g_strdup_printf ("; value %.9g x number %+.9g%s%s", map->slope, map->intercept,
                            *map->unit != '\0' ? " " : "", map->unit);
  return g_strconcat (*map->unit != '\0' ? "; unit " : "", map->unit, NULL);
}

static int
sample_format (OdlNumberType type)
{
  double ends[2];

  odl_number_ends (type, ends);
  return odl_number_is_float (type) ? SAMPLEFORMAT_IEEEFP
         : ends[0] < 0              ? SAMPLEFORMAT_INT
                                    : SAMPLEFORMAT_UINT;
}

static void
set_fields (OdlTiffStack *stack,
            const OdlValues *picture,
            const OdlImageInfo *result,
            int height)
{
  TIFF *tiff = stack->tiff;
  const OdlImageInfo *source = odl_image_info (picture->source);
  g_autofree char *unit = words_of_unit (source, stack->stored > 0);
  g_autofree char *description = g_strdup_printf (
      "%s%s%s%s%s", stack->head != NULL ? stack->head : "", picture->description, unit,
      source->mark != NULL ? "; " : "", source->mark != NULL ? source->mark : "");
  const char *words = stack->is_xml && stack->head != NULL ? stack->head : description;
  double ends[2] = { source->stored_min, source->stored_max };

  if (stack->stored == 0)
    odl_values_ends (picture->source, ends);

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32) result->extent.x);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, (guint32) height);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8 * odl_number_size (stack->form.type));
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, sample_format (stack->form.type));
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, result->channels);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC,
                result->channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
  if (result->channels == 4)
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, (guint16[]){ EXTRASAMPLE_UNASSALPHA });
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize (tiff, 0));
  TIFFSetField (tiff, TIFFTAG_SMINSAMPLEVALUE, MIN (ends[0], ends[1]));
  TIFFSetField (tiff, TIFFTAG_SMAXSAMPLEVALUE, MAX (ends[0], ends[1]));
  TIFFSetField (tiff, TIFFTAG_SOFTWARE, "Ondelette " ODL_VERSION);
  TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, words);
  if (result->spacing_mm[0] > 0 && result->spacing_mm[1] > 0) {
    // ImageJ takes the unit of its description for that of the field, whatever that says.
    const double mm = stack->is_imagej ? 1 : 10;
    TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT,
                  stack->is_imagej ? RESUNIT_NONE : RESUNIT_CENTIMETER);
    TIFFSetField (tiff, TIFFTAG_XRESOLUTION, mm / result->spacing_mm[0]);
    TIFFSetField (tiff, TIFFTAG_YRESOLUTION, mm / result->spacing_mm[1]);
  }
}

// The interleaved numbers of row `y` that the input stores, as odl_values_row has values.
static void
stored_row (const OdlValues *picture, OdlNumberType type, int y, float *line, char *row)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  const OdlImageInfo *result = odl_image_info (picture->rows->image);
  const double least = source->stored_min, most = source->stored_max;
  const gsize size = odl_number_size (type);

  for (int c = 0; c < result->channels; c++) {
    odl_image_scaled_row (picture->rows->image, c, y - picture->rows->top, 0, 0, line);
    for (int x = 0; x < result->extent.x; x++) {
      const double number = rint (least + (double) line[x] * (most - least));
      odl_number_put (type, number > least ? fmin (number, most) : least,
                      row + ((gsize) x * result->channels + c) * size);
    }
  }
}

// Writes the available rows.
static bool
write_rows (OdlTiffStack *stack, const OdlValues *picture, double *line, void *row)
{
  const OdlRows *there = picture->rows;

  for (int y = there->first; y < there->end; y++) {
    if (stack->stored > 0)
      stored_row (picture, stack->form.type, y, (float *) (void *) line, row);
    else if (!odl_values_numbers (picture, &stack->form, y, 1, line, row)) {
      stack->wanted = stack->sure + 1;
      return false;
    }
    if (TIFFWriteScanline (stack->tiff, row, (guint32) y, 0) != 1)
      return false;
  }
  return true;
}

static bool
write_all (OdlTiffStack *stack,
           const OdlValues *picture,
           double *line,
           void *row,
           GError **error)
{
  OdlRows *rows = picture->rows;

  while (write_rows (stack, picture, line, row)) {
    if (rows->end == rows->height)
      return true;
    if (!rows->next (rows, error))
      return false;
  }
  return false;
}

static bool
report (Sink *sink, GError **error)
{
  if (sink->error == NULL)
    return true;
  g_propagate_error (error, g_steal_pointer (&sink->error));
  return false;
}

// Writes the directory of a page of a stack before its samples, where the places of these
// are filled in afterwards. Readers of ImageJ's description (tifffile) take the samples
// of all pages for one block where the second directory lies behind as many bytes. Of
// pages of one row libtiff 4.5 does not fill them in.
static bool
put_directory (OdlTiffStack *stack, int height)
{
  const tdir_t page = TIFFNumberOfDirectories (stack->tiff);

  stack->is_ahead = stack->is_imagej && height > 1;
  return !stack->is_ahead
         || (TIFFDeferStrileArrayWriting (stack->tiff) == 1
             && TIFFWriteCheck (stack->tiff, 0, "stack") == 1
             && TIFFWriteDirectory (stack->tiff) == 1
             && TIFFSetDirectory (stack->tiff, page) == 1);
}

// Fills them in, and begins the next page.
static void
end_page (OdlTiffStack *stack)
{
  if (!stack->is_ahead)
    TIFFWriteDirectory (stack->tiff);
  else if (TIFFFlushData (stack->tiff) == 1
           && TIFFForceStrileArrayWriting (stack->tiff) == 1)
    TIFFCreateDirectory (stack->tiff);
}

OdlTiffStack *
odl_tiff_stack_new (OdlOutput *output,
                    guint64 bytes,
                    const char *head,
                    OdlSure sure,
                    GError **error)
{
  OdlTiffStack *stack = g_new0 (OdlTiffStack, 1);

  stack->sink.output = output;
  stack->head = g_strdup (head);
  stack->is_xml = head != NULL && g_str_has_prefix (head, "<?xml");
  stack->is_imagej = head != NULL && !stack->is_xml;
  stack->sure = stack->wanted = sure;
  stack->tiff = open_tiff (&stack->sink, bytes);
  if (stack->tiff != NULL)
    return stack;
  odl_tiff_stack_close (stack, error);
  return NULL;
}

static OdlNumberType
stored_type (int bits, bool is_signed)
{
  if (bits == 8)
    return is_signed ? ODL_NUMBER_S8 : ODL_NUMBER_U8;
  return is_signed ? ODL_NUMBER_S16 : ODL_NUMBER_U16;
}

// The first page decides for all.
static bool
choose_form (OdlTiffStack *stack, const OdlValues *page)
{
  const bool is_signed = odl_image_info (page->source)->stored_min < 0;

  if (stack->stored > 0) {
    stack->form.type = stored_type (stack->stored, is_signed);
    return true;
  }
  const OdlNumberForm form = odl_values_form (page, &tiff_room, stack->sure);
  if (stack->form.type == ODL_NUMBER_UNKNOWN)
    stack->form = form;
  stack->wanted = odl_values_sure (&form, &stack->form, stack->sure);
  return stack->wanted == stack->sure;
}

bool
odl_tiff_stack_write (OdlTiffStack *stack, const OdlValues *page, GError **error)
{
  const OdlImageInfo *result = odl_image_info (page->rows->image);
  const gsize width = (gsize) result->extent.x;
  g_autofree double *line = g_try_new (double, width);
  g_autofree double *row = g_try_new (double, width *(gsize) result->channels);

  if (row == NULL || line == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("There is not enough memory to write the TIFF file."));
  if (choose_form (stack, page)) {
    set_fields (stack, page, result, page->rows->height);
    g_clear_pointer (&stack->head, g_free);
    if (put_directory (stack, page->rows->height)
        && write_all (stack, page, line, row, &stack->sink.error))
      end_page (stack);
  }
  return stack->wanted > stack->sure ? odl_values_refuse (error)
                                     : report (&stack->sink, error);
}

OdlSure
odl_tiff_stack_wanted (const OdlTiffStack *stack)
{
  return stack->wanted;
}

bool
odl_tiff_stack_close (OdlTiffStack *stack, GError **error)
{
  if (stack == NULL)
    return true;
  if (stack->tiff != NULL)
    TIFFClose (stack->tiff);
  const bool done = report (&stack->sink, error);
  g_free (stack->head);
  g_free (stack);
  return done;
}

OdlNumberType
odl_tiff_number_type (const OdlValues *page, OdlSure sure)
{
  return odl_values_form (page, &tiff_room, sure).type;
}

static bool
encode (OdlOutput *output, const OdlValues *picture, int stored, GError **error)
{
  const OdlImageInfo *result = odl_image_info (picture->rows->image);
  const guint64 bytes
      = (guint64) result->extent.x * result->channels * (guint64) picture->rows->height
        * odl_number_size (odl_tiff_number_type (picture, ODL_SURE_OF_THIS));
  OdlTiffStack *stack = odl_tiff_stack_new (output, bytes, NULL, ODL_SURE_OF_THIS, error);

  if (stack == NULL)
    return false;
  stack->stored = stored;
  const bool done = odl_tiff_stack_write (stack, picture, error);
  return odl_tiff_stack_close (stack, done ? error : NULL) && done;
}

bool
odl_tiff_encode (OdlOutput *output, const OdlValues *picture, GError **error)
{
  return encode (output, picture, 0, error);
}

static bool
encode_stored (OdlOutput *output, const OdlValues *picture, int bits, GError **error)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  double ends[2];

  odl_number_ends (stored_type (bits, source->stored_min < 0), ends);
  if (picture->details.levels > 0)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("TIFF files of %d bits hold results, not coefficients or what was taken "
           "away. Choose .tif, which holds 32-bit floats."),
        bits);
  if (source->type == ODL_SAMPLE_F32 || source->stored_max > ends[1]
      || source->stored_min < ends[0])
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("The numbers of this picture do not fit %d bits. Choose "
                             ".tif, which holds 32-bit floats."),
                          bits);
  return encode (output, picture, bits, error);
}

bool
odl_tiff_encode_stored (OdlOutput *output, const OdlValues *picture, GError **error)
{
  return encode_stored (output, picture, 16, error);
}

bool
odl_tiff_encode_stored_8 (OdlOutput *output, const OdlValues *picture, GError **error)
{
  return encode_stored (output, picture, 8, error);
}

bool
odl_tiff_is_stored_name (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".16.tif") || g_str_has_suffix (lower, ".16.tiff");
}
