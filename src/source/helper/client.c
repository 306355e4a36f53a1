// SPDX-License-Identifier: MIT
#include "source/helper/client.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "source/auto_window.h"
#include "source/helper/answer.h"
#include "source/source_file.h"
#include "source/unpacking.h"

// Maximum number of further files per answer: slices may lie across those of a header
// that has a file for each.
#define MAX_FILES 65536

// Frames tried to find an intact one if the first is damaged.
#define MAX_TRIES 16

// Files of a sequence up to this size can share one helper.
#define SMALL_FILE ((uint64_t) 8 << 20)

static void
fill_info (OdlSource *source,
           const OdlDecoderAnswer *answer,
           const OdlDecoderTexts *texts,
           const OdlImage *image)
{
  const OdlDecoderReply *header = &answer->header;
  const char *warning = texts->fixed[ODL_DECODER_TEXT_WARNING];
  const char *timing = texts->fixed[ODL_DECODER_TEXT_TIMING];

  g_free (source->info.format);
  g_free (source->info.warning);
  source->info.format = g_strdup (texts->fixed[ODL_DECODER_TEXT_FORMAT]);
  source->info.warning = *warning != '\0' ? g_strdup (warning) : NULL;
  source->info.n_frames = (int) header->n_frames;
  source->info.declared_frames = (int) header->declared_frames;
  source->info.n_slices = (int) header->n_slices;
  source->info.frame_rate = header->frame_rate;
  source->info.frame_times_ns = odl_decoder_answer_times (answer, image);
  source->info.timing = *timing != '\0' ? g_strdup (timing) : NULL;
  for (uint32_t i = 0; i < header->n_details; i++)
    odl_source_add_detail (source, texts->details[2 * i], "%s",
                           texts->details[2 * i + 1]);
}

typedef struct {
  OdlSource source;
  char *location;
  const char *format;
  OdlDecoderFormatFunc format_of; // for the files of a sequence
  GStrv files; // of a sequence, one per frame; NULL: a single file
  GStrv instances; // of these, see OdlDecoderRequest; may be NULL
  char *series, *person; // of all of these, see OdlDecoderRequest; may be NULL
  bool is_run; // see OdlDecoderRequest
  bool is_lent; // the process is that of another source, and has read another file
  uint32_t frame; // see OdlDecoderRequest
  char *choice; // see OdlDecoderRequest
  uint64_t beside_bytes; // see OdlDecoderRequest
  uint64_t process_bytes; // largest file that the helper's limits allow for
  OdlDecoderProcess *process; // idle; NULL: not running
  OdlDecoderProcess *ahead; // another one, which decodes …
  int64_t ahead_index; // … this frame meanwhile; −1: it is idle
  int64_t last_index; // that was read last
  int n_rooms; // files that were lent to be filled
  uint32_t n_told; // number of frames in the last answer; 0: no answer yet
  OdlImage *first; // the first intact frame, decoded when opening
  bool first_is_damaged; // frame 0 is damaged and `first` is a later one
  bool has_found;
  double found[2]; // smallest and largest stored number of all frames
  OdlAutoWindow window; // derived once, applied to all frames
  double slice_mm; // distance of the slices; 0: as the frames say
} DecodedSource;

// The file of frame `index`.
static const char *
path_of (const DecodedSource *decoded, int64_t index)
{
  return decoded->files != NULL ? decoded->files[index] : decoded->location;
}

static void
end_process (DecodedSource *decoded)
{
  odl_decoder_process_end (g_steal_pointer (&decoded->process));
}

// Starts a helper with a frame of an open file.
static bool
start_process (DecodedSource *decoded,
               const OdlSourceFile *file,
               uint32_t frame,
               GError **error)
{
  OdlDecoderJob job = {
    .format = decoded->format,
    .frame = frame,
    .file_fd = file->fd,
    .file_size = file->size + decoded->beside_bytes,
  };

  if (decoded->files != NULL || decoded->is_run)
    job.file_size = MAX (job.file_size, SMALL_FILE);
  end_process (decoded);
  decoded->process_bytes = job.file_size;
  decoded->process = odl_decoder_process_start (&job, error);
  return decoded->process != NULL;
}

// Has the helper of the source before decode this file, where its limits allow for that.
static bool
order_of_lent (DecodedSource *decoded, const OdlSourceFile *file)
{
  const bool lent = decoded->is_lent;

  decoded->is_lent = false;
  return lent && decoded->process != NULL && file->size <= decoded->process_bytes
         && odl_decoder_process_order_file (decoded->process, file->fd, file->size, NULL);
}

// Has the helper decode a file of a sequence; reuses the running one if possible.
static bool
switch_to_file (DecodedSource *decoded, const OdlSourceFile *file, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  ssize_t n_head = pread (file->fd, head, sizeof head, 0);
  const char *format = n_head > 0 ? decoded->format_of (head, (size_t) n_head) : NULL;

  if (format == NULL)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it is not a picture of a format that a sequence may have"));
  const bool same = decoded->process != NULL && decoded->format == format
                    && file->size <= decoded->process_bytes;
  decoded->format = format;
  return (same
          && odl_decoder_process_order_file (decoded->process, file->fd, file->size,
                                             NULL))
         || start_process (decoded, file, 0, error);
}

static bool
order (DecodedSource *decoded, int64_t index, GError **error)
{
  OdlSourceFile file;

  if (decoded->files == NULL && decoded->process != NULL && !decoded->is_lent
      && odl_decoder_process_order (decoded->process, decoded->frame + (uint32_t) index,
                                    NULL))
    return true;
  if (*path_of (decoded, index) == '\0')
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it is missing: there is no picture of this place"));
  if (!odl_source_file_open (path_of (decoded, index), &file, error))
    return false;
  bool done = decoded->files != NULL
                  ? switch_to_file (decoded, &file, error)
                  : order_of_lent (decoded, &file)
                        || start_process (decoded, &file,
                                          decoded->frame + (uint32_t) index, error);
  close (file.fd);
  return done;
}

// ---- the next frame ------------------------------------------------------------------

static void
end_ahead (DecodedSource *decoded)
{
  odl_decoder_process_end (g_steal_pointer (&decoded->ahead));
  decoded->ahead_index = -1;
}

// Codestreams that take much longer to decode than another helper takes to be fed.
static bool
is_slow (const DecodedSource *decoded)
{
  static const char *const slow[] = { "1.2.840.10008.1.2.4.9", "1.2.840.10008.1.2.4.20" };
  const char *syntax = odl_source_detail (&decoded->source, "transfer-syntax");

  for (size_t i = 0; i < G_N_ELEMENTS (slow) && syntax != NULL; i++)
    if (g_str_has_prefix (syntax, slow[i]))
      return true;
  return false;
}

// Of a file that is read frame by frame: has another helper decode the one after `index`.
static void
look_ahead (DecodedSource *decoded, int64_t index)
{
  const int64_t next = index + 1;
  OdlSourceFile file;

  if (decoded->files != NULL || decoded->first == NULL
      || next >= decoded->source.info.n_frames || index != decoded->last_index + 1
      || !is_slow (decoded))
    return;
  if (decoded->ahead != NULL
      && odl_decoder_process_order (decoded->ahead, (uint32_t) next, NULL)) {
    decoded->ahead_index = next;
    return;
  }
  end_ahead (decoded);
  if (!odl_source_file_open (decoded->location, &file, NULL))
    return;
  const OdlDecoderJob job = { .format = decoded->format,
                              .frame = (uint32_t) next,
                              .file_fd = file.fd,
                              .file_size = file.size + decoded->beside_bytes };
  decoded->ahead = odl_decoder_process_start (&job, NULL);
  decoded->ahead_index = decoded->ahead != NULL ? next : -1;
  close (file.fd);
}

// Whether frame `index` is on its way already; its helper then takes the place of the
// other one. One that is at work on another frame is of no use.
static bool
was_ordered_ahead (DecodedSource *decoded, int64_t index)
{
  OdlDecoderProcess *idle = decoded->process;

  if (decoded->ahead_index < 0)
    return false;
  if (decoded->ahead_index != index) {
    end_ahead (decoded);
    return false;
  }
  decoded->process = decoded->ahead;
  decoded->ahead = idle;
  decoded->ahead_index = -1;
  return true;
}

// Opens a file that the helper asked for (protocol.h).
static void
open_beside (const char *location, const char *name, OdlSourceFile *file, GError **error)
{
  g_autofree char *path
      = name[0] == '*' ? odl_source_file_with_ending (location, name + 1) : NULL;
  g_autofree char *own = path != NULL ? g_path_get_basename (path) : NULL;

  odl_source_file_open_beside (location, own != NULL ? own : name, file, error);
}

// A file that is lent, and filled by the helper until its next message.
typedef struct {
  int fd; // −1: none
  const char *location;
  GCancellable *cancellable; // may be NULL
  uint64_t expected;
} Filling;

static void
note_filling (const Filling *filling, bool ended)
{
  const off_t done = lseek (filling->fd, 0, SEEK_END);

  odl_unpacking_note (filling->cancellable,
                      &(OdlUnpacking){ .location = filling->location,
                                       .done = (uint64_t) MAX (done, 0),
                                       .total = filling->expected,
                                       .ended = ended });
}

static void
filling_cb (void *data)
{
  note_filling (data, false);
}

// Keeps the descriptor of a file that the helper asked for by that name, if it is to be
// filled.
static void
begin_filling (DecodedSource *decoded, Filling *filling, const char *name, int fd)
{
  if (!g_str_has_prefix (name, ODL_DECODER_ROOM) || fd < 0)
    return;
  filling->fd = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (filling->fd < 0)
    return;
  filling->expected = g_ascii_strtoull (name + strlen (ODL_DECODER_ROOM), NULL, 10);
  odl_decoder_process_watch (decoded->process, filling_cb, filling);
  note_filling (filling, false);
}

static void
end_filling (DecodedSource *decoded, Filling *filling)
{
  if (filling->fd < 0)
    return;
  odl_decoder_process_watch (decoded->process, NULL, NULL);
  note_filling (filling, true);
  close (filling->fd);
  filling->fd = -1;
}

// What the helper asked for by that name; `fd` −1: nothing.
static OdlSourceFile
open_requested (DecodedSource *decoded, const char *name, GError **error)
{
  OdlSourceFile file = { .fd = -1 };

  if (g_str_has_prefix (name, ODL_DECODER_ROOM))
    return decoded->n_rooms++ < ODL_DECODER_MOST_ROOMS ? odl_source_file_room () : file;
  if (decoded->choice != NULL && g_str_equal (name, ODL_DECODER_CHOICE))
    return odl_source_file_of_bytes (decoded->choice, strlen (decoded->choice), error);
  open_beside (decoded->location, name, &file, error);
  return file;
}

// Waits for the answer and sends requested files. `refusal` is set if one of them
// cannot be opened.
static bool
receive (DecodedSource *decoded,
         GCancellable *cancellable,
         OdlDecoderAnswer *answer,
         GError **refusal,
         GError **error)
{
  Filling filling
      = { .fd = -1, .location = decoded->location, .cancellable = cancellable };
  const char *name;
  int n_files = 0;

  for (;;) {
    const bool came
        = odl_decoder_process_receive (decoded->process, cancellable, answer, error);
    end_filling (decoded, &filling);
    if (!came)
      return false;
    name = odl_decoder_answer_request (answer);
    if (name == NULL || n_files++ == MAX_FILES)
      return true;
    g_clear_error (refusal);
    if (answer->memfd >= 0)
      close (answer->memfd);
    answer->memfd = -1;
    const OdlSourceFile file = open_requested (decoded, name, refusal);
    begin_filling (decoded, &filling, name, file.fd);
    bool handed
        = odl_decoder_process_send_file (decoded->process, file.fd, file.size, error);
    if (file.fd >= 0)
      close (file.fd);
    if (!handed) {
      end_filling (decoded, &filling);
      return false;
    }
  }
}

// Whether the file of frame `index` is still the one that was asked for.
static bool
is_expected (const DecodedSource *decoded,
             int64_t index,
             const OdlDecoderAnswer *answer,
             const OdlDecoderTexts *texts,
             GError **error)
{
  const char *const wanted[][2]
      = { { "sop-instance",
            decoded->instances != NULL ? decoded->instances[index] : NULL },
          { "series-instance", decoded->series },
          { "person", decoded->person } };
  bool same = true;

  for (size_t k = 0; k < G_N_ELEMENTS (wanted) && same; k++) {
    same = wanted[k][1] == NULL || *wanted[k][1] == '\0';
    for (uint32_t i = 0; i < answer->header.n_details && !same; i++)
      same = strcmp (texts->details[2 * i], wanted[k][0]) == 0
             && strcmp (texts->details[2 * i + 1], wanted[k][1]) == 0;
  }
  if (!same)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("it was replaced by another picture since the series was "
                            "read. Open the series again"));
  return same;
}

// Reads one frame; after a valid answer the helper keeps running.
static OdlImage *
read_answer (DecodedSource *decoded,
             int64_t index,
             bool is_first,
             GCancellable *cancellable,
             GError **error)
{
  g_autofree OdlDecoderAnswer *answer = g_new0 (OdlDecoderAnswer, 1);
  g_autoptr (GError) refusal = NULL;
  OdlImage *image = NULL;
  OdlDecoderTexts texts = { 0 };
  bool healthy = false;

  answer->memfd = -1;
  bool sane = receive (decoded, cancellable, answer, &refusal, error)
              && odl_decoder_answer_check (answer, &texts, &healthy, error);
  if (sane && is_expected (decoded, index, answer, &texts, error))
    image = odl_decoder_answer_image (answer, &texts, error);
  if (image != NULL && is_first) {
    fill_info (&decoded->source, answer, &texts, image);
    decoded->has_found = answer->header.has_found;
    memcpy (decoded->found, answer->header.found, sizeof decoded->found);
  }
  if (answer->memfd >= 0)
    close (answer->memfd);
  decoded->n_told = sane || healthy ? answer->header.n_frames : 0;
  if ((image == NULL && !healthy)
      || (decoded->n_told <= 1 && decoded->files == NULL && !decoded->is_run))
    end_process (decoded);
  // The helper only knows that the file was refused.
  if (healthy && refusal != NULL) {
    g_clear_error (error);
    g_propagate_error (error, g_steal_pointer (&refusal));
  }
  return image;
}

// A file without an index may contain fewer frames than announced.
static void
learn_end (DecodedSource *decoded)
{
  OdlSourceInfo *info = &decoded->source.info;

  info->n_frames = CLAMP ((int) MIN (decoded->n_told, G_MAXINT), 1, info->n_frames);
}

// Turns errors of one frame of several, or of one file of a sequence, into a damaged
// frame, since others may be intact. Errors of a file that holds all frames remain.
static void
limit_error_to_frame (const DecodedSource *decoded, GError *error)
{
  if (!g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED)
      && !g_error_matches (error, ODL_ERROR, ODL_ERROR_INSTALLATION)
      && (decoded->files != NULL || !g_error_matches (error, ODL_ERROR, ODL_ERROR_IO)))
    error->code = ODL_ERROR_CORRUPT;
}

static void
name_the_frame (const DecodedSource *decoded, int64_t index, GError **error)
{
  const char *name = decoded->source.info.name;
  const int n_slices = decoded->source.info.n_slices;

  if (*path_of (decoded, index) == '\0' && n_slices > 0
      && n_slices < decoded->source.info.n_frames)
    g_prefix_error (error, _ ("%s, volume %d, slice %d: "), name,
                    (int) index / n_slices + 1, (int) index % n_slices + 1);
  else if (*path_of (decoded, index) == '\0')
    g_prefix_error (error, _ ("%s, slice %d: "), name, (int) index + 1);
  else if (decoded->first == NULL || decoded->files != NULL
           || decoded->source.info.n_frames == 1)
    odl_source_file_name_error (path_of (decoded, index), error);
  else if (g_error_matches (*error, ODL_ERROR, ODL_ERROR_END))
    g_prefix_error (error, "%s: ", name);
  else
    g_prefix_error (error, _ ("%s, frame %d: "), name, (int) index + 1);
}

static OdlImage *
read_frame (DecodedSource *decoded,
            int64_t index,
            GCancellable *cancellable,
            GError **error)
{
  const bool is_first = decoded->first == NULL;
  const bool is_coming = was_ordered_ahead (decoded, index);
  const bool was_running = decoded->process != NULL;
  g_autoptr (GError) failure = NULL;
  OdlImage *image = NULL;

  if (is_coming || order (decoded, index, &failure)) {
    look_ahead (decoded, index);
    image = read_answer (decoded, index, is_first, cancellable, &failure);
  }
  decoded->last_index = index;
  // The helper may have failed because of earlier frames: retry with a new one.
  if (image == NULL && was_running && decoded->process == NULL
      && !g_error_matches (failure, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_clear_error (&failure);
    if (order (decoded, index, &failure))
      image = read_answer (decoded, index, is_first, cancellable, &failure);
  }
  if (image == NULL) {
    const bool ended = g_error_matches (failure, ODL_ERROR, ODL_ERROR_END);
    if (ended)
      learn_end (decoded);
    if (!is_first && !ended)
      limit_error_to_frame (decoded, failure);
    name_the_frame (decoded, index, &failure);
    g_propagate_error (error, g_steal_pointer (&failure));
  }
  return image;
}

// Finds a window for images with a value map, which rarely use their full range: of all
// frames where the helper knows it, else of the middle one, since the first rarely shows
// anything.
static void
find_window (DecodedSource *decoded)
{
  const int n_files = decoded->files != NULL ? (int) g_strv_length (decoded->files) : 0;
  const int n_slices = MAX (decoded->source.info.n_slices, n_files);
  const int n = n_slices > 1 ? n_slices : decoded->source.info.n_frames;
  const double *found = decoded->has_found && n_files <= 1 ? decoded->found : NULL;

  if (!g_str_equal (decoded->format, "dicom")
      && !g_str_equal (decoded->format, "metaimage")
      && !g_str_equal (decoded->format, "nifti") && !g_str_equal (decoded->format, "nrrd")
      && !g_str_has_prefix (decoded->format, "hdf5"))
    return;
  if (!odl_auto_window_is_missing (decoded->first))
    return;
  g_autoptr (OdlImage) middle
      = found == NULL && n > 1 ? read_frame (decoded, n / 2, NULL, NULL) : NULL;
  decoded->window
      = odl_auto_window_find (middle != NULL ? middle : decoded->first, found);
  decoded->first = odl_auto_window_apply (decoded->first, &decoded->window);
  if (decoded->window.width > 0)
    odl_source_add_detail (&decoded->source, "window-source", "values of the picture");
}

static void
add_warning (OdlSourceInfo *info, const char *text)
{
  g_autofree char *before = g_steal_pointer (&info->warning);

  info->warning
      = before == NULL ? g_strdup (text) : g_strconcat (text, "; ", before, NULL);
}

// Every file is one frame, whatever the first one contains.
static void
count_files (DecodedSource *decoded)
{
  OdlSourceInfo *info = &decoded->source.info;

  // Pages, animations, cines.
  if (info->n_frames > 1)
    add_warning (info, _ ("it holds several pictures; the first is shown"));
  info->n_frames = info->declared_frames = (int) g_strv_length (decoded->files);
  info->n_slices = 0;
  info->files = (const char *const *) decoded->files;
  info->frame_rate = 0;
  g_clear_pointer (&info->frame_times_ns, g_free);
  g_clear_pointer (&info->timing, g_free);
}

// Number of later frames that may be intact if the first one is not.
static int64_t
count_candidates (const DecodedSource *decoded, const GError *failure)
{
  if (g_error_matches (failure, ODL_ERROR, ODL_ERROR_CANCELLED))
    return 0;
  if (decoded->files != NULL)
    return MIN (g_strv_length (decoded->files), MAX_TRIES);
  if (!g_error_matches (failure, ODL_ERROR, ODL_ERROR_CORRUPT))
    return 0;
  // The frame count is unknown if the helper crashed.
  if (decoded->n_told == 0)
    return g_str_equal (decoded->format, "dicom") ? 2 : 0;
  return MIN (decoded->n_told, MAX_TRIES);
}

// Reads the first decodable frame, which describes all.
static bool
read_first (DecodedSource *decoded, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) failure = NULL;

  decoded->first = read_frame (decoded, 0, cancellable, &failure);
  if (decoded->first != NULL)
    return true;
  const int64_t n = count_candidates (decoded, failure);
  for (int64_t i = 1; i < n && decoded->first == NULL; i++)
    decoded->first = read_frame (decoded, i, cancellable, NULL);
  if (decoded->first == NULL) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return false;
  }
  add_warning (&decoded->source.info, _ ("its first frame is damaged"));
  decoded->first_is_damaged = true;
  return true;
}

OdlSource *
odl_decoded_source_open (const OdlSourceClass *klass,
                         const OdlDecoderRequest *request,
                         GCancellable *cancellable,
                         GError **error)
{
  return odl_decoded_source_open_after (NULL, klass, request, cancellable, error);
}

OdlSource *
odl_decoded_source_open_after (OdlSource *before,
                               const OdlSourceClass *klass,
                               const OdlDecoderRequest *request,
                               GCancellable *cancellable,
                               GError **error)
{
  DecodedSource *decoded = g_new0 (DecodedSource, 1);
  DecodedSource *lender = (DecodedSource *) before;

  odl_source_init (&decoded->source, klass, request->location);
  decoded->location = g_strdup (request->location);
  decoded->format = request->format;
  decoded->format_of = request->format_of;
  decoded->frame = request->frame;
  decoded->choice = g_strdup (request->choice);
  decoded->beside_bytes = request->beside_bytes;
  decoded->files = g_strdupv ((char **) request->files);
  decoded->ahead_index = -1;
  decoded->instances = g_strdupv ((char **) request->instances);
  decoded->series = g_strdup (request->series);
  decoded->person = g_strdup (request->person);
  decoded->is_run = request->is_run;
  if (lender != NULL && g_strcmp0 (lender->format, request->format) == 0) {
    decoded->process = g_steal_pointer (&lender->process);
    decoded->process_bytes = lender->process_bytes;
    decoded->is_lent = true;
  }
  if (read_first (decoded, cancellable, error)) {
    find_window (decoded);
    if (decoded->first_is_damaged)
      decoded->source.like = odl_image_ref (decoded->first);
    if (decoded->files != NULL)
      count_files (decoded);
    return &decoded->source;
  }
  odl_source_unref (&decoded->source);
  return NULL;
}

const char *
odl_decoded_source_instance (const OdlSource *source, int64_t index)
{
  if (source->klass->read_frame != odl_decoded_source_read_frame)
    return NULL;
  const DecodedSource *decoded = (const DecodedSource *) source;
  if (decoded->instances == NULL || index < 0 || index >= source->info.n_frames
      || *decoded->instances[index] == '\0')
    return NULL;
  return decoded->instances[index];
}

void
odl_decoded_source_close (OdlSource *source)
{
  DecodedSource *decoded = (DecodedSource *) source;

  end_process (decoded);
  end_ahead (decoded);
  g_clear_pointer (&decoded->first, odl_image_unref);
  g_strfreev (decoded->files);
  g_strfreev (decoded->instances);
  g_free (decoded->series);
  g_free (decoded->person);
  g_free (decoded->choice);
  g_free (decoded->location);
}

// Takes the reference to `image`.
static OdlImage *
with_slice_mm (const DecodedSource *decoded, OdlImage *image)
{
  OdlImageInfo info = *odl_image_info (image);

  if (decoded->slice_mm == 0)
    return image;
  info.spacing_mm[2] = decoded->slice_mm;
  OdlImage *described = odl_image_with_info (image, &info);
  odl_image_unref (image);
  return described;
}

void
odl_decoded_source_set_slices (OdlSource *source, int n_slices, double spacing_mm)
{
  DecodedSource *decoded = (DecodedSource *) source;

  source->info.n_slices = n_slices;
  decoded->slice_mm = spacing_mm;
  if (source->like != NULL)
    source->like = with_slice_mm (decoded, source->like);
}

OdlImage *
odl_decoded_source_read_frame (OdlSource *source,
                               int64_t index,
                               GCancellable *cancellable,
                               GError **error)
{
  DecodedSource *decoded = (DecodedSource *) source;

  if (index == 0 && !decoded->first_is_damaged)
    return with_slice_mm (decoded, odl_image_ref (decoded->first));

  OdlImage *image = read_frame (decoded, index, cancellable, error);
  return image == NULL
             ? NULL
             : with_slice_mm (decoded, odl_auto_window_apply (image, &decoded->window));
}

char *
odl_decoded_source_read_text (const OdlSourceClass *klass,
                              const char *path,
                              const char *format,
                              GCancellable *cancellable,
                              GError **error)
{
  const OdlDecoderRequest request = { .location = path, .format = format };
  g_autoptr (OdlSource) source
      = odl_decoded_source_open (klass, &request, cancellable, error);
  g_autoptr (OdlImage) image
      = source != NULL ? odl_source_read_frame (source, 0, cancellable, error) : NULL;

  if (image == NULL)
    return NULL;
  const OdlImageInfo *info = odl_image_info (image);
  g_autoptr (GString) text = g_string_new (NULL);
  for (int y = 0; y < info->extent.y; y++) {
    const char *row
        = (const char *) info->planes[0].data + y * info->planes[0].row_stride_bytes;
    g_string_append_len (text, row, (gssize) strnlen (row, (size_t) info->extent.x));
  }
  return g_utf8_make_valid (text->str, (gssize) text->len);
}
