// SPDX-License-Identifier: MIT
#include "decoder/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
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

static bool
append (const OdlPicture *picture, uint64_t offset, const void *data, size_t size)
{
  const char *at = data;

  if (size == 0)
    return true;
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
    return append (picture, *end - bytes, picture->surface, bytes);
  }
  *end = odl_decoder_file_bytes (reply);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!append (picture, parts[i].offset, parts[i].data, parts[i].size))
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
