// SPDX-License-Identifier: MIT
#include "decoder/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

static const struct {
  size_t size;
  double minimum;
  double maximum;
} samples[] = {
  [ODL_SAMPLE_U8] = { 1, 0, 255 },
  [ODL_SAMPLE_U16] = { 2, 0, 65535 },
  [ODL_SAMPLE_S16] = { 2, -32768, 32767 },
  [ODL_SAMPLE_F32] = { 4, 0, 1 },
};

void
odl_picture_init (OdlPicture *picture, size_t memory)
{
  *picture = (OdlPicture){
    .reply = {
      .magic = ODL_DECODER_MAGIC,
      .version = ODL_DECODER_VERSION,
      .n_frames = 1,
      .declared_frames = 1,
      .slope = 1,
      .pixel_aspect = 1,
    },
    .memory = memory,
    .memfd = -1,
    .warning = g_string_new (NULL),
    .details = g_ptr_array_new_with_free_func (g_free),
  };
}

void
odl_picture_clear (OdlPicture *picture)
{
  if (picture->pixels != NULL)
    munmap (picture->pixels, picture->reply.data_bytes);
  if (picture->numbers != NULL)
    munmap (picture->numbers, picture->reply.number_bytes);
  if (picture->memfd >= 0)
    close (picture->memfd);
  g_free (picture->format);
  g_free (picture->unit);
  g_free (picture->timing);
  g_free (picture->times_ns);
  g_free (picture->levels);
  g_free (picture->overlay);
  g_free (picture->surface);
  odl_picture_clear_details (picture);
  g_string_free (picture->warning, TRUE);
  g_ptr_array_unref (picture->details);
}

static bool
check_shape (const OdlPicture *picture,
             const OdlPictureShape *shape,
             size_t extra,
             size_t *bytes,
             GError **error)
{
  size_t factors[] = { shape->width, shape->height, (size_t) shape->channels };
  size_t n_samples = 0;

  if (shape->width == 0 || shape->height == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header says that the picture is %u×%u pixels"),
                          shape->width, shape->height);
  if (shape->width > ODL_IMAGE_MAX_SIDE || shape->height > ODL_IMAGE_MAX_SIDE
      || !odl_size_product (factors, G_N_ELEMENTS (factors), &n_samples)
      || n_samples > ODL_IMAGE_MAX_SAMPLES
      || n_samples * samples[shape->type].size > picture->memory
      || n_samples * samples[shape->type].size + extra > picture->memory)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("it is too large: its header says %u×%u pixels, which needs "
                             "more memory than a file of this size may take"),
                          shape->width, shape->height);
  *bytes = n_samples * samples[shape->type].size;
  return true;
}

bool
odl_picture_fits (const OdlPicture *picture,
                  const OdlPictureShape *shape,
                  size_t extra,
                  GError **error)
{
  size_t bytes = 0;

  return check_shape (picture, shape, extra, &bytes, error);
}

void *
odl_picture_allocate (OdlPicture *picture,
                      const OdlPictureShape *shape,
                      size_t extra,
                      GError **error)
{
  size_t bytes = 0;

  g_return_val_if_fail (picture->memfd < 0, NULL);
  if (!check_shape (picture, shape, extra, &bytes, error))
    return NULL;

  picture->memfd = ODL_DECODER_PICTURE_FD;
  void *pixels
      = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, picture->memfd, 0);
  if (pixels != MAP_FAILED)
    picture->pixels = pixels;
  if (picture->pixels == NULL)
    return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                           _ ("there is not enough memory for %u×%u pixels"),
                           shape->width, shape->height);
  picture->reply.width = shape->width;
  picture->reply.height = shape->height;
  picture->reply.channels = (uint32_t) shape->channels;
  picture->reply.sample_type = (uint32_t) shape->type;
  picture->reply.data_bytes = bytes;
  picture->reply.stored_min = samples[shape->type].minimum;
  picture->reply.stored_max = samples[shape->type].maximum;
  return picture->pixels;
}

bool
odl_picture_write (const OdlPicture *picture,
                   uint64_t offset,
                   const void *data,
                   size_t size)
{
  const char *at = data;

  while (size > 0) {
    ssize_t n = pwrite (picture->memfd, at, size, (off_t) offset);
    if (n <= 0)
      return false;
    at += n;
    offset += (uint64_t) n;
    size -= (size_t) n;
  }
  return true;
}

// Text from files is untrusted; the parent gets one line of valid UTF-8, which does not
// turn around what comes after it in that line, such as a date: control characters,
// separators of lines and what overrides, embeds or isolates directions (Unicode Annex 9)
// become spaces. Marks of direction stay.
static char *
clean_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *clean = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c)) {
    const gunichar letter = g_utf8_get_char (c);
    const bool turns = (letter >= 0x2028 && letter <= 0x202e)
                       || (letter >= 0x2066 && letter <= 0x2069);
    g_string_append_unichar (clean, turns || g_unichar_iscntrl (letter) ? ' ' : letter);
  }
  return g_string_free (clean, FALSE);
}

// `first`: before all existing warnings.
static void
add_warning (OdlPicture *picture, bool first, const char *format, va_list arguments)
{
  g_autofree char *raw = g_strdup_vprintf (format, arguments);
  g_autofree char *text = clean_text (raw);
  GString *warning = picture->warning;

  if (strstr (warning->str, text) != NULL || warning->len > 2000)
    return;
  if (warning->len > 0)
    g_string_insert (warning, first ? 0 : -1, "; ");
  g_string_insert (warning, first ? 0 : -1, text);
}

void
odl_picture_warn (OdlPicture *picture, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add_warning (picture, false, format, arguments);
  va_end (arguments);
}

void
odl_picture_warn_first (OdlPicture *picture, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add_warning (picture, true, format, arguments);
  va_end (arguments);
}

void
odl_picture_warn_of_others (OdlPicture *picture)
{
  odl_picture_warn (picture, "%s", _ ("it holds several pictures; the first is shown"));
}

void
odl_picture_incomplete (OdlPicture *picture, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add_warning (picture, true, format, arguments);
  va_end (arguments);
  picture->incomplete = true;
}

static double
sample_at (const OdlPicture *picture, size_t index)
{
  switch ((OdlSampleType) picture->reply.sample_type) {
  case ODL_SAMPLE_U8:
    return ((const uint8_t *) picture->pixels)[index];
  case ODL_SAMPLE_U16:
    return ((const uint16_t *) picture->pixels)[index];
  case ODL_SAMPLE_S16:
    return ((const int16_t *) picture->pixels)[index];
  case ODL_SAMPLE_F32:
    return ((const float *) picture->pixels)[index];
  }
  return 0;
}

static bool
is_missing (const uint8_t *missing, size_t n_there, size_t i)
{
  return missing != NULL ? missing[i] != 0 : i >= n_there;
}

// The missing samples are those of `missing` or, if that is NULL, those from `n_there`
// on.
static void
fill (OdlPicture *picture, const uint8_t *missing, size_t n_there, bool greatest)
{
  const bool bytes = picture->reply.sample_type == ODL_SAMPLE_U8;
  const size_t size = samples[picture->reply.sample_type].size;
  const size_t n = picture->reply.data_bytes / size;
  size_t found = 0;

  for (size_t i = 1; i < n && !bytes; i++) {
    if (is_missing (missing, n_there, i))
      continue;
    const double value = sample_at (picture, i), best = sample_at (picture, found);
    if (is_missing (missing, n_there, found) || odl_number_is_missing (best)
        || (!odl_number_is_missing (value) && (greatest ? value > best : value < best)))
      found = i;
  }
  char *pixels = picture->pixels;
  for (size_t i = 0; i < n; i++)
    if (!is_missing (missing, n_there, i))
      continue;
    else if (bytes)
      pixels[i] = (char) (greatest ? 255 : 0);
    else
      memcpy (pixels + i * size, pixels + found * size, size);
}

void
odl_picture_fill_missing (OdlPicture *picture, size_t n_there, bool greatest)
{
  const OdlDecoderReply *reply = &picture->reply;

  if (n_there < reply->data_bytes / samples[reply->sample_type].size)
    fill (picture, NULL, n_there, greatest);
}

void
odl_picture_fill_places (OdlPicture *picture, const uint8_t *missing)
{
  fill (picture, missing, 0, false);
}

#define MOST_OF_DETAIL 200

static void
add_detail (OdlPicture *picture, const char *key, const char *raw, glong most)
{
  if (picture->details->len / 2 >= ODL_DECODER_MAX_DETAILS)
    return;
  g_autofree char *text = clean_text (raw);
  g_ptr_array_add (picture->details, g_strdup (key));
  g_ptr_array_add (picture->details,
                   g_utf8_substring (text, 0, MIN (most, g_utf8_strlen (text, -1))));
}

void
odl_picture_detail (OdlPicture *picture, const char *key, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *raw = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add_detail (picture, key, raw, MOST_OF_DETAIL);
}

void
odl_picture_whole_detail (OdlPicture *picture, const char *key, const char *text)
{
  add_detail (picture, key, text, G_MAXLONG);
}

void
odl_picture_set_format (OdlPicture *picture, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *raw = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_free (picture->format);
  picture->format = clean_text (raw);
}

static void
append_text (GString *text, const char *string)
{
  if (string != NULL)
    g_string_append (text, string);
  g_string_append_c (text, '\0');
}

static GString *
collect_text (const OdlPicture *picture, const GError *error)
{
  GString *text = g_string_new (NULL);
  g_autofree char *message = clean_text (error != NULL ? error->message : "");

  append_text (text, message);
  append_text (text, picture->format);
  append_text (text, picture->incomplete ? _ ("incomplete") : NULL);
  append_text (text, picture->warning->str);
  append_text (text, picture->unit);
  append_text (text, picture->timing);
  for (guint i = 0; i < picture->details->len; i++)
    append_text (text, picture->details->pdata[i]);
  return text;
}

void
odl_picture_set_times (OdlPicture *picture, const int64_t *times_ns, uint32_t n)
{
  g_free (picture->times_ns);
  picture->times_ns = n > 0 ? g_memdup2 (times_ns, n * sizeof *times_ns) : NULL;
  picture->n_times = n;
}

void
odl_picture_take_levels (OdlPicture *picture,
                         float *levels,
                         uint32_t n,
                         double first,
                         double last)
{
  g_free (picture->levels);
  picture->levels = levels;
  picture->reply.n_levels = n;
  picture->reply.levels_first = first;
  picture->reply.levels_last = last;
}

void
odl_picture_set_surface (OdlPicture *picture, const OdlSurface *surface)
{
  const OdlSurfaceShape *shape = &surface->shape;

  picture->n_surface = odl_surface_count (shape);
  picture->surface
      = g_memdup2 (surface->numbers, picture->n_surface * sizeof *picture->surface);
  picture->reply.surface_degree[0] = (uint32_t) shape->degree[0];
  picture->reply.surface_degree[1] = (uint32_t) shape->degree[1];
  picture->reply.surface_is_rational = shape->rational;
}

static size_t
overlay_bytes (const OdlPicture *picture)
{
  return odl_overlay_stride (picture->reply.width) * picture->reply.height;
}

uint8_t *
odl_picture_add_overlay (OdlPicture *picture)
{
  if (picture->overlay == NULL)
    picture->overlay = g_try_malloc0 (overlay_bytes (picture));
  picture->reply.has_overlay = picture->overlay != NULL;
  return picture->overlay;
}

// Bytes and where they belong in the memory file.
typedef struct {
  uint64_t offset;
  const void *data;
  size_t size;
} Part;

static Part
part_of (const GArray *array, uint64_t offset)
{
  return array == NULL ? (Part){ offset, NULL, 0 }
                       : (Part){ offset, array->data,
                                 (size_t) array->len
                                     * g_array_get_element_size ((GArray *) array) };
}

// Appends what follows the samples; `*end` is the final size of the memory file.
static bool
append_rest (const OdlPicture *picture, uint64_t *end)
{
  const OdlDecoderReply *reply = &picture->reply;
  const Part parts[] = {
    { odl_decoder_times_offset (reply), picture->times_ns,
      reply->n_times * sizeof *picture->times_ns },
    { odl_decoder_levels_offset (reply), picture->levels,
      reply->n_levels * sizeof *picture->levels },
    { odl_decoder_overlay_offset (reply), picture->overlay,
      reply->has_overlay ? overlay_bytes (picture) : 0 },
    part_of (picture->windows, odl_decoder_windows_offset (reply)),
    part_of (picture->regions, odl_decoder_regions_offset (reply)),
    part_of (picture->tables, odl_decoder_tables_offset (reply)),
    { odl_decoder_shutter_offset (reply), picture->shutter,
      reply->has_shutter ? overlay_bytes (picture) : 0 },
  };

  if (picture->n_surface > 0) {
    const size_t bytes = picture->n_surface * sizeof *picture->surface;
    *end = odl_decoder_times_offset (reply) + bytes;
    return odl_picture_write (picture, *end - bytes, picture->surface, bytes);
  }
  *end = odl_decoder_file_bytes (reply);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!odl_picture_write (picture, parts[i].offset, parts[i].data, parts[i].size))
      return false;
  return true;
}

static bool
seal (OdlPicture *picture)
{
  munmap (picture->pixels, picture->reply.data_bytes);
  picture->pixels = NULL;
  if (picture->numbers != NULL)
    munmap (picture->numbers, picture->reply.number_bytes);
  picture->numbers = NULL;
  picture->reply.n_times = picture->n_times;
  uint64_t end = 0;
  if (!append_rest (picture, &end) || ftruncate (picture->memfd, (off_t) end) != 0)
    return false;
  return fcntl (picture->memfd, F_ADD_SEALS,
                F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)
         == 0;
}

bool
odl_picture_send (OdlPicture *picture, int socket_fd, const GError *error)
{
  g_autoptr (GError) unsealed = NULL;

  if (error == NULL && !seal (picture))
    error = unsealed
        = g_error_new (ODL_ERROR, ODL_ERROR_IO,
                       _ ("its pixels cannot be transferred: %s"), g_strerror (errno));

  g_autoptr (GString) text = collect_text (picture, error);
  picture->reply.status = error == NULL                ? ODL_DECODER_OK
                          : error->domain == ODL_ERROR ? error->code
                                                       : (int) ODL_ERROR_CORRUPT;
  picture->reply.n_details = picture->details->len / 2;
  picture->reply.text_bytes = (uint32_t) text->len;

  const OdlMessage message = { .parts = { { &picture->reply, sizeof picture->reply },
                                          { text->str, text->len } },
                               .fds = { picture->memfd },
                               .n_fds = error == NULL ? 1 : 0 };
  return odl_message_send (socket_fd, &message, 0);
}

// What a file says about its picture besides: further windows, regions with scales of
// their own, a shutter; samples one by one.

// At most as many bytes as fit, whole characters, on one line.
static void
set_name (OdlDecoderWindow *window, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  const char *end = valid + strlen (valid);

  while (end - valid >= (ptrdiff_t) sizeof window->name)
    end = g_utf8_prev_char (end);
  memcpy (window->name, valid, (size_t) (end - valid));
  for (char *c = window->name; *c != '\0'; c++)
    if ((unsigned char) *c < 0x20 || *c == 0x7f)
      *c = ' ';
}

static bool
add (OdlPicture *picture, const OdlDecoderWindow *window)
{
  if (picture->windows == NULL)
    picture->windows = g_array_new (FALSE, TRUE, sizeof *window);
  if (picture->windows->len >= ODL_DECODER_MAX_WINDOWS)
    return false;
  g_array_append_vals (picture->windows, window, 1);
  picture->reply.n_windows = picture->windows->len;
  return true;
}

bool
odl_picture_add_window (OdlPicture *picture,
                        const char *name,
                        double centre,
                        double width)
{
  OdlDecoderWindow window = { .centre = centre, .width = width };

  set_name (&window, name);
  return add (picture, &window);
}

static uint32_t
count_tables (const OdlPicture *picture)
{
  uint32_t n = 0;

  for (guint i = 0; picture->windows != NULL && i < picture->windows->len; i++)
    n += g_array_index (picture->windows, OdlDecoderWindow, i).n_levels > 0;
  return n;
}

bool
odl_picture_add_table (OdlPicture *picture,
                       const char *name,
                       const float *levels,
                       uint32_t n,
                       const double ends[2])
{
  OdlDecoderWindow window = { .n_levels = n, .first = ends[0], .last = ends[1] };

  set_name (&window, name);
  if (count_tables (picture) >= ODL_DECODER_MAX_TABLES || !add (picture, &window))
    return false;
  if (picture->tables == NULL)
    picture->tables = g_array_new (FALSE, FALSE, sizeof *levels);
  g_array_append_vals (picture->tables, levels, n);
  picture->reply.n_window_levels = picture->tables->len;
  return true;
}

void
odl_picture_drop_single_window (OdlPicture *picture)
{
  if (picture->reply.n_windows > 1)
    return;
  g_clear_pointer (&picture->windows, g_array_unref);
  g_clear_pointer (&picture->tables, g_array_unref);
  picture->reply.n_windows = picture->reply.n_window_levels = 0;
}

bool
odl_picture_add_region (OdlPicture *picture, const OdlDecoderRegion *region)
{
  if (picture->regions == NULL)
    picture->regions = g_array_new (FALSE, TRUE, sizeof *region);
  if (picture->regions->len >= ODL_DECODER_MAX_REGIONS)
    return false;
  g_array_append_vals (picture->regions, region, 1);
  picture->reply.n_regions = picture->regions->len;
  return true;
}

void
odl_picture_drop_regions (OdlPicture *picture)
{
  g_clear_pointer (&picture->regions, g_array_unref);
  picture->reply.n_regions = 0;
}

uint8_t *
odl_picture_add_shutter (OdlPicture *picture, double level)
{
  if (picture->shutter == NULL)
    picture->shutter = g_try_malloc0 (odl_decoder_bits_bytes (&picture->reply));
  picture->reply.has_shutter = picture->shutter != NULL;
  picture->reply.shutter_level = level;
  return picture->shutter;
}

void
odl_picture_drop_shutter (OdlPicture *picture)
{
  g_clear_pointer (&picture->shutter, g_free);
  picture->reply.has_shutter = 0;
  picture->reply.shutter_level = 0;
}

void
odl_picture_clear_details (OdlPicture *picture)
{
  g_clear_pointer (&picture->windows, g_array_unref);
  g_clear_pointer (&picture->tables, g_array_unref);
  g_clear_pointer (&picture->regions, g_array_unref);
  g_clear_pointer (&picture->shutter, g_free);
}

void
odl_picture_put (OdlPicture *picture, size_t at, double value)
{
  switch ((OdlSampleType) picture->reply.sample_type) {
  case ODL_SAMPLE_U8:
    ((uint8_t *) picture->pixels)[at] = (uint8_t) value;
    break;
  case ODL_SAMPLE_U16:
    ((uint16_t *) picture->pixels)[at] = (uint16_t) value;
    break;
  case ODL_SAMPLE_S16:
    ((int16_t *) picture->pixels)[at] = (int16_t) value;
    break;
  case ODL_SAMPLE_F32:
    ((float *) picture->pixels)[at] = (float) value;
    break;
  }
}

// The numbers of a file beside its samples, and the range of them that filters and the
// picture take as full scale.

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
  const size_t n_samples = (size_t) reply->width * reply->height * reply->channels;
  const size_t bytes = n_samples * odl_number_size (type);
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
say_what_is_fill (OdlPicture *picture, double fill)
{
  if (!isnan (fill))
    odl_picture_warn (picture,
                      _ ("its value %.9g lies farther from all others than these lie "
                         "apart and is taken for fill: full scale is the range of the "
                         "others"),
                      fill * picture->reply.slope + picture->reply.intercept);
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
  say_what_is_fill (picture, fill);
  if (found->has_padding)
    odl_picture_warn (picture, _ ("full scale is the range of what is not its padding"));
}

bool
odl_picture_wants_range (const OdlPicture *picture, uint32_t frame)
{
  const OdlDecoderReply *reply = &picture->reply;

  return reply->sample_type == ODL_SAMPLE_F32
         || (reply->sample_type != ODL_SAMPLE_U8 && reply->channels == 1 && frame == 0);
}

void
odl_picture_set_found (OdlPicture *picture, const OdlNumberRange *found)
{
  OdlDecoderReply *reply = &picture->reply;
  double fill;

  reply->has_found = odl_number_range_find (found, reply->found, &fill);
  if (reply->has_found)
    say_what_is_fill (picture, fill);
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

// Beams of ultrasound that are no picture yet.

void
odl_picture_set_beams (OdlPicture *picture, const OdlBeams *beams)
{
  OdlDecoderReply *reply = &picture->reply;

  if (reply->channels == 1
      && odl_beams_are_sound (beams, (int) reply->width, (int) reply->height)) {
    const char *content = odl_beams_content_name (beams);
    reply->beams = *beams;
    odl_picture_detail (picture, "beam-data", "%s", *content ? content : "unknown");
  } else
    odl_picture_warn (picture,
                      _ ("its beams lie where %u columns of %u samples cannot; it is "
                         "shown as a picture"),
                      reply->width, reply->height);
}
