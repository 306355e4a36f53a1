// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/decoder_client.h"

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
#include "base/text.h"
#include "source/auto_window.h"
#include "source/decoder_process.h"
#include "source/source_file.h"

// Up to this size pixels are copied.
#define SMALL_BYTES ((size_t) 256 << 10)

// That one answer may need beside the first: the first one measures values.
#define MAX_FILES 64

// Some thirty years.
#define MAX_TIME_NS 1000000000000000000

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

// The strings of the text block; borrowed from it.
typedef struct {
  const char *fixed[ODL_DECODER_N_TEXTS];
  const char *details[2 * ODL_DECODER_MAX_DETAILS];
} Texts;

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
split_text (OdlDecoderAnswer *answer, Texts *texts)
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
         && within (header->pixel_aspect, 0.001, 1000)
         && within (header->frame_rate, 0, 10000) && header->n_frames >= 1
         && header->n_frames <= ODL_DECODER_MAX_FRAMES
         && (header->n_times == 0 || header->n_times == header->n_frames + 1)
         && header->declared_frames <= G_MAXINT;
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

static uint64_t
file_bytes (const OdlDecoderReply *header)
{
  if (header->n_times == 0)
    return header->data_bytes;
  return ODL_DECODER_TIMES_OFFSET (header->data_bytes)
         + (uint64_t) header->n_times * sizeof (int64_t);
}

// The memory file must be what the header says, and nobody may change it any more.
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

// `healthy`: the helper can go on after its error.
static bool
check_answer (OdlDecoderAnswer *answer, Texts *texts, bool *healthy, GError **error)
{
  const OdlDecoderReply *header = &answer->header;
  bool sane = frame_is_sane (answer) && split_text (answer, texts);

  if (sane && header->status != ODL_DECODER_OK && texts->fixed[0][0] != '\0'
      && header->status >= 0 && header->status <= ODL_ERROR_USAGE) {
    g_set_error_literal (error, ODL_ERROR, header->status,
                         texts->fixed[ODL_DECODER_TEXT_MESSAGE]);
    *healthy = true;
    return false;
  }
  if (sane && header->status == ODL_DECODER_OK && numbers_are_sane (header)
      && shape_is_sane (header) && file_is_sane (answer))
    return true;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                       _ ("the decoder gave an answer that makes no sense; the file is "
                          "probably damaged"));
  return false;
}

static OdlImageInfo
describe (const OdlDecoderReply *header, const Texts *texts, const void *data)
{
  size_t sample_size = odl_sample_size ((OdlSampleType) header->sample_type);
  size_t pixel_bytes = sample_size * header->channels;
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
      .inverse = header->inverse,
    },
    .spacing_mm = { header->spacing_mm[0], header->spacing_mm[1] },
    .frame_interval_ms = header->frame_rate > 0 ? 1000 / header->frame_rate : 0,
    .pixel_aspect = header->pixel_aspect,
  };
  const char *mark = texts->fixed[ODL_DECODER_TEXT_MARK];
  const char *unit = texts->fixed[ODL_DECODER_TEXT_UNIT];

  for (uint32_t c = 0; c < header->channels; c++)
    info.planes[c] = (OdlPlane){
      .data = (const char *) data + c * sample_size,
      .sample_stride_bytes = pixel_bytes,
      .row_stride_bytes = pixel_bytes * header->width,
      .slice_stride_bytes = header->data_bytes,
      .frame_stride_bytes = header->data_bytes,
    };
  if (strlen (unit) < sizeof info.value_map.unit)
    g_strlcpy (info.value_map.unit, unit, sizeof info.value_map.unit);
  info.mark = *mark != '\0' ? mark : NULL;
  return info;
}

static OdlImage *
wrap (const OdlDecoderAnswer *answer,
      const Texts *texts,
      void *data,
      GDestroyNotify release,
      void *release_data,
      GError **error)
{
  OdlImageInfo info = describe (&answer->header, texts, data);
  OdlImage *image = odl_image_wrap (&info, release, release_data, error);

  if (image == NULL)
    release (release_data);
  return image;
}

static OdlImage *
map_image (const OdlDecoderAnswer *answer, const Texts *texts, GError **error)
{
  size_t size = file_bytes (&answer->header);
  void *data = mmap (NULL, size, PROT_READ, MAP_SHARED, answer->memfd, 0);

  if (data == MAP_FAILED) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("there is not enough memory for its pixels (%s)"),
                 g_strerror (errno));
    return NULL;
  }

  // Few and large mappings: a process may have some ten thousand.
  if (size <= SMALL_BYTES) {
    void *copy = g_memdup2 (data, size);
    munmap (data, size);
    return wrap (answer, texts, copy, g_free, copy, error);
  }
  Mapping *mapping = g_new (Mapping, 1);
  *mapping = (Mapping){ data, size };
  return wrap (answer, texts, data, unmap_cb, mapping, error);
}

// Times must begin at 0 and grow. NULL: they do not, or there are none.
static int64_t *
read_times (const OdlDecoderReply *header, const OdlImage *image)
{
  const char *data = odl_image_info (image)->planes[0].data;
  const size_t n = header->n_times;

  if (n == 0)
    return NULL;
  int64_t *times = g_memdup2 (data + ODL_DECODER_TIMES_OFFSET (header->data_bytes),
                              n * sizeof *times);
  bool sane = times[0] == 0 && times[n - 1] <= MAX_TIME_NS;
  for (size_t i = 1; sane && i < n; i++)
    sane = times[i] > times[i - 1];
  if (!sane)
    g_clear_pointer (&times, g_free);
  return times;
}

static void
fill_info (OdlSource *source,
           const OdlDecoderReply *header,
           const Texts *texts,
           const OdlImage *image)
{
  const char *warning = texts->fixed[ODL_DECODER_TEXT_WARNING];
  const char *timing = texts->fixed[ODL_DECODER_TEXT_TIMING];

  g_free (source->info.format);
  g_free (source->info.warning);
  source->info.format = g_strdup (texts->fixed[ODL_DECODER_TEXT_FORMAT]);
  source->info.warning = *warning != '\0' ? g_strdup (warning) : NULL;
  source->info.n_frames = (int) header->n_frames;
  source->info.declared_frames = (int) header->declared_frames;
  source->info.frame_rate = header->frame_rate;
  source->info.frame_times_ns = read_times (header, image);
  source->info.timing = *timing != '\0' ? g_strdup (timing) : NULL;
  for (uint32_t i = 0; i < header->n_details; i++)
    odl_source_add_detail (source, texts->details[2 * i], "%s",
                           texts->details[2 * i + 1]);
}

typedef struct {
  OdlSource source;
  char *location;
  const char *format;
  OdlDecoderProcess *process; // waits for orders; NULL: none runs
  OdlImage *first; // decoded to learn what the file holds
  OdlAutoWindow window; // from the first frame, for all
} DecodedSource;

// Starts a helper on a frame of the file.
static bool
start_process (DecodedSource *decoded, int64_t index, GError **error)
{
  OdlSourceFile file;

  if (!odl_source_file_open (decoded->location, &file, error))
    return false;
  OdlDecoderJob job = {
    .format = decoded->format,
    .frame = (uint32_t) index,
    .file_fd = file.fd,
    .file_size = file.size,
  };
  decoded->process = odl_decoder_process_start (&job, error);
  close (file.fd);
  return decoded->process != NULL;
}

static void
end_process (DecodedSource *decoded)
{
  odl_decoder_process_end (g_steal_pointer (&decoded->process));
}

// The name of the file that the helper asks for; NULL when it does not.
static const char *
wanted_file (const OdlDecoderAnswer *answer)
{
  const OdlDecoderReply *header = &answer->header;

  return frame_is_sane (answer) && header->status == ODL_DECODER_WANTS_FILE
                 && header->text_bytes > 0 && header->text_bytes <= ODL_DECODER_MAX_NAME
                 && memchr (answer->text, '\0', header->text_bytes)
                        == answer->text + header->text_bytes - 1
             ? answer->text
             : NULL;
}

// Waits for the answer and hands over the files that it needs. `refusal`: why one of them
// cannot be had.
static bool
receive (DecodedSource *decoded,
         GCancellable *cancellable,
         OdlDecoderAnswer *answer,
         GError **refusal,
         GError **error)
{
  const char *name;
  int n_files = 0;

  while (odl_decoder_process_receive (decoded->process, cancellable, answer, error)) {
    name = wanted_file (answer);
    if (name == NULL || n_files++ == MAX_FILES)
      return true;
    OdlSourceFile file = { .fd = -1 };
    g_clear_error (refusal);
    if (answer->memfd >= 0)
      close (answer->memfd);
    odl_source_file_open_beside (decoded->location, name, &file, refusal);
    bool handed
        = odl_decoder_process_hand_file (decoded->process, file.fd, file.size, error);
    if (file.fd >= 0)
      close (file.fd);
    if (!handed)
      return false;
  }
  return false;
}

// One frame from the helper, which runs on after an answer that makes sense.
static OdlImage *
read_answer (DecodedSource *decoded,
             bool is_first,
             GCancellable *cancellable,
             GError **error)
{
  g_autofree OdlDecoderAnswer *answer = g_new0 (OdlDecoderAnswer, 1);
  g_autoptr (GError) refusal = NULL;
  OdlImage *image = NULL;
  Texts texts = { 0 };
  bool healthy = false;

  answer->memfd = -1;
  bool sane = receive (decoded, cancellable, answer, &refusal, error)
              && check_answer (answer, &texts, &healthy, error);
  if (sane)
    image = map_image (answer, &texts, error);
  if (image != NULL && is_first)
    fill_info (&decoded->source, &answer->header, &texts, image);
  if (answer->memfd >= 0)
    close (answer->memfd);
  if ((image == NULL && !healthy) || decoded->source.info.n_frames == 1)
    end_process (decoded);
  // The helper knows only that it did not get the file.
  if (healthy && refusal != NULL) {
    g_clear_error (error);
    g_propagate_error (error, g_steal_pointer (&refusal));
  }
  return image;
}

static OdlImage *
read_frame (DecodedSource *decoded,
            int64_t index,
            GCancellable *cancellable,
            GError **error)
{
  const bool is_first = decoded->first == NULL;
  OdlImage *image = NULL;

  if (decoded->process != NULL
      && !odl_decoder_process_order (decoded->process, (uint32_t) index, NULL))
    end_process (decoded);
  if (decoded->process != NULL || start_process (decoded, index, error))
    image = read_answer (decoded, is_first, cancellable, error);
  if (image == NULL)
    odl_source_file_name_error (decoded->location, error);
  return image;
}

// Pictures with values of a meaning, whose range is rarely the whole of their bits. Only
// the DICOM decoder says what fills the area outside the picture.
static void
find_window (DecodedSource *decoded)
{
  const char *padding = odl_source_detail (&decoded->source, "pixel-padding");
  double value;

  if (!g_str_equal (decoded->format, "dicom")
      && !g_str_equal (decoded->format, "metaimage"))
    return;
  decoded->window = odl_auto_window_find (
      decoded->first, odl_number_from_text (padding, &value) ? &value : NULL);
  decoded->first = odl_auto_window_apply (decoded->first, &decoded->window);
  if (decoded->window.width > 0)
    odl_source_add_detail (&decoded->source, "window-source", "values of the picture");
}

OdlSource *
odl_decoded_source_open (const OdlSourceClass *klass,
                         const OdlDecoderRequest *request,
                         GCancellable *cancellable,
                         GError **error)
{
  DecodedSource *decoded = g_new0 (DecodedSource, 1);

  odl_source_init (&decoded->source, klass, request->location);
  decoded->location = g_strdup (request->location);
  decoded->format = request->format;
  decoded->first = read_frame (decoded, request->frame, cancellable, error);
  if (decoded->first != NULL) {
    find_window (decoded);
    return &decoded->source;
  }
  odl_source_unref (&decoded->source);
  return NULL;
}

void
odl_decoded_source_close (OdlSource *source)
{
  DecodedSource *decoded = (DecodedSource *) source;

  end_process (decoded);
  g_clear_pointer (&decoded->first, odl_image_unref);
  g_free (decoded->location);
}

OdlImage *
odl_decoded_source_read_frame (OdlSource *source,
                               int64_t index,
                               GCancellable *cancellable,
                               GError **error)
{
  DecodedSource *decoded = (DecodedSource *) source;

  if (index == 0)
    return odl_image_ref (decoded->first);

  OdlImage *image = read_frame (decoded, index, cancellable, error);
  return image == NULL ? NULL : odl_auto_window_apply (image, &decoded->window);
}
