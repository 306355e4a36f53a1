// SPDX-License-Identifier: MIT
// The numbers of a file beside its samples, and the range of them that filters and the
// picture take as full scale.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <sys/mman.h>

#include "decoder/picture.h"

#define MOST_PADDING 1e30

void
odl_number_range_init (OdlNumberRange *range, const OdlPicture *picture)
{
  const OdlDecoderReply *reply = &picture->reply;

  *range = (OdlNumberRange){ .least = { INFINITY, INFINITY },
                             .most = { -INFINITY, -INFINITY },
                             .has_padding = reply->has_padding,
                             .padding = { reply->padding[0], reply->padding[1] } };
}

// `sign` −1 looks from above.
static void
look_from (double outermost[2], size_t *count, double value, double sign)
{
  if (value == outermost[0]) {
    ++*count;
  } else if (sign * value < sign * outermost[0]) {
    outermost[1] = outermost[0];
    outermost[0] = value;
    *count = 1;
  } else if (sign * value < sign * outermost[1]) {
    outermost[1] = value;
  }
}

void
odl_number_range_add (OdlNumberRange *range, const float *values, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const double value = (double) values[i];
    if (range->has_padding && value >= range->padding[0] && value <= range->padding[1])
      continue;
    if (odl_number_is_missing (value)) {
      range->n_missing++;
      continue;
    }
    look_from (range->least, &range->n_least, value, 1);
    look_from (range->most, &range->n_most, value, -1);
  }
}

bool
odl_number_range_find (const OdlNumberRange *range, double ends[2], double *fill)
{
  const double *least = range->least, *most = range->most;

  ends[0] = least[0];
  ends[1] = most[0];
  *fill = NAN;
  if (least[0] > most[0])
    return false;
  if (range->n_least > MAX (range->n_most, 1) && least[1] < most[0]
      && least[1] - least[0] > most[0] - least[1]) {
    *fill = least[0];
    ends[0] = least[1];
  } else if (range->n_most > MAX (range->n_least, 1) && most[1] > least[0]
             && most[0] - most[1] > most[1] - least[0]) {
    *fill = most[0];
    ends[1] = most[1];
  }
  return true;
}

// ---- Beside the samples ----

// Whether samples of the picture hold every number of the type.
static bool
samples_hold (const OdlPicture *picture, OdlNumberType type)
{
  const bool floats = picture->reply.sample_type == ODL_SAMPLE_F32;

  return floats ? type == ODL_NUMBER_F16 || type == ODL_NUMBER_F32
                : type <= ODL_NUMBER_S16;
}

void *
odl_picture_set_number (OdlPicture *picture, OdlNumberType type, bool replaced)
{
  OdlDecoderReply *reply = &picture->reply;
  const size_t samples = (size_t) reply->width * reply->height * reply->channels;
  const size_t bytes = samples * odl_number_size (type);
  const uint64_t at = odl_decoder_numbers_offset (reply);

  g_return_val_if_fail (picture->pixels != NULL && picture->numbers == NULL, NULL);
  if (samples_hold (picture, type) && !replaced) {
    reply->number_type = type;
    return NULL;
  }
  void *numbers = at + bytes <= picture->memory
                      ? mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                              picture->memfd, (off_t) at)
                      : MAP_FAILED;
  if (numbers == MAP_FAILED) {
    odl_picture_warn (picture, _ ("it is too large to be kept in full precision: its "
                                  "numbers are rounded to 24 bits"));
    return NULL;
  }
  reply->number_type = type;
  reply->number_bytes = bytes;
  return picture->numbers = numbers;
}

void
odl_picture_set_padding (OdlPicture *picture, double one, double other)
{
  OdlDecoderReply *reply = &picture->reply;

  reply->has_padding = !odl_number_is_missing (one) && !odl_number_is_missing (other)
                       && fabs (one) < MOST_PADDING && fabs (other) < MOST_PADDING;
  reply->padding[0] = reply->has_padding ? MIN (one, other) : 0;
  reply->padding[1] = reply->has_padding ? MAX (one, other) : 0;
}

// ---- Full scale ----

void
odl_picture_extend_range (double range[2], const float *values, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!odl_number_is_missing ((double) values[i])) {
      range[0] = MIN (range[0], (double) values[i]);
      range[1] = MAX (range[1], (double) values[i]);
    }
}

void
odl_picture_settle_range (double range[2])
{
  if (range[0] > range[1] || (range[0] >= 0 && range[1] <= 1)) {
    range[0] = 0;
    range[1] = 1;
  } else if (range[0] == range[1]) {
    range[1] = range[0] + MAX (1, fabs (range[0]));
  }
}

bool
odl_picture_is_range (const double range[2])
{
  return !odl_number_is_missing (range[0]) && !odl_number_is_missing (range[1])
         && range[0] < range[1];
}

// What is shown and filtered in the place of what is no data; the file's own stays
// beside.
static void
replace_missing (OdlPicture *picture, float *values, size_t n, const double *range)
{
  const OdlNumberType type
      = picture->reply.number_type == ODL_NUMBER_F16 ? ODL_NUMBER_F16 : ODL_NUMBER_F32;
  char *own
      = picture->numbers == NULL ? odl_picture_set_number (picture, type, true) : NULL;

  for (size_t i = 0; own != NULL && i < n; i++)
    odl_number_move (ODL_NUMBER_F32, &values[i], type, own + i * odl_number_size (type));
  for (size_t i = 0; i < n; i++)
    if (odl_number_is_missing (values[i]))
      values[i] = (float) (values[i] > 0 ? range[1] : range[0]);
}

static void
say_what_counts_not (OdlPicture *picture, const OdlNumberRange *found, double fill)
{
  if (found->n_missing > 0)
    odl_picture_warn (
        picture,
        ngettext ("%zu sample is not a number, infinite or marks missing data "
                  "(3e38 and more); where it is shown or filtered, it is replaced",
                  "%zu samples are not numbers, infinite or mark missing data "
                  "(3e38 and more); where it is shown or filtered, they are "
                  "replaced",
                  (gulong) found->n_missing),
        found->n_missing);
  if (!isnan (fill))
    odl_picture_warn (picture,
                      _ ("its value %.9g lies farther from all others than these lie "
                         "apart and is taken for fill: full scale is the range of the "
                         "others"),
                      fill * picture->reply.slope + picture->reply.intercept);
  if (found->has_padding)
    odl_picture_warn (picture, _ ("full scale is the range of what is not its padding"));
}

void
odl_picture_finish_numbers (OdlPicture *picture,
                            const double *declared,
                            const OdlNumberRange *found)
{
  float *values = picture->pixels;
  const size_t n = picture->reply.data_bytes / sizeof (float);
  double range[2], fill = NAN;
  OdlNumberRange own;

  odl_number_range_init (&own, picture);
  odl_number_range_add (&own, values, n);
  if (found == NULL)
    found = &own;
  if (declared != NULL && odl_picture_is_range (declared)) {
    range[0] = declared[0];
    range[1] = declared[1];
  } else {
    odl_number_range_find (found, range, &fill);
    odl_picture_settle_range (range);
  }
  if (own.n_missing > 0)
    replace_missing (picture, values, n, range);
  // Of several frames the first one tells of all.
  say_what_counts_not (picture, found->n_missing > own.n_missing ? found : &own, fill);
  picture->reply.stored_min = range[0];
  picture->reply.stored_max = range[1];
}

void
odl_picture_finish_floats (OdlPicture *picture, const double *declared)
{
  odl_picture_finish_numbers (picture, declared, NULL);
}
