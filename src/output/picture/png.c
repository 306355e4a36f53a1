// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/picture/png.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <png.h>
#include <zlib.h>

#include "base/error.h"

// From this number of pixels on, 16-bit pictures are compressed for speed.
#define QUICK_FROM 2000000

typedef struct {
  OdlOutput *output;
  GError **error;
} Sink;

static void
write_cb (png_structp png, png_bytep data, size_t size)
{
  Sink *sink = png_get_io_ptr (png);

  if (!odl_output_write (sink->output, data, size, sink->error))
    png_error (png, "write");
}

static void
flush_cb (png_structp png)
{
}

static void
error_cb (png_structp png, png_const_charp message)
{
  Sink *sink = png_get_error_ptr (png);

  if (sink->error != NULL && *sink->error == NULL)
    g_set_error (sink->error, ODL_ERROR, ODL_ERROR_IO, _ ("The PNG writer failed: %s."),
                 message);
  png_longjmp (png, 1);
}

static void
warning_cb (png_structp png, png_const_charp message)
{
}

static void
write_header (png_structp png,
              png_infop info,
              const OdlImageInfo *shown,
              const char *description,
              const char *mark)
{
  static const int colour_types[]
      = { PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
          PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA };
  char mark_key[] = "Warning";
  char software_key[] = "Software", software[] = "Ondelette " ODL_VERSION;
  char description_key[] = "Description";
  png_text text[] = {
    { .key = software_key, .text = software },
    { .key = description_key, .text = (char *) description },
    { .key = mark_key, .text = (char *) mark },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (text); i++) {
    bool ascii = text[i].text == NULL || g_str_is_ascii (text[i].text);
    text[i].compression = ascii ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
  }
  png_set_user_limits (png, ODL_IMAGE_MAX_SIDE, ODL_IMAGE_MAX_SIDE);
  png_set_IHDR (png, info, shown->extent.x, shown->extent.y,
                shown->type == ODL_SAMPLE_U16 ? 16 : 8, colour_types[shown->channels],
                PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                PNG_FILTER_TYPE_DEFAULT);
  // The low bytes of 16-bit pictures are mostly noise: searching longer matches and
  // trying all row filters takes up to twelve times as long and saves 5 %. Small
  // pictures are fast anyway.
  if (shown->type == ODL_SAMPLE_U16
      && (int64_t) shown->extent.x * shown->extent.y >= QUICK_FROM) {
    png_set_compression_level (png, 1);
    png_set_compression_strategy (png, Z_FILTERED);
    png_set_filter (png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  }
  png_set_text (png, info, text, (int) G_N_ELEMENTS (text) - (mark == NULL));

  const double *spacing = shown->spacing_mm;
  if (spacing[0] > 1e-4 && spacing[1] > 1e-4)
    png_set_pHYs (png, info, (png_uint_32) lrint (1000.0 / spacing[0]),
                  (png_uint_32) lrint (1000.0 / spacing[1]), PNG_RESOLUTION_METER);
  png_write_info (png, info);
}

// Rows rendered at a time.
#define BAND 64

// Source of the rows: a picture, or `scaled` rendered with `display`.
typedef struct {
  const OdlImage *shown;
  OdlRows *scaled;
  const OdlDisplay *display;
  OdlImageInfo info;
  uint8_t *band; // rendered rows of `scaled`
} Rows;

// Writes the available rows.
static void
write_shown (png_structp png, const Rows *rows)
{
  const OdlRows *scaled = rows->scaled;
  const OdlImageInfo *info = &rows->info;
  const size_t row_bytes
      = (size_t) info->extent.x * info->channels * odl_sample_size (info->type);

  for (int first = scaled->first; first < scaled->end; first += BAND) {
    const int count = MIN (BAND, scaled->end - first);
    odl_display_render_rows (scaled->image, rows->display,
                             info->type == ODL_SAMPLE_U8 ? 8 : 16, first - scaled->top,
                             count, rows->band);
    for (int y = 0; y < count; y++)
      png_write_row (png, rows->band + (size_t) y * row_bytes);
  }
}

static void
write_rows (png_structp png, const Rows *rows)
{
  const OdlImageInfo *info = &rows->info;
  const Sink *sink = png_get_io_ptr (png);
  OdlRows *scaled = rows->scaled;

  for (int y = 0; y < info->extent.y && rows->shown != NULL; y++)
    png_write_row (png, (png_const_bytep) info->planes[0].data
                            + (gsize) y * info->planes[0].row_stride_bytes);
  if (scaled != NULL)
    write_shown (png, rows);
  while (scaled != NULL && scaled->end < scaled->height) {
    if (!scaled->next (scaled, sink->error))
      png_error (png, "rows");
    write_shown (png, rows);
  }
}

static bool
encode (OdlOutput *output,
        const Rows *rows,
        const char *description,
        const char *mark,
        GError **error)
{
  Sink sink = { output, error };
  png_structp png
      = png_create_write_struct (PNG_LIBPNG_VER_STRING, &sink, error_cb, warning_cb);
  png_infop header = png != NULL ? png_create_info_struct (png) : NULL;

  if (header == NULL || setjmp (png_jmpbuf (png)) != 0) {
    if (header == NULL)
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                           _ ("There is not enough memory to write the PNG file."));
    png_destroy_write_struct (&png, &header);
    return false;
  }
  png_set_write_fn (png, &sink, write_cb, flush_cb);
  write_header (png, header, &rows->info, description, mark);
  if (rows->info.type == ODL_SAMPLE_U16 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (png);
  write_rows (png, rows);
  png_write_end (png, header);
  png_destroy_write_struct (&png, &header);
  return true;
}

bool
odl_png_encode (OdlOutput *output,
                const OdlImage *shown,
                const char *description,
                const char *mark,
                GError **error)
{
  const Rows rows = { .shown = shown, .info = *odl_image_info (shown) };

  return encode (output, &rows, description, mark, error);
}

bool
odl_png_encode_display (OdlOutput *output,
                        OdlRows *scaled,
                        const OdlDisplay *display,
                        int bits,
                        const char *description,
                        const char *mark,
                        GError **error)
{
  Rows rows = { .scaled = scaled,
                .display = display,
                .info = odl_display_rendered (scaled->image, display, bits) };
  const OdlImageInfo *info = &rows.info;
  const size_t samples = (size_t) info->extent.x * info->channels * BAND;
  // Aligned for 16-bit samples, as every allocation.
  g_autofree uint8_t *band = g_try_malloc (samples * odl_sample_size (info->type));

  rows.info.extent.y = scaled->height;
  rows.band = band;
  if (band == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("There is not enough memory to write the PNG file."));
  return encode (output, &rows, description, mark, error);
}
