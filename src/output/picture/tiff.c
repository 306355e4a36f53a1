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
  bool stored; // numbers of 16 bits instead of values
};

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

static void
set_fields (OdlTiffStack *stack,
            const OdlValues *picture,
            const OdlImageInfo *result,
            int height)
{
  TIFF *tiff = stack->tiff;
  const OdlImageInfo *source = odl_image_info (picture->source);
  g_autofree char *unit = words_of_unit (source, stack->stored);
  g_autofree char *description = g_strdup_printf (
      "%s%s%s%s%s", stack->head != NULL ? stack->head : "", picture->description, unit,
      source->mark != NULL ? "; " : "", source->mark != NULL ? source->mark : "");
  double ends[2] = { source->stored_min, source->stored_max };

  if (!stack->stored)
    odl_values_ends (picture->source, ends);

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32) result->extent.x);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, (guint32) height);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, stack->stored ? 16 : 32);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT,
                !stack->stored           ? SAMPLEFORMAT_IEEEFP
                : source->stored_min < 0 ? SAMPLEFORMAT_INT
                                         : SAMPLEFORMAT_UINT);
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
  TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, description);
  if (result->spacing_mm[0] > 0 && result->spacing_mm[1] > 0) {
    TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
    TIFFSetField (tiff, TIFFTAG_XRESOLUTION, 10.0 / result->spacing_mm[0]);
    TIFFSetField (tiff, TIFFTAG_YRESOLUTION, 10.0 / result->spacing_mm[1]);
  }
}

// The interleaved numbers of row `y`, as odl_values_row has values.
static void
stored_row (const OdlValues *picture, int y, float *line, guint16 *row)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  const OdlImageInfo *result = odl_image_info (picture->rows->image);
  const double least = source->stored_min, most = source->stored_max;

  for (int c = 0; c < result->channels; c++) {
    odl_image_scaled_row (picture->rows->image, c, y - picture->rows->top, 0, 0, line);
    for (int x = 0; x < result->extent.x; x++) {
      const double number = rint (least + (double) line[x] * (most - least));
      row[(gsize) x * result->channels + c]
          = (guint16) (gint32) (number > least ? fmin (number, most) : least);
    }
  }
}

// Writes the available rows.
static bool
write_rows (OdlTiffStack *stack, const OdlValues *picture, float *rows)
{
  const OdlRows *there = picture->rows;
  float *row = rows + odl_image_info (there->image)->extent.x;

  for (int y = there->first; y < there->end; y++) {
    if (stack->stored)
      stored_row (picture, y, rows, (guint16 *) row);
    else
      odl_values_row (picture, y, rows, row);
    if (TIFFWriteScanline (stack->tiff, row, (guint32) y, 0) != 1)
      return false;
  }
  return true;
}

static bool
write_all (OdlTiffStack *stack, const OdlValues *picture, float *row, GError **error)
{
  OdlRows *rows = picture->rows;

  while (write_rows (stack, picture, row)) {
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

OdlTiffStack *
odl_tiff_stack_new (OdlOutput *output, guint64 bytes, const char *head, GError **error)
{
  OdlTiffStack *stack = g_new0 (OdlTiffStack, 1);

  stack->sink.output = output;
  stack->head = g_strdup (head);
  stack->tiff = open_tiff (&stack->sink, bytes);
  if (stack->tiff != NULL)
    return stack;
  odl_tiff_stack_close (stack, error);
  return NULL;
}

bool
odl_tiff_stack_write (OdlTiffStack *stack, const OdlValues *page, GError **error)
{
  const OdlImageInfo *result = odl_image_info (page->rows->image);
  const gsize n = (gsize) result->extent.x * result->channels;
  // One channel, then all channels.
  g_autofree float *rows = g_try_new (float, n + (gsize) result->extent.x);

  if (rows == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("There is not enough memory to write the TIFF file."));
  set_fields (stack, page, result, page->rows->height);
  g_clear_pointer (&stack->head, g_free);
  if (write_all (stack, page, rows, &stack->sink.error))
    TIFFWriteDirectory (stack->tiff);
  return report (&stack->sink, error);
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

static bool
encode (OdlOutput *output, const OdlValues *picture, bool stored, GError **error)
{
  const OdlImageInfo *result = odl_image_info (picture->rows->image);
  const guint64 bytes = sizeof (float) * (guint64) result->extent.x * result->channels
                        * (guint64) picture->rows->height;
  OdlTiffStack *stack = odl_tiff_stack_new (output, bytes, NULL, error);

  if (stack == NULL)
    return false;
  stack->stored = stored;
  const bool done = odl_tiff_stack_write (stack, picture, error);
  return odl_tiff_stack_close (stack, done ? error : NULL) && done;
}

bool
odl_tiff_encode (OdlOutput *output, const OdlValues *picture, GError **error)
{
  return encode (output, picture, false, error);
}

bool
odl_tiff_encode_stored (OdlOutput *output, const OdlValues *picture, GError **error)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  const bool is_signed = source->stored_min < 0;
  const char *refusal
      = picture->details.levels > 0
            ? _ ("TIFF files of 16 bits hold results, not coefficients or what was taken "
                 "away. Choose .tif, which holds 32-bit floats.")
        : source->type == ODL_SAMPLE_F32
                || source->stored_max > (is_signed ? G_MAXINT16 : G_MAXUINT16)
                || source->stored_min < G_MININT16
            ? _ ("The numbers of this picture do not fit 16 bits. Choose .tif, which "
                 "holds 32-bit floats.")
            : NULL;

  if (refusal == NULL)
    return encode (output, picture, true, error);
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED, refusal);
  return false;
}

bool
odl_tiff_is_stored_name (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".16.tif") || g_str_has_suffix (lower, ".16.tiff");
}
