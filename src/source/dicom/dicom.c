// SPDX-License-Identifier: MIT
#include "source/dicom/dicom.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "decoder/protocol.h"
#include "source/dicom/ordered.h"
#include "source/helper/client.h"
#include "source/helper/process.h"
#include "source/source.h"
#include "source/source_file.h"
#include "source/video/video.h"

// Videos in DICOM files (MPEG-2, H.264, HEVC): the stream is copied out of the fragments
// and played by the video helper; what its frames show, where and how large, is in the
// header.

#define COPY_BYTES ((size_t) 1 << 20)

typedef struct {
  OdlSource base;
  OdlSource *video; // of the stream alone
  OdlImage *said; // what the header says of every frame; its samples are something else
  bool fits; // the frames have the size that the header says
} DicomVideo;

// ---- The stream ----

// Copies a span of the file; true also where the file has become shorter.
static bool
copy_span (int from, const OdlDecoderSpan *span, int to, char *buffer, GError **error)
{
  uint64_t done = 0;
  ssize_t n = 1;

  while (done < span->bytes && n > 0) {
    const size_t some = (size_t) MIN (span->bytes - done, COPY_BYTES);
    n = pread (from, buffer, some, (off_t) (span->offset + done));
    for (ssize_t at = 0, written = 0; at < n; at += written) {
      written = write (to, buffer + at, (size_t) (n - at));
      if (written < 0)
        return odl_error_set (error, ODL_ERROR_IO,
                              _ ("its video could not be copied into the folder for "
                                 "temporary files (%s). Make room in “%s”"),
                              g_strerror (errno), g_get_tmp_dir ());
    }
    done += n > 0 ? (uint64_t) n : 0;
  }
  return true;
}

// The spans come from a process that may have been taken over: they must lie in the file,
// one after the other.
static bool
copy_spans (const OdlImage *image,
            const OdlSourceFile *file,
            int to,
            GCancellable *cancellable,
            GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  const char *data = info->planes[0].data;
  const size_t there = (size_t) info->extent.x * (size_t) info->extent.y;
  g_autofree char *buffer = g_malloc (COPY_BYTES);
  OdlDecoderSpan span;
  uint64_t n = 0, end = 0;

  if (info->channels == 1 && info->type == ODL_SAMPLE_U8 && there >= sizeof n)
    memcpy (&n, data, sizeof n);
  bool sane = n > 0 && n <= (there - sizeof n) / sizeof span;
  for (uint64_t i = 0; sane && i < n; i++) {
    memcpy (&span, data + sizeof n + i * sizeof span, sizeof span);
    sane = span.offset >= end && span.offset <= file->size
           && span.bytes <= file->size - span.offset;
    end = span.offset + span.bytes;
    if (g_cancellable_is_cancelled (cancellable))
      return odl_error_set (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
    if (sane && !copy_span (file->fd, &span, to, buffer, error))
      return false;
  }
  if (!sane)
    odl_helper_set_invalid_answer (error);
  return sane;
}

// A file without a name, so that nothing is left behind; −1 on failure.
static int
temporary_file (GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree char *name = NULL;
  const int fd = g_file_open_tmp ("ondelette-XXXXXX", &name, &cause);

  if (fd >= 0)
    g_unlink (name);
  else
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, cause->message);
  return fd;
}

// The stream in a file of its own; −1 on failure.
static int
copy_stream (const char *path,
             const OdlImage *spans,
             GCancellable *cancellable,
             GError **error)
{
  OdlSourceFile file;

  if (!odl_source_file_open (path, &file, error))
    return -1;
  int to = temporary_file (error);
  if (to >= 0 && !copy_spans (spans, &file, to, cancellable, error)) {
    close (to);
    to = -1;
  }
  close (file.fd);
  return to;
}

// ---- Frames ----

static OdlImage *
read_frame (OdlSource *source, int64_t index, GCancellable *cancellable, GError **error)
{
  DicomVideo *self = (DicomVideo *) source;
  g_autoptr (GError) failure = NULL;
  g_autoptr (OdlImage) image
      = odl_source_read_frame (self->video, index, cancellable, &failure);

  if (image == NULL) {
    if (g_error_matches (failure, ODL_ERROR, ODL_ERROR_END)
        && self->video->info.n_frames > 0) {
      source->info.n_frames = MIN (source->info.n_frames, self->video->info.n_frames);
      source->info.at_most = false;
    }
    g_propagate_error (error, g_steal_pointer (&failure));
    return NULL;
  }
  const OdlImageInfo *said = odl_image_info (self->said);
  OdlImageInfo info = *odl_image_info (image);
  if (self->fits) {
    // The stream may know more than a header that says nothing.
    if (said->pixel_aspect != 1)
      info.pixel_aspect = said->pixel_aspect;
    memcpy (info.spacing_mm, said->spacing_mm, sizeof info.spacing_mm);
    info.spacing_place = said->spacing_place;
    info.regions = said->regions;
  }
  return odl_image_with_info (image, &info);
}

static void
close_video (OdlSource *source)
{
  DicomVideo *self = (DicomVideo *) source;

  g_clear_pointer (&self->video, odl_source_unref);
  g_clear_pointer (&self->said, odl_image_unref);
}

// Of no location that can be typed: odl_dicom_source finds these.
static const OdlSourceClass odl_dicom_video_source = {
  .name = "dicom",
  .description = N_ ("DICOM image"),
  .close = close_video,
  .read_frame = read_frame,
};

// ---- Opening ----

static void
warn (OdlSourceInfo *info, const char *sentence)
{
  g_autofree char *before = g_steal_pointer (&info->warning);

  info->warning
      = before == NULL ? g_strdup (sentence) : g_strconcat (before, "; ", sentence, NULL);
}

// The header says how fast frames follow each other, the stream how many there are.
static void
describe_time (DicomVideo *self, const OdlSourceInfo *said)
{
  OdlSourceInfo *info = &self->base.info;
  const OdlSourceInfo *found = &self->video->info;
  const bool rated = said->frame_rate > 0 || said->frame_times_ns != NULL;

  info->declared_frames = said->declared_frames;
  info->n_frames = found->n_frames > 0 ? found->n_frames : said->n_frames;
  info->at_most = found->n_frames <= 0 || found->at_most;
  if (found->at_most && said->n_frames > 1)
    info->n_frames = MIN (info->n_frames, said->n_frames);
  info->frame_rate = rated ? said->frame_rate : found->frame_rate;
  info->timing = g_strdup (rated ? said->timing : found->timing);
  if (said->frame_times_ns != NULL && said->n_frames == info->n_frames)
    info->frame_times_ns
        = g_memdup2 (said->frame_times_ns,
                     ((size_t) said->n_frames + 1) * sizeof *said->frame_times_ns);
  else if (!rated && found->frame_times_ns != NULL)
    info->frame_times_ns = g_memdup2 (found->frame_times_ns,
                                      ((size_t) found->n_frames + 1) * sizeof (int64_t));
  else if (said->frame_rate <= 0)
    info->frame_rate = found->frame_rate;
  if (!info->at_most && info->n_frames < info->declared_frames) {
    g_autofree char *sentence
        = g_strdup_printf (_ ("the file declares %u frames but holds %u"),
                           (unsigned) info->declared_frames, (unsigned) info->n_frames);
    warn (info, sentence);
  }
}

static void
take_details (OdlSource *to, const OdlSource *from)
{
  const GPtrArray *details = from->info.details;

  for (guint i = 0; i + 1 < details->len; i += 2)
    odl_source_add_detail (to, details->pdata[i], "%s", (char *) details->pdata[i + 1]);
}

// Whether the first frame has the size that the header says.
static bool
check_size (DicomVideo *self,
            const OdlSource *header,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (OdlImage) first = odl_source_read_frame (self->video, 0, cancellable, error);

  if (first == NULL)
    return false;
  const OdlExtent extent = odl_image_info (first)->extent;
  g_autofree char *size = g_strdup_printf ("%d×%d", extent.x, extent.y);
  g_autofree char *declared = g_strdup_printf (
      "%s×%s", odl_source_detail (header, "columns"), odl_source_detail (header, "rows"));
  self->fits = g_str_equal (size, declared);
  if (!self->fits) {
    g_autofree char *sentence = g_strdup_printf (
        _ ("its header says %s pixels, its video has %s, so its scale is not used"),
        declared, size);
    warn (&self->base.info, sentence);
  }
  return true;
}

// `header` has read the file as "dicom-stream" (decoder/protocol.h). Blocks. Any of
// ODL_ERROR, with the name of the file.
static OdlSource *G_GNUC_WARN_UNUSED_RESULT
odl_dicom_video_open (OdlSource *header, GCancellable *cancellable, GError **error)
{
  const char *path = header->info.location;
  DicomVideo *self = g_new0 (DicomVideo, 1);

  odl_source_init (&self->base, &odl_dicom_video_source, path);
  self->said = odl_source_read_frame (header, 0, cancellable, error);
  const int fd
      = self->said != NULL ? copy_stream (path, self->said, cancellable, error) : -1;
  if (fd >= 0)
    self->video = odl_video_source_open_fd (path, fd, cancellable, error);
  if (self->video != NULL) {
    self->base.info.format = g_strdup (header->info.format);
    self->base.info.warning = g_strdup (header->info.warning);
    if (check_size (self, header, cancellable, error)) {
      describe_time (self, &header->info);
      take_details (&self->base, header);
      take_details (&self->base, self->video);
      return &self->base;
    }
  }
  odl_source_file_name_error (path, error);
  odl_source_unref (&self->base);
  return NULL;
}

// Files without preamble start with a short element of group 2 or 8, little or big
// endian; the helper verifies the rest.
static bool
begins_with_element (const uint8_t *head, size_t n_head)
{
  if (n_head < 132)
    return false;

  bool little = (head[0] == 2 || head[0] == 8) && head[1] == 0 && head[3] == 0;
  bool big = head[0] == 0 && (head[1] == 2 || head[1] == 8) && head[2] == 0;
  bool explicit_vr = g_ascii_isupper (head[4]) && g_ascii_isupper (head[5]);
  bool implicit_vr = head[5] == 0 && head[6] == 0 && head[7] == 0 && head[4] <= 64;
  return (little || big) && (explicit_vr || (little && implicit_vr));
}

static bool
has_preamble (const uint8_t *head, size_t n_head)
{
  return n_head >= 132 && memcmp (head + 128, "DICM", 4) == 0;
}

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  return has_preamble (head, n_head) || begins_with_element (head, n_head);
}

static OdlSource *
open_dicom (const char *location, GCancellable *cancellable, GError **error)
{
  OdlDecoderRequest request = { .location = location, .format = "dicom" };
  g_autoptr (GError) failure = NULL;
  g_autoptr (GError) other = NULL;
  OdlSource *source
      = odl_decoded_source_open (&odl_dicom_source, &request, cancellable, &failure);

  if (source != NULL)
    return source;
  // A video is among what the decoder of pictures does not support.
  if (g_error_matches (failure, ODL_ERROR, ODL_ERROR_UNSUPPORTED)) {
    request.format = "dicom-stream";
    g_autoptr (OdlSource) header
        = odl_decoded_source_open (&odl_dicom_source, &request, cancellable, &other);
    if (header != NULL)
      return odl_dicom_video_open (header, cancellable, error);
    if (!g_error_matches (other, ODL_ERROR, ODL_ERROR_UNSUPPORTED)) {
      g_propagate_error (error, g_steal_pointer (&other));
      return NULL;
    }
  }
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

static const char *const examples[] = { "*.dcm", "*.dicom", "*.dic", "*.ima", NULL };

const OdlSourceClass odl_dicom_source = {
  .name = "dicom",
  .description = N_ ("DICOM image"),
  .examples = examples,
  .probe = probe,
  .open = open_dicom,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};

bool
odl_dicom_is_source (const OdlSource *source)
{
  return source->klass == &odl_dicom_source || source->klass == &odl_dicom_video_source;
}

bool
odl_dicom_is_candidate (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  if (strchr (name, '.') != NULL)
    return odl_source_class_knows_name (&odl_dicom_source, name);
  return odl_source_file_read_head (path, head, &n_head, NULL)
         && has_preamble (head, n_head);
}

char *
odl_dicom_read_header (const char *path, GCancellable *cancellable, GError **error)
{
  return odl_decoded_source_read_text (&odl_dicom_source, path, "dicom-text", cancellable,
                                       error);
}

GBytes *
odl_plain_file (const char *path, bool implicit, GError **error)
{
  // The helper asks for no order.
  return odl_ordered_ask (path, implicit ? "dicom-implicit" : "dicom-explicit", "", NULL,
                          error);
}
