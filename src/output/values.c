// SPDX-License-Identifier: MIT
#include "output/values.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

// Of a slope that is no whole number, the types whose values are all tried.
#define MOST_TRIED 65536

// All whole numbers up to this one are floats of single precision.
#define SINGLE_WHOLE 16777216.0

void
odl_values_ends (const OdlImage *source, double ends[2])
{
  const OdlImageInfo *info = odl_image_info (source);
  const OdlValueMap *map = &info->value_map;

  ends[0] = map->slope * info->stored_min + map->intercept;
  ends[1] = ends[0] + map->slope * (info->stored_max - info->stored_min);
}

// Columns from there on are detail coefficients.
static int
details_from (const OdlValues *values, int y, int width)
{
  if (values->details.levels == 0)
    return width;
  return y < values->details.height ? values->details.width : 0;
}

// Samples as fractions have seven digits, of which values of 16 bits take five; so those
// that are still whole numbers of a file's, but for the rounding of two products, are
// written as these.
static double
exact_share (const OdlImageInfo *source, const OdlImageInfo *result, float sample)
{
  const bool is_stored = result->type != ODL_SAMPLE_F32;
  const OdlImageInfo *whole = is_stored ? result : source;
  const double steps = whole->stored_max - whole->stored_min;
  const double place = (double) sample * steps, nearest = rint (place);

  if (whole->type == ODL_SAMPLE_F32
      || (!is_stored && fabs (place - nearest) > fabs (place) * 1.3e-7))
    return (double) sample;
  return nearest / steps;
}

void
odl_values_row (const OdlValues *values, int y, float *line, float *row)
{
  const OdlImageInfo *source = odl_image_info (values->source);
  const OdlImageInfo *result = odl_image_info (values->rows->image);
  const int details = details_from (values, y, result->extent.x);
  double ends[2];

  odl_values_ends (values->source, ends);
  for (int c = 0; c < result->channels; c++) {
    const double gain
        = c == 3 ? source->stored_max - source->stored_min : ends[1] - ends[0];
    const double zero = c == 3 ? source->stored_min : ends[0];

    odl_image_scaled_row (values->rows->image, c, y - values->rows->top, 0, 0, line);
    for (int x = 0; x < result->extent.x; x++) {
      const double offset = c < 3 && x >= details ? 0.0 : zero;
      row[(gsize) x * result->channels + c]
          = values->damaged
                ? NAN
                : (float) (exact_share (source, result, line[x]) * gain + offset);
    }
  }
}

// ---- As numbers of a file ----

static bool
is_untouched (const OdlValues *values)
{
  const OdlImageInfo *source = odl_image_info (values->source);
  const OdlImageInfo *result = odl_image_info (values->rows->image);

  return values->untouched && !values->damaged && values->details.levels == 0
         && source->mark == NULL && !result->ycbcr.used && result->type == source->type
         && result->stored_min == source->stored_min
         && result->stored_max == source->stored_max;
}

// Alpha and colours have no value map.
static bool
is_mapped (const OdlValueMap *map)
{
  return map->slope != 1 || map->intercept != 0;
}

static bool
is_single (double value)
{
  return (double) (float) value == value;
}

// The first type of the room that holds all numbers of `type`; floats where none does.
static OdlNumberType
widen (OdlNumberType type, guint32 types)
{
  const bool floats = odl_number_is_float (type);
  double ends[2];

  if ((types & ODL_HOLDS (type)) != 0)
    return type;
  odl_number_ends (type, ends);
  for (OdlNumberType wide = ODL_NUMBER_U8; wide <= ODL_NUMBER_S64 && !floats; wide++) {
    double room[2];
    odl_number_ends (wide, room);
    if ((types & ODL_HOLDS (wide)) != 0 && ends[0] >= room[0] && ends[1] <= room[1])
      return wide;
  }
  const bool small = floats ? type != ODL_NUMBER_F64
                            : ends[0] >= -SINGLE_WHOLE && ends[1] <= SINGLE_WHOLE;
  return small || (types & ODL_HOLDS (ODL_NUMBER_F64)) == 0 ? ODL_NUMBER_F32
                                                            : ODL_NUMBER_F64;
}

// Of the numbers that are there, and the range that the source is said to have.
static void
find_ends (const OdlValues *values, double ends[2])
{
  const OdlImage *image = values->rows->image;
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree double *row = g_new (double, info->extent.x);

  ends[0] = info->stored_min;
  ends[1] = info->stored_max;
  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++) {
      odl_image_numbers_span (image, c, 0, info->extent.x, y, 0, row);
      for (int x = 0; x < info->extent.x; x++) {
        ends[0] = fmin (ends[0], row[x]);
        ends[1] = fmax (ends[1], row[x]);
      }
    }
}

static bool
are_single (const double ends[2], const OdlValueMap *map)
{
  if (ends[1] - ends[0] >= MOST_TRIED)
    return false;
  for (double number = ends[0]; number <= ends[1]; number++)
    if (!is_single (map->slope * number + map->intercept))
      return false;
  return true;
}

// The smallest type that holds values.
static OdlNumberType
type_of_values (const OdlValues *values, OdlNumberType own, OdlSure sure)
{
  const OdlValueMap *map = &odl_image_info (values->source)->value_map;
  double ends[2];

  if (sure >= ODL_SURE_OF_VALUES || odl_number_is_float (own))
    return ODL_NUMBER_F64;
  odl_number_ends (own, ends);
  if (map->slope != rint (map->slope) || map->intercept != rint (map->intercept))
    return are_single (ends, map) ? ODL_NUMBER_F32 : ODL_NUMBER_F64;
  if (sure == ODL_SURE_OF_THIS)
    find_ends (values, ends);
  const double one = map->slope * ends[0] + map->intercept;
  const double other = map->slope * ends[1] + map->intercept;
  return odl_number_for_range (fmin (one, other), fmax (one, other));
}

OdlNumberForm
odl_values_form (const OdlValues *values, const OdlNumberRoom *room, OdlSure sure)
{
  const OdlImageInfo *info = odl_image_info (values->rows->image);
  const OdlValueMap *map = &odl_image_info (values->source)->value_map;
  const bool mapped = info->channels == 1 && is_mapped (map);
  OdlNumberForm form = { ODL_NUMBER_F32, .slope = 1 };

  if (!is_untouched (values) || sure == ODL_SURE_OF_ALL)
    return form;
  const OdlNumberType own = odl_image_numbers (values->rows->image).type;
  form.exact = true;
  if (values->floats)
    return form;
  form.stored = !mapped
                || (sure < ODL_SURE_OF_VALUES && room->scales && is_single (map->slope)
                    && is_single (map->intercept));
  form.type = widen (form.stored ? own : type_of_values (values, own, sure), room->types);
  if (form.stored && mapped) {
    form.slope = map->slope;
    form.intercept = map->intercept;
  }
  return form;
}

bool
odl_values_refuse (GError **error)
{
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("its pages hold numbers of different types"));
}

OdlSure
odl_values_sure (const OdlNumberForm *page, const OdlNumberForm *first, OdlSure sure)
{
  const bool whole
      = !odl_number_is_float (page->type) && !odl_number_is_float (first->type);

  // Floats take what is no number.
  if (!first->exact || !page->exact)
    return first->type == ODL_NUMBER_F32 ? sure : ODL_SURE_OF_ALL;
  if (page->stored == first->stored && page->slope == first->slope
      && page->intercept == first->intercept && (whole || page->type == first->type))
    return sure;
  return MAX (sure + 1, ODL_SURE_OF_VALUES);
}

static bool
fits (double value, OdlNumberType type)
{
  double ends[2];

  if (odl_number_is_float (type))
    return true;
  odl_number_ends (type, ends);
  return value >= ends[0] && value <= ends[1];
}

// Copies rows whose numbers stand as the form has them, one behind the other. False:
// they do not.
static bool
copy_rows (const OdlValues *values, const OdlNumberForm *form, int y, int n, char *rows)
{
  const OdlImage *image = values->rows->image;
  const OdlImageInfo *info = odl_image_info (image);
  const OdlNumbers numbers = odl_image_numbers (image);
  const size_t size = odl_number_size (form->type), step = size * (size_t) info->channels;
  const size_t bytes = (size_t) info->extent.x * step;
  const size_t stride = numbers.planes[0].row_stride_bytes;
  const char *first = numbers.planes[0].data;

  if (numbers.held != form->type || !(form->stored || info->channels > 1))
    return false;
  for (int c = 0; c < info->channels; c++) {
    const OdlPlane *plane = &numbers.planes[c];
    if ((const char *) plane->data != first + (size_t) c * size
        || plane->sample_stride_bytes != step || plane->row_stride_bytes != stride)
      return false;
  }
  // Rows without a gap are one block.
  const size_t whole = stride == bytes ? (size_t) n * bytes : bytes;
  for (size_t done = 0; done < (size_t) n * bytes; done += whole)
    memcpy (rows + done, first + (size_t) y * stride + done / bytes * stride, whole);
  return true;
}

static bool
put_channel (const OdlValues *values,
             const OdlNumberForm *form,
             int channel,
             int y,
             double *line,
             char *row)
{
  const OdlImage *image = values->rows->image;
  const OdlImageInfo *info = odl_image_info (image);
  const OdlValueMap *map = &odl_image_info (values->source)->value_map;
  const bool as_it_is = form->stored || info->channels > 1;
  const OdlNumbers numbers = odl_image_numbers (image);
  const OdlPlane *plane = &numbers.planes[channel];
  const size_t size = odl_number_size (form->type), step = size * (size_t) info->channels;
  const char *from = (const char *) plane->data + (size_t) y * plane->row_stride_bytes;
  const bool copies = as_it_is && numbers.held == form->type;
  bool all = true;

  if (!copies)
    odl_image_numbers_span (image, channel, 0, info->extent.x, y, 0, line);
  for (int x = 0; x < info->extent.x; x++) {
    char *to = row + (size_t) x * step + (size_t) channel * size;
    if (copies) {
      memcpy (to, from + (size_t) x * plane->sample_stride_bytes, size);
      continue;
    }
    const double value = as_it_is ? line[x] : map->slope * line[x] + map->intercept;
    if (fits (value, form->type))
      odl_number_put (form->type, value, to);
    else
      all = false;
  }
  return all;
}

bool
odl_values_numbers (const OdlValues *values,
                    const OdlNumberForm *form,
                    int y,
                    int n,
                    double *line,
                    void *rows)
{
  const OdlImageInfo *info = odl_image_info (values->rows->image);
  const bool untouched = is_untouched (values);
  const size_t number = untouched ? odl_number_size (form->type) : sizeof (float);
  const size_t bytes = (size_t) info->extent.x * (size_t) info->channels * number;
  char *row = rows;
  bool all = true;

  if (untouched && copy_rows (values, form, y - values->rows->top, n, rows))
    return true;
  for (int end = y + n; y < end; y++, row += bytes) {
    if (!untouched)
      odl_values_row (values, y, (float *) (void *) line, (float *) (void *) row);
    for (int c = 0; untouched && c < info->channels; c++)
      all = put_channel (values, form, c, y - values->rows->top, line, row) && all;
  }
  return all;
}
