// SPDX-License-Identifier: MIT
#include "source/helper/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "decoder/protocol.h"
#include "image/image.h"
#include "image/numbers.h"

// What an answer of the decoder says about its picture besides: further windows, regions
// with scales of their own, a shutter.

#define HUGE_NUMBER 1e30

static bool
is_number (double value)
{
  return isfinite (value) && fabs (value) <= HUGE_NUMBER;
}

// Whether the numbers in the header can be.
static bool
odl_decoder_details_is_sane (const OdlDecoderReply *header)
{
  return header->n_windows <= ODL_DECODER_MAX_WINDOWS
         && header->n_regions <= ODL_DECODER_MAX_REGIONS && header->has_shutter <= 1
         && header->n_window_levels <= ODL_DECODER_MAX_TABLES * ODL_CURVE_MAX_LEVELS
         && (header->n_window_levels == 0 || header->n_windows > 0)
         && (header->n_windows == 0 || header->channels == 1)
         && header->shutter_level >= 0 && header->shutter_level <= 1;
}

// ---- windows -------------------------------------------------------------------------

// `levels`: those of this window and the following ones, `n_levels` of them.
static bool
read_window (const OdlDecoderWindow *from,
             const float *levels,
             uint32_t n_levels,
             OdlFileWindow *to)
{
  if (memchr (from->name, '\0', sizeof from->name) == NULL
      || !g_utf8_validate (from->name, -1, NULL))
    return false;
  to->name = (char *) from->name;
  if (from->n_levels == 0) {
    to->centre = from->centre;
    to->width = from->width;
    return is_number (to->centre) && is_number (to->width) && to->width > 0;
  }
  if (from->n_levels > n_levels || !is_number (from->first) || !is_number (from->last)
      || !(from->first < from->last))
    return false;
  to->first = from->first;
  to->last = from->last;
  to->curve = odl_curve_new (levels, (int) from->n_levels);
  return to->curve != NULL;
}

static bool
read_windows (const OdlDecoderReply *header, const char *data, OdlImageInfo *info)
{
  const OdlDecoderWindow *from
      = (const void *) (data + odl_decoder_windows_offset (header));
  const float *levels = (const void *) (data + odl_decoder_tables_offset (header));
  OdlFileWindow items[ODL_DECODER_MAX_WINDOWS] = { 0 };
  uint32_t at = 0;
  bool sane = true;

  for (uint32_t i = 0; sane && i < header->n_windows; i++) {
    sane = read_window (&from[i], levels + at, header->n_window_levels - at, &items[i]);
    at += sane ? from[i].n_levels : 0;
  }
  sane = sane && at == header->n_window_levels;
  if (sane && header->n_windows > 0)
    info->windows = odl_file_windows_new (items, (int) header->n_windows);
  for (uint32_t i = 0; i < header->n_windows; i++)
    odl_curve_unref (items[i].curve);
  return sane;
}

// ---- regions -------------------------------------------------------------------------

static bool
read_region (const OdlDecoderReply *header, const OdlDecoderRegion *from, OdlRegion *to)
{
  if (from->left >= from->right || from->right > header->width
      || from->top >= from->bottom || from->bottom > header->height
      || from->kind >= ODL_N_REGION_KINDS || from->has_reference > 1)
    return false;
  *to = (OdlRegion){ .left = (int) from->left,
                     .top = (int) from->top,
                     .right = (int) from->right,
                     .bottom = (int) from->bottom,
                     .kind = (OdlRegionKind) from->kind,
                     .has_reference = from->has_reference };
  for (int i = 0; i < 2; i++) {
    if (from->unit[i] >= ODL_N_REGION_UNITS || !is_number (from->delta[i])
        || !is_number (from->reference[i]) || !is_number (from->value[i])
        || (from->unit[i] != ODL_REGION_NO_UNIT && from->delta[i] == 0))
      return false;
    to->unit[i] = (OdlRegionUnit) from->unit[i];
    to->delta[i] = from->delta[i];
    to->reference[i] = from->reference[i];
    to->value[i] = from->value[i];
  }
  return true;
}

static bool
read_regions (const OdlDecoderReply *header, const char *data, OdlImageInfo *info)
{
  const OdlDecoderRegion *from
      = (const void *) (data + odl_decoder_regions_offset (header));
  OdlRegion items[ODL_DECODER_MAX_REGIONS];

  for (uint32_t i = 0; i < header->n_regions; i++)
    if (!read_region (header, &from[i], &items[i]))
      return false;
  if (header->n_regions > 0)
    info->regions = odl_regions_new (items, (int) header->n_regions);
  return true;
}

// Puts it into `info`, from the mapped memory file `data`, whose size has been checked.
// False: invalid; what was put there is to be released all the same.
static bool
odl_decoder_details_read (const OdlDecoderReply *header,
                          const void *data,
                          OdlImageInfo *info)
{
  if (!read_windows (header, data, info) || !read_regions (header, data, info))
    return false;
  if (header->has_shutter)
    info->shutter
        = odl_overlay_new ((int) header->width, (int) header->height,
                           (const uint8_t *) data + odl_decoder_shutter_offset (header));
  info->shutter_level = header->shutter_level;
  return true;
}

static void
odl_decoder_details_release (OdlImageInfo *info)
{
  odl_file_windows_unref (info->windows);
  odl_regions_unref (info->regions);
  odl_overlay_unref (info->shutter);
  info->windows = NULL;
  info->regions = NULL;
  info->shutter = NULL;
}

// Up to this size pixels are copied.
#define SMALL_BYTES ((size_t) 256 << 10)

// About thirty years.
#define MAX_TIME_NS 1000000000000000000

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

typedef struct {
  void *data;
  size_t size;
} Mapping;

static void
unmap_cb (void *data)
{
  Mapping *mapping = data;

  munmap (mapping->data, mapping->size);
  g_free (mapping);
}

static bool
split_text (OdlDecoderAnswer *answer, OdlDecoderTexts *texts)
{
  const OdlDecoderReply *header = &answer->header;
  size_t n = ODL_DECODER_N_TEXTS + 2 * (size_t) header->n_details;
  const char *at = answer->text;
  const char *end = at + header->text_bytes;

  if (header->n_details > ODL_DECODER_MAX_DETAILS)
    return false;
  for (size_t i = 0; i < n; i++) {
    const char *stop = at < end ? memchr (at, '\0', (size_t) (end - at)) : NULL;
    if (stop == NULL || !g_utf8_validate (at, stop - at, NULL))
      return false;
    if (i < ODL_DECODER_N_TEXTS)
      texts->fixed[i] = at;
    else
      texts->details[i - ODL_DECODER_N_TEXTS] = at;
    at = stop + 1;
  }
  return at == end;
}

static bool
within (double value, double minimum, double maximum)
{
  return isfinite (value) && value >= minimum && value <= maximum;
}

static bool
beams_are_sane (const OdlDecoderReply *header)
{
  static const OdlBeams none;

  return memcmp (&header->beams, &none, sizeof none) == 0
         || (header->channels == 1
             && odl_beams_are_sound (&header->beams, (int) header->width,
                                     (int) header->height));
}

static bool
numbers_are_sane (const OdlDecoderReply *header)
{
  const double huge = 1e30;
  const double sample = (double) G_MAXFLOAT;

  return within (header->stored_min, -sample, sample)
         && within (header->stored_max, -sample, sample)
         && header->stored_min < header->stored_max && within (header->slope, -huge, huge)
         && header->slope != 0 && within (header->intercept, -huge, huge)
         && header->has_window <= 1 && header->inverse <= 1
         && (!header->has_window
             || (within (header->window_centre, -huge, huge)
                 && within (header->window_width, 0, huge) && header->window_width > 0))
         && within (header->spacing_mm[0], 0, 1e6)
         && within (header->spacing_mm[1], 0, 1e6)
         && within (header->spacing_mm[2], 0, 1e6)
         && header->spacing_place < ODL_N_SPACING_PLACES && beams_are_sane (header)
         && (header->n_slices == 0 || header->n_frames % header->n_slices == 0)
         && within (header->pixel_aspect, 0.001, 1000)
         && within (header->frame_rate, 0, 1e7) && header->n_frames >= 1
         && header->n_frames <= ODL_DECODER_MAX_FRAMES
         && (header->n_times == 0 || header->n_times == header->n_frames + 1)
         && header->voi_function < ODL_N_VOI_FUNCTIONS && header->has_overlay <= 1
         && (header->n_levels == 0
             || (header->n_levels >= 2 && header->n_levels <= ODL_CURVE_MAX_LEVELS
                 && header->channels == 1 && within (header->levels_first, -huge, huge)
                 && within (header->levels_last, -huge, huge)
                 && header->levels_first < header->levels_last))
         && header->has_padding <= 1
         && (!header->has_padding
             || (within (header->padding[0], -huge, huge)
                 && within (header->padding[1], header->padding[0], huge)))
         && header->has_found <= 1
         && (!header->has_found
             || (within (header->found[0], -huge, huge)
                 && within (header->found[1], header->found[0], huge)))
         && odl_decoder_details_is_sane (header) && header->declared_frames <= G_MAXINT;
}

static bool
has_surface (const OdlDecoderReply *header)
{
  return header->surface_degree[0] > 0;
}

static OdlSurfaceShape
surface_shape (const OdlDecoderReply *header)
{
  return (OdlSurfaceShape){
    .points = { (int) header->width, (int) header->height },
    .degree = { (int) header->surface_degree[0], (int) header->surface_degree[1] },
    .rational = header->surface_is_rational,
  };
}

// Width and height must have been checked.
static bool
surface_is_sane (const OdlDecoderReply *header)
{
  const OdlSurfaceShape shape = surface_shape (header);

  return header->surface_degree[0] <= ODL_SURFACE_MAX_DEGREE
         && header->surface_degree[1] <= ODL_SURFACE_MAX_DEGREE
         && header->surface_is_rational <= 1
         && (!has_surface (header)
             || (header->channels == 3 && header->sample_type == ODL_SAMPLE_F32
                 && header->n_times == 0 && header->n_levels == 0 && !header->has_overlay
                 && !odl_decoder_says_more (header) && odl_surface_count (&shape) > 0));
}

static bool
shape_is_sane (const OdlDecoderReply *header)
{
  size_t factors[] = { header->width, header->height, header->channels, 0 };
  size_t bytes = 0;

  if (header->sample_type > ODL_SAMPLE_F32 || header->width == 0 || header->height == 0
      || header->width > ODL_IMAGE_MAX_SIDE || header->height > ODL_IMAGE_MAX_SIDE
      || (header->channels != 1 && header->channels != 3 && header->channels != 4))
    return false;
  factors[3] = odl_sample_size ((OdlSampleType) header->sample_type);
  return odl_size_product (factors, G_N_ELEMENTS (factors), &bytes)
         && bytes == header->data_bytes;
}

// Samples of the type `sample` hold numbers of the type `number`.
static bool
holds (OdlSampleType sample, OdlNumberType number)
{
  switch (sample) {
  case ODL_SAMPLE_U8:
    return number == ODL_NUMBER_BOOL || number == ODL_NUMBER_U8;
  case ODL_SAMPLE_U16:
    return number == ODL_NUMBER_U16;
  case ODL_SAMPLE_S16:
    return number == ODL_NUMBER_S8 || number == ODL_NUMBER_S16;
  case ODL_SAMPLE_F32:
    return number == ODL_NUMBER_F16 || number == ODL_NUMBER_F32;
  }
  return false;
}

// Shape and type must have been checked.
static bool
numbers_fit (const OdlDecoderReply *header)
{
  const size_t factors[] = { header->width, header->height, header->channels,
                             header->number_type < ODL_N_NUMBERS
                                 ? odl_number_size ((OdlNumberType) header->number_type)
                                 : 0 };
  size_t bytes = 0;

  if (header->number_type == ODL_NUMBER_UNKNOWN)
    return header->number_bytes == 0;
  if (header->number_bytes > 0)
    return header->sample_type == ODL_SAMPLE_F32 && factors[3] > 0
           && odl_size_product (factors, G_N_ELEMENTS (factors), &bytes)
           && bytes == header->number_bytes;
  return factors[3] > 0
         && holds ((OdlSampleType) header->sample_type,
                   (OdlNumberType) header->number_type);
}

// Width and height must have been checked.
static uint64_t
file_bytes (const OdlDecoderReply *header)
{
  if (has_surface (header)) {
    const OdlSurfaceShape shape = surface_shape (header);
    return odl_decoder_times_offset (header)
           + odl_surface_count (&shape) * sizeof (double);
  }
  return odl_decoder_file_bytes (header);
}

// The memory file must have the size given in the header and be sealed.
static bool
file_is_sane (const OdlDecoderAnswer *answer)
{
  struct stat status;
  int seals = answer->memfd >= 0 ? fcntl (answer->memfd, F_GET_SEALS) : -1;

  return seals >= 0 && (seals & SEALS) == SEALS && fstat (answer->memfd, &status) == 0
         && S_ISREG (status.st_mode) && status.st_size >= 0
         && (uint64_t) status.st_size == file_bytes (&answer->header);
}

static bool
frame_is_sane (const OdlDecoderAnswer *answer)
{
  const OdlDecoderReply *header = &answer->header;

  return answer->n_bytes >= sizeof *header && header->magic == ODL_DECODER_MAGIC
         && header->version == ODL_DECODER_VERSION
         && header->text_bytes == answer->n_bytes - sizeof *header;
}

bool
odl_decoder_answer_check (OdlDecoderAnswer *answer,
                          OdlDecoderTexts *texts,
                          bool *healthy,
                          GError **error)
{
  const OdlDecoderReply *header = &answer->header;
  bool sane = frame_is_sane (answer) && split_text (answer, texts);

  if (sane && header->status != ODL_DECODER_OK && texts->fixed[0][0] != '\0'
      && header->status >= 0 && header->status <= ODL_ERROR_END) {
    g_set_error_literal (error, ODL_ERROR, header->status,
                         texts->fixed[ODL_DECODER_TEXT_MESSAGE]);
    *healthy = true;
    return false;
  }
  if (sane && header->status == ODL_DECODER_OK && numbers_are_sane (header)
      && shape_is_sane (header) && numbers_fit (header) && surface_is_sane (header)
      && file_is_sane (answer))
    return true;
  odl_helper_set_invalid_answer (error);
  return false;
}

static OdlPlane
plane_of (const OdlDecoderReply *header, const void *data, size_t sample, uint32_t c)
{
  const size_t pixel = sample * header->channels, row = pixel * header->width;

  return (OdlPlane){ (const char *) data + c * sample, pixel, row, row * header->height,
                     row * header->height };
}

static void
set_numbers (const OdlDecoderReply *header, const void *data, OdlImage *image)
{
  const OdlNumberType type = (OdlNumberType) header->number_type;
  OdlNumbers numbers = {
    .type = type,
    .held = type,
    .padding = { header->has_padding, header->padding[0], header->padding[1] },
  };

  for (uint32_t c = 0; header->number_bytes > 0 && c < header->channels; c++)
    numbers.planes[c]
        = plane_of (header, (const char *) data + odl_decoder_numbers_offset (header),
                    odl_number_size (type), c);
  odl_image_set_numbers (image, &numbers);
}

// Waves of whole numbers have the range of their type, as the phantom's, however large
// the largest is; amplitudes count from 0, and floats of 0 … 1 are shares.
static void
set_beam_range (OdlImageInfo *info)
{
  const gint64 content = info->beams.content;
  const bool waves = content == ODL_BEAMS_WAVES || content == ODL_BEAMS_COMPLEX;
  const bool counts_from_0 = content == ODL_BEAMS_AMPLITUDES
                             || (content == ODL_BEAMS_DECIBELS && info->stored_min >= 0
                                 && info->stored_max <= 1);

  if (waves && info->type == ODL_SAMPLE_S16) {
    info->stored_min = G_MININT16;
    info->stored_max = G_MAXINT16;
  } else if (counts_from_0 && info->stored_max > 0) {
    info->stored_min = 0;
    if (info->type == ODL_SAMPLE_F32)
      info->stored_max = MAX (info->stored_max, 1);
  }
}

static OdlImageInfo
describe (const OdlDecoderReply *header, const OdlDecoderTexts *texts, const void *data)
{
  size_t sample_size = odl_sample_size ((OdlSampleType) header->sample_type);
  OdlImageInfo info = {
    .extent = { (int) header->width, (int) header->height, 1, 1 },
    .channels = (int) header->channels,
    .type = (OdlSampleType) header->sample_type,
    .stored_min = header->stored_min,
    .stored_max = header->stored_max,
    .value_map = {
      .slope = header->slope,
      .intercept = header->intercept,
      .has_window = header->has_window,
      .window_centre = header->window_centre,
      .window_width = header->window_width,
      .function = (OdlVoiFunction) header->voi_function,
      .inverse = header->inverse,
    },
    .spacing_mm
    = { header->spacing_mm[0], header->spacing_mm[1], header->spacing_mm[2] },
    .spacing_place = (OdlSpacingPlace) header->spacing_place,
    .beams = header->beams,
    .frame_interval_ms = header->frame_rate > 0 ? 1000 / header->frame_rate : 0,
    .pixel_aspect = header->pixel_aspect,
  };
  const char *mark = texts->fixed[ODL_DECODER_TEXT_MARK];
  const char *unit = texts->fixed[ODL_DECODER_TEXT_UNIT];

  if (info.beams.array != ODL_BEAMS_NONE) {
    odl_beams_describe (&info.beams, info.extent.x, info.extent.y, info.spacing_mm,
                        &info.pixel_aspect);
    set_beam_range (&info);
  }
  for (uint32_t c = 0; c < header->channels; c++)
    info.planes[c] = plane_of (header, data, sample_size, c);
  if (strlen (unit) < sizeof info.value_map.unit)
    g_strlcpy (info.value_map.unit, unit, sizeof info.value_map.unit);
  info.mark = *mark != '\0' ? mark : NULL;
  return info;
}

static OdlImage *
wrap (const OdlDecoderAnswer *answer,
      const OdlDecoderTexts *texts,
      void *data,
      GDestroyNotify release,
      void *release_data,
      GError **error)
{
  const OdlDecoderReply *header = &answer->header;
  OdlImageInfo info = describe (header, texts, data);
  OdlCurve *curve = NULL;
  OdlOverlay *overlay = NULL;
  g_autoptr (OdlSurface) surface = NULL;

  if (has_surface (header)) {
    const OdlSurfaceShape shape = surface_shape (header);
    info.surface = surface = odl_surface_new (
        &shape,
        (const double *) (const void *) ((const char *) data
                                         + odl_decoder_times_offset (header)),
        NULL);
  }
  if (header->n_levels > 0) {
    curve = odl_curve_new (
        (const float *) (const void *) ((const char *) data
                                        + odl_decoder_levels_offset (header)),
        (int) header->n_levels);
    info.value_map.curve = curve;
    info.value_map.curve_first = header->levels_first;
    info.value_map.curve_last = header->levels_last;
  }
  if (header->has_overlay)
    info.overlay = overlay
        = odl_overlay_new ((int) header->width, (int) header->height,
                           (const uint8_t *) data + odl_decoder_overlay_offset (header));
  const bool sane = odl_decoder_details_read (header, data, &info);
  OdlImage *image = NULL;
  if (!sane || (header->n_levels > 0 && curve == NULL)
      || (has_surface (header) && surface == NULL))
    odl_helper_set_invalid_answer (error);
  else
    image = odl_image_wrap (&info, release, release_data, error);
  if (image != NULL)
    set_numbers (header, data, image);
  odl_curve_unref (curve);
  odl_overlay_unref (overlay);
  odl_decoder_details_release (&info);
  if (image == NULL)
    release (release_data);
  return image;
}

OdlImage *
odl_decoder_answer_image (const OdlDecoderAnswer *answer,
                          const OdlDecoderTexts *texts,
                          GError **error)
{
  size_t size = file_bytes (&answer->header);
  void *data = mmap (NULL, size, PROT_READ, MAP_SHARED, answer->memfd, 0);

  if (data == MAP_FAILED)
    return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                           _ ("there is not enough memory for its pixels (%s)"),
                           g_strerror (errno));

  // A process may have only some ten thousand mappings: copy small pictures.
  if (size <= SMALL_BYTES) {
    void *copy = g_memdup2 (data, size);
    munmap (data, size);
    return wrap (answer, texts, copy, g_free, copy, error);
  }
  Mapping *mapping = g_new (Mapping, 1);
  *mapping = (Mapping){ data, size };
  return wrap (answer, texts, data, unmap_cb, mapping, error);
}

int64_t *
odl_decoder_answer_times (const OdlDecoderAnswer *answer, const OdlImage *image)
{
  const OdlDecoderReply *header = &answer->header;
  const char *data = odl_image_info (image)->planes[0].data;
  const size_t n = header->n_times;

  if (n == 0)
    return NULL;
  int64_t *times
      = g_memdup2 (data + odl_decoder_times_offset (header), n * sizeof *times);
  bool sane = times[0] == 0 && times[n - 1] <= MAX_TIME_NS;
  for (size_t i = 1; sane && i < n; i++)
    sane = times[i] > times[i - 1];
  if (!sane)
    g_clear_pointer (&times, g_free);
  return times;
}

const char *
odl_decoder_answer_request (const OdlDecoderAnswer *answer)
{
  const OdlDecoderReply *header = &answer->header;

  return frame_is_sane (answer) && header->status == ODL_DECODER_WANTS_FILE
                 && header->text_bytes > 0 && header->text_bytes <= ODL_DECODER_MAX_NAME
                 && memchr (answer->text, '\0', header->text_bytes)
                        == answer->text + header->text_bytes - 1
             ? answer->text
             : NULL;
}
