// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/picture/exr.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include <openexr.h>

#include "base/error.h"

#define MOST_PARTS (1 + 3 * 16)

typedef struct {
  char *name; // NULL: the only part
  int left, top, width, height; // of all values
} Part;

typedef struct {
  OdlOutput *output;
  GError *error; // the first one
  exr_context_t exr;
  const float *samples; // all values, interleaved
  int width, height, channels;
  Part parts[MOST_PARTS];
  int n_parts;
} Writer;

static int64_t
write_cb (exr_const_context_t context,
          void *data,
          const void *buffer,
          uint64_t size,
          uint64_t offset,
          exr_stream_error_func_ptr_t error_cb)
{
  Writer *w = data;

  if (w->error != NULL)
    return -1;
  if (lseek (w->output->fd, (off_t) offset, SEEK_SET) < 0) {
    odl_output_set_error (w->output, errno, &w->error);
    return -1;
  }
  return odl_output_write (w->output, buffer, size, &w->error) ? (int64_t) size : -1;
}

static void
silent_cb (exr_const_context_t context, exr_result_t code, const char *message)
{
}

static bool
check (Writer *w, exr_result_t result)
{
  if (result == EXR_ERR_SUCCESS)
    return true;
  if (w->error == NULL)
    g_set_error (&w->error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("%s: the OpenEXR writer failed: %s."), w->output->shown,
                 exr_get_default_error_message (result));
  return false;
}

static int
low_count (int n)
{
  return (n + 1) / 2;
}

static void
add_part (Writer *w, char *name, int left, int top, int width, int height)
{
  if (width > 0 && height > 0 && w->n_parts < MOST_PARTS)
    w->parts[w->n_parts++] = (Part){ name, left, top, width, height };
  else
    g_free (name);
}

static char *
name_part (const OdlDetails *details, int level, int band)
{
  const int angle = odl_details_angle (details, band);

  return angle == 0 ? g_strdup_printf ("level%d.%s", level,
                                       odl_details_band_name (details, band))
                    : g_strdup_printf ("level%d.%d", level, angle);
}

// Bands lie where the picture of coefficients has them: what is left at the top left, and
// about it level after level, the finest outside.
static void
find_parts (Writer *w, const OdlDetails *details, int width, int height)
{
  if (details->levels == 0 || details->width == 0) {
    add_part (w, NULL, 0, 0, width, height);
    return;
  }
  add_part (w, name_part (details, details->levels, 0), 0, 0, details->width,
            details->height);
  for (int level = 1; level <= details->levels; level++) {
    const int across = low_count (width), down = low_count (height);
    add_part (w, name_part (details, level, 1), across, 0, width - across, down);
    add_part (w, name_part (details, level, 2), 0, down, across, height - down);
    add_part (w, name_part (details, level, 3), across, down, width - across,
              height - down);
    width = across;
    height = down;
  }
}

// All parts have to have the same display.
static exr_result_t
set_windows (Writer *w, int index, const Part *part)
{
  exr_attr_box2i_t display = { 0 }, own = { 0 };
  const exr_attr_v2f_t centre = { 0 };

  display.max.x = w->width - 1;
  display.max.y = w->height - 1;
  own.max.x = part->width - 1;
  own.max.y = part->height - 1;
  return exr_initialize_required_attr (w->exr, index, &display, &own, 1, &centre, 1,
                                       EXR_LINEORDER_INCREASING_Y, EXR_COMPRESSION_ZIP);
}

static bool
describe (Writer *w, const char *description)
{
  static const char *const names[] = { "R", "G", "B", "A" };
  bool done = true;

  for (int i = 0; i < w->n_parts && done; i++) {
    const Part *part = &w->parts[i];
    int index = 0;
    done = check (w, exr_add_part (w->exr, part->name, EXR_STORAGE_SCANLINE, &index))
           && check (w, set_windows (w, index, part))
           && check (w, exr_attr_set_string (w->exr, index, "comments", description))
           && check (w, exr_attr_set_string (w->exr, index, "software",
                                             "Ondelette " ODL_VERSION));
    for (int c = 0; c < w->channels && done; c++)
      done = check (w, exr_add_channel (w->exr, index, w->channels == 1 ? "Y" : names[c],
                                        EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR, 1, 1));
  }
  return done && check (w, exr_write_header (w->exr));
}

static int
channel_of (const char *name)
{
  switch (name[0]) {
  case 'G':
    return 1;
  case 'B':
    return 2;
  case 'A':
    return 3;
  default:
    return 0;
  }
}

// A chunk's rows, from row `y` of the part on.
static bool
write_chunk (Writer *w, int index, int y, exr_encode_pipeline_t *encoder, bool first)
{
  const Part *part = &w->parts[index];
  exr_chunk_info_t chunk;

  if (!check (w, exr_write_scanline_chunk_info (w->exr, index, y, &chunk))
      || !check (w, first ? exr_encoding_initialize (w->exr, index, &chunk, encoder)
                          : exr_encoding_update (w->exr, index, &chunk, encoder)))
    return false;
  for (int c = 0; c < encoder->channel_count; c++) {
    exr_coding_channel_info_t *channel = &encoder->channels[c];
    const float *from
        = w->samples
          + ((gsize) (part->top + y) * (gsize) w->width + (gsize) part->left)
                * (gsize) w->channels
          + channel_of (channel->channel_name);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_bytes_per_element = sizeof (float);
    channel->user_pixel_stride = (int32_t) sizeof (float) * w->channels;
    channel->user_line_stride = channel->user_pixel_stride * w->width;
    channel->encode_from_ptr = (const uint8_t *) from;
  }
  return (!first
          || check (w, exr_encoding_choose_default_routines (w->exr, index, encoder)))
         && check (w, exr_encoding_run (w->exr, index, encoder));
}

static bool
write_part (Writer *w, int index)
{
  exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
  int32_t rows = 1;
  bool done = check (w, exr_get_scanlines_per_chunk (w->exr, index, &rows));

  for (int y = 0; y < w->parts[index].height && done; y += rows)
    done = write_chunk (w, index, y, &encoder, y == 0);
  exr_encoding_destroy (w->exr, &encoder);
  return done;
}

static bool
write_file (Writer *w, const char *description)
{
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  bool done;

  settings.error_handler_fn = silent_cb;
  settings.write_fn = write_cb;
  settings.user_data = w;
  if (!check (w,
              exr_start_write (&w->exr, "out.exr", EXR_WRITE_FILE_DIRECTLY, &settings)))
    return false;
  done = describe (w, description);
  for (int i = 0; i < w->n_parts && done; i++)
    done = write_part (w, i);
  // Writes where the chunks are.
  return check (w, exr_finish (&w->exr)) && done;
}

// All values, interleaved. Transfer full.
static float *
gather (const OdlValues *values, GError **error)
{
  OdlRows *rows = values->rows;
  const OdlImageInfo *result = odl_image_info (rows->image);
  const gsize width = (gsize) result->extent.x, n = width * (gsize) result->channels;
  g_autofree float *all = g_try_new (float, n *(gsize) rows->height);
  g_autofree float *line = g_try_new (float, width);

  if (all == NULL || line == NULL)
    return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                           _ ("There is not enough memory to write the OpenEXR file."));
  for (;;) {
    for (int y = rows->first; y < rows->end; y++)
      odl_values_row (values, y, line, all + (gsize) y * n);
    if (rows->end == rows->height)
      return g_steal_pointer (&all);
    if (!rows->next (rows, error))
      return NULL;
  }
}

// Opacity is 0 … 1 in OpenEXR, whatever the scale of the colours, which are multiplied by
// it.
static void
multiply_by_opacity (const OdlImageInfo *source, float *samples, gsize n)
{
  const double least = source->stored_min, range = source->stored_max - least;

  for (gsize i = 0; i < n; i++, samples += 4) {
    samples[3] = (float) CLAMP ((samples[3] - least) / range, 0, 1);
    for (int c = 0; c < 3; c++)
      samples[c] *= samples[3];
  }
}

bool
odl_exr_encode (OdlOutput *output, const OdlValues *values, GError **error)
{
  const OdlImageInfo *result = odl_image_info (values->rows->image);
  Writer w = { .output = output,
               .width = result->extent.x,
               .height = values->rows->height,
               .channels = result->channels };

  if (!odl_output_make_seekable (output, error))
    return false;
  g_autofree float *samples = gather (values, error);
  if (samples == NULL)
    return false;
  if (w.channels == 4)
    multiply_by_opacity (odl_image_info (values->source), samples,
                         (gsize) w.width * (gsize) w.height);
  w.samples = samples;
  find_parts (&w, &values->details, w.width, w.height);
  const bool done = write_file (&w, values->description);
  for (int i = 0; i < w.n_parts; i++)
    g_free (w.parts[i].name);
  if (w.error != NULL)
    g_propagate_error (error, w.error);
  return done;
}
